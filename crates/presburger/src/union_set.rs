//! Unions of sets over several spaces.
//!
//! A union of sets is a union of relations without input; everything hands on to [`UnionMap`].
use crate::*;

/// A finite union of sets in several spaces.
#[derive(Clone, Debug)]
pub struct UnionSet(pub(crate) UnionMap);

impl UnionSet {
    /// Nothing, over no parameters.
    pub fn empty() -> Self {
        UnionSet(UnionMap::empty())
    }

    /// One set as a union.
    pub fn from_set(set: Set) -> Self {
        UnionSet(UnionMap::from_map(set.0))
    }

    /// The union of sets, at least over the parameters of `params`.
    pub fn from_sets(params: &Space, sets: impl IntoIterator<Item = Set>) -> Self {
        UnionSet(UnionMap::from_maps(params, sets.into_iter().map(|set| set.0)))
    }

    /// The sets, one per tuple.
    pub fn sets(&self) -> Vec<Set> {
        self.0.maps.iter().cloned().map(Set).collect()
    }

    /// The set of a space, empty if there is none.
    pub fn extract(&self, space: &Space) -> Set {
        Set(self.0.extract(space))
    }

    /// Whether there are no pieces at all.
    pub fn plain_is_empty(&self) -> bool {
        self.0.plain_is_empty()
    }

    /// The parameters.
    pub fn param_names(&self) -> Vec<Name> {
        self.0.param_names()
    }

    /// The space of the parameters.
    pub fn params_space(&self) -> &Space {
        self.0.params_space()
    }

    /// Parameters aligned to those of `space` first, others after.
    pub fn align_params(&self, space: &Space) -> Self {
        UnionSet(self.0.align_params(space))
    }

    /// The intersection.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        self.intersect_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::intersect`], within a budget.
    ///
    /// # Errors
    /// As for [`UnionSet::intersect`]; [`Error::Exceeded`].
    pub fn intersect_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.intersect_within(&other.0, budget)?))
    }

    /// The intersection with a set of parameters.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> {
        self.intersect_params_within(params, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::intersect_params`], within a budget.
    ///
    /// # Errors
    /// As for [`UnionSet::intersect_params`]; [`Error::Exceeded`].
    pub fn intersect_params_within(&self, params: &Set, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.intersect_params_within(params, budget)?))
    }

    /// The union (pieces may overlap).
    pub fn union(&self, other: &Self) -> Result<Self> {
        Ok(UnionSet(self.0.union(&other.0)?))
    }

    /// The difference.
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.subtract(&other.0, budget)?))
    }

    /// Whether there is no integer point for any value of the parameters.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        self.0.is_empty(budget)
    }

    /// Whether every point is in `other`.
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_subset(&other.0, budget)
    }

    /// Whether both have the same points.
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_equal(&other.0, budget)
    }

    /// Whether there is no common point.
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_disjoint(&other.0, budget)
    }

    /// A cheaper description that equals `self` inside `context`.
    ///
    /// Spaces that `context` lacks are dropped.
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.gist(&context.0, budget)?))
    }

    /// The gist with respect to a set of parameters.
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.gist_params(context, budget)?))
    }

    /// The same points in fewer basic pieces.
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.coalesce(budget)?))
    }

    /// The same points in pairwise disjoint pieces.
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.make_disjoint(budget)?))
    }

    /// The same points without unknown existentials: every local is an explicit floor.
    pub fn compute_divs(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.compute_divs(budget)?))
    }

    /// The same without constraints that follow from others.
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.remove_redundancies(budget)?))
    }

    /// The same with implicit equalities made explicit.
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.detect_equalities(budget)?))
    }

    /// The parameter values for which there is a point.
    pub fn params(&self) -> Set {
        self.0.params()
    }

    /// The image under a relation.
    pub fn apply(&self, map: &UnionMap) -> Result<Self> {
        self.apply_within(map, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::apply`], within a budget.
    ///
    /// # Errors
    /// As for [`UnionSet::apply`]; [`Error::Exceeded`].
    pub fn apply_within(&self, map: &UnionMap, budget: &Budget) -> Result<Self> {
        Ok(map.intersect_domain_within(self, budget).during("apply")?.range())
    }

    /// The relations inside the sets of wrapped pairs; other sets are dropped.
    pub fn unwrap(&self) -> Result<UnionMap> {
        let sets = self.sets().into_iter();
        let relations = sets.filter_map(|set| set.unwrap().ok());
        Ok(UnionMap::collect(self.0.params.clone(), relations))
    }

    /// Whether every point is in `other`, which has further ones.
    pub fn is_strict_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_strict_subset(&other.0, budget)
    }

    /// [x -> y] for x here and y in `other`.
    pub fn product(&self, other: &Self) -> Result<Self> {
        self.product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::product`], within a budget.
    ///
    /// # Errors
    /// As for [`UnionSet::product`]; [`Error::Exceeded`].
    pub fn product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let pair = |a: &Map, b: &Map| {
            Set(a.clone()).product_within(&Set(b.clone()), budget).map(|set| set.0)
        };
        self.0.with_all(&other.0, |_, _| true, pair).map(UnionSet)
    }

    /// The smallest elements.
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.lexmin(budget)?))
    }

    /// The greatest elements.
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.lexmax(budget)?))
    }
}

impl From<Set> for UnionSet {
    fn from(set: Set) -> Self {
        UnionSet::from_set(set)
    }
}
