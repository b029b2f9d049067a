//! Repeated questions about the integer points of one system.
//!
//! Simplification asks of one system again and again whether some of its points satisfy a further
//! inequality. The answers share their work:
//!
//! * points that were found are kept: one of them answers most questions with yes;
//! * one simplex tableau answers most of the others with no, if no rational point satisfies the
//!   inequality, or with yes, if the vertex that does is integral or has an integral neighbour;
//! * what is left is a search of its own ([`System::find_point`]).
use crate::basic_map::BasicData;
use crate::lexmin_problem::floor_bounds;
use crate::sample::System;
use crate::*;

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
    pub(crate) fn new(data: &BasicData) -> Self {
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
        if self.points.is_empty() {
            let found = self.system.clone().find_point(budget)?;
            self.points.extend(found);
        }
        Ok(self.points.is_empty())
    }

    /// Whether a known point satisfies `row >= 0`.
    pub(crate) fn is_seen(&self, row: &Row) -> bool {
        self.points.iter().any(|point| !row.dot(point).is_negative())
    }

    /// Whether some point satisfies `row >= 0`.
    pub(crate) fn is_possible(&mut self, row: &Row, budget: &Budget) -> Result<bool> {
        if self.is_seen(row) {
            return Ok(true);
        }
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
        if let RationalOptimum::At(value) = tableau.minimum(form, budget)?
            && let Some(sample) = tableau.integer_sample()
        {
            let found = Some(std::iter::once(Int::ONE).chain(sample).collect());
            self.keep(found);
            return Ok(Optimum::At(value.ceil()));
        }
        self.system.minimum(form, budget)
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

    /// The tableau of the system, built when it is needed for the first time.
    fn tableau(&mut self, budget: &Budget) -> Result<&mut Tableau> {
        if self.tableau.is_none() {
            let mut tableau = Tableau::new(self.system.width - 1);
            for row in &self.system.equalities {
                tableau.add_equality(row, budget)?;
            }
            for row in &self.system.inequalities {
                tableau.add_inequality(row, budget)?;
            }
            self.tableau = Some(tableau);
        }
        Ok(self.tableau.as_mut().expect("the tableau has just been built"))
    }

    /// Remembers a point; whether there is one.
    fn keep(&mut self, point: Option<Row>) -> bool {
        let is_found = point.is_some();
        if self.points.len() >= MAX_POINTS {
            self.points.remove(0);
        }
        self.points.extend(point);
        is_found
    }
}
