//! Expansion of scalars in a compilation: where it pays and is proved.
use crate::pipeline::analysis::{Analysed, analysed};
use crate::pipeline::loops::generated;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::Stage;
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::print::printed;
use crate::pipeline::prove::prove_expansions;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::{Run, stage_budget_by};
use crate::pipeline::schedule_choice::choose_schedule;
use loopwright_cfront::{OuterIterator, Region};
use loopwright_scop::{ArrayId, Expansion, Statement};
use loopwright_transform::Report;
use loopwright_transform::expansion::{Expanded as ExpandedModel, contract, expand};
use loopwright_verify::ExpandedProgram;
use std::collections::BTreeSet;

/// Steps for finding scalars to expand.
const EXPANSION_STEPS: u64 = 1_000_000;

/// The region with expanded scalars, if then more statements keep their results in registers than by the
/// schedule `chosen` without, and all is proved.
///
/// If not, but only because of a limit or a missing proof, `chosen` gets a note. Where there is nothing to
/// expand this costs some subset tests, otherwise a second schedule.
pub(crate) fn with_expanded_scalars(
    original: &Analysed,
    mut chosen: ScheduleChoice,
    run: Run<'_>,
) -> Expanded {
    let what = "scalars with a value per iteration";
    match try_expanded_scalars(original, &chosen, run) {
        Ok(Attempt::Nothing) => {}
        Ok(Attempt::NoGain) => {
            chosen.tried.push(format!("{what}: no more results in registers, not taken"));
        }
        Ok(Attempt::Taken(mut result)) => {
            let tried = format!("{what}: more results in registers, proved, taken");
            result.report.tried.push(tried);
            return Expanded::Taken(result);
        }
        Err(reason) => {
            chosen.tried.push(format!("{what}: given up"));
            chosen.notes.push(format!("scalars are not expanded ({reason})"));
        }
    }
    Expanded::Not(Box::new(chosen))
}

/// A region with expanded scalars, or its schedule without.
pub(crate) enum Expanded {
    Taken(Box<RegionResult>),
    Not(Box<ScheduleChoice>),
}

/// What came of the expansion of scalars.
enum Attempt {
    /// There is none to expand, or it is not wanted.
    Nothing,
    /// It does not pay.
    NoGain,
    Taken(Box<RegionResult>),
}

/// The region with expanded scalars if that pays; an error in words if what pays is given up.
fn try_expanded_scalars(
    original: &Analysed,
    chosen: &ScheduleChoice,
    run: Run<'_>,
) -> Result<Attempt, String> {
    let options = run.options;
    if !options.expansion || !options.register_tiles || !options.scheduler.is_searched() {
        return Ok(Attempt::Nothing);
    }
    let Analysed { region, dependences, .. } = original;
    let budget = run.effort().budget(EXPANSION_STEPS);
    let found = run
        .time(Stage::Transform, || expand(&region.scop, dependences, &region.used_names, &budget));
    let Some(ExpandedModel { scop, expansions }) = found.map_err(in_words)? else {
        return Ok(Attempt::Nothing);
    };
    let region = Region { scop, ..region.clone() };
    let expanded = run.time(Stage::Dependences, || analysed(region, options)).map_err(in_words)?;
    let found = contracted(expanded, &expansions, chosen, run)?;
    let Some((expanded, own)) = found else { return Ok(Attempt::NoGain) };
    let (own, mut built) = generated(&expanded, own, run).map_err(in_words)?;
    if options.verify {
        let program = ExpandedProgram {
            original: &original.region.scop,
            dependences,
            expanded: &expanded.region.scop,
            expansions: &expansions,
        };
        let proof = run.time(Stage::Verify, || prove_expansions(program, &built, run.effort()));
        built.proofs.push(proof.map_err(in_words)?);
        if let Some((claim, _)) = built.proofs.iter().find(|(_, proof)| !proof.is_proved()) {
            return Err(format!("not proved: {claim}"));
        }
    }
    let mut result = printed(&expanded, own, built, run).map_err(in_words)?;
    result.region = original.region.clone();
    result.dependences = dependences.clone();
    Ok(Attempt::Taken(Box::new(result)))
}

fn in_words(error: impl ToString) -> String {
    error.to_string()
}

/// A schedule of the expanded program, with the arrays contracted to tiles, if it pays.
fn contracted(
    mut expanded: Analysed,
    expansions: &[Expansion],
    without: &ScheduleChoice,
    run: Run<'_>,
) -> Result<Option<(Analysed, ScheduleChoice)>, String> {
    let mut own = choose_schedule(&expanded, run).map_err(in_words)?;
    let Analysed { region, dependences, .. } = &mut expanded;
    if !pays(&without.bands, &own.bands) {
        return Ok(None);
    }
    let contracted = run.time(Stage::Transform, || {
        let budget = stage_budget_by(run.options);
        let (tree, machine) = (&own.tree, &run.options.machine);
        contract(tree, &region.scop, expansions, dependences, machine, &budget)
    });
    let Some(contracted) = contracted.map_err(in_words)? else { return Ok(None) };
    region.scop = contracted.scop;
    without_unused(region, expansions);
    let budget = stage_budget_by(run.options);
    own.tree = with_private_scalars(&region.scop, dependences, &contracted.tree, &budget)
        .map_err(in_words)?;
    own.notes.extend(contracted.decisions.iter().map(|text| format!("expansion: {text}")));
    Ok(Some((expanded, own)))
}

/// Scalars that no statement accesses any more are not declared; those that the program declares are
/// mentioned like iterators that it declares, so that compilers do not warn about them.
fn without_unused(region: &mut Region, expansions: &[Expansion]) {
    let scalars: BTreeSet<ArrayId> = expansions.iter().map(|expansion| expansion.scalar).collect();
    for scalar in scalars {
        let uses = |s: &Statement| !s.is_kill && s.accesses.iter().any(|a| a.array == scalar);
        if region.scop.statements.iter().any(uses) {
            continue;
        }
        let Some(array) = region.scop.arrays.get_mut(scalar.0 as usize) else { continue };
        match array.declared_in_scop {
            true => array.declared_in_scop = false,
            false => region.outer_iterators.push(OuterIterator {
                name: array.name.to_string(),
                c_type: array.element_type.clone(),
            }),
        }
    }
}

/// Whether more statements keep their results in registers than without, and each one that did before.
fn pays(without: &Report, with: &Report) -> bool {
    let (without, with) = (in_registers(without), in_registers(with));
    with.len() > without.len() && without.is_subset(&with)
}

/// The names of the statements whose results stay in registers.
fn in_registers(report: &Report) -> BTreeSet<&str> {
    let bands = report.bands.iter().filter(|band| band.register_tile.is_some());
    bands.flat_map(|band| band.statements.iter().map(String::as_str)).collect()
}
