//! Whether two files compute the same values, region by region (`docs/verify.md`).
mod alternatives;
mod c_text;
mod directive;
mod for_head;
mod heads;
mod lanes;
mod own_helpers;
mod parallel;
mod private_iterators;
mod regions;
mod remainders;
mod rerolling;
mod surroundings;
mod text;
mod token_lists;
mod vector_types;
mod waits;

use crate::diagnostics::failure::{Failure, Status};
use crate::settings::options::CompileOptions;
use loopwright_equivalence::{Answer, Laws, Question, check};
use loopwright_presburger::{Budget, Map};
use parallel::{ParallelLoops, parallel_loops};
use regions::{ComparedFile, FoundRegion};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};
use surroundings::compare_surroundings;

/// What is asked about two files.
#[derive(Clone, Debug)]
pub struct EquivalenceOptions {
    /// The arrays whose final values matter, by name; all that may be used afterwards if none.
    pub live_out: Option<Vec<String>>,
    /// Laws that operators are taken to have.
    pub laws: Laws,
    /// `A[x] -> B[y]`: elements of the first file and those of the second that stand for them.
    pub layouts: Vec<Map>,
    /// How long one pair of regions may take.
    pub limit: Duration,
}

impl Default for EquivalenceOptions {
    fn default() -> Self {
        let limit = Duration::from_secs(60);
        EquivalenceOptions { live_out: None, laws: Laws::default(), layouts: Vec::new(), limit }
    }
}

/// Two regions and whether they compute the same.
#[derive(Clone, Debug)]
pub struct ComparedRegions {
    /// The function around them.
    pub function: String,
    /// The first and last line of both; none where there is no region.
    pub lines: [Option<(u32, u32)>; 2],
    /// The answer.
    pub answer: Answer,
    /// The race of a parallel loop of the second file, if there is one: then the answer is about one order of
    /// its iterations.
    pub race: Option<String>,
    /// The parallel loops that were looked at.
    pub n_parallel: usize,
    /// The parameters over which it holds.
    pub parameters: Vec<String>,
    /// What is taken for granted.
    pub assumptions: Vec<String>,
}

/// Two files and whether they compute the same.
#[derive(Clone, Debug)]
pub struct FileEquivalence {
    /// The names of the files.
    pub files: [String; 2],
    /// Their regions, in the order of the first.
    pub regions: Vec<ComparedRegions>,
}

impl ComparedRegions {
    /// [`Status::Done`] if they are equal, [`Status::Refused`] if they differ, [`Status::Limit`] if it is not
    /// decided.
    pub fn status(&self) -> Status {
        match (&self.answer, &self.race) {
            (Answer::Different(_), _) | (_, Some(_)) => Status::Refused,
            (Answer::Equal(_), None) => Status::Done,
            (Answer::Undecided { .. }, None) => Status::Limit,
        }
    }
}

impl FileEquivalence {
    /// The status of all regions together: different if one is, else not decided if one is not.
    pub fn status(&self) -> Status {
        let has = |status| self.regions.iter().any(|region| region.status() == status);
        match (has(Status::Refused), has(Status::Limit)) {
            (true, _) => Status::Refused,
            (false, true) => Status::Limit,
            (false, false) => Status::Done,
        }
    }
}

/// Compares the regions of two files: those of functions of one name, in their order.
///
/// ```
/// use loopwright::{CompileOptions, EquivalenceOptions, Status, compare_files};
/// # let folder = std::env::temp_dir().join(format!("loopwright-verify-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// let text = |head: &str| format!("void f(int n, double *A) {{\n#pragma scop\n  for ({head})\n    A[i] = i;\n#pragma endscop\n}}\n");
/// let (one, two) = (folder.join("one.c"), folder.join("two.c"));
/// std::fs::write(&one, text("int i = 0; i < n; i++")).unwrap();
/// std::fs::write(&two, text("int i = n - 1; i >= 0; i--")).unwrap();
/// let options = (CompileOptions::new(), EquivalenceOptions::default());
/// let compared = compare_files(&one, &two, &options.0, &options.1).unwrap();
/// assert_eq!(compared.status(), Status::Done);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// ```
///
/// # Errors
/// If a file cannot be read or preprocessed, or the first one has no region. Nothing is decided then: the
/// status is [`Status::Limit`].
pub fn compare_files(
    before: &Path,
    after: &Path,
    options: &CompileOptions,
    wanted: &EquivalenceOptions,
) -> Result<FileEquivalence, Failure> {
    let undecided = |failure: Failure| Failure { status: Status::Limit, ..failure };
    let read = |path| ComparedFile::read(path, options).map_err(undecided);
    let (first, second) = (read(before)?, read(after)?);
    let regions = regions_side_by_side(&first, &second, wanted).map_err(undecided)?;
    let files = [before, after].map(|path| path.display().to_string());
    Ok(FileEquivalence { files, regions })
}

