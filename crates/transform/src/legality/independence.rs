//! Whether the iterations of a loop are independent: an exact test.
//!
//! A loop carries a dependence if the two instances agree on all loops outside it and differ in it.
//! The `coincident` flag of a band member says that it carries nothing but what variables that may
//! be private cause, wherever it stands in the band; a member may also carry nothing only
//! because others outside it carry everything (the inner loops of a time-stepped stencil).
use loopwright_dataflow::{
    Dependence, Dependences, Reduction, common_operator, last_values, privatizable_variables,
    reductions, untagged,
};
use loopwright_presburger::{Budget, DimKind, Error, Map, Name, Result, UnionMap, UnionPwAff};
use loopwright_schedule::{Band, LoopKind, LoopReduction, Node, Reaching};
use loopwright_scop::{
    Array, ArrayId, Compaction, ComparisonOperator, ElementKind, Leader, Scop, Statement,
    StatementId,
};

/// Answers whether loops are independent, for one scop.
#[derive(Debug)]
pub struct Independence<'a> {
    scop: &'a Scop,
    dependences: &'a Dependences,
    /// Everything that constrains the order, untagged.
    all: UnionMap,
    /// That and the pairs whose order is free: everything that may not run at one time.
    separate: UnionMap,
    /// The updates of the scop, if their order is free.
    updates: Vec<Reduction>,
    budget: &'a Budget,
}

impl<'a> Independence<'a> {
    /// For a scop and its dependences. Every question is charged to `budget`.
    ///
    /// # Errors
    /// Those of the union of the dependences; if the budget runs out in finding updates whose order
    /// is free.
    pub fn new(scop: &'a Scop, dependences: &'a Dependences, budget: &'a Budget) -> Result<Self> {
        let all = dependences.memory_map()?;
        let separate = all.union(&untagged(dependences.reassociated())?)?;
        let updates = match dependences.reassociated() {
            [] => Vec::new(),
            _ => reductions(scop, budget)?,
        };
        Ok(Independence { scop, dependences, all, separate, updates, budget })
    }

    /// The budget of all questions.
    pub fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// The scalars of which every row of a pipeline needs its own copy; none if that does not suffice or
    /// the budget runs out. The rows are the iterations of the loop before the last of `members`,
    /// their steps those of the last: rows may depend on each other, but never a later row on a later step
    /// ([`loopwright_schedule::LoopKind::Pipelined`]).
    ///
    /// *Cost.* Two emptiness tests per pair of dependent statements.
    ///
    /// # Errors
    /// If a member is not defined on a statement.
    pub fn pipeline_scalars(
        &self,
        reaching: &Reaching,
        members: &[UnionPwAff],
    ) -> Result<Option<Vec<Name>>> {
        let Some((_, rows)) = members.split_last() else { return Ok(None) };
        let steps = times(reaching, members)?;
        let dimension = reaching.depth() + rows.len() - 1;
        self.with_private(&times(reaching, rows)?, Array::is_scalar, |shared| {
            keeps_pipeline(&steps, dimension, shared, self.budget)
        })
    }

    /// Everything that constrains the order: pairs of instances, the first before the second.
    pub fn dependences(&self) -> &UnionMap {
        &self.all
    }

    /// The scalars of which every iteration of the loop needs its own copy to make the iterations
    /// independent; none if that does not suffice or the budget runs out. The loop is the
    /// last of `members`, nested inside the others and inside what `reaching` says.
    ///
    /// *Cost.* Two emptiness tests per pair of dependent statements, and the search for private variables.
    ///
    /// # Errors
    /// If a member is not defined on a statement.
    pub fn private_scalars(
        &self,
        reaching: &Reaching,
        members: &[UnionPwAff],
    ) -> Result<Option<Vec<Name>>> {
        self.private(reaching, members, Array::is_scalar)
    }

    /// The same for a loop whose iterations run on several threads, of which each may also have its own copy
    /// of the arrays that the region declares.
    ///
    /// # Errors
    /// If a member is not defined on a statement.
    pub fn private_variables(
        &self,
        reaching: &Reaching,
        members: &[UnionPwAff],
    ) -> Result<Option<Vec<Name>>> {
        self.private(reaching, members, Array::may_be_private)
    }

