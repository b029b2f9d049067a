//! `loopwright schedule`.
use super::compile::{FUSES, choice, text};
use super::{read_text, usage_error};
use loopwright::Failure;
use loopwright_presburger::Budget;
use loopwright_scheduler::{Algorithm, Options, ScheduleConstraints, schedule};
use std::path::PathBuf;

const ALGORITHMS: [(&str, Algorithm); 2] =
    [("pluto", Algorithm::Pluto), ("feautrier", Algorithm::Feautrier)];

/// Reads isl's schedule constraints and prints a schedule tree.
pub fn run(mut parser: lexopt::Parser) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Value};
    let mut options = Options::tiling();
    let mut input = None;
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
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
        eprintln!("note: {}: {}", note.statements.join(", "), note.message);
    }
    println!("{}", scheduled.tree.to_string().trim_end());
    Ok(())
}

/// The work limit: some ten seconds.
const STEPS: u64 = 1_000_000_000;
