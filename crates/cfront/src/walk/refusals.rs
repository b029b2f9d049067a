//! What a walk refuses, and what it says about it.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::syntax::kind::Kind;
use crate::syntax::parser::LESS_NESTING;
use crate::syntax::queries::{children, unexpected, visit};
use crate::syntax::shape::{MAX_DEPTH, is_well_shaped};
use crate::syntax::tree::Node;
use crate::text::located::diagnostic_at;
use crate::walk::extractor::Extractor;

/// What to do where a name may come from a header that is not read.
const MACROS: &str =
    "a macro of a header needs the -I and -D options that the file is compiled with";

/// What is said of what is nested too deeply.
pub(crate) const TOO_DEEP: &str = "the nesting is too deep";

/// Why that is refused.
pub(crate) fn depth_reason() -> String {
    format!("parts are understood up to {MAX_DEPTH} levels inside each other")
}

impl<'t> Extractor<'_, 't> {
    /// Refuses syntax errors and statements nested too deeply for the recursive walk.
    pub(crate) fn check_shape(&self, root: Node<'t>) -> Result<(), Refusal> {
        if is_well_shaped(root) {
            return Ok(());
        }
        let mut refused = None;
        visit(root, |node, depth| {
            if refused.is_some() {
                return false;
            }
            if node.is_error() || node.is_missing() {
                refused = Some(self.syntax_error(node));
            } else if depth > MAX_DEPTH {
                refused = Some(self.too_deep(node));
            }
            true
        });
        refused.map_or(Ok(()), Err)
    }

    /// Refuses an expression, also one outside of the region, that is nested too deeply for the recursive
    /// walk.
    pub(crate) fn check_depth(&self, node: Node<'t>) -> Result<(), Refusal> {
        if node.levels() <= MAX_DEPTH { Ok(()) } else { Err(self.too_deep(node)) }
    }

    fn too_deep(&self, node: Node<'t>) -> Refusal {
        let refusal = self.refuse(Code::TooComplex, node, TOO_DEEP);
        refusal.with_reason(depth_reason()).with_hint("divide the expression or block")
    }

    /// What is wrong with text that is not understood.
    fn syntax_error(&self, node: Node<'t>) -> Refusal {
        if node.is_missing() {
            let what = format!("`{}` is missing here", node.kind());
            let reason = unexpected(self.facts.source, node.end_byte(), node.kind().name());
            return self.refuse(Code::Syntax, node, what).with_reason(reason);
        }
        if let Some((byte, LESS_NESTING)) = node.expectation() {
            let mut words = children(node).filter(|word| word.start_byte() >= byte);
            return self.too_deep(words.next().unwrap_or(node));
        }
        let what = format!("this is not understood as C: `{}`", shorten(&self.flat_text(node)));
        let refusal = self.refuse(Code::Syntax, node, what);
        match node.expectation() {
            Some((byte, expected)) => {
                refusal.with_reason(unexpected(self.facts.source, byte, expected))
            }
            None => refusal.with_reason("it is no statement that the parser knows"),
        }
    }

    pub(crate) fn refuse_statement(&self, node: Node<'t>, kind: Kind) -> Refusal {
        let what = match kind {
            Kind::WhileStatement => "a `while` loop",
            Kind::DoStatement => "a `do` loop",
            Kind::GotoStatement => "a `goto`",
            Kind::ReturnStatement => "a `return`",
            Kind::BreakStatement => "a `break`",
            Kind::ContinueStatement => "a `continue`",
            Kind::SwitchStatement | Kind::CaseStatement => "a `switch`",
            Kind::LabeledStatement => "a label",
            Kind::TypeDefinition => "a type definition",
            _ => "this kind of statement",
        };
        let (reason, hint) = match kind {
            Kind::WhileStatement | Kind::DoStatement => (
                "where no pragma asks for it, a loop whose end depends on data is left alone",
                "write a `for` loop with a bound, or put `#pragma scop` around it",
            ),
            Kind::GotoStatement => (
                "only jumps to labels further down, in the same block or around it, are understood",
                "write it as a loop or as an `if`, or move it out of the region",
            ),
            Kind::BreakStatement | Kind::ContinueStatement => (
                "it leaves the region, or a loop whose iterations must be known before it runs",
                "express the exit in the condition of the loop, or move it out of the region",
            ),
            Kind::ReturnStatement => (
                "it leaves the region, which has one end",
                "end the region before it; in a loop, keep the result in a variable and `break`",
            ),
            Kind::LabeledStatement => (
                "a jump from further down, or from inside of another statement, leads here",
                "write the jump as a loop or as an `if`",
            ),
            Kind::SwitchStatement | Kind::CaseStatement => (
                "where no pragma asks for it, a choice that depends on data is left alone",
                "write `if` statements, or put `#pragma scop` around it",
            ),
            _ => ("it is no loop, condition or expression", Code::UnsupportedStatement.advice()),
        };
        self.refuse(Code::UnsupportedStatement, node, format!("{what} cannot be part of a region"))
            .with_reason(reason)
            .with_hint(hint)
    }

    /// A refusal of a name that is not declared.
    pub(crate) fn unknown_name(&self, node: Node<'t>) -> Refusal {
        let values = self.scopes.index.values.get(self.text(node)).into_iter().flatten();
        if let Some((_, error)) = values.into_iter().find(|(_, value)| value.is_error()) {
            let line = self.line_of(error.start_byte());
            let message = format!("the declaration of `{}` is not understood", self.text(node));
            let reason = format!("line {line} mentions it in text that is not understood as C");
            let hint = format!("correct line {line}; {MACROS}");
            return self
                .refuse(Code::UnknownName, node, message)
                .with_reason(reason)
                .with_hint(hint);
        }
        if self.scopes.types.contains(self.text(node)) {
            let message = format!("`{}` is a type, not a variable", self.text(node));
            return self
                .refuse(Code::UnsupportedExpression, node, message)
                .with_reason("only values have a place in an expression")
                .with_hint("name a variable of that type");
        }
        let message = format!("`{}` is not declared in this file", self.text(node));
        self.refuse(Code::UnknownName, node, message)
            .with_reason("the types of all variables in a region must be known")
    }

    /// A refusal at a node.
    pub(crate) fn refuse(&self, code: Code, node: Node<'_>, message: impl Into<String>) -> Refusal {
        let mut diagnostic = diagnostic_at(self.facts.clean, code, node.start_byte(), message);
        diagnostic.length = self.text(node).chars().count() as u32;
        Refusal(Box::new(diagnostic))
    }

    /// A refusal at a byte of the text.
    pub(crate) fn refuse_at(&self, code: Code, at: usize, message: impl Into<String>) -> Refusal {
        Refusal(Box::new(diagnostic_at(self.facts.clean, code, at, message)))
    }
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_string();
    }
    text.chars().take(40).chain("..".chars()).collect()
}
