//! `cargo xtask bench`: how long the compiler takes, per kernel and stage, or beside another build of it.
mod two_builds;

use crate::programs::{self, Program};
use loopwright::{CompileOptions, Stage, compile_file};
use std::path::PathBuf;
use std::time::Duration;

const USAGE: &str = "\
usage: cargo xtask bench [--runs 5] [--symbolic] [--kernels a,b] [--programs MANIFEST] [--size LARGE]
                         [--against BINARY [--binary BINARY] [--run]]

Prints the least time of each stage per kernel. --programs takes other programs than the repository's
kernels (docs/programs.md). --symbolic leaves the sizes of the repository's kernels open.
--against times two builds of `loopwright` in turn, so that both see the same machine, and prints
the ratio per kernel: that build (before), and the one of --binary (after; otherwise the one that
`cargo build --release` makes). --run also compiles and runs the programs whose C texts differ.";

struct Request {
    runs: usize,
    symbolic: bool,
    kernels: Vec<String>,
    programs: Option<PathBuf>,
    size: String,
    against: Option<PathBuf>,
    binary: Option<PathBuf>,
    run: bool,
}

/// Compiles each kernel some times and prints the least time of each stage, or compares two builds.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let request = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let collection = programs::read(request.programs.as_deref())?.select(&request.kernels)?;
    match &request.against {
        Some(before) => two_builds::compare(before, &collection.programs, &request),
        None if request.binary.is_some() || request.run => {
            Err(format!("--binary and --run have an effect only with --against\n\n{USAGE}"))
        }
        None => {
            print_stages(&collection.programs, &request);
            Ok(())
        }
    }
}

fn print_stages(programs: &[Program], request: &Request) {
    let names: Vec<String> = Stage::ALL[1..].iter().map(|s| format!("{:>12}", s.name())).collect();
    println!("{:16}{}{:>12}  (ms, least of {} runs)", "", names.concat(), "all", request.runs);
    let mut sums = vec![Duration::ZERO; Stage::ALL.len()];
    for program in programs {
        match least_times(program, request) {
            Ok(times) => {
                println!("{}", line(&program.name, &times));
                sums.iter_mut().zip(&times).for_each(|(sum, time)| *sum += *time);
            }
            Err(reason) => println!("{:16}{}", program.name, reason.lines().next().unwrap_or("")),
        }
    }
    println!("{}", line("all", &sums));
}

fn parse(mut parser: lexopt::Parser) -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request {
        runs: 5,
        symbolic: false,
        kernels: Vec::new(),
        programs: None,
        size: "LARGE".to_string(),
        against: None,
        binary: None,
        run: false,
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("runs") => request.runs = parser.value()?.parse::<usize>()?.max(1),
            Long("symbolic") => request.symbolic = true,
            Long("kernels") => request.kernels = crate::list::names(&parser.value()?.string()?),
            Long("programs") => request.programs = Some(parser.value()?.into()),
            Long("size") => request.size = parser.value()?.string()?,
            Long("against") => request.against = Some(parser.value()?.into()),
            Long("binary") => request.binary = Some(parser.value()?.into()),
            Long("run") => request.run = true,
            other => return Err(other.unexpected()),
        }
    }
    Ok(request)
}

/// The definitions that a program is compiled with.
fn defines(program: &Program, request: &Request) -> Result<Vec<String>, String> {
    let symbolic = request.symbolic.then(|| "SYMBOLIC".to_string());
    Ok(program.defines(&request.size)?.into_iter().chain(symbolic).collect())
}

/// The least time of each stage after preprocessing, and of all of them together.
fn least_times(program: &Program, request: &Request) -> Result<Vec<Duration>, String> {
    let mut options = CompileOptions::new();
    options.front_end.include_dirs = program.include_dirs.clone();
    options.front_end.defines = defines(program, request)?;
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
