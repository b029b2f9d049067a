//! Programs without variables that hold elements of other arrays for a while.
//!
//! A tile that is computed in registers begins with loads (`r[x] = C[i][j]`), updates `r[x]`, and ends with
//! stores (`C[i][j] = r[x]`); panels are loads without stores. Where each element of such a variable, a *buffer*,
//! stands for the element that it was loaded from, the program computes the same if it uses that element
//! instead, without loads and stores. Then its instances may correspond to those of a program that has no
//! buffers ([`crate::correspondence`]).
//!
//! # Why the values are the same
//! A buffer `L` has one definition of *loads*, copies of elements of one array `A`. `l(a)` is the last load
//! of the element of `L` that an access `a` is to, by dataflow analysis with kills (the beginning and end of
//! `L`'s life), and `e(l)` the element that it loads. *Stores* are copies of elements of `L` to `e(l)`; *updates*
//! are all other writes to `L`. The program without `L` accesses `e(l(a))` where `a` accesses `L`, and has no
//! loads and stores. Say that these accesses are to `e(l(a))`, too. It is checked that
//!
//! 1. no other write to `e(l)`, and no end of its life, is between a load `l` and an access `a` with
//!    `l(a) = l`: not one to `A`, but for stores, nor an update of another load (so a store of another load
//!    there stores what has not changed since `l`: its updates are before `l`, which 2 forbids, or there are
//!    none);
//! 2. for each load with updates there is a store; no store of a load is before an update of it, and no read
//!    of `e(l)` in `A`, by a load or another statement, is between an update and a store of `l`.
//!
//! Then each read sees the last write to its element that is neither load nor store. By induction over time:
//! let `w` be that write and `r` a read. If `w` is an update of `l`: reads through `l` see it, since only
//! updates of `l` are between (1) and nothing else writes to `L` there. Any other read is of `A`, or through
//! a load behind `w` (1); by 2 it, or that load, is behind all stores of `l`, of which one is behind `w`, and
//! these store what `w` wrote, as nothing has been written to the element since. If `w` is a write to `A`:
//! stores behind it are of loads behind it (1), which have loaded what `w` wrote. If there is no such write,
//! all copies have what the element held before.
//!
//! Instances that access elements of `L` which have not been loaded (of tiles at the border of a triangle)
//! are left out if all they write are such elements: reads that stay see a load or something later.
use crate::access_functions::AffineFunction;
use crate::loop_nest::LoopNest;
use crate::program::Program;
use crate::value::{Definition, NodeKind, ReadId};
use loopwright_presburger::{Budget, DimKind, Map, Result, Set, Space, Tuple};
use loopwright_scop::{AccessKind, ArrayId};
use rustc_hash::FxHashMap;

/// The program without the buffers for which it is shown that it computes the same; none if there are none.
///
/// Where a buffer holds elements of another buffer, that is tried again once one of them is gone.
///
/// # Errors
/// The budget is used up.
pub(crate) fn without_buffers(program: &Program, budget: &Budget) -> Result<Option<Program>> {
    if program.uninterpreted.is_some() {
        return Ok(None);
    }
    let mut found: Option<Program> = None;
    loop {
        let own = found.as_ref().unwrap_or(program);
        match without_one(own, budget)? {
            Some(better) => found = Some(better),
            None => return Ok(found),
        }
    }
}

/// The program without one of its buffers.
fn without_one(program: &Program, budget: &Budget) -> Result<Option<Program>> {
    let mut loads: Vec<(ArrayId, usize, ReadId)> = Vec::new();
    for (at, own) in program.definitions.iter().enumerate() {
        let array = &program.arrays[own.array.0 as usize];
        let is_result = program.results.iter().any(|(result, _)| *result == own.array);
        if let NodeKind::Read(read) = program.kind(own.value)
            && array.declared_in_scop
            && !is_result
            && program.reads[read.0].array != own.array
            && is_only_one(program, at)
        {
            loads.push((own.array, at, *read));
        }
    }
    // Where there are two copies to a variable, one may be the store of another buffer.
    let n_loads = |array: ArrayId| loads.iter().filter(|own| own.0 == array).count();
    let mut order = loads.clone();
    order.sort_by_key(|own| n_loads(own.0));
    for (array, load, read) in order {
        let buffer = Buffer::new(program, (array, load, read), budget)?;
        let better = buffer.map_or(Ok(None), |own| own.removed())?;
        if let Some(better) = better {
            return Ok(Some(better));
        }
    }
    Ok(None)
}

