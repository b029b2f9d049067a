//! Loops with several ways out, and loops that count down: threads look for the end, and the first way out in
//! the text that is taken decides.
use crate::early_exits::refute;
use crate::support::{binary_of, run_binary, scratch};
use loopwright::{CompileOptions, Compiled, compile_file};

/// A program that runs a function for keys at two places, around the borders of chunks from both ends, and
/// prints all that it leaves.
fn program(function: &str) -> String {
    format!(
        "#include <stdio.h>\n#define N 300000\nstatic int a[N], b[N], c[N], pos, found;\nstatic double x[N];\n{function}\n\
         static void run(int n, int p, int q) {{\n  \
         for (int j = 0; j < N; j++) {{ a[j] = j % 977; b[j] = j % 31; c[j] = 0; x[j] = j % 5; }}\n  pos = -1; found = 0;\n  \
         if (p < N) a[p] = -5;\n  if (q < N) {{ b[q] = -7; x[q] = -1; }}\n  \
         int result = f(n, -5);\n  long sum = 0;\n  for (int j = 0; j < N; j++) sum += (j % 13 + 1) * (long) (c[j] + a[j]);\n  \
         printf(\"%d %d %d %ld\\n\", result, pos, found, sum);\n}}\n\
         int main(void) {{\n  int places[] = {{0, 1, 16383, 16384, 49152, 53248, 114687, 114688, 185311, 185312, 250847, 250848, 283615, 283616, 299999, N}};\n  \
         for (int k = 0; k < 16; k++) {{ run(N, places[k], N); run(N, N, places[k]); run(N, places[k], places[k]); run(N, places[k], places[(k + 3) % 16]); }}\n  \
         run(0, 5, 5); run(1, 0, 1); run(60000, 59999, 60001);\n  return 0;\n}}\n"
    )
}

fn compiled(name: &str, function: &str) -> (String, Compiled) {
    let path = scratch("early-exit-forms").join(format!("{name}.c"));
    let text = program(function);
    std::fs::write(&path, &text).unwrap();
    (text, compile_file(&path, &CompileOptions::new()).unwrap())
}

/// A function with a region that is one loop.
fn of_loop(before: &str, lines: &str, after: &str) -> String {
    format!(
        "static int f(int n, int key) {{\n  int i = n; {before}\n#pragma scop\n{lines}\n#pragma endscop\n  {after}\n}}\n"
    )
}

/// Loops, what stands behind them, and what their text has.
const LOOPS: [(&str, &str, &str, &[&str]); 13] = [
    (
        "two_breaks",
        "for (i = 0; i < N; i++) { if (a[i] == key) { pos = i; break; } if (b[i] < 0) { found = 2; break; } }",
        "return i;",
        &["{ if (a[i] == key) { pos = i; } else { found = 2; } }"],
    ),
    (
        "break_and_return",
        "for (int k = 0; k < n; k++) { if (a[k] == key) { pos = k; break; } if (b[k] < 0) return -1; c[k] = 2 * a[k]; }",
        "return 5;",
        &["{ return -1; }", "{ c[k] = 2 * a[k]; }"],
    ),
    (
        "otherwise",
        "for (int k = 0; k < N; k++) { if (a[k] == key) { pos = k; return k; } else if (b[k] < 0) { found = 3; return -k; } else if (x[k] > 100) return -2; }",
        "return 7;",
        &["found = 3;"],
    ),
    (
        "variables_between",
        "for (int k = 0; k < N; k++) { if (a[k] < 0) { pos = k; break; } double t = x[k] * 2; if (t < 0) { found = b[k]; break; } c[k] = t; }",
        "return 7;",
        &["double t = x[k] * 2;"],
    ),
    (
        "head_and_body",
        "for (i = 0; i < N && x[i] >= 0; i++) { if (a[i] == key) { pos = i; break; } c[i] = 3; }",
        "return i;",
        &["pos = i;"],
    ),
    (
        "nested_returns",
        "for (int k = 0; k < N; k++) if (a[k] < 0 || b[k] < 0) { if (a[k] < b[k]) return -1; else return 1; }",
        "return 0;",
        &["return -1"],
    ),
    (
        "otherwise_work",
        "for (int k = 0; k < N; k++) { if (a[k] < 0) break; else c[k] = 1; }",
        "return 0;",
        &["{ c[k] = 1; }"],
    ),
    (
        "down",
        "for (i = n - 1; i >= 0; i--) if (a[i] == key) break;",
        "return i;",
        &["reduction(max: at)", "const long end = first >= bound ? bound - 1 : first;"],
    ),
    (
        "down_with_work",
        "for (int k = n - 1; k > 2; k -= 1) { if (a[k - 1] == key) { pos = k; break; } c[k] = a[k] + 1; }",
        "return 0;",
        &["reduction(max: at)", "const long end = first > bound ? bound : first;"],
    ),
    (
        "down_by_three",
        "for (i = N - 1; i >= 1; i -= 3) { if (a[i] == key) { pos = i; break; } if (b[i] < 0) break; }",
        "return i;",
        &["first - (first - bound + 3) / 3 * 3", "i -= 3) {"],
    ),
    (
        "down_while",
        "i = N - 1;\nwhile (i >= 0 && a[i] >= 0 && b[i] >= 0) i--;",
        "return i;",
        &["const long first = i;", "reduction(max: at)"],
    ),
    (
        "down_and_left",
        "for (int k = N - 1; 0 <= k; --k) { if (a[k] == key) return k; if (b[k] < 0) { pos = k; break; } }",
        "return 4;",
        &["{ return k; }", "reduction(max: at)"],
    ),
    (
        "down_unsigned",
        "for (unsigned k = 300000; k > 0; k--) if (a[k - 1] == key) { pos = 1; break; }",
        "return 4;",
        &["reduction(max: at)"],
    ),
];

