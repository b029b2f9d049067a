//! Results that stay in registers: compiled programs with blocks of vector variables print what the
//! originals print, bit by bit, by each C compiler that is there, with little and much optimization.

use crate::support::needs::left_out;
use crate::support::scratch;
use loopwright::{CompileOptions, compile_file};
use loopwright_backend::Target;
use loopwright_transform::TileSizes;
use std::process::Command;
use std::sync::OnceLock;

/// What all programs share: a generator of values that are not round, and a sum over the bits of all
/// results. `SIZES` are calls of `test` with different extents.
const FRAME: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned long state = 12345;
static TYPE next(void) {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (TYPE) ((double) (state >> 40) / 16777216.0 - 0.5);
}
static void show(const TYPE *values, long n) {
  unsigned long sum = 14695981039346656037UL;
  const unsigned char *bytes = (const unsigned char *) values;
  for (long i = 0; i < n * (long) sizeof(TYPE); i++) sum = (sum ^ bytes[i]) * 1099511628211UL;
  printf(\"%lx %a\\n\", sum, (double) values[n / 2]);
}
static void kernel(int ni, int nj, int nk, TYPE alpha, TYPE C[ni][nj], TYPE A[ni][nk], TYPE B[nk][nj]) {
  int i, j, k;
#pragma scop
REGION
#pragma endscop
}
static void test(int ni, int nj, int nk) {
  TYPE *C = malloc(ni * nj * sizeof(TYPE)), *A = malloc(ni * nk * sizeof(TYPE));
  TYPE *B = malloc(nk * nj * sizeof(TYPE));
  for (int i = 0; i < ni * nj; i++) C[i] = next();
  for (int i = 0; i < ni * nk; i++) A[i] = next();
  for (int i = 0; i < nk * nj; i++) B[i] = next();
  kernel(ni, nj, nk, next(), (void *) C, (void *) A, (void *) B);
  show(C, (long) ni * nj);
  show(A, (long) ni * nk);
  show(B, (long) nk * nj);
  free(C); free(A); free(B);
}
int main(void) {
SIZES
  return 0;
}
";

/// Extents around and between multiples of any register tile, one of each kind, and none at all.
const ANY: &[(i32, i32, i32)] = &[
    (1, 1, 1),
    (7, 23, 5),
    (8, 24, 1),
    (9, 49, 70),
    (100, 97, 66),
    (203, 131, 64),
    (12, 400, 130),
    (21, 95, 33),
    (301, 205, 810),
];
const SQUARE: &[(i32, i32, i32)] =
    &[(1, 1, 1), (24, 24, 24), (50, 50, 50), (131, 131, 131), (200, 200, 200)];

const PRODUCT: &str = "for (i = 0; i < ni; i++) for (k = 0; k < nk; k++) for (j = 0; j < nj; j++)
  C[i][j] += alpha * A[i][k] * B[k][j];";

fn program(element_type: &str, region: &str, sizes: &[(i32, i32, i32)]) -> String {
    let calls: Vec<String> =
        sizes.iter().map(|(ni, nj, nk)| format!("  test({ni}, {nj}, {nk});")).collect();
    let text = FRAME.replace("REGION", region).replace("SIZES", &calls.join("\n"));
    text.replace("TYPE", element_type)
}

/// The program compiled by ourselves; all must be proved.
fn compiled(name: &str, text: &str, options: &CompileOptions) -> String {
    let path = scratch("register_tiles").join(format!("{name}.c"));
    std::fs::write(&path, text).expect("a temporary file can be written");
    let compiled = compile_file(&path, options).map_err(|e| e.to_string()).expect("it compiles");
    for region in &compiled.report.regions {
        // The last one is about the text; another one is about panels, one about statements of which only
        // some instances read them.
        assert!((4..=6).contains(&region.proofs.len()), "{region}");
        assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{region}");
    }
    compiled.code
}

/// What a C program prints.
fn run(compiler: &str, flags: &[&str], text: &str, name: &str) -> String {
    let folder = scratch("register_tiles");
    let (source, binary) = (folder.join(format!("{name}-run.c")), folder.join(name));
    std::fs::write(&source, text).expect("a temporary file can be written");
    let built = Command::new(compiler)
        .args(["-w", "-fopenmp", "-ffp-contract=off"])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&binary)
        .output()
        .expect("there is a C compiler");
    assert!(built.status.success(), "{compiler}: {}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).env("OMP_NUM_THREADS", "3").output().expect("it runs");
    assert!(output.status.success(), "{compiler} {flags:?}");
    let _ = std::fs::remove_file(&binary);
    String::from_utf8(output.stdout).expect("text")
}

/// The C compiler with little and much optimization, and one of another family if there is one that
/// can build a program with OpenMP.
fn builds() -> &'static [(String, Vec<&'static str>)] {
    static BUILDS: OnceLock<Vec<(String, Vec<&'static str>)>> = OnceLock::new();
    BUILDS.get_or_init(found_builds)
}

fn found_builds() -> Vec<(String, Vec<&'static str>)> {
    let optimized = vec!["-O3", "-march=native"];
    let works = |compiler: &&str| {
        let empty = scratch("register_tiles").join("empty.c");
        std::fs::write(&empty, "int main(void) { return 0; }\n").expect("can be written");
        let binary = scratch("register_tiles").join(format!("empty-{compiler}"));
        let mut command = Command::new(compiler);
        command.arg("-fopenmp").arg(&empty).arg("-o").arg(&binary);
        command.output().is_ok_and(|output| output.status.success())
    };
    let other = ["clang", "clang-19"].into_iter().find(works);
    let other = other.or_else(|| {
        left_out("clang");
        ["gcc"].into_iter().find(works)
    });
    let mut builds = vec![("cc".to_string(), vec!["-O1"]), ("cc".to_string(), optimized.clone())];
    builds.extend(other.map(|compiler| (compiler.to_string(), optimized)));
    builds
}

/// Compiles and compares; `blocks` is whether there have to be blocks of vector variables.
#[track_caller]
fn check(name: &str, element_type: &str, region: &str, sizes: &[(i32, i32, i32)], blocks: bool) {
    check_with(&CompileOptions::new(), name, element_type, region, sizes, blocks);
}

/// The same with other options.
#[track_caller]
fn check_with(
    options: &CompileOptions,
    name: &str,
    element_type: &str,
    region: &str,
    sizes: &[(i32, i32, i32)],
    blocks: bool,
) {
    let original = program(element_type, region, sizes);
    let expected = run("cc", &["-O1"], &original, &format!("{name}-original"));
    let sequential = CompileOptions { target: Target::C, ..options.clone() };
    for (options, target) in [(sequential, "c"), (options.clone(), "openmp")] {
        let name = format!("{name}-{target}");
        let code = compiled(&name, &original, &options);
        assert_eq!(code.contains("vector_size"), blocks, "{code}");
        // One build tells that sequential code is the same.
        let builds = if target == "c" { &builds()[..1] } else { builds() };
        for (number, (compiler, flags)) in builds.iter().enumerate() {
            let found = run(compiler, flags, &code, &format!("{name}-{number}"));
            assert_eq!(found, expected, "{compiler} {flags:?}\n{code}");
        }
    }
}

#[test]
fn a_product_of_doubles() {
    check("doubles", "double", PRODUCT, ANY, true);
}

/// Tiles of the parallel loop are those of columns: the rows depend on each other.
#[test]
fn several_tiles_of_columns() {
    let region = "for (i = 0; i < ni; i++) for (j = 0; j < nj; j++)
      for (k = i + 1; k < ni; k++) C[i][j] += A[k][i] * C[k][j];";
    let sizes = [(1, 1, 1), (70, 411, 70), (443, 210, 443)];
    check("several_columns", "double", region, &sizes, true);
}

#[test]
fn a_product_of_floats() {
    check("floats", "float", PRODUCT, ANY, true);
}

#[test]
fn several_vectors_and_constants() {
    let region = "for (i = 0; i < ni; i++) for (k = 0; k < nk; k++) for (j = 0; j < nj; j++)
      C[i][j] = C[i][j] - (A[i][k] + 1.5) * B[k][j] / 3.0e0 + B[k][j];";
    check("several", "double", region, ANY, true);
}

/// The rows that are read are never those that the block has in registers, which holds only away
/// from the diagonal.
#[test]
fn triangles_that_read_their_own_array() {
    let below = "for (i = 0; i < ni; i++) for (j = 0; j < nj; j++)
      for (k = i + 1; k < ni; k++) C[i][j] += A[k][i] * C[k][j];";
    check("below", "double", below, SQUARE, true);
}

/// The updates of factorizations: in most tiles one statement runs alone, a product of blocks of the one
/// matrix. Extents are around multiples of its tiles.
#[test]
fn updates_of_factorizations() {
    let lu = "for (i = 0; i < ni; i++) {
      for (j = 0; j < i; j++) {
        for (k = 0; k < j; k++) C[i][j] -= C[i][k] * C[k][j];
        C[i][j] /= C[j][j];
      }
      for (j = i; j < ni; j++) for (k = 0; k < i; k++) C[i][j] -= C[i][k] * C[k][j];
    }";
    let symmetric = "for (i = 0; i < ni; i++) {
      for (j = 0; j < i; j++) {
        for (k = 0; k < j; k++) C[i][j] -= C[i][k] * C[j][k];
        C[i][j] /= C[j][j];
      }
      for (k = 0; k < i; k++) C[i][i] -= C[i][k] * C[i][k];
      C[i][i] = C[i][i] * C[i][i] + 1.5;
    }";
    let sizes: Vec<(i32, i32, i32)> =
        [1, 95, 96, 97, 120, 193, 301].into_iter().map(|n| (n, n, 1)).collect();
    check("lu", "double", lu, &sizes, true);
    check("symmetric", "double", symmetric, &sizes, true);
}

