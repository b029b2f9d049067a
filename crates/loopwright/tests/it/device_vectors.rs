//! Accesses of 16 bytes: where they are, where they are not and why, and what the proofs and emulations say
//! of wrong ones.
use crate::devices::{Built, are_in_order, on_hopper, options, product_with, program};
use crate::project::is_there;
use loopwright::{CompileOptions, Emit};
use loopwright_backend::device::Language;
use loopwright_device::ThreadResults;

/// A product of matrices with this text for the arrays, the bounds of i, j and k, and what is added up.
fn product_of(arrays: &str, [ni, nj, nk]: [&str; 3], value: &str) -> String {
    format!(
        "{arrays}\nvoid f(int n, int m) {{\n#pragma scop\nfor (int i = 0; i < {ni}; i++) for (int j = 0; j < {nj}; j++) \
         for (int k = 0; k < {nk}; k++) C[i][j] += {value};\n#pragma endscop\n}}\nint main(void) {{ f(64, 64); return 0; }}\n"
    )
}

/// Rows of 64 elements.
const ROWS: &str = "static double C[64][64], A[64][64], B[64][64];";

/// The same in float.
const FLOATS: &str = "static float C[64][64], A[64][64], B[64][64];";

const PRODUCT: &str = "1.5 * A[i][k] * B[k][j]";

fn with_four_results(options: &mut CompileOptions) {
    options.devices.thread_results = Some(ThreadResults::Four);
    options.devices.always = true;
}

fn built(text: &str, language: Language, change: impl Fn(&mut CompileOptions)) -> Built {
    let mut options = options(language);
    with_four_results(&mut options);
    change(&mut options);
    Built::with("vectors", text, &options).expect("it compiles")
}

fn notes(built: &Built) -> String {
    built.compiled.report.regions[0].notes.join("\n")
}

#[test]
fn whole_rows_are_copied_by_vectors() {
    let text = product_of(ROWS, ["64", "64", "64"], PRODUCT);
    let asynchronous = built(&text, Language::Cuda, on_hopper);
    are_in_order(
        asynchronous.kernels(),
        &[
            "  __shared__ __align__(16) double B_tile[2][8][64];",
            "  __shared__ double A_tile[2][8][66];",
            "  double A_next[2] = {0};",
            "__pipeline_memcpy_async(&B_tile[",
            "], &B[",
            "], 16);",
            "const double2 lw_vector = *(const double2 *) &A[",
            "A_next[0] = lw_vector.x;",
            "A_next[1] = lw_vector.y;",
            "= 1.5 * A_next[",
        ],
    );
    let said = notes(&asynchronous);
    for array in ["A", "B"] {
        assert!(said.contains(&format!("`{array}` is copied 2 elements at a time")), "{said}");
    }
    let report = &asynchronous.compiled.report.regions[0];
    assert!(report.proofs.iter().all(|(_, proof)| proof.is_proved()), "{report}");
    let opencl = built(&text, Language::OpenCl, |_| {});
    let read = "const double2 lw_vector = *(__global const double2 *) &B[";
    assert!(opencl.kernels().contains(read), "{}", opencl.kernels());
    let direct = built(&text, Language::OpenCl, |options| options.devices.double_buffers = false);
    for part in [
        "  __local __attribute__((aligned(16))) double B_tile[16][64];",
        "*(__local double2 *) &B_tile[",
        "] = *(__global const double2 *) &B[",
    ] {
        assert!(direct.kernels().contains(part), "{part}: {}", direct.kernels());
    }
    // What is computed on its way is copied element by element.
    assert!(!direct.kernels().contains("double2 *) &A["), "{}", direct.kernels());
    let tree = asynchronous.compiled.emit_region(0, Emit::Schedule).unwrap();
    assert_eq!(tree.matches("vector_copy(2)").count(), 2, "{tree}");
}

