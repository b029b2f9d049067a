//! One schedule by the scheduler, and what the transformation makes of it.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::constraints::{Wanted, constraints};
use crate::pipeline::grouping::{chains, schedule_with};
use crate::pipeline::loop_types::with_compact_outer_loops;
use crate::pipeline::original_bands::original_bands;
use crate::pipeline::outcome::Stage;
use crate::pipeline::run::{Run, stage_budget_by};
use crate::pipeline::versions::tile_variables::prefix;
use crate::settings::options::{CompileOptions, DataflowBy, Fusion};
use loopwright_backend::Target;
use loopwright_presburger::Result;
use loopwright_schedule::ScheduleTree;
use loopwright_scheduler::{Grouping, Options, Scheduled};
use loopwright_transform::loops::reductions::with_reductions;
use loopwright_transform::loops::searches::{Searches, with_searches};
use loopwright_transform::{Estimate, TileSizes};

/// A schedule and what there is to say about it.
#[derive(Clone)]
pub(crate) struct ScheduleChoice {
    pub(crate) tree: ScheduleTree,
    pub(crate) bands: loopwright_transform::Report,
    pub(crate) notes: Vec<String>,
    /// The schedules that were found, and why one was taken, one sentence each.
    pub(crate) tried: Vec<String>,
    /// The schedule as it was found, before it was transformed.
    pub(crate) found: ScheduleTree,
    /// Whether another rule of fusion ([`loopwright_scheduler::Fuse::Typed`]) would fuse more.
    pub(crate) keeps_apart: bool,
    /// What it is estimated to cost, if that is asked for.
    pub(crate) estimate: Option<Estimate>,
    /// The options that lead here without trying anything else.
    pub(crate) settled: CompileOptions,
}

impl ScheduleChoice {
    /// A schedule as it is.
    pub(crate) fn untransformed(tree: ScheduleTree, options: &CompileOptions) -> Self {
        let bands = loopwright_transform::Report::default();
        let (notes, tried) = (Vec::new(), Vec::new());
        let fuse = Fusion::Rule(options.fuse.first_rule());
        let settled = CompileOptions { fuse, ..options.clone() };
        ScheduleChoice {
            found: tree.clone(),
            tree,
            bands,
            notes,
            tried,
            keeps_apart: false,
            estimate: None,
            settled,
        }
    }
}

/// One schedule with its transformation.
pub(crate) fn attempt(
    analysed: &Analysed,
    choices: &Options,
    run: Run<'_>,
) -> Result<ScheduleChoice> {
    let scheduled = scheduled(analysed, choices, run)?;
    optimised(scheduled, analysed, choices, run)
}

/// One schedule.
pub(crate) fn scheduled(analysed: &Analysed, choices: &Options, run: Run<'_>) -> Result<Scheduled> {
    let Analysed { region, dependences, .. } = analysed;
    let options = run.options;
    let budget = stage_budget_by(options);
    run.time(Stage::Schedule, || {
        let constraints =
            constraints(&region.scop, dependences, Wanted::by(options), run.effort())?;
        if !options.reschedule {
            let tree = original_bands(&region.scop, &constraints, &budget)?;
            return Ok(Scheduled { tree, notes: Vec::new(), cut: Vec::new(), keeps_apart: false });
        }
        let grouping = match options.group_chains {
            true => chains(&region.scop, &constraints, run.effort())?,
            false => Grouping::default(),
        };
        schedule_with(&grouping, &constraints, choices, &budget)
    })
}

/// A schedule transformed for speed; statements are only cut in halves where that leads to tiles or parallel
/// loops.
pub(crate) fn optimised(
    scheduled: Scheduled,
    analysed: &Analysed,
    choices: &Options,
    run: Run<'_>,
) -> Result<ScheduleChoice> {
    let Analysed { region, dependences, .. } = analysed;
    let options = run.options;
    let budget = stage_budget_by(options);
    let (found, keeps_apart) = (scheduled.tree.clone(), scheduled.keeps_apart);
    let mut notes: Vec<String> = scheduled.notes.iter().map(|note| note.message.clone()).collect();
    let optimised = run.time(Stage::Transform, || {
        let choices = loopwright_transform::Options {
            tile_sizes: options.tile_sizes.clone(),
            band_tiles: options.band_tiles.clone(),
            tiling: options.tiling,
            concurrent_start: options.concurrent_start,
            point_to_point: options.point_to_point,
            tile_factors: options.tile_factors.clone(),
            tile_variables: options.parametric_tiles.then(|| prefix(region)),
            parallel: options.target == Target::OpenMp,
            register_tiles: options.register_tiles,
            reassociate: options.reassociate,
            loops_in_statements: options.dataflow == DataflowBy::Parametric,
            panels: options.panels,
            keep_order: !options.reschedule
                && !options.register_tiles
                && options.tile_sizes == TileSizes::None,
            estimate: true,
            machine: options.machine.clone(),
        };
        let (tree, scop) = (&scheduled.tree, &region.scop);
        loopwright_transform::optimise(tree, scop, dependences, &choices, &budget)
    })?;
    if !optimised.report.profits_from(&scheduled.cut) {
        let uncut = Options { split_index_sets: false, ..*choices };
        let mut whole = attempt(analysed, &uncut, run)?;
        let names = scheduled.cut.join(", ");
        whole
            .tried
            .push(format!("{names} cut in halves: no tiles or parallel outer loops, not taken"));
        return Ok(whole);
    }
    let tried = match &scheduled.cut[..] {
        [] => Vec::new(),
        cut => {
            vec![format!("{} cut in halves: deeper bands or parallel loops, taken", cut.join(", "))]
        }
    };
    let (combined, decisions) = run.time(Stage::Transform, || {
        let parallel = options.target == Target::OpenMp;
        with_reductions(&optimised.tree, &region.scop, dependences, parallel, &budget)
    })?;
    notes.extend(decisions);
    // Kernels of devices have no statements that call threads.
    let may_search = options.target == Target::OpenMp && options.device.is_none();
    let (combined, searches) = match may_search {
        true => run.time(Stage::Transform, || {
            with_searches(&combined, &region.scop, options.assume_readable, &budget)
        })?,
        false => (combined, Searches::default()),
    };
    notes.extend(searches.decisions);
    notes.extend(searches.refusals);
    notes.extend(searches.assumptions.iter().map(|assumed| format!("assumed: {assumed}")));
    let tree = with_compact_outer_loops(&combined);
    let settled = CompileOptions {
        scheduling: *choices,
        fuse: Fusion::Rule(choices.fuse),
        second_attempt: false,
        ..options.clone()
    };
    let (bands, estimate) = (optimised.report, optimised.estimate);
    Ok(ScheduleChoice { tree, bands, notes, tried, found, keeps_apart, estimate, settled })
}
