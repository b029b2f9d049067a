//! How often one pass through a region calls threads.
use loopwright_astgen::AstNode;
use loopwright_schedule::{LoopKind, LoopMark};

/// The loops on threads that come one after another, each inside of an iteration of those around it; of two
/// branches those of the one with more.
pub(crate) fn calls_of_threads(node: &AstNode) -> usize {
    match node {
        AstNode::User { .. } => 0,
        AstNode::For(each) => calls_of_threads(&each.body),
        AstNode::Block(children) => children.iter().map(calls_of_threads).sum(),
        AstNode::If { then, otherwise, .. } => {
            let other = otherwise.as_deref().map_or(0, calls_of_threads);
            calls_of_threads(then).max(other)
        }
        AstNode::Mark { name, child, .. } => {
            let is_parallel = LoopMark::parse(name).is_some_and(|m| m.kind == LoopKind::Parallel);
            match is_parallel {
                true => 1,
                false => calls_of_threads(child),
            }
        }
    }
}
