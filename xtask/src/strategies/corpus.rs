//! The strategies of code generation over a whole corpus, beside another generator's programs.
use super::program::{Program, Statements, Values, statements, text as text_of};
use super::{COMPONENTS, KELLY_PUGH, Named, SEPARATION, generated};
use crate::counted::Workplace;
use loopwright::CodegenInput;
use loopwright_presburger::{Budget, Error, Int, Set};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HEADER: &str = "\
# The strategies of code generation over a corpus

Written by `cargo xtask strategies --corpus`; do not edit.

";

const EXPLANATION: &str = "\
Geometric means are of the ratios to `components`, over the files for which both have the figure.
Size and instructions as in `docs/strategies.md`; the parameters have the largest of some values
around 100, 40, 20, 10, 5, 3, 2, 1 that the context allows and for which at least one and at most
200,000 statements run. All programs, the peer's too, have the same macros for `min`, `max` and
`floord`. Time: to read the file and generate the code, without the proof.
";

const STRATEGIES: [Named; 3] = [COMPONENTS, SEPARATION, KELLY_PUGH];

/// What is known of one file: a figure for each column, where there is one.
struct Row {
    name: String,
    columns: Vec<Result<Figures, String>>,
}

/// The figures of one program; the last two where the program could be run, and was timed.
#[derive(Clone, Copy)]
struct Figures {
    bytes: f64,
    instructions: Option<f64>,
    milliseconds: Option<f64>,
}

/// The table of a corpus. What is measured for each file goes to standard error as it comes.
pub(super) fn table(
    folder: &Path,
    peer: Option<&Path>,
    about: &str,
    runs: usize,
) -> Result<String, String> {
    let mut files = Vec::new();
    schedules(folder, &mut files)?;
    files.sort();
    let mut rows = Vec::new();
    for file in &files {
        let row = row(folder, file, peer, runs)?;
        eprintln!("{}", line(&row));
        rows.push(row);
    }
    let mut names = STRATEGIES.map(|(name, _)| name).to_vec();
    names.extend(peer.map(|_| "peer"));
    Ok(document(&rows, &names, about))
}

/// The files in a folder and the folders in it.
fn schedules(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            schedules(&path, files)?;
        } else if path.extension().is_some_and(|suffix| suffix == "in" || suffix == "st") {
            files.push(path);
        }
    }
    Ok(())
}

fn row(folder: &Path, file: &Path, peer: Option<&Path>, runs: usize) -> Result<Row, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", file.display());
    let text = std::fs::read_to_string(file).map_err(failed)?;
    let relative = file.strip_prefix(folder).unwrap_or(file);
    let name = relative.display().to_string();
    let mut task = match Task::new(&text) {
        Ok(task) => task,
        Err(reason) => return Ok(Row { name, columns: vec![Err(reason)] }),
    };
    let mut columns: Vec<Result<Figures, String>> = STRATEGIES
        .into_iter()
        .map(|(_, strategy)| {
            let (ast, milliseconds) = generated(&text, strategy, runs)?;
            task.statements.extend(statements(&ast));
            let figures = task.measure(&text_of(&ast))?;
            Ok(Figures { milliseconds: Some(milliseconds), ..figures })
        })
        .collect();
    if let Some(peer) = peer {
        let code = std::fs::read_to_string(peer.join(relative.with_extension("c")));
        columns.push(code.map_err(|e| e.to_string()).and_then(|code| task.measure(&code)));
    }
    Ok(Row { name, columns })
}

/// What the programs for one file have in common.
struct Task {
    place: Workplace,
    statements: Statements,
    /// The names of the parameters, with the values for which the programs are run.
    names: Vec<String>,
    candidates: Vec<Values>,
    values: Option<Values>,
}

impl Task {
    fn new(text: &str) -> Result<Self, String> {
        let words = |e: loopwright::Failure| e.to_string();
        let runs = CodegenInput::read(text).map_err(words)?.parameters().map_err(words)?;
        let names = runs.space().param_names().iter().map(|name| name.to_string()).collect();
        let candidates = candidates(&runs).map_err(|e| e.to_string())?;
        let place = Workplace::new("corpus")?;
        Ok(Task { place, statements: Statements::new(), names, candidates, values: None })
    }

