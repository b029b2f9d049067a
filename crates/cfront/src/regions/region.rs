//! A region of a file.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::model::run_time::RunTimeCondition;
use crate::regions::control_tree::ControlTree;
use crate::regions::fragments;
use crate::regions::known_values::KnownValue;
use crate::regions::places::{DeclaredShape, StatementPlaces};
use crate::regions::versions::Version;
use crate::walk::loops::loop_pragmas::IndependentLoop;
use loopwright_presburger::Set;
use loopwright_scop::{Filter, FilteredScop, ProgramWords, Scop, StatementId, ValueBounds};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// An iterator of the region that is declared before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OuterIterator {
    /// Its name.
    pub name: String,
    /// Its type, as text.
    pub c_type: String,
}

/// A region of a file in polyhedral form.
#[derive(Clone, Debug)]
pub struct Region {
    /// The bytes of the original file from the start of the line of `#pragma scop` to the end of
    /// the line of `#pragma endscop`, its line break included. Of a region that was found without
    /// pragmas, all lines of its statements.
    pub bytes: Range<usize>,
    /// The bytes of the lines between the pragmas; all of `bytes` of a region that was found without pragmas.
    pub statement_bytes: Range<usize>,
    /// The line of `#pragma scop` in the original file (1-based), or that of the first statement.
    pub first_line: u32,
    /// The line of `#pragma endscop`, or the last one of the last statement.
    pub last_line: u32,
    /// The white space before the first statement of the region (of the pragma if there is none).
    pub indentation: String,
    /// Whether declarations and more than one statement may stand in place of the region.
    pub in_block: bool,
    /// The function that contains the region.
    pub function: String,
    /// The byte of the original file where definitions for the function may stand: the start of its first
    /// line; none if something else is in front of it there.
    pub before_function: Option<usize>,
    /// The region.
    pub scop: Scop,
    /// The statements that only assign to variables whose values are known everywhere else: instances
    /// that nobody reads can be left out.
    pub updates: Vec<StatementId>,
    /// The loops whose iterations the program declares to be independent.
    pub independent: Vec<IndependentLoop>,
    /// The statements whose updates of a variable the program allows in any order, by clauses `reduction`.
    pub in_any_order: Vec<(StatementId, String)>,
    /// What has to hold for the model to be right, beyond what is known of the symbolic constants in its
    /// context: the result checks it before it runs what was made of the model.
    pub conditions: Vec<RunTimeCondition>,
    /// What has to have these values for the model to be right: they are checked as well.
    pub known_values: Vec<KnownValue>,
    /// For each array of the model the elements whose values may be used after the region: those that the
    /// text behind it names, of arrays of which nothing but elements of the name is used, in regions that run
    /// once in a call of their function. None if any may be.
    pub used_after: Vec<Option<Set>>,
    /// The iterators that are declared before the region; their final values are not used.
    pub outer_iterators: Vec<OuterIterator>,
    /// The number of loops of the function that the region is in.
    pub loops_around: usize,
    /// Every identifier of the preprocessed file outside system headers: names that generated
    /// variables and helpers must avoid.
    pub used_names: Arc<BTreeSet<String>>,
    /// Annotations that could not be used, and calls in place of which bodies were read; one sentence each.
    pub remarks: Vec<String>,
    /// The filters of each statement, if they are kept apart ([`Options::filters`](crate::Options::filters));
    /// otherwise nothing.
    pub filters: Vec<Vec<Filter>>,
    /// Where the accesses of each statement stand; nothing for models that are not read from C.
    pub places: Vec<StatementPlaces>,
    /// What the program says about values by `#pragma value_bounds NAME LEAST GREATEST`, if filters are kept
    /// apart.
    pub value_bounds: Vec<ValueBounds>,
    /// How the arrays of the model are declared; nothing for models that are not read from C.
    pub shapes: Vec<DeclaredShape>,
    /// Its control flow as it is written, if filters are kept apart.
    pub control: Option<ControlTree>,
    /// The same region with filters, from the same text, where a compilation is to use its dataflow.
    pub finer: Option<Box<Region>>,
    /// What its names mean in the words of C, and the functions that it calls.
    pub words: ProgramWords,
}

/// A region between pragmas that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRegion {
    /// The line of `#pragma scop` in the file (1-based).
    pub first_line: u32,
    /// The line of `#pragma endscop`.
    pub last_line: u32,
    /// All reasons.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lines, each two columns further to the right.
pub(super) fn indented(lines: &str) -> String {
    let indented =
        |line: &str| if line.trim().is_empty() { line.into() } else { format!("  {line}") };
    lines.split_inclusive('\n').map(indented).collect()
}

impl Region {
    /// The region with the filters of its statements; without [`Options::filters`](crate::Options::filters)
    /// it has none, and conditions on data are parts of statements.
    pub fn filtered_scop(&self) -> FilteredScop {
        let mut filtered = FilteredScop::unfiltered(self.scop.clone());
        if !self.filters.is_empty() {
            filtered.filters.clone_from(&self.filters);
            filtered.value_bounds.clone_from(&self.value_bounds);
        }
        filtered
    }

    /// Generated code as it can stand in place of the region in the text of its file.
    ///
    /// Where the region is the only statement under a loop or a condition, or follows a label, the code gets
    /// braces. Where something has to be checked first, the code runs if it holds, and otherwise the
    /// statements of the region as they are written.
    pub fn in_place(&self, code: &str, original: &str) -> String {
        let version = Version { conditions: self.condition_texts(), code: code.to_string() };
        self.in_place_of(&[version], original)
    }

    /// Whether the file has statements only, which are included into a function: no function can be declared
    /// in front.
    pub fn is_fragment(&self) -> bool {
        self.function == fragments::FUNCTION
    }

    /// What has to be checked in front of the region, as operands of `&&`; what takes more than a few steps
    /// is last.
    pub fn condition_texts(&self) -> Vec<String> {
        let [mut all, costly] = self.condition_texts_by_cost();
        all.extend(costly);
        all
    }

    /// The same in two parts: what takes a few steps, and what takes more.
    pub fn condition_texts_by_cost(&self) -> [Vec<String>; 2] {
        let (costly, quick): (Vec<_>, Vec<_>) =
            self.conditions.iter().partition(|condition| condition.fact.is_costly());
        let [quick, costly] = [quick, costly]
            .map(|part| part.iter().filter_map(|c| c.fact.text()).collect::<Vec<_>>());
        let known =
            self.known_values.iter().map(|known| format!("{} == {}", known.text, known.value));
        [known.chain(quick).collect(), costly]
    }
}

/// Where a region stands in the original file.
pub(crate) struct PlaceInFile {
    pub(crate) bytes: Range<usize>,
    /// The lines of its statements.
    pub(crate) statement_bytes: Range<usize>,
    pub(crate) first_line: u32,
    pub(crate) last_line: u32,
    pub(crate) indentation: String,
    pub(crate) in_block: bool,
}
