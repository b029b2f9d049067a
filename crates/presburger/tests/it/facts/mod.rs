//! Tables of facts: texts, operations on them, and what comes out, compared by meaning.
//!
//! One module a topic. All rows of a table are checked before a test fails, and a failure names its
//! row.
mod closures;
mod coalesce;
mod functions;
mod gist;
mod hulls;
mod lexopt;
mod polynomials;
mod printed;
mod project;
mod refused;
mod structure;
mod subtract;

use loopwright_presburger::{Budget, Map, Set};

fn budget() -> Budget {
    Budget::steps(100_000_000)
}

/// A set (as a relation without input) or a relation.
fn relation(text: &str) -> Map {
    let as_set = Set::parse(text).map(|set| set.as_map().clone());
    as_set.or_else(|_| Map::parse(text)).unwrap_or_else(|e| panic!("{}", e.explain(text)))
}

/// Whether a result is what a text says; a text without elements is equal to anything empty.
fn means(result: &Map, text: &str) -> bool {
    let expected = relation(text);
    match expected.space().compare_arity(result.space()) {
        true => result.is_equal(&expected, &budget()).unwrap(),
        false => result.is_empty(&budget()).unwrap() && expected.is_empty(&budget()).unwrap(),
    }
}

/// Checks all rows and fails with those that do not hold.
fn check<R>(rows: &[R], holds: impl Fn(&R) -> Result<(), String>) {
    let failures: Vec<String> = rows.iter().filter_map(|row| holds(row).err()).collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), rows.len(), failures.join("\n"));
}

trait Arity {
    fn compare_arity(&self, other: &Self) -> bool;
}

impl Arity for loopwright_presburger::Space {
    fn compare_arity(&self, other: &Self) -> bool {
        self.input() == other.input() && self.output() == other.output()
    }
}
