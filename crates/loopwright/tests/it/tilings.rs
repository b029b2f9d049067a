//! Shapes of tiles that are chosen by name: the programs print what they print without, with one thread and
//! with more, for sizes that tiles divide and that they do not; and what is not legal is refused, with the
//! reason.
use crate::support::scratch;
use crate::support::stencils::{
    Case, FDTD, IN_TURN, SEVEN_POINTS, TWO_STATEMENTS, compilers, in_turn, prints_the_same_in_tiles,
};
use loopwright::{
    CompileOptions, Emit, RegionScalability, ScalabilityOptions, compile_text, scalability_of_file,
};
use loopwright_transform::Tiling;

/// Time steps and sizes of data.
const ONE_DIMENSION: &str = "test(0, 0, 0, 0); test(1, 5, 0, 0); test(2, 16, 0, 0); test(9, 801, 0, 0); test(24, 3000, 0, 0);";
const TWO_DIMENSIONS: &str = "test(0, 0, 0, 0); test(1, 5, 3, 0); test(4, 16, 32, 0); test(9, 31, 70, 0); test(13, 60, 45, 0);";
const THREE_DIMENSIONS: &str =
    "test(0, 0, 0, 0); test(1, 5, 3, 4); test(4, 8, 16, 8); test(7, 14, 15, 20);";

const CASES: [Case; 9] = [
    Case {
        name: "two_statements",
        arrays: "A[3000], B[3000]",
        data: &[("A", 3000), ("B", 3000)],
        region: TWO_STATEMENTS,
        dimensions: 1,
        narrowest: 6,
        tests: ONE_DIMENSION,
    },
    Case {
        name: "planes_in_turn",
        arrays: "A[2][3000]",
        data: &[("A[0]", 6000)],
        region: IN_TURN,
        dimensions: 1,
        narrowest: 2,
        tests: ONE_DIMENSION,
    },
    Case {
        name: "radius_two",
        arrays: "A[2][3000]",
        data: &[("A[0]", 6000)],
        region: "for (int t = 1; t <= T; t++) for (int i = 2; i < n - 2; i++)\n\
            A[t % 2][i] = (A[(t - 1) % 2][i - 2] + 3 * A[(t - 1) % 2][i] + A[(t - 1) % 2][i + 2]) / 5;",
        dimensions: 1,
        narrowest: 4,
        tests: ONE_DIMENSION,
    },
    Case {
        name: "wave",
        arrays: "A[3][3000]",
        data: &[("A[0]", 9000)],
        region: "for (int t = 2; t <= T; t++) for (int i = 1; i < n - 1; i++)\n\
            A[t % 3][i] = 1.5 * A[(t - 1) % 3][i] - A[(t - 2) % 3][i] + 0.25 * (A[(t - 1) % 3][i - 1] + A[(t - 1) % 3][i + 1]);",
        dimensions: 1,
        narrowest: 2,
        tests: ONE_DIMENSION,
    },
    Case {
        name: "star",
        arrays: "A[60][70], B[60][70]",
        data: &[("A[0]", 4200), ("B[0]", 4200)],
        region: "for (int t = 0; t < T; t++) {\n\
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)\n\
            B[i][j] = (A[i][j] + A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) / 5;\n\
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) A[i][j] = B[i][j]; }",
        dimensions: 2,
        narrowest: 6,
        tests: TWO_DIMENSIONS,
    },
    Case {
        name: "box",
        arrays: "A[2][60][70]",
        data: &[("A[0][0]", 8400)],
        region: "for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)\n\
            A[(t + 1) % 2][i][j] = (A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1] + A[t % 2][i][j - 1]\n\
            + 2 * A[t % 2][i][j] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1]) / 10;",
        dimensions: 2,
        narrowest: 2,
        tests: TWO_DIMENSIONS,
    },
    Case {
        name: "fdtd",
        arrays: "ex[60][70], ey[60][70], hz[60][70], fict[70]",
        data: &[("ex[0]", 4200), ("ey[0]", 4200), ("hz[0]", 4200), ("fict", 70)],
        region: FDTD,
        dimensions: 2,
        narrowest: 3,
        tests: TWO_DIMENSIONS,
    },
    Case {
        name: "seven_points",
        arrays: "A[2][14][16][20]",
        data: &[("A[0][0][0]", 8960)],
        region: SEVEN_POINTS,
        dimensions: 3,
        narrowest: 2,
        tests: THREE_DIMENSIONS,
    },
    Case {
        name: "independent",
        arrays: "A[3000]",
        data: &[("A", 3000)],
        region: "for (int t = 1; t <= T; t++) for (int i = 0; i < n; i++) A[i] = (0.5 * A[i] + t) / 3;",
        dimensions: 1,
        narrowest: 1,
        tests: ONE_DIMENSION,
    },
];

