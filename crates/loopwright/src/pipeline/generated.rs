//! Loops of a schedule, as a value.
use crate::diagnostics::failure::{Failure, Status};
use crate::pipeline::outcome::Proofs;
use loopwright_astgen::AstNode;
use loopwright_schedule::ScheduleTree;
use loopwright_scop::Scop;
use loopwright_verify::Loops;
use std::fmt;

/// So many characters of an expression are shown in a message.
const LONGEST_EXPRESSION: usize = 200;

/// Why there is no code for a schedule.
pub(crate) enum NoCode {
    /// The proof has refuted the generated loops, for these reasons.
    WrongLoops(Vec<String>),
    /// The proof has refuted the printed text, for these reasons.
    WrongText(Vec<String>),
    /// What the loops compute does not fit 64 bits, for example this.
    NoRoom(String),
    /// A stage failed.
    Failed(Failure),
}

impl fmt::Display for NoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCode::WrongLoops(reasons) => write!(
                f,
                "the generated loops were rejected by the proof (this is a defect of the compiler, \
                 please report it){}",
                listed(reasons)
            ),
            NoCode::WrongText(reasons) => write!(
                f,
                "the printed text was rejected by the proof (this is a defect of the compiler, \
                 please report it){}",
                listed(reasons)
            ),
            NoCode::NoRoom(expression) => {
                let shown: String = expression.chars().take(LONGEST_EXPRESSION).collect();
                let rest = if shown.len() < expression.len() { "..." } else { "" };
                write!(f, "the new loops compute what 64 bits have no room for: `{shown}{rest}`")
            }
            NoCode::Failed(failure) if failure.status == Status::Limit => {
                write!(f, "there is no code for the computed schedule ({failure})")
            }
            NoCode::Failed(failure) => write!(
                f,
                "there is no code for the computed schedule (this is a defect of the compiler, \
                 please report it; {failure})"
            ),
        }
    }
}

/// Reasons, each on a line of its own.
fn listed(reasons: &[String]) -> String {
    reasons.iter().map(|reason| format!("\n  {reason}")).collect()
}

impl From<Failure> for NoCode {
    fn from(failure: Failure) -> Self {
        NoCode::Failed(failure)
    }
}

/// Loops, the program that they run, and what is proved about them.
pub(crate) struct Generated {
    pub(crate) scop: Scop,
    pub(crate) tree: ScheduleTree,
    pub(crate) ast: AstNode,
    pub(crate) proofs: Proofs,
    /// The loops, if they have been read for a proof.
    pub(crate) loops: Option<Loops>,
}
