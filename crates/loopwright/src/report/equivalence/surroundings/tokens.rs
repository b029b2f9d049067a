//! Words and signs of a preprocessed text, with their lines. A pragma is one word.
use crate::diagnostics::failure::Failure;
use crate::report::equivalence::regions::PragmaText;
use loopwright_cfront::directives::read;
use loopwright_scop::body::tokens::{TokenKind, tokens};
use std::ops::Range;

/// A word, a number, a sign, a constant in quotes, or a pragma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: String,
    /// The line of the user's file; 0 in other files.
    pub(super) line: u32,
}

/// A line in words.
pub(super) fn place(line: u32) -> String {
    match line {
        0 => "an included file".to_string(),
        line => format!("line {line}"),
    }
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

    /// Whether it is a word, or a pragma that has it.
    pub(super) fn names(&self, word: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        match self.pragma() {
            Some(words) => words.split(|c| !is_part(c)).any(|own| own == word),
            None => self.is(word),
        }
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
    let source = text.source_with_directives()?;
    let (mut code, mut numbers) = (String::new(), Vec::new());
    for (line, number) in source.preprocessed_lines() {
        code.push_str(line);
        code.push('\n');
        numbers.push(number.map_or(0, |line| text.line_of_file(line)));
    }
    let (mut found, mut from) = (Vec::new(), 0);
    for own in read(&code) {
        found.extend(tokens_between(&code, from..own.start, &numbers));
        let line = numbers.get(own.line as usize - 1).copied().unwrap_or(0);
        found.push(Token { text: format!("{PRAGMA} {}", own.text), line });
        from = own.end.max(from);
    }
    found.extend(tokens_between(&code, from..code.len(), &numbers));
    Ok(found)
}

/// The tokens of a part of a text whose lines have numbers.
fn tokens_between(code: &str, range: Range<usize>, numbers: &[u32]) -> Vec<Token> {
    let mut at = code[..range.start].matches('\n').count();
    let mut found = Vec::new();
    for token in tokens(&code[range.start..range.end.max(range.start)]) {
        let line = numbers.get(at).copied().unwrap_or(0);
        match token.kind {
            TokenKind::Blank => at += token.text.matches('\n').count(),
            _ => found.push(Token { text: token.text.to_string(), line }),
        }
    }
    found
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
