//! Updates: the parts of factorizations that are matrix products.
//!
//! In `A[i][j] -= A[i][k] * A[k][j]` of a factorization all operands are elements of one matrix, and other
//! statements compute the columns `k` in the same band. But in most tiles of the band nothing that is read
//! is written, except for the results that accumulate: a block of the matrix is updated by the product of two
//! other blocks. There the statement runs alone, in register tiles ([`crate::tile::register_tile`]), as in a
//! matrix product:
//!
//! ```text
//! for (kk, ii, jj: tiles) {               for (kk, ii, jj: tiles) {
//!   for (k, i, j: points) {                 if (kk, ii, jj are of the update) for (j, i by register tiles)
//!     S(k, i, j);                ⟶            for (k, i, j: points) S(k, i, j);
//!     T(k, i);                              else for (k, i, j: points) { S(k, i, j); T(k, i); }
//!   }                                     }
//! }
//! ```
//!
//! The *tiles of the update* are those in which no element that the statement reads, besides the results, is
//! written by any statement of the band: computed exactly from the accesses. This is a choice per tile, so it
//! changes nothing between tiles.
//!
//! # Legality
//! The band is permutable, so that the instances of one statement may run in any order of the loops in a
//! tile. That the updates of a tile run before what else there is in it is tested on the
//! dependences.
use crate::cost::nest::is_heavy;
use crate::decision::Decision;
use crate::legality::conflicts::{times_of_conflicts, written_below};
use crate::loops::distribute::order_of_parts;
use crate::loops::loop_order::{best_innermost, with_innermost};
use crate::settings::TileSizes;
use crate::site::BandSite;
use crate::tile::rectangular;
use crate::tile::register_tile::{RegisterTile, Roles};
use crate::tile::unroll_and_jam::is_straight_line;
use loopwright_presburger::{Budget, Error, Result, Set, Space, UnionMap, UnionSet};
use loopwright_schedule::{Band, Node, Piece, Reaching, TileLoops};
use loopwright_scop::{AccessKind, Statement};

/// Steps for finding the tiles of an update: projections of a few relations in some ten dimensions.
const STEPS: u64 = 1_000_000;

/// Tiles along each loop of an update that make it worth while.
const LEAST_TILES: i64 = 4;

/// Values of a tile along each loop of an update, at most: the block of the matrix that all rows share takes
/// 72 KiB of the second level cache. With larger ones more is left to the rest, which is slow.
const LARGEST_EDGE: i64 = 96;

/// A statement in its tiles.
#[derive(Clone, Debug)]
struct Update {
    instances: UnionSet,
    tile: RegisterTile,
}

/// The updates of a band.
#[derive(Clone, Debug)]
pub struct Updates {
    /// The tile sizes of the band.
    pub sizes: Vec<i64>,
    /// In the order in which they run.
    updates: Vec<Update>,
    /// All other instances, which run after them.
    rest: UnionSet,
}

/// The search for the updates of a band.
#[derive(Clone, Copy)]
struct UpdateSearch<'a> {
    site: &'a BandSite<'a>,
}

impl Updates {
    /// The updates of a permutable band; none if there are none, or if the budget runs out.
    ///
    /// # Errors
    /// For malformed trees.
    pub(crate) fn find(site: &BandSite) -> Result<Option<Updates>> {
        match (UpdateSearch { site }).updates(&Budget::steps(STEPS)) {
            Err(Error::Exceeded { .. }) => Ok(None),
            found => found,
        }
    }

    /// The rows and columns of the register tiles.
    pub fn register_tile(&self) -> Option<(i64, i64)> {
        self.updates.first().map(|update| (update.tile.rows, update.tile.columns))
    }

    /// What was decided.
    pub fn decision(&self) -> Decision {
        let (rows, columns) = self.register_tile().unwrap_or((1, 1));
        Decision::UpdateTiles { rows, columns }
    }

