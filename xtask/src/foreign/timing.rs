//! Times the builds of a program in turn.
use super::build::{Purpose, build};
use super::execution::{End, STDOUT, execute};
use super::manifest::ForeignProgram;
use super::record::{BuildRecord, Record};
use super::way::{Tools, Way};
use crate::programs::name_matches;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is timed, and how.
pub(super) struct Plan<'a> {
    pub(super) ways: &'a [Way],
    /// Runs of each build, where the manifest does not say it.
    pub(super) runs: usize,
    /// How long a program may be timed: no further round begins after it.
    pub(super) limit: Duration,
    pub(super) threads: usize,
    pub(super) tools: &'a Tools,
}

/// Runs every build that does what the plain one does, one after the other, as often as asked for, so that
/// each pair of runs sees the same machine.
pub(super) fn time(
    program: &ForeignProgram,
    plan: &Plan,
    folder: &Path,
    record: &mut Record,
) -> Result<(), String> {
    let mut builds = Vec::new();
    for way in plan.ways {
        if record.build(*way).is_some_and(BuildRecord::is_right) {
            let built = build(program, Purpose::Run(*way), plan.tools, folder)?;
            builds.push((*way, built.executable, Vec::new()));
        }
    }
    let start = Instant::now();
    for round in 0..program.time.runs.unwrap_or(plan.runs) {
        if round > 0 && start.elapsed() >= plan.limit {
            break;
        }
        for (_, executable, taken) in &mut builds {
            taken.push(seconds(program, executable, plan.threads, &folder.join("timed"))?);
        }
    }
    for (way, _, taken) in builds {
        record.builds.entry(way.name().to_string()).or_default().seconds = taken;
    }
    Ok(())
}

/// The seconds of one run.
fn seconds(
    program: &ForeignProgram,
    executable: &Path,
    threads: usize,
    folder: &Path,
) -> Result<f64, String> {
    let run = execute(program, executable, &[], threads, folder)?;
    if run.end == End::TooLong {
        return Err("a timed run was stopped at its limit".to_string());
    }
    let Some(pattern) = &program.time.printed else { return Ok(run.elapsed.as_secs_f64()) };
    let text = std::fs::read(folder.join(STDOUT)).map_err(|e| e.to_string())?;
    printed_seconds(&String::from_utf8_lossy(&text), pattern)
        .ok_or_else(|| format!("no line is `{pattern}` with a number"))
}

/// The number in place of the `*` of a pattern, in the first line that matches.
fn printed_seconds(text: &str, pattern: &str) -> Option<f64> {
    let (before, after) = pattern.split_once('*')?;
    let line = text.lines().find(|line| name_matches(line, pattern))?;
    line.strip_prefix(before)?.strip_suffix(after)?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_found_in_the_line() {
        let text = "result 7\nTime in seconds =   1.25\n";
        assert_eq!(printed_seconds(text, "Time in seconds = *"), Some(1.25));
        assert_eq!(printed_seconds("took 3.5 s\n", "took * s"), Some(3.5));
        assert_eq!(printed_seconds("took\n", "took * s"), None);
    }
}
