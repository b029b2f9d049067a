//! Equalities that pairs of windows imply.
//!
//! # Method
//! Two opposite inequalities are a *window*: `0 <= f <= v`. With another one, `0 <= g <= w`, the difference
//! `f - g` lies between `-w` and `v`. If a number `d` divides all coefficients of the difference, its values
//! are its constant plus multiples of `d`: where one of these is between the bounds the difference is an
//! equality, where none is there is no integer point. A window that is looked at from its other end,
//! `0 <= v - f <= v`, gives the sums.
//!
//! That is how two unknowns are seen to be one floor: `0 <= i - 64 p <= 63` and `0 <= i - 64 q <= 63` have
//! the difference `64 (q - p)` between -63 and 63, so `p = q`. Linear programs do not see it, and cuts and
//! slices find it once for each of the many questions about blocks and threads that have it in them.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::rows::is_parallel;
use loopwright_exact::{Int, Row};

/// More windows are not compared with each other.
const MOST_WINDOWS: usize = 16;

/// What windows say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Implied {
    /// Nothing.
    Nothing,
    /// There is no integer point.
    NoPoint,
    /// These forms are zero at all integer points; none of them is zero everywhere.
    Equalities(Vec<Row>),
}

/// `0 <= form <= width`.
struct Window {
    form: Row,
    width: Int,
}

impl Window {
    /// The same from its other end: `0 <= width - form <= width`.
    fn opposite(&self) -> Window {
        let mut form = self.form.clone();
        form.negate();
        form.add_at(0, &self.width);
        Window { form, width: self.width.clone() }
    }
}

/// The windows of some inequalities, each from one end.
fn windows(inequalities: &[Row]) -> Vec<Window> {
    let mut found = Vec::new();
    for (index, row) in inequalities.iter().enumerate() {
        let mut others = inequalities[index + 1..].iter();
        if let Some(other) = others.find(|other| is_parallel(row, other, -1)) {
            found.push(Window { form: row.clone(), width: row.get(0) + other.get(0) });
        }
        if found.len() == MOST_WINDOWS {
            break;
        }
    }
    found
}

/// What pairs of the windows among some inequalities imply at integer points.
///
/// *Cost.* A subtraction of rows for each pair of windows, of which there are [`MOST_WINDOWS`] at most.
///
/// # Errors
/// The budget is exceeded.
pub(crate) fn implied_by_windows(inequalities: &[Row], budget: &Budget) -> Result<Implied> {
    let windows = windows(inequalities);
    budget.spend((windows.len() * windows.len()) as u64, "integer emptiness")?;
    let mut equalities = Vec::new();
    for (index, one) in windows.iter().enumerate() {
        for other in &windows[..index] {
            for other in [other, &other.opposite()] {
                match difference(one, other) {
                    Implied::Nothing => {}
                    Implied::NoPoint => return Ok(Implied::NoPoint),
                    Implied::Equalities(more) => equalities.extend(more),
                }
            }
        }
    }
    Ok(if equalities.is_empty() { Implied::Nothing } else { Implied::Equalities(equalities) })
}

/// What the difference of two windows implies.
fn difference(one: &Window, other: &Window) -> Implied {
    let mut form = one.form.clone();
    form.add_scaled(&Int::MINUS_ONE, &other.form);
    let divisor = form.gcd(1..form.len());
    if divisor.is_zero() || divisor.is_one() {
        return Implied::Nothing;
    }
    // The values are `constant + divisor * multiple`, from `-other.width` to `one.width`.
    let constant = form.get(0);
    let least = (-&other.width - &constant).div_ceil(&divisor);
    let greatest = (&one.width - &constant).div_floor(&divisor);
    if least > greatest {
        return Implied::NoPoint;
    }
    if least < greatest {
        return Implied::Nothing;
    }
    form.set(0, Int::ZERO);
    form.div_exact(&divisor);
    form.set(0, -least);
    Implied::Equalities(vec![form])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_rows::Generator;

    fn rows(rows: &[&[i64]]) -> Vec<Row> {
        rows.iter().map(|row| Row::from_i64s(row)).collect()
    }

    fn implied(inequalities: &[&[i64]]) -> Implied {
        implied_by_windows(&rows(inequalities), &Budget::unlimited()).unwrap()
    }

    /// Over `[1 | i, p, q]`.
    #[test]
    fn two_floors_of_one_form_are_equal() {
        let floors: &[&[i64]] =
            &[&[0, 1, -64, 0], &[63, -1, 64, 0], &[0, 1, 0, -64], &[63, -1, 0, 64]];
        let Implied::Equalities(found) = implied(floors) else { panic!("nothing is implied") };
        assert!(found == rows(&[&[0, 0, 1, -1]]) || found == rows(&[&[0, 0, -1, 1]]), "{found:?}");
        // One value more, and they may differ.
        let longer: &[&[i64]] =
            &[&[0, 1, -64, 0], &[64, -1, 64, 0], &[0, 1, 0, -64], &[63, -1, 0, 64]];
        assert_eq!(implied(longer), Implied::Nothing);
    }

    /// `3 <= 10 p - i <= 4` and `0 <= i - 10 q <= 1`: `10 (p - q)` would be from 3 to 5.
    #[test]
    fn windows_between_multiples_have_no_point() {
        let apart: &[&[i64]] =
            &[&[-3, -1, 10, 0], &[4, 1, -10, 0], &[0, 1, 0, -10], &[1, -1, 0, 10]];
        assert_eq!(implied(apart), Implied::NoPoint);
    }

    #[test]
    fn what_is_implied_holds_at_all_points() {
        let (half, mut generator) = (5, Generator::new(34));
        let (mut n_equal, mut n_without) = (0, 0);
        for _ in 0..2000 {
            let mut inequalities = Vec::new();
            for _ in 0..3 {
                let mut row = generator.row(4, 3, 4);
                (1..4).for_each(|at| row.set(at, row.get(at) * Int::from(1 + generator.below(4))));
                let mut other = row.clone();
                other.negate();
                other.add_at(0, &Int::from(generator.below(4)));
                inequalities.extend([row, other]);
            }
            let found = implied_by_windows(&inequalities, &Budget::unlimited()).unwrap();
            n_equal += usize::from(matches!(found, Implied::Equalities(_)));
            n_without += usize::from(found == Implied::NoPoint);
            for x in -half..=half {
                for y in -half..=half {
                    for z in -half..=half {
                        let point = Row::from_i64s(&[1, x, y, z]);
                        if inequalities.iter().any(|row| row.dot(&point).is_negative()) {
                            continue;
                        }
                        let Implied::Equalities(equalities) = &found else {
                            assert!(found == Implied::Nothing, "{point} in {inequalities:?}");
                            continue;
                        };
                        assert!(equalities.iter().all(|row| row.dot(&point).is_zero()), "{point}");
                    }
                }
            }
        }
        assert!(n_equal > 100 && n_without > 20, "{n_equal} {n_without}");
    }
}
