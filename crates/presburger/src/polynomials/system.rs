//! Linear systems over outer columns and variables, for bounds of polynomials.
//!
//! # Columns
//! Rows are `[constant | outer | variables]`. The outer columns are those of a space (parameters, and
//! for a wrapped relation its domain) in which the bound is a function; the variables are the other
//! dimensions and all floors, which are described by their two inequalities.
use crate::core::align_locals::align_locals;
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::constraint::{Constraint, Local};
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Tuple;
use crate::polynomials::qpolynomial::QPolynomial;
use crate::polynomials::sparse::Polynomial;
use loopwright_exact::{Int, Row};

/// Constraints over outer columns and variables.
#[derive(Clone, Debug)]
pub(super) struct System {
    /// The space of the outer columns.
    pub(super) outer: Space,
    pub(super) n_variables: usize,
    pub(super) equalities: Vec<Row>,
    pub(super) inequalities: Vec<Row>,
}

/// The space in which the bounds of functions over a domain are functions themselves: the domain of
/// a wrapped relation, otherwise that of the parameters.
pub(crate) fn outer_space(domain: &Space) -> Space {
    match domain.output().and_then(Tuple::as_nested) {
        Some((first, _)) => domain.with_tuples(None, Some(first.clone())),
        None => domain.to_params(),
    }
}

/// A basic relation with the floors of a polynomial among its own, and the polynomial in its columns.
pub(crate) fn with_floors_of(basic: &BasicMap, q: &QPolynomial) -> (BasicRelation, Polynomial) {
    let mut data = BasicRelation::clone(&basic.inner);
    let first_local = 1 + q.space.n_all();
    let width = first_local + q.locals.len();
    let mut floors = BasicRelation::new(q.space.clone(), q.locals.clone());
    floors.inequalities = (first_local..width).map(|column| Row::unit(width, column)).collect();
    let adopted = align_locals(&mut data, &floors);
    let mut place: Vec<usize> = (0..first_local).collect();
    place.extend(adopted.inequalities.iter().filter_map(|row| row.first_nonzero(0..row.len())));
    let polynomial = q.polynomial.renamed(|column| place[column]);
    (data, polynomial)
}

impl System {
    /// A basic set with the floors of a polynomial over its space, and the polynomial in its columns.
    pub(super) fn new(basic: &BasicMap, q: &QPolynomial) -> (System, Polynomial) {
        let (data, polynomial) = with_floors_of(basic, q);
        let outer = outer_space(basic.space());
        let n_variables = data.n_columns() - 1 - outer.n_all();
        let (equalities, mut inequalities) = (data.equalities.clone(), data.inequalities.clone());
        let first = data.offset(DimKind::Local);
        for (index, local) in data.locals.iter().enumerate() {
            let Local::Floor { numerator, denominator } = local else { continue };
            let mut remainder = numerator.clone();
            remainder.add_at(first + index, &-denominator);
            let mut rest = remainder.clone();
            rest.negate();
            rest.add_at(0, &(denominator - &Int::ONE));
            inequalities.extend([remainder, rest]);
        }
        (System { outer, n_variables, equalities, inequalities }, polynomial)
    }

    /// The same with all columns as variables.
    pub(super) fn over_all_columns(basic: &BasicMap, q: &QPolynomial) -> (System, Polynomial) {
        let (system, polynomial) = System::new(basic, q);
        let n_variables = system.width() - 1;
        (System { outer: Space::params(&[]), n_variables, ..system }, polynomial)
    }

    /// The first column of the variables.
    pub(super) fn first_variable(&self) -> usize {
        1 + self.outer.n_all()
    }

    /// The width of the rows.
    pub(super) fn width(&self) -> usize {
        self.first_variable() + self.n_variables
    }

    /// Whether no integer point satisfies the system and further inequalities.
    pub(super) fn is_empty_with(&self, further: &[Row], budget: &Budget) -> Result<bool> {
        let n = self.width() - 1 - self.outer.n(DimKind::Param);
        let space = self.outer.to_params().with_tuples(None, Some(Tuple::anonymous(n)));
        let equalities = self.equalities.iter().cloned().map(Constraint::equality);
        let all = self.inequalities.iter().chain(further).cloned().map(Constraint::inequality);
        let constraints = equalities.chain(all).collect();
        BasicMap::from_constraints(space, Vec::new(), constraints).is_empty(budget)
    }

