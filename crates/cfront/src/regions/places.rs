//! Where the accesses of a model stand in the text, and which loops its dimensions are.
//!
//! Two models of one text, with conditions on data as filters and without, have different statements. Accesses at one
//! place of the text are the same accesses in both, and the outer dimensions of their statements the same loops.

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
    /// For each access its byte in the preprocessed text; nothing where accesses have been put together.
    pub accesses: Vec<usize>,
    /// The loops around the statement, outermost first.
    pub loops: Vec<LoopPlace>,
}
