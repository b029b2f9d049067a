//! Integer points of basic sets: emptiness and samples.
//!
//! # Method
//! A system of affine constraints is made smaller as long as that is cheap and exact; every step
//! is recorded, so that a point of the smaller system leads back to a point of the original one:
//!
//! 1. Coefficients are divided by their greatest common divisor; the constant of an inequality is
//!    rounded down, an equality whose constant is not divisible has no solution. Of parallel
//!    inequalities the tighter one stays; two opposite ones contradict each other or, if they
//!    leave one value, are an equality.
//! 2. An equality with a unit coefficient replaces that variable. Other equalities are solved by
//!    the Hermite normal form: `x = particular + basis * t`.
//! 3. A variable without lower or without upper bounds can always satisfy its constraints, which
//!    are dropped. A variable whose lower (or upper) bounds all have unit coefficients is
//!    eliminated exactly by Fourier and Motzkin's method if that does not add rows: if
//!    `x >= -alpha` is an integer bound, then `-alpha` lies below every upper bound iff some
//!    integer does.
//! 4. What remains is searched: a rational point that is integral or can be rounded, equalities of pairs of
//!    windows ([`crate::solve::windows`]) and implicit equalities (which lead back to 2), cutting planes
//!    ([`crate::solve::cutting_planes`]), a few nodes of branch and bound.
//! 5. The complete fallback cuts the set into slices along a thin direction (`slices.rs`).
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::solve::cutting_planes;
use crate::solve::elimination::integer_solutions;
use crate::solve::simplex::Tableau;
use crate::solve::system::System;
use crate::solve::windows::{Implied, implied_by_windows};
use loopwright_exact::{Int, Row};

/// Nodes of branch and bound before slices are searched.
const BRANCH_NODES: usize = 24;

impl System {
    /// An integer point as a row `[1 | values]`, or none if there is none.
    pub(crate) fn find_point(mut self, budget: &Budget) -> Result<Option<Row>> {
        let mut eliminations = Vec::new();
        if self.simplify(&mut eliminations, budget)?.is_err() {
            return Ok(None);
        }
        let live = self.live_columns();
        let mut point = Row::zeros(self.width);
        point.set(0, Int::ONE);
        if !live.is_empty() {
            let small = self.restrict(&live);
            let found = if small.equalities.is_empty() {
                small.search(budget)?
            } else {
                small.solve_equalities(budget)?
            };
            let Some(found) = found else { return Ok(None) };
            for (i, &column) in live.iter().enumerate() {
                point.set(column, found.get(i + 1));
            }
        }
        for elimination in eliminations.iter().rev() {
            elimination.complete(&mut point);
        }
        Ok(Some(point))
    }

    /// Step 2 for equalities without unit coefficients.
    fn solve_equalities(self, budget: &Budget) -> Result<Option<Row>> {
        budget.spend((self.equalities.len() * self.width) as u64, "integer emptiness")?;
        let Some(change) = integer_solutions(&self.equalities, self.width) else {
            return Ok(None);
        };
        let inner = self.change(&change);
        Ok(inner.find_point(budget)?.map(|t| change.left_mul(&t)))
    }

    /// Steps 4 and 5, for a system of inequalities.
    fn search(self, budget: &Budget) -> Result<Option<Row>> {
        let mut tableau = Tableau::new(self.width - 1);
        let mut ids = Vec::with_capacity(self.inequalities.len());
        for row in &self.inequalities {
            ids.push(tableau.add_inequality(row, budget)?);
            if tableau.is_empty() {
                return Ok(None);
            }
        }
        if let Some(point) = self.nearby_point(&tableau) {
            return Ok(Some(point));
        }
        match implied_by_windows(&self.inequalities, budget)? {
            Implied::NoPoint => return Ok(None),
            Implied::Equalities(equalities) => {
                return System { equalities, ..self }.find_point(budget);
            }
            Implied::Nothing => {}
        }
        let mut implicit = Vec::new();
        for (id, row) in ids.iter().zip(&self.inequalities) {
            if tableau.fix_if_always_zero(*id, budget)? {
                implicit.push(row.clone());
            }
        }
        if !implicit.is_empty() {
            return System { equalities: implicit, ..self }.find_point(budget);
        }
        if let Some(answer) = cutting_planes::find_point(self.width, &self.inequalities, budget)? {
            return Ok(answer);
        }
        match self.branch(tableau, budget)? {
            Some(answer) => Ok(answer),
            None => self.search_slices(budget),
        }
    }

