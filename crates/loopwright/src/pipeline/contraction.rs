//! Contraction of arrays in a compilation: fewer cells than elements, where that is proved for the schedule
//! that was chosen.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::cell_counts::number_of_elements;
use crate::pipeline::cells_by_size::other_cells;
use crate::pipeline::contraction_search::{
    Built, Found, Loops, found_in, in_other_orders, in_words,
};
use crate::pipeline::loops::generated;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::print::printed;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::schedule_choice::choose_schedule;
use crate::pipeline::variable_tiles::{VariableTiles, in_variable_tiles};
use crate::settings::effort::Effort;
use crate::settings::options::{CompileOptions, Storage};
use loopwright_presburger::Int;
use loopwright_scop::Scop;
use loopwright_storage::Contraction;
use loopwright_verify::Proof;

/// A region with contracted arrays, or its schedule without.
pub(crate) enum Contracted {
    Taken(Box<RegionResult>),
    Not(Box<ScheduleChoice>),
}

/// The region with contracted arrays in the loops of `chosen`, if that is asked for and some of its arrays
/// need fewer cells.
///
/// Moduli are tried that the occupancy vectors of the schedule propose, dimension by dimension, and those
/// kept for which it is proved that each value stays until its last use, and that the schedule respects the
/// dependences of the program with cells. Where there are none, or a limit is reached, `chosen` gets a note.
/// If no modulus is right in the chosen loops, those that are right in the program's order are taken, or in
/// that of the elements that it writes, and the program with cells gets a schedule of its own.
pub(crate) fn with_contracted_arrays(
    original: &Analysed,
    mut chosen: ScheduleChoice,
    run: Run<'_>,
) -> Contracted {
    if run.options.storage != Storage::Contract {
        return Contracted::Not(Box::new(chosen));
    }
    match contracted(original, &chosen, run) {
        Ok(Some(result)) => Contracted::Taken(Box::new(result)),
        Ok(None) => {
            chosen.notes.push("storage: no array needs fewer cells than it has elements".into());
            Contracted::Not(Box::new(chosen))
        }
        Err(reason) => {
            chosen.notes.push(format!("storage: arrays are not contracted ({reason})"));
            Contracted::Not(Box::new(chosen))
        }
    }
}

fn contracted(
    original: &Analysed,
    chosen: &ScheduleChoice,
    run: Run<'_>,
) -> Result<Option<RegionResult>, String> {
    let of_loops = |loops| found_in(original, chosen, run, loops);
    let mut found = match of_loops(Loops::Chosen)? {
        None => of_loops(Loops::Again)?,
        found => found,
    };
    if found.is_none() {
        found = in_other_orders(original, chosen, run, &mut |_, _| true)?;
    }
    let Some(found) = found else { return Ok(None) };
    let other = other_cells(original, chosen, run, &found);
    let mut result = generated_with_cells(original, found, run)?;
    let version = other.and_then(|other| {
        let Some((found, condition)) = other else { return Ok(None) };
        let version = generated_with_cells(original, found, run)?;
        Ok(Some(RegionResult { taken_if: Some(condition), ..version }))
    });
    match version {
        Ok(Some(version)) => result.adds_version(version),
        Ok(None) => {}
        Err(reason) => {
            result.report.notes.push(format!("storage: no other cells are looked at ({reason})"));
        }
    }
    Ok(Some(result))
}

