//! Lexicographic minima over non-negative variables.
//!
//! # Method
//! The dual simplex method of Feautrier (*Parametric integer programming*, RAIRO Recherche
//! opérationnelle 22(3), 1988), without parameters. Every unknown (a variable or the value of a
//! constraint) is in a row or in a column; a row expresses its unknown by the column unknowns,
//! which are not negative. The *sample* is the point where these are zero.
//!
//! Invariant: every column, read as the vector of its coefficients in the variables
//! `x_1, .., x_n`, is lexicographically positive. Hence moving away from the sample increases the
//! variables lexicographically, and the sample is a lower bound of the solutions. At first the
//! columns are the variables themselves.
//!
//! As long as a row is negative at the sample, it is pivoted with the column `j` of a positive
//! coefficient `a_j` for which `column_j / a_j` is lexicographically least: the other columns,
//! which become `column_k - (a_k / a_j) column_j`, stay positive then. The sample grows with
//! every step, so no basis comes twice, and the method ends with the minimum or a row without a
//! positive coefficient, which no point satisfies.
//!
//! An equality is pivoted into a column as soon as it is added, and that column is deleted. A
//! constraint without a negative element follows from the signs of the columns, now and in
//! all later tableaus, and is deleted.
//!
//! # Integers
//! If the first fractional variable is `x = (c + sum a_j y_j) / d`, all integer points satisfy
//! `sum (a_j mod d) y_j = -c mod d` modulo `d`, and as the left side is not negative,
//! `sum (a_j mod d) y_j >= (-c mod d)`: Gomory's cut, which the sample violates. The difference is a
//! multiple of `d`, so the slack of the cut divided by `d` is an integer unknown again. Cutting the
//! first fractional variable of a lexicographic minimum terminates (Gomory, *An algorithm for
//! integer solutions to linear programs*, 1963).
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::pivot::{HEAD, add_fraction, delete_element, pivot_rows};
use loopwright_exact::{Int, Rational, Row};

const OPERATION: &str = "lexicographic minimum";

/// What changing an entry of a row takes that does not fit machine words (see [`Budget`]).
const STEPS_PER_BIG_ENTRY: u64 = 4;

/// Minimizes non-negative variables in lexicographic order under linear constraints.
///
/// Constraints are added and forgotten again as on a stack; what was solved before a constraint
/// was added is the start of the next solution.
///
/// ```
/// use loopwright_presburger::{Budget, Int, LexicographicProblem, Row};
/// // 2 x + 3 y >= 7, least x first.
/// let mut problem = LexicographicProblem::new(2);
/// problem.add_inequality(&Row::from_i64s(&[-7, 2, 3]));
/// let budget = Budget::unlimited();
/// let point = problem.lexmin_integer(&budget).unwrap().unwrap();
/// assert_eq!(point, [Int::ZERO, Int::from(3)]);
/// ```
#[derive(Clone, Debug)]
pub struct LexicographicProblem {
    n_variables: usize,
    state: State,
    saved: Vec<State>,
}

/// A state of a [`LexicographicProblem`] to return to.
///
/// ```
/// # use loopwright_presburger::{Budget, Int, LexicographicProblem, LexicographicSnapshot, Row};
/// let budget = &Budget::unlimited();
/// let mut problem = LexicographicProblem::new(1);
/// let before: LexicographicSnapshot = problem.snapshot();
/// problem.add_inequality(&Row::from_i64s(&[-3, 1]));
/// assert_eq!(problem.lexmin_integer(budget)?, Some(vec![Int::from(3)]));
/// problem.rollback(before);
/// assert_eq!(problem.lexmin_integer(budget)?, Some(vec![Int::ZERO]));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LexicographicSnapshot(usize);

/// The place of a variable in the tableau.
#[derive(Clone, Copy, Debug)]
enum Place {
    Row(usize),
    Column(usize),
    /// Equal to zero by an equality.
    Zero,
}

/// What a row or a column stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unknown {
    Variable(usize),
    /// The value of an inequality, by the number of inequalities that were added before it.
    Inequality(usize),
    /// The value of a cut, or of an equation before its column is deleted.
    Cut,
}