/// At a diagonal all rows get the columns of the widest one; a strided operand is packed. In the last one
/// both bounds move with the row.
fn rows_at_the_diagonal(names_columns_values: [(&str, &str, &str); 3]) {
    let header = "for (i = 0; i < ni; i++) for (k = 0; k < nk; k++)";
    for (name, columns, value) in names_columns_values {
        let region = format!("{header} for ({columns}; j++) C[i][j] += {value};");
        check(name, "double", &region, SQUARE, true);
    }
}

#[test]
fn rows_that_end_at_the_diagonal() {
    rows_at_the_diagonal([
        ("lower", "j = 0; j <= i", "alpha * A[i][k] * A[j][k]"),
        ("below_diagonal", "j = 0; j < i", "A[i][k] * B[k][j]"),
        ("other_diagonal", "j = 0; j < nj - i", "A[i][k] * B[k][j]"),
    ]);
}

#[test]
fn rows_that_start_at_the_diagonal() {
    rows_at_the_diagonal([
        ("upper", "j = i; j < nj", "B[k][i] * B[k][j]"),
        ("above_diagonal", "j = i + 1; j < nj", "A[i][k] * B[k][j]"),
        ("around", "j = i; j < (nj < i + 50 ? nj : i + 50)", "A[i][k] * B[k][j]"),
    ]);
}

