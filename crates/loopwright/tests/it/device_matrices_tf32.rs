//! Sums of `float` that warps compute as products of matrices, with factors rounded to tf32: on request
//! alone, with the bits of the program where nothing is rounded, and with those of a plain implementation of
//! the rounding where something is.
use crate::device_matrices::{PROGRAM, on_tensor_cores};
use crate::devices::{Built, options};
use crate::project::is_there;
use loopwright::{CompileOptions, TensorCores};
use loopwright_backend::device::Language;
use loopwright_device::ThreadResults;

/// How the program calls what warps execute together.
const CALL: &str = "lw_matrix_16x8x8_tf32(C_result[";

fn built(text: &str, change: impl Fn(&mut CompileOptions)) -> Built {
    let mut options = options(Language::Cuda);
    on_tensor_cores(&mut options);
    options.devices.tensor_cores = TensorCores::Tf32;
    change(&mut options);
    Built::with("matrices_tf32", text, &options).expect("it compiles")
}

/// The three regions, for elements in `float`.
fn program() -> String {
    PROGRAM.replace("double", "float")
}

/// The first of them, and what stands in front.
fn first_region() -> String {
    let text = program();
    text[..text.find("static void transposed").unwrap()].to_string()
}

#[test]
fn sums_of_float_are_products_of_rounded_matrices() {
    let built = built(&program(), |_| ());
    let kernels = built.kernels();
    assert_eq!(kernels.matches(CALL).count(), 4, "{kernels}");
    for text in [
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        "cvt.rna.tf32.f32",
        "const dim3 lw_block(4, 16, 2);",
        // Eight rows of four elements are in banks of their own.
        "__shared__ float A_tile[2][16][72];",
        "__shared__ float B_tile[2][16][72];",
        "float C_result[4][4][2] = {0};",
        "lw_matrix_16x8x8_tf32(C_result[2 * c7][c8][0], C_result[2 * c7][c8][1], C_result[2 * c7 + 1][c8][0], C_result[2 * c7 + 1][c8][1], lw_tf32(A_tile[",
        ", lw_tf32(-A_tile[",
    ] {
        assert!(kernels.contains(text), "{text}: {kernels}");
    }
    for region in &built.compiled.report.regions {
        let report = &built.compiled.report;
        assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{report}");
        let claim = "products of matrices by warps are the program's updates, in any order, but that factors in float are rounded to tf32";
        assert!(region.proofs.iter().any(|(own, _)| *own == claim), "{report}");
        assert!(region.only_tested.is_empty(), "{report}");
        let note = "sums run on tensor cores, which add up 1024 products of tf32 in a cycle, where other units add up 128 of float; factors are \
                    rounded to 10 bits behind the first one (tf32), each by at most 2^-11 of itself";
        assert!(region.notes.iter().any(|own| own == note), "{report}");
    }
}

/// Factors that have no more than 11 bits, and sums that fit: nothing is rounded, and all bits are those of
/// the program.
#[test]
fn exact_factors_give_the_bits_of_the_processor() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    for results in [ThreadResults::Four, ThreadResults::Eight] {
        let built = built(&program(), |options| options.devices.thread_results = Some(results));
        let counts = built.counted();
        assert!(counts.findings().is_empty(), "{:?}", counts.findings());
        assert!(counts.get("matrix_products") > 0);
        built.emulate(built.kernels(), "");
        assert!(built.shell("./code").stdout == built.expected());
    }
}

/// The nearest number with 10 bits behind the first one, ties away from zero: by arithmetic alone.
fn rounded(value: f32) -> f32 {
    let value = f64::from(value);
    if value == 0.0 {
        return 0.0;
    }
    // Numbers below the least normal one have bits of the same weight.
    let exponent = value.abs().log2().floor().max(-126.0);
    let unit = (exponent - 10.0).exp2();
    // `round` takes ties away from zero, and the quotient is exact.
    ((value / unit).round() * unit) as f32
}

