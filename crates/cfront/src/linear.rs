//! Affine forms, conjunctions and piecewise forms over symbols, before there is a space.
//!
//! While a region is read it is not known yet which parameters it has, so expressions are kept
//! over [`Symbol`]s and turned into sets once at the end. A [`Linear`] is `c + sum a_i s_i` with
//! checked 64-bit coefficients; a symbol may be a floor `⌊e/d⌋` from the table [`Symbols`]. A
//! condition is a disjunction of conjunctions of `e = 0` and `e >= 0`; a value has one form per
//! piece, and the pieces are disjoint.
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

/// A number that varies between instances or executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Symbol {
    /// A symbolic constant: index of the variable.
    Parameter(u32),
    /// The iterator of a loop: index of the loop in the region.
    Iterator(u32),
    /// A floor: index into [`Symbols::floors`].
    Floor(u32),
    /// A product that is not affine: index into [`Symbols::products`]. Only in subscripts.
    Product(u32),
}

/// Why an expression has no form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// A coefficient does not fit into 64 bits.
    Overflow,
    /// Too many pieces.
    Pieces,
}

/// More pieces than this in one condition or value are refused.
const MAX_PIECES: usize = 64;

/// Symbols with their coefficients; most forms have few.
pub(crate) type Terms = SmallVec<[(Symbol, i64); 3]>;

/// An affine form `constant + sum of coefficient * symbol`, sorted by symbol, without zeros.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Linear {
    pub(crate) constant: i64,
    pub(crate) terms: Terms,
}

impl Linear {
    /// A constant.
    pub(crate) fn constant(value: i64) -> Self {
        Linear { constant: value, terms: Terms::new() }
    }

    /// A symbol.
    pub(crate) fn symbol(symbol: Symbol) -> Self {
        Linear { constant: 0, terms: smallvec![(symbol, 1)] }
    }

    /// The value if it is the same everywhere.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The coefficient of a symbol.
    pub(crate) fn coefficient(&self, symbol: Symbol) -> i64 {
        self.terms.iter().find(|(s, _)| *s == symbol).map_or(0, |(_, c)| *c)
    }

    /// `self + factor * other`.
    pub(crate) fn add_scaled(&self, factor: i64, other: &Linear) -> Result<Linear, Limit> {
        let fma = |a: i64, b: i64| {
            factor.checked_mul(b).and_then(|p| a.checked_add(p)).ok_or(Limit::Overflow)
        };
        let mut terms = Terms::with_capacity(self.terms.len().max(other.terms.len()));
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(x), Some(y)) => x.0.cmp(&y.0),
            };
            let left = if order.is_le() { a.next() } else { None };
            let right = if order.is_ge() { b.next() } else { None };
            let coefficient = fma(left.map_or(0, |t| t.1), right.map_or(0, |t| t.1))?;
            if let (Some((symbol, _)), true) = (left.or(right), coefficient != 0) {
                terms.push((*symbol, coefficient));
            }
        }
        Ok(Linear { constant: fma(self.constant, other.constant)?, terms })
    }

    /// `self + factor * other`, if that is the same everywhere.
    fn constant_sum(&self, factor: i64, other: &Linear) -> Option<i64> {
        let cancel = |((s, a), (t, b)): (&(Symbol, i64), &(Symbol, i64))| {
            s == t && factor.checked_mul(*b).and_then(|b| a.checked_add(b)) == Some(0)
        };
        let is_constant = self.terms.len() == other.terms.len()
            && self.terms.iter().zip(&other.terms).all(cancel);
        let constant = factor.checked_mul(other.constant)?.checked_add(self.constant)?;
        is_constant.then_some(constant)
    }

    /// The sum.
    pub(crate) fn add(&self, other: &Linear) -> Result<Linear, Limit> {
        self.add_scaled(1, other)
    }

    /// The difference.
    pub(crate) fn sub(&self, other: &Linear) -> Result<Linear, Limit> {
        self.add_scaled(-1, other)
    }

    /// The product with an integer.
    pub(crate) fn scale(&self, factor: i64) -> Result<Linear, Limit> {
        Linear::default().add_scaled(factor, self)
    }

    /// The sum with an integer.
    pub(crate) fn add_constant(&self, value: i64) -> Result<Linear, Limit> {
        self.add(&Linear::constant(value))
    }
}

