//! Where tiles are in a tree, and the tree in which they have boxes.
use super::super::copies::Run;
use super::super::kernel::{declared, filter_of, member_of, spread_over};
use super::instances::{in_tiles, tiles_or_more};
use super::statements::PromotedBox;
use loopwright_presburger::{
    Aff, Budget, Map, MultiAff, MultiUnionPwAff, Piecewise, Result, Set, Space, Tuple, UnionPwAff,
    UnionSet,
};
use loopwright_schedule::{
    Axis, KernelMark, LoopKind, LoopMark, MemorySpace, Node, Reaching, ScheduleTree,
};
use loopwright_scop::{Scop, StatementId};

/// A statement in tiles.
pub(super) struct InTiles {
    pub(super) id: StatementId,
    pub(super) space: Space,
    pub(super) domain: Set,
    /// The coordinates of the tile of an instance.
    tile: Vec<Aff>,
    /// From tiles to the instances that parts of them execute, or more, whatever the sizes of the data are:
    /// bounds of these say nothing about a single tile.
    pub(super) parts: Vec<Map>,
}

impl InTiles {
    /// The tiles that execute instances, or more of them.
    pub(super) fn tiles_or_more(&self, budget: &Budget) -> Result<Set> {
        Ok(match tiles_or_more(&self.tile, &self.domain, budget)? {
            Some(tiles) => tiles,
            None => self.to_tile()?.to_map().intersect_domain(&self.domain)?.range(),
        })
    }

    /// From instances to tiles.
    pub(super) fn to_tile(&self) -> Result<MultiAff> {
        function(&self.space, Tuple::anonymous(self.tile.len()), &self.tile)
    }
}

/// The place in a tree where a tile is known and nothing else.
pub(super) struct Tiles {
    /// The number of coordinates of a tile: the loops around it.
    pub(super) n_tile: usize,
    pub(super) statements: Vec<InTiles>,
}

