//! Tiles over time on devices: a band of time steps in overlapped tiles, or a row of hexagons, is one launch, with tiles as blocks and barriers between
//! the steps; and their choice by a model.
use crate::devices::{Built, options};
use crate::project::is_there;
use crate::support::headers;
use loopwright::{CompileOptions, DeviceOptions, Emit, Scheduler};
use loopwright_backend::device::Language;
use loopwright_machine::DescribedDevice;
use loopwright_transform::{TileSizes, Tiling};
use std::process::Command;

/// Two states of a plane in turn.
const PLANES: &str = "\
#include <stdio.h>
static double a[50][50], b[50][50];
static void f(int n, int steps, double a[50][50], double b[50][50])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][1 + j] + a[1 + i][j] + a[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.2 * (b[i][j] + b[i][j - 1] + b[i][1 + j] + b[1 + i][j] + b[i - 1][j]);
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 50; i++)
    for (int j = 0; j < 50; j++)
      a[i][j] = (i * 7 + j * 3) % 20, b[i][j] = i - j;
  f(50, 7, a, b);
  for (int i = 0; i < 50; i++)
    for (int j = 0; j < 50; j++)
      printf(\"%a %a\\n\", a[i][j], b[i][j]);
  return 0;
}
";

fn in_tiles(language: Language) -> Built {
    let options = CompileOptions {
        tiling: Some(Tiling::Overlapped),
        tile_sizes: TileSizes::Given(vec![2, 8, 16]),
        ..options(language)
    };
    Built::with("planes", PLANES, &options).expect("it compiles")
}

#[test]
fn bands_of_steps_are_launches_with_tiles_in_shared_memory() {
    let built = in_tiles(Language::Cuda);
    let region = &built.compiled.report.regions[0];
    assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{}", built.compiled.report);
    for claim in
        ["on both sides of a barrier", "every instance that tiles recompute", "what tiles access"]
    {
        let is_there = region.proofs.iter().any(|(own, _)| own.contains(claim));
        assert!(is_there, "{claim}: {}", built.compiled.report);
    }
    let kernels = built.kernels();
    assert_eq!(kernels.matches("__shared__ double ").count(), 2, "{kernels}");
    // One in front of each of the two states of a step, and one behind the tile.
    assert_eq!(kernels.matches("__syncthreads();").count(), 3, "{kernels}");
    let opencl = in_tiles(Language::OpenCl);
    assert_eq!(opencl.kernels().matches("__local double ").count(), 2, "{}", opencl.kernels());
}

#[test]
fn tiles_on_a_device_compute_the_bits_of_the_processor() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let built = in_tiles(Language::Cuda);
    built.emulate(built.kernels(), "-O1");
    let expected = built.expected();
    let output = built.shell("EMULATION_REPORT=1 ./code");
    assert!(output.stdout == expected);
    // Four bands of two steps, and the copy to the second buffer before them; the last band has left its state in the array.
    let counts = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(counts.contains("launches 5, copies in 2 "), "{counts}");
    if !headers::has_sanitizer() {
        return;
    }
    built.emulate(built.kernels(), "-O1 -g -fsanitize=thread");
    assert!(built.shell("./code").stdout == expected);
    let planted = built.kernels().replacen("__syncthreads();", ";", 1);
    built.emulate(&planted, "-O1 -g -fsanitize=thread");
    let raced = Command::new("./code").current_dir(&built.folder).output().unwrap();
    assert!(String::from_utf8_lossy(&raced.stderr).contains("data race"));
}

/// Three arrays that depend on each other, half a place apart; one of them has a border with a loop less.
const FIELDS: &str = "\
#include <stdio.h>
static double ex[40][44], ey[40][44], hz[40][44];
static void f(int n, int m, int steps)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < m; j++)
      ey[0][j] = t;
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++)
        ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++)
        ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < m - 1; j++)
        hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 44; j++)
      ex[i][j] = i * (j + 1) % 7, ey[i][j] = i * (j + 2) % 5, hz[i][j] = i * (j + 3) % 9;
  f(40, 44, 7);
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 44; j++)
      printf(\"%a %a %a\\n\", ex[i][j], ey[i][j], hz[i][j]);
  return 0;
}
";

fn on_hopper(language: Language) -> CompileOptions {
    let device = DescribedDevice::named("hopper").unwrap().device;
    let devices = DeviceOptions { device, always: true, ..DeviceOptions::default() };
    CompileOptions { devices, ..options(language) }
}

fn tiling(tiling: Tiling, sizes: &[i64], language: Language) -> CompileOptions {
    let tile_sizes = TileSizes::Given(sizes.to_vec());
    CompileOptions { tiling: Some(tiling), tile_sizes, ..on_hopper(language) }
}