    /// Bytes, and executed instructions if there are values to run the program with.
    fn measure(&mut self, code: &str) -> Result<Figures, String> {
        let program = Program::compile(&self.place, code, &self.statements, &self.names)?;
        for values in std::mem::take(&mut self.candidates) {
            if program.is_measurable(&values)? {
                self.values = Some(values);
                break;
            }
        }
        let bytes = program.bytes()?;
        let instructions = self.values.as_ref().map(|v| program.instructions(v)).transpose()?;
        Ok(Figures { bytes, instructions, milliseconds: None })
    }
}

/// Values of the parameters for which something is executed, the larger ones first.
fn candidates(runs: &Set) -> Result<Vec<Values>, Error> {
    let budget = Budget::steps(1_000_000);
    let names: Vec<String> = runs.space().param_names().iter().map(ToString::to_string).collect();
    let mut points: Vec<Vec<i64>> = Vec::new();
    for size in [100, 40, 20, 10, 5, 3, 2, 1] {
        for step in [0, 1, -1, size / 2, -size / 2] {
            points.push((0..names.len() as i64).map(|i| size + i * step).collect());
        }
    }
    let mut found = Vec::new();
    for point in points {
        let values: Vec<Int> = point.iter().map(|&value| Int::from(value)).collect();
        if runs.contains_point(&values, &budget)? {
            found.push(point);
        }
    }
    if let Some(point) = runs.sample_point(&budget)? {
        found.extend(point.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>());
    }
    found.dedup();
    Ok(found.into_iter().map(|point| names.iter().cloned().zip(point).collect()).collect())
}

/// The figures of one file, with tabs.
fn line(row: &Row) -> String {
    let figures = |column: &Result<Figures, String>| match column {
        Ok(Figures { bytes, instructions, milliseconds }) => {
            let number = |n: &Option<f64>| n.map_or("-".to_string(), |n| format!("{n:.3}"));
            format!("{bytes} {} {}", number(instructions), number(milliseconds))
        }
        Err(reason) => reason.lines().next().unwrap_or_default().to_string(),
    };
    let columns: Vec<String> = row.columns.iter().map(figures).collect();
    format!("{}\t{}", row.name, columns.join("\t"))
}

/// The table.
fn document(rows: &[Row], names: &[&str], about: &str) -> String {
    let (measured, failed): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.columns.len() == names.len());
    let mut text = HEADER.to_string();
    if !about.is_empty() {
        let _ = writeln!(text, "{about}\n");
    }
    let _ = writeln!(
        text,
        "{} files; {} more whose parameters have no known values.\n\n{EXPLANATION}",
        measured.len(),
        failed.len()
    );
    let _ = writeln!(text, "| | {} |\n|---|{}", names.join(" | "), "---:|".repeat(names.len()));
    let count = |column: usize| measured.iter().filter(|row| row.columns[column].is_ok()).count();
    let mut row = |title: &str, cell: &dyn Fn(usize) -> String| {
        let cells: Vec<String> = (0..names.len()).map(cell).collect();
        let _ = writeln!(text, "| {title} | {} |", cells.join(" | "));
    };
    row("files with code", &|column| count(column).to_string());
    let mean = |quantity: fn(&Figures) -> Option<f64>| {
        let measured = &measured;
        move |column: usize| geometric_mean(measured, column, quantity)
    };
    row("size", &mean(|f| Some(f.bytes)));
    row("executed instructions", &mean(|f| f.instructions));
    row("generation time", &mean(|f| f.milliseconds));
    row("generation time, total in ms", &|column| {
        let times =
            measured.iter().filter_map(|row| row.columns[column].as_ref().ok()?.milliseconds);
        let times: Vec<f64> = times.collect();
        if times.is_empty() {
            "–".to_string()
        } else {
            format!("{:.0}", times.iter().sum::<f64>())
        }
    });
    text
}

/// Of the ratios of a column to the first one, with the number of files that have them.
fn geometric_mean(rows: &[&Row], column: usize, quantity: fn(&Figures) -> Option<f64>) -> String {
    let ratio = |row: &&Row| {
        let figure = |column: usize| quantity(row.columns[column].as_ref().ok()?);
        Some((figure(column)? / figure(0)?).ln())
    };
    let logarithms: Vec<f64> = rows.iter().filter_map(ratio).collect();
    match logarithms.len() {
        0 => "–".to_string(),
        n => format!("{:.3} ({n})", (logarithms.iter().sum::<f64>() / n as f64).exp()),
    }
}
