//! What kernels keep in shared memory and registers besides results and operands of sums: operands of
//! statements without loops, also of arrays that the kernel writes, and elements that innermost loops use
//! again.
use crate::devices::{Built, options, program};
use crate::project::is_there;
use loopwright::CompileOptions;
use loopwright_backend::device::Language;

const PROGRAM: &str = include_str!("../devices/elimination.c");

fn elimination(language: Language, change: impl Fn(&mut CompileOptions)) -> Built {
    let mut options = options(language);
    change(&mut options);
    Built::with("elimination", PROGRAM, &options).expect("it compiles")
}

/// The same with a launch for each kernel.
fn in_launches(change: impl Fn(&mut CompileOptions)) -> Built {
    elimination(Language::Cuda, |options| {
        options.persistent_kernels = false;
        change(options);
    })
}

/// A row and a column of the array that the kernel writes are read once for a block; they are filled by the
/// first row of threads.
#[test]
fn operands_of_an_array_that_is_written_are_in_shared_memory() {
    let built = in_launches(|_| ());
    let kernels = built.kernels();
    for text in [
        "  __shared__ double A_tile[32];\n",
        "  __shared__ double A_tile_2[32];\n",
        "      if (threadIdx.y == 0) {\n        const int c4 = (int) threadIdx.x;\n",
        "A_tile[c4] = A[(32 * c1 + c4) * n + (int) c0];",
        "A_tile_2[c4] = A[((int) c0) * n + 32 * c2 + c4];",
        "A[(32 * c1 + 4 * c3 + c5) * n + 32 * c2 + c4] -= A_tile[4 * c3 + c5] * A_tile_2[c4];",
    ] {
        assert!(kernels.contains(text), "{text}: {kernels}");
    }
    assert!(!kernels.contains("lw_first"), "{kernels}");
    assert_eq!(kernels.matches("__syncthreads();").count(), 2, "{kernels}");
    let notes = &built.compiled.report.regions[0].notes;
    assert!(notes.iter().any(|note| note == "`A_tile[32]` in shared memory"), "{notes:?}");
    if is_there("gcc") && is_there("g++") {
        let without = in_launches(|options| options.shared_memory = false);
        assert!(!without.kernels().contains("__shared__"), "{}", without.kernels());
        let [with, without] = [built.counted(), without.counted()].map(|c| c.get("load_sectors"));
        assert!(with < without, "{with} of {without}");
    }
    let joined = elimination(Language::Cuda, |_| ());
    // Its blocks are those of the kernel with tiles.
    assert!(joined.kernels().contains("lw_block(32, 8, 1);"), "{}", joined.kernels());
}

/// Elements are loaded in front of a loop, and stored behind it if it writes them.
#[test]
fn elements_that_loops_use_again_are_in_registers() {
    let built = in_launches(|_| ());
    let kernels = built.kernels();
    let read = "
          const double B_value = B[c2 * n + c1];
          for (int c3 = 0; c3 < c2; c3++) {
            B[c3 * n + c1] += A[c2 * n + c3] * B_value;
          }
";
    let written = "
    double s_value = s[0];
    for (int c0 = 0; c0 < n; c0++) {
      s_value += A[c0 * n + c0] * B[c0 * n + c0];
    }
    s[0] = s_value;
";
    assert!(kernels.contains(read) && kernels.contains(written), "{kernels}");
    let without = in_launches(|options| options.device_registers = false);
    assert!(!without.kernels().contains("_value"), "{}", without.kernels());
    if is_there("gcc") && is_there("g++") {
        let [with, without] = [built.counted(), without.counted()].map(|c| c.get("load_sectors"));
        assert!(with < without, "{with} of {without}");
    }
}

