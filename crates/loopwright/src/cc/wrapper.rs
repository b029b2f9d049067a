//! From the command line of a compiler to its result.
use crate::cc::command_line::{CommandLine, Part};
use crate::cc::compiler::Target;
use crate::cc::flags::Kind;
use crate::cc::job::Job;
use crate::cc::transformation::Transformation;
use crate::cc::{library, plain, result_text};
use loopwright_cfront::{Preprocessed, text_of};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// What `loopwright cc` is asked to do.
#[derive(Clone, Debug)]
pub struct Wrapper {
    /// The compiler and its arguments.
    pub command: Vec<OsString>,
    /// The options of this program, for the process that transforms.
    pub options: Vec<OsString>,
    /// The folder for reports, one file for each command.
    pub report: Option<PathBuf>,
    /// The folder where answers are kept.
    pub cache: Option<PathBuf>,
    /// The longest time for the transformation of a source.
    pub limit: Duration,
}

/// What was done, for the report.
struct Told {
    /// Why nothing is transformed, or what was.
    outcome: String,
    sources: Vec<Value>,
}

impl Told {
    fn plain(outcome: impl Into<String>) -> Told {
        Told { outcome: outcome.into(), sources: Vec::new() }
    }
}

/// Compiles; returns the exit status, or never where the compiler goes on in place of this process.
///
/// # Errors
/// If the compiler cannot be run.
pub fn run(wrapper: &Wrapper) -> io::Result<i32> {
    match Compilation::of(wrapper) {
        Ok(Work::Compile(compilation)) => compilation.run(wrapper),
        Ok(Work::Link(line)) => link(wrapper, &line),
        Err(why) => {
            wrapper.tell(&Told::plain(why));
            plain::become_it(&wrapper.command)
        }
    }
}

/// What there is to do beside running the compiler.
enum Work {
    Compile(Compilation),
    Link(CommandLine),
}

/// A source with the text that the preprocessor makes of it.
struct Unit {
    source: PathBuf,
    job: Job,
    /// The file of the job.
    file: PathBuf,
    /// Whether there may be anything to transform.
    is_promising: bool,
}

struct Compilation {
    line: CommandLine,
    target: Target,
    folder: tempfile::TempDir,
    units: Vec<Unit>,
}

impl Wrapper {
    /// Writes what was done into the folder for reports.
    fn tell(&self, told: &Told) {
        let Some(folder) = &self.report else { return };
        let words: Vec<String> =
            self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let here = std::env::current_dir().unwrap_or_default();
        let key = words.iter().fold(
            crate::tune::digest::Digest::EMPTY.text(&here.to_string_lossy()),
            |digest, word| digest.text(word),
        );
        let text = json!({
            "format": 1,
            "folder": here.to_string_lossy(),
            "command": words,
            "outcome": told.outcome,
            "sources": told.sources,
        });
        // A report that cannot be written is no reason to fail.
        let _ = std::fs::create_dir_all(folder);
        let _ = crate::output::write_whole(
            &folder.join(format!("{}.json", key.hex())),
            format!("{text:#}\n"),
        );
    }
}

impl Compilation {
    /// Preprocesses the sources.
    ///
    /// # Errors
    /// Why nothing is transformed.
    fn of(wrapper: &Wrapper) -> Result<Work, String> {
        let line = CommandLine::read(&wrapper.command)?;
        if line.sources().next().is_none() {
            let has_inputs = line.parts.iter().any(|part| matches!(part, Part::Input(_)));
            return match line.links() && has_inputs {
                true => Ok(Work::Link(line)),
                false => Err("there is no source".to_string()),
            };
        }
        let target = Target::of(&line, wrapper.cache.as_deref())?;
        let folder = tempfile::Builder::new().prefix("loopwright-cc-").tempdir();
        let folder = folder.map_err(|error| format!("there is no temporary folder: {error}"))?;
        let sources: Vec<PathBuf> = line.sources().map(Path::to_path_buf).collect();
        let mut units = Vec::new();
        for (position, source) in sources.into_iter().enumerate() {
            units.push(preprocessed(
                &line,
                &target,
                source,
                &folder.path().join(position.to_string()),
            )?);
        }
        if !units.iter().any(|unit| unit.is_promising) && !line.links() {
            return Err("there is no loop over arrays".to_string());
        }
        Ok(Work::Compile(Compilation { line, target, folder, units }))
    }

