//! Quasi-affine expressions: a linear form over dimensions and floors, with a denominator.
//!
//! # Normal form
//! The row and the denominator have no common divisor, every floor is used, no two floors are the
//! same, and each floor is in the normal form of [`super::floor`]. Two expressions that differ
//! only in how they were built therefore mostly have a difference that is the zero row; that is
//! what [`Aff::plain_is_equal`] tests.
use crate::core::basic_map::BasicMap;
use crate::core::constraint::{Constraint, Local};
use crate::core::error::{Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space, mismatch};
use loopwright_exact::{Int, Rational, Row};
use std::borrow::Cow;

/// A quasi-affine expression `row / denominator` over the points of a set space.
///
/// Columns of `row`: `[constant | parameters | dimensions | locals]`; every local is a floor.
///
/// ```
/// # use loopwright_presburger::{Aff, DimKind, Int, Rational};
/// let half = Aff::parse("[n] -> { S[i] -> [(floor((i + n)/2))] }")?;
/// assert_eq!(half.eval(&[Int::from(4), Int::from(3)]), Rational::from(3));
/// let sum = half.add(&Aff::variable(half.domain_space(), DimKind::Param, 0))?;
/// assert_eq!(sum.to_string(), "[n] -> { S[i] -> [(n + floor((n + i)/2))] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a new value is returned, operands do not change"]
pub struct Aff {
    pub(crate) space: Space,
    pub(crate) locals: Vec<Local>,
    pub(crate) row: Row,
    pub(crate) denominator: Int,
    pub(crate) nan: bool,
}

impl Aff {
    /// Zero on a set space.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Space, Tuple};
    /// let space = Space::set(&[], Tuple::named("S", 1));
    /// assert_eq!(Aff::zero(&space).to_string(), "{ S[i0] -> [(0)] }");
    /// ```
    pub fn zero(domain: &Space) -> Self {
        Aff::constant(domain, &Int::ZERO)
    }

    /// A constant on a set space.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int, Space, Tuple};
    /// let space = Space::set(&[], Tuple::named("S", 1));
    /// assert_eq!(Aff::constant(&space, &Int::from(-3)).to_string(), "{ S[i0] -> [(-3)] }");
    /// ```
    pub fn constant(domain: &Space, value: &Int) -> Self {
        let mut row = Row::zeros(1 + domain.n_all());
        row.set(0, value.clone());
        Aff { space: domain.clone(), locals: Vec::new(), row, denominator: Int::ONE, nan: false }
    }

