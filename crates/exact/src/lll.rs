//! Reduced bases of lattices (Lenstra, Lenstra, Lovász).
use crate::{Int, Matrix, Row};

/// The rows of a basis with their Gram-Schmidt coefficients in integers: `determinants[k]` is the determinant
/// of the Gram matrix of the first `k` rows, `factors[k][j]` is `determinants[j + 1]` times the coefficient
/// of row `j` in row `k`.
struct Reduction {
    rows: Vec<Row>,
    determinants: Vec<Int>,
    factors: Vec<Vec<Int>>,
}

impl Reduction {
    /// Finds the coefficients of one more row; whether it is independent of those before it.
    fn orthogonalize(&mut self, k: usize) -> bool {
        let mut factors: Vec<Int> = Vec::with_capacity(k + 1);
        for j in 0..=k {
            let mut value = self.rows[k].dot(&self.rows[j]);
            for (i, factor) in factors.iter().enumerate().take(j) {
                let other = if j == k { factor } else { &self.factors[j][i] };
                let product = &self.determinants[i + 1] * &value - factor * other;
                value = product.div_exact(&self.determinants[i]);
            }
            factors.push(value);
        }
        let determinant = factors.pop().unwrap_or_default();
        let is_independent = !determinant.is_zero();
        self.determinants.push(determinant);
        self.factors.push(factors);
        is_independent
    }

    /// Subtracts the multiple of row `l` that makes the coefficient at most one half.
    fn shorten(&mut self, k: usize, l: usize) {
        let two = Int::from(2);
        let determinant = &self.determinants[l + 1];
        if &two * &self.factors[k][l].abs() <= *determinant {
            return;
        }
        let quotient = (&two * &self.factors[k][l] + determinant).div_floor(&(&two * determinant));
        let change = -&quotient;
        let removed = self.rows[l].clone();
        self.rows[k].add_scaled(&change, &removed);
        let by = &change * &self.determinants[l + 1];
        self.factors[k][l] += &by;
        for i in 0..l {
            let by = &change * &self.factors[l][i];
            self.factors[k][i] += &by;
        }
    }

    /// Whether rows `k - 1` and `k` are in the wrong order (Lovász' condition with 3/4).
    fn is_disordered(&self, k: usize) -> bool {
        let (four, three) = (Int::from(4), Int::from(3));
        let factor = &self.factors[k][k - 1];
        let square = &self.determinants[k] * &self.determinants[k];
        let left = &self.determinants[k + 1] * &self.determinants[k - 1] + factor * factor;
        &four * &left < &three * &square
    }

    /// Exchanges rows `k - 1` and `k`.
    fn exchange(&mut self, k: usize) {
        self.rows.swap(k - 1, k);
        for j in 0..k - 1 {
            let moved = std::mem::take(&mut self.factors[k][j]);
            self.factors[k][j] = std::mem::replace(&mut self.factors[k - 1][j], moved);
        }
        let factor = self.factors[k][k - 1].clone();
        let (before, old, after) =
            (&self.determinants[k - 1], &self.determinants[k], &self.determinants[k + 1]);
        let new = (before * after + &factor * &factor).div_exact(old);
        for i in k + 1..self.factors.len() {
            let kept = self.factors[i][k].clone();
            let upper = (after * &self.factors[i][k - 1] - &factor * &kept).div_exact(old);
            self.factors[i][k - 1] = (&new * &kept + &factor * &upper).div_exact(after);
            self.factors[i][k] = upper;
        }
        self.determinants[k] = new;
    }
}

impl Matrix {
    /// A basis of short vectors of the lattice that the rows span; none if they are not independent.
    ///
    /// *Method.* Lenstra, Lenstra and Lovász, "Factoring polynomials with rational coefficients",
    /// Mathematische Annalen 261, 1982, with all numbers integers, and the factor 3/4.
    ///
    /// *Cost.* For `n` rows of entries below `b` about `n^4 log b` operations.
    ///
    /// ```
    /// # use loopwright_exact::Matrix;
    /// let basis = Matrix::from_i64s(&[&[1, 0], &[1_000, 1]]);
    /// assert_eq!(basis.lattice_reduced(), Some(Matrix::identity(2)));
    /// ```
    pub fn lattice_reduced(&self) -> Option<Matrix> {
        let n = self.n_rows();
        let mut state = Reduction {
            rows: self.rows().to_vec(),
            determinants: vec![Int::ONE],
            factors: Vec::with_capacity(n),
        };
        let mut k = 0;
        while k < n {
            if k == state.factors.len() && !state.orthogonalize(k) {
                return None;
            }
            if k == 0 {
                k = 1;
                continue;
            }
            state.shorten(k, k - 1);
            if state.is_disordered(k) {
                state.exchange(k);
                k = (k - 1).max(1);
                continue;
            }
            (0..k - 1).rev().for_each(|l| state.shorten(k, l));
            k += 1;
        }
        Some(Matrix::new(state.rows, self.n_columns()))
    }
}
