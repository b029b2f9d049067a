//! The subcommands and what they share.
mod codegen;
mod compile;
mod schedule;

use loopwright::Failure;
use std::ffi::OsString;

const USAGE: &str = "\
usage: loopwright COMMAND ...

  compile FILE.c [-o OUT.c] [--target c|openmp] [--tile-sizes 32,32,32 | --no-tile]
                 [--fuse min|max|smart] [--scheduler pluto|feautrier|none]
                 [--schedule FILE.yaml] [--no-verify] [--report OUT.html]
                 [--emit scop|deps|schedule|ast|code] [-I DIR] [-D NAME[=VALUE]]
                       turn the regions between `#pragma scop` and `#pragma endscop` of a C
                       file into fast parallel code and prove that it does the same

  codegen FILE.in|FILE.st
                       print C for a schedule in isl's notation: a schedule tree, or a flat
                       schedule, a context and options

  schedule FILE.sc [--fuse min|max|smart] [--scheduler pluto|feautrier]
                   [--outer-coincidence]
                       print a schedule tree for isl's schedule constraints

  --help, --version

exit status: 0 done, 1 input refused, 2 wrong usage, 3 a limit was reached";

/// Commands that are planned and say so.
const PLANNED: [&str; 3] = ["flow", "calc", "verify"];

/// Runs the command line.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    let mut parser = lexopt::Parser::from_iter(arguments);
    let usage = |e: lexopt::Error| Failure::usage(format!("error: {e}\n\n{USAGE}"));
    match parser.next().map_err(usage)? {
        Some(lexopt::Arg::Value(command)) => dispatch(&command.to_string_lossy(), parser),
        Some(lexopt::Arg::Long("help") | lexopt::Arg::Short('h')) => {
            println!("{USAGE}");
            Ok(())
        }
        Some(lexopt::Arg::Long("version") | lexopt::Arg::Short('V')) => {
            println!("loopwright {}", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
        Some(other) => Err(usage(other.unexpected())),
        None => Err(Failure::usage(USAGE)),
    }
}

fn dispatch(command: &str, parser: lexopt::Parser) -> Result<(), Failure> {
    match command {
        "codegen" => codegen::run(parser),
        "compile" => compile::run(parser),
        "schedule" => schedule::run(parser),
        planned if PLANNED.contains(&planned) => Err(Failure::usage(format!(
            "error: `loopwright {planned}` is not part of this version"
        ))),
        other => Err(Failure::usage(format!("error: unknown command `{other}`\n\n{USAGE}"))),
    }
}

/// The error for a command line that cannot be understood.
fn usage_error(error: impl std::fmt::Display) -> Failure {
    Failure::usage(format!("error: {error}\n\n{USAGE}"))
}

/// The text of a file.
fn read_text(path: &std::path::Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|e| Failure::refused(format!("error: cannot read {}: {e}", path.display())))
}

/// Writes a file whole, or reports why not.
fn write_text(path: &std::path::Path, text: &str) -> Result<(), Failure> {
    loopwright::output::write_whole(path, text)
        .map_err(|e| Failure::refused(format!("error: cannot write {}: {e}", path.display())))
}
