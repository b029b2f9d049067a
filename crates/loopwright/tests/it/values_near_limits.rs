//! Symbolic constants near the limits of their types: generated loops compute nothing that overflows, or a
//! condition in front of them lets the region run as it was.
use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, Scheduler, compile_text};

fn compiled(text: &str, options: &CompileOptions) -> Result<(String, String), String> {
    let compiled = compile_text("near_limits.c", text, options);
    let compiled = compiled.map_err(|failure| failure.to_string())?;
    Ok((compiled.code, compiled.report.to_string()))
}

/// Functions with calls of them, the printed results of which are the same before and after.
const PROGRAM: &str = r#"#include <limits.h>
#include <stdio.h>
static int a[700];
void ends_at_most(int n, int m) {
#pragma scop
  for (int i = n; i < m; i++)
    for (int j = i; j < m; j++)
      a[j - n] += j - i;
#pragma endscop
}
void below(int limit) {
#pragma scop
  for (int i = 0; i < 20; i++)
    if (i * 2 < limit)
      a[i] = 1;
#pragma endscop
}
void without_limit(int n, long limit) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      if (j - i < limit)
        a[j] += 1;
      else
        a[j] -= 1;
#pragma endscop
}
void down(long n) {
#pragma scop
  for (long i = n; i > n - 9; i--)
    for (long j = n; j > i; j--)
      a[n - i] += (int) (n - j);
#pragma endscop
}
void narrow(int n, int m) {
#pragma scop
  for (int i = m / 2; i < n; ++i)
    for (short j = i; j <= i; j++)
      a[2 * j + 40] = a[2 * i + j + 1] + 1;
#pragma endscop
}
static void show(const char *name) {
  long sum = 0;
  for (int i = 0; i < 700; i++) {
    sum = sum * 7 % 1000003 + a[i];
    a[i] = i % 5;
  }
  printf("%s %ld\n", name, sum);
}
int main(void) {
  ends_at_most(INT_MAX - 5, INT_MAX); show("most");
  ends_at_most(INT_MIN, INT_MIN + 30); show("least");
  below(INT_MIN); show("never"); below(INT_MAX); show("always"); below(15); show("some");
  without_limit(600, LONG_MAX); show("no limit");
  without_limit(600, LONG_MIN); show("no limit");
  without_limit(600, 31); show("limit");
  down(LONG_MAX); show("down"); down(LONG_MIN + 10); show("down"); down(5); show("down");
  narrow(20, 4); show("narrow");
}
"#;

#[test]
fn results_stay_the_same_near_the_limits_of_types() {
    let folder = scratch("near_limits");
    let expected = run_c(PROGRAM, &folder, "before").expect("the program runs");
    let options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    let (code, report) = compiled(PROGRAM, &options).expect("the program is compiled");
    let found = run_c(&code, &folder, "after").expect("the result runs");
    assert_eq!(found, expected, "{code}");
    // What may overflow an `int` is computed in a `long`, and what may overflow that is asked for.
    assert!(code.contains("(long) limit - 1"), "{code}");
    let asked = "`limit >= -4611686018427387904 && limit <= 4611686018427387904`, so that in line 19 \
                 what new loops compute has room in 64 bits";
    assert!(report.contains(asked), "{report}");
    assert!(!code.contains("-32768; c"), "all values of a `short`: {code}");
}

/// Where the loops around say enough about a symbolic constant, nothing is converted.
#[test]
fn what_loops_around_exclude_is_not_converted() {
    let text = "void f(int n, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    \
                for (int j = 1; j < n - 1; j++)\n      a[i] += j;\n#pragma endscop\n}\n";
    let options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    let (code, _) = compiled(text, &options).expect("the program is compiled");
    assert!(code.contains("n - 2") && !code.contains("(long) n"), "{code}");
}

#[test]
fn loops_that_64_bits_have_no_room_for_are_refused() {
    let text = "void f(int n, double A[restrict n], double B[restrict n]) {\n#pragma scop\n  \
                for (int i = 1; i < n; i++)\n    A[i] = A[i - 1] + B[i];\n#pragma endscop\n}\n";
    let given = |scheduler| CompileOptions { scheduler, ..CompileOptions::new() };
    for scheduler in [
        Scheduler::Transformed("shift S0 1 9223372036854775800".into()),
        Scheduler::Given("[n] -> { S0[i] -> [i + 99999999999999999999] }".into()),
        Scheduler::Given("[n] -> { S0[i] -> [i + 9223372036854775800] }".into()),
    ] {
        let refused = compiled(text, &given(scheduler)).expect_err("64 bits have no room");
        assert!(refused.contains("64 bits have no room for"), "{refused}");
    }
    let shifted = given(Scheduler::Transformed("shift S0 1 1000000".into()));
    assert!(compiled(text, &shifted).is_ok());
}
