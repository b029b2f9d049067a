//! The Hermite normal form and what follows from it: integer solutions of linear systems, kernel
//! lattices, completion to a unimodular matrix, inverses of unimodular matrices.
//!
//! Schrijver, *Theory of Linear and Integer Programming* (1986), chapter 4. For every integer
//! matrix `C` there is a unimodular `U` such that `H = C U` is in lower column echelon form: the
//! pivot of column `j` is positive, everything above it is zero, and the elements left of a pivot
//! lie in `0..pivot`. The last `n - rank` columns of `H` are zero, so the same columns of `U` form
//! a basis of the lattice `{ x : C x = 0 }`; and `C x = b` is `H y = b` with `x = U y`, which
//! forward substitution solves or refutes over the integers.
//!
//! Columns are combined by Euclid's algorithm. The transposed matrices are kept, so that a column
//! operation is an operation on a [`Row`].
use crate::{Int, Matrix, Row};

/// `form = matrix * transform` with a unimodular `transform`; see [`Matrix::hermite`].
///
/// ```
/// # use loopwright_exact::Matrix;
/// let c = Matrix::from_i64s(&[&[2, 4], &[1, 3]]);
/// let hermite = c.hermite();
/// assert_eq!(hermite.form, Matrix::from_i64s(&[&[2, 0], &[0, 1]]));
/// assert_eq!(c, hermite.form.mul(&hermite.inverse));
/// assert_eq!(hermite.pivots, [0, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Hermite {
    /// The lower column echelon form `H`.
    pub form: Matrix,
    /// The unimodular `U` with `H = C U`.
    pub transform: Matrix,
    /// The inverse of `transform`: `C = H * inverse`.
    pub inverse: Matrix,
    /// The row of the pivot of each of the first `rank` columns.
    pub pivots: Vec<usize>,
}

/// All integer solutions of a linear system: `particular + sum of t_k * basis row k`.
///
/// ```
/// # use loopwright_exact::{Int, Matrix, Row};
/// // 2x + 4y = 6: x = 3 - 2y.
/// let c = Matrix::from_i64s(&[&[2, 4]]);
/// let solution = c.solve_integer(&Row::from_i64s(&[6])).unwrap();
/// let mut other = solution.particular.clone();
/// other.add_scaled(&Int::from(5), solution.basis.row(0));
/// assert_eq!(c.right_mul(&other), Row::from_i64s(&[6]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegerSolution {
    /// One solution.
    pub particular: Row,
    /// A basis of the lattice of solutions of the homogeneous system, one vector per row.
    pub basis: Matrix,
}

/// The matrices of [`Hermite`] during the computation, form and transform transposed.
struct Elimination {
    columns: Matrix,
    transform: Matrix,
    inverse: Matrix,
}

impl Elimination {
    /// Column `i` += `factor` * column `j`.
    fn add_multiple(&mut self, i: usize, factor: &Int, j: usize) {
        self.columns.add_row_multiple(i, factor, j);
        self.transform.add_row_multiple(i, factor, j);
        self.inverse.add_row_multiple(j, &-factor, i);
    }

    fn swap(&mut self, i: usize, j: usize) {
        if i != j {
            self.columns.swap_rows(i, j);
            self.transform.swap_rows(i, j);
            self.inverse.swap_rows(i, j);
        }
    }

    fn negate(&mut self, i: usize) {
        self.columns.row_mut(i).negate();
        self.transform.row_mut(i).negate();
        self.inverse.row_mut(i).negate();
    }

    /// Makes column `pivot` the only one from there on with an element in `row`, positive.
    /// Returns whether there is one.
    fn concentrate(&mut self, row: usize, pivot: usize) -> bool {
        loop {
            let candidates =
                (pivot..self.columns.n_rows()).filter(|&j| !self.columns.row(j).is_zero_at(row));
            let Some(least) = candidates.min_by_key(|&j| self.columns.get(j, row).abs()) else {
                return false;
            };
            self.swap(pivot, least);
            if self.columns.row(pivot).sign(row) < 0 {
                self.negate(pivot);
            }
            let divisor = self.columns.get(pivot, row);
            let mut done = true;
            for j in pivot + 1..self.columns.n_rows() {
                let value = self.columns.get(j, row);
                if !value.is_zero() {
                    self.add_multiple(j, &-value.div_floor(&divisor), pivot);
                    done &= self.columns.row(j).is_zero_at(row);
                }
            }
            if done {
                return true;
            }
        }
    }

    /// Brings the elements left of the pivot into `0..pivot`.
    fn reduce_left(&mut self, row: usize, pivot: usize) {
        let divisor = self.columns.get(pivot, row);
        for j in 0..pivot {
            let quotient = self.columns.get(j, row).div_floor(&divisor);
            if !quotient.is_zero() {
                self.add_multiple(j, &-quotient, pivot);
            }
        }
    }
}

