//! The pieces of a text of statements: words, numbers, strings, symbols, and literals.
//!
//! Sets, relations and functions are written in isl's notation and stay one piece, from their first
//! brace or list of parameters to the closing brace. Where an operand may stand, `[n] -> {` starts
//! such a literal; elsewhere `[` is an index.
use super::problem::{Outcome, Problem};

/// The kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Text,
    Symbol,
    End,
}

/// A piece and where it starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) position: usize,
}

impl Token<'_> {
    pub(super) fn describe(&self) -> String {
        match self.kind {
            Kind::End => "the end of the text".to_owned(),
            Kind::Text => format!("\"{}\"", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}

/// The symbols, longer ones before their prefixes.
const SYMBOLS: [&str; 29] = [
    "<<=", ">>=", "->*", "->-", "<<", ">>", "<=", ">=", "==", ":=", "->", "<", ">", "=", "+", "-",
    "*", "%", "@", ".", "(", ")", "[", "]", ",", ";", "^", "{", "}",
];

/// A position in a text of statements.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Scanner { text, position: 0 }
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Skips white space and comments.
    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.position..];
            let trimmed = rest.trim_start();
            self.position += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.position += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// The next piece that is no literal.
    pub(super) fn next(&mut self) -> Outcome<Token<'a>> {
        self.skip_blanks();
        let position = self.position;
        let rest = &self.text[position..];
        let Some(first) = rest.chars().next() else {
            return Ok(Token { kind: Kind::End, text: "", position });
        };
        let span = |belongs: fn(char) -> bool| rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        let (kind, length) = if first == '"' {
            let Some(length) = rest[1..].find('"') else {
                let message = "expected a closing quote, found the end of the text";
                return Err(Problem::new(position, message));
            };
            self.position += length + 2;
            return Ok(Token { kind: Kind::Text, text: &rest[1..=length], position });
        } else if first.is_ascii_digit() {
            (Kind::Number, span(|c| c.is_ascii_digit()))
        } else if first.is_alphabetic() || first == '_' {
            (Kind::Word, span(|c| c.is_alphanumeric() || c == '_' || c == '\''))
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (Kind::Symbol, symbol.len())
        } else {
            let message = format!("expected a name, a value or an operator, found `{first}`");
            return Err(Problem::new(position, message));
        };
        self.position += length;
        Ok(Token { kind, text: &rest[..length], position })
    }

    /// The literal that starts here, if one does: where an operand is expected.
    pub(super) fn literal(&mut self) -> Outcome<Option<Token<'a>>> {
        self.skip_blanks();
        let start = self.position;
        let mut end = start;
        if self.text[start..].starts_with('[') {
            let Some(close) = closing(self.text, start)? else { return Ok(None) };
            let rest = self.text[close + 1..].trim_start();
            let Some(after_arrow) = rest.strip_prefix("->") else { return Ok(None) };
            end = self.text.len() - after_arrow.trim_start().len();
        }
        if !self.text[end..].starts_with('{') {
            return Ok(None);
        }
        match closing(self.text, end)? {
            None => Err(Problem::new(end, "expected a closing brace, found the end of the text")),
            Some(close) => {
                self.position = close + 1;
                let text = &self.text[start..=close];
                Ok(Some(Token { kind: Kind::Text, text, position: start }))
            }
        }
    }

    /// Whether a square bracket stands here that is never closed.
    fn is_unclosed(&self) -> bool {
        self.text[self.position..].starts_with('[')
            && matches!(closing(self.text, self.position), Ok(None))
    }

    /// The number of bytes that are left.
    pub(super) fn remaining(&self) -> usize {
        self.text.len() - self.position
    }

    /// Goes to the end of the text.
    pub(super) fn skip_all(&mut self) {
        self.position = self.text.len();
    }

    /// Skips to behind the next semicolon that is not inside a literal; the number of brackets on the
    /// way that are never closed. Behind a few of these, brackets are passed over like other symbols.
    pub(super) fn skip_statement(&mut self) -> usize {
        let mut n_unclosed = 0;
        loop {
            if n_unclosed < MOST_UNCLOSED {
                match self.literal() {
                    Ok(Some(_)) => continue,
                    Ok(None) => n_unclosed += usize::from(self.is_unclosed()),
                    Err(_) => n_unclosed += 1,
                }
            }
            match self.next() {
                Ok(Token { kind: Kind::End, .. } | Token { text: ";", kind: Kind::Symbol, .. }) => {
                    return n_unclosed;
                }
                Ok(_) => {}
                Err(_) => {
                    let step = self.text[self.position..].chars().next().map_or(0, char::len_utf8);
                    self.position += step;
                }
            }
        }
    }
}

/// How many brackets that are never closed a statement is searched for literals behind.
const MOST_UNCLOSED: usize = 16;

/// The position of the bracket that closes the one at `open`.
fn closing(text: &str, open: usize) -> Outcome<Option<usize>> {
    let mut depth = 0usize;
    let (mut in_comment, mut in_quotes) = (false, false);
    for (offset, character) in text[open..].char_indices() {
        match character {
            '\n' => in_comment = false,
            _ if in_comment => {}
            '"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            '#' => in_comment = true,
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(Some(open + offset));
                }
            }
            _ => {}
        }
    }
    Ok(None)
}

/// Whether a text that is being typed can be executed: it ends behind a semicolon, or is blank.
pub fn is_complete(text: &str) -> bool {
    let mut scanner = Scanner::new(text);
    let mut last_is_end = true;
    loop {
        match scanner.literal() {
            Ok(Some(_)) => last_is_end = false,
            Err(_) => return false,
            Ok(None) => match scanner.next() {
                Ok(Token { kind: Kind::End, .. }) => return last_is_end,
                Ok(token) => last_is_end = token.kind == Kind::Symbol && token.text == ";",
                Err(problem) => return !problem.message.contains("closing quote"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_whole() {
        let text = "[n] -> { S[i] : # }\n i < n } * x";
        let mut scanner = Scanner::new(text);
        assert_eq!(scanner.literal().unwrap().unwrap().text, "[n] -> { S[i] : # }\n i < n }");
        assert_eq!(scanner.next().unwrap().text, "*");
        assert!(scanner.literal().unwrap().is_none());
        assert!(Scanner::new("[0] + 1").literal().unwrap().is_none());
        assert!(Scanner::new("{ [i] : ").literal().is_err());
    }

    #[test]
    fn typing_goes_on_until_a_semicolon() {
        for (text, complete) in [
            ("a := 3;", true),
            ("a := 3; # done", true),
            ("", true),
            ("a", false),
            ("{ [i] : i > 3; [i]", false),
            ("print \"a;", false),
            ("$;", true),
        ] {
            assert_eq!(is_complete(text), complete, "{text}");
        }
    }
}
