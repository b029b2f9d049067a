//! Which loops combine on a device, and the trees of their kernels.
use super::groups::{Group, Updates, inside_of_rows};
use super::partial::{Adding, Partial, Second, Shape, Step, Tree};
use super::warps::are_a_warp;
use crate::map::independent_members;
use crate::promotion::{
    KernelMemory, Promoting, Run, Site, SiteStatement, declared, filter_of, member_of, spread_over,
};
use crate::select::{domain, has_independent_loops, has_kernels, reached_by, without_marks};
use loopwright_dataflow::{Dependences, Reduction, reductions};
use loopwright_machine::Device;
use loopwright_presburger::{Aff, Budget, Map, MultiUnionPwAff, Result, Set, Tuple, UnionSet};
use loopwright_schedule::{
    AstLoopType, Axis, Band, KernelMark, LoopKind, MemorySpace, Node, Reaching, ScheduleTree,
    ShuffleMark,
};
use loopwright_scop::{ArrayId, ElementKind, Promotion, Scop, Statement, StatementId};
use std::collections::BTreeSet;

/// Threads of a block that combine one element.
const THREADS: i64 = 256;

/// Threads of a block of rows: each row takes a warp of them.
const ROW_THREADS: i64 = 256;

/// Blocks that combine one element, for each multiprocessor: enough to hide the time of memory.
const BLOCKS_OF_MULTIPROCESSOR: u64 = 4;

/// A tree with kernels that combine, and the program with partial results that it schedules.
#[derive(Clone, Debug)]
pub struct PartialSelection {
    /// The tree: what combines is in kernels, all else is as it was.
    pub tree: ScheduleTree,
    /// The program with partial results.
    pub scop: Scop,
    /// The partial results in memory of blocks and threads.
    pub promotion: Promotion,
    /// Those in the memory of the device.
    pub memory: Vec<ArrayId>,
    /// What was done, in sentences.
    pub decisions: Vec<String>,
}

/// The program with partial results for the loops of `tree` that only combine values, where updates may run
/// in any order, in the order of `tree`; none if no updates may. Threads share
///
/// * a loop that is in no independent one, and in which none is. If it is in no loop of the host at all
///   several blocks share it, otherwise one does, since loops of the host are about as long, and launches
///   take their time then;
/// * a loop in one independent loop, if elements lie side by side along it, and apart for the independent
///   loop: a warp for each iteration of that.
///
/// `taken` are names that the program uses. With shuffles lanes of a warp read each other's registers.
///
/// *Cost.* Some operations on sets per loop that combines.
///
/// # Errors
/// Those of operations on sets, the end of the budget among them.
pub fn with_partial_results(
    tree: &ScheduleTree,
    (scop, dependences): (&Scop, &Dependences),
    (device, has_shuffles): (&Device, bool),
    taken: &BTreeSet<String>,
    budget: &Budget,
) -> Result<Option<PartialSelection>> {
    if dependences.reassociated().is_empty() || has_kernels(tree) {
        return Ok(None);
    }
    let memory = (device, KernelMemory::REGISTERS);
    let mut promoting = Promoting::new((scop, dependences), memory, taken, budget);
    without_kills(&mut promoting.scop);
    let updates = reductions(scop, budget)?;
    let (memory, n_kernels) = (Vec::new(), 0);
    let device = (device, has_shuffles);
    let mut kernels = Kernels { promoting, scop, updates, device, memory, n_kernels };
    let root = kernels.place(&tree.root, &Reaching::root(tree))?;
    let Kernels { promoting, memory, .. } = kernels;
    let Promoting { mut scop, promotion, decisions, .. } = promoting;
    let tree = ScheduleTree::new(domain(&scop), root);
    scop.schedule = without_marks(&tree)?;
    Ok(Some(PartialSelection { tree, scop, promotion, memory, decisions }))
}

