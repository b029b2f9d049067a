//! A region on a device with its own memory: kernels, copies, and their proofs. Where one is missing the region stays on the
//! processor, and a note says why.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::constraints::Wanted;
use crate::pipeline::loops::loops;
use crate::pipeline::one_schedule::{ScheduleChoice, scheduled};
use crate::pipeline::outcome::{Proofs, RegionReport, Stage};
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::prove::{prove_ast, prove_order, prove_transfers};
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::{Run, stage_budget};
use crate::pipeline::schedule_choice::choose_schedule;
use crate::pipeline::worth_on_device::{WorthOnDevice, worth_on_device};
use crate::settings::choices::RegionChoices;
use crate::settings::options::CompileOptions;
use loopwright_astgen::{AstNode, FreshNames};
use loopwright_backend::device::{DeviceRegion, Language, is_linear, print_device_region, why_not};
use loopwright_cfront::Region;
use loopwright_device::{
    CHOOSING_SIZES, KernelPlan, Selection, Transfers, has_kernels, with_kernels,
};
use loopwright_presburger::Error;
use loopwright_schedule::ScheduleTree;
use loopwright_verify::{Proof, check_kernels};

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
    (language, position): (Language, Option<usize>),
    run: Run<'_>,
) -> Result<OnDevice, Failure> {
    let scop = &analysed.region.scop;
    if let Some(reason) = why_not(scop, language) {
        return Ok(OnDevice::Not(reason));
    }
    let Some(position) = position else {
        return Ok(OnDevice::Not("models of other tools have no program to return to".to_string()));
    };
    let (chosen, plans) = match with_blocks_and_threads(analysed, run)? {
        Ok(found) => found,
        Err(reason) => return Ok(OnDevice::Not(reason)),
    };
    let is_given = run.options.scheduler.is_given();
    let planned = run.time(Stage::Transform, || {
        let linear = |array| is_linear(scop, array);
        Transfers::of_region(scop, &analysed.dependences, &linear, &stage_budget())
    });
    let transfers = match planned {
        Ok(Ok(transfers)) => transfers,
        Ok(Err(reason)) => return Ok(OnDevice::Not(reason)),
        Err(error) => return Ok(OnDevice::Not(format!("what has to be copied: {error}"))),
    };
    let worth = match is_given || run.options.devices.always {
        true => WorthOnDevice::Always,
        false => run.time(Stage::Transform, || {
            let device = &run.options.devices.device;
            worth_on_device(scop, &chosen.tree, &transfers, device)
        }),
    };
    if worth == WorthOnDevice::Never {
        return Ok(OnDevice::Not(NOT_WORTH_IT.to_string()));
    }
    let (ast, strategy, note) =
        match run.time(Stage::Ast, || loops(scop, &chosen.tree, chosen.settled.strategy)) {
            Ok(found) => found,
            Err(error) => return Ok(OnDevice::Not(format!("generation of loops: {error}"))),
        };
    let proofs = match proofs(analysed, (&chosen.tree, &ast), &transfers, run) {
        Ok(proofs) => proofs,
        Err(error) => return Ok(OnDevice::Not(format!("verification: {error}"))),
    };
    if let Some((claim, proof)) = proofs.iter().find(|(_, proof)| !proof.is_proved()) {
        return missing(claim, proof, is_given);
    }
    let mut settled = chosen.settled.clone();
    settled.strategy = strategy;
    let mut chosen = ScheduleChoice { settled, ..chosen };
    chosen.notes.extend(note);
    chosen.notes.extend(plans.iter().map(KernelPlan::sentence));
    let device = run.time(Stage::Print, || {
        print(&analysed.region, (&transfers, &ast, &plans), (language, position), run.options)
    });
    match device {
        Ok(device) => {
            let text = Parts { chosen, ast, proofs, device };
            let mut result = result(analysed, text, language, run);
            if let WorthOnDevice::If(condition) = worth {
                let note = format!("checked at run time: `{condition}`, {SO_THAT_IT_IS_WORTH_IT}");
                result.report.notes.push(note);
                result.taken_if = Some(condition);
            }
            Ok(OnDevice::Taken(Box::new(result)))
        }
        Err(error) => Ok(OnDevice::Not(format!("printing: {error}"))),
    }
}

/// What a proof that is missing means.
fn missing(claim: &str, proof: &Proof, is_given: bool) -> Result<OnDevice, Failure> {
    let reasons: Vec<String> = match proof {
        Proof::Refuted(violations) => violations.iter().map(ToString::to_string).collect(),
        Proof::OutOfBudget(operation) => vec![format!("the budget ran out in {operation}")],
        Proof::Proved => Vec::new(),
    };
    if is_given && matches!(proof, Proof::Refuted(_)) {
        let message = format!("the given schedule is not legal: it is not true that {claim}");
        return Err(Failure::refused(message).with_notes(reasons));
    }
    Ok(OnDevice::Not(format!("it is not proved that {claim} ({})", reasons.join("; "))))
}

