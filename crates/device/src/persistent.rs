//! Kernels that stay: one launch for all kernels of a host loop, or for several kernels one after the other.
//!
//! What the host would do between the kernels becomes sequential code that all threads of all blocks run
//! alike, with barriers across blocks ([`with_grid_barriers`](crate::with_grid_barriers)) where something of
//! one block is needed by another. Such a barrier takes less time than the end of a kernel and the launch of
//! the next one. All blocks have the same threads, so kernels are joined whose memory of threads is made for
//! the same number of threads; others get blocks of that shape. What blocks have in shared memory has to fit
//! for all of them together.
use crate::occupancy::Occupancy;
use crate::selection::{KernelShape, Selection};
use crate::sizes::KernelPlan;
use loopwright_machine::Device;
use loopwright_presburger::{Result, UnionSet};
use loopwright_schedule::{KernelMark, Node, ScheduleTree};
use std::ops::Range;

/// How kernels are launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Launches {
    /// Each for itself.
    Each,
    /// Each for itself, but for host loops with little to do, which are one block with barriers.
    SmallInOneBlock,
    /// Those of host loops, and those that follow each other, together, if the device is faster so.
    Joined,
}

/// Kernels that are launched together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// The way to the node that is in one kernel.
    path: Vec<usize>,
    /// The children of that node, if it is a sequence of which these are in one kernel.
    children: Option<Range<usize>>,
    /// The numbers of the kernels.
    pub(crate) kernels: Range<usize>,
    /// The threads of all blocks, the fastest axis first.
    pub(crate) threads: Vec<i64>,
}

impl Group {
    /// The threads of a block for a kernel with so many loops over threads, the slowest one first.
    pub(crate) fn block(&self, n_loops: usize) -> Vec<i64> {
        (0..n_loops).rev().map(|axis| self.threads.get(axis).copied().unwrap_or(1)).collect()
    }
}

/// The largest groups of kernels that may be launched together.
pub(crate) fn groups(root: &Node, shapes: &[KernelShape], device: &Device) -> Vec<Group> {
    if device.grid_barrier_nanoseconds >= device.launch_nanoseconds {
        return Vec::new();
    }
    let mut search =
        Search { shapes, device, groups: Vec::new(), path: Vec::new(), is_repeated: false };
    search.visit(root, 0);
    search.groups
}

/// The number of kernels in a subtree.
pub(crate) fn n_kernels(node: &Node) -> usize {
    match is_kernel(node) {
        true => 1,
        false => node.children().iter().map(n_kernels).sum(),
    }
}

fn is_kernel(node: &Node) -> bool {
    matches!(node, Node::Mark(name, _) if KernelMark::parse(name).is_some())
}

struct Search<'a> {
    shapes: &'a [KernelShape],
    device: &'a Device,
    groups: Vec<Group>,
    path: Vec<usize>,
    /// Whether this is in a loop of the host.
    is_repeated: bool,
}

impl Search<'_> {
    /// The groups of a subtree whose first kernel has a number.
    fn visit(&mut self, node: &Node, first: usize) {
        if is_kernel(node) {
            return;
        }
        let kernels = first..first + n_kernels(node);
        let around = self.is_repeated;
        let is_loop = matches!(node, Node::Band(..));
        self.is_repeated |= is_loop;
        if (is_loop || kernels.len() > 1)
            && let Some(threads) = self.threads(kernels.clone())
        {
            let path = self.path.clone();
            self.groups.push(Group { path, children: None, kernels, threads });
            self.is_repeated = around;
            return;
        }
        match node {
            Node::Sequence(children) | Node::Set(children) => self.sequence(children, first),
            _ => {
                for (position, child) in node.children().iter().enumerate() {
                    self.below(position, child, first);
                }
            }
        }
        self.is_repeated = around;
    }

    fn below(&mut self, position: usize, child: &Node, first: usize) {
        self.path.push(position);
        self.visit(child, first);
        self.path.pop();
    }

    /// Parts of a sequence that follow each other, as many as may be launched together.
    fn sequence(&mut self, children: &[Node], mut first: usize) {
        let mut start = 0;
        while start < children.len() {
            let n_of_first = n_kernels(&children[start]);
            let (mut end, mut kernels) = (start + 1, first..first + n_of_first);
            let mut threads = None;
            while let Some(next) = children.get(end) {
                let more = kernels.start..kernels.end + n_kernels(next);
                let Some(of_more) = self.threads(more.clone()) else { break };
                (threads, kernels) = (Some(of_more), more);
                end += 1;
            }
            match threads {
                Some(threads) => {
                    let (path, children) = (self.path.clone(), Some(start..end));
                    self.groups.push(Group { path, children, kernels: kernels.clone(), threads });
                }
                None => self.below(start, &children[start], first),
            }
            (start, first) = (end, kernels.end);
        }
    }

    /// The threads of a block for kernels that are launched together; none if they may not be.
    fn threads(&self, kernels: Range<usize>) -> Option<Vec<i64>> {
        let shapes = self.shapes.get(kernels)?;
        let shared: u64 = shapes.iter().map(|shape| shape.shared_bytes).sum();
        let mut fixed = shapes.iter().filter(|shape| shape.is_fixed);
        let n_axes = |shape: &&KernelShape| shape.threads.len();
        let threads = match fixed.next() {
            Some(first) => fixed.all(|other| other.threads == first.threads).then_some(first)?,
            None => shapes.iter().rev().max_by_key(n_axes)?,
        };
        // Two kernels with tiles need more registers and shared memory together than a single launch is
        // worth.
        let n_with_tiles = shapes.iter().filter(|shape| shape.shared_bytes > 0).count();
        if n_with_tiles > 1 && !self.is_repeated {
            return None;
        }
        let is_possible = shared <= self.device.block_shared_bytes && !threads.threads.is_empty();
        is_possible.then(|| threads.threads.clone())
    }
}

