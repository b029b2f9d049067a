//! C in: preprocessing, parsing, finding regions, extracting a [`Scop`](loopwright_scop::Scop)
//! per region, diagnostics; putting generated text back in place.

// First: the modules below use its macro.
#[macro_use]
mod syntax;

mod diagnostics;
pub mod directives;
mod facts;
#[cfg(test)]
mod growth;
mod inlining;
mod model;
mod multifor;
mod parallel_map;
mod regions;
mod text;
mod walk;

pub use diagnostics::diagnostic::{Code, Diagnostic, Place};
pub use facts::function_options::changed_language;
pub use facts::functions::is_pure_function;
pub use model::run_time::{Fact, INSPECTED, ROWS_APART, RunTimeCondition, SymbolicValue};
pub use multifor::expression::MultiforExpression;
pub use multifor::find::multifor_statements;
pub use multifor::statement::{
    FoundMultifor, MultiforItem, MultiforLoop, MultiforRelation, MultiforStatement, MultiforSyntax,
    MultiforText,
};
pub use multifor::tokens::diagnostic_at;
pub use regions::bindings::{Binding, binding_directives};
pub use regions::control_tree::{ControlTree, PlacedText};
pub use regions::counted_lines::CountedLines;
pub use regions::detection::{Detection, Nest, Outcome};
pub use regions::known_values::{KnownValue, KnownValues, LineValues};
pub use regions::places::{DeclaredShape, LoopPlace, StatementPlaces};
pub use regions::region::{OuterIterator, RefusedRegion, Region};
pub use regions::replacement::replace_regions;
pub use regions::source::{SourceFile, read_file, read_text};
pub use regions::source_loops::{Position, SourceLoop};
pub use regions::versions::Version;
pub use text::bounded::{into_utf8, read_bytes, read_bytes_of, read_utf8};
pub use text::compiler_run::compiler_words;
pub use text::file_bytes::{bytes_of, text_of};
pub use text::options::Options;
pub use text::other_languages::not_c;
pub use text::preprocessed::{Preprocessed, marked_line};
pub use walk::loops::loop_pragmas::IndependentLoop;
