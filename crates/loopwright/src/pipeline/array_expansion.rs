//! Copies of arrays in a compilation: each iteration of outer loops has its own, in memory that the result
//! allocates.
use crate::pipeline::analysis::{Analysed, analysed};
use crate::pipeline::cell_counts::number_of_elements;
use crate::pipeline::loops::generated;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::Stage;
use crate::pipeline::print::printed;
use crate::pipeline::prove::prove_array_expansions;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::{Run, stage_budget_by};
use crate::pipeline::schedule_choice::choose_schedule;
use crate::pipeline::versions::buffers::Buffer;
use crate::settings::effort::Effort;
use crate::settings::options::Storage;
use loopwright_cfront::Region;
use loopwright_scop::{Expansion, Scop};
use loopwright_transform::expansion::{ExpandedArrays, expand_arrays};
use loopwright_verify::ProgramWithCopies;

/// A region with copies of arrays, or its schedule without.
pub(crate) enum WithCopies {
    Taken(Box<RegionResult>),
    Not(Box<ScheduleChoice>),
}

/// The region with copies of its arrays per iteration, if that is asked for and there are some; otherwise
/// `chosen` has notes that say why not.
pub(crate) fn with_copies_of_arrays(
    original: &Analysed,
    mut chosen: ScheduleChoice,
    run: Run<'_>,
) -> WithCopies {
    if run.options.storage != Storage::Expand {
        return WithCopies::Not(Box::new(chosen));
    }
    match expanded(original, run) {
        Ok(Found::Copies(result)) => return WithCopies::Taken(result),
        Ok(Found::Nothing(kept)) => {
            chosen.notes.push("storage: no array has copies".to_string());
            chosen.notes.extend(kept);
        }
        Err(reason) => chosen.notes.push(format!("storage: no array has copies ({reason})")),
    }
    WithCopies::Not(Box::new(chosen))
}

enum Found {
    Copies(Box<RegionResult>),
    /// Why arrays have no copies.
    Nothing(Vec<String>),
}

fn expanded(original: &Analysed, run: Run<'_>) -> Result<Found, String> {
    let Analysed { region, dependences, .. } = original;
    let budget = stage_budget_by(run.options);
    let found = run.time(Stage::Transform, || {
        expand_arrays(&region.scop, dependences, &region.used_names, &budget)
    });
    let ExpandedArrays { scop, expansions, kept } = found.map_err(in_words)?;
    let kept = kept.into_iter().map(|reason| format!("storage: {reason}")).collect();
    if expansions.is_empty() {
        return Ok(Found::Nothing(kept));
    }
    let copies = Region { scop, ..region.clone() };
    let mut copies =
        run.time(Stage::Dependences, || analysed(copies, run.options)).map_err(in_words)?;
    let program = ProgramWithCopies {
        original: &region.scop,
        dependences,
        expanded: &copies.region.scop,
        expanded_dependences: &copies.dependences,
        expansions: &expansions,
    };
    let proof = run
        .time(Stage::Verify, || prove_array_expansions(program, run.effort()))
        .map_err(in_words)?;
    without_declarations(&mut copies.region.scop, &expansions);
    let mut own = choose_schedule(&copies, run).map_err(in_words)?;
    let expanded = &copies.region.scop;
    own.notes.extend(
        expansions.iter().map(|expansion| note(&region.scop, expanded, expansion, run.effort())),
    );
    own.notes.extend::<Vec<String>>(kept);
    let buffers = expansions.iter().map(|expansion| Buffer::of(expanded.array(expansion.array)));
    let buffers = buffers.collect::<Option<Vec<_>>>().ok_or("extents are not known")?;
    let (own, mut built) = generated(&copies, own, run).map_err(in_words)?;
    built.proofs.push(proof);
    if let Some((claim, _)) = built.proofs.iter().find(|(_, proof)| !proof.is_proved()) {
        return Err(format!("not proved: {claim}"));
    }
    let mut result = printed(&copies, own, built, run).map_err(in_words)?;
    result.region = region.clone();
    result.dependences = dependences.clone();
    result.buffers = buffers;
    result.has_cells = true;
    Ok(Found::Copies(Box::new(result)))
}

fn in_words(error: impl ToString) -> String {
    error.to_string()
}

/// Arrays that the region declares and no statement accesses any more are not declared.
fn without_declarations(scop: &mut Scop, expansions: &[Expansion]) {
    for expansion in expansions {
        let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
        let mut accesses = executed.flat_map(|statement| &statement.accesses);
        if accesses.all(|access| access.array != expansion.scalar)
            && let Some(array) = scop.arrays.get_mut(expansion.scalar.0 as usize)
        {
            array.declared_in_scop = false;
        }
    }
}

/// `t` has copies per iteration of so many loops, and how many elements they have.
fn note(original: &Scop, expanded: &Scop, expansion: &Expansion, effort: &Effort) -> String {
    let (name, n_loops) = (&original.array(expansion.scalar).name, expansion.n_loops);
    let array = expanded.array(expansion.array);
    let extents: String = array.extent_texts.iter().map(|extent| format!("[{extent}]")).collect();
    let loops = if n_loops == 1 { "loop".to_string() } else { format!("{n_loops} loops") };
    let mut note = format!(
        "storage: `{name}` has a copy per iteration of the outermost {loops}: {}{extents}",
        array.name
    );
    let count = |scop, array| number_of_elements(scop, array, effort);
    if let (Some(copies), Some(elements)) =
        (count(expanded, expansion.array), count(original, expansion.scalar))
    {
        note += &format!("; {copies} in place of {elements} (for sizes that are not small)");
    }
    if original.array(expansion.scalar).live_out {
        note += "; the last values are copied back";
    }
    note
}
