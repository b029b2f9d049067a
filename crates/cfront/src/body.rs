//! Statement bodies: which elements an expression touches, and its text with holes.
//!
//! The text of a statement is copied token by token. In place of subscripts and iterators stand
//! holes ([`RawPiece`]) that are regenerated for the place where the statement ends up.
use crate::affine::Purpose;
use crate::ctypes::Dimension;
use crate::diagnostic::Code;
use crate::extract::{Extractor, RawAccess, RawPiece, Refusal};
use crate::functions::is_pure_function;
use crate::linear::{Linear, Pieces};
use crate::scope::Entity;
use crate::syntax::{children, named_children, strip_parentheses, visit};
use loopwright_scop::{AccessKind, ElementKind};
use std::collections::BTreeSet;
use tree_sitter::Node;

/// The body that is being written.
pub(crate) struct Emission {
    pub(crate) pieces: Vec<RawPiece>,
    pub(crate) accesses: Vec<RawAccess>,
    /// Whether the current part may be skipped when the statement runs.
    pub(crate) conditional: bool,
    /// The scalars that the statement has written for sure before the current part.
    pub(crate) assigned: BTreeSet<u32>,
    /// Whether it is known what has been written before the current part.
    pub(crate) tracks_assignments: bool,
    /// The number of loops around the statement; those inside of these are its own.
    pub(crate) outer: usize,
    /// Whether the statement has control flow of its own.
    pub(crate) is_atomic: bool,
    /// The end of the last token.
    end: Option<usize>,
}

/// What an expression does with a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Read,
    Write,
    Update,
}

/// One subscript of a reference.
#[derive(Clone, Copy)]
pub(crate) enum Index<'t> {
    Zero,
    At(Node<'t>),
}

impl Emission {
    /// An empty body inside of a number of loops.
    pub(crate) fn new(outer: usize) -> Self {
        Emission {
            pieces: Vec::new(),
            accesses: Vec::new(),
            conditional: false,
            assigned: BTreeSet::new(),
            tracks_assignments: true,
            outer,
            is_atomic: false,
            end: None,
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(RawPiece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(RawPiece::Text(text.to_string())),
        }
    }

    /// A blank if the source has white space before the token.
    pub(crate) fn gap(&mut self, node: Node<'_>) {
        if self.end.is_some_and(|end| end < node.start_byte()) {
            self.text(" ");
        }
        self.end = Some(node.end_byte());
    }

    /// How the current part writes.
    pub(crate) fn write_kind(&self) -> AccessKind {
        if self.conditional { AccessKind::MayWrite } else { AccessKind::MustWrite }
    }

    /// The keyword that a statement starts with.
    pub(crate) fn keyword(&mut self, node: Node<'_>, text: &str) {
        self.gap(node);
        self.text(text);
        self.after_written();
    }

    /// Notes that the text of a node has been written.
    pub(crate) fn written(&mut self, node: Node<'_>) {
        self.end = Some(node.end_byte());
    }

    /// No blank comes before the next token.
    pub(crate) fn after_written(&mut self) {
        self.end = None;
    }

    /// Removes the semicolon at the end.
    pub(crate) fn drop_semicolon(&mut self) {
        if let Some(RawPiece::Text(last)) = self.pieces.last_mut()
            && last.ends_with(';')
        {
            last.pop();
            if last.is_empty() {
                self.pieces.pop();
            }
        }
    }
}

impl<'t> Extractor<'_, 't> {
    /// An expression statement; the operands of a comma become statements of their own.
    pub(crate) fn expression_statement(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let mut rest = node;
        while rest.kind() == "comma_expression" {
            let (Some(left), Some(right)) =
                (rest.child_by_field_name("left"), rest.child_by_field_name("right"))
            else {
                break;
            };
            self.expression_statement_part(left)?;
            rest = right;
        }
        self.expression_statement_part(rest)
    }

    fn expression_statement_part(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let mut emission = Emission::new(self.nest.len());
        self.write_guards(&mut emission)?;
        self.expression(&mut emission, strip_parentheses(node))?;
        self.add_statement(emission.accesses, emission.pieces, false, node.start_byte());
        Ok(())
    }

