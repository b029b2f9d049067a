//! Which variables may be private to the iterations of a loop.
use crate::engine::order::times_of;
use crate::{Dependence, Dependences, LiveAccess};
use loopwright_presburger::{Budget, Map, Result, Set, UnionMap};
use loopwright_scop::{AccessKind, Array, ArrayId, ElementKind, Scop, StatementId};

/// The variables among those `wanted` (scalars, or [`Array::may_be_private`]) that are written in a loop and
/// whose values never leave an iteration of it, so that each iteration may have its own copy.
///
/// `times` gives, for the instances inside the loop, the values of all loops around them up to and
/// including the one in question (one flat tuple).
///
/// *Exactness.* Exact, unless the budget runs out: then a variable counts as not private.
/// *Cost.* A few subtractions per flow dependence on a variable that is wanted.
pub fn privatizable_variables(
    scop: &Scop,
    dependences: &Dependences,
    times: &UnionMap,
    wanted: fn(&Array) -> bool,
    budget: &Budget,
) -> Result<Vec<ArrayId>> {
    let inside = Inside::new(scop, times);
    let mut private = Vec::new();
    for (id, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
        if wanted(array)
            && inside.writes(scop, id)
            && inside.keeps_live_values_out(dependences, id, budget)?
            && inside.keeps_flow_within(dependences, id, budget)?
        {
            private.push(id);
        }
    }
    Ok(private)
}

/// The scalars that a loop writes, whose values never enter an iteration of it but may be used behind the
/// loop, so that each iteration may have its own copy if the last one that is written is left. They are
/// numbers, and named wherever they are used. `times` is as in [`privatizable_variables`], which has those
/// whose values are not used behind the loop.
///
/// Flags (`if (c[i]) found = 1`) and last values (`if (c[i]) at = i`) are such scalars.
///
/// *Exactness.* Exact, unless the budget runs out: then a variable counts as none of them.
/// *Cost.* A few subtractions per flow dependence on a scalar, and one per scalar.
///
/// # Errors
/// For relations of spaces that do not fit.
pub fn last_values(
    scop: &Scop,
    dependences: &Dependences,
    times: &UnionMap,
    budget: &Budget,
) -> Result<Vec<ArrayId>> {
    let inside = Inside::new(scop, times);
    let mut found = Vec::new();
    for (id, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
        if array.is_scalar()
            && array.element_kind != ElementKind::Other
            && inside.writes(scop, id)
            && inside.names(scop, id)
            && inside.keeps_out(&dependences.live_in, id, budget)?
            && inside.keeps_flow_from_entering(dependences, id, budget)?
        {
            found.push(id);
        }
    }
    Ok(found)
}

struct Inside {
    /// Per statement, the times of its instances inside the loop.
    times: Vec<Option<Map>>,
}

impl Inside {
    fn new(scop: &Scop, times: &UnionMap) -> Inside {
        Inside { times: times_of(scop, times) }
    }

    fn time(&self, statement: StatementId) -> Option<&Map> {
        self.times[statement.0 as usize].as_ref()
    }

    fn writes(&self, scop: &Scop, array: ArrayId) -> bool {
        scop.statements.iter().filter(|s| self.time(s.id).is_some()).any(|statement| {
            let is_write = |kind| matches!(kind, AccessKind::MustWrite | AccessKind::MayWrite);
            statement.accesses.iter().any(|a| a.array == array && is_write(a.kind))
        })
    }

    /// Whether no access inside sees a value from before, or leaves one for after, the region.
    fn keeps_live_values_out(
        &self,
        dependences: &Dependences,
        array: ArrayId,
        budget: &Budget,
    ) -> Result<bool> {
        Ok(self.keeps_out(&dependences.live_in, array, budget)?
            && self.keeps_out(&dependences.live_out, array, budget)?)
    }

    /// Whether none of the live accesses is inside.
    fn keeps_out(&self, lives: &[LiveAccess], array: ArrayId, budget: &Budget) -> Result<bool> {
        for live in lives.iter().filter(|live| live.array == array) {
            if let Some(time) = self.time(live.statement) {
                let inside: Set = live.instances.intersect(&time.domain())?;
                if !inside.is_empty(budget).unwrap_or(false) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether all flow from or to the inside stays within one iteration.
    fn keeps_flow_within(
        &self,
        dependences: &Dependences,
        array: ArrayId,
        budget: &Budget,
    ) -> Result<bool> {
        let all = dependences.flow.iter().chain(dependences.reassociated());
        for flow in all.filter(|flow| flow.array == array) {
            if !self.stays_within(flow, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all that is accessed inside has a name in the text there.
    fn names(&self, scop: &Scop, array: ArrayId) -> bool {
        let mut inside = scop.statements.iter().filter(|s| self.time(s.id).is_some());
        inside.all(|statement| !statement.body.hidden().contains(&array))
    }

    /// Whether all flow to the inside comes from the same iteration.
    fn keeps_flow_from_entering(
        &self,
        dependences: &Dependences,
        array: ArrayId,
        budget: &Budget,
    ) -> Result<bool> {
        let all = dependences.flow.iter().chain(dependences.reassociated());
        for flow in all.filter(|flow| flow.array == array) {
            let Some(sink) = self.time(flow.sink.0) else { continue };
            let to = flow.relation.intersect_range(&sink.domain())?;
            let stays = match self.time(flow.source.0) {
                None => to.is_empty(budget),
                Some(source) => to.is_subset(&source.apply_range(&sink.reverse())?, budget),
            };
            if !stays.unwrap_or(false) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn stays_within(&self, flow: &Dependence, budget: &Budget) -> Result<bool> {
        let (source, sink) = (self.time(flow.source.0), self.time(flow.sink.0));
        let relation = &flow.relation;
        let surely_empty = |map: &Map| map.is_empty(budget).unwrap_or(false);
        match (source, sink) {
            (None, None) => Ok(true),
            (Some(a), None) => Ok(surely_empty(&relation.intersect_domain(&a.domain())?)),
            (None, Some(b)) => Ok(surely_empty(&relation.intersect_range(&b.domain())?)),
            (Some(a), Some(b)) => {
                let same = a.apply_range(&b.reverse())?;
                let from = relation.intersect_domain(&a.domain())?;
                let to = relation.intersect_range(&b.domain())?;
                let within = |part: &Map| part.is_subset(&same, budget).unwrap_or(false);
                Ok(within(&from) && within(&to))
            }
        }
    }
}
