//! Words and signs of a preprocessed text, with their lines. A pragma is one word.
use crate::diagnostics::failure::Failure;
use crate::report::equivalence::regions::PragmaText;
use loopwright_scop::body::tokens::{TokenKind, tokens};

/// A word, a number, a sign, a constant in quotes, or a pragma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: String,
    /// The line of the user's file; 0 in other files.
    pub(super) line: u32,
}

/// What a token begins with that is a pragma.
const PRAGMA: &str = "#pragma";

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }

    /// What follows the word `pragma`, if it is one.
    pub(super) fn pragma(&self) -> Option<&str> {
        self.text.strip_prefix(PRAGMA).map(str::trim)
    }
}

/// The tokens of a text without the headers of the system.
///
/// # Errors
/// If it cannot be preprocessed.
pub(super) fn tokens_of(text: &PragmaText) -> Result<Vec<Token>, Failure> {
    let source = text.source()?;
    let mut found = Vec::new();
    for (line, number) in source.preprocessed_lines() {
        let number = number.map_or(0, |line| text.line_of_file(line));
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        if let Some(directive) = directive {
            let words = directive.strip_prefix("pragma").map(str::split_whitespace);
            let pragma = words.map(|words| words.collect::<Vec<_>>().join(" "));
            let pragma = pragma.map(|words| format!("{PRAGMA} {words}"));
            found.extend(pragma.map(|text| Token { text, line: number }));
            continue;
        }
        let own = tokens(line).into_iter().filter(|token| token.kind != TokenKind::Blank);
        found.extend(own.map(|token| Token { text: token.text.to_string(), line: number }));
    }
    Ok(found)
}

/// The position of the bracket that closes the one at a position.
pub(super) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match &*token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
