//! Parametric integer programming: the lexicographic minimum as a function of symbols.
//!
//! # Method
//! Feautrier, "Parametric integer programming" (RAIRO 22(3), 1988). The dual simplex runs on a
//! [`ParametricTableau`] whose constant column is an expression in the symbols. The *context*
//! collects what is known of the symbols on the current path. One step is the first of these that
//! applies:
//!
//! 1. a row is negative everywhere in the context: pivot on it, or give the context up as one
//!    without solution when no column increases the row;
//! 2. the sign of a row differs inside the context: split the context along it, or add a cut if the
//!    row, which is an integer, is above -1 everywhere;
//! 3. a variable is not integral: if its symbolic part is a multiple of the denominator in the
//!    whole context, write it as such; otherwise add a cut. The residue of the symbolic part is
//!    expressed with a floor, which becomes a new symbol of the context;
//! 4. otherwise the values of the variables are the solution in this context.
//!
//! Contexts without integer points are never entered, so every piece of the result is non-empty.
//! Nested floors, which many cuts in a row introduce, make the emptiness tests of contexts expensive:
//! that, and the number of splits, is what a budget limits.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::rows::{negation, tightened};
use crate::lexmin::context::{Context, ContextSign, MOST_EARLY_CUTS, Solution};
use crate::lexmin::parametric_tableau::{ParametricTableau, RowSign, Shift};
use crate::lexmin::undo_case_splits::Merged;
use loopwright_exact::{Int, Row};

/// The variables to minimize lexicographically under constraints over
/// `[constant | symbols | floors of the context | variables]`.
pub(crate) struct Problem {
    /// Where the symbols may be.
    pub(crate) context: Context,
    /// One entry per variable, in the order of the objective.
    pub(crate) shifts: Vec<Shift>,
    pub(crate) equalities: Vec<Row>,
    pub(crate) inequalities: Vec<Row>,
}

/// The result of [`Problem::solve`]; the contexts are disjoint.
pub(crate) enum Outcome {
    /// The minimum, in the parts of the context where there is a solution.
    Solved(Vec<Solution>),
    /// The minimum of this variable does not exist, if there is an integer point at all.
    Unbounded(usize),
}

/// What a context and the search for its points take, compared with its constraints.
const SEARCH_FACTOR: usize = 4;

enum Step {
    Continue,
    Infeasible,
    Split(usize),
    Unbounded(usize),
    Solved,
}

impl Problem {
    /// Minimizes.
    ///
    /// The cost is exponential in the number of variables and constraints in the worst case.
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub(crate) fn solve(mut self, budget: &Budget) -> Result<Outcome> {
        let mut merged = Merged::new(budget);
        let mut pending = Vec::new();
        if !self.context.is_empty(budget)? {
            let tableau = self.tableau();
            pending.push((tableau, self.context));
        }
        while let Some((mut tableau, mut context)) = pending.pop() {
            match step(&mut tableau, &mut context, budget)? {
                Step::Continue => pending.push((tableau, context)),
                Step::Infeasible => {}
                Step::Split(row) => {
                    let words = tableau.words() + SEARCH_FACTOR * context.data.words();
                    let n_kept = pending.len() + merged.solutions.len() + 2;
                    budget.keep(words.saturating_mul(n_kept), "lexmin")?;
                    let value = tableau.symbolic_value(row);
                    if tableau.can_increase(row) {
                        let below = context.with(negation(&value), budget)?;
                        pending.push((tableau.clone(), below));
                    }
                    tableau.settle(row);
                    pending.push((tableau, context.with(value, budget)?));
                }
                Step::Unbounded(variable) => return Ok(Outcome::Unbounded(variable)),
                Step::Solved => {
                    let values = (0..self.shifts.len()).map(|i| tableau.value(i)).collect();
                    merged.push(Solution { context, values }, budget);
                }
            }
        }
        Ok(Outcome::Solved(merged.solutions))
    }

