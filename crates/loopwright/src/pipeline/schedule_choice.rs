//! The schedule of a region: the given one, the program's own, or the best that is found.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::chosen_tiling::with_chosen_tiles;
use crate::pipeline::constraints::{Wanted, constraints};
use crate::pipeline::fusion::with_best_fusion;
use crate::pipeline::given_schedule::{read_schedule, read_schedule_of, with_flags_found};
use crate::pipeline::one_schedule::{ScheduleChoice, attempt};
use crate::pipeline::outcome::Stage;
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::run::{Run, stage_budget_by};
use crate::pipeline::transformed::transformed;
use crate::pipeline::user_transformations::with_user_transformations;
use crate::pipeline::without_kills::executable_part;
use crate::settings::effort::Effort;
use crate::settings::options::{CompileOptions, Fusion, Scheduler};
use loopwright_backend::Target;
use loopwright_interchange::Format;
use loopwright_presburger::{Error, Result};
use loopwright_scheduler::Algorithm;

/// The schedule that the options ask for.
///
/// # Errors
/// If a given schedule is none for this region. Limits lead to the program's order, with a note.
pub(crate) fn choose_schedule(
    analysed: &Analysed,
    run: Run<'_>,
) -> std::result::Result<ScheduleChoice, Failure> {
    let chosen = match &run.options.scheduler {
        Scheduler::Given(text) => return given_schedule(analysed, text, run),
        Scheduler::Transformed(script) => return transformed_order(analysed, script, run),
        Scheduler::None => original_order(analysed, run.options),
        Scheduler::Pluto => automatic(analysed, Algorithm::Pluto, run),
        Scheduler::Feautrier => automatic(analysed, Algorithm::Feautrier, run),
    };
    let chosen = chosen.map_err(|e| Failure::in_stage("scheduling", &e))?;
    let chosen = match with_chosen_tiles(analysed, chosen, run) {
        Err(failure)
            if run.options.live_range_reordering && run.options.scheduler.is_searched() =>
        {
            return in_order_of_memory(analysed, run).map_err(|_| failure);
        }
        chosen => chosen?,
    };
    let chosen = with_private(analysed, chosen, run.effort())?;
    Ok(with_user_transformations(chosen, analysed, run))
}

/// The schedule that is found if no live ranges of elements change places: constraints are fewer and simpler
/// then, and bands are found that a first try with conditions on live ranges misses.
fn in_order_of_memory(
    analysed: &Analysed,
    run: Run<'_>,
) -> std::result::Result<ScheduleChoice, Failure> {
    let ordered = CompileOptions { live_range_reordering: false, ..run.options.clone() };
    let mut chosen = choose_schedule(analysed, run.with(&ordered))?;
    let note =
        "there are tiles of the shape that is asked for if elements keep the order of their values";
    chosen.notes.push(note.to_string());
    Ok(chosen)
}

/// The same with the private variables of parallel loops.
fn with_private(
    analysed: &Analysed,
    chosen: ScheduleChoice,
    effort: &Effort,
) -> std::result::Result<ScheduleChoice, Failure> {
    let Analysed { region, dependences, .. } = analysed;
    let tree = with_private_scalars(&region.scop, dependences, &chosen.tree, &effort.stage())
        .map_err(|e| Failure::in_stage("privatization", &e))?;
    Ok(ScheduleChoice { tree, ..chosen })
}

fn original_order(analysed: &Analysed, options: &CompileOptions) -> Result<ScheduleChoice> {
    let scop = &analysed.region.scop;
    let tree = executable_part(scop, &scop.schedule)?;
    let options = CompileOptions { scheduler: Scheduler::None, ..options.clone() };
    Ok(ScheduleChoice::untransformed(tree, &options))
}

/// The program's order, edited by a script.
fn transformed_order(
    analysed: &Analysed,
    script: &str,
    run: Run<'_>,
) -> std::result::Result<ScheduleChoice, Failure> {
    let Analysed { region, dependences, .. } = analysed;
    let original = original_order(analysed, run.options)
        .map_err(|e| Failure::in_stage("the original order", &e))?;
    let (tree, notes) = run.time(Stage::Transform, || {
        transformed(&region.scop, dependences, &original.tree, script, run.effort())
    })?;
    with_private(analysed, ScheduleChoice { tree, notes, ..original }, run.effort())
}

