//! Other names in the heads of multifor statements.
use loopwright_cfront::{MultiforExpression, MultiforItem, MultiforSyntax};
use std::collections::BTreeMap;

/// The statement with other names for symbolic constants.
pub(crate) fn renamed(syntax: &MultiforSyntax, names: &BTreeMap<String, String>) -> MultiforSyntax {
    let new_name = |name: &str| names.get(name).map_or(name, String::as_str).to_string();
    let mut syntax = syntax.clone();
    for each in &mut syntax.loops {
        each.first = with_names(&each.first, &new_name);
        each.bound = with_names(&each.bound, &new_name);
    }
    for item in &mut syntax.items {
        if let MultiforItem::Inner(inner) = item {
            *inner = renamed(inner, names);
        }
    }
    syntax
}

/// The expression with other texts in place of its names.
pub(crate) fn with_names(
    expression: &MultiforExpression,
    text: &dyn Fn(&str) -> String,
) -> MultiforExpression {
    use MultiforExpression::*;
    let part = |e: &MultiforExpression| Box::new(with_names(e, text));
    match expression {
        Int(value) => Int(*value),
        Name(name) => Name(text(name)),
        Neg(a) => Neg(part(a)),
        Add(a, b) => Add(part(a), part(b)),
        Sub(a, b) => Sub(part(a), part(b)),
        Mul(a, b) => Mul(part(a), part(b)),
        Div(a, b) => Div(part(a), part(b)),
        Rem(a, b) => Rem(part(a), part(b)),
    }
}
