//! How the loops of a schedule tree are generated: compact outside, fast inside.
use loopwright_schedule::{AstLoopType, Node, ScheduleTree};

/// The tree in which every loop that has other loops inside is generated once, with conditions for
/// the statements that not all of its iterations run; innermost loops are left to the generator,
/// which may cut them where that saves conditions.
pub(crate) fn with_compact_outer_loops(tree: &ScheduleTree) -> ScheduleTree {
    let mut tree = tree.clone();
    mark(&mut tree.root);
    tree
}

/// Returns whether there is a band at or below the node.
fn mark(node: &mut Node) -> bool {
    let mut below = false;
    for child in node.children_mut() {
        below |= mark(child);
    }
    let Node::Band(band, _) = node else { return below };
    let n_members = band.members.len();
    for (position, member) in band.members.iter_mut().enumerate() {
        let is_innermost = !below && position + 1 == n_members;
        if !is_innermost && member.ast_loop_type == AstLoopType::Default {
            member.ast_loop_type = AstLoopType::Atomic;
        }
    }
    true
}
