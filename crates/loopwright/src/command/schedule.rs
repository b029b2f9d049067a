//! `loopwright schedule`.
use super::compile::{FUSES, choice, text};
use super::{print_remarks, print_text, read_text, usage_error};
use loopwright::Failure;
use loopwright_presburger::Budget;
use loopwright_scheduler::{Algorithm, Options, ScheduleConstraints, schedule};
use std::path::PathBuf;

const ALGORITHMS: [(&str, Algorithm); 2] =
    [("pluto", Algorithm::Pluto), ("feautrier", Algorithm::Feautrier)];

const USAGE: &str = "\
usage: loopwright schedule FILE.sc [options]

Prints a schedule tree for isl's schedule constraints.

  --fuse min|max|smart          which statements share loops (default smart)
  --scheduler pluto|feautrier   how loops are found (default pluto)
  --outer-coincidence           prefer a parallel outermost loop
";

/// Reads isl's schedule constraints and prints a schedule tree.
pub(super) fn run(mut parser: lexopt::Parser) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut options = Options::tiling();
    let mut input = None;
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return print_text(USAGE),
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            Long("fuse") => options.fuse = choice("--fuse", &text(&mut parser)?, &FUSES)?,
            Long("scheduler") => {
                options.algorithm = choice("--scheduler", &text(&mut parser)?, &ALGORITHMS)?;
            }
            Long("outer-coincidence") => options.outer_coincidence = true,
            other => return Err(usage_error(other.unexpected())),
        }
    }
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    let name = input.display();
    let constraints = ScheduleConstraints::parse(&read_text(&input)?)
        .map_err(|e| Failure::in_stage(&format!("reading {name}"), &e))?;
    let scheduled = schedule(&constraints, &options, &Budget::steps(STEPS))
        .map_err(|e| Failure::in_stage(&format!("scheduling {name}"), &e))?;
    for note in &scheduled.notes {
        print_remarks(&format!("note: {}: {}\n", note.statements.join(", "), note.message));
    }
    print_text(&format!("{}\n", scheduled.tree.to_string().trim_end()))
}

/// The work limit: some ten seconds.
const STEPS: u64 = 1_000_000_000;