    /// The initialiser of a variable of the region, as an assignment.
    pub(crate) fn initializer(&mut self, variable: u32, value: Node<'t>) -> Result<(), Refusal> {
        if value.kind() == "initializer_list"
            || !self.variable(variable).declared.dimensions.is_empty()
        {
            return Err(self
                .refuse(Code::Declaration, value, "an initialiser list in a region")
                .with_hint("assign the elements in statements"));
        }
        let mut emission = Emission::new(self.nest.len());
        self.write_guards(&mut emission)?;
        let kind = emission.write_kind();
        emission.accesses.push(RawAccess::new(variable, kind, Vec::new(), value.start_byte()));
        emission.pieces.push(RawPiece::Element { variable, subscripts: Vec::new() });
        emission.text(" = ");
        self.expression(&mut emission, value)?;
        self.add_statement(emission.accesses, emission.pieces, false, value.start_byte());
        Ok(())
    }

    pub(crate) fn expression(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        match node.kind() {
            "identifier" => self.reference(out, node, Role::Read),
            "subscript_expression" | "pointer_expression" => self.reference(out, node, Role::Read),
            "assignment_expression" | "update_expression" => self.change(out, node),
            "conditional_expression"
            | "binary_expression"
            | "unary_expression"
            | "parenthesized_expression"
            | "comma_expression"
            | "argument_list" => {
                if self.iterator_expression(out, node) {
                    return Ok(());
                }
                self.operands(out, node)
            }
            "extension_expression" => match named_children(node).last() {
                Some(inner) => self.expression(out, inner),
                None => Ok(()),
            },
            "cast_expression" => self.cast(out, node),
            "call_expression" => self.call(out, node),
            "sizeof_expression" if node.child_by_field_name("type").is_some() => {
                self.verbatim(out, node);
                Ok(())
            }
            "number_literal" | "char_literal" | "string_literal" | "true" | "false" => {
                self.verbatim(out, node);
                Ok(())
            }
            "field_expression" => Err(self
                .refuse(Code::UnsupportedExpression, node, "a member of a structure")
                .with_reason("structures are not supported in regions")),
            _ if !node.is_named() => {
                self.verbatim(out, node);
                Ok(())
            }
            _ => {
                let text = self.flat_text(node);
                Err(self.refuse(
                    Code::UnsupportedExpression,
                    node,
                    format!("this expression is not supported in a region: `{text}`"),
                ))
            }
        }
    }

    /// Copies a node's text.
    pub(crate) fn verbatim(&self, out: &mut Emission, node: Node<'t>) {
        out.gap(node);
        if node.kind() == "string_literal" {
            out.text(self.text(node));
        } else {
            out.text(&self.flat_text(node));
        }
    }

    /// All children in order; what C may skip is conditional.
    fn operands(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let outer = out.conditional;
        let mut assigned = None;
        for child in children(node) {
            self.expression(out, child)?;
            if matches!(child.kind(), "?" | "&&" | "||" | ":") {
                out.conditional = true;
                let before = assigned.get_or_insert_with(|| out.assigned.clone());
                out.assigned.clone_from(before);
            }
        }
        out.conditional = outer;
        out.assigned = assigned.unwrap_or(std::mem::take(&mut out.assigned));
        Ok(())
    }

    /// An integer expression over iterators only, regenerated as a whole.
    fn iterator_expression(&mut self, out: &mut Emission, node: Node<'t>) -> bool {
        if !self.is_iterator_expression(node) || !self.mentions_iterator(node) {
            return false;
        }
        let assumptions = self.assumptions.len();
        match self.value(node) {
            Ok(value)
                if value.integer_type.signed
                    && value.integer_type.bytes == 4
                    && !self.is_inner(out, &value.pieces) =>
            {
                out.gap(node);
                out.pieces.push(RawPiece::Expression(value.pieces));
                true
            }
            _ => {
                self.assumptions.truncate(assumptions);
                false
            }
        }
    }

