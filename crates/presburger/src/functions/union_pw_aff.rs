//! Piecewise expressions over several domain spaces.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::space::Space;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::functions::piecewise::PwAff;
use crate::functions::union_piecewise::UnionPwAff;

impl UnionPwAff {
    /// The sum where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwAff;
    /// let a = UnionPwAff::parse("{ S[i] -> [(i)] : i > 0; T[] -> [(5)] }")?;
    /// let b = UnionPwAff::parse("{ S[i] -> [(1)] }")?;
    /// assert_eq!(a.add(&b)?.to_string(), "{ S[i] -> [(1 + i)] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: parts over different spaces do not meet.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.with_partners(other, PwAff::add)
    }

    /// The difference where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwAff;
    /// let a = UnionPwAff::parse("{ S[i] -> [(i)] : i > 0; T[] -> [(5)] }")?;
    /// let b = UnionPwAff::parse("{ S[i] -> [(1)]; T[] -> [(2)] }")?;
    /// assert_eq!(a.sub(&b)?.to_string(), "{ S[i] -> [(-1 + i)] : i > 0; T[] -> [(3)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: parts over different spaces do not meet.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.with_partners(other, PwAff::sub)
    }

    /// The sum where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwAff};
    /// let a = UnionPwAff::parse("{ S[i] -> [(i)]; T[] -> [(5)] }")?;
    /// let b = UnionPwAff::parse("{ S[i] -> [(1)]; U[] -> [(2)] }")?;
    /// assert_eq!(
    ///     a.union_add(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> [(1 + i)]; T[] -> [(5)]; U[] -> [(2)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn union_add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |a, b| a.union_add(b, budget)).during("union_add")
    }

    /// The smaller where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwAff};
    /// let a = UnionPwAff::parse("{ S[i] -> [(i)]; T[] -> [(5)] }")?;
    /// let b = UnionPwAff::parse("{ S[i] -> [(i + 1)]; T[] -> [(2)]; U[] -> [(2)] }")?;
    /// assert_eq!(
    ///     a.union_min(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> [(i)]; T[] -> [(2)]; U[] -> [(2)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn union_min(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |a, b| a.union_min(b, budget)).during("union_min")
    }

    /// The greater where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwAff};
    /// let a = UnionPwAff::parse("{ S[i] -> [(i)]; T[] -> [(5)] }")?;
    /// let b = UnionPwAff::parse("{ S[i] -> [(i + 1)]; T[] -> [(2)]; U[] -> [(2)] }")?;
    /// assert_eq!(
    ///     a.union_max(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> [(1 + i)]; T[] -> [(5)]; U[] -> [(2)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn union_max(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |a, b| a.union_max(b, budget)).during("union_max")
    }

    /// Where it is zero.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwAff;
    /// let a = UnionPwAff::parse("{ S[i] -> [(i - 3)]; T[] -> [(5)] }")?;
    /// assert_eq!(a.zero_set().to_string(), "{ S[i = 3] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn zero_set(&self) -> UnionSet {
        let maps = self.parts.iter().map(|part| part.zero_set().0);
        UnionSet(UnionMap::collect(Space::params(&[]), maps))
    }
}
