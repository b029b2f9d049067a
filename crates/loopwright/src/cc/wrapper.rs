//! From the command line of a compiler to its result.
use crate::cc::cache::Cache;
use crate::cc::command_line::{CommandLine, Part};
use crate::cc::compiler::{Target, identity};
use crate::cc::flags::Kind;
use crate::cc::new_object::NewObject;
use crate::cc::one_compilation;
use crate::cc::result_text::Messages;
use crate::cc::said::Says;
use crate::cc::transformation::Transformation;
use crate::cc::unit::{Known, Unit};
use crate::cc::{library, plain, result_text};
use crate::scratch::ScratchFolder;
use crate::tune::digest::Digest;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

/// What `loopwright cc` is asked to do.
#[derive(Clone, Debug)]
pub struct Wrapper {
    /// The compiler and its arguments.
    pub command: Vec<OsString>,
    /// The options of this program, for the process that transforms.
    pub options: Vec<OsString>,
    /// What stands for the files that the options name.
    pub files: String,
    /// The folder for reports, one file for each command.
    pub report: Option<PathBuf>,
    /// What is printed about the sources.
    pub says: Says,
    /// The folder where results and answers are kept.
    pub cache: Option<PathBuf>,
    /// The most processor time for the transformation of a source.
    pub limit: Duration,
}

/// What was done, for the report.
struct Told {
    /// Why nothing is transformed, or what was.
    outcome: String,
    sources: Vec<Value>,
}

impl<T: Into<String>> From<T> for Told {
    fn from(outcome: T) -> Told {
        Told { outcome: outcome.into(), sources: Vec::new() }
    }
}

/// Compiles; returns the exit status.
///
/// # Errors
/// If the compiler cannot be run.
pub fn run(wrapper: &Wrapper) -> io::Result<i32> {
    match Compilation::of(wrapper) {
        Ok(Work::Compile(compilation)) => compilation.run(wrapper),
        Ok(Work::Link(line)) => link(wrapper, &line),
        Err(told) => {
            wrapper.tell(&told);
            plain::passed_on(&wrapper.command)
        }
    }
}

/// The outcome where new loops are compiled.
pub(super) const TRANSFORMED: &str = "transformed";

/// The transformation of a source, if there is to be one.
type Running = Option<io::Result<Transformation>>;

/// What came of the transformations.
struct Found<'a> {
    told: Told,
    transformed: Vec<(&'a Unit, String)>,
}

/// What there is to do beside running the compiler.
enum Work {
    Compile(Box<Compilation>),
    Link(CommandLine),
}

struct Compilation {
    line: CommandLine,
    target: Target,
    folder: ScratchFolder,
    units: Vec<Unit>,
}

impl Wrapper {
    /// Says what was done, and writes it into the folder for reports.
    fn tell(&self, told: &Told) {
        let lines = self.says.lines(&told.outcome, &told.sources);
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        // A line that cannot be printed is no reason to fail.
        let _ = io::stderr().write_all(lines.as_bytes());
        let Some(folder) = &self.report else { return };
        let words: Vec<String> =
            self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let here = std::env::current_dir().unwrap_or_default();
        let here = here.to_string_lossy();
        let key = words.iter().fold(Digest::EMPTY.text(&here), |digest, word| digest.text(word));
        let text = json!({
            "format": 1,
            "folder": here,
            "command": words,
            "outcome": told.outcome,
            "sources": told.sources,
        });
        // A report that cannot be written is no reason to fail.
        let _ = std::fs::create_dir_all(folder);
        let path = folder.join(format!("{}.json", key.hex()));
        let _ = crate::output::write_whole(&path, format!("{text:#}\n"));
    }

    /// What results depend on beside the text; none if nothing is kept.
    fn key(&self, line: &CommandLine) -> Option<Digest> {
        self.cache.as_ref()?;
        let this = std::env::current_exe().ok()?;
        let programs = [identity(this.as_os_str())?, identity(line.own_compiler())?];
        let flags = line.words(|kind| matches!(kind, Kind::Other | Kind::Standard));
        let files = OsString::from(&self.files);
        let words = self.options.iter().chain([&files]).chain(&flags);
        let words = words.map(|word| word.to_string_lossy().into_owned());
        Some(programs.into_iter().chain(words).fold(Digest::EMPTY, |digest, w| digest.text(&w)))
    }
}

