//! The pragmas around regions.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::text::located::diagnostic_of_line;
use crate::text::preprocess::CleanText;
use std::ops::Range;

/// The lines (of the cleaned text) of a pair of pragmas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pragmas {
    pub(crate) scop: usize,
    pub(crate) endscop: usize,
}

/// The pragma on a line: `scop` or `endscop`.
pub(crate) fn pragma(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.strip_prefix('#').or(line.strip_prefix("%:"))?;
    let rest = rest.trim_start().strip_prefix("pragma")?;
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    rest.split_whitespace().next().filter(|word| matches!(*word, "scop" | "endscop"))
}

pub(crate) fn find_pragmas(clean: &CleanText) -> Result<Vec<Pragmas>, Vec<Diagnostic>> {
    let mut pairs = Vec::new();
    let mut open: Option<usize> = None;
    let mut diagnostics = Vec::new();
    let mut unbalanced = |line: usize, message: &str, reason: String, hint: &str| {
        let refusal = diagnostic_of_line(clean, Code::Unbalanced, line, message);
        diagnostics.push(refusal.because(reason).hint(hint));
    };
    let mut n_inside = 0;
    // Regions of included files are those of these files, and are left as they are.
    let is_own = |line: &usize| clean.origins.get(*line).is_some_and(|origin| origin.file == 0);
    for line in (0..clean.starts.len()).filter(is_own) {
        match (pragma(clean.line_text(line)), open) {
            (Some("scop"), None) => open = Some(line),
            (Some("scop"), Some(scop)) => {
                let around = clean.origins.get(scop).map_or(0, |origin| origin.line);
                let reason = format!("the region that begins in line {around} is still open");
                let hint =
                    "put `#pragma endscop` before it, or remove it and its `#pragma endscop`";
                unbalanced(line, "a region inside a region", reason, hint);
                n_inside += 1;
            }
            (Some("endscop"), Some(_)) if n_inside > 0 => n_inside -= 1,
            (Some("endscop"), Some(scop)) => {
                pairs.push(Pragmas { scop, endscop: line });
                open = None;
            }
            (Some(_), None) => {
                let reason = "no region is open here".to_string();
                let hint = "remove it, or put `#pragma scop` before the loops";
                unbalanced(line, "`#pragma endscop` without `#pragma scop`", reason, hint);
            }
            _ => {}
        }
    }
    if let Some(line) = open {
        let reason = "the file ends inside the region".to_string();
        let hint = "put `#pragma endscop` after the loops, in the same block";
        unbalanced(line, "`#pragma scop` without `#pragma endscop`", reason, hint);
    }
    if diagnostics.is_empty() { Ok(pairs) } else { Err(diagnostics) }
}

/// The bytes between pragmas.
pub(crate) fn bytes_between(clean: &CleanText, pairs: &[Pragmas]) -> Vec<Range<usize>> {
    pairs.iter().map(|p| clean.starts[p.scop]..clean.starts[p.endscop]).collect()
}
