//! Files that programs write which were compiled with `--profile-gen`: read, and added up.
//!
//! A file has lines of words. `process PID START NANOSECONDS` is a process with the time that it ran.
//! `region FILE FUNCTION ORDINAL DIGEST NAMES..` begins a region, with names as URLs have them (`%20` for a
//! blank); `values COUNT NANOSECONDS NUMBERS..` and `other COUNT NANOSECONDS` follow, which are about the
//! executions with certain values, and with all others.
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The first line of a file.
pub(crate) const HEADER: &str = "loopwright profile 1";

/// The place of a region in a program that stays the same while the region does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegionKey {
    /// The name of the file, without folders.
    pub file: String,
    /// The function.
    pub function: String,
    /// The position among the regions of the function.
    pub ordinal: usize,
}

/// Executions and the time that they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// How many there were.
    pub count: u64,
    /// All of them together.
    pub nanoseconds: u64,
}

impl Spent {
    fn add(&mut self, other: Spent) {
        self.count = self.count.saturating_add(other.count);
        self.nanoseconds = self.nanoseconds.saturating_add(other.nanoseconds);
    }
}

/// What was measured of one region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionMeasurement {
    /// The integers in front of the region, as the program writes them.
    pub names: Vec<String>,
    /// The executions by values.
    pub values: BTreeMap<Vec<i64>, Spent>,
    /// Executions with values that are not listed.
    pub other: Spent,
}

impl RegionMeasurement {
    /// All executions.
    pub fn total(&self) -> Spent {
        let mut total = self.other;
        self.values.values().for_each(|spent| total.add(*spent));
        total
    }
}

/// All that was measured: runs of any number of processes, added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measurements {
    /// Processes, by number and start, with the nanoseconds that they ran.
    processes: BTreeMap<(u64, u64), u64>,
    /// Regions with the digest of their texts.
    regions: BTreeMap<(RegionKey, String), RegionMeasurement>,
}

/// Why a profile cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError(String);

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ProfileError {}

impl Measurements {
    /// Reads files and adds them up: those that are named, and those of all processes that were to write a
    /// file of such a name (`NAME.123`). A folder stands for all files in it.
    ///
    /// # Errors
    /// If there is no such file, or one is no profile.
    pub fn read(paths: &[PathBuf]) -> Result<Self, ProfileError> {
        let mut all = Measurements::default();
        for path in paths {
            let files = files_of(path);
            if files.is_empty() {
                return Err(ProfileError(format!("{}: there is no such profile", path.display())));
            }
            for file in files {
                let failed =
                    |why: &dyn fmt::Display| ProfileError(format!("{}: {why}", file.display()));
                let text = std::fs::read_to_string(&file).map_err(|error| failed(&error))?;
                all.add(&text).map_err(|error| failed(&error))?;
            }
        }
        Ok(all)
    }

