//! All multifor statements of a file as plain C.
use crate::code::{CodeOptions, Generated, Scheme, generated};
use crate::error::MultiforError;
use crate::intent::{Intent, OffsetChoice, Threads};
use crate::legality::{Orders, ViolatedPair, order_of_nests, refusal};
use crate::matching::order_in_region;
use crate::model::{Model, conflicts};
use crate::multifor::Multifor;
use crate::names::{int_parameters, words};
use crate::offsets::{Search, smallest_offsets};
use crate::ranks::mapping::{RankOptions, mapped_by_ranks};
use crate::text::Team;
use crate::tree::Order;
use loopwright_cfront::{
    Code, Diagnostic, FoundMultifor, Options, Region, diagnostic_at, multifor_statements,
    replace_regions,
};
use loopwright_presburger::{Budget, Error};
use loopwright_verify::Proof;
use std::path::Path;

/// How the multifor statements of a file are treated where their pragmas say nothing else.
#[derive(Clone, Debug)]
pub struct LowerSettings {
    /// How loops are cut.
    pub scheme: Scheme,
    /// Whether the order of the nests one after the other has to be kept.
    pub check: bool,
    /// The regions of sequential programs whose order has to be kept: the first for the first statement, and so on.
    pub originals: Option<Vec<Region>>,
    /// Which offsets are used.
    pub offsets: OffsetChoice,
    /// How the file is preprocessed, where what bodies access has to be known.
    pub reading: Options,
    /// The steps that a statement may take.
    pub steps: u64,
}

impl Default for LowerSettings {
    fn default() -> Self {
        LowerSettings {
            scheme: Scheme::default(),
            check: false,
            originals: None,
            offsets: OffsetChoice::default(),
            reading: Options::default(),
            steps: 500_000_000,
        }
    }
}

/// A file without multifor statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The text.
    pub text: String,
    /// What there is to say about each statement; none if there was no statement.
    pub statements: Vec<LoweredStatement>,
}

/// What became of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoweredStatement {
    /// Its line.
    pub line: u32,
    /// The offsets that are used, for each level.
    pub offsets: Vec<Vec<i64>>,
    /// What there is to say, a sentence each.
    pub notes: Vec<String>,
}

/// The text of a file with plain C in place of its multifor statements. All other bytes stay.
///
/// ```
/// use loopwright_multifor::{LowerSettings, lowered};
/// let text = "void f(int n, int a[n]) {\n  multifor (i = 0; i < 9; i++; 1; 0) { 0: a[i] = i; }\n}\n";
/// let plain = lowered("f.c".as_ref(), text, &LowerSettings::default()).unwrap();
/// let expected = "void f(int n, int a[n]) {\n  {\n    for (int p = 0; p <= 8; p += 1)\n      a[p] = p;\n  }\n}\n";
/// assert_eq!(plain.text, expected);
/// ```
///
/// # Errors
/// Diagnostics about each statement that is refused.
pub fn lowered(
    path: &Path,
    text: &str,
    settings: &LowerSettings,
) -> Result<Lowered, Vec<Diagnostic>> {
    let found = multifor_statements(path, text)?;
    let file = File { path, text, found: &found, settings };
    let (mut replacements, mut statements, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    for (position, each) in found.iter().enumerate() {
        match file.statement(position) {
            Ok((code, statement)) => {
                let is_on_own_line = each.bytes.start < each.statement.start;
                let code = in_place(&code, &each.indentation);
                let code = if is_on_own_line { format!("{}{code}", each.indentation) } else { code };
                replacements.push((each.bytes.clone(), code));
                statements.push(statement);
            }
            Err(error) => refusals.push(diagnostic(path, text, error)),
        }
    }
    match refusals.is_empty() {
        true => Ok(Lowered { text: replace_regions(text, &replacements), statements }),
        false => Err(refusals),
    }
}

fn diagnostic(path: &Path, text: &str, error: MultiforError) -> Diagnostic {
    let MultiforError { code, byte, message, reasons } = error;
    let mut diagnostic = diagnostic_at(path, text, byte, code, message);
    diagnostic.reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    diagnostic.hint("docs/multifor.md says what multifor statements mean")
}

/// The code as it stands in the file.
fn in_place(code: &str, indentation: &str) -> String {
    let indented = |(number, line): (usize, &str)| match number {
        0 => line.to_string(),
        _ if line.is_empty() || line.starts_with('#') => line.to_string(),
        _ => format!("{indentation}{line}"),
    };
    let lines: Vec<String> = code.trim_end().lines().enumerate().map(indented).collect();
    lines.join("\n")
}

struct File<'a> {
    path: &'a Path,
    text: &'a str,
    found: &'a [FoundMultifor],
    settings: &'a LowerSettings,
}

