//! The Smith normal form: the invariant factors of an integer matrix.
//!
//! Schrijver (1986), section 4.4: row and column operations bring a matrix to a diagonal in which
//! every element divides the next.
use crate::{Int, Matrix};

/// `left * matrix * right` is diagonal with the given factors; see [`Matrix::smith`].
///
/// ```
/// # use loopwright_exact::{Int, Matrix};
/// let matrix = Matrix::from_i64s(&[&[2, 4], &[6, 8]]);
/// let smith = matrix.smith();
/// assert_eq!(smith.factors, [Int::from(2), Int::from(4)]);
/// let diagonal = smith.left.mul(&matrix).mul(&smith.right);
/// assert_eq!(diagonal, Matrix::from_i64s(&[&[2, 0], &[0, 4]]));
/// ```
#[derive(Clone, Debug)]
pub struct Smith {
    /// The positive diagonal elements, each a divisor of the next; their number is the rank.
    pub factors: Vec<Int>,
    /// The unimodular row transform.
    pub left: Matrix,
    /// The unimodular column transform.
    pub right: Matrix,
}

/// The state of the computation: `form = left * matrix * right`, with `right` transposed.
struct Work {
    form: Matrix,
    left: Matrix,
    right: Matrix,
}

impl Work {
    fn transposed(self) -> Work {
        Work { form: self.form.transpose(), left: self.right, right: self.left }
    }

    /// The position from `(k, k)` on of an element of least positive absolute value.
    fn least(&self, k: usize) -> Option<(usize, usize)> {
        let positions = (k..self.form.n_rows())
            .flat_map(|i| (k..self.form.n_columns()).map(move |j| (i, j)))
            .filter(|&(i, j)| !self.form.row(i).is_zero_at(j));
        positions.min_by_key(|&(i, j)| self.form.get(i, j).abs())
    }

    fn swap_rows(&mut self, i: usize, j: usize) {
        self.form.swap_rows(i, j);
        self.left.swap_rows(i, j);
    }

    fn add_row(&mut self, i: usize, factor: &Int, j: usize) {
        self.form.add_row_multiple(i, factor, j);
        self.left.add_row_multiple(i, factor, j);
    }

    /// Subtracts multiples of row `k` from the rows below; whether column `k` is then clear.
    fn clear_below(&mut self, k: usize) -> bool {
        let pivot = self.form.get(k, k);
        let mut clear = true;
        for i in k + 1..self.form.n_rows() {
            let quotient = self.form.get(i, k).div_floor(&pivot);
            self.add_row(i, &-quotient, k);
            clear &= self.form.row(i).is_zero_at(k);
        }
        clear
    }

    /// A row below `k` with an element that `pivot` does not divide.
    fn indivisible(&self, k: usize) -> Option<usize> {
        let pivot = self.form.get(k, k);
        (k + 1..self.form.n_rows())
            .find(|&i| self.form.row(i).iter().any(|value| !value.is_divisible_by(&pivot)))
    }
}

impl Matrix {
    /// The Smith normal form with its transforms.
    ///
    /// ```
    /// use loopwright_exact::{Int, Matrix};
    /// let s = Matrix::from_i64s(&[&[2, 0], &[0, 3]]).smith();
    /// assert_eq!(s.factors, [Int::from(1), Int::from(6)]);
    /// ```
    pub fn smith(&self) -> Smith {
        let mut work = Work {
            form: self.clone(),
            left: Matrix::identity(self.n_rows()),
            right: Matrix::identity(self.n_columns()),
        };
        let mut factors = Vec::new();
        let mut k = 0;
        while let Some((i, j)) = work.least(k) {
            work.swap_rows(k, i);
            work = work.transposed();
            work.swap_rows(k, j);
            let columns_clear = work.clear_below(k);
            work = work.transposed();
            if !work.clear_below(k) || !columns_clear {
                continue;
            }
            if let Some(i) = work.indivisible(k) {
                work.add_row(k, &Int::ONE, i);
                continue;
            }
            if work.form.row(k).sign(k) < 0 {
                work.form.row_mut(k).negate();
                work.left.row_mut(k).negate();
            }
            factors.push(work.form.get(k, k));
            k += 1;
        }
        Smith { factors, left: work.left, right: work.right.transpose() }
    }
}
