//! From a C file to a C file.
use crate::diagnostics::failure::{Failure, Status};
use crate::pipeline::before_c99::{in_old_c, is_before_c99};
use crate::pipeline::context::assume_context;
use crate::pipeline::integer_totals;
use crate::pipeline::multifor::{
    AS_IT_WAS, with_notes, without_multifor, without_multifor_of_file,
};
use crate::pipeline::outcome::{Clock, RegionReport, Report, Stage};
use crate::pipeline::parametric_flow::with_finer_models;
use crate::pipeline::region::compile_region;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::run_time::settled;
use crate::pipeline::versions::narrower::{narrower, texts};
use crate::pipeline::versions::{floats, tile_variables, trials};
use crate::profile::instrumented::{Instrumented, instrumented};
use crate::profile::settings::{ProfileUse, Profiling};
use crate::profile::specialised::{Specialised, Wanted, wanted};
use crate::settings::choices::Choices;
use crate::settings::options::{CompileOptions, Emit};
use loopwright_amounts::RegionAmounts;
use loopwright_backend::device::{DeviceRegion, Language, device_file};
use loopwright_cfront::{
    Binding, Code, CountedLines, Preprocessed, RefusedRegion, Region, SourceFile,
    binding_directives, read_file, read_text, replace_regions,
};
use loopwright_multifor::Lowered;
use loopwright_verify::Printed;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;

/// The result of a compilation.
#[derive(Debug)]
pub struct Compiled {
    /// The whole C text.
    pub code: String,
    /// What was done.
    pub report: Report,
    /// The name of the file that the regions stand in.
    file: String,
    /// The stages of each region; why not for a region that was left as it was.
    pub(crate) regions: Vec<Result<RegionResult, Failure>>,
    /// What the front end says about the regions that it refuses.
    refusals: Option<Failure>,
    /// Whether the code is the program as it was with measurements.
    pub(crate) measures: bool,
    /// The kernels of regions that run on a device.
    device: Option<DeviceFile>,
}

/// A file beside the code, with the kernels that it calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceFile {
    /// What its name ends with, after the name of the code without extension: `_kernels.cu` or `_kernels.c`.
    pub suffix: &'static str,
    /// Its text.
    pub text: String,
}

impl Compiled {
    /// A text that was made in another way.
    pub(crate) fn of_text(path: &Path, code: String, notes: Vec<String>, clock: &Clock) -> Self {
        let report = Report { regions: Vec::new(), notes, timings: clock.timings() };
        let file = path.display().to_string();
        Compiled {
            code,
            report,
            file,
            regions: Vec::new(),
            refusals: None,
            measures: false,
            device: None,
        }
    }

    /// The text of a stage, all regions one after the other.
    pub fn emit(&self, stage: Emit) -> Result<String, Failure> {
        if stage == Emit::Code {
            return Ok(self.code.clone());
        }
        let positions = 0..self.regions.len();
        let texts: Result<Vec<String>, Failure> =
            positions.map(|position| self.emit_region(position, stage)).collect();
        Ok(texts?.join("\n"))
    }

    /// The file with the kernels that the code calls, if regions run on a device.
    pub fn device_file(&self) -> Option<&DeviceFile> {
        self.device.as_ref()
    }

    /// Why some regions between pragmas are refused, all of them together; the code has them as they were.
    pub fn refusals(&self) -> Option<&Failure> {
        self.refusals.as_ref()
    }

    /// The text of a stage of the region at a position.
    ///
    /// # Errors
    /// If there is no such region, or it was left as it was; those of writing in a format of another tool.
    pub fn emit_region(&self, position: usize, stage: Emit) -> Result<String, Failure> {
        let missing = || Failure::refused(format!("there is no region {}", position + 1));
        self.regions
            .get(position)
            .ok_or_else(missing)?
            .as_ref()
            .map_err(Failure::clone)?
            .emit(stage, &self.file)
    }

    /// Checks a text against the loops of the region at a position, as the text of the region itself was
    /// checked: another one, for example by another printer.
    ///
    /// # Errors
    /// If there is no such region, or it was left as it was; those of [`loopwright_verify::check_printed`].
    pub fn check_text(&self, position: usize, text: &str) -> Result<Printed, Failure> {
        let missing = || Failure::refused(format!("there is no region {}", position + 1));
        let region = self.regions.get(position).ok_or_else(missing)?;
        region.as_ref().map_err(Failure::clone)?.check_text(text)
    }

