//! Constraints of a tableau that the others imply, or that are always zero.
use super::pivoting::{Goal, Step};
use super::{Place, Tableau};
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::simplex::ConstraintId;

/// What comes of an attempt to remove an inequality that may follow from the others.
pub(crate) enum Removal<T> {
    /// It followed and is removed.
    Removed,
    /// The others do not limit its value from below.
    Unlimited,
    /// The others leave points that violate it.
    Violated(T),
    /// It is an equality or was removed before; nothing was done.
    None,
}

impl Tableau {
    /// Whether the inequality follows from the others at integer points because its value there
    /// is greater than -1 at all rational points. If so, it is removed from the tableau, so that
    /// it does not count for the next question.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(1);
    /// let half = tableau.add_inequality(&Row::from_i64s(&[-1, 1]), budget)?;
    /// tableau.add_inequality(&Row::from_i64s(&[-1, 2]), budget)?;
    /// // 2x >= 1 and x an integer imply x >= 1.
    /// assert!(tableau.remove_if_redundant(half, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tableau::add_inequality`].
    pub fn remove_if_redundant(&mut self, id: ConstraintId, budget: &Budget) -> Result<bool> {
        let removal = self.remove_unless_reached(id, Goal::MinusOne, budget, |_| ())?;
        Ok(matches!(removal, Removal::Removed))
    }

    /// Whether the inequality follows from the others at all rational points. If so, it is
    /// removed from the tableau.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(1);
    /// let one = tableau.add_inequality(&Row::from_i64s(&[-1, 1]), budget)?;
    /// let half = tableau.add_inequality(&Row::from_i64s(&[-1, 2]), budget)?;
    /// assert!(!tableau.remove_if_implied(one, budget)?);
    /// assert!(tableau.remove_if_implied(half, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tableau::add_inequality`].
    pub fn remove_if_implied(&mut self, id: ConstraintId, budget: &Budget) -> Result<bool> {
        let removal = self.remove_unless_reached(id, Goal::BelowZero, budget, |_| ())?;
        Ok(matches!(removal, Removal::Removed))
    }

    /// Removes the inequality unless its value reaches the goal on the others; `look` is called
    /// where it does.
    fn remove_unless_reached<T>(
        &mut self,
        id: ConstraintId,
        goal: Goal,
        budget: &Budget,
        look: impl FnOnce(&Self) -> T,
    ) -> Result<Removal<T>> {
        if self.empty || matches!(self.unknowns[id.0].place, Place::Fixed | Place::Removed) {
            return Ok(Removal::None);
        }
        self.unknowns[id.0].restricted = false;
        let Some(row) = self.move_to_row(id.0, -1, budget)? else {
            // Nothing else keeps the unknown from becoming negative.
            self.unknowns[id.0].restricted = true;
            return Ok(Removal::Unlimited);
        };
        let removal = match self.minimize(row, goal, budget)? {
            Step::Optimal => {
                self.remove_row(row);
                self.unknowns[id.0].place = Place::Removed;
                return Ok(Removal::Removed);
            }
            Step::Unbounded => Removal::Unlimited,
            Step::Moved => Removal::Violated(look(self)),
        };
        self.unknowns[id.0].restricted = true;
        self.restore(row, budget)?;
        Ok(removal)
    }

    /// Whether the inequality is zero at all rational points. If so, it becomes an equality of the
    /// tableau.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(2);
    /// let up = tableau.add_inequality(&Row::from_i64s(&[0, 1, -1]), budget)?;
    /// assert!(!tableau.fix_if_always_zero(up, budget)?);
    /// tableau.add_inequality(&Row::from_i64s(&[0, -1, 1]), budget)?;
    /// assert!(tableau.fix_if_always_zero(up, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tableau::add_inequality`].
    pub fn fix_if_always_zero(&mut self, id: ConstraintId, budget: &Budget) -> Result<bool> {
        let place = self.unknowns[id.0].place;
        if self.empty || place == Place::Removed {
            return Ok(false);
        }
        if place == Place::Fixed {
            return Ok(true);
        }
        let Some(row) = self.move_to_row(id.0, 1, budget)? else { return Ok(false) };
        loop {
            if self.rows[row].sign(1) > 0 {
                return Ok(false);
            }
            match self.step(row, 1, budget)? {
                Step::Moved => {}
                Step::Unbounded => return Ok(false),
                Step::Optimal => break,
            }
        }
        self.fix_at_zero(id.0, budget)?;
        Ok(true)
    }

    /// Whether the constraint has become an equality or was added as one.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Tableau};
    /// let budget = &Budget::unlimited();
    /// let mut tableau = Tableau::new(1);
    /// let at_least = tableau.add_inequality(&Row::from_i64s(&[-3, 1]), budget)?;
    /// assert!(!tableau.is_fixed(at_least));
    /// tableau.add_inequality(&Row::from_i64s(&[3, -1]), budget)?;
    /// tableau.fix_if_always_zero(at_least, budget)?;
    /// assert!(tableau.is_fixed(at_least));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_fixed(&self, id: ConstraintId) -> bool {
        self.unknowns[id.0].place == Place::Fixed
    }
}
