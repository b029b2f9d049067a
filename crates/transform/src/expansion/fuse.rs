//! Outer tile loops shared by the statements that use one expanded scalar.
use loopwright_dataflow::Dependences;
use loopwright_presburger::{
    Aff, Budget, DimKind, Map, MultiAff, MultiUnionPwAff, Name, Piecewise, Result, Space, Tuple,
    UnionPwAff, UnionSet,
};
use loopwright_schedule::{
    Band, LocalMark, LoopKind, LoopMark, Member, Node, Reaching, ScheduleTree,
};
use loopwright_scop::{Expansion, Scop, StatementId};
use std::collections::BTreeSet;

/// A tree in which the statements that use an array run in tiles, one after the other in each tile.
pub(super) struct Fused {
    /// The tree, with the array declared in each tile.
    pub(super) tree: ScheduleTree,
    /// The loops over tiles, over the elements of the array.
    pub(super) tiles: Vec<Aff>,
}

/// One loop over tiles of the statement that has a tile for registers.
struct TileLoop {
    /// The mark above it.
    mark: Option<Name>,
    flags: Member,
    /// Over the statement's instances.
    aff: Aff,
    schedule: UnionPwAff,
}

/// The neighbours in a sequence that use the array of an expansion.
struct Neighbours {
    /// The way to the sequence.
    path: Vec<usize>,
    first: usize,
    last: usize,
    /// The one with tiles for registers.
    tiled: usize,
}

/// Puts the loops around the statements of an expansion into the outer tile loops of the one that has tiles
/// for registers; none if there is no such statement, if others are between them, or if something
/// depends on another tile.
///
/// # Errors
/// For malformed trees, and if the budget runs out.
pub(super) fn fuse(
    tree: &ScheduleTree,
    scop: &Scop,
    expansion: &Expansion,
    dependences: &Dependences,
    budget: &Budget,
) -> Result<Option<Fused>> {
    let Some(neighbours) = neighbours(tree, scop, expansion) else { return Ok(None) };
    let Some((statement, loops, rest)) = tile_loops(tree, scop, expansion, &neighbours)? else {
        return Ok(None);
    };
    let n = expansion.n_loops;
    let own = scop.statement(statement).domain.space();
    let tiles_of = |space: &Space| -> Result<Vec<Aff>> {
        let section = first_coordinates(space, own, n)?;
        loops.iter().map(|tile| tile.aff.align_params(section.space()).pullback(&section)).collect()
    };
    if depends_on_other_tiles(scop, expansion, dependences, &tiles_of, budget)? {
        return Ok(None);
    }
    let array = scop.array(expansion.array);
    let mut children = Vec::new();
    let mut whole = UnionSet::empty();
    let Some(Node::Sequence(old)) = tree.at(&neighbours.path) else { return Ok(None) };
    for (position, child) in old.iter().enumerate().take(neighbours.last + 1).skip(neighbours.first)
    {
        let Node::Filter(filter, below) = child else { return Ok(None) };
        whole = whole.union(filter)?;
        let below = match position == neighbours.tiled {
            true => rest.clone(),
            false => sequential(below),
        };
        children.push(Node::filter(filter.clone(), below));
    }
    let mark = LocalMark::local(array.tuple_name.clone()).to_string();
    let mut node = Node::mark(&mark, Node::Sequence(children));
    let others = expansion.statements.iter().filter(|other| **other != statement);
    let others: Vec<Vec<Aff>> = others
        .map(|other| tiles_of(scop.statement(*other).domain.space()))
        .collect::<Result<_>>()?;
    for (position, tile) in loops.iter().enumerate().rev() {
        let mut schedule = tile.schedule.clone();
        for other in &others {
            let aff = Piecewise::everywhere(other[position].clone());
            schedule = schedule.union_disjoint(&UnionPwAff::from_parts(vec![aff]))?;
        }
        let band = Band {
            members: vec![tile.flags],
            ..Band::new(MultiUnionPwAff::new(Tuple::anonymous(1), vec![schedule]))
        };
        node = Node::band(band, node);
        if let Some(mark) = &tile.mark {
            node = Node::mark(mark, node);
        }
    }
    let mut tree = tree.clone();
    if let Some(place) = tree.at_mut(&neighbours.path)
        && let Node::Sequence(all) = place
    {
        all.splice(neighbours.first..=neighbours.last, [Node::filter(whole, node)]);
    }
    let elements = Space::set(own.param_names(), Tuple::named(&array.tuple_name, n));
    Ok(Some(Fused { tree, tiles: tiles_of(&elements)? }))
}

/// The neighbours in the first sequence that keeps statements of the expansion apart; none if other
/// statements are among them.
fn neighbours(tree: &ScheduleTree, scop: &Scop, expansion: &Expansion) -> Option<Neighbours> {
    let members: BTreeSet<&str> =
        expansion.statements.iter().map(|id| &*scop.statement(*id).name).collect();
    let (mut path, mut node) = (Vec::new(), &tree.root);
    loop {
        let children = node.children();
        let using: Vec<usize> = match node {
            Node::Sequence(_) | Node::Set(_) => {
                let uses =
                    |p: &usize| statements(&children[*p]).iter().any(|s| members.contains(&**s));
                (0..children.len()).filter(uses).collect()
            }
            Node::Band(..) | Node::Mark(..) | Node::Filter(..) => vec![0],
            _ => return None,
        };
        match using[..] {
            [] => return None,
            [only] => {
                path.push(only);
                node = &children[only];
            }
            [first, .., last] => {
                if !matches!(node, Node::Sequence(_)) {
                    return None;
                }
                let between = &children[first..=last];
                let mut all = between.iter().flat_map(statements);
                if !all.all(|statement| members.contains(&*statement)) {
                    return None;
                }
                let tiled = (first..=last).find(|p| has_register_tile(&children[*p]))?;
                return Some(Neighbours { path, first, last, tiled });
            }
        }
    }
}

