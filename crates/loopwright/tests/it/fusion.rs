//! Fusion by what the schedules are estimated to cost: programs where more, or less, is right than the rules
//! say.

use crate::support::{prints_the_same, scratch};
use loopwright::{CompileOptions, Compiled, Fusion, compile_file};
use loopwright_machine::Machine;
use loopwright_scheduler::Fuse;
use std::fs;

/// A program of matrices and vectors of `n` elements a side, with these statements as its region.
fn program(n: usize, region: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         enum {{ N = {n} }};\n\
         static double A[N][N], B[N][N], C[N][N], D[N][N], E[N][N], F[N][N], u[N], v[N], w[N];\n\
         static void kernel(int n)\n{{\nint i, j, k;\n\
         #pragma scop\n{region}\n#pragma endscop\n}}\n\
         int main(void)\n{{\n\
         for (int i = 0; i < N; i++) {{ u[i] = i % 7; v[i] = i % 5 - 1.5; w[i] = 0.25 * i;\n\
         for (int j = 0; j < N; j++) {{ A[i][j] = (i * 3 + j) % 11; B[i][j] = (i + j * 7) % 13 / 3.0;\n\
         C[i][j] = i - j; D[i][j] = (i * j) % 9; E[i][j] = i % 4 + j; F[i][j] = j % 6 - i; }} }}\n\
         kernel(N - 3); double sum = 0;\n\
         for (int i = 0; i < N; i++) {{ sum = sum * 0.5 + u[i] + 2 * v[i] - w[i];\n\
         for (int j = 0; j < N; j++)\n\
         sum = sum * 0.99 + A[i][j] + 2 * B[i][j] - C[i][j] + D[i][j] - E[i][j] + F[i][j]; }}\n\
         printf(\"%.17g\\n\", sum); return 0;\n}}\n"
    )
}

fn options() -> CompileOptions {
    CompileOptions { machine: Machine::generic(), ..CompileOptions::new() }
}

/// What was decided for the program, whose result prints what it prints.
fn decided(name: &str, n: usize, region: &str, options: &CompileOptions) -> Compiled {
    let (folder, program) = (scratch("fusion"), program(n, region));
    prints_the_same(&folder, name, &program, options);
    let path = folder.join(format!("{name}-again.c"));
    fs::write(&path, program).unwrap();
    compile_file(&path, options).unwrap_or_else(|failure| panic!("{failure}"))
}

#[track_caller]
fn assert_decides(name: &str, n: usize, region: &str, choices: &[(&str, &str)], bands: &[&[&str]]) {
    let compiled = decided(name, n, region, &options());
    let report = &compiled.report.regions[0];
    for (choice, value) in choices {
        assert_eq!(report.choices.get(choice), Some(*value), "{:#?}", report.tried);
    }
    let statements: Vec<&[String]> =
        report.bands.bands.iter().map(|band| &band.statements[..]).collect();
    assert_eq!(statements, bands, "{:#?}", report.tried);
    let others = report.tried.iter().filter(|tried| tried.contains("million cycles")).count();
    assert!(others >= 2, "{:#?}", report.tried);
    assert!(report.to_string().contains("tried: fusion by"), "{report}");
}

const SHARED_READS: &str = "for (i = 0; i < n; i++) for (j = 0; j < n; j++)\n\
     B[i][j] = 2 * A[i][j] + D[i][j];\n\
     for (i = 0; i < n; i++) for (j = 0; j < n; j++)\n\
     C[i][j] = A[i][j] - D[i][j];";

/// Two loops that read the same two matrices, and hand on nothing: one pass over both instead of two.
#[test]
fn loops_that_read_the_same_are_fused() {
    let choices = [("fuse", "smart"), ("input-reuse", "yes")];
    assert_decides("reads", 600, SHARED_READS, &choices, &[&["S0", "S1"]]);
}

/// An update and a product with the transposed result: fused, only one loop is parallel, but the matrix is
/// loaded once.
#[test]
fn a_parallel_inner_loop_is_given_up_for_a_pass_over_memory() {
    let region = "for (i = 0; i < n; i++) for (j = 0; j < n; j++)\n\
         A[i][j] = A[i][j] + u[i] * v[j];\n\
         for (i = 0; i < n; i++) for (j = 0; j < n; j++)\n\
         w[i] = w[i] + A[j][i] * v[j];";
    assert_decides("update", 600, region, &[("fuse", "typed")], &[&["S0", "S1"]]);
}

/// Two products added to one matrix: fused, results do not stay in registers.
#[test]
fn products_keep_register_tiles_of_their_own() {
    let product = |left: &str, right: &str| {
        format!(
            "for (i = 0; i < n; i++) for (j = 0; j < n; j++) for (k = 0; k < n; k++)\n\
             C[i][j] += {left}[i][k] * {right}[k][j];\n"
        )
    };
    let region = product("A", "B") + &product("D", "E");
    assert_decides("products", 130, &region, &[("fuse", "min")], &[&["S0"], &["S1"]]);
}

/// A matrix is filled column by column and then read transposed: fused, all other matrices are walked down
/// their columns.
#[test]
fn statements_that_walk_across_memory_stay_apart() {
    let region = "for (i = 0; i < n; i++) for (j = 0; j < n; j++)\n\
         B[j][i] = A[j][i] + E[j][i];\n\
         for (i = 0; i < n; i++) for (j = 0; j < n; j++)\n\
         C[i][j] = B[j][i] + D[i][j] + F[i][j];";
    assert_decides("across", 600, region, &[("fuse", "min")], &[&["S0"], &["S1"]]);
}

/// Fusion that would cost parallel loops, or a column walk, is looked at and not done.
#[test]
fn what_costs_more_is_not_taken() {
    let region = "for (i = 0; i < n; i++) for (j = 0; j < n; j++)\n\
         B[i][j] = A[i][j] * 2 + D[j][i];\n\
         for (i = 0; i < n; i++) for (j = 0; j < n; j++)\n\
         u[i] = u[i] + B[i][j] * v[j];\n\
         for (i = 0; i < n; i++) for (j = 0; j < n; j++)\n\
         w[j] = w[j] + B[i][j] * v[i];";
    let bands: [&[&str]; 3] = [&["S0"], &["S1"], &["S2"]];
    assert_decides("costly", 600, region, &[("fuse", "smart")], &bands);
}

/// A rule that is asked for is not replaced, and nothing is compared.
#[test]
fn a_given_rule_is_followed() {
    for (rule, word) in [(Fuse::Smart, "smart"), (Fuse::Min, "min"), (Fuse::Max, "max")] {
        let options = CompileOptions { fuse: Fusion::Rule(rule), ..options() };
        let compiled = decided(word, 300, SHARED_READS, &options);
        let report = &compiled.report.regions[0];
        assert_eq!(report.choices.get("fuse"), Some(word));
        assert_eq!(report.bands.bands.len(), 2);
        assert!(report.tried.iter().all(|tried| !tried.contains("cycles")), "{:?}", report.tried);
    }
}
