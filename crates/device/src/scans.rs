//! Scans: loops that carry one value, to which each iteration combines one more, and that use it in each iteration.
//!
//! `s += a[i]; b[i] = s;` and `b[i] = b[i - 1] + a[i]` have a value of each prefix of their iterations. Where updates may be associated in another way they run
//! in chunks of [`CHUNK`] iterations:
//!
//! 1. all chunks at the same time: what the iterations of each of them combine;
//! 2. one after the other: what all chunks up to each of them combine, with the value in front of the loop;
//! 3. all chunks at the same time: the loop, from that value on.
//!
//! This is the *program with scans*, a copy of the model: the values of chunks are arrays, what begins, copies and combines them are statements, and the loop over chunks is
//! independent in 1 and 3. Each iteration is computed twice, as far as it only combines. The number of chunks depends on that of iterations alone, so results are
//! the same each time. Nothing here is trusted: `loopwright_verify::check_scans` proves it, by the prefixes that this says each value is of ([`Scan::holds`]).
use crate::map::independent_members;
use crate::promotion::{
    Accessed, KernelMemory, Level, Promoting, Run, Site, SiteStatement, ThreadResults, TileCopies,
    filter_of, member_of, quotient, to_element,
};
use crate::reductions::{combining, neutral, times_read, without_kills};
use crate::select::{domain, has_kernels, reached_by, without_marks};
use loopwright_dataflow::{Dependences, Reduction, ReductionOperator, reductions};
use loopwright_exact::Int;
use loopwright_machine::Device;
use loopwright_presburger::{
    Aff, Budget, DimKind, Map, MultiAff, PwAff, Result, Set, Space, Tuple,
};
use loopwright_schedule::{Band, Node, Reaching, ScheduleTree};
use loopwright_scop::{
    Access, AccessKind, ArrayId, Body, BodyPiece, Element, Scop, Statement, StatementId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The iterations of a chunk: threads have a chunk each, and one thread goes over all chunks.
const CHUNK: i64 = 256;

/// A scan of the program with scans.
#[derive(Clone, Debug)]
pub struct Scan {
    /// What the program combines: a scalar, or the elements of an array one after the other.
    pub array: ArrayId,
    /// The statement that combines.
    pub update: StatementId,
    /// The arrays of values of chunks, which were added.
    pub arrays: Vec<ArrayId>,
    /// For statements from their instances to the instances of the update that the value is of that they write.
    pub holds: BTreeMap<StatementId, Map>,
    /// The statements whose value has that in front of the loop in it.
    pub based: BTreeSet<StatementId>,
}

/// The program with scans, and a tree that schedules it.
#[derive(Clone, Debug)]
pub struct ScanSelection {
    /// The tree: chunks are independent loops.
    pub tree: ScheduleTree,
    /// The program.
    pub scop: Scop,
    /// Its scans.
    pub scans: Vec<Scan>,
    /// What was done, in sentences.
    pub decisions: Vec<String>,
}

/// The program with scans for the loops of `tree` that carry one value and use it in each iteration, in the order of `tree`; none if there are none. They are in no other
/// loop, and carry nothing else. `taken` are names that the program uses.
///
/// *Cost.* Some operations on sets per such loop.
///
/// # Errors
/// Those of operations on sets, the end of the budget among them.
pub fn with_scans(
    tree: &ScheduleTree,
    (scop, dependences): (&Scop, &Dependences),
    device: &Device,
    taken: &BTreeSet<String>,
    budget: &Budget,
) -> Result<Option<ScanSelection>> {
    if has_kernels(tree) {
        return Ok(None);
    }
    let (level, copies, results) = (Level::Registers, TileCopies::OneBuffer, ThreadResults::Four);
    let memory = (device, KernelMemory { level, copies, results });
    let mut promoting = Promoting::new((scop, dependences), memory, taken, budget);
    without_kills(&mut promoting.scop);
    let mut finding =
        Finding { promoting, scop, scans: Vec::new(), updates: reductions(scop, budget)? };
    let root = finding.place(&tree.root, &Reaching::root(tree))?;
    let Finding { promoting, scans, .. } = finding;
    if scans.is_empty() {
        return Ok(None);
    }
    let Promoting { mut scop, decisions, .. } = promoting;
    let tree = ScheduleTree::new(domain(&scop), root);
    scop.schedule = without_marks(&tree)?;
    Ok(Some(ScanSelection { tree, scop, scans, decisions }))
}

struct Finding<'a> {
    /// The program with what has been added so far.
    promoting: Promoting<'a>,
    /// The program as it was.
    scop: &'a Scop,
    updates: Vec<Reduction>,
    scans: Vec<Scan>,
}

