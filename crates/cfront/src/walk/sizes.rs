//! `sizeof` as an integer constant: of scalar types, and of variables and elements with constant extents.
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::{DeclaredType, Dimension};
use crate::facts::integer_type::IntegerType;
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::model::linear::Linear;
use crate::model::pieces::Pieces;
use crate::model::value::Value;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::strip_parentheses;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;

/// What a pointer takes.
const POINTER_BYTES: i64 = 8;

impl<'t> Extractor<'_, 't> {
    /// The value of a `sizeof` expression.
    pub(crate) fn size_value(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let size = match node.field(Field::Type) {
            Some(named) => self.size_of_type(named),
            None => node.field(Field::Value).and_then(|value| self.size_of_value(value)),
        };
        let Some(size) = size else {
            return Err(self.not_affine(node, "the size is not known"));
        };
        let pieces = Pieces::single(Linear::constant(size));
        Ok(Value { pieces, integer_type: IntegerType { bytes: 8, signed: false } })
    }

    fn size_of_type(&self, node: Node<'t>) -> Option<i64> {
        let declared = self.scopes.types.base_type(self.facts.source, node);
        match node.field(Field::Declarator) {
            Some(pointer) if pointer.kind() == Kind::AbstractPointerDeclarator => {
                Some(POINTER_BYTES)
            }
            Some(_) => None,
            None => self.size_of(&declared, 0),
        }
    }

    /// The size of a type without its outermost dimensions.
    fn size_of(&self, declared: &DeclaredType<'t>, n_left_out: usize) -> Option<i64> {
        let mut size = i64::try_from(declared.scalar.bytes?).ok()?;
        if declared.scalar.record.is_some() {
            return None;
        }
        for dimension in declared.dimensions.get(n_left_out..)?.iter().rev() {
            size = match dimension {
                Dimension::Pointer => POINTER_BYTES,
                Dimension::Extent(extent) => {
                    size.checked_mul(self.scopes.constant(self.facts.source, *extent, 0)?)?
                }
                Dimension::Unknown => return None,
            };
        }
        Some(size)
    }

    /// The size of a variable or an element of one; an array that is a parameter is a pointer.
    fn size_of_value(&self, node: Node<'t>) -> Option<i64> {
        let (mut node, mut n_subscripts) = (strip_parentheses(node), 0);
        loop {
            let is_element = node.kind() == Kind::SubscriptExpression
                || node.kind() == Kind::PointerExpression && node.operator() == Some(token!("*"));
            if !is_element {
                break;
            }
            node = strip_parentheses(node.field(Field::Argument)?);
            n_subscripts += 1;
        }
        let is_name = node.kind() == Kind::Identifier;
        match self.scopes.lookup(Some(self.text(node)).filter(|_| is_name)?)? {
            Entity::Variable(variable) => {
                let variable = self.variable(variable);
                let is_parameter = variable.origin == Origin::Argument;
                match n_subscripts == 0 && is_parameter && !variable.declared.dimensions.is_empty()
                {
                    true => Some(POINTER_BYTES),
                    false => self.size_of(&variable.declared, n_subscripts),
                }
            }
            Entity::Constant(_) => Some(4),
            Entity::Function => None,
        }
    }

    /// A `sizeof` in the text of a statement: copied, or its value if it names a variable of the region.
    pub(crate) fn size_text(&mut self, node: Node<'t>) -> Option<String> {
        let mut names_own = false;
        crate::syntax::queries::visit(node, |n, _| {
            names_own |= n.kind() == Kind::Identifier
                && self.resolve(n).is_ok_and(|variable| self.variable(variable).in_region());
            true
        });
        match names_own {
            false => Some(self.flat_text(node).into_owned()),
            true => {
                let size = node.field(Field::Value).and_then(|v| self.size_of_value(v))?;
                Some(format!("{size}ul"))
            }
        }
    }
}
