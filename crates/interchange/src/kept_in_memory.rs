//! Variables that texts of other tools use in other ways than by whole elements.
//!
//! The code that is made of a model may keep an element in a local variable while all its uses are elements of
//! bodies. In a text that was only read by its tokens, `&A[i]`, `A[i].x`, `A[i]` of a matrix and `A` alone are further ways
//! to the same memory. Elements of such variables become text with expressions, which is printed as it is.
use crate::c_tokens::{TokenKind, tokens};
use loopwright_scop::{Array, BodyPiece, Statement};
use std::collections::BTreeSet;

/// Replaces the elements of variables that are not only used by elements.
pub(crate) fn keep_in_memory(statements: &mut [Statement], arrays: &[Array]) {
    let used: BTreeSet<usize> =
        statements.iter().flat_map(|statement| other_uses(&statement.body, arrays)).collect();
    if used.is_empty() {
        return;
    }
    for statement in statements {
        let body = std::mem::take(&mut statement.body);
        for piece in body {
            match piece {
                BodyPiece::Element { base, array, subscripts }
                    if used.contains(&(array.0 as usize)) && base.parts().1.is_empty() =>
                {
                    push_text(&mut statement.body, base.parts().0);
                    for subscript in subscripts {
                        push_text(&mut statement.body, "[");
                        statement.body.push(BodyPiece::Expression(subscript));
                        push_text(&mut statement.body, "]");
                    }
                }
                BodyPiece::Text(text) => push_text(&mut statement.body, &text),
                other => statement.body.push(other),
            }
        }
    }
}

fn push_text(body: &mut Vec<BodyPiece>, text: &str) {
    match body.last_mut() {
        Some(BodyPiece::Text(last)) => last.push_str(text),
        _ => body.push(BodyPiece::Text(text.to_string())),
    }
}

/// The variables that stand in the text between the elements, whose address is taken, or of whose elements a
/// part is used.
fn other_uses(body: &[BodyPiece], arrays: &[Array]) -> Vec<usize> {
    let mut found = Vec::new();
    for (position, piece) in body.iter().enumerate() {
        match piece {
            BodyPiece::Text(text) => {
                let words = tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word);
                let array = |word: &str| arrays.iter().position(|array| &*array.name == word);
                found.extend(words.filter_map(|token| array(token.text)));
            }
            BodyPiece::Element { array, .. } => {
                let text = |piece: Option<&BodyPiece>| match piece {
                    Some(BodyPiece::Text(text)) => text.trim().to_string(),
                    _ => String::new(),
                };
                let before = text(position.checked_sub(1).and_then(|p| body.get(p)));
                let after = text(body.get(position + 1));
                let is_address = before.ends_with('&') && !before.ends_with("&&");
                let is_part = [".", "->", "["].iter().any(|start| after.starts_with(start));
                if is_address || is_part {
                    found.push(array.0 as usize);
                }
            }
            BodyPiece::Expression(_) => {}
        }
    }
    found
}