/// `linear = 0` or `linear >= 0`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Condition {
    pub(crate) is_equality: bool,
    pub(crate) linear: Linear,
}

impl Condition {
    /// `linear >= 0`.
    pub(crate) fn nonnegative(linear: Linear) -> Self {
        Condition { is_equality: false, linear }
    }

    /// `linear = 0`.
    pub(crate) fn zero(linear: Linear) -> Self {
        Condition { is_equality: true, linear }
    }

    fn truth(&self) -> Option<bool> {
        let value = self.linear.as_constant()?;
        Some(if self.is_equality { value == 0 } else { value >= 0 })
    }

    /// The conditions of which at least one holds where this one does not.
    fn negated(&self) -> Result<Vec<Condition>, Limit> {
        let below = Condition::nonnegative(self.linear.scale(-1)?.add_constant(-1)?);
        if !self.is_equality {
            return Ok(vec![below]);
        }
        Ok(vec![below, Condition::nonnegative(self.linear.add_constant(-1)?)])
    }
}

/// All of these hold.
pub(crate) type Conjunction = Vec<Condition>;

/// Conjunctions of which at least one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Disjunction(pub(crate) Vec<Conjunction>);

/// Both; none if they obviously contradict.
pub(crate) fn conjoin(a: &Conjunction, b: &Conjunction) -> Option<Conjunction> {
    let mut both = a.clone();
    for condition in b {
        match condition.truth() {
            Some(true) => continue,
            Some(false) => return None,
            None => {}
        }
        if both.contains(condition) {
            continue;
        }
        if both.iter().any(|other| contradicts(condition, other)) {
            return None;
        }
        both.push(condition.clone());
    }
    Some(both)
}

/// Whether two conditions have no common solution because their symbols cancel.
fn contradicts(a: &Condition, b: &Condition) -> bool {
    let sum = a.linear.constant_sum(1, &b.linear);
    let difference = a.linear.constant_sum(-1, &b.linear);
    match (a.is_equality, b.is_equality) {
        (true, true) => sum.is_some_and(|s| s != 0) || difference.is_some_and(|d| d != 0),
        // a = 0 and b >= 0: with a = -b + s, b = s; with a = b + d, b = -d.
        (true, false) => sum.is_some_and(|s| s < 0) || difference.is_some_and(|d| d > 0),
        (false, true) => sum.is_some_and(|s| s < 0) || difference.is_some_and(|d| d < 0),
        (false, false) => sum.is_some_and(|s| s < 0),
    }
}

impl Disjunction {
    /// Holds always.
    pub(crate) fn always() -> Self {
        Disjunction(vec![Vec::new()])
    }

    /// Holds never.
    pub(crate) fn never() -> Self {
        Disjunction(Vec::new())
    }

    /// One condition.
    pub(crate) fn single(condition: Condition) -> Self {
        Disjunction(conjoin(&Vec::new(), &vec![condition]).into_iter().collect())
    }

    /// Both hold.
    pub(crate) fn and(&self, other: &Disjunction) -> Result<Disjunction, Limit> {
        let mut result = Vec::with_capacity(self.0.len().max(other.0.len()));
        for a in &self.0 {
            for b in &other.0 {
                result.extend(conjoin(a, b));
            }
            if result.len() > MAX_PIECES {
                return Err(Limit::Pieces);
            }
        }
        Ok(Disjunction(result))
    }

    /// One of them holds.
    pub(crate) fn or(mut self, other: Disjunction) -> Result<Disjunction, Limit> {
        self.0.extend(other.0);
        if self.0.len() > MAX_PIECES { Err(Limit::Pieces) } else { Ok(self) }
    }

    /// The same with pairwise disjoint conjunctions.
    pub(crate) fn disjoint(&self) -> Result<Disjunction, Limit> {
        let mut result = Disjunction::never();
        let mut before = Disjunction::never();
        for conjunction in &self.0 {
            let this = Disjunction(vec![conjunction.clone()]);
            let rest = this.minus(&before)?;
            result = result.or(rest)?;
            before = before.or(this)?;
        }
        Ok(result)
    }