/// A loop that carries one value.
struct Carried<'s> {
    own: &'s SiteStatement,
    array: ArrayId,
    operator: ReductionOperator,
    /// Whether iterations write elements of their own, one after the other.
    is_recurrence: bool,
    /// The iterations, and the number of the chunk of each.
    domain: Set,
    chunk: Aff,
}

/// Names of what is added for a scan.
struct Values {
    totals: (ArrayId, String),
    running: (ArrayId, String),
}

impl<'a> Finding<'a> {
    fn place(&mut self, node: &Node, reaching: &Reaching) -> Result<Node> {
        match node {
            Node::Band(band, child)
                if band.n_members() == 1
                    && reaching.depth() == 0
                    && independent_members(band).is_empty() =>
            {
                Ok(self.scan(band, child, reaching)?.unwrap_or_else(|| node.clone()))
            }
            Node::Sequence(_) | Node::Filter(..) | Node::Mark(..) => {
                let n_before = self.promoting.scop.statements.len();
                let mut result = node.clone();
                for (position, child) in result.children_mut().iter_mut().enumerate() {
                    *child = self.place(child, &reaching.descend(node, position)?)?;
                }
                let added: Vec<&Statement> =
                    self.promoting.scop.statements[n_before..].iter().collect();
                reached_by(result, &added, reaching.depth())
            }
            _ => Ok(node.clone()),
        }
    }

    /// A loop as a scan, if it is one.
    fn scan(&mut self, band: &Band, child: &Node, reaching: &Reaching) -> Result<Option<Node>> {
        let is_leaf = |child: &Node| matches!(child, Node::Filter(_, below) if below.is_leaf());
        let is_flat = match child {
            Node::Leaf => true,
            Node::Sequence(children) => children.iter().all(is_leaf),
            _ => false,
        };
        let site = Site::of(reaching, (band, &[0]), self.scop, self.promoting.budget);
        let Some(site) = site.filter(|_| is_flat) else { return Ok(None) };
        let mut found = None;
        for own in &site.statements {
            if let Some(carried) = self.carried(own, &site)? {
                found = Some(carried);
            }
        }
        match found {
            Some(carried) => self.in_chunks(&carried, &site, child),
            None => Ok(None),
        }
    }

