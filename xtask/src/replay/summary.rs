//! The table by operation.
use super::operation::{Failure, Outcome};
use super::record::{Quality, Record};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// What became of the lines, by operation.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    operations: BTreeMap<String, Line>,
    failures: Vec<String>,
}

#[derive(Clone, Debug, Default)]
struct Line {
    done: usize,
    time: Duration,
    quality: Quality,
    recorded: Quality,
    unsupported: usize,
    limits: usize,
    failures: usize,
}

impl Summary {
    /// Counts one line.
    pub(crate) fn add(&mut self, record: &Record, outcome: &Outcome) {
        let line = self.operations.entry(record.operation.clone()).or_default();
        match outcome {
            Outcome::Done { time, quality, .. } => {
                line.done += 1;
                line.time += *time;
                line.quality.add(*quality);
                line.recorded.add(record.recorded);
            }
            Outcome::Failed(Failure::Unsupported) => line.unsupported += 1,
            Outcome::Failed(Failure::Limit) => line.limits += 1,
            Outcome::Failed(failure) => {
                line.failures += 1;
                self.failures.push(format!("{} {}: {failure}", record.id, record.operation));
            }
        }
    }

    fn total(&self) -> Line {
        let mut total = Line::default();
        for line in self.operations.values() {
            total.done += line.done;
            total.time += line.time;
            total.quality.add(line.quality);
            total.recorded.add(line.recorded);
            total.unsupported += line.unsupported;
            total.limits += line.limits;
            total.failures += line.failures;
        }
        total
    }
}

impl Quality {
    fn add(&mut self, other: Quality) {
        self.pieces += other.pieces;
        self.constraints += other.constraints;
        self.locals += other.locals;
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.pieces, self.constraints, self.locals)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let microseconds = self.time.as_secs_f64() * 1e6;
        write!(f, "{:>6} {microseconds:>12.1} {:>24}", self.done, self.quality.to_string())?;
        write!(f, " {:>24}", self.recorded.to_string())?;
        write!(f, " {:>11} {:>6} {:>6}", self.unsupported, self.limits, self.failures)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:40} {:>6} {:>12} {:>24} {:>24} {:>11} {:>6} {:>6}",
            "operation (sizes: pieces/constraints/locals)",
            "done",
            "us",
            "size",
            "recorded",
            "unsupported",
            "limit",
            "failed"
        )?;
        for (operation, line) in &self.operations {
            writeln!(f, "{operation:44} {line}")?;
        }
        writeln!(f, "{:44} {}", "all", self.total())?;
        self.failures.iter().try_for_each(|failure| writeln!(f, "{failure}"))
    }
}
