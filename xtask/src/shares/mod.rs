//! `cargo xtask shares`: the speed-up of several threads over one, and what is lost: how evenly threads share
//! parallel loops, predicted from counts beside measured.
mod losses;
mod measured;

use crate::programs::{self, Program};
use crate::{compilers, kernels};
use loopwright::amounts::{Limit, LoopBalance, RegionAmounts, Sizes};
use loopwright::compile_file;
use losses::Losses;
use measured::{Built, Run};
use std::fmt::Write;
use std::path::PathBuf;

const USAGE: &str = "\
usage: cargo xtask shares [--programs MANIFEST] [--size LARGE] [--runs 3] [--threads 2]
                          [--kernels a,b] [--sizes n=1000,m=20] [--out FILE]

For each kernel (the triangular ones, unless told otherwise) our text, compiled with gcc, runs with one thread and with
several, in turn; medians are printed. Needs GCC's library for OpenMP and GNU ld. Predictions need constant bounds of
loops, or --sizes.";

/// The kernels whose parallel loops have iterations of different length, and those that run in steps.
const TRIANGULAR: &str = "syrk,trmm,cholesky,lu,covariance,correlation,nussinov,floyd-warshall";

/// The speed-up of two threads that a program with enough arithmetic is expected to reach.
const EXPECTED: f64 = 1.85;

struct Request {
    programs: Option<PathBuf>,
    size: String,
    runs: usize,
    threads: usize,
    kernels: Vec<String>,
    sizes: Sizes,
    out: Option<PathBuf>,
}

/// Measures, prints the table and writes it.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let request = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let collection = programs::read(request.programs.as_deref())?.select(&request.kernels)?;
    let mut rows = Vec::new();
    for program in &collection.programs {
        match row(program, &request) {
            Ok(row) => {
                eprintln!("{}", row.line(request.threads));
                rows.push(row);
            }
            Err(reason) => eprintln!("{}: {}", program.name, reason.trim()),
        }
    }
    let text = text(&rows, &request);
    print!("{text}");
    match &request.out {
        Some(path) => {
            std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
        }
        None => Ok(()),
    }
}

fn parse(mut parser: lexopt::Parser) -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request {
        programs: None,
        size: "LARGE".to_string(),
        runs: 3,
        threads: 2,
        kernels: crate::list::names(TRIANGULAR),
        sizes: Sizes::default(),
        out: None,
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("programs") => request.programs = Some(parser.value()?.into()),
            Long("size") => request.size = parser.value()?.string()?,
            Long("runs") => request.runs = parser.value()?.parse::<usize>()?.max(1),
            Long("threads") => request.threads = parser.value()?.parse::<usize>()?.max(2),
            Long("kernels") => request.kernels = crate::list::names(&parser.value()?.string()?),
            Long("sizes") => {
                let sizes = Sizes::parse(&parser.value()?.string()?);
                request.sizes = sizes.map_err(|e| lexopt::Error::Custom(e.into()))?;
            }
            Long("out") => request.out = Some(parser.value()?.into()),
            other => return Err(other.unexpected()),
        }
    }
    Ok(request)
}

/// What is known about a kernel.
struct Row {
    kernel: String,
    limit: Option<Limit>,
    predicted: Option<Predicted>,
    one: Run,
    several: Run,
}

/// The largest share of a thread over the mean of all, in the parallel loop with most of the work.
#[derive(Clone, Copy)]
struct Predicted {
    blocks: f64,
    in_turn: f64,
    /// Whether iterations go to threads in turn.
    is_in_turn: bool,
}

impl Predicted {
    fn of(amounts: &RegionAmounts, text: &str) -> Option<Predicted> {
        let work = |of: &LoopBalance| of.iterations as f64 * (of.work.0 + of.work.1);
        let most = amounts.loops.iter().max_by(|a, b| work(a).total_cmp(&work(b)))?;
        let is_in_turn = text.contains("schedule(dynamic");
        Some(Predicted { blocks: most.shares.blocks, in_turn: most.shares.in_turn, is_in_turn })
    }
}

