//! The entry point.
use crate::constraints::ScheduleConstraints;
use crate::index_set_splitting;
use crate::options::Options;
use crate::recursion::schedule_as_given;
use crate::scheduled::Scheduled;
use loopwright_presburger::{Budget, Result};

/// Computes a schedule that respects `constraints`.
///
/// Below a prefix, if there is one, the tree is the part below it. With
/// [`Options::split_index_sets`] a second schedule, of halves of the statements, is computed within
/// at most twice the work of the first, or a little, and taken if it is better.
///
/// *Cost.* An integer program per member of a band, whose rows are by Farkas' lemma from the vertices and
/// rays of each dependence (exponential in their dimension at worst), for each candidate of a merge of
/// components; all within the budget.
///
/// # Errors
/// `Exceeded` when the budget does not suffice even for the last fallback, `Invalid` when the
/// constraints are cyclic or are not between statements of the domain.
pub fn schedule(
    constraints: &ScheduleConstraints,
    options: &Options,
    budget: &Budget,
) -> Result<Scheduled> {
    let constraints = &constraints.below_prefix(budget)?;
    let start = budget.used();
    let whole = schedule_as_given(constraints, options, budget)?;
    if !options.split_index_sets {
        return Ok(whole);
    }
    let limit = index_set_splitting::limit(budget.used().saturating_sub(start), budget);
    let improved = index_set_splitting::improved(constraints, &whole, options, &limit);
    budget.charge(&limit);
    let improved = improved?;
    Ok(improved.unwrap_or(whole))
}
