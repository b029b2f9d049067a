//! A triangle mapped on a rectangle by ranks, against the same loops by hand: the ratio of their processor
//! times, the least of 200 rounds each.
//!
//! `cargo run --release -p loopwright-multifor --example ranks_by_hand`; it needs a C compiler (`$CC` or
//! `cc`).
use loopwright_multifor::{LowerSettings, lowered};
use std::process::Command;

/// What both variants do at a pair of iterations.
const FIRST: &str = "t[i * N + j] = 0.5 * t[i * N + j] + 1.0;";
const SECOND: &str = "r[k * W + l] = r[k * W + l] * 0.25 + 2.0;";

/// The nests by ranks.
fn by_ranks() -> String {
    let statement = format!(
        "#pragma multifor ranks
  multifor (long i = 1, long k = 0; i < N, k < H; i++, k++; 1, 1; 0, 0)
    multifor (long j = 0, long l = 0; j < i, l < W; j++, l++; 1, 1; 0, 0) {{
      0: {FIRST}
      1: {SECOND}
    }}"
    );
    let head =
        "static void by_ranks(long N, long H, long W, double *restrict t, double *restrict r) {\n";
    let text = format!("{head}  {statement}\n}}\n");
    match lowered("ranks.c".as_ref(), &text, &LowerSettings::default()) {
        Ok(plain) => plain.text,
        Err(refused) => panic!("{}", refused[0]),
    }
}

/// The rectangle by loops, the triangle by counting.
fn merged_by_hand() -> String {
    format!(
        "static void merged(long N, long H, long W, double *restrict t, double *restrict r) {{
  long i = 1, j = 0;
  for (long k = 0; k < H; k++)
    for (long l = 0; l < W; l++) {{
      {FIRST}
      {SECOND}
      if (++j >= i) {{ i++; j = 0; }}
    }}
}}
"
    )
}

/// One nest after the other.
fn apart_by_hand() -> String {
    format!(
        "static void apart(long N, long H, long W, double *restrict t, double *restrict r) {{
  for (long i = 1; i < N; i++)
    for (long j = 0; j < i; j++) {{ {FIRST} }}
  for (long k = 0; k < H; k++)
    for (long l = 0; l < W; l++) {{ {SECOND} }}
}}
"
    )
}

const MAIN: &str = "
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
typedef void function(long, long, long, double *restrict, double *restrict);
static double best(function *f, long N, long H, long W, double *t, double *r, long times) {
  double least = 1e30;
  for (int round = 0; round < 200; round++) {
    double start = now();
    for (long n = 0; n < times; n++) f(N, H, W, t, r);
    double time = (now() - start) / times;
    if (time < least) least = time;
  }
  return least;
}
static double sum(const double *a, long n) {
  double s = 0;
  for (long i = 0; i < n; i++) s += a[i] * (i % 7 + 1);
  return s;
}
int main(void) {
  long sizes[3] = {201, 1001, 3001};
  for (int s = 0; s < 3; s++) {
    long N = sizes[s], H = (N - 1) / 2, W = N, times = 2000000 / (N * N) + 1;
    double *t = malloc(sizeof(double) * N * N), *r = malloc(sizeof(double) * H * W);
    function *all[3] = {apart, merged, by_ranks};
    double time[3], sums[3];
    for (int v = 0; v < 3; v++) {
      for (long i = 0; i < N * N; i++) t[i] = i % 13;
      for (long i = 0; i < H * W; i++) r[i] = i % 11;
      all[v](N, H, W, t, r);
      sums[v] = sum(t, N * N) + sum(r, H * W);
      time[v] = best(all[v], N, H, W, t, r, times);
    }
    if (sums[0] != sums[1] || sums[0] != sums[2]) { printf(\"the results differ\\n\"); return 1; }
    printf(\"N = %ld: merged by hand / by ranks %.2f, apart by hand / by ranks %.2f\\n\", N, time[1] / time[2], time[0] / time[2]);
    free(t);
    free(r);
  }
  return 0;
}
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let (source, binary) = (folder.path().join("ranks.c"), folder.path().join("ranks"));
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    let head = "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n";
    let parts = [head, &apart_by_hand(), &merged_by_hand(), &by_ranks(), MAIN];
    std::fs::write(&source, parts.concat())?;
    let flags = ["-O3", "-march=native", "-fopenmp", "-o"];
    let status = Command::new(&cc).args(flags).args([&binary, &source]).arg("-lm").status()?;
    if !status.success() {
        return Err("the program does not compile".into());
    }
    let output = Command::new(&binary).output()?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    if !output.status.success() {
        return Err("the results differ".into());
    }
    Ok(())
}
