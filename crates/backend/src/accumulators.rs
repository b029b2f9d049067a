//! Array elements that stay the same throughout an innermost loop are kept in local variables.
//!
//! ```text
//! for (long c1 = 0; c1 < n; c1++)              if (0 < n) {
//!   y[c0] = y[c0] + A[c0][c1] * x[c1];   ⟶      double y_value = y[c0];
//!                                               for (long c1 = 0; c1 < n; c1++)
//!                                                 y_value = y_value + A[c0][c1] * x[c1];
//!                                               y[c0] = y_value;
//!                                             }
//! ```
//!
//! Compilers cannot do this by themselves where `y` and `x` are pointers that might overlap; the
//! front end has established or recorded that they do not. The loop runs at least once inside of
//! the condition and writes the element for sure, so that the element exists and nothing is written
//! that the program does not write; and no other access in the loop is to the same array, so that
//! the copy is the only one.
use crate::body::{Body, Element};
use loopwright_presburger::Name;
use loopwright_scop::{AccessKind, ArrayId, Scop, Statement};

/// An element that is kept in a variable.
pub(crate) struct Accumulator {
    pub(crate) array: ArrayId,
    /// How C has the element.
    pub(crate) element: String,
}

/// The elements that are written in a loop over `iterator` with the given statements as its body,
/// are the same in all iterations, and are all that the loop accesses of their arrays.
pub(crate) fn accumulators(
    scop: &Scop,
    statements: &[(&Statement, Body)],
    iterator: &Name,
) -> Vec<Accumulator> {
    let mut found: Vec<Accumulator> = Vec::new();
    let elements: Vec<&Element> = statements.iter().flat_map(|(_, body)| body.elements()).collect();
    for element in &elements {
        let array = scop.array(element.array);
        let is_known = found.iter().any(|known| known.array == element.array);
        let same_array = || elements.iter().filter(|other| other.array == element.array);
        if !is_known
            && !array.is_scalar()
            && is_written(statements, element.array)
            && same_array().all(|other| other.text == element.text)
            && !element.mentions(iterator)
        {
            found.push(Accumulator { array: element.array, element: element.text.clone() });
        }
    }
    found
}

/// Whether one of the statements writes the array whenever it runs.
fn is_written(statements: &[(&Statement, Body)], array: ArrayId) -> bool {
    statements.iter().any(|(statement, _)| {
        let is_write = |kind| kind == AccessKind::MustWrite;
        statement.accesses.iter().any(|access| access.array == array && is_write(access.kind))
    })
}
