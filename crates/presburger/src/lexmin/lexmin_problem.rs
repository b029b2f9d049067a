//! From a system to a problem of parametric integer programming, and back.
//!
//! The columns of a system are sorted into symbols (the leading dimensions and the floors of
//! them) and variables (the remaining dimensions in their order, then the other floors, then the
//! unknown locals). Equalities with a unit coefficient remove variables before the dual simplex
//! sees them ([`Reduction`]).
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, floor_bounds};
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::{Error, Result};
use crate::core::rows::tightened;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Tuple;
use crate::lexmin::context::{Context, Solution};
use crate::lexmin::parametric_lexmin::{Outcome, Problem};
use crate::lexmin::parametric_tableau::Shift;
use loopwright_exact::{Int, Row};

/// The parts of the lexicographic minimum of the dimensions from column `first_output` on as a
/// function of the dimensions before it, each as a system in the space of `data`.
///
/// # Errors
/// [`Error::Invalid`] if there is no minimum although there are points; [`Error::Exceeded`].
pub(crate) fn minimize(
    data: BasicRelation,
    first_output: usize,
    budget: &Budget,
) -> Result<Vec<BasicRelation>> {
    let sorted = Sorted::new(&data, first_output);
    let n_outputs = sorted.n_outputs;
    for existential_shift in [Shift::Big, Shift::Shared] {
        let mut reduction = Reduction::new(&sorted, existential_shift);
        reduction.reduce();
        let (problem, reduction) = reduction.into_problem(&sorted);
        match problem.solve(budget)? {
            Outcome::Solved(solutions) => {
                let parts = solutions.into_iter();
                return Ok(parts.map(|part| sorted.part(&data.space, &reduction, part)).collect());
            }
            Outcome::Unbounded(index) if reduction.is_existential(index, &sorted) => continue,
            Outcome::Unbounded(_) => break,
        }
    }
    if BasicMap::from_normal_data(data).is_empty(budget)? {
        return Ok(Vec::new());
    }
    let reason = if n_outputs == 0 {
        "the existentials have no smallest value".to_string()
    } else {
        "there are points, but no smallest one: the dimensions are not bounded".to_string()
    };
    Err(Error::Invalid { operation: "lexmin", reason })
}

/// A system over `[constant | symbols | symbolic floors | outputs | floors | unknowns]`.
struct Sorted {
    /// Symbols and symbolic floors, with the constraints that only involve them.
    context: BasicRelation,
    n_symbols: usize,
    n_outputs: usize,
    n_floors: usize,
    n_unknown: usize,
    equalities: Vec<Row>,
    inequalities: Vec<Row>,
}

impl Sorted {
    fn new(data: &BasicRelation, first_output: usize) -> Self {
        let width = data.n_columns();
        let first_local = width - data.locals.len();
        let mut is_symbol: Vec<bool> = (0..width).map(|column| column < first_output).collect();
        for (index, local) in data.locals.iter().enumerate() {
            if let Local::Floor { numerator, .. } = local {
                is_symbol[first_local + index] =
                    (1..width).all(|column| is_symbol[column] || numerator.is_zero_at(column));
            }
        }
        let is_unknown =
            |column: usize| matches!(data.locals[column - first_local], Local::Unknown);
        let locals = || (first_local..width).filter(|&column| !is_symbol[column]);
        let symbols: Vec<usize> = (0..width).filter(|&column| is_symbol[column]).collect();
        let floors: Vec<usize> = locals().filter(|&column| !is_unknown(column)).collect();
        let unknowns: Vec<usize> = locals().filter(|&column| is_unknown(column)).collect();
        let mut order = symbols.clone();
        order.extend(first_output..first_local);
        order.extend(&floors);
        order.extend(&unknowns);
        let sorted = |row: &Row| Row::from_ints(order.iter().map(|&c| row.get(c)).collect());
        let n_context = symbols.len();
        let mut this = Sorted {
            context: context(data, first_output, &symbols),
            n_symbols: n_context - 1,
            n_outputs: first_local - first_output,
            n_floors: floors.len(),
            n_unknown: unknowns.len(),
            equalities: Vec::new(),
            inequalities: Vec::new(),
        };
        let is_context = |row: &Row| row.first_nonzero(n_context..width).is_none();
        for row in data.equalities.iter().map(sorted) {
            if is_context(&row) {
                this.context.equalities.push(row.slice(0..n_context));
            } else {
                this.equalities.push(row);
            }
        }
        for row in data.inequalities.iter().map(sorted) {
            if is_context(&row) {
                this.context.inequalities.push(row.slice(0..n_context));
            } else {
                this.inequalities.push(row);
            }
        }
        for &column in &floors {
            if let Local::Floor { numerator, denominator } = &data.locals[column - first_local] {
                let position = order.iter().position(|&c| c == column).unwrap_or(0);
                this.inequalities.extend(floor_bounds(&sorted(numerator), denominator, position));
            }
        }
        this
    }

