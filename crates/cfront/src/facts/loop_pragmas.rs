//! Pragmas about loops as they stand in the text.
use crate::text::preprocess::CleanText;
use std::ops::Range;

/// A pragma about the loop that starts in a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopPragma {
    /// The line of the pragma, and that of the loop, in the text that is read.
    pub(crate) at: usize,
    pub(crate) line: usize,
}

/// The pragmas in a part of the text, and remarks about those that say nothing that is used.
pub(crate) fn loop_pragmas(
    clean: &CleanText,
    bytes: Range<usize>,
) -> (Vec<LoopPragma>, Vec<String>) {
    let (mut pragmas, mut remarks) = (Vec::new(), Vec::new());
    let mut first = clean.line_of(bytes.start);
    let is_directive = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    while first > 0 && is_directive(clean.line_text(first - 1)) {
        first -= 1;
    }
    let lines = first..clean.line_of(bytes.end.saturating_sub(1)) + 1;
    for line in lines.clone() {
        let Some(words) = pragma_words(clean.line_text(line)) else { continue };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let of_pencil = match words[..] {
            ["pencil", ref rest @ ..] => rest,
            ["independent", ..] => &words[..],
            _ => continue,
        };
        match of_pencil {
            ["independent"] => {
                let is_text = |line: &usize| {
                    let text = clean.line_text(*line).trim();
                    !text.is_empty() && !text.starts_with('#')
                };
                let target = (line + 1..lines.end).find(is_text).unwrap_or(line);
                pragmas.push(LoopPragma { at: line, line: target });
            }
            [] | ["scop" | "endscop", ..] => {}
            _ => remarks.push(ignored_pragma(clean, line)),
        }
    }
    (pragmas, remarks)
}

/// A pragma that is not known promises something that is not used.
fn ignored_pragma(clean: &CleanText, at: usize) -> String {
    let text = clean.line_text(at).trim();
    let line = clean.origins.get(at).map_or(0, |origin| origin.line);
    format!(
        "the pragma `{text}` in line {line} has no effect: of PENCIL's pragmas only \
         `#pragma pencil independent` without clauses is known"
    )
}

/// The words after `#pragma`; none of other lines.
pub(crate) fn pragma_words(line: &str) -> Option<Vec<String>> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    Some(rest.replace('(', " ( ").split_whitespace().map(str::to_string).collect())
}
