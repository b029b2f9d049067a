//! Loops that are independent although it takes a second look to see it: what branches write, arrays of
//! iterations, windows of unknown size, planes in turn, iterators that count down. Results are compared, and
//! the shape of the printed loops.

use crate::support::{prints_the_same, scratch};
use loopwright::CompileOptions;
use loopwright_backend::Target;

/// A program with a region in a function of arrays `a`, `b`, `x`, `y`, `c`, that prints what the region
/// leaves.
fn program(before: &str, region: &str) -> String {
    format!(
        "#include <stdio.h>
static double a[60][60], b[60][60], x[60], y[60], sum;
static int c[60];
static void f(int n, int m, double a[restrict][60], double b[restrict][60], double *restrict x, double *restrict y,
              const int *restrict c)
{{
  {before}
#pragma scop
{region}
#pragma endscop
}}
int main(void)
{{
  for (int i = 0; i < 60; i++) {{
    x[i] = i % 7 - 2; y[i] = i; c[i] = i * 5 % 7 - 2;
    for (int j = 0; j < 60; j++) {{ a[i][j] = (i * 3 + j) % 11; b[i][j] = j; }}
  }}
  f(60, 60, a, b, x, y, c); f(7, 3, a, b, x, y, c); f(0, 1, a, b, x, y, c);
  for (int i = 0; i < 60; i++) {{
    sum = sum * 0.99 + x[i] + y[i];
    for (int j = 0; j < 60; j++) sum = sum * 0.99 + a[i][j] + b[i][j];
  }}
  printf(\"%.17g\\n\", sum);
  return 0;
}}
"
    )
}

/// The code for a region, after a comparison of what the programs print.
fn code(name: &str, before: &str, region: &str) -> String {
    code_for(Target::OpenMp, name, before, region)
}

fn code_for(target: Target, name: &str, before: &str, region: &str) -> String {
    let options = CompileOptions { target, always_rewrite: true, ..CompileOptions::new() };
    let text = program(before, region);
    let all = prints_the_same(&scratch("independent_loops"), name, &text, &options);
    let (_, rest) = all.split_once("static void f(").expect("the function is there");
    let (function, _) = rest.split_once("int main").expect("so is main");
    function.to_string()
}

/// The loops and pragmas of a text, with the number of loops around each.
fn loops(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut around = Vec::new();
    for line in code.lines() {
        let text = line.trim_start();
        let indentation = line.len() - text.len();
        if text.is_empty() {
            continue;
        }
        around.retain(|&outer| outer < indentation);
        if text.starts_with("#pragma omp") {
            found.push((around.len(), text));
        } else if text.starts_with("for (") {
            found.push((around.len(), text));
            around.push(indentation);
        }
    }
    found
}

fn is_outer_parallel(code: &str) -> bool {
    loops(code)
        .iter()
        .any(|(depth, text)| *depth == 0 && text.starts_with("#pragma omp parallel for"))
}

fn depth(code: &str) -> usize {
    let found = loops(code);
    let loops = found.iter().filter(|(_, text)| text.starts_with("for ("));
    loops.map(|(depth, _)| depth + 1).max().unwrap_or(0)
}

/// What the body of a loop over `i` does, and whether the loop is parallel.
fn check_bodies(name: &str, before: &str, cases: &[(&str, bool)]) {
    for (position, (body, is_parallel)) in cases.iter().enumerate() {
        let region = format!("  for (int i = 0; i < n; i++) {{\n    {body}\n  }}");
        let code = code(&format!("{name}{position}"), before, &region);
        assert_eq!(is_outer_parallel(&code), *is_parallel, "{code}");
    }
}

const WORK: &str = "for (int j = 0; j < m; j++) b[i][j] = a[i][j] * t;";

#[test]
fn what_all_branches_write_is_written() {
    let with_work = |text: &str| format!("{text}\n    {WORK}");
    let cases = [
        ("if (c[i] > 0) t = x[i]; else t = y[i];", true),
        (
            "if (c[i] > 0) { if (x[i] > 2) t = 1; else t = 2; } else if (c[i] < -1) t = 3; else t = 4;",
            true,
        ),
        (
            "switch (c[i]) { case 0: t = 1; break; case 1: t = x[i]; t += 1; break; default: t = 2; }",
            true,
        ),
        (
            "switch (c[i]) { case 0: case 1: t = 1; break; case 2: t = 4; default: t = t + 1; t = 2; }",
            false,
        ),
        ("switch (c[i]) { case 0: t = 1; break; case 2: u = 4; default: t = 2; } y[i] = t;", true),
        ("c[i] > 1 ? (t = x[i]) : (t = 2);", true),
        ("if (c[i] > 0) { t = x[i]; t = t * t; } else { t = 1; }", true),
        // One way leads past the write, or the value from before is read.
        ("if (c[i] > 0) t = x[i];", false),
        ("if (c[i] > 0) { if (x[i] > 2) t = 1; } else t = 2;", false),
        ("switch (c[i]) { case 0: t = 1; break; case 1: t = 2; }", false),
        ("switch (c[i]) { case 0: if (x[i] > 1) break; t = 1; break; default: t = 2; }", false),
        ("if (c[i] > 0) t = t + x[i]; else t = 0;", false),
        ("for (int k = 0; k < c[i]; k++) { if (x[i] > 1) break; t = k; }", false),
        ("if (c[i] > 0) { if (x[i] > 2) goto past; t = 1; } else t = 2; past: ;", false),
        ("c[i] > 1 && (t = x[i]);", false),
    ];
    let texts: Vec<(String, bool)> = cases.map(|(text, wanted)| (with_work(text), wanted)).to_vec();
    let cases: Vec<(&str, bool)> = texts.iter().map(|(text, wanted)| (&**text, *wanted)).collect();
    check_bodies("branches", "double t = 7, u = 8; (void) u;", &cases);
}

#[test]
fn branches_of_several_statements_overwrite_what_they_write_first() {
    let cases = [
        (
            "if (c[i] > 0) { t = 0; for (int j = 0; j < m; j++) t += a[i][j]; }
             else { t = 1; for (int j = 0; j < m; j++) t *= a[i][j]; } y[i] = t;",
            true,
        ),
        (
            "if (c[i] > 2) { t = 0; for (int j = 0; j < m; j++) t += a[i][j]; }
             else if (c[i] > 0) { t = 1; for (int j = 0; j < m; j++) t *= a[i][j]; }
             else { t = 3; for (int j = 0; j < m; j++) t -= a[i][j]; } y[i] = t;",
            true,
        ),
        ("if (c[i] > 0) { t = 0; for (int j = 0; j < m; j++) t += a[i][j]; } y[i] = t;", false),
        (
            "if (c[i] > 0) { for (int j = 0; j < m; j++) t += a[i][j]; y[i] = t; t = 0; }
             else { t = 1; for (int j = 0; j < m; j++) t *= a[i][j]; y[i] = t; }",
            false,
        ),
        (
            "if (c[i] > 0) { for (int j = 0; j < m; j++) t = a[i][j]; }
             else { t = 1; for (int j = 0; j < m; j++) t *= a[i][j]; } y[i] = t;",
            false,
        ),
        (
            "if (c[i] > 2) { t = 0; for (int j = 0; j < m; j++) t += a[i][j]; }
             else if (c[i] > 0) { for (int j = 0; j < m; j++) t *= a[i][j]; }
             else { t = 3; } y[i] = t;",
            false,
        ),
    ];
    check_bodies("overwritten", "double t = 7;", &cases);
}

#[test]
fn arrays_of_iterations_are_declared_in_them() {
    let body = "double row[m];
    for (int j = 0; j < m; j++) row[j] = 0.5 * a[i][j];
    for (int j = 1; j < m; j++) b[i][j] = row[j] + row[j - 1];";
    let region = format!("  for (int i = 0; i < n; i++) {{\n    {body}\n  }}");
    let parallel = code("own_array", "", &region);
    assert!(is_outer_parallel(&parallel), "{parallel}");
    let pragma = parallel.find("#pragma omp parallel for").expect("it is parallel");
    let declaration = parallel.find("double row[").expect("it is declared");
    assert!(pragma < declaration && parallel.matches("double row[").count() == 1, "{parallel}");
    let sequential = code_for(Target::C, "own_array_c", "", &region);
    let declaration = sequential.find("double row[").expect("it is declared");
    assert!(declaration < sequential.find("for (").expect("a loop"), "{sequential}");
}

/// Data says which elements are used, so each statement may use all of them; but only those of its iteration.
#[test]
fn histograms_of_iterations_are_theirs() {
    let region = "  for (int i = 0; i < n; i++) {
    int h[8];
    for (int k = 0; k < 8; k++) h[k] = 0;
    for (int j = 0; j < m; j++) h[c[j] + 2] += j + i;
    for (int k = 0; k < 8; k++) b[i][k] = h[k] + h[c[k] + 2];
  }";
    let code = code("histogram", "", region);
    assert!(is_outer_parallel(&code), "{code}");
    let outside =
        region.replace("h[k] = 0;", "if (k > i) h[k] = 0;").replace("    int h[8];\n", "");
    let before = "  int h[8];\n  for (int k = 0; k < 8; k++) h[k] = 0;\n";
    let outside = format!("{before}{outside}");
    let code = self::code("histogram_kept", "", &outside);
    assert!(!is_outer_parallel(&code), "{code}");
}

