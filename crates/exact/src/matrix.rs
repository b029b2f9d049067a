//! Matrices of exact integers.
use crate::{Int, Row};
use std::fmt;

/// A matrix of exact integers, stored by rows.
///
/// *Cost.* Products, the rank and echelon forms take one row operation for each element.
///
/// ```
/// use loopwright_exact::Matrix;
/// let skew = Matrix::from_i64s(&[&[1, 0], &[1, 1]]);
/// let back = skew.inverse_unimodular().unwrap();
/// assert_eq!(skew.mul(&back), Matrix::identity(2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Matrix {
    rows: Vec<Row>,
    n_columns: usize,
}

impl Matrix {
    /// The matrix of the given rows.
    ///
    /// ```
    /// # use loopwright_exact::{Matrix, Row};
    /// let matrix = Matrix::new(vec![Row::from_i64s(&[1, 2]), Row::from_i64s(&[3, 4])], 2);
    /// assert_eq!(matrix, Matrix::from_i64s(&[&[1, 2], &[3, 4]]));
    /// // Without rows the number of columns is still known.
    /// assert_eq!(Matrix::new(vec![], 3).n_columns(), 3);
    /// ```
    ///
    /// # Panics
    /// If a row does not have `n_columns` elements.
    pub fn new(rows: Vec<Row>, n_columns: usize) -> Self {
        assert!(rows.iter().all(|row| row.len() == n_columns), "rows of different lengths");
        Matrix { rows, n_columns }
    }

    /// A matrix of zeros.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// assert_eq!(Matrix::zeros(2, 3), Matrix::from_i64s(&[&[0, 0, 0], &[0, 0, 0]]));
    /// ```
    pub fn zeros(n_rows: usize, n_columns: usize) -> Self {
        Matrix { rows: vec![Row::zeros(n_columns); n_rows], n_columns }
    }

    /// The identity.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// assert_eq!(Matrix::identity(2), Matrix::from_i64s(&[&[1, 0], &[0, 1]]));
    /// ```
    pub fn identity(n: usize) -> Self {
        Matrix { rows: (0..n).map(|i| Row::unit(n, i)).collect(), n_columns: n }
    }

    /// A matrix from its rows of words; without rows it has no columns.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// let matrix = Matrix::from_i64s(&[&[1, 2, 3], &[4, 5, 6]]);
    /// assert_eq!((matrix.n_rows(), matrix.n_columns()), (2, 3));
    /// ```
    pub fn from_i64s(rows: &[&[i64]]) -> Self {
        let n_columns = rows.first().map_or(0, |row| row.len());
        Matrix::new(rows.iter().map(|row| Row::from_i64s(row)).collect(), n_columns)
    }

    /// The number of rows.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// assert_eq!(Matrix::zeros(2, 3).n_rows(), 2);
    /// ```
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// The number of columns.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// assert_eq!(Matrix::zeros(2, 3).n_columns(), 3);
    /// ```
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// The rows.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// let matrix = Matrix::from_i64s(&[&[1, 2], &[0, 0]]);
    /// assert_eq!(matrix.rows().iter().filter(|row| row.is_zero()).count(), 1);
    /// ```
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows, by value.
    ///
    /// ```
    /// # use loopwright_exact::{Matrix, Row};
    /// let rows = Matrix::from_i64s(&[&[1, 2], &[3, 4]]).into_rows();
    /// assert_eq!(rows, [Row::from_i64s(&[1, 2]), Row::from_i64s(&[3, 4])]);
    /// ```
    pub fn into_rows(self) -> Vec<Row> {
        self.rows
    }

    /// A row.
    ///
    /// ```
    /// # use loopwright_exact::{Matrix, Row};
    /// assert_eq!(Matrix::from_i64s(&[&[1, 2], &[3, 4]]).row(1), &Row::from_i64s(&[3, 4]));
    /// ```
    pub fn row(&self, i: usize) -> &Row {
        &self.rows[i]
    }

    /// A row to change.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// let mut matrix = Matrix::identity(2);
    /// matrix.row_mut(1).negate();
    /// assert_eq!(matrix, Matrix::from_i64s(&[&[1, 0], &[0, -1]]));
    /// ```
    pub fn row_mut(&mut self, i: usize) -> &mut Row {
        &mut self.rows[i]
    }

    /// A column as a row vector.
    ///
    /// ```
    /// # use loopwright_exact::{Matrix, Row};
    /// assert_eq!(Matrix::from_i64s(&[&[1, 2], &[3, 4]]).column(1), Row::from_i64s(&[2, 4]));
    /// ```
    pub fn column(&self, j: usize) -> Row {
        self.rows.iter().map(|row| row.get(j)).collect()
    }

    /// An element.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Matrix};
    /// assert_eq!(Matrix::from_i64s(&[&[1, 2], &[3, 4]]).get(0, 1), Int::from(2));
    /// ```
    pub fn get(&self, i: usize, j: usize) -> Int {
        self.rows[i].get(j)
    }

    /// Replaces an element.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Matrix};
    /// let mut matrix = Matrix::identity(2);
    /// matrix.set(0, 1, Int::from(5));
    /// assert_eq!(matrix, Matrix::from_i64s(&[&[1, 5], &[0, 1]]));
    /// ```
    pub fn set(&mut self, i: usize, j: usize, value: Int) {
        self.rows[i].set(j, value);
    }

