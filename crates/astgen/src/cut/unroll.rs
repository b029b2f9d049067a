//! Full unrolling: one piece per value of a dimension.
//!
//! Any lower bound `l` of the dimension cuts the domain into slices `i = l + s t` with the stride
//! `s`; the bound with the fewest slices, `1 + max (i - l)/s` over the domain, is taken. Grosser,
//! Verdoolaege, Cohen, section 5.4.
use crate::level::Level;
use crate::level::bounds::{embedded, lower_bound};
use crate::level::degenerate_dimensions::value_constraint;
use crate::level::localized::localized;
use crate::level::stride::{Stride, common_stride};
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
    level: Level<'_>,
) -> Result<Vec<BasicSet>> {
    let Level { dimension, budget, .. } = level;
    let mut union = domains[0].clone();
    for domain in &domains[1..] {
        union = union.union(domain)?;
    }
    let union = union.intersect(&level.around())?;
    if union.is_empty(budget)? {
        return Ok(Vec::new());
    }
    let stride = common_stride(exact, dimension)?;
    let Some((most, bound)) = closest_bound(&union, stride.as_ref(), dimension, budget)? else {
        return Err(Error::Invalid {
            operation: "unrolling",
            reason: format!("dimension {dimension} has no constant number of values"),
        });
    };
    let step = stride.map_or(Int::ONE, |stride| stride.modulus);
    let last = most.div_floor(&step);
    slices(&union, &Slicing { bound, step, dimension }, &last, budget)
}

/// The lower bound that the values exceed by the least constant, which comes first.
fn closest_bound(
    union: &Set,
    stride: Option<&Stride>,
    level: usize,
    budget: &Budget,
) -> Result<Option<(Int, Aff)>> {
    // A floor of the dimension itself is no bound.
    let hull = localized(&Set::from_basic_set(union.simple_hull(budget)?), level);
    let mut best: Option<(Int, Aff)> = None;
    for map in hull.as_map().basic_maps() {
        let column = map.offset(DimKind::Out) + level;
        let lower = map.inequalities().iter().filter(|row| row.sign(column) > 0);
        let equal = map.equalities().iter().filter(|row| !row.is_zero_at(column));
        for row in lower.chain(equal) {
            let bound = lower_bound(map, row, level);
            let bound = stride.map_or(Ok(bound.clone()), |stride| stride.at_least(&bound))?;
            let Some(most) = greatest_distance(union, &bound, level, budget)? else { continue };
            if best.as_ref().is_none_or(|(least, _)| most < *least) {
                best = Some((most, bound));
            }
        }
    }
    if let Some(stride) = stride
        && let Some((most, bound)) = bound_of_stride(union, stride, level, budget)?
        && best.as_ref().is_none_or(|(least, _)| {
            most.div_floor(&stride.modulus) <= least.div_floor(&stride.modulus)
        })
    {
        best = Some((most, bound));
    }
    Ok(best)
}

/// The offset of the stride plus a constant, which is simpler than other bounds, if all values are in a
/// constant distance.
fn bound_of_stride(
    union: &Set,
    stride: &Stride,
    level: usize,
    budget: &Budget,
) -> Result<Option<(Int, Aff)>> {
    if !stride.offset.denominator().is_one() {
        return Ok(None);
    }
    let iterator = Aff::variable(union.space(), DimKind::Out, level);
    let distance = iterator.sub(&embedded(&stride.offset, union.space(), level))?;
    let Optimum::At(least) = union.min_val(&distance, budget)? else { return Ok(None) };
    let steps = -(-&least).div_floor(&stride.modulus);
    let bound = stride.offset.add_constant(&(steps * &stride.modulus));
    let most = greatest_distance(union, &bound, level, budget)?;
    Ok(most.map(|most| (most, bound)))
}

/// The greatest value of the dimension minus the bound.
fn greatest_distance(
    union: &Set,
    bound: &Aff,
    level: usize,
    budget: &Budget,
) -> Result<Option<Int>> {
    let distance = distance(union, bound, level)?;
    match union.max_val(&distance, budget)? {
        Optimum::At(most) => Ok(Some(most)),
        Optimum::Empty | Optimum::Unbounded => Ok(None),
    }
}

/// The value of the dimension minus the bound.
fn distance(union: &Set, bound: &Aff, level: usize) -> Result<Aff> {
    let iterator = Aff::variable(union.space(), DimKind::Out, level);
    iterator.sub(&embedded(bound, union.space(), level))
}

/// The values `i = bound + t step` of a dimension, for integers `t`.
struct Slicing {
    bound: Aff,
    step: Int,
    dimension: usize,
}

/// The non-empty slices for `0 <= t <= last`.
///
/// After an empty slice the next value of `t` is looked for, so that gaps cost nothing.
fn slices(union: &Set, slicing: &Slicing, last: &Int, budget: &Budget) -> Result<Vec<BasicSet>> {
    let Slicing { bound, step, dimension } = slicing;
    let mut pieces = Vec::new();
    let (mut n_values, mut count) = (0, Int::ZERO);
    while count <= *last {
        if n_values == MOST_COPIES {
            return Err(Error::Invalid {
                operation: "unrolling",
                reason: format!("dimension {dimension} has more than {MOST_COPIES} values"),
            });
        }
        let value = bound.add_constant(&(step * &count));
        let slice = value_constraint(&value, *dimension);
        let part = union.intersect(&slice)?;
        count += Int::ONE;
        if part.is_empty(budget)? {
            let Some(next) = next_slice(union, slicing, &count, budget)? else { break };
            count = next;
            continue;
        }
        n_values += 1;
        let shared = Set::from_basic_set(part.unshifted_simple_hull(budget)?);
        pieces.extend(shared.intersect(&slice)?.basic_sets());
    }
    Ok(pieces)
}

/// The least `t`, from a given one on, to which some value `>= bound + t step` belongs or the next
/// one after it does.
fn next_slice(union: &Set, slicing: &Slicing, first: &Int, budget: &Budget) -> Result<Option<Int>> {
    let Slicing { bound, step, dimension } = slicing;
    let distance = distance(union, bound, *dimension)?;
    let rest = union.intersect(&distance.add_constant(&-(step * first)).nonneg_set())?;
    match rest.min_val(&distance, budget)? {
        Optimum::At(least) => Ok(Some(least.div_floor(step))),
        Optimum::Empty | Optimum::Unbounded => Ok(None),
    }
}