    /// The sizes of tiles that the program reads when it runs, if nothing else is chosen: for the loops of a
    /// band, the least ones of all regions.
    pub(crate) fn variable_tile_sizes(&self) -> Vec<i64> {
        let mut sizes: Vec<i64> = Vec::new();
        let regions = self.regions.iter().flatten().filter(|region| region.left.is_none());
        for variable in regions.flat_map(|region| &region.tile_variables) {
            let known = sizes.len();
            sizes.extend((known..=variable.member).map(|_| variable.otherwise));
            sizes[variable.member] = sizes[variable.member].min(variable.otherwise);
        }
        sizes
    }

    /// The choices that were made, which lead to the same result once more.
    pub fn choices(&self) -> Choices {
        let mut choices = Choices::default();
        for (position, region) in self.report.regions.iter().enumerate() {
            let (first, last) = region.lines;
            let about = format!("{}, lines {first}-{last}", region.function);
            choices.set_region(position, region.choices.clone().about(&about));
        }
        choices
    }
}

/// Compiles all regions of the file at `path`.
///
/// # Errors
/// Diagnostics of the front end; a schedule given by the user that is not legal for the region. Limits that
/// are reached have fallbacks, which the report names: the last one leaves a region as it was. Regions that
/// are refused are no error if there are others and [`CompileOptions::keep_going`] is set: see
/// [`Compiled::refusals`]. A file without any region is what it was.
pub fn compile_file(path: &Path, options: &CompileOptions) -> Result<Compiled, Failure> {
    let clock = Clock::default();
    let run = Run::new(options, &clock);
    if let Some(plain) = run.time(Stage::Preprocess, || without_multifor_of_file(path, options))? {
        return compile_plain(path, &plain, run);
    }
    let source = run
        .time(Stage::Preprocess, || read_file(path, &options.reading()))
        .map_err(|diagnostics| Failure::from_diagnostics(&diagnostics))?;
    compile_source(&source, run)
}

/// Compiles all regions of a text that needs no preprocessor: its only directives are pragmas. `name` is that
/// of the file in messages. Nothing is read, and nothing written.
///
/// ```
/// use loopwright::{CompileOptions, compile_text};
/// let text = "void f(int n, double a[n], double b[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * b[i];\n#pragma endscop\n}\n";
/// let compiled = compile_text("f.c", text, &CompileOptions::new())?;
/// assert!(compiled.code.contains("#pragma omp parallel for"));
/// assert!(compiled.report.regions[0].proofs.iter().all(|(_, proof)| proof.is_proved()));
/// # Ok::<(), loopwright::Failure>(())
/// ```
///
/// # Errors
/// As [`compile_file`]; [`Failure::diagnostics`] has the reasons as data.
pub fn compile_text(name: &str, text: &str, options: &CompileOptions) -> Result<Compiled, Failure> {
    let mut source = SourceFile::from_text(name, text);
    let reading = &options.front_end;
    if reading.assume_no_alias {
        source = source.assuming_no_alias();
    }
    if reading.without_loops && reading.autodetect {
        source = source.finding_all_code();
    } else if reading.autodetect {
        source = source.autodetecting();
    }
    compile_source(&source, Run::new(options, &Clock::default()))
}

/// Compiles all regions of a text in place of the file at `path`, which need not exist: its name is in
/// messages, and headers are looked for beside it. What is not plain text is preprocessed, as by
/// [`compile_file`].
///
/// # Errors
/// As [`compile_file`].
pub fn compile_source_text(
    path: &Path,
    text: &str,
    options: &CompileOptions,
) -> Result<Compiled, Failure> {
    let clock = Clock::default();
    let run = Run::new(options, &clock);
    if let Some(plain) = run.time(Stage::Preprocess, || without_multifor(path, text, options))? {
        return compile_plain(path, &plain, run);
    }
    let source = run
        .time(Stage::Preprocess, || read_text(path, text, &options.reading()))
        .map_err(|diagnostics| Failure::from_diagnostics(&diagnostics))?;
    compile_source(&source, run)
}