    /// Appends a row.
    ///
    /// ```
    /// # use loopwright_exact::{Matrix, Row};
    /// let mut matrix = Matrix::new(vec![], 2);
    /// matrix.push_row(Row::from_i64s(&[1, 2]));
    /// assert_eq!(matrix, Matrix::from_i64s(&[&[1, 2]]));
    /// ```
    ///
    /// # Panics
    /// If its length is not the number of columns.
    pub fn push_row(&mut self, row: Row) {
        assert_eq!(row.len(), self.n_columns, "a row of another length");
        self.rows.push(row);
    }

    /// Exchanges two rows.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// let mut matrix = Matrix::from_i64s(&[&[1, 2], &[3, 4]]);
    /// matrix.swap_rows(0, 1);
    /// assert_eq!(matrix, Matrix::from_i64s(&[&[3, 4], &[1, 2]]));
    /// ```
    pub fn swap_rows(&mut self, i: usize, j: usize) {
        self.rows.swap(i, j);
    }

    /// `row_i += factor * row_j` for different rows.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Matrix};
    /// let mut matrix = Matrix::from_i64s(&[&[1, 2], &[3, 4]]);
    /// matrix.add_row_multiple(1, &Int::from(-3), 0);
    /// assert_eq!(matrix, Matrix::from_i64s(&[&[1, 2], &[0, -2]]));
    /// ```
    pub fn add_row_multiple(&mut self, i: usize, factor: &Int, j: usize) {
        if factor.is_zero() {
            return;
        }
        let other = std::mem::replace(&mut self.rows[j], Row::zeros(0));
        self.rows[i].add_scaled(factor, &other);
        self.rows[j] = other;
    }

    /// The transposed matrix.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// let matrix = Matrix::from_i64s(&[&[1, 2, 3]]);
    /// assert_eq!(matrix.transpose(), Matrix::from_i64s(&[&[1], &[2], &[3]]));
    /// ```
    pub fn transpose(&self) -> Matrix {
        let rows = (0..self.n_columns).map(|j| self.column(j)).collect();
        Matrix { rows, n_columns: self.n_rows() }
    }

    /// The product of two matrices.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// let skew = Matrix::from_i64s(&[&[1, 0], &[1, 1]]);
    /// assert_eq!(skew.mul(&skew), Matrix::from_i64s(&[&[1, 0], &[2, 1]]));
    /// ```
    ///
    /// # Panics
    /// If the shapes do not fit, as for the other products.
    pub fn mul(&self, other: &Matrix) -> Matrix {
        let rows = self.rows.iter().map(|row| other.left_mul(row)).collect();
        Matrix { rows, n_columns: other.n_columns }
    }

    /// The row vector `row * self`.
    ///
    /// ```
    /// # use loopwright_exact::{Matrix, Row};
    /// let matrix = Matrix::from_i64s(&[&[1, 2], &[3, 4]]);
    /// assert_eq!(matrix.left_mul(&Row::from_i64s(&[1, -1])), Row::from_i64s(&[-2, -2]));
    /// ```
    pub fn left_mul(&self, row: &Row) -> Row {
        assert_eq!(row.len(), self.n_rows(), "the shapes of the product do not fit");
        let mut product = Row::zeros(self.n_columns);
        for (i, factor) in row.iter().enumerate().filter(|(_, factor)| !factor.is_zero()) {
            product.add_scaled(&factor, &self.rows[i]);
        }
        product
    }

    /// The column vector `self * column`, as a row.
    ///
    /// ```
    /// # use loopwright_exact::{Matrix, Row};
    /// let matrix = Matrix::from_i64s(&[&[1, 2], &[3, 4]]);
    /// assert_eq!(matrix.right_mul(&Row::from_i64s(&[1, -1])), Row::from_i64s(&[-1, -1]));
    /// ```
    pub fn right_mul(&self, column: &Row) -> Row {
        self.rows.iter().map(|row| row.dot(column)).collect()
    }

    /// The dimension of the space that the rows span.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// assert_eq!(Matrix::from_i64s(&[&[1, 2], &[2, 4], &[0, 1]]).rank(), 2);
    /// ```
    pub fn rank(&self) -> usize {
        let mut rows = self.rows.clone();
        echelon(&mut rows, self.n_columns).len()
    }

    /// The rows of an echelon form over the rationals (each reduced by its content), with zero
    /// rows dropped, and the pivot column of each.
    ///
    /// Fraction-free Gauss-Jordan elimination: as many row operations as rows times rank.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// let matrix = Matrix::from_i64s(&[&[0, 2, 4], &[1, 1, 0], &[1, 2, 2]]);
    /// let (form, pivots) = matrix.echelon();
    /// assert_eq!(form, Matrix::from_i64s(&[&[1, 0, -2], &[0, 1, 2]]));
    /// assert_eq!(pivots, [0, 1]);
    /// ```
    pub fn echelon(&self) -> (Matrix, Vec<usize>) {
        let mut rows = self.rows.clone();
        let pivots = echelon(&mut rows, self.n_columns);
        rows.truncate(pivots.len());
        (Matrix { rows, n_columns: self.n_columns }, pivots)
    }
}

/// Fraction-free Gauss-Jordan elimination in place; the pivot rows come first, in the order of
/// their pivot columns, which are returned.
fn echelon(rows: &mut [Row], n_columns: usize) -> Vec<usize> {
    let mut pivots = Vec::new();
    for column in 0..n_columns {
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|&i| !rows[i].is_zero_at(column)) else {
            continue;
        };
        rows.swap(rank, found);
        let pivot = std::mem::replace(&mut rows[rank], Row::zeros(0));
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != rank) {
            row.eliminate(column, &pivot);
        }
        rows[rank] = pivot;
        rows[rank].reduce();
        pivots.push(column);
    }
    pivots
}

/// Prints one row per line.
impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}
