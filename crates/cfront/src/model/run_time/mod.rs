//! What the model of a region needs and only the run of the program knows.
//!
//! Such a condition is checked in front of the region: where all of them hold the transformed code runs,
//! elsewhere the region as it was written. So a model may rely on them, and nothing has to be assumed.
//!
//! A kind of condition is a variant of [`Fact`]. How it is written in C ([`Fact::text`]) and what it
//! says about symbolic constants ([`Fact::constants`]) is decided here alone; a condition never
//! computes what C leaves undefined, whatever the values are.
use loopwright_presburger::{Row, Set};

mod inspected;
mod ranges;
mod residues;
mod rows;
mod symbolic_value;
mod text;

pub use inspected::INSPECTED;
pub(crate) use inspected::{IndexArray, Inspected, Positions};
pub(crate) use ranges::{Bound, ByteRange, Bytes, Level, Span};
pub use rows::ROWS_APART;
pub(crate) use rows::{MAX_TABLES, ROWS_PREFIX, RowRange};
pub use symbolic_value::SymbolicValue;
use text::set_text;

/// A condition that is checked in front of a region.
#[derive(Clone, Debug)]
pub struct RunTimeCondition {
    /// What has to hold.
    pub fact: Fact,
    /// The line of the user's file that needs it (1-based).
    pub line: u32,
    /// What it is good for, in words that follow "so that".
    pub reason: String,
}

/// What has to hold in front of a region.
#[derive(Clone, Debug)]
pub enum Fact {
    /// Constraints on symbolic constants.
    Constants {
        /// The values for which they hold, a set without dimensions.
        holds: Set,
        /// The symbolic constants, in the order of the parameters of `holds`.
        values: Vec<SymbolicValue>,
    },
    /// What the region accesses of two objects has no byte in common.
    Apart {
        /// The objects, as the region writes them.
        names: [String; 2],
        /// The condition of C.
        text: String,
    },
    /// Different subscripts of an array whose strides have nothing to do with each other are different
    /// elements.
    Strides {
        /// The array, as the region writes it.
        name: String,
        /// The condition of C.
        text: String,
    },
    /// No byte that the region writes of objects, some with tables of pointers to their rows, is in two of
    /// the rows.
    RowsApart {
        /// The objects, as the region writes them.
        names: Vec<String>,
        /// The condition of C, which uses the function of [`ROWS_APART`].
        text: String,
    },
    /// What the region accesses of objects, some with subscripts that are read from memory, has no byte in
    /// common.
    Inspected {
        /// The objects, as the region writes them.
        names: Vec<String>,
        /// The condition of C, which uses the functions of [`INSPECTED`].
        text: String,
    },
}

impl Fact {
    /// A condition of C that holds if the fact does: operands of `&&` can be put around it. None if it has
    /// none.
    pub fn text(&self) -> Option<String> {
        match self {
            Fact::Constants { holds, values } => set_text(holds, values),
            Fact::Apart { text, .. }
            | Fact::Strides { text, .. }
            | Fact::RowsApart { text, .. }
            | Fact::Inspected { text, .. } => Some(text.clone()),
        }
    }

    /// The symbolic constants for which it may hold; none if it says nothing about them.
    pub fn constants(&self) -> Option<&Set> {
        match self {
            Fact::Constants { holds, .. } => Some(holds),
            Fact::Apart { .. }
            | Fact::Strides { .. }
            | Fact::RowsApart { .. }
            | Fact::Inspected { .. } => None,
        }
    }

    /// Whether the check takes more than a few steps.
    pub fn is_costly(&self) -> bool {
        matches!(self, Fact::RowsApart { .. } | Fact::Inspected { .. })
    }

    /// What has to be declared in front of the function that has the condition.
    pub fn declarations(&self) -> Option<&'static str> {
        match self {
            Fact::RowsApart { .. } => Some(ROWS_APART),
            Fact::Inspected { .. } => Some(INSPECTED),
            _ => None,
        }
    }

    /// That two objects are apart, or, where they `may_coincide`, begin at the same place; none if a number
    /// in it is too large.
    pub(crate) fn apart(
        names: [String; 2],
        (pairs, may_coincide): (&[(ByteRange, ByteRange)], bool),
        context: &Set,
        values: &[SymbolicValue],
    ) -> Option<Self> {
        Some(Fact::Apart { names, text: ranges::apart_text(pairs, may_coincide, context, values)? })
    }

    /// That elements with subscripts between these bounds are different where their subscripts are; none if a
    /// number is too large.
    pub(crate) fn strides(
        name: String,
        (spans, strides): (&[Span], &[Row]),
        values: &[SymbolicValue],
    ) -> Option<Self> {
        Some(Fact::Strides { name, text: ranges::strides_text(spans, strides, values)? })
    }

    /// That rows behind tables of pointers are apart; none if a number is too large.
    pub(crate) fn rows_apart(
        names: Vec<String>,
        parts: &[RowRange],
        context: &Set,
        values: &[SymbolicValue],
    ) -> Option<Self> {
        Some(Fact::RowsApart { names, text: rows::rows_text(parts, context, values)? })
    }

    /// That ranges, some of which are known from indices in memory, are apart; none if a number is too large.
    pub(crate) fn inspected(
        names: Vec<String>,
        pairs: &[(Inspected, Inspected)],
        context: &Set,
        values: &[SymbolicValue],
    ) -> Option<Self> {
        Some(Fact::Inspected { names, text: inspected::inspected_text(pairs, context, values)? })
    }

    /// What it says, in words that follow "that".
    pub fn statement(&self) -> String {
        match self {
            Fact::Constants { .. } => format!("`{}`", self.text().unwrap_or_default()),
            Fact::Apart { names: [a, b], .. } => {
                format!("what is accessed of `{a}` and `{b}` does not overlap")
            }
            Fact::Strides { name, .. } => {
                format!("the strides of `{name}` are larger than what lies between them")
            }
            Fact::RowsApart { names, .. } => {
                let names = names.join("`, `");
                format!("the rows that are accessed of `{names}` do not overlap")
            }
            Fact::Inspected { names, .. } => {
                let names = names.join("`, `");
                format!("what is accessed of `{names}` does not overlap, by the indices in memory")
            }
        }
    }
}

impl RunTimeCondition {
    /// What is checked and why, in one sentence.
    pub fn sentence(&self) -> String {
        format!("{}, so that {}", self.fact.statement(), self.needed_for())
    }

    /// What it is good for, with the line.
    pub fn needed_for(&self) -> String {
        format!("in line {} {}", self.line, self.reason)
    }
}
