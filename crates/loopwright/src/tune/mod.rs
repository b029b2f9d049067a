//! Search for the fastest choices by compiling and running programs.
//!
//! [`tune`] starts from the model's choices and tries others around them: first tile sizes band by band, by
//! halving and doubling one size at a time (coordinate descent), then choices that change which loops there
//! are (fusion, parallel loops or none, parallel loops outside or tiles, the program's order), with tile
//! sizes once more if that helps, tiles of every shape with sizes for the fastest ones (before all of this
//! where tiles have to wait for each other), then other code for the same loops. Each candidate is proved
//! like any other compilation, compiled by the user's C compiler, run, and compared with the original's exit
//! status and output; one that is slow is stopped early. At last the original, the model's choices and the
//! best run in turn, and the fastest of them is kept: never anything that is slower than the original.
//!
//! Where sizes of tiles are variables of the program ([`CompileOptions::parametric_tiles`]) only these are
//! searched, by running one program with other values.
//!
//! The order of the candidates does not depend on chance, only on the times. What was measured is
//! kept in a folder by what it depends on: the preprocessed texts, the compiler, its version and flags,
//! the arguments, the machine.
mod cache;
mod candidates;
mod cuda_program;
pub(crate) mod digest;
mod process;
mod program;
mod result;
mod search;
mod shapes;
mod variable_sizes;
mod workbench;

pub use process::{Ended, run_within, stop_on_signals};
pub use program::{ProgramOptions, Timing};
pub use result::{Tried, Tuned};
pub use workbench::Outcome;

use crate::diagnostics::failure::Failure;
use crate::settings::options::CompileOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is tuned, and how long.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    /// The choices to start from.
    pub compile: CompileOptions,
    /// How the program is made and run.
    pub program: ProgramOptions,
    /// How often a good candidate runs.
    pub runs: usize,
    /// The time for all. The original has to run twice in it.
    pub time_limit: Duration,
    /// The folder where results are kept; none keeps nothing.
    pub cache: Option<PathBuf>,
}

impl TuneOptions {
    /// Standard choices, three runs, a minute, nothing kept.
    pub fn standard() -> Self {
        TuneOptions {
            compile: CompileOptions { keep_going: false, ..CompileOptions::new() },
            program: ProgramOptions::standard(),
            runs: 3,
            time_limit: Duration::from_secs(60),
            cache: None,
        }
    }
}

/// Where a search is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// How many programs were tried.
    pub n_tried: usize,
    /// What is tried now.
    pub label: String,
    /// The least seconds of our programs so far.
    pub best: Option<f64>,
    /// The time since the start.
    pub elapsed: Duration,
}

/// Looks for the fastest choices for the regions of the file at `path`; `progress` is told what is
/// tried.
///
/// ```no_run
/// use loopwright::tune::{TuneOptions, tune};
/// let tuned = tune("gemm.c".as_ref(), &TuneOptions::standard(), &mut |_| {})?;
/// println!("{tuned}");
/// std::fs::write("gemm.opt.c", &tuned.compiled.code).expect("the file can be written");
/// # Ok::<(), loopwright::Failure>(())
/// ```
///
/// # Errors
/// Diagnostics of the front end; an original program that cannot be built or run, that does not end in
/// the time limit, that ends by a signal, or that does something else every time; a signal that asks for the
/// end (see [`stop_on_signals`]).
pub fn tune(
    path: &Path,
    options: &TuneOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Tuned, Failure> {
    let tuned = search::Search::new(path, options, progress)?.run();
    match process::is_stopped() {
        true => Err(Failure::refused("the search was stopped by a signal; nothing is written")),
        false => tuned,
    }
}
