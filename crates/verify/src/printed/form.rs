//! Normal forms of expressions over the integers: equal forms have equal values.
//!
//! Sums are linear combinations of names and of what is not linear; conditions are comparisons of such a sum
//! with zero. Nothing is known about the values of names, so two expressions of different forms may be equal
//! where they stand: `values.rs` decides that.
use loopwright_astgen::AstExpr;
use loopwright_presburger::{Aff, Int, Local, Name, PwAff, Row};
use std::collections::BTreeMap;

/// A sum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Form {
    terms: BTreeMap<Term, Int>,
    constant: Int,
}

/// What sums are made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term {
    Name(Name),
    /// Rounded towards minus infinity.
    Floor(Form, Int),
    /// Rounded towards zero, as C does.
    Quotient(Form, Int),
    Least(Vec<Form>),
    Greatest(Vec<Form>),
    Select(Truth, Form, Form),
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Truth {
    Known(bool),
    NotNegative(Form),
    Zero(Form),
    All(Vec<Truth>),
    Any(Vec<Truth>),
}

impl Form {
    pub(super) fn constant(value: &Int) -> Form {
        Form { terms: BTreeMap::new(), constant: value.clone() }
    }

    fn term(term: Term) -> Form {
        Form { terms: BTreeMap::from([(term, Int::ONE)]), constant: Int::ZERO }
    }

    pub(super) fn one() -> Form {
        Form::constant(&Int::ONE)
    }

    pub(super) fn name(name: &Name) -> Form {
        Form::term(Term::Name(name.clone()))
    }

    /// What is added, with its factors.
    pub(super) fn terms(&self) -> impl Iterator<Item = (&Term, &Int)> {
        self.terms.iter()
    }

    /// The number that is added.
    pub(super) fn number(&self) -> &Int {
        &self.constant
    }

    pub(super) fn coefficient(&self, term: &Term) -> Int {
        self.terms.get(term).cloned().unwrap_or(Int::ZERO)
    }

    pub(super) fn without(&self, term: &Term) -> Form {
        let mut rest = self.clone();
        rest.terms.remove(term);
        rest
    }

    /// The quotient by a number that divides all coefficients; none if it does not.
    pub(super) fn divided_by(mut self, divisor: &Int) -> Option<Form> {
        let mut is_whole = true;
        for value in self.terms.values_mut().chain([&mut self.constant]) {
            is_whole = is_whole && value.is_divisible_by(divisor);
            if is_whole {
                *value = value.div_exact(divisor);
            }
        }
        is_whole.then_some(self)
    }

    /// A sum that is negative exactly where this one is: without the common factor of what has no fixed
    /// value.
    pub(super) fn in_lowest_terms(mut self) -> Form {
        let common = self.terms.values().fold(Int::ZERO, |common, value| common.gcd(value));
        if common > Int::ONE {
            self.terms.values_mut().for_each(|value| *value = value.div_exact(&common));
            self.constant = self.constant.div_floor(&common);
        }
        self
    }

    /// A sum of positive multiples of two sums in which a term is not left, if these have it with different
    /// signs.
    pub(super) fn cancelled(&self, other: &Form, term: &Term) -> Option<Form> {
        let (own, factor) = (self.coefficient(term), other.coefficient(term));
        (own.signum() * factor.signum() < 0)
            .then(|| self.times(&factor.abs()).plus(&own.abs(), other))
    }

    /// A choice that has no other one inside.
    fn innermost_select(&self) -> Option<&Term> {
        self.terms.keys().find_map(|term| match term {
            Term::Name(_) => None,
            Term::Floor(sum, _) | Term::Quotient(sum, _) => sum.innermost_select(),
            Term::Least(list) | Term::Greatest(list) => {
                list.iter().find_map(Form::innermost_select)
            }
            Term::Select(condition, a, b) => {
                let values = a.innermost_select().or_else(|| b.innermost_select());
                Some(condition.innermost_select().or(values).unwrap_or(term))
            }
        })
    }

