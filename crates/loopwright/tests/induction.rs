//! Induction variables, from C to the programs' output.
mod support;

use support::{regions_print_the_same, untiled_code};

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
    assert!(text.contains("#pragma omp parallel for\n"), "{text}");
    // Only the last value is stored.
    assert!(!text.contains("k += 2") && text.matches("k = ").count() == 3, "{text}");
    let text = code("of_its_own", "for (i = 0; i < n; i++) { k = n - i; x[k] = y[k]; }");
    assert!(text.contains("#pragma omp parallel for\n"), "{text}");
}