/// Compiles all regions of a file whose multifor statements have become plain C.
fn compile_plain(path: &Path, plain: &Lowered, run: Run<'_>) -> Result<Compiled, Failure> {
    let source = run
        .time(Stage::Preprocess, || read_text(path, &plain.text, &run.options.reading()))
        .map_err(|diagnostics| Failure::from_diagnostics(&diagnostics))?;
    Ok(with_notes(compile_source(&source, run)?, plain))
}

fn compile_source(source: &SourceFile, run: Run<'_>) -> Result<Compiled, Failure> {
    if run.options.devices.embedded && run.options.device == Some(Language::Cuda) {
        return Err(Failure::refused(
            "kernels of CUDA cannot be in a file of C: nvcc compiles them from a file of their own",
        ));
    }
    match &run.options.profiling {
        Profiling::Off => {}
        Profiling::Record { file } => return Ok(measuring(source, file, run)),
        Profiling::Use(profile) => return compile_with_profile(source, profile, run),
    }
    let found = match run.time(Stage::Extract, || source.extract_each()) {
        Err(diagnostics) => match &diagnostics[..] {
            [only] if only.code == Code::NoRegion => {
                let nothing = Source::of_file(source, Vec::new());
                let mut compiled = compile_regions(nothing, run)?;
                let reason = only.reason.iter().map(|reason| format!(": {reason}"));
                let note = format!("{}{}", only.message, reason.collect::<String>());
                let way_out = match source.original().trim().is_empty() {
                    true => "; the file is empty",
                    false if run.options.front_end.autodetect => "",
                    false => "; --autodetect looks for regions without pragmas",
                };
                compiled.report.notes.push(format!("{note}{way_out}; {AS_IT_WAS}"));
                return Ok(compiled);
            }
            all => return Err(Failure::from_diagnostics(all)),
        },
        Ok(found) => found,
    };
    let (mut regions, mut refused) = (Vec::new(), Vec::new());
    for region in found {
        match region {
            Ok(region) => regions.push(region),
            Err(why) => refused.push(why),
        }
    }
    run.time(Stage::Extract, || with_finer_models(source, &mut regions, run.options));
    if !refused.is_empty() && (regions.is_empty() || !run.options.keep_going) {
        return Err(all_refusals(&refused));
    }
    compile_regions(Source { refused, ..Source::of_file(source, regions) }, run)
}

/// The file as it was, with what writes a profile.
fn measuring(source: &SourceFile, file: &str, run: Run<'_>) -> Compiled {
    let regions = run.time(Stage::Extract, || source.extract_each()).unwrap_or_default();
    let regions: Vec<Region> = regions.into_iter().flatten().collect();
    compile_measuring(Source::of_file(source, regions), source, file, run)
}

/// The same for a file whose regions are known.
fn compile_measuring(given: Source<'_>, source: &SourceFile, file: &str, run: Run<'_>) -> Compiled {
    let found = run.time(Stage::Print, || instrumented(source, &given.regions, file));
    let Instrumented { start, replacements, notes } = found;
    let measures = !replacements.is_empty();
    let code = given.with(start, replacements);
    let report = Report { regions: Vec::new(), notes, timings: run.clock().timings() };
    Compiled {
        code,
        report,
        file: given.file,
        regions: Vec::new(),
        refusals: None,
        measures,
        device: None,
    }
}

/// The file with versions for the values of a profile.
fn compile_with_profile(
    source: &SourceFile,
    profile: &ProfileUse,
    run: Run<'_>,
) -> Result<Compiled, Failure> {
    let found = match run.time(Stage::Extract, || source.extract_each()) {
        Err(diagnostics) if !diagnostics.iter().any(|d| d.code == Code::NoRegion) => {
            return Err(Failure::from_diagnostics(&diagnostics));
        }
        found => found.unwrap_or_default(),
    };
    let (mut regions, mut refused) = (Vec::new(), Vec::new());
    for region in found {
        match region {
            Ok(region) => regions.push(region),
            Err(why) => refused.push(why),
        }
    }
    let given = Source { refused, ..Source::of_file(source, regions) };
    compile_known(given, source, profile, run)
}

