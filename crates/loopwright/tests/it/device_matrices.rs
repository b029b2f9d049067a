//! Sums that warps compute as products of matrices: their text, what they compute, and that faults in them
//! are refuted. The values of the program are small integers, so that no order rounds, but where a test says
//! otherwise.
use crate::devices::{Built, on_hopper, options};
use crate::project::is_there;
use loopwright::{CompileOptions, TensorCores};
use loopwright_backend::device::Language;
use loopwright_device::ThreadResults;

pub(crate) const PROGRAM: &str = include_str!("../devices/matrices.c");

/// How the program calls what warps execute together.
const CALL: &str = "lw_matrix_8x8x4(C_result[";

pub(crate) fn on_tensor_cores(options: &mut CompileOptions) {
    options.reassociate = true;
    on_hopper(options);
    options.devices.device.tensor_double_sum = 4;
    options.devices.thread_results = Some(ThreadResults::Four);
}

fn built(text: &str, change: impl Fn(&mut CompileOptions)) -> Built {
    let mut options = options(Language::Cuda);
    on_tensor_cores(&mut options);
    change(&mut options);
    Built::with("matrices", text, &options).expect("it compiles")
}

/// The first of the three regions.
fn product() -> Built {
    let end = PROGRAM.find("static void transposed").unwrap();
    built(&PROGRAM[..end], |_| ())
}

#[test]
fn sums_are_products_of_matrices_in_three_shapes() {
    let built = built(PROGRAM, |_| ());
    let kernels = built.kernels();
    // One of each sum but the last, of which there are two summands.
    assert_eq!(kernels.matches(CALL).count(), 4, "{kernels}");
    assert!(kernels.contains("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"), "{kernels}");
    for text in [
        "const dim3 lw_block(4, 16, 2);",
        "__shared__ double A_tile[2][8][68];",
        "double C_result[4][4][2] = {0};",
        // The rows of the last operand are those of the thread, its columns those of threads of its warp.
        "lw_matrix_8x8x4(C_result[c7][c8][0], C_result[c7][c8][1], A_tile[",
        "[c4 + 16 * c7], B_tile[",
        "[32 * c3 + 8 * c8 + c4 % 8]);",
        ", -A_tile[",
    ] {
        assert!(kernels.contains(text), "{text}: {kernels}");
    }
    for region in &built.compiled.report.regions {
        let report = &built.compiled.report;
        assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{report}");
        let claim = "products of matrices by warps are the program's updates, in any order";
        assert!(region.proofs.iter().any(|(own, _)| *own == claim), "{report}");
        assert!(region.only_tested.is_empty(), "{report}");
        let note = "sums run on tensor cores, which add up 128 products of double in a cycle, where other units add up 64; products are \
                    not rounded before they are added";
        assert!(region.notes.iter().any(|own| own == note), "{report}");
    }
}

/// Both emulations execute the instruction for all threads of a warp at once, and see threads that do not
/// come there.
#[test]
fn warps_compute_what_the_processor_does() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    for results in [ThreadResults::Four, ThreadResults::Eight] {
        let built = built(PROGRAM, |options| options.devices.thread_results = Some(results));
        let counts = built.counted();
        assert!(counts.findings().is_empty(), "{:?}", counts.findings());
        assert!(counts.get("matrix_products") > 0);
        if results == ThreadResults::Four {
            built.emulate(built.kernels(), "");
            assert!(built.shell("./code").stdout == built.expected());
        }
    }
}

/// Devices that have larger matrices of `double` use them, where tiles are long enough for eight iterations
/// of a sum.
#[test]
fn larger_matrices_are_used_where_the_device_has_them() {
    let built = |results| {
        built(PROGRAM, |options| {
            options.devices.device.tensor_double_sum = 8;
            options.devices.thread_results = Some(results);
        })
    };
    let (small, large) = ("lw_matrix_8x8x4(C_result[", "lw_matrix_16x8x8(C_result[");
    for (results, n_small, n_large) in [(ThreadResults::Four, 0, 4), (ThreadResults::Eight, 2, 2)] {
        let built = built(results);
        let kernels = built.kernels();
        assert!(kernels.contains("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64"), "{kernels}");
        let found = (kernels.matches(small).count(), kernels.matches(large).count());
        assert_eq!(found, (n_small, n_large), "{kernels}");
        for region in &built.compiled.report.regions {
            let report = &built.compiled.report;
            assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{report}");
            assert!(region.only_tested.is_empty(), "{report}");
        }
        if is_there("gcc") && is_there("g++") {
            let counts = built.counted();
            assert!(counts.findings().is_empty(), "{:?}", counts.findings());
            built.emulate(built.kernels(), "");
            assert!(built.shell("./code").stdout == built.expected());
        }
    }
    built(ThreadResults::Four).refutes_each(&[
        ("C_result[2 * c7 + 1][c8][0]", "C_result[2 * c7 + 1][c8][1]"),
        ("C_result[2 * c7 + 1][c8][0]", "C_result[2 * c7][c8][0]"),
        ("lw_matrix_16x8x8(", "lw_matrix_16x8x8_tf32("),
        ("lw_matrix_16x8x8(", "lw_matrix_8x8x4("),
        ("[c4 + 32 * c7 + 16]", "[c4 + 32 * c7 + 8]"),
        (", A_tile[", ", lw_tf32(A_tile["),
    ]);
}

