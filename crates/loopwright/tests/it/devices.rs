//! Regions on devices: the programs of `tests/devices` with CUDA on the emulation of `tests/emulation`, and
//! with OpenCL on whatever platform is installed. What their regions compute has the bits of the programs as
//! they were.
use crate::project::is_there;
use crate::support::{first_difference, headers, scratch};
use loopwright::{CompileOptions, Compiled, DeviceOptions, Emit, Failure, Scheduler, compile_file};
use loopwright_backend::device::Language;
use loopwright_device::ThreadResults;
use loopwright_machine::DescribedDevice;
use loopwright_testkit::cases::seeds;
use loopwright_testkit::cuda_text::together;
use loopwright_testkit::emulation::Counts;
use loopwright_testkit::{Choices, Program, print_c, random_program};
use loopwright_verify::Proof;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

static N_FOLDERS: AtomicUsize = AtomicUsize::new(0);

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");

/// Regions run on the device however small they are.
pub(crate) fn options(language: Language) -> CompileOptions {
    let devices = DeviceOptions { always: true, ..DeviceOptions::default() };
    CompileOptions { device: Some(language), devices, ..CompileOptions::new() }
}

/// For a device that copies asynchronously.
pub(crate) fn on_hopper(options: &mut CompileOptions) {
    options.devices.device = DescribedDevice::named("hopper").unwrap().device;
}

/// The text of a program of `tests/devices`.
pub(crate) fn program(name: &str) -> String {
    let path = Path::new(FOLDER).join("devices").join(format!("{name}.c"));
    std::fs::read_to_string(path).unwrap()
}

/// The parts of a text in their order.
pub(crate) fn are_in_order(text: &str, parts: &[&str]) {
    let mut from = 0;
    for part in parts {
        let found = text[from..].find(part);
        from += found.unwrap_or_else(|| panic!("`{part}` behind byte {from}: {text}")) + part.len();
    }
}

/// A folder with a program, what becomes of it, and what to do with it.
pub(crate) struct Built {
    pub(crate) folder: PathBuf,
    name: String,
    pub(crate) compiled: Compiled,
}

impl Built {
    fn new(name: &str, language: Language) -> Built {
        Built::of_text(name, &program(name), language)
    }

    fn of_text(name: &str, text: &str, language: Language) -> Built {
        Built::with(name, text, &options(language)).expect("it compiles")
    }

    /// The program with these options, if it compiles.
    pub(crate) fn with(name: &str, text: &str, options: &CompileOptions) -> Result<Built, Failure> {
        let language = options.device.map_or("", Language::name);
        // Tests that run at one time have folders of their own.
        let number = N_FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = scratch("devices").join(format!("{name}_{language}_{number}"));
        std::fs::create_dir_all(&folder).unwrap();
        let source = folder.join(format!("{name}.c"));
        std::fs::write(&source, text).unwrap();
        std::fs::write(folder.join("plain.c"), text).unwrap();
        let compiled = compile_file(&source, options)?;
        std::fs::write(folder.join("code.c"), &compiled.code).unwrap();
        Ok(Built { folder, name: name.to_string(), compiled })
    }

    /// The same, where all of it is proved and nothing of the text is only tested.
    pub(crate) fn proved(name: &str, text: &str, options: &CompileOptions) -> Built {
        let built = Built::with(name, text, options).expect("it compiles");
        for region in &built.compiled.report.regions {
            let report = &built.compiled.report;
            assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{name}: {report}");
            assert!(region.only_tested.is_empty(), "{name}: {report}");
        }
        built
    }

    /// The notes about all regions.
    pub(crate) fn notes(&self) -> Vec<String> {
        let regions = self.compiled.report.regions.iter();
        regions.flat_map(|region| region.notes.clone()).collect()
    }

    pub(crate) fn kernels(&self) -> &str {
        &self.compiled.device_file().expect("there are kernels").text
    }

    /// Runs a command in the folder; it succeeds.
    pub(crate) fn shell(&self, command: &str) -> Output {
        let output =
            Command::new("sh").args(["-c", command]).current_dir(&self.folder).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {command}\n{said}", self.name);
        output
    }