/// Kill statements say what values end, in the program's order; that of the tree has none.
pub(crate) fn without_kills(scop: &mut Scop) {
    for statement in scop.statements.iter_mut().filter(|statement| statement.is_kill) {
        statement.domain = Set::empty(statement.domain.space().clone());
        for access in &mut statement.accesses {
            access.relation = Map::empty(access.relation.space().clone());
        }
    }
}

struct Kernels<'a> {
    /// The program with what has been added so far.
    promoting: Promoting<'a>,
    /// The program as it was.
    scop: &'a Scop,
    updates: Vec<Reduction>,
    /// The device, and whether lanes of its warps read each other's registers.
    device: (&'a Device, bool),
    memory: Vec<ArrayId>,
    n_kernels: usize,
}

/// A part of a kernel that its threads run between barriers.
struct Phase<'r> {
    runs: Vec<&'r Run>,
    below: Node,
    /// Whether the first thread does it alone (of those of a row).
    is_single: bool,
}

impl<'a> Kernels<'a> {
    fn known(&self) -> Updates<'_> {
        let (scop, dependences) = (self.scop, self.promoting.dependences);
        Updates { scop, dependences, updates: &self.updates }
    }

    /// The subtree with kernels where it combines.
    fn place(&mut self, node: &Node, reaching: &Reaching) -> Result<Node> {
        match node {
            Node::Band(band, child) if !independent_members(band).is_empty() => {
                Ok(self.rows(band, child, reaching)?.unwrap_or_else(|| node.clone()))
            }
            Node::Band(..) => match self.totals(&[(None, node)], reaching)? {
                Some(mut parts) if parts.len() == 1 => Ok(parts.remove(0).1),
                Some(parts) => Ok(Node::sequence(parts)),
                None => self.around(node, reaching),
            },
            Node::Sequence(children) => self.sequence(children, reaching),
            Node::Filter(..) | Node::Mark(..) | Node::Context(..) | Node::Guard(..) => {
                self.around(node, reaching)
            }
            _ => Ok(node.clone()),
        }
    }

    fn around(&mut self, node: &Node, reaching: &Reaching) -> Result<Node> {
        let n_before = self.promoting.scop.statements.len();
        let mut result = node.clone();
        for (position, child) in result.children_mut().iter_mut().enumerate() {
            *child = self.place(child, &reaching.descend(node, position)?)?;
        }
        let added: Vec<&Statement> = self.promoting.scop.statements[n_before..].iter().collect();
        reached_by(result, &added, reaching.depth())
    }

    /// The parts of a sequence: what follows each other without independent loops is looked at together.
    fn sequence(&mut self, children: &[Node], reaching: &Reaching) -> Result<Node> {
        let below = reaching.below(&Node::Sequence(children.to_vec()))?;
        let filter = |at: usize| match &children[at] {
            Node::Filter(filter, child) => Some((filter, &**child)),
            _ => None,
        };
        let is_total = |at: usize| {
            filter(at).is_some_and(|(_, child)| {
                !has_independent_loops(child)
                    && (child.is_leaf() || self.is_combined(child, &below[at], &children[at]))
            })
        };
        let are_totals: Vec<bool> = (0..children.len()).map(is_total).collect();
        let (mut result, mut at) = (Vec::new(), 0);
        while at < children.len() {
            let end = (at..children.len()).find(|&at| !are_totals[at]).unwrap_or(children.len());
            let run: Vec<(Option<&UnionSet>, &Node)> =
                (at..end).filter_map(filter).map(|(filter, child)| (Some(filter), child)).collect();
            match self.totals(&run, reaching)? {
                Some(parts) => {
                    result
                        .extend(parts.into_iter().map(|(filter, node)| Node::filter(filter, node)));
                }
                None => result.extend(children[at..end].iter().cloned()),
            }
            if end < children.len() {
                result.push(self.around(&children[end], &below[end])?);
            }
            at = end + 1;
        }
        Ok(Node::Sequence(result))
    }

    /// Whether a part of a sequence is loops that combine.
    fn is_combined(&self, child: &Node, reaching: &Reaching, filter: &Node) -> bool {
        let site = reaching.descend(filter, 0).ok().and_then(|inside| self.site(&inside));
        let Some(site) = site else { return false };
        let ids: Vec<StatementId> = site.statements.iter().map(|own| own.id).collect();
        self.known().parts(child, &site, &ids).is_some_and(|parts| {
            parts.iter().any(|part| matches!(part, super::groups::Part::Combined(..)))
        })
    }

    /// The statements that reach a node, without independent loops.
    fn site(&self, reaching: &Reaching) -> Option<Site> {
        let nothing = Band::new(MultiUnionPwAff::new(Tuple::anonymous(0), Vec::new()));
        Site::of(reaching, (&nothing, &[]), self.scop, self.promoting.budget)
    }

    /// Kernels in place of parts without independent loops, some of which combine, each with the instances
    /// that reach it.
    fn totals(
        &mut self,
        parts: &[(Option<&UnionSet>, &Node)],
        reaching: &Reaching,
    ) -> Result<Option<Vec<(UnionSet, Node)>>> {
        if parts.is_empty() || parts.iter().any(|(_, node)| has_independent_loops(node)) {
            return Ok(None);
        }
        let (mut all, mut whole) = (Vec::new(), None::<UnionSet>);
        for (filter, _) in parts {
            if let Some(filter) = filter {
                whole = Some(whole.map_or(Ok((*filter).clone()), |whole| whole.union(filter))?);
            }
        }
        let inside = match &whole {
            Some(whole) => reaching.descend(&Node::filter(whole.clone(), Node::Leaf), 0)?,
            None => reaching.clone(),
        };
        let Some(site) = self.site(&inside) else { return Ok(None) };
        let ids: Vec<StatementId> = site.statements.iter().map(|own| own.id).collect();
        for (filter, node) in parts {
            let node = match filter {
                Some(filter) => Node::filter((*filter).clone(), (*node).clone()),
                None => (*node).clone(),
            };
            let Some(own) = self.known().parts(&node, &site, &ids) else { return Ok(None) };
            all.extend(own);
        }
        let groups = self.known().groups(all);
        if groups.is_empty() {
            return Ok(None);
        }
        let blocks = if site.n_prefix == 0 { self.blocks() } else { 1 };
        let threads = self.threads();
        let has_shuffles = self.has_shuffles(&groups, threads, blocks);
        let shape = Shape { threads, blocks, rows: 1, has_shuffles };
        if !groups.iter().all(|group| self.fits(group, shape)) {
            return Ok(None);
        }
        let mut kernels = Vec::new();
        for group in groups {
            let is_late = self.known().may_be_late(&group);
            let Some(partials) = self.partials(&group, &site, shape)? else { return Ok(None) };
            kernels.extend(self.kernels((&group, is_late), (&site, shape), &partials)?);
        }
        Ok(Some(kernels))
    }

    /// The kernel of a loop whose iterations are rows.
    fn rows(&mut self, band: &Band, child: &Node, reaching: &Reaching) -> Result<Option<Node>> {
        let independent = independent_members(band);
        let [row] = independent[..] else { return Ok(None) };
        let Some(inside) = inside_of_rows(band, row, child) else { return Ok(None) };
        let members = [row];
        let site = Site::of(reaching, (band, &members), self.scop, self.promoting.budget);
        let Some(site) = site else { return Ok(None) };
        let ids: Vec<StatementId> = site.statements.iter().map(|own| own.id).collect();
        let known = self.known();
        let Some(parts) = known.parts(&inside, &site, &ids) else { return Ok(None) };
        let mut groups = known.groups(parts);
        let is_wanted = groups.len() == 1 && known.is_along_rows(&groups[0], &site);
        if !is_wanted {
            return Ok(None);
        }
        let group = groups.remove(0);
        let is_late = known.may_be_late(&group);
        let threads = i64::try_from(self.device.0.warp_threads).unwrap_or(32);
        let threads = 1 << threads.clamp(1, self.threads()).ilog2();
        let rows = (ROW_THREADS.min(self.most_threads()) / threads).max(1);
        let has_shuffles = self.has_shuffles(std::slice::from_ref(&group), threads, 1);
        let shape = Shape { threads, blocks: 1, rows, has_shuffles };
        if !self.fits(&group, shape) {
            return Ok(None);
        }
        let Some(partials) = self.partials(&group, &site, shape)? else { return Ok(None) };
        let kernels = self.kernels((&group, is_late), (&site, shape), &partials)?;
        Ok(kernels.into_iter().next().map(|(_, kernel)| kernel))
    }

    fn most_threads(&self) -> i64 {
        i64::try_from(self.device.0.block_threads).unwrap_or(THREADS).max(1)
    }

    /// Threads that combine one element: a power of two.
    fn threads(&self) -> i64 {
        1 << THREADS.min(self.most_threads()).ilog2()
    }

    /// Blocks that combine one element: a power of two, of which one block has as many threads.
    fn blocks(&self) -> i64 {
        let wanted = self.device.0.multiprocessors.saturating_mul(BLOCKS_OF_MULTIPROCESSOR);
        let wanted = i64::try_from(wanted).unwrap_or(i64::MAX).clamp(1, self.most_threads());
        1 << wanted.ilog2()
    }

    /// Whether lanes combine their registers: those of one warp, of numbers that a shuffle copies.
    fn has_shuffles(&self, groups: &[Group], threads: i64, blocks: i64) -> bool {
        let is_copied = |array: ArrayId| {
            let array = self.scop.array(array);
            let is_number = matches!(
                array.element_kind,
                ElementKind::Floating | ElementKind::Signed | ElementKind::Unsigned
            );
            is_number && matches!(array.element_bytes, Some(4 | 8))
        };
        let (device, is_wanted) = self.device;
        is_wanted
            && device.warp_threads == u64::from(ShuffleMark::LANES)
            && are_a_warp(threads)
            && blocks == 1
            && groups.iter().flat_map(|group| &group.reduced).all(|own| is_copied(own.array))
    }

    /// Whether the partial results of a group fit in shared memory.
    fn fits(&self, group: &Group, shape: Shape) -> bool {
        let bytes = group.reduced.iter().map(|own| {
            let element = self.scop.array(own.array).element_bytes.unwrap_or(16);
            i64::try_from(element).unwrap_or(16) * shape.rows * shape.threads.max(shape.blocks)
        });
        bytes.sum::<i64>() <= self.promoting.shared_bytes
    }

    /// What is added for a group; none if one of its statements is not known.
    fn partials(
        &mut self,
        group: &Group,
        site: &Site,
        shape: Shape,
    ) -> Result<Option<Vec<Partial>>> {
        let mut partials = Vec::new();
        for own in &group.reduced {
            let mut adding = Adding { promoting: &mut self.promoting, site, shape };
            let Some(partial) = adding.partial(own)? else { return Ok(None) };
            partials.push(partial);
        }
        for (own, partial) in group.reduced.iter().zip(&partials) {
            let name = &self.scop.array(own.array).name;
            let (sign, Shape { threads, blocks, rows, .. }) = (own.operator.clause(), shape);
            self.memory.extend(partial.second.as_ref().map(|second| second.memory));
            self.promoting.decisions.push(match (blocks, site.n) {
                (_, 1..) => format!(
                    "`{name}` ({sign}): {threads} threads combine an element, a block {rows} of them"
                ),
                (1, _) => format!("`{name}` ({sign}): {threads} threads combine their results"),
                _ => format!(
                    "`{name}` ({sign}): {blocks} blocks of {threads} threads combine their results, and a second kernel those of blocks"
                ),
            });
        }
        Ok(Some(partials))
    }

    /// The kernels of a group.
    fn kernels(
        &mut self,
        (group, is_late): (&Group, bool),
        (site, shape): (&Site, Shape),
        partials: &[Partial],
    ) -> Result<Vec<(UnionSet, Node)>> {
        let name = format!("reduction{}", self.n_kernels);
        self.n_kernels += 1;
        let single = |ids: &[StatementId]| -> Vec<Run> {
            let owns = ids.iter().filter_map(|id| site.statement(*id));
            owns.map(|own| self.by_first_thread(own, shape.rows)).collect()
        };
        let (before, after) = (single(&group.before), single(&group.after));
        let all = |run: &dyn Fn(&Partial) -> Run| partials.iter().map(run).collect::<Vec<Run>>();
        let (starts, updates) = (all(&|own| own.start.clone()), all(&|own| own.update.clone()));
        let ends = all(&|own| own.end.clone());
        let trees: Vec<&Tree> = partials.iter().map(|own| &own.tree).collect();
        let puts: Vec<Run> = trees.iter().filter_map(|tree| tree.put.clone()).collect();
        let mut turns = vec![
            (filter_of(&refs(&starts)), in_turn(&refs(&starts))),
            (filter_of(&refs(&updates)), group.node.clone()),
        ];
        if !puts.is_empty() {
            turns.push((filter_of(&refs(&puts)), in_turn(&refs(&puts))));
        }
        let runs: Vec<&Run> = starts.iter().chain(&updates).chain(&puts).collect();
        let mut first = vec![Phase { runs, below: Node::sequence(turns), is_single: false }];
        first.extend(phases(&trees));
        let late: &[Run] = if is_late { &before } else { &[] };
        let at_end = || late.iter().chain(&ends).chain(&after);
        let arrays = |trees: &[&Tree]| trees.iter().flat_map(|tree| tree.arrays.clone()).collect();
        let first_arrays: Vec<(MemorySpace, ArrayId)> = arrays(&trees);
        let seconds: Vec<&Second> = partials.iter().filter_map(|own| own.second.as_ref()).collect();
        if seconds.is_empty() {
            if !is_late && !before.is_empty() {
                first.insert(0, alone(shape, refs(&before)));
            }
            first.push(alone(shape, lasts(&trees).chain(at_end()).collect()));
            return Ok(vec![self.kernel(&name, first, &first_arrays, site.n > 0)]);
        }
        let outs: Vec<Run> = seconds.iter().map(|second| second.out.clone()).collect();
        let fetches: Vec<Run> = seconds.iter().map(|second| second.fetch.clone()).collect();
        first.push(alone(shape, lasts(&trees).chain(&outs).collect()));
        let mut kernels = Vec::new();
        if !is_late && !before.is_empty() {
            let runs = refs(&before);
            let mark = KernelMark { name: format!("{name}_before").into() };
            kernels.push((filter_of(&runs), Node::mark(&mark.to_string(), in_turn(&runs))));
        }
        kernels.push(self.kernel(&name, first, &first_arrays, true));
        let trees: Vec<&Tree> = seconds.iter().map(|second| &second.tree).collect();
        let mut last = vec![together(refs(&fetches))];
        last.extend(phases(&trees));
        last.push(alone(shape, lasts(&trees).chain(at_end()).collect()));
        let of_blocks: Vec<(MemorySpace, ArrayId)> = arrays(&trees);
        kernels.push(self.kernel(&format!("{name}_blocks"), last, &of_blocks, false));
        Ok(kernels)
    }

    /// A statement of the program that the first thread runs, of those for a row.
    fn by_first_thread(&self, own: &SiteStatement, rows: i64) -> Run {
        let zero = Aff::zero(own.space());
        let blocks = match own.members.first() {
            Some(row) => crate::promotion::quotient(row, rows),
            None => zero.clone(),
        };
        let threads = own.members.iter().cloned().chain([zero]).collect();
        let (id, space, loops) = (own.id, own.space().clone(), Vec::new());
        Run { id, space, blocks: vec![blocks], threads, loops }
    }

    /// A kernel whose threads run some phases, with the instances that it runs.
    fn kernel(
        &self,
        name: &str,
        phases: Vec<Phase<'_>>,
        arrays: &[(MemorySpace, ArrayId)],
        has_blocks: bool,
    ) -> (UnionSet, Node) {
        let runs: Vec<&Run> = phases.iter().flat_map(|phase| phase.runs.iter().copied()).collect();
        let whole = filter_of(&runs);
        let parts = phases.into_iter().map(|phase| {
            let filter = filter_of(&phase.runs);
            (filter, spread(&phase))
        });
        let mut below = Node::sequence(parts.collect());
        for (space, array) in arrays {
            below = declared(&self.promoting.scop, (*space, *array), below);
        }
        if has_blocks {
            let band = atomic(member_of(&runs, |run| run.blocks[0].clone()));
            below = spread_over(LoopKind::Block(Axis::X), band, below);
        }
        let mark = KernelMark { name: name.into() };
        (whole, Node::mark(&mark.to_string(), below))
    }
}

