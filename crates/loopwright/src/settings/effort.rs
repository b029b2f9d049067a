//! How much work the regions of a file may take.
use loopwright_presburger::Budget;
use std::time::{Duration, Instant};

/// Limits of the work for a file. Regions that would take more stay as they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Steps for each stage of a region; the usual ones, 20 million, if none are given. The limits of
    /// everything else that is done for a region, proofs among them, are more or less than the usual ones by
    /// the same factor.
    pub stage_steps: Option<u64>,
    /// Processor time of the process after which no further region is begun. What is left of it is shared out
    /// among the regions, those first that promise most.
    pub processor_time: Option<Duration>,
    /// The moment at which stages of the region at work end, if it has one.
    pub region_end: Option<Instant>,
}

/// The usual steps for each stage of a region (see [`Budget`]).
const STAGE_STEPS: u64 = 20_000_000;

/// A region may take this part of the time that is left, if others wait.
const SHARE: u32 = 3;

/// A moment is later than processor time by as much where other processes run beside this one.
const SLACK: u32 = 2;

impl Effort {
    /// The work that a stage of a region may take.
    pub(crate) fn stage(&self) -> Budget {
        self.budget(STAGE_STEPS)
    }

    /// The work for what usually may take so many steps. This is the only way to a budget in a compilation
    /// (`cargo xtask gates` looks at it), so that one effort decides about all of them.
    pub(crate) fn budget(&self, usual: u64) -> Budget {
        let budget = Budget::steps(self.scaled(usual));
        match self.region_end {
            Some(end) => budget.until(end),
            None => budget,
        }
    }

    /// A usual number of steps by this effort.
    fn scaled(&self, usual: u64) -> u64 {
        let Some(own) = self.stage_steps else { return usual };
        let scaled = u128::from(usual) * u128::from(own) / u128::from(STAGE_STEPS);
        u64::try_from(scaled).unwrap_or(u64::MAX)
    }

    /// The same for a region before `n_waiting` others: one that takes long leaves time for them.
    pub(crate) fn of_region(&self, n_waiting: usize) -> Effort {
        let left = || Some(self.processor_time?.saturating_sub(processor_time()?));
        let share = |left: Duration| if n_waiting == 0 { left } else { left / SHARE };
        let end = left().and_then(|left| Instant::now().checked_add(share(left) * SLACK));
        Effort { region_end: end, ..self.clone() }
    }

    /// Why no further region is begun.
    pub(crate) fn is_over(&self) -> Option<String> {
        let limit = self.processor_time?;
        (processor_time()? > limit)
            .then(|| format!("the {} s for this file are over", limit.as_secs_f64()))
    }
}

/// The processor time that this process has taken, if the system says it.
fn processor_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Duration::try_from(time).ok()
    }
    #[cfg(not(unix))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_limits_change_by_one_factor() {
        let usual = Effort::default();
        assert_eq!((usual.stage().remaining(), usual.budget(7).remaining()), (STAGE_STEPS, 7));
        let half = Effort { stage_steps: Some(STAGE_STEPS / 2), ..Effort::default() };
        assert_eq!(half.stage().remaining(), STAGE_STEPS / 2);
        assert_eq!(half.budget(3_000_000).remaining(), 1_500_000);
        let most = Effort { stage_steps: Some(u64::MAX), ..Effort::default() };
        assert_eq!(most.budget(u64::MAX).remaining(), u64::MAX);
    }
}
