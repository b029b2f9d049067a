//! Tuples of piecewise quasi-affine expressions.
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Name;
use crate::functions::multi::{Member, Multi};
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::{PwAff, PwMultiAff};

/// A tuple of piecewise expressions over one domain, each defined on its own part of it.
///
/// As a function it is defined where all members are; without members that is everywhere.
///
/// ```
/// # use loopwright_presburger::MultiPwAff;
/// let f = MultiPwAff::parse("{ S[i] -> A[((i) : i > 0), ((2) : i < 9)] }")?;
/// assert_eq!(f.domain()?.to_string(), "{ S[i] : 0 < i <= 8 }");
/// assert_eq!(f.members()[1].to_string(), "{ S[i] -> [(2)] : i <= 8 }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub type MultiPwAff = Multi<PwAff>;

impl Member for PwAff {
    fn params(&self) -> Space {
        self.space.to_params()
    }

    fn fits(&self, domain: &Space) -> bool {
        self.space.has_equal_tuples(domain)
    }

    fn over_params(&self, space: &Space) -> Self {
        self.align_params(space)
    }
}

impl From<PwMultiAff> for MultiPwAff {
    fn from(function: PwMultiAff) -> Self {
        let members = (0..function.space.n(DimKind::Out)).map(|i| function.pw_aff(i)).collect();
        MultiPwAff { space: function.space, members }
    }
}

impl From<MultiAff> for MultiPwAff {
    fn from(function: MultiAff) -> Self {
        PwMultiAff::everywhere(function).into()
    }
}

impl MultiPwAff {
    /// The tuples on the common pieces of all members.
    ///
    /// ```
    /// # use loopwright_presburger::MultiPwAff;
    /// let f = MultiPwAff::parse("{ S[i] -> A[((i) : i > 0; (0) : i <= 0), ((2) : i < 9)] }")?;
    /// assert_eq!(
    ///     f.to_pw_multi_aff()?.to_string(),
    ///     "{ S[i] -> A[(i), (2)] : 0 < i <= 8; S[i] -> A[(0), (2)] : i <= 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`] if there are too many pieces.
    pub fn to_pw_multi_aff(&self) -> Result<PwMultiAff> {
        PwMultiAff::from_pw_affs(self.space.clone(), &self.members)
    }

    /// As a relation.
    ///
    /// ```
    /// # use loopwright_presburger::MultiPwAff;
    /// let f = MultiPwAff::parse("{ S[i] -> A[((i) : i > 0), ((2) : i < 9)] }")?;
    /// assert_eq!(f.to_map()?.to_string(), "{ S[i] -> A[i, 2] : 0 < i <= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`] if there are too many pieces.
    pub fn to_map(&self) -> Result<Map> {
        Ok(self.to_pw_multi_aff()?.to_map())
    }

    /// Where all members are defined.
    ///
    /// ```
    /// # use loopwright_presburger::MultiPwAff;
    /// let f = MultiPwAff::parse("{ S[i] -> A[((i) : i > 0), ((2) : i < 9)] }")?;
    /// assert_eq!(f.domain()?.to_string(), "{ S[i] : 0 < i <= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`] if there are too many pieces.
    pub fn domain(&self) -> Result<Set> {
        let everything = Set::universe(self.space.domain());
        self.members.iter().try_fold(everything, |all, member| all.intersect(&member.domain()))
    }

    /// Restricted.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiPwAff, Set};
    /// let f = MultiPwAff::parse("{ S[i] -> A[((i) : i > 0), (2)] }")?;
    /// let set = Set::parse("{ S[i] : i <= 9 }")?;
    /// assert_eq!(
    ///     f.intersect_domain(&set)?.to_string(),
    ///     "{ S[i] -> A[((i) : 0 < i <= 9), ((2) : i <= 9)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the set is in another space.
    pub fn intersect_domain(&self, set: &Set) -> Result<Self> {
        self.try_mapped(|member| member.intersect_domain(set))
    }