impl Compilation {
    /// Preprocesses the sources.
    ///
    /// # Errors
    /// Why nothing is transformed.
    fn of(wrapper: &Wrapper) -> Result<Work, Told> {
        let line = CommandLine::read(&wrapper.command)?;
        if line.sources().next().is_none() {
            let has_inputs = line.parts.iter().any(|part| matches!(part, Part::Input(_)));
            return match line.links() && has_inputs {
                true => Ok(Work::Link(line)),
                false => Err("there is no source".into()),
            };
        }
        let target = Target::of(&line, wrapper.cache.as_deref())?;
        let folder = ScratchFolder::new("loopwright-cc-");
        let folder = folder.map_err(|error| format!("there is no temporary folder: {error}"))?;
        let key = wrapper.key(&line);
        let cache = wrapper.cache.as_deref().map(Cache::new).zip(key);
        let mut units = Vec::new();
        for (position, source) in line.sources().enumerate() {
            let stem = folder.path().join(position.to_string());
            units.push(Unit::of(&line, &target, source, &stem, cache, wrapper.limit)?);
        }
        if units.iter().all(|unit| matches!(unit.known, Known::Nothing(_))) && !line.links() {
            let sources = units.iter().map(|unit| unit.told("nothing to transform")).collect();
            return Err(Told { outcome: "nothing to transform".to_string(), sources });
        }
        Ok(Work::Compile(Box::new(Compilation { line, target, folder, units })))
    }

    /// Runs the transformation and the compiler, on the user's text, on what was transformed, or on both.
    fn run(&self, wrapper: &Wrapper) -> io::Result<i32> {
        let start =
            |unit: &Unit| Transformation::start(&wrapper.options, &unit.file, wrapper.limit);
        let mut running: Vec<Running> = self
            .units
            .iter()
            .map(|unit| matches!(unit.known, Known::Not).then(|| start(unit)))
            .collect();
        let ended = one_compilation::is_possible(&self.line)
            && running.iter_mut().all(|one| match one {
                Some(Ok(running)) => running.ends_within(one_compilation::HEAD_START),
                Some(Err(_)) | None => true,
            });
        let early = ended.then(|| self.found(std::mem::take(&mut running), wrapper));
        let first = early.as_ref().and_then(|found| self.made_first(found, wrapper));
        let first = match first {
            Some(Ok(object)) if object.is_silent => {
                match object.place(&self.line.output(&self.units[0].source)) {
                    Ok(()) => {
                        early.iter().for_each(|found| wrapper.tell(&found.told));
                        return Ok(0);
                    }
                    Err(why) => Some(Err(why)),
                }
            }
            other => other,
        };
        let status = self.plain(wrapper)?;
        if !status.success() {
            wrapper.tell(&"the compiler fails".into());
            return Ok(plain::code(status));
        }
        let found = early.unwrap_or_else(|| self.found(running, wrapper));
        let mut told = found.told;
        if let [(unit, _), ..] = &found.transformed[..] {
            let compiled = match first {
                Some(first) => first.and_then(|new| new.replace(&self.line.output(&unit.source))),
                None if self.line.links() => self.program(&found.transformed),
                None => found.transformed.iter().try_for_each(|one| self.object(one)),
            };
            if let Err(why) = compiled {
                told.outcome = format!("left as it was: {why}");
            }
        }
        wrapper.tell(&told);
        Ok(0)
    }

