//! Where the results of a compilation go.
use super::usage::usage_error;
use loopwright::Failure;
use std::path::{Path, PathBuf};

/// An input and the files that its results go to.
#[derive(Clone, Debug)]
pub(super) struct Results {
    pub(super) input: PathBuf,
    pub(super) is_standard_input: bool,
    /// The code; none for the standard output.
    pub(super) output: Option<PathBuf>,
    pub(super) report: Option<PathBuf>,
    pub(super) choices: Option<PathBuf>,
}

impl Results {
    /// The results of the only file; its code goes into `output` if that ends as a folder does.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub(super) fn of_file(
        input: &Path,
        output: Option<PathBuf>,
        report: Option<PathBuf>,
        choices: Option<PathBuf>,
    ) -> Result<Self, Failure> {
        let output = match output.filter(|path| path.as_os_str() != "-") {
            Some(folder) if ends_as_folder(&folder) => {
                make_folder(&folder)?;
                Some(folder.join(name_of_code(input)))
            }
            output => output,
        };
        let is_standard_input = input.as_os_str() == "-";
        Ok(Results { input: input.to_path_buf(), is_standard_input, output, report, choices })
    }

    /// The file beside the code, or beside the input if the code is printed, whose name ends with a suffix.
    pub(super) fn beside_code(&self, suffix: &str) -> PathBuf {
        let input = if self.is_standard_input { Path::new("stdin") } else { &self.input };
        let code = self.output.as_deref().unwrap_or(input);
        let mut name = code.file_stem().unwrap_or_default().to_os_string();
        name.push(suffix);
        code.with_file_name(name)
    }

    /// The file beside the code for a text, if what is there now is no other file: one that begins like the
    /// text is an earlier result.
    ///
    /// # Errors
    /// If it is another file, an input among them.
    pub(super) fn beside_code_for(&self, suffix: &str, text: &str) -> Result<PathBuf, Failure> {
        let path = self.beside_code(suffix);
        let known = match std::fs::read(&path) {
            Ok(known) => known,
            // What is there and cannot be read is not written over.
            Err(_) if path.symlink_metadata().is_err() => return Ok(path),
            Err(_) => Vec::new(),
        };
        let first = text.lines().next().unwrap_or_default();
        match known.starts_with(first.as_bytes()) {
            true => Ok(path),
            false => Err(Failure::refused(format!(
                "{} is there already and was not made by an earlier run: it would be overwritten by the kernels",
                path.display()
            ))),
        }
    }

    /// Refuses results that take the place of an input or of each other.
    ///
    /// # Errors
    /// With the first of them.
    pub(super) fn refuse_overwriting(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        let results = [
            ("the code", &self.output),
            ("the report", &self.report),
            ("the choices", &self.choices),
        ];
        inputs.iter().try_for_each(|input| distinct_results(input, &results))
    }
}

/// The results of several files: `FILE.opt.c` beside each, or in a folder.
///
/// # Errors
/// If one of them is the standard input, if `output` is no folder, or if two files would go to one.
pub(super) fn results_of_files(
    inputs: &[PathBuf],
    output: Option<&Path>,
) -> Result<Vec<Results>, Failure> {
    if inputs.iter().any(|input| input.as_os_str() == "-") {
        return Err(usage_error("the standard input (-) is compiled alone"));
    }
    if let Some(path) = output.filter(|path| !is_folder(path)) {
        return Err(usage_error(format!(
            "-o {} takes the code of one file; for several name a folder, as in -o {}/",
            path.display(),
            path.display()
        )));
    }
    let mut files: Vec<Results> = Vec::new();
    for input in inputs {
        let code = match output {
            Some(folder) => folder.join(name_of_code(input)),
            None => input.with_extension("opt.c"),
        };
        if let Some(other) = files.iter().find(|other| other.output.as_ref() == Some(&code)) {
            return Err(usage_error(format!(
                "the code of {} and of {} would both go to {}",
                other.input.display(),
                input.display(),
                code.display()
            )));
        }
        files.push(Results {
            input: input.clone(),
            is_standard_input: false,
            output: Some(code),
            report: None,
            choices: None,
        });
    }
    output.map_or(Ok(()), make_folder)?;
    Ok(files)
}

/// The name of the code of a file inside of a folder.
fn name_of_code(input: &Path) -> PathBuf {
    match input.file_name() {
        Some(name) if input.as_os_str() != "-" => Path::new(name).with_extension("opt.c"),
        _ => PathBuf::from("stdin.opt.c"),
    }
}

/// Whether a path is meant to be a folder.
fn is_folder(path: &Path) -> bool {
    ends_as_folder(path) || path.is_dir()
}

fn ends_as_folder(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

fn make_folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path)
        .map_err(|error| Failure::refused(format!("cannot make {}: {error}", path.display())))
}

/// Refuses names of results that are the input's, or the same.
pub(super) fn distinct_results(
    input: &Path,
    results: &[(&str, &Option<PathBuf>)],
) -> Result<(), Failure> {
    let same = |a: &Path, b: &Path| match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        _ => a == b,
    };
    let results: Vec<(&str, &PathBuf)> =
        results.iter().filter_map(|(what, path)| path.as_ref().map(|path| (*what, path))).collect();
    for (position, (what, path)) in results.iter().enumerate() {
        if same(path, input) {
            let path = path.display();
            return Err(usage_error(format!("{path} is the input file and would be overwritten")));
        }
        if let Some((other, _)) = results[..position].iter().find(|(_, known)| same(known, path)) {
            return Err(usage_error(format!("{other} and {what} cannot go to one file")));
        }
    }
    Ok(())
}
