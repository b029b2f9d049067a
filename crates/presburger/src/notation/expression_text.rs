//! Names of columns, and linear forms as text.
use crate::core::constraint::Local;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Tuple;
use loopwright_exact::{Int, Row};
use std::borrow::Cow;

/// The names of the columns `[constant | parameters | in | out]`, all different.
///
/// Dimensions without a name (or with one that is taken or a keyword) get one from their kind and
/// position: `i0` for inputs and sets, `o0` for outputs; primes make them unique.
pub(super) fn column_names(space: &Space) -> Vec<String> {
    let mut names = vec![String::new()];
    names.extend(space.param_names().iter().map(|name| quoted(name).into_owned()));
    let output_letter = if space.is_map() { 'o' } else { 'i' };
    for (tuple, letter) in [(space.input(), 'i'), (space.output(), output_letter)] {
        let own = tuple.map(Tuple::dim_names).unwrap_or_default();
        for (position, name) in own.iter().enumerate() {
            let given = name.as_ref().map(|n| n.trim_end_matches('\'').to_owned());
            let name = given.unwrap_or_else(|| format!("{letter}{position}"));
            names.push(quoted(&unique(name, &names)).into_owned());
        }
    }
    names
}

/// The name, in quotes if it is not made of letters, digits, underscores and primes.
pub(super) fn quoted(name: &str) -> Cow<'_, str> {
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match starts && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'') {
        true => Cow::Borrowed(name),
        false => Cow::Owned(format!("\"{name}\"")),
    }
}

/// The name, with as many primes as make it different from all others.
pub(super) fn unique(mut name: String, taken: &[String]) -> String {
    while taken.contains(&name) || super::lexer::keyword(&name).is_some() {
        name.push('\'');
    }
    name
}

/// The text of each column: a name, or a floor written out.
pub(super) struct Columns {
    texts: Vec<String>,
    first_local: usize,
    /// Whether a local is written as an expression, and not as a name.
    is_floor: Vec<bool>,
}

impl Columns {
    /// The columns of `names` followed by those of `locals`; unknown locals are called `e0`, `e1`.
    pub(super) fn new(names: &[String], locals: &[Local]) -> Self {
        let mut columns =
            Columns { texts: names.to_vec(), first_local: names.len(), is_floor: Vec::new() };
        let mut n_unknown = 0;
        for local in locals {
            let text = match local {
                Local::Unknown => {
                    n_unknown += 1;
                    unique(format!("e{}", n_unknown - 1), &columns.texts)
                }
                Local::Floor { numerator, denominator } => {
                    format!("floor(({})/{denominator})", columns.linear(numerator))
                }
            };
            columns.is_floor.push(matches!(local, Local::Floor { .. }));
            columns.texts.push(text);
        }
        columns
    }

    /// The text of a column.
    pub(super) fn text(&self, column: usize) -> &str {
        &self.texts[column]
    }

    /// A linear form: `1 + n - 2i + 3*floor((j)/4)`; `0` for the zero row.
    ///
    /// Columns beyond the known ones must be zero.
    pub(super) fn linear(&self, row: &Row) -> String {
        let mut text = String::new();
        for (column, coefficient) in row.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            let sign = match (text.is_empty(), coefficient.is_negative()) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            text.push_str(&self.term(column, &coefficient.abs()));
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    /// A positive multiple of a column.
    pub(super) fn term(&self, column: usize, coefficient: &Int) -> String {
        if column == 0 {
            return coefficient.to_string();
        }
        let text = self.text(column);
        if coefficient.is_one() {
            return text.to_owned();
        }
        let is_floor = column >= self.first_local && self.is_floor[column - self.first_local];
        format!("{coefficient}{}{text}", if is_floor { "*" } else { "" })
    }
}

/// `Name[a, b]`, with one text per dimension, nested tuples in their brackets.
pub(super) fn tuple_text(tuple: &Tuple, elements: &[String]) -> String {
    let name = tuple.name().map_or(Cow::Borrowed(""), |name| quoted(name));
    match tuple.as_nested() {
        None => format!("{name}[{}]", elements.join(", ")),
        Some((input, output)) => {
            let (first, second) = elements.split_at(input.n_dims());
            format!("{name}[{} -> {}]", tuple_text(input, first), tuple_text(output, second))
        }
    }
}

/// `A[..] -> B[..]`, `B[..]` or nothing, with one text per dimension.
pub(super) fn tuples_text(space: &Space, elements: &[String]) -> String {
    let (input, output) = elements.split_at(space.n(DimKind::In));
    match (space.input(), space.output()) {
        (Some(a), Some(b)) => format!("{} -> {}", tuple_text(a, input), tuple_text(b, output)),
        (None, Some(b)) => tuple_text(b, output),
        _ => String::new(),
    }
}

/// `[n, m] -> `, or nothing without parameters.
pub(super) fn parameters_text(space: &Space) -> String {
    match space.param_names() {
        [] => String::new(),
        names => {
            let names: Vec<_> = names.iter().map(|name| quoted(name)).collect();
            format!("[{}] -> ", names.join(", "))
        }
    }
}
