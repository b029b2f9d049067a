//! What pragmas say about the loop after them: `#pragma pencil independent`, also without `pencil`.
//!
//! The iterations of such a loop may run in any order, as far as arrays are concerned: scalars keep
//! their dependences, and are made private where that is possible.
use crate::diagnostics::diagnostic::Code;
use crate::syntax::tree::Node;
use crate::text::located::diagnostic_at;
use crate::walk::extractor::Extractor;
use loopwright_scop::StatementId;

/// A loop whose iterations the program declares to be independent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndependentLoop {
    /// The statements in it.
    pub statements: Vec<StatementId>,
    /// The number of loops around it.
    pub depth: usize,
}

impl<'t> Extractor<'_, 't> {
    fn refuse_pragma(&mut self, line: usize, message: &str, reason: &str) {
        let text = self.facts.clean.line_text(line).trim().to_string();
        let byte = self.facts.clean.starts.get(line).copied().unwrap_or(0);
        let diagnostic =
            diagnostic_at(self.facts.clean, Code::Syntax, byte, format!("{message}: `{text}`"))
                .because(reason)
                .hint(
                    "remove it, or write `#pragma pencil independent` directly before a `for` loop",
                );
        self.out.report(diagnostic);
    }

    /// Whether a pragma declares the iterations of a loop to be independent; it is used up.
    pub(crate) fn take_independent(&mut self, node: Node<'t>) -> bool {
        let line = self.facts.clean.line_of(node.start_byte());
        let is_about = self.facts.loop_pragmas.iter().any(|pragma| pragma.line == line);
        is_about && self.out.meet_pragma(line)
    }

    /// Notes that the iterations of a loop of the model are independent.
    pub(crate) fn set_independent(&mut self, node: Node<'t>, index: u32) {
        let line = self.line_of(node.start_byte());
        self.out.assume(format!(
            "the iterations of the loop in line {line} are independent, as its pragma says"
        ));
        self.out.add_independent_loop(index);
    }

    /// Reports pragmas that no loop follows.
    pub(crate) fn check_loop_pragmas(&mut self) {
        let facts = self.facts.clone();
        let met = self.out.met_pragmas().clone();
        for pragma in facts.loop_pragmas.iter().filter(|pragma| !met.contains(&pragma.line)) {
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
        self.out.remark(format!("the pragma before the loop in line {line} has no effect: the loop is part of one statement"));
    }

    /// The independent loops with their statements.
    pub(crate) fn independent_statements(&self) -> Vec<IndependentLoop> {
        let of_loop = |index: &u32| {
            let position = |loops: &[u32]| loops.iter().position(|l| l == index);
            let inside = self.out.statements.iter().enumerate();
            let found: Vec<(usize, usize)> =
                inside.filter_map(|(at, s)| Some((at, position(&s.loops)?))).collect();
            let depth = found.first()?.1;
            let statements = found.iter().map(|(at, _)| StatementId(*at as u32)).collect();
            Some(IndependentLoop { statements, depth })
        };
        self.out.independent_loops().iter().filter_map(of_loop).collect()
    }
}
