//! What is chosen for regions on devices: sizes of blocks, by the model or given, and whether the device is
//! worth it.
use crate::devices::{Built, options};
use crate::project::is_there;
use crate::support::headers;
use loopwright::{CompileOptions, DeviceOptions, compile_text};
use loopwright_backend::device::Language;
use loopwright_device::GivenSizes;
use loopwright_machine::{DescribedDevice, Device};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The remarks about the only region of a text.
fn notes(text: &str, options: &CompileOptions) -> Vec<String> {
    let compiled = compile_text("f.c", text, options).unwrap();
    compiled.report.regions[0].notes.clone()
}

fn on(device: &str) -> CompileOptions {
    let mut options = options(Language::Cuda);
    options.devices.device = DescribedDevice::named(device).unwrap().device;
    options
}

/// A region over arrays `A`, `B` and `C`.
fn region(extents: &str, body: &str) -> String {
    format!(
        "void f(int n, double A[restrict {extents}], double B[restrict {extents}], double C[restrict {extents}]) {{\n\
         #pragma scop\n{body}\n#pragma endscop\n}}\n"
    )
}

const SUM: &str =
    "for (int i = 0; i < n; i++)\n for (int j = 0; j < n; j++)\n  C[i][j] = A[i][j] + B[i][j];";
const TRANSPOSED: &str =
    "for (int i = 0; i < n; i++)\n for (int j = 0; j < n; j++)\n  C[j][i] = A[j][i] + 1;";
const FEW_COLUMNS: &str =
    "for (int i = 0; i < n; i++)\n for (int j = 0; j < 3; j++)\n  C[i][j] = A[i][j] + B[i][j];";
const FEW_ROWS: &str =
    "for (int i = 0; i < 3; i++)\n for (int j = 0; j < 1000; j++)\n  C[i][j] = A[i][j] + B[i][j];";
const CUBE: &str = "for (int i = 0; i < n; i++)\n for (int j = 0; j < n; j++)\n  for (int k = 0; k < n; k++)\n   C[i][j][k] = A[i][j][k] + B[i][j][k];";

#[test]
fn sizes_follow_the_loops_and_the_device() {
    for (device, extents, body, expected) in [
        ("generic", "n][n", SUM, "kernel0: blocks of 32 x 8 threads; modelled"),
        ("generic", "n][n", TRANSPOSED, "kernel0: blocks of 32 x 8 threads; modelled"),
        ("hopper", "n][n", SUM, "kernel0: blocks of 32 x 8 threads; modelled"),
        // Threads that have no iteration cost as much as others.
        ("generic", "n][3", FEW_COLUMNS, "kernel0: blocks of 4 x 64 threads; modelled"),
        ("hopper", "n][1000", FEW_ROWS, "kernel0: blocks of 64 x 4 threads, 16 of them; modelled"),
        ("generic", "n][n][n", CUBE, "kernel0: blocks of 32 x "),
    ] {
        let found = notes(&region(extents, body), &on(device));
        assert!(found.iter().any(|note| note.starts_with(expected)), "{device} {body}: {found:?}");
    }
}

#[test]
fn limits_of_a_device_are_named() {
    let mut options = on("hopper");
    options.devices.sizes = Some(GivenSizes::parse("{ kernel[i] -> block[2, 16] }").unwrap());
    let found = notes(&region("n][n", SUM), &options);
    let about = "kernel0: blocks of 16 x 2 threads; modelled: 28 registers a thread, 32 blocks on a multiprocessor, 50 % of its threads, no more for want of blocks";
    assert!(found.iter().any(|note| note == about), "{found:?}");
}

