//! Sources as the compiler preprocesses them.
use crate::cc::command_line::CommandLine;
use crate::cc::flags::Kind;
use std::path::Path;
use std::process::{Command, Stdio};

/// Where another program than the command line's compiler preprocesses.
pub(super) struct Elsewhere<'a> {
    pub(super) program: &'a Path,
    /// The folder where it runs.
    pub(super) folder: &'a Path,
}

/// What the compiler prints for a source with `-E`.
///
/// # Errors
/// Why there is nothing.
pub(super) fn preprocessed(
    line: &CommandLine,
    source: &Path,
    elsewhere: Option<Elsewhere<'_>>,
) -> Result<Vec<u8>, String> {
    let is_seen = |kind| matches!(kind, Kind::Preprocessing | Kind::Other | Kind::Standard);
    let program = elsewhere.as_ref().map(|elsewhere| elsewhere.program.as_os_str());
    let mut command = Command::new(program.unwrap_or(line.own_compiler()));
    // Debug information of the third level would be macros in the text.
    command.args(line.words(is_seen)).args(["-w", "-g0", "-E", "-x", "c"]).arg(source);
    if let Some(elsewhere) = elsewhere {
        command.current_dir(elsewhere.folder);
    }
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    let output = output.map_err(|error| format!("the preprocessor does not run: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err("the preprocessor fails".to_string()),
    }
}