    pub(crate) fn expected(&self) -> Vec<u8> {
        self.shell("gcc -O1 -ffp-contract=off plain.c -o plain -lm && ./plain").stdout
    }

    /// The text of the first region, all of which is read back and proved.
    pub(crate) fn proved_text(&self) -> String {
        let text = self.compiled.emit_region(0, Emit::Code).expect("there is code");
        let read = self.compiled.check_text(0, &text).expect("no operation fails");
        assert_eq!((read.proof, &read.not_read[..]), (Some(Proof::Proved), &[][..]));
        text
    }

    /// A text for the first region with a fault in it is refuted.
    pub(crate) fn refutes(&self, faulty: &str, about: &str) {
        let read = self.compiled.check_text(0, faulty).expect("no operation fails");
        assert!(matches!(read.proof, Some(Proof::Refuted(_))), "{about}: {read:?}\n{faulty}");
    }

    /// So are single faults in its text: one thing in place of another at the first place where that stands.
    pub(crate) fn refutes_each(&self, faults: &[(&str, &str)]) {
        let text = self.proved_text();
        for (own, other) in faults {
            assert!(text.contains(own), "{own}: {text}");
            self.refutes(&text.replacen(own, other, 1), own);
        }
    }

    /// The same at each place where it stands, if that is one of those that are meant: they are told by what
    /// is in front of them.
    pub(crate) fn refutes_everywhere(
        &self,
        faults: &[(&str, &str)],
        is_meant: impl Fn(&str, &str) -> bool,
    ) {
        let text = self.proved_text();
        for (own, other) in faults {
            let places = text.match_indices(own).map(|(at, _)| at);
            let places: Vec<usize> = places.filter(|at| is_meant(own, &text[..*at])).collect();
            assert!(!places.is_empty(), "{own}: {text}");
            for at in places {
                let faulty = format!("{}{other}{}", &text[..at], &text[at + own.len()..]);
                self.refutes(&faulty, own);
            }
        }
    }

    /// Runs the program with its kernels on the emulation that counts; it prints what it did before.
    pub(crate) fn counted(&self) -> Counts {
        let (output, counts) = self.counted_output();
        assert!(output.stdout == self.expected(), "{}", self.name);
        counts
    }

    /// What the program prints with its kernels on the emulation that counts, and the counts.
    pub(crate) fn counted_output(&self) -> (Output, Counts) {
        self.counted_text(self.kernels())
    }

    /// Runs the program with these kernels on that emulation.
    pub(crate) fn counted_text(&self, kernels: &str) -> (Output, Counts) {
        let text = loopwright_testkit::cuda_text::emulated(kernels).unwrap();
        std::fs::write(self.folder.join("counted.cpp"), text).unwrap();
        let flags = loopwright_testkit::emulation::FLAGS.join(" ");
        let include = headers::of_counting(&flags);
        self.shell(&format!(
            "g++ {flags} -w -I{} -c counted.cpp && gcc -O1 -ffp-contract=off -w -c code.c && g++ code.o counted.o -o counted -lm",
            include.display(),
        ));
        let output = self.shell("EMULATION_COUNTS=counts ./counted");
        let counts = std::fs::read_to_string(self.folder.join("counts")).unwrap();
        (output, Counts::parse(&counts))
    }

    /// Runs the program with its kernels in OpenCL; none if no platform is installed.
    pub(crate) fn on_opencl(&self) -> Option<Output> {
        if !headers::has_opencl() {
            return None;
        }
        std::fs::write(self.folder.join("kernels.c"), self.kernels()).unwrap();
        self.shell(
            "gcc -O1 -Wall -Werror -ffp-contract=off kernels.c code.c -o code -lOpenCL -lm \
             -Wno-unused-variable -Wno-unused-function -Wno-unknown-pragmas",
        );
        Some(self.shell("./code"))
    }

    /// Builds the program `./code` with its kernels on the emulation.
    pub(crate) fn emulate(&self, kernels: &str, flags: &str) {
        let text = emulated(kernels);
        std::fs::write(self.folder.join("kernels.cpp"), text).unwrap();
        let flags = format!("-std=c++17 -ffp-contract=off {flags}");
        let include = headers::of_threads(&flags);
        self.shell(&format!(
            "g++ {flags} -I{} -c kernels.cpp && gcc -O1 -ffp-contract=off -c code.c && \
             g++ {flags} code.o kernels.o -o code -pthread",
            include.display()
        ));
    }

