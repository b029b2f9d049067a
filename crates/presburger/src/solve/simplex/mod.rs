//! The exact rational simplex method.
//!
//! A [`Tableau`] decides questions about the rational points of a conjunction of affine
//! constraints: is there one, what is the least value of a form, does a constraint follow from the
//! others. Constraints are added one by one; the tableau is kept feasible all the time (the method
//! of Nelson's thesis, 1981, and of Detlefs, Nelson and Saxe, *Simplify: A Theorem Prover for
//! Program Checking*, J. ACM 52(3), 2005, section 8), so every question starts from a vertex.
//! How it moves from one vertex to the next is in [`pivoting`], what it says about its own constraints in
//! [`own_constraints`].
mod own_constraints;
mod pivoting;

use self::pivoting::{Goal, Step};
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::floor_inequalities;
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::pivot::{HEAD, add_fraction};
use loopwright_exact::{Int, Rational, Row};

/// The rational optimum of an affine form.
///
/// ```
/// # use loopwright_presburger::{Budget, Int, Rational, RationalOptimum, Row, Tableau};
/// let budget = &Budget::unlimited();
/// let mut tableau = Tableau::new(1);
/// tableau.add_inequality(&Row::from_i64s(&[-1, 2]), budget)?;
/// // The least x with 2x >= 1; there is no greatest one.
/// let x = Row::from_i64s(&[0, 1]);
/// let half = Rational::new(Int::from(1), Int::from(2));
/// assert_eq!(tableau.minimum(&x, budget)?, RationalOptimum::At(half));
/// assert_eq!(tableau.maximum(&x, budget)?, RationalOptimum::Unbounded);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RationalOptimum {
    /// There is no rational point.
    Empty,
    /// There are points, and no bound.
    Unbounded,
    /// The optimal value, attained at a rational point.
    At(Rational),
}

/// A constraint that was added to a [`Tableau`].
///
/// ```
/// # use loopwright_presburger::{Budget, Row, Tableau};
/// let budget = &Budget::unlimited();
/// let mut tableau = Tableau::new(1);
/// let first = tableau.add_inequality(&Row::from_i64s(&[-1, 1]), budget)?;
/// let second = tableau.add_inequality(&Row::from_i64s(&[-5, 1]), budget)?;
/// // x >= 1 follows from x >= 5.
/// assert!(tableau.remove_if_implied(first, budget)?);
/// assert!(!tableau.remove_if_implied(second, budget)?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstraintId(usize);

/// A feasible simplex tableau over unrestricted variables.
///
/// ```
/// # use loopwright_presburger::{Budget, Rational, RationalOptimum, Row, Tableau};
/// let budget = &Budget::unlimited();
/// // x >= 0, y >= 0 and x + 2y <= 7: the greatest value of x + y.
/// let mut tableau = Tableau::new(2);
/// for row in [[0, 1, 0], [0, 0, 1], [7, -1, -2]] {
///     tableau.add_inequality(&Row::from_i64s(&row), budget)?;
/// }
/// let greatest = tableau.maximum(&Row::from_i64s(&[0, 1, 1]), budget)?;
/// assert_eq!(greatest, RationalOptimum::At(Rational::from(7)));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Vocabulary
/// * An *unknown* is a variable or the value of an added constraint. Unknowns `0..n_variables` are
///   the variables, the following ones the constraints in the order in which they were added.
/// * Every unknown is in a *row*, in a *column*, or *fixed* at zero (an equality). Each row is an
///   equation that expresses its unknown by the column unknowns:
///   `denominator * unknown = constant + sum of coefficient_j * column unknown_j`.
/// * The *sample* is the point at which all column unknowns are zero; the value of a row unknown
///   there is `constant / denominator`.
/// * An unknown is *restricted* if it may not be negative: those of inequalities are, variables are
///   not. Invariant of a tableau that is not empty: no restricted unknown is negative at the
///   sample.
///
/// # Layout
/// A row has the elements `[denominator | constant | one coefficient per column]`, the denominator
/// is positive; a pivot divides the rows that it changes by their greatest common divisor.
///
/// A *pivot* exchanges the unknowns of a row and a column. An equality is moved into a column,
/// which is then deleted: equalities make the tableau smaller, so add them first.
#[derive(Clone, Debug)]
pub struct Tableau {
    rows: Vec<Row>,
    /// The unknown of each row.
    row_unknowns: Vec<usize>,
    /// The unknown of each column (the first column is element 2 of a row).
    column_unknowns: Vec<usize>,
    unknowns: Vec<Unknown>,
    n_variables: usize,
    empty: bool,
}

