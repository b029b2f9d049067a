//! Taking back splits of parametric integer programming that made no difference.
//!
//! A split along a row `r` gives the minimum where `r >= 0` and where `r < 0`. If both sides have a single
//! solution and the value of one side is right on the other side too, then it is right without the
//! split. That is so for a row whose sign matters on the way only: a cut, a bound that another one
//! takes over from, or a single point at the border of a context.
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::Result;
use crate::core::rows::negation;
use crate::lexmin::context::{Context, Solution};
use loopwright_exact::{Int, Row};

/// The solutions of a problem so far, merged where that is possible.
pub(crate) struct Merged {
    pub(crate) solutions: Vec<Solution>,
    /// What the budget had spent before the problem.
    n_before: u64,
    /// What comparisons of values have spent.
    n_spent: u64,
}

impl Merged {
    pub(crate) fn new(budget: &Budget) -> Self {
        Merged { solutions: Vec::new(), n_before: budget.used(), n_spent: 0 }
    }

    /// Adds the solution that is found next: in one piece with the last ones, if these are the
    /// other sides of the splits that led to it and have the same values.
    pub(crate) fn push(&mut self, mut next: Solution, budget: &Budget) {
        while let Some(last) = self.solutions.last() {
            // Values that are hard to compare count as different.
            let n_used = budget.used() - self.n_before;
            let part = budget.part((FREE_STEPS + n_used / SHARE).saturating_sub(self.n_spent));
            let merged = merge(last, &next, &part);
            self.n_spent += part.used();
            budget.charge(&part);
            let Some(merged) = merged else { break };
            self.solutions.pop();
            next = merged;
        }
        self.solutions.push(next);
    }
}

/// Comparing values may take one in so many of the steps that the solutions take ...
const SHARE: u64 = 16;

/// ... and so many more.
const FREE_STEPS: u64 = 1 << 9;

/// One solution for both sides of a split, if the values of one of two solutions are right for both.
fn merge(a: &Solution, b: &Solution, budget: &Budget) -> Option<Solution> {
    let n_shared = shared_columns(&a.context, &b.context)?;
    let holds = |one: &Solution, other| holds_in(one, other, n_shared, budget).unwrap_or(false);
    if holds(a, b) {
        Some(without_last_split(a))
    } else if holds(b, a) {
        Some(without_last_split(b))
    } else {
        None
    }
}

/// The number of columns that two contexts share, if they differ by the side of one split, and by
/// floors that came later.
fn shared_columns(a: &Context, b: &Context) -> Option<usize> {
    let (a, b) = (&a.data, &b.data);
    if a.inequalities.len() != b.inequalities.len() {
        return None;
    }
    let (row, before) = a.inequalities.split_last()?;
    let (other, others_before) = b.inequalities.split_last()?;
    let same_floor = |(x, y): &(&Local, &Local)| is_same_floor(x, y);
    let n_same = a.locals.iter().zip(&b.locals).take_while(same_floor).count();
    let n_shared = a.n_columns() - a.locals.len() + n_same;
    let is_shared = |row: &Row| row.first_nonzero(n_shared..row.len()).is_none();
    let is_equal = |(x, y): (&Row, &Row)| {
        is_shared(x) && is_shared(y) && (0..n_shared).all(|c| x.get(c) == y.get(c))
    };
    let differ_by_side = is_equal((&negation(other), row))
        && before.iter().zip(others_before).all(is_equal)
        && a.equalities.len() == b.equalities.len()
        && a.equalities.iter().zip(&b.equalities).all(is_equal);
    differ_by_side.then_some(n_shared)
}

/// Whether two floors are the same, up to columns of later ones.
fn is_same_floor(a: &Local, b: &Local) -> bool {
    let (
        Local::Floor { numerator: x, denominator: d },
        Local::Floor { numerator: y, denominator: e },
    ) = (a, b)
    else {
        return false;
    };
    let width = x.len().max(y.len());
    let get =
        |row: &Row, column: usize| if column < row.len() { row.get(column) } else { Int::ZERO };
    d == e && (0..width).all(|column| get(x, column) == get(y, column))
}

/// Whether the values of a solution are those of another one in the context of this.
fn holds_in(
    solution: &Solution,
    other: &Solution,
    n_shared: usize,
    budget: &Budget,
) -> Result<bool> {
    let own = solution.context.data.n_columns();
    let width = other.context.data.n_columns();
    let n_more = own - n_shared;
    let mut differences = Vec::new();
    for (value, known) in solution.values.iter().zip(&other.values) {
        // The columns: shared ones, those of the other solution, those of this one.
        let mut difference = value.clone();
        difference.insert_zeros(n_shared, width - n_shared);
        let mut known = known.clone();
        known.insert_zeros(known.len(), n_more);
        difference.add_scaled(&Int::MINUS_ONE, &known);
        if !difference.is_zero() {
            differences.push(difference);
        }
    }
    if differences.is_empty() {
        return Ok(true);
    }
    let mut search = other.context.search().clone();
    let first_own = solution.context.data.locals.len() - n_more;
    for local in &solution.context.data.locals[first_own..] {
        let Local::Floor { numerator, denominator } = local else { return Ok(false) };
        let mut numerator = numerator.clone();
        numerator.insert_zeros(n_shared, width - n_shared);
        search.add_floor(numerator.slice(0..search.system().width), denominator.clone());
    }
    let is_unequal = |row: &Row| search.points().iter().any(|point| !row.dot(point).is_zero());
    if differences.iter().any(is_unequal) {
        return Ok(false);
    }
    for mut row in differences {
        for _ in 0..2 {
            row.negate();
            let mut beyond = row.clone();
            beyond.add_at(0, &Int::MINUS_ONE);
            if search.is_possible(&beyond, budget)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The solution in the context before the last split.
fn without_last_split(solution: &Solution) -> Solution {
    let mut data = solution.context.data.clone();
    data.inequalities.pop();
    Solution { context: Context::new(data), values: solution.values.clone() }
}
