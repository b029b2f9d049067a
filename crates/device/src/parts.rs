//! The kernels of a tree: where they are, and which coordinates of which statements their blocks and threads
//! share.
use crate::strides::iterators_in;
use loopwright_presburger::{Name, Result};
use loopwright_schedule::{Band, KernelMark, LoopMark, Node, ScheduleTree};
use std::collections::{BTreeMap, BTreeSet};

/// A kernel of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelPart {
    /// Its name.
    pub name: Name,
    /// The way to its mark from the root of the tree.
    pub path: Vec<usize>,
    /// For each of its statements the coordinates that loops over blocks and threads depend on.
    pub shared: BTreeMap<Name, BTreeSet<usize>>,
}

/// The kernels of a tree, in its order.
///
/// *Cost.* Linear in the nodes, besides the instances at each kernel.
///
/// # Errors
/// If the tree has expansions above a kernel.
///
/// # Examples
/// ```
/// use loopwright_schedule::ScheduleTree;
/// let tree = ScheduleTree::parse(
///     "{ domain: '{ S[i, j] }', child: { mark: 'kernel(k)', child: { mark: 'thread(x)',
///        child: { schedule: '[{ S[i, j] -> [(j)] }]' } } } }",
/// )?;
/// let kernels = loopwright_device::kernel_parts(&tree)?;
/// assert_eq!(&*kernels[0].name, "k");
/// assert_eq!(kernels[0].shared["S"], [1].into());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub fn kernel_parts(tree: &ScheduleTree) -> Result<Vec<KernelPart>> {
    let mut found = Vec::new();
    visit(tree, &tree.root, &mut Vec::new(), &mut found)?;
    Ok(found)
}

fn visit(
    tree: &ScheduleTree,
    node: &Node,
    path: &mut Vec<usize>,
    found: &mut Vec<KernelPart>,
) -> Result<()> {
    if let Node::Mark(name, child) = node
        && let Some(mark) = KernelMark::parse(name)
    {
        let sets = tree.domain_at(path)?.sets();
        let names = sets.iter().filter_map(|set| set.space().output()?.name().cloned());
        let mut shared = names.map(|name| (name, BTreeSet::new())).collect();
        coordinates(child, &mut shared);
        found.push(KernelPart { name: mark.name, path: path.clone(), shared });
        return Ok(());
    }
    for (position, child) in node.children().iter().enumerate() {
        path.push(position);
        visit(tree, child, path, found)?;
        path.pop();
    }
    Ok(())
}

/// Adds the coordinates that loops over blocks and threads depend on.
fn coordinates(node: &Node, shared: &mut BTreeMap<Name, BTreeSet<usize>>) {
    if let Node::Mark(name, child) = node
        && LoopMark::parse(name).is_some_and(|mark| mark.kind.is_of_kernel())
        && let Node::Band(band, _) = &**child
    {
        of_band(band, shared);
    }
    node.children().iter().for_each(|child| coordinates(child, shared));
}

fn of_band(band: &Band, shared: &mut BTreeMap<Name, BTreeSet<usize>>) {
    for part in band.schedule.members().iter().flat_map(|member| member.parts()) {
        let name = part.domain_space().output().and_then(|tuple| tuple.name());
        if let Some(own) = name.and_then(|name| shared.get_mut(name)) {
            own.extend(iterators_in(part));
        }
    }
}
