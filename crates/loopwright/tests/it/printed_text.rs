//! Faults in the printed text are found by reading it back, or are in a part that the report names as tested
//! only.

use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, Compiled, Emit, Scheduler, compile_file};
use loopwright_machine::Machine;
use loopwright_transform::TileSizes;
use loopwright_verify::{NotRead, Printed, Proof, UnreadPart};

/// Tiles in time and space: minima, maxima and floors in bounds.
const STENCIL: &str = "void f(int steps, int n, double *restrict A, double *restrict B) {
#pragma scop
for (int t = 0; t < steps; t++) {
for (int i = 1; i < n - 1; i++) B[i] = A[i - 1] + A[i] + A[i + 1];
for (int i = 1; i < n - 1; i++) A[i] = B[i]; }
#pragma endscop
}";
/// A private scalar, iterators in the text, sums.
const ROWS: &str =
    "void f(int n, int m, double A[n][m], double *restrict x, double *restrict y, double *restrict z) {
double s;
#pragma scop
for (int i = 0; i < n; i++) {
s = 0;
for (int j = 0; j < m; j++) s += A[i][j] * x[j];
y[i] = s;
for (int j = i; j < m; j++) z[i] += A[j][i] * i; }
#pragma endscop
}";
/// Results that a loop keeps in a local variable.
const SUMS: &str =
    "void f(int n, int m, double A[400][500], double *restrict x, double *restrict y) {
#pragma scop
for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) y[i] += A[i][2 * j] * x[j + 1] * y[j];
#pragma endscop
}";
/// The same for a loop that may have no iteration.
const SUMS_OF_ANY: &str =
    "void f(int n, int m, double A[400][500], double *restrict x, double *restrict y) {
#pragma scop
for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i] += A[i][j] * x[j];
#pragma endscop
}";
/// Rows that wait for each other.
const PIPELINE: &str = "void f(int steps, int n, int m, double A[70][90]) {
#pragma scop
for (int s = 0; s < steps; s++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)
A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i + 1][j] + A[i][j + 1]) / 5;
#pragma endscop
}";
/// Panels and register blocks.
const PRODUCT: &str = "void f(double C[600][700], double A[600][800], double B[800][700]) {
#pragma scop
for (int i = 0; i < 600; i++) for (int j = 0; j < 700; j++) for (int k = 0; k < 800; k++)
C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}";
/// Register blocks for parts of tiles: any number of rows and columns.
const PRODUCT_OF_ANY: &str =
    "void f(int n, int m, int q, double C[n][m], double A[n][q], double B[q][m]) {
#pragma scop
for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < q; k++)
C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}";
/// Register blocks at a diagonal.
const TRIANGLE: &str = "void f(int n, int m, double C[n][n], double A[n][m]) {
#pragma scop
for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) for (int j = 0; j <= i; j++)
C[i][j] += 3 * A[i][k] * A[j][k];
#pragma endscop
}";
/// Two strided loops under a condition.
const GUARDS: &str = "void f(int n, int m, double *restrict A, double *restrict B) {
#pragma scop
for (int i = 0; i < n; i += 3) { A[i] = A[i + 1] + A[i]; if (m > 7) B[i] = i - A[i]; }
if (m > 5) A[0] = B[0];
#pragma endscop
}";

fn compiled(name: &str, program: &str) -> (Compiled, String) {
    let path = scratch("printed_text").join(format!("{name}.c"));
    std::fs::write(&path, program).expect("the program can be written");
    let mut options = CompileOptions::new();
    options.always_rewrite = true;
    // The same text on all machines.
    options.machine = Machine { vector_bytes: 64, vector_registers: 32, ..Machine::generic() };
    if program == SUMS || program == SUMS_OF_ANY {
        options.scheduler = Scheduler::None;
    }
    if program == PIPELINE {
        options.tile_sizes = TileSizes::Given(vec![4]);
    }
    let compiled = compile_file(&path, &options).expect("it compiles");
    let text = compiled.emit_region(0, Emit::Code).expect("there is code");
    (compiled, text)
}

fn check(compiled: &Compiled, text: &str) -> Printed {
    compiled.check_text(0, text).expect("no operation fails")
}

fn is_refuted(printed: &Printed) -> bool {
    matches!(printed.proof, Some(Proof::Refuted(_)))
}