    /// Builds the programs `./code` of all with their kernels, which are compiled together, on the emulation.
    fn emulate_all(all: &[Built], flags: &str) {
        let texts: Vec<String> = all.iter().map(|built| emulated(built.kernels())).collect();
        let flags = format!("-std=c++17 -ffp-contract=off {flags}");
        let include = headers::of_threads(&flags);
        Built::build_all(all, &texts, &format!("{flags} -I{}", include.display()), "-pthread");
    }

    /// Runs all programs with their kernels, which are compiled together, on the emulation that counts; they
    /// print what they did before.
    pub(crate) fn counted_all(all: &[Built]) -> Vec<Counts> {
        let text = |built: &Built| loopwright_testkit::cuda_text::emulated(built.kernels());
        let texts: Vec<String> = all.iter().map(|built| text(built).unwrap()).collect();
        let flags = loopwright_testkit::emulation::FLAGS.join(" ");
        let include = headers::of_counting(&flags);
        Built::build_all(all, &texts, &format!("{flags} -w -I{}", include.display()), "-lm");
        let counts = |built: &Built| {
            let output = built.shell("EMULATION_COUNTS=counts ./code");
            assert!(output.stdout == built.expected(), "{}", built.name);
            Counts::parse(&std::fs::read_to_string(built.folder.join("counts")).unwrap())
        };
        all.iter().map(counts).collect()
    }

    /// Builds the programs `./code` with these texts of kernels, which are compiled in one go.
    fn build_all(all: &[Built], texts: &[String], flags: &str, link: &str) {
        let names = all.iter().map(|built| built.name.as_str());
        let text = together(names.zip(texts.iter().map(String::as_str)));
        std::fs::write(all[0].folder.join("together.cpp"), text).unwrap();
        all[0].shell(&format!("g++ {flags} -c together.cpp"));
        let kernels = all[0].folder.join("together.o");
        let kernels = kernels.display();
        let build = format!(
            "gcc -O1 -ffp-contract=off -w -c code.c && g++ {flags} code.o {kernels} -o code {link}"
        );
        all.iter().for_each(|built| drop(built.shell(&build)));
    }
}

/// CUDA text whose launches are calls: `kernel<<<grid, block>>>(a)` becomes
/// `emulation::launch(kernel, grid, block, a)`, and instructions of PTX are calls.
fn emulated(text: &str) -> String {
    let line = |line: &str| match line.split_once("<<<") {
        None => format!("{line}\n"),
        Some((kernel, rest)) => {
            let (sizes, arguments) = rest.split_once(">>>(").expect("a launch");
            let comma = if arguments.starts_with(')') { "" } else { ", " };
            let start = kernel.len() - kernel.trim_start().len();
            let (indentation, kernel) = kernel.split_at(start);
            format!("{indentation}emulation::launch({kernel}, {sizes}{comma}{arguments}\n")
        }
    };
    let text: String = text.lines().map(line).collect();
    loopwright_testkit::cuda_text::with_instructions_as_calls(&text).expect("instructions")
}

/// What the first line of a program says about it.
fn promised(name: &str) -> String {
    let text = std::fs::read_to_string(format!("{FOLDER}/devices/{name}.c")).unwrap();
    text.lines().next().unwrap().trim_start_matches("// ").to_string()
}

/// How many regions are drawn.
const RANDOM_PROGRAMS: u64 = 16;

pub(crate) const ON_DEVICE: [&str; 25] = [
    "elimination",
    "rows",
    "product",
    "stencil",
    "triangle",
    "linear",
    "gather",
    "solve",
    "window",
    "borders",
    "tiles",
    "member",
    "members_of_rows",
    "box",
    "sparse",
    "call",
    "flags",
    "star",
    "cube",
    "linear_product",
    "constant_product",
    "chosen",
    "switch",
    "own_arrays",
    "vectors",
];

