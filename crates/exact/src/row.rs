//! Rows of integers that are all machine words or all big.
//!
//! Pivoting, elimination and normal forms spend their time in `a * row + b * other`. Choosing the
//! representation per row instead of per coefficient makes the common case a plain loop over
//! words, which the compiler vectorises, and keeps the tag test out of it:
//!
//! 1. The absolute values of a row are OR-ed together; the result bounds every one of them. If
//!    `|a| * bound + |b| * bound' <= i64::MAX`, no intermediate value can overflow and the loop
//!    runs on words.
//! 2. Otherwise it runs on double words, which always suffice: `|a x + b y| <= 2 * 2^126`. Where
//!    the result may be divided by its greatest common divisor, that happens there; it is stored
//!    as words again if it fits.
//! 3. Only rows that still do not fit are rows of [`Int`]. They return to words as soon as an
//!    operation makes them small enough, so the form is canonical and equality is structural.
use crate::Int;
use crate::int::{gcd_u64, gcd_u128};
use smallvec::SmallVec;
use std::fmt;
use std::ops::Range;

/// A vector of exact integers whose representation is chosen for the whole row.
///
/// *Cost.* Every operation is linear in the length.
///
/// ```
/// use loopwright_exact::{Int, Row};
/// let mut row = Row::from_i64s(&[4, 6, 2]);
/// row.eliminate(2, &Row::from_i64s(&[1, 0, 4]));
/// assert_eq!(row, Row::from_i64s(&[7, 12, 0]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row(Repr);

/// Words that lie in the row itself as long as they are few: the rows of loop programs most often
/// need no allocation.
type Words = SmallVec<[i64; INLINE_WORDS]>;

/// The number of words inside of a row.
const INLINE_WORDS: usize = 14;

/// Canonical: `Large` only if an element does not fit into a word (or is `i64::MIN`).
#[derive(Debug, PartialEq, Eq, Hash)]
enum Repr {
    Small(Words),
    Large(Vec<Int>),
}

impl Clone for Repr {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Repr::Small(values) => Repr::Small(Words::from_slice(values)),
            Repr::Large(values) => Repr::Large(values.clone()),
        }
    }
}

impl Row {
    /// `length` zeros.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// assert_eq!(Row::zeros(3), Row::from_i64s(&[0, 0, 0]));
    /// ```
    pub fn zeros(length: usize) -> Self {
        if length <= INLINE_WORDS {
            return Row(Repr::Small(Words::from_buf_and_len([0; INLINE_WORDS], length)));
        }
        // Not `vec!`: memory that the allocator has to clear takes its slow path.
        Row(Repr::Small(Words::from_vec(std::iter::repeat_n(0, length).collect())))
    }

    /// The row of the given words.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let row = Row::from_i64s(&[4, 0, -2]);
    /// assert_eq!(row.get(2), Int::from(-2));
    /// ```
    pub fn from_i64s(values: &[i64]) -> Self {
        if values.contains(&i64::MIN) {
            return values.iter().map(|&value| Int::from(value)).collect();
        }
        Row(Repr::Small(Words::from_slice(values)))
    }

    /// The row of the given integers.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let row = Row::from_ints(vec![Int::from(10).pow(20), Int::from(3)]);
    /// assert_eq!(row.as_i64s(), None);
    /// assert_eq!(Row::from_ints(vec![Int::from(3)]), Row::from_i64s(&[3]));
    /// ```
    pub fn from_ints(values: Vec<Int>) -> Self {
        let mut row = Row(Repr::Large(values));
        row.normalize();
        row
    }

    /// The row of length `length` that is 1 in column `column` and 0 elsewhere.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// assert_eq!(Row::unit(3, 1), Row::from_i64s(&[0, 1, 0]));
    /// ```
    pub fn unit(length: usize, column: usize) -> Self {
        let mut row = Row::zeros(length);
        row.set(column, Int::ONE);
        row
    }

