//! Runs a program in a folder of its own, so that where it comes from stays as it was.
use super::manifest::ForeignProgram;
use loopwright::tune::run_within;
use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Execution {
    /// How it ended.
    pub(super) end: End,
    pub(super) elapsed: Duration,
    /// The folder in which it ran, with what it wrote.
    pub(super) folder: PathBuf,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Status(i32),
    Signal(i32),
    /// It was stopped at its limit.
    TooLong,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            End::Status(status) => write!(f, "exit status {status}"),
            End::Signal(signal) => write!(f, "signal {signal}"),
            End::TooLong => write!(f, "stopped at its limit"),
        }
    }
}

impl End {
    fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => End::Status(code),
            (None, signal) => End::Signal(signal.unwrap_or(0)),
        }
    }
}

/// The files beside the working folder that get what a run prints.
pub(super) const STDOUT: &str = "stdout.txt";
pub(super) const STDERR: &str = "stderr.txt";

/// The working folder below the one of a run.
pub(super) fn working_folder(folder: &Path) -> PathBuf {
    folder.join("files")
}

/// Runs `executable`, or `before` with it as its last word, in a new working folder below `folder`.
pub(super) fn execute(
    program: &ForeignProgram,
    executable: &Path,
    before: &[String],
    threads: usize,
    folder: &Path,
) -> Result<Execution, String> {
    let working = new_folder(program, folder)?;
    let error = |e: std::io::Error| format!("cannot run {}: {e}", executable.display());
    let mut words = before.iter().map(AsRef::as_ref).chain([executable.as_os_str()]);
    let mut command = Command::new(words.next().unwrap_or(executable.as_os_str()));
    if before.is_empty() {
        // All builds have one name, since programs print it.
        command.arg0(&program.name);
    }
    command.args(words).args(&program.arguments).current_dir(&working);
    // Threads that wait leave the processor to others: more than one program may run on it.
    command.env("OMP_NUM_THREADS", threads.to_string()).env("OMP_WAIT_POLICY", "passive");
    command.envs(program.environment.iter().cloned());
    let input = program.input.as_ref().map(|name| File::open(working.join(name))).transpose();
    let input = input.map_err(|e| format!("the standard input: {e}"))?;
    command.stdin(input.map_or(Stdio::null(), Stdio::from));
    command.stdout(File::create(folder.join(STDOUT)).map_err(error)?);
    command.stderr(File::create(folder.join(STDERR)).map_err(error)?);
    let ended = run_within(&mut command, program.limit).map_err(error)?;
    let (end, elapsed) = match ended {
        Some(ended) => (End::of(ended.status), ended.elapsed),
        None => (End::TooLong, program.limit),
    };
    Ok(Execution { end, elapsed, folder: folder.to_path_buf() })
}

/// A new working folder with copies of a program's data.
fn new_folder(program: &ForeignProgram, folder: &Path) -> Result<PathBuf, String> {
    let error = |e: std::io::Error| format!("{}: {e}", folder.display());
    let working = working_folder(folder);
    match std::fs::remove_dir_all(&working) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(error(e)),
        _ => {}
    }
    std::fs::create_dir_all(&working).map_err(error)?;
    for (from, name) in &program.data {
        let to = working.join(name);
        if let Some(parent) = to.parent() {
            std::fs::create_dir_all(parent).map_err(error)?;
        }
        copy(from, &to).map_err(|e| format!("{}: {e}", from.display()))?;
    }
    Ok(working)
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        return std::fs::copy(from, to).map(drop);
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