#[derive(Clone, Debug)]
struct State {
    rows: Vec<Row>,
    row_unknowns: Vec<Unknown>,
    column_unknowns: Vec<Unknown>,
    variables: Vec<Place>,
    n_inequalities: usize,
    infeasible: bool,
    /// What contradicts each other, if it was found while solving.
    contradiction: Vec<Unknown>,
}

/// Inequalities, and variables that are not negative, that no point satisfies together.
///
/// See [`LexicographicProblem::contradiction`].
///
/// ```
/// use loopwright_presburger::{Budget, LexicographicProblem, Row};
/// let mut problem = LexicographicProblem::new(1);
/// // -1 - x >= 0 contradicts x >= 0, the sign of the variable.
/// problem.add_inequality(&Row::from_i64s(&[-1, -1]));
/// problem.lexmin_rational(&Budget::unlimited())?;
/// let contradiction = problem.contradiction().unwrap();
/// assert_eq!((contradiction.inequalities, contradiction.variables), (vec![0], vec![0]));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The inequalities, by the number of those that were added before.
    pub inequalities: Vec<usize>,
    /// The variables, from 0 on.
    pub variables: Vec<usize>,
}

impl LexicographicProblem {
    /// A problem of `n_variables` non-negative variables without constraints.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, LexicographicProblem};
    /// let mut problem = LexicographicProblem::new(2);
    /// let least = problem.lexmin_integer(&Budget::unlimited())?;
    /// assert_eq!(least, Some(vec![Int::ZERO, Int::ZERO]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn new(n_variables: usize) -> Self {
        let state = State {
            rows: Vec::new(),
            row_unknowns: Vec::new(),
            column_unknowns: (0..n_variables).map(Unknown::Variable).collect(),
            variables: (0..n_variables).map(Place::Column).collect(),
            n_inequalities: 0,
            infeasible: false,
            contradiction: Vec::new(),
        };
        LexicographicProblem { n_variables, state, saved: Vec::new() }
    }

    /// The number of variables.
    ///
    /// ```
    /// # use loopwright_presburger::LexicographicProblem;
    /// assert_eq!(LexicographicProblem::new(2).n_variables(), 2);
    /// ```
    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// Requires `row = 0` over the columns `[constant | variables]`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, LexicographicProblem, Row};
    /// let mut problem = LexicographicProblem::new(2);
    /// // 3x + 5y = 14
    /// problem.add_equality(&Row::from_i64s(&[-14, 3, 5]));
    /// let least = problem.lexmin_integer(&Budget::unlimited())?;
    /// assert_eq!(least, Some(vec![Int::from(3), Int::from(1)]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the length of the row is not one more than the number of variables.
    pub fn add_equality(&mut self, row: &Row) {
        self.state.add_equality(row);
    }

    /// Requires `row >= 0` over the columns `[constant | variables]`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, LexicographicProblem, Row};
    /// let mut problem = LexicographicProblem::new(2);
    /// // x + y >= 4 and y <= 1
    /// problem.add_inequality(&Row::from_i64s(&[-4, 1, 1]));
    /// problem.add_inequality(&Row::from_i64s(&[1, 0, -1]));
    /// let least = problem.lexmin_integer(&Budget::unlimited())?;
    /// assert_eq!(least, Some(vec![Int::from(3), Int::from(1)]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the length of the row is not one more than the number of variables.
    pub fn add_inequality(&mut self, row: &Row) {
        self.state.add_inequality(row);
    }

    /// Why there is no solution, after a search that found none.
    ///
    /// On the points that satisfy the equations, some sum of positive multiples of these inequalities and
    /// variables is a negative number. None if there are solutions, or if the equations alone exclude
    /// them, or cuts.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, LexicographicProblem, Row};
    /// let mut problem = LexicographicProblem::new(2);
    /// // x <= 1, y <= 5, x + y >= 7: the sum of the three says 0 >= 1.
    /// for row in [[1, -1, 0], [5, 0, -1], [-7, 1, 1]] {
    ///     problem.add_inequality(&Row::from_i64s(&row));
    /// }
    /// assert_eq!(problem.lexmin_rational(&Budget::unlimited())?, None);
    /// let contradiction = problem.contradiction().unwrap();
    /// assert_eq!(contradiction.inequalities, [0, 1, 2]);
    /// assert_eq!(contradiction.variables, []);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn contradiction(&self) -> Option<Contradiction> {
        let unknowns = &self.state.contradiction;
        if unknowns.is_empty() || unknowns.contains(&Unknown::Cut) {
            return None;
        }
        let mut found = Contradiction { inequalities: Vec::new(), variables: Vec::new() };
        for unknown in unknowns {
            match unknown {
                Unknown::Inequality(number) => found.inequalities.push(*number),
                Unknown::Variable(variable) => found.variables.push(*variable),
                Unknown::Cut => {}
            }
        }
        found.inequalities.sort_unstable();
        found.variables.sort_unstable();
        Some(found)
    }

    /// The present state, for [`LexicographicProblem::rollback`]. Costs a copy of the tableau;
    /// solve first if several continuations start from here.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, LexicographicProblem, Row};
    /// let mut problem = LexicographicProblem::new(1);
    /// let before = problem.snapshot();
    /// problem.add_inequality(&Row::from_i64s(&[-3, 1]));
    /// problem.rollback(before);
    /// assert_eq!(problem.lexmin_integer(&Budget::unlimited())?, Some(vec![Int::ZERO]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn snapshot(&mut self) -> LexicographicSnapshot {
        self.saved.push(self.state.clone());
        LexicographicSnapshot(self.saved.len() - 1)
    }

    /// Forgets every constraint added since the snapshot, and all later snapshots. The snapshot
    /// itself remains valid.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, LexicographicProblem, Row};
    /// let budget = &Budget::unlimited();
    /// let mut problem = LexicographicProblem::new(1);
    /// for bound in [5, 2] {
    ///     let before = problem.snapshot();
    ///     problem.add_inequality(&Row::from_i64s(&[-bound, 1]));
    ///     assert_eq!(problem.lexmin_integer(budget)?, Some(vec![Int::from(bound)]));
    ///     problem.rollback(before);
    /// }
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the snapshot has been forgotten by a rollback to an earlier one.
    pub fn rollback(&mut self, snapshot: LexicographicSnapshot) {
        self.saved.truncate(snapshot.0 + 1);
        self.state.clone_from(&self.saved[snapshot.0]);
    }

    /// The lexicographically least integer solution, or none if there is no integer solution.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, LexicographicProblem, Row};
    /// let budget = &Budget::unlimited();
    /// let mut problem = LexicographicProblem::new(2);
    /// problem.add_inequality(&Row::from_i64s(&[-7, 2, 3]));
    /// problem.add_inequality(&Row::from_i64s(&[1, 0, -1]));
    /// // 2x + 3y >= 7 and y <= 1
    /// assert_eq!(problem.lexmin_integer(budget)?, Some(vec![Int::from(2), Int::from(1)]));
    /// problem.add_equality(&Row::from_i64s(&[-1, 2, 4]));
    /// assert_eq!(problem.lexmin_integer(budget)?, None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded (cuts may go on for long on problems without integer solutions).
    pub fn lexmin_integer(&mut self, budget: &Budget) -> Result<Option<Vec<Int>>> {
        if !self.state.solve(budget)? {
            return Ok(None);
        }
        let Some(fractional) = self.state.first_fractional() else {
            return Ok(Some(self.state.integers()));
        };
        // Cuts hold for integer points only: they stay in a copy.
        let mut state = self.state.clone();
        let mut next = Some(fractional);
        while let Some(row) = next {
            state.cut(row);
            if !state.solve(budget)? {
                return Ok(None);
            }
            next = state.first_fractional();
        }
        Ok(Some(state.integers()))
    }

    /// The lexicographically least rational solution, or none if there is no solution.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, LexicographicProblem, Row};
    /// let mut problem = LexicographicProblem::new(1);
    /// problem.add_inequality(&Row::from_i64s(&[-7, 2]));
    /// let least = problem.lexmin_rational(&Budget::unlimited())?.unwrap();
    /// assert_eq!(least[0].to_string(), "7/2");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn lexmin_rational(&mut self, budget: &Budget) -> Result<Option<Vec<Rational>>> {
        if !self.state.solve(budget)? {
            return Ok(None);
        }
        let value = |place: &Place| match place {
            Place::Row(i) => Rational::new(self.state.rows[*i].get(1), self.state.rows[*i].get(0)),
            _ => Rational::zero(),
        };
        Ok(Some(self.state.variables.iter().map(value).collect()))
    }
}

