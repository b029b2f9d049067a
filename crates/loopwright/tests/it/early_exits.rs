//! Loops that end early: threads look for the end, and what the loops leave is what they leave in sequence.
use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, Compiled, Emit, compile_file};
use loopwright_backend::Target;
use loopwright_testkit::cases::seeds;
use loopwright_verify::Proof;

/// A program that runs a loop for several sizes, and with several places at which it may end, and prints all
/// that it leaves.
fn program(lines: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <math.h>\n\
         #define N 300000\n\
         static int a[N], b[N], c[N], key = -5;\n\
         static double x[N], y[N], z[20][N];\n\
         static void run(int n, int place) {{\n  \
         int pos = -1, found = 7, equal = 9, i = -3;\n  double near = 0;\n  \
         for (int j = 0; j < N; j++) {{ a[j] = j % 977; b[j] = a[j]; c[j] = 0; x[j] = j % 31; y[j] = 0; z[3][j] = j % 5; }}\n  \
         if (place < N) {{ a[place] = -5; x[place] = 1e9; z[3][place] = -1; }}\n\
         #pragma scop\n{lines}\n#pragma endscop\n  \
         double sum = 0;\n  \
         for (int j = 0; j < N; j++) sum += (j % 13 + 1) * (y[j] + c[j]) + a[j] % 7;\n  \
         printf(\"%d %d %d %d %g %.17g\\n\", pos, found, equal, i, near, sum);\n}}\n\
         int main(void) {{\n  \
         int places[] = {{0, 1, 16383, 16384, 16385, 49151, 49152, 53247, 53248, 60000, 114687, 114688, 200000, 299999, N}};\n  \
         int sizes[] = {{-4, 0, 1, 2, 16384, 16385, 49152, 49153, 60001, 299999, N}};\n  \
         for (int p = 0; p < 15; p++) {{ run(N, places[p]); run(60000, places[p]); }}\n  \
         for (int s = 0; s < 11; s++) {{ run(sizes[s], N); run(sizes[s], 60000); }}\n  return 0;\n}}\n"
    )
}

fn compiled(name: &str, lines: &str, options: &CompileOptions) -> Compiled {
    let folder = scratch("early-exits");
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, program(lines)).unwrap();
    compile_file(&path, options).unwrap()
}

/// Loops with what their text has with default options.
const LOOPS: [(&str, &str, &[&str]); 21] = [
    (
        "first_match",
        "for (int k = 0; k < n; k++) { if (a[k] == key) { pos = k; break; } }",
        &[
            "if (n <= 300000) {",
            "#pragma omp parallel for reduction(min: at)",
            "{ if (a[k] == key) { at = k; break; } }",
            "{ pos = k; }",
        ],
    ),
    (
        "comparison",
        "equal = 1;\nfor (int k = 0; k < N; k++) if (a[k] != b[k]) { equal = 0; break; }",
        &["#pragma omp parallel for reduction(min: at)", "{ equal = 0; }"],
    ),
    (
        "work",
        "for (int k = 0; k < n; k++) { if (a[k] < 0) break; c[k] = 3 * a[k]; y[k] = x[k] / 2; }",
        &["const long done = at < last ? at : last;", "{ c[k] = 3 * a[k]; y[k] = x[k] / 2; }"],
    ),
    (
        "iterator",
        "for (i = 0; i < n; i++) if (a[i] == key) break;",
        &["for (int i = first; i < stop; i++) {", "i = at;"],
    ),
    (
        "prepared",
        "for (int k = 2; k <= n - 1; ++k) { double t = x[k] - x[k - 1]; if (t > 50 || x[k - 2] > 1e8) { near = t; pos = k; break; } y[k] = t; }",
        &[
            "first <= bound ? bound + 1 : first;",
            "{ double t = x[k] - x[k - 1]; near = t; pos = k; }",
        ],
    ),
    (
        "nested_conditions",
        "for (int k = 0; k < n; k += 1) { if (a[k] < 0) if (k > 5 && fabs(x[k]) > 100) { found = 1; pos = k; break; } }",
        &["#pragma omp parallel for reduction(min: at)"],
    ),
    (
        "rows",
        "for (int r = 0; r < 4; r++) { pos = r; for (int k = 0; k < N; k++) if (z[r][k] < 0) { pos = k; break; } c[r] += pos + (r ? c[r - 1] : 0); }",
        &["{ if (z[(int) c0][k] < 0) { at = k; break; } }"],
    ),
    (
        "inner_loops",
        "for (int k = 0; k < N; k++) { if (a[k] < 0) break; double s = 0; for (int j = 0; j < 3; j++) s += z[j][k] * j; y[k] = s; }",
        &["#pragma omp parallel for if(loopwright_default_floats())\n"],
    ),
    (
        "flag",
        "found = n > 20000 ? 0 : 5;\nfor (i = 0; i < n && !found; i++) if (a[i] == key) { found = 1; pos = i; }",
        &[
            "const long bound = found ? 0 : n;",
            "i = at < end ? at + 1 : at;",
            "{ found = 1; pos = i; }",
        ],
    ),
    (
        "flag_alone",
        "found = 0;\nfor (int k = 0; found == 0 && k < N; k++) { double t = x[k]; if (t > 1e8) found = 3; }",
        &["{ double t = x[k]; if (t > 1e8) { at = k; break; } }"],
    ),
    (
        "condition",
        "for (i = 0; i < N && a[i] == b[i]; i++) c[i] = a[i] + 1;",
        &["{ if (!((a[i] == b[i]))) { at = i; break; } }", "{ c[i] = a[i] + 1; }"],
    ),
    (
        "empty",
        "for (i = 3; i < N && a[i] >= 0; i++);",
        &["{ if (!((a[i] >= 0))) { at = i; break; } }", "i = at;"],
    ),
    (
        "sums_that_fit",
        "for (int k = 0; k < N; k++) if ((long) a[k] * 3 - b[k] < -900 || -(long) a[k] > 4) { pos = k; break; }",
        &["#pragma omp parallel for reduction(min: at)"],
    ),
    (
        "two_conditions",
        "for (int k = 0; N > k && x[k] < 1e8 && a[k] >= 0; k++) y[k] = x[k] * 2;",
        &["{ if (!((x[k] < 1e8) && (a[k] >= 0))) { at = k; break; } }"],
    ),
    (
        "at_the_exit",
        "for (int k = 0; k < N; k++) if (a[k] < 0) { a[k] = 7; if (k > 3) c[k] = a[k - 1]; found++; break; }",
        &["#pragma omp parallel for reduction(min: at)"],
    ),
    (
        "steps",
        "for (i = 1; i < n; i += 3) if (a[i] == key) { pos = i; break; }",
        &[
            "first < bound ? first + (bound - first + 2) / 3 * 3 : first;",
            "end - first > 49152 && end <= 2147483647 ? first + 49152 : end;",
            "from += 12288",
            "i += 3) {",
        ],
    ),
    (
        "steps_with_work",
        "for (int k = 0; k <= n - 1; k = k + 2) { if (a[k] < 0) break; c[k] = a[k] + 2; }",
        &[
            "first <= bound ? first + (bound - first + 2) / 2 * 2 : first;",
            "const long alone = team == 1 ? end : stop;",
        ],
    ),
    (
        "while",
        "i = 0;\nwhile (i < N && a[i] != key) i++;",
        &["const long first = i;", "{ if (!((a[i] != key))) { at = i; break; } }", "i = at;"],
    ),
    (
        "while_with_work",
        "i = 2;\nwhile (i < N) { if (a[i] < 0) { pos = i; break; } c[i] = 3 * a[i]; i += 1; }",
        &["{ c[i] = 3 * a[i]; }", "{ pos = i; }", "long team = 0;"],
    ),
    (
        "while_with_flag",
        "i = 0; found = 0;\nwhile (!found && i < N) { if (x[i] > 1e8) { found = 1; pos = i; } i += 2; }",
        &["i = at < end ? at + 2 : at;", "const long bound = found ? i : 300000;"],
    ),
    (
        "counting_on",
        "i = 7;\nfor (; i < N && a[i] >= 0 && x[i] < 1e8; i++) y[i] = x[i] + 1;",
        &["const long first = i;", "{ y[i] = x[i] + 1; }"],
    ),
];

#[test]
fn threads_look_for_the_end() {
    for (name, lines, parts) in LOOPS {
        let result = compiled(name, lines, &CompileOptions::new());
        let region = &result.report.regions[0];
        for part in parts {
            assert!(
                result.code.contains(part),
                "{name}: {part}:\n{}{:?}",
                result.code,
                region.notes
            );
        }
        assert!(!region.proofs.is_empty() && !region.is_left, "{name}");
        for (claim, proof) in &region.proofs {
            assert!(proof.is_proved(), "{name}: {claim}: {proof:?}");
        }
        assert!(region.only_tested.is_empty(), "{name}");
    }
}

#[test]
fn what_they_leave_is_the_same() {
    let folder = scratch("early-exits-run");
    for (name, lines, _) in LOOPS {
        let text = program(lines);
        let path = folder.join(format!("{name}.c"));
        std::fs::write(&path, &text).unwrap();
        let result = compile_file(&path, &CompileOptions::new()).unwrap();
        let expected = run_c(&text, &folder, "before").expect("the program runs");
        let found = run_c(&result.code, &folder, "after").expect("the result runs");
        assert_eq!(found, expected, "{name}:\n{}", result.code);
        let without = result.code.replace("#pragma omp", "#pragma not_omp");
        let found = run_c(&without, &folder, "without").expect("the result runs");
        assert_eq!(found, expected, "{name} without threads");
    }
}

/// Lengths of chunks are added to no number that may be the greatest one of 64 bits: arrays are smaller than
/// that.
#[test]
fn ends_of_64_bits_are_those_of_arrays() {
    let folder = scratch("early-exits");
    let path = folder.join("wide.c");
    let of = |head: &str, condition: &str| {
        let text = format!(
            "#include <limits.h>\n#include <stdio.h>\nstatic int a[1000000];\n\
             static long f(long n, long m) {{\n  long i;\n#pragma scop\n  for ({head}) {{ if ({condition}) break; }}\n#pragma endscop\n  \
             return i;\n}}\n\
             int main(void) {{ a[99998] = 1; printf(\"%ld\\n\", f({}, 90006)); return 0; }}\n",
            if condition.contains('a') { "1000000" } else { "LONG_MAX" }
        );
        std::fs::write(&path, &text).unwrap();
        let result = compile_file(&path, &CompileOptions::new()).unwrap();
        let expected = run_c(&text, &folder, "wide-before").expect("the program runs");
        assert_eq!(run_c(&result.code, &folder, "wide").expect("the result runs"), expected);
        result
    };
    for head in ["i = 0; i < n; i += 2", "i = 0; i <= n; i++", "i = -5; i < n; i++"] {
        let result = of(head, "i % 1000003 == m");
        assert!(!result.code.contains("omp parallel"), "{head}: {}", result.code);
        let notes = &result.report.regions[0].notes;
        let is_said = notes.iter().any(|note| note.contains("may be too large to count with"));
        assert!(is_said, "{head}: {notes:?}");
    }
    let result = of("i = 0; i < n; i += 2", "a[i] == 1");
    assert!(result.code.contains("reduction(min: at)"), "{}", result.code);
}

/// Without threads nothing of this is printed; what does not fit stays in sequence, and it is said why.
#[test]
fn others_stay_in_sequence() {
    let sequential = CompileOptions { target: Target::C, ..CompileOptions::new() };
    for (name, lines, _) in LOOPS {
        let result = compiled(name, lines, &sequential);
        assert!(!result.code.contains("long at ="), "{name}: {}", result.code);
        assert!(!result.code.contains("omp"), "{name}: {}", result.code);
    }
    for (lines, reason) in [
        (
            "for (int k = 0; k < N; k++) { if (a[k] < 0) break; a[k + 1] = 3; }",
            "iterations write `a`",
        ),
        (
            "for (int k = 1; k < N; k++) { if (a[k] < 0) break; c[k] = c[k - 1] + 1; }",
            "iterations share `c`",
        ),
        (
            "for (int k = 0; k < N; k++) { if (a[k] < 0) break; found = k; }",
            "iterations share `found`",
        ),
        (
            "for (int k = 0; k < N; k++) { if (a[k] < 0) break; pos = a[k]; c[k] = pos; }",
            "iterations share `pos`",
        ),
        (
            "for (int k = 0; k < N; k++) if (a[k] / b[k] < 0) { pos = k; break; }",
            "`/` may have no meaning",
        ),
        (
            "for (int k = 0; k < N; k++) if (a[k] + b[k] < 0) { pos = k; break; }",
            "`+` may have no meaning",
        ),
        (
            "for (int k = 0; k < N; k++) if (a[b[k]] < 0) { pos = k; break; }",
            "data decides which elements",
        ),
        (
            "for (int k = 0; k < N; k++) if (a[k + 1] < 0) { pos = k; break; }",
            "it would look outside of an array",
        ),
        ("for (int k = 0; k < 1000; k++) if (a[k] < 0) { pos = k; break; }", "too few iterations"),
        (
            "for (int k = 0; k < N; k++) if (sqrt(x[k]) < 0) { pos = k; break; }",
            "it calls a function",
        ),
        (
            "for (int k = 0; k < N; k++) { c[k] = 1; if (a[k] < 0) break; }",
            "something comes before",
        ),
        (
            "for (int k = 0; k < N; k++) { if (a[k] < 0) break; if (b[k] < 0) continue; c[k] = 1; }",
            "more than one place",
        ),
        (
            "for (int k = 0; k < N; k++) { if (a[k] < 0) break; else c[0] = k; }",
            "iterations share `c`",
        ),
        (
            "for (int k = 0; k < c[0]; k++) if (a[k] < 0) { c[0] = 1; break; }",
            "nothing that is known before it runs",
        ),
        (
            "for (i = 0; i < N; i++) if (a[i] < 0) { printf(\"-\"); break; }",
            "what is called where it is left",
        ),
        ("for (int k = 0; k < N && a[k] >= 0; k++) a[k] = 0;", "iterations write `a`"),
        (
            "for (int k = 0; k < N && !found; k++) { if (a[k] < 0) found = 1; c[k] = 2; }",
            "is not set at the end",
        ),
        (
            "for (int k = 0; k < N && !found; k++) if (a[k] < 0) found = a[k];",
            "is not set at the end",
        ),
        (
            "for (i = 0; i < N; i++) { if (a[i] < 0) break; if (b[i] < 0) i = i + 1; }",
            "it changes what it counts with",
        ),
        ("for (i = 0; i < N; i -= 1) if (a[i] < 0) break;", "does not count to a bound"),
        (
            "for (i = 0; i < N; i += key) if (a[i] < 0) break;",
            "does not count up or down by a constant",
        ),
        (
            "for (i = 0; i < N; i += 5000) if (a[i] < 0) break;",
            "does not count up or down by a constant",
        ),
        ("for (unsigned k = 0; k < 300000u; k += 2) if (a[k] < 0) break;", "may pass over the end"),
        // Where it begins is not known, and the first iterations may not have looked there.
        ("while (i < N && a[2 * i] >= 0) i++;", "it is not known where it begins"),
        ("while (i < N && a[N - 1 - i] >= 0) i++;", "it is not known where it begins"),
        ("while (i < N && (key > 3 || a[i - 1] >= 0)) i++;", "it is not known where it begins"),
        ("while (i < N && a[i + 1] >= 0) i++;", "it would look outside of an array"),
        ("while (i < found && a[i] >= 0) i++;", "nothing that is known before it runs"),
        ("while (i < n && a[i] >= 0) i++;", "nothing that is known before it runs"),
    ] {
        let result = compiled("others", lines, &CompileOptions::new());
        assert!(!result.code.contains("omp parallel"), "{lines}: {}", result.code);
        let notes = &result.report.regions[0].notes;
        assert!(notes.iter().any(|note| note.contains(reason)), "{lines}: {notes:?}");
    }
}

/// Pointers do not say how many elements there are: that is asked for.
#[test]
fn elements_behind_the_exit_are_there_or_said_to_be() {
    let text = "int f(int n, const int *x, int key) {\n  int pos = -1;\n#pragma scop\n  \
                for (int i = 0; i < n; i++)\n    if (x[i] == key) {\n      pos = i;\n      break;\n    }\n\
                #pragma endscop\n  return pos;\n}\n";
    let path = scratch("early-exits").join("pointer.c");
    std::fs::write(&path, text).unwrap();
    let result = compile_file(&path, &CompileOptions::new()).unwrap();
    assert!(!result.code.contains("omp"), "{}", result.code);
    let reason = "nothing says how many elements `x` has";
    assert!(result.report.regions[0].notes.iter().any(|note| note.contains(reason)));
    let options = CompileOptions { assume_readable: true, ..CompileOptions::new() };
    let result = compile_file(&path, &options).unwrap();
    assert!(result.code.contains("reduction(min: at)"), "{}", result.code);
    let region = &result.report.regions[0];
    assert!(
        region
            .notes
            .iter()
            .any(|note| note.starts_with("assumed: what the loop in line 4 looks at"))
    );
    assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()));
}

