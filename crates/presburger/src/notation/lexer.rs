//! Tokens of isl's notation.
use crate::core::error::{Error, Result};
use loopwright_exact::Int;

/// A token without its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword.
    Word,
    /// A decimal number without sign.
    Number,
    /// Punctuation or an operator; the text tells which.
    Symbol,
    /// The end of the text.
    End,
}

/// A token: its kind and where its text lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) position: usize,
    /// The keyword that the word is, if any.
    pub(super) keyword: Option<&'static str>,
}

/// The keywords, which may be written in any case.
const KEYWORDS: [&str; 18] = [
    "and", "or", "not", "implies", "exists", "true", "false", "mod", "floor", "ceil", "ceiling",
    "floord", "ceild", "min", "max", "NaN", "infty", "infinity",
];

/// The keyword that a word is.
pub(super) fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// Whether a word is a keyword of the notation, which no parameter or dimension can have as its name.
///
/// ```
/// use loopwright_presburger::is_keyword;
/// assert!(is_keyword("mod") && is_keyword("TRUE") && !is_keyword("n"));
/// ```
pub fn is_keyword(word: &str) -> bool {
    keyword(word).is_some()
}

impl Token<'_> {
    /// How the token is named in a message.
    pub(super) fn describe(&self) -> String {
        match self.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text),
        }
    }

    /// The value of a number.
    pub(super) fn number(&self) -> Result<Int> {
        self.text
            .parse()
            .map_err(|_| error(self.position, format!("`{}` is not a number", self.text)))
    }
}

/// A parse error.
pub(super) fn error(position: usize, message: impl Into<String>) -> Error {
    Error::Parse { position, message: message.into() }
}

/// The operators, longer ones before their prefixes.
const SYMBOLS: [&str; 35] = [
    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "->", "&&", "||", "//", "<", ">", "=", "!",
    "&", "|", "[", "]", "(", ")", "{", "}", ",", ";", ":", "+", "-", "*", "/", "%", "?", "^", "@",
];

/// Splits a text into tokens, the last of which is [`Kind::End`]; `#` starts a comment.
///
/// # Errors
/// [`Error::Parse`] at a character that starts no token.
pub(super) fn tokenize(text: &str) -> Result<Vec<Token<'_>>> {
    let mut tokens = Vec::with_capacity(text.len() / 2);
    let mut position = 0;
    while let Some(first) = text[position..].chars().next() {
        if first.is_whitespace() {
            position += first.len_utf8();
            continue;
        }
        let rest = &text[position..];
        if first == '#' {
            position += prefix(rest, |c| c != '\n');
            continue;
        }
        let (kind, length) = if first == '"' {
            let end = rest[1..].find('"').ok_or_else(|| {
                error(position, "expected a closing quote, found the end of the text")
            })?;
            let text = &rest[1..=end];
            tokens.push(Token { kind: Kind::Word, text, position, keyword: None });
            position += end + 2;
            continue;
        } else if first.is_ascii_digit() {
            (Kind::Number, prefix(rest, |c| c.is_ascii_digit()))
        } else if first.is_alphabetic() || first == '_' {
            (Kind::Word, prefix(rest, |c| c.is_alphanumeric() || c == '_' || c == '\''))
        } else if let Some(symbol) = SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
            (Kind::Symbol, symbol.len())
        } else {
            return Err(error(
                position,
                format!("expected a name, a number or an operator, found `{first}`"),
            ));
        };
        let text = &rest[..length];
        let keyword = if kind == Kind::Word { keyword(text) } else { None };
        tokens.push(Token { kind, text, position, keyword });
        position += length;
    }
    tokens.push(Token { kind: Kind::End, text: "", position, keyword: None });
    Ok(tokens)
}

/// The number of bytes up to the first character that does not belong.
fn prefix(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_take_the_longest_match() {
        let texts: Vec<&str> =
            tokenize("a<<=2i'->\"x y\"").unwrap().iter().map(|t| t.text).collect();
        assert_eq!(texts, ["a", "<<=", "2", "i'", "->", "x y", ""]);
    }

    #[test]
    fn a_foreign_character_is_reported_where_it_stands() {
        assert!(matches!(tokenize("i $ j"), Err(Error::Parse { position: 2, .. })));
        assert!(matches!(tokenize("i \"j"), Err(Error::Parse { position: 2, .. })));
    }
}
