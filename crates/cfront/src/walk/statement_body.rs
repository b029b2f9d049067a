//! Statement bodies: which elements an expression touches, and its text with holes.
//!
//! The text of a statement is copied token by token. In place of subscripts and iterators stand
//! holes ([`RawPiece`]) that are regenerated for the place where the statement ends up.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::ScalarType;
use crate::facts::effects::ModRef;
use crate::facts::scope::Entity;
use crate::model::pieces::Pieces;
use crate::model::raw_model::{RawAccess, RawPiece};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, named_children, strip_parentheses, visit};
use crate::syntax::tree::Node;
use crate::walk::control::ways_out::{block_of_expression, is_size_for_nobody};
use crate::walk::extractor::Extractor;
use crate::walk::role::Role;
use loopwright_scop::{
    self as scop, AccessKind, AssignmentOperator, BinaryOperator, ElementKind, PostfixOperator,
    TermKind, UnaryOperator,
};
use std::collections::BTreeSet;

/// The body that is being written.
pub(crate) struct Emission {
    pub(crate) pieces: Vec<RawPiece>,
    pub(crate) accesses: Vec<RawAccess>,
    /// Whether the current part may be skipped when the statement runs.
    pub(crate) conditional: bool,
    /// Whether conditions on data stand in front of all of it: they decide about what is otherwise sure.
    pub(crate) is_guarded: bool,
    /// The number of branches around the current part that data decides about (`sure_writes.rs`).
    pub(crate) n_branches: usize,
    /// The scalars that the statement has written for sure before the current part.
    pub(crate) assigned: BTreeSet<u32>,
    /// Whether it is known what has been written before the current part.
    pub(crate) tracks_assignments: bool,
    /// The number of loops around the statement; those inside of these are its own.
    pub(crate) outer: usize,
    /// Whether the statement has control flow of its own.
    pub(crate) is_opaque: bool,
    /// Whether only the accesses matter: it is the body of a function that is called.
    pub(crate) is_summary: bool,
    /// What its calls do with all memory that can be reached.
    pub(crate) reaches: ModRef,
    /// The variables that its calls access without being given them.
    pub(crate) hidden: Vec<u32>,
    /// The end of the last token.
    end: Option<usize>,
}

impl Emission {
    /// An empty body inside of a number of loops.
    pub(crate) fn new(outer: usize) -> Self {
        Emission {
            pieces: Vec::new(),
            accesses: Vec::new(),
            conditional: false,
            is_guarded: false,
            n_branches: 0,
            assigned: BTreeSet::new(),
            tracks_assignments: true,
            outer,
            is_opaque: false,
            is_summary: false,
            reaches: ModRef::default(),
            hidden: Vec::new(),
            end: None,
        }
    }

    /// Begins a term; [`TermKind::Opaque`] is one of which the text and the parts say what it is.
    pub(crate) fn open(&mut self, kind: TermKind) {
        self.pieces.push(RawPiece::Open(kind));
    }

    /// Ends the term that was begun last.
    pub(crate) fn close(&mut self) {
        self.pieces.push(RawPiece::Close);
    }

    pub(crate) fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(RawPiece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(RawPiece::Text(text.to_string())),
        }
    }

    /// An integer expression as a value of a type.
    pub(crate) fn value_of(&mut self, scalar: &ScalarType, value: Pieces) {
        if scalar.kind == ElementKind::Signed && scalar.bytes == Some(4) {
            self.pieces.push(RawPiece::Expression(value));
            return;
        }
        self.open(TermKind::Cast(scalar.of_numbers()));
        self.text(&format!("({})", scalar.spelling));
        self.pieces.push(RawPiece::Expression(value));
        self.close();
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
        let last = self.pieces.iter().rposition(|piece| !matches!(piece, RawPiece::Close));
        if let Some(RawPiece::Text(last)) = last.and_then(|last| self.pieces.get_mut(last))
            && last.ends_with(';')
        {
            last.pop();
        }
    }
}

