//! Building and timing of texts, with a limit on the time for all.
use super::cache::{Cache, Record};
use super::digest::Digest;
use super::process::is_stopped;
use super::program::{KERNELS, Run};
use super::{ProgramOptions, TuneOptions};
use crate::pipeline::compile::Compiled;
use crate::scratch::folder_of;
use loopwright_cfront::bytes_of;
use loopwright_machine::Machine;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A program whose process takes longer than this many times the fastest one is stopped, ...
const PATIENCE: f64 = 1.5;

/// ... with this much more for what happens once.
const GRACE: Duration = Duration::from_millis(300);

/// A first run that is slower than this many times the fastest one is the last.
const HOPELESS: f64 = 1.15;

/// What came of timing a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It does the same; the least seconds of so many runs.
    Timed {
        /// The least seconds.
        seconds: f64,
        /// The number of runs.
        runs: usize,
    },
    /// It was stopped after so many seconds of the process.
    Stopped(f64),
    /// It cannot be built or run, or does something else.
    Failed(String),
    /// The time for all was over before it ran.
    OutOfTime,
}

/// What every text has to do.
struct Reference {
    status: i32,
    output: Digest,
    /// None if it differs between runs.
    errors: Option<Digest>,
}

/// The text of a program: its code, and kernels in CUDA if there are some.
#[derive(Clone, Copy)]
pub(super) struct ProgramText<'a> {
    pub(super) code: &'a str,
    pub(super) kernels: Option<&'a str>,
}

impl<'a> From<&'a str> for ProgramText<'a> {
    fn from(code: &'a str) -> ProgramText<'a> {
        ProgramText { code, kernels: None }
    }
}

impl<'a> From<&'a Compiled> for ProgramText<'a> {
    fn from(compiled: &'a Compiled) -> ProgramText<'a> {
        let kernels = compiled.device_file().map(|file| &*file.text);
        ProgramText { code: &compiled.code, kernels }
    }
}

/// The place where texts become programs.
pub(super) struct Workbench<'o> {
    options: &'o TuneOptions,
    /// Where the file with the regions lies.
    source_folder: PathBuf,
    folder: TempDir,
    cache: Cache,
    machine: String,
    /// None if the time has no end.
    end: Option<Instant>,
    reference: Option<Reference>,
    /// The time of the fastest process and its seconds.
    fastest: Option<(f64, f64)>,
}

impl<'o> Workbench<'o> {
    /// A workbench for the file at `path`, in a new folder for temporary files.
    pub(super) fn new(path: &Path, options: &'o TuneOptions) -> Result<Self, String> {
        Ok(Workbench {
            options,
            source_folder: folder_of(path).to_path_buf(),
            folder: tempfile::Builder::new()
                .prefix("loopwright-tune-")
                .tempdir()
                .map_err(|e| format!("cannot make a temporary folder: {e}"))?,
            cache: Cache::new(options.cache.clone()),
            machine: format!("{}{}", Machine::detect(), options.compile.machine),
            end: Instant::now().checked_add(options.time_limit),
            reference: None,
            fastest: None,
        })
    }

    /// What is left of the time for all; nothing if a signal has asked for the end.
    pub(super) fn time_left(&self) -> Duration {
        if is_stopped() {
            return Duration::ZERO;
        }
        self.end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }

    /// The seconds of the fastest process so far.
    pub(super) fn fastest_process(&self) -> f64 {
        self.fastest.map_or(0.0, |(elapsed, _)| elapsed)
    }

    /// Builds and runs the original text, which says what all others have to do.
    ///
    /// # Errors
    /// If it cannot be built or run, if it does something else every time, or if it takes longer than
    /// the time for all.
    pub(super) fn time_original(&mut self, text: &str) -> Result<Outcome, String> {
        let path = self.write(text.into())?;
        let key = self.key(&path);
        let mut record = self.cache.get(key);
        let start = Instant::now();
        let wanted = self.options.runs.max(2);
        while record.runs.len() < wanted {
            // Two runs are needed, more only if they do not take much of the time for all.
            if record.runs.len() >= 2 && start.elapsed() > self.options.time_limit / 10 {
                break;
            }
            let executable = self.executable(&path)?;
            let limit = self.time_left();
            let run = self.program().run(&executable, limit)?.ok_or(
                "the original program takes longer than the time limit: choose a smaller size or a \
                 longer limit",
            )?;
            record.runs.push(run);
            self.cache.put(key, &record);
        }
        let first = record.runs[0];
        let same =
            |value: fn(&Run) -> Digest| record.runs.iter().all(|run| value(run) == value(&first));
        if !same(|run| run.output) || record.runs.iter().any(|run| run.status != first.status) {
            return Err(
                "the original program does something else every time that it runs, so that \
                        nothing can be compared with it; does it print its time? (--time printed)"
                    .to_string(),
            );
        }
        let errors = same(|run| run.errors).then_some(first.errors);
        let Run { status, output, .. } = first;
        self.reference = Some(Reference { status, output, errors });
        Ok(self.finished(&record))
    }

    /// Builds and times another text, which is given up early if it is slow.
    pub(super) fn time(&mut self, text: ProgramText<'_>) -> Outcome {
        self.time_in(text, &[])
    }