    /// Not a number: what stands for an undefined value.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let aff = Aff::parse("{ [i] -> [(i)] }")?;
    /// let undefined = Aff::nan(aff.domain_space());
    /// assert_eq!(undefined.to_string(), "{ [i] -> [NaN] }");
    /// assert!(aff.add(&undefined)?.is_nan());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn nan(domain: &Space) -> Self {
        Aff { nan: true, ..Aff::zero(domain) }
    }

    /// The value of a parameter or of a set dimension (`DimKind::Out`, in isl: `isl_dim_in`).
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, DimKind, Set};
    /// let space = Set::parse("[n] -> { S[i, j] }")?.space().clone();
    /// let j = Aff::variable(&space, DimKind::Out, 1);
    /// assert_eq!(j.to_string(), "[n] -> { S[i, j] -> [(j)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn variable(domain: &Space, kind: DimKind, position: usize) -> Self {
        assert!(position < domain.n(kind), "no dimension {position} of {kind:?} in {domain}");
        let mut aff = Aff::zero(domain);
        aff.row.set(aff.column(kind, position), Int::ONE);
        aff
    }

    /// An expression from its parts; the row has the columns of the domain space followed by the
    /// locals, which must all be floors.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int, Row, Set};
    /// // (3 + n - 2i) / 4, over [constant | n | i].
    /// let space = Set::parse("[n] -> { [i] }")?.space().clone();
    /// let aff = Aff::from_row(&space, vec![], Row::from_i64s(&[3, 1, -2]), Int::from(4));
    /// assert_eq!(aff.to_string(), "[n] -> { [i] -> [(3 + n - 2i)/4] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the row has another length, the denominator is not positive, or a local is not a floor.
    pub fn from_row(domain: &Space, locals: Vec<Local>, row: Row, denominator: Int) -> Self {
        let width = 1 + domain.n_all() + locals.len();
        assert_eq!(row.len(), width, "the columns of an expression over {domain}");
        assert!(denominator.is_positive(), "the denominator of an expression is positive");
        let raw = Aff { space: domain.clone(), locals, row, denominator, nan: false };
        if raw.locals.is_empty() {
            return raw.normalized();
        }
        raw.rebuilt(&|prefix| Ok(raw.linear(prefix)), &|quotient| Ok(quotient.floor()))
            .expect("neither of the two functions fails")
    }

    /// The expression of a row without floors over this domain.
    pub(super) fn linear(&self, row: Row) -> Aff {
        Aff {
            space: self.space.clone(),
            locals: Vec::new(),
            row,
            denominator: Int::ONE,
            nan: false,
        }
    }

    /// The space of the domain (a set space or parameter space).
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let aff = Aff::parse("[n] -> { S[i] -> [(i + n)] }")?;
    /// assert_eq!(aff.domain_space().to_string(), "[n] -> { S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain_space(&self) -> &Space {
        &self.space
    }

    /// The numerator row over `[constant | parameters | dimensions | locals]`.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Row};
    /// let aff = Aff::parse("[n] -> { S[i] -> [(2i - n + 5)] }")?;
    /// assert_eq!(aff.row(), &Row::from_i64s(&[5, -1, 2]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// The common denominator, positive.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int, Row};
    /// let aff = Aff::parse("{ [i] -> [(i/2 + 1/3)] }")?;
    /// assert_eq!(aff.denominator(), &Int::from(6));
    /// assert_eq!(aff.row(), &Row::from_i64s(&[2, 3]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn denominator(&self) -> &Int {
        &self.denominator
    }

    /// The floors used.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, DimKind, Rational};
    /// let aff = Aff::parse("{ [i] -> [(i - 4*floor(i/4))] }")?;
    /// assert_eq!(aff.locals().len(), 1);
    /// assert_eq!(aff.coefficient(DimKind::Local, 0), Rational::from(-4));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn locals(&self) -> &[Local] {
        &self.locals
    }

    /// Whether it is not a number.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int};
    /// let aff = Aff::parse("{ [i] -> [(i)] }")?;
    /// assert!(aff.scale_down(&Int::ZERO).is_nan() && !aff.is_nan());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_nan(&self) -> bool {
        self.nan
    }

    /// The first column of the locals.
    pub(super) fn first_local(&self) -> usize {
        1 + self.space.n_all()
    }

    fn column(&self, kind: DimKind, position: usize) -> usize {
        position
            + match kind {
                DimKind::Param => 1,
                DimKind::In | DimKind::Out => 1 + self.space.n(DimKind::Param),
                DimKind::Local => self.first_local(),
            }
    }

    /// The coefficient of a parameter, dimension or local.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, DimKind};
    /// let aff = Aff::parse("[n] -> { [i] -> [(i/2 - 3n)] }")?;
    /// assert_eq!(aff.coefficient(DimKind::Param, 0).to_string(), "-3");
    /// assert_eq!(aff.coefficient(DimKind::Out, 0).to_string(), "1/2");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn coefficient(&self, kind: DimKind, position: usize) -> Rational {
        Rational::new(self.row.get(self.column(kind, position)), self.denominator.clone())
    }

    /// The constant term.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let aff = Aff::parse("{ [i] -> [(i + 7/2)] }")?;
    /// assert_eq!(aff.constant_term().to_string(), "7/2");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn constant_term(&self) -> Rational {
        Rational::new(self.row.get(0), self.denominator.clone())
    }

    /// Whether it is a constant.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// assert!(Aff::parse("{ [i] -> [(7)] }")?.is_constant());
    /// assert!(!Aff::parse("[n] -> { [i] -> [(n)] }")?.is_constant());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_constant(&self) -> bool {
        !self.nan && self.row.first_nonzero(1..self.row.len()).is_none()
    }

    /// The constant value.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Rational};
    /// assert_eq!(Aff::parse("{ [i] -> [(7)] }")?.constant_value(), Some(Rational::from(7)));
    /// assert_eq!(Aff::parse("{ [i] -> [(i)] }")?.constant_value(), None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn constant_value(&self) -> Option<Rational> {
        self.is_constant().then(|| self.constant_term())
    }

    /// The sum.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let a = Aff::parse("{ [i] -> [(i + 1)] }")?;
    /// let b = Aff::parse("[n] -> { [i] -> [(n - 2i)] }")?;
    /// assert_eq!(a.add(&b)?.to_string(), "[n] -> { [i] -> [(1 + n - i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let (a, b) = aligned(self, other, "the sum of expressions")?;
        Ok(a.plus(&Int::ONE, &b))
    }

    /// The difference.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let a = Aff::parse("{ [i] -> [(floor(i/2))] }")?;
    /// let b = Aff::parse("{ [i] -> [(i)] }")?;
    /// assert_eq!(a.sub(&b)?.to_string(), "{ [i] -> [(-i + floor((i)/2))] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        let (a, b) = aligned(self, other, "the difference of expressions")?;
        Ok(a.plus(&Int::MINUS_ONE, &b))
    }

    /// `self + factor * other` over the same space and parameters.
    pub(super) fn plus(&self, factor: &Int, other: &Self) -> Self {
        if self.nan || other.nan {
            return Aff::nan(&self.space);
        }
        let denominator = self.denominator.lcm(&other.denominator);
        let a = denominator.div_exact(&self.denominator);
        let b = denominator.div_exact(&other.denominator) * factor;
        let mut sum = self.clone();
        sum.denominator = denominator;
        if other.locals.is_empty() || other.locals == self.locals {
            let mut row = other.row.clone();
            row.insert_zeros(row.len(), self.row.len() - row.len());
            sum.row.combine(&a, &b, &row);
        } else {
            let place = sum.adopt_locals(other);
            let row = other.row.placed(&place, sum.row.len());
            sum.row.combine(&a, &b, &row);
        }
        sum.normalized()
    }

    /// Appends the locals of `other` that are missing here; returns the places of its columns.
    pub(crate) fn adopt_locals(&mut self, other: &Self) -> Vec<usize> {
        let first = self.first_local();
        let own = self.locals.len();
        let widened = first + own + other.locals.len();
        let widen = |row: &mut Row| row.insert_zeros(row.len(), widened - row.len());
        self.locals.iter_mut().for_each(|local| widen(numerator_mut(local)));
        let mut place: Vec<usize> = (0..first).collect();
        for local in &other.locals {
            let Local::Floor { numerator, denominator } = local else { unreachable_unknown() };
            let used = numerator.slice(0..place.len());
            let numerator = used.placed(&place, widened);
            let local = Local::Floor { numerator, denominator: denominator.clone() };
            let known = self.locals.iter().position(|l| *l == local);
            place.push(first + known.unwrap_or(self.locals.len()));
            if known.is_none() {
                self.locals.push(local);
            }
        }
        let width = first + self.locals.len();
        self.locals.iter_mut().for_each(|local| numerator_mut(local).remove(width..widened));
        self.row.insert_zeros(first + own, width - first - own);
        place
    }

    /// Restores the normal form, given that the floors themselves are in theirs.
    pub(crate) fn normalized(mut self) -> Self {
        if !self.denominator.is_one() {
            let common = self.row.gcd(0..self.row.len()).gcd(&self.denominator);
            self.row.div_exact(&common);
            self.denominator = self.denominator.div_exact(&common);
        }
        let first = self.first_local();
        for local in (0..self.locals.len()).rev() {
            let column = first + local;
            let is_used = |l: &Local| !numerator_of(l).is_zero_at(column);
            if self.row.is_zero_at(column) && !self.locals[local + 1..].iter().any(is_used) {
                self.locals.remove(local);
                self.locals.iter_mut().for_each(|l| numerator_mut(l).remove(column..column + 1));
                self.row.remove(column..column + 1);
            }
        }
        self
    }

    /// The negative.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// assert_eq!(Aff::parse("{ [i] -> [(i - 3)] }")?.neg().to_string(), "{ [i] -> [(3 - i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn neg(&self) -> Self {
        let mut negative = self.clone();
        negative.row.negate();
        negative
    }

    /// The product with an integer.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int};
    /// let aff = Aff::parse("{ [i] -> [(i/2 + 1)] }")?;
    /// assert_eq!(aff.scale(&Int::from(4)).to_string(), "{ [i] -> [(4 + 2i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn scale(&self, factor: &Int) -> Self {
        let mut product = self.clone();
        product.row.scale(factor);
        product.normalized()
    }

    /// The quotient by an integer (a fraction, not rounded); not a number for the divisor 0.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int};
    /// let aff = Aff::parse("{ [i] -> [(2i + 6)] }")?;
    /// assert_eq!(aff.scale_down(&Int::from(4)).to_string(), "{ [i] -> [(3 + i)/2] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn scale_down(&self, divisor: &Int) -> Self {
        if divisor.is_zero() {
            return Aff::nan(&self.space);
        }
        let mut quotient = self.clone();
        if divisor.is_negative() {
            quotient.row.negate();
        }
        quotient.denominator *= divisor.abs();
        quotient.normalized()
    }

    /// Rounded up.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int, Rational};
    /// let aff = Aff::parse("{ [i] -> [(i/2)] }")?;
    /// assert_eq!(aff.ceil().to_string(), "{ [i] -> [(i - floor((i)/2))] }");
    /// assert_eq!(aff.ceil().eval(&[Int::from(5)]), Rational::from(3));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn ceil(&self) -> Self {
        self.neg().floor().neg()
    }

    /// The remainder `self - divisor * floor(self / divisor)`, in `0..divisor` for a positive
    /// divisor; not a number for the divisor 0.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int, Rational};
    /// let aff = Aff::parse("{ [i] -> [(i + 1)] }")?;
    /// assert_eq!(
    ///     aff.modulo(&Int::from(4)).to_string(),
    ///     "{ [i] -> [(1 + i - 4*floor((1 + i)/4))] }"
    /// );
    /// assert_eq!(aff.modulo(&Int::from(4)).eval(&[Int::from(-2)]), Rational::from(3));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn modulo(&self, divisor: &Int) -> Self {
        self.plus(&-divisor, &self.scale_down(divisor).floor())
    }

    /// The product if one factor is constant.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let aff = Aff::parse("{ [i] -> [(i + 1)] }")?;
    /// let three = Aff::parse("{ [i] -> [(3)] }")?;
    /// assert_eq!(aff.mul(&three)?.to_string(), "{ [i] -> [(3 + 3i)] }");
    /// assert!(aff.mul(&aff).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if neither factor is constant, [`Error::SpaceMismatch`] if the domains
    /// differ.
    pub fn mul(&self, other: &Self) -> Result<Self> {
        let (a, b) = aligned(self, other, "the product of expressions")?;
        let (factor, form) = if b.is_constant() { (b, a) } else { (a, b) };
        match factor.constant_value() {
            Some(factor) => Ok(form.scale(&factor.numerator).scale_down(&factor.denominator)),
            None => Err(Error::Invalid {
                operation: "the product of expressions",
                reason: "neither factor is constant".to_owned(),
            }),
        }
    }

    /// Adds a constant.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int};
    /// let aff = Aff::parse("{ [i] -> [(2i)] }")?;
    /// assert_eq!(aff.add_constant(&Int::from(-1)).to_string(), "{ [i] -> [(-1 + 2i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn add_constant(&self, value: &Int) -> Self {
        let mut sum = self.clone();
        sum.row.add_at(0, &(value * &self.denominator));
        sum
    }

    /// Where `self >= 0`.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let aff = Aff::parse("{ [i] -> [(7 - 2i)] }")?;
    /// assert_eq!(aff.nonneg_set().to_string(), "{ [i] : i <= 3 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn nonneg_set(&self) -> Set {
        Set(Map::from_basic_map(self.nonneg()))
    }

    /// Where `self = 0`.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let aff = Aff::parse("{ [i, j] -> [(i - 2j)] }")?;
    /// assert_eq!(aff.zero_set().to_string(), "{ [i, j] : 2j = i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn zero_set(&self) -> Set {
        Set(Map::from_basic_map(self.vanishes()))
    }

    /// Where `self > 0`.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let aff = Aff::parse("{ [i] -> [(8 - 2i)] }")?;
    /// assert_eq!(aff.positive_set().to_string(), "{ [i] : i <= 3 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn positive_set(&self) -> Set {
        Set(Map::from_basic_map(self.positive()))
    }

    /// Where `self >= 0`, as a basic set.
    pub(super) fn nonneg(&self) -> BasicMap {
        self.constrained(Constraint { is_equality: false, row: self.row.clone() })
    }

    /// Where `self = 0`, as a basic set.
    pub(super) fn vanishes(&self) -> BasicMap {
        self.constrained(Constraint { is_equality: true, row: self.row.clone() })
    }

    /// Where `self > 0`, as a basic set.
    pub(super) fn positive(&self) -> BasicMap {
        let mut row = self.row.clone();
        row.add_at(0, &Int::MINUS_ONE);
        self.constrained(Constraint { is_equality: false, row })
    }

    fn constrained(&self, constraint: Constraint) -> BasicMap {
        if self.nan {
            return BasicMap::empty(self.space.clone());
        }
        BasicMap::from_constraints(self.space.clone(), self.locals.clone(), vec![constraint])
    }

    /// Where `self >= other`.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let half = Aff::parse("{ [i] -> [(i/2)] }")?;
    /// let five = Aff::parse("{ [i] -> [(5)] }")?;
    /// assert_eq!(half.ge_set(&five)?.to_string(), "{ [i] : i >= 10 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ.
    pub fn ge_set(&self, other: &Self) -> Result<Set> {
        Ok(self.sub(other)?.nonneg_set())
    }

    /// Where `self > other`.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let half = Aff::parse("{ [i] -> [(i/2)] }")?;
    /// let five = Aff::parse("{ [i] -> [(5)] }")?;
    /// assert_eq!(half.gt_set(&five)?.to_string(), "{ [i] : i >= 11 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ.
    pub fn gt_set(&self, other: &Self) -> Result<Set> {
        Ok(self.sub(other)?.positive_set())
    }

    /// Where `self = other`.
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let quarter = Aff::parse("{ [i] -> [(floor(i/4))] }")?;
    /// let two = Aff::parse("{ [i] -> [(2)] }")?;
    /// assert_eq!(quarter.eq_set(&two)?.to_string(), "{ [i] : 8 <= i <= 11 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ.
    pub fn eq_set(&self, other: &Self) -> Result<Set> {
        Ok(self.sub(other)?.zero_set())
    }

    /// The value built anew from its parts: `prefix` gives the value of a row over
    /// `[constant | parameters | dimensions]`, `floor` rounds an expression down.
    pub(super) fn rebuilt(
        &self,
        prefix: &dyn Fn(Row) -> Result<Aff>,
        floor: &dyn Fn(Aff) -> Result<Aff>,
    ) -> Result<Aff> {
        let first = self.first_local();
        let mut values: Vec<Aff> = Vec::with_capacity(self.locals.len());
        let value = |row: &Row, values: &[Aff]| -> Result<Aff> {
            let mut sum = prefix(row.slice(0..first))?;
            for (value, column) in values.iter().zip(first..) {
                if !row.is_zero_at(column) {
                    sum = sum.plus(&row.get(column), value);
                }
            }
            Ok(sum)
        };
        for local in &self.locals {
            let Local::Floor { numerator, denominator } = local else { unreachable_unknown() };
            values.push(floor(value(numerator, &values)?.scale_down(denominator))?);
        }
        let mut result = value(&self.row, &values)?.scale_down(&self.denominator);
        result.nan |= self.nan;
        Ok(result)
    }

    /// Over exactly the parameters of `space`, which has all of them.
    pub(super) fn with_params_of(&self, space: &Space) -> Cow<'_, Self> {
        if self.space.param_names() == space.param_names() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(self.align_params(space))
    }

    /// Whether both are the same expression (syntactically, after normalization).
    ///
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let a = Aff::parse("{ [i] -> [(i + 1)] }")?;
    /// let b = Aff::parse("{ [i] -> [((2i + 2)/2)] }")?;
    /// assert!(a.plain_is_equal(&b));
    /// // Equal as functions, not as expressions.
    /// let c = Aff::parse("{ [i] -> [(i)] }")?;
    /// let d = Aff::parse("{ [i] -> [(floor(i/2) + floor((i + 1)/2))] }")?;
    /// assert!(!c.plain_is_equal(&d));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_equal(&self, other: &Self) -> bool {
        if self.nan || other.nan {
            return self.nan == other.nan;
        }
        if self.space == other.space && self.locals == other.locals {
            return self.row == other.row && self.denominator == other.denominator;
        }
        self.sub(other).is_ok_and(|difference| difference.row.is_zero())
    }

    /// The value at a point (parameters then dimensions); 0 where it is not a number.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int};
    /// let aff = Aff::parse("[n] -> { [i] -> [(i/2 + n)] }")?;
    /// let point = [Int::from(10), Int::from(3)];
    /// assert_eq!(aff.eval(&point).to_string(), "23/2");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the point has fewer coordinates than the domain.
    pub fn eval(&self, point: &[Int]) -> Rational {
        let mut columns = vec![Int::ONE];
        columns.extend_from_slice(&point[..self.space.n_all()]);
        let dot = |row: &Row, columns: &[Int]| -> Int {
            row.iter().zip(columns).filter(|(c, _)| !c.is_zero()).map(|(c, x)| c * x).sum()
        };
        for local in &self.locals {
            let Local::Floor { numerator, denominator } = local else { unreachable_unknown() };
            columns.push(dot(numerator, &columns).div_floor(denominator));
        }
        Rational::new(dot(&self.row, &columns), self.denominator.clone())
    }

    /// Whether the dimensions appear, directly or inside a floor.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, DimKind};
    /// let aff = Aff::parse("{ [i, j] -> [(floor(i/2))] }")?;
    /// assert!(aff.involves_dims(DimKind::Out, 0, 1));
    /// assert!(!aff.involves_dims(DimKind::Out, 1, 1));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        let columns = self.column(kind, first)..self.column(kind, first) + count;
        let rows = self.locals.iter().map(numerator_of).chain(std::iter::once(&self.row));
        rows.into_iter().any(|row| row.first_nonzero(columns.clone()).is_some())
    }
}

/// Both over the same parameters.
pub(super) fn aligned<'a>(
    a: &'a Aff,
    b: &'a Aff,
    operation: &'static str,
) -> Result<(Cow<'a, Aff>, Cow<'a, Aff>)> {
    if !a.space.has_equal_tuples(&b.space) {
        return Err(mismatch(operation, &a.space, &b.space));
    }
    let space = a.space.merge_params(&b.space);
    Ok((a.with_params_of(&space), b.with_params_of(&space)))
}

/// The dividend of a floor.
pub(super) fn numerator_of(local: &Local) -> &Row {
    match local {
        Local::Floor { numerator, .. } => numerator,
        Local::Unknown => unreachable_unknown(),
    }
}

pub(super) fn numerator_mut(local: &mut Local) -> &mut Row {
    match local {
        Local::Floor { numerator, .. } => numerator,
        Local::Unknown => unreachable_unknown(),
    }
}

pub(super) fn unreachable_unknown() -> ! {
    unreachable!("the locals of an expression are floors")
}
