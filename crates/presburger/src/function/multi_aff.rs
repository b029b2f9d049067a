//! Tuples of quasi-affine expressions.
use super::aff::mismatch;
use super::multi::{Member, range_space};
use super::piecewise::{Expression, intersection};
use crate::*;

/// A tuple of quasi-affine expressions; its space is a map space (a set space if the domain is a
/// parameter space).
pub type MultiAff = Multi<Aff>;

impl Member for Aff {
    fn params(&self) -> Space {
        self.space.to_params()
    }

    fn fits(&self, domain: &Space) -> bool {
        self.space.has_equal_tuples(domain)
    }

    fn over_params(&self, space: &Space) -> Self {
        self.align_params(space)
    }
}

impl MultiAff {
    /// The identity on a set space.
    pub fn identity(set: &Space) -> Self {
        MultiAff::of_dims(set.map_from_set(), 0)
    }

    /// 0 in every position of a space.
    pub fn zero(space: &Space) -> Self {
        let members = vec![Aff::zero(&space.domain()); space.n(DimKind::Out)];
        MultiAff { space: space.clone(), members }
    }

    /// The given values on all of a set (or parameter) space.
    pub fn constant(domain: &Space, values: &MultiVal) -> Self {
        let constant = |value: &Value| match value.as_rational() {
            Some(value) => Aff::constant(domain, &value.numerator).scale_down(&value.denominator),
            None => Aff::nan(domain),
        };
        let members = values.members.iter().map(constant).collect();
        MultiAff { space: range_space(domain, values.tuple()), members }
    }

    /// The tuple of the dimensions of the domain from `first` on.
    fn of_dims(space: Space, first: usize) -> Self {
        let domain = space.domain();
        let positions = first..first + space.n(DimKind::Out);
        let members = positions.map(|i| Aff::variable(&domain, DimKind::Out, i)).collect();
        MultiAff { space, members }
    }

    /// `[x -> y] -> x` for the pairs of a map space.
    ///
    /// # Errors
    /// [`Error::Invalid`] if this is no map space.
    pub fn domain_map(space: &Space) -> Result<Self> {
        let (pairs, first, _) = wrapped(space)?;
        Ok(MultiAff::of_dims(range_space(&pairs, first), 0))
    }

    /// `[x -> y] -> y` for the pairs of a map space.
    ///
    /// # Errors
    /// [`Error::Invalid`] if this is no map space.
    pub fn range_map(space: &Space) -> Result<Self> {
        let (pairs, first, second) = wrapped(space)?;
        Ok(MultiAff::of_dims(range_space(&pairs, second), first.n_dims()))
    }

    /// The points of a set space without `count` dimensions from `first` on, in an anonymous tuple.
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn project_out_map(set: &Space, first: usize, count: usize) -> Self {
        let reduced = set.drop_dims(DimKind::Out, first, count);
        let tuple = reduced.output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
        let kept = (0..first).chain(first + count..set.n(DimKind::Out));
        let members = kept.map(|i| Aff::variable(set, DimKind::Out, i)).collect();
        MultiAff { space: range_space(set, tuple), members }
    }

    /// The expressions.
    pub fn affs(&self) -> &[Aff] {
        &self.members
    }