#[test]
fn a_sum_that_starts_at_the_row() {
    let region = "for (i = 0; i < ni; i++) for (k = i; k < nk; k++) for (j = 0; j < nj; j++)
      C[i][j] += A[i][k] * B[k][j];";
    check("rows", "double", region, ANY, true);
}

/// Full tiles of this domain are cut out on five sides. Where the proof of the loops reaches its
/// limit there are no register tiles, and a note says so.
#[test]
fn a_missing_proof_means_no_register_tiles() {
    let region = "for (i = 3; i < ni; i++) for (k = i; k < nk; k++) for (j = k + 2; j < nj; j++)
      C[i][j] += A[i][k] * B[k][j];";
    let text = program("double", region, ANY);
    let expected = run("cc", &["-O1"], &text, "band-original");
    let path = scratch("register_tiles").join("band.c");
    std::fs::write(&path, &text).expect("a temporary file can be written");
    let compiled = compile_file(&path, &CompileOptions::new()).expect("it compiles");
    let report = &compiled.report.regions[0];
    assert!(report.proofs.iter().all(|(_, proof)| proof.is_proved()), "{report}");
    let is_left_out = report.notes.iter().any(|note| note.contains("no register tiles"));
    assert_eq!(is_left_out, !compiled.code.contains("vector_size"), "{report}");
    assert_eq!(run("cc", &["-O2"], &compiled.code, "band"), expected);
}

