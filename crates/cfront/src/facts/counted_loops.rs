//! Loops that may count without an iterator, as they are written.
use crate::facts::control::is_left_early;
use crate::facts::for_header::{Operands, header, operands};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::tree::Node;

/// A loop that may count.
pub(crate) struct Counted<'t> {
    /// What is done before the loop.
    pub(crate) starts: Vec<Node<'t>>,
    pub(crate) condition: Node<'t>,
    /// What else is done in each iteration.
    pub(crate) parts: Vec<Node<'t>>,
    /// Whether the condition comes after the rest of each iteration.
    pub(crate) is_tested_last: bool,
}

impl<'t> Counted<'t> {
    /// What is done in each iteration, in order.
    pub(crate) fn iteration(&self) -> Vec<Node<'t>> {
        let (condition, parts) = ([self.condition], &self.parts[..]);
        if self.is_tested_last {
            [parts, &condition].concat()
        } else {
            [&condition, parts].concat()
        }
    }
}

/// The parts of a `while` or `do` loop, or of a `for` loop whose head does not say what its iterator is or how it
/// changes; none if jumps leave it early.
pub(crate) fn counted<'t>(source: &str, node: Node<'t>) -> Option<Counted<'t>> {
    let (condition, body) = (node.field(Field::Condition)?, node.field(Field::Body)?);
    let initializer = node.field(Field::Initializer);
    let may_count = match node.kind() {
        Kind::WhileStatement | Kind::DoStatement => true,
        Kind::ForStatement => {
            initializer.is_none_or(|part| part.kind() != Kind::Declaration)
                && header(source, node).is_none_or(|header| header.step.is_none())
        }
        _ => false,
    };
    if !may_count || is_left_early(body) {
        return None;
    }
    let starts = initializer.map_or(Operands::new(), operands).into_vec();
    let steps = node.field(Field::Update).map_or(Operands::new(), operands);
    let parts = std::iter::once(body).chain(steps).collect();
    let is_tested_last = node.kind() == Kind::DoStatement;
    Some(Counted { starts, condition, parts, is_tested_last })
}
