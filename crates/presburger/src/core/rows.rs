//! Single constraints as rows `[constant | variables]`: negation, rounding, directions.
use loopwright_exact::{Int, Row};

/// `row < 0` as an inequality over integers.
pub(crate) fn negation(row: &Row) -> Row {
    let mut negated = row.clone();
    negated.negate();
    negated.set(0, &negated.get(0) - &Int::ONE);
    negated
}

/// The inequality with coprime coefficients, its constant rounded down.
pub(crate) fn tightened(row: &Row) -> Row {
    let divisor = row.gcd(1..row.len());
    let mut row = row.clone();
    if !divisor.is_one() && !divisor.is_zero() {
        row.set(0, &row.get(0).div_floor(&divisor) * &divisor);
        row.div_exact(&divisor);
    }
    row
}

/// A key of the coefficients (without the constant) that changes its sign with them. It only
/// selects candidates, so its wrapping arithmetic cannot affect results.
pub(crate) fn direction_key(row: &Row) -> i64 {
    let Some(values) = row.as_i64s() else { return 0 };
    let mut multiplier: i64 = 0x2545_F491_4F6C_DD1D;
    values[1..].iter().fold(0, |key: i64, value| {
        multiplier = multiplier.wrapping_mul(0x5851_F42D_4C95_7F2D);
        key.wrapping_add(value.wrapping_mul(multiplier))
    })
}

/// Whether the coefficients of `row` are `sign` times those of `other`.
pub(crate) fn is_parallel(row: &Row, other: &Row, sign: i64) -> bool {
    match (row.as_i64s(), other.as_i64s()) {
        (Some(a), Some(b)) => a[1..].iter().zip(&b[1..]).all(|(x, y)| *x == sign * y),
        _ => {
            let sign = Int::from(sign);
            row.iter().zip(other.iter()).skip(1).all(|(x, y)| x == y * &sign)
        }
    }
}