impl State {
    /// A form over `[constant | variables]` in terms of the columns.
    fn express(&self, form: &Row) -> Row {
        assert_eq!(form.len(), self.variables.len() + 1, "one coefficient per variable");
        let mut row = Row::zeros(HEAD + self.column_unknowns.len());
        row.set(0, Int::ONE);
        row.set(1, form.get(0));
        let mut next = form.first_nonzero(1..form.len());
        while let Some(element) = next {
            let coefficient = form.get(element);
            match self.variables[element - 1] {
                Place::Column(j) => row.add_at(HEAD + j, &(coefficient * row.get(0))),
                Place::Row(i) => add_fraction(&mut row, &coefficient, &self.rows[i]),
                Place::Zero => {}
            }
            next = form.first_nonzero(element + 1..form.len());
        }
        row.reduce();
        row
    }

    fn add_inequality(&mut self, form: &Row) {
        let number = self.n_inequalities;
        self.n_inequalities += 1;
        if self.infeasible {
            return;
        }
        let row = self.express(form);
        if !is_implied(&row) {
            self.rows.push(row);
            self.row_unknowns.push(Unknown::Inequality(number));
        }
    }

    /// Pivots an equality into a column and deletes that.
    fn add_equality(&mut self, form: &Row) {
        if self.infeasible {
            return;
        }
        let mut row = self.express(form);
        let end = row.len();
        if row.first_nonzero(HEAD..end).is_none() {
            self.infeasible = !row.is_zero_at(1);
            return;
        }
        // The value must grow from a negative constant, or stay at zero: then either sign will do.
        let flip = match row.sign(1) {
            0 => !(HEAD..end).any(|element| row.sign(element) > 0),
            sign => sign > 0,
        };
        if flip {
            let denominator = row.get(0);
            row.negate();
            row.set(0, denominator);
        }
        let position = self.rows.len();
        self.rows.push(row);
        self.row_unknowns.push(Unknown::Cut);
        match self.least_column(position) {
            Some(column) => {
                self.pivot(position, column);
                self.delete_column(column);
            }
            None => self.infeasible = true,
        }
    }

