//! `loopwright calc`: the calculator on files, on the standard input, and on a terminal.
use super::arguments::Arguments;
use super::streams::{print_text, read_text};
use super::usage::usage_error;
use super::without_effect;
use loopwright::calc::{Session, Settings};
use loopwright::{Diagnostic, DiskFiles, Failure, Status};
use loopwright_cfront::{into_utf8, read_bytes_of};
use loopwright_presburger::Format;
#[cfg(feature = "line-editor")]
use std::io::IsTerminal;
use std::path::PathBuf;

struct Request {
    texts: Vec<String>,
    files: Vec<PathBuf>,
    settings: Settings,
    files_allowed: bool,
}

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    let Some(request) = parse(parser)? else { return print_text(&parser.help()) };
    let mut session = match request.files_allowed {
        true => Session::with_files(request.settings, DiskFiles),
        false => Session::new(request.settings),
    };
    let mut n_problems = 0;
    for text in &request.texts {
        n_problems += execute(&mut session, "--execute", text)?;
    }
    for path in &request.files {
        n_problems += execute(&mut session, &path.display().to_string(), &read_text(path)?)?;
    }
    if request.texts.is_empty() && request.files.is_empty() {
        #[cfg(feature = "line-editor")]
        if std::io::stdin().is_terminal() {
            return terminal::converse(&mut session);
        }
        let text = read_bytes_of(std::io::stdin())
            .and_then(into_utf8)
            .map_err(|e| Failure::refused(format!("cannot read the standard input: {e}")))?;
        n_problems += execute(&mut session, "<stdin>", &text)?;
    }
    outcome(n_problems, session.n_limits())
}

/// What a script ends with: a limit that was reached matters more than what was refused.
fn outcome(n_problems: usize, n_limits: usize) -> Result<(), Failure> {
    let plural = if n_problems == 1 { "" } else { "s" };
    let failed = format!("{n_problems} statement{plural} failed");
    match (n_problems, n_limits) {
        (0, _) => Ok(()),
        (_, 0) => Err(Failure::refused(failed)),
        _ => {
            let failed = Diagnostic::error(format!("{failed}, {n_limits} of them at a limit"));
            Err(Failure::new(Status::Limit, failed))
        }
    }
}

/// Executes a text; values go to the standard output, diagnostics to the standard error.
fn execute(session: &mut Session, name: &str, text: &str) -> Result<usize, Failure> {
    let mut printed = Ok(());
    let n_problems = session.run(name, text, &mut |line| match line {
        Ok(value) if printed.is_ok() => printed = print_text(&(value + "\n")),
        Ok(_) => {}
        Err(diagnostic) => super::streams::print_remarks(&(diagnostic + "\n")),
    });
    printed?;
    Ok(n_problems)
}

fn parse(parser: &mut Arguments) -> Result<Option<Request>, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut request = Request {
        texts: Vec::new(),
        files: Vec::new(),
        settings: Settings::STANDARD,
        files_allowed: true,
    };
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Short('e') | Long("execute") => request.texts.push(super::values::text(parser)?),
            Long("format") => {
                let name = super::values::text(parser)?;
                request.settings.format = Format::from_name(&name)
                    .ok_or_else(|| usage_error(format!("no format is called `{name}`")))?;
            }
            Long("steps") => {
                let steps = super::values::text(parser)?;
                request.settings.steps = steps
                    .parse()
                    .map_err(|_| usage_error(format!("--steps takes a number, not `{steps}`")))?;
            }
            Long("no-files") => request.files_allowed = false,
            Value(path) => request.files.push(PathBuf::from(path)),
            other => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check_and_say("calc", parser.given())?;
    Ok(Some(request))
}

/// The calculator on a terminal.
#[cfg(feature = "line-editor")]
mod terminal {
    use super::*;
    use loopwright::calc::{function_names, is_complete};
    use rustyline::completion::Completer;
    use rustyline::error::ReadlineError;
    use rustyline::highlight::Highlighter;
    use rustyline::hint::Hinter;
    use rustyline::history::DefaultHistory;
    use rustyline::validate::{ValidationContext, ValidationResult, Validator};
    use rustyline::{Context, Editor, Helper};

    /// Completes names, and asks for more lines until a statement is whole.
    #[derive(Default)]
    struct Assistant {
        variables: Vec<String>,
    }

    impl Completer for Assistant {
        type Candidate = String;

        fn complete(
            &self,
            line: &str,
            position: usize,
            _: &Context<'_>,
        ) -> rustyline::Result<(usize, Vec<String>)> {
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
            let before = &line[..position];
            let start = before.trim_end_matches(is_name).len();
            let begun = &before[start..];
            let mut names = function_names();
            names.extend(self.variables.iter().map(String::as_str));
            names.retain(|name| name.starts_with(begun));
            let mut candidates: Vec<String> = names.into_iter().map(str::to_owned).collect();
            candidates.sort();
            candidates.dedup();
            Ok((start, candidates))
        }
    }

    impl Validator for Assistant {
        fn validate(
            &self,
            context: &mut ValidationContext<'_>,
        ) -> rustyline::Result<ValidationResult> {
            Ok(match is_complete(context.input()) {
                true => ValidationResult::Valid(None),
                false => ValidationResult::Incomplete,
            })
        }
    }

    impl Hinter for Assistant {
        type Hint = String;
    }

    impl Highlighter for Assistant {}
    impl Helper for Assistant {}

    /// Reads statements until the end of input.
    pub(super) fn converse(session: &mut Session) -> Result<(), Failure> {
        let refuse = |e: ReadlineError| Failure::refused(format!("the terminal: {e}"));
        let mut editor: Editor<Assistant, DefaultHistory> = Editor::new().map_err(refuse)?;
        editor.set_helper(Some(Assistant::default()));
        loop {
            match editor.readline("> ") {
                Ok(text) => {
                    // A statement that cannot be remembered is executed all the same.
                    let _ = editor.add_history_entry(&text);
                    execute(session, "<input>", &text)?;
                    if let Some(assistant) = editor.helper_mut() {
                        assistant.variables = session.variables().map(str::to_owned).collect();
                    }
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(()),
                Err(error) => return Err(refuse(error)),
            }
        }
    }
}
