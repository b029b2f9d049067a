//! Programs from elsewhere, as a manifest names them: docs/programs.md.
use super::glob;
use super::program::{Collection, Program, Results, Stream, Time, TimeSource, Tolerance};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file as it is written; paths are relative to its folder.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Manifest {
    title: String,
    sources: Vec<String>,
    #[serde(default)]
    exclude: Vec<String>,
    #[serde(default)]
    include: Vec<String>,
    #[serde(default)]
    link: Vec<String>,
    #[serde(default)]
    define: Vec<String>,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default)]
    arguments: Vec<String>,
    sizes: Option<BTreeMap<String, Vec<String>>>,
    time: TimeTable,
    #[serde(default)]
    results: ResultsTable,
    #[serde(default)]
    published_figures: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct TimeTable {
    from: TimeSource,
    #[serde(default)]
    environment: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct ResultsTable {
    size: String,
    define: Vec<String>,
    environment: BTreeMap<String, String>,
    from: Stream,
    absolute: f64,
    relative: f64,
}

impl Default for ResultsTable {
    fn default() -> Self {
        ResultsTable {
            size: "SMALL".to_string(),
            define: Vec::new(),
            environment: BTreeMap::new(),
            from: Stream::Stdout,
            absolute: Tolerance::STANDARD.absolute,
            relative: Tolerance::STANDARD.relative,
        }
    }
}

/// The programs that a manifest names, in the order of their paths.
pub(super) fn read(path: &Path) -> Result<Collection, String> {
    let error = |message: String| format!("{}: {message}", path.display());
    let text = std::fs::read_to_string(path).map_err(|e| error(e.to_string()))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = folder.canonicalize().map_err(|e| error(e.to_string()))?;
    collection(&text, &folder).map_err(error)
}

fn collection(text: &str, folder: &Path) -> Result<Collection, String> {
    let manifest: Manifest = toml::from_str(text).map_err(|e| e.to_string())?;
    let excluded = all_files(folder, &manifest.exclude)?;
    let mut sources = all_files(folder, &manifest.sources)?;
    sources.retain(|source| !excluded.contains(source));
    let link = all_files(folder, &manifest.link)?;
    let programs: Vec<Program> = sources
        .into_iter()
        .map(|source| manifest.program(source, folder, &link))
        .collect::<Result<_, _>>()?;
    let mut names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("two programs are called `{}`: exclude one", pair[0]));
    }
    let (title, has_published_figures) = (manifest.title, manifest.published_figures);
    Ok(Collection { title, has_published_figures, programs })
}

/// The files of all patterns, each of which has to match one.
fn all_files(folder: &Path, patterns: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for pattern in patterns {
        let found = glob::files(folder, pattern)?;
        if found.is_empty() {
            return Err(format!("no file matches `{pattern}` in {}", folder.display()));
        }
        all.extend(found);
    }
    Ok(all)
}

impl Manifest {
    fn program(&self, source: PathBuf, folder: &Path, link: &[PathBuf]) -> Result<Program, String> {
        let name = source.file_stem().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| format!("{} has no name", source.display()))?.to_string();
        let own_folder = source.parent().unwrap_or(folder);
        let include_dir = |text: &String| match text.as_str() {
            "{folder}" => own_folder.to_path_buf(),
            text => folder.join(text),
        };
        let pairs = |table: &BTreeMap<String, String>| {
            table.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let results = &self.results;
        Ok(Program {
            include_dirs: self.include.iter().map(include_dir).collect(),
            extra_sources: link.iter().filter(|file| **file != source).cloned().collect(),
            flags: self.flags.clone(),
            defines: self.define.clone(),
            arguments: self.arguments.clone(),
            sizes: self.sizes.clone(),
            time: Time { from: self.time.from, environment: pairs(&self.time.environment) },
            results: Results {
                size: results.size.clone(),
                defines: results.define.clone(),
                environment: pairs(&results.environment),
                from: results.from,
                tolerance: Tolerance { absolute: results.absolute, relative: results.relative },
            },
            name,
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENTATION: &str = "docs/programs.md";

    /// The manifest of the documentation, for its made-up folder.
    fn documented() -> String {
        let path = crate::repository::root().join(DOCUMENTATION);
        let text = std::fs::read_to_string(path).unwrap();
        let (_, rest) = text.split_once("```toml\n").unwrap();
        rest.split_once("```").unwrap().0.to_string()
    }

    fn folder(name: &str, files: &[&str]) -> PathBuf {
        let name = format!("loopwright-manifest-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        for file in files {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn the_documented_manifest_names_programs() {
        let files = [
            "heat/heat-1d.c",
            "heat/heat-2d.c",
            "waves/shallow.c",
            "waves/unfinished.c",
            "common/report.c",
            "common/report.h",
        ];
        let folder = folder("documented", &files);
        let found = collection(&documented(), &folder).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let names: Vec<&str> = found.programs.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["heat-1d", "heat-2d", "shallow"]);
        let heat = &found.programs[0];
        assert_eq!(heat.extra_sources, [folder.join("common/report.c")]);
        assert_eq!(heat.include_dirs, [folder.join("common"), folder.join("heat")]);
        assert_eq!(heat.defines("LARGE").unwrap(), ["REPORT_SECONDS", "SIZE_LARGE", "N=4000"]);
        assert_eq!(heat.arguments("LARGE"), ["--label", "LARGE"]);
        assert!(heat.has_size("SMALL") && !heat.has_size("HUGE"));
        assert!(heat.defines("HUGE").is_err());
        assert_eq!(heat.time.from, TimeSource::Printed);
        assert_eq!(heat.results.from, Stream::Stderr);
        let printing = heat.printing().defines("SMALL").unwrap();
        assert_eq!(printing, ["REPORT_SECONDS", "SIZE_SMALL", "REPORT_VALUES", "N=100"]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let folder = folder("wrong", &["a/x.c", "b/x.c"]);
        let error = |text: &str| collection(text, &folder).unwrap_err();
        let time = "[time]\nfrom = \"process\"\n";
        let doubled = error(&format!("title = \"t\"\nsources = [\"*/x.c\"]\n{time}"));
        assert_eq!(doubled, "two programs are called `x`: exclude one");
        assert!(
            error(&format!("title = \"t\"\nsources = [\"*.f\"]\n{time}")).starts_with("no file")
        );
        assert!(error("title = \"t\"\nsources = []\n").contains("time"));
        assert!(error(&format!("title = \"t\"\nsource = []\n{time}")).contains("source"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
