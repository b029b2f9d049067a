//! No input makes the front end panic or hang.
use crate::common;
use proptest::prelude::*;

const SEED: &str = "typedef float real; enum { K = 3 };\nvoid f(int n, unsigned m, real A[n][n + 1], double *restrict x) {\n  int i, j; double s, t;\n#pragma scop\n  for (i = n - 1; i >= 0; i -= 2) {\n    double q = x[i] * (i), r[4];\n    for (j = (i > 3 ? i - 3 : 0); j < n && j <= i; ++j)\n      if (i % 2 == 0 || !(j / 3 < K)) A[i][j & 3] += sqrt(q) ? x[j]++ : s, t = (real)i;\n      else { s = t = (x[0]) * (s) - 'a'; r[1] = \"x\"[0]; }\n  }\n#pragma endscop\n  x[0] = s;\n}\n";

fn run(text: &str) {
    if let Ok(regions) = common::extract(text) {
        for region in regions {
            assert!(text.get(region.bytes.clone()).is_some());
        }
    }
}

#[test]
fn the_seed_is_understood_up_to_its_errors() {
    let found = common::extract(SEED).expect_err("a string is indexed");
    assert!(found.iter().all(|d| d.place.is_some()), "{}", found[0]);
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("(", ")"), ("-", ""), ("A[", "]"), ("1?1:", "")] {
        let text = format!("s = {}1{};", open.repeat(50_000), close.repeat(50_000));
        run(&common::function("double s, double *A", "", &text, ""));
    }
    run(&common::function("double s", "", &"for(;;){".repeat(20_000), ""));
    run(&"int (".repeat(50_000));
    run(&format!(
        "void f(double {} x) {{\n#pragma scop\n#pragma endscop\n}}\n",
        "*".repeat(10_000)
    ));
}

/// The walk of a region is not the only one: sizes, values and called functions are looked at outside of it.
#[test]
fn long_sums_outside_of_regions_are_not_followed() {
    const N_TERMS: usize = 20_000;
    let region = "\n#pragma scop\n  for (int i = 0; i < n; i++) A[i] = m;\n#pragma endscop\n";
    for (term, operator) in
        [("1", "+"), ("n", "-"), ("n", "*"), ("n", "&&"), ("n", "=="), ("1", "<<")]
    {
        let sum = vec![term; N_TERMS].join(operator);
        run(&format!("int m; int n; int A[{sum}];\nvoid f(void) {{{region}}}\n"));
        run(&format!("enum {{ m = {sum} }};\nvoid f(int n, int *A) {{{region}}}\n"));
        run(&format!("static int m = {sum};\nvoid f(int n, int *A) {{{region}}}\n"));
        run(&format!("void f(int n, int *A) {{ int m = {sum};{region}}}\n"));
        run(&format!("void f(int n, int m, int *A) {{ if ({sum}) {{{region}}} }}\n"));
        run(&format!("void f(int n, int m, int *B) {{ int *A = B + {sum};{region}}}\n"));
        let walking = region.replace("A[i]", "*p++");
        run(&format!("void f(int n, int m, int *A) {{ int *p = A + {sum};{walking}}}\n"));
        let called = region.replace("= m", "= g(m)");
        run(&format!(
            "int g(int n) {{ return {sum}; }}\nvoid f(int n, int m, int *A) {{{called}}}\n"
        ));
        run(&format!(
            "int g(int n) {{ for (int i = 0; i < {sum}; i++) n++; return n; }}\n\
             void f(int n, int m, int *A) {{{called}}}\n"
        ));
    }
}

#[test]
fn huge_numbers_are_refused() {
    for region in [
        "for (int i = 0; i < 9223372036854775807; i++) A[i * 9223372036854775807] = 0;",
        "for (int i = -9223372036854775807 - 1; i > n - 9223372036854775807; i -= 9223372036854775807) A[i] = 0;",
        "A[n % 9223372036854775807 * 3] = 0;",
        "A[n / (-9223372036854775807 - 1)] = 0;",
        "A[(n << 61) << 61] = 99999999999999999999;",
    ] {
        run(&common::function("int n, double *A", "", region, ""));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_text(cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12,
        prop::sample::select(vec!["", "(", ")", "{", "}", ";", "*", "i", "&", "[", "]", "for", "if", ",",
            "=", "?", ":", "-", "0", "%", "\n#pragma scop\n", "\n#pragma endscop\n", "é", "int ", "!", "<"])), 1..5)) {
        let mut text = SEED.to_string();
        for (at, length, insert) in cuts {
            let mut start = at.index(text.len());
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(start) { start -= 1; }
            while !text.is_char_boundary(end) { end += 1; }
            text.replace_range(start..end, insert);
            if text.is_empty() { text.push(' '); }
        }
        run(&text);
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        run(&format!("void f(int n) {{\n#pragma scop\n{text}\n#pragma endscop\n}}\n"));
        run(&text);
    }
}
