//! Programs with structures, linearised arrays and pointers print the same with and without the
//! compiler.

use crate::support::{combinations, fault, programs_of, run_c, scratch};

/// Every how manieth combination is tried.
const STEP: usize = 5;

#[test]
fn print_the_same_after_compilation() {
    let folder = scratch("data_constructs");
    let mut faults = Vec::new();
    for path in programs_of("data_programs", &folder) {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let wanted = run_c(&text, &folder, "before").expect("the file is C");
        for options in combinations().iter().step_by(STEP) {
            faults.extend(fault(&path, &wanted, &folder, options));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
