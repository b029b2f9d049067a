//! From a C file to a C file.
use crate::choices::Choices;
use crate::context::assume_context;
use crate::failure::{Failure, Status};
use crate::report::{RegionReport, Report, Stage, Timings};
use crate::run_time::settled;
use crate::stages::{RegionResult, compile_region};
use loopwright_astgen::Strategy;
use loopwright_backend::{Target, VectorPragma};
use loopwright_cfront::{
    Binding, Code, RefusedRegion, Region, SourceFile, binding_directives, read_file,
    replace_regions,
};
use loopwright_interchange::Format;
use loopwright_machine::Machine;
use loopwright_scheduler::Fuse;
use loopwright_transform::{ConcurrentStart, TileSizes};
use loopwright_verify::Printed;
use std::collections::BTreeMap;
use std::path::Path;

/// Which schedule is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// Bands by integer programming.
    Pluto,
    /// One carrying loop at a time.
    Feautrier,
    /// The program's own order.
    None,
    /// The schedule tree with this text, in isl's notation.
    Given(String),
    /// The program's own order, edited by this script (see `loopwright_mappings::Script`).
    Transformed(String),
}

impl Scheduler {
    /// Whether the user has said what the order is, so that an illegal one is an error.
    pub(crate) fn is_given(&self) -> bool {
        matches!(self, Scheduler::Given(_) | Scheduler::Transformed(_))
    }
}

/// How it is decided which statements share loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fusion {
    /// By what the schedules of several rules are estimated to cost (docs/scheduling.md).
    Model,
    /// By this rule of the scheduler.
    Rule(Fuse),
}

impl Fusion {
    /// The rule of the first schedule.
    pub(crate) fn first_rule(self) -> Fuse {
        match self {
            Fusion::Model => Fuse::Smart,
            Fusion::Rule(rule) => rule,
        }
    }
}

/// A stage whose result can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The polyhedral model.
    Scop,
    /// The polyhedral model in a format of other tools.
    ScopIn(Format),
    /// The polyhedral model in a format of other tools, with the final schedule as its order.
    ScheduleIn(Format),
    /// The dependences.
    Deps,
    /// What the scheduler has to respect, in isl's form of schedule constraints.
    Constraints,
    /// The final schedule tree.
    Schedule,
    /// The final schedule as one mapping per statement, as scripts of edits see it.
    Mapping,
    /// The syntax tree.
    Ast,
    /// The C text.
    Code,
}

/// All choices of a compilation.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// How the file is preprocessed.
    pub front_end: loopwright_cfront::Options,
    /// What is printed.
    pub target: Target,
    /// What stands before vector loops.
    pub vector_pragma: VectorPragma,
    /// Tile sizes.
    pub tile_sizes: TileSizes,
    /// Tile sizes of single bands instead, by the band's position in the region's report.
    pub band_tiles: BTreeMap<usize, TileSizes>,
    /// Which tiles without independent loops may start concurrently.
    pub concurrent_start: ConcurrentStart,
    /// Whether tiles on diagonals run as a pipeline of rows, without barriers.
    pub point_to_point: bool,
    /// Tiles of tiles (see `loopwright_transform::Options`); empty for one level.
    pub tile_factors: Vec<i64>,
    /// The machine that the code is to be fast on.
    pub machine: Machine,
    /// Which statements share loops.
    pub fuse: Fusion,
    /// The other choices of the scheduler; its algorithm and fusion are those named here.
    pub scheduling: loopwright_scheduler::Options,
    /// Whether a schedule with parallel loops inside a sequential one is tried as well where the
    /// deepest bands leave statements without tiled or parallel loops.
    pub second_attempt: bool,
    /// Whether chains of statements are scheduled as one (see `loopwright_scheduler::Grouping`).
    pub group_chains: bool,
    /// Whether results that accumulate may be kept in registers by a further level of tiles.
    pub register_tiles: bool,
    /// Whether the scheduler also brings together instances that read the same value.
    pub input_reuse: bool,
    /// Where the schedule comes from.
    pub scheduler: Scheduler,
    /// How loops are generated.
    pub strategy: Strategy,
    /// Whether instances that do not matter for what is seen after the region are left out.
    pub eliminate_dead_code: bool,
    /// Whether updates by associative and commutative operators may run in any order.
    pub reassociate: bool,
    /// Whether regions are left as they were.
    pub unchanged: bool,
    /// Whether the other regions of a file are compiled where some are refused.
    pub keep_going: bool,
    /// Whether parts of statements may be packed into panels (see `loopwright_transform::panels`).
    pub panels: bool,
    /// Whether scalars may be expanded (see `loopwright_transform::expansion`).
    pub expansion: bool,
    /// What holds for symbolic constants: a set in isl's notation.
    pub context: Option<String>,
    /// Whether symbolic constants are taken not to be negative.
    pub non_negative_parameters: bool,
    /// Whether the result is proved.
    pub verify: bool,
    /// Whether a schedule is looked for; if not, tiles and parallel loops are those of the program's own order.
    pub reschedule: bool,
    /// Whether live ranges of different values in one place of memory may change their order, where they stay apart.
    pub live_range_reordering: bool,
    /// Whether regions get new loops where nothing is gained, and for all sizes: also those for which the text as it
    /// was is as fast.
    pub always_rewrite: bool,
    /// What holds for single regions instead.
    pub choices: Choices,
}

