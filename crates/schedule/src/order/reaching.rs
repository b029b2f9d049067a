//! What reaches a node: the instances, and the order that the nodes above have given them.
//!
//! The schedule above a node is kept as *pieces*: a set of instances of one statement together with
//! one quasi-affine expression per band member above, all defined on the whole set. That is the
//! form in which schedules arise (bands are affine per statement nearly always), and it makes
//! every step cheap: a band appends expressions, a filter intersects a set. A relation
//! is built only when asked for, once per statement.
//!
//! Sequences and sets contribute the position of the child as a constant. These constants are
//! the same for all instances that reach a node, so they are kept once, in [`Reaching::layout`].
use crate::tree::node::{Band, Node, ScheduleTree};
use loopwright_presburger::{
    Aff, Budget, Error, Int, Map, MultiAff, MultiUnionPwAff, Name, PwAff, Result, Set, Space,
    Tuple, UnionMap, UnionPwMultiAff, UnionSet,
};
use std::collections::HashMap;

/// Steps allowed for inverting an extension; an ordinary one needs a few hundred.
const EXTENSION_STEPS: u64 = 1_000_000;

/// Instances of one statement and their schedule by the bands above.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The instances.
    pub domain: Set,
    /// One expression over `domain` per band member above, outermost first.
    pub schedule: Vec<Aff>,
}

/// The instances that reach a node, and their order so far.
#[derive(Clone, Debug)]
pub struct Reaching {
    /// The instances, disjoint, with their schedules.
    pub pieces: Vec<Piece>,
    /// The dimensions of the flat schedule so far: the position among the children of a
    /// sequence or set, or none for a band member.
    pub layout: Vec<Option<i64>>,
}

impl Reaching {
    /// What reaches the root of a tree.
    pub fn root(tree: &ScheduleTree) -> Self {
        let pieces = tree.domain.sets().into_iter();
        let pieces = pieces.map(|domain| Piece { domain, schedule: Vec::new() }).collect();
        Reaching { pieces, layout: Vec::new() }
    }

    /// What reaches the root of a tree, of the statements that the last filter on a path lets pass (an
    /// extension or expansion above it may rename them: then of all statements).
    fn root_for(tree: &ScheduleTree, path: &[usize]) -> Self {
        let mut last = None;
        let mut node = &tree.root;
        for &child in path {
            match node {
                Node::Filter(filter, _) => last = Some(filter),
                Node::Extension(..) | Node::Expansion { .. } => break,
                _ => {}
            }
            let Some(next) = node.children().get(child) else { break };
            node = next;
        }
        let Some(filter) = last else { return Self::root(tree) };
        let domains = filter.sets().into_iter().map(|set| tree.domain.extract(set.space()));
        let domains = domains.filter(|domain| !domain.plain_is_empty());
        let pieces = domains.map(|domain| Piece { domain, schedule: Vec::new() }).collect();
        Reaching { pieces, layout: Vec::new() }
    }

    /// What reaches the node at `path` of `tree`.
    ///
    /// *Cost.* That of the statements which reach it, besides a look at the filters on the path.
    ///
    /// # Errors
    /// If there is no such node, and those of [`Self::descend`].
    pub fn at(tree: &ScheduleTree, path: &[usize]) -> Result<Self> {
        let mut reaching = Self::root_for(tree, path);
        let mut node = &tree.root;
        for &child in path {
            reaching = reaching.descend(node, child)?;
            node = &node.children()[child];
        }
        Ok(reaching)
    }

    /// What reaches the child at position `child` of `node`, if `self` reaches `node`.
    ///
    /// # Errors
    /// If there is no such child, if a band is not defined for a statement that reaches it, or if
    /// an extension adds an instance at several places.
    pub fn descend(&self, node: &Node, child: usize) -> Result<Self> {
        if child >= node.children().len() {
            return Err(invalid("there is no such child".into()));
        }
        match node {
            Node::Leaf | Node::Mark(..) | Node::Context(..) | Node::Guard(..) => Ok(self.clone()),
            Node::Sequence(_) | Node::Set(_) => {
                let mut below = self.clone();
                below.layout.push(Some(child as i64));
                Ok(below)
            }
            Node::Band(band, _) => self.below_band(band),
            Node::Filter(filter, _) => self.below_filter(filter),
            Node::Extension(extension, _) => self.below_extension(extension),
            Node::Expansion { contraction, expansion, .. } => {
                self.below_expansion(contraction, expansion)
            }
        }
    }

