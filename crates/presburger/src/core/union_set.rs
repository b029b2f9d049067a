//! Unions of sets over several spaces.
//!
//! A union of sets is a union of relations without input; everything hands on to [`UnionMap`].
use crate::core::error::Result;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::tuple::Name;
use crate::core::union_map::UnionMap;

/// A finite union of sets in several spaces.
///
/// ```
/// # use loopwright_presburger::{Budget, UnionSet};
/// let statements = UnionSet::parse("[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i, j < n }")?;
/// assert_eq!(statements.sets().len(), 2);
/// let one = UnionSet::parse("[n] -> { S[i] : 0 < i < n }")?;
/// let rest = statements.subtract(&one, &Budget::unlimited())?;
/// assert_eq!(
///     rest.to_string(),
///     "[n] -> { S[i = 0] : n > 0; T[i, j] : 0 <= i < n and 0 <= j < n }"
/// );
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a new value is returned, operands do not change"]
pub struct UnionSet(pub(crate) UnionMap);

impl UnionSet {
    /// Nothing, over no parameters.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// assert_eq!(UnionSet::empty().to_string(), "{  }");
    /// ```
    pub fn empty() -> Self {
        UnionSet(UnionMap::empty())
    }

    /// One set as a union.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, UnionSet};
    /// let set = Set::parse("{ S[i] : 0 <= i <= 9 }")?;
    /// assert_eq!(UnionSet::from_set(set).to_string(), "{ S[i] : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_set(set: Set) -> Self {
        UnionSet(UnionMap::from_map(set.0))
    }

    /// The union of sets, at least over the parameters of `params`.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space, UnionSet};
    /// let sets = [Set::parse("{ S[i] : i > 0 }")?, Set::parse("[n] -> { T[n] }")?];
    /// let union = UnionSet::from_sets(&Space::params(&["m".into()]), sets);
    /// assert_eq!(union.to_string(), "[m, n] -> { S[i] : i > 0; T[n] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_sets(params: &Space, sets: impl IntoIterator<Item = Set>) -> Self {
        UnionSet(UnionMap::from_maps(params, sets.into_iter().map(|set| set.0)))
    }

    /// The sets, one per tuple.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, UnionSet};
    /// let union = UnionSet::parse("{ S[0]; T[0]; S[5] }")?;
    /// let texts: Vec<String> = union.sets().iter().map(Set::to_string).collect();
    /// assert_eq!(texts, ["{ S[0]; S[5] }", "{ T[0] }"]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn sets(&self) -> Vec<Set> {
        self.0.maps.iter().cloned().map(Set).collect()
    }

    /// The set of a space, empty if there is none.
    ///
    /// ```
    /// # use loopwright_presburger::{Space, Tuple, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : i > 0; T[i] }")?;
    /// let space = Space::set(&[], Tuple::named("S", 1));
    /// assert_eq!(union.extract(&space).to_string(), "{ S[i] : i > 0 }");
    /// assert!(union.extract(&Space::set(&[], Tuple::named("U", 1))).plain_is_empty());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn extract(&self, space: &Space) -> Set {
        Set(self.0.extract(space))
    }

    /// Whether there are no pieces at all.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// assert!(UnionSet::empty().plain_is_empty());
    /// // There is no such i, but that takes some thought.
    /// let union = UnionSet::parse("{ S[i] : i mod 2 = 1 and i mod 4 = 0 }")?;
    /// assert!(!union.plain_is_empty() && union.is_empty(&Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_empty(&self) -> bool {
        self.0.plain_is_empty()
    }

    /// The parameters.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let union = UnionSet::parse("[n, m] -> { S[n]; T[m] }")?;
    /// assert_eq!(union.param_names(), ["n".into(), "m".into()]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn param_names(&self) -> Vec<Name> {
        self.0.param_names()
    }

    /// The space of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let union = UnionSet::parse("[n, m] -> { S[n]; T[m] }")?;
    /// assert_eq!(union.params_space().to_string(), "[n, m] -> { : }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn params_space(&self) -> &Space {
        self.0.params_space()
    }

    /// Parameters aligned to those of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Space, UnionSet};
    /// let union = UnionSet::parse("[n] -> { S[n] }")?;
    /// let aligned = union.align_params(&Space::params(&["m".into(), "n".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { S[n] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        UnionSet(self.0.align_params(space))
    }

    /// The union (pieces may overlap).
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let a = UnionSet::parse("{ S[i] : i > 0 }")?;
    /// let b = UnionSet::parse("{ S[0]; T[] }")?;
    /// assert_eq!(a.union(&b)?.to_string(), "{ S[i] : i > 0; S[0]; T[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn union(&self, other: &Self) -> Result<Self> {
        Ok(UnionSet(self.0.union(&other.0)?))
    }
}

impl From<Set> for UnionSet {
    fn from(set: Set) -> Self {
        UnionSet::from_set(set)
    }
}

/// Nothing, over no parameters.
impl Default for UnionSet {
    fn default() -> Self {
        UnionSet::empty()
    }
}