    fn private(
        &self,
        reaching: &Reaching,
        members: &[UnionPwAff],
        wanted: fn(&Array) -> bool,
    ) -> Result<Option<Vec<Name>>> {
        let times = times(reaching, members)?;
        let dimension = reaching.depth() + members.len() - 1;
        let is_legal = |shared: &UnionMap| carries_nothing(&times, dimension, shared, self.budget);
        self.with_private(&times, wanted, is_legal)
    }

    /// The variables that may be private to the loop that `times` ends with, if the pairs that are left may
    /// run as `is_legal` says; none if they may not or the budget runs out.
    fn with_private(
        &self,
        times: &UnionMap,
        wanted: fn(&Array) -> bool,
        is_legal: impl FnOnce(&UnionMap) -> Result<bool>,
    ) -> Result<Option<Vec<Name>>> {
        let (scop, dependences) = (self.scop, self.dependences);
        let found = privatizable_variables(scop, dependences, times, wanted, self.budget);
        let private = match found {
            Ok(private) => private,
            Err(Error::Exceeded { .. }) => return Ok(None),
            Err(other) => return Err(other),
        };
        let order = self.dependences.order.iter().filter(|d| !private.contains(&d.array));
        let free = self.dependences.reassociated();
        let everywhere = self.dependences.flow.iter().chain(&self.dependences.forced).chain(free);
        let shared = match private.is_empty() {
            true => self.separate.clone(),
            false => untagged(everywhere.chain(order))?,
        };
        let names = private.iter().map(|id| self.scop.array(*id).tuple_name.clone());
        Ok(false_if_exceeded(is_legal(&shared))?.then(|| names.collect()))
    }
}

/// The schedule by what is outside and then by `members`.
pub(crate) fn times(reaching: &Reaching, members: &[UnionPwAff]) -> Result<UnionMap> {
    let mut below = reaching.clone();
    for member in members {
        let band = Node::band(Band::from_member(member.clone()), Node::Leaf);
        below = below.descend(&band, 0)?;
    }
    below.prefix_schedule()
}

