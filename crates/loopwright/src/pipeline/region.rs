//! The way of one region through the house.
use crate::failure::Failure;
use crate::pipeline::constraints::{constraints_in_order, schedule_constraints, with_input_reuse};
use crate::pipeline::dependence_text::dependences_text;
use crate::pipeline::enough_work::{EnoughWork, enough_work};
use crate::pipeline::expansion::with_expanded_scalars;
use crate::pipeline::foreign::to_foreign;
use crate::pipeline::fusion::with_best_fusion;
use crate::pipeline::given_schedule::{read_schedule, read_schedule_of, with_flags_found};
use crate::pipeline::grouping::{chains, schedule_with};
use crate::pipeline::loop_types::with_compact_outer_loops;
use crate::pipeline::loops::{Built, NoCode, loops_with_panels, plain_loops, print};
use crate::pipeline::original_bands::original_bands;
use crate::pipeline::outcome::{RegionReport, Stage, Timings};
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::prove::{Proofs, printed_text, prove_order, prove_text};
use crate::pipeline::reassociation;
use crate::pipeline::transformed::{mapping_text, transformed};
use crate::pipeline::without_kills::{executable_part, executed_instances};
use crate::settings::choices::RegionChoices;
use crate::settings::options::{CompileOptions, Emit, Fusion, Scheduler};
use loopwright_astgen::{AstNode, Strategy};
use loopwright_backend::{RegionText, Target};
use loopwright_cfront::{IndependentLoop, Region};
use loopwright_dataflow::{Dependences, without_dead_code, without_dead_statements};
use loopwright_interchange::Format;
use loopwright_presburger::{Budget, Error, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scheduler::{Algorithm, Grouping, ScheduleConstraints, Scheduled};
use loopwright_scop::Scop;
use loopwright_transform::loops::reductions::with_reductions;
use loopwright_transform::{Estimate, TileSizes};
use loopwright_verify::{Proof, runs_in_order_of};

/// Steps for each stage of one region (see [`Budget`]); what happens at the limit is said where
/// each stage is called.
pub(crate) const STAGE_STEPS: u64 = 20_000_000;

/// Steps for finding out whether new loops have the program's order; without an answer they count as others. A nest
/// of three loops takes a few thousand.
const ORDER_STEPS: u64 = 1_000_000;

/// Everything that was computed for one region.
#[derive(Debug)]
pub(crate) struct RegionResult {
    pub(crate) code: String,
    /// Why the region stays as it was, if it does: then the code is not used.
    pub(crate) left: Option<String>,
    /// When the code is used: elsewhere the region runs as it was.
    pub(crate) enough_work: Option<EnoughWork>,
    /// Whether the code has threads, vectors, or variables that the program did not have.
    is_improved: bool,
    /// Whether the code costs something that little work does not earn.
    has_overhead: bool,
    /// As in [`RegionText`].
    loops_around_threads: Option<usize>,
    /// Whether instances are left out that the program has.
    drops_instances: bool,
    pub(crate) report: RegionReport,
    pub(crate) region: Region,
    pub(crate) dependences: Dependences,
    /// What runs: with panels, the region's program with the statements that fill them.
    code_scop: Scop,
    pub(crate) tree: ScheduleTree,
    ast: AstNode,
    wanted: Wanted,
}

impl RegionResult {
    /// The text of a stage.
    pub(crate) fn emit(&self, stage: Emit, file: &str) -> std::result::Result<String, Failure> {
        match stage {
            Emit::Scop => Ok(self.region.scop.to_string()),
            Emit::ScopIn(format) => self.written(format, self.region.scop.clone(), file),
            Emit::ScheduleIn(format) => self.written(format, self.scheduled()?, file),
            Emit::Deps => dependences_text(&self.region.scop, &self.dependences)
                .map_err(|e| Failure::in_stage("printing", &e)),
            Emit::Constraints => constraints(&self.region, &self.dependences, self.wanted)
                .map(|constraints| constraints.to_string())
                .map_err(|e| Failure::in_stage("printing", &e)),
            Emit::Schedule => Ok(self.tree.to_string()),
            Emit::Mapping => mapping_text(&self.code_scop, &self.tree),
            Emit::Ast => Ok(self.ast.to_string()),
            Emit::Code => match &self.left {
                None => Ok(self.code.clone()),
                Some(reason) => Err(Failure::refused(format!(
                    "error: the region stays as it is written: {reason}"
                ))),
            },
        }
    }
}

impl RegionResult {
    /// Whether a text does what the region's loops do.
    pub(crate) fn check_text(
        &self,
        text: &str,
    ) -> std::result::Result<loopwright_verify::Printed, Failure> {
        printed_text(&self.code_scop, &self.ast, text)
            .map_err(|e| Failure::in_stage("verification of the text", &e))
    }

    /// A model of the region in a format of other tools.
    fn written(
        &self,
        format: Format,
        scop: Scop,
        file: &str,
    ) -> std::result::Result<String, Failure> {
        let region = to_foreign(&self.region, scop, file);
        loopwright_interchange::write(format, &region, &Budget::steps(STAGE_STEPS))
            .map_err(|e| Failure::in_stage("writing", &e))
    }

    /// Leaves the region as it was, for a reason.
    fn leave(&mut self, reason: String) {
        self.report.notes.push(format!("the region stays as it is written: {reason}"));
        self.report.is_left = true;
        // They are about loops that nobody gets.
        self.report.proofs.clear();
        self.report.only_tested.clear();
        self.left = Some(reason);
    }

    /// Remarks about what the new loops rely on.
    fn say_what_is_assumed(&mut self) {
        let Region { scop, conditions, .. } = &self.region;
        let notes = &mut self.report.notes;
        notes.extend(scop.assumptions.iter().map(|text| format!("assumed: {text}")));
        let checked = conditions.iter();
        notes.extend(checked.map(|c| format!("checked at run time: {}", c.sentence())));
        notes.extend(self.enough_work.as_ref().map(EnoughWork::sentence));
    }

    /// The region's text with the new code, in the text of its file.
    pub(crate) fn in_place(&self, original: &str) -> String {
        let mut conditions = self.region.condition_texts();
        match &self.enough_work {
            Some(enough) if enough.is_plain => conditions.insert(0, enough.text.clone()),
            Some(enough) => conditions.push(enough.text.clone()),
            None => {}
        }
        self.region.in_place_where(&conditions, &self.code, original)
    }

    /// The model with the final schedule as its order, without kill statements.
    fn scheduled(&self) -> std::result::Result<Scop, Failure> {
        if self.code_scop.statements.len() != self.region.scop.statements.len()
            || self.code_scop.arrays.len() != self.region.scop.arrays.len()
        {
            return Err(Failure::refused(
                "error: the schedule has local arrays, which other tools do not know: compile with \
                 --no-panels --no-expansion",
            ));
        }
        let mut scop = self.region.scop.clone();
        scop.statements.retain(|statement| !statement.is_kill);
        scop.schedule = self.tree.clone();
        Ok(scop)
    }
}

/// A schedule and what there is to say about it.
pub(crate) struct Chosen {
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

impl Chosen {
    /// A schedule as it is.
    fn untransformed(tree: ScheduleTree, options: &CompileOptions) -> Self {
        let bands = loopwright_transform::Report::default();
        let (notes, tried) = (Vec::new(), Vec::new());
        let fuse = Fusion::Rule(options.fuse.first_rule());
        let settled = CompileOptions { fuse, ..options.clone() };
        Chosen {
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

/// Compiles one region. Where the region `has_text` in the program it may stay as it was, in any case or if it has
/// little to do when it runs.
pub(crate) fn compile_region(
    region: Region,
    has_text: bool,
    options: &CompileOptions,
    timings: &mut Timings,
) -> std::result::Result<RegionResult, Failure> {
    let mut result = rewritten(region, options, timings)?;
    let may_stay = has_text && !options.always_rewrite;
    if may_stay && let Some(reason) = nothing_gained(&result, options, timings) {
        result.leave(reason);
        return Ok(result);
    }
    if may_stay && result.has_overhead {
        let around = result.loops_around_threads.unwrap_or(0);
        result.enough_work =
            timings.time(Stage::Transform, || enough_work(&result.region.scop, around));
    }
    result.say_what_is_assumed();
    Ok(result)
}

/// The region with new loops.
fn rewritten(
    region: Region,
    options: &CompileOptions,
    timings: &mut Timings,
) -> std::result::Result<RegionResult, Failure> {
    let analysed = timings
        .time(Stage::Dependences, || analysed(region, options))
        .map_err(|e| Failure::in_stage("dependence analysis", &e))?;
    let mut chosen = choose_schedule(&analysed.region, &analysed.dependences, options, timings)?;
    if let Some(expanded) = with_expanded_scalars(&analysed, &mut chosen, options, timings) {
        return Ok(expanded);
    }
    let is_own = matches!(options.scheduler, Scheduler::Pluto | Scheduler::Feautrier);
    let has_register_tiles = chosen.bands.has_register_tiles();
    let finished = build(&analysed, chosen, options, timings)
        .and_then(|(chosen, built)| printed(&analysed, chosen, built, options, timings));
    let region = analysed.region;
    match finished {
        finished if has_register_tiles && !is_proved(&finished) => {
            let simpler = CompileOptions { register_tiles: false, ..options.clone() };
            let mut result = rewritten(region, &simpler, timings)?;
            result.report.notes.push(without_register_tiles(&finished));
            Ok(result)
        }
        Err(reason) if is_own => {
            let original = CompileOptions { scheduler: Scheduler::None, ..options.clone() };
            let mut result = rewritten(region, &original, timings)?;
            result.report.notes.push(format!("{reason}; the program's order is kept"));
            Ok(result)
        }
        Err(NoCode::WrongLoops(reasons) | NoCode::WrongText(reasons)) => {
            Err(Failure::refused(format!(
                "error: the generated loops of the region at line {} are wrong; nothing is written (this \
             is a defect of the compiler, please report it){reasons}",
                region.first_line
            )))
        }
        Err(NoCode::Failed(failure)) => Err(failure),
        Ok(result) => Ok(result),
    }
}

/// Why a region stays as it was, if new loops gain nothing: they would be serial loops of the program's order.
///
/// Options that ask for a form of the result get it, and without an answer within the limit the loops are new.
fn nothing_gained(
    result: &RegionResult,
    options: &CompileOptions,
    timings: &mut Timings,
) -> Option<String> {
    let is_own = matches!(options.scheduler, Scheduler::Pluto | Scheduler::Feautrier);
    let asks_for_loops = options.strategy != Strategy::Components || result.drops_instances;
    if !is_own || asks_for_loops || result.is_improved {
        return None;
    }
    let RegionResult { region, tree, report, .. } = result;
    let budget = Budget::steps(ORDER_STEPS);
    let same = timings.time(Stage::Verify, || {
        let original = executable_part(&region.scop, &region.scop.schedule)?;
        runs_in_order_of(&region.scop, tree, &original, &budget)
    });
    if !same.unwrap_or(false) {
        return None;
    }
    let mut reasons: Vec<String> = Vec::new();
    for decision in report.bands.bands.iter().flat_map(|band| &band.decisions) {
        let reason = decision.to_string();
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let executed = region.scop.statements.iter().filter(|statement| !statement.is_kill);
    let has_loops = executed.into_iter().any(|statement| !statement.iterators.is_empty());
    let reasons = match (report.bands.bands.is_empty(), reasons.is_empty()) {
        (true, _) if has_loops => " (no other order was found)".to_string(),
        (true, _) => " (there is no loop whose iterations could be in another order)".to_string(),
        (false, true) => String::new(),
        (false, false) => format!(" ({})", reasons.join("; ")),
    };
    Some(format!(
        "nothing is gained, new loops would be serial and in the program's order{reasons}"
    ))
}

/// Whether there is code, and all that was to be proved is proved.
fn is_proved(finished: &std::result::Result<RegionResult, NoCode>) -> bool {
    let proved = |result: &RegionResult| result.report.proofs.iter().all(|(_, p)| p.is_proved());
    finished.as_ref().is_ok_and(proved)
}

/// The remark that results are not kept in registers, and why.
fn without_register_tiles(finished: &std::result::Result<RegionResult, NoCode>) -> String {
    match finished {
        Ok(result) => {
            let missing = result.report.proofs.iter().find_map(|(claim, proof)| match proof {
                Proof::Proved => None,
                Proof::OutOfBudget(operation) => {
                    Some(format!("a limit was reached in {operation}, so that it is not proved"))
                }
                Proof::Refuted(_) => Some(format!(
                    "it is not true that {claim} (this is a defect of the compiler, please report it)"
                )),
            });
            let missing = missing.unwrap_or_else(|| "a proof is missing".to_string());
            format!("there are no register tiles: {missing}")
        }
        Err(reason) => format!("there are no register tiles: {reason}"),
    }
}

/// A region with the dependences that the options ask for.
pub(crate) struct Analysed {
    pub(crate) region: Region,
    pub(crate) dependences: Dependences,
    /// What there is to say about the dependences.
    remarks: Vec<String>,
    /// Whether dead instances are left out.
    drops_instances: bool,
}

pub(crate) fn analysed(region: Region, options: &CompileOptions) -> Result<Analysed> {
    let (region, mut dependences, remark) = without_dead_instances(region, options)?;
    let drops_instances = options.eliminate_dead_code && remark.is_some();
    let mut remarks = Vec::from_iter(remark);
    if options.reassociate {
        let (relaxed, remark) = reassociation::relaxed(&region.scop, dependences, STAGE_STEPS)?;
        dependences = relaxed;
        remarks.push(remark);
    }
    if !dependences.is_exact {
        remarks.push("a limit was reached: some dependences are approximated".to_string());
    }
    Ok(Analysed { region, dependences, remarks, drops_instances })
}

/// The region without dead instances, with its dependences but for those that the program says there are
/// none.
fn without_dead_instances(
    region: Region,
    options: &CompileOptions,
) -> Result<(Region, Dependences, Option<String>)> {
    let (region, mut dependences, remark) = without_dead_code_of(region, options)?;
    let budget = Budget::steps(STAGE_STEPS);
    for IndependentLoop { statements, depth } in &region.independent {
        dependences = dependences.without_carried(&region.scop, statements, *depth, &budget)?;
    }
    Ok((region, dependences, remark))
}

/// The region with its dependences, without dead code if that is asked for, and a remark about it.
/// Assignments to variables whose values are known otherwise are left out in any case.
fn without_dead_code_of(
    mut region: Region,
    options: &CompileOptions,
) -> Result<(Region, Dependences, Option<String>)> {
    let budget = Budget::steps(STAGE_STEPS);
    let dependences = Dependences::of_scop(&region.scop, &budget)?;
    if !options.eliminate_dead_code {
        if region.updates.is_empty() {
            return Ok((region, dependences, None));
        }
        let (scop, updates) = (&region.scop, &region.updates);
        return match without_dead_statements(scop, &dependences, updates, &budget) {
            Err(Error::Exceeded { .. }) => Ok((region, dependences, None)),
            scop => {
                region.scop = scop?;
                let dependences = Dependences::of_scop(&region.scop, &budget)?;
                Ok((region, dependences, None))
            }
        };
    }
    match without_dead_code(&region.scop, &dependences, &budget) {
        Err(Error::Exceeded { operation, .. }) => {
            let remark = format!("dead code is kept: a limit was reached ({operation})");
            Ok((region, dependences, Some(remark)))
        }
        scop => {
            let original = std::mem::replace(&mut region.scop, scop?);
            let dependences = Dependences::of_scop(&region.scop, &budget)?;
            let remark = dead_code_remark(&original, &region.scop, &budget);
            Ok((region, dependences, remark))
        }
    }
}

/// Which statements have lost instances; none if there are none.
fn dead_code_remark(original: &Scop, live: &Scop, budget: &Budget) -> Option<String> {
    let pairs = original.statements.iter().zip(&live.statements);
    let smaller = pairs.filter(|(a, b)| !a.domain.is_equal(&b.domain, budget).unwrap_or(false));
    let names: Vec<&str> = smaller.map(|(statement, _)| &*statement.name).collect();
    (!names.is_empty()).then(|| format!("dead code is left out: {}", names.join(", ")))
}

/// A schedule with the proofs about it; not the chosen one if they refute it.
fn with_checked_order(
    analysed: &Analysed,
    chosen: Chosen,
    options: &CompileOptions,
    timings: &mut Timings,
) -> std::result::Result<(Chosen, Proofs), Failure> {
    if !options.verify {
        return Ok((chosen, Vec::new()));
    }
    let check = |tree: &ScheduleTree, timings: &mut Timings| {
        let Analysed { region, dependences, .. } = analysed;
        timings
            .time(Stage::Verify, || prove_order(&region.scop, dependences, tree))
            .map_err(|e| Failure::in_stage("verification", &e))
    };
    let proofs = check(&chosen.tree, timings)?;
    let refuted = proofs.iter().find(|(_, proof)| matches!(proof, Proof::Refuted(_)));
    let Some((claim, proof)) = refuted else { return Ok((chosen, proofs)) };
    let chosen = reject(analysed, options, timings, claim, proof)?;
    let proofs = check(&chosen.tree, timings)?;
    Ok((chosen, proofs))
}

/// A user's schedule that is wrong is an error; our own is replaced by the program's order.
fn reject(
    analysed: &Analysed,
    options: &CompileOptions,
    timings: &mut Timings,
    claim: &str,
    proof: &Proof,
) -> std::result::Result<Chosen, Failure> {
    let reasons = match proof {
        Proof::Refuted(violations) => {
            violations.iter().map(|v| format!("\n  {v}")).collect::<String>()
        }
        _ => String::new(),
    };
    if options.scheduler.is_given() {
        return Err(Failure::refused(format!(
            "error: the given schedule is not legal: it is not true that {claim}{reasons}"
        )));
    }
    let original = CompileOptions { scheduler: Scheduler::None, ..options.clone() };
    let mut chosen = choose_schedule(&analysed.region, &analysed.dependences, &original, timings)?;
    chosen.notes.push(format!(
        "the computed schedule was rejected because it is not true that {claim}; the program's \
         order is kept (this is a defect of the compiler, please report it){reasons}"
    ));
    Ok(chosen)
}

pub(crate) fn choose_schedule(
    region: &Region,
    dependences: &Dependences,
    options: &CompileOptions,
    timings: &mut Timings,
) -> std::result::Result<Chosen, Failure> {
    let scop = &region.scop;
    let budget = Budget::steps(STAGE_STEPS);
    let chosen = match &options.scheduler {
        Scheduler::Given(text) => {
            return given_schedule(region, dependences, options, text, timings);
        }
        Scheduler::Transformed(script) => {
            return transformed_order(region, dependences, options, script, timings);
        }
        Scheduler::None => original_order(region, options),
        Scheduler::Pluto => automatic(region, dependences, options, Algorithm::Pluto, timings),
        Scheduler::Feautrier => {
            automatic(region, dependences, options, Algorithm::Feautrier, timings)
        }
    };
    let mut chosen = chosen.map_err(|e| Failure::in_stage("scheduling", &e))?;
    chosen.tree = with_private_scalars(scop, dependences, &chosen.tree, &budget)
        .map_err(|e| Failure::in_stage("privatization", &e))?;
    Ok(chosen)
}

fn original_order(region: &Region, options: &CompileOptions) -> Result<Chosen> {
    let tree = executable_part(&region.scop, &region.scop.schedule)?;
    let options = CompileOptions { scheduler: Scheduler::None, ..options.clone() };
    Ok(Chosen::untransformed(tree, &options))
}

/// The program's order, edited by a script.
fn transformed_order(
    region: &Region,
    dependences: &Dependences,
    options: &CompileOptions,
    script: &str,
    timings: &mut Timings,
) -> std::result::Result<Chosen, Failure> {
    let budget = Budget::steps(STAGE_STEPS);
    let original =
        original_order(region, options).map_err(|e| Failure::in_stage("the original order", &e))?;
    let (tree, notes) = timings.time(Stage::Transform, || {
        transformed(&region.scop, dependences, &original.tree, script)
    })?;
    let tree = with_private_scalars(&region.scop, dependences, &tree, &budget)
        .map_err(|e| Failure::in_stage("privatization", &e))?;
    Ok(Chosen { tree, notes, ..original })
}

/// A schedule by one of the algorithms, transformed for speed. When a limit is reached the
/// program's order is kept, and a note says so.
///
/// The deepest bands come first (stencils and factorizations need them for tiles). If they leave
/// statements without any tiled or parallel loop, as the skewed bands of `gramschmidt` do, a
/// schedule with a sequential outer loop and parallel loops inside is tried as well, and taken if
/// it improves more statements.
fn automatic(
    region: &Region,
    dependences: &Dependences,
    options: &CompileOptions,
    algorithm: Algorithm,
    timings: &mut Timings,
) -> Result<Chosen> {
    let fuse = options.fuse.first_rule();
    let tiling = loopwright_scheduler::Options { algorithm, fuse, ..options.scheduling };
    let first = match attempt(region, dependences, options, &tiling, timings) {
        Ok(chosen) => chosen,
        Err(error) => {
            let mut chosen = original_order(region, options)?;
            let reason = format!("no schedule was found ({error}): the program's order is kept");
            chosen.notes.push(reason);
            return Ok(chosen);
        }
    };
    let chosen = with_second_attempt(first, region, dependences, options, timings);
    Ok(match options.fuse {
        Fusion::Model if !options.reschedule => chosen,
        Fusion::Model => with_best_fusion(chosen, region, dependences, options, timings),
        Fusion::Rule(_) => chosen,
    })
}

/// The schedule `first`, or the one with parallel loops inside of a sequential one if that improves more statements.
fn with_second_attempt(
    mut first: Chosen,
    region: &Region,
    dependences: &Dependences,
    options: &CompileOptions,
    timings: &mut Timings,
) -> Chosen {
    let tiling = first.settled.scheduling;
    let n_statements = region.scop.statements.iter().filter(|s| !s.is_kill).count();
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
    match attempt(region, dependences, options, &outer, timings) {
        Ok(mut second) => {
            let n_second = second.bands.improved_statements().len();
            let is_better = n_second > n_improved;
            let taken = if is_better { "taken" } else { "no more, so not taken" };
            let tried = format!("{what}: {}, {taken}", outcome(n_second));
            first.tried.push(tried);
            if is_better {
                first.tried.append(&mut second.tried);
                return Chosen { tried: first.tried, ..second };
            }
        }
        Err(error) => first.tried.push(format!("{what}: not found ({error})")),
    }
    first
}

/// Choices about what the scheduler is given.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    input_reuse: bool,
    live_range_reordering: bool,
}

impl Wanted {
    fn by(options: &CompileOptions) -> Self {
        let CompileOptions { input_reuse, live_range_reordering, .. } = *options;
        Wanted { input_reuse, live_range_reordering }
    }
}

/// What the scheduler is given.
fn constraints(
    region: &Region,
    dependences: &Dependences,
    wanted: Wanted,
) -> Result<ScheduleConstraints> {
    let Wanted { input_reuse, live_range_reordering } = wanted;
    let domain = executed_instances(&region.scop)?;
    let constraints = match live_range_reordering {
        true => schedule_constraints(&region.scop, dependences, &domain)?,
        false => constraints_in_order(&region.scop, dependences, &domain)?,
    };
    if !input_reuse {
        return Ok(constraints);
    }
    with_input_reuse(constraints, &region.scop, &Budget::steps(STAGE_STEPS))
}

/// One schedule with its transformation.
fn attempt(
    region: &Region,
    dependences: &Dependences,
    options: &CompileOptions,
    choices: &loopwright_scheduler::Options,
    timings: &mut Timings,
) -> Result<Chosen> {
    let scheduled = scheduled(region, dependences, options, choices, timings)?;
    optimised(scheduled, region, dependences, options, choices, timings)
}

/// One schedule.
pub(crate) fn scheduled(
    region: &Region,
    dependences: &Dependences,
    options: &CompileOptions,
    choices: &loopwright_scheduler::Options,
    timings: &mut Timings,
) -> Result<Scheduled> {
    let budget = Budget::steps(STAGE_STEPS);
    timings.time(Stage::Schedule, || {
        let constraints = constraints(region, dependences, Wanted::by(options))?;
        if !options.reschedule {
            let tree = original_bands(&region.scop, &constraints, &budget)?;
            return Ok(Scheduled { tree, notes: Vec::new(), cut: Vec::new(), keeps_apart: false });
        }
        let grouping = match options.group_chains {
            true => chains(&region.scop, &constraints)?,
            false => Grouping::default(),
        };
        schedule_with(&grouping, &constraints, choices, &budget)
    })
}

/// A schedule transformed for speed; statements are only cut in halves where that leads to tiles or parallel loops.
pub(crate) fn optimised(
    scheduled: Scheduled,
    region: &Region,
    dependences: &Dependences,
    options: &CompileOptions,
    choices: &loopwright_scheduler::Options,
    timings: &mut Timings,
) -> Result<Chosen> {
    let budget = Budget::steps(STAGE_STEPS);
    let (found, keeps_apart) = (scheduled.tree.clone(), scheduled.keeps_apart);
    let mut notes: Vec<String> = scheduled.notes.iter().map(|note| note.message.clone()).collect();
    let optimised = timings.time(Stage::Transform, || {
        let choices = loopwright_transform::Options {
            tile_sizes: options.tile_sizes.clone(),
            band_tiles: options.band_tiles.clone(),
            concurrent_start: options.concurrent_start,
            point_to_point: options.point_to_point,
            tile_factors: options.tile_factors.clone(),
            parallel: options.target == Target::OpenMp,
            register_tiles: options.register_tiles,
            reassociate: options.reassociate,
            panels: options.panels,
            estimate: options.fuse == Fusion::Model && region.scop.statements.len() > 1,
            machine: options.machine.clone(),
        };
        let (tree, scop) = (&scheduled.tree, &region.scop);
        loopwright_transform::optimise(tree, scop, dependences, &choices, &budget)
    })?;
    if !optimised.report.profits_from(&scheduled.cut) {
        let uncut = loopwright_scheduler::Options { split_index_sets: false, ..*choices };
        let mut whole = attempt(region, dependences, options, &uncut, timings)?;
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
    let (combined, decisions) = timings.time(Stage::Transform, || {
        let parallel = options.target == Target::OpenMp;
        with_reductions(&optimised.tree, &region.scop, dependences, parallel, &budget)
    })?;
    notes.extend(decisions);
    let tree = with_compact_outer_loops(&combined);
    let settled = CompileOptions {
        scheduling: *choices,
        fuse: Fusion::Rule(choices.fuse),
        second_attempt: false,
        ..options.clone()
    };
    let (bands, estimate) = (optimised.report, optimised.estimate);
    Ok(Chosen { tree, bands, notes, tried, found, keeps_apart, estimate, settled })
}

/// The user's schedule, if it is one for this region; whether it is legal is proved later.
fn given_schedule(
    region: &Region,
    dependences: &Dependences,
    options: &CompileOptions,
    text: &str,
    timings: &mut Timings,
) -> std::result::Result<Chosen, Failure> {
    let budget = Budget::steps(STAGE_STEPS);
    let in_stage = |e: Error| Failure::in_stage("reading the given schedule", &e);
    timings.time(Stage::Schedule, || {
        let wanted = Wanted { input_reuse: false, ..Wanted::by(options) };
        let constraints = constraints(region, dependences, wanted).map_err(in_stage)?;
        let tree = match Format::of_text(text) {
            Some(format) => read_schedule_of(&region.scop, format, text, &constraints, &budget)?,
            None => read_schedule(text, &constraints.domain, &region.scop.context, &budget)?,
        };
        let tree = with_flags_found(tree, &constraints, &budget);
        Ok(Chosen::untransformed(tree, options))
    })
}

/// The loops of a chosen schedule, with their proofs. That panels do not change the order is proved
/// with them; if there are none the order is proved alone.
pub(crate) fn build(
    analysed: &Analysed,
    mut chosen: Chosen,
    options: &CompileOptions,
    timings: &mut Timings,
) -> std::result::Result<(Chosen, Built), NoCode> {
    let Analysed { region, dependences, .. } = analysed;
    let is_own = matches!(options.scheduler, Scheduler::Pluto | Scheduler::Feautrier);
    let with_panels = match options.panels && is_own {
        true => {
            let Chosen { tree, settled, notes, tried, .. } = &mut chosen;
            let n_notes = notes.len();
            let built = loops_with_panels(region, dependences, tree, settled, timings, notes);
            tried.push(match (&built, notes.len() > n_notes) {
                (Some(_), _) => "panels for what innermost loops read: proved, taken".to_string(),
                (None, true) => "panels for what innermost loops read: given up".to_string(),
                (None, false) => "panels for what innermost loops read: none pays".to_string(),
            });
            built
        }
        false => None,
    };
    if let Some(built) = with_panels {
        return Ok((chosen, built));
    }
    let (mut chosen, proofs) = with_checked_order(analysed, chosen, options, timings)?;
    let Chosen { tree, settled, notes, .. } = &mut chosen;
    let built = plain_loops(region, tree.clone(), proofs, settled, timings, notes)?;
    Ok((chosen, built))
}

/// The text of the loops and what there is to say about them.
pub(crate) fn printed(
    analysed: &Analysed,
    chosen: Chosen,
    built: Built,
    options: &CompileOptions,
    timings: &mut Timings,
) -> std::result::Result<RegionResult, NoCode> {
    let Analysed { region, dependences, remarks, .. } = analysed;
    let mut notes = chosen.notes;
    notes.extend(remarks.iter().cloned());
    let RegionText { text, is_improved, has_overhead, loops_around_threads } = timings
        .time(Stage::Print, || print(region, &built, options))
        .map_err(|e| Failure::in_stage("printing", &e))?;
    let (mut proofs, mut only_tested) = (built.proofs, Vec::new());
    if options.verify {
        let (proof, not_read) = timings
            .time(Stage::Verify, || prove_text(&built.scop, &built.ast, &text))
            .map_err(|e| Failure::in_stage("verification of the text", &e))?;
        if let Some((_, Proof::Refuted(violations))) = &proof {
            let reasons: String = violations.iter().map(|v| format!("\n  {v}")).collect();
            return Err(NoCode::WrongText(reasons));
        }
        proofs.extend(proof);
        only_tested = not_read;
    }
    notes.extend(tiles_without_vectors(&chosen.bands, &text));
    notes.extend(region.remarks.iter().cloned());
    notes.extend(unused_band_choice(options, &chosen.bands));
    notes.extend(unused_tile_sizes(options, &chosen.bands));
    let choices = RegionChoices::made(&chosen.settled, &chosen.bands);
    let report = RegionReport {
        function: region.function.clone(),
        lines: (region.first_line, region.last_line),
        n_statements: region.scop.statements.iter().filter(|s| !s.is_kill).count(),
        n_dependences: (dependences.flow.len(), dependences.order.len(), dependences.forced.len()),
        bands: chosen.bands,
        proofs,
        only_tested,
        tried: chosen.tried,
        notes,
        is_left: false,
        choices,
    };
    Ok(RegionResult {
        code: text,
        left: None,
        enough_work: None,
        is_improved,
        has_overhead,
        loops_around_threads,
        drops_instances: analysed.drops_instances,
        report,
        region: region.clone(),
        dependences: dependences.clone(),
        code_scop: built.scop,
        tree: built.tree,
        ast: built.ast,
        wanted: Wanted::by(options),
    })
}

/// A remark about tile sizes that no band has taken.
fn unused_tile_sizes(
    options: &CompileOptions,
    bands: &loopwright_transform::Report,
) -> Option<String> {
    let is_given = matches!(options.tile_sizes, TileSizes::Given(_));
    let is_tiled = bands.bands.iter().any(|band| !band.tile_sizes.is_empty());
    let is_own = matches!(options.scheduler, Scheduler::Pluto | Scheduler::Feautrier);
    (is_own && !is_tiled && (is_given || !options.tile_factors.is_empty()))
        .then(|| "the tile sizes have no effect: no band of loops is tiled".to_string())
}

/// A remark about tiles for results in registers that the text has no vector variables for: of integers, or of different
/// types.
fn tiles_without_vectors(bands: &loopwright_transform::Report, code: &str) -> Option<String> {
    let band = bands.bands.iter().find(|band| band.register_tile.is_some())?;
    let statements = band.statements.join(", ");
    (!code.contains("vector_size(")).then(|| {
        format!("the tiles of {statements} are loops without vector variables: registers are left to the C compiler")
    })
}

/// A remark about tile sizes for a band that there is not.
fn unused_band_choice(
    options: &CompileOptions,
    bands: &loopwright_transform::Report,
) -> Option<String> {
    let last = options.band_tiles.keys().next_back().filter(|band| **band >= bands.bands.len())?;
    Some(format!("the choices name band {last}, but there are {} bands", bands.bands.len()))
}
