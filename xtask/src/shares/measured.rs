//! Programs that say how much processor time each thread has in parallel loops.
use crate::programs::{Program, TimeSource};
use crate::{compilers, kernels};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// What is linked with programs.
const WRAPPERS: &str = include_str!("shares.c");

/// The functions that it stands in front of.
const WRAPPED: [&str; 5] = [
    "GOMP_parallel",
    "GOMP_parallel_loop_dynamic",
    "GOMP_parallel_loop_guided",
    "GOMP_parallel_loop_nonmonotonic_dynamic",
    "GOMP_parallel_loop_nonmonotonic_guided",
];

/// A run; times in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// What the program says about itself, or the time of the process.
    pub(super) seconds: f64,
    /// In parallel loops that several threads enter.
    pub(super) in_loops: f64,
    /// The processor time of the thread with most of it there, summed over these loops.
    pub(super) largest: f64,
    /// The processor time of all threads there.
    pub(super) all: f64,
    /// The processor time in parallel loops that one thread enters alone.
    pub(super) alone: f64,
}

impl Run {
    /// The run with the median time.
    pub(super) fn median(mut runs: Vec<Run>) -> Run {
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        runs[runs.len() / 2]
    }

    /// The largest share of a thread over the mean; none without parallel loops.
    pub(super) fn largest_over_mean(&self, threads: usize) -> Option<f64> {
        (self.all > 0.0).then(|| self.largest * threads as f64 / self.all)
    }

    /// From the line of the wrappers.
    fn read(line: &str, seconds: f64) -> Option<Run> {
        let mut words = line.strip_prefix("shares: ")?.split(' ').skip(1);
        let mut number = || words.next()?.parse().ok();
        Some(Run {
            seconds,
            in_loops: number()?,
            largest: number()?,
            all: number()?,
            alone: number()?,
        })
    }
}

/// A program.
pub(super) struct Built {
    path: PathBuf,
}

impl Built {
    /// Our text for a kernel, with the wrappers.
    pub(super) fn new(program: &Program, size: &str, text: &str) -> Result<Built, String> {
        let folder = kernels::folder()?;
        let source = folder.join(format!("{}.shares.c", program.name));
        let wrappers = folder.join("shares.c");
        let path = folder.join(format!("{}.shares", program.name));
        let cannot = |e: std::io::Error| format!("cannot write {}: {e}", source.display());
        std::fs::write(&source, text).map_err(cannot)?;
        std::fs::write(&wrappers, WRAPPERS).map_err(cannot)?;
        let output = Command::new("gcc")
            .args(["-O3", "-march=native", "-w", "-fopenmp"])
            .args(&program.flags)
            .args(compilers::preprocessing(program, size)?)
            .args([&source, &wrappers])
            .args(&program.extra_sources)
            .arg("-o")
            .arg(&path)
            .arg("-lm")
            .args(WRAPPED.map(|name| format!("-Wl,--wrap={name}")))
            .output()
            .map_err(|e| format!("cannot run gcc: {e}"))?;
        match output.status.success() {
            true => Ok(Built { path }),
            false => Err(format!("gcc: {}", String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// Runs it with so many threads.
    pub(super) fn run(&self, program: &Program, size: &str, threads: usize) -> Result<Run, String> {
        let start = Instant::now();
        let output = Command::new(&self.path)
            .args(program.arguments(size))
            .envs(program.time.environment.iter().cloned())
            .env("OMP_NUM_THREADS", threads.to_string())
            .output()
            .map_err(|e| format!("cannot run {}: {e}", self.path.display()))?;
        let of_process = start.elapsed().as_secs_f64();
        let printed = String::from_utf8_lossy(&output.stdout);
        let printed = || printed.split_whitespace().last().and_then(|word| word.parse().ok());
        let seconds = match program.time.from {
            TimeSource::Printed => printed(),
            TimeSource::Process => Some(of_process),
        };
        let said = String::from_utf8_lossy(&output.stderr);
        let run = said.lines().rev().find_map(|line| Run::read(line, seconds?));
        match run {
            Some(run) if output.status.success() => Ok(run),
            _ => Err(format!("{} fails ({})", self.path.display(), output.status)),
        }
    }
}
