//! A region on a device with its own memory: kernels, copies, and their proofs. Where one is missing the
//! region stays on the processor, and a note says why.
use crate::diagnostics::failure::Failure;
use crate::pipeline::accumulators_on_device::with_results_in_elements;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::atomics_on_device::with_updates_at_any_time;
use crate::pipeline::exact_on_device::{ExactRegion, has_memory_for_partials, with_exact_updates};
use crate::pipeline::generated_on_device::{MadeOf, Mapped, Program, generated, planned};
use crate::pipeline::one_schedule::{ScheduleChoice, scheduled};
use crate::pipeline::outcome::Stage;
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::partial_on_device::{with_partials, with_scans_in_chunks};
use crate::pipeline::private_in_kernels::with_private_variables_of_kernels;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::{Run, stage_budget_by};
use crate::pipeline::schedule_choice::choose_schedule;
use crate::pipeline::time_tiles_on_device::{in_better_tiles, in_hexagons, in_tiles};
use crate::pipeline::versions::many_blocks::{WITH_MANY_RESULTS, condition_of_many_blocks};
use crate::pipeline::versions::on_device::add_version;
use crate::pipeline::versions::whole_vectors::{WITH_VECTORS, with_whole_vectors};
use crate::pipeline::worth_on_device::{WorthOnDevice, worth_on_device};
use crate::settings::devices::{DeviceOptions, TensorCores};
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use loopwright_backend::device::{Language, is_linear, why_not};
use loopwright_dataflow::Dependences;
use loopwright_device::{
    CHOOSING_SIZES, KernelMemory, Launches, MatrixShapes, MemoryLevel, PromotedSelection,
    Selection, ThreadResults, TileCopies, Transfers, has_kernels, with_barriers,
    with_grid_barriers, with_kernels, with_promoted_kernels,
};
use loopwright_presburger::{Budget, Error, Set};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::Scop;
use loopwright_transform::Tiling;
use std::collections::BTreeSet;

/// Steps for copies and their dependences: elements have the coordinates of blocks and threads in front.
const PROMOTION_STEPS: u64 = 60_000_000;

/// What was not used, in a note.
fn memory_of(memory: KernelMemory) -> &'static str {
    match (memory.level, memory.copies) {
        _ if memory.vectors => "threads copy single elements",
        _ if memory.matrices != MatrixShapes::NONE => "tensor cores are not used",
        (MemoryLevel::Shared, TileCopies::OneBuffer) => "shared memory is not used",
        (MemoryLevel::Shared, TileCopies::TwoBuffers) => "tiles do not have two buffers",
        (MemoryLevel::Shared, TileCopies::Asynchronous) => "copies are not asynchronous",
        (MemoryLevel::Registers, _) => "results are not kept in registers",
    }
}

/// What was not used, in a note.
const BLOCKS_DO_NOT_WALK: &str = "blocks of stencils do not walk";

/// What was not used, in a note.
const NO_PARTIALS: &str = "loops that combine are not spread over threads";

const NO_ATOMICS: &str = "updates are not one instruction each";

const NO_SCANS: &str = "loops that use what they combine are not in chunks";

/// What was not done, in a note.
fn what_is_dropped(memory: Option<KernelMemory>, launches: Launches) -> &'static str {
    match (memory, launches) {
        (_, Launches::Joined) => "kernels are not launched together",
        (_, Launches::SmallInOneBlock) => "small loops are not in one block",
        (Some(memory), Launches::Each) => memory_of(memory),
        (None, Launches::Each) => "there are no kernels",
    }
}

/// Why a region stays on the processor that has nothing for a device to do.
const NO_INDEPENDENT_LOOPS: &str = "no loop has independent iterations";

/// Why a region stays on the processor that could run on the device.
const NOT_WORTH_IT: &str = "copies and launches take longer than its work, whatever the sizes are (--device-always does not ask)";

/// What the condition on sizes is for.
const SO_THAT_IT_IS_WORTH_IT: &str = "so that the device saves more time than copies and launches take; smaller regions run as they were";

/// What comes of a region that is to run on a device.
pub(crate) enum OnDevice {
    /// It does.
    Taken(Box<RegionResult>),
    /// It does not, for this reason.
    Not(String),
}

