//! The least value of an affine form at integer points.
//!
//! If the rational optimum is attained at an integer point, that is it. Otherwise intervals above
//! the rational optimum are searched for values of points, first small ones, then larger ones.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::optimum::Optimum;
use crate::solve::simplex::{RationalOptimum, Tableau};
use crate::solve::system::System;
use loopwright_exact::{Int, Row};

impl System {
    /// The least value of an affine form over `[constant | variables]` at integer points.
    ///
    /// If the rational optimum is attained at an integer point after rounding, one question about
    /// emptiness decides; otherwise bisection between it and the value at a known point does.
    pub(crate) fn minimum(&self, form: &Row, budget: &Budget) -> Result<Optimum> {
        let mut tableau = self.tableau(budget)?;
        let least = match tableau.minimum(form, budget)? {
            RationalOptimum::Empty => return Ok(Optimum::Empty),
            RationalOptimum::Unbounded => {
                let point = self.clone().find_point(budget)?;
                return Ok(point.map_or(Optimum::Empty, |_| Optimum::Unbounded));
            }
            RationalOptimum::At(value) => value.ceil(),
        };
        // After minimizing, the sample is a vertex at which the rational optimum is attained.
        if tableau.integer_sample().is_some() {
            return Ok(Optimum::At(least));
        }
        let Some(point) = self.clone().find_point(budget)? else { return Ok(Optimum::Empty) };
        let point = self.least_point(form, least, point, budget)?;
        Ok(Optimum::At(form.dot(&point)))
    }

    /// A point where an affine form is least, from a lower bound and some point.
    pub(crate) fn least_point(
        &self,
        form: &Row,
        mut least: Int,
        mut best: Row,
        budget: &Budget,
    ) -> Result<Row> {
        let two = Int::from(2);
        let mut value = form.dot(&best);
        // The optimum is most often near the rational one, so the first steps are small.
        let mut width = Int::ZERO;
        while least < value {
            let middle = (&least + &value).div_floor(&two).min(&least + &width);
            match self.point_between(form, &least, &middle, budget)? {
                Some(point) => {
                    value = form.dot(&point);
                    best = point;
                }
                None => {
                    least = middle + Int::ONE;
                    width = &width * &two + Int::ONE;
                }
            }
        }
        Ok(best)
    }

    /// A point with `least <= form <= greatest`.
    fn point_between(
        &self,
        form: &Row,
        least: &Int,
        greatest: &Int,
        budget: &Budget,
    ) -> Result<Option<Row>> {
        let mut system = self.clone();
        let mut low = form.clone();
        low.add_at(0, &-least);
        let mut high = form.clone();
        high.negate();
        high.add_at(0, greatest);
        system.inequalities.extend([low, high]);
        system.find_point(budget)
    }
}

impl BasicMap {
    /// The least value of an affine form (a row over all columns) at integer points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map, Optimum, Row};
    /// let map = Map::parse("{ [i] -> [j] : 3i >= 4 and j >= i }")?;
    /// // i + j, over [constant | i | j].
    /// let least = map.basic_maps()[0].minimum(&Row::from_i64s(&[0, 1, 1]), &Budget::unlimited())?;
    /// assert_eq!(least, Optimum::At(Int::from(4)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn minimum(&self, form: &Row, budget: &Budget) -> Result<Optimum> {
        if self.plain_is_empty() {
            return Ok(Optimum::Empty);
        }
        System::from_basic_map(self).minimum(form, budget)
    }

    /// The greatest value of an affine form (a row over all columns) at integer points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map, Optimum, Row};
    /// let map = Map::parse("{ [i] -> [j] : 3i <= 8 and j <= i }")?;
    /// // i + j, over [constant | i | j].
    /// let greatest =
    ///     map.basic_maps()[0].maximum(&Row::from_i64s(&[0, 1, 1]), &Budget::unlimited())?;
    /// assert_eq!(greatest, Optimum::At(Int::from(4)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn maximum(&self, form: &Row, budget: &Budget) -> Result<Optimum> {
        let mut negated = form.clone();
        negated.negate();
        Ok(match self.minimum(&negated, budget)? {
            Optimum::At(value) => Optimum::At(-value),
            other => other,
        })
    }

    /// The least value of an affine form (a row over all columns) at rational points; a bound on
    /// that at integer points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map, Optimum, Rational, RationalOptimum, Row};
    /// let budget = &Budget::unlimited();
    /// let map = Map::parse("{ [i] -> [j] : i + 2j >= 1 and i - 2j >= 0 }")?;
    /// let basic = &map.basic_maps()[0];
    /// // i, over [constant | i | j].
    /// let form = Row::from_i64s(&[0, 1, 0]);
    /// let half = Rational::new(Int::from(1), Int::from(2));
    /// assert_eq!(basic.rational_minimum(&form, budget)?, RationalOptimum::At(half));
    /// assert_eq!(basic.minimum(&form, budget)?, Optimum::At(Int::from(1)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn rational_minimum(&self, form: &Row, budget: &Budget) -> Result<RationalOptimum> {
        Tableau::from_basic_map(self, budget)?.minimum(form, budget)
    }
}