    /// Pivots until no row is negative. Whether there is a rational solution.
    fn solve(&mut self, budget: &Budget) -> Result<bool> {
        while !self.infeasible {
            let Some(row) = self.most_constrained_row() else { return Ok(true) };
            budget.spend(self.rows.len() as u64, OPERATION)?;
            match self.least_column(row) {
                Some(column) => {
                    let n_big = self.pivot(row, column);
                    let entries = n_big * (HEAD + self.column_unknowns.len());
                    budget.spend(STEPS_PER_BIG_ENTRY * entries as u64, OPERATION)?;
                }
                None => self.contradict(row),
            }
        }
        Ok(false)
    }

    /// Notes that a row is negative wherever its columns are not.
    fn contradict(&mut self, row: usize) {
        self.infeasible = true;
        let row_unknown = self.row_unknowns[row];
        let row = &self.rows[row];
        let columns = self.column_unknowns.iter().enumerate();
        let involved = columns.filter(|(j, _)| !row.is_zero_at(HEAD + j));
        self.contradiction = involved.map(|(_, unknown)| *unknown).chain([row_unknown]).collect();
    }

    /// The negative row with the fewest positive coefficients.
    ///
    /// Any negative row will do. This choice is the one that leaves the least freedom, and it
    /// finds a contradiction at once; it took a quarter of the pivots that the most negative row
    /// took on random problems of the size of scheduling problems, and kept the coefficients shorter.
    fn most_constrained_row(&self) -> Option<usize> {
        let negative = self.rows.iter().enumerate().filter(|(_, row)| row.sign(1) < 0);
        negative.min_by_key(|(_, row)| n_positive(row)).map(|(i, _)| i)
    }

