//! Quasi-affine expressions as C text, over names that the caller gives.
use loopwright_presburger::{Aff, BasicSet, Budget, Int, Local, PwAff, Result, Row, Set};

/// The C text of an expression where it is defined: an operand (a name, a number, or in parentheses).
///
/// `names` are those of the parameters, then of the dimensions. Quotients are rounded down with the
/// operators of C, so the text needs no helper.
pub(crate) fn pw_aff_text(value: &PwAff, names: &[String], budget: &Budget) -> Result<String> {
    let Some(((_, last), conditional)) = value.pieces().split_last() else {
        return Ok("0".to_string());
    };
    let mut text = String::new();
    for (domain, aff) in conditional {
        let condition = condition_text(domain, names, budget)?;
        text.push_str(&format!("{condition} ? {} : ", aff_text(aff, names)));
    }
    text.push_str(&aff_text(last, names));
    Ok(operand(text))
}

/// The text in parentheses, unless it is a name or a number.
pub(crate) fn operand(text: String) -> String {
    let is_word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word { text } else { format!("({text})") }
}

/// The C condition of a set.
pub(crate) fn condition_text(set: &Set, names: &[String], budget: &Budget) -> Result<String> {
    let explicit = set.make_locals_explicit(budget)?;
    let parts: Vec<String> =
        explicit.basic_sets().iter().map(|basic| conjunction(basic, names)).collect();
    Ok(match parts.as_slice() {
        [] => "0".to_string(),
        _ => format!("({})", parts.join(" || ")),
    })
}

fn conjunction(basic: &BasicSet, names: &[String]) -> String {
    let columns = columns(names, basic.locals());
    let equalities = basic.equalities().iter().map(|row| format!("{} == 0", linear(row, &columns)));
    let bounds = basic.inequalities().iter().map(|row| format!("{} >= 0", linear(row, &columns)));
    let parts: Vec<String> = equalities.chain(bounds).collect();
    if parts.is_empty() { "1".to_string() } else { format!("({})", parts.join(" && ")) }
}

/// The text of each column, without that of the constant.
fn columns(names: &[String], locals: &[Local]) -> Vec<String> {
    let mut columns = names.to_vec();
    for local in locals {
        columns.push(match local {
            Local::Floor { numerator, denominator } => {
                floor(&linear(numerator, &columns), denominator)
            }
            Local::Unknown => "0".to_string(),
        });
    }
    columns
}

fn aff_text(aff: &Aff, names: &[String]) -> String {
    let form = linear(aff.row(), &columns(names, aff.locals()));
    if aff.denominator().is_one() { form } else { floor(&form, aff.denominator()) }
}

/// The quotient rounded down; C rounds towards zero.
fn floor(dividend: &str, divisor: &Int) -> String {
    format!(
        "(({dividend}) >= 0 ? ({dividend}) / {divisor} : -((-({dividend}) + {divisor} - 1) / {divisor}))"
    )
}

/// `2 * i - n + 1`; `0` for the zero row.
fn linear(row: &Row, columns: &[String]) -> String {
    let mut text = String::new();
    for column in (1..row.len().min(columns.len() + 1)).chain([0]) {
        let coefficient = row.get(column);
        if coefficient.is_zero() {
            continue;
        }
        let sign = match (text.is_empty(), coefficient.is_negative()) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        let size = coefficient.abs();
        match (column, size.is_one()) {
            (0, _) => text.push_str(&size.to_string()),
            (_, true) => text.push_str(&columns[column - 1]),
            _ => text.push_str(&format!("{size} * {}", columns[column - 1])),
        }
    }
    if text.is_empty() { "0".to_string() } else { text }
}