/// Without pragmas, loops are statements only if threads can look for their ends; the others are refused as
/// before.
#[test]
fn loops_without_pragmas_are_searched() {
    let text = "int large[100000];\nint first_of(int key) {\n  int i;\n  for (i = 0; i < 100000; i++)\n    \
                if (large[i] == key)\n      break;\n  return i;\n}\n\
                int last_of(int n, const int *x) {\n  int i;\n  for (i = 0; i < n; i++)\n    \
                if (x[i] < 0)\n      break;\n  return i;\n}\n\
                void shift(void) {\n  for (int i = 1; i < 100000; i++) {\n    \
                if (large[i] < 0)\n      break;\n    large[i - 1] = large[i];\n  }\n}\n";
    let path = scratch("early-exits").join("detected.c");
    std::fs::write(&path, text).unwrap();
    let mut options = CompileOptions::new();
    options.front_end.autodetect = true;
    let result = compile_file(&path, &options).unwrap();
    assert_eq!(result.code.matches("reduction(min: at)").count(), 1, "{}", result.code);
    assert!(result.code.contains("  i = at;"), "{}", result.code);
    assert_eq!(result.report.regions.len(), 1);
}

/// What of a text is replaced by what.
const FAULTS: [(&str, &str); 31] = [
    ("long first = 0", "long first = 1"),
    ("long bound = n", "long bound = n - 1"),
    ("first < bound ?", "first <= bound ?"),
    ("? bound : first", "? bound + 1 : first"),
    ("long at = end;", "long at = end - 1;"),
    ("k = first; k < stop", "k = first; k <= stop"),
    ("long start = alone", "long start = alone + 1"),
    ("long start = alone", "long start = stop"),
    ("long team = 0;", "long team = 1;"),
    ("if (stop < end && at == end) {", "if (stop < end) {"),
    (" reduction(+: team)", ""),
    (" reduction(+: team)", " reduction(*: team)"),
    ("team += 1;", "team += 2;"),
    ("team == 1 ?", "team <= 1 ?"),
    ("? end : stop;", "? end : first;"),
    ("k = stop; k < alone", "k = first; k < alone"),
    ("start < end && at == end", "start < end"),
    ("start < end && at == end", "start <= end && at == end"),
    ("start += length,", "start += length - 1,"),
    (
        "start += length, length = length < 1048576 ? 2 * length : length",
        "length = length < 1048576 ? 2 * length : length, start += length",
    ),
    ("? start + length : end;", "? start + length + 1 : end;"),
    ("from < last; from", "from <= last; from"),
    ("from += 4096", "from += 4097"),
    ("if (from < at)", "if (from <= at)"),
    ("? from + 4096 : last;", "? from + 4095 : last;"),
    (" reduction(min: at)", ""),
    (" reduction(min: at)", " reduction(max: at)"),
    ("k = from; k < to", "k = from; k <= to"),
    ("at < last ? at : last;", "at <= last ? at + 1 : last;"),
    ("k = start; k < done", "k = first; k < done"),
    ("if (at < end) {", "if (at <= end) {"),
];

