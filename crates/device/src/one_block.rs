//! One block for small host loops: where each kernel of a loop has little to do, all of the loop is one
//! launch of one block, whose threads wait for each other at barriers.
//!
//! A step of such a loop takes less time on one multiprocessor than a launch does. Whether steps are small
//! depends on symbolic constants: the tree has both versions, one after the other, for values for which the
//! iterations of each kernel differ by less than a bound, and for the others.
use crate::persistent::{n_kernels, name_of, without_kernels};
use crate::selection::{KernelShape, Selection};
use loopwright_machine::Device;
use loopwright_presburger::{Budget, Map, Result, Set, Space, Tuple, UnionSet};
use loopwright_schedule::{KernelMark, LoopKind, LoopMark, Node, Reaching, ScheduleTree};
use loopwright_scop::Scop;

/// Nanoseconds of an iteration of all threads of a block: the time of memory.
const STEP_NANOSECONDS: u64 = 500;

/// Steps for the values of symbolic constants for which a loop is small.
const STEPS: u64 = 200_000;

/// The selection with small host loops as kernels of one block; none if there is no such loop.
///
/// # Errors
/// Those of operations on sets, a limit among them.
pub(crate) fn in_one_block(
    selection: Selection,
    shapes: &[KernelShape],
    (scop, device): (&Scop, &Device),
) -> Result<Option<Selection>> {
    let Selection { tree, n_parallel, n_sequential, plans } = selection;
    let mut search = Search { shapes, scop, device, budget: Budget::steps(STEPS), n_found: 0 };
    let root = search.visit(&tree.root, &Reaching::root(&tree), 0)?;
    let tree = ScheduleTree::new(tree.domain, root);
    let found = Selection { tree, n_parallel, n_sequential, plans };
    Ok((search.n_found > 0).then_some(found))
}

struct Search<'a> {
    shapes: &'a [KernelShape],
    scop: &'a Scop,
    device: &'a Device,
    budget: Budget,
    n_found: usize,
}

impl Search<'_> {
    /// A part of the tree that the host runs, whose first kernel has a number.
    fn visit(&mut self, node: &Node, reaching: &Reaching, first: usize) -> Result<Node> {
        if matches!(node, Node::Mark(name, _) if KernelMark::parse(name).is_some()) {
            return Ok(node.clone());
        }
        if matches!(node, Node::Band(..))
            && let Some(small) = self.small(node, reaching, first)?
        {
            self.n_found += 1;
            return self.versions(node, (reaching, &small), first);
        }
        let mut result = node.clone();
        let mut first = first;
        for (position, child) in result.children_mut().iter_mut().enumerate() {
            let n = n_kernels(child);
            *child = self.visit(child, &reaching.descend(node, position)?, first)?;
            first += n;
        }
        Ok(result)
    }

    /// The values of symbolic constants for which a loop is small; none if there are no such values, or it
    /// has nothing for threads to share.
    fn small(&self, node: &Node, reaching: &Reaching, first: usize) -> Result<Option<Set>> {
        let Some(shapes) = self.shapes.get(first..first + n_kernels(node)) else {
            return Ok(None);
        };
        let is_possible = |shape: &KernelShape| shape.threads.len() <= 1 && !shape.is_fixed;
        let threads = shapes.iter().flat_map(|shape| shape.threads.first()).max();
        let Some(threads) = threads.filter(|_| shapes.iter().all(is_possible)) else {
            return Ok(None);
        };
        if has_loops_in_threads(node, false) {
            return Ok(None);
        }
        let steps = i64::try_from(self.device.launch_nanoseconds / STEP_NANOSECONDS);
        let most = threads.saturating_mul(steps.unwrap_or(1).max(1));
        let mut small = self.scop.context.clone();
        self.without_large(node, reaching, (0, most), &mut small)?;
        let small = small.coalesce(&self.budget)?;
        Ok((!small.is_empty(&self.budget)?).then_some(small))
    }

    /// Takes those values away for which iterations of a loop over threads, in one execution of its kernel,
    /// differ by `most` or more; `depth` are the loops outside of the kernel.
    fn without_large(
        &self,
        node: &Node,
        reaching: &Reaching,
        (depth, most): (usize, i64),
        small: &mut Set,
    ) -> Result<()> {
        let mut depth = depth;
        if let Node::Mark(name, child) = node {
            if KernelMark::parse(name).is_some() {
                depth = reaching.depth();
            }
            if is_thread(name) {
                let inside = reaching.descend(child, 0)?;
                let n = inside.depth();
                let values = inside.prefix_schedule()?.range();
                let values = values.extract(&Space::set(&[], Tuple::anonymous(n)));
                let far = values.apply(&farther(depth, n, most)?)?.intersect(&values)?;
                *small = small.subtract(&far.params(), &self.budget)?;
                return Ok(());
            }
        }
        for (position, child) in node.children().iter().enumerate() {
            let below = reaching.descend(node, position)?;
            self.without_large(child, &below, (depth, most), small)?;
        }
        Ok(())
    }

    /// A loop in one block for some values of symbolic constants, and as it was for the others.
    fn versions(
        &self,
        node: &Node,
        (reaching, small): (&Reaching, &Set),
        first: usize,
    ) -> Result<Node> {
        let name = KernelMark { name: name_of(first) }.to_string();
        let alone = Node::mark(&name, without_blocks(without_kernels(node.clone())));
        let large = self.scop.context.subtract(small, &self.budget)?;
        if large.is_empty(&self.budget)? {
            return Ok(alone);
        }
        let domain = reaching.domain()?;
        let filter = |values: &Set| -> Result<UnionSet> {
            let spaces = domain.sets();
            let whole = spaces.iter().map(|set| Set::universe(set.space().clone()));
            UnionSet::from_sets(&Space::params(&[]), whole).intersect_params(values)
        };
        let parts = vec![(filter(small)?, alone), (filter(&large)?, node.clone())];
        Ok(Node::sequence(parts))
    }
}

fn is_thread(name: &str) -> bool {
    LoopMark::parse(name).is_some_and(|mark| matches!(mark.kind, LoopKind::Thread(_)))
}

/// From points to those with the same first values and a last one that is larger by this at least.
fn farther(n_same: usize, n: usize, by: i64) -> Result<Map> {
    let list = |letter: &str| -> String {
        (0..n).map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(", ")
    };
    let same = (0..n_same).map(|at| format!("b{at} = a{at} and ")).collect::<String>();
    let last = n.saturating_sub(1);
    Map::parse(&format!(
        "{{ [{}] -> [{}] : {same}b{last} >= a{last} + {by} }}",
        list("a"),
        list("b")
    ))
}

/// Whether threads have loops of their own.
fn has_loops_in_threads(node: &Node, is_in_thread: bool) -> bool {
    match node {
        Node::Mark(name, child) if is_thread(name) => {
            child.children().iter().any(|below| has_loops_in_threads(below, true))
        }
        Node::Band(..) if is_in_thread => true,
        _ => node.children().iter().any(|child| has_loops_in_threads(child, is_in_thread)),
    }
}

/// A subtree in which strips are not shared by blocks, but done in turn.
fn without_blocks(node: Node) -> Node {
    let is_block = |name: &str| {
        LoopMark::parse(name).is_some_and(|mark| matches!(mark.kind, LoopKind::Block(_)))
    };
    match node {
        Node::Mark(name, child) if is_block(&name) => without_blocks(*child),
        mut other => {
            for child in other.children_mut() {
                *child = without_blocks(child.take());
            }
            other
        }
    }
}
