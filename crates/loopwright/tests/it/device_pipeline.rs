//! How tiles come into shared memory, and how many results threads have: two buffers, asynchronous copies,
//! two versions.
use crate::devices::{Built, are_in_order, on_hopper, options, product_with, program};
use crate::project::is_there;
use loopwright::CompileOptions;
use loopwright_backend::device::Language;
use loopwright_device::ThreadResults;
use std::process::Command;

#[test]
fn tiles_have_two_buffers() {
    let built = product_with(|options| {
        options.devices.thread_results = Some(ThreadResults::Four);
        options.devices.vector_loads = false;
    });
    let kernels = built.kernels();
    are_in_order(
        kernels,
        &[
            "__shared__ double B_tile[2][8][64];",
            "__shared__ double A_tile[2][8][66];",
            "double B_next[2]",
            "double A_next[2]",
            "for (int c2 = -1; c2 <= (nk - 1) / 8; c2++) {",
            "__syncthreads();",
            "A_next[c5] = A[",
            "B_next[c5] = B[",
            "if (c2 >= 0) {",
            "#pragma unroll 8",
            "C_result[c6][c7] += A_tile[c2 - 2 * (c2 / 2)][c5 - 8 * c2][4 * c3 + c6] * B_tile[c2 - 2 * (c2 / 2)][c5 - 8 * c2][c4 + 16 * c7];",
            "= alpha * A_next[c5];",
            "= B_next[c5];",
        ],
    );
    // One in each step, one at the end of a block.
    assert_eq!(kernels.matches("__syncthreads();").count(), 2, "{kernels}");
    assert!(!kernels.contains("__pipeline"), "{kernels}");
    let notes = &built.compiled.report.regions[0].notes;
    assert!(notes.iter().any(|note| note == "`A_tile[2][8][66]` in shared memory"), "{notes:?}");
}

#[test]
fn plain_elements_are_copied_asynchronously_where_devices_can_do_that() {
    let built = product_with(on_hopper);
    let kernels = built.kernels();
    assert!(kernels.contains("#include <cuda_pipeline.h>"), "{kernels}");
    assert!(kernels.contains("__pipeline_memcpy_async(&B_tile["), "{kernels}");
    assert!(!kernels.contains("__pipeline_memcpy_async(&A_tile["), "{kernels}");
    // All barriers wait.
    let waits = "__pipeline_commit();";
    assert_eq!(kernels.matches(waits).count(), kernels.matches("__syncthreads();").count());
    for change in [
        |options: &mut CompileOptions| options.devices.asynchronous_copies = false,
        |options: &mut CompileOptions| options.device = Some(Language::OpenCl),
        |options: &mut CompileOptions| options.devices.device.asynchronous_bytes = 0,
    ] {
        let built = product_with(|options| {
            on_hopper(options);
            change(options);
        });
        assert!(!built.kernels().contains("__pipeline"), "{}", built.kernels());
        assert!(built.kernels().contains("B_tile[2][8]"), "{}", built.kernels());
    }
}

/// Sizes are known when the region runs: a condition chooses how many results a thread has.
#[test]
fn many_blocks_have_threads_with_many_results() {
    let built = product_with(on_hopper);
    let code = &built.compiled.code;
    // 66 of 132 multiprocessors have a block of 128 x 128.
    let condition = "(double) ni * nj > 1081343";
    are_in_order(
        code,
        &[
            condition,
            "product_region1_large(ni, nj, nk, ",
            "} else if (",
            "product_region1(ni, nj, nk, ",
        ],
    );
    for declared in ["C_result[8][8]", "C_result[4][4]", "B_tile[2][8][128]", "B_tile[2][8][64]"] {
        assert!(built.kernels().contains(declared), "{declared}: {}", built.kernels());
    }
    let report = &built.compiled.report.regions[0];
    assert!(report.proofs.iter().all(|(_, proof)| proof.is_proved()), "{report}");
    let said = format!("where `{condition}`: threads have 8 x 8 results, and 4 x 4 elsewhere");
    assert!(report.notes.contains(&said), "{report}");
    for (results, number) in [(ThreadResults::Four, 4), (ThreadResults::Eight, 8)] {
        let only = product_with(|options| options.devices.thread_results = Some(results));
        assert!(only.kernels().contains(&format!("C_result[{number}][{number}]")));
        assert!(!only.kernels().contains("_large"), "{}", only.kernels());
    }
}

