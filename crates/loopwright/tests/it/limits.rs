//! Programs that once used up the steps of a stage (see `loopwright_presburger::Budget`) get what is looked
//! for within them.
use loopwright::{CompileOptions, Scheduler, compile_file};
use loopwright_machine::Machine;
use loopwright_transform::TileSizes;
use std::path::{Path, PathBuf};

/// With a variable for each dependence, the steps ended in the linear program of the first Feautrier step,
/// after more than half a minute, and the program's order was kept.
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

/// A region in a file of its own, which goes when it is dropped.
struct Program(PathBuf);

impl Program {
    fn new(name: &str, head: &str, lines: &[String]) -> Self {
        let file = format!("loopwright-limits-{}-{name}.c", std::process::id());
        let path = std::env::temp_dir().join(file);
        let text = format!("{head} {{\n#pragma scop\n{}\n#pragma endscop\n}}\n", lines.join("\n"));
        std::fs::write(&path, text).unwrap();
        Program(path)
    }

    /// The code and the report.
    fn compiled(&self) -> (String, String) {
        let machine = Machine::generic();
        let options = CompileOptions { machine, always_rewrite: true, ..CompileOptions::new() };
        let compiled =
            compile_file(&self.0, &options).unwrap_or_else(|failure| panic!("{failure}"));
        (compiled.code.clone(), compiled.report.to_string())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A contraction of `n` loops of five iterations, the last third of which is summed over.
fn contraction(n: usize) -> Program {
    let names: Vec<String> = (0..n).map(|k| format!("l{k}")).collect();
    let (free, summed) = names.split_at(n - n / 3);
    let (left, right) = free.split_at(free.len() / 2);
    let element = |array: &str, indices: &[&[String]]| {
        let text: String = indices.concat().iter().map(|index| format!("[{index}]")).collect();
        format!("{array}{text}")
    };
    let declared =
        |array: &str, n: usize| format!("double {array}[restrict 5]{}", "[5]".repeat(n - 1));
    let head = format!(
        "void f({}, {}, {})",
        declared("out", free.len()),
        declared("a", left.len() + summed.len()),
        declared("b", summed.len() + right.len())
    );
    let mut lines: Vec<String> =
        names.iter().map(|l| format!("for (int {l} = 0; {l} < 5; {l}++)")).collect();
    let (out, a) = (element("out", &[free]), element("a", &[left, summed]));
    lines.push(format!("{out} += {a} * {};", element("b", &[summed, right])));
    Program::new(&format!("contraction-{n}"), &head, &lines)
}

/// The generators of the dependences are the corners of boxes: 4096 of them. To compare each pair of corners
/// with all others, as double description does in general, used up the steps of the scheduler.
#[test]
fn a_contraction_of_twelve_loops_is_parallel() {
    let (code, report) = contraction(12).compiled();
    assert!(!report.contains("no schedule was found"), "{report}");
    let first = code.lines().position(|line| line.contains("for (")).unwrap();
    let before = code.lines().nth(first - 1).unwrap();
    assert!(before.contains("#pragma omp parallel for"), "{code}");
    assert!(report.contains("proved: parallel loops carry no dependence"), "{report}");
}

/// With 2^18 corners the steps run out: the program's order, and the report says so.
#[test]
fn a_contraction_of_too_many_loops_keeps_its_order() {
    let (code, report) = contraction(18).compiled();
    assert!(report.contains("no schedule was found (the budget ran out in schedule"), "{report}");
    assert!(report.contains("the program's order is kept"), "{report}");
    assert!(!code.contains("#pragma omp"), "{code}");
}

/// A loop over time with many loops that share arrays, many of which no other loop reads: whether an inner
/// loop is parallel depends on the pairs within it alone.
#[test]
fn inner_loops_among_many_statements_are_parallel() {
    let arrays: Vec<String> = (0..10).map(|k| format!("double a{k}[restrict n]")).collect();
    let head = format!("void f(int n, int m, {})", arrays.join(", "));
    let mut lines = vec!["for (int t = 0; t < m; t++) {".to_string()];
    for k in 0..60 {
        let (to, x, y) = (k % 10, (3 * k + 1) % 10, (7 * k + 2) % 10);
        lines
            .push(format!("for (int i = 1; i < n - 1; i++) a{to}[i] = a{x}[i - 1] + a{y}[i + 1];"));
    }
    lines.push("}".to_string());
    let (code, report) = Program::new("shared", &head, &lines).compiled();
    assert!(report.contains("proved: the schedule respects every dependence"), "{report}");
    assert!(code.contains("#pragma omp"), "{code}");
}

/// Loops are generated, and proofs made, with what the effort allows, as everything before them.
#[test]
fn little_effort_leaves_a_region_as_it_was() {
    let lines = ["for (int i = 0; i < n; i++) A[i] = B[n - i];".to_string()];
    let program = Program::new("effort", "void f(int n, double A[n], double B[n + 1])", &lines);
    let compiled = |stage_steps: Option<u64>| {
        let mut options = CompileOptions {
            machine: Machine::generic(),
            scheduler: Scheduler::None,
            always_rewrite: true,
            ..CompileOptions::new()
        };
        options.embedding.effort.stage_steps = stage_steps;
        match compile_file(&program.0, &options) {
            Ok(compiled) => compiled.report.to_string(),
            Err(failure) => failure.to_string(),
        }
    };
    let (usual, little) = (compiled(None), compiled(Some(1)));
    assert!(usual.contains("proved: the generated loops run every instance once"), "{usual}");
    assert!(little.contains("generation of loops"), "{little}");
}
