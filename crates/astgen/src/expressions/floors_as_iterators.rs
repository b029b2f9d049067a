//! Floors that an outer loop has as its value.
//!
//! Inside of a tile `32 ⌊i/32⌋` is the value of the tile's loop. Written with the loop's iterator a
//! subscript `i - 32 ⌊i/32⌋` is a plain difference, which compilers see through; a remainder is not.
use loopwright_presburger::{Aff, Budget, DimKind, Error, Int, Local, Result, Row, Set};

/// The most work for one comparison.
const STEPS: u64 = 20_000;

/// The form, equal to `aff` on `known`, in which floors that are the value of a dimension (or that
/// value divided by the divisor) are replaced by the dimension.
pub(crate) fn with_loops_for_floors(aff: &Aff, known: &Set) -> Result<Aff> {
    let mut result = aff.clone();
    if !aff.denominator().is_one() {
        return Ok(result);
    }
    let mut points = Vec::new();
    let first = aff.row().len() - aff.locals().len();
    for (position, local) in aff.locals().iter().enumerate() {
        let column = first + position;
        let factor = aff.row().get(column);
        let Local::Floor { denominator, .. } = local else { continue };
        if factor.is_zero() {
            continue;
        }
        let unit = Row::unit(aff.row().len(), column);
        let floor = Aff::from_row(aff.domain_space(), aff.locals().to_vec(), unit, Int::ONE);
        if let Some((dimension, divisor)) =
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

/// Whether a form is provably zero on `known`. `points` are some of its points: those where other forms are not zero, which most often
/// shows that of this one, too.
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
}
