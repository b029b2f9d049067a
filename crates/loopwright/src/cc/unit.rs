//! A source on its way through the wrapper.
use crate::cc::cache::{Cache, Entry};
use crate::cc::command_line::CommandLine;
use crate::cc::compiler::Target;
use crate::cc::job::Job;
use crate::cc::preprocessing::preprocessed;
use crate::tune::digest::Digest;
use loopwright_cfront::{Preprocessed, text_of};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is known about a source before it is transformed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// There is nothing to transform; the loops, if somebody has looked.
    Nothing(Value),
    /// What came of it.
    Transformed(Entry),
    /// Nothing is known.
    Not,
}

/// A source with the text that the preprocessor makes of it.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) source: PathBuf,
    pub(super) job: Job,
    /// The file of the job.
    pub(super) file: PathBuf,
    pub(super) known: Known,
    /// Under which what comes of it is kept.
    key: Option<Digest>,
}

impl Unit {
    /// Preprocesses a source; `stem` is the beginning of the names of files about it. Results are looked for
    /// in the cache, by the text and a key of all else.
    ///
    /// # Errors
    /// Why it cannot be transformed.
    pub(super) fn of(
        line: &CommandLine,
        target: &Target,
        source: &Path,
        stem: &Path,
        cache: Option<(Cache<'_>, Digest)>,
        limit: Duration,
    ) -> Result<Unit, String> {
        let output = preprocessed(line, source, None)?;
        let text = text_of(&output).ok_or("the text is not understood")?;
        let file = |extension: &str| stem.with_extension(extension);
        let job = Job {
            input: file("i"),
            output: file("c"),
            report: file("report.json"),
            openmp: target.openmp,
            standard: line.standard(),
            is_clang: target.is_clang,
            reassociates: target.reassociates,
            vector_bytes: target.vector_bytes,
            vector_registers: target.vector_registers,
            fused_multiply_add: target.fused_multiply_add,
            seconds: limit.as_secs(),
        };
        let source = source.to_path_buf();
        let unit = |known, key| Unit { source, file: file("job"), job, known, key };
        if !Preprocessed::read(&text, target.openmp).may_have_loops() {
            return Ok(unit(Known::Nothing(Value::Null), None));
        }
        let key = cache.map(|(_, key)| key.text(&text));
        let entry = cache.zip(key).and_then(|((cache, _), key)| cache.get(key));
        if let Some(entry) = entry {
            return Ok(match entry.text {
                Some(_) => unit(Known::Transformed(entry), None),
                None => unit(Known::Nothing(entry.survey), None),
            });
        }
        let unit = unit(Known::Not, key);
        std::fs::write(&unit.job.input, &output)
            .and_then(|()| std::fs::write(&unit.file, unit.job.text()))
            .map_err(|error| format!("the text cannot be written: {error}"))?;
        Ok(unit)
    }

    /// The text for the compiler, if it is known.
    pub(super) fn known_text(&self) -> Option<String> {
        match &self.known {
            Known::Transformed(entry) => entry.text.clone(),
            Known::Nothing(_) | Known::Not => None,
        }
    }

    /// Keeps what came of it.
    pub(super) fn keep(&self, text: Option<String>, cache: Option<Cache<'_>>) {
        if let Some((cache, key)) = cache.zip(self.key) {
            cache.put(key, &Entry { survey: self.survey(), text });
        }
    }

    /// Its loops, as JSON.
    fn survey(&self) -> Value {
        match &self.known {
            Known::Nothing(survey) => survey.clone(),
            Known::Transformed(entry) => entry.survey.clone(),
            Known::Not => {
                let text = std::fs::read_to_string(&self.job.report).ok();
                text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null)
            }
        }
    }

    /// What the report says about it.
    pub(super) fn told(&self, outcome: &str) -> Value {
        json!({
            "source": self.source.to_string_lossy(),
            "outcome": outcome,
            "survey": self.survey(),
        })
    }
}
