//! The sum over one variable after the other.
//!
//! # Method
//! The bounds of a variable `x` are rows `a x + e >= 0`, that is `x >= -⌊e/a⌋`, and `-d x + f >= 0`,
//! that is `x <= ⌊f/d⌋`. For every pair of a lower and an upper one, the part in which it is the
//! greatest and the least (ties go to the first) has the sum of [`sum_between`] as its weight.
//! That holds for `u >= l - 1`, and `⌊f/d⌋ >= -⌊e/a⌋ - 1` follows from `f/d >= -e/a`: so the rational
//! shadow `a f + d e >= 0` is a right domain, although it has points over which there is no integer.
//! If `a` or `d` is 1, a larger one is: `a f + d e + max(a, d) >= 0`; where that follows from the other
//! constraints, nothing is added.
//!
//! Floors `⌊e/a⌋` of other variables become variables themselves, with `a v <= e < a (v + 1)`. Summing
//! over a variable of `e` turns them into ordinary ones; their coefficients fall as in Euclid's
//! algorithm. With small denominators the residues of a variable are taken one by one.
use crate::core::budget::Budget;
use crate::core::error::{Error, Result};
use crate::count::faulhaber::sum_between;
use crate::count::summand::{Nothing, Summand};
use crate::polynomials::sparse::Polynomial;
use loopwright_exact::{Int, Row};

const OPERATION: &str = "the sum over a polyhedron";

/// Up to this number of residues they are taken one by one.
const MAX_RESIDUES: i64 = 8;

/// How the next variable is summed over.
enum Next {
    Sum(usize),
    Residues(usize, i64),
    /// There is no variable with bounds on both sides.
    Unbounded,
}

/// The parts of a sum, without variables.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn summed(whole: Summand, budget: &Budget) -> Result<Vec<Summand>> {
    let (mut pending, mut done) = (vec![whole], Vec::new());
    while let Some(mut part) = pending.pop() {
        let n_rows = part.equalities.len() + part.inequalities.len() + 1;
        let size = n_rows * part.width() + part.weight.n_terms();
        budget.spend(size as u64, OPERATION)?;
        budget.keep(size * (pending.len() + done.len()), OPERATION)?;
        if part.settle().is_err() || part.weight.is_zero() {
            continue;
        }
        match part.variables.is_empty() {
            true => done.push(part),
            false => part.step(&mut pending, budget)?,
        }
    }
    Ok(done)
}

impl Summand {
    /// Solves equalities, finds floors of fixed columns and removes variables with one value.
    pub(super) fn settle(&mut self) -> std::result::Result<(), Nothing> {
        self.normalize()?;
        while self.solve_equality()
            || self.fix_floor()
            || self.drop_determined()
            || self.fix_determined()
            || self.unroll_strip()
        {
            self.normalize()?;
        }
        Ok(())
    }

    fn step(mut self, pending: &mut Vec<Summand>, budget: &Budget) -> Result<()> {
        let mut next = self.next();
        let is_easy = |part: &Summand, next: &Next| match next {
            Next::Sum(column) => part.n_pairs(*column) == 1,
            _ => false,
        };
        if !is_easy(&self, &next) {
            if self.remove_redundancies(budget)?.is_err() {
                return Ok(());
            }
            next = self.next();
        }
        match next {
            Next::Sum(column) => self.sum_over(column, pending, budget),
            Next::Residues(column, period) => {
                pending.extend(self.residues(column, period));
                Ok(())
            }
            Next::Unbounded => Err(Error::too_large(OPERATION)),
        }
    }

    /// The numbers of lower and upper bounds of a variable.
    fn n_bounds(&self, column: usize) -> (usize, usize) {
        let sign =
            |sign: i32| self.inequalities.iter().filter(|row| row.sign(column) == sign).count();
        (sign(1), sign(-1))
    }

    fn n_pairs(&self, column: usize) -> usize {
        let (lower, upper) = self.n_bounds(column);
        lower * upper
    }

    /// What to do next: few pairs of bounds, few new floors, few residues.
    fn next(&self) -> Next {
        let mut best: Option<(usize, Next)> = None;
        let ordinary = self.columns().filter(|&column| self.definition(column).is_none());
        for column in ordinary.chain(self.columns()) {
            let n_pairs = self.n_pairs(column);
            if n_pairs == 0 || best.is_some() && self.definition(column).is_some() {
                continue;
            }
            let involved = self.inequalities.iter().filter(|row| !row.is_zero_at(column));
            let n_floors = involved.filter(|row| !row.get(column).abs().is_one()).count();
            let mut choice = (4 * n_pairs + 3 * n_floors, Next::Sum(column));
            let period = self.period(column);
            if let Some(period) =
                period.to_i64().filter(|period| (2..=MAX_RESIDUES).contains(period))
            {
                let of = self.n_definitions(column);
                let (lower, upper) = self.n_bounds(column);
                let rest = lower.saturating_sub(of).max(1) * upper.saturating_sub(of).max(1);
                let cost = 2 * rest * period as usize + 1;
                if cost < choice.0 {
                    choice = (cost, Next::Residues(column, period));
                }
            }
            if best.as_ref().is_none_or(|(cost, _)| choice.0 < *cost) {
                best = Some(choice);
            }
        }
        best.map_or(Next::Unbounded, |(_, next)| next)
    }

