//! `cargo xtask paper contraction`: memory and time of stencils and rows of dynamic programming in which
//! every value has an element, with contracted arrays against the arrays as they are written and against
//! arrays that a programmer contracted.
use crate::counted::Workplace;
use crate::deliver::deliver;
use crate::repository;
use loopwright::{CompileOptions, Storage, compile_file};
use std::fmt::Write;
use std::path::PathBuf;

const USAGE: &str = "usage: cargo xtask paper contraction [--runs 3] [--kernels a,b] [--out docs/paper-contraction.md]";

const HEADER: &str = "\
# Contracted arrays beyond the caches

Written by `cargo xtask paper contraction`; do not edit.

The programs of `crates/loopwright/tests/time_space`: stencils in which each step has an array of its own (`A[t][i][j]`), fields of `fdtd-2d` in single
assignment, tables of dynamic programming of which the last row is wanted. *As written*: the plain compiler. *keep*: `loopwright compile`. *contract*:
`loopwright compile --storage contract`. *By hand*: the program with two (or three) arrays that take turns, or one that is changed in place, as it is
written, and *by hand, compiled*: by `loopwright compile`. Seconds: the least of the runs, which are taken in turn; MB: the most memory that the process had, with
input and output. *Ratio*: the least seconds of all other columns to those of *contract*. All columns print the same bits. `gcc -O3 -march=native -fopenmp`.
";

/// The kernels, in the order of the table.
const KERNELS: [&str; 8] =
    ["jacobi-1d", "jacobi-2d", "heat-2d", "heat-3d", "wave-2d", "fdtd-2d", "lcs", "smith-waterman"];

/// The columns: a name, the program, and the storage it is compiled with; none for the plain compiler.
const COLUMNS: [(&str, &str, Option<Storage>); 5] = [
    ("as written", "full", None),
    ("keep", "full", Some(Storage::Keep)),
    ("contract", "full", Some(Storage::Contract)),
    ("by hand", "two", None),
    ("by hand, compiled", "two", Some(Storage::Keep)),
];

/// The column of contracted arrays.
const CONTRACTED: usize = 2;

struct Request {
    runs: usize,
    kernels: Vec<String>,
    out: Option<PathBuf>,
}

/// Measures and prints, or writes, the table.
pub(super) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    let wrong = |e: lexopt::Error| format!("{e}\n\n{USAGE}");
    let kernels = KERNELS.map(String::from).to_vec();
    let mut request = Request { runs: 3, kernels, out: None };
    while let Some(argument) = parser.next().map_err(wrong)? {
        let lexopt::Arg::Long(name) = argument else { return Err(wrong(argument.unexpected())) };
        let name = name.to_string();
        let value = parser.value().map_err(wrong)?.to_string_lossy().into_owned();
        match &*name {
            "out" => request.out = Some(PathBuf::from(value)),
            "kernels" => request.kernels = value.split(',').map(String::from).collect(),
            "runs" => {
                let number = value.parse().ok().filter(|runs| *runs > 0);
                request.runs = number.ok_or("--runs wants a number")?;
            }
            _ => return Err(USAGE.to_string()),
        }
    }
    let mut text = format!("{HEADER}\nThis machine: {}.\n\n| kernel |", crate::kernels::machine());
    for (name, _, _) in COLUMNS {
        let _ = write!(text, " {name}: s | MB |");
    }
    let _ = writeln!(text, " ratio | cells |\n|:--|{}:--|", "--:|".repeat(2 * COLUMNS.len() + 1));
    for kernel in &request.kernels {
        text += &row(kernel, request.runs)?;
        eprintln!("{}", text.lines().last().unwrap_or(""));
    }
    deliver(&text, request.out.as_deref())
}

/// The seconds and megabytes of a program.
#[derive(Clone, Copy)]
struct Measured {
    seconds: f64,
    megabytes: u64,
}

fn row(kernel: &str, runs: usize) -> Result<String, String> {
    let place = Workplace::new(&format!("contraction-{kernel}"))?;
    let mut cells = "—".to_string();
    for (column, (_, program, storage)) in COLUMNS.iter().enumerate() {
        let notes = build(&place, kernel, (column, program), *storage)?;
        if column == CONTRACTED {
            let own = notes.iter().filter_map(|note| note.strip_prefix("storage: elements of "));
            let own: Vec<&str> =
                own.filter_map(|note| note.split(';').next()?.rsplit(": ").next()).collect();
            cells = own.join(", ");
        }
    }
    let mut best = [Measured { seconds: f64::INFINITY, megabytes: 0 }; COLUMNS.len()];
    let mut sums: Vec<String> = Vec::new();
    for _ in 0..runs {
        for (column, best) in best.iter_mut().enumerate() {
            let (measured, sum) = execution(&place, column)?;
            best.seconds = best.seconds.min(measured.seconds);
            best.megabytes = best.megabytes.max(measured.megabytes);
            sums.push(sum);
        }
    }
    if sums.iter().any(|sum| *sum != sums[0]) {
        return Err(format!("{kernel}: the programs compute different sums"));
    }
    let others = best.iter().enumerate().filter(|(column, _)| *column != CONTRACTED);
    let least = others.map(|(_, other)| other.seconds).fold(f64::INFINITY, f64::min);
    let ratio = least / best[CONTRACTED].seconds;
    let columns: Vec<String> =
        best.iter().map(|m| format!("{:.3} | {}", m.seconds, m.megabytes)).collect();
    Ok(format!("| {kernel} | {} | {ratio:.2} | {cells} |\n", columns.join(" | ")))
}

/// Builds the program of a column, and returns what is noted about its regions.
fn build(
    place: &Workplace,
    kernel: &str,
    (column, program): (usize, &str),
    storage: Option<Storage>,
) -> Result<Vec<String>, String> {
    let folder = repository::root().join("crates/loopwright/tests/time_space");
    let path = folder.join(format!("{kernel}-{program}.c"));
    let (mut code, mut notes) =
        (std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?, vec![]);
    if let Some(storage) = storage {
        let options = CompileOptions { storage, ..CompileOptions::new() };
        let compiled = compile_file(&path, &options).map_err(|failure| failure.to_string())?;
        let regions = compiled.report.regions.iter();
        notes = regions.flat_map(|region| region.notes.iter().cloned()).collect();
        code = compiled.code;
    }
    let source = format!("{column}.c");
    place.write(&source, &code)?;
    let flags = ["-O3", "-march=native", "-fopenmp", "-w"];
    let output = format!("program-{column}");
    place.output("gcc", &[&flags[..], &[&source, "-o", &output]].concat())?;
    Ok(notes)
}

/// What a program printed: its seconds and megabytes, and a sum.
fn execution(place: &Workplace, column: usize) -> Result<(Measured, String), String> {
    let printed = place.output(&format!("./program-{column}"), &[])?;
    let words: Vec<&str> = printed.split_whitespace().collect();
    let [seconds, megabytes, sum] = words[..] else { return Err("no figures printed".into()) };
    let number = |e: std::num::ParseFloatError| e.to_string();
    let megabytes = megabytes.parse().map_err(|_| "no megabytes printed")?;
    let seconds = seconds.parse().map_err(number)?;
    Ok((Measured { seconds, megabytes }, sum.to_string()))
}
