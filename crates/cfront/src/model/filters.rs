//! Conditions on data that are kept apart from the statements under them.
use crate::model::conditions::Disjunction;

/// Which evaluations of a condition an instance looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    /// The one in the same iteration of the loops around the evaluation.
    Same,
    /// All that come before the instance, in the same iteration of so many of the outer loops.
    Before(usize),
}

/// Which outcomes, or values, are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The outcome alone.
    Outcome,
    /// The values that it reads: where it holds, over what stands for each of them, and where that is read.
    Values(Disjunction, Vec<(u32, usize)>),
}

/// A condition that a statement is under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawFilter {
    /// The statement that evaluates it.
    pub(crate) evaluation: usize,
    pub(crate) range: Range,
    /// Whether the condition holds then; nothing where only values are evaluated.
    pub(crate) outcome: Option<bool>,
    pub(crate) asked: Asked,
}

impl RawFilter {
    /// The filter after statements have got other numbers; evaluations are never left out.
    pub(crate) fn renumber(&mut self, kept: &[Option<usize>]) {
        if let Some(Some(number)) = kept.get(self.evaluation) {
            self.evaluation = *number;
        }
    }
}

/// What is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaves {
    /// The rest of an iteration of a loop.
    Iteration(u32),
    /// A loop.
    Loop(u32),
    /// The region.
    Region,
}

/// A place at which a loop, or the region, is left, depending on the outcome of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawExit {
    pub(crate) evaluation: usize,
    /// The outcome with which it is not left.
    pub(crate) staying: bool,
    pub(crate) leaves: Leaves,
}