#[test]
fn given_sizes_are_those_of_the_kernel() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/devices/product.c");
    let text = std::fs::read_to_string(path).unwrap();
    for (name, sizes, launch, line) in [
        (
            "tiles",
            "{ kernel[0] -> tile[16, 32]; kernel[i] -> block[4, 8]; kernel[0] -> grid[2, 1] }",
            "lw_block(8, 4, 1)",
            "for (int c2 = 16 * c0 + (int) threadIdx.y; c2 < min(ni, 16 * c0 + 16); c2 += blockDim.y) {",
        ),
        (
            "one_axis",
            "{ kernel[i] -> block[64] }",
            "lw_block(1, 64, 1)",
            "const int c2 = 64 * c0 + (int) threadIdx.y;",
        ),
        ("others", "{ kernel[i] -> block[64, 1] : i > 0 }", "lw_block(32, 8, 1)", "32 * c1"),
        // No block has more threads than the device allows.
        ("many", "{ kernel[i] -> block[128, 64] }", "lw_block(16, 16, 1)", "128 * c0"),
    ] {
        let mut options = options(Language::Cuda);
        options.devices.sizes = Some(GivenSizes::parse(sizes).unwrap());
        let built = Built::with("product", &text, &options).expect("it compiles");
        let kernels = built.kernels();
        assert!(kernels.contains(launch) && kernels.contains(line), "{name}: {kernels}");
        if is_there("gcc") && is_there("g++") {
            built.emulate(kernels, "-O0");
            let output = built.shell("EMULATION_REPORT=1 ./code");
            assert!(output.stdout == built.expected(), "{name}");
            assert!(String::from_utf8_lossy(&output.stderr).contains("copies in 3"), "{name}");
        }
        let grid =
            "lw_grid(lw_blocks((nj - 1) / 32 + 1, 1), lw_blocks(((long) ni + 15) / 16, 2), 1)";
        assert_eq!(kernels.contains(grid), name == "tiles", "{kernels}");
    }
}

#[test]
fn sizes_that_are_none_are_refused() {
    let mut options = options(Language::Cuda);
    options.devices.sizes = Some(GivenSizes::parse("{ kernel[i] -> tile[i, i] }").unwrap());
    let failure = compile_text("f.c", &region("n][n", SUM), &options).unwrap_err();
    let said = failure.to_string();
    assert!(said.contains("--sizes: sizes tile[...] of kernel[0] are not all from 1 to"), "{said}");
}

const SUMS: &str = "
#include <stdio.h>
static void sum(int n, const double *restrict a, double *restrict b)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      b[i] += a[k] * i;
#pragma endscop
}
static double a[300], b[300];
int main(void)
{
  for (int i = 0; i < 300; i++)
    a[i] = i % 7;
  sum(SIZE, a, b);
  for (int i = 0; i < 300; i++)
    printf(\"%a\\n\", b[i]);
  return 0;
}
";

/// A device whose copies and launches cost little.
fn near() -> DeviceOptions {
    let device = Device::parse(
        "transfer-nanoseconds = 0\nlaunch-nanoseconds = 100\ntransfer-megabytes-per-second = 1000000",
    );
    DeviceOptions { device: device.unwrap(), ..DeviceOptions::default() }
}

/// Below some size the program's own loops run, above it the device's, with the same result.
#[test]
fn little_work_stays_on_the_processor() {
    let options =
        CompileOptions { devices: near(), device: Some(Language::Cuda), ..CompileOptions::new() };
    for (size, launches) in [(0, 0), (3, 0), (250, 0), (290, 1)] {
        let text = SUMS.replace("SIZE", &size.to_string());
        let built = Built::with("sums", &text, &options).expect("it compiles");
        let notes = &built.compiled.report.regions[0].notes;
        // 3 operations of n^2 instances save 74 ps each, n of a thread take 20 ns each; 24 n bytes take 1 ps
        // each, the launch 100 ns: the unit is 2 ps.
        let condition = "`111.0 * n * n - 30012.0 * n > 50000`";
        let is_said =
            |note: &String| note.starts_with(&format!("checked at run time: {condition}"));
        assert!(notes.iter().any(is_said), "{notes:?}");
        assert!(built.compiled.code.contains("111.0 * n * n - 30012.0 * n > 50000"));
        if is_there("gcc") && is_there("g++") {
            built.emulate(built.kernels(), "-O0");
            let output = built.shell("EMULATION_REPORT=1 ./code");
            assert!(output.stdout == built.expected(), "{size}");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains(&format!("launches {launches},")), "{size}: {said}");
        }
    }
}