/// Sizes for a shape: the smallest, and others.
fn sizes(case: &Case, tiling: Tiling) -> Vec<Vec<i64>> {
    match tiling {
        // Larger ones are not proved within the limit.
        Tiling::Trapezoid | Tiling::Molecular if case.name == "fdtd" || case.dimensions == 3 => {
            vec![vec![2, case.narrowest]]
        }
        Tiling::Trapezoid | Tiling::Molecular if case.dimensions == 2 => {
            vec![vec![2, case.narrowest], vec![4, 16]]
        }
        Tiling::Trapezoid | Tiling::Molecular => {
            vec![vec![2, case.narrowest], vec![3, 4 * case.narrowest + 5, 17]]
        }
        Tiling::Hexagonal => {
            vec![vec![2, 2 * case.narrowest, 7], vec![5, 6 * case.narrowest, 8]]
        }
        Tiling::Pipelined | Tiling::Tube | Tiling::Diamond | Tiling::Auto => {
            vec![vec![7], vec![32]]
        }
        Tiling::CacheOblivious => vec![vec![1], vec![2, 3, 17]],
        // They have tests of their own.
        Tiling::Overlapped => Vec::new(),
    }
}

fn prints_the_same_in_all_sizes(tiling: Tiling) {
    let compilers = compilers();
    for case in &CASES {
        for (at, sizes) in sizes(case, tiling).iter().enumerate() {
            // Each compiler compiles every program, and each size one of the two.
            let own = in_turn(case, &compilers, at);
            prints_the_same_in_tiles(case, tiling, sizes, (own, &[1, 2, 5]));
        }
    }
}

#[test]
fn trapezoids_print_what_the_program_prints() {
    prints_the_same_in_all_sizes(Tiling::Trapezoid);
}

#[test]
fn molecular_tiles_print_what_the_program_prints() {
    prints_the_same_in_all_sizes(Tiling::Molecular);
}

#[test]
fn recursions_print_what_the_program_prints() {
    prints_the_same_in_all_sizes(Tiling::CacheOblivious);
}

#[test]
fn hexagons_print_what_the_program_prints() {
    prints_the_same_in_all_sizes(Tiling::Hexagonal);
}

#[test]
fn tubes_print_what_the_program_prints() {
    prints_the_same_in_all_sizes(Tiling::Tube);
}

#[test]
fn diamonds_print_what_the_program_prints() {
    prints_the_same_in_all_sizes(Tiling::Diamond);
}

#[test]
fn pipelines_print_what_the_program_prints() {
    prints_the_same_in_all_sizes(Tiling::Pipelined);
}

/// A region compiled with tiles of a shape.
fn compiled(region: &str, tiling: &str, sizes: &str) -> loopwright::Compiled {
    let mut options = CompileOptions::new();
    options.set("tiling", Some(tiling)).unwrap();
    options.set("tile-sizes", Some(sizes)).unwrap();
    let text = format!(
        "void f(int T, int n, int m, int q, double A[2][n], double B[n], double C[2][n][m]) {{\n#pragma scop\n{region}\n\
         #pragma endscop\n}}\n"
    );
    compile_text("f.c", &text, &options).unwrap()
}

const JACOBI: &str = "for (int t = 1; t <= T; t++) for (int i = 1; i < n - 1; i++)\n\
    A[t % 2][i] = A[(t - 1) % 2][i - 1] + A[(t - 1) % 2][i] + A[(t - 1) % 2][i + 1];";

const STAR: &str = "for (int t = 1; t <= T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)\n\
    C[t % 2][i][j] = C[(t - 1) % 2][i - 1][j] + C[(t - 1) % 2][i + 1][j] + C[(t - 1) % 2][i][j]\n\
    + C[(t - 1) % 2][i][j - 1] + C[(t - 1) % 2][i][j + 1];";