/// What may be another element for each iteration, is read only under a condition, or is written by another
/// name is not kept.
#[test]
fn elements_that_may_change_are_not_kept() {
    for (body, is_kept) in [
        ("x[i] += y[0] * y[j];", true),
        ("x[i] += y[i] > 0 ? z[0] : z[j];", false),
        ("z[i] += z[0] * y[j];", false),
        ("z[j] = z[n] + y[j] * i;", false),
    ] {
        let text = format!(
            "void f(int n, double x[restrict n + 1], double y[restrict n + 1], double z[restrict n + 1]) {{\n#pragma scop\n\
             for (int i = 0; i < n; i++)\n for (int j = 0; j <= n; j++)\n  {body}\n#pragma endscop\n}}\n"
        );
        let Ok(compiled) = loopwright::compile_text("f.c", &text, &options(Language::Cuda)) else {
            panic!("{body}")
        };
        let text = compiled.device_file().map(|file| file.text.as_str()).unwrap_or_default();
        let constant =
            text.contains("const double y_value") || text.contains("const double z_value");
        assert_eq!(constant, is_kept, "{body}: {text}");
    }
}

/// A block has no more shared memory than is allowed.
#[test]
fn shared_memory_may_be_limited() {
    for (most, tiles) in [(512, 2), (511, 1), (255, 0)] {
        let built = elimination(Language::Cuda, |options| {
            options.set("max-shared-memory", Some(&most.to_string())).expect("it is a number");
        });
        assert_eq!(built.kernels().matches("__shared__").count(), tiles, "{}", built.kernels());
    }
}

/// Single faults in what is filled, kept and stored are seen when the text is read back.
#[test]
fn faults_in_what_is_kept_are_refuted() {
    for language in [Language::Cuda, Language::OpenCl] {
        let built = elimination(language, |_| ());
        let first = match language {
            Language::Cuda => "if (threadIdx.y == 0)",
            Language::OpenCl => "if (get_local_id(1) == 0)",
        };
        built.refutes_each(&[
            (first, "if (1)"),
            ("A_tile[c4] = A[(32", "A_tile[c4] = A[(31"),
            ("A_tile_2[c4] = A[", "A_tile_2[c4] = A[1 + "),
            ("-= A_tile[4 * c3 + c5] * A_tile_2[c4]", "-= A_tile[4 * c3 + c5] * A_tile[c4]"),
            ("double A_tile_2[32];", "double A_tile_2[31];"),
            ("const double B_value = B[c2 * n + c1];", "const double B_value = B[c1 * n + c2];"),
            ("const double B_value = B[c2 * n + c1];", "const double B_value = B[c2 * n];"),
            ("const double B_value", "double B_value"),
            ("const double B_value", "const float B_value"),
            ("B_value = B[c2 * n + c1];", "B_value;"),
            ("A[c2 * n + c3] * B_value", "B_value * B_value"),
            ("B[c3 * n + c1] += A", "B_value += A"),
            ("double s_value = s[0];", "double s_value;"),
            ("double s_value = s[0];", "const double s_value = s[0];"),
            ("double s_value = s[0];", "double s_value = A[0];"),
            ("    s[0] = s_value;\n", ""),
            ("    s[0] = s_value;\n", "    s[1] = s_value;\n"),
            ("s_value += A", "s[0] += A"),
        ]);
    }
}

/// Products as programs write them: of linear arrays, whose elements are written as the program writes them
/// also where all others are in registers; and of constant sizes, whose loops are generated in pieces that
/// share tiles.
#[test]
fn products_of_linear_arrays_and_of_constant_sizes_have_tiles() {
    for name in ["linear_product", "constant_product"] {
        for language in [Language::Cuda, Language::OpenCl] {
            let built = Built::with(name, &program(name), &options(language)).unwrap();
            for declared in ["double A_tile[2][8][66];", "double B_tile[2][8][64];"] {
                assert_eq!(built.kernels().matches(declared).count(), 1, "{}", built.kernels());
            }
            assert!(
                built.kernels().contains("double C_result[4][4] = {0};"),
                "{}",
                built.kernels()
            );
            let notes = &built.compiled.report.regions[0].notes;
            assert!(!notes.iter().any(|note| note.contains("not proved")), "{notes:?}");
        }
    }
}
