//! Restricting single dimensions, and asking how they are restricted.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Constraint;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::set_operations::project::dim_columns;
use loopwright_exact::{Int, Row};

/// The column of one dimension.
fn column_of(space: &Space, kind: DimKind, position: usize) -> usize {
    dim_columns(space, kind, position, 1).start
}

impl BasicMap {
    /// The constant value of a dimension, if it is obviously fixed.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Map};
    /// let map = Map::parse("{ S[i] -> A[3, i] }")?;
    /// let basic = &map.basic_maps()[0];
    /// assert_eq!(basic.plain_get_val_if_fixed(DimKind::Out, 0), Some(Int::from(3)));
    /// assert_eq!(basic.plain_get_val_if_fixed(DimKind::Out, 1), None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn plain_get_val_if_fixed(&self, kind: DimKind, position: usize) -> Option<Int> {
        let column = column_of(self.space(), kind, position);
        let n_columns = self.n_columns();
        self.equalities().iter().find_map(|row| {
            let alone = row.first_nonzero(1..n_columns) == Some(column)
                && row.last_nonzero(1..n_columns) == Some(column);
            let (constant, factor) = (row.get(0), row.get(column));
            (alone && constant.is_divisible_by(&factor)).then(|| -constant.div_exact(&factor))
        })
    }
}

impl Map {
    /// Every piece with one more constraint, made from the piece's width.
    fn constrain(&self, is_equality: bool, row: impl Fn(&BasicRelation) -> Row) -> Self {
        self.map_basics(self.space.clone(), |basic| {
            basic.add_constraint(Constraint { is_equality, row: row(&basic.inner) })
        })
    }

    /// Restricts a dimension to a value.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Map};
    /// let map = Map::parse("{ S[i] -> A[x] : 0 <= x <= i }")?;
    /// assert_eq!(
    ///     map.fix(DimKind::In, 0, &Int::from(5)).to_string(),
    ///     "{ S[i = 5] -> A[x] : 0 <= x <= 5 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn fix(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        let column = column_of(&self.space, kind, position);
        self.constrain(true, |data| bound_row(data, column, 1, -value))
    }

    /// Restricts a dimension to at least a value.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Map};
    /// let map = Map::parse("{ S[i] -> A[x] : x <= i }")?;
    /// let bounded = map.lower_bound(DimKind::Out, 0, &Int::from(0));
    /// assert_eq!(bounded.to_string(), "{ S[i] -> A[x] : 0 <= x <= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn lower_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        let column = column_of(&self.space, kind, position);
        self.constrain(false, |data| bound_row(data, column, 1, -value))
    }

    /// Restricts a dimension to at most a value.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Map};
    /// let map = Map::parse("{ S[i] -> A[x] : i <= x }")?;
    /// let bounded = map.upper_bound(DimKind::Out, 0, &Int::from(9));
    /// assert_eq!(bounded.to_string(), "{ S[i] -> A[x] : i <= x <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn upper_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        let column = column_of(&self.space, kind, position);
        self.constrain(false, |data| bound_row(data, column, -1, value.clone()))
    }

    /// Restricts two dimensions to equal values.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ S[i, j] -> A[x] : 0 <= x <= i }")?;
    /// assert_eq!(
    ///     map.equate(DimKind::In, 1, DimKind::Out, 0).to_string(),
    ///     "{ S[i, j] -> A[x = j] : 0 <= j <= i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn equate(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Self {
        let (a, b) = (column_of(&self.space, kind_a, a), column_of(&self.space, kind_b, b));
        self.constrain(true, |data| data.difference_row(a, b, 0))
    }

    /// The pairs with dimension `a` smaller than dimension `b`.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ S[i] -> S[j] }")?;
    /// let forward = map.order_lt(DimKind::In, 0, DimKind::Out, 0);
    /// assert_eq!(forward.to_string(), "{ S[i] -> S[j] : j > i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn order_lt(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Self {
        let (a, b) = (column_of(&self.space, kind_a, a), column_of(&self.space, kind_b, b));
        self.constrain(false, |data| data.difference_row(a, b, -1))
    }

    /// The constant value of a dimension, if it is obviously fixed (to the same in all pieces).
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Map};
    /// let map = Map::parse("{ S[i] -> A[3] : i > 5; S[i] -> A[3] : i < 0 }")?;
    /// assert_eq!(map.plain_get_val_if_fixed(DimKind::Out, 0), Some(Int::from(3)));
    /// assert_eq!(map.plain_get_val_if_fixed(DimKind::In, 0), None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn plain_get_val_if_fixed(&self, kind: DimKind, position: usize) -> Option<Int> {
        let mut values =
            self.basics.iter().map(|basic| basic.plain_get_val_if_fixed(kind, position));
        let first = values.next()??;
        values.all(|value| value.as_ref() == Some(&first)).then_some(first)
    }
}

/// The row `factor * column + constant`.
fn bound_row(data: &BasicRelation, column: usize, factor: i64, constant: Int) -> Row {
    let mut row = Row::zeros(data.n_columns());
    row.set(0, constant);
    row.set(column, Int::from(factor));
    row
}

impl Set {
    /// Restricts a dimension to a value.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Set};
    /// let set = Set::parse("{ S[i, j] : 0 <= i <= j }")?;
    /// assert_eq!(
    ///     set.fix(DimKind::Out, 1, &Int::from(5)).to_string(),
    ///     "{ S[i, j = 5] : 0 <= i <= 5 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn fix(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        Set(self.0.fix(kind, position, value))
    }

    /// Restricts a dimension to at least a value.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Set};
    /// let set = Set::parse("{ S[i] : i <= 9 }")?;
    /// let bounded = set.lower_bound(DimKind::Out, 0, &Int::from(3));
    /// assert_eq!(bounded.to_string(), "{ S[i] : 3 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn lower_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        Set(self.0.lower_bound(kind, position, value))
    }

    /// Restricts a dimension to at most a value.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Set};
    /// let set = Set::parse("[n] -> { S[i] : 0 <= i <= n }")?;
    /// let bounded = set.upper_bound(DimKind::Param, 0, &Int::from(100));
    /// assert_eq!(bounded.to_string(), "[n] -> { S[i] : n <= 100 and 0 <= i <= n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn upper_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        Set(self.0.upper_bound(kind, position, value))
    }

    /// Restricts two dimensions to equal values.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("[n] -> { S[i, j] : 0 <= i <= j }")?;
    /// assert_eq!(
    ///     set.equate(DimKind::Out, 1, DimKind::Param, 0).to_string(),
    ///     "[n] -> { S[i, j = n] : 0 <= i <= n }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn equate(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Self {
        Set(self.0.equate(kind_a, a, kind_b, b))
    }

    /// The constant value of a dimension, if it is obviously fixed.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Set};
    /// let set = Set::parse("{ S[i, j] : i = 3 and j > 0 }")?;
    /// assert_eq!(set.plain_get_val_if_fixed(DimKind::Out, 0), Some(Int::from(3)));
    /// assert_eq!(set.plain_get_val_if_fixed(DimKind::Out, 1), None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn plain_get_val_if_fixed(&self, kind: DimKind, position: usize) -> Option<Int> {
        self.0.plain_get_val_if_fixed(kind, position)
    }
}
