//! Integer points by cutting planes.
//!
//! # Method
//! Gomory's cuts in the lexicographic dual simplex ([`LexicographicProblem`]) decide most systems
//! that are flat or full of floors after a handful of cuts, where branching and slices
//! enumerate thousands of cases. Variables without sign are written as `x = x' - t` with
//! `x' >= 0` and one common `t >= 0` that is minimized first, so that there is always a least
//! solution if there is one at all.
//!
//! The method terminates, but now and then only after very many cuts; it is given up then.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::lexicographic::LexicographicProblem;
use loopwright_exact::{Int, Row};

/// The work after which cutting is given up. Systems of schedules and tiles need 20 to 5000 steps,
/// those that need more rarely end within ten times as many.
const MAX_STEPS: u64 = 5000;

/// A point `[1 | values]` with `rows >= 0`, or none if there is none; the outer option is none if
/// neither was found within the limit.
///
/// # Errors
/// [`Error::Exceeded`](crate::Error::Exceeded) if less than the limit was left in the budget.
pub(crate) fn find_point(
    width: usize,
    rows: &[Row],
    budget: &Budget,
) -> Result<Option<Option<Row>>> {
    let mut problem = LexicographicProblem::new(width);
    for row in rows {
        problem.add_inequality(&shifted(row));
    }
    let part = budget.part(MAX_STEPS);
    let found = problem.lexmin_integer(&part);
    budget.charge(&part);
    budget.spend(0, "integer emptiness")?;
    Ok(found.ok().map(|found| found.map(|values| unshifted(&values))))
}

/// The row over `[constant | t | x']`.
fn shifted(row: &Row) -> Row {
    let sum: Int = row.iter().skip(1).sum();
    let head = [row.get(0), -sum];
    head.into_iter().chain(row.iter().skip(1)).collect()
}

/// The point `[1 | x]` of the values of `t` and `x'`.
fn unshifted(values: &[Int]) -> Row {
    let (shift, values) = values.split_first().expect("the shift is the first variable");
    std::iter::once(Int::ONE).chain(values.iter().map(|value| value - shift)).collect()
}
