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
    /// One basic piece: the constraints of the pieces that hold on all of them ("shared constraints", no new coefficients).
    pub fn unshifted_simple_hull(&self, budget: &Budget) -> Result<BasicMap> { todo!() }
    /// One basic piece: constraints of the pieces, shifted until they hold on all.
    pub fn simple_hull(&self, budget: &Budget) -> Result<BasicMap> { todo!() }
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
    /// The least value of a dimension over all points and all parameter values (integer optimum).
    pub fn dim_min_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> { todo!() }
    /// The greatest value of a dimension.
    pub fn dim_max_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> { todo!() }
    /// Some integer point: values of parameters, in and out dimensions; none if empty.
    pub fn sample_point(&self, budget: &Budget) -> Result<Option<Vec<Int>>> { todo!() }
    /// Reads isl's notation.
    pub fn parse(text: &str) -> Result<Self> { todo!() }
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
    /// Whether every element of the domain has one image.
    pub fn is_single_valued(&self, budget: &Budget) -> Result<bool> { todo!() }
    /// Whether every element of the range has one origin.
    pub fn is_injective(&self, budget: &Budget) -> Result<bool> { todo!() }
    /// Both.
    pub fn is_bijective(&self, budget: &Budget) -> Result<bool> { todo!() }
    /// The differences range - domain of pairs in equal spaces.
    pub fn deltas(&self) -> Result<Set> { todo!() }
    /// Those pairs whose domain is not in `set`.
    pub fn subtract_domain(&self, set: &Set, budget: &Budget) -> Result<Self> { todo!() }
    /// Those pairs whose range is not in `set`.
    pub fn subtract_range(&self, set: &Set, budget: &Budget) -> Result<Self> { todo!() }
    /// The gist inside a domain.
    pub fn gist_domain(&self, context: &Set, budget: &Budget) -> Result<Self> { todo!() }
    /// The gist inside a range.
    pub fn gist_range(&self, context: &Set, budget: &Budget) -> Result<Self> { todo!() }
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
    /// The images x -> smallest y, in lexicographic order, as an explicit piecewise relation.
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The greatest images.
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The smallest images as a piecewise expression.
    pub fn lexmin_pw_multi_aff(&self, budget: &Budget) -> Result<PwMultiAff> { todo!() }
    /// The greatest images as a piecewise expression.
    pub fn lexmax_pw_multi_aff(&self, budget: &Budget) -> Result<PwMultiAff> { todo!() }
    /// The lexicographically smallest images for domain elements in `domain`, and the part of `domain` without image.
    pub fn partial_lexmin(&self, domain: &Set, budget: &Budget) -> Result<(Self, Set)> { todo!() }
    /// The lexicographically greatest images for `domain`, and the part of it without image.
    pub fn partial_lexmax(&self, domain: &Set, budget: &Budget) -> Result<(Self, Set)> { todo!() }
    /// Moves dimensions between kinds.
    pub fn move_dims(&self, dst: DimKind, dst_position: usize, src: DimKind, src_position: usize, count: usize) -> Self { todo!() }
    /// The pairs with in[position_in] < out[position_out].
    pub fn order_lt(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Self { todo!() }
    /// Nested tuples flattened.
    pub fn flatten(&self) -> Self { todo!() }
}
