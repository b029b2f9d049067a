//! The running machine, from `/sys` and `/proc`.
//!
//! Every fact is read on its own; one that is missing (another operating system, a container that
//! hides it, a kernel that does not know it) keeps the value of [`Machine::generic`]. Few kernels
//! tell the sizes of translation buffers; those of AMD processors are in `/proc/cpuinfo`.
use crate::described::{Described, Source};
use crate::facts::{MACHINE, MOST};
use crate::machine::Machine;
use std::fs::{read, read_to_string};
use std::path::{Path, PathBuf};

/// The type of the entry of the auxiliary vector that holds the size of pages.
const AUXILIARY_PAGE_SIZE: u64 = 6;

impl Machine {
    /// The machine this runs on. Facts that the system does not tell are those of
    /// [`Machine::generic`]. Cost: about twenty small files are read.
    pub fn detect() -> Self {
        Described::detect().machine
    }
}

impl Described {
    /// The machine this runs on, with the places where the system tells its facts.
    ///
    /// ```
    /// let text = loopwright_machine::Described::detect().to_string();
    /// assert!(text.starts_with("cores = "));
    /// ```
    pub fn detect() -> Self {
        let mut described = Described::generic();
        let processor = Path::new("/sys/devices/system/cpu/cpu0");
        if let Ok(text) = read_to_string("/proc/cpuinfo") {
            described.read_cpuinfo(&text);
        }
        described.read_threads(&processor.join("topology/thread_siblings_list"));
        if let Ok(threads) = std::thread::available_parallelism() {
            let cores = (threads.get() as u64).div_ceil(described.machine.threads_per_core);
            described.tell("cores", cores, "threads that the system runs at the same time");
        }
        described.read_caches(&processor.join("cache"));
        if let Ok(bytes) = read("/proc/self/auxv")
            && let Some(size) = page_size(&bytes)
        {
            described.tell("page-bytes", size, "/proc/self/auxv");
        }
        described.read_huge_pages(Path::new("/sys/kernel/mm/transparent_hugepage"));
        described.read_clock(&processor.join("cpufreq/cpuinfo_max_freq"));
        described
    }

    /// Takes a fact that the system tells, unless the value makes no sense.
    fn tell(&mut self, key: &str, value: u64, place: &str) {
        if let Some(fact) = MACHINE.iter().find(|fact| fact.key == key)
            && fact.set(&mut self.machine, &value.to_string()).is_ok()
        {
            self.sources.add(fact.key, Source::System(place.to_string()));
        }
    }

    fn read_threads(&mut self, file: &Path) {
        if let Some(threads) = read_line(file).and_then(|list| listed(&list)) {
            self.tell("threads-per-core", threads, &file.display().to_string());
        }
    }

    fn read_caches(&mut self, folder: &Path) {
        for index in 0..8 {
            let folder = folder.join(format!("index{index}"));
            let Some(kind) = read_line(&folder.join("type")) else { break };
            let level = read_line(&folder.join("level"));
            let keys = match (level.as_deref(), &*kind) {
                (Some("1"), "Data" | "Unified") => ["l1-bytes", "l1-ways", ""],
                (Some("2"), "Data" | "Unified") => ["l2-bytes", "l2-ways", "l2-cores"],
                (Some("3"), "Data" | "Unified") => ["l3-bytes", "l3-ways", "l3-cores"],
                _ => continue,
            };
            self.read_cache(&folder, keys);
        }
    }

    /// Reads one cache; `keys` are those of its size, its ways and the cores that share it.
    fn read_cache(&mut self, folder: &Path, [bytes, ways, cores]: [&str; 3]) {
        let (folder, threads) = (folder.to_path_buf(), self.machine.threads_per_core);
        let file = |name: &str| -> (PathBuf, Option<String>) {
            let path = folder.join(name);
            let line = read_line(&path);
            (path, line)
        };
        let number = |line: Option<String>| line.and_then(|text| text.parse::<u64>().ok());
        let (size_file, size) = file("size");
        let (ways_file, ways_line) = file("ways_of_associativity");
        let (shared_file, shared) = file("shared_cpu_list");
        let (line_file, line) = file("coherency_line_size");
        for (key, path, value) in [
            (bytes, size_file, size.and_then(|text| parse_size(&text))),
            (ways, ways_file, number(ways_line)),
            (cores, shared_file, shared.and_then(|l| listed(&l)).map(|n| n.div_ceil(threads))),
            ("cache-line-bytes", line_file, number(line)),
        ] {
            if let Some(value) = value {
                self.tell(key, value, &path.display().to_string());
            }
        }
    }

