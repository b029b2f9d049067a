//! Split tiling: trapezoids that shrink with time, then those that grow in the gaps between them.
//!
//! Time runs in bands of `S` steps. Let `l <= 0 <= u` be the slopes of the dependences along a position `X` ([`crate::tile::cone`]) and `s` the step
//! in the band. Along each dimension of the data, *block* `p` of width `W` has `W p + u s <= X < W (p + 1) + l s`: it shrinks on
//! both sides as fast as dependences move, so it needs nothing but itself and the band before. *Gap* `p`, `W p + l s <= X < W p + u s`,
//! grows on the line between two blocks, and needs those and itself. They are all if blocks are left at the last step and gaps do not meet:
//! `W >= (u - l) (S - 1)`, the smallest legal size.
//!
//! With `p = floor((X - l s) / W)` an instance is in block `p` if `X - u s >= W p`, and in gap `p` otherwise. In `d` dimensions it is
//! in a block or gap along each. A dependence goes from blocks to the same block or into gaps, from a gap to the same gap,
//! so tiles with `m` gaps need those with fewer: a band has `d + 1` phases, tiles of a phase may all run
//! at the same time, and no instance runs twice. The number of phases, `(d + 1) T / S`, does not depend on the size of the data.
//!
//! *Source.* Wonnacott and Strout, "On the scalability of loop tiling techniques", IMPACT 2013, section 4.2 (trapezoids, labels 1 to 4 of the
//! figure), for stencils; here for all bands with a cone.
use crate::tile::cone::{Axis, Cone};
use crate::tile::slanted::{
    TimeBands, TooNarrow, loops, parallel_loop, split_by_sign, wide_enough,
};
use loopwright_presburger::{Int, Result, UnionPwAff, UnionSet};
use loopwright_schedule::Node;

/// The number of dimensions of the data at most: 16 kinds of tiles.
pub const MOST_DIMENSIONS: usize = 4;

/// The loops over trapezoids, with a leaf wherever there are the points of a tile: one after the other the bands of time, in each of them the
/// phases, in these a parallel loop.
///
/// `sizes` are those by member of the band: values of the time member in a band, widths of blocks along others.
///
/// ```
/// use loopwright_presburger::{Budget, MultiUnionPwAff, UnionMap, UnionSet};
/// use loopwright_schedule::{Band, Reaching, ScheduleTree};
/// use loopwright_transform::tile::{cone::cone, trapezoid::trapezoids};
/// let members = "[{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]";
/// let band = Band::new(MultiUnionPwAff::parse(members)?).with_permutable(true);
/// let tree = ScheduleTree::from_domain(UnionSet::parse("{ S[t, i] }")?);
/// let jacobi = UnionMap::parse("{ S[t, i] -> S[t + 1, x] : i - 1 <= x <= i + 1 }")?;
/// let cone = cone(&band, 1, &Reaching::root(&tree), &jacobi, &Budget::unlimited())?.unwrap();
/// assert_eq!(trapezoids(&cone, &[4, 5])?.unwrap_err().least, 6, "2 r (tau - 1)");
/// assert!(trapezoids(&cone, &[4, 6])?.is_ok());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// For malformed bands.
pub fn trapezoids(cone: &Cone, sizes: &[i64]) -> Result<std::result::Result<Node, TooNarrow>> {
    let size = |member: usize| sizes.get(member).copied().unwrap_or(1).max(1);
    let steps = size(cone.face).saturating_mul(cone.steps);
    let bands = TimeBands::new(cone, steps)?;
    let mut sides = Vec::with_capacity(cone.axes.len());
    for axis in &cone.axes {
        let own = size(axis.member);
        if let Err(narrow) = wide_enough(axis, own, axis.spread().saturating_mul(steps - 1)) {
            return Ok(Err(narrow));
        }
        sides.push(Side::new(axis, &bands, own.saturating_mul(axis.scale))?);
    }
    let phases = (0..=sides.len()).map(|n_gaps| phase(&sides, n_gaps));
    let phases = phases.collect::<Result<Vec<_>>>()?;
    Ok(Ok(loops(vec![bands.number], false, Node::sequence(phases))))
}

/// The tiles along one dimension of the data.
struct Side {
    /// The number of the block or gap.
    tile: UnionPwAff,
    /// The position at which it begins: loops over these have steps, by which is known how much there is to do.
    start: UnionPwAff,
    in_block: UnionSet,
    in_gap: UnionSet,
}

impl Side {
    fn new(axis: &Axis, bands: &TimeBands, width: i64) -> Result<Side> {
        let width = Int::from(width);
        let from_least = bands.distance_from_line(&axis.position, axis.least)?;
        let tile = from_least.scale_down(&width).floor();
        let start = tile.scale(&width);
        let into_block = bands.distance_from_line(&axis.position, axis.greatest)?.sub(&start)?;
        let (in_block, in_gap) = split_by_sign(&into_block)?;
        Ok(Side { tile, start, in_block, in_gap })
    }
}

/// The tiles with so many gaps: their instances, and a parallel loop over them.
fn phase(sides: &[Side], n_gaps: usize) -> Result<(UnionSet, Node)> {
    let kinds = kinds(sides.len(), n_gaps);
    let mut parts = Vec::with_capacity(kinds.len());
    for kind in &kinds {
        parts.push((instances(sides, kind)?, inner_loops(sides)));
    }
    let mut all = UnionSet::empty();
    for (part, _) in &parts {
        all = all.union(part)?;
    }
    let inside = match parts.len() {
        1 => inner_loops(sides),
        _ => Node::sequence(parts),
    };
    Ok((all, parallel_loop(sides[0].start.clone(), inside)))
}

/// The loops along the dimensions after the first.
fn inner_loops(sides: &[Side]) -> Node {
    loops(sides[1..].iter().map(|side| side.tile.clone()).collect(), true, Node::Leaf)
}

/// Which of `n` dimensions are gaps, in all ways with so many.
fn kinds(n: usize, n_gaps: usize) -> Vec<Vec<bool>> {
    let n = n.min(MOST_DIMENSIONS);
    let kind = |bits: usize| (0..n).map(|k| bits >> k & 1 == 1).collect::<Vec<bool>>();
    let all = (0..1usize << n).map(kind);
    all.filter(|kind| kind.iter().filter(|is_gap| **is_gap).count() == n_gaps).collect()
}

/// The instances of the tiles of a kind.
fn instances(sides: &[Side], kind: &[bool]) -> Result<UnionSet> {
    let mut all: Option<UnionSet> = None;
    for (side, is_gap) in sides.iter().zip(kind) {
        let own = if *is_gap { &side.in_gap } else { &side.in_block };
        all = Some(match all {
            Some(all) => all.intersect(own)?,
            None => own.clone(),
        });
    }
    Ok(all.unwrap_or_else(UnionSet::empty))
}
