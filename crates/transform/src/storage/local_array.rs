//! Local arrays of a tile: the smallest box of elements while the loops outside stand still, where it starts,
//! and its size in memory.
use loopwright_machine::Machine;
use loopwright_presburger::{Aff, Budget, Int, Local, Optimum, Result, Set};
use loopwright_scop::Array;

/// `factor * loop + constant`; just the constant if there is no loop.
pub(crate) struct Origin {
    /// The position of the loop among those outside.
    pub(crate) dimension: Option<usize>,
    pub(crate) factor: Int,
    pub(crate) constant: Int,
}

/// The smallest interval for a form over instances while the outer loops stand still: where it starts, and
/// how many values it has.
pub(crate) fn interval_of(
    instances: &Set,
    value: &Aff,
    outside: &[Aff],
    budget: &Budget,
) -> Result<Option<(Origin, i64)>> {
    let mut best: Option<(Origin, i64)> = None;
    let mut offer = |dimension, factor: Int, difference: &Aff| -> Result<()> {
        let difference = difference.align_params(instances.space());
        let (least, most) =
            (instances.min_val(&difference, budget)?, instances.max_val(&difference, budget)?);
        if let (Optimum::At(constant), Optimum::At(most)) = (least, most)
            && let Some(extent) = (&(&most - &constant) + &Int::ONE).to_i64()
            && best.as_ref().is_none_or(|(_, known)| extent < *known)
        {
            best = Some((Origin { dimension, factor, constant }, extent));
        }
        Ok(())
    };
    offer(None, Int::ZERO, value)?;
    for (dimension, outer) in outside.iter().enumerate() {
        for factor in factors(outer) {
            let difference = value.sub(&outer.scale(&factor))?;
            offer(Some(dimension), factor, &difference)?;
        }
    }
    Ok(best)
}

/// What one step of a loop may stand for: 1, or the size of a tile if it counts tiles.
fn factors(outer: &Aff) -> Vec<Int> {
    let mut factors = vec![Int::ONE];
    for local in outer.locals() {
        if let Local::Floor { denominator, .. } = local
            && !factors.contains(denominator)
        {
            factors.push(denominator.clone());
        }
    }
    factors
}

/// Pads the extents of an array with the elements of `like`, so that rows start at cache lines, and not all
/// at the same place in the cache; the bytes of the array.
pub(crate) fn pad(extents: &mut [i64], like: &Array, machine: &Machine) -> i64 {
    let element = like.element_bytes.and_then(|bytes| i64::try_from(bytes).ok());
    let element = element.unwrap_or(8).max(1);
    pad_rows(extents, element, machine);
    extents.iter().fold(element, |product, &extent| product.saturating_mul(extent))
}

fn pad_rows(extents: &mut [i64], element: i64, machine: &Machine) {
    let line = i64::try_from(machine.cache_line_bytes).unwrap_or(64).max(element);
    let several = extents.len() > 1;
    let Some(last) = extents.last_mut() else { return };
    if !several || line % element != 0 || *last < 4 {
        return;
    }
    let lines = (last.saturating_mul(element) + line - 1) / line;
    let lines = if lines % 8 == 0 { lines + 1 } else { lines };
    *last = lines.saturating_mul(line / element);
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_presburger::DimKind;

    #[test]
    fn rows_are_padded_to_lines_but_not_to_powers_of_two() {
        let machine = Machine::generic();
        let padded = |extents: &[i64], element| {
            let mut extents = extents.to_vec();
            pad_rows(&mut extents, element, &machine);
            extents
        };
        assert_eq!(padded(&[32, 256], 8), [32, 264]);
        assert_eq!(padded(&[32, 30], 8), [32, 32]);
        assert_eq!(padded(&[32, 512], 4), [32, 528]);
        assert_eq!(padded(&[256], 8), [256]);
    }

    #[test]
    fn intervals_start_at_tiles() {
        let budget = Budget::steps(100_000);
        let instances = Set::parse("[n] -> { S[i, j] : 0 <= i < n and i <= j < i + 5 }").unwrap();
        let aff = |text: &str| Aff::parse(text).unwrap();
        let interval = |iterator: usize, outside: &[Aff]| {
            let variable = Aff::variable(instances.space(), DimKind::Out, iterator);
            interval_of(&instances, &variable, outside, &budget).unwrap()
        };
        let tile = [aff("[n] -> { S[i, j] -> [(32*floor((i)/32))] }")];
        let (origin, extent) = interval(0, &tile).unwrap();
        assert_eq!((origin.dimension, extent), (Some(0), 32));
        let (origin, extent) = interval(1, &tile).unwrap();
        assert_eq!((origin.constant, extent), (Int::ZERO, 36));
        let numbers = [aff("[n] -> { S[i, j] -> [(floor((i)/32))] }")];
        let (origin, extent) = interval(0, &numbers).unwrap();
        assert_eq!((origin.factor, extent), (Int::from(32), 32));
        assert!(interval(0, &[]).is_none());
    }
}
