//! Values of parameters for which a set has elements, close to given ones.
//!
//! Where all parameters count as equally large, differences of them are nothing: the rows of an image without
//! those that a window of as many rows would leave, `0 <= y < h - kw`. So where a set is empty because of its
//! parameters, those that make it smaller are taken to be smaller, by [`SHRINKING`] each time, until it is
//! not.
use loopwright_exact::Row;
use loopwright_presburger::{BasicMap, DimKind, Int, Set};

/// A difference of parameters is taken to be at least this part of the greatest one that is not subtracted.
const PART_LEFT: i64 = 2;

/// How much smaller a parameter is that is subtracted from others: windows, strides and offsets are small.
const SHRINKING: i64 = 8;

/// So often values are changed before nothing is found.
const ROUNDS: usize = 12;

/// Values for the parameters of a set, in their order, for which a piece of it may have elements, close to
/// `values`; none if that takes more than a few changes. `context` has the same parameters.
///
/// *Exactness.* Looks at constraints of the parameters without divisions; the caller checks.
/// *Cost.* [`ROUNDS`] passes over the constraints of each piece.
pub(crate) fn feasible_values(possible: &Set, context: &Set, values: &[Int]) -> Option<Vec<Int>> {
    let known: Vec<Bound> = match context.as_map().basic_maps() {
        [only] => bounds(only, values.len(), false),
        _ => Vec::new(),
    };
    // Where the context does not allow large differences, small ones have to do.
    let mut kinds = [true, false].into_iter();
    kinds.find_map(|is_extent| {
        let mut pieces = possible.as_map().basic_maps().iter();
        pieces.find_map(|piece| {
            let own = bounds(piece, values.len(), is_extent);
            feasible_in(&[own, known.clone()].concat(), values)
        })
    })
}

/// A constraint `constant + coefficients * parameters >= 0`.
#[derive(Clone)]
struct Bound {
    constant: Int,
    coefficients: Row,
    /// Whether it is about how many iterations there are.
    is_extent: bool,
}

/// The constraints without divisions on `n` parameters.
fn bounds(piece: &BasicMap, n: usize, is_extent: bool) -> Vec<Bound> {
    let first = piece.offset(DimKind::Param);
    let parameters = first..first + n;
    let is_plain = |row: &&Row| row.first_nonzero(parameters.end..row.len()).is_none();
    let bound = |row: &Row| {
        let coefficients = row.slice(parameters.clone());
        Bound { constant: row.get(0), coefficients, is_extent }
    };
    piece.inequalities().iter().filter(is_plain).map(bound).collect()
}

fn feasible_in(bounds: &[Bound], values: &[Int]) -> Option<Vec<Int>> {
    let mut values = values.to_vec();
    for _ in 0..ROUNDS {
        let missing = |bound: &Bound| {
            let terms = values.iter().enumerate();
            let value = terms.fold(bound.constant.clone(), |sum, (position, value)| {
                &sum + &(&bound.coefficients.get(position) * value)
            });
            let least =
                if bound.is_extent { least(&bound.coefficients, &values) } else { Int::ZERO };
            &value - &least
        };
        let violated = bounds.iter().map(|bound| (bound, missing(bound)));
        let violated = violated.into_iter().find(|(_, missing)| missing.is_negative());
        let Some((bound, missing)) = violated else { return Some(values) };
        change(&mut values, &bound.coefficients, &missing)?;
    }
    None
}

/// The least value of a constraint that is good enough: more than 0 for a difference of parameters.
fn least(coefficients: &Row, values: &[Int]) -> Int {
    let signs = || (0..values.len()).map(|position| coefficients.sign(position));
    if !signs().any(|sign| sign < 0) {
        return Int::ZERO;
    }
    let added = signs().zip(values).filter(|(sign, _)| *sign > 0).map(|(_, value)| value);
    added.max().map_or(Int::ZERO, |value| value.div_floor(&Int::from(PART_LEFT)))
}

/// Changes values towards a constraint that misses so much: the subtracted ones become smaller, or if they
/// are small the first added one larger.
fn change(values: &mut [Int], coefficients: &Row, missing: &Int) -> Option<()> {
    let mut is_changed = false;
    for (position, value) in values.iter_mut().enumerate() {
        if coefficients.sign(position) < 0 && value.is_positive() {
            *value = value.div_floor(&Int::from(SHRINKING));
            is_changed = true;
        }
    }
    if !is_changed {
        let position = (0..values.len()).find(|&position| coefficients.sign(position) > 0)?;
        let more = missing.abs().div_ceil(&coefficients.get(position));
        values[position] = &values[position] + &more;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feasible(set: &str, values: &[i64]) -> Option<Vec<i64>> {
        let values: Vec<Int> = values.iter().map(|&value| Int::from(value)).collect();
        let possible = Set::parse(set).unwrap().params();
        let context = Set::universe(possible.space().clone());
        let found = feasible_values(&possible, &context, &values)?;
        found.iter().map(Int::to_i64).collect()
    }

    #[test]
    fn what_is_subtracted_becomes_smaller() {
        let window =
            "[h, w, k] -> { S[y, x, u] : 0 <= y < h - k and 0 <= x < w - k and 0 <= u < k }";
        assert_eq!(feasible(window, &[180, 180, 180]), Some(vec![180, 180, 22]));
        let two = "[h, w, k, l] -> { S[y, x] : 0 <= y < h - k and 0 <= x < w - l }";
        assert_eq!(feasible(two, &[180; 4]), Some(vec![180, 180, 22, 22]));
        assert_eq!(feasible("[n] -> { S[i] : 0 <= i < n }", &[180]), Some(vec![180]), "as it is");
        let one_value = "[n, m] -> { S[i] : 0 <= i <= n - m }";
        assert_eq!(feasible(one_value, &[4000, 4000]), Some(vec![4000, 500]), "not only just");
    }

    #[test]
    fn what_is_too_small_becomes_larger() {
        assert_eq!(feasible("[n] -> { S[i] : 1000 <= i < n }", &[180]), Some(vec![1001]));
        let both = "[n, m] -> { S[i] : 0 <= i < n - m and m >= 100 }";
        assert_eq!(feasible(both, &[180, 180]).map(|values| values[0] > values[1]), Some(true));
    }

    #[test]
    fn what_is_never_reached_has_no_values() {
        assert_eq!(feasible("[n, m] -> { S[i] : n >= m + 1 and m >= n }", &[5, 5]), None);
    }
}