/// Compares regions with regions where both files have pragmas, else what functions do; where that has no
/// model, regions with what functions do: if these are equal, the rest of the function does not matter.
fn regions_side_by_side(
    first: &ComparedFile,
    second: &ComparedFile,
    wanted: &EquivalenceOptions,
) -> Result<Vec<ComparedRegions>, Failure> {
    if first.has_pragmas && second.has_pragmas {
        return Ok(paired(first.regions()?, second.regions()?, wanted, &mut Spent::new()));
    }
    let names = |regions: &[FoundRegion]| -> Vec<String> {
        regions.iter().map(|region| region.function.clone()).collect()
    };
    let functions = match (first.has_pragmas, second.has_pragmas) {
        (true, _) => names(&first.regions()?),
        (false, true) => names(&second.regions()?),
        (false, false) => first.functions()?,
    };
    let mut whole: Option<Vec<ComparedRegions>> = None;
    let mut spent = Spent::new();
    for version in second.versions(&functions) {
        let own =
            paired(first.bodies(&functions)?, version.bodies(&functions)?, wanted, &mut spent);
        whole = Some(match whole {
            Some(others) => others.into_iter().zip(own).map(either_version).collect(),
            None => own,
        });
    }
    let whole = whole.unwrap_or_default();
    let is_undecided = |region: &ComparedRegions| region.status() == Status::Limit;
    if !first.has_pragmas || !whole.iter().any(is_undecided) {
        return Ok(whole);
    }
    let parts = paired(first.regions()?, second.bodies(&functions)?, wanted, &mut spent);
    let better = |region: ComparedRegions| {
        let mut of_function = parts.iter().filter(|part| part.function == region.function);
        match (of_function.next(), of_function.next()) {
            (Some(part), None) if part.status() == Status::Done => part.clone(),
            _ => region,
        }
    };
    Ok(whole.into_iter().map(better).collect())
}

/// The answer where either of two texts runs: equal if both are. A difference of one shows nothing, since its
/// condition may never hold.
fn either_version((first, second): (ComparedRegions, ComparedRegions)) -> ComparedRegions {
    let n_parallel = first.n_parallel.max(second.n_parallel);
    if (first.status(), second.status()) == (Status::Done, Status::Done) {
        return ComparedRegions { n_parallel, ..first };
    }
    let (other, is_first) = match first.status() {
        Status::Done => (ComparedRegions { n_parallel, ..second }, false),
        _ => (first, true),
    };
    if other.status() != Status::Refused {
        return other;
    }
    let which = if is_first { "first" } else { "second" };
    let cause = format!(
        "it is different where the {which} of two texts runs, which a condition on the run chooses"
    );
    let answer = Answer::Undecided { cause, lines: [None, None] };
    ComparedRegions { answer, race: None, ..other }
}

/// The time that earlier comparisons of functions took: one that is looked at again, in another text, has
/// what is left of its limit.
type Spent = HashMap<String, Duration>;

/// Compares regions of functions of one name, in their order.
fn paired(
    first: Vec<FoundRegion>,
    mut second: Vec<FoundRegion>,
    wanted: &EquivalenceOptions,
    spent: &mut Spent,
) -> Vec<ComparedRegions> {
    let before = spent.clone();
    let functions: Vec<String> = first.iter().map(|region| region.function.clone()).collect();
    let mut regions = Vec::new();
    for region in first {
        let partner = second.iter().position(|other| other.function == region.function);
        let partner = partner.map(|at| second.remove(at));
        let taken = before.get(&region.function).copied().unwrap_or_default();
        let limit = wanted.limit.saturating_sub(taken);
        let start = Instant::now();
        regions.push(compared(&region, partner.as_ref(), wanted, limit));
        *spent.entry(region.function).or_default() += start.elapsed();
    }
    for left in second.iter().filter(|left| functions.contains(&left.function)) {
        regions.push(without_partner(left, 1));
    }
    regions
}

