//! Counted amounts against runs of programs that count: the C compiler makes both programs from one text,
//! whose operations and references are macros. Nothing is shared with the counts of the crate.
use loopwright_amounts::{Quantity, RegionAmounts, Sizes};
use loopwright_cfront::{Options, SourceFile, read_text};
use loopwright_machine::Machine;
use loopwright_presburger::Int;
use loopwright_scop::OperationKind;
use loopwright_testkit::cases::seed;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Operations and references that are what they stand for, or count.
const MACROS: &str = r"
#ifdef COUNTS
#include <math.h>
#include <stdio.h>
#include <string.h>
static long n_add, n_mul, n_div, n_sqrt, n_compare, n_integer;
#define ADD(a, b) (n_add++, (a) + (b))
#define SUB(a, b) (n_add++, (a) - (b))
#define MUL(a, b) (n_mul++, (a) * (b))
#define DIV(a, b) (n_div++, (a) / (b))
#define SQRT(a) (n_sqrt++, sqrt(a))
#define LESS(a, b) (n_compare++, (a) < (b))
#define IADD(a, b) (n_integer++, (a) + (b))
#define X(i) (*(tx[i] |= 1, &x[i]))
#define A(i, j) (*(ta[i][j] |= 1, &a[i][j]))
#define C(i, j) (*(tc[i][j] |= 1, &c[i][j]))
#define K(i, j) (*(tk[i][j] |= 1, &k[i][j]))
#define WX(i) (*(tx[i] |= 3, &x[i]))
#define WA(i, j) (*(ta[i][j] |= 3, &a[i][j]))
#define WC(i, j) (*(tc[i][j] |= 3, &c[i][j]))
#define WK(i, j) (*(tk[i][j] |= 3, &k[i][j]))
static double x[SPAN], a[SPAN][SPAN], c[SPAN][20];
static int k[SPAN][SPAN];
static unsigned char tx[SPAN], ta[SPAN][SPAN], tc[SPAN][20], tk[SPAN][SPAN];
#else
double sqrt(double);
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#define SQRT(a) sqrt(a)
#define LESS(a, b) ((a) < (b))
#define IADD(a, b) ((a) + (b))
#define X(i) x[i]
#define A(i, j) a[i][j]
#define C(i, j) c[i][j]
#define K(i, j) k[i][j]
#define WX(i) x[i]
#define WA(i, j) a[i][j]
#define WC(i, j) c[i][j]
#define WK(i, j) k[i][j]
#endif
";

/// The largest subscript and one more.
const SPAN: usize = 96;

/// What prints counts: lines have 8 elements of 8 bytes or 16 of 4, and those of `c` run over its rows of 20.
const PRINTING: &str = r#"
static void reset(void) {
  n_add = n_mul = n_div = n_sqrt = n_compare = n_integer = 0;
  memset(tx, 0, sizeof tx); memset(ta, 0, sizeof ta); memset(tc, 0, sizeof tc); memset(tk, 0, sizeof tk);
  for (int i = 0; i < SPAN; i++) { x[i] = 1 + i % 7; for (int j = 0; j < SPAN; j++) { a[i][j] = (i * 13 + j * 7) % 11 - 5; k[i][j] = (i + 3 * j) % 5; }
    for (int j = 0; j < 20; j++) c[i][j] = i - j; }
}
static void touched(const char *name, const unsigned char *marks, int rows, int columns, int per_line) {
  long elements = 0, lines = 0, written = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j += per_line) {
      int any = 0;
      for (int l = j; l < j + per_line && l < columns; l++) { any |= marks[i * columns + l]; elements += marks[i * columns + l] != 0; }
      lines += any != 0; written += (any & 2) != 0;
    }
  printf(" %s %ld %s.lines %ld %s.written %ld", name, elements, name, lines, name, written);
}
static void print(void) {
  printf("add %ld mul %ld div %ld sqrt %ld compare %ld integer %ld", n_add, n_mul, n_div, n_sqrt, n_compare, n_integer);
  touched("x", tx, 1, SPAN, 8); touched("a", ta[0], SPAN, SPAN, 8);
  touched("c", tc[0], 1, SPAN * 20, 8); touched("k", tk[0], SPAN, SPAN, 16);
  printf("\n");
}
"#;

