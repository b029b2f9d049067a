//! Quasi-polynomials: polynomials in parameters, dimensions and floors.
//!
//! # Columns
//! The variables of the polynomial are the columns `[constant | parameters | dimensions | floors]`
//! of a quasi-affine expression, from 1 on; the floors are in the normal form of those
//! ([`Aff::floor`]). With floors as variables of their own, two forms of one function are not
//! always the same polynomial: `⌊i/2⌋²` and a case distinction on the parity of `i` look different.
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::Result;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space, mismatch};
use crate::functions::aff::Aff;
use crate::functions::expression::Expression;
use crate::functions::multi_aff::MultiAff;
use crate::polynomials::sparse::Polynomial;
use loopwright_exact::{Int, Rational, Row, Value};
use std::borrow::Cow;

/// A polynomial with rational coefficients in parameters, dimensions and floors; or an infinity, or
/// not a number.
///
/// ```
/// # use loopwright_presburger::{Int, QPolynomial, Value};
/// let volume = QPolynomial::parse("[n] -> { [i] -> (1/2*n*i^2 + floor(i/2)) }")?;
/// assert_eq!(volume.degree(), 2);
/// assert_eq!(volume.eval(&[Int::from(4), Int::from(3)]), Value::from(19));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a new value is returned, operands do not change"]
pub struct QPolynomial {
    pub(crate) space: Space,
    pub(crate) locals: Vec<Local>,
    pub(crate) polynomial: Polynomial,
    /// What it is instead of a polynomial (which is zero then).
    pub(crate) special: Option<Value>,
}

impl QPolynomial {
    /// Zero on a set or parameter space.
    ///
    /// ```
    /// # use loopwright_presburger::{QPolynomial, Space, Tuple};
    /// let space = Space::set(&[], Tuple::named("S", 1));
    /// assert!(QPolynomial::zero(&space).plain_is_zero());
    /// ```
    pub fn zero(domain: &Space) -> Self {
        let polynomial = Polynomial::zero();
        QPolynomial { space: domain.clone(), locals: Vec::new(), polynomial, special: None }
    }

    /// A constant on a set or parameter space.
    ///
    /// ```
    /// # use loopwright_presburger::{QPolynomial, Space, Tuple, Value};
    /// let space = Space::set(&[], Tuple::named("S", 1));
    /// let half: Value = "1/2".parse().unwrap();
    /// assert_eq!(QPolynomial::constant(&space, &half).to_string(), "{ S[i0] -> (1/2) }");
    /// ```
    pub fn constant(domain: &Space, value: &Value) -> Self {
        let zero = QPolynomial::zero(domain);
        match value {
            Value::Finite(value) => {
                QPolynomial { polynomial: Polynomial::constant(value.clone()), ..zero }
            }
            special => QPolynomial { special: Some(special.clone()), ..zero },
        }
    }

