//! Regions as networks of processes (`--emit network`).
//!
//! Each statement, and each evaluation of a condition on data, is a process with its own memory. It runs a
//! copy of the control flow of the region in which its own statement is executed; where a statement stands
//! that may write what it reads, it receives what that statement has written; where a condition on data
//! decides, it receives the outcome. Everything else is left out. Who sends to whom is decided by dataflow
//! analysis with conditions as filters (Verdoolaege, Nikolov and Stefanov, IMPACT 2013, section 1 names this
//! use). `docs/networks.md` has the argument that the results are those of the program, and that no process
//! waits for ever.
mod build;
mod formats;
mod program;
mod slice;

use crate::diagnostics::failure::Failure;
use crate::network::build::network_of_region;
use crate::network::program::program;
pub(crate) use crate::network::slice::text_at;
use crate::pipeline::compile::Compiled;
use crate::pipeline::outcome::Clock;
use crate::report::dataflow::ReadSources;
use crate::settings::options::{CompileOptions, NetworkFormat};
use loopwright_cfront::{Region, SourceFile, read_file, read_text};
use loopwright_scop::{ArrayId, StatementId};
use std::path::Path;

/// A region as processes that hand values to each other.
#[derive(Clone, Debug)]
pub struct Network {
    /// The function around the region.
    pub function: String,
    /// Its first and last line.
    pub lines: (u32, u32),
    /// The processes.
    pub processes: Vec<Process>,
    /// The channels between them.
    pub channels: Vec<Channel>,
}

/// A process: one statement, or the evaluations of one condition.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its statement in the model with filters.
    pub statement: StatementId,
    /// The name of the statement.
    pub name: String,
    /// Its line.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// Whether it evaluates a condition.
    pub is_evaluation: bool,
}

/// Where a channel ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Receiver {
    /// A process, by its position.
    Process(usize),
    /// What comes after the region: the caller, which keeps the last values.
    After,
}

/// What goes through a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tokens {
    /// What a reference writes.
    Values {
        /// The variable.
        array: ArrayId,
        /// Its name.
        name: String,
        /// The type of a value in C.
        c_type: String,
        /// The place of the write in the text.
        at: usize,
        /// For each read of the receiver that may see the values: exactly which ones, with parameters that
        /// say what has run.
        exact: Vec<ReadSources>,
    },
    /// The outcomes of a condition.
    Outcomes,
}

/// A first-in first-out queue between two processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The sending process, by its position.
    pub from: usize,
    /// The receiving one.
    pub to: Receiver,
    /// What goes through it.
    pub tokens: Tokens,
    /// Values: from writes to the reads that may see them. Outcomes: from evaluations to the instances of the
    /// receiver about which they decide, or about whose sources. Nothing towards what comes after the region.
    pub relation: Option<String>,
    /// How many tokens it holds.
    pub capacity: usize,
}

/// So many tokens a channel needs so that no process waits for ever.
pub const LEAST_CAPACITY: usize = 1;

/// So many tokens a channel holds, so that processes need not go in step.
const CAPACITY: usize = 256;

/// The networks of the regions of the file at `path`, in a format; [`Compiled::code`] is the text.
///
/// # Errors
/// Diagnostics of the front end; regions that are no networks, with the reason.
pub fn network_of_file(
    path: &Path,
    options: &CompileOptions,
    format: NetworkFormat,
) -> Result<Compiled, Failure> {
    let source = read_file(path, &options.reading());
    network_of(&source.map_err(|all| Failure::from_diagnostics(&all))?, options, format)
}

/// The same for a text in place of the file at `path`.
///
/// ```
/// use loopwright::{CompileOptions, NetworkFormat, network_of_text};
/// let text = "int t[99], r[99];\nvoid f(int n, int *restrict c) {\n  int x = 0;\n#pragma scop\n  for (int i = 0; i < n; i++) {\n    if (c[i])\n      x = i;\n    r[i] = x;\n  }\n#pragma endscop\n}\n";
/// let made = network_of_text("f.c".as_ref(), text, &CompileOptions::new(), NetworkFormat::Dot)?;
/// assert!(made.code.starts_with("digraph f {"));
/// # Ok::<(), loopwright::Failure>(())
/// ```
///
/// # Errors
/// As [`network_of_file`].
pub fn network_of_text(
    path: &Path,
    text: &str,
    options: &CompileOptions,
    format: NetworkFormat,
) -> Result<Compiled, Failure> {
    let source = read_text(path, text, &options.reading());
    network_of(&source.map_err(|all| Failure::from_diagnostics(&all))?, options, format)
}

fn network_of(
    source: &SourceFile,
    options: &CompileOptions,
    format: NetworkFormat,
) -> Result<Compiled, Failure> {
    let clock = Clock::default();
    let filtered = source.clone().with_filters().without_followed_values();
    let regions = filtered.extract().map_err(|all| Failure::from_diagnostics(&all))?;
    let network =
        |region: &Region| network_of_region(region, options).map_err(|why| refused(region, &why));
    let networks: Vec<Network> = regions.iter().map(network).collect::<Result<_, _>>()?;
    let text = match format {
        NetworkFormat::Json => formats::json(&networks),
        NetworkFormat::Dot => formats::dot(&networks),
        NetworkFormat::C => {
            let made: Vec<_> = regions.iter().zip(&networks).collect();
            program(source.original(), &made)
        }
    };
    let note = |network: &Network| {
        let (first, last) = network.lines;
        format!(
            "lines {first}-{last} as {} processes and {} channels",
            network.processes.len(),
            network.channels.len()
        )
    };
    let notes = networks.iter().map(note).collect();
    Ok(Compiled::of_text(source.path(), text, notes, &clock))
}

fn refused(region: &Region, why: &str) -> Failure {
    let (first, last) = (region.first_line, region.last_line);
    Failure::refused(format!("the region in lines {first} to {last} is no network: {why}"))
}
