//! Minima and maxima of quasi-polynomials.
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::set::Set;
use crate::core::space::{DimKind, Space, mismatch};
use crate::functions::expression::Expression;
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::Piecewise;
use crate::functions::union_piecewise::UnionPiecewise;
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
use crate::polynomials::qpolynomial::QPolynomial;
use loopwright_exact::{Int, Rational, Value};

/// Whether a fold is a minimum or a maximum.
///
/// ```
/// # use loopwright_presburger::{FoldKind, PwQPolynomial, PwQPolynomialFold};
/// let square = PwQPolynomial::parse("{ [i] -> i^2 }")?;
/// let fold = PwQPolynomialFold::from_pw_qpolynomial(FoldKind::Minimum, &square);
/// assert_eq!(fold.to_string(), "{ [i] -> min((i^2)) }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FoldKind {
    /// The smallest.
    Minimum,
    /// The greatest.
    Maximum,
}

impl FoldKind {
    /// The other one.
    ///
    /// ```
    /// # use loopwright_presburger::FoldKind;
    /// assert_eq!(FoldKind::Minimum.opposite(), FoldKind::Maximum);
    /// ```
    pub fn opposite(self) -> Self {
        match self {
            FoldKind::Minimum => FoldKind::Maximum,
            FoldKind::Maximum => FoldKind::Minimum,
        }
    }

    /// Whether a fold with the first polynomial obviously does not need the second one.
    fn obviously_wins(self, a: &QPolynomial, b: &QPolynomial) -> bool {
        let winner = match self {
            FoldKind::Minimum => Value::NegativeInfinity,
            FoldKind::Maximum => Value::Infinity,
        };
        match (&a.special, &b.special) {
            (Some(value), _) | (_, Some(value)) if value.is_nan() => false,
            (Some(value), _) if *value == winner => true,
            (_, Some(value)) if *value == -&winner => true,
            (None, None) => {
                let difference = a.plus(&b.neg()).as_constant();
                difference.is_some_and(|d| self.choose(&d, &Value::from(0)) == d)
            }
            _ => false,
        }
    }

    /// The value that a fold of two values has.
    pub(crate) fn choose(self, a: &Value, b: &Value) -> Value {
        match self {
            FoldKind::Minimum => a.min(b),
            FoldKind::Maximum => a.max(b),
        }
    }
}

/// The minimum or maximum of quasi-polynomials over one domain space.
///
/// ```
/// # use loopwright_presburger::{Int, PwQPolynomialFold, Value};
/// let fold = PwQPolynomialFold::parse("{ [i] -> max(i^2, 4*i) : i > 0 }")?;
/// let (_, greatest) = &fold.pieces()[0];
/// assert_eq!(greatest.eval(&[Int::from(3)]), Value::from(12));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a new value is returned, operands do not change"]
pub struct QPolynomialFold {
    pub(crate) kind: FoldKind,
    pub(crate) space: Space,
    pub(crate) members: Vec<QPolynomial>,
}

/// A minimum or maximum of quasi-polynomials per piece of a domain.
///
/// ```
/// # use loopwright_presburger::{Budget, Int, PwQPolynomialFold, Value};
/// let budget = &Budget::unlimited();
/// let fold = PwQPolynomialFold::parse("{ [i] -> max(i^2, 4*i) : i > 0 }")?;
/// assert_eq!(fold.eval(&[Int::from(5)], budget)?, Some(Value::from(25)));
/// assert_eq!(fold.eval(&[Int::from(-5)], budget)?, None);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub type PwQPolynomialFold = Piecewise<QPolynomialFold>;

/// Minima or maxima of quasi-polynomials over several domain spaces.
///
/// ```
/// # use loopwright_presburger::UnionPwQPolynomialFold;
/// let union = UnionPwQPolynomialFold::parse("{ A[i] -> max(i^2, 4*i) : i > 0; B[] -> max(3) }")?;
/// assert_eq!(union.domain().to_string(), "{ A[i] : i > 0; B[] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub type UnionPwQPolynomialFold = UnionPiecewise<QPolynomialFold>;