#[derive(Clone, Copy, Debug)]
struct Unknown {
    place: Place,
    restricted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Row(usize),
    Column(usize),
    /// Identically zero.
    Fixed,
    /// A constraint that was removed.
    Removed,
}

/// A state of a [`Tableau`] to return to.
///
/// ```
/// # use loopwright_presburger::{Budget, Row, Tableau};
/// let budget = &Budget::unlimited();
/// let mut tableau = Tableau::new(1);
/// let before = tableau.snapshot();
/// tableau.add_equality(&Row::from_i64s(&[1, 0]), budget)?;
/// assert!(tableau.is_empty());
/// tableau.rollback(&before);
/// assert!(!tableau.is_empty());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot(Box<Tableau>);

impl Tableau {
    /// The tableau of `n_variables` unrestricted variables without constraints.
    ///
    /// ```
    /// # use loopwright_presburger::{Rational, Tableau};
    /// let tableau = Tableau::new(2);
    /// assert_eq!(tableau.sample(), Some(vec![Rational::zero(), Rational::zero()]));
    /// ```
    pub fn new(n_variables: usize) -> Self {
        let unknowns = (0..n_variables)
            .map(|i| Unknown { place: Place::Column(i), restricted: false })
            .collect();
        Tableau {
            rows: Vec::new(),
            row_unknowns: Vec::new(),
            column_unknowns: (0..n_variables).collect(),
            unknowns,
            n_variables,
            empty: false,
        }
    }

    /// The tableau of all constraints of a basic relation; its variables are the columns but the
    /// constant. The inequalities that define its floors are added too.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Tableau};
    /// let map = Map::parse("[n] -> { [i] -> [j] : i <= j <= n }")?;
    /// let tableau = Tableau::from_basic_map(&map.basic_maps()[0], &Budget::unlimited())?;
    /// assert_eq!(tableau.n_variables(), 3);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tableau::add_inequality`].
    pub fn from_basic_map(map: &BasicMap, budget: &Budget) -> Result<Self> {
        let mut tableau = Tableau::new(map.n_columns() - 1);
        if map.plain_is_empty() {
            tableau.empty = true;
            return Ok(tableau);
        }
        for row in map.equalities() {
            tableau.add_equality(row, budget)?;
        }
        for row in map.inequalities() {
            tableau.add_inequality(row, budget)?;
        }
        for row in floor_inequalities(&map.inner) {
            tableau.add_inequality(&row, budget)?;
        }
        Ok(tableau)
    }

