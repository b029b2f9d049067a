//! A cheap attempt at an integer point of a system.
//!
//! Beginning with the same value everywhere, constraints that do not hold are repaired one after the other by
//! a column with a unit coefficient, a few times over. Domains of loops are mostly found nonempty in this
//! way; a failure means nothing.
use crate::solve::system::System;
use loopwright_exact::{Int, Row};

/// Passes over all constraints.
const PASSES: usize = 4;

impl System {
    /// A point `[1 | values]` that may be there, looked for from `start` on; `complete` sets the columns from
    /// `n_free` on, which follow from the earlier ones.
    ///
    /// *Cost.* A few scalar products per constraint.
    pub(crate) fn guess_point(
        &self,
        start: i64,
        n_free: usize,
        complete: impl Fn(&mut Row),
    ) -> Option<Row> {
        let mut point = Row::from(vec![start; self.width()]);
        point.set(0, Int::ONE);
        complete(&mut point);
        for pass in 0..PASSES {
            let unit = |row: &Row| match pass % 2 {
                0 => row.first_unit(1..n_free),
                _ => row.last_unit(1..n_free),
            };
            let mut is_changed = false;
            let inequalities = self.inequalities().iter().map(|row| (row, false));
            let equalities = self.equalities.iter().map(|row| (row, true));
            for (row, is_equality) in inequalities.chain(equalities) {
                let value = row.dot(&point);
                if !value.is_negative() && (!is_equality || value.is_zero()) {
                    continue;
                }
                let column = unit(row)?;
                let change = if row.sign(column) > 0 { -value } else { value };
                point.add_at(column, &change);
                complete(&mut point);
                is_changed = true;
            }
            if !is_changed {
                return Some(point);
            }
        }
        self.contains(&point).then_some(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::budget::Budget;
    use crate::random_rows::Generator;

    #[test]
    fn guessed_points_are_points() {
        let mut generator = Generator::new(51);
        let (mut n_guessed, mut n_found) = (0, 0);
        for _ in 0..500 {
            let equalities = (0..generator.below(2)).map(|_| generator.row(4, 1, 3)).collect();
            let inequalities = (0..4).map(|_| generator.row(4, 2, 5)).collect();
            let system = System::new(4, equalities, inequalities);
            let guessed = system.guess_point(generator.within(9), 4, |_| {});
            assert!(guessed.as_ref().is_none_or(|point| system.contains(point)), "{system:?}");
            n_guessed += usize::from(guessed.is_some());
            let found = system.find_point(&Budget::unlimited()).unwrap();
            n_found += usize::from(found.is_some());
        }
        assert!(n_guessed <= n_found && 3 * n_guessed > n_found, "{n_guessed} of {n_found}");
    }
}
