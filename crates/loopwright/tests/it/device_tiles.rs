//! Tiles over time on devices: a band of time steps in overlapped tiles, or a row of hexagons, is one launch,
//! with tiles as blocks and barriers between the steps; and their choice by a model.
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
    // Four bands of two steps, and the copy to the second buffer before them; the last band has left its
    // state in the array.
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

/// That all is proved and read, and that both languages compute the bits of the processor; the launches of
/// CUDA.
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
    // Bands of three steps, and copies to second buffers and back: not three launches for each of seven
    // steps.
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

/// Where values move within a step there are no tiles, and where an operation is dear, repeated work is
/// dearer than memory.
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

/// Hexagons whose values pass through the memory of the device.
fn in_device_memory(options: CompileOptions) -> CompileOptions {
    CompileOptions { shared_memory: false, ..options }
}

#[test]
fn rows_of_hexagons_are_launches() {
    let with = |language| in_device_memory(tiling(Tiling::Hexagonal, &[4, 8, 16], language));
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
fn hexagons_have_their_values_in_shared_memory() {
    let with = |language| tiling(Tiling::Hexagonal, &[4, 8, 16], language);
    let built = Built::with("boxes", PLANES, &with(Language::Cuda)).unwrap();
    let (kernels, report) = (built.kernels(), built.compiled.report.to_string());
    assert_eq!(kernels.matches("__shared__ double ").count(), 2, "{kernels}");
    // Rows as wide as the hexagon, and one more on each side of what is read first.
    for array in ["a_tile[10]", "b_tile[8]"] {
        assert!(kernels.contains(array), "{kernels}");
    }
    // Copies in, one in front of each of two states in either half, copies out; and a block goes on with
    // another tile, or hexagon.
    assert_eq!(kernels.matches("__syncthreads();").count(), 1 + 4 + 2, "{kernels}");
    // Cells are differences of iterators, without divisions.
    let assigned: Vec<&str> = kernels.lines().filter(|line| line.contains("_tile[c")).collect();
    assert_eq!(assigned.len(), 8, "{kernels}");
    assert!(
        assigned.iter().all(|line| !line.contains('/') && !line.contains("floord")),
        "{kernels}"
    );
    assert!(report.contains("tiles have what they access of `a` in shared memory"), "{report}");
    let claim = "tiles have the values in shared memory that the program has there";
    let proofs = &built.compiled.report.regions[0].proofs;
    assert!(proofs.iter().any(|(own, proof)| own.contains(claim) && proof.is_proved()), "{report}");
    let launches = launches_of("boxes", PLANES, with);
    let before = |language| in_device_memory(with(language));
    assert_eq!(launches, launches_of("hexagons", PLANES, before));
}

/// Accesses of the memory of the device are a few for each element and tile, and not for each step.
#[test]
fn hexagons_in_shared_memory_move_less() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let sectors = |options: &CompileOptions| {
        let counts = Built::with("moved", PLANES, options).unwrap().counted();
        assert_eq!(counts.findings(), []);
        counts.get("load_sectors") + counts.get("store_sectors")
    };
    let boxes = tiling(Tiling::Hexagonal, &[4, 8, 16], Language::Cuda);
    let (boxes, before) = (sectors(&boxes), sectors(&in_device_memory(boxes.clone())));
    assert!(2 * boxes < before, "{boxes} {before}");
}

/// Sizes whose boxes are too large get smaller ones, or values pass through the memory of the device, and a
/// note says why.
#[test]
fn boxes_of_hexagons_fit_in_the_memory_that_a_block_has() {
    let mut options = tiling(Tiling::Hexagonal, &[4, 8, 16], Language::Cuda);
    options.devices.most_shared_bytes = Some(1000);
    let built = Built::with("boxes", PLANES, &options).unwrap();
    assert!(!built.kernels().contains("__shared__"), "{}", built.kernels());
    let report = built.compiled.report.to_string();
    assert!(report.contains("bytes of shared memory, of which a block may have 1000"), "{report}");
    options.tile_sizes = TileSizes::default();
    options.devices.most_shared_bytes = Some(8000);
    let built = Built::with("boxes", PLANES, &options).unwrap();
    assert!(built.kernels().contains("__shared__"), "{}", built.compiled.report);
}