    /// What reaches each child of `node`, if `self` reaches `node`; of a filter below a sequence or set only
    /// what it lets pass, so that a walk over the tree costs no more than there are instances in each part.
    ///
    /// # Errors
    /// Those of [`Self::descend`].
    pub fn below(&self, node: &Node) -> Result<Vec<Self>> {
        let children = node.children();
        let mut by_name: HashMap<Option<&Name>, Vec<usize>> = HashMap::new();
        if matches!(node, Node::Sequence(_) | Node::Set(_)) {
            for (position, piece) in self.pieces.iter().enumerate() {
                let name = piece.domain.space().output().and_then(Tuple::name);
                by_name.entry(name).or_default().push(position);
            }
        }
        let below = |(position, child): (usize, &Node)| match (node, child) {
            (Node::Sequence(_) | Node::Set(_), Node::Filter(filter, _)) => {
                let sets = filter.sets();
                let names = sets.iter().map(|set| set.space().output().and_then(Tuple::name));
                let mut kept: Vec<usize> =
                    names.filter_map(|name| by_name.get(&name)).flatten().copied().collect();
                kept.sort_unstable();
                kept.dedup();
                let pieces = kept.into_iter().map(|piece| self.pieces[piece].clone()).collect();
                let mut layout = self.layout.clone();
                layout.push(Some(position as i64));
                Ok(Reaching { pieces, layout })
            }
            _ => self.descend(node, position),
        };
        children.iter().enumerate().map(below).collect()
    }

    /// The number of band members above.
    pub fn depth(&self) -> usize {
        self.layout.iter().filter(|slot| slot.is_none()).count()
    }

    /// The instances.
    ///
    /// # Errors
    /// Those of the union.
    pub fn domain(&self) -> Result<UnionSet> {
        let domains = self.pieces.iter().map(|piece| piece.domain.clone());
        Ok(UnionSet::from_sets(&Space::params(&[]), domains))
    }

    /// The schedule by the band members above (without sequences), as isl's prefix schedule:
    /// from the instances to an anonymous tuple of [`Self::depth`] dimensions.
    ///
    /// # Errors
    /// Those of the union.
    pub fn prefix_schedule(&self) -> Result<UnionMap> {
        let bands: Vec<_> = self.layout.iter().copied().filter(Option::is_none).collect();
        relation(self.pieces.iter().map(|piece| (piece, &bands[..])), bands.len())
    }

    /// The schedule by band members and positions in sequences and sets.
    ///
    /// # Errors
    /// Those of the union.
    pub fn flat_schedule(&self) -> Result<UnionMap> {
        let pieces = self.pieces.iter().map(|piece| (piece, &self.layout[..]));
        relation(pieces, self.layout.len())
    }

    fn below_band(&self, band: &Band) -> Result<Self> {
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            append_members(piece, &band.schedule, &mut pieces)?;
        }
        let mut layout = self.layout.clone();
        layout.resize(layout.len() + band.n_members(), None);
        Ok(Reaching { pieces, layout })
    }

    fn below_filter(&self, filter: &UnionSet) -> Result<Self> {
        let sets = filter.sets();
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let same = |set: &&Set| set.space().has_equal_tuples(piece.domain.space());
            let Some(set) = sets.iter().find(same) else { continue };
            if is_plain_universe(set) {
                pieces.push(piece.clone());
                continue;
            }
            let domain = piece.domain.intersect(set)?;
            if !domain.plain_is_empty() {
                pieces.push(Piece { domain, schedule: piece.schedule.clone() });
            }
        }
        Ok(Reaching { pieces, layout: self.layout.clone() })
    }

    /// An extension relates the outer schedule dimensions to new instances; their schedule is its
    /// inverse.
    fn below_extension(&self, extension: &UnionMap) -> Result<Self> {
        let mut below = self.clone();
        let budget = Budget::steps(EXTENSION_STEPS);
        let schedules = UnionPwMultiAff::from_union_map(&extension.reverse(), &budget)?;
        for (domain, schedule) in schedules.parts().iter().flat_map(|part| part.pieces()) {
            if schedule.affs().len() != self.depth() {
                let reason = "an extension must start from all outer schedule dimensions";
                return Err(invalid(reason.into()));
            }
            let schedule = schedule.affs().to_vec();
            below.pieces.push(Piece { domain: domain.clone(), schedule });
        }
        Ok(below)
    }

    /// Below an expansion, instance x is scheduled like the instance that contracts to.
    fn below_expansion(&self, contraction: &UnionPwMultiAff, expansion: &UnionMap) -> Result<Self> {
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            let group = UnionSet::from_set(piece.domain.clone());
            let expanded = group.apply(expansion)?;
            for (set, function) in contraction.parts().iter().flat_map(|part| part.pieces()) {
                if !function.space().range().has_equal_tuples(piece.domain.space()) {
                    continue;
                }
                let domain = expanded.extract(set.space()).intersect(set)?;
                if domain.plain_is_empty() {
                    continue;
                }
                let pulled = piece.schedule.iter().map(|aff| aff.pullback(function));
                pieces.push(Piece { domain, schedule: pulled.collect::<Result<_>>()? });
            }
        }
        Ok(Reaching { pieces, layout: self.layout.clone() })
    }
}