/// Regions over `n` and `m`, in operations and references of the macros.
const KERNELS: &[&str] = &[
    // Triangles, a matrix product, a factorization.
    "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) WX(i) = ADD(X(i), MUL(A(i, j), X(j)));",
    "for (int i = 0; i < n; i++) for (int j = i + 1; j < m; j += 3) WA(i, j) = DIV(A(j, i), 2.0);",
    "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { for (int l = 0; l < j; l++) WA(i, j) = SUB(A(i, j), MUL(A(i, l), A(j, l)));\n\
     WA(i, j) = DIV(A(i, j), A(j, j)); }",
    "for (int i = 0; i < n; i++) { WX(i) = SQRT(X(i)); for (int j = 0; j < 20; j++) WC(i, j) = ADD(MUL(X(i), 3.0), C(i, j)); }",
    // Several references to the same elements; steps; sides that are left out.
    "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) WX(i) = ADD(ADD(A(i - 1, j), A(i + 1, j)), ADD(A(i, j - 1), A(i, j + 1)));",
    "for (int i = 0; i < n; i += 2) for (int j = i; j < 2 * i && j < n; j++) WK(i, j) = IADD(K(j, i), K(i, j));",
    "for (int i = 0; i < m; i++) for (int j = i / 2; j < n; j++) WX(i) = MUL(A(i, j), X(i));",
    // Data decides.
    "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) WA(i, j) = LESS(A(i, j), X(j)) ? ADD(A(i, j), 1.0) : MUL(X(i), DIV(A(j, i), 3.0));",
    "for (int i = 0; i < n; i++) for (int j = i; j < m; j++) if (LESS(A(i, j), X(j))) WX(i) = ADD(X(i), A(i, j));",
    "for (int i = 0; i < n; i++) if (LESS(X(i), 3.0) && LESS(A(i, 0), X(i))) WX(i) = MUL(X(i), 2.0);",
    // Nothing at some sizes.
    "for (int i = m; i < n; i++) for (int j = 0; j < i - m; j++) WC(j, 3) = ADD(X(i), C(j, 2));",
];

const SIZES: [(i64, i64); 3] = [(7, 20), (32, 32), (45, 13)];

/// A small generator of numbers (a multiplier of Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    /// A loop nest with bounds of the loops outside, and a body with some operations.
    fn kernel(&mut self) -> String {
        let lower = |own: &mut Self, outer: &[&str]| {
            own.one_of(&[&["0", "1", "m / 3"], outer].concat()).to_string()
        };
        let i = lower(self, &[]);
        let i_end = self.one_of(&["n", "m", "n - 1", "(n + m) / 2"]);
        let j = lower(self, &["i", "i / 2", "i - 3 > 0 ? i - 3 : 0"]);
        let j_end = self.one_of(&["n", "m", "i", "i + 4", "n - i / 3"]);
        let step = self.one_of(&["1", "1", "2", "3"]);
        let mut value = self.one_of(&["A(i, j)", "A(j, i)", "X(j)", "C(i, 4)", "2.0"]).to_string();
        for _ in 0..self.below(4) {
            let operator = self.one_of(&["ADD", "SUB", "MUL", "DIV"]);
            let other = self.one_of(&["A(i, j)", "A(j, i + 1)", "X(i + j)", "X(i)", "C(j, 3)"]);
            value = format!("{operator}({value}, {other})");
        }
        if self.below(4) == 0 {
            value = format!("(LESS(X(i), A(i, j)) ? {value} : X(j))");
        }
        let target = self.one_of(&["WA(i, j)", "WX(i)", "WX(i + j)", "WC(j, 3)", "WA(j, 2 * i)"]);
        format!(
            "for (int i = {i}; i < {i_end}; i++) for (int j = {j}; j < {j_end}; j += {step}) {target} = {value};"
        )
    }
}

/// The program that counts: all kernels at all sizes, a line for each.
fn counting_program(kernels: &[String]) -> String {
    let mut text = format!("#define SPAN {SPAN}\n{MACROS}{PRINTING}");
    for (position, kernel) in kernels.iter().enumerate() {
        let _ = writeln!(text, "static void f{position}(int n, int m) {{\n{kernel}\n}}");
    }
    text += "int main(void) {\n";
    for position in 0..kernels.len() {
        for (n, m) in SIZES {
            let _ = writeln!(text, "  reset(); f{position}({n}, {m}); print();");
        }
    }
    text + "}\n"
}