    /// Simplified inside a context.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, MultiPwAff, Set};
    /// let f = MultiPwAff::parse("{ S[i] -> A[((i) : 0 < i <= 9), ((2) : i < 20)] }")?;
    /// let known = Set::parse("{ S[i] : i <= 9 }")?;
    /// assert_eq!(
    ///     f.gist(&known, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[((i) : i > 0), (2)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Piecewise::gist`](crate::Piecewise::gist).
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.try_mapped(|member| member.gist(context, budget)).during("gist")
    }

    /// Fewer pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, MultiPwAff};
    /// let f = MultiPwAff::parse("{ S[i] -> A[((i) : i > 0; (i) : i <= 0)] }")?;
    /// assert_eq!(f.coalesce(&Budget::unlimited())?.to_string(), "{ S[i] -> A[(i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        self.try_mapped(|member| member.coalesce(budget)).during("coalesce")
    }

    /// Composition: this function of the value of `inner`.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiPwAff, PwMultiAff};
    /// let f = MultiPwAff::parse("{ A[x] -> B[((x) : x > 0), (2x)] }")?;
    /// let inner = PwMultiAff::parse("{ S[i] -> A[(i - 3)] : i < 9 }")?;
    /// assert_eq!(
    ///     f.pullback_pw_multi_aff(&inner)?.to_string(),
    ///     "{ S[i] -> B[((-3 + i) : 4 <= i <= 8), ((-6 + 2i) : i <= 8)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the range of `inner` is not the domain.
    pub fn pullback_pw_multi_aff(&self, inner: &PwMultiAff) -> Result<Self> {
        let members = self.members.iter().map(|member| member.pullback_pw_multi_aff(inner));
        let members = members.collect::<Result<Vec<_>>>()?;
        if inner.space.output() != self.space.domain().output() {
            return inner.space.mismatch(&self.space, "the composition of functions");
        }
        let domain = inner.space.domain().merge_params(&self.space);
        MultiPwAff::new(super::multi::range_space(&domain, self.tuple()), members)
    }

    /// The sum in every position, where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::MultiPwAff;
    /// let a = MultiPwAff::parse("{ S[i] -> A[((i) : i > 0), (1)] }")?;
    /// let b = MultiPwAff::parse("{ S[i] -> A[((i) : i < 9), (i)] }")?;
    /// assert_eq!(a.add(&b)?.to_string(), "{ S[i] -> A[((2i) : 0 < i <= 8), (1 + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the sum of tuples", PwAff::add)
    }

    /// The difference in every position, where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::MultiPwAff;
    /// let a = MultiPwAff::parse("{ S[i] -> A[((2i) : i > 0), (1)] }")?;
    /// let b = MultiPwAff::parse("{ S[i] -> A[((i) : i < 9), (i)] }")?;
    /// assert_eq!(a.sub(&b)?.to_string(), "{ S[i] -> A[((i) : 0 < i <= 8), (1 - i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the difference of tuples", PwAff::sub)
    }

    /// The sum in every position where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, MultiPwAff};
    /// let a = MultiPwAff::parse("{ S[i] -> A[((i) : i > 0)] }")?;
    /// let b = MultiPwAff::parse("{ S[i] -> A[((1) : i <= 0)] }")?;
    /// assert_eq!(
    ///     a.union_add(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[((i) : i > 0; (1) : i <= 0)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ, [`Error::Exceeded`].
    pub fn union_add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.zipped(other, "the sum of tuples", |a, b| a.union_add(b, budget)).during("union_add")
    }

    /// The smaller value in every position, where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, MultiPwAff};
    /// let a = MultiPwAff::parse("{ S[i] -> A[(i), (0)] }")?;
    /// let b = MultiPwAff::parse("{ S[i] -> A[(3), (1)] }")?;
    /// assert_eq!(
    ///     a.min(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[((i) : i <= 3; (3) : i >= 4), (0)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ, [`Error::Exceeded`].
    pub fn min(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.zipped(other, "the minimum of tuples", |a, b| a.min(b, budget)).during("min")
    }

    /// The greater value in every position, where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, MultiPwAff};
    /// let a = MultiPwAff::parse("{ S[i] -> A[(i), (0)] }")?;
    /// let b = MultiPwAff::parse("{ S[i] -> A[(3), (1)] }")?;
    /// assert_eq!(
    ///     a.max(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[((i) : i >= 3; (3) : i <= 2), (1)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ, [`Error::Exceeded`].
    pub fn max(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.zipped(other, "the maximum of tuples", |a, b| a.max(b, budget)).during("max")
    }

    /// Where the values are those of parameters, one for each position.
    ///
    /// ```
    /// # use loopwright_presburger::MultiPwAff;
    /// let f = MultiPwAff::parse("{ S[i] -> A[((i) : i > 0), (2i + 1)] }")?;
    /// assert_eq!(
    ///     f.bind(&["n".into(), "m".into()])?.to_string(),
    ///     "[n, m] -> { S[i = n] : m = 1 + 2n and n > 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if there is not one name for each position.
    pub fn bind(&self, names: &[Name]) -> Result<Set> {
        if names.len() != self.members.len() {
            return Err(Error::Invalid {
                operation: "the binding of a tuple",
                reason: format!("{} names for {}", names.len(), self.space),
            });
        }
        let everywhere = Set::universe(self.space.domain());
        let mut pairs = self.members.iter().zip(names);
        pairs.try_fold(everywhere, |all, (member, name)| all.intersect(&member.bind(name)?))
    }
}

