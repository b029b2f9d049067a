//! The programs that are measured: the repository's kernels, or those that a manifest names.
mod glob;
mod manifest;
mod program;

use crate::{peers, repository};
pub(crate) use glob::{files as files_of_pattern, matches as name_matches};
pub(crate) use program::{Collection, Program, Stream, TimeSource, Tolerance};
use program::{Results, Time};
use std::path::Path;

/// The programs of a manifest, or the repository's own kernels if there is none.
pub(crate) fn read(manifest: Option<&Path>) -> Result<Collection, String> {
    match manifest {
        Some(path) => manifest::read(path),
        None => Ok(kernels()),
    }
}

/// The repository's kernels.
pub(crate) fn kernels() -> Collection {
    Collection {
        title: "the kernels in `crates/loopwright/tests/kernels`".to_string(),
        has_published_figures: true,
        programs: peers::kernels().map(kernel).collect(),
    }
}

fn kernel(name: &str) -> Program {
    let folder = repository::root().join("crates/loopwright/tests/kernels");
    Program {
        name: name.to_string(),
        source: folder.join(format!("{name}.c")),
        include_dirs: vec![folder],
        extra_sources: Vec::new(),
        flags: Vec::new(),
        defines: vec!["{size}".to_string()],
        arguments: Vec::new(),
        sizes: None,
        time: Time {
            from: TimeSource::Printed,
            environment: vec![("KERNEL_TIME".to_string(), "1".to_string())],
        },
        results: Results {
            size: "SMALL".to_string(),
            defines: Vec::new(),
            environment: Vec::new(),
            from: Stream::Stdout,
            tolerance: Tolerance::STANDARD,
        },
    }
}