#[test]
fn cuda_computes_the_bits_of_the_processor() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let mut others = Vec::new();
    let all = ON_DEVICE.map(|name| Built::new(name, Language::Cuda));
    Built::emulate_all(&all, "-O1");
    for (name, built) in ON_DEVICE.into_iter().zip(&all) {
        let report = &built.compiled.report;
        for region in &report.regions {
            assert!(region.proofs.len() >= 5, "{name}: {report}");
            assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{name}: {report}");
        }
        let output = built.shell("EMULATION_REPORT=1 ./code");
        assert!(output.stdout == built.expected(), "{name}");
        let counts = String::from_utf8_lossy(&output.stderr).into_owned();
        if !counts.contains(&promised(name)) {
            others.push(counts);
        }
    }
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn what_does_not_fit_stays_on_the_processor_and_says_why() {
    for name in ["structures", "call_of_memory", "recurrence"] {
        for language in [Language::Cuda, Language::OpenCl] {
            let built = Built::new(name, language);
            let wanted = promised(name);
            let reason = wanted.strip_prefix("stays: ").unwrap();
            let notes = &built.compiled.report.regions[0].notes;
            let is_said = |note: &String| {
                note.starts_with("the region stays on the processor: ") && note.contains(reason)
            };
            assert!(notes.iter().any(is_said), "{name}: {notes:?}");
            assert_eq!(built.compiled.device_file(), None, "{name}");
        }
    }
}

/// Programs drawn at random, many regions in one file.
#[test]
fn random_programs_compute_the_same_on_a_device() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let draw = |seed| random_program(&mut Choices::from_seed(seed));
    let programs: Vec<Program> = seeds(0, RANDOM_PROGRAMS).map(draw).collect();
    let text = print_c::complete_file(&programs);
    let built = Built::of_text("random", &text, Language::Cuda);
    let n_kernels = built.kernels().matches("<<<").count();
    assert!(n_kernels > programs.len() / 4, "{n_kernels} launches: {}", built.compiled.report);
    built.emulate(built.kernels(), "-O0");
    let (found, expected) = (built.shell("./code").stdout, built.expected());
    let (found, expected) = (String::from_utf8_lossy(&found), String::from_utf8_lossy(&expected));
    assert_eq!(first_difference(&expected, &found), None);
}

/// Allocations that fail leave the work to the processor, with a message and the same result.
#[test]
fn without_memory_on_the_device_the_processor_does_the_work() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let built = Built::new("product", Language::Cuda);
    built.emulate(built.kernels(), "-O0");
    let expected = built.expected();
    for allocation in 1..=3 {
        let output = built.shell(&format!("EMULATION_FAIL={allocation} EMULATION_REPORT=1 ./code"));
        assert!(output.stdout == expected);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("_device, ") && said.contains("out of memory"), "{said}");
        assert!(said.contains("copies out 0"), "{said}");
    }
}

/// The emulation with ThreadSanitizer finds no race, and finds one that is planted.
#[test]
fn threads_of_a_launch_do_not_meet() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let built = Built::new("stencil", Language::Cuda);
    if !headers::has_sanitizer() {
        return;
    }
    built.emulate(built.kernels(), "-O1 -g -fsanitize=thread");
    let output = built.shell("./code");
    assert!(output.stdout == built.expected());
    let kernels = built.kernels();
    let start = kernels.find("_kernel0(").unwrap();
    let write = start + kernels[start..].find("b[").unwrap();
    let end = write + kernels[write..].find(']').unwrap();
    let planted = format!("{}b[42{}", &kernels[..write], &kernels[end..]);
    built.emulate(&planted, "-O1 -g -fsanitize=thread");
    let raced = Command::new("./code").current_dir(&built.folder).output().unwrap();
    let said = String::from_utf8_lossy(&raced.stderr);
    assert!(said.contains("data race"), "{said}");
}

