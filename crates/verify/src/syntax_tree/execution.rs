//! Runs syntax trees on numbers, as compiled C does: divisions and remainders truncate.
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{Int, Name};
use std::collections::BTreeMap;

/// An instance: the statement's name, and its coordinates.
pub type Instance = (String, Vec<i64>);

/// Why a tree cannot be run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It executes more instances, or goes round more often, than allowed.
    TooLong,
    /// A number does not fit 64 bits.
    Overflow,
    /// A name has no value, or an expression none that is a number.
    NoValue(String),
}

/// The instances that a tree executes, in order, for values of the parameters.
///
/// *Limits.* At most `most` instances, and `most` iterations of loops that execute none.
///
/// ```
/// use loopwright_astgen::{Options, generate_from_map};
/// use loopwright_presburger::{Budget, Set, UnionMap};
/// use loopwright_verify::{Values, execute};
/// let schedule = UnionMap::parse("[n] -> { S[i] -> [-i] : 0 <= i < n }")?;
/// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
/// let budget = Budget::steps(1_000_000);
/// let options = Options::STANDARD;
/// let ast = generate_from_map(&schedule, &context, &none, &options, &budget)?;
/// let values = Values::from([("n".into(), 2)]);
/// let s = |i| (String::from("S"), vec![i]);
/// assert_eq!(execute(&ast, &values, 100), Ok(vec![s(1), s(0)]));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* Linear in the instances that run, of which there are `most` at most.
///
/// # Errors
/// Why the tree has no end, as far as that is known.
pub fn execute(ast: &AstNode, parameters: &Values, most: usize) -> Result<Vec<Instance>, Stopped> {
    let mut machine = Machine { values: parameters.clone(), trace: Vec::new(), left: 2 * most };
    machine.run(ast)?;
    Ok(machine.trace)
}

/// Values of parameters and iterators.
pub type Values = BTreeMap<Name, i64>;

struct Machine {
    values: Values,
    trace: Vec<Instance>,
    left: usize,
}

impl Machine {
    fn run(&mut self, node: &AstNode) -> Result<(), Stopped> {
        match node {
            AstNode::For(each) => self.run_loop(each),
            AstNode::If { condition, then, otherwise } => {
                if self.value(condition)? != 0 {
                    self.run(then)
                } else {
                    otherwise.iter().try_for_each(|node| self.run(node))
                }
            }
            AstNode::Block(children) => children.iter().try_for_each(|child| self.run(child)),
            AstNode::Mark { child, .. } => self.run(child),
            AstNode::User { statement, arguments, .. } => {
                self.step()?;
                let name = statement.output().and_then(|tuple| tuple.name());
                let arguments = arguments.iter().map(|a| self.value(a));
                let coordinates = arguments.collect::<Result<_, _>>()?;
                self.trace.push((name.map_or(String::new(), |n| n.to_string()), coordinates));
                Ok(())
            }
        }
    }

    fn run_loop(&mut self, each: &ForLoop) -> Result<(), Stopped> {
        let step = number(&each.increment)?;
        let mut value = self.value(&each.init)?;
        let step = match &each.multiples_of {
            Some(size) => {
                let size = self.value(&AstExpr::Id(size.clone()))?;
                let rest = value.checked_rem_euclid(size).ok_or(Stopped::Overflow)?;
                let more = if rest == 0 { 0 } else { size - rest };
                value = value.checked_add(more).ok_or(Stopped::Overflow)?;
                size
            }
            None => step,
        };
        loop {
            self.step()?;
            self.values.insert(each.iterator.clone(), value);
            if !each.degenerate && self.value(&each.condition)? == 0 {
                break;
            }
            self.run(&each.body)?;
            if each.degenerate {
                break;
            }
            value = value.checked_add(step).ok_or(Stopped::Overflow)?;
        }
        self.values.remove(&each.iterator);
        Ok(())
    }

    fn step(&mut self) -> Result<(), Stopped> {
        self.left = self.left.checked_sub(1).ok_or(Stopped::TooLong)?;
        Ok(())
    }

    fn value(&self, expression: &AstExpr) -> Result<i64, Stopped> {
        use AstExpr::*;
        let of = |e: &AstExpr| self.value(e);
        let fits = |value: Option<i64>| value.ok_or(Stopped::Overflow);
        let compare = |a: &AstExpr, b: &AstExpr, holds: fn(&i64, &i64) -> bool| {
            Ok(i64::from(holds(&of(a)?, &of(b)?)))
        };
        match expression {
            Int(value) => number(value),
            Id(name) => {
                self.values.get(name).copied().ok_or_else(|| Stopped::NoValue(name.to_string()))
            }
            Neg(a) => fits(of(a)?.checked_neg()),
            Add(a, b) => fits(of(a)?.checked_add(of(b)?)),
            Sub(a, b) => fits(of(a)?.checked_sub(of(b)?)),
            Mul(a, b) => fits(of(a)?.checked_mul(of(b)?)),
            DivExact(a, b) | DivNonneg(a, b) => fits(of(a)?.checked_div(of(b)?)),
            DivFloor(a, b) => fits(of(a)?.checked_div_euclid(of(b)?)),
            RemNonneg(a, b) | RemZero(a, b) => fits(of(a)?.checked_rem(of(b)?)),
            Min(list) => self.extreme(list, |a, b| a.min(b)),
            Max(list) => self.extreme(list, |a, b| a.max(b)),
            Select(c, a, b) | Cond(c, a, b) => of(if of(c)? != 0 { a } else { b }),
            And(list) | AndThen(list) => self.all(list, true),
            Or(list) | OrElse(list) => Ok(1 - self.all(list, false)?),
            Eq(a, b) => compare(a, b, i64::eq),
            Le(a, b) => compare(a, b, i64::le),
            Lt(a, b) => compare(a, b, i64::lt),
            Ge(a, b) => compare(a, b, i64::ge),
            Gt(a, b) => compare(a, b, i64::gt),
            other => Err(Stopped::NoValue(other.to_string())),
        }
    }

    fn extreme(&self, list: &[AstExpr], choose: fn(i64, i64) -> i64) -> Result<i64, Stopped> {
        let mut values = list.iter().map(|e| self.value(e));
        let first = values.next().unwrap_or_else(|| Err(Stopped::NoValue("min()".into())))?;
        values.try_fold(first, |best, next| Ok(choose(best, next?)))
    }

    /// Whether all conditions have the given truth value.
    fn all(&self, list: &[AstExpr], truth: bool) -> Result<i64, Stopped> {
        for condition in list {
            if (self.value(condition)? != 0) != truth {
                return Ok(0);
            }
        }
        Ok(1)
    }
}

fn number(value: &Int) -> Result<i64, Stopped> {
    value.to_i64().ok_or(Stopped::Overflow)
}