    /// The number of elements.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// assert_eq!(Row::from_i64s(&[4, 0, -2]).len(), 3);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::Small(values) => values.len(),
            Repr::Large(values) => values.len(),
        }
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// assert!(Row::zeros(0).is_empty());
    /// assert!(!Row::zeros(1).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element of a column.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// assert_eq!(Row::from_i64s(&[4, 0, -2]).get(0), Int::from(4));
    /// ```
    #[inline]
    pub fn get(&self, column: usize) -> Int {
        match &self.0 {
            Repr::Small(values) => Int::Small(values[column]),
            Repr::Large(values) => values[column].clone(),
        }
    }

    /// Replaces the element of a column.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let mut row = Row::zeros(2);
    /// row.set(1, Int::from(5));
    /// assert_eq!(row, Row::from_i64s(&[0, 5]));
    /// ```
    #[inline]
    pub fn set(&mut self, column: usize, value: Int) {
        match (&mut self.0, value) {
            (Repr::Small(values), Int::Small(word)) => values[column] = word,
            (_, value) => {
                self.large()[column] = value;
                self.normalize();
            }
        }
    }

    /// Adds to the element of a column.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let mut row = Row::from_i64s(&[4, 1]);
    /// row.add_at(0, &Int::from(-3));
    /// assert_eq!(row, Row::from_i64s(&[1, 1]));
    /// ```
    #[inline]
    pub fn add_at(&mut self, column: usize, value: &Int) {
        self.set(column, self.get(column) + value);
    }

    /// Whether the element of a column is 0.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let row = Row::from_i64s(&[4, 0]);
    /// assert!(!row.is_zero_at(0) && row.is_zero_at(1));
    /// ```
    #[inline]
    pub fn is_zero_at(&self, column: usize) -> bool {
        match &self.0 {
            Repr::Small(values) => values[column] == 0,
            Repr::Large(values) => values[column].is_zero(),
        }
    }

    /// The sign of the element of a column: -1, 0 or 1.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let row = Row::from_i64s(&[4, 0, -2]);
    /// assert_eq!([row.sign(0), row.sign(1), row.sign(2)], [1, 0, -1]);
    /// ```
    #[inline]
    pub fn sign(&self, column: usize) -> i32 {
        match &self.0 {
            Repr::Small(values) => values[column].signum() as i32,
            Repr::Large(values) => values[column].signum(),
        }
    }

    /// Whether all elements are 0.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// assert!(Row::zeros(3).is_zero());
    /// assert!(!Row::unit(3, 0).is_zero());
    /// ```
    pub fn is_zero(&self) -> bool {
        self.first_nonzero(0..self.len()).is_none()
    }

    /// The first column of the range whose element is not 0.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let row = Row::from_i64s(&[0, 7, 0, 5]);
    /// assert_eq!(row.first_nonzero(0..4), Some(1));
    /// assert_eq!(row.first_nonzero(2..4), Some(3));
    /// assert_eq!(row.first_nonzero(2..3), None);
    /// ```
    pub fn first_nonzero(&self, range: Range<usize>) -> Option<usize> {
        let start = range.start;
        let found = match &self.0 {
            Repr::Small(values) => values[range].iter().position(|value| *value != 0),
            Repr::Large(values) => values[range].iter().position(|value| !value.is_zero()),
        };
        found.map(|position| start + position)
    }

    /// The last column of the range whose element is not 0.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let row = Row::from_i64s(&[0, 7, 0, 5]);
    /// assert_eq!(row.last_nonzero(0..4), Some(3));
    /// assert_eq!(row.last_nonzero(0..3), Some(1));
    /// ```
    pub fn last_nonzero(&self, range: Range<usize>) -> Option<usize> {
        let start = range.start;
        let found = match &self.0 {
            Repr::Small(values) => values[range].iter().rposition(|value| *value != 0),
            Repr::Large(values) => values[range].iter().rposition(|value| !value.is_zero()),
        };
        found.map(|position| start + position)
    }

    /// The greatest common divisor of the elements of the range; 0 if all are 0.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let row = Row::from_i64s(&[5, 6, -9]);
    /// assert_eq!(row.gcd(1..3), Int::from(3));
    /// assert_eq!(row.gcd(0..3), Int::ONE);
    /// ```
    pub fn gcd(&self, range: Range<usize>) -> Int {
        match &self.0 {
            Repr::Small(values) => Int::Small(gcd_of_words(&values[range]) as i64),
            Repr::Large(values) => {
                values[range].iter().fold(Int::ZERO, |divisor, value| divisor.gcd(value))
            }
        }
    }

    /// Changes the sign of every element.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let mut row = Row::from_i64s(&[4, 0, -2]);
    /// row.negate();
    /// assert_eq!(row, Row::from_i64s(&[-4, 0, 2]));
    /// ```
    pub fn negate(&mut self) {
        match &mut self.0 {
            Repr::Small(values) => values.iter_mut().for_each(|value| *value = -*value),
            Repr::Large(values) => values.iter_mut().for_each(|value| *value = -&*value),
        }
    }

    /// Multiplies every element.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let mut row = Row::from_i64s(&[4, 0, -2]);
    /// row.scale(&Int::from(-3));
    /// assert_eq!(row, Row::from_i64s(&[-12, 0, 6]));
    /// ```
    pub fn scale(&mut self, factor: &Int) {
        if factor.is_one() {
            return;
        }
        if let (Repr::Small(values), Int::Small(word)) = (&mut self.0, factor)
            && fits(bound(values), *word, 0, 0)
        {
            values.iter_mut().for_each(|value| *value *= word);
            return;
        }
        self.large().iter_mut().for_each(|value| *value *= factor);
        self.normalize();
    }

    /// `self += factor * other`.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let mut row = Row::from_i64s(&[1, 2]);
    /// row.add_scaled(&Int::from(10), &Row::from_i64s(&[3, 4]));
    /// assert_eq!(row, Row::from_i64s(&[31, 42]));
    /// ```
    pub fn add_scaled(&mut self, factor: &Int, other: &Row) {
        self.combine(&Int::ONE, factor, other);
    }

    /// `self = a * self + b * other`.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let mut row = Row::from_i64s(&[1, 2]);
    /// row.combine(&Int::from(2), &Int::from(-1), &Row::from_i64s(&[1, 1]));
    /// assert_eq!(row, Row::from_i64s(&[1, 3]));
    /// ```
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn combine(&mut self, a: &Int, b: &Int, other: &Row) {
        assert_eq!(self.len(), other.len(), "rows of different lengths cannot be combined");
        match self.combine_words(a, b, other) {
            Combined::Done => {}
            Combined::Wide(values) => self.store_wide(&values, 1),
            Combined::Big => self.combine_big(a, b, other),
        }
    }

    /// `self = (a * self + b * other) / g` with `g` the greatest common divisor of the result.
    /// Returns `g` (0 if the result is 0).
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let mut row = Row::from_i64s(&[1, 2]);
    /// let divisor = row.combine_reduced(&Int::from(3), &Int::from(1), &Row::from_i64s(&[3, 0]));
    /// // [6, 6] = 6 * [1, 1].
    /// assert_eq!((row, divisor), (Row::from_i64s(&[1, 1]), Int::from(6)));
    /// ```
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn combine_reduced(&mut self, a: &Int, b: &Int, other: &Row) -> Int {
        assert_eq!(self.len(), other.len(), "rows of different lengths cannot be combined");
        match self.combine_words(a, b, other) {
            Combined::Done => self.reduce(),
            Combined::Wide(values) => {
                let divisor =
                    values.iter().fold(0, |divisor, value| gcd_u128(divisor, value.unsigned_abs()));
                // At most 2^127 / 1, and a divisor of a value of at most 2 * 2^126 - 1.
                let divisor = divisor as i128;
                self.store_wide(&values, divisor.max(1));
                Int::from(divisor)
            }
            Combined::Big => {
                self.combine_big(a, b, other);
                self.reduce()
            }
        }
    }

    /// Makes column `column` zero by adding a multiple of `pivot`, whose element there is not
    /// zero, to a positive multiple of this row; the result is divided by its greatest common
    /// divisor. An inequality keeps its direction.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let mut row = Row::from_i64s(&[4, 6, 2]);
    /// row.eliminate(1, &Row::from_i64s(&[0, -4, 1]));
    /// // 2 * [4, 6, 2] + 3 * [0, -4, 1]
    /// assert_eq!(row, Row::from_i64s(&[8, 0, 7]));
    /// ```
    pub fn eliminate(&mut self, column: usize, pivot: &Row) {
        if self.is_zero_at(column) {
            return;
        }
        let (mine, theirs) = (self.get(column), pivot.get(column));
        debug_assert!(!theirs.is_zero(), "the pivot is zero");
        let divisor = mine.gcd(&theirs);
        let a = theirs.abs().div_exact(&divisor);
        let b = mine.div_exact(&divisor);
        let b = if theirs.is_positive() { -b } else { b };
        self.combine_reduced(&a, &b, pivot);
    }

    /// Divides by the greatest common divisor of all elements, which is returned (0 for zeros).
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let mut row = Row::from_i64s(&[4, 0, -6]);
    /// assert_eq!(row.reduce(), Int::from(2));
    /// assert_eq!(row, Row::from_i64s(&[2, 0, -3]));
    /// ```
    pub fn reduce(&mut self) -> Int {
        let divisor = self.gcd(0..self.len());
        if !divisor.is_zero() {
            self.div_exact(&divisor);
        }
        divisor
    }

    /// Divides every element by a common divisor.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let mut row = Row::from_i64s(&[4, 0, -6]);
    /// row.div_exact(&Int::from(-2));
    /// assert_eq!(row, Row::from_i64s(&[-2, 0, 3]));
    /// ```
    pub fn div_exact(&mut self, divisor: &Int) {
        if divisor.is_one() {
            return;
        }
        match (&mut self.0, divisor) {
            (Repr::Small(values), Int::Small(word)) => {
                values.iter_mut().filter(|value| **value != 0).for_each(|value| *value /= word);
            }
            _ => {
                self.large().iter_mut().for_each(|value| *value = value.div_exact(divisor));
                self.normalize();
            }
        }
    }

    /// The scalar product.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let product = Row::from_i64s(&[1, 2, 3]).dot(&Row::from_i64s(&[4, 5, -6]));
    /// assert_eq!(product, Int::from(-4));
    /// ```
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn dot(&self, other: &Row) -> Int {
        assert_eq!(self.len(), other.len(), "rows of different lengths have no product");
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0) {
            let sum = a.iter().zip(b).try_fold(0i64, |sum, (&x, &y)| {
                x.checked_mul(y).and_then(|product| sum.checked_add(product))
            });
            if let Some(sum) = sum {
                return Int::from(sum);
            }
            // Each product is below 2^126; a checked sum notices the rare overflow.
            let sum =
                a.iter().zip(b).filter(|(x, _)| **x != 0).try_fold(0i128, |sum, (&x, &y)| {
                    sum.checked_add(i128::from(x) * i128::from(y))
                });
            if let Some(sum) = sum {
                return Int::from(sum);
            }
        }
        self.iter().zip(other.iter()).map(|(x, y)| x * y).sum()
    }

    /// Inserts `count` zeros before column `at`.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let mut row = Row::from_i64s(&[1, 2]);
    /// row.insert_zeros(1, 2);
    /// assert_eq!(row, Row::from_i64s(&[1, 0, 0, 2]));
    /// ```
    pub fn insert_zeros(&mut self, at: usize, count: usize) {
        match &mut self.0 {
            Repr::Small(values) => {
                let length = values.len();
                values.resize(length + count, 0);
                values[at..].rotate_right(count);
            }
            Repr::Large(values) => {
                drop(values.splice(at..at, std::iter::repeat_n(Int::ZERO, count)));
            }
        }
    }

    /// Removes the columns of the range.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let mut row = Row::from_i64s(&[1, 2, 3, 4]);
    /// row.remove(1..3);
    /// assert_eq!(row, Row::from_i64s(&[1, 4]));
    /// ```
    pub fn remove(&mut self, range: Range<usize>) {
        match &mut self.0 {
            Repr::Small(values) => drop(values.drain(range)),
            Repr::Large(values) => {
                drop(values.drain(range));
                self.normalize();
            }
        }
    }

    /// Moves `count` columns from `from` on so that they start at `to` afterwards.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let mut row = Row::from_i64s(&[0, 1, 2, 3, 4]);
    /// row.move_columns(0, 2, 3);
    /// assert_eq!(row, Row::from_i64s(&[2, 3, 4, 0, 1]));
    /// ```
    pub fn move_columns(&mut self, from: usize, count: usize, to: usize) {
        fn rotate<T>(values: &mut [T], from: usize, count: usize, to: usize) {
            if to <= from {
                values[to..from + count].rotate_right(count);
            } else {
                values[from..to + count].rotate_left(count);
            }
        }
        match &mut self.0 {
            Repr::Small(values) => rotate(values, from, count, to),
            Repr::Large(values) => rotate(values, from, count, to),
        }
    }

    /// Exchanges two columns.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let mut row = Row::from_i64s(&[1, 2, 3]);
    /// row.swap(0, 2);
    /// assert_eq!(row, Row::from_i64s(&[3, 2, 1]));
    /// ```
    #[inline]
    pub fn swap(&mut self, i: usize, j: usize) {
        match &mut self.0 {
            Repr::Small(values) => values.swap(i, j),
            Repr::Large(values) => values.swap(i, j),
        }
    }

    /// Appends an element.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let mut row = Row::from_i64s(&[1]);
    /// row.push(Int::from(2));
    /// assert_eq!(row, Row::from_i64s(&[1, 2]));
    /// ```
    pub fn push(&mut self, value: Int) {
        match (&mut self.0, value) {
            (Repr::Small(values), Int::Small(word)) => values.push(word),
            (_, value) => self.large().push(value),
        }
    }

    /// The row of `width` columns with column `c` moved to column `place[c]`; columns that share a
    /// place are added, and columns without a place are left out.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let row = Row::from_i64s(&[5, 6, 7]);
    /// assert_eq!(row.placed(&[0, 3, 1], 4), Row::from_i64s(&[5, 7, 0, 6]));
    /// // The first two share column 0, the last has no place.
    /// assert_eq!(row.placed(&[0, 0], 2), Row::from_i64s(&[11, 0]));
    /// ```
    pub fn placed(&self, place: &[usize], width: usize) -> Row {
        let mut target = Row::zeros(width);
        if let (Repr::Small(values), Repr::Small(words)) = (&self.0, &mut target.0) {
            let mut is_shared = false;
            for (&value, &column) in values.iter().zip(place) {
                if value != 0 {
                    is_shared |= words[column] != 0;
                    words[column] = value;
                }
            }
            if !is_shared {
                return target;
            }
            words.fill(0);
        }
        for (value, &column) in self.iter().zip(place) {
            target.add_at(column, &value);
        }
        target
    }

    /// The first column of the range whose element is 1 or -1.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let row = Row::from_i64s(&[4, 3, -1, 1]);
    /// assert_eq!(row.first_unit(0..4), Some(2));
    /// assert_eq!(row.first_unit(0..2), None);
    /// ```
    pub fn first_unit(&self, range: Range<usize>) -> Option<usize> {
        let start = range.start;
        let found = match &self.0 {
            Repr::Small(values) => values[range].iter().position(|value| matches!(value, 1 | -1)),
            Repr::Large(values) => values[range].iter().position(|value| value.abs().is_one()),
        };
        found.map(|position| start + position)
    }

    /// The row with zeros appended up to a width.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// assert_eq!(Row::from_i64s(&[7, 8]).widened(4), Row::from_i64s(&[7, 8, 0, 0]));
    /// ```
    pub fn widened(&self, width: usize) -> Row {
        match &self.0 {
            Repr::Small(values) => {
                let mut row = Row::zeros(width);
                if let Repr::Small(words) = &mut row.0 {
                    words[..values.len()].copy_from_slice(values);
                }
                row
            }
            Repr::Large(values) => {
                let mut values = values.clone();
                values.resize(width, Int::ZERO);
                Row(Repr::Large(values))
            }
        }
    }

    /// The row without the columns of the range.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// assert_eq!(Row::from_i64s(&[7, 8, 0, 9]).without(1..3), Row::from_i64s(&[7, 9]));
    /// ```
    pub fn without(&self, range: Range<usize>) -> Row {
        match &self.0 {
            Repr::Small(values) => {
                let mut words = Words::with_capacity(values.len() - range.len());
                words.extend_from_slice(&values[..range.start]);
                words.extend_from_slice(&values[range.end..]);
                Row(Repr::Small(words))
            }
            Repr::Large(values) => {
                Row::from_ints([&values[..range.start], &values[range.end..]].concat())
            }
        }
    }

    /// Of the columns from `first` on only those at the ascending positions `kept`, counted from
    /// `first`.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let mut row = Row::from_i64s(&[7, 8, 0, 9, 0]);
    /// row.retain_from(1, &[0, 2]);
    /// assert_eq!(row, Row::from_i64s(&[7, 8, 9]));
    /// ```
    pub fn retain_from(&mut self, first: usize, kept: &[usize]) {
        match &mut self.0 {
            Repr::Small(values) => {
                for (new, &old) in kept.iter().enumerate() {
                    values[first + new] = values[first + old];
                }
                values.truncate(first + kept.len());
            }
            Repr::Large(values) => {
                for (new, &old) in kept.iter().enumerate() {
                    values.swap(first + new, first + old);
                }
                values.truncate(first + kept.len());
                self.normalize();
            }
        }
    }

    /// The last column of the range whose element is 1 or -1.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// let row = Row::from_i64s(&[1, 3, -1, 2]);
    /// assert_eq!(row.last_unit(0..4), Some(2));
    /// assert_eq!(row.last_unit(3..4), None);
    /// ```
    pub fn last_unit(&self, range: Range<usize>) -> Option<usize> {
        let start = range.start;
        let found = match &self.0 {
            Repr::Small(values) => values[range].iter().rposition(|value| matches!(value, 1 | -1)),
            Repr::Large(values) => values[range].iter().rposition(|value| value.abs().is_one()),
        };
        found.map(|position| start + position)
    }

    /// The columns of the range as a row of their own.
    ///
    /// ```
    /// # use loopwright_exact::Row;
    /// assert_eq!(Row::from_i64s(&[1, 2, 3, 4]).slice(1..3), Row::from_i64s(&[2, 3]));
    /// ```
    pub fn slice(&self, range: Range<usize>) -> Row {
        match &self.0 {
            Repr::Small(values) => Row(Repr::Small(Words::from_slice(&values[range]))),
            Repr::Large(values) => Row::from_ints(values[range].to_vec()),
        }
    }

    /// The elements as words, if all are.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let mut row = Row::from_i64s(&[1, i64::MAX]);
    /// assert_eq!(row.as_i64s(), Some(&[1, i64::MAX][..]));
    /// row.scale(&Int::from(2));
    /// assert_eq!(row.as_i64s(), None);
    /// ```
    #[inline]
    pub fn as_i64s(&self) -> Option<&[i64]> {
        match &self.0 {
            Repr::Small(values) => Some(values),
            Repr::Large(_) => None,
        }
    }

    /// The elements in order.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Row};
    /// let row = Row::from_i64s(&[1, 2, 3]);
    /// assert_eq!(row.iter().sum::<Int>(), Int::from(6));
    /// assert_eq!(row.iter().next_back(), Some(Int::from(3)));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Int> + DoubleEndedIterator + '_ {
        (0..self.len()).map(|column| self.get(column))
    }

    /// The elements, moved to the form of big integers.
    #[cold]
    fn large(&mut self) -> &mut Vec<Int> {
        if let Repr::Small(values) = &self.0 {
            self.0 = Repr::Large(values.iter().map(|&value| Int::Small(value)).collect());
        }
        match &mut self.0 {
            Repr::Large(values) => values,
            Repr::Small(_) => unreachable!("the row has just been made large"),
        }
    }

    /// Returns to words if every element fits.
    fn normalize(&mut self) {
        if let Repr::Large(values) = &self.0
            && let Some(words) = values.iter().map(Int::to_i64).collect::<Option<Words>>()
        {
            self.0 = Repr::Small(words);
        }
    }

    /// Steps 1 and 2 of the module's description.
    #[inline]
    fn combine_words(&mut self, a: &Int, b: &Int, other: &Row) -> Combined {
        let (Some(a), Some(b)) = (a.to_i64(), b.to_i64()) else { return Combined::Big };
        let (Repr::Small(mine), Repr::Small(theirs)) = (&mut self.0, &other.0) else {
            return Combined::Big;
        };
        if fits(bound(mine), a, bound(theirs), b) {
            combine_bounded(mine, a, theirs, b);
            return Combined::Done;
        }
        Combined::Wide(combine_wide(mine, a, theirs, b))
    }

    #[cold]
    #[inline(never)]
    fn combine_big(&mut self, a: &Int, b: &Int, other: &Row) {
        for (column, value) in self.large().iter_mut().enumerate() {
            *value = a * &*value + b * other.get(column);
        }
        self.normalize();
    }

    /// Stores double words divided by a common divisor.
    #[cold]
    #[inline(never)]
    fn store_wide(&mut self, values: &[i128], divisor: i128) {
        *self = Row::from_ints(values.iter().map(|value| Int::from(value / divisor)).collect());
    }
}

