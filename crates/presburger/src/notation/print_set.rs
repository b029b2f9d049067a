//! Sets and relations as text.
//!
//! A basic relation is printed as its tuples and a condition. An output dimension (or the
//! dimension of a set) that an equality expresses by what stands before it is printed as that
//! expression. Of the other constraints, bounds of the same multiple of a dimension are joined into
//! a chain, and equalities that only say what a remainder is are printed with `mod`.
use crate::core::basic_map::BasicMap;
use crate::core::basic_set::BasicSet;
use crate::core::constraint::Local;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::notation::expression_text::{Columns, column_names, parameters_text, tuples_text};
use loopwright_exact::{Int, Row};
use std::fmt;

/// The text of one basic relation: its tuples, and its condition (empty if it always holds).
struct BasicText {
    tuples: String,
    condition: String,
}

/// The rows that are still to be printed, and the dimensions that have become expressions.
struct Remaining<'a> {
    basic: &'a BasicMap,
    equalities: Vec<&'a Row>,
    /// The expressing equality of a dimension column.
    definitions: Vec<Option<&'a Row>>,
}

impl<'a> Remaining<'a> {
    /// Chooses, from the last dimension to the first, the equalities that define dimensions.
    fn new(basic: &'a BasicMap, define: bool) -> Self {
        let end = basic.offset(DimKind::Local);
        let mut remaining = Remaining {
            basic,
            equalities: basic.equalities().iter().collect(),
            definitions: vec![None; end],
        };
        if define {
            for column in (basic.offset(DimKind::In)..end).rev() {
                let defines = |row: &&Row| remaining.defines(row, column);
                if let Some(found) = remaining.equalities.iter().position(defines) {
                    remaining.definitions[column] = Some(remaining.equalities.remove(found));
                }
            }
        }
        remaining
    }

    /// Whether a row says what a column is in terms of earlier ones.
    fn defines(&self, row: &Row, column: usize) -> bool {
        row.get(column).abs().is_one() && self.only_before(row, column, Some(column))
    }

    /// Whether a row uses no dimension from `column` on (but `except`), also not inside floors, and
    /// no unknown local.
    fn only_before(&self, row: &Row, column: usize, except: Option<usize>) -> bool {
        let first_local = self.basic.offset(DimKind::Local);
        (column..row.len()).all(|c| {
            row.is_zero_at(c)
                || Some(c) == except
                || c >= first_local
                    && match &self.basic.locals()[c - first_local] {
                        Local::Unknown => false,
                        Local::Floor { numerator, .. } => self.only_before(numerator, column, None),
                    }
        })
    }

    /// Whether a dimension occurs elsewhere than in its own definition.
    fn is_mentioned(&self, column: usize) -> bool {
        let numerators = self.basic.locals().iter().filter_map(|local| match local {
            Local::Floor { numerator, .. } => Some(numerator),
            Local::Unknown => None,
        });
        let definitions = self.definitions.iter().enumerate();
        let others = definitions.filter(|(c, _)| *c != column).filter_map(|(_, row)| *row);
        let mut rows = self.equalities.iter().copied().chain(self.basic.inequalities());
        rows.any(|row| !row.is_zero_at(column))
            || numerators.chain(others).into_iter().any(|row| !row.is_zero_at(column))
    }

    /// The text of each dimension.
    fn elements(&self, names: &[String], columns: &Columns) -> Vec<String> {
        let has_own_name = |position: usize| {
            let tuples = [self.basic.space().input(), self.basic.space().output()];
            let mut given = tuples.into_iter().flatten().flat_map(|tuple| tuple.dim_names());
            given.nth(position).flatten().is_some()
        };
        let first = self.basic.offset(DimKind::In);
        let element = |column: usize| match self.definitions[column] {
            None => names[column].clone(),
            Some(row) => {
                let value = columns.linear(&without(row, column));
                match has_own_name(column - first) || self.is_mentioned(column) {
                    true => format!("{} = {value}", names[column]),
                    false => value,
                }
            }
        };
        (first..self.basic.offset(DimKind::Local)).map(element).collect()
    }
}

/// The value of a column with coefficient 1 or -1 in a zero row.
fn without(row: &Row, column: usize) -> Row {
    let mut value = row.clone();
    if row.sign(column) > 0 {
        value.negate();
    }
    value.set(column, Int::ZERO);
    value
}

fn basic_text(basic: &BasicMap, names: &[String], define: bool) -> BasicText {
    let columns = Columns::new(names, basic.locals());
    let remaining = Remaining::new(basic, define);
    let tuples = tuples_text(basic.space(), &remaining.elements(names, &columns));
    if basic.plain_is_empty() {
        return BasicText { tuples, condition: "false".to_owned() };
    }
    let printer = ConditionPrinter { basic, columns: &columns, with_mod: true };
    BasicText { tuples, condition: printer.condition(&remaining.equalities) }
}

