//! Tiles whose sizes are chosen when the program runs: one program prints what the plain one prints for all
//! sizes, with one thread and with more; all is proved for all sizes; sizes come from the environment or from
//! a call.
use crate::support::{binary_of, compile, scratch};
use loopwright::{CompileOptions, compile_text};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A region over `A`, `B` and `C`, with `T` time steps.
struct Case {
    name: &'static str,
    region: &'static str,
    /// A line that the text has, and how often.
    line: (&'static str, usize),
}

const PARALLEL: &str = "#pragma omp parallel for";
const WAITS: &str = "#pragma omp ordered depend(sink:";

const CASES: [Case; 7] = [
    Case {
        name: "product",
        region: "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < n; k++)\n\
            C[i][j] += A[i][k] * B[k][j];",
        line: (PARALLEL, 1),
    },
    Case {
        name: "triangle",
        region: "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) for (int k = 0; k < m; k++)\n\
            C[i][j] += A[i][k] * A[j][k];",
        line: (PARALLEL, 1),
    },
    Case {
        name: "in_place",
        region: "for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)\n\
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + 2 * A[i][j] + A[i][j + 1] + A[i + 1][j]) / 6;",
        line: (WAITS, 1),
    },
    Case {
        name: "two_statements",
        region: "for (int t = 0; t < T; t++) {\n\
            for (int i = 1; i < n - 1; i++) B[0][i] = (A[0][i - 1] + A[0][i] + A[0][i + 1]) / 3;\n\
            for (int i = 1; i < n - 1; i++) A[0][i] = B[0][i]; }",
        line: (WAITS, 1),
    },
    Case {
        name: "star",
        region: "for (int t = 0; t < T; t++) {\n\
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)\n\
            B[i][j] = (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) / 5;\n\
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) A[i][j] = B[i][j]; }",
        line: (WAITS, 1),
    },
    Case {
        name: "factorisation",
        region: "for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) {\n\
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[k][j]; A[i][j] /= A[j][j] + 50; }\n\
            for (int j = i; j < n; j++) for (int k = 0; k < i; k++) A[i][j] -= A[i][k] * A[k][j]; }",
        line: (WAITS, 1),
    },
    Case {
        name: "two_products",
        region: "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { C[i][j] = 0;\n\
            for (int k = 0; k < m; k++) C[i][j] += A[i][k] * B[j][k]; }\n\
            for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) A[i][j] += C[i][k] * C[k][j];",
        line: (PARALLEL, 3),
    },
];

impl Case {
    /// A program that runs the region for some sizes, and with sizes of tiles that it chooses itself if it is
    /// told to.
    fn program(&self) -> String {
        let region = self.region;
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
             static double A[60][60], B[60][60], C[60][60];\n\
             #ifdef CHOOSES\nvoid loopwright_tile_sizes(int, const long *);\n#endif\n\
             static void kernel(int T, int n, int m)\n{{\n#pragma scop\n{region}\n#pragma endscop\n}}\n\
             static void print(double *a)\n{{\n\
             unsigned long long all = 14695981039346656037ull, bits;\n\
             for (int i = 0; i < 3600; i++) {{ memcpy(&bits, a + i, 8); all = (all ^ bits) * 1099511628211ull; }}\n\
             printf(\"%llx\\n\", all);\n}}\n\
             static void test(int T, int n, int m)\n{{\n\
             for (int i = 0; i < 60; i++) for (int j = 0; j < 60; j++) {{\n\
             A[i][j] = (i * 37 + j) % 101 / 7.0; B[i][j] = (i * 5 + j * 3) % 11 / 3.0; C[i][j] = (i + j) % 5; }}\n\
             kernel(T, n, m); print(A[0]); print(B[0]); print(C[0]);\n}}\n\
             int main(void)\n{{\n\
             #ifdef CHOOSES\nlong sizes[2] = {{3, 8}}; loopwright_tile_sizes(2, sizes);\n#endif\n\
             test(0, 0, 0); test(1, 5, 3); test(4, 16, 32); test(9, 31, 57); test(13, 60, 45); return 0; }}\n"
        )
    }

    fn text(&self) -> String {
        let source = scratch("parametric_tiles").join(format!("{}.c", self.name));
        std::fs::write(&source, self.program()).unwrap();
        let compiled = compile(&source, &options());
        compiled.unwrap_or_else(|fault| panic!("{}: {fault}", self.name)).0
    }
}

fn options() -> CompileOptions {
    let mut options = CompileOptions::new();
    options.set("parametric-tiles", None).unwrap();
    options
}

/// What a program prints with sizes of tiles from its environment.
fn printed(binary: &Path, tiles: Option<&str>, threads: u32) -> String {
    let mut command = Command::new(binary);
    command.env("OMP_NUM_THREADS", threads.to_string()).env_remove("LOOPWRIGHT_TILES");
    command.envs(tiles.map(|tiles| ("LOOPWRIGHT_TILES", tiles)));
    let run = command.output().expect("the program can be run");
    assert!(run.status.success(), "{tiles:?}: {}", run.status);
    String::from_utf8_lossy(&run.stdout).into_owned()
}

fn built(text: &str, name: &str) -> PathBuf {
    binary_of(text, &scratch("parametric_tiles"), name, "cc")
        .unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn one_program_prints_the_same_for_all_sizes() {
    for case in &CASES {
        let text = case.text();
        let (line, times) = case.line;
        assert_eq!(text.matches(line).count(), times, "{}: {text}", case.name);
        let plain = printed(&built(&case.program(), &format!("{}_plain", case.name)), None, 1);
        let tiled = built(&text, &format!("{}_tiled", case.name));
        let sizes = [
            None,
            Some("1"),
            Some("2,3"),
            Some("7"),
            Some("32,8,5"),
            Some("59,60,61"),
            Some("1,1000000000000"),
            Some("1000,1"),
        ];
        for (at, tiles) in sizes.into_iter().enumerate() {
            for threads in [[1, 2], [2, 5]][at % 2] {
                let found = printed(&tiled, tiles, threads);
                assert_eq!(found, plain, "{}, {tiles:?}, {threads} threads: {text}", case.name);
            }
        }
    }
}

#[test]
fn what_is_no_list_of_sizes_counts_as_none() {
    let case = &CASES[0];
    let (plain, text) = (built(&case.program(), "no_sizes_plain"), case.text());
    let (plain, tiled) = (printed(&plain, None, 1), built(&text, "no_sizes"));
    for tiles in ["", "0", "4,", "x", "3,-1", "4;5", ",", "16 "] {
        assert_eq!(printed(&tiled, Some(tiles), 2), plain, "{tiles}");
    }
}

#[test]
fn the_program_chooses_sizes() {
    for case in [&CASES[0], &CASES[2]] {
        let plain = printed(&built(&case.program(), "chosen_plain"), None, 1);
        let text = format!("#define CHOOSES\n{}", case.text());
        let chosen = built(&text, &format!("{}_chosen", case.name));
        assert_eq!(printed(&chosen, None, 2), plain, "{text}");
    }
}

/// The region of a case compiled alone.
fn region(region: &str, options: &CompileOptions) -> loopwright::Compiled {
    let text = format!(
        "void f(int T, int n, int m, double A[60][60], double B[60][60], double C[60][60]) {{\n#pragma scop\n{region}\n\
         #pragma endscop\n}}\n"
    );
    compile_text("f.c", &text, options).unwrap()
}

#[test]
fn loops_over_tiles_step_by_their_sizes() {
    let mut options = options();
    options.set("tile-sizes", Some("16,48")).unwrap();
    let compiled = region(CASES[0].region, &options);
    let code = &compiled.code;
    for line in [
        "const long tile_0 = loopwright_tile_size(0, 16);",
        "const long tile_2 = loopwright_tile_size(2, 48);",
        "for (long c0 = 0; c0 < n; c0 += tile_0) {",
        "for (long c1 = 0; c1 < m; c1 += tile_1) {",
    ] {
        assert!(code.contains(line), "{line}: {code}");
    }
    let claims: Vec<&str> =
        compiled.report.regions[0].proofs.iter().map(|(claim, _)| *claim).collect();
    assert_eq!(
        claims,
        [
            "the schedule respects every dependence, and parallel loops carry none, for all sizes of tiles",
            "the generated loops run every instance once, in schedule order, for all sizes of tiles",
            "the printed loops and subscripts are those of the schedule",
        ]
    );
}

#[test]
fn rows_and_steps_of_pipelines_are_counted() {
    let code = region(CASES[2].region, &options()).code;
    for line in [
        "#pragma omp parallel for schedule(static, 1) ordered(2) if(loopwright_default_floats())\n",
        "for (long c0_tile = 0; c0_tile <= floord(T - 1, tile_0); c0_tile++) {",
        "#pragma omp ordered depend(sink: c0_tile - 1, c1_tile)",
        "const long c0 = tile_0 * c0_tile;",
        "const long c1 = tile_1 * c1_tile;",
    ] {
        assert!(code.contains(line), "{line}: {code}");
    }
}

/// Full tiles have loops of their own, without the bounds of the domain: from the origin, as many iterations
/// as the size says.
#[test]
fn full_tiles_are_apart() {
    let code = region(CASES[0].region, &options()).code;
    for line in [
        "for (long c3 = c0; c3 < c0 + tile_0; c3++) {",
        "for (long c4 = c2; c4 < c2 + tile_2; c4++) {",
        "for (long c5 = c1; c5 < c1 + tile_1; c5++) {",
        "} else {",
        "for (long c5 = max(0, c1); c5 < min(m, c1 + tile_1); c5++) {",
    ] {
        assert!(code.contains(line), "{line}: {code}");
    }
    let is_full = "c0 + tile_0 <= n && c0 >= 0 && c1 + tile_1 <= m && c1 >= 0 && c2 + tile_2 <= n";
    assert!(code.contains(&format!("if ({is_full}")), "{code}");
    for case in &CASES {
        let compiled = region(case.region, &options());
        // Extents of arrays and sizes of loops are in no bound there.
        let full = compiled.code.split("} else {").next().unwrap_or_default();
        let lines: Vec<&str> = full.lines().collect();
        let is_condition = |line: &&str| line.contains("if (") && line.contains("+ tile_");
        let condition = lines.iter().rposition(is_condition).expect(case.name);
        let points = lines[condition..].iter().copied();
        let heads: Vec<&str> = points.filter(|line| line.contains("for (")).collect();
        let has_extent =
            |head: &&str| head.split([' ', ')', '(']).any(|word| ["n", "m", "T"].contains(&word));
        assert!(heads.len() >= 2, "{}: {}", case.name, compiled.code);
        assert_eq!(
            heads.iter().filter(|head| has_extent(head)).count(),
            0,
            "{}: {full}",
            case.name
        );
        assert!(compiled.report.regions[0].proofs.iter().all(|(_, proof)| proof.is_proved()));
        let notes = compiled.report.regions[0].notes.join("\n");
        assert!(!notes.contains("full tiles have no loops"), "{}: {notes}", case.name);
    }
}

#[test]
fn names_of_the_program_are_not_taken() {
    let text = "void f(int n, double A[60][60], double tile_0) {\n#pragma scop\n\
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = A[i][j] * tile_0;\n#pragma endscop\n}\n";
    let code = compile_text("f.c", text, &options()).unwrap().code;
    assert!(code.contains("const long tile1_0 = ") && code.contains("c0 += tile1_0"), "{code}");
}

#[test]
fn without_tiles_there_are_no_sizes() {
    let compiled = region("for (int i = 0; i < n; i++) A[0][i] = B[0][i];", &options());
    assert!(!compiled.code.contains("loopwright_tile"), "{}", compiled.code);
    let notes = compiled.report.regions[0].notes.join("\n");
    assert!(notes.contains("no tiles of variable sizes: no band of two loops or more"), "{notes}");
}
