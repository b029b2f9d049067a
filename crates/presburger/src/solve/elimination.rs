//! Exact elimination of variables from systems over integers.
//!
//! A variable with a unit coefficient in an equality is substituted; other equalities are solved by
//! the Hermite normal form. A variable without lower or without upper bounds can always satisfy its
//! constraints, which are dropped. A variable whose lower (or upper) bounds all have unit
//! coefficients is eliminated exactly by Fourier and Motzkin's method: if `x >= -alpha` is an
//! integer bound, then `-alpha` lies below every upper bound iff some integer does. Every
//! elimination is recorded, so that a point of the smaller system leads back to one of the larger.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::system::{Contradiction, System, normalize_equality};
use loopwright_exact::{Int, Matrix, Row};

/// How the value of an eliminated variable is found from those of the others.
pub(crate) enum Elimination {
    /// The equality, in which the variable has the coefficient 1 or -1.
    Equality { variable: usize, row: Row },
    /// The bounds on one side (lower ones if there are any).
    Bounds { variable: usize, rows: Vec<Row> },
}

impl System {
    /// Steps 1 to 3 of the module's description as long as they apply.
    ///
    /// The inequalities that a step does not change stay normalized; `keys` holds their direction
    /// keys. The search for the next variable goes on behind the last one.
    pub(crate) fn simplify(
        &mut self,
        eliminations: &mut Vec<Elimination>,
        budget: &Budget,
    ) -> Result<std::result::Result<(), Contradiction>> {
        let mut keys: Vec<i64> = Vec::with_capacity(self.inequalities.len());
        if self.normalize_equalities().is_err() {
            return Ok(Err(Contradiction));
        }
        let mut changed = std::mem::take(&mut self.inequalities);
        let mut last = 0;
        loop {
            let n_rows = self.equalities.len() + self.inequalities.len() + changed.len();
            budget.spend(n_rows as u64 + 1, "integer emptiness")?;
            if self.insert_all(changed, &mut keys).is_err() {
                return Ok(Err(Contradiction));
            }
            let elimination;
            if !self.equalities.is_empty() {
                let Some((row, variable)) = self.take_unit() else { return Ok(Ok(())) };
                let Ok(substituted) = self.substitute(variable, &row, &mut keys) else {
                    return Ok(Err(Contradiction));
                };
                changed = substituted;
                elimination = Elimination::Equality { variable, row };
            } else {
                let Some(variable) = self.exact_variable(last) else { return Ok(Ok(())) };
                last = variable;
                let bounds = self.take_involving(variable, &mut keys);
                (elimination, changed) = combined_bounds(variable, bounds);
            }
            eliminations.push(elimination);
        }
    }

    /// Removes the inequalities that involve a variable, and their keys.
    fn take_involving(&mut self, variable: usize, keys: &mut Vec<i64>) -> Vec<Row> {
        let mut position = 0..;
        let rows = &self.inequalities;
        keys.retain(|_| rows[position.next().unwrap_or_default()].is_zero_at(variable));
        self.inequalities.extract_if(.., |row| !row.is_zero_at(variable)).collect()
    }

    /// Removes a variable that has a unit coefficient in the equality `row`; the inequalities that
    /// change are returned.
    fn substitute(
        &mut self,
        variable: usize,
        row: &Row,
        keys: &mut Vec<i64>,
    ) -> std::result::Result<Vec<Row>, Contradiction> {
        let mut changed = self.take_involving(variable, keys);
        changed.iter_mut().for_each(|other| other.eliminate(variable, row));
        let mut contradiction = false;
        self.equalities.retain_mut(|other| {
            if other.is_zero_at(variable) {
                return true;
            }
            other.eliminate(variable, row);
            normalize_equality(other).unwrap_or_else(|Contradiction| {
                contradiction = true;
                false
            })
        });
        if contradiction { Err(Contradiction) } else { Ok(changed) }
    }

    /// Removes variables that have a unit coefficient in an equality. The equalities that opposite
    /// inequalities turn out to be on the way are appended to `found`.
    pub(crate) fn solve_units(
        &mut self,
        found: &mut Vec<Row>,
    ) -> std::result::Result<(), Contradiction> {
        let mut keys = Vec::with_capacity(self.inequalities.len());
        self.normalize_equalities()?;
        let mut changed = std::mem::take(&mut self.inequalities);
        loop {
            let n_known = self.equalities.len();
            self.insert_all(changed, &mut keys)?;
            found.extend_from_slice(&self.equalities[n_known..]);
            let Some((row, variable)) = self.take_unit() else { return Ok(()) };
            changed = self.substitute(variable, &row, &mut keys)?;
        }
    }

