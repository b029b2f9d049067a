//! The facts of machines and devices by name.
use crate::device::Device;
use crate::machine::Machine;

/// The greatest number in a description: products of two of them with small numbers fit in the
/// arithmetic of the cost models.
pub(crate) const MOST: u64 = 1 << 40;

/// A fact about something: a machine or a device.
pub(crate) struct Fact<T: 'static> {
    /// Its name in descriptions.
    pub(crate) key: &'static str,
    /// What the value is, for comments.
    pub(crate) meaning: &'static str,
    field: Field<T>,
}

/// All facts about something, in the order of a description.
pub(crate) type Facts<T> = &'static [Fact<T>];

enum Field<T> {
    /// A number, and the least one that makes sense.
    Number(u64, fn(&mut T) -> &mut u64),
    /// `yes` or `no`.
    Flag(fn(&mut T) -> &mut bool),
}

impl<T: Clone> Fact<T> {
    const fn number(
        key: &'static str,
        least: u64,
        meaning: &'static str,
        field: fn(&mut T) -> &mut u64,
    ) -> Self {
        Fact { key, meaning, field: Field::Number(least, field) }
    }

    /// The value of the fact, as in a description.
    pub(crate) fn value(&self, of: &T) -> String {
        let mut copy = of.clone();
        match self.field {
            Field::Number(_, field) => field(&mut copy).to_string(),
            Field::Flag(field) => (if *field(&mut copy) { "yes" } else { "no" }).to_string(),
        }
    }

    /// Sets the fact, or says what is wrong with `value`.
    pub(crate) fn set(&self, of: &mut T, value: &str) -> Result<(), String> {
        let key = self.key;
        match self.field {
            Field::Number(least, field) => {
                let number = match value.parse::<u64>() {
                    Ok(0) if least > 0 => Err(format!("`{key}` must be positive")),
                    Ok(number) if number > MOST => Err(format!("`{key}` is at most {MOST}")),
                    Ok(number) => Ok(number),
                    Err(_) => Err(format!("`{value}` is not a positive integer")),
                }?;
                *field(of) = number;
            }
            Field::Flag(field) => {
                *field(of) = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(format!("`{key}` is `yes` or `no`, not `{value}`")),
                };
            }
        }
        Ok(())
    }
}

/// The facts of a machine.
pub(crate) static MACHINE: [Fact<Machine>; 21] = [
    Fact::number("cores", 1, "run threads at the same time", |m| &mut m.cores),
    Fact::number("threads-per-core", 1, "", |m| &mut m.threads_per_core),
    Fact::number("cache-line-bytes", 1, "", |m| &mut m.cache_line_bytes),
    Fact::number("l1-bytes", 1, "first level, data", |m| &mut m.l1_bytes),
    Fact::number("l1-ways", 0, "0: an address may lie in any line", |m| &mut m.l1_ways),
    Fact::number("l2-bytes", 1, "second level", |m| &mut m.l2_bytes),
    Fact::number("l2-ways", 0, "", |m| &mut m.l2_ways),
    Fact::number("l2-cores", 1, "cores that share it", |m| &mut m.l2_cores),
    Fact::number("l3-bytes", 0, "last level, 0: there is none", |m| &mut m.l3_bytes),
    Fact::number("l3-ways", 0, "", |m| &mut m.l3_ways),
    Fact::number("l3-cores", 1, "cores that share it", |m| &mut m.l3_cores),
    Fact::number("page-bytes", 1, "", |m| &mut m.page_bytes),
    Fact::number("huge-page-bytes", 0, "that arrays get without asking, 0: none", |m| {
        &mut m.huge_page_bytes
    }),
    Fact::number("l1-tlb-entries", 1, "pages", |m| &mut m.l1_tlb_entries),
    Fact::number("l2-tlb-entries", 0, "pages, 0: there is none", |m| &mut m.l2_tlb_entries),
    Fact::number("vector-bytes", 1, "of a register", |m| &mut m.vector_bytes),
    Fact::number("vector-registers", 1, "", |m| &mut m.vector_registers),
    Fact {
        key: "fused-multiply-add",
        meaning: "yes or no",
        field: Field::Flag(|m| &mut m.fused_multiply_add),
    },
    Fact::number("vector-pipelines", 1, "vectors a core begins to compute in a cycle", |m| {
        &mut m.vector_pipelines
    }),
    Fact::number("clock-mhz", 1, "million cycles per second", |m| &mut m.clock_mhz),
    Fact::number("memory-megabytes-per-second", 1, "all cores together", |m| {
        &mut m.memory_megabytes_per_second
    }),
];

