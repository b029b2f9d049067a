//! The bounds of a loop from its condition.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::integer_type::IntegerType;
use crate::model::comparison::Comparison;
use crate::model::conditions::{Condition, Disjunction};
use crate::model::linear::{Limit, Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::raw_model::{Ending, Loop};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::strip_parentheses;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;

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
        if let Some(holds) = self.wrapping_condition(condition, index)? {
            return Ok(holds);
        }
        let holds = self.bounding_condition(condition, index)?;
        let iterator = Symbol::Iterator(index);
        let step = self.out.loops[index as usize].step;
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
        let name = &self.variable(self.out.loops[index as usize].variable).name;
        let direction = if step > 0 { "an upper" } else { "a lower" };
        Err(self
            .refuse(Code::LoopForm, condition, "the condition of this loop is not a bound")
            .with_reason(format!("it must give {direction} bound for `{name}` that ends the loop")))
    }

    /// Whether a floor of a form uses a symbol.
    pub(crate) fn uses_in_floor(&self, linear: &Linear, symbol: Symbol) -> bool {
        linear.terms.iter().any(|(s, _)| match s {
            Symbol::Floor(f) => {
                let (inner, _) = &self.out.symbols.floors[*f as usize];
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
            let step = self.out.loops[index as usize].step;
            let is_alone =
                node.parent().is_none_or(|around| around.kind() != Kind::BinaryExpression);
            self.at.plain_bound =
                (step > 0 && is_alone).then(|| plain_operand(left, right)).flatten();
            let holds = self.condition(node, false);
            self.at.plain_bound = None;
            return holds;
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
        let Loop { step, variable, .. } = self.out.loops[index as usize];
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
        let integer_type = IntegerType::of(&self.variable(variable).declared.scalar);
        if !integer_type.signed || integer_type.bytes < 4 {
            self.need_end(node, index, difference)?;
        }
        Ok(holds)
    }

    /// Records that a loop which ends where a difference is 0 starts on the side from which it gets there;
    /// otherwise its iterator would wrap around.
    fn need_end(&mut self, node: Node<'t>, index: u32, difference: &Pieces) -> Result<(), Refusal> {
        let Loop { step, start, .. } = self.out.loops[index as usize].clone();
        let text = self.quoted(node);
        let iterator = Symbol::Iterator(index);
        for (case, linear) in &difference.0 {
            let coefficient = linear.coefficient(iterator);
            let in_case = case.iter().any(|c| c.linear.coefficient(iterator) != 0);
            let first =
                start.as_ref().filter(|_| step.abs() == 1 && coefficient.abs() == 1 && !in_case);
            let Some(first) = first else {
                let message = format!("the loop may pass over the end of `{text}`");
                return Err(self
                    .refuse(Code::NonAffineCondition, node, message)
                    .with_reason("the iterator then wraps around")
                    .with_hint("compare with `<` or `>`"));
            };
            let at_start = linear
                .add_scaled(-coefficient, &Linear::symbol(iterator))
                .and_then(|rest| rest.add_scaled(coefficient, first))
                .and_then(|value| value.scale(-coefficient.signum() * step.signum()));
            let room = self.check(node, at_start)?;
            if !self.is_nonnegative_here(&room) {
                let reason = format!("the loop reaches the end of `{text}`");
                self.need_nonnegative(node, (case, room), reason)?;
            }
        }
        Ok(())
    }

    /// Learns constant bounds of the iterator from the loop's condition.
    pub(crate) fn narrow_bounds(&mut self, index: u32, holds: &Disjunction) {
        let iterator = Symbol::Iterator(index);
        let step = self.out.loops[index as usize].step;
        // c i + rest >= 0 with c < 0: i <= floor(rest / -c); with c > 0: i >= ceil(-rest / c).
        let bound = |condition: &Condition| -> Option<i64> {
            let coefficient = condition.linear.coefficient(iterator);
            let rest = condition.linear.add_scaled(-coefficient, &Linear::symbol(iterator)).ok()?;
            let extreme = match coefficient {
                0 => return None,
                _ => self.out.symbols.lower(&rest.scale(-1).ok()?)?,
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
        let range = &mut self.out.symbols.iterator_bounds[index as usize];
        if step > 0 {
            range.1 = limit;
        } else {
            range.0 = limit;
        }
    }

    /// Notes or refuses what an iterator may become that is no value of its type: it would start again at the
    /// other end of its type instead of ending the loop. Where C leaves this undefined nothing is needed, and
    /// a loop that never ends is none of a region.
    pub(crate) fn need_fitting_iterator(
        &mut self,
        node: Node<'t>,
        index: u32,
        values: &Disjunction,
    ) -> Result<(), Refusal> {
        let Loop { step, variable, ending, .. } = self.out.loops[index as usize];
        let (lower, upper) = self.out.symbols.iterator_bounds[index as usize];
        let declared = self.variable(variable);
        let integer_type = IntegerType::of(&declared.declared.scalar);
        let name = declared.name.clone();
        let is_ended = step == 1 && integer_type.bytes >= 4 && !self.is_left_by_break(node);
        // After the test that fails the iterator is not used again.
        let beyond = match ending {
            Ending::Plain => step,
            Ending::TestedBefore => 0,
            Ending::WrapsAround => return Ok(()),
        };
        let is_known = match step > 0 {
            true => upper
                .and_then(|u| u.checked_add(beyond))
                .is_some_and(|e| e <= integer_type.greatest()),
            false => {
                lower.and_then(|l| l.checked_add(beyond)).is_some_and(|e| e >= integer_type.least())
            }
        };
        if is_known || is_ended || integer_type.signed && integer_type.bytes >= 4 {
            return Ok(());
        }
        // 64 bits are only left by steps that no other loop has time for.
        if step > 0 && integer_type.bytes >= 8 && step < 1 << 32 {
            return Ok(());
        }
        let next = Linear::symbol(Symbol::Iterator(index)).add_constant(beyond);
        let room = next.and_then(|next| match step > 0 {
            true => Linear::constant(integer_type.greatest()).sub(&next),
            false => next.sub(&Linear::constant(integer_type.least())),
        });
        let room = self.check(node, room)?;
        let domain = self.check(node, self.at.domain.and(values))?;
        let reason = format!("the iterator `{name}` does not leave its type");
        let needed = self.within(domain, |this| match this.is_nonnegative_here(&room) {
            true => Ok(()),
            false => this.need_nonnegative(node, (&Vec::new(), room), reason),
        });
        needed.map_err(|_| {
            let refusal = self.refuse(
                Code::NonAffineCondition,
                node,
                format!("the iterator `{name}` may wrap"),
            );
            refusal
                .with_reason("at an end of its type it would start again at the other one")
                .with_hint("use a wider, signed iterator")
        })
    }
}

/// The variable that a loop runs to: the operand of its comparison that is a name, but for a constant, if the
/// other one is a name, too.
fn plain_operand(left: Node<'_>, right: Node<'_>) -> Option<usize> {
    let name = |node: Node<'_>| match strip_parentheses(node) {
        name if name.kind() == Kind::Identifier => Some(name.id()),
        sum if sum.kind() == Kind::BinaryExpression => {
            let [left, right] = [Field::Left, Field::Right].map(|f| sum.field(f));
            let left = left.map(strip_parentheses).filter(|n| n.kind() == Kind::Identifier);
            right.filter(|n| n.kind() == Kind::NumberLiteral)?;
            left.map(|left| left.id())
        }
        _ => None,
    };
    let is_name = |node: Node<'_>| strip_parentheses(node).kind() == Kind::Identifier;
    match (is_name(left), is_name(right)) {
        (true, _) => name(right),
        (_, true) => name(left),
        _ => None,
    }
}