    /// The value of a parameter or of a set dimension (`DimKind::Out`).
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, QPolynomial, Set};
    /// let space = Set::parse("[n] -> { S[i] }")?.space().clone();
    /// let n = QPolynomial::variable(&space, DimKind::Param, 0);
    /// let i = QPolynomial::variable(&space, DimKind::Out, 0);
    /// assert_eq!(n.mul(&i)?.to_string(), "[n] -> { S[i] -> (n*i) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn variable(domain: &Space, kind: DimKind, position: usize) -> Self {
        QPolynomial::from_aff(&Aff::variable(domain, kind, position))
    }

    /// A quasi-affine expression as a polynomial.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Budget, QPolynomial};
    /// let aff = Aff::parse("{ [i] -> [(i + 3)/2] }")?;
    /// let square = QPolynomial::from_aff(&aff).pow(2, &Budget::unlimited())?;
    /// assert_eq!(square.to_string(), "{ [i] -> (1/4*i^2 + 3/2*i + 9/4) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_aff(aff: &Aff) -> Self {
        if aff.nan {
            return QPolynomial::constant(&aff.space, &Value::NotANumber);
        }
        let polynomial = Polynomial::from_row(&aff.row, &aff.denominator);
        let (space, locals) = (aff.space.clone(), aff.locals.clone());
        QPolynomial { space, locals, polynomial, special: None }
    }

    /// The quasi-affine expression, if there are no products.
    ///
    /// ```
    /// # use loopwright_presburger::QPolynomial;
    /// let linear = QPolynomial::parse("{ [i] -> (1/2*i + 3) }")?;
    /// assert_eq!(linear.to_aff().unwrap().to_string(), "{ [i] -> [(6 + i)/2] }");
    /// assert!(linear.mul(&linear)?.to_aff().is_none());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn to_aff(&self) -> Option<Aff> {
        if self.special.is_some() {
            return self.special.as_ref().is_some_and(Value::is_nan).then(|| Aff::nan(&self.space));
        }
        let width = 1 + self.space.n_all() + self.locals.len();
        let row = self.polynomial.to_row(width)?;
        let denominator = self.polynomial.common_denominator();
        Some(Aff { row, denominator, ..self.carrier() })
    }

    /// The space of the domain.
    ///
    /// ```
    /// # use loopwright_presburger::QPolynomial;
    /// let square = QPolynomial::parse("[n] -> { S[i] -> n*i }")?;
    /// assert_eq!(square.domain_space().to_string(), "[n] -> { S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain_space(&self) -> &Space {
        &self.space
    }

    /// Whether it is zero in this form.
    ///
    /// ```
    /// # use loopwright_presburger::QPolynomial;
    /// let i = QPolynomial::parse("{ [i] -> i }")?;
    /// assert!(i.sub(&i)?.plain_is_zero() && !i.plain_is_zero());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_zero(&self) -> bool {
        self.special.is_none() && self.polynomial.is_zero()
    }

    /// The constant, if it is one in this form.
    ///
    /// ```
    /// # use loopwright_presburger::{QPolynomial, Value};
    /// assert_eq!(QPolynomial::parse("{ [i] -> 7 }")?.as_constant(), Some(Value::from(7)));
    /// assert_eq!(QPolynomial::parse("{ [i] -> i }")?.as_constant(), None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn as_constant(&self) -> Option<Value> {
        match &self.special {
            Some(special) => Some(special.clone()),
            None => self.polynomial.as_constant().map(Value::from),
        }
    }

    /// The highest total degree in dimensions and floors.
    ///
    /// ```
    /// # use loopwright_presburger::QPolynomial;
    /// assert_eq!(QPolynomial::parse("{ [i, j] -> i^2*j + i }")?.degree(), 3);
    /// // Parameters do not count.
    /// assert_eq!(QPolynomial::parse("[n] -> { [i] -> n^4*i }")?.degree(), 1);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn degree(&self) -> u32 {
        let n_params = self.space.n(DimKind::Param);
        self.polynomial.degree(|column| column > n_params)
    }

    /// The number of terms.
    pub(crate) fn n_terms(&self) -> u64 {
        self.polynomial.n_terms() as u64
    }

    /// Zero over the same floors, as a quasi-affine expression.
    fn carrier(&self) -> Aff {
        Aff {
            space: self.space.clone(),
            locals: self.locals.clone(),
            row: Row::zeros(1 + self.space.n_all() + self.locals.len()),
            denominator: Int::ONE,
            nan: false,
        }
    }

    /// The value of one column.
    fn column(&self, column: usize) -> Aff {
        let mut aff = self.carrier();
        aff.row.set(column, Int::ONE);
        aff.normalized()
    }

    /// Both over common columns, and what `special` makes of values that are no polynomials.
    fn joined(
        &self,
        other: &Self,
        special: impl Fn(&Value, &Value) -> Value,
        polynomial: impl Fn(&Polynomial, &Polynomial) -> Polynomial,
    ) -> Self {
        if self.special.is_some() || other.special.is_some() {
            let value = special(&self.extended(), &other.extended());
            return QPolynomial::constant(&self.space, &value);
        }
        if other.locals == self.locals {
            let polynomial = polynomial(&self.polynomial, &other.polynomial);
            return QPolynomial { polynomial, ..self.clone() }.normalized();
        }
        let mut carrier = self.carrier();
        let place = carrier.adopt_locals(&other.carrier());
        let renamed = other.polynomial.renamed(|column| place[column]);
        let polynomial = polynomial(&self.polynomial, &renamed);
        QPolynomial { locals: carrier.locals, polynomial, ..self.clone() }.normalized()
    }

    /// The constant; not a number for a polynomial that is none.
    fn extended(&self) -> Value {
        self.as_constant().unwrap_or(Value::NotANumber)
    }

    /// The sum over the same space and parameters.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let infinite = |q: &Self| q.special.as_ref().is_some_and(Value::is_infinite);
        match (infinite(self), infinite(other)) {
            (true, false) if other.special.is_none() => self.clone(),
            (false, true) if self.special.is_none() => other.clone(),
            _ => self.joined(other, |a, b| a + b, Polynomial::plus),
        }
    }

    /// The product over the same space and parameters.
    pub(crate) fn times(&self, other: &Self) -> Self {
        self.joined(other, |a, b| a * b, Polynomial::times)
    }

    /// The sum. An infinity absorbs every polynomial.
    ///
    /// ```
    /// # use loopwright_presburger::QPolynomial;
    /// let a = QPolynomial::parse("{ [i] -> i^2 + i }")?;
    /// let b = QPolynomial::parse("[n] -> { [i] -> n - i }")?;
    /// assert_eq!(a.add(&b)?.to_string(), "[n] -> { [i] -> (i^2 + n) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let (a, b) = aligned(self, other, "the sum of polynomials")?;
        Ok(a.plus(&b))
    }

    /// The difference.
    ///
    /// ```
    /// # use loopwright_presburger::QPolynomial;
    /// let a = QPolynomial::parse("{ [i] -> i^2 + i }")?;
    /// let b = QPolynomial::parse("{ [i] -> i - 1/2 }")?;
    /// assert_eq!(a.sub(&b)?.to_string(), "{ [i] -> (i^2 + 1/2) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.add(&other.neg())
    }

    /// The product. That of an infinity and a polynomial that is not constant is not a number.
    ///
    /// ```
    /// use loopwright_presburger::QPolynomial;
    /// let half = QPolynomial::parse("{ [i] -> (1/2*i + floor(i/2)) }")?;
    /// let text = "{ [i] -> (i*floor((i)/2) + 1/4*i^2 + floor((i)/2)^2) }";
    /// assert_eq!(half.mul(&half)?.to_string(), text);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains differ.
    pub fn mul(&self, other: &Self) -> Result<Self> {
        let (a, b) = aligned(self, other, "the product of polynomials")?;
        Ok(a.times(&b))
    }

    /// The negative.
    ///
    /// ```
    /// # use loopwright_presburger::QPolynomial;
    /// let a = QPolynomial::parse("{ [i] -> i^2 - 3 }")?;
    /// assert_eq!(a.neg().to_string(), "{ [i] -> (-i^2 + 3) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn neg(&self) -> Self {
        self.scale(&Rational::from(-1))
    }

    /// The product with a number.
    ///
    /// ```
    /// # use loopwright_presburger::{Int, QPolynomial, Rational};
    /// let a = QPolynomial::parse("{ [i] -> i^2 + 4 }")?;
    /// assert_eq!(
    ///     a.scale(&Rational::new(Int::from(1), Int::from(4))).to_string(),
    ///     "{ [i] -> (1/4*i^2 + 1) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn scale(&self, factor: &Rational) -> Self {
        match &self.special {
            Some(special) => {
                QPolynomial::constant(&self.space, &(special * &Value::from(factor.clone())))
            }
            None => {
                let polynomial = self.polynomial.scaled(factor);
                QPolynomial { polynomial, ..self.clone() }.normalized()
            }
        }
    }

    /// A power.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, QPolynomial};
    /// let a = QPolynomial::parse("{ [i] -> i + 1 }")?;
    /// assert_eq!(
    ///     a.pow(3, &Budget::unlimited())?.to_string(),
    ///     "{ [i] -> (i^3 + 3*i^2 + 3*i + 1) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded): the number of terms grows with the exponent.
    pub fn pow(&self, exponent: u32, budget: &Budget) -> Result<Self> {
        let mut power = QPolynomial::constant(&self.space, &Value::from(1));
        for _ in 0..exponent {
            let n_products = self.n_terms().saturating_mul(power.n_terms());
            budget.spend(1 + n_products, "the power of a polynomial")?;
            power = power.times(self);
        }
        Ok(power)
    }

    /// A polynomial in the columns of a space and floors, which need not be in normal form.
    pub(crate) fn from_columns(space: &Space, locals: Vec<Local>, polynomial: Polynomial) -> Self {
        QPolynomial { space: space.clone(), locals, polynomial, special: None }.normalized()
    }

    /// Restores the normal form: every floor is used.
    fn normalized(mut self) -> Self {
        let first = 1 + self.space.n_all();
        let mut used: Vec<bool> =
            (0..self.locals.len()).map(|i| self.polynomial.involves(first + i)).collect();
        for index in (0..used.len()).rev() {
            if let (true, Some(row)) = (used[index], self.locals[index].numerator()) {
                (0..index).for_each(|i| used[i] |= !row.is_zero_at(first + i));
            }
        }
        if used.iter().all(|used| *used) {
            return self;
        }
        let mut place: Vec<usize> = (0..first).collect();
        let mut next = first;
        for used in &used {
            place.push(if *used { next } else { 0 });
            next += usize::from(*used);
        }
        let kept = self.locals.iter().zip(&used).filter(|(_, used)| **used);
        let replaced = kept.map(|(local, _)| match local {
            Local::Floor { numerator, denominator } => Local::Floor {
                numerator: numerator.placed(&place, next),
                denominator: denominator.clone(),
            },
            Local::Unknown => Local::Unknown,
        });
        self.locals = replaced.collect();
        self.polynomial = self.polynomial.renamed(|column| place[column]);
        self
    }

    /// The terms of the sum: coefficients and powers of parameters, dimensions and floors; none for
    /// infinities and what is not a number.
    ///
    /// ```
    /// # use loopwright_presburger::QPolynomial;
    /// let volume = QPolynomial::parse("[n] -> { [i] -> (1/2*n*i^2 + 3) }")?;
    /// let terms = volume.terms();
    /// let texts: Vec<String> = terms.iter().map(|(coefficient, _)| coefficient.to_string()).collect();
    /// assert_eq!(texts, ["3", "1/2"]);
    /// let (variable, exponent) = &terms[1].1[1];
    /// assert_eq!((variable.to_string().as_str(), *exponent), ("[n] -> { [i] -> [(i)] }", 2));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn terms(&self) -> Vec<(Rational, Vec<(Aff, u32)>)> {
        let term = |(monomial, coefficient): (&Vec<(usize, u32)>, &Rational)| {
            let power = |(column, exponent): &(usize, u32)| (self.column(*column), *exponent);
            (coefficient.clone(), monomial.iter().map(power).collect())
        };
        self.polynomial.terms().map(term).collect()
    }

    /// The polynomial over `domain` in which the expression of every column is changed.
    fn rebuilt(&self, domain: &Space, change: impl Fn(&Aff) -> Result<Aff>) -> Result<Self> {
        if let Some(special) = &self.special {
            return Ok(QPolynomial::constant(domain, special));
        }
        let n_columns = 1 + self.space.n_all() + self.locals.len();
        let mut values: Vec<Option<QPolynomial>> = vec![None; n_columns];
        let mut sum = QPolynomial::zero(domain);
        for (monomial, coefficient) in self.polynomial.terms() {
            let mut product = QPolynomial::constant(domain, &Value::from(coefficient.clone()));
            for &(column, exponent) in monomial {
                let value = match values[column].take() {
                    Some(value) => value,
                    None => QPolynomial::from_aff(&change(&self.column(column))?),
                };
                product = (0..exponent).fold(product, |product, _| product.times(&value));
                values[column] = Some(value);
            }
            sum = sum.plus(&product);
        }
        Ok(sum)
    }

    /// The value at a point (parameters then dimensions).
    ///
    /// ```
    /// # use loopwright_presburger::{Int, QPolynomial};
    /// let a = QPolynomial::parse("[n] -> { [i] -> (n*i + 1/2) }")?;
    /// assert_eq!(a.eval(&[Int::from(3), Int::from(4)]).to_string(), "25/2");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the point has fewer coordinates than the domain.
    pub fn eval(&self, point: &[Int]) -> Value {
        if let Some(special) = &self.special {
            return special.clone();
        }
        let first = 1 + self.space.n_all();
        let mut columns: Vec<Int> = vec![Int::ONE];
        columns.extend_from_slice(&point[..first - 1]);
        for local in &self.locals {
            if let Local::Floor { numerator, denominator } = local {
                let pairs = numerator.iter().zip(&columns);
                let dividend: Int = pairs.map(|(a, b)| a * b).sum();
                columns.push(dividend.div_floor(denominator));
            }
        }
        self.polynomial.value(|column| Rational::from(columns[column].clone())).into()
    }
}