    /// What holds here and in none of the conjunctions of `other`. What a conjunction has in common with
    /// those here is no question.
    pub(crate) fn without(&self, other: &Disjunction) -> Result<Disjunction, Limit> {
        let mut result = Disjunction::never();
        for own in &self.0 {
            let mut rest = Disjunction(vec![own.clone()]);
            for conjunction in &other.0 {
                let mut more = conjunction.clone();
                more.retain(|condition| !own.contains(condition));
                rest = rest.and(&disjoint_negation(&more)?)?;
            }
            result = result.or(rest)?;
        }
        Ok(result)
    }

    /// What holds here and in none of the conjunctions of `other`, in disjoint pieces.
    fn minus(&self, other: &Disjunction) -> Result<Disjunction, Limit> {
        let mut rest = self.clone();
        for conjunction in &other.0 {
            rest = rest.and(&disjoint_negation(conjunction)?)?;
        }
        Ok(rest)
    }
}

/// The complement of a conjunction in disjoint pieces: `not c1`, `c1 and not c2`, ...
pub(crate) fn disjoint_negation(conjunction: &Conjunction) -> Result<Disjunction, Limit> {
    let mut pieces = Vec::new();
    let mut held: Conjunction = Vec::new();
    for condition in conjunction {
        for negation in condition.negated()? {
            pieces.extend(conjoin(&held, &vec![negation]));
        }
        held.push(condition.clone());
    }
    if pieces.len() > MAX_PIECES { Err(Limit::Pieces) } else { Ok(Disjunction(pieces)) }
}

/// A value: one form per piece; the pieces are disjoint and cover everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pieces(pub(crate) SmallVec<[(Conjunction, Linear); 1]>);

impl Pieces {
    /// One form everywhere.
    pub(crate) fn single(linear: Linear) -> Self {
        Pieces(smallvec![(Vec::new(), linear)])
    }

    /// The form if there is only one.
    pub(crate) fn as_linear(&self) -> Option<&Linear> {
        match &self.0[..] {
            [(conjunction, linear)] if conjunction.is_empty() => Some(linear),
            _ => None,
        }
    }

    /// The value if it is the same everywhere.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.as_linear().and_then(Linear::as_constant)
    }

    /// Applies a function to every pair of pieces that have common points.
    pub(crate) fn zip(
        &self,
        other: &Pieces,
        mut combine: impl FnMut(&Linear, &Linear) -> Result<Linear, Limit>,
    ) -> Result<Pieces, Limit> {
        let mut result = SmallVec::new();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                if let Some(both) = conjoin(a, b) {
                    result.push((both, combine(x, y)?));
                }
            }
        }
        Pieces(result).limited()
    }

    /// Applies a function that may split a piece.
    pub(crate) fn flat_map(
        &self,
        mut function: impl FnMut(&Linear) -> Result<Pieces, Limit>,
    ) -> Result<Pieces, Limit> {
        let mut result = SmallVec::new();
        for (conjunction, linear) in &self.0 {
            for (piece, value) in function(linear)?.0 {
                result.extend(conjoin(conjunction, &piece).map(|both| (both, value)));
            }
        }
        Pieces(result).limited()
    }

    /// The pieces of `then` where a condition holds, of `otherwise` elsewhere.
    pub(crate) fn select(
        condition: &Disjunction,
        then: &Pieces,
        otherwise: &Pieces,
    ) -> Result<Pieces, Limit> {
        let holds = condition.disjoint()?;
        let fails = Disjunction::always().minus(condition)?;
        let mut result = SmallVec::new();
        for (region, value) in [(&holds, then), (&fails, otherwise)] {
            for conjunction in &region.0 {
                for (piece, linear) in &value.0 {
                    result.extend(conjoin(conjunction, piece).map(|both| (both, linear.clone())));
                }
            }
        }
        Pieces(result).limited()
    }

    /// The two forms if the value is their minimum (`Ordering::Less`) or maximum (`Greater`).
    ///
    /// Two pieces `c >= 0: x` and `-c - 1 >= 0: y` with `c = x - y + k`, `k` 0 or -1, are the
    /// maximum of `x` and `y` (where `x = y` either will do); with `c = y - x + k` the minimum.
    pub(crate) fn as_extremum(&self) -> Option<(Ordering, &Linear, &Linear)> {
        let [(first, x), (second, y)] = &self.0[..] else { return None };
        let ([first], [second]) = (&first[..], &second[..]) else { return None };
        let complement = first.linear.add(&second.linear).ok()?.as_constant() == Some(-1);
        if first.is_equality || second.is_equality || !complement {
            return None;
        }
        let difference = x.sub(y).ok()?;
        let is = |k: Option<i64>| matches!(k, Some(0 | -1));
        if is(first.linear.sub(&difference).ok()?.as_constant()) {
            Some((Ordering::Greater, x, y))
        } else if is(first.linear.add(&difference).ok()?.as_constant()) {
            Some((Ordering::Less, x, y))
        } else {
            None
        }
    }

    /// Where `test(form)` holds, for a test `form <= constant` (`upper`) or `form >= constant`.
    ///
    /// A maximum is at most a bound if both forms are: no pieces are needed.
    pub(crate) fn bounded(
        &self,
        upper: bool,
        mut test: impl FnMut(&Linear) -> Result<Disjunction, Limit>,
    ) -> Result<Disjunction, Limit> {
        match self.as_extremum() {
            Some((Ordering::Greater, x, y)) if upper => test(x)?.and(&test(y)?),
            Some((Ordering::Less, x, y)) if !upper => test(x)?.and(&test(y)?),
            _ => self.satisfying(test),
        }
    }

    /// Where `test(form)` holds: the union over the pieces.
    pub(crate) fn satisfying(
        &self,
        mut test: impl FnMut(&Linear) -> Result<Disjunction, Limit>,
    ) -> Result<Disjunction, Limit> {
        let mut result = Disjunction::never();
        for (conjunction, linear) in &self.0 {
            let piece = Disjunction(vec![conjunction.clone()]);
            result = result.or(piece.and(&test(linear)?)?)?;
        }
        Ok(result)
    }

    fn limited(self) -> Result<Pieces, Limit> {
        if self.0.len() > MAX_PIECES { Err(Limit::Pieces) } else { Ok(self) }
    }
}

