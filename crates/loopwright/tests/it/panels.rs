//! Programs whose statements read panels print what they print without them, and panels are used
//! exactly where they may be.

use crate::support::{prints_the_same, scratch};
use loopwright::CompileOptions;
use loopwright_backend::Target;
use loopwright_transform::TileSizes;

/// A program around a region; `element` is the type of all elements.
fn program(region: &str, element: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         typedef {element} number;\n\
         static void kernel(int n, int m, number alpha, number C[n][n], const number D[n][m], \n\
         number A[n][m], number B[n][m])\n{{\n#pragma scop\n{region}\n#pragma endscop\n}}\n\
         static number A[61][53], B[61][53], C[61][61], D[61][53];\n\
         int main(void)\n{{\n\
         for (int i = 0; i < 61; i++) for (int j = 0; j < 53; j++) {{\n\
         A[i][j] = ((number) (i * 5 + j * 3 + 1)) / 7; B[i][j] = ((number) (i + 2 * j + 2)) / 3;\n\
         D[i][j] = ((number) (i * j % 17)) / 11; }}\n\
         for (int i = 0; i < 61; i++) for (int j = 0; j < 61; j++)\n\
         C[i][j] = ((number) (i * 7 + j)) / 13;\n\
         kernel(61, 53, (number) 1.3, C, D, A, B);\n\
         for (int i = 0; i < 61; i++) for (int j = 0; j < 61; j++)\n\
         printf(\"%.17g\\n\", (double) C[i][j]);\n\
         for (int i = 0; i < 61; i++) for (int j = 0; j < 53; j++)\n\
         printf(\"%.17g\\n\", (double) A[i][j]);\n\
         return 0;\n}}\n"
    )
}

const RANK: &str = "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) \
                    for (int j = 0; j <= i; j++) C[i][j] += alpha * A[i][k] * A[j][k];";
const RANK_2: &str = "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) \
                      for (int j = 0; j <= i; j++) \
                      C[i][j] += A[j][k]*alpha*B[i][k] + B[j][k]*alpha*A[i][k];";
/// The part depends on the iterators in itself, and has negations, parentheses, and a number.
const ARITHMETIC: &str = "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) \
                          for (int j = 0; j < n; j++) C[i][j] = C[i][j] - \
                          (-(A[j][k] - j * B[j][k]) / 3) * (D[i][k] + k);";
/// Elements of a constant array.
const CONSTANT: &str = "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) \
                        for (int j = 0; j < n; j++) C[i][j] += A[i][k] * (D[j][k] * alpha);";
/// Shifted and reversed subscripts.
const SHIFTED: &str = "for (int i = 0; i < n; i++) for (int k = 1; k < m; k++) \
                       for (int j = 0; j < n; j++) \
                       C[i][j] += A[i][k] * B[n - 1 - j][k - 1];";
/// The operand is written in the nest.
const WRITTEN: &str = "for (int i = 0; i < m; i++) for (int j = 0; j < i; j++) \
                       for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];";
/// A call in the body.
const CALL: &str = "for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) \
                    for (int j = 0; j < n; j++) C[i][j] += A[i][k] * (double) A[j][k];";

/// Prints the same before and after; the number of panels of the code.
fn panels(name: &str, region: &str, element: &str, options: &CompileOptions) -> usize {
    let code = prints_the_same(&scratch("panels"), name, &program(region, element), options);
    code.matches("__attribute__((aligned(64)))").count()
}

/// Without register tiles, which have panels for other reasons, too.
fn tiled(sizes: &[i64]) -> CompileOptions {
    let tile_sizes = TileSizes::Given(sizes.to_vec());
    CompileOptions { tile_sizes, register_tiles: false, ..CompileOptions::new() }
}

#[test]
fn strided_operands_are_packed() {
    for (name, region, expected) in [
        ("rank", RANK, 1),
        ("rank_2", RANK_2, 2),
        ("arithmetic", ARITHMETIC, 1),
        ("shifted", SHIFTED, 1),
    ] {
        for sizes in [&[9, 17, 11][..], &[16], &[32, 64, 8], &[61, 70, 80]] {
            let found = panels(name, region, "double", &tiled(sizes));
            assert_eq!(found, expected, "{name} with tiles of {sizes:?}");
        }
        let sequential = CompileOptions { target: Target::C, ..tiled(&[16]) };
        assert_eq!(panels(name, region, "double", &sequential), expected, "{name} in C");
        let none = CompileOptions { panels: false, ..tiled(&[16]) };
        assert_eq!(panels(name, region, "double", &none), 0, "{name} without panels");
    }
}

/// The context bounds a parameter that the statement with the panel does not use: the panel has no
/// instances beyond these bounds, and need not have any.
#[test]
fn other_parameters_do_not_matter() {
    let region = format!("{RANK} for (int i = 0; i < q; i++) B[i][0] = 0;");
    let text = program(&region, "double")
        .replace("kernel(int n,", "kernel(int q, int n,")
        .replace("kernel(61,", "kernel(5, 61,")
        .replace("number B[n][m])", "number B[n][m], number E[q])")
        .replace("C, D, A, B)", "C, D, A, B, E)")
        .replace("D[61][53];", "D[61][53], E[5];")
        .replace("B[i][0] = 0;", "E[i] = 0;");
    let code = prints_the_same(&scratch("panels"), "parameters", &text, &tiled(&[16]));
    assert!(code.contains("_panel["), "{code}");
}

#[test]
fn single_precision_stays_single() {
    for (name, region) in [("rank_float", RANK), ("rank_2_float", RANK_2)] {
        assert!(panels(name, region, "float", &tiled(&[16])) > 0, "{name}");
    }
    // The numbers of ARITHMETIC are integers: every operation is one of floats.
    assert_eq!(panels("arithmetic_float", ARITHMETIC, "float", &tiled(&[16])), 1);
}

#[test]
fn what_may_not_be_packed_is_not() {
    for (name, region) in [("written", WRITTEN), ("call", CALL)] {
        assert_eq!(panels(name, region, "double", &tiled(&[16])), 0, "{name}");
    }
    // Products of integers might be promoted: single elements only.
    assert_eq!(panels("integers", RANK_2, "int", &tiled(&[16])), 2);
    assert_eq!(panels("shorts", ARITHMETIC, "short", &tiled(&[16])), 2);
    // Whether constant elements are packed or not, no panel is constant.
    panels("constant", CONSTANT, "double", &tiled(&[16]));
}

/// The region has a variable with the name that a panel would get, and loops with names like ours.
#[test]
fn names_of_the_program_are_avoided() {
    let region = RANK.replace("alpha", "A_panel").replace("int i", "int c0").replace("i <", "c0 <");
    let region = region.replace("i++", "c0++").replace("[i]", "[c0]").replace("<= i", "<= c0");
    let region = region.replace("A[j]", "(A_panel * 0 + A[j]").replace("[k];", "[k]);");
    let text = program(&region, "double").replace("number alpha", "number A_panel");
    let code = prints_the_same(&scratch("panels"), "names", &text, &tiled(&[16]));
    assert!(code.contains("number A_panel_1["), "{code}");
}
