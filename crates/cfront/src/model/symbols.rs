//! What the symbols of forms stand for besides variables: floors, remainders and products.
use crate::model::conditions::Condition;
use crate::model::linear::{Limit, Linear, Symbol};
use crate::model::pieces::Pieces;
use smallvec::smallvec;

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

    /// A value of several cases as one of a single case, if it has the same form in all of them but for the
    /// way in which floors are written: `⌊e / d⌋ = -1 - ⌊(-e - 1) / d⌋`.
    pub(crate) fn one_case(&mut self, value: Pieces) -> Result<Pieces, Limit> {
        let mut cases = value.0.iter();
        let Some((_, first)) = cases.next() else { return Ok(value) };
        let first = self.with_rising_floors(first)?;
        for (_, other) in cases {
            if self.with_rising_floors(other)? != first {
                return Ok(value);
            }
        }
        Ok(Pieces::single(first))
    }

    /// The same form with floors of forms whose first coefficient is positive.
    fn with_rising_floors(&mut self, linear: &Linear) -> Result<Linear, Limit> {
        let mut rising = Linear::constant(linear.constant);
        for &(symbol, coefficient) in &linear.terms {
            let floor = match symbol {
                Symbol::Floor(index) => self.floors.get(index as usize).cloned(),
                _ => None,
            };
            let falls = |form: &Linear| form.terms.first().is_some_and(|(_, first)| *first < 0);
            let term = match floor.filter(|(inside, _)| falls(inside)) {
                Some((inside, divisor)) => {
                    let opposite = inside.scale(-1)?.add_constant(-1)?;
                    self.floor(&opposite, divisor)?.scale(-1)?.add_constant(-1)?
                }
                None => Linear::symbol(symbol),
            };
            rising = rising.add_scaled(coefficient, &term)?;
        }
        Ok(rising)
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
