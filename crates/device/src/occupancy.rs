//! How many threads of a kernel a multiprocessor runs at the same time, and what keeps it from running more.
//!
//! Blocks come as wholes. As many run on a multiprocessor as there are registers, shared memory, threads and
//! places for.
use loopwright_machine::Device;
use std::fmt;

/// What a block of a kernel takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockNeeds {
    /// Its threads.
    pub threads: u64,
    /// Registers of 4 bytes of each thread.
    pub registers: u64,
    /// Bytes of shared memory.
    pub shared_bytes: u64,
}

/// What there is too little of for another block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Threads of a multiprocessor.
    Threads,
    /// Blocks of a multiprocessor.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    SharedMemory,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Threads => "threads",
            Limit::Blocks => "blocks",
            Limit::Registers => "registers",
            Limit::SharedMemory => "shared memory",
        })
    }
}

/// The blocks of a kernel on a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Blocks at the same time; 0 if not even one fits.
    pub blocks: u64,
    /// Their threads, in whole warps.
    pub threads: u64,
    /// The most threads that a multiprocessor runs.
    pub of_threads: u64,
    /// What there is too little of for another block.
    pub limit: Limit,
}

impl Occupancy {
    /// That of a kernel on a device.
    ///
    /// *Cost.* Some divisions.
    ///
    /// # Examples
    /// ```
    /// use loopwright_device::{BlockNeeds, Limit, Occupancy};
    /// use loopwright_machine::DescribedDevice;
    /// let hopper = DescribedDevice::named("hopper").unwrap().device;
    /// let needs = BlockNeeds { threads: 256, registers: 40, shared_bytes: 0 };
    /// let found = Occupancy::of(&needs, &hopper);
    /// // 8 warps of 1280 registers: 6 blocks and not 8.
    /// assert_eq!((found.blocks, found.threads, found.limit), (6, 1536, Limit::Registers));
    /// ```
    pub fn of(needs: &BlockNeeds, device: &Device) -> Occupancy {
        let warps = needs.threads.max(1).div_ceil(device.warp_threads);
        let threads = warps * device.warp_threads;
        let of_warp = (needs.registers * device.warp_threads).max(1);
        let registers = of_warp.next_multiple_of(device.warp_registers_unit) * warps;
        let fits = needs.threads <= device.block_threads
            && needs.registers <= device.thread_registers
            && needs.shared_bytes <= device.block_shared_bytes_most;
        let shared = match needs.shared_bytes {
            0 => u64::MAX,
            bytes => device.multiprocessor_shared_bytes / bytes,
        };
        let limits = [
            (device.multiprocessor_threads / threads, Limit::Threads),
            (device.multiprocessor_blocks, Limit::Blocks),
            (device.multiprocessor_registers / registers, Limit::Registers),
            (shared, Limit::SharedMemory),
        ];
        let [first, rest @ ..] = limits;
        let (blocks, limit) =
            rest.into_iter().fold(first, |least, other| match other.0 < least.0 {
                true => other,
                false => least,
            });
        let blocks = if fits { blocks } else { 0 };
        Occupancy {
            blocks,
            threads: blocks * threads,
            of_threads: device.multiprocessor_threads,
            limit,
        }
    }

    /// The share of the threads that could run, in percent.
    pub fn percent(&self) -> u64 {
        self.threads * 100 / self.of_threads.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_machine::DescribedDevice;

    /// Figures of the occupancy calculator that comes with CUDA.
    #[test]
    fn figures_of_the_calculator() {
        let ampere = DescribedDevice::named("ampere").unwrap().device;
        for (threads, registers, shared_bytes, percent, limit) in [
            (256, 32, 0, 100, Limit::Threads),
            (32, 32, 0, 50, Limit::Blocks),
            (256, 64, 0, 50, Limit::Registers),
            (256, 255, 33_024, 12, Limit::Registers),
            (256, 32, 81_920, 25, Limit::SharedMemory),
            (1024, 32, 0, 100, Limit::Threads),
            (768, 32, 0, 75, Limit::Threads),
        ] {
            let found = Occupancy::of(&BlockNeeds { threads, registers, shared_bytes }, &ampere);
            assert_eq!((found.percent(), found.limit), (percent, limit), "{threads} {registers}");
        }
    }

    #[test]
    fn what_does_not_fit_has_no_blocks() {
        let ampere = DescribedDevice::named("ampere").unwrap().device;
        for (threads, registers, shared_bytes) in
            [(2048, 32, 0), (32, 256, 0), (32, 32, 200_000), (1024, 128, 0)]
        {
            let found = Occupancy::of(&BlockNeeds { threads, registers, shared_bytes }, &ampere);
            assert_eq!(found.blocks, 0, "{threads} {registers} {shared_bytes}");
        }
    }

    /// By its definition, for many needs: so many blocks fit, and one more does not.
    #[test]
    fn one_more_block_never_fits() {
        for name in DescribedDevice::names() {
            let d = DescribedDevice::named(name).unwrap().device;
            for threads in (1..=d.block_threads).step_by(37) {
                for registers in (16..=d.thread_registers).step_by(23) {
                    for shared_bytes in [0, 1, 9000, 32_768] {
                        let needs = BlockNeeds { threads, registers, shared_bytes };
                        let found = Occupancy::of(&needs, &d);
                        let warps = threads.div_ceil(d.warp_threads);
                        let of_warp = (registers * d.warp_threads).div_ceil(d.warp_registers_unit)
                            * d.warp_registers_unit;
                        let fit = |blocks: u64| {
                            blocks * warps * d.warp_threads <= d.multiprocessor_threads
                                && blocks <= d.multiprocessor_blocks
                                && blocks * warps * of_warp <= d.multiprocessor_registers
                                && blocks * shared_bytes <= d.multiprocessor_shared_bytes
                        };
                        assert!(fit(found.blocks) && !fit(found.blocks + 1), "{name} {needs:?}");
                    }
                }
            }
        }
    }
}