/// Whether a statement has no other definition.
fn is_only_one(program: &Program, definition: usize) -> bool {
    let statement = program.definitions[definition].statement;
    program.definitions.iter().filter(|own| own.statement == statement).count() == 1
}

/// An access to a buffer.
struct Through {
    statement: usize,
    /// The read or the definition.
    what: What,
    /// From instances to the load that they access the element of.
    loads: Map,
    /// From instances to the element that it loads.
    elements: Map,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Read(ReadId),
    Update(usize),
}

/// A variable whose elements stand for those of another array.
struct Buffer<'a> {
    program: &'a Program,
    budget: &'a Budget,
    array: ArrayId,
    of: ArrayId,
    /// The definition of loads.
    load: usize,
    accesses: Vec<Through>,
    /// The definitions that are stores.
    stores: Vec<usize>,
    /// Instances that access elements which have not been loaded, by statements.
    unloaded: FxHashMap<usize, Set>,
}

impl<'a> Buffer<'a> {
    /// What is known of a variable; none if it is no buffer.
    fn new(
        program: &'a Program,
        (array, load, read): (ArrayId, usize, ReadId),
        budget: &'a Budget,
    ) -> Result<Option<Self>> {
        let of = program.reads[read.0].array;
        let (accesses, stores, unloaded) = (Vec::new(), Vec::new(), FxHashMap::default());
        let mut buffer = Buffer { program, budget, array, of, load, accesses, stores, unloaded };
        let from = program.definitions[load].statement;
        let elements = buffer.running(from, &program.reads[read.0].relation)?;
        let reads = program.reads.iter().enumerate().filter(|(_, own)| own.array == array);
        let reads = reads.map(|(at, own)| (own.statement, What::Read(ReadId(at)), &own.relation));
        let writes = program.definitions.iter().enumerate();
        let writes = writes.filter(|(at, own)| own.array == array && *at != load);
        let writes = writes.map(|(at, own)| (own.statement, What::Update(at), &own.relation));
        let all: Vec<(usize, What, &Map)> = reads.chain(writes).collect();
        for (statement, what, relation) in all {
            let relation = buffer.running(statement, relation)?;
            if relation.is_empty(budget)? {
                continue;
            }
            let Some(loads) = program.last_of(load, (statement, &relation), budget)? else {
                return Ok(None);
            };
            let rest = relation.domain().subtract(&loads.domain(), budget)?;
            if !rest.is_empty(budget)? {
                let known = buffer.unloaded.get(&statement);
                let all = known.map_or(Ok(rest.clone()), |known| known.union(&rest))?;
                buffer.unloaded.insert(statement, all);
            }
            let elements = loads.apply_range_within(&elements, budget)?;
            buffer.accesses.push(Through { statement, what, loads, elements });
        }
        Ok(buffer.may_leave_out()?.then_some(()).map(|()| buffer))
    }

    /// The part of a relation whose instances run.
    fn running(&self, statement: usize, relation: &Map) -> Result<Map> {
        let program = self.program;
        let own =
            relation.intersect_domain_within(&program.statements[statement].domain, self.budget)?;
        own.intersect_params_within(&program.context, self.budget)
    }

