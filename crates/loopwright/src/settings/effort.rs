//! How much work the regions of a file may take.
use std::time::{Duration, Instant};

/// Limits of the work for a file. Regions that would take more stay as they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Steps for each stage of a region; the usual ones if none are given.
    pub stage_steps: Option<u64>,
    /// Processor time of the process after which no further region is begun. What is left of it is shared out
    /// among the regions, those first that promise most.
    pub processor_time: Option<Duration>,
    /// The moment at which stages of the region at work end, if it has one.
    pub region_end: Option<Instant>,
}

/// A region may take this part of the time that is left, if others wait.
const SHARE: u32 = 3;

/// A moment is later than processor time by as much where other processes run beside this one.
const SLACK: u32 = 2;

impl Effort {
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
