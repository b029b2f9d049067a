//! Processes that are given a limited time.
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// The shortest time between two looks at a process.
const SHORTEST_WAIT: Duration = Duration::from_micros(100);

/// The longest time between two looks.
const LONGEST_WAIT: Duration = Duration::from_millis(5);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// How long it ran, to about half a percent.
    pub elapsed: Duration,
}

/// Runs a command to its end; none if it had to be stopped after `limit`.
///
/// What the command writes has to go to files or to nowhere: nobody reads pipes while it runs.
/// Processes that it starts itself are not stopped.
///
/// ```
/// use std::process::Command;
/// use std::time::Duration;
/// use loopwright::tune::run_within;
/// let second = Duration::from_secs(1);
/// let ended = run_within(Command::new("sh").args(["-c", "exit 3"]), second * 60)?;
/// assert_eq!(ended.and_then(|ended| ended.status.code()), Some(3));
/// assert_eq!(run_within(Command::new("sleep").arg("60"), second / 50)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the command cannot be started.
pub fn run_within(command: &mut Command, limit: Duration) -> io::Result<Option<Ended>> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    let ended = wait_within(&mut child, start, limit);
    if !matches!(ended, Ok(Some(_))) {
        // It may have ended just now, which is no failure.
        let _ = child.kill();
        let _ = child.wait();
    }
    ended
}

fn wait_within(child: &mut Child, start: Instant, limit: Duration) -> io::Result<Option<Ended>> {
    loop {
        let status = child.try_wait()?;
        let elapsed = start.elapsed();
        match status {
            Some(status) => return Ok(Some(Ended { status, elapsed })),
            None if elapsed >= limit => return Ok(None),
            None => {}
        }
        let wait = (elapsed / 200).clamp(SHORTEST_WAIT, LONGEST_WAIT);
        std::thread::sleep(wait.min(limit.saturating_sub(elapsed).max(SHORTEST_WAIT)));
    }
}
