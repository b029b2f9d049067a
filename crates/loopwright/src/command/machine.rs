//! `loopwright machine`.
use super::arguments::Arguments;
use super::streams::{print_text, read_text};
use super::usage::usage_error;
use super::without_effect;
use loopwright::Failure;
use loopwright_machine::Described;
use std::ffi::OsString;
use std::path::PathBuf;

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short};
    let (mut files, mut generic) = (Vec::new(), false);
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return print_text(&parser.help()),
            Long("generic") => generic = true,
            Long("machine") => files.push(parser.value()),
            other => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check_and_say("machine", parser.given())?;
    let start = if generic { Described::generic() } else { Described::detect() };
    let machine = files.into_iter().try_fold(start, overridden)?;
    print_text(&machine.to_string())
}

/// This machine with the facts of the description that is the value of an option.
pub(super) fn described(path: Result<OsString, lexopt::Error>) -> Result<Described, Failure> {
    overridden(Described::detect(), path)
}

fn overridden(
    machine: Described,
    path: Result<OsString, lexopt::Error>,
) -> Result<Described, Failure> {
    let path = PathBuf::from(path.map_err(usage_error)?);
    let name = path.display().to_string();
    let checked = machine.overridden(&read_text(&path)?, &name);
    checked.map_err(|e| Failure::refused(format!("{name}: {e}")))
}