impl<'t> Extractor<'_, 't> {
    /// An expression statement; the operands of a comma become statements of their own.
    pub(crate) fn expression_statement(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let mut rest = strip_parentheses(node);
        while rest.kind() == Kind::CommaExpression {
            let (Some(left), Some(right)) = (rest.field(Field::Left), rest.field(Field::Right))
            else {
                break;
            };
            self.expression_statement_part(left)?;
            rest = right;
        }
        self.expression_statement_part(rest)
    }

    fn expression_statement_part(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        if let Some(block) = block_of_expression(node) {
            // Nobody wants its value.
            let attempt = self.out.attempt();
            self.block(block)?;
            let assertion = self.refuse_assertion(node).filter(|_| !self.out.is_clean(&attempt));
            return assertion.map_or(Ok(()), |refusal| {
                self.out.take_back(attempt);
                Err(refusal)
            });
        }
        if is_size_for_nobody(node) {
            return Ok(());
        }
        if self.followed_statement(strip_parentheses(node))? {
            return Ok(());
        }
        if let Some((pointer, value)) = self.pointer_assignment(strip_parentheses(node)) {
            return self.set_pointer(pointer, value);
        }
        let split = self.split_changes(strip_parentheses(node));
        let mut emission = Emission::new(self.at.nest.len());
        self.write_guards(&mut emission)?;
        self.expression(&mut emission, strip_parentheses(node))?;
        self.add_emission(emission, node.start_byte());
        self.add_split_changes(split)
    }

    /// The initialiser of a variable of the region, as an assignment.
    pub(crate) fn initializer(&mut self, variable: u32, value: Node<'t>) -> Result<(), Refusal> {
        if self.is_pointer(variable) {
            return self.set_pointer(variable, value);
        }
        if value.kind() == Kind::InitializerList
            || !self.variable(variable).declared.dimensions.is_empty()
                && !self.is_data_dependent(variable)
        {
            return Err(self
                .refuse(Code::Declaration, value, "an initialiser of an array or a structure")
                .with_reason("each element is set by a statement of its own in the model")
                .with_hint("assign the elements in statements"));
        }
        if self.variable(variable).declared.scalar.record.is_some() {
            self.out.whole_structures.insert(variable);
        }
        let mut emission = Emission::new(self.at.nest.len());
        self.write_guards(&mut emission)?;
        let kind = emission.write_kind();
        let is_address = self.is_data_dependent(variable);
        let variable = self.out.addresses().get(&variable).copied().unwrap_or(variable);
        emission.accesses.push(RawAccess::new(variable, kind, Vec::new(), value.start_byte()));
        emission.open(TermKind::Assignment(AssignmentOperator::Set));
        emission.pieces.push(RawPiece::Element { variable, subscripts: Vec::new() });
        emission.text(" = ");
        match is_address {
            true => self.term(&mut emission, value, |this, out| this.address_value(out, value))?,
            false => self.expression(&mut emission, value)?,
        }
        self.add_emission(emission, value.start_byte());
        Ok(())
    }

    /// Writes a `sizeof` whose value the region does not change; otherwise nothing.
    fn write_size(&mut self, out: &mut Emission, node: Node<'t>) -> bool {
        match self.size_text(node) {
            Some(text) => {
                out.gap(node);
                out.text(&text);
                true
            }
            None if self.is_size_of_outer(node) => {
                self.verbatim(out, node);
                true
            }
            None => false,
        }
    }

    /// An expression, as a term of the body.
    pub(crate) fn expression(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        if !node.is_named() || node.kind() == Kind::ArgumentList {
            return self.expression_text(out, node);
        }
        self.term(out, node, |this, out| this.expression_text(out, node))
    }

    /// A term of the kind that a node says, whose text a function writes.
    pub(crate) fn term(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        write: impl FnOnce(&mut Self, &mut Emission) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        out.open(self.term_kind(node));
        let result = write(self, out);
        out.close();
        result
    }

    /// The kind of term that a node is; opaque where its text and its parts say that.
    fn term_kind(&self, node: Node<'t>) -> TermKind {
        let symbol = node.field(Field::Operator).map_or("", |operator| self.text(operator));
        let of_symbol = match node.kind() {
            Kind::BinaryExpression => BinaryOperator::of_symbol(symbol).map(TermKind::Binary),
            Kind::UnaryExpression => UnaryOperator::of_symbol(symbol).map(TermKind::Unary),
            Kind::AssignmentExpression => {
                AssignmentOperator::of_symbol(symbol).map(TermKind::Assignment)
            }
            Kind::UpdateExpression
                if children(node).next().is_some_and(|first| first.is_named()) =>
            {
                PostfixOperator::of_symbol(symbol).map(TermKind::Postfix)
            }
            Kind::UpdateExpression => UnaryOperator::of_symbol(symbol).map(TermKind::Unary),
            Kind::CommaExpression => Some(TermKind::Binary(BinaryOperator::Comma)),
            Kind::ConditionalExpression => Some(TermKind::Conditional),
            Kind::ParenthesizedExpression => Some(TermKind::Parenthesized),
            Kind::CallExpression => Some(TermKind::Call),
            Kind::CastExpression => {
                let target = node.field(Field::Type);
                let target = target.filter(|target| target.field(Field::Declarator).is_none());
                let of = |target| self.scopes.types.base_type(self.facts.source, target).scalar;
                Some(TermKind::Cast(target.and_then(|target| of(target).of_numbers())))
            }
            Kind::ExpressionStatement => Some(TermKind::Statement),
            Kind::CompoundStatement => Some(TermKind::Block),
            Kind::IfStatement => Some(TermKind::If),
            _ => None,
        };
        of_symbol.unwrap_or(TermKind::Opaque)
    }

    fn expression_text(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        match node.kind() {
            Kind::Identifier | Kind::BinaryExpression if self.write_null_test(out, node) => Ok(()),
            Kind::Identifier => self.reference(out, node, Role::Read),
            Kind::SubscriptExpression | Kind::PointerExpression | Kind::FieldExpression => {
                self.reference(out, node, Role::Read)
            }
            Kind::AssignmentExpression | Kind::UpdateExpression => {
                match self.values.side_values.get(&node.id()).cloned() {
                    Some((variable, value)) => {
                        out.gap(node);
                        self.write_value(out, variable, &value);
                        Ok(())
                    }
                    None => self.change(out, node),
                }
            }
            Kind::ConditionalExpression
            | Kind::BinaryExpression
            | Kind::UnaryExpression
            | Kind::ParenthesizedExpression
            | Kind::CommaExpression
            | Kind::ArgumentList => {
                if self.data_dependent_comparison(out, node)?
                    || self.iterator_expression(out, node)
                    || self.written_distance(out, node)?
                    || self.conditional_changes(out, node)?
                {
                    return Ok(());
                }
                self.operands(out, node)
            }
            Kind::ExtensionExpression => match named_children(node).last() {
                Some(inner) => self.expression(out, inner),
                None => Ok(()),
            },
            Kind::CastExpression => self.cast(out, node),
            Kind::CallExpression => self.call(out, node),
            Kind::SizeofExpression if self.write_size(out, node) => Ok(()),
            Kind::NumberLiteral
            | Kind::CharLiteral
            | Kind::StringLiteral
            | Kind::True
            | Kind::False => {
                self.verbatim(out, node);
                Ok(())
            }
            _ if !node.is_named() => {
                self.verbatim(out, node);
                Ok(())
            }
            _ => {
                if let Some(refusal) = self.refuse_assertion(node) {
                    return Err(refusal);
                }
                let is_statements = node.kind() == Kind::CompoundStatement;
                let node = node.parent().filter(|_| is_statements).unwrap_or(node);
                let text = self.quoted(node);
                let message = format!("this expression is not supported in a region: `{text}`");
                Err(self.refuse(Code::UnsupportedExpression, node, message).with_reason(
                    match is_statements {
                        true => "statements inside of an expression have no order in the model",
                        false => "what it reads and writes is not known",
                    },
                ))
            }
        }
    }

    /// A refusal of what the macro `assert` stands for, if a node is part of that.
    fn refuse_assertion(&self, node: Node<'t>) -> Option<Refusal> {
        let mut statement = node;
        while statement.kind() != Kind::ExpressionStatement {
            statement = statement.parent()?;
        }
        let functions = ["__assert_fail", "__assert_rtn", "__assert_func"];
        let is_assertion = functions.iter().any(|name| self.text(statement).contains(name));
        is_assertion.then(|| {
            self.refuse(Code::Call, statement, "an assertion")
                .with_reason("the program does not go on after it if it fails")
                .with_hint(
                    "pass -D NDEBUG, which leaves assertions out, or check before the region",
                )
        })
    }

    /// Copies a node's text.
    pub(crate) fn verbatim(&self, out: &mut Emission, node: Node<'t>) {
        out.gap(node);
        if node.kind() == Kind::StringLiteral {
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
            if matches!(child.kind(), token!("?") | token!("&&") | token!("||") | token!(":")) {
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
        let mark = self.out.mark();
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
                self.out.back_to(mark);
                false
            }
        }
    }

    /// The difference of two pointers, as a number; whether an expression is one.
    fn written_distance(&mut self, out: &mut Emission, node: Node<'t>) -> Result<bool, Refusal> {
        let parts =
            self.binary_parts(node).ok().filter(|(_, operator, _)| *operator == token!("-"));
        let Some((left, _, right)) = parts else { return Ok(false) };
        self.at.purpose = crate::walk::walk_context::Purpose::Subscript;
        let Some(distance) = self.pointer_distance(left, right)? else { return Ok(false) };
        if self.is_inner(out, &distance) || self.is_product(&distance) {
            return Err(self.not_affine(node, "the pointers are not known before the statement"));
        }
        out.gap(node);
        out.open(TermKind::Cast(scop::ScalarType::of_name("long")));
        out.text("(long)");
        out.pieces.push(RawPiece::Expression(distance));
        out.close();
        Ok(true)
    }

    /// Whether an expression has only iterators, numbers and `+ - *`.
    fn is_iterator_expression(&self, node: Node<'t>) -> bool {
        let mut only = true;
        visit(node, |n, _| {
            only &= match n.kind() {
                Kind::BinaryExpression
                | Kind::UnaryExpression
                | Kind::ParenthesizedExpression
                | token!("(")
                | token!(")")
                | token!("+")
                | token!("-")
                | token!("*") => true,
                Kind::NumberLiteral => {
                    crate::syntax::queries::integer_literal(self.text(n)).is_some()
                }
                Kind::Identifier => match self.scopes.lookup(self.text(n)) {
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
        let target = node.field(Field::Type);
        if target.is_some_and(|t| t.field(Field::Declarator).is_some()) {
            return Err(self
                .refuse(Code::Pointer, node, "a cast to a pointer in a region")
                .with_reason("which elements it leads to is not known"));
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

    /// An assignment, `++` or `--`.
    fn change(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let target = node.field(Field::Left).or(node.field(Field::Argument));
        let plain = node.operator() == Some(token!("="));
        let role = if plain { Role::Write } else { Role::Update };
        let is_address = plain && target.is_some_and(|t| self.data_dependent_name(t).is_some());
        for child in children(node) {
            if Some(child) == target {
                self.reference(out, child, role)?;
            } else if is_address && child.is_named() {
                self.term(out, child, |this, out| this.address_value(out, child))?;
            } else {
                self.expression(out, child)?;
            }
        }
        if out.tracks_assignments
            && let Some(name) =
                target.map(strip_parentheses).filter(|t| t.kind() == Kind::Identifier)
        {
            out.assigned.extend(self.resolve(name).ok());
        }
        Ok(())
    }
}
