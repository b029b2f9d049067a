//! Every loop of some files with what becomes of it, and how often which cause refuses loops.
use crate::diagnostics::diagnostic::{Diagnostic as Message, Severity};
use crate::pipeline::compile::{Compiled, Source, compile_found};
use crate::pipeline::outcome::{Clock, RegionReport, plural};
use crate::pipeline::run::Run;
use crate::report::cause_classes::CauseClass;
use crate::report::loop_time::LoopTime;
use crate::settings::options::CompileOptions;
use loopwright_amounts::RegionAmounts;
use loopwright_cfront::{
    Code, Detection, Diagnostic, Nest, Outcome, Preprocessed, SourceFile, read_file,
};
use loopwright_transform::{BandReport, Decision};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What became of a loop nest; the best is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is part of a region; some loop of it runs in parallel and some band is tiled.
    ParallelAndTiled,
    /// Some loop of it runs in parallel.
    Parallel,
    /// Some band of it is tiled.
    Tiled,
    /// It is part of a region, whose loops run one after the other.
    Sequential,
    /// It is part of a region that was left as it was.
    Unchanged,
    /// It cannot be part of a region.
    Refused,
}

impl Verdict {
    /// The verdict in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::ParallelAndTiled => "parallel and tiled",
            Verdict::Parallel => "parallel",
            Verdict::Tiled => "tiled",
            Verdict::Sequential => "transformed, sequential",
            Verdict::Unchanged => "left as it was",
            Verdict::Refused => "refused",
        }
    }

    /// The verdict about some bands of a region; a region `is_left` whose text stays byte for byte.
    pub(crate) fn of_bands<'a>(
        bands: impl Iterator<Item = &'a BandReport> + Clone,
        is_left: bool,
    ) -> Verdict {
        if is_left || bands.clone().count() == 0 {
            return Verdict::Unchanged;
        }
        let is_parallel =
            bands.clone().any(|band| band.decisions.iter().any(Decision::is_parallel));
        let is_tiled = { bands }.any(|band| !band.tile_sizes.is_empty());
        match (is_parallel, is_tiled) {
            (true, true) => Verdict::ParallelAndTiled,
            (true, false) => Verdict::Parallel,
            (false, true) => Verdict::Tiled,
            (false, false) => Verdict::Sequential,
        }
    }

    /// All verdicts, the best first.
    pub const ALL: [Verdict; 6] = [
        Verdict::ParallelAndTiled,
        Verdict::Parallel,
        Verdict::Tiled,
        Verdict::Sequential,
        Verdict::Unchanged,
        Verdict::Refused,
    ];
}

/// What there is to say about a loop nest.
#[derive(Clone, Debug)]
pub struct NestSurvey {
    /// The function.
    pub function: String,
    /// The first and the last line.
    pub lines: (u32, u32),
    /// The number of refused loops around it.
    pub depth: usize,
    /// What became of it.
    pub verdict: Verdict,
    /// All reasons for a refusal, each once.
    pub refusals: Vec<Diagnostic>,
    /// What was decided about it otherwise, as sentences.
    pub decisions: Vec<String>,
    /// Whether everything about its region is proved.
    pub proved: bool,
    /// The number of versions for values of a profile that stand for it, or for a part of it if it is
    /// refused.
    pub n_versions: usize,
    /// The classes of the refusals that checks at run time stand for.
    pub checks: BTreeSet<CauseClass>,
}

/// What there is to say about a file.
#[derive(Clone, Debug)]
pub struct FileSurvey {
    /// The file.
    pub path: PathBuf,
    /// The loop nests in the order of the file.
    pub nests: Vec<NestSurvey>,
    /// How much its regions compute and touch, with their first and last lines, if that was asked for.
    pub amounts: Vec<((u32, u32), RegionAmounts)>,
    /// Why there is nothing to say about the file as a whole.
    pub failures: Vec<Diagnostic>,
    /// The same, where no diagnostic says it.
    pub failure: Option<String>,
    /// What else there is to say about the file: that there is nothing in it, or that loops of files that it
    /// includes are not looked at.
    pub notes: Vec<String>,
}

/// How often a cause refuses loop nests.
///
/// The three numbers are those of Doerfert, Hammacher, Streit and Hack, "SPolly: speculative
/// optimizations in the polyhedral model", 2013.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The cause.
    pub code: Code,
    /// The number of refused nests that have it.
    pub nests: usize,
    /// The number of refused nests that have no other cause.
    pub alone: usize,
    /// The number of refused nests that have only this cause and those before it in the table.
    pub up_to_here: usize,
}

/// What there is to say about some files.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The files in the order in which they were given.
    pub files: Vec<FileSurvey>,
    /// Where a run spent its time, if that is known.
    pub time: Option<LoopTime>,
}

