//! Whether new loops of a region are worth their cost, and what else to try where they are not.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::enough_work::{Cost, Enough, EnoughWork, enough_work};
use crate::pipeline::extents::is_tiled_by_hand;
use crate::pipeline::few_iterations::more_than_one_iteration;
use crate::pipeline::gain::{Gain, gain};
use crate::pipeline::nothing_gained::nothing_gained;
use crate::pipeline::outcome::Stage;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::thread_calls::calls_of_threads;
use crate::settings::options::CompileOptions;
use loopwright_backend::Target;
use loopwright_transform::{Decision, Threads, TileSizes};

/// Whether a region with new loops is to have them.
pub(crate) enum Worth {
    /// It has them, for sizes with this condition; with a remark about the gain.
    Taken {
        condition: Option<EnoughWork>,
        gain: Option<String>,
        /// Whether the order alone, without threads, is worse than the program's.
        is_worse_on_one_core: bool,
        /// Why the model does not know whether it is faster.
        unsure: Option<String>,
    },
    /// There is too little to do for threads, but other loops could be worth it on one core.
    OnOneCore(String),
    /// These loops gain nothing, but threads in the program's own order could.
    InOwnOrder(String),
    /// It stays as it was.
    Left(String),
}

impl Worth {
    pub(crate) fn is_taken(&self) -> bool {
        matches!(self, Worth::Taken { .. })
    }

    pub(crate) fn is_left(&self) -> bool {
        matches!(self, Worth::Left(_) | Worth::InOwnOrder(_))
    }

    /// The options for loops that could be better: without threads, or with threads in the program's own
    /// order.
    pub(crate) fn other_attempt(&self, options: &CompileOptions) -> Option<CompileOptions> {
        match self {
            Worth::OnOneCore(_) => {
                Some(CompileOptions { target: Target::C, panels: false, ..options.clone() })
            }
            Worth::Taken { is_worse_on_one_core: true, .. } | Worth::InOwnOrder(_)
                if options.reschedule =>
            {
                Some(in_own_order(options))
            }
            _ => None,
        }
    }
}

/// The options for threads in the program's own order, and nothing else.
pub(crate) fn in_own_order(options: &CompileOptions) -> CompileOptions {
    CompileOptions {
        reschedule: false,
        tile_sizes: TileSizes::None,
        register_tiles: false,
        panels: false,
        ..options.clone()
    }
}

/// Whether a region has loops over tiles already, and options do not ask for others. Each value of a loop
/// over points belongs to one of a loop over tiles, so that no order of such loops can be compared by the
/// strides along each of them.
pub(crate) fn has_own_tiles(analysed: &Analysed, options: &CompileOptions) -> bool {
    options.scheduler.is_searched()
        && options.reschedule
        && options.tile_sizes == TileSizes::Default
        && is_tiled_by_hand(&analysed.region.scop, &options.embedding.effort)
}

/// Whether the new loops of a region are worth their cost.
pub(crate) fn worth_of(analysed: &Analysed, result: &RegionResult, run: Run<'_>) -> Worth {
    if let Some(reason) = nothing_gained(result, run) {
        return Worth::Left(reason);
    }
    let scop = &result.region.scop;
    let enough = |cost| run.time(Stage::Transform, || enough_work(scop, cost, run.effort()));
    let (cost, is_better_on_one_core, is_worse_on_one_core, unsure, gain) =
        match gain(analysed, result, run) {
            Gain::Nothing { reason, has_threads_in_worse_order: true } => {
                return Worth::InOwnOrder(reason);
            }
            Gain::Nothing { .. } if result.searches => return searched(),
            Gain::Nothing { reason, .. } => return Worth::Left(reason),
            Gain::Asked => return asked_for(result, enough),
            Gain::Enough { cost, is_better_on_one_core, is_worse_on_one_core, unsure, words } => {
                (cost, is_better_on_one_core, is_worse_on_one_core, unsure, words)
            }
        };
    let is_for_threads = matches!(cost, Cost::Threads { .. });
    let shared = match is_for_threads && (!is_better_on_one_core || has_chunks(result)) {
        true => more_than_one_iteration(&result.ast),
        false => Vec::new(),
    };
    match enough(cost).and(&shared, scop) {
        Enough::Always => Worth::Taken { condition: None, gain, is_worse_on_one_core, unsure },
        Enough::If(condition) => {
            Worth::Taken { condition: Some(condition), gain, is_worse_on_one_core, unsure }
        }
        Enough::Never { operations, needed } => {
            let reason = format!(
                "nothing is gained, there is too little to do so far as sizes tell ({operations} operations, and new loops \
                 cost as much as {needed})"
            );
            match cost {
                Cost::Threads { .. } if is_better_on_one_core => Worth::OnOneCore(reason),
                Cost::OneCore if result.searches => searched(),
                _ => Worth::Left(reason),
            }
        }
    }
}

/// Nothing is gained but by loops that end early: these call threads only where there is enough to look at.
fn searched() -> Worth {
    Worth::Taken { condition: None, gain: None, is_worse_on_one_core: false, unsure: None }
}

/// Whether threads have chunks of an innermost loop, which are long.
fn has_chunks(result: &RegionResult) -> bool {
    let bands = &result.report.bands.bands;
    let mut decisions = bands.iter().flat_map(|band| &band.decisions);
    decisions.any(|decision| matches!(decision, Decision::Parallel(Threads::Chunks(_))))
}

/// What is asked for is there, with a condition if it has costs.
fn asked_for(result: &RegionResult, enough: impl Fn(Cost) -> Enough) -> Worth {
    let around = result.loops_around_threads.unwrap_or(0);
    let calls = calls_of_threads(&result.ast);
    let condition = match result.has_overhead.then(|| enough(Cost::Threads { around, calls })) {
        Some(Enough::If(condition)) => Some(condition),
        _ => None,
    };
    Worth::Taken { condition, gain: None, is_worse_on_one_core: false, unsure: None }
}
