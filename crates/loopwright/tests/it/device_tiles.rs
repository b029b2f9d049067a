//! Overlapped tiles on devices: a band of time steps is one launch, with tiles as blocks and barriers between the steps.
use crate::devices::{Built, options};
use crate::project::is_there;
use loopwright::CompileOptions;
use loopwright_backend::device::Language;
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
    if !built.has_sanitizer() {
        return;
    }
    built.emulate(built.kernels(), "-O1 -g -fsanitize=thread");
    assert!(built.shell("./code").stdout == expected);
    let planted = built.kernels().replacen("__syncthreads();", ";", 1);
    built.emulate(&planted, "-O1 -g -fsanitize=thread");
    let raced = Command::new("./code").current_dir(&built.folder).output().unwrap();
    assert!(String::from_utf8_lossy(&raced.stderr).contains("data race"));
}
