//! Floors: of fixed columns, as variables, and by residues.
use crate::count::summand::{Floor, Summand};
use crate::polynomials::sparse::Polynomial;
use loopwright_exact::{Int, Row};

/// `numerator = divisor * whole + rest`: small coefficients in the rest, its constant from 0 on.
pub(super) fn reduced(numerator: &Row, divisor: &Int) -> (Row, Row) {
    let two = Int::from(2);
    let whole: Row = numerator
        .iter()
        .enumerate()
        .map(|(column, value)| match column {
            0 => value.div_floor(divisor),
            _ => (&two * &value - divisor).div_ceil(&(&two * divisor)),
        })
        .collect();
    let mut rest = numerator.clone();
    rest.add_scaled(&-divisor, &whole);
    (whole, rest)
}

impl Summand {
    /// The column of a floor of fixed columns, which may be new.
    pub(super) fn fixed_floor(&mut self, floor: Floor) -> usize {
        let width = self.first_variable();
        let same = |known: &Floor| {
            known.denominator == floor.denominator
                && known.numerator.widened(width) == floor.numerator
        };
        match self.floors.iter().position(same) {
            Some(index) => self.first_floor + index,
            None => self.push_floor(floor),
        }
    }

    /// A variable whose definition has no variables becomes a floor; whether there was one.
    pub(super) fn fix_floor(&mut self) -> bool {
        let defined = |variable: &Option<Floor>| {
            variable.as_ref().is_some_and(|floor| self.is_fixed(&floor.numerator))
        };
        let Some(index) = self.variables.iter().position(defined) else { return false };
        let Some(Floor { numerator, denominator }) = self.variables[index].take() else {
            return false;
        };
        let value = self.floor_of(&numerator, &denominator);
        let column = self.first_variable() + index;
        self.substitute(column, &value);
        true
    }

    /// The integer part of an expression in all columns as a row: a floor of fixed columns or a
    /// new variable is added unless there is one.
    pub(super) fn floor_of(&mut self, numerator: &Row, divisor: &Int) -> Row {
        let (mut whole, rest, divisor) = self.shortened(numerator, divisor);
        let Some(lead) = rest.first_nonzero(1..rest.len()) else { return whole };
        let (mut rest, mut sign) = (rest, Int::ONE);
        if rest.sign(lead) < 0 {
            // ⌊-r/d⌋ = -⌊(r + d - 1)/d⌋
            rest.negate();
            rest.add_at(0, &(&divisor - &Int::ONE));
            let (more, less) = reduced(&rest, &divisor);
            whole.add_scaled(&Int::MINUS_ONE, &more);
            (rest, sign) = (less, Int::MINUS_ONE);
        }
        if let Some(value) = self.constant_floor(&rest, &divisor) {
            whole.add_at(0, &(&sign * &value));
            return whole;
        }
        let (first, before) = (self.first_variable(), self.width());
        let at = match self.is_fixed(&rest) {
            true => {
                let numerator = rest.slice(0..first);
                self.fixed_floor(Floor { numerator, denominator: divisor })
            }
            false => self.defined_variable(Floor { numerator: rest, denominator: divisor }),
        };
        whole.insert_zeros(at.min(before), self.width() - before);
        whole.add_at(at, &sign);
        whole
    }

    /// `numerator/divisor` has the integer part `whole + ⌊rest/small⌋`: `rest` has small coefficients without
    /// a common divisor, and none of those that equalities of fixed columns make multiples of the divisor.
    fn shortened(&self, numerator: &Row, divisor: &Int) -> (Row, Row, Int) {
        let (mut whole, mut rest) = reduced(numerator, divisor);
        let n_terms = |row: &Row| (1..row.len()).filter(|&column| !row.is_zero_at(column)).count();
        for row in self.equalities.iter().filter(|row| self.is_fixed(row)) {
            let units = (1..self.first_variable()).filter(|&column| row.get(column).abs().is_one());
            for column in units.filter(|&column| !rest.is_zero_at(column)) {
                let mut other = rest.clone();
                other.add_scaled(&-(&rest.get(column) * &row.get(column)), row);
                let (more, less) = reduced(&other, divisor);
                if n_terms(&less) < n_terms(&rest) {
                    whole.add_scaled(&Int::ONE, &more);
                    rest = less;
                    break;
                }
            }
        }
        let common = rest.gcd(1..rest.len()).gcd(divisor);
        if common.is_zero() || common.is_one() {
            return (whole, rest, divisor.clone());
        }
        let constant = rest.get(0).div_floor(&common);
        rest.set(0, Int::ZERO);
        rest.div_exact(&common);
        rest.set(0, constant);
        (whole, rest, divisor.div_exact(&common))
    }

