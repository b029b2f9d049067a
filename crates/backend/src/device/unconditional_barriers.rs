//! Barriers that no condition decides about, in kernels that have some in loops.
//!
//! ```text
//! for (t ..) {                     for (t ..) {
//!   if (c) {                         if (c) { A }
//!     A                              barrier
//!     barrier                        if (c) { B }
//!     B                              for (s ..; c && s < n; s++) {
//!     for (s ..; s < n; s++) {         barrier
//!       barrier                        D
//!       D                            }
//!     }                            }
//!   }
//! }
//! ```
//!
//! Conditions of a tree depend on iterators and symbolic constants alone, so `c` is the same at each of these
//! places. All threads reach the barriers of the left text alike, and OpenCL allows it; but PoCL 3.1 computes
//! other values with it, or never ends where the condition is beside a loop with barriers. The right one runs
//! the same statements in the same order, and at least one barrier wherever the left one has some.
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_schedule::{BarrierMark, KernelMark, LocalMark, MemorySpace};

/// The tree, in whose kernels with barriers in loops conditions stand around the parts between barriers. What
/// has a condition without a counterpart for its other branch stays as it is.
///
/// *Cost.* Linear in the tree, but for conditions, which are repeated for each part.
pub fn with_unconditional_barriers(node: AstNode) -> AstNode {
    match node {
        AstNode::For(each) => {
            AstNode::For(with_body(each, |body| vec![with_unconditional_barriers(body)]))
        }
        AstNode::If { condition, then, otherwise } => {
            let below = |node: Box<AstNode>| Box::new(with_unconditional_barriers(*node));
            AstNode::If { condition, then: below(then), otherwise: otherwise.map(below) }
        }
        AstNode::Block(children) => {
            AstNode::Block(children.into_iter().map(with_unconditional_barriers).collect())
        }
        AstNode::Mark { name, dimension, child } => {
            let child = Box::new(match KernelMark::parse(&name) {
                Some(_) if waits_in_loop(&child) => together(divided(*child, &[])),
                Some(_) => *child,
                None => with_unconditional_barriers(*child),
            });
            AstNode::Mark { name, dimension, child }
        }
        AstNode::User { .. } => node,
    }
}

/// Whether there is a barrier in a part of a kernel, or an array for whose next turn threads wait.
fn waits(node: &AstNode) -> bool {
    let is_shared =
        |name| LocalMark::parse(name).is_some_and(|mark| mark.space == MemorySpace::Shared);
    node.marks().into_iter().any(|name| BarrierMark::parse(name).is_some() || is_shared(name))
}

/// Whether threads wait in a loop of a kernel.
fn waits_in_loop(node: &AstNode) -> bool {
    match node {
        AstNode::For(each) if !each.degenerate => waits(&each.body),
        AstNode::For(each) => waits_in_loop(&each.body),
        AstNode::If { then, otherwise, .. } => {
            waits_in_loop(then) || otherwise.as_deref().is_some_and(waits_in_loop)
        }
        AstNode::Block(children) => children.iter().any(waits_in_loop),
        AstNode::Mark { child, .. } => waits_in_loop(child),
        AstNode::User { .. } => false,
    }
}

/// Whether a barrier stands below a condition in a loop.
pub(super) fn has_barrier_on_condition(node: &AstNode) -> bool {
    fn has_one(node: &AstNode, is_in_loop: bool) -> bool {
        match node {
            AstNode::For(each) => has_one(&each.body, is_in_loop || !each.degenerate),
            AstNode::If { .. } if is_in_loop => waits(node),
            AstNode::If { then, otherwise, .. } => {
                has_one(then, false) || otherwise.as_deref().is_some_and(|own| has_one(own, false))
            }
            AstNode::Block(children) => children.iter().any(|child| has_one(child, is_in_loop)),
            AstNode::Mark { child, .. } => has_one(child, is_in_loop),
            AstNode::User { .. } => false,
        }
    }
    has_one(node, false)
}

fn with_body(each: ForLoop, change: impl FnOnce(AstNode) -> Vec<AstNode>) -> ForLoop {
    ForLoop { body: Box::new(together(change(*each.body))), ..each }
}

