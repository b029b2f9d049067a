//! How many values loops have, as functions of symbolic constants.
//!
//! Extents are estimates: a loop counts with the form that its number of values has for typical sizes.
use crate::settings::effort::Effort;
use loopwright_presburger::{Aff, DimKind, Int, Optimum, PwAff, Set};
use loopwright_scop::{Scop, Statement};
use loopwright_transform::cost::trip_counts::Nominal;

/// Steps for the extents of one loop.
const STEPS: u64 = 20_000;

/// How many values a loop has at each time: those of the dimension over the whole domain, or fewer where the
/// loops outside bound them (as in tiles), a part of them where the loop has a step. None if that is not
/// found.
pub(crate) fn extent(domain: &Set, dim: usize, nominal: &Nominal, effort: &Effort) -> Option<Aff> {
    let whole = extent_over_all(domain, dim, nominal, effort);
    let extent = match (whole, most_at_a_time(domain, dim)) {
        (Some(whole), Some(most)) => {
            let is_less = nominal_value(&whole, nominal, effort).is_none_or(|whole| whole > most);
            if is_less { Aff::constant(whole.domain_space(), &Int::from(most)) } else { whole }
        }
        (None, Some(most)) => {
            let parameters = domain.params();
            Aff::constant(parameters.space(), &Int::from(most))
        }
        (whole, None) => whole?,
    };
    match domain.stride_info(dim, &effort.budget(STEPS)) {
        Ok(info) if info.stride > Int::from(1) => Some(extent.scale_down(&info.stride)),
        _ => Some(extent),
    }
}

/// How many values a dimension has over the whole domain, in the form that it has for typical sizes. The
/// greatest value of a convex domain is the least of several bounds: of these one is taken that gives the
/// extent by fewer sizes, as in blocks (`i < i0 + block && i < n` from `i0` on are `block` values, not
/// `n - i0`).
fn extent_over_all(domain: &Set, dim: usize, nominal: &Nominal, effort: &Effort) -> Option<Aff> {
    let budget = effort.budget(STEPS);
    let typical = |bound: &PwAff| {
        let pieces = bound.pieces().iter();
        let mut here = pieces
            .filter(|(set, _)| !nominal.fix(set).is_empty(&effort.budget(STEPS)).unwrap_or(true));
        here.next().or(bound.pieces().last()).map(|(_, aff)| aff.clone())
    };
    let greatest = domain.dim_max(dim, &budget).ok()?;
    let least = typical(&domain.dim_min(dim, &budget).ok()?)?;
    let extent = |most: &Aff| {
        let least = least.align_params(most.domain_space());
        let extent = most.align_params(least.domain_space()).sub(&least).ok()?;
        (!extent.is_nan()).then(|| extent.add_constant(&Int::from(1)))
    };
    let n_sizes = |extent: &Aff| {
        let parameters = 0..extent.domain_space().n(DimKind::Param);
        parameters.filter(|&at| extent.involves_dims(DimKind::Param, at, 1)).count()
    };
    let in_general = extent(&typical(&greatest)?)?;
    let others = match domain.basic_sets().len() {
        1 => greatest.pieces(),
        _ => &[],
    };
    let others = others.iter().filter_map(|(_, most)| extent(most));
    let fewest = others.filter(|other| n_sizes(other) > 0).min_by_key(n_sizes);
    Some(fewest.filter(|other| n_sizes(other) < n_sizes(&in_general)).unwrap_or(in_general))
}

/// Whether some statement has loops over tiles and their points already: a loop of a step, and one inside
/// with as many values at a time.
pub(crate) fn is_tiled_by_hand(scop: &Scop, effort: &Effort) -> bool {
    let is_tiled = |statement: &Statement| {
        let domain = &statement.domain;
        let dims = domain.space().n(DimKind::Out);
        let step = |dim| domain.stride_info(dim, &effort.budget(STEPS)).ok()?.stride.to_i64();
        (0..dims).any(|outer| {
            step(outer).is_some_and(|step| {
                let has_step = |inner| most_at_a_time(domain, inner) == Some(step);
                step > 1 && (outer + 1..dims).any(has_step)
            })
        })
    };
    scop.statements.iter().filter(|statement| !statement.is_kill).any(is_tiled)
}

/// The greatest number of values that a dimension has while those outside stand still, if two of its bounds
/// differ by a constant in each part of the domain.
fn most_at_a_time(domain: &Set, dim: usize) -> Option<i64> {
    let space = domain.space();
    let column = 1 + space.n_all() - space.n(DimKind::Out) + dim;
    let mut most: Option<i64> = None;
    for part in domain.basic_sets() {
        let mut bounds = [Vec::new(), Vec::new()];
        for constraint in part.constraints() {
            let row = constraint.row;
            if row.first_nonzero(column + 1..row.len()).is_some() {
                continue;
            }
            let sign = row.get(column).to_i64().unwrap_or(0);
            match (constraint.is_equality, sign) {
                (false, 1) => bounds[0].push(row),
                (false, -1) => bounds[1].push(row),
                (true, 1 | -1) => {
                    let mut other = row.clone();
                    other.negate();
                    bounds[usize::from(sign < 0)].push(row);
                    bounds[usize::from(sign > 0)].push(other);
                }
                _ => {}
            }
        }
        let [lower, upper] = &bounds;
        let differences = lower.iter().flat_map(|low| {
            upper.iter().filter_map(move |high| {
                let is_constant = (1..low.len().max(high.len()))
                    .all(|column| (low.get(column) + high.get(column)).is_zero());
                let difference = low.get(0) + high.get(0);
                is_constant.then(|| difference.to_i64().map(|value| value.saturating_add(1)))?
            })
        });
        let here = differences.min()?;
        most = Some(most.map_or(here, |most| most.max(here)));
    }
    most.map(|most| most.max(0))
}

/// The value for typical sizes, at least 1.
pub(crate) fn nominal_value(expression: &Aff, nominal: &Nominal, effort: &Effort) -> Option<i64> {
    let space = expression.domain_space();
    let fixed = nominal.fix(&Set::universe(space.clone()));
    match fixed.max_val(expression, &effort.budget(STEPS)) {
        Ok(Optimum::At(value)) => Some(value.to_i64().unwrap_or(i64::MAX).max(1)),
        _ => None,
    }
}
