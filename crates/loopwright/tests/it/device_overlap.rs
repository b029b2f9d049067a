//! Copies that overlap with kernels: what waits for what, on an emulation that runs queued work as late as
//! waits allow; and faults in the waits, which reading the text refutes and the emulation shows.
use crate::devices::{Built, options};
use crate::project::is_there;
use loopwright::{CompileOptions, Emit};
use loopwright_backend::device::Language;
use loopwright_verify::Proof;
use std::process::Command;

/// Three kernels. The second one has an array that the first one does not need, and the first one writes a
/// result that no other does.
const CHAIN: &str = "\
#include <stdio.h>
static double a[40][50], b[50][40], c[50], d[40][50], e[40];
static void f(int n, int m)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[j][i] = a[i][j] + 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      d[i][j] += b[m - 1 - j][n - 1 - i] * c[j] + b[j][i];
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      e[i] = e[i] * 0.5 + d[i][j] - d[i][m - j];
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 40; i++) {
    e[i] = i;
    for (int j = 0; j < 50; j++)
      a[i][j] = (i * 7 + j * 3) % 20, d[i][j] = i - j, c[j] = j * 0.25;
  }
  f(40, 50);
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 50; j++)
      printf(\"%a %a %a\\n\", b[j][i], d[i][j], e[i]);
  return 0;
}
";

fn with(language: Language, change: impl Fn(&mut CompileOptions)) -> Built {
    let mut options = options(language);
    // Each kernel has its launch.
    options.persistent_kernels = false;
    options.devices.overlap_copies = true;
    change(&mut options);
    Built::with("chain", CHAIN, &options).expect("it compiles")
}

/// Everything is proved, and the text is read.
fn assert_proved(built: &Built) {
    let region = &built.compiled.report.regions[0];
    assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{}", built.compiled.report);
    assert!(region.only_tested.is_empty(), "{}", built.compiled.report);
}

/// The lines of the function that are about copies, launches and waits, by what they do.
fn order(text: &str) -> Vec<String> {
    let of_function = &text[text.rfind("int lw_status").expect("a function")..];
    let words = ["lw_copy", "<<<", "_await_", "lw_wait", "lw_finish", "NDRange"];
    let lines = of_function.lines().filter(|line| words.iter().any(|word| line.contains(word)));
    let short = |line: &str| {
        let line = line.trim();
        let end = [", 0", "<<<", "());", "(lw_queue"].iter().filter_map(|end| line.find(end)).min();
        line[..end.unwrap_or(line.len())].to_string()
    };
    lines.map(short).collect()
}

#[test]
fn copies_stand_beside_the_kernels_that_need_them() {
    let built = with(Language::Cuda, |_| {});
    assert_proved(&built);
    let expected = [
        "LW_TRY(lw_copy_in(a_device, a",
        "LW_TRY(lw_kernels_await_copies",
        "chain_region1_kernel0",
        "LW_TRY(lw_copies_await_kernels",
        "LW_MUST(lw_copy_out(b, b_device",
        "LW_MUST(lw_copy_in(d_device, d",
        "LW_MUST(lw_copy_in(c_device, c",
        "LW_MUST(lw_kernels_await_copies",
        "chain_region1_kernel1",
        "LW_MUST(lw_copies_await_kernels",
        "LW_MUST(lw_copy_out(d, d_device",
        "LW_MUST(lw_copy_in(e_device, e",
        "LW_MUST(lw_kernels_await_copies",
        "chain_region1_kernel2",
        "LW_MUST(lw_wait",
        "LW_MUST(lw_copy_out(e, e_device",
        "LW_MUST(lw_await_copies",
        "lw_finish();",
    ];
    assert_eq!(order(built.kernels()), expected, "{}", built.kernels());
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let wanted = built.expected();
    built.emulate(built.kernels(), "-O1");
    let output = built.shell("EMULATION_REPORT=1 ./code");
    assert!(output.stdout == wanted);
    let counts = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(counts.contains("launches 3, copies in 4 "), "{counts}");
    // Without memory on the device nothing has come back, and the processor does the work.
    let failed = built.shell("EMULATION_FAIL=3 ./code");
    assert!(failed.stdout == wanted && !failed.stderr.is_empty());
}

/// Each wait that is missing is refuted, and shows in a run.
#[test]
fn missing_waits_are_refuted_and_seen() {
    let built = with(Language::Cuda, |_| {});
    let text = built.compiled.emit_region(0, Emit::Code).unwrap();
    let wanted = is_there("gcc").then(|| built.expected());
    let waits: Vec<usize> = text.match_indices("_await_").map(|(at, _)| at).collect();
    assert_eq!(waits.len(), 6, "{text}");
    for wait in waits {
        let start = text[..wait].rfind('\n').unwrap() + 1;
        let end = wait + text[wait..].find('\n').unwrap();
        let line = &text[start..end];
        let faulty = format!("{}{}", &text[..start], &text[end + 1..]);
        let read = built.compiled.check_text(0, &faulty).unwrap();
        assert!(matches!(read.proof, Some(Proof::Refuted(_))), "{line}: {:?}", read.proof);
        // The last wait is that of the host, which the end of the function has as well.
        let Some(wanted) = wanted.as_ref().filter(|_| !line.contains("lw_await_copies")) else {
            continue;
        };
        let kernels = built.kernels();
        let at = kernels.find(&text[start..end + 60]).expect("the same text");
        let planted = format!("{}{}", &kernels[..at], &kernels[at + line.len()..]);
        built.emulate(&planted, "-O1");
        let output = Command::new("./code").current_dir(&built.folder).output().unwrap();
        assert!(output.stdout != *wanted, "{line}");
    }
}