/// Copies of transposed triangles run in small tiles; of what they write every element is checked.
#[test]
fn transposed_copies() {
    for (name, columns) in [("square", "j = 0; j < ni"), ("triangle", "j = 0; j < i")] {
        let region = format!("for (i = 0; i < ni; i++) for ({columns}; j++) C[j][i] = A[i][j];");
        let code = program("double", &region, SQUARE);
        let code = compiled(&format!("transposed_{name}_tiles"), &code, &CompileOptions::new());
        assert!(code.contains("+= 32"), "{code}");
        check(&format!("transposed_{name}"), "double", &region, SQUARE, false);
    }
}

/// Calls, integers, conditions and other types are left to the C compiler. Where a panel has their values,
/// nothing is left of them.
#[test]
fn what_vectors_do_not_have_is_left_alone() {
    let header = "for (i = 0; i < ni; i++) for (k = 0; k < nk; k++) for (j = 0; j < nj; j++)";
    let sums = [
        "C[i][j] += 2 * A[i][k] * B[k][j];",
        "C[i][j] += (float) A[i][k] * B[k][j];",
        "C[i][j] += A[i][k] > 0.0 ? B[k][j] : 1.0;",
        "C[i][j] += k * B[k][j];",
    ];
    for (number, sum) in sums.iter().enumerate() {
        let region = format!("{header} {sum}");
        let plain = CompileOptions { panels: false, ..CompileOptions::new() };
        check_with(&plain, &format!("scalar{number}"), "double", &region, &ANY[..4], false);
        let packs = !sum.contains(['(', '?']);
        check(&format!("packed{number}"), "double", &region, &ANY[..4], packs);
    }
    let region = format!("{header} C[i][j] += 0.5 * A[i][k] * B[k][j];");
    check("promoted", "float", &region, &ANY[..4], false);
}

/// Sizes of the user are kept; where no register tile divides them there is none.
#[test]
fn given_sizes() {
    let text = program("double", PRODUCT, ANY);
    let expected = run("cc", &["-O1"], &text, "given-original");
    for (sizes, blocks) in [(vec![48], true), (vec![7], false), (vec![16, 48, 3], true)] {
        let name = format!("given-{}", sizes[0]);
        let tile_sizes = TileSizes::Given(sizes.clone());
        let options = CompileOptions { tile_sizes, ..CompileOptions::new() };
        let code = compiled(&name, &text, &options);
        assert_eq!(code.contains("vector_size"), blocks, "{sizes:?}\n{code}");
        assert_eq!(run("cc", &["-O2"], &code, &name), expected, "{sizes:?}\n{code}");
    }
}

/// Types are what they are by whatever name; what the report says of registers is in the text.
#[test]
fn elements_by_another_name_get_the_same_vectors() {
    let compiled = |types: &str, element: &str| {
        let text = format!(
            "{types}\nvoid f(int n, {element} a[restrict n][n], {element} b[restrict n][n], {element} c[restrict n][n]) {{\n\
             #pragma scop\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      for (int k = 0; k < n; k++)\n\
                     c[i][j] += a[i][k] * b[k][j];\n#pragma endscop\n}}\n"
        );
        let path = scratch("register_names").join(format!("{element}.c"));
        std::fs::write(&path, text).expect("the folder for tests can be written");
        let options = CompileOptions {
            machine: loopwright_machine::Machine::generic(),
            ..CompileOptions::new()
        };
        let compiled = compile_file(&path, &options).expect("it compiles");
        (compiled.code.replace(element, "double"), compiled.report.to_string())
    };
    let body = |code: &str| code[code.find("void f(").expect("there is a function")..].to_string();
    let (plain, _) = compiled("", "double");
    assert!(plain.contains("vector_size("), "{plain}");
    for (types, element) in [
        ("typedef double real;", "real"),
        (
            "typedef double base; typedef base other; typedef const other kept; typedef other again;",
            "again",
        ),
    ] {
        let (code, report) = compiled(types, element);
        assert_eq!(body(&code), body(&plain));
        assert!(!report.contains("without vector variables"), "{report}");
    }
    let (code, report) = compiled("", "int");
    assert!(!code.contains("vector_size("), "{code}");
    assert_eq!(
        report.contains("results in registers"),
        report.contains("without vector variables"),
        "{report}"
    );
}
