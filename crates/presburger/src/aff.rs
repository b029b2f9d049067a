//! Quasi-affine expressions, piecewise and in tuples.
#![allow(unused_variables)]
use crate::*;

/// A quasi-affine expression `row / denominator` over the points of a set space.
///
/// Columns of `row`: `[constant | parameters | dimensions | locals]`; every local is a floor.
#[derive(Clone, Debug)]
pub struct Aff {
    pub(crate) space: Space,
    pub(crate) locals: Vec<Local>,
    pub(crate) row: Row,
    pub(crate) denominator: Int,
    pub(crate) nan: bool,
}

/// A quasi-affine expression per piece of a domain; pieces are disjoint.
#[derive(Clone, Debug)]
pub struct PwAff {
    pub(crate) space: Space,
    pub(crate) pieces: Vec<(Set, Aff)>,
}

/// A tuple of quasi-affine expressions; its space is a map space.
#[derive(Clone, Debug)]
pub struct MultiAff {
    pub(crate) space: Space,
    pub(crate) affs: Vec<Aff>,
}

/// A tuple of quasi-affine expressions per piece of a domain; pieces are disjoint.
#[derive(Clone, Debug)]
pub struct PwMultiAff {
    pub(crate) space: Space,
    pub(crate) pieces: Vec<(Set, MultiAff)>,
}

/// Piecewise expressions over several domain spaces.
#[derive(Clone, Debug)]
pub struct UnionPwAff {
    pub(crate) parts: Vec<PwAff>,
}

/// Piecewise tuples over several domain and range spaces.
#[derive(Clone, Debug)]
pub struct UnionPwMultiAff {
    pub(crate) parts: Vec<PwMultiAff>,
}

/// A tuple of piecewise expressions over several domain spaces: the schedule of a band.
#[derive(Clone, Debug)]
pub struct MultiUnionPwAff {
    pub(crate) tuple: Tuple,
    pub(crate) members: Vec<UnionPwAff>,
}

