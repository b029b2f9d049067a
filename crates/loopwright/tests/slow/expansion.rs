//! Programs whose scalars become arrays of a tile print what they print without, and scalars are expanded
//! exactly where they may be.

use crate::support::{prints_the_same, scratch};
use loopwright::{CompileOptions, Fusion};
use loopwright_backend::Target;
use loopwright_machine::Machine;
use loopwright_testkit::cases::seeds;
use loopwright_transform::TileSizes;

/// A program around a region; `element` is the type of all elements, `after` runs after the region.
fn program(region: &str, element: &str, after: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         typedef {element} number;\n\
         static void kernel(int n, int m, number alpha, number A[n][n], number B[n][m], \
         number C[n][m], number D[n][m])\n{{\n\
         number s = alpha, t = alpha;\n#pragma scop\n{region}\n#pragma endscop\n{after}\n}}\n\
         static number A[83][83], B[83][71], C[83][71], D[83][71];\n\
         int main(void)\n{{\n\
         for (int i = 0; i < 83; i++) for (int j = 0; j < 83; j++)\n\
         A[i][j] = (number) ((i * 7 + j * 3 + 1) % 11 + 2) / 17;\n\
         for (int i = 0; i < 83; i++) for (int j = 0; j < 71; j++) {{\n\
         B[i][j] = (number) ((i * 5 + j) % 13 + 1) / 7; C[i][j] = (number) ((i + 2 * j) % 9) / 3;\n\
         D[i][j] = (number) (i * j % 17) / 11; }}\n\
         kernel(83, 71, (number) 1.3, A, B, C, D);\n\
         for (int i = 0; i < 83; i++) for (int j = 0; j < 71; j++)\n\
         printf(\"%.17g %.17g\\n\", (double) C[i][j], (double) D[i][j]);\n\
         return 0;\n}}\n"
    )
}

/// A machine with 32 registers of 64 bytes, whatever this one has.
fn machine() -> Machine {
    Machine {
        vector_bytes: 64,
        vector_registers: 32,
        l1_bytes: 48 << 10,
        l2_bytes: 2 << 20,
        ..Machine::generic()
    }
}

fn options() -> CompileOptions {
    CompileOptions { machine: machine(), ..CompileOptions::new() }
}

/// Prints the same before and after; the number of local arrays for scalars.
fn arrays(name: &str, text: &str, options: &CompileOptions) -> usize {
    let code = prints_the_same(&scratch("expansion"), name, text, options);
    let declarations = code.lines().filter(|line| line.contains("__attribute__((aligned(64)));"));
    declarations.filter(|line| line.contains("_tile")).count()
}

const SYMM: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { s = 0; \
    for (int k = 0; k < i; k++) { C[k][j] += alpha * B[i][j] * A[i][k]; s += B[k][j] * A[i][k]; } \
    C[i][j] = alpha * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * s; }";
const DOT: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { s = 0; \
    for (int k = 0; k < n; k++) s += A[i][k] * B[k][j]; C[i][j] = s * alpha; }";
/// The element is where the sum starts and ends.
const UPDATE: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { s = C[i][j]; \
    for (int k = 0; k < n; k++) s -= A[k][i] * B[k][j]; C[i][j] = s / A[i][i]; }";
const TWO_SCALARS: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { s = 0; t = 1; \
    for (int k = 0; k < n; k++) { s += A[i][k] * B[k][j]; t += A[k][i] * B[k][j]; } \
    C[i][j] = s; D[i][j] = t - s; }";
/// One scalar, two sums that have nothing to do with each other.
const TWICE: &str = "for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { s = 0; \
    for (int k = 0; k < n; k++) s += A[i][k] * B[k][j]; C[i][j] = s; } \
    for (int j = 0; j < m; j++) { s = 1; \
    for (int k = 0; k < n; k++) s += A[k][i] * B[k][j]; D[i][j] = s; } }";
/// The sum starts twice and is used in between.
const USED_TWICE: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { s = 0; \
    for (int k = 0; k < n; k++) s += A[i][k] * B[k][j]; C[i][j] = s; s = s * alpha; D[i][j] = s; }";
/// A new scalar per iteration.
const DECLARED: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { number u = 0; \
    for (int k = 0; k < i; k++) u += A[i][k] * B[k][j]; C[i][j] += u; }";

#[test]
fn sums_become_arrays_of_a_tile() {
    for (name, region, expected) in [
        ("symm", SYMM, 1),
        ("dot", DOT, 1),
        ("update", UPDATE, 1),
        ("twice", TWICE, 2),
        ("used_twice", USED_TWICE, 1),
        ("declared", DECLARED, 1),
    ] {
        let text = program(region, "double", "");
        assert_eq!(arrays(name, &text, &options()), expected, "{name}");
        let none = CompileOptions { expansion: false, ..options() };
        assert_eq!(arrays(name, &text, &none), 0, "{name} without expansion");
    }
}

#[test]
fn other_options_and_types() {
    let small = TileSizes::Given(vec![8, 24, 16]);
    for (name, changed) in [
        ("sequential", CompileOptions { target: Target::C, ..options() }),
        ("no_panels", CompileOptions { panels: false, ..options() }),
        ("small", CompileOptions { tile_sizes: small, ..options() }),
        ("generic", CompileOptions { machine: Machine::generic(), ..options() }),
        ("reassociated", CompileOptions { reassociate: true, ..options() }),
        ("without_dead_code", CompileOptions { eliminate_dead_code: true, ..options() }),
    ] {
        for (kind, region) in [("symm", SYMM), ("dot", DOT), ("update", UPDATE)] {
            let text = program(region, "double", "");
            arrays(&format!("{name}_{kind}"), &text, &changed);
        }
    }
    for element in ["float", "int"] {
        let text = program(DOT, element, "");
        arrays(element, &text, &options());
    }
}

/// The last value is used after the region, or in the next iteration, or is written on a condition. Where
/// the sum reads what another tile writes, or two sums are not neighbours, results matter only.
#[test]
fn values_that_go_elsewhere_stay_in_scalars() {
    let used = program(DOT, "double", "D[0][0] = s;");
    assert_eq!(arrays("used_after", &used, &options()), 0);
    for (name, region) in [
        ("running", DOT.replace("s = 0;", "")),
        (
            "row",
            DOT.replace("for (int j", "{ s = 0; for (int j")
                .replace("{ s = 0; for (int k", "{ for (int k")
                + " }",
        ),
        ("condition", DOT.replace("s = 0;", "if (D[i][j] > 0.5) s = 0;")),
        ("conditions", SYMM.replace("s += B", "if (B[k][j] > 0.5) s += B")),
        (
            "swapped",
            DOT.replace("s = 0;", "")
                .replace("C[i][j] = s * alpha;", "C[i][j] = s * alpha; s = 0;"),
        ),
        (
            "vector",
            "for (int i = 0; i < n; i++) { s = 0; for (int k = 0; k < n; k++) \
                    s += A[i][k] * A[k][i]; C[i][0] = s; }"
                .to_string(),
        ),
    ] {
        assert_eq!(arrays(name, &program(&region, "double", ""), &options()), 0, "{name}");
    }
    for (name, region) in [
        ("two_scalars", TWO_SCALARS.to_string()),
        ("in_place", DOT.replace("B[k][j]", "C[k][j]").replace("k < n", "k < i")),
        ("next_row", UPDATE.replace("A[k][i] * B[k][j]", "A[k][i] * C[k][j]")),
        ("previous", DOT.replace("s = 0;", "s = i > 0 ? C[i - 1][j] : 0;")),
    ] {
        arrays(name, &program(&region, "double", ""), &options());
    }
}

/// Names that the program has are avoided.
#[test]
fn names_of_the_program_are_avoided() {
    let region = DOT.replace("alpha", "s_tile");
    let text = program(&region, "double", "").replace("number alpha,", "number s_tile,");
    let text = text.replace("= alpha", "= s_tile");
    let code = prints_the_same(&scratch("expansion"), "names", &text, &options());
    assert!(code.contains("number s_tile_1["), "{code}");
}

/// A small generator of nests around sums.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }

    fn nest(&mut self) -> String {
        let scalar = self.one_of(&["s", "t"]);
        let start = self.one_of(&["0", "C[i][j]", "alpha * D[i][j]", "A[i][i]"]);
        let bounds = self.one_of(&[
            "int k = 0; k < n;",
            "int k = 0; k < i;",
            "int k = i; k < n;",
            "int k = 1; k <= i;",
        ]);
        let rows = self.one_of(&["int i = 0; i < n;", "int i = 1; i < n - 1;"]);
        let columns = self.one_of(&["int j = 0; j < m;", "int j = 2; j < m;"]);
        let left = self.one_of(&["A[i][k]", "A[k][i]", "alpha * A[i][k]", "D[i][j]"]);
        let right = self.one_of(&["B[k][j]", "B[k][j] * alpha", "C[k][j]", "D[k][j]"]);
        let other = self.one_of(&["", "", "C[k][j] += A[i][k] * B[i][j];", "D[k][j] += B[k][j];"]);
        let sign = self.one_of(&["+=", "-="]);
        let end = self.one_of(&[
            "C[i][j] = S;",
            "C[i][j] += S * alpha;",
            "D[i][j] = S / A[i][i];",
            "C[i][j] = S; S = S + 1; D[i][j] -= S;",
            "if (D[i][j] > 0.4) C[i][j] = S;",
        ]);
        let end = end.replace('S', scalar);
        format!(
            "for ({rows} i++) for ({columns} j++) {{ {scalar} = {start}; for ({bounds} k++) {{ \
             {other} {scalar} {sign} {left} * {right}; }} {end} }}\n"
        )
    }
}

#[test]
fn random_nests_print_the_same() {
    let mut expanded = 0;
    for seed in seeds(0, 30) {
        let mut random = Random(seed * 7919 + 1);
        let n_nests = 1 + random.below(2);
        let region: String = (0..n_nests).map(|_| random.nest()).collect();
        let tile_sizes = match seed % 3 {
            0 => TileSizes::Given(vec![8, 24, 16]),
            _ => TileSizes::Default,
        };
        let fuse = match seed % 5 {
            1 => Fusion::Rule(loopwright_scheduler::Fuse::Max),
            _ => Fusion::Model,
        };
        let options = CompileOptions { tile_sizes, fuse, ..options() };
        let text = program(&region, "double", "");
        expanded += usize::from(arrays(&format!("random_{seed}"), &text, &options) > 0);
    }
    assert!(expanded >= 5, "{expanded} of 30 have expanded scalars");
}
