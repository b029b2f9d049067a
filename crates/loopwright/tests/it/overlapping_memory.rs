//! Random functions on memory that overlaps: the result computes what the functions as they are written
//! compute, without an access outside of an object and without an overflow, and runs what was made of a
//! region where it may.

use crate::support::scratch;
use loopwright::{CompileOptions, compile_file};
use loopwright_testkit::cases::{seed, seeds};
use loopwright_testkit::overlapping_memory::Branch;
use loopwright_testkit::{functions_on_overlapping_memory, regions_at_all_positions};
use std::path::Path;
use std::process::Command;

/// What a program prints that is compiled with checks for undefined behaviour.
pub(crate) fn run_sanitized(text: &str, folder: &Path, name: &str) -> String {
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).expect("a temporary file can be written");
    let compiled = Command::new("gcc")
        .args(["-O1", "-w", "-fopenmp", "-ffp-contract=off", "-fsanitize=address,undefined"])
        .args(["-fno-sanitize-recover=all", "-o"])
        .args([&binary, &source])
        .output()
        .expect("there is a C compiler");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&binary)
        .env("OMP_NUM_THREADS", "2")
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{name} in {}: {errors}", folder.display());
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// The result for a file whose regions may be refused.
fn compiled(text: &str, folder: &Path) -> String {
    let path = folder.join("input.c");
    std::fs::write(&path, text).expect("a temporary file can be written");
    let options =
        CompileOptions { always_rewrite: true, keep_going: true, ..CompileOptions::new() };
    compile_file(&path, &options).expect("it compiles").code
}

/// Functions in one file with this seed compute the same before and after.
pub(crate) fn check_functions(seed: u64, count: usize) {
    let folder = scratch(&format!("overlapping_memory_{seed}"));
    let text = functions_on_overlapping_memory(seed, count);
    let after = compiled(&text, &folder);
    assert!(after.matches("} else {").count() > count / 3, "{}", folder.display());
    let before = run_sanitized(&text, &folder, "before");
    let after = run_sanitized(&after, &folder, "after");
    for (before, after) in before.lines().zip(after.lines()) {
        assert_eq!(before, after, "{}", folder.display());
    }
    assert_eq!(before.len(), after.len(), "{}", folder.display());
}

#[test]
fn functions_on_overlapping_memory_compute_the_same() {
    seeds(1, 2).for_each(|seed| check_functions(seed, 60));
}

/// Regions with arrays at all positions around each other take the right branch and compute the same.
#[test]
fn every_position_takes_the_right_branch() {
    let folder = scratch("all_positions");
    let (text, branches) = regions_at_all_positions(seed(3), 200);
    let counted = compiled(&text, &folder).replace("} else {\n", "} else {\n  as_written = 1;\n");
    let before = run_sanitized(&text, &folder, "before");
    let after = run_sanitized(&counted, &folder, "after");
    let split = |output: &str| -> (Vec<String>, Vec<String>) {
        output.lines().map(str::to_string).partition(|line| line.starts_with("taken"))
    };
    let ((_, before), (taken, after)) = (split(&before), split(&after));
    assert_eq!(before.len(), branches.len());
    for (position, (before, after)) in before.iter().zip(&after).enumerate() {
        assert_eq!(before, after, "call {position} in {}", folder.display());
    }
    let mut n_new = 0;
    for (position, (taken, branch)) in taken.iter().zip(&branches).enumerate() {
        let is_as_written = taken == "taken 1";
        n_new += usize::from(!is_as_written);
        match branch {
            Branch::New => assert!(!is_as_written, "call {position} in {}", folder.display()),
            Branch::Old => assert!(is_as_written, "call {position} in {}", folder.display()),
            Branch::Either => {}
        }
    }
    assert!(n_new > branches.len() / 4, "{n_new} of {}", branches.len());
}