/// The names of the statements that a filter lets through.
fn statements(node: &Node) -> Vec<Name> {
    let Node::Filter(filter, _) = node else { return Vec::new() };
    let sets = filter.sets();
    sets.iter().filter_map(|set| set.space().output()?.name().cloned()).collect()
}

/// Whether a band below has isolated full tiles.
fn has_register_tile(node: &Node) -> bool {
    !node.every_descendant(&|n| !matches!(n, Node::Band(band, _) if band.isolate.is_some()))
}

/// The statement with tiles for registers, its loops over tiles that depend on the coordinates of the
/// elements only, and what is inside of them: the other loops over tiles first.
fn tile_loops(
    tree: &ScheduleTree,
    scop: &Scop,
    expansion: &Expansion,
    neighbours: &Neighbours,
) -> Result<Option<(StatementId, Vec<TileLoop>, Node)>> {
    let mut path = neighbours.path.clone();
    path.extend([neighbours.tiled, 0]);
    let (mut reaching, Some(mut node)) = (Reaching::at(tree, &path)?, tree.at(&path)) else {
        return Ok(None);
    };
    let [piece] = &reaching.pieces[..] else { return Ok(None) };
    let name = piece.domain.space().output().and_then(Tuple::name);
    let Some(statement) = name.and_then(|name| scop.statement_named(name)) else {
        return Ok(None);
    };
    let inner = statement.iterators.len().saturating_sub(expansion.n_loops);
    let (mut loops, mut inside, mut mark) = (Vec::new(), Vec::new(), None);
    let below = loop {
        match node {
            Node::Mark(name, child) if is_parallel(name) => {
                mark = Some(name.clone());
                node = child;
            }
            Node::Band(band, child) if band.isolate.is_none() => {
                let depth = reaching.depth();
                reaching = reaching.descend(node, 0)?;
                let [piece] = &reaching.pieces[..] else { return Ok(None) };
                for (position, aff) in piece.schedule[depth..].iter().enumerate() {
                    let tile = TileLoop {
                        mark: mark.take(),
                        flags: band.members[position],
                        aff: aff.clone(),
                        schedule: band.schedule.members()[position].clone(),
                    };
                    match aff.involves_dims(DimKind::Out, expansion.n_loops, inner) {
                        true if tile.mark.is_some() => return Ok(None),
                        true => inside.push(tile),
                        false => loops.push(tile),
                    }
                }
                node = child;
            }
            _ => break node.clone(),
        }
    };
    let rest = inside.into_iter().rev().fold(below, |below, tile| {
        let schedule = MultiUnionPwAff::new(Tuple::anonymous(1), vec![tile.schedule]);
        Node::band(Band { members: vec![tile.flags], ..Band::new(schedule) }, below)
    });
    let is_usable = mark.is_none() && !loops.is_empty() && has_register_tile(&rest);
    Ok(is_usable.then_some((statement.id, loops, rest)))
}

fn is_parallel(mark: &str) -> bool {
    LoopMark::parse(mark).is_some_and(|mark| mark.kind == LoopKind::Parallel)
}

/// `from[x..] -> to[x_0, .., x_(n-1), 0, ..]`.
fn first_coordinates(from: &Space, to: &Space, n: usize) -> Result<MultiAff> {
    let from = from.merge_params(to);
    let affs = (0..to.n(DimKind::Out)).map(|position| match position < n {
        true => Aff::variable(&from, DimKind::Out, position),
        false => Aff::zero(&from),
    });
    let to = to.with_params(from.param_names());
    MultiAff::new(from.map_to(&to), affs.collect())
}

/// Whether an instance of the expansion's statements depends on one of them in another tile. If not, the
/// loops over tiles may run outside of all others.
fn depends_on_other_tiles(
    scop: &Scop,
    expansion: &Expansion,
    dependences: &Dependences,
    tiles_of: &impl Fn(&Space) -> Result<Vec<Aff>>,
    budget: &Budget,
) -> Result<bool> {
    let tile = |statement: StatementId| -> Result<Map> {
        let space = scop.statement(statement).domain.space();
        let affs = tiles_of(space)?;
        let params = affs.iter().fold(space.clone(), |s, a| s.merge_params(a.domain_space()));
        let range = Space::set(params.param_names(), Tuple::anonymous(affs.len()));
        let affs = affs.iter().map(|aff| aff.align_params(&params)).collect();
        Ok(MultiAff::new(params.map_to(&range), affs)?.to_map())
    };
    let is_inside = |statement: &StatementId| expansion.statements.contains(statement);
    let lists = dependences.flow.iter().chain(&dependences.order).chain(&dependences.forced);
    for dependence in lists.chain(dependences.reassociated()) {
        let (a, b) = (dependence.source.0, dependence.sink.0);
        if !is_inside(&a) || !is_inside(&b) {
            continue;
        }
        let same = tile(a)?.apply_range(&tile(b)?.reverse())?;
        if !dependence.relation.is_subset(&same, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The node without parallel loops and isolated tiles, as it can stand in a tile.
fn sequential(node: &Node) -> Node {
    let mut result = match node {
        Node::Mark(name, child)
            if LoopMark::parse(name).is_some_and(|mark| mark.kind.is_threaded()) =>
        {
            return sequential(child);
        }
        Node::Band(band, child) => {
            Node::band(Band { isolate: None, ..band.clone() }, (**child).clone())
        }
        other => other.clone(),
    };
    for child in result.children_mut() {
        *child = sequential(child);
    }
    result
}
