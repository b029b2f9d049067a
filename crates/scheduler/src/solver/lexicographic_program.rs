//! The integer programs of scheduling problems.
//!
//! Such a program has the variables of all statements, but each of its rows only those of two, and most
//! rows say `0 >= 0` at the solutions that matter. Hence
//! * equations are solved for variables beforehand (see [`Elimination`]), and
//! * in large programs, inequalities wait outside of the tableau until a solution violates them. The
//!   solution of fewer inequalities is the solution of all if it satisfies the others.
use crate::algebra::terms::Terms;
use crate::solver::elimination::Elimination;
use loopwright_presburger::{
    Budget, Error, Int, LexicographicProblem, LexicographicSnapshot, Rational, Result, Row,
};
use rustc_hash::FxHashSet;

const OPERATION: &str = "a linear program for a schedule";

/// How many entries of a row are changed in a step of the budget.
const ENTRIES: usize = 128;

/// How many inequalities enter the tableau together. After a few of them most others hold; with all
/// that are violated at first, Feautrier steps took a hundred times as long.
const BATCH: usize = 8;

/// The largest program, in entries, of which no inequality waits: to solve it again and again costs
/// more than the few rows.
const SMALL_ENTRIES: usize = 1 << 17;

/// The largest tableau, in entries.
const MAX_ENTRIES: usize = 1 << 24;

/// A lexicographic minimization over variables that are not negative.
pub(crate) struct LexicographicProgram {
    /// The number of columns, with the constant.
    width: usize,
    elimination: Elimination,
    /// For each column its column in the tableau, if it is not eliminated.
    places: Vec<Option<usize>>,
    /// The columns in the tableau.
    free: Vec<usize>,
    solver: LexicographicProblem,
    inequalities: Vec<Terms>,
    /// Which inequalities are in the tableau.
    active: Vec<bool>,
    /// The inequalities in the tableau in the order in which they were added.
    entered: Vec<usize>,
    known: FxHashSet<Terms>,
    saved: Vec<Saved>,
}

struct Saved {
    solver: LexicographicSnapshot,
    active: Vec<bool>,
    n_entered: usize,
}

/// A state of a [`LexicographicProgram`] to return to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgramSnapshot(usize);

impl LexicographicProgram {
    /// A program over `[constant | variables]` in `width` columns with some equations.
    ///
    /// # Errors
    /// `Exceeded` if a coefficient gets too large.
    pub(crate) fn new(width: usize, elimination: Elimination) -> Result<Self> {
        let mut places = vec![None; width];
        let free: Vec<usize> = (0..width).filter(|&column| !elimination.defines(column)).collect();
        for (place, &column) in free.iter().enumerate() {
            places[column] = Some(place);
        }
        let solver = LexicographicProblem::new(free.len() - 1);
        let mut program = LexicographicProgram {
            width,
            elimination,
            places,
            free,
            solver,
            inequalities: Vec::new(),
            active: Vec::new(),
            entered: Vec::new(),
            known: FxHashSet::default(),
            saved: Vec::new(),
        };
        for row in program.elimination.others().to_vec() {
            program.add_equality(&row)?;
        }
        let defined = (1..width).filter(|&column| program.elimination.defines(column));
        for variable in defined.collect::<Vec<_>>() {
            program.add_inequality(&Terms::sum(vec![(variable, 1)]))?;
        }
        Ok(program)
    }

    /// Requires `row >= 0`.
    pub(crate) fn add_inequality(&mut self, row: &Terms) -> Result<()> {
        let row = self.elimination.reduce(row)?;
        if row.is_never_negative() || (self.saved.is_empty() && !self.known.insert(row.clone())) {
            return Ok(());
        }
        self.inequalities.push(row);
        self.active.push(false);
        Ok(())
    }

    /// Requires `row = 0`.
    pub(crate) fn add_equality(&mut self, row: &Terms) -> Result<()> {
        let row = self.elimination.reduce(row)?;
        self.solver.add_equality(&self.spread(&row));
        Ok(())
    }

