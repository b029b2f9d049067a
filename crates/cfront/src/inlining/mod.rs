//! Calls in loops replaced by the bodies of the functions that they call, as text.
//!
//! The text of a file is written anew, line by line what it was: the body stands on the line of the call,
//! with names of its own for what the function declares. So regions are searched in it as in any other text,
//! and what is found stands at the same lines of the user's file. [`callee`] says which functions can be
//! written in place of a call, [`call_site`] in which statements, [`expansion`] writes the text.

pub(crate) mod call_site;
pub(crate) mod callee;
pub(crate) mod expansion;
pub(crate) mod first_declarations;
pub(crate) mod statement_expressions;
