//! Repeated questions about the integer points of one system.
//!
//! Simplification asks of one system again and again whether some of its points satisfy a further
//! inequality. The answers share their work:
//!
//! * points that were found are kept: one of them answers most questions with yes;
//! * one simplex tableau answers most of the others with no, if no rational point satisfies the
//!   inequality, or with yes, if the vertex that does is integral or has an integral neighbour;
//! * what is left is a search of its own ([`System::find_point`]).
use crate::core::basic_relation::{BasicRelation, floor_bounds};
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::Result;
use crate::core::space::DimKind;
use crate::solve::optimum::Optimum;
use crate::solve::simplex::{RationalOptimum, Tableau};
use crate::solve::system::System;
use loopwright_exact::{Int, Rational, Row};

/// Points that are kept.
const MAX_POINTS: usize = 24;

/// A system and what is known about its points.
#[derive(Clone, Debug)]
pub(crate) struct PointSearch {
    system: System,
    tableau: Option<Tableau>,
    /// Rows `[1 | values]`.
    points: Vec<Row>,
    /// The columns that are floors of earlier columns.
    floors: Vec<Floor>,
}

/// `column = ⌊numerator / denominator⌋`.
#[derive(Clone, Debug)]
struct Floor {
    column: usize,
    numerator: Row,
    denominator: Int,
}

impl Floor {
    /// Sets the value of the column.
    fn complete(&self, point: &mut Row) {
        point.set(self.column, Int::ZERO);
        let value = self.numerator.dot(point).div_floor(&self.denominator);
        point.set(self.column, value);
    }

    /// The inequalities that define the floor.
    fn bounds(&self) -> [Row; 2] {
        floor_bounds(&self.numerator, &self.denominator, self.column)
    }
}

impl PointSearch {
    /// The constraints of a system, including those that define its floors.
    pub(crate) fn new(data: &BasicRelation) -> Self {
        let first = data.offset(DimKind::Local);
        let floor = |(index, local): (usize, &Local)| match local {
            Local::Unknown => None,
            Local::Floor { numerator, denominator } => Some(Floor {
                column: first + index,
                numerator: numerator.clone(),
                denominator: denominator.clone(),
            }),
        };
        PointSearch {
            system: System::from_data(data),
            tableau: None,
            points: Vec::new(),
            floors: data.locals.iter().enumerate().filter_map(floor).collect(),
        }
    }

    /// The constraints of a system and their tableau.
    pub(crate) fn with_tableau(system: System, tableau: Tableau) -> Self {
        PointSearch { system, tableau: Some(tableau), points: Vec::new(), floors: Vec::new() }
    }

    /// Appends the column of a floor of the other columns.
    pub(crate) fn add_floor(&mut self, mut numerator: Row, denominator: Int) {
        let column = self.system.width;
        let system = &mut self.system;
        system.width += 1;
        let numerators = self.floors.iter_mut().map(|floor| &mut floor.numerator);
        let rows = system.equalities.iter_mut().chain(&mut system.inequalities);
        for row in rows.chain(&mut self.points).chain(numerators) {
            row.push(Int::ZERO);
        }
        numerator.insert_zeros(numerator.len(), system.width - numerator.len());
        let floor = Floor { column, numerator, denominator };
        self.points.iter_mut().for_each(|point| floor.complete(point));
        system.inequalities.extend(floor.bounds());
        self.tableau = None;
        self.floors.push(floor);
    }

    /// Whether there is no point.
    pub(crate) fn is_empty(&mut self, budget: &Budget) -> Result<bool> {
        Ok(self.point(budget)?.is_none())
    }

    /// Some point.
    pub(crate) fn point(&mut self, budget: &Budget) -> Result<Option<&Row>> {
        if self.points.is_empty() {
            let found = match self.guess(0) {
                Some(point) => Some(point),
                None => self.system.clone().find_point(budget)?,
            };
            self.points.extend(found);
        }
        Ok(self.points.first())
    }

    /// Whether a point is known or found without a search.
    pub(crate) fn finds_at_once(&mut self) -> bool {
        if self.points.is_empty() {
            let found = self.guess(0);
            self.keep(found);
        }
        !self.points.is_empty()
    }

