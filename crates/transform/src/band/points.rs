//! What becomes of the points of a band: their order, their tiles, the innermost loop.
//!
//! This is decided before any loop is put on several threads ([`crate::band::parallel_loop`]).
use crate::band::innermost::{choose_innermost, in_vectors};
use crate::cost::profitability;
use crate::decision::Decision;
use crate::loops::vectorize::Innermost;
use crate::settings::{Options, TileSizes};
use crate::site::BandSite;
use crate::tile::model::TileProblem;
use crate::tile::rectangular;
use crate::tile::register_tile::RegisterTile;
use crate::tile::sica::Block;
use crate::tile::trailing_update::Updates;
use loopwright_presburger::Result;
use loopwright_schedule::{Band, Node};

/// The choices about the points of a band.
#[derive(Clone, Debug)]
pub struct PointPlan {
    /// The order of the point loops: positions of members.
    pub order: Vec<usize>,
    /// The band in this order.
    pub points: Band,
    /// Tile sizes per member in the original order; none if the band is not tiled.
    pub sizes: Option<Vec<i64>>,
    /// The tile size of the vector loop that SICA has found.
    pub vector_tile: Option<i64>,
    /// The tiles inside of these, if the results of the band can be kept in registers.
    pub register_tile: Option<RegisterTile>,
    /// The parts of the tiles' points that are updates, with register tiles of their own.
    pub updates: Option<Updates>,
    /// What becomes of the last point loop.
    pub innermost: Innermost,
    /// What was decided.
    pub decisions: Vec<Decision>,
}

impl PointPlan {
    /// Decides on the innermost loop, the order and the tile sizes of a band.
    ///
    /// # Errors
    /// For malformed trees.
    pub fn new(site: &BandSite) -> Result<PointPlan> {
        let BandSite { band, options, .. } = *site;
        let n = band.n_members();
        let tiles_are_wanted = || tiling_is_wanted(site);
        let chosen = match contains_band(site.child) {
            true => None,
            false => {
                let packs = options.panels && n >= 2 && band.permutable && tiles_are_wanted();
                Some(choose_innermost(site, packs)?)
            }
        };
        let (mut order, innermost, mut decisions) = match chosen {
            Some(chosen) => (chosen.order, chosen.innermost, chosen.decisions),
            None => ((0..n).collect(), Innermost::Serial, Vec::new()),
        };
        let may_tile = matches!(options.tile_sizes, TileSizes::Default | TileSizes::Given(_));
        let (mut register_tile, mut updates) = (None, None);
        if band.permutable && may_tile && options.register_tiles {
            register_tile = choose_register_tile(site, &order, &innermost)?;
            if register_tile.is_none() && tiles_are_wanted() {
                updates = Updates::find(site)?;
            }
        }
        if let Some(tile) = &register_tile {
            order = tile.order(n);
            decisions.push(Decision::RegisterTiles { rows: tile.rows, columns: tile.columns });
        }
        decisions.extend(updates.as_ref().map(Updates::decision));
        let choice = TileChoice { site, order: &order, innermost: &innermost };
        let tiles = choice.tiles(register_tile.as_ref(), updates.as_ref())?;
        decisions.extend(match &tiles.sizes {
            Ok(sizes) => Some(Decision::Tiled(sizes.clone())),
            Err(reason) => (n >= 2).then_some(Decision::NotTiled(reason)),
        });
        let (sizes, vector_tile) = (tiles.sizes.ok(), tiles.vector_tile);
        let points = band.permute(&order)?;
        Ok(PointPlan {
            order,
            points,
            sizes,
            vector_tile,
            register_tile,
            updates,
            innermost,
            decisions,
        })
    }

    /// The points in the order that the band has, without tiles; the last loop in vectors where its
    /// iterations are independent, as compilers do it.
    ///
    /// # Errors
    /// For malformed trees.
    pub fn as_written(site: &BandSite) -> Result<PointPlan> {
        let innermost = match contains_band(site.child) {
            true => Innermost::Serial,
            false => match site.private_scalars(site.members())? {
                Some(private) => in_vectors(site, site.n_members().saturating_sub(1), private),
                None => Innermost::Serial,
            },
        };
        Ok(PointPlan {
            order: (0..site.n_members()).collect(),
            points: site.band.clone(),
            sizes: None,
            vector_tile: None,
            register_tile: None,
            updates: None,
            innermost,
            decisions: Vec::new(),
        })
    }

    /// The order of loops over tiles, of which `outermost` is the first if it is given, that suits panels in
    /// tiles for registers; none if there are no such tiles.
    pub fn tile_order(&self, outermost: Option<usize>, options: &Options) -> Option<Vec<usize>> {
        let tile = self.register_tile.as_ref().filter(|_| options.panels)?;
        let is_one_level = options.tile_factors.is_empty();
        is_one_level.then(|| tile.tile_order(self.order.len(), outermost))
    }

    /// The rows and columns of the tiles whose results stay in registers.
    pub fn register_tile_shape(&self) -> Option<(i64, i64)> {
        let own = self.register_tile.as_ref().map(|tile| (tile.rows, tile.columns));
        own.or_else(|| self.updates.as_ref()?.register_tile())
    }
}

