//! `cargo xtask conditions`: programs with conditions on data, with the dependences of accesses and with
//! dataflow through conditions.
use crate::deliver::{deliver, out_option};
use crate::repository;
use loopwright::{CompileOptions, DataflowBy, compile_file};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const USAGE: &str = "usage: cargo xtask conditions [--out docs/conditions.md]";

const HEADER: &str = "\
# Programs with conditions on data

Written by `cargo xtask conditions`; do not edit.

The programs of `crates/loopwright/tests/conditions`: compaction, early exits, comparison of strings, tables, sparse rows, dynamic programming with cut-offs, values that are
written under one condition and read under another one. *Parallel loops* are those that threads share in the result of `loopwright compile --always-rewrite`, with the dependences of
accesses (the default) and with `--dataflow parametric` (docs/dataflow.md). Times are those of 20 calls of `f` after a first one, with `gcc -O2 -fopenmp` and two threads, the best of five: as it is written, and with
both results, once where they are one text. All results print the same. `*`: the region has no model with filters, so its dependences are those of accesses.

Of early exits, threads look for those of loops that count up or down by a constant: `for` loops with `break`s, `return`s or a flag, and `while` loops with a bound and conditions on data
(docs/dependences.md). Loops with work between their exits, and those whose work changes what decides, stay in sequence.

| program | parallel loops | with conditions | as written | accesses | with conditions | times as fast |
|:--|--:|--:|--:|--:|--:|--:|
";

/// So many runs of a program.
const RUNS: usize = 5;

/// Makes the table.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let out = out_option(parser, USAGE)?;
    let work = std::env::temp_dir().join(format!("loopwright-conditions-{}", std::process::id()));
    std::fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    let text = table(&work);
    let _ = std::fs::remove_dir_all(&work);
    deliver(&text?, out.as_deref())
}

/// The table; programs are built in a folder.
fn table(work: &Path) -> Result<String, String> {
    let folder = repository::root().join("crates/loopwright/tests/conditions");
    let mut text = HEADER.to_string();
    let mut totals = [0; 2];
    for path in programs(&folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let plain = compiled(&path, DataflowBy::Accesses)?;
        let finer = compiled(&path, DataflowBy::Parametric)?;
        let original = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        let texts = [&original, &plain.code, &finer.code];
        let mut runs: Vec<(String, f64)> = Vec::new();
        for (position, code) in texts.into_iter().enumerate() {
            // One text has one time.
            let same = texts[..position].iter().position(|other| *other == code);
            runs.push(match same {
                Some(same) => runs[same].clone(),
                None => timed(code, &folder, &work.join(format!("{name}_{position}")))?,
            });
        }
        if runs.iter().any(|run| run.0 != runs[0].0) {
            return Err(format!("{name}: the results print something else"));
        }
        totals[0] += plain.n_parallel;
        totals[1] += finer.n_parallel;
        let mark = if finer.is_by_accesses { "*" } else { "" };
        let ms = |run: usize| format!("{:.3} ms", runs[run].1 * 1000.0);
        let _ = writeln!(
            text,
            "| {name} | {} | {}{mark} | {} | {} | {} | {:.2} |",
            plain.n_parallel,
            finer.n_parallel,
            ms(0),
            ms(1),
            ms(2),
            runs[1].1 / runs[2].1
        );
    }
    let _ = writeln!(text, "| all | {} | {} | | | | |", totals[0], totals[1]);
    Ok(text)
}

fn programs(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    files.sort();
    Ok(files)
}

/// What comes of a compilation.
struct Outcome {
    code: String,
    n_parallel: usize,
    is_by_accesses: bool,
}

fn compiled(path: &Path, dataflow: DataflowBy) -> Result<Outcome, String> {
    let options = CompileOptions { always_rewrite: true, dataflow, ..CompileOptions::new() };
    let compiled = compile_file(path, &options).map_err(|failure| failure.to_string())?;
    let notes = compiled.report.regions.iter().flat_map(|region| &region.notes);
    let is_by_accesses = notes.into_iter().any(|note| note.starts_with("dataflow is that of"));
    let n_parallel = compiled.code.matches("#pragma omp parallel for").count();
    Ok(Outcome { code: compiled.code, n_parallel, is_by_accesses })
}

/// What a program prints, and the least seconds that it says to have taken.
fn timed(code: &str, folder: &Path, place: &Path) -> Result<(String, f64), String> {
    let source = place.with_extension("c");
    std::fs::write(&source, code).map_err(|e| e.to_string())?;
    let built = Command::new("gcc")
        .args(["-O2", "-fopenmp", "-w", "-I"])
        .arg(folder)
        .arg(&source)
        .arg("-o")
        .arg(place)
        .arg("-lm")
        .status()
        .map_err(|e| format!("cannot run gcc: {e}"))?;
    if !built.success() {
        return Err(format!("{}: gcc fails", source.display()));
    }
    let mut least = f64::INFINITY;
    let mut printed = String::new();
    for _ in 0..RUNS {
        let run = Command::new(place).env("OMP_NUM_THREADS", "2").output();
        let run = run.map_err(|e| format!("{}: {e}", place.display()))?;
        printed = String::from_utf8_lossy(&run.stdout).into_owned();
        let seconds = String::from_utf8_lossy(&run.stderr);
        least = least.min(seconds.trim().parse().unwrap_or(f64::INFINITY));
    }
    Ok((printed, least))
}
