//! GNU attributes that say nothing about values.
//!
//! The grammar knows attributes in front of declarators only; `float a[4] __attribute__((aligned(64)));` is
//! not C to it. Those that change neither what a variable holds nor what a function does are blanked before
//! the text is parsed.

use std::ops::Range;

/// Attributes about storage, linkage, warnings and how code is compiled.
const WITHOUT_MEANING: &[&str] = &[
    "aligned",
    "unused",
    "used",
    "packed",
    "section",
    "visibility",
    "deprecated",
    "noinline",
    "always_inline",
    "hot",
    "cold",
    "nonnull",
    "returns_nonnull",
    "format",
    "warn_unused_result",
    "noclone",
    "flatten",
    "target",
    "optimize",
    "artificial",
    "gnu_inline",
    "leaf",
    "nothrow",
    "common",
    "nocommon",
    "tls_model",
    "assume_aligned",
    "alloc_size",
    "malloc",
];

const KEYWORDS: [&str; 2] = ["__attribute__", "__attribute"];

/// The text with attributes without meaning blanked, byte for byte; line breaks stay.
///
/// An attribute specifier goes if all attributes in it are without meaning.
pub(crate) fn without_idle_attributes(source: String) -> String {
    if !source.contains(KEYWORDS[1]) {
        return source;
    }
    let mut bytes = source.clone().into_bytes();
    let mut rest = 0;
    while let Some(start) = next_specifier(&source, rest) {
        rest = start + 1;
        let Some((list, end)) = specifier(&source[start..]) else { continue };
        if attributes(list).all(|name| WITHOUT_MEANING.contains(&name)) {
            bytes[start..start + end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
            rest = start + end;
        }
    }
    String::from_utf8(bytes).unwrap_or(source)
}

/// Where the next specifier begins, outside of string and character literals.
fn next_specifier(source: &str, from: usize) -> Option<usize> {
    let bytes = source.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => at = after_literal(bytes, at, quote),
            b'_' if is_word_start(bytes, at) && source[at..].starts_with(KEYWORDS[1]) => {
                return Some(at);
            }
            _ => at += 1,
        }
    }
    None
}

fn is_word_start(bytes: &[u8], at: usize) -> bool {
    at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || matches!(bytes[at - 1], b'_' | 0x80..))
}

/// The byte behind a literal that begins at a byte.
pub(crate) fn after_literal(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// The longest specifier that is read, in bytes.
const LONGEST: usize = 4096;

/// What stands between the double parentheses of the specifier at the start of a text, and its length.
fn specifier(text: &str) -> Option<(&str, usize)> {
    let keyword = KEYWORDS.iter().find(|keyword| text.starts_with(**keyword))?;
    let rest = text[keyword.len()..].trim_start();
    let inner = rest.strip_prefix('(')?.trim_start().strip_prefix('(')?;
    let bytes = inner.as_bytes();
    let (mut at, mut depth, mut list) = (0, 2usize, None);
    while at < bytes.len().min(LONGEST) {
        match bytes[at] {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b';' | b'{' => return None,
            quote @ (b'"' | b'\'') => {
                at = after_literal(bytes, at, quote);
                continue;
            }
            _ => {}
        }
        if depth == 1 && list.is_none() {
            list = Some(&inner[..at]);
        }
        at += 1;
        if depth == 0 {
            return Some((list?, text.len() - inner.len() + at));
        }
    }
    None
}

/// The specifiers of a text, with what stands between their double parentheses; those in the brackets of C23,
/// too.
pub(crate) fn attribute_lists(source: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut rest = 0;
    while source.contains(KEYWORDS[1])
        && let Some(start) = next_specifier(source, rest)
    {
        rest = start + 1;
        if let Some((list, length)) = specifier(&source[start..]) {
            rest = start + length;
            found.push((start..rest, list));
        }
    }
    for (start, _) in source.match_indices("[[") {
        let inner = &source[start + 2..];
        if let Some(end) = inner.find("]]") {
            found.push((start..start + 4 + end, &inner[..end]));
        }
    }
    found
}

/// The names in a list of attributes, without underscores around them, with what stands behind them.
pub(crate) fn attribute_items(list: &str) -> impl Iterator<Item = (&str, &str)> {
    items(list).map(|item| {
        let (name, value) = item.split_at(item.find('(').unwrap_or(item.len()));
        let name = name.trim().trim_start_matches("gnu::").trim_start_matches("__gnu__::");
        (name.trim_matches('_'), value)
    })
}

/// The names in a list of attributes, without underscores around them.
fn attributes(list: &str) -> impl Iterator<Item = &str> {
    items(list).map(|item| item.split('(').next().unwrap_or("").trim().trim_matches('_'))
}

fn items(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    list.split(move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blanked(text: &str) -> String {
        let result = without_idle_attributes(text.to_string());
        assert_eq!(result.len(), text.len());
        result.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn attributes_about_storage_go() {
        assert_eq!(blanked("float t[4] __attribute__ ((aligned (64)));"), "float t[4] ;");
        assert_eq!(blanked("int x __attribute__((section(\".d)\"), unused));"), "int x ;");
        assert_eq!(blanked("int x __attribute__((__unused__, aligned(8))) = 0;"), "int x = 0;");
        assert_eq!(blanked("__attribute__((noinline))\nvoid f(void);"), "void f(void);");
    }

    #[test]
    fn attributes_with_a_meaning_stay() {
        for text in [
            "double f(double) __attribute__((pure, nonnull(1)));",
            "typedef float v4 __attribute__((vector_size(16)));",
            "double b[4] __attribute__((alias(\"a\")));",
            "s = \"__attribute__((unused))\";",
            "x = __attribute__((unused;",
            "my__attribute__((unused)) = 1;",
        ] {
            assert_eq!(blanked(text), text);
        }
    }

    #[test]
    fn line_breaks_stay() {
        let text = "int x __attribute__((\n  unused));\nint y;";
        assert_eq!(without_idle_attributes(text.into()).find("int y"), text.find("int y"));
        assert_eq!(without_idle_attributes(text.into()).lines().count(), 3);
    }
}
