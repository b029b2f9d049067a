//! Nodes of given schedules that would change which instances run.
//!
//! `context` and `guard` are taken where they hold for all instances that reach them: then they leave nothing
//! out. `extension` adds instances that the program does not have.
use crate::diagnostics::failure::Failure;
use loopwright_presburger::{Budget, Result, Set, UnionSet};
use loopwright_schedule::{Node, Reaching, ScheduleTree};

/// A refusal of a tree that adds instances; it need not be well formed.
pub(crate) fn refused_extension(tree: &ScheduleTree) -> Option<Failure> {
    let mut adds = false;
    tree.root.for_each(&mut |node| adds |= matches!(node, Node::Extension(..)));
    adds.then(|| {
        Failure::refused(
            "the given schedule has an `extension` node, which is not supported: it adds instances that \
             the program does not have",
        )
    })
}

/// A refusal of a tree that is well formed, in which a node leaves instances of the program out.
pub(crate) fn refused_condition(
    tree: &ScheduleTree,
    context: &Set,
    budget: &Budget,
) -> Result<Option<Failure>> {
    let domain = tree.domain.intersect_params(context)?;
    let tree = ScheduleTree { domain, root: tree.root.clone() };
    refused_below(&tree.root, &Reaching::root(&tree), budget)
}

fn refused_below(node: &Node, reaching: &Reaching, budget: &Budget) -> Result<Option<Failure>> {
    let condition = match node {
        Node::Context(set, _) => Some(("context", set)),
        Node::Guard(set, _) => Some(("guard", set)),
        _ => None,
    };
    if let Some((kind, set)) = condition {
        let left_out = left_out(set, reaching, budget)?;
        if !left_out.is_empty(budget)? {
            return Ok(Some(Failure::refused(format!(
                "the given schedule has a `{kind}` node that does not hold for all instances below it: \
                 `{set}` leaves out {left_out}"
            ))));
        }
    }
    let children = reaching.below(node)?;
    for (child, reaching) in node.children().iter().zip(&children) {
        if let Some(refused) = refused_below(child, reaching, budget)? {
            return Ok(Some(refused));
        }
    }
    Ok(None)
}

/// The instances whose outer dimensions, or parameters, are not in a set.
fn left_out(set: &Set, reaching: &Reaching, budget: &Budget) -> Result<UnionSet> {
    let all = reaching.domain()?;
    let inside = match set.space().is_params() {
        true => all.intersect_params(set)?,
        false => {
            let within = UnionSet::from_set(set.clone());
            reaching.prefix_schedule()?.intersect_range(&within)?.domain()
        }
    };
    all.subtract(&inside, budget)?.coalesce(budget)
}