/// The same program on a line.
fn lines() -> String {
    PLANES
        .replace("[50][50]", "[50]")
        .replace("[i][j]", "[i]")
        .replace(" + a[i][j - 1] + a[i][1 + j]", "")
        .replace(" + b[i][j - 1] + b[i][1 + j]", "")
        .replace("[1 + i][j]", "[1 + i]")
        .replace("[i - 1][j]", "[i - 1]")
        .replace("      for (int j = 1; j < n - 1; j++)\n", "")
        .replace("    for (int j = 0; j < 50; j++)\n", "")
        .replace("i * 7 + j * 3", "i * 7")
        .replace("i - j", "i")
}

/// Two states of a volume in turn.
const VOLUMES: &str = "\
#include <stdio.h>
static double a[18][20][22], b[18][20][22];
static void f(int n, int steps)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n + 1; j++)
        for (int k = 1; k < n + 3; k++)
          b[i][j][k] = 0.1 * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n + 1; j++)
        for (int k = 1; k < n + 3; k++)
          a[i][j][k] = 0.1 * (b[i - 1][j][k] + b[i + 1][j][k] + b[i][j - 1][k] + b[i][j + 1][k] + b[i][j][k - 1] + b[i][j][k + 1]);
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 18; i++)
    for (int j = 0; j < 20; j++)
      for (int k = 0; k < 22; k++)
        a[i][j][k] = (i * 7 + j * 3 + k) % 20, b[i][j][k] = i - j + k;
  f(18, 5);
  for (int i = 0; i < 18; i++)
    for (int j = 0; j < 20; j++)
      for (int k = 0; k < 22; k++)
        printf(\"%a %a\\n\", a[i][j][k], b[i][j][k]);
  return 0;
}
";

/// Hexagons that are wider than they grow, of which the first coordinate is a floor of a floor, and hexagons
/// with tiles of two further dimensions.
#[test]
fn boxes_of_lines_and_volumes() {
    let lines = lines();
    for (name, text, sizes, cells) in [
        ("lines", &*lines, &[8, 32][..], ["a_tile[34]", "b_tile[32]"]),
        ("volumes", VOLUMES, &[2, 4, 4, 8], ["a_tile[6][6][10]", "b_tile[4][8][12]"]),
    ] {
        let with = |language| tiling(Tiling::Hexagonal, sizes, language);
        let built = Built::with(name, text, &with(Language::Cuda)).unwrap();
        let kernels = built.kernels();
        for array in cells {
            assert!(kernels.contains(&format!("__shared__ double {array};")), "{kernels}");
        }
        let assigned = kernels.lines().filter(|line| line.contains("_tile[c"));
        for line in assigned {
            assert!(!line.contains('/') && !line.contains("floord"), "{line}");
        }
        let launches = launches_of(name, text, with);
        let before = |language| in_device_memory(with(language));
        assert_eq!(launches, launches_on_emulation(name, text, &before(Language::Cuda)));
    }
}

/// An array of which nothing is read that was there before is copied to the device as well: boxes have
/// elements that a tile does not write.
#[test]
fn all_elements_of_boxes_have_values() {
    let text = lines().replace("0.2 * (b[i] + b[1 + i] + b[i - 1])", "0.5 * b[i]");
    assert!(text.contains("a[i] = 0.5 * b[i];"), "{text}");
    let options = tiling(Tiling::Hexagonal, &[4, 16], Language::Cuda);
    let built = Built::with("filled", &text, &options).unwrap();
    let kernels = built.kernels();
    assert!(kernels.contains("__shared__ double b_tile["), "{}", built.compiled.report);
    assert!(kernels.contains("lw_copy_in(b_device"), "{kernels}");
    launches_on_emulation("filled", &text, &options);
    let before = Built::with("filled", &text, &in_device_memory(options)).unwrap();
    assert!(!before.kernels().contains("lw_copy_in(b_device"), "{}", before.kernels());
}