/// The selection with one kernel for each group, named after its first one.
///
/// # Errors
/// Those of unions of filters.
pub(crate) fn joined(selection: Selection, groups: &[Group], device: &Device) -> Result<Selection> {
    let Selection { tree, n_parallel, n_sequential, plans } = selection;
    let mut root = tree.root;
    // From the last one on, so that positions in sequences stay what they are.
    for group in groups.iter().rev() {
        join(&mut root, &group.path, group)?;
    }
    let plans = joined_plans(plans, groups, device);
    let tree = ScheduleTree::new(tree.domain, root);
    Ok(Selection { tree, n_parallel, n_sequential, plans })
}

fn join(node: &mut Node, path: &[usize], group: &Group) -> Result<()> {
    if let Some((position, rest)) = path.split_first() {
        return match node.children_mut().get_mut(*position) {
            Some(child) => join(child, rest, group),
            None => Ok(()),
        };
    }
    let name = KernelMark { name: name_of(group.kernels.start) }.to_string();
    match (&group.children, &mut *node) {
        (Some(range), Node::Sequence(children) | Node::Set(children))
            if range.len() < children.len() =>
        {
            let parts: Vec<Node> = children.drain(range.clone()).map(without_kernels).collect();
            let mut filter = UnionSet::from_sets(&loopwright_presburger::Space::params(&[]), []);
            for part in &parts {
                if let Node::Filter(own, _) = part {
                    filter = filter.union(own)?;
                }
            }
            let inside = Node::mark(&name, Node::Sequence(parts));
            children.insert(range.start, Node::filter(filter, inside));
        }
        _ => *node = Node::mark(&name, without_kernels(node.take())),
    }
    Ok(())
}

/// The name of the kernel with a number.
pub(crate) fn name_of(number: usize) -> loopwright_presburger::Name {
    format!("kernel{number}").into()
}

/// A subtree without the marks of its kernels; those that may run in any order run in turn.
pub(crate) fn without_kernels(node: Node) -> Node {
    match node {
        Node::Mark(name, child) if KernelMark::parse(&name).is_some() => *child,
        Node::Set(children) => Node::Sequence(children.into_iter().map(without_kernels).collect()),
        mut other => {
            for child in other.children_mut() {
                *child = without_kernels(child.take());
            }
            other
        }
    }
}

/// One plan for each group: the registers of the kernel that needs most.
fn joined_plans(plans: Vec<KernelPlan>, groups: &[Group], device: &Device) -> Vec<KernelPlan> {
    let group_of = |plan: &KernelPlan| {
        let is_own = |group: &&Group| group.kernels.clone().any(|n| name_of(n) == plan.name);
        groups.iter().find(is_own)
    };
    let mut all: Vec<KernelPlan> = Vec::new();
    for plan in plans {
        let Some(group) = group_of(&plan) else {
            all.push(plan);
            continue;
        };
        let name = name_of(group.kernels.start);
        let known = all.iter().position(|known| known.name == name);
        let registers = known.map_or(0, |at| all[at].registers).max(plan.registers);
        let threads = group.threads.clone();
        let needs = crate::occupancy::BlockNeeds {
            threads: threads.iter().product::<i64>().max(1) as u64,
            registers,
            shared_bytes: 0,
        };
        let joined = KernelPlan {
            name,
            tile: threads.clone(),
            most_blocks: vec![None; threads.len()],
            threads,
            blocks: None,
            registers,
            occupancy: Occupancy::of(&needs, device),
            is_given: false,
        };
        match known {
            Some(at) => all[at] = joined,
            None => all.push(joined),
        }
    }
    all
}
