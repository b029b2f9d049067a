//! What can be said about control flow and names without a model.
use crate::facts::ctypes::declarator;
use crate::facts::for_header::{Operands, operands};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{
    NameSet, changed_names, changed_places, mentioned_names, name_of, named_children,
    names_in_error, strip_parentheses, text, written_places,
};
use crate::syntax::tree::Node;

/// Whether a kind of node is a loop.
pub(crate) fn is_loop(kind: Kind) -> bool {
    matches!(kind, Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement)
}

/// Whether `break` and `continue` at a place inside of a statement belong to what is around the statement.
#[derive(Clone, Copy)]
pub(crate) struct Leaving {
    pub(crate) breaks: bool,
    pub(crate) continues: bool,
}

impl Leaving {
    /// At the statement itself both do.
    pub(crate) const BOTH: Leaving = Leaving { breaks: true, continues: true };

    /// The same below a node of a kind: a loop has its own, a `switch` its own `break`.
    pub(crate) fn below(self, kind: Kind) -> Leaving {
        match kind {
            Kind::SwitchStatement => Leaving { breaks: false, ..self },
            kind if is_loop(kind) => Leaving { breaks: false, continues: false },
            _ => self,
        }
    }
}

/// Whether a loop's body may be left before its end: by `break`, `continue`, `goto` or `return`.
pub(crate) fn is_left_early(body: Node<'_>) -> bool {
    let belongs_here = |kind, here: fn(Leaving) -> bool| {
        body.of_kind(kind).any(|jump| here(leaving_at(jump, body)))
    };
    body.has_kind(&[Kind::GotoStatement, Kind::ReturnStatement])
        || belongs_here(Kind::BreakStatement, |leaving| leaving.breaks)
        || belongs_here(Kind::ContinueStatement, |leaving| leaving.continues)
}

/// What `break` and `continue` at a place inside of a statement belong to.
pub(crate) fn leaving_at(place: Node<'_>, statement: Node<'_>) -> Leaving {
    let mut leaving = Leaving::BOTH;
    let mut node = place;
    while node != statement
        && let Some(parent) = node.parent()
    {
        leaving = leaving.below(parent.kind());
        node = parent;
    }
    leaving
}

/// Whether some `goto` outside of statements that follow each other names a label inside of them.
pub(crate) fn is_jumped_into<'t>(source: &str, statements: &[Node<'t>]) -> bool {
    let label = |node: Node<'t>| node.field(Field::Label).map(|l| text(source, l));
    let labelled = statements.iter().flat_map(|root| root.of_kind(Kind::LabeledStatement));
    let labels: NameSet<'_> = labelled.filter_map(label).collect();
    let (false, [first, .., last] | [first @ last]) = (labels.is_empty(), statements) else {
        return false;
    };
    let mut around = std::iter::successors(Some(*first), |node| node.parent());
    let function = around.find(|node| node.kind() == Kind::FunctionDefinition);
    let inside = first.start_byte()..last.end_byte();
    let all = function.unwrap_or_else(|| first.root()).of_kind(Kind::GotoStatement);
    let mut outside = all.filter(|goto| !inside.contains(&goto.start_byte()));
    outside.any(|goto| label(goto).is_some_and(|label| labels.contains(label)))
}

/// Whether some `goto` names the label of a statement.
pub(crate) fn is_jumped_to(source: &str, labelled: Node<'_>) -> bool {
    is_jumped_into(source, &[labelled]) || labelled.has_kind(&[Kind::GotoStatement])
}

/// The expressions that set a variable in the head of a `for` loop, with the variable's name.
fn loop_starts<'s, 't>(source: &'s str, node: Node<'t>) -> Vec<(&'s str, Node<'t>)> {
    let start = node.field(Field::Initializer);
    let assigned = |part: Node<'t>| {
        let field = |name| part.field(name);
        let is_plain = part.kind() == Kind::AssignmentExpression
            && field(Field::Operator)?.kind() == token!("=");
        let left = text(source, strip_parentheses(field(Field::Left)?));
        is_plain.then_some((left, field(Field::Right)?))
    };
    start.map_or(Operands::new(), operands).into_iter().filter_map(assigned).collect()
}

