//! Boundedness for fixed values of the parameters.
//!
//! A set with integer points is bounded if and only if its rational relaxation has no direction
//! of recession, that is: if the constraints without constants and parameters (a floor
//! `l = ⌊n/d⌋` becomes the equality `d l = n`) only have solutions that are zero in all
//! dimensions. Bounds that follow from constraints one by one, and dimensions that can grow without
//! touching any constraint, are looked for first.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::floor_inequalities;
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::{During, Result};
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::solve::simplex::Tableau;
use loopwright_exact::Row;

/// Which columns from the first dimension on are known to be bounded.
struct Sides {
    first: usize,
    lower: Vec<bool>,
    upper: Vec<bool>,
}

impl Sides {
    /// Bounds that follow from constraints one by one.
    fn new(basic: &BasicMap) -> Self {
        let first = basic.offset(DimKind::Out);
        let n = basic.n_columns() - first;
        let mut sides = Sides { first, lower: vec![false; n], upper: vec![false; n] };
        let floors = floor_inequalities(&basic.inner);
        loop {
            let mut changed = false;
            for row in basic.equalities() {
                changed |= sides.propagate(row, 1) | sides.propagate(row, -1);
            }
            for row in basic.inequalities().iter().chain(&floors) {
                changed |= sides.propagate(row, 1);
            }
            if !changed {
                return sides;
            }
        }
    }

    /// What `sign * row >= 0` says about a column if all others are bounded from the other side;
    /// whether that is new.
    fn propagate(&mut self, row: &Row, sign: i32) -> bool {
        let first = self.first;
        let mut open = None;
        let mut next = row.first_nonzero(first..row.len());
        while let Some(column) = next {
            let is_positive = row.sign(column) == sign;
            // The column may grow without limit in the direction that the constraint allows.
            if !self.side(!is_positive)[column - first]
                && open.replace((column, is_positive)).is_some()
            {
                return false;
            }
            next = row.first_nonzero(column + 1..row.len());
        }
        match open {
            Some((column, is_positive)) => {
                !std::mem::replace(&mut self.side(is_positive)[column - first], true)
            }
            None => self.propagate_all(row, sign),
        }
    }

    /// All columns of a constraint that are bounded from the other side are bounded from this one.
    fn propagate_all(&mut self, row: &Row, sign: i32) -> bool {
        let first = self.first;
        let mut changed = false;
        for column in first..row.len() {
            if !row.is_zero_at(column) {
                let is_positive = row.sign(column) == sign;
                changed |= !std::mem::replace(&mut self.side(is_positive)[column - first], true);
            }
        }
        changed
    }

    fn side(&mut self, is_lower: bool) -> &mut Vec<bool> {
        if is_lower { &mut self.lower } else { &mut self.upper }
    }
}

/// Whether a column may change in a direction without limit: only inequalities of one sign involve
/// it.
fn is_plain_ray(basic: &BasicMap, column: usize, sign: i32) -> bool {
    let in_floor =
        |local: &Local| local.numerator().is_some_and(|numerator| !numerator.is_zero_at(column));
    basic.equalities().iter().all(|row| row.is_zero_at(column))
        && !basic.locals().iter().any(in_floor)
        && basic.inequalities().iter().all(|row| row.sign(column) != -sign)
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
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn image_is_bounded(&self, budget: &Budget) -> Result<bool> {
        if self.plain_is_empty() {
            return Ok(true);
        }
        let (fixed, end) = (self.offset(DimKind::Out), self.offset(DimKind::Local));
        let sides = Sides::new(self);
        let open: Vec<usize> =
            (0..end - fixed).filter(|&i| !sides.lower[i] || !sides.upper[i]).collect();
        if open.is_empty() {
            return Ok(true);
        }
        if open.iter().any(|&i| [1, -1].iter().any(|&sign| is_plain_ray(self, fixed + i, sign))) {
            return self.is_empty(budget);
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
    /// [`Error::Exceeded`](crate::Error::Exceeded).
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
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_bounded(&self, budget: &Budget) -> Result<bool> {
        for basic in &self.0.basics {
            if !basic.image_is_bounded(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
