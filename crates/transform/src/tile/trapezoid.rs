//! Split tiling: trapezoids that shrink with time, then those that grow in the gaps between them.
//!
//! Time runs in bands of `S` steps. Let `l <= 0 <= u` be the slopes of the dependences along a position `X`
//! ([`crate::tile::cone`]) and `s` the step in the band. Along each dimension of the data, *block* `p` of
//! width `W` has `W p + u s <= X < W (p + 1) + l s`: it shrinks on both sides as fast as dependences move, so
//! it needs nothing but itself and the band before. *Gap* `p`, `W p + l s <= X < W p + u s`, grows on the
//! line between two blocks, and needs those and itself. They are all if blocks are left at the last step and
//! gaps do not meet: `W >= (u - l) (S - 1)`, the smallest legal size.
//!
//! With `p = floor((X - l s) / W)` an instance is in block `p` if `X - u s >= W p`, and in gap `p` otherwise.
//! In `d` dimensions it is in a block or gap along each. A dependence goes from blocks to the same block or
//! into gaps, from a gap to the same gap, so tiles with `m` gaps need those with fewer: a band has `d + 1`
//! phases, tiles of a phase may all run at the same time, and no instance runs twice. The number of phases,
//! `(d + 1) T / S`, does not depend on the size of the data.
//!
//! *Source.* Wonnacott and Strout, "On the scalability of loop tiling techniques", IMPACT 2013, section 4.2
//! (trapezoids, labels 1 to 4 of the figure), for stencils; here for all bands with a cone.
use crate::tile::cone::{Axis, Cone};
use crate::tile::phases::{Side, phases};
use crate::tile::slanted::{TimeBands, TooNarrow, loops, split_by_sign, wide_enough};
use loopwright_presburger::{Int, Result};
use loopwright_schedule::Node;

/// The loops over trapezoids, with a leaf wherever there are the points of a tile: one after the other the
/// bands of time, in each of them the phases, in these a parallel loop.
///
/// `sizes` are those by member of the band: values of the time member in a band, widths of blocks along
/// others.
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
        sides.push(side(axis, &bands, own.saturating_mul(axis.scale))?);
    }
    let phases = phases(&sides, &Node::Leaf)?;
    Ok(Ok(loops(vec![bands.number], false, Node::sequence(phases))))
}

/// The blocks and gaps along one dimension of the data.
fn side(axis: &Axis, bands: &TimeBands, width: i64) -> Result<Side> {
    let width = Int::from(width);
    let from_least = bands.distance_from_line(&axis.position, axis.least)?;
    let tile = from_least.scale_down(&width).floor();
    let start = tile.scale(&width);
    let into_block = bands.distance_from_line(&axis.position, axis.greatest)?.sub(&start)?;
    let (in_block, in_gap) = split_by_sign(&into_block)?;
    Ok(Side { tile, start, first: in_block, second: in_gap })
}
