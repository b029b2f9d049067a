//! Cache-oblivious tiles in a compilation: a region for which they are asked becomes a call of a function
//! that calls itself, proved, or is refused.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::enough_work::work_text;
use crate::pipeline::generated::{Generated, NoCode};
use crate::pipeline::loops::loops;
use crate::pipeline::one_schedule::{ScheduleChoice, scheduled};
use crate::pipeline::outcome::{Proofs, Stage};
use crate::pipeline::print::printed;
use crate::pipeline::prove::{prove_ast, prove_order, prove_zoids};
use crate::pipeline::region_result::{Functions, RegionResult};
use crate::pipeline::room_for_values::on_program;
use crate::pipeline::run::Run;
use crate::pipeline::versions::floats::thread_condition;
use crate::settings::options::CompileOptions;
use loopwright_astgen::{AstNode, FreshNames};
use loopwright_backend::{
    PassedOn, ZoidLayout, print_first_zoid, print_zoid_functions, with_thread_condition,
};
use loopwright_cfront::Region;
use loopwright_presburger::Error;
use loopwright_scheduler::Options;
use loopwright_scop::{AccessKind, Array, ArrayId, ElementKind, FloatingType, Parameter, Scop};
use loopwright_transform::TileSizes;
use loopwright_transform::cache_oblivious::{ZoidProgram, Zoids, zoids};
use loopwright_verify::{NotRead, Proof, UnreadPart};
use std::collections::BTreeSet;

/// Steps for finding zoids, as for the other shapes that are asked for.
const ZOID_STEPS: u64 = 100_000_000;

/// What of the text is not read back.
const NOT_READ: &str =
    "the functions that cut zoids and their first call, of which the cuts are proved";

/// The indentation of the loops of a moment in their function.
const STEP_INDENTATION: &str = "    ";

/// The region as a recursion over zoids.
///
/// # Errors
/// If there is none, or not all is proved, with the reason.
pub(crate) fn in_cache_oblivious_tiles(
    analysed: &Analysed,
    run: Run<'_>,
) -> Result<RegionResult, Failure> {
    let region = &analysed.region;
    let refused = |reason: String| {
        let line = region.first_line;
        Failure::refused(format!(
            "the region at line {line} has no cache-oblivious tiles: {reason}"
        ))
    };
    let Some(before) = region.before_function else {
        return Err(refused(
            "there is no place for a function in front of the one around it".into(),
        ));
    };
    if !region.known_values.is_empty() {
        return Err(refused("it is a version for values of a profile".to_string()));
    }
    let passed_on = passed_on(&region.scop).map_err(refused)?;
    let program = match found(analysed, run) {
        Ok(Zoids::Found(program)) => program,
        Ok(Zoids::Refused(reason)) => return Err(refused(reason)),
        Err(error) => return Err(Failure::in_stage("cache-oblivious tiling", &error)),
    };
    // The loops of a moment are in another function, where variables of this one are not known.
    let of_moment = Analysed {
        region: Region {
            scop: program.scop.clone(),
            indentation: STEP_INDENTATION.to_string(),
            outer_iterators: Vec::new(),
            ..region.clone()
        },
        dependences: analysed.dependences.clone(),
        remarks: analysed.remarks.clone(),
        drops_instances: analysed.drops_instances,
    };
    let (chosen, generated) = proved_loops(analysed, &program, run)?;
    if let Some((claim, proof)) = generated.proofs.iter().find(|(_, proof)| !proof.is_proved()) {
        return Err(refused(format!("it is not proved that {claim}")).with_notes(reasons(proof)));
    }
    let mut step = printed(&of_moment, chosen, generated, run).map_err(|reason| match reason {
        NoCode::Failed(failure) => failure,
        other => refused(other.to_string()),
    })?;
    step.room = on_program(step.room, region);
    called(step, analysed, &program, (before, &passed_on), run.options)
        .map_err(|error| Failure::in_stage("printing", &error))
}

fn found(analysed: &Analysed, run: Run<'_>) -> loopwright_presburger::Result<Zoids> {
    let Analysed { region, dependences, .. } = analysed;
    let options = run.options;
    let sizes = match &options.tile_sizes {
        TileSizes::Given(sizes) => &sizes[..],
        _ => &[],
    };
    // Statements are not cut in halves: a recursion is one band.
    let choices =
        Options { fuse: options.fuse.first_rule(), split_index_sets: false, ..options.scheduling };
    let tree = scheduled(analysed, &choices, run)?.tree;
    let budget = run.effort().budget(ZOID_STEPS);
    run.time(Stage::Transform, || {
        zoids(&tree, &region.scop, dependences, sizes, &region.used_names, &budget)
    })
}

