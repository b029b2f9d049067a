//! C in: preprocessing, parsing, finding regions, extracting a [`Scop`](loopwright_scop::Scop)
//! per region, diagnostics; putting generated text back in place.

mod affine;
mod annotations;
mod arguments;
mod atomic;
mod autodetect;
mod block_copies;
mod body;
mod build;
mod call_values;
mod called_bodies;
mod calls;
mod claims;
mod control;
mod ctypes;
mod detection;
mod diagnostic;
mod dynamic;
mod effects;
mod extract;
mod file_index;
mod functions;
#[cfg(test)]
mod growth;
mod guarded;
mod library;
mod linear;
mod linearised;
mod liveness;
mod loops;
mod members;
mod objects;
mod overlap;
mod own_variables;
mod placement;
mod pointers;
mod preprocess;
mod records;
mod references;
mod regions;
mod rows;
mod scope;
mod source;
mod source_loops;
mod spaces;
mod syntax;
mod views;

pub use detection::{Detection, Nest, Outcome};
pub use diagnostic::{Code, Diagnostic, Place};
pub use source::{Options, OuterIterator, Region, SourceFile, read_file, replace_regions};
pub use source_loops::{Position, SourceLoop};
