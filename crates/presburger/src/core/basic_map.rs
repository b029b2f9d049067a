//! Basic sets and relations: conjunctions of affine constraints with floors and existentials.
use crate::core::error::{Error, Result};
use crate::core::space::{DimKind, Space};
use crate::set_operations::subtract::plainly_implies;
use loopwright_exact::{Int, Row};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

const FROM_ROWS: &str = "from_constraints";

/// A dimension that is neither parameter nor tuple dimension.
///
/// ```
/// # use loopwright_presburger::{BasicSet, Constraint, Int, Local, Row, Set, Space, Tuple};
/// // { [i] : i - 2*floor(i/2) = 0 }, over [constant | i | floor].
/// let floor = Local::Floor { numerator: Row::from_i64s(&[0, 1, 0]), denominator: Int::from(2) };
/// let even = vec![Constraint::equality(Row::from_i64s(&[0, 1, -2]))];
/// let set = BasicSet::from_constraints(Space::set(&[], Tuple::anonymous(1)), vec![floor], even);
/// assert_eq!(Set::from_basic_set(set).to_string(), "{ [i0] : (i0) mod 2 = 0 }");
/// ```
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
///
/// ```
/// # use loopwright_presburger::{Constraint, Row, Set};
/// let set = Set::parse("{ [i] : i >= 3 }")?;
/// let constraint = &set.basic_sets()[0].constraints()[0];
/// assert_eq!(constraint, &Constraint::inequality(Row::from_i64s(&[-3, 1])));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// Whether the row equals zero (otherwise: is not negative).
    pub is_equality: bool,
    /// Coefficients over `[constant | parameters | in | out | locals]`.
    pub row: Row,
}

/// The result of an optimization.
///
/// ```
/// # use loopwright_presburger::{Aff, Budget, Int, Optimum, Set};
/// let budget = &Budget::unlimited();
/// let set = Set::parse("{ [i] : 2i >= 5 }")?;
/// let i = Aff::parse("{ [i] -> [(i)] }")?;
/// assert_eq!(set.min_val(&i, budget)?, Optimum::At(Int::from(3)));
/// assert_eq!(set.max_val(&i, budget)?, Optimum::Unbounded);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
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
///
/// ```
/// # use loopwright_presburger::{BasicMap, Constraint, Map, Row, Space, Tuple};
/// // { S[i] -> A[x] : x = i + 1 and i >= 0 }, over [constant | i | x].
/// let space = Space::map(&[], Tuple::named("S", 1), Tuple::named("A", 1));
/// let next = Constraint::equality(Row::from_i64s(&[1, 1, -1]));
/// let start = Constraint::inequality(Row::from_i64s(&[0, 1, 0]));
/// let map = BasicMap::from_constraints(space, vec![], vec![next, start]);
/// assert_eq!(Map::from_basic_map(map).to_string(), "{ S[i0] -> A[1 + i0] : i0 >= 0 }");
/// ```
#[derive(Clone, Debug)]
pub struct BasicMap {
    pub(crate) inner: Arc<BasicRelation>,
}

#[derive(Clone, Debug)]
pub(crate) struct BasicRelation {
    pub(crate) space: Space,
    pub(crate) locals: Vec<Local>,
    pub(crate) equalities: Vec<Row>,
    pub(crate) inequalities: Vec<Row>,
    /// Known to be empty (then there are no constraints).
    pub(crate) empty: bool,
}

