//! Barriers in kernels: where they are needed, where they may stand, what is printed, and that threads wait
//! there.
use crate::devices::{Built, options};
use crate::project::is_there;
use crate::support::headers;
use loopwright::{CompileOptions, Emit, Scheduler};
use loopwright_backend::device::Language;
use loopwright_verify::Proof;
use std::process::Command;

/// Two statements in turn under a loop over time, in one kernel.
const SWEEPS: &str = "\
#include <stdio.h>
static double a[300], b[300];
static void f(int n, int steps, double a[n], double b[n])
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 300; i++)
    a[i] = i * 0.1 + i % 7, b[i] = 1;
  f(300, 9, a, b);
  for (int i = 0; i < 300; i++)
    printf(\"%a %a\\n\", a[i], b[i]);
  return 0;
}
";

/// A mark above a subtree in isl's notation.
fn mark(name: &str, below: &str) -> String {
    format!("{{ mark: \"{name}\", child: {below} }}")
}

fn band(members: &str) -> String {
    format!("{{ schedule: \"[{{ {members} }}]\" }}")
}

fn band_above(members: &str, below: &str) -> String {
    format!("{{ schedule: \"[{{ {members} }}]\", child: {below} }}")
}

/// The schedule of `SWEEPS` in one kernel, with marks above the loops over elements.
fn sweeps(above_first: &dyn Fn(&str) -> String, above_second: &dyn Fn(&str) -> String) -> String {
    let first = above_first(&band("S0[t, i] -> [i]"));
    let second = above_second(&band("S1[t, i] -> [i]"));
    let parts = format!(
        "{{ sequence: [{{ filter: \"{{ S0[t, i] }}\", child: {first} }}, {{ filter: \"{{ S1[t, i] }}\", child: {second} }}] }}"
    );
    let kernel = mark("kernel(sweeps)", &band_above("S0[t, i] -> [t]; S1[t, i] -> [t]", &parts));
    let inside = "0 <= t < steps and 0 < i < n - 1";
    let domain = format!("[n, steps] -> {{ S0[t, i] : {inside}; S1[t, i] : {inside} }}");
    format!("{{ domain: \"{domain}\", child: {kernel} }}")
}

fn threads(below: &str) -> String {
    mark("thread(x)", below)
}

fn threads_behind_barrier(below: &str) -> String {
    mark("barrier", &threads(below))
}

fn with_schedule(tree: String, language: Language) -> CompileOptions {
    CompileOptions { scheduler: Scheduler::Given(tree), ..options(language) }
}

fn both_barriers(language: Language) -> Built {
    let tree = sweeps(&threads_behind_barrier, &threads_behind_barrier);
    Built::with("sweeps", SWEEPS, &with_schedule(tree, language)).expect("it is legal")
}

#[test]
fn barriers_are_printed_where_they_are_marked() {
    let expected = "\
__global__ void sweeps_region1_sweeps(int steps, int n, double *__restrict__ b, double *__restrict__ a)
{
  for (int c0 = 0; c0 < steps; c0++) {
    __syncthreads();
    for (int c1 = 1 + (int) threadIdx.x; c1 <= n - 2; c1 += blockDim.x) {
      b[c1] = 0.3 * (a[c1 - 1] + a[c1] + a[c1 + 1]);
    }
    __syncthreads();
    for (int c1 = 1 + (int) threadIdx.x; c1 <= n - 2; c1 += blockDim.x) {
      a[c1] = b[c1];
    }
  }
}
";
    let built = both_barriers(Language::Cuda);
    assert!(built.kernels().contains(expected), "{}", built.kernels());
    let opencl = both_barriers(Language::OpenCl);
    let n_barriers =
        opencl.kernels().matches("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    assert_eq!(n_barriers.count(), 2, "{}", opencl.kernels());
}

/// The reason why a schedule of `SWEEPS` is refused.
fn refusal(tree: String) -> String {
    let refused = Built::with("refused", SWEEPS, &with_schedule(tree, Language::Cuda));
    let Err(failure) = refused else { panic!("it is not refused") };
    let notes: String = failure.diagnostics.iter().map(|d| format!("{d:?}")).collect();
    format!("{failure}\n{notes}")
}

/// Each barrier is needed: without it the proof has a pair of instances in different threads.
#[test]
fn without_one_of_the_barriers_the_schedule_is_refused() {
    let (barrier, none) = (threads_behind_barrier, threads);
    let claim = "in one thread or on both sides of a barrier";
    let without_first = refusal(sweeps(&none, &barrier));
    assert!(without_first.contains(claim), "{without_first}");
    assert!(without_first.contains("S1[0, 1] -> S0[1, 2]"), "{without_first}");
    let without_second = refusal(sweeps(&barrier, &none));
    assert!(without_second.contains("S0[0, 2] -> S1[0, 1]"), "{without_second}");
}

#[test]
fn barriers_and_loops_that_stand_where_they_must_not_are_refused() {
    let in_threads = |below: &str| mark("barrier", &mark("thread(x)", &mark("barrier", below)));
    let said = refusal(sweeps(&in_threads, &threads_behind_barrier));
    assert!(said.contains("a barrier stands in a loop over threads"), "{said}");
    let blocks = |below: &str| mark("barrier", &mark("block(x)", below));
    let said = refusal(sweeps(&blocks, &blocks));
    assert!(said.contains("is in another block of the same launch, without a barrier across blocks between it and one of"), "{said}");
    let outside = sweeps(&threads, &threads).replace("kernel(sweeps)", "barrier");
    let said = refusal(outside);
    assert!(said.contains("the mark `barrier` stands outside of all kernels"), "{said}");
}

#[test]
fn threads_wait_for_each_other() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let built = both_barriers(Language::Cuda);
    built.emulate(built.kernels(), "-O1");
    let expected = built.expected();
    assert!(built.shell("./code").stdout == expected);
    // A thread that does not come to a barrier is found.
    let (early, run) =
        (built.kernels().replace("__syncthreads", "if (threadIdx.x < 5) __syncthreads"), || {
            Command::new("./code").current_dir(&built.folder).output().unwrap()
        });
    built.emulate(&early, "-O1");
    let output = run();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("27 threads of a block have ended while 5 wait at a barrier"), "{said}");
    if !headers::has_sanitizer() {
        return;
    }
    built.emulate(built.kernels(), "-O1 -g -fsanitize=thread");
    assert!(built.shell("./code").stdout == expected);
    for planted in [1, 2] {
        let mut parts = built.kernels().splitn(planted + 1, "__syncthreads();").collect::<Vec<_>>();
        let rest = parts.pop().unwrap();
        let text = format!("{};{rest}", parts.join("__syncthreads();"));
        built.emulate(&text, "-O1 -g -fsanitize=thread");
        let output = run();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("data race"), "without barrier {planted}: {said}");
    }
}

