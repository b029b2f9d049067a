//! Help, from the tables of options.
use super::table::{Choices, CommandTable, Row, scheduler_rows};
use super::tables::COMMANDS;

/// Where the explanations begin.
const INDENT: usize = 31;

/// Where lines end.
const WIDTH: usize = 110;

/// What `loopwright --help` prints.
pub(super) fn overview() -> String {
    let mut text = String::from("usage: loopwright COMMAND ...\n\n");
    for command in COMMANDS {
        let left = match command.operands.first() {
            Some(operands) => format!("{} {operands}", command.name),
            None => command.name.to_string(),
        };
        push_row(&mut text, &left, command.summary, 24);
    }
    text.push('\n');
    push_row(&mut text, "COMMAND --help", "the options of a command", 24);
    text.push_str(
        "  --help, --version\n\n\
         exit status: 0 done, 1 input refused, 2 wrong usage, 3 a limit was reached\n",
    );
    text
}

/// What `loopwright COMMAND --help` prints.
pub(super) fn help(command: &CommandTable) -> String {
    let mut text = String::new();
    let none = [""];
    let operands = if command.operands.is_empty() { &none } else { command.operands };
    for (position, operands) in operands.iter().enumerate() {
        let start = if position == 0 { "usage: " } else { "       " };
        let words = [start, "loopwright ", command.name, " ", operands].concat();
        text.push_str(words.trim_end());
        text.push_str(if position == 0 { " [options]\n" } else { "\n" });
    }
    text.push_str(&format!("\n{}\n\n", command.about.trim_end()));
    command.own_rows().for_each(|row| push_option(&mut text, row));
    match command.choices {
        Choices::None => {}
        Choices::Listed(choices) => {
            text.push_str("\nWhat the result is to be like:\n");
            choices.iter().for_each(|row| push_option(&mut text, row));
            let scheduler = "further choices of the scheduler, see `loopwright schedule --help`";
            push_row(&mut text, "--schedule-NAME[=VALUE]", scheduler, INDENT);
        }
        Choices::Named(choices) => {
            text.push_str("\nChoices, as for `loopwright compile`:\n");
            push_names(&mut text, choices.iter().cloned());
            push_row(&mut text, "--schedule-NAME[=VALUE]", "those of the scheduler", INDENT);
        }
        Choices::OfScheduler => {
            text.push_str("\nChoices, those without a value also with --no-schedule-NAME:\n");
            push_names(&mut text, scheduler_rows());
        }
    }
    if !command.after.is_empty() {
        text.push_str(&format!("\n{}\n", command.after.trim_end()));
    }
    text
}

/// An option with its value, as help and the manual page show it.
pub(super) fn left(row: &Row) -> String {
    let own = row.forms().into_iter().take(1 + usize::from(row.letter.is_some()));
    let own: Vec<String> = own.collect();
    let value = row.value.text();
    let space = match (value.is_empty(), row.name == "std") {
        (true, _) => "",
        (_, true) => "=",
        _ => " ",
    };
    format!("{}{space}{value}", own.join(", "))
}

fn push_option(text: &mut String, row: &Row) {
    push_row(text, &left(row), row.help, INDENT);
}

fn push_row(text: &mut String, left: &str, help: &str, indent: usize) {
    let mut line = format!("  {left}");
    if line.len() + 2 > indent {
        text.push_str(&line);
        text.push('\n');
        line.clear();
    }
    for (position, part) in wrapped(help, WIDTH - indent).iter().enumerate() {
        if position > 0 {
            line.clear();
        }
        text.push_str(&format!("{line:<indent$}{part}\n"));
    }
}

fn push_names(text: &mut String, rows: impl Iterator<Item = Row>) {
    let names: Vec<String> = rows.map(|row| left(&row).replace(' ', "=")).collect();
    for line in wrapped(&names.join(", "), WIDTH - 2) {
        text.push_str(&format!("  {line}\n"));
    }
}

/// A text in lines of at most so many characters, where its words allow that.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut();
        match last {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}
