//! What a compilation has to do with profiles.
use crate::profile::measurements::Measurements;
use crate::tune::digest::Digest;
use std::sync::Arc;

/// Whether a program is to write a profile, or is compiled with one.
#[derive(Clone, Debug, Default)]
pub enum Profiling {
    /// Neither.
    #[default]
    Off,
    /// The result is the program as it was, and writes a profile into a file of this name when it ends.
    Record {
        /// The name, to which the number of the process is added.
        file: String,
    },
    /// Regions get versions for values that take much of their time.
    Use(ProfileUse),
}

impl Profiling {
    /// A text that is another one for other profiles.
    pub fn identity(&self) -> String {
        match self {
            Profiling::Off | Profiling::Record { .. } => String::new(),
            Profiling::Use(used) => Digest::EMPTY.text(&format!("{:?}", used.measurements)).hex(),
        }
    }
}

/// How profiles are used.
#[derive(Clone, Debug)]
pub struct ProfileUse {
    /// What was measured.
    pub measurements: Arc<Measurements>,
    /// Values get a version if they take so many percent of a region's time.
    pub least_percent: u32,
    /// A region has at most so many versions.
    pub most_versions: usize,
}

impl ProfileUse {
    /// The usual limits: ten percent, four versions.
    pub fn new(measurements: Measurements) -> Self {
        ProfileUse { measurements: Arc::new(measurements), least_percent: 10, most_versions: 4 }
    }
}
