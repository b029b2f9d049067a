//! `cargo xtask tilings`: stencils in tiles of every shape, beside the plain program, our default and the
//! bandwidth of the memory.
mod kernel;
mod makespans;
mod program;

use crate::deliver::deliver;
use crate::{kernels, repository};
use kernel::{KERNELS, Kernel};
use program::{Outcome, Programs, VERSIONS, Version, run as run_program};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

const USAGE: &str = "\
usage: cargo xtask tilings [--kernels a,b] [--versions a,b] [--runs 3] [--compiler gcc] [--tune 60] [--folder DIR]
                           [--build-only | --no-build] [--out docs/tilings-speed.md]

The programs are kept in DIR (target/tilings), so that they can be built first (--build-only) and measured later, where nothing else
runs (--no-build). So are the least seconds of each, which further calls go on from (--runs 0 only prints). --versions: only these columns are built (tuned: by a search of so many seconds for each stencil, which measures too).";

/// The shapes that are to do twice the work with twice the threads.
const WEAK_SHAPES: [&str; 7] =
    ["tube", "diamond", "trapezoid", "molecular", "hexagonal", "overlapped", "cache-oblivious"];

struct Request {
    kernels: Vec<String>,
    versions: Vec<String>,
    tune: u64,
    runs: usize,
    compiler: String,
    folder: PathBuf,
    builds: bool,
    measures: bool,
    out: Option<PathBuf>,
}

/// Builds, measures and prints, or writes, the page.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let request = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))?;
    std::fs::create_dir_all(&request.folder).map_err(|e| e.to_string())?;
    let Request { folder, compiler, tune, .. } = &request;
    let programs = Programs { folder, compiler, tune: *tune };
    let wanted = |kernel: &&Kernel| {
        request.kernels.is_empty() || request.kernels.iter().any(|name| name == kernel.name)
    };
    let kernels: Vec<&Kernel> = KERNELS.iter().filter(wanted).collect();
    if request.builds {
        programs.build_stream()?;
        for kernel in &kernels {
            let is_wanted = |version: &&Version| {
                request.versions.is_empty() || request.versions.iter().any(|v| v == version.name)
            };
            for version in VERSIONS.iter().filter(is_wanted) {
                eprintln!("{} {}", kernel.name, version.name);
                programs.build(kernel, version)?;
            }
        }
    }
    if !request.measures {
        return Ok(());
    }
    let mut rows = Vec::with_capacity(kernels.len());
    for kernel in &kernels {
        let times = measured(kernel, &programs, request.runs)?;
        eprintln!("{}", cells(kernel, &times, 2).join(" "));
        rows.push((*kernel, times));
    }
    let bandwidths = [programs.bandwidth(1)?, programs.bandwidth(2)?];
    deliver(&page(&rows, bandwidths, &programs)?, request.out.as_deref())
}

fn parse(mut parser: lexopt::Parser) -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request {
        kernels: Vec::new(),
        versions: Vec::new(),
        tune: 60,
        runs: 3,
        compiler: "gcc".to_string(),
        folder: repository::root().join("target/tilings"),
        builds: true,
        measures: true,
        out: None,
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("kernels") => request.kernels = crate::list::names(&parser.value()?.string()?),
            Long("versions") => request.versions = crate::list::names(&parser.value()?.string()?),
            Long("tune") => request.tune = parser.value()?.parse::<u64>()?.max(1),
            Long("runs") => request.runs = parser.value()?.parse()?,
            Long("compiler") => request.compiler = parser.value()?.string()?,
            Long("folder") => request.folder = parser.value()?.into(),
            Long("build-only") => request.measures = false,
            Long("no-build") => request.builds = false,
            Long("out") => request.out = Some(parser.value()?.into()),
            other => return Err(other.unexpected()),
        }
    }
    Ok(request)
}

/// What is run: so many threads, on data so many times as large.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Case {
    threads: usize,
    times_the_data: i64,
}

const CASES: [Case; 3] = [
    Case { threads: 1, times_the_data: 1 },
    Case { threads: 2, times_the_data: 1 },
    Case { threads: 2, times_the_data: 2 },
];