#[test]
fn faults_in_the_text_are_refuted() {
    let lines =
        "for (int k = 0; k < n; k++) { if (a[k] < 0) { pos = k; break; } c[k] = 3 * a[k]; }";
    let result = compiled("faults", lines, &CompileOptions::new());
    let text = result.emit_region(0, Emit::Code).unwrap();
    let is_refuted =
        |text: &str| matches!(result.check_text(0, text).unwrap().proof, Some(Proof::Refuted(_)));
    assert!(
        result.check_text(0, &text).unwrap().proof.is_some_and(|proof| proof.is_proved()),
        "{text}"
    );
    for (right, wrong) in FAULTS {
        assert!(text.contains(right), "{right}:\n{text}");
        assert!(is_refuted(&text.replacen(right, wrong, 1)), "{wrong}");
    }
    // Parts of the statement that are other ones, or missing.
    for (right, wrong) in [
        ("{ if (a[k] < 0) { at = k; break; } }", "{ if (a[k] <= 0) { at = k; break; } }"),
        ("{ if (a[k] < 0) { at = k; break; } }", "{ if (a[k] < 0) { at = k; } }"),
        ("at = k; break; } c[k]", "at = k + 1; break; } c[k]"),
        ("{ c[k] = 3 * a[k]; }", "{ c[k + 1] = 3 * a[k]; }"),
        ("{ c[k] = 3 * a[k]; }", ""),
        ("{ pos = k; }", ""),
        ("{ pos = k; }", "{ pos = k + 1; }"),
        ("const int k = at;", "const int k = at - 1;"),
        ("#pragma omp parallel for if", "#pragma omp parallel for private(c) if"),
    ] {
        assert!(text.contains(right), "{right}:\n{text}");
        assert!(is_refuted(&text.replacen(right, wrong, 1)), "{wrong}");
    }
}