/// The loops of a moment, with all proofs.
fn proved_loops(
    analysed: &Analysed,
    program: &ZoidProgram,
    run: Run<'_>,
) -> Result<(ScheduleChoice, Generated), Failure> {
    let failed = |error: Error| Failure::in_stage("the loops of cache-oblivious tiles", &error);
    let ZoidProgram { scop, tree, report, .. } = program;
    let mut chosen = ScheduleChoice::untransformed(tree.clone(), run.options);
    chosen.bands = report.clone();
    let (ast, strategy, note) = run
        .time(Stage::Ast, || loops(scop, tree, chosen.settled.strategy, run.effort()))
        .map_err(failed)?;
    chosen.settled.strategy = strategy;
    chosen.notes.extend(note);
    let proofs = match run.options.verify {
        true => run.time(Stage::Verify, || prove(analysed, program, &ast, run)).map_err(failed)?,
        false => Vec::new(),
    };
    let (scop, tree) = (scop.clone(), tree.clone());
    Ok((chosen, Generated { scop, tree, ast, proofs, loops: None }))
}

fn prove(
    analysed: &Analysed,
    program: &ZoidProgram,
    ast: &AstNode,
    run: Run<'_>,
) -> loopwright_presburger::Result<Proofs> {
    let Analysed { region, dependences, .. } = analysed;
    let mut proofs = prove_zoids(&region.scop, dependences, program, run.effort())?;
    proofs.extend(prove_order(&region.scop, dependences, &program.tree, run.effort())?);
    proofs.push(prove_ast(&program.scop, &program.tree, ast, run.options)?);
    Ok(proofs)
}

fn reasons(proof: &Proof) -> Vec<String> {
    match proof {
        Proof::Refuted(violations) => violations.iter().map(ToString::to_string).collect(),
        Proof::OutOfBudget(operation) => vec![format!("a limit was reached in {operation}")],
        Proof::Proved => Vec::new(),
    }
}

/// What a function needs of the region: its parameters, and the arrays and scalars that statements access.
///
/// # Errors
/// If something cannot be passed on, with the reason.
fn passed_on(scop: &Scop) -> Result<Vec<PassedOn>, String> {
    let parameter = |parameter: &Parameter| {
        let Parameter { name, c_type, .. } = parameter;
        let declaration = format!("const {} {name}", known_type(c_type, name)?);
        Ok(PassedOn { declaration, name: name.to_string() })
    };
    let mut all = scop.parameters.iter().map(parameter).collect::<Result<Vec<_>, String>>()?;
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let accesses: Vec<_> = executed.flat_map(|statement| &statement.accesses).collect();
    let used: BTreeSet<ArrayId> = accesses.iter().map(|access| access.array).collect();
    for id in used {
        let array = scop.array(id);
        let is_written =
            accesses.iter().any(|access| access.array == id && access.kind != AccessKind::Read);
        let declaration = declaration(array, scop, is_written)?;
        let name = array.name.to_string();
        if all.iter().any(|known| known.name == name) {
            return Err(format!("two variables are called `{name}`"));
        }
        all.push(PassedOn { declaration, name });
    }
    Ok(all)
}

/// The declaration of an array or scalar as a parameter.
fn declaration(array: &Array, scop: &Scop, is_written: bool) -> Result<String, String> {
    let name = &array.name;
    let element_type = &element_type(array)?;
    if array.is_member {
        return Err(format!("`{name}` is a part of a structure, which a function is not given"));
    }
    if array.declared_in_scop {
        return Err(format!(
            "`{name}` is declared in the region, and a function of its own does not have it"
        ));
    }
    if array.is_scalar() {
        return match is_written {
            true => Err(format!(
                "the scalar `{name}` is written, which a function that is given its value cannot do"
            )),
            false => Ok(format!("const {element_type} {name}")),
        };
    }
    let constant = if is_written { "" } else { "const " };
    let mut text = format!("{constant}{element_type} {name}[]");
    for extent in &array.extent_texts[1..] {
        if extent.is_empty() {
            return Err(format!("the extents of `{name}` are not known"));
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = extent.split(|c| !is_word(c)).filter(|word| !word.is_empty());
        let is_known = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_digit())
                || scop.parameters.iter().any(|parameter| &*parameter.name == word)
        };
        if let Some(word) = words.clone().find(|word| !is_known(word)) {
            return Err(format!(
                "the extents of `{name}` depend on `{word}`, which a function is not given"
            ));
        }
        text += &format!("[{extent}]");
    }
    Ok(text)
}