    /// The sample of the tableau, or its values rounded down or up, if integral and in the set.
    pub(crate) fn nearby_point(&self, tableau: &Tableau) -> Option<Row> {
        if let Some(values) = tableau.integer_sample() {
            return Some(std::iter::once(Int::ONE).chain(values).collect());
        }
        let values = tableau.sample()?;
        let floor: Row =
            std::iter::once(Int::ONE).chain(values.iter().map(|value| value.floor())).collect();
        let ceil: Row =
            std::iter::once(Int::ONE).chain(values.iter().map(|value| value.ceil())).collect();
        [floor, ceil].into_iter().find(|point| self.contains(point))
    }

    /// Branch and bound on fractional values of the sample. `None` if the limit of nodes was
    /// reached before an answer.
    fn branch(&self, root: Tableau, budget: &Budget) -> Result<Option<Option<Row>>> {
        let mut stack = vec![root];
        for _ in 0..BRANCH_NODES {
            let Some(tableau) = stack.pop() else { return Ok(Some(None)) };
            if tableau.is_empty() {
                continue;
            }
            if let Some(point) = self.nearby_point(&tableau) {
                return Ok(Some(Some(point)));
            }
            let values = tableau.sample().expect("the tableau is not empty");
            let (variable, value) = values
                .iter()
                .enumerate()
                .find(|(_, value)| !value.is_integer())
                .expect("an integral sample is a nearby point");
            let mut above = Row::unit(self.width, variable + 1);
            above.set(0, -value.ceil());
            let mut below = Row::unit(self.width, variable + 1);
            below.negate();
            below.set(0, value.floor());
            let mut first = tableau.clone();
            first.add_inequality(&above, budget)?;
            stack.push(first);
            let mut second = tableau;
            second.add_inequality(&below, budget)?;
            stack.push(second);
        }
        Ok(stack.iter().all(Tableau::is_empty).then_some(None))
    }
}

impl BasicMap {
    /// Whether there is no integer point (for any value of the parameters).
    ///
    /// Exact and terminating for every set; see the method in the source of this module. Most
    /// sets of loop programs are decided without a simplex tableau.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : 2i = 4j + 1 }")?;
    /// assert!(map.is_empty(&Budget::unlimited())?);
    /// // 3i + 5j = 7 has solutions, but none with 0 <= i, j <= 1.
    /// let map = Map::parse("{ [i] -> [j] : 3i + 5j = 7 and 0 <= i <= 1 and 0 <= j <= 1 }")?;
    /// assert!(
    ///     map.basic_maps().iter().all(|basic| basic.is_empty(&Budget::unlimited()) == Ok(true))
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        Ok(self.sample_columns(budget)?.is_none())
    }

    /// Some integer point: the values of parameters, input and output dimensions; none if empty.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map};
    /// let map = Map::parse("{ [i] -> [j] : 3i + 5j = 14 and i >= 0 and j >= 0 }")?;
    /// let point = map.basic_maps()[0].sample_point(&Budget::unlimited())?;
    /// assert_eq!(point, Some(vec![Int::from(3), Int::from(1)]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn sample_point(&self, budget: &Budget) -> Result<Option<Vec<Int>>> {
        let end = self.offset(DimKind::Local);
        Ok(self.sample_columns(budget)?.map(|point| (1..end).map(|i| point.get(i)).collect()))
    }

    /// Some integer point as a row over all columns: 1, then the values of parameters, dimensions
    /// and locals; none if empty.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Set};
    /// // The columns are [1 | i | floor(i/3)].
    /// let set = Set::parse("{ [i] : 3*floor(i/3) = i - 2 and 4 <= i <= 6 }")?;
    /// let basic = set.basic_sets()[0].clone();
    /// let point = basic.as_basic_map().sample_columns(&Budget::unlimited())?;
    /// assert_eq!(point.unwrap().slice(0..2), Row::from_i64s(&[1, 5]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn sample_columns(&self, budget: &Budget) -> Result<Option<Row>> {
        if self.plain_is_empty() {
            return Ok(None);
        }
        System::from_basic_map(self).find_point(budget)
    }
}

