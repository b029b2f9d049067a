//! `loopwright verify`.
use super::arguments::Arguments;
use super::ended::Ended;
use super::program_options::{accept_about_program, accept_preprocessing};
use super::streams::print_text;
use super::usage::usage_error;
use super::values::text;
use super::without_effect;
use loopwright::equivalence::{Extremum, Laws};
use loopwright::presburger::Map;
use loopwright::scop::{ArithmeticOperator, BinaryOperator};
use loopwright::{CompileOptions, EquivalenceOptions, Failure, Status, compare_files};
use std::path::PathBuf;
use std::time::Duration;

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Ended {
    match answered(parser) {
        Ok(status) => Ended { unsaid: Vec::new(), failure: None, status },
        Err(failure) => Err(failure).into(),
    }
}

fn answered(parser: &mut Arguments) -> Result<Status, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let (mut files, mut json) = (Vec::new(), false);
    let mut options = CompileOptions::new();
    let mut wanted = EquivalenceOptions::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) if files.len() < 2 => files.push(PathBuf::from(path)),
            Short('h') | Long("help") => {
                print_text(&parser.help())?;
                return Ok(Status::Done);
            }
            Short(letter) => accept_preprocessing(&mut options, &letter.to_string(), parser)?,
            Long("json") => json = true,
            Long("live-out") => wanted.live_out = Some(names(&text(parser)?)),
            Long("associative") => {
                wanted.laws = laws(&text(parser)?)?;
            }
            Long("layout") => wanted.layouts.push(layout(&text(parser)?)?),
            Long("timeout") => wanted.limit = seconds(&text(parser)?)?,
            Long(name) => {
                let name = name.to_string();
                accept_about_program(&mut options, &name, parser)?;
            }
            other @ Value(_) => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check_and_say("verify", parser.given())?;
    let [before, after] = &files[..] else {
        return Err(usage_error("two files are compared: BEFORE.c and AFTER.c"));
    };
    let compared = compare_files(before, after, &options, &wanted)?;
    match json {
        true => print_text(&format!("{:#}\n", compared.to_json()))?,
        false => print_text(&compared.to_string())?,
    }
    Ok(compared.status())
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(|name| name.trim().to_string()).collect()
}

/// The operators of `--associative`.
fn laws(list: &str) -> Result<Laws, Failure> {
    use ArithmeticOperator::{Add, And, ExclusiveOr, Multiply, Or};
    let mut laws = Laws::default();
    for symbol in list.split(',').map(str::trim) {
        let extrema = [Extremum::Minimum, Extremum::Maximum];
        if let Some(own) = extrema.into_iter().find(|own| own.name() == symbol) {
            laws.extrema.push(own);
            continue;
        }
        match BinaryOperator::of_symbol(symbol) {
            Some(BinaryOperator::Arithmetic(
                operator @ (Add | Multiply | And | Or | ExclusiveOr),
            )) => laws.associative_commutative.push(operator),
            _ => {
                return Err(usage_error(format!(
                    "--associative takes operators such as +,* and among +, *, &, |, ^, min, max; '{symbol}' is none"
                )));
            }
        }
    }
    Ok(laws)
}

fn layout(relation: &str) -> Result<Map, Failure> {
    let usage = |why: String| usage_error(format!("--layout: {why}"));
    let map = Map::parse(relation).map_err(|error| usage(error.to_string()))?;
    let names = [map.space().input(), map.space().output()];
    match names.iter().all(|tuple| tuple.is_some_and(|tuple| tuple.name().is_some())) {
        true => Ok(map),
        false => Err(usage(format!("both sides of '{relation}' need the name of an array"))),
    }
}

fn seconds(text: &str) -> Result<Duration, Failure> {
    let value = text.parse::<f64>().ok().filter(|value| *value > 0.0);
    value
        .and_then(|value| Duration::try_from_secs_f64(value).ok())
        .ok_or_else(|| usage_error(format!("--timeout takes seconds, not '{text}'")))
}
