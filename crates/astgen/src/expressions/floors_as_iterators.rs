//! Floors that an outer loop has as its value.
//!
//! Inside of a tile `32 ⌊i/32⌋` is the value of the tile's loop. Written with the loop's iterator a subscript
//! `i - 32 ⌊i/32⌋` is a plain difference, which compilers see through; a remainder is not. Where tiles are
//! hexagons floors are sums of the values of two loops, and constants, and what is divided has floors itself:
//! bounds of iterators say which sums.
use loopwright_presburger::{Aff, Budget, DimKind, Error, Int, Local, Result, Row, Set};

/// The most work for one comparison.
const STEPS: u64 = 20_000;

/// The form, equal to `aff` on `known`, in which floors that are the value of a dimension (or that value
/// divided by the divisor) are replaced by the dimension, and those that are an integer combination of
/// dimensions by that.
pub(crate) fn with_loops_for_floors(aff: &Aff, known: &Set) -> Result<Aff> {
    let mut result = aff.clone();
    if !aff.denominator().is_one() {
        return Ok(result);
    }
    let mut points = Vec::new();
    let first = aff.row().len() - aff.locals().len();
    let bounds = equal_bounds(aff, known)?;
    for (position, local) in aff.locals().iter().enumerate() {
        let column = first + position;
        let factor = aff.row().get(column);
        let Local::Floor { denominator, .. } = local else { continue };
        if factor.is_zero() {
            continue;
        }
        let unit = Row::unit(aff.row().len(), column);
        let floor = Aff::from_row(aff.domain_space(), aff.locals().to_vec(), unit, Int::ONE);
        if let Some(bound) = &bounds[position] {
            result = result.sub(&floor.scale(&factor))?.add(&bound.scale(&factor))?;
        } else if let Some((dimension, divisor)) =
            equal_loop(&floor, denominator, &factor, (known, &mut points))?
        {
            let replacement = dimension.scale(&factor.div_floor(&divisor));
            result = result.sub(&floor.scale(&factor))?.add(&replacement)?;
        }
    }
    Ok(result)
}

/// A dimension and a number `m` that divides `factor`, such that the dimension is `m` times the floor.
fn equal_loop(
    floor: &Aff,
    denominator: &Int,
    factor: &Int,
    (known, points): (&Set, &mut Vec<Vec<Int>>),
) -> Result<Option<(Aff, Int)>> {
    for position in 0..floor.domain_space().n(DimKind::Out) {
        let dimension = Aff::variable(floor.domain_space(), DimKind::Out, position);
        for multiple in [denominator.clone(), Int::ONE] {
            if factor.is_divisible_by(&multiple)
                && is_zero(&floor.scale(&multiple).sub(&dimension)?, known, points)?
            {
                return Ok(Some((dimension, multiple)));
            }
        }
    }
    Ok(None)
}

/// Integer combinations of dimensions that the floors of a form are equal to on `known`, where bounds say so.
fn equal_bounds(aff: &Aff, known: &Set) -> Result<Vec<Option<Aff>>> {
    let space = aff.domain_space();
    let n = 1 + space.param_names().len() + space.n(DimKind::Out);
    let mut found: Vec<Option<Aff>> = Vec::new();
    for local in aff.locals() {
        let value = match local {
            Local::Floor { numerator, denominator }
                if space.param_names() == known.space().param_names() =>
            {
                // Floors inside of it are those before it.
                let inner = (n..numerator.len()).filter(|column| !numerator.is_zero_at(*column));
                let plain = Aff::from_row(space, Vec::new(), padded(numerator, n), Int::ONE);
                let mut dividend = Some(plain);
                for column in inner {
                    let floor = found.get(column - n).cloned().flatten();
                    dividend = match dividend.zip(floor) {
                        Some((sum, floor)) => Some(sum.add(&floor.scale(&numerator.get(column)))?),
                        None => None,
                    };
                }
                match dividend {
                    Some(dividend) => equal_bound(&dividend, denominator, known)?,
                    None => None,
                }
            }
            _ => None,
        };
        found.push(value);
    }
    Ok(found)
}

/// The first columns of a row.
fn padded(row: &Row, n: usize) -> Row {
    let mut all = Row::zeros(n);
    (0..n.min(row.len())).for_each(|column| all.set(column, row.get(column)));
    all
}

/// The value of a quotient that is rounded down on `known`, if a bound of the last dimension in the dividend
/// is it: in the tile `8p <= i < 8p + 8` the quotient of `i` by 8 is `p`.
fn equal_bound(dividend: &Aff, divisor: &Int, known: &Set) -> Result<Option<Aff>> {
    let space = dividend.domain_space();
    let n = dividend.row().len();
    let dimensions = n - space.n(DimKind::Out)..n;
    let has_locals = |bound: &Row| (n..bound.len()).any(|column| !bound.is_zero_at(column));
    let mut tried: Vec<Aff> = Vec::new();
    for basic in known.basic_sets() {
        // Dimensions with one value are known by others, as in bounds.
        let mut row = dividend.row().clone();
        for equality in basic.equalities().iter().filter(|equality| !has_locals(equality)) {
            let last = dimensions.clone().rev().find(|column| !equality.is_zero_at(*column));
            let Some(last) = last.filter(|column| equality.get(*column).abs().is_one()) else {
                continue;
            };
            let times = &row.get(last) * &equality.get(last);
            (0..n).for_each(|at| row.set(at, &row.get(at) - &(&times * &equality.get(at))));
        }
        let Some(last) = dimensions.clone().rev().find(|column| !row.is_zero_at(*column)) else {
            continue;
        };
        let own = row.get(last);
        for bound in basic.inequalities() {
            let factor = bound.get(last);
            if factor.is_zero() || !own.is_divisible_by(&factor) || has_locals(bound) {
                continue;
            }
            let times = own.div_exact(&factor);
            let rest = |column: usize| &row.get(column) - &(&times * &bound.get(column));
            if !(1..n).all(|column| rest(column).is_divisible_by(divisor)) {
                continue;
            }
            let mut quotient = Row::zeros(n);
            (0..n).for_each(|column| quotient.set(column, rest(column).div_floor(divisor)));
            let quotient = Aff::from_row(space, Vec::new(), quotient, Int::ONE);
            if tried.iter().any(|known| known.plain_is_equal(&quotient)) {
                continue;
            }
            let more = dividend.sub(&quotient.scale(divisor))?;
            let most = more.neg().add_constant(&(divisor - &Int::ONE));
            if is_not_negative(&more, known)? && is_not_negative(&most, known)? {
                return Ok(Some(quotient));
            }
            tried.push(quotient);
        }
    }
    Ok(None)
}

