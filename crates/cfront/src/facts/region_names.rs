//! The names of a region that stand for values and places which a walk may follow.
use crate::facts::control::declared_names;
use crate::facts::counted_loops::counted;
use crate::facts::for_header::header;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{NameSet, changed_names, name_of, strip_parentheses, text};
use crate::syntax::tree::Node;

/// The names that a walk may follow: the region assigns or declares them, and no loop has them as its
/// iterator. A name may be that of several variables, each with values of its own.
pub(crate) fn followed_names<'s>(source: &'s str, nodes: &[Node<'_>]) -> NameSet<'s> {
    let (mut names, mut others) = (NameSet::default(), NameSet::default());
    for &root in nodes {
        names.extend(changed_names(source, root));
        for node in root.of_kind(Kind::Declaration) {
            names.extend(declared_names(source, node));
        }
        for node in root.of_kind(Kind::ForStatement) {
            match header(source, node) {
                _ if counted(source, node).is_some() => {}
                Some(header) => drop(others.insert(header.iterator)),
                None => {
                    let head = [Field::Initializer, Field::Update].map(|f| node.field(f));
                    for part in head.into_iter().flatten() {
                        others.extend(changed_names(source, part));
                        others.extend(declared_names(source, part));
                    }
                }
            }
        }
    }
    names.retain(|name| !others.contains(name));
    names
}

/// The names that statements move: by an increment, or by adding to them.
pub(crate) fn moved_names<'s>(source: &'s str, nodes: &[Node<'_>]) -> NameSet<'s> {
    let of_kind = |kind| nodes.iter().flat_map(move |root| root.of_kind(kind));
    let updated = of_kind(Kind::UpdateExpression).filter_map(|n| n.field(Field::Argument));
    let added = of_kind(Kind::AssignmentExpression).filter_map(|node| moved(source, node));
    let targets = updated.chain(added.map(|(target, _, _)| target));
    targets.filter_map(|target| name_of(source, target)).collect()
}

/// What an assignment moves, by what, and 1 or -1 for the direction: `p += e`, `p = p - e`.
pub(crate) fn moved<'t>(source: &str, node: Node<'t>) -> Option<(Node<'t>, Node<'t>, i64)> {
    let field = |node: Node<'t>, name| node.field(name);
    let (target, right) = (field(node, Field::Left)?, field(node, Field::Right)?);
    match node.operator()? {
        token!("+=") => Some((target, right, 1)),
        token!("-=") => Some((target, right, -1)),
        token!("=") => {
            let sum =
                Some(strip_parentheses(right)).filter(|r| r.kind() == Kind::BinaryExpression)?;
            let sign = match sum.operator()? {
                token!("+") => 1,
                token!("-") => -1,
                _ => return None,
            };
            let is_own = text(source, field(sum, Field::Left)?) == text(source, target);
            is_own.then_some((target, field(sum, Field::Right)?, sign))
        }
        _ => None,
    }
}
