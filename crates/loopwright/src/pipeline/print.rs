//! The text of generated loops, proved, and what there is to say about it.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::enough_work::work_text;
use crate::pipeline::generated::{Generated, NoCode};
use crate::pipeline::integer_totals::{changes_order, with_wrapping_clauses, wrap_totals};
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{RegionReport, Stage};
use crate::pipeline::prove::prove_text;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::room_for_values::conditions_for_room;
use crate::pipeline::run::Run;
use crate::pipeline::versions::floats::thread_condition;
use crate::settings::choices::RegionChoices;
use crate::settings::options::CompileOptions;
use loopwright_backend::{FreshNames, Layout, RegionText, print_region, with_thread_condition};
use loopwright_cfront::{Region, marked_line};
use loopwright_presburger::Result;
use loopwright_scop::{Array, Scop, StatementId};
use loopwright_transform::TileSizes;
use loopwright_verify::Proof;
use std::collections::HashMap;

/// The text of the loops and what there is to say about them.
pub(crate) fn printed(
    analysed: &Analysed,
    chosen: ScheduleChoice,
    mut generated: Generated,
    run: Run<'_>,
) -> std::result::Result<RegionResult, NoCode> {
    let options = run.options;
    let Analysed { region, dependences, remarks, .. } = analysed;
    let mut notes = chosen.notes;
    notes.extend(remarks.iter().cloned());
    let room = conditions_for_room(region, &generated.scop, &generated.ast)?;
    let mut printed = run
        .time(Stage::Print, || print_totals(analysed, &mut generated, options))
        .map_err(|e| Failure::in_stage("printing", &e))?;
    if let Some(condition) =
        thread_condition(region, options, || work_text(&region.scop, &options.embedding.effort))
    {
        printed.text = with_thread_condition(&printed.text, &condition);
    }
    let RegionText { text, statements, .. } = printed;
    let (mut proofs, mut only_tested) = (generated.proofs, Vec::new());
    if options.verify {
        let (proof, not_read) = run
            .time(Stage::Verify, || {
                prove_text(&generated.scop, &generated.ast, &text, run.effort())
            })
            .map_err(|e| Failure::in_stage("verification of the text", &e))?;
        if let Some((_, Proof::Refuted(violations))) = &proof {
            return Err(NoCode::WrongText(violations.iter().map(ToString::to_string).collect()));
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
        serial: Vec::new(),
        is_left: false,
        n_versions: 0,
        amounts: None,
        choices,
    };
    let thread_guard =
        options.embedding.guard_of(&text, || work_text(&region.scop, &options.embedding.effort));
    let code = match options.embedding.line_marks {
        true => with_line_marks(&text, &statements, &generated.scop),
        false => text,
    };
    Ok(RegionResult {
        code,
        room,
        code_statements: statements,
        estimate: chosen.estimate,
        thread_guard,
        is_improved: printed.is_improved,
        has_overhead: printed.has_overhead,
        keeps_results: printed.keeps_results,
        loops_around_threads: printed.loops_around_threads,
        searches: printed.searches,
        report,
        code_scop: generated.scop,
        ..RegionResult::bare(analysed, (generated.tree, generated.ast), options)
    })
}

/// The text with marks of the lines that statements come from.
fn with_line_marks(text: &str, statements: &[(usize, StatementId)], scop: &Scop) -> String {
    let location = |id: StatementId| scop.statements.get(id.0 as usize).map(|s| s.location.line);
    let known = statements.iter().filter_map(|(line, id)| Some((*line, location(*id)?)));
    let known: HashMap<usize, u32> = known.filter(|(_, origin)| *origin > 0).collect();
    let marked = |(position, line): (usize, &str)| match known.get(&(position + 1)) {
        Some(origin) => marked_line(line, *origin) + "\n",
        None => format!("{line}\n"),
    };
    text.lines().enumerate().map(marked).collect()
}

/// The text that replaces the region, with unsigned arithmetic for totals of integers in another order.
fn print_totals(
    analysed: &Analysed,
    generated: &mut Generated,
    options: &CompileOptions,
) -> Result<RegionText> {
    let Analysed { region, dependences, .. } = analysed;
    let printed = print(region, generated, options)?;
    let is_combined = || printed.text.contains(" reduction(");
    let is_free = !dependences.reassociated().is_empty();
    if !is_free
        || !is_combined()
            && !changes_order(&region.scop, dependences, &generated.tree, &options.embedding.effort)
    {
        return Ok(printed);
    }
    let totals = wrap_totals(&mut generated.scop, dependences);
    if totals.is_empty() {
        return Ok(printed);
    }
    let mut printed = print(region, generated, options)?;
    printed.text = with_wrapping_clauses(&printed.text, &totals);
    Ok(printed)
}

/// The text that replaces the region.
fn print(region: &Region, generated: &Generated, options: &CompileOptions) -> Result<RegionText> {
    let mut used = (*region.used_names).clone();
    // Of several variables of a name, those that the region declares have the names of their tuples.
    let names_of = |array: &Array| [array.name.to_string(), array.tuple_name.to_string()];
    used.extend(generated.scop.arrays.iter().flat_map(names_of));
    used.extend(generated.scop.parameters.iter().map(|parameter| parameter.name.to_string()));
    let names = FreshNames::new(used);
    let unused: Vec<String> = region.outer_iterators.iter().map(|i| i.name.clone()).collect();
    let layout = Layout {
        target: options.target,
        vector_pragma: options.vector_pragma,
        vector_bytes: options.machine.vector_bytes,
        synchronisation: options.synchronisation(),
        asks_for_work: options.tiling.is_none(),
        indentation: &region.indentation,
        unused: &unused,
    };
    print_region(&generated.scop, &generated.ast, &layout, names)
}

/// A remark about tile sizes that no band has taken.
fn unused_tile_sizes(
    options: &CompileOptions,
    bands: &loopwright_transform::Report,
) -> Option<String> {
    let is_given = matches!(options.tile_sizes, TileSizes::Given(_));
    let is_tiled = bands.bands.iter().any(|band| !band.tile_sizes.is_empty());
    (options.scheduler.is_searched() && !is_tiled && (is_given || !options.tile_factors.is_empty()))
        .then(|| "the tile sizes have no effect: no band of loops is tiled".to_string())
}

/// A remark about tiles for results in registers that the text has no vector variables for: of integers, or
/// of different types.
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
