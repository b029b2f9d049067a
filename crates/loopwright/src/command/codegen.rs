//! `loopwright codegen`.
use super::{print_text, read_text, usage_error};
use loopwright::{Failure, codegen_file};
use std::path::PathBuf;

const USAGE: &str = "\
usage: loopwright codegen FILE

Prints C for a schedule in isl's notation: a schedule tree (.st), or a flat schedule, a context and
options (.in).
";

/// Runs the command with the arguments that are left.
pub(super) fn run(mut parser: lexopt::Parser) -> Result<(), Failure> {
    let mut input = None;
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            lexopt::Arg::Short('h') | lexopt::Arg::Long("help") => return print_text(USAGE),
            lexopt::Arg::Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            other => return Err(usage_error(other.unexpected())),
        }
    }
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    let text = codegen_file(&read_text(&input)?)?;
    print_text(&text)
}