    /// The loops over the numbers of tiles of `band`: the conditions of updates are about these.
    ///
    /// # Errors
    /// Those of tiling.
    pub(crate) fn counted_tiles(&self, band: &Band) -> Result<Band> {
        Ok(rectangular::tile(band, &self.sizes, TileLoops::Unscaled)?.0)
    }

    /// The points of a tile of `band` inside of `outer` loops over tiles: each update, then the `rest`, made
    /// of the loops `points`.
    ///
    /// # Errors
    /// Those of tiling.
    pub(crate) fn points(
        &self,
        band: &Band,
        outer: usize,
        points: &Band,
        rest: impl FnOnce(&Band) -> Result<Node>,
    ) -> Result<Node> {
        let mut parts = Vec::with_capacity(self.updates.len() + 1);
        for Update { instances, tile } in &self.updates {
            let spaces = instances.sets().into_iter().map(|set| set.space().clone());
            let whole = UnionSet::from_sets(&Space::params(&[]), spaces.map(Set::universe));
            let own = band.permute(&tile.order(band.n_members()))?.intersect_domain(&whole)?;
            parts.push((instances.clone(), tile.points(&own, outer, Node::Leaf)?));
        }
        parts.push((self.rest.clone(), rest(points)?));
        Ok(Node::sequence(parts))
    }
}