/// Faults in the text of other forms: steps, loops that count on, functions that are left.
#[test]
fn faults_in_other_forms_are_refuted() {
    let steps = "for (i = 1; i <= n - 1; i += 3) if (a[i] == key) { pos = i; break; }";
    let counting = "i = 0;\nwhile (i < N && a[i] != key) i++;";
    for (name, lines, faults) in [
        (
            "steps",
            steps,
            &[
                ("i += 3) {", "i += 2) {"),
                ("(bound - first + 3) / 3 * 3", "(bound - first + 2) / 3 * 3"),
                ("(bound - first + 3) / 3 * 3", "(bound - first + 3)"),
                ("> 49152", "> 49151"),
                ("? first + 49152 :", "? first + 49153 :"),
                (" && end <= 2147483647", ""),
                (" && end <= 2147483647", " && end <= 2147483648"),
                ("length = 98304", "length = 98305"),
                ("from += 12288", "from += 4096"),
                ("? from + 12288 :", "? from + 12287 :"),
            ][..],
        ),
        (
            "while",
            counting,
            &[
                ("long first = i;", "long first = 0;"),
                ("long bound = 300000;", "long bound = 299999;"),
                ("if (!((a[i] != key)))", "if ((a[i] != key))"),
                ("  i = at;", "  i = at + 1;"),
                ("  i = at;", ""),
                ("at = i; break;", "at = i + 1; break;"),
                ("long at = end;", "long at = first;"),
            ],
        ),
    ] {
        let result = compiled(name, lines, &CompileOptions::new());
        refute(&result, faults);
    }
    let path = scratch("early-exits").join("faults_at_return.c");
    std::fs::write(&path, FIRST_OF).unwrap();
    let mut options = CompileOptions::new();
    options.front_end.autodetect = true;
    let result = compile_file(&path, &options).unwrap();
    refute(
        &result,
        &[
            ("{ return i; }", "{ return i + 1; }"),
            ("{ return i; }", "{ }"),
            ("{ return i; }", "{ return at; }"),
            ("const int i = at;", "const int i = at + 1;"),
            ("if (at < end) {", "if (at <= end) {"),
            ("{ if (large[i] == key) { at = i; break; } }", "{ if (large[i] == key) return i; }"),
            ("long at = end;", "long at = end; return -1;"),
        ],
    );
}

