//! Rounding down, with a normal form for floors.
//!
//! A floor `⌊x/d⌋` of an integer form `x` is rewritten by rules that each preserve its value:
//!
//! 1. whole multiples leave: `⌊(x + d y)/d⌋ = ⌊x/d⌋ + y`, until every coefficient lies in
//!    `(-d/2, d/2]` and the constant in `[0, d)`;
//! 2. a common divisor `g` of `d` and the coefficients of `x` is cancelled:
//!    `⌊(g x + c)/(g d)⌋ = ⌊(x + ⌊c/g⌋)/d⌋`;
//! 3. the first coefficient becomes positive: `⌊-x/d⌋ = -⌈x/d⌉ = -⌊(x + d - 1)/d⌋`;
//! 4. a floor inside with coefficient 1 is merged: `⌊(⌊x/a⌋ + y)/b⌋ = ⌊(x + a y)/(a b)⌋`, since `y`
//!    is an integer.
use crate::core::constraint::Local;
use crate::functions::aff::{Aff, numerator_of};
use loopwright_exact::{Int, Row};

impl Aff {
    /// Rounded down.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Int, Rational};
    /// let aff = Aff::parse("{ [i] -> [(i/2 + 3)] }")?;
    /// assert_eq!(aff.floor().to_string(), "{ [i] -> [(3 + floor((i)/2))] }");
    /// assert_eq!(aff.floor().eval(&[Int::from(-3)]), Rational::from(1));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn floor(&self) -> Self {
        if self.nan || self.denominator.is_one() {
            return self.clone();
        }
        let divisor = &self.denominator;
        let (mut whole, mut rest) = split(&self.row, divisor);
        let Some(lead) = rest.first_nonzero(1..rest.len()) else {
            return self.with_row(whole);
        };
        let common = rest.gcd(1..rest.len()).gcd(divisor);
        if !common.is_one() {
            rest.set(0, rest.get(0).div_floor(&common) * &common);
            let reduced = self.with_row(rest).over_denominator(divisor).normalized().floor();
            return self.with_row(whole).plus(&Int::ONE, &reduced);
        }
        let is_negative = rest.sign(lead) < 0;
        if is_negative {
            rest.negate();
            rest.add_at(0, &(divisor - &Int::ONE));
            let (more, less) = split(&rest, divisor);
            whole.add_scaled(&Int::MINUS_ONE, &more);
            rest = less;
        }
        let sign = if is_negative { Int::MINUS_ONE } else { Int::ONE };
        let inner = self.with_row(rest);
        let floor = match inner.merged_with_inner_floor(divisor) {
            Some(merged) => merged.floor(),
            None => inner.as_new_floor(divisor),
        };
        self.with_row(whole).plus(&sign, &floor)
    }

    /// An integer form over the same floors, not normalized.
    fn with_row(&self, row: Row) -> Aff {
        Aff { row, denominator: Int::ONE, ..self.clone() }
    }

    fn over_denominator(mut self, divisor: &Int) -> Aff {
        self.denominator = divisor.clone();
        self
    }

    /// Rule 4: the fraction whose floor is that of `self / divisor`, if it applies.
    fn merged_with_inner_floor(&self, divisor: &Int) -> Option<Aff> {
        let locals = self.first_local()..self.row.len();
        let column = self.row.first_nonzero(locals.clone())?;
        let is_only = self.row.first_nonzero(column + 1..locals.end).is_none();
        if !is_only || !self.row.get(column).is_one() {
            return None;
        }
        let Local::Floor { numerator, denominator } = &self.locals[column - locals.start] else {
            return None;
        };
        let mut row = self.row.clone();
        row.set(column, Int::ZERO);
        row.combine(denominator, &Int::ONE, numerator);
        Some(self.with_row(row).over_denominator(&(denominator * divisor)).normalized())
    }

    /// The expression that is one more floor: of this integer form over `divisor`.
    fn as_new_floor(&self, divisor: &Int) -> Aff {
        let mut form = self.clone().normalized();
        let width = form.row.len() + 1;
        let widen = |row: &Row| {
            let mut row = row.clone();
            row.insert_zeros(width - 1, 1);
            row
        };
        let numerator = widen(&form.row);
        form.locals = form
            .locals
            .iter()
            .map(|local| match local {
                Local::Floor { denominator, .. } => Local::Floor {
                    numerator: widen(numerator_of(local)),
                    denominator: denominator.clone(),
                },
                Local::Unknown => Local::Unknown,
            })
            .collect();
        form.locals.push(Local::Floor { numerator, denominator: divisor.clone() });
        form.row = Row::zeros(width);
        form.row.set(width - 1, Int::ONE);
        form
    }
}

/// `row = divisor * whole + rest`, the coefficients of the rest in `(-d/2, d/2]`, its constant in
/// `[0, d)`.
fn split(row: &Row, divisor: &Int) -> (Row, Row) {
    let two = Int::from(2);
    let quotient = |column: usize, value: &Int| match column {
        0 => value.div_floor(divisor),
        // The integer q with -d < 2 (v - q d) <= d is the ceiling of (2 v - d) / (2 d).
        _ => (&two * value - divisor).div_ceil(&(&two * divisor)),
    };
    let whole: Row =
        row.iter().enumerate().map(|(column, value)| quotient(column, &value)).collect();
    let mut rest = row.clone();
    rest.add_scaled(&-divisor, &whole);
    (whole, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::space::Space;
    use crate::core::tuple::Tuple;
    use loopwright_exact::Rational;

    fn form(coefficients: &[i64], denominator: i64) -> Aff {
        let space = Space::set(&[], Tuple::anonymous(coefficients.len() - 1));
        Aff::from_row(&space, Vec::new(), Row::from_i64s(coefficients), Int::from(denominator))
    }

    #[test]
    fn floors_keep_their_value() {
        for (coefficients, denominator) in
            [([1, 3, -5], 4), ([-7, 2, 4], 8), ([5, -1, 0], 2), ([0, 12, 6], 9), ([3, -9, 7], 6)]
        {
            let exact = form(&coefficients, denominator);
            let nested = exact.floor().add_constant(&Int::from(3)).scale_down(&Int::from(5));
            for (x, y) in (-9..9).flat_map(|x| (-9..9).map(move |y| (x, y))) {
                let point = [Int::from(x), Int::from(y)];
                let floor = Rational::from(exact.eval(&point).floor());
                assert_eq!(exact.floor().eval(&point), floor);
                assert_eq!(nested.floor().eval(&point).numerator, nested.eval(&point).floor());
            }
        }
    }

    #[test]
    fn equal_floors_look_equal() {
        let a = form(&[-1, 1, 0], 32).floor().add_constant(&Int::ONE);
        assert!(a.plain_is_equal(&form(&[0, 1, 0], 32).ceil()));
        let nested = form(&[0, 1, 0], 4).floor().scale_down(&Int::from(8)).floor();
        assert!(nested.plain_is_equal(&form(&[0, 1, 0], 32).floor()));
        assert_eq!(nested.locals().len(), 1);
    }
}
