//! A process that transforms a translation unit, with a limited time.
use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How many times as long as its processor time a process may run.
const TIMES_AS_LONG: u32 = 4;

/// Why there is no result.
const TOO_LONG: &str = "the transformation took too long";

/// Between two looks at a process.
const FIRST_PAUSE: Duration = Duration::from_micros(200);
const LAST_PAUSE: Duration = Duration::from_millis(5);

/// A running process.
pub(super) struct Transformation {
    child: Child,
    end: Instant,
}

impl Transformation {
    /// Starts this program with the user's options for a job, which limits its own processor time. Where
    /// others use the processors as well, it may take some times as long.
    pub(super) fn start(
        options: &[OsString],
        job: &Path,
        limit: Duration,
    ) -> std::io::Result<Transformation> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("cc").args(options).env(super::JOB_VARIABLE, job);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Transformation { child: command.spawn()?, end: Instant::now() + limit * TIMES_AS_LONG })
    }

    /// Waits for its end, but not longer than some time; whether it has ended.
    pub(super) fn ends_within(&mut self, time: Duration) -> bool {
        let end = Instant::now() + time;
        let mut pause = FIRST_PAUSE;
        while matches!(self.child.try_wait(), Ok(None)) {
            if Instant::now() >= end {
                return false;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(LAST_PAUSE);
        }
        true
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// Why there is no result: it took too long, or failed.
    pub(super) fn wait(mut self) -> Result<(), String> {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) if is_out_of_time(status) => return Err(TOO_LONG.to_string()),
                Ok(Some(status)) => return Err(format!("the transformation failed ({status})")),
                Ok(None) if Instant::now() < self.end => std::thread::sleep(pause),
                Ok(None) => return Err(TOO_LONG.to_string()),
                Err(error) => return Err(format!("the transformation is lost: {error}")),
            }
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }
}

/// Whether a process has been ended because of its processor time.
fn is_out_of_time(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::Signal;
        use std::os::unix::process::ExitStatusExt;
        status.signal() == Some(Signal::XCPU.as_raw())
    }
    #[cfg(not(unix))]
    {
        let _ = status;
        false
    }
}

impl Drop for Transformation {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
