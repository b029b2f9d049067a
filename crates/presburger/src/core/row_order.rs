//! Sorting constraints by their coefficients.
//!
//! Comparing rows column by column is the larger part of sorting them. So the beginning of the
//! comparison is packed into one word per row: the last column that is used and the size of its
//! coefficient, one byte each, and then the three coefficients before it that are not zero, two
//! bytes each. Only rows with the same key are compared as rows.
use loopwright_exact::Row;
use std::cmp::Ordering;

/// Sorts rows by an order that begins with
/// [`compare_coefficients`](crate::core::normal_form::inequalities::compare_coefficients); false if certainly
/// no two of them have the same coefficients up to sign.
pub(crate) fn sort_rows(rows: &mut [Row], compare: impl Fn(&Row, &Row) -> Ordering) -> bool {
    let mut keys = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        let Some(words) = row.as_i64s() else {
            rows.sort_by(compare);
            return true;
        };
        keys.push((key(words), at));
    }
    let order = |a: &(u64, usize), b: &(u64, usize)| {
        a.0.cmp(&b.0).then_with(|| compare(&rows[a.1], &rows[b.1]))
    };
    if !keys.is_sorted_by(|a, b| order(a, b).is_le()) {
        keys.sort_unstable_by(order);
        reorder(rows, &mut keys);
    }
    keys.windows(2).any(|pair| pair[0].0 == pair[1].0)
}

/// Moves the row at `keys[i].1` to position `i`.
fn reorder(rows: &mut [Row], keys: &mut [(u64, usize)]) {
    for start in 0..rows.len() {
        let mut at = start;
        loop {
            let next = std::mem::replace(&mut keys[at].1, at);
            if next == start {
                break;
            }
            rows.swap(at, next);
            at = next;
        }
    }
}

/// A word that orders rows like
/// [`compare_coefficients`](crate::core::normal_form::inequalities::compare_coefficients), except for ties.
///
/// Of two rows that agree behind a column where only one has a coefficient, the sign of this one
/// decides, whatever the other has before: so later columns are further from the middle.
fn key(words: &[i64]) -> u64 {
    const MIDDLE: u64 = 1 << 15;
    const LARGEST: u64 = 127;
    let used_before = |end: usize| words[1..end].iter().rposition(|&word| word != 0);
    let Some(mut column) = used_before(words.len()).map(|position| position + 1) else { return 0 };
    let (last, leading) = (column, words[column]);
    if last as u64 > LARGEST {
        return (LARGEST + 1) << 56;
    }
    let size = leading.unsigned_abs().min(LARGEST);
    let mut key = (last as u64) << 56 | size << 48;
    if size == LARGEST {
        return key;
    }
    for shift in [32, 16, 0] {
        let Some(position) = used_before(column) else {
            // No further coefficient: the middle of all that could follow.
            return key | (MIDDLE << shift);
        };
        column = position + 1;
        let word = words[column];
        let size = word.unsigned_abs().min(LARGEST);
        let distance = (column as u64) << 7 | size;
        let is_positive = (word > 0) == (leading > 0);
        key |= if is_positive { MIDDLE + distance } else { MIDDLE - distance } << shift;
        if size == LARGEST {
            break;
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::normal_form::inequalities::compare_coefficients;
    use proptest::prelude::*;

    fn word() -> impl Strategy<Value = i64> {
        prop_oneof![4 => -2i64..=2, 1 => -130i64..=130, 1 => -100_000i64..=100_000]
    }

    proptest! {
        #[test]
        fn keys_sort_like_comparisons(
            rows in prop::collection::vec(prop::collection::vec(word(), 10), 0..12), zeros in 0usize..9,
        ) {
            let cut = |mut row: Vec<i64>| {
                row[10 - zeros..].fill(0);
                Row::from_i64s(&row)
            };
            let mut sorted: Vec<Row> = rows.into_iter().map(cut).collect();
            let compare = |a: &Row, b: &Row| {
                compare_coefficients(a, b).then_with(|| a.as_i64s().cmp(&b.as_i64s()))
            };
            let mut expected = sorted.clone();
            expected.sort_by(compare);
            let may_repeat = sort_rows(&mut sorted, compare);
            let mut pairs = expected.windows(2);
            let repeats = pairs.any(|pair| compare_coefficients(&pair[0], &pair[1]).is_eq());
            prop_assert_eq!(sorted, expected);
            prop_assert!(may_repeat || !repeats);
        }
    }
}
