//! Loops on threads that have one iteration only: then threads are woken for nothing.
//!
//! A loop over tiles or chunks has few iterations where an array is small, however much is in each of them.
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_schedule::{LoopKind, LoopMark};
use std::collections::BTreeMap;

/// `constant + terms` in names of symbolic constants has to exceed `least`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exceeds {
    pub(crate) terms: BTreeMap<String, i64>,
    pub(crate) constant: i64,
    pub(crate) least: i64,
}

/// What has to hold so that the outermost loops on threads, if they take steps, have more than one iteration.
/// Loops whose bounds are no sums of symbolic constants are left out.
pub(crate) fn more_than_one_iteration(ast: &AstNode) -> Vec<Exceeds> {
    let mut found = Vec::new();
    collect(ast, false, &mut found);
    found.dedup();
    found
}

/// Looks at the outermost loops of a node, which are `on_threads` or not.
fn collect(node: &AstNode, on_threads: bool, found: &mut Vec<Exceeds>) {
    match node {
        AstNode::For(outermost) if on_threads => found.extend(of_loop(outermost)),
        AstNode::For(_) | AstNode::User { .. } => {}
        AstNode::Block(children) => {
            children.iter().for_each(|child| collect(child, on_threads, found));
        }
        AstNode::If { then, otherwise, .. } => {
            collect(then, on_threads, found);
            otherwise.iter().for_each(|node| collect(node, on_threads, found));
        }
        AstNode::Mark { name, child, .. } => {
            let is_parallel = LoopMark::parse(name).is_some_and(|m| m.kind == LoopKind::Parallel);
            collect(child, is_parallel, found);
        }
    }
}

fn of_loop(outermost: &ForLoop) -> Option<Exceeds> {
    let step = outermost.increment.to_i64().filter(|step| *step > 1)?;
    let (bound, is_included) = match &outermost.condition {
        AstExpr::Lt(_, bound) => (bound, false),
        AstExpr::Le(_, bound) => (bound, true),
        _ => return None,
    };
    let (mut sum, mut constant) = (BTreeMap::new(), 0);
    add(bound, 1, &mut sum, &mut constant)?;
    add(&outermost.init, -1, &mut sum, &mut constant)?;
    sum.retain(|_, coefficient| *coefficient != 0);
    let least = if is_included { step - 1 } else { step };
    (!sum.is_empty()).then_some(Exceeds { terms: sum, constant, least })
}

/// Adds a multiple of an expression; none if it is no sum of names and constants.
fn add(
    expression: &AstExpr,
    times: i64,
    sum: &mut BTreeMap<String, i64>,
    constant: &mut i64,
) -> Option<()> {
    match expression {
        AstExpr::Int(value) => {
            *constant = constant.checked_add(value.to_i64()?.checked_mul(times)?)?;
        }
        AstExpr::Id(name) => {
            let coefficient = sum.entry(name.to_string()).or_default();
            *coefficient = coefficient.checked_add(times)?;
        }
        AstExpr::Neg(a) => add(a, times.checked_neg()?, sum, constant)?,
        AstExpr::Add(a, b) => {
            add(a, times, sum, constant)?;
            add(b, times, sum, constant)?;
        }
        AstExpr::Sub(a, b) => {
            add(a, times, sum, constant)?;
            add(b, times.checked_neg()?, sum, constant)?;
        }
        AstExpr::Mul(a, b) => match (&**a, &**b) {
            (AstExpr::Int(factor), other) | (other, AstExpr::Int(factor)) => {
                add(other, times.checked_mul(factor.to_i64()?)?, sum, constant)?;
            }
            _ => return None,
        },
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_presburger::Int;

    fn chunks(init: AstExpr, end: AstExpr, step: i64) -> AstNode {
        let iterator = Box::new(AstExpr::Id("c0".into()));
        let outermost = ForLoop {
            iterator: "c0".into(),
            init,
            condition: AstExpr::Lt(iterator, Box::new(end)),
            increment: Int::from(step),
            body: Box::new(AstNode::Block(Vec::new())),
            degenerate: false,
            coincident: true,
            multiples_of: None,
            annotation: None,
            dimension: 0,
            entry: loopwright_astgen::Entry::default(),
        };
        AstNode::Mark {
            name: "parallel".into(),
            dimension: 0,
            child: Box::new(AstNode::For(outermost)),
        }
    }

    #[test]
    fn chunks_of_a_row_need_more_than_one() {
        let loops = chunks(AstExpr::Int(Int::from(1)), AstExpr::Id("n".into()), 256);
        let found = more_than_one_iteration(&loops);
        let terms = BTreeMap::from([("n".to_string(), 1)]);
        assert_eq!(found, [Exceeds { terms, constant: -1, least: 256 }]);
    }

    #[test]
    fn single_steps_and_known_bounds_need_nothing() {
        let single = chunks(AstExpr::Int(Int::ZERO), AstExpr::Id("n".into()), 1);
        assert!(more_than_one_iteration(&single).is_empty());
        let known = chunks(AstExpr::Int(Int::ZERO), AstExpr::Int(Int::from(100)), 32);
        assert!(more_than_one_iteration(&known).is_empty());
    }
}
