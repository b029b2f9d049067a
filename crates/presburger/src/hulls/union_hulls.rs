//! The hulls of relations on all other types.
//!
//! A set is a relation without input, and the hull of a union is the union of the hulls in each
//! space.
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;

macro_rules! hulls {
    ($(
        $(#[$doc:meta])* $hull:ident,
        $set:literal => $set_hull:literal,
        $map:literal => $map_hull:literal,
        $sets:literal => $sets_hull:literal;
    )*) => {
        impl Set {$(
            $(#[$doc])*
            ///
            /// ```
            /// # use loopwright_presburger::{Budget, Set};
            /// let budget = &Budget::unlimited();
            #[doc = concat!("let set = Set::parse(\"", $set, "\")?;")]
            #[doc = concat!("let expected = Set::parse(\"", $set_hull, "\")?;")]
            #[doc = concat!("let hull = set.", stringify!($hull), "(budget)?;")]
            /// assert!(Set::from_basic_set(hull).is_equal(&expected, budget)?);
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`Error::Exceeded`](crate::Error::Exceeded).
            pub fn $hull(&self, budget: &Budget) -> Result<BasicSet> {
                self.0.$hull(budget).map(BasicSet)
            }
        )*}

        impl UnionMap {$(
            $(#[$doc])*
            /// One basic relation for each space.
            ///
            /// ```
            /// # use loopwright_presburger::{Budget, UnionMap};
            /// let budget = &Budget::unlimited();
            #[doc = concat!("let union = UnionMap::parse(\"", $map, "\")?;")]
            #[doc = concat!("let expected = UnionMap::parse(\"", $map_hull, "\")?;")]
            #[doc = concat!("let hull = union.", stringify!($hull), "(budget)?;")]
            /// assert!(hull.is_equal(&expected, budget)?);
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`Error::Exceeded`](crate::Error::Exceeded).
            pub fn $hull(&self, budget: &Budget) -> Result<Self> {
                self.try_each(|map| map.$hull(budget).map(Map::from_basic_map))
            }
        )*}

        impl UnionSet {$(
            $(#[$doc])*
            /// One basic set for each space.
            ///
            /// ```
            /// # use loopwright_presburger::{Budget, UnionSet};
            /// let budget = &Budget::unlimited();
            #[doc = concat!("let union = UnionSet::parse(\"", $sets, "\")?;")]
            #[doc = concat!("let expected = UnionSet::parse(\"", $sets_hull, "\")?;")]
            #[doc = concat!("let hull = union.", stringify!($hull), "(budget)?;")]
            /// assert!(hull.is_equal(&expected, budget)?);
            /// # Ok::<(), loopwright_presburger::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`Error::Exceeded`](crate::Error::Exceeded).
            pub fn $hull(&self, budget: &Budget) -> Result<Self> {
                self.0.$hull(budget).map(UnionSet)
            }
        )*}
    };
}

hulls! {
    /// The smallest affine hull of the integer points: equalities and congruences, see
    /// [`Map::affine_hull`].
    affine_hull,
    "{ [0]; [9]; [15] }" => "{ [i] : i mod 3 = 0 }",
    "{ S[i] -> A[i + 1]; S[i] -> A[i + 5]; T[] -> A[0] }"
        => "{ S[i] -> A[x] : (x - i) mod 4 = 1; T[] -> A[0] }",
    "{ S[1]; S[5]; T[0] }" => "{ S[i] : i mod 4 = 1; T[0] }";
    /// Constraints of the pieces, shifted until they hold on all, see [`Map::simple_hull`].
    simple_hull,
    "{ [i] : 0 <= i <= 3 or 8 <= i <= 9 }" => "{ [i] : 0 <= i <= 9 }",
    "{ S[i] -> A[x] : i <= x <= i + 1; S[i] -> A[i + 5]; T[] -> A[0] }"
        => "{ S[i] -> A[x] : i <= x <= i + 5; T[] -> A[0] }",
    "{ S[i] : 0 <= i <= 3; S[9]; T[] }" => "{ S[i] : 0 <= i <= 9; T[] }";
    /// Constraints of the pieces that hold on all, see [`Map::unshifted_simple_hull`].
    unshifted_simple_hull,
    "{ [i, j] : 0 <= j <= i <= 3; [5, 9] }" => "{ [i, j] : i <= 5 and 0 <= j <= 9 }",
    "{ S[i] -> A[x] : 0 <= x <= i; S[i] -> A[x] : 0 <= x <= 9; T[] -> A[0] }"
        => "{ S[i] -> A[x] : x >= 0; T[] -> A[0] }",
    "{ S[i, j] : 0 <= j <= i; S[0, 5]; T[] }" => "{ S[i, j] : i >= 0 and j >= 0; T[] }";
    /// The convex hull of the pieces as rational polyhedra, see [`Map::convex_hull`].
    convex_hull,
    "{ [0, 0]; [4, 0]; [0, 4] }" => "{ [i, j] : i >= 0 and j >= 0 and i + j <= 4 }",
    "{ S[0] -> A[0]; S[4] -> A[8]; T[] -> A[0] }" => "{ S[i] -> A[2i] : 0 <= i <= 4; T[] -> A[0] }",
    "{ S[0, 0]; S[2, 4]; S[4, 0]; T[] }" => "{ S[i, j] : 0 <= j <= 2i and j <= 8 - 2i; T[] }";
    /// The convex hull over parameters and dimensions alone, see [`Map::polyhedral_hull`].
    polyhedral_hull,
    "{ [i] : 0 <= i <= 8 and i mod 2 = 0 }" => "{ [i] : 0 <= i <= 8 }",
    "{ S[i] -> A[x] : 0 <= x <= i and x mod 2 = 0; T[] -> A[0] }"
        => "{ S[i] -> A[x] : 0 <= x <= i; T[] -> A[0] }",
    "{ S[0]; S[i] : 3 <= i <= 9 and i mod 3 = 0; T[] }" => "{ S[i] : 0 <= i <= 9; T[] }";
}

impl BasicSet {
    /// The smallest affine hull of the integer points, see
    /// [`BasicMap::affine_hull`](crate::BasicMap::affine_hull).
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("{ [i, j] : 2i <= j <= 2i + 1 and j mod 2 = 0 }")?;
    /// let hull = set.basic_sets()[0].affine_hull(&Budget::unlimited())?;
    /// assert_eq!(Set::from_basic_set(hull).to_string(), "{ [i, j = 2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn affine_hull(&self, budget: &Budget) -> Result<BasicSet> {
        self.0.affine_hull(budget).map(BasicSet)
    }
}