/// The amounts of a line by their names.
fn counted(line: &str) -> BTreeMap<String, i64> {
    let words: Vec<&str> = line.split(' ').collect();
    words.chunks(2).map(|pair| (pair[0].to_string(), pair[1].parse().unwrap())).collect()
}

/// What the compiler says for a kernel.
fn amounts_of(kernel: &str, (n, m): (i64, i64)) -> RegionAmounts {
    let text = format!(
        "{MACROS}void f(int n, int m, double x[restrict {SPAN}], double a[restrict n + m][n + m], double c[restrict {SPAN}][20], \
         int k[restrict n + m][n + m]) {{\n#pragma scop\n{kernel}\n#pragma endscop\n}}\n"
    );
    let source: SourceFile = read_text(Path::new("f.c"), &text, &Options::default()).unwrap();
    let regions = source.extract().unwrap_or_else(|refused| panic!("{kernel}: {refused:?}"));
    let sizes = Sizes::parse(&format!("n={n},m={m}")).unwrap();
    RegionAmounts::of(&regions[0].scop, &sizes, &Machine::generic())
}

/// Compares all amounts; how many of arrays are not known.
fn compare(kernel: &str, sizes: (i64, i64), run: &BTreeMap<String, i64>) -> usize {
    let mut unknown = 0;
    let amounts = amounts_of(kernel, sizes);
    let number =
        |quantity: &Quantity| quantity.value().and_then(|value: &Int| value.to_i64()).unwrap();
    for kind in OperationKind::ALL {
        let Some(run) = run.get(kind.as_str()) else { continue };
        let said = amounts.operations.iter().find(|amount| amount.kind == kind);
        let Some(said) = said else {
            assert_eq!(*run, 0, "{kernel} at {sizes:?}: {kind:?}");
            continue;
        };
        let (least, most) = (number(&said.least), number(said.most.as_ref().unwrap()));
        assert!((least..=most).contains(run), "{kernel} at {sizes:?}: {kind:?} {run}, not {said}");
        assert!(!said.is_exact || least == most);
    }
    for array in ["x", "a", "c", "k"] {
        let names = [array.to_string(), format!("{array}.lines"), format!("{array}.written")];
        let run = names.map(|name| run[&name]);
        let said = amounts.arrays.iter().find(|amounts| amounts.name == array);
        let Some(said) = said else {
            assert_eq!(run, [0; 3], "{kernel} at {sizes:?}: {array}");
            continue;
        };
        let (lines, written) = (said.lines.as_ref(), said.written_lines.as_ref());
        for (quantity, run) in [Some(&said.elements), lines, written].into_iter().zip(run) {
            // Unions of many pieces may need more than their limit.
            let Some(value) = quantity.unwrap().value().and_then(|value| value.to_i64()) else {
                unknown += 1;
                continue;
            };
            let is_right = if said.is_exact { value == run } else { value >= run };
            assert!(is_right, "{kernel} at {sizes:?}: {said}, not {run}");
        }
    }
    unknown
}

fn compare_all(name: &str, kernels: &[String]) -> usize {
    let folder = std::env::temp_dir().join(format!("amounts-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join("counts.c"), folder.join("counts"));
    std::fs::write(&source, counting_program(kernels)).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-w", "-DCOUNTS", "-o"]).arg(&program).arg(&source).arg("-lm");
    assert!(compiler.status().unwrap().success(), "{}", source.display());
    let output = Command::new(&program).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), kernels.len() * SIZES.len());
    let compared = lines.into_iter().enumerate().map(|(position, line)| {
        let sizes = SIZES[position % SIZES.len()];
        compare(&kernels[position / SIZES.len()], sizes, &counted(line))
    });
    compared.sum()
}

#[test]
fn kernels_count_what_runs_count() {
    let kernels: Vec<String> = KERNELS.iter().map(ToString::to_string).collect();
    assert_eq!(compare_all("kernels", &kernels), 0);
}

#[test]
fn random_nests_count_what_runs_count() {
    let mut numbers = Numbers(seed(42));
    let kernels: Vec<String> = (0..16).map(|_| numbers.kernel()).collect();
    // Of 12 amounts at three sizes each.
    assert!(compare_all("random", &kernels) < kernels.len() * 2);
}
