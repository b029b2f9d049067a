//! Sets: finite unions of basic sets in one space.
#![allow(unused_variables)]
use crate::*;

/// A finite union of basic sets in one space (or of parameter sets).
#[derive(Clone, Debug)]
pub struct Set(pub(crate) Map);

impl Set {
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
    pub fn affine_hull(&self, budget: &Budget) -> Result<BasicSet> { todo!() }
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
    /// The same points as a relation without input.
    pub fn as_map(&self) -> &Map { todo!() }
    /// The single piece as a union.
    pub fn from_basic_set(basic: BasicSet) -> Self { todo!() }
    /// The union of pieces in one space.
    pub fn from_basic_sets(space: Space, basics: Vec<BasicSet>) -> Self { todo!() }
    /// The pieces.
    pub fn basic_sets(&self) -> Vec<BasicSet> { todo!() }
    /// The image under a relation.
    pub fn apply(&self, map: &Map) -> Result<Self> { todo!() }
    /// The relation inside a set of wrapped pairs.
    pub fn unwrap(&self) -> Result<Map> { todo!() }
    /// The cartesian product as wrapped pairs.
    pub fn product(&self, other: &Self) -> Result<Self> { todo!() }
    /// The flat cartesian product.
    pub fn flat_product(&self, other: &Self) -> Result<Self> { todo!() }
    /// The first `n` dims as domain, the others as range of a relation (anonymous tuples).
    pub fn split_dims(&self, n: usize) -> Map { todo!() }
    /// The parameter set as a set without dimensions under a tuple.
    pub fn from_params(&self, tuple: Tuple) -> Self { todo!() }
    /// { x -> y : x in self, y in other, x < y lexicographically } for equal spaces.
    pub fn lex_lt_set(&self, other: &Self) -> Result<Map> { todo!() }
    /// Nested tuples flattened.
    pub fn flatten(&self) -> Self { todo!() }
    /// Moves dimensions between parameters and set.
    pub fn move_dims(&self, dst: DimKind, dst_position: usize, src: DimKind, src_position: usize, count: usize) -> Self { todo!() }
    /// All integer points (parameters must be absent or fixed), at most `limit`; error if more.
    pub fn points(&self, limit: usize, budget: &Budget) -> Result<Vec<Vec<Int>>> { todo!() }
    /// Whether the point (values of parameters then dimensions) is in the set.
    pub fn contains_point(&self, point: &[Int], budget: &Budget) -> Result<bool> { todo!() }
}
