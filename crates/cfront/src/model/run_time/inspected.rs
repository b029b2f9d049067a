//! Subscripts that are read from memory, as a condition of C: what they lead to has no byte in common with
//! other ranges.
//!
//! Functions of the result read the indices once and keep the least and the greatest: so many steps as there
//! are indices.
use super::ranges::{ByteRange, Level, Writer};
use super::symbolic_value::SymbolicValue;
use super::text::set_text;
use loopwright_presburger::{Budget, Set};

/// The functions, with what they need: to stand before the first function that uses them.
pub const INSPECTED: &str = include_str!("inspected.h");

/// An array of integers that the check reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IndexArray {
    pub(crate) base: String,
    pub(crate) bytes: u64,
    pub(crate) is_signed: bool,
}

/// Positions in an array of one dimension.
#[derive(Clone, Debug)]
pub(crate) enum Positions {
    /// Between closed forms.
    Between { reached: Set, level: Level },
    /// From the values of `starts` at some positions to before the values of `ends`, `distance` further.
    Segments { starts: IndexArray, ends: IndexArray, distance: i64, at: Box<Positions> },
    /// The values of an array at some positions.
    Values { of: IndexArray, at: Box<Positions> },
}

/// What is accessed of an object.
#[derive(Clone, Debug)]
pub(crate) enum Inspected {
    /// Bytes between closed forms.
    Closed(ByteRange),
    /// Elements of a size at positions.
    Indexed { base: String, element: i64, positions: Positions },
}

/// The condition that the two ranges of each pair have no byte in common; none if a number is too large for
/// it.
pub(super) fn inspected_text(
    pairs: &[(Inspected, Inspected)],
    context: &Set,
    values: &[SymbolicValue],
) -> Option<String> {
    let text = |is_limiting: bool| {
        let writer = Writer::new(values, is_limiting)?;
        let mut inspection = Inspection { writer, context, spans: Vec::new(), ranges: Vec::new() };
        let clauses = pairs.iter().map(|(a, b)| {
            let (a, b) = (inspection.range(a)?, inspection.range(b)?);
            Some(format!("loopwright_disjoint({a}, {b})"))
        });
        let mut clauses = clauses.collect::<Option<Vec<String>>>()?;
        clauses.sort_unstable();
        clauses.dedup();
        Some(inspection.text(&clauses))
    };
    text(false).or_else(|| text(true))
}

/// What the check computes, in order.
struct Inspection<'a> {
    writer: Writer<'a>,
    context: &'a Set,
    spans: Vec<String>,
    ranges: Vec<String>,
}

impl Inspection<'_> {
    fn text(self, clauses: &[String]) -> String {
        let declare = |kind: &str, letter: &str, all: &[String]| {
            let all = all.iter().enumerate();
            let all = all.map(|(at, value)| {
                format!("struct loopwright_{kind} loopwright_{letter}{at} = {value}; ")
            });
            all.collect::<String>()
        };
        let (spans, ranges) =
            (declare("span", "s", &self.spans), declare("range", "r", &self.ranges));
        let clauses = clauses.join(" && ");
        let mut all = self.writer.into_limits();
        all.push(format!("__extension__ ({{ {spans}{ranges}{clauses}; }})"));
        all.join(" && ")
    }

    /// The name of a range.
    fn range(&mut self, of: &Inspected) -> Option<String> {
        let text = match of {
            Inspected::Closed(range) => {
                let (start, end) =
                    (self.writer.address(range, false)?, self.writer.address(range, true)?);
                format!("loopwright_bytes_between({start}, {end})")
            }
            Inspected::Indexed { base, element, positions } => {
                let span = self.span(positions)?;
                format!("loopwright_bytes_at({base}, {element}, {span})")
            }
        };
        Some(named("r", text, &mut self.ranges))
    }

    /// The name of a span.
    fn span(&mut self, positions: &Positions) -> Option<String> {
        let text = match positions {
            Positions::Between { reached, level } => {
                let budget = || Budget::steps(200_000);
                let reached = reached.gist(self.context, &budget()).unwrap_or(reached.clone());
                let is_reached = match reached.plain_is_universe() {
                    true => "1".to_string(),
                    false => set_text(&reached, self.writer.values())?,
                };
                let first = self.writer.only_subscript(level, false)?;
                let last = self.writer.only_subscript(level, true)?;
                format!("loopwright_between({is_reached}, {first}, {last})")
            }
            Positions::Segments { starts, ends, distance, at } => {
                let at = self.span(at)?;
                let (starts, ends) = (starts.text(), ends.text());
                format!("loopwright_segments({starts}, {ends}, {distance}, {at})")
            }
            Positions::Values { of, at } => {
                let at = self.span(at)?;
                format!("loopwright_values({}, {at})", of.text())
            }
        };
        Some(named("s", text, &mut self.spans))
    }
}

/// The name of a value, which is computed once.
fn named(letter: &str, text: String, all: &mut Vec<String>) -> String {
    let known = all.iter().position(|other| *other == text);
    let at = known.unwrap_or_else(|| {
        all.push(text);
        all.len() - 1
    });
    format!("loopwright_{letter}{at}")
}

impl IndexArray {
    /// The array and its kind, as arguments.
    fn text(&self) -> String {
        let sign = if self.is_signed { "-" } else { "" };
        format!("{}, {sign}{}", self.base, self.bytes)
    }
}
