//! Expressions to values.
use super::dependence::{self, LastSources};
use super::files::{self, Files};
use super::generate;
use super::operators::Operator;
use super::polynomials;
use super::problem::{Outcome, Problem};
use super::syntax::{Dependences, Expression, Kind};
use super::value::Value;
use loopwright_presburger::{Budget, Error, Result, UnionMap, UnionSet};
use std::collections::BTreeMap;

/// The largest exponent of a relation.
const POWER_LIMIT: i64 = 1 << 10;

/// What expressions are evaluated in.
pub(super) struct Scope<'a> {
    pub(super) variables: &'a BTreeMap<String, Option<Value>>,
    pub(super) budget: &'a Budget,
    /// Where files are read; none where they may not be.
    pub(super) files: Option<&'a dyn Files>,
}

impl Scope<'_> {
    /// The value of an expression.
    pub(super) fn evaluate(&self, expression: &Expression) -> Outcome<Value> {
        let at = |result: Result<Value>| {
            result.and_then(Value::checked).map_err(|e| Problem::of(expression.position, &e))
        };
        let value = |expression: &Expression| self.evaluate(expression);
        match &expression.kind {
            Kind::Value(value) => Ok(value.clone()),
            Kind::Variable(name) => match self.variables.get(name) {
                Some(Some(value)) => Ok(value.clone()),
                Some(None) => {
                    let message = format!("`{name}` has no value: its last assignment failed");
                    Err(Problem::new(expression.position, message))
                }
                None => {
                    let message = format!("expected a variable or function, found `{name}`");
                    Err(Problem::new(expression.position, message))
                }
            },
            Kind::List(members) => {
                at(Ok(Value::List(members.iter().map(value).collect::<Outcome<_>>()?)))
            }
            Kind::Call(function, operand) => at(function.call(&value(operand)?, self.budget)),
            Kind::Binary(..) => self.chain(expression),
            Kind::Apply(function, argument) => {
                at(apply(&value(function)?, &value(argument)?, self.budget))
            }
            Kind::Index(list, index) => at(element(&value(list)?, &value(index)?)),
            Kind::Power(base, exponent) => at(self.power(&value(base)?, *exponent)),
            Kind::Dependences(operands) => self.dependences(operands, expression.position),
            Kind::Codegen(what, options) => {
                let options = options.as_ref().map(|o| self.relation(o)).transpose()?;
                at(generate::code(&value(what)?, options.as_ref(), self.budget))
            }
            Kind::Schedule(domain, validity, proximity) => {
                let domain = self.set(domain)?;
                let relation = |operand: &Option<Box<Expression>>| match operand {
                    Some(operand) => self.relation(operand),
                    None => Ok(UnionMap::empty()),
                };
                let (validity, proximity) = (relation(validity)?, relation(proximity)?);
                at(generate::find_schedule(&domain, &validity, &proximity, self.budget))
            }
            Kind::Read(path) => self.file(path, files::read_value),
            Kind::ParseFile(path) => self.file(path, files::parse_c),
        }
    }

    /// The value of operators in a row, which may be many: from left to right, without recursion.
    fn chain(&self, expression: &Expression) -> Outcome<Value> {
        let mut pending = Vec::new();
        let mut first = expression;
        while let Kind::Binary(operator, left, right) = &first.kind {
            pending.push((operator, right, first.position));
            first = left;
        }
        let mut value = self.evaluate(first)?;
        for (operator, right, position) in pending.into_iter().rev() {
            let right = self.evaluate(right)?;
            let result = operator.apply(&value, &right, self.budget).and_then(Value::checked);
            value = result.map_err(|e| Problem::of(position, &e))?;
        }
        Ok(value)
    }

    fn file(
        &self,
        path: &Expression,
        read: fn(&dyn Files, &str) -> std::result::Result<Value, String>,
    ) -> Outcome<Value> {
        let path_value = self.text(path)?;
        let Some(files) = self.files else {
            return Err(Problem::new(path.position, "files may not be read here"));
        };
        read(files, &path_value).map_err(|message| Problem::new(path.position, message))
    }

    /// The value of an expression that must be a text.
    pub(super) fn text(&self, expression: &Expression) -> Outcome<String> {
        match self.evaluate(expression)? {
            Value::Text(text) => Ok(text),
            other => Err(mismatch(expression, "a string", &other)),
        }
    }

    fn relation(&self, expression: &Expression) -> Outcome<UnionMap> {
        let value = self.evaluate(expression)?;
        match value.first_of_pair().unwrap_or(&value) {
            Value::Map(map) => Ok(map.clone()),
            Value::Set(set) if set.sets().is_empty() => Ok(UnionMap::empty()),
            other => Err(mismatch(expression, "a relation", other)),
        }
    }

    fn set(&self, expression: &Expression) -> Outcome<UnionSet> {
        let value = self.evaluate(expression)?;
        match value.first_of_pair().unwrap_or(&value) {
            Value::Set(set) => Ok(set.clone()),
            other => Err(mismatch(expression, "a set", other)),
        }
    }

    fn power(&self, base: &Value, exponent: Option<i64>) -> Result<Value> {
        let refuse = |reason: String| Err(Error::Invalid { operation: "^", reason });
        let Value::Map(map) = base else {
            return match base.first_of_pair() {
                Some(first) => self.power(first, exponent),
                None => refuse(format!("it is not defined for {}", base.noun())),
            };
        };
        let Some(exponent) = exponent else {
            let closure = map.transitive_closure(self.budget)?;
            let exactness = Value::Boolean(closure.is_exact);
            return Ok(Value::List(vec![closure.relation.into(), exactness]));
        };
        let base = if exponent < 0 { map.reverse() } else { map.clone() };
        let n = exponent.saturating_abs();
        if n > POWER_LIMIT {
            return Err(Error::too_large("a power"));
        }
        if n == 0 {
            let elements = map.domain().union(&map.range())?;
            return Ok(UnionMap::identity_on(&elements).into());
        }
        let mut power = base.clone();
        for _ in 1..n {
            power = power.apply_range_within(&base, self.budget)?.coalesce(self.budget)?;
        }
        Ok(power.into())
    }

    fn dependences(&self, operands: &Dependences, position: usize) -> Outcome<Value> {
        let relation = |operand: &Option<Expression>| {
            operand.as_ref().map(|operand| self.relation(operand)).transpose()
        };
        let (any, last) = (relation(&operands.any)?, relation(&operands.last)?);
        let sinks = self.relation(&operands.sinks)?;
        let schedule = match self.evaluate(&operands.schedule)? {
            Value::Map(map) => map,
            Value::Schedule(tree) => {
                tree.flatten().map_err(|e| Problem::of(operands.schedule.position, &e))?
            }
            other => return Err(mismatch(&operands.schedule, "a schedule", &other)),
        };
        let problem =
            dependence::Problem { sinks: &sinks, schedule: &schedule, budget: self.budget };
        let result = match (any, last) {
            (Some(any), None) => problem.any(&any).map(Value::Map),
            (Some(any), Some(last)) => problem.any_or_last(&any, &last).map(Value::Map),
            (None, Some(last)) => problem.last(&last).map(|LastSources { flow, no_source }| {
                Value::List(vec![flow.into(), no_source.into()])
            }),
            (None, None) => Ok(Value::List(Vec::new())),
        };
        result.map_err(|e| Problem::of(position, &e))
    }
}