/// The same for a file whose regions are known.
fn compile_known(
    mut given: Source<'_>,
    source: &SourceFile,
    profile: &ProfileUse,
    run: Run<'_>,
) -> Result<Compiled, Failure> {
    let Wanted { regions: specialised, notes } = run.time(Stage::Extract, || {
        wanted(source, &given.regions, profile, !run.options.always_rewrite)
    });
    let versions = || specialised.iter().flat_map(|(_, specialised)| &specialised.versions);
    given
        .refused
        .retain(|other| !versions().any(|version| version.first_line() == Some(other.first_line)));
    let is_nothing = given.regions.is_empty() && versions().next().is_none();
    if !given.refused.is_empty() && (is_nothing || !run.options.keep_going) {
        return Err(all_refusals(&given.refused));
    }
    let mut compiled = compile_regions(Source { specialised, ..given }, run)?;
    compiled.report.notes.extend(notes);
    Ok(compiled)
}

/// Compiles the regions of a file, with what there is to do with profiles.
pub(crate) fn compile_found(
    mut given: Source<'_>,
    source: &SourceFile,
    run: Run<'_>,
) -> Result<Compiled, Failure> {
    with_finer_models(source, &mut given.regions, run.options);
    match &run.options.profiling {
        Profiling::Off => compile_regions(given, run),
        Profiling::Record { file } => Ok(compile_measuring(given, source, file, run)),
        Profiling::Use(profile) => compile_known(given, source, profile, run),
    }
}

/// All that is said about regions that are refused.
fn all_refusals(refused: &[RefusedRegion]) -> Failure {
    let diagnostics: Vec<_> =
        refused.iter().flat_map(|region| &region.diagnostics).cloned().collect();
    Failure::from_diagnostics(&diagnostics)
}

/// The same with regions that have no tiles of the shape that is asked for; none if all is well.
fn refusals(refused: &[RefusedRegion], without_tiles: Vec<Failure>) -> Option<Failure> {
    let mut all = all_refusals(refused);
    all.diagnostics.extend(without_tiles.into_iter().flat_map(|failure| failure.diagnostics));
    (!all.diagnostics.is_empty()).then_some(all)
}

/// Whether a region was refused because it has no tiles of the shape that is asked for.
fn is_without_tiles(failure: &Failure, options: &CompileOptions) -> bool {
    (options.tiling.is_some() || options.parametric_tiles) && failure.status == Status::Refused
}

/// Regions and the text that they are parts of.
pub(crate) struct Source<'a> {
    /// The name of the file.
    pub(crate) file: String,
    /// The text.
    pub(crate) original: &'a str,
    /// The regions in the order of the text.
    pub(crate) regions: Vec<Region>,
    /// The regions that the front end refuses, in the order of the text.
    pub(crate) refused: Vec<RefusedRegion>,
    /// Versions of regions, and of what is none otherwise, by their bytes.
    pub(crate) specialised: Vec<(Range<usize>, Specialised)>,
    /// The file, if it is C: what the result is bound to is asked there.
    pub(crate) preprocessed: Option<&'a SourceFile>,
    /// The text with its line markers, if the result is to have them.
    pub(crate) markers: Option<&'a Preprocessed>,
}

impl<'a> Source<'a> {
    /// Regions of a C file.
    pub(crate) fn of_file(source: &'a SourceFile, regions: Vec<Region>) -> Self {
        let file = source.path().display().to_string();
        let preprocessed = Some(source);
        let (original, refused, specialised) = (source.original(), Vec::new(), Vec::new());
        Source { file, original, regions, refused, specialised, preprocessed, markers: None }
    }

    /// The text with others in place of some bytes, and with lines at its start.
    fn with(&self, start: String, mut replacements: Vec<(Range<usize>, String)>) -> String {
        if let Some(text) = self.markers {
            return start + &text.with_markers(&replacements);
        }
        if !start.is_empty() {
            let mark = self.original.len() - self.original.trim_start_matches('\u{feff}').len();
            replacements.insert(0, (mark..mark, start));
        }
        replace_regions(self.original, &replacements)
    }

