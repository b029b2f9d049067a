//! The generic dataflow problem: which sources reach which sinks past the cuts.
//!
//! Given sink, may-source and cut references, a source instance `s` reaches a sink instance `k`
//! if both access the same element, `s` runs before `k`, and no cut of that element runs strictly
//! between them ("Scheduling for PPCG", section 3.1; with sinks = reads and sources = cuts =
//! writes this is Feautrier's array dataflow analysis, 1991).
//!
//! # Method
//! For one sink reference the possible sources are visited from the deepest common level of the
//! schedule outwards, because a source that shares a longer prefix of the schedule with the sink
//! runs later. A *residual* set holds the sink instances for which no cut has been found yet: only
//! those can have sources further out. Sources of one level are ordered among themselves by
//! composition: with `R_w` the relation from cuts `w` to the sink and `D` the relation from source
//! to cut, both for equal elements in order, the pairs of `R \ (R_w ∘ D)` are those without a cut
//! between. At a level at which all candidates have constant times (positions in a sequence) the
//! later position is visited first and composition is only needed among equal positions.
//!
//! # Exactness
//! Exact. If the budget runs out, what should be subtracted is not, so that there are too many
//! dependences and too many sinks without source, never too few; [`Flow::is_exact`] says so.
pub(crate) mod dependence;
pub(crate) mod meeting;
pub(crate) mod order;
mod pair_forms;
pub(crate) mod reference;

use crate::engine::dependence::Dependence;
use crate::engine::meeting::Meeting;
use crate::engine::order::{ProgramOrder, surely_empty};
use crate::engine::pair_forms::PairForms;
use crate::engine::reference::{Key, Reference};
use loopwright_presburger::{Budget, DimKind, Error, Int, Map, Result, Set};
use loopwright_scop::AccessKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// With more pairs of references that may touch a common element there is no answer: each pair is a relation
/// that is kept.
const MOST_PAIRS: usize = 400_000;

/// The same for pairs of which most are not looked at, since others hide them.
const MOST_CANDIDATES: usize = 16 * MOST_PAIRS;

/// The answer to a dataflow problem.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// The sources of each sink.
    pub dependences: Vec<Dependence>,
    /// Per sink reference (its position among the sinks), the instances for which no cut runs
    /// before.
    pub no_source: Vec<(usize, Set)>,
    /// Whether nothing was approximated.
    pub is_exact: bool,
}

/// A dataflow solver for one program order.
pub struct Engine<'a> {
    order: &'a ProgramOrder,
    budget: &'a Budget,
    /// Whether compositions and intersections are limited, too.
    is_strict: bool,
    known: KnownPairs,
}

/// Relations between the references of a scop by source, sink and least level; clones know what
/// any of them learns.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownPairs(Arc<Mutex<Pairs>>);

#[derive(Debug, Default)]
struct Pairs {
    of_references: FxHashMap<(Key, Key, usize), Option<Map>>,
    forms: PairForms,
}

/// A reference, perhaps restricted to some of its instances.
pub(crate) struct ReferencePart<'a> {
    pub(crate) reference: &'a Reference,
    pub(crate) instances: Option<&'a Set>,
}

impl<'a> ReferencePart<'a> {
    /// References with all of their instances.
    pub(crate) fn whole(references: &[&'a Reference]) -> Vec<ReferencePart<'a>> {
        references.iter().map(|&reference| ReferencePart { reference, instances: None }).collect()
    }

    /// A reference with some of its instances.
    pub(crate) fn of(reference: &'a Reference, instances: &'a Set) -> ReferencePart<'a> {
        let is_whole = instances.as_map().plain_is_equal(reference.relation.domain().as_map());
        ReferencePart { reference, instances: (!is_whole).then_some(instances) }
    }
}

impl KnownPairs {
    /// What is known; a panic elsewhere leaves it whole, because entries are only added.
    fn lock(&self) -> MutexGuard<'_, Pairs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A source or cut.
#[derive(Clone, Copy)]
struct Suspect<'a> {
    reference: &'a Reference,
    is_source: bool,
    is_cut: bool,
}

/// All sources, then the cuts that are none.
struct Suspects<'a> {
    all: Vec<Suspect<'a>>,
    meeting: Meeting,
}

