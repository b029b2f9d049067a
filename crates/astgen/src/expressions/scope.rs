//! Expressions from quasi-affine forms, specialised to the place where they stand.
//!
//! A floor `⌊a/m⌋` is printed as C's truncating division when `a >= 0` can be proved from what is
//! known at the place, or when `m - 1 - a >= 0` can, because `⌊a/m⌋ = -⌊(m - 1 - a)/m⌋`. A multiple
//! `m ⌊a/m⌋` whose dividend cancels other terms becomes a remainder: `a - m ⌊a/m⌋ = a mod m`, and
//! the dividend of a remainder may be shifted by multiples of `m` until it is not negative. What
//! cannot be proved stays a call of `floord`. See sections 5.9 and 5.10 of Grosser, Verdoolaege,
//! Cohen (the formula for remainders of negated dividends is wrong there; the one above is not).
use crate::expressions::dividend::{Absorbed, absorbing_forms, flipped};
use crate::expressions::drop_idle_parameters::{may_be_shorter, shortened};
use crate::expressions::expression::AstExpr;
use crate::expressions::expression_choices::ExpressionChoices;
use crate::expressions::sum::{Origin, Sum, int};
use crate::level::bounds::embedded;
use crate::level::columns::{with_numerators, without_column};
use crate::level::floor_bounds::{constraints_without_lone_floors, without_floor};
use crate::level::implied_constraints::without_implied;
use crate::level::min_max::{extreme, use_same_forms};
use crate::level::stride::{Stride, step_to_multiple};
use loopwright_presburger::*;

/// The most work for the proof that one dividend is not negative.
const PROOF_STEPS: u64 = 200_000;

/// The furthest that the dividend of a remainder is shifted to become non-negative; beyond, the
/// shift comes from the range of a type and could overflow.
const GREATEST_SHIFT: i64 = 1 << 16;

/// A place for expressions: the names of the dimensions and what is known about them.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// One name per set dimension of `known`.
    pub(crate) names: Vec<Name>,
    /// What holds whenever the expression matters.
    pub(crate) known: Set,
    /// Replaces dimensions without a loop by their values; none if all dimensions have loops.
    pub(crate) substitution: Option<MultiAff>,
    /// The number of dimensions with loops.
    pub(crate) loops: usize,
    pub(crate) choices: ExpressionChoices,
    /// The constant congruences of the dimensions: modulus and residue.
    pub(crate) residues: Vec<Option<(Int, Int)>>,
}

impl Scope {
    /// Outside of all loops.
    pub(crate) fn root(known: Set, choices: ExpressionChoices) -> Scope {
        Scope {
            names: Vec::new(),
            known,
            substitution: None,
            residues: Vec::new(),
            loops: 0,
            choices,
        }
    }

    /// With the parameters of `space` as well.
    pub(crate) fn with_params(&self, space: &Space) -> Result<Scope> {
        let known = self.known.align_params(space);
        let substitution = match &self.substitution {
            Some(values) => {
                let affs = values.affs().iter().map(|aff| aff.align_params(known.space()));
                Some(MultiAff::new(known.space().map_from_set(), affs.collect())?)
            }
            None => None,
        };
        Ok(Scope { known, substitution, ..self.clone() })
    }

    /// The scope inside of dimension `level`, which satisfies `inside`.
    pub(crate) fn deeper(&self, level: usize, name: Name, inside: &Set) -> Result<Scope> {
        let known = self.known.insert_dims(DimKind::Out, level, 1).intersect(inside)?;
        let mut names = self.names.clone();
        names.push(name);
        let substitution = match &self.substitution {
            Some(values) => Some(deepened(values, &known, None)?),
            None => None,
        };
        let mut residues = self.residues.clone();
        residues.push(None);
        Ok(Scope { names, known, substitution, residues, ..*self })
    }

    /// The same with a congruence of the last dimension.
    pub(crate) fn with_stride(mut self, stride: Option<&Stride>) -> Scope {
        if let (Some(stride), Some(last)) = (stride, self.residues.last_mut()) {
            *last = stride.constant_residue();
        }
        self
    }

    /// The least value of the congruence that is not less than `bound`, with the congruences of the
    /// outer dimensions.
    pub(crate) fn at_least(&self, stride: &Stride, bound: &Aff) -> Result<Aff> {
        let distance = self.substituted(&bound.sub(&stride.offset)?)?;
        match step_to_multiple(&distance, &stride.modulus, &self.residues) {
            Some(step) => Ok(bound.add_constant(&step)),
            None => stride.at_least(bound),
        }
    }

