//! Multifor statements as schedule trees (section 3.1 of the paper).
//!
//! A body is executed at `offset + n * grain` in each dimension: that is a schedule. At a level where the greatest common
//! divisor `c` of the grains is more than 1, points are compressed: `c` of them are one iteration, in which the residues
//! of the offsets come one after the other. So the order stays lexicographic.
use crate::multifor::{Level, Multifor, Phase};
use loopwright_presburger::{Int, Result, Space, UnionPwAff, UnionSet};
use loopwright_schedule::{AstLoopType, Band, Node, ScheduleTree, TileLoops};
use std::collections::BTreeSet;

/// The mark above parts that different threads may execute, each as a whole.
pub(crate) const SECTIONS: &str = "multifor sections";
/// The mark above one of these parts.
pub(crate) const SECTION: &str = "multifor section";

/// The order of the bodies of different loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All loops of a level advance point by point.
    Interleaved,
    /// So do those of this many outer levels; at a point of the last one, the loops go through the levels inside each by
    /// itself. With 0 this is at no level: one nest after the other.
    LockStep(usize),
}

/// What a schedule tree of a multifor statement is to be like.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// The order of different loops.
    pub order: Order,
    /// How loops are cut.
    pub loop_type: AstLoopType,
    /// For each nest the depth of the level whose iterations are said to be independent, if there is one.
    pub parallel: Vec<Option<usize>>,
    /// Whether innermost loops are unrolled by the least common multiple of their grains, so that their bodies need no
    /// conditions on remainders.
    pub steady: bool,
}

/// The greatest number of copies of innermost bodies.
const MOST_COPIES: i64 = 16;

/// The schedule tree of a statement.
///
/// # Errors
/// Those of operations on sets.
pub fn schedule_tree(multifor: &Multifor, options: &TreeOptions) -> Result<ScheduleTree> {
    let builder = Builder { multifor, options };
    let all: BTreeSet<usize> = multifor.root.bodies().into_iter().collect();
    let domains = multifor.bodies.iter().map(|body| body.domain.clone());
    let domain = UnionSet::from_sets(&Space::params(&multifor.parameters), domains);
    let root = match options.order {
        Order::LockStep(0) => {
            builder.by_nest(&all, |bodies| builder.level(&multifor.root, bodies))?
        }
        _ => builder.level(&multifor.root, &all)?,
    };
    Ok(ScheduleTree::new(domain, root))
}

/// The greatest common divisor of the grains of loops.
pub(crate) fn compression(level: &Level, nests: &BTreeSet<usize>) -> i64 {
    let grains = nests.iter().map(|nest| level.loops[*nest].grain);
    grains.fold(0, greatest_common_divisor).max(1)
}

fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

struct Builder<'a> {
    multifor: &'a Multifor,
    options: &'a TreeOptions,
}

