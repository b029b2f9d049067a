//! A program that is mapped to a device: its loops, their proofs, and its text, which is read back.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::loops::loops_over_values;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{Proofs, RegionReport, Stage};
use crate::pipeline::overlapped_on_device::prove_tiles;
use crate::pipeline::partial_on_device::PartialProgram;
use crate::pipeline::prove::{
    TextProof, matrix_products, prove_ast, prove_atomic_updates, prove_axes, prove_barriers,
    prove_cached_tiles, prove_device_text, prove_matrix_products, prove_memory, prove_order,
    prove_promotion, prove_transfers,
};
use crate::pipeline::region_result::{DeviceResult, RegionResult};
use crate::pipeline::run::{Run, stage_budget_by};
use crate::settings::choices::RegionChoices;
use crate::settings::options::CompileOptions;
use loopwright_astgen::{AstNode, FreshNames};
use loopwright_backend::device::{
    DeviceRegion, Language, Spelling, is_linear, print_device_region, with_functions_of_kernels,
    with_unconditional_barriers,
};
use loopwright_cfront::Region;
use loopwright_dataflow::Dependences;
use loopwright_device::{KernelPlan, Transfers};
use loopwright_machine::Device;
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{FloatingType, Promotion, Scop};
use loopwright_transform::overlapped::Overlapped;
use loopwright_verify::{NotRead, PromotedProgram, Proof, check_kernels};

/// The program of which kernels are made: that of the region, or that with partial results.
pub(crate) struct Program<'a> {
    pub(crate) scop: &'a Scop,
    pub(crate) dependences: &'a Dependences,
    pub(crate) chosen: &'a ScheduleChoice,
    pub(crate) partial: Option<&'a PartialProgram>,
}

impl<'a> Program<'a> {
    /// The program of the region itself.
    pub(crate) fn of(analysed: &'a Analysed, chosen: &'a ScheduleChoice) -> Program<'a> {
        let (scop, dependences) = (&analysed.region.scop, &analysed.dependences);
        Program { scop, dependences, chosen, partial: None }
    }

    pub(crate) fn with(partial: &'a PartialProgram) -> Program<'a> {
        let PartialProgram { scop, dependences, chosen, .. } = partial;
        Program { scop, dependences, chosen, partial: Some(partial) }
    }
}

/// What the code of kernels is made of besides a program.
#[derive(Clone, Copy)]
pub(crate) struct MadeOf<'a> {
    pub(crate) transfers: &'a Transfers,
    pub(crate) language: Language,
    /// The number of the region in names.
    pub(crate) number: &'a str,
}

/// What is copied to the device and back, or why that is not known.
pub(crate) fn planned(analysed: &Analysed, run: Run<'_>) -> Result<Transfers, String> {
    let scop = &analysed.region.scop;
    let planned = run.time(Stage::Transform, || {
        let linear = |array| is_linear(scop, array);
        Transfers::of_region(scop, &analysed.dependences, &linear, &stage_budget_by(run.options))
    });
    planned.unwrap_or_else(|error| Err(format!("what has to be copied: {error}")))
}

/// What a proof that is missing means.
fn missing(claim: &str, proof: &Proof, is_given: bool) -> Result<String, Failure> {
    let reasons: Vec<String> = match proof {
        Proof::Refuted(violations) => violations.iter().map(ToString::to_string).collect(),
        Proof::OutOfBudget(operation) => vec![format!("the budget ran out in {operation}")],
        Proof::Proved => Vec::new(),
    };
    if is_given && matches!(proof, Proof::Refuted(_)) {
        let message = format!("the given schedule is not legal: it is not true that {claim}");
        return Err(Failure::refused(message).with_notes(reasons));
    }
    Ok(format!("it is not proved that {claim} ({})", reasons.join("; ")))
}

/// A schedule with kernels, and the program that it is one for.
pub(crate) struct Mapped {
    pub(crate) chosen: ScheduleChoice,
    pub(crate) scop: Scop,
    pub(crate) dependences: Dependences,
    /// Which of its arrays are in memory of blocks and threads.
    pub(crate) promotion: Option<Promotion>,
    /// Whether these are boxes of whole tiles.
    pub(crate) has_tile_boxes: bool,
    /// The sizes of its kernels, where these are planned.
    pub(crate) plans: Vec<KernelPlan>,
    /// What its statements in tiles stand for.
    pub(crate) tiles: Option<Box<Overlapped>>,
}

