//! Parts of statements that are computed ahead, into a buffer.
use crate::{ArrayId, StatementId};
use loopwright_presburger::MultiAff;

/// A panel: a small local array that holds values of a part of a statement for one tile.
///
/// The statement `statement` assigns that part to elements of `array`, one per instance;
/// the instance `x` of `reader` reads the element that the instance `instance(x)` of `statement` has
/// written. That this is so, in the same execution of the block in which the array is declared, is
/// for `loopwright_verify` to prove.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The buffer.
    pub array: ArrayId,
    /// The statement that fills it.
    pub statement: StatementId,
    /// The statement that reads it.
    pub reader: StatementId,
    /// `{ reader[..] -> statement[..] }`.
    pub instance: MultiAff,
}
