//! Conversions between integer types (C11 6.3.1): values that change are not taken for those that they were.
//!
//! A value is kept where its type, the bounds of its symbols or the conditions around prove that the other
//! type has it. In other cases a conversion to less than an `int` is modelled as it is, modulo the number of
//! values. A conversion to a wider type rarely changes a value where the program is right: that it does not
//! is checked in front of the region ([`Extractor::need_nonnegative`]), since forms of it without remainders
//! make better loops.
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::ScalarType;
use crate::facts::integer_type::IntegerType;
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::value::Value;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::walk_context::Purpose;

/// Bits of 64-bit constants that are taken modulo numbers of up to 16 bits: products of both stay in 64 bits.
const WIDE_BITS: u32 = 40;

/// How far an `int` that is taken modulo a number stays away from the limits of its type.
const NARROW_ROOM: i64 = 1 << 20;

impl<'t> Extractor<'_, 't> {
    /// A value as one of a type that it is cast to or assigned to.
    pub(crate) fn converted_to(
        &mut self,
        node: Node<'t>,
        value: Value,
        scalar: &ScalarType,
    ) -> Result<Value, Refusal> {
        if scalar.is_truth_value() {
            let is_set =
                self.compare(&value.pieces, crate::model::comparison::Comparison::NotEqual);
            let is_set = self.check(node, is_set)?;
            let pieces = self.check(node, Pieces::truth(&is_set))?;
            return Ok(Value { pieces, integer_type: IntegerType::of(scalar) });
        }
        let target = IntegerType::of(scalar);
        // Whether plain `char` has a sign is a choice of the compiler: it has what both kinds have.
        let is_open = target.bytes == 1 && !scalar.has_sign() && value.integer_type != target;
        if is_open && !self.fits(&value.pieces, (0, i8::MAX.into())) {
            let wanted = (0, i8::MAX.into());
            self.need_range(node, &value.pieces, wanted)?;
            return Ok(Value { pieces: value.pieces, integer_type: target });
        }
        self.converted(node, value, target)
    }

    /// The value that a loop starts with as one of its iterator's type. A loop that starts elsewhere by a
    /// conversion to less than an `int` would run over all values of that type in the model, so that it is
    /// checked that the value stays.
    pub(crate) fn converted_start(
        &mut self,
        start: Node<'t>,
        value: Value,
        scalar: &ScalarType,
    ) -> Result<Value, Refusal> {
        let target = IntegerType::of(scalar);
        let range = (target.least(), target.greatest());
        let is_narrow = target.bytes < 4 && !scalar.is_truth_value();
        let changes =
            !target.has_all_of(value.integer_type) && value.pieces.as_constant().is_none();
        if is_narrow && changes && self.tried_range(start, &value.pieces, range).is_ok() {
            self.need_range(start, &value.pieces, range)?;
            return Ok(Value { pieces: value.pieces, integer_type: target });
        }
        self.converted_to(start, value, scalar)
    }

    /// A value as one of an integer type.
    pub(crate) fn converted(
        &mut self,
        node: Node<'t>,
        value: Value,
        target: IntegerType,
    ) -> Result<Value, Refusal> {
        let Value { pieces, integer_type } = value;
        let range = (target.least(), target.greatest());
        if target.has_all_of(integer_type) || self.fits(&pieces, range) {
            return Ok(Value { pieces, integer_type: target });
        }
        let is_wrapped = pieces.as_constant().is_some() && target.bytes < 8
            || target.bytes < 4
            || target.bytes < integer_type.bytes && self.tried_range(node, &pieces, range).is_err();
        if !is_wrapped {
            self.need_range(node, &pieces, range)?;
            return Ok(Value { pieces, integer_type: target });
        }
        self.need_room(node, &pieces)?;
        let symbols = &mut self.out.symbols;
        let wrapped = pieces.flat_map(|l| Ok(Pieces::single(symbols.wrapped(l, target.range())?)));
        let pieces = self.check(node, wrapped)?;
        Ok(Value { pieces, integer_type: target })
    }

    /// The operands of an operator after the usual arithmetic conversions.
    pub(crate) fn usual_operands(
        &mut self,
        (left, a): (Node<'t>, Value),
        (right, b): (Node<'t>, Value),
    ) -> Result<(Value, Value), Refusal> {
        let common = a.integer_type.common(b.integer_type);
        Ok((self.converted(left, a, common)?, self.converted(right, b, common)?))
    }

    /// Records that a symbolic constant of an unsigned type of 64 bits has a value that the signed one has,
    /// which generated loops compute in.
    ///
    /// A loop that runs up to it alone would not end otherwise, and no array has so many elements.
    pub(crate) fn need_signed_value(
        &mut self,
        node: Node<'t>,
        variable: u32,
        integer_type: IntegerType,
    ) -> Result<(), Refusal> {
        let is_small = integer_type.signed || integer_type.bytes < 8;
        let is_bounded = matches!(self.at.purpose, Purpose::Subscript | Purpose::Extent)
            && self.is_bounded_by_result(node);
        if is_small || is_bounded || self.at.plain_bound == Some(node.id()) {
            return Ok(());
        }
        let room = Linear::constant(i64::MAX).sub(&Linear::symbol(Symbol::Parameter(variable)));
        let room = self.check(node, room)?;
        let reason = format!("`{}` is a value of generated loops", self.quoted(node));
        self.need_nonnegative(node, (&Vec::new(), room), reason)
    }

    /// Records that symbolic constants in a value that is taken modulo a number are not near the limits of
    /// their types: generated expressions add that number to them, and multiply them with it.
    fn need_room(&mut self, node: Node<'t>, pieces: &Pieces) -> Result<(), Refusal> {
        for parameter in self.parameters_of(pieces) {
            let of = IntegerType::of(&self.variable(parameter).declared.scalar);
            let most = match of.bytes {
                8 => 1 << WIDE_BITS,
                4 if of.signed => i64::from(i32::MAX) - NARROW_ROOM,
                _ => continue,
            };
            let value = Linear::symbol(Symbol::Parameter(parameter));
            let name = self.variable(parameter).name.clone();
            let reason = format!("`{name}` is not near the limits of its type");
            if of.signed {
                let above = self.check(node, value.add_constant(most))?;
                self.need_nonnegative(node, (&Vec::new(), above), reason.clone())?;
            }
            let below = self.check(node, Linear::constant(most).sub(&value))?;
            self.need_nonnegative(node, (&Vec::new(), below), reason)?;
        }
        Ok(())
    }

    /// Whether what an operand is part of is only small if the operand is: sums and products, not
    /// comparisons, remainders and conversions to less.
    fn is_bounded_by_result(&self, operand: Node<'t>) -> bool {
        let mut node = operand;
        while let Some(parent) = node.parent() {
            let goes_on = match parent.kind() {
                Kind::ParenthesizedExpression => true,
                Kind::BinaryExpression => {
                    matches!(parent.operator(), Some(token!("+") | token!("-") | token!("*")))
                }
                Kind::UnaryExpression => {
                    matches!(parent.operator(), Some(token!("+") | token!("-")))
                }
                Kind::ConditionalExpression => {
                    parent.field(Field::Condition).is_none_or(|c| c.id() != node.id())
                }
                Kind::CastExpression => parent.field(Field::Type).is_some_and(|target| {
                    let scalar = self.scopes.types.base_type(self.facts.source, target).scalar;
                    !scalar.is_truth_value() && IntegerType::of(&scalar).bytes >= 8
                }),
                _ => return true,
            };
            if !goes_on {
                return false;
            }
            node = parent;
        }
        true
    }

    /// Whether a value is known to be in a range.
    fn fits(&self, pieces: &Pieces, range: (i64, i64)) -> bool {
        pieces.0.iter().all(|(_, linear)| {
            self.is_at_least(linear, range.0) && self.is_at_most(linear, range.1)
        })
    }

    fn is_at_least(&self, linear: &Linear, least: i64) -> bool {
        self.least(linear).is_some_and(|value| value >= least)
            || self.out.symbols.lower(linear).is_some_and(|value| value >= least)
            || least == 0 && self.is_nonnegative_here(linear)
    }

    fn is_at_most(&self, linear: &Linear, most: i64) -> bool {
        self.greatest(linear).is_some_and(|value| value <= most)
            || self.out.symbols.upper(linear).is_some_and(|value| value <= most)
            || (linear.terms.iter().any(|(symbol, _)| matches!(symbol, Symbol::Iterator(_)))
                && Linear::constant(most)
                    .sub(linear)
                    .is_ok_and(|room| self.is_nonnegative_here(&room)))
    }

    /// Records that a value has to be in a range; nothing is recorded if that can never be checked.
    fn tried_range(
        &mut self,
        node: Node<'t>,
        pieces: &Pieces,
        range: (i64, i64),
    ) -> Result<(), Refusal> {
        let mark = self.out.mark();
        let tried = self.need_range(node, pieces, range);
        self.out.back_to(mark);
        tried
    }

    /// Records that a value has to be in a range, as far as this is not known.
    fn need_range(
        &mut self,
        node: Node<'t>,
        pieces: &Pieces,
        (least, most): (i64, i64),
    ) -> Result<(), Refusal> {
        let reason = format!("the conversion of `{}` keeps its value", self.quoted(node));
        for (case, linear) in &pieces.0 {
            if !self.is_at_least(linear, least) {
                let above = self.check(node, linear.sub(&Linear::constant(least)))?;
                self.need_nonnegative(node, (case, above), reason.clone())?;
            }
            if !self.is_at_most(linear, most) {
                let below = self.check(node, Linear::constant(most).sub(linear))?;
                self.need_nonnegative(node, (case, below), reason.clone())?;
            }
        }
        Ok(())
    }
}
