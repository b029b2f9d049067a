//! Stencils in tiles of shapes that are chosen by name: what programs print is compared.
use super::{binary_of, compile, run_binary, scratch};
use loopwright::CompileOptions;
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
    let found: Vec<&str> = ["gcc", "clang"].into_iter().filter(works).collect();
    if found.is_empty() { vec!["cc"] } else { found }
}

/// Compiles a case with tiles of a shape, of the tool's choice if there are no sizes, and compares what is printed with these compilers and numbers
/// of threads.
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
        let binary = |text: &str, kind: &str| {
            let name = format!("{name}_{kind}_{compiler}");
            binary_of(text, &folder, &name, compiler)
                .unwrap_or_else(|fault| panic!("{name}: {fault}"))
        };
        let expected = run_binary(&binary(&program, "plain"), 1);
        let tiled = binary(&code, "tiled");
        for &threads in threads {
            let printed = run_binary(&tiled, threads);
            assert_eq!(printed, expected, "{name}, {compiler}, {threads} threads: {code}");
        }
    }
}
