//! Tuples of quasi-affine expressions.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::constraint::{Constraint, Local};
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space, mismatch};
use crate::core::tuple::Tuple;
use crate::functions::aff::Aff;
use crate::functions::multi::{Member, Multi, range_space};
use crate::functions::multi_val::MultiVal;
use loopwright_exact::{Row, Value};
use std::borrow::Cow;

/// A tuple of quasi-affine expressions; its space is a map space (a set space if the domain is a
/// parameter space).
///
/// ```
/// # use loopwright_presburger::MultiAff;
/// let access = MultiAff::parse("{ S[i, j] -> A[(i + j), (2j)] }")?;
/// assert_eq!(access.to_map().to_string(), "{ S[i, j] -> A[i + j, 2j] }");
/// let row = MultiAff::parse("{ T[k] -> S[(k), (0)] }")?;
/// assert_eq!(access.pullback(&row)?.to_string(), "{ T[k] -> A[(k), (0)] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
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
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, Space, Tuple};
    /// let space = Space::set(&[], Tuple::named("S", 2));
    /// assert_eq!(MultiAff::identity(&space).to_string(), "{ S[i0, i1] -> S[(i0), (i1)] }");
    /// ```
    pub fn identity(set: &Space) -> Self {
        MultiAff::of_dims(set.map_from_set(), 0)
    }

    /// 0 in every position of a space.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, Space, Tuple};
    /// let space = Space::map(&[], Tuple::named("S", 1), Tuple::named("A", 2));
    /// assert_eq!(MultiAff::zero(&space).to_string(), "{ S[i0] -> A[(0), (0)] }");
    /// ```
    pub fn zero(space: &Space) -> Self {
        let members = vec![Aff::zero(&space.domain()); space.n(DimKind::Out)];
        MultiAff { space: space.clone(), members }
    }

    /// The given values on all of a set (or parameter) space.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, MultiVal, Space, Tuple};
    /// let values = MultiVal::parse("{ A[1, 1/2] }")?;
    /// let domain = Space::set(&[], Tuple::named("S", 1));
    /// assert_eq!(MultiAff::constant(&domain, &values).to_string(), "{ S[i0] -> A[(1), (1)/2] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::{Map, MultiAff};
    /// let space = Map::parse("{ S[i] -> A[x] }")?.space().clone();
    /// assert_eq!(MultiAff::domain_map(&space)?.to_string(), "{ [S[i] -> A[x]] -> S[(i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if this is no map space.
    pub fn domain_map(space: &Space) -> Result<Self> {
        let (pairs, first, _) = wrapped(space)?;
        Ok(MultiAff::of_dims(range_space(&pairs, first), 0))
    }

    /// `[x -> y] -> y` for the pairs of a map space.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, MultiAff};
    /// let space = Map::parse("{ S[i] -> A[x] }")?.space().clone();
    /// assert_eq!(MultiAff::range_map(&space)?.to_string(), "{ [S[i] -> A[x]] -> A[(x)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if this is no map space.
    pub fn range_map(space: &Space) -> Result<Self> {
        let (pairs, first, second) = wrapped(space)?;
        Ok(MultiAff::of_dims(range_space(&pairs, second), first.n_dims()))
    }

    /// The points of a set space without `count` dimensions from `first` on, in an anonymous tuple.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, Set};
    /// let space = Set::parse("{ S[i, j, k] }")?.space().clone();
    /// let function = MultiAff::project_out_map(&space, 0, 2);
    /// assert_eq!(function.to_string(), "{ S[i, j, k] -> [(k)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let access = MultiAff::parse("{ S[i] -> A[(i), (i + 1)] }")?;
    /// assert_eq!(access.affs()[1].to_string(), "{ S[i] -> [(1 + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn affs(&self) -> &[Aff] {
        &self.members
    }

    /// The sum in every position.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let a = MultiAff::parse("{ S[i] -> A[(i), (1)] }")?;
    /// let b = MultiAff::parse("{ S[i] -> A[(2i), (i)] }")?;
    /// assert_eq!(a.add(&b)?.to_string(), "{ S[i] -> A[(3i), (1 + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the sum of tuples", Aff::add)
    }

    /// The difference in every position.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let a = MultiAff::parse("{ S[i] -> A[(i), (1)] }")?;
    /// let b = MultiAff::parse("{ S[i] -> A[(2i), (i)] }")?;
    /// assert_eq!(a.sub(&b)?.to_string(), "{ S[i] -> A[(-i), (1 - i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the difference of tuples", Aff::sub)
    }

    /// `[x -> y] -> [f(x) -> g(y)]`.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let a = MultiAff::parse("{ S[i] -> A[(i)] }")?;
    /// let b = MultiAff::parse("{ T[j] -> B[(2j)] }")?;
    /// assert_eq!(a.product(&b)?.to_string(), "{ [S[i] -> T[j]] -> [A[(i)] -> B[(2j)]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if a domain has no tuple.
    pub fn product(&self, other: &Self) -> Result<Self> {
        let space = self.space.domain().map_to(&other.space.domain());
        let first = self.pullback(&MultiAff::domain_map(&space)?)?;
        first.range_product(&other.pullback(&MultiAff::range_map(&space)?)?)
    }

    /// As a relation: the pairs of a point and its value, where the value is an integer.
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let halves = MultiAff::parse("{ S[i] -> A[(i/2), (i + 1)] }")?;
    /// assert_eq!(halves.to_map().to_string(), "{ S[i] -> A[o0, 1 + 2o0] : 2o0 = i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let outer = MultiAff::parse("{ A[x] -> B[(2x), (x + 1)] }")?;
    /// let inner = MultiAff::parse("{ S[i] -> A[(3i)] }")?;
    /// assert_eq!(outer.pullback(&inner)?.to_string(), "{ S[i] -> B[(6i), (1 + 3i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::{Budget, MultiAff, Set};
    /// let function = MultiAff::parse("{ S[i] -> A[(floor(i/4)), (i)] }")?;
    /// let first = Set::parse("{ S[i] : 0 <= i <= 3 }")?;
    /// let simpler = function.gist(&first, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "{ S[i] -> A[(0), (i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Aff::gist`].
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.try_mapped(|aff| aff.gist(context, budget)).during("gist")
    }

    /// Whether both are the same expressions (syntactically, after normalization).
    ///
    /// ```
    /// # use loopwright_presburger::MultiAff;
    /// let a = MultiAff::parse("{ S[i] -> A[(i), (i + 1)] }")?;
    /// let b = MultiAff::parse("{ S[j] -> A[(j), (1 + j)] }")?;
    /// assert!(a.plain_is_equal(&b));
    /// assert!(!a.plain_is_equal(&a.neg()));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_equal(&self, other: &Self) -> bool {
        self.space.has_equal_tuples(&other.space)
            && self.members.iter().zip(&other.members).all(|(a, b)| a.plain_is_equal(b))
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

