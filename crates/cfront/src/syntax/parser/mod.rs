//! A parser of C by recursive descent: C11 with the extensions of GNU C that are left after preprocessing.
//!
//! Kinds of nodes and places in parents have the names of tree-sitter's grammar of C. Names of types are
//! known by the scopes that declare them (`names.rs`); a name that nothing declares is a type where C knows
//! nothing else. What is not understood becomes one `ERROR` node: a statement, or what stands outside of
//! functions (`recovery.rs`).
//!
//! *Cost.* Linear in the text: nothing is read twice but what is not understood.
mod attributes;
mod builder;
mod declarations;
mod declarators;
mod expressions;
mod initializers;
mod lexer;
mod lookahead;
mod names;
#[cfg(test)]
mod oracle;
mod parameters;
mod primary;
mod recovery;
mod specifiers;
mod statements;
#[cfg(test)]
mod tests;
pub(crate) mod token_class;
mod words;

use crate::syntax::kind::Kind;
use crate::syntax::tree::Tree;
use builder::{Builder, Mark};
pub(crate) use lexer::{Token, tokens};
use names::Names;
use token_class::Class;

/// How deep constructs may stand in each other.
const MAX_DEPTH: usize = 400;

/// What is expected where they stand deeper.
pub(crate) const LESS_NESTING: &str = "less nesting";

/// What was expected at a token instead of it.
#[derive(Clone, Copy, Debug)]
struct Unexpected {
    expected: &'static str,
}

type Step<T = ()> = Result<T, Unexpected>;

/// A text that is read.
struct Parser<'s> {
    source: &'s str,
    tokens: Vec<Token>,
    /// The next token.
    at: usize,
    builder: Builder,
    names: Names<'s>,
    /// How many constructs the next token stands in.
    depth: usize,
    /// What was expected instead of which bytes.
    expectations: Vec<(u32, &'static str)>,
}

/// The tree of a text that is read as C, in which all directives are blanked; `types` are the names of types
/// that it uses without declaring them.
///
/// *Cost.* Linear in the text.
pub(crate) fn parse<'s>(source: &'s str, types: impl Iterator<Item = &'s str>) -> Tree {
    let mut parser = Parser {
        source,
        tokens: lexer::tokens(source),
        at: 0,
        builder: Builder::default(),
        names: Names::of_types(types),
        depth: 0,
        expectations: Vec::new(),
    };
    parser.file();
    parser.builder.tree(parser.expectations)
}

impl<'s> Parser<'s> {
    fn file(&mut self) {
        let mark = self.builder.mark();
        while !self.is_class(Class::End) {
            self.recovering(Parser::item);
        }
        self.finish(mark, Kind::TranslationUnit);
    }

    /// The token some places after the next one.
    fn token(&self, offset: usize) -> Token {
        self.tokens[(self.at + offset).min(self.tokens.len() - 1)]
    }

    /// The kind of the next token.
    fn kind(&self) -> Kind {
        self.token(0).kind
    }

    fn class(&self) -> Class {
        self.token(0).class
    }

    fn is(&self, kind: Kind) -> bool {
        self.kind() == kind
    }

    fn is_class(&self, class: Class) -> bool {
        self.class() == class
    }

    /// The text of the token some places after the next one.
    fn text(&self, offset: usize) -> &'s str {
        let token = self.token(offset);
        self.source.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    /// Takes the next token as a node.
    fn take(&mut self) {
        self.take_as(self.kind());
    }

    /// Takes the next token as a node of a kind.
    fn take_as(&mut self, kind: Kind) {
        let token = self.token(0);
        self.builder.leaf(kind, token);
        if token.class != Class::End {
            self.at += 1;
        }
    }

    /// Takes a keyword or sign that has to be the next token.
    fn expect(&mut self, kind: Kind) -> Step {
        if !self.is(kind) {
            return Err(Unexpected { expected: kind.name() });
        }
        self.take();
        Ok(())
    }

    /// Takes an identifier as a node of a kind.
    fn expect_name(&mut self, kind: Kind) -> Step {
        if !self.is_class(Class::Identifier) {
            return Err(Unexpected { expected: "a name" });
        }
        self.take_as(kind);
        Ok(())
    }

    /// Takes the end of a statement or declaration; where a line ends without it, it is added.
    fn expect_semicolon(&mut self) -> Step {
        if self.is(token!(";")) {
            self.take();
            return Ok(());
        }
        let Some(before) = self.at.checked_sub(1).map(|last| self.tokens[last].end) else {
            return Err(Unexpected { expected: ";" });
        };
        let between = &self.source[before as usize..self.token(0).start as usize];
        let is_plausible = between.contains('\n') && self.begins_a_line() || self.is(token!("}"));
        if !is_plausible {
            return Err(Unexpected { expected: ";" });
        }
        self.expectations.push((before, ";"));
        self.builder.missing(token!(";"), before);
        Ok(())
    }

    /// Makes the nodes after a mark the children of a new node.
    fn finish(&mut self, mark: Mark, kind: Kind) {
        let at = self.token(0).start;
        self.builder.finish(mark, kind, at);
    }

    /// Reads a construct one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Unexpected { expected: LESS_NESTING });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
