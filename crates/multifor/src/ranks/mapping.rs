//! Nests that advance together by the ranks of their iterations, as C.
//!
//! The iterations of all nests are executed in chunks. At the start of a chunk each nest finds the iteration
//! that has the rank; from there on it goes on by counting, with the others rank by rank ([`interleaved`]) or
//! in blocks ([`blocks`]).
use super::blocks::blocks;
use super::interleaved::interleaved;
use super::lines::Lines;
use super::nest::Nest;
use super::renaming::renamed;
use super::unranking::Search;
use crate::error::MultiforError;
use crate::multifor::{Multifor, Phase};
use loopwright_astgen::FreshNames;
use loopwright_cfront::Code;
use loopwright_presburger::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// How nests are mapped.
#[derive(Clone, Debug, Default)]
pub struct RankOptions {
    /// Whether chunks are executed by different threads.
    pub parallel: bool,
    /// Whether no iteration of a nest depends on one of another nest, so that nests may advance in blocks of
    /// ranks.
    pub independent_nests: bool,
    /// Clauses of the directive that says so.
    pub clauses: String,
    /// Names that are not to be used for anything new.
    pub used_names: BTreeSet<String>,
}

/// The number of chunks for threads: enough for many threads to have several each.
const CHUNKS: u32 = 256;

/// The code of a multifor statement whose nests advance by ranks: one statement of C, in braces. It needs
/// 128-bit integers (`__int128`, as GCC and Clang have them), and counts of iterations that are less than
/// 2^62.
///
/// ```
/// use loopwright_cfront::multifor_statements;
/// use loopwright_multifor::{Multifor, RankOptions, mapped_by_ranks};
/// use loopwright_presburger::Budget;
/// let text = "multifor (i = 1, k = 0; i < N, k < M; i++, k++; 1, 1; 0, 0)
///   multifor (j = 0, l = 0; j < i, l < 2*M; j++, l++; 1, 1; 0, 0) { 0: S(i, j); 1: T(k, l); }";
/// let found = multifor_statements("f.c".as_ref(), text).unwrap();
/// let budget = Budget::unlimited();
/// let statement = Multifor::new(&found[0].statement, &budget)?;
/// let code = mapped_by_ranks(&statement, &RankOptions::default(), &budget)?;
/// assert!(code.contains("S(i, j)") && code.contains("__builtin_sqrt"));
/// # Ok::<(), loopwright_multifor::MultiforError>(())
/// ```
///
/// # Errors
/// Grains, offsets of inner levels, and statements between levels, which mean nothing for ranks; limits.
pub fn mapped_by_ranks(
    multifor: &Multifor,
    options: &RankOptions,
    budget: &Budget,
) -> Result<String, MultiforError> {
    check(multifor)?;
    let mut names = FreshNames::new(options.used_names.clone());
    let wide: BTreeMap<String, String> = multifor
        .parameters
        .iter()
        .map(|name| (name.to_string(), names.get(&format!("{name}_value"))))
        .collect();
    let syntax = renamed(&multifor.syntax, &wide);
    let renamed = Multifor::new(&syntax, budget)?;
    let nests = (0..multifor.syntax.loops.len())
        .map(|nest| Nest::new(&renamed, nest, &mut names, budget))
        .collect::<Result<Vec<_>, _>>()?;
    let mut lines = Lines::default();
    lines.line("{");
    for (name, wide) in &wide {
        lines.line(format!("const long {wide} = {name};"));
    }
    chunks(&mut lines, &nests, &mut names, options);
    lines.line("}");
    Ok(lines.text())
}

/// Refuses what means nothing for ranks.
fn check(multifor: &Multifor) -> Result<(), MultiforError> {
    for level in multifor.root.all() {
        for each in &level.loops {
            let is_delayed = each.offset != 0 && level.depth > 0;
            if each.grain != 1 || is_delayed {
                let message = "a multifor statement by ranks has grains of 1, and offsets in its outermost head only";
                return Err(MultiforError::new(Code::LoopForm, each.start, message));
            }
        }
        let inner = level.phases.iter().filter(|phase| matches!(phase, Phase::Inner(_)));
        if inner.count() > 1 {
            let start = multifor.syntax.start;
            let message = "a multifor statement by ranks has one level inside of each other";
            return Err(MultiforError::new(Code::LoopForm, start, message));
        }
    }
    Ok(())
}

