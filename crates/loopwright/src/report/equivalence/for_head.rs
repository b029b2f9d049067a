//! The heads of `for` loops in a text.
use super::c_text::{closing, is_word, tokens_at};
use std::ops::Range;

/// `for (start; condition; step)`.
pub(super) struct ForHead<'t> {
    /// Where the word `for` stands.
    pub(super) at: usize,
    /// Its brackets.
    pub(super) open: usize,
    pub(super) close: usize,
    /// What stands in them, without blanks around.
    pub(super) start: &'t str,
    pub(super) condition: &'t str,
    pub(super) step: &'t str,
}

impl<'t> ForHead<'t> {
    /// The head whose word `for` is at a place.
    pub(super) fn at(code: &'t str, at: usize) -> Option<Self> {
        let rest = code[at..].strip_prefix("for").filter(|_| !code[..at].ends_with(is_word))?;
        let open = code.len() - rest.trim_start().len();
        let is_loop = code[open..].starts_with('(');
        let close = is_loop.then(|| closing(code, open)).flatten()?;
        let parts = code[open + 1..close].split(';').map(str::trim).collect::<Vec<_>>();
        let [start, condition, step] = parts[..] else { return None };
        Some(ForHead { at, open, close, start, condition, step })
    }

    /// All heads of a text, in its order.
    pub(super) fn all(code: &'t str) -> Vec<Self> {
        code.match_indices("for").filter_map(|(at, _)| ForHead::at(code, at)).collect()
    }

    /// `name = value`, without a type: the iterator and its first value.
    pub(super) fn assigned(&self) -> Option<(&'t str, &'t str)> {
        let (name, value) = self.start.split_once('=')?;
        let name = name.trim();
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(is_word)
            && !value.starts_with('=')
            && !value.contains(',') | value.contains('(');
        is_name.then_some((name, value.trim()))
    }

    /// The bytes of the loop.
    pub(super) fn whole(&self, code: &str) -> Option<Range<usize>> {
        Some(self.at..statement(code, self.close + 1)?.end)
    }
}

/// The statement that begins at a place.
pub(super) fn statement(code: &str, at: usize) -> Option<Range<usize>> {
    let start = code.len() - code[at..].trim_start().len();
    let rest = &code[start..];
    if rest.starts_with('{') {
        return Some(start..closing(code, start)? + 1);
    }
    for word in ["for", "if", "while"] {
        let after = rest.strip_prefix(word).filter(|rest| !rest.starts_with(is_word));
        let Some(after) = after else { continue };
        let open = code.len() - after.trim_start().len();
        let close = code[open..].starts_with('(').then(|| closing(code, open)).flatten()?;
        let mut end = statement(code, close + 1)?.end;
        let next = code[end..].trim_start();
        if let (true, Some(other)) = (word == "if", next.strip_prefix("else")) {
            end = statement(code, code.len() - other.len())?.end;
        }
        return Some(start..end);
    }
    Some(start..start + rest.find(';')? + 1)
}

/// The names in a text, with their places; members of structures are none.
pub(super) fn names_at(code: &str) -> Vec<(usize, &str)> {
    let tokens = tokens_at(code);
    let is_member = |at: usize| at > 0 && matches!(tokens[at - 1].1, "." | "->");
    let is_name = |at: &usize| {
        tokens[*at].1.starts_with(|c: char| c.is_alphabetic() || c == '_') && !is_member(*at)
    };
    (0..tokens.len()).filter(is_name).map(|at| tokens[at]).collect()
}

/// Whether a text assigns to one of the names, or takes its address.
pub(super) fn assigns(code: &str, names: &[&str]) -> bool {
    let tokens: Vec<&str> = tokens_at(code).into_iter().map(|(_, token)| token).collect();
    let is_assignment = |token: &str| {
        matches!(token, "++" | "--")
            || (token.ends_with('=') && !matches!(token, "==" | "<=" | ">=" | "!="))
    };
    tokens.windows(2).any(|pair| {
        (names.contains(&pair[0]) && is_assignment(pair[1]))
            || (names.contains(&pair[1]) && matches!(pair[0], "++" | "--" | "&"))
    })
}

/// A text with parts of it replaced; the text itself if they overlap.
pub(super) fn replaced(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|edit| (edit.0.start, edit.0.end));
    let (mut result, mut copied) = (String::new(), 0);
    for (range, by) in edits {
        if range.start < copied {
            return text.to_string();
        }
        result.push_str(&text[copied..range.start]);
        result.push_str(&by);
        copied = range.end;
    }
    result.push_str(&text[copied..]);
    result
}
