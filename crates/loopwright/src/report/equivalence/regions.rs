//! The regions of a file that are compared: those between pragmas, or the bodies of functions.
//!
//! Where a file has no pragmas, as in texts that other tools print, they are put around what functions do, in a copy of
//! the text in memory. Lines that are told are those of the file.
use crate::diagnostics::failure::Failure;
use crate::pipeline::context::assume_context;
use crate::pipeline::run_time::settled;
use crate::settings::options::CompileOptions;
use loopwright_cfront::{Region, SourceFile, read_file, read_text};
use loopwright_equivalence::Answer;
use loopwright_scop::Scop;
use std::path::{Path, PathBuf};

/// A region that is compared.
pub(super) struct FoundRegion {
    pub(super) function: String,
    /// Its lines in the file.
    pub(super) lines: (u32, u32),
    /// The model, or why there is none.
    pub(super) scop: Result<Scop, String>,
    pub(super) assumptions: Vec<String>,
    /// The text that was read, with pragmas.
    pub(super) text: PragmaText,
}

/// A file with pragmas.
#[derive(Clone)]
pub(super) struct PragmaText {
    pub(super) path: PathBuf,
    pub(super) text: String,
    /// The lines that are not in the file, in order.
    pub(super) inserted: Vec<u32>,
    pub(super) options: loopwright_cfront::Options,
}

impl PragmaText {
    /// A line of the text as one of the file.
    pub(super) fn line_of_file(&self, line: u32) -> u32 {
        let before = self.inserted.iter().filter(|own| **own <= line).count() as u32;
        line.saturating_sub(before).max(1)
    }

    pub(super) fn source(&self) -> Result<SourceFile, Failure> {
        let refused = |found: Vec<_>| Failure::from_diagnostics(&found);
        read_text(&self.path, &self.text, &self.options).map_err(refused)
    }
}

impl FoundRegion {
    /// An answer about this region as the second and another as the first, in the lines of their files.
    pub(super) fn in_lines_of_file(&self, first: &FoundRegion, answer: Answer) -> Answer {
        let texts = [&first.text, &self.text];
        let own = |lines: [Option<u32>; 2]| {
            let mut lines = lines;
            for (line, text) in lines.iter_mut().zip(texts) {
                *line = line.map(|line| text.line_of_file(line));
            }
            lines
        };
        match answer {
            Answer::Equal(mut places) => {
                places.iter_mut().for_each(|place| place.lines = own(place.lines));
                Answer::Equal(places)
            }
            Answer::Undecided { cause, lines } => Answer::Undecided { cause, lines: own(lines) },
            different => different,
        }
    }
}

/// The regions of a file; of those functions only, if it has no pragmas and functions are named.
///
/// # Errors
/// If the file cannot be read or preprocessed, or has no region.
pub(super) fn regions_of(
    path: &Path,
    functions: Option<&[String]>,
    options: &CompileOptions,
) -> Result<Vec<FoundRegion>, Failure> {
    let refused = |found: Vec<_>| Failure::from_diagnostics(&found);
    let source = read_file(path, &options.reading()).map_err(refused)?;
    let text = source.original().to_string();
    let has_pragmas = text.lines().any(|line| is_scop_pragma(line, "scop"));
    let functions = match (has_pragmas, functions) {
        (true, _) => Vec::new(),
        (false, Some(functions)) => functions.to_vec(),
        (false, None) => {
            let regions = source.autodetecting().extract().map_err(refused)?;
            regions.into_iter().map(|region| region.function).collect()
        }
    };
    let (text, inserted) = with_pragmas(&text, &functions);
    let front_end = options.reading();
    let text = PragmaText { path: path.to_path_buf(), text, inserted, options: front_end };
    let each = text.source()?.extract_each().map_err(refused)?;
    each.into_iter().map(|found| found_region(found, &text, options)).collect()
}

fn found_region(
    found: Result<Region, loopwright_cfront::RefusedRegion>,
    text: &PragmaText,
    options: &CompileOptions,
) -> Result<FoundRegion, Failure> {
    let line = |line| text.line_of_file(line);
    match found {
        Ok(region) => {
            let mut regions = [region];
            assume_context(&mut regions, options)?;
            let [region] = regions;
            let (function, lines) =
                (region.function.clone(), (line(region.first_line), line(region.last_line)));
            let (scop, assumptions) = match settled(region) {
                Ok(region) => {
                    let needed = region.conditions.iter().map(|condition| condition.needed_for());
                    let all = region.scop.assumptions.iter().cloned().chain(needed);
                    let all: Vec<String> = all.collect();
                    (Ok(region.scop), all)
                }
                Err(why) => (Err(why), Vec::new()),
            };
            Ok(FoundRegion { function, lines, scop, assumptions, text: text.clone() })
        }
        Err(refused) => {
            let cause = refused.diagnostics.first().map_or("refused".to_string(), |why| {
                let place = why.place.as_ref().map_or(refused.first_line, |place| place.line);
                format!("line {}: {}", line(place), why.message)
            });
            Ok(FoundRegion {
                function: function_at(&text.text, refused.first_line),
                lines: (line(refused.first_line), line(refused.last_line)),
                scop: Err(cause),
                assumptions: Vec::new(),
                text: text.clone(),
            })
        }
    }
}