    /// The sum with a value for a term.
    fn with(&self, term: &Term, value: &Form) -> Form {
        let mut sum = Form::constant(&self.constant);
        for (own, coefficient) in &self.terms {
            let here = match own {
                own if own == term => value.clone(),
                Term::Name(_) => Form::term(own.clone()),
                Term::Floor(e, d) => Form::term(Term::Floor(e.with(term, value), d.clone())),
                Term::Quotient(e, d) => Form::term(Term::Quotient(e.with(term, value), d.clone())),
                Term::Least(list) => {
                    Form::term(Term::Least(list.iter().map(|e| e.with(term, value)).collect()))
                }
                Term::Greatest(list) => {
                    Form::term(Term::Greatest(list.iter().map(|e| e.with(term, value)).collect()))
                }
                Term::Select(condition, a, b) => Form::term(Term::Select(
                    condition.with(term, value),
                    a.with(term, value),
                    b.with(term, value),
                )),
            };
            sum = sum.plus(coefficient, &here);
        }
        sum
    }

    pub(super) fn mentions(&self, name: &Name) -> bool {
        self.terms.keys().any(|term| match term {
            Term::Name(own) => own == name,
            Term::Floor(sum, _) | Term::Quotient(sum, _) => sum.mentions(name),
            Term::Least(list) | Term::Greatest(list) => list.iter().any(|e| e.mentions(name)),
            Term::Select(condition, a, b) => {
                condition.mentions(name) || a.mentions(name) || b.mentions(name)
            }
        })
    }

    /// `self + factor * other`.
    pub(super) fn plus(mut self, factor: &Int, other: &Form) -> Form {
        self.constant = &self.constant + &(factor * &other.constant);
        for (term, coefficient) in &other.terms {
            let entry = self.terms.entry(term.clone()).or_insert(Int::ZERO);
            *entry = &*entry + &(factor * coefficient);
        }
        self.terms.retain(|_, coefficient| !coefficient.is_zero());
        self
    }

    pub(super) fn times(&self, factor: &Int) -> Form {
        Form::default().plus(factor, self)
    }