/// The names of the variables of a chunk.
pub(crate) struct Chunk {
    /// The rank that is reached, and the one at which the chunk ends.
    pub(crate) time: String,
    pub(crate) stop: String,
    /// The rank at which a block ends, and how many iterations of a nest are left then.
    pub(crate) end: String,
    pub(crate) then: String,
    /// The length of a run, and the iteration in it.
    pub(crate) run: String,
    pub(crate) step: String,
}

impl Chunk {
    fn new(names: &mut FreshNames) -> Chunk {
        let mut get = |name: &str| names.get(name);
        Chunk {
            time: get("time"),
            stop: get("stop"),
            end: get("end"),
            then: get("then"),
            run: get("run"),
            step: get("u"),
        }
    }

    /// The head of the loop over the iterations of a run.
    pub(crate) fn run_head(&self) -> String {
        let Chunk { step, run, .. } = self;
        format!("for (long {step} = 0; {step} < {run}; {step}++) {{")
    }
}

/// All iterations in chunks: one, or [`CHUNKS`] for threads.
fn chunks(lines: &mut Lines, nests: &[Nest], names: &mut FreshNames, options: &RankOptions) {
    let total = names.get("total");
    let (chunk, search) = (Chunk::new(names), Search::new(names));
    totals(lines, nests, &total);
    let Chunk { time, stop, .. } = &chunk;
    if options.parallel {
        let number = names.get("chunk");
        let clauses = &options.clauses;
        let blank = if clauses.is_empty() { "" } else { " " };
        lines.line(format!("#pragma omp parallel for{blank}{clauses}"));
        lines.line(format!("for (int {number} = 0; {number} < {CHUNKS}; {number}++) {{"));
        let part = |number: &str| format!("(long) ((__int128) {total} * {number} / {CHUNKS})");
        lines.line(format!("long {time} = {};", part(&number)));
        lines.line(format!("const long {stop} = {};", part(&format!("({number} + 1)"))));
    } else {
        lines.line("{");
        lines.line(format!("long {time} = 0;"));
        lines.line(format!("const long {stop} = {total};"));
    }
    nests.iter().for_each(|nest| begin(lines, nest, &chunk, &search));
    match options.independent_nests && nests.len() > 1 {
        true => blocks(lines, nests, &chunk),
        false => interleaved(lines, nests, &chunk),
    }
    lines.line("}");
}

/// The number of iterations of each nest, and of ranks at which any is executed.
fn totals(lines: &mut Lines, nests: &[Nest], total: &str) {
    for nest in nests {
        lines.line(format!("const long {} = (long) {};", nest.total, nest.total_text));
    }
    lines.line(format!("long {total} = 0;"));
    for nest in nests {
        let end = match nest.offset() {
            0 => nest.total.clone(),
            offset => format!("{} + {offset}", nest.total),
        };
        lines.line(format!("if ({} > 0 && {end} > {total}) {total} = {end};", nest.total));
    }
}

/// The place of a nest at the start of a chunk.
fn begin(lines: &mut Lines, nest: &Nest, chunk: &Chunk, search: &Search) {
    let (time, rank) = (&chunk.time, &search.rank);
    let (left, total, offset) = (&nest.left, &nest.total, nest.offset());
    nest.declare(lines);
    let since = if offset == 0 { time.clone() } else { format!("{time} - {offset}") };
    lines.line(format!("long {left} = {total} - ({since} > 0 ? {since} : 0);"));
    lines.line(format!("if ({left} > 0) {{"));
    lines.line(format!("long {rank} = {total} - {left};"));
    search.of_nest(lines, nest);
    nest.enter_all(lines);
    lines.line("}");
}
