//! Copies that overlap with kernels: what the host does is cut into steps, and each array is copied right
//! before the first step that has it, and right behind the last step that writes it.
//!
//! ```text
//! copies to the device of what step 0 needs;  kernels wait for copies;  step 0
//! copies to the device of what step 1 needs;  kernels wait for copies;  step 1 (while step 0 runs the copies do)
//! copies back wait for kernels;  copies back of what step 1 writes last;  step 2
//! ```
//!
//! Copies to the device, kernels, and copies back are three queues, each in order. Behind the first copy back
//! there is no way to the processor any more.
use super::host::Attempt;
use super::language::Language;
use loopwright_astgen::AstNode;
use loopwright_device::{DeviceArray, Transfers};
use loopwright_scop::{AccessKind, ArrayId, Scop};
use std::collections::BTreeSet;

/// How data is copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CopyOptions {
    /// Whether copies overlap with kernels.
    pub overlapped: bool,
    /// Whether arrays of the program stay in their pages meanwhile (CUDA).
    pub pinned: bool,
}

impl CopyOptions {
    /// Whether something has to be ended in any case.
    pub(super) fn finishes(self, language: Language) -> bool {
        self.overlapped || self.pinned && language == Language::Cuda
    }
}

/// A part of what the host does: a kernel, a loop or a condition that is in no other; or all of it.
struct Step<'a> {
    node: &'a AstNode,
    accessed: BTreeSet<ArrayId>,
    written: BTreeSet<ArrayId>,
}

/// What the host does, in order.
pub(super) struct Steps<'a>(Vec<Step<'a>>);

impl<'a> Steps<'a> {
    /// The steps of a tree, or all of it as one if copies do not overlap with kernels.
    pub(super) fn of(node: &'a AstNode, scop: &Scop, options: CopyOptions) -> Steps<'a> {
        let mut nodes = Vec::new();
        match options.overlapped {
            true => apart(node, &mut nodes),
            false => nodes.push(node),
        }
        let step = |node| {
            let mut step = Step { node, accessed: BTreeSet::new(), written: BTreeSet::new() };
            collect(node, scop, &mut step);
            step
        };
        Steps(nodes.into_iter().map(step).collect())
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = &'a AstNode> + '_ {
        self.0.iter().map(|step| step.node)
    }

    /// Whether an array is copied to the device in front of the step at a position: the first one that has
    /// it.
    pub(super) fn arrives(&self, own: &DeviceArray, position: usize) -> bool {
        let first = self.0.iter().position(|step| step.accessed.contains(&own.array));
        own.copy_in.is_some() && first.unwrap_or(0) == position
    }

    /// Whether an array is copied back behind the step at a position: the last one that writes it.
    pub(super) fn leaves(&self, own: &DeviceArray, position: usize) -> bool {
        let last = self.0.iter().rposition(|step| step.written.contains(&own.array));
        own.copy_out.is_some() && last.unwrap_or(self.last()) == position
    }

    /// The position of the last step.
    pub(super) fn last(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// What calls do that fail, in the step at a position and right behind it.
    pub(super) fn attempt(&self, transfers: &Transfers, position: usize) -> Attempt {
        let is_back = |own: &DeviceArray| (0..position).any(|before| self.leaves(own, before));
        match transfers.arrays.iter().any(is_back) {
            true => Attempt::Must,
            false => Attempt::Try,
        }
    }
}

fn apart<'a>(node: &'a AstNode, nodes: &mut Vec<&'a AstNode>) {
    match node {
        AstNode::Block(children) => children.iter().for_each(|child| apart(child, nodes)),
        other => nodes.push(other),
    }
}

fn collect(node: &AstNode, scop: &Scop, step: &mut Step<'_>) {
    match node {
        AstNode::For(each) => collect(&each.body, scop, step),
        AstNode::If { then, otherwise, .. } => {
            collect(then, scop, step);
            otherwise.iter().for_each(|otherwise| collect(otherwise, scop, step));
        }
        AstNode::Block(children) => children.iter().for_each(|child| collect(child, scop, step)),
        AstNode::Mark { child, .. } => collect(child, scop, step),
        AstNode::User { statement, .. } => {
            let name = statement.output().and_then(|tuple| tuple.name());
            let statement = name.and_then(|name| scop.statement_named(name));
            for access in statement.into_iter().flat_map(|statement| &statement.accesses) {
                step.accessed.insert(access.array);
                if matches!(access.kind, AccessKind::MustWrite | AccessKind::MayWrite) {
                    step.written.insert(access.array);
                }
            }
        }
    }
}
