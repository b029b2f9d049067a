//! Sets: finite unions of basic sets in one space.
//!
//! A set is a relation without input; nearly everything here hands on to [`Map`].
use crate::*;

/// A finite union of basic sets in one space (or of parameter sets).
#[derive(Clone, Debug)]
pub struct Set(pub(crate) Map);

impl Set {
    /// All of `space`.
    pub fn universe(space: Space) -> Self {
        Set::from_map(Map::universe(space))
    }

    /// Nothing of `space`.
    pub fn empty(space: Space) -> Self {
        Set::from_map(Map::empty(space))
    }

    /// The same points as a set.
    ///
    /// # Panics
    /// If the relation has an input.
    pub fn from_map(map: Map) -> Self {
        assert!(!map.space().is_map(), "a set has no input tuple");
        Set(map)
    }

    /// The same points as a relation without input.
    pub fn as_map(&self) -> &Map {
        &self.0
    }

    /// The single piece as a union.
    pub fn from_basic_set(basic: BasicSet) -> Self {
        Set(Map::from_basic_map(basic.0))
    }

    /// The union of pieces in one space.
    ///
    /// The parameters of every piece are aligned to those of `space`.
    pub fn from_basic_sets(space: Space, basics: Vec<BasicSet>) -> Self {
        Set(Map::from_basic_maps(space, basics.into_iter().map(|basic| basic.0).collect()))
    }

    /// The pieces.
    pub fn basic_sets(&self) -> Vec<BasicSet> {
        self.0.basics.iter().cloned().map(BasicSet).collect()
    }

    /// The space.
    pub fn space(&self) -> &Space {
        self.0.space()
    }

    /// Whether emptiness is obvious (cheap, one-sided).
    pub fn plain_is_empty(&self) -> bool {
        self.0.plain_is_empty()
    }

    /// Whether some piece obviously has no constraint.
    pub fn plain_is_universe(&self) -> bool {
        self.0.plain_is_universe()
    }

    /// The number of dimensions of a kind.
    pub fn n(&self, kind: DimKind) -> usize {
        self.0.n(kind)
    }

    /// The number of set dimensions.
    pub fn n_dims(&self) -> usize {
        self.0.n(DimKind::Out)
    }

    /// The position of a parameter, or none.
    pub fn find_param(&self, name: &str) -> Option<usize> {
        self.0.find_param(name)
    }

    /// The intersection.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        self.intersect_within(other, &Budget::for_one_call())
    }

    /// The same as [`Set::intersect`], within a budget.
    ///
    /// # Errors
    /// As for [`Set::intersect`]; [`Error::Exceeded`].
    pub fn intersect_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        Ok(Set(self.0.intersect_within(&other.0, budget)?))
    }

    /// The intersection with a set of parameters.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> {
        self.intersect_params_within(params, &Budget::for_one_call())
    }

    /// The same as [`Set::intersect_params`], within a budget.
    ///
    /// # Errors
    /// As for [`Set::intersect_params`]; [`Error::Exceeded`].
    pub fn intersect_params_within(&self, params: &Set, budget: &Budget) -> Result<Self> {
        Ok(Set(self.0.intersect_params_within(params, budget)?))
    }

    /// The union (pieces may overlap).
    pub fn union(&self, other: &Self) -> Result<Self> {
        Ok(Set(self.0.union(&other.0)?))
    }

    /// Whether there is no integer point for any value of the parameters.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        self.0.is_empty(budget)
    }

    /// The parameter values for which there is a point.
    pub fn params(&self) -> Set {
        self.0.params()
    }

    /// Projects out `count` dimensions of `kind` from `first` on: exact; what cannot be
    /// eliminated becomes a local. A tuple that loses dimensions becomes anonymous.
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn project_out(&self, kind: DimKind, first: usize, count: usize) -> Self {
        Set(self.0.project_out(kind, first, count))
    }

    /// Makes the dimensions unconstrained without removing them: exact.
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn eliminate(&self, kind: DimKind, first: usize, count: usize) -> Self {
        Set(self.0.eliminate(kind, first, count))
    }

    /// Inserts unconstrained dimensions before `position`; the tuple becomes anonymous.
    ///
    /// # Panics
    /// If `position` is beyond the last dimension.
    pub fn insert_dims(&self, kind: DimKind, position: usize, count: usize) -> Self {
        Set(self.0.insert_dims(kind, position, count))
    }

    /// Moves dimensions between parameters and set; they keep their names.
    ///
    /// # Panics
    /// If there are no such dimensions, or if both kinds are the same.
    pub fn move_dims(
        &self,
        dst: DimKind,
        dst_position: usize,
        src: DimKind,
        src_position: usize,
        count: usize,
    ) -> Self {
        Set(self.0.move_dims(dst, dst_position, src, src_position, count))
    }

    /// Restricts a dimension to a value.
    pub fn fix(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        Set(self.0.fix(kind, position, value))
    }

    /// Restricts a dimension to at least a value.
    pub fn lower_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        Set(self.0.lower_bound(kind, position, value))
    }

    /// Restricts a dimension to at most a value.
    pub fn upper_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        Set(self.0.upper_bound(kind, position, value))
    }

    /// Restricts two dimensions to equal values.
    pub fn equate(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Self {
        Set(self.0.equate(kind_a, a, kind_b, b))
    }

    /// The constant value of a dimension, if it is obviously fixed.
    pub fn plain_get_val_if_fixed(&self, kind: DimKind, position: usize) -> Option<Int> {
        self.0.plain_get_val_if_fixed(kind, position)
    }

    /// Replaces the tuple name and structure (same number of dimensions).
    ///
    /// # Errors
    /// If the numbers of dimensions differ.
    pub fn with_space_tuples(&self, space: &Space) -> Result<Self> {
        Ok(Set(self.0.with_space_tuples(space)?))
    }

    /// Drops every constraint that involves the dimensions (over-approximation).
    pub fn drop_constraints_involving_dims(
        &self,
        kind: DimKind,
        first: usize,
        count: usize,
    ) -> Self {
        Set(self.0.drop_constraints_involving_dims(kind, first, count))
    }

    /// Whether a constraint (or a floor used) involves the dimensions.
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        self.0.involves_dims(kind, first, count)
    }

    /// An over-approximation without any locals (Fourier-Motzkin with integer tightening).
    pub fn remove_divs(&self) -> Self {
        Set(self.0.remove_divs())
    }

    /// An over-approximation without unknown existentials.
    pub fn remove_unknown_divs(&self) -> Self {
        Set(self.0.remove_unknown_divs())
    }

    /// An over-approximation without floors that involve the given dimensions.
    pub fn remove_divs_involving_dims(&self, kind: DimKind, first: usize, count: usize) -> Self {
        Set(self.0.remove_divs_involving_dims(kind, first, count))
    }

    /// The same without constraints that follow from others.
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> {
        Ok(Set(self.0.remove_redundancies(budget)?))
    }

    /// The same with implicit equalities made explicit.
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> {
        Ok(Set(self.0.detect_equalities(budget)?))
    }

    /// Some integer point: values of parameters, then dimensions; none if empty.
    pub fn sample_point(&self, budget: &Budget) -> Result<Option<Vec<Int>>> {
        self.0.sample_point(budget)
    }
}

impl From<BasicSet> for Set {
    fn from(basic: BasicSet) -> Self {
        Set::from_basic_set(basic)
    }
}
