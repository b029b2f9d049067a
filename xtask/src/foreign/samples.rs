//! Where the plain build of a program spends its time, by `perf`.
use super::build::Built;
use super::execution::execute;
use super::manifest::ForeignProgram;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Samples in a second; no number that periodic things in programs are likely to have.
const FREQUENCY: &str = "499";

/// Whether samples can be taken here.
pub(super) fn has_perf() -> bool {
    let mut command = Command::new("perf");
    command.args(["record", "-q", "-e", "cpu-clock:u", "-o", "/dev/null", "true"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a program under `perf` and writes the lines that `loopwright report --time-data` reads.
pub(super) fn take(
    program: &ForeignProgram,
    lines: &Built,
    folder: &Path,
) -> Result<PathBuf, String> {
    let data = folder.join("perf.data");
    let record = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", FREQUENCY, "-o"];
    let mut before: Vec<String> = record.iter().map(ToString::to_string).collect();
    before.push(data.to_string_lossy().into_owned());
    execute(program, &lines.executable, &before, 1, folder)?;
    let result = write_lines(&data, &lines.executable, &folder.join("samples.txt"));
    let _ = std::fs::remove_file(&data);
    result
}

fn write_lines(data: &Path, executable: &Path, path: &Path) -> Result<PathBuf, String> {
    let output = Command::new("perf")
        .args(["script", "-F", "ip,dso", "-i"])
        .arg(data)
        .stderr(Stdio::null())
        .output()
        .map_err(|e| format!("cannot run perf: {e}"))?;
    let counted = counted(&String::from_utf8_lossy(&output.stdout), executable);
    let addresses: Vec<&str> = counted.addresses.keys().map(String::as_str).collect();
    let places = places(executable, &addresses)?;
    let mut text = String::from("# samples, then the place and where it was expanded\n");
    for (address, count) in &counted.addresses {
        let chain = places.get(&number(address)).map_or("", String::as_str);
        let _ = writeln!(text, "{count}{chain}");
    }
    for (library, count) in &counted.libraries {
        let _ = writeln!(text, "{count} {library}");
    }
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    Ok(path.to_path_buf())
}

/// The number of samples per address of the program, and per library.
#[derive(Debug, Default, PartialEq)]
struct Counted {
    addresses: BTreeMap<String, usize>,
    libraries: BTreeMap<String, usize>,
}

/// Counts lines `ADDRESS (FILE)`.
fn counted(script: &str, executable: &Path) -> Counted {
    let mut counted = Counted::default();
    for line in script.lines() {
        let Some((address, file)) = line.trim().split_once(' ') else { continue };
        let file = Path::new(file.trim().trim_start_matches('(').trim_end_matches(')'));
        let of = match file == executable {
            true => counted.addresses.entry(address.to_string()),
            false => counted.libraries.entry(file.to_string_lossy().replace(' ', "_")),
        };
        *of.or_default() += 1;
    }
    counted
}

fn number(address: &str) -> u64 {
    u64::from_str_radix(address.trim_start_matches("0x"), 16).unwrap_or(u64::MAX)
}

/// The places of addresses, innermost first, each after a space.
fn places(executable: &Path, addresses: &[&str]) -> Result<BTreeMap<u64, String>, String> {
    let error = |e: std::io::Error| format!("cannot run addr2line: {e}");
    let mut command = Command::new("addr2line");
    command.args(["-a", "-i", "-e"]).arg(executable);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(error)?;
    let mut input = child.stdin.take().ok_or("addr2line has no input")?;
    let asked = addresses.join("\n") + "\n";
    // It answers while it reads, so both go on at the same time.
    let writing = std::thread::spawn(move || input.write_all(asked.as_bytes()));
    let output = child.wait_with_output().map_err(error)?;
    let _ = writing.join();
    Ok(chains(&String::from_utf8_lossy(&output.stdout)))
}

/// Reads an address on a line of its own, and then its places.
fn chains(text: &str) -> BTreeMap<u64, String> {
    let mut chains: BTreeMap<u64, String> = BTreeMap::new();
    let mut address = None;
    for line in text.lines() {
        if let Some(digits) = line.strip_prefix("0x") {
            address = u64::from_str_radix(digits, 16).ok();
        } else if let Some(address) = address {
            let place = line.split(" (").next().unwrap_or(line);
            if !place.starts_with("??") && !place.contains(' ') {
                let _ = write!(chains.entry(address).or_default(), " {place}");
            }
        }
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_counted_per_address() {
        let script =
            "      401136 (/x/plain.exe)\n      401136 (/x/plain.exe)\n  7f12 (/lib/libm.so.6)\n";
        let found = counted(script, Path::new("/x/plain.exe"));
        assert_eq!(found.addresses, BTreeMap::from([("401136".to_string(), 2)]));
        assert_eq!(found.libraries, BTreeMap::from([("/lib/libm.so.6".to_string(), 1)]));
    }

    #[test]
    fn chains_are_read() {
        let text = "0x0000000000401136\n/x/a.h:3\n/x/f.c:20 (discriminator 3)\n0x02\n??:0\n";
        let chains = chains(text);
        assert_eq!(chains[&0x401136], " /x/a.h:3 /x/f.c:20");
        assert!(!chains.contains_key(&2));
    }
}