/// Values that are rounded: what is added up in another order differs by at most one rounding of each
/// operation.
#[test]
fn rounded_sums_are_as_near_as_their_number_of_operations_says() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let end = PROGRAM.find("static void transposed").unwrap();
    let main = "static double A[70][21], B[21][75], C[70][75];\n\
        int main(void)\n{\n  for (int i = 0; i < 70; i++)\n    for (int j = 0; j < 75; j++) {\n      C[i][j] = (i * j % 13 - 6) / 7.0;\n      \
        if (j < 21)\n        A[i][j] = (i + 2 * j) % 11 / 3.0 - 1.5;\n      if (i < 21)\n        B[i][j] = (3 * i + j) % 17 / 9.0 - 0.9;\n    }\n  \
        product(70, 75, 21, 1.1, 0.7, C, A, B);\n  for (int i = 0; i < 70; i++)\n    for (int j = 0; j < 75; j++)\n      \
        printf(\"%.17g\\n\", C[i][j]);\n  return 0;\n}\n";
    let built = built(&format!("{}{main}", &PROGRAM[..end]), |_| ());
    built.emulate(built.kernels(), "");
    let values = |text: &[u8]| -> Vec<f64> {
        let text = String::from_utf8_lossy(text).into_owned();
        text.lines().map(|line| line.parse().expect("a number")).collect()
    };
    let (found, expected) = (values(&built.shell("./code").stdout), values(&built.expected()));
    assert_eq!(found.len(), expected.len());
    // |beta C| + sum of |alpha A B|, of which each of 21 sums and 43 products rounds once on either side.
    let most = 0.7 * 6.0 / 7.0 + 21.0 * 1.1 * 1.9 * 0.9;
    let bound = 2.0 * 65.0 * f64::EPSILON / 2.0 * most;
    let apart = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart <= bound, "{apart} of {bound}");
    assert!(apart > 0.0, "no order rounds");
}

/// Only with updates in any order, on a device that has the instruction, and where it is not switched off.
#[test]
fn they_are_asked_for() {
    for change in [
        |options: &mut CompileOptions| options.reassociate = false,
        |options: &mut CompileOptions| options.devices.tensor_cores = TensorCores::No,
        |options: &mut CompileOptions| options.devices.device.tensor_double_pipelines = 0,
        |options: &mut CompileOptions| options.shared_memory = false,
        |options: &mut CompileOptions| options.device = Some(Language::OpenCl),
    ] {
        let end = PROGRAM.find("static void transposed").unwrap();
        let built = built(&PROGRAM[..end], change);
        assert!(!built.kernels().contains("lw_matrix"), "{}", built.kernels());
    }
    let mut options = CompileOptions::new();
    assert!(options.set("tensor-cores", Some("no")).is_ok());
    assert_eq!(options.devices.tensor_cores, TensorCores::No);
    let said = options.set("tensor-cores", Some("int8")).unwrap_err();
    assert_eq!(said, "--tensor-cores: `int8` is none of fp64, tf32 and no");
}

/// Scalars and numbers among the factors go with the operand of the row.
#[test]
fn other_factors_are_passed_with_rows() {
    let text = "void f(int n, double x, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n]) {\n#pragma scop\n\
         for (int i = 0; i < n; i++)\n for (int j = 0; j < n; j++)\n  for (int k = 0; k < n; k++)\n   C[i][j] += -(A[i][k] * B[k][j] * x * 0.5);\n\
         #pragma endscop\n}\n";
    let built = built(text, |_| ());
    let calls: Vec<&str> = built.kernels().lines().filter(|line| line.contains(CALL)).collect();
    assert_eq!(calls.len(), 1, "{}", built.kernels());
    assert!(calls[0].contains(", -A_tile["), "{}", calls[0]);
    assert!(calls[0].contains("] * x * 0.5, B_tile["), "{}", calls[0]);
    let report = &built.compiled.report.regions[0];
    assert!(report.proofs.iter().all(|(_, proof)| proof.is_proved()), "{report}");
    assert!(report.only_tested.is_empty(), "{report}");
    built.refutes_each(&[
        ("] * x * 0.5,", "] * x,"),
        ("] * x * 0.5,", "] * x * 0.25,"),
        (", -A_tile[", ", A_tile["),
    ]);
}

