//! The manual page, in the language of `man` (mdoc's older sister: roff with the macros of man(7)).
use super::arguments::Arguments;
use super::help::left;
use super::streams::print_text;
use super::table::CommandTable;
use super::tables::COMMANDS;
use super::usage::usage_error;
use loopwright::Failure;

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short};
    match parser.next().map_err(usage_error)? {
        Some(Short('h') | Long("help")) => print_text(&parser.help()),
        Some(other) => Err(usage_error(other.unexpected())),
        None => print_text(&manual()),
    }
}

/// The page about all subcommands.
pub(super) fn manual() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut page = format!(
        ".TH LOOPWRIGHT 1 \"\" \"loopwright {version}\" \"User Commands\"\n\
         .SH NAME\nloopwright \\- turns loop nests of C into fast parallel C, with proofs\n\
         .SH SYNOPSIS\n.B loopwright\n.I COMMAND\n[\\fIoptions\\fR] ...\n.SH COMMANDS\n"
    );
    for command in COMMANDS {
        page.push_str(&format!(".TP\n.B {}\n{}\n", command.name, escaped(command.summary)));
    }
    COMMANDS.iter().for_each(|command| page.push_str(&section(command)));
    page.push_str(
        ".SH EXIT STATUS\n.TP\n.B 0\nDone.\n.TP\n.B 1\nThe input was refused.\n.TP\n.B 2\nThe command line is \
         wrong.\n.TP\n.B 3\nA limit was reached.\n.SH ENVIRONMENT\n.TP\n.B CC\nThe C compiler whose preprocessor is \
         used (default cc).\n.TP\n.B NO_COLOR\nMessages have no colours unless \\fB\\-\\-color\\fR asks for them.\n",
    );
    page
}

fn section(command: &CommandTable) -> String {
    let mut text = format!(".SH LOOPWRIGHT {}\n", command.name.to_uppercase());
    for operands in command.operands {
        text.push_str(&format!(".B loopwright {}\n{}\n.br\n", command.name, escaped(operands)));
    }
    text.push_str(&format!(".PP\n{}\n", escaped(command.about.trim_end())));
    for row in command.all_rows() {
        text.push_str(&format!(".TP\n.B {}\n{}\n", escaped(&left(&row)), escaped(row.help)));
    }
    if !command.after.is_empty() {
        text.push_str(&format!(".PP\n{}\n", escaped(command.after.trim_end())));
    }
    text
}

/// A text in which nothing is a request or an escape of roff.
fn escaped(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.trim().replace('\\', "\\e").replace('-', "\\-");
        match line.starts_with(['.', '\'']) {
            true => format!("\\&{line}"),
            false => line,
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
