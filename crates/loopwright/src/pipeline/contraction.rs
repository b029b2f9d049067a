//! Contraction of arrays in a compilation: fewer cells than elements, where that is proved for the schedule that was chosen.
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
use crate::settings::options::Storage;
use loopwright_presburger::Int;
use loopwright_scop::Scop;
use loopwright_storage::Contraction;
use loopwright_verify::Proof;

/// A region with contracted arrays, or its schedule without.
pub(crate) enum Contracted {
    Taken(Box<RegionResult>),
    Not(Box<ScheduleChoice>),
}

/// The region with contracted arrays in the loops of `chosen`, if that is asked for and some of its arrays need fewer cells.
///
/// Moduli are tried that the occupancy vectors of the schedule propose, dimension by dimension, and those kept for which it is proved that
/// each value stays until its last use, and that the schedule respects the dependences of the program with cells. Where there are none, or a
/// limit is reached, `chosen` gets a note. If no modulus is right in the chosen loops, those that are right in the program's order are taken, or in
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
    own.notes.extend(taken.iter().map(|contraction| note(scop, cells, contraction)));
    let (own, mut built) = generated(&analysed, own, run).map_err(in_words)?;
    built.proofs.extend(proof);
    // What is only not proved within its limit is reported, as for any program.
    let is_refuted = |(_, proof): &&(_, Proof)| matches!(proof, Proof::Refuted(_));
    if let Some((claim, _)) = built.proofs.iter().find(is_refuted) {
        return Err(format!("not true: {claim}"));
    }
    let mut result = printed(&analysed, own, built, run).map_err(in_words)?;
    result.region = original.region.clone();
    result.dependences = original.dependences.clone();
    result.has_cells = true;
    Ok(result)
}

/// Which subscripts have moduli, and how many elements and cells there are as functions of the sizes.
fn note(original: &Scop, contracted: &Scop, contraction: &Contraction) -> String {
    let cell = |modulus: &Option<Int>| match modulus {
        Some(modulus) => format!("[mod {modulus}]"),
        None => "[..]".to_string(),
    };
    let cells: String = contraction.moduli.iter().map(cell).collect();
    let name = &original.array(contraction.array).name;
    let mut note = format!("storage: elements of `{name}` share cells: {name}{cells}");
    let count = |scop| number_of_elements(scop, contraction.array);
    if let (Some(cells), Some(elements)) = (count(contracted), count(original)) {
        note += &format!("; {cells} in place of {elements} (for sizes that are not small)");
    }
    if contraction.copied_out.is_some() {
        note += "; what is used afterwards is copied out";
    }
    note
}
