//! Statement bodies with their subscripts and iterators written for the place where they stand.
use crate::linear::Linear;
use loopwright_astgen::{AstExpr, Lowering, Place};
use loopwright_presburger::{Name, Result};
use loopwright_scop::{self as scop, ArrayId, BodyPiece, PlacedPiece, Statement, Term, TermKind};

/// A statement's body at one place: text and array elements.
pub(crate) struct Body {
    pieces: Vec<Piece>,
}

enum Piece {
    Text(String),
    Element(Element),
}

/// An array element at one place.
pub(crate) struct Element {
    pub(crate) array: ArrayId,
    /// How C has it.
    pub(crate) text: String,
    subscripts: Vec<AstExpr>,
    /// The subscripts over the names of the syntax tree; none if one of them is not linear.
    pub(crate) forms: Option<Vec<Linear>>,
}

impl Element {
    /// Whether it is one element of an array with so many dimensions, not what a call accesses of it.
    pub(crate) fn is_one(&self, n_dimensions: usize) -> bool {
        !self.text.is_empty() && self.subscripts.len() == n_dimensions
    }

    /// The subscripts, in terms of the (lowered) names of iterators.
    pub(crate) fn subscripts(&self) -> &[AstExpr] {
        &self.subscripts
    }

    /// Whether a subscript uses the (lowered) name of an iterator.
    pub(crate) fn mentions(&self, iterator: &Name) -> bool {
        self.subscripts.iter().any(|subscript| subscript.mentions(iterator))
    }
}

impl Body {
    /// The body of `statement` at `place`.
    pub(crate) fn at(
        statement: &Statement,
        place: &Place,
        lowering: &mut Lowering,
    ) -> Result<Body> {
        let mut pieces = Vec::new();
        let mut result = Ok(());
        statement.body.for_each_piece(&mut |piece, around| {
            if result.is_ok() {
                match Piece::at(piece, around, place, lowering) {
                    Ok(piece) => pieces.push(piece),
                    Err(error) => result = Err(error),
                }
            }
        });
        result.map(|()| Body { pieces })
    }

    /// Pieces of the text of a statement at `place`.
    pub(crate) fn of_pieces(
        pieces: Vec<PlacedPiece<'_>>,
        place: &Place,
        lowering: &mut Lowering,
    ) -> Result<Body> {
        let pieces = pieces.into_iter();
        let pieces = pieces.map(|(piece, around)| Piece::at(piece, around, place, lowering));
        Ok(Body { pieces: pieces.collect::<Result<_>>()? })
    }

    /// The array elements in textual order.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Element> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Element(element) => Some(element),
            Piece::Text(_) => None,
        })
    }

    /// The text of a whole statement, with elements replaced where `replacement` has a name.
    pub(crate) fn statement(&self, replacement: impl Fn(&Element) -> Option<String>) -> String {
        let text = self.text(replacement);
        if text.ends_with('}') { text } else { text + ";" }
    }

    /// The text as it is, with elements replaced where `replacement` has a name.
    pub(crate) fn text(&self, replacement: impl Fn(&Element) -> Option<String>) -> String {
        let text_of = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Element(element) => replacement(element).unwrap_or_else(|| element.text.clone()),
        };
        self.pieces.iter().map(text_of).collect()
    }
}

impl Piece {
    /// A piece of a body, a part of the term `around`.
    fn at(
        piece: BodyPiece<'_>,
        around: Option<&Term>,
        place: &Place,
        lowering: &mut Lowering,
    ) -> Result<Piece> {
        let element = match piece {
            BodyPiece::Text(text) => return Ok(Piece::Text(text.into_owned())),
            BodyPiece::Affine(expression) => {
                let value = lowering.lower(&place.expression(&expression)?);
                let is_wide = around.is_some_and(is_wide_cast);
                return Ok(Piece::Text(if is_wide {
                    format!("({value})")
                } else {
                    operand(&value)
                }));
            }
            BodyPiece::Hidden(array) => scop::Element::new("", array, Vec::new()),
            BodyPiece::Element(element) => element.into_owned(),
        };
        let scop::Element { base, array, subscripts } = element;
        let (mut texts, mut lowered) = (Vec::with_capacity(subscripts.len()), Vec::new());
        let mut forms = Some(Vec::with_capacity(subscripts.len()));
        for subscript in &subscripts {
            let subscript = place.subscript(subscript)?;
            forms = forms.zip(Linear::of(&subscript)).map(|(mut forms, form)| {
                forms.push(form);
                forms
            });
            let subscript = lowering.lower(&subscript);
            texts.push(subscript.to_string());
            lowered.push(subscript);
        }
        let text = base.with(&texts);
        Ok(Piece::Element(Element { array, text, subscripts: lowered, forms }))
    }
}

/// Whether a term is a cast to an integer type that is wider than `int`.
fn is_wide_cast(term: &Term) -> bool {
    matches!(term.kind(), TermKind::Cast(Some(to)) if to.is_wide_integer())
}

/// An integer expression as an operand of type `int`, the type of the iterator it stands for.
///
/// Generated iterators are wider than `int`, so that bounds cannot overflow; the value itself fits,
/// since the program had it in an `int`.
fn operand(expression: &AstExpr) -> String {
    match expression {
        AstExpr::Int(value) if !value.is_negative() => value.to_string(),
        AstExpr::Id(name) => format!("(int) {name}"),
        _ => format!("(int) ({expression})"),
    }
}
