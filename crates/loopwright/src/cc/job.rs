//! The transformation of a translation unit, by a process of its own.
use crate::cc::thread_guard;
use crate::diagnostics::failure::Failure;
use crate::pipeline::compile::Compiled;
use crate::report::survey::{FileSurvey, NestSurvey, Survey};
use crate::settings::effort::Effort;
use crate::settings::embedding::Embedding;
use crate::settings::options::CompileOptions;
use loopwright_backend::{Target, VectorPragma};
use loopwright_cfront::{Diagnostic, Preprocessed, SourceFile, bytes_of, text_of};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is to be done, as a file says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// What the compiler has printed with `-E`.
    pub(super) input: PathBuf,
    /// Where the transformed text goes; there is none if nothing is transformed.
    pub(super) output: PathBuf,
    /// Where the report goes.
    pub(super) report: PathBuf,
    /// Whether the user's flags give pragmas of OpenMP a meaning.
    pub(super) openmp: bool,
    /// The version of C that the user's flags name.
    pub(super) standard: Option<String>,
    pub(super) is_clang: bool,
    pub(super) reassociates: bool,
    pub(super) vector_bytes: u64,
    pub(super) vector_registers: u64,
    pub(super) fused_multiply_add: bool,
    /// The seconds of processor time that it may take.
    pub(super) seconds: u64,
}

impl Job {
    pub(super) fn text(&self) -> String {
        json!({
            "input": self.input.to_string_lossy(),
            "output": self.output.to_string_lossy(),
            "report": self.report.to_string_lossy(),
            "openmp": self.openmp,
            "standard": self.standard,
            "clang": self.is_clang,
            "reassociates": self.reassociates,
            "vector_bytes": self.vector_bytes,
            "vector_registers": self.vector_registers,
            "fma": self.fused_multiply_add,
            "seconds": self.seconds,
        })
        .to_string()
    }

    fn read(text: &str) -> Option<Job> {
        let value: Value = serde_json::from_str(text).ok()?;
        let path = |name: &str| value[name].as_str().map(PathBuf::from);
        Some(Job {
            input: path("input")?,
            output: path("output")?,
            report: path("report")?,
            openmp: value["openmp"].as_bool()?,
            standard: value["standard"].as_str().map(String::from),
            is_clang: value["clang"].as_bool()?,
            reassociates: value["reassociates"].as_bool()?,
            vector_bytes: value["vector_bytes"].as_u64()?,
            vector_registers: value["vector_registers"].as_u64()?,
            fused_multiply_add: value["fma"].as_bool()?,
            seconds: value["seconds"].as_u64()?,
        })
    }

    /// The options of the user, for the target of the compiler.
    fn options(&self, options: &CompileOptions) -> CompileOptions {
        let mut options = options.clone();
        options.front_end.autodetect = true;
        options.front_end.standard.clone_from(&self.standard);
        let machine = &mut options.machine;
        machine.vector_bytes = machine.vector_bytes.min(self.vector_bytes);
        machine.vector_registers = machine.vector_registers.min(self.vector_registers);
        machine.fused_multiply_add &= self.fused_multiply_add;
        options.reassociate |= self.reassociates;
        let wants_threads = options.target == Target::OpenMp;
        if self.is_clang && !self.openmp {
            // What Clang makes of pragmas calls the library at the start of functions, so it has to be there.
            options.target = Target::C;
            options.vector_pragma = VectorPragma::Clang;
        }
        let needs_guard = wants_threads && !self.openmp;
        // A build makes one object of one file.
        options.device = None;
        options.embedding = Embedding {
            program: String::new(),
            line_marks: true,
            thread_guard: needs_guard.then_some(thread_guard::GUARD),
            only_checked: !options.front_end.assume_no_alias,
            effort: Effort {
                stage_steps: Some(STAGE_STEPS),
                // What is found until then is not lost where the rest takes too long.
                processor_time: Some(Duration::from_secs(self.seconds) / 2),
                region_end: None,
            },
            copies: Default::default(),
        };
        options
    }
}

