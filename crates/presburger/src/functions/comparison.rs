//! Comparisons of piecewise quasi-affine expressions: where they hold, between which points, and
//! the smaller or greater of two.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, mismatch};
use crate::core::tuple::Tuple;
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::{PwAff, intersection};
use crate::solve::optimum::Optimum;
use loopwright_exact::Value;

/// Where a relation between two expressions over one domain holds.
type Relation = fn(&Aff, &Aff) -> Result<Set>;

const OPERATION: &str = "the comparison of piecewise expressions";

fn differs(a: &Aff, b: &Aff) -> Result<Set> {
    a.gt_set(b)?.union(&b.gt_set(a)?)
}

fn at_least(a: &Aff, b: &Aff) -> Result<Set> {
    a.ge_set(b)
}

fn greater(a: &Aff, b: &Aff) -> Result<Set> {
    a.gt_set(b)
}

impl PwAff {
    /// Where `self <= other`.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(2i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(i + 5)] }")?;
    /// assert_eq!(a.le_set(&b)?.to_string(), "{ [i] : 0 <= i <= 5 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains are in different spaces; so for
    /// all comparisons.
    pub fn le_set(&self, other: &Self) -> Result<Set> {
        self.related(other, OPERATION, |a, b| b.ge_set(a))
    }

    /// Where `self < other`.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(2i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(i + 5)] }")?;
    /// assert_eq!(a.lt_set(&b)?.to_string(), "{ [i] : 0 <= i <= 4 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwAff::le_set`].
    pub fn lt_set(&self, other: &Self) -> Result<Set> {
        self.related(other, OPERATION, |a, b| b.gt_set(a))
    }

    /// Where `self >= other`.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(2i)] : i <= 20 }")?;
    /// let b = PwAff::parse("{ [i] -> [(i + 5)] }")?;
    /// assert_eq!(a.ge_set(&b)?.to_string(), "{ [i] : 5 <= i <= 20 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwAff::le_set`].
    pub fn ge_set(&self, other: &Self) -> Result<Set> {
        self.related(other, OPERATION, at_least)
    }

    /// Where `self > other`.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(2i)] : i <= 20 }")?;
    /// let b = PwAff::parse("{ [i] -> [(i + 5)] }")?;
    /// assert_eq!(a.gt_set(&b)?.to_string(), "{ [i] : 6 <= i <= 20 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwAff::le_set`].
    pub fn gt_set(&self, other: &Self) -> Result<Set> {
        self.related(other, OPERATION, greater)
    }

    /// Where they are equal.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i, j] -> [(2i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i, j] -> [(j)] }")?;
    /// assert_eq!(a.eq_set(&b)?.to_string(), "{ [i, j = 2i] : i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwAff::le_set`].
    pub fn eq_set(&self, other: &Self) -> Result<Set> {
        self.related(other, OPERATION, Aff::eq_set)
    }

    /// Where both are defined and differ.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(2i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(i + 5)] }")?;
    /// assert_eq!(a.ne_set(&b)?.to_string(), "{ [i] : i >= 6 or 0 <= i <= 4 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwAff::le_set`].
    pub fn ne_set(&self, other: &Self) -> Result<Set> {
        self.related(other, OPERATION, differs)
    }