#[test]
fn they_leave_the_same() {
    let folder = scratch("early-exit-forms-run");
    for (name, lines, after, parts) in LOOPS {
        let (text, result) = compiled(name, &of_loop("", lines, after));
        for part in parts {
            assert!(result.code.contains(part), "{name}: {part}:\n{}", result.code);
        }
        let region = &result.report.regions[0];
        assert!(result.code.contains(": at)"), "{name}: {:?}\n{}", region.notes, result.code);
        assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{name}");
        let before = binary_of(&text, &folder, "before", "gcc").expect("it is C");
        let after = binary_of(&result.code, &folder, "after", "gcc").expect("it is C");
        let expected = run_binary(&before, 1);
        for threads in 1..=3 {
            assert_eq!(run_binary(&after, threads), expected, "{name}:\n{}", result.code);
        }
    }
}

#[test]
fn faults_are_refuted() {
    let several: &[(&str, &str)] = &[
        ("{ if (a[i] == key) { pos = i; } else", "{ if (b[i] < 0) { pos = i; } else"),
        ("{ pos = i; } else { found = 2; }", "{ found = 2; } else { pos = i; }"),
        ("{ pos = i; } else { found = 2; }", "{ pos = i; } found = 2;"),
        ("{ pos = i; } else { found = 2; }", "{ pos = i; }"),
        ("if (b[i] < 0) { at = i; break; }", ""),
        ("if (b[i] < 0) { at = i; break; }", "if (b[i] <= 0) { at = i; break; }"),
        ("if (a[i] == key) { at = i; break; }", "if (a[i] == key) { at = i; }"),
    ];
    let down: &[(&str, &str)] = &[
        ("reduction(max: at)", "reduction(min: at)"),
        ("? bound - 1 : first;", "? bound : first;"),
        ("first >= bound ?", "first > bound ?"),
        ("i > stop; i--", "i >= stop; i--"),
        ("start -= length,", "start += length,"),
        ("if (from > at)", "if (from < at)"),
        ("from -= 4096", "from -= 4097"),
        ("first - end > 16384", "end - first > 16384"),
        (" && end >= -2147483648", ""),
        ("  i = at;", "  i = at - 1;"),
    ];
    for (name, faults) in [("two_breaks", several), ("down", down)] {
        let (_, lines, after, _) = LOOPS.into_iter().find(|own| own.0 == name).unwrap();
        let (_, result) = compiled(&format!("{name}_faults"), &of_loop("", lines, after));
        refute(&result, faults);
    }
}

/// Loops that also write what decides are no searches, and unsigned iterators do not pass zero.
#[test]
fn others_stay_in_sequence() {
    for (lines, reason) in [
        ("while (i >= 1 && a[i - 1] > key) { a[i] = a[i - 1]; i--; }", "iterations write `a`"),
        (
            "for (i = N - 1; i >= 0; i--) { if (a[i] < 0) break; c[i] = 1; if (b[i] < 0) break; }",
            "something comes before",
        ),
        ("for (unsigned k = 299999u; k >= 1u; k--) if (a[k] < 0) break;", "may pass over the end"),
        ("for (i = N - 1; i >= -1; i--) if (a[i] < 0) break;", "outside of an array"),
        ("for (i = N - 1; i < N; i--) if (a[i] < 0) break;", "does not count to a bound"),
        ("while (i >= 0 && a[i - 1] >= 0) i--;", "outside of an array"),
    ] {
        let (_, result) = compiled("others", &of_loop("", lines, "return i;"));
        assert!(!result.code.contains("omp parallel"), "{lines}: {}", result.code);
        let notes = &result.report.regions[0].notes;
        assert!(notes.iter().any(|note| note.contains(reason)), "{lines}: {notes:?}");
    }
}