/// What a part of a kernel does where all of `conditions` hold, in parts of which those with barriers are
/// reached in any case.
fn divided(node: AstNode, conditions: &[AstExpr]) -> Vec<AstNode> {
    if !waits(&node) {
        return vec![guarded(vec![node], conditions)];
    }
    match node {
        AstNode::Block(children) => in_runs(children, conditions),
        AstNode::If { condition, then, otherwise } => {
            let Some(fails) = negation(&condition) else {
                return vec![guarded(vec![AstNode::If { condition, then, otherwise }], conditions)];
            };
            let with = |more: AstExpr| [conditions, &[more]].concat();
            let mut parts = divided(*then, &with(condition));
            if let Some(otherwise) = otherwise {
                parts.extend(divided(*otherwise, &with(fails)));
            }
            parts
        }
        AstNode::For(each) if each.degenerate => {
            vec![AstNode::For(with_body(each, |body| divided(body, conditions)))]
        }
        AstNode::For(mut each) => {
            each.condition = all_of([conditions, &[each.condition]].concat());
            vec![AstNode::For(with_body(each, |body| divided(body, &[])))]
        }
        AstNode::Mark { name, dimension, child } => {
            let child = Box::new(together(divided(*child, conditions)));
            vec![AstNode::Mark { name, dimension, child }]
        }
        AstNode::User { .. } => vec![guarded(vec![node], conditions)],
    }
}

/// Parts one after the other: those without barriers that follow each other are below one condition.
fn in_runs(children: Vec<AstNode>, conditions: &[AstExpr]) -> Vec<AstNode> {
    let (mut parts, mut run) = (Vec::new(), Vec::new());
    for child in children {
        if !waits(&child) {
            run.push(child);
            continue;
        }
        if !run.is_empty() {
            parts.push(guarded(std::mem::take(&mut run), conditions));
        }
        parts.extend(divided(child, conditions));
    }
    if !run.is_empty() {
        parts.push(guarded(run, conditions));
    }
    parts
}

/// Nodes below conditions.
fn guarded(nodes: Vec<AstNode>, conditions: &[AstExpr]) -> AstNode {
    let then = Box::new(together(nodes));
    match conditions.is_empty() {
        true => *then,
        false => AstNode::If { condition: all_of(conditions.to_vec()), then, otherwise: None },
    }
}

/// One node in place of several.
fn together(mut nodes: Vec<AstNode>) -> AstNode {
    match (nodes.pop(), nodes.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            nodes.extend(last);
            AstNode::Block(nodes)
        }
    }
}

/// The condition that all hold.
fn all_of(conditions: Vec<AstExpr>) -> AstExpr {
    let mut all: Vec<AstExpr> = Vec::new();
    for condition in conditions {
        let parts = match condition {
            AstExpr::And(list) => list,
            other => vec![other],
        };
        for part in parts {
            if !all.contains(&part) {
                all.push(part);
            }
        }
    }
    match (all.pop(), all.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            all.extend(last);
            AstExpr::And(all)
        }
    }
}

/// The condition that another one does not hold; none if it is of a kind that conditions of trees do not
/// have.
fn negation(condition: &AstExpr) -> Option<AstExpr> {
    use AstExpr::*;
    let each = |list: &[AstExpr]| list.iter().map(negation).collect::<Option<Vec<_>>>();
    Some(match condition {
        And(list) => Or(each(list)?),
        Or(list) => And(each(list)?),
        AndThen(list) => OrElse(each(list)?),
        OrElse(list) => AndThen(each(list)?),
        Eq(a, b) => Or(vec![Lt(a.clone(), b.clone()), Gt(a.clone(), b.clone())]),
        Le(a, b) => Gt(a.clone(), b.clone()),
        Lt(a, b) => Ge(a.clone(), b.clone()),
        Ge(a, b) => Lt(a.clone(), b.clone()),
        Gt(a, b) => Le(a.clone(), b.clone()),
        Int(value) => AstExpr::int(i64::from(value.is_zero())),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