/// That all is proved and read, and that both languages compute the bits of the processor; the launches of CUDA.
fn launches_of(name: &str, text: &str, with: impl Fn(Language) -> CompileOptions) -> Option<u64> {
    let launches = launches_on_emulation(name, text, &with(Language::Cuda))?;
    let opencl = Built::with(name, text, &with(Language::OpenCl)).expect("it compiles");
    let report = opencl.compiled.report.to_string();
    assert!(opencl.compiled.device_file().is_some(), "{name}: {report}");
    assert!(opencl.compiled.report.regions[0].only_tested.is_empty(), "{report}");
    if let Some(output) = opencl.on_opencl() {
        assert!(output.stdout == opencl.expected(), "{name}");
    }
    Some(launches)
}

/// The same for CUDA alone.
fn launches_on_emulation(name: &str, text: &str, options: &CompileOptions) -> Option<u64> {
    let built = Built::with(name, text, options).expect("it compiles");
    let region = &built.compiled.report.regions[0];
    assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{}", built.compiled.report);
    assert!(region.only_tested.is_empty(), "{}", built.compiled.report);
    if !is_there("gcc") || !is_there("g++") {
        return None;
    }
    // The emulation finds races, places outside of memory, and values that were never written.
    let counts = built.counted();
    assert_eq!(counts.findings(), [], "{name}");
    Some(counts.get("launches"))
}

fn notes(name: &str, text: &str, options: &CompileOptions) -> Vec<String> {
    Built::with(name, text, options).unwrap().compiled.report.regions[0].notes.clone()
}

#[test]
fn fields_have_overlapped_tiles() {
    let with = |language| tiling(Tiling::Overlapped, &[3, 8, 16], language);
    let built = Built::with("fields", FIELDS, &with(Language::Cuda)).unwrap();
    assert_eq!(built.kernels().matches("__shared__ double ").count(), 3, "{}", built.kernels());
    let notes = &built.compiled.report.regions[0].notes;
    let is_said = |note: &String| {
        note.starts_with("checked at run time: `") && note.contains("for which each statement runs")
    };
    assert!(notes.iter().any(is_said), "{notes:?}");
    assert!(built.compiled.code.contains("steps >= 1 && "), "{}", built.compiled.code);
    // Bands of three steps, and copies to second buffers and back: not three launches for each of seven steps.
    let launches = launches_of("fields", FIELDS, with);
    assert!(launches.is_none_or(|launches| launches <= 3 + 6), "{launches:?}");
}

#[test]
fn a_model_chooses_tiles_over_time() {
    for (name, text) in [("planes", PLANES), ("fields", FIELDS)] {
        let said = notes(name, text, &on_hopper(Language::Cuda));
        let is_said = |note: &String| {
            note.starts_with("tiles over time: modelled ")
                && note.ends_with("(--no-time-tiles switches them off)")
        };
        assert!(said.iter().any(is_said), "{name}: {said:?}");
        let (time_tiles, persistent_kernels) = (false, false);
        let without =
            |language| CompileOptions { time_tiles, persistent_kernels, ..on_hopper(language) };
        let said = notes(name, text, &without(Language::Cuda));
        assert!(!said.iter().any(is_said), "{name}: {said:?}");
        let (tiles, steps) = (launches_of(name, text, on_hopper), launches_of(name, text, without));
        assert!(
            tiles.zip(steps).is_none_or(|(tiles, steps)| 2 * tiles < steps),
            "{tiles:?} {steps:?}"
        );
        // Kernels of given sizes, and those without shared memory, are one step each.
        let other = CompileOptions { shared_memory: false, ..on_hopper(Language::Cuda) };
        assert!(!notes(name, text, &other).iter().any(is_said), "{name}");
    }
}

/// Where values move within a step there are no tiles, and where an operation is dear, repeated work is dearer than memory.
#[test]
fn the_model_leaves_what_tiles_do_not_help() {
    let in_place =
        PLANES.replace("b[", "a[").replace("a[50][50], a[50][50]", "a[50][50], b[50][50]");
    let before = PLANES.replace("#pragma scop\n", "#pragma scop\n  a[0][0] = 0.5;\n");
    for (text, device) in [(&*in_place, "hopper"), (&*before, "hopper"), (PLANES, "generic")] {
        let device = DescribedDevice::named(device).unwrap().device;
        let devices = DeviceOptions { device, always: true, ..DeviceOptions::default() };
        let said = notes("other", text, &CompileOptions { devices, ..options(Language::Cuda) });
        assert!(!said.iter().any(|note| note.contains("tiles over time")), "{said:?}");
    }
}

