//! Calls in loops of functions that the file defines.
use loopwright_cfront::{Code, Detection, Options, Outcome, SourceFile, read_text};

fn detect(text: &str) -> Detection {
    let file = SourceFile::from_text("test.c", text).autodetecting();
    file.detect().unwrap_or_else(|d| panic!("{text}\n{}", d[0]))
}

/// The lines of the regions of `caller` and the loops around their statements.
fn regions(text: &str) -> Vec<(u32, u32, usize)> {
    let depth = |region: &loopwright_cfront::Region| {
        region.scop.statements.iter().map(|s| s.iterators.len()).max().unwrap_or(0)
    };
    let detection = detect(text);
    let own = detection.regions.iter().filter(|r| r.function == "caller");
    own.map(|r| (r.first_line, r.last_line, depth(r))).collect()
}

/// The codes for which the loops of `caller` are refused.
fn refusals(text: &str) -> Vec<Code> {
    let own = |nest: loopwright_cfront::Nest| match nest.outcome {
        Outcome::Refused(found) if nest.function == "caller" => {
            found.into_iter().map(|d| d.code).collect()
        }
        _ => Vec::new(),
    };
    detect(text).nests.into_iter().flat_map(own).collect()
}

const ROW: &str = "static double row(int n, const double *x) { const double *e = x + n; double s = 0; while (x < e) { s += *x; x++; } return s; }\n";
const LOOP: &str = "  for (int i = 0; i < n; i++)\n    out[i] = row(n, a[i]);\n";
const HEAD: &str = "void caller(int n, double a[restrict n][n], double *restrict out) {\n";

#[test]
fn loops_of_a_body_are_loops_of_the_model() {
    assert_eq!(regions(&format!("{ROW}{HEAD}{LOOP}}}\n")), [(3, 4, 2)]);
}

#[test]
fn statements_stay_at_their_lines() {
    let before = "  puts(\"\");\n  for (int k = 0; k < n; k++) {\n    puts(\"\");\n";
    let calls = "    for (int i = 0; i < n; i++) {\n      out[i] = row(n,\n        a[i]);\n      if (row(n, a[0]) > 1)\n        out[i] += 1;\n    }\n  }\n";
    assert_eq!(regions(&format!("{ROW}{HEAD}{before}{calls}}}\n")), [(6, 11, 2)]);
}

#[test]
fn a_return_in_the_middle_is_a_condition() {
    let axpy = "static void axpy(int n, double s, const double *x, int step, double *y) { int i; if (n <= 0) return; if (s == 0) return; if (step != 1) { for (i = 0; i < n; i++) y[i * step] += s * x[i]; return; } for (i = 0; i < n; i++) y[i] += s * x[i]; }\n";
    let call = "  for (int k = 0; k < n; k++)\n    for (int i = k + 1; i < n; i++)\n      axpy(n, out[i], a[k], 1, a[i]);\n";
    assert_eq!(regions(&format!("{axpy}{HEAD}{call}}}\n")), [(3, 5, 3)]);
}

#[test]
fn calls_inside_of_bodies_are_replaced() {
    let outer = "static void scaled(int n, double *y) { double s = row(n, y); for (int i = 0; i < n; i++) y[i] /= s; }\n";
    let call = "  for (int i = 0; i < n; i++)\n    scaled(n, a[i]);\n";
    assert_eq!(regions(&format!("{ROW}{outer}{HEAD}{call}}}\n")), [(4, 5, 2)]);
}

#[test]
fn what_a_body_would_mean_elsewhere_decides() {
    let with = |function: &str, body: &str| {
        let text = function.to_string()
            + HEAD
            + body
            + "  for (int i = 0; i < n; i++)\n    out[i] = row(n, a[i]);\n}\n";
        refusals(&text)
    };
    let walk = "const double *e = x + n; while (x < e) { s += *x; x++; }";
    let kept = |inside: &str| {
        with(
            &format!(
                "int puts(const char *); double g; static double row(int n, const double *x) {{ double s = 0; {inside} {walk} return s; }}\n"
            ),
            "",
        )
    };
    assert_eq!(kept(""), []);
    // A state of its own, calls of itself, text that only it has, output.
    for inside in [
        "static int calls; calls++;",
        "if (n > 5) s = row(n - 5, x);",
        "again: if (s > 9) goto again;",
        "puts(__func__);",
        "puts(\"\");",
        "volatile int v = 1; s = v;",
        "struct pair { int a; } p; p.a = 1; s += p.a;",
    ] {
        assert!(kept(inside).contains(&Code::Call), "{inside}: {:?}", kept(inside));
    }
    // A global that the caller hides.
    let global = format!(
        "static double g; static double row(int n, const double *x) {{ double s = g; {walk} return s; }}\n"
    );
    assert_eq!(with(&global, ""), []);
    assert_eq!(with(&global, "  double g = 3;\n"), [Code::Call]);
    // A number of arguments that is another one, and a function that comes later.
    assert_eq!(with("static double row();\n", ""), [Code::Call]);
}