    /// What the text of the file asks the preprocessor for: the numbers of lines.
    fn counted_lines(&self, replaced: &[&RegionResult], moves_all: bool) -> CountedLines {
        let regions: Vec<&Region> = replaced.iter().map(|result| &result.region).collect();
        let file = self.preprocessed;
        file.map_or_else(CountedLines::default, |file| file.counted_lines(&regions, moves_all))
    }

    /// What the text with other code for these regions is bound to.
    fn bindings(&self, results: &[Result<RegionResult, Failure>]) -> Vec<Binding> {
        let replaced: Vec<&Region> =
            results.iter().flatten().filter(|r| r.left.is_none()).map(|r| &r.region).collect();
        match self.preprocessed {
            Some(file) if !replaced.is_empty() => file.bindings(&replaced),
            _ => Vec::new(),
        }
    }
}

/// Compiles regions and puts their code in place.
pub(crate) fn compile_regions(mut source: Source<'_>, run: Run<'_>) -> Result<Compiled, Failure> {
    let named = named_after_file(run.options, &source.file);
    let run = run.with(&named);
    let options = run.options;
    let mut regions = std::mem::take(&mut source.regions);
    assume_context(&mut regions, options)?;
    let is_given = options.scheduler.is_given() || options.devices.sizes.is_some();
    options.choices.check_regions(regions.len() + source.refused.len())?;
    let mut results = Vec::new();
    let mut reports = Vec::new();
    let mut without_tiles = Vec::new();
    let is_old_c = is_before_c99(options);
    let mut number = regions.len() + source.refused.len();
    let mut specialised = std::mem::take(&mut source.specialised);
    let mut narrower_of = |bytes: &Range<usize>| {
        let position = specialised.iter().position(|(other, _)| other == bytes)?;
        Some(specialised.swap_remove(position).1)
    };
    let mut positions = Vec::new();
    for (position, other) in positions_of_refused(&source.refused, &regions) {
        positions.push(position);
        reports.push(RegionReport::refused(other));
        results.push(Err(Failure::from_diagnostics(&other.diagnostics)));
    }
    let mut waiting = in_order_of_promise(regions, &positions, options);
    while let Some((place, region)) = waiting.pop_front() {
        positions.push(place);
        let options = options.choices.of_region(place, options);
        let options = with_share_of_time(options, waiting.len());
        let unchanged = RegionReport::unchanged(&region);
        let amounts = options.amounts.as_ref();
        let amounts = amounts.map(|sizes| RegionAmounts::of(&region.scop, sizes, &options.machine));
        let unchanged = RegionReport { amounts: amounts.clone(), ..unchanged };
        let bytes = region.bytes.clone();
        let region = match settled(region, &options.embedding.effort) {
            Ok(region) => region,
            Err(contradiction) => {
                let failure = Failure::refused(contradiction.clone());
                reports.push(unchanged.with_note(contradiction));
                results.push(Err(failure));
                continue;
            }
        };
        if let Some(assumption) = options.embedding.assumption(&region.scop.assumptions) {
            let why =
                format!("the region is left as it was: it would be assumed that {assumption}");
            reports.push(unchanged.with_note(why.clone()));
            results.push(Err(Failure::refused(why)));
            continue;
        }
        if let Some(over) = options.embedding.effort.is_over() {
            let why = format!("the region is left as it was: {over}");
            reports.push(unchanged.with_note(why.clone()));
            results.push(Err(Failure::refused(why)));
            continue;
        }
        if options.unchanged {
            reports.push(unchanged.by_choice());
            results.push(Err(Failure::refused("the region is left as it was, as asked for")));
            continue;
        }
        let position = source.preprocessed.is_some().then_some(place);
        let known = narrower_of(&bytes);
        let cold = known.as_ref().and_then(|known| known.cold.clone());
        if let Some(reason) = cold {
            let note = format!("the region stays as it is written: {reason}");
            reports.push(unchanged.with_note(note.clone()));
            results.push(Err(Failure::refused(note)));
            continue;
        }
        let narrower = known.map(|known| narrower(known, number, run.with(&options)));
        let narrower = narrower.unwrap_or_default();
        number += narrower.versions.len();
        match compile_region(region, position, run.with(&options)) {
            Ok(mut result) => {
                if result.left.is_none() || narrower.versions.is_empty() {
                    narrower.in_front(&mut result);
                } else {
                    result = narrower.alone().unwrap_or(result);
                }
                if is_old_c {
                    result = in_old_c(result);
                }
                result.report.amounts = amounts.map(|of| with_loops(of, &result, &options));
                reports.push(result.report.clone());
                results.push(Ok(result));
            }
            Err(failure) if is_without_tiles(&failure, &options) && options.keep_going => {
                without_tiles.push(failure.clone());
                reports.push(unchanged.with_note("the region is left as it was".to_string()));
                results.push(Err(failure));
            }
            Err(failure)
                if failure.status == Status::Limit
                    || !is_given && !is_without_tiles(&failure, &options) =>
            {
                reports.push(unchanged.because(&failure));
                results.push(Err(failure));
            }
            Err(failure) => return Err(failure),
        }
    }
    let (mut reports, mut results) = (in_order(&positions, reports), in_order(&positions, results));
    let mut unused = Vec::new();
    for (_, known) in specialised {
        let place = known.place.clone();
        let narrower = narrower(known, number, run);
        number += narrower.versions.len();
        if narrower.versions.is_empty() {
            unused.extend(narrower.notes.iter().map(|note| format!("{place}: {note}")));
        }
        if let Some(result) = narrower.alone() {
            let result = if is_old_c { in_old_c(result) } else { result };
            reports.push(result.report.clone());
            results.push(Ok(result));
        }
    }
    let replaced = results.iter().flatten().filter(|result| result.left.is_none());
    let replaced: Vec<&RegionResult> = replaced.collect();
    let bindings = run.time(Stage::Preprocess, || source.bindings(&results));
    let start = start_of(&results, &replaced, &bindings, source.original);
    let moves_all = !start.is_empty();
    let counted = run.time(Stage::Preprocess, || source.counted_lines(&replaced, moves_all));
    let start = if moves_all { start + &counted.line_at(source.original, 0) } else { start };
    let mut replacements = texts(&replaced, source.original, &counted);
    let functions = replaced.iter().filter_map(|result| result.functions.as_ref());
    let in_front = |before: usize, text: &str| {
        (before..before, format!("{text}{}", counted.line_at(source.original, before)))
    };
    replacements.extend(functions.map(|f| in_front(f.before, &f.text)));
    let (embedded, device) = match device_file_of(&results, options) {
        Some(file) if options.devices.embedded => (format!("\n{}", file.text), None),
        file => (String::new(), file),
    };
    let code = source.with(start, replacements) + &embedded;
    let notes =
        bindings.iter().map(|binding| format!("the result holds only if {}", binding.said()));
    let notes = notes.chain(unused);
    let report =
        Report { regions: reports, notes: notes.collect(), timings: run.clock().timings() };
    let refusals = refusals(&source.refused, without_tiles);
    let file = source.file;
    Ok(Compiled { code, report, file, regions: results, refusals, measures: false, device })
}

