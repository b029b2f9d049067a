//! Multifor statements as schedule trees (section 3.1 of the paper).
//!
//! A body is executed at `offset + n * grain` in each dimension: that is a schedule. At a level where the
//! greatest common divisor `c` of the grains is more than 1, points are compressed: `c` of them are one
//! iteration, in which the residues of the offsets come one after the other. So the order stays
//! lexicographic. Where only some nests are active, their own divisor counts ([`pieces`](crate::pieces)).
use crate::multifor::{Level, Multifor, Phase};
use crate::pieces::{Grain, Piece, pieces};
use loopwright_presburger::{Budget, Int, PwAff, Result, Set, Space, UnionPwAff, UnionSet};
use loopwright_schedule::{AstLoopType, Band, Node, ScheduleTree, TileLoops};
use std::collections::{BTreeMap, BTreeSet};

/// The mark above parts that different threads may execute, each as a whole.
pub(crate) const SECTIONS: &str = "multifor sections";
/// The mark above one of these parts.
pub(crate) const SECTION: &str = "multifor section";

/// The order of the bodies of different loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All loops of a level advance point by point.
    Interleaved,
    /// So do those of this many outer levels; at a point of the last one, the loops go through the levels
    /// inside each by itself. With 0 this is at no level: one nest after the other.
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
    /// Whether innermost loops are unrolled by the least common multiple of their grains, so that their
    /// bodies need no conditions on remainders.
    pub steady: bool,
}

/// Steps for the pieces of a level; where they do not suffice the level is compressed as a whole.
const STEPS_OF_PIECES: u64 = 300_000;

/// The greatest number of copies of innermost bodies.
const MOST_COPIES: i64 = 16;

/// The schedule tree of a statement.
///
/// # Errors
/// Those of operations on sets.
pub fn schedule_tree(multifor: &Multifor, options: &TreeOptions) -> Result<ScheduleTree> {
    let builder = Builder { multifor, options };
    let all: Parts =
        multifor.root.bodies().into_iter().map(|body| (body, Part::default())).collect();
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

pub(crate) fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Instances of a body.
#[derive(Clone, Debug, Default)]
struct Part {
    /// The instances, if it is not all of them.
    some: Option<Set>,
    /// Their values in the loops around.
    around: Vec<PwAff>,
}

/// Instances of bodies, by their numbers.
type Parts = BTreeMap<usize, Part>;

struct Builder<'a> {
    multifor: &'a Multifor,
    options: &'a TreeOptions,
}

