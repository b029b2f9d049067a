//! Copies that go on while their thread does: they have ended at the next barrier.
//!
//! Such a copy reads and writes at any time from its place in the order to the next barrier. What is in front
//! of it in the order is done when it begins. What depends on it may be in the same thread, and needs a
//! barrier between the two nevertheless.
use loopwright_presburger::{Name, Result};
use loopwright_schedule::{AsynchronousMark, Node, Reaching};
use std::collections::BTreeSet;

/// The statements of a subtree that copy so.
pub(super) fn asynchronous_statements(node: &Node, reaching: &Reaching) -> Result<BTreeSet<Name>> {
    let mut found = BTreeSet::new();
    collect(node, reaching, &mut found)?;
    Ok(found)
}

fn collect(node: &Node, reaching: &Reaching, found: &mut BTreeSet<Name>) -> Result<()> {
    if matches!(node, Node::Mark(name, _) if AsynchronousMark::parse(name).is_some()) {
        let spaces = reaching.pieces.iter().map(|piece| piece.domain.space());
        found.extend(spaces.filter_map(|space| space.output()?.name().cloned()));
        return Ok(());
    }
    for (child, below) in node.children().iter().zip(reaching.below(node)?) {
        collect(child, &below, found)?;
    }
    Ok(())
}
