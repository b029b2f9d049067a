//! Systems of affine constraints over integers, and what can be said about them row by row.
//!
//! Inequalities are kept tight: coefficients without a common divisor, the constant rounded down. Of
//! parallel inequalities the tighter one stays; two opposite ones contradict each other or, if
//! they leave one value, are an equality.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, floor_inequalities};
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::rows::{direction_key, is_parallel};
use crate::solve::simplex::Tableau;
use loopwright_exact::{Int, Matrix, Row};

/// Affine constraints over the columns `[constant | variables]`.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) width: usize,
    pub(crate) equalities: Vec<Row>,
    pub(crate) inequalities: Vec<Row>,
}

/// A system without solution.
pub(crate) struct Contradiction;

impl System {
    /// The system of the given rows of `width` columns.
    pub(crate) fn new(width: usize, equalities: Vec<Row>, inequalities: Vec<Row>) -> Self {
        System { width, equalities, inequalities }
    }

    /// All constraints of a basic relation, including those that define its floors.
    pub(crate) fn from_basic_map(map: &BasicMap) -> Self {
        System::from_data(&map.inner)
    }

    /// All constraints of a system, including those that define its floors.
    pub(crate) fn from_data(data: &BasicRelation) -> Self {
        let floors = floor_inequalities(data);
        let mut inequalities = Vec::with_capacity(data.inequalities.len() + floors.len() + 2);
        inequalities.extend(data.inequalities.iter().cloned());
        inequalities.extend(floors);
        System::new(data.n_columns(), data.equalities.clone(), inequalities)
    }

    /// The variables that constraints involve.
    pub(crate) fn live_columns(&self) -> Vec<usize> {
        (1..self.width).filter(|&column| self.involves(column)).collect()
    }

    fn involves(&self, column: usize) -> bool {
        let mut rows = self.equalities.iter().chain(&self.inequalities);
        rows.any(|row| !row.is_zero_at(column))
    }

    /// The system over some of the columns; the others are zero in all rows.
    pub(crate) fn restrict(&self, columns: &[usize]) -> System {
        let restrict = |row: &Row| -> Row {
            std::iter::once(0).chain(columns.iter().copied()).map(|c| row.get(c)).collect()
        };
        System {
            width: columns.len() + 1,
            equalities: self.equalities.iter().map(restrict).collect(),
            inequalities: self.inequalities.iter().map(restrict).collect(),
        }
    }

    pub(crate) fn normalize_equalities(&mut self) -> std::result::Result<(), Contradiction> {
        let mut contradiction = false;
        self.equalities.retain_mut(|row| match normalize_equality(row) {
            Ok(useful) => useful,
            Err(Contradiction) => {
                contradiction = true;
                false
            }
        });
        if contradiction { Err(Contradiction) } else { Ok(()) }
    }

    /// Adds inequalities: tightens them and resolves parallel ones.
    pub(crate) fn insert_all(
        &mut self,
        rows: Vec<Row>,
        keys: &mut Vec<i64>,
    ) -> std::result::Result<(), Contradiction> {
        rows.into_iter().try_for_each(|row| self.insert(row, keys))
    }

    fn insert(
        &mut self,
        mut row: Row,
        keys: &mut Vec<i64>,
    ) -> std::result::Result<(), Contradiction> {
        if !tighten(&mut row)? {
            return Ok(());
        }
        let key = direction_key(&row);
        let mut keep = true;
        let mut i = 0;
        while i < keys.len() {
            let other = &self.inequalities[i];
            if keys[i] == key && is_parallel(&row, other, 1) {
                if row.get(0) < other.get(0) {
                    keys.swap_remove(i);
                    self.inequalities.swap_remove(i);
                    continue;
                }
                keep = false;
            } else if keys[i] == key.wrapping_neg() && is_parallel(&row, other, -1) {
                match (row.get(0) + other.get(0)).signum() {
                    -1 => return Err(Contradiction),
                    0 => {
                        self.equalities.push(row.clone());
                        keys.swap_remove(i);
                        self.inequalities.swap_remove(i);
                        keep = false;
                        continue;
                    }
                    _ => {}
                }
            }
            i += 1;
        }
        if keep {
            keys.push(key);
            self.inequalities.push(row);
        }
        Ok(())
    }

    /// The inequalities in terms of `t`, where `[1 | x] = [1 | t] * change`.
    pub(crate) fn change(&self, change: &Matrix) -> System {
        let rows = self.inequalities.iter().map(|row| change.right_mul(row)).collect();
        System::new(change.n_rows(), Vec::new(), rows)
    }

    /// The number of columns.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The inequalities.
    pub(crate) fn inequalities(&self) -> &[Row] {
        &self.inequalities
    }

    /// The system with one more equality.
    pub(crate) fn with_equality(&self, row: Row) -> System {
        let mut system = self.clone();
        system.equalities.push(row);
        system
    }

    /// The system with one more inequality.
    pub(crate) fn with_inequality(&self, row: Row) -> System {
        let mut system = self.clone();
        system.inequalities.push(row);
        system
    }

    /// Whether a point `[1 | values]` satisfies all constraints.
    pub(crate) fn contains(&self, point: &Row) -> bool {
        self.equalities.iter().all(|row| row.dot(point).is_zero())
            && self.inequalities.iter().all(|row| !row.dot(point).is_negative())
    }

    /// The tableau of all constraints.
    pub(crate) fn tableau(&self, budget: &Budget) -> Result<Tableau> {
        let mut tableau = Tableau::new(self.width - 1);
        for row in &self.equalities {
            tableau.add_equality(row, budget)?;
        }
        for row in &self.inequalities {
            tableau.add_inequality(row, budget)?;
        }
        Ok(tableau)
    }
}

/// Divides an inequality by the greatest common divisor of its coefficients and rounds the
/// constant down. Whether it restricts anything.
fn tighten(row: &mut Row) -> std::result::Result<bool, Contradiction> {
    let divisor = row.gcd(1..row.len());
    if divisor.is_zero() {
        return if row.sign(0) < 0 { Err(Contradiction) } else { Ok(false) };
    }
    if !divisor.is_one() {
        let constant = row.get(0).div_floor(&divisor);
        row.set(0, Int::ZERO);
        row.div_exact(&divisor);
        row.set(0, constant);
    }
    Ok(true)
}

/// Divides an equality by the greatest common divisor of its coefficients. Whether it restricts
/// anything.
pub(crate) fn normalize_equality(row: &mut Row) -> std::result::Result<bool, Contradiction> {
    let divisor = row.gcd(1..row.len());
    if !row.get(0).is_divisible_by(&divisor) {
        return Err(Contradiction);
    }
    if divisor.is_zero() {
        return Ok(false);
    }
    row.div_exact(&divisor);
    Ok(true)
}
