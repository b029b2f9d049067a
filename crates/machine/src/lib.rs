//! What the target machine looks like: cores, caches, vector registers.
//!
//! A [`Machine`] is detected from the running Linux system ([`Machine::detect`]), read from a
//! description file ([`Machine::parse`]), or assumed ([`Machine::generic`]). Decisions based on it
//! concern speed only: a wrong description never makes generated code wrong.

mod description;
mod detect;

pub use description::DescriptionError;

/// A machine, as far as loop transformations care.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Cores that run threads at the same time.
    pub cores: u64,
    /// Bytes of a cache line.
    pub cache_line_bytes: u64,
    /// Bytes of the first level data cache, per core.
    pub l1_bytes: u64,
    /// Bytes of the second level cache, per core.
    pub l2_bytes: u64,
    /// Bytes of the last level cache, shared by the cores; 0 if there is none.
    pub l3_bytes: u64,
    /// Bytes of a vector register.
    pub vector_bytes: u64,
    /// Vector registers.
    pub vector_registers: u64,
}

impl Machine {
    /// A modest machine that code for unknown targets is tuned to: 4 cores, 64 byte lines, 32 KiB
    /// and 512 KiB of cache per core, 8 MiB shared, 16 registers of 256 bits (x86-64-v3).
    pub fn generic() -> Self {
        Machine {
            cores: 4,
            cache_line_bytes: 64,
            l1_bytes: 32 << 10,
            l2_bytes: 512 << 10,
            l3_bytes: 8 << 20,
            vector_bytes: 32,
            vector_registers: 16,
        }
    }
}

impl Default for Machine {
    fn default() -> Self {
        Machine::generic()
    }
}
