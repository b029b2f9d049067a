//! Loops that call functions of the file: the bodies stand in place of the calls, and the programs do what
//! they did.

use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, compile_file};
use loopwright_cfront::Options;
use loopwright_testkit::cases::seeds;
use std::fmt::Write;

fn autodetecting() -> CompileOptions {
    let front_end = Options { autodetect: true, ..Options::default() };
    CompileOptions { always_rewrite: true, front_end, ..CompileOptions::new() }
}

/// The text that is made of a program; it must print the same.
fn same_output(name: &str, program: &str) -> String {
    let folder = scratch(name);
    let path = folder.join("program.c");
    std::fs::write(&path, program).expect("the folder for tests can be written");
    let compiled = compile_file(&path, &autodetecting()).expect("it compiles");
    let before = run_c(program, &folder, "before").expect("the program runs");
    let after = run_c(&compiled.code, &folder, "after");
    let after = after.unwrap_or_else(|fault| panic!("{fault}\n{}", compiled.code));
    assert_eq!(before, after, "{}", compiled.code);
    compiled.code
}

const PRODUCT: &str = r#"
#include <stdio.h>
enum { N = 40 };
static double a[N][N], b[N][N], y[N];
static void axpy(int n, double s, const double *x, int step, double *y) {
  int i;
  if (n <= 0 || s == 0) return;
  if (step != 1) {
    for (i = 0; i < n; i++) y[i * step] += s * x[i * step];
    return;
  }
  for (i = 0; i < n; i++) y[i] += s * x[i];
}
static double norm(const double *from, int n) {
  const double *end = from + n;
  double s = 0;
  while (from < end) { s += *from * *from; from++; }
  return s;
}
static void twice(double *row, int n) { axpy(n, 1.0, row, 1, row); }
int main(void) {
  int i, j, n = N;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) { a[i][j] = i - j % 7; b[i][j] = i * j % 5; }
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      axpy(n, 0.001 * b[i][j], a[j], 1, a[i] == a[j] ? b[i] : a[i]);
  for (i = 1; i < n; i++)
    axpy(n - i, 0.5, &a[i][i], 1, &b[i - 1][i]);
  for (i = 0; i < n; i++) {
    y[i] = norm(a[i], n) + 1;
    if (norm(b[i], n - 1) > 5000) y[i] = -y[i];
    double again = norm(&a[i][2], n - 2) * norm(b[i], 1);
    y[i] += again;
  }
  for (i = 0; i < n; i += 2)
    twice(b[i], n);
  double s = 0;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      s = 0.5 * s + a[i][j] + 2 * b[i][j] + y[i];
  printf("%.17g\n", s);
  return 0;
}
"#;

#[test]
fn bodies_in_place_of_calls_do_what_the_calls_did() {
    let code = same_output("inlined_calls", PRODUCT);
    let main = code.split("int main(void)").nth(1).expect("the function is there");
    assert!(main.contains("#pragma omp parallel for"), "{code}");
    // The one that the program's own text keeps is behind `else`, if anywhere.
    assert!(!main.contains("y[i] = norm(a[i], n) + 1"), "{code}");
}

#[test]
fn old_definitions_and_names_of_the_caller_are_kept_apart() {
    same_output(
        "inlined_names",
        r#"
#include <stdio.h>
static float total[30];
int scale;
static void add(n, f, x) int n; float f, *x; { int i; for (i = 0; i < n; i++) x[i] = x[i] * f + scale; }
static int last(int n, const int *v) {
  int i = n, s = 0;
  while (n--) { s += v[n]; if (s > 40) return s - 40; }
  return s + i;
}
static void uses_global(float *x, int n) { for (int i = 0; i < n; i++) x[i] += scale; }
int main(void) {
  int v[30], i, s, n = 30;
  float x[30][30];
  for (i = 0; i < n; i++) { v[i] = i * 13 % 11; for (s = 0; s < n; s++) x[i][s] = i + s; }
  scale = 2;
  for (i = 0; i < n; i++) add(n, 0.25, x[i]);
  for (s = 0; s < n; s++) { int i = last(s, v); total[s] = i; }
  { int scale = 9; for (i = 0; i < n; i++) { uses_global(x[i], scale); total[i] += scale; } }
  for (i = 0; i < n; i++) { v[i] = last(i % 5, v + 3); }
  double sum = 0;
  for (i = 0; i < n; i++) for (s = 0; s < n; s++) sum = 0.75 * sum + x[i][s] + total[s] + v[i];
  printf("%.9g\n", sum);
  return 0;
}
"#,
    );
}

/// Numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