/// What moves as much as it computes never pays, and says so.
#[test]
fn what_never_pays_stays_on_the_processor() {
    let text = region("n][n", SUM);
    let cuda = |always: bool| {
        let devices = DeviceOptions { always, ..DeviceOptions::default() };
        CompileOptions { device: Some(Language::Cuda), devices, ..CompileOptions::new() }
    };
    let found = notes(&text, &cuda(false));
    let reason = "the region stays on the processor: copies and launches take longer than its work";
    assert!(found.iter().any(|note| note.starts_with(reason)), "{found:?}");
    assert!(!notes(&text, &cuda(true)).iter().any(|note| note.contains("stays on")));
}

fn command(arguments: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("device-options");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("f.c"), region("n][n", SUM)).unwrap();
    std::fs::write(folder.join("more.device"), "multiprocessors = 7\n").unwrap();
    std::fs::write(folder.join("bad.device"), "multiprocessors = 7\ncores = 7\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command.output().expect("the command starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

#[test]
fn options_about_devices_without_one_are_refused() {
    for (arguments, status, part) in [
        (&["compile", "f.c", "--device", "hopper"][..], 2, "it goes with --target cuda or opencl"),
        (&["compile", "f.c", "--device-always"], 2, "it goes with --target cuda or opencl"),
        (&["compile", "f.c", "--max-shared-memory", "99"], 2, "it goes with --target"),
        (&["compile", "f.c", "--target=cuda", "--max-shared-memory=1k"], 2, "no number of bytes"),
        (&["compile", "f.c", "--sizes", "{ kernel[i] -> tile[3] }"], 2, "it goes with --target"),
        (&["compile", "f.c", "--sizes", "n=3"], 2, "they go with --amounts"),
        (&["compile", "f.c", "--target=cuda", "--sizes", "{ kernel[i] -> x[3] }"], 2, "is none of"),
        (
            &["compile", "f.c", "--target=cuda", "--device=abacus"],
            1,
            "devices with names are hopper",
        ),
        (
            &["compile", "f.c", "--target=cuda", "--device=bad.device"],
            1,
            "line 2: unknown key `cores`",
        ),
        (&["cc", "--target", "cuda", "gcc"], 2, "only `loopwright compile` writes it"),
        (&["tune", "f.c", "--target", "opencl"], 2, "writes it, unless there is --embed-kernels"),
        (
            &["tune", "f.c", "--target", "cuda", "--nvcc", "no-such-nvcc"],
            1,
            "cannot run no-such-nvcc, which compiles kernels of CUDA",
        ),
        (&["tune", "f.c", "--nvcc", ""], 2, "--nvcc takes a compiler with its flags"),
        (&["compile", "f.c", "--overlap-copies"], 2, "it goes with --target cuda or opencl"),
        (&["compile", "f.c", "--no-shared-memory"], 2, "it goes with --target cuda or opencl"),
        (&["compile", "f.c", "--no-atomic-updates"], 2, "it goes with --target cuda or opencl"),
        (&["compile", "f.c", "--thread-results", "4"], 2, "it goes with --target cuda or opencl"),
        (&["compile", "f.c", "--tensor-cores", "no"], 2, "it goes with --target cuda or opencl"),
        (
            &["compile", "f.c", "--target", "opencl", "--no-shuffles"],
            2,
            "--no-shuffles has no effect with --target opencl: OpenCL has no such thing",
        ),
        (&["compile", "f.c", "--pinned-memory"], 2, "it goes with --target cuda or opencl"),
        (
            &["compile", "f.c", "--target", "opencl", "--pinned-memory"],
            2,
            "OpenCL does not keep memory of programs in its pages",
        ),
        (
            &["cc", "--target", "opencl", "--embed-kernels", "gcc"],
            2,
            "`loopwright compile` writes it",
        ),
        (&["compile", "f.c", "--embed-kernels"], 2, "it goes with --target cuda or opencl"),
        (&["compile", "f.c", "--unified-memory"], 2, "it goes with --target cuda or opencl"),
        (
            &["compile", "f.c", "--target", "cuda", "--embed-kernels"],
            2,
            "CUDA has a compiler of its own",
        ),
        (
            &["compile", "f.c", "--target", "cuda", "--tensor-cores", "tf32"],
            2,
            "--tensor-cores tf32 needs --reassociate: products of matrices are added up in another order",
        ),
        (
            &["compile", "f.c", "--target", "cuda", "--tensor-cores", "bf16"],
            2,
            "is none of fp64, tf32 and no",
        ),
        (&["machine", "--device", "ada", "--generic"], 2, "what is printed is the device"),
        (&["explain", "f.c", "--target", "cuda"], 0, "stays on the processor"),
        (&["explain", "f.c", "--target", "cuda", "--device-always"], 0, "threads of a block"),
    ] {
        let output = command(arguments);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {text}");
        assert!(text.contains(part), "{arguments:?}: {text}");
    }
}

#[test]
fn descriptions_of_devices_are_printed_and_read() {
    let printed = command(&["machine", "--device", "hopper", "--device", "more.device"]);
    let text = String::from_utf8_lossy(&printed.stdout).into_owned();
    for part in [
        "multiprocessors = 7 ",
        "given in more.device",
        "block-threads = 1024 ",
        "compute capability 9.0",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let device = Device::parse(&text).unwrap();
    let hopper = DescribedDevice::named("hopper").unwrap().device;
    assert_eq!(device, Device { multiprocessors: 7, ..hopper });
}

#[test]
fn explain_says_why_a_loop_is_no_block() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/devices/solve.c");
    let file = format!("{}:8", folder.display());
    let output = command(&["explain", &file, "--target", "cuda", "--device-always"]);
    let text = said(&output);
    let part = "c0 is shared by no blocks or threads, each thread runs it: its iterations have to keep their order";
    assert!(text.contains(part), "{text}");
    assert!(!text.contains("nothing of it runs on several threads"), "{text}");
}

/// The second file has a name of its own, and takes the place of no file but an earlier one.
#[test]
fn kernels_go_to_a_file_of_their_own() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("device-files");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("f.c"), region("n][n", SUM)).unwrap();
    let run = |words: &str| {
        let command = format!("{} compile {words}", env!("CARGO_BIN_EXE_loopwright"));
        Command::new("sh").args(["-c", &command]).current_dir(&folder).output().unwrap()
    };
    let there = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    // Twice: an earlier result is replaced.
    for _ in 0..2 {
        let output = run("f.c --target cuda --device-always -o g.c");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert!(there("g_kernels.cu").contains("f_region1_kernel0"));
    }
    let from_input = run("- --target opencl --device-always < f.c");
    assert_eq!(from_input.status.code(), Some(0), "{}", said(&from_input));
    assert!(there("stdin_kernels.c").contains("stdin_region1_kernel0"));
    std::fs::write(folder.join("h_kernels.cu"), "mine\n").unwrap();
    let refused = run("f.c --target cuda --device-always -o h.c");
    assert_eq!(refused.status.code(), Some(1));
    let text = said(&refused);
    assert!(
        text.contains("h_kernels.cu is there already and was not made by an earlier run"),
        "{text}"
    );
    assert_eq!(there("h_kernels.cu"), "mine\n");
    assert!(!folder.join("h.c").exists());
    let scop = run("f.c --target cuda --device-always --emit scop -o scop.txt");
    assert_eq!(scop.status.code(), Some(0), "{}", said(&scop));
    assert!(!folder.join("scop_kernels.cu").exists());
}

