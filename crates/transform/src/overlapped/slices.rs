//! The instances of tiles: blocks at the end of a band, and what their values come from.
use crate::overlapped::growth::Growth;
use crate::overlapped::site::{Site, Tiled};
use loopwright_presburger::{Aff, DimKind, Int, Map, MultiAff, Set, Space, Tuple};
use loopwright_scop::StatementId;

/// A statement in tiles.
pub(super) struct Slice {
    /// The program's statement.
    pub(super) of: StatementId,
    /// `{ S_tile[band, block, t, x] -> S[t, x] }`.
    pub(super) instance: MultiAff,
    /// The instances that tiles execute.
    pub(super) domain: Set,
    /// Those in the tile's own block: each instance of the program is in the block of one tile.
    pub(super) seed: Set,
}

impl Slice {
    /// From instances to their tiles.
    pub(super) fn tile(&self, site: &Site<'_>) -> Tiled<Map> {
        let space = self.domain.space();
        let affs = (0..site.n_tile()).map(|n| Aff::variable(space, DimKind::Out, n)).collect();
        let range = site.space(Tuple::anonymous(site.n_tile()));
        Ok(MultiAff::new(space.map_to(&range), affs)?.to_map().intersect_domain(&self.domain)?)
    }
}

/// All statements in tiles, with the names that `name` gives them, and the tiles. There are no tiles without
/// a block.
pub(super) fn slices(
    site: &Site<'_>,
    growth: &Growth,
    mut name: impl FnMut(&str) -> String,
) -> Tiled<(Vec<Slice>, Set)> {
    let mut slices = Vec::with_capacity(site.statements.len());
    let mut tiles = Set::empty(site.space(Tuple::anonymous(site.n_tile())));
    for (position, &of) in site.statements.iter().enumerate() {
        let slice = slice(site, growth, position, &name(&site.scop.statement(of).name))?;
        let n = slice.seed.n(DimKind::Out) - site.n_tile();
        let own = slice.seed.project_out(DimKind::Out, site.n_tile(), n);
        tiles = tiles.union(&own.with_space_tuples(tiles.space())?)?;
        slices.push((of, slice));
    }
    let tiles = tiles.coalesce(site.budget)?.remove_redundancies(site.budget)?;
    let in_tiles = |(_, slice): (StatementId, Slice)| {
        let tile = slice.tile(site)?.intersect_range(&tiles)?;
        let domain = slice.domain.intersect(&tile.domain())?;
        let domain = domain.coalesce(site.budget)?.remove_redundancies(site.budget)?;
        Ok(Slice { domain, ..slice })
    };
    let slices = slices.into_iter().map(in_tiles).collect::<Tiled<_>>()?;
    Ok((slices, tiles))
}

fn slice(site: &Site<'_>, growth: &Growth, position: usize, name: &str) -> Tiled<Slice> {
    let of = site.statements[position];
    let program = site.domain(of)?;
    let n_tile = site.n_tile();
    let n = n_tile + program.n(DimKind::Out);
    let space = site.space(Tuple::named(name, n));
    let coordinates = (n_tile..n).map(|n| Aff::variable(&space, DimKind::Out, n)).collect();
    let instance = MultiAff::new(space.map_to(program.space()), coordinates)?;
    let step = Aff::variable(&space, DimKind::Out, n_tile).sub(&site.start_of_band(&space)?)?;
    let before = step.neg().add_constant(&Int::from(site.steps - 1));
    let in_band = step.nonneg_set().intersect(&before.nonneg_set())?;
    let (mut domain, mut seed) = (in_band.clone(), in_band);
    for (dimension, sides) in growth.sides.iter().enumerate() {
        let [inside_lower, inside_upper] = distances(site, &space, dimension)?;
        for (side, inside) in sides.iter().zip([inside_lower, inside_upper]) {
            let beyond = before.scale(&Int::from(side.per_step));
            let beyond = beyond.add_constant(&Int::from(side.last[position]));
            domain = domain.intersect(&inside.add(&beyond)?.nonneg_set())?;
            seed = seed.intersect(&inside.nonneg_set())?;
        }
    }
    let program = program.preimage_multi_aff(&instance)?;
    let (domain, seed) = (domain.intersect(&program)?, seed.intersect(&program)?);
    Ok(Slice { of, instance, domain, seed })
}

/// How far a place is inside of its tile's block, from both ends.
fn distances(site: &Site<'_>, space: &Space, dimension: usize) -> Tiled<[Aff; 2]> {
    let size = site.sizes[dimension];
    let place = Aff::variable(space, DimKind::Out, site.n_tile() + 1 + dimension);
    let origin = Aff::variable(space, DimKind::Out, 1 + dimension).scale(&Int::from(size));
    let lower = place.sub(&origin)?;
    let upper = lower.neg().add_constant(&Int::from(size - 1));
    Ok([lower, upper])
}
