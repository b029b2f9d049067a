//! The other spellings of `[ ] { } #` (C11 6.4.6, paragraph 3).

/// The spellings and what they mean. The longest spelling wins, so `%:%:` needs no entry of its own.
const DIGRAPHS: [(&str, char); 5] =
    [("<:", '['), (":>", ']'), ("<%", '{'), ("%>", '}'), ("%:", '#')];

/// A line of preprocessed text with one spelling for each token; literals stay. None if nothing changes.
pub(crate) fn without_digraphs(line: &str) -> Option<String> {
    if !DIGRAPHS.iter().any(|(spelling, _)| line.contains(spelling)) {
        return None;
    }
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let digraph = DIGRAPHS.iter().find(|(spelling, _)| rest.starts_with(spelling));
        let length = match (digraph, c) {
            (Some((spelling, meaning)), _) => {
                text.push(*meaning);
                rest = &rest[spelling.len()..];
                continue;
            }
            (None, '"' | '\'') => literal_length(rest, c),
            _ => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        text.push_str(token);
        rest = after;
    }
    Some(text)
}

/// The length of a literal with its quotes.
fn literal_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_get_their_usual_spelling_outside_of_literals() {
        let line = "a<:i:> = b<:'<:':> + f(\"<%\\\":>\") <% x %>";
        assert_eq!(without_digraphs(line).unwrap(), "a[i] = b['<:'] + f(\"<%\\\":>\") { x }");
        assert_eq!(without_digraphs("%:pragma scop").unwrap(), "#pragma scop");
        assert_eq!(without_digraphs("a < b ? c : d > e % f"), None);
    }
}
