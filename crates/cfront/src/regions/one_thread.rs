//! Which functions only the thread that starts the program runs, outside of what directives are about.
use crate::directives::{Directive, Meaning, Reach, Spelling};
use crate::facts::function_names::function_name;
use crate::regions::parsed::Parsed;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{has_storage, mentions, strip_parentheses, text};
use crate::syntax::tree::Node;
use std::collections::BTreeSet;

/// The statement or declaration behind a directive.
pub(crate) fn governed<'t>(parsed: &'t Parsed, directive: &Directive) -> Option<Node<'t>> {
    let place = directive.start..directive.start + 1;
    let around = parsed.tree.root_node().descendant_for_byte_range(&place);
    let behind =
        |node: Node<'t>| node.named_children().find(|child| child.start_byte() >= directive.end);
    match directive.spelling {
        // An attribute is a part of its statement.
        Spelling::Attribute => {
            std::iter::successors(Some(around), |node| node.parent()).find_map(behind)
        }
        _ => behind(around),
    }
}

/// Whether a node stands in a statement that a directive is about which may change how often it runs, or by
/// which threads.
pub(crate) fn is_directed(parsed: &Parsed, node: Node<'_>) -> bool {
    let is_around = |directive: &Directive| {
        directive.row().reach == Reach::Statement
            && !matches!(directive.meaning(), Meaning::Harmless | Meaning::Hint | Meaning::Own)
            && governed(parsed, directive).is_some_and(|statement| {
                statement.start_byte() <= node.start_byte()
                    && statement.end_byte() >= node.end_byte()
            })
    };
    parsed.directives.iter().any(is_around)
}

/// Functions that start threads.
const STARTERS: [&str; 3] = ["pthread_create", "thrd_create", "clone"];

/// Whether only the thread that starts the program runs a function: it is `main`, or it is `static`, nothing
/// but calls mentions it, and these stand in such functions, outside of directives. The file starts no
/// threads by itself.
pub(crate) fn runs_in_one_thread(parsed: &Parsed, function: Node<'_>) -> bool {
    let mut names = parsed.tree.root_node().of_kind(Kind::Identifier);
    if names.any(|name| STARTERS.contains(&text(&parsed.source, name))) {
        return false;
    }
    let mut seen = BTreeSet::new();
    let mut open = vec![function];
    while let Some(function) = open.pop() {
        let source = &parsed.source;
        let name = function_name(source, function);
        if name == "main" || !seen.insert(function.id()) {
            continue;
        }
        if name.is_empty() || !has_storage(source, function, "static") {
            return false;
        }
        let mut n_calls = 0;
        for mention in mentions(source, parsed.tree.root_node(), &name) {
            match caller(mention) {
                Mention::Call(caller) if !is_directed(parsed, mention) => {
                    n_calls += 1;
                    open.push(caller);
                }
                Mention::Declaration => {}
                _ => return false,
            }
        }
        if n_calls == 0 {
            return false;
        }
    }
    true
}

/// What a mention of a function is.
enum Mention<'t> {
    /// A call in a function.
    Call(Node<'t>),
    /// A declaration.
    Declaration,
    Other,
}

fn caller(mention: Node<'_>) -> Mention<'_> {
    let Some(parent) = mention.parent() else { return Mention::Other };
    let is_callee = parent.kind() == Kind::CallExpression
        && parent.field(Field::Function).map(strip_parentheses).map(Node::id) == Some(mention.id());
    if is_callee {
        let around = std::iter::successors(Some(parent), |node| node.parent());
        let mut functions = around.filter(|node| node.kind() == Kind::FunctionDefinition);
        return functions.next().map_or(Mention::Other, Mention::Call);
    }
    match parent.kind() {
        Kind::FunctionDeclarator => Mention::Declaration,
        _ => Mention::Other,
    }
}
