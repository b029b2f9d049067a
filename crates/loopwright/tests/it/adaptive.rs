//! Regions that are timed against the text as it was when they run first.

use crate::support::{compile, run_c, scratch};
use loopwright::{Adaptive, CompileOptions};

const SMOOTH: &str = "#include <stdio.h>
static double a[3000], b[3000];
void smooth(int n, int m) {
#pragma scop
  for (int t = 0; t < m; t++)
    for (int i = 1; i < n - 1; i++)
      b[i] = b[i] + 0.5 * a[i - 1] + 0.25 * a[i + 1] * t;
#pragma endscop
}
int main(void) {
  for (int i = 0; i < 3000; i++) a[i] = i % 17;
  for (int k = 0; k < 400; k++) smooth(k % 3 ? 3000 - k : k, 1 + k % 5);
#pragma omp parallel for
  for (int k = 0; k < 4; k++) if (k == 1) smooth(2000, 3);
  double sum = 0;
  for (int i = 0; i < 3000; i++) sum += b[i] * (i % 7);
  printf(\"%.17g\\n\", sum);
}
";

fn adaptive(adaptive: Adaptive) -> CompileOptions {
    CompileOptions { adaptive, ..CompileOptions::new() }
}

#[test]
fn both_texts_stand_in_the_result_and_give_the_same() {
    let folder = scratch("adaptive");
    let path = folder.join("smooth.c");
    std::fs::write(&path, SMOOTH).expect("the folder for tests can be written");
    let (code, _) = compile(&path, &adaptive(Adaptive::Always)).expect("it compiles");
    let own = "  for (int t = 0; t < m; t++)\n    for (int i = 1; i < n - 1; i++)\n      b[i] =";
    for part in [
        "#ifndef LOOPWRIGHT_TRIALS\n",
        "  static struct loopwright_trials loopwright_trial_1_known[64];\n  struct loopwright_trial loopwright_trial_1 = {0};\n",
        "loopwright_takes_new(&loopwright_trial_1, loopwright_trial_1_known, 4.0 * (double) m * ((double) n - 2))",
        own,
        "  loopwright_ends(&loopwright_trial_1);\n",
    ] {
        assert!(code.contains(part), "{part}: {code}");
    }
    let wanted = run_c(SMOOTH, &folder, "smooth_before").expect("it runs");
    assert_eq!(run_c(&code, &folder, "smooth_after").expect("it runs"), wanted);
}

#[test]
fn without_doubt_nothing_is_timed() {
    let path = scratch("adaptive").join("sure.c");
    std::fs::write(&path, SMOOTH).expect("the folder for tests can be written");
    let (never, _) = compile(&path, &adaptive(Adaptive::Never)).expect("it compiles");
    assert!(!never.contains("loopwright_trial"), "{never}");
}

/// A program that counts how often each text of a region runs that takes `new` and `old` ticks of a made up
/// clock.
fn counted(name: &str, new: &str, old: &str, executions: u32) -> String {
    let path = scratch("adaptive").join(format!("{name}.c"));
    let region = "void f(int n, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] += 1;\n#pragma endscop\n}\n";
    std::fs::write(&path, region).expect("the folder for tests can be written");
    let (code, _) = compile(&path, &adaptive(Adaptive::Always)).expect("it compiles");
    let (start, end) = ("#ifndef LOOPWRIGHT_TRIALS", "\n#endif\n");
    let first = code.find(start).expect("there are helpers");
    let last = code.rfind(end).expect("they end") + end.len();
    let helpers = &code[first..last];
    let program = format!(
        "#include <stdio.h>\nstatic unsigned long long now;\n#define LOOPWRIGHT_TICKS() now\n{helpers}\n\
         static struct loopwright_trials known[64];\nstatic int texts[2];\n\
         static void region(double n) {{\n  struct loopwright_trial trial = {{0}};\n  \
         if (loopwright_takes_new(&trial, known, n)) {{ texts[0]++; now += {new}; }} else {{ texts[1]++; now += {old}; }}\n  \
         loopwright_ends(&trial);\n}}\n\
         int main(void) {{\n  for (int k = 0; k < {executions}; k++) region(1000 + k % 10);\n  printf(\"%d %d\", texts[0], texts[1]);\n  \
         texts[0] = texts[1] = 0;\n  region(5000);\n  printf(\" %d %d\\n\", texts[0], texts[1]);\n}}\n"
    );
    run_c(&program, &scratch("adaptive"), &format!("{name}_count")).expect("it runs")
}

#[test]
fn the_faster_text_is_kept_after_a_bounded_number_of_trials() {
    // Regions that run up to four times have the new text only.
    assert_eq!(counted("few", "n", "9 * n", 4), "4 0 1 0\n");
    // Far slower text runs once.
    assert_eq!(counted("slow", "n", "9 * n", 100), "99 1 1 0\n");
    assert_eq!(counted("fast", "9 * n", "n", 100), "4 96 1 0\n");
    // Nearly equal ones have three trials each; other sizes are another matter.
    assert_eq!(counted("near", "10 * n", "11 * n", 100), "97 3 1 0\n");
    assert_eq!(counted("nearer", "11 * n", "10 * n", 100), "4 96 1 0\n");
    assert_eq!(counted("equal", "n", "n", 100), "97 3 1 0\n");
}