/// Steps for each stage of a region: builds do not wait for the last region that could be found.
const STAGE_STEPS: u64 = 2_000_000;

/// Bytes of memory that a transformation may ask for.
const MOST_MEMORY: u64 = 6 << 30;

/// Limits memory and processor time of this process: one that takes too much ends, and the compiler's own
/// object stays.
fn limit_process(seconds: u64) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        for (resource, most) in [(Resource::As, MOST_MEMORY), (Resource::Cpu, seconds)] {
            let Rlimit { current, maximum } = getrlimit(resource);
            let wanted = current.map_or(most, |current| current.min(most));
            let _ = setrlimit(resource, Rlimit { current: Some(wanted), maximum });
        }
    }
    #[cfg(not(unix))]
    let _ = seconds;
}

/// A line of the result before which nothing belongs to it.
pub(super) const BEGIN: &str = "#pragma loopwright begin";

/// Does the work that a file names.
///
/// # Errors
/// If it cannot be read or written.
pub fn transform_unit(job: &Path, options: &CompileOptions) -> Result<(), Failure> {
    let unusable = || Failure::refused(format!("{} is no job", job.display()));
    let text = std::fs::read_to_string(job).map_err(|_| unusable())?;
    let job = Job::read(&text).ok_or_else(unusable)?;
    limit_process(job.seconds);
    let bytes = std::fs::read(&job.input).map_err(|_| unusable())?;
    let output = text_of(&bytes).ok_or_else(unusable)?;
    let text = Preprocessed::read(&output, job.openmp);
    let options = job.options(options);
    let (survey, compiled) = survey_of_text(&text, &options);
    let write = |path: &Path, text: &str| {
        crate::output::write_whole(path, bytes_of(text))
            .map_err(|e| Failure::refused(format!("cannot write {}: {e}", path.display())))
    };
    write(&job.report, &survey.to_json().to_string())?;
    let has_changed = |compiled: &Compiled| {
        compiled.measures || compiled.report.regions.iter().any(|region| !region.is_left)
    };
    match compiled.filter(has_changed) {
        Some(compiled) => write(&job.output, &with_guard(&compiled, &text, &options)),
        None => Ok(()),
    }
}

/// The loops of a preprocessed text in the user's files, and the result with its line markers.
pub(super) fn survey_of_text(
    text: &Preprocessed,
    options: &CompileOptions,
) -> (Survey, Option<Compiled>) {
    let source = SourceFile::of_preprocessed(text, &options.front_end);
    let (survey, compiled) = FileSurvey::with_result(&source, Some(text), options);
    (Survey { files: by_file(survey, text), ..Survey::default() }, compiled)
}

/// The whole text for the compiler.
fn with_guard(compiled: &Compiled, text: &Preprocessed, options: &CompileOptions) -> String {
    let guard = options.embedding.thread_guard.filter(|guard| {
        [guard.has_threads, guard.enters].iter().any(|name| compiled.code.contains(name))
    });
    let guard = guard.map_or(String::new(), |_| thread_guard::declarations());
    format!("{BEGIN}\n# 1 \"{}\"\n{guard}{}", text.file().display(), compiled.code)
}

/// A survey of the user's files from one of their preprocessed text.
fn by_file(survey: FileSurvey, text: &Preprocessed) -> Vec<FileSurvey> {
    let mut files = vec![FileSurvey { nests: Vec::new(), failures: Vec::new(), ..survey.clone() }];
    for failure in survey.failures {
        files[0].failures.push(as_written(failure, text));
    }
    for nest in survey.nests {
        let (path, first) = text.origin(nest.lines.0).unwrap_or((&survey.path, nest.lines.0));
        let last = text.origin(nest.lines.1).filter(|(other, _)| *other == path);
        let lines = (first, last.map_or(first, |(_, line)| line.max(first)));
        let refusals = nest.refusals.into_iter().map(|refusal| as_written(refusal, text));
        let decisions = nest.decisions.iter().map(|said| said_as_written(said, text, path));
        let decisions = decisions.collect();
        let nest = NestSurvey { lines, refusals: refusals.collect(), decisions, ..nest };
        match files.iter_mut().find(|file| file.path == path) {
            Some(file) => file.nests.push(nest),
            None => files.push(FileSurvey {
                path: path.to_path_buf(),
                nests: vec![nest],
                amounts: Vec::new(),
                failures: Vec::new(),
                failure: None,
                notes: Vec::new(),
            }),
        }
    }
    files
}

