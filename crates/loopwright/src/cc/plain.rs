//! The compiler as it is called.
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Command, ExitStatus, Stdio};

/// A command of some words.
pub(super) fn command(words: &[OsString]) -> Command {
    let mut command = Command::new(words.first().map_or("cc".as_ref(), OsString::as_os_str));
    command.args(words.get(1..).unwrap_or_default());
    command
}

/// Runs another program with all that this one was given; its exit status. It is a process below this one,
/// which ends it with all that it has started where a signal asks for the end: compilers leave their parts
/// running.
pub(super) fn passed_on(words: &[OsString]) -> io::Result<i32> {
    command(words).status().map(code)
}

/// The exit status of a process as a shell gives it.
pub(super) fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    status.code().or(signal.map(|signal| 128 + signal)).unwrap_or(1)
}

/// Runs a command; if it succeeds, passes on what it has said and returns its status. Otherwise it has said
/// nothing.
pub(super) fn succeeding(words: &[OsString]) -> io::Result<Option<ExitStatus>> {
    let made = command(words).stdin(Stdio::null()).output()?;
    if !made.status.success() {
        return Ok(None);
    }
    io::stdout().write_all(&made.stdout)?;
    io::stderr().write_all(&made.stderr)?;
    Ok(Some(made.status))
}
