//! CUDA's run-time library on the processor: every access of a kernel is counted and checked.
//!
//! The headers stand in place of CUDA's. Text of kernels is rewritten by
//! [`emulated`](crate::cuda_text::emulated) before it is compiled:
//!
//! ```sh
//! g++ -std=c++17 -O1 -fno-thread-jumps -ffp-contract=off -Iheaders -c kernels.cpp
//! EMULATION_COUNTS=counts.txt ./program
//! ```
//!
//! The program then does what it would do on a device, and writes what it did: launches, barriers, bytes
//! copied, accesses of threads, requests of warps, sectors of 32 bytes, cycles of the banks of shared memory,
//! floating-point operations; and what it must not do: races, accesses outside of allocations, values that
//! were never written.
use std::io;
use std::path::Path;

const HEADERS: [(&str, &str); 12] = [
    ("cuda_pipeline.h", include_str!("../emulation/cuda_pipeline.h")),
    ("cuda.h", include_str!("../emulation/cuda.h")),
    ("cuda_runtime.h", include_str!("../emulation/cuda_runtime.h")),
    ("cooperative_groups.h", include_str!("../emulation/cooperative_groups.h")),
    ("matrices.h", include_str!("../emulation/matrices.h")),
    ("threads.h", include_str!("../emulation/threads.h")),
    ("pointers.h", include_str!("../emulation/pointers.h")),
    ("vectors.h", include_str!("../emulation/vectors.h")),
    ("numbers.h", include_str!("../emulation/numbers.h")),
    ("warps.h", include_str!("../emulation/warps.h")),
    ("memory.h", include_str!("../emulation/memory.h")),
    ("counts.h", include_str!("../emulation/counts.h")),
];

/// How `g++` compiles rewritten text: each access stays at one place of the code.
pub const FLAGS: [&str; 5] =
    ["-std=c++17", "-O1", "-fno-thread-jumps", "-ffp-contract=off", "-fpermissive"];

/// Counts of which each is a figure of one run, and findings, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    counts: Vec<(String, u64)>,
}

/// What a program must not do, as the counts name it.
pub const FINDINGS: [&str; 8] = [
    "races",
    "outside",
    "undefined",
    "undefined_copies",
    "uneven_barriers",
    "wrong_sizes",
    "wrong_memory",
    "misaligned",
];

impl Counts {
    /// Reads what a program wrote to the file of `EMULATION_COUNTS`.
    ///
    /// ```
    /// let counts = loopwright_testkit::emulation::Counts::parse("launches 2\nraces 1\n");
    /// assert_eq!(counts.get("launches"), 2);
    /// assert_eq!(counts.get("stores"), 0);
    /// assert_eq!(counts.findings(), [("races", 1)]);
    /// ```
    pub fn parse(text: &str) -> Counts {
        let pair = |line: &str| {
            let (name, count) = line.split_once(' ')?;
            Some((name.to_string(), count.trim().parse().ok()?))
        };
        Counts { counts: text.lines().filter_map(pair).collect() }
    }

    /// A count by its name; zero if it is not there.
    pub fn get(&self, name: &str) -> u64 {
        self.counts.iter().find(|(other, _)| other == name).map_or(0, |(_, count)| *count)
    }

    /// What was found that must not be, and how often.
    pub fn findings(&self) -> Vec<(&'static str, u64)> {
        let found = FINDINGS.iter().map(|&name| (name, self.get(name)));
        found.filter(|(_, count)| *count > 0).collect()
    }
}

/// Writes the headers into a folder, which exists.
///
/// # Errors
///
/// The folder cannot be written to.
pub fn write_headers(folder: &Path) -> io::Result<()> {
    HEADERS.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
}