    /// The column `j` with a positive coefficient `a_j` in the row for which `column_j / a_j` is
    /// lexicographically least.
    fn least_column(&self, row: usize) -> Option<usize> {
        let row = &self.rows[row];
        let mut candidates: Vec<(usize, Int)> = (0..self.column_unknowns.len())
            .filter(|j| row.sign(HEAD + j) > 0)
            .map(|j| (j, row.get(HEAD + j)))
            .collect();
        let mut best = Vec::with_capacity(candidates.len());
        for place in &self.variables {
            if candidates.len() <= 1 {
                break;
            }
            match place {
                Place::Zero => {}
                // This column alone is positive in the variable: it is not the least.
                Place::Column(column) => candidates.retain(|(j, _)| j != column),
                Place::Row(i) => {
                    let coefficients = &self.rows[*i];
                    if candidates.iter().all(|(j, _)| coefficients.is_zero_at(HEAD + j)) {
                        continue;
                    }
                    best.clear();
                    keep_least(coefficients, &mut candidates, &mut best);
                }
            }
        }
        candidates.first().map(|(j, _)| *j)
    }

    /// Exchanges the unknowns of a row and a column, and deletes constraints that are implied now. The
    /// number of rows with big integers that changed.
    fn pivot(&mut self, row: usize, column: usize) -> usize {
        let mut implied: Vec<usize> = Vec::new();
        let mut n_big = 0;
        let unknowns = &self.row_unknowns;
        pivot_rows(&mut self.rows, row, HEAD + column, |i, row| {
            n_big += usize::from(row.as_i64s().is_none());
            if !matches!(unknowns[i], Unknown::Variable(_)) && is_implied(row) {
                implied.push(i);
            }
        });
        let entering = std::mem::replace(&mut self.column_unknowns[column], self.row_unknowns[row]);
        self.row_unknowns[row] = entering;
        if let Unknown::Variable(variable) = self.column_unknowns[column] {
            self.variables[variable] = Place::Column(column);
        }
        if let Unknown::Variable(variable) = entering {
            self.variables[variable] = Place::Row(row);
        } else if is_implied(&self.rows[row]) {
            implied.push(row);
            implied.sort_unstable();
        }
        // From the end on, so that the rows that move are not among those still to delete.
        implied.into_iter().rev().for_each(|i| self.delete_row(i));
        n_big
    }

    /// Deletes the row of a constraint; the last one takes its place.
    fn delete_row(&mut self, row: usize) {
        self.rows.swap_remove(row);
        self.row_unknowns.swap_remove(row);
        if let Some(Unknown::Variable(variable)) = self.row_unknowns.get(row) {
            self.variables[*variable] = Place::Row(row);
        }
    }

    /// Deletes a column whose unknown is zero; the last one takes its place.
    fn delete_column(&mut self, column: usize) {
        delete_element(&mut self.rows, HEAD + column);
        if let Unknown::Variable(variable) = self.column_unknowns.swap_remove(column) {
            self.variables[variable] = Place::Zero;
        }
        if let Some(Unknown::Variable(variable)) = self.column_unknowns.get(column) {
            self.variables[*variable] = Place::Column(column);
        }
        // Without the elements of the column, rows may have a common divisor; it does no harm.
    }

    /// The row of the first variable whose value at the sample is not an integer.
    fn first_fractional(&self) -> Option<usize> {
        self.variables.iter().find_map(|place| match place {
            Place::Row(i) => {
                let row = &self.rows[*i];
                (!row.get(1).is_divisible_by(&row.get(0))).then_some(*i)
            }
            _ => None,
        })
    }

    /// The values of the variables at a sample that is known to be integral.
    fn integers(&self) -> Vec<Int> {
        let value = |place: &Place| match place {
            Place::Row(i) => self.rows[*i].get(1).div_exact(&self.rows[*i].get(0)),
            _ => Int::ZERO,
        };
        self.variables.iter().map(value).collect()
    }

