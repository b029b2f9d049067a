//! The shape of tiles of a region by what it costs, of those that are legal and proved.
//!
//! Each shape is asked for its tiles, with the sizes that are given or those of its choice, and for what an
//! instance costs in them ([`loopwright_transform::tile::tiling_cost`]). The cheapest one is generated and
//! proved; where a proof is missing the next one is. Overlapped tiles, which compute instances again, come
//! last. Notes of the report say all of it.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::outcome::RegionReport;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::schedule_choice::choose_schedule;
use crate::settings::options::CompileOptions;
use loopwright_transform::tile::tiling_cost::TilingCost;
use loopwright_transform::{Decision, Tiling};
use loopwright_verify::Proof;

/// Shapes that are not compared, and why: as clauses.
const NOT_COMPARED: [(Tiling, &str); 2] = [
    (Tiling::Molecular, "they have the waves and sizes of trapezoids"),
    (Tiling::CacheOblivious, "a recursion has pieces of all sizes, of which costs are not known"),
];

/// A shape that is legal.
struct Candidate {
    tiling: Tiling,
    cost: Option<TilingCost>,
}

/// The region in tiles of the cheapest shape that is legal and proved; `in_tiles` makes them.
///
/// # Errors
/// If there is none, with the reason of each.
pub(crate) fn in_cheapest_tiles(
    analysed: &Analysed,
    run: Run<'_>,
    in_tiles: &mut dyn FnMut(Tiling, Run<'_>) -> Result<RegionResult, Failure>,
) -> Result<RegionResult, Failure> {
    let (candidates, mut notes) = candidates(analysed, run);
    for Candidate { tiling, cost } in candidates {
        let name = tiling.name();
        let options = with_shape(run.options, tiling);
        match in_tiles(tiling, run.with(&options)) {
            Ok(mut result) => match missing_proof(&result.report) {
                None => {
                    let why = cost.map_or_else(String::new, |cost| format!(": {cost}"));
                    notes.push(format!("auto: {name} tiles{why}"));
                    result.report.notes.extend(notes);
                    return Ok(result);
                }
                Some(claim) => {
                    notes.push(format!("auto: no {name} tiles: it is not proved that {claim}"));
                }
            },
            Err(failure) => notes.push(format!("auto: {failure}")),
        }
    }
    let line = analysed.region.first_line;
    let message = format!("the region at line {line} has no tiles of any shape that are proved");
    Err(Failure::refused(message).with_notes(notes))
}

/// The legal shapes, the cheapest first, and why others are not there.
fn candidates(analysed: &Analysed, run: Run<'_>) -> (Vec<Candidate>, Vec<String>) {
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    for tiling in Tiling::ONCE {
        let options = with_shape(run.options, tiling);
        match choose_schedule(analysed, run.with(&options)) {
            Ok(chosen) => {
                let decisions = chosen.bands.bands.iter().flat_map(|band| &band.decisions);
                let costs = decisions.filter_map(|decision| match decision {
                    Decision::Shaped { cost, .. } => Some(cost.clone()),
                    _ => None,
                });
                let cost = costs.max_by_key(|cost| cost.millicycles);
                found.push(Candidate { tiling, cost });
            }
            Err(failure) => notes.push(format!("auto: {failure}")),
        }
    }
    let millicycles = |candidate: &Candidate| candidate.cost.as_ref().map(|cost| cost.millicycles);
    found.sort_by_key(|candidate| millicycles(candidate).unwrap_or(u64::MAX));
    let rest = found.iter().skip(1).filter_map(|candidate| {
        let cost = candidate.cost.as_ref()?;
        Some(format!("auto: not {} tiles first: {cost}", candidate.tiling.name()))
    });
    notes.extend(rest);
    notes.extend(
        NOT_COMPARED.map(|(tiling, why)| format!("auto: not {} tiles: {why}", tiling.name())),
    );
    found.push(Candidate { tiling: Tiling::Overlapped, cost: None });
    (found, notes)
}

fn with_shape(options: &CompileOptions, tiling: Tiling) -> CompileOptions {
    CompileOptions { tiling: Some(tiling), ..options.clone() }
}

/// The first claim about a region that is not proved, if claims were to be proved.
fn missing_proof(report: &RegionReport) -> Option<&'static str> {
    let missing = |(_, proof): &&(&'static str, Proof)| !proof.is_proved();
    report.proofs.iter().find(missing).map(|(claim, _)| *claim)
}