impl Map {
    /// Some integer point: values of parameters, input and output dimensions; none if empty.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map};
    /// let map = Map::parse("{ [i] -> [j] : i = 4 and j = 2i or false }")?;
    /// let point = map.sample_point(&Budget::unlimited())?;
    /// assert_eq!(point, Some(vec![Int::from(4), Int::from(8)]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn sample_point(&self, budget: &Budget) -> Result<Option<Vec<Int>>> {
        for basic in &self.basics {
            if let Some(point) = basic.sample_point(budget)? {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }
}

/// Whether a system has no integer points.
pub(crate) fn data_is_empty(data: &BasicRelation, budget: &Budget) -> Result<bool> {
    Ok(data.empty || System::from_data(data).find_point(budget)?.is_none())
}

impl Set {
    /// Whether there is no integer point for any value of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// assert!(Set::parse("{ [i, j] : 1 <= 2i + 4j <= 1 }")?.is_empty(budget)?);
    /// assert!(!Set::parse("[n] -> { [i] : 0 <= i < n }")?.is_empty(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        self.0.is_empty(budget)
    }

    /// Some integer point: values of parameters, then dimensions; none if empty.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Set};
    /// let budget = &Budget::unlimited();
    /// let set = Set::parse("[n] -> { [i] : n = 7 and 3i = n + 2 }")?;
    /// assert_eq!(set.sample_point(budget)?, Some(vec![Int::from(7), Int::from(3)]));
    /// assert_eq!(Set::parse("{ [i] : 2i = 3 }")?.sample_point(budget)?, None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn sample_point(&self, budget: &Budget) -> Result<Option<Vec<Int>>> {
        self.0.sample_point(budget)
    }
}

