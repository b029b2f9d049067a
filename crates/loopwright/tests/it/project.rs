//! Small projects in folders of their own, built with and without the compiler wrapper.
#![allow(dead_code)] // each program of tests uses a part of this
pub(crate) use crate::support::needs::is_there;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with files, and caches of its own.
pub(crate) struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    pub(crate) fn new(files: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().unwrap();
        let project = Project { folder };
        for (name, text) in files {
            let path = project.path(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        project
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(&self.read(name)).into_owned()
    }

    /// A command that runs in the folder, with its own folder for results that are kept.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path());
        command.env("LOOPWRIGHT_CACHE", self.path("cache")).env("OMP_NUM_THREADS", "2");
        command.env("CCACHE_DIR", self.path("ccache"));
        command.env_remove("LOOPWRIGHT_CC_OPTIONS").env_remove("CC").env_remove("CFLAGS");
        command
    }

    /// Runs a line of a shell.
    pub(crate) fn shell(&self, line: &str) -> Output {
        self.command("sh").args(["-c", line]).output().unwrap()
    }

    /// Runs a line of a shell that has to succeed; what it prints.
    pub(crate) fn succeed(&self, line: &str) -> String {
        let output = self.shell(line);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(
            output.status.success(),
            "{line}\n{}{}",
            text(&output.stdout),
            text(&output.stderr)
        );
        text(&output.stdout)
    }

    /// The wrapper in front of a compiler, for a shell: all loops are written anew, and reports go to
    /// `report`.
    pub(crate) fn wrapper(&self) -> String {
        format!(
            "'{}' cc --always-rewrite --loopwright-report '{}'",
            program().display(),
            self.path("report").display()
        )
    }

    /// The outcomes of commands with sources in the reports, by source.
    pub(crate) fn outcomes(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(self.path("report")).into_iter().flatten().flatten() {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            let Ok(report) = serde_json::from_str::<serde_json::Value>(&text) else { continue };
            for source in report["sources"].as_array().into_iter().flatten() {
                let name = source["source"].as_str().unwrap();
                let name = Path::new(name).file_name().unwrap().to_string_lossy().into_owned();
                found.push((name, report["outcome"].as_str().unwrap().to_string()));
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

/// The program that is tested.
pub(crate) fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_loopwright"))
}
