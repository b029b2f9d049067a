//! Which parts of a tree become kernels ("Scheduling for PPCG", section 5.1).
//!
//! From the root down, the first band with independent loops on each way becomes a kernel. Loops around it
//! stay on the host, and so does the order of the parts of sequences; what has no independent loop, but
//! stands between kernels, becomes a kernel of one thread, so that data stays on the device.
use crate::given_sizes::{GivenSizes, KernelSizes};
use crate::map::{independent_members, mapped, marked, slowest_first};
use crate::one_block::in_one_block;
use crate::persistent::{Group, Launches, groups, joined, name_of};
use crate::promotion::{KernelMemory, PromotedKernel, Promoting, promoted_kernel};
use crate::selection::{KernelShape, Selection};
use crate::sizes::KernelPlan;
use loopwright_dataflow::Dependences;
use loopwright_machine::Device;
use loopwright_presburger::{
    Aff, Budget, DimKind, Error, Int, MultiUnionPwAff, Name, Piecewise, Result, Set, Space, Tuple,
    UnionPwAff, UnionSet,
};
use loopwright_schedule::{
    Axis, Band, KernelMark, LocalMark, LoopKind, MemorySpace, Node, Reaching, ScheduleTree,
};
use loopwright_scop::{Array, Promotion, Scop, Statement};
use std::collections::BTreeSet;

/// The operation that fails where sizes that the user gives are none.
pub const CHOOSING_SIZES: &str = "choosing sizes";

/// Whether a tree has kernels already.
///
/// ```
/// use loopwright_schedule::ScheduleTree;
/// let tree = ScheduleTree::parse("{ domain: '{ S[] }', child: { mark: 'kernel(only)' } }")?;
/// assert!(loopwright_device::has_kernels(&tree));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub fn has_kernels(tree: &ScheduleTree) -> bool {
    contains_kernels(&tree.root)
}

fn is_kernel(node: &Node) -> bool {
    matches!(node, Node::Mark(name, _) if KernelMark::parse(name).is_some())
}

fn contains_kernels(node: &Node) -> bool {
    !node.every_descendant(&|node| !is_kernel(node))
}

/// The tree with kernels; those of its bands whose members are flagged as coincident get blocks and threads.
/// None if there is no such band, or nothing to launch together if that is asked for. Their sizes are the
/// given ones, or those of a model of the device.
///
/// *Cost.* Linear in the nodes, besides strip-mining.
///
/// # Errors
/// If the tree has extensions or expansions, those of sizes that are given (see [`GivenSizes::of`]), and
/// those of strip-mining.
pub fn with_kernels(
    tree: &ScheduleTree,
    scop: &Scop,
    sizes: (&Device, Option<&GivenSizes>),
    launches: Launches,
) -> Result<Option<Selection>> {
    Ok(selected(tree, scop, (sizes, launches), None)?.map(|(selection, _)| selection))
}

/// A tree with kernels that keep values in the memory of blocks and threads, and the program that it
/// schedules.
#[derive(Clone, Debug)]
pub struct PromotedSelection {
    /// The tree and what is in it.
    pub selection: Selection,
    /// The program: the given one with promoted arrays, and statements that copy.
    pub scop: Scop,
    /// Which arrays these are.
    pub promotion: Promotion,
    /// What was promoted, in sentences.
    pub decisions: Vec<String>,
    /// The iterations of the independent loops of each kernel whose threads have several results, if no loop
    /// of the host is around it.
    pub several_results: Vec<Set>,
    /// Whether blocks of a kernel walk along one dimension of the data.
    pub has_streams: bool,
    /// Whether threads copy several elements at a time.
    pub has_vectors: bool,
}

