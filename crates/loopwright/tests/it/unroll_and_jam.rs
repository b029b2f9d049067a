//! Several rows of products of matrices and vectors together: the programs print what they print without,
//! and rows run together exactly where that pays.

use crate::support::{prints_the_same, scratch};
use loopwright::{CompileOptions, compile_file};
use loopwright_backend::Target;
use loopwright_transform::TileSizes;

/// A program that runs a region for sizes around multiples of the number of rows, and none at all.
fn program(region: &str, element: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         typedef {element} number;\n\
         static number A[53][61], B[53][61], x[61], y[61], z[61], w[61];\n\
         static void kernel(int n, int m, number A[53][61], number B[53][61], number x[61],\n\
         number y[61], number z[61], number w[61])\n{{\nint i, j;\n\
         #pragma scop\n{region}\n#pragma endscop\n}}\n\
         static void test(int n, int m)\n{{\n\
         for (int i = 0; i < 53; i++) for (int j = 0; j < 61; j++) {{\n\
         A[i][j] = ((number) (i * 5 + j * 3 + 1)) / 7; B[i][j] = ((number) (i + 2 * j + 2)) / 3; }}\n\
         for (int i = 0; i < 61; i++) {{ x[i] = ((number) (i + 3)) / 11; y[i] = ((number) i) / 3;\n\
         z[i] = ((number) (i * i)) / 13; w[i] = 1 / ((number) (i + 1)); }}\n\
         kernel(n, m, A, B, x, y, z, w);\n\
         for (int i = 0; i < 61; i++) printf(\"%.17g %.17g %.17g %.17g\\n\",\n\
         (double) x[i], (double) y[i], (double) z[i], (double) w[i]);\n}}\n\
         int main(void)\n{{\n\
         test(0, 0); test(1, 5); test(7, 9); test(8, 8); test(9, 16); test(31, 40); test(53, 61);\n\
         test(40, 0); test(0, 40); return 0;\n}}\n"
    )
}

/// Both kinds: sums along rows and updates of a vector.
const BOTH: &str = "for (i = 0; i < n; i++) for (j = 0; j < m; j++) y[i] = y[i] + A[i][j] * x[j];
for (i = 0; i < n; i++) for (j = 0; j < m; j++) z[j] = z[j] + A[i][j] * w[i];";
/// Two sums in one loop.
const TWO_SUMS: &str = "for (i = 0; i < n; i++) { y[i] = 0; z[i] = 0; for (j = 0; j < n; j++) {
y[i] = A[i][j] * x[j] + y[i]; z[i] = B[i][j] * x[j] + z[i]; } w[i] = y[i] + 3 * z[i]; }";
/// The sums of a row need the results of the rows before it.
const SOLVE: &str = "for (i = 0; i < n; i++) { x[i] = w[i]; for (j = 0; j < i; j++)
x[i] -= A[i][j] * x[j]; x[i] = x[i] / A[i][i]; }";
/// Triangular, backwards, and with shifted subscripts.
const TRIANGLE: &str = "for (i = n - 1; i >= 0; i--) for (j = i + 1; j < n; j++)
y[i] += A[i][j] * x[j]; for (i = 1; i < n; i++) for (j = 0; j < i; j++) z[j + 1] += A[i][j] * w[i - 1];";
/// A vector that is updated by rows of it.
const ITSELF: &str = "for (i = 0; i < n; i++) for (j = 0; j < i; j++) x[j] += A[i][j] * x[i];";
/// One row after the other times a matrix, through a vector that is used by all of them.
const ROW_BY_ROW: &str = "for (i = 0; i < n; i++) { for (j = 0; j < 151; j++) z[j] = 0;
for (j = 0; j < 151; j++) for (int k = 0; k < 90; k++) z[j] += A[i][k] * B[k][j];
for (j = 0; j < 151; j++) A[i][j] = z[j]; }";
/// What is added up stands in a column: a stream per element already.
const DOWN: &str =
    "for (i = 0; i < n; i++) for (j = 0; j < n; j++) A[i][0] += B[j][i + 1] * B[i][j];";

