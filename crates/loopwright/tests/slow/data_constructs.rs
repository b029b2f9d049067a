//! Programs with structures, linearised arrays and pointers print the same with and without the
//! compiler.

use crate::support::{fault, programs_of, run_c, scratch, some_combinations};

/// How many combinations of options are tried with each program.
const N_COMBINATIONS: usize = 5;

/// Every second program from one on.
fn print_the_same(first: usize) {
    let folder = scratch(&format!("data_constructs{first}"));
    let mut faults = Vec::new();
    let programs = programs_of("data_programs", &folder);
    for (number, path) in programs.iter().enumerate().skip(first).step_by(2) {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let wanted = run_c(&text, &folder, "before").expect("the file is C");
        for options in some_combinations(number, N_COMBINATIONS) {
            faults.extend(fault(path, &wanted, &folder, &options));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn print_the_same_after_compilation() {
    print_the_same(0);
}

#[test]
fn others_print_the_same_after_compilation() {
    print_the_same(1);
}