impl QPolynomialFold {
    /// The fold of one polynomial.
    ///
    /// ```
    /// # use loopwright_presburger::{FoldKind, QPolynomial, QPolynomialFold};
    /// let square = QPolynomial::parse("{ [i] -> i^2 }")?;
    /// let fold = QPolynomialFold::from_polynomial(FoldKind::Maximum, square);
    /// assert_eq!(fold.members().len(), 1);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_polynomial(kind: FoldKind, polynomial: QPolynomial) -> Self {
        QPolynomialFold { kind, space: polynomial.space.clone(), members: vec![polynomial] }
    }

    /// Minimum or maximum.
    ///
    /// ```
    /// # use loopwright_presburger::{FoldKind, QPolynomial, QPolynomialFold};
    /// let square = QPolynomial::parse("{ [i] -> i^2 }")?;
    /// let fold = QPolynomialFold::from_polynomial(FoldKind::Minimum, square);
    /// assert_eq!(fold.kind(), FoldKind::Minimum);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn kind(&self) -> FoldKind {
        self.kind
    }

    /// The polynomials.
    ///
    /// ```
    /// # use loopwright_presburger::PwQPolynomialFold;
    /// let fold = PwQPolynomialFold::parse("{ [i] -> max(i^2, 4*i) }")?;
    /// assert_eq!(fold.pieces()[0].1.members()[1].to_string(), "{ [i] -> (4*i) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn members(&self) -> &[QPolynomial] {
        &self.members
    }

    /// The fold of the members of both; a member that differs from another by a constant and never
    /// wins is dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{FoldKind, Int, QPolynomial, QPolynomialFold, Value};
    /// let fold = |text: &str| {
    ///     QPolynomial::parse(text).map(|p| QPolynomialFold::from_polynomial(FoldKind::Maximum, p))
    /// };
    /// let both = fold("{ [i] -> i^2 }")?.fold(&fold("{ [i] -> 4*i }")?)?;
    /// assert_eq!(both.eval(&[Int::from(3)]), Value::from(12));
    /// // i^2 - 1 never wins.
    /// assert_eq!(both.fold(&fold("{ [i] -> i^2 - 1 }")?)?.members().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ, [`Error::Invalid`] for a minimum and a
    /// maximum.
    pub fn fold(&self, other: &Self) -> Result<Self> {
        if self.kind != other.kind {
            return Err(Error::Invalid {
                operation: "the fold of polynomials",
                reason: "a minimum and a maximum do not fold".to_owned(),
            });
        }
        if !self.space.has_equal_tuples(&other.space) {
            return Err(mismatch("the fold of polynomials", &self.space, &other.space));
        }
        let space = self.space.merge_params(&other.space);
        let mut fold = self.aligned_to(&space);
        for member in &other.members {
            fold.insert(member.aligned_to(&space));
        }
        Ok(fold)
    }

    /// Adds a member over the same parameters.
    pub(crate) fn insert(&mut self, member: QPolynomial) {
        if self.members.iter().any(|known| self.kind.obviously_wins(known, &member)) {
            return;
        }
        self.members.retain(|known| !self.kind.obviously_wins(&member, known));
        self.members.push(member);
    }

    /// The fold with a polynomial added to every member.
    ///
    /// ```
    /// # use loopwright_presburger::{FoldKind, QPolynomial, QPolynomialFold};
    /// let square = QPolynomial::parse("{ [i] -> i^2 }")?;
    /// let fold = QPolynomialFold::from_polynomial(FoldKind::Maximum, square);
    /// let sum = fold.add(&QPolynomial::parse("{ [i] -> 3*i }")?)?;
    /// assert_eq!(sum.members()[0].to_string(), "{ [i] -> (i^2 + 3*i) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ.
    pub fn add(&self, polynomial: &QPolynomial) -> Result<Self> {
        let members = self.members.iter().map(|m| m.add(polynomial)).collect::<Result<_>>()?;
        Ok(QPolynomialFold {
            kind: self.kind,
            space: self.space.merge_params(&polynomial.space),
            members,
        })
    }

    /// The product with a number; a negative one turns a minimum into a maximum.
    ///
    /// ```
    /// # use loopwright_presburger::{FoldKind, Int, QPolynomial, QPolynomialFold, Rational, Value};
    /// let square = QPolynomial::parse("{ [i] -> i^2 }")?;
    /// let fold = QPolynomialFold::from_polynomial(FoldKind::Maximum, square);
    /// let scaled = fold.scale(&Rational::from(-2));
    /// assert_eq!(
    ///     (scaled.kind(), scaled.eval(&[Int::from(3)])),
    ///     (FoldKind::Minimum, Value::from(-18))
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn scale(&self, factor: &Rational) -> Self {
        let kind = if factor.signum() < 0 { self.kind.opposite() } else { self.kind };
        let members = self.members.iter().map(|member| member.scale(factor)).collect();
        QPolynomialFold { kind, space: self.space.clone(), members }
    }

    /// The value at a point (parameters then dimensions); not a number without members.
    ///
    /// ```
    /// # use loopwright_presburger::{Int, PwQPolynomialFold, Value};
    /// let fold = PwQPolynomialFold::parse("[n] -> { [i] -> min(i^2, n*i) }")?;
    /// let (_, least) = &fold.pieces()[0];
    /// assert_eq!(least.eval(&[Int::from(2), Int::from(3)]), Value::from(6));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the point has fewer coordinates than the domain.
    pub fn eval(&self, point: &[Int]) -> Value {
        let values = self.members.iter().map(|member| member.eval(point));
        values.reduce(|a, b| self.kind.choose(&a, &b)).unwrap_or(Value::NotANumber)
    }

    fn try_mapped(
        &self,
        space: Space,
        change: impl Fn(&QPolynomial) -> Result<QPolynomial>,
    ) -> Result<Self> {
        let members = self.members.iter().map(change).collect::<Result<_>>()?;
        Ok(QPolynomialFold { kind: self.kind, space, members })
    }
}

