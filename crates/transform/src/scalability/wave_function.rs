//! Waves for all sizes at once, where the wave of a tile is an affine function of its coordinates.
//!
//! Let `w` be a function of tiles such that `w(b) > w(a)` whenever tile `b` waits for tile `a`. Then tiles
//! with equal `w` can run at one time, and no chain of tiles has more than `max w - min w + 1` of them. If
//! moreover every tile whose `w` is not the least waits for one with `w - 1`, chains of that length exist,
//! and waves by `w` are those of the longest paths. Both are questions about relations with parameters and
//! answered exactly; the numbers of waves and of tiles in each are found by counting.
use crate::scalability::waves::Widths;
use loopwright_presburger::{
    Budget, DimKind, Expression, Int, PwQPolynomial, Result, Set, UnionMap, UnionPwQPolynomial,
    Value,
};

/// Waves as functions of the parameters.
///
/// ```
/// use loopwright_presburger::{Budget, UnionMap};
/// use loopwright_transform::scalability::wave_function::WaveFunction;
/// let tiles = UnionMap::parse("[n] -> { S[t, i] -> [floor(t/2), floor(i/4)] : 0 <= t < 6 and 0 <= i < 4n }")?;
/// let flow = UnionMap::parse("[n] -> { S[t, i] -> S[t + 1, i] : 0 <= t < 5 and 0 <= i < 4n }")?;
/// let wave = UnionMap::parse("{ [a, b] -> [a] }")?;
/// let waves = WaveFunction::new(&flow, &tiles, &wave, &Budget::unlimited())?.unwrap();
/// assert!(waves.is_attained);
/// assert_eq!(waves.n_waves.to_string(), "[n] -> { (3) : n > 0 }");
/// assert!(!waves.depends_on("n"));
/// assert_eq!(waves.widths_at(&[("n", 5)], 10, &Budget::unlimited())?.0, [5, 5, 5]);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WaveFunction {
    /// The number of waves that have tiles.
    pub n_waves: PwQPolynomial,
    /// The number of tiles of each wave.
    pub widths: PwQPolynomial,
    /// The number of tiles.
    pub n_tiles: PwQPolynomial,
    /// Whether there are chains of as many tiles as waves, for all sizes: if not, paths may be shorter.
    pub is_attained: bool,
    waves: Set,
}

impl WaveFunction {
    /// Waves by `wave`, which gives each tile of one space a number; none if a tile would not come after all
    /// that it waits for. `flow` and `tiles` are as for
    /// [`TileGraph`](crate::scalability::tile_graph::TileGraph), with parameters.
    ///
    /// # Errors
    /// [`Exceeded`](loopwright_presburger::Error::Exceeded) if the budget ends; the fallback is a tile graph
    /// for given sizes.
    pub fn new(
        flow: &UnionMap,
        tiles: &UnionMap,
        wave: &UnionMap,
        budget: &Budget,
    ) -> Result<Option<WaveFunction>> {
        let steps = waiting(flow, tiles, budget)?;
        let in_time = steps.apply_domain_within(wave, budget)?.apply_range_within(wave, budget)?;
        if !in_time.is_subset(&UnionMap::parse("{ [w] -> [v] : v > w }")?, budget)? {
            return Ok(None);
        }
        let all = tiles.range().coalesce(budget)?;
        let wave = wave.intersect_domain_within(&all, budget)?;
        let by_wave = wave.reverse().coalesce(budget)?;
        let waves = by_wave.domain().coalesce(budget)?;
        let next = UnionMap::parse("{ [w] -> [w + 1] }")?;
        let follow = steps.intersect_within(
            &wave.apply_range_within(&next, budget)?.apply_range_within(&by_wave, budget)?,
            budget,
        )?;
        let first = waves.lexmin(budget)?.apply_within(&by_wave, budget)?;
        let is_attained = all.subtract(&first, budget)?.is_subset(&follow.range(), budget)?;
        let only = |counted: UnionPwQPolynomial| counted.parts().first().cloned();
        let counts = (
            only(waves.card(budget)?),
            only(by_wave.card(budget)?),
            only(all.card(budget)?),
            waves.sets().into_iter().next(),
        );
        let (Some(n_waves), Some(widths), Some(n_tiles), Some(waves)) = counts else {
            return Ok(None);
        };
        Ok(Some(WaveFunction { n_waves, widths, n_tiles, is_attained, waves }))
    }

    /// Whether the number of waves depends on a parameter, apart from whether there are any.
    #[must_use]
    pub fn depends_on(&self, parameter: &str) -> bool {
        self.n_waves.pieces().iter().any(|(_, waves)| {
            let at = waves.space().find_param(parameter);
            at.is_some_and(|at| waves.involves_dims(DimKind::Param, at, 1))
        })
    }

    /// The number of tiles of each wave for given values of the parameters, at most `limit` waves.
    ///
    /// # Errors
    /// If a parameter has no value, there are more waves, or the budget ends.
    pub fn widths_at(
        &self,
        values: &[(&str, i64)],
        limit: usize,
        budget: &Budget,
    ) -> Result<Widths> {
        let fixed = values.iter().fold(self.waves.clone(), |set, (name, value)| {
            let at = set.find_param(name);
            at.map_or(set.clone(), |at| set.fix(DimKind::Param, at, &(*value).into()))
        });
        let mut widths = Vec::new();
        for point in fixed.points(limit, budget)? {
            widths.push(count_at(&self.widths, &point, budget)?);
        }
        Ok(Widths(widths))
    }
}

/// The value of a count at a point.
fn count_at(counted: &PwQPolynomial, point: &[Int], budget: &Budget) -> Result<u64> {
    for (domain, value) in counted.pieces() {
        if domain.contains_point(point, budget)? {
            return match value.eval(point) {
                Value::Finite(number) => {
                    number.floor().to_i64().and_then(|n| u64::try_from(n).ok())
                }
                _ => None,
            }
            .ok_or_else(|| budget.exceeded("widths_at"));
        }
    }
    Ok(0)
}

/// The pairs of a tile and one that waits for it.
fn waiting(flow: &UnionMap, tiles: &UnionMap, budget: &Budget) -> Result<UnionMap> {
    let of_tile = tiles.reverse();
    // From an instance to the tiles that read it and do not execute it.
    let read_by = flow.apply_range_within(tiles, budget)?.subtract(tiles, budget)?;
    of_tile.apply_range_within(&read_by, budget)?.coalesce(budget)
}