#[test]
fn opencl_computes_the_bits_of_the_processor() {
    if !is_there("gcc") {
        return;
    }
    for name in ON_DEVICE {
        let built = Built::new(name, Language::OpenCl);
        let Some(output) = built.on_opencl() else { return };
        assert!(output.stdout == built.expected(), "{name}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("OpenCL error"), "{name}: {said}");
    }
}

#[test]
fn kernels_and_calls_look_as_promised() {
    let built = product_with(|options| options.device_registers = false);
    let kernels = built.kernels();
    let expected = "\
__global__ void product_region1_kernel0(int ni, int nj, int nk, double beta, double alpha, double *__restrict__ C, const double *__restrict__ A, const double *__restrict__ B)
{
  for (int c0 = (int) blockIdx.y; c0 < (ni + 7) / 8; c0 += gridDim.y) {
    for (int c1 = (int) blockIdx.x; c1 <= (nj - 1) / 32; c1 += gridDim.x) {
      const int c2 = 8 * c0 + (int) threadIdx.y;
      if (c2 < ni) {
        const int c3 = 32 * c1 + (int) threadIdx.x;
        if (c3 < nj) {
          C[c2 * nj + c3] *= beta;
          for (int c4 = 0; c4 < nk; c4++) {
            C[c2 * nj + c3] += alpha * A[c2 * nk + c4] * B[c4 * nj + c3];
          }
        }
      }
    }
  }
}
";
    assert!(kernels.contains(expected), "{kernels}");
    let code = &built.compiled.code;
    assert!(code.starts_with("extern int product_region1(int ni, int nj, int nk, "), "{code}");
    assert!(code.contains("product_region1(ni, nj, nk, "), "{code}");
    // The statements are still there, for the case that the device does not do it.
    assert!(code.contains("C[i][j] += alpha * A[i][k] * B[k][j];"), "{code}");
}

/// The program `product` by options that are changed.
pub(crate) fn product_with(change: impl Fn(&mut CompileOptions)) -> Built {
    let text = std::fs::read_to_string(format!("{FOLDER}/devices/product.c")).unwrap();
    let mut options = options(Language::Cuda);
    change(&mut options);
    Built::with("product", &text, &options).expect("it compiles")
}

/// Tiles are filled and then read.
fn one_buffer(options: &mut CompileOptions) {
    options.devices.double_buffers = false;
}

#[test]
fn results_are_in_registers() {
    let built = product_with(|options| options.shared_memory = false);
    let expected = "
  double C_result;
  for (int c0 = (int) blockIdx.y; c0 < (ni + 7) / 8; c0 += gridDim.y) {
    for (int c1 = (int) blockIdx.x; c1 <= (nj - 1) / 32; c1 += gridDim.x) {
      const int c2 = 8 * c0 + (int) threadIdx.y;
      if (c2 < ni) {
        const int c3 = 32 * c1 + (int) threadIdx.x;
        if (c3 < nj) {
          C_result = C[c2 * nj + c3];
          C_result *= beta;
          for (int c4 = 0; c4 < nk; c4++) {
            C_result += alpha * A[c2 * nk + c4] * B[c4 * nj + c3];
          }
          C[c2 * nj + c3] = C_result;
        }
      }
    }
  }
}
";
    assert!(built.kernels().contains(expected), "{}", built.kernels());
    assert!(!built.kernels().contains("__shared__"), "{}", built.kernels());
}

