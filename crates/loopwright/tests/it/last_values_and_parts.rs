//! Loops that leave last values, keep the best of what they have seen, or put what passes behind each other:
//! on threads, and with the results that they have in sequence.
use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, Compiled, compile_file};
use loopwright_backend::Target;

/// A program that runs a loop for several numbers of iterations and prints all that it leaves.
fn program(lines: &str, element: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         static {element} a[300000], b[300000], r[600][500];\n\
         static int c[300000];\n\
         static void run(int n, int start) {{\n  \
         {element} most = start, t = 3;\n  int found = 7, last = -1, at = -1, k = 2;\n  \
         for (int i = 0; i < 300000; i++) {{ c[i] = i * 7919ll % 1000; a[i] = i * 31ll % 977; b[i] = 0; r[i / 500][i % 500] = a[i]; }}\n  int rows = n / 500;\n\
         #pragma scop\n{lines}\n#pragma endscop\n  \
         double sum = 0;\n  \
         for (int i = 0; i < 300000; i++) sum += (i % 13 + 1) * (double) b[i];\n  \
         printf(\"%g %g %d %d %d %d %.17g\\n\", (double) most, (double) t, found, last, at, k, sum);\n}}\n\
         int main(void) {{\n  \
         int sizes[] = {{0, 1, 2, 63, 64, 65, 1000, 262143, 262144, 299990}};\n  \
         for (int i = 0; i < 10; i++) {{ run(sizes[i], 5); run(sizes[i], 1000); }}\n  return 0;\n}}\n"
    )
}

fn compiled(name: &str, lines: &str, options: &CompileOptions) -> Compiled {
    let folder = scratch("last-values-and-parts");
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, program(lines, "double")).unwrap();
    compile_file(&path, options).unwrap()
}

/// Loops with what their text has with default options.
const LOOPS: [(&str, &str, &[&str]); 8] = [
    (
        "flag",
        "for (int i = 0; i < n; i++) if (c[i] > 990) found = 1;",
        &["#pragma omp parallel for lastprivate(conditional: found)"],
    ),
    (
        "last",
        "for (int i = 0; i < n; i++) if (c[i] > 500) { last = i; t = a[i]; }",
        &["lastprivate(conditional: last)", "lastprivate(conditional: t)"],
    ),
    (
        "count",
        "for (int i = 0; i < n; i++) if (c[i] > 500) k++;",
        &["#pragma omp parallel for reduction(loopwright_sum: k)", "k = (int) ((unsigned) k + 1)"],
    ),
    (
        "greatest",
        "for (int i = 0; i < n; i++) if (a[i] > most) { most = a[i]; at = i; }",
        &[
            "#pragma omp parallel for firstprivate(most, at)",
            "double most_of[64];",
            "int at_of[64];",
            "if (most_of[part] > most) {",
        ],
    ),
    (
        "least",
        "for (int i = 0; i < n; i++) if (c[i] > 3 && a[i] < most) most = a[i];",
        &["firstprivate(most)", "if (most_of[part] < most) {"],
    ),
    (
        "compaction",
        "for (int i = 0; i < n; i++) if (c[i] > 500) b[k++] = a[i];",
        &[
            "if (end - first < 262144) {",
            "if (c[c0] > 500) k_count++;",
            "#pragma omp parallel for private(k)",
            "k = k_of[part];",
        ],
    ),
    (
        "two_arrays",
        "for (int i = 0; i < n; i++) if (c[i] > 500) { b[k] = a[i] + i; k = k + 1; }",
        &["#pragma omp parallel for private(k)", "k += k_count;"],
    ),
    (
        "rows",
        "for (int i = 0; i < rows; i++) for (int j = 0; j < 500; j++) \
         if (r[i][j] > most) { most = r[i][j]; at = i; last = j; }",
        &["firstprivate(most, at, last)"],
    ),
];

#[test]
fn such_loops_run_on_threads() {
    for (name, lines, parts) in LOOPS {
        let result = compiled(name, lines, &CompileOptions::new());
        for part in parts {
            assert!(result.code.contains(part), "{name}: {part}:\n{}", result.code);
        }
        let region = &result.report.regions[0];
        for (claim, proof) in &region.proofs {
            assert!(proof.is_proved(), "{name}: {claim}: {proof:?}");
        }
        assert_eq!(region.proofs.len(), 4, "{name}");
    }
}

#[test]
fn what_they_leave_is_the_same() {
    let folder = scratch("last-values-and-parts-run");
    let options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    for (name, lines, _) in LOOPS {
        for element in ["double", "int"] {
            let text = program(lines, element);
            let path = folder.join(format!("{name}_{element}.c"));
            std::fs::write(&path, &text).unwrap();
            let result = compile_file(&path, &options).unwrap();
            let expected = run_c(&text, &folder, "before").expect("the program runs");
            let found = run_c(&result.code, &folder, "after").expect("the result runs");
            assert_eq!(found, expected, "{name} {element}:\n{}", result.code);
        }
    }
}

/// Without threads nothing of this is printed, and what does not fit stays in sequence.
#[test]
fn others_stay_in_sequence() {
    let sequential = CompileOptions { target: Target::C, ..CompileOptions::new() };
    for (name, lines, _) in LOOPS {
        let result = compiled(name, lines, &sequential);
        assert!(!result.code.contains("_of["), "{name}: {}", result.code);
        assert!(!result.code.contains("omp"), "{name}: {}", result.code);
    }
    for lines in [
        "for (int i = 0; i < n; i++) if (a[i] > most) { t = most; most = a[i]; }",
        "for (int i = 0; i < n; i++) if (c[i] > most) most = c[i];",
        "for (int i = 0; i < n; i++) if (a[i] >= most) { most = a[i]; at = i; }",
        "for (int i = 0; i < n; i++) if (c[i] > 500) a[k++] = a[i];",
        "for (int i = 0; i < n; i++) if (c[i] > k) b[k++] = a[i];",
        "for (int i = 0; i < n; i++) { if (c[i] > 500) last = i; b[i] = last; }",
    ] {
        let result = compiled("others", lines, &CompileOptions::new());
        assert!(!result.code.contains("omp parallel"), "{lines}: {}", result.code);
    }
}
