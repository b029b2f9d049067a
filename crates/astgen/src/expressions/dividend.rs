//! Equivalent dividends of floors.
use loopwright_presburger::{Int, Row};

/// `factor ⌊dividend / divisor⌋ + rest`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Absorbed {
    pub(crate) dividend: Row,
    pub(crate) rest: Row,
}

/// The sum `factor ⌊dividend / divisor⌋ + row` with terms of the row as a part of the floor, by
/// `f ⌊a/m⌋ + f k = f ⌊(a + m k)/m⌋`: both the constant and the variables that are in the dividend
/// anyway, one of the two, and none. `c0 - ⌊(c0 + 1)/2⌋` is `-⌊(1 - c0)/2⌋`, that is `⌊c0/2⌋`.
pub(crate) fn absorbing_forms(
    row: &Row,
    factor: &Int,
    dividend: &Row,
    divisor: &Int,
) -> Vec<Absorbed> {
    let none = Absorbed { dividend: dividend.clone(), rest: row.clone() };
    let absorbable = |column: usize| {
        let value = row.get(column);
        !value.is_zero() && value.is_divisible_by(factor)
    };
    let absorb = |form: &mut Absorbed, column: usize| {
        let value = row.get(column).div_exact(factor) * divisor;
        form.dividend.add_at(column, &value);
        form.rest.set(column, Int::ZERO);
    };
    let mut variables = none.clone();
    for column in (1..row.len()).filter(|&c| !dividend.is_zero_at(c) && absorbable(c)) {
        absorb(&mut variables, column);
    }
    let mut forms = Vec::new();
    for mut form in [variables, none] {
        let without_constant = form.clone();
        if absorbable(0) {
            absorb(&mut form, 0);
        }
        for form in [form, without_constant] {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    forms
}

/// `divisor - 1 - dividend`, where `⌊dividend / divisor⌋ = -⌊(divisor - 1 - dividend) / divisor⌋`.
pub(crate) fn flipped(dividend: &Row, divisor: &Int) -> Row {
    let mut row = dividend.clone();
    row.negate();
    row.set(0, row.get(0) + divisor - Int::ONE);
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absorbed_terms_keep_the_value() {
        for (divisor, factor) in (2..6).flat_map(|d| [-3, -2, -1, 1, 2, 6].map(|f| (d, f))) {
            for (slope, offset) in (-4..5).flat_map(|s| (-7..8).map(move |o| (s, o))) {
                let row = Row::from_i64s(&[6, -6]);
                let dividend = Row::from_i64s(&[offset, slope]);
                let divisor = Int::from(divisor);
                let factor = Int::from(factor);
                for x in -9..10 {
                    let x = Int::from(x);
                    let at = |row: &Row| row.get(0) + row.get(1) * &x;
                    let value = |dividend: &Row, rest: &Row| {
                        at(dividend).div_floor(&divisor) * &factor + at(rest)
                    };
                    for form in absorbing_forms(&row, &factor, &dividend, &divisor) {
                        assert_eq!(value(&form.dividend, &form.rest), value(&dividend, &row));
                    }
                    let flipped = flipped(&dividend, &divisor);
                    let quotient = at(&dividend).div_floor(&divisor);
                    assert_eq!(at(&flipped).div_floor(&divisor), -&quotient);
                }
            }
        }
    }
}