impl Aff {
    /// The same function of another point: composes with a tuple of expressions.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, MultiAff};
    /// let sum = Aff::parse("{ A[x, y] -> [(x + 2y)] }")?;
    /// let access = MultiAff::parse("{ S[i] -> A[(3i), (i + 1)] }")?;
    /// assert_eq!(sum.pullback(&access)?.to_string(), "{ S[i] -> [(2 + 5i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the range of `inner` is not the domain.
    pub fn pullback(&self, inner: &MultiAff) -> Result<Self> {
        if inner.space.output() != self.space.output() {
            return Err(mismatch("the composition of expressions", &self.space, &inner.space));
        }
        let domain = inner.space.domain().merge_params(&self.space);
        let outer = self.align_params(&domain);
        let affs: Vec<Cow<'_, Aff>> =
            inner.members.iter().map(|a| a.with_params_of(&domain)).collect();
        let n_fixed = 1 + domain.n(DimKind::Param);
        let prefix = |row: Row| {
            let mut head = row.slice(0..n_fixed);
            head.insert_zeros(n_fixed, domain.n(DimKind::Out));
            let mut sum = Aff { row: head, ..Aff::zero(&domain) };
            for (aff, column) in affs.iter().zip(n_fixed..) {
                if !row.is_zero_at(column) {
                    sum = sum.plus(&row.get(column), aff);
                }
            }
            Ok(sum)
        };
        // The outer parameters are those of `domain`, in the same order.
        outer.rebuilt(&prefix, &|quotient| Ok(quotient.floor()))
    }
}
