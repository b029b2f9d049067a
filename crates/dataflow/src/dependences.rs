//! The dependences of a scop: flow, order, forced, false; live-in and live-out accesses.
//!
//! "Scheduling for PPCG", sections 3.2 and 3.3 (live-range reordering).
mod beside_copies;
mod independent;
pub(crate) mod possible;

use crate::dependences::possible::PossibleFlow;
use crate::engine::meeting::Meeting;
use crate::engine::order::surely_empty;
use crate::engine::reference::Key;
use crate::engine::{Flow, KnownPairs, ReferencePart};
use crate::{Dependence, Engine, ProgramOrder, Reassociation, Reference};
use loopwright_presburger::{Budget, DimKind, Error, Map, Result, Set, UnionMap};
use loopwright_scop::{AccessKind, ArrayId, ReferenceId, Scop, StatementId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::Arc;

/// Steps (see [`Budget`]) for dependences that only matter for locality; about half a second.
const NEAREST_STEPS: u64 = 2_000_000;

/// More pairs of sources of one read than this are not looked at one by one.
const MANY_PAIRS: usize = 4096;

/// Accesses of one reference that see values from before, or leave values for after, the region.
#[derive(Clone, Debug)]
pub struct LiveAccess {
    /// The statement.
    pub statement: StatementId,
    /// The reference.
    pub reference: ReferenceId,
    /// The array.
    pub array: ArrayId,
    /// The instances.
    pub instances: Set,
    /// `S[i] -> A[x]` for those instances.
    pub relation: Map,
}

/// All dependences of a scop under its own order.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// From each write to the reads that may see its value.
    pub flow: Vec<Dependence>,
    /// From reads and unmatched writes to later writes of the element, whatever is between: the
    /// order of live ranges, to be kept unless the live ranges stay apart.
    pub order: Vec<Dependence>,
    /// What must stay in order in any case: live-out writes after all earlier writes, live-in reads
    /// before all later writes, and several possible sources of one read.
    pub forced: Vec<Dependence>,
    /// Anti and output dependences from the last access only; for locality, not for validity.
    pub false_nearest: Vec<Dependence>,
    /// Reads that may see a value from before the region.
    pub live_in: Vec<LiveAccess>,
    /// Writes whose value may be seen after the region.
    pub live_out: Vec<LiveAccess>,
    /// Whether nothing was approximated because of the budget.
    pub is_exact: bool,
    /// If updates may run in any order, what has been set apart (see [`crate::reassociated`]).
    pub reassociation: Option<Reassociation>,
    /// Pairs of updates of one element whose order is free, and that may run at one time if each of them is
    /// one instruction: nothing else says that they touch the same element. Empty but for
    /// [`crate::with_atomic_updates`].
    pub atomic: Vec<Dependence>,
    /// What another analysis of the scop need not compute again.
    pub(crate) known: KnownPairs,
    /// What may flow at most, as another analysis has found.
    pub(crate) possible: Option<Arc<PossibleFlow>>,
}

impl Dependences {
    /// The dependences of `scop`.
    ///
    /// *Method.* Seven runs of the [`Engine`], see the module. *Cost.* Polynomial in the number of
    /// references of one array for the usual programs; subtraction takes the budget, and when it
    /// is used up there are more dependences than needed ([`Dependences::is_exact`]).
    ///
    /// # Errors
    /// Those of [`Scop::check`].
    pub fn of_scop(scop: &Scop, budget: &Budget) -> Result<Dependences> {
        scop.check()?;
        let known = KnownPairs::default();
        Dependences::of_references(scop, &Reference::all(scop), &known, None, true, budget)
    }

    /// The dependences of a program whose order is settled, and only has to be proved: those of
    /// [`Dependences::of_scop`] without [`Dependences::false_nearest`], which nothing but a choice of an
    /// order asks for.
    ///
    /// *Cost.* Half of that of [`Dependences::of_scop`] or less.
    ///
    /// # Errors
    /// Those of [`Scop::check`].
    pub fn in_settled_order(scop: &Scop, budget: &Budget) -> Result<Dependences> {
        scop.check()?;
        let known = KnownPairs::default();
        Dependences::of_references(scop, &Reference::all(scop), &known, None, false, budget)
    }

