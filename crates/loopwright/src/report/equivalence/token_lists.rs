//! Lists of tokens of C: brackets, parts between separators.

/// The parts between separators outside of brackets.
pub(super) fn split<'a, 't>(tokens: &'a [&'t str], separator: &str) -> Vec<&'a [&'t str]> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0i32);
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            own if own == separator && depth == 0 => {
                parts.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts
}

/// The tokens of the bracket that tokens begin with, both ends included.
pub(super) fn length_of_bracket(tokens: &[&str]) -> Option<usize> {
    let mut depth = 0i32;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth <= 0 {
            return (at > 0).then_some(at + 1);
        }
    }
    None
}

/// How many tokens the subscripts have that tokens begin with.
pub(super) fn length_of_subscripts(tokens: &[&str]) -> usize {
    let mut at = 0;
    while tokens.get(at) == Some(&"[") {
        match length_of_bracket(&tokens[at..]) {
            Some(n) => at += n,
            None => break,
        }
    }
    at
}

/// What stands between the brackets of subscripts.
pub(super) fn subscripts<'a, 't>(tokens: &'a [&'t str]) -> Vec<&'a [&'t str]> {
    let (mut found, mut at) = (Vec::new(), 0);
    while tokens.get(at) == Some(&"[") {
        let Some(n) = length_of_bracket(&tokens[at..]) else { break };
        found.push(&tokens[at + 1..at + n - 1]);
        at += n;
    }
    found
}
