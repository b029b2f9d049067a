//! Scans: loops that carry one value, to which each iteration combines one more, and that use it in each
//! iteration.
//!
//! `s += a[i]; b[i] = s;` and `b[i] = b[i - 1] + a[i]` have a value of each prefix of their iterations. Where
//! updates may be associated in another way they run in chunks of [`CHUNK`] iterations:
//!
//! 1. all chunks at the same time: what the iterations of each of them combine;
//! 2. one after the other: what all chunks up to each of them combine, with the value in front of the loop;
//! 3. all chunks at the same time: the loop, from that value on.
//!
//! This is the *program with scans*, a copy of the model: the values of chunks are arrays, what begins,
//! copies and combines them are statements, and the loop over chunks is independent in 1 and 3. Each
//! iteration is computed twice, as far as it only combines. The number of chunks depends on that of
//! iterations alone, so results are the same each time. Nothing here is trusted:
//! `loopwright_verify::check_scans` proves it, by the prefixes that this says each value is of
//! ([`Scan::holds`]).
use crate::map::independent_members;
use crate::promotion::{
    Accessed, KernelMemory, Promoting, Run, Site, SiteStatement, filter_of, member_of, quotient,
};
use crate::reductions::{neutral, without_kills};
use crate::select::{domain, has_kernels, reached_by, without_marks};
use loopwright_dataflow::{Dependences, Reduction, ReductionOperator, reductions};
use loopwright_exact::Int;
use loopwright_machine::Device;
use loopwright_presburger::{
    Aff, Budget, DimKind, Map, MultiAff, PwAff, Result, Set, Space, Tuple, UnionSet,
};
use loopwright_schedule::{Band, Node, Reaching, ScheduleTree};
use loopwright_scop::{Access, AccessKind, ArrayId, Element, Scop, Statement, StatementId};
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
    /// For statements from their instances to the instances of the update that the value is of that they
    /// write.
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

/// The program with scans for the loops of `tree` that carry one value and use it in each iteration, in the
/// order of `tree`; none if there are none. They are in no other loop, and carry nothing else. `taken` are
/// names that the program uses.
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
    let memory = (device, KernelMemory::REGISTERS);
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
            Some(carried) => self.in_chunks(carried, &site, child),
            None => Ok(None),
        }
    }

    /// The loop of a statement as one that carries its value, if it is one, and no other statement writes
    /// there.
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

/// Instances of a statement, and the chunk of each.
struct Chunks {
    domain: Set,
    space: Space,
    chunk: Aff,
}

/// A loop whose iterations are split into chunks.
struct Split<'s> {
    carried: Carried<'s>,
    /// The name of what is combined.
    name: String,
    /// From iterations to the number of their chunk.
    to_chunk: Map,
    /// The numbers of chunks, and of those behind the first one.
    chunks: Set,
    later: Set,
    /// From iterations to those that are not behind them.
    earlier: Map,
    /// For each chunk what its iterations combine, and later what all up to it do.
    totals: ArrayId,
    /// For each chunk its value, from the one in front of it on.
    running: ArrayId,
}

/// What is said about the value that a statement writes.
struct Claim {
    statement: StatementId,
    /// The updates that it is of; none are not said.
    holds: Option<Map>,
    /// Whether the value in front of the loop is in it.
    is_based: bool,
}

/// A step of the loop in chunks: what runs in it, and what is said about that.
struct Step {
    parts: Vec<(UnionSet, Node)>,
    claims: Vec<Claim>,
}