const IN_PLACE: &str = "for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++)\n\
    B[i] = B[i - 1] + 2 * B[i] + B[i + 1];";

#[test]
fn each_phase_is_one_parallel_loop() {
    for (region, tiling, sizes, phases) in [
        (JACOBI, "trapezoid", "4,8", 2),
        (STAR, "trapezoid", "4,8", 3),
        (JACOBI, "molecular", "4,8", 2),
        (STAR, "molecular", "4,8", 3),
        (JACOBI, "hexagonal", "4,8", 1),
        (STAR, "hexagonal", "4,8", 1),
        (JACOBI, "tube", "8", 1),
        (STAR, "tube", "8", 1),
        (STAR, "diamond", "8", 1),
    ] {
        let tree = compiled(region, tiling, sizes).emit(Emit::Schedule).unwrap();
        assert_eq!(tree.matches("\"parallel\"").count(), phases, "{tiling}: {tree}");
    }
    let tree = compiled(IN_PLACE, "pipelined", "4").emit(Emit::Schedule).unwrap();
    assert_eq!(tree.matches("\"pipelined\"").count(), 1, "{tree}");
}

#[test]
fn what_is_not_legal_is_refused_with_the_reason() {
    for tiling in ["tube", "diamond", "trapezoid", "molecular", "hexagonal", "cache-oblivious"] {
        let refused = compiled(IN_PLACE, tiling, "4,64");
        let message = refused.refusals().unwrap().to_string();
        assert!(
            message.contains(&format!(
                "has no {tiling} tiles: dataflow-limited: dependences S0 -> S0"
            )),
            "{message}"
        );
        assert!(refused.code.contains("B[i] = B[i - 1] + 2 * B[i] + B[i + 1];"), "as it was");
    }
    for (region, tiling, sizes, reason) in [
        (
            JACOBI,
            "trapezoid",
            "4,5",
            "tiles of 5 along member 1 are too narrow for their time steps, because of dependence S0 -> S0: the smallest legal \
             size is 6",
        ),
        (JACOBI, "molecular", "5,7", "the smallest legal size is 8"),
        (JACOBI, "hexagonal", "8,7", "the smallest legal size is 8"),
        (STAR, "trapezoid", "4,6,5", "tiles of 5 along member 2 are too narrow"),
        (
            "for (int i = 0; i < n; i++) B[i] = 0;",
            "diamond",
            "4",
            "there is no band of two loops or more",
        ),
    ] {
        let message = compiled(region, tiling, sizes).refusals().unwrap().to_string();
        assert!(message.contains(reason), "{message}");
    }
}

fn scalability(region: &str, tiling: Tiling) -> RegionScalability {
    let path = scratch("tilings").join(format!("scalability_{}_{}.c", tiling.name(), region.len()));
    let text = format!(
        "void f(int T, int n, int m, double A[2][n], double B[n], double C[2][n][m]) {{\n#pragma scop\n{region}\n\
         #pragma endscop\n}}\n"
    );
    std::fs::write(&path, text).unwrap();
    let wanted = ScalabilityOptions { tiling: Some(tiling), ..ScalabilityOptions::default() };
    scalability_of_file(&path, &CompileOptions::new(), &wanted).unwrap().remove(0)
}

#[test]
fn vectors_are_those_of_the_literature() {
    for (region, tiling, vector) in [
        (JACOBI, Tiling::Pipelined, "(0)"),
        (JACOBI, Tiling::Tube, "(1)"),
        (JACOBI, Tiling::Diamond, "(1)"),
        (JACOBI, Tiling::Trapezoid, "(1)"),
        (JACOBI, Tiling::Molecular, "(1)"),
        (JACOBI, Tiling::Hexagonal, "(1)"),
        (JACOBI, Tiling::CacheOblivious, "(1)"),
        (STAR, Tiling::Pipelined, "(0, 0)"),
        (STAR, Tiling::Tube, "(1, 0)"),
        (STAR, Tiling::Diamond, "(1, 1)"),
        (STAR, Tiling::Trapezoid, "(1, 1)"),
        (STAR, Tiling::Molecular, "(1, 1)"),
        (STAR, Tiling::Hexagonal, "(1, 0)"),
        (STAR, Tiling::CacheOblivious, "(1, 1)"),
        (IN_PLACE, Tiling::Pipelined, "(0)"),
    ] {
        let found = scalability(region, tiling);
        assert_eq!(found.vector_of(tiling.name()).as_deref(), Some(vector), "{found}");
    }
    let refused = scalability(IN_PLACE, Tiling::Trapezoid);
    assert_eq!(refused.vector_of("trapezoid"), None);
    assert!(refused.to_string().contains("no trapezoid tiles: dataflow-limited"), "{refused}");
}