/// The code of a program with kernels, if all is proved.
pub(crate) fn generated(
    analysed: &Analysed,
    (program, mapped): (&Program<'_>, &Mapped),
    MadeOf { transfers, language, number }: MadeOf<'_>,
    run: Run<'_>,
) -> Result<Result<Box<RegionResult>, String>, Failure> {
    let Mapped { chosen, scop, .. } = mapped;
    let (ast, strategy, note) = match run.time(Stage::Ast, || {
        loops_over_values(scop, &chosen.tree, chosen.settled.strategy, run.effort())
    }) {
        Ok(found) => found,
        Err(error) => return Ok(Err(format!("generation of loops: {error}"))),
    };
    let ast = match language {
        Language::Cuda => ast,
        Language::OpenCl => with_unconditional_barriers(ast),
    };
    let proofs = match proofs(analysed, (program, mapped), &ast, transfers, run) {
        Ok(proofs) => proofs,
        Err(error) => return Ok(Err(format!("verification: {error}"))),
    };
    if let Some((claim, proof)) = proofs.iter().find(|(_, proof)| !proof.is_proved()) {
        return missing(claim, proof, run.options.scheduler.is_given()).map(Err);
    }
    let mut chosen = chosen.clone();
    chosen.settled.strategy = strategy;
    chosen.notes.extend(note);
    chosen.notes.extend(mapped.plans.iter().map(KernelPlan::sentence));
    let of = |may_be_short: bool| -> Result<(DeviceResult, TextProof), String> {
        let made_of = (&ast, &mapped.plans[..]);
        let spelling = (language, number, may_be_short);
        let region = run.time(Stage::Print, || {
            print(&analysed.region, (scop, transfers), made_of, spelling, run.options)
        });
        let region = region.map_err(|error| format!("printing: {error}"))?;
        let scop = with_functions_of_kernels(scop, &analysed.region.words, language);
        let copies = run.options.embedding.copies;
        let device = DeviceResult { language, scop, transfers: transfers.clone(), copies, region };
        let read = read_back(&ast, &device, run);
        Ok((device, read.map_err(|error| format!("reading the text back: {error}"))?))
    };
    let mut found = of(run.options.devices.short_subscripts);
    // What may not fit 32 bits is written with 64.
    let is_short = |own: &DeviceResult| own.region.most_of_parameters.is_some();
    let is_doubted =
        |(proof, _): &TextProof| proof.as_ref().is_none_or(|(_, own)| !own.is_proved());
    if run.options.verify
        && matches!(&found, Ok((device, read)) if is_short(device) && is_doubted(read))
    {
        found = of(false);
    }
    let (device, (proof, not_read)) = match found {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    if let Some((claim, proof)) = proof.as_ref().filter(|(_, proof)| !proof.is_proved()) {
        return missing(claim, proof, false).map(Err);
    }
    let proofs = proofs.into_iter().chain(proof).collect();
    let is_exact = program.partial.is_none_or(|partial| partial.is_exact);
    let is_in_order = is_exact && matrix_products(scop, &chosen.tree).is_empty();
    let text = Parts { chosen, scop: scop.clone(), ast, proofs, not_read, device, is_in_order };
    Ok(Ok(Box::new(result(analysed, text, language, run))))
}

/// What is known about the text.
fn read_back(
    ast: &AstNode,
    device: &DeviceResult,
    run: Run<'_>,
) -> loopwright_presburger::Result<TextProof> {
    if !run.options.verify {
        return Ok((None, Vec::new()));
    }
    let text = device.text();
    run.time(Stage::Verify, || prove_device_text(ast, device, &text, run.effort()))
}

fn proofs(
    analysed: &Analysed,
    (program, mapped): (&Program<'_>, &Mapped),
    ast: &AstNode,
    transfers: &Transfers,
    run: Run<'_>,
) -> loopwright_presburger::Result<Proofs> {
    if !run.options.verify {
        return Ok(Vec::new());
    }
    let Analysed { region, dependences, .. } = analysed;
    let Mapped { chosen, scop, dependences: own, promotion, has_tile_boxes, tiles, .. } = mapped;
    let tree = &chosen.tree;
    run.time(Stage::Verify, || {
        let mut proofs = vec![(
            "all statements run in kernels, with blocks, threads and barriers where they mean something",
            check_kernels(tree),
        )];
        proofs.extend(prove_order(scop, own, tree, run.effort())?);
        proofs.push(prove_barriers(scop, own, tree, run.options)?);
        if !own.atomic.is_empty() {
            proofs.push(prove_atomic_updates(scop, own, tree, run.effort())?);
        }
        proofs.extend(prove_matrix_products(scop, tree, run.options)?);
        let is_whole = program.partial.is_none();
        if let Some(promotion) = promotion {
            let Program { scop: original, dependences, .. } = *program;
            let promoted = scop;
            let program = PromotedProgram { original, dependences, promoted, own, promotion };
            proofs.push(match has_tile_boxes {
                true => prove_cached_tiles(program, tree, run.effort())?,
                false => prove_promotion(program, tree, run.effort())?,
            });
            let arrays = promotion.arrays.iter();
            let of_kernels: Vec<_> = arrays.flat_map(|own| [own.elements, own.cells]).collect();
            // Programs with partial results say so below.
            if is_whole {
                let (_, proof) = prove_memory(scop, own, transfers, &of_kernels, run.effort())?;
                proofs.push(("what kernels copy has memory on the device", proof));
            }
        }
        if let Some(partial) = program.partial {
            proofs.extend(partial.prove(analysed, (scop, own, tree), promotion.as_ref(), run.effort())?);
        }
        match tiles {
            None => proofs.push(prove_ast(scop, tree, ast, run.options)?),
            Some(tiled) => {
                proofs.extend(prove_tiles(analysed, (tiled, own), (chosen, ast), transfers, run.effort())?);
            }
        }
        proofs.push(prove_axes(scop, tree, ast, run.effort())?);
        proofs.push(prove_transfers(&region.scop, dependences, transfers, run.effort())?);
        Ok(proofs)
    })
}

fn print(
    region: &Region,
    (scop, transfers): (&Scop, &Transfers),
    (ast, plans): (&AstNode, &[KernelPlan]),
    (language, number, may_be_short): (Language, &str, bool),
    options: &CompileOptions,
) -> loopwright_presburger::Result<DeviceRegion> {
    let mut used = (*region.used_names).clone();
    used.extend(scop.arrays.iter().map(|array| array.tuple_name.to_string()));
    used.extend(region.scop.parameters.iter().map(|parameter| parameter.name.to_string()));
    if language == Language::OpenCl {
        used.extend(["min", "max"].map(String::from));
    }
    let mut names = FreshNames::new(used);
    let program = &options.embedding.program;
    let name = names.get(&format!("{program}_region{number}"));
    let (first, last) = (region.first_line, region.last_line);
    let function = &region.function;
    let about = format!("Lines {first} to {last}, in {function}.");
    let made_of = (ast, plans);
    let program = (scop, transfers, &region.words);
    let keeps_elements = options.device_registers;
    let copies = options.embedding.copies;
    let spelling = Spelling { language, names, keeps_elements, may_be_short, copies };
    print_device_region(program, made_of, (&name, &about), spelling)
}

/// What a region on a device is made of.
struct Parts {
    chosen: ScheduleChoice,
    /// What the code runs.
    scop: Scop,
    ast: AstNode,
    proofs: Proofs,
    not_read: Vec<NotRead>,
    device: DeviceResult,
    /// Whether values are combined in the order of the program, or in another one that gives the same.
    is_in_order: bool,
}

/// What is said of sums on tensor cores, for each type of their elements.
fn tensor_cores((scop, tree): (&Scop, &ScheduleTree), device: &Device) -> Vec<String> {
    let products = matrix_products(scop, tree);
    let Device { tensor_double_pipelines, double_pipelines, .. } = device;
    let Device { tensor_float_pipelines, float_pipelines, .. } = device;
    let of_double = format!(
        "sums run on tensor cores, which add up {tensor_double_pipelines} products of double in a cycle, where other units add up \
         {double_pipelines}; products are not rounded before they are added"
    );
    let of_float = format!(
        "sums run on tensor cores, which add up {tensor_float_pipelines} products of tf32 in a cycle, where other units add up \
         {float_pipelines} of float; factors are rounded to 10 bits behind the first one (tf32), each by at most 2^-11 of itself"
    );
    let has_double = products.contains(&FloatingType::Double);
    let has_float = products.contains(&FloatingType::Float);
    let all = [(has_double, of_double), (has_float, of_float)];
    all.into_iter().filter(|(is_there, _)| *is_there).map(|(_, text)| text).collect()
}

fn result(analysed: &Analysed, parts: Parts, language: Language, run: Run<'_>) -> RegionResult {
    let Analysed { region, dependences, remarks, .. } = analysed;
    let Parts { chosen, scop, ast, proofs, not_read, device, is_in_order } = parts;
    let mut notes = chosen.notes;
    notes.extend(remarks.iter().cloned());
    notes.extend(region.remarks.iter().cloned());
    notes.extend(tensor_cores((&scop, &chosen.tree), &run.options.devices.device));
    let flag = match language {
        Language::Cuda => ", if nvcc is called with -fmad=false",
        Language::OpenCl => ", as far as its functions are those of the C library",
    };
    let same = match is_in_order {
        true => format!("the result is that of the processor bit by bit{flag}"),
        false => "what is combined in another order may be rounded in another way".to_string(),
    };
    notes.push(format!(
        "{} runs {} kernel{} ({same})",
        language.name(),
        device.region.kernels.len(),
        crate::pipeline::outcome::plural(device.region.kernels.len()),
    ));
    let choices = RegionChoices::made(&chosen.settled, &chosen.bands);
    let report = RegionReport {
        n_dependences: (dependences.flow.len(), dependences.order.len(), dependences.forced.len()),
        bands: chosen.bands,
        proofs,
        only_tested: not_read,
        tried: chosen.tried,
        notes,
        is_left: false,
        choices,
        ..RegionReport::unchanged(region)
    };
    RegionResult {
        code: format!("{}/* The device has done it. */\n", region.indentation),
        device: Some(device),
        code_scop: scop,
        report,
        ..RegionResult::bare(analysed, (chosen.tree, ast), run.options)
    }
}