#[test]
fn arrays_that_keep_values_are_shared() {
    let region = "  double row[60];
  for (int j = 0; j < m; j++) row[j] = 0;
  for (int i = 0; i < n; i++) {
    y[i] = row[i % 8];
    for (int j = 0; j < m; j++) row[j] = row[j] + a[i][j] + row[m - 1 - j];
  }";
    let code = code("kept_array", "", region);
    let position = code.find("double row[60];").expect("it is declared");
    assert!(position < code.find("for (").expect("a loop"), "{code}");
}

#[test]
fn unknown_sizes_do_not_make_loops_empty() {
    let sum = "double s = 0; for (int k = 0; k < m; k++) s += x[i + k] * y[k]; b[0][i] = s;";
    let one = code("window", "", &format!("for (int i = 0; i < n - m + 1; i++) {{ {sum} }}"));
    assert!(is_outer_parallel(&one), "{one}");
    let two = "for (int i = 0; i < n - m; i++) for (int j = 0; j < n - m; j++) {
      double s = 0;
      for (int k = 0; k < m; k++) for (int l = 0; l < m; l++) s += a[i + k][j + l] * x[k] * y[l];
      b[i][j] = s; }";
    let two = code("window_in_plane", "", two);
    assert!(is_outer_parallel(&two), "{two}");
}