    /// The loop of a statement as one that carries its value, if it is one, and no other statement writes there.
    fn carried<'s>(&self, own: &'s SiteStatement, site: &Site) -> Result<Option<Carried<'s>>> {
        let budget = self.promoting.budget;
        let statement = self.scop.statement(own.id);
        let mut writes = statement.accesses.iter().filter(|a| a.kind != AccessKind::Read);
        let (Some(write), None) = (writes.next(), writes.next()) else { return Ok(None) };
        let (array, id) = (write.array, own.id);
        let known = self.updates.iter().find(|update| update.statement == id);
        let is_recurrence = known.is_none();
        let operator = match known {
            Some(update) => Some(update.operator),
            None => self.recurrence(statement, array)?,
        };
        let Some(operator) = operator else { return Ok(None) };
        let writes_too = |other: &&SiteStatement| {
            let accesses = &self.scop.statement(other.id).accesses;
            other.id != id
                && accesses.iter().any(|a| a.array == array && a.kind != AccessKind::Read)
        };
        let reads_too = |other: &SiteStatement| {
            let accesses = &self.scop.statement(other.id).accesses;
            other.id != id && accesses.iter().any(|a| a.array == array)
        };
        let is_read = is_recurrence || site.statements.iter().any(reads_too);
        let element = self.scop.array(array);
        if site.statements.iter().find(writes_too).is_some()
            || !is_read
            || element.is_member
            || !statement.body.hidden().is_empty()
            || site.n_prefix > 0
        {
            return Ok(None);
        }
        let domain = own.domain.intersect_params(&self.scop.context)?;
        let value = own.members[0].clone();
        let is_below = domain.intersect(&value.neg().positive_set())?;
        // One element, or a flow from each iteration to the next one.
        let elements = write.relation.intersect_domain(&domain)?.range();
        let is_one = is_recurrence || elements.is_singleton(budget)?;
        if !is_below.is_empty(budget)? || !is_one {
            return Ok(None);
        }
        let chunk = quotient(&value, CHUNK);
        Ok(Some(Carried { own, array, operator, is_recurrence, domain, chunk }))
    }

    /// The operator of `b[i] = b[i - 1] op value`: the statement is an update, if both elements are one.
    fn recurrence(
        &self,
        statement: &Statement,
        array: ArrayId,
    ) -> Result<Option<ReductionOperator>> {
        let mut scop = self.scop.clone();
        let own = &mut scop.statements[statement.id.0 as usize];
        let Some(written) = own.accesses.iter().find(|a| a.kind != AccessKind::Read) else {
            return Ok(None);
        };
        let relation = written.relation.clone();
        let Some(target) =
            statement.body.root().and_then(|root| root.as_assignment()?.1.as_element())
        else {
            return Ok(None);
        };
        let target = target.clone();
        own.body.for_each_element_mut(&mut |element| {
            if element.array == array {
                *element = target.clone();
            }
        });
        for access in own.accesses.iter_mut().filter(|access| access.array == array) {
            access.relation = relation.clone();
        }
        let found = reductions(&scop, self.promoting.budget)?;
        Ok(found
            .iter()
            .find(|update| update.statement == statement.id)
            .map(|update| update.operator))
    }
}

/// Where statements for chunks are.
struct Chunks {
    domain: Set,
    space: Space,
    chunk: Aff,
}

