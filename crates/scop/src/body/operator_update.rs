//! Updates of one element by one operator, wherever the element is: `X op= value`, `X++`, `X = X op value`.
use super::operator::{
    ArithmeticOperator, AssignmentOperator, BinaryOperator, PostfixOperator, UnaryOperator,
};
use super::term::{Term, TermKind};
use super::{Body, BodyPiece};
use crate::ids::ArrayId;
use std::borrow::Cow;

/// The part of a body that updates one element, perhaps under conditions: it combines the element with a
/// value that does not mention the element's array. Subscripts of the element may depend on data.
///
/// ```
/// use loopwright_scop::{ArithmeticOperator, Body, BodyPiece, Element};
/// # use loopwright_scop::ArrayId;
/// let h = BodyPiece::element(Element::new("h", ArrayId(0), Vec::new()));
/// let a = BodyPiece::element(Element::new("a", ArrayId(1), Vec::new()));
/// let body = Body::read([h, BodyPiece::text("["), a, BodyPiece::text("]++")]);
/// let update = body.operator_update().unwrap();
/// assert_eq!(update.operator, ArithmeticOperator::Add);
/// assert!(update.depends_on_data());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OperatorUpdate<'a> {
    /// The element.
    pub target: &'a Term,
    /// Its array.
    pub array: ArrayId,
    /// The operator.
    pub operator: ArithmeticOperator,
    /// The value that the element is combined with; none if it is 1.
    pub value: Option<&'a Term>,
    term: &'a Term,
}

/// A piece of a body with the term that it is a part of, as of [`Body::for_each_piece`].
pub type PlacedPiece<'a> = (BodyPiece<'a>, Option<&'a Term>);

/// The text of an update in pieces.
#[derive(Clone, Debug, Default)]
pub struct UpdatePieces<'a> {
    /// What is in front of the update: conditions.
    pub before: Vec<PlacedPiece<'a>>,
    /// The element.
    pub target: Vec<PlacedPiece<'a>>,
    /// The value that it is combined with.
    pub value: Vec<PlacedPiece<'a>>,
    /// What is behind the update.
    pub after: Vec<PlacedPiece<'a>>,
}

impl Body {
    /// The update of one element by one operator that the body is; none if it is something else, or mentions
    /// the element's array again.
    ///
    /// *Cost.* Linear in the text.
    pub fn operator_update(&self) -> Option<OperatorUpdate<'_>> {
        let root = self.root()?;
        let found = update_of(innermost(root))?;
        let is_array = |term: &Term| term.as_element().is_some_and(|own| own.array == found.array);
        let mut mentioned = 0;
        root.for_each(&mut |term| mentioned += usize::from(is_array(term)));
        let is_once = mentioned == 1 + usize::from(is_plain(found.term));
        (is_once && !self.hidden().contains(&found.array)).then_some(found)
    }
}

impl<'a> OperatorUpdate<'a> {
    /// Whether data decide which element it is.
    pub fn depends_on_data(&self) -> bool {
        *self.target.kind() == TermKind::Subscript
    }

