//! Files that are written whole or not at all.
use std::io::Write;
use std::path::Path;

/// Replaces the file at `path` by `bytes`: all of them, or nothing and an error.
///
/// They go to a new file with a random name in the same folder first, which is then renamed: what is there under
/// another name is never opened. A link stays a link, an existing file keeps its permissions, and what is not
/// a file (a pipe) is written to.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> std::io::Result<()> {
    let bytes = bytes.as_ref();
    let target = path.canonicalize();
    let path = target.as_deref().unwrap_or(path);
    let name = path.file_name().ok_or_else(|| std::io::Error::other("it has no file name"))?;
    let known = path.metadata();
    if known.as_ref().is_ok_and(|data| !data.is_file()) {
        let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
        return file.write_all(bytes);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    {
        // As for any new file: what the user's mask leaves of it.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    if let Ok(data) = known {
        file.as_file().set_permissions(data.permissions())?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}