    /// The scope in which the last dimension, `level`, is replaced by its value.
    pub(crate) fn with_value(mut self, level: usize, value: &Aff) -> Result<Scope> {
        let outer = Set::universe(value.domain_space().clone());
        let outer = outer.align_params(self.known.space()).space().clone();
        let previous = match &self.substitution {
            Some(values) => first_values(values, &outer, level)?,
            None => MultiAff::identity(&outer),
        };
        let value = value.align_params(&outer).pullback(&previous)?;
        self.substitution = Some(deepened(&previous, &self.known, Some(&value))?);
        Ok(self)
    }

    /// The expression of a quasi-affine form over the dimensions.
    pub(crate) fn affine(&self, aff: &Aff) -> Result<AstExpr> {
        Ok(self.affine_sum(aff)?.into_expr())
    }

    /// The form as a sum; a denominator is known to divide the value.
    pub(crate) fn affine_sum(&self, aff: &Aff) -> Result<Sum> {
        let aff = &self.substituted(aff)?;
        let sum = self.sum(aff.domain_space(), aff.row().clone(), aff.locals())?;
        Ok(sum.div_exact(aff.denominator()))
    }

    fn substituted(&self, aff: &Aff) -> Result<Aff> {
        match &self.substitution {
            Some(values) => aff.pullback(values),
            None => Ok(aff.clone()),
        }
    }

    /// The expression of a piecewise form: nested conditionals over the pieces that can be reached.
    pub(crate) fn piecewise(&self, form: &PwAff) -> Result<AstExpr> {
        if let [(_, aff)] = form.pieces() {
            return self.affine(aff);
        }
        let budget = Budget::steps(PROOF_STEPS);
        let mut reached = Vec::new();
        for (domain, aff) in form.pieces() {
            if !self.known.is_disjoint(domain, &budget)? {
                reached.push((domain, aff));
            }
        }
        if self.choices.detect_min_max
            && let Some(extreme) = extreme(&reached, &self.known, &budget)?
        {
            let affs = extreme.forms.into_iter().map(|aff| self.affine(aff));
            let operands = affs.collect::<Result<Vec<AstExpr>>>()?;
            return Ok(if extreme.is_max {
                AstExpr::max(operands)
            } else {
                AstExpr::min(operands)
            });
        }
        use_same_forms(&mut reached, &self.known, &budget)?;
        let Some((_, last)) = reached.pop() else {
            return Ok(AstExpr::Int(Int::ZERO));
        };
        let mut result = self.affine(last)?;
        for (domain, aff) in reached.into_iter().rev() {
            let value = self.knowing(domain)?.affine(aff)?;
            if value != result {
                let condition = self.condition(&domain.gist(&self.known, &budget)?)?;
                result = AstExpr::Select(condition.into(), value.into(), result.into());
            }
        }
        Ok(result)
    }

    /// The scope in which `set` is known as well.
    pub(crate) fn knowing(&self, set: &Set) -> Result<Scope> {
        let known = self.known.intersect(set)?;
        Ok(Scope { known, ..self.clone() })
    }

    /// The condition that the dimensions are in `set`, to be evaluated where `known` holds.
    pub(crate) fn condition(&self, set: &Set) -> Result<AstExpr> {
        let set = if has_unknown_locals(set) {
            set.make_locals_explicit(&Budget::steps(PROOF_STEPS)).unwrap_or_else(|_| set.clone())
        } else {
            set.clone()
        };
        let pieces = set.basic_sets();
        let alternatives = pieces.iter().map(|piece| self.conjunction(piece));
        Ok(AstExpr::or(alternatives.collect::<Result<_>>()?))
    }

