//! `cargo xtask strategies`: code size, executed instructions and generation time of the strategies
//! of code generation.
mod corpus;
mod program;

use crate::counted::Workplace;
use crate::deliver::deliver;
use crate::least_time::least_milliseconds;
use crate::repository;
use loopwright::CodegenInput;
use loopwright_astgen::{AstNode, LevelRange, Options, Separation, Strategy};
use program::{Program, Values};
use std::fmt::Write;
use std::path::PathBuf;

const USAGE: &str = "\
usage: cargo xtask strategies [--runs 7] [--out docs/strategies.md]
       cargo xtask strategies --corpus FOLDER [--peer FOLDER] [--about TEXT] [--runs 3] [--out FILE]

With --corpus: over all schedules (.in, .st) in a folder, for each strategy how many have code, and
its size, executed instructions and generation time. With --peer: the same for the programs of
another generator, which lie in a second folder in the same places as C files.";

const HEADER: &str = "\
# The strategies of code generation

Written by `cargo xtask strategies`; do not edit.

Inputs: the schedules in `xtask/strategies`. Size: bytes of machine code of the loops, statements
being a store of a number made of their arguments (`gcc -O2`). Instructions: what callgrind counts
while the loops run with the values of the parameters that the files name. Time: to read the file
and generate the code, least of several runs in one process.

`components` is the default (Grosser, Verdoolaege, Cohen), `separation` that of Quilleré,
Rajopadhye, Wilde, `+ dead loops` the same with `--remove-dead-loops`, `from 1` with
`--separate-from 1`, `kelly-pugh` that of Kelly and Pugh.
";

/// What was measured for one input under one strategy.
#[derive(Clone, Copy)]
struct Measured {
    bytes: f64,
    instructions: f64,
    milliseconds: f64,
}

/// Measures and prints, or writes, the table.
pub(crate) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    let (mut runs, mut out) = (None, None);
    let (mut corpus, mut peer, mut about) = (None, None, String::new());
    let wrong = |e: lexopt::Error| format!("{e}\n\n{USAGE}");
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            lexopt::Arg::Long("runs") => {
                let text = parser.value().map_err(wrong)?;
                runs = Some(text.to_str().and_then(|t| t.parse().ok()).ok_or(USAGE)?);
            }
            lexopt::Arg::Long("corpus") => {
                corpus = Some(PathBuf::from(parser.value().map_err(wrong)?));
            }
            lexopt::Arg::Long("about") => {
                about = parser.value().map_err(wrong)?.to_string_lossy().into_owned();
            }
            lexopt::Arg::Long("peer") => peer = Some(PathBuf::from(parser.value().map_err(wrong)?)),
            lexopt::Arg::Long("out") => out = Some(PathBuf::from(parser.value().map_err(wrong)?)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    let text = match corpus {
        Some(folder) => corpus::table(&folder, peer.as_deref(), &about, runs.unwrap_or(3))?,
        None => table(runs.unwrap_or(7))?,
    };
    deliver(&text, out.as_deref())
}

/// A strategy with its name in the tables.
type Named = (&'static str, Strategy);
const COMPONENTS: Named = ("components", Strategy::Components);
const SEPARATION: Named = ("separation", Strategy::Separation(Separation::STANDARD));
const KELLY_PUGH: Named = ("kelly-pugh", Strategy::KellyPugh(LevelRange::ALL));

fn strategies() -> [Named; 5] {
    let dead_loops = Separation { remove_dead_loops: true, ..Separation::STANDARD };
    let levels = LevelRange { from: 1, ..LevelRange::ALL };
    let inner = Separation { levels, ..Separation::STANDARD };
    [
        COMPONENTS,
        SEPARATION,
        ("+ dead loops", Strategy::Separation(dead_loops)),
        ("from 1", Strategy::Separation(inner)),
        KELLY_PUGH,
    ]
}

/// The document.
fn table(runs: usize) -> Result<String, String> {
    let folder = repository::root().join("xtask/strategies");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let mut rows: Vec<(String, Vec<Measured>)> = Vec::new();
    for file in &files {
        let name = file.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
        let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let measured = strategies().into_iter().map(|(_, strategy)| {
            measure(&text, strategy, runs).map_err(|e| format!("{name}, {strategy:?}: {e}"))
        });
        let measured: Vec<Measured> = measured.collect::<Result<_, _>>()?;
        rows.push((name, measured));
    }
    let mut document = HEADER.to_string();
    document += &part("Size in bytes", &rows, |m| m.bytes, 0);
    document += &part("Executed instructions", &rows, |m| m.instructions, 0);
    document += &part("Generation time in milliseconds", &rows, |m| m.milliseconds, 2);
    Ok(document)
}

/// One quantity of all inputs, with the geometric means of the ratios to the first strategy.
fn part(
    title: &str,
    rows: &[(String, Vec<Measured>)],
    quantity: fn(&Measured) -> f64,
    digits: usize,
) -> String {
    let names = strategies().map(|(name, _)| name);
    let mut text = format!("\n## {title}\n\n| input | {} |\n", names.join(" | "));
    text += &format!("|---|{}\n", "---:|".repeat(names.len()));
    let mut logarithms = vec![0.0; names.len()];
    for (name, measured) in rows {
        let values: Vec<f64> = measured.iter().map(quantity).collect();
        for (sum, value) in logarithms.iter_mut().zip(&values) {
            *sum += (value / values[0]).ln();
        }
        let cells: Vec<String> = values.iter().map(|v| format!("{v:.digits$}")).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    let mean = |sum: &f64| format!("{:.2}", (sum / rows.len() as f64).exp());
    let means: Vec<String> = logarithms.iter().map(mean).collect();
    let _ = writeln!(text, "| geometric mean of ratios | {} |", means.join(" | "));
    text
}

fn measure(text: &str, strategy: Strategy, runs: usize) -> Result<Measured, String> {
    let (ast, milliseconds) = generated(text, strategy, runs)?;
    let place = Workplace::new("strategies")?;
    let values = parameters(text)?;
    let names: Vec<String> = values.iter().map(|(name, _)| name.clone()).collect();
    let (code, statements) = (program::text(&ast), program::statements(&ast));
    let program = Program::compile(&place, &code, &statements, &names)?;
    let (bytes, instructions) = (program.bytes()?, program.instructions(&values)?);
    Ok(Measured { bytes, instructions, milliseconds })
}

/// The syntax tree for a schedule, and the least time in milliseconds that it took.
fn generated(text: &str, strategy: Strategy, runs: usize) -> Result<(AstNode, f64), String> {
    let options = Options { strategy, ..Options::STANDARD };
    let generate = || CodegenInput::read(text)?.code(&options);
    let words = |e: loopwright::Failure| e.to_string();
    let (milliseconds, ast) = least_milliseconds(runs, generate).map_err(words)?;
    Ok((ast, milliseconds))
}

/// The values of the parameters from the line `# run: n=10 m=20`.
fn parameters(text: &str) -> Result<Values, String> {
    let line = text.lines().find_map(|line| line.strip_prefix("# run:")).ok_or("no `# run:`")?;
    let pair = |word: &str| {
        let (name, value) = word.split_once('=')?;
        Some((name.to_string(), value.parse().ok()?))
    };
    line.split_whitespace().map(|word| pair(word).ok_or(format!("`{word}`"))).collect()
}