/// Each of some changes in the text of the first region is refuted.
pub(crate) fn refute(result: &Compiled, faults: &[(&str, &str)]) {
    let text = result.emit_region(0, Emit::Code).unwrap();
    let proof = |text: &str| result.check_text(0, text).unwrap().proof;
    assert!(proof(&text).is_some_and(|proof| proof.is_proved()), "{text}");
    for (right, wrong) in faults {
        assert!(text.contains(right), "{right}:\n{text}");
        let wrong_text = text.replacen(right, wrong, 1);
        assert!(matches!(proof(&wrong_text), Some(Proof::Refuted(_))), "{wrong}");
    }
}

/// The most common loop that leaves its function.
const FIRST_OF: &str = "int large[300000];\nint first_of(int key) {\n  \
                        for (int i = 0; i < 300000; i++) {\n    if (large[i] == key)\n      return i;\n  }\n  return -1;\n}\n";

/// Functions that a loop leaves, what of them is printed, and whether their loops become regions.
const FUNCTIONS: [(&str, &[&str]); 8] = [
    (
        "int f(int n, int key) { for (int i = 0; i < N; i++) if (a[i] == key) return i; return -1; }",
        &["{ if (a[i] == key) { at = i; break; } }", "const int i = at;", "{ return i; }"],
    ),
    (
        "int f(int n, int key) { for (int i = 1; i < N; i++) { if (a[i] == key) { b[2] = i; return b[i] + i; } } return -1; }",
        &["{ b[2] = i; return b[i] + i; }"],
    ),
    (
        "int f(int n, int key) { for (int i = 0; i < N; i++) { if (a[i] == key) return 7; b[i] = a[i] * 2; } return b[5]; }",
        &["{ b[i] = a[i] * 2; }", "{ return 7; }", "long team = 0;"],
    ),
    (
        "int f(int n, int key) { for (where = 0; where < N; where++) if (a[where] == key) return where + b[where]; return g(); }",
        &["{ return where + b[where]; }", "where = at;"],
    ),
    (
        "static void h(int key) { for (int i = 0; i < N; i++) if (a[i] == key) { where = i; return; } where = -1; }\n\
         int f(int n, int key) { where = 3; h(key); return where; }",
        &["{ where = i; return; }"],
    ),
    (
        "int f(int n, int key) { int i = 0; while (i < N) { if (a[i] == key) return i; i++; } return -i; }",
        &["const long first = i;", "{ return i; }"],
    ),
    (
        "int f(int n, int key) { for (int k = 0; k < 4; k++) b[k] = k + key; \
         for (int i = 0; i < N; i++) if (a[i] == key) return i + b[2]; \
         int s = 0; for (int i = 0; i < N; i++) s += a[i] & 3; return s; }",
        &["{ return i + b[2]; }"],
    ),
    (
        "int f(int n, int key) { for (int i = 0; i < N; i += 3) if (a[i] == key) return i; return -1; }",
        &["i += 3) {", "{ return i; }"],
    ),
];