/// The floors of a region, and known bounds of symbols.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    /// The floors `⌊linear / divisor⌋`; each only uses earlier ones.
    pub(crate) floors: Vec<(Linear, i64)>,
    /// The products of a form and one over symbolic constants, and whether C computes them in more
    /// than an `int`.
    pub(crate) products: Vec<(Linear, Linear, bool)>,
    /// The greatest known lower and smallest known upper bound of each loop's iterator.
    pub(crate) iterator_bounds: Vec<(Option<i64>, Option<i64>)>,
    /// The variables of unsigned type.
    pub(crate) nonnegative_parameters: Vec<u32>,
}

impl Symbols {
    /// `⌊linear / divisor⌋` for a positive divisor.
    pub(crate) fn floor(&mut self, linear: &Linear, divisor: i64) -> Result<Linear, Limit> {
        debug_assert!(divisor > 0, "callers pass positive divisors");
        // The multiples of the divisor leave the floor.
        let mut outside = Linear::constant(linear.constant.div_euclid(divisor));
        let mut inside = Linear::constant(linear.constant.rem_euclid(divisor));
        for &(symbol, coefficient) in &linear.terms {
            let target =
                if coefficient % divisor == 0 { &mut outside.terms } else { &mut inside.terms };
            let left = if coefficient % divisor == 0 { coefficient / divisor } else { coefficient };
            target.push((symbol, left));
        }
        if inside.terms.is_empty() {
            return Ok(outside);
        }
        let key = (inside, divisor);
        let index = self.floors.iter().position(|floor| *floor == key).unwrap_or_else(|| {
            self.floors.push(key);
            self.floors.len() - 1
        });
        outside.add(&Linear::symbol(Symbol::Floor(index as u32)))
    }

    /// The value of a type with the given least value and number of values that is the same modulo
    /// that number.
    pub(crate) fn wrapped(
        &mut self,
        linear: &Linear,
        (least, values): (i64, i64),
    ) -> Result<Linear, Limit> {
        let is_within = self.lower(linear).is_some_and(|l| l >= least)
            && self.upper(linear).is_some_and(|u| u < least + values);
        if is_within {
            return Ok(linear.clone());
        }
        let above = linear.add_constant(least.checked_neg().ok_or(Limit::Overflow)?)?;
        let quotient = self.floor(&above, values)?;
        linear.add_scaled(-values, &quotient)
    }