/// What stands in front of the whole text.
fn start_of(
    results: &[Result<RegionResult, Failure>],
    replaced: &[&RegionResult],
    bindings: &[Binding],
    original: &str,
) -> String {
    let has_trials = results.iter().flatten().any(RegionResult::has_trials);
    let helpers = if has_trials { trials::HELPERS } else { "" };
    let has_tiles = results.iter().flatten().any(RegionResult::has_tile_variables);
    let tile_sizes = if has_tiles { tile_variables::HELPERS } else { "" };
    let codes = texts(replaced, original, &CountedLines::default());
    let functions = replaced.iter().filter_map(|result| result.functions.as_ref());
    let codes = codes.iter().map(|(_, text)| text).chain(functions.map(|f| &f.text));
    let codes: String = codes.map(String::as_str).collect();
    binding_directives(bindings)
        + &declarations(results)
        + &device_declarations(results)
        + helpers
        + integer_totals::helpers(&codes)
        + &floats::helpers(&codes)
        + tile_sizes
}

/// The refused regions with their positions among all.
fn positions_of_refused<'a>(
    refused: &'a [RefusedRegion],
    regions: &[Region],
) -> Vec<(usize, &'a RefusedRegion)> {
    let n_before = |line: u32| regions.iter().filter(|region| region.first_line <= line).count();
    let position =
        |(index, other): (usize, &'a RefusedRegion)| (index + n_before(other.first_line), other);
    refused.iter().enumerate().map(position).collect()
}

/// The regions with their positions among all, `taken` ones left out: in the order of the file, or those
/// first that promise most where time is limited: deep loops, and few statements.
fn in_order_of_promise(
    regions: Vec<Region>,
    taken: &[usize],
    options: &CompileOptions,
) -> VecDeque<(usize, Region)> {
    let free = (0..regions.len() + taken.len()).filter(|position| !taken.contains(position));
    let mut waiting: Vec<(usize, Region)> = free.zip(regions).collect();
    if options.embedding.effort.processor_time.is_some() {
        let depth = |region: &Region| {
            region.scop.statements.iter().map(|statement| statement.domain.n_dims()).max()
        };
        waiting.sort_by_key(|(_, region)| (Reverse(depth(region)), region.scop.statements.len()));
    }
    waiting.into()
}

/// The options with the time that a region may take while others wait.
fn with_share_of_time(
    options: Cow<'_, CompileOptions>,
    n_waiting: usize,
) -> Cow<'_, CompileOptions> {
    if options.embedding.effort.processor_time.is_none() {
        return options;
    }
    let mut own = options.into_owned();
    own.embedding.effort = own.embedding.effort.of_region(n_waiting);
    Cow::Owned(own)
}