/// Numbers of all kinds: ties of both signs, their neighbours, large and small ones, and some that have all
/// their bits.
fn factors() -> Vec<f32> {
    let mut all = Vec::new();
    for exponent in [-130i32, -20, -1, 0, 1, 7, 60] {
        let one = f64::from(exponent).exp2();
        for parts in [0.0, 1.0, 2.0, 3.0, 1023.0, 2047.0] {
            // In halves of the last bit that is kept.
            for nudge in [-0.001, 0.0, 0.001] {
                let value = one * (1.0 + (parts + nudge) / 2048.0);
                all.extend([value as f32, -value as f32]);
            }
        }
    }
    all.extend((1..=48).map(|k| (k as f32 * 0.7).sin() * 3.0));
    all
}

/// Prints `C += A B` for an `A` of given rows of eight elements; `B` is given by C text for element `[k][j]`.
fn printing(rows: &[f32], columns: usize, b: &str) -> String {
    let n = rows.len() / 8;
    let numbers: Vec<String> = rows.iter().map(|own| format!("0x{:08x}", own.to_bits())).collect();
    let region = first_region();
    format!(
        "#include <string.h>\n{region}static const unsigned bits[] = {{ {} }};\n\
         static float A[{n}][8], B[8][{columns}], C[{n}][{columns}];\nint main(void)\n{{\n  memcpy(A, bits, sizeof(A));\n  \
         for (int k = 0; k < 8; k++)\n    for (int j = 0; j < {columns}; j++)\n      B[k][j] = {b};\n  \
         product({n}, {columns}, 8, 1, 1, C, A, B);\n  for (int i = 0; i < {n}; i++)\n    for (int j = 0; j < {columns}; j++)\n      \
         printf(\"%.9g\\n\", C[i][j]);\n  return 0;\n}}\n",
        numbers.join(", ")
    )
}

fn numbers(output: &std::process::Output) -> Vec<f32> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| line.parse().expect("a number")).collect()
}

/// Both emulations, for a program whose values are rounded.
fn on_both_emulations(text: &str) -> [Vec<f32>; 2] {
    let built = built(text, |_| ());
    assert!(built.kernels().contains(CALL), "{}", built.kernels());
    let (output, counts) = built.counted_output();
    assert!(counts.findings().is_empty(), "{:?}", counts.findings());
    built.emulate(built.kernels(), "");
    [numbers(&output), numbers(&built.shell("./code"))]
}

/// Products with the unit matrix are the factors as they are rounded, bit by bit: of the first operand, and
/// of the second one.
#[test]
fn factors_are_rounded_as_a_plain_implementation_does() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let factors: Vec<f32> = factors().into_iter().cycle().take(8 * 40).collect();
    let expected: Vec<f32> = factors.iter().map(|own| rounded(*own)).collect();
    assert!(factors.iter().zip(&expected).filter(|(a, b)| a != b).count() > 100);
    for found in on_both_emulations(&printing(&factors, 8, "k == j")) {
        assert_eq!(found, expected);
    }
    // B is what A was: transposed, by a first operand that is the unit matrix.
    let unit: Vec<f32> = (0..64).map(|at| if at / 8 == at % 8 { 1.0 } else { 0.0 }).collect();
    let text = printing(&unit, 40, "((float *) more)[40 * k + j]");
    let bits: Vec<String> = factors.iter().map(|own| format!("0x{:08x}", own.to_bits())).collect();
    let more = format!("static const unsigned more[] = {{ {} }};\nint main(", bits.join(", "));
    for found in on_both_emulations(&text.replacen("int main(", &more, 1)) {
        assert_eq!(found, expected);
    }
}

/// Results are as near to those of exact sums as roundings of factors say, by at most 2^-11 each, and to sums
/// of rounded factors as roundings of sums say.
#[test]
fn sums_of_rounded_factors_are_within_their_bound() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let (n, m) = (70, 75);
    let a: Vec<f32> = (0..n * 8).map(|at| (at as f32 * 0.37).sin() * 2.0).collect();
    let b = |k: usize, j: usize| ((3 * k + j) % 17) as f32 / 9.0f32 - 0.9f32;
    let text = printing(&a, m, "(float) ((3 * k + j) % 17) / 9.0f - 0.9f");
    for found in on_both_emulations(&text) {
        let mut is_rounded = false;
        for i in 0..n {
            for j in 0..m {
                let terms = || (0..8).map(|k| (a[8 * i + k], b(k, j)));
                let exact: f64 = terms().map(|(a, b)| f64::from(a) * f64::from(b)).sum();
                let of_rounded: f64 =
                    terms().map(|(a, b)| f64::from(rounded(a)) * f64::from(rounded(b))).sum();
                let size: f64 = terms().map(|(a, b)| f64::from(a * b).abs()).sum();
                let own = f64::from(found[i * m + j]);
                let sums = 9.0 * 2f64.powi(-24) * size * 1.01;
                assert!((own - of_rounded).abs() <= sums, "{i}, {j}: {own} {of_rounded}");
                assert!((own - exact).abs() <= 2.001 * 2f64.powi(-11) * size + sums, "{i}, {j}");
                is_rounded |= (own - exact).abs() > sums;
            }
        }
        assert!(is_rounded, "no factor is rounded");
    }
}