fn invalid(reason: String) -> Error {
    Error::Invalid { operation: "schedule tree", reason }
}

/// Whether a set is obviously everything.
pub(crate) fn is_plain_universe(set: &Set) -> bool {
    let basics = set.as_map().basic_maps();
    basics.iter().any(|basic| {
        !basic.plain_is_empty()
            && basic.equalities().is_empty()
            && basic.inequalities().is_empty()
            && basic.locals().is_empty()
    })
}

/// Appends the members of a band to the schedule of a piece, splitting it where the members are
/// piecewise.
fn append_members(piece: &Piece, band: &MultiUnionPwAff, out: &mut Vec<Piece>) -> Result<()> {
    let first = out.len();
    out.push(piece.clone());
    for member in band.members() {
        let same = |part: &&PwAff| part.domain_space().has_equal_tuples(piece.domain.space());
        let Some(part) = member.parts().iter().find(same) else {
            let statement = piece.domain.space().output().map(ToString::to_string);
            let statement = statement.unwrap_or_default();
            return Err(invalid(format!("a band has no schedule for {statement}")));
        };
        match part.pieces() {
            [(_, aff)] => out[first..].iter_mut().for_each(|p| p.schedule.push(aff.clone())),
            several => {
                for piece in out.split_off(first) {
                    for (set, aff) in several {
                        let domain = piece.domain.intersect(set)?;
                        if domain.plain_is_empty() {
                            continue;
                        }
                        let mut schedule = piece.schedule.clone();
                        schedule.push(aff.clone());
                        out.push(Piece { domain, schedule });
                    }
                }
            }
        }
    }
    Ok(())
}

/// The relation from the pieces' instances to an anonymous tuple of `n` dimensions: as their
/// layouts say, zeros after that.
pub(crate) fn relation<'a>(
    pieces: impl Iterator<Item = (&'a Piece, &'a [Option<i64>])>,
    n: usize,
) -> Result<UnionMap> {
    let maps = pieces.map(|(piece, layout)| piece_relation(piece, layout, n));
    let maps = maps.collect::<Result<Vec<Map>>>()?;
    Ok(UnionMap::from_maps(&Space::params(&[]), maps))
}

fn piece_relation(piece: &Piece, layout: &[Option<i64>], n: usize) -> Result<Map> {
    let affs = flat_components(piece, layout, n)?;
    let space = affs.first().map_or(piece.domain.space(), |aff| aff.domain_space()).clone();
    let range = Space::set(space.param_names(), Tuple::anonymous(n));
    let schedule = MultiAff::new(space.map_to(&range), affs)?;
    schedule.to_map().intersect_domain(&piece.domain)
}

/// One expression per dimension of the flat schedule: positions and band members as the layout
/// says, zeros after that; all over the same parameters.
pub(crate) fn flat_components(piece: &Piece, layout: &[Option<i64>], n: usize) -> Result<Vec<Aff>> {
    let merge = |space: Space, aff: &Aff| space.merge_params(aff.domain_space());
    let space = piece.schedule.iter().fold(piece.domain.space().clone(), merge);
    let mut members = piece.schedule.iter();
    let mut affs = Vec::with_capacity(n);
    for slot in layout {
        affs.push(match slot {
            Some(position) => Aff::constant(&space, &Int::from(*position)),
            None => {
                let aff = members.next().ok_or_else(|| invalid("too few members".into()))?;
                aff.align_params(&space)
            }
        });
    }
    affs.resize_with(n, || Aff::zero(&space));
    Ok(affs)
}
