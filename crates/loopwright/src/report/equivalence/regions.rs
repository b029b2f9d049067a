//! The regions of a file that are compared: those between pragmas, or the bodies of functions.
//!
//! Where a file has no pragmas, as in texts that other tools print, they are put around what functions do, in
//! a copy of the text in memory. Lines that are told are those of the file.
use super::alternatives::{versions, without_copies};
use super::c_text::{function_at, is_scop_pragma, with_pragmas, without_pragmas};
use super::directive::without_modelled;
use super::heads::{with_plain_extrema, without_extrema};
use super::own_helpers::without_own_helpers;
use super::private_iterators::{with_bounds_in_heads, with_private_iterators};
use super::remainders::without_remainders;
use super::vector_types::without_vectors;
use crate::diagnostics::failure::Failure;
use crate::pipeline::context::assume_context;
use crate::pipeline::run_time::settled;
use crate::settings::options::CompileOptions;
use loopwright_cfront::{Region, SourceFile, read_file, read_text};
use loopwright_equivalence::Answer;
use loopwright_presburger::Budget;
use loopwright_scop::{Scop, Statement};
use std::path::{Path, PathBuf};

/// A region that is compared.
pub(super) struct FoundRegion {
    pub(super) function: String,
    /// Its lines in the file.
    pub(super) lines: (u32, u32),
    /// The model, or why there is none.
    pub(super) scop: Result<Scop, String>,
    pub(super) assumptions: Vec<String>,
    /// The text that was read, with pragmas.
    pub(super) text: PragmaText,
}

/// A file with pragmas.
#[derive(Clone)]
pub(super) struct PragmaText {
    pub(super) path: PathBuf,
    pub(super) text: String,
    /// The same, line by line, where variables stand as they are shared: iterators and bounds are not moved
    /// into heads of loops.
    pub(super) as_written: String,
    /// The lines that are not in the file, in order.
    pub(super) inserted: Vec<u32>,
    pub(super) options: loopwright_cfront::Options,
}

impl PragmaText {
    /// A line of the text as one of the file.
    pub(super) fn line_of_file(&self, line: u32) -> u32 {
        let before = self.inserted.iter().filter(|own| **own <= line).count() as u32;
        line.saturating_sub(before).max(1)
    }

    /// The text as the front end reads it: without the directives that are looked at here.
    pub(super) fn source(&self) -> Result<SourceFile, Failure> {
        read_text(&self.path, &without_modelled(&self.text), &self.options).map_err(refused)
    }

    /// The text with all directives.
    pub(super) fn source_with_directives(&self) -> Result<SourceFile, Failure> {
        read_text(&self.path, &self.text, &self.options).map_err(refused)
    }
}

impl FoundRegion {
    /// An answer about this region as the second and another as the first, in the lines of their files.
    pub(super) fn in_lines_of_file(&self, first: &FoundRegion, answer: Answer) -> Answer {
        let texts = [&first.text, &self.text];
        let own = |lines: [Option<u32>; 2]| {
            let mut lines = lines;
            for (line, text) in lines.iter_mut().zip(texts) {
                *line = line.map(|line| text.line_of_file(line));
            }
            lines
        };
        match answer {
            Answer::Equal(mut proof) => {
                proof.places.iter_mut().for_each(|place| place.lines = own(place.lines));
                Answer::Equal(proof)
            }
            Answer::Undecided { cause, lines } => Answer::Undecided { cause, lines: own(lines) },
            different => different,
        }
    }
}

/// A file that is compared.
pub(super) struct ComparedFile {
    path: PathBuf,
    text: String,
    as_written: String,
    pub(super) has_pragmas: bool,
    options: CompileOptions,
}

impl ComparedFile {
    /// Reads a file. Parts of it that are there twice, for a choice that is made when the program runs, are
    /// there once.
    ///
    /// # Errors
    /// If it cannot be read or preprocessed.
    pub(super) fn read(path: &Path, options: &CompileOptions) -> Result<Self, Failure> {
        let mut options = options.clone();
        options.front_end.folds_floors = true;
        options.front_end.directives_decide = false;
        let source = read_file(path, &options.reading()).map_err(refused)?;
        let lines = source.preprocessed_lines().map(|(line, _)| line);
        let preprocessed = lines.collect::<Vec<_>>().join("\n");
        let has_own = |word: &String| word.to_ascii_lowercase().contains("loopwright_");
        let is_own = !options.front_end.defines.iter().any(has_own);
        let text = match is_own && options.front_end.included.is_empty() {
            true => without_own_helpers(source.original(), &preprocessed),
            false => source.original().to_string(),
        };
        let text = without_copies(&with_plain_extrema(&text));
        let as_written = without_vectors(&without_remainders(&text));
        let text = with_private_iterators(&with_bounds_in_heads(&as_written));
        let text = without_extrema(&text);
        let has_pragmas = text.lines().any(|line| is_scop_pragma(line, "scop"));
        Ok(ComparedFile { path: path.into(), text, as_written, has_pragmas, options })
    }