/// Loads of operands, and copies into tiles, use all banks.
#[test]
fn operands_are_loaded_without_conflicts() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let program = |o: usize| {
        let region = first_region();
        format!(
            "{region}static float A[64][{o}], B[{o}][64], C[64][64];\nint main(void)\n{{\n  product(64, 64, {o}, 1, 1, C, A, B);\n  \
             printf(\"%g\\n\", C[3][5]);\n  return 0;\n}}\n"
        )
    };
    let counts = built(&program(64), |_| ()).counted();
    assert!(counts.findings().is_empty(), "{:?}", counts.findings());
    // Four steps of two products, four warps, eight instructions each.
    assert_eq!(counts.get("matrix_products"), 8 * 4 * 8);
    assert_eq!(counts.get("shared_cycles"), counts.get("ideal_shared_cycles"));
}

/// Only where it is asked for, with updates in any order, on a device that has the instruction.
#[test]
fn it_is_asked_for() {
    for change in [
        |options: &mut CompileOptions| options.devices.tensor_cores = TensorCores::Fp64,
        |options: &mut CompileOptions| options.devices.tensor_cores = TensorCores::No,
        |options: &mut CompileOptions| options.reassociate = false,
        |options: &mut CompileOptions| options.devices.device.tensor_float_pipelines = 0,
        |options: &mut CompileOptions| options.shared_memory = false,
        |options: &mut CompileOptions| options.device = Some(Language::OpenCl),
    ] {
        let built = built(&first_region(), change);
        assert!(!built.kernels().contains("lw_matrix"), "{}", built.kernels());
        assert!(!built.kernels().contains("cvt.rna"), "{}", built.kernels());
    }
    let mut options = CompileOptions::new();
    assert!(options.set("tensor-cores", Some("tf32")).is_ok());
    assert_eq!(options.devices.tensor_cores, TensorCores::Tf32);
}

/// What is asked for `float` holds for `double` as it did; each kernel has products of one type.
#[test]
fn products_of_double_stay_those_of_double() {
    let end = PROGRAM.find("static void transposed").unwrap();
    let of_double = PROGRAM[..end].replace("product(", "other_product(");
    let of_double = &of_double[of_double.find("static void").unwrap()..];
    let built = built(&format!("{}{of_double}", first_region()), |_| ());
    assert_eq!(built.kernels().matches(CALL).count(), 1, "{}", built.kernels());
    assert_eq!(built.kernels().matches("lw_matrix_8x8x4(C_result[").count(), 1);
    let [single, double] = &built.compiled.report.regions[..] else { panic!("two regions") };
    let has = |region: &loopwright::RegionReport, text: &str| {
        region.notes.iter().any(|note| note.contains(text))
    };
    assert!(has(single, "products of tf32") && !has(single, "products of double"));
    assert!(!has(double, "products of tf32") && has(double, "products of double"));
    let said = &double.proofs.iter().map(|(claim, _)| *claim).collect::<Vec<_>>();
    assert!(!said.iter().any(|claim| claim.contains("tf32")), "{said:?}");
}

