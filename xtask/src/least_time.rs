//! The least time of several runs in one process.
use std::time::Instant;

/// Milliseconds above which one run is enough.
const LONG: f64 = 2000.0;

/// The least milliseconds of `runs` runs, or of those up to one that takes over two seconds, and
/// the result of the first run.
pub(crate) fn least_milliseconds<T, E>(
    runs: usize,
    work: impl Fn() -> Result<T, E>,
) -> Result<(f64, T), E> {
    let once = || {
        let start = Instant::now();
        let result = work()?;
        Ok((start.elapsed().as_secs_f64() * 1000.0, result))
    };
    let (mut least, result) = once()?;
    for _ in 1..runs {
        if least < LONG {
            least = least.min(once()?.0);
        }
    }
    Ok((least, result))
}