    /// The sum in every position.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the sum of tuples", Aff::add)
    }

    /// The difference in every position.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the difference of tuples", Aff::sub)
    }

    /// The negative.
    pub fn neg(&self) -> Self {
        self.mapped(Aff::neg)
    }

    /// The product with an integer.
    pub fn scale(&self, factor: &Int) -> Self {
        self.mapped(|aff| aff.scale(factor))
    }

    /// The quotient by an integer, not rounded.
    pub fn scale_down(&self, divisor: &Int) -> Self {
        self.mapped(|aff| aff.scale_down(divisor))
    }

    /// Rounded down.
    pub fn floor(&self) -> Self {
        self.mapped(Aff::floor)
    }

    /// The remainders in `0..divisor`.
    pub fn modulo(&self, divisor: &Int) -> Self {
        self.mapped(|aff| aff.modulo(divisor))
    }

    /// `[x -> y] -> [f(x) -> g(y)]`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a domain has no tuple.
    pub fn product(&self, other: &Self) -> Result<Self> {
        let space = self.space.domain().map_to(&other.space.domain());
        let first = self.pullback(&MultiAff::domain_map(&space)?)?;
        first.range_product(&other.pullback(&MultiAff::range_map(&space)?)?)
    }

    /// As a relation: the pairs of a point and its value, where the value is an integer.
    pub fn to_map(&self) -> Map {
        Map::from_basic_map(self.graph())
    }

    /// The pairs of a point and its value, where the value is an integer.
    pub(super) fn graph(&self) -> BasicMap {
        let n_before = 1 + self.space.n(DimKind::Param) + self.space.n(DimKind::In);
        let n_out = self.members.len();
        let n_locals: usize = self.members.iter().map(|aff| aff.locals.len()).sum();
        let width = n_before + n_out + n_locals;
        let mut locals = Vec::with_capacity(n_locals);
        let mut constraints = Vec::with_capacity(n_out);
        if self.members.iter().any(|aff| aff.nan) {
            return BasicMap::empty(self.space.clone());
        }
        for (position, aff) in self.members.iter().enumerate() {
            let first = n_before + n_out + locals.len();
            let place: Vec<usize> = (0..n_before).chain(first..first + aff.locals.len()).collect();
            for local in &aff.locals {
                if let Local::Floor { numerator, denominator } = local {
                    let numerator = numerator.placed(&place, width);
                    locals.push(Local::Floor { numerator, denominator: denominator.clone() });
                }
            }
            let mut row = aff.row.placed(&place, width);
            row.negate();
            row.set(n_before + position, aff.denominator.clone());
            constraints.push(Constraint { is_equality: true, row });
        }
        BasicMap::from_constraints(self.space.clone(), locals, constraints)
    }

    /// Composition: `self` after `inner`.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the range of `inner` is not the domain.
    pub fn pullback(&self, inner: &Self) -> Result<Self> {
        let affs =
            self.members.iter().map(|aff| aff.pullback(inner)).collect::<Result<Vec<_>>>()?;
        if inner.space.output() != self.space.domain().output() {
            return Err(mismatch("the composition of functions", &self.space, &inner.space));
        }
        let domain = inner.space.domain().merge_params(&self.space);
        MultiAff::new(range_space(&domain, self.tuple()), affs)
    }

    /// Simplified inside a context.
    ///
    /// # Errors
    /// As [`Aff::gist`].
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.try_mapped(|aff| aff.gist(context, budget)).during("gist")
    }

    /// Whether both are the same expressions (syntactically, after normalization).
    pub fn plain_is_equal(&self, other: &Self) -> bool {
        self.space.has_equal_tuples(&other.space)
            && self.members.iter().zip(&other.members).all(|(a, b)| a.plain_is_equal(b))
    }

    /// Where both are defined and every position has equal values.
    pub(super) fn equal_set(&self, other: &Self) -> Result<Set> {
        let budget = &Budget::for_one_call();
        let mut equal = Set::universe(self.space.domain());
        for (a, b) in self.members.iter().zip(&other.members) {
            equal = intersection(&equal, &a.eq_set(b)?, budget)?;
        }
        Ok(equal)
    }
}

/// The wrapped pairs of a map space, and its two tuples.
fn wrapped(space: &Space) -> Result<(Space, Tuple, Tuple)> {
    match (space.input(), space.output()) {
        (Some(first), Some(second)) => Ok((space.wrap(), first.clone(), second.clone())),
        _ => Err(Error::Invalid {
            operation: "the projection of pairs",
            reason: format!("{space} is no space of pairs"),
        }),
    }
}

impl Expression for MultiAff {
    fn space(&self) -> &Space {
        &self.space
    }

    fn domain_of(space: &Space) -> Space {
        space.domain()
    }

    fn with_domain(space: &Space, domain: &Space) -> Space {
        domain.with_tuples(domain.output().cloned(), space.output().cloned())
    }

    fn place_columns(&self, domain: &Space, place: &[usize]) -> Self {
        MultiAff {
            space: Self::with_domain(&self.space, domain),
            members: self.members.iter().map(|aff| aff.place_columns(domain, place)).collect(),
        }
    }

    fn plain_is_equal(&self, other: &Self) -> bool {
        self.plain_is_equal(other)
    }

    fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.gist(context, budget)
    }

    fn pullback(&self, inner: &MultiAff) -> Result<Self> {
        self.pullback(inner)
    }

    fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        self.members.iter().any(|aff| aff.involves_dims(kind, first, count))
    }
}
