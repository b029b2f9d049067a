//! Unions of relations and sets over several spaces.
#![allow(unused_variables)]
use crate::*;

/// A finite union of relations in several spaces, in a fixed order of the spaces.
#[derive(Clone, Debug)]
pub struct UnionMap {
    pub(crate) params: Space,
    pub(crate) maps: Vec<Map>,
}

/// A finite union of sets in several spaces.
#[derive(Clone, Debug)]
pub struct UnionSet(pub(crate) UnionMap);

impl UnionMap {
    /// The intersection.
    pub fn intersect(&self, other: &Self) -> Result<Self> { todo!() }
    /// The intersection with a set of parameters.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> { todo!() }
    /// The union (pieces may overlap).
    pub fn union(&self, other: &Self) -> Result<Self> { todo!() }
    /// The difference.
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> { todo!() }
    /// Whether there is no integer point for any value of the parameters.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> { todo!() }
    /// Whether every point is in `other`.
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> { todo!() }
    /// Whether both have the same points.
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> { todo!() }
    /// Whether there is no common point.
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> { todo!() }
    /// A cheaper description that equals `self` inside `context`.
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> { todo!() }
    /// The gist with respect to a set of parameters.
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> { todo!() }
    /// The same points in fewer basic pieces.
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The same points in pairwise disjoint pieces.
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The same points without unknown existentials: every local is an explicit floor.
    pub fn compute_divs(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The parameter values for which there is a point.
    pub fn params(&self) -> Set { todo!() }
    /// Nothing, over no parameters.
    pub fn empty() -> Self { todo!() }
    /// Whether there are no pieces at all.
    pub fn plain_is_empty(&self) -> bool { todo!() }
    /// The parameters.
    pub fn param_names(&self) -> Vec<Name> { todo!() }
    /// Parameters aligned to those of `space` first, others after.
    pub fn align_params(&self, space: &Space) -> Self { todo!() }
    /// The same without constraints that follow from others.
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The same with implicit equalities made explicit.
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The inverse.
    pub fn reverse(&self) -> Self { todo!() }
    /// The domain.
    pub fn domain(&self) -> UnionSet { todo!() }
    /// The range.
    pub fn range(&self) -> UnionSet { todo!() }
    /// Those pairs whose first is in `set`.
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> { todo!() }
    /// Those pairs whose second is in `set`.
    pub fn intersect_range(&self, set: &UnionSet) -> Result<Self> { todo!() }
    /// The pairs (x,z) with (x,y) here and (y,z) in `other`.
    pub fn apply_range(&self, other: &Self) -> Result<Self> { todo!() }
    /// The pairs (y,z) with (x,z) here and (x,y) in `other`: replaces domain elements.
    pub fn apply_domain(&self, other: &Self) -> Result<Self> { todo!() }
    /// x -> [y -> z] for x -> y here and x -> z in other.
    pub fn range_product(&self, other: &Self) -> Result<Self> { todo!() }
    /// [x -> y] -> z.
    pub fn domain_product(&self, other: &Self) -> Result<Self> { todo!() }
    /// [a -> b] -> [c -> d] from a -> c and b -> d.
    pub fn product(&self, other: &Self) -> Result<Self> { todo!() }
    /// Like `range_product`, with a flat result.
    pub fn flat_range_product(&self, other: &Self) -> Result<Self> { todo!() }
    /// The set of wrapped pairs.
    pub fn wrap(&self) -> UnionSet { todo!() }
    /// The relation [x -> y] -> x.
    pub fn domain_map(&self) -> Self { todo!() }
    /// The relation [x -> y] -> y.
    pub fn range_map(&self) -> Self { todo!() }
    /// ((x->y)->z) from (x->(y->z)).
    pub fn uncurry(&self) -> Result<Self> { todo!() }
    /// (x->(y->z)) from ((x->y)->z).
    pub fn curry(&self) -> Result<Self> { todo!() }
    /// From x->y pairs with wrapped domain [a->b] -> c: a -> c.
    pub fn domain_factor_domain(&self) -> Result<Self> { todo!() }
    /// From [a->b] -> c: b -> c.
    pub fn domain_factor_range(&self) -> Result<Self> { todo!() }
    /// From x -> [a->b]: x -> a.
    pub fn range_factor_domain(&self) -> Result<Self> { todo!() }
    /// From x -> [a->b]: x -> b.
    pub fn range_factor_range(&self) -> Result<Self> { todo!() }
    /// Whether every element of the domain has one image.
    pub fn is_single_valued(&self, budget: &Budget) -> Result<bool> { todo!() }
    /// Whether every element of the range has one origin.
    pub fn is_injective(&self, budget: &Budget) -> Result<bool> { todo!() }
    /// Both.
    pub fn is_bijective(&self, budget: &Budget) -> Result<bool> { todo!() }
    /// The differences range - domain of pairs in equal spaces.
    pub fn deltas(&self) -> Result<UnionSet> { todo!() }
    /// Those pairs whose domain is not in `set`.
    pub fn subtract_domain(&self, set: &UnionSet, budget: &Budget) -> Result<Self> { todo!() }
    /// Those pairs whose range is not in `set`.
    pub fn subtract_range(&self, set: &UnionSet, budget: &Budget) -> Result<Self> { todo!() }
    /// The gist inside a domain.
    pub fn gist_domain(&self, context: &UnionSet, budget: &Budget) -> Result<Self> { todo!() }
    /// The gist inside a range.
    pub fn gist_range(&self, context: &UnionSet, budget: &Budget) -> Result<Self> { todo!() }
    /// One relation as a union.
    pub fn from_map(map: Map) -> Self { todo!() }
    /// The relations, one per pair of tuples.
    pub fn maps(&self) -> &[Map] { todo!() }
    /// The relation of a space, empty if there is none.
    pub fn extract(&self, space: &Space) -> Map { todo!() }
    /// x -> x for x in the set.
    pub fn identity_on(set: &UnionSet) -> Self { todo!() }
    /// All pairs.
    pub fn from_domain_and_range(domain: &UnionSet, range: &UnionSet) -> Result<Self> { todo!() }
    /// The smallest images per space.
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The greatest images per space.
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// { x -> y : self(x) lexicographically smaller than other(y) } for images in equal spaces.
    pub fn lex_lt_union_map(&self, other: &Self) -> Result<Self> { todo!() }
    /// { x -> y : self(x) = other(y) }.
    pub fn eq_at(&self, other: &Self) -> Result<Self> { todo!() }
}
impl UnionSet {
    /// The intersection.
    pub fn intersect(&self, other: &Self) -> Result<Self> { todo!() }
    /// The intersection with a set of parameters.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> { todo!() }
    /// The union (pieces may overlap).
    pub fn union(&self, other: &Self) -> Result<Self> { todo!() }
    /// The difference.
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> { todo!() }
    /// Whether there is no integer point for any value of the parameters.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> { todo!() }
    /// Whether every point is in `other`.
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> { todo!() }
    /// Whether both have the same points.
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> { todo!() }
    /// Whether there is no common point.
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> { todo!() }
    /// A cheaper description that equals `self` inside `context`.
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> { todo!() }
    /// The gist with respect to a set of parameters.
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> { todo!() }
    /// The same points in fewer basic pieces.
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The same points in pairwise disjoint pieces.
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The same points without unknown existentials: every local is an explicit floor.
    pub fn compute_divs(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The parameter values for which there is a point.
    pub fn params(&self) -> Set { todo!() }
    /// Nothing, over no parameters.
    pub fn empty() -> Self { todo!() }
    /// Whether there are no pieces at all.
    pub fn plain_is_empty(&self) -> bool { todo!() }
    /// The parameters.
    pub fn param_names(&self) -> Vec<Name> { todo!() }
    /// Parameters aligned to those of `space` first, others after.
    pub fn align_params(&self, space: &Space) -> Self { todo!() }
    /// The same without constraints that follow from others.
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The same with implicit equalities made explicit.
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// One set as a union.
    pub fn from_set(set: Set) -> Self { todo!() }
    /// The sets, one per tuple.
    pub fn sets(&self) -> Vec<Set> { todo!() }
    /// The set of a space, empty if there is none.
    pub fn extract(&self, space: &Space) -> Set { todo!() }
    /// The image under a relation.
    pub fn apply(&self, map: &UnionMap) -> Result<Self> { todo!() }
    /// The relations inside the sets of wrapped pairs.
    pub fn unwrap(&self) -> Result<UnionMap> { todo!() }
    /// The smallest elements.
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The greatest elements.
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> { todo!() }
}
