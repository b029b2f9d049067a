//! Loops in the form that OpenMP accepts, and bodies without loops.
use loopwright_astgen::{AstExpr, AstNode, ForLoop, Place};
use loopwright_presburger::Space;

/// The calls of a body that consists of nothing else.
pub(crate) fn straight_line(body: &AstNode) -> Option<Vec<(&Space, &Place)>> {
    match body {
        AstNode::User { statement, place, .. } => Some(vec![(statement, place)]),
        AstNode::Block(children) => {
            let calls: Option<Vec<_>> = children.iter().map(straight_line).collect();
            calls.map(|calls| calls.into_iter().flatten().collect())
        }
        _ => None,
    }
}

/// Whether OpenMP accepts the loop: its condition compares the iterator with one expression.
pub(crate) fn is_canonical(for_loop: &ForLoop) -> bool {
    match &for_loop.condition {
        AstExpr::Lt(a, b) | AstExpr::Le(a, b) => {
            matches!(&**a, AstExpr::Id(name) if *name == for_loop.iterator)
                && !b.mentions(&for_loop.iterator)
        }
        _ => false,
    }
}