/// Sums of other numbers, and of what is no product of a row and a column, are computed as elsewhere.
#[test]
fn other_sums_are_not_products_of_matrices() {
    for (element, value) in [
        ("float", "A[i][k] * B[k][j]"),
        ("double", "A[i][k] + B[k][j]"),
        ("double", "A[i][k] * B[k][j] * B[i][j]"),
        ("double", "A[i][k] / B[k][j]"),
    ] {
        let text = format!(
            "void f(int n, {element} C[restrict n][n], {element} A[restrict n][n], {element} B[restrict n][n]) {{\n#pragma scop\n\
             for (int i = 0; i < n; i++)\n for (int j = 0; j < n; j++)\n  for (int k = 0; k < n; k++)\n   C[i][j] += {value};\n\
             #pragma endscop\n}}\n"
        );
        let built = built(&text, |_| ());
        assert!(!built.kernels().contains("lw_matrix"), "{value}: {}", built.kernels());
    }
}

#[test]
fn faults_in_products_of_matrices_are_refuted() {
    let built = product();
    built.refutes_each(&[
        // Results: the other element, another matrix, one that is not begun.
        ("(C_result[c7][c8][0], C_result[c7][c8][1]", "(C_result[c7][c8][1], C_result[c7][c8][0]"),
        ("(C_result[c7][c8][0]", "(C_result[c8][c7][0]"),
        ("(C_result[c7][c8][0]", "(C_result[c7][c8][1]"),
        ("double C_result[4][4][2]", "double C_result[4][2][4]"),
        // The position along the sum.
        (
            "A_tile[c2 - 2 * ((c5 + 4 * c6) / 16)][c5 + 4 * c6 - 8 * c2]",
            "A_tile[0][c5 + 4 * c6 - 8 * c2]",
        ),
        ("[c5 + 4 * c6 - 8 * c2][c4 + 16 * c7]", "[4 * c6 - 8 * c2][c4 + 16 * c7]"),
        ("[c5 + 4 * c6 - 8 * c2][c4 + 16 * c7]", "[c5 + 4 * c6 - 8 * c2 + 4][c4 + 16 * c7]"),
        ("[c5 + 4 * c6 - 8 * c2][c4 + 16 * c7]", "[c4 % 4 + 4 * c6 - 8 * c2][c4 + 16 * c7]"),
        // Rows and columns of threads.
        ("[c4 + 16 * c7], B", "[c4 % 8 + 16 * c7], B"),
        ("[c4 + 16 * c7], B", "[c5 + 16 * c7], B"),
        ("[32 * c3 + 8 * c8 + c4 % 8]);", "[32 * c3 + 8 * c8 + c5]);"),
        ("[32 * c3 + 8 * c8 + c4 % 8]);", "[32 * c3 + 8 * c8 + c4]);"),
        ("[32 * c3 + 8 * c8 + c4 % 8]);", "[32 * c3 + 8 * c7 + c4 % 8]);"),
        ("[32 * c3 + 8 * c8 + c4 % 8]);", "[32 * c3 + 8 * c8 + c4 / 2]);"),
        // Operands in each other's place, one of them twice, one that is subtracted.
        (", A_tile[c2 - 2 * ((c5", ", B_tile[c2 - 2 * ((c5"),
        (", A_tile[c2 - 2 * ((c5", ", -A_tile[c2 - 2 * ((c5"),
        ("[c4 + 16 * c7], B_tile[", "[c4 + 16 * c7], A_tile["),
        // Another shape of blocks, one instruction less.
        ("lw_block(4, 16, 2)", "lw_block(4, 16, 1)"),
        ("lw_block(4, 16, 2)", "lw_block(8, 8, 2)"),
        ("lw_block(4, 16, 2)", "lw_block(16, 4, 2)"),
        ("lw_matrix_8x8x4(", "lw_matrix_8x8x8("),
        ("double A_tile[2][8][68]", "double A_tile[2][8][67]"),
    ]);
    let text = built.proved_text();
    let call = text.lines().find(|line| line.contains(CALL)).unwrap();
    for other in ["", &format!("{call}\n{call}")] {
        built.refutes(&text.replacen(call, other, 1), other);
    }
}
