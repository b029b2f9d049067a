//! A region in tiles over time on a device: overlapped ones, by request or by a model, and hexagons.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::generated_on_device::{MadeOf, Mapped, Program, generated, planned};
use crate::pipeline::hexagons_on_device::{hexagons, wanted_hexagons};
use crate::pipeline::outcome::Stage;
use crate::pipeline::overlapped::{Padded, with_equal_loops};
use crate::pipeline::overlapped_on_device::{
    TiledOnDevice, overlapped_on_device, wanted_sizes, with_buffers,
};
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::time_tiles_by_model::{BetterTiles, TimeTiles, better_tiles};
use loopwright_schedule::ScheduleTree;

/// The region in the tiles over time that a model prefers to the launches of a tree; otherwise the reasons
/// why there are none, which are none if it prefers none.
pub(crate) fn in_better_tiles(
    given: &Analysed,
    tree: &ScheduleTree,
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Result<Box<RegionResult>, Vec<String>>, Failure> {
    let padded = with_equal_loops(given, run)?;
    let analysed = padded.as_ref().map_or(given, |padded| &padded.analysed);
    let better = run.time(Stage::Transform, || better_tiles(analysed, tree, run));
    let mut reasons = Vec::new();
    for BetterTiles { shape, candidates, sentence } in better.unwrap_or_default() {
        let made = match shape {
            TimeTiles::Overlapped => in_overlapped(given, &padded, &candidates, made_of, run)?,
            TimeTiles::Hexagons => in_hexagons_with_boxes(given, &candidates, made_of, run)?,
        };
        match made {
            Ok(mut result) => {
                result.report.notes.insert(0, sentence);
                result.report.notes.extend(reasons);
                return Ok(Ok(result));
            }
            Err(reason) => reasons.push(format!("no tiles over time: {reason}")),
        }
    }
    Ok(Err(reasons))
}

/// The region in overlapped tiles, which the user has asked for; otherwise the reason why there are none.
pub(crate) fn in_tiles(
    given: &Analysed,
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Result<Box<RegionResult>, String>, Failure> {
    let padded = with_equal_loops(given, run)?;
    let analysed = padded.as_ref().map_or(given, |padded| &padded.analysed);
    let candidates = wanted_sizes(&analysed.region.scop, run.options);
    in_overlapped(given, &padded, &candidates, made_of, run)
}

/// The region in overlapped tiles of the first of some sizes that fit.
fn in_overlapped(
    given: &Analysed,
    padded: &Option<Padded>,
    candidates: &[Vec<i64>],
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Result<Box<RegionResult>, String>, Failure> {
    let analysed = padded.as_ref().map_or(given, |padded| &padded.analysed);
    let found = match overlapped_on_device(analysed, candidates, run) {
        Ok(Ok(tiled)) => tiled,
        Ok(Err(reason)) => return Ok(Err(reason)),
        Err(error) => return Ok(Err(format!("overlapped tiles: {error}"))),
    };
    let TiledOnDevice { tiled, dependences, chosen, plans } = found;
    // With sizes for which each statement runs, less may be seen of what was there before.
    let of_padded = padded.as_ref().map(|padded| planned(&padded.analysed, run)).transpose();
    let of_padded = match of_padded {
        Ok(transfers) => transfers,
        Err(reason) => return Ok(Err(reason)),
    };
    let transfers = of_padded.as_ref().unwrap_or(made_of.transfers);
    let transfers = match with_buffers(transfers, (&tiled, &dependences), run.effort()) {
        Ok(transfers) => transfers,
        Err(error) => return Ok(Err(format!("what has to be copied: {error}"))),
    };
    let (scop, tiles) = (tiled.scop.clone(), Some(Box::new(tiled)));
    let (promotion, has_tile_boxes) = (None, false);
    let mapped = Mapped { chosen, scop, dependences, promotion, has_tile_boxes, plans, tiles };
    let program = Program::of(analysed, &mapped.chosen);
    let made_of = MadeOf { transfers: &transfers, ..made_of };
    let made = generated(analysed, (&program, &mapped), made_of, run)?;
    Ok(made.map(|mut result| {
        if let Some(Padded { condition, .. }) = padded {
            let note = format!("checked at run time: `{condition}`, for which each statement runs");
            result.report.notes.push(note);
            result.taken_if = Some(condition.clone());
            result.region = given.region.clone();
            result.dependences = given.dependences.clone();
        }
        result
    }))
}

/// The region in hexagonal tiles, which the user has asked for; otherwise the reason why there are none.
pub(crate) fn in_hexagons(
    analysed: &Analysed,
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Result<Box<RegionResult>, String>, Failure> {
    let mut dropped = None;
    if run.options.shared_memory {
        let candidates = wanted_hexagons(&analysed.region.scop, run.options);
        match in_hexagons_with_boxes(analysed, &candidates, made_of, run)? {
            Ok(result) => return Ok(Ok(result)),
            Err(reason) => dropped = Some(format!("{VALUES_PASS_THROUGH_MEMORY}: {reason}")),
        }
    }
    let found = match hexagons(analysed, None, run) {
        Ok(Ok(found)) => found.in_device_memory(analysed, run),
        Ok(Err(reason)) => return Ok(Err(format!("no hexagonal tiles: {reason}"))),
        Err(error) => Err(error),
    };
    let mut mapped = match found {
        Ok(mapped) => mapped,
        Err(error) => return Ok(Err(format!("hexagonal tiles: {error}"))),
    };
    mapped.chosen.notes.extend(dropped);
    let program = Program::of(analysed, &mapped.chosen);
    generated(analysed, (&program, &mapped), made_of, run)
}

/// Why hexagons are as they were before there was shared memory for them.
const VALUES_PASS_THROUGH_MEMORY: &str = "values of tiles pass through the memory of the device";

/// The region in hexagonal tiles of the first of some sizes that fit, with values in shared memory; otherwise
/// the reason why there are none.
fn in_hexagons_with_boxes(
    analysed: &Analysed,
    candidates: &[Vec<i64>],
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Result<Box<RegionResult>, String>, Failure> {
    let mut reason = "there are no sizes for them".to_string();
    for sizes in candidates {
        let found = match hexagons(analysed, Some(sizes), run) {
            Ok(Ok(found)) => found.in_shared_memory(analysed, run),
            Ok(Err(why)) => Ok(Err(why)),
            Err(error) => Err(error),
        };
        let mapped = match found {
            Ok(Ok(mapped)) => mapped,
            Ok(Err(why)) => {
                reason = why;
                continue;
            }
            Err(error) => {
                reason = error.to_string();
                continue;
            }
        };
        let copies = mapped.scop.statements.iter().skip(analysed.region.scop.statements.len());
        let copied: Vec<_> = copies.flat_map(|own| &own.accesses).map(|own| own.array).collect();
        let transfers = made_of.transfers.clone().with_boxes_of(&copied, &analysed.region.scop);
        let program = Program::of(analysed, &mapped.chosen);
        let made_of = MadeOf { transfers: &transfers, ..made_of };
        match generated(analysed, (&program, &mapped), made_of, run)? {
            Ok(result) if result.report.only_tested.is_empty() => return Ok(Ok(result)),
            Ok(_) => reason = "their text is not read back within its limit".to_string(),
            Err(why) => reason = why,
        }
    }
    Ok(Err(reason))
}
