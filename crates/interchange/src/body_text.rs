//! The body of a statement as C text over the iterators of the source loops.
use crate::affine_text::pw_aff_text;
use loopwright_presburger::{Budget, DimKind, PwAff, Result};
use loopwright_scop::{BodyPiece, Statement};

/// The names of the iterators, one per dimension of the statement: made up where the model has none.
pub(crate) fn iterator_names(statement: &Statement) -> Vec<String> {
    let named = statement.iterators.iter().map(|name| name.to_string());
    let made = (statement.iterators.len()..statement.domain.n_dims()).map(|d| format!("i{d}"));
    named.chain(made).take(statement.domain.n_dims()).collect()
}

/// The text of a body, without semicolon.
pub(crate) fn body_text(statement: &Statement, budget: &Budget) -> Result<String> {
    let iterators = iterator_names(statement);
    let mut text = String::new();
    for piece in statement.body.pieces() {
        match piece {
            BodyPiece::Hidden(_) => {}
            BodyPiece::Text(part) => text.push_str(&part),
            BodyPiece::Affine(value) => {
                text.push_str(&value_text(&value, &iterators, budget)?);
            }
            BodyPiece::Element(element) => {
                let mut values = Vec::with_capacity(element.subscripts.len());
                for subscript in &element.subscripts {
                    let value = value_text(subscript, &iterators, budget)?;
                    values.push(without_parentheses(&value).to_string());
                }
                text.push_str(&element.base.with(&values));
            }
        }
    }
    Ok(text)
}

/// The C text of an expression over the domain of a statement with these iterators.
pub(crate) fn value_text(value: &PwAff, iterators: &[String], budget: &Budget) -> Result<String> {
    let space = value.domain_space();
    let mut names: Vec<String> = space.param_names().iter().map(|name| name.to_string()).collect();
    names.extend(iterators.iter().take(space.n(DimKind::Out)).cloned());
    pw_aff_text(value, &names, budget)
}

/// The text without parentheses around the whole of it.
fn without_parentheses(text: &str) -> &str {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    match inside {
        Some(inside) if is_balanced(inside) => inside,
        _ => text,
    }
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0i64;
    let never_below = text.chars().all(|c| {
        depth += i64::from(c == '(') - i64::from(c == ')');
        depth >= 0
    });
    never_below && depth == 0
}
