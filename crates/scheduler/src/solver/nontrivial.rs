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
use crate::algebra::terms::Terms;
use crate::solver::lexicographic_program::LexicographicProgram;
use loopwright_presburger::{Budget, Int, Result};

/// Products of which one must not be zero, as rows over `[constant | variables]`.
pub(crate) type Region = Vec<Terms>;

/// The first solution in the order of the search that no later one improves on.
///
/// The problem is returned to its present state.
pub(crate) fn nontrivial_lexmin(
    problem: &mut LexicographicProgram,
    regions: &[Region],
    n_significant: usize,
    budget: &Budget,
) -> Result<Option<Vec<Int>>> {
    let mut search = NontrivialSearch { problem, regions, n_significant, best: None, budget };
    search.solve()?;
    Ok(search.best)
}

struct NontrivialSearch<'a> {
    problem: &'a mut LexicographicProgram,
    regions: &'a [Region],
    n_significant: usize,
    best: Option<Vec<Int>>,
    budget: &'a Budget,
}

impl NontrivialSearch<'_> {
    /// Searches below the present constraints; whether the search is over.
    fn solve(&mut self) -> Result<bool> {
        let Some(solution) = self.problem.lexmin_integer(self.budget)? else {
            return Ok(false);
        };
        let trivial =
            |region: &&Region| region.iter().all(|row| row.value(&Int::ZERO, &solution).is_zero());
        let Some(region) = self.regions.iter().find(trivial) else {
            let optimal = solution[..self.n_significant].iter().all(Int::is_zero);
            self.best = Some(solution);
            return Ok(optimal);
        };
        for zeros in 0..region.len() {
            for sign in [1, -1] {
                let snapshot = self.problem.snapshot();
                let over = self.case(&region[..zeros], &region[zeros], sign);
                self.problem.rollback(snapshot);
                if over? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The case that some products are zero and `sign` times another one is not; whether the search is
    /// over.
    fn case(&mut self, zeros: &[Terms], product: &Terms, sign: i64) -> Result<bool> {
        self.improve_on_best()?;
        for row in zeros {
            self.problem.add_equality(row)?;
        }
        let entries = product.iter().map(|(column, entry)| (column, sign * entry));
        self.problem.add_inequality(&Terms::sum(entries.chain([(0, -1)]).collect()))?;
        self.solve()
    }

    /// Forces the significant objectives to zero up to the first that is not zero in the best
    /// solution.
    fn improve_on_best(&mut self) -> Result<()> {
        let Some(best) = &self.best else { return Ok(()) };
        let significant = &best[..self.n_significant];
        let last = significant.iter().position(|value| !value.is_zero());
        for variable in 0..=last.unwrap_or(self.n_significant - 1) {
            self.problem.add_equality(&Terms::sum(vec![(variable + 1, 1)]))?;
        }
        Ok(())
    }
}