fn program_of_function(function: &str) -> String {
    // Loops stand on lines of their own.
    let function = function.replace("{ ", "{\n").replace("; ", ";\n").replace("} ", "}\n");
    format!(
        "#include <stdio.h>\n#define N 300000\nint a[N], b[N], where;\n\
         __attribute__((noinline)) static int g(void) {{ return where % 1000; }}\n{function}\n\
         int main(void) {{\n  int places[] = {{0, 1, 16383, 16384, 16385, 49155, 60000, 299999, N}};\n  \
         for (int p = 0; p < 9; p++) {{\n    \
         for (int j = 0; j < N; j++) {{ a[j] = j % 977; b[j] = j % 31; }}\n    \
         if (places[p] < N) a[places[p]] = -5;\n    int found = f(N, -5);\n    long sum = 0;\n    \
         for (int j = 0; j < N; j++) sum += (j % 13 + 1) * b[j];\n    \
         printf(\"%d %d %ld\\n\", found, where, sum);\n  }}\n  return 0;\n}}\n"
    )
}

/// Loops that `return` leaves, without pragmas.
#[test]
fn functions_are_left_where_the_loop_ends() {
    let folder = scratch("early-exits-return");
    let mut options = CompileOptions::new();
    options.front_end.autodetect = true;
    for (number, (function, parts)) in FUNCTIONS.iter().enumerate() {
        let text = program_of_function(function);
        let path = folder.join(format!("function_{number}.c"));
        std::fs::write(&path, &text).unwrap();
        let result = compile_file(&path, &options).unwrap();
        assert!(result.code.contains("reduction(min: at)"), "{function}: {}", result.code);
        for part in *parts {
            assert!(result.code.contains(part), "{part}: {}", result.code);
        }
        for region in &result.report.regions {
            assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{function}");
        }
        let expected = run_c(&text, &folder, "before").expect("the program runs");
        let found = run_c(&result.code, &folder, "after").expect("the result runs");
        assert_eq!(found, expected, "{function}:\n{}", result.code);
    }
}

