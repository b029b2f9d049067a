//! The options about profiles.
use super::arguments::Arguments;
use super::usage::usage_error;
use super::values::{path, text};
use loopwright::{Failure, Measurements, ProfileUse, Profiling};
use std::path::PathBuf;

/// The name of a profile where none is given.
const DEFAULT_FILE: &str = "loopwright.profile";

/// What the command line says about profiles.
#[derive(Debug, Default)]
pub(super) struct ProfileArguments {
    records: bool,
    file: Option<String>,
    used: Vec<PathBuf>,
    least_percent: Option<u32>,
    most_versions: Option<usize>,
}

impl ProfileArguments {
    /// Whether an option is one of these.
    pub(super) fn accepts(&self, name: &str) -> bool {
        matches!(
            name,
            "profile-gen" | "profile-file" | "profile-use" | "profile-share" | "profile-versions"
        )
    }

    /// Takes one of these options.
    pub(super) fn accept(&mut self, name: &str, parser: &mut Arguments) -> Result<(), Failure> {
        match name {
            "profile-gen" => self.records = true,
            "profile-file" => self.file = Some(text(parser)?),
            "profile-use" => self.used.push(path(parser)?),
            "profile-share" => self.least_percent = Some(number(name, &text(parser)?, 100)?),
            _ => self.most_versions = Some(number(name, &text(parser)?, 16)? as usize),
        }
        Ok(())
    }

    /// What is to be done; reads profiles.
    pub(super) fn profiling(self) -> Result<Profiling, Failure> {
        if self.records {
            let file = self.file.unwrap_or_else(|| DEFAULT_FILE.to_string());
            return Ok(Profiling::Record { file });
        }
        if self.used.is_empty() {
            return Ok(Profiling::Off);
        }
        let read = Measurements::read(&self.used);
        let mut used = ProfileUse::new(read.map_err(|error| Failure::refused(error.to_string()))?);
        used.least_percent = self.least_percent.unwrap_or(used.least_percent);
        used.most_versions = self.most_versions.unwrap_or(used.most_versions);
        Ok(Profiling::Use(used))
    }
}

/// A number from 1 to a greatest one.
fn number(name: &str, text: &str, greatest: u32) -> Result<u32, Failure> {
    let number = text.parse().ok().filter(|number| (1..=greatest).contains(number));
    number.ok_or_else(|| {
        usage_error(format!("--{name} takes a number from 1 to {greatest}, not `{text}`"))
    })
}
