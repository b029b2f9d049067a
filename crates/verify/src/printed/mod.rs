//! The printed text does what the syntax tree says.
//!
//! The C text of a region is read back by a reader of its own (`cursor.rs`), which shares nothing with the
//! printer, beside the syntax tree (`walk.rs`): every loop must have the tree's first value, end and step,
//! every condition must hold where the tree's does, every statement must be the program's text with the
//! iterators and subscripts that the instance has, and nothing may be missing or left over. Where two
//! expressions are not the same sum, bounds of iterators (`facts.rs`) or else sets decide whether they are
//! equal for all that the loops around let iterators be (`values.rs`). Elements that innermost loops keep in
//! local variables (`kept.rs`), pipelines (`pipeline.rs`), loops in parts (`parts.rs`), searches
//! (`search.rs`), loops in two versions (`versions.rs`), declarations (`declarations.rs`) and the clauses of
//! pragmas (`pragma.rs`) are read as well, and so are results in vector variables (`register_nest.rs`,
//! `register_block.rs`) with the parts of tiles at their edges (`register_parts.rs`) and at diagonals
//! (`register_diagonal.rs`).
//!
//! # What is not read
//! A form of text that is not understood, or not within the budget: it is named. Numbers are taken as
//! integers without bound, so casts say nothing; that nothing wraps around is an argument of the printer, but
//! for kernels with iterators of 32 bits (`intervals.rs`).
mod body;
mod cursor;
mod declarations;
mod device;
mod facts;
mod form;
mod intervals;
mod kept;
mod outcome;
mod parts;
mod pipeline;
mod pragma;
mod register_block;
mod register_diagonal;
mod register_nest;
mod register_parts;
mod search;
mod text_walk;
mod tokens;
mod values;
mod versions;
mod walk;

use cursor::Macro;
pub use device::{DeviceText, KernelLanguage, check_printed_device};
use loopwright_astgen::AstNode;
use loopwright_presburger::{Budget, Result};
use loopwright_scop::Scop;
pub use outcome::{NotRead, Printed, UnreadPart};
use outcome::{Walked, finished};
use text_walk::TextWalk;
use tokens::{Token, TokenKind, tokens};

/// Checks that `text`, printed for `ast` with the statements of `scop`, runs what the tree runs, for
/// parameters in the scop's context.
///
/// *Exactness.* What is proved holds for all parameter values, over the integers. A text is refuted if it is
/// another one, or does something else for some value. *Cost.* Linear in the text where expressions are the
/// same sums; some emptiness checks for each other one.
///
/// # Errors
/// Those of the operations on sets but for limits, which leave parts unread.
pub fn check_printed(scop: &Scop, ast: &AstNode, text: &str, budget: &Budget) -> Result<Printed> {
    let tokens = tokens(text);
    let mut walk = TextWalk::new(scop, &tokens, budget);
    let found = walk.region(ast);
    finished(found, std::mem::take(&mut walk.passed))
}

impl<'a> TextWalk<'_, 'a> {
    /// All of the text.
    fn region(&mut self, ast: &'a AstNode) -> Walked<()> {
        self.definitions()?;
        while self.cursor.is("(") && self.cursor.is_ahead(1, "void") {
            self.cursor.skip_balanced()?;
            self.cursor.word()?;
            self.cursor.expect(";")?;
        }
        let has_values = self.scop.parameters.iter().any(|parameter| parameter.value.is_some());
        let has_block = has_values || self.cursor.is("{") && self.declares_one(1);
        if has_block {
            self.cursor.expect("{")?;
            self.declarations()?;
        }
        for parameter in &self.scop.parameters {
            let Some(value) = &parameter.value else { continue };
            let mut expected = tokens(&parameter.c_type);
            expected.extend(tokens(&parameter.name));
            let is_here = expected
                .iter()
                .enumerate()
                .all(|(ahead, token)| self.cursor.is_ahead(ahead, token.text));
            if is_here && self.cursor.is_ahead(expected.len(), "=") {
                self.cursor.expect_all(&expected)?;
                self.cursor.expect("=")?;
                self.cursor.expect_all(&tokens(value))?;
                self.cursor.expect(";")?;
            }
        }
        self.node(ast, None)?;
        if has_block {
            self.cursor.expect("}")?;
        }
        let macros: Vec<&str> = self.names.macros.keys().copied().collect();
        while let Some(token) = self.cursor.peek() {
            let is_undefined = token.kind == TokenKind::Directive
                && macros.iter().any(|name| token.text.trim_end() == format!("#undef {name}"));
            if !is_undefined {
                return Err(self.cursor.wrong("the end"));
            }
            self.cursor.at += 1;
        }
        Ok(())
    }

    /// The macros at the front.
    fn definitions(&mut self) -> Walked<()> {
        while let Some(token) = self.cursor.peek() {
            if token.kind != TokenKind::Directive || !token.text.starts_with("#define") {
                return Ok(());
            }
            let (name, meaning) = definition(token).ok_or_else(|| {
                self.cursor.wrong("the definition of a minimum, a maximum or a floor")
            })?;
            self.new_name(name)?;
            self.names.macros.insert(name, meaning);
            self.cursor.at += 1;
        }
        Ok(())
    }
}

/// The name of a macro and what it computes, if it is one of the known definitions. Each operand is in
/// parentheses, and so is the whole.
fn definition(directive: Token<'_>) -> Option<(&str, Macro)> {
    const KNOWN: [(&str, Macro); 5] = [
        ("((a) < (b) ? (a) : (b))", Macro::Least),
        ("((a) <= (b) ? (a) : (b))", Macro::Least),
        ("((a) > (b) ? (a) : (b))", Macro::Greatest),
        ("((a) >= (b) ? (a) : (b))", Macro::Greatest),
        // ~x is -x - 1, and the quotient of two numbers that are not negative is rounded down: for a < 0,
        // -((-a - 1) / b) - 1 is the floor of a / b.
        ("((a) < 0 ? ~(~(a) / (b)) : (a) / (b))", Macro::Floor),
    ];
    let line = directive.text.trim_end().strip_prefix("#define")?;
    let line = line.trim_start();
    let all = tokens(line);
    let [name, open, first, comma, second, close, body @ ..] = all.as_slice() else { return None };
    let is_head = open.text == "(" && comma.text == "," && close.text == ")";
    if !is_head || name.kind != TokenKind::Word || first.text == second.text {
        return None;
    }
    let standard = |token: &Token<'_>| match token.text {
        text if text == first.text => "a".to_string(),
        text if text == second.text => "b".to_string(),
        text => text.to_string(),
    };
    let body: Vec<String> = body.iter().map(standard).collect();
    let is_known = |(known, _): &&(&str, Macro)| {
        tokens(known).iter().map(|token| token.text).eq(body.iter().map(String::as_str))
    };
    KNOWN.iter().find(is_known).map(|(_, meaning)| (name.text, *meaning))
}
