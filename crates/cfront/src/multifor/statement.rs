//! What multifor statements are, as they are written.
use super::expression::MultiforExpression;
use std::ops::Range;

/// A multifor statement of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMultifor {
    /// The statement.
    pub statement: MultiforSyntax,
    /// The words behind `#pragma multifor` on the lines in front of it, and the byte at which each line's
    /// words begin.
    pub pragmas: Vec<(usize, String)>,
    /// The bytes of the statement and its pragmas.
    pub bytes: Range<usize>,
    /// The white space in front of it on its line.
    pub indentation: String,
}

/// A multifor statement: for-loops that advance together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiforSyntax {
    /// The byte at which it begins.
    pub start: usize,
    /// Its line (1-based).
    pub line: u32,
    /// Its loops, by their numbers.
    pub loops: Vec<MultiforLoop>,
    /// Its body.
    pub items: Vec<MultiforItem>,
}

/// One of the loops of a multifor statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiforLoop {
    /// The byte at which it begins in the first list of the head.
    pub start: usize,
    /// The index.
    pub index: String,
    /// The type that is written in front of the index, or `int`.
    pub index_type: String,
    /// The first value of the index.
    pub first: MultiforExpression,
    /// How the index is compared with the bound to go on.
    pub relation: MultiforRelation,
    /// The bound.
    pub bound: MultiforExpression,
    /// The step, not zero.
    pub step: i64,
    /// It runs once every so many points of the referential domain; at least 1.
    pub grain: i64,
    /// The point of the referential domain of its first iteration; not negative.
    pub offset: i64,
}

/// How an index is compared with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MultiforRelation {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// A part of the body of a multifor statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MultiforItem {
    /// A statement of one of the loops. What is written for several loops is several of these.
    Statement(MultiforStatement),
    /// Loops inside, each in that of the same number.
    Inner(MultiforSyntax),
}

/// A statement of one of the loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiforStatement {
    /// The byte at which the statement begins, behind its prefix.
    pub start: usize,
    /// Its line (1-based).
    pub line: u32,
    /// The number of the loop.
    pub nest: usize,
    /// The text in parts. It is one statement of C.
    pub body: Vec<MultiforText>,
}

/// A part of the text of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MultiforText {
    /// Text that stays as it is.
    Plain(String),
    /// The value of an index.
    Index {
        /// The index.
        name: String,
        /// Whether it is a part of a subscript that is a sum of products, where its type does not matter.
        in_subscript: bool,
    },
}

impl MultiforRelation {
    /// Whether `value` is still in the loop.
    ///
    /// ```
    /// use loopwright_cfront::MultiforRelation;
    /// assert!(MultiforRelation::LessEqual.holds(3, 3) && !MultiforRelation::Less.holds(3, 3));
    /// ```
    pub fn holds(self, value: i128, bound: i128) -> bool {
        match self {
            MultiforRelation::Less => value < bound,
            MultiforRelation::LessEqual => value <= bound,
            MultiforRelation::Greater => value > bound,
            MultiforRelation::GreaterEqual => value >= bound,
        }
    }

    /// The operator in C.
    ///
    /// ```
    /// assert_eq!(loopwright_cfront::MultiforRelation::Less.operator(), "<");
    /// ```
    pub fn operator(self) -> &'static str {
        match self {
            MultiforRelation::Less => "<",
            MultiforRelation::LessEqual => "<=",
            MultiforRelation::Greater => ">",
            MultiforRelation::GreaterEqual => ">=",
        }
    }
}