impl Finding<'_> {
    /// The loop in chunks.
    fn in_chunks(
        &mut self,
        carried: Carried<'_>,
        site: &Site,
        child: &Node,
    ) -> Result<Option<Node>> {
        let Some(split) = self.split(carried)? else { return Ok(None) };
        let mut steps = vec![self.totals(&split)?, self.sums(&split)?];
        let begin = self.begin(&split)?;
        steps.extend(self.prefixes(&split, begin, (site, child))?);
        let Split { ref carried, ref name, totals, running, .. } = split;
        let sign = carried.operator.clause();
        self.promoting.decisions.push(format!(
            "`{name}` ({sign}): prefixes in chunks of {CHUNK} iterations, the values of chunks one after the other"
        ));
        let (mut parts, mut holds, mut based) = (Vec::new(), BTreeMap::new(), BTreeSet::new());
        for step in steps {
            parts.extend(step.parts);
            for Claim { statement, holds: updates, is_based } in step.claims {
                holds.extend(updates.map(|updates| (statement, updates)));
                based.extend(is_based.then_some(statement));
            }
        }
        let (array, arrays) = (carried.array, vec![totals, running]);
        self.scans.push(Scan { array, update: carried.own.id, arrays, holds, based });
        Ok(Some(Node::sequence(parts)))
    }

    /// The chunks, and memory for their values; nothing where these cannot begin, or numbers of chunks have
    /// gaps.
    fn split<'s>(&mut self, carried: Carried<'s>) -> Result<Option<Split<'s>>> {
        let Carried { own, array, operator, ref domain, ref chunk, .. } = carried;
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
        let earlier = in_front(own, domain)?;
        Ok(Some(Split { carried, name, to_chunk, chunks, later, earlier, totals, running }))
    }

    /// 1: what the iterations of each chunk combine.
    fn totals(&mut self, split: &Split<'_>) -> Result<Step> {
        let Split { carried, name, .. } = split;
        let Carried { own, operator, domain, chunk, .. } = carried;
        let is_based = neutral(*operator).is_none();
        let all = self.chunks(&split.chunks, &format!("{name}_start"))?;
        let start = self.start(split, &all)?;
        let start = all.run(start);
        let moved = self.moved(own.id, carried.array, (split.totals, chunk))?;
        let again = self.part_of(&moved, domain, &format!("{}_again", moved.name))?;
        let inclusion = inclusion(again.domain.space(), own.space())?;
        let in_chunk = split.to_chunk.apply_range(&split.to_chunk.reverse())?;
        let holds = inclusion.to_map().apply_range(&split.earlier.intersect(&in_chunk)?)?;
        let run = Run {
            id: again.id,
            space: again.domain.space().clone(),
            blocks: vec![chunk.pullback(&inclusion)?],
            threads: vec![own.members[0].pullback(&inclusion)?],
            loops: Vec::new(),
        };
        self.promoting.scop.statements.push(again);
        let claims = vec![
            Claim { statement: start.id, holds: None, is_based },
            Claim { statement: run.id, holds: Some(holds), is_based },
        ];
        let below =
            Node::sequence(vec![once(&start), (filter_of(&[&run]), steps(&[&run], Node::Leaf))]);
        let both = [&start, &run];
        let parts = vec![(filter_of(&both), Node::band(independent(&both), below))];
        Ok(Step { parts, claims })
    }

    /// 2: what all chunks up to each one combine, with the value in front of the loop.
    fn sums(&mut self, split: &Split<'_>) -> Result<Step> {
        let Split { carried, name, to_chunk, totals, .. } = split;
        let location = self.scop.statement(carried.own.id).location;
        let base = self.base(split, "base")?;
        let to = self.of_chunk(*totals, &base.at.space, &base.at.chunk)?;
        let both = (&to, &base.element);
        let first =
            self.promoting.add_combination(&base.at.domain, carried.operator, both, location)?;
        let first_holds = base.at.updates((to_chunk, true))?;
        let first = base.at.run(first);
        let plus = self.chunks(&split.later, &format!("{name}_add"))?;
        let to = self.of_chunk(*totals, &plus.space, &plus.chunk)?;
        let from = self.of_chunk(*totals, &plus.space, &plus.before())?;
        let both = (&to, &from);
        let added =
            self.promoting.add_combination(&plus.domain, carried.operator, both, location)?;
        let added_holds = plus.updates((to_chunk, true))?;
        let added = plus.run(added);
        let claims = vec![
            Claim { statement: first.id, holds: Some(first_holds), is_based: true },
            Claim { statement: added.id, holds: Some(added_holds), is_based: true },
        ];
        let adding = Node::band(member_of(&[&added], |run| run.blocks[0].clone()), Node::Leaf);
        Ok(Step { parts: vec![once(&first), (filter_of(&[&added]), adding)], claims })
    }

    /// What each chunk begins with: the first one with the value in front of the loop, the others with the
    /// sum up to the one before.
    fn begin(&mut self, split: &Split<'_>) -> Result<([Run; 2], Vec<Claim>)> {
        let Split { carried, name, to_chunk, totals, running, .. } = split;
        let base = self.base(split, "first")?;
        let to = self.of_chunk(*running, &base.at.space, &base.at.chunk)?;
        let first = self.copy(&base.at.domain, to, base.element, carried.own.id)?;
        let before = self.chunks(&split.later, &format!("{name}_before"))?;
        let to = self.of_chunk(*running, &before.space, &before.chunk)?;
        let from = self.of_chunk(*totals, &before.space, &before.before())?;
        let other = self.copy(&before.domain, to, from, carried.own.id)?;
        let holds = Some(before.updates((to_chunk, false))?);
        let claims = vec![
            Claim { statement: first, holds: None, is_based: true },
            Claim { statement: other, holds, is_based: true },
        ];
        Ok(([base.at.run(first), before.run(other)], claims))
    }

    /// 3: the loop itself, from what chunks begin with on; then the last value, where each iteration has no
    /// element of its own.
    fn prefixes(
        &mut self,
        split: &Split<'_>,
        (begin, mut claims): ([Run; 2], Vec<Claim>),
        (site, child): (&Site, &Node),
    ) -> Result<Vec<Step>> {
        let Carried { own, array, is_recurrence, ref domain, .. } = split.carried;
        claims.push(Claim {
            statement: own.id,
            holds: Some(split.earlier.clone()),
            is_based: true,
        });
        let whole = self.scop.statement(own.id).clone();
        let mut runs = Vec::new();
        for other in &site.statements {
            let chunk = quotient(&other.members[0], CHUNK);
            let statement = self.moved(other.id, array, (split.running, &chunk))?;
            self.promoting.scop.statements[other.id.0 as usize] = statement;
            runs.push(Run {
                id: other.id,
                space: other.space().clone(),
                blocks: vec![chunk],
                threads: vec![other.members[0].clone()],
                loops: Vec::new(),
            });
        }
        let (mut inside, mut last) = (child.clone(), None);
        if is_recurrence {
            let (mut store, claim) = self.stored(&whole, domain, split)?;
            let inclusion = inclusion(&store.space, own.space())?;
            store.threads = vec![own.members[0].pullback(&inclusion)?];
            claims.push(claim);
            inside = followed(inside, own.space(), &store)?;
            runs.push(store);
        } else {
            let instance = domain.lexmax(self.promoting.budget)?;
            let (store, claim) = self.stored(&whole, &instance, split)?;
            last = Some(Step { parts: vec![once(&store)], claims: vec![claim] });
        }
        let runs: Vec<&Run> = runs.iter().collect();
        let all: Vec<&Run> = begin.iter().chain(runs.iter().copied()).collect();
        let mut parts: Vec<_> = begin.iter().map(once).collect();
        parts.push((filter_of(&runs), steps(&runs, inside)));
        let below = Node::band(independent(&all), Node::sequence(parts));
        let loops = Step { parts: vec![(filter_of(&all), below)], claims };
        Ok(std::iter::once(loops).chain(last).collect())
    }

    /// Memory for a value of each chunk.
    fn memory(&mut self, like: ArrayId, wanted: &str, extent: &PwAff) -> ArrayId {
        let name = self.promoting.fresh(wanted);
        let id = self.promoting.add_array(like, &name, &[Some(1)]);
        let array = &mut self.promoting.scop.arrays[id.0 as usize];
        array.extents = vec![Some(extent.clone())];
        array.extent_texts = vec![String::new()];
        id
    }

    /// The value of a chunk.
    fn of_chunk(&self, values: ArrayId, space: &Space, chunk: &Aff) -> Result<Accessed> {
        self.promoting.of_program(values, space, std::slice::from_ref(chunk))
    }

    /// A statement's instances for some chunks.
    fn chunks(&mut self, chunks: &Set, wanted: &str) -> Result<Chunks> {
        let tuple = Tuple::named(&self.promoting.fresh(wanted), 1);
        let domain = chunks.with_space_tuples(&chunks.space().with_tuples(None, Some(tuple)))?;
        let space = domain.space().clone();
        let chunk = Aff::variable(&space, DimKind::Out, 0);
        Ok(Chunks { domain, space, chunk })
    }

    /// What totals begin with.
    fn start(&mut self, split: &Split<'_>, chunks: &Chunks) -> Result<StatementId> {
        let carried = &split.carried;
        let to = self.of_chunk(split.totals, &chunks.space, &chunks.chunk)?;
        match neutral(carried.operator) {
            Some(value) => {
                let location = self.scop.statement(carried.own.id).location;
                self.promoting.add_constant(&chunks.domain, value, &to, location)
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

    /// A statement of the program on the value of its chunk.
    fn moved(
        &self,
        id: StatementId,
        array: ArrayId,
        (values, chunk): (ArrayId, &Aff),
    ) -> Result<Statement> {
        let statement = self.scop.statement(id);
        self.of_chunk(values, statement.domain.space(), chunk)?.in_place_of(array, statement)
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
        let at = Chunks {
            space: part.domain.space().clone(),
            chunk: carried.chunk.pullback(&inclusion)?,
            domain: part.domain,
        };
        Ok(AtElement { at, element: Accessed { element, array, relation } })
    }

    /// The value in front of the loop: what the first iteration reads.
    fn base(&mut self, split: &Split<'_>, suffix: &str) -> Result<AtElement> {
        let update = self.scop.statement(split.carried.own.id);
        let first = split.carried.domain.lexmin(self.promoting.budget)?;
        self.at_element(update, &first, (&split.carried, Copied::In), suffix)
    }

    /// Copies the value of chunks to the elements of some instances.
    fn stored(
        &mut self,
        update: &Statement,
        instances: &Set,
        split: &Split<'_>,
    ) -> Result<(Run, Claim)> {
        let to = self.at_element(update, instances, (&split.carried, Copied::Out), "store")?;
        let value = self.of_chunk(split.running, &to.at.space, &to.at.chunk)?;
        let statement = self.copy(&to.at.domain, to.element, value, update.id)?;
        let inclusion = inclusion(&to.at.space, split.carried.own.space())?;
        let holds = Some(inclusion.to_map().apply_range(&split.earlier)?);
        Ok((to.at.run(statement), Claim { statement, holds, is_based: true }))
    }
}

/// The element of an update for some instances of a statement.
struct AtElement {
    at: Chunks,
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

impl Chunks {
    /// The chunk in front.
    fn before(&self) -> Aff {
        self.chunk.add_constant(&Int::from(-1))
    }

    fn run(&self, id: StatementId) -> Run {
        let (blocks, threads, loops) = (vec![self.chunk.clone()], Vec::new(), Vec::new());
        Run { id, space: self.space.clone(), blocks, threads, loops }
    }

    /// To the iterations of all chunks in front of each one, perhaps with its own ones.
    fn updates(&self, (to_chunk, with_own): (&Map, bool)) -> Result<Map> {
        let to = Space::set(self.space.param_names(), Tuple::anonymous(1));
        let value = MultiAff::new(self.space.map_to(&to), vec![self.chunk.clone()])?.to_map();
        let value = value.intersect_domain(&self.domain)?;
        let space = Space::set(&[], Tuple::anonymous(1));
        let before = if with_own { Map::lex_ge(&space) } else { Map::lex_gt(&space) };
        value.apply_range(&before)?.apply_range(&to_chunk.reverse())
    }
}

fn once(run: &Run) -> (UnionSet, Node) {
    (filter_of(&[run]), Node::Leaf)
}

/// The iterations of each chunk one after the other.
fn steps(runs: &[&Run], below: Node) -> Node {
    Node::band(member_of(runs, |run| run.threads[0].clone()), below)
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

/// A loop over chunks that are independent.
fn independent(runs: &[&Run]) -> Band {
    let mut band = member_of(runs, |run| run.blocks[0].clone()).with_permutable(true);
    band.members[0].coincident = true;
    band
}

/// The body of a loop with another statement right behind one.
fn followed(child: Node, space: &Space, behind: &Run) -> Result<Node> {
    let whole = |space: &Space| UnionSet::from_set(Set::universe(space.clone()));
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