    /// A solution as a system in the space of the problem.
    fn part(&self, space: &Space, reduction: &Reduction, solution: Solution) -> BasicRelation {
        let context = solution.context.data;
        let n_locals = context.locals.len();
        let n_dims = context.n_columns() - n_locals;
        let n_outputs = self.n_outputs;
        let widened = |row: &Row| {
            let mut row = row.clone();
            row.insert_zeros(n_dims, n_outputs);
            row
        };
        let values = reduction.output_values(self, &solution.values, context.n_columns());
        let locals = context.locals.iter().map(|local| match local {
            Local::Unknown => Local::Unknown,
            Local::Floor { numerator, denominator } => {
                Local::Floor { numerator: widened(numerator), denominator: denominator.clone() }
            }
        });
        let mut data = BasicRelation::new(space.clone(), locals.collect());
        data.equalities = context.equalities.iter().map(widened).collect();
        data.inequalities = context.inequalities.iter().map(widened).collect();
        for (index, value) in values.iter().enumerate() {
            let mut row = widened(value);
            row.set(n_dims + index, -Int::ONE);
            data.equalities.push(row);
        }
        data
    }
}

/// The symbols and the symbolic floors of a system, without constraints.
fn context(data: &BasicRelation, first_output: usize, symbols: &[usize]) -> BasicRelation {
    let first_local = data.n_columns() - data.locals.len();
    let tuple = Tuple::anonymous(first_output - 1 - data.space.n(DimKind::Param));
    let locals =
        symbols[first_output..].iter().map(|&column| match &data.locals[column - first_local] {
            Local::Unknown => Local::Unknown,
            Local::Floor { numerator, denominator } => Local::Floor {
                numerator: Row::from_ints(symbols.iter().map(|&c| numerator.get(c)).collect()),
                denominator: denominator.clone(),
            },
        });
    BasicRelation::new(Space::set(data.space.param_names(), tuple), locals.collect())
}

/// How variables that equalities determine are expressed in the remaining variables.
///
/// The order of the objective is kept when an equality removes the last variable in it: the value
/// is a function of earlier ones. It is also kept when an equality `x = f + k z` in earlier
/// variables `f` and a single later variable `z` removes `x`, if `z` (or `-z`, for a negative `k`)
/// takes the place of `x`: for given earlier variables, the smallest `x` is the smallest `k z`.
struct Reduction {
    first_variable: usize,
    /// Remaining variables in the order of the objective: column and sign.
    order: Vec<usize>,
    negated: Vec<bool>,
    shifts: Vec<Shift>,
    equalities: Vec<Row>,
    inequalities: Vec<Row>,
    /// Removed columns and their values, in the order of removal.
    removed: Vec<(usize, Row)>,
}

impl Reduction {
    fn new(sorted: &Sorted, existential_shift: Shift) -> Self {
        let first_variable = 1 + sorted.n_symbols;
        let n_bounded = sorted.n_outputs + sorted.n_floors;
        let n_variables = n_bounded + sorted.n_unknown;
        let mut shifts = vec![Shift::Big; first_variable + n_bounded];
        shifts.resize(first_variable + n_variables, existential_shift);
        Reduction {
            first_variable,
            order: (first_variable..first_variable + n_variables).collect(),
            negated: vec![false; first_variable + n_variables],
            shifts,
            equalities: sorted.equalities.clone(),
            inequalities: sorted.inequalities.clone(),
            removed: Vec::new(),
        }
    }

    fn reduce(&mut self) {
        while let Some((index, column, replacement)) = self.removable() {
            let mut row = self.equalities.swap_remove(index);
            if row.sign(column) > 0 {
                row.negate();
            }
            let negative = replacement.is_some_and(|other| row.sign(other) < 0);
            self.substitute(column, &row);
            row.set(column, Int::ZERO);
            self.removed.push((column, row));
            let Some(position) = self.order.iter().position(|&c| c == column) else { continue };
            match replacement {
                None => {
                    self.order.remove(position);
                }
                Some(other) => {
                    self.order.retain(|&c| c != other);
                    self.order[position] = other;
                    self.shifts[other] = self.shifts[column];
                    if negative {
                        self.negate_variable(other);
                    }
                }
            }
        }
    }

    /// An equality, the column that it removes, and the column that takes its place, if any.
    fn removable(&self) -> Option<(usize, usize, Option<usize>)> {
        for (index, row) in self.equalities.iter().enumerate() {
            let mut used = self.order.iter().rev().copied().filter(|&c| !row.is_zero_at(c));
            let Some(last) = used.next() else { continue };
            if row.get(last).abs().is_one() {
                return Some((index, last, None));
            }
            if let Some(previous) = used.next()
                && row.get(previous).abs().is_one()
            {
                return Some((index, previous, Some(last)));
            }
        }
        None
    }

