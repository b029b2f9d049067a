//! Variables that equalities determine.
//!
//! By steps of Euclid's algorithm on the coefficients of an equality, which are changes of one
//! variable by an integer multiple of another, one variable `x` is left: `g x + f = 0` with `f` in fixed
//! columns. Then `x = -⌊f/g⌋`, where `g` divides `f`.
use crate::count::summand::Summand;
use crate::polynomials::sparse::Polynomial;
use loopwright_exact::{Int, Row};

impl Summand {
    /// Solves one equality with variables; whether there was one.
    pub(super) fn solve_equality(&mut self) -> bool {
        let columns = self.columns();
        let Some(position) =
            self.equalities.iter().position(|row| row.first_nonzero(columns.clone()).is_some())
        else {
            return false;
        };
        let unit = self.equalities.iter().enumerate().find_map(|(at, row)| {
            let units = columns.clone().filter(|&column| row.get(column).abs().is_one());
            units.min_by_key(|&column| self.definition(column).is_some()).map(|column| (at, column))
        });
        match unit {
            Some((at, column)) => {
                let row = self.equalities.swap_remove(at);
                self.solve_for(column, row);
            }
            None => self.solve_by_euclid(position),
        }
        true
    }

    /// Removes a variable with a unit coefficient in an equality.
    fn solve_for(&mut self, column: usize, mut row: Row) {
        if row.sign(column) > 0 {
            row.negate();
        }
        row.set(column, Int::ZERO);
        self.substitute(column, &row);
    }

    fn solve_by_euclid(&mut self, position: usize) {
        loop {
            let row = self.equalities[position].clone();
            let involved: Vec<usize> =
                self.columns().filter(|&column| !row.is_zero_at(column)).collect();
            let Some(&pivot) = involved.iter().min_by_key(|&&column| row.get(column).abs()) else {
                return;
            };
            if let [only] = involved[..] {
                self.equalities.swap_remove(position);
                return self.solve_fixed(only, row);
            }
            if row.get(pivot).abs().is_one() {
                self.equalities.swap_remove(position);
                return self.solve_for(pivot, row);
            }
            for column in involved.into_iter().filter(|&column| column != pivot) {
                let quotient = row.get(column).div_floor(&row.get(pivot));
                self.shear(pivot, &-quotient, column);
            }
        }
    }

    /// Puts `x + factor * y` in the place of a variable `x`.
    pub(super) fn shear(&mut self, x: usize, factor: &Int, y: usize) {
        self.forget(x);
        self.rows_mut().for_each(|row| {
            let added = row.get(x) * factor;
            row.add_at(y, &added);
        });
        let mut value = Row::unit(self.width(), x);
        value.set(y, factor.clone());
        self.weight = self.weight.substituted(x, &Polynomial::from_row(&value, &Int::ONE));
    }

    /// Solves `g x + f = 0`, where `f` has no variables. That `g` divides `f` is a condition; once
    /// something has been summed it is the factor `⌊f/g⌋ + ⌊-f/g⌋ + 1`, which keeps the parts of
    /// the sum on one domain.
    fn solve_fixed(&mut self, column: usize, mut row: Row) {
        let divisor = row.get(column).abs();
        if row.sign(column) < 0 {
            row.negate();
        }
        row.set(column, Int::ZERO);
        let index = column - self.first_variable();
        self.carried.push(row.clone());
        let quotient = self.floor_of(&row, &divisor);
        self.carried.push(quotient);
        if self.is_part {
            let mut opposite = self.carried[0].clone();
            opposite.negate();
            let mut factor = self.floor_of(&opposite, &divisor);
            factor.add_scaled(&Int::ONE, &self.carried[1]);
            factor.add_at(0, &Int::ONE);
            self.weight = self.weight.times(&Polynomial::from_row(&factor, &Int::ONE));
        } else {
            let mut rest = self.carried[0].clone();
            rest.add_scaled(&-&divisor, &self.carried[1]);
            self.equalities.push(rest);
        }
        let mut value = self.carried.swap_remove(1);
        self.carried.clear();
        value.negate();
        let column = self.first_variable() + index;
        self.substitute(column, &value);
    }
}