    /// A point that is found without a search.
    fn guess(&self, start: i64) -> Option<Row> {
        let n_free = self.floors.first().map_or(self.system.width, |floor| floor.column);
        self.system.guess_point(start, n_free, |point| {
            self.floors.iter().for_each(|floor| floor.complete(point));
        })
    }

    /// Adds points that lie far from others, if that is easy.
    pub(crate) fn spread(&mut self, distance: i64) {
        for start in [distance, -distance] {
            let far = self.guess(start).filter(|point| !self.points.contains(point));
            self.keep(far);
        }
    }

    /// The points that have been found, as rows `[1 | values]`.
    pub(crate) fn points(&self) -> &[Row] {
        &self.points
    }

    /// Takes over the points of a part of this system whose first columns are the same; the columns
    /// behind them are floors here.
    pub(crate) fn adopt_points(&mut self, part: &PointSearch, n_shared: usize) {
        if n_shared + self.floors.len() < self.system.width {
            return;
        }
        for point in part.points.iter().take(MAX_POINTS - self.points.len()) {
            let mut point = point.slice(0..n_shared);
            point.insert_zeros(n_shared, self.system.width - n_shared);
            self.floors.iter().for_each(|floor| floor.complete(&mut point));
            self.points.push(point);
        }
    }

    /// All constraints, including those that define floors.
    pub(crate) fn system(&self) -> &System {
        &self.system
    }

    /// Whether a known point satisfies `row >= 0`.
    pub(crate) fn is_seen(&self, row: &Row) -> bool {
        self.points.iter().any(|point| !row.dot(point).is_negative())
    }

    /// Whether some point satisfies `row >= 0`.
    pub(crate) fn is_possible(&mut self, row: &Row, budget: &Budget) -> Result<bool> {
        Ok(self.is_seen(row) || self.find_beyond(row, budget)?)
    }

    /// Some point with `row >= 0`.
    pub(crate) fn point_beyond(&mut self, row: &Row, budget: &Budget) -> Result<Option<&Row>> {
        if let Some(index) = self.points.iter().position(|point| !row.dot(point).is_negative()) {
            return Ok(Some(&self.points[index]));
        }
        Ok(if self.find_beyond(row, budget)? { self.points.last() } else { None })
    }

    /// Looks for a new point with `row >= 0`; if there is one, it becomes the last known one.
    fn find_beyond(&mut self, row: &Row, budget: &Budget) -> Result<bool> {
        let mut opposite = row.clone();
        opposite.negate();
        opposite.add_at(0, &Int::MINUS_ONE);
        let tableau = self.tableau(budget)?;
        if tableau.implies_at_integers(&opposite, budget)? {
            return Ok(false);
        }
        let found = match self.point_near_sample(row) {
            Some(point) => Some(point),
            None => self.system.with_inequality(row.clone()).find_point(budget)?,
        };
        Ok(self.keep(found))
    }

    /// Whether some rational point satisfies `row >= 0` (false only if no integer point does).
    pub(crate) fn is_rationally_possible(&mut self, row: &Row, budget: &Budget) -> Result<bool> {
        if self.is_seen(row) {
            return Ok(true);
        }
        let mut opposite = row.clone();
        opposite.negate();
        opposite.add_at(0, &Int::MINUS_ONE);
        if self.tableau(budget)?.implies_at_integers(&opposite, budget)? {
            return Ok(false);
        }
        let found = self.point_near_sample(row);
        self.keep(found);
        Ok(true)
    }

    /// A point with `row >= 0` next to the sample of the tableau: the other columns are rounded in
    /// one direction, floors follow from them.
    fn point_near_sample(&self, row: &Row) -> Option<Row> {
        let sample = self.tableau.as_ref()?.sample()?;
        [Rational::floor, Rational::ceil].into_iter().find_map(|round: fn(&Rational) -> Int| {
            let mut point: Row =
                std::iter::once(Int::ONE).chain(sample.iter().map(round)).collect();
            self.floors.iter().for_each(|floor| floor.complete(&mut point));
            let fits = !row.dot(&point).is_negative() && self.system.contains(&point);
            fits.then_some(point)
        })
    }