/// Parts whose loops begin at different values: equal values are on one thread, so nothing between them needs
/// a barrier.
#[test]
fn equal_values_are_on_one_thread() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let program = SWEEPS
        .replace(
            "    for (int i = 1; i < n - 1; i++)\n      a[i] = b[i];",
            "    for (int i = 5; i < n - 1; i++)\n      a[i] += b[i] + t;",
        )
        .replace("0.3 * (a[i - 1] + a[i] + a[i + 1])", "a[i] * 0.5");
    let tree = sweeps(&threads, &threads)
        .replace("S1[t, i] : 0 <= t < steps and 0 < i", "S1[t, i] : 0 <= t < steps and 5 <= i");
    let built = Built::with("equal_values", &program, &with_schedule(tree, Language::Cuda));
    let built = built.expect("it is legal");
    let first =
        "for (int c1 = lw_first(5, threadIdx.x, blockDim.x); c1 <= n - 2; c1 += blockDim.x) {";
    assert!(built.kernels().contains(first), "{}", built.kernels());
    assert!(!built.kernels().contains("__syncthreads"), "{}", built.kernels());
    built.emulate(built.kernels(), "-O1");
    assert!(built.shell("./code").stdout == built.expected());
}

/// `SWEEPS` with several blocks of threads for each step.
fn long_sweeps() -> String {
    SWEEPS.replace("300", "3000")
}

/// The sweeps in one launch: each step reads and writes the memory of the device.
fn joined(name: &str, language: Language) -> Built {
    let options = CompileOptions { time_tiles: false, ..options(language) };
    Built::with(name, &long_sweeps(), &options).expect("it compiles")
}

/// The text in which one line is another one.
fn with_line(text: &str, number: usize, other: &str) -> String {
    let line = |(at, line): (usize, &str)| match at == number {
        true => format!("{other}\n"),
        false => format!("{line}\n"),
    };
    text.lines().enumerate().map(line).collect()
}

/// Lines with a barrier across blocks in kernels.
fn grid_barriers(text: &str) -> Vec<usize> {
    let lines = text.lines().enumerate();
    lines.filter(|(_, line)| line.trim() == "lw_grid_barrier();").map(|(at, _)| at).collect()
}

/// The launch as one whose blocks run in any order.
fn launched_alone(text: &str) -> String {
    let start = "LW_TRY(lw_launch_together(";
    let line =
        text.lines().position(|line| line.trim_start().starts_with(start)).expect("a launch");
    let call = text.lines().nth(line).unwrap().trim();
    let (_, call) = call.split_once(", ").unwrap();
    let (kernel, call) = call.split_once(", lw_grid, lw_block, ").unwrap();
    let arguments = call.strip_suffix("));").unwrap();
    let launch =
        format!("{kernel}<<<lw_grid, lw_block>>>({arguments});\nLW_TRY(cudaGetLastError());");
    with_line(text, line, &launch)
}