impl File<'_> {
    /// The code of a statement.
    fn statement(&self, position: usize) -> Result<(String, LoweredStatement), MultiforError> {
        let found = &self.found[position];
        let settings = self.settings;
        let mut intent = Intent {
            check: settings.check,
            offsets: settings.offsets,
            ..Intent::default()
        };
        for (byte, words) in &found.pragmas {
            intent.read(*byte, words)?;
        }
        let budget = Budget::steps(settings.steps);
        let multifor = Multifor::new(&found.statement, &budget)?;
        if intent.ranks {
            return self.by_ranks(position, &multifor, &intent, &budget);
        }
        let mut options = CodeOptions::sequential(intent.scheme.unwrap_or(settings.scheme));
        options.used_names = words(self.text);
        options.parameters = self.parameters(&multifor, &options);
        options.clauses = intent.clauses.join(" ");
        options.loop_clauses = intent.loop_clauses.join(" ");
        let mut notes = Vec::new();
        let planned = self.planned(position, multifor, &intent, &mut options, &mut notes, &budget)?;
        let (multifor, conditions) = planned;
        let code = generated(&multifor, &options, &budget)?;
        notes.extend(code_notes(&code, options.scheme));
        let text = match conditions.is_empty() {
            true => code.text,
            false => {
                let CodeOptions { used_names, parameters, .. } = options.clone();
                let plain = CodeOptions { used_names, parameters, ..CodeOptions::sequential(options.scheme) };
                let otherwise = generated(&multifor, &plain, &budget)?;
                let condition = conditions.join(" && ");
                notes.push(format!("threads are used if {condition}"));
                format!("if ({condition}) {} else {}", code.text.trim_end(), otherwise.text)
            }
        };
        let offsets = multifor.offsets();
        Ok((text, LoweredStatement { line: found.statement.line, offsets, notes }))
    }

    /// The code of a statement whose nests advance by ranks.
    fn by_ranks(
        &self,
        position: usize,
        multifor: &Multifor,
        intent: &Intent,
        budget: &Budget,
    ) -> Result<(String, LoweredStatement), MultiforError> {
        let clauses = [intent.clauses.clone(), intent.loop_clauses.clone()].concat().join(" ");
        let used_names = words(self.text);
        let mut options = RankOptions { parallel: false, clauses, used_names };
        let plain = mapped_by_ranks(multifor, &options, budget)?;
        let line = multifor.syntax.line;
        let mut notes = vec!["the nests advance by the ranks of their iterations".to_string()];
        let text = match intent.parallel {
            false => plain,
            true => {
                let conditions = self.independent(position, multifor, budget)?;
                options.parallel = true;
                let threads = mapped_by_ranks(multifor, &options, budget)?;
                notes.push("all iterations are independent".to_string());
                match conditions.is_empty() {
                    true => threads,
                    false => {
                        let condition = conditions.join(" && ");
                        notes.push(format!("threads are used if {condition}"));
                        format!("if ({condition}) {} else {plain}", threads.trim_end())
                    }
                }
            }
        };
        Ok((text, LoweredStatement { line, offsets: multifor.offsets(), notes }))
    }

    /// What has to hold so that no two iterations of any nests depend on each other.
    ///
    /// # Errors
    /// Iterations that do.
    fn independent(
        &self,
        position: usize,
        multifor: &Multifor,
        budget: &Budget,
    ) -> Result<Vec<String>, MultiforError> {
        let of_sets = |error: Error| MultiforError::of_sets(multifor.syntax.start, &error);
        let reading = &self.settings.reading;
        let model = Model::of_statement(self.path, self.text, self.found, position, reading)?;
        let all = conflicts(&model, budget).map_err(of_sets)?;
        let original = order_of_nests(multifor, &model, budget).map_err(of_sets)?;
        let orders = Orders::new(multifor, &model, all, original, budget).map_err(of_sets)?;
        let mut pair = orders.conflict_at_point(0).map_err(of_sets)?;
        for level in multifor.root.all() {
            for nest in 0..level.loops.len() {
                if pair.is_none() {
                    pair = orders.carried(level.depth, &[nest]).map_err(of_sets)?;
                }
            }
        }
        match pair {
            Some(pair) => {
                let what = "the iterations of a multifor statement by ranks are not independent";
                Err(refusal(multifor, what, &pair))
            }
            None => self.conditions(&model, multifor.syntax.start),
        }
    }

    /// Names for symbolic constants that may be wider than `int`.
    fn parameters(
        &self,
        multifor: &Multifor,
        options: &CodeOptions,
    ) -> std::collections::BTreeMap<String, String> {
        let known = int_parameters(self.text);
        let mut names = loopwright_astgen::FreshNames::new(options.used_names.clone());
        let unknown = multifor.parameters.iter().filter(|name| !known.contains(&***name));
        unknown.map(|name| (name.to_string(), names.get(&format!("{name}_value")))).collect()
    }

    /// What bodies access decides about the offsets, legality and threads; returns the statement with its offsets, and
    /// what has to hold for threads.
    fn planned(
        &self,
        position: usize,
        multifor: Multifor,
        intent: &Intent,
        options: &mut CodeOptions,
        notes: &mut Vec<String>,
        budget: &Budget,
    ) -> Result<(Multifor, Vec<String>), MultiforError> {
        let has_original = self.settings.originals.is_some();
        let uses_threads = intent.parallel || intent.threads != Threads::One;
        let is_checked = intent.check || has_original || intent.offsets != OffsetChoice::Written;
        if !is_checked && !uses_threads {
            return Ok((multifor, Vec::new()));
        }
        let start = multifor.syntax.start;
        let of_sets = |error: Error| MultiforError::of_sets(start, &error);
        let reading = &self.settings.reading;
        let model = Model::of_statement(self.path, self.text, self.found, position, reading)?;
        let all = conflicts(&model, budget).map_err(of_sets)?;
        let original = match &self.settings.originals {
            Some(regions) => {
                let region = regions.get(position).ok_or_else(|| {
                    let message = format!("the sequential program has no region {}", position + 1);
                    MultiforError::new(Code::NoRegion, start, message)
                })?;
                order_in_region(&multifor, &model, region, budget)?
            }
            None => order_of_nests(&multifor, &model, budget).map_err(of_sets)?,
        };
        let orders = Orders::new(&multifor, &model, all.clone(), original.clone(), budget)
            .map_err(of_sets)?;
        let multifor = match intent.offsets {
            OffsetChoice::Written => multifor.clone(),
            choice => {
                let offsets = smallest_offsets(&orders, &search(&multifor, choice, intent.threads))?;
                notes.push(format!("the smallest legal offsets are {}", offsets_text(&offsets)));
                multifor.with_offsets(&offsets, budget)?
            }
        };
        let orders = Orders::new(&multifor, &model, all, original, budget).map_err(of_sets)?;
        if is_checked {
            if let Some(pair) = orders.violation().map_err(of_sets)? {
                let what = "a multifor statement changes the order of the sequential program";
                return Err(refusal(&multifor, what, &pair));
            }
            notes.push("the order of the sequential program is kept".to_string());
        }
        with_threads(&orders, intent, options, notes).map_err(|error| match error {
            Refused::Sets(error) => of_sets(error),
            Refused::Pair(what, pair) => refusal(&multifor, &what, &pair),
        })?;
        let conditions = match uses_threads {
            true => self.conditions(&model, start)?,
            false => Vec::new(),
        };
        Ok((multifor, conditions))
    }

    /// What has to hold for the model, as C.
    fn conditions(&self, model: &Model, start: usize) -> Result<Vec<String>, MultiforError> {
        let needed = &model.region.conditions;
        let unclear = needed
            .iter()
            .find(|each| each.fact.declarations().is_some() || each.fact.text().is_none());
        if let Some(condition) = unclear {
            let message = "threads in a multifor statement rely on what is not checked here";
            return Err(MultiforError::new(Code::Overlap, start, message)
                .because(condition.fact.statement()));
        }
        Ok(needed.iter().filter_map(|each| each.fact.text()).collect())
    }
}

