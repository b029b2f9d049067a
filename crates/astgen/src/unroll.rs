//! Full unrolling: one piece per value of a dimension.
//!
//! Any lower bound `l` of the dimension cuts the domain into slices `i = l + s t` with the stride
//! `s`; the bound with the fewest slices, `1 + max (i - l)/s` over the domain, is taken. Grosser,
//! Verdoolaege, Cohen, section 5.4.
use crate::guard::value_constraint;
use crate::stride::common_stride;
use crate::value::lower_bound;
use loopwright_presburger::*;

/// The most copies of a body that unrolling makes.
const MOST_COPIES: i64 = 100_000;

/// The slices of the union of `domains` along dimension `level`, in order; `exact` are the
/// domains with their strides.
///
/// # Errors
/// If no lower bound leads to a finite number of slices.
pub(crate) fn unroll_pieces(
    domains: &[Set],
    exact: &[Set],
    known: &Set,
    level: usize,
    budget: &Budget,
) -> Result<Vec<BasicSet>> {
    let known = known.insert_dims(DimKind::Out, level, 1);
    let mut union = domains[0].clone();
    for domain in &domains[1..] {
        union = union.union(domain)?;
    }
    let union = union.intersect(&known)?;
    if union.is_empty(budget)? {
        return Ok(Vec::new());
    }
    let stride = common_stride(exact, level)?;
    let hull = union.simple_hull(budget)?;
    let map = hull.as_basic_map();
    let column = map.offset(DimKind::Out) + level;
    let mut best: Option<(Int, Aff)> = None;
    let rows = map.inequalities().iter().filter(|row| row.sign(column) > 0);
    for row in rows.chain(map.equalities().iter().filter(|row| !row.is_zero_at(column))) {
        let bound = lower_bound(map, row, level);
        let bound = match &stride {
            Some(stride) => stride.at_least(&bound)?,
            None => bound,
        };
        let Some(most) = greatest_distance(&union, &bound, level, budget)? else { continue };
        if best.as_ref().is_none_or(|(least, _)| most < *least) {
            best = Some((most, bound));
        }
    }
    let Some((most, bound)) = best else {
        return Err(Error::Invalid {
            operation: "unrolling",
            reason: format!("dimension {level} has no constant number of values"),
        });
    };
    let step = stride.map_or(Int::ONE, |stride| stride.modulus);
    slices(&union, &bound, &step, most.div_floor(&step), level, budget)
}

/// The greatest value of the dimension minus the bound.
fn greatest_distance(
    union: &Set,
    bound: &Aff,
    level: usize,
    budget: &Budget,
) -> Result<Option<Int>> {
    let space = union.space();
    let iterator = Aff::variable(space, DimKind::Out, level);
    let distance = iterator.sub(&crate::scope::embedded(bound, space, level))?;
    match union.max_val(&distance, budget)? {
        Optimum::At(most) => Ok(Some(most)),
        Optimum::Empty | Optimum::Unbounded => Ok(None),
    }
}

/// The non-empty slices `i = bound + t step`, `0 <= t <= last`.
fn slices(
    union: &Set,
    bound: &Aff,
    step: &Int,
    last: Int,
    level: usize,
    budget: &Budget,
) -> Result<Vec<BasicSet>> {
    let too_many = || Error::Invalid {
        operation: "unrolling",
        reason: format!("dimension {level} has {last} values"),
    };
    let last = last.to_i64().filter(|&last| last < MOST_COPIES).ok_or_else(too_many)?;
    let mut pieces = Vec::new();
    for count in 0..=last {
        let value = bound.add_constant(&(step * &Int::from(count)));
        let slice = value_constraint(&value, level);
        let part = union.intersect(&slice)?;
        if part.is_empty(budget)? {
            continue;
        }
        let shared = Set::from_basic_set(part.unshifted_simple_hull(budget)?);
        pieces.extend(shared.intersect(&slice)?.basic_sets());
    }
    Ok(pieces)
}