/// What became of a combination of two rows.
enum Combined {
    /// The row holds the result.
    Done,
    /// The result in double words.
    Wide(Vec<i128>),
    /// An operand is big; nothing has been computed.
    Big,
}

/// A bound on all absolute values: the OR of them has every bit of the greatest.
#[inline]
fn bound(values: &[i64]) -> u64 {
    values.iter().fold(0, |bits, value| bits | value.unsigned_abs())
}

/// Whether `a * x + b * y` is a word other than `i64::MIN` for all `|x| <= x_bound`,
/// `|y| <= y_bound`.
#[inline]
fn fits(x_bound: u64, a: i64, y_bound: u64, b: i64) -> bool {
    // Each product of two 64-bit values fits, and the bounds are below 2^63, so the sum fits too.
    let first = u128::from(x_bound) * u128::from(a.unsigned_abs());
    let second = u128::from(y_bound) * u128::from(b.unsigned_abs());
    first + second <= i64::MAX as u128
}

/// The loop of step 1; the caller has shown that nothing overflows.
#[inline]
fn combine_bounded(mine: &mut [i64], a: i64, theirs: &[i64], b: i64) {
    match a {
        1 => mine.iter_mut().zip(theirs).for_each(|(x, y)| *x += b * y),
        _ => mine.iter_mut().zip(theirs).for_each(|(x, y)| *x = a * *x + b * y),
    }
}

