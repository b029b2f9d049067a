//! Integer vectors of machine words.
//!
//! Entries are kept in lowest terms, products are taken in 128 bits; what does not fit reports
//! `Exceeded`.
use loopwright_presburger::{Error, Result, Row};

/// An integer vector.
pub(crate) type Vector = Vec<i64>;

/// Larger entries are refused, so that a few of them can be added and negated as machine words.
pub(crate) const MAX_ENTRY: i64 = i64::MAX / 4;

const OPERATION: &str = "the coefficients of a dependence";

/// The vectors as rows.
pub(crate) fn to_rows(vectors: &[Vector]) -> Vec<Row> {
    vectors.iter().map(|vector| Row::from_i64s(vector)).collect()
}

/// The scalar product; exact as long as vectors have fewer than four billion entries.
pub(crate) fn dot(a: &[i64], b: &[i64]) -> i128 {
    a.iter().zip(b).map(|(&x, &y)| i128::from(x) * i128::from(y)).sum()
}

/// The vector divided by the greatest common divisor of its entries.
pub(crate) fn lowest_terms(vector: &[i128]) -> Result<Vector> {
    let fits = |entry: &i128| i64::try_from(*entry).ok().filter(|e| e.abs() <= MAX_ENTRY);
    if let Some(mut narrow) = vector.iter().map(fits).collect::<Option<Vector>>() {
        let divisor = narrow.iter().fold(0, |g, &entry| narrow_gcd(g, entry));
        if divisor > 1 {
            narrow.iter_mut().for_each(|entry| *entry /= divisor);
        }
        return Ok(narrow);
    }
    let divisor = vector.iter().fold(0, |g, &entry| gcd(g, entry)).max(1);
    let reduced = vector.iter().map(|&entry| fits(&(entry / divisor)));
    reduced.collect::<Option<_>>().ok_or(Error::too_large(OPERATION))
}

/// The greatest common divisor of machine words of at most [`MAX_ENTRY`], not negative.
fn narrow_gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    if a == 1 {
        return 1;
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor, not negative.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // Only the magnitude of `i128::MIN` does not fit, and no product of machine words reaches it.
    i128::try_from(a).unwrap_or(i128::MAX)
}