/// The least seconds by version and case.
type Times = BTreeMap<(&'static str, Case), f64>;

/// Runs all programs of a kernel in turn, and compares what they print.
fn measured(kernel: &Kernel, programs: &Programs<'_>, runs: usize) -> Result<Times, String> {
    let mut times = kept_times(kernel, programs);
    let mut expected: BTreeMap<i64, String> = BTreeMap::new();
    for _ in 0..runs {
        for version in &VERSIONS {
            let Some(program) = programs.existing(kernel, version) else { continue };
            for case in cases_of(version) {
                let [steps, n, m] = kernel.sizes;
                let sizes = [steps, n * case.times_the_data, m];
                let Outcome { seconds, bits } = run_program(&program, sizes, case.threads)?;
                let known = expected.entry(case.times_the_data).or_insert_with(|| bits.clone());
                if *known != bits {
                    return Err(format!("{}: {} prints other bits", kernel.name, version.name));
                }
                let least = times.entry((version.name, case)).or_insert(seconds);
                *least = least.min(seconds);
            }
        }
    }
    let lines = times.iter().map(|((name, case), seconds)| {
        format!("{name}\t{}\t{}\t{seconds}\n", case.threads, case.times_the_data)
    });
    std::fs::write(programs.times(kernel), lines.collect::<String>()).map_err(|e| e.to_string())?;
    Ok(times)
}

/// What was measured before.
fn kept_times(kernel: &Kernel, programs: &Programs<'_>) -> Times {
    let text = std::fs::read_to_string(programs.times(kernel)).unwrap_or_default();
    let read = |line: &str| {
        let mut words = line.split('\t');
        let name = words.next()?;
        let version = VERSIONS.iter().find(|version| version.name == name)?;
        let threads = words.next()?.parse().ok()?;
        let times_the_data = words.next()?.parse().ok()?;
        Some(((version.name, Case { threads, times_the_data }), words.next()?.parse().ok()?))
    };
    text.lines().filter_map(read).collect()
}

fn cases_of(version: &Version) -> impl Iterator<Item = Case> {
    let (name, is_plain) = (version.name, version.is_plain());
    CASES.into_iter().filter(move |case| match case.times_the_data {
        1 => !is_plain || case.threads == 1,
        _ => name == "plain" || WEAK_SHAPES.contains(&name),
    })
}

fn seconds_of(
    times: &Times,
    name: &'static str,
    threads: usize,
    times_the_data: i64,
) -> Option<f64> {
    times.get(&(name, Case { threads, times_the_data })).copied()
}

/// The shape with the least seconds.
fn best(times: &Times, threads: usize) -> Option<(&'static str, f64)> {
    let shapes = VERSIONS.iter().filter(|version| version.is_shape());
    let timed = shapes.filter_map(|v| Some((v.name, seconds_of(times, v.name, threads, 1)?)));
    timed.min_by(|a, b| a.1.total_cmp(&b.1))
}

fn cells(kernel: &Kernel, times: &Times, threads: usize) -> Vec<String> {
    let mut cells = vec![kernel.name.to_string()];
    for version in &VERSIONS {
        let own = if version.is_plain() { 1 } else { threads };
        let seconds = seconds_of(times, version.name, own, 1);
        cells.push(seconds.map_or("—".to_string(), |seconds| format!("{seconds:.3}")));
    }
    cells
}

fn page(
    rows: &[(&Kernel, Times)],
    bandwidths: [f64; 2],
    programs: &Programs<'_>,
) -> Result<String, String> {
    let mut text = format!(
        "# The speed of every tiling\n\n\
         Written by `cargo xtask tilings`; do not edit.\n\n\
         Stencils of this repository (`xtask/src/tilings/kernels`) with data beyond the caches, as they are written (plain, one thread), by our default, \
         and in tiles of each shape of `--tiling` with the sizes of its choice ([tilings.md](tilings.md)). *Tuned*: what `loopwright tune` finds in {} s on two \
         threads, which tries all shapes, and other sizes for the two fastest ([tuning.md](tuning.md)). *Pluto*: texts written by hand in the form that Pluto \
         gives these stencils by its publication (`xtask/src/tilings/kernels/pluto`): diamonds along time and the first dimension (Bandishti, Pananilath and \
         Bondhugula, SC 2012), 32 along all dimensions, its default, or with the sizes of our tubes and rows of 256. Least seconds of several runs in turn; all versions \
         print the same bits. `{} -O3 -march=native -ffp-contract=off -fopenmp`, and clang without threads.\n\nThis machine: {}; memory: {:.1} GB/s with one thread, {:.1} with two (triad of STREAM, with reads that writes cause).\n",
        programs.tune,
        programs.compiler,
        kernels::machine(),
        bandwidths[0],
        bandwidths[1],
    );
    for threads in [2, 1] {
        text += &speed(rows, bandwidths, threads);
    }
    text += &weak(rows);
    let _ = write!(
        text,
        "\n## On many processors\n\nThe analyser's times, in tiles that run one after the other, with barriers, and the share of the processors that is \
         busy ([scalability.md](scalability.md)): a stencil of three points, {}. Overlapped tiles compute more for the same.\n\n{}",
        makespans::sizes(),
        makespans::table()?
    );
    text += &decisions(rows, programs);
    Ok(text)
}

/// The table for a number of threads.
fn speed(rows: &[(&Kernel, Times)], bandwidths: [f64; 2], threads: usize) -> String {
    let names: Vec<&str> = VERSIONS.iter().map(|version| version.name).collect();
    let noun = if threads == 1 { "thread" } else { "threads" };
    let mut text = format!(
        "\n## {threads} {noun}\n\n*Step by step*: the seconds that memory alone takes if each time step reads and writes all its data there.\n\n\
         | stencil | {} | step by step | best shape | default / best | auto / best | auto / tuned | auto / Pluto |\n|:--|{}:--|--:|--:|--:|--:|\n",
        names.join(" | "),
        "--:|".repeat(names.len() + 1)
    );
    let mut ratios: [Vec<f64>; 4] = Default::default();
    for (kernel, times) in rows {
        let of = |name| seconds_of(times, name, threads, 1);
        let best = best(times, threads);
        let least = best.map(|(_, seconds)| seconds);
        let mut cells = cells(kernel, times, threads);
        cells.push(format!("{:.3}", kernel.gigabytes() / bandwidths[threads - 1]));
        cells.push(best.map_or("—", |(name, _)| name).to_string());
        let pluto = of("Pluto 32").zip(of("Pluto")).map(|(a, b)| a.min(b));
        let auto = of("auto");
        let pairs = [(of("default"), least), (auto, least), (auto, of("tuned")), (auto, pluto)];
        for ((own, other), all) in pairs.into_iter().zip(&mut ratios) {
            let ratio = own.zip(other).map(|(own, other)| own / other);
            all.extend(ratio);
            cells.push(ratio.map_or("—".to_string(), |ratio| format!("{ratio:.2}")));
        }
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    let mean = |ratios: &[f64]| {
        (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp()
    };
    let [of_default, of_auto, of_tuned, of_pluto] = ratios.map(|ratios| mean(&ratios));
    let _ = writeln!(
        text,
        "\nGeometric means: default / best {of_default:.2}, auto / best {of_auto:.2}, auto / tuned {of_tuned:.2}, \
         auto / Pluto {of_pluto:.2}."
    );
    text
}

/// Two threads on twice the data, beside one thread.
fn weak(rows: &[(&Kernel, Times)]) -> String {
    let mut text = format!(
        "\n## Twice the data on twice the threads\n\nThe work that two threads do in the time in which one does 1, where the first dimension of the data is \
         twice as long (weak scaling; 2 is best).\n\n| stencil | {} |\n|:--|{}\n",
        WEAK_SHAPES.join(" | "),
        "--:|".repeat(WEAK_SHAPES.len())
    );
    for (kernel, times) in rows {
        let cell = |name: &&'static str| {
            let one = seconds_of(times, name, 1, 1)?;
            Some(format!("{:.2}", 2.0 * one / seconds_of(times, name, 2, 2)?))
        };
        let cells = WEAK_SHAPES.iter().map(|name| cell(name).unwrap_or("—".to_string()));
        let _ = writeln!(text, "| {} | {} |", kernel.name, cells.collect::<Vec<_>>().join(" | "));
    }
    text
}

/// What the compiler says of the tiles, or why there are none.
fn decisions(rows: &[(&Kernel, Times)], programs: &Programs<'_>) -> String {
    let mut text = "\n## The tiles\n\n".to_string();
    for (kernel, _) in rows {
        for version in VERSIONS.iter().filter(|version| version.is_ours()) {
            let decided = programs.decision(kernel, version);
            let refused = programs.reason(kernel, version);
            let said = decided.or(refused.map(|reason| format!("refused: {reason}")));
            let said = said.unwrap_or_default();
            let _ = writeln!(text, "* {}, {}: {}", kernel.name, version.name, said.trim());
        }
    }
    text
}
