//! The facts of a machine by name.
use crate::machine::Machine;

/// The greatest number in a description: products of two of them with small numbers fit in the
/// arithmetic of the cost models.
pub(crate) const MOST: u64 = 1 << 40;

/// A fact of a machine.
pub(crate) struct Fact {
    /// Its name in descriptions.
    pub(crate) key: &'static str,
    /// What the value is, for comments.
    pub(crate) meaning: &'static str,
    field: Field,
}

enum Field {
    /// A number, and the least one that makes sense.
    Number(u64, fn(&mut Machine) -> &mut u64),
    /// `yes` or `no`.
    Flag(fn(&mut Machine) -> &mut bool),
}

impl Fact {
    const fn number(
        key: &'static str,
        least: u64,
        meaning: &'static str,
        field: fn(&mut Machine) -> &mut u64,
    ) -> Self {
        Fact { key, meaning, field: Field::Number(least, field) }
    }

    /// The fact with this name.
    pub(crate) fn named(key: &str) -> Option<&'static Fact> {
        FACTS.iter().find(|fact| fact.key == key)
    }

    /// The value of the fact, as in a description.
    pub(crate) fn value(&self, machine: &Machine) -> String {
        let mut copy = machine.clone();
        match self.field {
            Field::Number(_, field) => field(&mut copy).to_string(),
            Field::Flag(field) => (if *field(&mut copy) { "yes" } else { "no" }).to_string(),
        }
    }

    /// Sets the fact, or says what is wrong with `value`.
    pub(crate) fn set(&self, machine: &mut Machine, value: &str) -> Result<(), String> {
        let key = self.key;
        match self.field {
            Field::Number(least, field) => {
                let number = match value.parse::<u64>() {
                    Ok(0) if least > 0 => Err(format!("`{key}` must be positive")),
                    Ok(number) if number > MOST => Err(format!("`{key}` is at most {MOST}")),
                    Ok(number) => Ok(number),
                    Err(_) => Err(format!("`{value}` is not a positive integer")),
                }?;
                *field(machine) = number;
            }
            Field::Flag(field) => {
                *field(machine) = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(format!("`{key}` is `yes` or `no`, not `{value}`")),
                };
            }
        }
        Ok(())
    }
}

/// All facts, in the order of a description.
pub(crate) static FACTS: [Fact; 21] = [
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