/// Values by increasing positions.
fn in_order<T>(positions: &[usize], values: Vec<T>) -> Vec<T> {
    let mut placed: Vec<(usize, T)> = positions.iter().copied().zip(values).collect();
    placed.sort_by_key(|(position, _)| *position);
    placed.into_iter().map(|(_, value)| value).collect()
}

/// The options with names for functions on a device that other files do not have.
fn named_after_file<'o>(options: &'o CompileOptions, file: &str) -> Cow<'o, CompileOptions> {
    if options.device.is_none() {
        return Cow::Borrowed(options);
    }
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let of_name = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut program: String = stem.chars().map(of_name).collect();
    if !program.starts_with(|first: char| first.is_ascii_alphabetic()) {
        program.insert_str(0, "file_");
    }
    let mut own = options.clone();
    own.embedding.program = program;
    own.embedding.copies = options.devices.copies();
    Cow::Owned(own)
}

/// The regions that run on a device.
fn on_devices(results: &[Result<RegionResult, Failure>]) -> impl Iterator<Item = &DeviceRegion> {
    let replaced = results.iter().flatten().filter(|result| result.left.is_none());
    let versions = replaced.flat_map(|result| result.narrower.iter().chain([result]));
    versions.filter_map(|result| result.device.as_ref()).map(|device| &device.region)
}

/// The declarations of the functions that stand for them.
fn device_declarations(results: &[Result<RegionResult, Failure>]) -> String {
    on_devices(results).map(|region| format!("{}\n", region.declaration)).collect()
}

/// The file with their kernels.
fn device_file_of(
    results: &[Result<RegionResult, Failure>],
    options: &CompileOptions,
) -> Option<DeviceFile> {
    let language = options.device?;
    let regions: Vec<&DeviceRegion> = on_devices(results).collect();
    let text =
        || device_file(language, (options.devices.memory(), options.devices.copies()), &regions);
    (!regions.is_empty()).then(|| DeviceFile { suffix: language.file_suffix(), text: text() })
}

/// The amounts of a region with the tiles and parallel loops of its result.
fn with_loops(
    amounts: RegionAmounts,
    result: &RegionResult,
    options: &CompileOptions,
) -> RegionAmounts {
    match result.left {
        None => amounts
            .with_tiles(&result.region.scop, &result.tree)
            .with_loops(&result.tree, options.machine.cores),
        Some(_) => amounts,
    }
}

/// What the conditions of the regions that are replaced use: declarations for the start of the file.
fn declarations(results: &[Result<RegionResult, Failure>]) -> String {
    let replaced = results.iter().flatten().filter(|result| result.left.is_none());
    let versions = replaced.flat_map(|result| result.narrower.iter().chain([result]));
    let conditions = versions.flat_map(|result| &result.region.conditions);
    let mut all: Vec<&str> = conditions.filter_map(|c| c.fact.declarations()).collect();
    all.sort_unstable();
    all.dedup();
    all.concat()
}
