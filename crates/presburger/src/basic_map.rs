//! Basic sets and relations: conjunctions of affine constraints with floors and existentials.
use crate::*;
use std::hash::{DefaultHasher, Hash, Hasher};
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

impl BasicData {
    /// No constraints over `space` and `locals`.
    pub(crate) fn new(space: Space, locals: Vec<Local>) -> Self {
        BasicData { space, locals, equalities: Vec::new(), inequalities: Vec::new(), empty: false }
    }

    /// The first column of the dimensions of a kind.
    pub(crate) fn offset(&self, kind: DimKind) -> usize {
        match kind {
            DimKind::Param => 1,
            DimKind::In => 1 + self.space.n(DimKind::Param),
            DimKind::Out => 1 + self.space.n(DimKind::Param) + self.space.n(DimKind::In),
            DimKind::Local => 1 + self.space.n_all(),
        }
    }

    /// The width of the rows.
    pub(crate) fn n_columns(&self) -> usize {
        1 + self.space.n_all() + self.locals.len()
    }

    /// The steps (see [`Budget`]) for going through all of it once: to place it into other columns, to
    /// copy it or to bring it into normal form.
    pub(crate) fn work(&self) -> u64 {
        let n_rows = self.equalities.len() + self.inequalities.len() + self.locals.len();
        4 + (n_rows * (8 + self.n_columns())) as u64 / 8
    }

    /// Forgets everything except the space and remembers that there is no point.
    pub(crate) fn set_empty(&mut self) {
        self.locals.clear();
        self.equalities.clear();
        self.inequalities.clear();
        self.empty = true;
    }

    /// Adds the equality of two columns.
    pub(crate) fn push_equal_columns(&mut self, a: usize, b: usize) {
        let row = self.difference_row(a, b, 0);
        self.equalities.push(row);
    }

    /// The row `column b - column a + constant`.
    pub(crate) fn difference_row(&self, a: usize, b: usize, constant: i64) -> Row {
        let mut row = Row::zeros(self.n_columns());
        row.set(0, Int::from(constant));
        row.add_at(a, &Int::from(-1));
        row.add_at(b, &Int::from(1));
        row
    }

    /// All rows: equalities, inequalities and the numerators of floors.
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        let numerators = self.locals.iter_mut().filter_map(|local| match local {
            Local::Floor { numerator, .. } => Some(numerator),
            Local::Unknown => None,
        });
        self.equalities.iter_mut().chain(&mut self.inequalities).chain(numerators)
    }
}

impl BasicMap {
    /// All of `space`.
    pub fn universe(space: Space) -> Self {
        BasicMap { inner: Arc::new(BasicData::new(space, Vec::new())) }
    }

    /// Nothing of `space`.
    pub fn empty(space: Space) -> Self {
        let mut data = BasicData::new(space, Vec::new());
        data.empty = true;
        BasicMap { inner: Arc::new(data) }
    }

    /// The points of `space` that satisfy `constraints` over the given locals.
    ///
    /// Every row (and every numerator) has `1 + space.n_all() + locals.len()` columns.
    pub fn from_constraints(
        space: Space,
        locals: Vec<Local>,
        constraints: Vec<Constraint>,
    ) -> Self {
        let mut data = BasicData::new(space, locals);
        for constraint in constraints {
            debug_assert_eq!(constraint.row.len(), data.n_columns());
            if constraint.is_equality {
                data.equalities.push(constraint.row);
            } else {
                data.inequalities.push(constraint.row);
            }
        }
        BasicMap::from_data(data)
    }

    /// Brings a system into normal form and wraps it.
    pub(crate) fn from_data(mut data: BasicData) -> Self {
        data.simplify();
        BasicMap::from_normal_data(data)
    }

    /// Wraps a system that is in normal form already.
    pub(crate) fn from_normal_data(data: BasicData) -> Self {
        BasicMap { inner: Arc::new(data) }
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.inner.space
    }

    /// The locals.
    pub fn locals(&self) -> &[Local] {
        &self.inner.locals
    }

    /// The first column of the dimensions of a kind.
    pub fn offset(&self, kind: DimKind) -> usize {
        self.inner.offset(kind)
    }

    /// The number of dimensions of a kind.
    pub fn n(&self, kind: DimKind) -> usize {
        match kind {
            DimKind::Local => self.inner.locals.len(),
            _ => self.inner.space.n(kind),
        }
    }

    /// The width of the constraint rows.
    pub fn n_columns(&self) -> usize {
        self.inner.n_columns()
    }

    /// The equalities as rows.
    pub fn equalities(&self) -> &[Row] {
        &self.inner.equalities
    }

    /// The inequalities as rows.
    pub fn inequalities(&self) -> &[Row] {
        &self.inner.inequalities
    }

    /// All constraints, equalities first (the defining inequalities of floors not included).
    pub fn constraints(&self) -> Vec<Constraint> {
        let equalities = self.inner.equalities.iter().cloned().map(Constraint::equality);
        let inequalities = self.inner.inequalities.iter().cloned().map(Constraint::inequality);
        equalities.chain(inequalities).collect()
    }

    /// Whether emptiness is obvious (cheap, one-sided).
    pub fn plain_is_empty(&self) -> bool {
        self.inner.empty
    }