    /// The text of the body that it is the update of, in pieces.
    pub fn pieces(&self, body: &'a Body) -> UpdatePieces<'a> {
        let mut pieces = UpdatePieces::default();
        let mut is_behind = false;
        if let Some(root) = body.root() {
            self.split(root, None, &mut is_behind, &mut pieces);
        }
        let mut target = |piece, around| pieces.target.push((piece, around));
        self.target.for_each_piece(&mut target);
        match self.value {
            Some(value) => {
                value.for_each_piece(&mut |piece, around| pieces.value.push((piece, around)));
            }
            None => pieces.value.push((BodyPiece::text("1"), None)),
        }
        pieces
    }

    fn split(
        &self,
        term: &'a Term,
        around: Option<&'a Term>,
        is_behind: &mut bool,
        pieces: &mut UpdatePieces<'a>,
    ) {
        if std::ptr::eq(term, self.term) {
            *is_behind = true;
            return;
        }
        let side = |is_behind: bool, pieces: &mut UpdatePieces<'a>, piece: PlacedPiece<'a>| {
            let list = if is_behind { &mut pieces.after } else { &mut pieces.before };
            list.push(piece);
        };
        if term.texts().is_empty() {
            term.for_each_piece(&mut |piece, _| side(*is_behind, pieces, (piece, around)));
            return;
        }
        for (position, text) in term.texts().iter().enumerate() {
            if !text.is_empty() {
                let piece = BodyPiece::Text(Cow::Borrowed(text.as_str()));
                side(*is_behind, pieces, (piece, Some(term)));
            }
            if let Some(child) = term.children().get(position) {
                self.split(child, Some(term), is_behind, pieces);
            }
        }
    }
}

/// The statement below braces and conditions.
fn innermost(term: &Term) -> &Term {
    match (term.kind(), term.children()) {
        (TermKind::Block | TermKind::Statement, [only]) => innermost(only),
        (TermKind::If, [_, then]) => innermost(then),
        _ => term,
    }
}

/// Whether an update names its element twice: `X = X op value`.
fn is_plain(term: &Term) -> bool {
    matches!(term.kind(), TermKind::Assignment(AssignmentOperator::Set))
}

/// The array of a variable or an element.
fn array_of(term: &Term) -> Option<ArrayId> {
    match (term.kind(), term.children()) {
        (TermKind::Subscript, [array, ..]) => Some(array.as_element()?.array),
        _ => Some(term.as_element()?.array),
    }
}

fn update_of(term: &Term) -> Option<OperatorUpdate<'_>> {
    use ArithmeticOperator as A;
    if let Some((assignment, target, value)) = term.as_assignment() {
        let array = array_of(target)?;
        let (operator, value) = match assignment {
            AssignmentOperator::Update(operator) => (operator, value),
            AssignmentOperator::Set => {
                let (BinaryOperator::Arithmetic(operator), left, right) =
                    value.without_parentheses().as_binary()?
                else {
                    return None;
                };
                let may_be_second =
                    matches!(operator, A::Add | A::Multiply | A::And | A::Or | A::ExclusiveOr);
                match () {
                    () if left.is_alike(target) => (operator, right),
                    () if may_be_second && right.is_alike(target) => (operator, left),
                    () => return None,
                }
            }
        };
        return Some(OperatorUpdate { target, array, operator, value: Some(value), term });
    }
    let operator = match term.kind() {
        TermKind::Postfix(PostfixOperator::Increment)
        | TermKind::Unary(UnaryOperator::Increment) => A::Add,
        TermKind::Postfix(PostfixOperator::Decrement)
        | TermKind::Unary(UnaryOperator::Decrement) => A::Subtract,
        _ => return None,
    };
    let [target] = term.children() else { return None };
    let target = target.without_parentheses();
    Some(OperatorUpdate { target, array: array_of(target)?, operator, value: None, term })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Element;

    fn element(name: &str, id: u32) -> BodyPiece<'static> {
        BodyPiece::element(Element::new(name, ArrayId(id), Vec::new()))
    }

    fn text_of(pieces: &[PlacedPiece<'_>]) -> String {
        let text = |piece: &PlacedPiece<'_>| match &piece.0 {
            BodyPiece::Text(text) => text.to_string(),
            BodyPiece::Element(element) => element.base.with(&[]),
            _ => "?".to_string(),
        };
        pieces.iter().map(text).collect()
    }

    #[test]
    fn pieces_are_those_around_the_element_and_the_value() {
        let body = Body::read([
            BodyPiece::text("if ("),
            element("c", 2),
            BodyPiece::text(" > 0) { "),
            element("h", 0),
            BodyPiece::text("["),
            element("a", 1),
            BodyPiece::text("] -= 2 * "),
            element("w", 3),
            BodyPiece::text("; }"),
        ]);
        let update = body.operator_update().unwrap();
        assert_eq!((update.array, update.operator), (ArrayId(0), ArithmeticOperator::Subtract));
        let pieces = update.pieces(&body);
        assert_eq!(text_of(&pieces.before), "if (c > 0) { ");
        assert_eq!(text_of(&pieces.target), "h[a]");
        assert_eq!(text_of(&pieces.value), "2 * w");
        assert_eq!(text_of(&pieces.after), "; }");
    }

    #[test]
    fn the_array_is_not_mentioned_again() {
        let h = || element("h", 0);
        let subscript = Body::read([h(), BodyPiece::text("["), h(), BodyPiece::text("]++")]);
        assert!(subscript.operator_update().is_none());
        let plain = [h(), BodyPiece::text("["), element("a", 1), BodyPiece::text("] = ")];
        let again = [h(), BodyPiece::text("["), element("a", 1), BodyPiece::text("] + 1")];
        let update = Body::read(plain.iter().cloned().chain(again.iter().cloned()));
        assert!(update.operator_update().is_some());
        let other = [h(), BodyPiece::text("["), element("b", 4), BodyPiece::text("] + 1")];
        assert!(Body::read(plain.into_iter().chain(other)).operator_update().is_none());
    }
}
