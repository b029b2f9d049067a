//! Boundedness for fixed values of the parameters.
//!
//! A set with integer points is bounded if and only if its rational relaxation has no direction
//! of recession, that is: if the constraints without constants and parameters (a floor
//! `l = ⌊n/d⌋` becomes the equality `d l = n`) only have solutions that are zero in all
//! dimensions. Bounds of single dimensions by constraints that involve nothing else are looked
//! for first.
use crate::*;

/// The columns of dimensions that a constraint on them and parameters alone bounds from a side.
fn plain_bounds(basic: &BasicMap, sign: i32) -> Vec<bool> {
    let first = basic.offset(DimKind::Out);
    let mut bounded = vec![false; basic.n_columns() - first];
    let mut mark = |row: &Row, is_equality: bool| {
        let alone = row.first_nonzero(first..row.len());
        if let Some(column) = alone
            && row.last_nonzero(first..row.len()) == alone
            && (is_equality || row.sign(column) == sign)
        {
            bounded[column - first] = true;
        }
    };
    basic.equalities().iter().for_each(|row| mark(row, true));
    basic.inequalities().iter().for_each(|row| mark(row, false));
    bounded
}

/// The tableau of the directions of recession for fixed parameters.
fn recession_tableau(basic: &BasicMap, budget: &Budget) -> Result<Tableau> {
    let fixed = basic.offset(DimKind::Out);
    let first_local = basic.offset(DimKind::Local);
    let direction = |row: &Row| {
        let mut row = row.slice(fixed..row.len());
        row.insert_zeros(0, 1);
        row
    };
    let mut tableau = Tableau::new(basic.n_columns() - fixed);
    for row in basic.equalities() {
        tableau.add_equality(&direction(row), budget)?;
    }
    for (index, local) in basic.locals().iter().enumerate() {
        if let Local::Floor { numerator, denominator } = local {
            let mut row = numerator.clone();
            row.set(first_local + index, -denominator);
            tableau.add_equality(&direction(&row), budget)?;
        }
    }
    for row in basic.inequalities() {
        tableau.add_inequality(&direction(row), budget)?;
    }
    Ok(tableau)
}

impl BasicMap {
    /// Whether every element of the domain has finitely many images, for every value of the
    /// parameters.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : i <= j <= 2i }").unwrap();
    /// assert!(map.basic_maps()[0].image_is_bounded(&Budget::unlimited()).unwrap());
    /// ```
    ///
    /// *Cost.* At most two linear optimizations per dimension.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn image_is_bounded(&self, budget: &Budget) -> Result<bool> {
        let (fixed, end) = (self.offset(DimKind::Out), self.offset(DimKind::Local));
        let (lower, upper) = (plain_bounds(self, 1), plain_bounds(self, -1));
        let open: Vec<usize> = (0..end - fixed).filter(|&i| !lower[i] || !upper[i]).collect();
        if open.is_empty() || self.plain_is_empty() {
            return Ok(true);
        }
        let mut tableau = recession_tableau(self, budget).during("image_is_bounded")?;
        for dimension in open {
            let form = Row::unit(self.n_columns() - fixed + 1, 1 + dimension);
            if !tableau.implies_equality(&form, budget).during("image_is_bounded")? {
                return self.is_empty(budget);
            }
        }
        Ok(true)
    }
}

impl BasicSet {
    /// Whether the set is finite for every value of the parameters.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { [i, j] : 0 <= i <= n and i <= j <= 2i }").unwrap();
    /// assert!(set.basic_sets()[0].is_bounded(&Budget::unlimited()).unwrap());
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn is_bounded(&self, budget: &Budget) -> Result<bool> {
        self.0.image_is_bounded(budget)
    }
}

impl Set {
    /// Whether the set is finite for every value of the parameters.
    ///
    /// *Cost.* Two linear optimizations per dimension and piece.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// assert!(Set::parse("[n] -> { [i] : 0 <= i <= n or i = -5 }")?.is_bounded(budget)?);
    /// assert!(!Set::parse("[n] -> { [i] : i <= n }")?.is_bounded(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn is_bounded(&self, budget: &Budget) -> Result<bool> {
        for basic in &self.0.basics {
            if !basic.image_is_bounded(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
