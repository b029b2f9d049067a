//! Basic sets and relations: conjunctions of affine constraints with floors and existentials.
use crate::core::basic_relation::{BasicRelation, FROM_ROWS, plainly_implies};
use crate::core::constraint::{Constraint, Local};
use crate::core::error::{Error, Result};
use crate::core::space::{DimKind, Space};
use loopwright_exact::Row;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

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
#[derive(Clone)]
#[must_use = "a new value is returned, operands do not change"]
pub struct BasicMap {
    pub(crate) inner: Arc<BasicRelation>,
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
