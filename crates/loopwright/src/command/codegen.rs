//! `loopwright codegen`.
use super::{read_text, usage_error};
use loopwright::{Failure, codegen_file};
use std::io::Write;
use std::path::PathBuf;

/// Runs the command with the arguments that are left.
pub fn run(mut parser: lexopt::Parser) -> Result<(), Failure> {
    let mut input = None;
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            lexopt::Arg::Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            other => return Err(usage_error(other.unexpected())),
        }
    }
    let input = input.ok_or_else(|| usage_error("which file?"))?;
    let text = codegen_file(&read_text(&input)?)?;
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Ok(())
}
