//! Where an access moves in the long run.
//!
//! A stencil that keeps two planes accesses `a[t % 2][i][j]`: along `t` the first subscript takes two values
//! in turn. The exact subscript is no affine function of the iterators, and each of the references comes back
//! to an element only two steps later. But what matters for caches is that all steps touch the same planes,
//! and that what one step writes is what the next one reads. So the floors of a subscript count as fractions
//! here: `t - 2 * floor(t / 2)` moves nowhere, and so does every subscript that takes a few values in turn.
use crate::cost::subscripts::{defines, subscript};
use loopwright_exact::Row;
use loopwright_presburger::{BasicMap, DimKind, Int, Local, Map};
use std::ops::Range;

/// The linear parts of the subscripts of an access relation over the instance's coordinates, with zeros for
/// subscripts that take a few values in turn; none if some subscript is neither affine nor such.
///
/// *Exactness.* For estimates: elements that are a few planes apart count as one. Looks at the first piece
/// only.
pub(crate) fn drift(relation: &Map) -> Option<Vec<Row>> {
    let basic = relation.basic_maps().first()?;
    let first = basic.offset(DimKind::Out);
    let outs = first..first + basic.n(DimKind::Out);
    let still = || Row::zeros(basic.n(DimKind::In));
    let row = |out| subscript(basic, out).or_else(|| takes_turns(basic, out, &outs).then(still));
    outs.clone().map(row).collect()
}

/// A subscript with more values than this moves.
const MAX_TURNS: i64 = 16;

/// Whether a subscript has few values, or some equality makes it a periodic function of the iterators.
fn takes_turns(basic: &BasicMap, out: usize, outs: &Range<usize>) -> bool {
    n_values(basic, out).and_then(|n| n.to_i64()).is_some_and(|n| n <= MAX_TURNS)
        || is_periodic(basic, out, outs)
}

/// The number of values between the constant bounds of a subscript, if it has both.
fn n_values(basic: &BasicMap, out: usize) -> Option<Int> {
    let is_bound = |row: &&Row| {
        row.first_nonzero(1..row.len()) == Some(out) && row.last_nonzero(1..row.len()) == Some(out)
    };
    let (mut least, mut most): (Option<Int>, Option<Int>) = (None, None);
    for row in basic.inequalities().iter().filter(is_bound) {
        // c x + b >= 0.
        let (factor, constant) = (row.get(out), row.get(0));
        if factor.is_positive() {
            let bound = (-&constant).div_ceil(&factor);
            least = Some(least.map_or(bound.clone(), |known| known.max(bound)));
        } else {
            let bound = constant.div_floor(&-&factor);
            most = Some(most.map_or(bound.clone(), |known| known.min(bound)));
        }
    }
    Some(&(&most? - &least?) + &Int::ONE)
}

fn is_periodic(basic: &BasicMap, out: usize, outs: &Range<usize>) -> bool {
    let defining = basic.equalities().iter().filter(|row| defines(row, out, outs));
    let mut averages = defining.filter_map(|row| average(basic, row));
    let inputs = basic.offset(DimKind::In)..outs.start;
    averages.any(|row| !row.is_zero_at(out) && row.first_nonzero(inputs.clone()).is_none())
}

/// A multiple of an equality with fractions in place of floors; none if it names unknown integers.
fn average(basic: &BasicMap, equality: &Row) -> Option<Row> {
    let first = basic.offset(DimKind::Local);
    let mut row = equality.clone();
    for (position, local) in basic.locals().iter().enumerate().rev() {
        let factor = row.get(first + position);
        if factor.is_zero() {
            continue;
        }
        let Local::Floor { numerator, denominator } = local else { return None };
        row.set(first + position, Int::ZERO);
        row.scale(denominator);
        row.add_scaled(&factor, numerator);
    }
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(relation: &str) -> Option<Vec<Vec<i64>>> {
        let rows = drift(&Map::parse(relation).unwrap())?;
        Some(rows.iter().map(|row| row.as_i64s().unwrap().to_vec()).collect())
    }

    #[test]
    fn planes_in_turn_stand_still() {
        let wanted = Some(vec![vec![0, 0], vec![0, 1]]);
        assert_eq!(rows("{ S[t, i] -> A[x, i] : (1 + t + x) mod 2 = 0 and 0 <= x <= 1 }"), wanted);
        assert_eq!(rows("{ S[t, i] -> A[t mod 2, i] }"), wanted);
        assert_eq!(rows("{ S[t, i] -> A[(t + 1) mod 2, i + 1] : 0 <= t < 9 }"), wanted);
        assert_eq!(rows("{ S[t, i] -> A[1 - (t mod 2), i - 1] }"), wanted);
        assert_eq!(rows("{ S[t, i] -> A[(2 * t + 1) mod 3, i] }"), wanted);
    }

    #[test]
    fn what_moves_on_is_not_periodic() {
        assert_eq!(rows("{ S[t, i] -> A[t, i] }"), Some(vec![vec![1, 0], vec![0, 1]]));
        assert_eq!(rows("{ S[t, i] -> A[floor(t/2), i] }"), None);
        assert_eq!(rows("{ S[t, i] -> A[t + (t mod 2), i] }"), None);
        assert_eq!(rows("{ S[t, i] -> A[x, i] : 0 <= x <= t }"), None);
        assert_eq!(rows("{ S[t, i] -> A[x, i] : (t + x) mod 2 = 0 and 0 <= x <= 40 }"), None);
    }
}
