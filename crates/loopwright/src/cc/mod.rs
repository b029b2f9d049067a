//! A C compiler with faster loops: what `loopwright cc COMPILER ARGS...` does.
//!
//! The command line is that of a compiler (GCC or Clang). What is not a compilation of C with optimization
//! runs as it is given. Otherwise the compiler preprocesses each source; the loops of the result are looked
//! for and transformed by another process ([`transform_unit`]), which has a limited time; the compiler runs
//! with its own command line as well, so that messages, dependency files and the exit status are its own.
//! Where something was transformed, the compiler compiles the transformed text, and its object takes the
//! place of that of the plain run, which is only a check where the compiler has nothing to say. So nothing
//! fails that does not fail without: at worst there is the plain object.
mod cache;
mod command_line;
mod compile_commands;
mod compiler;
mod flags;
mod job;
mod known_compilers;
mod library;
mod new_object;
mod one_compilation;
mod plain;
mod preprocessing;
mod response_file;
mod result_text;
mod said;
mod summary;
mod thread_guard;
mod transformation;
mod unit;
mod wrapper;

pub use compile_commands::survey_of_build;
pub use job::transform_unit;
pub use said::Says;
pub use summary::BuildSummary;
pub use wrapper::{Wrapper, run};

/// The environment variable that names the work of a process that transforms a translation unit.
pub const JOB_VARIABLE: &str = "LOOPWRIGHT_CC_JOB";
