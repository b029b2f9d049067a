//! Variables of which each thread of a kernel has its own, in the marks of all its loops over blocks and
//! threads.
use loopwright_presburger::{Error, Name, Result};
use loopwright_schedule::{Band, KernelMark, LoopMark, Node, ScheduleTree};
use loopwright_scop::Scop;
use std::collections::BTreeSet;

/// The tree in which loops over blocks and threads also name the private variables of other ones of their
/// kernel, if nothing in them accesses these: a kernel declares a variable of its threads once.
///
/// # Errors
/// None of its own.
pub(crate) fn with_private_variables_of_kernels(
    scop: &Scop,
    tree: &ScheduleTree,
) -> Result<ScheduleTree> {
    let root = tree.root.clone().map_bottom_up(&mut |node| match node {
        Node::Mark(name, child) if KernelMark::parse(&name).is_some() => {
            Ok::<Node, Error>(Node::mark(&name, in_kernel(scop, *child)?))
        }
        other => Ok(other),
    })?;
    Ok(ScheduleTree::new(tree.domain.clone(), root))
}

/// The mark of a loop over blocks or threads, and its band.
fn marked(node: &Node) -> Option<(LoopMark, &Band)> {
    match node {
        Node::Mark(name, child) => match (LoopMark::parse(name), &**child) {
            (Some(mark), Node::Band(band, _)) if mark.kind.is_of_kernel() => Some((mark, band)),
            _ => None,
        },
        _ => None,
    }
}

fn in_kernel(scop: &Scop, node: Node) -> Result<Node> {
    let (mut all, mut shared) = (BTreeSet::new(), BTreeSet::new());
    node.for_each(&mut |node| {
        let Some((mark, band)) = marked(node) else { return };
        let is_own = |name: &Name| mark.private.contains(name);
        shared.extend(accessed(scop, band).into_iter().filter(|name| !is_own(name)));
        all.extend(mark.private);
    });
    let everywhere: Vec<Name> = all.difference(&shared).cloned().collect();
    node.map_bottom_up(&mut |node| {
        let Some((mut mark, _)) = marked(&node) else { return Ok(node) };
        let more: Vec<Name> =
            everywhere.iter().filter(|name| !mark.private.contains(name)).cloned().collect();
        mark.private.extend(more);
        Ok(match node {
            Node::Mark(_, child) => Node::mark(&mark.to_string(), *child),
            other => other,
        })
    })
}

/// The variables that statements in a band access.
fn accessed(scop: &Scop, band: &Band) -> BTreeSet<Name> {
    let parts = band.schedule.members().iter().flat_map(|member| member.parts());
    let names = parts.filter_map(|part| part.domain_space().output()?.name().cloned());
    let statements = names.filter_map(|name| scop.statement_named(&name));
    let accesses = statements.flat_map(|statement| &statement.accesses);
    accesses.map(|access| scop.array(access.array).tuple_name.clone()).collect()
}