    /// The value of a floor of fixed columns that the bounds of single ones leave.
    fn constant_floor(&self, numerator: &Row, divisor: &Int) -> Option<Int> {
        let (mut least, mut most) = (numerator.get(0), numerator.get(0));
        for column in (1..numerator.len()).filter(|&column| !numerator.is_zero_at(column)) {
            if column >= self.first_variable() {
                return None;
            }
            let (factor, (lower, upper)) = (numerator.get(column), self.bounds_of(column)?);
            let (at_lower, at_upper) = (&factor * &lower, &factor * &upper);
            let is_rising = !factor.is_negative();
            least += if is_rising { &at_lower } else { &at_upper };
            most += if is_rising { &at_upper } else { &at_lower };
        }
        let value = least.div_floor(divisor);
        (value == most.div_floor(divisor)).then_some(value)
    }

    /// The range of a column by inequalities with no other one.
    fn bounds_of(&self, column: usize) -> Option<(Int, Int)> {
        let (mut lower, mut upper): (Option<Int>, Option<Int>) = (None, None);
        let is_alone = |row: &&Row| {
            row.first_nonzero(1..row.len()) == Some(column)
                && row.last_nonzero(1..row.len()) == Some(column)
        };
        for row in self.inequalities.iter().filter(is_alone) {
            let (constant, factor) = (row.get(0), row.get(column));
            if factor.is_negative() {
                let bound = constant.div_floor(&-factor);
                upper = Some(upper.map_or(bound.clone(), |known| known.min(bound)));
            } else {
                let bound = (-constant).div_ceil(&factor);
                lower = Some(lower.map_or(bound.clone(), |known| known.max(bound)));
            }
        }
        Some((lower?, upper?))
    }

    /// The column of the variable with a definition, which may be new.
    fn defined_variable(&mut self, floor: Floor) -> usize {
        match self.variables.iter().position(|known| known.as_ref() == Some(&floor)) {
            Some(index) => self.first_variable() + index,
            None => self.push_variable(Some(floor)),
        }
    }

    /// The number by which a variable must change so that the floors of it change by integers; 1
    /// if there are none.
    pub(super) fn period(&self, column: usize) -> Int {
        let floors = self.variables.iter().flatten();
        let involved = floors.filter(|floor| !floor.numerator.is_zero_at(column));
        involved.fold(Int::ONE, |period, floor| {
            let common = floor.denominator.gcd(&floor.numerator.get(column));
            period.lcm(&floor.denominator.div_exact(&common))
        })
    }

    /// The parts in which a variable is `period z + r`, for every `r`. What bounds of the variable say about
    /// others goes with them: then the sums for all `r` are right for the same parameters, where those with
    /// few points have none for some.
    pub(super) fn residues(&self, column: usize, period: i64) -> Vec<Summand> {
        let mut whole = self.clone();
        whole.inequalities.extend(self.shadows(column));
        (0..period).map(|residue| whole.residue(column, &Int::from(period), residue)).collect()
    }

    /// The conditions on fixed columns that pairs of bounds of a variable say.
    fn shadows(&self, column: usize) -> Vec<Row> {
        let of_sign =
            |sign: i32| self.inequalities.iter().filter(move |row| row.sign(column) == sign);
        let pairs = of_sign(1).flat_map(|low| of_sign(-1).map(move |high| (low, high)));
        let shadow = |(low, high): (&Row, &Row)| {
            let mut shadow = low.clone();
            shadow.combine(&-high.get(column), &low.get(column), high);
            shadow.reduce();
            shadow
        };
        let shadows = pairs.map(shadow);
        shadows
            .filter(|row| self.is_fixed(row) && row.first_nonzero(1..row.len()).is_some())
            .collect()
    }

    fn residue(&self, column: usize, period: &Int, residue: i64) -> Summand {
        let residue = Int::from(residue);
        let mut part = self.clone();
        part.is_part = true;
        part.rows_mut().for_each(|row| {
            let factor = row.get(column);
            row.add_at(0, &(&factor * &residue));
            row.set(column, &factor * period);
        });
        let mut value = Row::zeros(part.width());
        value.set(0, residue);
        value.set(column, period.clone());
        part.weight = part.weight.substituted(column, &Polynomial::from_row(&value, &Int::ONE));
        let first = part.first_variable();
        for index in 0..part.variables.len() {
            let Some(floor) = part.variables[index].as_mut() else { continue };
            // (A floor of a floor that has changed may have the variable again: it keeps it.)
            let factor = floor.numerator.get(column);
            if factor.is_zero() || !factor.is_divisible_by(&floor.denominator) {
                continue;
            }
            floor.numerator.set(column, Int::ZERO);
            let definition = floor.clone();
            part.shear(first + index, &factor.div_exact(&definition.denominator), column);
            part.variables[index] = Some(definition);
        }
        part
    }
}
