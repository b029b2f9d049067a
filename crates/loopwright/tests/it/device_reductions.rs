//! Loops that combine on devices, with updates in any order: the threads of a block share them, in both
//! languages, and results are those of the processor. The values of the programs are such that no order
//! rounds.
use crate::devices::{Built, options, program};
use crate::project::is_there;
use crate::support::headers::has_opencl;
use loopwright::CompileOptions;
use loopwright_backend::device::Language;
use loopwright_testkit::emulation::Counts;

fn reassociating(language: Language) -> CompileOptions {
    CompileOptions { reassociate: true, ..options(language) }
}

fn built(name: &str, language: Language) -> Built {
    built_with(name, &reassociating(language))
}

fn without_shuffles(name: &str) -> Built {
    let mut options = reassociating(Language::Cuda);
    options.devices.shuffles = false;
    built_with(name, &options)
}

fn built_with(name: &str, options: &CompileOptions) -> Built {
    Built::proved(name, &program(name), options)
}

const PROGRAMS: [&str; 4] = ["dot", "row_sums", "operators", "prefixes"];

/// The emulation that counts sees races, values that nobody has written, and barriers that not all threads
/// reach.
#[test]
fn cuda_combines_what_the_processor_does() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    for name in PROGRAMS {
        let counts: Counts = built(name, Language::Cuda).counted();
        assert!(counts.findings().is_empty(), "{name}: {:?}", counts.findings());
    }
}

#[test]
fn opencl_combines_what_the_processor_does() {
    if !has_opencl() {
        return;
    }
    for name in PROGRAMS {
        let built = built(name, Language::OpenCl);
        std::fs::write(built.folder.join("kernels.c"), built.kernels()).unwrap();
        built.shell("gcc -O1 -w -ffp-contract=off kernels.c code.c -o code -lOpenCL -lm");
        let output = built.shell("./code");
        assert!(output.stdout == built.expected(), "{name}");
    }
}

/// Without barriers and shared memory where a warp has a row for itself.
#[test]
fn warps_combine_rows_without_barriers() {
    let rows = built("row_sums", Language::Cuda);
    let kernels = rows.kernels();
    assert!(kernels.contains("t_other = __shfl_down_sync(0xffffffff, t_own, 16);"), "{kernels}");
    assert!(!kernels.contains("__shared__") && !kernels.contains("__syncthreads"), "{kernels}");
    let of = |distance: u32| kernels.matches(&format!("_own, {distance});\n")).count();
    // Of two sums.
    assert_eq!([16, 8, 4, 2, 1].map(of), [2; 5], "{kernels}");
}

/// A register for each thread over a loop in turns, halves in shared memory behind barriers, and a second
/// kernel for blocks.
#[test]
fn one_sum_is_a_tree_in_each_block_and_one_of_blocks() {
    let dot = without_shuffles("dot");
    let kernels = dot.kernels();
    let expected = "\
  for (int c0 = (int) blockIdx.x; c0 <= 63; c0 += gridDim.x) {
    {
      const int c1 = (int) threadIdx.x;
      s_own = 0;
      for (int c2 = 256 * c0 + c1; c2 < n; c2 += 16384) {
        s_own += a[c2] * b[c2];
      }
      s_part[c1] = s_own;
    }
    __syncthreads();
    {
      const int c1 = (int) threadIdx.x;
      if (c1 <= 127) {
        s_part[c1] += s_part[c1 + 128];
      }
    }
    __syncthreads();
";
    assert!(kernels.contains(expected), "{kernels}");
    let last = "\
    __syncthreads();
    if (threadIdx.x == 0) {
      s_part[0] += s_part[1];
      s_blocks[c0] = s_part[0];
    }
";
    assert!(kernels.contains(last), "{kernels}");
    assert!(kernels.contains("  s_block[c0] = s_blocks[c0];\n"), "{kernels}");
    assert!(kernels.contains("    s[0] += s_block[0];\n"), "{kernels}");
    assert_eq!(kernels.matches("__global__").count(), 2, "{kernels}");
    let wanted = "`s` (+): 64 blocks of 256 threads combine their results, and a second kernel those of blocks";
    assert!(dot.notes().iter().any(|note| note == wanted), "{:?}", dot.notes());
    assert!(!dot.compiled.code.contains("s_blocks"), "{}", dot.compiled.code);
}