impl FileSurvey {
    /// Whether there is nothing to say about its loops: it cannot be read, or not as C.
    pub fn is_unread(&self) -> bool {
        self.nests.is_empty() && (!self.failures.is_empty() || self.failure.is_some())
    }

    /// Looks at all loops of a file, with pragmas and without.
    ///
    /// ```
    /// use loopwright::{CompileOptions, FileSurvey, Verdict};
    /// # let folder = std::env::temp_dir().join(format!("loopwright-survey-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).unwrap();
    /// # let path = folder.join("f.c");
    /// std::fs::write(&path, "void f(double *a) {\n  for (int i = 0; i < 9; i++)\n    a[i] = b;\n}\n").unwrap();
    /// let survey = FileSurvey::of(&path, &CompileOptions::new());
    /// assert_eq!(survey.nests[0].verdict, Verdict::Refused);
    /// assert_eq!(survey.nests[0].refusals[0].code.as_str(), "CF11");
    /// # std::fs::remove_dir_all(&folder).unwrap();
    /// ```
    pub fn of(path: &Path, options: &CompileOptions) -> FileSurvey {
        match read_file(path, &options.reading()) {
            Ok(source) => Self::with_result(&source, None, options).0,
            Err(failures) => FileSurvey { failures, ..FileSurvey::empty(path) },
        }
    }

    fn empty(path: &Path) -> FileSurvey {
        let (path, failures) = (path.to_path_buf(), Vec::new());
        FileSurvey {
            path,
            nests: Vec::new(),
            amounts: Vec::new(),
            failures,
            failure: None,
            notes: Vec::new(),
        }
    }

    /// A file of which nothing is known, for a reason.
    pub(crate) fn failed(path: PathBuf, failure: Diagnostic) -> FileSurvey {
        FileSurvey { failures: vec![failure], ..FileSurvey::empty(&path) }
    }

    /// Looks at all loops of a file that has been read, and compiles its regions; `markers` are those of its
    /// text.
    pub(crate) fn with_result(
        source: &SourceFile,
        markers: Option<&Preprocessed>,
        options: &CompileOptions,
    ) -> (FileSurvey, Option<Compiled>) {
        let mut survey = FileSurvey::empty(source.path());
        let Detection { regions, nests, refused, included } = match source.detect() {
            Ok(detection) => detection,
            Err(failures) => return (FileSurvey { failures, ..survey }, None),
        };
        survey
            .notes
            .extend(source.original().trim().is_empty().then(|| "the file is empty".to_string()));
        survey.notes.extend(included.iter().map(|(file, n)| {
            let (file, s) = (file.display(), plural(*n));
            format!(
                "{n} loop{s} of {file} not looked at: a file that is included is looked at where it is given by itself, \
                 or by `loopwright cc` and `report -p`"
            )
        }));
        let facts: Vec<RegionFacts> = regions.iter().map(RegionFacts::of).collect();
        let given = Source { markers, ..Source::of_file(source, regions) };
        let compiled = match compile_found(given, source, Run::new(options, &Clock::default())) {
            Ok(compiled) => compiled,
            Err(failure) => {
                survey.failure = Some(failure.to_string());
                return (survey, None);
            }
        };
        let without_loop = |diagnostic: &Diagnostic| {
            !nests.iter().any(|nest| match &nest.outcome {
                Outcome::Refused(found) => found.contains(diagnostic),
                Outcome::Region(_) => false,
            })
        };
        let refused = refused.into_iter().flat_map(|region| region.diagnostics);
        survey.failures = refused.filter(without_loop).collect();
        if compiled.measures {
            return (survey, Some(compiled));
        }
        let reports = &compiled.report.regions;
        let amounts = reports.iter().filter_map(|of| Some((of.lines, of.amounts.clone()?)));
        survey.amounts = amounts.collect();
        survey.nests = nests.iter().map(|nest| nest_survey(nest, reports, &facts)).collect();
        (survey, Some(compiled))
    }
}

/// What a survey asks about a region before it is compiled.
struct RegionFacts {
    /// The statements with their lines.
    statements: Vec<(String, u32)>,
    checks: BTreeSet<CauseClass>,
}

impl RegionFacts {
    fn of(region: &loopwright_cfront::Region) -> Self {
        let statements = region.scop.statements.iter().filter(|statement| !statement.is_kill);
        RegionFacts {
            statements: statements.map(|s| (s.name.to_string(), s.location.line)).collect(),
            checks: region.conditions.iter().map(CauseClass::of_check).collect(),
        }
    }
}

