//! Versions that are compiled while a program runs (a library call; the command has no part in it).
//!
//! A program, or its host, tells [`Jit`] how long calls of a function took and which values integers had.
//! When some values have taken enough time, the function's file is compiled for them in the background, by
//! this compiler and then by the user's, into a shared object, whose path is the answer to later calls with
//! these values. Loading it is up to the caller: [`LOADER`] is C text that does so, and speaks the protocol
//! of [`Jit::serve`].
//!
//! ```no_run
//! use loopwright::profile::jit::{Answer, Jit, JitSettings};
//! use std::time::Duration;
//! let mut jit = Jit::new(JitSettings::of_file("kernel.c"));
//! match jit.called("kernel", &[("n", 700)], Duration::from_millis(40)) {
//!     Answer::Ready(library) => println!("load {} and call kernel", library.display()),
//!     Answer::Unknown | Answer::Compiling => println!("call the function as it is"),
//!     Answer::Failed(reason) => println!("it stays as it is: {reason}"),
//! }
//! ```
use crate::output::write_whole;
use crate::pipeline::compile::compile_file;
use crate::profile::candidates::candidates;
use crate::profile::measurements::Measurements;
use crate::profile::settings::{ProfileUse, Profiling};
use crate::settings::options::CompileOptions;
use crate::tune::digest::Digest;
use crate::tune::run_within;
use loopwright_cfront::{Region, read_file};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// C text with a function that asks a host and loads what it answers.
pub const LOADER: &str = include_str!("jit.h");

/// The longest time that the user's compiler may take.
const LONGEST: Duration = Duration::from_secs(60);

/// What is compiled, and how.
#[derive(Clone, Debug)]
pub struct JitSettings {
    /// The file with the function. It must not have variables of its own, which a loaded copy would not
    /// share.
    pub source: PathBuf,
    /// The choices for its regions.
    pub options: CompileOptions,
    /// The compiler with its flags; `-shared`, `-fPIC` and files are added.
    pub compiler: Vec<String>,
    /// Where shared objects go.
    pub folder: PathBuf,
    /// The time that calls with the same values take before there is a version for them.
    pub hot: Duration,
    /// The most versions of all functions together.
    pub most_versions: usize,
}

impl JitSettings {
    /// Regions found without pragmas, `cc -O3 -march=native -fopenmp`, the folder for temporary files, a
    /// tenth of a second, 16 versions.
    pub fn of_file(source: impl Into<PathBuf>) -> Self {
        let mut options = CompileOptions::new();
        options.front_end.autodetect = true;
        let words = ["cc", "-O3", "-march=native", "-fopenmp", "-w"];
        JitSettings {
            source: source.into(),
            options,
            compiler: words.map(String::from).to_vec(),
            folder: std::env::temp_dir(),
            hot: Duration::from_millis(100),
            most_versions: 16,
        }
    }
}

/// What there is for a function with certain values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The values have not taken enough time, or there are too many versions.
    Unknown,
    /// A version is being made.
    Compiling,
    /// A shared object has the function, which does the same for all values.
    Ready(PathBuf),
    /// There is no version.
    Failed(String),
}

/// A function with values of integers.
type Call = (String, Vec<(String, i64)>);

/// What is known about a call.
enum State {
    Counted(Duration),
    Compiling(JoinHandle<Result<PathBuf, String>>),
    Ready(PathBuf),
    Failed(String),
}

/// Compiles versions of functions for values that are reported.
pub struct Jit {
    settings: Arc<JitSettings>,
    calls: BTreeMap<Call, State>,
}

/// So many calls are told apart.
const MOST_CALLS: usize = 1_000;

impl Jit {
    /// Nothing is known yet.
    pub fn new(settings: JitSettings) -> Self {
        Jit { settings: Arc::new(settings), calls: BTreeMap::new() }
    }

    /// Takes note of a call that took some time, and says what there is for calls with these values. The
    /// integers are named as the file writes them where its regions begin. Compilation never keeps the caller
    /// waiting.
    pub fn called(&mut self, function: &str, values: &[(&str, i64)], spent: Duration) -> Answer {
        let named = values.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        let call: Call = (function.to_string(), named);
        let versions = self.calls.values().filter(|state| !matches!(state, State::Counted(_)));
        let is_full = versions.count() >= self.settings.most_versions;
        if self.calls.len() >= MOST_CALLS && !self.calls.contains_key(&call) {
            return Answer::Unknown;
        }
        let state = self.calls.entry(call.clone()).or_insert(State::Counted(Duration::ZERO));
        if let State::Counted(time) = state {
            *time = time.saturating_add(spent);
            if *time < self.settings.hot || is_full {
                return Answer::Unknown;
            }
            let settings = self.settings.clone();
            *state = State::Compiling(std::thread::spawn(move || shared_object(&settings, &call)));
        }
        state.settle(false)
    }

    /// Waits for all versions that are being made.
    pub fn wait(&mut self) {
        for state in self.calls.values_mut() {
            state.settle(true);
        }
    }

    /// Answers a program that writes a line for each call, `FUNCTION NANOSECONDS NAME=VALUE ..`, by a line
    /// each: the path of a shared object, or `-`. Ends with the input.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn serve(&mut self, input: impl BufRead, mut output: impl Write) -> std::io::Result<()> {
        for line in input.lines() {
            let line = line?;
            let call = Reported::read(&line);
            let answer = call.map(|call| self.called(call.function, &call.values, call.spent));
            match answer {
                Some(Answer::Ready(path)) => writeln!(output, "{}", path.display())?,
                _ => writeln!(output, "-")?,
            }
            output.flush()?;
        }
        Ok(())
    }
}