#[test]
fn four_elements_of_float_are_a_vector() {
    let text = product_of(FLOATS, ["64", "64", "64"], "A[i][k] * B[k][j]");
    let eight = |options: &mut CompileOptions| {
        options.devices.thread_results = Some(ThreadResults::Eight);
    };
    let built = built(&text, Language::Cuda, eight);
    let kernels = built.kernels();
    assert!(kernels.contains("const float4 lw_vector = *(const float4 *) &B["), "{kernels}");
    assert!(kernels.contains("[3] = lw_vector.w;"), "{kernels}");
}

/// What is not aligned, or not whole, stays as it was.
#[test]
fn others_are_copied_element_by_element() {
    let odd = ROWS.replace("[64][64]", "[64][63]");
    let wide = "static double C[64][64], A[64][80], B[80][80];";
    let all = ["64", "64", "64"];
    for (what, text) in [
        ("rows of odd length", product_of(&odd, ["64", "63", "63"], PRODUCT)),
        (
            "vectors that begin in the middle",
            product_of(wide, all, "1.5 * A[i][k + 1] * B[k][j + 3]"),
        ),
        ("every second element", product_of(wide, ["64", "32", "32"], "A[i][2 * k] * B[k][2 * j]")),
        ("rows that end in a vector", product_of(wide, ["64", "63", "63"], PRODUCT)),
        ("a sum that ends in a tile", product_of(wide, ["64", "64", "62"], PRODUCT)),
        ("columns", product_of(ROWS, all, "A[k][i] * B[j][k]").replace("B[j][k]", "B[j][0]")),
    ] {
        let built = built(&text, Language::Cuda, on_hopper);
        let kernels = built.kernels();
        assert!(!kernels.contains("double2") && !kernels.contains(", 16);"), "{what}: {kernels}");
        assert!(!notes(&built).contains("elements at a time"), "{what}");
    }
    let off = built(&product_of(ROWS, all, PRODUCT), Language::Cuda, |options| {
        on_hopper(options);
        options.devices.vector_loads = false;
    });
    assert!(!off.kernels().contains("double2") && !off.kernels().contains(", 16);"));
}

/// Symbolic sizes have a version for multiples of what an access has, and for sums of what a tile has.
#[test]
fn multiples_have_a_version_of_their_own() {
    let built = product_with(on_hopper);
    let condition = "nj % 2 == 0 && nk % 8 == 0";
    are_in_order(
        &built.compiled.code,
        &[
            "(double) ni * nj > 1081343 && ",
            condition,
            "product_region1_vectors(ni, nj, nk, ",
            "} else if (",
            "product_region1_large(ni, nj, nk, ",
        ],
    );
    assert!(notes(&built).contains(&format!("{condition}`: threads copy 16 bytes at a time")));
    let report = &built.compiled.report.regions[0];
    assert!(report.proofs.iter().all(|(_, proof)| proof.is_proved()), "{report}");
    let off = product_with(|options| {
        on_hopper(options);
        options.devices.vector_loads = false;
    });
    assert!(!off.kernels().contains("_vectors"), "{}", off.kernels());
}

/// Bits of the processor, without a finding of the emulation that counts, no more sectors, and about half the
/// requests of the copies.
#[test]
fn vectors_compute_the_bits_of_the_processor() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    for (results, is_counted) in [(ThreadResults::Four, false), (ThreadResults::Eight, true)] {
        let counted = |vector_loads: bool| {
            let built = built(&program("vectors"), Language::Cuda, |options| {
                on_hopper(options);
                options.devices.thread_results = Some(results);
                options.devices.vector_loads = vector_loads;
            });
            assert_eq!(built.kernels().contains("lw_vector = "), vector_loads);
            built.emulate(built.kernels(), "-O1");
            assert!(built.shell("./code").stdout == built.expected());
            if is_counted { built.counted() } else { Default::default() }
        };
        let (with, without) = (counted(true), counted(false));
        assert_eq!((with.findings(), without.findings()), (Vec::new(), Vec::new()));
        assert!(with.get("load_sectors") <= without.get("load_sectors"), "{with:?} {without:?}");
        assert!(with.get("store_sectors") <= without.get("store_sectors"));
        let is_less = with.get("loads") < without.get("loads");
        assert!(is_less || !is_counted, "{with:?} {without:?}");
    }
    for double_buffers in [true, false] {
        let built = built(&program("vectors"), Language::OpenCl, |options| {
            options.devices.double_buffers = double_buffers;
        });
        if let Some(output) = built.on_opencl() {
            assert!(output.stdout == built.expected());
        }
    }
}

