//! Tiles for the caches around register tiles.
//!
//! Without panels, a few rows of each operand stay in the first level cache. With panels ([`crate::packing`])
//! the tiles run as in Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS
//! 2008: the loop over tiles of rows (or of columns, whichever is parallel) outside, then that over tiles of
//! the sum, then the other one. The operand of the first two is packed once and stays in the second level
//! cache, the other operand is packed in narrow panels that pass by.
//!
//! Per operation, a tile of `r` rows and `s` values of the sum loads and stores the results `2 / s` times and
//! packs the other operand `1 / r` times. With `r * s` elements in the cache the sum of both is least at
//! `s = 2 r`.
use crate::Options;
use crate::cost::nest::Nest;
use crate::tile::rectangular;
use crate::tile::register_tile::RegisterTile;
use loopwright_machine::Machine;
use loopwright_schedule::Band;

/// Values of a cache tile along the sum without panels: 64 rows of a few cache lines (8 KiB and more) are
/// read by all rows of a tile of columns and stay in the first level cache, on fewer pages than its TLB has.
const SUM_TILE: i64 = 64;

/// Register tiles per cache tile along the rows without panels, and of these half at least.
const ROW_TILES: i64 = 8;

/// Register tiles per cache tile along the columns without panels.
const COLUMN_TILES: i64 = 16;

/// Tiles for the caches along the rows that each core has without panels, at least, if there are enough.
const TILES_PER_CORE: i64 = 3;

/// The same along the parallel loop with panels. Larger tiles pay there, more than what cores wait for each
/// other at the end.
const PACKED_TILES_PER_CORE: i64 = 2;

/// Rows or columns of a narrow panel, about: it is used for all of the other loop in the tile.
const NARROW: i64 = 96;

/// Values of a cache tile along the sum where operands are packed, at most.
const LARGEST_SUM_TILE: i64 = 512;

/// The part of the second level cache for the operand that stays there, in sixteenths.
const SIXTEENTHS_OF_CACHE: i64 = 5;

impl RegisterTile {
    /// Sizes of the tiles of `band` for the caches: multiples of the register tile.
    ///
    /// Few enough along the parallel loop that all cores get several tiles.
    pub fn cache_tile_sizes(&self, nest: &Nest, band: &Band, options: &Options) -> Vec<i64> {
        let (row, sum, column) = match options.panels {
            true => self.packed_sizes(nest, band, &options.machine),
            false => self.plain_sizes(nest, &options.machine),
        };
        let size = |member| match member {
            _ if member == self.roles.row => row,
            _ if member == self.roles.column => column,
            _ if member == self.roles.sum => sum,
            _ => rectangular::DEFAULT_TILE,
        };
        (0..nest.n_members).map(size).collect()
    }

    /// The order of `n` loops over tiles of which `outermost` is the first if it is given: other loops, then
    /// that over the operand that stays in the cache, the sum, and the one over narrow panels.
    pub fn tile_order(&self, n: usize, outermost: Option<usize>) -> Vec<usize> {
        let outer = outermost.unwrap_or(self.roles.row);
        let narrow = if outer == self.roles.column { self.roles.row } else { self.roles.column };
        let last = [self.roles.sum, narrow];
        let others = (0..n).filter(|member| *member != outer && !last.contains(member));
        match outermost {
            Some(outermost) => [outermost].into_iter().chain(others).chain(last).collect(),
            None => others.chain([outer]).chain(last).collect(),
        }
    }

    /// Sizes along the rows, the sum and the columns where nothing is packed.
    fn plain_sizes(&self, nest: &Nest, machine: &Machine) -> (i64, i64, i64) {
        let parts = self.rows.saturating_mul(cores(machine).saturating_mul(TILES_PER_CORE)).max(1);
        let tiles = (nest.extent(self.roles.row) / parts).clamp(ROW_TILES / 2, ROW_TILES);
        // A power of two: bounds that mix rows and columns then stay simple.
        (self.rows << tiles.ilog2(), SUM_TILE, self.columns * COLUMN_TILES)
    }

    /// The same where operands are packed.
    fn packed_sizes(&self, nest: &Nest, band: &Band, machine: &Machine) -> (i64, i64, i64) {
        let (row, column) = (self.roles.row, self.roles.column);
        let is_coincident = |&member: &usize| band.members[member].coincident;
        let outer = [row.min(column), row.max(column)].into_iter().find(is_coincident);
        let by_columns = outer == Some(column);
        let (wide, narrow) = match by_columns {
            true => (self.columns, self.rows),
            false => (self.rows, self.columns),
        };
        let narrow = narrow * (NARROW / narrow).max(1);
        // A multiple of the other size, if possible: bounds that mix rows and columns then stay simple.
        let unit = if narrow % wide == 0 { narrow } else { wide };
        let bytes = i64::try_from(machine.l2_bytes / 16).unwrap_or(0) * SIXTEENTHS_OF_CACHE;
        let elements = bytes / self.element_bytes.max(1);
        let parts = unit.saturating_mul(cores(machine).saturating_mul(PACKED_TILES_PER_CORE));
        let extent = nest.extent(if by_columns { column } else { row });
        let units = ((elements / 2).max(1).isqrt() / unit).min(extent / parts.max(1)).max(1);
        let wide = units.saturating_mul(unit).max(1);
        let sum = (elements / wide / SUM_TILE * SUM_TILE).clamp(SUM_TILE, LARGEST_SUM_TILE);
        if by_columns { (narrow, sum, wide) } else { (wide, sum, narrow) }
    }
}

fn cores(machine: &Machine) -> i64 {
    i64::try_from(machine.cores).unwrap_or(1).max(1)
}
