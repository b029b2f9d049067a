//! The dual simplex tableau of parametric integer programming.
//!
//! # Method
//! The tableau of Feautrier ("Parametric integer programming", RAIRO 22(3), 1988). Every unknown
//! quantity (variable, slack of a constraint, cut) is a row
//!
//! ```text
//! quantity = (m M + c + s . symbols + a . y) / d
//! ```
//!
//! over the non-basic quantities `y >= 0`, whose current value is zero. `M` is an integer greater
//! than every expression in the symbols and divisible by every `d` that appears: a variable `x`
//! that may be negative is represented as `x' - M` with `x' >= 0`, which holds for every bounded
//! `x`. Where a lexicographically smallest value need not exist (existentials), the variables are
//! represented as `e' - t` with one shared `t >= 0`, for which a smallest value always exists.
//!
//! The rows of the variables come first, in the order of the objective. All columns, read along
//! these rows, are lexicographically positive, first trivially (a unit matrix) and then by the
//! choice of the pivot column, so that the current value is always a lower bound of the
//! lexicographic minimum; as soon as no row is negative it is the (rational) minimum itself.
//!
//! A quantity that enters the basis keeps its row (it becomes a unit row), so a pivot treats all
//! rows alike and there is no index bookkeeping.
use crate::core::budget::Budget;
use crate::core::error::Result;
use loopwright_exact::{Int, Row};

const DENOMINATOR: usize = 0;
const BIG: usize = 1;
/// The first column of the part `[constant | symbols]`.
const CONSTANT: usize = 2;

/// How a variable is represented by a non-negative one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shift {
    /// `x = x' - M`: bounded from below wherever there is a solution.
    Big,
    /// `x = x' - t` with a `t` shared by all such variables, which is minimized before them.
    Shared,
}

/// What is known of the sign of a row's current value without looking at the symbols' context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowSign {
    /// Negative for all values of the symbols.
    Negative,
    /// Not negative for all values of the symbols, or known not to be negative in the context.
    NonNegative,
    /// To be decided in the context.
    Unknown,
}

/// See the module documentation.
#[derive(Clone, Debug)]
pub(crate) struct ParametricTableau {
    rows: Vec<Row>,
    /// Rows that were found not to be negative in the current context and have not changed since.
    settled: Vec<bool>,
    shifts: Vec<Shift>,
    /// Row and column of the shared shift, if any variable uses it.
    shared: Option<usize>,
    n_symbols: usize,
    n_columns: usize,
}

impl ParametricTableau {
    /// The tableau without constraints of variables that are minimized in the given order.
    ///
    /// Variables with a [`Shift::Shared`] have to come last.
    pub(crate) fn new(n_symbols: usize, shifts: &[Shift]) -> Self {
        let shared = shifts.iter().position(|s| *s == Shift::Shared);
        let n_columns = shifts.len() + usize::from(shared.is_some());
        let mut tableau = ParametricTableau {
            rows: Vec::with_capacity(n_columns + 16),
            settled: vec![true; n_columns],
            shifts: shifts.to_vec(),
            shared,
            n_symbols,
            n_columns,
        };
        for column in 0..n_columns {
            let mut row = Row::zeros(tableau.width());
            row.set(DENOMINATOR, Int::ONE);
            row.set(tableau.first_column() + column, Int::ONE);
            tableau.rows.push(row);
        }
        tableau
    }

    fn first_column(&self) -> usize {
        CONSTANT + 1 + self.n_symbols
    }

    fn width(&self) -> usize {
        self.first_column() + self.n_columns
    }

    /// The row that represents variable `index` before its shift.
    fn variable_row(&self, index: usize) -> usize {
        index + usize::from(self.shared.is_some_and(|shared| index >= shared))
    }

    /// Adds `constraint >= 0` over `[constant | symbols | variables]`.
    pub(crate) fn add_constraint(&mut self, constraint: &Row) {
        let mut row = Row::zeros(self.width());
        row.set(DENOMINATOR, Int::ONE);
        for column in 0..=self.n_symbols {
            row.set(CONSTANT + column, constraint.get(column));
        }
        for index in 0..self.shifts.len() {
            let coefficient = constraint.get(1 + self.n_symbols + index);
            if coefficient.is_zero() {
                continue;
            }
            self.add_quantity(&mut row, &coefficient, self.variable_row(index));
            match self.shifts[index] {
                Shift::Big => row.set(BIG, &row.get(BIG) - &(&coefficient * &row.get(DENOMINATOR))),
                Shift::Shared => {
                    let shared = self.shared.expect("a variable is shifted by the shared variable");
                    self.add_quantity(&mut row, &-&coefficient, shared);
                }
            }
        }
        self.push(row);
    }

