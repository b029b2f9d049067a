//! Stencils in tiles of shapes that are chosen by name: what programs print is compared.
use super::needs::left_out;
use super::{binary_of, compile, printed_by, run_binary, scratch};
use loopwright::CompileOptions;
use loopwright_testkit::cases::seed;
use loopwright_transform::{TileSizes, Tiling};
use std::process::Command;

/// Arrays and a region over them: `T` time steps, data of `n`, `m` and `q` points.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) arrays: &'static str,
    /// What is printed and filled: an array and its number of elements.
    pub(crate) data: &'static [(&'static str, u32)],
    pub(crate) region: &'static str,
    /// The dimensions of the data.
    pub(crate) dimensions: usize,
    /// Smallest widths of trapezoids for bands of two time steps.
    pub(crate) narrowest: i64,
    /// Calls `test(T, n, m, q)`: time steps and sizes of the data.
    pub(crate) tests: &'static str,
}

/// Three points in two statements.
pub(crate) const TWO_STATEMENTS: &str = "for (int t = 0; t < T; t++) {\n\
            for (int i = 1; i < n - 1; i++) B[i] = (A[i - 1] + 2 * A[i] + A[i + 1]) / 4;\n\
            for (int i = 1; i < n - 1; i++) A[i] = B[i]; }";

/// Three points in two planes in turn.
pub(crate) const IN_TURN: &str = "for (int t = 1; t <= T; t++) for (int i = 1; i < n - 1; i++)\n\
            A[t % 2][i] = (A[(t - 1) % 2][i - 1] + 2 * A[(t - 1) % 2][i] + A[(t - 1) % 2][i + 1]) / 4;";

/// Staggered fields, with a border of fewer loops.
pub(crate) const FDTD: &str = "for (int t = 0; t < T; t++) {\n\
            for (int j = 0; j < m; j++) ey[0][j] = fict[t];\n\
            for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);\n\
            for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);\n\
            for (int i = 0; i < n - 1; i++) for (int j = 0; j < m - 1; j++)\n\
            hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]); }";

/// A star of seven points in two planes in turn.
pub(crate) const SEVEN_POINTS: &str = "for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)\n\
            for (int k = 1; k < q - 1; k++)\n\
            A[(t + 1) % 2][i][j][k] = A[t % 2][i][j][k] / 4 + (A[t % 2][i - 1][j][k] + A[t % 2][i + 1][j][k] + A[t % 2][i][j - 1][k]\n\
            + A[t % 2][i][j + 1][k] + A[t % 2][i][j][k - 1] + A[t % 2][i][j][k + 1]) / 8;";

impl Case {
    fn program(&self) -> String {
        let (arrays, region) = (self.arrays, self.region);
        let each = |function: &str| -> String {
            self.data.iter().map(|(name, n)| format!("{function}({name}, {n}); ")).collect()
        };
        let (fill, print) = (each("fill"), each("print"));
        format!(
            "#include <stdio.h>\n#include <string.h>\n\
             static double {arrays};\n\
             static void kernel(int T, int n, int m, int q)\n{{\n\
             #pragma scop\n{region}\n#pragma endscop\n}}\n\
             static void fill(double *a, int n) {{ for (int i = 0; i < n; i++) a[i] = i * 37 % 101 / 7.0; }}\n\
             static void print(double *a, int n)\n{{\n\
             unsigned long long all = 14695981039346656037ull, bits;\n\
             for (int i = 0; i < n; i++) {{ memcpy(&bits, a + i, 8); all = (all ^ bits) * 1099511628211ull; }}\n\
             printf(\"%llx\\n\", all);\n}}\n\
             static void test(int T, int n, int m, int q) {{ {fill} kernel(T, n, m, q); {print} }}\n\
             int main(void) {{ {} return 0; }}\n",
            self.tests
        )
    }
}

/// The C compilers that there are, with threads.
pub(crate) fn compilers() -> Vec<&'static str> {
    let works = |compiler: &&str| {
        let text = "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n";
        let exists = Command::new(compiler).arg("--version").output().is_ok();
        exists
            && binary_of(text, &scratch("tilings"), &format!("check_{compiler}"), compiler).is_ok()
    };
    let usable = |compiler: &&str| works(compiler) || left_out(compiler);
    let found: Vec<&str> = ["gcc", "clang"].into_iter().filter(usable).collect();
    if found.is_empty() { vec!["cc"] } else { found }
}

/// Those of the compilers that one of several sizes of tiles is compiled by: one in turn, others for each seed,
/// or all where the environment has `LOOPWRIGHT_ALL`.
pub(crate) fn in_turn<'c>(case: &Case, all: &'c [&'c str], turn: usize) -> &'c [&'c str] {
    // Clang takes many minutes for fifteen minima within each other.
    let usable = if case.dimensions < 3 { all } else { &all[..1] };
    match std::env::var_os("LOOPWRIGHT_ALL") {
        Some(_) => usable,
        None => {
            let at = (turn + (seed(0) % 2) as usize) % usable.len();
            &usable[at..=at]
        }
    }
}

/// Compiles a case with tiles of a shape, of the tool's choice if there are no sizes, and compares what is
/// printed with these compilers and numbers of threads.
pub(crate) fn prints_the_same_in_tiles(
    case: &Case,
    tiling: Tiling,
    sizes: &[i64],
    (compilers, threads): (&[&str], &[u32]),
) {
    let folder = scratch("tilings");
    let what: Vec<String> = sizes.iter().map(i64::to_string).collect();
    let name = format!("{}_{}_{}", case.name, tiling.name(), what.join("_"));
    let source = folder.join(format!("{name}.c"));
    let program = case.program();
    std::fs::write(&source, &program).unwrap();
    let mut options = CompileOptions::new();
    options.tiling = Some(tiling);
    if !sizes.is_empty() {
        options.tile_sizes = TileSizes::Given(sizes.to_vec());
    }
    let (code, _) = compile(&source, &options).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    assert!(!code.contains("(double)"), "{name}: threads are asked for in any case: {code}");
    for compiler in compilers {
        let called = |kind: &str| format!("{name}_{kind}_{compiler}");
        let expected = printed_by(compiler, &program, &folder, &called("plain"), 1)
            .unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let tiled = binary_of(&code, &folder, &called("tiled"), compiler)
            .unwrap_or_else(|fault| panic!("{name}: {fault}"));
        for &threads in threads {
            let printed = run_binary(&tiled, threads);
            assert_eq!(printed, expected, "{name}, {compiler}, {threads} threads: {code}");
        }
    }
}
