//! Statements in which a call can be replaced: it always happens, once, and before everything else that could
//! tell.
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::strip_parentheses;
use crate::syntax::tree::Node;

/// What is left of a statement without the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SiteKind {
    /// Nothing: the statement is the call.
    Call,
    /// The statement with the value in place of the call.
    Value,
    /// The same of a declaration, whose names have to stay visible.
    Declaration,
}

/// How a statement can be written around the bodies of functions; none if calls in it cannot be replaced.
pub(crate) fn site_kind(statement: Node<'_>) -> Option<SiteKind> {
    match statement.kind() {
        Kind::ExpressionStatement => {
            let expression = strip_parentheses(statement.named_child(0)?);
            let is_call = expression.kind() == Kind::CallExpression;
            Some(if is_call { SiteKind::Call } else { SiteKind::Value })
        }
        Kind::IfStatement => Some(SiteKind::Value),
        Kind::Declaration => {
            let parent = statement.parent()?;
            (parent.kind() == Kind::CompoundStatement).then_some(SiteKind::Declaration)
        }
        _ => None,
    }
}

/// The part of a statement in which calls may be replaced.
pub(crate) fn replaceable_part(statement: Node<'_>) -> Node<'_> {
    match statement.kind() {
        Kind::IfStatement => statement.field(Field::Condition).unwrap_or(statement),
        _ => statement,
    }
}

/// The calls in a part of a statement that always happen when it runs, inner ones first.
pub(crate) fn unconditional_calls<'t>(part: Node<'t>) -> Vec<Node<'t>> {
    let is_conditional = |call: &Node<'t>| {
        let mut node = *call;
        while node != part
            && let Some(parent) = node.parent()
        {
            let is = |field| parent.field(field) == Some(node);
            let decides = match parent.kind() {
                Kind::BinaryExpression => {
                    matches!(parent.operator(), Some(token!("&&") | token!("||")))
                        && is(Field::Right)
                }
                Kind::ConditionalExpression => !is(Field::Condition),
                Kind::CommaExpression
                | Kind::SizeofExpression
                | Kind::AlignofExpression
                | Kind::GenericExpression
                | Kind::CompoundLiteralExpression => true,
                // A block in an expression.
                Kind::CompoundStatement => true,
                _ => false,
            };
            if decides {
                return true;
            }
            node = parent;
        }
        false
    };
    let mut calls: Vec<Node<'t>> =
        part.of_kind(Kind::CallExpression).filter(|call| !is_conditional(call)).collect();
    calls.sort_by_key(|call| call.end_byte());
    calls
}

/// Whether a statement does nothing before a call but to compute the call's own arguments and, perhaps, the
/// subscripts of the place that takes the value.
pub(crate) fn comes_first(statement: Node<'_>, call: Node<'_>) -> bool {
    match statement.kind() {
        Kind::ExpressionStatement => {
            let Some(expression) = statement.named_child(0).map(strip_parentheses) else {
                return false;
            };
            if expression == call {
                return true;
            }
            let value = expression.field(Field::Right).map(strip_parentheses);
            let place = expression.field(Field::Left);
            expression.kind() == Kind::AssignmentExpression
                && expression.operator() == Some(token!("="))
                && value == Some(call)
                && place.is_some_and(is_plain_place)
        }
        Kind::Declaration => {
            let mut all = statement.all_in_field(Field::Declarator);
            let (first, second) = (all.next(), all.next());
            let value = first.and_then(|d| d.field(Field::Value)).map(strip_parentheses);
            second.is_none() && value == Some(call)
        }
        _ => false,
    }
}

/// Whether a place is named by variables alone, with nothing read from memory to find it.
fn is_plain_place(place: Node<'_>) -> bool {
    match place.kind() {
        Kind::Identifier => true,
        Kind::SubscriptExpression => {
            let index = place.field(Field::Index);
            let is_simple = |index: Node<'_>| {
                !index.has_kind(&[
                    Kind::SubscriptExpression,
                    Kind::PointerExpression,
                    Kind::FieldExpression,
                    Kind::CallExpression,
                    Kind::AssignmentExpression,
                    Kind::UpdateExpression,
                ])
            };
            index.is_some_and(is_simple)
                && place
                    .field(Field::Argument)
                    .is_some_and(|inner| is_plain_place(strip_parentheses(inner)))
        }
        _ => false,
    }
}
