//! Operations for each byte against the limits of a machine.
//!
//! Williams, Waterman and Patterson, "Roofline: an insightful visual performance model for multicore
//! architectures", CACM 52(4), 2009: no code is faster than the machine's peak rate, and none faster than its
//! bandwidth times the operations that the code executes for each byte that moves. The bytes are those that
//! have to move at least once: all lines that are touched are loaded, those that are written go back.
use loopwright_machine::Machine;

/// Which limit holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The rate of operations.
    Arithmetic,
    /// The bandwidth of memory.
    Memory,
    /// Neither: all data fits into caches, so that memory is no limit if it is there already.
    Caches,
}

impl Limit {
    /// The limit in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Limit::Arithmetic => "the rate of operations",
            Limit::Memory => "the bandwidth of memory",
            Limit::Caches => "the rate of operations, while the data stays in the caches",
        }
    }
}

/// The place of a region under the roof of a machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roofline {
    /// Floating-point operations of the region.
    pub operations: f64,
    /// The bytes that move at least.
    pub bytes: f64,
    /// Operations for each of these bytes.
    pub intensity: f64,
    /// The operations per second of all cores of the machine, at most.
    pub peak: f64,
    /// The bytes per second of its memory.
    pub bandwidth: f64,
    /// The operations per second that the region can reach.
    pub attainable: f64,
    /// What limits it.
    pub limit: Limit,
}

impl Roofline {
    /// The place of a region with so many operations on elements of so many bytes, moving bytes of memory.
    ///
    /// ```
    /// use loopwright_amounts::{Limit, Roofline};
    /// use loopwright_machine::Machine;
    /// let of = |operations: f64, bytes: f64| Roofline::new(operations, bytes, 8, &Machine::generic());
    /// assert_eq!(of(1e9, 1e9).limit, Limit::Memory);
    /// assert_eq!(of(1e12, 1e9).limit, Limit::Arithmetic);
    /// assert_eq!(of(1e3, 1e3).limit, Limit::Caches);
    /// ```
    pub fn new(operations: f64, bytes: f64, element_bytes: u64, machine: &Machine) -> Roofline {
        let peak = peak(machine, element_bytes);
        let bandwidth = machine.memory_megabytes_per_second as f64 * 1e6;
        let intensity = if bytes > 0.0 { operations / bytes } else { f64::INFINITY };
        let by_memory = intensity * bandwidth;
        let limit = match (by_memory < peak, bytes <= machine.l3_bytes.max(machine.l2_bytes) as f64)
        {
            (false, _) => Limit::Arithmetic,
            (true, true) => Limit::Caches,
            (true, false) => Limit::Memory,
        };
        let attainable = if limit == Limit::Memory { by_memory } else { peak };
        Roofline { operations, bytes, intensity, peak, bandwidth, attainable, limit }
    }
}

/// Operations per second of all cores: vectors in each pipeline in each cycle, twice as many if a
/// multiplication and an addition are one.
fn peak(machine: &Machine, element_bytes: u64) -> f64 {
    let lanes = (machine.vector_bytes / element_bytes.max(1)).max(1);
    let fused = if machine.fused_multiply_add { 2 } else { 1 };
    let each_cycle = lanes as f64 * machine.vector_pipelines as f64 * f64::from(fused);
    machine.cores as f64 * machine.clock_mhz as f64 * 1e6 * each_cycle
}
