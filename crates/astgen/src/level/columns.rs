//! Rows over one dimension more or less.
use loopwright_presburger::{Int, Local, Row};

/// The row with a column of zero at `column`.
pub(crate) fn with_column(row: &Row, column: usize) -> Row {
    let mut row = row.clone();
    row.insert_zeros(column, 1);
    row
}

/// The row without a column.
pub(crate) fn without_column(row: &Row, column: usize) -> Row {
    let mut row = row.clone();
    row.remove(column..column + 1);
    row
}

/// The locals with their numerators changed.
pub(crate) fn with_numerators(locals: &[Local], change: impl Fn(&Row) -> Row) -> Vec<Local> {
    let changed = |local: &Local| match local {
        Local::Floor { numerator, denominator } => {
            Local::Floor { numerator: change(numerator), denominator: Int::clone(denominator) }
        }
        Local::Unknown => Local::Unknown,
    };
    locals.iter().map(changed).collect()
}
