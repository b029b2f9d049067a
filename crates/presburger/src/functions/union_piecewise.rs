//! Piecewise functions over several domain spaces.
//!
//! Every operation distributes: each part meets the parts and sets in the spaces that fit.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::functions::aff::Aff;
use crate::functions::expression::Expression;
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::Piecewise;

/// Piecewise functions in several spaces, at most one part per space.
///
/// ```
/// # use loopwright_presburger::UnionPwAff;
/// let time = UnionPwAff::parse("{ S[i] -> [(i)] : i > 0; T[] -> [(5)] }")?;
/// assert_eq!(time.parts().len(), 2);
/// assert_eq!(time.domain().to_string(), "{ S[i] : i > 0; T[] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a new value is returned, operands do not change"]
pub struct UnionPiecewise<E> {
    pub(crate) parts: Vec<Piecewise<E>>,
}

impl<E: Expression> UnionPiecewise<E> {
    /// Nowhere defined.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwAff;
    /// assert!(UnionPwAff::empty().parts().is_empty());
    /// ```
    pub fn empty() -> Self {
        UnionPiecewise { parts: Vec::new() }
    }

    /// From one part per space.
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, UnionPwAff};
    /// let parts = vec![PwAff::parse("{ S[i] -> [(i)] }")?, PwAff::parse("{ T[] -> [(5)] }")?];
    /// assert_eq!(UnionPwAff::from_parts(parts).to_string(), "{ S[i] -> [(i)]; T[] -> [(5)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_parts(parts: Vec<Piecewise<E>>) -> Self {
        UnionPiecewise { parts: parts.into_iter().filter(|part| !part.pieces.is_empty()).collect() }
    }

    /// The parts, one per space.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwAff;
    /// let time =
    ///     UnionPwAff::parse("{ S[i] -> [(i)] : i > 0; S[i] -> [(0)] : i <= 0; T[] -> [(5)] }")?;
    /// assert_eq!(time.parts().len(), 2);
    /// assert_eq!(time.parts()[1].to_string(), "{ T[] -> [(5)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn parts(&self) -> &[Piecewise<E>] {
        &self.parts
    }

    /// The part of a space (compared by tuples, not by parameters).
    ///
    /// ```
    /// # use loopwright_presburger::{Space, Tuple, UnionPwAff};
    /// let time = UnionPwAff::parse("{ S[i] -> [(i)] : i > 0; T[] -> [(5)] }")?;
    /// let of_s = time.part(&Space::set(&[], Tuple::named("S", 1))).unwrap();
    /// assert_eq!(of_s.to_string(), "{ S[i] -> [(i)] : i > 0 }");
    /// assert!(time.part(&Space::set(&[], Tuple::named("U", 1))).is_none());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn part(&self, space: &Space) -> Option<&Piecewise<E>> {
        self.parts.iter().find(|part| part.space.has_equal_tuples(space))
    }

    /// Where it is defined.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwMultiAff;
    /// let accesses = UnionPwMultiAff::parse("{ S[i] -> A[(i)] : i > 0; T[] -> B[(5)] }")?;
    /// assert_eq!(accesses.domain().to_string(), "{ S[i] : i > 0; T[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain(&self) -> UnionSet {
        let maps = self.parts.iter().map(|part| part.domain().0);
        UnionSet(UnionMap::collect(Space::params(&[]), maps))
    }

    pub(crate) fn mapped(&self, map: impl Fn(&Piecewise<E>) -> Piecewise<E>) -> Self {
        UnionPiecewise::from_parts(self.parts.iter().map(map).collect())
    }

    pub(crate) fn try_mapped(
        &self,
        map: impl Fn(&Piecewise<E>) -> Result<Piecewise<E>>,
    ) -> Result<Self> {
        Ok(UnionPiecewise::from_parts(self.parts.iter().map(map).collect::<Result<_>>()?))
    }

    /// What `combine` makes of the parts in equal spaces; parts without a partner are dropped.
    pub(crate) fn with_partners(
        &self,
        other: &Self,
        combine: impl Fn(&Piecewise<E>, &Piecewise<E>) -> Result<Piecewise<E>>,
    ) -> Result<Self> {
        let both = self.parts.iter().filter_map(|part| Some((part, other.part(&part.space)?)));
        let results = both.map(|(a, b)| combine(a, b)).collect::<Result<_>>()?;
        Ok(UnionPiecewise::from_parts(results))
    }

    /// What `combine` makes of the parts in equal spaces; parts without a partner are kept.
    pub(crate) fn with_all(
        &self,
        other: &Self,
        combine: impl Fn(&Piecewise<E>, &Piecewise<E>) -> Result<Piecewise<E>>,
    ) -> Result<Self> {
        let mut parts = self.parts.clone();
        for part in &other.parts {
            match parts.iter_mut().find(|known| known.space.has_equal_tuples(&part.space)) {
                Some(known) => *known = combine(known, part)?,
                None => parts.push(part.clone()),
            }
        }
        Ok(UnionPiecewise::from_parts(parts))
    }

    /// Restricted; parts in spaces that the set lacks are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionPwAff, UnionSet};
    /// let time = UnionPwAff::parse("{ S[i] -> [(i)]; T[] -> [(5)] }")?;
    /// let positive = UnionSet::parse("{ S[i] : i > 0 }")?;
    /// assert_eq!(time.intersect_domain(&positive)?.to_string(), "{ S[i] -> [(i)] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> {
        self.try_mapped(|part| part.intersect_domain(&set.extract(&part.own_domain())))
    }

    /// Restricted to parameter values.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, UnionPwAff};
    /// let time = UnionPwAff::parse("[n] -> { S[i] -> [(i)]; T[] -> [(n)] }")?;
    /// let positive = Set::parse("[n] -> { : n > 0 }")?;
    /// assert_eq!(
    ///     time.intersect_params(&positive)?.to_string(),
    ///     "[n] -> { S[i] -> [(i)] : n > 0; T[] -> [(n)] : n > 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is no parameter set.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> {
        self.try_mapped(|part| part.intersect_params(params))
    }

    /// Restricted to the points outside of a set.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwAff, UnionSet};
    /// let time = UnionPwAff::parse("{ S[i] -> [(i)] : i > 0; T[] -> [(5)] }")?;
    /// let large = UnionSet::parse("{ S[i] : i > 9 }")?;
    /// assert_eq!(
    ///     time.subtract_domain(&large, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> [(i)] : 0 < i <= 9; T[] -> [(5)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract_domain(&self, set: &UnionSet, budget: &Budget) -> Result<Self> {
        self.try_mapped(|part| part.subtract_domain(&set.extract(&part.own_domain()), budget))
            .during("subtract_domain")
    }

    /// Both, for disjoint domains.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwAff;
    /// let a = UnionPwAff::parse("{ S[i] -> [(i)] : i > 0 }")?;
    /// let b = UnionPwAff::parse("{ S[i] -> [(0)] : i <= 0; T[] -> [(5)] }")?;
    /// assert_eq!(
    ///     a.union_disjoint(&b)?.to_string(),
    ///     "{ S[i] -> [(i)] : i > 0; S[i] -> [(0)] : i <= 0; T[] -> [(5)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn union_disjoint(&self, other: &Self) -> Result<Self> {
        self.with_all(other, Piecewise::union_disjoint)
    }

    /// Composition: this function of the value of `inner`; parts of `inner` whose range is in no
    /// domain are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionPwAff, UnionPwMultiAff};
    /// let time = UnionPwAff::parse("{ A[x] -> [(x)] : x > 0; B[] -> [(5)] }")?;
    /// let inner = UnionPwMultiAff::parse("{ S[i] -> A[(i - 1)]; T[i] -> B[] }")?;
    /// assert_eq!(
    ///     time.pullback(&inner)?.to_string(),
    ///     "{ S[i] -> [(-1 + i)] : i >= 2; T[i] -> [(5)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> Result<Self> {
        let mut result = UnionPiecewise::empty();
        for map in &inner.parts {
            let range = map.space.range();
            for part in self.parts.iter().filter(|p| p.own_domain().has_equal_tuples(&range)) {
                let composed = UnionPiecewise { parts: vec![part.pullback_pw_multi_aff(map)?] };
                result = result.union_disjoint(&composed)?;
            }
        }
        Ok(result)
    }

    /// Simplified inside a context; parts that do not meet the context are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwAff, UnionSet};
    /// let time = UnionPwAff::parse("{ S[i] -> [(i)] : 0 <= i <= 9; T[] -> [(5)] }")?;
    /// let known = UnionSet::parse("{ S[i] : i >= 0 }")?;
    /// assert_eq!(
    ///     time.gist(&known, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> [(i)] : i <= 9 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist(&self, context: &UnionSet, budget: &Budget) -> Result<Self> {
        self.try_mapped(|part| part.gist(&context.extract(&part.own_domain()), budget))
            .during("gist")
    }

    /// Simplified for parameter values in a context.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set, UnionPwAff};
    /// let time =
    ///     UnionPwAff::parse("[n] -> { S[i] -> [(i)] : i < n and n > 5; T[] -> [(5)] : n > 3 }")?;
    /// let known = Set::parse("[n] -> { : n > 9 }")?;
    /// assert_eq!(
    ///     time.gist_params(&known, &Budget::unlimited())?.to_string(),
    ///     "[n] -> { S[i] -> [(i)] : i < n; T[] -> [(5)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.try_mapped(|part| part.gist_params(context, budget)).during("gist_params")
    }

    /// Fewer pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwAff};
    /// let time =
    ///     UnionPwAff::parse("{ S[i] -> [(i)] : i < 5; S[i] -> [(i)] : i >= 5; T[] -> [(5)] }")?;
    /// assert_eq!(
    ///     time.coalesce(&Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> [(i)]; T[] -> [(5)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        self.try_mapped(|part| part.coalesce(budget)).during("coalesce")
    }
}

/// Piecewise expressions over several domain spaces, at most one part per space.
///
/// ```
/// # use loopwright_presburger::{Int, UnionPwAff};
/// let time = UnionPwAff::parse("{ S[i] -> [(i)]; T[i] -> [(i + 3)] }")?;
/// let tiles = time.scale_down(&Int::from(4)).floor();
/// assert_eq!(tiles.to_string(), "{ S[i] -> [(floor((i)/4))]; T[i] -> [(floor((3 + i)/4))] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub type UnionPwAff = UnionPiecewise<Aff>;

/// Piecewise tuples over several domain and range spaces.
///
/// ```
/// # use loopwright_presburger::UnionPwMultiAff;
/// let accesses = UnionPwMultiAff::parse("{ S[i] -> A[(i)] : i > 0; T[i, j] -> B[(j), (i)] }")?;
/// assert_eq!(accesses.to_union_map().to_string(), "{ S[i] -> A[i] : i > 0; T[i, j] -> B[j, i] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub type UnionPwMultiAff = UnionPiecewise<MultiAff>;

/// Defined nowhere.
impl<E: Expression> Default for UnionPiecewise<E> {
    fn default() -> Self {
        UnionPiecewise::empty()
    }
}