    /// Whether the variables are bounded for all values of the outer columns: the recession cone in
    /// the variables is a point.
    pub(super) fn is_bounded(&self, budget: &Budget) -> Result<bool> {
        let first = self.first_variable();
        let directions = |rows: &[Row]| -> Vec<Row> {
            rows.iter()
                .map(|row| {
                    let mut row = row.slice(first..row.len());
                    row.insert_zeros(0, 1);
                    row
                })
                .collect()
        };
        let cone = System {
            outer: Space::params(&[]),
            n_variables: self.n_variables,
            equalities: directions(&self.equalities),
            inequalities: directions(&self.inequalities),
        };
        for variable in 1..=self.n_variables {
            for sign in [1, -1] {
                let mut row = Row::zeros(1 + self.n_variables);
                row.set(0, Int::MINUS_ONE);
                row.set(variable, Int::from(sign));
                if !cone.is_empty_with(&[row], budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The values of the outer columns for which there are integer values of the variables.
    pub(super) fn shadow(&self) -> Set {
        let n_dims = self.outer.n(DimKind::Out);
        let tuple = Tuple::anonymous(n_dims + self.n_variables);
        let space = self.outer.with_tuples(None, Some(tuple));
        let equalities = self.equalities.iter().cloned().map(Constraint::equality);
        let inequalities = self.inequalities.iter().cloned().map(Constraint::inequality);
        let constraints = equalities.chain(inequalities).collect();
        let all = Map::from_basic_map(BasicMap::from_constraints(space, Vec::new(), constraints));
        match self.outer.is_params() {
            true => all.params(),
            false => {
                let left = all.project_out(DimKind::Out, n_dims, self.n_variables);
                Set(left.with_space(self.outer.clone()))
            }
        }
    }

    /// The system and the polynomial without the variables that an equality gives as an integer
    /// combination of the other columns.
    pub(super) fn with_units_solved(&self, polynomial: &Polynomial) -> (System, Polynomial) {
        let (mut system, mut polynomial) = (self.clone(), polynomial.clone());
        while let Some((row, column)) = system.unit_equality() {
            let last = system.width() - 1;
            system = system.with_last_swapped(column);
            let mut row = row;
            row.swap(column, last);
            let value = Polynomial::from_row(&row.slice(0..last), &-row.get(last));
            let swap = |c: usize| match c {
                c if c == column => last,
                c if c == last => column,
                c => c,
            };
            polynomial = polynomial.renamed(swap).substituted(last, &value);
            system = system.with_last_solved(&row);
        }
        (system, polynomial)
    }

    /// An equality in which a variable has the coefficient 1 or -1.
    fn unit_equality(&self) -> Option<(Row, usize)> {
        let variables = || (self.first_variable()..self.width()).rev();
        let unit = |row: &Row| variables().find(|&column| row.get(column).abs().is_one());
        self.equalities.iter().find_map(|row| Some((row.clone(), unit(row)?)))
    }

    /// The system with a variable and the last one exchanged.
    pub(super) fn with_last_swapped(&self, column: usize) -> System {
        let last = self.width() - 1;
        let mut system = self.clone();
        for row in system.equalities.iter_mut().chain(&mut system.inequalities) {
            row.swap(column, last);
        }
        system
    }

    /// The system without its last variable (Fourier-Motzkin elimination), and whether every integer
    /// point of it is known to have an integer value of the variable.
    pub(super) fn without_last(&self) -> (System, bool) {
        let last = self.width() - 1;
        let is_unit = |row: &Row| row.get(last).abs().is_one();
        if let Some(row) = self.equalities.iter().find(|row| !row.is_zero_at(last)) {
            return (self.with_last_solved(row), is_unit(row));
        }
        let of_sign = |sign: i32| -> Vec<&Row> {
            self.inequalities.iter().filter(|row| row.sign(last) == sign).collect()
        };
        let (lower, upper) = (of_sign(1), of_sign(-1));
        let is_exact = lower.iter().all(|row| is_unit(row)) || upper.iter().all(|row| is_unit(row));
        let pairs = lower.iter().flat_map(|low| upper.iter().map(move |high| (low, high)));
        let combined = pairs.map(|(low, high)| {
            let mut row = (*high).clone();
            row.eliminate(last, low);
            row
        });
        let rest = of_sign(0).into_iter().cloned().chain(combined);
        let system = System {
            outer: self.outer.clone(),
            n_variables: self.n_variables - 1,
            equalities: self.equalities.iter().map(|row| row.slice(0..last)).collect(),
            inequalities: rest.map(|row| row.slice(0..last)).collect(),
        };
        (system, is_exact)
    }

    /// The system in which the last variable is the one for which `row` is zero.
    pub(super) fn with_last_solved(&self, row: &Row) -> System {
        let last = self.width() - 1;
        let solved = |rows: &[Row]| -> Vec<Row> {
            let without = |other: &Row| {
                let mut other = other.clone();
                other.eliminate(last, row);
                other.slice(0..last)
            };
            rows.iter().map(without).filter(|row| !row.is_zero()).collect()
        };
        System {
            outer: self.outer.clone(),
            n_variables: self.n_variables - 1,
            equalities: solved(&self.equalities),
            inequalities: solved(&self.inequalities),
        }
    }

    /// The same with one more inequality.
    pub(super) fn with(&self, row: Row) -> System {
        let mut system = self.clone();
        system.inequalities.push(row);
        system
    }
}
