//! The part of a schedule that is executed: kill statements take part in dataflow only.
use loopwright_presburger::{Result, UnionSet};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scop::Scop;

/// The instances that are executed, for parameter values of the context.
pub(crate) fn executed_instances(scop: &Scop) -> Result<UnionSet> {
    let mut instances = UnionSet::empty();
    for statement in scop.statements.iter().filter(|statement| !statement.is_kill) {
        instances = instances.union(&UnionSet::from_set(statement.domain.clone()))?;
    }
    Ok(instances)
}

/// The tree without the instances of kill statements; subtrees without instances are dropped.
pub(crate) fn executable_part(scop: &Scop, tree: &ScheduleTree) -> Result<ScheduleTree> {
    if !scop.statements.iter().any(|statement| statement.is_kill) {
        return Ok(tree.clone());
    }
    let domain = tree.domain.intersect(&executed_instances(scop)?)?;
    let root = restricted(&tree.root, &domain)?.unwrap_or(Node::Leaf);
    Ok(ScheduleTree { domain, root })
}

/// The node for fewer instances; none if it only chose among instances that are gone.
fn restricted(node: &Node, domain: &UnionSet) -> Result<Option<Node>> {
    match node {
        Node::Filter(filter, child) => {
            let filter = filter.intersect(domain)?;
            if filter.plain_is_empty() {
                return Ok(None);
            }
            let child = restricted(child, &filter)?.unwrap_or(Node::Leaf);
            Ok(Some(Node::Filter(filter, Box::new(child))))
        }
        Node::Sequence(children) => children_of(children, domain, Node::Sequence),
        Node::Set(children) => children_of(children, domain, Node::Set),
        Node::Band(band, child) => {
            let child = restricted(child, domain)?.unwrap_or(Node::Leaf);
            Ok(Some(Node::Band(band.intersect_domain(domain)?, Box::new(child))))
        }
        Node::Mark(name, child) => {
            let child = restricted(child, domain)?.unwrap_or(Node::Leaf);
            Ok(Some(Node::Mark(name.clone(), Box::new(child))))
        }
        other => Ok(Some(other.clone())),
    }
}

fn children_of(
    children: &[Node],
    domain: &UnionSet,
    rebuild: impl Fn(Vec<Node>) -> Node,
) -> Result<Option<Node>> {
    let mut kept = Vec::new();
    for child in children {
        kept.extend(restricted(child, domain)?);
    }
    Ok(match kept.len() {
        0 => None,
        1 => match kept.remove(0) {
            Node::Filter(_, child) => Some(*child),
            other => Some(other),
        },
        _ => Some(rebuild(kept)),
    })
}
