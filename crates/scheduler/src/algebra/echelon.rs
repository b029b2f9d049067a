//! Ranks and null spaces of small integer matrices.
use crate::algebra::vectors::{Vector, gcd, lowest_terms};
use loopwright_presburger::Result;

/// Rows in reduced echelon form, each with its pivot (leading) column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Echelon {
    rows: Vec<(usize, Vector)>,
}

impl Echelon {
    /// The echelon form of some rows.
    pub(crate) fn of(rows: &[Vector]) -> Result<Self> {
        let mut echelon = Echelon::default();
        for row in rows {
            echelon.insert(row)?;
        }
        Ok(echelon)
    }

    /// The number of independent rows.
    pub(crate) fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The independent rows, by pivot column.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &Vector> {
        self.rows.iter().map(|(_, row)| row)
    }

    /// Adds a row; whether it was independent of the others.
    pub(crate) fn insert(&mut self, row: &[i64]) -> Result<bool> {
        let mut row = row.to_vec();
        for (pivot, other) in &self.rows {
            row = eliminate(&row, *pivot, other)?;
        }
        let Some(pivot) = row.iter().position(|&entry| entry != 0) else {
            return Ok(false);
        };
        for (_, other) in &mut self.rows {
            *other = eliminate(other, pivot, &row)?;
        }
        let at = self.rows.partition_point(|(p, _)| *p < pivot);
        self.rows.insert(at, (pivot, row));
        Ok(true)
    }

    /// The ray without its components in the pivot columns: a positive multiple of the ray plus a
    /// combination of the rows, in lowest terms, and the same for all rays that differ so.
    pub(crate) fn reduce_ray(&self, ray: &[i64]) -> Result<Vector> {
        let mut ray = ray.to_vec();
        for (pivot, row) in &self.rows {
            if ray[*pivot] != 0 && row[*pivot] < 0 {
                let negative: Vector = row.iter().map(|&entry| -entry).collect();
                ray = eliminate(&ray, *pivot, &negative)?;
            } else {
                ray = eliminate(&ray, *pivot, row)?;
            }
        }
        Ok(ray)
    }

    /// A basis of the vectors in `width` dimensions that are orthogonal to all rows.
    ///
    /// There is one vector for each column without pivot, ending in that column and with zeros in
    /// the other columns without pivot; each is primitive and lexicographically positive. These
    /// are the independence rows of "Scheduling for PPCG", section 6.5.6: a vector is independent
    /// of the rows if and only if its product with one of them is not zero.
    pub(crate) fn null_space(&self, width: usize) -> Result<Vec<Vector>> {
        let is_pivot = |column: usize| self.rows.iter().any(|(pivot, _)| *pivot == column);
        let mut basis = Vec::new();
        for free in (0..width).filter(|&column| !is_pivot(column)) {
            // x[free] = scale, x[pivot] = -scale * row[free] / row[pivot]
            let mut scale: i128 = 1;
            for (pivot, row) in self.rows.iter().filter(|(_, row)| row[free] != 0) {
                let divisor = i128::from(row[*pivot]);
                scale *= (divisor / gcd(scale * i128::from(row[free]), divisor)).abs();
            }
            let mut vector = vec![0i128; width];
            vector[free] = scale;
            for (pivot, row) in &self.rows {
                vector[*pivot] = -scale * i128::from(row[free]) / i128::from(row[*pivot]);
            }
            if vector.iter().find(|&&entry| entry != 0).is_some_and(|&first| first < 0) {
                vector.iter_mut().for_each(|entry| *entry = -*entry);
            }
            basis.push(lowest_terms(&vector)?);
        }
        Ok(basis)
    }
}

/// `row` with a zero in column `pivot`, by subtracting a multiple of `other`; in lowest terms.
fn eliminate(row: &[i64], pivot: usize, other: &[i64]) -> Result<Vector> {
    if row[pivot] == 0 {
        return Ok(row.to_vec());
    }
    let (a, b) = (i128::from(other[pivot]), i128::from(row[pivot]));
    let combined: Vec<i128> =
        row.iter().zip(other).map(|(&x, &y)| a * i128::from(x) - b * i128::from(y)).collect();
    lowest_terms(&combined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independence_rows_of_the_seidel_example() {
        let echelon = Echelon::of(&[vec![4, 2, 1]]).unwrap();
        assert_eq!(echelon.null_space(3).unwrap(), [vec![1, -2, 0], vec![1, 0, -4]]);
        let echelon = Echelon::of(&[vec![4, 2, 1], vec![1, 0, 0]]).unwrap();
        assert_eq!(echelon.null_space(3).unwrap(), [vec![0, 1, -2]]);
    }

    #[test]
    fn no_rows_give_the_unit_vectors() {
        assert_eq!(Echelon::default().null_space(2).unwrap(), [vec![1, 0], vec![0, 1]]);
    }

    #[test]
    fn dependent_rows_are_found() {
        let mut echelon = Echelon::of(&[vec![1, 1, 0], vec![0, 1, 1]]).unwrap();
        assert!(!echelon.insert(&[1, 2, 1]).unwrap());
        assert!(echelon.insert(&[0, 0, 1]).unwrap());
        assert_eq!(echelon.rank(), 3);
    }
}
