//! Branches after which the program does not come back: errors that end it, or the function.
//!
//! Where the condition of such a branch is affine, it is checked in front of the region that it never holds;
//! the region as it was runs where it may. So what is made of the region has no such branch.
use crate::diagnostics::refusal::Refusal;
use crate::facts::called_functions::ends_for_good;
use crate::model::conditions::Disjunction;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;

impl<'t> Extractor<'_, 't> {
    /// Leaves out the branch of an `if` in a loop that the program does not come back from; whether that is
    /// all about the `if`. `holds` is where its condition does.
    pub(crate) fn without_way_out(
        &mut self,
        node: Node<'t>,
        holds: &Disjunction,
    ) -> Result<bool, Refusal> {
        let (Some(condition), Some(then)) =
            (node.field(Field::Condition), node.field(Field::Consequence))
        else {
            return Ok(false);
        };
        let alternative = node.field(Field::Alternative);
        let otherwise = alternative.and_then(|clause| named_children(clause).next());
        let ends = |branch| ends_for_good(self.facts.source, &self.scopes, branch);
        let (rest, goes_on) = match otherwise {
            _ if self.at.nest.is_empty() => return Ok(false),
            Some(otherwise) if ends(otherwise) => (Some(then), holds.clone()),
            otherwise if ends(then) => (otherwise, self.affine_condition(condition, true)?),
            _ => return Ok(false),
        };
        let reason =
            format!("the loop around line {} is not left there", self.line_of(node.start_byte()));
        if !self.need_everywhere(node, goes_on.clone(), reason) {
            return Ok(false);
        }
        if let Some(rest) = rest {
            self.where_holds(node, &goes_on, |this| this.branch(rest))?;
        }
        Ok(true)
    }
}

/// The block of a statement expression (which assertions of the C library are).
pub(crate) fn block_of_expression(node: Node<'_>) -> Option<Node<'_>> {
    let node = strip_parentheses(node);
    let block = match node.kind() {
        Kind::ParenthesizedExpression => named_children(node).next()?,
        _ => node,
    };
    (block.kind() == Kind::CompoundStatement).then_some(block)
}

/// Whether an expression is `(void) sizeof (..)`, as in assertions.
pub(crate) fn is_size_for_nobody(node: Node<'_>) -> bool {
    let value = node.field(Field::Value).filter(|_| node.kind() == Kind::CastExpression);
    value.is_some_and(|value| strip_parentheses(value).kind() == Kind::SizeofExpression)
}
