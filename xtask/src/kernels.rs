//! `cargo xtask kernels`: how much faster the kernels get.
//!
//! For each kernel the original and the transformed program run in turn, so that both see the same
//! machine; the medians are compared.
use crate::suite::{self, Program};
use crate::table::{Ours, Row, SHORT_SECONDS, table};
use loopwright::{CompileOptions, Compiled, compile_file};
use std::path::{Path, PathBuf};
use std::process::Command;

const USAGE: &str = "\
usage: cargo xtask kernels [--polybench DIR] [--size LARGE] [--runs 3] [--threads 2]
                           [--kernels a,b] [--out docs/kernels.md]";

/// The size for programs that are too short at the size that was asked for.
const LARGEST: &str = "EXTRALARGE";

struct Request {
    polybench: Option<PathBuf>,
    size: String,
    runs: usize,
    threads: usize,
    kernels: Vec<String>,
    out: PathBuf,
}

/// Measures, prints the table and writes it.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let request = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let programs = suite::programs(request.polybench.as_deref())?;
    let programs = suite::select(programs, &request.kernels)?;
    let mut rows = Vec::new();
    for program in &programs {
        let row = measure(program, &request)?;
        eprintln!("{}: {}", row.kernel, summary(&row));
        rows.push(row);
    }
    let text = format!("{}\n{}", heading(&request), table(&rows));
    print!("{text}");
    std::fs::write(&request.out, &text)
        .map_err(|e| format!("cannot write {}: {e}", request.out.display()))
}

fn parse(mut parser: lexopt::Parser) -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request {
        polybench: None,
        size: "LARGE".to_string(),
        runs: 3,
        threads: 2,
        kernels: Vec::new(),
        out: suite::root().join("docs/kernels.md"),
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("polybench") => request.polybench = Some(parser.value()?.into()),
            Long("size") => request.size = parser.value()?.string()?,
            Long("runs") => request.runs = parser.value()?.parse::<usize>()?.max(1),
            Long("threads") => request.threads = parser.value()?.parse()?,
            Long("kernels") => request.kernels = crate::names(&parser.value()?.string()?),
            Long("out") => request.out = parser.value()?.into(),
            other => return Err(other.unexpected()),
        }
    }
    Ok(request)
}

fn summary(row: &Row) -> String {
    match &row.ours {
        Ok(ours) => format!("{:.4} s -> {:.4} s", row.gcc, ours.seconds),
        Err(reason) => reason.clone(),
    }
}

/// One kernel, at the size that was asked for or, if that is too short, at the largest.
fn measure(program: &Program, request: &Request) -> Result<Row, String> {
    let original = build(program, &program.source, &request.size, "original", &[])?;
    let is_short = run_once(&original, request.threads)? < SHORT_SECONDS;
    if !is_short || request.size == LARGEST {
        return measure_at(program, &request.size, &original, request);
    }
    let original = build(program, &program.source, LARGEST, "original", &[])?;
    Ok(Row { is_short, ..measure_at(program, LARGEST, &original, request)? })
}

fn measure_at(
    program: &Program,
    size: &str,
    original: &Path,
    request: &Request,
) -> Result<Row, String> {
    let transformed = transformed(program, size, request.runs);
    let (mut theirs, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..request.runs {
        theirs.push(run_once(original, request.threads)?);
        if let Ok((path, ..)) = &transformed {
            ours.push(run_once(path, request.threads)?);
        }
    }
    let ours = transformed.map(|(_, compile_ms, proved)| Ours {
        seconds: median(&mut ours),
        compile_ms,
        proved,
    });
    let (kernel, size) = (program.name.clone(), size.to_string());
    Ok(Row { kernel, size, is_short: false, gcc: median(&mut theirs), ours })
}

/// The transformed program, the least milliseconds of the compilations, and whether all is proved.
fn transformed(program: &Program, size: &str, runs: usize) -> Result<(PathBuf, f64, bool), String> {
    let mut options = CompileOptions::new();
    options.front_end.include_dirs = program.include_dirs.clone();
    options.front_end.defines = program.defines(size);
    let compile = || compile_file(&program.source, &options).map_err(|e| e.to_string());
    let compiled = compile()?;
    let own_ms = |compiled: &Compiled| compiled.report.timings.own().as_secs_f64() * 1000.0;
    let mut least = own_ms(&compiled);
    for _ in 1..runs {
        least = least.min(own_ms(&compile()?));
    }
    let text = folder()?.join(format!("{}.opt.c", program.name));
    std::fs::write(&text, &compiled.code).map_err(|e| e.to_string())?;
    let executable = build(program, &text, size, "transformed", &["-fopenmp"])?;
    Ok((executable, least, compiled.report.regions.iter().all(crate::is_proved)))
}

/// The folder for programs.
fn folder() -> Result<PathBuf, String> {
    let folder = suite::root().join("target/kernels");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    Ok(folder)
}

fn build(
    program: &Program,
    source: &Path,
    size: &str,
    kind: &str,
    flags: &[&str],
) -> Result<PathBuf, String> {
    let executable = folder()?.join(format!("{}.{kind}", program.name));
    let output = Command::new("gcc")
        .args(["-O3", "-march=native", "-w"])
        .args(flags)
        .args(program.defines(size).iter().map(|define| format!("-D{define}")))
        .args(program.include_dirs.iter().map(|folder| format!("-I{}", folder.display())))
        .arg(source)
        .args(&program.extra_sources)
        .arg("-o")
        .arg(&executable)
        .arg("-lm")
        .output()
        .map_err(|e| format!("cannot run gcc: {e}"))?;
    match output.status.success() {
        true => Ok(executable),
        false => Err(format!(
            "gcc refuses {}:\n{}",
            source.display(),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// The seconds that a program prints.
fn run_once(executable: &Path, threads: usize) -> Result<f64, String> {
    let output = Command::new(executable)
        .env("KERNEL_TIME", "1")
        .env("OMP_NUM_THREADS", threads.to_string())
        .output()
        .map_err(|e| format!("cannot run {}: {e}", executable.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let seconds = text.lines().last().and_then(|line| line.trim().parse().ok());
    seconds.ok_or_else(|| format!("{} prints no time ({})", executable.display(), output.status))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What was measured, and where.
fn heading(request: &Request) -> String {
    let programs = match request.polybench {
        Some(_) => "PolyBench/C 4.2.1 as distributed, with `-DPOLYBENCH_USE_C99_PROTO`",
        None => "the kernels in `crates/loopwright/tests/kernels`",
    };
    format!(
        "# Run times of the kernels\n\n\
         Written by `cargo xtask kernels`; do not edit.\n\n\
         Programs: {programs}, size {} ({LARGEST} for the short ones, for which `gcc -O3` needs less than {SHORT_SECONDS} s).\n\
         Original: `gcc -O3 -march=native`. Loopwright: its output with standard options, \
         `gcc -O3 -march=native -fopenmp`, {} threads.\n\
         Both run in turn; medians of {} runs. Machine: {}.\n\n\
         The other compilers' speed-ups over `gcc -O3` were measured on PolyBench/C 4.2.1 at size LARGE \
         on two cores of such a machine; those of kernels that run for a few milliseconds mean \
         little.\n",
        request.size,
        request.threads,
        request.runs,
        machine()
    )
}

/// The processor and the compiler.
fn machine() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or("unknown processor", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let version = Command::new("gcc").arg("-dumpfullversion").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    format!("{model}, {cores} cores, gcc {}", version.unwrap_or_default())
}
