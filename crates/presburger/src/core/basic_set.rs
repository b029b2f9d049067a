//! Basic sets: basic relations without input.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::FROM_ROWS;
use crate::core::constraint::{Constraint, Local};
use crate::core::error::{Error, Result};
use crate::core::space::{DimKind, Space};
use loopwright_exact::Row;

/// A basic set: a [`BasicMap`] without input.
///
/// ```
/// # use loopwright_presburger::Set;
/// let set = Set::parse("[n] -> { S[i] : 0 <= i < n }")?;
/// let basic = &set.basic_sets()[0];
/// assert_eq!((basic.n_columns(), basic.inequalities().len()), (3, 2));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a new value is returned, operands do not change"]
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
