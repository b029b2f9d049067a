//! The command line: which subcommand runs, and how it ends.
mod arguments;
mod calc;
mod cc;
mod code_options;
mod codegen;
mod compile;
mod completions;
mod console;
mod dataflow;
mod ended;
mod explain;
mod flow;
mod help;
mod machine;
mod manual;
mod profile_options;
mod program_options;
mod report;
mod results;
mod scalability;
mod schedule;
mod second_file;
mod storage;
mod streams;
mod table;
mod tables;
mod tool_tables;
mod tune;
mod usage;
mod values;
mod verify;
mod without_effect;

use arguments::Arguments;
use console::Console;
use ended::Ended;
use loopwright::signals::{end_in_order, wait_for_end};
use loopwright::{Failure, Status, nearest_word};
use std::ffi::OsString;
use std::path::Path;
use streams::{print_remarks, print_text};
use usage::usage_error;

/// Runs the command line, says what there is to say, and returns the exit status.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> Status {
    let mut arguments = arguments.into_iter();
    let name = arguments.next().unwrap_or_default();
    // Under this name it is a compiler, where the name of a program is asked for and not a command.
    let is_compiler = Path::new(&name).file_name().is_some_and(|name| name == "loopwright-cc");
    let command = is_compiler.then(|| OsString::from("cc"));
    let words = std::iter::once(name).chain(command).chain(arguments);
    let mut parser = lexopt::Parser::from_iter(words);
    let (console, ended) = match parser.next() {
        Err(error) => (Console::default(), Ended::from(Err(usage_error(error)))),
        Ok(Some(lexopt::Arg::Value(command))) => {
            // A search ends in an order of its own.
            if command != "tune" {
                end_in_order();
            }
            match command == "help" {
                true => (Console::default(), print_help(parser).into()),
                false => dispatch(&command.to_string_lossy(), parser),
            }
        }
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
    wait_for_end();
    console.finish(ended.unsaid, ended.failure.as_ref());
    ended.status
}

fn dispatch(command: &str, parser: lexopt::Parser) -> (Console, Ended) {
    let Some(table) = tables::command(command) else {
        return (Console::default(), Err(unknown_command(command)).into());
    };
    let parser = match command {
        "cc" => with_environment(parser),
        _ => parser,
    };
    let mut arguments = Arguments::new(parser, table);
    let parser = &mut arguments;
    let ended = match command {
        "compile" => compile::run(parser),
        "cc" => cc::run(parser),
        "report" => report::run(parser),
        "calc" => calc::run(parser).into(),
        "codegen" => codegen::run(parser).into(),
        "dataflow" => dataflow::run(parser).into(),
        "explain" => explain::run(parser).into(),
        "flow" => flow::run(parser).into(),
        "machine" => machine::run(parser).into(),
        "scalability" => scalability::run(parser).into(),
        "storage" => storage::run(parser).into(),
        "schedule" => schedule::run(parser).into(),
        "tune" => tune::run(parser).into(),
        "verify" => verify::run(parser),
        "completions" => completions::run(parser).into(),
        "man" => manual::run(parser).into(),
        other => Err(unknown_command(other)).into(),
    };
    (arguments.console(), ended)
}

/// The words of a command line behind those of the environment.
fn with_environment(mut parser: lexopt::Parser) -> lexopt::Parser {
    let rest: Vec<OsString> = parser.raw_args().into_iter().flatten().collect();
    lexopt::Parser::from_args(cc::words_of_environment().into_iter().chain(rest))
}

/// What `loopwright help` and `loopwright help COMMAND` print: the same as `--help`.
fn print_help(mut parser: lexopt::Parser) -> Result<(), Failure> {
    let words: Vec<OsString> = parser.raw_args().into_iter().flatten().collect();
    let command = match &words[..] {
        [] => return print_text(&help::overview()),
        [command] => command.to_string_lossy(),
        _ => return Err(usage_error("`loopwright help` takes the name of one command")),
    };
    let table = tables::command(&command).ok_or_else(|| unknown_command(&command))?;
    print_text(&help::help(table))
}

/// The failure for a command that there is not.
fn unknown_command(command: &str) -> Failure {
    if Path::new(command).exists() {
        return Failure::usage(format!("`{command}` is a file, and no command"))
            .with_help(format!("`loopwright compile {command}` compiles a file of C"));
    }
    let names = tables::COMMANDS.iter().map(|command| command.name);
    let meant = nearest_word(command, names);
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    usage_error(format!("unknown command `{command}`{meant}"))
}

#[cfg(test)]
mod tests {
    use super::dispatch;
    use super::table::Row;
    use super::table::Value::{File, Folder, Nothing, Text, Words};
    use super::tables::COMMANDS;
    use std::collections::BTreeSet;

    /// What is said about a command line.
    fn said(command: &str, words: &[String]) -> String {
        let parser = lexopt::Parser::from_args(words.iter().map(String::as_str));
        let (_, ended) = dispatch(command, parser);
        ended.failure.map_or(String::new(), |failure| failure.to_string())
    }

    /// Every option of the tables is one that the parser takes, with every word that the table has for its
    /// value. A file that is not there keeps commands from doing more than reading the line.
    #[test]
    fn parsers_take_what_the_tables_have() {
        for command in COMMANDS {
            for row in command.all_rows() {
                let values: Vec<&str> = match row.value {
                    Nothing => vec![""],
                    Words(words) => words.to_vec(),
                    Text(_) => vec!["1"],
                    File(_) | Folder(_) => vec!["/not/there/either"],
                };
                for (form, value) in row
                    .forms()
                    .iter()
                    .flat_map(|form| values.iter().map(move |value| (form, value)))
                {
                    if row.name == "help" || command.operands.is_empty() {
                        continue;
                    }
                    let mut words = vec!["/not/there".to_string(), form.clone()];
                    match (value.is_empty(), &*row.name) {
                        (true, _) => {}
                        (_, "std") => words[1].push_str("=c99"),
                        _ => words.push(value.to_string()),
                    }
                    let said = said(command.name, &words);
                    for wrong in [
                        "invalid option",
                        "takes one of",
                        "no option",
                        "unknown option",
                        "no format is",
                    ] {
                        assert!(!said.contains(wrong), "{} {words:?}: {said}", command.name);
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_different_from_each_other() {
        for command in COMMANDS {
            let rows = command.all_rows();
            let forms: Vec<String> = rows.iter().flat_map(Row::forms).collect();
            let different: BTreeSet<&String> = forms.iter().collect();
            assert_eq!(different.len(), forms.len(), "{}", command.name);
        }
    }
}