/// Compiles, builds and runs a kernel.
fn row(program: &Program, request: &Request) -> Result<Row, String> {
    let mut options = compilers::options(program, &request.size)?;
    options.amounts = Some(request.sizes.clone());
    options.machine.cores = request.threads as u64;
    let compiled = compile_file(&program.source, &options).map_err(|e| e.to_string())?;
    let amounts = compiled.report.regions.iter().find_map(|region| region.amounts.as_ref());
    let limit = amounts.and_then(|amounts| Some(amounts.roofline?.limit));
    let predicted = amounts.and_then(|amounts| Predicted::of(amounts, &compiled.code));
    let built = Built::new(program, &request.size, &compiled.code)?;
    let (mut one, mut several) = (Vec::new(), Vec::new());
    for _ in 0..request.runs {
        one.push(built.run(program, &request.size, 1)?);
        several.push(built.run(program, &request.size, request.threads)?);
    }
    let (one, several) = (Run::median(one), Run::median(several));
    Ok(Row { kernel: program.name.clone(), limit, predicted, one, several })
}

impl Row {
    fn speed_up(&self) -> f64 {
        self.one.seconds / self.several.seconds
    }

    /// The speed-up of the parallel loops if nothing else ran: processor time of one thread over that of the
    /// thread with most of it.
    fn by_processor_time(&self) -> Option<f64> {
        let is_known = self.several.largest > 0.0 && self.one.alone > 0.0;
        is_known.then(|| (self.one.alone - self.several.alone) / self.several.largest)
    }

    fn losses(&self, threads: usize) -> Losses {
        Losses::of(&self.one, &self.several, threads)
    }

    /// The kernel as a row of the table.
    fn line(&self, threads: usize) -> String {
        let losses = self.losses(threads);
        let limit = match self.limit {
            Some(Limit::Memory) => "memory",
            Some(Limit::Arithmetic | Limit::Caches) => "arithmetic",
            None => "–",
        };
        let [blocks, in_turn] = match &self.predicted {
            None => ["–".to_string(), "–".to_string()],
            Some(Predicted { blocks, in_turn, is_in_turn: true }) => {
                [format!("{blocks:.2}"), format!("**{in_turn:.2}**")]
            }
            Some(Predicted { blocks, in_turn, .. }) => {
                [format!("**{blocks:.2}**"), format!("{in_turn:.2}")]
            }
        };
        let ratio =
            |value: Option<f64>| value.map_or("–".to_string(), |value| format!("{value:.2}"));
        let measured = ratio(self.several.largest_over_mean(threads));
        let percent = |part: f64| format!("{:.0} %", 100.0 * part / self.several.seconds);
        format!(
            "| {} | {limit} | {:.3} | {:.3} | {:.2} | {} | {blocks} | {in_turn} | {measured} | {} | {} | {} | {} |",
            self.kernel,
            self.one.seconds,
            self.several.seconds,
            self.speed_up(),
            ratio(self.by_processor_time()),
            percent(losses.outside),
            percent(losses.uneven),
            percent(losses.more_work),
            percent(losses.waiting)
        )
    }
}

fn text(rows: &[Row], request: &Request) -> String {
    let Request { size, runs, threads, .. } = request;
    let mut text = format!(
        "Made by `cargo xtask shares`. {}; `gcc -O3 -march=native -fopenmp`; {size}, medians of {runs} runs. Shares: the largest share of a \
         thread over the mean of all; predicted for the loop with most of the work, the way that the text has in bold; measured is \
         processor time in all parallel loops, whose speed-up by processor time is what other programs hardly change. The last columns are parts of the time of {threads} threads: what runs outside of \
         parallel loops on one of them, uneven shares, processor time that one thread does not need, and the rest: waking threads, \
         waiting, other programs.\n\n\
         | kernel | limited by | 1 thread, s | {threads} threads, s | speed-up | of loops, by processor time | static blocks, predicted | in turn, predicted | measured | outside | uneven | more work | waiting |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        kernels::machine()
    );
    rows.iter().for_each(|row| text += &format!("{}\n", row.line(*threads)));
    let below = rows.iter().filter(|row| *threads == 2 && row.speed_up() < EXPECTED);
    for row in below {
        let cause = row.losses(*threads).largest();
        let _ = writeln!(text, "\n{}: below {EXPECTED}, most is lost by {cause}.", row.kernel);
    }
    text
}