    /// Whether some point satisfies all of these equalities and inequalities.
    pub(crate) fn meets(
        &mut self,
        equalities: &[Row],
        inequalities: &[Row],
        budget: &Budget,
    ) -> Result<bool> {
        let is_met = |point: &Row| {
            equalities.iter().all(|row| row.dot(point).is_zero())
                && inequalities.iter().all(|row| !row.dot(point).is_negative())
        };
        if self.points.iter().any(is_met) {
            return Ok(true);
        }
        let mut system = self.system.clone();
        system.equalities.extend(equalities.iter().cloned());
        system.inequalities.extend(inequalities.iter().cloned());
        let found = system.find_point(budget)?;
        Ok(self.keep(found))
    }

    /// Whether `row >= 0` at all points.
    pub(crate) fn implies(&mut self, row: &Row, budget: &Budget) -> Result<bool> {
        let mut violated = row.clone();
        violated.negate();
        violated.add_at(0, &Int::MINUS_ONE);
        Ok(!self.is_possible(&violated, budget)?)
    }

    /// The least value of an affine form.
    pub(crate) fn minimum(&mut self, form: &Row, budget: &Budget) -> Result<Optimum> {
        let tableau = self.tableau(budget)?;
        let least = match tableau.minimum(form, budget)? {
            RationalOptimum::Empty => return Ok(Optimum::Empty),
            RationalOptimum::Unbounded => {
                let is_empty = self.is_empty(budget)?;
                return Ok(if is_empty { Optimum::Empty } else { Optimum::Unbounded });
            }
            RationalOptimum::At(value) => value.ceil(),
        };
        if let Some(sample) = tableau.integer_sample() {
            let found = Some(std::iter::once(Int::ONE).chain(sample).collect());
            self.keep(found);
            return Ok(Optimum::At(least));
        }
        if self.is_empty(budget)? {
            return Ok(Optimum::Empty);
        }
        let known = self.points.iter().min_by_key(|point| form.dot(point));
        let known = known.cloned().expect("a point is known");
        if form.dot(&known) == least {
            return Ok(Optimum::At(least));
        }
        let point = self.system.least_point(form, least, known, budget)?;
        let value = form.dot(&point);
        self.keep(Some(point));
        Ok(Optimum::At(value))
    }

    /// The search among the points with `row >= 0`.
    pub(crate) fn restricted(&mut self, row: Row, budget: &Budget) -> Result<Self> {
        self.tableau(budget)?;
        let mut part = self.clone();
        part.add_inequality(row, budget)?;
        Ok(part)
    }

    /// Restricts the system to `row >= 0`.
    pub(crate) fn add_inequality(&mut self, row: Row, budget: &Budget) -> Result<()> {
        self.points.retain(|point| !row.dot(point).is_negative());
        if let Some(tableau) = &mut self.tableau {
            tableau.add_inequality(&row, budget)?;
        }
        self.system.inequalities.push(row);
        Ok(())
    }

    /// Restricts the system to `row = 0`.
    pub(crate) fn add_equality(&mut self, row: Row, budget: &Budget) -> Result<()> {
        self.points.retain(|point| row.dot(point).is_zero());
        if let Some(tableau) = &mut self.tableau {
            tableau.add_equality(&row, budget)?;
        }
        self.system.equalities.push(row);
        Ok(())
    }

    /// The tableau of the system, built when it is needed for the first time.
    pub(crate) fn tableau(&mut self, budget: &Budget) -> Result<&mut Tableau> {
        if self.tableau.is_none() {
            self.tableau = Some(self.system.tableau(budget)?);
        }
        Ok(self.tableau.as_mut().expect("the tableau has just been built"))
    }

