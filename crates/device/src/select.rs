//! Which parts of a tree become kernels ("Scheduling for PPCG", section 5.1).
//!
//! From the root down, the first band with independent loops on each way becomes a kernel. Loops around it stay on the host,
//! and so does the order of the parts of sequences; what has no independent loop, but stands between kernels, becomes a kernel
//! of one thread, so that data stays on the device.
use crate::given_sizes::{GivenSizes, KernelSizes};
use crate::map::{independent_members, mapped};
use crate::sizes::KernelPlan;
use loopwright_machine::Device;
use loopwright_presburger::{Error, Name, Result};
use loopwright_schedule::{KernelMark, Node, ScheduleTree};
use loopwright_scop::Scop;

/// The operation that fails where sizes that the user gives are none.
pub const CHOOSING_SIZES: &str = "choosing sizes";

/// A tree with kernels.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The tree, with marks.
    pub tree: ScheduleTree,
    /// The number of kernels with blocks and threads.
    pub n_parallel: usize,
    /// The number of kernels of one thread.
    pub n_sequential: usize,
    /// The sizes of the kernels with blocks and threads.
    pub plans: Vec<KernelPlan>,
}

/// Whether a tree has kernels already.
///
/// ```
/// use loopwright_schedule::ScheduleTree;
/// let tree = ScheduleTree::parse("{ domain: '{ S[] }', child: { mark: 'kernel(only)' } }")?;
/// assert!(loopwright_device::has_kernels(&tree));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub fn has_kernels(tree: &ScheduleTree) -> bool {
    let is_kernel =
        |node: &Node| matches!(node, Node::Mark(name, _) if KernelMark::parse(name).is_some());
    !tree.root.every_descendant(&|node| !is_kernel(node))
}

/// The tree with kernels; those of its bands whose members are flagged as coincident get blocks and threads. None if there
/// is no such band. Their sizes are the given ones, or those of a model of the device.
///
/// *Cost.* Linear in the nodes, besides strip-mining.
///
/// # Errors
/// If the tree has extensions or expansions, those of sizes that are given (see [`GivenSizes::of`]), and those of strip-mining.
pub fn with_kernels(
    tree: &ScheduleTree,
    scop: &Scop,
    (device, given): (&Device, Option<&GivenSizes>),
) -> Result<Option<Selection>> {
    let mut kernels =
        Kernels { scop, device, given, n_parallel: 0, n_sequential: 0, plans: Vec::new() };
    if !has_independent_loops(&tree.root) {
        return Ok(None);
    }
    let root = kernels.place(&tree.root)?;
    let tree = ScheduleTree::new(tree.domain.clone(), root);
    let Kernels { n_parallel, n_sequential, plans, .. } = kernels;
    Ok(Some(Selection { tree, n_parallel, n_sequential, plans }))
}

fn has_independent_loops(node: &Node) -> bool {
    let is_independent =
        |node: &Node| matches!(node, Node::Band(band, _) if !independent_members(band).is_empty());
    !node.every_descendant(&|node| !is_independent(node))
}

struct Kernels<'a> {
    scop: &'a Scop,
    device: &'a Device,
    given: Option<&'a GivenSizes>,
    n_parallel: usize,
    n_sequential: usize,
    plans: Vec<KernelPlan>,
}

impl Kernels<'_> {
    /// The subtree with kernels on every way down.
    fn place(&mut self, node: &Node) -> Result<Node> {
        if !has_independent_loops(node) {
            let kernel = self.kernel(node.clone());
            self.n_sequential += 1;
            return Ok(kernel);
        }
        match node {
            Node::Band(band, child) if !independent_members(band).is_empty() => {
                let name = self.name();
                let given = self.given_sizes()?;
                let node = (band, (**child).clone());
                let (mapped, plan) = mapped(node, (name, &given), self.scop, self.device)?;
                self.plans.push(plan);
                let kernel = self.kernel(mapped);
                self.n_parallel += 1;
                Ok(kernel)
            }
            Node::Band(..)
            | Node::Filter(..)
            | Node::Mark(..)
            | Node::Context(..)
            | Node::Guard(..) => self.around(node),
            Node::Sequence(_) | Node::Set(_) => {
                let mut result = node.clone();
                for child in result.children_mut() {
                    *child = self.around(child)?;
                }
                Ok(result)
            }
            Node::Leaf | Node::Extension(..) | Node::Expansion { .. } => Err(Error::Invalid {
                operation: "choosing kernels",
                reason: "the tree has extensions or expansions".into(),
            }),
        }
    }

    /// The node, with kernels below it.
    fn around(&mut self, node: &Node) -> Result<Node> {
        let mut result = node.clone();
        for child in result.children_mut() {
            *child = self.place(child)?;
        }
        Ok(result)
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
        format!("kernel{}", self.number()).into()
    }

    /// The sizes that the user gives for the next kernel.
    fn given_sizes(&self) -> Result<KernelSizes> {
        let given =
            self.given.map_or_else(|| Ok(KernelSizes::default()), |given| given.of(self.number()));
        given.map_err(|reason| Error::Invalid { operation: CHOOSING_SIZES, reason })
    }
}