impl Independence<'_> {
    /// The scalars of which every iteration of the loop needs its own copy, and the variables that
    /// its iterations combine by one operator, if that makes the iterations independent; none if it
    /// does not, if nothing is combined, or if the budget runs out. The loop is the last of
    /// `members`, as in [`Self::private_scalars`].
    ///
    /// Updates are combined where they may run in any order ([`Dependences::reassociated`]); loops that
    /// threads share may also leave the last of the values that their iterations have
    /// ([`LoopReduction::is_last_value`]).
    ///
    /// *Cost.* Those of [`Self::private_scalars`] for each variable that is combined.
    ///
    /// # Errors
    /// If a member is not defined on a statement.
    pub fn combined(
        &self,
        reaching: &Reaching,
        members: &[UnionPwAff],
        kind: LoopKind,
    ) -> Result<Option<(Vec<Name>, Vec<LoopReduction>)>> {
        match self.try_combined(reaching, members, kind) {
            Err(Error::Exceeded { .. }) => Ok(None),
            result => result,
        }
    }

    fn try_combined(
        &self,
        reaching: &Reaching,
        members: &[UnionPwAff],
        kind: LoopKind,
    ) -> Result<Option<(Vec<Name>, Vec<LoopReduction>)>> {
        let pairs = self.dependences.reassociated();
        let may_leave = kind == LoopKind::Parallel && leaves_values(self.scop, self.dependences);
        if pairs.is_empty() && !may_leave {
            return Ok(None);
        }
        let times = times(reaching, members)?;
        let dimension = reaching.depth() + members.len() - 1;
        let free = |shared: &UnionMap| carries_nothing(&times, dimension, shared, self.budget);
        let inside = self.statements(reaching);
        let mut combined: Vec<(ArrayId, LoopReduction)> = Vec::new();
        for pair in pairs {
            if combined.iter().any(|(array, _)| *array == pair.array) {
                continue;
            }
            if free(&untagged([pair])?)? {
                continue;
            }
            let Some(operator) = common_operator(self.scop, pair.array, &inside, &self.updates)
            else {
                return Ok(None);
            };
            let variable = self.scop.array(pair.array).tuple_name.clone();
            let operator = operator.clause().into();
            combined.push((pair.array, LoopReduction { operator, variable }));
        }
        let (scop, dependences) = (self.scop, self.dependences);
        let wanted = Array::is_scalar;
        let private = privatizable_variables(scop, dependences, &times, wanted, self.budget)?;
        let mut last = match may_leave {
            true => last_values(scop, dependences, &times, self.budget)?,
            false => Vec::new(),
        };
        let is_other = |id: &ArrayId| private.contains(id) || combined.iter().any(|c| c.0 == *id);
        last.retain(|id| !is_other(id));
        let is_last = |id: ArrayId| last.contains(&id);
        let order = dependences.order.iter().chain(&dependences.forced);
        let is_kept = |d: &&Dependence| !is_last(d.array) && !private.contains(&d.array);
        let forced_private = dependences.forced.iter().filter(|d| private.contains(&d.array));
        let kept = dependences.flow.iter().chain(order.filter(is_kept)).chain(forced_private);
        if combined.is_empty() && last.is_empty() || !free(&untagged(kept)?)? {
            return Ok(None);
        }
        let names = private.iter().map(|id| self.scop.array(*id).tuple_name.clone()).collect();
        let combined = combined.into_iter().map(|(_, reduction)| reduction);
        let last = last.into_iter().map(|id| self.by(LoopReduction::CONDITIONAL, id));
        Ok(Some((names, combined.chain(last).collect())))
    }

    /// The same for a loop that runs in parts, whose results are put together in the order of the parts
    /// ([`LoopReduction::is_in_parts`]).
    ///
    /// *Cost.* That of [`Self::private_scalars`].
    ///
    /// # Errors
    /// If a member is not defined on a statement.
    pub fn in_parts(
        &self,
        reaching: &Reaching,
        members: &[UnionPwAff],
    ) -> Result<Option<(Vec<Name>, Vec<LoopReduction>)>> {
        let ids = self.statements(reaching);
        let inside: Vec<&Statement> = ids.iter().map(|id| self.scop.statement(*id)).collect();
        let place = || inside.iter().find_map(|statement| self.places(statement, &inside));
        let Some((own, reductions)) =
            inside.iter().find_map(|statement| self.leader(statement, &inside)).or_else(place)
        else {
            return Ok(None);
        };
        let is_shared = |array: ArrayId| !own.contains(&array);
        let times = times(reaching, members)?;
        let dimension = reaching.depth() + members.len() - 1;
        let (scop, dependences) = (self.scop, self.dependences);
        let private =
            privatizable_variables(scop, dependences, &times, Array::is_scalar, self.budget)?;
        let order = dependences.order.iter().filter(|d| !private.contains(&d.array));
        let all = dependences.flow.iter().chain(&dependences.forced).chain(order);
        let all = all.chain(dependences.reassociated()).filter(|d| is_shared(d.array));
        let free = carries_nothing(&times, dimension, &untagged(all)?, self.budget);
        let names = private.iter().map(|id| scop.array(*id).tuple_name.clone()).collect();
        Ok(false_if_exceeded(free)?.then_some((names, reductions)))
    }

    /// The best values that a statement keeps, if no other one uses them.
    fn leader(
        &self,
        statement: &Statement,
        inside: &[&Statement],
    ) -> Option<(Vec<ArrayId>, Vec<LoopReduction>)> {
        let leader = Leader::of(self.scop, statement)?;
        // With `<=` and `>=` a part that finds nothing would have to tell.
        let is_strict =
            matches!(leader.comparison, ComparisonOperator::Less | ComparisonOperator::Greater);
        let own: Vec<ArrayId> = std::iter::once(leader.key).chain(leader.followers).collect();
        let uses = |s: &Statement| s.accesses.iter().any(|access| own.contains(&access.array));
        let is_only = inside.iter().all(|other| other.id == statement.id || !uses(other));
        let reduction = |id: &ArrayId| self.by(leader.comparison.symbol(), *id);
        (is_only && is_strict).then(|| (own.clone(), own.iter().map(reduction).collect()))
    }

    /// The places that a statement writes to behind each other, if it is all that the loop has inside.
    fn places(
        &self,
        statement: &Statement,
        inside: &[&Statement],
    ) -> Option<(Vec<ArrayId>, Vec<LoopReduction>)> {
        let found = Compaction::of(self.scop, statement)?;
        let is_right = inside.len() == 1 && found.is_apart(statement, inside);
        let reductions = vec![self.by(LoopReduction::PLACE, found.place)];
        let own = std::iter::once(found.place).chain(found.arrays).collect();
        is_right.then_some((own, reductions))
    }

    fn by(&self, operator: &str, array: ArrayId) -> LoopReduction {
        let variable = self.scop.array(array).tuple_name.clone();
        LoopReduction { operator: operator.into(), variable }
    }

    /// The statements with instances that reach a node.
    fn statements(&self, reaching: &Reaching) -> Vec<StatementId> {
        let named = reaching.pieces.iter().filter_map(|piece| {
            let name = piece.domain.space().output()?.name()?;
            Some(self.scop.statement_named(name)?.id)
        });
        named.collect()
    }
}

