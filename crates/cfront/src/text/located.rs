//! Diagnostics at places of the text that is read.
use crate::diagnostics::diagnostic::{Code, Diagnostic, Place};
use crate::text::preprocess::CleanText;

/// A diagnostic at a byte of the text.
pub(crate) fn diagnostic_at(
    clean: &CleanText,
    code: Code,
    byte: usize,
    message: impl Into<String>,
) -> Diagnostic {
    let line = clean.line_of(byte);
    let mut diagnostic = Diagnostic::new(code, message);
    if let Some(origin) = clean.origins.get(line) {
        let start = clean.starts.get(line).copied().unwrap_or(0);
        let column = clean.text.get(start..byte).map_or(0, |before| before.chars().count());
        let file = clean.files.get(origin.file as usize).cloned().unwrap_or_default();
        diagnostic.place = Some(Place { file, line: origin.line, column: column as u32 + 1 });
        diagnostic.source_line = Some(clean.line_text(line).to_string());
        diagnostic.byte = Some(byte);
    }
    diagnostic
}

/// A diagnostic about a whole line of the text.
pub(crate) fn diagnostic_of_line(
    clean: &CleanText,
    code: Code,
    line: usize,
    message: impl Into<String>,
) -> Diagnostic {
    let text = clean.line_text(line);
    let indentation = text.len() - text.trim_start().len();
    let byte = clean.starts.get(line).map_or(0, |start| start + indentation);
    let mut diagnostic = diagnostic_at(clean, code, byte, message);
    diagnostic.length = text.trim().chars().count() as u32;
    diagnostic
}
