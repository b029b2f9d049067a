//! Operations on piecewise tuples: sums, products, the lexicographically smaller one of two.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::functions::aff::Aff;
use crate::functions::multi::range_space;
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::{PwAff, PwMultiAff};

impl PwMultiAff {
    /// What `combine` makes of the tuples of both, where both are defined.
    fn joined(
        &self,
        other: &Self,
        space: Space,
        combine: fn(&MultiAff, &MultiAff) -> Result<MultiAff>,
    ) -> Result<Self> {
        self.combined(other, space, "the combination of functions", combine)
    }

    /// The sum where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let a = PwMultiAff::parse("{ S[i] -> A[(i), (1)] : i > 0 }")?;
    /// let b = PwMultiAff::parse("{ S[i] -> A[(2), (i)] : i < 9 }")?;
    /// assert_eq!(a.add(&b)?.to_string(), "{ S[i] -> A[(2 + i), (1 + i)] : 0 < i <= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.joined(other, self.space.clone(), MultiAff::add)
    }

    /// The difference where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let a = PwMultiAff::parse("{ S[i] -> A[(i), (1)] : i > 0 }")?;
    /// let b = PwMultiAff::parse("{ S[i] -> A[(2), (i)] : i < 9 }")?;
    /// assert_eq!(a.sub(&b)?.to_string(), "{ S[i] -> A[(-2 + i), (1 - i)] : 0 < i <= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.joined(other, self.space.clone(), MultiAff::sub)
    }

    /// `x -> [f(x) -> g(x)]` where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let a = PwMultiAff::parse("{ S[i] -> A[(i)] : i > 0 }")?;
    /// let b = PwMultiAff::parse("{ S[i] -> B[(2i)] : i < 9 }")?;
    /// assert_eq!(
    ///     a.range_product(&b)?.to_string(),
    ///     "{ S[i] -> [A[(i)] -> B[(2i)]] : 0 < i <= 8 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains differ.
    pub fn range_product(&self, other: &Self) -> Result<Self> {
        let tuple = Tuple::nested(self.range_tuple(), other.range_tuple());
        self.joined(other, range_space(&self.space.domain(), tuple), MultiAff::range_product)
    }

    /// `x -> [f(x), g(x)]` where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let a = PwMultiAff::parse("{ S[i] -> A[(i)] : i > 0 }")?;
    /// let b = PwMultiAff::parse("{ S[i] -> B[(2i)] : i < 9 }")?;
    /// assert_eq!(a.flat_range_product(&b)?.to_string(), "{ S[i] -> [(i), (2i)] : 0 < i <= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains differ.
    pub fn flat_range_product(&self, other: &Self) -> Result<Self> {
        let tuple = self.range_tuple().flat_concat(&other.range_tuple());
        self.joined(other, range_space(&self.space.domain(), tuple), MultiAff::flat_range_product)
    }

    /// `[x -> y] -> [f(x) -> g(y)]`.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let a = PwMultiAff::parse("{ S[i] -> A[(i)] : i > 0 }")?;
    /// let b = PwMultiAff::parse("{ T[j] -> B[(2j)] }")?;
    /// assert_eq!(a.product(&b)?.to_string(), "{ [S[i] -> T[j]] -> [A[(i)] -> B[(2j)]] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if a domain has no tuple.
    pub fn product(&self, other: &Self) -> Result<Self> {
        let space = self.space.domain().map_to(&other.space.domain());
        let first = self.pullback_multi_aff(&MultiAff::domain_map(&space)?)?;
        first.range_product(&other.pullback_multi_aff(&MultiAff::range_map(&space)?)?)
    }

    /// `f` of `x -> [f(x) -> g(x)]`.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let pair = PwMultiAff::parse("{ S[i] -> [A[(i)] -> B[(2i)]] : i > 0 }")?;
    /// assert_eq!(pair.range_factor_domain()?.to_string(), "{ S[i] -> A[(i)] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if the tuple is not nested.
    pub fn range_factor_domain(&self) -> Result<Self> {
        let space = MultiAff::zero(&self.space).range_factor_domain()?.space;
        self.changed(space, MultiAff::range_factor_domain)
    }

    /// `g` of `x -> [f(x) -> g(x)]`.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let pair = PwMultiAff::parse("{ S[i] -> [A[(i)] -> B[(2i)]] : i > 0 }")?;
    /// assert_eq!(pair.range_factor_range()?.to_string(), "{ S[i] -> B[(2i)] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if the tuple is not nested.
    pub fn range_factor_range(&self) -> Result<Self> {
        let space = MultiAff::zero(&self.space).range_factor_range()?.space;
        self.changed(space, MultiAff::range_factor_range)
    }

    /// The same with another expression at a position, defined where both are.
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, PwMultiAff};
    /// let access = PwMultiAff::parse("{ S[i] -> A[(i), (1)] : i > 0 }")?;
    /// let other = PwAff::parse("{ S[i] -> [(7)] : i < 9 }")?;
    /// assert_eq!(
    ///     access.with_pw_aff(1, &other)?.to_string(),
    ///     "{ S[i] -> A[(i), (7)] : 0 < i <= 8 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains differ,
    /// [`Error::Invalid`](crate::Error::Invalid) if there is no such position.
    pub fn with_pw_aff(&self, position: usize, value: &PwAff) -> Result<Self> {
        self.combined(value, self.space.clone(), "the member of a function", |tuple, aff| {
            tuple.with_member(position, aff.clone())
        })
    }

    /// The sum where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwMultiAff};
    /// let budget = &Budget::unlimited();
    /// let a = PwMultiAff::parse("{ S[i] -> A[(i)] : i > 0 }")?;
    /// let b = PwMultiAff::parse("{ S[i] -> A[(5)] : i <= 9 }")?;
    /// let expected =
    ///     "{ S[i] -> A[(i + 5)] : 0 < i <= 9; S[i] -> A[(i)] : i > 9; S[i] -> A[(5)] : i <= 0 }";
    /// assert!(a.union_add(&b, budget)?.is_equal(&PwMultiAff::parse(expected)?, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn union_add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.union_with(other, &self.add(other)?, budget).during("union_add")
    }

    /// The lexicographically smaller one where both are defined, and the one that is defined
    /// elsewhere.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, PwMultiAff};
    /// let budget = Budget::unlimited();
    /// let a = PwMultiAff::parse("{ [i] -> [(i), (0)] : i >= 0 }")?;
    /// let b = PwMultiAff::parse("{ [i] -> [(3), (i)] : i <= 4 }")?;
    /// let least = a.union_lexmin(&b, &budget)?;
    /// let expected =
    ///     "{ [i] -> [(3), (i)] : i = 4 or i < 0; [i] -> [(i), (0)] : 0 <= i <= 3 or i > 4 }";
    /// assert!(least.is_equal(&PwMultiAff::parse(expected)?, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn union_lexmin(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let on_both = self.lex_choice(other, |difference| difference.neg())?;
        self.union_with(other, &on_both, budget).during("union_lexmin")
    }

    /// The lexicographically greater one where both are defined, and the one that is defined
    /// elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwMultiAff};
    /// let budget = &Budget::unlimited();
    /// let a = PwMultiAff::parse("{ [i] -> [(i), (0)] : i >= 0 }")?;
    /// let b = PwMultiAff::parse("{ [i] -> [(3), (i)] : i <= 4 }")?;
    /// let expected = "{ [i] -> [(3), (i)] : i <= 3; [i] -> [(i), (0)] : i >= 4 }";
    /// assert!(a.union_lexmax(&b, budget)?.is_equal(&PwMultiAff::parse(expected)?, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PwMultiAff::union_lexmin`].
    pub fn union_lexmax(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let on_both = self.lex_choice(other, Aff::clone)?;
        self.union_with(other, &on_both, budget).during("union_lexmax")
    }

    /// Where both are defined: this one where the first `directed` difference that is not zero is
    /// positive or there is none, the other one elsewhere.
    fn lex_choice(&self, other: &Self, directed: fn(&Aff) -> Aff) -> Result<Self> {
        let mut chosen = PwMultiAff::empty(&self.space.merge_params(&other.space));
        for (first, second) in
            self.pieces.iter().flat_map(|a| other.pieces.iter().map(move |b| (a, b)))
        {
            let mut equal = first.0.intersect(&second.0)?;
            for (a, b) in first.1.members.iter().zip(&second.1.members) {
                let difference = directed(&a.sub(b)?);
                let (ahead, behind) = (difference.positive_set(), difference.neg().positive_set());
                for (strict, tuple) in [(ahead, &first.1), (behind, &second.1)] {
                    let piece = PwMultiAff::on_domain(equal.intersect(&strict)?, tuple.clone());
                    chosen = chosen.union_disjoint(&piece)?;
                }
                equal = equal.intersect(&difference.zero_set())?;
            }
            chosen = chosen.union_disjoint(&PwMultiAff::on_domain(equal, first.1.clone()))?;
        }
        Ok(chosen)
    }

    /// Whether both are defined at the same points and have the same values there.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwMultiAff};
    /// let a = PwMultiAff::parse("{ [i] -> A[(i), (0)] }")?;
    /// let b = PwMultiAff::parse("{ [i] -> A[(i), (0)] : i > 0; [i] -> A[(i), (0)] : i <= 0 }")?;
    /// assert!(a.is_equal(&b, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        if self.space.output() != other.space.output() {
            return self.space.mismatch(&other.space, "the comparison of functions");
        }
        let domain = self.domain();
        let equal = self.related(other, "the comparison of functions", MultiAff::equal_set)?;
        Ok(domain.is_equal(&other.domain(), budget).during("is_equal")?
            && domain.is_subset(&equal, budget).during("is_equal")?)
    }

    /// The pairs (x, y) with `self(x) = other(y)`.
    ///
    /// ```
    /// # use loopwright_presburger::PwMultiAff;
    /// let write = PwMultiAff::parse("{ S[i] -> A[(i)] }")?;
    /// let read = PwMultiAff::parse("{ T[j] -> A[(j - 1)] : j > 0 }")?;
    /// assert_eq!(write.eq_map(&read)?.to_string(), "{ S[i] -> T[j = 1 + i] : i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the ranges differ.
    pub fn eq_map(&self, other: &Self) -> Result<Map> {
        self.to_map().eq_at_map(&other.to_map())
    }

    /// The pairs (x, y) with `self(x)` lexicographically smaller than `other(y)`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, PwMultiAff};
    /// let first = PwMultiAff::parse("{ S[i] -> [(i), (0)] }")?;
    /// let second = PwMultiAff::parse("{ T[j] -> [(j), (1)] }")?;
    /// let before = first.lex_lt_map(&second)?;
    /// assert!(before.is_equal(&Map::parse("{ S[i] -> T[j] : j >= i }")?, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the ranges differ.
    pub fn lex_lt_map(&self, other: &Self) -> Result<Map> {
        self.to_map().lex_lt_map(&other.to_map())
    }

    /// The tuple of the values.
    pub(super) fn range_tuple(&self) -> Tuple {
        self.space.output().cloned().unwrap_or_else(|| Tuple::anonymous(0))
    }
}
