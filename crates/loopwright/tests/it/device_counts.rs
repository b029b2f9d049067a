//! What the emulation of `loopwright_testkit::emulation` counts and finds: kernels whose counts are known by
//! arithmetic, faults that are planted in kernel text, and the programs of `tests/devices`.
use crate::devices::{Built, ON_DEVICE, options, program};
use crate::project::is_there;
use crate::support::{headers, scratch};
use loopwright_backend::device::Language;
use loopwright_testkit::cuda_text::emulated;
use loopwright_testkit::emulation::{Counts, FLAGS};
use std::path::PathBuf;
use std::process::Command;

/// The faults of `planted/races.cu`.
const FAULTS: usize = 25;

/// A program of CUDA text alone, built with the emulation.
struct Emulated {
    folder: PathBuf,
}

impl Emulated {
    fn new(name: &str, text: &str) -> Emulated {
        let folder = scratch("device_counts").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("all.cpp"), emulated(text).unwrap()).unwrap();
        let output = Command::new("g++")
            .args(FLAGS)
            .arg("-w")
            .arg("-I")
            .arg(headers::of_counting(&FLAGS.join(" ")))
            .args(["all.cpp", "-o", "all"])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Emulated { folder }
    }

    fn counts(&self, argument: usize) -> Counts {
        let status = Command::new("./all")
            .arg(argument.to_string())
            .current_dir(&self.folder)
            .env("EMULATION_COUNTS", "counts")
            .stderr(std::process::Stdio::null())
            .status();
        assert!(status.unwrap().success());
        Counts::parse(&std::fs::read_to_string(self.folder.join("counts")).unwrap())
    }
}

#[test]
fn planted_races_are_found() {
    if !is_there("g++") {
        return;
    }
    let program = Emulated::new("races", include_str!("../planted/races.cu"));
    assert_eq!(program.counts(0).findings(), []);
    for fault in 1..=FAULTS {
        assert_ne!(program.counts(fault).findings(), [], "fault {fault}");
    }
    let first = |fault| program.counts(fault).findings()[0].0;
    // Dropped barriers, a write by all threads, and blocks that write one element are races; the others have
    // names of their own.
    for race in [5, 7, 10, 13, 15, 17, 18, 19, 20, 21, 22, 24, 25] {
        assert_eq!(first(race), "races", "fault {race}");
    }
    for outside in [1, 2, 4, 6, 9, 12] {
        assert_eq!(first(outside), "outside", "fault {outside}");
    }
    for undefined in [3, 8, 23] {
        assert_eq!(first(undefined), "undefined", "fault {undefined}");
    }
    assert_eq!(first(14), "uneven_barriers");
}

/// Barriers across blocks that are missing, that not all blocks or threads reach, or in a launch whose blocks
/// do not run at the same time.
#[test]
fn planted_faults_in_barriers_across_blocks_are_found() {
    if !is_there("g++") {
        return;
    }
    let program = Emulated::new("grid_barriers", include_str!("../planted/grid_barriers.cu"));
    let right = program.counts(0);
    assert_eq!(right.findings(), []);
    assert_eq!((right.get("grid_barriers"), right.get("sums.launches")), (2, 2));
    for (fault, finding) in [
        (1, "races"),
        (2, "uneven_barriers"),
        (3, "uneven_barriers"),
        (4, "races"),
        (5, "uneven_barriers"),
    ] {
        let findings = program.counts(fault).findings();
        assert!(findings.iter().any(|(name, _)| *name == finding), "fault {fault}: {findings:?}");
    }
}

/// Shuffles to which not all lanes come that they name, and lanes that read others than those that the text
/// means.
#[test]
fn planted_faults_in_shuffles_are_found() {
    if !is_there("g++") {
        return;
    }
    let program = Emulated::new("shuffles", include_str!("../planted/shuffles.cu"));
    let right = program.counts(0);
    assert_eq!(right.findings(), []);
    // Five steps of two warps.
    assert_eq!((right.get("shuffles"), right.get("barriers")), (10, 0));
    for fault in [1, 2, 3, 5] {
        let findings = program.counts(fault).findings();
        let is_found = findings.iter().any(|(name, _)| *name == "uneven_barriers");
        assert!(is_found, "fault {fault}: {findings:?}");
    }
    // Another distance is another sum, which the program sees.
    assert_eq!(program.counts(4).findings(), []);
}

/// Updates by one instruction do not meet each other, but they meet other accesses of their elements.
#[test]
fn planted_races_with_updates_by_one_instruction_are_found() {
    if !is_there("g++") {
        return;
    }
    let program = Emulated::new("atomics", include_str!("../planted/atomics.cu"));
    let right = program.counts(0);
    assert_eq!((right.get("atomics"), right.findings()), (128, vec![]));
    for fault in 1..=4 {
        let findings = program.counts(fault).findings();
        let is_found = findings.iter().any(|(name, _)| *name == "races");
        assert!(is_found, "fault {fault}: {findings:?}");
    }
}

/// Two blocks of 32 threads: elements side by side, four apart, all the same; columns of tiles with and
/// without padding.
const KNOWN: &str = "
#include <cuda_runtime.h>
__global__ void k(const double *__restrict__ a, double *__restrict__ b)
{
  __shared__ double plain[32][32], padded[32][33];
  const int t = threadIdx.x, i = 32 * blockIdx.x + t;
  double x = a[i] * 2 + a[4 * t];
  plain[t][0] = x;
  padded[t][0] = a[0];
  __syncthreads();
  b[i] = x;
}
int main()
{
  double *a, *b, host[128] = {0};
  cudaMalloc((void **) &a, sizeof(host));
  cudaMalloc((void **) &b, sizeof(host));
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  k<<<2, 32>>>(a, b);
  cudaMemcpy(host, b, 64 * sizeof(double), cudaMemcpyDeviceToHost);
}
";

#[test]
fn counts_are_those_of_arithmetic() {
    if !is_there("g++") {
        return;
    }
    let counts = Emulated::new("known", KNOWN).counts(0);
    assert_eq!(counts.findings(), []);
    let expected = [
        ("launches", 1),
        ("blocks", 2),
        ("threads", 64),
        ("barriers", 2),
        ("thread_barriers", 64),
        ("bytes_in", 1024),
        ("bytes_out", 512),
        ("loads", 3 * 64),
        ("stores", 64),
        ("load_requests", 6),
        ("store_requests", 2),
        // For each block 32 doubles side by side, 32 that are four apart, and one.
        ("load_sectors", 2 * (8 + 32 + 1)),
        ("store_sectors", 2 * 8),
        // A column of rows of 256 bytes is in two banks; with padding each bank has two words.
        ("shared_requests", 4),
        ("shared_cycles", 2 * (32 + 2)),
        ("ideal_shared_cycles", 2 * (2 + 2)),
        ("shared_bytes", 8 * 32 * (32 + 33)),
        ("operations", 2 * 64),
        ("k.launches", 1),
        ("k.block_threads", 32),
    ];
    for (name, count) in expected {
        assert_eq!(counts.get(name), count, "{name}");
    }
}

/// Our kernels on the emulation that checks each access: nothing is found, and the results are the same.
#[test]
fn generated_kernels_do_nothing_that_they_must_not() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let built = |name| Built::with(name, &program(name), &options(Language::Cuda));
    let all = ON_DEVICE.map(|name| built(name).expect("it compiles"));
    for (name, counts) in ON_DEVICE.into_iter().zip(Built::counted_all(&all)) {
        assert_eq!(counts.findings(), [], "{name}");
        assert!(counts.get("launches") > 0 && counts.get("stores") > 0, "{name}");
    }
}