impl BasicRelation {
    /// No constraints over `space` and `locals`.
    pub(crate) fn new(space: Space, locals: Vec<Local>) -> Self {
        BasicRelation {
            space,
            locals,
            equalities: Vec::new(),
            inequalities: Vec::new(),
            empty: false,
        }
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

    /// The steps (see [`Budget`](crate::Budget)) for going through all of it once: to place it into other columns, to
    /// copy it or to bring it into normal form.
    pub(crate) fn work(&self) -> u64 {
        let n_rows = self.equalities.len() + self.inequalities.len() + self.locals.len();
        4 + (n_rows * (8 + self.n_columns())) as u64 / 8
    }

    /// Whether a row has the right length.
    fn check_row(&self, row: &Row) -> Result<()> {
        let (length, width) = (row.len(), self.n_columns());
        if length == width {
            return Ok(());
        }
        let space = &self.space;
        let reason = format!("a row of {length} columns over {space}, which takes {width}");
        Err(Error::Invalid { operation: FROM_ROWS, reason })
    }

    fn expect_row(&self, row: &Row) {
        assert_eq!(row.len(), self.n_columns(), "the columns of a row over {}", self.space);
    }

    /// Adds constraints of the right length.
    fn push_constraints(&mut self, constraints: impl IntoIterator<Item = Constraint>) {
        for constraint in constraints {
            self.expect_row(&constraint.row);
            if constraint.is_equality {
                self.equalities.push(constraint.row);
            } else {
                self.inequalities.push(constraint.row);
            }
        }
    }

    /// About how many machine words it takes.
    pub(crate) fn words(&self) -> usize {
        let n_rows = self.equalities.len() + self.inequalities.len() + self.locals.len();
        32 + n_rows * (18 + self.n_columns())
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
    ///
    /// ```
    /// # use loopwright_presburger::{BasicMap, Space, Tuple};
    /// let space = Space::map(&[], Tuple::named("S", 1), Tuple::named("A", 1));
    /// assert!(BasicMap::universe(space).plain_is_universe());
    /// ```
    pub fn universe(space: Space) -> Self {
        BasicMap { inner: Arc::new(BasicRelation::new(space, Vec::new())) }
    }

    /// Nothing of `space`.
    ///
    /// ```
    /// # use loopwright_presburger::{BasicMap, Space, Tuple};
    /// let space = Space::map(&[], Tuple::named("S", 1), Tuple::named("A", 1));
    /// assert!(BasicMap::empty(space).plain_is_empty());
    /// ```
    pub fn empty(space: Space) -> Self {
        let mut data = BasicRelation::new(space, Vec::new());
        data.empty = true;
        BasicMap { inner: Arc::new(data) }
    }

    /// The points of `space` that satisfy `constraints` over the given locals.
    ///
    /// Every row (and every numerator) has `1 + space.n_all() + locals.len()` columns.
    ///
    /// ```
    /// # use loopwright_presburger::{BasicMap, Constraint, Local, Map, Row, Space, Tuple};
    /// // { [i] -> [j] : exists e: j = i + 3e }, over [constant | i | j | e].
    /// let space = Space::map(&[], Tuple::anonymous(1), Tuple::anonymous(1));
    /// let row = Constraint::equality(Row::from_i64s(&[0, 1, -1, 3]));
    /// let map = BasicMap::from_constraints(space, vec![Local::Unknown], vec![row]);
    /// assert_eq!(Map::from_basic_map(map).to_string(), "{ [i0] -> [o0] : (i0 - o0) mod 3 = 0 }");
    /// ```
    ///
    /// # Panics
    /// If a row has another length, see [`BasicMap::try_from_constraints`].
    pub fn from_constraints(
        space: Space,
        locals: Vec<Local>,
        constraints: Vec<Constraint>,
    ) -> Self {
        let mut data = BasicRelation::new(space, locals);
        for local in &data.locals {
            if let Local::Floor { numerator, .. } = local {
                data.expect_row(numerator);
            }
        }
        data.push_constraints(constraints);
        BasicMap::from_data(data)
    }

    /// The same for rows of which it is not known that they fit.
    ///
    /// ```
    /// # use loopwright_presburger::{BasicMap, Constraint, Row, Space, Tuple};
    /// let space = Space::map(&[], Tuple::anonymous(1), Tuple::anonymous(1));
    /// let row = Constraint::equality(Row::from_i64s(&[0, 1]));
    /// let error = BasicMap::try_from_constraints(space, vec![], vec![row]).unwrap_err();
    /// let text = "from_constraints: a row of 2 columns over { [i0] -> [i0] }, which takes 3";
    /// assert_eq!(error.to_string(), text);
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if a row or numerator does not have `1 + space.n_all() + locals.len()` columns, a
    /// denominator is not positive, or a floor uses itself or a later local.
    pub fn try_from_constraints(
        space: Space,
        locals: Vec<Local>,
        constraints: Vec<Constraint>,
    ) -> Result<Self> {
        let data = BasicRelation::new(space, locals);
        for (index, local) in data.locals.iter().enumerate() {
            let Local::Floor { numerator, denominator } = local else { continue };
            data.check_row(numerator)?;
            let refuse = |reason: String| Err(Error::Invalid { operation: FROM_ROWS, reason });
            if !denominator.is_positive() {
                return refuse(format!("the denominator of floor {index} is {denominator}"));
            }
            let first = data.offset(DimKind::Local) + index;
            if numerator.first_nonzero(first..data.n_columns()).is_some() {
                return refuse(format!("floor {index} uses itself or a later local"));
            }
        }
        for constraint in &constraints {
            data.check_row(&constraint.row)?;
        }
        let BasicRelation { space, locals, .. } = data;
        Ok(BasicMap::from_constraints(space, locals, constraints))
    }

    /// Brings a system into normal form and wraps it.
    pub(crate) fn from_data(mut data: BasicRelation) -> Self {
        data.simplify();
        BasicMap::from_normal_data(data)
    }

    /// Wraps a system that is in normal form already.
    pub(crate) fn from_normal_data(data: BasicRelation) -> Self {
        BasicMap { inner: Arc::new(data) }
    }

    /// The space.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("[n] -> { S[i] -> A[i] }")?;
    /// assert_eq!(map.basic_maps()[0].space(), map.space());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn space(&self) -> &Space {
        &self.inner.space
    }

    /// The locals.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ [i] -> [j] : (j - i) mod 3 = 0 }")?;
    /// assert_eq!(map.basic_maps()[0].locals().len(), 1);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn locals(&self) -> &[Local] {
        &self.inner.locals
    }

