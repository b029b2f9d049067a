//! What the calls of a region may do.
use crate::facts::effects::{Effects, ModRef};
use crate::facts::scope::{Entity, Scopes};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, strip_parentheses, text};
use crate::syntax::tree::Node;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// What the calls in a region may change.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallChanges {
    /// All memory that can be reached.
    pub(crate) everything: bool,
    /// Global variables.
    pub(crate) globals: HashSet<String>,
}

/// The name of the function that is called; empty if that is not known.
pub(crate) fn called_name<'s>(source: &'s str, scopes: &Scopes<'_>, callee: Node<'_>) -> &'s str {
    let name = text(source, callee);
    let is_name = callee.kind() == Kind::Identifier
        && !matches!(scopes.lookup(name), Some(Entity::Variable(_)));
    if is_name { name } else { "" }
}

/// What a function does that is called at a node.
pub(crate) fn effects_of<'t>(
    source: &str,
    scopes: &Scopes<'t>,
    node: Node<'t>,
    name: &str,
) -> Arc<Effects> {
    scopes.index.definitions(source, node).effects(source, name)
}

impl CallChanges {
    /// What the calls in statements may change.
    pub(crate) fn of_statements<'t>(source: &str, scopes: &Scopes<'t>, nodes: &[Node<'t>]) -> Self {
        let calls = nodes.iter().flat_map(|root| root.of_kind(Kind::CallExpression));
        // What comes before the end of the program, or of the function, changes nothing for the region.
        let ways_out = ways_out(source, scopes, nodes);
        let is_inside =
            |call: &Node<'t>| ways_out.iter().any(|way| way.contains(&call.start_byte()));
        let callees =
            calls.filter(|call| !is_inside(call)).filter_map(|call| call.field(Field::Function));
        let mut changes = CallChanges::default();
        for callee in callees.map(strip_parentheses) {
            let effects = effects_of(source, scopes, callee, called_name(source, scopes, callee));
            changes.everything |= effects.everything.writes;
            let written = effects.globals.iter().filter(|(_, touch)| touch.writes);
            changes.globals.extend(written.map(|(name, _)| name.clone()));
        }
        changes
    }
}

/// Whether no call in statements may use a variable of the file, or be the last thing that the program does.
pub(crate) fn is_closed<'t>(source: &str, scopes: &Scopes<'t>, nodes: &[Node<'t>]) -> bool {
    let mut calls = nodes.iter().flat_map(|root| root.of_kind(Kind::CallExpression));
    calls.all(|call| {
        call.field(Field::Function).map(strip_parentheses).is_some_and(|callee| {
            let effects = effects_of(source, scopes, callee, called_name(source, scopes, callee));
            effects.everything == ModRef::default()
                && effects.globals.is_empty()
                && effects.no_return.is_none()
        })
    })
}

/// The branches of conditions that the program does not come back from.
fn ways_out<'t>(source: &str, scopes: &Scopes<'t>, nodes: &[Node<'t>]) -> Vec<Range<usize>> {
    let choices = nodes.iter().flat_map(|root| root.of_kind(Kind::IfStatement));
    let branches = choices.flat_map(|node| {
        let alternative = node.field(Field::Alternative);
        let otherwise = alternative.and_then(|clause| named_children(clause).next());
        [node.field(Field::Consequence), otherwise]
    });
    let branches = branches.flatten().filter(|branch| ends_for_good(source, scopes, *branch));
    branches.map(Node::byte_range).collect()
}

/// Whether a branch ends with the end of the program, or of the function.
pub(crate) fn ends_for_good<'t>(source: &str, scopes: &Scopes<'t>, branch: Node<'t>) -> bool {
    let last = match branch.kind() {
        Kind::CompoundStatement => named_children(branch).last(),
        _ => Some(branch),
    };
    let Some(last) = last.filter(|_| !branch.has_kind(&[Kind::LabeledStatement])) else {
        return false;
    };
    match last.kind() {
        Kind::ReturnStatement => true,
        Kind::ExpressionStatement => {
            let call = named_children(last).next().map(strip_parentheses);
            let call = call.filter(|call| call.kind() == Kind::CallExpression);
            let callee = call.and_then(|call| call.field(Field::Function)).map(strip_parentheses);
            callee.is_some_and(|callee| {
                let name = called_name(source, scopes, callee);
                scopes.index.definitions(source, callee).never_returns(name)
            })
        }
        _ => false,
    }
}

/// From which byte on statements may not be reached: a loop that may not end, a jump, or a call that may stop
/// the program comes first.
pub(crate) fn first_obstacle<'t>(source: &str, scopes: &Scopes<'t>, nodes: &[Node<'t>]) -> usize {
    let kinds = [
        Kind::WhileStatement,
        Kind::DoStatement,
        Kind::GotoStatement,
        Kind::ReturnStatement,
        Kind::LabeledStatement,
    ];
    let of_kind = |kind| nodes.iter().flat_map(move |root| root.of_kind(kind));
    let starts = kinds.into_iter().flat_map(of_kind).map(Node::start_byte);
    let calls = of_kind(Kind::CallExpression).filter(|call| {
        let callee = call.field(Field::Function).map(strip_parentheses);
        callee.is_none_or(|callee| {
            let effects = effects_of(source, scopes, callee, called_name(source, scopes, callee));
            effects.everything.writes || effects.no_return.is_some()
        })
    });
    starts.chain(calls.map(Node::start_byte)).min().unwrap_or(usize::MAX)
}
