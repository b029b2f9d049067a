//! The pragmas before vector loops: those of gcc and clang need no option of the compiler.

use crate::support::{prints_the_same, scratch};
use loopwright::CompileOptions;
use loopwright_backend::{Target, VectorPragma};

/// A stencil in the plane with a scalar that is private, and a sum.
const PROGRAM: &str = "#include <stdio.h>\n\
    static void kernel(int n, double a[restrict][70], double b[restrict][70], double c[restrict][70])\n{\n\
    int i, j; double t, s = 0;\n\
    #pragma scop\n\
    for (i = 1; i < n - 1; i++) for (j = 1; j < 69; j++) b[i][j] = 0.5 * a[i][j] + 0.25 * (a[i - 1][j] + a[i][j + 1]);\n\
    for (i = 0; i < n; i++) for (j = 0; j < n; j++) { t = a[i][j] * 2; c[i][j] = t + t * a[i][j]; }\n\
    for (j = 0; j < n; j++) s = s + c[0][j];\n\
    #pragma endscop\n\
    printf(\"%.17g\\n\", s);\n}\n\
    int main(void)\n{\nstatic double a[70][70], b[70][70], c[70][70];\n\
    for (int i = 0; i < 70; i++) for (int j = 0; j < 70; j++) { a[i][j] = (i * 3 + j) % 17; b[i][j] = i; c[i][j] = 0; }\n\
    kernel(70, a, b, c); kernel(2, a, b, c); kernel(0, a, b, c);\n\
    double sum = 0; for (int i = 0; i < 70; i++) for (int j = 0; j < 70; j++) sum = sum * 0.9 + b[i][j] - c[i][j];\n\
    printf(\"%.17g\\n\", sum); return 0;\n}\n";

/// The code, which prints what the program prints.
fn code(name: &str, target: Target, vector_pragma: VectorPragma) -> String {
    let options = CompileOptions { target, vector_pragma, ..CompileOptions::new() };
    prints_the_same(&scratch("vector_pragmas"), name, PROGRAM, &options)
}

#[test]
fn sequential_code_can_have_the_pragmas_of_a_compiler() {
    let plain = code("plain", Target::C, VectorPragma::OpenMp);
    assert!(!plain.contains("#pragma"), "{plain}");
    let gcc = code("gcc", Target::C, VectorPragma::Gcc);
    assert!(gcc.contains("#pragma GCC ivdep\n") && !gcc.contains("omp"), "{gcc}");
    let clang = code("clang", Target::C, VectorPragma::Clang);
    assert!(clang.contains("#pragma clang loop vectorize(assume_safety)\n"), "{clang}");
    assert!(!clang.contains("omp"), "{clang}");
    for text in [&gcc, &clang] {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let loops = lines.windows(2).filter(|pair| pair[0].starts_with("#pragma"));
        assert!(loops.clone().count() >= 1, "{text}");
        assert!(loops.clone().all(|pair| pair[1].starts_with("for (")), "{text}");
        assert!(loops.clone().all(|pair| pair[1].contains("_end = ")), "bounds once: {text}");
    }
}

/// With OpenMP, loops with private scalars keep the pragma that says so.
#[test]
fn they_replace_simd_where_nothing_is_private() {
    let standard = code("standard", Target::OpenMp, VectorPragma::OpenMp);
    assert!(standard.contains("omp simd"), "{standard}");
    let gcc = code("openmp_gcc", Target::OpenMp, VectorPragma::Gcc);
    assert!(gcc.contains("GCC ivdep"), "{gcc}");
    let simd = gcc.lines().filter(|line| line.contains("omp simd"));
    assert!(
        simd.clone().all(|line| line.contains("private") || line.contains("reduction")),
        "{gcc}"
    );
}
