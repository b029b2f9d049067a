//! What can be said about control flow and names without a model.
use crate::ctypes::declarator;
use crate::header::operands;
use crate::syntax::{changed_names, named_children, strip_parentheses, text, visit};
use crate::tree::Node;
use std::collections::{BTreeMap, HashSet};

/// Whether a kind of node is a loop.
pub(crate) fn is_loop(kind: &str) -> bool {
    matches!(kind, "for_statement" | "while_statement" | "do_statement")
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
    pub(crate) fn below(self, kind: &str) -> Leaving {
        match kind {
            "switch_statement" => Leaving { breaks: false, ..self },
            kind if is_loop(kind) => Leaving { breaks: false, continues: false },
            _ => self,
        }
    }
}

/// Whether a loop's body may be left before its end: by `break`, `continue`, `goto` or `return`.
pub(crate) fn is_left_early(body: Node<'_>) -> bool {
    leaves(body, Leaving::BOTH)
}

fn leaves(node: Node<'_>, leaving: Leaving) -> bool {
    match node.kind() {
        "break_statement" => leaving.breaks,
        "continue_statement" => leaving.continues,
        "goto_statement" | "return_statement" => true,
        kind => named_children(node).any(|child| leaves(child, leaving.below(kind))),
    }
}

/// Whether there is a `goto` in a subtree.
pub(crate) fn has_goto(root: Node<'_>) -> bool {
    let mut found = false;
    visit(root, |node, _| {
        found |= node.kind() == "goto_statement";
        !found
    });
    found
}

/// Whether some `goto` outside of the given subtree names a label inside of it.
pub(crate) fn is_jumped_into(source: &str, root: Node<'_>) -> bool {
    let mut labels = HashSet::new();
    visit(root, |node, _| {
        if node.kind() == "labeled_statement"
            && let Some(label) = node.child_by_field_name("label")
        {
            labels.insert(text(source, label));
        }
        true
    });
    if labels.is_empty() {
        return false;
    }
    let mut function = root;
    while let Some(parent) = function.parent().filter(|_| function.kind() != "function_definition")
    {
        function = parent;
    }
    let mut found = false;
    visit(function, |node, _| {
        if node.kind() == "goto_statement"
            && let Some(label) = node.child_by_field_name("label")
        {
            found |= labels.contains(text(source, label));
        }
        !found && node.id() != root.id()
    });
    found
}

/// Whether some `goto` names the label of a statement.
pub(crate) fn is_jumped_to(source: &str, labelled: Node<'_>) -> bool {
    is_jumped_into(source, labelled) || has_goto(labelled)
}

/// The expressions that set a variable in the head of a `for` loop, with the variable's name.
fn loop_starts<'s, 't>(source: &'s str, node: Node<'t>) -> Vec<(&'s str, Node<'t>)> {
    let start = node.child_by_field_name("initializer");
    let assigned = |part: Node<'t>| {
        let field = |name| part.child_by_field_name(name);
        let is_plain = part.kind() == "assignment_expression" && field("operator")?.kind() == "=";
        let left = text(source, strip_parentheses(field("left")?));
        is_plain.then_some((left, field("right")?))
    };
    start.map_or(Vec::new(), operands).into_iter().filter_map(assigned).collect()
}

/// The names that the heads of `for` loops set.
pub(crate) fn started_names(source: &str, nodes: &[Node<'_>]) -> HashSet<String> {
    let mut names = HashSet::new();
    for &root in nodes {
        visit(root, |node, _| {
            if node.kind() == "for_statement" {
                let starts = loop_starts(source, node);
                names.extend(starts.into_iter().map(|(name, _)| name.to_string()));
            }
            true
        });
    }
    names
}

/// The names that are only used in `for` loops that set them first: no value of theirs from before such a
/// loop is used in it, and none of its values after it.
pub(crate) fn loop_names(source: &str, nodes: &[Node<'_>]) -> HashSet<String> {
    let mut names: BTreeMap<&str, bool> = BTreeMap::new();
    for &root in nodes {
        visit(root, |node, _| {
            if node.kind() == "for_statement" {
                names.extend(loop_starts(source, node).into_iter().map(|(name, _)| (name, true)));
            }
            true
        });
    }
    for &root in nodes {
        visit(root, |node, _| {
            // A declaration without a value is no use.
            let is_declared = node.parent().is_some_and(|p| p.kind() == "declaration");
            if node.kind() == "identifier"
                && !is_declared
                && let Some(is_loop_name) = names.get_mut(text(source, node))
                && *is_loop_name
            {
                *is_loop_name = is_set_by_loop(source, node, root);
            }
            true
        });
    }
    names.into_iter().filter(|(_, is)| *is).map(|(name, _)| name.to_string()).collect()
}

/// Whether a mention of a name stands in a `for` loop that has set it.
fn is_set_by_loop(source: &str, mention: Node<'_>, root: Node<'_>) -> bool {
    let name = text(source, mention);
    let mut node = mention;
    while node.id() != root.id()
        && let Some(parent) = node.parent()
    {
        if parent.kind() == "for_statement" {
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
pub(crate) fn written_names(source: &str, root: Node<'_>) -> HashSet<String> {
    let mut names = changed_names(source, root);
    visit(root, |node, _| {
        let target = match node.kind() {
            "assignment_expression" => node.child_by_field_name("left"),
            "update_expression" => node.child_by_field_name("argument"),
            _ => None,
        };
        if let Some(target) = target {
            // The array is one of the names of the target.
            names.extend(mentioned_names(source, target));
        }
        true
    });
    names
}

/// The identifiers in a subtree.
pub(crate) fn mentioned_names(source: &str, root: Node<'_>) -> HashSet<String> {
    let mut names = HashSet::new();
    visit(root, |node, _| {
        if node.kind() == "identifier" {
            names.insert(text(source, node).to_string());
        }
        true
    });
    names
}

/// Whether a subtree contains a node of one of some kinds.
pub(crate) fn contains_kind(root: Node<'_>, kinds: &[&str]) -> bool {
    let mut found = false;
    visit(root, |node, _| {
        found |= kinds.contains(&node.kind());
        !found
    });
    found
}

/// A place in a subtree that changes the variable that a name stands for around it, or takes its address.
pub(crate) fn change_of<'t>(source: &str, root: Node<'t>, name: &str) -> Option<Node<'t>> {
    if !changed_names(source, root).contains(name) {
        return None;
    }
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        let declares =
            |part: Node<'_>| part.kind() == "declaration" && declares(source, part, name);
        if node.kind() == "for_statement"
            && node.child_by_field_name("initializer").is_some_and(declares)
        {
            continue;
        }
        let target = match node.kind() {
            "assignment_expression" => node.child_by_field_name("left"),
            "update_expression" | "pointer_expression" => node.child_by_field_name("argument"),
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
        .children_by_field_name("declarator")
        .any(|d| declarator(source, d).is_some_and(|d| text(source, d.name) == name))
}

/// The names that are declared in a subtree.
pub(crate) fn declared_names(source: &str, root: Node<'_>) -> HashSet<String> {
    let mut names = HashSet::new();
    visit(root, |node, _| {
        if node.kind() == "declaration" {
            let declarators = node.children_by_field_name("declarator");
            let parts = declarators.filter_map(|d| declarator(source, d));
            names.extend(parts.map(|parts| text(source, parts.name).to_string()));
        }
        true
    });
    names
}
