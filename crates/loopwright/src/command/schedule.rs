//! `loopwright schedule`.
use super::arguments::Arguments;
use super::streams::{print_remarks, print_text, read_text};
use super::usage::usage_error;
use super::values::text;
use super::without_effect;
use loopwright::{Failure, checked_schedule, schedule_budget};
use loopwright_schedule::ScheduleTree;
use loopwright_scheduler::{Options, ScheduleConstraints, schedule};
use std::path::PathBuf;

/// Reads isl's schedule constraints and prints a schedule tree.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut words: Vec<(String, Option<String>)> = Vec::new();
    let (mut input, mut given, mut ignore) = (None, None, false);
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return print_text(&parser.help()),
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            Long("schedule") => {
                given = Some(PathBuf::from(parser.value().map_err(usage_error)?));
            }
            Long("ignore-options") => ignore = true,
            Long(name) if Options::takes_value(name).is_some() => {
                let name = name.to_string();
                let takes_value = Options::takes_value(&name) == Some(true);
                let value = takes_value.then(|| text(parser)).transpose()?;
                words.push((name, value));
            }
            other => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check_and_say("schedule", parser.given())?;
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    let content = read_text(&input)?;
    let mut options =
        Options { merge_complete: true, separate_components: true, ..Options::tiling() };
    if !ignore {
        options
            .set_from_comments(&content)
            .map_err(|e| Failure::refused(format!("{}: in a comment: {e}", input.display())))?;
    }
    for (name, value) in &words {
        options.set(name, value.as_deref()).map_err(usage_error)?;
    }
    let name = input.display();
    let constraints = ScheduleConstraints::parse(&content)
        .map_err(|e| Failure::in_stage(&format!("reading {name}"), &e))?;
    let budget = &schedule_budget();
    if let Some(path) = &given {
        let tree = checked_schedule(&read_text(path)?, &constraints, budget)?;
        return print_tree(&tree);
    }
    let scheduled = schedule(&constraints, &options, budget)
        .map_err(|e| Failure::in_stage(&format!("scheduling {name}"), &e))?;
    for note in &scheduled.notes {
        print_remarks(&format!("note: {}: {}\n", note.statements.join(", "), note.message));
    }
    print_tree(&scheduled.tree)
}

fn print_tree(tree: &ScheduleTree) -> Result<(), Failure> {
    print_text(&format!("{}\n", tree.to_string().trim_end()))
}
