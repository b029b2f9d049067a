//! Expansion of scalars in a compilation: where it pays and is proved.
use crate::pipeline::outcome::{Stage, Timings};
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::prove::prove_expansions;
use crate::pipeline::region::{
    Analysed, Chosen, RegionResult, STAGE_STEPS, analysed, build, choose_schedule, printed,
};
use crate::settings::options::{CompileOptions, Scheduler};
use loopwright_cfront::{OuterIterator, Region};
use loopwright_presburger::Budget;
use loopwright_scop::{ArrayId, Expansion, Statement};
use loopwright_transform::Report;
use loopwright_transform::expansion::{Expanded, contract, expand};
use loopwright_verify::ExpandedProgram;
use std::collections::BTreeSet;

/// Steps for finding scalars to expand.
const EXPANSION_STEPS: u64 = 1_000_000;

/// The region with expanded scalars, if then more statements keep their results in registers than by the
/// schedule `chosen` without, and all is proved.
///
/// If not, but only because of a limit or a missing proof, `chosen` gets a note. Where there is nothing to expand
/// this costs some subset tests, otherwise a second schedule.
pub(crate) fn with_expanded_scalars(
    original: &Analysed,
    chosen: &mut Chosen,
    options: &CompileOptions,
    timings: &mut Timings,
) -> Option<RegionResult> {
    let what = "scalars with a value per iteration";
    match try_expanded_scalars(original, chosen, options, timings) {
        Ok(Attempt::Nothing) => None,
        Ok(Attempt::NoGain) => {
            chosen.tried.push(format!("{what}: no more results in registers, not taken"));
            None
        }
        Ok(Attempt::Taken(mut result)) => {
            let tried = format!("{what}: more results in registers, proved, taken");
            result.report.tried.push(tried);
            Some(*result)
        }
        Err(reason) => {
            chosen.tried.push(format!("{what}: given up"));
            chosen.notes.push(format!("scalars are not expanded ({reason})"));
            None
        }
    }
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
    chosen: &Chosen,
    options: &CompileOptions,
    timings: &mut Timings,
) -> Result<Attempt, String> {
    let is_own = matches!(options.scheduler, Scheduler::Pluto | Scheduler::Feautrier);
    if !options.expansion || !options.register_tiles || !is_own {
        return Ok(Attempt::Nothing);
    }
    let Analysed { region, dependences, .. } = original;
    let budget = Budget::steps(EXPANSION_STEPS);
    let found = timings
        .time(Stage::Transform, || expand(&region.scop, dependences, &region.used_names, &budget));
    let Some(Expanded { scop, expansions }) = found.map_err(in_words)? else {
        return Ok(Attempt::Nothing);
    };
    let region = Region { scop, ..region.clone() };
    let expanded =
        timings.time(Stage::Dependences, || analysed(region, options)).map_err(in_words)?;
    let found = contracted(expanded, &expansions, chosen, options, timings)?;
    let Some((expanded, own)) = found else { return Ok(Attempt::NoGain) };
    let (own, mut built) = build(&expanded, own, options, timings).map_err(in_words)?;
    if options.verify {
        let program = ExpandedProgram {
            original: &original.region.scop,
            dependences,
            expanded: &expanded.region.scop,
            expansions: &expansions,
        };
        let proof = timings.time(Stage::Verify, || prove_expansions(program, &built));
        built.proofs.push(proof.map_err(in_words)?);
        if let Some((claim, _)) = built.proofs.iter().find(|(_, proof)| !proof.is_proved()) {
            return Err(format!("not proved: {claim}"));
        }
    }
    let mut result = printed(&expanded, own, built, options, timings).map_err(in_words)?;
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
    without: &Chosen,
    options: &CompileOptions,
    timings: &mut Timings,
) -> Result<Option<(Analysed, Chosen)>, String> {
    let Analysed { region, dependences, .. } = &mut expanded;
    let mut own = choose_schedule(region, dependences, options, timings).map_err(in_words)?;
    if !pays(&without.bands, &own.bands) {
        return Ok(None);
    }
    let contracted = timings.time(Stage::Transform, || {
        let budget = Budget::steps(STAGE_STEPS);
        let (tree, machine) = (&own.tree, &options.machine);
        contract(tree, &region.scop, expansions, dependences, machine, &budget)
    });
    let Some(contracted) = contracted.map_err(in_words)? else { return Ok(None) };
    region.scop = contracted.scop;
    without_unused(region, expansions);
    let budget = Budget::steps(STAGE_STEPS);
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