/// Where an operation takes long, what overlapped tiles repeat is dearer than copies of boxes.
#[test]
fn a_model_chooses_hexagons_where_work_is_dear() {
    let root = |x: &str| {
        let sum = format!("{x}[i] + {x}[1 + i] + {x}[i - 1]");
        (0..40).fold(sum, |inside, k| format!("sqrt({k}.5 + {inside})"))
    };
    let dear = format!("#include <math.h>\n{}", lines())
        .replace("0.2 * (a[i] + a[1 + i] + a[i - 1])", &root("a"))
        .replace("0.2 * (b[i] + b[1 + i] + b[i - 1])", &root("b"))
        .replace("a[50]", "a[n]")
        .replace("b[50]", "b[n]")
        .replace("static double a[n], b[n];", "static double a[50], b[50];");
    assert!(dear.contains("b[i] = sqrt("), "{dear}");
    let built = Built::with("dear", &dear, &on_hopper(Language::Cuda)).unwrap();
    let report = built.compiled.report.to_string();
    assert!(report.contains("hexagonal tiles of "), "{report}");
    let said = notes("dear", &dear, &on_hopper(Language::Cuda));
    assert!(
        said[0].starts_with("tiles over time: modelled ") && said[0].contains(", overlapped ones "),
        "{said:?}"
    );
    assert_eq!(built.kernels().matches("__shared__ double ").count(), 2, "{}", built.kernels());
    launches_on_emulation("dear", &dear, &on_hopper(Language::Cuda));
}

#[test]
fn hexagons_of_other_dimensions_compute_the_same() {
    let with = |language| tiling(Tiling::Hexagonal, &[4, 16], language);
    launches_of("lines", &lines(), with);
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

fn boxes_of_planes() -> Built {
    let boxes = tiling(Tiling::Hexagonal, &[4, 8, 16], Language::Cuda);
    Built::with("boxes", PLANES, &boxes).unwrap()
}

/// In texts with boxes: any barrier that is missing, a box that is one place too small, rows of hexagons in
/// another order, elements that are not copied, or from somewhere else, and cells of a neighbour.
#[test]
fn faults_in_boxes_of_hexagons_are_refuted() {
    let built = boxes_of_planes();
    built.refutes_each(&[
        ("a_tile[10][", "a_tile[9]["),
        ("b_tile[8][", "b_tile[7]["),
        ("c0++", "c0 += 2"),
        ("(c0, ", "(-c0, "),
        ("    if (c0 >= 0) {", "    if (c0 >= 1) {"),
    ]);
    let text = built.compiled.emit_region(0, Emit::Code).unwrap();
    let barriers: Vec<usize> = text.match_indices("__syncthreads();").map(|(at, _)| at).collect();
    assert_eq!(barriers.len(), 1 + 4 + 2, "{text}");
    for at in barriers {
        let (before, behind) = text.split_at(at);
        built.refutes(
            &format!("{before}{}", behind.replacen("__syncthreads();", ";", 1)),
            "barrier",
        );
    }
    let mut n_copies = 0;
    for line in text.lines().map(str::trim) {
        let Some((target, source)) = line.split_once(" = ") else { continue };
        let is_copy = target.starts_with("a[") && source.starts_with("a_tile[")
            || target.starts_with("b[") && source.starts_with("b_tile[")
            || target.starts_with("a_tile[c") && source.starts_with("a[")
            || target.starts_with("b_tile[c") && source.starts_with("b[");
        if !is_copy {
            continue;
        }
        n_copies += 1;
        let moved = source.replacen(" + c4", " + 1 + c4", 1).replacen("[c4", "[1 + c4", 1);
        assert!(moved != source, "{line}");
        built.refutes(&text.replacen(line, ";", 1), line);
        built.refutes(&text.replacen(line, &format!("{target} = {moved}"), 1), line);
    }
    assert_eq!(n_copies, 4, "{text}");
}

/// Faults in marks and in the text: a barrier that is missing, a hexagon that is too narrow.
#[test]
fn faults_in_tiles_over_time_are_refuted() {
    let options = in_device_memory(tiling(Tiling::Hexagonal, &[4, 8, 16], Language::Cuda));
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
    let boxes = boxes_of_planes();
    for built in [built, in_tiles(Language::Cuda), boxes] {
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