/// What the emulations say about accesses that are not aligned.
#[test]
fn emulations_trap_accesses_that_are_not_aligned() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let text = product_of(ROWS, ["62", "62", "56"], PRODUCT);
    for (own, other) in [("&A[", "&A[1 + "), ("&B[", "&B[1 + ")] {
        let built = built(&text, Language::Cuda, on_hopper);
        assert!(built.kernels().contains(own));
        let planted = built.kernels().replace(own, other);
        built.emulate(&planted, "-O1");
        let run = std::process::Command::new("./code").current_dir(&built.folder).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr).to_string();
        assert!(!run.status.success() && said.contains("not aligned"), "{said}");
        let (_, counted) = built.counted_text(&planted);
        assert!(counted.get("misaligned") > 0, "{counted:?}");
    }
}

/// Single faults in the text are seen when it is read back.
#[test]
fn faults_in_vectors_are_refuted() {
    let text = product_of(ROWS, ["64", "64", "64"], PRODUCT);
    let asynchronous = built(&text, Language::Cuda, on_hopper);
    let direct = built(&text, Language::OpenCl, |options| options.devices.double_buffers = false);
    let edge = built(&product_of(ROWS, ["64", "50", "48"], PRODUCT), Language::Cuda, on_hopper);
    let faults: [(&Built, &[(&str, &str)]); 3] = [
        (
            &asynchronous,
            &[
                // A wrong width.
                (", 16);", ", 8);"),
                (", 16);", ", 32);"),
                ("const double2 lw_vector", "const double4 lw_vector"),
                ("const double2 lw_vector", "const float4 lw_vector"),
                ("*(const double2 *) &A", "*(const int2 *) &A"),
                // Elsewhere: not aligned, or another vector.
                ("&A[", "&A[1 + "),
                ("&B[", "&B[1 + "),
                ("&A[", "&A[2 + "),
                ("&B[", "&B[2 + "),
                ("&A[", "&B["),
                // Shared memory that begins anywhere.
                ("__shared__ __align__(16) double B", "__shared__ double B"),
                ("__align__(16)", "__align__(8)"),
                // Other registers and parts.
                ("lw_vector.x;", "lw_vector.y;"),
                ("lw_vector.y;", "lw_vector.z;"),
                ("A_next[1] = lw_vector.y;", ""),
                ("A_next[1] = lw_vector", "A_next[0] = lw_vector"),
                ("const double2 lw_vector", "double2 lw_vector"),
            ],
        ),
        (
            &direct,
            &[
                ("*(__local double2 *) &B_tile[", "*(__local double2 *) &B_tile[1 + "),
                ("*(__global const double2 *) &B[", "*(__global const double2 *) &B[1 + "),
                ("*(__global const double2 *) &B[", "*(__local const double2 *) &B["),
                ("*(__global const double2 *) &B[", "*(__global const float4 *) &B["),
                ("__attribute__((aligned(16))) ", ""),
                ("*(__local double2 *) &B_tile[", "B_tile["),
            ],
        ),
        // At borders a vector is there as a whole or not at all.
        (
            &edge,
            &[
                ("% 64 <= 49", "% 64 <= 50"),
                ("% 64 <= 49", "% 64 <= 51"),
                ("% 64 <= 49", "% 64 <= 47"),
            ],
        ),
    ];
    for (built, faults) in faults {
        built.refutes_everywhere(faults, |_, _| true);
    }
}
