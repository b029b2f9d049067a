//! Histories computed with numbers: what elements hold at the end, for numbers that they held before.
//!
//! It is an interpreter of its own, with C's arithmetic on values: two histories that are different terms
//! differ only if there are numbers for which they have different values.
use crate::histories::{Term, TermId, Terms, element_text};
use crate::value::{Extremum, Function, Operator, wrapped};
use loopwright_presburger::Budget;
use loopwright_scop::{ArithmeticOperator, ComparisonOperator, FloatingType, ScalarType};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Integer(i128),
    Double(f64),
    Float(f32),
}

/// Numbers for which two histories differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// What elements held before.
    pub(crate) inputs: Vec<(String, String)>,
    /// What the element holds at the end, in both programs.
    pub(crate) results: [String; 2],
    /// The functions of the program, by their names, that are taken to be any functions.
    pub(crate) calls: Vec<String>,
}

/// One of so many choices is of special values.
const SPECIAL: u64 = 3;

/// So many choices of numbers are tried.
const TRIES: u64 = 40;

/// The type of what an element holds.
pub(crate) type TypeOf<'a> = dyn Fn(&str) -> Option<ScalarType> + 'a;

/// The numbers for which two histories have different values; none if none are found.
pub(crate) fn shown_difference(
    terms: &Terms,
    [a, b]: [TermId; 2],
    type_of: &TypeOf<'_>,
    budget: &Budget,
) -> Option<Shown> {
    let parts = parts(terms, [a, b]);
    for seed in 0..TRIES {
        budget.spend(parts.len() as u64, "numbers for a difference").ok()?;
        let mut run = Numbers { terms, type_of, seed, values: FxHashMap::default() };
        for part in &parts {
            let value = run.value(*part);
            run.values.insert(*part, value);
        }
        let (Some(x), Some(y)) = (run.values[&a], run.values[&b]) else { continue };
        if x.differs(y) {
            return Some(run.shown(&parts, [x, y]));
        }
    }
    None
}

/// The terms that two are made of, operands first: they have smaller numbers.
fn parts(terms: &Terms, roots: [TermId; 2]) -> Vec<TermId> {
    let (mut seen, mut open) = (FxHashSet::default(), roots.to_vec());
    while let Some(next) = open.pop() {
        if seen.insert(next)
            && let Term::Operation(_, operands) = terms.term(next)
        {
            open.extend(operands);
        }
    }
    let mut all: Vec<TermId> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

struct Numbers<'a> {
    terms: &'a Terms,
    type_of: &'a TypeOf<'a>,
    seed: u64,
    values: FxHashMap<TermId, Option<Value>>,
}

