//! Loops that change their iterator in the condition, or rely on it to wrap around:
//! `for (unsigned i = n; i-- > 0;)`, `for (int i = -1; ++i < n;)`, `for (size_t i = n - 1; i < n; i--)`.
//!
//! In the first form the iterator has the value after the change in each iteration, so it starts one step
//! further, and the condition is about the value that the change is seen to have: `i + 1 > 0` for `i-- > 0`.
//! That the last change leaves an unsigned type does not matter: it comes after the test that ends the loop,
//! where nobody reads the iterator any more. In the last form an iterator of an unsigned type goes down until
//! it wraps around: the greatest value of the type is below no other, so the loop ends there if what it is
//! compared with is of the type. Since the iterator falls until then, the condition holds in all iterations
//! if it holds in the first one.
use crate::diagnostics::refusal::Refusal;
use crate::facts::integer_type::IntegerType;
use crate::model::comparison::Comparison;
use crate::model::conditions::{Condition, Disjunction};
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::raw_model::Ending;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{mentions, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;

/// A change of the iterator in a loop's condition.
#[derive(Clone, Copy)]
pub(crate) struct TestedChange<'t> {
    pub(crate) node: Node<'t>,
    /// What it adds.
    pub(crate) step: i64,
    /// Whether the value before the change is tested.
    is_postfix: bool,
}

impl TestedChange<'_> {
    /// How the loop ends.
    pub(crate) fn ending(self) -> Ending {
        if self.is_postfix { Ending::TestedBefore } else { Ending::Plain }
    }
}

/// The `++` or `--` of a name that a condition evaluates exactly once, if it does not mention the name
/// elsewhere: the condition is it, or compares it.
pub(crate) fn tested_change<'t>(
    source: &str,
    condition: Node<'t>,
    name: &str,
) -> Option<TestedChange<'t>> {
    let condition = strip_parentheses(condition);
    let is_comparison = condition.kind() == Kind::BinaryExpression
        && condition.operator().is_some_and(|operator| Comparison::of(operator).is_some());
    let sides = [Field::Left, Field::Right].map(|side| condition.field(side));
    let candidates = match is_comparison {
        true => sides.into_iter().flatten().map(strip_parentheses).collect(),
        false => vec![condition],
    };
    let node = candidates.into_iter().find(|node| node.kind() == Kind::UpdateExpression)?;
    let argument = node.field(Field::Argument)?;
    let inner = strip_parentheses(argument);
    let is_named =
        inner.kind() == Kind::Identifier && crate::syntax::queries::text(source, inner) == name;
    if !is_named || mentions(source, condition, name).count() != 1 {
        return None;
    }
    let step = if node.operator() == Some(token!("++")) { 1 } else { -1 };
    let is_postfix = argument.start_byte() == node.start_byte();
    Some(TestedChange { node, step, is_postfix })
}

impl<'t> Extractor<'_, 't> {
    /// The change of a loop's iterator in its condition; none if something else changes it.
    pub(crate) fn change_in_condition(
        &self,
        node: Node<'t>,
        variable: u32,
    ) -> Option<TestedChange<'t>> {
        let name = &self.variable(variable).name;
        let condition =
            node.field(Field::Condition).filter(|_| node.field(Field::Update).is_none());
        tested_change(self.facts.source, condition?, name)
    }

    /// In the condition of an opened loop a change of the iterator has a value: the iterator itself, or what
    /// it was before.
    pub(crate) fn test_change(&mut self, change: &TestedChange<'t>, variable: u32, index: u32) {
        let iterator = Linear::symbol(Symbol::Iterator(index));
        let before = match change.is_postfix {
            true => iterator.add_constant(-change.step).ok(),
            false => None,
        };
        let tested = self.moving_offset(variable).unwrap_or(variable);
        let value = Pieces::single(before.unwrap_or(iterator));
        self.values.side_values.insert(change.node.id(), (tested, value));
    }

    /// The condition of a loop that ends when its iterator has wrapped around; none if it is not such a loop.
    ///
    /// # Errors
    /// If a side of the condition is not affine.
    pub(crate) fn wrapping_condition(
        &mut self,
        condition: Node<'t>,
        index: u32,
    ) -> Result<Option<Disjunction>, Refusal> {
        let condition = strip_parentheses(condition);
        let of = &self.out.loops[index as usize];
        let own = IntegerType::of(&self.variable(of.variable).declared.scalar);
        if condition.kind() != Kind::BinaryExpression
            || of.step != -1
            || own.signed
            || own.bytes < 4
        {
            return Ok(None);
        }
        let start = of.start.clone();
        let name = self.variable(of.variable).name.clone();
        let (left, operator, right) = self.binary_parts(condition)?;
        let (iterator, end) = match operator {
            token!("<") => (left, right),
            token!(">") => (right, left),
            _ => return Ok(None),
        };
        let iterator = strip_parentheses(iterator);
        let is_iterator = iterator.kind() == Kind::Identifier && self.text(iterator) == name;
        let Some(start) = start.filter(|_| is_iterator) else { return Ok(None) };
        let end_value = self.value(end)?;
        if end_value.integer_type.bytes > own.bytes {
            return Ok(None);
        }
        let end_value = self.converted(end, end_value, own)?;
        let room = end_value.pieces.flat_map(|end| Ok(Pieces::single(end.sub(&start)?)));
        let room = self.check(condition, room)?;
        if self.loops_of(&room).contains(&index) {
            return Ok(None);
        }
        let runs = self.check(condition, self.compare(&room, Comparison::Greater))?;
        let lowest = Condition::nonnegative(Linear::symbol(Symbol::Iterator(index)));
        self.out.loops[index as usize].ending = Ending::WrapsAround;
        self.check(condition, runs.and(&Disjunction::single(lowest))).map(Some)
    }
}
