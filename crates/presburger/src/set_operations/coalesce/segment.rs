//! Pairs of pieces between which there is a gap.
//!
//! Everything that contains two pieces contains the segment from a point `p` of one to a point `q`
//! of the other. On it, a side `t >= 0` of the first piece that `q` violates is below -1 from some
//! point on, and a side `s >= 0` of the second piece that `p` violates is below -1 up to some
//! point. If both are so at the same point, that point is in neither piece. It need not be an
//! integer point, but it hardly ever stands alone, so such a pair is not looked at any further.
//!
//! Where congruences leave only every `m`-th value, `-m` takes the place of -1; and a side with a coefficient
//! `c`, as in the bounds of a quotient, may be violated by `c` between points that are neighbours.
use crate::core::basic_relation::BasicRelation;
use crate::core::space::DimKind;
use crate::set_operations::coalesce::piece::{Piece, Side};
use loopwright_exact::{Int, Row};

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
    let (of_a, of_b) = (first_points(a), first_points(b));
    if of_a.is_empty() || of_b.is_empty() {
        return false;
    }
    let step = common_step(a, b);
    let depth = |side: &Side| &step * &side.stride;
    let mut from_b: Vec<Option<Vec<Violation>>> = of_a.iter().map(|_| None).collect();
    of_b.iter().any(|q| {
        let from_a = violations(a, q);
        let mut starts = of_a.iter().zip(&mut from_b);
        starts.any(|(p, from_b)| {
            let from_b = from_b.get_or_insert_with(|| violations(b, p));
            leaves_both(p, &from_a, q, from_b, &depth)
        })
    })
}

/// Whether a segment between known points has a point that violates a side of each piece by one.
/// What both pieces satisfy holds there, too, so that these constraints do not describe the union.
pub(super) fn leaves_both_by_one(a: &Piece, b: &Piece) -> bool {
    let (of_a, of_b) = (first_points(a), first_points(b));
    let from_b: Vec<Vec<Violation>> = of_a.iter().map(|p| violations(b, p)).collect();
    of_b.iter().any(|q| {
        let from_a = violations(a, q);
        let mut starts = of_a.iter().zip(&from_b);
        starts.any(|(p, from_b)| leaves_both(p, &from_a, q, from_b, &|_| Int::ONE))
    })
}

/// The same for the point of the second piece that was found last.
pub(super) fn has_gap_to_last(a: &Piece, b: &Piece) -> bool {
    let Some(q) = b.points().last() else { return false };
    let step = common_step(a, b);
    let depth = |side: &Side| &step * &side.stride;
    let from_a = violations(a, q);
    first_points(a).iter().any(|p| leaves_both(p, &from_a, q, &violations(b, p), &depth))
}

/// The points of a piece that are tried.
fn first_points(piece: &Piece) -> &[Row] {
    let points = piece.points();
    &points[..points.len().min(POINTS)]
}

/// A side that a point violates, and its value there.
struct Violation<'a> {
    side: &'a Side,
    value: Int,
}

fn violations<'a>(piece: &'a Piece, point: &Row) -> Vec<Violation<'a>> {
    let sides = piece.sides.iter().map(|side| Violation { side, value: side.row.dot(point) });
    sides.filter(|side| side.value.is_negative()).collect()
}

/// A bound on the distance of the values that forms take on the lattice of both pieces.
fn common_step(a: &Piece, b: &Piece) -> Int {
    std::cmp::min(a.step(), b.step()).clone()
}

/// The same for one piece: the product of the moduli of its congruences.
pub(super) fn step(data: &BasicRelation) -> Int {
    let first = data.offset(DimKind::Local);
    let modulus = |row: &Row| match row.last_nonzero(first..row.len()) {
        Some(local) => row.get(local).abs(),
        None if row.last_unit(1..row.len()).is_some() => Int::ONE,
        None => row.iter().skip(1).map(|value| value.abs()).max().unwrap_or(Int::ONE),
    };
    data.equalities.iter().map(modulus).fold(Int::ONE, |product, modulus| product * modulus)
}

/// Whether the segment from `p` in `a` to `q` in `b` has a point that violates a side of both pieces
/// by the depth of the side, where `q` violates `a` and `p` violates `b`.
///
/// At `p + x (q - p)` with `0 <= x <= 1`, the first piece is left for good from the least `x` on at
/// which a side is so far below zero, and the second one is entered after the greatest such `x`.
fn leaves_both(
    p: &Row,
    of_a: &[Violation<'_>],
    q: &Row,
    of_b: &[Violation<'_>],
    depth: &impl Fn(&Side) -> Int,
) -> bool {
    let Some(left) = first_exit(of_a, p, depth) else { return false };
    let Some(back) = first_exit(of_b, q, depth) else { return false };
    // Seen from `q`, the way back is `1 - x`.
    let entered =
        Fraction { numerator: &back.denominator - &back.numerator, denominator: back.denominator };
    left.is_at_most(&entered)
}

/// The least `x` such that a side of a piece is its depth below zero at `from + x (to - from)`; none
/// if `to`, which violates these sides, is nearer to the piece.
fn first_exit(
    violations: &[Violation<'_>],
    from: &Row,
    depth: impl Fn(&Side) -> Int,
) -> Option<Fraction> {
    let mut first: Option<Fraction> = None;
    for Violation { side, value: end } in violations {
        let start = side.row.dot(from);
        let exit = Fraction { denominator: &start - end, numerator: start + depth(side) };
        if exit.numerator > exit.denominator {
            continue;
        }
        if first.as_ref().is_none_or(|known| exit.is_at_most(known)) {
            first = Some(exit);
        }
    }
    first
}
