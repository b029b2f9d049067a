//! No condition in printed code is implied by the loops and conditions around it: each one is true at some
//! time and false at another, also in tiled code, and in blocks of vector variables and kept elements.

use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, compile_file};
use loopwright_machine::Machine;
use loopwright_transform::TileSizes;

const PRODUCT: &str =
    "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)
  C[i][j] += A[i][k] * B[k][j];";
const ROWS: &str =
    "for (int i = 0; i < N; i++) { y[i] = 0; for (int j = 0; j < N; j++) y[i] += A[i][j] * x[j]; }
for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) z[j] += B[i][j] * y[i];";
const TRIANGLE: &str = "for (int i = 0; i < N; i++) for (int j = 0; j <= i; j++) {
  for (int k = 0; k < N; k++) C[i][j] += A[i][k] * A[j][k]; }
for (int i = 0; i < N; i++) for (int j = 0; j < i; j++) x[i] -= A[i][j] * x[j];";
const FACTORS: &str =
    "for (int k = 0; k < N; k++) { for (int i = k + 1; i < N; i++) A[i][k] /= A[k][k];
  for (int i = k + 1; i < N; i++) for (int j = k + 1; j < N; j++) A[i][j] -= A[i][k] * A[k][j]; }";
const STENCIL: &str = "for (int t = 0; t < 9; t++) { for (int i = 1; i < N - 1; i++) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
  for (int i = 1; i < N - 1; i++) x[i] = (y[i - 1] + y[i] + y[i + 1]) / 3; }";

/// A program that runs a region with a constant size, or with each of `sizes`.
fn program(region: &str, sizes: &[usize], is_constant: bool) -> String {
    let most = sizes.iter().max().expect("a size");
    let (size, calls) = match is_constant {
        true => (most.to_string(), "kernel(0, A, B, C, x, y, z);".to_string()),
        false => (
            "n".to_string(),
            sizes.iter().map(|n| format!("kernel({n}, A, B, C, x, y, z);")).collect(),
        ),
    };
    let region = region.replace('N', &size);
    format!(
        "#include <stdio.h>\n\
         #define M {most}\n\
         static double A[M + 1][M + 1], B[M + 1][M + 1], C[M + 1][M + 1], x[M + 1], y[M + 1], z[M + 1];\n\
         static void kernel(int n, double A[restrict M + 1][M + 1], double B[restrict M + 1][M + 1],\n\
         double C[restrict M + 1][M + 1], double x[restrict M + 1], double y[restrict M + 1], double z[restrict M + 1])\n\
         {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n\
         int main(void) {{\n\
         for (int i = 0; i <= M; i++) {{ x[i] = i % 7; for (int j = 0; j <= M; j++) {{ A[i][j] = 1 + (i * j) % 5 + (i == j) * 90;\n\
         B[i][j] = i % 3 + j % 5; }} }}\n\
         {calls}\n\
         double sum = 0; for (int i = 0; i < M; i++) for (int j = 0; j < M; j++) sum = sum / 2 + A[i][j] + C[i][j] + x[i] + z[j];\n\
         printf(\"%.17g\\n\", sum); return 0; }}\n"
    )
}

/// The text with conditions that are kept in mind. At the end the program prints those that always had the
/// same value.
fn with_observed_conditions(code: &str) -> String {
    let mut text = String::from(
        "#include <stdio.h>\n\
         static char seen[2][2000];\n\
         static int condition(int number, int holds) { seen[!!holds][number] = 1; return holds; }\n",
    );
    let mut conditions = Vec::new();
    for line in code.lines() {
        let condition = line.trim().strip_prefix("if (").and_then(|rest| rest.strip_suffix(") {"));
        match condition {
            Some(condition) => {
                text.push_str(&format!("if (condition({}, {condition})) {{\n", conditions.len()));
                conditions.push(condition);
            }
            None => text.push_str(&format!("{line}\n")),
        }
    }
    let mut report = String::new();
    for (number, condition) in conditions.iter().enumerate() {
        report.push_str(&format!(
            "if (seen[0][{number}] != seen[1][{number}]) printf(\"always the same: {condition}\\n\");\n"
        ));
    }
    let last = text.rfind("return 0;").expect("the end of the program");
    text.insert_str(last, &report);
    text
}

/// Checks the code of a program.
fn check(name: &str, program: &str, tile_sizes: TileSizes) {
    let folder = scratch("implied_guards");
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, program).expect("a temporary file can be written");
    let machine = Machine::generic();
    let options =
        CompileOptions { tile_sizes, machine, always_rewrite: true, ..CompileOptions::new() };
    let compiled = compile_file(&path, &options).map_err(|e| e.to_string()).expect("it compiles");
    let wanted = run_c(program, &folder, &format!("{name}_original")).expect("it runs");
    let text = with_observed_conditions(&compiled.code);
    let found = run_c(&text, &folder, &format!("{name}_observed")).expect("it runs");
    assert_eq!(found, wanted, "{name}");
}

#[test]
fn conditions_of_programs_with_constant_sizes() {
    let regions = [
        ("product", PRODUCT),
        ("rows", ROWS),
        ("triangle", TRIANGLE),
        ("factors", FACTORS),
        ("stencil", STENCIL),
    ];
    for (name, region) in regions {
        for size in [37, 96] {
            let text = program(region, &[size], true);
            check(&format!("{name}_{size}"), &text, TileSizes::Default);
            check(&format!("{name}_{size}_32"), &text, TileSizes::Given(vec![32]));
        }
    }
}

#[test]
fn conditions_of_programs_with_any_sizes() {
    let regions = [
        ("product", PRODUCT),
        ("rows", ROWS),
        ("triangle", TRIANGLE),
        ("factors", FACTORS),
        ("stencil", STENCIL),
    ];
    let sizes: Vec<usize> = (0..30)
        .chain([31, 32, 33, 63, 64, 65, 96, 97, 98, 100, 108, 119, 124, 128, 131, 200])
        .collect();
    for (name, region) in regions {
        let text = program(region, &sizes, false);
        check(&format!("{name}_any"), &text, TileSizes::Default);
        check(&format!("{name}_any_32"), &text, TileSizes::Given(vec![32]));
    }
}
