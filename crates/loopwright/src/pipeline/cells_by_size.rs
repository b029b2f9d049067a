//! Two contractions of a region of which neither always has fewer cells: which one runs is decided by the
//! sizes.
//!
//! A table of `n` by `m` elements that is computed row by row needs two rows, and column by column two
//! columns. Vectors of different directions can be compared only when the sizes are known (Yuki and
//! Rajopadhye, IMPACT 2013), so the region has both texts, each with its proofs, and the condition that one
//! number of cells is less than the other in front.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::cell_counts::counted_elements;
use crate::pipeline::contraction_search::{Found, in_other_orders};
use crate::pipeline::enough_work::polynomial_text;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::run::Run;
use crate::pipeline::uneven_work::Instances;
use crate::settings::effort::Effort;
use loopwright_presburger::Int;
use loopwright_scop::{ArrayId, Scop};

/// Values of symbolic constants at which numbers of cells are compared.
const WITNESSES: [i64; 3] = [64, 1000, 20_000];

/// With more symbolic constants nothing is compared.
const MOST_CONSTANTS: usize = 5;

/// Steps for one comparison.
const STEPS: u64 = 10_000;

/// Another contraction than `found`, and when it has fewer cells, as a condition of C. None if one of both
/// never has fewer. Only arrays that the region declares are looked at: of others single columns would be
/// spread over all of their memory.
///
/// # Errors
/// In words: those of the search.
pub(crate) fn other_cells(
    original: &Analysed,
    chosen: &ScheduleChoice,
    run: Run<'_>,
    found: &Found,
) -> Result<Option<(Found, String)>, String> {
    let scop = &original.region.scop;
    let mut is_wanted = |array: ArrayId, dimension: usize| {
        let own = found.taken.iter().find(|contraction| contraction.array == array);
        let is_other = own.is_some_and(|own| own.moduli.get(dimension) == Some(&None));
        is_other && scop.array(array).declared_in_scop
    };
    let other = in_other_orders(original, chosen, run, &mut is_wanted)?;
    Ok(other.and_then(|other| {
        let condition = has_fewer(scop, &other, found, run.effort())?;
        Some((other, condition))
    }))
}

/// The condition that the first one has fewer cells; none if that holds never or always, as far as some sizes
/// tell, or cannot be written.
fn has_fewer(scop: &Scop, one: &Found, other: &Found, effort: &Effort) -> Option<String> {
    let [own, others] = [one, other].map(|found| cells(found, effort));
    let (own, others) = (own?, others?);
    let names = scop.context.space().param_names();
    if names.len() > MOST_CONSTANTS {
        return None;
    }
    let (mut is_less, mut is_more) = (false, false);
    let n_points = WITNESSES.len().pow(u32::try_from(names.len()).ok()?);
    for number in 0..n_points {
        let mut left = number;
        let mut point = Vec::with_capacity(names.len());
        for _ in names {
            point.push(WITNESSES[left % WITNESSES.len()]);
            left /= WITNESSES.len();
        }
        let constants: Vec<Int> = point.iter().map(|&value| Int::from(value)).collect();
        let may_be = scop.context.contains_point(&constants, &effort.budget(STEPS));
        if !may_be.unwrap_or(false) {
            continue;
        }
        let value_of =
            |name: &str| names.iter().position(|known| **known == *name).map(|at| point[at]);
        let (a, b) = (own.at(&value_of)?, others.at(&value_of)?);
        // Over the divisors of both.
        let (a, b) = (a.checked_mul(others.divisor.into())?, b.checked_mul(own.divisor.into())?);
        is_less |= a < b;
        is_more |= a > b;
    }
    let is_open = is_less && is_more && own.divisor == 1 && others.divisor == 1;
    let text = |cells: &Instances| polynomial_text(&cells.terms, &scop.parameters);
    is_open.then_some(())?;
    Some(format!("{} < {}", text(&own)?, text(&others)?))
}

/// The number of cells of all contracted arrays for sizes that are not small.
fn cells(found: &Found, effort: &Effort) -> Option<Instances> {
    let counted = found.taken.iter().map(|contraction| {
        let count = counted_elements(found.scop(), contraction.array, effort)?;
        match count.pieces() {
            [(_, polynomial)] => Instances::of_polynomial(polynomial),
            _ => None,
        }
    });
    let counted: Vec<Instances> = counted.collect::<Option<_>>()?;
    let mut counted = counted.into_iter();
    let first = counted.next()?;
    counted.try_fold(first, |sum, next| sum.plus(&next))
}
