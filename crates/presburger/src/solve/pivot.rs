//! Row operations that the simplex tableaus share.
//!
//! A row is the equation `denominator * unknown = constant + sum of coefficient_j * column_j`,
//! stored as `[denominator | constant | coefficients]` with a positive denominator and without a
//! common divisor.
use loopwright_exact::{Int, Row};

/// The elements of a row before the coefficients: denominator and constant.
pub(crate) const HEAD: usize = 2;

/// Exchanges the unknown of `rows[row]` with that of the column whose coefficient is in `element`;
/// calls `touched` with every other row that changes.
///
/// From `d y = c + a x + rest` follows `a x = d y - c - rest`: the new row of `x`. In another row
/// `d' z = c' + b x + rest'` the term is replaced: `a d' z = a c' + a rest' + b (a x)`.
pub(crate) fn pivot_rows(
    rows: &mut [Row],
    row: usize,
    element: usize,
    mut touched: impl FnMut(usize, &Row),
) {
    let mut pivot = std::mem::replace(&mut rows[row], Row::zeros(0));
    let (denominator, coefficient) = (pivot.get(0), pivot.get(element));
    // The pivot row without its denominator, with a positive multiple of x on its left side.
    pivot.set(0, Int::ZERO);
    pivot.set(element, -denominator);
    if coefficient.is_positive() {
        pivot.negate();
    }
    let scale = coefficient.abs();
    for (i, other) in rows.iter_mut().enumerate() {
        if i == row || other.is_zero_at(element) {
            continue;
        }
        let factor = other.get(element);
        let divisor = factor.gcd(&scale);
        other.set(element, Int::ZERO);
        let (a, b) = (scale.div_exact(&divisor), factor.div_exact(&divisor));
        other.combine_reduced(&a, &b, &pivot);
        touched(i, other);
    }
    pivot.set(0, scale);
    rows[row] = pivot;
}

/// `row += factor * other`, as fractions.
pub(crate) fn add_fraction(row: &mut Row, factor: &Int, other: &Row) {
    let (mine, theirs) = (row.get(0), other.get(0));
    if theirs.is_one() {
        row.add_scaled(&(factor * &mine), other);
        row.set(0, mine);
        return;
    }
    let divisor = mine.gcd(&theirs);
    let (a, b) = (theirs.div_exact(&divisor), mine.div_exact(&divisor));
    row.combine(&a, &(factor * b), other);
    row.set(0, mine * a);
}

/// Deletes the column of an element in all rows; the last column takes its place.
pub(crate) fn delete_element(rows: &mut [Row], element: usize) {
    for row in rows {
        let last = row.len() - 1;
        row.swap(element, last);
        row.remove(last..last + 1);
    }
}
