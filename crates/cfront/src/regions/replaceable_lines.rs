//! Which lines of the user's file a run of statements takes, and the check that nothing else is lost
//! when they are replaced.
//!
//! Statements are found in the preprocessed text, text is replaced in the original one. Macros,
//! comments and conditional lines can make the two differ in any way. Where what the preprocessor left at
//! the ends of a run does not show that none of them goes over these, the result is checked: with a marker
//! in place of the lines of every run, the preprocessor must give what it gave before, with the marker in
//! place of the statements.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::directives::{Directive, Meaning, read};
use crate::regions::extraction::Run;
use crate::regions::parsed::Parsed;
use crate::regions::region::PlaceInFile;
use crate::regions::source::SourceFile;
use crate::text::located::diagnostic_at;
use crate::text::preprocess::{CleanText, preprocess_edited};
use std::ops::{Range, RangeInclusive};

/// The lines of a run in the preprocessed text (counted from 0) and in the original (from 1).
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    clean: RangeInclusive<usize>,
    original: RangeInclusive<u32>,
    /// What else stands on the first line in front of the run, and on the last one behind it.
    before: Shared,
    behind: Shared,
}

/// What a run shares a line with; nothing for whole lines.
#[derive(Clone, Debug, Default)]
struct Shared {
    /// As the preprocessed text has it.
    clean: String,
    /// As the original has it.
    original: String,
}

impl Lines {
    fn are_whole(&self) -> bool {
        self.before.clean.is_empty() && self.behind.clean.is_empty()
    }
}

/// The beginning of a line of the original that is a text of the preprocessed one, but for blanks.
fn shared_start(line: &str, clean: &str) -> Option<Shared> {
    let mut wanted = clean.chars().filter(|c| !c.is_whitespace()).peekable();
    let mut length = 0;
    for (at, c) in line.char_indices() {
        if wanted.peek().is_none() {
            break;
        }
        if !c.is_whitespace() && wanted.next() != Some(c) {
            return None;
        }
        length = at + c.len_utf8();
    }
    let original = line[..length].to_string();
    wanted.next().is_none().then(|| Shared { clean: clean.to_string(), original })
}

/// The end of a line, likewise.
fn shared_end(line: &str, clean: &str) -> Option<Shared> {
    let mut wanted = clean.chars().rev().filter(|c| !c.is_whitespace()).peekable();
    let mut start = line.len();
    for (at, c) in line.char_indices().rev() {
        if wanted.peek().is_none() {
            break;
        }
        if !c.is_whitespace() && wanted.next() != Some(c) {
            return None;
        }
        start = at;
    }
    let original = line[start..].to_string();
    wanted.next().is_none().then(|| Shared { clean: clean.to_string(), original })
}

/// The directive on a line.
fn directive(line: &str) -> Option<Directive> {
    read(line).into_iter().next()
}

/// Whether a line is a directive about the loop that follows it, which goes with it.
fn is_hint(line: &str) -> bool {
    directive(line).is_some_and(|directive| match directive.meaning() {
        Meaning::Hint => true,
        Meaning::Own => directive.name.ends_with("independent") || directive.name == "pencil",
        _ => false,
    })
}

