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

pub mod calc;
mod choices;
mod codegen;
mod compile;
mod constraints;
mod context;
mod dependence_text;
mod enough_work;
mod executable;
mod expansion;
mod explain;
mod explained_dependences;
mod explained_schedule;
mod failure;
mod foreign;
mod fusion;
mod given_schedule;
mod grouping;
mod html;
mod html_figures;
mod html_tiles;
mod html_tree;
mod implied_order;
mod json;
mod loop_types;
mod loops;
mod original_bands;
pub mod output;
mod panels;
mod parallelize;
mod prove;
mod reassociation;
mod report;
mod run_time;
mod settings;
mod stages;
mod strategy_words;
mod survey;
mod survey_html;
mod survey_text;
mod tile_words;
mod transformed;
pub mod tune;

pub use choices::{Choices, ChoicesError, RegionChoices};
pub use codegen::{CodeFormat, Codegen, CodegenInput, CodegenOptions, codegen_file};
pub use compile::{CompileOptions, Compiled, Emit, Fusion, Scheduler, compile_file};
pub use explain::explain_file;
pub use failure::{Failure, Status};
pub use foreign::compile_foreign;
pub use given_schedule::{checked_schedule, read_schedule};
pub use html::html_report;
pub use json::json_report;
pub use loopwright_interchange::Format as ForeignFormat;
pub use report::{RegionReport, Report, Stage, Timings};
pub use strategy_words::StrategyArguments;
pub use survey::{Cause, FileSurvey, NestSurvey, Survey, Verdict};