impl Finding<'_> {
    /// The loop in chunks.
    fn in_chunks(
        &mut self,
        carried: &Carried<'_>,
        site: &Site,
        child: &Node,
    ) -> Result<Option<Node>> {
        let Carried { own, array, operator, is_recurrence, ref domain, ref chunk } = *carried;
        let budget = self.promoting.budget;
        let is_scalar = self.scop.array(array).extents.is_empty();
        if neutral(operator).is_none() && !is_scalar {
            return Ok(None);
        }
        let to_chunk = own.to_tuple(Tuple::anonymous(1), vec![chunk.clone()])?.to_map();
        let to_chunk = to_chunk.intersect_domain(domain)?;
        let chunks = to_chunk.range().make_locals_explicit(budget)?.coalesce(budget)?;
        let later = chunks.subtract(&chunks.lexmin(budget)?, budget)?;
        let back = Aff::variable(later.space(), DimKind::Out, 0).add_constant(&Int::from(-1));
        let back = MultiAff::new(later.space().map_to(later.space()), vec![back])?.to_map();
        if !later.apply(&back)?.is_subset(&chunks, budget)? {
            return Ok(None);
        }
        let extent = chunks.dim_max(0, budget)?.add_constant(&Int::ONE);
        let name = self.scop.array(array).tuple_name.to_string();
        let totals = self.memory(array, &format!("{name}_totals"), &extent);
        let running = self.memory(array, &format!("{name}_chunks"), &extent);
        let values = Values { totals, running };
        let (mut holds, mut based) = (BTreeMap::new(), BTreeSet::new());
        let earlier = in_front(own, domain)?;
        // What iterations of a chunk combine.
        let all = self.chunks(&chunks, &format!("{name}_start"))?;
        let start = self.start(carried, &all, &values)?;
        let start = run(start, &all.space, &all.chunk);
        if neutral(operator).is_none() {
            based.insert(start.id);
        }
        let moved = self.moved(own.id, array, (&values.totals, chunk))?;
        let again = self.part_of(&moved, domain, &format!("{}_again", moved.name))?;
        let inclusion = inclusion(&again.domain.space().clone(), own.space())?;
        let in_chunk = to_chunk.apply_range(&to_chunk.reverse())?;
        holds.insert(again.id, inclusion.to_map().apply_range(&earlier.intersect(&in_chunk)?)?);
        if based.contains(&start.id) {
            based.insert(again.id);
        }
        let again_run = Run {
            id: again.id,
            space: again.domain.space().clone(),
            blocks: vec![chunk.pullback(&inclusion)?],
            threads: vec![own.members[0].pullback(&inclusion)?],
            loops: Vec::new(),
        };
        self.promoting.scop.statements.push(again);
        // What all chunks up to each one combine, with the value in front of the loop.
        let whole = self.scop.statement(own.id).clone();
        let first_instance = domain.lexmin(budget)?;
        let base = self.at_element(&whole, &first_instance, (carried, Copied::In), "base")?;
        let to = at_chunk(&values.totals, &base.space, &base.chunk)?;
        let first = self.combine(&base.domain, operator, (&to, &base.element), own.id)?;
        let first = run(first, &base.space, &base.chunk);
        holds.insert(first.id, of_chunks(&base.domain, &base.chunk, (&to_chunk, true))?);
        let plus = self.chunks(&later, &format!("{name}_add"))?;
        let last_chunk = plus.chunk.add_constant(&Int::from(-1));
        let to = at_chunk(&values.totals, &plus.space, &plus.chunk)?;
        let from = at_chunk(&values.totals, &plus.space, &last_chunk)?;
        let added = self.combine(&plus.domain, operator, (&to, &from), own.id)?;
        let added = run(added, &plus.space, &plus.chunk);
        holds.insert(added.id, of_chunks(&plus.domain, &plus.chunk, (&to_chunk, true))?);
        // What each chunk begins with.
        let base = self.at_element(&whole, &first_instance, (carried, Copied::In), "first")?;
        let to = at_chunk(&values.running, &base.space, &base.chunk)?;
        let begin = self.copy(&base.domain, to, base.element, own.id)?;
        let begin = run(begin, &base.space, &base.chunk);
        let before = self.chunks(&later, &format!("{name}_before"))?;
        let last_chunk = before.chunk.add_constant(&Int::from(-1));
        let to = at_chunk(&values.running, &before.space, &before.chunk)?;
        let from = at_chunk(&values.totals, &before.space, &last_chunk)?;
        let copy = self.copy(&before.domain, to, from, own.id)?;
        let copy = run(copy, &before.space, &before.chunk);
        holds.insert(copy.id, of_chunks(&before.domain, &before.chunk, (&to_chunk, false))?);
        based.extend([first.id, added.id, begin.id, copy.id, own.id]);
        // The loop itself.
        holds.insert(own.id, earlier.clone());
        let mut runs = Vec::new();
        for other in &site.statements {
            let chunk = quotient(&other.members[0], CHUNK);
            let statement = self.moved(other.id, array, (&values.running, &chunk))?;
            self.promoting.scop.statements[other.id.0 as usize] = statement;
            runs.push(Run {
                id: other.id,
                space: other.space().clone(),
                blocks: vec![chunk],
                threads: vec![other.members[0].clone()],
                loops: Vec::new(),
            });
        }
        let mut inside = child.clone();
        let mut last = None;
        if is_recurrence {
            let (store, at) = self.stored(&whole, domain, (carried, &values))?;
            let space = at.domain_space().clone();
            let inclusion = self::inclusion(&space, own.space())?;
            holds.insert(store, inclusion.to_map().apply_range(&earlier)?);
            based.insert(store);
            let threads = vec![own.members[0].pullback(&inclusion)?];
            let store = Run { id: store, space, blocks: vec![at], threads, loops: Vec::new() };
            inside = followed(inside, own.space(), &store)?;
            runs.push(store);
        } else {
            let last_instance = domain.lexmax(budget)?;
            let (id, at) = self.stored(&whole, &last_instance, (carried, &values))?;
            let space = at.domain_space().clone();
            let inclusion = self::inclusion(&space, own.space())?;
            holds.insert(id, inclusion.to_map().apply_range(&earlier)?);
            based.insert(id);
            last =
                Some(Run { id, space, blocks: vec![at], threads: Vec::new(), loops: Vec::new() });
        }
        let sign = operator.clause();
        self.promoting.decisions.push(format!(
            "`{name}` ({sign}): prefixes in chunks of {CHUNK} iterations, the values of chunks one after the other"
        ));
        let arrays = vec![values.totals.0, values.running.0];
        self.scans.push(Scan { array, update: own.id, arrays, holds, based });
        let steps = |runs: &[&Run], below: Node| {
            Node::band(member_of(runs, |run| run.threads[0].clone()), below)
        };
        let parts = vec![
            (filter_of(&[&start]), Node::Leaf),
            (filter_of(&[&again_run]), steps(&[&again_run], Node::Leaf)),
        ];
        let both = [&start, &again_run];
        let totals = Node::band(independent(&both), Node::sequence(parts));
        let one = |run: &Run| (filter_of(&[run]), Node::Leaf);
        let adding = Node::band(member_of(&[&added], |run| run.blocks[0].clone()), Node::Leaf);
        let refs: Vec<&Run> = runs.iter().collect();
        let prefixes = vec![one(&begin), one(&copy), (filter_of(&refs), steps(&refs, inside))];
        let with_bases: Vec<&Run> =
            [&begin, &copy].into_iter().chain(refs.iter().copied()).collect();
        let prefixes = Node::band(independent(&with_bases), Node::sequence(prefixes));
        let mut all = vec![
            (filter_of(&both), totals),
            one(&first),
            (filter_of(&[&added]), adding),
            (filter_of(&with_bases), prefixes),
        ];
        all.extend(last.iter().map(|last| (filter_of(&[last]), Node::Leaf)));
        Ok(Some(Node::sequence(all)))
    }

    /// Memory for a value of each chunk.
    fn memory(&mut self, like: ArrayId, wanted: &str, extent: &PwAff) -> (ArrayId, String) {
        let name = self.promoting.fresh(wanted);
        let id = self.promoting.add_array(like, &name, &[Some(1)]);
        let array = &mut self.promoting.scop.arrays[id.0 as usize];
        array.extents = vec![Some(extent.clone())];
        array.extent_texts = vec![String::new()];
        (id, name)
    }

    /// A statement's instances for some chunks.
    fn chunks(&mut self, chunks: &Set, wanted: &str) -> Result<Chunks> {
        let tuple = Tuple::named(&self.promoting.fresh(wanted), 1);
        let domain = chunks.with_space_tuples(&chunks.space().with_tuples(None, Some(tuple)))?;
        let space = domain.space().clone();
        let chunk = Aff::variable(&space, DimKind::Out, 0);
        Ok(Chunks { domain, space, chunk })
    }

    fn start(
        &mut self,
        carried: &Carried<'_>,
        chunks: &Chunks,
        values: &Values,
    ) -> Result<StatementId> {
        let to = at_chunk(&values.totals, &chunks.space, &chunks.chunk)?;
        match neutral(carried.operator) {
            Some(value) => {
                let text = BodyPiece::text(format!(" = {value}"));
                let body = Body::read([BodyPiece::element(to.element.clone()), text]);
                let location = self.scop.statement(carried.own.id).location;
                let accesses = [(AccessKind::MustWrite, &to)];
                self.promoting.add_statement(&chunks.domain, body, &accesses, location)
            }
            None => {
                let from = self.promoting.of_program(carried.array, &chunks.space, &[])?;
                self.copy(&chunks.domain, to, from, carried.own.id)
            }
        }
    }

    fn copy(
        &mut self,
        domain: &Set,
        to: Accessed,
        from: Accessed,
        of: StatementId,
    ) -> Result<StatementId> {
        let value = loopwright_scop::Term::element(from.element.clone());
        let location = self.scop.statement(of).location;
        self.promoting.add_copy(domain, to, value, vec![from], location)
    }

    fn combine(
        &mut self,
        domain: &Set,
        operator: ReductionOperator,
        (to, from): (&Accessed, &Accessed),
        of: StatementId,
    ) -> Result<StatementId> {
        let n = times_read(operator);
        let mut accesses = vec![(AccessKind::MustWrite, to)];
        accesses.extend(std::iter::repeat_n((AccessKind::Read, to), n));
        accesses.extend(std::iter::repeat_n((AccessKind::Read, from), n));
        let body = combining(operator, &to.element, &from.element);
        let location = self.scop.statement(of).location;
        self.promoting.add_statement(domain, body, &accesses, location)
    }

    /// A statement of the program on the value of its chunk.
    fn moved(
        &self,
        id: StatementId,
        array: ArrayId,
        (values, chunk): (&(ArrayId, String), &Aff),
    ) -> Result<Statement> {
        let mut statement = self.scop.statement(id).clone();
        let cell = at_chunk(values, statement.domain.space(), chunk)?;
        statement.body.for_each_element_mut(&mut |element| {
            if element.array == array {
                *element = cell.element.clone();
            }
        });
        for access in statement.accesses.iter_mut().filter(|access| access.array == array) {
            access.array = cell.array;
            access.relation = cell.relation.intersect_domain(&statement.domain)?;
        }
        Ok(statement)
    }

    /// Some instances of a statement as one that is added.
    fn part_of(
        &mut self,
        statement: &Statement,
        instances: &Set,
        wanted: &str,
    ) -> Result<Statement> {
        let id =
            StatementId(u32::try_from(self.promoting.scop.statements.len()).unwrap_or(u32::MAX));
        let name = self.promoting.fresh(wanted);
        statement.part(id, &name, instances)
    }

    /// The element of an update, as that of a statement for some of its instances.
    fn at_element(
        &mut self,
        update: &Statement,
        instances: &Set,
        (carried, direction): (&Carried<'_>, Copied),
        suffix: &str,
    ) -> Result<AtElement> {
        let is_meant = |access: &Access| match direction {
            Copied::In => access.kind == AccessKind::Read,
            Copied::Out => access.kind != AccessKind::Read,
        };
        let part = self.part_of(update, instances, &format!("{}_{suffix}", update.name))?;
        let is_own = |access: &&Access| access.array == carried.array && is_meant(access);
        let Some(access) = part.accesses.iter().find(is_own) else { return Err(unknown()) };
        let is_written = |element: &Element| target(&part).is_some_and(|own| own == element);
        let elements = part.body.elements().into_iter();
        let mut named = elements.filter(|element| element.array == carried.array);
        let element = match (direction, carried.is_recurrence) {
            (_, false) => named.next(),
            (Copied::In, true) => named.find(|element| !is_written(element)),
            (Copied::Out, true) => named.find(|element| is_written(element)),
        };
        let element = element.cloned().ok_or_else(unknown)?;
        let (array, relation) = (carried.array, access.relation.clone());
        let inclusion = inclusion(part.domain.space(), carried.own.space())?;
        Ok(AtElement {
            space: part.domain.space().clone(),
            chunk: carried.chunk.pullback(&inclusion)?,
            element: Accessed { element, array, relation },
            domain: part.domain,
        })
    }

    /// Copies the value of chunks to the elements of some instances: the statement, and the chunk.
    fn stored(
        &mut self,
        update: &Statement,
        instances: &Set,
        (carried, values): (&Carried<'_>, &Values),
    ) -> Result<(StatementId, Aff)> {
        let at = self.at_element(update, instances, (carried, Copied::Out), "store")?;
        let value = at_chunk(&values.running, &at.space, &at.chunk)?;
        let id = self.copy(&at.domain, at.element, value, update.id)?;
        Ok((id, at.chunk))
    }
}

/// The element of an update for some instances of a statement.
struct AtElement {
    domain: Set,
    space: Space,
    chunk: Aff,
    element: Accessed,
}

/// From the element, or to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copied {
    In,
    Out,
}

