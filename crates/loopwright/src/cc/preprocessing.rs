//! Sources as the compiler preprocesses them.
use crate::cc::command_line::CommandLine;
use crate::cc::flags::Kind;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the compiler prints for a source with `-E`, from a folder or where this program runs.
///
/// # Errors
/// Why there is nothing.
pub(super) fn preprocessed(
    line: &CommandLine,
    source: &Path,
    folder: Option<&Path>,
) -> Result<Vec<u8>, String> {
    let is_seen = |kind| matches!(kind, Kind::Preprocessing | Kind::Other | Kind::Standard);
    let mut command = Command::new(line.own_compiler());
    // Debug information of the third level would be macros in the text.
    command.args(line.words(is_seen)).args(["-w", "-g0", "-E", "-x", "c"]).arg(source);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    let output = output.map_err(|error| format!("the preprocessor does not run: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err("the preprocessor fails".to_string()),
    }
}