impl Tiles {
    /// The tiles of a tree with a single kernel of blocks around all that is executed; otherwise the reason
    /// why there are none.
    pub(super) fn of(
        tree: &ScheduleTree,
        scop: &Scop,
        budget: &Budget,
    ) -> Result<std::result::Result<Tiles, &'static str>> {
        if scop.statements.iter().any(|statement| statement.is_kill) {
            return Ok(Err("variables are declared in the region"));
        }
        let (mut path, mut node) = (Vec::new(), &tree.root);
        let (mut has_kernel, mut has_blocks) = (false, false);
        while let Node::Mark(_, child) | Node::Band(_, child) = node {
            if let Node::Mark(name, _) = node {
                has_kernel |= KernelMark::parse(name).is_some();
                let kind = LoopMark::parse(name).map(|mark| mark.kind);
                has_blocks |= matches!(kind, Some(LoopKind::Block(_)));
                if matches!(kind, Some(LoopKind::Thread(_))) {
                    break;
                }
            }
            path.push(0);
            node = child;
        }
        if !has_kernel || !has_blocks || !matches!(node, Node::Sequence(_)) {
            return Ok(Err("there is no single kernel whose blocks have tiles in turn"));
        }
        let reaching = Reaching::at(tree, &path)?;
        let whole = ScheduleTree::new(tree.whole_spaces()?, tree.root.clone());
        let whole = Reaching::at(&whole, &path)?;
        let mut in_parts = Vec::new();
        for (child, below) in node.children().iter().zip(whole.below(node)?) {
            let inside = below.descend(child, 0)?;
            let inside = match child.children() {
                [band @ Node::Band(..)] => inside.descend(band, 0)?,
                _ => inside,
            };
            in_parts.extend(in_tiles(inside, whole.depth(), budget)?);
        }
        let n_tile = reaching.depth();
        let mut statements: Vec<InTiles> = Vec::new();
        for piece in reaching.pieces {
            let space = piece.domain.space().clone();
            let statement = space.output().and_then(Tuple::name);
            let Some(statement) = statement.and_then(|name| scop.statement_named(name)) else {
                return Ok(Err("there are statements that are not the program's"));
            };
            if statements.iter().any(|known| known.id == statement.id) {
                return Ok(Err("tiles are several functions of instances"));
            }
            let domain = piece.domain.intersect_params(&scop.context)?;
            let (id, tile) = (statement.id, piece.schedule);
            let is_own = |part: &&Map| part.space().range().has_equal_tuples(&space);
            let parts = in_parts.iter().filter(is_own);
            let parts = parts.cloned().collect();
            statements.push(InTiles { id, space, domain, tile, parts });
        }
        if statements.len() != scop.statements.len() {
            return Ok(Err("there are statements outside of tiles"));
        }
        Ok(Ok(Tiles { n_tile, statements }))
    }

    /// The tree in which a tile fills its boxes, does what it does, and copies out of them.
    pub(super) fn with_boxes(
        &self,
        tree: &ScheduleTree,
        scop: &Scop,
        boxes: &[PromotedBox],
    ) -> Result<ScheduleTree> {
        let mut inner = tree.root.clone();
        let copies: Vec<&Run> = boxes.iter().flat_map(|own| [&own.fill, &own.store]).collect();
        self.extend(&mut inner, 0, &copies, &|node| {
            let part = |run: &Run| (filter_of(&[run]), copies_by_threads(run));
            let mut parts: Vec<_> = boxes.iter().map(|own| part(&own.fill)).collect();
            let of_program = self.statements.iter().map(|own| Set::universe(own.space.clone()));
            parts.push((UnionSet::from_sets(&Space::params(&[]), of_program), node));
            parts.extend(boxes.iter().map(|own| part(&own.store)));
            boxes.iter().rev().fold(Node::sequence(parts), |below, own| {
                declared(scop, (MemorySpace::Shared, own.cells), below)
            })
        })?;
        Ok(ScheduleTree::new(tree.domain.clone(), inner))
    }

    /// Bands on the way with the values of copies, and something else at its end. `first` is the first
    /// coordinate of the tile that is not known yet.
    fn extend(
        &self,
        node: &mut Node,
        first: usize,
        copies: &[&Run],
        at_end: &dyn Fn(Node) -> Node,
    ) -> Result<()> {
        match node {
            Node::Band(band, child) => {
                let members = band.schedule.members().iter().zip(first..);
                let members = members.map(|(member, at)| {
                    let own =
                        copies.iter().map(|run| Piecewise::everywhere(run.blocks[at].clone()));
                    UnionPwAff::from_parts(member.parts().iter().cloned().chain(own).collect())
                });
                let n = band.n_members();
                band.schedule = MultiUnionPwAff::new(Tuple::anonymous(n), members.collect());
                self.extend(child, first + n, copies, at_end)
            }
            Node::Mark(_, child) => self.extend(child, first, copies, at_end),
            other => {
                *other = at_end(other.take());
                Ok(())
            }
        }
    }
}

/// The threads of a block that copy a box, each along the last loops of it.
fn copies_by_threads(run: &Run) -> Node {
    let band = |at: usize| member_of(&[run], |run| run.threads[at].clone());
    let n = run.threads.len();
    let n_axes = n.min(Axis::ALL.len());
    let threads =
        Axis::ALL[..n_axes].iter().zip((0..n).rev()).fold(Node::Leaf, |below, (axis, at)| {
            spread_over(LoopKind::Thread(*axis), band(at), below)
        });
    (0..n - n_axes).rev().fold(threads, |below, at| Node::band(band(at), below))
}

/// A function of instances.
pub(super) fn function(space: &Space, tuple: Tuple, values: &[Aff]) -> Result<MultiAff> {
    let from =
        values.iter().fold(space.clone(), |space, value| space.merge_params(value.domain_space()));
    let to = Space::set(from.param_names(), tuple);
    let values = values.iter().map(|value| value.align_params(&from)).collect();
    MultiAff::new(from.map_to(&to), values)
}
