//! Tuples of quasi-affine expressions.
use super::aff::{mismatch, numerator_of};
use super::piecewise::Expression;
use crate::columns::place_row;
use crate::*;

/// A tuple of quasi-affine expressions; its space is a map space (a set space if the domain is a
/// parameter space).
#[derive(Clone, Debug)]
pub struct MultiAff {
    pub(crate) space: Space,
    pub(crate) affs: Vec<Aff>,
}

/// The space of functions from `domain` (a set or parameter space) to `tuple`.
pub(super) fn range_space(domain: &Space, tuple: Tuple) -> Space {
    domain.with_tuples(domain.output().cloned(), Some(tuple))
}

impl MultiAff {
    /// From expressions over one domain space.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if an expression has another domain, [`Error::Invalid`] if their
    /// number is not that of the output dimensions.
    pub fn new(space: Space, affs: Vec<Aff>) -> Result<Self> {
        if affs.len() != space.n(DimKind::Out) {
            return Err(Error::Invalid {
                operation: "a tuple of expressions",
                reason: format!("{} expressions for the tuple of {space}", affs.len()),
            });
        }
        let space = affs.iter().fold(space, |space, aff| space.merge_params(&aff.space));
        let domain = space.domain();
        if let Some(aff) = affs.iter().find(|aff| !aff.space.has_equal_tuples(&domain)) {
            return Err(mismatch("a tuple of expressions", &domain, &aff.space));
        }
        let affs = affs.iter().map(|aff| aff.with_params_of(&domain).into_owned()).collect();
        Ok(MultiAff { space, affs })
    }

    /// The identity on a set space.
    pub fn identity(set: &Space) -> Self {
        let affs = (0..set.n(DimKind::Out)).map(|i| Aff::variable(set, DimKind::Out, i)).collect();
        MultiAff { space: set.map_from_set(), affs }
    }

    /// The map space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The expressions.
    pub fn affs(&self) -> &[Aff] {
        &self.affs
    }

    /// The same over the parameters of `space` first, others after.
    pub fn align_params(&self, space: &Space) -> Self {
        let target = self.space.with_params(space.merge_params(&self.space).param_names());
        let affs = self.affs.iter().map(|aff| aff.align_params(&target)).collect();
        MultiAff { space: target, affs }
    }

    /// As a relation: the pairs of a point and its value, where the value is an integer.
    pub fn to_map(&self) -> Map {
        Map::from_basic_map(self.graph())
    }

    /// The pairs of a point and its value, where the value is an integer.
    pub(super) fn graph(&self) -> BasicMap {
        let n_before = 1 + self.space.n(DimKind::Param) + self.space.n(DimKind::In);
        let n_out = self.affs.len();
        let n_locals: usize = self.affs.iter().map(|aff| aff.locals.len()).sum();
        let width = n_before + n_out + n_locals;
        let mut locals = Vec::with_capacity(n_locals);
        let mut constraints = Vec::with_capacity(n_out);
        if self.affs.iter().any(|aff| aff.nan) {
            return BasicMap::empty(self.space.clone());
        }
        for (position, aff) in self.affs.iter().enumerate() {
            let first = n_before + n_out + locals.len();
            let place: Vec<usize> = (0..n_before).chain(first..first + aff.locals.len()).collect();
            for local in &aff.locals {
                if let Local::Floor { numerator, denominator } = local {
                    let numerator = place_row(numerator, &place, width);
                    locals.push(Local::Floor { numerator, denominator: denominator.clone() });
                }
            }
            let mut row = place_row(&aff.row, &place, width);
            row.negate();
            row.set(n_before + position, aff.denominator.clone());
            constraints.push(Constraint { is_equality: true, row });
        }
        BasicMap::from_constraints(self.space.clone(), locals, constraints)
    }

    /// Whether every value is an integer by its form.
    fn is_integral(&self) -> bool {
        self.affs.iter().all(|aff| aff.denominator.is_one() && !aff.nan)
    }

