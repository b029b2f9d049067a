//! The words and signs of a text.
//!
//! A token's kind is the name that its node has in the tree: what stands there for keywords and signs. Kinds
//! of one [`Class`] are read in the same way.
use super::token_class::Class;
use super::words::word;
use crate::syntax::kind::Kind;

/// A word or sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) class: Class,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Token {
    /// Whether it is made of the characters of an identifier.
    pub(super) fn is_word(&self) -> bool {
        !matches!(
            self.class,
            Class::Number
                | Class::Character
                | Class::Text
                | Class::Sign
                | Class::Unknown
                | Class::End
        )
    }
}

/// The tokens of a text without directives, and one for its end.
///
/// *Cost.* Linear in the text.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let bytes = source.as_bytes();
    let mut tokens = Vec::with_capacity(bytes.len() / 3 + 1);
    let mut at = 0;
    while let Some(start) = next_start(bytes, at) {
        let (class, kind, end) = token(source, start);
        tokens.push(Token { kind, class, start: start as u32, end: end as u32 });
        at = end;
    }
    let end = bytes.len() as u32;
    tokens.push(Token { kind: Kind::End, class: Class::End, start: end, end });
    tokens
}

/// Where the next token begins, after blanks and comments.
fn next_start(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match (bytes.get(at)?, bytes.get(at + 1)) {
            (b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, _) => at += 1,
            (b'\\', Some(b'\n' | b'\r')) => at += 2,
            (b'/', Some(b'/')) => at += bytes[at..].iter().take_while(|b| **b != b'\n').count(),
            (b'/', Some(b'*')) => {
                let end = bytes[at + 2..].windows(2).position(|pair| pair == b"*/");
                at = end.map_or(bytes.len(), |end| at + 2 + end + 2);
            }
            _ => return Some(at),
        }
    }
}

/// The token that begins at a byte, and its end.
fn token(source: &str, start: usize) -> (Class, Kind, usize) {
    let bytes = source.as_bytes();
    let next = bytes.get(start + 1).copied().unwrap_or(0);
    match bytes[start] {
        b'0'..=b'9' => number(bytes, start),
        b'.' if next.is_ascii_digit() => number(bytes, start),
        quote @ (b'"' | b'\'') => literal(bytes, start, quote),
        first if is_word_byte(first) => {
            let length = bytes[start..].iter().take_while(|b| is_word_byte(**b)).count();
            let end = start + length;
            match (&source[start..end], bytes.get(end)) {
                ("L" | "u" | "U" | "u8", Some(quote @ (b'"' | b'\''))) => {
                    literal(bytes, end, *quote)
                }
                (text, _) => {
                    let (class, kind) = word(text);
                    (class, kind, end)
                }
            }
        }
        _ => sign(&source[start..]).map_or_else(
            || {
                let length = source[start..].chars().next().map_or(1, char::len_utf8);
                (Class::Unknown, Kind::Unknown, start + length)
            },
            |kind| (Class::Sign, kind, start + kind.name().len()),
        ),
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// A number, as the preprocessor reads it, also the imaginary ones of GNU C (`2.0i`).
fn number(bytes: &[u8], start: usize) -> (Class, Kind, usize) {
    let is_hexadecimal = matches!(bytes.get(start + 1), Some(b'x' | b'X'));
    let mut end = start + 1;
    while let Some(&byte) = bytes.get(end) {
        let is_sign = matches!(byte, b'+' | b'-')
            && match bytes[end - 1] {
                b'e' | b'E' => !is_hexadecimal,
                b'p' | b'P' => is_hexadecimal,
                _ => false,
            };
        let is_separator =
            byte == b'\'' && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(is_sign || is_separator || byte == b'.' || is_word_byte(byte)) {
            break;
        }
        end += 1;
    }
    let is_strange = |byte: &u8| match byte {
        b'a'..=b'f' | b'A'..=b'F' | b'x' | b'X' | b'p' | b'P' => false,
        b'u' | b'U' | b'l' | b'L' | b'w' | b'W' => false,
        b'i' | b'j' | b'I' | b'J' => is_hexadecimal,
        _ => is_word_byte(*byte) && !byte.is_ascii_digit(),
    };
    match bytes[start..end].iter().any(is_strange) {
        true => (Class::Unknown, Kind::Unknown, end),
        false => (Class::Number, Kind::NumberLiteral, end),
    }
}

/// A text or character in quotes, of which the first is at a byte.
fn literal(bytes: &[u8], opening: usize, quote: u8) -> (Class, Kind, usize) {
    let mut end = opening + 1;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 2,
            b'\n' => break,
            _ if byte == quote => {
                return match quote {
                    b'"' => (Class::Text, Kind::StringLiteral, end + 1),
                    _ if end == opening + 1 => (Class::Unknown, Kind::Unknown, end + 1),
                    _ => (Class::Character, Kind::CharLiteral, end + 1),
                };
            }
            _ => end += 1,
        }
    }
    (Class::Unknown, Kind::Unknown, end.min(bytes.len()))
}