/// Operands in tiles, with rows that are longer where they are filled across; several results a thread in
/// loops that are unrolled, without conditions in the sum; a barrier before tiles are filled, one before they
/// are read, and one at the end of a block.
#[test]
fn operands_are_in_shared_memory() {
    let built = product_with(one_buffer);
    let kernels = built.kernels();
    for declared in [
        "__global__ __launch_bounds__(256) void product_region1_kernel0(",
        "  __shared__ double A_tile[16][66];\n",
        "  __shared__ double B_tile[16][64];\n",
        "  double C_result[4][4] = {0};\n",
    ] {
        assert!(kernels.contains(declared), "{declared}: {kernels}");
    }
    let fill =
        "A_tile[c4][c3 + 16 * c5] = alpha * A[(64 * c0 + c3 + 16 * c5) * nk + 16 * c2 + c4];";
    assert!(kernels.contains(fill), "{kernels}");
    let sum = "
          #pragma unroll 4
          for (int c5 = 16 * c2; c5 < min(nk, 16 * c2 + 16); c5++) {
            #pragma unroll
            for (int c6 = 0; c6 < 4; c6++) {
              #pragma unroll
              for (int c7 = 0; c7 < 4; c7++) {
                C_result[c6][c7] += A_tile[c5 - 16 * c2][4 * c3 + c6] * B_tile[c5 - 16 * c2][c4 + 16 * c7];
              }
            }
          }
";
    assert!(kernels.contains(sum), "{kernels}");
    assert_eq!(kernels.matches("__syncthreads();").count(), 3, "{kernels}");
    let notes = &built.compiled.report.regions[0].notes;
    assert!(notes.iter().any(|note| note == "`A_tile[16][66]` in shared memory"), "{notes:?}");
    // The triangle of a symmetric update has whole tiles on its diagonal; a sum that ends at a loop outside
    // has one result a thread.
    let text = std::fs::read_to_string(format!("{FOLDER}/devices/tiles.c")).unwrap();
    let mut in_opencl = options(Language::OpenCl);
    one_buffer(&mut in_opencl);
    let tiles = Built::with("tiles", &text, &in_opencl).expect("it compiles");
    let kernels = tiles.kernels();
    assert!(kernels.contains("__local double a_tile_2[16][66];"), "{kernels}");
    assert!(kernels.contains("  double c_result;"), "{kernels}");
    assert!(kernels.contains("__attribute__((reqd_work_group_size(16, 16, 1)))"), "{kernels}");
    assert!(kernels.contains("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"), "{kernels}");
}

/// Tiles are as large as what a block of the device has allows: for 4 x 4 results a thread, for one, or for
/// none of them.
#[test]
fn tiles_fit_in_the_memory_that_a_block_has() {
    let mut tiles = Vec::new();
    for most in [16_640, 9_000, 1_024] {
        let built = product_with(|options| {
            one_buffer(options);
            options.devices.thread_results = Some(ThreadResults::Four);
            options.devices.device.block_shared_bytes = most;
        });
        let kernels = built.kernels();
        let extents = kernels.lines().filter_map(|line| {
            let declared = line.trim().strip_prefix("__shared__ double ")?.trim_end_matches("];");
            let numbers = declared.split('[').skip(1).map(|n| n.trim_end_matches(']').parse());
            Some(numbers.map(|n: Result<u64, _>| n.unwrap()).collect::<Vec<_>>())
        });
        let extents: Vec<Vec<u64>> = extents.collect();
        let bytes: u64 = extents.iter().map(|extents| 8 * extents.iter().product::<u64>()).sum();
        assert!(bytes <= most, "{bytes} of {most}: {kernels}");
        assert!(kernels.contains("double C_result"), "{kernels}");
        tiles.push(extents);
    }
    tiles.iter_mut().for_each(|extents| extents.sort_unstable());
    assert_eq!(tiles[0], [[16, 64], [16, 66]]);
    assert_eq!(tiles[1], [[16, 16], [16, 18]]);
    assert!(tiles[2].is_empty(), "{tiles:?}");
}

/// Rows that threads would read apart are filled into a tile by threads that read side by side.
#[test]
fn rows_are_in_shared_memory() {
    let built = Built::new("rows", Language::Cuda);
    let kernels = built.kernels();
    for text in [
        "__shared__ double A_tile[16][130];",
        "A_tile[c2 % 16][8 * c3 + c2 / 16] = A[(128 * c0 + 8 * c3 + c2 / 16) * m + 16 * c1 + c2 % 16];",
        "y_result += A_tile[c3 - 16 * c1][c2] * x_tile[c3 - 16 * c1];",
    ] {
        assert!(kernels.contains(text), "{text}: {kernels}");
    }
    if is_there("gcc") && is_there("g++") {
        let counts = built.counted();
        // Side by side: 150 rows of 37 elements in pieces of 4, and little else.
        assert!(counts.get("load_sectors") < 2400, "{counts:?}");
    }
}

