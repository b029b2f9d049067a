//! What one tile computes and touches.
//!
//! A tile is what a band over tiles (one with rounded quotients) executes in one iteration of all its loops
//! and of those around. The one in the middle of all tiles is counted: in each dimension, from the outside
//! in, the first tile at or behind the middle of those that are left.
use crate::operations::{StatementAmounts, operations_of_an_instance};
use crate::quantity::Quantity;
use crate::sizes::Sizes;
use crate::touched::{ArrayAmounts, Reference, arrays};
use loopwright_presburger::{Budget, DimKind, Int, Map, Optimum, Result, Set};
use loopwright_schedule::{Band, Node, Reaching, ScheduleTree};
use loopwright_scop::{Scop, Statement};

/// Tilings of a region that are looked at.
const MOST_TILINGS: usize = 8;

/// Steps for the tile in the middle, some hundredths of a second.
const STEPS: u64 = 500_000;

/// A tile.
#[derive(Clone, Debug)]
pub struct TileAmounts {
    /// The statements that have instances in tiles.
    pub statements: Vec<String>,
    /// The loops over tiles, with those around them.
    pub depth: usize,
    /// The number of tiles.
    pub tiles: Quantity,
    /// The instances of statements in the tile in the middle.
    pub instances: Int,
    /// Their operations of all kinds, at most.
    pub operations: Int,
    /// What they touch; values only.
    pub arrays: Vec<ArrayAmounts>,
    /// The bytes of the cache lines of all arrays; none if those of an array are not known.
    pub bytes: Option<Int>,
}

/// The tilings of a tree at given sizes. Those of which sizes do not tell the tiles, or limits are reached,
/// are left out.
pub(crate) fn tiles(
    scop: &Scop,
    tree: &ScheduleTree,
    statements: &[StatementAmounts],
    line_bytes: u64,
    sizes: &Sizes,
) -> Vec<TileAmounts> {
    let mut paths = Vec::new();
    bands_over_tiles(&tree.root, &mut Vec::new(), &mut paths);
    let counter = Counter { scop, statements, line_bytes, sizes };
    let of = |path: &Vec<usize>| counter.of_band(tree, path).ok().flatten();
    paths.iter().take(MOST_TILINGS).filter_map(of).collect()
}

/// The paths of bands over tiles, from the outside in.
fn bands_over_tiles(node: &Node, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if let Node::Band(band, _) = node
        && has_quotients(band)
    {
        found.push(path.clone());
    }
    for (position, child) in node.children().iter().enumerate() {
        path.push(position);
        bands_over_tiles(child, path, found);
        path.pop();
    }
}

/// Whether a member of a band has rounded quotients.
fn has_quotients(band: &Band) -> bool {
    let parts = band.schedule.members().iter().flat_map(|member| member.parts());
    parts.flat_map(|part| part.pieces()).any(|(_, value)| !value.locals().is_empty())
}

struct Counter<'a> {
    scop: &'a Scop,
    statements: &'a [StatementAmounts],
    line_bytes: u64,
    sizes: &'a Sizes,
}

impl Counter<'_> {
    fn of_band(&self, tree: &ScheduleTree, path: &[usize]) -> Result<Option<TileAmounts>> {
        let Some(node @ Node::Band(..)) = tree.at(path) else { return Ok(None) };
        let inside = Reaching::at(tree, path)?.descend(node, 0)?;
        let schedule = inside.prefix_schedule()?;
        // Statements that the compiler adds (they fill panels) are not counted.
        let known = schedule.maps().iter().filter_map(|map| {
            let name = map.space().input()?.name()?;
            let statement = self.scop.statements.iter().find(|other| other.name == *name)?;
            Some((statement, map.clone()))
        });
        let known: Vec<(&Statement, Map)> = known.collect();
        let mut all: Option<Set> = None;
        for (_, map) in &known {
            let range = map.range();
            all = Some(match all {
                None => range,
                Some(all) => {
                    all.align_params(range.space()).union(&range.align_params(all.space()))?
                }
            });
        }
        let Some(all) = all else { return Ok(None) };
        let Some(tile) = self.middle(&all)? else { return Ok(None) };
        self.of_tile(&known, &tile, inside.depth(), &all)
    }

    /// The tile in the middle; none if there are no tiles, or sizes do not tell.
    fn middle(&self, tiles: &Set) -> Result<Option<Vec<Int>>> {
        let budget = Budget::steps(STEPS);
        let Some(mut tiles) = self.sizes.fix(tiles) else { return Ok(None) };
        let mut tile = Vec::new();
        for dim in 0..tiles.n_dims() {
            let (first, last) = (
                tiles.dim_min_val(DimKind::Out, dim, &budget)?,
                tiles.dim_max_val(DimKind::Out, dim, &budget)?,
            );
            let (Optimum::At(first), Optimum::At(last)) = (first, last) else { return Ok(None) };
            let middle = (&first + &last).div_floor(&Int::from(2));
            let behind = tiles.lower_bound(DimKind::Out, dim, &middle);
            let Optimum::At(chosen) = behind.dim_min_val(DimKind::Out, dim, &budget)? else {
                return Ok(None);
            };
            tiles = tiles.fix(DimKind::Out, dim, &chosen);
            tile.push(chosen);
        }
        Ok(Some(tile))
    }

    fn of_tile(
        &self,
        known: &[(&Statement, Map)],
        tile: &[Int],
        depth: usize,
        all: &Set,
    ) -> Result<Option<TileAmounts>> {
        let (mut instances, mut operations) = (Int::ZERO, Int::ZERO);
        let (mut references, mut names) = (Vec::new(), Vec::new());
        for (statement, map) in known {
            let own = tile
                .iter()
                .enumerate()
                .fold(map.clone(), |map, (dim, value)| map.fix(DimKind::Out, dim, value));
            let Some(own) = self.sizes.fix(&own.domain()) else { return Ok(None) };
            let count = Quantity::of_set(&own, &self.scop.context, self.sizes);
            let Some(count) = count.value() else { return Ok(None) };
            let of = self.statements.iter().find(|of| *of.name == *statement.name);
            let each = of.map_or(0, operations_of_an_instance);
            names.push(statement.name.to_string());
            instances = &instances + count;
            operations =
                &operations + &(count * &Int::from(i64::try_from(each).unwrap_or(i64::MAX)));
            for reference in Reference::of_statement(statement) {
                references.push(reference.within(&own)?);
            }
        }
        let arrays = arrays(self.scop, &references, self.line_bytes, self.sizes);
        let arrays: Vec<ArrayAmounts> = arrays.into_iter().map(ArrayAmounts::only_values).collect();
        let line_bytes = Int::from(i64::try_from(self.line_bytes).unwrap_or(i64::MAX));
        let bytes = arrays.iter().try_fold(Int::ZERO, |sum, array| {
            Some(&sum + &(array.lines.as_ref()?.value()? * &line_bytes))
        });
        let tiles = Quantity::of_set(all, &self.scop.context, self.sizes);
        Ok(Some(TileAmounts {
            statements: names,
            depth,
            tiles,
            instances,
            operations,
            arrays,
            bytes,
        }))
    }
}
