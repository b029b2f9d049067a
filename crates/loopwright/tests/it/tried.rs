//! What was tried is said wherever decisions are: in reports, on the page, and by `explain`.
use loopwright::{CompileOptions, compile_file, explain_file, html_report, json_report};
use loopwright_machine::Machine;
use std::path::{Path, PathBuf};

fn options() -> CompileOptions {
    let mut options = CompileOptions { machine: Machine::generic(), ..CompileOptions::new() };
    options.front_end.defines = vec!["LARGE".to_string()];
    options
}

fn kernel(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/kernels/{name}.c"))
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// All reports about a file name these things.
#[track_caller]
fn assert_said(path: &Path, options: &CompileOptions, parts: &[&str]) {
    let compiled = compile_file(path, options).unwrap_or_else(|failure| panic!("{failure}"));
    let texts = [
        compiled.report.to_string(),
        html_report(path, &compiled, options),
        json_report("f.c", &compiled, &options.machine).to_string(),
        explain_file(path, None, options).unwrap(),
    ];
    for text in &texts {
        parts.iter().for_each(|part| assert!(text.contains(part), "no `{part}` in\n{text}"));
    }
}

#[test]
fn panels_and_expansion_are_named() {
    let panels = "panels for what innermost loops read: ";
    assert_said(&kernel("gemm"), &options(), &[&format!("{panels}proved, taken")]);
    assert_said(&kernel("jacobi-2d"), &options(), &[&format!("{panels}none pays")]);
    let expansion = "scalars with a value per iteration: more results in registers, proved, taken";
    assert_said(&kernel("symm"), &options(), &[expansion]);
}

#[test]
fn cuts_and_fusion_are_named() {
    let periodic = "static double a[2][2000];\nvoid f(int steps, int n) {\n#pragma scop\n\
        for (int t = 0; t < steps; t++) for (int i = 0; i < n; i++)\n\
        a[(t + 1) % 2][i] = a[t % 2][i == n - 1 ? 0 : i + 1] - a[t % 2][i == 0 ? n - 1 : i - 1];\n\
        #pragma endscop\n}\n";
    let mut cutting = options();
    cutting.set("schedule-split-index-sets", None).unwrap();
    cutting.always_rewrite = true;
    let path = file("periodic.c", periodic);
    let part = "S0 cut in halves: no tiles or parallel outer loops, not taken";
    assert_said(&path, &cutting, &[part]);
    cutting.set("tile-sizes", Some("8")).unwrap();
    let part = "S0 cut in halves: deeper bands or parallel loops, taken";
    assert_said(&path, &cutting, &[part]);
    let parts = ["fusion by `smart`: estimated at", "fusion by `typed`: estimated at"];
    assert_said(&kernel("gemver"), &options(), &parts);
}