/// A stencil over time on two planes, whose numbers are given.
fn planes(name: &str, planes: usize, written: &str, read: &str) -> String {
    let text = format!(
        "#include <stdio.h>
static double a[{planes}][90][90], sum;
static void f(int steps, int n, double a[restrict {planes}][90][90])
{{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[{written}][i][j] = 0.2 * (a[{read}][i][j] + a[{read}][i - 1][j] + a[{read}][i + 1][j] + a[{read}][i][j - 1]
                                    + a[{read}][i][j + 1]);
#pragma endscop
}}
int main(void)
{{
  for (int i = 0; i < {planes} * 8100; i++) (&a[0][0][0])[i] = i % 17;
  f(35, 90, a); f(3, 2, a);
  for (int i = 0; i < {planes} * 8100; i++) sum = sum * 0.999 + (&a[0][0][0])[i];
  printf(\"%.17g\\n\", sum);
  return 0;
}}
"
    );
    prints_the_same(
        &scratch("independent_loops"),
        name,
        &text,
        &CompileOptions { always_rewrite: true, ..CompileOptions::new() },
    )
}

#[test]
fn stencils_on_planes_in_turn_are_tiled_in_time() {
    let forms = [
        (2, "(t + 1) % 2", "t % 2"),
        (2, "1 - t % 2", "t % 2"),
        (2, "t & 1", "1 - (t & 1)"),
        (3, "(t + 1) % 3", "t % 3"),
    ];
    for (position, (n, written, read)) in forms.into_iter().enumerate() {
        let code = planes(&format!("planes{position}"), n, written, read);
        let (_, function) = code.split_once("static void f(").expect("the function is there");
        let (function, _) = function.split_once("int main").expect("so is main");
        assert!(depth(function) >= 6, "space and time are tiled: {function}");
        assert!(function.contains("#pragma omp parallel for"), "{function}");
    }
}

/// A loop over `y`, with the type and the start of its iterator, and whether it is parallel.
#[test]
fn loops_that_count_down_are_loops_of_the_model() {
    let cases = [
        ("for (unsigned i = n; i-- > 0;) y[i] = 2 * x[i];", true),
        ("for (unsigned i = n; i-- != 0;) y[i] = 2 * x[i];", true),
        ("for (unsigned i = n; i--;) y[i] = 2 * x[i];", true),
        ("for (unsigned i = n; 0 < i--;) y[i] = 2 * x[i];", true),
        ("for (unsigned long i = n; i-- > 2;) y[i] = 2 * x[i];", true),
        // At most 255 iterations are not worth threads.
        ("for (unsigned short i = n; i-- > 0;) y[i] = 2 * x[i];", true),
        ("for (unsigned char i = n; i-- > 0;) y[i] = 2 * x[i];", false),
        ("for (int i = n; i-- > 0;) y[i] = 2 * x[i];", true),
        ("for (int i = -1; ++i < n;) y[i] = 2 * x[i];", true),
        ("for (int i = 0; i++ < n;) y[i - 1] = 2 * x[i - 1];", true),
        ("for (unsigned i = n - 1; i < (unsigned) n; i--) y[i] = 2 * x[i];", true),
        ("for (unsigned i = n; i > 0; --i) y[i - 1] = 2 * x[i - 1];", true),
        ("for (double *p = y + n; p-- > y;) *p = *p * 2;", true),
        // The iterator changes elsewhere, is used afterwards, or the loop ends by chance.
        ("for (unsigned i = n; i-- > 0;) { y[i] = 2 * x[i]; if (i > 3) i--; }", false),
        ("unsigned k = n; for (; k-- > 0;) y[k] = 2 * x[k]; y[0] += k > 5u;", true),
        ("for (unsigned i = n + 1; i-- >= 1;) { if (c[i % 60] > 9) break; y[i % 60] = 1; }", false),
        (
            "for (unsigned i = n + 1; --i >= 0;) { if (i == 0) break; y[i - 1] = 2 * x[i - 1]; }",
            false,
        ),
    ];
    for (position, (region, is_parallel)) in cases.iter().enumerate() {
        let code = code(&format!("down{position}"), "", region);
        assert_eq!(is_outer_parallel(&code), *is_parallel, "{region}\n{code}");
    }
}

#[test]
fn arguments_that_fall_to_zero_are_counted() {
    let code =
        code("falling", "unsigned k = n;", "  while (k--) y[k] = 2 * x[k];\n  y[0] += k / 1000;");
    assert!(is_outer_parallel(&code), "{code}");
}
