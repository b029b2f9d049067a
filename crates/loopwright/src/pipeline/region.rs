//! The way of one region through the house, as stages that each take a value and return the next:
//!
//! `Region` (of the front end) → [`Analysed`] → [`ScheduleChoice`] →
//! [`Generated`](crate::pipeline::generated::Generated) → [`RegionResult`].
use crate::diagnostics::diagnostic::Diagnostic;
use crate::diagnostics::failure::{Failure, Status};
use crate::pipeline::analysis::{Analysed, analysed};
use crate::pipeline::array_expansion::{WithCopies, with_copies_of_arrays};
use crate::pipeline::auto_tiling::in_cheapest_tiles;
use crate::pipeline::cache_oblivious::in_cache_oblivious_tiles;
use crate::pipeline::chosen_tiling::for_chosen_tiling;
use crate::pipeline::contraction::{
    Contracted, contracted_in_variable_tiles, with_contracted_arrays,
};
use crate::pipeline::expansion::{Expanded, with_expanded_scalars};
use crate::pipeline::generated::NoCode;
use crate::pipeline::lengths_on_device::{WithLengths, with_lengths};
use crate::pipeline::loops::generated;
use crate::pipeline::on_device::{OnDevice, on_device};
use crate::pipeline::outcome::Stage;
use crate::pipeline::overlapped::in_overlapped_tiles;
use crate::pipeline::pointer_members::with_pointer_members;
use crate::pipeline::print::printed;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::schedule_choice::choose_schedule;
use crate::pipeline::variable_tiles::{VariableTiles, for_variable_tiles, in_variable_tiles};
use crate::pipeline::versions::trials::Trial;
use crate::pipeline::worth::{Worth, has_own_tiles, in_own_order, worth_of};
use crate::report::serial_loops::serial_loops;
use crate::settings::options::{CompileOptions, Scheduler};
use loopwright_backend::Target;
use loopwright_cfront::Region;
use loopwright_transform::Tiling;
use loopwright_verify::Proof;

/// Compiles one region. Where the region has a `position` in the text of a program it may stay as it was, in
/// any case or if it has little to do when it runs, or it turns out to be faster.
pub(crate) fn compile_region(
    region: Region,
    position: Option<usize>,
    run: Run<'_>,
) -> Result<RegionResult, Failure> {
    let for_tiling = for_chosen_tiling(run.options);
    let run = for_tiling.as_ref().map_or(run, |options| run.with(options));
    let for_tiles = for_variable_tiles(run.options);
    let run = for_tiles.as_ref().map_or(run, |options| run.with(options));
    let analysed = run
        .time(Stage::Dependences, || analysed(region, run.options))
        .map_err(|e| Failure::in_stage("dependence analysis", &e))?;
    let Some(language) = run.options.device else {
        return on_processor(&analysed, position, run);
    };
    let with_members = with_pointer_members(&analysed, run.options)
        .map_err(|e| Failure::in_stage("dependence analysis", &e))?;
    let own = with_members.as_ref().unwrap_or(&analysed);
    let with_lengths =
        with_lengths(own, run.options).map_err(|e| Failure::in_stage("dependence analysis", &e))?;
    let (own, lengths) = match &with_lengths {
        Some(WithLengths { analysed, lengths }) => (analysed, &lengths[..]),
        None => (own, &[][..]),
    };
    match on_device(own, (language, position), run)? {
        OnDevice::Taken(result) => Ok(result.with_lengths(lengths).with_what_is_assumed()),
        OnDevice::Not(reason) => {
            let mut result = on_processor(&analysed, position, run)?;
            let note = format!("the region stays on the processor: {reason}");
            result.report.notes.push(note);
            Ok(result)
        }
    }
}

/// The region with loops for the processor; of those that are serial the report says why.
fn on_processor(
    analysed: &Analysed,
    position: Option<usize>,
    run: Run<'_>,
) -> Result<RegionResult, Failure> {
    let mut result = with_own_loops(analysed, position, run)?;
    if run.options.target == Target::OpenMp {
        result.report.serial = serial_loops(&result, run.options.reassociate);
    }
    Ok(result)
}

fn with_own_loops(
    analysed: &Analysed,
    position: Option<usize>,
    run: Run<'_>,
) -> Result<RegionResult, Failure> {
    let may_stay = position.is_some() && !run.options.always_rewrite;
    let result = match run.options.tiling {
        Some(tiling) => in_tiles(analysed, tiling, run)?,
        None if may_stay => worth_its_cost(analysed, run)?,
        None => rewritten(analysed, run)?,
    };
    if !result.buffers.is_empty() {
        // Where there is no memory for them the region runs as it was.
        return Ok(result.with_what_is_assumed());
    }
    if result.left.is_some() {
        return Ok(result);
    }
    let unsure = result.unsure.as_deref();
    let trial = position.and_then(|position| {
        Trial::wanted(run.options.adaptive, unsure, &result.region, position, run.effort())
    });
    Ok(RegionResult { trial, ..result }.with_what_is_assumed())
}

/// The region in tiles of the shape that the user has chosen.
fn in_tiles(analysed: &Analysed, tiling: Tiling, run: Run<'_>) -> Result<RegionResult, Failure> {
    match tiling {
        Tiling::Overlapped => in_overlapped_tiles(analysed, run),
        Tiling::CacheOblivious => in_cache_oblivious_tiles(analysed, run),
        Tiling::Auto => {
            in_cheapest_tiles(analysed, run, &mut |tiling, run| in_tiles(analysed, tiling, run))
        }
        _ => rewritten(analysed, run),
    }
}

