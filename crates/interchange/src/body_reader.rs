//! Reading the text of a statement over the iterators of its source loops.
//!
//! Iterators become expressions, so that the text can be printed in other loops; scalars and array
//! elements with affine subscripts become elements. Whatever else there is stays text.
use loopwright_presburger::{Aff, DimKind, Int, PwAff, Set};
use loopwright_scop::body::tokens::{Token, TokenKind, tokens};
use loopwright_scop::{Array, ArrayId, Body, BodyPiece, Element};

/// What names mean in the text of a statement.
pub(crate) struct Names<'a> {
    /// The instances, whose space has the parameters.
    pub(crate) domain: &'a Set,
    /// The iterators, one per dimension of the domain.
    pub(crate) iterators: &'a [String],
    /// The variables.
    pub(crate) arrays: &'a [Array],
}

/// A body.
///
/// *Cost.* Linear in the text, times the number of variables.
pub(crate) fn read_body(text: &str, names: &Names<'_>) -> Body {
    let text = text.trim().trim_end_matches(';').trim_end();
    let all = tokens(text);
    let mut reader = Reader { tokens: &all, names, pieces: Vec::new() };
    let mut before: Option<Token<'_>> = None;
    while let Some(token) = reader.tokens.first().copied() {
        let is_member = before.is_some_and(|token| matches!(token.text, "." | "->"));
        match token.kind {
            TokenKind::Word if !is_member => reader.word(token.text),
            TokenKind::Blank => {
                reader.push_text(" ");
                reader.tokens = &reader.tokens[1..];
            }
            _ => {
                reader.push_text(token.text);
                reader.tokens = &reader.tokens[1..];
            }
        }
        if token.kind != TokenKind::Blank {
            before = Some(token);
        }
    }
    Body::read(reader.pieces)
}

struct Reader<'a> {
    tokens: &'a [Token<'a>],
    names: &'a Names<'a>,
    pieces: Vec<BodyPiece<'a>>,
}

impl<'a> Reader<'a> {
    fn push_text(&mut self, text: &'a str) {
        self.pieces.push(BodyPiece::Text(text.into()));
    }

    /// A name at the front: an iterator, a variable, or text.
    fn word(&mut self, word: &'a str) {
        let after = &self.tokens[1..];
        if let Some(value) = self.names.iterator(word) {
            self.pieces.push(BodyPiece::affine(PwAff::from_aff(value)));
            self.tokens = after;
            return;
        }
        match self.names.element(word, after) {
            Some((element, rest)) => {
                self.pieces.push(BodyPiece::element(element));
                self.tokens = rest;
            }
            None => {
                self.push_text(word);
                self.tokens = after;
            }
        }
    }
}

impl Names<'_> {
    fn iterator(&self, word: &str) -> Option<Aff> {
        let dimension = self.iterators.iter().position(|name| name == word)?;
        Some(Aff::variable(self.domain.space(), DimKind::Out, dimension))
    }

    /// The element of the variable `word` with the subscripts at the front of `rest`, if they are
    /// affine and as many as the variable has dimensions.
    fn element<'a>(
        &self,
        word: &str,
        mut rest: &'a [Token<'a>],
    ) -> Option<(Element, &'a [Token<'a>])> {
        let position = self.arrays.iter().position(|array| &*array.name == word)?;
        let mut subscripts = Vec::new();
        for _ in 0..self.arrays[position].extents.len() {
            let inside = after(rest, "[")?;
            let (value, end) = self.sum(inside, 0)?;
            rest = after(end, "]")?;
            subscripts.push(PwAff::from_aff(value));
        }
        if matches!(next(rest).map(|token| token.text), Some("[" | "(" | "." | "->")) {
            return None;
        }
        let array = ArrayId(u32::try_from(position).ok()?);
        Some((Element::new(word, array, subscripts), rest))
    }

    fn sum<'a>(&self, rest: &'a [Token<'a>], depth: usize) -> Option<(Aff, &'a [Token<'a>])> {
        let (mut value, mut rest) = self.product(rest, depth)?;
        while let Some(sign @ ("+" | "-")) = next(rest).map(|token| token.text) {
            let (term, end) = self.product(after(rest, sign)?, depth)?;
            value = if sign == "+" { value.add(&term) } else { value.sub(&term) }.ok()?;
            rest = end;
        }
        Some((value, rest))
    }

    fn product<'a>(&self, rest: &'a [Token<'a>], depth: usize) -> Option<(Aff, &'a [Token<'a>])> {
        let (mut value, mut rest) = self.operand(rest, depth)?;
        while let Some(inside) = after(rest, "*") {
            let (factor, end) = self.operand(inside, depth)?;
            value = value.mul(&factor).ok()?;
            rest = end;
        }
        let is_other = matches!(next(rest).map(|token| token.text), Some("/" | "%"));
        (!is_other).then_some((value, rest))
    }

    fn operand<'a>(&self, rest: &'a [Token<'a>], depth: usize) -> Option<(Aff, &'a [Token<'a>])> {
        if depth > DEEPEST {
            return None;
        }
        let rest = skip_blank(rest);
        let token = *rest.first()?;
        let end = rest.get(1..)?;
        match (token.kind, token.text) {
            (_, "-") => {
                let (value, end) = self.operand(end, depth + 1)?;
                Some((value.neg(), end))
            }
            (_, "(") => {
                let (value, end) = self.sum(end, depth + 1)?;
                Some((value, after(end, ")")?))
            }
            (TokenKind::Number, digits) => {
                let is_decimal = digits == "0" || !digits.starts_with('0');
                let value: Int = is_decimal.then(|| digits.parse().ok())??;
                Some((Aff::constant(self.domain.space(), &value), end))
            }
            (TokenKind::Word, word) => {
                let parameter = |word| {
                    let position = self.domain.space().find_param(word)?;
                    Some(Aff::variable(self.domain.space(), DimKind::Param, position))
                };
                Some((self.iterator(word).or_else(|| parameter(word))?, end))
            }
            _ => None,
        }
    }
}

/// Parentheses inside each other that are read.
const DEEPEST: usize = 100;

fn skip_blank<'a>(tokens: &'a [Token<'a>]) -> &'a [Token<'a>] {
    let blanks = tokens.iter().take_while(|token| token.kind == TokenKind::Blank).count();
    &tokens[blanks..]
}

fn next<'a>(tokens: &'a [Token<'a>]) -> Option<Token<'a>> {
    skip_blank(tokens).first().copied()
}

/// What follows the operator at the front.
fn after<'a>(tokens: &'a [Token<'a>], operator: &str) -> Option<&'a [Token<'a>]> {
    let tokens = skip_blank(tokens);
    let first = tokens.first()?;
    (first.kind == TokenKind::Operator && first.text == operator).then(|| &tokens[1..])
}