impl Aff {
    /// Zero on a set space.
    pub fn zero(domain: &Space) -> Self { todo!() }
    /// A constant on a set space.
    pub fn constant(domain: &Space, value: &Int) -> Self { todo!() }
    /// The value of a parameter or of a set dimension (`DimKind::Out`, in isl: isl_dim_in).
    pub fn variable(domain: &Space, kind: DimKind, position: usize) -> Self { todo!() }
    /// An expression from its parts; the row has the columns of the domain space followed by the locals.
    pub fn from_row(domain: &Space, locals: Vec<Local>, row: Row, denominator: Int) -> Self { todo!() }
    /// The space of the domain (a set space or parameter space).
    pub fn domain_space(&self) -> &Space { todo!() }
    /// The numerator row over [constant | params | dims | locals].
    pub fn row(&self) -> &Row { todo!() }
    /// The common denominator.
    pub fn denominator(&self) -> &Int { todo!() }
    /// The floors used.
    pub fn locals(&self) -> &[Local] { todo!() }
    /// The coefficient of a parameter or dimension.
    pub fn coefficient(&self, kind: DimKind, position: usize) -> Rational { todo!() }
    /// The constant term.
    pub fn constant_term(&self) -> Rational { todo!() }
    /// Whether it is a constant.
    pub fn is_constant(&self) -> bool { todo!() }
    /// The constant value.
    pub fn constant_value(&self) -> Option<Rational> { todo!() }
    /// The sum.
    pub fn add(&self, other: &Self) -> Result<Self> { todo!() }
    /// The difference.
    pub fn sub(&self, other: &Self) -> Result<Self> { todo!() }
    /// The negative.
    pub fn neg(&self) -> Self { todo!() }
    /// The product with an integer.
    pub fn scale(&self, factor: &Int) -> Self { todo!() }
    /// The quotient by an integer (a fraction, not rounded).
    pub fn scale_down(&self, divisor: &Int) -> Self { todo!() }
    /// Rounded down.
    pub fn floor(&self) -> Self { todo!() }
    /// Rounded up.
    pub fn ceil(&self) -> Self { todo!() }
    /// The remainder in 0..divisor.
    pub fn modulo(&self, divisor: &Int) -> Self { todo!() }
    /// The product if one factor is constant.
    pub fn mul(&self, other: &Self) -> Result<Self> { todo!() }
    /// Adds a constant.
    pub fn add_constant(&self, value: &Int) -> Self { todo!() }
    /// Where self >= 0.
    pub fn nonneg_set(&self) -> Set { todo!() }
    /// Where self = 0.
    pub fn zero_set(&self) -> Set { todo!() }
    /// Where self >= other.
    pub fn ge_set(&self, other: &Self) -> Result<Set> { todo!() }
    /// Where self = other.
    pub fn eq_set(&self, other: &Self) -> Result<Set> { todo!() }
    /// The same function of another point: composes with a tuple of expressions.
    pub fn pullback(&self, inner: &MultiAff) -> Result<Self> { todo!() }
    /// A simpler expression that is equal inside `context`.
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> { todo!() }
    /// The same up to parameter order.
    pub fn align_params(&self, space: &Space) -> Self { todo!() }
    /// Whether both are the same expression (syntactically, after normalization).
    pub fn plain_is_equal(&self, other: &Self) -> bool { todo!() }
    /// The value at a point (parameters then dimensions).
    pub fn eval(&self, point: &[Int]) -> Rational { todo!() }
    /// Whether the dimensions appear.
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool { todo!() }
    /// Reads `[n] -> { S[i] -> [(i + n)] }`.
    pub fn parse(text: &str) -> Result<Self> { todo!() }
}
impl PwAff {
    /// One expression everywhere.
    pub fn from_aff(aff: Aff) -> Self { todo!() }
    /// One expression on a domain.
    pub fn on_domain(domain: Set, aff: Aff) -> Self { todo!() }
    /// Nowhere defined.
    pub fn empty(domain: &Space) -> Self { todo!() }
    /// The pieces.
    pub fn pieces(&self) -> &[(Set, Aff)] { todo!() }
    /// The space of the domain.
    pub fn domain_space(&self) -> &Space { todo!() }
    /// Where it is defined.
    pub fn domain(&self) -> Set { todo!() }
    /// The sum where both are defined.
    pub fn add(&self, other: &Self) -> Result<Self> { todo!() }
    /// The difference.
    pub fn sub(&self, other: &Self) -> Result<Self> { todo!() }
    /// The product if one factor is piecewise constant.
    pub fn mul(&self, other: &Self) -> Result<Self> { todo!() }
    /// The negative.
    pub fn neg(&self) -> Self { todo!() }
    /// The product with an integer.
    pub fn scale(&self, factor: &Int) -> Self { todo!() }
    /// The quotient, not rounded.
    pub fn scale_down(&self, divisor: &Int) -> Self { todo!() }
    /// Rounded down.
    pub fn floor(&self) -> Self { todo!() }
    /// Rounded up.
    pub fn ceil(&self) -> Self { todo!() }
    /// Remainder in 0..divisor.
    pub fn modulo(&self, divisor: &Int) -> Self { todo!() }
    /// C's truncating quotient by a positive or negative constant.
    pub fn tdiv_q(&self, divisor: &Int, budget: &Budget) -> Result<Self> { todo!() }
    /// C's remainder.
    pub fn tdiv_r(&self, divisor: &Int, budget: &Budget) -> Result<Self> { todo!() }
    /// The smaller.
    pub fn min(&self, other: &Self, budget: &Budget) -> Result<Self> { todo!() }
    /// The greater.
    pub fn max(&self, other: &Self, budget: &Budget) -> Result<Self> { todo!() }
    /// `self` where `condition` holds, `other` elsewhere (condition: a set of the domain).
    pub fn select(condition: &Set, then: &Self, otherwise: &Self, budget: &Budget) -> Result<Self> { todo!() }
    /// Both, for disjoint domains.
    pub fn union_add(&self, other: &Self) -> Result<Self> { todo!() }
    /// Where self <= other.
    pub fn le_set(&self, other: &Self) -> Result<Set> { todo!() }
    /// Where self < other.
    pub fn lt_set(&self, other: &Self) -> Result<Set> { todo!() }
    /// Where self >= other.
    pub fn ge_set(&self, other: &Self) -> Result<Set> { todo!() }
    /// Where self > other.
    pub fn gt_set(&self, other: &Self) -> Result<Set> { todo!() }
    /// Where they are equal.
    pub fn eq_set(&self, other: &Self) -> Result<Set> { todo!() }
    /// Where both are defined and differ.
    pub fn ne_set(&self, other: &Self) -> Result<Set> { todo!() }
    /// Where it is zero.
    pub fn zero_set(&self) -> Set { todo!() }
    /// Where it is not zero.
    pub fn non_zero_set(&self) -> Set { todo!() }
    /// Where it is not negative.
    pub fn nonneg_set(&self) -> Set { todo!() }
    /// Restricted to a domain.
    pub fn intersect_domain(&self, set: &Set) -> Result<Self> { todo!() }
    /// Simplified inside a context.
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> { todo!() }
    /// Fewer pieces.
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// The single expression if there is exactly one piece or all pieces agree.
    pub fn as_aff(&self) -> Option<Aff> { todo!() }
    /// Composition.
    pub fn pullback_multi_aff(&self, inner: &MultiAff) -> Result<Self> { todo!() }
    /// Composition.
    pub fn pullback_pw_multi_aff(&self, inner: &PwMultiAff) -> Result<Self> { todo!() }
    /// As a relation to a one-dimensional anonymous tuple.
    pub fn to_map(&self) -> Map { todo!() }
    /// The same over more parameters.
    pub fn align_params(&self, space: &Space) -> Self { todo!() }
    /// Whether the dimensions appear.
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool { todo!() }
    /// Reads isl's notation.
    pub fn parse(text: &str) -> Result<Self> { todo!() }
}
impl MultiAff {
    /// From expressions over one domain space.
    pub fn new(space: Space, affs: Vec<Aff>) -> Result<Self> { todo!() }
    /// The identity on a set space.
    pub fn identity(set: &Space) -> Self { todo!() }
    /// The map space.
    pub fn space(&self) -> &Space { todo!() }
    /// The expressions.
    pub fn affs(&self) -> &[Aff] { todo!() }
    /// As a relation.
    pub fn to_map(&self) -> Map { todo!() }
    /// Composition: self after inner.
    pub fn pullback(&self, inner: &Self) -> Result<Self> { todo!() }
    /// Same expressions under another range tuple.
    pub fn with_range_tuple(&self, tuple: Tuple) -> Result<Self> { todo!() }
    /// Reads isl's notation.
    pub fn parse(text: &str) -> Result<Self> { todo!() }
}
impl PwMultiAff {
    /// One tuple everywhere.
    pub fn from_multi_aff(aff: MultiAff) -> Self { todo!() }
    /// The pieces.
    pub fn pieces(&self) -> &[(Set, MultiAff)] { todo!() }
    /// The map space.
    pub fn space(&self) -> &Space { todo!() }
    /// From pieces on disjoint domains.
    pub fn from_pieces(space: Space, pieces: Vec<(Set, MultiAff)>) -> Self { todo!() }
    /// The function whose graph is a single-valued relation (error if it is not).
    pub fn from_map(map: &Map, budget: &Budget) -> Result<Self> { todo!() }
    /// As a relation.
    pub fn to_map(&self) -> Map { todo!() }
    /// Component `position`.
    pub fn pw_aff(&self, position: usize) -> PwAff { todo!() }
    /// The tuple of piecewise expressions over common pieces.
    pub fn from_pw_affs(space: Space, affs: &[PwAff]) -> Result<Self> { todo!() }
    /// Where it is defined.
    pub fn domain(&self) -> Set { todo!() }
    /// Restricted.
    pub fn intersect_domain(&self, set: &Set) -> Result<Self> { todo!() }
    /// Simplified inside a context.
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> { todo!() }
    /// Fewer pieces.
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> { todo!() }
    /// Composition: self after inner.
    pub fn pullback(&self, inner: &Self) -> Result<Self> { todo!() }
    /// Reads isl's notation.
    pub fn parse(text: &str) -> Result<Self> { todo!() }
}
impl UnionPwAff {
    /// Nowhere defined.
    pub fn empty() -> Self { todo!() }
    /// From one part per domain space.
    pub fn from_parts(parts: Vec<PwAff>) -> Self { todo!() }
    /// The parts, one per domain space.
    pub fn parts(&self) -> &[PwAff] { todo!() }
    /// The part of a domain space.
    pub fn part(&self, domain: &Space) -> Option<&PwAff> { todo!() }
    /// Where it is defined.
    pub fn domain(&self) -> UnionSet { todo!() }
    /// The sum.
    pub fn add(&self, other: &Self) -> Result<Self> { todo!() }
    /// The product with an integer.
    pub fn scale(&self, factor: &Int) -> Self { todo!() }
    /// The quotient, not rounded.
    pub fn scale_down(&self, divisor: &Int) -> Self { todo!() }
    /// Rounded down.
    pub fn floor(&self) -> Self { todo!() }
    /// Remainder in 0..divisor.
    pub fn modulo(&self, divisor: &Int) -> Self { todo!() }
    /// The negative.
    pub fn neg(&self) -> Self { todo!() }
    /// Restricted.
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> { todo!() }
    /// Both, for disjoint domains.
    pub fn union_add(&self, other: &Self) -> Result<Self> { todo!() }
    /// Composition: replaces the domain.
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> Result<Self> { todo!() }
    /// Simplified inside a context.
    pub fn gist(&self, context: &UnionSet, budget: &Budget) -> Result<Self> { todo!() }
    /// Reads `{ S[i] -> [(i)]; T[] -> [(0)] }`.
    pub fn parse(text: &str) -> Result<Self> { todo!() }
}
impl UnionPwMultiAff {
    /// From parts.
    pub fn from_parts(parts: Vec<PwMultiAff>) -> Self { todo!() }
    /// The parts.
    pub fn parts(&self) -> &[PwMultiAff] { todo!() }
    /// As a relation.
    pub fn to_union_map(&self) -> UnionMap { todo!() }
    /// From a single-valued relation.
    pub fn from_union_map(map: &UnionMap, budget: &Budget) -> Result<Self> { todo!() }
    /// Reads isl's notation.
    pub fn parse(text: &str) -> Result<Self> { todo!() }
}
impl MultiUnionPwAff {
    /// From the members.
    pub fn new(tuple: Tuple, members: Vec<UnionPwAff>) -> Self { todo!() }
    /// The range tuple.
    pub fn tuple(&self) -> &Tuple { todo!() }
    /// The members.
    pub fn members(&self) -> &[UnionPwAff] { todo!() }
    /// The number of members.
    pub fn n_members(&self) -> usize { todo!() }
    /// Where all members are defined (universe-less: must have at least one member).
    pub fn domain(&self) -> UnionSet { todo!() }
    /// As a relation from the domain to the range tuple.
    pub fn to_union_map(&self) -> UnionMap { todo!() }
    /// Those of the members in `range`.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self { todo!() }
    /// Members of both, one after the other.
    pub fn flat_range_product(&self, other: &Self) -> Self { todo!() }
    /// Restricted.
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> { todo!() }
    /// Composition: replaces the domain.
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> Result<Self> { todo!() }
    /// Simplified inside a context.
    pub fn gist(&self, context: &UnionSet, budget: &Budget) -> Result<Self> { todo!() }
    /// Reads `[{ S[i] -> [(i)] }, { S[i] -> [(0)] }]`.
    pub fn parse(text: &str) -> Result<Self> { todo!() }
}
