//! `cargo xtask kernels`: our programs beside those of other compilers.
//!
//! For each kernel all programs run in turn, so that they see the same machine; medians are compared.
use crate::agreement::agrees;
use crate::compilers::{self, Tools};
use crate::contestant::{Compiler, Contestant};
use crate::measurements::{COMPILE_MS, Measurements, PROVED, RUNS};
use crate::programs::{self, Collection, Program, TimeSource};
use crate::repository;
use crate::table::{SHORT_SECONDS, table};
use loopwright::tune::run_within;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const USAGE: &str = "\
usage: cargo xtask kernels [--programs MANIFEST] [--size LARGE,EXTRALARGE] [--runs 3] [--threads 2]
                           [--kernels a,b] [--only gcc,ours-gcc-2] [--clang clang-19] [--pluto BIN]
                           [--most-seconds 100] [--tune SECONDS] [--data FILE] [--out docs/kernels.md]

--programs takes other programs than the repository's kernels: those that a manifest names
(docs/programs.md); their values and their table go to target/programs.tsv and target/programs.md.
--tune adds the best choices that a search of so many seconds per kernel finds (`loopwright tune`).
The values are kept in FILE; those of earlier calls stay, so that kernels can be measured one after
the other (--kernels none makes the table anew without measuring).";

/// The size for programs that are too short at the size that was asked for.
const LARGEST: &str = "EXTRALARGE";

struct Request {
    programs: Option<PathBuf>,
    sizes: Vec<String>,
    runs: usize,
    threads: usize,
    kernels: Vec<String>,
    only: Vec<String>,
    clang: Option<String>,
    pluto: Option<PathBuf>,
    most: Duration,
    tune: Option<Duration>,
    data: Option<PathBuf>,
    out: Option<PathBuf>,
}

impl Request {
    /// Where values are kept, unless told otherwise.
    fn data(&self) -> PathBuf {
        let name = if self.programs.is_some() { "programs.tsv" } else { "kernels.tsv" };
        self.data.clone().unwrap_or_else(|| repository::root().join("target").join(name))
    }

    /// Where the table is written, unless told otherwise.
    fn out(&self) -> PathBuf {
        let path = if self.programs.is_some() { "target/programs.md" } else { "docs/kernels.md" };
        self.out.clone().unwrap_or_else(|| repository::root().join(path))
    }
}

/// Measures, prints the table and writes it.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let request = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let mut collection = programs::read(request.programs.as_deref())?;
    match request.kernels.as_slice() {
        [none] if none == "none" => collection.programs.clear(),
        names => collection = collection.select(names)?,
    }
    let tools = Tools::find(request.clang.clone(), request.pluto.clone(), folder()?);
    let mut all = Measurements::read(&request.data())?;
    for size in &request.sizes {
        for program in &collection.programs {
            measure(program, size, &tools, &request, &mut all)?;
            write(&request.data(), &all.text())?;
        }
    }
    let mut text = heading(&collection, &tools);
    for size in &request.sizes {
        let table = table(&all, size, LARGEST, collection.has_published_figures);
        text += &format!("\n## {size}\n\n{table}");
    }
    print!("{text}");
    write(&request.out(), &text)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

fn parse(mut parser: lexopt::Parser) -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request {
        programs: None,
        sizes: vec!["LARGE".to_string()],
        runs: 3,
        threads: 2,
        kernels: Vec::new(),
        only: Vec::new(),
        clang: None,
        pluto: None,
        most: Duration::from_secs(100),
        tune: None,
        data: None,
        out: None,
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("programs") => request.programs = Some(parser.value()?.into()),
            Long("size") => request.sizes = crate::list::names(&parser.value()?.string()?),
            Long("runs") => request.runs = parser.value()?.parse::<usize>()?.max(1),
            Long("threads") => request.threads = parser.value()?.parse::<usize>()?.max(1),
            Long("kernels") => request.kernels = crate::list::names(&parser.value()?.string()?),
            Long("only") => request.only = crate::list::names(&parser.value()?.string()?),
            Long("clang") => request.clang = Some(parser.value()?.string()?),
            Long("pluto") => request.pluto = Some(parser.value()?.into()),
            Long("most-seconds") => request.most = Duration::from_secs(parser.value()?.parse()?),
            Long("tune") => request.tune = Some(Duration::from_secs(parser.value()?.parse()?)),
            Long("data") => request.data = Some(parser.value()?.into()),
            Long("out") => request.out = Some(parser.value()?.into()),
            other => return Err(other.unexpected()),
        }
    }
    Ok(request)
}

