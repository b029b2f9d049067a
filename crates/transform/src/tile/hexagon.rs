//! Hexagonal tiling along time and one dimension of the data, with rectangular tiles along the others.
//!
//! As in split tiling ([`crate::tile::trapezoid`]) blocks shrink and gaps grow in bands of `S` steps, but
//! each block of a band stands on a gap of the band before, and both are one tile. A gap begins `G` wide and
//! would be `B = G + (u - l) S` wide after `S` steps; this is the width of the blocks of the next band, whose
//! gaps are `G` wide again, so blocks and gaps repeat after `P = B + G` positions. Blocks of band `b + 1` lie
//! where the gaps of band `b` end, `B + l S` further than those of band `b`: with `Y = X - b (B + l S)` and
//! the step `s` of the band, block `p` has `P p + u s <= Y < P p + B + l s`, and gap `p` what follows, up to
//! block `p + 1`.
//!
//! Hexagon `p` of row `b` is gap `p` of band `b` and block `p` of band `b + 1`. With
//! `p = floor((Y - u s) / P)` and `q = floor((Y - B - l s) / P)`, an instance is in gap `p` if `q = p`, and
//! in block `p` if `q = p - 1`, so its row is `b + q - p`. What a gap needs is in blocks of its band, which
//! belong to the row before, in itself and further before, if the gap beside it is not reached; what a block
//! needs is in the gap below it and in rows before: both if `G >= 0`, so if `B >= (u - l) S`, the smallest
//! legal size. Rows run one after the other, all tiles of one at the same time, and their number, about two
//! in `2 S` steps, does not depend on the size of the data.
//!
//! The other members of a permutable band do not decrease along dependences, so tiles of them may run one
//! after the other in each hexagon: hybrid tiling.
//!
//! *Source.* The shape is that of Grosser, Cohen, Holewinski, Sadayappan, Verdoolaege, "Hybrid
//! hexagonal/classical tiling for GPUs", CGO 2014; the derivation from slopes is ours.
use crate::tile::cone::{Axis, Cone};
use crate::tile::slanted::{TimeBands, TooNarrow, loops, parallel_loop, wide_enough};
use loopwright_presburger::{AffineValues, Int, Result, UnionPwAff, UnionSet};
use loopwright_schedule::{Band, Node};

/// The loops over hexagons along the first axis of the cone, with a leaf wherever there are the points of a
/// half of a tile.
///
/// `sizes` are those by member of the band: values of the time member in a hexagon (half of them, rounded up,
/// in a half), its greatest width along the axis, sizes of rectangular tiles along others.
///
/// ```
/// use loopwright_presburger::{Budget, MultiUnionPwAff, UnionMap, UnionSet};
/// use loopwright_schedule::{Band, Reaching, ScheduleTree};
/// use loopwright_transform::tile::{cone::cone, hexagon::hexagons};
/// let members = "[{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]";
/// let band = Band::new(MultiUnionPwAff::parse(members)?).with_permutable(true);
/// let tree = ScheduleTree::from_domain(UnionSet::parse("{ S[t, i] }")?);
/// let jacobi = UnionMap::parse("{ S[t, i] -> S[t + 1, x] : i - 1 <= x <= i + 1 }")?;
/// let cone = cone(&band, 1, &Reaching::root(&tree), &jacobi, &Budget::unlimited())?.unwrap();
/// assert_eq!(hexagons(&band, &cone, &[4, 3])?.unwrap_err().least, 4, "two steps of a half, one point to each side");
/// assert!(hexagons(&band, &cone, &[4, 4])?.is_ok());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// For malformed bands.
pub fn hexagons(
    band: &Band,
    cone: &Cone,
    sizes: &[i64],
) -> Result<std::result::Result<Node, TooNarrow>> {
    let size = |member: usize| sizes.get(member).copied().unwrap_or(1).max(1);
    let Some(axis) = cone.axes.first() else { return Ok(Ok(Node::Leaf)) };
    let steps = size(cone.face).saturating_mul(cone.steps);
    let steps = steps.div_euclid(2) + steps.rem_euclid(2);
    let grown = axis.spread().saturating_mul(steps);
    if let Err(narrow) = wide_enough(axis, size(axis.member), grown) {
        return Ok(Err(narrow));
    }
    let width = size(axis.member).saturating_mul(axis.scale);
    let tiles = Hexagons::new(cone, axis, steps, width)?;
    let others = (0..band.n_members()).filter(|&m| m != cone.face && m != axis.member);
    let tile = |member: usize| {
        band.schedule.members()[member].scale_down(&Int::from(size(member))).floor()
    };
    // The band of time is known in a half: its loop has one iteration, and the bounds of points are simple in
    // terms of it.
    let half = || loops(vec![tiles.band.clone()], false, Node::Leaf);
    let halves = Node::sequence(vec![(tiles.gaps, half()), (tiles.blocks, half())]);
    let in_hexagon = loops(others.map(tile).collect(), false, halves);
    Ok(Ok(loops(vec![tiles.row], false, parallel_loop(tiles.column, in_hexagon))))
}

/// Where instances are in hexagons.
struct Hexagons {
    row: UnionPwAff,
    /// The number of the hexagon in its row.
    column: UnionPwAff,
    /// The band of time.
    band: UnionPwAff,
    gaps: UnionSet,
    blocks: UnionSet,
}

impl Hexagons {
    /// Hexagons with so many steps in a half and positions where they are widest.
    fn new(cone: &Cone, axis: &Axis, steps: i64, width: i64) -> Result<Hexagons> {
        let period = Int::from(2 * width - axis.spread() * steps);
        let bands = TimeBands::new(cone, steps)?;
        let drift = Int::from(width + axis.least * steps);
        let position = axis.position.sub(&bands.number.scale(&drift))?;
        let column =
            bands.distance_from_line(&position, axis.greatest)?.scale_down(&period).floor();
        let from_gap = plus(&bands.distance_from_line(&position, axis.least)?, -width);
        // The rows that instances are back from that of their band: 0 in gaps, -1 in blocks.
        let back = from_gap.scale_down(&period).floor().sub(&column)?;
        let (gaps, blocks) = (back.zero_set(), plus(&back, 1).zero_set());
        Ok(Hexagons { row: bands.number.add(&back)?, column, band: bands.number, gaps, blocks })
    }
}

fn plus(function: &UnionPwAff, constant: i64) -> UnionPwAff {
    function.map_affs(&|aff| aff.add_constant(&Int::from(constant)))
}
