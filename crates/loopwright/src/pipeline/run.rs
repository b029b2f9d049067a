//! What all stages of a compilation are given beside the value that they take.
use crate::pipeline::outcome::{Clock, Stage};
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use loopwright_presburger::Budget;

/// The work that a stage of one region may take; what happens at the limit is said where each stage is called.
pub(crate) fn stage_budget_by(options: &CompileOptions) -> Budget {
    options.embedding.effort.stage()
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

    /// How much work the stages may take.
    pub(crate) fn effort(self) -> &'a Effort {
        &self.options.embedding.effort
    }

    /// The clock.
    pub(crate) fn clock(self) -> &'a Clock {
        self.clock
    }
}