impl Expression for QPolynomialFold {
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
        let members = self.members.iter().map(|m| m.place_columns(domain, place)).collect();
        QPolynomialFold { kind: self.kind, space: domain.clone(), members }
    }

    fn plain_is_equal(&self, other: &Self) -> bool {
        let all_in = |a: &Self, b: &Self| {
            a.members.iter().all(|x| b.members.iter().any(|y| x.plain_is_equal(y)))
        };
        self.kind == other.kind && all_in(self, other) && all_in(other, self)
    }

    fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        let space = self.space.merge_params(context.space());
        self.try_mapped(space, |member| member.gist(context, budget))
    }

    fn pullback(&self, inner: &MultiAff) -> Result<Self> {
        let space = inner.space().domain().merge_params(&self.space);
        self.try_mapped(space, |member| member.pullback(inner))
    }

    fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        self.members.iter().any(|member| member.involves_dims(kind, first, count))
    }
}

impl PwQPolynomialFold {
    /// The fold of a single polynomial on every piece.
    ///
    /// ```
    /// # use loopwright_presburger::{FoldKind, PwQPolynomial, PwQPolynomialFold};
    /// let square = PwQPolynomial::parse("{ [i] -> i^2 : i > 0 }")?;
    /// let fold = PwQPolynomialFold::from_pw_qpolynomial(FoldKind::Maximum, &square);
    /// assert_eq!(fold.to_string(), "{ [i] -> max((i^2)) : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_pw_qpolynomial(kind: FoldKind, function: &PwQPolynomial) -> Self {
        let fold = |q: &QPolynomial| QPolynomialFold::from_polynomial(kind, q.clone());
        let piece = |(domain, q): &(Set, QPolynomial)| (domain.clone(), fold(q));
        PwQPolynomialFold {
            space: function.space.clone(),
            pieces: function.pieces.iter().map(piece).collect(),
        }
    }

    /// The fold of both where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwQPolynomialFold, Value};
    /// let budget = &Budget::unlimited();
    /// let a = PwQPolynomialFold::parse("{ [i] -> max(i^2) : i >= 0 }")?;
    /// let b = PwQPolynomialFold::parse("{ [i] -> max(4*i) : i <= 9 }")?;
    /// let both = a.fold(&b, budget)?;
    /// assert_eq!(both.eval(&[Int::from(3)], budget)?, Some(Value::from(12)));
    /// assert_eq!(both.eval(&[Int::from(10)], budget)?, Some(Value::from(100)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces, [`Error::Invalid`] for a
    /// minimum and a maximum, [`Error::Exceeded`].
    pub fn fold(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let space = self.space.clone();
        let both = self.combined(other, space, "the fold of polynomials", QPolynomialFold::fold)?;
        self.union_with(other, &both, budget).during("fold")
    }

    /// The fold with a polynomial added to every member, where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwQPolynomial, PwQPolynomialFold, Value};
    /// let budget = &Budget::unlimited();
    /// let fold = PwQPolynomialFold::parse("{ [i] -> max(i^2, 4*i) : i >= 0 }")?;
    /// let sum = fold.add_pw_qpolynomial(&PwQPolynomial::parse("{ [i] -> 1 : i <= 9 }")?)?;
    /// assert_eq!(sum.eval(&[Int::from(3)], budget)?, Some(Value::from(13)));
    /// assert_eq!(sum.eval(&[Int::from(10)], budget)?, None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces.
    pub fn add_pw_qpolynomial(&self, function: &PwQPolynomial) -> Result<Self> {
        let space = self.space.clone();
        self.combined(function, space, "the sum of polynomials", QPolynomialFold::add)
    }

    /// The product with a number; a negative one turns minima into maxima.
    ///
    /// ```
    /// # use loopwright_presburger::{PwQPolynomialFold, Rational};
    /// let fold = PwQPolynomialFold::parse("{ [i] -> max(i^2, 4*i) : i >= 0 }")?;
    /// assert_eq!(
    ///     fold.scale(&Rational::from(-1)).to_string(),
    ///     "{ [i] -> min((-i^2), (-4*i)) : i >= 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn scale(&self, factor: &Rational) -> Self {
        self.mapped(|fold| fold.scale(factor))
    }

    /// The value at a point (parameters then dimensions); none where it is not defined.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwQPolynomialFold, Value};
    /// let budget = &Budget::unlimited();
    /// let fold = PwQPolynomialFold::parse("{ [i] -> min(i^2, 4*i) : i >= 0 }")?;
    /// assert_eq!(fold.eval(&[Int::from(3)], budget)?, Some(Value::from(9)));
    /// assert_eq!(fold.eval(&[Int::from(-3)], budget)?, None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the point has another length, [`Error::Exceeded`].
    pub fn eval(&self, point: &[Int], budget: &Budget) -> Result<Option<Value>> {
        for (domain, fold) in &self.pieces {
            if domain.contains_point(point, budget).during("eval")? {
                return Ok(Some(fold.eval(point)));
            }
        }
        Ok(None)
    }
}

