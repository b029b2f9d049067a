//! Loops over complex numbers: functions of `<complex.h>` only compute values.
use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, compile_file};

const PROGRAM: &str = r#"
#include <complex.h>
#include <stdio.h>
static double complex z[500], o[500];
static double r[500];
static void parts(int n) {
  for (int i = 0; i < n; i++) {
    r[i] = creal(z[i]) * cimag(z[i]) + cabs(z[i]);
    o[i] = conj(z[i]) * csqrt(z[i]);
  }
}
int main(void) {
  for (int i = 0; i < 500; i++)
    z[i] = i % 17 - 3 + (i % 5 - 1.5) * I;
  parts(500);
  double sum = 0;
  for (int i = 0; i < 500; i++)
    sum = sum * 0.5 + r[i] + creal(o[i]) - cimag(o[i]);
  printf("%.17g\n", sum);
  return 0;
}
"#;

#[test]
fn parts_of_complex_numbers_are_values() {
    let folder = scratch("complex");
    let path = folder.join("complex.c");
    std::fs::write(&path, PROGRAM).expect("the folder for tests can be written");
    let mut options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    options.front_end.autodetect = true;
    let compiled = compile_file(&path, &options).expect("it compiles");
    assert!(compiled.code.contains("#pragma omp parallel for"), "{}", compiled.code);
    let before = run_c(PROGRAM, &folder, "before").expect("the program runs");
    let after = run_c(&compiled.code, &folder, "after").expect("the result runs");
    assert_eq!(before, after);
}
