//! `loopwright flow`.
use super::arguments::Arguments;
use super::{print_text, read_text, usage_error};
use loopwright::Failure;
use loopwright_dataflow::AccessInformation;
use loopwright_presburger::Budget;
use std::path::PathBuf;

const USAGE: &str = "\
usage: loopwright flow FILE.ai

Prints the dependences of isl's access information: a YAML mapping of `sink`, `must_source`,
`may_source` and `kill` to relations from instances to elements, and of `schedule` to a schedule
tree or `schedule_map` to a relation from instances to times.

  must_dependence   T[j] -> [S[i] -> A[x]]: from the source that is surely the last one
  may_dependence    T[j] -> [S[i] -> A[x]]: from every source that may be the last one
  must_no_source    S[i] -> A[x]: sink accesses without any source or kill before
  may_no_source     S[i] -> A[x]: sink accesses without a sure source or kill before
";

/// The work limit: some ten seconds.
const STEPS: u64 = 1_000_000_000;

/// Reads isl's access information and prints the dependences.
pub(super) fn run(mut parser: Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut input = None;
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return print_text(USAGE),
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