/// `{ [i] -> [j] : condition }` with nothing but affine constraints and existentials.
pub(super) fn plain_text(basic: &BasicMap) -> String {
    let names = column_names(basic.space());
    let columns = Columns::new(&names, basic.locals());
    let remaining = Remaining::new(basic, false);
    let tuples = tuples_text(basic.space(), &remaining.elements(&names, &columns));
    let printer = ConditionPrinter { basic, columns: &columns, with_mod: false };
    let condition = match basic.plain_is_empty() {
        true => "false".to_owned(),
        false => printer.condition(&remaining.equalities),
    };
    format!("{{ {} }}", joined(&tuples, &condition))
}

/// Prints the constraints of one basic relation.
struct ConditionPrinter<'a> {
    basic: &'a BasicMap,
    columns: &'a Columns,
    /// Whether equalities are printed as remainders where they are some.
    with_mod: bool,
}

/// A bound `lower <= multiple` or `multiple <= upper` of a multiple of a column.
struct Bound {
    column: usize,
    coefficient: Int,
    is_lower: bool,
    /// The comparison sign to print, and the other side.
    is_strict: bool,
    text: String,
}

impl ConditionPrinter<'_> {
    fn condition(&self, equalities: &[&Row]) -> String {
        let mut hidden = vec![false; self.basic.locals().len()];
        let mut parts = Vec::new();
        for row in equalities {
            let remainder = if self.with_mod { self.remainder(row) } else { None };
            parts.push(match remainder {
                Some((text, local)) => {
                    hidden[local] = true;
                    text
                }
                None => self.equality(row),
            });
        }
        let bounds: Vec<Bound> = self.basic.inequalities().iter().map(|r| self.bound(r)).collect();
        parts.extend(self.chains(&bounds));
        let is_quantified =
            |(local, kind): &(usize, &Local)| **kind == Local::Unknown && !hidden[*local];
        let first = self.basic.offset(DimKind::Local);
        let unknowns = self.basic.locals().iter().enumerate().filter(is_quantified);
        let unknowns: Vec<&str> = unknowns.map(|(l, _)| self.columns.text(first + l)).collect();
        match unknowns.as_slice() {
            [] => parts.join(" and "),
            _ if parts.is_empty() => String::new(),
            names => format!("exists ({}: {})", names.join(", "), parts.join(" and ")),
        }
    }

    /// An equality as `(expression) mod m = r`, with the local that it hides, if it says no more.
    fn remainder(&self, row: &Row) -> Option<(String, usize)> {
        let first = self.basic.offset(DimKind::Local);
        let column = row.first_nonzero(first..row.len())?;
        let local = column - first;
        if row.first_nonzero(column + 1..row.len()).is_some() {
            return None;
        }
        match &self.basic.locals()[local] {
            Local::Unknown => {
                let modulus = row.get(column).abs();
                if modulus.is_one() || self.occurrences(column) != 1 {
                    return None;
                }
                let mut form = row.clone();
                form.set(column, Int::ZERO);
                if form.last_nonzero(0..first).is_some_and(|last| form.sign(last) < 0) {
                    form.negate();
                }
                Some((format!("({}) mod {modulus} = 0", self.columns.linear(&form)), local))
            }
            Local::Floor { numerator, denominator } => {
                let coefficient = row.get(column);
                if !coefficient.is_divisible_by(denominator) {
                    return None;
                }
                // row = k * (numerator mod denominator) + rest
                let k = -coefficient.div_exact(denominator);
                let mut rest = row.clone();
                rest.set(column, Int::ZERO);
                rest.add_scaled(&-&k, numerator);
                let constant = rest.get(0);
                if rest.first_nonzero(1..rest.len()).is_some() || !constant.is_divisible_by(&k) {
                    return None;
                }
                let value = -constant.div_exact(&k);
                let form = self.columns.linear(numerator);
                Some((format!("({form}) mod {denominator} = {value}"), local))
            }
        }
    }

    /// In how many rows a column occurs.
    fn occurrences(&self, column: usize) -> usize {
        let numerators = self.basic.locals().iter().filter_map(|local| match local {
            Local::Floor { numerator, .. } => Some(numerator),
            Local::Unknown => None,
        });
        let rows = self.basic.equalities().iter().chain(self.basic.inequalities());
        rows.chain(numerators).filter(|row| !row.is_zero_at(column)).count()
    }

    /// The column that a constraint is about: the last dimension, else parameter, else local.
    fn subject(&self, row: &Row) -> usize {
        let first_local = self.basic.offset(DimKind::Local);
        row.last_nonzero(1..first_local).or_else(|| row.last_nonzero(0..row.len())).unwrap_or(0)
    }

    fn equality(&self, row: &Row) -> String {
        let column = self.subject(row);
        let mut value = row.clone();
        let coefficient = row.get(column);
        value.set(column, Int::ZERO);
        if coefficient.is_positive() {
            value.negate();
        }
        let subject = self.columns.term(column, &coefficient.abs());
        format!("{subject} = {}", self.columns.linear(&value))
    }

    fn bound(&self, row: &Row) -> Bound {
        let column = self.subject(row);
        let coefficient = row.get(column);
        let is_lower = coefficient.is_positive();
        let mut value = row.clone();
        value.set(column, Int::ZERO);
        if is_lower {
            value.negate();
        }
        // x >= 1 + e reads better as x > e, and x <= -1 + e as x < e.
        let step = if is_lower { Int::ONE } else { Int::MINUS_ONE };
        let is_strict = value.get(0) == step && column != 0;
        if is_strict {
            value.set(0, Int::ZERO);
        }
        let text = self.columns.linear(&value);
        Bound { column, coefficient: coefficient.abs(), is_lower, is_strict, text }
    }

    /// Joins each lower bound with an upper bound of the same multiple.
    fn chains(&self, bounds: &[Bound]) -> Vec<String> {
        let sign = |bound: &Bound| match bound.is_strict {
            true => "<",
            false => "<=",
        };
        let mut is_used = vec![false; bounds.len()];
        let mut parts = Vec::with_capacity(bounds.len());
        for (index, bound) in bounds.iter().enumerate() {
            if std::mem::replace(&mut is_used[index], true) {
                continue;
            }
            let subject = match bound.column {
                0 => bound.coefficient.to_string(),
                column => self.columns.term(column, &bound.coefficient),
            };
            let partner = (index + 1..bounds.len()).find(|&other| {
                let other_bound = &bounds[other];
                !is_used[other]
                    && other_bound.column == bound.column
                    && other_bound.coefficient == bound.coefficient
                    && other_bound.is_lower != bound.is_lower
            });
            if let Some(partner) = partner {
                is_used[partner] = true;
                let (low, high) = match bound.is_lower {
                    true => (bound, &bounds[partner]),
                    false => (&bounds[partner], bound),
                };
                let (less, more) = (sign(low), sign(high));
                parts.push(format!("{} {less} {subject} {more} {}", low.text, high.text));
            } else {
                let comparison = match (bound.is_lower, bound.is_strict) {
                    (true, true) => ">",
                    (true, false) => ">=",
                    (false, true) => "<",
                    (false, false) => "<=",
                };
                parts.push(format!("{subject} {comparison} {}", bound.text));
            }
        }
        parts
    }
}

