//! Lexicographic minima outside of given subspaces.
//!
//! A schedule member must be linearly independent of earlier ones, which is not a convex
//! condition: of some products ("the region") at least one must differ from zero. The search of
//! "Scheduling for PPCG", section 6.5.7: solve without the condition; for the first region that is
//! trivial (all products zero), try the cases `r0 >= 1`, `r0 <= -1`, `r0 = 0 and r1 >= 1`, ... in
//! this order, each with the next trivial regions treated recursively.
//!
//! Once a solution is known, later ones only matter if they are better in the *significant*
//! objectives, the first few variables: the first of them that is not zero in the best solution
//! (with all before it) is forced to zero from then on; when all are zero, the search ends. That
//! is not exhaustive (a smaller but non-zero objective is not looked for) but short.
use crate::vectors::Vector;
use loopwright_presburger::{Budget, Int, LexicographicProblem, Result, Row};

/// Products of which one must not be zero, as rows over `[constant | variables]`.
pub(crate) type Region = Vec<Vector>;

/// The first solution in the order of the search that no later one improves on.
///
/// The problem is returned to its present state.
pub(crate) fn nontrivial_lexmin(
    problem: &mut LexicographicProblem,
    regions: &[Region],
    n_significant: usize,
    budget: &Budget,
) -> Result<Option<Vec<Int>>> {
    let mut search = Search { problem, regions, n_significant, best: None, budget };
    search.solve()?;
    Ok(search.best)
}

struct Search<'a> {
    problem: &'a mut LexicographicProblem,
    regions: &'a [Region],
    n_significant: usize,
    best: Option<Vec<Int>>,
    budget: &'a Budget,
}

impl Search<'_> {
    /// Searches below the present constraints; whether the search is over.
    fn solve(&mut self) -> Result<bool> {
        let Some(solution) = self.problem.lexmin_integer(self.budget)? else {
            return Ok(false);
        };
        let trivial = |region: &&Region| region.iter().all(|row| is_zero(row, &solution));
        let Some(region) = self.regions.iter().find(trivial) else {
            let optimal = solution[..self.n_significant].iter().all(Int::is_zero);
            self.best = Some(solution);
            return Ok(optimal);
        };
        for zeros in 0..region.len() {
            for sign in [1, -1] {
                let snapshot = self.problem.snapshot();
                self.improve_on_best();
                for row in &region[..zeros] {
                    self.problem.add_equality(&Row::from_i64s(row));
                }
                let mut case: Vector = region[zeros].iter().map(|&entry| sign * entry).collect();
                case[0] = -1;
                self.problem.add_inequality(&Row::from_i64s(&case));
                let over = self.solve();
                self.problem.rollback(snapshot);
                if over? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Forces the significant objectives to zero up to the first that is not zero in the best
    /// solution.
    fn improve_on_best(&mut self) {
        let Some(best) = &self.best else { return };
        let significant = &best[..self.n_significant];
        let last = significant.iter().position(|value| !value.is_zero());
        for variable in 0..=last.unwrap_or(self.n_significant - 1) {
            let mut row = vec![0; self.problem.n_variables() + 1];
            row[variable + 1] = 1;
            self.problem.add_equality(&Row::from_i64s(&row));
        }
    }
}

fn is_zero(row: &[i64], solution: &[Int]) -> bool {
    let mut sum = Int::from(0);
    for (&coefficient, value) in row[1..].iter().zip(solution) {
        if coefficient != 0 && !value.is_zero() {
            sum += Int::from(coefficient) * value;
        }
    }
    sum.is_zero()
}
