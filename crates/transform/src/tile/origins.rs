//! Tiles whose sizes are variables: the origins of tiles become coordinates of instances.
//!
//! With a size `s` that is a symbolic constant the origin `s * floor(v / s)` of the tile of a value `v` is no
//! quasi-affine function. So instances get coordinates in front, one for each loop over tiles around them,
//! outermost first: `S[T, i]` is the instance `S[i]` in a tile that begins at `T`, for all integers `T` with
//! `T <= v(i) < T + s`. These are affine constraints in `T`, `i`, `s` and the parameters, so code is
//! generated as for any other program. It has loops over all these `T`; the loop that is meant takes the
//! multiples of `s` among them ([`ForLoop::multiples_of`](../../../loopwright_astgen/struct.ForLoop.html)):
//! for each `v` that is exactly one.
//!
//! # Legality
//! For given sizes the origins grow with the values that are tiled. So if every dependence that is not
//! carried outside of the band has non-negative distances along all members that are tiled, it leads to the
//! same tile or to one that is later in lexicographic order, for all sizes; and in a tile points are in the
//! order of the tree without loops over tiles. `verify` has the proof.
use loopwright_presburger::{
    Aff, DimKind, Error, Int, MultiAff, MultiUnionPwAff, Name, Piecewise, PwMultiAff, Result, Set,
    Space, Tuple, UnionPwAff, UnionPwMultiAff, UnionSet,
};
use loopwright_schedule::{Band, Member, Node, OriginLoops, OriginMark, ScheduleTree};
use loopwright_scop::{Access, Parameter, Scop, Statement};

/// The greatest size of a tile: far from the limits of the iterators' type, so that no bound of a loop over
/// tiles overflows.
pub const MOST_TILE_SIZE: i64 = 1 << 30;

/// A program whose instances have the origins of their tiles as coordinates.
#[derive(Clone, Debug)]
pub struct TiledProgram {
    /// The program, with sizes among its symbolic constants.
    pub scop: Scop,
    /// Its order.
    pub tree: ScheduleTree,
}

/// A statement with coordinates in front.
struct Lifted {
    /// `{ S[T, i] -> S[i] }`.
    instance: MultiAff,
    /// `{ S[T, i] }`, for all integers `T` in whose tiles `i` is.
    domain: Set,
    /// The loops over tiles around it, by their position, with the first coordinate of each.
    loops: Vec<(usize, usize)>,
}

/// The program in the tiles that the [`OriginMark`]s of `tree` ask for.
///
/// *Cost.* Some intersections for each statement.
///
/// # Errors
/// If a statement is in tiles of different bands side by side, or only some of its instances are in tiles;
/// those of [`ScheduleTree::origin_loops`] and [`ScheduleTree::pullback`].
pub fn with_tile_origins(scop: &Scop, tree: &ScheduleTree) -> Result<TiledProgram> {
    let loops = tree.origin_loops()?;
    let mut sizes: Vec<Name> = loops.iter().flat_map(|loops| loops.sizes.clone()).collect();
    sizes.sort();
    sizes.dedup();
    let lifted: Vec<Lifted> = tree
        .domain
        .sets()
        .iter()
        .map(|domain| lifted(domain, &loops, &sizes))
        .collect::<Result<_>>()?;
    let instances = lifted.iter().map(|l| PwMultiAff::everywhere(l.instance.clone())).collect();
    let pulled = tree.pullback(&UnionPwMultiAff::from_parts(instances))?;
    let domains = lifted.iter().map(|l| l.domain.clone());
    let domain = UnionSet::from_sets(&Space::params(&sizes), domains);
    let mut position = 0;
    let root = over_origins(pulled.root, &lifted, &mut position)?;
    let tree = ScheduleTree::new(domain, root);
    let mut scop = scop.clone();
    scop.context = with_sizes(&scop.context, &sizes)?;
    let parameter = |name: Name| Parameter { name, c_type: "long".to_string(), value: None };
    scop.parameters.extend(sizes.into_iter().map(parameter));
    for statement in &mut scop.statements {
        let name =
            |l: &&Lifted| l.domain.space().output().and_then(Tuple::name) == Some(&statement.name);
        if let Some(lifted) = lifted.iter().find(name) {
            *statement = lifted_statement(statement, lifted)?;
        }
    }
    scop.schedule = tree.clone();
    Ok(TiledProgram { scop, tree })
}

/// What holds for the parameters, and that sizes are sizes.
fn with_sizes(context: &Set, sizes: &[Name]) -> Result<Set> {
    let mut context = context.align_params(&Space::params(sizes));
    for size in sizes {
        let position = context.find_param(size).unwrap_or_default();
        let space = context.space().clone();
        let size = Aff::variable(&space, DimKind::Param, position);
        let most = size.neg().add_constant(&Int::from(MOST_TILE_SIZE));
        let positive = size.add_constant(&Int::from(-1)).nonneg_set();
        context = context.intersect(&positive)?.intersect(&most.nonneg_set())?;
    }
    Ok(context)
}