    /// The dependences of `scop` if no more flows than is said to be possible.
    ///
    /// *Cost.* That of [`Dependences::of_scop`], and an intersection per bound.
    ///
    /// # Errors
    /// Those of [`Dependences::of_scop`]; [`Error::Exceeded`] if the budget is used up.
    pub fn of_scop_within(
        scop: &Scop,
        possible: &PossibleFlow,
        budget: &Budget,
    ) -> Result<Dependences> {
        scop.check()?;
        let (known, possible) = (KnownPairs::default(), Some(Arc::new(possible.clone())));
        Dependences::of_references(scop, &Reference::all(scop), &known, possible, true, budget)
    }

    /// The dependences between the given references of `scop`, of which something may be known
    /// already; those that only matter for locality if `with_nearest`.
    pub(crate) fn of_references(
        scop: &Scop,
        references: &[Reference],
        known: &KnownPairs,
        possible: Option<Arc<PossibleFlow>>,
        with_nearest: bool,
        budget: &Budget,
    ) -> Result<Dependences> {
        let order = ProgramOrder::new(scop, &scop.schedule.flatten_on_whole_spaces()?);
        let engine = Engine::new(&order, budget).with_known(known);
        let bounds = possible.as_deref();
        let by_key = references.iter().map(|reference| (reference.key(), reference)).collect();
        let analysis = Analysis { scop, references, by_key, engine, possible: bounds, budget };
        let found = analysis.run(with_nearest)?;
        Ok(Dependences { known: known.clone(), possible, ..found })
    }

    /// The pairs of updates whose order is free; empty unless updates may be reassociated.
    pub fn reassociated(&self) -> &[Dependence] {
        self.reassociation.as_ref().map_or(&[], |reassociation| &reassociation.pairs)
    }

    /// The flow dependences in the order of the program: what should be close in time.
    pub fn nearest_flow(&self) -> &[Dependence] {
        self.reassociation.as_ref().map_or(&self.flow, |reassociation| &reassociation.nearest_flow)
    }

    /// The flow dependences as one relation between instances.
    pub fn flow_map(&self) -> Result<UnionMap> {
        crate::untagged(&self.flow)
    }

    /// Everything that an order without any reordering of live ranges has to respect.
    pub fn memory_map(&self) -> Result<UnionMap> {
        crate::untagged(self.flow.iter().chain(&self.order).chain(&self.forced))
    }

    /// The number of dependences (pairs of references) of all kinds that constrain the order.
    pub fn len(&self) -> usize {
        self.flow.len() + self.order.len() + self.forced.len()
    }

    /// Whether nothing constrains the order.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

struct Analysis<'a> {
    scop: &'a Scop,
    references: &'a [Reference],
    by_key: FxHashMap<Key, &'a Reference>,
    engine: Engine<'a>,
    possible: Option<&'a PossibleFlow>,
    budget: &'a Budget,
}