    /// Adds the cut of a row with a fractional value.
    fn cut(&mut self, row: usize) {
        let source = &self.rows[row];
        let denominator = source.get(0);
        let mut cut: Row = source.iter().map(|value| value.rem_euclid(&denominator)).collect();
        cut.set(1, -(-source.get(1)).rem_euclid(&denominator));
        cut.set(0, denominator);
        cut.reduce();
        self.rows.push(cut);
        self.row_unknowns.push(Unknown::Cut);
    }
}

/// Whether a row cannot be negative as long as the columns are not.
fn is_implied(row: &Row) -> bool {
    match row.as_i64s() {
        Some(values) => values.iter().all(|value| *value >= 0),
        None => row.iter().all(|value| !value.is_negative()),
    }
}

/// The number of positive coefficients.
fn n_positive(row: &Row) -> usize {
    match row.as_i64s() {
        Some(values) => values[HEAD..].iter().filter(|value| **value > 0).count(),
        None => (HEAD..row.len()).filter(|&element| row.sign(element) > 0).count(),
    }
}

/// Keeps the candidates `(j, a_j)` for which `coefficient_j / a_j` is least; `best` is scratch.
fn keep_least(row: &Row, candidates: &mut Vec<(usize, Int)>, best: &mut Vec<(usize, Int)>) {
    let mut least = Int::ZERO;
    for (j, a) in candidates.drain(..) {
        let coefficient = row.get(HEAD + j);
        let order = match best.first() {
            None => std::cmp::Ordering::Less,
            Some((_, b)) => (&coefficient * b).cmp(&(&least * &a)),
        };
        if order.is_lt() {
            best.clear();
            least = coefficient;
        }
        if order.is_le() {
            best.push((j, a));
        }
    }
    std::mem::swap(candidates, best);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_rows::Generator;

    /// The least point of the box `0..=bound` that satisfies the rows.
    fn enumerate(
        n: usize,
        bound: i64,
        equalities: &[Row],
        inequalities: &[Row],
    ) -> Option<Vec<Int>> {
        let side = bound + 1;
        (0..side.pow(n as u32)).find_map(|index| {
            let mut values = vec![1];
            values.extend((0..n).rev().map(|i| index / side.pow(i as u32) % side));
            let point = Row::from_i64s(&values);
            let inside = equalities.iter().all(|row| row.dot(&point).is_zero())
                && inequalities.iter().all(|row| !row.dot(&point).is_negative());
            inside.then(|| point.iter().skip(1).collect())
        })
    }

    fn random_inequalities(generator: &mut Generator, n: usize, bound: i64) -> Vec<Row> {
        let n_rows = 1 + generator.below(4);
        let mut rows: Vec<Row> = (0..n_rows).map(|_| generator.row(n + 1, 4, 9)).collect();
        for variable in 0..n {
            let mut row = vec![0; n + 1];
            (row[0], row[variable + 1]) = (bound, -1);
            rows.push(Row::from_i64s(&row));
        }
        rows
    }

    #[test]
    fn integer_minimum_agrees_with_enumeration() {
        let mut generator = Generator::new(21);
        let budget = Budget::steps(50_000_000);
        let (mut n_empty, mut n_cut) = (0, 0);
        for _ in 0..600 {
            let n = 1 + generator.below(4) as usize;
            let inequalities = random_inequalities(&mut generator, n, 5);
            let n_equalities = generator.below(3) / 2;
            let equalities: Vec<Row> =
                (0..n_equalities).map(|_| generator.row(n + 1, 3, 6)).collect();
            let mut problem = LexicographicProblem::new(n);
            equalities.iter().for_each(|row| problem.add_equality(row));
            inequalities.iter().for_each(|row| problem.add_inequality(row));
            let expected = enumerate(n, 5, &equalities, &inequalities);
            let rational = problem.lexmin_rational(&budget).unwrap();
            let found = problem.lexmin_integer(&budget).unwrap();
            assert_eq!(found, expected, "{equalities:?} {inequalities:?}");
            n_empty += usize::from(found.is_none());
            if let (Some(rational), Some(point)) = (rational, found) {
                let point: Vec<Rational> = point.into_iter().map(Rational::from).collect();
                assert!(rational <= point);
                n_cut += usize::from(rational != point);
            }
        }
        assert!(n_empty > 50 && n_cut > 50, "{n_empty} empty, {n_cut} with cuts");
    }

    /// The named inequalities and signs exclude solutions alone, and without their constants all of them
    /// are zero wherever none is negative.
    #[test]
    fn contradictions_are_sums_that_vanish() {
        let mut generator = Generator::new(23);
        let budget = Budget::steps(50_000_000);
        let (mut n_with_signs, mut n_several) = (0, 0);
        for _ in 0..600 {
            let n = 2 + generator.below(3) as usize;
            let equality = (generator.below(3) == 0).then(|| generator.row(n + 1, 3, 6));
            let rows: Vec<Row> = (0..6).map(|_| generator.row(n + 1, 4, 9)).collect();
            let mut problem = LexicographicProblem::new(n);
            equality.iter().for_each(|row| problem.add_equality(row));
            rows.iter().for_each(|row| problem.add_inequality(row));
            let solution = problem.lexmin_rational(&budget).unwrap();
            let Some(found) = problem.contradiction() else {
                assert!(solution.is_some() || equality.is_some());
                continue;
            };
            assert_eq!(solution, None);
            let signs = found.variables.iter().map(|&variable| Row::unit(n + 1, variable + 1));
            let named = found.inequalities.iter().map(|&number| rows[number].clone());
            let named: Vec<Row> = named.chain(signs).collect();
            n_with_signs += usize::from(!found.variables.is_empty());
            n_several += usize::from(found.inequalities.len() > 1);
            assert!(vanish_together(&named, equality.as_ref(), &budget), "{rows:?} {found:?}");
        }
        assert!(n_with_signs > 50 && n_several > 20, "{n_with_signs} {n_several}");
    }

    /// Whether no row without its constant can be positive where none of them is negative, for variables of
    /// any sign, and the rows have no common solution.
    fn vanish_together(rows: &[Row], equality: Option<&Row>, budget: &Budget) -> bool {
        let width = rows[0].len();
        // Every variable is the difference of two.
        let split = |row: &Row, constant: Int| -> Row {
            let parts = (1..width).flat_map(|column| [row.get(column), -row.get(column)]);
            std::iter::once(constant).chain(parts).collect()
        };
        let is_feasible = |constants: &dyn Fn(usize) -> Int, homogeneous: bool| {
            let mut problem = LexicographicProblem::new(2 * (width - 1));
            if let Some(row) = equality {
                let constant = if homogeneous { Int::ZERO } else { row.get(0) };
                problem.add_equality(&split(row, constant));
            }
            for (number, row) in rows.iter().enumerate() {
                problem.add_inequality(&split(row, constants(number)));
            }
            problem.lexmin_rational(budget).unwrap().is_some()
        };
        let positive = |positive: usize| {
            is_feasible(&|number| if number == positive { -Int::ONE } else { Int::ZERO }, true)
        };
        !is_feasible(&|number| rows[number].get(0), false) && !(0..rows.len()).any(positive)
    }

    #[test]
    fn stack_of_constraints() {
        let mut generator = Generator::new(22);
        let budget = Budget::steps(50_000_000);
        for _ in 0..100 {
            let n = 2 + generator.below(2) as usize;
            let base = random_inequalities(&mut generator, n, 4);
            let mut problem = LexicographicProblem::new(n);
            base.iter().for_each(|row| problem.add_inequality(row));
            let first = problem.lexmin_integer(&budget).unwrap();
            let snapshot = problem.snapshot();
            for _ in 0..3 {
                let row = generator.row(n + 1, 3, 4);
                let mut all = base.clone();
                all.push(row.clone());
                problem.add_inequality(&row);
                let expected = enumerate(n, 4, &[], &all);
                assert_eq!(problem.lexmin_integer(&budget).unwrap(), expected);
                problem.add_equality(&row);
                let expected = enumerate(n, 4, std::slice::from_ref(&row), &base);
                assert_eq!(problem.lexmin_integer(&budget).unwrap(), expected);
                problem.rollback(snapshot);
                assert_eq!(problem.lexmin_integer(&budget).unwrap(), first);
            }
        }
    }
}
