//! `cargo xtask bench`: how long the compiler takes, per kernel and stage.
use crate::suite::{self, Program};
use loopwright::{CompileOptions, Stage, compile_file};
use std::time::Duration;

const USAGE: &str = "usage: cargo xtask bench [--runs 5] [--symbolic] [--kernels a,b]";

struct Request {
    runs: usize,
    symbolic: bool,
    kernels: Vec<String>,
}

/// Compiles each kernel some times and prints the least time of each stage.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let request = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let programs = suite::select(suite::programs(None)?, &request.kernels)?;
    let names: Vec<String> = Stage::ALL[1..].iter().map(|s| format!("{:>12}", s.name())).collect();
    println!("{:16}{}{:>12}  (ms, least of {} runs)", "", names.concat(), "all", request.runs);
    let mut sums = vec![Duration::ZERO; Stage::ALL.len()];
    for program in &programs {
        match least_times(program, &request) {
            Ok(times) => {
                println!("{}", line(&program.name, &times));
                sums.iter_mut().zip(&times).for_each(|(sum, time)| *sum += *time);
            }
            Err(reason) => println!("{:16}{}", program.name, reason.lines().next().unwrap_or("")),
        }
    }
    println!("{}", line("all", &sums));
    Ok(())
}

fn parse(mut parser: lexopt::Parser) -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request { runs: 5, symbolic: false, kernels: Vec::new() };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("runs") => request.runs = parser.value()?.parse::<usize>()?.max(1),
            Long("symbolic") => request.symbolic = true,
            Long("kernels") => request.kernels = crate::names(&parser.value()?.string()?),
            other => return Err(other.unexpected()),
        }
    }
    Ok(request)
}

/// The least time of each stage after preprocessing, and of all of them together.
fn least_times(program: &Program, request: &Request) -> Result<Vec<Duration>, String> {
    let mut options = CompileOptions::new();
    options.front_end.include_dirs = program.include_dirs.clone();
    options.front_end.defines = program.defines("LARGE");
    if request.symbolic {
        options.front_end.defines.push("SYMBOLIC".to_string());
    }
    let mut least = vec![Duration::MAX; Stage::ALL.len()];
    for _ in 0..request.runs {
        let compiled = compile_file(&program.source, &options).map_err(|e| e.to_string())?;
        let timings = compiled.report.timings;
        let times = Stage::ALL[1..].iter().map(|stage| timings.of(*stage)).chain([timings.own()]);
        least.iter_mut().zip(times).for_each(|(least, time)| *least = time.min(*least));
    }
    Ok(least)
}

fn line(name: &str, times: &[Duration]) -> String {
    let cells: Vec<String> =
        times.iter().map(|time| format!("{:12.2}", time.as_secs_f64() * 1000.0)).collect();
    format!("{name:16}{}", cells.concat())
}
