//! The programs that are measured: the repository's kernels, or PolyBench/C as distributed.
use crate::peers;
use std::path::{Path, PathBuf};

/// A kernel with a `main` that prints how many seconds it took.
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
    /// Definitions for all sizes.
    defines: Vec<String>,
    /// Flags for the C compiler.
    pub(crate) flags: Vec<&'static str>,
    /// The definition that makes it print its results, if it does not always do so.
    printing_define: Option<&'static str>,
    /// What follows the size's name in its definition.
    size_suffix: &'static str,
}

impl Program {
    /// The definitions for a size, such as `LARGE`.
    pub(crate) fn defines(&self, size: &str) -> Vec<String> {
        let size = format!("{size}{}", self.size_suffix);
        self.defines.iter().cloned().chain([size]).collect()
    }

    /// The program that prints its results, too, under another name, and rounds after every operation,
    /// so that all correct compilers' programs print nearly the same.
    pub(crate) fn printing(&self) -> Program {
        let mut program = self.clone();
        program.name += "-printing";
        program.flags.push("-ffp-contract=off");
        program.defines.extend(self.printing_define.map(String::from));
        program
    }
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace")
}

/// The programs: PolyBench's if a folder is given, or the repository's.
pub(crate) fn programs(polybench: Option<&Path>) -> Result<Vec<Program>, String> {
    match polybench {
        Some(folder) => distributed(folder),
        None => Ok(peers::kernels().map(own).collect()),
    }
}

/// Keeps the programs that are named; none means all.
pub(crate) fn select(programs: Vec<Program>, names: &[String]) -> Result<Vec<Program>, String> {
    if let Some(unknown) = names.iter().find(|name| programs.iter().all(|p| p.name != **name)) {
        return Err(format!("there is no kernel `{unknown}`"));
    }
    let wanted = |program: &Program| names.is_empty() || names.contains(&program.name);
    Ok(programs.into_iter().filter(wanted).collect())
}

fn own(name: &str) -> Program {
    let folder = root().join("crates/loopwright/tests/kernels");
    Program {
        name: name.to_string(),
        source: folder.join(format!("{name}.c")),
        include_dirs: vec![folder],
        extra_sources: Vec::new(),
        defines: Vec::new(),
        flags: Vec::new(),
        printing_define: None,
        size_suffix: "",
    }
}

/// The programs that PolyBench's own list names, in the order of the comparison figures.
fn distributed(folder: &Path) -> Result<Vec<Program>, String> {
    let utilities = folder.join("utilities");
    let list = utilities.join("benchmark_list");
    let text = std::fs::read_to_string(&list)
        .map_err(|e| format!("cannot read {}: {e}", list.display()))?;
    let program = |line: &str| {
        let source = folder.join(line.trim());
        Some(Program {
            name: source.file_stem()?.to_str()?.to_string(),
            include_dirs: vec![utilities.clone(), source.parent()?.to_path_buf()],
            extra_sources: vec![utilities.join("polybench.c")],
            defines: ["POLYBENCH_USE_C99_PROTO", "POLYBENCH_TIME"].map(String::from).to_vec(),
            flags: Vec::new(),
            printing_define: Some("POLYBENCH_DUMP_ARRAYS"),
            size_suffix: "_DATASET",
            source,
        })
    };
    let mut programs: Vec<Program> = text.lines().filter_map(program).collect();
    programs.sort_by_key(|p| peers::kernels().position(|name| name == p.name));
    Ok(programs)
}