fn refs(runs: &[Run]) -> Vec<&Run> {
    runs.iter().collect()
}

/// Statements one after the other.
fn in_turn(runs: &[&Run]) -> Node {
    match runs {
        [_] => Node::Leaf,
        _ => Node::sequence(runs.iter().map(|run| (filter_of(&[*run]), Node::Leaf)).collect()),
    }
}

fn together(runs: Vec<&Run>) -> Phase<'_> {
    let below = in_turn(&runs);
    Phase { runs, below, is_single: false }
}

/// What the first thread does: with registers the one of which it is known that it is the first, and not one
/// that stands for all of them.
fn alone(shape: Shape, runs: Vec<&Run>) -> Phase<'_> {
    Phase { is_single: !shape.has_shuffles, ..together(runs) }
}

/// The steps of several trees of one shape, one phase for each.
fn phases<'t>(trees: &[&'t Tree]) -> Vec<Phase<'t>> {
    let n = trees.first().map_or(0, |tree| tree.steps.len());
    let step = |at: usize| {
        let steps: Vec<&Step> = trees.iter().filter_map(|tree| tree.steps.get(at)).collect();
        let runs: Vec<&Run> = steps.iter().flat_map(|step| &step.runs).collect();
        let mut below = in_turn(&runs);
        if let Some(distance) = steps.first().and_then(|step| step.shuffle) {
            below = Node::mark(&ShuffleMark { distance }.to_string(), below);
        }
        Phase { runs, below, is_single: false }
    };
    (0..n).map(step).collect()
}

/// What the first thread does at the end of several trees.
fn lasts<'t>(trees: &[&'t Tree]) -> impl Iterator<Item = &'t Run> {
    let all: Vec<&'t Run> = trees.iter().filter_map(|tree| tree.last.as_ref()).collect();
    all.into_iter()
}

/// The loops over threads around a phase, the innermost one along the fastest axis: what has none along an
/// axis is done by the first thread.
fn spread(phase: &Phase<'_>) -> Node {
    let n = phase.runs.first().map_or(0, |run| run.threads.len());
    (usize::from(phase.is_single)..n).fold(phase.below.clone(), |below, at| {
        let member = n - 1 - at;
        let band = atomic(member_of(&phase.runs, |run| run.threads[member].clone()));
        spread_over(LoopKind::Thread(Axis::ALL[at]), band, below)
    })
}

fn atomic(band: Band) -> Band {
    band.with_loop_types(&[AstLoopType::Atomic])
}