/// Between pragmas such a loop is the only statement; others leave the region as refused, with the reason.
#[test]
fn loops_that_leave_a_function_stand_alone() {
    let text = |region: &str| {
        format!(
            "int large[300000], other[300000];\nint f(int n, int key) {{\n#pragma scop\n{region}\n#pragma endscop\n  return -1;\n}}\n"
        )
    };
    let path = scratch("early-exits").join("return_between_pragmas.c");
    let alone = "for (int i = 0; i < 300000; i++) if (large[i] == key) return i;";
    std::fs::write(&path, text(alone)).unwrap();
    let result = compile_file(&path, &CompileOptions::new()).unwrap();
    assert!(result.code.contains("{ return i; }"), "{}", result.code);
    assert!(result.code.contains("reduction(min: at)"), "{}", result.code);
    for refused in [
        format!("other[0] = 1;\n{alone}"),
        format!("{alone}\nother[0] = 1;"),
        format!("{{ {alone} }}"),
        format!("for (int k = 0; k < 3; k++) {alone}"),
        "for (int i = 0; i < 300000; i++) { other[0] += large[i]; if (large[i] == key) return i; }".to_string(),
        "for (int i = 0; i < 300000; i++) { if (large[i] == key) return i; large[i] = 3; }".to_string(),
        "for (int i = 0; i < 300000; i++) { if (large[i] == key) return i; other[i] = 1; if (large[i] == 7) return -i; }".to_string(),
        "for (int i = 0; i < 300000; i++) if (large[i] == key) return i++;".to_string(),
        "for (int i = 0; i < 300000; i++) if (large[i] == key) return i; else large[i] = 2;".to_string(),
        "for (int i = 0; i < 300000; i++) if (large[large[i]] == key) return i;".to_string(),
    ] {
        std::fs::write(&path, text(&refused)).unwrap();
        let error = compile_file(&path, &CompileOptions::new());
        let message = format!("{:?}", error.err());
        assert!(message.contains("a `return` cannot be part of a region"), "{refused}: {message}");
    }
}