    /// The value, if it is the same everywhere.
    pub(super) fn as_constant(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// Whether the value is a multiple of a number wherever its names have integers.
    pub(super) fn is_multiple(&self, of: &Int) -> bool {
        let mut all = self.terms.values().chain([&self.constant]);
        all.all(|coefficient| coefficient.mod_floor(of).is_zero())
    }

    /// The operands of a minimum or maximum that is all there is.
    fn operands(&self, of: fn(&Term) -> Option<&Vec<Form>>) -> Vec<Form> {
        let only = self.terms.iter().next().filter(|(_, coefficient)| coefficient.is_one());
        let is_only = self.terms.len() == 1 && self.constant.is_zero();
        let list = only.filter(|_| is_only).and_then(|(term, _)| of(term));
        list.map_or_else(|| vec![self.clone()], Clone::clone)
    }

    /// The form of an arithmetic expression; none for expressions that have no integer value by themselves.
    pub(super) fn of(expression: &AstExpr) -> Option<Form> {
        let of = |e: &AstExpr| Form::of(e);
        let divided = |a: &AstExpr, b: &AstExpr, term: fn(Form, Int) -> Term| {
            let divisor = of(b)?.as_constant().filter(|d| d.is_positive())?.clone();
            Some(Form::term(term(of(a)?, divisor)))
        };
        Some(match expression {
            AstExpr::Int(value) => Form::constant(value),
            AstExpr::Id(name) => Form::term(Term::Name(name.clone())),
            AstExpr::Neg(a) => of(a)?.times(&Int::from(-1)),
            AstExpr::Add(a, b) => of(a)?.plus(&Int::ONE, &of(b)?),
            AstExpr::Sub(a, b) => of(a)?.plus(&Int::from(-1), &of(b)?),
            AstExpr::Mul(a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                match (a.as_constant(), b.as_constant()) {
                    (Some(factor), _) => b.times(factor),
                    (_, Some(factor)) => a.times(factor),
                    _ => return None,
                }
            }
            AstExpr::DivFloor(a, b) => divided(a, b, Term::Floor)?,
            AstExpr::DivExact(a, b) | AstExpr::DivNonneg(a, b) => divided(a, b, Term::Quotient)?,
            AstExpr::RemNonneg(a, b) | AstExpr::RemZero(a, b) => {
                let divisor = of(b)?.as_constant().filter(|d| d.is_positive())?.clone();
                of(a)?.plus(&-&divisor, &divided(a, b, Term::Quotient)?)
            }
            AstExpr::Min(list) => Form::extreme(list, Term::Least, |term| match term {
                Term::Least(list) => Some(list),
                _ => None,
            })?,
            AstExpr::Max(list) => Form::extreme(list, Term::Greatest, |term| match term {
                Term::Greatest(list) => Some(list),
                _ => None,
            })?,
            AstExpr::Select(c, a, b) | AstExpr::Cond(c, a, b) => {
                Form::term(Term::Select(Truth::of(c)?, of(a)?, of(b)?))
            }
            _ => return None,
        })
    }

    fn extreme(
        list: &[AstExpr],
        term: fn(Vec<Form>) -> Term,
        of: fn(&Term) -> Option<&Vec<Form>>,
    ) -> Option<Form> {
        let mut operands = Vec::new();
        for operand in list {
            operands.extend(Form::of(operand)?.operands(of));
        }
        operands.sort();
        operands.dedup();
        match operands.len() {
            0 => None,
            1 => operands.pop(),
            _ => Some(Form::term(term(operands))),
        }
    }

    /// The form of an expression over the coordinates of an instance that have these values; none if it has
    /// several pieces.
    pub(super) fn at(expression: &PwAff, coordinates: &[Form]) -> Option<Form> {
        let aff = match expression.pieces() {
            [(_, only)] => only,
            _ => return None,
        };
        let mut columns: Vec<Form> = vec![Form::constant(&Int::ONE)];
        let params = aff.domain_space().param_names();
        columns.extend(params.iter().map(|name| Form::term(Term::Name(name.clone()))));
        columns.extend(coordinates.iter().cloned());
        for local in aff.locals() {
            let Local::Floor { numerator, denominator } = local else { return None };
            let dividend = Form::combination(numerator, &columns)?;
            columns.push(Form::term(Term::Floor(dividend, denominator.clone())));
        }
        Form::whole(aff, &columns)
    }

    fn whole(aff: &Aff, columns: &[Form]) -> Option<Form> {
        let sum = Form::combination(aff.row(), columns)?;
        (aff.denominator().is_one() && !aff.is_nan()).then_some(sum)
    }

    /// The sum of columns with the coefficients of a row.
    fn combination(row: &Row, columns: &[Form]) -> Option<Form> {
        let mut sum = Form::default();
        for column in 0..row.len() {
            if !row.is_zero_at(column) {
                sum = sum.plus(&row.get(column), columns.get(column)?);
            }
        }
        Some(sum)
    }

    /// What the form is more than another one, if it is the same everywhere.
    pub(super) fn constant_difference(&self, other: &Form) -> Option<Int> {
        self.clone().plus(&Int::from(-1), other).as_constant().cloned()
    }

    /// Whether the values of two forms differ wherever they stand.
    pub(super) fn differs_by_a_constant(&self, other: &Form) -> bool {
        self.constant_difference(other).is_some_and(|value| !value.is_zero())
    }
}

impl Truth {
    /// The form of a condition; none as for [`Form::of`].
    pub(super) fn of(condition: &AstExpr) -> Option<Truth> {
        let minus =
            |a: &AstExpr, b: &AstExpr| Some(Form::of(a)?.plus(&Int::from(-1), &Form::of(b)?));
        let above = |a: &AstExpr, b: &AstExpr, by: i64| {
            let difference = minus(a, b)?.plus(&Int::from(-by), &Form::constant(&Int::ONE));
            Some(Truth::not_negative(difference))
        };
        match condition {
            AstExpr::Ge(a, b) => above(a, b, 0),
            AstExpr::Gt(a, b) => above(a, b, 1),
            AstExpr::Le(a, b) => above(b, a, 0),
            AstExpr::Lt(a, b) => above(b, a, 1),
            AstExpr::Eq(a, b) => Some(Truth::zero(minus(a, b)?)),
            AstExpr::Int(value) => Some(Truth::Known(!value.is_zero())),
            AstExpr::And(list) | AstExpr::AndThen(list) => Truth::joined(list, true),
            AstExpr::Or(list) | AstExpr::OrElse(list) => Truth::joined(list, false),
            _ => None,
        }
    }

    fn mentions(&self, name: &Name) -> bool {
        match self {
            Truth::Known(_) => false,
            Truth::NotNegative(sum) | Truth::Zero(sum) => sum.mentions(name),
            Truth::All(list) | Truth::Any(list) => list.iter().any(|truth| truth.mentions(name)),
        }
    }

