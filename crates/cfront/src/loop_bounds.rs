//! The bounds of a loop from its condition.
use crate::comparison::Comparison;
use crate::conditions::{Condition, Disjunction};
use crate::diagnostic::Code;
use crate::extract::Extractor;
use crate::integer_type::IntegerType;
use crate::kind::{Field, Kind};
use crate::linear::{Limit, Linear, Pieces, Symbol};
use crate::raw_model::Loop;
use crate::refusal::Refusal;
use crate::syntax::strip_parentheses;
use crate::tree::Node;

impl<'t> Extractor<'_, 't> {
    /// The condition of a loop; each constraint on the iterator bounds it from where it runs to.
    pub(crate) fn loop_condition(
        &mut self,
        node: Node<'t>,
        index: u32,
    ) -> Result<Disjunction, Refusal> {
        let Some(condition) = node.field(Field::Condition) else {
            return Err(self
                .refuse(Code::LoopForm, node, "this loop has no condition")
                .with_reason("how many iterations there are is not known before the loop runs"));
        };
        let holds = self.bounding_condition(condition, index)?;
        let iterator = Symbol::Iterator(index);
        let step = self.loops[index as usize].step;
        let bounds = |condition: &Condition| {
            let coefficient = condition.linear.coefficient(iterator);
            let in_floor = self.uses_in_floor(&condition.linear, iterator);
            !in_floor
                && (coefficient == 0
                    || !condition.is_equality && coefficient.signum() == -step.signum())
        };
        let bounded = |c: &Vec<Condition>| c.iter().any(|x| x.linear.coefficient(iterator) != 0);
        let monotone = holds.0.iter().all(|c| c.iter().all(bounds));
        if monotone && holds.0.iter().all(bounded) {
            return Ok(holds);
        }
        let name = &self.variable(self.loops[index as usize].variable).name;
        let direction = if step > 0 { "an upper" } else { "a lower" };
        Err(self
            .refuse(Code::LoopForm, condition, "the condition of this loop is not a bound")
            .with_reason(format!("it must give {direction} bound for `{name}` that ends the loop")))
    }

    /// Whether a floor of a form uses a symbol.
    pub(crate) fn uses_in_floor(&self, linear: &Linear, symbol: Symbol) -> bool {
        linear.terms.iter().any(|(s, _)| match s {
            Symbol::Floor(f) => {
                let (inner, _) = &self.symbols.floors[*f as usize];
                inner.coefficient(symbol) != 0 || self.uses_in_floor(inner, symbol)
            }
            _ => false,
        })
    }

    /// A condition in which `!=` compares the iterator with its end.
    fn bounding_condition(&mut self, node: Node<'t>, index: u32) -> Result<Disjunction, Refusal> {
        let node = strip_parentheses(node);
        if node.kind() == Kind::BinaryExpression {
            let (left, operator, right) = self.binary_parts(node)?;
            if matches!(operator, token!("&&") | token!("||")) {
                let a = self.bounding_condition(left, index)?;
                let b = self.bounding_condition(right, index)?;
                return self
                    .check(node, if operator == token!("&&") { a.and(&b) } else { a.or(b) });
            }
            if operator == token!("!=") {
                let difference = self.difference(left, right)?;
                return self.not_equal_end(node, index, &difference);
            }
            return self.condition(node, false);
        }
        if matches!(node.kind(), Kind::UnaryExpression | Kind::ConditionalExpression) {
            return self.condition(node, false);
        }
        let value = self.value(node)?.pieces;
        self.not_equal_end(node, index, &value)
    }

    /// `difference != 0` as the end of a loop.
    fn not_equal_end(
        &mut self,
        node: Node<'t>,
        index: u32,
        difference: &Pieces,
    ) -> Result<Disjunction, Refusal> {
        if self.is_left_by_break(node) {
            let message = "a loop that ends at a value may be left by `break` before it gets there";
            return Err(self
                .refuse(Code::LoopForm, node, message)
                .with_reason("that it ends, and so where, is not known without the `break`")
                .with_hint("compare with `<` or `>`"));
        }
        let Loop { step, variable, .. } = self.loops[index as usize];
        let iterator = Symbol::Iterator(index);
        let side = |linear: &Linear| match linear.coefficient(iterator).signum() * step.signum() {
            0 => Comparison::NotEqual,
            1 => Comparison::Less,
            _ => Comparison::Greater,
        };
        let sides: Vec<Comparison> = difference.0.iter().map(|(_, l)| side(l)).collect();
        let before =
            |linear: &Linear| -> Result<Disjunction, Limit> { side(linear).with_zero(linear) };
        let holds = match sides.first() {
            Some(&first) if sides.iter().all(|s| *s == first) => self.compare(difference, first),
            _ => difference.satisfying(before),
        };
        let holds = self.check(node, holds)?;
        if !IntegerType::of(&self.variable(variable).declared.scalar).signed {
            let line = self.line_of(node.start_byte());
            let text = self.flat_text(node);
            if step.abs() != 1 {
                let message = format!("the loop may pass over the end of `{text}`");
                return Err(self
                    .refuse(Code::NonAffineCondition, node, message)
                    .with_reason("an unsigned iterator then wraps around")
                    .with_hint("compare with `<` or `>`"));
            }
            self.assume(format!("line {line}: the loop reaches the end of `{text}`"));
        }
        Ok(holds)
    }

    /// Learns constant bounds of the iterator from the loop's condition.
    pub(crate) fn narrow_bounds(
        &mut self,
        node: Node<'t>,
        index: u32,
        holds: &Disjunction,
    ) -> Result<(), Refusal> {
        let iterator = Symbol::Iterator(index);
        let Loop { step, variable, .. } = self.loops[index as usize];
        // c i + rest >= 0 with c < 0: i <= floor(rest / -c); with c > 0: i >= ceil(-rest / c).
        let bound = |condition: &Condition| -> Option<i64> {
            let coefficient = condition.linear.coefficient(iterator);
            let rest = condition.linear.add_scaled(-coefficient, &Linear::symbol(iterator)).ok()?;
            let extreme = match coefficient {
                0 => return None,
                _ => self.symbols.lower(&rest.scale(-1).ok()?)?,
            };
            // `extreme` is the least value of -rest.
            if coefficient < 0 {
                Some(extreme.checked_neg()?.div_euclid(coefficient.checked_neg()?))
            } else {
                Some(extreme.checked_add(coefficient - 1)?.div_euclid(coefficient))
            }
        };
        let per_case: Option<Vec<i64>> = holds
            .0
            .iter()
            .map(|case| {
                let bounds = case.iter().filter_map(bound);
                if step > 0 { bounds.min() } else { bounds.max() }
            })
            .collect();
        let limits = per_case.unwrap_or_default().into_iter();
        let limit = if step > 0 { limits.max() } else { limits.min() };
        let range = &mut self.symbols.iterator_bounds[index as usize];
        if step > 0 {
            range.1 = limit;
        } else {
            range.0 = limit;
        }
        self.check_wrap(node, index, variable, step)
    }

    /// Refuses or notes iterators that may wrap around instead of ending the loop.
    fn check_wrap(
        &mut self,
        node: Node<'t>,
        index: u32,
        variable: u32,
        step: i64,
    ) -> Result<(), Refusal> {
        let (lower, upper) = self.symbols.iterator_bounds[index as usize];
        let declared = self.variable(variable);
        let integer_type = IntegerType::of(&declared.declared.scalar);
        let name = declared.name.clone();
        if !integer_type.signed && step < 0 && lower.is_none_or(|l| l < -step) {
            return Err(self
                .refuse(Code::LoopForm, node, format!("the unsigned iterator `{name}` may wrap"))
                .with_reason("below zero an unsigned number becomes the greatest one")
                .with_hint("use a signed iterator"));
        }
        if integer_type.bytes < 4 {
            let bits = 8 * integer_type.bytes as u32 - u32::from(integer_type.signed);
            let greatest = (1i64 << bits) - 1;
            let end = upper.and_then(|u| u.checked_add(step.max(0)));
            if step > 0 && end.is_none_or(|e| e > greatest) {
                let line = self.line_of(node.start_byte());
                self.assume(format!("line {line}: the iterator `{name}` fits its type"));
            }
        }
        Ok(())
    }
}