/// A call that a line reports.
struct Reported<'a> {
    function: &'a str,
    values: Vec<(&'a str, i64)>,
    spent: Duration,
}

impl<'a> Reported<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let mut words = line.split(' ');
        let function = words.next()?;
        let spent = Duration::from_nanos(words.next()?.parse().ok()?);
        let values = words.map(|word| {
            let (name, number) = word.split_once('=')?;
            Some((name, number.parse().ok()?))
        });
        Some(Reported { function, values: values.collect::<Option<_>>()?, spent })
    }
}

impl State {
    /// What there is; looks whether a compilation has ended, or waits for it.
    fn settle(&mut self, waits: bool) -> Answer {
        if let State::Compiling(thread) = self
            && (waits || thread.is_finished())
            && let State::Compiling(thread) =
                std::mem::replace(self, State::Counted(Duration::ZERO))
        {
            *self = match thread.join() {
                Ok(Ok(path)) => State::Ready(path),
                Ok(Err(reason)) => State::Failed(reason),
                Err(_) => State::Failed("the compilation has stopped".to_string()),
            };
        }
        match self {
            State::Counted(_) => Answer::Unknown,
            State::Compiling(_) => Answer::Compiling,
            State::Ready(path) => Answer::Ready(path.clone()),
            State::Failed(reason) => Answer::Failed(reason.clone()),
        }
    }
}

/// Compiles a file for the values of a call.
fn shared_object(settings: &JitSettings, call: &Call) -> Result<PathBuf, String> {
    let measurements = measurements_of(settings, call)?;
    let profiling = Profiling::Use(ProfileUse::new(measurements));
    let options = CompileOptions { profiling, ..settings.options.clone() };
    let compiled =
        compile_file(&settings.source, &options).map_err(|failure| failure.to_string())?;
    let notes = compiled.report.regions.iter().flat_map(|region| &region.notes);
    if !notes.into_iter().any(|note| note.starts_with("a version for ")) {
        return Err("there is no version for these values".to_string());
    }
    let digest = Digest::EMPTY.text(&settings.source.to_string_lossy()).text(&compiled.code);
    let name = format!("loopwright-{}-{}", call.0, &digest.hex()[..16]);
    let path = |extension: &str| settings.folder.join(format!("{name}.{extension}"));
    let (text, object, library) = (path("c"), path("o"), path("so"));
    write_whole(&text, &compiled.code).map_err(|e| format!("{}: {e}", text.display()))?;
    let include = format!("-I{}", crate::scratch::folder_of(&settings.source).display());
    let words = ["-fPIC", &include, "-c", "-o"].map(String::from);
    run(&settings.compiler, &words, &[&object, &text])?;
    without_variables(&object)?;
    let made = settings.folder.join(format!("{name}.{}.tmp", std::process::id()));
    run(&settings.compiler, &["-shared", "-o"].map(String::from), &[&made, &object])?;
    std::fs::rename(&made, &library).map_err(|e| format!("{}: {e}", library.display()))?;
    std::path::absolute(&library).map_err(|e| e.to_string())
}

/// The values of a call as what was measured of all regions of its function.
fn measurements_of(settings: &JitSettings, call: &Call) -> Result<Measurements, String> {
    let failed = |found: Vec<loopwright_cfront::Diagnostic>| {
        found.first().map_or_else(String::new, |diagnostic| diagnostic.message.clone())
    };
    let source = read_file(&settings.source, &settings.options.reading()).map_err(failed)?;
    let regions: Vec<Region> =
        source.extract_each().unwrap_or_default().into_iter().flatten().collect();
    let (function, values) = call;
    let own = candidates(&source, &regions).into_iter().filter(|c| c.key.function == *function);
    let mut measurements = Measurements::default();
    own.for_each(|candidate| measurements.set(candidate.key, candidate.digest, values));
    Ok(measurements)
}

/// Refuses an object with variables: a loaded copy of them would not be those of the program.
fn without_variables(object: &Path) -> Result<(), String> {
    let listed = Command::new("nm").arg(object).output();
    let listed = listed.map_err(|error| format!("cannot run nm: {error}"))?;
    if !listed.status.success() {
        return Err("nm fails".to_string());
    }
    let text = String::from_utf8_lossy(&listed.stdout).into_owned();
    let variable = text.lines().find_map(|line| {
        let (before, name) = line.rsplit_once(' ')?;
        let is_variable = matches!(before.chars().last(), Some('b' | 'B' | 'd' | 'D' | 'C'));
        (is_variable && !name.starts_with("loopwright_")).then(|| name.to_string())
    });
    match variable {
        Some(name) => Err(format!(
            "the file has a variable of its own, `{name}`, which a loaded copy would not share"
        )),
        None => Ok(()),
    }
}

/// Runs the user's compiler.
fn run(compiler: &[String], words: &[String], files: &[&Path]) -> Result<(), String> {
    let (program, flags) = compiler.split_first().ok_or("there is no compiler")?;
    let mut command = Command::new(program);
    command.args(flags).args(words).args(files).arg("-lm");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match run_within(&mut command, LONGEST) {
        Ok(Some(ended)) if ended.status.success() => Ok(()),
        Ok(Some(_)) => Err(format!("{program} refuses the text")),
        Ok(None) => Err(format!("{program} takes too long")),
        Err(error) => Err(format!("cannot run {program}: {error}")),
    }
}