/// A message about a place of the user's file.
fn as_written(mut diagnostic: Diagnostic, text: &Preprocessed) -> Diagnostic {
    if let Some(place) = &mut diagnostic.place
        && let Some((path, line)) = text.origin(place.line)
    {
        place.file = path.to_path_buf();
        place.line = line;
        diagnostic.message = said_as_written(&diagnostic.message, text, path);
        for said in [&mut diagnostic.reason, &mut diagnostic.hint] {
            *said = said.as_ref().map(|said| said_as_written(said, text, path));
        }
    }
    diagnostic
}

/// A sentence about lines of the preprocessed text (`line 5`, `lines 5-7`, `lines 5 and 7`) in lines of the
/// user's files. Where these belong to another file than the one that it is about, that is named.
fn said_as_written(said: &str, text: &Preprocessed, about: &Path) -> String {
    let mut written = String::with_capacity(said.len());
    let mut rest = said;
    while let Some(at) = rest.find("line") {
        let is_word = !rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let (before, after) = rest.split_at(at + "line".len());
        written += before;
        rest = after;
        let after = rest.strip_prefix('s').unwrap_or(rest);
        let Some(mut numbers) = after.strip_prefix(' ').filter(|_| is_word) else { continue };
        let mut joint = &rest[..rest.len() - numbers.len()];
        let mut elsewhere = None;
        loop {
            let n_digits = numbers.bytes().take_while(u8::is_ascii_digit).count();
            let (digits, behind) = numbers.split_at(n_digits);
            let Some((path, line)) = digits.parse().ok().and_then(|line| text.origin(line)) else {
                break;
            };
            written += joint;
            written += &line.to_string();
            elsewhere = (path != about).then_some(path);
            rest = behind;
            let joints = ["-", " and ", ", "];
            let Some(next) = joints.into_iter().find(|next| behind.starts_with(next)) else {
                break;
            };
            (joint, numbers) = behind.split_at(next.len());
        }
        if let Some(path) = elsewhere {
            written += &format!(" of {}", path.display());
        }
    }
    written + rest
}

#[cfg(test)]
mod tests {
    use super::{Job, said_as_written};
    use loopwright_cfront::Preprocessed;

    #[test]
    fn sentences_are_about_lines_of_the_users_files() {
        let output =
            "# 10 \"f.c\"\nint a;\nint b;\n# 4 \"g.h\" 1\nint c;\n# 12 \"f.c\" 2\nint d;\n";
        let text = Preprocessed::read(output, false);
        for (said, wanted) in [
            ("line 1 writes `x`, line 2 reads it", "line 10 writes `x`, line 11 reads it"),
            ("lines 1-4 and what lines 1 and 2 do", "lines 10-12 and what lines 10 and 11 do"),
            ("line 3 has the body", "line 4 of g.h has the body"),
            ("inline 1, 2 lines, line 99, the line", "inline 1, 2 lines, line 99, the line"),
            ("lines 1, 2 others", "lines 10, 11 others"),
        ] {
            assert_eq!(said_as_written(said, &text, "f.c".as_ref()), wanted);
        }
    }

    #[test]
    fn jobs_are_read_back() {
        let job = Job {
            input: "a b.i".into(),
            output: "\"o\".c".into(),
            report: "r".into(),
            openmp: true,
            standard: Some("gnu89".to_string()),
            is_clang: false,
            reassociates: true,
            vector_bytes: 32,
            vector_registers: 16,
            fused_multiply_add: false,
            seconds: 7,
        };
        assert_eq!(Job::read(&job.text()), Some(job));
        assert_eq!(Job::read("{}"), None);
    }
}
