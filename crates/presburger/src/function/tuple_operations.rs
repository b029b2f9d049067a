//! Operations on piecewise tuples: sums, products, the lexicographically smaller one of two.
use super::multi::range_space;
use crate::*;

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
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.joined(other, self.space.clone(), MultiAff::add)
    }

    /// The difference where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.joined(other, self.space.clone(), MultiAff::sub)
    }

    /// The negative.
    pub fn neg(&self) -> Self {
        self.mapped(MultiAff::neg)
    }

    /// The product with an integer.
    pub fn scale(&self, factor: &Int) -> Self {
        self.mapped(|tuple| tuple.scale(factor))
    }

    /// The quotient by an integer, not rounded.
    pub fn scale_down(&self, divisor: &Int) -> Self {
        self.mapped(|tuple| tuple.scale_down(divisor))
    }

    /// The remainders in `0..divisor`.
    pub fn modulo(&self, divisor: &Int) -> Self {
        self.mapped(|tuple| tuple.modulo(divisor))
    }

    /// `x -> [f(x) -> g(x)]` where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ.
    pub fn range_product(&self, other: &Self) -> Result<Self> {
        let tuple = Tuple::nested(self.range_tuple(), other.range_tuple());
        self.joined(other, range_space(&self.space.domain(), tuple), MultiAff::range_product)
    }

    /// `x -> [f(x), g(x)]` where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ.
    pub fn flat_range_product(&self, other: &Self) -> Result<Self> {
        let tuple = self.range_tuple().flat_concat(&other.range_tuple());
        self.joined(other, range_space(&self.space.domain(), tuple), MultiAff::flat_range_product)
    }

    /// `[x -> y] -> [f(x) -> g(y)]`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a domain has no tuple.
    pub fn product(&self, other: &Self) -> Result<Self> {
        let space = self.space.domain().map_to(&other.space.domain());
        let first = self.pullback_multi_aff(&MultiAff::domain_map(&space)?)?;
        first.range_product(&other.pullback_multi_aff(&MultiAff::range_map(&space)?)?)
    }

    /// `f` of `x -> [f(x) -> g(x)]`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the tuple is not nested.
    pub fn range_factor_domain(&self) -> Result<Self> {
        let space = MultiAff::zero(&self.space).range_factor_domain()?.space;
        self.changed(space, MultiAff::range_factor_domain)
    }

    /// `g` of `x -> [f(x) -> g(x)]`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the tuple is not nested.
    pub fn range_factor_range(&self) -> Result<Self> {
        let space = MultiAff::zero(&self.space).range_factor_range()?.space;
        self.changed(space, MultiAff::range_factor_range)
    }

    /// The same with another expression at a position, defined where both are.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains differ, [`Error::Invalid`] if there is no such
    /// position.
    pub fn with_pw_aff(&self, position: usize, value: &PwAff) -> Result<Self> {
        self.combined(value, self.space.clone(), "the member of a function", |tuple, aff| {
            tuple.with_member(position, aff.clone())
        })
    }

    /// The sum where both are defined, and the one that is defined elsewhere.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ, [`Error::Exceeded`].
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
    /// let expected = "{ [i] -> [(3), (i)] : i = 4 or i < 0; [i] -> [(i), (0)] : 0 <= i <= 3 or i > 4 }";
    /// assert!(least.is_equal(&PwMultiAff::parse(expected)?, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ, [`Error::Exceeded`].
    pub fn union_lexmin(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let on_both = self.lex_choice(other, |difference| difference.neg())?;
        self.union_with(other, &on_both, budget).during("union_lexmin")
    }

    /// The lexicographically greater one where both are defined, and the one that is defined
    /// elsewhere.
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
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ, [`Error::Exceeded`].
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
    /// # Errors
    /// [`Error::SpaceMismatch`] if the ranges differ.
    pub fn eq_map(&self, other: &Self) -> Result<Map> {
        self.to_map().eq_at_map(&other.to_map())
    }

    /// The pairs (x, y) with `self(x)` lexicographically smaller than `other(y)`.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the ranges differ.
    pub fn lex_lt_map(&self, other: &Self) -> Result<Map> {
        self.to_map().lex_lt_map(&other.to_map())
    }

    /// The tuple of the values.
    pub(super) fn range_tuple(&self) -> Tuple {
        self.space.output().cloned().unwrap_or_else(|| Tuple::anonymous(0))
    }
}
