//! One modulus for each dimension of an array, one after the other: the allocation for one schedule that
//! others are compared with (Lefebvre and Feautrier, "Automatic storage management for parallel programs",
//! Parallel Computing 24, 1998).
use loopwright_exact::Int;
use loopwright_presburger::{Aff, Budget, DimKind, Map, PwAff, Result, Set};

/// Pairs of values that are needed at one time: `{ z -> z' }`, where `z'` is written after `z` and before its
/// last use.
///
/// `schedule` maps the instances of the producer to times in lexicographic order, and `uses` the instances to
/// the times at which their values are read. A value that is written at the time of a use may take the cell,
/// since reads come before writes.
///
/// # Errors
/// If the budget runs out.
pub fn values_at_one_time(schedule: &Map, uses: &Map, budget: &Budget) -> Result<Map> {
    let times = schedule.space().range();
    let later = schedule.apply_range_within(&Map::lex_lt(&times), budget)?;
    let before_use = uses.apply_range_within(&Map::lex_gt(&times), budget)?;
    let between = later.intersect_within(&before_use, budget)?;
    let pairs = between.apply_range_within(&schedule.reverse(), budget)?;
    pairs.coalesce(budget)
}

/// The moduli: in each dimension one more than the greatest distance, up or down, between values that are
/// needed at one time and agree in the dimensions before (sizes for which there are none need one cell). None
/// where that is not bounded by the symbolic constants.
///
/// ```
/// use loopwright_presburger::{Budget, Map};
/// use loopwright_storage::{successive_moduli, values_at_one_time};
/// // Each row is read by the next one, in lexicographic order: a row and a value.
/// let order = Map::parse("[n] -> { [t, i] -> [t, i] : 0 <= i < n and t >= 0 }")?;
/// let uses = Map::parse("[n] -> { [t, i] -> [t + 1, j] : 0 <= i < n and 0 <= j < n and t >= 0 and i - 1 <= j <= i + 1 }")?;
/// let budget = Budget::unlimited();
/// let moduli = successive_moduli(&values_at_one_time(&order, &uses, &budget)?, &budget)?;
/// let texts: Vec<String> = moduli.iter().map(|modulus| modulus.as_ref().unwrap().to_string()).collect();
/// assert_eq!(texts, ["[n] -> { [(2)] : n >= 2 }", "[n] -> { [(n)] : n >= 2 }"]);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// If the budget runs out.
pub fn successive_moduli(pairs: &Map, budget: &Budget) -> Result<Vec<Option<PwAff>>> {
    let forward = pairs.deltas()?;
    let both = forward.union(&pairs.reverse().deltas()?)?.coalesce(budget)?;
    let n = both.n_dims();
    let mut moduli = Vec::with_capacity(n);
    let mut same = both;
    for dimension in 0..n {
        moduli.push(one_more_than_greatest(&same, dimension, budget)?);
        same = same.fix(DimKind::Out, dimension, &Int::ZERO);
    }
    Ok(moduli)
}

fn one_more_than_greatest(
    distances: &Set,
    dimension: usize,
    budget: &Budget,
) -> Result<Option<PwAff>> {
    let one = PwAff::from_aff(Aff::constant(&distances.space().to_params(), &Int::ONE));
    if distances.is_empty(budget)? {
        return Ok(Some(one));
    }
    if !distances.dim_is_bounded(dimension) {
        return Ok(None);
    }
    Ok(Some(distances.dim_max(dimension, budget)?.add(&one)?))
}