fn lifted(domain: &Set, loops: &[OriginLoops], sizes: &[Name]) -> Result<Lifted> {
    let tuple = domain.space().output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
    let is_own = |loops: &OriginLoops| {
        loops.below.pieces.iter().any(|p| p.domain.space().output() == Some(&tuple))
    };
    let mut own: Vec<(usize, usize)> = Vec::new();
    let mut n = 0;
    for (position, around) in loops.iter().enumerate().filter(|(_, loops)| is_own(loops)) {
        if let Some(&(outer, _)) = own.last()
            && !around.path.starts_with(&loops[outer].path)
        {
            return Err(unsupported("a statement is in tiles of bands that are side by side"));
        }
        own.push((position, n));
        n += around.sizes.len();
    }
    let name = tuple.name().map_or("", |name| name);
    let n_own = tuple.n_dims();
    let params = Space::params(sizes);
    let own_space = domain.align_params(&params).space().clone();
    let space = own_space.with_tuples(None, Some(Tuple::named(name, n + n_own)));
    let coordinates = (n..n + n_own).map(|at| Aff::variable(&space, DimKind::Out, at)).collect();
    let instance = MultiAff::new(space.map_to(&own_space), coordinates)?;
    let mut lifted = domain.align_params(&params).preimage_multi_aff(&instance)?;
    for &(position, first) in &own {
        lifted = lifted.intersect(&window(&loops[position], &tuple, &space, &instance, first)?)?;
    }
    Ok(Lifted { instance, domain: lifted, loops: own })
}

/// The instances `S[T, i]` with `T_k <= v_k(i) < T_k + s_k` for the loops below a mark.
fn window(
    loops: &OriginLoops,
    tuple: &Tuple,
    space: &Space,
    instance: &MultiAff,
    first: usize,
) -> Result<Set> {
    let mut all = Set::empty(space.clone());
    let pieces =
        loops.below.pieces.iter().filter(|piece| piece.domain.space().output() == Some(tuple));
    for piece in pieces {
        let params = Space::params(space.param_names());
        let mut inside = piece.domain.align_params(&params).preimage_multi_aff(instance)?;
        for (member, (value, size)) in loops.values(piece).iter().zip(&loops.sizes).enumerate() {
            let value = value.align_params(&params).pullback(instance)?;
            let origin = Aff::variable(space, DimKind::Out, first + member);
            let position =
                space.find_param(size).ok_or_else(|| unsupported("a size without name"))?;
            let size = Aff::variable(space, DimKind::Param, position);
            let offset = value.sub(&origin)?;
            let left = size.sub(&offset)?.add_constant(&Int::from(-1));
            inside = inside.intersect(&offset.nonneg_set())?.intersect(&left.nonneg_set())?;
        }
        all = all.union(&inside)?;
    }
    Ok(all)
}

/// The tree with coordinates in place of the values that are tiled; marks come in the order of
/// [`ScheduleTree::origin_loops`].
fn over_origins(node: Node, lifted: &[Lifted], position: &mut usize) -> Result<Node> {
    let mut node = node;
    if let Node::Mark(name, child) = &mut node
        && let Some(mark) = OriginMark::parse(name)
    {
        replace_members(child, mark.sizes.len(), *position, lifted)?;
        *position += 1;
    }
    for child in node.children_mut() {
        *child = over_origins(child.take(), lifted, position)?;
    }
    Ok(node)
}

/// Puts coordinates in place of the first `n` members below a mark.
fn replace_members(node: &mut Node, n: usize, position: usize, lifted: &[Lifted]) -> Result<()> {
    let mut done = 0;
    let mut node = node;
    while done < n {
        match node {
            Node::Mark(_, child) => node = child,
            Node::Band(band, child) => {
                let own = band.n_members().min(n - done);
                *band = with_coordinates(band, own, done, position, lifted);
                done += own;
                node = child;
            }
            _ => return Err(unsupported("fewer loops than sizes")),
        }
    }
    Ok(())
}

/// A band whose first `n` members are the coordinates after `done` of the loops at a position.
fn with_coordinates(
    band: &Band,
    n: usize,
    done: usize,
    position: usize,
    lifted: &[Lifted],
) -> Band {
    let coordinate = |member: usize| {
        let part = |lifted: &Lifted| {
            let (_, first) = lifted.loops.iter().find(|(loops, _)| *loops == position)?;
            let space = lifted.domain.space();
            let coordinate = Aff::variable(space, DimKind::Out, first + done + member);
            Some(Piecewise::everywhere(coordinate))
        };
        UnionPwAff::from_parts(lifted.iter().filter_map(part).collect())
    };
    let mut members = band.schedule.members().to_vec();
    (0..n).for_each(|member| members[member] = coordinate(member));
    let flags: Vec<Member> = band.members.clone();
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(members.len()), members);
    Band { schedule, members: flags, ..band.clone() }
}

fn lifted_statement(statement: &Statement, lifted: &Lifted) -> Result<Statement> {
    let n = lifted.domain.n(DimKind::Out) - statement.domain.n(DimKind::Out);
    let in_front =
        (0..n).map(|coordinate| (Name::from(format!("origin_{coordinate}")), "long".to_string()));
    let own = statement.iterators.iter().cloned().zip(statement.iterator_types.iter().cloned());
    pulled_back(statement, &lifted.instance, &lifted.domain, in_front.chain(own).collect())
}

/// A statement with other coordinates, of which its own instances are a function; `iterators` have names and
/// types.
pub(crate) fn pulled_back(
    statement: &Statement,
    instance: &MultiAff,
    domain: &Set,
    iterators: Vec<(Name, String)>,
) -> Result<Statement> {
    let access = |access: &Access| {
        let relation = instance.to_map().apply_range(&access.relation)?;
        Ok(Access { relation: relation.intersect_domain(domain)?, ..access.clone() })
    };
    let (iterators, iterator_types) = iterators.into_iter().unzip();
    Ok(Statement {
        domain: domain.clone(),
        iterators,
        iterator_types,
        accesses: statement.accesses.iter().map(access).collect::<Result<_>>()?,
        body: statement.body.with_forms(&mut |form| form.pullback_multi_aff(instance))?,
        ..statement.clone()
    })
}

fn unsupported(reason: &str) -> Error {
    Error::Invalid { operation: "tiles of variable sizes", reason: reason.to_string() }
}