    /// The same with further variables in the program's environment.
    pub(super) fn time_in(
        &mut self,
        text: ProgramText<'_>,
        environment: &[(String, String)],
    ) -> Outcome {
        self.try_time(text, environment).unwrap_or_else(Outcome::Failed)
    }

    fn try_time(
        &mut self,
        text: ProgramText<'_>,
        environment: &[(String, String)],
    ) -> Result<Outcome, String> {
        let path = self.write(text)?;
        let with = |key: Digest, (name, value): &(String, String)| key.text(name).text(value);
        let key = self.key(&path).map(|key| environment.iter().fold(key, with));
        let mut record = self.cache.get(key);
        let (elapsed, seconds) = self.fastest.unwrap_or((f64::INFINITY, f64::INFINITY));
        while record.runs.len() < self.options.runs {
            let patience = Duration::try_from_secs_f64(elapsed * PATIENCE)
                .map_or(Duration::MAX, |patience| patience.saturating_add(GRACE));
            if record.least().is_some_and(|least| least > seconds * HOPELESS) {
                break;
            }
            if record.runs.is_empty() && record.stopped.is_some_and(|s| s >= patience.as_secs_f64())
            {
                return Ok(Outcome::Stopped(record.stopped.unwrap_or_default()));
            }
            let limit = patience.min(self.time_left());
            if limit.is_zero() {
                break;
            }
            let executable = self.executable(&path)?;
            match self.program().run_in(&executable, limit, environment)? {
                Some(run) => record.runs.push(run),
                None if limit < patience => break,
                None => {
                    record.stopped = Some(limit.as_secs_f64());
                    self.cache.put(key, &record);
                    return Ok(Outcome::Stopped(limit.as_secs_f64()));
                }
            }
            self.cache.put(key, &record);
            self.compare(&record)?;
        }
        self.compare(&record)?;
        Ok(self.finished(&record))
    }

    /// Whether all runs did the same as the original.
    fn compare(&self, record: &Record) -> Result<(), String> {
        let Some(reference) = &self.reference else { return Ok(()) };
        for run in &record.runs {
            if run.status != reference.status {
                let (found, wanted) = (run.status, reference.status);
                return Err(format!("the exit status is {found}, not {wanted}"));
            }
            if run.output != reference.output {
                return Err("it prints something else".to_string());
            }
            if reference.errors.is_some_and(|errors| errors != run.errors) {
                return Err("it prints something else to the standard error".to_string());
            }
        }
        Ok(())
    }

    fn finished(&mut self, record: &Record) -> Outcome {
        let Some(seconds) = record.least() else { return Outcome::OutOfTime };
        let elapsed = record.runs.iter().map(|run| run.elapsed).fold(f64::INFINITY, f64::min);
        if self.fastest.is_none_or(|(_, fastest)| seconds < fastest) {
            self.fastest = Some((elapsed, seconds));
        }
        Outcome::Timed { seconds, runs: record.runs.len() }
    }

    /// The medians of runs in turn of texts that were timed before, in fewer rounds if the time for
    /// all ends before; none if there is not even one round.
    pub(super) fn in_turn<const N: usize>(
        &self,
        texts: [ProgramText<'_>; N],
        rounds: usize,
    ) -> Option<[f64; N]> {
        let executables: Result<Vec<PathBuf>, String> =
            texts.iter().map(|text| self.executable(&self.write(*text)?)).collect();
        let executables = executables.ok()?;
        let mut times = [const { Vec::new() }; N];
        for _ in 0..rounds {
            let runs = executables.iter().map(|executable| {
                let run = self.program().run(executable, self.time_left());
                run.ok().flatten().map(|run| run.seconds)
            });
            let Some(round) = runs.collect::<Option<Vec<f64>>>() else { break };
            times.iter_mut().zip(round).for_each(|(times, seconds)| times.push(seconds));
        }
        let is_measured = times.iter().all(|times| !times.is_empty());
        is_measured.then(|| times.map(|mut times| median(&mut times)))
    }

    pub(super) fn program(&self) -> &ProgramOptions {
        &self.options.program
    }

    fn key(&self, path: &Path) -> Option<Digest> {
        let front_end = &self.options.compile.front_end;
        self.program().key(path, front_end, &self.source_folder, &self.machine)
    }

    /// Puts a text where compilers find it.
    fn write(&self, text: ProgramText<'_>) -> Result<PathBuf, String> {
        let name = Digest::of(text.code.as_bytes());
        let name = text.kernels.map_or(name, |kernels| name.text(kernels)).hex();
        let path = self.folder.path().join(format!("{name}.c"));
        let kernels = text.kernels.map(|kernels| (path.with_extension(KERNELS), kernels));
        for (path, text) in [(path.clone(), text.code)].into_iter().chain(kernels) {
            std::fs::write(&path, bytes_of(text))
                .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        Ok(path)
    }

    /// The program of a text, which is built if it is not there.
    fn executable(&self, path: &Path) -> Result<PathBuf, String> {
        let executable = path.with_extension("program");
        if !executable.exists() {
            let front_end = &self.options.compile.front_end;
            self.program().build(path, front_end, &self.source_folder, &executable)?;
        }
        Ok(executable)
    }
}

/// The median of some values.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::INFINITY)
}