    /// The conjunction of the constraints.
    ///
    /// Constraints without floors come first and are known in those with floors; the fixed order
    /// excludes circular justifications. At run time all may be evaluated: a remainder outside of
    /// its proved range is garbage, but does not trap, and another conjunct is false then.
    fn conjunction(&self, piece: &BasicSet) -> Result<AstExpr> {
        let map = piece.as_basic_map();
        let space = map.space();
        let first = map.offset(DimKind::Local);
        let is_plain = |c: &Constraint| c.row.first_nonzero(first..c.row.len()).is_none();
        let set = |constraints: &[Constraint]| {
            let locals = map.locals().to_vec();
            let basic = BasicMap::from_constraints(space.clone(), locals, constraints.to_vec());
            Set::from_basic_set(BasicSet::from_basic_map(basic))
        };
        let (mut plain, mut divided): (Vec<_>, Vec<_>) =
            constraints_without_lone_floors(map).into_iter().partition(|c| is_plain(c));
        self.shorten(map, &mut plain)?;
        if map.locals().is_empty() {
            plain = without_implied(map, plain, &self.known)?;
        }
        if !map.locals().is_empty() {
            let known = self.known.intersect(&set(&plain))?;
            for position in 0..divided.len() {
                let others = [&divided[..position], &divided[position + 1..]].concat();
                if let Some(simpler) = without_floor(map, &divided[position], &others, &known)? {
                    divided[position] = simpler;
                }
            }
            plain.append(&mut divided);
            let needed = without_implied(map, plain, &self.known)?;
            (plain, divided) = needed.into_iter().partition(|c| is_plain(c));
        }
        let mut operands = Vec::new();
        for constraint in &plain {
            operands.push(self.comparison(space, map.locals(), constraint)?);
        }
        if !divided.is_empty() {
            let scope = self.knowing(&set(&plain))?;
            for constraint in &divided {
                operands.push(scope.comparison(space, map.locals(), constraint)?);
            }
        }
        operands.retain(|operand| operand.as_int().is_none_or(|value| !value.is_one()));
        Ok(AstExpr::and(operands))
    }

    /// Leaves out variables that make no difference where the other constraints hold.
    fn shorten(&self, map: &BasicMap, constraints: &mut [Constraint]) -> Result<()> {
        for position in 0..constraints.len() {
            if !may_be_shorter(&constraints[position], map.offset(DimKind::Local)) {
                continue;
            }
            let others = [&constraints[..position], &constraints[position + 1..]].concat();
            let others =
                BasicMap::from_constraints(map.space().clone(), map.locals().to_vec(), others);
            let around = Set::from_basic_set(BasicSet::from_basic_map(others));
            let around = self.known.intersect(&around)?;
            constraints[position].row =
                shortened(map, &constraints[position].row, &around, &Budget::steps(PROOF_STEPS))?;
        }
        Ok(())
    }

    /// One constraint as a comparison.
    fn comparison(&self, space: &Space, locals: &[Local], each: &Constraint) -> Result<AstExpr> {
        let aff = Aff::from_row(space, locals.to_vec(), each.row.clone(), Int::ONE);
        if each.is_equality
            && let Some(result) = self.congruence(space, locals, &each.row)?
        {
            return Ok(result);
        }
        Ok(self.affine_sum(&aff)?.compare_with_zero(each.is_equality))
    }

    /// The equality as `r % m == 0`, if that is what it says.
    ///
    /// With a local `q` that has coefficient `±m` the equality reads `r = m q`. If `q` is any
    /// integer, that is `m | r`. If `q = ⌊(r + e)/m⌋` with a constant `0 <= e < m` it is so, too:
    /// `m | r` makes the floor `r/m`, and conversely `r = m q`.
    fn congruence(&self, space: &Space, locals: &[Local], row: &Row) -> Result<Option<AstExpr>> {
        let first = 1 + space.n_all();
        let Some(column) = (first..row.len()).rev().find(|&c| !row.is_zero_at(c)) else {
            return Ok(None);
        };
        let modulus = row.get(column).abs();
        let mut dividend = row.clone();
        if row.get(column).is_positive() {
            dividend.negate();
        }
        dividend.set(column, Int::ZERO);
        if let Local::Floor { numerator, denominator } = &locals[column - first] {
            let mut difference = numerator.clone();
            difference.add_scaled(&-&Int::ONE, &dividend);
            let offset = difference.get(0);
            let constant = difference.first_nonzero(1..difference.len()).is_none();
            if *denominator != modulus || !constant || offset.is_negative() || offset >= modulus {
                return Ok(None);
            }
        }
        reduce_symmetrically(&mut dividend, &modulus, first);
        let aff = Aff::from_row(space, locals.to_vec(), dividend, Int::ONE);
        let dividend = Box::new(self.affine(&aff)?);
        let remainder = AstExpr::RemZero(dividend, int(&modulus));
        Ok(Some(AstExpr::Eq(remainder.into(), int(&Int::ZERO))))
    }