/// The parts between semicolons for a union of basic relations in one space: those with the same
/// tuple text share it, their conditions joined by `or`.
fn items(space: &Space, basics: &[BasicMap]) -> Vec<String> {
    let names = column_names(space);
    if basics.is_empty() {
        let empty = BasicMap::empty(space.clone());
        let text = basic_text(&empty, &names, false);
        return vec![joined(&text.tuples, &text.condition)];
    }
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for basic in basics {
        let text = basic_text(basic, &names, true);
        match groups.iter_mut().find(|(tuples, _)| *tuples == text.tuples) {
            Some((_, conditions)) => conditions.push(text.condition),
            None => groups.push((text.tuples, vec![text.condition])),
        }
    }
    groups.iter().map(|(tuples, conditions)| joined(tuples, &disjunction(conditions))).collect()
}

/// Conditions joined by `or`; empty if one of them always holds.
fn disjunction(conditions: &[String]) -> String {
    if conditions.iter().any(String::is_empty) {
        return String::new();
    }
    match conditions {
        [single] => single.clone(),
        _ => {
            let part = |condition: &String| match condition.contains(" and ") {
                true => format!("({condition})"),
                false => condition.clone(),
            };
            conditions.iter().map(part).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn joined(tuples: &str, condition: &str) -> String {
    match (tuples, condition) {
        ("", condition) => format!(": {condition}").trim_end().to_owned(),
        (tuples, "") => tuples.to_owned(),
        (tuples, condition) => format!("{tuples} : {condition}"),
    }
}

/// The condition of a set over the given names of its columns; empty if it always holds.
pub(super) fn condition_text(set: &Set, names: &[String]) -> String {
    if set.0.basics.is_empty() {
        return "false".to_owned();
    }
    let condition = |basic: &BasicMap| basic_text(basic, names, false).condition;
    disjunction(&set.0.basics.iter().map(condition).collect::<Vec<_>>())
}

fn braced(f: &mut fmt::Formatter<'_>, space: &Space, items: &[String]) -> fmt::Result {
    write!(f, "{}{{ {} }}", parameters_text(space), items.join("; "))
}

impl fmt::Display for BasicMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        braced(f, self.space(), &items(self.space(), std::slice::from_ref(self)))
    }
}

impl fmt::Display for BasicSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_basic_map().fmt(f)
    }
}

/// Prints isl's notation; [`Map::parse`] reads it back.
impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        braced(f, &self.space, &items(&self.space, &self.basics))
    }
}

/// Prints isl's notation; [`Set::parse`] reads it back.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Prints isl's notation; [`UnionMap::parse`] reads it back.
impl fmt::Display for UnionMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.maps.iter().flat_map(|m| items(&m.space, &m.basics)).collect();
        braced(f, &self.params, &all)
    }
}

/// Prints isl's notation; [`UnionSet::parse`] reads it back.
impl fmt::Display for UnionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