    /// The highest frequency, which a file has in thousands per second. (What cores run at right now changes
    /// all the time.)
    fn read_clock(&mut self, file: &Path) {
        if let Some(kilohertz) = read_line(file).and_then(|text| text.parse::<u64>().ok()) {
            self.tell("clock-mhz", kilohertz / 1000, &file.display().to_string());
        }
    }

    /// Large pages for everybody; where a program has to ask for them, arrays get small ones.
    fn read_huge_pages(&mut self, folder: &Path) {
        let file = folder.join("enabled");
        let size = read_line(&folder.join("hpage_pmd_size")).and_then(|text| text.parse().ok());
        if let (Some(choice), Some(size)) = (read_line(&file), size) {
            let always = choice.contains("[always]");
            self.tell(
                "huge-page-bytes",
                if always { size } else { 0 },
                &file.display().to_string(),
            );
        }
    }

    /// Reads what the text about the first processor says: vector registers (x86: `flags`, Arm:
    /// `Features`) and translation buffers.
    fn read_cpuinfo(&mut self, text: &str) {
        let place = "/proc/cpuinfo";
        let value_of = |names: &[&str]| {
            let mut lines = text.lines().filter_map(|line| line.split_once(':'));
            lines.find(|(name, _)| names.contains(&name.trim())).map(|(_, value)| value.trim())
        };
        if let Some(entries) = value_of(&["TLB size"]).and_then(|size| size.split(' ').next())
            && let Ok(entries) = entries.parse()
        {
            self.tell("l2-tlb-entries", entries, place);
        }
        // `Intel(R) Xeon(R) Processor @ 2.10GHz`
        let named = value_of(&["model name"]).and_then(|name| name.rsplit_once("@ "));
        let gigahertz = named.and_then(|(_, clock)| clock.strip_suffix("GHz")?.parse::<f64>().ok());
        if let Some(gigahertz) = gigahertz.filter(|value| (0.1..100.0).contains(value)) {
            self.tell("clock-mhz", (gigahertz * 1000.0).round() as u64, place);
        }
        let Some(flags) = value_of(&["flags", "Features"]) else { return };
        let has = |flag: &str| flags.split_ascii_whitespace().any(|f| f == flag);
        let widths = [("avx512f", 64, 32), ("avx", 32, 16), ("asimd", 16, 32), ("sse2", 16, 16)];
        let Some((_, bytes, registers)) = widths.iter().find(|(flag, ..)| has(flag)) else {
            return;
        };
        self.tell("vector-bytes", *bytes, place);
        self.tell("vector-registers", *registers, place);
        self.machine.fused_multiply_add = has("fma") || has("fma4") || has("asimd");
        self.sources.add("fused-multiply-add", Source::System(place.to_string()));
    }
}

/// The first line of a small file.
fn read_line(path: &Path) -> Option<String> {
    let text = read_to_string(path).ok()?;
    Some(text.lines().next()?.trim().to_string())
}

/// How many processors a list like `0-3,8` names.
fn listed(list: &str) -> Option<u64> {
    let mut count = 0u64;
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse::<u64>().ok()?, last.trim().parse::<u64>().ok()?);
        count = count.checked_add(last.checked_sub(first)?)?.checked_add(1)?;
    }
    Some(count).filter(|&count| count <= MOST)
}