/// A schedule by one of the algorithms, transformed for speed. When a limit is reached the
/// program's order is kept, and a note says so.
///
/// The deepest bands come first (stencils and factorizations need them for tiles). If they leave
/// statements without any tiled or parallel loop, as the skewed bands of `gramschmidt` do, a
/// schedule with a sequential outer loop and parallel loops inside is tried as well, and taken if
/// it improves more statements.
fn automatic(analysed: &Analysed, algorithm: Algorithm, run: Run<'_>) -> Result<ScheduleChoice> {
    let options = run.options;
    let fuse = options.fuse.first_rule();
    let tiling = loopwright_scheduler::Options { algorithm, fuse, ..options.scheduling };
    let first = match attempt(analysed, &tiling, run) {
        Ok(chosen) => chosen,
        Err(error) => {
            let mut chosen = original_order(analysed, options)?;
            let reason = format!("no schedule was found ({error}): the program's order is kept");
            chosen.notes.push(reason);
            return Ok(chosen);
        }
    };
    let chosen = with_second_attempt(first, analysed, run);
    Ok(match options.fuse {
        Fusion::Model if !options.reschedule => chosen,
        Fusion::Model => with_best_fusion(chosen, analysed, run),
        Fusion::Rule(_) => chosen,
    })
}

/// The schedule `first`, or the one with parallel loops inside of a sequential one if that improves more
/// statements.
fn with_second_attempt(
    mut first: ScheduleChoice,
    analysed: &Analysed,
    run: Run<'_>,
) -> ScheduleChoice {
    let options = run.options;
    let tiling = first.settled.scheduling;
    let n_statements = analysed.region.scop.statements.iter().filter(|s| !s.is_kill).count();
    let n_improved = first.bands.improved_statements().len();
    let outcome =
        |n: usize| format!("{n} of {n_statements} statements get tiled or parallel loops");
    let what = if options.reschedule { "the deepest bands" } else { "the program's own order" };
    first.tried.push(format!("{what}: {}", outcome(n_improved)));
    if options.target != Target::OpenMp
        || tiling.outer_coincidence
        || !options.second_attempt
        || !options.reschedule
        || tiling.algorithm != Algorithm::Pluto
        || n_improved == n_statements
    {
        return first;
    }
    let outer = loopwright_scheduler::Options { outer_coincidence: true, ..tiling };
    let what = "a sequential loop outside and parallel ones inside";
    match attempt(analysed, &outer, run) {
        Ok(mut second) => {
            let n_second = second.bands.improved_statements().len();
            let is_better = n_second > n_improved;
            let taken = if is_better { "taken" } else { "no more, so not taken" };
            let tried = format!("{what}: {}, {taken}", outcome(n_second));
            first.tried.push(tried);
            if is_better {
                first.tried.append(&mut second.tried);
                return ScheduleChoice { tried: first.tried, ..second };
            }
        }
        Err(error) => first.tried.push(format!("{what}: not found ({error})")),
    }
    first
}

/// The user's schedule, if it is one for this region; whether it is legal is proved later.
fn given_schedule(
    analysed: &Analysed,
    text: &str,
    run: Run<'_>,
) -> std::result::Result<ScheduleChoice, Failure> {
    let Analysed { region, dependences, .. } = analysed;
    let options = run.options;
    let budget = stage_budget_by(options);
    let in_stage = |e: Error| Failure::in_stage("reading the given schedule", &e);
    run.time(Stage::Schedule, || {
        let wanted = Wanted { input_reuse: false, ..Wanted::by(options) };
        let constraints = constraints(&region.scop, dependences, wanted, &options.embedding.effort)
            .map_err(in_stage)?;
        let tree = match Format::of_text(text) {
            Some(format) => read_schedule_of(&region.scop, format, text, &constraints, &budget)?,
            None => read_schedule(text, &constraints.domain, &region.scop.context, &budget)?,
        };
        let tree = with_flags_found(tree, &constraints, &budget);
        Ok(ScheduleChoice::untransformed(tree, options))
    })
}
