//! The heads of loops that count up or down by a constant: `for (i = first; i < bound; i += step)`,
//! `for (i = first; i >= bound; i--)`, `for (; i < bound; i++)`, and `while` loops that move their iterator
//! on last.
use super::{
    ArithmeticOperator, AssignmentOperator, BinaryOperator, ComparisonOperator, PostfixOperator,
    ScalarType, Term, TermKind, UnaryOperator,
};
use crate::model::Scop;

/// Steps up to this size leave room for the lengths of chunks, which are multiples of them.
const LONGEST_STEP: i64 = 1024;

/// The parts of a loop's head.
pub(super) struct Head<'a> {
    /// The declaration around the loop: a type and a name.
    pub(super) declared: Option<(&'a str, &'a str)>,
    pub(super) text: &'a str,
    /// What sets the iterator in front of the loop; none if it counts on from what it is.
    pub(super) first: Option<&'a Term>,
    /// The parts of its condition, of which all have to hold.
    pub(super) conditions: Vec<&'a Term>,
    pub(super) step: &'a Term,
}

impl<'a> Head<'a> {
    /// What counts, its type and its first value.
    pub(super) fn iterator(&self, scop: &Scop) -> Option<(Term, String, Term)> {
        let Some(start) = self.first else {
            let iterator = self.moved()?;
            let array = scop.array(iterator.as_element()?.array);
            let c_type = array.is_scalar().then(|| array.element_type.clone())?;
            return self.declared.is_none().then(|| (iterator.clone(), c_type, iterator.clone()));
        };
        let text = self.text.strip_prefix("for (")?;
        if let Some((c_type, name)) = text.trim().strip_suffix('=').and_then(type_and_name) {
            let is_alone = self.declared.is_none();
            return is_alone.then(|| (Term::of_text(name), c_type.to_string(), start.clone()));
        }
        let (AssignmentOperator::Set, iterator, first) = start.as_assignment()? else {
            return None;
        };
        let c_type = match (iterator.as_element(), self.declared) {
            (Some(element), None) => {
                let array = scop.array(element.array);
                array.is_scalar().then(|| array.element_type.clone())?
            }
            (None, Some((c_type, name))) if iterator.is_text(name) => c_type.to_string(),
            _ => return None,
        };
        text.is_empty().then(|| (iterator.clone(), c_type, first.clone()))
    }

    /// What the iterator is compared with, whether it may be that, and what else has to hold.
    pub(super) fn bound(
        &self,
        iterator: &Term,
        counts_down: bool,
    ) -> Option<(Term, bool, Vec<&'a Term>)> {
        let compared = |condition: &&'a Term| {
            let (operator, left, right) = condition.without_parentheses().as_binary()?;
            let BinaryOperator::Comparison(operator) = operator else { return None };
            // Which side is less, and whether both may be the same.
            let (less, greater, is_inclusive) = match operator {
                ComparisonOperator::Less => (left, right, false),
                ComparisonOperator::LessOrEqual => (left, right, true),
                ComparisonOperator::Greater => (right, left, false),
                ComparisonOperator::GreaterOrEqual => (right, left, true),
                _ => return None,
            };
            let (own, bound) = if counts_down { (greater, less) } else { (less, greater) };
            own.is_alike(iterator).then_some((bound, is_inclusive))
        };
        let at = self.conditions.iter().position(|condition| compared(condition).is_some())?;
        let (bound, is_inclusive) = compared(self.conditions.get(at)?)?;
        let mut others = self.conditions.clone();
        others.remove(at);
        Some((bound.clone(), is_inclusive, others))
    }

    /// What the end of an iteration changes.
    fn moved(&self) -> Option<&'a Term> {
        match (self.step.kind(), self.step.children()) {
            (
                TermKind::Postfix(PostfixOperator::Increment | PostfixOperator::Decrement)
                | TermKind::Unary(UnaryOperator::Increment | UnaryOperator::Decrement)
                | TermKind::Assignment(_),
                [target, ..],
            ) => Some(target),
            _ => None,
        }
    }

    /// The constant that each iteration adds, negative if it counts down; none if it does anything else.
    pub(super) fn step(&self, iterator: &Term) -> Option<i64> {
        let is_it = |term: &Term| term.is_alike(iterator);
        let number = |term: &Term| {
            let number = term.without_parentheses().as_number();
            number.filter(|number| (1..=LONGEST_STEP).contains(number))
        };
        let (target, step) = match (self.step.kind(), self.step.children()) {
            (
                TermKind::Postfix(PostfixOperator::Increment)
                | TermKind::Unary(UnaryOperator::Increment),
                [only],
            ) => (only, 1),
            (
                TermKind::Postfix(PostfixOperator::Decrement)
                | TermKind::Unary(UnaryOperator::Decrement),
                [only],
            ) => (only, -1),
            (
                TermKind::Assignment(AssignmentOperator::Update(ArithmeticOperator::Add)),
                [target, value],
            ) => (target, number(value)?),
            (
                TermKind::Assignment(AssignmentOperator::Update(ArithmeticOperator::Subtract)),
                [target, value],
            ) => (target, -number(value)?),
            (TermKind::Assignment(AssignmentOperator::Set), [target, value]) => {
                match value.without_parentheses().as_binary() {
                    Some((BinaryOperator::Arithmetic(ArithmeticOperator::Add), left, right))
                        if is_it(left) =>
                    {
                        (target, number(right)?)
                    }
                    Some((
                        BinaryOperator::Arithmetic(ArithmeticOperator::Subtract),
                        left,
                        right,
                    )) if is_it(left) => (target, -number(right)?),
                    _ => return None,
                }
            }
            _ => return None,
        };
        is_it(target).then_some(step)
    }
}

/// The type and the name in `{ int i; ... }`.
pub(super) fn declaration(term: &Term) -> Option<(&str, &str)> {
    let [before, after] = term.texts() else { return None };
    let text = before.trim().strip_prefix('{')?.trim().strip_suffix(';')?;
    (after.trim() == "}").then(|| type_and_name(text))?
}

/// A type of numbers and a name.
pub(super) fn type_and_name(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let (c_type, name) = text.rsplit_once(' ')?;
    let known = c_type.strip_prefix("const ").unwrap_or(c_type);
    let is_name = matches!(Term::of_text(name).kind(), TermKind::Name);
    (is_name && ScalarType::of_name(known).is_some()).then_some((c_type, name))
}