impl Numbers<'_> {
    fn value(&self, id: TermId) -> Option<Value> {
        match self.terms.term(id) {
            Term::Integer(value) => Some(Value::Integer(i128::from(*value))),
            // Anything may stand there.
            Term::Undefined => Some(Value::Integer(77_777 + i128::from(self.seed))),
            Term::Before(name, subscripts) => {
                let of = (self.type_of)(name)?;
                Value::Integer(self.input(name, subscripts)).chosen(of, self.seed)
            }
            Term::Operation(operator, operands) => {
                if operator.function == Function::Select {
                    let condition = self.values.get(&operands[0]).copied().flatten()?;
                    let taken = if condition.is_zero() { operands[2] } else { operands[1] };
                    return self.values.get(&taken).copied().flatten();
                }
                let values = operands.iter().map(|own| self.values.get(own).copied().flatten());
                operation(operator, &values.collect::<Option<Vec<Value>>>()?)
            }
        }
    }

    /// A number that an element held before: small, and different from one element and one try to the next.
    fn input(&self, name: &str, subscripts: &[i64]) -> i128 {
        let mut hasher = FxHasher::default();
        (name, subscripts, self.seed).hash(&mut hasher);
        let number = hasher.finish() >> 17;
        let most = [3, 9, 40, 300, 70_000][(self.seed % 5) as usize];
        i128::from(number % (2 * most + 1)) - i128::from(most)
    }

    fn shown(&self, parts: &[TermId], results: [Value; 2]) -> Shown {
        let (mut inputs, mut calls) = (Vec::new(), Vec::new());
        for part in parts {
            match (self.terms.term(*part), self.values[part]) {
                (Term::Before(name, subscripts), Some(value)) => {
                    inputs.push((element_text(name, subscripts), value.to_string()));
                }
                (Term::Operation(operator, _), _) => match &operator.function {
                    Function::Call(name) if !is_of_library(name) && !calls.contains(name) => {
                        calls.push(name.clone());
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        inputs.sort();
        Shown { inputs, results: results.map(|value| value.to_string()), calls }
    }
}

impl Value {
    /// A number as one of a type; fractions among floating ones.
    fn chosen(self, of: ScalarType, seed: u64) -> Option<Value> {
        let Value::Integer(number) = self else { return Some(self) };
        match of {
            ScalarType::Floating(_) if seed % SPECIAL == SPECIAL - 1 => {
                // Zeros with signs, large values, and one that is no number.
                let is_single = of == ScalarType::Floating(FloatingType::Float);
                let large = if is_single { 3e38 } else { 1.5e308 };
                let all = [0.0, -0.0, large, -1.0, 0.0, -0.0, f64::INFINITY, f64::NAN];
                let most = if seed > TRIES / 2 { all.len() } else { 4 };
                let at = number.rem_euclid(most as i128) as usize;
                Value::Double(all[at]).converted(of)
            }
            ScalarType::Floating(_) if seed % 2 == 1 => {
                Value::Double(number as f64 / 10.0).converted(of)
            }
            _ => self.converted(of),
        }
    }

    fn is_zero(self) -> bool {
        match self {
            Value::Integer(value) => value == 0,
            Value::Double(value) => value == 0.0,
            Value::Float(value) => value == 0.0,
        }
    }

    fn as_double(self) -> f64 {
        match self {
            Value::Integer(value) => value as f64,
            Value::Double(value) => value,
            Value::Float(value) => f64::from(value),
        }
    }

    /// The value in a type; none where C does not say which.
    fn converted(self, to: ScalarType) -> Option<Value> {
        match (self, to) {
            (Value::Integer(value), ScalarType::Integer { is_signed, bytes }) => {
                Some(Value::Integer(wrapped(value, is_signed, bytes)?))
            }
            (_, ScalarType::Integer { is_signed, bytes }) => {
                let whole = self.as_double().trunc();
                let value = (whole.abs() < 1e18).then_some(whole as i128)?;
                let fits = wrapped(value, is_signed, bytes)? == value;
                fits.then_some(Value::Integer(value))
            }
            (Value::Integer(value), ScalarType::Floating(FloatingType::Float)) => {
                Some(Value::Float(value as f32))
            }
            (_, ScalarType::Floating(FloatingType::Float)) => {
                Some(Value::Float(self.as_double() as f32))
            }
            (_, ScalarType::Floating(FloatingType::Double)) => {
                Some(Value::Double(self.as_double()))
            }
            (_, ScalarType::Floating(FloatingType::LongDouble)) => None,
        }
    }

    /// Whether two values differ, bit by bit; values that are no numbers are all the same.
    fn differs(self, other: Value) -> bool {
        if let (Value::Integer(a), Value::Integer(b)) = (self, other) {
            return a != b;
        }
        let (a, b) = (self.as_double(), other.as_double());
        match a.is_nan() || b.is_nan() {
            true => a.is_nan() != b.is_nan(),
            false => a.to_bits() != b.to_bits(),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(value) => write!(f, "{value}"),
            Value::Double(value) => write!(f, "{value}"),
            Value::Float(value) => write!(f, "{value}"),
        }
    }
}

fn operation(operator: &Operator, values: &[Value]) -> Option<Value> {
    let of = operator.value_type;
    let typed = |value: Value| of.map_or(Some(value), |of| value.converted(of));
    match (&operator.function, values) {
        (Function::Arithmetic(arithmetic), [first, rest @ ..]) => {
            rest.iter().try_fold(typed(*first)?, |left, right| {
                let is_shift = matches!(
                    arithmetic,
                    ArithmeticOperator::ShiftLeft | ArithmeticOperator::ShiftRight
                );
                let right = if is_shift { *right } else { typed(*right)? };
                arithmetic_on(*arithmetic, of, left, right)
            })
        }
        (Function::Comparison(comparison), [left, right]) => {
            let holds = compare(*comparison, typed(*left)?, typed(*right)?)?;
            Some(Value::Integer(i128::from(holds)))
        }
        (Function::Negate, [value]) => match typed(*value)? {
            Value::Integer(value) => in_range(-value, of?),
            Value::Double(value) => Some(Value::Double(-value)),
            Value::Float(value) => Some(Value::Float(-value)),
        },
        (Function::Complement, [value]) => match typed(*value)? {
            Value::Integer(value) => Value::Integer(!value).converted(of?),
            _ => None,
        },
        (Function::Convert, [value]) => typed(*value),
        (Function::Call(name), values) => call(name, of, values),
        (Function::Extremum(extremum), [first, rest @ ..]) => {
            let joined = |left, right: &Value| extreme(*extremum, left, typed(*right)?);
            rest.iter().try_fold(typed(*first)?, joined)
        }
        (Function::Constant(text), []) => constant(text),
        (Function::Uninterpreted { text, types }, values) => {
            Some(any_function(&format!("{text} {types}"), values))
        }
        (Function::Perhaps, values) => Some(any_function("perhaps", values)),
        _ => None,
    }
}

/// The least or greatest of two numbers; none where it depends on how it is asked for: no number is one, or
/// zeros have signs.
fn extreme(extremum: Extremum, left: Value, right: Value) -> Option<Value> {
    let is_less = compare(ComparisonOperator::Less, left, right)?;
    let is_equal = compare(ComparisonOperator::Equal, left, right)?;
    let is_unordered = left.as_double().is_nan() || right.as_double().is_nan();
    if is_unordered || (is_equal && left.differs(right)) {
        return None;
    }
    Some(if is_less == (extremum == Extremum::Minimum) { left } else { right })
}

/// The result of signed arithmetic, where C says which; unsigned arithmetic wraps.
fn in_range(value: i128, of: ScalarType) -> Option<Value> {
    let ScalarType::Integer { is_signed, bytes } = of else { return None };
    let own = wrapped(value, is_signed, bytes)?;
    (!is_signed || own == value).then_some(Value::Integer(own))
}

fn arithmetic_on(
    operator: ArithmeticOperator,
    of: Option<ScalarType>,
    left: Value,
    right: Value,
) -> Option<Value> {
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => {
            in_range(integer_arithmetic(operator, a, b)?, of?)
        }
        (Value::Float(a), Value::Float(b)) => {
            // Rounding twice is the same as rounding once for these operators.
            let exact = floating_arithmetic(operator, f64::from(a), f64::from(b))?;
            Some(Value::Float(exact as f32))
        }
        _ => floating_arithmetic(operator, left.as_double(), right.as_double()).map(Value::Double),
    }
}

fn integer_arithmetic(operator: ArithmeticOperator, a: i128, b: i128) -> Option<i128> {
    use ArithmeticOperator as A;
    match operator {
        A::Add => a.checked_add(b),
        A::Subtract => a.checked_sub(b),
        A::Multiply => a.checked_mul(b),
        A::Divide => a.checked_div(b),
        A::Remainder => a.checked_rem(b),
        A::ShiftLeft => (a >= 0 && (0..32).contains(&b)).then(|| a << b),
        A::ShiftRight => (0..32).contains(&b).then(|| a >> b),
        A::And => Some(a & b),
        A::Or => Some(a | b),
        A::ExclusiveOr => Some(a ^ b),
    }
}

fn floating_arithmetic(operator: ArithmeticOperator, a: f64, b: f64) -> Option<f64> {
    use ArithmeticOperator as A;
    match operator {
        A::Add => Some(a + b),
        A::Subtract => Some(a - b),
        A::Multiply => Some(a * b),
        A::Divide => Some(a / b),
        _ => None,
    }
}

fn compare(operator: ComparisonOperator, a: Value, b: Value) -> Option<bool> {
    use ComparisonOperator as C;
    let order = match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(&b)),
        _ => a.as_double().partial_cmp(&b.as_double()),
    };
    Some(match operator {
        C::Less => order.is_some_and(|order| order.is_lt()),
        C::LessOrEqual => order.is_some_and(|order| order.is_le()),
        C::Greater => order.is_some_and(|order| order.is_gt()),
        C::GreaterOrEqual => order.is_some_and(|order| order.is_ge()),
        C::Equal => order.is_some_and(|order| order.is_eq()),
        C::NotEqual => !order.is_some_and(|order| order.is_eq()),
    })
}

