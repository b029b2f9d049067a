//! Inequalities without variables that make no difference.
//!
//! `a + 3 b >= 6` with `0 <= a <= 2` says `3 b >= 6`, because `b` is an integer.
use loopwright_presburger::*;

/// Whether the coefficients of all variables but one have a common divisor that its own does not have.
/// `end` is the first column after the variables.
pub(crate) fn may_be_shorter(constraint: &Constraint, end: usize) -> bool {
    !constraint.is_equality && (1..end).any(|column| divisor(&constraint.row, column).is_some())
}

/// The greatest common divisor of the coefficients of the other variables, if it is one that the
/// coefficient in `column` does not have.
fn divisor(row: &Row, column: usize) -> Option<Int> {
    let others = row.gcd(1..column).gcd(&row.gcd(column + 1..row.len()));
    let divides = others.is_zero() || row.get(column).is_divisible_by(&others);
    (!divides).then_some(others)
}

/// The inequality `row >= 0` without the variables whose values make no difference where `around` holds.
pub(crate) fn shortened(map: &BasicMap, row: &Row, around: &Set, budget: &Budget) -> Result<Row> {
    let mut row = row.clone();
    for column in 1..map.offset(DimKind::Local) {
        let Some(divisor) = divisor(&row, column) else { continue };
        let mut part = Row::zeros(row.len());
        part.set(0, row.get(0));
        part.set(column, row.get(column));
        let form = Aff::from_row(map.space(), map.locals().to_vec(), part, Int::ONE);
        let (least, greatest) = match (around.min_val(&form, budget), around.max_val(&form, budget))
        {
            (Ok(Optimum::At(least)), Ok(Optimum::At(greatest))) => (least, greatest),
            (Err(Error::Exceeded { .. }), _) | (_, Err(Error::Exceeded { .. })) => continue,
            (Err(other), _) | (_, Err(other)) => return Err(other),
            _ => continue,
        };
        let quotient = least.div_floor(&divisor);
        if quotient == greatest.div_floor(&divisor) {
            row.set(column, Int::ZERO);
            row.set(0, quotient * &divisor);
        }
    }
    Ok(row)
}