fn unknown() -> loopwright_presburger::Error {
    let reason = "an update without its element".to_string();
    loopwright_presburger::Error::Invalid { operation: "making chunks of a scan", reason }
}

/// The element that a statement assigns to.
fn target(statement: &Statement) -> Option<&Element> {
    statement.body.root()?.as_assignment()?.1.as_element()
}

fn run(id: StatementId, space: &Space, chunk: &Aff) -> Run {
    let (blocks, threads, loops) = (vec![chunk.clone()], Vec::new(), Vec::new());
    Run { id, space: space.clone(), blocks, threads, loops }
}

/// The value of a chunk.
fn at_chunk((array, name): &(ArrayId, String), space: &Space, chunk: &Aff) -> Result<Accessed> {
    let element = Element::new(&**name, *array, vec![PwAff::from_aff(chunk.clone())]);
    let relation = to_element(space, name, std::slice::from_ref(chunk))?;
    Ok(Accessed { element, array: *array, relation })
}

/// From the instances of a statement of another name to those that they are.
fn inclusion(part: &Space, whole: &Space) -> Result<MultiAff> {
    let whole = whole.merge_params(part);
    let part = part.with_params(whole.param_names());
    let n = part.n(DimKind::Out);
    let values = (0..n).map(|at| Aff::variable(&part, DimKind::Out, at)).collect();
    MultiAff::new(part.map_to(&whole), values)
}

