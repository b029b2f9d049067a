//! What the compiler makes of transformed text, before it takes its place.
use crate::cc::plain;
use crate::scratch::ScratchFolder;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// An object or program beside the place where it belongs.
pub(super) struct NewObject {
    /// The folder that it is in, which goes away with this value.
    folder: ScratchFolder,
    name: OsString,
    /// Whether the compiler has said nothing.
    pub(super) is_silent: bool,
}

impl NewObject {
    /// Runs the compiler.
    ///
    /// # Errors
    /// If it fails, or there is no place for what it makes.
    pub(super) fn made(mut words: Vec<OsString>, output: &Path) -> Result<NewObject, String> {
        let name = output.file_name().ok_or("the output has no name")?.to_os_string();
        let folder = ScratchFolder::beside(output);
        let folder = folder.map_err(|error| format!("there is no temporary folder: {error}"))?;
        words.extend(["-o".into(), folder.path().join(&name).into()]);
        let made = plain::command(&words).stdin(Stdio::null()).output();
        let made = made.map_err(|error| format!("the compiler does not run: {error}"))?;
        if !made.status.success() {
            let said = String::from_utf8_lossy(&made.stderr);
            let first = said.lines().find(|line| line.contains("error")).unwrap_or("no reason");
            return Err(format!("the compiler does not take the transformed text: {first}"));
        }
        let is_silent = made.stdout.is_empty() && made.stderr.is_empty();
        Ok(NewObject { folder, name, is_silent })
    }

    /// Takes the place of what the plain compiler has made there.
    ///
    /// # Errors
    /// If there is no such file.
    pub(super) fn replace(self, output: &Path) -> Result<(), String> {
        let known =
            std::fs::metadata(output).map_err(|error| format!("there is no output: {error}"))?;
        if !known.is_file() {
            return Err("the output is no file".to_string());
        }
        let _ = std::fs::set_permissions(self.path(), known.permissions());
        self.place(output)
    }

    /// Becomes the output.
    ///
    /// # Errors
    /// If it cannot be moved.
    pub(super) fn place(self, output: &Path) -> Result<(), String> {
        std::fs::rename(self.path(), output)
            .map_err(|error| format!("the result cannot be moved: {error}"))
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }
}