    fn tableau(&self) -> ParametricTableau {
        let n_symbols = self.context.data.n_columns() - 1;
        let mut tableau = ParametricTableau::new(n_symbols, &self.shifts);
        for row in &self.equalities {
            let mut opposite = row.clone();
            opposite.negate();
            tableau.add_constraint(row);
            tableau.add_constraint(&opposite);
        }
        for row in &self.inequalities {
            tableau.add_constraint(row);
        }
        tableau
    }
}

/// Does the next step of the method on one context.
fn step(tableau: &mut ParametricTableau, context: &mut Context, budget: &Budget) -> Result<Step> {
    let mut unknown = Vec::new();
    for row in 0..tableau.n_rows() {
        match tableau.sign(row) {
            RowSign::Negative => return pivot(tableau, row, budget),
            RowSign::NonNegative => {}
            RowSign::Unknown => unknown.push(row),
        }
    }
    let mut mixed = None;
    for row in unknown {
        let may_split = !tableau.can_increase(row);
        match context.sign(&tableau.symbolic_value(row), may_split, budget)? {
            ContextSign::Negative => return pivot(tableau, row, budget),
            ContextSign::NonNegative => tableau.settle(row),
            ContextSign::Mixed if may_split => return Ok(Step::Split(row)),
            ContextSign::Mixed => mixed = mixed.or(Some(row)),
        }
    }
    if let Some(row) = mixed {
        if context.n_early_cuts < MOST_EARLY_CUTS
            && rounds_to_nonnegative(tableau, row, context, budget)?
        {
            context.n_early_cuts += 1;
            cut(tableau, row, context, budget)?;
            return Ok(Step::Continue);
        }
        return Ok(Step::Split(row));
    }
    if let Some(variable) = tableau.unbounded_variable() {
        return Ok(Step::Unbounded(variable));
    }
    match tableau.fractional_row() {
        None => Ok(Step::Solved),
        Some(row) => {
            cut(tableau, row, context, budget)?;
            Ok(Step::Continue)
        }
    }
}

/// Whether the value of a row, which is that of an integer quantity, is nowhere negative in the context
/// once it is rounded up.
fn rounds_to_nonnegative(
    tableau: &ParametricTableau,
    row: usize,
    context: &mut Context,
    budget: &Budget,
) -> Result<bool> {
    let denominator = tableau.denominator(row);
    if denominator.is_one() {
        return Ok(false);
    }
    let mut above = tableau.symbolic_value(row);
    above.set(0, above.get(0) + denominator - Int::ONE);
    Ok(context.sign(&above, false, budget)? == ContextSign::NonNegative)
}

fn pivot(tableau: &mut ParametricTableau, row: usize, budget: &Budget) -> Result<Step> {
    Ok(if tableau.pivot(row, budget)? { Step::Continue } else { Step::Infeasible })
}

/// Makes progress on a variable that is not integral, see step 3 of the module documentation.
fn cut(
    tableau: &mut ParametricTableau,
    row: usize,
    context: &mut Context,
    budget: &Budget,
) -> Result<()> {
    let (mut residue, denominator) = tableau.residue(row);
    if residue.first_nonzero(1..residue.len()).is_none() {
        return add_cut(tableau, row, &residue, budget);
    }
    let (column, is_new) = context.floor(residue.clone(), denominator.clone());
    if is_new {
        tableau.add_symbol();
        residue.push(Int::ZERO);
    }
    residue.set(column, &residue.get(column) - &denominator);
    let mut positive = residue.clone();
    positive.set(0, &positive.get(0) - &Int::ONE);
    if !context.search.is_possible(&tightened(&positive), budget)? {
        tableau.add_zero(row, &residue);
    } else {
        add_cut(tableau, row, &residue, budget)?;
    }
    Ok(())
}

/// Adds a cut and makes it tight. The value of a cut, minus a residue, is nowhere positive, so
/// that the pivot is valid for all symbols (it changes nothing where the residue is zero), and the
/// context need not be split along the cut.
fn add_cut(
    tableau: &mut ParametricTableau,
    row: usize,
    residue: &Row,
    budget: &Budget,
) -> Result<()> {
    tableau.add_cut(row, residue);
    tableau.pivot(tableau.n_rows() - 1, budget)?;
    Ok(())
}
