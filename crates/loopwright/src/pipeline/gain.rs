//! What new loops of a region gain, and whether that is enough to take them.
//!
//! The costs of the loops as they are written and of the new ones are estimated by one model
//! ([`loopwright_transform::Estimate`]), the new ones with and without threads. Loops without threads are
//! taken if they are better by [`LEAST_GAIN`], or if results that a loop had in memory are in a variable now,
//! which the model does not see. Loops with threads are taken if they are better with them. Everything else
//! stays byte for byte.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::enough_work::Cost;
use crate::pipeline::original_bands::loops_as_bands;
use crate::pipeline::outcome::Stage;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::thread_calls::calls_of_threads;
use crate::settings::options::CompileOptions;
use loopwright_astgen::Strategy;
use loopwright_presburger::Result;
use loopwright_transform::{Estimate, TileSizes, estimate_as_written};

/// How many times as fast new loops have to be by the estimate. Of the kernels of PolyBench those with new
/// loops on one core are at 1.28 and above; where only the text is new the estimates are the same.
const LEAST_GAIN: f64 = 1.1;

/// The same below which loops on one core are timed.
const SURE_GAIN: f64 = 1.5;

/// So many loops around a single one are too many for threads.
const LOOPS_AROUND: usize = 2;

/// Steps for the tests of innermost loops in the program's order.
const STEPS: u64 = 3_000_000;

/// What new loops gain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Gain {
    /// They are asked for.
    Asked,
    /// Nothing.
    Nothing {
        /// Why, in words.
        reason: String,
        /// Whether there are loops for threads, in an order that is worse than the program's.
        has_threads_in_worse_order: bool,
    },
    /// Enough if there is enough work.
    Enough {
        /// What they cost.
        cost: Cost,
        /// Whether they are better without threads, too.
        is_better_on_one_core: bool,
        /// Whether they are worse without threads than the loops as they are written.
        is_worse_on_one_core: bool,
        /// Why the model does not know whether they are better at all, as a clause.
        unsure: Option<String>,
        /// A remark about what is gained on one core, if they are for that.
        words: Option<String>,
    },
}

/// What the new loops of a region gain.
pub(crate) fn gain(analysed: &Analysed, result: &RegionResult, run: Run<'_>) -> Gain {
    if asks_for_loops(result, run.options) {
        return Gain::Asked;
    }
    let written = run.time(Stage::Transform, || as_written(analysed, run));
    let compared = result.estimate.as_ref().zip(written.as_ref());
    let times = |cycles: fn(&Estimate) -> f64| {
        compared.map(|(new, written)| written.cycles / cycles(new).max(1.0))
    };
    let is_better = |times: Option<f64>| times.is_some_and(|times| times >= LEAST_GAIN);
    let with_threads = times(|new| new.cycles);
    let on_one_core = times(|new| new.cycles_on_one_core);
    let is_kept = result.keeps_results;
    let is_better_on_one_core = is_better(on_one_core) || is_kept;
    let is_worse_on_one_core = on_one_core.is_some_and(|times| times < 1.0 / LEAST_GAIN);
    let threads = |around| Gain::Enough {
        cost: Cost::Threads { around, calls: calls_of_threads(&result.ast) },
        is_better_on_one_core,
        is_worse_on_one_core,
        unsure: None,
        words: None,
    };
    if result.has_overhead && !is_better_on_one_core && has_too_many_loops_around(analysed) {
        let reason = "nothing is gained, a single loop inside of several others has too little to do for threads";
        return Gain::Nothing { reason: reason.to_string(), has_threads_in_worse_order: false };
    }
    match (result.has_overhead, result.loops_around_threads) {
        (true, Some(around)) if is_better(with_threads) || is_kept || with_threads.is_none() => {
            threads(around)
        }
        (true, None) if is_better_on_one_core => threads(0),
        (false, _) if is_better_on_one_core => Gain::Enough {
            cost: Cost::OneCore,
            is_better_on_one_core,
            is_worse_on_one_core: false,
            unsure: on_one_core
                .filter(|times| !is_kept && *times < SURE_GAIN)
                .map(|times| format!("it is estimated to be only {} as fast", in_times(times))),
            words: Some(in_words(on_one_core.filter(|times| *times >= LEAST_GAIN))),
        },
        (has_overhead, around) => Gain::Nothing {
            reason: nothing(on_one_core),
            has_threads_in_worse_order: has_overhead && around.is_some() && is_worse_on_one_core,
        },
    }
}

/// Whether a region of loops that have none inside is in several loops: if it had enough work for threads,
/// which is tens of thousands of iterations, and those around had as many, the program would not end; and to
/// ask each time costs more than short loops do.
fn has_too_many_loops_around(analysed: &Analysed) -> bool {
    let region = &analysed.region;
    let depth = region.scop.statements.iter().map(|statement| statement.iterators.len()).max();
    region.loops_around >= LOOPS_AROUND && depth.is_none_or(|depth| depth <= 1)
}

fn in_words(times: Option<f64>) -> String {
    match times {
        Some(times) => format!("gained on one core: estimated to be {} as fast", in_times(times)),
        None => "gained on one core: results of loops stay in variables".to_string(),
    }
}

fn in_times(times: f64) -> String {
    if times >= 100.0 { "over 100 times".to_string() } else { format!("{times:.1} times") }
}

fn nothing(times: Option<f64>) -> String {
    let estimated = match times {
        Some(times) => format!("new loops are estimated to be {} as fast", in_times(times)),
        None => "what new loops would gain is not known".to_string(),
    };
    format!("nothing is gained, {estimated}, and {LEAST_GAIN} times are needed")
}

/// Whether options ask for a form of the result.
pub(crate) fn asks_for_loops(result: &RegionResult, options: &CompileOptions) -> bool {
    let has_sizes = |sizes: &TileSizes| matches!(sizes, TileSizes::Given(_) | TileSizes::Sica(_));
    !options.scheduler.is_searched()
        || options.strategy != Strategy::Components
        || result.drops_instances
        || result.has_cells
        || !options.transformations.is_empty()
        || has_sizes(&options.tile_sizes)
        || options.band_tiles.values().any(has_sizes)
}

/// What the region costs as it is written; none if a limit is reached.
fn as_written(analysed: &Analysed, run: Run<'_>) -> Option<Estimate> {
    let estimate = || -> Result<Estimate> {
        let Analysed { region, dependences, .. } = analysed;
        let budget = run.effort().budget(STEPS);
        let tree = loops_as_bands(&region.scop)?;
        let machine = &run.options.machine;
        estimate_as_written(&tree, &region.scop, dependences, machine, &budget)
    };
    estimate().ok()
}
