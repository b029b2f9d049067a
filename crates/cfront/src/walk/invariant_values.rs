//! Integer expressions without an affine form that the region does not change: `n * m`, `n / block`,
//! `1 << level`.
//!
//! Such an expression is a symbolic constant, computed once in front of the region as the region would
//! compute it: `int n_m = n * m;`. What it is made of are names that keep their values, numbers, and integers
//! in memory that are symbolic constants. It may overflow, or divide by zero, where the region never gets to
//! it, so the condition under which the region evaluates it guards it (`finish/read_guards.rs`), or else it
//! is none. In subscripts products are strides first (`arrays/delinearization.rs`).
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::{DeclaredType, ScalarType};
use crate::facts::integer_type::IntegerType;
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::model::linear::{Linear, Symbol};
use crate::model::memory_parameter::LoadedConstant;
use crate::model::pieces::Pieces;
use crate::model::value::Value;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::strip_parentheses;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::walk_context::Purpose;
use loopwright_scop::ElementKind;

impl<'t> Extractor<'_, 't> {
    /// The value of an expression that the region does not change, if it has one in front of the region;
    /// otherwise why it has no affine form.
    pub(crate) fn or_invariant(
        &mut self,
        node: Node<'t>,
        found: Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        match found {
            Err(refusal)
                if matches!(
                    refusal.0.code,
                    Code::NonAffineCondition | Code::NonAffineSubscript
                ) =>
            {
                self.invariant_value(node).ok_or(refusal)
            }
            other => other,
        }
    }

    fn invariant_value(&mut self, node: Node<'t>) -> Option<Value> {
        let is_elsewhere =
            !self.is_in_blocks() || !self.at.active_calls.is_empty() || self.at.inlined > 0;
        if self.at.purpose == Purpose::Extent || is_elsewhere {
            return None;
        }
        let mut used = Vec::new();
        let mark = self.out.mark();
        let integer_type = self.invariant_type(node, &mut used).filter(|t| t.bytes <= 8);
        let found = integer_type.and_then(|found| Some((found, self.evaluated_where(node)?)));
        let Some((integer_type, guard)) = found else {
            self.out.back_to(mark);
            return None;
        };
        let text = self.flat_text(node).into_owned();
        let parameter = self.invariant_parameter(node, (text, guard), integer_type);
        used.into_iter().for_each(|variable| self.out.note_use(variable, node.start_byte()));
        self.out.note_use(parameter, node.start_byte());
        if !integer_type.signed && !self.out.symbols.nonnegative_parameters.contains(&parameter) {
            self.out.symbols.nonnegative_parameters.push(parameter);
        }
        let pieces = Pieces::single(Linear::symbol(Symbol::Parameter(parameter)));
        Some(Value { pieces, integer_type })
    }

    /// The symbolic constant for a text that is computed where a guard holds.
    fn invariant_parameter(
        &mut self,
        node: Node<'t>,
        (text, guard): (String, String),
        integer_type: IntegerType,
    ) -> u32 {
        let is_same = |l: &&mut LoadedConstant| l.variable == l.parameter && l.text == text;
        if let Some(known) = self.out.loaded.iter_mut().find(is_same) {
            if guard.is_empty() {
                known.guards.clear();
            } else if !known.guards.is_empty() && !known.guards.contains(&guard) {
                known.guards.push(guard);
            }
            return known.parameter;
        }
        let name = self.new_parameter_name(node);
        let declared = DeclaredType::of_scalar(scalar_of(integer_type));
        let origin = Origin::Local { is_static: false };
        let parameter = self.scopes.add_unnamed(name, declared, origin, None);
        let guards = Some(guard).filter(|guard| !guard.is_empty()).into_iter().collect();
        let (variable, subscripts) = (parameter, Vec::new());
        self.out.loaded.push(LoadedConstant { parameter, variable, subscripts, text, guards });
        parameter
    }

    /// The type of an expression that has the same value in front of the region, with the variables that it
    /// uses; none if something in it may change.
    fn invariant_type(&mut self, node: Node<'t>, used: &mut Vec<u32>) -> Option<IntegerType> {
        let node = strip_parentheses(node);
        match node.kind() {
            Kind::NumberLiteral => Some(self.value(node).ok()?.integer_type),
            Kind::Identifier => self.invariant_name(node, used),
            Kind::BinaryExpression => {
                let (left, operator, right) = self.binary_parts(node).ok()?;
                let a = self.invariant_type(left, used)?;
                let b = self.invariant_type(right, used)?;
                match operator {
                    token!("<<") | token!(">>") => Some(a.promoted()),
                    token!("+")
                    | token!("-")
                    | token!("*")
                    | token!("/")
                    | token!("%")
                    | token!("&")
                    | token!("|")
                    | token!("^") => Some(a.common(b)),
                    _ => None,
                }
            }
            Kind::UnaryExpression => {
                let operand = self.invariant_type(node.field(Field::Argument)?, used)?;
                matches!(node.operator()?, token!("-") | token!("+") | token!("~"))
                    .then(|| operand.promoted())
            }
            Kind::SubscriptExpression | Kind::PointerExpression | Kind::FieldExpression => {
                let value = self.value(node).ok()?;
                let [(Symbol::Parameter(constant), 1)] = value.pieces.as_linear()?.terms[..] else {
                    return None;
                };
                used.push(constant);
                Some(value.integer_type)
            }
            _ => None,
        }
    }

    fn invariant_name(&self, node: Node<'t>, used: &mut Vec<u32>) -> Option<IntegerType> {
        let name = self.text(node);
        if !self.is_kept_name(name) {
            return None;
        }
        match self.scopes.lookup(name)? {
            Entity::Constant(_) => Some(IntegerType::INT),
            Entity::Variable(variable) => {
                let declared = &self.variable(variable).declared;
                let is_plain = declared.dimensions.is_empty() && declared.scalar.is_integer();
                let integer_type = Some(IntegerType::of(&declared.scalar)).filter(|_| is_plain)?;
                used.push(variable);
                Some(integer_type)
            }
            Entity::Function => None,
        }
    }
}

/// A type that C computes in.
fn scalar_of(integer_type: IntegerType) -> ScalarType {
    let (spelling, kind) = match (integer_type.bytes > 4, integer_type.signed) {
        (false, true) => ("int", ElementKind::Signed),
        (false, false) => ("unsigned int", ElementKind::Unsigned),
        (true, true) => ("long", ElementKind::Signed),
        (true, false) => ("unsigned long", ElementKind::Unsigned),
    };
    ScalarType::new(spelling, kind, integer_type.bytes.max(4))
}
