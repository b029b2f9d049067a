//! The tables, as Markdown.
use super::registers::Kernel;
use super::rows::{Outcome, Row};
use crate::table::geometric_mean;
use std::fmt::Write;

/// What ours may be times the peer's at most.
const MOST: f64 = 1.1;

/// The rows of one size.
pub(super) struct Sheet<'s> {
    pub(super) size: &'s str,
    pub(super) rows: Vec<Row>,
}

impl Sheet<'_> {
    pub(super) fn wrong(&self) -> Vec<String> {
        let of_row = |row: &Row| Some(format!("{}: {}", self.size, row.wrong()?));
        self.rows.iter().filter_map(of_row).collect()
    }
}

/// A figure of a run.
type Figure = fn(&Outcome) -> f64;

/// The figures that are compared: the fewer the better.
const COMPARED: [(&str, Figure); 3] =
    [("launches", Outcome::launches), ("bytes", Outcome::bytes), ("sectors", Outcome::sectors)];

pub(super) fn text(sheets: &[Sheet], title: &str, peer: Option<&str>) -> String {
    let mut text = format!(
        "# What programs do on devices\n\nWritten by `cargo xtask devices`; do not edit.\n\n\
         Programs: {title}. Kernels are CUDA text on an emulation that counts what they do; no device is needed. \
         *Sectors* are 32-byte pieces of global memory that warps of 32 threads load and store: accesses at the same place of the text are one request. \
         *Bytes* are copied between host and device, in both directions. *Coalescing* is the part of the sectors that would do if elements lay side by side, \
         *conflicts* the cycles of shared memory over those that would do. Accesses are those of the text: what a compiler keeps in registers is counted each \
         time. `same` means that the results have the bits of the program as it is written, and that the emulation finds no race, no access outside of \
         an allocation and no value that was never written.\n"
    );
    if let Some(peer) = peer {
        let _ = writeln!(
            text,
            "\nCounts of {peer} with its default options stand behind `/`; ratios are ours over its, where its results are right."
        );
    }
    for sheet in sheets {
        let _ = writeln!(text, "\n## {}\n", sheet.size);
        text += &work(&sheet.rows, peer);
        text += &means(sheet, peer);
        text += &kernels(&sheet.rows);
        text += &compiled(&sheet.rows);
    }
    text
}

fn count(value: f64) -> String {
    format!("{value:.0}")
}

fn fraction(value: f64) -> String {
    format!("{value:.2}")
}

/// Ours, and the peer's behind a stroke.
fn both(row: &Row, figure: impl Fn(&Outcome) -> Option<f64>, show: fn(f64) -> String) -> String {
    let one = |outcome: Option<&Outcome>| outcome.and_then(&figure).map_or("–".to_string(), show);
    let ours = one(row.ours.as_ref());
    match &row.peer {
        None => ours,
        Some(peer) => format!("{ours} / {}", one(peer.as_ref().ok())),
    }
}

/// What is copied, launched and accessed.
fn work(rows: &[Row], peer: Option<&str>) -> String {
    let mut text = "| program | result | ms |".to_string();
    let mut line = "|:--|:--|--:|".to_string();
    if let Some(peer) = peer {
        let _ = write!(text, " {peer} |");
        line += ":--|";
    }
    for (name, _) in COMPARED {
        let _ = write!(text, " {name} |");
        line += "--:|";
        if peer.is_some() {
            text += " ratio |";
            line += "--:|";
        }
    }
    text = format!("{text}\n{line}\n");
    for row in rows {
        let result = row.wrong().map_or("same".to_string(), |_| "**wrong**".to_string());
        let result = if row.ours.is_none() { "stays".to_string() } else { result };
        let mark = if row.is_proved { "" } else { " (not proved)" };
        let _ = write!(text, "| {} | {result} | {:.0}{mark} |", row.name, row.transformation_ms);
        if peer.is_some() {
            let said = match &row.peer {
                None => "no text",
                Some(Err(_)) => "not built",
                Some(Ok(peer)) if peer.is_same => "same",
                Some(Ok(_)) => "wrong",
            };
            let _ = write!(text, " {said} |");
        }
        for (_, figure) in COMPARED {
            let _ = write!(text, " {} |", both(row, |outcome| Some(figure(outcome)), count));
            if peer.is_some() {
                let ratio = row.pair().map(|(ours, peer)| figure(ours) / figure(peer).max(1.0));
                let _ = write!(text, " {} |", ratio.map_or("–".to_string(), fraction));
            }
        }
        text += "\n";
    }
    text
}

