//! Overlapped tiles in a compilation: a region for which they are asked has them, proved, or is refused.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::enough_work::polynomial_text;
use crate::pipeline::generated::{Generated, NoCode};
use crate::pipeline::loops::loops;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{Proofs, Stage};
use crate::pipeline::print::printed;
use crate::pipeline::prove::{prove_order, prove_recomputation};
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::{Run, stage_budget_by};
use crate::pipeline::versions::buffers::Buffer;
use crate::pipeline::without_kills::executable_part;
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use loopwright_astgen::AstNode;
use loopwright_cfront::Region;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Constraint, Error, Set};
use loopwright_scop::Scop;
use loopwright_transform::TileSizes;
use loopwright_transform::overlapped::{
    Overlapped, Overlapping, overlap, with_equal_depths, with_vector_loops,
};
use loopwright_verify::{Loops, Proof, RecomputingProgram};

/// Steps for finding tiles: some times those of a stage, since there are twice as many dimensions.
const OVERLAPPING_STEPS: u64 = 100_000_000;

/// The region in overlapped tiles.
///
/// # Errors
/// If it has none, or not all is proved, with the reason.
pub(crate) fn in_overlapped_tiles(given: &Analysed, run: Run<'_>) -> Result<RegionResult, Failure> {
    let padded = with_equal_loops(given, run)?;
    let analysed = padded.as_ref().map_or(given, |padded| &padded.analysed);
    let region = &analysed.region;
    let refused = |reason: String| {
        let line = region.first_line;
        Failure::refused(format!("the region at line {line} has no overlapped tiles: {reason}"))
    };
    let failed = |error: &Error| Failure::in_stage("overlapped tiling", error);
    if !region.known_values.is_empty() {
        return Err(refused("it is a version for values of a profile".to_string()));
    }
    let tiled = match run.time(Stage::Transform, || overlapped(analysed, run.options)) {
        Ok(Overlapping::Tiled(tiled)) => tiled,
        Ok(Overlapping::Refused(reason)) => return Err(refused(reason)),
        Err(error) => return Err(failed(&error)),
    };
    let budget = stage_budget_by(run.options);
    let own = run.time(Stage::Dependences, || Dependences::of_scop(&tiled.scop, &budget));
    let own = own.map_err(|error| failed(&error))?;
    let tree = run.time(Stage::Transform, || {
        with_vector_loops(&tiled.tree, &tiled.scop, &own, &run.effort().budget(OVERLAPPING_STEPS))
    });
    let tiled = Overlapped { tree: tree.map_err(|error| failed(&error))?, ..*tiled };
    let in_tiles = Analysed {
        region: Region { scop: tiled.scop.clone(), ..region.clone() },
        dependences: own,
        remarks: analysed.remarks.clone(),
        drops_instances: analysed.drops_instances,
    };
    let (chosen, generated) = proved_loops(analysed, &in_tiles, &tiled, run)?;
    if let Some((claim, proof)) = generated.proofs.iter().find(|(_, proof)| !proof.is_proved()) {
        return Err(refused(format!("it is not proved that {claim}")).with_notes(reasons(proof)));
    }
    let result = printed(&in_tiles, chosen, generated, run).map_err(|reason| match reason {
        NoCode::Failed(failure) => failure,
        other => refused(other.to_string()),
    })?;
    let mut result = with_original(result, given, &tiled).ok_or_else(|| {
        refused("the extents of an array that needs a second buffer are not known".to_string())
    })?;
    if let Some(Padded { condition, .. }) = padded {
        let note = format!("checked at run time: `{condition}`, for which each statement runs");
        result.report.notes.push(note);
        result.taken_if = Some(condition);
    }
    Ok(result)
}

/// A region with equally many coordinates for all statements.
pub(crate) struct Padded {
    pub(crate) analysed: Analysed,
    /// When its context holds, as a condition of C.
    pub(crate) condition: String,
}