fn without_partner(region: &FoundRegion, side: usize) -> ComparedRegions {
    let mut lines = [None, None];
    lines[side] = Some(region.lines);
    let which = ["second", "first"][side];
    let cause = format!("the {which} file has no region that corresponds to it");
    let answer = Answer::Undecided { cause, lines: [None, None] };
    ComparedRegions {
        function: region.function.clone(),
        lines,
        answer,
        race: None,
        n_parallel: 0,
        parameters: Vec::new(),
        assumptions: Vec::new(),
    }
}

fn compared(
    region: &FoundRegion,
    partner: Option<&FoundRegion>,
    wanted: &EquivalenceOptions,
    limit: Duration,
) -> ComparedRegions {
    let Some(partner) = partner else { return without_partner(region, 0) };
    let undecided = |cause: &str| Answer::Undecided { cause: cause.into(), lines: [None, None] };
    let (mut race_found, mut n_parallel, mut parameters) = (None, 0, Vec::new());
    let mut assumptions = region.assumptions.clone();
    let answer = match (&region.scop, &partner.scop) {
        (Err(cause), _) => undecided(&format!("the first file: {cause}")),
        (_, Err(cause)) => undecided(&format!("the second file: {cause}")),
        (Ok(before), Ok(after)) => {
            let question = Question {
                before,
                after,
                live_out: wanted.live_out.as_deref(),
                layouts: &wanted.layouts,
                laws: &wanted.laws,
            };
            parameters = before.parameters.iter().map(|own| own.name.to_string()).collect();
            let budget = budget(limit);
            let around = compare_surroundings([region, partner], [before, after], &wanted.layouts);
            let answer = match around {
                Ok(around) => {
                    let answer = check(&question, &budget);
                    assumptions.extend(around.assumed);
                    match (&answer, &around.fewer_values) {
                        (Answer::Different(_), Some(cause)) => undecided(cause),
                        _ => without_known_functions(answer, &around.defined),
                    }
                }
                Err(cause) => undecided(&cause),
            };
            let loops = loops_of_both([region, partner], &answer, &wanted.laws, &budget);
            match (answer, loops) {
                (Answer::Undecided { cause, lines }, _) => Answer::Undecided { cause, lines },
                (_, Err(cause)) => undecided(&cause),
                (answer, Ok(found)) => {
                    if found.is_of_team {
                        let function = &region.function;
                        assumptions.push(format!("one thread runs `{function}`, so that its loops are not shared by others"));
                    }
                    (race_found, n_parallel) = (found.race, found.number);
                    answer
                }
            }
        }
    };
    for sentence in &partner.assumptions {
        if !assumptions.contains(sentence) {
            assumptions.push(sentence.clone());
        }
    }
    ComparedRegions {
        function: region.function.clone(),
        lines: [Some(region.lines), Some(partner.lines)],
        answer: partner.in_lines_of_file(region, answer),
        race: race_found,
        n_parallel,
        parameters,
        assumptions,
    }
}

/// A difference that any function of some name shows is none where the function is known.
fn without_known_functions(answer: Answer, defined: &BTreeSet<String>) -> Answer {
    let Answer::Different(witness) = &answer else { return answer };
    match witness.calls.iter().find(|name| defined.contains(*name)) {
        Some(name) => {
            let cause = format!("whether they are different depends on what `{name}` returns");
            Answer::Undecided { cause, lines: [None, None] }
        }
        None => answer,
    }
}

/// The parallel loops of the second region; those of the first have to be right in any order, too.
fn loops_of_both(
    [region, partner]: [&FoundRegion; 2],
    answer: &Answer,
    laws: &Laws,
    budget: &Budget,
) -> Result<ParallelLoops, String> {
    if matches!(answer, Answer::Undecided { .. }) {
        return Ok(ParallelLoops::default());
    }
    let in_file = |which: &str, cause: String| format!("the {which} file: {cause}");
    let first = parallel_loops(region, laws, budget).map_err(|cause| in_file("first", cause))?;
    if let Some(race) = first.race {
        return Err(in_file("first", race));
    }
    parallel_loops(partner, laws, budget).map_err(|cause| in_file("second", cause))
}

/// Steps for one pair of regions: more than the time allows on any machine.
const STEPS: u64 = 4_000_000_000;

fn budget(limit: Duration) -> Budget {
    let budget = Budget::steps(STEPS);
    match Instant::now().checked_add(limit) {
        Some(moment) => budget.until(moment),
        None => budget,
    }
}
