//! Induction variables, from C to the programs' output.

use crate::support::{regions_print_the_same, untiled_code};

/// What the loops do with `k`, `q` and `u`, which are all printed after them.
const ALL: [(&str, &str); 10] = [
    ("strided", "k = 0; for (i = 0; i < n; i++) { x[k] += i; k += 2; }"),
    ("nested", "k = 1; for (i = 0; i < n; i++) for (j = 0; j < m; j++) y[k++] = i * k + j;"),
    (
        "two",
        "k = 0; q = 40; for (i = 0; i < n; i++) { x[k++] = y[q--]; u += 3; }
         for (i = 0; i < m; i++) { y[k] = x[q] + u; k++; q = q + 1; }",
    ),
    ("of_its_own", "for (i = 0; i < n; i++) { k = n - i; for (j = 0; j < k; j++) x[j] += k; }"),
    (
        "triangular",
        "k = 0; for (i = 0; i < n; i++) { for (j = 0; j < i; j++) { y[k] += j; k++; } q = k; }",
    ),
    (
        "conditions",
        "k = 0; for (i = 0; i < n; i++) { if (i > 2) { x[k] = 7; k++; } else k += 2; y[k] += i; }",
    ),
    (
        "on_data",
        "k = 0; for (i = 0; i < n; i++) { if (x[i] > 3) y[k++] = x[i]; q += 2; y[q] += 1; }",
    ),
    (
        "atomic",
        "k = 0; for (i = 0; i < n; i++) { k++; for (j = i; j > 0; j /= 2) k++; x[k % 50] += 1; k = 3 * i; y[k] = i; }",
    ),
    (
        "bounds",
        "k = n; for (i = 0; i < k; i++) { x[i] += 1; k--; for (j = 0; j < k; j++) y[j] = k; }",
    ),
    (
        "backwards",
        "k = 2 * n; u = n; for (i = n; i > 0; i -= 3) { k -= 2; x[k] = u; u++; { int t = k + i; y[t] = t; } }",
    ),
];

/// Loops whose iterators are used after them, in the region and behind it.
const LAST: [(&str, &str); 14] = [
    ("one", "for (i = k; i < n; i++) x[i] += i;"),
    ("strided", "for (i = n; i > 2; i -= 4) x[i] += y[i];"),
    ("nest", "for (i = 0; i < n; i += 3) for (j = i; j < m; j++) x[j] += y[i];"),
    ("read", "for (i = 0; i < n; i++) x[i] = i; x[i + 1] += i; for (j = i; j < m; j++) y[j] += i;"),
    ("branch", "if (n > 3) for (i = 0; i < m; i++) x[i] = i; else j = n; y[i] += j;"),
    ("on_data", "if (x[3] > 2) for (i = 0; i < m; i++) x[i + 4] = i; y[i] += j;"),
    (
        "again",
        "for (j = 0; j < n; j++) { x[j] += i; for (i = 0; i < j; i++) y[i] += j; x[i] += 1; }",
    ),
    (
        "counted",
        "i = 0; while (i < n) { x[i] += i; i += 2; } y[i] += j; while (i-- > 1) y[i] += x[i];",
    ),
    ("counted_nest", "for (; i < n; i++) { j = i; while (j < m) { x[j++] += y[i]; } } y[j] += i;"),
    (
        "argument",
        "while (n--) { x[n] += m; y[n + 1] += x[n]; } y[3] += n; while (m > 2) { m -= 2; x[m] += 1; } y[4] += m;",
    ),
    ("both", "for (i = 0, j = n; i < j; i++, j--) { x[j] += y[i]; x[i] -= y[j]; }"),
    (
        "tested_last",
        "i = n + 1; do { j = 0; do { y[i + j] += x[j]; j += 2; } while (j < m); } while (--i > 0); x[j] += i;
         do { x[i] += y[j]; } while (i++ < n && j-- > 0); y[i] += j;
         do { if (n > 3) y[3] += i; j = m; } while (0); for (i = 0; i < j; i++) y[i]++;",
    ),
    (
        "pointer_tested_last",
        "double *p = x, *r = y; do { *p += *r++; p++; } while (p < x + n); i = p - x;
         if (n > 3) { j = 0; do { x[j] += y[j + 1]; j++; } while (j != n); } else j = 7;",
    ),
    (
        "no_form",
        "for (i = 0; i < n && x[i] < 9; i++) y[i] = i; for (j = i; j < n && j < m; j++) x[j]++;
         for (i = 2; 2 * i < n; i++) y[i] += j;",
    ),
];