    /// The points whose value is in `set`.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the set is in another space than the range.
    pub fn preimage(&self, set: &Set) -> Result<Set> {
        if set.space().output() != self.space.output() {
            return Err(mismatch("the preimage of a set", &self.space, set.space()));
        }
        let domain = self.space.domain().merge_params(set.space());
        let inner = self.align_params(&domain);
        let set = set.align_params(&domain);
        if inner.is_integral() {
            let basics = set.0.basics.iter().map(|basic| inner.preimage_basic(basic)).collect();
            return Ok(Set(Map::from_basic_maps(domain, basics)));
        }
        let graph = inner.to_map();
        if graph.space().is_map() {
            return Ok(graph.intersect_range(&set)?.domain());
        }
        Ok(Set(graph).intersect(&set)?.params())
    }

    /// The preimage of a basic set under integral expressions: every row is composed.
    fn preimage_basic(&self, set: &BasicMap) -> BasicMap {
        let domain = self.space.domain();
        if set.plain_is_empty() {
            return BasicMap::empty(domain);
        }
        let (n_fixed, n_in) = (1 + domain.n(DimKind::Param), domain.n(DimKind::Out));
        let n_out = self.affs.len();
        let n_inner: usize = self.affs.iter().map(|aff| aff.locals.len()).sum();
        let n_locals = n_inner + set.locals().len();
        let width = n_fixed + n_in + n_locals;
        let mut locals = Vec::with_capacity(n_locals);
        // The value of each column of the set as a row of the result.
        let mut values: Vec<Row> = (0..n_fixed).map(|column| Row::unit(width, column)).collect();
        for aff in &self.affs {
            let first = n_fixed + n_in + locals.len();
            let end = first + aff.locals.len();
            let place: Vec<usize> = (0..n_fixed + n_in).chain(first..end).collect();
            for local in &aff.locals {
                if let Local::Floor { denominator, .. } = local {
                    let numerator = place_row(numerator_of(local), &place, width);
                    locals.push(Local::Floor { numerator, denominator: denominator.clone() });
                }
            }
            values.push(place_row(&aff.row, &place, width));
        }
        debug_assert_eq!(values.len(), n_fixed + n_out);
        let first_own = n_fixed + n_in + n_inner;
        values.extend((first_own..width).map(|column| Row::unit(width, column)));
        let composed = |row: &Row| {
            let mut sum = Row::zeros(width);
            for (coefficient, value) in row.iter().zip(&values).filter(|(c, _)| !c.is_zero()) {
                sum.add_scaled(&coefficient, value);
            }
            sum
        };
        locals.extend(set.locals().iter().map(|local| match local {
            Local::Unknown => Local::Unknown,
            Local::Floor { numerator, denominator } => {
                Local::Floor { numerator: composed(numerator), denominator: denominator.clone() }
            }
        }));
        let rows = |rows: &[Row], is_equality| -> Vec<Constraint> {
            rows.iter().map(|row| Constraint { is_equality, row: composed(row) }).collect()
        };
        let mut constraints = rows(set.equalities(), true);
        constraints.extend(rows(set.inequalities(), false));
        BasicMap::from_constraints(domain, locals, constraints)
    }

    /// Composition: `self` after `inner`.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the range of `inner` is not the domain.
    pub fn pullback(&self, inner: &Self) -> Result<Self> {
        let affs = self.affs.iter().map(|aff| aff.pullback(inner)).collect::<Result<Vec<_>>>()?;
        let domain = inner.space.domain().merge_params(&self.space);
        let output = self.space.output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
        MultiAff::new(range_space(&domain, output), affs)
    }

    /// Same expressions under another range tuple.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the number of dimensions differs.
    pub fn with_range_tuple(&self, tuple: Tuple) -> Result<Self> {
        MultiAff::new(range_space(&self.space.domain(), tuple), self.affs.clone())
    }

    /// Simplified inside a context.
    ///
    /// # Errors
    /// As [`Aff::gist`].
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        let affs =
            self.affs.iter().map(|aff| aff.gist(context, budget)).collect::<Result<Vec<_>>>()?;
        MultiAff::new(self.space.clone(), affs)
    }

    /// Whether both are the same expressions (syntactically, after normalization).
    pub fn plain_is_equal(&self, other: &Self) -> bool {
        self.space.has_equal_tuples(&other.space)
            && self.affs.iter().zip(&other.affs).all(|(a, b)| a.plain_is_equal(b))
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
            affs: self.affs.iter().map(|aff| aff.place_columns(domain, place)).collect(),
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
        self.affs.iter().any(|aff| aff.involves_dims(kind, first, count))
    }
}