    /// Whether there is obviously no constraint.
    pub fn plain_is_universe(&self) -> bool {
        let data = &self.inner;
        !data.empty && data.equalities.is_empty() && data.inequalities.is_empty()
    }

    /// Whether both have the same rows: equal sets for sure, the converse need not hold.
    ///
    /// *Cost.* Linear in the size of the rows. The parameters must be aligned.
    pub fn plain_is_equal(&self, other: &Self) -> bool {
        let (a, b) = (&*self.inner, &*other.inner);
        Arc::ptr_eq(&self.inner, &other.inner)
            || (a.space == b.space
                && a.empty == b.empty
                && a.locals == b.locals
                && a.equalities == b.equalities
                && a.inequalities == b.inequalities)
    }

    /// A number that is the same for pieces that are plainly equal.
    pub(crate) fn plain_hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let BasicData { locals, equalities, inequalities, empty, .. } = &*self.inner;
        (locals, equalities, inequalities, empty).hash(&mut hasher);
        hasher.finish()
    }

    /// The same with one more inequality `row >= 0`.
    pub fn add_inequality(&self, row: Row) -> Self {
        self.add_constraints([Constraint::inequality(row)])
    }

    /// The same with one more equality `row = 0`.
    pub fn add_equality(&self, row: Row) -> Self {
        self.add_constraints([Constraint::equality(row)])
    }

    /// The same with one more constraint over its columns.
    pub fn add_constraint(&self, constraint: Constraint) -> Self {
        self.add_constraints([constraint])
    }

    /// The same with more constraints over its columns, normalized once.
    pub fn add_constraints(&self, constraints: impl IntoIterator<Item = Constraint>) -> Self {
        if self.inner.empty {
            return self.clone();
        }
        let mut data = (*self.inner).clone();
        for constraint in constraints {
            debug_assert_eq!(constraint.row.len(), data.n_columns());
            if constraint.is_equality {
                data.equalities.push(constraint.row);
            } else {
                data.inequalities.push(constraint.row);
            }
        }
        BasicMap::from_data(data)
    }
}

impl Local {
    /// The dividend of a floor.
    pub fn numerator(&self) -> Option<&Row> {
        match self {
            Local::Floor { numerator, .. } => Some(numerator),
            Local::Unknown => None,
        }
    }
}

impl Constraint {
    /// `row = 0`.
    pub fn equality(row: Row) -> Self {
        Constraint { is_equality: true, row }
    }

    /// `row >= 0`.
    pub fn inequality(row: Row) -> Self {
        Constraint { is_equality: false, row }
    }
}

/// A basic set: a [`BasicMap`] without input.
#[derive(Clone, Debug)]
pub struct BasicSet(pub(crate) BasicMap);

impl BasicSet {
    /// All of `space`.
    pub fn universe(space: Space) -> Self {
        BasicSet::from_basic_map(BasicMap::universe(space))
    }

    /// Nothing of `space`.
    pub fn empty(space: Space) -> Self {
        BasicSet::from_basic_map(BasicMap::empty(space))
    }

    /// The points of `space` that satisfy `constraints` over the given locals.
    pub fn from_constraints(
        space: Space,
        locals: Vec<Local>,
        constraints: Vec<Constraint>,
    ) -> Self {
        BasicSet::from_basic_map(BasicMap::from_constraints(space, locals, constraints))
    }

    /// The same points as a relation without input.
    pub fn as_basic_map(&self) -> &BasicMap {
        &self.0
    }

    /// A basic set from a basic relation without input.
    ///
    /// # Panics
    /// If the relation has an input.
    pub fn from_basic_map(map: BasicMap) -> Self {
        assert!(!map.space().is_map(), "a basic set has no input tuple");
        BasicSet(map)
    }

    /// The space.
    pub fn space(&self) -> &Space {
        self.0.space()
    }

    /// The locals.
    pub fn locals(&self) -> &[Local] {
        self.0.locals()
    }

    /// The first column of the dimensions of a kind.
    pub fn offset(&self, kind: DimKind) -> usize {
        self.0.offset(kind)
    }

    /// The number of dimensions of a kind.
    pub fn n(&self, kind: DimKind) -> usize {
        self.0.n(kind)
    }

    /// The width of the constraint rows.
    pub fn n_columns(&self) -> usize {
        self.0.n_columns()
    }

    /// The equalities as rows.
    pub fn equalities(&self) -> &[Row] {
        self.0.equalities()
    }

    /// The inequalities as rows.
    pub fn inequalities(&self) -> &[Row] {
        self.0.inequalities()
    }

    /// All constraints, equalities first (the defining inequalities of floors not included).
    pub fn constraints(&self) -> Vec<Constraint> {
        self.0.constraints()
    }

    /// Whether emptiness is obvious (cheap, one-sided).
    pub fn plain_is_empty(&self) -> bool {
        self.0.plain_is_empty()
    }

    /// The same with one more constraint over its columns.
    pub fn add_constraint(&self, constraint: Constraint) -> Self {
        BasicSet(self.0.add_constraint(constraint))
    }

    /// The same with more constraints over its columns, normalized once.
    pub fn add_constraints(&self, constraints: impl IntoIterator<Item = Constraint>) -> Self {
        BasicSet(self.0.add_constraints(constraints))
    }
}
