//! The number of iterations of a loop of a multifor statement as C.
use super::renaming::with_names;
use loopwright_cfront::{MultiforExpression, MultiforLoop, MultiforRelation};

/// The number of iterations; what is not positive means none.
pub(crate) fn trip_count(each: &MultiforLoop) -> String {
    let MultiforLoop { first, bound, relation, step, .. } = each;
    let (first, bound) = (wide(first), wide(bound));
    let (way, one) = match relation {
        MultiforRelation::Less => (format!("{bound} - {first}"), 0),
        MultiforRelation::LessEqual => (format!("{bound} - {first}"), 1),
        MultiforRelation::Greater => (format!("{first} - {bound}"), 0),
        MultiforRelation::GreaterEqual => (format!("{first} - {bound}"), 1),
    };
    let step = i128::from(*step).abs();
    let more = step - 1 + one;
    let way = if more == 0 { way } else { format!("{way} + {more}") };
    if step == 1 { way } else { format!("({way}) / {step}") }
}

/// The value of the index in an iteration of a number, as a `long`.
pub(crate) fn index_value(each: &MultiforLoop, number: &str) -> String {
    format!("{} + {}L * {number}", wide(&each.first), each.step)
}

/// An expression as an operand in C, in a `long`.
fn wide(expression: &MultiforExpression) -> String {
    match expression {
        MultiforExpression::Int(value) if *value >= 0 => format!("{value}L"),
        MultiforExpression::Name(name) => format!("(long) {name}"),
        other => format!("(0L + {})", with_names(other, &|name| format!("(long) {name}"))),
    }
}
