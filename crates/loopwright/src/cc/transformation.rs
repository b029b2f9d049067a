//! A process that transforms a translation unit, with a limited time.
use std::ffi::OsString;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running process.
pub(super) struct Transformation {
    child: Child,
    end: Instant,
}

impl Transformation {
    /// Starts this program with the user's options for a job.
    pub(super) fn start(
        options: &[OsString],
        job: &Path,
        limit: Duration,
    ) -> std::io::Result<Transformation> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("cc").args(options).env(super::JOB_VARIABLE, job);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Transformation { child: command.spawn()?, end: Instant::now() + limit })
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// Why there is no result: it took too long, or failed.
    pub(super) fn wait(mut self) -> Result<(), String> {
        let mut pause = Duration::from_micros(200);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(format!("the transformation failed ({status})")),
                Ok(None) if Instant::now() < self.end => std::thread::sleep(pause),
                Ok(None) => return Err("the transformation took too long".to_string()),
                Err(error) => return Err(format!("the transformation is lost: {error}")),
            }
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }
}

impl Drop for Transformation {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
