//! Comparisons of pointers with null as conditions on a symbolic constant.
//!
//! `if (p)`, `if (p != NULL)` and `if (!p)` test a pointer that the region does not change (and no call in
//! it, if it is global), so whether it is null is known in front of it: a symbolic constant with the value of
//! `p != 0` says so, and the branches have instances where it is 1 or 0.
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::{DeclaredType, Dimension, ScalarType};
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::model::conditions::{Condition, Disjunction};
use crate::model::linear::{Linear, Symbol};
use crate::model::null_test::NullTest;
use crate::model::pieces::Pieces;
use crate::model::raw_model::RawPiece;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{strip_parentheses, text};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use loopwright_scop::{TermKind, UnaryOperator};

impl<'t> Extractor<'_, 't> {
    /// Where a comparison of a pointer with null holds (or, `negate`, does not hold); none of other
    /// conditions.
    pub(crate) fn null_condition(
        &mut self,
        node: Node<'t>,
        negate: bool,
    ) -> Option<Result<Disjunction, Refusal>> {
        let (pointer, is_set) = self.null_test(node)?;
        let Some(parameter) = self.null_parameter(pointer) else {
            let reason = format!("the region may change the pointer `{}`", self.text(pointer));
            return Some(Err(self.not_affine(node, reason)));
        };
        let form = Linear::symbol(Symbol::Parameter(parameter));
        // The constant is not negative.
        let form = match is_set != negate {
            true => form.add_constant(-1),
            false => form.scale(-1),
        };
        let holds = form.map(|form| Disjunction::single(Condition::nonnegative(form)));
        Some(self.check(node, holds))
    }

    /// Writes a comparison of a pointer with null inside of a statement; whether it is one.
    pub(crate) fn write_null_test(&mut self, out: &mut Emission, node: Node<'t>) -> bool {
        let found = self.null_test(node).filter(|(pointer, _)| *pointer != node || is_tested(node));
        let Some((pointer, is_set)) = found else { return false };
        let Some(parameter) = self.null_parameter(pointer) else { return false };
        out.gap(node);
        let value = Pieces::single(Linear::symbol(Symbol::Parameter(parameter)));
        if is_set {
            out.pieces.push(RawPiece::Expression(value));
        } else {
            out.open(TermKind::Unary(UnaryOperator::Not));
            out.text("!");
            out.pieces.push(RawPiece::Expression(value));
            out.close();
        }
        true
    }

    /// The pointer that a condition compares with null, and whether it holds where the pointer is not null.
    fn null_test(&self, node: Node<'t>) -> Option<(Node<'t>, bool)> {
        if self.is_named_pointer(node) {
            return Some((node, true));
        }
        let (left, operator, right) =
            self.binary_parts(node).ok().filter(|_| node.kind() == Kind::BinaryExpression)?;
        let is_set = match operator {
            token!("!=") => true,
            token!("==") => false,
            _ => return None,
        };
        let (left, right) = (strip_parentheses(left), strip_parentheses(right));
        let sides = [(left, right), (right, left)];
        let is_test = |(pointer, null): &(Node<'t>, Node<'t>)| {
            self.is_named_pointer(*pointer) && is_null(self.facts.source, *null)
        };
        let (pointer, _) = sides.into_iter().find(is_test)?;
        Some((pointer, is_set))
    }

    /// Whether an expression is the name of a pointer that nothing but its name in the file changes.
    fn is_named_pointer(&self, node: Node<'t>) -> bool {
        if node.kind() != Kind::Identifier {
            return false;
        }
        let name = self.text(node);
        let Some(Entity::Variable(variable)) = self.scopes.lookup(name) else { return false };
        let declared = self.variable(variable);
        let dimension = declared.declared.dimensions.first();
        let is_pointer = match declared.origin {
            Origin::Argument => dimension.is_some(),
            Origin::Region { .. } => false,
            _ => matches!(dimension, Some(Dimension::Pointer)),
        };
        let is_addressed = match declared.origin {
            Origin::Argument | Origin::Local { is_static: false } => {
                self.addressed_names(self.facts.root).contains(name)
            }
            _ => self.scopes.index.addresses.contains_key(name),
        };
        is_pointer && !is_addressed
    }

    /// The symbolic constant for a pointer that the region does not change.
    fn null_parameter(&mut self, pointer: Node<'t>) -> Option<u32> {
        let name = self.text(pointer);
        let is_elsewhere =
            !self.is_in_blocks() || !self.at.active_calls.is_empty() || self.at.inlined > 0;
        if is_elsewhere || !self.is_kept_name(name) {
            return None;
        }
        let known = self.out.null_tests().iter().find(|test| test.pointer == name);
        let known = known.map(|test| test.parameter);
        let parameter = known.unwrap_or_else(|| self.new_null_parameter(name));
        self.out.note_use(parameter, pointer.start_byte());
        Some(parameter)
    }

    fn new_null_parameter(&mut self, pointer: &str) -> u32 {
        let name = self.unused_parameter_name(format!("{pointer}_is_set"));
        let declared = DeclaredType::of_scalar(ScalarType::int());
        let origin = Origin::Local { is_static: false };
        let parameter = self.scopes.add_unnamed(name, declared, origin, None);
        self.out.symbols.nonnegative_parameters.push(parameter);
        self.out.add_null_test(NullTest { parameter, pointer: pointer.to_string() });
        parameter
    }
}

/// Whether only matters of the value of an expression whether it is 0.
pub(crate) fn is_tested(node: Node<'_>) -> bool {
    let mut node = node;
    loop {
        let Some(parent) = node.parent() else { return false };
        let condition = parent.field(Field::Condition);
        let operator = parent.operator();
        match parent.kind() {
            _ if condition.is_some_and(|c| c.id() == node.id()) => return true,
            Kind::ParenthesizedExpression => node = parent,
            Kind::UnaryExpression => return operator == Some(token!("!")),
            Kind::BinaryExpression => return matches!(operator, Some(token!("&&") | token!("||"))),
            _ => return false,
        }
    }
}

/// Whether an expression is a null pointer, or 0.
pub(crate) fn is_null(source: &str, node: Node<'_>) -> bool {
    let node = strip_parentheses(node);
    match node.kind() {
        Kind::Null => true,
        Kind::NumberLiteral => text(source, node) == "0",
        Kind::CastExpression => {
            let target = node.field(Field::Type);
            let is_pointer = target.is_some_and(|t| t.field(Field::Declarator).is_some());
            let value = node.field(Field::Value);
            is_pointer && value.is_some_and(|value| is_null(source, value))
        }
        _ => false,
    }
}
