//! What the expressions of a syntax tree mean, as sets and piecewise expressions.
//!
//! The C meaning is modelled: `/` and `%` truncate. Where the tree claims that a dividend is not
//! negative, or a division exact, the claim is checked on the place's domain; if it does not hold,
//! the truncating operation is used.
use loopwright_astgen::AstExpr;
use loopwright_presburger::{
    Aff, Budget, DimKind, Error, Int, Name, PwAff, Result, Set, Space, Tuple,
};

/// A place in a syntax tree: the iterators around it and their possible values.
#[derive(Clone)]
pub(crate) struct ProgramPoint {
    /// The iterators, outermost first.
    pub(crate) iterators: Vec<Name>,
    /// Their values when the place is reached: a set of anonymous tuples.
    pub(crate) domain: Set,
}

impl ProgramPoint {
    /// Outside of all loops.
    pub(crate) fn outermost(context: &Set) -> ProgramPoint {
        ProgramPoint { iterators: Vec::new(), domain: context.from_params(Tuple::anonymous(0)) }
    }

    /// Inside one more loop, whose iterator is not restricted yet.
    pub(crate) fn inside_loop(&self, iterator: &Name) -> ProgramPoint {
        let mut iterators = self.iterators.clone();
        iterators.push(iterator.clone());
        let domain = self.domain.insert_dims(DimKind::Out, self.iterators.len(), 1);
        ProgramPoint { iterators, domain }
    }

    /// The same place with fewer values.
    pub(crate) fn restricted(&self, set: &Set, budget: &Budget) -> Result<ProgramPoint> {
        let domain = self.domain.intersect_within(set, budget)?;
        Ok(ProgramPoint { iterators: self.iterators.clone(), domain })
    }

    fn space(&self) -> &Space {
        self.domain.space()
    }

    /// The innermost iterator as an expression.
    pub(crate) fn innermost(&self) -> PwAff {
        let position = self.iterators.len() - 1;
        PwAff::from_aff(Aff::variable(self.space(), DimKind::Out, position))
    }

    fn constant(&self, value: &Int) -> PwAff {
        PwAff::from_aff(Aff::constant(self.space(), value))
    }

    fn variable(&self, name: &Name) -> Result<PwAff> {
        if let Some(position) = self.iterators.iter().rposition(|iterator| iterator == name) {
            return Ok(PwAff::from_aff(Aff::variable(self.space(), DimKind::Out, position)));
        }
        let space = self.space().merge_params(&Space::params(std::slice::from_ref(name)));
        let position = space.find_param(name).expect("the parameter has just been added");
        Ok(PwAff::from_aff(Aff::variable(&space, DimKind::Param, position)))
    }

    /// The value of an arithmetic expression at this place.
    pub(crate) fn value(&self, expression: &AstExpr, budget: &Budget) -> Result<PwAff> {
        let value = |e: &AstExpr| self.value(e, budget);
        match expression {
            AstExpr::Int(number) => Ok(self.constant(number)),
            AstExpr::Id(name) => self.variable(name),
            AstExpr::Neg(a) => Ok(value(a)?.neg()),
            AstExpr::Add(a, b) => value(a)?.add(&value(b)?),
            AstExpr::Sub(a, b) => value(a)?.sub(&value(b)?),
            AstExpr::Mul(a, b) => value(a)?.mul(&value(b)?),
            AstExpr::DivFloor(a, b) => Ok(value(a)?.scale_down(&divisor(b)?).floor()),
            AstExpr::DivNonneg(a, b) | AstExpr::DivExact(a, b) => {
                self.quotient(&value(a)?, &divisor(b)?, budget)
            }
            AstExpr::RemNonneg(a, b) => self.remainder(&value(a)?, &divisor(b)?, budget),
            AstExpr::RemZero(a, b) => Ok(value(a)?.modulo(&divisor(b)?)),
            AstExpr::Min(list) => self.fold(list, budget, |a, b| a.min(b, budget)),
            AstExpr::Max(list) => self.fold(list, budget, |a, b| a.max(b, budget)),
            AstExpr::Select(condition, a, b) | AstExpr::Cond(condition, a, b) => {
                PwAff::select(&self.condition(condition, budget)?, &value(a)?, &value(b)?, budget)
            }
            AstExpr::Call(..) | AstExpr::Access(..) | AstExpr::Member(..) => {
                Err(unsupported("a value that is read from memory or computed by a call"))
            }
            AstExpr::AddressOf(_) => Err(unsupported("an address")),
            _ => {
                let condition = self.condition(expression, budget)?;
                let (one, zero) = (self.constant(&Int::from(1)), self.constant(&Int::from(0)));
                PwAff::select(&condition, &one, &zero, budget)
            }
        }
    }

