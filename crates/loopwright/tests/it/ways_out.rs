//! Loops that errors leave: what was made of them runs where they do not, and elsewhere the program's own
//! lines.

use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, compile_file};
use loopwright_cfront::Options;

const PROGRAM: &str = r#"
#include <assert.h>
#include <stdio.h>
static double a[40], b[40];
static int bounded(int n, int m) {
  for (int i = 0; i < n; i++) {
    if (i >= m) {
      printf("%d is too much\n", i);
      return -1;
    }
    a[i] = 2 * b[i];
  }
  return 0;
}
static int nested(int n, int m, int k) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (i + j == k)
        return i;
      else
        a[i] += b[j];
    }
  return -1;
}
static int down(int n, int low) {
  for (int i = n - 1; i >= 0; i--) {
    assert(i < 40);
    if (i >= low) a[i] = b[i] + 1; else { puts("below"); return i; }
  }
  return 100;
}
int main(void) {
  for (int i = 0; i < 40; i++) b[i] = i * 3 % 7;
  for (int n = -1; n < 6; n++)
    for (int m = -1; m < 6; m++) {
      printf("%d %d: %d ", n, m, bounded(n, m));
      for (int k = -1; k < 11; k++) printf("%d ", nested(n, m, k));
      printf("%d\n", down(n, m));
      double s = 0;
      for (int i = 0; i < 40; i++) { s = 0.75 * s + a[i]; a[i] = i; }
      printf("%.17g\n", s);
    }
  return 0;
}
"#;

#[test]
fn errors_happen_as_before() {
    let folder = scratch("ways_out");
    let path = folder.join("program.c");
    std::fs::write(&path, PROGRAM).expect("the folder for tests can be written");
    let front_end = Options { autodetect: true, ..Options::default() };
    let options = CompileOptions { always_rewrite: true, front_end, ..CompileOptions::new() };
    let compiled = compile_file(&path, &options).expect("it compiles");
    for function in ["bounded", "nested", "down"] {
        let own = compiled.report.regions.iter().find(|region| region.function == function);
        let own = own.unwrap_or_else(|| panic!("{function} has a region:\n{}", compiled.code));
        assert!(own.notes.iter().any(|note| note.contains("is not left there")), "{:?}", own.notes);
    }
    let before = run_c(PROGRAM, &folder, "before").expect("the program runs");
    let after = run_c(&compiled.code, &folder, "after").expect("the result runs");
    assert_eq!(before, after, "{}", compiled.code);
}