/// The lines of a run.
///
/// # Errors
/// A diagnostic if they hold something else as well.
pub(crate) fn lines_of(
    file: &SourceFile,
    parsed: &Parsed,
    run: &Run<'_>,
) -> Result<Lines, Box<Diagnostic>> {
    let clean = &file.clean;
    let refuse = |byte: usize, message: &str| {
        let diagnostic = diagnostic_at(clean, Code::Placement, byte, message)
            .because("the result takes the place of whole lines");
        Box::new(diagnostic)
    };
    let Range { start, end } = run.bytes;
    let last_byte = end.saturating_sub(1);
    let (mut first, last) = (clean.line_of(start), clean.line_of(last_byte));
    let line_end = clean.starts.get(last + 1).copied().unwrap_or(clean.text.len());
    let [before, behind] = [clean.starts[first]..start, end..line_end]
        .map(|range| parsed.source.get(range).unwrap_or_default());
    let inside = (first..=last).find(|line| {
        directive(clean.line_text(*line)).is_some() && !is_hint(clean.line_text(*line))
    });
    if let Some(line) = inside {
        return Err(refuse(clean.starts[line], "this pragma would be lost"));
    }
    while before.trim().is_empty() && first > 0 && is_hint(clean.line_text(first - 1)) {
        first -= 1;
    }
    let origins = &clean.origins[first..=last];
    let in_order = origins.windows(2).all(|pair| pair[0].line <= pair[1].line);
    if origins.iter().any(|origin| origin.file != 0) || !in_order {
        return Err(refuse(start, "these statements do not stand in the file itself"));
    }
    let (first_line, last_line) = (origins[0].line, origins[origins.len() - 1].line);
    let last_line = with_whole_calls(file, first_line, last_line);
    let written = |line: u32| {
        let line = (line as usize).saturating_sub(1);
        file.original.get(file.layout().bytes(line..line + 1)).unwrap_or("").trim_end()
    };
    let before = match before.trim().is_empty() {
        true => Shared::default(),
        false => shared_start(written(first_line), before)
            .ok_or_else(|| refuse(start, "something else stands on the line where this begins"))?,
    };
    let behind = match behind.trim().is_empty() {
        true => Shared::default(),
        false => shared_end(written(last_line), behind).ok_or_else(|| {
            refuse(last_byte, "something else stands on the line where this ends")
        })?,
    };
    Ok(Lines { clean: first..=last, original: first_line..=last_line, before, behind })
}

/// The last line of a run; calls of macros that go over several lines are one line of the
/// preprocessed text.
fn with_whole_calls(file: &SourceFile, first: u32, last: u32) -> u32 {
    let first = first.max(1);
    let mut open = 0i64;
    for (line, opened) in (first..).zip(file.layout().opened_from(first as usize - 1)) {
        open += opened;
        if line >= last && (open <= 0 || line >= last.saturating_add(MAX_CALL_LINES)) {
            return if open == 0 { line } else { last };
        }
    }
    last
}

/// Calls of macros that go over more lines are not searched for their end.
const MAX_CALL_LINES: u32 = 50;

/// The place in the original file.
pub(crate) fn place(file: &SourceFile, lines: &Lines, in_block: bool) -> PlaceInFile {
    let (first_line, last_line) = (*lines.original.start(), *lines.original.end());
    let mut bytes =
        file.layout().bytes((first_line as usize).saturating_sub(1)..last_line as usize);
    let sample = file.original.get(bytes.clone()).unwrap_or("");
    let indentation = sample.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    bytes.start += lines.before.original.len();
    if !lines.behind.clean.is_empty() {
        let end = sample.trim_end().len() - lines.behind.original.len();
        bytes.end = bytes.start - lines.before.original.len() + end;
    }
    let statement_bytes = bytes.clone();
    PlaceInFile { bytes, statement_bytes, first_line, last_line, indentation, in_block }
}

/// Which of the runs can be replaced line by line; they are given in the order of the file.
///
/// *Cost.* Most runs are seen to be replaceable in one walk over their lines; for the others the
/// preprocessor runs again, as often as it takes to find those that cannot be replaced.
pub(crate) fn replaceable(file: &SourceFile, runs: &[Lines]) -> Vec<bool> {
    let alone =
        |run: &Lines| run.are_whole() && file.layout().has_own_lines && stands_alone(file, run);
    let mut is_replaceable: Vec<bool> = runs.iter().map(alone).collect();
    if file.is_preprocessed {
        return is_replaceable;
    }
    // Of several runs on one line only the first is replaced.
    let is_first = |at: &usize| {
        at.checked_sub(1)
            .is_none_or(|before| runs[before].original.end() < runs[*at].original.start())
    };
    let others: Vec<usize> =
        (0..runs.len()).filter(|at| !is_replaceable[*at]).filter(is_first).collect();
    let lines: Vec<Lines> = others.iter().map(|at| runs[*at].clone()).collect();
    for (at, checked) in others.into_iter().zip(checked(file, &lines)) {
        is_replaceable[at] = checked;
    }
    is_replaceable
}

