//! `loopwright flow`.
use super::arguments::Arguments;
use super::streams::{print_text, read_text};
use super::usage::usage_error;
use loopwright::Failure;
use loopwright_dataflow::AccessInformation;
use loopwright_presburger::Budget;
use std::path::PathBuf;

/// The work limit: some ten seconds.
const STEPS: u64 = 100_000_000;

/// Reads isl's access information and prints the dependences.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut input = None;
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return print_text(&parser.help()),
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            other => return Err(usage_error(other.unexpected())),
        }
    }
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    let name = input.display();
    let information = AccessInformation::parse(&read_text(&input)?)
        .map_err(|e| Failure::in_stage(&format!("reading {name}"), &e))?;
    let flow = information
        .compute_flow(&Budget::steps(STEPS))
        .map_err(|e| Failure::in_stage(&format!("the dependences of {name}"), &e))?;
    print_text(&flow.to_string())
}
