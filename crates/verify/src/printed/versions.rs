//! A parallel loop that is printed twice: with threads where they are worth their cost, and without.
//!
//! ```text
//! if ((double) n * m > 2000) {
//!   #pragma omp parallel for
//!   for (long c1 = 0; c1 < n; c1++) { .. }
//! } else {
//!   for (long c1 = 0; c1 < n; c1++) { .. }
//! }
//! ```
//!
//! Both do what the tree says, so it does not matter when the condition holds, only that it changes nothing.
use crate::printed::outcome::Walked;
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::{Token, TokenKind};
use loopwright_astgen::ForLoop;
use loopwright_schedule::{LoopKind, LoopMark};

/// Operators that change nothing.
const PURE: [&str; 16] =
    ["(", ")", "+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", ","];

impl<'a> TextWalk<'_, 'a> {
    /// Whether the text at the cursor is a loop in two versions: only these have an `else`.
    pub(super) fn has_two_versions(&self, mark: Option<&LoopMark>) -> bool {
        let mut ahead = self.cursor.clone();
        mark.is_some_and(|mark| mark.kind == LoopKind::Parallel)
            && ahead.take_if("if")
            && ahead.skip_balanced().is_ok()
            && ahead.skip_balanced().is_ok()
            && ahead.is("else")
    }

    /// Both versions of a loop, the one with threads first.
    pub(super) fn two_versions(
        &mut self,
        each: &'a ForLoop,
        mark: Option<&LoopMark>,
    ) -> Walked<()> {
        self.cursor.expect("if")?;
        let start = self.cursor.at;
        self.cursor.skip_balanced()?;
        if !self.cursor.tokens[start..self.cursor.at].iter().all(|token| self.is_pure(token)) {
            self.cursor.at = start;
            return Err(self.cursor.wrong("a condition that only compares"));
        }
        for (mark, before) in [(mark, None), (None, Some("else"))] {
            if let Some(before) = before {
                self.cursor.expect(before)?;
            }
            self.cursor.expect("{")?;
            self.as_loop(each, mark)?;
            self.cursor.expect("}")?;
        }
        Ok(())
    }

    /// Whether a token can only be part of an expression without calls and assignments.
    fn is_pure(&self, token: &Token<'_>) -> bool {
        match token.kind {
            TokenKind::Number => true,
            TokenKind::Operator => PURE.contains(&token.text),
            TokenKind::Word => {
                matches!(token.text, "double" | "long" | "int")
                    || self.names.has_value(token.text)
                    || self.names.macros.contains_key(token.text)
            }
            TokenKind::Quoted | TokenKind::Directive => false,
        }
    }
}
