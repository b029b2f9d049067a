//! `loopwright storage`.
use super::arguments::Arguments;
use super::program_options::{accept_fact, accept_preprocessing, is_about_preprocessing};
use super::streams::print_text;
use super::usage::usage_error;
use super::values::text;
use super::without_effect;
use loopwright::{CompileOptions, Failure, RegionStorage, storage_of_file};
use serde_json::Value as Json;
use std::path::PathBuf;

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let (mut input, mut is_json) = (None, false);
    let mut options = CompileOptions::new();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            Short('h') | Long("help") => return print_text(&parser.help()),
            Short(letter) => accept_preprocessing(&mut options, &letter.to_string(), parser)?,
            Long("format") => {
                is_json = match text(parser)?.as_str() {
                    "text" => false,
                    "json" => true,
                    word => {
                        let message = format!("--format takes one of text, json, not '{word}'");
                        return Err(usage_error(message));
                    }
                }
            }
            Long(name) => {
                let name = name.to_string();
                if is_about_preprocessing(&name) {
                    accept_preprocessing(&mut options, &name, parser)?;
                } else if !accept_fact(&mut options, &name, parser)? {
                    return Err(usage_error(Long(&name).unexpected()));
                }
            }
            other @ Value(_) => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check_and_say("storage", parser.given())?;
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    let regions = storage_of_file(&input, &options)?;
    if is_json {
        let regions: Vec<Json> = regions.iter().map(RegionStorage::to_json).collect();
        return print_text(&format!("{:#}\n", Json::from(regions)));
    }
    let texts: Vec<String> = regions.iter().map(ToString::to_string).collect();
    print_text(&texts.join("\n"))
}