    /// The sum of a row over `[constant | parameters | dimensions | locals]`.
    fn sum(&self, space: &Space, mut row: Row, locals: &[Local]) -> Result<Sum> {
        let (parameters, dims) = (space.n(DimKind::Param), space.n(DimKind::Out));
        let mut sum = Sum::default();
        for position in (0..locals.len()).rev() {
            let column = 1 + parameters + dims + position;
            let factor = row.get(column);
            if factor.is_zero() {
                continue;
            }
            row.set(column, Int::ZERO);
            let Local::Floor { numerator, denominator } = &locals[position] else {
                return Err(Error::Invalid {
                    operation: "expression generation",
                    reason: "an existentially quantified value has no expression".into(),
                });
            };
            let floor =
                Floor { space, locals, position, dividend: numerator, divisor: denominator };
            self.add_floor(&mut row, &mut sum, &factor, &floor)?;
        }
        for position in 0..dims {
            let name = AstExpr::Id(self.names[position].clone());
            sum.push(Origin::Iterator(position), row.get(1 + parameters + position), name);
        }
        for (position, name) in space.param_names().iter().enumerate() {
            sum.push(Origin::Parameter(position), row.get(1 + position), AstExpr::Id(name.clone()));
        }
        sum.add_constant(&row.get(0));
        Ok(sum)
    }

    /// Adds `factor · ⌊dividend / divisor⌋` to `row + sum`.
    fn add_floor(
        &self,
        row: &mut Row,
        sum: &mut Sum,
        factor: &Int,
        floor: &Floor<'_>,
    ) -> Result<()> {
        let origin = Origin::Division(floor.position);
        if let Some(value) = self.constant_floor(floor) {
            row.add_at(0, &(factor * &value));
            return Ok(());
        }
        let divisor = int(floor.divisor);
        if !self.choices.prefer_pdiv {
            let dividend = self.dividend(floor, floor.dividend)?;
            sum.push(origin, factor.clone(), AstExpr::DivFloor(dividend, divisor));
            return Ok(());
        }
        if self.add_remainder(row, sum, factor, floor)? {
            return Ok(());
        }
        let forms = absorbing_forms(row, factor, floor.dividend, floor.divisor);
        if let Some(form) = forms.iter().find(|form| self.is_nonnegative(floor, &form.dividend)) {
            *row = form.rest.clone();
            let dividend = self.dividend(floor, &form.dividend)?;
            sum.push(origin, factor.clone(), AstExpr::DivNonneg(dividend, divisor));
            return Ok(());
        }
        let flipped = |form: &Absorbed| flipped(&form.dividend, floor.divisor);
        if let Some(form) = forms.iter().find(|form| self.is_nonnegative(floor, &flipped(form))) {
            *row = form.rest.clone();
            let dividend = self.dividend(floor, &flipped(form))?;
            sum.push(origin, -factor, AstExpr::DivNonneg(dividend, divisor));
            return Ok(());
        }
        *row = forms[0].rest.clone();
        let dividend = self.dividend(floor, &forms[0].dividend)?;
        sum.push(origin, factor.clone(), AstExpr::DivFloor(dividend, divisor));
        Ok(())
    }

    /// The value of the floor, if it is the same everywhere at this place.
    fn constant_floor(&self, floor: &Floor<'_>) -> Option<Int> {
        let least = self.least(floor, floor.dividend)?.div_floor(floor.divisor);
        let mut negated = floor.dividend.clone();
        negated.negate();
        let greatest = -&self.least(floor, &negated)?;
        (greatest.div_floor(floor.divisor) == least).then_some(least)
    }

    /// Whether a row is provably not negative at this place.
    fn is_nonnegative(&self, floor: &Floor<'_>, row: &Row) -> bool {
        self.least(floor, row).is_some_and(|least| !least.is_negative())
    }