fn is_scop_pragma(line: &str, word: &str) -> bool {
    let line: Vec<&str> = line.split_whitespace().collect();
    matches!(&line[..], ["#pragma", own] | ["#", "pragma", own] if *own == word)
}

/// A text with pragmas around the bodies of functions, and the lines that were put in.
fn with_pragmas(text: &str, functions: &[String]) -> (String, Vec<u32>) {
    let mut places: Vec<(usize, &str)> = Vec::new();
    for function in functions {
        if let Some(body) = body_of(text, function) {
            places.push((body.start, "#pragma scop"));
            places.push((body.end, "#pragma endscop"));
        }
    }
    places.sort_unstable();
    places.dedup();
    let (mut result, mut inserted, mut copied) = (String::new(), Vec::new(), 0);
    for (place, pragma) in places {
        result.push_str(&text[copied..place]);
        copied = place;
        // The pragma has a line of its own; what follows goes on in the next one.
        if !result.ends_with('\n') {
            result.push('\n');
            inserted.push(1 + result.matches('\n').count() as u32);
        }
        inserted.push(1 + result.matches('\n').count() as u32);
        result.push_str(pragma);
        result.push('\n');
    }
    result.push_str(&text[copied..]);
    inserted.dedup();
    (result, inserted)
}

/// The bytes of what a function does, without a `return` at its end.
fn body_of(text: &str, function: &str) -> Option<std::ops::Range<usize>> {
    let code = blanked(text);
    let mut from = 0;
    while let Some(found) = code[from..].find(function) {
        let at = from + found;
        from = at + function.len();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let starts = !code[..at].ends_with(is_word);
        let rest = code[from..].trim_start();
        if !starts || !rest.starts_with('(') {
            continue;
        }
        let open = from + (code[from..].len() - rest.len());
        let after = closing(&code, open)? + 1;
        let rest = code[after..].trim_start();
        if rest.starts_with('{') {
            let brace = after + (code[after..].len() - rest.len());
            let end = closing(&code, brace)?;
            let end = last_return(&code, brace + 1, end).unwrap_or(end);
            return Some(line_start(text, brace + 1)..end);
        }
    }
    None
}

/// The next line after a place if only blanks are between, so that lines stay whole.
fn line_start(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
    if rest[blanks..].starts_with('\n') { at + blanks + 1 } else { at }
}

/// Where the last statement of a block begins, if it is a `return`.
fn last_return(code: &str, from: usize, to: usize) -> Option<usize> {
    let at = from + code[from..to].rfind("return")?;
    let is_outermost = code[from..at].matches('{').count() == code[from..at].matches('}').count();
    let rest = &code[at..to];
    let is_last = rest.matches(';').count() == 1 && rest.trim_end().ends_with(';');
    (is_outermost && is_last).then_some(at)
}

/// The place of the bracket that closes the one at a place.
fn closing(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in code[open..].char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(open + at);
                }
            }
            _ => {}
        }
    }
    None
}

/// A text of the same length in which comments, constants in quotes and directives are blanks.
pub(super) fn blanked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut result = bytes.to_vec();
    let mut at = 0;
    let mut is_line_start = true;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest {
            [b'/', b'/', ..] => end_of(rest, b"\n"),
            [b'/', b'*', ..] => end_of(&rest[2..], b"*/") + 4,
            [quote @ (b'"' | b'\''), ..] => quoted(rest, *quote),
            [b'#', ..] if is_line_start => directive(rest),
            _ => 0,
        };
        if length == 0 {
            is_line_start = rest[0] == b'\n' || (is_line_start && rest[0].is_ascii_whitespace());
            at += 1;
            continue;
        }
        let end = (at + length).min(bytes.len());
        for byte in &mut result[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    String::from_utf8(result).unwrap_or_else(|_| text.to_string())
}

/// The bytes before an end mark.
fn end_of(bytes: &[u8], mark: &[u8]) -> usize {
    bytes.windows(mark.len()).position(|own| own == mark).unwrap_or(bytes.len())
}

fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

fn directive(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += end_of(&bytes[at..], b"\n");
        if at >= bytes.len() || !bytes[..at].ends_with(b"\\") {
            return at;
        }
        at += 1;
    }
}

/// The name of the function around a line.
fn function_at(text: &str, line: u32) -> String {
    let before = text.split_inclusive('\n').take(line as usize).map(str::len).sum::<usize>();
    let code = blanked(text);
    let mut depth = 0usize;
    let mut name = String::new();
    for (at, c) in code[..before.min(code.len())].char_indices() {
        match c {
            '{' if depth == 0 => {
                name = name_in_front(&code[..at]);
                depth = 1;
            }
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    name
}

/// The name in front of the parameters that end a text.
fn name_in_front(code: &str) -> String {
    let mut depth = 0usize;
    for (at, c) in code.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth <= 1 => {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let before = code[..at].trim_end();
                return before[before.trim_end_matches(is_word).len()..].to_string();
            }
            '(' => depth -= 1,
            _ => {}
        }
    }
    String::new()
}