    /// Takes an equality out that has a variable with a unit coefficient.
    fn take_unit(&mut self) -> Option<(Row, usize)> {
        let (position, variable) = self
            .equalities
            .iter()
            .enumerate()
            .find_map(|(i, row)| row.last_unit(1..self.width).map(|column| (i, column)))?;
        Some((self.equalities.swap_remove(position), variable))
    }

    /// The numbers of lower and upper bounds of a variable, and whether either are all unit.
    fn bounds(&self, variable: usize) -> (usize, usize, bool) {
        let (mut lower, mut upper) = (0, 0);
        let (mut unit_lower, mut unit_upper) = (true, true);
        for row in &self.inequalities {
            match row.sign(variable) {
                1 => {
                    lower += 1;
                    unit_lower &= row.get(variable).is_one();
                }
                -1 => {
                    upper += 1;
                    unit_upper &= row.get(variable) == Int::MINUS_ONE;
                }
                _ => {}
            }
        }
        (lower, upper, unit_lower || unit_upper)
    }

    /// Step 3: the next variable after `last` whose elimination is exact and adds no rows.
    fn exact_variable(&self, last: usize) -> Option<usize> {
        (last + 1..self.width).chain(1..=last).find(|&variable| {
            let (lower, upper, exact) = self.bounds(variable);
            let cheap = lower * upper <= lower + upper && exact;
            lower + upper > 0 && (lower == 0 || upper == 0 || cheap)
        })
    }
}

/// Fourier-Motzkin elimination of a variable: the combinations of its lower and upper bounds.
fn combined_bounds(variable: usize, bounds: Vec<Row>) -> (Elimination, Vec<Row>) {
    let (lower, upper): (Vec<Row>, Vec<Row>) =
        bounds.into_iter().partition(|row| row.sign(variable) > 0);
    let mut rows = Vec::with_capacity(lower.len() * upper.len());
    for low in &lower {
        for high in &upper {
            let (a, b) = (low.get(variable), -high.get(variable));
            let mut combined = low.clone();
            combined.combine(&b, &a, high);
            rows.push(combined);
        }
    }
    let rest = if lower.is_empty() { upper } else { lower };
    (Elimination::Bounds { variable, rows: rest }, rows)
}

impl Elimination {
    /// Sets the value of the eliminated variable.
    pub(crate) fn complete(&self, point: &mut Row) {
        let value = match self {
            Elimination::Equality { variable, row } => {
                point.set(*variable, Int::ZERO);
                // c x + rest = 0 with c = 1 or -1.
                -(row.dot(point) * row.get(*variable))
            }
            Elimination::Bounds { variable, rows } => {
                point.set(*variable, Int::ZERO);
                let limits = rows.iter().map(|row| {
                    let (coefficient, rest) = (row.get(*variable), -row.dot(point));
                    if coefficient.is_positive() {
                        rest.div_ceil(&coefficient)
                    } else {
                        rest.div_floor(&coefficient)
                    }
                });
                let lower = rows.first().is_some_and(|row| row.sign(*variable) > 0);
                if lower { limits.max() } else { limits.min() }.unwrap_or_default()
            }
        };
        let (Elimination::Equality { variable, .. } | Elimination::Bounds { variable, .. }) = self;
        point.set(*variable, value);
    }
}

/// All integer solutions of equalities over `[constant | x]`: the matrix with
/// `[1 | x] = [1 | t] * matrix` for integer `t`; none if there is no solution.
pub(crate) fn integer_solutions(equalities: &[Row], width: usize) -> Option<Matrix> {
    let right = equalities.iter().map(|row| -row.get(0)).collect();
    let coefficients = equalities.iter().map(|row| row.slice(1..width)).collect();
    let solution = Matrix::new(coefficients, width - 1).solve_integer(&right)?;
    let mut change = vec![homogeneous(Int::ONE, &solution.particular)];
    change.extend(solution.basis.rows().iter().map(|row| homogeneous(Int::ZERO, row)));
    Some(Matrix::new(change, width))
}

fn homogeneous(first: Int, rest: &Row) -> Row {
    std::iter::once(first).chain(rest.iter()).collect()
}
