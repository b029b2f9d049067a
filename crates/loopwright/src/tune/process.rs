//! Processes that are given a limited time.
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
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
/// Processes that it starts itself are stopped with it, where the system has groups of processes.
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
/// If the command cannot be started, or the search was stopped by a signal (see [`stop_on_signals`]).
pub fn run_within(command: &mut Command, limit: Duration) -> io::Result<Option<Ended>> {
    if is_stopped() {
        return Err(io::ErrorKind::Interrupted.into());
    }
    let start = Instant::now();
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn()?;
    let ended = wait_within(&mut child, start, limit);
    if !matches!(ended, Ok(Some(_))) {
        // It may have ended just now, which is no failure.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&child),
            rustix::process::Signal::KILL,
        );
        let _ = child.kill();
        let _ = child.wait();
    }
    ended
}

/// Whether a signal has asked for the end.
static STOPPED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on signals that ask for the end (SIGINT, SIGTERM, SIGHUP) no longer end this process at once:
/// what it runs is stopped and [`run_within`] fails, so that a search ends in order and leaves nothing
/// behind.
///
/// # Errors
/// If the system does not allow it.
pub fn stop_on_signals() -> io::Result<()> {
    let stopped = STOPPED.get_or_init(Arc::default);
    #[cfg(unix)]
    for signal in
        [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP]
    {
        signal_hook::flag::register(signal, Arc::clone(stopped))?;
    }
    let _ = stopped;
    crate::signals::end_those_in_group();
    Ok(())
}

/// Whether a signal has asked for the end since [`stop_on_signals`].
pub(super) fn is_stopped() -> bool {
    STOPPED.get().is_some_and(|stopped| stopped.load(Ordering::Relaxed))
}

fn wait_within(child: &mut Child, start: Instant, limit: Duration) -> io::Result<Option<Ended>> {
    loop {
        let status = child.try_wait()?;
        let elapsed = start.elapsed();
        match status {
            Some(status) => return Ok(Some(Ended { status, elapsed })),
            None if is_stopped() => return Err(io::ErrorKind::Interrupted.into()),
            None if elapsed >= limit => return Ok(None),
            None => {}
        }
        let wait = (elapsed / 200).clamp(SHORTEST_WAIT, LONGEST_WAIT);
        std::thread::sleep(wait.min(limit.saturating_sub(elapsed).max(SHORTEST_WAIT)));
    }
}
