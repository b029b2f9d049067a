//! The text of a C file, as far as regions of functions are found in it: comments, constants, brackets,
//! lines.
use std::ops::Range;

pub(super) fn is_scop_pragma(line: &str, word: &str) -> bool {
    let line: Vec<&str> = line.split_whitespace().collect();
    matches!(&line[..], ["#pragma", own] | ["#", "pragma", own] if *own == word)
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Operators of more than one character.
const OPERATORS: [&str; 21] = [
    "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=",
];

/// Words, numbers and operators of a text, with their places.
pub(super) fn tokens_at(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = code.len() - code.trim_start().len();
    while let Some(first) = code[at..].chars().next() {
        let rest = &code[at..];
        let is_number = first.is_ascii_digit()
            || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()));
        let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
        let length = match operator {
            _ if is_number => number_length(rest),
            _ if is_word(first) => rest.len() - rest.trim_start_matches(is_word).len(),
            Some(operator) => operator.len(),
            None => first.len_utf8(),
        };
        found.push((at, &rest[..length]));
        at = code.len() - rest[length..].trim_start().len();
    }
    found
}

/// The bytes of a number as the preprocessor sees it, exponents with signs included.
fn number_length(rest: &str) -> usize {
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        if !(is_word(c) || c == '.' || is_sign) {
            return at;
        }
        before = c;
    }
    rest.len()
}

/// A text with pragmas around the bodies of functions, and the lines that were put in.
pub(super) fn with_pragmas(text: &str, functions: &[String]) -> (String, Vec<u32>) {
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
pub(super) fn body_of(text: &str, function: &str) -> Option<Range<usize>> {
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
pub(super) fn closing(code: &str, open: usize) -> Option<usize> {
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
pub(super) fn function_at(text: &str, line: u32) -> String {
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

/// A text with blanks in place of its pragmas around regions.
pub(super) fn without_pragmas(text: &str) -> String {
    let is_pragma = |line: &str| is_scop_pragma(line, "scop") || is_scop_pragma(line, "endscop");
    let lines = text.split_inclusive('\n');
    let blank = |line: &str| match (is_pragma(line.trim_end()), line.ends_with('\n')) {
        (true, true) => "\n".to_string(),
        (true, false) => String::new(),
        (false, _) => line.to_string(),
    };
    lines.map(blank).collect()
}