    /// The first column of the dimensions of a kind.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// // The columns are [constant | n | i | j | locals].
    /// let map = Map::parse("[n] -> { [i] -> [j] : i <= j < n }")?;
    /// let basic = &map.basic_maps()[0];
    /// let kinds = [DimKind::Param, DimKind::In, DimKind::Out, DimKind::Local];
    /// assert_eq!(kinds.map(|kind| basic.offset(kind)), [1, 2, 3, 4]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn offset(&self, kind: DimKind) -> usize {
        self.inner.offset(kind)
    }

    /// The number of dimensions of a kind.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("[n] -> { [i] -> [j, k] : i + 2j = 3k + n }")?;
    /// let basic = &map.basic_maps()[0];
    /// assert_eq!((basic.n(DimKind::Out), basic.n(DimKind::Local)), (2, 0));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn n(&self, kind: DimKind) -> usize {
        match kind {
            DimKind::Local => self.inner.locals.len(),
            _ => self.inner.space.n(kind),
        }
    }

    /// The width of the constraint rows.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("[n] -> { [i] -> [j, k] : i <= j }")?;
    /// assert_eq!(map.basic_maps()[0].n_columns(), 5);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn n_columns(&self) -> usize {
        self.inner.n_columns()
    }

    /// The equalities as rows.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Row};
    /// let map = Map::parse("{ [i] -> [i + 1] : i >= 0 }")?;
    /// assert_eq!(map.basic_maps()[0].equalities(), [Row::from_i64s(&[-1, -1, 1])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn equalities(&self) -> &[Row] {
        &self.inner.equalities
    }

    /// The inequalities as rows.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Row};
    /// let map = Map::parse("{ [i] -> [i + 1] : i >= 0 }")?;
    /// assert_eq!(map.basic_maps()[0].inequalities(), [Row::from_i64s(&[0, 1, 0])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn inequalities(&self) -> &[Row] {
        &self.inner.inequalities
    }

    /// All constraints, equalities first (the defining inequalities of floors not included).
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ [i] -> [i + 1] : i >= 0 }")?;
    /// let kinds: Vec<bool> = map.basic_maps()[0]
    ///     .constraints()
    ///     .iter()
    ///     .map(|constraint| constraint.is_equality)
    ///     .collect();
    /// assert_eq!(kinds, [true, false]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn constraints(&self) -> Vec<Constraint> {
        let equalities = self.inner.equalities.iter().cloned().map(Constraint::equality);
        let inequalities = self.inner.inequalities.iter().cloned().map(Constraint::inequality);
        equalities.chain(inequalities).collect()
    }

    /// Whether emptiness is obvious (cheap, one-sided).
    ///
    /// ```
    /// # use loopwright_presburger::{BasicMap, Row, Space, Tuple};
    /// let space = Space::map(&[], Tuple::anonymous(1), Tuple::anonymous(1));
    /// // 2i = 1 has no solution.
    /// let map = BasicMap::universe(space).add_equality(Row::from_i64s(&[-1, 2, 0]));
    /// assert!(map.plain_is_empty());
    /// ```
    pub fn plain_is_empty(&self) -> bool {
        self.inner.empty
    }

    /// Whether there is obviously no constraint.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ [i] -> [j] }")?;
    /// assert!(map.basic_maps()[0].plain_is_universe());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_universe(&self) -> bool {
        let data = &self.inner;
        !data.empty && data.equalities.is_empty() && data.inequalities.is_empty()
    }

    /// Whether both have the same rows: equal sets for sure, the converse need not hold.
    ///
    /// *Cost.* Linear in the size of the rows. The parameters must be aligned.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let a = Map::parse("{ [i] -> [j] : j >= i and i >= 0 }")?;
    /// let b = Map::parse("{ [i] -> [j] : 2i >= 0 and 3j >= 3i }")?;
    /// assert!(a.basic_maps()[0].plain_is_equal(&b.basic_maps()[0]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_equal(&self, other: &Self) -> bool {
        let (a, b) = (&*self.inner, &*other.inner);
        Arc::ptr_eq(&self.inner, &other.inner)
            || (a.space == b.space
                && a.empty == b.empty
                && a.locals == b.locals
                && a.equalities == b.equalities
                && a.inequalities == b.inequalities)
    }

    /// Whether single constraints of `other` show that it is contained in this.
    pub(crate) fn plainly_contains(&self, other: &Self) -> bool {
        let (own, other) = (&*self.inner, &*other.inner);
        own.locals == other.locals
            && own.inequalities.len() <= other.inequalities.len() + other.equalities.len()
            && own.equalities.iter().all(|row| other.equalities.contains(row))
            && own.inequalities.iter().all(|row| plainly_implies(other, row))
    }

    /// A number that is the same for pieces that are plainly equal.
    pub(crate) fn plain_hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        let BasicRelation { locals, equalities, inequalities, empty, .. } = &*self.inner;
        (locals, equalities, inequalities, empty).hash(&mut hasher);
        hasher.finish()
    }

    /// The same with one more inequality `row >= 0`.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Row};
    /// let map = Map::parse("{ [i] -> [j] : j >= i }")?.basic_maps()[0].clone();
    /// // 9 - j >= 0
    /// let bounded = map.add_inequality(Row::from_i64s(&[9, 0, -1]));
    /// assert_eq!(Map::from_basic_map(bounded).to_string(), "{ [i] -> [j] : i <= j <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If a row does not have the columns of the constraints there are.
    pub fn add_inequality(&self, row: Row) -> Self {
        self.add_constraints([Constraint::inequality(row)])
    }

    /// The same with one more equality `row = 0`.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Row};
    /// let map = Map::parse("{ [i] -> [j] : j >= i }")?.basic_maps()[0].clone();
    /// // j - 5 = 0
    /// let line = map.add_equality(Row::from_i64s(&[-5, 0, 1]));
    /// assert_eq!(Map::from_basic_map(line).to_string(), "{ [i] -> [j = 5] : i <= 5 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If a row does not have the columns of the constraints there are.
    pub fn add_equality(&self, row: Row) -> Self {
        self.add_constraints([Constraint::equality(row)])
    }

    /// The same with one more constraint over its columns.
    ///
    /// ```
    /// # use loopwright_presburger::{Constraint, Map, Row};
    /// let map = Map::parse("{ [i] -> [j] : j >= i }")?.basic_maps()[0].clone();
    /// let opposite = map.add_constraint(Constraint::inequality(Row::from_i64s(&[0, 1, -1])));
    /// assert_eq!(Map::from_basic_map(opposite).to_string(), "{ [i] -> [j = i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If a row does not have the columns of the constraints there are.
    pub fn add_constraint(&self, constraint: Constraint) -> Self {
        self.add_constraints([constraint])
    }

    /// The same with more constraints over its columns, normalized once.
    ///
    /// ```
    /// # use loopwright_presburger::{Constraint, Map, Row};
    /// let map = Map::parse("{ [i] -> [j] }")?.basic_maps()[0].clone();
    /// let rows = [Row::from_i64s(&[0, 1, 0]), Row::from_i64s(&[9, 0, -1])];
    /// let bounded = map.add_constraints(rows.map(Constraint::inequality));
    /// assert_eq!(Map::from_basic_map(bounded).to_string(), "{ [i] -> [j] : i >= 0 and j <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If a row does not have the columns of the constraints there are.
    pub fn add_constraints(&self, constraints: impl IntoIterator<Item = Constraint>) -> Self {
        if self.inner.empty {
            return self.clone();
        }
        let mut data = (*self.inner).clone();
        data.push_constraints(constraints);
        BasicMap::from_data(data)
    }
}

