//! `cargo xtask budgets`: how long operations run whose budget ends.
//!
//! Every line is run with budgets of several sizes, in steps and in time. The table says for each
//! operation how long a step took where the limit of steps was reached, and how much longer than
//! the limit of time it ran where that was reached. Without a file the lines are unions of many
//! pieces made up here.
use super::operation::{self, Failure};
use super::record::Record;
use loopwright_presburger::Budget;
use std::collections::BTreeMap;
use std::time::Duration;

const USAGE: &str = "usage: cargo xtask budgets [FILE] [--only OPERATION] [--pieces 400]";

/// The limits in steps.
const STEPS: [u64; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

/// The limits in time, in milliseconds.
const MILLISECONDS: [u64; 3] = [5, 50, 500];

/// The operations that are run on the pieces made up here, with the kinds of their operands.
const MADE_UP: [(&str, &str, &str); 22] = [
    ("set_intersect", "set", "set"),
    ("set_union", "set", "set"),
    ("set_subtract", "set", "set"),
    ("set_is_subset", "set", "set"),
    ("set_is_disjoint", "set", "set"),
    ("set_product", "set", "set"),
    ("set_gist", "set", "set"),
    ("set_coalesce", "set", ""),
    ("set_make_disjoint", "set", ""),
    ("set_compute_divs", "set", ""),
    ("set_remove_redundancies", "set", ""),
    ("set_affine_hull", "set", ""),
    ("set_simple_hull", "set", ""),
    ("set_convex_hull", "set", ""),
    ("set_lexmin", "set", ""),
    ("set_apply", "set", "map"),
    ("map_apply_range", "map", "map"),
    ("map_range_product", "map", "map"),
    ("map_intersect_domain", "map", "set"),
    ("map_is_single_valued", "map", ""),
    ("map_lexmax", "map", ""),
    ("map_transitive_closure", "map", ""),
];

/// What was measured for an operation.
#[derive(Default)]
struct Line {
    /// Nanoseconds for a step.
    steps: Vec<f64>,
    /// Time over limit.
    overshoots: Vec<f64>,
    /// The longest time beyond a limit.
    beyond: Duration,
}

/// Measures and prints the table.
pub(crate) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    use lexopt::prelude::*;
    let (mut file, mut only, mut n_pieces) = (None, None, 400);
    let mut read = || -> Result<(), lexopt::Error> {
        while let Some(argument) = parser.next()? {
            match argument {
                Long("only") => only = Some(parser.value()?.string()?),
                Long("pieces") => n_pieces = parser.value()?.parse()?,
                Value(path) if file.is_none() => file = Some(path.string()?),
                _ => return Err(argument.unexpected()),
            }
        }
        Ok(())
    };
    read().map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let text = match file {
        Some(file) => {
            std::fs::read_to_string(&file).map_err(|e| format!("cannot read {file}: {e}"))?
        }
        None => made_up(n_pieces),
    };
    let is_chosen = |record: &Record| only.as_ref().is_none_or(|only| *only == record.operation);
    let mut lines: BTreeMap<String, Line> = BTreeMap::new();
    for record in text.lines().filter_map(Record::parse).filter(is_chosen) {
        let line = lines.entry(record.operation.clone()).or_default();
        measure(&record, line)?;
    }
    print!("{}", table(&lines));
    Ok(())
}

/// Runs a line with all limits until one is not reached.
fn measure(record: &Record, line: &mut Line) -> Result<(), String> {
    let run = |budget: fn(u64) -> Budget, limit: u64| -> Result<Option<Duration>, Failure> {
        // Operands that no earlier run has left facts in.
        let operands = operation::operands(record)?;
        let (result, time) = operation::timed(record, &operands, true, &budget(limit))?;
        Ok(matches!(result, Err(Failure::Limit)).then_some(time))
    };
    let explain = |failure: Failure| format!("{}: {failure}", record.id);
    for limit in STEPS {
        let Some(time) = run(Budget::steps, limit).map_err(explain)? else { break };
        line.steps.push(time.as_nanos() as f64 / limit as f64);
    }
    for limit in MILLISECONDS {
        let budget = |limit: u64| Budget::time(Duration::from_millis(limit));
        let Some(time) = run(budget, limit).map_err(explain)? else { break };
        let limit = Duration::from_millis(limit);
        line.overshoots.push(time.as_secs_f64() / limit.as_secs_f64());
        line.beyond = line.beyond.max(time.saturating_sub(limit));
    }
    Ok(())
}

fn table(lines: &BTreeMap<String, Line>) -> String {
    let mut text = format!(
        "{:<28} {:>5} {:>8} {:>8} {:>8}   {:>5} {:>8} {:>8} {:>10}\n",
        "operation", "runs", "ns/step", "least", "most", "runs", "time", "most", "beyond us"
    );
    let mut all = Line::default();
    for (name, line) in lines {
        text.push_str(&row(name, line));
        all.steps.extend(&line.steps);
        all.overshoots.extend(&line.overshoots);
        all.beyond = all.beyond.max(line.beyond);
    }
    text.push_str(&row("all", &all));
    text
}

fn row(name: &str, line: &Line) -> String {
    let [steps, least, most] = summary(&line.steps);
    let [overshoot, _, worst] = summary(&line.overshoots);
    format!(
        "{name:<28} {:>5} {steps:>8.1} {least:>8.1} {most:>8.1}   {:>5} {overshoot:>8.3} {worst:>8.3} {:>10.0}\n",
        line.steps.len(),
        line.overshoots.len(),
        line.beyond.as_secs_f64() * 1e6,
    )
}

/// The geometric mean, the least and the greatest.
fn summary(values: &[f64]) -> [f64; 3] {
    let mean = (values.iter().map(|v| v.ln()).sum::<f64>() / values.len() as f64).exp();
    let extreme = |choose: fn(f64, f64) -> f64| values.iter().copied().reduce(choose);
    [mean, extreme(f64::min).unwrap_or(f64::NAN), extreme(f64::max).unwrap_or(f64::NAN)]
}

/// Lines with unions of `n_pieces` pieces, for every operation of [`MADE_UP`].
fn made_up(n_pieces: usize) -> String {
    let mut text = String::new();
    for (index, (operation, kind, other)) in MADE_UP.iter().enumerate() {
        let mut numbers = Numbers(index as u64);
        let mut operand = |kind: &str| match kind {
            "set" => union("", n_pieces, &mut numbers),
            "map" => union("[i, j] -> ", n_pieces, &mut numbers),
            _ => String::new(),
        };
        let (a, b) = (operand(kind), operand(other));
        text.push_str(&format!("{index}\t{operation}\t{kind}\t{a}\t{other}\t{b}\n"));
    }
    text
}

/// A union of sets or relations, bounded by sloping lines and partly with a stride.
fn union(domain: &str, n_pieces: usize, numbers: &mut Numbers) -> String {
    let input = if domain.is_empty() { ("x", "y") } else { ("i", "j") };
    let piece = |numbers: &mut Numbers| {
        let [a, b, c, d] = [0; 4].map(|_| numbers.next() % 1000);
        let stride = if numbers.next().is_multiple_of(4) { " and (x + 2y) mod 3 = 1" } else { "" };
        let (i, j) = input;
        format!(
            "{domain}[x, y] : {a} <= x <= {a} + n and {b} <= 3y - {i} and y + {j} <= {b} + {c} \
             and {i} + {j} <= {c} + {d}{stride}"
        )
    };
    let pieces: Vec<String> = (0..n_pieces).map(|_| piece(numbers)).collect();
    format!("[n] -> {{ {} }}", pieces.join("; "))
}

/// A sequence of numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}