/// Whether some scalar may be one whose last value is used behind a loop, or that a loop carries: accesses of
/// it have an order.
pub fn leaves_values(scop: &Scop, dependences: &Dependences) -> bool {
    let is_number = |d: &Dependence| {
        let array = scop.array(d.array);
        array.is_scalar() && array.element_kind != ElementKind::Other
    };
    dependences.forced.iter().chain(&dependences.order).any(is_number)
}

fn false_if_exceeded(result: Result<bool>) -> Result<bool> {
    match result {
        Err(Error::Exceeded { .. }) => Ok(false),
        other => other,
    }
}

/// Whether no pair of `dependences` agrees on the dimensions of `schedule` before `dimension` and
/// differs in it.
///
/// Cost: two emptiness tests per pair of dependent statements.
///
/// # Errors
/// If the budget runs out.
pub fn carries_nothing(
    schedule: &UnionMap,
    dimension: usize,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<bool> {
    let is_empty = |same: &Map| {
        let later = same.order_lt(DimKind::In, dimension, DimKind::Out, dimension);
        let earlier = same.order_lt(DimKind::Out, dimension, DimKind::In, dimension);
        Ok(later.is_empty(budget)? && earlier.is_empty(budget)?)
    };
    all_equal_outside(schedule, dimension, dependences, is_empty)
}

/// Whether no pair of `dependences` that agrees on the dimensions of `schedule` before `row` has one end in
/// a later row and at an earlier step, the next dimension.
fn keeps_pipeline(
    schedule: &UnionMap,
    row: usize,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<bool> {
    let is_empty = |same: &Map| {
        let (from, to) = (DimKind::In, DimKind::Out);
        let falling = same.order_lt(from, row, to, row).order_lt(to, row + 1, from, row + 1);
        let rising = same.order_lt(to, row, from, row).order_lt(from, row + 1, to, row + 1);
        Ok(falling.is_empty(budget)? && rising.is_empty(budget)?)
    };
    all_equal_outside(schedule, row, dependences, is_empty)
}

/// Whether `holds` for the pairs of times, of each two statements, that agree on the dimensions before
/// `dimension`.
fn all_equal_outside(
    schedule: &UnionMap,
    dimension: usize,
    dependences: &UnionMap,
    holds: impl Fn(&Map) -> Result<bool>,
) -> Result<bool> {
    let inside = dependences.among_inputs_of(schedule);
    let pairs = inside.apply_domain(schedule)?.apply_range(schedule)?;
    for map in pairs.maps() {
        let mut same = map.clone();
        for outer in 0..dimension {
            same = same.equate(DimKind::In, outer, DimKind::Out, outer);
        }
        if !holds(&same)? {
            return Ok(false);
        }
    }
    Ok(true)
}
