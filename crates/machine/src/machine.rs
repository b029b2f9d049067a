//! The description of a machine.

/// A machine, as far as loop transformations care.
///
/// Sizes are in bytes and positive where nothing else is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Cores that run threads of one program at the same time.
    pub cores: u64,
    /// Hardware threads that share a core and its caches.
    pub threads_per_core: u64,
    /// Bytes of a cache line.
    pub cache_line_bytes: u64,
    /// Bytes of the first level data cache, per core.
    pub l1_bytes: u64,
    /// Lines of the first level cache that may hold one address; 0 if any line may.
    pub l1_ways: u64,
    /// Bytes of the second level cache.
    pub l2_bytes: u64,
    /// Lines of the second level cache that may hold one address; 0 if any line may.
    pub l2_ways: u64,
    /// Cores that share a second level cache.
    pub l2_cores: u64,
    /// Bytes of the last level cache; 0 if there is none.
    pub l3_bytes: u64,
    /// Lines of the last level cache that may hold one address; 0 if any line may.
    pub l3_ways: u64,
    /// Cores that share a last level cache.
    pub l3_cores: u64,
    /// Bytes of a page.
    pub page_bytes: u64,
    /// Bytes of the pages that large arrays get without asking; 0 if they get small ones.
    pub huge_page_bytes: u64,
    /// Pages whose addresses the first level of translation buffers holds.
    pub l1_tlb_entries: u64,
    /// Pages whose addresses the second level of translation buffers holds; 0 if there is none.
    pub l2_tlb_entries: u64,
    /// Bytes of a vector register.
    pub vector_bytes: u64,
    /// Vector registers.
    pub vector_registers: u64,
    /// Whether a multiplication and an addition are one instruction.
    pub fused_multiply_add: bool,
    /// Vector instructions of floating-point arithmetic that a core begins in each cycle.
    pub vector_pipelines: u64,
    /// Million cycles per second of a core.
    pub clock_mhz: u64,
    /// Million bytes per second that all cores together move from and to memory.
    pub memory_megabytes_per_second: u64,
}

impl Machine {
    /// A modest machine that code for unknown targets is tuned to: 4 cores, 64 byte lines, 32 KiB
    /// and 512 KiB of cache per core, 8 MiB shared, pages of 4 KiB, 16 registers of 256 bits
    /// (x86-64-v3).
    pub fn generic() -> Self {
        Machine {
            cores: 4,
            threads_per_core: 1,
            cache_line_bytes: 64,
            l1_bytes: 32 << 10,
            l1_ways: 8,
            l2_bytes: 512 << 10,
            l2_ways: 8,
            l2_cores: 1,
            l3_bytes: 8 << 20,
            l3_ways: 16,
            l3_cores: 4,
            page_bytes: 4 << 10,
            huge_page_bytes: 0,
            l1_tlb_entries: 64,
            l2_tlb_entries: 1536,
            vector_bytes: 32,
            vector_registers: 16,
            fused_multiply_add: true,
            vector_pipelines: 2,
            clock_mhz: 3000,
            memory_megabytes_per_second: 20_000,
        }
    }

    /// Bytes of the pages that large arrays lie on.
    ///
    /// ```
    /// use loopwright_machine::Machine;
    /// assert_eq!(Machine::generic().array_page_bytes(), 4096);
    /// let large = Machine { huge_page_bytes: 2 << 20, ..Machine::generic() };
    /// assert_eq!(large.array_page_bytes(), 2 << 20);
    /// ```
    pub fn array_page_bytes(&self) -> u64 {
        self.page_bytes.max(self.huge_page_bytes)
    }
}

impl Default for Machine {
    fn default() -> Self {
        Machine::generic()
    }
}
