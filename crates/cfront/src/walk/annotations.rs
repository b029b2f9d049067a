//! What a program says about itself: `__pencil_kill`, `__pencil_assume`, `__builtin_assume`,
//! `__builtin_prefetch`.
//!
//! A kill is a statement that is never executed: no value of its elements flows across it. An assumption on
//! symbolic constants becomes part of the context. A prefetch is left out. All only help, so that what is not
//! understood of them is left out, with a remark.
use crate::diagnostics::refusal::Refusal;
use crate::model::conditions::Disjunction;
use crate::model::pieces::Pieces;
use crate::model::raw_model::RawAccess;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use loopwright_scop::AccessKind;

/// A hint about what is read soon.
const PREFETCH: &str = "__builtin_prefetch";

/// Why nothing is made of an annotation.
type Ignored = &'static str;

impl<'t> Extractor<'_, 't> {
    /// The annotation that an expression statement is: the name and the arguments.
    fn annotation(&self, node: Node<'t>) -> Option<(&'static str, Vec<Node<'t>>)> {
        let node = strip_parentheses(node);
        let callee = node.field(Field::Function)?;
        let name = match self.text(callee) {
            "__pencil_kill" => "__pencil_kill",
            "__pencil_assume" => "__pencil_assume",
            "__builtin_assume" => "__builtin_assume",
            PREFETCH => PREFETCH,
            _ => return None,
        };
        let arguments = node.field(Field::Arguments)?;
        let effects = [Kind::CallExpression, Kind::AssignmentExpression, Kind::UpdateExpression];
        if name == PREFETCH && arguments.has_kind(&effects) {
            return None;
        }
        Some((name, named_children(arguments).collect()))
    }

    /// Whether an expression statement is an annotation.
    pub(crate) fn is_annotation(&self, node: Node<'t>) -> bool {
        self.annotation(node).is_some()
    }

    /// Takes an annotation into account; whether the expression statement is one.
    pub(crate) fn annotated(&mut self, node: Node<'t>) -> bool {
        let Some((name, arguments)) = self.annotation(node) else { return false };
        if name == PREFETCH {
            let line = self.line_of(node.start_byte());
            self.out
                .remark(format!("the prefetch in line {line} is left out: it changes no value"));
        } else if name == "__pencil_kill" {
            for argument in arguments {
                match self.killed(argument) {
                    Ok(access) => {
                        self.add_statement(vec![access], Vec::new(), true, node.start_byte())
                    }
                    Err(reason) => self.ignore(name, argument, reason),
                }
            }
        } else {
            let conditions: Vec<Node<'t>> =
                arguments.into_iter().flat_map(|argument| self.conjuncts(argument)).collect();
            for argument in conditions {
                if let Err(reason) = self.promised(argument) {
                    self.ignore(name, argument, reason);
                }
            }
        }
        true
    }

    /// Reports an annotation without effect under a condition that depends on data.
    pub(crate) fn ignore_annotation(&mut self, node: Node<'t>) {
        let (name, arguments) = self.annotation(node).unwrap_or_default();
        if name == PREFETCH {
            return;
        }
        for argument in arguments {
            self.ignore(name, argument, "it stands under a condition that depends on data");
        }
    }

    fn ignore(&mut self, name: &str, argument: Node<'t>, reason: Ignored) {
        let line = self.line_of(argument.start_byte());
        let text = self.quoted(argument);
        self.out.remark(format!("`{name}({text})` in line {line} has no effect: {reason}"));
    }

    /// The variable, or the part of it, that a kill names: subscripts may be left out at the end.
    fn killed(&mut self, node: Node<'t>) -> Result<RawAccess, Ignored> {
        let (base, indices) =
            self.affine_subscripts(node).map_err(|_| "it is no element with affine subscripts")?;
        let variable = self.resolve(base).map_err(|_| "it names no variable")?;
        let declared = self.variable(variable);
        if declared.constant.is_some() || self.active_loop(variable).is_some() {
            return Err("it names no data");
        }
        if indices.len() > declared.declared.dimensions.len() {
            return Err("there are too many subscripts");
        }
        let at = node.start_byte();
        Ok(RawAccess::new(variable, AccessKind::Kill, indices, at))
    }

    /// The name and the subscripts of an element.
    fn affine_subscripts(&mut self, node: Node<'t>) -> Result<(Node<'t>, Vec<Pieces>), Refusal> {
        let mark = self.out.mark();
        let (base, indices) = self.subscripts(node)?;
        let subscripts = indices.into_iter().map(|index| self.subscript(index));
        let subscripts: Result<Vec<Pieces>, Refusal> = subscripts.collect();
        if subscripts.is_err() {
            self.out.back_to(mark);
        }
        Ok((base, subscripts?))
    }

    /// Adds a condition to the context.
    fn promised(&mut self, node: Node<'t>) -> Result<(), Ignored> {
        if !self.at.nest.is_empty() || self.at.domain != Disjunction::always() {
            return Err("it stands in a loop or under a condition");
        }
        let holds = self
            .affine_condition(node, false)
            .map_err(|_| "it is not affine in symbolic constants")?;
        self.out.assume(format!(
            "`{}`, as line {} says",
            self.flat_text(node),
            self.line_of(node.start_byte())
        ));
        self.out.promise(holds);
        Ok(())
    }
}