/// One kernel, at the size that was asked for or, if that is too short, at the largest.
fn measure(
    program: &Program,
    size: &str,
    tools: &Tools,
    request: &Request,
    all: &mut Measurements,
) -> Result<(), String> {
    let gcc = Contestant::Plain(Compiler::Gcc);
    let original = tools.build(gcc, program, size, &program.source, None)?;
    let first = run_once(program, size, &original, 1, request.most)?;
    let has_larger = size != LARGEST && program.has_size(LARGEST);
    let is_short = first.is_some_and(|seconds| seconds < SHORT_SECONDS) && has_larger;
    if is_short && request.sizes.iter().any(|other| other == LARGEST) {
        // It is measured at that size anyway.
        return Ok(());
    }
    let size = if is_short { LARGEST } else { size };
    all.forget(&program.name, size);
    let ours = folder()?.join(format!("{}.opt.c", program.name));
    match compilers::transformed(program, size, request.runs, &ours) {
        Ok(transformed) => {
            all.set(&program.name, size, COMPILE_MS, transformed.compile_ms);
            let proved = if transformed.is_proved { 1.0 } else { 0.0 };
            all.set(&program.name, size, PROVED, proved);
        }
        Err(reason) => {
            let _ = std::fs::remove_file(&ours);
            eprintln!("{}: {reason}", program.name);
        }
    }
    let tuned = tuned(program, size, request)?;
    let executables = executables(program, size, tools, request, &ours, tuned.as_deref());
    let medians = in_turn(program, size, &executables, request)?;
    all.set(&program.name, size, RUNS, request.runs as f64);
    let mut line = format!("{} {size}:", program.name);
    for (contestant, seconds) in &medians {
        all.set(&program.name, size, &contestant.key(), *seconds);
        line += &format!(" {}={seconds:.4}", contestant.key());
    }
    eprintln!("{line}");
    Ok(())
}

/// The text with the choices of a search, if one is asked for and succeeds.
fn tuned(program: &Program, size: &str, request: &Request) -> Result<Option<PathBuf>, String> {
    let Some(time_limit) = request.tune else { return Ok(None) };
    let path = folder()?.join(format!("{}.tuned.c", program.name));
    let cache = folder()?.join("tuning");
    let found = compilers::tuned(program, size, request.threads, time_limit, cache, &path);
    Ok(match found {
        Ok(()) => Some(path),
        Err(reason) => {
            eprintln!("{}: {reason}", program.name);
            None
        }
    })
}

/// The programs of all who can make one.
fn executables(
    program: &Program,
    size: &str,
    tools: &Tools,
    request: &Request,
    ours: &Path,
    tuned: Option<&Path>,
) -> Vec<(Contestant, PathBuf)> {
    let wanted = |contestant: &Contestant| {
        request.only.is_empty() || request.only.contains(&contestant.key())
    };
    let mut all = Vec::new();
    for contestant in tools.contestants(request.threads, tuned.is_some()).into_iter().filter(wanted)
    {
        let is_right = match contestant {
            Contestant::Polly(_) | Contestant::Pluto(..) => agrees(contestant, program, tools),
            _ => Ok(()),
        };
        match is_right.and_then(|()| tools.build(contestant, program, size, ours, tuned)) {
            Ok(path) => all.push((contestant, path)),
            Err(reason) => eprintln!("{}, {contestant}: {}", program.name, reason.trim()),
        }
    }
    all
}