/// Kernels in the code itself: one file of C that runs as it is.
#[test]
fn kernels_may_be_in_the_code() {
    let mut options = options(Language::OpenCl);
    options.devices.embedded = true;
    let text = SUMS.replace("sum(SIZE, a, b);", "sum(300, a, b);");
    let built = Built::with("embedded", &text, &options).expect("it compiles");
    let code = &built.compiled.code;
    assert_eq!(built.compiled.device_file(), None);
    let call = code.find("if (embedded_region1(").expect("a call");
    let kernel = code.find("embedded_region1_kernel0(").expect("a kernel");
    assert!(call < code.find("#include <CL/cl.h>").unwrap() && call < kernel, "{code}");
    if is_there("gcc") && headers::has_opencl() {
        let output = built.shell("gcc -O1 -ffp-contract=off code.c -o code -lOpenCL && ./code");
        assert!(output.stdout == built.expected());
    }
    options.device = Some(Language::Cuda);
    let failure = Built::with("embedded", &text, &options).map(|_| ()).expect_err("CUDA");
    assert!(failure.to_string().contains("nvcc compiles them from a file of their own"));
}

/// Memory that the host has as well is asked for in one place, and nothing else is another.
#[test]
fn memory_may_be_that_of_the_host_as_well() {
    for (language, own, unified) in [
        (Language::Cuda, "cudaMalloc((void **)", "cudaMallocManaged((void **)"),
        (
            Language::OpenCl,
            "clCreateBuffer(lw_context, CL_MEM_READ_WRITE, bytes,",
            "clCreateBuffer(lw_context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes,",
        ),
    ] {
        let plain = options(language);
        let mut options = plain.clone();
        options.devices.unified_memory = true;
        let text = SUMS.replace("sum(SIZE, a, b);", "sum(300, a, b);");
        let plain = Built::with("unified", &text, &plain).expect("it compiles");
        let built = Built::with("unified", &text, &options).expect("it compiles");
        assert_eq!(plain.kernels().matches(own).count(), 1);
        assert_eq!(built.kernels(), plain.kernels().replace(own, unified));
        if language == Language::Cuda && is_there("gcc") && is_there("g++") {
            built.emulate(built.kernels(), "-O1");
            assert!(built.shell("./code").stdout == built.expected());
            assert_eq!(built.counted().findings(), []);
        }
        if language == Language::OpenCl && is_there("gcc") && headers::has_opencl() {
            std::fs::write(built.folder.join("kernels.c"), built.kernels()).unwrap();
            let build = "gcc -O1 -ffp-contract=off code.c kernels.c -o code -lOpenCL";
            assert!(built.shell(&format!("{build} && ./code")).stdout == built.expected());
        }
    }
}

/// Several threads of a program may reach regions at the same time.
#[test]
fn threads_of_the_program_share_a_device() {
    let text = SUMS.replace("sum(SIZE, a, b);", "for (int t = 0; t < 1; t++)\n    sum(300, a, b);");
    let mut options = options(Language::OpenCl);
    options.devices.sizes = Some(GivenSizes::parse("{ kernel[i] -> block[16] }").unwrap());
    let built = Built::with("sums", &text, &options).expect("it compiles");
    let kernels = built.kernels();
    // Each call has kernels of its own, so that the arguments of one are not those of another; one thread
    // builds the program.
    for part in [
        "cl_kernel lw_kernel0 = NULL;",
        "LW_TRY(lw_kernel_of(&lw_kernel0, \"sums_region1_kernel0\"));",
        "lw_release_kernel(lw_kernel0);",
        "__sync_lock_test_and_set(&lock, 1)",
        "const size_t lw_block[3] = {16, 1, 1};",
    ] {
        assert!(kernels.contains(part), "{part}: {kernels}");
    }
}