/// The region with contracted arrays in tiles whose sizes the run chooses, if both are asked for: cells that
/// are right in the program's own order, or in that of elements, and the tiles that the program with them
/// has. A note says why there are none.
pub(crate) fn contracted_in_variable_tiles(
    original: &Analysed,
    chosen: &mut ScheduleChoice,
    run: Run<'_>,
) -> Option<RegionResult> {
    if run.options.storage != Storage::Contract || !run.options.parametric_tiles {
        return None;
    }
    let fixed = CompileOptions { parametric_tiles: false, ..run.options.clone() };
    let found =
        choose_schedule(original, run.with(&fixed)).map_err(in_words).and_then(
            |own| match found_in(original, &own, run.with(&fixed), Loops::Again)? {
                None => in_other_orders(original, &own, run.with(&fixed), &mut |_, _| true),
                found => Ok(found),
            },
        );
    let result = match found {
        Ok(Some(found)) => variable_tiles_with_cells(original, found, run),
        Ok(None) => Err("no array needs fewer cells than it has elements".to_string()),
        Err(reason) => Err(reason),
    };
    match result {
        Ok(result) => Some(result),
        Err(reason) => {
            let note =
                format!("storage: arrays are not contracted in tiles of variable sizes ({reason})");
            chosen.notes.push(note);
            None
        }
    }
}

fn variable_tiles_with_cells(
    original: &Analysed,
    found: Found,
    run: Run<'_>,
) -> Result<RegionResult, String> {
    let Found { built: Built { analysed, proof, .. }, taken, .. } = found;
    let mut own = choose_schedule(&analysed, run).map_err(in_words)?;
    let (scop, cells) = (&original.region.scop, &analysed.region.scop);
    own.notes.extend(taken.iter().map(|contraction| note(scop, cells, contraction, run.effort())));
    let VariableTiles::Taken(mut result) =
        in_variable_tiles(&analysed, own, run).map_err(in_words)?
    else {
        return Err("the program with cells has no band of two loops or more".to_string());
    };
    result.report.proofs.extend(proof);
    Ok(of_original(*result, original))
}

/// The result of a program with cells as one of the program as it was.
fn of_original(result: RegionResult, original: &Analysed) -> RegionResult {
    RegionResult {
        region: original.region.clone(),
        dependences: original.dependences.clone(),
        has_cells: true,
        ..result
    }
}

/// The region in the loops for some moduli.
fn generated_with_cells(
    original: &Analysed,
    found: Found,
    run: Run<'_>,
) -> Result<RegionResult, String> {
    let Found { built: Built { analysed, own, proof }, taken, is_reordered } = found;
    let scop = &original.region.scop;
    let mut own = match own {
        Some(own) => own,
        None => {
            let mut own = choose_schedule(&analysed, run).map_err(in_words)?;
            let order = if is_reordered { ", in the order of the elements" } else { "" };
            own.notes.push(format!("storage: scheduled again for fewer cells{order}"));
            own
        }
    };
    let cells = &analysed.region.scop;
    own.notes.extend(taken.iter().map(|contraction| note(scop, cells, contraction, run.effort())));
    let (own, mut built) = generated(&analysed, own, run).map_err(in_words)?;
    built.proofs.extend(proof);
    // What is only not proved within its limit is reported, as for any program.
    let is_refuted = |(_, proof): &&(_, Proof)| matches!(proof, Proof::Refuted(_));
    if let Some((claim, _)) = built.proofs.iter().find(is_refuted) {
        return Err(format!("not true: {claim}"));
    }
    let result = printed(&analysed, own, built, run).map_err(in_words)?;
    Ok(of_original(result, original))
}

/// Which subscripts have moduli, and how many elements and cells there are as functions of the sizes.
fn note(original: &Scop, contracted: &Scop, contraction: &Contraction, effort: &Effort) -> String {
    let cell = |modulus: &Option<Int>| match modulus {
        Some(modulus) => format!("[mod {modulus}]"),
        None => "[..]".to_string(),
    };
    let cells: String = contraction.moduli.iter().map(cell).collect();
    let name = &original.array(contraction.array).name;
    let mut note = format!("storage: elements of `{name}` share cells: {name}{cells}");
    let count = |scop| number_of_elements(scop, contraction.array, effort);
    if let (Some(cells), Some(elements)) = (count(contracted), count(original)) {
        note += &format!("; {cells} in place of {elements} (for sizes that are not small)");
    }
    if contraction.copied_out.is_some() {
        note += "; what is used afterwards is copied out";
    }
    note
}