#[test]
fn rows_of_hexagons_are_launches() {
    let with = |language| tiling(Tiling::Hexagonal, &[4, 8, 16], language);
    let built = Built::with("hexagons", PLANES, &with(Language::Cuda)).unwrap();
    let kernels = built.kernels();
    assert_eq!(kernels.matches("__global__").count(), 1, "{kernels}");
    // One in front of each of two states, in either half of a hexagon.
    assert_eq!(kernels.matches("__syncthreads();").count(), 4, "{kernels}");
    assert!(!kernels.contains("__shared__"), "{kernels}");
    // The hexagon is the block, and tiles along the other dimension run in it one after the other.
    let body = &kernels[kernels.find("__global__").unwrap()..];
    let loops: Vec<&str> =
        body.lines().map(str::trim).filter(|line| line.starts_with("for (")).collect();
    assert!(loops[0].contains("blockIdx.x") && !loops[1].contains("blockIdx"), "{kernels}");
    let report = built.compiled.report.to_string();
    assert!(report.contains("hexagonal tiles of [4, 8, 16]"), "{report}");
    // Seven steps are three bands of two steps and one more, with a row more than twice as many.
    let launches = launches_of("hexagons", PLANES, with);
    assert!(launches.is_none_or(|launches| launches < 14), "{launches:?}");
}

#[test]
fn hexagons_of_other_dimensions_compute_the_same() {
    let lines = PLANES
        .replace("[50][50]", "[50]")
        .replace("[i][j]", "[i]")
        .replace(" + a[i][j - 1] + a[i][1 + j]", "")
        .replace(" + b[i][j - 1] + b[i][1 + j]", "")
        .replace("[1 + i][j]", "[1 + i]")
        .replace("[i - 1][j]", "[i - 1]")
        .replace("      for (int j = 1; j < n - 1; j++)\n", "")
        .replace("    for (int j = 0; j < 50; j++)\n", "")
        .replace("i * 7 + j * 3", "i * 7")
        .replace("i - j", "i");
    let with = |language| tiling(Tiling::Hexagonal, &[4, 16], language);
    launches_of("lines", &lines, with);
    let with = |language| tiling(Tiling::Hexagonal, &[2, 8, 8], language);
    launches_of("fields", FIELDS, with);
    // In OpenCL no barrier stands below a condition in a loop, for which PoCL 3.1 computes other values.
    let opencl = Built::with("fields", FIELDS, &with(Language::OpenCl)).unwrap();
    let kernels = opencl.kernels();
    let one_before = kernels.lines().zip(kernels.lines().skip(1));
    let below = |(line, next): &(&str, &str)| line.contains("if (") && next.contains("barrier(");
    let found: Vec<_> = one_before.filter(below).collect();
    assert!(found.is_empty() && kernels.contains("barrier("), "{found:?}");
}

/// Faults in marks and in the text: a barrier that is missing, a hexagon that is too narrow.
#[test]
fn faults_in_tiles_over_time_are_refuted() {
    let options = tiling(Tiling::Hexagonal, &[4, 8, 16], Language::Cuda);
    let built = Built::with("hexagons", PLANES, &options).unwrap();
    let tree = built.compiled.emit_region(0, Emit::Schedule).unwrap();
    let given = |tree: String| {
        let scheduler = Scheduler::Given(tree);
        let options = CompileOptions { tiling: None, scheduler, ..options.clone() };
        Built::with("given", PLANES, &options).map(|_| ()).map_err(|failure| failure.to_string())
    };
    assert_eq!(given(tree.clone()), Ok(()), "{tree}");
    let without_barrier = tree.replacen("mark: \"barrier\"", "mark: \"none\"", 1);
    let refusal = given(without_barrier).unwrap_err();
    assert!(refusal.contains("on both sides of a barrier"), "{refusal}");
    let narrow = CompileOptions { tile_sizes: TileSizes::Given(vec![8, 4, 16]), ..options.clone() };
    // Neither the device nor the processor has such tiles: the region is left as it was.
    let narrow = Built::with("narrow", PLANES, &narrow).expect("it compiles").compiled;
    assert_eq!((narrow.device_file(), narrow.report.regions[0].is_left), (None, true));
    for built in [built, in_tiles(Language::Cuda)] {
        let text = built.compiled.emit_region(0, Emit::Code).unwrap();
        for (own, other) in [
            ("__syncthreads();", ";"),
            ("lw_first(", "lw_first(1 + "),
            ("blockIdx.x", "blockIdx.y"),
        ] {
            let faulty = text.replacen(own, other, 1);
            assert!(faulty != text, "{own}");
            built.refutes(&faulty, own);
        }
    }
}
