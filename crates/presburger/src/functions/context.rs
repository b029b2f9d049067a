//! Simplification of expressions inside a context.
//!
//! # Method
//! Three facts about the context are used, each of which keeps the value on its points:
//!
//! * an equality in which some dimension has the coefficient 1 or -1 replaces this dimension;
//! * a dividend that the equalities (with their locals) reduce to `d y + r` for an integer `y` makes
//!   a floor exact: `⌊x/d⌋ = (x - r) / d`;
//! * a dividend whose least and greatest values have the same quotient makes a floor constant.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::set::Set;
use crate::core::space::{DimKind, mismatch};
use crate::functions::aff::Aff;
use crate::solve::optimum::Optimum;
use loopwright_exact::{Int, Row};

/// Equalities in echelon form, each with a pivot of 1 or -1.
struct Substitution {
    rows: Vec<(usize, Row)>,
}

impl Substitution {
    /// From rows with pivots among the first `n_columns` columns, dimensions (from `first_dim` on)
    /// and later ones preferred; rows without a unit are left out.
    fn new(rows: impl Iterator<Item = Row>, first_dim: usize, n_columns: usize) -> Self {
        let mut substitution = Substitution { rows: Vec::new() };
        for mut row in rows {
            substitution.apply(&mut row);
            let mut candidates = (first_dim..n_columns).rev().chain((1..first_dim).rev());
            let Some(pivot) = candidates.find(|&c| row.get(c).abs().is_one()) else { continue };
            if row.sign(pivot) < 0 {
                row.negate();
            }
            for (_, other) in &mut substitution.rows {
                let factor = -other.get(pivot);
                other.add_scaled(&factor, &row);
            }
            substitution.rows.push((pivot, row));
        }
        substitution
    }

    /// Replaces the pivots in a row.
    fn apply(&self, row: &mut Row) {
        for (pivot, equality) in &self.rows {
            if !row.is_zero_at(*pivot) {
                let factor = -row.get(*pivot);
                row.add_scaled(&factor, equality);
            }
        }
    }
}

/// What a context says about expressions.
struct Facts<'a> {
    context: &'a Set,
    /// Equalities over the dimensions only.
    dimensions: Substitution,
    /// All equalities, over the dimensions and the locals of the context.
    congruences: Substitution,
    n_locals: usize,
    budget: &'a Budget,
}

impl<'a> Facts<'a> {
    fn new(context: &'a Set, budget: &'a Budget) -> Result<Self> {
        let hull;
        let basic = match context.0.basics.as_slice() {
            [single] => single,
            _ => {
                hull = context.affine_hull(budget)?;
                hull.as_basic_map()
            }
        };
        let (first_dim, end) = (basic.offset(DimKind::Out), basic.offset(DimKind::Local));
        let plain =
            basic.equalities().iter().filter(|row| row.first_nonzero(end..row.len()).is_none());
        let plain = plain.map(|row| row.slice(0..end));
        Ok(Facts {
            context,
            dimensions: Substitution::new(plain, first_dim, end),
            congruences: Substitution::new(basic.equalities().iter().cloned(), first_dim, end),
            n_locals: basic.locals().len(),
            budget,
        })
    }

    /// The floor of a quotient on the points of the context.
    fn floor(&self, quotient: &Aff) -> Result<Aff> {
        let floor = quotient.floor();
        if floor.locals.is_empty() {
            return Ok(floor);
        }
        if let Some(remainder) = self.remainder(quotient) {
            let remainder = Aff::constant(&quotient.space, &remainder);
            return Ok(quotient.plus(&Int::MINUS_ONE, &remainder.scale_down(&quotient.denominator)));
        }
        let dividend = Aff { denominator: Int::ONE, ..quotient.clone() };
        let least = self.context.min_val(&dividend, self.budget)?;
        let Optimum::At(least) = least else { return Ok(floor) };
        let greatest = self.context.max_val(&dividend, self.budget)?;
        let Optimum::At(greatest) = greatest else { return Ok(floor) };
        let value = least.div_floor(&quotient.denominator);
        if value == greatest.div_floor(&quotient.denominator) {
            return Ok(Aff::constant(&quotient.space, &value));
        }
        Ok(floor)
    }

    /// The remainder of the dividend, if the equalities fix it.
    fn remainder(&self, quotient: &Aff) -> Option<Int> {
        if !quotient.locals.is_empty() {
            return None;
        }
        let mut row = quotient.row.clone();
        row.insert_zeros(row.len(), self.n_locals);
        self.congruences.apply(&mut row);
        let divisor = &quotient.denominator;
        let is_fixed = row.gcd(1..row.len()).is_divisible_by(divisor);
        is_fixed.then(|| row.get(0).mod_floor(divisor))
    }
}

impl Aff {
    /// A simpler expression that is equal inside `context`.
    ///
    /// *Cost.* Linear for expressions without floors; two integer optima per floor that the
    /// equalities do not decide; an affine hull for a context of several pieces.
    ///
    /// ```
    /// use loopwright_presburger::{Aff, Budget, Set};
    /// let context = Set::parse("{ [i, j] : i = 32j + 5 }")?;
    /// let aff = Aff::parse("{ [i, j] -> [(i - 32*floor(i/32))] }")?;
    /// assert_eq!(aff.gist(&context, &Budget::unlimited())?.to_string(), "{ [i, j] -> [(5)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the context is in another space;
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        if !context.space().has_equal_tuples(&self.space) {
            return Err(mismatch("the gist of an expression", &self.space, context.space()));
        }
        let space = self.space.merge_params(context.space());
        let (aff, context) = (self.align_params(&space), context.align_params(&space));
        if context.plain_is_empty() || aff.nan {
            return Ok(aff);
        }
        let facts = Facts::new(&context, budget).during("gist")?;
        let prefix = |mut row: Row| {
            facts.dimensions.apply(&mut row);
            Ok(aff.linear(row))
        };
        aff.rebuilt(&prefix, &|quotient| facts.floor(&quotient))
    }
}
