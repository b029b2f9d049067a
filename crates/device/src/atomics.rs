//! Marks for updates that are one instruction each.
use loopwright_presburger::{Name, Result, Tuple};
use loopwright_schedule::{AtomicMark, Node, Reaching, ScheduleTree};
use std::collections::BTreeSet;

/// The tree in which the statements of these names stand below marks for updates by one instruction
/// ([`AtomicMark`]); none if one of them shares a place with another statement.
///
/// *Cost.* Linear in the nodes, with the sets that reach each of them.
///
/// # Errors
/// Those of a tree that does not fit its domain.
pub fn with_atomic_marks(
    tree: &ScheduleTree,
    names: &BTreeSet<Name>,
) -> Result<Option<ScheduleTree>> {
    let root = marked(&tree.root, &Reaching::root(tree), names)?;
    Ok(root.map(|root| ScheduleTree::new(tree.domain.clone(), root)))
}

/// Whether all instances of the statements of these names are in a loop whose iterations are independent.
///
/// *Cost.* Linear in the nodes, with the sets that reach each of them.
///
/// # Errors
/// Those of a tree that does not fit its domain.
pub fn are_in_independent_loops(tree: &ScheduleTree, names: &BTreeSet<Name>) -> Result<bool> {
    are_in_loops(&tree.root, &Reaching::root(tree), names)
}

fn are_in_loops(node: &Node, reaching: &Reaching, names: &BTreeSet<Name>) -> Result<bool> {
    let is_independent =
        matches!(node, Node::Band(band, _) if band.members.iter().any(|member| member.coincident));
    if is_independent || !statements_at(reaching).any(|name| names.contains(name)) {
        return Ok(true);
    }
    if node.is_leaf() {
        return Ok(false);
    }
    for (child, below) in node.children().iter().zip(reaching.below(node)?) {
        if !are_in_loops(child, &below, names)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn marked(node: &Node, reaching: &Reaching, names: &BTreeSet<Name>) -> Result<Option<Node>> {
    let n_updates = statements_at(reaching).filter(|name| names.contains(*name)).count();
    if n_updates == 0 {
        return Ok(Some(node.clone()));
    }
    if node.is_leaf() {
        let is_alone = n_updates == statements_at(reaching).count();
        return Ok(is_alone.then(|| Node::mark(&AtomicMark.to_string(), node.clone())));
    }
    let mut result = node.clone();
    let below = reaching.below(node)?;
    for (child, below) in result.children_mut().iter_mut().zip(below) {
        let Some(new) = marked(child, &below, names)? else { return Ok(None) };
        *child = new;
    }
    Ok(Some(result))
}

/// The names of the statements that reach a node.
fn statements_at(reaching: &Reaching) -> impl Iterator<Item = &Name> {
    let spaces = reaching.pieces.iter().map(|piece| piece.domain.space());
    spaces.filter_map(|space| space.output().and_then(Tuple::name))
}
