//! Dependence analysis on access relations and a schedule that somebody else made: what isl's
//! `isl_union_access_info` takes and `isl_union_flow` gives back.
//!
//! # Meaning
//! A *source* of a sink access (instance k, element a) is an access (instance y, element a) of the
//! sure or possible sources such that y runs before k and no sure source and no kill of a runs
//! strictly between them. A dependence is *sure* if it is the only one of its sink access, its
//! source is a sure source, and no kill before k may run after it.
//!
//! The schedule may be partial: instances at one time, and in different children of a set node, are
//! not ordered, so neither hides the other. (Where several instances *of one statement* are at one
//! time, isl takes the lexicographically last for the last one; here all of them are possible
//! sources.) Instances without a time take no part.
//!
//! # Method
//! Every access is made an instance of its own, `[S[i] -> A[x]]`, which touches one element and
//! runs at the time of `S[i]`. On these the [`Engine`] is exact whether or not the given relations
//! are single-valued.
use crate::accesses::access_flow::AccessFlow;
use crate::accesses::access_order::{AccessOrder, LiftedAccesses};
use crate::accesses::role::Role;
use crate::accesses::schedule::Schedule;
use crate::accesses::sure_dependences::SureDependences;
use crate::engine::order::surely_empty;
use crate::engine::{Engine, Flow};
use crate::{Dependence, Reference};
use loopwright_presburger::{Budget, Error, Map, Result, Set, Space, UnionMap, UnionSet};

/// Accesses and the order in which they happen.
///
/// # Examples
/// ```
/// use loopwright_dataflow::AccessInformation;
/// use loopwright_presburger::{Budget, UnionMap};
/// let information = AccessInformation::parse(
///     "sink: '{ S[] -> a[] }'\n\
///      must_source: '{ T[i] -> a[] : 0 <= i < 10 }'\n\
///      schedule_map: '{ T[i] -> [0, i]; S[] -> [1, 0] }'\n",
/// )?;
/// let budget = Budget::steps(1_000_000);
/// let flow = information.compute_flow(&budget)?;
/// let last = UnionMap::parse("{ T[9] -> [S[] -> a[]] }")?;
/// assert!(flow.full_must_dependence.is_equal(&last, &budget)?);
/// assert!(flow.may_no_source.is_empty(&budget)?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AccessInformation {
    /// The accesses whose sources are wanted, `S[i] -> A[x]`.
    pub sink: UnionMap,
    /// Accesses that are sources for sure and hide earlier ones.
    pub must_source: UnionMap,
    /// Accesses that are sources perhaps and hide nothing.
    pub may_source: UnionMap,
    /// Accesses that are no sources and hide earlier ones.
    pub kill: UnionMap,
    /// The order.
    pub schedule: Schedule,
}

impl AccessInformation {
    /// Accesses of `sink` under `schedule`, without any source or kill yet.
    ///
    /// ```
    /// use loopwright_dataflow::{AccessInformation, Schedule};
    /// use loopwright_presburger::{Budget, UnionMap};
    /// let sink = UnionMap::parse("{ S[i] -> a[i] : 0 <= i < 3 }")?;
    /// let schedule = Schedule::Map(UnionMap::parse("{ S[i] -> [i] }")?);
    /// let mut information = AccessInformation::new(sink, schedule);
    /// information.may_source = UnionMap::parse("{ S[i] -> a[i + 1] }")?;
    /// let budget = Budget::steps(1_000_000);
    /// let expected = UnionMap::parse("{ S[i] -> S[i + 1] : -1 <= i < 2 }")?;
    /// assert!(information.compute_flow(&budget)?.may_dependence()?.is_equal(&expected, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn new(sink: UnionMap, schedule: Schedule) -> Self {
        let (must_source, may_source) = (UnionMap::empty(), UnionMap::empty());
        AccessInformation { sink, must_source, may_source, kill: UnionMap::empty(), schedule }
    }

    /// The dependences, and the sink accesses without source.
    ///
    /// *Exactness.* Exact. *Cost.* For every sink relation, compositions and subtractions of the
    /// relations of its array, level by level of the schedule; all within the budget.
    ///
    /// # Errors
    /// [`Error::Exceeded`] if the budget runs out; if the schedule is not well-formed.
    pub fn compute_flow(&self, budget: &Budget) -> Result<AccessFlow> {
        let mut lifted = LiftedAccesses::new(&self.schedule)?;
        let relations = [
            (&self.must_source, Role::MustSource),
            (&self.may_source, Role::MaySource),
            (&self.kill, Role::Kill),
            (&self.sink, Role::Sink),
        ];
        let mut references = Vec::new();
        for (accesses, role) in relations {
            for access in lifted.scheduled(accesses)?.maps() {
                if !access.plain_is_empty() {
                    references.push(lifted.reference(access, role.reference())?);
                }
            }
        }
        let order = lifted.into_order(budget)?;
        Analysis { references: &references, order: &order, budget }.run()
    }
}