/// From each iteration to those that are not behind it.
fn in_front(own: &SiteStatement, domain: &Set) -> Result<Map> {
    let value = own.to_tuple(Tuple::anonymous(1), vec![own.members[0].clone()])?.to_map();
    let value = value.intersect_domain(domain)?;
    let space = Space::set(&[], Tuple::anonymous(1));
    value.apply_range(&Map::lex_ge(&space))?.apply_range(&value.reverse())
}

/// From statements of chunks to the iterations of all chunks in front of one, perhaps with its own ones.
fn of_chunks(domain: &Set, chunk: &Aff, (to_chunk, with_own): (&Map, bool)) -> Result<Map> {
    let to = Space::set(domain.space().param_names(), Tuple::anonymous(1));
    let value = MultiAff::new(domain.space().map_to(&to), vec![chunk.clone()])?.to_map();
    let value = value.intersect_domain(domain)?;
    let space = Space::set(&[], Tuple::anonymous(1));
    let before = if with_own { Map::lex_ge(&space) } else { Map::lex_gt(&space) };
    value.apply_range(&before)?.apply_range(&to_chunk.reverse())
}

/// A loop over chunks that are independent.
fn independent(runs: &[&Run]) -> Band {
    let mut band = member_of(runs, |run| run.blocks[0].clone()).with_permutable(true);
    band.members[0].coincident = true;
    band
}

/// The body of a loop with another statement right behind one.
fn followed(child: Node, space: &Space, behind: &Run) -> Result<Node> {
    let whole =
        |space: &Space| loopwright_presburger::UnionSet::from_set(Set::universe(space.clone()));
    let own = (filter_of(&[behind]), Node::Leaf);
    Ok(match child {
        Node::Sequence(children) => {
            let mut parts = Vec::new();
            for child in children {
                let Node::Filter(filter, below) = child else { continue };
                let is_it = filter.sets().iter().any(|set| set.space().has_equal_tuples(space));
                parts.push((filter, *below));
                if is_it {
                    parts.push(own.clone());
                }
            }
            Node::sequence(parts)
        }
        _ => Node::sequence(vec![(whole(space), Node::Leaf), own]),
    })
}