/// Bits of the processor, without a finding of the emulation that counts, and of the one in which copies
/// arrive when they are waited for.
#[test]
fn copies_ahead_compute_the_bits_of_the_processor() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    for (name, is_asynchronous, results) in [
        ("tiles", false, ThreadResults::Eight),
        ("tiles", true, ThreadResults::Four),
        ("product", true, ThreadResults::Eight),
    ] {
        let mut options = options(Language::Cuda);
        if is_asynchronous {
            on_hopper(&mut options);
        }
        options.devices.thread_results = Some(results);
        let text = program(name);
        let built = Built::with(name, &text, &options).expect("it compiles");
        assert_eq!(built.kernels().contains("__pipeline"), is_asynchronous);
        assert_eq!(built.counted().findings(), [], "{name}");
        built.emulate(built.kernels(), "-O1");
        assert!(built.shell("./code").stdout == built.expected(), "{name}");
    }
}

/// What the emulations say about copies that nobody waits for.
#[test]
fn emulations_see_copies_that_have_not_arrived() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let built = product_with(|options| {
        on_hopper(options);
        options.devices.thread_results = Some(ThreadResults::Four);
        options.devices.vector_loads = false;
    });
    let planted = built.kernels().replacen("__pipeline_wait_prior(0);", "", 1);
    built.emulate(&planted, "-O1");
    let output = Command::new("./code").current_dir(&built.folder).output().unwrap();
    assert!(output.stdout != built.expected());
}

/// Single faults in the text are seen when it is read back.
#[test]
fn faults_in_copies_ahead_are_refuted() {
    let asynchronous = product_with(|options| {
        on_hopper(options);
        options.devices.thread_results = Some(ThreadResults::Four);
    });
    let in_registers = product_with(|options| {
        options.devices.thread_results = Some(ThreadResults::Eight);
        options.device = Some(Language::OpenCl);
    });
    let faults: [(&Built, &[(&str, &str)]); 2] = [
        (
            &asynchronous,
            &[
                ("__pipeline_wait_prior(0);", ""),
                ("__pipeline_wait_prior(0);", "__pipeline_wait_prior(1);"),
                ("__pipeline_commit();", ""),
                ("__syncthreads();", ""),
                ("&B_tile[c2 - ", "&B_tile[c2 + 1 - "),
                ("&B[(8 * c2", "&B[(8 * c2 + 8"),
                ("sizeof(double));\n", "sizeof(float));\n"),
                ("async(&B_tile", "async(&A_tile"),
                ("A_tile[c2 - 2 * (c2 / 2)]", "A_tile[1 - (c2 - 2 * (c2 / 2))]"),
                ("A_tile[c2 - 2 * (c2 / 2)]", "A_tile[c2 - 2 * (c2 / 3)]"),
                ("if (c2 >= 0) {", "if (c2 >= 1) {"),
                ("for (int c2 = -1;", "for (int c2 = 0;"),
            ],
        ),
        (
            &in_registers,
            &[
                ("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", ""),
                ("= B_next[c5];", "= A_next[c5];"),
                ("= alpha * A_next[c5];", "= A_next[c5];"),
                ("A_next[c5] = A[", "A_next[0] = A["),
                ("C_result[8][8] = {0};", "C_result[8][4] = {0};"),
            ],
        ),
    ];
    // Sizes of other copies are those of their own.
    let is_meant = |own: &str, front: &str| !own.starts_with("sizeof") || front.ends_with("], ");
    for (built, faults) in faults {
        built.refutes_everywhere(faults, is_meant);
    }
}