    /// A choice that has no other one inside.
    pub(super) fn innermost_select(&self) -> Option<&Term> {
        match self {
            Truth::Known(_) => None,
            Truth::NotNegative(sum) | Truth::Zero(sum) => sum.innermost_select(),
            Truth::All(list) | Truth::Any(list) => list.iter().find_map(Truth::innermost_select),
        }
    }

    /// The condition with a value for a term.
    pub(super) fn with(&self, term: &Term, value: &Form) -> Truth {
        let each = |list: &[Truth]| list.iter().map(|truth| truth.with(term, value)).collect();
        match self {
            Truth::Known(known) => Truth::Known(*known),
            Truth::NotNegative(sum) => Truth::NotNegative(sum.with(term, value)),
            Truth::Zero(sum) => Truth::Zero(sum.with(term, value)),
            Truth::All(list) => Truth::All(each(list)),
            Truth::Any(list) => Truth::Any(each(list)),
        }
    }

    /// Holds where this one does not.
    pub(super) fn negated(self) -> Truth {
        let below = |sum: &Form| {
            Truth::NotNegative(sum.times(&Int::from(-1)).plus(&Int::from(-1), &Form::one()))
        };
        match self {
            Truth::Known(known) => Truth::Known(!known),
            Truth::NotNegative(sum) => below(&sum),
            Truth::Zero(sum) => Truth::Any(vec![below(&sum), below(&sum.times(&Int::from(-1)))]),
            Truth::All(list) => Truth::Any(list.into_iter().map(Truth::negated).collect()),
            Truth::Any(list) => Truth::All(list.into_iter().map(Truth::negated).collect()),
        }
    }

    fn not_negative(form: Form) -> Truth {
        match form.as_constant() {
            Some(value) => Truth::Known(!value.is_negative()),
            None => Truth::NotNegative(form),
        }
    }

    fn zero(form: Form) -> Truth {
        if let Some(value) = form.as_constant() {
            return Truth::Known(value.is_zero());
        }
        // The sign of an equality says nothing: the first coefficient is positive.
        let is_negative = form.terms.values().next().is_some_and(Int::is_negative);
        Truth::Zero(if is_negative { form.times(&Int::from(-1)) } else { form })
    }

    fn joined(list: &[AstExpr], all: bool) -> Option<Truth> {
        let mut parts = Vec::new();
        for part in list {
            match (Truth::of(part)?, all) {
                (Truth::All(inner), true) | (Truth::Any(inner), false) => parts.extend(inner),
                (part, _) => parts.push(part),
            }
        }
        parts.sort();
        parts.dedup();
        Some(match all {
            true => Truth::All(parts),
            false => Truth::Any(parts),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> Box<AstExpr> {
        Box::new(AstExpr::Id(name.into()))
    }

    #[test]
    fn what_is_equal_everywhere_has_one_form() {
        let int = |value| Box::new(AstExpr::int(value));
        let nested = AstExpr::Min(vec![AstExpr::Min(vec![*id("n"), *id("m")]), AstExpr::int(3)]);
        let flat = AstExpr::Min(vec![AstExpr::int(3), *id("m"), *id("n")]);
        assert_eq!(Form::of(&nested), Form::of(&flat));
        let less = AstExpr::Lt(id("i"), id("n"));
        let other = AstExpr::Ge(Box::new(AstExpr::Sub(id("n"), int(1))), id("i"));
        assert_eq!(Truth::of(&less), Truth::of(&other));
        assert_ne!(Truth::of(&less), Truth::of(&AstExpr::Le(id("i"), id("n"))));
        let floor = Form::of(&AstExpr::DivFloor(id("n"), int(4)));
        assert_ne!(floor, Form::of(&AstExpr::DivNonneg(id("n"), int(4))));
    }

    #[test]
    fn subscripts_at_an_instance() {
        let subscript =
            PwAff::parse("[n] -> { S[i, j] -> [(2i - j + floor((i + n)/3))] }").unwrap();
        let coordinates = [Form::of(&id("c1")).unwrap(), Form::of(&AstExpr::int(5)).unwrap()];
        let sum = |a, b| Box::new(AstExpr::Add(a, b));
        let int = |value| Box::new(AstExpr::int(value));
        let floor = Box::new(AstExpr::DivFloor(sum(id("n"), id("c1")), int(3)));
        let expected = sum(sum(sum(id("c1"), id("c1")), int(-5)), floor);
        assert_eq!(Form::at(&subscript, &coordinates), Form::of(&expected));
    }
}
