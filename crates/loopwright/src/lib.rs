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
//!
//! # Where to start
//!
//! | what there is | what does it |
//! |---|---|
//! | a C file | [`compile_file`] |
//! | C text without directives | [`compile_text`] |
//! | a model in the format of another tool | [`compile_foreign`] |
//! | statements, domains and accesses of one's own | [`ModelBuilder`], then [`compile_model`] |
//! | schedule constraints | [`schedule_constraints`]; those of a model: [`constraints_of_model`] |
//! | a schedule | [`codegen_file`], or [`astgen`] |
//!
//! What fails says why as data: a [`Failure`] has a status and [`Diagnostic`]s, which print as text, as JSON
//! ([`Diagnostic::to_json`]) and as SARIF ([`sarif`]). The layers below are modules of this crate:
//! [`presburger`], [`schedule`], [`scop`], [`cfront`], [`dataflow`], [`scheduler`], [`transform`],
//! [`mappings`], [`astgen`], [`backend`], [`verify`], [`equivalence`], [`interchange`], [`machine`],
//! [`amounts`], and the calculator [`calc`].

pub mod cc;
mod diagnostics;
mod disk_files;
mod front;
mod network;
pub mod output;
mod pipeline;
pub mod profile;
mod report;
mod scratch;
mod settings;
pub mod signals;
pub mod tune;

pub use diagnostics::diagnostic::{Diagnostic, Severity, Span};
pub use diagnostics::failure::{Failure, Status};
pub use diagnostics::sarif::sarif;
pub use disk_files::DiskFiles;
pub use front::model_builder::{ModelBuilder, StatementBuilder};
pub use front::scheduling::{constraints_of_model, schedule_budget, schedule_constraints};
pub use loopwright_amounts as amounts;
pub use loopwright_astgen as astgen;
pub use loopwright_backend as backend;
pub use loopwright_calc as calc;
pub use loopwright_cfront as cfront;
pub use loopwright_dataflow as dataflow;
pub use loopwright_equivalence as equivalence;
pub use loopwright_interchange as interchange;
pub use loopwright_interchange::Format as ForeignFormat;
pub use loopwright_machine as machine;
pub use loopwright_mappings as mappings;
pub use loopwright_multifor as multifor;
pub use loopwright_presburger as presburger;
pub use loopwright_schedule as schedule;
pub use loopwright_scheduler as scheduler;
pub use loopwright_scop as scop;
pub use loopwright_transform as transform;
pub use loopwright_verify as verify;
pub use network::{
    Channel, LEAST_CAPACITY, Network, Process, Receiver, Tokens, network_of_file, network_of_text,
};
pub use pipeline::codegen::{CodeFormat, Codegen, CodegenInput, CodegenOptions, codegen_file};
pub use pipeline::compile::{
    Compiled, DeviceFile, compile_file, compile_source_text, compile_text,
};
pub use pipeline::foreign::{compile_foreign, compile_model};
pub use pipeline::given_schedule::{checked_schedule, read_schedule};
pub use pipeline::outcome::{RegionReport, Report, Stage, Timings};
pub use pipeline::perfect_nests::{multifor_of_file, multifor_of_text};
pub use profile::measurements::{Measurements, ProfileError, RegionKey, RegionMeasurement, Spent};
pub use profile::settings::{ProfileUse, Profiling};
pub use report::cause_classes::{CauseClass, ClassRow, ClassTable, Counted};
pub use report::dataflow::{
    ParameterMeaning, ReadSources, RegionDataflow, SourceOfReads, dataflow_of_file,
};
pub use report::equivalence::{
    ComparedRegions, EquivalenceOptions, FileEquivalence, compare_files,
};
pub use report::explain::explain_file;
pub use report::json::json_report;
pub use report::loop_time::LoopTime;
pub use report::page::html_report;
pub use report::scalability::{
    GraphFigures, ParameterGrowth, RegionScalability, ScalabilityOptions, TilingScalability,
    scalability_of_file,
};
pub use report::storage::{ArrayStorage, RegionStorage, ValueStorage, storage_of_file};
pub use report::survey::{Cause, FileSurvey, NestSurvey, Survey, Verdict};
pub use report::time_data::TimeData;
pub use settings::choices::{Choices, ChoicesError, RegionChoices};
pub use settings::devices::{DeviceOptions, TensorCores};
pub use settings::effort::Effort;
pub use settings::embedding::Embedding;
pub use settings::multifor::{MultiforCheck, MultiforOptions};
pub use settings::options::{
    Adaptive, CompileOptions, DataflowBy, Emit, Fusion, NetworkFormat, Scheduler, Storage,
};
pub use settings::strategy::StrategyArguments;
pub use settings::transformation::Plugin;
pub use settings::words::{nearest_word, one_of};