/// The medians of runs in turn; those that take too long once are left out from then on.
fn in_turn(
    program: &Program,
    size: &str,
    executables: &[(Contestant, PathBuf)],
    request: &Request,
) -> Result<Vec<(Contestant, f64)>, String> {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); executables.len()];
    let mut too_long = vec![false; executables.len()];
    for _ in 0..request.runs {
        for (position, (contestant, path)) in executables.iter().enumerate() {
            if too_long[position] {
                continue;
            }
            match run_once(program, size, path, contestant.threads(), request.most)? {
                Some(seconds) => times[position].push(seconds),
                None => too_long[position] = true,
            }
        }
    }
    let pairs = executables.iter().zip(times.iter_mut()).zip(&too_long);
    let measured = pairs.filter(|((_, times), too_long)| !times.is_empty() && !**too_long);
    Ok(measured.map(|(((contestant, _), times), _)| (*contestant, median(times))).collect())
}

/// The folder for programs.
pub(crate) fn folder() -> Result<PathBuf, String> {
    let folder = repository::root().join("target/kernels");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    Ok(folder)
}

/// The seconds of one run; none if it runs too long.
pub(crate) fn run_once(
    program: &Program,
    size: &str,
    executable: &Path,
    threads: usize,
    most: Duration,
) -> Result<Option<f64>, String> {
    let cannot = |e: std::io::Error| format!("cannot run {}: {e}", executable.display());
    let output = executable.with_extension("out");
    let mut command = Command::new(executable);
    command
        .args(program.arguments(size))
        .envs(program.time.environment.iter().cloned())
        .env("OMP_NUM_THREADS", threads.to_string())
        .stdout(File::create(&output).map_err(cannot)?)
        .stderr(Stdio::null());
    let start = Instant::now();
    let Some(ended) = run_within(&mut command, most).map_err(cannot)? else { return Ok(None) };
    if program.time.from == TimeSource::Process {
        let failed = || format!("{} fails ({})", executable.display(), ended.status);
        return ended
            .status
            .success()
            .then(|| Some(start.elapsed().as_secs_f64()))
            .ok_or_else(failed);
    }
    let text = std::fs::read_to_string(&output).map_err(cannot)?;
    let seconds = text.split_whitespace().last().and_then(|word| word.parse().ok());
    let no_time = || format!("{} prints no time ({})", executable.display(), ended.status);
    seconds.map(Some).ok_or_else(no_time)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What was measured, and where.
fn heading(collection: &Collection, tools: &Tools) -> String {
    let programs = &collection.title;
    format!(
        "# Run times of the kernels\n\n\
         Written by `cargo xtask kernels`; do not edit.\n\n\
         Programs: {programs} ({LARGEST} for the short ones, for which `gcc -O3` needs less than \
         {SHORT_SECONDS} s). All compilers with `-O3 -march=native`, Polly with `-mllvm -polly`, Pluto \
         with `--tile --parallel`, its output and ours with `-fopenmp`; ours with standard options. The \
         number after a name is that of threads.\n\n\
         Programs of Polly and Pluto that print other results than the original (at a small size, beyond \
         rounding) are left out. All programs of a kernel run in turn; medians of as many runs as the table says. Machine: {}, {}.\n\n\
         Columns of compilers: speed-ups over `gcc -O3`; published ones are of compilers that cannot be \
         run here, measured earlier on two cores of such a machine, at size LARGE. \
         The last columns compare the faster of our programs, compiled with gcc and with clang, with the \
         fastest of all others, and with the faster of the plain compilers.\n",
        machine(),
        tools.versions()
    )
}

/// The processor.
pub(crate) fn machine() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown processor", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores")
}