type OfOne = fn(f64) -> f64;

/// Functions of C's library that have the same value everywhere, without the letter of their type.
const LIBRARY: [(&str, OfOne); 4] =
    [("sqrt", f64::sqrt), ("fabs", f64::abs), ("floor", f64::floor), ("ceil", f64::ceil)];

/// Which of two numbers a function of C's library returns.
fn extremum(name: &str) -> Option<Extremum> {
    match stem(name) {
        "fmin" => Some(Extremum::Minimum),
        "fmax" => Some(Extremum::Maximum),
        _ => None,
    }
}

fn stem(name: &str) -> &str {
    name.strip_suffix(['f', 'l']).filter(|stem| *stem != "cei").unwrap_or(name)
}

/// Whether a function is one of C's library whose value is computed here, or one that has floating results.
fn is_of_library(name: &str) -> bool {
    crate::body::result_type(name).is_some()
}

/// A function of C's library; any function otherwise, as far as nothing is known of it here.
fn call(name: &str, of: Option<ScalarType>, values: &[Value]) -> Option<Value> {
    let known = LIBRARY.iter().find(|(own, _)| *own == name || *own == stem(name));
    let value = match (known, values) {
        (None, [left, right]) if extremum(name).is_some() => {
            let [left, right] = [left, right].map(|own| Value::Double(own.as_double()));
            extreme(extremum(name)?, left, right)?
        }
        (Some((_, function)), [value]) => Value::Double(function(value.as_double())),
        // What other functions of the library do to the last bits is not the same everywhere.
        _ if is_of_library(name) => return None,
        _ => any_function(name, values),
    };
    let value = if of.is_none() { Value::Double(value.as_double()) } else { value };
    of.map_or(Some(value), |of| value.converted(of))
}

