//! Expressions and conditions over the iterators of a statement, in isl's notation.
use crate::error::EditError;
use crate::mapping::MappedPiece;
use loopwright_presburger::{Aff, Error, PwAff, Set};

/// The expression with the given text.
pub(crate) fn expression(piece: &MappedPiece, text: &str) -> Result<Aff, EditError> {
    let refuse = |reason: String| {
        EditError::refused(format!(
            "`{text}` is not a quasi-affine expression over the iterators {} of {}: {reason}",
            iterators(piece),
            piece.label
        ))
    };
    check(text).map_err(|reason| refuse(reason.to_string()))?;
    let parsed = PwAff::parse(&format!("{} -> [({text})] }}", tuple(piece)));
    match parsed.map_err(|error| refuse(reason(&error)))?.pieces() {
        [(_, aff)] => Ok(aff.clone()),
        _ => Err(refuse("it has several cases".to_string())),
    }
}

/// The instances for which the condition with the given text holds.
pub(crate) fn condition(piece: &MappedPiece, text: &str) -> Result<Set, EditError> {
    let refuse = |reason: String| {
        EditError::refused(format!(
            "`{text}` is not a condition over the iterators {} of {}: {reason}",
            iterators(piece),
            piece.label
        ))
    };
    check(text).map_err(|reason| refuse(reason.to_string()))?;
    Set::parse(&format!("{} : {text} }}", tuple(piece))).map_err(|error| refuse(reason(&error)))
}

/// What is wrong with a text, without the place in the text around it.
fn reason(error: &Error) -> String {
    let text = error.to_string();
    text.split_once(": ").map_or(text.clone(), |(_, reason)| reason.to_string())
}

/// Braces and semicolons would be read as something else than a part of the text.
fn check(text: &str) -> Result<(), &'static str> {
    match text.contains(['{', '}', ';']) {
        true => Err("braces and semicolons are not allowed"),
        false => Ok(()),
    }
}

fn iterators(piece: &MappedPiece) -> String {
    let names: Vec<&str> = piece.iterators.iter().map(|name| &**name).collect();
    format!("[{}]", names.join(", "))
}

/// `[n] -> { S[i, j]`.
fn tuple(piece: &MappedPiece) -> String {
    let space = piece.domain.space();
    let params: Vec<&str> = space.param_names().iter().map(|name| &**name).collect();
    let name = space.output().and_then(|tuple| tuple.name().cloned());
    let name = name.as_deref().unwrap_or_default();
    format!("[{}] -> {{ {name}{}", params.join(", "), iterators(piece))
}