/// The facts of a device.
pub(crate) static DEVICE: [Fact<Device>; 26] = [
    Fact::number("multiprocessors", 1, "run blocks at the same time", |d| &mut d.multiprocessors),
    Fact::number("warp-threads", 1, "that execute one instruction together", |d| {
        &mut d.warp_threads
    }),
    Fact::number("block-threads", 1, "of a block, at most", |d| &mut d.block_threads),
    Fact::number("multiprocessor-threads", 1, "at the same time", |d| {
        &mut d.multiprocessor_threads
    }),
    Fact::number("multiprocessor-blocks", 1, "at the same time", |d| &mut d.multiprocessor_blocks),
    Fact::number("multiprocessor-registers", 1, "of 4 bytes", |d| &mut d.multiprocessor_registers),
    Fact::number("thread-registers", 1, "at most", |d| &mut d.thread_registers),
    Fact::number("warp-registers-unit", 1, "a warp gets multiples of it", |d| {
        &mut d.warp_registers_unit
    }),
    Fact::number("block-shared-bytes", 1, "without asking for more", |d| &mut d.block_shared_bytes),
    Fact::number("block-shared-bytes-most", 1, "for kernels that ask for it", |d| {
        &mut d.block_shared_bytes_most
    }),
    Fact::number("multiprocessor-shared-bytes", 1, "of all its blocks", |d| {
        &mut d.multiprocessor_shared_bytes
    }),
    Fact::number("shared-banks", 1, "of 4 bytes a cycle", |d| &mut d.shared_banks),
    Fact::number("memory-line-bytes", 1, "that are read at once", |d| &mut d.memory_line_bytes),
    Fact::number("l2-bytes", 0, "shared by all, 0: there is none", |d| &mut d.l2_bytes),
    Fact::number("clock-mhz", 1, "million cycles per second", |d| &mut d.clock_mhz),
    Fact::number("double-pipelines", 1, "operations on double a multiprocessor and cycle", |d| {
        &mut d.double_pipelines
    }),
    Fact::number("float-pipelines", 1, "operations on float", |d| &mut d.float_pipelines),
    Fact::number("tensor-double-pipelines", 0, "products of double by tensor cores", |d| {
        &mut d.tensor_double_pipelines
    }),
    Fact::number("tensor-double-sum", 1, "products of double that one instruction adds up", |d| {
        &mut d.tensor_double_sum
    }),
    Fact::number("tensor-float-pipelines", 0, "products of tf32 by tensor cores", |d| {
        &mut d.tensor_float_pipelines
    }),
    Fact::number("memory-megabytes-per-second", 1, "of the device's own memory", |d| {
        &mut d.memory_megabytes_per_second
    }),
    Fact::number("transfer-megabytes-per-second", 1, "between host and device", |d| {
        &mut d.transfer_megabytes_per_second
    }),
    Fact::number("transfer-nanoseconds", 0, "before the first byte", |d| {
        &mut d.transfer_nanoseconds
    }),
    Fact::number("launch-nanoseconds", 0, "of a kernel without work", |d| {
        &mut d.launch_nanoseconds
    }),
    Fact::number(
        "asynchronous-bytes",
        0,
        "copied at a time into shared memory by a thread that goes on",
        |d| &mut d.asynchronous_bytes,
    ),
    Fact::number("grid-barrier-nanoseconds", 0, "of a barrier across all blocks", |d| {
        &mut d.grid_barrier_nanoseconds
    }),
];
