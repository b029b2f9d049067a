//! Where a text that was made goes.
use std::path::{Path, PathBuf};

/// Writes the text whole to the file, or prints it if there is none.
pub(crate) fn deliver(text: &str, out: Option<&Path>) -> Result<(), String> {
    match out {
        Some(path) => loopwright::output::write_whole(path, text)
            .map_err(|e| format!("{}: {e}", path.display())),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

/// The file of `--out`, for commands without other options.
pub(crate) fn out_option(
    mut parser: lexopt::Parser,
    usage: &str,
) -> Result<Option<PathBuf>, String> {
    let wrong = |e: lexopt::Error| format!("{e}\n\n{usage}");
    let mut out = None;
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            lexopt::Arg::Long("out") => out = Some(PathBuf::from(parser.value().map_err(wrong)?)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    Ok(out)
}
