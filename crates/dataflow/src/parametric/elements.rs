//! The values that filters look at, named so that equal values have equal names where that is known.
//!
//! A value is named after the write that made it where that is known without parameters, after the element
//! where it comes from before the region, and otherwise after the evaluation that has seen it (section 4.2 of
//! the paper: what has parameters keeps its own name, which is like no other one).
use loopwright_presburger::{Budget, DimKind, Map, Result, Set, Tuple};
use loopwright_scop::{ArrayId, Filter, FilterAccess, FilterValue, ReferenceId, StatementId};

/// Work limit for finding out whether an access looks at one value.
const SINGLE_STEPS: u64 = 50_000;

/// What kind of name a value has; a name is a kind with coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ValueKind {
    /// The outcome of an evaluation.
    Outcome(StatementId),
    /// What a reference of an evaluation has read.
    Read(StatementId, ReferenceId),
    /// What a write has written.
    Written(StatementId, ReferenceId),
    /// What an element holds before the region.
    Initial(ArrayId),
}

/// The names of the values that evaluations have seen: relations from evaluations to coordinates.
pub(crate) type ValueNames = Vec<(ValueKind, Map)>;

/// One access of a filter, in terms of names.
#[derive(Clone, Debug)]
pub(crate) struct NamedAccess {
    /// From the instances with the filter to names.
    pub(crate) names: ValueNames,
    /// Whether an instance looks at one value.
    pub(crate) is_single: bool,
    /// The least and the greatest value, as far as they are known.
    pub(crate) bounds: Option<(i64, i64)>,
}

/// A filter in terms of names.
#[derive(Clone, Debug)]
pub(crate) struct NamedFilter {
    pub(crate) accesses: Vec<NamedAccess>,
    /// The allowed values, one dimension per access.
    pub(crate) allowed: Map,
    /// The values in the bounds that are not allowed.
    pub(crate) forbidden: Map,
    /// The instances for which every access looks at some value; all others pass.
    pub(crate) asked: Set,
    /// Those of them that no value lets pass, and those that no value lets fail.
    pub(crate) never: [Set; 2],
}

impl NamedFilter {
    /// A filter whose evaluations have names.
    pub(crate) fn new(
        filter: &Filter,
        mut named: impl FnMut(&FilterAccess) -> Result<(ValueNames, Option<(i64, i64)>)>,
        budget: &Budget,
    ) -> Result<Self> {
        let mut accesses = Vec::with_capacity(filter.accesses.len());
        let mut asked = Set::universe(filter.values.space().domain());
        for access in &filter.accesses {
            asked = asked.intersect(&access.relation.domain())?;
            let (of_evaluation, bounds) = named(access)?;
            let mut names = Vec::with_capacity(of_evaluation.len());
            for (kind, map) in of_evaluation {
                let names_here = access.relation.apply_range_within(&map, budget)?;
                if !names_here.is_empty(budget).unwrap_or(false) {
                    names.push((kind, names_here));
                }
            }
            let single = |map: &Map| map.is_single_valued(&budget.part(SINGLE_STEPS));
            let is_single = single(&access.relation).unwrap_or(false);
            accesses.push(NamedAccess { names, is_single, bounds });
        }
        let tuple = Tuple::anonymous(filter.accesses.len());
        let space = filter.values.space();
        let space = space.with_tuples(space.input().cloned(), Some(tuple));
        let within = accesses.iter().enumerate().fold(Map::universe(space.clone()), bounded);
        let allowed = filter.values.with_space_tuples(&space)?.intersect(&within)?;
        let forbidden = within.subtract(&allowed, budget)?;
        let without = |values: &Map| match values.domain().coalesce(budget)? {
            some if some.plain_is_empty() => Ok(asked.clone()),
            some => asked.subtract(&some, budget)?.coalesce(budget),
        };
        let never = [without(&allowed)?, without(&forbidden)?];
        Ok(NamedFilter { accesses, allowed, forbidden, asked, never })
    }

    /// The filter of what is related to the instances that have it.
    pub(crate) fn pulled_back(&self, to_instances: &Map) -> Result<Self> {
        let back = |map: &Map| to_instances.apply_range(map);
        let mut accesses = self.accesses.clone();
        for (_, map) in accesses.iter_mut().flat_map(|access| &mut access.names) {
            *map = back(map)?;
        }
        let from_instances = to_instances.reverse();
        let related = |set: &Set| set.apply(&from_instances);
        let [passes, fails] = &self.never;
        let (asked, never) = (related(&self.asked)?, [related(passes)?, related(fails)?]);
        let (allowed, forbidden) = (back(&self.allowed)?, back(&self.forbidden)?);
        Ok(NamedFilter { accesses, allowed, forbidden, asked, never })
    }
}

/// Values of which one is within the bounds of its access.
fn bounded(values: Map, (position, access): (usize, &NamedAccess)) -> Map {
    let Some((least, greatest)) = access.bounds else { return values };
    let values = values.lower_bound(DimKind::Out, position, &least.into());
    values.upper_bound(DimKind::Out, position, &greatest.into())
}

/// The name that the value of an access has at first: after its evaluation.
pub(crate) fn own_kind(access: &FilterAccess) -> ValueKind {
    match access.value {
        FilterValue::Outcome => ValueKind::Outcome(access.evaluation),
        FilterValue::Read(reference) => ValueKind::Read(access.evaluation, reference),
    }
}