    /// Runs the compiler and the transformation side by side, then the compiler on what was transformed.
    fn run(&self, wrapper: &Wrapper) -> io::Result<i32> {
        let promising = self.units.iter().filter(|unit| unit.is_promising);
        let started: Vec<(&Unit, io::Result<Transformation>)> = promising
            .map(|unit| {
                let transformation =
                    Transformation::start(&wrapper.options, &unit.file, wrapper.limit);
                (unit, transformation)
            })
            .collect();
        let status = plain::command(&wrapper.command).status()?;
        if !status.success() {
            wrapper.tell(&Told::plain("the compiler fails"));
            return Ok(plain::code(status));
        }
        let mut told = Told::plain("nothing is transformed");
        let mut transformed = Vec::new();
        for (unit, transformation) in started {
            let text = transformation
                .map_err(|error| format!("the transformation does not start: {error}"))
                .and_then(Transformation::wait)
                .and_then(|()| self.text_of(unit));
            let outcome = match &text {
                Ok(Some(_)) => "transformed",
                Ok(None) => "nothing to transform",
                Err(why) => why.as_str(),
            };
            told.sources.push(unit.told(outcome));
            if let Ok(Some(text)) = text {
                transformed.push((unit, text));
            }
        }
        if !transformed.is_empty() {
            let compiled = match self.line.links() {
                true => self.program(&transformed),
                false => transformed.iter().try_for_each(|one| self.object(one)),
            };
            told.outcome = match compiled {
                Ok(()) => "transformed".to_string(),
                Err(why) => format!("the plain result stays: {why}"),
            };
        }
        wrapper.tell(&told);
        Ok(0)
    }

    /// The text of a unit for the compiler, if anything in it is transformed.
    fn text_of(&self, unit: &Unit) -> Result<Option<String>, String> {
        let Ok(text) = std::fs::read_to_string(&unit.job.output) else { return Ok(None) };
        result_text::without_directives(&self.line, &self.target, &unit.job.output, &text).map(Some)
    }

    /// Compiles a transformed text in place of the plain object.
    fn object(&self, (unit, text): &(&Unit, String)) -> Result<(), String> {
        let input = self.written(unit, text)?;
        let output = self.line.output(&unit.source);
        let mut words = self.line.compiler.clone();
        words.extend(result_text::flags(&self.line, &self.target, text));
        words.extend(["-c", "-x", "cpp-output"].map(OsString::from));
        words.push(input.into());
        self.compiled(words, &output)
    }

    /// Compiles and links a program with the transformed texts, in place of the plain one.
    fn program(&self, transformed: &[(&Unit, String)]) -> Result<(), String> {
        let all: String = transformed.iter().map(|(_, text)| text.as_str()).collect();
        let mut words = self.line.compiler.clone();
        words.extend(result_text::flags(&self.line, &self.target, &all));
        words.extend(self.line.words(|kind| kind == Kind::Preprocessing));
        let mut language = OsString::from("none");
        let mut positions = 0..;
        for part in &self.line.parts {
            match part {
                Part::Source(source) => {
                    let position = positions.next().unwrap_or(0);
                    let unit = self.units.get(position);
                    let text = transformed
                        .iter()
                        .find(|(other, _)| unit.is_some_and(|unit| std::ptr::eq(*other, unit)));
                    match text {
                        Some((unit, text)) => {
                            words.extend(["-x", "cpp-output"].map(OsString::from));
                            words.push(self.written(unit, text)?.into());
                            words.extend(["-x".into(), language.clone()]);
                        }
                        None => words.push(source.into()),
                    }
                }
                Part::Input(path) => words.push(path.clone()),
                Part::Flag { kind: Kind::Language, words: flag } => {
                    words.extend(flag.iter().cloned());
                    let name = flag.last().and_then(|word| word.to_str()).unwrap_or("none");
                    language = name.strip_prefix("-x").unwrap_or(name).into();
                }
                Part::Flag { kind: Kind::Linking, words: flag } => {
                    words.extend(flag.iter().cloned())
                }
                Part::Flag { .. } => {}
            }
        }
        if !self.target.openmp && !self.target.is_clang && all.contains("#pragma omp parallel") {
            words.extend(library::words());
        }
        let output = self.line.output(Path::new(""));
        self.compiled(words, &output)
    }

