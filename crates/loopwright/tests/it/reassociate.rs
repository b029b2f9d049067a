//! Updates by associative and commutative operators run in another order on request, and only then.
//!
//! Programs are compared by what they print: integers exactly, fractions with a tolerance.

use crate::support::{combinations, compile, run_c, scratch};
use loopwright::{CompileOptions, Emit, Scheduler, compile_file};
use loopwright_backend::Target;
use loopwright_presburger::{Budget, UnionMap};
use loopwright_transform::TileSizes;
use std::path::{Path, PathBuf};

/// One sum over all elements, along the columns.
const SUM: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[0] += A[j][i];";
/// Sums along the diagonals, with subscripts as in the product of two polynomials.
const CONVOLUTION: &str =
    "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[i + j] += y[i] * A[j][i];";
/// Sums over rows and over columns of a triangle in the same elements.
const TRIANGLE: &str = "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) { \
                        x[i] += A[i][j]; x[j] += A[i][j] * y[i]; }";
/// The sum begins anew in every iteration of the outer loop.
const ROWS: &str = "for (int i = 0; i < n; i++) { s[0] = y[i]; \
                    for (int j = 0; j < n; j++) s[0] += A[j][i]; x[i] = s[0]; }";
/// All partial sums are used.
const PARTIAL_SUMS: &str = "s[0] = 3; for (int i = 0; i < n; i++) { s[0] += y[i]; x[i] = s[0]; }";
/// The element is overwritten in the middle.
const OVERWRITTEN: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { \
                           s[0] += A[j][i]; if (i == j) s[0] = x[i]; }";
/// Sums and products of the same element.
const TWO_OPERATORS: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) { \
                             s[0] += A[j][i]; s[0] *= 2 - y[i] % 2; }";

/// The least and the greatest element of every column, and of all.
const EXTREMA: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { \
                       if (A[j][i] < x[i]) x[i] = A[j][i]; \
                       y[i] = y[i] > A[j][i] ? y[i] : A[j][i]; \
                       s[0] = (A[j][i]) <= (s[0]) ? (A[j][i]) : (s[0]); }";
/// Sums and greatest elements of what another array selects.
const SELECTED: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { \
                        if (A[j][i] > 1) s[0] += A[j][i]; \
                        if (A[i][j] > 0 && x[j] < A[j][i] + y[j]) x[j] = A[j][i] + y[j]; }";

const ALL: [(&str, &str); 9] = [
    ("sum", SUM),
    ("convolution", CONVOLUTION),
    ("triangle", TRIANGLE),
    ("rows", ROWS),
    ("partial_sums", PARTIAL_SUMS),
    ("overwritten", OVERWRITTEN),
    ("two_operators", TWO_OPERATORS),
    ("extrema", EXTREMA),
    ("selected", SELECTED),
];