/// Elements that need the ones before them in their row, forwards and backwards, with columns that are read.
const RECURRENCES: &str = "for (i = 0; i < n; i++) { A[i][0] = x[i]; B[i][0] = y[i];
for (j = 1; j < m; j++) { A[i][j] = 1 / (A[i][j-1] + 2); B[i][j] = (A[i][j] - B[i][j-1]) / (A[i][j-1] + 3); } }
for (i = 0; i < n; i++) for (j = m - 2; j >= 0; j--) B[i][j] = A[i][j] * B[i][j+1] + B[i][j];
for (i = 0; i < n; i++) z[i] = B[i][i] + A[i][n];";

/// Prints the same before and after; the code.
fn check(name: &str, region: &str, element: &str, options: &CompileOptions) -> String {
    check_program(name, &program(region, element), options)
}

fn check_program(name: &str, text: &str, options: &CompileOptions) -> String {
    prints_the_same(&scratch("unroll_and_jam"), name, text, options)
}

/// How many bands have rows that run together.
fn together(name: &str, region: &str, options: &CompileOptions) -> usize {
    let path = scratch("unroll_and_jam").join(format!("{name}_report.c"));
    std::fs::write(&path, program(region, "double")).expect("a temporary file can be written");
    let compiled = compile_file(&path, options).map_err(|e| e.to_string()).expect("it compiles");
    compiled.report.to_string().matches("rows run together").count()
}

#[test]
fn rows_run_together() {
    for (name, region, expected) in [
        ("both", BOTH, 2),
        ("two_sums", TWO_SUMS, 1),
        ("solve", SOLVE, 1),
        ("triangle", TRIANGLE, 2),
        ("itself", ITSELF, 0),
        ("down", DOWN, 0),
        ("recurrences", RECURRENCES, 2),
    ] {
        let options = CompileOptions::new();
        assert_eq!(together(name, region, &options), expected, "{name}");
        check(name, region, "double", &options);
        check(&format!("{name}_float"), region, "float", &options);
        let sequential = CompileOptions { target: Target::C, ..CompileOptions::new() };
        check(&format!("{name}_c"), region, "double", &sequential);
    }
}

/// The sums of a strip of rows are as many variables, and an element that all rows update is one.
#[test]
fn elements_are_kept_in_variables() {
    let code = check("variables", BOTH, "double", &CompileOptions::new());
    assert!(code.contains("y_value_7 = y_value_7 + A[c0 + 7][c1] * x[c1];"), "{code}");
    assert!(code.contains("z_value = z_value + A[c1 + 7][c2] * w[c1 + 7];"), "{code}");
}

/// The element that is accumulated in is another one than those of its array that are read.
#[test]
fn elements_of_one_array_are_told_apart() {
    let code = check("apart", SOLVE, "double", &CompileOptions::new());
    assert!(code.contains("x_value_3 -= A[c0 + 3][c1] * x[c1];"), "{code}");
}

/// Rows that wait for their own last elements only are unrolled, so that their operations overlap.
#[test]
fn rows_with_recurrences_are_unrolled() {
    let code = check("unrolled", RECURRENCES, "double", &CompileOptions::new());
    assert!(code.contains("A_value_3 = 1 / (A[c0 + 3][c1 - 1] + 2);"), "{code}");
}

/// Where the matrix stays in a cache, the results of some columns stay in registers for all rows.
#[test]
fn columns_stay_in_registers() {
    for element in ["double", "float"] {
        for target in [Target::C, Target::OpenMp] {
            let options = CompileOptions { target, ..CompileOptions::new() };
            let larger = program(ROW_BY_ROW, element).replace("53", "90").replace("61", "151");
            let typedef = format!("typedef {element} number;");
            let plain = larger.replace(&typedef, "").replace("number", element);
            let code = check_program(&format!("columns_{element}"), &plain, &options);
            assert!(code.contains("vector_size"), "{code}");
        }
    }
}

#[test]
fn rows_stay_apart_on_request_and_in_short_loops() {
    let none = CompileOptions { tile_sizes: TileSizes::None, ..CompileOptions::new() };
    assert_eq!(together("untiled", BOTH, &none), 0);
    let no_registers = CompileOptions { register_tiles: false, ..CompileOptions::new() };
    assert_eq!(together("no_registers", BOTH, &no_registers), 0);
    let short = BOTH.replace("j < m", "j < 9");
    assert_eq!(together("short", &short, &CompileOptions::new()), 0);
    check("untiled", BOTH, "double", &none);
    check("short", &short, "double", &CompileOptions::new());
}