    /// Whether an expression has only iterators, numbers and `+ - *`.
    fn is_iterator_expression(&self, node: Node<'t>) -> bool {
        let mut only = true;
        visit(node, |n, _| {
            only &= match n.kind() {
                "binary_expression"
                | "unary_expression"
                | "parenthesized_expression"
                | "("
                | ")"
                | "+"
                | "-"
                | "*" => true,
                "number_literal" => crate::syntax::integer_literal(self.text(n)).is_some(),
                "identifier" => match self.scopes.lookup(self.text(n)) {
                    Some(Entity::Variable(variable)) => self.active_loop(variable).is_some(),
                    Some(Entity::Constant(_)) => true,
                    _ => false,
                },
                _ => false,
            };
            only
        });
        only
    }

    fn cast(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let target = node.child_by_field_name("type");
        if target.is_some_and(|t| t.child_by_field_name("declarator").is_some()) {
            return Err(self.refuse(Code::Pointer, node, "a cast to a pointer in a region"));
        }
        for child in children(node) {
            if Some(child) == target {
                self.verbatim(out, child);
            } else {
                self.expression(out, child)?;
            }
        }
        Ok(())
    }

    fn call(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let callee = node.child_by_field_name("function").map(strip_parentheses);
        let arguments = node.child_by_field_name("arguments");
        let (Some(callee), Some(arguments)) = (callee, arguments) else {
            return Err(self.refuse(Code::Call, node, "this call is not understood"));
        };
        let name = self.text(callee);
        let shadowed = self.scopes.defined_functions.contains(name)
            || matches!(self.scopes.lookup(name), Some(Entity::Variable(_)));
        if callee.kind() != "identifier" || shadowed || !is_pure_function(name) {
            return Err(self
                .refuse(Code::Call, node, format!("a call of `{}`", self.flat_text(callee)))
                .with_reason("the function is not known to be free of side effects")
                .with_hint("write its body in place, or make it a macro"));
        }
        self.verbatim(out, callee);
        self.expression(out, arguments)
    }

    /// An assignment, `++` or `--`.
    fn change(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let target = node.child_by_field_name("left").or(node.child_by_field_name("argument"));
        let plain = node.child_by_field_name("operator").is_some_and(|o| o.kind() == "=");
        let role = if plain { Role::Write } else { Role::Update };
        for child in children(node) {
            if Some(child) == target {
                self.reference(out, child, role)?;
            } else {
                self.expression(out, child)?;
            }
        }
        if out.tracks_assignments
            && let Some(name) = target.map(strip_parentheses).filter(|t| t.kind() == "identifier")
        {
            out.assigned.extend(self.resolve(name).ok());
        }
        Ok(())
    }

    /// A variable or an element of an array.
    fn reference(&mut self, out: &mut Emission, node: Node<'t>, role: Role) -> Result<(), Refusal> {
        let (base, indices) = self.subscripts(node)?;
        if let Some(Entity::Constant(_)) = self.scopes.lookup(self.text(base)) {
            self.verbatim(out, node);
            return Ok(());
        }
        let variable = self.resolve(base)?;
        if let Some(name) = self.own_names.get(&variable).cloned() {
            return self.own_reference(out, node, (variable, &name), &indices);
        }
        if self.outer_loop(out, variable).is_some() {
            return self.iterator_reference(out, base, variable, role);
        }
        self.check_reference(node, variable, indices.len(), role)?;
        let mut subscripts = Vec::with_capacity(indices.len());
        for &index in &indices {
            subscripts.push(self.subscript_or_unknown(variable, index)?);
        }
        out.gap(node);
        let is_known = subscripts.iter().all(|pieces| !self.is_unknown(pieces));
        let write = if is_known { out.write_kind() } else { AccessKind::MayWrite };
        let kinds: &[AccessKind] = match role {
            Role::Read => &[AccessKind::Read],
            Role::Write => &[write],
            Role::Update => &[AccessKind::Read, write],
        };
        let at = node.start_byte();
        let is_assigned = indices.is_empty() && out.assigned.contains(&variable);
        for &kind in kinds.iter().filter(|kind| **kind != AccessKind::Read || !is_assigned) {
            let inner = self.inner_place(out, kind, &subscripts);
            let subscripts = subscripts.clone();
            out.accesses.push(RawAccess { variable, kind, subscripts, at, inner });
        }
        if subscripts.iter().any(|pieces| self.is_inner(out, pieces)) {
            out.pieces.push(RawPiece::Element { variable, subscripts: Vec::new() });
            return self.write_subscripts(out, node, &indices);
        }
        out.pieces.push(RawPiece::Element { variable, subscripts });
        Ok(())
    }

