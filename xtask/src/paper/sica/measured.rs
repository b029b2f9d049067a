//! Measurements, kept in a file so that they can be made in parts.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Seconds of runs and the tile sizes of variants, by what was measured.
pub(super) struct Measured {
    file: PathBuf,
    known: BTreeMap<String, String>,
    end: Instant,
    /// How many measurements there was no time for.
    pub(super) missing: usize,
}

impl Measured {
    /// Those in `file`, if it is there; new ones are made until `limit` is over.
    pub(super) fn read(file: &Path, limit: Duration) -> Result<Self, String> {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let entry = |line: &str| line.split_once('\t').map(|(k, v)| (k.to_string(), v.to_string()));
        let known = text.lines().filter_map(entry).collect();
        let end = Instant::now() + limit;
        Ok(Measured { file: file.to_path_buf(), known, end, missing: 0 })
    }

    /// The value of `key`, made by `make` if it is not known; none if there is no time left.
    pub(super) fn value(
        &mut self,
        key: &str,
        make: impl FnOnce() -> Result<String, String>,
    ) -> Result<Option<String>, String> {
        if let Some(value) = self.known.get(key) {
            return Ok(Some(value.clone()));
        }
        if Instant::now() >= self.end {
            self.missing += 1;
            return Ok(None);
        }
        let value = make().map_err(|e| format!("{key}: {e}"))?;
        self.known.insert(key.to_string(), value.clone());
        let lines = self.known.iter().map(|(key, value)| format!("{key}\t{value}\n"));
        loopwright::output::write_whole(&self.file, lines.collect::<String>())
            .map_err(|e| format!("{}: {e}", self.file.display()))?;
        Ok(Some(value))
    }
}