impl<'a> Suspects<'a> {
    fn new(sources: &[&'a Reference], cuts: &[&'a Reference]) -> Self {
        let keys = |list: &[&Reference]| list.iter().map(|r| r.key()).collect::<FxHashSet<Key>>();
        let (of_sources, of_cuts) = (keys(sources), keys(cuts));
        let source = |&reference: &&'a Reference| {
            let is_cut = of_cuts.contains(&reference.key());
            Suspect { reference, is_source: true, is_cut }
        };
        let cut =
            |&reference: &&'a Reference| Suspect { reference, is_source: false, is_cut: true };
        let only_cuts = cuts.iter().filter(|cut| !of_sources.contains(&cut.key()));
        let all: Vec<Suspect<'a>> = sources.iter().map(source).chain(only_cuts.map(cut)).collect();
        let meeting = Meeting::of(all.iter().map(|suspect| suspect.reference));
        Suspects { all, meeting }
    }
}

/// A source or cut at one level before a sink.
struct SourceCandidate<'a> {
    reference: &'a Reference,
    is_source: bool,
    is_cut: bool,
    level: usize,
    /// The position, if all candidates of the level have constant times there.
    position: Option<Int>,
}

impl<'a> Engine<'a> {
    /// A solver for the given order; `budget` limits subtractions.
    pub fn new(order: &'a ProgramOrder, budget: &'a Budget) -> Self {
        Engine { order, budget, is_strict: false, known: KnownPairs::default() }
    }