impl Map {
    /// Whether there is no integer point for any value of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ S[i] -> A[x] : 2x = 4i + 1 }")?;
    /// assert!(map.is_empty(&Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the budget ends.
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        for (at, basic) in self.basics.iter().enumerate() {
            if !basic.is_empty(budget).during_part("is_empty", at, self.basics.len())? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_rows::Generator;
    use crate::solve::optimum::Optimum;

    /// All integer points of `rows >= 0` in a cube, by enumeration.
    fn enumerate(width: usize, half: i64, mut accept: impl FnMut(&Row) -> bool) -> Vec<Row> {
        let side = 2 * half + 1;
        (0..side.pow(width as u32 - 1))
            .map(|mut index| {
                let mut point = vec![1];
                for _ in 1..width {
                    point.push(index % side - half);
                    index /= side;
                }
                Row::from_i64s(&point)
            })
            .filter(|point| accept(point))
            .collect()
    }

    fn boxed(width: usize, half: i64) -> Vec<Row> {
        let mut rows = Vec::new();
        for column in 1..width {
            for sign in [1, -1] {
                let mut row = vec![0; width];
                row[0] = half;
                row[column] = sign;
                rows.push(Row::from_i64s(&row));
            }
        }
        rows
    }

    fn random_system(generator: &mut Generator, width: usize, half: i64, size: i64) -> System {
        let n_equalities = generator.below(3) / 2;
        let n_inequalities = 1 + generator.below(5);
        let equalities = (0..n_equalities).map(|_| generator.row(width, size, 6)).collect();
        let mut inequalities: Vec<Row> =
            (0..n_inequalities).map(|_| generator.row(width, size, 12)).collect();
        inequalities.extend(boxed(width, half));
        System::new(width, equalities, inequalities)
    }

    #[test]
    fn emptiness_agrees_with_enumeration() {
        let mut generator = Generator::new(1);
        let mut n_empty = 0;
        for case in 0..600 {
            let width = 2 + generator.below(3) as usize;
            let size = if case % 2 == 0 { 3 } else { 9 };
            let system = random_system(&mut generator, width, 4, size);
            let expected = enumerate(width, 4, |point| system.contains(point));
            let budget = Budget::steps(10_000_000);
            let found = system.clone().find_point(&budget).unwrap();
            assert_eq!(found.is_some(), !expected.is_empty(), "{system:?}");
            n_empty += usize::from(found.is_none());
            if let Some(point) = found {
                assert!(system.contains(&point), "{point} is not in {system:?}");
            }
        }
        assert!((100..500).contains(&n_empty), "{n_empty} of 600 cases are empty");
    }

    fn has_rational_point(system: &System) -> bool {
        let budget = Budget::unlimited();
        let mut tableau = Tableau::new(system.width - 1);
        for row in &system.inequalities {
            tableau.add_inequality(row, &budget).unwrap();
        }
        !tableau.is_empty()
    }

    #[test]
    fn slices_alone_agree_with_enumeration() {
        let mut generator = Generator::new(2);
        for _ in 0..300 {
            let width = 3 + generator.below(2) as usize;
            let mut system = random_system(&mut generator, width, 3, 7);
            system.equalities.clear();
            let expected = !enumerate(width, 3, |point| system.contains(point)).is_empty();
            if !has_rational_point(&system) {
                assert!(!expected);
                continue;
            }
            let budget = Budget::steps(10_000_000);
            let found = system.clone().search_slices(&budget).unwrap();
            assert!(found.iter().all(|point| system.contains(point)));
            assert_eq!(found.is_some(), expected, "{system:?}");
        }
    }

    #[test]
    fn slices_of_unbounded_polyhedra() {
        let mut generator = Generator::new(12);
        let budget = Budget::steps(10_000_000);
        for _ in 0..300 {
            let rows = (0..3).map(|_| generator.row(4, 7, 9)).collect();
            let system = System::new(4, Vec::new(), rows);
            if !has_rational_point(&system) {
                continue;
            }
            match system.clone().search_slices(&budget).unwrap() {
                Some(point) => assert!(system.contains(&point), "{system:?}"),
                None => assert!(enumerate(4, 6, |point| system.contains(point)).is_empty()),
            }
        }
    }

    /// Between two lines of the lattice, in a direction that is no axis: however long the strip is,
    /// there are few slices.
    #[test]
    fn a_long_strip_without_integer_points() {
        let far = 10_000_000;
        let rows = [[-1, 3, -6], [2, -3, 6], [far, 1, 0], [far, -1, 0], [far, 0, 1], [far, 0, -1]];
        let rows = rows.iter().map(|row| Row::from_i64s(row)).collect();
        let budget = Budget::steps(100_000);
        assert_eq!(System::new(3, Vec::new(), rows).search_slices(&budget).unwrap(), None);
    }

    #[test]
    fn minimum_agrees_with_enumeration() {
        let mut generator = Generator::new(3);
        for _ in 0..300 {
            let width = 2 + generator.below(3) as usize;
            let system = random_system(&mut generator, width, 4, 5);
            let form = generator.row(width, 5, 5);
            let points = enumerate(width, 4, |point| system.contains(point));
            let expected = points.iter().map(|point| form.dot(point)).min();
            let expected = expected.map_or(Optimum::Empty, Optimum::At);
            let budget = Budget::steps(10_000_000);
            assert_eq!(system.minimum(&form, &budget).unwrap(), expected, "{form} on {system:?}");
        }
    }

    /// `8 <= 11 x + 13 y <= 10`, `-4 <= 7 x - 9 y <= 4` has rational points only (Pugh 1992; here
    /// with the bounds of the example that his paper gives for the dark shadow).
    #[test]
    fn flat_sets_without_integer_points() {
        let rows = [[-27, 11, 13], [45, -11, -13], [10, 7, -9], [4, -7, 9]];
        let rows = rows.iter().map(|row| Row::from_i64s(row)).collect();
        let system = System::new(3, Vec::new(), rows);
        assert!(system.find_point(&Budget::steps(100_000)).unwrap().is_none());
    }

    /// Unbounded in every direction, without integer points: `3 <= 6 x - 4 y + 10 z <= 3`.
    #[test]
    fn unbounded_sets() {
        let rows = vec![Row::from_i64s(&[-3, 6, -4, 10]), Row::from_i64s(&[3, -6, 4, -10])];
        let system = System::new(4, Vec::new(), rows);
        assert!(system.find_point(&Budget::steps(100_000)).unwrap().is_none());
        // 1 <= 6 x - 15 y + 10 z <= 1 has points far from the sample.
        let rows = vec![Row::from_i64s(&[-1, 6, -15, 10]), Row::from_i64s(&[1, -6, 15, -10])];
        let system = System::new(4, Vec::new(), rows);
        let point = system.clone().find_point(&Budget::steps(100_000)).unwrap().unwrap();
        assert!(system.contains(&point));
        let form = Row::from_i64s(&[0, 1, 0, 0]);
        assert_eq!(system.minimum(&form, &Budget::unlimited()).unwrap(), Optimum::Unbounded);
    }
}
