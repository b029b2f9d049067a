//! Relations: finite unions of basic relations in one space.
#![allow(unused_variables)]
use crate::*;

/// A finite union of basic relations in one space.
#[derive(Clone, Debug)]
pub struct Map {
    pub(crate) space: Space,
    pub(crate) basics: Vec<BasicMap>,
}

impl Map {
    /// The intersection.
    pub fn intersect(&self, other: &Self) -> Result<Self> { todo!() }
    /// The intersection with a set of parameters.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> { todo!() }
    /// The union (pieces may overlap).
    pub fn union(&self, other: &Self) -> Result<Self> { todo!() }
    /// Whether there is no integer point for any value of the parameters.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> { todo!() }
    /// The parameter values for which there is a point.
    pub fn params(&self) -> Set { todo!() }
    /// All of `space`.
    pub fn universe(space: Space) -> Self { todo!() }
    /// Nothing of `space`.
    pub fn empty(space: Space) -> Self { todo!() }
    /// The space.
    pub fn space(&self) -> &Space { todo!() }
    /// Whether emptiness is obvious (cheap, one-sided).
    pub fn plain_is_empty(&self) -> bool { todo!() }
    /// The number of dimensions of a kind.
    pub fn n(&self, kind: DimKind) -> usize { todo!() }
    /// The position of a parameter, or none.
    pub fn find_param(&self, name: &str) -> Option<usize> { todo!() }
    /// Projects out `count` dimensions of `kind` from `first` on: exact; what cannot be eliminated becomes a local. The space shrinks (tuple becomes anonymous unless all dims of other kinds remain; parameters just vanish).
    pub fn project_out(&self, kind: DimKind, first: usize, count: usize) -> Self { todo!() }
    /// Makes the dimensions unconstrained without removing them.
    pub fn eliminate(&self, kind: DimKind, first: usize, count: usize) -> Self { todo!() }
    /// Inserts unconstrained dimensions before `position`.
    pub fn insert_dims(&self, kind: DimKind, position: usize, count: usize) -> Self { todo!() }
    /// Restricts a dimension to a value.
    pub fn fix(&self, kind: DimKind, position: usize, value: &Int) -> Self { todo!() }
    /// Restricts a dimension to at least a value.
    pub fn lower_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self { todo!() }
    /// Restricts a dimension to at most a value.
    pub fn upper_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self { todo!() }
    /// Restricts two dimensions to equal values.
    pub fn equate(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Self { todo!() }
    /// Parameters aligned to those of `space` first, others after.
    pub fn align_params(&self, space: &Space) -> Self { todo!() }
    /// Replaces the tuple names and structure (same numbers of dimensions).
    pub fn with_space_tuples(&self, space: &Space) -> Result<Self> { todo!() }
    /// The smallest affine hull of the integer points (equalities, congruences as locals).
    pub fn affine_hull(&self, budget: &Budget) -> Result<BasicMap> { todo!() }
    /// The same without constraints that follow from others.
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The same with implicit equalities made explicit.
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// Drops every constraint that involves the dimensions (over-approximation).
    pub fn drop_constraints_involving_dims(&self, kind: DimKind, first: usize, count: usize) -> Self { todo!() }
    /// Whether a constraint (or a floor used) involves the dimensions.
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool { todo!() }
    /// An over-approximation without any locals (Fourier-Motzkin with integer tightening).
    pub fn remove_divs(&self) -> Self { todo!() }
    /// An over-approximation without unknown existentials.
    pub fn remove_unknown_divs(&self) -> Self { todo!() }
    /// An over-approximation without floors that involve the given dimensions.
    pub fn remove_divs_involving_dims(&self, kind: DimKind, first: usize, count: usize) -> Self { todo!() }
    /// The constant value of a dimension, if it is obviously fixed.
    pub fn plain_get_val_if_fixed(&self, kind: DimKind, position: usize) -> Option<Int> { todo!() }
    /// Some integer point: values of parameters, in and out dimensions; none if empty.
    pub fn sample_point(&self, budget: &Budget) -> Result<Option<Vec<Int>>> { todo!() }
    /// The inverse.
    pub fn reverse(&self) -> Self { todo!() }
    /// The domain.
    pub fn domain(&self) -> Set { todo!() }
    /// The range.
    pub fn range(&self) -> Set { todo!() }
    /// Those pairs whose first is in `set`.
    pub fn intersect_domain(&self, set: &Set) -> Result<Self> { todo!() }
    /// Those pairs whose second is in `set`.
    pub fn intersect_range(&self, set: &Set) -> Result<Self> { todo!() }
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
    pub fn wrap(&self) -> Set { todo!() }
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
    /// The differences range - domain of pairs in equal spaces.
    pub fn deltas(&self) -> Result<Set> { todo!() }
    /// The single piece as a union.
    pub fn from_basic_map(basic: BasicMap) -> Self { todo!() }
    /// The union of pieces in one space.
    pub fn from_basic_maps(space: Space, basics: Vec<BasicMap>) -> Self { todo!() }
    /// The pieces.
    pub fn basic_maps(&self) -> &[BasicMap] { todo!() }
    /// The identity on a set space.
    pub fn identity(space: &Space) -> Self { todo!() }
    /// All pairs of `domain` and `range`.
    pub fn from_domain_and_range(domain: &Set, range: &Set) -> Result<Self> { todo!() }
    /// The pairs x -> x for x in `set`.
    pub fn identity_on(set: &Set) -> Self { todo!() }
    /// { x -> y : x lexicographically smaller than y } on a set space.
    pub fn lex_lt(space: &Space) -> Self { todo!() }
    /// { x -> y : x lexicographically smaller or equal }.
    pub fn lex_le(space: &Space) -> Self { todo!() }
    /// { x -> y : x lexicographically greater }.
    pub fn lex_gt(space: &Space) -> Self { todo!() }
    /// Moves dimensions between kinds.
    pub fn move_dims(&self, dst: DimKind, dst_position: usize, src: DimKind, src_position: usize, count: usize) -> Self { todo!() }
    /// The pairs with in[position_in] < out[position_out].
    pub fn order_lt(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Self { todo!() }
    /// Nested tuples flattened.
    pub fn flatten(&self) -> Self { todo!() }
}