impl Expression for QPolynomial {
    fn space(&self) -> &Space {
        &self.space
    }

    fn domain_of(space: &Space) -> Space {
        space.clone()
    }

    fn with_domain(_: &Space, domain: &Space) -> Space {
        domain.clone()
    }

    fn place_columns(&self, domain: &Space, place: &[usize]) -> Self {
        let carrier = self.carrier().place_columns(domain, place);
        let (first, target) = (1 + self.space.n_all(), 1 + domain.n_all());
        let number = |column: usize| match place.get(column) {
            Some(&place) => place,
            None => target + column - first,
        };
        QPolynomial {
            space: domain.clone(),
            locals: carrier.locals,
            polynomial: self.polynomial.renamed(number),
            special: self.special.clone(),
        }
    }

    fn plain_is_equal(&self, other: &Self) -> bool {
        match (&self.special, &other.special) {
            (None, None) => self.sub(other).is_ok_and(|difference| difference.plain_is_zero()),
            (a, b) => a == b,
        }
    }

    fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        let space = self.space.merge_params(context.space());
        self.aligned_to(&space).rebuilt(&space, |aff| aff.gist(context, budget))
    }

    fn pullback(&self, inner: &MultiAff) -> Result<Self> {
        if inner.space().output() != self.space.output() {
            return Err(mismatch("the composition of functions", &self.space, inner.space()));
        }
        let domain = inner.space().domain().merge_params(&self.space);
        let inner = inner.align_params(&domain);
        self.aligned_to(&domain).rebuilt(&domain, |aff| aff.pullback(&inner))
    }

    fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        let offset = match kind {
            DimKind::Param => 1,
            _ => 1 + self.space.n(DimKind::Param),
        };
        let columns = offset + first..offset + first + count;
        let in_floor = |local: &Local| {
            local.numerator().is_some_and(|row| row.first_nonzero(columns.clone()).is_some())
        };
        columns.clone().any(|column| self.polynomial.involves(column))
            || self.locals.iter().any(in_floor)
    }
}

/// Both over the same parameters.
fn aligned<'a>(
    a: &'a QPolynomial,
    b: &'a QPolynomial,
    operation: &'static str,
) -> Result<(Cow<'a, QPolynomial>, Cow<'a, QPolynomial>)> {
    if !a.space.has_equal_tuples(&b.space) {
        return Err(mismatch(operation, &a.space, &b.space));
    }
    if a.space.has_equal_params(&b.space) {
        return Ok((Cow::Borrowed(a), Cow::Borrowed(b)));
    }
    let space = a.space.merge_params(&b.space);
    Ok((Cow::Owned(a.aligned_to(&space)), Cow::Owned(b.aligned_to(&space))))
}