/// Whether the preprocessed text shows that neither a macro's call nor a condition nor a comment goes over
/// the ends of a run, and that it defines nothing.
///
/// All of a macro's call is given at the line where it begins; so no call goes over an end whose word was
/// left as it is written, or whose line has its own parentheses. Directives that were left are pragmas.
fn stands_alone(file: &SourceFile, run: &Lines) -> bool {
    let (layout, clean) = (file.layout(), file.clean_as_read());
    let (first, last) = (*run.original.start() as usize, *run.original.end() as usize);
    if layout.begins_in_comment(first.saturating_sub(1)) || layout.begins_in_comment(last) {
        return false;
    }
    let opened = layout.opened_from(first.saturating_sub(1)).iter().take(last + 1 - first);
    let mut given = run.clean.clone().peekable();
    opened.sum::<i64>() == 0
        && (first..=last).all(|line| {
            let here = std::iter::from_fn(|| {
                given
                    .next_if(|l| clean.origins[*l].line as usize == line)
                    .map(|l| clean.line_text(l))
            });
            let given: Vec<&str> = here.flat_map(str::split_whitespace).collect();
            let written = layout.without_comments(line.wrapping_sub(1));
            let mut words = written.split_whitespace();
            if written.trim_start().starts_with('#') {
                return words.eq(given);
            }
            let is_same = |a: Option<&str>, b: Option<&&str>| a.is_some() && a == b.copied();
            let has_quotes = written.contains(['"', '\'']);
            (line != first
                || is_same(words.clone().next(), given.first())
                || !has_quotes && closes_own_parentheses(written))
                && (line != last || is_same(words.next_back(), given.last()) || !has_quotes)
        })
}

/// Whether a line closes no parenthesis that it does not open.
fn closes_own_parentheses(line: &str) -> bool {
    let mut open = 0usize;
    line.bytes().all(|byte| match byte {
        b'(' => {
            open += 1;
            true
        }
        b')' => {
            let is_own = open > 0;
            open = open.saturating_sub(1);
            is_own
        }
        _ => true,
    })
}

/// Which of the runs the preprocessor shows to be replaceable.
fn checked(file: &SourceFile, runs: &[Lines]) -> Vec<bool> {
    if runs.is_empty() || is_preserved(file, runs) {
        return vec![true; runs.len()];
    }
    if runs.len() == 1 {
        return vec![false];
    }
    let (left, right) = runs.split_at(runs.len() / 2);
    [checked(file, left), checked(file, right)].concat()
}

/// Whether everything around the runs stays the same when they are replaced.
fn is_preserved(file: &SourceFile, runs: &[Lines]) -> bool {
    let original: Vec<&str> = file.original.split('\n').collect();
    let mut edited: Vec<String> = original.iter().map(|line| (*line).to_string()).collect();
    let clean = file.clean_as_read();
    let mut expected: Vec<String> =
        (0..clean.starts.len()).map(|line| clean.line_text(line).to_string()).collect();
    for (index, lines) in runs.iter().enumerate() {
        let marker = format!("loopwright_marker_{index} ;");
        for line in lines.original.clone() {
            match edited.get_mut((line as usize).wrapping_sub(1)) {
                Some(text) => text.clear(),
                None => return false,
            }
        }
        let (first, last) = (*lines.original.start() as usize, *lines.original.end() as usize);
        edited[first - 1] = format!("{} {marker} ", lines.before.original);
        edited[last - 1] += &lines.behind.original;
        let (first, last) = (*lines.clean.start(), *lines.clean.end());
        if !is_around(&expected[first], &expected[last], lines) {
            return false;
        }
        for line in lines.clean.clone() {
            expected[line].clear();
        }
        expected[first] = format!("{} {marker} ", lines.before.clean);
        expected[last] += &lines.behind.clean;
    }
    let options = &file.options;
    let found = preprocess_edited(&file.path, &edited.join("\n"), options);
    found.is_ok_and(|found| words(&found).eq(expected.iter().flat_map(|l| l.split_whitespace())))
}

/// Whether the preprocessed text itself, without bodies in place of calls, has what else stands on the lines
/// of a run.
fn is_around(first: &str, last: &str, run: &Lines) -> bool {
    first.starts_with(&run.before.clean) && last.trim_end().ends_with(run.behind.clean.trim_end())
}

fn words(clean: &CleanText) -> impl Iterator<Item = &str> {
    clean.text.split_whitespace()
}