#[test]
fn functions_may_come_later() {
    let with = |before: &str, after: &str| {
        let row = "static double row(int n, const double *x) { const double *e = x + n; double s = shift; while (x < e) { s += *x; x++; } return s; }\n";
        refusals(&format!(
            "{before}static double row(int n, const double *x);\n{HEAD}{LOOP}}}\n{after}{row}"
        ))
    };
    assert_eq!(with("static double shift;\n", ""), []);
    assert_eq!(with("enum { other, shift };\n", ""), []);
    assert_eq!(with("", "static double shift;\n"), [Code::Call]);
}

#[test]
fn what_is_known_of_calls_stays_known() {
    // Both calls pass the same object twice: `both` must not take its parameters to be apart.
    let both = "static void both(int n, double *x, double *y) {\n  for (int i = 0; i < n; i++) { *x = *y; x++; y++; }\n}\n";
    let call =
        "void caller(int n, double *p) {\n  for (int i = 0; i < n; i++)\n    both(n, p, p);\n}\n";
    let detection = detect(&format!("{both}{call}"));
    let own =
        detection.regions.iter().find(|r| r.function == "both").expect("the loop is a region");
    assert_eq!(own.conditions.len(), 1);
}

#[test]
fn pragmas_keep_what_is_between_them() {
    let text = format!("{ROW}{HEAD}#pragma scop\n{LOOP}#pragma endscop\n}}\n");
    let detection = detect(&text);
    assert!(
        detection
            .regions
            .iter()
            .all(|r| r.function != "caller"
                || r.scop.statements.iter().all(|s| s.iterators.len() < 2))
    );
}

#[test]
fn growth_is_bounded() {
    // Each function calls the one before twice.
    let mut text = ROW.replace("row", "f0");
    for k in 1..30 {
        let inner = k - 1;
        text += &format!(
            "static double f{k}(int n, const double *x) {{ return f{inner}(n, x) + f{inner}(n, x); }}\n"
        );
    }
    text += &format!("{HEAD}  for (int i = 0; i < n; i++)\n    out[i] = f29(n, a[i]);\n}}\n");
    assert_eq!(refusals(&text), [Code::Call]);
    let many = "    out[i] += row(n, a[i]);\n".repeat(300);
    let text = format!("{ROW}{HEAD}  for (int i = 0; i < n; i++) {{\n{many}  }}\n}}\n");
    assert!(!refusals(&text).is_empty());
}

#[test]
fn the_region_says_which_bodies_it_has() {
    let detection = detect(&format!("{ROW}{HEAD}{LOOP}}}\n"));
    assert_eq!(detection.regions[0].remarks, ["line 4 has the body of `row` in place of its call"]);
}

#[test]
fn functions_are_pure_by_promise() {
    let text = format!(
        "double weight(int);\n{HEAD}  for (int i = 0; i < n; i++)\n    out[i] = weight(i);\n}}\n"
    );
    assert_eq!(refusals(&text), [Code::Call]);
    let path = std::env::temp_dir().join("loopwright_pure_functions.c");
    let pure_functions = vec!["weight".to_string()];
    let options = Options { autodetect: true, pure_functions, ..Options::default() };
    let file = read_text(&path, &text, &options).expect("it can be preprocessed");
    assert_eq!(file.extract().expect("it is a region")[0].scop.statements.len(), 1);
}

#[test]
fn errno_is_kept_where_it_is_read() {
    let with = |before: &str, function: &str| {
        let text = format!(
            "double {function}(double); {before}\n{HEAD}  for (int i = 0; i < n; i++)\n    out[i] = {function}(a[0][i]);\n}}\n"
        );
        refusals(&text)
    };
    assert_eq!(with("", "exp"), []);
    let read =
        "int *__errno_location(void); int failed(void) { return (*__errno_location ()) != 0; }";
    assert_eq!(with(read, "exp"), [Code::Call]);
    assert_eq!(with(read, "fabs"), []);
}

#[test]
fn calls_without_a_loop_around_them_in_their_region_stay() {
    let before = "int puts(const char *);\n";
    let text = format!(
        "{ROW}{before}{HEAD}  for (int i = 0; i < n; i++) {{\n    puts(\"\");\n    out[i] = row(n, a[i]);\n  }}\n{LOOP}}}\n"
    );
    assert_eq!(regions(&text), [(8, 9, 2)]);
}