    /// What comes of the transformations, which this waits for.
    fn found(&self, running: Vec<Running>, wrapper: &Wrapper) -> Found<'_> {
        let mut found = Found { told: Told::from("nothing to transform"), transformed: Vec::new() };
        for (unit, running) in self.units.iter().zip(running) {
            let text = match running {
                None => Ok(unit.known_text()),
                Some(Err(error)) => Err(format!("the transformation does not start: {error}")),
                Some(Ok(running)) => running.wait().and_then(|()| self.finished(unit, wrapper)),
            };
            let outcome = match &text {
                Ok(Some(_)) => TRANSFORMED,
                Ok(None) => "nothing to transform",
                Err(why) => why.as_str(),
            };
            if let Err(why) = &text {
                found.told.outcome = format!("left as it was: {why}");
            }
            found.told.sources.push(unit.told(outcome));
            if let Ok(Some(text)) = text {
                found.transformed.push((unit, text));
            }
        }
        if !found.transformed.is_empty() {
            found.told.outcome = TRANSFORMED.to_string();
        }
        found
    }

    /// The object of the only source, if it is transformed and the compiler has nothing to say about the
    /// user's text.
    fn made_first(
        &self,
        found: &Found<'_>,
        wrapper: &Wrapper,
    ) -> Option<Result<NewObject, String>> {
        let [one] = &found.transformed[..] else { return None };
        one_compilation::is_silent(&wrapper.command).then(|| self.new_object(one, Messages::Shown))
    }

    /// Runs the compiler as it is called; where it links objects that ask for the library of OpenMP, with
    /// that.
    fn plain(&self, wrapper: &Wrapper) -> io::Result<ExitStatus> {
        if self.line.links() && !self.target.openmp && library::is_wanted(&self.line) {
            let words = wrapper.command.iter().cloned().chain(library::words());
            if let Some(status) = plain::succeeding(&words.collect::<Vec<_>>())? {
                return Ok(status);
            }
        }
        plain::command(&wrapper.command).status()
    }

    /// The text of a unit for the compiler, if anything in it is transformed; what came of it is kept.
    fn finished(&self, unit: &Unit, wrapper: &Wrapper) -> Result<Option<String>, String> {
        let text = match std::fs::read_to_string(&unit.job.output) {
            Ok(text) => {
                let file = &unit.job.output;
                Some(result_text::without_directives(&self.line, &self.target, file, &text)?)
            }
            Err(_) => None,
        };
        unit.keep(text.clone(), wrapper.cache.as_deref().map(Cache::new));
        Ok(text)
    }

    /// Compiles a transformed text in place of the plain object.
    fn object(&self, one: &(&Unit, String)) -> Result<(), String> {
        self.new_object(one, Messages::Hidden)?.replace(&self.line.output(&one.0.source))
    }

    /// Compiles a transformed text.
    fn new_object(
        &self,
        (unit, text): &(&Unit, String),
        messages: Messages,
    ) -> Result<NewObject, String> {
        let input = self.written(unit, text)?;
        let mut words = self.line.compiler.clone();
        words.extend(result_text::flags(&self.line, &self.target, text, messages));
        words.extend(["-c", "-x", "cpp-output"].map(OsString::from));
        words.push(input.into());
        NewObject::made(words, &self.line.output(&unit.source))
    }

    /// Compiles and links a program with the transformed texts, in place of the plain one.
    fn program(&self, transformed: &[(&Unit, String)]) -> Result<(), String> {
        let all: String = transformed.iter().map(|(_, text)| text.as_str()).collect();
        let mut words = self.line.compiler.clone();
        words.extend(result_text::flags(&self.line, &self.target, &all, Messages::Hidden));
        words.extend(self.line.words(|kind| kind == Kind::Preprocessing));
        let mut language = OsString::from("none");
        let mut units = self.units.iter();
        for part in &self.line.parts {
            match part {
                Part::Source(source) => {
                    let unit = units.next();
                    let same = |other: &Unit| unit.is_some_and(|unit| std::ptr::eq(unit, other));
                    match transformed.iter().find(|(other, _)| same(other)) {
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
                    words.extend(flag.iter().cloned());
                }
                Part::Flag { .. } => {}
            }
        }
        let has_threads = all.contains("#pragma omp parallel") && !self.target.is_clang;
        if !self.target.openmp && (has_threads || library::is_wanted(&self.line)) {
            words.extend(library::words());
        }
        let output = self.line.output(Path::new(""));
        NewObject::made(words, &output)?.replace(&output)
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
}

/// Links, with the library of OpenMP where transformed objects ask for it.
fn link(wrapper: &Wrapper, line: &CommandLine) -> io::Result<i32> {
    let has_library = |(_, words): (Kind, &[OsString])| {
        words.first().is_some_and(|word| word.to_string_lossy().starts_with("-fopenmp"))
    };
    if line.flags().any(has_library) || !library::is_wanted(line) {
        wrapper.tell(&"it links".into());
        return plain::passed_on(&wrapper.command);
    }
    let words: Vec<OsString> = wrapper.command.iter().cloned().chain(library::words()).collect();
    match plain::succeeding(&words)? {
        Some(status) => {
            wrapper.tell(&"it links, with the library of OpenMP".into());
            Ok(plain::code(status))
        }
        None => plain::passed_on(&wrapper.command),
    }
}