/// What is searched for a choice of offsets.
fn search(multifor: &Multifor, choice: OffsetChoice, threads: Threads) -> Search {
    let written = multifor.offsets();
    let least = match choice {
        OffsetChoice::Raised => written,
        _ => written.iter().map(|level| vec![0; level.len()]).collect(),
    };
    let parallel = match threads {
        Threads::LockStep(n_levels) => Some(n_levels),
        _ => None,
    };
    Search { least, parallel }
}

fn offsets_text(offsets: &[Vec<i64>]) -> String {
    let level = |level: &Vec<i64>| {
        let values: Vec<String> = level.iter().map(i64::to_string).collect();
        format!("({})", values.join(", "))
    };
    offsets.iter().map(level).collect::<Vec<_>>().join(" ")
}

enum Refused {
    Sets(Error),
    Pair(String, ViolatedPair),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused::Sets(error)
    }
}

/// Puts into `options` which threads execute what, if that is legal.
fn with_threads(
    orders: &Orders<'_>,
    intent: &Intent,
    options: &mut CodeOptions,
    notes: &mut Vec<String>,
) -> Result<(), Refused> {
    let n_nests = orders.multifor.syntax.loops.len();
    let all: Vec<usize> = (0..n_nests).collect();
    let depth = orders.multifor.root.all().iter().map(|level| level.depth + 1).max().unwrap_or(1);
    let n_levels = match intent.threads {
        Threads::One => {
            if intent.parallel {
                let depth = independent_level(orders, &all)?;
                notes.push(format!("the iterations of level {} are independent", depth + 1));
                options.parallel = vec![Some(depth); n_nests];
            } else if let Some(pair) = orders.conflict_at_point(depth)? {
                notes.push(format!("the result depends on the turn of bodies at a point: {pair}"));
            }
            return Ok(());
        }
        Threads::Sections => 0,
        Threads::LockStep(n_levels) => n_levels,
    };
    if let Some(pair) = orders.conflict_at_point(n_levels)? {
        let what = match n_levels {
            0 => "the nests of a multifor statement are not independent".to_string(),
            _ => "bodies of a multifor statement at the same point are not independent".to_string(),
        };
        return Err(Refused::Pair(what, pair));
    }
    options.order = Order::LockStep(n_levels);
    options.team = if intent.nowait { Team::SectionsNoWait } else { Team::Sections };
    if intent.parallel {
        options.team = Team::Shared;
        for nest in all {
            let is_independent = orders.carried(0, &[nest])?.is_none();
            options.parallel.push(is_independent.then_some(0));
        }
        let shared = options.parallel.iter().flatten().count();
        notes.push(format!("{shared} of {n_nests} nests are divided among threads"));
    }
    Ok(())
}