    /// The value of a subscript.
    pub(crate) fn subscript(&mut self, index: Index<'t>) -> Result<Pieces, Refusal> {
        self.purpose = Purpose::Subscript;
        match index {
            Index::Zero => Ok(Pieces::single(Linear::constant(0))),
            Index::At(index) => Ok(self.value(index)?.pieces),
        }
    }

    /// An iterator read as data.
    fn iterator_reference(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        variable: u32,
        role: Role,
    ) -> Result<(), Refusal> {
        let name = self.variable(variable).name.clone();
        if role != Role::Read {
            return Err(self
                .refuse(Code::Iterator, node, format!("the iterator `{name}` is changed here"))
                .with_reason("only the loop itself may change its iterator")
                .with_hint("use another variable"));
        }
        self.purpose = Purpose::Subscript;
        let value = self.value(node)?;
        out.gap(node);
        let scalar = &self.variable(variable).declared.scalar;
        if scalar.kind != ElementKind::Signed || scalar.bytes != Some(4) {
            let cast = format!("({})", scalar.spelling);
            out.text(&cast);
        }
        out.pieces.push(RawPiece::Expression(value.pieces));
        Ok(())
    }

    fn check_reference(
        &mut self,
        node: Node<'t>,
        variable: u32,
        subscripts: usize,
        role: Role,
    ) -> Result<(), Refusal> {
        let declared = self.variable(variable);
        let text = self.flat_text(node);
        let name = declared.name.clone();
        if declared.declared.is_volatile {
            return Err(self.refuse(Code::Type, node, format!("`{name}` is volatile")));
        }
        let dimensions = declared.declared.dimensions.len();
        if dimensions != subscripts {
            let message = format!("`{text}` is not an element of `{name}`");
            let reason = format!("`{name}` has {dimensions} dimensions, {subscripts} are given");
            return Err(self
                .refuse(Code::Pointer, node, message)
                .with_reason(reason)
                .with_hint("pointers themselves cannot be used in a region, only elements"));
        }
        if role != Role::Read && declared.constant.is_some() {
            return Err(self.refuse(Code::Type, node, format!("`{name}` is a constant")));
        }
        let pointer = |d: &Dimension<'_>| matches!(d, Dimension::Pointer { .. });
        if self.variable(variable).declared.dimensions.iter().skip(1).any(pointer) {
            self.assume(format!("the rows of `{name}` do not overlap"));
        }
        Ok(())
    }

    /// The name and the subscripts of a reference, outermost dimension first.
    pub(crate) fn subscripts(&self, node: Node<'t>) -> Result<(Node<'t>, Vec<Index<'t>>), Refusal> {
        let mut reversed = Vec::new();
        let mut node = strip_parentheses(node);
        let whole = node;
        loop {
            let field = |name| node.child_by_field_name(name);
            node = match node.kind() {
                "identifier" => {
                    reversed.reverse();
                    return Ok((node, reversed));
                }
                "subscript_expression" => {
                    let (Some(base), Some(index)) = (field("argument"), field("index")) else {
                        break;
                    };
                    reversed.push(Index::At(index));
                    strip_parentheses(base)
                }
                "pointer_expression" if field("operator").is_some_and(|o| o.kind() == "*") => {
                    let Some(pointer) = field("argument").map(strip_parentheses) else { break };
                    if pointer.kind() == "binary_expression" {
                        let (base, operator, offset) = self.binary_parts(pointer)?;
                        if operator != "+" {
                            break;
                        }
                        reversed.push(Index::At(offset));
                        strip_parentheses(base)
                    } else {
                        reversed.push(Index::Zero);
                        pointer
                    }
                }
                _ => break,
            };
        }
        let text = self.flat_text(whole);
        Err(self
            .refuse(
                Code::Pointer,
                whole,
                format!("this use of a pointer is not understood: `{text}`"),
            )
            .with_hint("write an array element with affine subscripts"))
    }
}