/// A statement of a function whose parameters are `n`, `s`, `p` and `q`.
fn statement(numbers: &mut Numbers, number: usize) -> String {
    let value = ["s", "p[i]", "0.5 * q[i]", "p[n - 1 - i]", "t", "i - n", "q[0]"];
    let place = ["p[i]", "p[n - 1 - i]", "t", "p[(i * 3) % n]", "p[0]"];
    let (to, from, more) = (numbers.one_of(&place), numbers.one_of(&value), numbers.one_of(&value));
    let update = format!("{to} = 0.25 * {to} + 0.5 * ({from}) - 0.125 * ({more});");
    match numbers.below(9) {
        0 => format!("for (i = 0; i < n; i++) {{ {update} }}"),
        1 => format!("for (i = n - 1; i >= 0; i--) if (p[i] > s) {{ {update} }} else t += 1;"),
        2 => format!(
            "if (n < {}) return{};",
            numbers.below(9),
            if number.is_multiple_of(2) { "" } else { " t" }
        ),
        3 => "{ const double *e = q + n, *r = q; while (r < e) { t += 0.125 * *r; r++; } }"
            .to_string(),
        4 => "{ double *w = p; int m = n; while (m-- > 0) *w++ += 0.5; }".to_string(),
        5 => format!("for (int k = 1; k < n; k++) {{ i = k; {update} if (t > 1e6) break; }}"),
        6 if number > 1 => format!("f{}(n / 2, t, p + n / 2, q);", number - 2),
        7 if number > 0 => format!("t = 0.5 * f{}(n - 1, s, p, q + 1);", number - 1 + number % 2),
        8 => format!(
            "if (s > {}) {{ t = -t; return{}; }}",
            numbers.below(5),
            if number.is_multiple_of(2) { "" } else { " s" }
        ),
        _ => "n -= 1; if (n < 1) n = 1; t = t * 0.5 + n;".to_string(),
    }
}

/// A program whose loops call functions that call each other.
fn program(seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let mut text = String::from(
        "#include <stdio.h>\nenum { N = 12 };\nstatic double a[N][2 * N], b[N][2 * N], y[N], z[N];\n",
    );
    let n_functions: usize = 6;
    for number in 0..n_functions {
        let kind = if number.is_multiple_of(2) { "void" } else { "double" };
        let n = 2 + numbers.below(3);
        let body: Vec<String> = (0..n).map(|_| statement(&mut numbers, number)).collect();
        // Calls of functions with a value lead to ones before this.
        let body: Vec<String> =
            body.into_iter().map(|s| s.replace(&format!("f{number}("), "f1(")).collect();
        let body = if number < 3 {
            body.iter().filter(|s| !s.contains("f1(")).cloned().collect()
        } else {
            body
        };
        let end = if number.is_multiple_of(2) { "" } else { "  return t + p[0];\n" };
        let _ = write!(
            text,
            "static {kind} f{number}(int n, double s, double *p, const double *q) {{\n  int i;\n  double t = s;\n  {}\n{end}}}\n",
            body.join("\n  ")
        );
    }
    text.push_str(
        "int main(void) {\n  int i, j, n = N;\n  double s = 1, t = 0;\n  for (i = 0; i < n; i++)\n    for (j = 0; j < 2 * n; j++) { a[i][j] = (i * 7 + j) % 5; b[i][j] = (i + 3 * j) % 7 - 3; }\n",
    );
    for _ in 0..4 {
        let (void, valued) = (2 * numbers.below(3), 2 * numbers.below(3) + 1);
        let place = numbers.one_of(&["a[i]", "&a[i][i / 2]", "b[n - 1 - i] + 1", "a[0]"]);
        let other = numbers.one_of(&["b[i]", "&b[i][3]", "a[i]", "y"]);
        let factor = numbers.one_of(&["s", "0.5", "y[i]", "i", "a[i][0] * 2"]);
        let length = numbers.one_of(&["n", "i + 1", "n - 2", "i % 4 + 2", "6"]);
        let _ = match numbers.below(4) {
            0 => writeln!(
                text,
                "  for (i = 0; i < n; i++) f{void}({length}, {factor}, {place}, {other});"
            ),
            1 => writeln!(
                text,
                "  for (i = 0; i < n; i++) y[i] = f{valued}({length}, {factor}, {place}, {other});"
            ),
            2 => writeln!(
                text,
                "  for (i = 0; i < n; i++) {{ double v = f{valued}({length}, {factor}, {place}, {other}); z[i] += v; s += 0.5; }}"
            ),
            _ => writeln!(
                text,
                "  for (i = 0; i < n; i++) for (j = 0; j < 3; j++) {{ t = 0.5 * t + j; f{void}({length}, t, {place}, {other}); }}"
            ),
        };
    }
    text.push_str(
        "  for (i = 0; i < n; i++) {\n    for (j = 0; j < 2 * n; j++) t = 0.75 * t + a[i][j] - b[i][j];\n    t += y[i] + z[i];\n    printf(\"%.17g\\n\", t);\n  }\n  return 0;\n}\n",
    );
    text
}

#[test]
fn random_programs_with_calls_do_the_same() {
    for seed in seeds(0, 24) {
        same_output("inlined_random", &program(seed));
    }
}
