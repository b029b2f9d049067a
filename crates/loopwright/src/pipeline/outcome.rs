//! What a compilation did, for people.
use crate::diagnostics::diagnostic::{Diagnostic, Severity, Span};
use crate::settings::choices::RegionChoices;
use loopwright_amounts::RegionAmounts;
use loopwright_verify::{NotRead, Proof, UnreadPart};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// The stages of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The C preprocessor (another process).
    Preprocess,
    /// Parsing and extraction.
    Extract,
    /// Dependence analysis.
    Dependences,
    /// Scheduling.
    Schedule,
    /// Tiling and choice of loops.
    Transform,
    /// Generation of the syntax tree.
    Ast,
    /// Printing.
    Print,
    /// Proofs.
    Verify,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Stage; 8] = [
        Stage::Preprocess,
        Stage::Extract,
        Stage::Dependences,
        Stage::Schedule,
        Stage::Transform,
        Stage::Ast,
        Stage::Print,
        Stage::Verify,
    ];

    /// The stage's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Preprocess => "preprocess",
            Stage::Extract => "extract",
            Stage::Dependences => "dependences",
            Stage::Schedule => "schedule",
            Stage::Transform => "transform",
            Stage::Ast => "ast",
            Stage::Print => "print",
            Stage::Verify => "verify",
        }
    }
}

/// Time per stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    spent: [Duration; Stage::ALL.len()],
}

impl Timings {
    /// The time of a stage.
    pub fn of(&self, stage: Stage) -> Duration {
        self.spent[stage as usize]
    }

    /// The time from the preprocessed text to the result: all stages but the first.
    pub fn own(&self) -> Duration {
        self.spent[1..].iter().sum()
    }
}

/// Claims with their proofs.
pub(crate) type Proofs = Vec<(&'static str, Proof)>;

/// Measures how long stages take.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    spent: [Cell<Duration>; Stage::ALL.len()],
}

impl Clock {
    /// Runs `work` and adds its time to a stage.
    pub(crate) fn time<T>(&self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = std::time::Instant::now();
        let result = work();
        let spent = &self.spent[stage as usize];
        spent.set(spent.get() + start.elapsed());
        result
    }

    /// The times so far.
    pub(crate) fn timings(&self) -> Timings {
        Timings { spent: std::array::from_fn(|stage| self.spent[stage].get()) }
    }
}

/// How the remark about a refused region begins.
const REFUSED: &str = "refused, left as it was";

/// What was found out and done about one region.
#[derive(Clone, Debug)]
pub struct RegionReport {
    /// The function that contains the region.
    pub function: String,
    /// First and last line in the user's file.
    pub lines: (u32, u32),
    /// The number of statements (that are executed).
    pub n_statements: usize,
    /// The number of flow, order and forced dependences (pairs of references).
    pub n_dependences: (usize, usize, usize),
    /// The bands of the final schedule.
    pub bands: loopwright_transform::Report,
    /// The claims that were checked and the outcomes; empty if verification was switched off.
    pub proofs: Vec<(&'static str, Proof)>,
    /// The parts of the printed text that no proof reads, with their first lines (1-based, in the region's
    /// text): tests of the compiler cover them.
    pub only_tested: Vec<NotRead>,
    /// What was tried, and why it was taken or not, one sentence each: schedules and rules of fusion, cuts,
    /// expanded scalars, panels.
    pub tried: Vec<String>,
    /// Fallbacks and assumptions, one sentence each.
    pub notes: Vec<String>,
    /// Why loops run one after the other, one sentence each, with the line of the first statement.
    pub serial: Vec<(u32, String)>,
    /// Whether the region is left as it was; then a note says why.
    pub is_left: bool,
    /// The number of versions for values of a profile.
    pub n_versions: usize,
    /// How much the region computes and touches, if that was asked for.
    pub amounts: Option<RegionAmounts>,
    /// All choices that were made, such that they lead to the same result once more.
    pub choices: RegionChoices,
}

/// `line 6` or `lines 6-9`.
pub(crate) fn line_range(first: u32, last: u32) -> String {
    match first == last {
        true => format!("line {first}"),
        false => format!("lines {first}-{last}"),
    }
}

impl RegionReport {
    /// The report about a region that is left as it was.
    pub(crate) fn unchanged(region: &loopwright_cfront::Region) -> Self {
        RegionReport {
            function: region.function.clone(),
            lines: (region.first_line, region.last_line),
            n_statements: region.scop.statements.iter().filter(|s| !s.is_kill).count(),
            n_dependences: (0, 0, 0),
            bands: loopwright_transform::Report::default(),
            proofs: Vec::new(),
            only_tested: Vec::new(),
            tried: Vec::new(),
            notes: Vec::new(),
            serial: Vec::new(),
            is_left: true,
            n_versions: 0,
            amounts: None,
            choices: RegionChoices::unchanged(),
        }
    }

