//! Multifor statements in the text of a file.
use super::body::multifor;
use super::statement::FoundMultifor;
use super::tokens::{Refusal, Tokens, diagnostic_at};
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::text::comments::literal_length;
use std::ops::Range;
use std::path::Path;

/// The multifor statements of a text, in its order. `path` is the name of the file in messages.
///
/// The text is read before the preprocessor: macros are names, and what stands between `#if` and `#endif` is
/// read whatever the condition says.
///
/// ```
/// use loopwright_cfront::multifor_statements;
/// let text = "void f(int n, int a[n], int b[n]) {\n  multifor (i = 0, j = 0; i < n, j < n; i++, j++; 1, 1; 0, 2) {\n    0: a[i] = i;\n    1: b[j] = a[j];\n  }\n}\n";
/// let found = multifor_statements("f.c".as_ref(), text).unwrap();
/// assert_eq!(found[0].statement.loops[1].offset, 2);
/// assert_eq!(found[0].indentation, "  ");
/// ```
///
/// *Cost.* Linear in the text.
///
/// # Errors
/// Diagnostics about the first thing in each statement that is not understood.
pub fn multifor_statements(path: &Path, text: &str) -> Result<Vec<FoundMultifor>, Vec<Diagnostic>> {
    if !text.contains("multifor") {
        return Ok(Vec::new());
    }
    let (plain, directives) = without_directives(text);
    let mut tokens = Tokens::new(&plain);
    let mut found = Vec::new();
    let mut refusals = Vec::new();
    let mut pragmas = Vec::new();
    let mut directives = directives.into_iter().peekable();
    while !tokens.is_at_end() {
        let start = tokens.start();
        while let Some(directive) = directives.next_if(|directive| directive.start < start) {
            pragmas.extend(pragma_words(text, directive));
        }
        if tokens.text() == "multifor" && tokens.text_at(1) == "(" && is_head(&tokens) {
            let pragmas = std::mem::take(&mut pragmas);
            match statement(text, &plain, &mut tokens, pragmas) {
                Ok(statement) => found.push(statement),
                Err(refusal) => refusals.push(refusal),
            }
        } else {
            tokens.take();
        }
        let lost = pragmas.drain(..).map(|(byte, _, _)| {
            Refusal::new(Code::Syntax, byte, "there is no multifor statement behind this pragma")
        });
        refusals.extend(lost);
    }
    match refusals.is_empty() {
        true => Ok(found),
        false => Err(refusals.into_iter().map(|refusal| diagnostic(path, text, refusal)).collect()),
    }
}

fn diagnostic(path: &Path, text: &str, refusal: Refusal) -> Diagnostic {
    let Refusal { code, byte, message, reason } = refusal;
    let mut diagnostic = diagnostic_at(path, text, byte, code, message);
    diagnostic.reason = reason;
    diagnostic.hint("docs/multifor.md has the grammar of multifor statements")
}

/// Whether there is a semicolon between the parentheses, which no call has.
fn is_head(tokens: &Tokens<'_>) -> bool {
    let mut tokens = tokens.clone();
    tokens.take();
    let mut depth = 0usize;
    loop {
        match tokens.text() {
            "(" => depth += 1,
            ")" if depth <= 1 => return false,
            ")" => depth -= 1,
            ";" => return true,
            "" | "{" | "}" => return false,
            _ => {}
        }
        tokens.take();
    }
}

/// The statement that begins at the next token.
fn statement(
    text: &str,
    plain: &str,
    tokens: &mut Tokens<'_>,
    pragmas: Vec<(usize, usize, String)>,
) -> Result<FoundMultifor, Refusal> {
    let start = tokens.start();
    let statement = multifor(tokens, &[], 0).inspect_err(|_| {
        // Whatever else is wrong further on follows from this.
        while !tokens.is_at_end() {
            tokens.take();
        }
    })?;
    let end = tokens.end_of_previous();
    if text[start..end] != plain[start..end] {
        return Err(Refusal::new(Code::Syntax, start, "a multifor statement has lines with `#`")
            .because("it is read before the preprocessor"));
    }
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |at| at + 1);
    let first = pragmas.first().map_or(start, |(hash, _, _)| line_start(*hash));
    let before = &text[line_start(start)..start];
    let indentation: String = before.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let pragmas = pragmas.into_iter().map(|(_, words, text)| (words, text)).collect();
    Ok(FoundMultifor { statement, pragmas, bytes: first..end, indentation })
}

/// Where a line `#pragma multifor` begins, where its words begin, and the words; none of another line.
fn pragma_words(text: &str, line: Range<usize>) -> Option<(usize, usize, String)> {
    let hash = line.start + text[line.clone()].find('#')?;
    let rest = text[hash + 1..line.end].trim_start().strip_prefix("pragma")?;
    let words = rest.trim_start().strip_prefix("multifor")?;
    if words.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let start = line.end - words.len();
    Some((hash, start, words.replace("\\\n", " ").trim().to_string()))
}

/// The text with blanks in place of directives, and the bytes of these; all other bytes stay where they are.
fn without_directives(text: &str) -> (String, Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut directives = Vec::new();
    let (mut at, mut is_line_start) = (0, true);
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => is_line_start = true,
            b' ' | b'\t' | b'\r' => {}
            b'#' if is_line_start => {
                let end = directive_end(bytes, at);
                directives.push(at..end);
                at = end;
                continue;
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => {
                at = comment_end(bytes, at);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += literal_length(&bytes[at..], quote).max(1);
                is_line_start = false;
                continue;
            }
            _ => is_line_start = false,
        }
        at += 1;
    }
    let mut plain = String::with_capacity(text.len());
    let mut copied = 0;
    for directive in &directives {
        plain.push_str(&text[copied..directive.start]);
        plain.extend(text[directive.clone()].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        copied = directive.end;
    }
    plain.push_str(&text[copied..]);
    (plain, directives)
}

/// Where the line ends that continues as long as a backslash stands in front of its end.
fn directive_end(bytes: &[u8], start: usize) -> usize {
    let is_end = |at: &usize| {
        let before = bytes[..*at].strip_suffix(b"\r").unwrap_or(&bytes[..*at]);
        bytes[*at] == b'\n' && before.last() != Some(&b'\\')
    };
    (start..bytes.len()).find(is_end).unwrap_or(bytes.len())
}

/// Where a comment ends.
fn comment_end(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start + 2..];
    let (length, after) = match bytes[start + 1] {
        b'/' => (rest.iter().position(|b| *b == b'\n'), 0),
        _ => (rest.windows(2).position(|pair| pair == b"*/"), 2),
    };
    length.map_or(bytes.len(), |length| start + 2 + length + after)
}
