//! Where the accesses of a model stand in the text, and which loops its dimensions are.
//!
//! Two models of one text, with conditions on data as filters and without, have different statements.
//! Accesses at one place of the text are the same accesses in both, and the outer dimensions of their
//! statements the same loops.

/// A loop that is a dimension of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopPlace {
    /// The name of its iterator; `count` where it has none.
    pub iterator: String,
    /// What each iteration adds.
    pub step: i64,
    /// Whether the values of the iterator are those before the condition changes it.
    pub is_plain: bool,
}

/// The places of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementPlaces {
    /// The byte of the preprocessed text at which the statement begins.
    pub at: usize,
    /// For each access its byte in the preprocessed text; nothing where accesses have been put together.
    pub accesses: Vec<usize>,
    /// The loops around the statement, outermost first.
    pub loops: Vec<LoopPlace>,
}

/// How a variable is declared in C, whatever its model looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredShape {
    /// The extent of each dimension as it is written; none of a pointer, or where nothing is written.
    pub extents: Vec<Option<String>>,
    /// Whether it is declared in the file, outside of functions.
    pub is_in_file: bool,
}