    /// The entries of a row in terms of the variables that are not eliminated.
    ///
    /// # Errors
    /// `Exceeded` if a coefficient gets too large.
    pub(crate) fn reduced(&self, row: &Terms) -> Result<Row> {
        Ok(self.spread(&self.elimination.reduce(row)?))
    }

    /// Rows over the variables that are not eliminated which cannot all be positive or zero, after a search
    /// that found no solution; none if the equations alone exclude solutions.
    ///
    /// Some sum of positive multiples of them is a negative number.
    pub(crate) fn contradiction(&self) -> Option<Vec<Terms>> {
        let found = self.solver.contradiction()?;
        let rows = found.inequalities.iter().map(|&n| self.inequalities[self.entered[n]].clone());
        let variables = found.variables.iter().map(|&place| self.free[place + 1]);
        Some(rows.chain(variables.map(|column| Terms::sum(vec![(column, 1)]))).collect())
    }

    /// The present state, for [`LexicographicProgram::rollback`].
    pub(crate) fn snapshot(&mut self) -> ProgramSnapshot {
        let solver = self.solver.snapshot();
        let (active, n_entered) = (self.active.clone(), self.entered.len());
        self.saved.push(Saved { solver, active, n_entered });
        ProgramSnapshot(self.saved.len() - 1)
    }

    /// Forgets what was added since the snapshot, and the snapshot.
    pub(crate) fn rollback(&mut self, snapshot: ProgramSnapshot) {
        self.saved.truncate(snapshot.0 + 1);
        if let Some(Saved { solver, active, n_entered }) = self.saved.pop() {
            self.solver.rollback(solver);
            self.inequalities.truncate(active.len());
            self.active = active;
            self.entered.truncate(n_entered);
        }
    }

    /// The least rational solution; none if there is no solution.
    ///
    /// # Errors
    /// `Exceeded`.
    pub(crate) fn lexmin_rational(&mut self, budget: &Budget) -> Result<Option<Vec<Rational>>> {
        let Some((one, values)) = self.least(budget)? else { return Ok(None) };
        let rational = |value: Int| Rational::new(value, one.clone());
        Ok(Some(self.completed(&one, values).into_iter().map(rational).collect()))
    }

    /// The least integer solution; none if there is no solution.
    ///
    /// # Errors
    /// `Exceeded`.
    pub(crate) fn lexmin_integer(&mut self, budget: &Budget) -> Result<Option<Vec<Int>>> {
        let Some((one, values)) = self.least(budget)? else { return Ok(None) };
        if one.is_one() {
            return Ok(Some(self.completed(&one, values)));
        }
        // Cuts are looked for with all inequalities: with fewer, what lies between the fractional
        // solution and the integers may be much larger.
        self.enter_all()?;
        let solve = LexicographicProblem::lexmin_integer;
        let Some(free) = self.charged(budget, solve)? else { return Ok(None) };
        let values = self.by_column(free);
        Ok(Some(self.completed(&Int::ONE, values)))
    }

    /// The least rational solution over a common denominator; zero for variables that are eliminated.
    ///
    /// # Errors
    /// `Exceeded`.
    pub(crate) fn least(&mut self, budget: &Budget) -> Result<Option<(Int, Vec<Int>)>> {
        if self.elimination.is_contradictory() {
            return Ok(None);
        }
        if self.inequalities.len() * self.free.len() <= SMALL_ENTRIES {
            self.enter_all()?;
        }
        loop {
            let solve = LexicographicProblem::lexmin_rational;
            let Some(rational) = self.charged(budget, solve)? else { return Ok(None) };
            let denominators = rational.iter().map(|value| &value.denominator);
            let one = denominators.fold(Int::ONE, |all, one| all.lcm(one));
            let scaled = |value: &Rational| &value.numerator * one.div_exact(&value.denominator);
            let values = self.by_column(rational.iter().map(scaled).collect());
            if !self.activate(&one, &values)? {
                return Ok(Some((one, values)));
            }
        }
    }

