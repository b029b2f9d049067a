//! Plain C in place of the multifor statements of a file, before anything else is done.
use crate::diagnostics::failure::Failure;
use crate::pipeline::compile::Compiled;
use crate::settings::multifor::MultiforCheck;
use crate::settings::options::CompileOptions;
use loopwright_cfront::{read_bytes, read_file, text_of};
use loopwright_multifor::{LowerSettings, Lowered, lowered};
use std::path::Path;

/// The text of a file without its multifor statements; none if it has none, or is not read (whoever reads it
/// next says why).
///
/// # Errors
/// Statements that are refused.
pub(crate) fn without_multifor_of_file(
    path: &Path,
    options: &CompileOptions,
) -> Result<Option<Lowered>, Failure> {
    match read_bytes(path).ok().and_then(|bytes| text_of(&bytes)) {
        Some(text) => without_multifor(path, &text, options),
        None => Ok(None),
    }
}

/// The same for a text.
///
/// # Errors
/// Statements that are refused.
pub(crate) fn without_multifor(
    path: &Path,
    text: &str,
    options: &CompileOptions,
) -> Result<Option<Lowered>, Failure> {
    if !text.contains("multifor") {
        return Ok(None);
    }
    let of_diagnostics = |all: Vec<_>| Failure::from_diagnostics(&all);
    let reading = options.reading();
    let originals = match &options.multifor.check {
        MultiforCheck::File(original) => {
            let file = read_file(original, &reading).map_err(of_diagnostics)?;
            Some(file.extract().map_err(of_diagnostics)?)
        }
        _ => None,
    };
    let settings = LowerSettings {
        scheme: options.multifor.scheme,
        check: options.multifor.check == MultiforCheck::Loops,
        originals,
        offsets: options.multifor.offsets,
        reading: loopwright_cfront::Options { autodetect: false, ..reading },
        ..LowerSettings::default()
    };
    let plain = lowered(path, text, &settings).map_err(of_diagnostics)?;
    Ok((!plain.statements.is_empty()).then_some(plain))
}

/// What was done with multifor statements, in front of the other notes about the file.
pub(crate) fn with_notes(mut compiled: Compiled, plain: &Lowered) -> Compiled {
    let of_statement = |statement: &loopwright_multifor::LoweredStatement| {
        let notes = statement.notes.join("; ");
        format!("multifor statement at line {}: {notes}", statement.line)
    };
    let mut notes: Vec<String> = plain.statements.iter().map(of_statement).collect();
    if !compiled.report.regions.is_empty() {
        notes
            .push("lines of regions are those of the text without multifor statements".to_string());
    }
    // That nothing else is done with the file is what was asked for.
    let others = compiled.report.notes.drain(..).filter(|note| !note.ends_with(AS_IT_WAS));
    notes.extend(others);
    compiled.report.notes = notes;
    compiled
}

/// How the note about a file without regions ends.
pub(crate) const AS_IT_WAS: &str = "the text is as it was";