fn mismatch(expression: &Expression, expected: &str, found: &Value) -> Problem {
    let message = format!("expected {expected}, found {}", found.noun());
    Problem::new(expression.position, message)
}

/// `function(argument)`: an image, or a composition.
fn apply(function: &Value, argument: &Value, budget: &Budget) -> Result<Value> {
    match (function, argument) {
        (Value::Map(map), Value::Set(set)) => Ok(set.apply_within(map, budget)?.into()),
        (Value::Map(map), Value::Map(inner)) => Ok(inner.apply_range_within(map, budget)?.into()),
        (Value::Polynomial(_) | Value::Fold(_), Value::Map(_)) => {
            Operator::After.apply(function, argument, budget)
        }
        (Value::Fold(fold), Value::Set(set)) => polynomials::bound_on_set(fold, set, budget),
        (Value::Polynomial(q), Value::Set(set)) => polynomials::sum_on_set(q, set, budget),
        _ => match (function.first_of_pair(), argument.first_of_pair()) {
            (Some(first), _) => apply(first, argument, budget),
            (None, Some(first)) => apply(function, first, budget),
            (None, None) => {
                let (function, argument) = (function.noun(), argument.noun());
                let reason = format!("{function} has no value for {argument}");
                Err(Error::Invalid { operation: "application", reason })
            }
        },
    }
}

/// `list[index]`.
fn element(list: &Value, index: &Value) -> Result<Value> {
    let refuse = |reason: String| Err(Error::Invalid { operation: "index", reason });
    match (list, index) {
        (Value::List(members), Value::Integer(index)) => {
            let position = index.to_i64().and_then(|index| usize::try_from(index).ok());
            match position.and_then(|position| members.get(position)) {
                Some(member) => Ok(member.clone()),
                None => refuse(format!("{index} is no position in a list of {}", members.len())),
            }
        }
        _ => refuse(format!("{} has no element {index}", list.noun())),
    }
}