#[cold]
#[inline(never)]
fn combine_wide(mine: &[i64], a: i64, theirs: &[i64], b: i64) -> Vec<i128> {
    let (a, b) = (i128::from(a), i128::from(b));
    mine.iter().zip(theirs).map(|(&x, &y)| a * i128::from(x) + b * i128::from(y)).collect()
}

/// The greatest common divisor of words; stops at 1.
#[inline]
fn gcd_of_words(values: &[i64]) -> u64 {
    let mut divisor = 0;
    for value in values.iter().filter(|value| **value != 0) {
        let value = value.unsigned_abs();
        divisor = match divisor {
            0 => value,
            _ if value == 1 => 1,
            _ => gcd_u64(divisor, value),
        };
        if divisor == 1 {
            break;
        }
    }
    divisor
}

impl FromIterator<Int> for Row {
    fn from_iter<T: IntoIterator<Item = Int>>(values: T) -> Self {
        let values = values.into_iter();
        let mut row = Row(Repr::Small(Words::with_capacity(values.size_hint().0)));
        row.extend(values);
        row
    }
}

impl Extend<Int> for Row {
    fn extend<T: IntoIterator<Item = Int>>(&mut self, values: T) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

/// Takes the words over without a copy.
impl From<Vec<i64>> for Row {
    fn from(values: Vec<i64>) -> Self {
        if values.contains(&i64::MIN) {
            return values.into_iter().map(Int::from).collect();
        }
        Row(Repr::Small(Words::from_vec(values)))
    }
}

impl From<&[i64]> for Row {
    fn from(values: &[i64]) -> Self {
        Row::from_i64s(values)
    }
}

/// Prints `[1, -2, 3]`.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (column, value) in self.iter().enumerate() {
            if column > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{value}")?;
        }
        f.write_str("]")
    }
}
