//! `cargo xtask paper NAME`: tables of published papers, remade.
mod astgen;
mod contraction;
mod dataflow;
mod scalability;
mod sica;
mod spolly;
mod stencils;
mod storage;
mod storage_baselines;

use crate::repository;
use std::path::PathBuf;

const USAGE: &str = "usage: cargo xtask paper astgen|contraction|dataflow|scalability|sica|spolly|stencils|storage ...";

/// Remakes the tables of the paper that is named first.
pub(crate) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    let name = parser.next().map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let Some(lexopt::Arg::Value(name)) = name else { return Err(USAGE.to_string()) };
    match name.to_str() {
        Some("astgen") => astgen::run(parser),
        Some("contraction") => contraction::run(parser),
        Some("dataflow") => dataflow::run(parser),
        Some("scalability") => scalability::run(parser),
        Some("sica") => sica::run(parser),
        Some("spolly") => spolly::run(parser),
        Some("stencils") => stencils::run(parser),
        Some("storage") => storage::run(parser),
        _ => Err(USAGE.to_string()),
    }
}

/// The folder of this repository's kernels.
fn kernel_folder() -> PathBuf {
    repository::root().join("crates/loopwright/tests/kernels")
}

/// The kernels of this repository by name, and the files that they are in.
fn kernel_files() -> Result<Vec<(String, PathBuf)>, String> {
    let entries = std::fs::read_dir(kernel_folder()).map_err(|e| e.to_string())?;
    let mut files: Vec<(String, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().strip_suffix(".c")?.to_string();
            Some((name, entry.path()))
        })
        .collect();
    files.sort();
    Ok(files)
}
