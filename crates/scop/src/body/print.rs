//! Bodies as text with holes.
use super::Body;
use super::term::{Element, Form, Term, TermKind};
use crate::ArrayId;
use loopwright_presburger::PwAff;
use std::borrow::Cow;

/// A piece of the text of a body.
#[derive(Clone, Debug)]
pub enum BodyPiece<'a> {
    /// Text to be copied.
    Text(Cow<'a, str>),
    /// An integer expression to be regenerated ([`TermKind::Affine`]).
    Affine(Cow<'a, PwAff>),
    /// A variable whose subscripts are to be regenerated.
    Element(Cow<'a, Element>),
    /// A variable that a call accesses and the text does not name. These come last.
    Hidden(ArrayId),
}

impl BodyPiece<'_> {
    /// Text.
    pub fn text(text: impl Into<String>) -> BodyPiece<'static> {
        BodyPiece::Text(Cow::Owned(text.into()))
    }

    /// An integer expression.
    pub fn affine(form: PwAff) -> BodyPiece<'static> {
        BodyPiece::Affine(Cow::Owned(form))
    }

    /// A variable.
    pub fn element(element: Element) -> BodyPiece<'static> {
        BodyPiece::Element(Cow::Owned(element))
    }

    /// The same piece, which borrows nothing.
    pub fn into_owned(self) -> BodyPiece<'static> {
        match self {
            BodyPiece::Text(text) => BodyPiece::Text(Cow::Owned(text.into_owned())),
            BodyPiece::Affine(form) => BodyPiece::Affine(Cow::Owned(form.into_owned())),
            BodyPiece::Element(element) => BodyPiece::Element(Cow::Owned(element.into_owned())),
            BodyPiece::Hidden(array) => BodyPiece::Hidden(array),
        }
    }
}

impl Body {
    /// The text from left to right, with the parts to be regenerated; no two pieces of text follow each
    /// other.
    pub fn pieces(&self) -> Vec<BodyPiece<'_>> {
        let mut pieces: Vec<BodyPiece<'_>> = Vec::new();
        self.for_each_piece(&mut |piece, _| match (pieces.last_mut(), piece) {
            (Some(BodyPiece::Text(before)), BodyPiece::Text(text)) => {
                before.to_mut().push_str(&text);
            }
            (_, piece) => pieces.push(piece),
        });
        pieces
    }

    /// Calls `visit` for each piece of text, with the term that it is a part of: of elements and integer
    /// expressions the one around.
    pub fn for_each_piece<'a>(&'a self, visit: &mut impl FnMut(BodyPiece<'a>, Option<&'a Term>)) {
        if let Some(root) = &self.root {
            pieces_of(root, None, visit);
        }
        self.hidden.iter().for_each(|array| visit(BodyPiece::Hidden(*array), None));
    }

    /// The text, in which elements have their subscripts and integer expressions are as `write` says.
    pub fn text_with(&self, write: impl Fn(&PwAff) -> String) -> String {
        let mut text = String::new();
        self.for_each_piece(&mut |piece, _| match piece {
            BodyPiece::Text(part) => text.push_str(&part),
            BodyPiece::Affine(form) => text.push_str(&write(&form)),
            BodyPiece::Element(element) => {
                let subscripts: Vec<String> = element.subscripts.iter().map(&write).collect();
                text.push_str(&element.base.with(&subscripts));
            }
            BodyPiece::Hidden(_) => {}
        });
        text
    }
}

impl Term {
    /// Calls `visit` for each piece of the text of the term, as [`Body::for_each_piece`] does for a whole
    /// body.
    pub fn for_each_piece<'a>(&'a self, visit: &mut impl FnMut(BodyPiece<'a>, Option<&'a Term>)) {
        pieces_of(self, None, visit);
    }
}

fn pieces_of<'a>(
    term: &'a Term,
    around: Option<&'a Term>,
    visit: &mut impl FnMut(BodyPiece<'a>, Option<&'a Term>),
) {
    match term.kind() {
        TermKind::Affine(form) => {
            let Form(form) = &**form;
            visit(BodyPiece::Affine(Cow::Borrowed(form)), around);
        }
        TermKind::Element(element) => visit(BodyPiece::Element(Cow::Borrowed(element)), around),
        _ => {
            for (position, text) in term.texts().iter().enumerate() {
                if !text.is_empty() {
                    visit(BodyPiece::Text(Cow::Borrowed(text)), Some(term));
                }
                if let Some(child) = term.children().get(position) {
                    pieces_of(child, Some(term), visit);
                }
            }
        }
    }
}