impl Local {
    /// Whether this is an existentially quantified integer.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Local::Unknown)
    }

    /// The dividend of a floor.
    ///
    /// ```
    /// # use loopwright_presburger::{Int, Local, Row};
    /// let numerator = Row::from_i64s(&[1, 1, 0]);
    /// let floor = Local::Floor { numerator: numerator.clone(), denominator: Int::from(2) };
    /// assert_eq!(floor.numerator(), Some(&numerator));
    /// assert_eq!(Local::Unknown.numerator(), None);
    /// ```
    pub fn numerator(&self) -> Option<&Row> {
        match self {
            Local::Floor { numerator, .. } => Some(numerator),
            Local::Unknown => None,
        }
    }
}

impl Constraint {
    /// `row = 0`.
    ///
    /// ```
    /// # use loopwright_presburger::{Constraint, Row};
    /// let constraint = Constraint::equality(Row::from_i64s(&[-3, 1]));
    /// assert!(constraint.is_equality);
    /// ```
    pub fn equality(row: Row) -> Self {
        Constraint { is_equality: true, row }
    }

    /// `row >= 0`.
    ///
    /// ```
    /// # use loopwright_presburger::{Constraint, Row};
    /// let constraint = Constraint::inequality(Row::from_i64s(&[-3, 1]));
    /// assert!(!constraint.is_equality);
    /// ```
    pub fn inequality(row: Row) -> Self {
        Constraint { is_equality: false, row }
    }
}

