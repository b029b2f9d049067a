//! The tokens of a piece of C.

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A string or character constant.
    Quoted,
    /// An operator or bracket.
    Operator,
    /// White space.
    Blank,
}

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind,
    /// Its text.
    pub text: &'a str,
}

/// Operators of more than one character, longer ones first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "...", "++", "--", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==",
    "!=", "<=", ">=", "&&", "||", "<<", ">>",
];

/// The tokens of a text; all of it is in one of them.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match first {
            c if c.is_whitespace() => (TokenKind::Blank, length_while(rest, char::is_whitespace)),
            c if is_word(c) && !c.is_ascii_digit() => {
                (TokenKind::Word, length_while(rest, is_word))
            }
            c if c.is_ascii_digit() || starts_fraction(rest) => {
                (TokenKind::Number, number_length(rest))
            }
            '"' | '\'' => (TokenKind::Quoted, quoted_length(rest, first)),
            _ => {
                let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
                (TokenKind::Operator, operator.map_or(first.len_utf8(), |o| o.len()))
            }
        };
        let (token, after) = rest.split_at(length);
        found.push(Token { kind, text: token });
        rest = after;
    }
    found
}

/// Whether a text leaves nothing open that it begins and closes nothing else: quotes, parentheses, brackets,
/// braces. Such a text can stand between others.
pub fn is_closed(text: &str) -> bool {
    let (mut open, mut before) = (Vec::new(), "");
    for token in tokens(text) {
        if before == "/" && matches!(token.text, "/" | "*" | "*=") {
            return false;
        }
        before = token.text;
        let is_right = match (token.kind, token.text) {
            (TokenKind::Quoted, quoted) => is_closed_quote(quoted),
            (TokenKind::Operator, "(" | "[" | "{") => {
                open.push(token.text);
                true
            }
            (TokenKind::Operator, ")") => open.pop() == Some("("),
            (TokenKind::Operator, "]") => open.pop() == Some("["),
            (TokenKind::Operator, "}") => open.pop() == Some("{"),
            _ => true,
        };
        if !is_right {
            return false;
        }
    }
    open.is_empty()
}

fn is_closed_quote(quoted: &str) -> bool {
    let inside = quoted.get(1..quoted.len() - 1);
    let ends = quoted.len() > 1 && quoted.ends_with(&quoted[..1]) && !quoted.contains('\n');
    let escapes = inside.map_or(0, |inside| inside.len() - inside.trim_end_matches('\\').len());
    ends && escapes.is_multiple_of(2)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn length_while(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

fn starts_fraction(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next() == Some('.') && characters.next().is_some_and(|c| c.is_ascii_digit())
}

/// The length of a preprocessing number.
fn number_length(text: &str) -> usize {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        if !(is_sign || c == '.' || is_word(c)) {
            return at;
        }
        before = c;
    }
    text.len()
}

/// The length up to the closing quote, or all of the text.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_leave_something_open() {
        for text in ["a[i] = f(\"(\", '{')", "{ if (x) y = \"//\\\\\"; }", ""] {
            assert!(is_closed(text), "{text}");
        }
        for text in ["a[i", "f(\"x)", "(]", "} {", "'\\'", "x = \"", "a /* b", "a // b", ")"] {
            assert!(!is_closed(text), "{text}");
        }
    }

    #[test]
    fn the_text_is_the_sum_of_its_tokens() {
        let text = "a[i+1]->x <<= .5e-3f + f(\"\\\"\", 'x') >= 0x1F ... é \"open";
        let found = tokens(text);
        assert_eq!(found.iter().map(|token| token.text).collect::<String>(), text);
        let words: Vec<&str> = found
            .iter()
            .filter(|token| token.kind == TokenKind::Number)
            .map(|token| token.text)
            .collect();
        assert_eq!(words, ["1", ".5e-3f", "0x1F"]);
    }
}
