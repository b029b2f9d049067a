//! Tiles over time that repeat nothing, with boxes of arrays in shared memory.
//!
//! A tile of a hexagon's row is executed by one block, one after the other with other tiles of the block.
//! What it accesses of an array lies in a box whose place depends on the tile and whose extents are constant
//! (`footprints.rs`). The block copies the box into shared memory, executes the tile there, and copies back
//! what the tile may have written (`statements.rs`, `tree.rs`), so that other memory is read and written once
//! for a tile and not once for a time step.
//!
//! An element of a promoted array has the coordinates of its tile in front, and its subscripts in the program
//! behind them. Elements of the box that the tile does not write get the value back that they had. That none
//! of them is accessed by another block meanwhile, and all else, is for `loopwright_verify` to prove.
mod footprints;
mod instances;
mod statements;
mod tree;

use super::promoting::{KernelMemory, Promoting};
use crate::select::{domain, without_marks};
use loopwright_dataflow::Dependences;
use loopwright_machine::Device;
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Promotion, Scop};
use std::collections::BTreeSet;

/// A program in tiles over time with boxes of arrays in shared memory.
#[derive(Clone, Debug)]
pub struct TileBoxes {
    /// The tree, with marks, but without barriers for the copies.
    pub tree: ScheduleTree,
    /// The program with statements that copy, in the order of the tree.
    pub scop: Scop,
    /// Which arrays stand for what.
    pub promotion: Promotion,
    /// What was done, in sentences.
    pub decisions: Vec<String>,
    /// The bytes of shared memory that a block needs.
    pub shared_bytes: u64,
}

/// The program of a tree in which tiles over time are blocks ([`crate::tiles_as_blocks`]), with what each
/// tile accesses of arrays in shared memory; otherwise the reason why there is none. `taken` are names that
/// the program uses.
///
/// *Cost.* A hull of the footprint of each access, and of what the program accesses of each array.
///
/// # Errors
/// Those of operations on sets, a limit among them.
pub fn with_tile_boxes(
    tree: &ScheduleTree,
    (scop, dependences): (&Scop, &Dependences),
    device: &Device,
    taken: &BTreeSet<String>,
    budget: &Budget,
) -> Result<std::result::Result<TileBoxes, String>> {
    let tiles = match tree::Tiles::of(tree, scop, budget)? {
        Ok(tiles) => tiles,
        Err(reason) => return Ok(Err(reason.to_string())),
    };
    let given = (device, KernelMemory::REGISTERS);
    let mut promoting = Promoting::new((scop, dependences), given, taken, budget);
    let (mut boxes, mut bytes) = (Vec::new(), 0u64);
    for footprint in tiles.footprints(scop, budget)? {
        bytes = bytes.saturating_add(footprint.bytes());
        boxes.push(promoting.promote_box(&tiles, &footprint)?);
    }
    if boxes.is_empty() {
        return Ok(Err("no array that they write has a box of constant extents".to_string()));
    }
    if bytes > device.block_shared_bytes {
        let most = device.block_shared_bytes;
        return Ok(Err(format!(
            "their boxes need {bytes} bytes of shared memory, of which a block may have {most}"
        )));
    }
    let mut tree = tiles.with_boxes(tree, &promoting.scop, &boxes)?;
    let Promoting { mut scop, promotion, decisions, .. } = promoting;
    tree.domain = domain(&scop);
    scop.schedule = without_marks(&tree)?;
    Ok(Ok(TileBoxes { tree, scop, promotion, decisions, shared_bytes: bytes }))
}
