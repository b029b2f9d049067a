//! Upper bounds of flow that another analysis has found.
//!
//! Conditions on data decide what runs, which accesses alone do not say. Where it is known that no value ever
//! flows from a write to a read, or from before the region or to what comes after it, dependences need not
//! say that it may.
//!
//! # Why fewer flow dependences are enough
//! Let `F0` be the flow by accesses and `F1` a part of it with all flow that there ever is. For writes `W`
//! before `W'` of an element which both take place, `W'` must not come into a live range of `W`, nor `W` into
//! one of `W'`. A read `R` that really has its value from `W` is before `W'` in the program, so a dependence
//! of order keeps it there. For the other half `W` must stay before `W'`. If no pair of `F1` begins at `W`,
//! there is a dependence of order from `W` to `W'`. If a read of such a pair is before `W'`, flow and order
//! lead from `W` to `W'`. Otherwise all such reads are behind `W'`. Then `F0` has a pair from `W'` to them: a
//! sure write between would cut `W` off as well. So it is enough that from each source of a pair of `F1` a
//! forced dependence leads to all later sources of the same read in `F0`.
use crate::Dependence;
use crate::engine::Flow;
use crate::engine::order::surely_empty;
use crate::engine::reference::{Key, Reference};
use loopwright_presburger::{Budget, Map, Result, Set};
use loopwright_scop::{ArrayId, ReferenceId, Scop, StatementId};
use rustc_hash::FxHashMap;

/// What may flow at most; what is not mentioned may flow anywhere.
///
/// ```
/// use loopwright_dataflow::{Dependences, PossibleFlow};
/// use loopwright_presburger::{Budget, Map};
/// use loopwright_scop::{ReferenceId, Scop, StatementId};
/// // for (int i = 0; i < 9; i++) s += A[0];
/// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sum.scop"));
/// let scop = Scop::parse(text)?;
/// let budget = Budget::steps(100_000);
/// let all = Dependences::of_scop(&scop, &budget)?;
/// let (from, to) = (all.flow[0].source, all.flow[0].sink);
/// let mut possible = PossibleFlow::default();
/// possible.bound_flow(from, to, Map::empty(all.flow[0].relation.space().clone()))?;
/// let fewer = Dependences::of_scop_within(&scop, &possible, &budget)?;
/// assert!(fewer.flow.is_empty());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PossibleFlow {
    flow: FxHashMap<(Key, Key), Map>,
    live_in: FxHashMap<Key, Set>,
    live_out: FxHashMap<Key, Set>,
}

impl PossibleFlow {
    /// Says that values flow from a write to a read at most by a relation `S[i] -> T[j]`, or by one that was
    /// given before.
    ///
    /// # Errors
    /// If it has other spaces than one that was given before.
    pub fn bound_flow(
        &mut self,
        source: (StatementId, ReferenceId),
        sink: (StatementId, ReferenceId),
        relation: Map,
    ) -> Result<()> {
        let relation = match self.flow.remove(&(source, sink)) {
            Some(known) => known.union(&relation)?,
            None => relation,
        };
        self.flow.insert((source, sink), relation);
        Ok(())
    }

    /// Says that only some instances of a read see values from before the region; those that were given
    /// before as well.
    ///
    /// # Errors
    /// If they have another space than those that were given before.
    pub fn bound_live_in(
        &mut self,
        read: (StatementId, ReferenceId),
        instances: Set,
    ) -> Result<()> {
        add(&mut self.live_in, read, instances)
    }

    /// Says that only some instances of a write leave values for after the region; those that were given
    /// before as well.
    ///
    /// # Errors
    /// If they have another space than those that were given before.
    pub fn bound_live_out(
        &mut self,
        write: (StatementId, ReferenceId),
        instances: Set,
    ) -> Result<()> {
        add(&mut self.live_out, write, instances)
    }

    /// The bounds without those about some arrays.
    pub(crate) fn without_arrays(&self, arrays: &[ArrayId], scop: &Scop) -> Self {
        let is_kept = |(statement, reference): &Key| {
            let accesses = scop.statements.get(statement.0 as usize).map(|own| &own.accesses);
            let mut accesses = accesses.into_iter().flatten();
            let access = accesses.find(|access| access.reference == *reference);
            access.is_none_or(|access| !arrays.contains(&access.array))
        };
        let mut rest = self.clone();
        rest.flow.retain(|(source, _), _| is_kept(source));
        rest.live_in.retain(|read, _| is_kept(read));
        rest.live_out.retain(|write, _| is_kept(write));
        rest
    }

    /// The part of a flow that is possible; `reads` are its sinks.
    pub(crate) fn part_of(
        &self,
        flow: &Flow,
        reads: &[&Reference],
        budget: &Budget,
    ) -> Result<Flow> {
        let mut dependences = Vec::with_capacity(flow.dependences.len());
        for dependence in &flow.dependences {
            let mut relation = dependence.relation.clone();
            if let Some(bound) = self.flow.get(&(dependence.source, dependence.sink)) {
                relation = relation.intersect_within(bound, budget)?;
                if surely_empty(&relation, budget) {
                    continue;
                }
                relation = relation.coalesce(budget).unwrap_or(relation);
            }
            dependences.push(Dependence { relation, ..dependence.clone() });
        }
        let mut no_source = Vec::with_capacity(flow.no_source.len());
        for (position, instances) in &flow.no_source {
            let instances = match self.live_in.get(&reads[*position].key()) {
                Some(bound) => instances.intersect_within(bound, budget)?,
                None => instances.clone(),
            };
            if !surely_empty(instances.as_map(), budget) {
                no_source.push((*position, instances));
            }
        }
        Ok(Flow { dependences, no_source, is_exact: flow.is_exact })
    }

    /// The part of the instances of a write whose values may be seen after the region.
    pub(crate) fn live_out_of(
        &self,
        write: &Reference,
        instances: Set,
        budget: &Budget,
    ) -> Result<Set> {
        match self.live_out.get(&write.key()) {
            Some(bound) => instances.intersect_within(bound, budget),
            None => Ok(instances),
        }
    }
}

fn add(known: &mut FxHashMap<Key, Set>, key: Key, instances: Set) -> Result<()> {
    let instances = match known.remove(&key) {
        Some(before) => before.union(&instances)?,
        None => instances,
    };
    known.insert(key, instances);
    Ok(())
}