impl UpdateSearch<'_> {
    fn updates(&self, budget: &Budget) -> Result<Option<Updates>> {
        let has_parallel_tiles = self.site.band.members.iter().any(|member| member.coincident);
        if self.site.nest.statements.len() < 2
            || has_parallel_tiles
            || !is_straight_line(self.site.child)
        {
            return Ok(None);
        }
        let below = self.site.below;
        let mut tiles: Vec<(RegisterTile, usize)> = Vec::new();
        for (position, piece) in below.pieces.iter().enumerate() {
            let is_heavy = self.is_heavy(piece);
            let is_single = below.pieces.iter().filter(|p| name(p) == name(piece)).count() == 1;
            if let Some(tile) =
                (is_heavy && is_single).then(|| self.tile(piece, below)).transpose()?
                && let Some(tile) = tile
                && tiles.first().is_none_or(|(first, _)| first.roles == tile.roles)
            {
                tiles.push((tile, position));
            }
        }
        let Some((first, _)) = tiles.first() else { return Ok(None) };
        let Some(sizes) = self.sizes(first) else { return Ok(None) };
        let (loops, _) = rectangular::tile(self.site.band, &sizes, TileLoops::Unscaled)?;
        let in_tile = self.site.reaching.descend(&Node::band(loops, Node::Leaf), 0)?;
        let times = in_tile.prefix_schedule()?;
        let written = written_below(self.site.scop, below)?;
        let mut updates = Vec::new();
        let mut rest = UnionSet::empty();
        for (position, piece) in below.pieces.iter().enumerate() {
            let domain = UnionSet::from_set(piece.domain.clone());
            let Some((tile, _)) = tiles.iter().find(|(_, own)| *own == position) else {
                rest = rest.union(&domain)?;
                continue;
            };
            let own = times.intersect_domain(&domain)?;
            let read = self.reads(piece)?;
            let others = times_of_conflicts(&read, &written, &own, &times, budget)?.domain();
            let others = others.make_locals_explicit(budget)?.coalesce(budget)?;
            let all = own.range();
            let alone = all.subtract(&others, budget)?.coalesce(budget)?.gist(&all, budget)?;
            // What is left of the tiles in terms of few constraints, those of `alone`.
            let others = all.subtract(&alone, budget)?;
            let instances = |tiles: &UnionSet| -> Result<UnionSet> {
                let instances = own.intersect_range_within(tiles, budget)?.domain();
                instances.make_locals_explicit(budget)?.gist(&domain, budget)
            };
            let update = instances(&alone)?;
            rest = rest.union(&instances(&others.gist(&all, budget)?)?)?;
            if !update.is_empty(budget)? {
                updates.push(Update { instances: update, tile: tile.clone() });
            }
        }
        let mut parts: Vec<UnionSet> = updates.iter().map(|u| u.instances.clone()).collect();
        parts.push(rest.clone());
        let order = order_of_parts(&parts, &in_tile, self.site.independence)?;
        let n = updates.len();
        let Some(order) = order.filter(|order| n > 0 && order.last() == Some(&n)) else {
            return Ok(None);
        };
        let updates = order[..n].iter().map(|&position| updates[position].clone()).collect();
        Ok(Some(Updates { sizes, updates, rest }))
    }

    fn statement(&self, piece: &Piece) -> Option<&Statement> {
        self.site.scop.statement_named(name(piece)?).filter(|statement| !statement.is_kill)
    }

    fn is_heavy(&self, piece: &Piece) -> bool {
        let own = self.statement(piece).map(|statement| statement.id);
        let mut statements = self.site.nest.statements.iter();
        statements.any(|s| Some(s.statement.id) == own && is_heavy(&self.site.nest, s))
    }

    /// The register tile of one statement where it runs alone.
    fn tile(&self, piece: &Piece, below: &Reaching) -> Result<Option<RegisterTile>> {
        let own = UnionSet::from_set(piece.domain.clone());
        let filter = Node::filter(own, Node::Leaf);
        let nest = self.site.nest.update(name(piece).unwrap_or_default());
        let inside = self.site.reaching.descend(&filter, 0)?;
        let below = below.descend(&filter, 0)?;
        let n = self.site.band.n_members();
        let mut free = Vec::with_capacity(n);
        for member in 0..n {
            let loops = self.site.members_in(&with_innermost(n, member));
            let private = self.site.independence.private_scalars(&inside, &loops)?;
            free.push(private.is_some_and(|private| private.is_empty()));
        }
        let column = best_innermost(&nest, 0..n, |member| free[member], self.site.options.panels);
        if !free[column] {
            return Ok(None);
        }
        let tile = RegisterTile::choose(&nest, &below, column, self.site.scop, self.site.options)?;
        Ok(tile.map(RegisterTile::with_last_rows))
    }

    /// The sizes of the tiles: those that are given, or one size for the three loops of the update. Then
    /// two tiles along different dimensions of the matrix are the same elements or have none in common.
    fn sizes(&self, tile: &RegisterTile) -> Option<Vec<i64>> {
        let n = self.site.band.n_members();
        let Roles { row, column, sum } = tile.roles;
        if let given @ TileSizes::Given(_) = &self.site.options.tile_sizes {
            return Some(rectangular::sizes(given, n, column));
        }
        let unit = least_common_multiple(tile.rows, tile.columns);
        let edge = unit.saturating_mul((LARGEST_EDGE / unit).max(1));
        let roles = [row, column, sum];
        let size = |member| match roles.contains(&member) {
            true => edge,
            false => rectangular::DEFAULT_TILE,
        };
        let sizes: Vec<i64> = (0..n).map(size).collect();
        let is_long =
            |&member: &usize| self.site.nest.extent(member) >= sizes[member] * LEAST_TILES;
        roles.iter().all(is_long).then_some(sizes)
    }

    /// What a statement reads and does not write at the same time.
    fn reads(&self, piece: &Piece) -> Result<UnionMap> {
        let mut read = UnionMap::empty();
        let Some(statement) = self.statement(piece) else { return Ok(read) };
        let nest = self.site.nest.update(name(piece).unwrap_or_default());
        let accesses = nest.statements.iter().flat_map(|s| &s.accesses);
        let executed = statement.accesses.iter().filter(|a| a.kind != AccessKind::Kill);
        for (access, linear) in executed.zip(accesses) {
            if !linear.is_write && !nest.is_result(linear) {
                let relation = access.relation.intersect_domain(&piece.domain)?;
                read = read.union(&UnionMap::from_map(relation))?;
            }
        }
        Ok(read)
    }
}

fn name(piece: &Piece) -> Option<&str> {
    piece.domain.space().output()?.name().map(|name| &**name)
}

fn least_common_multiple(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a.max(1), b.max(1));
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a.max(1) / x * b.max(1)
}