#[test]
fn kernels_of_a_host_loop_are_one_launch_with_barriers_across_blocks() {
    let expected = "\
  for (int c0 = 0; c0 < steps; c0++) {
    lw_grid_barrier();
    for (int c1 = (int) blockIdx.x; c1 < (n + 254) / 256; c1 += gridDim.x) {
      const int c2 = 256 * c1 + (int) threadIdx.x;
      if (c2 >= 1 && c2 < n - 1) {
        b[c2] = 0.3 * (a[c2 - 1] + a[c2] + a[c2 + 1]);
      }
    }
    lw_grid_barrier();
";
    let built = joined("joined", Language::Cuda);
    assert!(built.kernels().contains(expected), "{}", built.kernels());
    let launch = "LW_TRY(lw_launch_together(4, joined_region1_kernel0, lw_grid, lw_block, ";
    assert!(built.kernels().contains(launch), "{}", built.kernels());
    let (time_tiles, persistent_kernels) = (false, false);
    let apart = CompileOptions { time_tiles, persistent_kernels, ..options(Language::Cuda) };
    let apart = Built::with("apart", &long_sweeps(), &apart).expect("it compiles");
    for built in [apart, joined("joined_opencl", Language::OpenCl)] {
        let text = built.kernels();
        assert!(!text.contains("grid_barrier") && !text.contains("together"), "{text}");
    }
}

#[test]
fn blocks_wait_for_each_other() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let built = joined("waiting", Language::Cuda);
    built.emulate(built.kernels(), "-O1");
    let expected = built.expected();
    let output = built.shell("EMULATION_REPORT=1 ./code");
    assert!(output.stdout == expected);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("launches 1,"), "{said}");
    let run = || Command::new("./code").current_dir(&built.folder).output().unwrap();
    let barriers = grid_barriers(built.kernels());
    let below = with_line(built.kernels(), barriers[0], "if (blockIdx.x == 0) lw_grid_barrier();");
    for (text, message) in [
        (below, "wait at a barrier across blocks"),
        (launched_alone(built.kernels()), "in a launch whose blocks do not run at the same time"),
    ] {
        built.emulate(&text, "-O1");
        let output = run();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(message), "{said}");
    }
}

/// Without one of the barriers there is a race.
#[test]
fn blocks_need_all_barriers() {
    if !is_there("gcc") || !is_there("g++") || !headers::has_sanitizer() {
        return;
    }
    let built = joined("racing", Language::Cuda);
    built.emulate(built.kernels(), "-O1 -g -fsanitize=thread");
    assert!(built.shell("./code").stdout == built.expected());
    for barrier in grid_barriers(built.kernels()) {
        built.emulate(&with_line(built.kernels(), barrier, ""), "-O1 -g -fsanitize=thread");
        let raced = Command::new("./code").current_dir(&built.folder).output().unwrap();
        let said = String::from_utf8_lossy(&raced.stderr).into_owned();
        assert!(said.contains("data race"), "without line {barrier}: {said}");
    }
}

/// The text of a region is read back: a barrier that is missing or that not all blocks reach, and a launch
/// whose blocks do not run at the same time.
#[test]
fn faults_in_barriers_across_blocks_are_refuted() {
    let built = joined("faulty", Language::Cuda);
    let text = built.compiled.emit_region(0, Emit::Code).expect("there is code");
    let read = |text: &str| built.compiled.check_text(0, text).expect("no operation fails");
    assert_eq!(read(&text).proof, Some(Proof::Proved));
    let mut faulty = vec![launched_alone(&text)];
    for barrier in grid_barriers(&text) {
        for other in ["", "__syncthreads();", "if (blockIdx.x == 0) { lw_grid_barrier(); }"] {
            faulty.push(with_line(&text, barrier, other));
        }
    }
    assert_eq!(faulty.len(), 7);
    for text in &faulty {
        let read = read(text);
        assert!(matches!(read.proof, Some(Proof::Refuted(_))), "{read:?}\n{text}");
    }
    let alone = format!("{:?}", read(&faulty[0]).proof);
    assert!(alone.contains("a launch whose blocks run at the same time"), "{alone}");
}

/// A schedule of the user's may have barriers across blocks, where they order what blocks do.
#[test]
fn given_barriers_across_blocks_are_taken_or_refused() {
    let blocks = |below: &str| mark("block(x)", below);
    let behind = |below: &str| mark("grid_barrier", &blocks(below));
    let tree = sweeps(&behind, &behind);
    let built = Built::with("given", SWEEPS, &with_schedule(tree.clone(), Language::Cuda));
    let built = built.expect("it is legal");
    assert_eq!(grid_barriers(built.kernels()).len(), 2, "{}", built.kernels());
    let said = refusal(sweeps(&behind, &blocks));
    assert!(said.contains("without a barrier across blocks between it and one of"), "{said}");
    let inside = |below: &str| mark("block(x)", below);
    let outside = sweeps(&inside, &inside).replace("kernel(sweeps)", "grid_barrier");
    let said = refusal(outside);
    assert!(said.contains("the mark `grid_barrier` stands outside of all kernels"), "{said}");
    let opencl = Built::with("given", SWEEPS, &with_schedule(tree, Language::OpenCl)).unwrap();
    let notes = opencl.compiled.report.to_string();
    assert!(notes.contains("a barrier across blocks, which OpenCL does not have"), "{notes}");
}
