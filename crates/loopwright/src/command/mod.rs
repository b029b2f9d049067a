//! The subcommands and what they share.
mod arguments;
mod calc;
mod code_options;
mod codegen;
mod compile;
mod explain;
mod flow;
mod machine;
mod program_options;
mod report;
mod schedule;
mod tune;
mod without_effect;

use arguments::Arguments;
use loopwright::{Failure, Status};
use loopwright_cfront::bytes_of;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

const USAGE: &str = "\
usage: loopwright COMMAND ...

  compile FILE.c         turn the regions between `#pragma scop` and `#pragma endscop` of a C
                         file into fast parallel code and prove that it does the same
  tune FILE.c            the same with the fastest choices that a search by compiling and running finds
  report FILE.c...       list every loop with what becomes of it, or all reasons why nothing does
  explain FILE.c[:LINE]  tell why loops are or are not parallel, tilable, fused; or what a code means
  codegen FILE.in        print C for a schedule in isl's notation
  flow FILE.ai           print the dependences of isl's access information
  schedule FILE.sc       print a schedule tree for isl's schedule constraints
  machine                print what is known about this machine, or check a description

  calc [FILE]            a calculator for sets and relations in the language of iscc

  COMMAND --help         the options of a command
  --help, --version

exit status: 0 done, 1 input refused, 2 wrong usage, 3 a limit was reached
";

/// Commands that are planned and say so.
const PLANNED: [&str; 1] = ["verify"];

/// Runs the command line, says why there is no result if there is none, and returns the exit status.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> Status {
    match run_command(arguments) {
        Ok(status) => status,
        Err(failure) => {
            print_remarks(&format!("{failure}\n"));
            failure.status
        }
    }
}

fn run_command(arguments: impl IntoIterator<Item = OsString>) -> Result<Status, Failure> {
    let mut parser = lexopt::Parser::from_iter(arguments);
    match parser.next().map_err(usage_error)? {
        Some(lexopt::Arg::Value(command)) => {
            return dispatch(&command.to_string_lossy(), parser).map(|()| Status::Done);
        }
        Some(lexopt::Arg::Long("help") | lexopt::Arg::Short('h')) => print_text(USAGE)?,
        Some(lexopt::Arg::Long("version") | lexopt::Arg::Short('V')) => {
            print_text(concat!("loopwright ", env!("CARGO_PKG_VERSION"), "\n"))?;
        }
        Some(other) => return Err(usage_error(other.unexpected())),
        None => {
            print_remarks(USAGE);
            return Ok(Status::Usage);
        }
    }
    Ok(Status::Done)
}

fn dispatch(command: &str, parser: lexopt::Parser) -> Result<(), Failure> {
    let parser = Arguments::new(parser);
    match command {
        "calc" => calc::run(parser),
        "codegen" => codegen::run(parser),
        "compile" => compile::run(parser),
        "explain" => explain::run(parser),
        "flow" => flow::run(parser),
        "machine" => machine::run(parser),
        "report" => report::run(parser),
        "schedule" => schedule::run(parser),
        "tune" => tune::run(parser),
        planned if PLANNED.contains(&planned) => {
            Err(Failure::usage(format!("`loopwright {planned}` is not part of this version")))
        }
        other => Err(usage_error(format!("unknown command `{other}`"))),
    }
}

/// The error for a command line that cannot be understood.
fn usage_error(error: impl std::fmt::Display) -> Failure {
    Failure::usage(error.to_string()).with_help(
        "`loopwright --help` lists the commands, `loopwright COMMAND --help` its options",
    )
}

/// The file that an option names for a result; none for `-`, which is the standard output.
fn output_path(parser: &mut Arguments) -> Result<Option<PathBuf>, Failure> {
    let path = PathBuf::from(parser.value().map_err(usage_error)?);
    Ok(Some(path).filter(|path| path.as_os_str() != "-"))
}

/// Writes the result of a command to the standard output.
///
/// A reader that has gone away wants no more, which is no failure.
fn print_text(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(&bytes_of(text)).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::refused(format!("cannot write to the standard output: {e}")))
        }
        _ => Ok(()),
    }
}

/// Writes remarks to the standard error; nobody needs to read them.
fn print_remarks(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// The text of a file.
fn read_text(path: &std::path::Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|e| Failure::refused(format!("cannot read {}: {e}", path.display())))
}

/// Writes a file whole, or reports why not.
fn write_text(path: &std::path::Path, text: &str) -> Result<(), Failure> {
    loopwright::output::write_whole(path, bytes_of(text))
        .map_err(|e| Failure::refused(format!("cannot write {}: {e}", path.display())))
}
