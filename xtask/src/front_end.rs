//! `cargo xtask front-end`: what the front end takes per line of long files.
use crate::least_time::least_milliseconds;
use loopwright_cfront::{Region, SourceFile};
use loopwright_testkit::Shape;

const USAGE: &str = "usage: cargo xtask front-end [LINES ...]

The time from a file's text to the models of its regions, for files of each shape with so many lines
(default 5000 10000 20000 50000).";

/// How often each time is measured.
const RUNS: usize = 3;

/// Measures and prints the table.
pub(crate) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    let wrong = |e: lexopt::Error| format!("{e}\n\n{USAGE}");
    let mut sizes = Vec::new();
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            lexopt::Arg::Value(lines) => {
                let lines = lines.to_str().and_then(|text| text.parse().ok());
                sizes.push(lines.filter(|n| *n > 0).ok_or(USAGE)?);
            }
            other => return Err(wrong(other.unexpected())),
        }
    }
    if sizes.is_empty() {
        sizes = vec![5_000, 10_000, 20_000, 50_000];
    }
    println!("| file | regions | lines | ms | ms per 1,000 lines |\n|---|---|---:|---:|---:|");
    for (word, shape) in Shape::WORDS {
        for pragmas in [true, false] {
            if pragmas && shape == Shape::PlainCode {
                continue;
            }
            for &lines in &sizes {
                row(word, shape, pragmas, lines)?;
            }
        }
    }
    Ok(())
}

fn row(word: &str, shape: Shape, pragmas: bool, lines: usize) -> Result<(), String> {
    let text = shape.file(lines, pragmas);
    let (milliseconds, _regions) = least_milliseconds(RUNS, || read(&text, pragmas))?;
    let regions = if pragmas { "between pragmas" } else { "found" };
    let n_lines = text.lines().count();
    let each = milliseconds * 1000.0 / n_lines as f64;
    println!("| {word} | {regions} | {n_lines} | {milliseconds:.0} | {each:.1} |");
    Ok(())
}

/// The models of a file's regions.
fn read(text: &str, pragmas: bool) -> Result<Vec<Region>, String> {
    let file = SourceFile::from_text("long.c", text);
    let file = if pragmas { file } else { file.autodetecting() };
    let regions = file.extract().map_err(|refusals| refusals[0].to_string())?;
    match regions.is_empty() {
        true => Err("no regions are found".to_string()),
        false => Ok(regions),
    }
}