    /// Moves the inequalities that a point violates most into the tableau; whether there are any.
    fn activate(&mut self, one: &Int, values: &[Int]) -> Result<bool> {
        let point = ScaledPoint::new(one, values);
        let waiting = self.inequalities.iter().zip(&self.active).enumerate();
        let mut violated: Vec<(Int, usize)> = waiting
            .filter(|(_, (_, active))| !**active)
            .filter_map(|(index, (row, _))| Some((point.negative_value(row)?, index)))
            .collect();
        violated.sort_unstable();
        self.enter(violated.iter().take(BATCH).map(|&(_, index)| index))?;
        Ok(!violated.is_empty())
    }

    /// Moves all inequalities into the tableau.
    fn enter_all(&mut self) -> Result<()> {
        let waiting: Vec<usize> =
            (0..self.active.len()).filter(|&index| !self.active[index]).collect();
        self.enter(waiting)
    }

    /// Moves inequalities into the tableau.
    fn enter(&mut self, indices: impl IntoIterator<Item = usize>) -> Result<()> {
        let mut n_active = self.active.iter().filter(|&&active| active).count();
        for index in indices {
            self.active[index] = true;
            self.entered.push(index);
            n_active += 1;
            if n_active * self.free.len() > MAX_ENTRIES {
                return Err(Error::too_large(OPERATION));
            }
            self.solver.add_inequality(&self.spread(&self.inequalities[index]));
        }
        Ok(())
    }

    /// A solution of the tableau, each step of which counts as often as its rows are long.
    fn charged<T>(
        &mut self,
        budget: &Budget,
        solve: impl FnOnce(&mut LexicographicProblem, &Budget) -> Result<T>,
    ) -> Result<T> {
        let factor = (self.free.len() / ENTRIES) as u64;
        let part = budget.part(budget.remaining() / (factor + 1));
        let solution = solve(&mut self.solver, &part);
        budget.charge(&part);
        budget.spend(factor.saturating_mul(part.used()), OPERATION)?;
        solution
    }

    fn spread(&self, row: &Terms) -> Row {
        row.spread(self.free.len(), |column| self.places[column].unwrap_or(0))
    }

    /// Values of the variables in the tableau as values of all, zero for those that are eliminated.
    fn by_column(&self, free: Vec<Int>) -> Vec<Int> {
        let mut values = vec![Int::ZERO; self.width - 1];
        for (&column, value) in self.free[1..].iter().zip(free) {
            values[column - 1] = value;
        }
        values
    }

    /// The values with those of the variables that are eliminated.
    fn completed(&self, one: &Int, mut values: Vec<Int>) -> Vec<Int> {
        let defined = (1..self.width)
            .filter_map(|column| Some((column - 1, self.elimination.value(column, one, &values)?)));
        for (place, value) in defined.collect::<Vec<_>>() {
            values[place] = value;
        }
        values
    }
}

/// A point with its values as machine words where they are small.
struct ScaledPoint<'a> {
    one: &'a Int,
    values: &'a [Int],
    /// The values from the constant on.
    small: Option<Vec<i64>>,
}

impl<'a> ScaledPoint<'a> {
    fn new(one: &'a Int, values: &'a [Int]) -> Self {
        /// A sum of products with coefficients fits a double word.
        const SMALL: i64 = 1 << 40;
        let small = |value: &Int| value.to_i64().filter(|v| v.abs() < SMALL);
        let small = std::iter::once(one).chain(values).map(small).collect();
        ScaledPoint { one, values, small }
    }