/// The signs of C, longer ones before those that they begin with.
const SIGNS: [&[Kind]; 24] = [
    &[token!("{")],
    &[token!("}")],
    &[token!("(")],
    &[token!(")")],
    &[token!("[")],
    &[token!("]")],
    &[token!(";")],
    &[token!(",")],
    &[token!("..."), token!(".")],
    &[token!("->"), token!("--"), token!("-="), token!("-")],
    &[token!("++"), token!("+="), token!("+")],
    &[token!("*="), token!("*")],
    &[token!("=="), token!("=")],
    &[token!("<<="), token!("<<"), token!("<="), token!("<")],
    &[token!(">>="), token!(">>"), token!(">="), token!(">")],
    &[token!("&&"), token!("&="), token!("&")],
    &[token!("||"), token!("|="), token!("|")],
    &[token!("!="), token!("!")],
    &[token!("/="), token!("/")],
    &[token!("%="), token!("%")],
    &[token!("^="), token!("^")],
    &[token!("?")],
    &[token!(":")],
    &[token!("~")],
];

fn sign(text: &str) -> Option<Kind> {
    let first = text.as_bytes().first()?;
    let family = SIGNS.iter().find(|family| family[0].name().as_bytes()[0] == *first)?;
    family.iter().copied().find(|sign| text.starts_with(sign.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<(&str, Kind)> {
        let text = |token: &Token| (&source[token.start as usize..token.end as usize], token.kind);
        tokens(source).iter().filter(|token| token.class != Class::End).map(text).collect()
    }

    #[test]
    fn the_longest_sign_is_taken() {
        let kinds: Vec<&str> = texts("a+++b<<=c->d...").into_iter().map(|(text, _)| text).collect();
        assert_eq!(kinds, ["a", "++", "+", "b", "<<=", "c", "->", "d", "..."]);
    }

    #[test]
    fn literals_are_one_token_each() {
        let literals = texts("0x1p-3 1e+5f 2.0if .5 L\"a\\\"b\" '\\'' u8\"\" 1'000");
        let words: Vec<&str> = literals.iter().map(|(text, _)| *text).collect();
        assert_eq!(
            words,
            ["0x1p-3", "1e+5f", "2.0if", ".5", "L\"a\\\"b\"", "'\\''", "u8\"\"", "1'000"]
        );
        assert!(literals.iter().all(|(_, kind)| kind.name().ends_with("literal")));
    }

    #[test]
    fn what_is_no_token_is_unknown() {
        for text in ["@", "\"open", "'", "''", "0x1i", "0xg", "#"] {
            assert_eq!(texts(text)[0].1, Kind::Unknown, "{text}");
        }
        assert!(texts("/* open").is_empty() && texts("\\").len() == 1);
    }
}