/// Products that the program computes in `double` are not computed in `float`, and sums that are too short
/// not at all.
#[test]
fn other_sums_of_float_are_left_to_threads() {
    for (value, extent) in [
        ("A[i][k] * B[k][j] * 0.5", "n"),
        ("x * A[i][k] * B[k][j]", "n"),
        ("A[i][k] + B[k][j]", "n"),
        ("A[i][k] * B[k][j]", "7"),
    ] {
        let text = format!(
            "void f(int n, double x, float C[restrict n][n], float A[restrict n][n], float B[restrict n][n]) {{\n#pragma scop\n\
             for (int i = 0; i < n; i++)\n for (int j = 0; j < n; j++)\n  for (int k = 0; k < {extent}; k++)\n   C[i][j] += {value};\n\
             #pragma endscop\n}}\n"
        );
        let built = built(&text, |_| ());
        assert!(!built.kernels().contains("lw_matrix"), "{value}: {}", built.kernels());
    }
    let text = "void f(int n, float x, float C[restrict n][n], float A[restrict n][n], float B[restrict n][n]) {\n#pragma scop\n\
         for (int i = 0; i < n; i++)\n for (int j = 0; j < n; j++)\n  for (int k = 0; k < n; k++)\n   C[i][j] -= A[i][k] * B[k][j] * x * 0.5f;\n\
         #pragma endscop\n}\n";
    let built = built(text, |_| ());
    assert!(built.kernels().contains("] * x * 0.5f), lw_tf32(B_tile["), "{}", built.kernels());
    assert!(built.kernels().contains("lw_tf32(-A_tile["), "{}", built.kernels());
}

#[test]
fn faults_in_products_of_rounded_matrices_are_refuted() {
    let built = built(&first_region(), |_| ());
    let text = built.proved_text();
    let call = text.lines().find(|line| line.contains(CALL)).unwrap();
    let refuted = |faulty: &str| built.refutes(faulty, "");
    let (start, rest) = call.split_once("C_result").unwrap();
    let arguments: Vec<String> = format!("C_result{}", rest.trim_end().trim_end_matches(");"))
        .split(", ")
        .map(str::to_string)
        .collect();
    assert_eq!(arguments.len(), 10, "{call}");
    let with = |changed: &[String]| {
        let other = format!("{start}{});", changed.join(", "));
        text.replacen(call, &other, 1)
    };
    assert_eq!(with(&arguments), text);
    // Two arguments in each other's place: other rows, columns, positions along the sum, operands.
    for one in 0..10 {
        for other in one + 1..10 {
            let mut changed = arguments.clone();
            changed.swap(one, other);
            refuted(&with(&changed));
        }
        // One of them twice, one less.
        let mut changed = arguments.clone();
        changed[one] = arguments[(one + 1) % 10].clone();
        refuted(&with(&changed));
        changed.remove(one);
        refuted(&with(&changed));
    }
    // An operand that is not rounded, rounded by something else, or subtracted.
    for at in 4..10 {
        for (own, other) in [("lw_tf32(", "("), ("lw_tf32(", "lw_tf64("), ("lw_tf32(", "lw_tf32(-")]
        {
            let mut changed = arguments.clone();
            changed[at] = arguments[at].replacen(own, other, 1);
            refuted(&with(&changed));
        }
        let mut changed = arguments.clone();
        changed[at] =
            arguments[at].trim_start_matches("lw_tf32(").trim_end_matches(')').to_string();
        refuted(&with(&changed));
        // Another lane, another row or column, another position, each in one place.
        for (own, other) in [
            ("c5", "c4"),
            ("c4", "c5"),
            ("c4 % 8", "c4"),
            ("+ c4", "+ c4 + 8"),
            ("+ 4]", "]"),
            ("c7", "c8"),
            ("c8", "c7"),
        ] {
            if arguments[at].contains(own) {
                let mut changed = arguments.clone();
                changed[at] = arguments[at].replacen(own, other, 1);
                refuted(&with(&changed));
            }
        }
    }
    for at in 0..4 {
        let mut changed = arguments.clone();
        changed[at] = format!("lw_tf32({})", arguments[at]);
        refuted(&with(&changed));
    }
    built.refutes_each(&[
        ("lw_matrix_16x8x8_tf32(", "lw_matrix_16x8x4_tf32("),
        ("lw_matrix_16x8x8_tf32(", "lw_matrix_8x8x4("),
        ("lw_block(4, 16, 2)", "lw_block(4, 16, 1)"),
        ("lw_block(4, 16, 2)", "lw_block(8, 8, 2)"),
        ("float A_tile[2][16][72]", "float A_tile[2][16][71]"),
        ("float C_result[4][4][2]", "float C_result[4][2][4]"),
    ]);
    for other in ["", &format!("{call}\n{call}")] {
        refuted(&text.replacen(call, other, 1));
    }
}
