//! Variables that texts of other tools use in other ways than by whole elements.
//!
//! The code that is made of a model may keep an element in a local variable while all its uses are elements
//! of bodies. In a text that was only read by its tokens, `&A[i]`, `A[i].x`, `A[i]` of a matrix and `A` alone
//! are further ways to the same memory. Elements of such variables become text with expressions, which is
//! printed as it is.
use loopwright_scop::body::tokens::{TokenKind, tokens};
use loopwright_scop::{Array, Body, BodyPiece, Statement, Term, TermKind, UnaryOperator};
use std::collections::BTreeSet;

/// Replaces the elements of variables that are not only used by elements.
pub(crate) fn keep_in_memory(statements: &mut [Statement], arrays: &[Array]) {
    let used: BTreeSet<usize> =
        statements.iter().flat_map(|statement| other_uses(&statement.body, arrays)).collect();
    if used.is_empty() {
        return;
    }
    for statement in statements {
        let mut pieces = Vec::new();
        for piece in statement.body.pieces() {
            match piece {
                BodyPiece::Element(element)
                    if used.contains(&(element.array.0 as usize))
                        && element.base.parts().1.is_empty() =>
                {
                    pieces.push(BodyPiece::text(element.base.parts().0));
                    for subscript in &element.subscripts {
                        pieces.push(BodyPiece::text("["));
                        pieces.push(BodyPiece::affine(subscript.clone()));
                        pieces.push(BodyPiece::text("]"));
                    }
                }
                piece => pieces.push(piece),
            }
        }
        statement.body = Body::read(pieces);
    }
}

/// The variables that stand in the text between the elements, whose address is taken, or of whose elements a
/// part is used.
fn other_uses(body: &Body, arrays: &[Array]) -> Vec<usize> {
    let mut found = Vec::new();
    for piece in body.pieces() {
        if let BodyPiece::Text(text) = piece {
            let words = tokens(&text).into_iter().filter(|token| token.kind == TokenKind::Word);
            let array = |word: &str| arrays.iter().position(|array| &*array.name == word);
            found.extend(words.filter_map(|token| array(token.text)));
        }
    }
    if let Some(root) = body.root() {
        root.for_each(&mut |term| found.extend(partly_used(term)));
    }
    found
}

/// The variables directly in a term that uses their addresses or parts of their elements, or may do so: a
/// term without structure that has such operators next to them.
fn partly_used(term: &Term) -> Vec<usize> {
    let elements = |children: &[Term]| -> Vec<usize> {
        let elements = children.iter().filter_map(Term::as_element);
        elements.map(|element| element.array.0 as usize).collect()
    };
    match (term.kind(), term.children()) {
        (TermKind::Unary(UnaryOperator::AddressOf) | TermKind::Member, children) => {
            elements(children)
        }
        (TermKind::Subscript, [array, ..]) => elements(std::slice::from_ref(array)),
        (TermKind::Opaque, children) => {
            let beside = |position: usize| (&term.texts()[position], &term.texts()[position + 1]);
            let is_part = |position: usize| {
                let (before, after) = beside(position);
                let (before, after) = (before.trim_end(), after.trim_start());
                before.ends_with('&') && !before.ends_with("&&")
                    || [".", "->", "["].iter().any(|start| after.starts_with(start))
            };
            let parts = children.iter().enumerate().filter(|(position, _)| is_part(*position));
            let elements = parts.filter_map(|(_, child)| child.as_element());
            elements.map(|element| element.array.0 as usize).collect()
        }
        _ => Vec::new(),
    }
}