/// A basic set: a [`BasicMap`] without input.
///
/// ```
/// # use loopwright_presburger::Set;
/// let set = Set::parse("[n] -> { S[i] : 0 <= i < n }")?;
/// let basic = &set.basic_sets()[0];
/// assert_eq!((basic.n_columns(), basic.inequalities().len()), (3, 2));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BasicSet(pub(crate) BasicMap);

impl BasicSet {
    /// All of `space`.
    ///
    /// ```
    /// # use loopwright_presburger::{BasicSet, Space, Tuple};
    /// let everything = BasicSet::universe(Space::set(&[], Tuple::named("S", 1)));
    /// assert!(everything.constraints().is_empty());
    /// ```
    pub fn universe(space: Space) -> Self {
        BasicSet::from_basic_map(BasicMap::universe(space))
    }

    /// Nothing of `space`.
    ///
    /// ```
    /// # use loopwright_presburger::{BasicSet, Space, Tuple};
    /// let nothing = BasicSet::empty(Space::set(&[], Tuple::named("S", 1)));
    /// assert!(nothing.plain_is_empty());
    /// ```
    pub fn empty(space: Space) -> Self {
        BasicSet::from_basic_map(BasicMap::empty(space))
    }

    /// The points of `space` that satisfy `constraints` over the given locals.
    ///
    /// ```
    /// # use loopwright_presburger::{BasicSet, Constraint, Local, Row, Set, Space, Tuple};
    /// // { [i] : exists e: i = 3e + 1 }, over [constant | i | e].
    /// let row = Constraint::equality(Row::from_i64s(&[1, -1, 3]));
    /// let space = Space::set(&[], Tuple::anonymous(1));
    /// let set = BasicSet::from_constraints(space, vec![Local::Unknown], vec![row]);
    /// assert_eq!(Set::from_basic_set(set).to_string(), "{ [i0] : (2 + i0) mod 3 = 0 }");
    /// ```
    ///
    /// # Panics
    /// If a row has another length, see [`BasicSet::try_from_constraints`], or the space is one of
    /// relations.
    pub fn from_constraints(
        space: Space,
        locals: Vec<Local>,
        constraints: Vec<Constraint>,
    ) -> Self {
        BasicSet::from_basic_map(BasicMap::from_constraints(space, locals, constraints))
    }