#[test]
fn the_number_of_waves_does_not_depend_on_the_data() {
    // Bands of two steps from 0 on.
    let jacobi = "for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++)\n\
        A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i] + A[t % 2][i + 1];";
    for tiling in [Tiling::Trapezoid, Tiling::Hexagonal] {
        let found = scalability(jacobi, tiling);
        let growth = |name: &str| {
            let own = found.tilings.iter().find(|own| own.name == tiling.name()).unwrap();
            own.growth.iter().find(|growth| growth.parameter == name).unwrap().waves.clone()
        };
        assert_eq!(growth("n")[2..], [growth("n")[2]; 2], "{found}");
        if tiling == Tiling::Hexagonal {
            assert_eq!(growth("n")[2], 5, "2 T / tau + 1: {found}");
        }
        if tiling == Tiling::Trapezoid {
            assert_eq!(growth("n")[2], 8, "2 T / tau: {found}");
            assert_eq!(
                growth("T"),
                [4, 8, 16, 32],
                "data of 8 points are in one block or gap: {found}"
            );
        }
    }
}

/// Diamonds along all dimensions with their own sizes, of stencils whose tiles have large coefficients: a
/// point of them is hard to find, which no proof needs.
#[test]
fn diamonds_with_their_own_sizes_are_proved() {
    let far = "for (int t = 0; t < T; t++) for (int i = 4; i < n - 4; i++) for (int j = 4; j < m - 4; j++) for (int k = 4; k < q - 4; k++)\n\
        A[(t + 1) % 2][i][j][k] = A[t % 2][i][j][k] + A[t % 2][i - 4][j][k] + A[t % 2][i + 4][j][k] + A[t % 2][i][j - 4][k]\n\
        + A[t % 2][i][j + 4][k] + A[t % 2][i][j][k - 4] + A[t % 2][i][j][k + 4];";
    let electric = "double fict[T], double ex[n][m], double ey[n][m], double hz[n][m]";
    for (arrays, region) in [("double A[2][n][m][q]", far), (electric, FDTD)] {
        let text = format!(
            "void f(int T, int n, int m, int q, {arrays}) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
        );
        let mut options = CompileOptions::new();
        options.set("tiling", Some("diamond")).unwrap();
        let compiled = compile_text("f.c", &text, &options).unwrap();
        let proofs = &compiled.report.regions[0].proofs;
        assert!(proofs.len() >= 4, "{proofs:?}");
        for (claim, proof) in proofs {
            assert!(proof.is_proved(), "{claim}: {proof:?}");
        }
    }
}
/// A text compiled as a recursion.
fn recursive(text: &str) -> loopwright::Compiled {
    let mut options = CompileOptions::new();
    options.set("tiling", Some("cache-oblivious")).unwrap();
    options.set("tile-sizes", Some("4,8")).unwrap();
    compile_text("f.c", text, &options).unwrap()
}

