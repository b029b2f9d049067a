//! The names that system headers define for types, of headers that are not parsed.
use std::collections::HashSet;

/// The names after `typedef` in a text.
///
/// *Cost.* Linear in the text.
pub(crate) fn system_types(headers: &str) -> HashSet<&str> {
    let mut found = HashSet::new();
    let mut start = next_keyword(headers, 0);
    while let Some(at) = start {
        let definition = at + KEYWORD.len();
        start = next_keyword(headers, definition);
        found.extend(defined_name(&headers[definition..start.unwrap_or(headers.len())]));
    }
    found
}

/// What definitions begin with.
const KEYWORD: &str = "typedef ";

/// The first place of the keyword from a place on, by Horspool's method: the texts of headers are long, and the last byte of a window
/// says how far the next place is at least.
fn next_keyword(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(window) = text.as_bytes().get(at..at + KEYWORD.len()) {
        at += match window {
            _ if window == KEYWORD.as_bytes() => return Some(at),
            [.., b'f'] => 1,
            [.., b'e'] => 2,
            [.., b'd'] => 3,
            [.., b'p'] => 5,
            [.., b'y'] => 6,
            [.., b't'] => 7,
            _ => KEYWORD.len(),
        };
    }
    None
}

/// The name that a definition of a type (without its keyword) defines: the last word outside of braces, parentheses
/// and brackets, or that after the first `(*`.
fn defined_name(definition: &str) -> Option<&str> {
    let mut depth = 0usize;
    let mut name = None;
    let mut rest = definition;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        match first {
            ';' if depth == 0 => return name,
            '(' if depth == 0 && rest[1..].trim_start().starts_with('*') => {
                let inner = rest[1..].trim_start_matches(|c: char| !is_word(c));
                return inner.split(|c: char| !is_word(c)).next();
            }
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && length > 0 && !word.starts_with("__attribute") => name = Some(word),
            _ => {}
        }
        rest = &rest[length.max(first.len_utf8())..];
    }
    None
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_behind_all_kinds_of_types() {
        for (text, name) in [
            ("typedef unsigned long int word;", "word"),
            ("typedef struct { int quot; int rem; } div_t;", "div_t"),
            ("typedef struct __jmp_buf_tag jmp_buf[1];", "jmp_buf"),
            ("typedef int (*comparison) (const void *, const void *);", "comparison"),
            ("typedef float v4 __attribute__ ((__vector_size__ (16)));", "v4"),
            ("typedef void function(int);", "function"),
        ] {
            assert_eq!(system_types(text), HashSet::from([name]), "{text}");
        }
        assert!(system_types("typedef int open").is_empty());
    }

    #[test]
    fn keywords_are_found_wherever_they_begin() {
        let pieces = ["typedef ", "type", "def ", "typede", "t", "f", " ", "ddef", "\u{e9}"];
        for number in 0..pieces.len().pow(4) {
            let digits = (0..4).map(|at| pieces[number / pieces.len().pow(at) % pieces.len()]);
            let text: String = digits.collect();
            assert_eq!(next_keyword(&text, 0), text.find(KEYWORD), "{text:?}");
        }
    }
}