/// Single faults in the text of a kernel with arrays of its own are seen when it is read back.
#[test]
fn faults_in_own_arrays_are_refuted() {
    for language in [Language::Cuda, Language::OpenCl] {
        let built = product_with(|options| {
            one_buffer(options);
            options.device = Some(language);
        });
        let (shared, barrier) = match language {
            Language::Cuda => ("__shared__ ", "__syncthreads();"),
            Language::OpenCl => {
                ("__local ", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
            }
        };
        let of_language = match language {
            Language::Cuda => ("(256)", "(255)"),
            Language::OpenCl => ("size(16, 16, 1)", "size(16, 8, 1)"),
        };
        let faults = [
            of_language,
            ("A_tile[16][66];", "A_tile[16][65];"),
            ("C_result[4][4] = {0};", "C_result[4][3] = {0};"),
            (shared, ""),
            (barrier, ""),
            ("< 4; c", "< 3; c"),
            ("#pragma unroll\n", "#pragma omp simd\n"),
            ("A_tile[c4][c3 + 16 * c5] =", "A_tile[c4][c3 + 15 * c5] ="),
            ("* B_tile[c5 - 16 * c2]", "* B_tile[c5 - 15 * c2]"),
            ("C_result[c6][c7] +=", "C_result[c7][c6] +="),
            ("* B_tile[", "* A_tile["),
            (", 65535)", ", 0)"),
        ];
        built.refutes_everywhere(&faults, |_, _| true);
    }
}

/// The emulation with ThreadSanitizer finds no race in a kernel with shared tiles, and finds one if a barrier
/// is missing.
#[test]
fn shared_tiles_need_their_barriers() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let built = product_with(|options| {
        one_buffer(options);
        options.devices.thread_results = Some(ThreadResults::Four);
    });
    if !headers::has_sanitizer() {
        return;
    }
    built.emulate(built.kernels(), "-O1 -g -fsanitize=thread");
    assert!(built.shell("./code").stdout == built.expected());
    let text = built.kernels();
    let second = text.match_indices("__syncthreads();").nth(1).unwrap().0;
    let planted = format!("{}{}", &text[..second], &text[second + "__syncthreads();".len()..]);
    built.emulate(&planted, "-O1 -g -fsanitize=thread");
    let raced = Command::new("./code").current_dir(&built.folder).output().unwrap();
    let said = String::from_utf8_lossy(&raced.stderr);
    assert!(said.contains("data race"), "{said}");
}

/// A schedule with marks is printed as it is given; one that is wrong is refused with the reason.
#[test]
fn schedules_may_bring_their_kernels() {
    let source = scratch("devices").join("given.c");
    let text = "void f(int n, double a[n], double b[n]) {\n#pragma scop\n  for (int i = 1; i < n; i++)\n    a[i] = a[i - 1] + b[i];\n#pragma endscop\n}\n";
    let map = "void f(int n, double a[n], double b[n]) {\n#pragma scop\n  for (int i = 1; i < n; i++)\n    a[i] = b[i] + b[i - 1];\n#pragma endscop\n}\n";
    let with = |program: &str, marks: &str| {
        std::fs::write(&source, program).unwrap();
        let band = "schedule: '[n] -> [{ S0[i] -> [(i)] }]'";
        let closing = "} ".repeat(marks.matches('{').count());
        let tree = format!(
            "{{ domain: '[n] -> {{ S0[i] : 1 <= i < n }}', child: {{ {marks} {band} {closing} }} }}"
        );
        let options =
            CompileOptions { scheduler: Scheduler::Given(tree), ..options(Language::Cuda) };
        compile_file(&source, &options)
    };
    let mapped = with(map, "mark: 'kernel(add)', child: { mark: 'block(x)', child: {").unwrap();
    let kernels = &mapped.device_file().unwrap().text;
    assert!(kernels.contains("given_region1_add<<<"), "{kernels}");
    assert!(
        kernels.contains("for (int c0 = 1 + (int) blockIdx.x; c0 < n; c0 += gridDim.x) {"),
        "{kernels}"
    );
    let refused = |program: &str, marks: &str, reasons: &[&str]| {
        let failure = with(program, marks).expect_err(marks);
        let said = format!("{failure}");
        let notes: String = failure.diagnostics.iter().map(|d| format!("{d:?}")).collect();
        for reason in reasons {
            assert!(said.contains(reason) || notes.contains(reason), "{said}\n{notes}");
        }
    };
    let parallel = "mark: 'kernel(add)', child: { mark: 'thread(x)', child: {";
    refused(text, parallel, &["parallel loops carry no dependence", "over blocks or threads"]);
    let outside = "mark: 'thread(x)', child: {";
    refused(map, outside, &["all statements run in kernels"]);
}

