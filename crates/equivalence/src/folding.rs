//! Operations whose values are known whatever elements hold: on integers, on floating numbers that are
//! integers, choices between equal values.
//!
//! Conditions on sizes that a text asks when it runs (`if ((double)n * m > 20000)`) have a value in each
//! execution.
use crate::accumulation::neutral;
use crate::histories::{Term, TermId, Terms};
use crate::laws::Laws;
use crate::value::{Function, Operator, wrapped};
use loopwright_scop::{ArithmeticOperator, ComparisonOperator, FloatingType, ScalarType};

/// What a constant is: an integer of an integer type, or a floating number that is an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Constant {
    value: i64,
    floating: Option<FloatingType>,
}

/// So deep in the branches of a choice its condition is known.
const DEPTH_OF_CONDITIONS: usize = 6;

impl Terms {
    /// The term of an operation that has a simpler one of the same value; none if that is not known.
    pub(crate) fn folded(
        &mut self,
        operator: &Operator,
        operands: &[TermId],
        laws: &Laws,
    ) -> Option<TermId> {
        match (&operator.function, operands) {
            (Function::Select, [condition, then, otherwise]) => {
                self.chosen(*condition, [*then, *otherwise], laws)
            }
            (Function::Comparison(comparison), [left, right]) => {
                let (left, right) = (self.constant(*left)?, self.constant(*right)?);
                let holds = compare(*comparison, left.value, right.value);
                Some(self.number(Term::Integer(i64::from(holds))))
            }
            (Function::Arithmetic(arithmetic), [left, right]) => {
                let (left, right) = (self.constant(*left)?, self.constant(*right)?);
                let value = exact(*arithmetic, left.value, right.value)?;
                self.of_type(value, operator.value_type?, laws)
            }
            (Function::Convert, [inner]) => {
                let inner = self.constant(*inner)?;
                match (inner.floating, operator.value_type?) {
                    (None, ScalarType::Integer { is_signed, bytes }) => {
                        let value = wrapped(i128::from(inner.value), is_signed, bytes)?;
                        Some(self.number(Term::Integer(i64::try_from(value).ok()?)))
                    }
                    (None, ScalarType::Floating(_)) => None,
                    (Some(_), of) => self.of_type(inner.value, of, laws),
                }
            }
            _ => None,
        }
    }

    /// Makes one constant of all among the operands of an associative and commutative operator, where that is
    /// exact, and leaves out what is neutral beside others.
    pub(crate) fn without_constants(
        &mut self,
        operator: &Operator,
        operands: &mut Vec<TermId>,
        laws: &Laws,
    ) {
        let mut constant: Option<TermId> = None;
        let mut others = Vec::new();
        for operand in operands.drain(..) {
            if self.constant(operand).is_none() {
                others.push(operand);
                continue;
            }
            let both = match constant {
                None => Some(operand),
                Some(known) => self.folded(operator, &[known, operand], laws),
            };
            match both {
                Some(both) => constant = Some(both),
                None => others.push(operand),
            }
        }
        others.extend(constant);
        // A number alone is what it is.
        let first = others.first().copied();
        others.retain(|own| !self.is_neutral(operator, *own));
        if others.is_empty() {
            others.extend(first);
        }
        *operands = others;
    }

    /// Whether combining it with others by an operator changes nothing ([`crate::accumulation::is_neutral`]).
    fn is_neutral(&self, operator: &Operator, id: TermId) -> bool {
        let Some(neutral) = neutral(operator) else { return false };
        match self.term(id) {
            Term::Operation(own, inner) if own.function == Function::Convert => {
                own.value_type == operator.value_type
                    && matches!(inner[..], [inner] if *self.term(inner) == Term::Integer(neutral))
            }
            own => *own == Term::Integer(neutral),
        }
    }