impl Matrix {
    /// The Hermite normal form by columns with its transform and the inverse of that.
    ///
    /// ```
    /// use loopwright_exact::Matrix;
    /// let c = Matrix::from_i64s(&[&[2, 4, 5]]);
    /// let h = c.hermite();
    /// assert_eq!(h.form, Matrix::from_i64s(&[&[1, 0, 0]]));
    /// assert_eq!(c.mul(&h.transform), h.form);
    /// ```
    pub fn hermite(&self) -> Hermite {
        let n = self.n_columns();
        let mut work = Elimination {
            columns: self.transpose(),
            transform: Matrix::identity(n),
            inverse: Matrix::identity(n),
        };
        let mut pivots = Vec::new();
        for row in 0..self.n_rows() {
            if pivots.len() < n && work.concentrate(row, pivots.len()) {
                work.reduce_left(row, pivots.len());
                pivots.push(row);
            }
        }
        Hermite {
            form: work.columns.transpose(),
            transform: work.transform.transpose(),
            inverse: work.inverse,
            pivots,
        }
    }

    /// A basis, one vector per row, of the lattice of integer `x` with `self * x = 0`. It can be
    /// extended to a basis of all integer vectors.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// let c = Matrix::from_i64s(&[&[2, 4, 0]]);
    /// let basis = c.nullspace();
    /// assert_eq!(basis.n_rows(), 2);
    /// assert!(basis.rows().iter().all(|x| c.right_mul(x).is_zero()));
    /// ```
    pub fn nullspace(&self) -> Matrix {
        let hermite = self.hermite();
        let columns = hermite.transform.transpose().into_rows();
        Matrix::new(columns.into_iter().skip(hermite.pivots.len()).collect(), self.n_columns())
    }

    /// All integer `x` with `self * x = right`, or none if there is no such `x`.
    ///
    /// ```
    /// use loopwright_exact::{Matrix, Row};
    /// let c = Matrix::from_i64s(&[&[2, 4]]);
    /// assert!(c.solve_integer(&Row::from_i64s(&[3])).is_none());
    /// let s = c.solve_integer(&Row::from_i64s(&[6])).unwrap();
    /// assert_eq!(c.right_mul(&s.particular), Row::from_i64s(&[6]));
    /// assert_eq!(s.basis.n_rows(), 1);
    /// ```
    ///
    /// # Panics
    /// If the length of `right` is not the number of rows.
    pub fn solve_integer(&self, right: &Row) -> Option<IntegerSolution> {
        assert_eq!(right.len(), self.n_rows(), "one right-hand side per row");
        let hermite = self.hermite();
        let solution = hermite.substitute(right)?;
        let columns = hermite.transform.transpose();
        let basis = columns.rows()[hermite.pivots.len()..].to_vec();
        Some(IntegerSolution {
            particular: columns.left_mul(&solution),
            basis: Matrix::new(basis, self.n_columns()),
        })
    }

    /// A unimodular matrix whose first rows are the rows of this one, or none if there is no such
    /// matrix (the rows are dependent, or their lattice has gaps).
    ///
    /// From `C = H U^-1` with `H = [I 0]`: the first rows of `U^-1` are `C`.
    ///
    /// ```
    /// # use loopwright_exact::{Matrix, Row};
    /// let first = Matrix::from_i64s(&[&[2, 3]]);
    /// let whole = first.unimodular_completion().unwrap();
    /// assert_eq!(whole.row(0), &Row::from_i64s(&[2, 3]));
    /// assert!(whole.inverse_unimodular().is_some());
    /// // [2, 4] has a gap: [1, 2] lies on its line.
    /// assert!(Matrix::from_i64s(&[&[2, 4]]).unimodular_completion().is_none());
    /// ```
    pub fn unimodular_completion(&self) -> Option<Matrix> {
        let hermite = self.hermite();
        let complete = hermite.pivots.len() == self.n_rows()
            && hermite.form.rows().iter().enumerate().all(|(i, row)| row.get(i).is_one());
        complete.then_some(hermite.inverse)
    }

    /// The inverse, or none if this is not a unimodular matrix.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// let shear = Matrix::from_i64s(&[&[1, 0], &[3, 1]]);
    /// assert_eq!(shear.inverse_unimodular(), Some(Matrix::from_i64s(&[&[1, 0], &[-3, 1]])));
    /// assert_eq!(Matrix::from_i64s(&[&[2]]).inverse_unimodular(), None);
    /// ```
    pub fn inverse_unimodular(&self) -> Option<Matrix> {
        if self.n_rows() != self.n_columns() {
            return None;
        }
        let hermite = self.hermite();
        (hermite.form == Matrix::identity(self.n_rows())).then_some(hermite.transform)
    }
}

impl Hermite {
    /// The rank of the matrix.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// assert_eq!(Matrix::from_i64s(&[&[1, 2], &[2, 4]]).hermite().rank(), 1);
    /// ```
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// The `y` with `form * y = right` that is 0 beyond the rank, if it is an integer vector.
    fn substitute(&self, right: &Row) -> Option<Row> {
        let mut solution = Row::zeros(self.form.n_columns());
        let mut next = 0;
        for (i, row) in self.form.rows().iter().enumerate() {
            let missing = right.get(i) - row.dot(&solution);
            if self.pivots.get(next) == Some(&i) {
                let pivot = row.get(next);
                if !missing.is_divisible_by(&pivot) {
                    return None;
                }
                solution.set(next, missing.div_exact(&pivot));
                next += 1;
            } else if !missing.is_zero() {
                return None;
            }
        }
        Some(solution)
    }
}