    /// Whether instances that access what has not been loaded write nothing but that.
    fn may_leave_out(&self) -> Result<bool> {
        for (statement, instances) in &self.unloaded {
            for (at, own) in self.program.definitions.iter().enumerate() {
                if own.statement != *statement {
                    continue;
                }
                let through = self.accesses.iter().find(|own| own.what == What::Update(at));
                let Some(through) = through.filter(|_| own.array == self.array) else {
                    return Ok(false);
                };
                let loaded = through.loads.domain().intersect_within(instances, self.budget)?;
                if !loaded.is_empty(self.budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The program without the buffer, if that computes the same.
    fn removed(mut self) -> Result<Option<Program>> {
        self.stores = self.find_stores()?;
        if !self.has_no_other_writes()? || !self.is_written_back()? {
            return Ok(None);
        }
        self.rewritten()
    }

    /// The definitions that copy elements of the buffer to where they have been loaded from.
    fn find_stores(&self) -> Result<Vec<usize>> {
        let mut stores = Vec::new();
        for (at, own) in self.program.definitions.iter().enumerate() {
            let NodeKind::Read(read) = self.program.kind(own.value) else { continue };
            let through = self.accesses.iter().find(|own| own.what == What::Read(*read));
            if let Some(through) = through
                && own.array == self.of
                && is_only_one(self.program, at)
                && !self.unloaded.contains_key(&own.statement)
            {
                let written = self.running(own.statement, &own.relation)?;
                if written.is_subset(&through.elements, self.budget)? {
                    stores.push(at);
                }
            }
        }
        Ok(stores)
    }

    fn updates(&self) -> impl Iterator<Item = &Through> {
        self.accesses.iter().filter(|own| matches!(own.what, What::Update(_)))
    }

    /// The reads of stores.
    fn stored(&self) -> impl Iterator<Item = &Through> {
        let statement = |at: &usize| self.program.definitions[*at].statement;
        self.accesses
            .iter()
            .filter(move |own| self.stores.iter().any(|store| statement(store) == own.statement))
    }

    /// The first condition.
    fn has_no_other_writes(&self) -> Result<bool> {
        let program = self.program;
        let mut writes: Vec<(usize, Map)> = Vec::new();
        for (at, own) in program.definitions.iter().enumerate() {
            if own.array == self.of && !self.stores.contains(&at) {
                writes.push((own.statement, self.running(own.statement, &own.relation)?));
            }
        }
        for (at, own) in program.statements.iter().enumerate() {
            for access in own.accesses.iter().filter(|own| own.kind == AccessKind::Kill) {
                if access.array == self.of {
                    writes.push((at, self.running(at, &access.relation)?));
                }
            }
        }
        let from = program.definitions[self.load].statement;
        for access in &self.accesses {
            for (statement, elements) in &writes {
                let pairs = access.elements.apply_range_within(&elements.reverse(), self.budget)?;
                let loads = (from, &access.loads);
                if !self.are_never_between(&pairs, (access.statement, *statement), loads)? {
                    return Ok(false);
                }
            }
            for update in self.updates() {
                let own = access.loads.apply_range_within(&update.loads.reverse(), self.budget)?;
                let pairs =
                    access.elements.apply_range_within(&update.elements.reverse(), self.budget)?;
                let pairs = pairs.subtract(&own, self.budget)?;
                let loads = (from, &access.loads);
                if !self.are_never_between(&pairs, (access.statement, update.statement), loads)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The second condition.
    fn is_written_back(&self) -> Result<bool> {
        for update in self.updates() {
            let mut kept = update.loads.range();
            for store in self.stored() {
                kept = kept.subtract(&store.loads.range(), self.budget)?;
                let pairs = update.loads.apply_range_within(&store.loads.reverse(), self.budget)?;
                let earlier = self.program.earlier(
                    (update.statement, store.statement),
                    &pairs,
                    self.budget,
                )?;
                if !self.is_nothing(earlier)? {
                    return Ok(false);
                }
            }
            if !kept.is_empty(self.budget)? {
                return Ok(false);
            }
        }
        let finals = self.program.statements.len() - self.program.results.len();
        let reads = self.program.reads.iter();
        let reads = reads.filter(|own| own.array == self.of && own.statement < finals);
        for read in reads {
            let elements = self.running(read.statement, &read.relation)?;
            for store in self.stored() {
                let pairs = store.elements.apply_range_within(&elements.reverse(), self.budget)?;
                for update in self.updates() {
                    // Reads between a store and an update of the same load.
                    let back =
                        store.loads.apply_range_within(&update.loads.reverse(), self.budget)?;
                    let statements = (store.statement, read.statement);
                    let from = (update.statement, &back);
                    // A load itself runs before its updates.
                    if !self.are_never_between(&pairs, statements, from)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    fn is_nothing(&self, pairs: Option<Map>) -> Result<bool> {
        pairs.map_or(Ok(false), |pairs| pairs.is_empty(self.budget))
    }

    /// Whether no pair is of an instance of the first statement and one of the second that runs before it,
    /// and behind one that `from` leads to: a statement and the relation from instances of the first.
    fn are_never_between(
        &self,
        pairs: &Map,
        (last, middle): (usize, usize),
        (first, from): (usize, &Map),
    ) -> Result<bool> {
        let budget = self.budget;
        let times = &self.program.times;
        let (Some(at_last), Some(at_middle), Some(at_first)) =
            (&times[last], &times[middle], &times[first])
        else {
            return Ok(false);
        };
        // What runs between two instances has the first times that both have.
        let both = at_last.reverse().apply_range_within(from, budget)?;
        let both = both.apply_range_within(at_first, budget)?;
        let hull = Map::from_basic_map(both.affine_hull(budget)?);
        let mut same = Map::from_domain_and_range_within(
            &Set::universe(hull.space().domain()),
            &Set::universe(hull.space().range()),
            budget,
        )?;
        for at in 0..hull.n(DimKind::Out) {
            let next = same.equate(DimKind::In, at, DimKind::Out, at);
            if !hull.is_subset(&next, budget)? {
                break;
            }
            same = next;
        }
        let same = at_last.apply_range_within(&same, budget)?;
        let same = same.apply_range_within(&at_middle.reverse(), budget)?;
        let pairs = pairs.intersect_within(&same, budget)?;
        if pairs.is_empty(budget)? {
            return Ok(true);
        }
        let Some(before) = self.program.earlier((last, middle), &pairs, budget)? else {
            return Ok(false);
        };
        if before.is_empty(budget)? {
            return Ok(true);
        }
        let order = Map::lex_lt(&at_first.space().range());
        let behind = from.apply_range_within(at_first, budget)?;
        let behind = behind.apply_range_within(&order, budget)?;
        let behind = behind.apply_range_within(&at_middle.reverse(), budget)?;
        before.intersect_within(&behind, budget)?.is_empty(budget)
    }

    /// The program in which the elements are used that the buffer holds.
    fn rewritten(&self) -> Result<Option<Program>> {
        let mut program = self.program.clone();
        let none = |statement: usize| {
            let domain = &self.program.statements[statement].domain;
            Set::empty(domain.space().clone())
        };
        let gone = self.stores.iter().chain([&self.load]);
        for statement in gone.map(|at| self.program.definitions[*at].statement) {
            program.statements[statement].domain = none(statement);
            program.nests[statement] = LoopNest::of(&none(statement));
        }
        for statement in self.unloaded.keys() {
            let mut domain = program.statements[*statement].domain.clone();
            for access in self.accesses.iter().filter(|own| own.statement == *statement) {
                domain = domain.intersect_within(&access.loads.domain(), self.budget)?;
            }
            let domain = domain.coalesce(self.budget)?;
            program.nests[*statement] = LoopNest::of(&domain);
            program.statements[*statement].domain = domain;
        }
        for access in &self.accesses {
            let domain = &program.statements[access.statement].domain;
            let relation = self.simple(&access.elements, domain)?;
            match access.what {
                What::Read(ReadId(at)) => {
                    program.reads[at].array = self.of;
                    program.reads[at].relation = relation;
                }
                What::Update(at) => {
                    program.definitions[at].array = self.of;
                    program.definitions[at].relation = relation;
                }
            }
        }
        // Reads of instances that never run.
        for read in program.reads.iter_mut().filter(|own| own.array == self.array) {
            let of = &self.program.arrays[self.of.0 as usize];
            let space = Space::map(
                program.context.space().param_names(),
                read.relation.space().input().cloned().unwrap_or_default(),
                Tuple::named(&of.tuple_name, of.extents.len()),
            );
            (read.array, read.relation) = (self.of, Map::empty(space));
        }
        let runs = |own: &Definition| !program.statements[own.statement].domain.plain_is_empty();
        let definitions = program.definitions.iter().filter(|own| runs(own)).cloned().collect();
        program.definitions = definitions;
        let function = |relation: &Map, statement: usize| {
            AffineFunction::of(relation, &program.statements[statement].domain)
        };
        let reads = program.reads.iter().map(|own| function(&own.relation, own.statement));
        let definitions = program.definitions.iter();
        let definitions = definitions.map(|own| function(&own.relation, own.statement));
        let (reads, definitions) = (reads.collect(), definitions.collect());
        (program.read_functions, program.definition_functions) = (reads, definitions);
        program.sources.clear();
        program.accumulations.clear();
        Ok(Some(program))
    }

    /// A relation that is the same on some instances, as equations if these make it a function.
    fn simple(&self, elements: &Map, instances: &Set) -> Result<Map> {
        let elements = elements.intersect_domain_within(instances, self.budget)?;
        let hull = Map::from_basic_map(elements.affine_hull(self.budget)?);
        let is_total = instances.intersect_params(&self.program.context)?;
        let is_total = is_total.is_subset(&elements.domain(), self.budget)?;
        match is_total && hull.is_single_valued(self.budget)? {
            true => Ok(hull),
            false => Ok(elements),
        }
    }
}
