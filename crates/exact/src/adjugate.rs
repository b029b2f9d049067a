//! Adjugate matrices.
use crate::{Int, Matrix, Row};

impl Matrix {
    /// The adjugate and the determinant, whose quotient is the inverse; none if the determinant is zero or
    /// the matrix is not square.
    ///
    /// *Method.* Elimination in which all divisions are exact (Bareiss, "Sylvester's identity and multistep
    /// integer-preserving Gaussian elimination", 1968). *Cost.* `n^3` operations.
    ///
    /// ```
    /// # use loopwright_exact::{Int, Matrix};
    /// let matrix = Matrix::from_i64s(&[&[2, 1], &[4, 5]]);
    /// let (adjugate, determinant) = matrix.adjugate().unwrap();
    /// assert_eq!(determinant, Int::from(6));
    /// assert_eq!(adjugate, Matrix::from_i64s(&[&[5, -1], &[-4, 2]]));
    /// assert!(Matrix::from_i64s(&[&[1, 2], &[2, 4]]).adjugate().is_none());
    /// ```
    pub fn adjugate(&self) -> Option<(Matrix, Int)> {
        let n = self.n_rows();
        if n != self.n_columns() {
            return None;
        }
        let mut rows: Vec<Row> = self.rows().to_vec();
        for (position, row) in rows.iter_mut().enumerate() {
            row.insert_zeros(n, n);
            row.set(n + position, Int::ONE);
        }
        let mut previous = Int::ONE;
        for k in 0..n {
            let at = (k..n).find(|&at| !rows[at].is_zero_at(k))?;
            if at != k {
                // An exchange with a change of sign keeps the determinant.
                rows.swap(at, k);
                rows[k].negate();
            }
            let pivot_row = rows[k].clone();
            let pivot = pivot_row.get(k);
            for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
                let factor = -row.get(k);
                row.combine(&pivot, &factor, &pivot_row);
                row.div_exact(&previous);
            }
            previous = pivot;
        }
        let right = rows.iter().map(|row| row.slice(n..2 * n)).collect();
        Some((Matrix::new(right, n), previous))
    }
}
