//! All loops of a build, from the commands that it has noted in `compile_commands.json`.
use crate::cc::command_line::CommandLine;
use crate::cc::flags::Kind;
use crate::cc::job::survey_of_text;
use crate::cc::known_compilers::program_of;
use crate::cc::preprocessing::{Elsewhere, preprocessed};
use crate::diagnostics::failure::Failure;
use crate::report::survey::{FileSurvey, Survey};
use crate::scratch::folder_of;
use crate::settings::options::CompileOptions;
use loopwright_cfront::{Code, Diagnostic, Preprocessed, compiler_words, read_utf8, text_of};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The name of the file.
const NAME: &str = "compile_commands.json";

/// A command that makes an object of a source in C.
struct Entry {
    folder: PathBuf,
    source: PathBuf,
    line: CommandLine,
}

/// Looks at all loops of the sources in C that a build has compiled, side by side; `begin` gets the number of
/// sources that have been begun, that of all, and the name of the one that begins. `build` is the folder with
/// `compile_commands.json`, or that file. What it names is run only if it is a known compiler on PATH or
/// `allowed`, a word as it stands there.
///
/// # Errors
/// If the file cannot be read, or names no source in C.
pub fn survey_of_build(
    build: &Path,
    options: &CompileOptions,
    allowed: &[OsString],
    begin: &(dyn Fn(usize, usize, &Path) + Sync),
) -> Result<Survey, Failure> {
    let entries = entries(build)?;
    let mut options = options.clone();
    options.front_end.autodetect = true;
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Survey)>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let position = next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = entries.get(position) else { return };
            begin(position, entries.len(), &entry.source);
            let survey = entry.survey(&options, allowed);
            if let Ok(mut found) = found.lock() {
                found.push((position, survey));
            }
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(entries.len());
    std::thread::scope(|scope| {
        // Where the system gives no more threads, this one does the work.
        for _ in 1..n_threads {
            let _ = std::thread::Builder::new().stack_size(8 << 20).spawn_scoped(scope, work);
        }
        work();
    });
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_by_key(|(position, _)| *position);
    Ok(Survey::merged(found.into_iter().map(|(_, survey)| survey)))
}

/// The commands of a build that make objects of C.
fn entries(build: &Path) -> Result<Vec<Entry>, Failure> {
    let path = if build.is_dir() { build.join(NAME) } else { build.to_path_buf() };
    let refuse = |why: &dyn std::fmt::Display| {
        Failure::refused(format!("cannot read {}: {why}", path.display()))
    };
    let text = read_utf8(&path).map_err(|error| refuse(&error))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| refuse(&error))?;
    let commands = value.as_array().ok_or_else(|| refuse(&"it is no list of commands"))?;
    let base = folder_of(&path);
    let entries: Vec<Entry> = commands.iter().filter_map(|command| entry(command, base)).collect();
    match entries.is_empty() {
        true => Err(refuse(&"it has no command that compiles C")),
        false => Ok(entries),
    }
}

fn entry(command: &Value, base: &Path) -> Option<Entry> {
    let words: Vec<OsString> = match command["arguments"].as_array() {
        Some(words) => words.iter().filter_map(|word| word.as_str().map(OsString::from)).collect(),
        None => {
            compiler_words(command["command"].as_str()?).into_iter().map(OsString::from).collect()
        }
    };
    let line = CommandLine::parsed(without_wrapper(&words)).ok()?;
    let folder = base.join(command["directory"].as_str().unwrap_or("."));
    let source = line.sources().next()?.to_path_buf();
    Some(Entry { folder, source, line })
}

/// The words of the compiler, where the command is already one of this program.
fn without_wrapper(words: &[OsString]) -> &[OsString] {
    let is_own =
        |word: &OsString| Path::new(word).file_stem().is_some_and(|name| name == "loopwright");
    let is_wrapper = words.first().is_some_and(is_own) && words.get(1).is_some_and(|w| w == "cc");
    let options = words.iter().skip(2).take_while(|word| word.to_string_lossy().starts_with('-'));
    if is_wrapper { &words[2 + options.count()..] } else { words }
}

impl Entry {
    /// What the preprocessor makes of the source.
    fn text(&self, allowed: &[OsString]) -> Result<String, Box<Diagnostic>> {
        let failed = |why: String| Box::new(Diagnostic::new(Code::Preprocessor, why));
        let (line, folder) = (&self.line, &*self.folder);
        let flags = line.flags().filter(|(kind, _)| *kind == Kind::Other);
        let flags = flags.map(|(_, words)| &words[0]);
        let program = program_of(line.own_compiler(), flags, folder, allowed).map_err(|why| {
            let allows = format!("--allow-compiler {}", line.own_compiler().to_string_lossy());
            let hint = format!("`{allows}` runs it with the flags of its commands");
            Box::new(failed(why).hint(hint))
        })?;
        let elsewhere = Elsewhere { program: &program, folder };
        let output = preprocessed(line, &self.source, Some(elsewhere)).map_err(failed)?;
        text_of(&output).ok_or_else(|| failed("its text is not understood".to_string()))
    }

    fn survey(&self, options: &CompileOptions, allowed: &[OsString]) -> Survey {
        let text = self.text(allowed);
        let openmp = self.line.flags().any(|(_, words)| words[0] == "-fopenmp");
        let mut survey = match text {
            Ok(output) => survey_of_text(&Preprocessed::read(&output, openmp), options).0,
            Err(failure) => {
                let path = self.source.clone();
                Survey { files: vec![FileSurvey::failed(path, *failure)], ..Survey::default() }
            }
        };
        for file in &mut survey.files {
            // Names are from the folder of the command.
            let path = if file.path.is_relative() {
                self.folder.join(&file.path)
            } else {
                file.path.clone()
            };
            let refusals = file.nests.iter_mut().flat_map(|nest| &mut nest.refusals);
            for place in refusals.chain(&mut file.failures).filter_map(|found| found.place.as_mut())
            {
                place.file.clone_from(&path);
            }
            file.path = path;
        }
        survey
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_the_wrapper_are_those_of_the_compiler() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        for line in
            ["gcc -c a.c", "/x/loopwright cc gcc -c a.c", "loopwright cc --no-verify gcc -c a.c"]
        {
            assert_eq!(without_wrapper(&words(line)), words("gcc -c a.c"), "{line}");
        }
    }
}