/// The region with equally many coordinates for all statements, for sizes for which each of them has
/// instances: borders reach further than the inside where that is empty. None if they have that already, or
/// it is not known which are missing.
pub(crate) fn with_equal_loops(given: &Analysed, run: Run<'_>) -> Result<Option<Padded>, Failure> {
    let failed = |error: Error| Failure::in_stage("overlapped tiling", &error);
    let padded = run.time(Stage::Transform, || with_equal_depths(&given.region.scop));
    let Some(mut scop) = padded.map_err(failed)? else { return Ok(None) };
    let has_instances = sizes_with_instances(&scop, run.effort()).map_err(failed)?;
    let Some(condition) = has_instances.as_ref().and_then(|sizes| written(sizes, &scop)) else {
        return Ok(None);
    };
    if let Some(sizes) = has_instances {
        scop.context = scop.context.intersect(&sizes).map_err(failed)?;
    }
    let budget = stage_budget_by(run.options);
    let dependences = run.time(Stage::Dependences, || Dependences::of_scop(&scop, &budget));
    let analysed = Analysed {
        region: Region { scop, ..given.region.clone() },
        dependences: dependences.map_err(failed)?,
        remarks: given.remarks.clone(),
        drops_instances: given.drops_instances,
    };
    Ok(Some(Padded { analysed, condition }))
}

/// The sizes for which each executed statement has instances; none if that is no conjunction of bounds.
fn sizes_with_instances(
    scop: &Scop,
    effort: &Effort,
) -> loopwright_presburger::Result<Option<Set>> {
    let mut sizes = Set::universe(scop.context.space().clone());
    for statement in scop.statements.iter().filter(|statement| !statement.is_kill) {
        sizes = sizes.intersect(&statement.domain.params())?;
    }
    let sizes = sizes.coalesce(&effort.budget(OVERLAPPING_STEPS))?;
    let is_plain = matches!(&sizes.basic_sets()[..], [only] if only.locals().is_empty());
    Ok(is_plain.then_some(sizes))
}

/// Bounds of symbolic constants as a condition of C; none if they cannot be written.
fn written(sizes: &Set, scop: &Scop) -> Option<String> {
    let names = sizes.space().param_names();
    let mut bounds = Vec::new();
    for basic in sizes.basic_sets() {
        for Constraint { is_equality, row } in basic.constraints() {
            let mut terms = Vec::new();
            for (at, name) in names.iter().enumerate().filter(|(at, _)| !row.is_zero_at(1 + at)) {
                terms.push((row.get(1 + at).to_i64()?, vec![(name.to_string(), 1)]));
            }
            if !row.is_zero_at(0) {
                terms.push((row.get(0).to_i64()?, Vec::new()));
            }
            bounds.push(bound(&terms, is_equality, scop)?);
        }
    }
    Some(if bounds.is_empty() { "1".to_string() } else { bounds.join(" && ") })
}

/// A sum of multiples of symbolic constants and a number, the number last, that is not negative or zero:
/// `n >= 3` if it is that, otherwise in floating point.
fn bound(terms: &[(i64, Vec<(String, u32)>)], is_equality: bool, scop: &Scop) -> Option<String> {
    let (names, numbers): (Vec<_>, Vec<_>) =
        terms.iter().cloned().partition(|(_, powers)| !powers.is_empty());
    if let ([(1, _)], false) = (&names[..], is_equality) {
        let name = polynomial_text(&names, &scop.parameters)?;
        let least = numbers.first().map_or(Some(0), |(number, _)| number.checked_neg())?;
        return Some(format!("{} >= {least}", name.trim_start_matches("(double) ")));
    }
    let sum = polynomial_text(terms, &scop.parameters)?;
    Some(format!("{sum} {} 0", if is_equality { "==" } else { ">=" }))
}

