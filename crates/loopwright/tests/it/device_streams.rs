//! Blocks of stencils that walk along one dimension of the data, with planes in shared memory and columns in
//! registers.
use crate::devices::{Built, are_in_order, on_hopper, options, program};
use crate::project::is_there;
use loopwright::CompileOptions;
use loopwright_backend::device::Language;

fn built(name: &str, language: Language, change: impl Fn(&mut CompileOptions)) -> Built {
    let mut options = options(language);
    change(&mut options);
    Built::with(name, &program(name), &options).expect("it compiles")
}

/// A step copies the plane two ahead, moves the column, and computes from it and the neighbours in the plane
/// of the step.
#[test]
fn blocks_walk_with_a_column_and_planes() {
    let star = built("star", Language::Cuda, |_| ());
    are_in_order(
        star.kernels(),
        &[
            "__shared__ double a_planes[4][8][32];\n",
            "for (long c3 = 32 * c0 - 2; c3 <= min((long) l - 2, 32 * c0 + 32); c3++) {\n          __syncthreads();\n",
            "a_planes[(c3 + 2) % 4][c4][c5] = a[((c3 + 2) * 19 + 6 * c1 + c4) * 38 + 30 * c2 + c5];",
            "a_column = a_column_2;",
            "a_column_2 = a_column_3;",
            "a_column_3 = a_planes[(c3 + 1) % 4][c4 + 1][c5 + 1];",
            "* (a_column + a_column_3 + a_planes[c3 % 4][c4][c5 + 1] + a_planes[c3 % 4][c4 + 2][c5 + 1] + a_planes[c3 % 4][c4 + 1][c5] + a_planes[c3 % 4][c4 + 1][c5 + 2] - 6.0 * a_column_2);",
        ],
    );
    // One in each step, and one behind the walk.
    assert_eq!(star.kernels().matches("__syncthreads();").count(), 2, "{}", star.kernels());
    assert!(!star.kernels().contains("lw_first"), "{}", star.kernels());
    assert!(star.kernels().contains("const dim3 lw_block(32, 8, 1);"), "{}", star.kernels());
    let report = &star.compiled.report.regions[0];
    let said = "blocks walk along `a`: `a_planes[4][8][32]` in shared memory";
    assert!(report.notes.iter().any(|note| note == said), "{report}");
    assert!(report.proofs.iter().all(|(_, proof)| proof.is_proved()), "{report}");
    let memory = report.proofs.iter().any(|(claim, _)| claim.contains("has memory on the device"));
    assert!(memory, "{report}");

    // All nine columns are in registers, so that only the foremost plane is read.
    let cube = built("cube", Language::Cuda, |_| ());
    let kernels = cube.kernels();
    assert!(kernels.contains("__shared__ float a_planes[2][8][32];\n"), "{kernels}");
    assert!(
        kernels.contains("float a_column_27;") && !kernels.contains("a_column_28"),
        "{kernels}"
    );
    assert_eq!(kernels.matches("= a_planes[").count(), 9, "{kernels}");
}

/// Devices that copy asynchronously have larger blocks here, too.
#[test]
fn planes_are_copied_asynchronously() {
    let star = built("star", Language::Cuda, on_hopper);
    let kernels = star.kernels();
    are_in_order(
        kernels,
        &[
            "__shared__ double a_planes[4][16][32];\n",
            "__pipeline_wait_prior(0);\n          __syncthreads();\n",
            "__pipeline_memcpy_async(&a_planes[(c3 + 2) % 4][c4][c5], &a[((c3 + 2) * 19 + 14 * c1 + c4) * 38 + 30 * c2 + c5], sizeof(double));",
        ],
    );
    let without = built("star", Language::Cuda, |options| {
        on_hopper(options);
        options.devices.asynchronous_copies = false;
    });
    assert!(without.kernels().contains("a_planes[4][16][32]"), "{}", without.kernels());
    assert!(!without.kernels().contains("__pipeline"), "{}", without.kernels());
}

/// What is not wanted, has no memory, or is too small for it, has an instance for each thread.
#[test]
fn other_stencils_have_an_instance_for_each_thread() {
    let walks = |name: &str, change: &dyn Fn(&mut CompileOptions)| {
        built(name, Language::Cuda, change).kernels().contains("_planes[")
    };
    assert!(walks("star", &|_| ()));
    assert!(!walks("star", &|options| options.devices.streaming = false));
    assert!(!walks("star", &|options| options.shared_memory = false));
    assert!(!walks("star", &|options| options.device_registers = false));
    assert!(!walks("star", &|options| options.devices.most_shared_bytes = Some(1024)));
    assert!(!walks("stencil", &|options| options.time_tiles = false));
    // Few places, for which waiting at barriers is all of the time.
    let constant =
        program("star").replace("l - 1", "9").replace("m - 1", "9").replace("n - 1", "9");
    let few = Built::with("few", &constant, &options(Language::Cuda)).unwrap();
    assert!(!few.kernels().contains("_planes["), "{}", few.kernels());
}

/// Bits of the processor, no finding of the emulation, and fewer sectors.
#[test]
fn walking_reads_each_element_about_once() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    for (name, most) in [("star", 0.45), ("cube", 0.15), ("states", 0.75)] {
        let sectors = |streaming: bool| {
            let built = built(name, Language::Cuda, |options| {
                on_hopper(options);
                options.time_tiles = false;
                options.persistent_kernels = false;
                options.devices.streaming = streaming;
            });
            assert_eq!(built.kernels().contains("_planes["), streaming, "{}", built.kernels());
            built.counted().get("load_sectors") as f64
        };
        let (with, without) = (sectors(true), sectors(false));
        assert!(with < most * without, "{name}: {with} of {without}");
    }
}

/// States of a loop over time: a launch for each, or all in one launch with barriers across blocks.
#[test]
fn walks_of_a_loop_over_time_compute_the_bits_of_the_processor() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    for (language, is_joined) in
        [(Language::Cuda, false), (Language::Cuda, true), (Language::OpenCl, false)]
    {
        let built = built("states", language, |options| {
            options.time_tiles = false;
            options.persistent_kernels = is_joined;
        });
        assert!(built.kernels().contains("a_planes[4][8][32]"), "{}", built.kernels());
        assert_eq!(built.kernels().contains("lw_grid_barrier();\n"), is_joined);
        if language == Language::OpenCl {
            let Some(output) = built.on_opencl() else { return };
            assert!(output.stdout == built.expected());
            continue;
        }
        built.emulate(built.kernels(), "-O1");
        assert!(built.shell("./code").stdout == built.expected());
    }
}

/// Single faults in the text: another plane, another column, a barrier that is missing.
#[test]
fn faults_in_the_text_are_refuted() {
    let star = built("star", Language::Cuda, |_| ());
    star.refutes_each(&[
        ("a_planes[(c3 + 2) % 4]", "a_planes[(c3 + 1) % 4]"),
        ("a_planes[(c3 + 1) % 4]", "a_planes[(c3 + 2) % 4]"),
        ("a_planes[c3 % 4][c4][c5 + 1]", "a_planes[c3 % 4][c4][c5]"),
        ("a_planes[4]", "a_planes[3]"),
        ("a_column = a_column_2;", "a_column = a_column_3;"),
        ("a_column_2 = a_column_3;", ""),
        ("c3 = 32 * c0 - 2;", "c3 = 32 * c0 - 1;"),
        ("          __syncthreads();\n", ""),
        ("double a_column_2;", "__shared__ double a_column_2;"),
        ("__shared__ double a_planes", "double a_planes"),
    ]);
}
