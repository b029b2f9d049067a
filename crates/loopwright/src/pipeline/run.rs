//! What all stages of a compilation are given beside the value that they take.
use crate::pipeline::outcome::{Clock, Stage};
use crate::settings::options::CompileOptions;
use loopwright_presburger::Budget;

/// Steps for each stage of one region (see [`Budget`]); what happens at the limit is said where
/// each stage is called.
const STAGE_STEPS: u64 = 20_000_000;

/// The work that a stage of one region may take.
pub(crate) fn stage_budget() -> Budget {
    Budget::steps(STAGE_STEPS)
}

/// The same where there may be less of it by choice; it ends with the time of the region, too.
pub(crate) fn stage_budget_by(options: &CompileOptions) -> Budget {
    let effort = &options.embedding.effort;
    let budget = Budget::steps(effort.stage_steps.unwrap_or(STAGE_STEPS));
    match effort.region_end {
        Some(end) => budget.until(end),
        None => budget,
    }
}

/// The choices of a compilation, and the clock of its stages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    pub(crate) options: &'a CompileOptions,
    clock: &'a Clock,
}

impl<'a> Run<'a> {
    pub(crate) fn new(options: &'a CompileOptions, clock: &'a Clock) -> Self {
        Run { options, clock }
    }

    /// The same run with other choices.
    pub(crate) fn with<'b>(self, options: &'b CompileOptions) -> Run<'b>
    where
        'a: 'b,
    {
        Run { options, clock: self.clock }
    }

    /// Runs `work` and adds its time to a stage.
    pub(crate) fn time<T>(self, stage: Stage, work: impl FnOnce() -> T) -> T {
        self.clock.time(stage, work)
    }

    /// The clock.
    pub(crate) fn clock(self) -> &'a Clock {
        self.clock
    }
}
