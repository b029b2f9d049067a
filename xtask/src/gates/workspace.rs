//! The crates of the workspace.
use crate::repository;
use std::path::{Path, PathBuf};
use toml::Table;

/// A crate of the workspace.
pub(super) struct Package {
    /// The name of its folder.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    pub(super) manifest: Table,
}

impl Package {
    /// The entries of a table of the manifest, such as `dependencies`; none if there is no such table.
    pub(super) fn table(&self, name: &str) -> Option<&Table> {
        self.manifest.get(name)?.as_table()
    }
}

/// All crates, in order of their names, `xtask` last.
pub(super) fn packages() -> Result<Vec<Package>, String> {
    let root = repository::root();
    let entries = std::fs::read_dir(root.join("crates")).map_err(|e| e.to_string())?;
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|folder| folder.join("Cargo.toml").exists());
    folders.sort();
    folders.push(root.join("xtask"));
    let package = |folder: PathBuf| {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let manifest = read_toml(&folder.join("Cargo.toml"))?;
        Ok(Package { name: name.unwrap_or_default(), folder, manifest })
    };
    folders.into_iter().map(package).collect()
}

/// Reads a TOML file.
pub(super) fn read_toml(path: &Path) -> Result<Table, String> {
    let error = |e: String| format!("{}: {e}", path.display());
    let text = std::fs::read_to_string(path).map_err(|e| error(e.to_string()))?;
    toml::from_str(&text).map_err(|e| error(e.to_string()))
}

/// The Rust files under a folder, in order.
pub(super) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}