    /// A text in a file that the compiler takes as preprocessed.
    fn written(&self, unit: &Unit, text: &str) -> Result<PathBuf, String> {
        let name = unit.source.file_stem().unwrap_or("unit".as_ref());
        let number = unit.file.file_stem().unwrap_or_default();
        let folder = self.folder.path().join("texts").join(number);
        let path = folder.join(name).with_extension("i");
        std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("the text cannot be written: {error}"))?;
        Ok(path)
    }

    /// Runs the compiler; its output takes the place of another one when it is whole.
    fn compiled(&self, mut words: Vec<OsString>, output: &Path) -> Result<(), String> {
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        let name = output.file_name().ok_or("the output has no name")?.to_string_lossy();
        let temporary = tempfile::Builder::new()
            .prefix(&format!(".{name}."))
            .suffix(".tmp")
            .tempfile_in(folder.unwrap_or(Path::new(".")));
        let temporary =
            temporary.map_err(|error| format!("there is no temporary file: {error}"))?;
        let temporary = temporary.into_temp_path();
        words.extend(["-o".into(), temporary.to_path_buf().into()]);
        let made = plain::command(&words).stdin(Stdio::null()).output();
        let made = made.map_err(|error| format!("the compiler does not run: {error}"))?;
        if !made.status.success() {
            let said = String::from_utf8_lossy(&made.stderr);
            let first = said.lines().find(|line| line.contains("error")).unwrap_or("no reason");
            return Err(format!("the compiler does not take the transformed text: {first}"));
        }
        if let Ok(data) = std::fs::metadata(output) {
            let _ = std::fs::set_permissions(&temporary, data.permissions());
        }
        temporary.persist(output).map_err(|error| format!("the result cannot be moved: {error}"))
    }
}

impl Unit {
    /// What the report says about it.
    fn told(&self, outcome: &str) -> Value {
        let survey = std::fs::read_to_string(&self.job.report).ok();
        let survey = survey.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        json!({
            "source": self.source.to_string_lossy(),
            "outcome": outcome,
            "survey": survey.unwrap_or(Value::Null),
        })
    }
}

/// Preprocesses a source; `stem` is the beginning of the names of files about it.
fn preprocessed(
    line: &CommandLine,
    target: &Target,
    source: PathBuf,
    stem: &Path,
) -> Result<Unit, String> {
    let flags =
        line.words(|kind| matches!(kind, Kind::Preprocessing | Kind::Other | Kind::Standard));
    let mut command = Command::new(line.own_compiler());
    command.args(flags).args(["-w", "-g0", "-E", "-x", "c"]).arg(&source);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    let output = output.map_err(|error| format!("the preprocessor does not run: {error}"))?;
    if !output.status.success() {
        return Err("the preprocessor fails".to_string());
    }
    let text = text_of(&output.stdout).ok_or("the text is not understood")?;
    let file = |extension: &str| stem.with_extension(extension);
    let job = Job {
        input: file("i"),
        output: file("c"),
        report: file("report.json"),
        openmp: target.openmp,
        is_clang: target.is_clang,
        reassociates: target.reassociates,
        vector_bytes: target.vector_bytes,
        fused_multiply_add: target.fused_multiply_add,
    };
    let unit = Unit {
        source,
        file: file("job"),
        is_promising: Preprocessed::read(&text, target.openmp).may_have_loops(),
        job,
    };
    if unit.is_promising {
        let written = std::fs::write(&unit.job.input, &output.stdout)
            .and_then(|()| std::fs::write(&unit.file, unit.job.text()));
        written.map_err(|error| format!("the text cannot be written: {error}"))?;
    }
    Ok(unit)
}

/// Links, with the library of OpenMP where transformed objects ask for it.
fn link(wrapper: &Wrapper, line: &CommandLine) -> io::Result<i32> {
    let has_library = line.flags().any(|(_, words)| {
        words
            .first()
            .and_then(|word| word.to_str())
            .is_some_and(|word| word.starts_with("-fopenmp"))
    });
    if has_library || !library::is_wanted(line) {
        return plain::become_it(&wrapper.command);
    }
    let words: Vec<OsString> = wrapper.command.iter().cloned().chain(library::words()).collect();
    let made = plain::command(&words).stdin(Stdio::null()).output()?;
    if !made.status.success() {
        return plain::become_it(&wrapper.command);
    }
    io::Write::write_all(&mut io::stdout(), &made.stdout)?;
    io::Write::write_all(&mut io::stderr(), &made.stderr)?;
    wrapper.tell(&Told::plain("linked with the library of OpenMP"));
    Ok(0)
}