#[test]
fn faults_in_the_order_of_copies_are_refuted() {
    let built = with(Language::Cuda, |_| {});
    let text = built.compiled.emit_region(0, Emit::Code).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // Copies stand in conditions, launches in blocks.
    let block = |part: &str| {
        let at = lines.iter().position(|line| line.contains(part));
        let at = at.unwrap_or_else(|| panic!("{part}: {text}"));
        match lines[at] {
            line if line.contains("lw_copy_") => at - 1..at + 2,
            line if line.contains("<<<") => at - 3..at + 3,
            _ => at..at + 1,
        }
    };
    let without = |part: &str| {
        let block = block(part);
        let left = lines.iter().enumerate().filter(|(at, _)| !block.contains(at));
        left.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    let moved = |what: &str, behind: &str| {
        let (what, behind) = (block(what), block(behind));
        let own: String = lines[what.clone()].iter().map(|line| format!("{line}\n")).collect();
        let mut result = String::new();
        for (at, line) in lines.iter().enumerate() {
            if !what.contains(&at) {
                result.push_str(&format!("{line}\n"));
            }
            if at + 1 == behind.end {
                result.push_str(&own);
            }
        }
        result
    };
    let faults = [
        // The wait for kernels comes too late, or for other kernels.
        moved("LW_TRY(lw_copies_await_kernels", "LW_MUST(lw_copy_out(b,"),
        moved("LW_MUST(lw_copy_out(d,", "LW_MUST(lw_copy_out(b,"),
        // What a kernel needs arrives behind its wait, or behind the kernel.
        moved("LW_MUST(lw_kernels_await_copies", "LW_MUST(lw_copy_out(b,"),
        moved("lw_copy_in(c_device", "chain_region1_kernel1<<<"),
        moved("LW_TRY(lw_kernels_await_copies", "chain_region1_kernel0<<<"),
        // Results are back, and the processor would begin with them.
        text.replacen("LW_MUST(lw_copy_in(c_device", "LW_TRY(lw_copy_in(c_device", 1),
        text.replacen("LW_MUST(lw_wait", "LW_TRY(lw_wait", 1),
        text.replacen("LW_MUST(cudaGetLastError", "LW_TRY(cudaGetLastError", 1),
        text.replacen("LW_TRY(cudaGetLastError", "LW_MUST(cudaGetLastError", 1),
        // Nobody waits, or a result stays where it is.
        without("LW_MUST(lw_wait"),
        without("  lw_finish();"),
        without("LW_MUST(lw_copy_out(d,"),
    ];
    for faulty in &faults {
        assert!(*faulty != text);
        let read = built.compiled.check_text(0, faulty).unwrap();
        assert!(matches!(read.proof, Some(Proof::Refuted(_))), "{:?}\n{faulty}", read.proof);
    }
    // Copies that wait have no waits in the text.
    let plain = with(Language::Cuda, |options| options.devices.overlap_copies = false);
    assert!(!plain.kernels().contains("Async") && !plain.kernels().contains("_await_"));
    assert!(plain.compiled.check_text(0, &text).unwrap().proof != Some(Proof::Proved));
}

/// Pages of arrays stay where they are, each once, also where arrays share pages.
#[test]
fn arrays_stay_in_their_pages() {
    for overlaps in [true, false] {
        let built = with(Language::Cuda, |options| {
            options.devices.overlap_copies = overlaps;
            options.devices.pinned_memory = true;
        });
        assert_proved(&built);
        let kernels = built.kernels();
        for part in ["  lw_pin(a, a_bytes);\n", "  lw_pin_all();\n", "  lw_finish();\n"] {
            assert!(kernels.contains(part), "{part}: {kernels}");
        }
        let text = built.compiled.emit_region(0, Emit::Code).unwrap();
        for (own, other) in [("lw_pin(a, a_bytes)", "lw_pin(a, b_bytes)"), ("lw_finish();", ";")] {
            let read = built.compiled.check_text(0, &text.replacen(own, other, 1)).unwrap();
            assert!(matches!(read.proof, Some(Proof::Refuted(_))), "{own}: {:?}", read.proof);
        }
        if !is_there("gcc") || !is_there("g++") {
            continue;
        }
        built.emulate(kernels, "-O1");
        let output = built.shell("EMULATION_REPORT=1 ./code");
        assert!(output.stdout == built.expected());
        let counts = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(counts.contains("ranges in pages that stay: "), "{counts}");
        assert!(built.shell("EMULATION_FAIL=2 ./code").stdout == built.expected());
    }
}

#[test]
fn queues_of_opencl_compute_the_same() {
    let built = with(Language::OpenCl, |_| {});
    assert_proved(&built);
    let order = order(built.kernels());
    let at = |part: &str| order.iter().position(|line| line.contains(part));
    assert!(at("lw_copy_in(c_device") > at("NDRange"), "{order:?}");
    assert!(at("lw_copy_out(b,") < at("lw_copy_in(c_device"), "{order:?}");
    let text = built.compiled.emit_region(0, Emit::Code).unwrap();
    for part in ["  LW_TRY(lw_kernels_await_copies());\n", "  LW_TRY(lw_copies_await_kernels());\n"]
    {
        assert!(text.contains(part), "{text}");
        let read = built.compiled.check_text(0, &text.replacen(part, "", 1)).unwrap();
        assert!(matches!(read.proof, Some(Proof::Refuted(_))), "{part}: {:?}", read.proof);
    }
    if let Some(output) = built.on_opencl() {
        assert!(output.stdout == built.expected());
    }
}
