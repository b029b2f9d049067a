//! What pragmas say about the loop after them: `#pragma pencil independent`, also without `pencil`.
//!
//! The iterations of such a loop may run in any order, as far as arrays are concerned: scalars keep
//! their dependences, and are made private where that is possible.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::diagnostic_at;
use crate::syntax::tree::Node;
use crate::walk::extract::Extractor;
use loopwright_scop::StatementId;
use std::ops::Range;

/// A loop whose iterations the program declares to be independent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndependentLoop {
    /// The statements in it.
    pub statements: Vec<StatementId>,
    /// The number of loops around it.
    pub depth: usize,
}

/// A pragma about the loop that starts in a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopPragma {
    /// The line of the pragma, and that of the loop, in the text that is read.
    at: usize,
    line: usize,
}

impl<'t> Extractor<'_, 't> {
    /// Reads the pragmas in a part of the text.
    pub(crate) fn read_loop_pragmas(&mut self, bytes: Range<usize>) {
        let mut first = self.clean.line_of(bytes.start);
        let is_directive =
            |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
        while first > 0 && is_directive(self.clean.line_text(first - 1)) {
            first -= 1;
        }
        let lines = first..self.clean.line_of(bytes.end.saturating_sub(1)) + 1;
        for line in lines.clone() {
            let Some(words) = pragma_words(self.clean.line_text(line)) else { continue };
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let of_pencil = match words[..] {
                ["pencil", ref rest @ ..] => rest,
                ["independent", ..] => &words[..],
                _ => continue,
            };
            match of_pencil {
                ["independent"] => {
                    let is_text = |line: &usize| {
                        let text = self.clean.line_text(*line).trim();
                        !text.is_empty() && !text.starts_with('#')
                    };
                    let target = (line + 1..lines.end).find(is_text).unwrap_or(line);
                    self.loop_pragmas.push(LoopPragma { at: line, line: target });
                }
                [] | ["scop" | "endscop", ..] => {}
                _ => self.ignore_pragma(line),
            }
        }
    }

    /// A pragma that is not known promises something that is not used.
    fn ignore_pragma(&mut self, at: usize) {
        let text = self.clean.line_text(at).trim().to_string();
        let line = self.clean.origins.get(at).map_or(0, |origin| origin.line);
        self.remarks.push(format!(
            "the pragma `{text}` in line {line} has no effect: of PENCIL's pragmas only \
             `#pragma pencil independent` without clauses is known"
        ));
    }

    fn refuse_pragma(&mut self, line: usize, message: &str, reason: &str) {
        let text = self.clean.line_text(line).trim().to_string();
        let byte = self.clean.starts.get(line).copied().unwrap_or(0);
        let diagnostic =
            diagnostic_at(self.clean, Code::Syntax, byte, format!("{message}: `{text}`"))
                .because(reason)
                .hint(
                    "remove it, or write `#pragma pencil independent` directly before a `for` loop",
                );
        self.diagnostics.push(diagnostic);
    }

    /// Whether a pragma declares the iterations of a loop to be independent; it is used up.
    pub(crate) fn take_independent(&mut self, node: Node<'t>) -> bool {
        let line = self.clean.line_of(node.start_byte());
        let before = self.loop_pragmas.len();
        self.loop_pragmas.retain(|pragma| pragma.line != line);
        self.loop_pragmas.len() < before
    }

    /// Notes that the iterations of a loop of the model are independent.
    pub(crate) fn set_independent(&mut self, node: Node<'t>, index: u32) {
        let line = self.line_of(node.start_byte());
        self.assume(format!(
            "the iterations of the loop in line {line} are independent, as its pragma says"
        ));
        self.independent_loops.insert(index);
    }

    /// Reports pragmas that no loop follows.
    pub(crate) fn check_loop_pragmas(&mut self) {
        for pragma in std::mem::take(&mut self.loop_pragmas) {
            self.refuse_pragma(
                pragma.at,
                "no loop follows this pragma",
                "it is about the `for` loop directly after it",
            );
        }
    }

    /// A pragma about a loop that is part of one statement has no effect.
    pub(crate) fn ignore_independent(&mut self, node: Node<'t>) {
        let line = self.line_of(node.start_byte());
        self.remarks.push(format!("the pragma before the loop in line {line} has no effect: the loop is part of one statement"));
    }

    /// The independent loops with their statements.
    pub(crate) fn independent_statements(&self) -> Vec<IndependentLoop> {
        let of_loop = |index: &u32| {
            let position = |loops: &[u32]| loops.iter().position(|l| l == index);
            let inside = self.statements.iter().enumerate();
            let found: Vec<(usize, usize)> =
                inside.filter_map(|(at, s)| Some((at, position(&s.loops)?))).collect();
            let depth = found.first()?.1;
            let statements = found.iter().map(|(at, _)| StatementId(*at as u32)).collect();
            Some(IndependentLoop { statements, depth })
        };
        self.independent_loops.iter().filter_map(of_loop).collect()
    }
}

/// The words after `#pragma`; none of other lines.
fn pragma_words(line: &str) -> Option<Vec<String>> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    Some(rest.replace('(', " ( ").split_whitespace().map(str::to_string).collect())
}
