//! The compiler as a library and as a command.
//!
//! [`compile_file`] takes a C file through the whole house: front end,
//! dependences, scheduling, transformation, syntax tree, C text, and the proofs. Each stage's
//! result is a value that can be printed ([`Emit`]); a schedule can also be given by the user.
//!
//! ```no_run
//! use loopwright::{CompileOptions, compile_file};
//! let options = CompileOptions::new();
//! let compiled = compile_file("gemm.c".as_ref(), &options).expect("the file is accepted");
//! println!("{}", compiled.code);
//! ```

mod disk_files;
mod failure;
pub mod output;
mod pipeline;
mod report;
mod settings;
pub mod tune;

pub use disk_files::DiskFiles;
pub use failure::{Failure, Status};
pub use loopwright_calc as calc;
pub use loopwright_interchange::Format as ForeignFormat;
pub use pipeline::codegen::{CodeFormat, Codegen, CodegenInput, CodegenOptions, codegen_file};
pub use pipeline::compile::{Compiled, compile_file};
pub use pipeline::foreign::compile_foreign;
pub use pipeline::given_schedule::{checked_schedule, read_schedule};
pub use pipeline::outcome::{RegionReport, Report, Stage, Timings};
pub use report::explain::explain_file;
pub use report::json::json_report;
pub use report::page::html_report;
pub use report::survey::{Cause, FileSurvey, NestSurvey, Survey, Verdict};
pub use settings::choices::{Choices, ChoicesError, RegionChoices};
pub use settings::options::{CompileOptions, Emit, Fusion, Scheduler};
pub use settings::strategy::StrategyArguments;