/// As [`with_kernels`], with values of kernels in the memory that `memory` says, as far as blocks of the
/// device have it without asking for more. None if there is nothing to promote, or nothing to launch together
/// if that is asked for. `taken` are names that the program uses.
///
/// *Cost.* Some operations on sets per array and statement of a kernel.
///
/// # Errors
/// Those of [`with_kernels`], and of operations on sets, the end of the budget among them.
pub fn with_promoted_kernels(
    tree: &ScheduleTree,
    (scop, dependences): (&Scop, &Dependences),
    (device, memory, launches): (&Device, KernelMemory, Launches),
    taken: &BTreeSet<String>,
    budget: &Budget,
) -> Result<Option<PromotedSelection>> {
    if scop.statements.iter().any(|statement| statement.is_kill) {
        return Ok(None);
    }
    let promoting = Promoting::new((scop, dependences), (device, memory), taken, budget);
    let sizes = ((device, None), launches);
    let Some((mut selection, promoting)) = selected(tree, scop, sizes, Some(promoting))? else {
        return Ok(None);
    };
    let Some(promoting) = promoting.filter(|own| !own.promotion.arrays.is_empty()) else {
        return Ok(None);
    };
    let Promoting {
        mut scop, promotion, decisions, several_results, n_streams, has_vectors, ..
    } = promoting;
    selection.tree.domain = domain(&scop);
    scop.schedule = without_marks(&selection.tree)?;
    let has_streams = n_streams > 0;
    Ok(Some(PromotedSelection {
        selection,
        scop,
        promotion,
        decisions,
        several_results,
        has_streams,
        has_vectors,
    }))
}

/// All instances that are executed.
pub(crate) fn domain(scop: &Scop) -> UnionSet {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    UnionSet::from_sets(&Space::params(&[]), executed.map(|statement| statement.domain.clone()))
}

/// The order that a tree says, and nothing else.
pub(crate) fn without_marks(tree: &ScheduleTree) -> Result<ScheduleTree> {
    let root = tree.root.clone().map_bottom_up(&mut |node| {
        Ok::<Node, Error>(match node {
            Node::Mark(_, child) => *child,
            other => other,
        })
    })?;
    Ok(ScheduleTree::new(tree.domain.clone(), root))
}

fn selected<'a>(
    tree: &ScheduleTree,
    scop: &'a Scop,
    (sizes, launches): ((&'a Device, Option<&'a GivenSizes>), Launches),
    promoting: Option<Promoting<'a>>,
) -> Result<Option<(Selection, Option<Promoting<'a>>)>> {
    if !has_independent_loops(&tree.root) && !has_kernels(tree) {
        return Ok(None);
    }
    let (first, kernels) = Kernels::of(tree, scop, sizes, promoting.clone(), Vec::new())?;
    let (device, _) = sizes;
    match launches {
        Launches::Each => return Ok(Some((first, kernels.promoting))),
        Launches::SmallInOneBlock => {
            let program = kernels.promoting.as_ref().map_or(scop, |own| &own.scop);
            let found = in_one_block(first, &kernels.shapes, (program, device))?;
            return Ok(found.map(|found| (found, kernels.promoting)));
        }
        Launches::Joined => {}
    }
    let groups = groups(&first.tree.root, &kernels.shapes, device);
    if groups.is_empty() {
        return Ok(None);
    }
    let (second, kernels) = Kernels::of(tree, scop, sizes, promoting, groups)?;
    let joined = joined(second, &kernels.groups, device)?;
    Ok(Some((joined, kernels.promoting)))
}

pub(crate) fn has_independent_loops(node: &Node) -> bool {
    let is_independent =
        |node: &Node| matches!(node, Node::Band(band, _) if !independent_members(band).is_empty());
    !node.every_descendant(&|node| !is_independent(node))
}

struct Kernels<'a> {
    scop: &'a Scop,
    promoting: Option<Promoting<'a>>,
    device: &'a Device,
    given: Option<&'a GivenSizes>,
    n_parallel: usize,
    n_sequential: usize,
    plans: Vec<KernelPlan>,
    /// The shape of each kernel.
    shapes: Vec<KernelShape>,
    /// The kernels that are launched together, which have blocks of one shape.
    groups: Vec<Group>,
}

impl<'a> Kernels<'a> {
    /// The tree with kernels.
    fn of(
        tree: &ScheduleTree,
        scop: &'a Scop,
        (device, given): (&'a Device, Option<&'a GivenSizes>),
        promoting: Option<Promoting<'a>>,
        groups: Vec<Group>,
    ) -> Result<(Selection, Kernels<'a>)> {
        let (n_parallel, n_sequential, plans, shapes) = (0, 0, Vec::new(), Vec::new());
        let mut kernels = Kernels {
            scop,
            promoting,
            device,
            given,
            n_parallel,
            n_sequential,
            plans,
            shapes,
            groups,
        };
        let root = kernels.place(&tree.root, &Reaching::root(tree))?;
        let tree = ScheduleTree::new(tree.domain.clone(), root);
        let Kernels { n_parallel, n_sequential, .. } = kernels;
        let plans = std::mem::take(&mut kernels.plans);
        Ok((Selection { tree, n_parallel, n_sequential, plans }, kernels))
    }

