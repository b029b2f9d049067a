//! Names in the text of a file.
use std::collections::BTreeSet;

/// All words of a text that could be names.
pub(crate) fn words(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_string).collect()
}

/// The names that are integers of type `int` wherever the text declares them: `int NAME` and nothing else, or
/// macros that stand for a number. Others may be wider, or unsigned.
pub(crate) fn int_parameters(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut others = BTreeSet::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, is_int) = match words[..] {
            ["#define", name, value] => (name, value.parse::<i32>().is_ok_and(|value| value >= 0)),
            ["#define", name, ..] => (name, false),
            _ => continue,
        };
        if is_int {
            found.insert(name.to_string())
        } else {
            others.insert(name.to_string())
        };
    }
    let tokens = tokens(text);
    for (at, pair) in tokens.windows(2).enumerate() {
        let before = at.checked_sub(1).map_or("", |at| tokens[at]);
        let is_int = pair[0] == "int" && !matches!(before, "unsigned" | "long" | "short");
        let is_other = matches!(pair[0], "long" | "unsigned" | "short" | "char" | "signed")
            || pair[0].ends_with("_t")
            || pair[0] == "int";
        if is_int {
            found.insert(pair[1].to_string());
        } else if is_other {
            others.insert(pair[1].to_string());
        }
    }
    found.difference(&others).cloned().collect()
}

/// The words and signs of a text.
fn tokens(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match is_part(first) {
            true => rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}
