//! Whole programs from elsewhere, as a manifest names them: docs/programs.md.
use crate::programs::{Tolerance, files_of_pattern};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a program may run where the manifest does not say it.
const USUAL_LIMIT_S: f64 = 60.0;

/// Programs that are measured together.
#[derive(Debug)]
pub(super) struct Manifest {
    /// What they are, for the head of the table.
    pub(super) title: String,
    pub(super) programs: Vec<ForeignProgram>,
}

/// A program of some files, which is built and run as it lies there.
#[derive(Clone, Debug)]
pub(super) struct ForeignProgram {
    pub(super) name: String,
    /// Where the compilers are started; sources and folders are relative to it.
    pub(super) folder: PathBuf,
    pub(super) sources: Vec<String>,
    /// `-I`, `-D` and other flags, in this order.
    pub(super) flags: Vec<String>,
    /// What comes last on the linker's command line.
    pub(super) link: Vec<String>,
    pub(super) arguments: Vec<String>,
    /// The file that is its standard input, by its name in the working folder.
    pub(super) input: Option<String>,
    /// What lies in its working folder: where it is, and what it is called there.
    pub(super) data: Vec<(PathBuf, String)>,
    pub(super) environment: Vec<(String, String)>,
    /// Whether loops over arrays or floating-point numbers are what it is about.
    pub(super) is_numeric: bool,
    pub(super) limit: Duration,
    pub(super) output: Output,
    pub(super) time: Time,
}

/// What has to be the same however the program is built.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct Output {
    pub(super) stdout: bool,
    pub(super) stderr: bool,
    /// Names of files that it writes.
    pub(super) files: Vec<String>,
    /// Lines that may differ, with `*` for any text.
    pub(super) ignore: Vec<String>,
    /// Parts of lines that may differ: from the first word to the second one, both without `*`.
    pub(super) cut: Vec<(String, String)>,
    pub(super) absolute: Option<f64>,
    pub(super) relative: Option<f64>,
}

impl Default for Output {
    fn default() -> Self {
        Output {
            stdout: true,
            stderr: false,
            files: Vec::new(),
            ignore: Vec::new(),
            cut: Vec::new(),
            absolute: None,
            relative: None,
        }
    }
}

impl Output {
    /// How far numbers may be apart; none if every byte counts.
    pub(super) fn tolerance(&self) -> Option<Tolerance> {
        let (absolute, relative) = (self.absolute.unwrap_or(0.0), self.relative.unwrap_or(0.0));
        let has_one = self.absolute.is_some() || self.relative.is_some();
        has_one.then_some(Tolerance { absolute, relative })
    }
}

/// What is timed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct Time {
    /// The line of the standard output with the seconds, `*` where they are; none if the whole process is
    /// timed.
    pub(super) printed: Option<String>,
    /// Runs of each build; none for that of the command line.
    pub(super) runs: Option<usize>,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct ManifestTable {
    title: String,
    #[serde(default)]
    all: CommonTable,
    program: Vec<ProgramTable>,
}

