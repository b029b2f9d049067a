//! One run of the compiler in place of two.
//!
//! The plain run says what there is to say about the user's text, and its object stays where the transformed
//! one cannot be made. Where the compiler finds nothing to say about either text, only the transformed one is
//! compiled; the user's is checked, which takes little, and writes the files of dependencies.
use crate::cc::command_line::{CommandLine, compiler_length};
use crate::cc::plain;
use std::ffi::OsString;
use std::process::Stdio;
use std::time::Duration;

/// How long the transformation may run before the plain compiler is started beside it.
pub(super) const HEAD_START: Duration = Duration::from_secs(4);

/// Whether one run can do: for one object in a file.
pub(super) fn is_possible(line: &CommandLine) -> bool {
    let mut sources = line.sources();
    let (Some(source), None) = (sources.next(), sources.next()) else { return false };
    let output = line.output(source);
    let is_file = std::fs::symlink_metadata(&output).map_or(true, |data| data.is_file());
    !line.links() && is_file
}

/// Whether the compiler has nothing to say about the user's text.
pub(super) fn is_silent(command: &[OsString]) -> bool {
    // Programs in front of a compiler keep objects, and this makes none.
    let words = &command[compiler_length(command).saturating_sub(1)..];
    let mut check = plain::command(words);
    let said = check.arg("-fsyntax-only").stdin(Stdio::null()).output();
    said.is_ok_and(|said| said.status.success() && said.stdout.is_empty() && said.stderr.is_empty())
}