    /// The same for rows of which it is not known that they fit.
    ///
    /// ```
    /// # use loopwright_presburger::{BasicSet, Constraint, Row, Space, Tuple};
    /// let space = Space::set(&[], Tuple::anonymous(1));
    /// let row = Constraint::inequality(Row::from_i64s(&[0, 1, 0]));
    /// assert!(BasicSet::try_from_constraints(space, vec![], vec![row]).is_err());
    /// ```
    ///
    /// # Errors
    /// Those of [`BasicMap::try_from_constraints`]; [`Error::Invalid`] if the space is one of relations.
    pub fn try_from_constraints(
        space: Space,
        locals: Vec<Local>,
        constraints: Vec<Constraint>,
    ) -> Result<Self> {
        if space.is_map() {
            let reason = format!("{space} is a space of relations");
            return Err(Error::Invalid { operation: FROM_ROWS, reason });
        }
        BasicMap::try_from_constraints(space, locals, constraints).map(BasicSet::from_basic_map)
    }

    /// The same points as a relation without input.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("{ [i] : i >= 3 }")?;
    /// let basic = &set.basic_sets()[0];
    /// assert!(!basic.as_basic_map().is_empty(&Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn as_basic_map(&self) -> &BasicMap {
        &self.0
    }

    /// A basic set from a basic relation without input.
    ///
    /// ```
    /// # use loopwright_presburger::{BasicMap, BasicSet, DimKind, Space, Tuple};
    /// let map = BasicMap::universe(Space::set(&[], Tuple::named("S", 1)));
    /// assert_eq!(BasicSet::from_basic_map(map).n(DimKind::Out), 1);
    /// ```
    ///
    /// # Panics
    /// If the relation has an input.
    pub fn from_basic_map(map: BasicMap) -> Self {
        assert!(!map.space().is_map(), "a basic set has no input tuple");
        BasicSet(map)
    }

    /// The space.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("[n] -> { S[i] : i < n }")?;
    /// assert_eq!(set.basic_sets()[0].space().to_string(), "[n] -> { S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn space(&self) -> &Space {
        self.0.space()
    }

    /// The locals.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("{ [i] : i mod 3 = 1 }")?;
    /// assert_eq!(set.basic_sets()[0].locals().len(), 1);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn locals(&self) -> &[Local] {
        self.0.locals()
    }

    /// The first column of the dimensions of a kind.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// // The columns are [constant | n | i | locals].
    /// let set = Set::parse("[n] -> { [i] : i < n }")?;
    /// let basic = &set.basic_sets()[0];
    /// let kinds = [DimKind::Param, DimKind::Out, DimKind::Local];
    /// assert_eq!(kinds.map(|kind| basic.offset(kind)), [1, 2, 3]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn offset(&self, kind: DimKind) -> usize {
        self.0.offset(kind)
    }

    /// The number of dimensions of a kind.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("[n] -> { [i, j] : i < n }")?;
    /// assert_eq!(set.basic_sets()[0].n(DimKind::Out), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn n(&self, kind: DimKind) -> usize {
        self.0.n(kind)
    }

    /// The width of the constraint rows.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("[n] -> { [i, j] : i < n }")?;
    /// assert_eq!(set.basic_sets()[0].n_columns(), 4);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn n_columns(&self) -> usize {
        self.0.n_columns()
    }

    /// The equalities as rows.
    ///
    /// ```
    /// # use loopwright_presburger::{Row, Set};
    /// let set = Set::parse("{ [i, j] : j = i + 1 and i >= 0 }")?;
    /// assert_eq!(set.basic_sets()[0].equalities(), [Row::from_i64s(&[-1, -1, 1])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn equalities(&self) -> &[Row] {
        self.0.equalities()
    }

    /// The inequalities as rows.
    ///
    /// ```
    /// # use loopwright_presburger::{Row, Set};
    /// let set = Set::parse("{ [i, j] : j = i + 1 and 2i >= 1 }")?;
    /// // 2i >= 1 is i >= 1 for integers.
    /// assert_eq!(set.basic_sets()[0].inequalities(), [Row::from_i64s(&[-1, 1, 0])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn inequalities(&self) -> &[Row] {
        self.0.inequalities()
    }

    /// All constraints, equalities first (the defining inequalities of floors not included).
    ///
    /// ```
    /// # use loopwright_presburger::{Row, Set};
    /// let set = Set::parse("{ [i] : 3 <= i <= 9 }")?;
    /// let rows: Vec<Row> = set.basic_sets()[0].constraints().into_iter().map(|c| c.row).collect();
    /// assert_eq!(rows, [Row::from_i64s(&[-3, 1]), Row::from_i64s(&[9, -1])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn constraints(&self) -> Vec<Constraint> {
        self.0.constraints()
    }

    /// Whether emptiness is obvious (cheap, one-sided).
    ///
    /// ```
    /// # use loopwright_presburger::{BasicSet, Constraint, Row, Space, Tuple};
    /// let space = Space::set(&[], Tuple::anonymous(1));
    /// // 2i = 1 has no solution.
    /// let row = Constraint::equality(Row::from_i64s(&[-1, 2]));
    /// assert!(BasicSet::universe(space).add_constraint(row).plain_is_empty());
    /// ```
    pub fn plain_is_empty(&self) -> bool {
        self.0.plain_is_empty()
    }

    /// The same with one more constraint over its columns.
    ///
    /// ```
    /// # use loopwright_presburger::{Constraint, Row, Set};
    /// let set = Set::parse("{ [i] : i >= 3 }")?.basic_sets()[0].clone();
    /// let bounded = set.add_constraint(Constraint::inequality(Row::from_i64s(&[9, -1])));
    /// assert_eq!(Set::from_basic_set(bounded).to_string(), "{ [i] : 3 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If a row does not have the columns of the constraints there are.
    pub fn add_constraint(&self, constraint: Constraint) -> Self {
        BasicSet(self.0.add_constraint(constraint))
    }

    /// The same with more constraints over its columns, normalized once.
    ///
    /// ```
    /// # use loopwright_presburger::{Constraint, Row, Set};
    /// let set = Set::parse("{ [i] }")?.basic_sets()[0].clone();
    /// let rows = [Row::from_i64s(&[-3, 1]), Row::from_i64s(&[9, -1])];
    /// let bounded = set.add_constraints(rows.map(Constraint::inequality));
    /// assert_eq!(Set::from_basic_set(bounded).to_string(), "{ [i] : 3 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If a row does not have the columns of the constraints there are.
    pub fn add_constraints(&self, constraints: impl IntoIterator<Item = Constraint>) -> Self {
        BasicSet(self.0.add_constraints(constraints))
    }
}
