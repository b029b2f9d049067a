//! The model of a region in the formats of other polyhedral tools: OpenScop, Polly's JSCoP and the
//! YAML of pet, read and written.
//!
//! [`read`] and [`write()`] are the front door; what each format holds of a model, and what not, is in
//! `docs/interchange.md`. Files are input like programs: damaged ones give an error with the line.
//!
//! ```
//! use loopwright_interchange::{Format, Foreign, read, write};
//! use loopwright_presburger::Budget;
//! # fn main() -> loopwright_presburger::Result<()> {
//! let text = r#"{ "name": "f", "context": "[n] -> { : n > 0 }", "arrays": [],
//!   "statements": [ { "name": "S", "domain": "[n] -> { S[i] : 0 <= i < n }",
//!     "schedule": "{ S[i] -> [i] }",
//!     "accesses": [ { "kind": "write", "relation": "{ S[i] -> A[i] }" } ] } ] }"#;
//! let budget = Budget::unlimited();
//! let regions = read(Format::Jscop, text, &budget)?;
//! let openscop = write(Format::OpenScop, &regions[0], &budget)?;
//! let again = read(Format::OpenScop, &openscop, &budget)?;
//! assert_eq!(again[0].scop.statements.len(), 1);
//! # Ok(()) }
//! ```

mod affine_text;
mod body_reader;
mod body_text;
mod documents;
mod jscop;
mod kept_in_memory;
mod model;
mod openscop;
mod order;
mod pet;
mod statement_call;
mod unknown_array;

use documents::{json_documents, read_each, yaml_documents};
use loopwright_presburger::{Budget, Result, Set, UnionSet};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Array, Body, Scop};

pub use order::tree_from_map;

/// A format of other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// OpenScop: relations as matrices; Clan, Candl, Pluto, CLooG.
    OpenScop,
    /// JSCoP: JSON with sets in isl's notation; Polly.
    Jscop,
    /// The YAML of pet.
    Pet,
}

impl Format {
    /// All formats with their words on the command line.
    pub const WORDS: [(&'static str, Format); 3] =
        [("openscop", Format::OpenScop), ("jscop", Format::Jscop), ("pet", Format::Pet)];

    /// The format in which a text seems to be; none if it has the marks of none of them.
    ///
    /// ```
    /// use loopwright_interchange::Format;
    /// assert_eq!(Format::of_text("# a comment\n<OpenScop>\n"), Some(Format::OpenScop));
    /// assert_eq!(Format::of_text("{ S[i] -> [i] }"), None);
    /// ```
    pub fn of_text(text: &str) -> Option<Format> {
        let starts = |word: &str| text.lines().any(|line| line.starts_with(word));
        if text.lines().any(|line| line.trim() == "<OpenScop>") {
            Some(Format::OpenScop)
        } else if text.trim_start().starts_with('{') && text.contains("\"statements\"") {
            Some(Format::Jscop)
        } else if starts("statements:") && starts("schedule:") {
            Some(Format::Pet)
        } else {
            None
        }
    }
}

/// Where a region stands in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The name of the file.
    pub file: String,
    /// The first and the last line (1-based); zeros if they are not known.
    pub lines: (u32, u32),
    /// Where it starts and ends, in bytes; zeros if that is not known.
    pub bytes: (usize, usize),
    /// The white space before its statements.
    pub indentation: String,
}

/// A region as other tools know it.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// The model.
    pub scop: Scop,
    /// The name of the region, or of the function it stands in; empty if not known.
    pub name: String,
    /// Where it stands.
    pub place: Place,
    /// What the file does not say or says in a way that is not used, one sentence each.
    pub remarks: Vec<String>,
}

/// Reads the regions of a file (other tools write one per file in JSCoP and pet's YAML).
///
/// *Cost.* Linear in the text, but for the order of the statements, which is found within `budget`.
///
/// # Errors
/// [`loopwright_presburger::Error::Parse`], whose message names the line, for a text that is not in
/// the format or contradicts itself; [`loopwright_presburger::Error::Exceeded`].
pub fn read(format: Format, text: &str, budget: &Budget) -> Result<Vec<Foreign>> {
    match format {
        Format::OpenScop => openscop::read(text, budget),
        Format::Jscop => {
            read_each(text, &json_documents(text), |document| jscop::read(document, budget))
        }
        Format::Pet => {
            read_each(text, &yaml_documents(text), |document| pet::read(document, budget))
        }
    }
}

/// Writes a region.
///
/// # Errors
/// [`loopwright_presburger::Error::Invalid`] if the format has no way to say something that matters;
/// [`loopwright_presburger::Error::Exceeded`].
pub fn write(format: Format, region: &Foreign, budget: &Budget) -> Result<String> {
    match format {
        Format::OpenScop => openscop::write(region, budget),
        Format::Jscop => jscop::write(region, budget),
        Format::Pet => pet::write(region, budget),
    }
}

/// The order that a file of another tool gives to the statements of `scop` (those that are
/// executed): by their names if all are the same, else by their positions.
///
/// Instances that the file's order does not mention are missing in the tree's domain.
///
/// # Errors
/// Those of [`read`]; [`loopwright_presburger::Error::Invalid`] if the statements cannot be those of
/// `scop`: another number of them, or of their dimensions.
pub fn schedule_for(
    scop: &Scop,
    format: Format,
    text: &str,
    budget: &Budget,
) -> Result<ScheduleTree> {
    order::schedule_for(scop, &read(format, text, budget)?, budget)
}

/// The body of a statement from its text in C: iterators become expressions and elements of `arrays` with
/// affine subscripts become elements, so that it can be printed in other loops; whatever else there is stays
/// text.
///
/// `domain` are the instances, `iterators` the names of its dimensions in the text.
///
/// *Cost.* Linear in the text, times the number of variables.
pub fn body_of_text(text: &str, domain: &Set, iterators: &[String], arrays: &[Array]) -> Body {
    body_reader::read_body(text, &body_reader::Names { domain, iterators, arrays })
}

/// The instances that are executed.
pub(crate) fn executed(scop: &Scop) -> Result<UnionSet> {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    executed
        .map(|statement| statement.domain.clone())
        .try_fold(UnionSet::empty(), |all, instances| all.union(&UnionSet::from_set(instances)))
}