    fn fold(
        &self,
        list: &[AstExpr],
        budget: &Budget,
        combine: impl Fn(&PwAff, &PwAff) -> Result<PwAff>,
    ) -> Result<PwAff> {
        let mut values = list.iter().map(|e| self.value(e, budget));
        let first = values.next().unwrap_or_else(|| Err(unsupported("an empty min or max")))?;
        values.try_fold(first, |a, b| combine(&a, &b?))
    }

    /// Whether a value is never negative here.
    fn is_nonneg(&self, value: &PwAff, budget: &Budget) -> Result<bool> {
        let negative = value.lt_set(&self.constant(&Int::from(0)))?;
        self.domain.intersect_within(&negative, budget)?.is_empty(budget)
    }

    fn quotient(&self, dividend: &PwAff, divisor: &Int, budget: &Budget) -> Result<PwAff> {
        let inexact = dividend.modulo(divisor).non_zero_set();
        if self.is_nonneg(dividend, budget)?
            || self.domain.intersect_within(&inexact, budget)?.is_empty(budget)?
        {
            Ok(dividend.scale_down(divisor).floor())
        } else {
            dividend.tdiv_q(divisor, budget)
        }
    }

    fn remainder(&self, dividend: &PwAff, divisor: &Int, budget: &Budget) -> Result<PwAff> {
        if self.is_nonneg(dividend, budget)? {
            Ok(dividend.modulo(divisor))
        } else {
            dividend.tdiv_r(divisor, budget)
        }
    }

    /// Where a condition holds.
    ///
    /// Comparisons with `min` and `max` that are conjunctions are taken apart, so that loop bounds
    /// do not split into cases.
    pub(crate) fn condition(&self, expression: &AstExpr, budget: &Budget) -> Result<Set> {
        use AstExpr::*;
        match expression {
            And(list) | AndThen(list) => {
                let everything = Set::universe(self.space().clone());
                list.iter().try_fold(everything, |set, e| {
                    set.intersect_within(&self.condition(e, budget)?, budget)
                })
            }
            Or(list) | OrElse(list) => {
                let nothing = Set::empty(self.space().clone());
                list.iter().try_fold(nothing, |set, e| set.union(&self.condition(e, budget)?))
            }
            Le(a, b) | Lt(a, b) => self.compare(a, b, matches!(expression, Lt(..)), budget),
            Ge(a, b) | Gt(a, b) => self.compare(b, a, matches!(expression, Gt(..)), budget),
            Eq(a, b) => self.value(a, budget)?.eq_set(&self.value(b, budget)?),
            Int(number) if number.is_zero() => Ok(Set::empty(self.space().clone())),
            Int(_) => Ok(Set::universe(self.space().clone())),
            _ => Ok(self.value(expression, budget)?.non_zero_set()),
        }
    }

    /// Where `a <= b`, or `a < b` if strict.
    fn compare(&self, a: &AstExpr, b: &AstExpr, strict: bool, budget: &Budget) -> Result<Set> {
        let everything = || Set::universe(self.space().clone());
        match (a, b) {
            (AstExpr::Max(list), _) => list.iter().try_fold(everything(), |set, e| {
                set.intersect_within(&self.compare(e, b, strict, budget)?, budget)
            }),
            (_, AstExpr::Min(list)) => list.iter().try_fold(everything(), |set, e| {
                set.intersect_within(&self.compare(a, e, strict, budget)?, budget)
            }),
            _ => {
                let (a, b) = (self.value(a, budget)?, self.value(b, budget)?);
                if strict { a.lt_set(&b) } else { a.le_set(&b) }
            }
        }
    }
}

fn divisor(expression: &AstExpr) -> Result<Int> {
    match expression {
        AstExpr::Int(value) if value.is_positive() => Ok(value.clone()),
        _ => Err(unsupported("a division by something other than a positive constant")),
    }
}

pub(crate) fn unsupported(what: &str) -> Error {
    Error::Invalid { operation: "verification of a syntax tree", reason: format!("it has {what}") }
}
