//! Rows of tiles that wait for each other in place of barriers: the programs print what they print without,
//! with as many rows as threads, and more and fewer.

use crate::support::{prints_the_same, scratch};
use loopwright::CompileOptions;
use loopwright_transform::TileSizes;

/// A program that runs a region for sizes around multiples of the tiles, and none at all.
fn program(region: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         static double A[70][90], t;\n\
         static void kernel(int steps, int n, int m, double A[70][90])\n{{\n\
         #pragma scop\n{region}\n#pragma endscop\n}}\n\
         static void test(int steps, int n, int m)\n{{\n\
         for (int i = 0; i < 70; i++) for (int j = 0; j < 90; j++)\n\
         A[i][j] = (i == j) * 99.0 + (double) (i * 5 + j * 3 + 1) / 7;\n\
         kernel(steps, n, m, A);\n\
         double sum = 0;\n\
         for (int i = 0; i < 70; i++) for (int j = 0; j < 90; j++) sum += A[i][j] * (i + 3 * j);\n\
         printf(\"%.17g %.17g %.17g\\n\", sum, A[n / 2][m / 2], t);\n}}\n\
         int main(void)\n{{\n\
         for (int again = 0; again < 20; again++) {{\n\
         test(0, 0, 0); test(1, 5, 3); test(4, 8, 8); test(9, 16, 31); test(17, 70, 90); }}\n\
         return 0;\n}}\n"
    )
}

/// In-place relaxation: every tile needs the ones above and to the left.
const SEIDEL: &str = "for (int s = 0; s < steps; s++) for (int i = 1; i < n - 1; i++)
for (int j = 1; j < m - 1; j++) A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i + 1][j] +
A[i][j + 1] + A[i + 1][j - 1] + A[i - 1][j + 1]) / 7;";
/// Rows without the steps of others.
const FACTORISATION: &str = "for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) {
for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j]; A[i][j] /= A[j][j]; }
for (int j = i; j < n; j++) for (int k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j]; }";
/// A scalar of which each row of tiles has its own copy.
const SCALAR: &str = "for (int s = 0; s < steps; s++) for (int i = 1; i < n - 1; i++)
for (int j = 1; j < m - 1; j++) { t = A[i - 1][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j];
A[i][j] = A[i][j] / 2 + t / 8; } t = 0;";

#[test]
fn pipelines_print_what_the_program_prints() {
    let sizes = [vec![4], vec![8, 3, 5], vec![32]];
    for (name, region) in [("seidel", SEIDEL), ("factorisation", FACTORISATION), ("scalar", SCALAR)]
    {
        for sizes in &sizes {
            let mut options = CompileOptions::new();
            options.tile_sizes = TileSizes::Given(sizes.clone());
            let name = format!("{name}_{}", sizes[0]);
            let code = prints_the_same(&scratch("pipelines"), &name, &program(region), &options);
            let waits = code.matches("#pragma omp ordered depend(sink:").count();
            assert_eq!(waits, 1, "{name}: {code}");
            assert!(!code.contains("#pragma omp parallel for\n"), "{name}: {code}");
        }
    }
}

#[test]
fn barriers_on_request() {
    let mut options = CompileOptions::new();
    options.set("no-point-to-point", None).expect("it is an option");
    let code = prints_the_same(&scratch("pipelines"), "barriers", &program(SEIDEL), &options);
    assert!(code.contains("#pragma omp parallel for") && !code.contains("ordered"), "{code}");
}

/// The way in which tiles wait is chosen; sizes may be variables.
#[test]
fn tiles_wait_as_it_is_chosen() {
    let regions = [("seidel", SEIDEL), ("factorisation", FACTORISATION), ("scalar", SCALAR)];
    for (name, region) in regions {
        for (way, text) in [("tasks", "#pragma omp task"), ("barrier", "#pragma omp parallel for")]
        {
            for is_variable in [false, true] {
                let mut options = CompileOptions::new();
                options.set("synchronisation", Some(way)).unwrap();
                options.set("tile-sizes", Some("8,3,5")).unwrap();
                options.parametric_tiles = is_variable;
                let name = format!("{name}_{way}_{is_variable}");
                let program = program(region);
                let code = prints_the_same(&scratch("pipelines"), &name, &program, &options);
                assert!(code.contains(text) && !code.contains("ordered"), "{name}: {code}");
            }
        }
    }
}

#[test]
fn tasks_depend_on_the_row_before_and_on_the_step_before() {
    let mut options = CompileOptions::new();
    options.set("synchronisation", Some("tasks")).unwrap();
    options.set("tile-sizes", Some("8")).unwrap();
    let code = prints_the_same(&scratch("pipelines"), "tasks", &program(SEIDEL), &options);
    for line in [
        "char done[16][width];",
        "#pragma omp parallel if(loopwright_default_floats())\n",
        "#pragma omp single\n",
        "depend(in: done[(c0 - first_row) % 16][(c1 - first_step + 1) % width], done[(c0 - first_row + 1) % 16][(c1 - first_step) % width])",
        "depend(out: done[(c0 - first_row + 1) % 16][(c1 - first_step + 1) % width])",
    ] {
        assert!(code.contains(line), "{line}: {code}");
    }
}
