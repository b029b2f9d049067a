//! Constraints of basic relations as machine words.
use crate::algebra::vectors::{MAX_ENTRY, Vector};
use loopwright_presburger::{BasicMap, DimKind, Error, Local, Result, Row};

/// The entries of a row; `Exceeded` if one does not fit.
pub(crate) fn narrow(row: &Row) -> Result<Vector> {
    let too_big = || Error::too_large("reading the coefficients of a dependence");
    let entries = row.as_i64s().ok_or_else(too_big)?;
    let fits = entries.iter().all(|entry| (-MAX_ENTRY..=MAX_ENTRY).contains(entry));
    if fits { Ok(entries.to_vec()) } else { Err(too_big()) }
}

/// The equalities and the inequalities, with those that define floors.
///
/// Upper bounds on parameters alone (typically the range of a C type) are left out: a schedule
/// must not profit from the fact that sizes are bounded by a huge constant.
pub(crate) fn system(map: &BasicMap) -> Result<(Vec<Vector>, Vec<Vector>)> {
    let equalities: Result<Vec<Vector>> = map.equalities().iter().map(narrow).collect();
    let mut inequalities = Vec::new();
    for row in map.inequalities() {
        let row = narrow(row)?;
        if !bounds_parameters_above(&row, map.n(DimKind::Param)) {
            inequalities.push(row);
        }
    }
    let first = map.offset(DimKind::Local);
    for (index, local) in map.locals().iter().enumerate() {
        let Local::Floor { numerator, denominator } = local else { continue };
        let too_big = Error::too_large("reading the floors of a dependence");
        let denominator = denominator.to_i64().filter(|&d| d <= MAX_ENTRY).ok_or(too_big)?;
        let mut lower = narrow(numerator)?;
        lower[first + index] -= denominator;
        let mut upper: Vector = lower.iter().map(|&entry| -entry).collect();
        upper[0] += denominator - 1;
        inequalities.push(lower);
        inequalities.push(upper);
    }
    Ok((equalities?, inequalities))
}

/// Whether a row only involves parameters, none of them with a positive coefficient.
pub(crate) fn bounds_parameters_above(row: &[i64], n_params: usize) -> bool {
    let (parameters, others) = row[1..].split_at(n_params);
    others.iter().all(|&entry| entry == 0) && parameters.iter().all(|&entry| entry <= 0)
}