/// A warp for each row: threads side by side read elements side by side.
#[test]
fn rows_are_combined_by_warps() {
    let rows = without_shuffles("row_sums");
    let kernels = rows.kernels();
    for part in [
        "  __shared__ double t_part[8][32];\n",
        "      const int c1 = 8 * c0 + (int) threadIdx.y;\n",
        "        for (int c3 = c2; c3 < m; c3 += 32) {\n          const double x_value = x[c3];\n          t_own = A[c1 * m + c3] * x_value + t_own;\n",
        "          t_part[c1 - 8 * c0][c2] += t_part[c1 - 8 * c0][c2 + 16];\n",
        "const dim3 lw_block(32, 8, 1);",
    ] {
        assert!(kernels.contains(part), "{part}\n{kernels}");
    }
    assert_eq!(kernels.matches("__global__").count(), 1, "{kernels}");
}

/// Inside of loops of the host one block does all, with what stands around the sum.
#[test]
fn sums_in_loops_of_the_host_take_one_block() {
    let operators = built("operators", Language::Cuda);
    let said = operators.notes();
    let wanted = ["`s` (+): 256 threads combine their results", "`m` (max): 64 blocks"];
    for part in wanted {
        assert!(said.iter().any(|note| note.starts_with(part)), "{part}: {said:?}");
    }
    // A variable of each row, which is the element that it ends in.
    let per_row = "`y` (+): 32 threads combine an element, a block 8 of them";
    assert!(said.iter().any(|note| note == per_row), "{said:?}");
}

/// Loops that use the value that they carry: totals of chunks, these one after the other, and the loop again
/// from there on, in one launch.
#[test]
fn prefixes_run_in_chunks() {
    let prefixes = built("prefixes", Language::Cuda);
    let said = prefixes.notes();
    let chunks = "prefixes in chunks of 256 iterations, the values of chunks one after the other";
    for name in ["`s` (+)", "`b` (+)", "`c` (|)"] {
        assert!(said.contains(&format!("{name}: {chunks}")), "{name}: {said:?}");
    }
    let kernels = prefixes.kernels();
    for part in [
        "          s_totals_value += a[c2];\n",
        "s_totals[0] += s[0];\n",
        "          b[c2] = s_chunks_value;\n",
        "          b_totals_value = b_totals_value + a[c2];\n",
        "lw_grid_barrier();\n",
    ] {
        assert!(kernels.contains(part), "{part}\n{kernels}");
    }
    // A maximum by a condition around its update stays: its text is not read back yet.
    assert_eq!(kernels.matches("__global__").count(), 4, "{kernels}");
}

/// Without the option the order of the program is kept, but for results that are the same in every order.
#[test]
fn without_the_option_nothing_is_combined_in_another_order() {
    let rows = Built::with("row_sums", &program("row_sums"), &options(Language::Cuda)).unwrap();
    assert!(!rows.kernels().contains("_part["), "{}", rows.kernels());
    assert!(!rows.notes().iter().any(|note| note.contains("combine")), "{:?}", rows.notes());

    let operators = built_with("operators", &options(Language::Cuda));
    let said = operators.notes();
    let blocks =
        "64 blocks of 256 threads combine their results, and a second kernel those of blocks";
    let combined: Vec<&String> = said.iter().filter(|note| note.contains("combine")).collect();
    // Neither the product nor the sums of fractions.
    let exact = ["`m` (max)", "`m` (min)", "`c` (+)", "`c` (^)", "`c` (&)", "`c` (|)"];
    assert_eq!(combined, exact.map(|of| format!("{of}: {blocks}")).iter().collect::<Vec<_>>());
    let zero = "any order of S1 gives the same, but for the sign of a zero: where `m` is one, the region runs as it was";
    assert!(said.iter().any(|note| note == zero), "{said:?}");
    let same = said.iter().filter(|note| *note == "any order of S0 gives the same");
    assert_eq!(same.count(), 5, "{said:?}");
    let is_reordered = |note: &String| note.contains("another way") || note.contains("assumed");
    assert!(!said.iter().any(is_reordered), "{said:?}");
    if is_there("gcc") && is_there("g++") {
        let counts: Counts = operators.counted();
        assert!(counts.findings().is_empty(), "{:?}", counts.findings());
    }
    for name in ["dot", "prefixes"] {
        let built = Built::with(name, &program(name), &options(Language::Cuda)).unwrap();
        assert_eq!(built.compiled.device_file(), None, "{name}");
    }
}
