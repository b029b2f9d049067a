//! Restricting single dimensions, and asking how they are restricted.
use crate::basic_map::BasicData;
use crate::project::dim_columns;
use crate::*;

/// The column of one dimension.
fn column_of(space: &Space, kind: DimKind, position: usize) -> usize {
    dim_columns(space, kind, position, 1).start
}

impl BasicMap {
    /// The constant value of a dimension, if it is obviously fixed.
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
    fn constrain(&self, is_equality: bool, row: impl Fn(&BasicData) -> Row) -> Self {
        self.map_basics(self.space.clone(), |basic| {
            basic.add_constraint(Constraint { is_equality, row: row(&basic.inner) })
        })
    }

    /// Restricts a dimension to a value.
    pub fn fix(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        let column = column_of(&self.space, kind, position);
        self.constrain(true, |data| bound_row(data, column, 1, -value))
    }

    /// Restricts a dimension to at least a value.
    pub fn lower_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        let column = column_of(&self.space, kind, position);
        self.constrain(false, |data| bound_row(data, column, 1, -value))
    }

    /// Restricts a dimension to at most a value.
    pub fn upper_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        let column = column_of(&self.space, kind, position);
        self.constrain(false, |data| bound_row(data, column, -1, value.clone()))
    }

    /// Restricts two dimensions to equal values.
    pub fn equate(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Self {
        let (a, b) = (column_of(&self.space, kind_a, a), column_of(&self.space, kind_b, b));
        self.constrain(true, |data| data.difference_row(a, b, 0))
    }

    /// The pairs with dimension `a` smaller than dimension `b`.
    pub fn order_lt(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Self {
        let (a, b) = (column_of(&self.space, kind_a, a), column_of(&self.space, kind_b, b));
        self.constrain(false, |data| data.difference_row(a, b, -1))
    }

    /// The constant value of a dimension, if it is obviously fixed (to the same in all pieces).
    pub fn plain_get_val_if_fixed(&self, kind: DimKind, position: usize) -> Option<Int> {
        let mut values =
            self.basics.iter().map(|basic| basic.plain_get_val_if_fixed(kind, position));
        let first = values.next()??;
        values.all(|value| value.as_ref() == Some(&first)).then_some(first)
    }
}

/// The row `factor * column + constant`.
fn bound_row(data: &BasicData, column: usize, factor: i64, constant: Int) -> Row {
    let mut row = Row::zeros(data.n_columns());
    row.set(0, constant);
    row.set(column, Int::from(factor));
    row
}
