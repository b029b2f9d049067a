//! Loops that may count without an iterator, as they are written.
use crate::facts::control::is_left_early;
use crate::facts::for_header::{Operands, header, mentions_later_names, operands};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::tree::Node;

/// A loop that may count.
pub(crate) struct Counted<'t> {
    /// What the head declares.
    pub(crate) declaration: Option<Node<'t>>,
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

/// The parts of a `while` or `do` loop, or of a `for` loop whose head does not say what its iterator is or
/// how it changes; none if jumps leave it early.
pub(crate) fn counted<'t>(source: &str, node: Node<'t>) -> Option<Counted<'t>> {
    let (condition, body) = (node.field(Field::Condition)?, node.field(Field::Body)?);
    let initializer = node.field(Field::Initializer);
    let may_count = match node.kind() {
        Kind::WhileStatement | Kind::DoStatement => true,
        // An iterator that a head declares and the body or the condition changes is one of other loops.
        Kind::ForStatement => header(source, node)
            .is_none_or(|header| header.step.is_none() && header.declaration.is_none()),
        _ => false,
    };
    if !may_count || is_left_early(body) {
        return None;
    }
    let declaration = initializer.filter(|part| part.kind() == Kind::Declaration);
    if declaration.is_some_and(|declaration| {
        let declarators: Vec<Node<'t>> = declaration.all_in_field(Field::Declarator).collect();
        mentions_later_names(source, &declarators)
    }) {
        return None;
    }
    let starts = initializer.filter(|_| declaration.is_none());
    let starts = starts.map_or(Operands::new(), operands).into_vec();
    let steps = node.field(Field::Update).map_or(Operands::new(), operands);
    let parts = std::iter::once(body).chain(steps).collect();
    let is_tested_last = node.kind() == Kind::DoStatement;
    Some(Counted { declaration, starts, condition, parts, is_tested_last })
}
