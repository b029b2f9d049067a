//! The cells of an occupancy vector: a projection along it, and a modulus where it passes several points.
//!
//! With `u = g w`, `w` primitive, the rows of `M` and `c` are a basis of the dual lattice with `M w = 0` and
//! `c w = 1`. The cell of a point `z` is `(M z, c z mod g)`: two points have the same one if and only if
//! their difference is a multiple of `u`.
use loopwright_exact::{Int, Matrix, Row};
use loopwright_presburger::{
    Aff, Budget, DimKind, Map, MultiAff, PwQPolynomial, Result, Set, Space, Tuple,
};

/// Which points share a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// `M`: one row for each dimension but one.
    pub projection: Vec<Vec<Int>>,
    /// `c`.
    pub counter: Vec<Int>,
    /// `g`: the number of cells along the vector.
    pub modulus: Int,
}

impl Allocation {
    /// The cells of an occupancy vector; none for the vector zero.
    ///
    /// *Cost.* A Hermite normal form.
    ///
    /// ```
    /// use loopwright_presburger::Int;
    /// use loopwright_storage::Allocation;
    /// let diagonal = Allocation::along(&[Int::from(2), Int::from(2)]).unwrap();
    /// let cell = |a, b| diagonal.cell(&[Int::from(a), Int::from(b)]);
    /// assert_eq!(cell(0, 0), cell(2, 2));
    /// assert_ne!(cell(0, 0), cell(1, 1));
    /// ```
    #[must_use]
    pub fn along(u: &[Int]) -> Option<Allocation> {
        let modulus = u.iter().fold(Int::ZERO, |gcd, component| gcd.gcd(component));
        if modulus.is_zero() {
            return None;
        }
        let primitive = u.iter().map(|component| component.div_exact(&modulus)).collect();
        let basis =
            Matrix::new(vec![Row::from_ints(primitive)], u.len()).unimodular_completion()?;
        let dual = basis.inverse_unimodular()?;
        let column =
            |at: usize| -> Vec<Int> { (0..u.len()).map(|row| dual.get(row, at)).collect() };
        let rows = (1..u.len()).map(|at| Row::from_ints(column(at))).collect();
        let projection = Matrix::new(rows, u.len());
        let projection = projection.lattice_reduced().unwrap_or(projection);
        let rows = projection.rows().iter();
        let mut projection: Vec<Vec<Int>> =
            rows.map(|row| positive((0..u.len()).map(|at| row.get(at)).collect())).collect();
        projection.sort_by(|a, b| b.cmp(a));
        Some(Allocation { projection, counter: column(0), modulus })
    }

    /// The cell of a point.
    #[must_use]
    pub fn cell(&self, point: &[Int]) -> Vec<Int> {
        let dot = |row: &Vec<Int>| -> Int { row.iter().zip(point).map(|(a, b)| a * b).sum() };
        let counter = dot(&self.counter).mod_floor(&self.modulus);
        self.projection.iter().map(dot).chain([counter]).collect()
    }

    /// From the points of a space to their cells.
    ///
    /// # Errors
    /// If the space has another number of dimensions.
    pub fn to_map(&self, points: &Space) -> Result<Map> {
        let n = points.n(DimKind::Out);
        let sum = |row: &Vec<Int>| {
            row.iter().enumerate().try_fold(Aff::zero(points), |sum, (at, factor)| {
                sum.add(&Aff::variable(points, DimKind::Out, at).scale(factor))
            })
        };
        let mut affs = self.projection.iter().map(sum).collect::<Result<Vec<Aff>>>()?;
        affs.push(sum(&self.counter)?.modulo(&self.modulus));
        let cells = Space::set(points.param_names(), Tuple::anonymous(n));
        Ok(MultiAff::new(points.map_to(&cells), affs)?.to_map())
    }

    /// The number of cells that the points of a set use, as a function of the symbolic constants.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Int, Set};
    /// use loopwright_storage::Allocation;
    /// let points = Set::parse("[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }")?;
    /// let diagonal = Allocation::along(&[Int::ONE, Int::ONE]).unwrap();
    /// let cells = diagonal.n_cells(&points, &Budget::unlimited())?;
    /// assert_eq!(cells.to_string(), "[n, m] -> { (n + m - 1) : n > 0 and m > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of counting, the budget's end among them.
    pub fn n_cells(&self, points: &Set, budget: &Budget) -> Result<PwQPolynomial> {
        let cells = points.apply_within(&self.to_map(points.space())?, budget)?;
        cells.coalesce(budget)?.card(budget)
    }
}

/// The vector or its opposite, whichever has a positive first component.
fn positive(vector: Vec<Int>) -> Vec<Int> {
    match vector.iter().find(|component| !component.is_zero()) {
        Some(first) if first.is_negative() => vector.iter().map(|component| -component).collect(),
        _ => vector,
    }
}