/// Parts of loops, put together at random.
const HEADS: [&str; 7] = [
    "for (int k = 0; k < N; k++)",
    "for (i = 5; i < N; ++i)",
    "for (int k = 0; k < n; k++)",
    "for (int k = 1; k <= n - 1; ++k)",
    "for (i = 0; n > i; i++)",
    "for (long k = 0; k < n; k += 1)",
    "for (int k = n / 3; k < n; k = k + 1)",
];
const CONDITIONS: [&str; 8] = [
    "a[k] == key",
    "a[k] != b[k]",
    "x[k] > 1e8 || a[k] < 0",
    "a[k] < 0 && k > 40000",
    "fabs(x[k] - y[k]) > 1e6",
    "!(x[k] * 0.5 + 3 < 1e7)",
    "(a[k] & 1024) != 0 && (b[k] % 7 == 3 || x[k] > 50)",
    "z[3][k] < 0",
];
const EXITS: [&str; 5] = [
    "",
    "pos = k; ",
    "found = 1; near = x[k]; ",
    "c[k] = 9; a[k] = 4; ",
    "if (k > 3) pos = a[k - 1]; ",
];
const WORK: [&str; 6] = [
    "",
    "c[k] = a[k] + 1;",
    "z[0][k] = x[k] * 2; z[1][k] = z[0][k] + 1;",
    "if (b[k] > 500) c[k] += 3;",
    "double s = 0; for (int j = 0; j < 3; j++) s += x[k] * j; z[2][k] = s;",
    "c[k] = k > 0 ? b[k - 1] : 5;",
];

/// Some functions with such loops, and a program that runs them.
fn random_program(seed: u64, n_loops: usize) -> String {
    let mut state = seed;
    let mut choose = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut text = "#include <stdio.h>\n#include <math.h>\n#define N 300000\n\
                    static int a[N], b[N], c[N], key = -5;\nstatic double x[N], y[N], z[4][N];\n"
        .to_string();
    let mut calls = String::new();
    for number in 0..n_loops {
        let head = HEADS[choose(HEADS.len())];
        let (condition, exit) = (CONDITIONS[choose(CONDITIONS.len())], EXITS[choose(EXITS.len())]);
        let work = WORK[choose(WORK.len())];
        let form = match choose(3) {
            0 if exit.is_empty() => {
                head.replacen("; ", &format!("; !({condition}) && "), 1) + &format!(" {{ {work} }}")
            }
            1 if work.is_empty() && !head.contains("<=") => {
                head.replacen("; ", "; !found && ", 1)
                    + &format!(" {{ if ({condition}) {{ {exit}found = 2; }} }}")
            }
            _ => format!("{head} {{ if ({condition}) {{ {exit}break; }} {work} }}"),
        };
        let form = if head.contains("(i =") {
            form.replace("[k", "[i")
                .replace("k >", "i >")
                .replace("= k;", "= i;")
                .replace("k - 1", "i - 1")
        } else {
            form
        };
        text += &format!(
            "static void f{number}(int n) {{\n  int pos = -1, found = 0, i = -3;\n  double near = 0;\n#pragma scop\n{form}\n#pragma endscop\n  \
             printf(\"{number}: %d %d %d %g\\n\", pos, found, i, near);\n}}\n"
        );
        calls += &format!("  f{number}(n); show();\n");
    }
    text + "static void show(void) {\n  double sum = 0;\n  for (int j = 0; j < N; j++) sum += (j % 13 + 1) * (a[j] + 2.0 * c[j] + z[0][j] + z[1][j] * 3 + z[2][j]);\n  \
            printf(\"%.17g\\n\", sum);\n}\n"
        + &format!(
            "static void run(int n, int place) {{\n  \
             for (int j = 0; j < N; j++) {{ a[j] = j % 977; b[j] = a[j]; c[j] = 0; x[j] = j % 31; y[j] = 0; z[0][j] = z[1][j] = z[2][j] = 0; z[3][j] = j % 5; }}\n  \
             if (place < N) {{ a[place] = -5; x[place] = 1e9; z[3][place] = -1; }}\n{calls}}}\n\
             int main(void) {{\n  run(N, 0); run(N, 16384); run(N, 49153); run(N, 114687); run(N, 299999); run(N, N); run(70000, N); run(0, 5);\n  return 0;\n}}\n"
        )
}

#[test]
fn random_loops_leave_the_same() {
    let folder = scratch("early-exits-random");
    let mut n_searched = 0;
    for seed in seeds(0, 4) {
        let text = random_program(seed, 12).replacen(
            "static void f0(",
            "static void show(void);\nstatic void f0(",
            1,
        );
        let path = folder.join(format!("random_{seed}.c"));
        std::fs::write(&path, &text).unwrap();
        let result = compile_file(&path, &CompileOptions::new()).unwrap();
        n_searched += result.code.matches("reduction(min: at").count();
        for region in &result.report.regions {
            assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{seed}");
        }
        let expected = run_c(&text, &folder, "before").expect("the program runs");
        let found = run_c(&result.code, &folder, "after").expect("the result runs");
        assert_eq!(found, expected, "{seed}:\n{}", result.code);
    }
    assert!(n_searched >= 25, "{n_searched}");
}