fn overlapped(
    analysed: &Analysed,
    options: &CompileOptions,
) -> loopwright_presburger::Result<Overlapping> {
    let sizes = match &options.tile_sizes {
        TileSizes::Given(sizes) => &sizes[..],
        _ => &[],
    };
    overlapped_by(analysed, sizes, options)
}

/// The program in tiles of these sizes, or of the cheapest ones.
pub(crate) fn overlapped_by(
    analysed: &Analysed,
    sizes: &[i64],
    options: &CompileOptions,
) -> loopwright_presburger::Result<Overlapping> {
    let Analysed { region, dependences, .. } = analysed;
    let scop = &region.scop;
    let tree = executable_part(scop, &scop.schedule)?;
    let around = (&options.machine, &*region.used_names);
    overlap(
        &tree,
        scop,
        dependences,
        sizes,
        around,
        &options.embedding.effort.budget(OVERLAPPING_STEPS),
    )
}

/// The loops of the program in tiles, with all proofs.
fn proved_loops(
    original: &Analysed,
    in_tiles: &Analysed,
    tiled: &Overlapped,
    run: Run<'_>,
) -> Result<(ScheduleChoice, Generated), Failure> {
    let failed = |error: Error| Failure::in_stage("the loops of overlapped tiles", &error);
    let mut chosen = ScheduleChoice::untransformed(tiled.tree.clone(), run.options);
    chosen.bands = tiled.report.clone();
    let (ast, strategy, note) = run
        .time(Stage::Ast, || loops(&tiled.scop, &tiled.tree, chosen.settled.strategy, run.effort()))
        .map_err(failed)?;
    chosen.settled.strategy = strategy;
    chosen.notes.extend(note);
    let (proofs, loops) = match run.options.verify {
        true => {
            let prove = || prove(original, in_tiles, tiled, &ast, run.effort());
            run.time(Stage::Verify, prove).map(|(proofs, loops)| (proofs, Some(loops)))
        }
        false => Ok((Vec::new(), None)),
    }
    .map_err(failed)?;
    let (scop, tree) = (tiled.scop.clone(), tiled.tree.clone());
    Ok((chosen, Generated { scop, tree, ast, proofs, loops }))
}

fn prove(
    original: &Analysed,
    in_tiles: &Analysed,
    tiled: &Overlapped,
    ast: &AstNode,
    effort: &Effort,
) -> loopwright_presburger::Result<(Proofs, Loops)> {
    let Overlapped { scop, tree, recomputation, .. } = tiled;
    let mut proofs = prove_order(scop, &in_tiles.dependences, tree, effort)?;
    let program = RecomputingProgram {
        original: &original.region.scop,
        dependences: &original.dependences,
        tiled: scop,
        own: &in_tiles.dependences,
        recomputation,
    };
    let (others, loops) = prove_recomputation(program, tree, ast, effort)?;
    proofs.extend(others);
    Ok((proofs, loops))
}

fn reasons(proof: &Proof) -> Vec<String> {
    match proof {
        Proof::Refuted(violations) => violations.iter().map(ToString::to_string).collect(),
        Proof::OutOfBudget(operation) => vec![format!("a limit was reached in {operation}")],
        Proof::Proved => Vec::new(),
    }
}

/// The result as one for the region as it was; none if a buffer cannot be declared.
fn with_original(
    mut result: RegionResult,
    analysed: &Analysed,
    tiled: &Overlapped,
) -> Option<RegionResult> {
    let Analysed { region, dependences, .. } = analysed;
    let buffers = tiled.recomputation.buffers.iter().map(|b| Buffer::of(tiled.scop.array(b.array)));
    result.buffers = buffers.collect::<Option<_>>()?;
    result.report.n_statements = region.scop.statements.iter().filter(|s| !s.is_kill).count();
    let Dependences { flow, order, forced, .. } = dependences;
    result.report.n_dependences = (flow.len(), order.len(), forced.len());
    result.region = region.clone();
    result.dependences = dependences.clone();
    Some(result)
}