    /// Adds a multiple of the quantity of a row to a row under construction.
    fn add_quantity(&self, row: &mut Row, factor: &Int, quantity: usize) {
        let source = &self.rows[quantity];
        let (own, other) = (row.get(DENOMINATOR), source.get(DENOMINATOR));
        row.combine(&other, &(factor * &own), source);
        row.set(DENOMINATOR, &own * &other);
        normalize(row);
    }

    fn push(&mut self, mut row: Row) {
        normalize(&mut row);
        self.rows.push(row);
        self.settled.push(false);
    }

    /// About how many machine words it takes.
    pub(crate) fn words(&self) -> usize {
        self.rows.len() * (18 + self.n_symbols + self.n_columns)
    }

    /// The number of rows.
    pub(crate) fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// What is known of the sign of a row.
    pub(crate) fn sign(&self, index: usize) -> RowSign {
        if self.settled[index] {
            return RowSign::NonNegative;
        }
        let row = &self.rows[index];
        match row.sign(BIG) {
            1 => return RowSign::NonNegative,
            -1 => return RowSign::Negative,
            _ => {}
        }
        let symbols = CONSTANT + 1..self.first_column();
        if row.first_nonzero(symbols).is_some() {
            RowSign::Unknown
        } else if row.sign(CONSTANT) < 0 {
            RowSign::Negative
        } else {
            RowSign::NonNegative
        }
    }

    /// Notes that a row is not negative in the context (until it changes).
    pub(crate) fn settle(&mut self, index: usize) {
        self.settled[index] = true;
    }

    /// The numerator of a row's value over `[constant | symbols]` (where `M` does not appear).
    pub(crate) fn symbolic_value(&self, index: usize) -> Row {
        let mut row = self.rows[index].clone();
        row.remove(self.first_column()..self.width());
        row.remove(0..CONSTANT);
        row
    }

    /// The denominator of a row.
    pub(crate) fn denominator(&self, index: usize) -> Int {
        self.rows[index].get(DENOMINATOR)
    }

    /// Makes the quantity of a negative row zero; false if that is impossible, since no non-basic
    /// quantity increases it.
    pub(crate) fn pivot(&mut self, index: usize, budget: &Budget) -> Result<bool> {
        let Some(column) = self.pivot_column(index) else { return Ok(false) };
        budget.spend(self.rows.len() as u64, "parametric integer programming")?;
        let coefficient = self.rows[index].get(column);
        let mut pivot = self.rows[index].clone();
        pivot.negate();
        pivot.set(column, self.rows[index].get(DENOMINATOR));
        pivot.set(DENOMINATOR, Int::ZERO);
        for (row, settled) in self.rows.iter_mut().zip(&mut self.settled) {
            if row.is_zero_at(column) {
                continue;
            }
            let factor = row.get(column);
            row.set(column, Int::ZERO);
            row.combine(&coefficient, &factor, &pivot);
            normalize(row);
            *settled = false;
        }
        Ok(true)
    }

    /// Whether some non-basic quantity increases the quantity of a row.
    pub(crate) fn can_increase(&self, index: usize) -> bool {
        (self.first_column()..self.width()).any(|column| self.rows[index].sign(column) > 0)
    }

    /// The column whose entering the basis increases the objective lexicographically the least.
    fn pivot_column(&self, index: usize) -> Option<usize> {
        let row = &self.rows[index];
        let mut best: Option<usize> = None;
        for column in self.first_column()..self.width() {
            if row.sign(column) <= 0 {
                continue;
            }
            best = match best {
                Some(other) if !self.is_cheaper(row, column, other) => Some(other),
                _ => Some(column),
            };
        }
        best
    }