impl Map {
    /// The least value of every output dimension as a function of the input.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> A[j, k] : 0 <= j <= i and j - 3 <= k <= 2i }")?;
    /// let least = map.min_multi_pw_aff(&Budget::unlimited())?;
    /// assert_eq!(least.to_string(), "{ [i] -> A[((0) : i >= 0), ((-3) : i >= 0)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn min_multi_pw_aff(&self, budget: &Budget) -> Result<MultiPwAff> {
        let members = (0..self.n(DimKind::Out)).map(|i| self.dim_min(i, budget));
        MultiPwAff::new(self.space.clone(), members.collect::<Result<_>>()?)
    }

    /// The greatest value of every output dimension as a function of the input.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> A[j, k] : 0 <= j <= i and j - 3 <= k <= 2i }")?;
    /// let greatest = map.max_multi_pw_aff(&Budget::unlimited())?;
    /// assert_eq!(greatest.to_string(), "{ [i] -> A[((i) : i >= 0), ((2i) : i >= 0)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmax`].
    pub fn max_multi_pw_aff(&self, budget: &Budget) -> Result<MultiPwAff> {
        let members = (0..self.n(DimKind::Out)).map(|i| self.dim_max(i, budget));
        MultiPwAff::new(self.space.clone(), members.collect::<Result<_>>()?)
    }
}

impl Set {
    /// The least value of every dimension as a function of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { A[i, j] : n <= i <= j <= 100 }")?;
    /// assert_eq!(
    ///     set.min_multi_pw_aff(&Budget::unlimited())?.to_string(),
    ///     "[n] -> { A[((n) : n <= 100), ((n) : n <= 100)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn min_multi_pw_aff(&self, budget: &Budget) -> Result<MultiPwAff> {
        self.0.min_multi_pw_aff(budget)
    }

    /// The greatest value of every dimension as a function of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { A[i, j] : 0 <= i <= j < n }")?;
    /// assert_eq!(
    ///     set.max_multi_pw_aff(&Budget::unlimited())?.to_string(),
    ///     "[n] -> { A[((-1 + n) : n > 0), ((-1 + n) : n > 0)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmax`].
    pub fn max_multi_pw_aff(&self, budget: &Budget) -> Result<MultiPwAff> {
        self.0.max_multi_pw_aff(budget)
    }
}
