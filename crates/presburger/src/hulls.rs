//! The hulls of relations on all other types.
//!
//! A set is a relation without input, and the hull of a union is the union of the hulls in each
//! space.
use crate::*;

macro_rules! hulls {
    ($($(#[$doc:meta])* $hull:ident;)*) => {
        impl Set {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Exceeded`].
            pub fn $hull(&self, budget: &Budget) -> Result<BasicSet> {
                self.0.$hull(budget).map(BasicSet)
            }
        )*}

        impl UnionMap {$(
            $(#[$doc])*
            /// One basic relation for each space.
            ///
            /// # Errors
            /// [`Error::Exceeded`].
            pub fn $hull(&self, budget: &Budget) -> Result<Self> {
                self.try_each(|map| map.$hull(budget).map(Map::from_basic_map))
            }
        )*}

        impl UnionSet {$(
            $(#[$doc])*
            /// One basic set for each space.
            ///
            /// # Errors
            /// [`Error::Exceeded`].
            pub fn $hull(&self, budget: &Budget) -> Result<Self> {
                self.0.$hull(budget).map(UnionSet)
            }
        )*}
    };
}

hulls! {
    /// The smallest affine hull of the integer points: equalities and congruences, see
    /// [`Map::affine_hull`].
    affine_hull;
    /// Constraints of the pieces, shifted until they hold on all, see [`Map::simple_hull`].
    simple_hull;
    /// Constraints of the pieces that hold on all, see [`Map::unshifted_simple_hull`].
    unshifted_simple_hull;
    /// The convex hull of the pieces as rational polyhedra, see [`Map::convex_hull`].
    convex_hull;
    /// The convex hull over parameters and dimensions alone, see [`Map::polyhedral_hull`].
    polyhedral_hull;
}

impl BasicSet {
    /// The smallest affine hull of the integer points, see [`BasicMap::affine_hull`].
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn affine_hull(&self, budget: &Budget) -> Result<BasicSet> {
        self.0.affine_hull(budget).map(BasicSet)
    }
}
