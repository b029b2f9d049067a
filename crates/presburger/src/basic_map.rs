//! Basic sets and relations: conjunctions of affine constraints with floors and existentials.
#![allow(unused_variables)]
use crate::*;
use std::sync::Arc;

/// A dimension that is neither parameter nor tuple dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Local {
    /// An existentially quantified integer.
    Unknown,
    /// `⌊numerator / denominator⌋`, where the numerator is a full-width row that only uses
    /// earlier locals. The two inequalities that define the floor are implied: they are not
    /// stored among the constraints.
    Floor {
        /// The dividend.
        numerator: Row,
        /// The divisor, positive.
        denominator: Int,
    },
}

/// One constraint `row = 0` or `row >= 0` over the columns of its basic set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// Whether the row equals zero (otherwise: is not negative).
    pub is_equality: bool,
    /// Coefficients over `[constant | parameters | in | out | locals]`.
    pub row: Row,
}

/// The result of an optimization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// There is no point.
    Empty,
    /// There are points, and no bound.
    Unbounded,
    /// The optimal value.
    At(Int),
}

/// A basic relation: the integer points of a conjunction of constraints.
#[derive(Clone, Debug)]
pub struct BasicMap {
    pub(crate) inner: Arc<BasicData>,
}

#[derive(Clone, Debug)]
pub(crate) struct BasicData {
    pub(crate) space: Space,
    pub(crate) locals: Vec<Local>,
    pub(crate) equalities: Vec<Row>,
    pub(crate) inequalities: Vec<Row>,
    /// Known to be empty (then there are no constraints).
    pub(crate) empty: bool,
}

impl BasicMap {
    /// All of `space`.
    pub fn universe(space: Space) -> Self { todo!() }
    /// Nothing of `space`.
    pub fn empty(space: Space) -> Self { todo!() }
    /// The points of `space` that satisfy `constraints` over the given locals.
    pub fn from_constraints(space: Space, locals: Vec<Local>, constraints: Vec<Constraint>) -> Self { todo!() }
    /// The space.
    pub fn space(&self) -> &Space { &self.inner.space }
    /// The locals.
    pub fn locals(&self) -> &[Local] { &self.inner.locals }
    /// The first column of the dimensions of a kind.
    pub fn offset(&self, kind: DimKind) -> usize { todo!() }
    /// The number of dimensions of a kind.
    pub fn n(&self, kind: DimKind) -> usize { todo!() }
    /// The width of the constraint rows.
    pub fn n_columns(&self) -> usize { todo!() }
    /// The equalities as rows.
    pub fn equalities(&self) -> &[Row] { &self.inner.equalities }
    /// The inequalities as rows.
    pub fn inequalities(&self) -> &[Row] { &self.inner.inequalities }
    /// All constraints, equalities first (the defining inequalities of floors not included).
    pub fn constraints(&self) -> Vec<Constraint> { todo!() }
    /// Whether emptiness is obvious (cheap, one-sided).
    pub fn plain_is_empty(&self) -> bool { self.inner.empty }
}

/// A basic set: a [`BasicMap`] without input.
#[derive(Clone, Debug)]
pub struct BasicSet(pub(crate) BasicMap);

impl BasicSet {
    /// The same points as a relation without input.
    pub fn as_basic_map(&self) -> &BasicMap { &self.0 }
    /// A basic set from a basic relation without input.
    ///
    /// # Panics
    /// If the relation has an input.
    pub fn from_basic_map(map: BasicMap) -> Self { assert!(!map.space().is_map()); BasicSet(map) }
}