/// The value of a function of which nothing is known: others for other operands.
fn any_function(name: &str, values: &[Value]) -> Value {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    for value in values {
        value.as_double().to_bits().hash(&mut hasher);
    }
    Value::Integer(i128::from((hasher.finish() >> 20) % 60_000))
}

/// A constant by its text.
fn constant(text: &str) -> Option<Value> {
    let of = ScalarType::of_number(text);
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    match of {
        Some(ScalarType::Floating(FloatingType::Float)) => digits.parse().ok().map(Value::Float),
        Some(ScalarType::Floating(FloatingType::Double)) => digits.parse().ok().map(Value::Double),
        Some(ScalarType::Integer { .. }) => digits.parse().ok().map(Value::Integer),
        _ => match text.as_bytes() {
            [b'\'', own, b'\''] if *own != b'\\' => Some(Value::Integer(i128::from(*own))),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_in_their_types() {
        assert_eq!(wrapped(-1, false, 4), Some(4_294_967_295));
        assert_eq!(wrapped(200, true, 1), Some(-56));
        assert_eq!(wrapped(1 << 40, true, 8), Some(1 << 40));
        assert_eq!(in_range(1 << 31, ScalarType::INT), None);
    }

    #[test]
    fn conversions_are_those_of_c() {
        let char_type = ScalarType::Integer { is_signed: true, bytes: 1 };
        assert_eq!(Value::Double(-3.9).converted(char_type), Some(Value::Integer(-3)));
        assert_eq!(Value::Double(300.0).converted(char_type), None);
        let single = ScalarType::Floating(FloatingType::Float);
        assert!(
            Value::Double(0.1).converted(single).is_some_and(|own| own.differs(Value::Double(0.1)))
        );
    }
}