fn nest_survey(nest: &Nest, reports: &[RegionReport], facts: &[RegionFacts]) -> NestSurvey {
    let mut survey = NestSurvey {
        function: nest.function.clone(),
        lines: (nest.first_line, nest.last_line),
        depth: nest.depth,
        verdict: Verdict::Refused,
        refusals: Vec::new(),
        decisions: Vec::new(),
        proved: false,
        n_versions: 0,
        checks: BTreeSet::new(),
    };
    match &nest.outcome {
        Outcome::Refused(found) => {
            for diagnostic in found {
                if !survey.refusals.contains(diagnostic) {
                    survey.refusals.push(diagnostic.clone());
                }
            }
            // Regions without a version for all values come after those that were found.
            let (first, last) = survey.lines;
            let others = reports.iter().skip(facts.len());
            let inside = others.filter(|r| r.lines.0 <= last && first <= r.lines.1);
            survey.n_versions = inside.map(|report| report.n_versions).sum();
        }
        Outcome::Region(position) => {
            if let (Some(report), Some(facts)) = (reports.get(*position), facts.get(*position)) {
                survey.checks.clone_from(&facts.checks);
                survey.n_versions = report.n_versions;
                judge(&mut survey, report, &facts.statements);
            }
        }
    }
    survey
}

/// The verdict about a nest of a region, by the bands that its statements are in.
fn judge(survey: &mut NestSurvey, report: &RegionReport, lines: &[(String, u32)]) {
    let (first, last) = survey.lines;
    let inside = |name: &str| {
        lines.iter().any(|(other, line)| other == name && (first..=last).contains(line))
    };
    let bands = report.bands.bands.iter();
    let bands: Vec<_> = bands.filter(|band| band.statements.iter().any(|s| inside(s))).collect();
    let decisions = bands.iter().flat_map(|band| &band.decisions).map(ToString::to_string);
    let serial = report.serial.iter().filter(|(line, _)| (first..=last).contains(line));
    let reasons = serial.map(|(_, reason)| reason.clone());
    for decision in decisions.chain(report.notes.iter().cloned()).chain(reasons) {
        if !survey.decisions.contains(&decision) {
            survey.decisions.push(decision);
        }
    }
    survey.proved = !report.proofs.is_empty() && report.proofs.iter().all(|(_, p)| p.is_proved());
    survey.verdict = Verdict::of_bands(bands.into_iter(), report.is_left);
}

impl Survey {
    /// Looks at all loops of some files.
    pub fn of(paths: &[PathBuf], options: &CompileOptions) -> Survey {
        Self::with_progress(paths, options, &mut |_, _| {})
    }

    /// The same; `begin` gets the position and name of each file before it is looked at.
    pub fn with_progress(
        paths: &[PathBuf],
        options: &CompileOptions,
        begin: &mut dyn FnMut(usize, &Path),
    ) -> Survey {
        let mut options = options.clone();
        options.front_end.autodetect = true;
        let files = paths.iter().enumerate().map(|(position, path)| {
            begin(position, path);
            FileSurvey::of(path, &options)
        });
        Survey { files: files.collect(), time: None }
    }

    /// Why loops are refused, as notes, and why files are, as errors.
    pub fn diagnostics(&self) -> Vec<Message> {
        let of_file = |file: &FileSurvey| {
            let refusals = file.nests.iter().flat_map(|nest| &nest.refusals);
            let notes = refusals.map(|refusal| Message::from(refusal).graded(Severity::Note));
            let errors = file.failures.iter().map(Message::from);
            let others = file.failure.iter().map(Message::error);
            errors.chain(others).chain(notes).collect::<Vec<_>>()
        };
        self.files.iter().flat_map(of_file).collect()
    }

    /// All loop nests.
    pub fn nests(&self) -> impl Iterator<Item = &NestSurvey> {
        self.files.iter().flat_map(|file| &file.nests)
    }

    /// The number of loop nests with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.nests().filter(|nest| nest.verdict == verdict).count()
    }

    /// The causes of refusals, the most frequent first.
    pub fn causes(&self) -> Vec<Cause> {
        let refused: Vec<BTreeSet<Code>> = self
            .nests()
            .filter(|nest| nest.verdict == Verdict::Refused)
            .map(|nest| nest.refusals.iter().map(|refusal| refusal.code).collect())
            .collect();
        let count = |holds: &dyn Fn(&BTreeSet<Code>) -> bool| {
            refused.iter().filter(|causes| holds(causes)).count()
        };
        let mut causes: Vec<Cause> = Code::ALL
            .iter()
            .map(|&code| Cause {
                code,
                nests: count(&|causes| causes.contains(&code)),
                alone: count(&|causes| causes.contains(&code) && causes.len() == 1),
                up_to_here: 0,
            })
            .filter(|cause| cause.nests > 0)
            .collect();
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.nests));
        let mut ignored = BTreeSet::new();
        for cause in &mut causes {
            ignored.insert(cause.code);
            cause.up_to_here = count(&|causes| causes.is_subset(&ignored));
        }
        causes
    }
}