    /// The functions that have loops that can be regions.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn functions(&self) -> Result<Vec<String>, Failure> {
        let text = without_modelled(&self.text);
        let source = read_text(&self.path, &text, &self.options.reading());
        let regions = source.and_then(|source| source.autodetecting().extract());
        Ok(regions.map_err(refused)?.into_iter().map(|region| region.function).collect())
    }

    /// The regions between pragmas.
    ///
    /// # Errors
    /// If there is none, or what the context says cannot be used.
    pub(super) fn regions(&self) -> Result<Vec<FoundRegion>, Failure> {
        self.regions_of([self.text.clone(), self.as_written.clone()], Vec::new())
    }

    /// The files with one of the two texts each between which a condition on the run chooses; this file if
    /// there is none.
    pub(super) fn versions(&self, functions: &[String]) -> Vec<Self> {
        let of_texts = |(text, as_written): (String, String)| ComparedFile {
            path: self.path.clone(),
            text,
            as_written,
            has_pragmas: self.has_pragmas,
            options: self.options.clone(),
        };
        match (versions(&self.text, functions), versions(&self.as_written, functions)) {
            (Some(texts), Some(others)) => texts.into_iter().zip(others).map(of_texts).collect(),
            _ => vec![of_texts((self.text.clone(), self.as_written.clone()))],
        }
    }

    /// What functions do, as regions.
    ///
    /// # Errors
    /// If there is none of the functions, or what the context says cannot be used.
    pub(super) fn bodies(&self, functions: &[String]) -> Result<Vec<FoundRegion>, Failure> {
        let (text, inserted) = with_pragmas(&without_pragmas(&self.text), functions);
        let (as_written, _) = with_pragmas(&without_pragmas(&self.as_written), functions);
        self.regions_of([text, as_written], inserted)
    }

    fn regions_of(
        &self,
        [text, as_written]: [String; 2],
        inserted: Vec<u32>,
    ) -> Result<Vec<FoundRegion>, Failure> {
        let (path, options) = (self.path.clone(), self.options.reading());
        let text = PragmaText { path, text, as_written, inserted, options };
        let each = text.source()?.extract_each().map_err(refused)?;
        each.into_iter().map(|found| found_region(found, &text, &self.options)).collect()
    }
}

fn refused(found: Vec<loopwright_cfront::Diagnostic>) -> Failure {
    Failure::from_diagnostics(&found)
}

/// Steps for finding out whether anything runs for sizes that declarations rule out.
const STEPS: u64 = 1_000_000;

/// What declarations say of symbolic constants, where statements would run for other values as well.
fn declared_sizes(scop: &Scop) -> Option<String> {
    let budget = Budget::steps(STEPS);
    let runs_outside = |statement: &Statement| {
        let runs = statement.domain.params().align_params(scop.context.space());
        let outside = runs.subtract(&scop.context, &budget);
        outside.and_then(|own| own.is_empty(&budget)).map_or(true, |none| !none)
    };
    let is_own = |statement: &&Statement| !statement.is_kill;
    if !scop.statements.iter().filter(is_own).any(runs_outside) {
        return None;
    }
    let text = scop.context.to_string();
    let conditions = text.split_once(" : ").map_or(&*text, |(_, conditions)| conditions);
    let conditions = conditions.trim_end_matches([' ', '}']);
    Some(format!("{conditions}, as the sizes and types of variables say"))
}

fn found_region(
    found: Result<Region, loopwright_cfront::RefusedRegion>,
    text: &PragmaText,
    options: &CompileOptions,
) -> Result<FoundRegion, Failure> {
    let line = |line| text.line_of_file(line);
    match found {
        Ok(region) => {
            let declared = declared_sizes(&region.scop);
            let mut regions = [region];
            assume_context(&mut regions, options)?;
            let [region] = regions;
            let (function, lines) =
                (region.function.clone(), (line(region.first_line), line(region.last_line)));
            let (scop, assumptions) = match settled(region, &options.embedding.effort) {
                Ok(region) => {
                    let needed = region.conditions.iter().map(|own| {
                        let (holds, why) = (own.fact.statement(), &own.reason);
                        format!("{holds}, so that in line {} {why}", line(own.line))
                    });
                    let all = region.scop.assumptions.iter().cloned().chain(needed);
                    let all: Vec<String> = all.chain(declared).collect();
                    (Ok(region.scop), all)
                }
                Err(why) => (Err(why), Vec::new()),
            };
            Ok(FoundRegion { function, lines, scop, assumptions, text: text.clone() })
        }
        Err(refused) => {
            let cause = refused.diagnostics.first().map_or("refused".to_string(), |why| {
                let place = why.place.as_ref().map_or(refused.first_line, |place| place.line);
                format!("line {}: {}", line(place), why.message)
            });
            Ok(FoundRegion {
                function: function_at(&text.text, refused.first_line),
                lines: (line(refused.first_line), line(refused.last_line)),
                scop: Err(cause),
                assumptions: Vec::new(),
                text: text.clone(),
            })
        }
    }
}
