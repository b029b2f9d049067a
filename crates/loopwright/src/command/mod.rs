//! The subcommands and what they share.
mod arguments;
mod calc;
mod code_options;
mod codegen;
mod compile;
mod completions;
mod console;
mod explain;
mod flow;
mod help;
mod machine;
mod manual;
mod program_options;
mod report;
mod results;
mod schedule;
mod table;
mod tables;
mod tune;
mod without_effect;

use arguments::Arguments;
use console::Console;
use loopwright::{Diagnostic, Failure, Status, nearest_word, one_of};
use loopwright_cfront::bytes_of;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

/// Commands that are planned and say so.
const PLANNED: [&str; 1] = ["verify"];

/// What came of a command.
struct Ended {
    /// Messages that have not been printed.
    unsaid: Vec<Diagnostic>,
    /// Why there is no result, if that has not been printed.
    failure: Option<Failure>,
    status: Status,
}

impl Ended {
    fn with(unsaid: Vec<Diagnostic>, result: Result<(), Failure>) -> Self {
        let failure = result.err();
        let status = failure.as_ref().map_or(Status::Done, |failure| failure.status);
        Ended { unsaid, failure, status }
    }
}

impl From<Result<(), Failure>> for Ended {
    fn from(result: Result<(), Failure>) -> Self {
        Ended::with(Vec::new(), result)
    }
}

/// Runs the command line, says what there is to say, and returns the exit status.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> Status {
    let mut parser = lexopt::Parser::from_iter(arguments);
    let (console, ended) = match parser.next() {
        Err(error) => (Console::default(), Ended::from(Err(usage_error(error)))),
        Ok(Some(lexopt::Arg::Value(command))) => dispatch(&command.to_string_lossy(), parser),
        Ok(Some(lexopt::Arg::Long("help") | lexopt::Arg::Short('h'))) => {
            (Console::default(), print_text(&help::overview()).into())
        }
        Ok(Some(lexopt::Arg::Long("version") | lexopt::Arg::Short('V'))) => {
            let version = concat!("loopwright ", env!("CARGO_PKG_VERSION"), "\n");
            (Console::default(), print_text(version).into())
        }
        Ok(Some(other)) => (Console::default(), Err(usage_error(other.unexpected())).into()),
        Ok(None) => {
            print_remarks(&help::overview());
            return Status::Usage;
        }
    };
    console.finish(ended.unsaid, ended.failure.as_ref());
    ended.status
}

fn dispatch(command: &str, parser: lexopt::Parser) -> (Console, Ended) {
    let Some(table) = tables::command(command) else {
        return (Console::default(), Err(unknown_command(command)).into());
    };
    let mut arguments = Arguments::new(parser, table);
    let parser = &mut arguments;
    let ended = match command {
        "compile" => compile::run(parser),
        "report" => report::run(parser),
        "calc" => calc::run(parser).into(),
        "codegen" => codegen::run(parser).into(),
        "explain" => explain::run(parser).into(),
        "flow" => flow::run(parser).into(),
        "machine" => machine::run(parser).into(),
        "schedule" => schedule::run(parser).into(),
        "tune" => tune::run(parser).into(),
        "completions" => completions::run(parser).into(),
        "man" => manual::run(parser).into(),
        other => Err(unknown_command(other)).into(),
    };
    (arguments.console(), ended)
}

/// The failure for a command that there is not.
fn unknown_command(command: &str) -> Failure {
    if PLANNED.contains(&command) {
        return Failure::usage(format!("`loopwright {command}` is not part of this version"));
    }
    let names = tables::COMMANDS.iter().map(|command| command.name);
    let meant = nearest_word(command, names);
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    usage_error(format!("unknown command `{command}`{meant}"))
}

/// What a word means.
///
/// # Errors
/// In words, with those that there are.
fn choice<T: Clone>(option: &str, value: &str, choices: &[(&str, T)]) -> Result<T, String> {
    let found = choices.iter().find(|(name, _)| *name == value);
    let names = || choices.iter().map(|(name, _)| *name);
    found.map(|(_, meaning)| meaning.clone()).ok_or_else(|| one_of(option, value, names()))
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
