//! What a search has found, for people and as JSON.
use super::workbench::Outcome;
use crate::pipeline::compile::Compiled;
use crate::report::json::json_report;
use crate::settings::choices::Choices;
use loopwright_machine::Machine;
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

/// A program that was tried.
#[derive(Clone, Debug)]
pub struct Tried {
    /// What is different from the best one before it.
    pub label: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The label of an earlier program with the same text, whose time it has.
    pub same_as: Option<String>,
    /// All choices.
    pub choices: Choices,
}

impl Tried {
    pub(super) fn new(label: &str, outcome: Outcome, choices: Choices) -> Self {
        Tried { label: label.to_string(), outcome, same_as: None, choices }
    }

    /// The least seconds, if it has run.
    pub fn seconds(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Timed { seconds, .. } => Some(seconds),
            _ => None,
        }
    }
}

/// The result of [`tune`](super::tune).
#[derive(Debug)]
pub struct Tuned {
    /// The compilation with the choices that were kept.
    pub compiled: Compiled,
    /// All programs that were tried, in order: the original, the model's choices, and others.
    pub tried: Vec<Tried>,
    /// The position of the kept one.
    pub chosen: usize,
    /// The medians of the last comparison: the original, the model's choices, the best.
    pub last: Option<[f64; 3]>,
    /// The time of the search.
    pub elapsed: Duration,
}

impl Tuned {
    /// The report about the compilation of `file` with a field `tuning` (docs/tuning.md).
    pub fn json(&self, file: &str, machine: &Machine) -> Value {
        let tried = self.tried.iter().map(|tried| {
            let mut object = match &tried.outcome {
                Outcome::Timed { seconds, runs } => json!({ "seconds": seconds, "runs": runs }),
                Outcome::Stopped(after) => json!({ "stopped_after_seconds": after }),
                Outcome::Failed(reason) => json!({ "failure": reason }),
                Outcome::OutOfTime => json!({}),
            };
            object["change"] = tried.label.clone().into();
            object["choices"] = tried.choices.to_string().into();
            if let Some(same) = &tried.same_as {
                object["same_code_as"] = same.clone().into();
            }
            object
        });
        let last = self.last.map(
            |[original, model, best]| json!({ "original": original, "model": model, "best": best }),
        );
        let mut report = json_report(file, &self.compiled, machine);
        report["tuning"] = json!({
            "tried": tried.collect::<Vec<_>>(),
            "kept": self.chosen,
            "medians_in_turn": last,
            "seconds": self.elapsed.as_secs_f64(),
        });
        report
    }
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let original = self.tried.first().and_then(Tried::seconds);
        let labels = self.tried.iter().map(|tried| tried.label.chars().count());
        let width = labels.max().unwrap_or(0);
        writeln!(f, "{:width$}  {:>10}  {:>9}", "choices", "seconds", "speed-up")?;
        for (position, tried) in self.tried.iter().enumerate() {
            write!(f, "{:width$}  ", tried.label)?;
            match (&tried.outcome, &tried.same_as) {
                (_, Some(same)) => write!(f, "{:>10}  (the same code as: {same})", "")?,
                (Outcome::Timed { seconds, .. }, _) => {
                    let speed_up = original.unwrap_or(f64::NAN) / seconds;
                    write!(f, "{seconds:>10.4}  {speed_up:>8.2}x")?;
                }
                (Outcome::Stopped(after), _) => {
                    write!(f, "{:>10}  stopped", format!("> {after:.2}"))?
                }
                (Outcome::Failed(reason), _) => {
                    let first = reason.lines().next().unwrap_or_default();
                    write!(f, "{:>10}  {first}", "–")?;
                }
                (Outcome::OutOfTime, _) => write!(f, "{:>10}  out of time", "–")?,
            }
            writeln!(f, "{}", if position == self.chosen { "  <- kept" } else { "" })?;
        }
        if let Some([original, model, best]) = self.last {
            writeln!(
                f,
                "in turn (medians): original {original:.4} s, model {model:.4} s, best {best:.4} s"
            )?;
        }
        let seconds = self.elapsed.as_secs_f64();
        writeln!(f, "{} programs in {seconds:.1} s", self.tried.len())
    }
}
