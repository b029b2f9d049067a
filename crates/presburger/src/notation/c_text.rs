//! Piecewise expressions as C expressions.
//!
//! The pieces become conditional expressions, the last piece being the rest: outside of its domain
//! the C expression has some value. `floord(a, b)` is the quotient rounded down.
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::{Error, Result};
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::functions::aff::Aff;
use crate::functions::piecewise::PwAff;
use crate::notation::expression_text::column_names;
use loopwright_exact::{Int, Row};

/// The C text of a piecewise expression.
pub(super) fn pw_aff(function: &PwAff, budget: &Budget) -> Result<String> {
    let names = column_names(&function.space);
    let Some(((_, last), conditional)) = function.pieces.split_last() else {
        return Err(Error::Invalid {
            operation: "print as C",
            reason: "the expression is defined nowhere".to_owned(),
        });
    };
    let mut text = String::new();
    for (domain, aff) in conditional {
        text.push_str(&format!("{} ? {} : ", set(domain, &names, budget)?, aff_text(aff, &names)?));
    }
    text.push_str(&aff_text(last, &names)?);
    Ok(text)
}

/// The C condition of a set: `(0 <= i && i < n) || ...`.
pub(super) fn set(set: &Set, names: &[String], budget: &Budget) -> Result<String> {
    let explicit = set.make_locals_explicit(budget)?;
    let basics = explicit.basic_sets();
    let conditions: Vec<String> = basics.iter().map(|basic| condition(basic, names)).collect();
    Ok(match conditions.as_slice() {
        [] => "0".to_owned(),
        [single] => single.clone(),
        several => {
            let parts: Vec<String> = several.iter().map(|part| format!("({part})")).collect();
            parts.join(" || ")
        }
    })
}

fn condition(basic: &BasicSet, names: &[String]) -> String {
    if basic.plain_is_empty() {
        return "0".to_owned();
    }
    let columns = columns(names, basic.locals());
    let constraint =
        |(row, comparison): (&Row, &str)| format!("{} {comparison} 0", linear(row, &columns));
    let equalities = basic.equalities().iter().map(|row| (row, "=="));
    let inequalities = basic.inequalities().iter().map(|row| (row, ">="));
    let parts: Vec<String> = equalities.chain(inequalities).map(constraint).collect();
    if parts.is_empty() { "1".to_owned() } else { parts.join(" && ") }
}

/// The C text of each column; floors are calls.
fn columns(names: &[String], locals: &[Local]) -> Vec<String> {
    let mut columns = names.to_vec();
    for local in locals {
        columns.push(match local {
            Local::Floor { numerator, denominator } => {
                format!("floord({}, {denominator})", linear(numerator, &columns))
            }
            Local::Unknown => "0".to_owned(),
        });
    }
    columns
}

fn aff_text(aff: &Aff, names: &[String]) -> Result<String> {
    if aff.is_nan() {
        return Err(Error::Invalid {
            operation: "print as C",
            reason: "a piece is not a number".to_owned(),
        });
    }
    let form = linear(aff.row(), &columns(names, aff.locals()));
    Ok(match aff.denominator().is_one() {
        true => form,
        false => format!("({form}) / {}", aff.denominator()),
    })
}

/// `2 * i - n + 1`; `0` for the zero row.
fn linear(row: &Row, columns: &[String]) -> String {
    let mut text = String::new();
    let terms = (1..row.len().min(columns.len())).chain([0]);
    for column in terms.filter(|&column| !row.is_zero_at(column)) {
        let coefficient = row.get(column);
        let sign = match (text.is_empty(), coefficient.is_negative()) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        let magnitude: Int = coefficient.abs();
        match (column, magnitude.is_one()) {
            (0, _) => text.push_str(&magnitude.to_string()),
            (_, true) => text.push_str(&columns[column]),
            (_, false) => text.push_str(&format!("{magnitude} * {}", columns[column])),
        }
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// The names of the columns of a set.
pub(super) fn names(set: &Set) -> Vec<String> {
    debug_assert_eq!(set.n(DimKind::In), 0);
    column_names(set.space())
}