    /// The same solver, whose limit is also one of compositions and intersections: it ends with an error
    /// where they take too long.
    ///
    /// ```
    /// use loopwright_dataflow::{Engine, ProgramOrder, Reference};
    /// use loopwright_presburger::{Budget, Error};
    /// # let text = "void f(int n, double *A) {\n#pragma scop\n  for (int i = 1; i < n; i++)\n    A[i] = A[i - 1];\n#pragma endscop\n}\n";
    /// # let scop = loopwright_cfront::SourceFile::from_text("f.c", text).extract().unwrap().remove(0).scop;
    /// let (order, references) = (ProgramOrder::new(&scop, &scop.schedule.flatten()?), Reference::all(&scop));
    /// let (reads, writes): (Vec<_>, Vec<_>) = references.iter().partition(|own| own.is_read());
    /// let flow = |steps| Engine::new(&order, &Budget::steps(steps)).limiting_compositions().value_based(&writes, &writes, &reads);
    /// assert_eq!(flow(10_000)?.dependences.len(), 1);
    /// assert!(matches!(flow(1), Err(Error::Exceeded { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn limiting_compositions(self) -> Self {
        Engine { is_strict: true, ..self }
    }

    /// The same solver, sharing what is known about the same references under the same order.
    pub(crate) fn with_known(self, known: &KnownPairs) -> Self {
        Engine { known: known.clone(), ..self }
    }

    /// The same solver, with what it knows already, under another limit.
    pub fn with_budget<'b>(&self, budget: &'b Budget) -> Engine<'b>
    where
        'a: 'b,
    {
        Engine { order: self.order, budget, is_strict: self.is_strict, known: self.known.clone() }
    }

    /// All pairs of a source and a later sink that touch the same element, whatever is between.
    ///
    /// *Cost.* A composition per pair of references to one array and level of the order.
    pub fn memory_based(
        &self,
        sources: &[&Reference],
        sinks: &[&Reference],
    ) -> Result<Vec<Dependence>> {
        self.memory_based_parts(&ReferencePart::whole(sources), &ReferencePart::whole(sinks))
    }

    /// Like [`Engine::memory_based`], for parts of references.
    pub(crate) fn memory_based_parts(
        &self,
        sources: &[ReferencePart<'_>],
        sinks: &[ReferencePart<'_>],
    ) -> Result<Vec<Dependence>> {
        let meeting = Meeting::of(sources.iter().map(|source| source.reference));
        let mut dependences = Vec::new();
        for sink in sinks {
            for position in meeting.partners(sink.reference) {
                dependences.extend(self.dependence_of_parts(&sources[position], sink)?);
            }
        }
        Ok(dependences)
    }

    /// The pairs of two parts of references to one array, as a dependence; none if empty.
    pub(crate) fn dependence_of_parts(
        &self,
        source: &ReferencePart<'_>,
        sink: &ReferencePart<'_>,
    ) -> Result<Option<Dependence>> {
        let pairs = self.pairs_of_parts(source, sink)?;
        Ok(pairs.map(|relation| dependence(source.reference, sink.reference, relation)))
    }

    /// The pairs of two parts in order; none if empty.
    fn pairs_of_parts(
        &self,
        source: &ReferencePart<'_>,
        sink: &ReferencePart<'_>,
    ) -> Result<Option<Map>> {
        let Some(all) = self.ordered_pairs(source.reference, sink.reference, 0)? else {
            return Ok(None);
        };
        if source.instances.is_none() && sink.instances.is_none() {
            return Ok(Some(all));
        }
        let mut pairs = all;
        if let Some(instances) = source.instances {
            pairs = pairs.intersect_domain(instances)?;
        }
        if let Some(instances) = sink.instances {
            pairs = pairs.intersect_range(instances)?;
        }
        Ok((!surely_empty(&pairs, self.budget)).then(|| self.compact(pairs)))
    }

    /// The sources that reach each sink past the cuts.
    ///
    /// *Cost.* A composition per pair of references to one array and level of the order, and a subtraction or
    /// an optimum per candidate that others may hide.
    pub fn value_based(
        &self,
        sources: &[&Reference],
        cuts: &[&Reference],
        sinks: &[&Reference],
    ) -> Result<Flow> {
        let mut flow = Flow { is_exact: true, ..Flow::default() };
        let suspects = Suspects::new(sources, cuts);
        let mut n_pairs = 0;
        for (position, sink) in sinks.iter().enumerate() {
            let candidates = self.candidates(&suspects, sink);
            n_pairs += candidates.len();
            if n_pairs > MOST_CANDIDATES {
                return Err(too_many_pairs());
            }
            let residual = self.visit_candidates(&candidates, sink, &mut flow)?;
            if !surely_empty(residual.as_map(), self.budget) {
                flow.no_source.push((position, residual));
            }
        }
        Ok(flow)
    }

    /// The sources and cuts of a sink's array, one entry per level, most recent first.
    fn candidates<'r>(
        &self,
        suspects: &Suspects<'r>,
        sink: &Reference,
    ) -> Vec<SourceCandidate<'r>> {
        let mut candidates: Vec<SourceCandidate<'r>> = Vec::new();
        for position in suspects.meeting.partners(sink) {
            let Suspect { reference, is_source, is_cut } = suspects.all[position];
            for level in self.order.levels(reference.statement, sink.statement) {
                candidates.push(SourceCandidate {
                    reference,
                    is_source,
                    is_cut,
                    level,
                    position: None,
                });
            }
        }
        self.set_positions(&mut candidates);
        candidates.sort_by(|a, b| (b.level, &b.position).cmp(&(a.level, &a.position)));
        candidates
    }

    /// Enters the positions at levels where all candidates have constant times.
    fn set_positions(&self, candidates: &mut [SourceCandidate<'_>]) {
        for level in 0..self.order.n_levels() {
            let constant = |c: &SourceCandidate<'_>| {
                self.order.constant(c.reference.statement, level).cloned()
            };
            let of_level = || candidates.iter().filter(|c| c.level == level);
            if of_level().all(|c| constant(c).is_some()) {
                let positions: Vec<Option<Int>> = candidates.iter().map(constant).collect();
                for (candidate, position) in candidates.iter_mut().zip(positions) {
                    if candidate.level == level {
                        candidate.position = position;
                    }
                }
            }
        }
    }

    /// Collects the sink's dependences and returns its instances without a cut before them.
    fn visit_candidates(
        &self,
        candidates: &[SourceCandidate<'_>],
        sink: &Reference,
        flow: &mut Flow,
    ) -> Result<Set> {
        let mut residual = sink.relation.domain();
        let same_group = |a: &SourceCandidate<'_>, b: &SourceCandidate<'_>| {
            a.level == b.level && a.position == b.position
        };
        for group in candidates.chunk_by(same_group) {
            if surely_empty(residual.as_map(), self.budget) {
                break;
            }
            let reached = self.reach(group, sink, &residual)?;
            for (index, relation) in &reached {
                if group[*index].is_source {
                    let relation =
                        self.without_cuts_between(group, &reached, (*index, relation), sink, flow)?;
                    if !surely_empty(&relation, self.budget) {
                        flow.dependences.push(dependence(group[*index].reference, sink, relation));
                    }
                }
            }
            for (index, relation) in &reached {
                let cut = &group[*index];
                if cut.is_cut
                    && (sink.is_single_valued || self.cuts_everything(cut.reference, sink))
                {
                    residual = self.subtract_set(residual, &relation.range(), flow)?;
                    residual = Set::from_map(self.compact(residual.as_map().clone()));
                }
            }
        }
        Ok(residual)
    }

    /// The non-empty relations from the candidates of a group to the residual sinks.
    fn reach(
        &self,
        group: &[SourceCandidate<'_>],
        sink: &Reference,
        residual: &Set,
    ) -> Result<Vec<(usize, Map)>> {
        let mut reached = Vec::new();
        for (index, candidate) in group.iter().enumerate() {
            let before = self.order.before_at(
                candidate.reference.statement,
                sink.statement,
                candidate.level,
            )?;
            let Some(before) = before else { continue };
            let relation = self.common(&self.same_element(candidate.reference, sink)?, &before)?;
            let relation = match self.is_strict {
                true => relation.intersect_range_within(residual, self.budget)?,
                false => relation.intersect_range(residual)?,
            };
            if !surely_empty(&relation, self.budget) {
                reached.push((index, self.compact(relation)));
            }
        }
        Ok(reached)
    }

    /// `{ s -> k : both touch the same element }`.
    fn same_element(&self, source: &Reference, sink: &Reference) -> Result<Map> {
        debug_assert_eq!(source.relation.n(DimKind::Out), sink.relation.n(DimKind::Out));
        self.composed(&source.relation, &sink.relation.reverse())
    }

    fn composed(&self, first: &Map, second: &Map) -> Result<Map> {
        match self.is_strict {
            true => first.apply_range_within(second, self.budget),
            false => first.apply_range(second),
        }
    }

    fn common(&self, first: &Map, second: &Map) -> Result<Map> {
        match self.is_strict {
            true => first.intersect_within(second, self.budget),
            false => first.intersect(second),
        }
    }

    /// The part of a source's relation to the sink that no cut of its group interrupts.
    fn without_cuts_between(
        &self,
        group: &[SourceCandidate<'_>],
        reached: &[(usize, Map)],
        (index, relation): (usize, &Map),
        sink: &Reference,
        flow: &mut Flow,
    ) -> Result<Map> {
        let source = &group[index];
        // What is cut at one element may flow through another one.
        let may_pass = !source.reference.is_single_valued && !sink.is_single_valued;
        let least_level = source.level + usize::from(source.position.is_some());
        let mut rest = relation.clone();
        for (other, from_cut) in reached.iter().filter(|(other, _)| group[*other].is_cut) {
            let cut = group[*other].reference;
            if may_pass && !self.cuts_everything(cut, sink) {
                continue;
            }
            if let Some(to_cut) = self.ordered_pairs(source.reference, cut, least_level)? {
                let interrupted = self.compact(self.composed(&to_cut, from_cut)?);
                rest = match rest.subtract(&interrupted, self.budget) {
                    Err(Error::Exceeded { .. }) => {
                        flow.is_exact = false;
                        rest
                    }
                    other => other?,
                };
            }
        }
        Ok(self.compact(rest))
    }

    /// Whether each instance of a kill is one of all elements that a reference ever touches: an array that is
    /// declared in a loop, say, of which data decides what is read.
    fn cuts_everything(&self, cut: &Reference, sink: &Reference) -> bool {
        if cut.kind != AccessKind::Kill {
            return false;
        }
        let (domain, range) = (cut.relation.domain(), cut.relation.range());
        let is_subset = |part: Result<bool>| part.unwrap_or(false);
        let all = || Map::from_domain_and_range(&domain, &range);
        is_subset(sink.relation.range().is_subset(&range, self.budget))
            && is_subset(all().and_then(|all| all.is_subset(&cut.relation, self.budget)))
    }

    /// The same relation in fewer pieces where merging succeeds within the budget: compositions
    /// multiply the numbers of pieces.
    fn compact(&self, relation: Map) -> Map {
        match relation.basic_maps().len() {
            0 | 1 => relation,
            _ => relation.coalesce(self.budget).unwrap_or(relation),
        }
    }

    fn subtract_set(&self, set: Set, other: &Set, flow: &mut Flow) -> Result<Set> {
        match set.subtract(other, self.budget) {
            Err(Error::Exceeded { .. }) => {
                flow.is_exact = false;
                Ok(set)
            }
            result => result,
        }
    }

    /// Pairs for the same element in order at `least_level` or deeper; none if empty.
    ///
    /// For deeper levels the times agree above, since [`ProgramOrder::before_at`] says so.
    fn ordered_pairs(
        &self,
        source: &Reference,
        sink: &Reference,
        least_level: usize,
    ) -> Result<Option<Map>> {
        let key = (source.key(), sink.key(), least_level);
        if let Some(known) = self.known.lock().of_references.get(&key) {
            return Ok(known.clone());
        }
        let pairs = self.ordered_pairs_by_form(source, sink, least_level)?;
        let known = &mut self.known.lock().of_references;
        if known.len() >= MOST_PAIRS {
            return Err(too_many_pairs());
        }
        known.insert(key, pairs.clone());
        Ok(pairs)
    }

    /// The same, by another pair of the same form if there was one.
    fn ordered_pairs_by_form(
        &self,
        source: &Reference,
        sink: &Reference,
        least_level: usize,
    ) -> Result<Option<Map>> {
        let form = self.known.lock().forms.key(self.order, (source, sink), least_level);
        let Some(form) = form else {
            return self.compute_ordered_pairs(source, sink, least_level);
        };
        if let Some((_, known)) = self.known.lock().forms.get(&form) {
            let tuple = |end: &Reference| end.relation.space().input().cloned();
            let space = source.relation.space().with_tuples(tuple(source), tuple(sink));
            return known.as_ref().map(|pairs| pairs.with_space_tuples(&space)).transpose();
        }
        let pairs = self.compute_ordered_pairs(source, sink, least_level)?;
        self.known.lock().forms.insert(form, pairs.clone());
        Ok(pairs)
    }

    /// Whether every pair in order of a source and a sink has an instance of `between` after the source and
    /// before the sink that touches the same element, as far as that is a matter of form.
    pub(crate) fn is_covered(
        &self,
        (source, between, sink): (&Reference, &Reference, &Reference),
    ) -> Result<bool> {
        let mut ends = Vec::new();
        for (first, second) in [(source, sink), (source, between), (between, sink)] {
            let Some(pairs) = self.ordered_pairs(first, second, 0)? else { return Ok(false) };
            let mut known = self.known.lock();
            let key = known.forms.key(self.order, (first, second), 0);
            let Some((form, _)) = key.and_then(|key| known.forms.get(&key)) else {
                return Ok(false);
            };
            ends.push((form, pairs));
        }
        let [all, first, second] = &ends[..] else { return Ok(false) };
        let mut known = self.known.lock();
        Ok(known.forms.is_covered((all.0, &all.1), (first.0, &first.1), (second.0, &second.1)))
    }

    fn compute_ordered_pairs(
        &self,
        source: &Reference,
        sink: &Reference,
        least_level: usize,
    ) -> Result<Option<Map>> {
        let meeting = self.same_element(source, sink)?;
        let mut pairs: Option<Map> = None;
        for level in self.order.levels(source.statement, sink.statement) {
            if level < least_level {
                continue;
            }
            let before = self.order.before_at(source.statement, sink.statement, level)?;
            let Some(before) = before else { continue };
            let at_level = self.common(&meeting, &before)?;
            if !surely_empty(&at_level, self.budget) {
                pairs = Some(match pairs {
                    Some(pairs) => pairs.union(&at_level)?,
                    None => at_level,
                });
            }
        }
        Ok(pairs.map(|pairs| self.compact(pairs)))
    }
}

/// The error where there are more than [`MOST_PAIRS`].
fn too_many_pairs() -> Error {
    Error::too_large("the pairs of accesses to one array")
}

fn dependence(source: &Reference, sink: &Reference, relation: Map) -> Dependence {
    Dependence { source: source.key(), sink: sink.key(), array: sink.array, relation }
}
