//! The tokens of a file before preprocessing, one after the other.
use crate::diagnostics::diagnostic::{Code, Diagnostic, Place};
use crate::syntax::parser::token_class::Class;
use crate::syntax::parser::{Token, tokens};
use std::path::Path;
use std::rc::Rc;

/// Tokens that are read from the left to the right; a copy is cheap.
#[derive(Clone)]
pub(super) struct Tokens<'s> {
    source: &'s str,
    tokens: Rc<[Token]>,
    at: usize,
}

/// Why something is not understood, and where.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) code: Code,
    pub(super) byte: usize,
    pub(super) message: String,
    pub(super) reason: Option<String>,
}

impl Refusal {
    pub(super) fn new(code: Code, byte: usize, message: impl Into<String>) -> Self {
        Refusal { code, byte, message: message.into(), reason: None }
    }

    pub(super) fn because(self, reason: impl Into<String>) -> Self {
        Refusal { reason: Some(reason.into()), ..self }
    }
}

/// A diagnostic at a byte of a file's own text.
///
/// ```
/// use loopwright_cfront::{Code, diagnostic_at};
/// let diagnostic = diagnostic_at("f.c".as_ref(), "a;\nb;\n", 3, Code::Syntax, "no");
/// assert_eq!(diagnostic.place.unwrap().line, 2);
/// ```
pub fn diagnostic_at(
    path: &Path,
    source: &str,
    byte: usize,
    code: Code,
    message: impl Into<String>,
) -> Diagnostic {
    let before = source.get(..byte).unwrap_or(source);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() as u32 + 1;
    let column = before[start..].chars().count() as u32 + 1;
    let mut diagnostic = Diagnostic::new(code, message);
    diagnostic.place = Some(Place { file: path.to_path_buf(), line, column });
    diagnostic.source_line = source[start..].lines().next().map(str::to_string);
    diagnostic
}

impl<'s> Tokens<'s> {
    /// The tokens of a text without directives.
    pub(super) fn new(source: &'s str) -> Self {
        Tokens { source, tokens: tokens(source).into(), at: 0 }
    }

    /// The token that is so many behind the next one.
    fn token(&self, offset: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + offset).min(last)]
    }

    /// The text of the token that is so many behind the next one; empty at the end.
    pub(super) fn text_at(&self, offset: usize) -> &'s str {
        let token = self.token(offset);
        &self.source[token.start as usize..token.end as usize]
    }

    /// The text of the next token; empty at the end.
    pub(super) fn text(&self) -> &'s str {
        self.text_at(0)
    }

    /// The text in front of the next token that is next to it.
    pub(super) fn previous(&self) -> &'s str {
        match self.at {
            0 => "",
            at => {
                let token = self.tokens[at - 1];
                &self.source[token.start as usize..token.end as usize]
            }
        }
    }

    /// The text in front of that.
    pub(super) fn before_previous(&self) -> &'s str {
        match self.at.checked_sub(2) {
            None => "",
            Some(at) => {
                let token = self.tokens[at];
                &self.source[token.start as usize..token.end as usize]
            }
        }
    }

    /// Whether the token in front of the next one can end the type of a declaration.
    pub(super) fn previous_is_type(&self) -> bool {
        let previous = self.at.checked_sub(1).map(|at| self.tokens[at].class);
        matches!(previous, Some(Class::Primitive | Class::Size))
    }

    /// The text between two bytes.
    pub(super) fn source_between(&self, start: usize, end: usize) -> &'s str {
        self.source.get(start..end).unwrap_or_default()
    }

    /// Where the next token begins.
    pub(super) fn start(&self) -> usize {
        self.token(0).start as usize
    }

    /// Where the token before the next one ends.
    pub(super) fn end_of_previous(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |at| self.tokens[at].end as usize)
    }

    /// Where the next token ends.
    pub(super) fn end(&self) -> usize {
        self.token(0).end as usize
    }

    pub(super) fn take(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.token(0).class == Class::End
    }

    /// Whether the next token is a name of the program.
    pub(super) fn is_name(&self) -> bool {
        self.token(0).class == Class::Identifier
    }

    /// Whether the next token is a word that can be part of a type.
    pub(super) fn is_type_word(&self) -> bool {
        matches!(self.token(0).class, Class::Primitive | Class::Size)
    }

    /// Whether the next token is a number.
    pub(super) fn is_number_at(&self, offset: usize) -> bool {
        self.token(offset).class == Class::Number
    }

    pub(super) fn line(&self) -> u32 {
        self.source[..self.start()].matches('\n').count() as u32 + 1
    }

    /// The refusal that something else was expected here.
    pub(super) fn expected(&self, what: &str) -> Refusal {
        let found = match self.text() {
            "" => "the end of the file".to_string(),
            text => format!("`{text}`"),
        };
        let message = format!("expected {what} in a multifor statement, found {found}");
        Refusal::new(Code::Syntax, self.start(), message)
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<(), Refusal> {
        if self.text() != text {
            return Err(self.expected(&format!("`{text}`")));
        }
        self.take();
        Ok(())
    }

    /// Takes a name.
    pub(super) fn name(&mut self) -> Result<String, Refusal> {
        if !self.is_name() {
            return Err(self.expected("a name"));
        }
        let name = self.text().to_string();
        self.take();
        Ok(name)
    }

    /// Takes an integer without a sign.
    pub(super) fn integer(&mut self) -> Result<i64, Refusal> {
        let text = self.text();
        let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => i64::from_str_radix(digits, 16),
            None if text.len() > 1 && text.starts_with('0') => i64::from_str_radix(&text[1..], 8),
            None => text.parse(),
        };
        let value = value.map_err(|_| self.expected("an integer constant"))?;
        self.take();
        Ok(value)
    }

    /// Takes an integer that may have a sign.
    pub(super) fn signed_integer(&mut self) -> Result<i64, Refusal> {
        let is_negative = self.text() == "-";
        if is_negative || self.text() == "+" {
            self.take();
        }
        let value = self.integer()?;
        Ok(if is_negative { -value } else { value })
    }

    /// Goes to the token that begins at a byte or behind it.
    pub(super) fn go_to(&mut self, byte: usize) {
        self.at = self.tokens.partition_point(|token| (token.start as usize) < byte);
        self.at = self.at.min(self.tokens.len() - 1);
    }
}
