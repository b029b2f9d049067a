//! A region in tiles over time on a device: overlapped ones, by request or by a model, and hexagons.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::generated_on_device::{MadeOf, Mapped, Program, generated, planned};
use crate::pipeline::hexagons_on_device::hexagons_on_device;
use crate::pipeline::outcome::Stage;
use crate::pipeline::overlapped::{Padded, with_equal_loops};
use crate::pipeline::overlapped_on_device::{
    TiledOnDevice, overlapped_on_device, wanted_sizes, with_buffers,
};
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::time_tiles_by_model::{BetterTiles, better_tiles};
use loopwright_schedule::ScheduleTree;

/// The region in overlapped tiles of some sizes, or of those that the user or the compiler wants; otherwise the reason why there are none.
pub(crate) fn in_tiles(
    given: &Analysed,
    sizes: &TimeTileSizes<'_>,
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Result<Box<RegionResult>, String>, Failure> {
    let padded = with_equal_loops(given, run)?;
    let analysed = padded.as_ref().map_or(given, |padded| &padded.analysed);
    let scop = &analysed.region.scop;
    let (candidates, sentence) = match sizes {
        TimeTileSizes::Wanted => (wanted_sizes(scop, run.options), None),
        TimeTileSizes::IfBetter(tree) => {
            match run.time(Stage::Transform, || better_tiles(analysed, tree, run)) {
                Ok(Some(BetterTiles { candidates, sentence })) => (candidates, Some(sentence)),
                Ok(None) | Err(_) => return Ok(Err(String::new())),
            }
        }
    };
    let found = match overlapped_on_device(analysed, &candidates, run) {
        Ok(Ok(tiled)) => tiled,
        Ok(Err(reason)) => return Ok(Err(reason)),
        Err(error) => return Ok(Err(format!("overlapped tiles: {error}"))),
    };
    let TiledOnDevice { tiled, dependences, mut chosen, plans } = found;
    chosen.notes.extend(sentence);
    // With sizes for which each statement runs, less may be seen of what was there before.
    let of_padded = padded.as_ref().map(|padded| planned(&padded.analysed, run)).transpose();
    let of_padded = match of_padded {
        Ok(transfers) => transfers,
        Err(reason) => return Ok(Err(reason)),
    };
    let transfers = of_padded.as_ref().unwrap_or(made_of.transfers);
    let transfers = match with_buffers(transfers, (&tiled, &dependences)) {
        Ok(transfers) => transfers,
        Err(error) => return Ok(Err(format!("what has to be copied: {error}"))),
    };
    let (scop, tiles) = (tiled.scop.clone(), Some(Box::new(tiled)));
    let mapped = Mapped { chosen, scop, dependences, promotion: None, plans, tiles };
    let program = Program::of(analysed, &mapped.chosen);
    let made_of = MadeOf { transfers: &transfers, ..made_of };
    let made = generated(analysed, (&program, &mapped), made_of, run)?;
    Ok(made.map(|mut result| {
        if let Some(Padded { condition, .. }) = padded {
            let note = format!("checked at run time: `{condition}`, for which each statement runs");
            result.report.notes.push(note);
            result.taken_if = Some(condition);
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
    let (chosen, plans) = match hexagons_on_device(analysed, run) {
        Ok(Ok(found)) => found,
        Ok(Err(reason)) => return Ok(Err(format!("no hexagonal tiles: {reason}"))),
        Err(error) => return Ok(Err(format!("hexagonal tiles: {error}"))),
    };
    let (scop, dependences) = (analysed.region.scop.clone(), analysed.dependences.clone());
    let mapped = Mapped { chosen, scop, dependences, promotion: None, plans, tiles: None };
    let program = Program::of(analysed, &mapped.chosen);
    generated(analysed, (&program, &mapped), made_of, run)
}

/// Which tiles over time a region gets.
pub(crate) enum TimeTileSizes<'a> {
    /// Those that are asked for.
    Wanted,
    /// Those that are better than the launches of a tree, by the model.
    IfBetter(&'a ScheduleTree),
}
