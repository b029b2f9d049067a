//! Files that are written whole or not at all.
use std::io::Write;
use std::path::Path;

/// Replaces the file at `path` by `text`: all of it, or nothing and an error.
///
/// The text goes to a new file in the same folder first, which is then renamed. A link stays a
/// link, an existing file keeps its permissions, and what is not a file (a pipe) is written to.
pub fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let target = path.canonicalize();
    let path = target.as_deref().unwrap_or(path);
    let name = path.file_name().ok_or_else(|| std::io::Error::other("it has no file name"))?;
    let is_special = path.metadata().is_ok_and(|data| !data.is_file());
    if is_special {
        let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
        return file.write_all(text.as_bytes());
    }
    let mut temporary_name = std::ffi::OsString::from(".");
    temporary_name.push(name);
    temporary_name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary_name);
    let keep_permissions = || match path.metadata() {
        Ok(data) => std::fs::set_permissions(&temporary, data.permissions()),
        Err(_) => Ok(()),
    };
    let written = std::fs::write(&temporary, text)
        .and_then(|()| keep_permissions())
        .and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}
