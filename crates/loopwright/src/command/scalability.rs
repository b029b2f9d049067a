//! `loopwright scalability`.
use super::arguments::Arguments;
use super::program_options::{accept_about_program, accept_preprocessing, is_json};
use super::streams::print_text;
use super::usage::usage_error;
use super::values::text;
use super::without_effect;
use loopwright::{
    CompileOptions, Failure, RegionScalability, ScalabilityOptions, scalability_of_file,
};
use loopwright_transform::{TileSizes, Tiling};
use serde_json::Value as Json;
use std::path::PathBuf;

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let (mut input, mut json) = (None, false);
    let mut options = CompileOptions::new();
    let mut wanted = ScalabilityOptions::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            Short('h') | Long("help") => return print_text(&parser.help()),
            Short(letter) => accept_preprocessing(&mut options, &letter.to_string(), parser)?,
            Long("format") => json = is_json(parser)?,
            Long("tile-size") => wanted.tile_size = number(parser, "tile-size", 1)?,
            Long("tiling") => wanted.tiling = tiling(&text(parser)?)?,
            Long("tile-sizes") => wanted.tile_sizes = sizes(&text(parser)?)?,
            Long("from") => wanted.least = number(parser, "from", 1)?,
            Long("processors") => wanted.processors = processors(&text(parser)?)?,
            Long(name) => {
                let name = name.to_string();
                accept_about_program(&mut options, &name, parser)?;
            }
            other @ Value(_) => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check_and_say("scalability", parser.given())?;
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    let regions = scalability_of_file(&input, &options, &wanted)?;
    if json {
        let regions: Vec<Json> = regions.iter().map(RegionScalability::to_json).collect();
        return print_text(&format!("{:#}\n", Json::from(regions)));
    }
    let texts: Vec<String> = regions.iter().map(ToString::to_string).collect();
    print_text(&texts.join("\n"))
}

/// A shape of tiles, or none in particular.
fn tiling(name: &str) -> Result<Option<Tiling>, Failure> {
    let mut options = CompileOptions::new();
    options.set("tiling", Some(name)).map_err(usage_error)?;
    Ok(options.tiling)
}

/// Sizes of tiles.
fn sizes(list: &str) -> Result<Vec<i64>, Failure> {
    let mut options = CompileOptions::new();
    options.set("tile-sizes", Some(list)).map_err(usage_error)?;
    match options.tile_sizes {
        TileSizes::Given(sizes) => Ok(sizes),
        _ => Err(usage_error("--tile-sizes takes numbers such as 4,16")),
    }
}

/// The greatest tile size or value of a parameter; graphs of larger programs are too large in any case.
const GREATEST: i64 = 1_000_000;

fn number(parser: &mut Arguments, name: &str, least: i64) -> Result<i64, Failure> {
    let word = text(parser)?;
    let value = word.parse().ok().filter(|value| (least..=GREATEST).contains(value));
    value.ok_or_else(|| {
        usage_error(format!("--{name} takes a number from {least} to {GREATEST}, not '{word}'"))
    })
}

fn processors(list: &str) -> Result<Vec<u64>, Failure> {
    let numbers: Option<Vec<u64>> =
        list.split(',').map(|word| word.trim().parse().ok().filter(|n| *n > 0)).collect();
    numbers.ok_or_else(|| {
        usage_error(format!("--processors takes numbers of processors such as 8,16, not '{list}'"))
    })
}
