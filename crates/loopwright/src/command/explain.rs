//! `loopwright explain`.
use super::arguments::Arguments;
use super::program_options::{accept_choice, accept_preprocessing};
use super::streams::print_text;
use super::usage::usage_error;
use super::without_effect;
use loopwright::{CompileOptions, Failure, StrategyArguments, explain_file, nearest_word};
use loopwright_cfront::Code;
use std::path::{Path, PathBuf};

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut input = None;
    let mut options = CompileOptions::new();
    let mut strategy = StrategyArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            Value(path) => {
                return Err(usage_error(format!("a second input file: {}", path.display())));
            }
            Short('h') | Long("help") => return print_text(&parser.help()),
            Short(letter) => accept_preprocessing(&mut options, &letter.to_string(), parser)?,
            Long(name) => {
                let name = name.to_string();
                accept_choice(&mut options, &mut strategy, &name, parser)?;
            }
        }
    }
    without_effect::check_and_say("explain", parser.given())?;
    options.strategy = strategy.strategy().map_err(usage_error)?;
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    if let Some(code) = input.to_str().and_then(Code::parse).filter(|_| !input.exists()) {
        without_effect::none_but_input(parser.given(), "the meaning of a code depends on nothing")?;
        return print_text(&plain(code.documentation()));
    }
    refuse_unknown_code(&input)?;
    let (path, line) = place(&input);
    print_text(&explain_file(&path, line, &options)?)
}

/// A section of a document as text for a terminal: code is indented, marks of Markdown are left out.
fn plain(section: &str) -> String {
    let mut text = String::new();
    let mut is_code = false;
    for line in section.lines() {
        match (line.starts_with("```"), is_code) {
            (true, _) => is_code = !is_code,
            (false, true) => text += format!("    {line}").trim_end(),
            (false, false) => text += &without_marks(line.trim_start_matches("## ")),
        }
        if !line.starts_with("```") {
            text.push('\n');
        }
    }
    text
}

/// A line without `**` and with the words of links alone.
fn without_marks(line: &str) -> String {
    let line = line.replace("**", "");
    let mut text = String::new();
    let mut rest = &*line;
    while let Some((before, (words, behind))) = next_link(rest) {
        text += before;
        text += words;
        rest = behind;
    }
    text + rest
}

/// What stands before the first link, its words, and what stands behind it.
fn next_link(text: &str) -> Option<(&str, (&str, &str))> {
    let (words, target) = text.split_once("](")?;
    let start = words.rfind('[')?;
    let (_, behind) = target.split_once(')')?;
    Some((&words[..start], (&words[start + 1..], behind)))
}

/// Refuses what looks like a code and is none.
fn refuse_unknown_code(input: &Path) -> Result<(), Failure> {
    let text = input.to_string_lossy().to_uppercase();
    let is_like_a_code = text
        .strip_prefix("CF")
        .is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()));
    if !is_like_a_code || input.exists() {
        return Ok(());
    }
    let meant = nearest_word(&text, Code::ALL.iter().map(|code| code.as_str()));
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
    let last = Code::ALL.last().map_or("", |code| code.as_str());
    Err(Failure::refused(format!("there is no code {text}{meant}"))
        .with_help(format!("docs/diagnostics.md has all codes, CF01 to {last}")))
}

/// The file and the line of `FILE.c:LINE`.
fn place(input: &Path) -> (PathBuf, Option<u32>) {
    let text = input.to_string_lossy();
    match text.rsplit_once(':') {
        Some((path, line)) if !input.exists() => match line.parse() {
            Ok(line) => (PathBuf::from(path), Some(line)),
            Err(_) => (input.to_path_buf(), None),
        },
        _ => (input.to_path_buf(), None),
    }
}
