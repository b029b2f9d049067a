//! Iterators and subscripts of kernels have 32 bits where everything fits: the text, what is checked at run
//! time, faults in it, and sizes for which it is not so.
use crate::devices::{Built, options};
use crate::project::is_there;
use loopwright::CompileOptions;
use loopwright_backend::device::Language;

/// A part of a vector, whose place depends on a size, and a matrix.
const WINDOW: &str = r#"#include <stdio.h>
#ifndef N
#define N 1000
#endif
static double a[200], c[40][50];
void window(int n, int m, double c[m][m + 10]) {
#pragma scop
  for (int i = n; i < n + 200; i++)
    a[i - n] = a[i - n] * 0.5 + 1.0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      c[i][j] = c[i][j] * 2.0 + i;
#pragma endscop
}
int main(void) {
  for (int i = 0; i < 200; i++) a[i] = i;
  for (int i = 0; i < 40; i++) for (int j = 0; j < 50; j++) c[i][j] = i - j;
  window(N, 40, c);
  for (int i = 0; i < 200; i++) printf("%.17g\n", a[i]);
  for (int i = 0; i < 40; i++) for (int j = 0; j < 50; j++) printf("%.17g\n", c[i][j]);
  return 0;
}
"#;

fn built(text: &str, language: Language, change: impl Fn(&mut CompileOptions)) -> Built {
    let mut options = options(language);
    change(&mut options);
    Built::with("window", text, &options).expect("it compiles")
}

#[test]
fn iterators_are_short_where_sizes_are_compared_with_what_fits() {
    let short = built(WINDOW, Language::Cuda, |_| ());
    let kernels = short.kernels();
    for part in [
        "  for (int c0 = lw_first(floord(n, 32), blockIdx.x, gridDim.x);",
        "  LW_FITS(n, 67108864);\n",
        "  LW_FITS(m, 67108864);\n",
        "  LW_FITS(c_bytes / sizeof(double), 1073741824);\n",
        "static __device__ int lw_first(int least, int number, int count)\n",
        "4194304)",
    ] {
        assert!(kernels.contains(part), "{part}: {kernels}");
    }
    assert!(!kernels.contains("LW_FITS(a_bytes"), "{kernels}");
    assert!(!kernels.contains("for (long"), "{kernels}");
    for language in [Language::Cuda, Language::OpenCl] {
        let long = built(WINDOW, language, |options| {
            options.set("no-short-subscripts", None).expect("it is an option");
        });
        let kernels = long.kernels();
        assert!(kernels.contains("for (long c0 = "), "{kernels}");
        assert!(!kernels.contains("  LW_FITS("), "{kernels}");
        assert!(!kernels.contains("for (int c"), "{kernels}");
    }
}

/// The processor does the work, and a message says why.
#[test]
fn larger_sizes_are_left_to_the_processor() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let large = WINDOW.replacen("#define N 1000", "#define N 70000000", 1);
    for (text, fits) in [(WINDOW, true), (&*large, false)] {
        let built = built(text, Language::Cuda, |_| ());
        built.emulate(built.kernels(), "-O0");
        let output = built.shell("EMULATION_REPORT=1 ./code");
        assert!(output.stdout == built.expected(), "{fits}");
        let said = String::from_utf8_lossy(&output.stderr);
        let about = "n is 70000000: above 67108864 subscripts of 32 bits are too short";
        assert_eq!(said.contains(about), !fits, "{said}");
        assert_eq!(said.contains("launches 0,"), !fits, "{said}");
    }
}

/// What does not fit for any large size is computed with 64 bits.
#[test]
fn large_coefficients_leave_iterators_long() {
    let strided = WINDOW.replace("a[i - n]", "a[(i - n) * 1000 - 999 * (i - n)]");
    assert!(built(&strided, Language::Cuda, |_| ()).kernels().contains("for (int c0"));
    let apart = "void apart(int n, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[5000 * i] = 1.0;\n#pragma endscop\n}\n";
    let long = built(apart, Language::Cuda, |_| ());
    let kernels = long.kernels();
    assert!(kernels.contains("for (long c0"), "{kernels}");
    assert!(!kernels.contains("  LW_FITS("), "{kernels}");
    let notes = &long.compiled.report.regions[0];
    assert!(notes.proofs.iter().all(|(_, proof)| proof.is_proved()), "{notes:?}");
}

/// Sums of more subscripts leave less for each of them.
#[test]
fn elements_of_three_dimensions_are_short_as_well() {
    let cube = "void cube(int n, double a[n][n][n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      for (int k = 0; k < n; k++)\n        a[i][j][k] *= 2.0;\n#pragma endscop\n}\n";
    let cube = built(cube, Language::Cuda, |_| ());
    let kernels = cube.kernels();
    assert!(kernels.contains("  LW_FITS(n, 67108864);\n"), "{kernels}");
    assert!(!kernels.contains("(long c"), "{kernels}");
}

/// Each check is needed, and each number in it.
#[test]
fn faults_in_checks_of_sizes_are_refuted() {
    for language in [Language::Cuda, Language::OpenCl] {
        let built = built(WINDOW, language, |_| ());
        built.refutes_each(&[
            ("  LW_FITS(n, 67108864);\n", ""),
            ("  LW_FITS(m, 67108864);\n", ""),
            ("  LW_FITS(n, 67108864);\n", "  LW_FITS(m, 67108864);\n"),
            ("LW_FITS(n, 67108864)", "LW_FITS(n, 67108865)"),
            ("  LW_FITS(c_bytes / sizeof(double), 1073741824);\n", ""),
            ("c_bytes / sizeof(double), 1073741824", "c_bytes / sizeof(double), 2147483648"),
            ("c_bytes / sizeof(double), 1073741824", "c_bytes / sizeof(float), 1073741824"),
            ("LW_FITS(c_bytes", "LW_FITS(a_bytes"),
            ("for (int c0", "for (short c0"),
            ("for (int c0", "for (long c0"),
            (", 4194304)", ", 2147483647)"),
        ]);
    }
}
