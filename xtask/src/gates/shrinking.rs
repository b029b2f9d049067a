//! Lists of what is not yet as it should be. They only shrink: what is not on the list fails, and so
//! does an entry that is no longer needed.
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Something that is too large.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) size: usize,
    /// Where it is, for a reader.
    pub(super) detail: String,
}

#[derive(Default)]
pub(super) struct Entries(Vec<Entry>);

impl Entries {
    pub(super) fn push(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    /// The largest size of each name.
    fn sizes(&self) -> BTreeMap<&str, usize> {
        let mut sizes = BTreeMap::new();
        for entry in &self.0 {
            let size = sizes.entry(entry.name.as_str()).or_insert(entry.size);
            *size = (*size).max(entry.size);
        }
        sizes
    }

    /// Compares what is found with the list in a file; `bless` writes the list where it shrinks.
    pub(super) fn check(&self, list: &Path, bless: bool) -> Result<String, String> {
        let text = std::fs::read_to_string(list)
            .map_err(|e| format!("cannot read {}: {e}", list.display()))?;
        let allowed = parse(&text).map_err(|e| format!("{}: {e}", list.display()))?;
        let grown = self.grown(&allowed);
        if !grown.is_empty() {
            return Err(grown);
        }
        let found = self.sizes();
        let is_smaller = |(name, size): (&String, &usize)| found.get(name.as_str()) != Some(size);
        if allowed.iter().any(is_smaller) {
            if !bless {
                let hint =
                    "it has become less: `cargo xtask gates --bless` writes the shorter list";
                return Err(format!("{}: {hint}", list.display()));
            }
            std::fs::write(list, self.list(&text)).map_err(|e| e.to_string())?;
        }
        Ok(format!("{} on the list", found.len()))
    }

    /// What is not on the list, or larger than there.
    fn grown(&self, allowed: &BTreeMap<String, usize>) -> String {
        let is_new =
            |entry: &&Entry| allowed.get(&entry.name).is_none_or(|size| *size < entry.size);
        self.0.iter().filter(is_new).fold(String::new(), |mut text, entry| {
            let before =
                allowed.get(&entry.name).map_or(String::new(), |size| format!(" (was {size})"));
            let _ = writeln!(text, "{}: {}{before}: {}", entry.name, entry.size, entry.detail);
            text
        })
    }

    /// The list, with the remarks that it starts with.
    fn list(&self, before: &str) -> String {
        let head = before.lines().take_while(|line| line.starts_with('#'));
        let mut text: String = head.map(|line| format!("{line}\n")).collect();
        for (name, size) in self.sizes() {
            let _ = writeln!(text, "{size} {name}");
        }
        text
    }
}

fn parse(text: &str) -> Result<BTreeMap<String, usize>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let entry = |line: &str| {
        let (size, name) = line.split_once(' ').ok_or(format!("no size and name: {line}"))?;
        let size = size.parse().map_err(|_| format!("no size: {line}"))?;
        Ok((name.to_string(), size))
    };
    lines.map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_or_is_new_is_named() {
        let mut entries = Entries::default();
        for (name, size) in [("a", 7), ("b", 9)] {
            let detail = "somewhere".to_string();
            entries.push(Entry { name: name.to_string(), size, detail });
        }
        let grown = |list: &str| entries.grown(&parse(list).unwrap());
        assert_eq!(grown("# remark\n8 a\n9 b\n"), "");
        assert_eq!(grown("7 a\n8 b\n"), "b: 9 (was 8): somewhere\n");
        assert_eq!(grown("9 b\n"), "a: 7: somewhere\n");
        assert_eq!(entries.list("# remark\n8 a\n"), "# remark\n7 a\n9 b\n");
        assert!(parse("many a").is_err());
    }
}
