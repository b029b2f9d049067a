//! `cargo xtask paper sica`: the tables of Feld, Soddemann, Jünger and Mallach on tile sizes by caches
//! and vector registers (IMPACT 2013, COSMIC 2013), remade on this machine.
mod measured;
mod programs;
mod variants;

use crate::deliver::deliver;
use crate::repository;
use loopwright_machine::Machine;
use measured::Measured;
use programs::{PROGRAMS, Program};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use variants::{Variant, variants, with_share};

const USAGE: &str = "\
usage: cargo xtask paper sica [--sizes 256,512,...] [--runs 3] [--shares 0.1,0.5,...]
                              [--limit SECONDS] [--out docs/paper-sica.md]

Measurements are kept in target/paper-sica; with a limit, run it again until none is missing.";

const HEADER: &str = "\
# The tables of the paper on SICA, remade

Written by `cargo xtask paper sica`; do not edit.

Programs, single precision and one thread as in Feld, Soddemann, Jünger, Mallach, \"Hardware-aware automatic
code-transformation to support compilers in exploiting the multi-level parallel potential of modern
CPUs\" (2013): `matmul` (their figure 18) and `correlation` (figure 21), N = M = K. Compiled with
`gcc -O3 -march=native -ffp-contract=off`. All versions print the same bits. *32*: all loops tiled by
32 (the default of Pluto), *32 x 8*: and those tiles by 8; *q*: only the vector loop tiled, by this
size; *SICA*: by the formulas (`--tile-model sica`, 0.9 of the first level cache); *ours*: the
default, with register tiles and panels, which the others are without. Sizes are smaller than the paper's so that the source ends in seconds.
";

/// The sizes of Tables 1 and 2 that the paper prints, and of its Table 3 divided by four.
const SIZES: [u32; 12] = [256, 257, 512, 513, 768, 1024, 1025, 1280, 1536, 1537, 1792, 2048];

/// The sizes of Table 3, divided by four.
const AVERAGED: [u32; 7] = [512, 768, 1024, 1280, 1536, 1792, 2048];

const SHARES: &str = "0.1,0.2,0.4,0.6,0.7,0.8,0.9,1.0,1.1,1.2,1.5,2.0,3.0,5.0,10";

struct Request {
    sizes: Vec<u32>,
    runs: usize,
    shares: Vec<String>,
    limit: Duration,
    out: Option<PathBuf>,
}

/// Measures what is missing and prints, or writes, the tables.
pub(super) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    use lexopt::prelude::*;
    let wrong = |e: lexopt::Error| format!("{e}\n\n{USAGE}");
    let mut request = Request {
        sizes: SIZES.to_vec(),
        runs: 3,
        shares: crate::list::names(SHARES),
        limit: Duration::from_secs(600),
        out: None,
    };
    while let Some(argument) = parser.next().map_err(wrong)? {
        let name = match argument {
            Long(name) => name.to_string(),
            other => return Err(wrong(other.unexpected())),
        };
        let text = parser.value().and_then(|value| value.string()).map_err(wrong)?;
        let number = |text: &str| text.parse::<u32>().map_err(|e| format!("{text}: {e}"));
        match &*name {
            "sizes" => {
                request.sizes = crate::list::names(&text)
                    .iter()
                    .map(|n| number(n))
                    .collect::<Result<_, _>>()?;
            }
            "runs" => request.runs = number(&text)? as usize,
            "shares" => request.shares = crate::list::names(&text),
            "limit" => request.limit = Duration::from_secs(number(&text)?.into()),
            "out" => request.out = Some(PathBuf::from(text)),
            _ => return Err(wrong(Long(&name).unexpected())),
        }
    }
    let text = document(&request)?;
    deliver(&text, request.out.as_deref())
}

fn document(request: &Request) -> Result<String, String> {
    let folder = repository::root().join("target/paper-sica");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let mut measured = Measured::read(&folder.join("measurements.tsv"), request.limit)?;
    let machine = Machine::detect();
    let mut text = format!(
        "{HEADER}\nThis machine: {} KiB and {} KiB of cache per core, registers of {} bits; {}.\n",
        machine.l1_bytes >> 10,
        machine.l2_bytes >> 10,
        machine.vector_bytes * 8,
        crate::kernels::machine(),
    );
    for program in &PROGRAMS {
        text += &times(program, request, &folder, &mut measured)?;
    }
    for program in &PROGRAMS {
        text += &sweep(program, request, &folder, &mut measured)?;
    }
    match measured.missing {
        0 => Ok(text),
        n => Err(format!("{n} measurements are missing: run it again")),
    }
}