    fn is_cheaper(&self, row: &Row, column: usize, other: usize) -> bool {
        let (here, there) = (row.get(column), row.get(other));
        for variable in &self.rows[..self.n_columns] {
            match (variable.sign(column), variable.sign(other)) {
                (0, 0) => continue,
                (a, b) if a != b => return a < b,
                _ => {}
            }
            let left = &variable.get(column) * &there;
            let right = &variable.get(other) * &here;
            if left != right {
                return left < right;
            }
        }
        false
    }

    /// A variable whose value depends on `M`: it is not bounded from below by the constraints.
    pub(crate) fn unbounded_variable(&self) -> Option<usize> {
        (0..self.shifts.len()).find(|&index| {
            let row = &self.rows[self.variable_row(index)];
            match self.shifts[index] {
                Shift::Big => row.get(BIG) != row.get(DENOMINATOR),
                Shift::Shared => !row.is_zero_at(BIG),
            }
        })
    }

    /// The first row of a variable whose value is not an integer combination of the symbols.
    pub(crate) fn fractional_row(&self) -> Option<usize> {
        (0..self.n_columns).find(|&index| {
            let row = &self.rows[index];
            let denominator = row.get(DENOMINATOR);
            !denominator.is_one()
                && !row.gcd(CONSTANT..self.first_column()).is_divisible_by(&denominator)
        })
    }

    /// The residue `e mod d`, as the pair of `e` over `[constant | symbols]` and `d`, that the
    /// combination of non-basic quantities in a fractional row has to be congruent to.
    ///
    /// An integer `(c + s.p + a.y) / d` means `a.y = -(c + s.p)` modulo `d`, and the coefficients
    /// of `e` are those of `-(c + s.p)` reduced to `0..d`.
    pub(crate) fn residue(&self, index: usize) -> (Row, Int) {
        let denominator = self.rows[index].get(DENOMINATOR);
        let mut value = self.symbolic_value(index);
        value.negate();
        for column in 0..value.len() {
            value.set(column, value.get(column).rem_euclid(&denominator));
        }
        (value, denominator)
    }

    /// Adds Gomory's cut of a fractional row: `(a mod d).y >= residue`, where the residue over
    /// `[constant | symbols]` is in `0..d`. Both sides are congruent modulo `d`, so that the
    /// difference divided by `d` is again an integer quantity.
    pub(crate) fn add_cut(&mut self, index: usize, residue: &Row) {
        let mut cut = self.rows[index].clone();
        let denominator = cut.get(DENOMINATOR);
        cut.set(BIG, Int::ZERO);
        for column in 0..=self.n_symbols {
            cut.set(CONSTANT + column, -residue.get(column));
        }
        for column in self.first_column()..self.width() {
            cut.set(column, cut.get(column).rem_euclid(&denominator));
        }
        self.push(cut);
    }

    /// Adds `residue` (over `[constant | symbols]`), which is zero in the context, to the
    /// numerator of a row.
    pub(crate) fn add_zero(&mut self, index: usize, residue: &Row) {
        let row = &mut self.rows[index];
        for column in 0..=self.n_symbols {
            row.set(CONSTANT + column, &row.get(CONSTANT + column) + &residue.get(column));
        }
        normalize(row);
    }

    /// Makes room for one more symbol after the others.
    pub(crate) fn add_symbol(&mut self) {
        let at = self.first_column();
        for row in &mut self.rows {
            row.insert_zeros(at, 1);
        }
        self.n_symbols += 1;
    }

    /// The value of a variable over `[constant | symbols]` once no row is fractional.
    pub(crate) fn value(&self, index: usize) -> Row {
        let mut value = self.integral_value(self.variable_row(index));
        if self.shifts[index] == Shift::Shared {
            let shared = self.shared.expect("a variable is shifted by the shared variable");
            value.add_scaled(&-Int::ONE, &self.integral_value(shared));
        }
        value
    }

    fn integral_value(&self, index: usize) -> Row {
        let mut value = self.symbolic_value(index);
        value.div_exact(&self.rows[index].get(DENOMINATOR));
        value
    }
}

/// Divides a row by the greatest common divisor of its entries, the denominator included.
fn normalize(row: &mut Row) {
    if row.get(DENOMINATOR).is_one() {
        return;
    }
    let divisor = row.gcd(0..row.len());
    if !divisor.is_one() {
        row.div_exact(&divisor);
    }
}
