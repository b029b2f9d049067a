//! Other spellings: of `[ ] { } #` (C11 6.4.6, paragraph 3), and of letters in names (`\u03b1`, 6.4.3), which
//! preprocessors print for any letter beyond ASCII.

use crate::text::file_bytes::stands_for_byte;

/// The spellings and what they mean. The longest spelling wins, so `%:%:` needs no entry of its own.
const DIGRAPHS: [(&str, char); 5] =
    [("<:", '['), (":>", ']'), ("<%", '{'), ("%>", '}'), ("%:", '#')];

/// A line of preprocessed text with one spelling for each token; literals stay. None if nothing changes.
pub(crate) fn usual_spelling(line: &str) -> Option<String> {
    let has_letters = line.contains("\\u") || line.contains("\\U");
    if !has_letters && !DIGRAPHS.iter().any(|(spelling, _)| line.contains(spelling)) {
        return None;
    }
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some((letter, length)) = universal_name(rest) {
            text.push(letter);
            rest = &rest[length..];
            continue;
        }
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

/// The letter that a text begins with as `\u03b1` or `\U000003b1`, and the length of that.
fn universal_name(text: &str) -> Option<(char, usize)> {
    let length = match text.as_bytes() {
        [b'\\', b'u', ..] => 6,
        [b'\\', b'U', ..] => 10,
        _ => return None,
    };
    let digits = text.get(2..length).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let letter = char::from_u32(u32::from_str_radix(digits?, 16).ok()?)?;
    (!letter.is_ascii() && !stands_for_byte(letter)).then_some((letter, length))
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
    fn letters_beyond_ascii_have_one_spelling_outside_of_literals() {
        let line = "gr\\u00f6\\U000000DFe = \\U000003b1[0] + f(\"\\u00f6\", '\\u00f6')";
        assert_eq!(usual_spelling(line).unwrap(), "größe = α[0] + f(\"\\u00f6\", '\\u00f6')");
        for line in ["a \\u004", "\\u0041b", "\\U0010FFE7", "\\Uffffffff"] {
            assert_eq!(usual_spelling(line).as_deref().unwrap_or(line), line);
        }
    }

    #[test]
    fn tokens_get_their_usual_spelling_outside_of_literals() {
        let line = "a<:i:> = b<:'<:':> + f(\"<%\\\":>\") <% x %>";
        assert_eq!(usual_spelling(line).unwrap(), "a[i] = b['<:'] + f(\"<%\\\":>\") { x }");
        assert_eq!(usual_spelling("%:pragma scop").unwrap(), "#pragma scop");
        assert_eq!(usual_spelling("a < b ? c : d > e % f"), None);
    }
}