    /// The subtree with kernels on every way down.
    fn place(&mut self, node: &Node, reaching: &Reaching) -> Result<Node> {
        if is_kernel(node) {
            return Ok(node.clone());
        }
        if !has_independent_loops(node) && !contains_kernels(node) {
            let is_joined = self.groups.iter().any(|g| g.kernels.contains(&self.number()));
            let below = match is_joined {
                true => by_the_first(node.clone(), reaching)?,
                false => node.clone(),
            };
            let kernel = self.kernel(below);
            let threads = Vec::new();
            self.shapes.push(KernelShape { threads, is_fixed: false, shared_bytes: 0 });
            self.n_sequential += 1;
            return Ok(kernel);
        }
        match node {
            Node::Band(band, child)
                if !independent_members(band).is_empty() && !contains_kernels(child) =>
            {
                let mapped = match self.promoted(band, child, reaching)? {
                    Some(PromotedKernel { node, threads }) => {
                        let shared_bytes = self.shared_bytes(&node);
                        self.shapes.push(KernelShape { threads, is_fixed: true, shared_bytes });
                        node
                    }
                    None => {
                        let n_loops = independent_members(band).len();
                        let (name, given) = (self.name(), self.sizes(n_loops)?);
                        let node = (band, (**child).clone());
                        let (mapped, plan) =
                            mapped(node, (name, &given), (self.scop, reaching), self.device)?;
                        let threads = plan.threads.clone();
                        self.shapes.push(KernelShape { threads, is_fixed: false, shared_bytes: 0 });
                        self.plans.push(plan);
                        mapped
                    }
                };
                let kernel = self.kernel(mapped);
                self.n_parallel += 1;
                Ok(kernel)
            }
            Node::Band(..)
            | Node::Filter(..)
            | Node::Mark(..)
            | Node::Context(..)
            | Node::Guard(..) => self.around(node, reaching),
            Node::Sequence(_) | Node::Set(_) => {
                let mut result = node.clone();
                let below = reaching.below(node)?;
                for (child, below) in result.children_mut().iter_mut().zip(&below) {
                    *child = self.around(child, below)?;
                }
                Ok(result)
            }
            Node::Leaf | Node::Extension(..) | Node::Expansion { .. } => Err(Error::Invalid {
                operation: "choosing kernels",
                reason: "the tree has extensions or expansions".into(),
            }),
        }
    }

    /// The node, with kernels below it; statements that are added there reach it, too.
    fn around(&mut self, node: &Node, reaching: &Reaching) -> Result<Node> {
        let n_before = self.n_statements();
        let mut result = node.clone();
        for (position, child) in result.children_mut().iter_mut().enumerate() {
            *child = self.place(child, &reaching.descend(node, position)?)?;
        }
        let added = self.promoting.iter().flat_map(|own| &own.scop.statements[n_before..]);
        let added: Vec<&Statement> = added.collect();
        reached_by(result, &added, reaching.depth())
    }

    fn n_statements(&self) -> usize {
        self.promoting.as_ref().map_or(0, |own| own.scop.statements.len())
    }

    /// The subtree of a kernel with memory of its own.
    fn promoted(
        &mut self,
        band: &Band,
        child: &Node,
        reaching: &Reaching,
    ) -> Result<Option<PromotedKernel>> {
        let Some(promoting) = &mut self.promoting else { return Ok(None) };
        let independent = slowest_first(band, independent_members(band), self.scop);
        let inside = inside_of(band, &independent, child)?;
        promoted_kernel(promoting, reaching, (band, &independent), &inside)
    }

    fn kernel(&self, below: Node) -> Node {
        Node::mark(&KernelMark { name: self.name() }.to_string(), below)
    }

    /// The number of the next kernel.
    fn number(&self) -> usize {
        self.n_parallel + self.n_sequential
    }