/// The depth of the outermost level whose iterations are independent.
fn independent_level(orders: &Orders<'_>, nests: &[usize]) -> Result<usize, Refused> {
    let depths = orders.multifor.root.all().iter().map(|level| level.depth + 1).max().unwrap_or(0);
    let mut refusal = None;
    for depth in 0..depths {
        match orders.carried(depth, nests)? {
            None => return Ok(depth),
            Some(pair) => refusal = refusal.or(Some(pair)),
        }
    }
    let what = "no loop of a multifor statement has independent iterations".to_string();
    Err(match refusal {
        Some(pair) => Refused::Pair(what, pair),
        None => Refused::Sets(Error::Invalid { operation: "multifor", reason: what }),
    })
}

/// What there is to say about generated code.
fn code_notes(code: &Generated, wanted: Scheme) -> Vec<String> {
    let mut notes = Vec::new();
    if code.scheme != wanted {
        notes.push("a limit was reached: loops have conditions instead of being separated".to_string());
    }
    match &code.proof {
        Proof::Proved => notes.push("the loops are proved to be those of the statement".to_string()),
        Proof::OutOfBudget(operation) => {
            notes.push(format!("a limit was reached in {operation}: the loops are not proved"));
        }
        Proof::Refuted(_) => {}
    }
    notes
}
