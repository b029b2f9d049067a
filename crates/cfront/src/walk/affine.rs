//! Integer expressions and conditions of C as piecewise quasi-affine forms.
//!
//! Handled are `+ - *` (one factor constant), `/` and `%` by constants with C's rounding towards
//! zero, shifts by constants, `& (2^k - 1)`, comparisons, `! && ||`, `?:` and casts between integer
//! types that keep the value. Where C computes in an unsigned type the form is only right if
//! nothing wraps around: what the known bounds of the symbols do not prove is recorded as an
//! assumption of the region, what they disprove is refused.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::integer_type::IntegerType;
use crate::facts::scope::Entity;
use crate::model::comparison::Comparison;
use crate::model::conditions::{Conjunction, Disjunction};
use crate::model::linear::{Limit, Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::value::Value;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{integer_literal, named_children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::walk_context::Purpose;

impl<'t> Extractor<'_, 't> {
    /// The form of an integer expression.
    pub(crate) fn value(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let node = strip_parentheses(node);
        self.check_depth(node)?;
        match node.kind() {
            Kind::NumberLiteral | Kind::CharLiteral => self.literal(node),
            Kind::True | Kind::False => Ok(constant(i64::from(node.kind() == Kind::True))),
            Kind::Identifier => self.name_value(node),
            Kind::UnaryExpression => self.unary_value(node),
            Kind::BinaryExpression => {
                let mark = self.out.mark();
                let found = self.binary_value(node);
                if found.is_err() {
                    self.out.back_to(mark);
                }
                self.or_invariant(node, found)
            }
            Kind::ConditionalExpression => self.conditional_value(node),
            Kind::CastExpression => self.cast_value(node),
            Kind::SubscriptExpression | Kind::PointerExpression | Kind::FieldExpression
                if self.at.reads_values || !self.facts.knows_values =>
            {
                self.element_read(node)
            }
            Kind::SubscriptExpression | Kind::PointerExpression | Kind::FieldExpression => {
                self.loaded_value(node)
            }
            Kind::CallExpression => self.call_value(node),
            Kind::SizeofExpression => self.size_value(node),
            Kind::AssignmentExpression | Kind::UpdateExpression => {
                self.side_value(node).ok_or_else(|| self.not_affine(node, "it changes a variable"))
            }
            _ => Err(self.not_affine(node, "this kind of expression has no affine form")),
        }
    }

    fn literal(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let Some((value, suffix)) = integer_literal(self.text(node)) else {
            return Err(self.not_affine(node, "it is not an integer constant"));
        };
        let is_decimal = !self.text(node).trim_start_matches(['-', '+']).starts_with('0');
        // A constant in another notation is unsigned where it is no `int` (C11 6.4.4.1, paragraph 5).
        let is_word = u32::try_from(value.unsigned_abs()).is_ok() && !suffix.contains('l');
        let wraps = i32::try_from(value.unsigned_abs()).is_err() && !is_decimal && is_word;
        if wraps && value < 0 {
            return Err(self.not_affine(node, "an unsigned value wraps around here"));
        }
        let unsigned = suffix.contains('u') || wraps;
        let long = suffix.contains('l') || i32::try_from(value).is_err() && !(unsigned && is_word);
        let integer_type = IntegerType { bytes: if long { 8 } else { 4 }, signed: !unsigned };
        self.arithmetic(node, Pieces::single(Linear::constant(value)), integer_type)
    }

    fn name_value(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let name = self.text(node);
        let variable = match self.scopes.lookup(name) {
            Some(Entity::Variable(variable)) => variable,
            Some(Entity::Constant(value)) => return Ok(constant(value)),
            Some(Entity::Function) => return Err(self.not_affine(node, "it is a function")),
            None => return Err(self.unknown_name(node)),
        };
        let declared = self.variable(variable);
        if !declared.is_integer() {
            return Err(self
                .not_affine(node, format!("`{name}` is not an integer variable"))
                .with_hint("convert it to an integer variable before the region"));
        }
        if let Some(oddity) = declared.declared.oddity {
            return Err(self.not_affine(node, format!("`{name}` {}", oddity.said())));
        }
        let integer_type = IntegerType::of(&declared.declared.scalar);
        if let Some(pieces) = self.known_value(variable, node.start_byte()) {
            for parameter in self.parameters_of(&pieces) {
                let of = IntegerType::of(&self.variable(parameter).declared.scalar);
                self.need_signed_value(node, parameter, of)?;
            }
            return Ok(Value { pieces: self.without_products(node, pieces)?, integer_type });
        }
        let declared = self.variable(variable);
        if let Some(value) = declared.constant {
            return Ok(Value { pieces: Pieces::single(Linear::constant(value)), integer_type });
        }
        let in_region = declared.in_region();
        let symbol = match self.active_loop(variable) {
            Some(index) => Symbol::Iterator(index),
            None if self.at.reads_values && (in_region || self.is_changed_name(name)) => {
                return self.value_read(node, variable, integer_type);
            }
            None if in_region => {
                return Err(self
                    .not_affine(node, format!("`{name}` is a variable of the region"))
                    .with_hint("use an iterator or a variable that the region does not change"));
            }
            None if self.at.purpose != Purpose::Extent && self.is_changed_name(name) => {
                return Err(self
                    .not_affine(node, format!("the region changes `{name}`"))
                    .with_hint(
                        "copy it to another variable before the region, if that value is meant",
                    ));
            }
            None => {
                self.out.note_use(variable, node.start_byte());
                if !integer_type.signed
                    && !self.out.symbols.nonnegative_parameters.contains(&variable)
                {
                    self.out.symbols.nonnegative_parameters.push(variable);
                }
                if let Some(value) = self.known_number(name, Some(variable), variable) {
                    let pieces = Pieces::single(Linear::constant(value));
                    return Ok(Value { pieces, integer_type });
                }
                self.need_signed_value(node, variable, integer_type)?;
                Symbol::Parameter(variable)
            }
        };
        Ok(Value { pieces: Pieces::single(Linear::symbol(symbol)), integer_type })
    }

    fn unary_value(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let (Some(operator), Some(argument)) = (node.operator(), node.field(Field::Argument))
        else {
            return Err(self.not_affine(node, "it is incomplete"));
        };
        match operator {
            token!("!") => self.truth_value(node),
            token!("+") => self.value(argument),
            token!("-") => {
                let value = self.value(argument)?;
                let pieces = self.check(node, negate(&value.pieces))?;
                self.arithmetic(node, pieces, value.integer_type.promoted())
            }
            token!("~") => {
                let value = self.value(argument)?;
                let promoted = value.integer_type.promoted();
                // What is unsigned has its distance to the greatest value.
                let last =
                    if promoted.signed || promoted.bytes > 4 { -1 } else { promoted.greatest() };
                let flipped = negate(&value.pieces)
                    .and_then(|p| p.flat_map(|l| Ok(Pieces::single(l.add_constant(last)?))));
                let pieces = self.check(node, flipped)?;
                self.arithmetic(node, pieces, promoted)
            }
            _ => Err(self.not_affine(node, "this operator has no affine form")),
        }
    }

    fn binary_value(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let (left, operator, right) = self.binary_parts(node)?;
        if matches!(operator, token!("&&") | token!("||")) || Comparison::of(operator).is_some() {
            return self.truth_value(node);
        }
        if operator == token!("-")
            && let Some(pieces) = self.pointer_distance(left, right)?
        {
            return Ok(Value { pieces, integer_type: IntegerType { bytes: 8, signed: true } });
        }
        let (mut a, mut b) = (self.value(left)?, self.value(right)?);
        let shift = matches!(operator, token!("<<") | token!(">>"));
        let integer_type =
            if shift { a.integer_type.promoted() } else { a.integer_type.common(b.integer_type) };
        // Sums and products are the same modulo the number of values, whatever the operands are taken for.
        if matches!(operator, token!("/") | token!("%")) {
            (a, b) = self.usual_operands((left, a), (right, b))?;
        }
        let pieces = match operator {
            token!("+") => a.pieces.zip(&b.pieces, |x, y| x.add(y)),
            token!("-") => a.pieces.zip(&b.pieces, |x, y| x.sub(y)),
            token!("*") => match (a.pieces.as_constant(), b.pieces.as_constant()) {
                (Some(factor), _) => scale(&b.pieces, factor),
                (_, Some(factor)) => scale(&a.pieces, factor),
                _ => Ok(self.product_value(node, &a.pieces, &b.pieces, integer_type)?),
            },
            _ => self.by_constant(node, operator, &a.pieces, &b.pieces)?,
        };
        let pieces = self.check(node, pieces)?;
        self.arithmetic(node, pieces, integer_type)
    }

    /// A product of two values that are no constants: in subscripts, of a form and one over
    /// symbolic constants.
    fn product_value(
        &mut self,
        node: Node<'t>,
        a: &Pieces,
        b: &Pieces,
        integer_type: IntegerType,
    ) -> Result<Pieces, Refusal> {
        if self.at.purpose == Purpose::Subscript
            && let (Some(a), Some(b)) = (a.as_linear(), b.as_linear())
        {
            let product = self.product(a, b, integer_type.bytes > 4);
            if let Some(product) = self.check(node, product)? {
                return Ok(Pieces::single(product));
            }
        }
        Err(self
            .not_affine(node, "it is a product of two variables")
            .with_hint("a product that does not change can be computed before the region"))
    }

    /// The operators whose right operand must be a constant.
    fn by_constant(
        &mut self,
        node: Node<'t>,
        operator: Kind,
        a: &Pieces,
        b: &Pieces,
    ) -> Result<Result<Pieces, Limit>, Refusal> {
        let Some(right) = b.as_constant() else {
            let reason = format!("the right operand of `{operator}` is not a constant");
            return Err(self.not_affine(node, reason));
        };
        let risen = self.known_to_rise(operator, a);
        let symbols = &mut self.out.symbols;
        Ok(match operator {
            token!("/") | token!("%") if right == 0 => {
                return Err(self.not_affine(node, "it divides by zero"));
            }
            token!("/") if right > 0 => a.flat_map(|l| match risen.contains(l) {
                true => Ok(Pieces::single(symbols.floor(l, right)?)),
                false => symbols.truncated_quotient(l, right),
            }),
            token!("/") => a.flat_map(|l| symbols.truncated_quotient(l, right)),
            token!("%") => a.flat_map(|l| {
                let quotient = symbols.truncated_quotient(l, right)?;
                quotient.flat_map(|q| Ok(Pieces::single(l.add_scaled(-right, q)?)))
            }),
            token!("<<") if (0..62).contains(&right) => scale(a, 1 << right),
            token!(">>") if (0..62).contains(&right) => {
                a.flat_map(|l| Ok(Pieces::single(symbols.floor(l, 1 << right)?)))
            }
            token!("&") if (0..i64::MAX).contains(&right) && (right & (right + 1)) == 0 => a
                .flat_map(|l| {
                    let quotient = symbols.floor(l, right + 1)?;
                    Ok(Pieces::single(l.add_scaled(-(right + 1), &quotient)?))
                }),
            _ => {
                let reason = format!("the operator `{operator}` has no affine form");
                return Err(self.not_affine(node, reason));
            }
        })
    }

    /// The dividends that are not negative wherever the current place is reached, where quotients are to have
    /// few cases: C rounds those down.
    fn known_to_rise(&self, operator: Kind, dividend: &Pieces) -> Vec<Linear> {
        if !self.facts.folds_floors || operator != token!("/") {
            return Vec::new();
        }
        let forms = dividend.0.iter().map(|(_, form)| form);
        forms.filter(|form| self.is_nonnegative_here(form)).cloned().collect()
    }

    fn conditional_value(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let parts: Vec<_> = named_children(node).collect();
        let [condition, then, otherwise] = parts[..] else {
            return Err(self.not_affine(node, "it is incomplete"));
        };
        let condition = self.condition(condition, false)?;
        let (a, b) = (self.value(then)?, self.value(otherwise)?);
        let pieces = Pieces::select(&condition, &a.pieces, &b.pieces);
        let mut pieces = self.check(node, pieces)?;
        if self.facts.folds_floors {
            let folded = self.out.symbols.one_case(pieces);
            pieces = self.check(node, folded)?;
        }
        self.arithmetic(node, pieces, a.integer_type.common(b.integer_type))
    }

    fn cast_value(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let (Some(target), Some(argument)) = (node.field(Field::Type), node.field(Field::Value))
        else {
            return Err(self.not_affine(node, "it is incomplete"));
        };
        let declared = self.scopes.types.base_type(self.facts.source, target);
        let plain = target.field(Field::Declarator).is_none();
        if !plain || !declared.dimensions.is_empty() || !declared.scalar.is_integer() {
            return Err(self.not_affine(node, "the cast is not to an integer type"));
        }
        let value = self.value(argument)?;
        self.converted_to(node, value, &declared.scalar)
    }

    /// A condition as the value 1 or 0.
    fn truth_value(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let condition = self.condition(node, false)?;
        let pieces = self.check(node, Pieces::truth(&condition))?;
        Ok(Value { pieces, integer_type: IntegerType::INT })
    }

    /// Where a condition holds (or, `negate`, does not hold).
    pub(crate) fn condition(
        &mut self,
        node: Node<'t>,
        negate: bool,
    ) -> Result<Disjunction, Refusal> {
        let node = strip_parentheses(node);
        self.check_depth(node)?;
        if let Some(holds) = self.null_condition(node, negate) {
            return holds;
        }
        match node.kind() {
            Kind::UnaryExpression => {
                let inner = node.field(Field::Argument);
                if let (Some(token!("!")), Some(inner)) = (node.operator(), inner) {
                    return self.condition(inner, !negate);
                }
            }
            Kind::BinaryExpression => {
                let (left, operator, right) = self.binary_parts(node)?;
                if matches!(operator, token!("&&") | token!("||")) {
                    let a = self.condition(left, negate)?;
                    let b = self.condition(right, negate)?;
                    let both = (operator == token!("&&")) != negate;
                    return self.check(node, if both { a.and(&b) } else { a.or(b) });
                }
                if let Some(comparison) = Comparison::of(operator) {
                    let comparison = if negate { comparison.negated() } else { comparison };
                    let difference = self.difference(left, right)?;
                    return self.check(node, self.compare(&difference, comparison));
                }
            }
            _ => {}
        }
        let comparison = if negate { Comparison::Equal } else { Comparison::NotEqual };
        let value = self.value(node)?;
        self.check(node, self.compare(&value.pieces, comparison))
    }

    /// Where `value (comparison) 0` holds.
    pub(crate) fn compare(
        &self,
        value: &Pieces,
        comparison: Comparison,
    ) -> Result<Disjunction, Limit> {
        match comparison {
            Comparison::Less | Comparison::LessEqual => {
                value.bounded(true, |l| comparison.with_zero(l))
            }
            Comparison::Greater | Comparison::GreaterEqual => {
                value.bounded(false, |l| comparison.with_zero(l))
            }
            Comparison::Equal => value.satisfying(|l| comparison.with_zero(l)),
            // One of the two sides of zero may be out of reach.
            Comparison::NotEqual => value.satisfying(|l| {
                if self.out.symbols.lower(l).is_some_and(|lower| lower >= 0) {
                    Comparison::Greater.with_zero(l)
                } else if self.out.symbols.upper(l).is_some_and(|upper| upper <= 0) {
                    Comparison::Less.with_zero(l)
                } else {
                    comparison.with_zero(l)
                }
            }),
        }
    }

    /// The difference of the two sides of a comparison.
    pub(crate) fn difference(
        &mut self,
        left: Node<'t>,
        right: Node<'t>,
    ) -> Result<Pieces, Refusal> {
        if let Some(distance) = self.pointer_distance(left, right)? {
            return Ok(distance);
        }
        let (a, b) = (self.value(left)?, self.value(right)?);
        let (a, b) = self.usual_operands((left, a), (right, b))?;
        self.check(left, a.pieces.zip(&b.pieces, |x, y| x.sub(y)))
    }

    /// The two sides and the operator of a binary expression.
    pub(crate) fn binary_parts(
        &self,
        node: Node<'t>,
    ) -> Result<(Node<'t>, Kind, Node<'t>), Refusal> {
        match (node.field(Field::Left), node.operator(), node.field(Field::Right)) {
            (Some(left), Some(operator), Some(right)) => Ok((left, operator, right)),
            _ => Err(self.not_affine(node, "it is incomplete")),
        }
    }

    /// A result of the given type: notes or refuses what may wrap around.
    pub(crate) fn arithmetic(
        &mut self,
        node: Node<'t>,
        pieces: Pieces,
        integer_type: IntegerType,
    ) -> Result<Value, Refusal> {
        if !integer_type.signed {
            for (case, linear) in &pieces.0 {
                match self.out.symbols.lower(linear) {
                    Some(lower) if lower >= 0 => {}
                    Some(_) if is_bare(linear) => {
                        return Err(self
                            .not_affine(node, "a negative value is converted to an unsigned type")
                            .with_hint("use signed types for iterators and bounds"));
                    }
                    _ if self.is_nonnegative_here(linear) => {}
                    _ => self.need_no_wrap(node, case, Ok(linear.clone()))?,
                }
                if self.at.n_runs_on_symbols == 0 && !self.is_below_end(linear, integer_type) {
                    let room = Linear::constant(integer_type.greatest()).sub(linear);
                    self.need_no_wrap(node, case, room)?;
                }
            }
        }
        Ok(Value { pieces, integer_type })
    }

    /// Records that a form has to be at least 0, in a case of a value, for it not to wrap around.
    fn need_no_wrap(
        &mut self,
        node: Node<'t>,
        case: &Conjunction,
        form: Result<Linear, Limit>,
    ) -> Result<(), Refusal> {
        let form = self.check(node, form)?;
        let text = self.quoted(node);
        let reason = format!("the unsigned value of `{text}` does not wrap around");
        self.need_nonnegative(node, (case, form), reason)
    }

    /// Turns a limit of the representation into a refusal.
    pub(crate) fn check<T>(&self, node: Node<'t>, result: Result<T, Limit>) -> Result<T, Refusal> {
        result.map_err(|limit| {
            let reason = match limit {
                Limit::Overflow => "a coefficient does not fit into 64 bits",
                Limit::Pieces => "the conditions up to here have too many cases together",
            };
            self.refuse(Code::TooComplex, node, "this has too large a form in the model")
                .with_reason(reason)
        })
    }

    /// A refusal of an expression that has no affine form.
    pub(crate) fn not_affine(&self, node: Node<'t>, reason: impl Into<String>) -> Refusal {
        let text = self.quoted(node);
        let (code, what) = match self.at.purpose {
            Purpose::Bound => (Code::NonAffineCondition, "the loop bound"),
            Purpose::Condition => (Code::NonAffineCondition, "the condition"),
            Purpose::Subscript => (Code::NonAffineSubscript, "the subscript"),
            Purpose::Extent => (Code::Declaration, "the extent"),
        };
        self.refuse(code, node, format!("{what} is not affine: `{text}`")).with_reason(reason)
    }
}

fn constant(value: i64) -> Value {
    Value { pieces: Pieces::single(Linear::constant(value)), integer_type: IntegerType::INT }
}

fn negate(pieces: &Pieces) -> Result<Pieces, Limit> {
    scale(pieces, -1)
}

fn scale(pieces: &Pieces, factor: i64) -> Result<Pieces, Limit> {
    pieces.flat_map(|l| Ok(Pieces::single(l.scale(factor)?)))
}

/// A constant or an iterator itself: values that are reached for sure.
fn is_bare(linear: &Linear) -> bool {
    match linear.terms[..] {
        [] => true,
        [(Symbol::Iterator(_), 1)] => linear.constant == 0,
        _ => false,
    }
}