/// The size of pages in an auxiliary vector of a 64-bit system: pairs of a type and a value.
fn page_size(vector: &[u8]) -> Option<u64> {
    let (words, _) = vector.as_chunks::<8>();
    let (pairs, _) = words.as_chunks::<2>();
    let found = pairs.iter().find(|[kind, _]| u64::from_ne_bytes(*kind) == AUXILIARY_PAGE_SIZE);
    found.map(|[_, value]| u64::from_ne_bytes(*value)).filter(|size| size.is_power_of_two())
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
    use std::fs::{create_dir_all, remove_dir_all, write};

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
    fn lists_of_processors() {
        for (list, count) in [("0", 1), ("0-3", 4), ("0,64", 2), ("0-1,8-9, 12", 5)] {
            assert_eq!(listed(list), Some(count), "{list}");
        }
        for bad in ["", "a", "3-1", "0-", "0-18446744073709551615", "0-9999999999999"] {
            assert_eq!(listed(bad), None, "{bad}");
        }
    }

    #[test]
    fn facts_of_cpuinfo() {
        let of = |text: &str| {
            let mut described = Described::generic();
            described.read_cpuinfo(text);
            let machine = described.machine;
            (machine.vector_bytes, machine.vector_registers, machine.fused_multiply_add)
        };
        assert_eq!(of("processor : 0\nflags\t\t: fpu sse2 avx avx2 fma avx512f\n"), (64, 32, true));
        assert_eq!(of("flags : fpu sse2 avx\n"), (32, 16, false));
        assert_eq!(of("Features : fp asimd\n"), (16, 32, true));
        assert_eq!(of("nothing\n"), (32, 16, true));
        let mut described = Described::generic();
        described.read_cpuinfo("TLB size\t: 3072 4K pages\n");
        assert_eq!(described.machine.l2_tlb_entries, 3072);
        described.read_cpuinfo("model name\t: Some Processor @ 2.10GHz\n");
        assert_eq!(described.machine.clock_mhz, 2100);
        described.read_cpuinfo("TLB size\t: many\nmodel name: x @ 0GHz\nflags");
        assert_eq!(described.machine.clock_mhz, 2100);
        assert_eq!(described.machine.l2_tlb_entries, 3072);
    }

    #[test]
    fn size_of_pages() {
        let words = |words: &[u64]| words.iter().flat_map(|w| w.to_ne_bytes()).collect::<Vec<u8>>();
        assert_eq!(page_size(&words(&[3, 64, 6, 4096, 0, 0])), Some(4096));
        assert_eq!(page_size(&words(&[3, 6, 6])), None);
        assert_eq!(page_size(&words(&[6, 0])), None);
        assert_eq!(page_size(&[1, 2, 3]), None);
    }

    #[test]
    fn caches_from_a_folder() {
        let folder = std::env::temp_dir().join(format!("caches-{}", std::process::id()));
        for (index, level, kind, size, shared) in [
            (0, 1, "Data", "48K", "0,4"),
            (1, 1, "Instruction", "32K", "0,4"),
            (2, 2, "Unified", "1M", "0-1,4-5"),
        ] {
            let place = folder.join(format!("index{index}"));
            create_dir_all(&place).unwrap();
            let files = [
                ("level", level.to_string()),
                ("type", kind.to_string()),
                ("size", size.to_string()),
                ("shared_cpu_list", shared.to_string()),
                ("ways_of_associativity", "12".to_string()),
                ("coherency_line_size", "0".to_string()),
            ];
            for (name, text) in files {
                write(place.join(name), format!("{text}\n")).unwrap();
            }
        }
        write(folder.join("enabled"), "[always] madvise never\n").unwrap();
        write(folder.join("hpage_pmd_size"), "2097152\n").unwrap();
        let mut described = Described::generic();
        described.read_threads(&folder.join("index0/shared_cpu_list"));
        described.read_caches(&folder);
        described.read_huge_pages(&folder);
        remove_dir_all(&folder).unwrap();
        let machine = Machine {
            threads_per_core: 2,
            l1_bytes: 48 << 10,
            l1_ways: 12,
            l2_bytes: 1 << 20,
            l2_ways: 12,
            l2_cores: 2,
            huge_page_bytes: 2 << 20,
            ..Machine::generic()
        };
        assert_eq!(described.machine, machine);
        assert_eq!(described.source("l3-bytes"), &Source::Assumed);
        assert_eq!(described.source("cache-line-bytes"), &Source::Assumed, "0 makes no sense");
        assert!(matches!(described.source("l2-cores"), Source::System(_)));
    }

    #[test]
    fn detection_is_plausible() {
        let machine = Machine::detect();
        assert!(machine.cores >= 1 && machine.l1_bytes >= 1 << 10);
        assert!(machine.vector_bytes.is_power_of_two() && machine.page_bytes.is_power_of_two());
        assert_eq!(Machine::parse(&Described::detect().to_string()), Ok(machine));
    }
}
