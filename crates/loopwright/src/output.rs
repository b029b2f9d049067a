//! Files that are written whole or not at all.
use crate::scratch::ScratchFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces the file at `path` by `bytes`: all of them, or nothing and an error.
///
/// They go to a new file with a random name in the same folder first, which is then renamed: what is there
/// under another name is never opened. A link stays a link, also one that leads to no file yet; an existing
/// file keeps its permissions, and what is not a file (a pipe) or an open one (`/dev/stdout`) is written to.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let bytes = bytes.as_ref();
    let path = match place(path)? {
        Place::Output => return all_to(io::stdout().lock(), bytes),
        Place::Errors => return all_to(io::stderr().lock(), bytes),
        Place::Open => return all_to(std::fs::OpenOptions::new().append(true).open(path)?, bytes),
        Place::Named(path) => path,
    };
    path.file_name().ok_or_else(|| io::Error::other("it has no file name"))?;
    let known = path.metadata();
    if known.as_ref().is_ok_and(|data| !data.is_file()) {
        return all_to(std::fs::OpenOptions::new().write(true).open(path)?, bytes);
    }
    let mut new = ScratchFile::beside(&path)?;
    new.file.write_all(bytes)?;
    if let Ok(data) = known {
        new.file.as_file().set_permissions(data.permissions())?;
    }
    new.persist(&path)
}

fn all_to(mut file: impl Write, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.flush()
}

/// Where a path leads to.
enum Place {
    /// The standard output.
    Output,
    /// The standard error.
    Errors,
    /// Another file that this process has open.
    Open,
    /// A name that is no link.
    Named(PathBuf),
}

/// As many links may follow each other, as systems have it.
const MOST_LINKS: usize = 40;

/// Follows links; the last one may lead to nothing.
fn place(path: &Path) -> io::Result<Place> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match path.to_str() {
            Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => return Ok(Place::Output),
            Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => return Ok(Place::Errors),
            Some(name) if name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/") => {
                return Ok(Place::Open);
            }
            _ => {}
        }
        match std::fs::read_link(&path) {
            Ok(target) => path = crate::scratch::folder_of(&path).join(target),
            Err(_) => return Ok(Place::Named(path)),
        }
    }
    Err(io::Error::other("too many links follow each other"))
}