/// What of a text is replaced by what: the first place where it stands.
type Fault = (&'static str, &'static str, &'static str);

/// A name for the program, its text, and faults; each of them is refuted.
fn faults() -> Vec<(&'static str, &'static str, Vec<Fault>)> {
    let stencil = vec![
        ("<= in place of <", "(x) < (y) ?", "(x) > (y) ?"),
        ("minimum and maximum exchanged", "= max(0, ", "= min(0, "),
        ("wrong floor", "~(~(n) / (d))", "(n) / (d)"),
        ("floor to quotient", "floord((long) steps - 1, 128)", "((long) steps - 1) / 128"),
        ("a bound that is off by one", "512 * c1 + 511", "512 * c1 + 512"),
        ("a lower bound", "2 * c3 + 1)", "2 * c3 + 2)"),
        ("a subscript", "A[c4 - 2 * c3 - 1] +", "A[c4 - 2 * c3] +"),
        ("the element that is written", "B[c4 - 2 * c3] =", "B[c4 - 2 * c3 + 1] ="),
        ("another iterator", "B[c4 - 2 * c3] =", "B[c4 - 2 * c1] ="),
        (
            "a loop in parallel that is not",
            "for (long c0",
            "#pragma omp parallel for\nfor (long c0",
        ),
        ("a step", "c3++", "c3 += 2"),
        (
            "collapsed loops",
            "#pragma omp parallel for if",
            "#pragma omp parallel for collapse(2) if",
        ),
    ];
    let rows = vec![
        ("< in place of <=", "c0 < n", "c0 <= n"),
        ("no private copy", " private(s)", ""),
        ("another private copy", "private(s)", "private(s, y)"),
        ("a sum that is none", "private(s)", "private(s) reduction(+: y)"),
        ("a statement twice", "s = 0;", "s = 0;\n    s = 0;"),
        ("a statement less", "s = 0;", ""),
        ("another operator", "s +=", "s -="),
        ("exchanged subscripts", "A[c0][c1]", "A[c1][c0]"),
        ("an iterator in the text", "* (int) c", "* (int) -c"),
        ("a type", "for (long c0", "for (char c0"),
    ];
    let sums = vec![
        ("a loop that need not run", "long c0 = 1", "long c0 = 0"),
        ("a value from elsewhere", "_value = y[c0];", "_value = y[0];"),
        ("stored elsewhere", "y[c0] = y_value;", "y[c0 - 1] = y_value;"),
        ("not stored", "y[c0] = y_value;", ""),
        ("kept too long", "* y[c1];", "* y_value;"),
        ("lanes that share a variable", "for (long c1", "#pragma omp simd\n for (long c1"),
        ("a factor", "[2 * c1]", "[3 * c1]"),
        ("an end before the loop", "y_value = y[c0];", "y_value = y[c0]; return;"),
    ];
    let sums_of_any = vec![
        ("another condition", "if (0 < m)", "if (1 < m)"),
        ("no condition", "if (0 < m) {", "{"),
    ];
    let pipeline = vec![
        ("the sink", "sink: c0 - 1, c1", "sink: c0 - 1, c1 - 1"),
        ("the row of the sink", "sink: c0 - 1, c1", "sink: c0, c1"),
        ("no wait", "#pragma omp ordered depend(sink: c0 - 1, c1)\n", ""),
        ("the source comes too early", "depend(sink: c0 - 1, c1)", "depend(source)"),
        ("a row with fewer steps", "if (c1 >= c0 &&", "if (c1 > c0 &&"),
        ("rows with other steps", "(long c1 = 0;", "(long c1 = 1;"),
        ("rows out of order", " ordered(2)", ""),
    ];
    let product = vec![
        ("where a panel begins", "B_panel[c3 - c1][c4 - c2] =", "B_panel[c3 - c1][c4 - c1] ="),
        ("a panel that is too small", "B_panel[192][", "B_panel[191]["),
        ("what a panel holds", "= B[c3][c4];", "= B[c4][c3];"),
        ("the step of tiles", "c0 += 96", "c0 += 95"),
        ("the row of a result", "&C[c4 + 1][c3];", "&C[c4 + 2][c3];"),
        ("the columns of a result", "&C[c4 + 1][c3 + 8];", "&C[c4 + 1][c3 + 9];"),
        (
            "where a result is stored",
            "*(double_x8 *) &C[c4 + 1][c3] =",
            "*(double_x8 *) &C[c4][c3] =",
        ),
        ("which result is stored", "= C_r1_v0;", "= C_r0_v0;"),
        ("a result that is not stored", "*(double_x8 *) &C[c4 + 1][c3] = C_r1_v0;\n", ""),
        ("an operand of another row", "= A[c4 + 1][c5];", "= A[c4][c5];"),
        (
            "an operand of other columns",
            "&B_panel[c5 - c1][c3 - c2 + 8]",
            "&B_panel[c5 - c1][c3 - c2 + 7]",
        ),
        (
            "an operand of another vector",
            "C_r0_v1 += A_r0 * B_panel_v1",
            "C_r0_v1 += A_r0 * B_panel_v0",
        ),
        ("a scalar of another row", "C_r1_v0 += A_r1", "C_r1_v0 += A_r0"),
        ("a result of another row", "C_r1_v0 += A_r1", "C_r2_v0 += A_r1"),
        ("another operator in a tile", "C_r1_v0 += A", "C_r1_v0 -= A"),
        ("a statement less in a tile", "C_r1_v0 += A_r1 * B_panel_v0;", ""),
        (
            "a statement twice in a tile",
            "C_r1_v0 += A_r1 * B_panel_v0;",
            "C_r1_v0 += A_r1 * B_panel_v0;\nC_r1_v0 += A_r1 * B_panel_v0;",
        ),
        ("shorter vectors", "vector_size(64)", "vector_size(32)"),
        ("elements of another type", "typedef double double_x8", "typedef float double_x8"),
        ("the loop of a tile", "c5 <= min(799, c1 + 191)", "c5 <= min(799, c1 + 190)"),
    ];
    let product_of_any = vec![
        ("vectors beyond the end", "+ 7 < m", "+ 6 < m"),
        ("columns left over", "+ 7 < m", "+ 8 < m"),
        ("columns from the second one", "long c7 = 24 * (m / 24);", "long c7 = 24 * (m / 24) + 1;"),
        ("rows left over", "c6 = 8 * (n / 8);", "c6 = 8 * (n / 8) + 1;"),
    ];
    let triangle = vec![
        ("rows that are not there", "+ 7 < n", "+ 6 < n"),
        ("columns that a row does not have", "_part <= c6;", "_part <= c6 + 1;"),
        ("a column less", "_part <= c6;", "_part < c6;"),
        ("rows copied elsewhere", "C_part[c6 - c4]", "C_part[c6 - c4 + 1]"),
        ("columns copied elsewhere", "_part - c7]", "_part - c7 + 1]"),
        ("a result of another row", "&C_part[1][0]", "&C_part[0][0]"),
        (
            "copies that are not written back",
            "C[c6][c7_part] = C_part[c6 - c4][c7_part - c7];",
            ";",
        ),
        ("copies of other elements", "= C[c6][c7_part];", "= C[c6][c7_part + 1];"),
    ];
    let guards = vec![
        ("no guard", "m >= 8", "1"),
        ("another guard", "m >= 8", "m >= 7"),
        ("a step", "+= 3", "+= 2"),
    ];
    vec![
        ("stencil", STENCIL, stencil),
        ("rows", ROWS, rows),
        ("sums", SUMS, sums),
        ("sums of any", SUMS_OF_ANY, sums_of_any),
        ("pipeline", PIPELINE, pipeline),
        ("product", PRODUCT, product),
        ("product of any", PRODUCT_OF_ANY, product_of_any),
        ("triangle", TRIANGLE, triangle),
        ("guards", GUARDS, guards),
    ]
}

#[test]
fn faults_of_printing_are_refuted() {
    for (name, program, faults) in faults() {
        let (compiled, text) = compiled(name, program);
        assert_eq!(check(&compiled, &text).proof, Some(Proof::Proved), "{name}:\n{text}");
        let mut missed = Vec::new();
        for (what, from, to) in faults {
            let faulty = text.replacen(from, to, 1);
            let found = check(&compiled, &faulty);
            if faulty == text || !is_refuted(&found) {
                missed.push((what, from, found));
            }
        }
        assert!(missed.is_empty(), "{name}: {missed:#?}\n{text}");
    }
}

/// What is not understood is named with its line, and what stands in its place is not claimed to be right.
#[test]
fn what_is_not_read_is_named() {
    let (compiled, text) = compiled("blocks", PRODUCT);
    let unknown = text.replacen("C_r0_v0 += A_r0", "C_r0_v0 += (A_r0)", 1);
    assert_ne!(unknown, text);
    assert!(is_refuted(&check(&compiled, &unknown)));
    let nested = "(".repeat(900) + "c1" + &")".repeat(900);
    let unknown = text.replacen("B_panel[c3 - c1]", &format!("B_panel[c3 - {nested}]"), 1);
    assert_ne!(unknown, text);
    let read = check(&compiled, &unknown);
    let [NotRead { part: UnreadPart::Other(why), .. }] = &read.not_read[..] else {
        panic!("{read:?}")
    };
    assert!(why.contains("nested too deeply"), "{why}");
}

#[test]
fn what_is_read_as_a_whole_is_proved() {
    for (name, program) in [
        ("stencil", STENCIL),
        ("sums", SUMS),
        ("pipeline", PIPELINE),
        ("product", PRODUCT),
        ("product_of_any", PRODUCT_OF_ANY),
        ("triangle", TRIANGLE),
    ] {
        let (compiled, text) = compiled(&format!("whole_{name}"), program);
        assert_eq!(check(&compiled, &text).not_read, [], "{name}:\n{text}");
        let report = compiled.report.to_string();
        let claim = "proved: the printed loops and subscripts are those of the schedule\n";
        assert!(report.contains(claim), "{report}");
        assert!(!report.contains("tested, not proved"), "{report}");
    }
}

/// Every one of many small changes of the text is found, or the text is another way to write the same.
#[test]
fn single_changes_of_numbers_and_signs_are_found() {
    for (name, program) in [("stencil", STENCIL), ("rows", ROWS), ("guards", GUARDS)] {
        let (compiled, text) = compiled(&format!("changes_{name}"), program);
        let (mut changed, mut equal) = (0, 0);
        for (at, c) in text.char_indices() {
            let before = text[..at].chars().next_back().unwrap_or(' ');
            let other = match c {
                '+' if !"+=".contains(&text[at + 1..at + 2]) && before != '+' => "-",
                '0'..='8' if !before.is_alphanumeric() => &((c as u8 + 1) as char).to_string(),
                _ => continue,
            };
            let faulty = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            let found = check(&compiled, &faulty);
            changed += 1;
            // Conditions and operands of minima that others imply may be others as well.
            let line = text[..at].lines().last().unwrap_or_default();
            let may_be_implied = ["if (", "min(", "max("].iter().any(|word| line.contains(word));
            let is_same = found.proof == Some(Proof::Proved) && found.not_read.is_empty();
            equal += usize::from(is_same);
            let is_allowed = is_refuted(&found) || (is_same && may_be_implied);
            assert!(is_allowed, "{name}, byte {at}: {found:?}\n{faulty}");
        }
        assert!(changed > 5 && 4 * equal < changed, "{name}: {equal} of {changed}");
    }
}

/// Two blocks with variables of the same names, which are those of loops as well.
#[test]
fn loops_are_not_named_like_variables_of_several_blocks() {
    const PROGRAM: &str = r#"
#include <stdio.h>
static void f(int n, int k, float *restrict q, float *restrict a) {
#pragma scop
  if (k == 0) {
    for (int g = 0; g < n; g++) {
      float c0 = a[g];
      float c1 = c0 * 2;
      q[g] = c0 + c1;
    }
  } else {
    for (int g = 0; g < n; g++) {
      float c0 = a[g + 1] * 3;
      float c1 = c0 - 4;
      q[g] = c0 - c1 * c0;
    }
  }
#pragma endscop
}
int main(void) {
  float a[40], q[40];
  for (int i = 0; i < 40; i++) a[i] = i % 7;
  for (int k = 0; k < 2; k++) {
    f(39, k, q, a);
    for (int i = 0; i < 39; i++) printf("%g ", q[i]);
  }
  return 0;
}
"#;
    let folder = scratch("names_of_blocks");
    let path = folder.join("blocks.c");
    std::fs::write(&path, PROGRAM).expect("the folder for tests can be written");
    let options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    let compiled = compile_file(&path, &options).expect("its text is proved");
    assert!(compiled.code.contains("c0_1 = a["), "{}", compiled.code);
    assert!(compiled.code.contains("for (long c0_2 = "), "{}", compiled.code);
    let before = run_c(PROGRAM, &folder, "before").expect("the program runs");
    assert_eq!(run_c(&compiled.code, &folder, "after").expect("the result runs"), before);
}