    /// A choice with less in it: what stands in a branch knows what the condition is.
    fn chosen(
        &mut self,
        condition: TermId,
        [then, otherwise]: [TermId; 2],
        laws: &Laws,
    ) -> Option<TermId> {
        if then == otherwise {
            return Some(then);
        }
        if let Some(constant) = self.constant(condition) {
            return Some(if constant.value != 0 { then } else { otherwise });
        }
        let first = self.where_known(then, (condition, true), DEPTH_OF_CONDITIONS, laws);
        let second = self.where_known(otherwise, (condition, false), DEPTH_OF_CONDITIONS, laws);
        if (first, second) == (then, otherwise) {
            return None;
        }
        let select = Operator::new(Function::Select, None);
        Some(self.operation(select, vec![condition, first, second], laws))
    }

    /// A history where a condition is known to hold, or not to hold.
    fn where_known(
        &mut self,
        id: TermId,
        known: (TermId, bool),
        depth: usize,
        laws: &Laws,
    ) -> TermId {
        let Term::Operation(operator, operands) = self.term(id).clone() else { return id };
        if depth == 0 {
            return id;
        }
        if let (Function::Select, [condition, then, otherwise]) =
            (&operator.function, &operands[..])
            && *condition == known.0
        {
            let taken = if known.1 { *then } else { *otherwise };
            return self.where_known(taken, known, depth - 1, laws);
        }
        let own = operands.iter().map(|own| self.where_known(*own, known, depth - 1, laws));
        let own: Vec<TermId> = own.collect();
        if own == operands { id } else { self.operation(operator, own, laws) }
    }

    fn constant(&self, id: TermId) -> Option<Constant> {
        match self.term(id) {
            Term::Integer(value) => Some(Constant { value: *value, floating: None }),
            Term::Operation(Operator { function: Function::Convert, value_type }, inner) => {
                let Some(ScalarType::Floating(floating)) = value_type else { return None };
                let [inner] = inner[..] else { return None };
                let Term::Integer(value) = self.term(inner) else { return None };
                is_exact(*value, *floating)
                    .then_some(Constant { value: *value, floating: Some(*floating) })
            }
            _ => None,
        }
    }

    /// A constant of a type, if it has it exactly.
    fn of_type(&mut self, value: i64, of: ScalarType, laws: &Laws) -> Option<TermId> {
        match of {
            ScalarType::Floating(floating) => {
                let inner = is_exact(value, floating).then(|| self.number(Term::Integer(value)))?;
                let convert = Operator::new(Function::Convert, Some(of));
                Some(self.operation(convert, vec![inner], laws))
            }
            ScalarType::Integer { is_signed, bytes } => {
                let bits = u32::try_from(8 * bytes).ok().filter(|bits| *bits <= 64)?;
                let greatest = i64::MAX >> (64 - bits);
                let (least, greatest) = match is_signed {
                    true => (-greatest - 1, greatest),
                    // Of 64 bits the half that are values here.
                    false => (0, if bits < 64 { 2 * greatest + 1 } else { greatest }),
                };
                let fits = (least..=greatest).contains(&value);
                fits.then(|| self.number(Term::Integer(value)))
            }
        }
    }
}

/// Whether a floating type has all integers up to this one.
fn is_exact(value: i64, floating: FloatingType) -> bool {
    let bits = if floating == FloatingType::Float { 24 } else { 53 };
    value.unsigned_abs() < 1 << bits
}

fn compare(operator: ComparisonOperator, a: i64, b: i64) -> bool {
    match operator {
        ComparisonOperator::Less => a < b,
        ComparisonOperator::LessOrEqual => a <= b,
        ComparisonOperator::Greater => a > b,
        ComparisonOperator::GreaterOrEqual => a >= b,
        ComparisonOperator::Equal => a == b,
        ComparisonOperator::NotEqual => a != b,
    }
}

/// The result where it is the same for integers and for floating numbers: zeros with a sign are left out.
fn exact(operator: ArithmeticOperator, a: i64, b: i64) -> Option<i64> {
    let value = match operator {
        ArithmeticOperator::Add => a.checked_add(b),
        ArithmeticOperator::Subtract => a.checked_sub(b),
        ArithmeticOperator::Multiply => a.checked_mul(b),
        _ => None,
    }?;
    let has_sign = operator == ArithmeticOperator::Multiply && (a < 0 || b < 0);
    (value != 0 || !has_sign).then_some(value)
}
