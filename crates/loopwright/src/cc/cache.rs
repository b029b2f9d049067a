//! What came of translation units, kept by their content.
//!
//! A file of the folder has what the transformation of a preprocessed text gave, under a name made of all
//! that it depends on: the text, the flags, the options, the compiler and this program. Files are written
//! whole, so that compilations side by side do not see halves, and begin with a checksum over all of this and
//! what they have: what does not match is not used. When the folder is larger than its limit the oldest files
//! are removed.
use crate::tune::digest::Digest;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bytes that the folder may have.
const LIMIT: u64 = 512 << 20;

/// One of so many results looks at the size of the folder.
const LOOKS: u8 = 32;

/// How the names of results begin.
const PREFIX: &str = "unit-";

/// What came of a translation unit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// Its loops, as JSON.
    pub(super) survey: Value,
    /// The text for the compiler, if anything is transformed.
    pub(super) text: Option<String>,
}

impl Entry {
    /// A line with the survey, then the text.
    fn written(&self, key: Digest) -> String {
        let head = serde_json::json!({ "survey": self.survey, "transformed": self.text.is_some() });
        sealed(key, &format!("{head}\n{}", self.text.as_deref().unwrap_or("")))
    }

    fn read(text: &str, key: Digest) -> Option<Entry> {
        let (head, text) = unsealed(key, text)?.split_once('\n')?;
        let mut head: Value = serde_json::from_str(head).ok()?;
        let text = head["transformed"].as_bool()?.then(|| text.to_string());
        Some(Entry { survey: head["survey"].take(), text })
    }
}

/// A text behind a line with a checksum of it and of its key.
pub(super) fn sealed(key: Digest, text: &str) -> String {
    format!("{}\n{text}", key.text(text).hex())
}

/// The text behind the checksum, if that is right.
pub(super) fn unsealed(key: Digest, sealed: &str) -> Option<&str> {
    let (sum, text) = sealed.split_once('\n')?;
    (sum == key.text(text).hex()).then_some(text)
}

/// The folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cache<'a> {
    folder: &'a Path,
}

impl<'a> Cache<'a> {
    pub(super) fn new(folder: &'a Path) -> Self {
        Cache { folder }
    }

    fn path(&self, key: Digest) -> PathBuf {
        self.folder.join(format!("{PREFIX}{}", key.hex()))
    }

    pub(super) fn get(&self, key: Digest) -> Option<Entry> {
        Entry::read(&std::fs::read_to_string(self.path(key)).ok()?, key)
    }

    /// Keeps a result; where that is not possible it is made again the next time.
    pub(super) fn put(&self, key: Digest, entry: &Entry) {
        let _ = std::fs::create_dir_all(self.folder);
        let _ = crate::output::write_whole(&self.path(key), entry.written(key));
        if key.byte().is_multiple_of(LOOKS) {
            self.shrink(LIMIT);
        }
    }

    /// Removes the oldest results until the folder has at most three quarters of `limit`, if it has more than
    /// that.
    fn shrink(&self, limit: u64) {
        let Ok(entries) = std::fs::read_dir(self.folder) else { return };
        let known = entries.flatten().filter_map(|entry| {
            let is_result = entry.file_name().to_str()?.starts_with(PREFIX);
            let data = entry.metadata().ok().filter(|_| is_result)?;
            Some((data.modified().unwrap_or(SystemTime::UNIX_EPOCH), data.len(), entry.path()))
        });
        let mut files: Vec<(SystemTime, u64, PathBuf)> = known.collect();
        let mut size: u64 = files.iter().map(|(_, size, _)| size).sum();
        if size <= limit {
            return;
        }
        files.sort();
        for (_, bytes, path) in files {
            if size <= limit / 4 * 3 {
                break;
            }
            let _ = std::fs::remove_file(path);
            size -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn results_are_read_back_until_there_are_too_many() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path());
        let key = |text: &str| Digest::EMPTY.text(text);
        assert_eq!(cache.get(key("a")), None);
        let entry = Entry { survey: json!({ "files": [] }), text: Some("int x;\n".to_string()) };
        let nothing = Entry { text: None, ..entry.clone() };
        cache.put(key("a"), &entry);
        cache.put(key("b"), &nothing);
        assert_eq!(cache.get(key("a")), Some(entry));
        assert_eq!(cache.get(key("b")), Some(nothing));
        std::fs::write(folder.path().join("other"), "x").unwrap();
        cache.shrink(1000);
        assert!(cache.get(key("a")).is_some());
        cache.shrink(10);
        assert_eq!((cache.get(key("a")), cache.get(key("b"))), (None, None));
        assert!(folder.path().join("other").exists());
    }

    #[test]
    fn halves_and_changed_texts_are_as_nothing() {
        let key = Digest::EMPTY.text("key");
        let read = |text: &str| Entry::read(&sealed(key, text), key);
        assert_eq!(read("{\"survey\": null}\nint x;"), None);
        assert_eq!(read("{\"transformed\": tr"), None);
        let entry = Entry { survey: json!(1), text: Some("x = a + 11;\n".to_string()) };
        let written = entry.written(key);
        assert_eq!(Entry::read(&written, key), Some(entry));
        assert_eq!(Entry::read(&written.replace("11", "33"), key), None);
        assert_eq!(Entry::read(&written, key.text("other flags")), None);
        assert_eq!(Entry::read(written.split_once('\n').unwrap().1, key), None);
    }
}
