//! C in: preprocessing, parsing, finding regions, extracting a [`Scop`](loopwright_scop::Scop)
//! per region, diagnostics; putting generated text back in place.

mod diagnostic;
mod source;

pub use diagnostic::{Code, Diagnostic, Place};
pub use source::{Options, OuterIterator, Region, SourceFile, read_file, replace_regions};
