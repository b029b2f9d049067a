//! The time of one call.
//!
//! On a busy machine a long call is interrupted by other programs. Where the system tells how long
//! a thread has had the processor (Linux: `/proc/thread-self/schedstat`, brought up to date by
//! giving the processor away once), the lesser of both times counts.
use std::time::{Duration, Instant};

/// Shorter calls are rarely interrupted, and finding out would take longer than they do.
const LONG: Duration = Duration::from_micros(100);

/// The result of a call, and its time; the processor's time if `is_busy` and that is less.
pub(crate) fn timed<T>(is_busy: bool, call: impl FnOnce() -> T) -> (T, Duration) {
    let processor_start = if is_busy { processor_time() } else { None };
    let start = Instant::now();
    let result = call();
    let elapsed = start.elapsed();
    let used = processor_start.filter(|_| elapsed > LONG).and_then(|start| {
        let end = processor_time()?;
        end.checked_sub(start)
    });
    (result, used.map_or(elapsed, |used| used.min(elapsed)))
}

/// How long this thread has had the processor.
fn processor_time() -> Option<Duration> {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
