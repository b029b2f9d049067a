//! Updates that are in no order are one instruction each.
//!
//! Dependences without the order of such updates ([`loopwright_dataflow::with_atomic_updates`]) say nothing
//! about two of them on one element: their loads and stores could mix. So each of their instances has to
//! stand below an [`AtomicMark`], for which the text has one instruction; and nothing else may stand there.
use crate::verdict::{Proof, Violation, violation};
use loopwright_dataflow::{Dependences, atomic_updates};
use loopwright_presburger::{Budget, Name, Result, Tuple};
use loopwright_schedule::{AtomicMark, Node, Reaching, ScheduleTree};
use loopwright_scop::{Scop, StatementId};
use std::collections::BTreeSet;

/// Checks that the updates whose order the dependences set apart, [`Dependences::atomic`], stand below marks
/// for one instruction wherever they are executed, that they are updates of integers by operators that may be
/// exchanged, and that other statements do not stand there.
///
/// *Exactness.* Exact about the marks. *Cost.* Linear in the nodes and in the text of the statements.
///
/// # Errors
/// If the budget runs out; those of the operations on a tree that does not fit its domain.
pub fn check_atomic_updates(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Proof> {
    let name = |id: StatementId| scop.statement(id).name.clone();
    let updates = atomic_updates(scop, budget)?;
    let updates: BTreeSet<Name> = updates.iter().map(|own| name(own.statement)).collect();
    let pairs = dependences.atomic.iter();
    let free: BTreeSet<Name> =
        pairs.flat_map(|pair| [name(pair.source.0), name(pair.sink.0)]).collect();
    let mut violations = Vec::new();
    let others = free.difference(&updates);
    violations.extend(others.map(|name| violation(format!("{name} is no update of an integer"))));
    visit((&free, &updates), &tree.root, &Reaching::root(tree), false, &mut violations)?;
    Ok(match violations.is_empty() {
        true => Proof::Proved,
        false => Proof::Refuted(violations),
    })
}

fn visit(
    known: (&BTreeSet<Name>, &BTreeSet<Name>),
    node: &Node,
    reaching: &Reaching,
    is_atomic: bool,
    violations: &mut Vec<Violation>,
) -> Result<()> {
    let (free, updates) = known;
    let is_mark = matches!(node, Node::Mark(name, _) if AtomicMark::parse(name).is_some());
    let is_atomic = is_atomic || is_mark;
    if node.is_leaf() {
        let spaces = reaching.pieces.iter().map(|piece| piece.domain.space());
        for name in spaces.filter_map(|space| space.output().and_then(Tuple::name)) {
            let wrong = match is_atomic {
                true if !updates.contains(name) => "is updated by one instruction, but no update",
                false if free.contains(name) => "updates elements at any time, but not atomically",
                _ => continue,
            };
            violations.push(violation(format!("{name} {wrong}")));
        }
    }
    for (child, below) in node.children().iter().zip(reaching.below(node)?) {
        visit(known, child, &below, is_atomic, violations)?;
    }
    Ok(())
}
