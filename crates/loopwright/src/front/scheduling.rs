//! From a model to schedule constraints, and from constraints to a schedule.
use crate::diagnostics::failure::Failure;
use crate::pipeline::constraints;
use crate::pipeline::without_kills::executed_instances;
use crate::settings::effort::Effort;
use loopwright_dataflow::Dependences;
use loopwright_presburger::Budget;
use loopwright_scheduler::{Options, ScheduleConstraints, Scheduled, schedule};
use loopwright_scop::Scop;
use std::time::{Duration, Instant};

/// The work limit: some ten seconds, more where numbers get large.
const STEPS: u64 = 300_000_000;

/// When simpler schedules are tried in any case.
const LIMIT: Duration = Duration::from_secs(40);

/// Limits for one schedule as the command `loopwright schedule` has them.
pub fn schedule_budget() -> Budget {
    Budget::steps(STEPS).until(Instant::now() + LIMIT)
}

/// A schedule that respects constraints, and what there is to say about it.
///
/// ```
/// use loopwright::schedule_constraints;
/// use loopwright::scheduler::{Options, ScheduleConstraints};
/// let constraints = ScheduleConstraints::parse(
///     "domain: '[n] -> { S[i, j] : 0 <= i, j < n }'\nvalidity: '{ S[i, j] -> S[i + 1, j]; S[i, j] -> S[i, j + 1] }'",
/// )?;
/// let scheduled = schedule_constraints(&constraints, &Options::tiling())?;
/// assert!(scheduled.tree.to_string().contains("permutable"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no schedule is found within [`schedule_budget`], or the constraints allow none.
pub fn schedule_constraints(
    constraints: &ScheduleConstraints,
    options: &Options,
) -> Result<Scheduled, Failure> {
    schedule(constraints, options, &schedule_budget())
        .map_err(|error| Failure::in_stage("scheduling", &error))
}

/// What a schedule of a model has to respect, with live-range reordering: [`schedule_constraints`] finds one.
///
/// ```
/// use loopwright::{ModelBuilder, StatementBuilder, constraints_of_model};
/// let statement = StatementBuilder::new("{ S[i] : 0 < i < 9 }", &["i"], "A[i] = A[i - 1];");
/// let scop = ModelBuilder::new("{ : }")
///     .array("A", "double", &["9"])
///     .statement(statement.reads("{ S[i] -> A[i - 1] }").writes("{ S[i] -> A[i] }"))
///     .build()?;
/// let validity = constraints_of_model(&scop)?.validity;
/// assert_eq!(validity.to_string(), "{ S[i] -> S[i' = 1 + i] : 0 < i <= 7 }");
/// # Ok::<(), loopwright::Failure>(())
/// ```
///
/// # Errors
/// If parts of the model do not fit together; if a limit is reached.
pub fn constraints_of_model(scop: &Scop) -> Result<ScheduleConstraints, Failure> {
    let budget = schedule_budget();
    let in_stage = |error| Failure::in_stage("dependence analysis", &error);
    let dependences = Dependences::of_scop(scop, &budget).map_err(in_stage)?;
    let domain = executed_instances(scop).map_err(in_stage)?;
    constraints::schedule_constraints(scop, &dependences, &domain, &Effort::default())
        .map_err(in_stage)
}