impl UnionPwQPolynomialFold {
    /// The fold of both where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwQPolynomialFold};
    /// let a = UnionPwQPolynomialFold::parse("{ A[i] -> max(i^2); B[] -> max(3) }")?;
    /// let b = UnionPwQPolynomialFold::parse("{ B[] -> max(5) }")?;
    /// assert_eq!(
    ///     a.fold(&b, &Budget::unlimited())?.to_string(),
    ///     "{ A[i] -> max((i^2)); B[] -> max((5)) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] for a minimum and a maximum, [`Error::Exceeded`].
    pub fn fold(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |a, b| a.fold(b, budget)).during("fold")
    }

    /// The folds with a polynomial added to every member, where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionPwQPolynomial, UnionPwQPolynomialFold};
    /// let fold = UnionPwQPolynomialFold::parse("{ A[i] -> max(i, 3); B[] -> max(3) }")?;
    /// let sum = fold.add_union_pw_qpolynomial(&UnionPwQPolynomial::parse("{ A[i] -> i^2 }")?)?;
    /// assert_eq!(sum.to_string(), "{ A[i] -> max((i^2 + i), (i^2 + 3)) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwQPolynomialFold::add_pw_qpolynomial`].
    pub fn add_union_pw_qpolynomial(&self, function: &UnionPwQPolynomial) -> Result<Self> {
        let both =
            self.parts().iter().filter_map(|part| Some((part, function.part(part.space())?)));
        let sums = both.map(|(fold, part)| fold.add_pw_qpolynomial(part));
        Ok(UnionPwQPolynomialFold::from_parts(sums.collect::<Result<_>>()?))
    }

    /// The product with a number; a negative one turns minima into maxima.
    ///
    /// ```
    /// # use loopwright_presburger::{Rational, UnionPwQPolynomialFold};
    /// let a = UnionPwQPolynomialFold::parse("{ A[i] -> max(i^2); B[] -> max(3) }")?;
    /// assert_eq!(
    ///     a.scale(&Rational::from(2)).to_string(),
    ///     "{ A[i] -> max((2*i^2)); B[] -> max((6)) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn scale(&self, factor: &Rational) -> Self {
        self.mapped(|part| part.scale(factor))
    }
}