impl Builder<'_> {
    /// The node for some bodies of a level.
    fn level(&self, level: &Level, parts: &Parts) -> Result<Node> {
        let nests = self.nests(parts);
        let factor = compression(level, &nests);
        let copies = self.copies(level, &nests, factor);
        let mut points = BTreeMap::new();
        for (body, part) in parts {
            points.insert(*body, self.point_of(level, *body, part, factor)?);
        }
        let pieces = match copies {
            1 => self.pieces(level, parts, &points, factor),
            _ => Vec::new(),
        };
        let mut inside = Vec::new();
        let mut values: BTreeMap<usize, PwAff> = BTreeMap::new();
        let divided =
            divided(parts, &points, pieces).or_else(|_| divided(parts, &points, Vec::new()))?;
        for Division { parts, factor: own_factor, values: own } in divided {
            for (body, value) in &own {
                let value = match values.get(body) {
                    Some(other) => other.union_disjoint(value)?,
                    None => value.clone(),
                };
                values.insert(*body, value);
            }
            inside.extend(self.residues(level, &parts, &own, own_factor * factor)?);
        }
        let is_parallel =
            |nest: &usize| self.options.parallel.get(*nest).copied().flatten() == Some(level.depth);
        let is_coincident = nests.iter().all(is_parallel);
        let band = Band::from_member(UnionPwAff::from_parts(values.into_values().collect()))
            .with_coincident(&[is_coincident])
            .with_loop_types(&[self.options.loop_type]);
        let inside = sequence(inside);
        if copies == 1 {
            return Ok(Node::band(band, inside));
        }
        let (blocks, points) = band.tile(&[copies.into()], TileLoops::Scaled)?;
        let points = points.with_loop_types(&[AstLoopType::Unroll]);
        Ok(Node::band(blocks, Node::band(points, inside)))
    }

    /// The points of a body's instances in a level, compressed by a factor.
    fn point_of(&self, level: &Level, body: usize, part: &Part, factor: i64) -> Result<PwAff> {
        let body = &self.multifor.bodies[body];
        let each = &level.loops[body.nest];
        let (offset, grain) = (Int::from(each.offset / factor), Int::from(each.grain / factor));
        let point = body.iterations[level.depth].scale(&grain).add_constant(&offset);
        point.intersect_domain(part.some.as_ref().unwrap_or(&body.domain))
    }

    /// What happens in an iteration of a level in which the residues of `factor` points come one after the
    /// other.
    fn residues(
        &self,
        level: &Level,
        parts: &Parts,
        values: &BTreeMap<usize, PwAff>,
        factor: i64,
    ) -> Result<Vec<(UnionSet, Node)>> {
        let residue = |body: &usize| level.loops[self.multifor.bodies[*body].nest].offset % factor;
        let residues: BTreeSet<i64> = parts.keys().map(residue).collect();
        let mut found = Vec::new();
        for each in residues {
            let mut own: Parts = parts.clone();
            own.retain(|body, _| residue(body) == each);
            own.iter_mut().for_each(|(body, part)| part.around.push(values[body].clone()));
            found.push((self.filter(&own), self.point(level, &own)?));
        }
        Ok(found)
    }

    /// The pieces of a level where loops are separated; none where a limit is reached.
    fn pieces(
        &self,
        level: &Level,
        parts: &Parts,
        points: &BTreeMap<usize, PwAff>,
        factor: i64,
    ) -> Vec<Piece> {
        let TreeOptions { order, loop_type, .. } = self.options;
        if *order != Order::Interleaved || *loop_type != AstLoopType::Default {
            return Vec::new();
        }
        let grain = |nest: usize| {
            let each = &level.loops[nest];
            (nest, Grain { grain: each.grain / factor, offset: each.offset / factor })
        };
        let grains = self.nests(parts).into_iter().map(grain).collect();
        let budget = Budget::steps(STEPS_OF_PIECES);
        let places = || -> Result<Vec<Piece>> {
            let mut places = BTreeMap::new();
            for (body, part) in parts {
                let mut all = part.around.iter().chain([&points[body]]).map(PwAff::to_map);
                let Some(first) = all.next() else { continue };
                let map =
                    all.try_fold(first, |map, next| map.flat_range_product_within(&next, &budget))?;
                places.insert(*body, (self.multifor.bodies[*body].nest, map));
            }
            pieces(&grains, &places, &budget)
        };
        places().unwrap_or_default()
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
    fn point(&self, level: &Level, bodies: &Parts) -> Result<Node> {
        match self.options.order {
            Order::LockStep(n_levels) if n_levels == level.depth + 1 => {
                self.by_nest(bodies, |own| self.phases(level, own))
            }
            _ => self.phases(level, bodies),
        }
    }

    /// The bodies nest by nest, each nest as a part that a thread of its own may execute.
    fn by_nest(&self, bodies: &Parts, node: impl Fn(&Parts) -> Result<Node>) -> Result<Node> {
        let mut parts = Vec::new();
        for nest in self.nests(bodies) {
            let mut own = bodies.clone();
            own.retain(|body, _| self.multifor.bodies[*body].nest == nest);
            parts.push((self.filter(&own), Node::mark(SECTION, node(&own)?)));
        }
        Ok(Node::mark(SECTIONS, sequence(parts)))
    }

    /// The phases of a level, one after the other.
    fn phases(&self, level: &Level, bodies: &Parts) -> Result<Node> {
        let mut parts = Vec::new();
        for phase in &level.phases {
            match phase {
                Phase::Bodies(own) => {
                    let own = own.iter().map(|body| taken(bodies, &[*body]));
                    let own = own.filter(|own| !own.is_empty());
                    parts.extend(own.map(|own| (self.filter(&own), self.leaf(level))));
                }
                Phase::Inner(inner) => {
                    let own = taken(bodies, &inner.bodies());
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

    fn nests(&self, bodies: &Parts) -> BTreeSet<usize> {
        bodies.keys().map(|body| self.multifor.bodies[*body].nest).collect()
    }

    /// The instances; of bodies that are there as a whole, all.
    fn filter(&self, bodies: &Parts) -> UnionSet {
        let instances = bodies.iter().map(|(body, part)| {
            let space = self.multifor.bodies[*body].domain.space();
            part.some.clone().unwrap_or_else(|| Set::universe(space.clone()))
        });
        UnionSet::from_sets(&Space::params(&self.multifor.parameters), instances)
    }
}

/// Those of some bodies.
fn taken(parts: &Parts, bodies: &[usize]) -> Parts {
    bodies.iter().filter_map(|body| Some((*body, parts.get(body)?.clone()))).collect()
}

/// Instances that are compressed by the same factor, with their values in the loop: points, or the first
/// points of blocks.
struct Division {
    parts: Parts,
    factor: i64,
    values: BTreeMap<usize, PwAff>,
}

/// The instances in no piece, and those in each piece.
fn divided(
    parts: &Parts,
    points: &BTreeMap<usize, PwAff>,
    pieces: Vec<Piece>,
) -> Result<Vec<Division>> {
    let budget = Budget::steps(STEPS_OF_PIECES);
    let (mut rest, mut rest_points) = (parts.clone(), points.clone());
    let mut found = Vec::new();
    for Piece { factor, instances } in pieces {
        let (mut own, mut own_points) = (Parts::new(), BTreeMap::new());
        for (body, inside) in instances {
            let around = parts[&body].around.clone();
            let blocks = points[&body].scale_down(&factor.into()).floor().scale(&factor.into());
            own_points.insert(body, blocks.intersect_domain(&inside)?);
            let Some(known) = rest_points.get(&body) else { continue };
            let outside = known.domain().subtract(&inside, &budget)?;
            match outside.is_empty(&budget)? {
                true => {
                    rest.remove(&body);
                    rest_points.remove(&body);
                }
                false => {
                    let point = points[&body].intersect_domain(&outside)?;
                    rest_points.insert(body, point);
                    rest.insert(body, Part { some: Some(outside), around: around.clone() });
                }
            }
            own.insert(body, Part { some: Some(inside), around });
        }
        found.push(Division { parts: own, factor, values: own_points });
    }
    found.insert(0, Division { parts: rest, factor: 1, values: rest_points });
    Ok(found)
}

/// Parts one after the other; a single one is itself.
fn sequence(mut parts: Vec<(UnionSet, Node)>) -> Node {
    match parts.len() {
        0 => Node::Leaf,
        1 => parts.remove(0).1,
        _ => Node::sequence(parts),
    }
}
