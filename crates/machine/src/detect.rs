//! The running machine, from `/sys` and `/proc`.
//!
//! Every fact is read on its own; one that is missing (another operating system, a container that
//! hides it) keeps the value of [`Machine::generic`].
use crate::Machine;
use std::fs::read_to_string;
use std::path::Path;

impl Machine {
    /// The machine this runs on. Facts that the system does not tell are those of
    /// [`Machine::generic`]. Cost: about ten small files are read.
    pub fn detect() -> Self {
        let mut machine = Machine::generic();
        if let Ok(cores) = std::thread::available_parallelism() {
            machine.cores = cores.get() as u64;
        }
        machine.read_caches(Path::new("/sys/devices/system/cpu/cpu0/cache"));
        if let Ok(text) = read_to_string("/proc/cpuinfo") {
            machine.read_cpu_flags(&text);
        }
        machine
    }

    fn read_caches(&mut self, folder: &Path) {
        for index in 0..8 {
            let folder = folder.join(format!("index{index}"));
            let read = |name: &str| {
                let text = read_to_string(folder.join(name)).ok();
                text.map(|text| text.trim().to_string())
            };
            let Some(kind) = read("type") else { break };
            let Some(size) = read("size").and_then(|text| parse_size(&text)) else { continue };
            match (read("level").as_deref(), &*kind) {
                (Some("1"), "Data" | "Unified") => self.l1_bytes = size,
                (Some("2"), "Data" | "Unified") => self.l2_bytes = size,
                (Some("3"), "Data" | "Unified") => self.l3_bytes = size,
                _ => {}
            }
            let line = read("coherency_line_size").and_then(|text| text.parse().ok());
            self.cache_line_bytes = line.filter(|&l| l > 0).unwrap_or(self.cache_line_bytes);
        }
    }

    /// Reads vector registers from the flags of the first processor (x86: `flags`, Arm:
    /// `Features`).
    fn read_cpu_flags(&mut self, cpuinfo: &str) {
        let is_flags = |line: &&str| line.starts_with("flags") || line.starts_with("Features");
        let Some((_, flags)) = cpuinfo.lines().find(is_flags).and_then(|l| l.split_once(':'))
        else {
            return;
        };
        let has = |flag: &str| flags.split_ascii_whitespace().any(|f| f == flag);
        (self.vector_bytes, self.vector_registers) = if has("avx512f") {
            (64, 32)
        } else if has("avx") {
            (32, 16)
        } else if has("asimd") {
            (16, 32)
        } else if has("sse2") {
            (16, 16)
        } else {
            (self.vector_bytes, self.vector_registers)
        };
    }
}

/// A size like `48K` or `32M`, in bytes.
fn parse_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let shift = match &text[digits.len()..] {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    let size = digits.parse::<u64>().ok()?.checked_mul(1 << shift)?;
    (size > 0).then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_sysfs() {
        assert_eq!(parse_size("48K"), Some(48 << 10));
        assert_eq!(parse_size("32M"), Some(32 << 20));
        assert_eq!(parse_size("512"), Some(512));
        for bad in ["", "K", "0K", "4KM", "-1K", "99999999999999999999G", "18014398509481984K"] {
            assert_eq!(parse_size(bad), None, "{bad}");
        }
    }

    #[test]
    fn vector_registers_from_flags() {
        let of = |text: &str| {
            let mut machine = Machine::generic();
            machine.read_cpu_flags(text);
            (machine.vector_bytes, machine.vector_registers)
        };
        assert_eq!(of("processor : 0\nflags\t\t: fpu sse2 avx avx2 avx512f\n"), (64, 32));
        assert_eq!(of("flags : fpu sse2 avx\n"), (32, 16));
        assert_eq!(of("Features : fp asimd\n"), (16, 32));
        assert_eq!(of("nothing\n"), (32, 16));
    }

    #[test]
    fn caches_from_a_folder() {
        let folder = std::env::temp_dir().join(format!("caches-{}", std::process::id()));
        for (index, level, kind, size) in
            [(0, 1, "Data", "48K"), (1, 1, "Instruction", "32K"), (2, 2, "Unified", "1M")]
        {
            let place = folder.join(format!("index{index}"));
            std::fs::create_dir_all(&place).unwrap();
            std::fs::write(place.join("level"), format!("{level}\n")).unwrap();
            std::fs::write(place.join("type"), format!("{kind}\n")).unwrap();
            std::fs::write(place.join("size"), format!("{size}\n")).unwrap();
        }
        let mut machine = Machine::generic();
        machine.read_caches(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!((machine.l1_bytes, machine.l2_bytes), (48 << 10, 1 << 20));
        assert_eq!(machine.l3_bytes, Machine::generic().l3_bytes);
    }

    #[test]
    fn detection_is_plausible() {
        let machine = Machine::detect();
        assert!(machine.cores >= 1 && machine.l1_bytes >= 1 << 10);
        assert!(machine.vector_bytes.is_power_of_two());
    }
}