    /// Adds what a file says.
    ///
    /// ```
    /// use loopwright::Measurements;
    /// let mut all = Measurements::default();
    /// let text = "loopwright profile 1\nprocess 7 100 5000\nregion f.c f 0 ab12 n\nvalues 3 4000 100\nother 1 10\n";
    /// all.add(text)?;
    /// all.add(text)?;
    /// let (_, _, region) = all.regions().next().unwrap();
    /// assert_eq!(region.values[&vec![100]].count, 6);
    /// assert_eq!(all.nanoseconds(), 5000);
    /// # Ok::<(), loopwright::ProfileError>(())
    /// ```
    ///
    /// # Errors
    /// With the first line that is none of a profile.
    pub fn add(&mut self, text: &str) -> Result<(), ProfileError> {
        let mut current: Option<(RegionKey, String)> = None;
        if !text.starts_with(HEADER) {
            return Err(ProfileError("it is no profile".to_string()));
        }
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = || ProfileError(format!("line {number} is none of a profile: `{line}`"));
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                _ if line == HEADER => {}
                ["process", pid, start, time] => {
                    let id = (count(pid).ok_or_else(wrong)?, count(start).ok_or_else(wrong)?);
                    let time = count(time).ok_or_else(wrong)?;
                    let known = self.processes.entry(id).or_default();
                    *known = time.max(*known);
                }
                ["region", file, function, ordinal, digest, ref names @ ..] => {
                    let ordinal = ordinal.parse().map_err(|_| wrong())?;
                    let (file, function) = (decoded(file), decoded(function));
                    let key = (RegionKey { file, function, ordinal }, digest.to_string());
                    let names: Vec<String> = names.iter().map(|name| decoded(name)).collect();
                    let known = self.regions.entry(key.clone()).or_default();
                    if known.names != names && known.total().count > 0 {
                        return Err(ProfileError(format!(
                            "line {number}: other names than before"
                        )));
                    }
                    known.names = names;
                    current = Some(key);
                }
                [what @ ("values" | "other"), n, time, ref values @ ..] => {
                    let region = current.as_ref().and_then(|key| self.regions.get_mut(key));
                    let region = region.ok_or_else(wrong)?;
                    let (n, time) = (count(n).ok_or_else(wrong)?, count(time).ok_or_else(wrong)?);
                    let spent = Spent { count: n, nanoseconds: time };
                    let values: Option<Vec<i64>> = values.iter().map(|v| v.parse().ok()).collect();
                    match (what, values.ok_or_else(wrong)?) {
                        ("other", _) => region.other.add(spent),
                        (_, values) if values.len() == region.names.len() => {
                            region.values.entry(values).or_default().add(spent);
                        }
                        _ => return Err(wrong()),
                    }
                }
                _ => return Err(wrong()),
            }
        }
        Ok(())
    }

    /// The regions with the digests of their texts.
    pub fn regions(&self) -> impl Iterator<Item = (&RegionKey, &str, &RegionMeasurement)> {
        self.regions.iter().map(|((key, digest), region)| (key, digest.as_str(), region))
    }

    /// Takes values for all that was measured of a region.
    pub(crate) fn set(&mut self, key: RegionKey, digest: String, values: &[(String, i64)]) {
        let (names, values): (Vec<String>, Vec<i64>) = values.iter().cloned().unzip();
        let spent = Spent { count: 1, nanoseconds: 1 };
        let region =
            RegionMeasurement { names, values: [(values, spent)].into(), other: Spent::default() };
        self.regions.insert((key, digest), region);
    }

    /// What was measured of a region with a text.
    pub(crate) fn of_region(&self, key: &RegionKey, digest: &str) -> Option<&RegionMeasurement> {
        self.regions.get(&(key.clone(), digest.to_string()))
    }

    /// The time of all processes.
    pub fn nanoseconds(&self) -> u64 {
        self.processes.values().fold(0, |sum, time| sum.saturating_add(*time))
    }
}

fn count(word: &str) -> Option<u64> {
    word.parse().ok()
}

/// The files that a path stands for.
fn files_of(path: &Path) -> Vec<PathBuf> {
    let is_file = |path: &PathBuf| path.is_file();
    let listed = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        files
    };
    if path.is_dir() {
        return listed(path).into_iter().filter(is_file).collect();
    }
    let mut files: Vec<PathBuf> = path.is_file().then(|| path.to_path_buf()).into_iter().collect();
    let (Some(name), folder) = (path.file_name(), path.parent()) else { return files };
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let start = format!("{}.", name.to_string_lossy());
    let is_of_process = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let number = name.as_deref().and_then(|name| name.strip_prefix(&start));
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    files.extend(listed(folder).into_iter().filter(is_file).filter(is_of_process));
    files
}

/// A name as one word.
pub(crate) fn encoded(name: &str) -> String {
    let mut word = String::new();
    for byte in name.bytes() {
        match byte {
            b'%' | b'"' | b'\\' | 0..=b' ' | 127.. => word.push_str(&format!("%{byte:02x}")),
            _ => word.push(char::from(byte)),
        }
    }
    word
}

/// The name that a word stands for.
fn decoded(word: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = word.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let digits = behind.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let byte = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        match byte.filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words() {
        for name in ["n", "g->n", "a b", "100%", "%20", "größe", "d[0 + \"x\"]", ""] {
            assert_eq!(decoded(&encoded(name)), name);
            assert!(!encoded(name).contains([' ', '"', '\\']));
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        for text in [
            "",
            "hello",
            "loopwright profile 1\nvalues 1 2 3",
            "loopwright profile 1\nregion f.c f 0 ab n\nvalues 1 2",
            "loopwright profile 1\nregion f.c f 0 ab n\nvalues 1 2 x",
            "loopwright profile 1\nregion f.c f zero ab n",
            "loopwright profile 1\nprocess 1 2",
            "loopwright profile 1\nregion f.c f 0 ab n\nvalues 1 99999999999999999999 7",
        ] {
            assert!(Measurements::default().add(text).is_err(), "{text}");
        }
    }

    #[test]
    fn other_texts_of_a_region_are_other_regions() {
        let mut all = Measurements::default();
        for digest in ["a", "b"] {
            let text = format!("{HEADER}\nregion f.c f 0 {digest} n\nvalues 1 2 3\n");
            all.add(&text).unwrap();
        }
        assert_eq!(all.regions().count(), 2);
    }
}