struct Analysis<'a> {
    references: &'a [Reference],
    order: &'a AccessOrder,
    budget: &'a Budget,
}

impl<'a> Analysis<'a> {
    fn with_roles(&self, roles: &[Role]) -> Vec<&'a Reference> {
        let is_chosen = |r: &&Reference| roles.iter().any(|role| role.reference() == r.reference);
        self.references.iter().filter(is_chosen).collect()
    }

    fn run(&self) -> Result<AccessFlow> {
        let engine = Engine::new(&self.order.order, self.budget).limiting_compositions();
        let sources = self.with_roles(&[Role::MustSource, Role::MaySource]);
        let cuts = self.with_roles(&[Role::MustSource, Role::Kill]);
        let sinks = self.with_roles(&[Role::Sink]);
        let flow = engine.value_based(&sources, &cuts, &sinks)?;
        if !flow.is_exact {
            return Err(Error::too_large("dependence analysis"));
        }
        let kills = self.with_roles(&[Role::Kill]);
        let order = &self.order.order;
        let sure = SureDependences { engine: &engine, order, kills: &kills, budget: self.budget };
        let sure = sure.among(&flow.dependences, &sinks)?;
        let all = self.with_roles(&[Role::MustSource, Role::MaySource, Role::Kill]);
        Ok(AccessFlow {
            full_must_dependence: self.of_accesses(&sure)?,
            full_may_dependence: self.of_accesses(&flow.dependences)?,
            must_no_source: self.without_any(&engine, &all, &flow, &sinks)?,
            may_no_source: self.accesses(flow.no_source.iter().map(|(_, set)| set.clone()))?,
        })
    }

    /// The sink accesses before which nothing touches the element. Only those without a cut
    /// before them can be.
    fn without_any(
        &self,
        engine: &Engine<'_>,
        all: &[&Reference],
        flow: &Flow,
        sinks: &[&Reference],
    ) -> Result<UnionMap> {
        let mut without = Vec::new();
        for (position, residual) in &flow.no_source {
            let mut rest = residual.clone();
            for touching in engine.memory_based(all, &[sinks[*position]])? {
                rest = rest.subtract(&touching.relation.range(), self.budget)?;
            }
            without.push(rest);
        }
        self.accesses(without.into_iter())
    }

    /// From `[T[j] -> A[x]] -> [S[i] -> A[x]]` to `T[j] -> [S[i] -> A[x]]`.
    fn of_accesses(&self, dependences: &[Dependence]) -> Result<UnionMap> {
        let of_accesses = |d: &Dependence| d.relation.apply_domain(self.order.instance(d.source.0));
        let relations = dependences.iter().map(of_accesses).collect::<Result<Vec<Map>>>()?;
        UnionMap::from_maps(&Space::params(&[]), relations).coalesce(self.budget)
    }

    /// From sets of `[S[i] -> A[x]]` to `S[i] -> A[x]`.
    fn accesses(&self, sets: impl Iterator<Item = Set>) -> Result<UnionMap> {
        let mut all = UnionSet::empty();
        for set in sets.filter(|set| !surely_empty(set.as_map(), self.budget)) {
            all = all.union(&UnionSet::from_set(set))?;
        }
        all.coalesce(self.budget)?.unwrap()
    }
}
