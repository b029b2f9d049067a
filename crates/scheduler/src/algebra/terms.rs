//! Sparse integer rows.
//!
//! The rows of a scheduling problem involve the few variables of two statements, while the problem has
//! the variables of all of them: only the entries that are not zero are kept.
use crate::algebra::vectors::lowest_terms;
use loopwright_presburger::{Int, Result, Row};

/// A row over `[constant | variables]` as its entries that are not zero, by column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Terms(Vec<(usize, i64)>);

impl Terms {
    /// The row with the sum of the given entries in each column.
    pub(crate) fn sum(mut entries: Vec<(usize, i64)>) -> Self {
        entries.sort_unstable_by_key(|&(column, _)| column);
        entries.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        entries.retain(|&(_, entry)| entry != 0);
        Terms(entries)
    }

    /// The entries that are not zero, by column.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, i64)> + '_ {
        self.0.iter().copied()
    }

    /// The entry in a column.
    pub(crate) fn get(&self, column: usize) -> i64 {
        self.0.binary_search_by_key(&column, |&(c, _)| c).map_or(0, |place| self.0[place].1)
    }

    /// Whether all entries are zero.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The last variable that is involved.
    pub(crate) fn last_variable(&self) -> Option<usize> {
        self.0.last().map(|&(column, _)| column).filter(|&column| column > 0)
    }

    /// Whether the row is positive or zero wherever the variables are.
    pub(crate) fn is_never_negative(&self) -> bool {
        self.0.iter().all(|&(_, entry)| entry > 0)
    }

    /// A positive multiple of this row without variable `pivot`, in lowest terms, by adding a multiple of
    /// a row with that variable.
    ///
    /// # Errors
    /// `Exceeded` if an entry does not fit.
    pub(crate) fn without(&self, pivot: usize, row: &Terms) -> Result<Self> {
        let (a, b) = (i128::from(row.get(pivot)), i128::from(self.get(pivot)));
        let (a, b) = if a < 0 { (-a, b) } else { (a, -b) };
        let mut columns = Vec::with_capacity(self.0.len() + row.0.len());
        let mut entries = Vec::with_capacity(columns.capacity());
        let (mut left, mut right) = (self.0.as_slice(), row.0.as_slice());
        loop {
            let mine = left.first().map_or(usize::MAX, |&(column, _)| column);
            let theirs = right.first().map_or(usize::MAX, |&(column, _)| column);
            let column = mine.min(theirs);
            if column == usize::MAX {
                break;
            }
            let take = |from: &mut &[(usize, i64)], is_there: bool| match from.split_first() {
                Some((&(_, entry), rest)) if is_there => {
                    *from = rest;
                    i128::from(entry)
                }
                _ => 0,
            };
            let (x, y) = (take(&mut left, mine == column), take(&mut right, theirs == column));
            let entry = a * x + b * y;
            if entry != 0 {
                columns.push(column);
                entries.push(entry);
            }
        }
        let entries = lowest_terms(&entries)?;
        Ok(Terms(columns.into_iter().zip(entries).collect()))
    }

    /// The row with all entries, column `c` in column `place(c)`.
    pub(crate) fn spread(&self, width: usize, place: impl Fn(usize) -> usize) -> Row {
        let mut row = vec![0; width];
        for &(column, entry) in &self.0 {
            row[place(column)] = entry;
        }
        Row::from_i64s(&row)
    }

    /// The value where the constant stands for `one` and variable `c` for `values[c - 1]`.
    pub(crate) fn value(&self, one: &Int, values: &[Int]) -> Int {
        let mut sum = Int::ZERO;
        for &(column, entry) in &self.0 {
            let value = if column == 0 { one } else { &values[column - 1] };
            if !value.is_zero() {
                sum += Int::from(entry) * value;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_a_column_are_added() {
        let terms = Terms::sum(vec![(3, 2), (0, 1), (3, -2), (1, 4), (1, 1)]);
        assert_eq!(terms.iter().collect::<Vec<_>>(), [(0, 1), (1, 5)]);
        assert_eq!((terms.get(1), terms.get(3), terms.last_variable()), (5, 0, Some(1)));
    }

    #[test]
    fn a_variable_is_replaced_without_a_change_of_sign() {
        let row = Terms::sum(vec![(0, 1), (2, 3)]);
        for pivot in [Terms::sum(vec![(1, 4), (2, -6)]), Terms::sum(vec![(1, -4), (2, 6)])] {
            let replaced = row.without(2, &pivot).unwrap();
            assert_eq!(replaced, Terms::sum(vec![(0, 1), (1, 2)]));
        }
    }

    #[test]
    fn the_value_at_a_point() {
        let terms = Terms::sum(vec![(0, -3), (1, 2), (4, 1)]);
        let values = [5, 100, 100, 7].map(Int::from);
        assert_eq!(terms.value(&Int::from(2), &values), Int::from(11));
    }
}
