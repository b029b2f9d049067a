//! The program's own order as bands: loops right inside of each other become one band where they are
//! permutable.
//!
//! Nothing is moved. All bands of a chain are joined first; one that is not permutable gives its outermost
//! loop away, which stays outside as a band of its own, until the rest is permutable. The flags are those
//! that hold ([`loopwright_verify::with_true_flags`]), so that tiles and parallel loops are decided as for a
//! schedule that was found.
use crate::pipeline::given_schedule::with_flags_found;
use crate::pipeline::without_kills::executable_part;
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scheduler::ScheduleConstraints;
use loopwright_scop::Scop;

/// The program's order in permutable bands as deep as the constraints allow.
///
/// # Errors
/// Those of the operations on trees. Without budget for the flags there are none: nothing is permutable then.
pub(crate) fn original_bands(
    scop: &Scop,
    constraints: &ScheduleConstraints,
    budget: &Budget,
) -> Result<ScheduleTree> {
    let mut tree = loops_as_bands(scop)?;
    loop {
        let flagged = with_flags_found(tree, constraints, budget);
        match split_first(&flagged.root) {
            None => return Ok(flagged),
            Some(root) => tree = ScheduleTree { root, ..flagged },
        }
    }
}

/// The program's order with loops right inside of each other as one band, permutable or not, without flags.
///
/// # Errors
/// Those of the operations on trees.
pub(crate) fn loops_as_bands(scop: &Scop) -> Result<ScheduleTree> {
    let tree = executable_part(scop, &scop.schedule)?;
    Ok(ScheduleTree { root: joined(tree.root), ..tree })
}

/// The tree with bands right inside of each other joined.
fn joined(mut node: Node) -> Node {
    for child in node.children_mut() {
        *child = joined(child.take());
    }
    match node {
        Node::Band(outer, child) => match *child {
            Node::Band(inner, below) => Node::band(outer.join(&inner), *below),
            child => Node::band(outer, child),
        },
        other => other,
    }
}

/// The tree with the outermost loop of each band that is not permutable split off; none if there is no such
/// band.
fn split_first(node: &Node) -> Option<Node> {
    if let Node::Band(band, child) = node
        && band.n_members() > 1
        && !band.permutable
    {
        let (first, rest) = band.split(1);
        return Some(Node::band(first, Node::band(rest, (**child).clone())));
    }
    let mut changed = node.clone();
    let mut any = false;
    for child in changed.children_mut() {
        if let Some(split) = split_first(child) {
            *child = split;
            any = true;
        }
    }
    any.then_some(changed)
}