/// Heads of loops with several parts.
const PARTS: [(&str, &str); 6] = [
    ("together", "for (i = 0, k = 2; i < n; i++, k += 3) x[k] += i;"),
    ("bound", "for (i = 0, j = n - 2, q = 1; i < j; q++, i++) y[q] += x[i];"),
    ("nest", "for (i = n, k = 0; i > 0; i--) for (j = 0; j < m; j++, k++) y[k] += i * k;"),
    ("data", "for (i = 0, x[0] = 3, k = 0; i < n; i++, x[k] += 1) k = k + 1;"),
    ("both", "for (i = 0, k = 0; i < n; i++, k++) x[k] = i; for (k = 0; k < m; k++) y[k] += k;"),
    (
        "dependent",
        "for (i = 0, k = i; i < n; i++, k = i) x[k] += 1; for (i = 0, j = n; i < j; i++, j--) x[i] += y[j];
         for (i = 0, k = 3; i < n; i++, k++) { if (i > 4) break; if (x[i] > 3) continue; y[k] += i; }",
    ),
];

#[test]
fn programs_with_heads_of_several_parts_print_the_same() {
    regions_print_the_same("parts_of_heads", &PARTS, program_of_last_values);
}

fn program_of_last_values(region: &str) -> String {
    let text = program(region).replace("int i, j, k", "int i = 7, j = 5, k");
    text.replace("%d %ld %u\\n\", k,", "%d %d %d %ld %u\\n\", i, j, k,")
}

#[test]
fn programs_print_the_last_values_of_iterators() {
    regions_print_the_same("last_values", &LAST, program_of_last_values);
}

#[test]
fn loops_with_last_values_run_in_parallel() {
    let region = "for (i = 0; i < n; i++) for (j = 0; j < m; j++) x[i] += y[j] * i;";
    let text = untiled_code("last_values", "parallel", &program_of_last_values(region));
    assert!(text.contains("#pragma omp parallel for if(loopwright_default_floats())\n"), "{text}");
    assert!(text.contains("i = ") && text.contains("j = "), "{text}");
}

fn program(region: &str) -> String {
    format!(
        "#include <stdio.h>\n#define N 300\n\
         static double x[N], y[N];\n\
         static void f(int n, int m)\n{{\n  int i, j, k = 1; long q = 2; unsigned u = 0;\n\
         #pragma scop\n  {region}\n#pragma endscop\n\
         printf(\"%d %ld %u\\n\", k, q, u);\n}}\n\
         int main(void)\n{{\n\
         int runs[][2] = {{ {{12, 9}}, {{0, 4}}, {{5, 0}}, {{1, 1}}, {{2, -1}} }};\n\
         for (int run = 0; run < 5; run++) {{\n\
         for (int i = 0; i < N; i++) {{ x[i] = i * 29 % 17 - 4; y[i] = i % 5; }}\n\
         f(runs[run][0], runs[run][1]);\n\
         for (int i = 0; i < N; i++) printf(\"%g %g \", x[i], y[i]);\n\
         puts(\"\"); }}\n\
         return 0;\n}}\n"
    )
}

#[test]
fn programs_print_the_same() {
    regions_print_the_same("induction", &ALL, program);
}

fn code(name: &str, region: &str) -> String {
    untiled_code("induction", name, &program(region))
}

#[test]
fn loops_with_induction_variables_run_in_parallel() {
    let text = code("strided", ALL[0].1);
    assert!(text.contains("#pragma omp parallel for if(loopwright_default_floats())\n"), "{text}");
    // Only the last value is stored.
    assert!(!text.contains("k += 2") && text.matches("k = ").count() == 3, "{text}");
    let text = code("of_its_own", "for (i = 0; i < n; i++) { k = n - i; x[k] = y[k]; }");
    assert!(text.contains("#pragma omp parallel for if(loopwright_default_floats())\n"), "{text}");
}
