//! Programs that print which text of a region ran: lines `taken NAME.. BRANCH`, where a branch is 1 if the
//! region ran as it was written.

use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, Compiled, compile_file};
use std::path::Path;

/// Runs a program of C that is sure to run, and gives what it prints.
pub(crate) fn output_of(program: &str, folder: &Path, name: &str) -> String {
    run_c(program, folder, name).expect("the program runs")
}

/// Compiles a program, and runs it as it was and as it is then: all that they print but the branches is the
/// same. Gives the result and the branches that it took.
pub(crate) fn branches_taken(
    name: &str,
    program: &str,
    run: impl Fn(&str, &Path, &str) -> String,
) -> (Compiled, Vec<String>) {
    let folder = scratch(name);
    let path = folder.join("program.c");
    std::fs::write(&path, program).expect("the folder for tests can be written");
    let options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    let compiled = compile_file(&path, &options).expect("it compiles");
    let counted = compiled.code.replace("} else {\n", "} else {\n  as_written = 1;\n");
    let before = run(program, &folder, "before");
    let after = run(&counted, &folder, "after");
    let values = |output: &str| {
        output.lines().filter(|l| !l.starts_with("taken")).map(str::to_string).collect()
    };
    let (before, after_values): (Vec<String>, Vec<String>) = (values(&before), values(&after));
    assert_eq!(before, after_values);
    let taken = after.lines().filter_map(|line| line.strip_prefix("taken "));
    (compiled, taken.map(str::to_string).collect())
}

/// Whether each branch, a line `NAME DISTANCE BRANCH`, is the one that is expected.
pub(crate) fn check_branches(taken: &[String], is_as_written: fn(&str, i64) -> bool) {
    assert!(!taken.is_empty());
    let is_wrong = |line: &&String| {
        let (rest, branch) = line.rsplit_once(' ').expect("a branch");
        let (name, distance) = rest.rsplit_once(' ').expect("a distance");
        (branch == "1") != is_as_written(name, distance.parse().expect("a number"))
    };
    let wrong: Vec<&String> = taken.iter().filter(is_wrong).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
