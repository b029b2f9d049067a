//! Builds a program in some way; what is built already stays.
use super::manifest::ForeignProgram;
use super::way::{Tools, Way};
use loopwright::tune::run_within;
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// How long the compilation of one file may take.
const LONGEST_COMPILATION: Duration = Duration::from_secs(300);

/// What a build is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be run.
    Run(Way),
    /// To be looked at by a profiler: the plain build with the lines of its source, at fixed addresses.
    Lines,
}

impl Purpose {
    pub(super) fn name(self) -> &'static str {
        match self {
            Purpose::Run(way) => way.name(),
            Purpose::Lines => "lines",
        }
    }

    fn way(self) -> Way {
        match self {
            Purpose::Run(way) => way,
            Purpose::Lines => Way::Plain,
        }
    }

    fn flags(self) -> &'static [&'static str] {
        if self == Purpose::Lines { &["-g", "-no-pie"] } else { &[] }
    }
}

/// A program that is built.
#[derive(Clone, Debug)]
pub(super) struct Built {
    pub(super) executable: PathBuf,
    /// The seconds that it took.
    pub(super) seconds: f64,
}

/// Builds a program, unless the same was built before from the same files; a failure in the compiler's words.
pub(super) fn build(
    program: &ForeignProgram,
    purpose: Purpose,
    tools: &Tools,
    folder: &Path,
) -> Result<Built, String> {
    let executable = folder.join(format!("{}.exe", purpose.name()));
    let stamp_file = folder.join(format!("{}.stamp", purpose.name()));
    let commands = commands(program, purpose, tools, folder, &executable);
    let stamp = stamp(program, purpose, tools, &commands);
    let kept = std::fs::read_to_string(&stamp_file).unwrap_or_default();
    if let Some(seconds) = kept.strip_prefix(&stamp) {
        match seconds.trim().parse() {
            Ok(seconds) if executable.exists() => return Ok(Built { executable, seconds }),
            _ => {}
        }
    }
    let _ = std::fs::remove_file(&stamp_file);
    let start = Instant::now();
    for words in &commands {
        run_command(words, &program.folder, &folder.join(format!("{}.log", purpose.name())))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    std::fs::write(&stamp_file, format!("{stamp}{seconds}\n")).map_err(|e| e.to_string())?;
    Ok(Built { executable, seconds })
}

/// The commands that build a program, one per source and one to link.
fn commands(
    program: &ForeignProgram,
    purpose: Purpose,
    tools: &Tools,
    folder: &Path,
    executable: &Path,
) -> Vec<Vec<String>> {
    let mut commands = compilations(program, purpose, tools, folder);
    let objects: Vec<String> =
        (0..program.sources.len()).map(|at| object(purpose, at, folder)).collect();
    let output = ["-o".to_string(), executable.to_string_lossy().into_owned()];
    let libraries = texts(Tools::libraries(purpose.way()));
    let start = [compiler(program, purpose, tools), texts(purpose.flags())].concat();
    commands.push([start, objects, output.to_vec(), program.link.clone(), libraries].concat());
    commands
}

/// The commands that compile the sources of a program, in their order.
pub(super) fn compilations(
    program: &ForeignProgram,
    purpose: Purpose,
    tools: &Tools,
    folder: &Path,
) -> Vec<Vec<String>> {
    let start = [compiler(program, purpose, tools), program.flags.clone(), texts(purpose.flags())];
    let start = [start.concat(), texts(&["-w", "-c"])].concat();
    let command = |(position, source): (usize, &String)| {
        let tail = [source.clone(), "-o".to_string(), object(purpose, position, folder)];
        [&start[..], &tail].concat()
    };
    program.sources.iter().enumerate().map(command).collect()
}

/// The compiler with its optimization.
fn compiler(program: &ForeignProgram, purpose: Purpose, tools: &Tools) -> Vec<String> {
    let mut words = tools.compiler(purpose.way());
    if !program.flags.iter().any(|flag| flag.starts_with("-O")) {
        words.push("-O3".to_string());
    }
    words
}

/// The object of a source.
fn object(purpose: Purpose, position: usize, folder: &Path) -> String {
    folder.join(format!("{}.{position}.o", purpose.name())).to_string_lossy().into_owned()
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

/// What decides about the result of a build: the commands, and when sources and our own compiler last
/// changed.
fn stamp(
    program: &ForeignProgram,
    purpose: Purpose,
    tools: &Tools,
    commands: &[Vec<String>],
) -> String {
    let mut text = String::new();
    for words in commands {
        let _ = writeln!(text, "{}", words.join(" "));
    }
    let own = (purpose == Purpose::Run(Way::Ours)).then(|| PathBuf::from(&tools.loopwright));
    let sources = program.sources.iter().map(|source| program.folder.join(source));
    for path in sources.chain(own) {
        let _ = writeln!(text, "{} {:?}", path.display(), changed(&path));
    }
    text
}

fn changed(path: &Path) -> Option<Duration> {
    let time = std::fs::metadata(path).ok()?.modified().ok()?;
    time.duration_since(SystemTime::UNIX_EPOCH).ok()
}

/// Runs a command in a folder; if it fails, the error is what it says.
fn run_command(words: &[String], folder: &Path, log: &Path) -> Result<(), String> {
    let cannot = |e: std::io::Error| format!("cannot run {}: {e}", words[0]);
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(File::create(log).map_err(cannot)?);
    let ended = run_within(&mut command, LONGEST_COMPILATION).map_err(cannot)?;
    let said = std::fs::read_to_string(log).unwrap_or_default();
    match ended {
        Some(ended) if ended.status.success() => Ok(()),
        Some(_) => Err(format!("`{}` fails:\n{said}", words.join(" "))),
        None => Err(format!("`{}` takes too long", words.join(" "))),
    }
}