/// The register tile of a band above a single statement, whose vector loop needs no private scalars.
fn choose_register_tile(
    site: &BandSite,
    order: &[usize],
    innermost: &Innermost,
) -> Result<Option<RegisterTile>> {
    match (innermost.is_free(), site.child, order.last()) {
        (true, Node::Leaf, Some(&column)) => {
            RegisterTile::choose(&site.nest, site.below, column, site.scop, site.options)
        }
        _ => Ok(None),
    }
}

/// What the choice of tile sizes depends on.
struct TileChoice<'a> {
    site: &'a BandSite<'a>,
    order: &'a [usize],
    innermost: &'a Innermost,
}

/// Tile sizes, or why there are none.
struct Tiles {
    sizes: std::result::Result<Vec<i64>, &'static str>,
    /// The tile size of the vector loop that SICA has found.
    vector_tile: Option<i64>,
}

impl Tiles {
    fn of(sizes: Vec<i64>) -> Self {
        Tiles { sizes: Ok(sizes), vector_tile: None }
    }

    fn none(reason: &'static str) -> Self {
        Tiles { sizes: Err(reason), vector_tile: None }
    }
}

impl TileChoice<'_> {
    /// The tile sizes of the caches around register tiles or updates, if there are such.
    fn tiles(
        &self,
        register_tile: Option<&RegisterTile>,
        updates: Option<&Updates>,
    ) -> Result<Tiles> {
        let BandSite { nest, band, options, .. } = self.site;
        let n = band.n_members();
        if matches!(options.tile_sizes, TileSizes::None) {
            return Ok(Tiles::none("not wanted"));
        }
        if n < 2 || !tiling_is_wanted(self.site) {
            let sizes = self.transposition_sizes();
            return Ok(sizes.map_or(Tiles::none("no reuse beyond the caches"), Tiles::of));
        }
        if !band.permutable {
            return Ok(Tiles::none("not permutable"));
        }
        if let (Some(tile), TileSizes::Default) = (register_tile, &options.tile_sizes) {
            return Ok(Tiles::of(tile.cache_tile_sizes(nest, band, options)));
        }
        if let Some(updates) = updates {
            return Ok(Tiles::of(updates.sizes.clone()));
        }
        match &options.tile_sizes {
            TileSizes::Sica(_) => self.sica_tiles(),
            TileSizes::Default | TileSizes::Footprint => Ok(Tiles::of(self.modelled_sizes())),
            fixed => Ok(Tiles::of(rectangular::sizes(fixed, n, self.last()))),
        }
    }

    /// The innermost member.
    fn last(&self) -> usize {
        self.order.last().copied().unwrap_or(0)
    }

    /// The sizes by SICA, for bands with a vector loop.
    fn sica_tiles(&self) -> Result<Tiles> {
        let BandSite { nest, below, scop, options, independence, .. } = self.site;
        let TileSizes::Sica(sica) = &options.tile_sizes else {
            return Ok(Tiles::none("not wanted"));
        };
        if !matches!(self.innermost, Innermost::Vector(_)) {
            return Ok(Tiles::none("no vector loop"));
        }
        let innermost = self.last();
        let block = Block::new(nest, below, nest.first + innermost, scop, independence.budget())?;
        let extents: Vec<i64> = (0..self.order.len()).map(|member| nest.extent(member)).collect();
        let sizes = sica.sizes(&block, &extents, innermost, &options.machine);
        let vector_tile = sizes.as_ref().and_then(|sizes| sizes.get(innermost)).copied();
        let sizes = sizes.ok_or("a single loop, or nothing moves with the vector loop");
        Ok(Tiles { sizes, vector_tile })
    }

    /// The sizes of tiles for a band of independent members in which lines are used again, but no elements.
    fn transposition_sizes(&self) -> Option<Vec<i64>> {
        let BandSite { nest, band, scop, options, .. } = self.site;
        let innermost = *self.order.last()?;
        let is_free = self.innermost.is_free()
            && band.permutable
            && band.members.iter().all(|member| member.coincident);
        let is_wanted = matches!(options.tile_sizes, TileSizes::Default);
        (is_free && is_wanted && profitability::transposes(nest, innermost, scop, &options.machine))
            .then(|| vec![rectangular::DEFAULT_TILE; nest.n_members])
    }

    /// The sizes of the model of footprints. Bands whose tiles run in diagonals have fixed sizes: there the
    /// number of diagonals matters, which the model does not see.
    fn modelled_sizes(&self) -> Vec<i64> {
        let BandSite { nest, band, scop, options, .. } = self.site;
        match band.members.iter().position(|member| member.coincident) {
            Some(coincident) => {
                let parallel = options.parallel.then_some(coincident);
                TileProblem::new(nest, self.order, parallel, scop, &options.machine).sizes()
            }
            None => rectangular::sizes(&TileSizes::Fixed, band.n_members(), self.last()),
        }
    }
}

/// Whether the options ask for tiles, or tiles pay.
fn tiling_is_wanted(site: &BandSite) -> bool {
    match &site.options.tile_sizes {
        TileSizes::None => false,
        _ if site.options.tile_variables.is_some() => true,
        TileSizes::Given(_) | TileSizes::Sica(_) => true,
        TileSizes::Default | TileSizes::Fixed | TileSizes::Footprint => {
            profitability::tiling_pays(&site.nest, site.scop, site.machine())
        }
    }
}

fn contains_band(node: &Node) -> bool {
    let mut found = false;
    node.for_each(&mut |node| found |= matches!(node, Node::Band(..)));
    found
}
