//! Vector loops of a program whose loops are chosen already.
use crate::legality::independence::Independence;
use crate::site::marks::mark_member;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::{LoopKind, LoopMark, Node, Reaching, ScheduleTree};
use loopwright_scop::Scop;

/// The tree with marks above innermost loops whose iterations are independent; where the budget runs out
/// there are none.
///
/// *Cost.* Two emptiness tests per pair of dependent statements for each innermost loop.
///
/// # Errors
/// For malformed trees.
pub fn with_vector_loops(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    budget: &Budget,
) -> Result<ScheduleTree> {
    let independence = Independence::new(scop, dependences, budget)?;
    let root = marked(&tree.root, &Reaching::root(tree), &independence)?;
    Ok(ScheduleTree::new(tree.domain.clone(), root))
}

fn marked(node: &Node, reaching: &Reaching, independence: &Independence<'_>) -> Result<Node> {
    if let Node::Mark(name, _) = node
        && LoopMark::parse(name).is_some_and(|mark| mark.kind.is_threaded())
        && is_innermost(node)
    {
        return Ok(node.clone());
    }
    if let Node::Band(band, below) = node
        && below.is_leaf()
        && band.n_members() > 0
    {
        let members = band.schedule.members();
        let private = independence.private_scalars(reaching, members)?;
        return Ok(match private {
            Some(private) => {
                mark_member(band, members.len() - 1, LoopKind::Vector, &private, Node::Leaf)
            }
            None => node.clone(),
        });
    }
    let mut result = node.clone();
    for (child, below) in result.children_mut().iter_mut().zip(reaching.below(node)?) {
        *child = marked(child, &below, independence)?;
    }
    Ok(result)
}

/// Whether a mark speaks about an innermost loop.
fn is_innermost(mark: &Node) -> bool {
    mark.children().iter().all(|band| band.children().iter().all(Node::is_leaf))
}