    /// Where it is zero.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let rest = PwAff::parse("{ [i] -> [(i mod 3)] : i >= 0 }")?;
    /// assert_eq!(rest.zero_set().to_string(), "{ [i] : (i) mod 3 = 0 and i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn zero_set(&self) -> Set {
        self.filtered(Aff::vanishes)
    }

    /// Where it is not zero.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(i - 3)] : i >= 0 }")?;
    /// assert_eq!(a.non_zero_set().to_string(), "{ [i] : i >= 4 or 0 <= i <= 2 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn non_zero_set(&self) -> Set {
        let mut either = self.positive_set();
        either.0.absorb(self.neg().positive_set().0);
        either
    }

    /// Where it is not negative.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(i - 3)] : i <= 9 }")?;
    /// assert_eq!(a.nonneg_set().to_string(), "{ [i] : 3 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn nonneg_set(&self) -> Set {
        self.filtered(Aff::nonneg)
    }

    /// Where it is positive.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(i - 3)] : i <= 9 }")?;
    /// assert_eq!(a.positive_set().to_string(), "{ [i] : 4 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn positive_set(&self) -> Set {
        self.filtered(Aff::positive)
    }

    /// The pairs (x, y) for which a relation holds between `self` at x and `other` at y.
    fn relation(&self, other: &Self, relation: Relation) -> Result<Map> {
        let (x, y) = (self.own_domain(), other.own_domain());
        let (Some(first), Some(second)) = (x.output(), y.output()) else {
            return Err(mismatch("the relation of expressions", &x, &y));
        };
        let params = x.merge_params(&y);
        let pairs = params.with_tuples(None, Some(Tuple::nested(first.clone(), second.clone())));
        let first_dim = 1 + pairs.n(DimKind::Param);
        let placed = |function: &Self, at: usize| {
            let function = function.align_params(&pairs);
            let n = function.space.n(DimKind::Out);
            let place: Vec<usize> = (0..first_dim).chain(at..at + n).collect();
            function.place_columns(&pairs, &place)
        };
        let left = placed(self, first_dim);
        let right = placed(other, first_dim + first.n_dims());
        left.related(&right, "the relation of expressions", relation)?.unwrap()
    }

    /// The pairs (x, y) with `self(x) = other(y)`.
    ///
    /// ```
    /// use loopwright_presburger::PwAff;
    /// let half = PwAff::parse("{ A[i] -> [(floor(i/2))] }")?;
    /// let same = PwAff::parse("{ B[j] -> [(j)] : j > 0 }")?;
    /// assert_eq!(
    ///     half.eq_map(&same)?.to_string(),
    ///     "{ A[i] -> B[j] : j > 0 and -1 + i <= 2j <= i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if a domain has no tuple; so for all relations.
    pub fn eq_map(&self, other: &Self) -> Result<Map> {
        self.relation(other, Aff::eq_set)
    }

    /// The pairs (x, y) with `self(x) != other(y)`.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ A[i] -> [(i)] }")?;
    /// let b = PwAff::parse("{ B[j] -> [(j)] : j > 0 }")?;
    /// assert_eq!(a.ne_map(&b)?.to_string(), "{ A[i] -> B[j] : 0 < j < i or (j > i and j > 0) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwAff::eq_map`].
    pub fn ne_map(&self, other: &Self) -> Result<Map> {
        self.relation(other, differs)
    }

    /// The pairs (x, y) with `self(x) >= other(y)`.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ A[i] -> [(i)] }")?;
    /// let b = PwAff::parse("{ B[j] -> [(2j)] : j > 0 }")?;
    /// assert_eq!(a.ge_map(&b)?.to_string(), "{ A[i] -> B[j] : j > 0 and 2j <= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwAff::eq_map`].
    pub fn ge_map(&self, other: &Self) -> Result<Map> {
        self.relation(other, at_least)
    }

    /// The pairs (x, y) with `self(x) > other(y)`.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ A[i] -> [(i)] }")?;
    /// let b = PwAff::parse("{ B[j] -> [(j + 1)] }")?;
    /// assert_eq!(a.gt_map(&b)?.to_string(), "{ A[i] -> B[j] : j <= -2 + i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwAff::eq_map`].
    pub fn gt_map(&self, other: &Self) -> Result<Map> {
        self.relation(other, greater)
    }

    /// The pairs (x, y) with `self(x) <= other(y)`.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ A[i] -> [(2i)] : i > 0 }")?;
    /// let b = PwAff::parse("{ B[j] -> [(j)] }")?;
    /// assert_eq!(a.le_map(&b)?.to_string(), "{ A[i] -> B[j] : i > 0 and j >= 2i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwAff::eq_map`].
    pub fn le_map(&self, other: &Self) -> Result<Map> {
        self.relation(other, |a, b| b.ge_set(a))
    }

    /// The pairs (x, y) with `self(x) < other(y)`.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// // The pairs of instances of which the first runs earlier.
    /// let time = PwAff::parse("{ S[i] -> [(i)] }")?;
    /// assert_eq!(time.lt_map(&time)?.to_string(), "{ S[i] -> S[i'] : i' > i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwAff::eq_map`].
    pub fn lt_map(&self, other: &Self) -> Result<Map> {
        self.relation(other, |a, b| b.gt_set(a))
    }

    /// The smaller, where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwAff};
    /// let a = PwAff::parse("{ [i] -> [(i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(5)] : i <= 9 }")?;
    /// assert_eq!(
    ///     a.min(&b, &Budget::unlimited())?.to_string(),
    ///     "{ [i] -> [(i)] : 0 <= i <= 5; [i] -> [(5)] : 6 <= i <= 9 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains are in different spaces,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn min(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.extremum(other, |a, b| b.ge_set(a), |a, b| a.gt_set(b), budget).during("min")
    }

    /// The greater, where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwAff};
    /// let a = PwAff::parse("{ [i] -> [(i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(5)] : i <= 9 }")?;
    /// assert_eq!(
    ///     a.max(&b, &Budget::unlimited())?.to_string(),
    ///     "{ [i] -> [(i)] : 5 <= i <= 9; [i] -> [(5)] : 0 <= i <= 4 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains are in different spaces,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn max(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.extremum(other, at_least, |a, b| b.gt_set(a), budget).during("max")
    }

    /// The smaller where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwAff, Rational};
    /// let budget = &Budget::unlimited();
    /// let a = PwAff::parse("{ [i] -> [(i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(5)] : i <= 9 }")?;
    /// let least = a.union_min(&b, budget)?;
    /// let value = |i: i64| least.eval(&[Int::from(i)], budget);
    /// assert_eq!(value(-1)?, Some(Rational::from(5)));
    /// assert_eq!(value(7)?, Some(Rational::from(5)));
    /// assert_eq!(value(12)?, Some(Rational::from(12)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PwAff::min`].
    pub fn union_min(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.union_with(other, &self.min(other, budget)?, budget).during("union_min")
    }

    /// The greater where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwAff, Rational};
    /// let budget = &Budget::unlimited();
    /// let a = PwAff::parse("{ [i] -> [(i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(5)] : i <= 9 }")?;
    /// let greatest = a.union_max(&b, budget)?;
    /// let value = |i: i64| greatest.eval(&[Int::from(i)], budget);
    /// assert_eq!(value(-1)?, Some(Rational::from(5)));
    /// assert_eq!(value(7)?, Some(Rational::from(7)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PwAff::min`].
    pub fn union_max(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.union_with(other, &self.max(other, budget)?, budget).during("union_max")
    }

    /// The value here where it `keeps`, the other one where it `yields`.
    fn extremum(
        &self,
        other: &Self,
        keeps: Relation,
        yields: Relation,
        budget: &Budget,
    ) -> Result<Self> {
        if !self.space.has_equal_tuples(&other.space) {
            return Err(mismatch(OPERATION, &self.space, &other.space));
        }
        let space = self.space.merge_params(&other.space);
        let (a, b) = (self.align_params(&space), other.align_params(&space));
        let mut pieces = Vec::new();
        for (a_domain, a_aff) in &a.pieces {
            for (b_domain, b_aff) in &b.pieces {
                budget.spend(1, OPERATION)?;
                let domain = intersection(a_domain, b_domain, budget)?;
                if domain.plain_is_empty() {
                    continue;
                }
                let (kept, yielded) = (keeps(a_aff, b_aff)?, yields(a_aff, b_aff)?);
                pieces.push((intersection(&domain, &kept, budget)?, a_aff.clone()));
                pieces.push((intersection(&domain, &yielded, budget)?, b_aff.clone()));
            }
        }
        Ok(PwAff::from_pieces(space, pieces))
    }

    /// The least value at any point for any parameter values, rounded up if it is a fraction:
    /// infinite without a lower bound, not a number if it is nowhere defined.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwAff, Value};
    /// let budget = &Budget::unlimited();
    /// let a = PwAff::parse("{ [i] -> [(3i)] : i > 2 }")?;
    /// assert_eq!(a.min_val(budget)?, Value::from(9));
    /// assert_eq!(a.neg().min_val(budget)?, Value::NegativeInfinity);
    /// assert!(PwAff::parse("{ [i] -> [(i)] : false }")?.min_val(budget)?.is_nan());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn min_val(&self, budget: &Budget) -> Result<Value> {
        let mut least = Value::NotANumber;
        for (domain, aff) in self.pieces.iter().filter(|(_, aff)| !aff.nan) {
            let value = match domain.min_val(aff, budget).during("min_val")? {
                Optimum::Empty => continue,
                Optimum::Unbounded => Value::NegativeInfinity,
                Optimum::At(value) => Value::from(value),
            };
            least = if least.is_nan() { value } else { least.min(&value) };
        }
        Ok(least)
    }

    /// The greatest value at any point for any parameter values, rounded down, see
    /// [`PwAff::min_val`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwAff, Value};
    /// let a = PwAff::parse("{ [i] -> [(3i)] : i <= 2; [i] -> [(7)] : i > 2 }")?;
    /// assert_eq!(a.max_val(&Budget::unlimited())?, Value::from(7));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn max_val(&self, budget: &Budget) -> Result<Value> {
        Ok(-&self.neg().min_val(budget).during("max_val")?)
    }

    /// Whether both are defined at the same points and have the same values there.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwAff};
    /// let a = PwAff::parse("{ [i] -> [(i mod 2)] }")?;
    /// let b = PwAff::parse("{ [i] -> [(0)] : i mod 2 = 0; [i] -> [(1)] : i mod 2 = 1 }")?;
    /// assert!(a.is_equal(&b, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains are in different spaces,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        Ok(self.domain().is_equal(&other.domain(), budget).during("is_equal")?
            && self.ne_set(other)?.is_empty(budget).during("is_equal")?)
    }
}

impl MultiAff {
    /// Where both are defined and every position has equal values.
    pub(super) fn equal_set(&self, other: &Self) -> Result<Set> {
        let budget = &Budget::for_one_call();
        let mut equal = Set::universe(self.space.domain());
        for (a, b) in self.members.iter().zip(&other.members) {
            equal = intersection(&equal, &a.eq_set(b)?, budget)?;
        }
        Ok(equal)
    }
}
