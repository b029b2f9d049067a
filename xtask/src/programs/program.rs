//! What a program is that can be measured.
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Programs that are measured together.
#[derive(Debug)]
pub(crate) struct Collection {
    /// What they are, for the head of tables.
    pub(crate) title: String,
    /// Whether the figures of [`crate::peers`] were measured with these programs.
    pub(crate) has_published_figures: bool,
    pub(crate) programs: Vec<Program>,
}

/// A program of one file with a region, and of others.
///
/// Definitions and arguments may have `{size}` in them, in whose place the size's name is put.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The kernel's name.
    pub(crate) name: String,
    /// The file with the region.
    pub(crate) source: PathBuf,
    /// Folders for `-I`.
    pub(crate) include_dirs: Vec<PathBuf>,
    /// Files to link with.
    pub(crate) extra_sources: Vec<PathBuf>,
    /// Flags for the C compiler.
    pub(crate) flags: Vec<String>,
    /// Definitions for all sizes.
    pub(super) defines: Vec<String>,
    /// What the program is called with.
    pub(super) arguments: Vec<String>,
    /// Further definitions by size; none if every name is one.
    pub(super) sizes: Option<BTreeMap<String, Vec<String>>>,
    pub(crate) time: Time,
    pub(crate) results: Results,
}

/// Where the time of a program comes from.
#[derive(Clone, Debug)]
pub(crate) struct Time {
    pub(crate) from: TimeSource,
    /// Variables for runs that are timed.
    pub(crate) environment: Vec<(String, String)>,
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TimeSource {
    /// The program times itself: the last word of its standard output is a number of seconds.
    Printed,
    /// The whole process, from start to end.
    Process,
}

/// How a program prints its results, and how those of two compilers are compared.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    /// The size at which they are compared.
    pub(crate) size: String,
    /// The definitions that make it print them.
    pub(super) defines: Vec<String>,
    /// Variables for runs that print them.
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) from: Stream,
    pub(crate) tolerance: Tolerance,
}

/// Where results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

/// How far numbers may be apart: by `absolute + relative * |wanted|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tolerance {
    pub(crate) absolute: f64,
    pub(crate) relative: f64,
}

impl Tolerance {
    /// For programs that print two digits after the point.
    pub(crate) const STANDARD: Self = Tolerance { absolute: 0.02, relative: 1e-6 };
}

impl Program {
    /// Whether the program has a size of that name.
    pub(crate) fn has_size(&self, size: &str) -> bool {
        self.sizes.as_ref().is_none_or(|sizes| sizes.contains_key(size))
    }

    /// The definitions for a size, such as `LARGE`.
    ///
    /// # Errors
    ///
    /// The program has no such size.
    pub(crate) fn defines(&self, size: &str) -> Result<Vec<String>, String> {
        let of_size = match &self.sizes {
            None => &Vec::new(),
            Some(sizes) => sizes.get(size).ok_or_else(|| {
                let known: Vec<&str> = sizes.keys().map(String::as_str).collect();
                format!("{} has no size {size}, but {}", self.name, known.join(", "))
            })?,
        };
        Ok(self.defines.iter().chain(of_size).map(|text| text.replace("{size}", size)).collect())
    }

    /// What the program is called with.
    pub(crate) fn arguments(&self, size: &str) -> Vec<String> {
        self.arguments.iter().map(|text| text.replace("{size}", size)).collect()
    }

    /// The program that prints its results, too, under another name, and rounds after every operation,
    /// so that all correct compilers' programs print nearly the same.
    pub(crate) fn printing(&self) -> Program {
        let mut program = self.clone();
        program.name += "-printing";
        program.flags.push("-ffp-contract=off".to_string());
        program.defines.extend(self.results.defines.iter().cloned());
        program
    }
}

impl Collection {
    /// Keeps the programs that are named; none means all.
    pub(crate) fn select(self, names: &[String]) -> Result<Self, String> {
        if let Some(unknown) =
            names.iter().find(|name| self.programs.iter().all(|p| p.name != **name))
        {
            return Err(format!("there is no kernel `{unknown}`"));
        }
        let wanted = |program: &Program| names.is_empty() || names.contains(&program.name);
        let programs = self.programs.into_iter().filter(wanted).collect();
        Ok(Collection { programs, ..self })
    }
}