/// The region on a device, if all of it fits there and everything is proved.
///
/// # Errors
/// If a schedule that the user gives is none for this region, or is refuted.
pub(crate) fn on_device(
    analysed: &Analysed,
    target: (Language, Option<usize>),
    run: Run<'_>,
) -> Result<OnDevice, Failure> {
    // Where a limit is reached accumulators stay what they are.
    if let Ok(Some(own)) = with_results_in_elements(analysed, run)
        && let OnDevice::Taken(mut result) = as_it_is(&own.analysed, target, run)?
        && own.is_better(&result)
    {
        own.reported(&mut result);
        return Ok(OnDevice::Taken(result));
    }
    as_it_is(analysed, target, run)
}

/// The region on a device with the variables that it has.
fn as_it_is(
    analysed: &Analysed,
    (language, position): (Language, Option<usize>),
    run: Run<'_>,
) -> Result<OnDevice, Failure> {
    let scop = &analysed.region.scop;
    if let Some(reason) = why_not(scop, &analysed.region.words, language) {
        return Ok(OnDevice::Not(reason));
    }
    let Some(position) = position else {
        return Ok(OnDevice::Not("models of other tools have no program to return to".to_string()));
    };
    let transfers = match planned(analysed, run) {
        Ok(transfers) => transfers,
        Err(reason) => return Ok(OnDevice::Not(reason)),
    };
    let number = (position + 1).to_string();
    let made_of = MadeOf { transfers: &transfers, language, number: &number };
    if run.options.tiling == Some(Tiling::Overlapped) {
        let made = in_tiles(analysed, made_of, run)?;
        return Ok(made.map_or_else(OnDevice::Not, OnDevice::Taken));
    }
    if run.options.tiling == Some(Tiling::Hexagonal) {
        let made = in_hexagons(analysed, made_of, run)?;
        return Ok(made.map_or_else(OnDevice::Not, OnDevice::Taken));
    }
    let chosen = match schedule(analysed, run)? {
        Ok(chosen) => chosen,
        Err(reason) => return Ok(OnDevice::Not(reason)),
    };
    let mut dropped = Vec::new();
    match with_updates_at_any_time(analysed, &chosen, run) {
        Ok(None) => {}
        Ok(Some(free)) => {
            let (scop, dependences) = (&analysed.region.scop, &free.dependences);
            let program = Program { scop, dependences, chosen: &free.chosen, partial: None };
            match mapped_program(analysed, &program, made_of, run)? {
                OnDevice::Not(reason) => dropped.push(format!("{NO_ATOMICS}: {reason}")),
                taken => return Ok(taken),
            }
        }
        Err(error) => dropped.push(format!("{NO_ATOMICS}: {error}")),
    }
    if may_have_partials(run.options) {
        match with_scans_in_chunks(analysed, (&chosen, &transfers), run) {
            Ok(None) => {}
            Ok(Some(scans)) => {
                let program = Program::with(&scans);
                let made_of = MadeOf { transfers: &scans.transfers, ..made_of };
                match mapped_program(analysed, &program, made_of, run)? {
                    OnDevice::Not(reason) => dropped.push(format!("{NO_SCANS}: {reason}")),
                    taken => return Ok(taken),
                }
            }
            Err(error) => dropped.push(format!("{NO_SCANS}: {error}")),
        }
        match with_partials(analysed, (&chosen, &transfers, language), run) {
            Ok(None) => {}
            Ok(Some(partial)) => {
                let program = Program::with(&partial);
                let made_of = MadeOf { transfers: &partial.transfers, ..made_of };
                match mapped_program(analysed, &program, made_of, run)? {
                    OnDevice::Not(reason) => dropped.push(format!("{NO_PARTIALS}: {reason}")),
                    taken => return Ok(taken),
                }
            }
            Err(error) => dropped.push(format!("{NO_PARTIALS}: {error}")),
        }
    }
    match with_exact_updates(analysed, &chosen, run) {
        Ok(None) => {}
        Ok(Some(exact)) => match combined(&exact, (&transfers, language), made_of, run)? {
            OnDevice::Not(reason) if reason == NO_INDEPENDENT_LOOPS => {}
            OnDevice::Not(reason) => dropped.push(format!("{NO_PARTIALS}: {reason}")),
            taken => return Ok(taken),
        },
        Err(error) => dropped.push(format!("{NO_PARTIALS}: {error}")),
    }
    let program = Program::of(analysed, &chosen);
    Ok(match mapped_program(analysed, &program, made_of, run)? {
        OnDevice::Taken(mut result) => {
            result.report.notes.extend(dropped);
            OnDevice::Taken(result)
        }
        OnDevice::Not(reason) => {
            dropped.insert(0, reason);
            OnDevice::Not(dropped.join("; "))
        }
    })
}