#[test]
fn recursions_are_functions_in_front_of_that_of_the_region() {
    for (region, dimensions) in [(JACOBI, 1), (STAR, 2)] {
        let compiled = compiled(region, "cache-oblivious", "4,8");
        let code = &compiled.code;
        let at = |text: &str| code.find(text).unwrap_or_else(|| panic!("no `{text}`: {code}"));
        assert!(at("static void f_zoid_2_steps(") < at("static void f_zoid_2("), "{code}");
        assert!(at("static void f_zoid_2(") < at("void f(int T"), "{code}");
        assert_eq!(code.matches("#pragma omp task\n").count(), dimensions, "{code}");
        assert_eq!(code.matches("#pragma omp taskwait\n").count(), dimensions, "{code}");
        assert_eq!(code.matches("    return;\n").count(), dimensions + 1, "a cut in time: {code}");
        assert!(at("void f(int T") < at("#pragma omp single\n  f_zoid_2(1, "), "{code}");
        let report = &compiled.report.regions[0];
        assert!(report.proofs.iter().all(|(_, proof)| proof.is_proved()), "{:?}", report.proofs);
        assert_eq!(report.proofs.len(), 6);
        let not_read = report.only_tested.iter().map(|part| part.part.name());
        assert!(not_read.into_iter().any(|part| part.contains("the functions that cut zoids")));
        let code = compiled.emit(Emit::Code).unwrap();
        let behind = code.split_once("#endif\n}\n#endif\n").map_or(&*code, |(_, rest)| rest);
        assert!(behind.starts_with("static void f_zoid_2_steps("), "{code}");
    }
    let mut options = CompileOptions::new();
    options.set("tiling", Some("cache-oblivious")).unwrap();
    options.set("target", Some("c")).unwrap();
    let text = format!(
        "double A[2][99];\nvoid f(int T, int n) {{\n#pragma scop\n{JACOBI}\n#pragma endscop\n}}\n"
    );
    let code = compile_text("f.c", &text, &options).unwrap().code;
    assert!(code.contains("static void f_zoid_3(") && !code.contains("omp task"), "{code}");
}

#[test]
fn regions_of_one_function_have_functions_of_their_own() {
    let text = format!(
        "void f(int T, int n, double A[2][n]) {{\n#pragma scop\n{JACOBI}\n#pragma endscop\n#pragma scop\n{JACOBI}\n#pragma endscop\n}}\n"
    );
    let code = recursive(&text).code;
    assert_eq!(code.matches("static void f_zoid_").count(), 4, "{code}");
    assert!(code.contains("f_zoid_2(") && code.contains("f_zoid_6("), "{code}");
}

#[test]
fn what_a_function_cannot_be_given_is_refused() {
    let loops = |body: &str| {
        format!("for (int t = 1; t <= T; t++) for (int i = 1; i < n - 1; i++) {{ {body} }}")
    };
    let jacobi = "A[t % 2][i] = A[(t - 1) % 2][i - 1] + A[(t - 1) % 2][i + 1];";
    for (before, head, region, reason) in [
        (
            "struct grid { double A[2][99]; };\n",
            "void f(int T, int n, struct grid *g)",
            loops("g->A[t % 2][i] = g->A[(t - 1) % 2][i - 1];"),
            "is a part of a structure",
        ),
        (
            "",
            "void f(int T, int n, double A[2][n])",
            format!("for (int i = 0; i < n; i++) A[0][i] = i; {}", loops(jacobi)),
            "one after the other",
        ),
        (
            "int",
            "x; void f(int T, int n, double A[2][n])",
            loops(jacobi),
            "no place for a function",
        ),
        (
            "",
            "void f(int T, int n, double A[2][n])",
            "for (int i = 0; i < n; i++) A[0][i] = 0;".to_string(),
            "no band of two loops or more",
        ),
    ] {
        let text = format!("{before} {head} {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n");
        let message = recursive(&text).refusals().unwrap_or_else(|| panic!("{text}")).to_string();
        assert!(
            message.contains("no cache-oblivious tiles: ") && message.contains(reason),
            "{message}"
        );
    }
}

/// Types by names that are known in the function only, and arrays that are constant.
#[test]
fn functions_have_types_of_their_own() {
    let text = format!(
        "static const double w[3] = {{1, 2, 3}};\nvoid f(int T, int n) {{\n  typedef double mine;\n  mine A[2][n];\n\
         #pragma scop\n{}\n#pragma endscop\n}}\n",
        JACOBI.replace("+ A[(t - 1) % 2][i + 1]", "* w[1] + A[(t - 1) % 2][i + 1]")
    );
    let code = recursive(&text).code;
    assert!(code.contains("const int T, const int n, double A[][n], const double w[])"), "{code}");
}

/// Arrays of variable length are passed with their lengths.
#[test]
fn functions_have_arrays_of_variable_length() {
    let text = format!(
        "void f(int T, int n, int m, double w, double C[2][n][m]) {{\n#pragma scop\n{}\n#pragma endscop\n}}\n",
        STAR.replace("= C", "= w * C")
    );
    let code = recursive(&text).code;
    assert!(
        code.contains("const int T, const int n, const int m, double C[][n][m], const double w)"),
        "{code}"
    );
}