    /// Adds `g m ⌊a/m⌋ = g a - g (a mod m)` if that leaves fewer terms and `a mod m`, or the
    /// remainder of `b = m - 1 - a`, where `m ⌊a/m⌋ = (b mod m) - b`, is one of a dividend that is
    /// not negative.
    fn add_remainder(
        &self,
        row: &mut Row,
        sum: &mut Sum,
        factor: &Int,
        floor: &Floor<'_>,
    ) -> Result<bool> {
        if !factor.is_divisible_by(floor.divisor) {
            return Ok(false);
        }
        let multiple = factor.div_exact(floor.divisor);
        let mut replaced = row.clone();
        replaced.add_scaled(&multiple, floor.dividend);
        if n_variables(&replaced) >= n_variables(row) {
            return Ok(false);
        }
        let flipped = flipped(floor.dividend, floor.divisor);
        for (dividend, sign) in [(floor.dividend, Int::ONE), (&flipped, -&Int::ONE)] {
            let Some(least) = self.least(floor, dividend) else { continue };
            let shift = least.div_floor(floor.divisor) * floor.divisor;
            if shift.to_i64().is_none_or(|shift| shift < -GREATEST_SHIFT) {
                continue;
            }
            let mut shifted = dividend.clone();
            if shift.is_negative() {
                shifted.set(0, shifted.get(0) - &shift);
            }
            row.add_scaled(&(&sign * &multiple), dividend);
            let remainder = AstExpr::RemNonneg(self.dividend(floor, &shifted)?, int(floor.divisor));
            sum.push(Origin::Division(floor.position), -&(&sign * &multiple), remainder);
            return Ok(true);
        }
        Ok(false)
    }

    /// The dividend's expression.
    fn dividend(&self, floor: &Floor<'_>, row: &Row) -> Result<Box<AstExpr>> {
        Ok(Box::new(self.sum(floor.space, row.clone(), floor.locals)?.into_expr()))
    }

    /// The least value of a row at this place, if there is one and it is found.
    fn least(&self, floor: &Floor<'_>, row: &Row) -> Option<Int> {
        let aff = Aff::from_row(floor.space, floor.locals.to_vec(), row.clone(), Int::ONE);
        match self.known.min_val(&aff, &Budget::steps(PROOF_STEPS)) {
            Ok(Optimum::At(value)) => Some(value),
            Ok(Optimum::Empty) => Some(Int::ZERO),
            _ => None,
        }
    }
}

/// Values for one more dimension, the last one of `known`: itself, or `last`.
fn deepened(values: &MultiAff, known: &Set, last: Option<&Aff>) -> Result<MultiAff> {
    let space = known.space();
    let level = space.n(DimKind::Out) - 1;
    let mut affs: Vec<Aff> = values.affs().iter().map(|aff| embedded(aff, space, level)).collect();
    affs.push(match last {
        Some(value) => embedded(value, space, level),
        None => Aff::variable(space, DimKind::Out, level),
    });
    MultiAff::new(space.map_from_set(), affs)
}

/// The values of the first `level` dimensions as forms of these alone.
fn first_values(values: &MultiAff, outer: &Space, level: usize) -> Result<MultiAff> {
    let affs = values.affs()[..level].iter().map(|aff| {
        let column = 1 + aff.domain_space().n(DimKind::Param) + level;
        let locals = with_numerators(aff.locals(), |row| without_column(row, column));
        let row = without_column(aff.row(), column);
        Aff::from_row(outer, locals, row, aff.denominator().clone())
    });
    MultiAff::new(outer.map_from_set(), affs.collect())
}

/// A floor among the locals of a row.
struct Floor<'a> {
    space: &'a Space,
    locals: &'a [Local],
    position: usize,
    dividend: &'a Row,
    divisor: &'a Int,
}

/// Whether some local is not a floor.
fn has_unknown_locals(set: &Set) -> bool {
    let is_unknown = |local: &Local| matches!(local, Local::Unknown);
    set.as_map().basic_maps().iter().any(|basic| basic.locals().iter().any(is_unknown))
}

/// The number of columns, beside the constant, that are not zero.
fn n_variables(row: &Row) -> usize {
    (1..row.len()).filter(|&column| !row.is_zero_at(column)).count()
}

/// Reduces coefficients modulo `modulus` to the least magnitude, the first one to be positive, and
/// the constant to `0..modulus`. Divisibility by `modulus` stays the same.
fn reduce_symmetrically(row: &mut Row, modulus: &Int, columns: usize) {
    let reduced = |value: Int| {
        let rest = value.rem_euclid(modulus);
        if &rest + &rest > *modulus { rest - modulus } else { rest }
    };
    for column in 1..columns {
        row.set(column, reduced(row.get(column)));
    }
    if let Some(first) = row.first_nonzero(1..columns)
        && row.get(first).is_negative()
    {
        row.negate();
    }
    row.set(0, row.get(0).rem_euclid(modulus));
}
