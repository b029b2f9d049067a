//! What is known of the symbols on a path of parametric integer programming.
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::Result;
use crate::core::rows::tightened;
use crate::solve::point_search::PointSearch;
use loopwright_exact::{Int, Row};

/// The most cuts in place of splits on one path: each may add a nested floor.
pub(crate) const MOST_EARLY_CUTS: u32 = 1;

/// The work for a point in the part of a context that a split would give up at once.
pub(crate) const SPLIT: u64 = 2000;

/// What is known of the symbols: constraints over `[constant | symbols | floors]`, no unknowns.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub(crate) data: BasicRelation,
    pub(crate) search: PointSearch,
    /// How many cuts were added in place of splits.
    pub(crate) n_early_cuts: u32,
}

/// The sign of an expression in the integer points of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContextSign {
    Negative,
    NonNegative,
    Mixed,
}

impl Context {
    /// A context from a system without unknown locals.
    pub(crate) fn new(data: BasicRelation) -> Self {
        let search = PointSearch::new(&data);
        Context { data, search, n_early_cuts: 0 }
    }

    /// The search for points of the context.
    pub(crate) fn search(&self) -> &PointSearch {
        &self.search
    }

    /// Whether there are no integer points.
    pub(crate) fn is_empty(&mut self, budget: &Budget) -> Result<bool> {
        Ok(self.data.empty || self.search.is_empty(budget)?)
    }

    /// Where a split costs nothing, because the part with negative values is given up at once, it
    /// need not be known to be non-empty: the search for a point of it ends soon.
    pub(crate) fn sign(
        &mut self,
        row: &Row,
        may_split: bool,
        budget: &Budget,
    ) -> Result<ContextSign> {
        if let Some(known) = self.plain_sign(row) {
            return Ok(known);
        }
        let implies = match may_split && self.search.is_seen(row) {
            true => budget.attempt(SPLIT, |b| self.search.implies(row, b))?,
            false => Some(self.search.implies(row, budget)?),
        };
        match implies {
            Some(true) => return Ok(ContextSign::NonNegative),
            None => return Ok(ContextSign::Mixed),
            Some(false) => {}
        }
        if self.search.is_possible(row, budget)? {
            return Ok(ContextSign::Mixed);
        }
        Ok(ContextSign::Negative)
    }

    /// The sign as far as one constraint of the context tells it.
    fn plain_sign(&self, row: &Row) -> Option<ContextSign> {
        let symbols = 1..row.len();
        if row.first_nonzero(symbols.clone()).is_none() {
            let negative = row.sign(0) < 0;
            return Some(if negative { ContextSign::Negative } else { ContextSign::NonNegative });
        }
        let tight = tightened(row);
        for known in &self.data.inequalities {
            if symbols.clone().all(|column| known.get(column) == tight.get(column)) {
                if known.get(0) <= tight.get(0) {
                    return Some(ContextSign::NonNegative);
                }
            } else if symbols.clone().all(|column| known.get(column) == -tight.get(column))
                && (&known.get(0) + &tight.get(0)).is_negative()
            {
                return Some(ContextSign::Negative);
            }
        }
        None
    }

    pub(crate) fn with(&mut self, inequality: Row, budget: &Budget) -> Result<Context> {
        let inequality = tightened(&inequality);
        let mut data = self.data.clone();
        data.inequalities.push(inequality.clone());
        let search = self.search.restricted(inequality, budget)?;
        Ok(Context { data, search, n_early_cuts: self.n_early_cuts })
    }

    /// The column of `floor(numerator / denominator)`, and whether it is new.
    pub(crate) fn floor(&mut self, numerator: Row, denominator: Int) -> (usize, bool) {
        let first = self.data.n_columns() - self.data.locals.len();
        let floor = Local::Floor { numerator: numerator.clone(), denominator: denominator.clone() };
        if let Some(index) = self.data.locals.iter().position(|local| *local == floor) {
            return (first + index, false);
        }
        self.search.add_floor(numerator, denominator);
        self.data.locals.push(floor);
        let end = self.data.n_columns();
        for local in &mut self.data.locals {
            if let Local::Floor { numerator, .. } = local {
                numerator.insert_zeros(numerator.len(), end - numerator.len());
            }
        }
        for row in self.data.equalities.iter_mut().chain(&mut self.data.inequalities) {
            row.insert_zeros(row.len(), 1);
        }
        (end - 1, true)
    }
}

/// The minimum in a part of the context.
pub(crate) struct Solution {
    /// The part.
    pub(crate) context: Context,
    /// The values of the variables over `[constant | symbols | floors]` of the part's context.
    pub(crate) values: Vec<Row>,
}
