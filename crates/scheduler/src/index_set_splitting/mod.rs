//! Index-set splitting: statements are cut in halves, which are scheduled as if they were statements
//! of their own.
//!
//! In a stencil over a periodic domain, `S[t, i] -> S[t + 1, (i + 1) mod n]`, nearly all distances are
//! short, but those across the ends of the domain are as long as the domain, so that there is no
//! tilable band. Cut in the middle, with the upper half mirrored, all distances are short: the ends of
//! the domain come to lie next to each other, as the two sides of the fold do (Bondhugula, Bandishti,
//! Cohen, Potron, Vasilache, "Tiling and optimizing time-iterated computations over periodic domains",
//! PACT 2014; Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than scanning polyhedra",
//! TOPLAS 2015, section 7.4). The same helps where dependences mirror: `S[i] -> S[n - 1 - i]`.
//!
//! * [`cuts`] finds the hyperplanes in the middle between the two ends of long dependences;
//! * [`pieces`] rewrites the constraints for the halves, and a schedule of the halves for the statements,
//!   by piecewise expressions;
//! * [`gain`] compares schedules.
mod cuts;
mod gain;
mod pieces;

pub use pieces::SplitIndexSets;

use crate::constraints::ScheduleConstraints;
use crate::options::Options;
use crate::recursion::schedule_as_given;
use crate::scheduled::{Note, Scheduled};
use loopwright_presburger::{Budget, Error, Result};

/// The constraints between the halves of statements that long dependences fold; nothing if there is no
/// such statement.
///
/// A dependence is *long* in a dimension if the distance is not bounded by a small constant. It folds
/// the dimension if the sum of the coordinates of the two ends, twice their middle, is one and the same
/// function of the parameters for all pairs. Statements are cut in the middle (where several
/// dependences differ in it by constants, in the middle of these), and what is at a short distance from
/// a cut statement is cut at the same place. A prefix is not looked at: see
/// [`ScheduleConstraints::prefix`].
///
/// ```
/// use loopwright_presburger::Budget;
/// use loopwright_scheduler::{Options, ScheduleConstraints, schedule, split_index_sets};
/// let constraints = ScheduleConstraints::parse(
///     "domain: '[n] -> { S[i] : 0 <= i < n }'
/// validity: '[n] -> { S[i] -> S[n - 1 - i] : 0 <= i < n - 1 - i }'
/// coincidence: '[n] -> { S[i] -> S[n - 1 - i] : 0 <= i < n - 1 - i }'",
/// )?;
/// let budget = Budget::unlimited();
/// let split = split_index_sets(&constraints, &budget)?.expect("the dependence mirrors");
/// assert_eq!(split.constraints.domain.sets().len(), 2);
/// let halves = schedule(&split.constraints, &Options::tiling(), &budget)?;
/// let tree = split.join(&halves.tree, &budget)?.to_string();
/// assert!(tree.contains("coincident: [ 1 ]"), "{tree}");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// Cost: linear algebra per dependence; projections only for dependences that fold, and for all of
/// those next to a statement that is cut.
///
/// # Errors
/// [`Error::Exceeded`].
pub fn split_index_sets(
    constraints: &ScheduleConstraints,
    budget: &Budget,
) -> Result<Option<SplitIndexSets>> {
    let cuts = cuts::cuts(constraints, budget)?;
    cuts.map(|cuts| pieces::split(constraints, &cuts, budget)).transpose()
}

/// What may be spent on halves in any case (see [`Budget`]).
const STEPS: u64 = 1 << 21;

/// The budget for halves: half of what is left, and at most twice what the schedule of the whole
/// statements took, or a little.
pub(crate) fn limit(spent: u64, budget: &Budget) -> Budget {
    budget.part((budget.remaining() / 2).min(spent.saturating_mul(2).max(STEPS)))
}

/// A schedule of the halves that is better than `whole`; nothing if there is none within the budget.
pub(crate) fn improved(
    constraints: &ScheduleConstraints,
    whole: &Scheduled,
    options: &Options,
    budget: &Budget,
) -> Result<Option<Scheduled>> {
    if gain::is_best(&whole.tree) {
        return Ok(None);
    }
    match improved_within(constraints, whole, options, budget) {
        Err(Error::Exceeded { .. }) => Ok(None),
        found => found,
    }
}

fn improved_within(
    constraints: &ScheduleConstraints,
    whole: &Scheduled,
    options: &Options,
    budget: &Budget,
) -> Result<Option<Scheduled>> {
    let Some(split) = split_index_sets(constraints, budget)? else { return Ok(None) };
    let halves = schedule_as_given(&split.constraints, options, budget)?;
    if halves.notes.len() > whole.notes.len() || !gain::is_gain(&whole.tree, &halves.tree, &split) {
        return Ok(None);
    }
    let tree = split.join(&halves.tree, budget)?;
    let mut notes = whole.notes.clone();
    notes.push(Note {
        statements: split.statements(),
        message: "the instances were cut in halves that are scheduled separately: dependences \
                  across them are long"
            .to_string(),
    });
    Ok(Some(Scheduled { tree, notes, cut: split.statements(), keeps_apart: halves.keeps_apart }))
}
