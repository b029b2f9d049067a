//! Directives: pragmas, `_Pragma`, `__pragma` and attributes `[[omp::directive(..)]]`, with their names and
//! clauses, and one table of what each of them means to a region.
//!
//! [`read`] finds those of a text, preprocessed or not. [`Directive::meaning`] and [`Directive::clause`] look
//! them up in the table: what is not in it is an obstacle. [`Meaning::answer`] says what follows from where a
//! directive stands.
mod meaning;
mod openacc;
mod openmp;
mod others;
mod read;
mod reductions;
mod table;

pub use meaning::{Answer, ClauseMeaning, ClauseRow, Meaning, Position, Reach, Row};
pub use read::{Clause, Directive, Spelling, read};
pub use reductions::{REDUCTIONS, reduction_list};
pub use table::Family;
