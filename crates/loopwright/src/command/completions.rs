//! Completion scripts for shells, from the tables of options.
use super::arguments::Arguments;
use super::streams::print_text;
use super::table::{CommandTable, Row, Value};
use super::tables::COMMANDS;
use super::usage::{choice, usage_error};
use loopwright::Failure;

/// A shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// The shells with their words.
pub(super) const SHELLS: [(&str, Shell); 3] =
    [("bash", Shell::Bash), ("zsh", Shell::Zsh), ("fish", Shell::Fish)];

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut shell = None;
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return print_text(&parser.help()),
            Value(word) if shell.is_none() => {
                let word = word.to_string_lossy();
                shell = Some(choice("completions", &word, &SHELLS).map_err(usage_error)?);
            }
            other => return Err(usage_error(other.unexpected())),
        }
    }
    let shell = shell.ok_or_else(|| usage_error("no shell: bash, zsh or fish"))?;
    print_text(&script(shell))
}

/// The script for a shell.
pub(super) fn script(shell: Shell) -> String {
    match shell {
        Shell::Bash => bash(),
        Shell::Zsh => {
            format!("#compdef loopwright\nautoload -U +X bashcompinit && bashcompinit\n{}", bash())
        }
        Shell::Fish => fish(),
    }
}

fn names() -> Vec<&'static str> {
    COMMANDS.iter().map(|command| command.name).collect()
}

/// The words that may follow an option; none where anything may.
fn words(row: &Row) -> Option<String> {
    match row.value {
        Value::Words(words) => Some(words.join(" ")),
        _ => None,
    }
}

fn bash() -> String {
    let mut cases = String::new();
    for command in COMMANDS {
        cases.push_str(&format!("    {})\n{}    ;;\n", command.name, bash_case(command)));
    }
    format!(
        "_loopwright() {{\n  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n  \
         local options=\"\"\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"{} --help --version\" -- \
         \"$word\"))\n    return\n  fi\n  case \"${{COMP_WORDS[1]}}\" in\n{cases}  esac\n  case \"$word\" in\n    \
         -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  \
         esac\n}}\ncomplete -o filenames -F _loopwright loopwright\n",
        names().join(" ")
    )
}

fn bash_case(command: &CommandTable) -> String {
    let rows = command.all_rows();
    let options: Vec<String> = rows.iter().flat_map(Row::forms).collect();
    let mut text = format!("      options=\"{}\"\n      case \"$before\" in\n", options.join(" "));
    for row in &rows {
        let Some(words) = words(row) else { continue };
        text.push_str(&format!(
            "        {}) COMPREPLY=($(compgen -W \"{words}\" -- \"$word\")); return ;;\n",
            row.forms().join("|")
        ));
    }
    text.push_str("      esac\n");
    text
}

fn fish() -> String {
    let mut text = String::new();
    let none = format!("not __fish_seen_subcommand_from {}", names().join(" "));
    for command in COMMANDS {
        text.push_str(&format!(
            "complete -c loopwright -n '{none}' -f -a {} -d '{}'\n",
            command.name,
            quoted(command.summary)
        ));
    }
    for command in COMMANDS {
        for row in command.all_rows() {
            text.push_str(&fish_line(command.name, &row));
        }
    }
    text
}

fn fish_line(command: &str, row: &Row) -> String {
    let letter = row.letter.map(|letter| format!(" -s {letter}")).unwrap_or_default();
    let form = if row.is_of_compilers { "o" } else { "l" };
    let names: String = row.names().map(|name| format!(" -{form} {name}")).collect();
    let value = match row.value {
        Value::Nothing => String::new(),
        Value::File(_) | Value::Folder(_) => " -r".to_string(),
        Value::Text(_) => " -x".to_string(),
        Value::Words(words) => format!(" -x -a '{}'", words.join(" ")),
    };
    format!(
        "complete -c loopwright -n '__fish_seen_subcommand_from {command}'{letter}{names}{value} -d '{}'\n",
        quoted(row.help)
    )
}

/// A text inside of single quotes.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\'', "\\'")
}