/// Whether a form is provably not negative on `known`.
fn is_not_negative(form: &Aff, known: &Set) -> Result<bool> {
    let below = form.neg().positive_set().align_params(known.space());
    match below.intersect(known)?.is_empty(&Budget::steps(STEPS)) {
        Err(Error::Exceeded { .. }) => Ok(false),
        found => found,
    }
}

/// Whether a form is provably zero on `known`. `points` are some of its points: those where other forms are
/// not zero, which most often shows that of this one, too.
fn is_zero(form: &Aff, known: &Set, points: &mut Vec<Vec<Int>>) -> Result<bool> {
    if points.iter().any(|point| !form.eval(point).is_zero()) {
        return Ok(false);
    }
    let budget = Budget::steps(STEPS);
    for side in [form.positive_set(), form.neg().positive_set()] {
        let part = known.intersect(&side)?;
        match part.sample_point(&budget) {
            Ok(None) => {}
            Ok(Some(point)) => {
                let space = form.domain_space();
                if part.space().param_names() == space.param_names() {
                    points.push(point);
                }
                return Ok(false);
            }
            Err(Error::Exceeded { .. }) => return Ok(false),
            Err(other) => return Err(other),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_become_tile_loops() {
        let cases = [
            // Scaled and unscaled tile loops.
            ("{ [t, i] : t <= i < t + 32 and t mod 32 = 0 }", "{ [t, i] -> [(i - t)] }"),
            ("{ [t, i] : 32t <= i < 32t + 32 }", "{ [t, i] -> [(i - 32t)] }"),
            // Another loop.
            ("{ [t, i] : t <= i < t + 32 }", "{ [t, i] -> [(i - 32*floor((i)/32))] }"),
        ];
        for (known, expected) in cases {
            let known = Set::parse(known).unwrap();
            let form = Aff::parse("{ [t, i] -> [(i - 32*floor((i)/32))] }").unwrap();
            let found = with_loops_for_floors(&form, &known).unwrap();
            assert!(found.plain_is_equal(&Aff::parse(expected).unwrap()), "{found}");
        }
    }

    /// In a tile whose columns move by one from row to row.
    #[test]
    fn floors_become_sums_of_loops() {
        let known = Set::parse("{ [r, p, i] : 8r + 8p + 3 <= i < 8r + 8p + 8 }").unwrap();
        let form = Aff::parse("{ [r, p, i] -> [(i - 8*floor((i + 8)/8))] }").unwrap();
        let found = with_loops_for_floors(&form, &known).unwrap();
        let expected = Aff::parse("{ [r, p, i] -> [(i - 8r - 8p - 8)] }").unwrap();
        assert!(found.plain_is_equal(&expected), "{found}");
    }

    /// In a tile of one time step, whose iterator is that of the row.
    #[test]
    fn bounds_are_those_of_dimensions_with_several_values() {
        let known = Set::parse("{ [r, p, t, i] : t = r and 6r + 12p <= i < 6r + 12p + 12 }");
        let form = Aff::parse("{ [r, p, t, i] -> [(i - 12*floor((i + 6t)/12))] }").unwrap();
        let found = with_loops_for_floors(&form, &known.unwrap()).unwrap();
        let expected = Aff::parse("{ [r, p, t, i] -> [(i - 12r - 12p)] }").unwrap();
        assert!(found.plain_is_equal(&expected), "{found}");
    }

    /// The same with a row that is a floor itself; and with tiles that are one place too wide, of which the
    /// column is not known.
    #[test]
    fn floors_inside_of_floors_are_known_first() {
        for last in [23, 24] {
            let text = format!(
                "{{ [r, p, t, i] : 2r <= t <= 2r + 1 and 24p - 8r <= i <= 24p - 8r + {last} }}"
            );
            let known = Set::parse(&text).unwrap();
            let form = "{ [r, p, t, i] -> [(i - floor(t/2) - 24*floor((i + 8*floor(t/2))/24))] }";
            let found = with_loops_for_floors(&Aff::parse(form).unwrap(), &known).unwrap();
            let expected = Aff::parse("{ [r, p, t, i] -> [(i - r - 24p)] }").unwrap();
            assert_eq!(found.plain_is_equal(&expected), last == 23, "{found}");
            assert_eq!(found.locals().is_empty(), last == 23, "{found}");
        }
    }
}