impl Analysis<'_> {
    fn run(&self, with_nearest: bool) -> Result<Dependences> {
        let all: Vec<&Reference> = self.references.iter().collect();
        let select = |keep: fn(&Reference) -> bool| -> Vec<&Reference> {
            all.iter().copied().filter(|reference| keep(reference)).collect()
        };
        let reads = select(Reference::is_read);
        let writes = select(Reference::is_may_write);
        let cuts = select(Reference::cuts);
        let accesses = select(|r| r.is_read() || r.is_may_write());

        let by_accesses = self.engine.value_based(&writes, &cuts, &reads)?;
        let flow = match self.possible {
            Some(possible) => Cow::Owned(possible.part_of(&by_accesses, &reads, self.budget)?),
            None => Cow::Borrowed(&by_accesses),
        };
        let live_in = self.live_in(&flow.no_source, &reads)?;
        let live_out = self.live_out(&writes, &cuts)?;
        let false_nearest = match with_nearest {
            true => self.false_nearest(&accesses, &cuts, &writes)?,
            false => Vec::new(),
        };
        let order = self.order_dependences(&reads, &writes, &flow.dependences, &live_out)?;
        let mut forced = self.before_live_out(&writes, &live_out)?;
        forced.extend(self.after_live_in(&writes, &live_in)?);
        forced.extend(self.between_sources(&flow, &by_accesses)?);
        let flow = match flow {
            Cow::Owned(flow) => flow,
            Cow::Borrowed(_) => by_accesses,
        };
        Ok(Dependences {
            flow: flow.dependences,
            order,
            forced,
            false_nearest,
            live_in,
            live_out,
            is_exact: flow.is_exact,
            reassociation: None,
            atomic: Vec::new(),
            known: KnownPairs::default(),
            possible: None,
        })
    }

    /// The last accesses before each write, as far as [`NEAREST_STEPS`] lead: no order depends on
    /// them. Nothing is near across a kill: the variable is another one there.
    fn false_nearest(
        &self,
        accesses: &[&Reference],
        cuts: &[&Reference],
        writes: &[&Reference],
    ) -> Result<Vec<Dependence>> {
        let part = self.budget.part(NEAREST_STEPS);
        let nearest = self.engine.with_budget(&part).value_based(accesses, cuts, writes);
        self.budget.charge(&part);
        match nearest {
            Err(Error::Exceeded { .. }) => Ok(Vec::new()),
            result => Ok(result?.dependences),
        }
    }

    fn live_in(&self, no_source: &[(usize, Set)], reads: &[&Reference]) -> Result<Vec<LiveAccess>> {
        let declared_inside = |r: &Reference| self.scop.arrays[r.array.0 as usize].declared_in_scop;
        let live = no_source.iter().filter(|(position, _)| !declared_inside(reads[*position]));
        live.map(|(position, instances)| live_access(reads[*position], instances.clone())).collect()
    }

    /// Writes that no later sure write or kill of the element follows, in arrays used afterwards.
    fn live_out(&self, writes: &[&Reference], cuts: &[&Reference]) -> Result<Vec<LiveAccess>> {
        let mut live_out = Vec::new();
        let meeting = Meeting::of(cuts.iter().copied());
        for write in writes {
            let array = &self.scop.arrays[write.array.0 as usize];
            if !array.live_out {
                continue;
            }
            let mut instances = write.relation.domain();
            // A write of several elements is seen if one of them is not overwritten.
            let mut cuts: Vec<&Reference> = match write.is_single_valued {
                true => meeting.partners(write).into_iter().map(|at| cuts[at]).collect(),
                false => Vec::new(),
            };
            // What comes next most often overwrites everything.
            let n_before = cuts.partition_point(|cut| cut.key() <= write.key());
            cuts.rotate_left(n_before);
            for cut in cuts {
                for overwritten in self.engine.memory_based(&[write], &[cut])? {
                    let dead = overwritten.relation.domain();
                    instances = instances.subtract(&dead, self.budget).unwrap_or(instances);
                }
                if instances.plain_is_empty() {
                    break;
                }
            }
            if let Some(possible) = self.possible {
                instances = possible.live_out_of(write, instances, self.budget)?;
            }
            if !surely_empty(instances.as_map(), self.budget) {
                live_out.push(live_access(write, instances)?);
            }
        }
        Ok(live_out)
    }

    /// From reads, and from writes whose values nobody reads, to all later writes.
    ///
    /// Two writes whose values nobody sees, now or after the region, may run in any order, though not at one
    /// time. Pairs of them are left out where another such write comes between them, so that what is left
    /// keeps the ends apart: many statements in a row that overwrite each other have few pairs.
    fn order_dependences(
        &self,
        reads: &[&Reference],
        writes: &[&Reference],
        flow: &[Dependence],
        live_out: &[LiveAccess],
    ) -> Result<Vec<Dependence>> {
        let unmatched = self.unmatched_writes(writes, flow)?;
        let unmatched: Vec<ReferencePart<'_>> = unmatched
            .iter()
            .map(|(reference, instances)| ReferencePart::of(reference, instances))
            .collect();
        let dead = self.dead_writes(&unmatched, live_out);
        let reads = ReferencePart::whole(reads);
        let writes = ReferencePart::whole(writes);
        let sources: Vec<&ReferencePart<'_>> = reads.iter().chain(&unmatched).collect();
        let meeting = Meeting::of(sources.iter().map(|source| source.reference));
        let mut order = Vec::new();
        for sink in &writes {
            let dead: &[&Reference] = dead.get(&sink.reference.array).map_or(&[], |dead| dead);
            for source in meeting.partners(sink.reference).into_iter().map(|at| sources[at]) {
                if !self.has_dead_write_between(dead, source.reference, sink.reference)? {
                    order.extend(self.engine.dependence_of_parts(source, sink)?);
                }
            }
        }
        Ok(order)
    }

    /// The sure writes of each array of which no value is seen, in the order of the text.
    fn dead_writes<'r>(
        &self,
        unmatched: &[ReferencePart<'r>],
        live_out: &[LiveAccess],
    ) -> FxHashMap<ArrayId, Vec<&'r Reference>> {
        let live_out: FxHashSet<_> =
            live_out.iter().map(|live| (live.statement, live.reference)).collect();
        let mut dead: FxHashMap<ArrayId, Vec<&Reference>> = FxHashMap::default();
        for write in unmatched.iter().filter(|part| part.instances.is_none()) {
            let write = write.reference;
            if write.is_must_write() && write.is_single_valued && !live_out.contains(&write.key()) {
                dead.entry(write.array).or_default().push(write);
            }
        }
        dead
    }

    /// Whether a source and a sink are dead writes, and one next to either of them comes between all their
    /// pairs.
    fn has_dead_write_between(
        &self,
        dead: &[&Reference],
        source: &Reference,
        sink: &Reference,
    ) -> Result<bool> {
        let position = |of: &Reference| dead.binary_search_by_key(&of.key(), |write| write.key());
        let (Ok(first), Ok(last)) = (position(source), position(sink)) else { return Ok(false) };
        if first + 1 >= last || !source.is_must_write() {
            return Ok(false);
        }
        for between in [dead[last - 1], dead[first + 1]] {
            if self.engine.is_covered((source, between, sink))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The writes whose values reach no read, with those instances.
    fn unmatched_writes<'r>(
        &self,
        writes: &[&'r Reference],
        flow: &[Dependence],
    ) -> Result<Vec<(&'r Reference, Set)>> {
        let mut from: FxHashMap<Key, Vec<&Dependence>> = FxHashMap::default();
        for dependence in flow {
            from.entry(dependence.source).or_default().push(dependence);
        }
        let mut unmatched = Vec::new();
        for &write in writes {
            let mut instances = write.relation.domain();
            // Of several elements only some may be read.
            let from_write = from.get(&write.key()).filter(|_| write.is_single_valued);
            for dependence in from_write.into_iter().flatten() {
                let read = dependence.relation.domain();
                instances = instances.subtract(&read, self.budget).unwrap_or(instances);
            }
            if !surely_empty(instances.as_map(), self.budget) {
                unmatched.push((write, instances));
            }
        }
        Ok(unmatched)
    }

    /// From every write to later live-out writes of the element.
    fn before_live_out(
        &self,
        writes: &[&Reference],
        live_out: &[LiveAccess],
    ) -> Result<Vec<Dependence>> {
        self.engine.memory_based_parts(&ReferencePart::whole(writes), &self.live_parts(live_out))
    }

    /// From live-in reads to every later write of the element.
    fn after_live_in(
        &self,
        writes: &[&Reference],
        live_in: &[LiveAccess],
    ) -> Result<Vec<Dependence>> {
        self.engine.memory_based_parts(&self.live_parts(live_in), &ReferencePart::whole(writes))
    }

    fn live_parts<'l>(&'l self, live: &'l [LiveAccess]) -> Vec<ReferencePart<'l>> {
        let of = |live: &'l LiveAccess| {
            ReferencePart::of(self.find((live.statement, live.reference)), &live.instances)
        };
        live.iter().map(of).collect()
    }

    /// Between different possible sources of one read (only may-writes, accesses of several elements and
    /// approximations make several). Where very many sources meet ([`MANY_PAIRS`]), all their accesses of an
    /// element stay in order, whichever reads see them. Where less may flow than accesses say, from its
    /// sources to all later ones (`possible.rs`).
    fn between_sources(&self, flow: &Flow, by_accesses: &Flow) -> Result<Vec<Dependence>> {
        let pairs = self.meeting_sources(flow, by_accesses);
        if pairs.len() > MANY_PAIRS {
            return self.ordered_sources(&pairs);
        }
        let mut forced = Vec::new();
        for (first, second) in pairs {
            let common = first.relation.apply_range(&second.relation.reverse())?;
            let source = self.find(first.source);
            let sink = self.find(second.source);
            for ordered in self.engine.memory_based(&[source], &[sink])? {
                let relation = ordered.relation.intersect(&common)?;
                if !surely_empty(&relation, self.budget) {
                    forced.push(Dependence { relation, ..ordered });
                }
            }
        }
        Ok(forced)
    }

    /// Pairs of flow dependences to one read whose sources may have to stay in order.
    fn meeting_sources<'f>(
        &self,
        flow: &'f Flow,
        by_accesses: &'f Flow,
    ) -> Vec<(&'f Dependence, &'f Dependence)> {
        let is_sure = |key| !self.is_may_write(key) && self.is_single_valued(key);
        let mut of_sink: FxHashMap<_, Vec<&Dependence>> = FxHashMap::default();
        for dependence in &by_accesses.dependences {
            of_sink.entry(dependence.sink).or_default().push(dependence);
        }
        let mut pairs = Vec::new();
        for first in &flow.dependences {
            let is_sure_so_far = flow.is_exact && is_sure(first.source) && is_sure(first.sink);
            let seconds = of_sink.get(&first.sink).into_iter().flatten();
            let seconds = seconds.filter(|second| !(is_sure_so_far && is_sure(second.source)));
            pairs.extend(seconds.map(|second| (first, *second)));
        }
        pairs
    }

    /// The sources of pairs in order, wherever they access the same element.
    fn ordered_sources(&self, pairs: &[(&Dependence, &Dependence)]) -> Result<Vec<Dependence>> {
        let mut forced = Vec::new();
        let mut done = FxHashSet::default();
        for (first, second) in pairs {
            if done.insert((first.source, second.source)) {
                let (source, sink) = (self.find(first.source), self.find(second.source));
                forced.extend(self.engine.memory_based(&[source], &[sink])?);
            }
        }
        Ok(forced)
    }

    fn is_may_write(&self, key: (StatementId, ReferenceId)) -> bool {
        self.find(key).kind == AccessKind::MayWrite
    }

    fn is_single_valued(&self, key: (StatementId, ReferenceId)) -> bool {
        self.find(key).is_single_valued
    }

    fn find(&self, key: (StatementId, ReferenceId)) -> &Reference {
        self.by_key.get(&key).expect("dependences name references of the scop")
    }
}

fn live_access(reference: &Reference, instances: Set) -> Result<LiveAccess> {
    debug_assert!(reference.relation.n(DimKind::In) == instances.n(DimKind::Out));
    let relation = reference.relation.intersect_domain(&instances)?;
    Ok(LiveAccess {
        statement: reference.statement,
        reference: reference.reference,
        array: reference.array,
        instances,
        relation,
    })
}