    /// The report about a region that the front end refuses.
    pub(crate) fn refused(region: &loopwright_cfront::RefusedRegion) -> Self {
        let said = |diagnostic: &loopwright_cfront::Diagnostic| {
            let line = diagnostic.place.as_ref().map(|place| format!("line {}: ", place.line));
            let reason = diagnostic.reason.as_ref().map(|reason| format!(" ({reason})"));
            let (line, reason) = (line.unwrap_or_default(), reason.unwrap_or_default());
            format!("{REFUSED}: {line}{} [{}]{reason}", diagnostic.message, diagnostic.code)
        };
        RegionReport {
            function: String::new(),
            lines: (region.first_line, region.last_line),
            n_statements: 0,
            n_dependences: (0, 0, 0),
            bands: loopwright_transform::Report::default(),
            proofs: Vec::new(),
            only_tested: Vec::new(),
            tried: Vec::new(),
            notes: region.diagnostics.iter().map(said).collect(),
            serial: Vec::new(),
            is_left: true,
            n_versions: 0,
            amounts: None,
            choices: RegionChoices::unchanged(),
        }
    }

    /// The same for a region that the user wants left alone.
    pub(crate) fn by_choice(mut self) -> Self {
        self.notes.push("the region is left as it was, as asked for".to_string());
        self
    }

    /// The same with a sentence about it.
    pub(crate) fn with_note(mut self, note: String) -> Self {
        self.notes.push(note);
        self
    }

    /// The same with the reason.
    pub(crate) fn because(mut self, failure: &crate::diagnostics::failure::Failure) -> Self {
        let why = match failure.status {
            crate::diagnostics::failure::Status::Limit => "a limit was reached",
            _ => "a stage failed (this is a defect of the compiler, please report it)",
        };
        self.notes.push(format!("{why}: the region is left as it was ({failure})"));
        self
    }
}

/// What a compilation did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One entry per region, in the order of the file.
    pub regions: Vec<RegionReport>,
    /// What there is to say about the file as a whole, one sentence each.
    pub notes: Vec<String>,
    /// Time per stage, over all regions.
    pub timings: Timings,
}

impl Report {
    /// The notes about the file and its regions as messages about `file`.
    pub fn diagnostics(&self, file: &str) -> Vec<Diagnostic> {
        let of_file = self.notes.iter().map(|note| Diagnostic::new(Severity::Note, note));
        let of_regions = self.regions.iter().flat_map(|region| {
            let (first, last) = region.lines;
            let said = region.notes.iter().filter(|note| !note.starts_with(REFUSED));
            let serial = region.serial.iter().map(|(_, reason)| reason);
            said.chain(serial).map(move |note| {
                Diagnostic::new(Severity::Note, note).at(Span::lines(file, first, last))
            })
        });
        of_file.chain(of_regions).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} region{}", self.regions.len(), plural(self.regions.len()))?;
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        for region in &self.regions {
            write!(f, "{region}")?;
        }
        let milliseconds = |d: Duration| d.as_secs_f64() * 1000.0;
        write!(f, "time (ms):")?;
        for stage in Stage::ALL {
            write!(f, " {} {:.1}", stage.name(), milliseconds(self.timings.of(stage)))?;
        }
        writeln!(f, "; {:.1} after preprocessing", milliseconds(self.timings.own()))
    }
}

pub(crate) fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

impl RegionReport {
    /// What only tests cover: `register tiles (lines 12 and 40 of the text)`; none if there is nothing.
    pub(crate) fn only_tested_text(&self) -> Option<String> {
        let mut by_part: BTreeMap<&UnreadPart, Vec<u32>> = BTreeMap::new();
        for NotRead { part, line } in &self.only_tested {
            by_part.entry(part).or_default().push(*line);
        }
        let one = |(part, lines): (&UnreadPart, Vec<u32>)| {
            let texts: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!(
                "{} (line{} {} of the text)",
                part.name(),
                plural(lines.len()),
                texts.join(", ")
            )
        };
        let parts: Vec<String> = by_part.into_iter().map(one).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// ` in f`; nothing for a region of a model that does not say its function.
    pub(crate) fn in_function(&self) -> String {
        match self.function.is_empty() {
            true => String::new(),
            false => format!(" in {}", self.function),
        }
    }
}

impl fmt::Display for RegionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = self.lines;
        let (flow, order, forced) = self.n_dependences;
        writeln!(
            f,
            "{}{}: {} statement{}, dependences: {flow} flow, {order} order, {forced} forced",
            line_range(first, last),
            self.in_function(),
            self.n_statements,
            plural(self.n_statements)
        )?;
        self.tried.iter().try_for_each(|tried| writeln!(f, "  tried: {tried}"))?;
        write!(f, "{}", self.bands)?;
        for (claim, proof) in &self.proofs {
            match proof {
                Proof::Proved => writeln!(f, "  proved: {claim}")?,
                Proof::OutOfBudget(operation) => {
                    writeln!(f, "  NOT proved: {claim} (the budget ran out in {operation})")?;
                }
                Proof::Refuted(violations) => {
                    writeln!(f, "  REFUTED: {claim}")?;
                    for violation in violations {
                        writeln!(f, "    {violation}")?;
                    }
                }
            }
        }
        if let Some(parts) = self.only_tested_text() {
            writeln!(f, "  tested, not proved: {parts}")?;
        }
        match (self.is_left, self.proofs.is_empty()) {
            (true, _) => writeln!(f, "  as it is written: there is nothing to prove")?,
            (false, true) => writeln!(f, "  not verified")?,
            (false, false) => {}
        }
        for note in self.notes.iter().chain(self.serial.iter().map(|(_, reason)| reason)) {
            writeln!(f, "  note: {note}")?;
        }
        self.amounts.iter().try_for_each(|amounts| write!(f, "{amounts}"))
    }
}
