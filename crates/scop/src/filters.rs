//! Filters: conditions on values under which instances of statements run.
//!
//! A [`Scop`] says which instances there may be. A [`FilteredScop`] adds which of them run: a statement
//! carries filters, which look at values that evaluations of conditions have seen. Verdoolaege, Nikolov
//! and Stefanov, "On demand parametric array dataflow analysis", IMPACT 2013, section 4.
use crate::{ArrayId, ReferenceId, Scop, StatementId};
use loopwright_presburger::Map;

/// What a filter looks at in an evaluation of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FilterValue {
    /// The outcome: 1 if the condition holds, 0 if not. The outcomes of all evaluations of a condition
    /// are a virtual array with an element per instance of the evaluating statement.
    Outcome,
    /// The value that one of its references has read.
    Read(ReferenceId),
}

/// One value that a filter looks at.
#[derive(Clone, Debug)]
pub struct FilterAccess {
    /// The statement that evaluates the condition.
    pub evaluation: StatementId,
    /// What is looked at.
    pub value: FilterValue,
    /// `S[i] -> T[j]`: the evaluations that an instance looks at. Where there are several, each of them
    /// must have an allowed value; where there is none, nothing is asked.
    pub relation: Map,
}

/// A condition on values under which the instances of a statement run.
///
/// An instance passes if the values of *every* choice of one evaluation per access are allowed.
#[derive(Clone, Debug)]
pub struct Filter {
    /// What is looked at.
    pub accesses: Vec<FilterAccess>,
    /// `S[i] -> [v]`: the allowed values, one dimension per access.
    pub values: Map,
}

/// Bounds of the values that a variable holds at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueBounds {
    /// The variable.
    pub array: ArrayId,
    /// The least value.
    pub least: i64,
    /// The greatest value.
    pub greatest: i64,
}

/// A model whose statements run where their filters allow it.
///
/// Domains say which instances there may be; accesses are those of instances that run. Evaluations of
/// conditions are statements like others.
#[derive(Clone, Debug)]
pub struct FilteredScop {
    /// The statements, without their filters.
    pub scop: Scop,
    /// The filters of each statement, all of which an instance has to pass.
    pub filters: Vec<Vec<Filter>>,
    /// What is known about values.
    pub value_bounds: Vec<ValueBounds>,
}

impl FilteredScop {
    /// A model in which everything runs.
    ///
    /// ```
    /// use loopwright_scop::{FilteredScop, Scop};
    /// let scop = Scop::parse(
    ///     "context: \"{ : }\"\nstatements:\n- name: S\n  domain: \"{ S[i] : 0 <= i < 9 }\"\n  \
    ///      iterators: [ i ]\nschedule:\n  domain: \"{ S[i] : 0 <= i < 9 }\"\n",
    /// )?;
    /// assert!(FilteredScop::unfiltered(scop).filters[0].is_empty());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn unfiltered(scop: Scop) -> Self {
        let filters = vec![Vec::new(); scop.statements.len()];
        FilteredScop { scop, filters, value_bounds: Vec::new() }
    }

    /// The filters of a statement; none if the id is not from this model.
    pub fn filters_of(&self, statement: StatementId) -> &[Filter] {
        self.filters.get(statement.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The statements that evaluate conditions of others, in the order of the text.
    pub fn evaluations(&self) -> Vec<StatementId> {
        let accesses = self.filters.iter().flatten().flat_map(|filter| &filter.accesses);
        let mut evaluations: Vec<StatementId> = accesses.map(|access| access.evaluation).collect();
        evaluations.sort_unstable();
        evaluations.dedup();
        evaluations
    }
}
