//! How much work the regions of a file may take.
use std::time::Duration;

/// Limits of the work for a file. Regions that would take more stay as they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Steps for each stage of a region; the usual ones if none are given.
    pub stage_steps: Option<u64>,
    /// Processor time of the process after which no further region is begun.
    pub processor_time: Option<Duration>,
}

impl Effort {
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