/// The region with the loops that are worth their cost; as it was where none are.
fn worth_its_cost(analysed: &Analysed, run: Run<'_>) -> Result<RegionResult, Failure> {
    let in_own_order = in_own_order(run.options);
    let keeps_order = run.time(Stage::Transform, || has_own_tiles(analysed, run.options));
    let run = if keeps_order { run.with(&in_own_order) } else { run };
    let mut result = rewritten(analysed, run)?;
    if keeps_order {
        let note = "the loops are tiled by hand already: their order is kept";
        result.report.notes.push(note.to_string());
    }
    let mut worth = worth_of(analysed, &result, run);
    if let Some(options) = worth.other_attempt(run.options) {
        let run = run.with(&options);
        let other = rewritten(analysed, run)?;
        let worth_of_other = worth_of(analysed, &other, run);
        if !worth_of_other.is_left() && (!worth.is_taken() || other.is_cheaper_than(&result)) {
            (result, worth) = (other, worth_of_other);
        }
    }
    Ok(match worth {
        Worth::Taken { condition, gain, unsure, .. } => {
            result.narrower.iter_mut().for_each(|v| v.enough_work.clone_from(&condition));
            result.enough_work = condition;
            result.unsure = unsure;
            result.report.notes.extend(gain);
            result
        }
        Worth::OnOneCore(reason) | Worth::InOwnOrder(reason) | Worth::Left(reason) => {
            result.left_for(reason)
        }
    })
}

/// The region with new loops, by the first attempt that works; later ones are asked for less.
fn rewritten(analysed: &Analysed, run: Run<'_>) -> Result<RegionResult, Failure> {
    let mut options = run.options.clone();
    let mut reasons = Vec::new();
    loop {
        match attempt(analysed, run.with(&options))? {
            Attempt::Done(mut result) => {
                result.report.notes.extend(reasons.into_iter().rev());
                return Ok(*result);
            }
            Attempt::Again { simpler, reason } => {
                options = *simpler;
                reasons.push(reason);
            }
        }
    }
}

/// What came of an attempt.
enum Attempt {
    Done(Box<RegionResult>),
    /// There is to be one with these options, which ask for less.
    Again {
        simpler: Box<CompileOptions>,
        reason: String,
    },
}

fn attempt(analysed: &Analysed, run: Run<'_>) -> Result<Attempt, Failure> {
    let options = run.options;
    let again = |simpler, reason| Ok(Attempt::Again { simpler: Box::new(simpler), reason });
    let mut chosen = choose_schedule(analysed, run)?;
    if let Some(result) = contracted_in_variable_tiles(analysed, &mut chosen, run) {
        return Ok(Attempt::Done(Box::new(result)));
    }
    let chosen = match options.parametric_tiles {
        false => chosen,
        true => match in_variable_tiles(analysed, chosen, run)? {
            VariableTiles::Taken(result) => return Ok(Attempt::Done(result)),
            VariableTiles::None(chosen) => *chosen,
        },
    };
    let chosen = match with_copies_of_arrays(analysed, chosen, run) {
        WithCopies::Taken(result) => return Ok(Attempt::Done(result)),
        WithCopies::Not(chosen) => *chosen,
    };
    let chosen = match with_expanded_scalars(analysed, chosen, run) {
        Expanded::Taken(result) => return Ok(Attempt::Done(result)),
        Expanded::Not(chosen) => *chosen,
    };
    let chosen = match with_contracted_arrays(analysed, chosen, run) {
        Contracted::Taken(result) => return Ok(Attempt::Done(result)),
        Contracted::Not(chosen) => *chosen,
    };
    let has_register_tiles = options.register_tiles && chosen.bands.has_register_tiles();
    let finished = generated(analysed, chosen, run)
        .and_then(|(chosen, generated)| printed(analysed, chosen, generated, run));
    match finished {
        finished if has_register_tiles && !is_proved(&finished) => {
            let simpler = CompileOptions { register_tiles: false, ..options.clone() };
            again(simpler, without_register_tiles(&finished))
        }
        Err(reason) if options.scheduler.is_searched() => {
            let simpler = CompileOptions { scheduler: Scheduler::None, ..options.clone() };
            again(simpler, format!("{reason}; the program's order is kept"))
        }
        Err(NoCode::WrongLoops(reasons) | NoCode::WrongText(reasons)) => {
            let message = format!(
                "the generated loops of the region at line {} are wrong; nothing is written (this \
                 is a defect of the compiler, please report it)",
                analysed.region.first_line
            );
            Err(Failure::refused(message).with_notes(reasons))
        }
        Err(reason @ NoCode::NoRoom(_)) => {
            let line = analysed.region.first_line;
            let message = format!("the region at line {line} stays as it was: {reason}");
            let is_asked_for = options.scheduler.is_given() || !options.transformations.is_empty();
            let status = if is_asked_for { Status::Refused } else { Status::Limit };
            Err(Failure::new(status, Diagnostic::error(message)))
        }
        Err(NoCode::Failed(failure)) => Err(failure),
        Ok(result) => Ok(Attempt::Done(Box::new(result))),
    }
}

/// Whether there is code, and all that was to be proved is proved.
fn is_proved(finished: &Result<RegionResult, NoCode>) -> bool {
    let proved = |result: &RegionResult| result.report.proofs.iter().all(|(_, p)| p.is_proved());
    finished.as_ref().is_ok_and(proved)
}

/// The remark that results are not kept in registers, and why.
fn without_register_tiles(finished: &Result<RegionResult, NoCode>) -> String {
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
