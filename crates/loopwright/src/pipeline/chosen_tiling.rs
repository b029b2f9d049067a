//! Regions for which the user has chosen the shape of tiles: they have such tiles, or are refused.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::run::Run;
use crate::settings::options::{CompileOptions, Fusion};
use loopwright_transform::Decision;

/// The options for such a region: nothing else is tried, and nothing is asked about gain; none if no shape is
/// chosen.
pub(crate) fn for_chosen_tiling(options: &CompileOptions) -> Option<CompileOptions> {
    options.tiling.map(|_| CompileOptions {
        fuse: Fusion::Rule(options.fuse.first_rule()),
        second_attempt: false,
        register_tiles: false,
        panels: false,
        expansion: false,
        always_rewrite: true,
        ..options.clone()
    })
}

/// A schedule that has the tiles that are asked for.
///
/// # Errors
/// If a band has none of that shape, with the reason; or if there is no band.
pub(crate) fn with_chosen_tiles(
    analysed: &Analysed,
    chosen: ScheduleChoice,
    run: Run<'_>,
) -> Result<ScheduleChoice, Failure> {
    let Some(tiling) = run.options.tiling else { return Ok(chosen) };
    let decisions = || chosen.bands.bands.iter().flat_map(|band| &band.decisions);
    let refused = decisions().find_map(|decision| match decision {
        Decision::ShapeRefused { reason, .. } => Some(reason.clone()),
        _ => None,
    });
    let is_tiled = decisions().any(|decision| matches!(decision, Decision::Shaped { .. }));
    let reason = match (refused, is_tiled) {
        (Some(reason), _) => reason,
        (None, true) => return Ok(chosen),
        (None, false) => "there is no band of two loops or more".to_string(),
    };
    let line = analysed.region.first_line;
    let message = format!("the region at line {line} has no {} tiles: {reason}", tiling.name());
    Err(Failure::refused(message).with_notes(chosen.notes))
}