/// The names that the heads of `for` loops set.
pub(crate) fn started_names<'s>(source: &'s str, nodes: &[Node<'_>]) -> NameSet<'s> {
    let loops = nodes.iter().flat_map(|root| root.of_kind(Kind::ForStatement));
    loops.flat_map(|node| loop_starts(source, node)).map(|(name, _)| name).collect()
}

/// The names that are only used in `for` loops that set them first: no value of theirs from before such a
/// loop is used in it, and none of its values after it.
pub(crate) fn loop_names<'s>(source: &'s str, nodes: &[Node<'_>]) -> NameSet<'s> {
    let mut names = started_names(source, nodes);
    if names.is_empty() {
        return names;
    }
    for &root in nodes {
        for mention in root.of_kind(Kind::Identifier) {
            // A declaration without a value is no use.
            let is_declared = || mention.parent().is_some_and(|p| p.kind() == Kind::Declaration);
            let name = text(source, mention);
            if names.contains(name) && !is_declared() && !is_set_by_loop(source, mention, root) {
                names.remove(name);
            }
        }
    }
    names
}

/// Whether a mention of a name stands in a `for` loop that has set it.
fn is_set_by_loop(source: &str, mention: Node<'_>, root: Node<'_>) -> bool {
    let name = text(source, mention);
    let mut node = mention;
    while node.id() != root.id()
        && let Some(parent) = node.parent()
    {
        if parent.kind() == Kind::ForStatement {
            let starts = loop_starts(source, parent);
            let contains = |right: &Node<'_>| {
                right.start_byte() <= mention.start_byte() && mention.end_byte() <= right.end_byte()
            };
            let sets = starts.iter().any(|(own, _)| *own == name);
            if sets && !starts.iter().any(|(_, right)| contains(right)) {
                return true;
            }
        }
        node = parent;
    }
    false
}

/// The names of variables that are written in a subtree, also as arrays.
pub(crate) fn written_names<'s>(source: &'s str, root: Node<'_>) -> NameSet<'s> {
    // The array is one of the names of the target.
    let written = written_places(root).flat_map(|target| mentioned_names(source, target));
    changed_names(source, root).into_iter().chain(written).collect()
}

/// A place in a subtree that changes the variable that a name stands for around it, or takes its address.
pub(crate) fn change_of<'t>(source: &str, root: Node<'t>, name: &str) -> Option<Node<'t>> {
    let is_own = |place: Node<'_>| name_of(source, place) == Some(name);
    let in_error = |error| names_in_error(source, error).any(|n| n == name);
    if !changed_places(source, root).any(is_own) && !root.of_kind(Kind::Error).any(in_error) {
        return None;
    }
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        let declares =
            |part: Node<'_>| part.kind() == Kind::Declaration && declares(source, part, name);
        if node.kind() == Kind::ForStatement && node.field(Field::Initializer).is_some_and(declares)
        {
            continue;
        }
        let target = match node.kind() {
            Kind::AssignmentExpression => node.field(Field::Left),
            Kind::UpdateExpression | Kind::PointerExpression => node.field(Field::Argument),
            _ => None,
        };
        if target.is_some_and(|target| text(source, strip_parentheses(target)) == name) {
            return Some(node);
        }
        // After a declaration the name stands for another variable.
        waiting.extend(named_children(node).take_while(|child| !declares(*child)));
    }
    None
}

fn declares(source: &str, declaration: Node<'_>, name: &str) -> bool {
    declaration
        .all_in_field(Field::Declarator)
        .any(|d| declarator(source, d).is_some_and(|d| text(source, d.name) == name))
}

/// The names that are declared in a subtree.
pub(crate) fn declared_names<'s>(source: &'s str, root: Node<'_>) -> NameSet<'s> {
    let declarations = root.of_kind(Kind::Declaration);
    let declarators = declarations.flat_map(|node| node.all_in_field(Field::Declarator));
    let parts = declarators.filter_map(|node| declarator(source, node));
    parts.map(|parts| text(source, parts.name)).collect()
}