/// The region with partial results for updates whose results do not depend on their order.
fn combined(
    exact: &ExactRegion,
    (transfers, language): (&Transfers, Language),
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<OnDevice, Failure> {
    let analysed = &exact.analysed;
    let chosen = match schedule(analysed, run)? {
        Ok(chosen) => chosen,
        Err(reason) => return Ok(OnDevice::Not(reason)),
    };
    let partial = match with_partials(analysed, (&chosen, transfers, language), run) {
        Ok(Some(partial)) => partial,
        Ok(None) => return Ok(OnDevice::Not(NO_INDEPENDENT_LOOPS.to_string())),
        Err(error) => return Ok(OnDevice::Not(error.to_string())),
    };
    let program = Program::with(&partial);
    let made_of = MadeOf { transfers: &partial.transfers, ..made_of };
    Ok(match mapped_program(analysed, &program, made_of, run)? {
        OnDevice::Taken(mut result) => {
            result.dependences.clone_from(&exact.in_order);
            result.report.notes.push(exact.sentence());
            result.kept.clone_from(&exact.zeros);
            OnDevice::Taken(result)
        }
        not => not,
    })
}

/// Whether loops that combine may be spread over threads: that takes registers and shared memory, and sizes
/// of its own.
fn may_have_partials(options: &CompileOptions) -> bool {
    options.reassociate && has_memory_for_partials(options)
}

/// The kernels of a program, with as much memory of blocks and threads as is proved.
fn mapped_program(
    analysed: &Analysed,
    program: &Program<'_>,
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<OnDevice, Failure> {
    let MadeOf { transfers, language, .. } = made_of;
    let mut plains = Vec::new();
    for launches in ways_to_launch(program, language, run.options) {
        match plain(program, launches, run)? {
            Ok(plain) => plains.extend(plain.map(|plain| (plain, launches))),
            Err(reason) if launches == Launches::Each => return Ok(OnDevice::Not(reason)),
            Err(_) => {}
        }
    }
    // Versions for small sizes are not counted.
    let counted = plains.iter().find(|(_, launches)| *launches != Launches::SmallInOneBlock);
    let Some((first, _)) = counted else {
        return Ok(OnDevice::Not(NO_INDEPENDENT_LOOPS.to_string()));
    };
    let worth = match run.options.scheduler.is_given() || run.options.devices.always {
        true => WorthOnDevice::Always,
        false => run.time(Stage::Transform, || {
            let device = &run.options.devices.device;
            worth_on_device(program.scop, &first.chosen.tree, transfers, device, run.effort())
        }),
    };
    if worth == WorthOnDevice::Never {
        return Ok(OnDevice::Not(NOT_WORTH_IT.to_string()));
    }
    let taken = |mut result: Box<RegionResult>, dropped: Vec<String>| {
        result.report.notes.extend(dropped);
        if let WorthOnDevice::If(condition) = worth.clone() {
            let note = format!("checked at run time: `{condition}`, {SO_THAT_IT_IS_WORTH_IT}");
            result.report.notes.push(note);
            result.taken_if = Some(match result.taken_if.take() {
                Some(other) => format!("{other} && {condition}"),
                None => condition,
            });
        }
        OnDevice::Taken(result)
    };
    let mut dropped = Vec::new();
    let each = plains.iter().find(|(_, launches)| *launches == Launches::Each);
    if let Some((each, _)) = each
        && program.partial.is_none()
        && has_time_tiles(program, run.options)
    {
        match in_better_tiles(analysed, &each.chosen.tree, made_of, run)? {
            Ok(result) => return Ok(taken(result, dropped)),
            Err(reasons) => dropped.extend(reasons),
        }
    }
    let results = few_results(run.options.devices.thread_results);
    let Attempt { found, dropped: others } =
        with_memory(analysed, (program, results, Required::Nothing), made_of, run)?;
    dropped.extend(others);
    if let Some(found) = found {
        let result = with_versions(analysed, (program, &worth), found, made_of, run)?;
        return Ok(taken(result, dropped));
    }
    let mut why = String::new();
    for (plain, launches) in &plains {
        match generated(analysed, (program, plain), made_of, run)? {
            Ok(result) => return Ok(taken(result, dropped)),
            Err(reason) => {
                dropped.push(format!("{}: {reason}", what_is_dropped(None, *launches)));
                why = reason;
            }
        }
    }
    Ok(OnDevice::Not(why))
}

/// The ways to launch kernels, the one with fewest launches first.
fn ways_to_launch(
    program: &Program<'_>,
    language: Language,
    options: &CompileOptions,
) -> Vec<Launches> {
    let is_given = options.scheduler.is_given() || options.devices.sizes.is_some();
    let has_kernels = has_kernels(&program.chosen.tree);
    let is_possible = !is_given && !has_kernels && options.persistent_kernels;
    match language {
        _ if !is_possible => vec![Launches::Each],
        Language::Cuda => vec![Launches::Joined, Launches::SmallInOneBlock, Launches::Each],
        Language::OpenCl => vec![Launches::SmallInOneBlock, Launches::Each],
    }
}

/// What came of ways to use memory of blocks and threads.
struct Attempt {
    /// The first that is proved.
    found: Option<WithMemory>,
    /// Why others are not used.
    dropped: Vec<String>,
}

/// A region with values in memory of blocks and threads.
struct WithMemory {
    result: Box<RegionResult>,
    /// The iterations of kernels whose threads have several results.
    several_results: Vec<Set>,
    /// Whether threads copy several elements at a time.
    has_vectors: bool,
}

/// What a region with values in memory of blocks and threads is not wanted without.
#[derive(Clone, Copy, PartialEq)]
enum Required {
    Nothing,
    /// So many kernels whose threads have several results.
    SeveralResults(usize),
    /// Copies of several elements at a time.
    Vectors,
}

/// The region with values in memory of blocks and threads, if it has what is required.
fn with_memory(
    analysed: &Analysed,
    (program, results, required): (&Program<'_>, ThreadResults, Required),
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Attempt, Failure> {
    let (mut dropped, mut had_streams, mut had_vectors) = (Vec::new(), false, false);
    let names = &analysed.region.used_names;
    for memory in memories(program, (made_of.language, results), run.options) {
        // Without blocks that walk there is something new only if there were some, of which something is not
        // proved.
        let is_tried = run.options.devices.streaming && memory.level == MemoryLevel::Shared;
        if is_tried && memory.streams == had_streams {
            continue;
        }
        // Nor without vectors, if there were none.
        let may_have_vectors = run.options.devices.vector_loads && is_shared(memory);
        if may_have_vectors && !memory.vectors && !had_vectors {
            continue;
        }
        if required == Required::Vectors && !memory.vectors {
            continue;
        }
        had_vectors = false;
        for launches in ways_to_launch(program, made_of.language, run.options) {
            let what = || what_is_dropped(Some(memory), launches);
            let found = match promoted(program, (memory, launches), names, run) {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(error) => {
                    had_vectors = memory.vectors;
                    dropped.push(format!("{}: {error}", what()));
                    continue;
                }
            };
            let (has_streams, has_vectors) = (found.has_streams, found.has_vectors);
            let several_results = found.several_results.clone();
            // That does not depend on how kernels are launched.
            if let Required::SeveralResults(least) = required
                && several_results.len() < least
            {
                break;
            }
            had_streams |= has_streams && !has_vectors;
            had_vectors |= has_vectors;
            if required == Required::Vectors && !has_vectors {
                continue;
            }
            // What is required is there: only now the program is analysed, which takes as long as most of the
            // proofs.
            let mapped = match mapped(program, found, launches, run) {
                Ok(mapped) => mapped,
                Err(error) => {
                    dropped.push(format!("{}: {error}", what()));
                    continue;
                }
            };
            let transfers = match has_streams
                .then(|| with_reads_of(&mapped, made_of.transfers, run.effort()))
            {
                None => made_of.transfers.clone(),
                Some(Ok(transfers)) => transfers,
                Some(Err(error)) => {
                    dropped.push(format!("{BLOCKS_DO_NOT_WALK}: what has to be copied: {error}"));
                    continue;
                }
            };
            let made_of = MadeOf { transfers: &transfers, ..made_of };
            match generated(analysed, (program, &mapped), made_of, run)? {
                Ok(result) => {
                    let found = WithMemory { result, several_results, has_vectors };
                    return Ok(Attempt { found: Some(found), dropped });
                }
                Err(reason) if has_streams && !has_vectors => {
                    dropped.push(format!("{BLOCKS_DO_NOT_WALK}: {reason}"));
                }
                Err(reason) => dropped.push(format!("{}: {reason}", what())),
            }
        }
    }
    Ok(Attempt { found: None, dropped })
}

/// The transfers with all that blocks copy which walk: the boxes around what they read.
fn with_reads_of(
    mapped: &Mapped,
    transfers: &Transfers,
    effort: &Effort,
) -> loopwright_presburger::Result<Transfers> {
    let Mapped { scop, dependences, .. } = mapped;
    let is_linear = |array| is_linear(scop, array);
    transfers.clone().with_reads_of(scop, dependences, &is_linear, &effort.stage())
}

/// A region with the versions that are better for some sizes: one with many results a thread, and the best of
/// both with copies of several elements at a time, if it has none.
fn with_versions(
    analysed: &Analysed,
    (program, worth): (&Program<'_>, &WorthOnDevice),
    few: WithMemory,
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Box<RegionResult>, Failure> {
    let given = run.options.devices.thread_results;
    let large = match given {
        None => large_version(analysed, (program, &few.several_results), made_of, run)?,
        Some(_) => None,
    };
    let most = if large.is_some() { ThreadResults::Eight } else { few_results(given) };
    let (few, many) = match large {
        Some((many, WorthOnDevice::If(condition))) => (few, Some((many, condition))),
        // Sizes are constants.
        Some((many, WorthOnDevice::Always | WorthOnDevice::Never)) => (many, None),
        None => (few, None),
    };
    let has_vectors = many.as_ref().map_or(few.has_vectors, |(many, _)| many.has_vectors);
    let vectors = match has_vectors {
        true => None,
        false => vector_version(analysed, (program, most), made_of, run)?,
    };
    let mut result = few.result;
    if let Some((version, multiples)) = vectors {
        let condition = match &many {
            Some((_, condition)) => format!("{condition} && {multiples}"),
            None => multiples,
        };
        add_version(&mut result, *version, (condition, worth), WITH_VECTORS);
    }
    if let Some((version, condition)) = many {
        add_version(&mut result, *version.result, (condition, worth), WITH_MANY_RESULTS);
    }
    Ok(result)
}

/// The results of a thread where there are few of them, unless a number is given.
fn few_results(given: Option<ThreadResults>) -> ThreadResults {
    given.unwrap_or(ThreadResults::Four)
}

/// The region with more results a thread, and when it is better; none if there are no such kernels.
fn large_version(
    analysed: &Analysed,
    (program, several_results): (&Program<'_>, &[Set]),
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Option<(WithMemory, WorthOnDevice)>, Failure> {
    let results = ThreadResults::Eight;
    let device = &run.options.devices.device;
    let condition =
        condition_of_many_blocks(program.scop, several_results, (results, device), run.effort());
    if condition == WorthOnDevice::Never {
        return Ok(None);
    }
    let number = format!("{}_large", made_of.number);
    let made_of = MadeOf { number: &number, ..made_of };
    // With fewer results in larger blocks there is nothing to gain.
    let required = Required::SeveralResults(several_results.len());
    let Attempt { found, .. } = with_memory(analysed, (program, results, required), made_of, run)?;
    Ok(found.map(|version| (version, condition)))
}

/// The region for sizes with which threads may copy several elements at a time, and the condition for that;
/// none if they do not.
fn vector_version(
    analysed: &Analysed,
    (program, results): (&Program<'_>, ThreadResults),
    made_of: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Option<(Box<RegionResult>, String)>, Failure> {
    let is_possible = run.options.devices.vector_loads && program.partial.is_none();
    let narrow = run.time(Stage::Transform, || with_whole_vectors(program.scop, run.effort()));
    let Some((scop, condition)) = narrow.filter(|_| is_possible) else { return Ok(None) };
    let number = format!("{}_vectors", made_of.number);
    let made_of = MadeOf { number: &number, ..made_of };
    let narrow = Program { scop: &scop, ..*program };
    let Attempt { found, .. } =
        with_memory(analysed, (&narrow, results, Required::Vectors), made_of, run)?;
    Ok(found.map(|found| (found.result, condition)))
}

fn is_shared(memory: KernelMemory) -> bool {
    memory.level == MemoryLevel::Shared
}

/// The schedule: the given one, or that with independent loops as far outside as they may be.
fn schedule(analysed: &Analysed, run: Run<'_>) -> Result<Result<ScheduleChoice, String>, Failure> {
    let options = run.options;
    if options.scheduler.is_given() {
        return Ok(Ok(choose_schedule(analysed, run)?));
    }
    let outer = loopwright_scheduler::Options { outer_coincidence: true, ..options.scheduling };
    Ok(match scheduled(analysed, &outer, run) {
        Ok(found) => Ok(ScheduleChoice::untransformed(found.tree, options)),
        Err(error) => Err(format!("no schedule was found ({error})")),
    })
}

/// The program with blocks and threads, or why there is none; no program if nothing can be launched together
/// that is to be.
///
/// # Errors
/// If sizes that the user gives are none.
fn plain(
    program: &Program<'_>,
    launches: Launches,
    run: Run<'_>,
) -> Result<Result<Option<Mapped>, String>, Failure> {
    let Program { scop, dependences, chosen, partial, .. } = *program;
    let choices = &run.options.devices;
    let (tree, plans) = match has_kernels(&chosen.tree) && partial.is_none() {
        true => (chosen.tree.clone(), Vec::new()),
        false => {
            let sizes = (&choices.device, choices.sizes.as_ref());
            let found =
                run.time(Stage::Transform, || with_kernels(&chosen.tree, scop, sizes, launches));
            match found {
                Ok(Some(Selection { tree, plans, .. })) => (tree, plans),
                Ok(None) if launches != Launches::Each => return Ok(Ok(None)),
                Ok(None) => return Ok(Err(NO_INDEPENDENT_LOOPS.to_string())),
                Err(Error::Invalid { operation: CHOOSING_SIZES, reason }) => {
                    return Err(Failure::refused(format!("--sizes: {reason}")));
                }
                Err(error) => return Ok(Err(format!("choosing kernels: {error}"))),
            }
        }
    };
    let budget = stage_budget_by(run.options);
    let tree = with_private_scalars(scop, dependences, &tree, &budget)
        .and_then(|tree| in_all_loops(program, scop, tree));
    let tree = match run.options.scheduler.is_given() {
        true => tree,
        false => tree.and_then(|tree| {
            let budget = stage_budget_by(run.options);
            all_barriers(&tree, (scop, dependences), launches, &budget)
        }),
    };
    let tree = match tree {
        Ok(tree) => tree,
        Err(error) => return Ok(Err(format!("privatization and barriers: {error}"))),
    };
    Ok(Ok(Some(Mapped {
        chosen: ScheduleChoice { tree, ..chosen.clone() },
        scop: scop.clone(),
        dependences: dependences.clone(),
        promotion: None,
        has_tile_boxes: false,
        plans,
        tiles: None,
    })))
}

/// The tree with barriers of blocks, and before those with barriers across blocks where kernels are launched
/// together.
fn all_barriers(
    tree: &ScheduleTree,
    (scop, dependences): (&Scop, &Dependences),
    launches: Launches,
    budget: &Budget,
) -> loopwright_presburger::Result<ScheduleTree> {
    match launches {
        Launches::Each | Launches::SmallInOneBlock => {
            with_barriers(tree, scop, dependences, budget)
        }
        Launches::Joined => {
            let tree = with_grid_barriers(tree, scop, dependences, budget)?;
            with_barriers(&tree, scop, dependences, budget)
        }
    }
}

/// The tree with private variables in all loops of kernels that combine.
fn in_all_loops(
    program: &Program<'_>,
    scop: &Scop,
    tree: ScheduleTree,
) -> loopwright_presburger::Result<ScheduleTree> {
    match program.partial {
        Some(_) => with_private_variables_of_kernels(scop, &tree),
        None => Ok(tree),
    }
}

/// Whether tiles over time are looked for.
fn has_time_tiles(program: &Program<'_>, options: &CompileOptions) -> bool {
    options.time_tiles && options.shared_memory && may_have_memory(program, options)
}

/// Whether memory of blocks and threads is used.
fn may_have_memory(program: &Program<'_>, options: &CompileOptions) -> bool {
    let is_given = options.scheduler.is_given() || options.devices.sizes.is_some();
    let has_given_kernels = has_kernels(&program.chosen.tree) && program.partial.is_none();
    // Copies of elements that are updated at any time would have to be combined.
    let is_in_order = program.dependences.atomic.is_empty();
    !is_given && !has_given_kernels && is_in_order && options.device_registers
}

/// The ways to use memory of blocks and threads, the one that uses most of it first.
fn memories(
    program: &Program<'_>,
    (language, results): (Language, ThreadResults),
    options: &CompileOptions,
) -> Vec<KernelMemory> {
    if !may_have_memory(program, options) {
        return Vec::new();
    }
    let DeviceOptions { device, double_buffers, asynchronous_copies, .. } = &options.devices;
    let is_asynchronous =
        *asynchronous_copies && language == Language::Cuda && device.asynchronous_bytes > 0;
    let copies = [
        (TileCopies::Asynchronous, *double_buffers && is_asynchronous),
        (TileCopies::TwoBuffers, *double_buffers),
        (TileCopies::OneBuffer, true),
    ];
    let shared = copies.into_iter().filter(|(_, may_be)| *may_be && options.shared_memory);
    let with = |streams: bool| {
        let shared = shared.clone();
        shared.map(move |(copies, _)| (MemoryLevel::Shared, copies, streams))
    };
    let walking = with(true).filter(|_| options.devices.streaming);
    let registers = (MemoryLevel::Registers, TileCopies::OneBuffer, false);
    let all = walking.chain(with(false)).chain([registers]);
    let plain = all.map(|(level, copies, streams)| KernelMemory {
        level,
        copies,
        results,
        streams,
        matrices: MatrixShapes::NONE,
        vectors: false,
    });
    let may_be = options.reassociate && language == Language::Cuda;
    let tensor_cores = if may_be { options.devices.tensor_cores } else { TensorCores::No };
    let matrices = tensor_cores.shapes(device);
    let with_matrices = |memory: KernelMemory| {
        let is_shared = memory.level == MemoryLevel::Shared && matrices != MatrixShapes::NONE;
        let matrices = is_shared.then_some(KernelMemory { matrices, ..memory });
        matrices.into_iter().chain([memory])
    };
    let with_vectors = |memory: KernelMemory| {
        let has_vectors = memory.level == MemoryLevel::Shared && options.devices.vector_loads;
        let vectors = has_vectors.then_some(KernelMemory { vectors: true, ..memory });
        vectors.into_iter().chain([memory])
    };
    plain.flat_map(with_matrices).flat_map(with_vectors).collect()
}

/// The program with values in memory of blocks and threads; none if there are no such values.
fn promoted(
    program: &Program<'_>,
    (memory, launches): (KernelMemory, Launches),
    used_names: &BTreeSet<String>,
    run: Run<'_>,
) -> loopwright_presburger::Result<Option<PromotedSelection>> {
    let Program { scop, dependences, chosen, .. } = *program;
    let budget = run.effort().budget(PROMOTION_STEPS);
    run.time(Stage::Transform, || {
        let aims = (&run.options.devices.limited_device(), memory, launches);
        with_promoted_kernels(&chosen.tree, (scop, dependences), aims, used_names, &budget)
    })
}

/// The same with its dependences, private variables and barriers.
fn mapped(
    program: &Program<'_>,
    found: PromotedSelection,
    launches: Launches,
    run: Run<'_>,
) -> loopwright_presburger::Result<Mapped> {
    let PromotedSelection { selection, scop, promotion, decisions, .. } = found;
    let budget = run.effort().budget(PROMOTION_STEPS);
    let own = run.time(Stage::Dependences, || Dependences::in_settled_order(&scop, &budget))?;
    let tree = with_private_scalars(&scop, &own, &selection.tree, &stage_budget_by(run.options))?;
    let mut tree = in_all_loops(program, &scop, tree)?;
    if launches != Launches::Each {
        tree =
            run.time(Stage::Transform, || all_barriers(&tree, (&scop, &own), launches, &budget))?;
    }
    let mut chosen = ScheduleChoice { tree, ..program.chosen.clone() };
    chosen.notes.extend(decisions);
    let (promotion, plans) = (Some(promotion), selection.plans);
    let (dependences, has_tile_boxes) = (own, false);
    Ok(Mapped { chosen, scop, dependences, promotion, has_tile_boxes, plans, tiles: None })
}