    /// Remembers a point; whether there is one.
    pub(crate) fn keep(&mut self, point: Option<Row>) -> bool {
        let is_found = point.is_some();
        if is_found && self.points.len() >= MAX_POINTS {
            self.points.remove(0);
        }
        self.points.extend(point);
        is_found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::space::Space;
    use crate::core::tuple::Tuple;
    use crate::random_rows::Generator;
    use crate::solve::cutting_planes;

    const HALF: i64 = 4;

    /// A system of random rows over two dimensions in a square and a floor of them, and its points.
    fn random_system(generator: &mut Generator) -> (BasicRelation, Vec<Row>) {
        let numerator = generator.row(4, 7, 9);
        let mut locals = vec![Local::Floor { numerator, denominator: Int::from(5) }];
        if let Local::Floor { numerator, .. } = &mut locals[0] {
            numerator.set(3, Int::ZERO);
        }
        let mut data = BasicRelation::new(Space::set(&[], Tuple::anonymous(2)), locals);
        data.inequalities = (0..3).map(|_| generator.row(4, 8, 12)).collect();
        for row in [[HALF, 1, 0, 0], [HALF, -1, 0, 0], [HALF, 0, 1, 0], [HALF, 0, -1, 0]] {
            data.inequalities.push(Row::from_i64s(&row));
        }
        let search = PointSearch::new(&data);
        let mut points = Vec::new();
        for x in -HALF..=HALF {
            for y in -HALF..=HALF {
                let mut point = Row::from_i64s(&[1, x, y, 0]);
                search.floors.iter().for_each(|floor| floor.complete(&mut point));
                points.extend(search.system.contains(&point).then_some(point));
            }
        }
        (data, points)
    }

    #[test]
    fn answers_agree_with_enumeration() {
        let mut generator = Generator::new(21);
        let budget = Budget::unlimited();
        for _ in 0..200 {
            let (data, points) = random_system(&mut generator);
            let mut search = PointSearch::new(&data);
            assert_eq!(search.is_empty(&budget).unwrap(), points.is_empty(), "{data:?}");
            for _ in 0..6 {
                let row = generator.row(4, 9, 30);
                let expected = points.iter().any(|point| !row.dot(point).is_negative());
                assert_eq!(search.is_possible(&row, &budget).unwrap(), expected, "{row} {data:?}");
                let least = points.iter().map(|point| row.dot(point)).min();
                let least = least.map_or(Optimum::Empty, Optimum::At);
                assert_eq!(search.minimum(&row, &budget).unwrap(), least, "{row} {data:?}");
            }
        }
    }

    #[test]
    fn searches_of_parts_and_with_floors_agree_with_enumeration() {
        let mut generator = Generator::new(22);
        let budget = Budget::unlimited();
        for _ in 0..200 {
            let (data, points) = random_system(&mut generator);
            let cut = generator.row(4, 5, 9);
            let mut part = PointSearch::new(&data).restricted(cut.clone(), &budget).unwrap();
            let floor =
                Floor { column: 4, numerator: generator.row(4, 3, 5), denominator: 3.into() };
            part.add_floor(floor.numerator.clone(), floor.denominator.clone());
            let floor = &part.floors[1].clone();
            let row = generator.row(5, 6, 20);
            let expected =
                points.iter().filter(|point| !cut.dot(point).is_negative()).any(|point| {
                    let mut point = point.clone();
                    point.push(Int::ZERO);
                    floor.complete(&mut point);
                    !row.dot(&point).is_negative()
                });
            assert_eq!(part.is_possible(&row, &budget).unwrap(), expected, "{row} {cut} {data:?}");
        }
    }

    #[test]
    fn cutting_planes_agree_with_enumeration() {
        let mut generator = Generator::new(23);
        let budget = Budget::unlimited();
        let mut n_decided = 0;
        for _ in 0..300 {
            let (data, points) = random_system(&mut generator);
            let system = System::from_data(&data);
            let found = cutting_planes::find_point(4, &system.inequalities, &budget).unwrap();
            let Some(found) = found else { continue };
            n_decided += 1;
            assert_eq!(found.is_some(), !points.is_empty(), "{data:?}");
            assert!(found.is_none_or(|point| points.contains(&point)), "{data:?}");
        }
        assert!(n_decided > 290, "{n_decided} of 300 systems are decided");
    }
}
