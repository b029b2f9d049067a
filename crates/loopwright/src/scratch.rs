//! Temporary files and folders, which are gone when this process ends, also where a signal ends it.
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What there is now.
static LISTED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn listed() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LISTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path that is listed as long as this value is there.
#[derive(Debug)]
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        listed().remove(&self.0);
    }
}

/// A folder that goes away with this value.
#[derive(Debug)]
pub(crate) struct ScratchFolder {
    folder: tempfile::TempDir,
    _listed: Listed,
}

impl ScratchFolder {
    /// A folder among the temporary files of the system.
    pub(crate) fn new(prefix: &str) -> io::Result<ScratchFolder> {
        made(|| tempfile::Builder::new().prefix(prefix).tempdir())
    }

    /// A folder beside a file.
    pub(crate) fn beside(path: &Path) -> io::Result<ScratchFolder> {
        let prefix = prefix(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        made(|| builder.tempdir_in(folder_of(path)))
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Nothing comes between a folder and its place in the list.
fn made(make: impl FnOnce() -> io::Result<tempfile::TempDir>) -> io::Result<ScratchFolder> {
    let mut listed = listed();
    let folder = make()?;
    listed.insert(folder.path().to_path_buf());
    let path = folder.path().to_path_buf();
    Ok(ScratchFolder { folder, _listed: Listed(path) })
}

/// A new file that takes the place of another one, or goes away with this value.
pub(crate) struct ScratchFile {
    pub(crate) file: tempfile::NamedTempFile,
    _listed: Listed,
}

impl ScratchFile {
    /// A file beside another one, with the permissions of any new file.
    pub(crate) fn beside(path: &Path) -> io::Result<ScratchFile> {
        let prefix = prefix(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        #[cfg(unix)]
        {
            // What the user's mask leaves of it.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut listed = listed();
        let file = builder.tempfile_in(folder_of(path)).map_err(|error| unnamed(path, &error))?;
        listed.insert(file.path().to_path_buf());
        let path = file.path().to_path_buf();
        Ok(ScratchFile { file, _listed: Listed(path) })
    }

    /// Takes the place of a file.
    pub(crate) fn persist(self, path: &Path) -> io::Result<()> {
        self.file.persist(path).map(drop).map_err(|error| error.error)
    }
}

/// Why there is no new file beside another one, without the new file's name, which says nothing to anybody.
fn unnamed(path: &Path, error: &io::Error) -> io::Error {
    let folder = std::fs::metadata(folder_of(path)).err();
    folder.unwrap_or_else(|| error.kind().into())
}

/// The folder of a file: the one where this program runs for a bare name.
pub(crate) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Hides what stands beside a file and begins as its name does; the longest names have no room for more.
fn prefix(path: &Path) -> OsString {
    const MOST: usize = 40;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(".{}.", name.chars().take(MOST).collect::<String>()).into()
}

/// From now on nothing is made or forgotten.
pub(crate) fn closed() -> Closed {
    Closed(listed())
}

/// The list, which nobody else gets.
pub(crate) struct Closed(MutexGuard<'static, BTreeSet<PathBuf>>);

impl Closed {
    /// Removes all that is left.
    pub(crate) fn remove(&self) {
        for path in self.0.iter() {
            // Another thread may still add a file to a folder.
            for _ in 0..100 {
                let removed = match path.is_dir() {
                    true => std::fs::remove_dir_all(path),
                    false => std::fs::remove_file(path),
                };
                if removed.is_ok() || path.symlink_metadata().is_err() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
        }
    }
}