    /// The number of definitions with a variable.
    fn n_definitions(&self, column: usize) -> usize {
        let definitions = self.variables.iter().flatten();
        definitions.filter(|floor| !floor.numerator.is_zero_at(column)).count()
    }

    fn sum_over(
        mut self,
        column: usize,
        pending: &mut Vec<Summand>,
        budget: &Budget,
    ) -> Result<()> {
        self.forget(column);
        for variable in &mut self.variables {
            if variable.as_ref().is_some_and(|floor| !floor.numerator.is_zero_at(column)) {
                *variable = None;
            }
        }
        let rows = std::mem::take(&mut self.inequalities);
        let (bounds, others): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| !row.is_zero_at(column));
        let (lower, upper): (Vec<Row>, Vec<Row>) =
            bounds.into_iter().partition(|row| row.sign(column) > 0);
        self.inequalities = others;
        self.is_part |= lower.len() * upper.len() > 1;
        for (i, low) in lower.iter().enumerate() {
            for (j, high) in upper.iter().enumerate() {
                let mut part = self.clone();
                part.inequalities.extend(extreme(&lower, i, column));
                part.inequalities.extend(extreme(&upper, j, column));
                if part.add_shadow(low, high, column, budget)? {
                    pending.push(part.between([low, high], column, budget)?);
                }
            }
        }
        Ok(())
    }

    /// Adds the condition that the sum from one bound to the other is right, unless it holds anyway; whether
    /// there is any point.
    fn add_shadow(
        &mut self,
        low: &Row,
        high: &Row,
        column: usize,
        budget: &Budget,
    ) -> Result<bool> {
        let (a, d) = (low.get(column), -high.get(column));
        let mut shadow = low.clone();
        shadow.combine(&d, &a, high);
        if a.is_one() || d.is_one() {
            let mut wider = shadow.clone();
            wider.add_at(0, &a.max(d));
            let mut tableau = self.tableau(budget)?;
            if tableau.is_empty() {
                return Ok(false);
            }
            if tableau.implies_at_integers(&wider, budget)? {
                return Ok(true);
            }
        }
        self.inequalities.push(shadow);
        Ok(true)
    }

    /// The sum over a variable from the greatest lower to the least upper bound.
    fn between(mut self, bounds: [&Row; 2], column: usize, budget: &Budget) -> Result<Summand> {
        let index = column - self.first_variable();
        self.carried = bounds.map(Row::clone).to_vec();
        let negative = self.bound(0, index);
        self.carried.push(negative);
        let upper = self.bound(1, index);
        let mut lower = self.carried.swap_remove(2);
        lower.negate();
        self.carried.clear();
        let column = self.first_variable() + index;
        let form = |row: &Row| Polynomial::from_row(row, &Int::ONE);
        let coefficients = self.weight.coefficients_in(column);
        self.weight = sum_between(&coefficients, &form(&lower), &form(&upper), budget)?;
        self.remove_variable(column);
        Ok(self)
    }

    /// The integer part of what a bound that is carried along has beside its variable, over its coefficient.
    fn bound(&mut self, position: usize, index: usize) -> Row {
        let column = self.first_variable() + index;
        let mut numerator = self.carried[position].clone();
        let divisor = numerator.get(column).abs();
        numerator.set(column, Int::ZERO);
        self.floor_of(&numerator, &divisor)
    }
}

/// The conditions for a bound to be the greatest lower or the least upper one, and the first of such.
fn extreme(bounds: &[Row], chosen: usize, column: usize) -> Vec<Row> {
    let own = &bounds[chosen];
    let others = bounds.iter().enumerate().filter(|(other, _)| *other != chosen);
    let compared = others.map(|(other, row)| {
        // Both are a x + e >= 0 (or -a x + e >= 0): e'/a' >= e/a.
        let (a, b) = (own.get(column).abs(), row.get(column).abs());
        let mut difference = row.clone();
        difference.combine(&a, &-b, own);
        if other < chosen {
            difference.add_at(0, &Int::MINUS_ONE);
        }
        difference
    });
    compared.collect()
}
