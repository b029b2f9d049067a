//! The pragmas before vector loops: those of gcc and clang need no option of the compiler.
mod support;

use loopwright::CompileOptions;
use loopwright_backend::{Target, VectorPragma};
use support::{prints_the_same, scratch};

/// A stencil on memory that the compiler cannot tell apart, a scalar that is private, and a sum.
const PROGRAM: &str = "#include <stdio.h>\n\
    static void kernel(int n, double *restrict a, double *restrict b, double *restrict c)\n{\n\
    int i, j; double t, s = 0;\n\
    #pragma scop\n\
    for (i = 1; i < n - 1; i++) b[i] = 0.5 * a[i] + 0.25 * (a[i - 1] + a[i + 1]);\n\
    for (j = 0; j < n; j++) { t = b[j] * 2; c[j] = t + t * b[j]; }\n\
    for (j = 0; j < n; j++) s = s + c[j];\n\
    #pragma endscop\n\
    printf(\"%.17g\\n\", s);\n}\n\
    int main(void)\n{\nstatic double a[3000], b[3000], c[3000];\n\
    for (int i = 0; i < 3000; i++) { a[i] = i % 17; b[i] = i; c[i] = 0; }\n\
    kernel(3000, a, b, c); kernel(2, a, b, c); kernel(0, a, b, c);\n\
    double sum = 0; for (int i = 0; i < 3000; i++) sum = sum * 0.9 + b[i] - c[i];\n\
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