/// `T[i] += a[i]` below a mark of copies is not printed as a copy of `a[i]`: without the mark the same
/// schedule is a kernel.
#[test]
fn updates_are_no_copies() {
    let source = scratch("devices").join("update.c");
    let text = "void f(int n, double c[n], const double a[n], const double b[n]) {\n  double T[256];\n#pragma scop\n\
                for (int i = 0; i < 256; i++) T[i] = b[i];\nfor (int i = 0; i < 256; i++) T[i] += a[i];\n\
                for (int i = 0; i < 256; i++) c[i] = T[i];\n#pragma endscop\n}\n";
    std::fs::write(&source, text).unwrap();
    let compiled = |update: &str| {
        let part = |n: u32, child: &str| {
            format!("{{ filter: '{{ S{n}[i] }}', child: {{ mark: 'barrier', child: {child} }} }}")
        };
        let plain = |n: u32| {
            part(
                n,
                &format!(
                    "{{ mark: 'thread(x)', child: {{ schedule: '[{{ S{n}[i] -> [i] }}]' }} }}"
                ),
            )
        };
        let parts = [plain(0), part(1, update), plain(2)].join(", ");
        let domain = "[n] -> { S0[i] : 0 <= i < 256; S1[i] : 0 <= i < 256; S2[i] : 0 <= i < 256 }";
        let tree = format!(
            "{{ domain: '{domain}', child: {{ mark: 'kernel(k)', child: {{ mark: 'shared(T)', child: {{ sequence: [ {parts} ] }} }} }} }}"
        );
        let mut options = options(Language::Cuda);
        on_hopper(&mut options);
        options.scheduler = Scheduler::Given(tree);
        compile_file(&source, &options).unwrap()
    };
    let single =
        "{ mark: 'MARK', child: { mark: 'thread(x)', child: { schedule: '[{ S1[i] -> [i] }]' } } }";
    let pairs = "{ mark: 'thread(x)', child: { schedule: '[{ S1[i] -> [floor(i/2)] }]', child: { mark: 'MARK', child: { schedule: '[{ S1[i] -> [i mod 2] }]' } } } }";
    for (update, mark) in [(single, "asynchronous"), (pairs, "vector_copy(2)")] {
        let kernel = compiled(&update.replace("MARK", "nothing"));
        let kernels = &kernel.device_file().unwrap().text;
        assert!(kernels.contains("] += a["), "{kernels}");
        let left = compiled(&update.replace("MARK", mark));
        assert!(left.device_file().is_none(), "{mark}");
        let notes = &left.report.regions[0].notes;
        assert!(notes.iter().any(|note| note.contains("S1, which is no copy")), "{notes:?}");
    }
}

/// The text for all programs is read back as a whole.
fn all_are_read_back(language: Language, device_registers: bool) {
    let claim = "the printed kernels, launches and copies are those of the schedule";
    let mut n_read = 0;
    for file in std::fs::read_dir(Path::new(FOLDER).join("devices")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let options = CompileOptions { device_registers, ..options(language) };
        let compiled = compile_file(&path, &options).expect("it compiles");
        if compiled.device_file().is_none() {
            continue;
        }
        let stays = |note: &String| note.starts_with("the region stays on the processor");
        let regions = compiled.report.regions.iter();
        for report in regions.filter(|own| !own.is_left && !own.notes.iter().any(stays)) {
            let about = format!("{}: {report}", path.display());
            assert!(report.only_tested.is_empty(), "{about}");
            assert!(
                report.proofs.iter().any(|(own, proof)| *own == claim && proof.is_proved()),
                "{about}"
            );
            n_read += 1;
        }
    }
    assert!(n_read >= 20, "{n_read}");
}

#[test]
fn the_text_of_all_programs_is_read_back_in_cuda() {
    all_are_read_back(Language::Cuda, true);
}

#[test]
fn the_text_of_all_programs_is_read_back_without_registers() {
    all_are_read_back(Language::Cuda, false);
}

#[test]
fn the_text_of_all_programs_is_read_back_in_opencl() {
    all_are_read_back(Language::OpenCl, true);
}
