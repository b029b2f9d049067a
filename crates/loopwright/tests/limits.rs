//! Programs that once used up the steps of a stage (see `loopwright_presburger::Budget`) get what is looked for
//! within them.
use loopwright::{CompileOptions, compile_file};
use loopwright_machine::Machine;
use loopwright_transform::TileSizes;
use std::path::Path;

/// With a variable for each dependence, the steps ended in the linear program of the first Feautrier step, after
/// more than half a minute, and the program's order was kept.
#[test]
fn a_schedule_is_found_among_a_thousand_dependences() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/limits/many_dependences.c");
    let tile_sizes = TileSizes::Given(vec![5]);
    let machine = Machine::generic();
    let options =
        CompileOptions { tile_sizes, machine, always_rewrite: true, ..CompileOptions::new() };
    let compiled = compile_file(&path, &options).unwrap_or_else(|failure| panic!("{failure}"));
    let report = compiled.report.to_string();
    assert!(report.contains("proved: the schedule respects every dependence"), "{report}");
    assert!(!report.contains("no schedule was found"), "{report}");
}