    /// Replaces a column, where `row` (zero) has the coefficient -1 for it.
    fn substitute(&mut self, column: usize, row: &Row) {
        for other in self.equalities.iter_mut().chain(&mut self.inequalities) {
            let factor = other.get(column);
            if !factor.is_zero() {
                other.add_scaled(&factor, row);
            }
        }
    }

    fn negate_variable(&mut self, column: usize) {
        let removed = self.removed.iter_mut().map(|(_, row)| row);
        for row in self.equalities.iter_mut().chain(&mut self.inequalities).chain(removed) {
            if !row.is_zero_at(column) {
                row.set(column, -row.get(column));
            }
        }
        self.negated[column] = !self.negated[column];
    }

    /// The problem in the remaining variables; constraints without variables go to the context.
    fn into_problem(mut self, sorted: &Sorted) -> (Problem, Reduction) {
        let n_context = self.first_variable;
        let mut context = sorted.context.clone();
        let kept: Vec<usize> = (0..n_context).chain(self.order.iter().copied()).collect();
        let mut split = |rows: Vec<Row>, into: fn(&mut BasicRelation) -> &mut Vec<Row>| {
            let mut variable_rows = Vec::new();
            for row in rows {
                if row.is_zero() {
                    continue;
                }
                if row.first_nonzero(n_context..row.len()).is_none() {
                    into(&mut context).push(row.slice(0..n_context));
                } else {
                    let entries = kept.iter().map(|&column| row.get(column)).collect();
                    variable_rows.push(Row::from_ints(entries));
                }
            }
            variable_rows
        };
        let equalities = split(std::mem::take(&mut self.equalities), |c| &mut c.equalities);
        let inequalities = split(std::mem::take(&mut self.inequalities), |c| &mut c.inequalities);
        context.inequalities.extend(implied(&inequalities, n_context));
        let shifts = self.order.iter().map(|&column| self.shifts[column]).collect();
        (Problem { context: Context::new(context), shifts, equalities, inequalities }, self)
    }

    /// Whether a variable of the problem is an existential of the system.
    fn is_existential(&self, index: usize, sorted: &Sorted) -> bool {
        self.shifts[self.order[index]] == Shift::Big
            && self.order[index] >= self.first_variable + sorted.n_outputs + sorted.n_floors
    }

    /// The values of the outputs over `[constant | symbols | floors]`, `width` columns.
    fn output_values(&self, sorted: &Sorted, values: &[Row], width: usize) -> Vec<Row> {
        let n_variables = sorted.n_outputs + sorted.n_floors + sorted.n_unknown;
        let mut known: Vec<Option<Row>> = vec![None; n_variables];
        for (&column, value) in self.order.iter().zip(values) {
            known[column - self.first_variable] = Some(value.clone());
        }
        for (column, row) in self.removed.iter().rev() {
            let mut value = row.slice(0..self.first_variable);
            value.insert_zeros(value.len(), width - value.len());
            for (index, other) in known.iter().enumerate() {
                let factor = row.get(self.first_variable + index);
                if !factor.is_zero() {
                    let other = other.as_ref().expect("variables are removed in favour of others");
                    value.add_scaled(&factor, other);
                }
            }
            known[column - self.first_variable] = Some(value);
        }
        let outputs = known.into_iter().take(sorted.n_outputs).enumerate();
        outputs
            .map(|(index, value)| {
                let mut value = value.expect("every variable is solved or removed");
                if self.negated[self.first_variable + index] {
                    value.negate();
                }
                value
            })
            .collect()
    }
}

/// The most pairs of bounds that are combined.
const MOST_PAIRS: usize = 64;

/// What opposite bounds of single variables say about the context alone, if there is a fraction between
/// them.
///
/// The part of the context without solutions is given up at once then, in place of splits; without
/// fractions there are none.
fn implied(rows: &[Row], n_context: usize) -> Vec<Row> {
    fn alone(row: &Row, n_context: usize) -> Option<(usize, &Row)> {
        let column = row.first_nonzero(n_context..row.len())?;
        row.first_nonzero(column + 1..row.len()).is_none().then_some((column, row))
    }
    let bounds: Vec<(usize, &Row)> = rows.iter().filter_map(|row| alone(row, n_context)).collect();
    let lower = bounds.iter().filter(|(column, row)| row.sign(*column) > 0);
    let pairs = lower.flat_map(|&(column, low)| {
        let upper = bounds.iter().filter(move |(c, row)| *c == column && row.sign(column) < 0);
        upper.map(move |&(_, high)| (column, low, high))
    });
    let mut implied = Vec::new();
    for (column, low, high) in pairs.take(MOST_PAIRS) {
        if low.get(column).is_one() && high.get(column).abs().is_one() {
            continue;
        }
        let mut sum = low.clone();
        sum.combine(&-&high.get(column), &low.get(column), high);
        sum = sum.slice(0..n_context);
        if sum.first_nonzero(1..n_context).is_some() {
            implied.push(tightened(&sum));
        }
    }
    implied
}

/// Which optimum to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Least,
    Greatest,
}