    /// The name of the next kernel.
    fn name(&self) -> Name {
        name_of(self.number())
    }

    /// What a block of a kernel with memory of its own has in shared memory.
    fn shared_bytes(&self, node: &Node) -> u64 {
        let mut shared_bytes = 0_u64;
        node.for_each(&mut |node| {
            let Node::Mark(name, _) = node else { return };
            let mark = LocalMark::parse(name).filter(|mark| mark.space == MemorySpace::Shared);
            let Some(mark) = mark else { return };
            let mut arrays = self.promoting.iter().flat_map(|own| &own.scop.arrays);
            let array = arrays.rfind(|array| array.tuple_name == mark.array);
            shared_bytes += array.and_then(bytes_of).unwrap_or(u64::MAX / 64);
        });
        shared_bytes
    }

    /// The sizes of the next kernel, with so many loops: those of the kernels that it is launched with, or
    /// those that the user gives.
    fn sizes(&self, n_loops: usize) -> Result<KernelSizes> {
        let group = self.groups.iter().find(|group| group.kernels.contains(&self.number()));
        if let Some(group) = group {
            let block = group.block(n_loops);
            return Ok(KernelSizes { block, ..KernelSizes::default() });
        }
        let given =
            self.given.map_or_else(|| Ok(KernelSizes::default()), |given| given.of(self.number()));
        given.map_err(|reason| Error::Invalid { operation: CHOOSING_SIZES, reason })
    }
}

/// What is inside of some members of a band: the others, and what is below.
pub(crate) fn inside_of(band: &Band, members: &[usize], child: &Node) -> Result<Node> {
    let others: Vec<usize> = (0..band.n_members()).filter(|m| !members.contains(m)).collect();
    if others.is_empty() {
        return Ok(child.clone());
    }
    let order: Vec<usize> = members.iter().chain(&others).copied().collect();
    let rest = band.permute_unchecked(&order)?.split(members.len()).1;
    Ok(Node::band(rest, child.clone()))
}

/// A node around kernels that statements reach which were added below it.
pub(crate) fn reached_by(mut node: Node, added: &[&Statement], depth: usize) -> Result<Node> {
    if added.is_empty() {
        return Ok(node);
    }
    match &mut node {
        Node::Filter(filter, _) => {
            let whole = added.iter().map(|s| Set::universe(s.domain.space().clone()));
            *filter = filter.union(&UnionSet::from_sets(&Space::params(&[]), whole))?;
        }
        Node::Band(band, _) => extend(band, added, depth)?,
        _ => {}
    }
    Ok(node)
}

/// A subtree in loops over blocks and threads of one iteration, so that it may have variables of its own in a
/// kernel with other loops.
fn by_the_first(node: Node, reaching: &Reaching) -> Result<Node> {
    let domain = reaching.domain()?;
    let zero = |set: &Set| Piecewise::everywhere(Aff::constant(set.space(), &Int::ZERO));
    let member = UnionPwAff::from_parts(domain.sets().iter().map(zero).collect());
    let band = Band::new(MultiUnionPwAff::new(Tuple::anonymous(1), vec![member]));
    let threads = marked(&band, &[(Axis::X, true)], LoopKind::Thread, node);
    Ok(marked(&band, &[(Axis::X, true)], LoopKind::Block, threads))
}

/// The bytes of an array, if its extents are constants.
fn bytes_of(array: &Array) -> Option<u64> {
    let mut extents = array.extent_texts.iter();
    extents.try_fold(array.element_bytes?, |bytes, own| bytes.checked_mul(own.parse().ok()?))
}

/// A band around kernels with the values for statements that were added: their coordinates from `depth` on.
fn extend(band: &mut Band, added: &[&Statement], depth: usize) -> Result<()> {
    let mut members = Vec::new();
    for (position, known) in band.schedule.members().iter().enumerate() {
        let part = |statement: &&Statement| {
            let space = statement.domain.space();
            Piecewise::everywhere(Aff::variable(space, DimKind::Out, depth + position))
        };
        let own = UnionPwAff::from_parts(added.iter().map(part).collect());
        members.push(known.union_disjoint(&own)?);
    }
    band.schedule = MultiUnionPwAff::new(band.schedule.tuple().clone(), members);
    Ok(())
}
