//! Statement bodies with their subscripts and iterators written for the place where they stand.
use crate::helpers::Lowering;
use loopwright_astgen::{AstExpr, Place};
use loopwright_presburger::Result;
use loopwright_scop::{BodyPiece, Statement};

/// The text of a statement's body at `place`, without the final semicolon.
pub(crate) fn body_text(
    statement: &Statement,
    place: &Place,
    lowering: &mut Lowering,
) -> Result<String> {
    let mut text = String::new();
    for piece in &statement.body {
        match piece {
            BodyPiece::Text(piece) => text.push_str(piece),
            BodyPiece::Expression(expression) => {
                let expression = lowering.lower(&place.expression(expression)?);
                text.push_str(&operand(&expression));
            }
            BodyPiece::Element { base, subscripts, .. } => {
                text.push_str(base);
                for subscript in subscripts {
                    let subscript = lowering.lower(&place.expression(subscript)?);
                    text.push_str(&format!("[{subscript}]"));
                }
            }
        }
    }
    Ok(text)
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