/// A program around a region whose elements have the given type.
fn program(region: &str, element: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         static {element} A[30][30], x[60], y[30], s[1];\n\
         static void kernel(int n)\n{{\n#pragma scop\n{region}\n#pragma endscop\n}}\n\
         int main(void)\n{{\n\
         for (int i = 0; i < 60; i++) x[i] = 1 + i % 7;\n\
         for (int i = 0; i < 30; i++) {{\n  y[i] = ({element}) (20 + i % 5) / 7;\n\
         for (int j = 0; j < 30; j++) A[i][j] = ({element}) (i * j % 19 - 5) / 3;\n}}\n\
         kernel(23);\n\
         for (int i = 0; i < 60; i++) printf(\"%.17g\\n\", (double) x[i]);\n\
         printf(\"%.17g\\n\", (double) s[0]);\n\
         return 0;\n}}\n"
    )
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = scratch("reassociate").join(format!("{name}.c"));
    std::fs::write(&path, text).expect("the folder for tests can be written");
    path
}

fn sequential(reassociate: bool) -> CompileOptions {
    let tile_sizes = TileSizes::Given(vec![4]);
    CompileOptions { target: Target::C, tile_sizes, reassociate, ..CompileOptions::new() }
}

fn emitted(path: &Path, options: &CompileOptions, stage: Emit) -> String {
    compile_file(path, options).and_then(|compiled| compiled.emit(stage)).expect("it compiles")
}

/// Whether the script is a legal change of the order.
fn accepts(path: &Path, script: &str, reassociate: bool) -> bool {
    let scheduler = Scheduler::Transformed(script.to_string());
    let options = CompileOptions { scheduler, reassociate, ..CompileOptions::new() };
    compile_file(path, &options).is_ok()
}

/// The values that a program prints, and what is printed after compilation.
fn values_before_and_after(
    name: &str,
    text: &str,
    options: &CompileOptions,
) -> (Vec<f64>, Vec<f64>) {
    let folder = scratch("reassociate");
    let values = |text: &str, name: &str| -> Vec<f64> {
        let printed = run_c(text, &folder, name).expect("it is C");
        printed.lines().map(|line| line.parse().expect("a number is printed")).collect()
    };
    let (code, _) = compile(&file(name, text), options).expect("it compiles, and is proved");
    (values(text, &format!("{name}_before")), values(&code, &format!("{name}_after")))
}

#[test]
fn sums_of_integers_are_the_same_in_any_order() {
    for (number, (name, region)) in ALL.into_iter().enumerate() {
        let mut choices = combinations();
        choices.rotate_left(number);
        choices.truncate(3);
        choices.push(sequential(true));
        for options in choices {
            let options = CompileOptions { reassociate: true, ..options };
            let (before, after) = values_before_and_after(name, &program(region, "int"), &options);
            assert_eq!(before, after, "{name} with {options:?}");
        }
    }
}

#[test]
fn sums_of_fractions_differ_by_rounding_only() {
    for (name, region) in [("sum", SUM), ("convolution", CONVOLUTION), ("triangle", TRIANGLE)] {
        let name = format!("{name}_double");
        let text = program(region, "double");
        let (before, after) = values_before_and_after(&name, &text, &sequential(true));
        assert_eq!(before.len(), after.len());
        for (a, b) in before.iter().zip(&after) {
            assert!((a - b).abs() <= 1e-10 * a.abs().max(1.0), "{name}: {b} instead of {a}");
        }
    }
}

#[test]
fn a_sum_is_tiled_on_request_only() {
    for element in ["int", "double"] {
        let path = file(&format!("tiled_{element}"), &program(SUM, element));
        let tile_loops = |reassociate| {
            let code = emitted(&path, &sequential(reassociate), Emit::Code);
            code.matches("+= 4)").count()
        };
        assert_eq!((tile_loops(false), tile_loops(true)), (0, 2));
    }
}

#[test]
fn loops_of_a_sum_change_places_on_request_only() {
    for (name, region) in [("sum", SUM), ("convolution", CONVOLUTION)] {
        let path = file(&format!("interchange_{name}"), &program(region, "double"));
        let legal = |reassociate| accepts(&path, "interchange S0 1 2", reassociate);
        assert_eq!((legal(false), legal(true)), (false, true), "{name}");
    }
}

#[test]
fn what_reads_or_overwrites_the_element_keeps_its_place() {
    for (name, region, script) in [
        ("partial_sums", PARTIAL_SUMS, "reverse S1 1"),
        ("overwritten", OVERWRITTEN, "interchange S0 1 2\ninterchange S1 1 2"),
    ] {
        let path = file(&format!("kept_{name}"), &program(region, "int"));
        assert!(!accepts(&path, script, true), "{name}");
    }
    let path = file("kept_code", &program(PARTIAL_SUMS, "int"));
    let code = |reassociate| emitted(&path, &sequential(reassociate), Emit::Code);
    assert_eq!(code(false), code(true));
}

#[test]
fn the_remaining_dependences_pass_by_the_updates() {
    let region = "for (int i = 0; i < n; i++) { s[0] = y[i]; \
                  for (int j = 0; j < n; j++) s[0] += A[j][i]; x[i] = s[0]; }";
    let path = file("complete", &program(region, "int"));
    let relations = emitted(&path, &sequential(true), Emit::Deps);
    let relation = |key: &str| {
        let line = relations.lines().find_map(|line| line.strip_prefix(&format!("{key}: ")));
        UnionMap::parse(line.expect("every relation is printed").trim_matches('"')).unwrap()
    };
    let assert_is = |key: &str, expected: &str| {
        let (found, expected) = (relation(key), UnionMap::parse(expected).unwrap());
        let is_equal = found.is_equal(&expected, &Budget::unlimited()).unwrap();
        assert!(is_equal, "{key} is {found}, not {expected}");
    };
    assert_is(
        "flow",
        "[n] -> { S0[i] -> S1[i, j] : 0 <= i < n and 0 <= j < n; S0[i] -> S2[i] : 0 <= i < n; \
         S1[i, j] -> S2[i] : 0 <= i < n and 0 <= j < n }",
    );
    assert_is("reassociated", "[n] -> { S1[i, j] -> S1[i, k] : 0 <= i < n and 0 <= j < k < n }");
}

/// Two instances with one element never run at one time, whatever their order is.
#[test]
fn a_loop_over_updates_of_one_element_is_not_parallel() {
    for element in ["int", "double"] {
        let path = file(&format!("parallel_{element}"), &program(SUM, element));
        let options = CompileOptions { reassociate: true, ..CompileOptions::new() };
        let code = emitted(&path, &options, Emit::Code);
        assert!(!code.contains("pragma omp parallel"), "{code}");
    }
}

/// A sum, a greatest value and a sum per row, with partial results in scalars.
fn combining(element: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         static {element} A[300][300], y[300];\n\
         int main(void)\n{{\n\
         {element} s = 3, m = -100, w;\n\
         for (int i = 0; i < 300; i++) {{ y[i] = i % 3; \
         for (int j = 0; j < 300; j++) A[i][j] = ({element}) ((i * 7 + j * 13) % 29 - 11) / 2; }}\n\
         #pragma scop\n\
         for (int a = 0; a < 300; a++) for (int b = 0; b < 300; b++) {{ \
         w = 2 * A[a][b]; s += w; }}\n\
         for (int a = 0; a < 300; a++) for (int b = 0; b < 300; b++) \
         m = m > A[b][a] ? m : A[b][a];\n\
         for (int a = 0; a < 300; a++) for (int b = 0; b < 300; b++) y[a] -= A[a][b];\n\
         #pragma endscop\n\
         for (int i = 0; i < 300; i++) printf(\"%.17g\\n\", (double) y[i]);\n\
         printf(\"%.17g\\n%.17g\\n\", (double) s, (double) m);\n\
         return 0;\n}}\n"
    )
}

/// All values are multiples of a half, so that fractions are exact too.
#[test]
fn loops_that_only_combine_run_in_parallel_on_request() {
    for element in ["int", "float", "double"] {
        let text = combining(element);
        for reassociate in [false, true] {
            let options = CompileOptions { reassociate, ..CompileOptions::new() };
            let name = format!("combining_{element}_{reassociate}");
            let (before, after) = values_before_and_after(&name, &text, &options);
            assert_eq!(before, after, "{element}");
            let code = emitted(&file(&name, &text), &options, Emit::Code);
            let sum = if element == "int" { "loopwright_sum" } else { "+" };
            for clause in [
                &format!("parallel for private(w) reduction({sum}: s)"),
                &format!("simd private(w) reduction({sum}: s)"),
                "parallel for reduction(max: m)",
                &format!("simd reduction({sum}: y_value)"),
            ] {
                // Totals of integers are the same in every order.
                if reassociate || element != "int" {
                    assert_eq!(code.contains(clause), reassociate, "{clause}: {code}");
                }
            }
            if element == "int" {
                assert!(code.contains("reduction(loopwright_sum: s)"), "{code}");
                assert!(code.contains("reduction(max: m)"), "{code}");
                let sums = "simd reduction(loopwright_sum: y_value)";
                assert_eq!(code.contains(sums), reassociate, "{code}");
            }
        }
    }
}

/// Adds values of very different size whose sum almost vanishes, along rows and all together, and
/// prints each sum with the sum of the absolute values.
const CANCELLING: &str = "\
#include <math.h>
#include <stdio.h>
enum { N = 300 };
static double A[N][N], x[N], s;
static void kernel(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[i] += A[i][j];
      s += A[i][j];
    }
#pragma endscop
}
int main(void)
{
  unsigned seed = 7;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      seed = seed * 1664525u + 1013904223u;
      A[i][j] = ldexp((seed >> 8) / 16777216.0 - 0.5, (int) (seed >> 4 & 31));
    }
  kernel(N);
  double all = 0;
  for (int i = 0; i < N; i++) {
    double row = 0;
    for (int j = 0; j < N; j++) row += fabs(A[i][j]);
    all += row;
    printf(\"%.17g\\n%.17g\\n\", x[i], row);
  }
  printf(\"%.17g\\n%.17g\\n\", s, all);
  return 0;
}
";

/// The bound that `docs/dependences.md` states.
#[test]
fn sums_in_two_orders_are_within_the_stated_bound() {
    let options = CompileOptions { reassociate: true, ..CompileOptions::new() };
    let (before, after) = values_before_and_after("cancelling", CANCELLING, &options);
    assert_eq!(before.len(), 2 * 301);
    let mut n_different = 0;
    for (position, (before, after)) in before.chunks(2).zip(after.chunks(2)).enumerate() {
        // Threads and lanes begin with a zero each.
        let n_values = if position < 300 { 300.0 } else { 300.0 * 300.0 } + 256.0;
        let rounding = (n_values - 1.0) * f64::EPSILON / 2.0;
        let bound = 2.0 * rounding / (1.0 - rounding) * before[1];
        assert!((before[0] - after[0]).abs() <= bound, "{before:?} and {after:?}: over {bound}");
        n_different += usize::from(before[0] != after[0]);
    }
    assert!(n_different > 0, "the order of no sum has changed");
}

#[test]
fn a_mark_that_combines_what_the_loop_does_not_only_combine_is_refused() {
    let text = combining("double");
    let path = file("marked_sums", &text);
    let is_accepted = |domain: &str, schedule: &str, mark: &str, text: &str| {
        std::fs::write(&path, text).expect("the folder for tests can be written");
        let tree = format!(
            "domain: \"{domain}\"\nchild:\n  mark: \"{mark}\"\n  child:\n    schedule: \"{schedule}\"\n"
        );
        let scheduler = Scheduler::Given(tree);
        let options = CompileOptions { scheduler, reassociate: true, ..CompileOptions::new() };
        compile_file(&path, &options).map(|_| ()).map_err(|failure| failure.to_string())
    };
    let region = |body: &str| {
        let start = text.find("for (int a").expect("the region has loops");
        let end = text.find("#pragma endscop").expect("the region has an end");
        format!("{}for (int a = 0; a < 300; a++) {body}\n{}", &text[..start], &text[end..])
    };
    let domain = "{ S0[a] : 0 <= a < 300 }";
    let schedule = "[{ S0[a] -> [(a)] }]";
    let sum = |mark: &str| is_accepted(domain, schedule, mark, &region("s += A[a][0];"));
    for mark in ["parallel reduction(+: s)", "vector reduction(+: s)"] {
        assert_eq!(sum(mark), Ok(()));
    }
    for mark in ["parallel", "parallel reduction(*: s)", "parallel reduction(+: m)"] {
        assert!(sum(mark).is_err(), "{mark}");
    }
    let element = |mark: &str| is_accepted(domain, schedule, mark, &region("y[5] += A[a][0];"));
    assert_eq!(element("vector reduction(+: y)"), Ok(()));
    assert!(element("parallel reduction(+: y)").is_err());
}

#[test]
fn a_mark_that_lets_updates_of_one_element_run_at_one_time_is_refused() {
    let path = file("marked", &program(SUM, "int"));
    let is_accepted = |mark: &str| {
        let tree = format!(
            "domain: \"[n] -> {{ S0[i, j] : 0 <= i < n and 0 <= j < n }}\"\n\
             child:\n  {mark}\n  child:\n    schedule: \"[{{ S0[i, j] -> [(j)] }}]\"\n    \
             child:\n      schedule: \"[{{ S0[i, j] -> [(i)] }}]\"\n"
        );
        let scheduler = Scheduler::Given(tree);
        let options = CompileOptions { scheduler, reassociate: true, ..CompileOptions::new() };
        compile_file(&path, &options).map(|_| ()).map_err(|failure| failure.to_string())
    };
    assert_eq!(is_accepted("mark: \"other\""), Ok(()));
    let message = is_accepted("mark: \"parallel\"").unwrap_err();
    assert!(message.contains("parallel loops carry no dependence"), "{message}");
}

#[test]
fn the_report_says_what_is_assumed() {
    let path = file("report", &program(SUM, "double"));
    let report = |reassociate| {
        compile_file(&path, &sequential(reassociate)).expect("it compiles").report.to_string()
    };
    let assumption = "assumed: the updates of S0 may be reassociated";
    assert!(report(true).contains(assumption) && !report(false).contains("reassociated"));
    assert!(report(true).contains("proved: the schedule respects every dependence but the order"));
}

/// Each step of an integer sum rounds a fraction, so that the order matters.
#[test]
fn integers_that_are_combined_with_fractions_keep_their_order() {
    for region in [
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[0] += 0.5 * A[j][i];",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[0] *= z[j];",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[0] += w;",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) t[0] += A[j][i];",
    ] {
        let text = program(region, "int").replace(
            "static void kernel",
            "static double z[30], w = 0.5; static _Bool t[1];\nstatic void kernel",
        );
        let path = file("fractions", &text);
        assert!(!accepts(&path, "interchange S0 1 2", true), "{region}");
    }
}

/// Statements that are reductions of `s[0]`.
const FORMS: [&str; 16] = [
    "if (y[i] < s[0]) s[0] = y[i];",
    "if (s[0] >= y[i]) { s[0] = (y[i]); }",
    "if (fabs(y[i]) > s[0]) s[0] = fabs(y[i]);",
    "s[0] = y[i] < s[0] ? y[i] : s[0];",
    "s[0] = ((s[0]) > (y[i]) ? (s[0]) : (y[i]));",
    "s[0] = (s[0] > y[i]) ? y[i] : s[0];",
    "s[0] = fmin(s[0], y[i]);",
    "s[0] = fmaxf((y[i] * 2), s[0]);",
    "if (x[i] > 3 && y[i] + 1 < s[0]) s[0] = y[i] + 1;",
    "if (x[i] > 3) s[0] += y[i];",
    "if (x[i] > 3) { if (y[i] < 2) { s[0] *= y[i]; } }",
    "if (x[i] > 3) if ((x[i] > 4 && (y[i] < s[0]))) s[0] = y[i];",
    "s[0] = y[i] + s[0];",
    "s[0] = y[i] * x[i] * s[0];",
    "s[0] = s[0] - y[i] / 3;",
    "s[0] = s[0] + 2.5e-1;",
];

/// Statements that are none.
const OTHER_FORMS: [&str; 13] = [
    "if (y[i] < s[0]) s[0] = x[i];",
    "if (y[i] < s[0]) s[0] = y[i]; else s[0] = 3;",
    "if (y[i] < s[0]) { s[0] = y[i]; x[i] = 2; }",
    "if (y[i] < s[0] + 1) s[0] = y[i];",
    "if (s[0] > 3) s[0] += y[i];",
    "if (s[0] > 3 && y[i] < s[0]) s[0] = y[i];",
    "if (y[i] < s[0]) if (s[0] < 9) s[0] = y[i];",
    "s[0] = y[i] < s[0] ? s[0] : x[i];",
    "s[0] = s[0] == y[i] ? s[0] : y[i];",
    "s[0] = y[i] < x[i] ? s[0] : y[i];",
    "s[0] = y[i] - s[0];",
    "s[0] = x[i] + y[i] * s[0];",
    "s[0] = fmin(s[0], y[i]) + 1;",
];

#[test]
fn forms_of_reductions() {
    let is_reduction = |form: &str| {
        let region = format!("for (int i = 0; i < n; i++) {form}");
        let path = file("form", &program(&region, "double"));
        let deps = emitted(&path, &CompileOptions::new(), Emit::Deps);
        deps.lines().any(|line| line.starts_with("reductions: ") && line.contains("S0"))
    };
    for form in FORMS {
        assert!(is_reduction(form), "{form}");
    }
    for form in OTHER_FORMS {
        assert!(!is_reduction(form), "{form}");
    }
}

#[test]
fn extrema_of_fractions_are_the_same_in_any_order() {
    for element in ["float", "double"] {
        let name = format!("extrema_{element}");
        let text = program(EXTREMA, element);
        let (before, after) = values_before_and_after(&name, &text, &sequential(true));
        assert_eq!(before, after);
    }
}

#[test]
fn extrema_of_integers_keep_their_order_where_types_are_mixed() {
    let relaxes = |text: &str| {
        let options = sequential(true);
        emitted(&file("mixed", text), &options, Emit::Deps).contains("reassociated:")
    };
    let text = program(EXTREMA, "int");
    assert!(relaxes(&text));
    let mixed = text.replace("static int A[30][30],", "static unsigned A[30][30]; static int");
    assert!(mixed.contains("unsigned") && !relaxes(&mixed));
}
