//! `loopwright dataflow`.
use super::arguments::Arguments;
use super::program_options::{accept_about_program, accept_preprocessing, is_json};
use super::streams::print_text;
use super::usage::usage_error;
use super::without_effect;
use loopwright::{CompileOptions, Failure, RegionDataflow, dataflow_of_file};
use serde_json::Value as Json;
use std::path::PathBuf;

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let (mut input, mut json, mut projected) = (None, false, false);
    let mut options = CompileOptions::new();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            Short('h') | Long("help") => return print_text(&parser.help()),
            Short(letter) => accept_preprocessing(&mut options, &letter.to_string(), parser)?,
            Long("format") => json = is_json(parser)?,
            Long("projected") => projected = true,
            Long(name) => {
                let name = name.to_string();
                accept_about_program(&mut options, &name, parser)?;
            }
            other @ Value(_) => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check_and_say("dataflow", parser.given())?;
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    let regions = dataflow_of_file(&input, &options, projected)?;
    if json {
        let regions: Vec<Json> = regions.iter().map(RegionDataflow::to_json).collect();
        return print_text(&format!("{:#}\n", Json::from(regions)));
    }
    let texts: Vec<String> = regions.iter().map(ToString::to_string).collect();
    print_text(&texts.join("\n"))
}
