//! Damaged and varied versions of a text: words are removed, repeated, exchanged, and replaced by words
//! of a list.
//!
//! A text is divided into *words*: names, numbers, single other characters. Most changes leave most
//! texts well-formed enough to reach what lies behind the parser.
use crate::choices::Choices;
use std::ops::Range;

/// What may come into a text: keywords, operators, numbers at limits, parts of statements.
const WORDS: &[&str] = &[
    "for",
    "while",
    "do",
    "if",
    "else",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "goto",
    "return",
    "int",
    "unsigned",
    "double",
    "const",
    "static",
    "struct",
    "union",
    "restrict",
    "enum",
    "typedef",
    "sizeof",
    "i",
    "j",
    "n",
    "a",
    "++",
    "--",
    "+=",
    "-=",
    "*=",
    "<<",
    ">>",
    "&&",
    "||",
    "==",
    "!=",
    "<=",
    ">=",
    "<",
    ">",
    "=",
    "?",
    ":",
    ",",
    ";",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "*",
    "&",
    "%",
    "/",
    "-",
    "+",
    "!",
    "~",
    ".",
    "->",
    "0",
    "1",
    "-1",
    "2",
    "100",
    "2147483647",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
    "1e9",
    "'a'",
    "\"s\"",
    "é",
    "\n#pragma scop\n",
    "\n#pragma endscop\n",
    "\n#pragma pencil independent\n",
    "i++;",
    "i = 0;",
    "int i;",
    "break;",
    "continue;",
    "return;",
    "a[i] = 0;",
    "*p = i;",
    "p = &a[i];",
    "f(i);",
    "__pencil_kill(a);",
    "__pencil_assume(n > 0);",
    "if (a[i])",
    "for (int i = 0; i < n; i++)",
    "while (a[i])",
    "(int)",
    "(unsigned)",
    "[i * n + j]",
    "->x",
    ".x",
    "[]",
    "exists",
    "mod",
    "floor",
    "and",
    "or",
    "not",
    "implies",
    "{ S[i] }",
    "\n",
    " ",
    "\n  - ",
    "\"",
    "schedule",
    "domain",
    "null",
];

/// The most bytes that a changed text has, unless the text itself is longer.
const MAX_BYTES: usize = 1 << 14;

/// A text with one to `changes` changes, with words of `other` among those that come in.
///
/// *Cost.* Linear in the texts for each change.
pub fn mutated(text: &str, other: &str, changes: usize, choices: &mut Choices) -> String {
    let limit = MAX_BYTES.max(text.len());
    let mut text = text.to_string();
    for _ in 0..=choices.below(changes.max(1)) {
        let next = changed(&text, other, choices);
        if next.len() <= limit {
            text = next;
        }
    }
    text
}

/// A text with one change.
fn changed(text: &str, other: &str, choices: &mut Choices) -> String {
    let words = words(text);
    if words.is_empty() {
        return WORDS[choices.below(WORDS.len())].to_string();
    }
    let at = choices.below(words.len());
    let longest = if choices.percent(30) { 40 } else { 3 };
    let length = 1 + choices.below(longest);
    let end = (at + length).min(words.len());
    let range = words[at].start..words[end - 1].end;
    let part = &text[range.clone()];
    match choices.below(8) {
        0 => replaced(text, range, ""),
        1 => replaced(text, range, &format!("{part} {part}")),
        2 => {
            let to = words[choices.below(words.len())].start;
            replaced(text, to..to, &format!(" {part} "))
        }
        3 => {
            let from = words[choices.below(words.len())].clone();
            replaced(text, words[at].clone(), &text[from])
        }
        4 => replaced(text, words[at].clone(), WORDS[choices.below(WORDS.len())]),
        5 => replaced(text, range.end..range.end, &format!(" {part} ")),
        6 => {
            let word = WORDS[choices.below(WORDS.len())];
            replaced(text, range.end..range.end, &format!(" {word} "))
        }
        _ => replaced(text, range, &format!(" {} ", some_lines(other, choices))),
    }
}

/// Some of the lines of a text.
fn some_lines<'t>(text: &'t str, choices: &mut Choices) -> &'t str {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = choices.below(lines.len());
    let end = (first + 1 + choices.below(4)).min(lines.len());
    let before: usize = lines[..first].iter().map(|line| line.len()).sum();
    let length: usize = lines[first.min(end)..end].iter().map(|line| line.len()).sum();
    &text[before..before + length]
}

fn replaced(text: &str, range: Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &text[..range.start], &text[range.end..])
}

/// The words of a text, without white space.
fn words(text: &str) -> Vec<Range<usize>> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(last) if in_word && is_letter(c) => last.end = end,
            _ if !c.is_whitespace() => words.push(at..end),
            _ => {}
        }
        in_word = is_letter(c);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_names_numbers_and_characters() {
        let text = "for (i1=0;é<10) ";
        let found: Vec<&str> = words(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["for", "(", "i1", "=", "0", ";", "é", "<", "10", ")"]);
    }

    #[test]
    fn texts_stay_small() {
        let text = "a[i] = b;\n".repeat(100);
        for seed in 0..200 {
            let changed = mutated(&text, &text, 50, &mut Choices::from_seed(seed));
            assert!(changed.len() <= MAX_BYTES, "{}", changed.len());
        }
        assert!(mutated("", "", 3, &mut Choices::from_seed(1)).len() < 200);
    }
}