    /// `factor * stride` as a symbol.
    pub(crate) fn product(&mut self, factor: &Linear, stride: &Linear, is_long: bool) -> Linear {
        let key = (factor.clone(), stride.clone(), is_long);
        let index = self.products.iter().position(|known| *known == key).unwrap_or_else(|| {
            self.products.push(key);
            self.products.len() - 1
        });
        Linear::symbol(Symbol::Product(index as u32))
    }

    /// C's quotient by a constant: rounded towards zero.
    pub(crate) fn truncated_quotient(
        &mut self,
        linear: &Linear,
        divisor: i64,
    ) -> Result<Pieces, Limit> {
        let magnitude = divisor.checked_abs().ok_or(Limit::Overflow)?;
        let sign = divisor.signum();
        let negative = linear.scale(-1)?;
        let up = |this: &mut Self| this.floor(linear, magnitude)?.scale(sign);
        let down = |this: &mut Self| this.floor(&negative, magnitude)?.scale(-sign);
        if self.lower(linear).is_some_and(|l| l >= 0) || magnitude == 1 {
            return Ok(Pieces::single(up(self)?));
        }
        if self.lower(&negative).is_some_and(|l| l >= 0) {
            return Ok(Pieces::single(down(self)?));
        }
        let below = Condition::nonnegative(negative.add_constant(-1)?);
        let above = Condition::nonnegative(linear.clone());
        Ok(Pieces(smallvec![(vec![above], up(self)?), (vec![below], down(self)?)]))
    }

    /// An upper bound of a form, from the bounds of its symbols.
    pub(crate) fn upper(&self, linear: &Linear) -> Option<i64> {
        self.lower(&linear.scale(-1).ok()?)?.checked_neg()
    }

    /// A lower bound of a form, from the bounds of its symbols.
    pub(crate) fn lower(&self, linear: &Linear) -> Option<i64> {
        match (self.lower_of_remainder(linear), self.lower_by_terms(linear)) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        }
    }

    /// `q (e - d ⌊e/d⌋) + rest`: the remainder lies in `0..d`.
    fn lower_of_remainder(&self, linear: &Linear) -> Option<i64> {
        let &(Symbol::Floor(f), coefficient) = linear.terms.last()? else { return None };
        let (numerator, divisor) = self.floors.get(f as usize)?;
        if coefficient % divisor != 0 {
            return None;
        }
        let quotient = coefficient.checked_div(*divisor)?.checked_neg()?;
        let mut rest = linear.add_scaled(-quotient, numerator).ok()?;
        rest.terms.retain(|(symbol, _)| *symbol != Symbol::Floor(f));
        let least = if quotient > 0 { 0 } else { quotient.checked_mul(divisor - 1)? };
        self.lower_by_terms(&rest)?.checked_add(least)
    }

    fn lower_by_terms(&self, linear: &Linear) -> Option<i64> {
        let mut sum = linear.constant;
        for &(symbol, coefficient) in &linear.terms {
            let bound = self.symbol_bound(symbol, coefficient < 0)?;
            sum = sum.checked_add(coefficient.checked_mul(bound)?)?;
        }
        Some(sum)
    }

    fn symbol_bound(&self, symbol: Symbol, upper: bool) -> Option<i64> {
        match symbol {
            Symbol::Parameter(p) => {
                (!upper && self.nonnegative_parameters.contains(&p)).then_some(0)
            }
            Symbol::Iterator(i) => {
                let bounds = self.iterator_bounds.get(i as usize)?;
                if upper { bounds.1 } else { bounds.0 }
            }
            Symbol::Floor(f) => {
                let (linear, divisor) = self.floors.get(f as usize)?;
                let numerator = if upper { self.upper(linear)? } else { self.lower(linear)? };
                Some(numerator.div_euclid(*divisor))
            }
            Symbol::Product(p) => {
                let (factor, stride, _) = self.products.get(p as usize)?;
                let is_nonnegative = |form: &Linear| self.lower(form).is_some_and(|l| l >= 0);
                let both = !upper && is_nonnegative(factor) && is_nonnegative(stride);
                both.then_some(0)
            }
        }
    }
}