impl CompileOptions {
    /// OpenMP code for the machine this runs on, with default tiles, smart fusion and proofs.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        CompileOptions {
            front_end: loopwright_cfront::Options::default(),
            target: Target::OpenMp,
            vector_pragma: VectorPragma::OpenMp,
            tile_sizes: TileSizes::Default,
            band_tiles: BTreeMap::new(),
            concurrent_start: ConcurrentStart::default(),
            point_to_point: true,
            tile_factors: Vec::new(),
            machine: Machine::detect(),
            fuse: Fusion::Model,
            scheduling: loopwright_scheduler::Options::tiling(),
            second_attempt: true,
            group_chains: true,
            register_tiles: true,
            input_reuse: false,
            scheduler: Scheduler::Pluto,
            strategy: Strategy::Components,
            eliminate_dead_code: false,
            reassociate: false,
            unchanged: false,
            keep_going: true,
            panels: true,
            expansion: true,
            context: None,
            non_negative_parameters: false,
            verify: true,
            reschedule: true,
            live_range_reordering: true,
            always_rewrite: false,
            choices: Choices::default(),
        }
    }
}

impl CompileOptions {
    /// How a C file is read for this target.
    pub(crate) fn reading(&self) -> loopwright_cfront::Options {
        let openmp = self.target == Target::OpenMp;
        loopwright_cfront::Options { openmp, ..self.front_end.clone() }
    }
}

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
}

impl Compiled {
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

    /// Why some regions between pragmas are refused, all of them together; the code has them as they were.
    pub fn refusals(&self) -> Option<&Failure> {
        self.refusals.as_ref()
    }

    /// The text of a stage of the region at a position.
    ///
    /// # Errors
    /// If there is no such region, or it was left as it was; those of writing in a format of another tool.
    pub fn emit_region(&self, position: usize, stage: Emit) -> Result<String, Failure> {
        let missing = || Failure::refused(format!("error: there is no region {}", position + 1));
        self.regions
            .get(position)
            .ok_or_else(missing)?
            .as_ref()
            .map_err(Failure::clone)?
            .emit(stage, &self.file)
    }