/// The schedule with kernels, and their sizes where these are planned: the given one, or that with independent loops as far outside
/// as they may be.
fn with_blocks_and_threads(
    analysed: &Analysed,
    run: Run<'_>,
) -> Result<Result<(ScheduleChoice, Vec<KernelPlan>), String>, Failure> {
    let Analysed { region, dependences, .. } = analysed;
    let options = run.options;
    let chosen = match options.scheduler.is_given() {
        true => choose_schedule(analysed, run)?,
        false => {
            let outer =
                loopwright_scheduler::Options { outer_coincidence: true, ..options.scheduling };
            match scheduled(analysed, &outer, run) {
                Ok(found) => ScheduleChoice::untransformed(found.tree, options),
                Err(error) => return Ok(Err(format!("no schedule was found ({error})"))),
            }
        }
    };
    let choices = &options.devices;
    let (tree, plans) = match has_kernels(&chosen.tree) {
        true => (chosen.tree.clone(), Vec::new()),
        false => {
            let sizes = (&choices.device, choices.sizes.as_ref());
            match run.time(Stage::Transform, || with_kernels(&chosen.tree, &region.scop, sizes)) {
                Ok(Some(Selection { tree, plans, .. })) => (tree, plans),
                Ok(None) => return Ok(Err("no loop has independent iterations".to_string())),
                Err(Error::Invalid { operation: CHOOSING_SIZES, reason }) => {
                    return Err(Failure::refused(format!("--sizes: {reason}")));
                }
                Err(error) => return Ok(Err(format!("choosing kernels: {error}"))),
            }
        }
    };
    let tree = with_private_scalars(&region.scop, dependences, &tree, &stage_budget());
    Ok(match tree {
        Ok(tree) => Ok((ScheduleChoice { tree, ..chosen }, plans)),
        Err(error) => Err(format!("privatization: {error}")),
    })
}

fn proofs(
    analysed: &Analysed,
    (tree, ast): (&ScheduleTree, &AstNode),
    transfers: &Transfers,
    run: Run<'_>,
) -> loopwright_presburger::Result<Proofs> {
    if !run.options.verify {
        return Ok(Vec::new());
    }
    let Analysed { region, dependences, .. } = analysed;
    run.time(Stage::Verify, || {
        let mut proofs = vec![(
            "all statements run in kernels whose threads need no barriers",
            check_kernels(tree),
        )];
        proofs.extend(prove_order(&region.scop, dependences, tree)?);
        proofs.push(prove_ast(&region.scop, tree, ast, run.options)?);
        proofs.push(prove_transfers(&region.scop, dependences, transfers)?);
        Ok(proofs)
    })
}

fn print(
    region: &Region,
    (transfers, ast, plans): (&Transfers, &AstNode, &[KernelPlan]),
    (language, position): (Language, usize),
    options: &CompileOptions,
) -> loopwright_presburger::Result<DeviceRegion> {
    let mut used = (*region.used_names).clone();
    used.extend(region.scop.arrays.iter().map(|array| array.tuple_name.to_string()));
    used.extend(region.scop.parameters.iter().map(|parameter| parameter.name.to_string()));
    if language == Language::OpenCl {
        used.extend(["min", "max"].map(String::from));
    }
    let mut names = FreshNames::new(used);
    let program = &options.embedding.program;
    let name = names.get(&format!("{program}_region{}", position + 1));
    let (first, last) = (region.first_line, region.last_line);
    let function = &region.function;
    let about = format!("Lines {first} to {last}, in {function}.");
    let made_of = (ast, plans);
    print_device_region((&region.scop, transfers), made_of, (&name, &about), (language, names))
}

/// What a region on a device is made of.
struct Parts {
    chosen: ScheduleChoice,
    ast: AstNode,
    proofs: Proofs,
    device: DeviceRegion,
}

fn result(analysed: &Analysed, parts: Parts, language: Language, run: Run<'_>) -> RegionResult {
    let Analysed { region, dependences, remarks, .. } = analysed;
    let Parts { chosen, ast, proofs, device } = parts;
    let mut notes = chosen.notes;
    notes.extend(remarks.iter().cloned());
    notes.extend(region.remarks.iter().cloned());
    let flag = match language {
        Language::Cuda => ", if nvcc is called with -fmad=false",
        Language::OpenCl => ", as far as its functions are those of the C library",
    };
    notes.push(format!(
        "{} runs {} kernel{} (the result is that of the processor bit by bit{flag}; the text of kernels is tested, not proved)",
        language.name(),
        device.kernels.len(),
        crate::pipeline::outcome::plural(device.kernels.len()),
    ));
    let choices = RegionChoices::made(&chosen.settled, &chosen.bands);
    let report = RegionReport {
        n_dependences: (dependences.flow.len(), dependences.order.len(), dependences.forced.len()),
        bands: chosen.bands,
        proofs,
        tried: chosen.tried,
        notes,
        is_left: false,
        choices,
        ..RegionReport::unchanged(region)
    };
    RegionResult {
        code: format!("{}/* The device has done it. */\n", region.indentation),
        device: Some(device),
        report,
        ..RegionResult::bare(analysed, (chosen.tree, ast), Wanted::by(run.options))
    }
}
