//! `cargo xtask replay`: recorded set operations, with the time and the result of each.
//!
//! Standard output has one line `id<TAB>ns<TAB>result` per recorded operation, standard error a
//! table by operation. Operands are parsed anew for every measurement and results are printed
//! afterwards, both outside of the measured time. The time is the least of several passes over
//! the whole file, so that no measurement finds the operands of the previous one in the cache;
//! with `--busy` it is that of the processor for long calls ([`clock`]).
mod budgets;
mod clock;
mod function_operations;
mod map_operations;
mod operation;
mod record;
mod set_operations;
mod shared_rows;
mod summary;
mod union_operations;
mod value;
mod watch;

pub(crate) use budgets::run as run_budgets;
use operation::Outcome;
use record::Record;
use std::io::Write;
use std::time::Duration;
use summary::Summary;

const USAGE: &str =
    "usage: cargo xtask replay FILE [--limit SECONDS] [--only OPERATION] [--passes 3] [--busy]";

/// A line that took longer is not measured again: its time is long enough to be steady.
const LONG: Duration = Duration::from_millis(300);

struct Request {
    file: String,
    limit: Duration,
    only: Option<String>,
    passes: usize,
    is_busy: bool,
}

/// Replays a file.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let request = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let text = std::fs::read_to_string(&request.file)
        .map_err(|e| format!("cannot read {}: {e}", request.file))?;
    let is_chosen =
        |record: &Record| request.only.as_ref().is_none_or(|only| *only == record.operation);
    let records: Vec<Record> = text.lines().filter_map(Record::parse).filter(is_chosen).collect();
    let outcomes = measure(&records, &request);
    print(&records, &outcomes).map_err(|e| format!("cannot write the results: {e}"))
}

fn parse(mut parser: lexopt::Parser) -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let (mut file, mut limit, mut only, mut passes, mut is_busy) = (None, 20.0, None, 3, false);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("limit") => limit = parser.value()?.parse()?,
            Long("only") => only = Some(parser.value()?.string()?),
            Long("passes") => passes = parser.value()?.parse()?,
            Long("busy") => is_busy = true,
            Value(path) if file.is_none() => file = Some(path.string()?),
            _ => return Err(argument.unexpected()),
        }
    }
    let limit = Duration::try_from_secs_f64(limit).map_err(|e| e.to_string())?;
    let file = file.ok_or("which file?")?;
    Ok(Request { file, limit, only, passes: std::cmp::max(passes, 1), is_busy })
}

/// The outcome of every record, with the least time of the passes.
fn measure(records: &[Record], request: &Request) -> Vec<Outcome> {
    let mut outcomes = watch::run_all(records, request.limit, request.is_busy);
    let is_short = |outcome: &Outcome| match outcome {
        Outcome::Done { time, .. } => *time < LONG,
        Outcome::Failed(_) => false,
    };
    let chosen: Vec<usize> = (0..records.len()).filter(|&i| is_short(&outcomes[i])).collect();
    let again: Vec<Record> = chosen.iter().map(|&i| records[i].clone()).collect();
    for _ in 1..request.passes {
        let repeated = watch::run_all(&again, request.limit, request.is_busy);
        for (&index, repeated) in chosen.iter().zip(&repeated) {
            if let (Outcome::Done { time, .. }, Outcome::Done { time: again, .. }) =
                (&mut outcomes[index], repeated)
            {
                *time = (*time).min(*again);
            }
        }
    }
    outcomes
}

fn print(records: &[Record], outcomes: &[Outcome]) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut summary = Summary::default();
    for (record, outcome) in records.iter().zip(outcomes) {
        match outcome {
            Outcome::Done { time, text, .. } => {
                writeln!(out, "{}\t{}\t{text}", record.id, time.as_nanos())?;
            }
            Outcome::Failed(failure) => writeln!(out, "{}\t-1\t{}", record.id, failure.word())?,
        }
        summary.add(record, outcome);
    }
    out.flush()?;
    eprint!("{summary}");
    Ok(())
}
