//! Developing habits as commands: checks, measurements and the tables that are made of them.
mod agreement;
mod bench;
mod compilers;
mod conditions;
mod contestant;
mod counted;
mod deliver;
mod devices;
mod edits;
mod foreign;
mod front_end;
mod gates;
mod kernels;
mod least_time;
mod list;
mod measurements;
mod paper;
mod peers;
mod programs;
mod replay;
mod repository;
mod scaling;
mod schedules;
mod shares;
mod strategies;
mod table;
mod tilings;

// The allocator of the command, whose times are measured here.
use loopwright_allocator as _;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask COMMAND ...

  ci        everything that has to pass before a change lands
  gates     what has to hold of the sources and packages: dependencies, licences, circles, public items, ...
  kernels   run times of the kernels beside those of other compilers; writes docs/kernels.md
  shares    speed-up of several threads over one; shares of threads, predicted beside measured
  bench     compile times of the kernels, per stage
  programs  whole programs from elsewhere, through `loopwright cc`: outputs, speed, time in transformed loops
  front-end what the front end takes per line of long files
  replay    recorded set operations: the time and the result of each
  strategies
            size, executed instructions and generation time of the strategies of code generation
  scaling   how the time of code generation grows with the number of statements
  paper astgen
            sizes and executed instructions of the paper on AST generation, remade
  paper sica
            run times of the paper on tile sizes by caches and vector registers, remade
  paper spolly
            the table of run times of the paper on speculative optimizations
  paper stencils
            what isolation, unrolling and remainders are worth for tiled heat equations
  tilings   stencils in tiles of every shape: speed, weak scaling; writes docs/tilings-speed.md
  conditions
            programs with conditions on data: parallel loops and speed; writes docs/conditions.md
  devices   what programs do on a device, counted by an emulation; writes docs/devices-counted.md
  schedules
            the scheduler beside isl's: loops found and time; writes docs/schedules.md
  edits     editing operations on random schedule trees beside isl's
  budgets   how long operations run whose budget ends, by operation
  help      this text

`kernels` and `bench` measure the repository's kernels, or those of --programs MANIFEST: a TOML file that
names sources, flags, arguments, sizes, what is timed and how results are compared (docs/programs.md).";

fn main() -> ExitCode {
    match dispatch() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch() -> Result<(), String> {
    let mut parser = lexopt::Parser::from_env();
    let command = parser.next().map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let Some(lexopt::Arg::Value(command)) = command else { return Err(USAGE.to_string()) };
    match command.to_str() {
        Some("ci") => ci(),
        Some("gates") => gates::run(parser),
        Some("kernels") => kernels::run(parser),
        Some("shares") => shares::run(parser),
        Some("bench") => bench::run(parser),
        Some("programs") => foreign::run(parser),
        Some("front-end") => front_end::run(parser),
        Some("replay") => replay::run(parser),
        Some("strategies") => strategies::run(parser),
        Some("scaling") => scaling::run(parser),
        Some("schedules") => schedules::run(parser),
        Some("paper") => paper::run(parser),
        Some("tilings") => tilings::run(parser),
        Some("conditions") => conditions::run(parser),
        Some("devices") => devices::run(parser),
        Some("edits") => edits::run(parser),
        Some("budgets") => replay::run_budgets(parser),
        Some("help") => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(USAGE.to_string()),
    }
}

/// Runs the checks of `.ci/run`.
fn ci() -> Result<(), String> {
    let status = Command::new("bash")
        .arg(repository::root().join(".ci/run"))
        .status()
        .map_err(|e| format!("cannot run bash: {e}"))?;
    if status.success() { Ok(()) } else { Err("the checks fail".to_string()) }
}
