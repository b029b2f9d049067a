//! Molecular tiling: parallelograms that all start at one time, and exchange values while they run.
//!
//! Time runs in bands of `S` steps. Let `l <= 0 <= u` be the slopes of the dependences along a position `X`
//! ([`crate::tile::cone`]), `w = u - l` and `s` the step in the band. Along each dimension of the data, tile
//! `p` of width `W` has `W p <= Y < W (p + 1)` with `Y = X - l s`: dependences lead to larger `Y`, by `w` per
//! step at most, so of the band a tile needs itself and the one before. With `y = Y - W p` it has three *slices*:
//!
//! * *receive*, `y < w s`: what needs, directly or not, an instance of the tile before;
//! * *send*, `y >= W - w (S - 1 - s)`: what an instance of the tile behind needs;
//! * *compute*, all others.
//!
//! These are the slices of the iteration space of a tile: transitive closures of the cone, of which each step
//! is `[0, w]` wide, from and to the tiles beside it. An instance of the send slice needs no other slice:
//! what it needs of its tile is `w` less per step at most, so in the send slice, and it is not in the receive
//! slice as long as `w s <= W - w (S - 1 - s)`. This is the smallest legal size, `W >= w (S - 1)`. The
//! compute slice needs itself and the send slice of its tile, and the receive slice all of its tile and the
//! send slice of the tile before. So a tile runs send, compute, receive, and what it receives was sent before
//! any tile computes.
//!
//! Compute and receive are the second part of a tile of [`crate::tile::phases`], send is the first. In `d`
//! dimensions values are sent in `d` stages, one for each number of dimensions along which they are received
//! before: a band has `d` exchanges, whatever the size of the data, and no instance runs twice. Trapezoids
//! have the same lines, and run the compute slice with the send slice instead.
//!
//! *Source.* Wonnacott and Strout, "On the scalability of loop tiling techniques", IMPACT 2013, section 4.5
//! (send, compute and receive slices of a parallelogram), for stencils of one dimension; here for all bands
//! with a cone.
use crate::tile::cone::{Axis, Cone};
use crate::tile::phases::{Side, phases};
use crate::tile::slanted::{TimeBands, TooNarrow, loops, split_by_sign, wide_enough};
use loopwright_presburger::{AffineValues, Int, Result, UnionSet};
use loopwright_schedule::Node;

/// The loops over the slices of molecular tiles, with a leaf wherever there are the points of a slice: one
/// after the other the bands of time, in each of them the stages, in these a parallel loop over tiles.
/// Compute and receive slices are one leaf; with one dimension of the data they may be `apart`, one after the
/// other.
///
/// `sizes` are those by member of the band: values of the time member in a band, widths of tiles along
/// others.
///
/// ```
/// use loopwright_presburger::{Budget, MultiUnionPwAff, UnionMap, UnionSet};
/// use loopwright_schedule::{Band, Reaching, ScheduleTree};
/// use loopwright_transform::tile::{cone::cone, molecular::molecular};
/// let members = "[{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]";
/// let band = Band::new(MultiUnionPwAff::parse(members)?).with_permutable(true);
/// let tree = ScheduleTree::from_domain(UnionSet::parse("{ S[t, i] }")?);
/// let jacobi = UnionMap::parse("{ S[t, i] -> S[t + 1, x] : i - 1 <= x <= i + 1 }")?;
/// let cone = cone(&band, 1, &Reaching::root(&tree), &jacobi, &Budget::unlimited())?.unwrap();
/// assert_eq!(molecular(&cone, &[5, 7], true)?.unwrap_err().least, 8, "2 r (tau - 1)");
/// assert!(molecular(&cone, &[5, 8], true)?.is_ok());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// For malformed bands.
pub fn molecular(
    cone: &Cone,
    sizes: &[i64],
    apart: bool,
) -> Result<std::result::Result<Node, TooNarrow>> {
    let size = |member: usize| sizes.get(member).copied().unwrap_or(1).max(1);
    let steps = size(cone.face).saturating_mul(cone.steps);
    let bands = TimeBands::new(cone, steps)?;
    let mut slices = Vec::with_capacity(cone.axes.len());
    for axis in &cone.axes {
        let (own, sent) = (size(axis.member), axis.spread().saturating_mul(steps - 1));
        if let Err(narrow) = wide_enough(axis, own, sent) {
            return Ok(Err(narrow));
        }
        let width = own.saturating_mul(axis.scale);
        slices.push(Slices::new(axis, &bands, width, width.saturating_sub(sent))?);
    }
    let last = match &slices[..] {
        [only] if apart => Node::sequence(vec![
            (only.computed.clone(), Node::Leaf),
            (only.received.clone(), Node::Leaf),
        ]),
        _ => Node::Leaf,
    };
    let sides: Vec<Side> = slices.into_iter().map(|slices| slices.side).collect();
    Ok(Ok(loops(vec![bands.number], false, Node::sequence(phases(&sides, &last)?))))
}

/// The slices along one dimension of the data.
struct Slices {
    side: Side,
    computed: UnionSet,
    received: UnionSet,
}

impl Slices {
    /// The send slice begins so far `behind` the receive slice.
    fn new(axis: &Axis, bands: &TimeBands, width: i64, behind: i64) -> Result<Slices> {
        let width = Int::from(width);
        let from_least = bands.distance_from_line(&axis.position, axis.least)?;
        let tile = from_least.scale_down(&width).floor();
        let start = tile.scale(&width);
        let beyond_received =
            bands.distance_from_line(&axis.position, axis.greatest)?.sub(&start)?;
        let beyond_computed =
            beyond_received.map_affs(&|aff| aff.add_constant(&Int::from(-behind)));
        let (sent, others) = split_by_sign(&beyond_computed)?;
        let (beyond, received) = split_by_sign(&beyond_received)?;
        let computed = beyond.intersect(&others)?;
        let side = Side { tile, start, first: sent, second: others };
        Ok(Slices { side, computed, received })
    }
}
