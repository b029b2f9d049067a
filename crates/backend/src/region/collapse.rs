//! Two parallel loops of which threads share the iterations.
use super::canonical::{is_canonical, straight_line};
use loopwright_astgen::{AstNode, ForLoop};
use loopwright_schedule::{LoopKind, LoopMark};

/// Whether right below a parallel loop there is only another one, with loops inside, whose bounds do not move
/// with the first one. OpenMP then makes one loop of both (`collapse(2)`).
pub(super) fn is_collapsible(for_loop: &ForLoop) -> bool {
    let AstNode::Mark { name, dimension, child } = for_loop.body.single() else { return false };
    let AstNode::For(inner) = child.single() else { return false };
    let is_parallel = LoopMark::parse(name).is_some_and(|mark| {
        mark.kind == LoopKind::Parallel && mark.private.is_empty() && mark.reductions.is_empty()
    });
    is_parallel
        && *dimension == inner.dimension
        && !inner.degenerate
        && is_canonical(inner)
        && straight_line(&inner.body).is_none()
        && ![&inner.init, &inner.condition].iter().any(|bound| bound.mentions(&for_loop.iterator))
}