/// What a program and all of them can have.
#[derive(Deserialize, Default, Clone)]
#[serde(rename_all = "kebab-case", default)]
struct CommonTable {
    include: Vec<String>,
    define: Vec<String>,
    flags: Vec<String>,
    link: Vec<String>,
    environment: BTreeMap<String, String>,
    limit: Option<f64>,
    numeric: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct ProgramTable {
    name: String,
    folder: String,
    sources: Vec<String>,
    #[serde(default)]
    exclude: Vec<String>,
    #[serde(default)]
    arguments: Vec<String>,
    input: Option<String>,
    #[serde(default)]
    data: Vec<String>,
    #[serde(default)]
    output: Output,
    #[serde(default)]
    time: Time,
    #[serde(flatten)]
    common: CommonTable,
    /// What is no key, which flattened tables do not refuse by themselves.
    #[serde(flatten)]
    unknown: BTreeMap<String, toml::Value>,
}

/// The programs of a manifest; their folders are under `base`.
pub(super) fn read(path: &Path, base: &Path) -> Result<Manifest, String> {
    let error = |message: String| format!("{}: {message}", path.display());
    let text = std::fs::read_to_string(path).map_err(|e| error(e.to_string()))?;
    let base = base.canonicalize().map_err(|e| format!("{}: {e}", base.display()))?;
    parse(&text, &base).map_err(error)
}

pub(super) fn parse(text: &str, base: &Path) -> Result<Manifest, String> {
    let table: ManifestTable = toml::from_str(text).map_err(|e| e.to_string())?;
    let of_program = |program: ProgramTable| {
        let name = program.name.clone();
        program.with(&table.all, base).map_err(|e| format!("{name}: {e}"))
    };
    let programs: Vec<_> = table.program.into_iter().map(of_program).collect::<Result<_, _>>()?;
    let mut names = BTreeSet::new();
    match programs.iter().find(|program| !names.insert(program.name.clone())) {
        Some(twice) => Err(format!("two programs are called `{}`", twice.name)),
        None => Ok(Manifest { title: table.title, programs }),
    }
}

impl ProgramTable {
    fn with(self, all: &CommonTable, base: &Path) -> Result<ForeignProgram, String> {
        if let Some(key) = self.unknown.keys().next() {
            return Err(format!("there is no key `{key}`"));
        }
        let folder = base.join(&self.folder);
        let folder = folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?;
        let excluded = names(&folder, &self.exclude)?;
        let mut sources = names(&folder, &self.sources)?;
        sources.retain(|source| !excluded.contains(source));
        if sources.is_empty() {
            return Err("it has no sources".to_string());
        }
        let own = self.common;
        let both = |of: fn(&CommonTable) -> &Vec<String>, prefix: &'static str| {
            let texts = of(all).iter().chain(of(&own)).map(move |text| format!("{prefix}{text}"));
            texts.collect::<Vec<_>>()
        };
        let flags = [both(|t| &t.include, "-I"), both(|t| &t.define, "-D"), both(|t| &t.flags, "")];
        let environment = all.environment.iter().chain(&own.environment);
        Ok(ForeignProgram {
            data: data(&folder, &self.data)?,
            flags: flags.concat(),
            link: both(|t| &t.link, ""),
            environment: environment.map(|(k, v)| (k.clone(), v.clone())).collect(),
            is_numeric: own.numeric.or(all.numeric).unwrap_or(false),
            limit: Duration::try_from_secs_f64(own.limit.or(all.limit).unwrap_or(USUAL_LIMIT_S))
                .map_err(|e| format!("limit: {e}"))?,
            name: self.name,
            folder,
            sources,
            arguments: self.arguments,
            input: self.input,
            output: self.output,
            time: self.time,
        })
    }
}

/// The files of some patterns by their names from a folder; names without `*` are taken as they are.
fn names(folder: &Path, patterns: &[String]) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for pattern in patterns {
        if !pattern.contains('*') {
            if !folder.join(pattern).exists() {
                return Err(format!("there is no `{pattern}` in {}", folder.display()));
            }
            all.push(pattern.clone());
            continue;
        }
        let found = files_of_pattern(folder, pattern)?;
        if found.is_empty() {
            return Err(format!("no file matches `{pattern}` in {}", folder.display()));
        }
        for file in found {
            let name = file.strip_prefix(folder).unwrap_or(&file);
            all.push(name.to_string_lossy().into_owned());
        }
    }
    Ok(all)
}

/// Where what is copied into the working folder lies, and its name there: that from the program's folder, or
/// the last part of one that leads elsewhere.
fn data(folder: &Path, patterns: &[String]) -> Result<Vec<(PathBuf, String)>, String> {
    let with_place = |name: String| {
        let is_elsewhere = name.starts_with('/') || name.starts_with("..");
        let last = Path::new(&name).file_name().map(|last| last.to_string_lossy().into_owned());
        let there = if is_elsewhere { last.unwrap_or_default() } else { name.clone() };
        (folder.join(&name), there)
    };
    Ok(names(folder, patterns)?.into_iter().map(with_place).collect())
}
