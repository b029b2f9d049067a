//! Paths by pattern: `*` stands for any part of a name, `**` for any folders (or none).
use std::path::{Path, PathBuf};

/// The files under `root` whose paths from there match a pattern, in order.
pub(crate) fn files(root: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let parts: Vec<&str> = pattern.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let mut found = Vec::new();
    let start = if pattern.starts_with('/') { Path::new("/") } else { root };
    visit(start, &parts, &mut found)?;
    found.sort();
    found.dedup();
    Ok(found)
}

fn visit(folder: &Path, parts: &[&str], found: &mut Vec<PathBuf>) -> Result<(), String> {
    let Some((&first, rest)) = parts.split_first() else {
        if folder.is_file() {
            found.push(folder.to_path_buf());
        }
        return Ok(());
    };
    if !first.contains('*') {
        let path = folder.join(first);
        return if path.exists() { visit(&path, rest, found) } else { Ok(()) };
    }
    if !folder.is_dir() {
        return Ok(());
    }
    if first == "**" {
        visit(folder, rest, found)?;
    }
    let entries =
        std::fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    for entry in entries {
        let entry = entry.map_err(|e| e.to_string())?;
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_string_lossy();
        if first == "**" {
            // Links are not followed here, so that the walk ends.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !name.starts_with('.') {
                visit(&path, parts, found)?;
            }
        } else if matches(&name, first) {
            visit(&path, rest, found)?;
        }
    }
    Ok(())
}

/// Whether a name is a pattern with some text in place of each `*`.
pub(crate) fn matches(name: &str, pattern: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return name == pattern };
    let Some(rest) = name.strip_prefix(head) else { return false };
    let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    ends.any(|at| matches(&rest[at..], tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_any_text() {
        assert!(
            matches("heat-3d.c", "*.c") && matches("heat-3d.c", "heat*d*") && matches("a", "a")
        );
        assert!(!matches("heat-3d.h", "*.c") && !matches("ab", "a"));
    }

    #[test]
    fn files_of_the_repository_are_found() {
        let root = crate::repository::root();
        assert!(files(root, "examples/gemm.c").unwrap() == [root.join("examples/gemm.c")]);
        let kernels = files(root, "crates/**/kernels/g*.c").unwrap();
        assert!(kernels.iter().any(|path| path.ends_with("tests/kernels/gemm.c")), "{kernels:?}");
        assert!(files(root, "no/such/*.c").unwrap().is_empty());
    }
}