/// Geometric means of the ratios, and what is too much.
fn means(sheet: &Sheet, peer: Option<&str>) -> String {
    let Some(peer) = peer else { return String::new() };
    let mut text = String::new();
    for (name, figure) in COMPARED {
        let ratio = |row: &Row| {
            let (ours, peer) = row.pair()?;
            Some((row.name.clone(), figure(ours).max(1.0) / figure(peer).max(1.0)))
        };
        let ratios: Vec<(String, f64)> = sheet.rows.iter().filter_map(ratio).collect();
        let values: Vec<f64> = ratios.iter().map(|(_, ratio)| *ratio).collect();
        let Some(mean) = geometric_mean(&values) else { continue };
        let worse = ratios.iter().filter(|(_, ratio)| *ratio > MOST);
        let worse: Vec<String> = worse.map(|(name, ratio)| format!("{name} {ratio:.2}")).collect();
        let worse = if worse.is_empty() { "none".to_string() } else { worse.join(", ") };
        let _ = writeln!(
            text,
            "\n{name}: geometric mean **{mean:.2}** of {peer}'s over {} programs; above {MOST}: {worse}.",
            values.len()
        );
    }
    text
}

/// How kernels use memory.
fn kernels(rows: &[Row]) -> String {
    let mut text = "\n| program | accesses per operation | coalescing | barriers per thread | shared accesses | conflicts |\n\
                    |:--|--:|--:|--:|--:|--:|\n"
        .to_string();
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            row.name,
            both(row, Outcome::accesses_per_operation, fraction),
            both(row, |outcome| Some(outcome.coalescing()), fraction),
            both(row, |outcome| Some(outcome.barriers_per_thread()), fraction),
            both(row, |outcome| Some(outcome.shared_accesses()), count),
            both(row, Outcome::conflicts, fraction)
        );
    }
    text
}

/// What NVIDIA's compiler makes of them.
fn compiled(rows: &[Row]) -> String {
    if rows.iter().all(|row| row.compiled.is_empty()) {
        return String::new();
    }
    let mut text = "\nCompiled for sm_90 without contraction: the most of any kernel, and the least occupancy, modelled.\n\n\
                    | program | registers | spilled bytes | shared bytes | occupancy | seconds |\n\
                    |:--|--:|--:|--:|--:|--:|\n"
        .to_string();
    for row in rows {
        let most = |kernels: &[Kernel], of: fn(&Kernel) -> u64| {
            kernels.iter().map(of).max().map_or("–".to_string(), |most| most.to_string())
        };
        let least = |kernels: &[Kernel]| {
            let all = kernels.iter().map(|kernel| kernel.occupancy);
            all.min_by(f64::total_cmp).map_or("–".to_string(), fraction)
        };
        let pair = |of: &dyn Fn(&[Kernel]) -> String| match row.peer_compiled.as_slice() {
            [] => of(&row.compiled),
            peer => format!("{} / {}", of(&row.compiled), of(peer)),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            row.name,
            pair(&|kernels| most(kernels, |kernel| kernel.registers)),
            pair(&|kernels| most(kernels, |kernel| kernel.spilled_bytes)),
            pair(&|kernels| most(kernels, |kernel| kernel.shared_bytes)),
            pair(&least),
            row.seconds.map_or("–".to_string(), |seconds| format!("{seconds:.4}"))
        );
    }
    text
}