    /// Checks a text against the loops of the region at a position, as the text of the region itself was checked:
    /// another one, for example by another printer.
    ///
    /// # Errors
    /// If there is no such region, or it was left as it was; those of [`loopwright_verify::check_printed`].
    pub fn check_text(&self, position: usize, text: &str) -> Result<Printed, Failure> {
        let missing = || Failure::refused(format!("error: there is no region {}", position + 1));
        let region = self.regions.get(position).ok_or_else(missing)?;
        region.as_ref().map_err(Failure::clone)?.check_text(text)
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
/// Diagnostics of the front end; a schedule given by the user that is not legal for the region.
/// Limits that are reached have fallbacks, which the report names: the last one leaves a region as
/// it was. Regions that are refused are no error if there are others and
/// [`CompileOptions::keep_going`] is set: see [`Compiled::refusals`]. A file without any region is what it was.
pub fn compile_file(path: &Path, options: &CompileOptions) -> Result<Compiled, Failure> {
    let mut timings = Timings::default();
    let source = timings
        .time(Stage::Preprocess, || read_file(path, &options.reading()))
        .map_err(|diagnostics| Failure::from_diagnostics(&diagnostics))?;
    compile_source(&source, options, timings)
}

fn compile_source(
    source: &SourceFile,
    options: &CompileOptions,
    mut timings: Timings,
) -> Result<Compiled, Failure> {
    let found = match timings.time(Stage::Extract, || source.extract_each()) {
        Err(diagnostics) => match &diagnostics[..] {
            [only] if only.code == Code::NoRegion => {
                let nothing = Source::of_file(source, Vec::new());
                let mut compiled = compile_regions(nothing, options, timings)?;
                let reason = only.reason.iter().map(|reason| format!(": {reason}"));
                let note = format!("{}{}", only.message, reason.collect::<String>());
                compiled.report.notes.push(format!("{note}; the text is as it was"));
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
    if !refused.is_empty() && (regions.is_empty() || !options.keep_going) {
        return Err(all_refusals(&refused));
    }
    compile_regions(Source { refused, ..Source::of_file(source, regions) }, options, timings)
}

/// All that is said about regions that are refused.
fn all_refusals(refused: &[RefusedRegion]) -> Failure {
    let diagnostics: Vec<_> =
        refused.iter().flat_map(|region| &region.diagnostics).cloned().collect();
    Failure::from_diagnostics(&diagnostics)
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
    /// The file, if it is C: what the result is bound to is asked there.
    pub(crate) preprocessed: Option<&'a SourceFile>,
}

impl<'a> Source<'a> {
    /// Regions of a C file.
    pub(crate) fn of_file(source: &'a SourceFile, regions: Vec<Region>) -> Self {
        let file = source.path().display().to_string();
        let preprocessed = Some(source);
        Source { file, original: source.original(), regions, refused: Vec::new(), preprocessed }
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
pub(crate) fn compile_regions(
    mut source: Source<'_>,
    options: &CompileOptions,
    mut timings: Timings,
) -> Result<Compiled, Failure> {
    let mut regions = std::mem::take(&mut source.regions);
    assume_context(&mut regions, options)?;
    let is_given = options.scheduler.is_given();
    options.choices.check_regions(regions.len() + source.refused.len())?;
    let mut results = Vec::new();
    let mut replacements = Vec::new();
    let mut reports = Vec::new();
    let mut refused = source.refused.iter().peekable();
    let is_before = |refused: &&RefusedRegion, line: u32| refused.first_line < line;
    for region in regions {
        while let Some(other) = refused.next_if(|other| is_before(other, region.first_line)) {
            reports.push(RegionReport::refused(other));
            results.push(Err(Failure::from_diagnostics(&other.diagnostics)));
        }
        let options = options.choices.of_region(reports.len(), options);
        let unchanged = RegionReport::unchanged(&region);
        let bytes = region.bytes.clone();
        let region = match settled(region) {
            Ok(region) => region,
            Err(contradiction) => {
                let failure = Failure::refused(format!("error: {contradiction}"));
                reports.push(unchanged.with_note(contradiction));
                results.push(Err(failure));
                continue;
            }
        };
        if options.unchanged {
            reports.push(unchanged.by_choice());
            results
                .push(Err(Failure::refused("error: the region is left as it was, as asked for")));
            continue;
        }
        let has_text = source.preprocessed.is_some();
        match compile_region(region, has_text, &options, &mut timings) {
            Ok(result) => {
                if result.left.is_none() {
                    replacements.push((bytes, result.in_place(source.original)));
                }
                reports.push(result.report.clone());
                results.push(Ok(result));
            }
            Err(failure) if failure.status == Status::Limit || !is_given => {
                reports.push(unchanged.because(&failure));
                results.push(Err(failure));
            }
            Err(failure) => return Err(failure),
        }
    }
    for other in refused {
        reports.push(RegionReport::refused(other));
        results.push(Err(Failure::from_diagnostics(&other.diagnostics)));
    }
    let bindings = timings.time(Stage::Preprocess, || source.bindings(&results));
    if !bindings.is_empty() {
        let start = source.original.len() - source.original.trim_start_matches('\u{feff}').len();
        replacements.insert(0, (start..start, binding_directives(&bindings)));
    }
    let code = replace_regions(source.original, &replacements);
    let notes =
        bindings.iter().map(|binding| format!("the result holds only if {}", binding.said()));
    let report = Report { regions: reports, notes: notes.collect(), timings };
    let refusals = (!source.refused.is_empty()).then(|| all_refusals(&source.refused));
    Ok(Compiled { code, report, file: source.file, regions: results, refusals })
}