    /// The number of variables.
    ///
    /// ```
    /// # use loopwright_presburger::Tableau;
    /// assert_eq!(Tableau::new(4).n_variables(), 4);
    /// ```
    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// Whether there is no rational point.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(1);
    /// tableau.add_inequality(&Row::from_i64s(&[-3, 1]), budget)?;
    /// assert!(!tableau.is_empty());
    /// tableau.add_inequality(&Row::from_i64s(&[2, -1]), budget)?;
    /// assert!(tableau.is_empty());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// The present state, for [`Tableau::rollback`]. Costs a copy of the tableau, which is about
    /// one pivot.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(1);
    /// let before = tableau.snapshot();
    /// tableau.add_inequality(&Row::from_i64s(&[-3, 1]), budget)?;
    /// assert!(tableau.implies(&Row::from_i64s(&[-2, 1]), budget)?);
    /// tableau.rollback(&before);
    /// assert!(!tableau.implies(&Row::from_i64s(&[-2, 1]), budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(Box::new(self.clone()))
    }

    /// Returns to an earlier state.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(1);
    /// let before = tableau.snapshot();
    /// for value in [3, 8] {
    ///     tableau.add_equality(&Row::from_i64s(&[-value, 1]), budget)?;
    ///     assert_eq!(tableau.integer_sample(), Some(vec![Int::from(value)]));
    ///     tableau.rollback(&before);
    /// }
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn rollback(&mut self, snapshot: &Snapshot) {
        self.clone_from(&snapshot.0);
    }

    /// Adds `row >= 0` over the columns `[constant | variables]`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Rational, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(2);
    /// // x - y - 1 >= 0
    /// tableau.add_inequality(&Row::from_i64s(&[-1, 1, -1]), budget)?;
    /// let sample = tableau.sample().unwrap();
    /// assert!(&sample[0] - &sample[1] >= Rational::one());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded, as for all operations with a budget; the tableau is then unusable.
    pub fn add_inequality(&mut self, row: &Row, budget: &Budget) -> Result<ConstraintId> {
        let id = self.new_constraint(true);
        if !self.empty {
            self.push_row(row, id.0);
            self.restore(self.rows.len() - 1, budget)?;
        }
        Ok(id)
    }

    /// Adds `row = 0` over the columns `[constant | variables]`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(2);
    /// // x = 2y + 1 and x = 3
    /// tableau.add_equality(&Row::from_i64s(&[-1, 1, -2]), budget)?;
    /// tableau.add_equality(&Row::from_i64s(&[-3, 1, 0]), budget)?;
    /// assert_eq!(tableau.integer_sample(), Some(vec![Int::from(3), Int::from(1)]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tableau::add_inequality`].
    pub fn add_equality(&mut self, row: &Row, budget: &Budget) -> Result<ConstraintId> {
        let id = self.new_constraint(true);
        if self.empty {
            return Ok(id);
        }
        self.push_row(row, id.0);
        let last = self.rows.len() - 1;
        if self.rows[last].sign(1) > 0 {
            // The unknown is the negative form from here on, which is zero all the same.
            let denominator = self.rows[last].get(0);
            self.rows[last].negate();
            self.rows[last].set(0, denominator);
        }
        self.restore(last, budget)?;
        self.fix_at_zero(id.0, budget)?;
        Ok(id)
    }

    /// The values of the variables at the sample, or none if there is no rational point.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let mut tableau = Tableau::new(1);
    /// tableau.add_equality(&Row::from_i64s(&[-1, 2]), &Budget::unlimited())?;
    /// assert_eq!(tableau.sample().unwrap()[0].to_string(), "1/2");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn sample(&self) -> Option<Vec<Rational>> {
        if self.empty {
            return None;
        }
        Some((0..self.n_variables).map(|variable| self.value(variable)).collect())
    }

    /// The sample if all its values are integers.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let mut tableau = Tableau::new(1);
    /// tableau.add_equality(&Row::from_i64s(&[-1, 2]), &Budget::unlimited())?;
    /// assert_eq!(tableau.integer_sample(), None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn integer_sample(&self) -> Option<Vec<Int>> {
        if self.empty {
            return None;
        }
        (0..self.n_variables)
            .map(|variable| match self.unknowns[variable].place {
                Place::Row(i) => {
                    let row = &self.rows[i];
                    let (value, denominator) = (row.get(1), row.get(0));
                    value.is_divisible_by(&denominator).then(|| value.div_exact(&denominator))
                }
                _ => Some(Int::ZERO),
            })
            .collect()
    }

    /// The least value of an affine form over `[constant | variables]`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Rational, RationalOptimum, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(2);
    /// tableau.add_inequality(&Row::from_i64s(&[-1, 2, 0]), budget)?;
    /// tableau.add_inequality(&Row::from_i64s(&[0, -1, 1]), budget)?;
    /// // x >= 1/2 and y >= x: the least value of x + y.
    /// let least = tableau.minimum(&Row::from_i64s(&[0, 1, 1]), budget)?;
    /// assert_eq!(least, RationalOptimum::At(Rational::one()));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tableau::add_inequality`].
    pub fn minimum(&mut self, form: &Row, budget: &Budget) -> Result<RationalOptimum> {
        if self.empty {
            return Ok(RationalOptimum::Empty);
        }
        self.push_objective(form);
        let outcome = self.minimize(self.rows.len() - 1, Goal::Minimum, budget)?;
        let row = self.pop_objective();
        Ok(match outcome {
            Step::Unbounded => RationalOptimum::Unbounded,
            _ => RationalOptimum::At(Rational::new(row.get(1), row.get(0))),
        })
    }

    /// The greatest value of an affine form over `[constant | variables]`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, RationalOptimum, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(1);
    /// tableau.add_inequality(&Row::from_i64s(&[7, -2]), budget)?;
    /// let RationalOptimum::At(value) = tableau.maximum(&Row::from_i64s(&[0, 1]), budget)? else {
    ///     unreachable!("x is at most 7/2")
    /// };
    /// assert_eq!(value.to_string(), "7/2");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tableau::add_inequality`].
    pub fn maximum(&mut self, form: &Row, budget: &Budget) -> Result<RationalOptimum> {
        let mut negated = form.clone();
        negated.negate();
        Ok(match self.minimum(&negated, budget)? {
            RationalOptimum::At(value) => RationalOptimum::At(-value),
            other => other,
        })
    }

    /// Whether `form >= 0` holds at all rational points.
    ///
    /// Stops at the first point that disproves it; the sample often does.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(1);
    /// tableau.add_inequality(&Row::from_i64s(&[-1, 2]), budget)?;
    /// // 2x >= 1 implies x >= 0, but not x >= 1.
    /// assert!(tableau.implies(&Row::from_i64s(&[0, 1]), budget)?);
    /// assert!(!tableau.implies(&Row::from_i64s(&[-1, 1]), budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tableau::add_inequality`].
    pub fn implies(&mut self, form: &Row, budget: &Budget) -> Result<bool> {
        self.never_reaches(form, Goal::BelowZero, budget)
    }

    /// Whether `form > -1` holds at all rational points; then `form >= 0` holds at all integer
    /// points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(1);
    /// tableau.add_inequality(&Row::from_i64s(&[-1, 2]), budget)?;
    /// // 2x >= 1 implies x >= 1 for integers.
    /// assert!(tableau.implies_at_integers(&Row::from_i64s(&[-1, 1]), budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tableau::add_inequality`].
    pub fn implies_at_integers(&mut self, form: &Row, budget: &Budget) -> Result<bool> {
        self.never_reaches(form, Goal::MinusOne, budget)
    }

    fn never_reaches(&mut self, form: &Row, goal: Goal, budget: &Budget) -> Result<bool> {
        if self.empty {
            return Ok(true);
        }
        self.push_objective(form);
        let outcome = self.minimize(self.rows.len() - 1, goal, budget)?;
        self.pop_objective();
        Ok(matches!(outcome, Step::Optimal))
    }

    /// Whether `form = 0` holds at all rational points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(2);
    /// tableau.add_inequality(&Row::from_i64s(&[0, 1, -1]), budget)?;
    /// assert!(!tableau.implies_equality(&Row::from_i64s(&[0, 1, -1]), budget)?);
    /// tableau.add_inequality(&Row::from_i64s(&[0, -1, 1]), budget)?;
    /// assert!(tableau.implies_equality(&Row::from_i64s(&[0, 1, -1]), budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tableau::add_inequality`].
    pub fn implies_equality(&mut self, form: &Row, budget: &Budget) -> Result<bool> {
        let mut negated = form.clone();
        negated.negate();
        Ok(self.implies(form, budget)? && self.implies(&negated, budget)?)
    }

    fn value(&self, unknown: usize) -> Rational {
        match self.unknowns[unknown].place {
            Place::Row(i) => Rational::new(self.rows[i].get(1), self.rows[i].get(0)),
            _ => Rational::zero(),
        }
    }

    fn new_constraint(&mut self, restricted: bool) -> ConstraintId {
        self.unknowns.push(Unknown { place: Place::Removed, restricted });
        ConstraintId(self.unknowns.len() - 1)
    }

    /// Appends the row of a form, expressed by the column unknowns, for an unknown.
    fn push_row(&mut self, form: &Row, unknown: usize) {
        assert_eq!(form.len(), self.n_variables + 1, "one coefficient per variable");
        let mut row = Row::zeros(HEAD + self.column_unknowns.len());
        row.set(0, Int::ONE);
        row.set(1, form.get(0));
        for variable in 0..self.n_variables {
            if form.is_zero_at(variable + 1) {
                continue;
            }
            match self.unknowns[variable].place {
                Place::Column(j) => row.add_at(HEAD + j, &(form.get(variable + 1) * row.get(0))),
                Place::Row(i) => add_fraction(&mut row, &form.get(variable + 1), &self.rows[i]),
                Place::Fixed | Place::Removed => {}
            }
        }
        row.reduce();
        self.unknowns[unknown].place = Place::Row(self.rows.len());
        self.rows.push(row);
        self.row_unknowns.push(unknown);
    }

    fn push_objective(&mut self, form: &Row) {
        let id = self.new_constraint(false);
        self.push_row(form, id.0);
    }

    fn pop_objective(&mut self) -> Row {
        self.unknowns.pop();
        self.row_unknowns.pop();
        self.rows.pop().expect("the objective was pushed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_rows::Generator;

    /// Rational emptiness of `rows >= 0` by Fourier-Motzkin elimination.
    fn is_infeasible(mut rows: Vec<Row>, width: usize) -> bool {
        for column in 1..width {
            let (bounds, mut rest): (Vec<Row>, Vec<Row>) =
                rows.into_iter().partition(|row| !row.is_zero_at(column));
            for low in bounds.iter().filter(|row| row.sign(column) > 0) {
                for high in bounds.iter().filter(|row| row.sign(column) < 0) {
                    let mut row = low.clone();
                    row.eliminate(column, high);
                    rest.push(row);
                }
            }
            rest.sort_by_key(|row| row.iter().collect::<Vec<_>>());
            rest.dedup();
            rows = rest;
        }
        rows.iter().any(|row| row.sign(0) < 0)
    }

    fn random_rows(generator: &mut Generator, width: usize) -> Vec<Row> {
        let n_rows = 1 + generator.below(6);
        (0..n_rows).map(|_| generator.row(width, 3, 5)).collect()
    }

    fn tableau_of(rows: &[Row], width: usize) -> (Tableau, Vec<ConstraintId>) {
        let mut tableau = Tableau::new(width - 1);
        let budget = Budget::unlimited();
        let ids = rows.iter().map(|row| tableau.add_inequality(row, &budget).unwrap()).collect();
        (tableau, ids)
    }

    fn satisfies(row: &Row, point: &[Rational]) -> bool {
        let terms = point.iter().enumerate().map(|(i, x)| &Rational::from(row.get(i + 1)) * x);
        terms.fold(Rational::from(row.get(0)), |sum, term| sum + term).signum() >= 0
    }

    #[test]
    fn feasibility_agrees_with_elimination() {
        let mut generator = Generator::new(11);
        let mut n_empty = 0;
        for _ in 0..500 {
            let width = 2 + generator.below(3) as usize;
            let rows = random_rows(&mut generator, width);
            let (tableau, _) = tableau_of(&rows, width);
            assert_eq!(tableau.is_empty(), is_infeasible(rows.clone(), width), "{rows:?}");
            n_empty += usize::from(tableau.is_empty());
            if let Some(point) = tableau.sample() {
                assert!(rows.iter().all(|row| satisfies(row, &point)), "{rows:?} at {point:?}");
            }
        }
        assert!(n_empty > 50, "only {n_empty} cases are empty");
    }

    #[test]
    fn implication_agrees_with_elimination() {
        let mut generator = Generator::new(12);
        let budget = Budget::unlimited();
        for _ in 0..500 {
            let width = 2 + generator.below(3) as usize;
            let rows = random_rows(&mut generator, width);
            let form = generator.row(width, 3, 8);
            let (mut tableau, _) = tableau_of(&rows, width);
            let implied = tableau.implies(&form, &budget).unwrap();
            match tableau.minimum(&form, &budget).unwrap() {
                RationalOptimum::Empty => assert!(implied),
                RationalOptimum::Unbounded => assert!(!implied),
                RationalOptimum::At(value) => {
                    assert_eq!(implied, value.signum() >= 0);
                    // value <= form everywhere, and form <= value somewhere.
                    let mut above = form.clone();
                    above.scale(&value.denominator);
                    above.add_at(0, &-&value.numerator);
                    let mut all = rows.clone();
                    above.negate();
                    all.push(above.clone());
                    assert!(!is_infeasible(all.clone(), width), "{rows:?} {form} {value}");
                    above.scale(&Int::from(100));
                    above.add_at(0, &Int::MINUS_ONE);
                    all.push(above);
                    assert!(is_infeasible(all, width), "{rows:?} {form} {value}");
                }
            }
        }
    }

    #[test]
    fn redundancy_and_implicit_equalities() {
        let mut generator = Generator::new(13);
        let budget = Budget::unlimited();
        for _ in 0..300 {
            let width = 2 + generator.below(2) as usize;
            let mut rows = random_rows(&mut generator, width);
            rows.extend(random_rows(&mut generator, width));
            let (mut tableau, ids) = tableau_of(&rows, width);
            if tableau.is_empty() {
                continue;
            }
            let mut zeros = tableau.clone();
            for (i, id) in ids.iter().enumerate() {
                let mut all = rows.clone();
                let mut positive = rows[i].clone();
                positive.scale(&Int::from(1000));
                positive.add_at(0, &Int::MINUS_ONE);
                all.push(positive);
                let expected = is_infeasible(all, width);
                assert_eq!(zeros.fix_if_always_zero(*id, &budget).unwrap(), expected, "{rows:?}");
            }
            let mut kept: Vec<Option<Row>> = rows.iter().cloned().map(Some).collect();
            for (i, id) in ids.iter().enumerate() {
                let mut others: Vec<Row> = kept.iter().flatten().cloned().collect();
                let mut negative = rows[i].clone();
                negative.negate();
                negative.add_at(0, &Int::MINUS_ONE);
                let position = kept[..i].iter().flatten().count();
                others[position] = negative;
                let expected = is_infeasible(others, width);
                let redundant = tableau.remove_if_redundant(*id, &budget).unwrap();
                assert_eq!(redundant, expected, "{i} of {rows:?}");
                if redundant {
                    kept[i] = None;
                }
            }
        }
    }

    #[test]
    fn equalities_and_rollback() {
        let budget = Budget::unlimited();
        let mut tableau = Tableau::new(3);
        tableau.add_inequality(&Row::from_i64s(&[0, 1, 0, 0]), &budget).unwrap();
        tableau.add_equality(&Row::from_i64s(&[-10, 1, 2, 0]), &budget).unwrap();
        let snapshot = tableau.snapshot();
        tableau.add_inequality(&Row::from_i64s(&[-6, 0, 1, 0]), &budget).unwrap();
        assert!(tableau.is_empty());
        tableau.rollback(&snapshot);
        let form = Row::from_i64s(&[0, 0, 2, 0]);
        let maximum = tableau.maximum(&form, &budget).unwrap();
        assert_eq!(maximum, RationalOptimum::At(Rational::from(10)));
        assert_eq!(tableau.minimum(&form, &budget).unwrap(), RationalOptimum::Unbounded);
    }
}