/// The type of elements, by a name that is known outside of functions.
///
/// # Errors
/// If it may be known in the function of the region only.
fn element_type(array: &Array) -> Result<String, String> {
    match (array.floating_type(), array.element_kind, array.element_bytes) {
        (Some(FloatingType::Float), ..) => Ok("float".to_string()),
        (Some(FloatingType::Double), ..) => Ok("double".to_string()),
        (Some(FloatingType::LongDouble), ..) => Ok("long double".to_string()),
        (_, ElementKind::Signed, Some(4)) => Ok("int".to_string()),
        (_, ElementKind::Unsigned, Some(4)) => Ok("unsigned int".to_string()),
        _ => known_type(&array.element_type, &array.name).map(str::to_string),
    }
}

/// A type that is known everywhere: of the words of C, or of a standard header.
fn known_type<'t>(own: &'t str, of: &str) -> Result<&'t str, String> {
    const WORDS: [&str; 8] =
        ["char", "short", "int", "long", "signed", "unsigned", "_Bool", "const"];
    match own.split_whitespace().all(|word| WORDS.contains(&word) || word.ends_with("_t")) {
        true => Ok(own),
        false => {
            Err(format!("the type `{own}` of `{of}` may be known inside of the function only"))
        }
    }
}

/// The region as a call of functions that have the loops of a moment.
fn called(
    step: RegionResult,
    analysed: &Analysed,
    program: &ZoidProgram,
    (before, passed_on): (usize, &[PassedOn]),
    options: &CompileOptions,
) -> loopwright_presburger::Result<RegionResult> {
    let Analysed { region, dependences, .. } = analysed;
    let ZoidProgram { recursion, moment, bounds, extremes, .. } = program;
    let mut used = (*region.used_names).clone();
    used.extend(passed_on.iter().map(|passed| passed.name.clone()));
    let own = bounds.iter().flat_map(|(low, high)| [low, high]).chain([moment]);
    used.extend(own.map(ToString::to_string));
    let mut names = FreshNames::new(used);
    let name = names.get(&format!("{}_zoid_{}", region.function, region.first_line));
    let layout = ZoidLayout {
        target: options.target,
        name: &name,
        recursion,
        moment,
        bounds,
        passed_on,
        step: &step.code,
        indentation: &region.indentation,
    };
    let text = print_zoid_functions(&layout, &mut names);
    let mut call = print_first_zoid(&layout, extremes, &region.scop.context, names)?;
    if let Some(condition) =
        thread_condition(region, options, || work_text(&region.scop, &options.embedding.effort))
    {
        call = with_thread_condition(&call, &condition);
    }
    let code = with_values(&call, region);
    let mut report = step.report;
    let read = || NotRead { part: UnreadPart::Other(NOT_READ.to_string()), line: 1 };
    report.only_tested.extend(options.verify.then(read));
    Ok(RegionResult {
        thread_guard: options
            .embedding
            .guard_of(&code, || work_text(&region.scop, &options.embedding.effort)),
        code,
        code_statements: Vec::new(),
        functions: Some(Functions { before, text }),
        region: region.clone(),
        dependences: dependences.clone(),
        report,
        is_improved: true,
        has_overhead: true,
        loops_around_threads: Some(0),
        ..step
    })
}

/// A call with the parameters of the model that are no variables of the program, and with a mention of
/// variables that only the region used.
fn with_values(call: &str, region: &Region) -> String {
    let indentation = &region.indentation;
    let mentions = region.outer_iterators.iter().map(|i| format!("(void) {};", i.name));
    let mentions: Vec<String> = mentions.collect();
    let values = region.scop.parameters.iter().filter_map(|parameter| {
        let value = parameter.value.as_ref()?;
        Some(format!("{indentation}const {} {} = {value};\n", parameter.c_type, parameter.name))
    });
    let values: String = values.collect();
    let mentions = match &mentions[..] {
        [] => String::new(),
        all => format!("{indentation}{}\n", all.join(" ")),
    };
    match values.is_empty() {
        true => format!("{mentions}{call}"),
        false => format!("{mentions}{indentation}{{\n{values}{call}{indentation}}}\n"),
    }
}