impl Builder<'_> {
    /// The node for some bodies of a level.
    fn level(&self, level: &Level, bodies: &BTreeSet<usize>) -> Result<Node> {
        let nests = self.nests(bodies);
        let factor = compression(level, &nests);
        let residue = |body: usize| level.loops[self.multifor.bodies[body].nest].offset % factor;
        let member = bodies.iter().map(|number| {
            let body = &self.multifor.bodies[*number];
            let each = &level.loops[body.nest];
            let (offset, grain) = (Int::from(each.offset / factor), Int::from(each.grain / factor));
            let position = body.iterations[level.depth].scale(&grain).add_constant(&offset);
            position.intersect_domain(&body.domain)
        });
        let member = UnionPwAff::from_parts(member.collect::<Result<Vec<_>>>()?);
        let is_parallel =
            |nest: &usize| self.options.parallel.get(*nest).copied().flatten() == Some(level.depth);
        let is_coincident = nests.iter().all(is_parallel);
        let band = Band::from_member(member)
            .with_coincident(&[is_coincident])
            .with_loop_types(&[self.options.loop_type]);
        let residues: BTreeSet<i64> = bodies.iter().map(|body| residue(*body)).collect();
        let mut parts = Vec::new();
        for each in residues {
            let own = bodies.iter().copied().filter(|body| residue(*body) == each).collect();
            parts.push((self.filter(&own), self.point(level, &own)?));
        }
        let inside = sequence(parts);
        let copies = self.copies(level, &nests, factor);
        if copies == 1 {
            return Ok(Node::band(band, inside));
        }
        let (blocks, points) = band.tile(&[copies.into()], TileLoops::Scaled)?;
        let points = points.with_loop_types(&[AstLoopType::Unroll]);
        Ok(Node::band(blocks, Node::band(points, inside)))
    }

    /// By what the loop over a level is unrolled.
    fn copies(&self, level: &Level, nests: &BTreeSet<usize>, factor: i64) -> i64 {
        let is_innermost = level.phases.iter().all(|phase| matches!(phase, Phase::Bodies(_)));
        if !self.options.steady || !is_innermost {
            return 1;
        }
        let grains = nests.iter().map(|nest| level.loops[*nest].grain / factor);
        let multiple = grains.fold(1i64, |all, grain| {
            (all / greatest_common_divisor(all, grain)).saturating_mul(grain)
        });
        if multiple <= MOST_COPIES { multiple } else { 1 }
    }

    /// What some bodies do at a point of a level.
    fn point(&self, level: &Level, bodies: &BTreeSet<usize>) -> Result<Node> {
        match self.options.order {
            Order::LockStep(n_levels) if n_levels == level.depth + 1 => {
                self.by_nest(bodies, |own| self.phases(level, own))
            }
            _ => self.phases(level, bodies),
        }
    }

    /// The bodies nest by nest, each nest as a part that a thread of its own may execute.
    fn by_nest(
        &self,
        bodies: &BTreeSet<usize>,
        node: impl Fn(&BTreeSet<usize>) -> Result<Node>,
    ) -> Result<Node> {
        let mut parts = Vec::new();
        for nest in self.nests(bodies) {
            let is_own = |body: &usize| self.multifor.bodies[*body].nest == nest;
            let own = bodies.iter().copied().filter(is_own).collect();
            parts.push((self.filter(&own), Node::mark(SECTION, node(&own)?)));
        }
        Ok(Node::mark(SECTIONS, sequence(parts)))
    }

    /// The phases of a level, one after the other.
    fn phases(&self, level: &Level, bodies: &BTreeSet<usize>) -> Result<Node> {
        let mut parts = Vec::new();
        for phase in &level.phases {
            match phase {
                Phase::Bodies(own) => {
                    let own = own.iter().filter(|body| bodies.contains(body));
                    parts.extend(own.map(|body| (self.filter(&[*body].into()), self.leaf(level))));
                }
                Phase::Inner(inner) => {
                    let own: BTreeSet<usize> =
                        inner.bodies().into_iter().filter(|body| bodies.contains(body)).collect();
                    if !own.is_empty() {
                        parts.push((self.filter(&own), self.level(inner, &own)?));
                    }
                }
            }
        }
        Ok(sequence(parts))
    }

    /// A body; where threads go through the levels around together, one of them executes it.
    fn leaf(&self, level: &Level) -> Node {
        match self.options.order {
            Order::LockStep(n_levels) if level.depth + 1 < n_levels => {
                Node::mark(SECTIONS, Node::mark(SECTION, Node::Leaf))
            }
            _ => Node::Leaf,
        }
    }

    fn nests(&self, bodies: &BTreeSet<usize>) -> BTreeSet<usize> {
        bodies.iter().map(|body| self.multifor.bodies[*body].nest).collect()
    }

    /// All instances of some bodies.
    fn filter(&self, bodies: &BTreeSet<usize>) -> UnionSet {
        let universes = bodies.iter().map(|body| {
            let space = self.multifor.bodies[*body].domain.space();
            loopwright_presburger::Set::universe(space.clone())
        });
        UnionSet::from_sets(&Space::params(&self.multifor.parameters), universes)
    }
}

/// Parts one after the other; a single one is itself.
fn sequence(mut parts: Vec<(UnionSet, Node)>) -> Node {
    match parts.len() {
        0 => Node::Leaf,
        1 => parts.remove(0).1,
        _ => Node::sequence(parts),
    }
}