/// Tables 1 or 2, the averages of Table 3, and which loops are tiled.
fn times(
    program: &Program,
    request: &Request,
    folder: &Path,
    measured: &mut Measured,
) -> Result<String, String> {
    let variants = variants();
    let mut text = format!("\n## {}: seconds\n\n| N |", program.name);
    variants.iter().for_each(|variant| text += &format!(" {} |", variant.name));
    let _ = writeln!(text, "\n|---:|{}", "---:|".repeat(variants.len()));
    let mut speed_ups = vec![Vec::new(); variants.len()];
    for &n in &request.sizes {
        let sizes = (program.sizes)(n);
        let mut row = Vec::new();
        for variant in &variants {
            row.push(seconds(program, variant, &sizes, request.runs, folder, measured)?);
        }
        let least = row.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let cells: Vec<String> = row.iter().map(|&time| cell(time, least)).collect();
        let _ = writeln!(text, "| {n} | {} |", cells.join(" | "));
        if let (true, Some(&Some(source))) = (AVERAGED.contains(&n), row.first()) {
            let with_times = speed_ups.iter_mut().zip(&row);
            with_times.for_each(|(list, time)| list.extend(time.map(|time| source / time)));
        }
    }
    let means: Vec<String> = speed_ups.iter().map(|list: &Vec<f64>| mean(list)).collect();
    let _ = writeln!(text, "| average speed-up over the source | {} |", means.join(" | "));
    text += "\nThe average (Table 3) is over those of ";
    text += &format!("{AVERAGED:?}").replace(['[', ']'], "");
    text += " that are in the table.\n\n| version | tile sizes, by statement |\n|---|---|\n";
    for variant in &variants[1..] {
        let _ = writeln!(text, "| {} | {} |", variant.name, variant.tile_sizes(program, folder)?);
    }
    Ok(text)
}

/// Seconds for each share of the first level cache.
fn sweep(
    program: &Program,
    request: &Request,
    folder: &Path,
    measured: &mut Measured,
) -> Result<String, String> {
    let [m, n, k] = program.sweep;
    let sizes: Vec<u32> = [m, n, k].into_iter().filter(|&size| size > 0).collect();
    let mut times = Vec::new();
    for share in &request.shares {
        let variant = with_share(share)?;
        times.push((share, seconds(program, &variant, &sizes, request.runs, folder, measured)?));
    }
    let least = times.iter().filter_map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
    let mut text = format!(
        "\n## {}: the share of the first level cache\n\nSICA with two levels, M = {m}, N = {n}{}.\n\n\
         | share | seconds |\n|---:|---:|\n",
        program.name,
        if k > 0 { format!(", K = {k}") } else { String::new() }
    );
    for (share, time) in times {
        let _ = writeln!(text, "| {share} | {} |", cell(time, least));
    }
    Ok(text)
}

/// The seconds of one version, whose result has to be that of the source.
fn seconds(
    program: &Program,
    variant: &Variant,
    sizes: &[u32],
    runs: usize,
    folder: &Path,
    measured: &mut Measured,
) -> Result<Option<f64>, String> {
    let key = format!("{} {} {sizes:?}", program.name, variant.name);
    let value = measured.value(&key, || {
        let (seconds, checksum) = variant.build(program, folder)?.run(sizes, runs)?;
        eprintln!("{key}: {seconds:.4} s");
        Ok(format!("{seconds} {checksum}"))
    })?;
    let Some(value) = value else { return Ok(None) };
    let (seconds, checksum) = value.split_once(' ').ok_or("a line without a checksum")?;
    let first = measured.value(&format!("{} {sizes:?}", program.name), || Ok(checksum.into()))?;
    if first.is_some_and(|first| first != checksum) {
        return Err(format!("{key}: another result than the source"));
    }
    seconds.parse().map(Some).map_err(|_| format!("{key}: {seconds} is no time"))
}

/// Seconds, in bold if nothing is faster by more than two in a hundred.
fn cell(seconds: Option<f64>, least: f64) -> String {
    match seconds {
        Some(seconds) if seconds <= 1.02 * least => format!("**{seconds:.4}**"),
        Some(seconds) => format!("{seconds:.4}"),
        None => "–".to_string(),
    }
}

fn mean(values: &[f64]) -> String {
    match values.len() {
        0 => "–".to_string(),
        n => format!("{:.2}", values.iter().sum::<f64>() / n as f64),
    }
}
