//! Whether new loops of a region are worth anything.
use crate::pipeline::gain::asks_for_loops;
use crate::pipeline::outcome::Stage;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::without_kills::executable_part;
use loopwright_verify::runs_in_order_of;

/// Steps for finding out whether new loops have the program's order; without an answer they count as others.
/// A nest of three loops takes a few thousand.
const ORDER_STEPS: u64 = 1_000_000;

/// Why a region stays as it was, if new loops gain nothing: they would be serial loops of the program's
/// order.
///
/// Options that ask for a form of the result get it, and without an answer within the limit the loops are
/// new.
pub(crate) fn nothing_gained(result: &RegionResult, run: Run<'_>) -> Option<String> {
    let options = run.options;
    if asks_for_loops(result, options) || result.is_improved {
        return None;
    }
    let RegionResult { region, tree, report, .. } = result;
    let budget = run.effort().budget(ORDER_STEPS);
    let same = run.time(Stage::Verify, || {
        let original = executable_part(&region.scop, &region.scop.schedule)?;
        runs_in_order_of(&region.scop, tree, &original, &budget)
    });
    if !same.unwrap_or(false) {
        return None;
    }
    let mut reasons: Vec<String> = Vec::new();
    for decision in report.bands.bands.iter().flat_map(|band| &band.decisions) {
        let reason = decision.to_string();
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let executed = region.scop.statements.iter().filter(|statement| !statement.is_kill);
    let has_loops = executed.into_iter().any(|statement| !statement.iterators.is_empty());
    let reasons = match (report.bands.bands.is_empty(), reasons.is_empty()) {
        (true, _) if has_loops => " (no other order was found)".to_string(),
        (true, _) => " (there is no loop whose iterations could be in another order)".to_string(),
        (false, true) => String::new(),
        (false, false) => format!(" ({})", reasons.join("; ")),
    };
    Some(format!(
        "nothing is gained, new loops would be serial and in the program's order{reasons}"
    ))
}