    /// The value of a row if it is negative.
    fn negative_value(&self, row: &Terms) -> Option<Int> {
        let Some(small) = &self.small else {
            return Some(row.value(self.one, self.values)).filter(Int::is_negative);
        };
        let product = |(column, entry)| i128::from(entry) * i128::from(small[column]);
        let value: i128 = row.iter().map(product).sum();
        (value < 0).then(|| Int::from(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_testkit::Choices;

    fn random_row(choices: &mut Choices, width: usize) -> Terms {
        let entries = (0..width).map(|column| {
            let entry = if choices.below(2) == 0 { 0 } else { choices.below(9) as i64 - 4 };
            (column, entry)
        });
        Terms::sum(entries.collect())
    }

    /// The answers of a tableau with all rows.
    fn of_tableau(
        width: usize,
        equalities: &[Terms],
        inequalities: &[Terms],
    ) -> (Option<Vec<Rational>>, Option<Vec<Int>>) {
        let mut problem = LexicographicProblem::new(width - 1);
        let dense = |row: &Terms| row.spread(width, |column| column);
        equalities.iter().for_each(|row| problem.add_equality(&dense(row)));
        inequalities.iter().for_each(|row| problem.add_inequality(&dense(row)));
        let budget = Budget::steps(10_000_000);
        (problem.lexmin_rational(&budget).unwrap(), problem.lexmin_integer(&budget).unwrap())
    }

    #[test]
    fn the_least_point_is_that_of_a_tableau_with_all_rows() {
        let mut choices = Choices::from_seed(7);
        let budget = Budget::unlimited();
        let mut n_fractional = 0;
        for _ in 0..1000 {
            let width = 3 + choices.below(5);
            let n_equalities = choices.below(2);
            let equalities: Vec<Terms> =
                (0..n_equalities).map(|_| random_row(&mut choices, width)).collect();
            let n_inequalities = 1 + choices.below(20);
            let mut rows: Vec<Terms> =
                (0..n_inequalities).map(|_| random_row(&mut choices, width)).collect();
            rows.extend((1..width).map(|column| Terms::sum(vec![(0, 9), (column, -1)])));
            let mut elimination = Elimination::default();
            equalities.iter().for_each(|row| elimination.insert(row).unwrap());
            let mut program = LexicographicProgram::new(width, elimination).unwrap();
            rows.iter().for_each(|row| program.add_inequality(row).unwrap());
            let (rational, integer) = of_tableau(width, &equalities, &rows);
            n_fractional += usize::from(rational.iter().flatten().any(|value| !value.is_integer()));
            assert_eq!(program.lexmin_rational(&budget).unwrap(), rational);
            assert_eq!(program.lexmin_integer(&budget).unwrap(), integer);
        }
        assert!(n_fractional > 40, "{n_fractional}");
    }

    #[test]
    fn what_was_added_after_a_snapshot_is_forgotten() {
        let mut choices = Choices::from_seed(8);
        let budget = Budget::unlimited();
        for _ in 0..100 {
            let width = 4;
            let base: Vec<Terms> = (0..4).map(|_| random_row(&mut choices, width)).collect();
            let bounds = (1..width).map(|column| Terms::sum(vec![(0, 6), (column, -1)]));
            let base: Vec<Terms> = base.into_iter().chain(bounds).collect();
            let mut program = LexicographicProgram::new(width, Elimination::default()).unwrap();
            base.iter().for_each(|row| program.add_inequality(row).unwrap());
            for _ in 0..3 {
                let (equality, inequality) =
                    (random_row(&mut choices, width), random_row(&mut choices, width));
                let snapshot = program.snapshot();
                program.add_equality(&equality).unwrap();
                program.add_inequality(&inequality).unwrap();
                let all: Vec<Terms> = base.iter().chain([&inequality]).cloned().collect();
                let expected = of_tableau(width, std::slice::from_ref(&equality), &all).1;
                assert_eq!(program.lexmin_integer(&budget).unwrap(), expected);
                program.rollback(snapshot);
                let expected = of_tableau(width, &[], &base).1;
                assert_eq!(program.lexmin_integer(&budget).unwrap(), expected);
            }
        }
    }
}
