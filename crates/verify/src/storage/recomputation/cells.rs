//! 4: elements that share a cell, cells that do not exist, and tiles that share a block.
use super::Check;
use super::subscripts::accessed;
use crate::syntax_tree::loops::Loops;
use crate::verdict::{Violation, violation, violation_if_any};
use loopwright_presburger::{DimKind, Int, Map, Result};
use loopwright_scop::{PrivateArray, Statement};

impl Check<'_> {
    /// All of these.
    pub(super) fn wrong_cells(&self, loops: &Loops) -> Result<Vec<Violation>> {
        let mut violations = Vec::new();
        for private in &self.program.recomputation.arrays {
            violations.extend(self.wrong_blocks(private, loops)?);
            violations.extend(self.outside_of_extents(private)?);
            if !self.is_injective_in_tile(private)? {
                let name = &self.program.tiled.array(private.local).name;
                violations.push(violation(format!("elements of a tile share a cell of `{name}`")));
            }
        }
        Ok(violations)
    }

    /// Accesses of an array outside of a block that declares it, tiles that use one block, and blocks that
    /// are used by several tiles.
    fn wrong_blocks(&self, private: &PrivateArray, loops: &Loops) -> Result<Vec<Violation>> {
        let tiled = self.program.tiled;
        let local = tiled.array(private.local);
        let most = loops.calls.iter().map(|call| call.instances.n(DimKind::In)).max().unwrap_or(0);
        let mut blocks: Option<Map> = None;
        for call in &loops.calls {
            let statement = call.statement().and_then(|name| tiled.statement_named(name));
            let Some(statement) = statement.filter(|s| uses(s, private)) else { continue };
            let block = call.blocks.iter().rev().find(|block| block.array == local.tuple_name);
            let Some(block) = block else {
                let message = format!("`{}` is accessed outside of its block", local.name);
                return Ok(vec![violation(message)]);
            };
            let n = call.instances.n(DimKind::In);
            let outside = call.instances.project_out(DimKind::In, block.depth, n - block.depth);
            let tiles = outside.apply_range(&self.tile(statement)?)?;
            let tiles = numbered(&tiles, block.number, most)?;
            blocks = Some(blocks.map_or(Ok(tiles.clone()), |known| known.union(&tiles))?);
        }
        let mut violations = Vec::new();
        let Some(blocks) = blocks else { return Ok(violations) };
        if !blocks.is_single_valued(self.budget)? {
            violations.push(violation(format!("two tiles use the same `{}`", local.name)));
        }
        if !blocks.is_injective(self.budget)? {
            violations.push(violation(format!("a tile uses several arrays `{}`", local.name)));
        }
        Ok(violations)
    }

    /// Whether no two elements of one tile have the same cell.
    fn is_injective_in_tile(&self, private: &PrivateArray) -> Result<bool> {
        let space = private.cells.space();
        let n = self.program.recomputation.n_tile;
        let all = Map::universe(space.domain().map_to(&space.domain()));
        let same_tile =
            (0..n).fold(all, |map, dim| map.equate(DimKind::In, dim, DimKind::Out, dim));
        let cells = private.cells.to_map();
        let same_cell = cells.apply_range(&cells.reverse())?.intersect(&same_tile)?;
        same_cell.is_subset(&Map::identity(&space.domain()), self.budget)
    }

    /// Cells beyond the extents of a local array.
    fn outside_of_extents(&self, private: &PrivateArray) -> Result<Vec<Violation>> {
        let tiled = self.program.tiled;
        let local = tiled.array(private.local);
        let Some(used) = accessed(tiled, private.array)? else { return Ok(Vec::new()) };
        let cells = used.apply(&private.cells.to_map())?;
        let mut violations = Vec::new();
        if local.extents.len() != cells.n(DimKind::Out) {
            violations.push(violation(format!("`{}` has other dimensions", local.name)));
        }
        for (position, extent) in local.extents.iter().enumerate() {
            let extent = extent.as_ref().and_then(|e| e.as_aff()?.constant_value()?.to_int());
            let Some(extent) = extent else {
                violations
                    .push(violation(format!("the extents of `{}` are not constant", local.name)));
                continue;
            };
            let below = cells.upper_bound(DimKind::Out, position, &-&Int::ONE);
            let above = cells.lower_bound(DimKind::Out, position, &extent);
            for outside in [below, above] {
                let message = || format!("a cell of `{}` is outside of its extents", local.name);
                violations.extend(violation_if_any(outside.as_map(), message, self.budget)?);
            }
        }
        Ok(violations)
    }
}

/// Whether a statement accesses elements of a private array.
fn uses(statement: &Statement, private: &PrivateArray) -> bool {
    statement.accesses.iter().any(|access| access.array == private.array)
}

/// From the number of a block and the iterators around it, with zeros up to `n` of them.
fn numbered(blocks: &Map, number: usize, n: usize) -> Result<Map> {
    let depth = blocks.n(DimKind::In);
    let mut all = blocks.insert_dims(DimKind::In, depth, n.saturating_sub(depth));
    for further in depth..n {
        all = all.fix(DimKind::In, further, &Int::ZERO);
    }
    let number = Int::from(i64::try_from(number).unwrap_or(i64::MAX));
    Ok(all.insert_dims(DimKind::In, 0, 1).fix(DimKind::In, 0, &number))
}
