//! Programs with structures, linearised arrays and pointers print the same with and without the
//! compiler.
mod support;

use std::path::{Path, PathBuf};
use support::{combinations, fault, run_c, scratch};

/// Every how manieth combination is tried.
const STEP: usize = 5;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data_programs");
    let entries = std::fs::read_dir(folder).expect("the folder of the programs is there");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files
}

#[test]
fn print_the_same_after_compilation() {
    let folder = scratch("data_constructs");
    let mut faults = Vec::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let wanted = run_c(&text, &folder, "before").expect("the file is C");
        for options in combinations().iter().step_by(STEP) {
            faults.extend(fault(&path, &wanted, &folder, options));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
