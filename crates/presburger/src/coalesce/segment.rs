//! Pairs of pieces between which there is a gap.
//!
//! Everything that contains two pieces contains the segment from a point `p` of one to a point `q`
//! of the other. On it, a side `t >= 0` of the first piece that `q` violates is below -1 from some
//! point on, and a side `s >= 0` of the second piece that `p` violates is below -1 up to some
//! point. If both are so at the same point, that point is in neither piece. It need not be an
//! integer point, but it hardly ever stands alone, so such a pair is not looked at any further.
//!
//! Where congruences leave only every `m`-th value, `-m` takes the place of -1; and a side with a
//! coefficient `c`, as in the bounds of a quotient, may be violated by `c` between points that are neighbours.
use super::piece::Piece;
use crate::basic_map::BasicData;
use crate::*;

/// Points of each piece that are tried.
const POINTS: usize = 3;

/// A fraction with a positive denominator.
struct Fraction {
    numerator: Int,
    denominator: Int,
}

impl Fraction {
    fn is_at_most(&self, other: &Fraction) -> bool {
        &self.numerator * &other.denominator <= &other.numerator * &self.denominator
    }
}

/// Whether some segment between known points leaves both pieces.
pub(super) fn has_gap(a: &Piece, b: &Piece) -> bool {
    let (of_a, of_b) = (a.search.points(), b.search.points());
    if of_a.is_empty() || of_b.is_empty() {
        return false;
    }
    let step = common_step(a, b);
    let mut ends = of_b.iter().take(POINTS);
    ends.any(|q| of_a.iter().take(POINTS).any(|p| leaves_both(a, p, b, q, &step)))
}

/// The same for the point of the second piece that was found last.
pub(super) fn has_gap_to_last(a: &Piece, b: &Piece) -> bool {
    let Some(q) = b.search.points().last() else { return false };
    let step = common_step(a, b);
    a.search.points().iter().take(POINTS).any(|p| leaves_both(a, p, b, q, &step))
}

/// A bound on the distance of the values that forms take on the lattice of both pieces.
fn common_step(a: &Piece, b: &Piece) -> Int {
    std::cmp::min(a.step(), b.step()).clone()
}

/// The same for one piece: the product of the moduli of its congruences.
pub(super) fn step(data: &BasicData) -> Int {
    let first = data.offset(DimKind::Local);
    let modulus = |row: &Row| match row.last_nonzero(first..row.len()) {
        Some(local) => row.get(local).abs(),
        None if row.last_unit(1..row.len()).is_some() => Int::ONE,
        None => row.iter().skip(1).map(|value| value.abs()).max().unwrap_or(Int::ONE),
    };
    data.equalities.iter().map(modulus).fold(Int::ONE, |product, modulus| product * modulus)
}

/// Whether the segment from `p` in `a` to `q` in `b` has a point that violates both pieces by a step.
///
/// At `p + x (q - p)` with `0 <= x <= 1`, the first piece is left for good from the least `x` on at
/// which a side is a step below zero, and the second one is entered after the greatest such `x`.
fn leaves_both(a: &Piece, p: &Row, b: &Piece, q: &Row, step: &Int) -> bool {
    let Some(left) = first_exit(a, p, q, step) else { return false };
    let Some(back) = first_exit(b, q, p, step) else { return false };
    // Seen from `q`, the way back is `1 - x`.
    let entered =
        Fraction { numerator: &back.denominator - &back.numerator, denominator: back.denominator };
    left.is_at_most(&entered)
}

/// The least `x` such that a side of the piece is a step below zero at `from + x (to - from)`; none if `to` is
/// nearer to the piece.
fn first_exit(piece: &Piece, from: &Row, to: &Row, step: &Int) -> Option<Fraction> {
    let mut first: Option<Fraction> = None;
    for side in &piece.sides {
        let end = side.row.dot(to);
        if !end.is_negative() {
            continue;
        }
        let start = side.row.dot(from);
        let step = step * &side.stride;
        let exit = Fraction { denominator: &start - end, numerator: start + step };
        if exit.numerator > exit.denominator {
            continue;
        }
        if first.as_ref().is_none_or(|known| exit.is_at_most(known)) {
            first = Some(exit);
        }
    }
    first
}
