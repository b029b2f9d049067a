//! Exact elimination of unknown locals from inequalities.
//!
//! Once the equalities are solved, an unknown `x` occurs in inequalities only:
//! `a_i x + e_i >= 0` with `a_i > 0` (lower bounds) and `u_j - b_j x >= 0` with `b_j > 0` (upper
//! bounds). An integer `x` exists exactly if every lower bound, rounded up, is at most every upper
//! bound, rounded down. So the condition is the conjunction over all pairs of
//!
//! ```text
//!     ⌈-e_i / a_i⌉ <= ⌊u_j / b_j⌋
//! ```
//!
//! * `a_i = 1`: `u_j + b_j e_i >= 0`, as in Fourier and Motzkin's method,
//! * `b_j = 1`: `e_i + a_i u_j >= 0`,
//! * otherwise `e_i + a_i ⌊u_j / b_j⌋ >= 0` (or `u_j + b_j ⌊e_i / a_i⌋ >= 0`), which is exact by
//!   means of a new floor and needs no case distinction.
//!
//! A floor may not use unknowns, so the last form needs a side of the bounds free of other
//! unknowns; an unknown that is coupled to others on both sides with coefficients other than 1
//! stays. With bounds on one side only the condition is empty.
//!
//! Two opposite bounds `0 <= n - d x <= r` with `r < d` leave one value: `x = ⌊n/d⌋`.
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::normal_form::inequalities::compare_coefficients;
use crate::core::space::DimKind;
use loopwright_exact::{Int, Row};

/// More pairs of bounds than this are not multiplied out; the unknown stays.
const MAX_PAIRS: usize = 64;

/// How an unknown occurs in the inequalities.
struct Bounds {
    column: usize,
    /// Positions of the inequalities with a positive coefficient.
    lower: Vec<usize>,
    /// Positions of the inequalities with a negative coefficient.
    upper: Vec<usize>,
}

/// The side whose bounds are rounded in pairs without a coefficient 1.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounded {
    Neither,
    Lower,
    Upper,
}

/// How an unknown was eliminated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Elimination {
    /// There is none that can be.
    None,
    /// By combining inequalities or dropping some.
    Combined,
    /// With a new floor.
    Rounded,
}

impl BasicRelation {
    /// Eliminates an unknown, or finds that none can be. If its bounds are combined, `note` sees the
    /// inequalities that are left, without the results.
    pub(crate) fn eliminate_unknowns(&mut self, note: &mut dyn FnMut(&[Row])) -> Elimination {
        let bounds = self.bounds_of_unknowns();
        if bounds.is_empty() {
            return Elimination::None;
        }
        if self.recognize_floors(&bounds) {
            return Elimination::Rounded;
        }
        if self.drop_unbounded(&bounds) {
            return Elimination::Combined;
        }
        let mut best: Option<(usize, Rounded, &Bounds)> = None;
        for candidate in &bounds {
            let pairs = candidate.lower.len() * candidate.upper.len();
            let cost = (pairs + MAX_PAIRS) - candidate.lower.len() - candidate.upper.len();
            if pairs <= MAX_PAIRS
                && best.as_ref().is_none_or(|(least, ..)| cost < *least)
                && let Some(rounded) = self.side_to_round(candidate)
            {
                best = Some((cost, rounded, candidate));
            }
        }
        match best {
            Some((_, rounded, bounds)) => {
                self.combine_bounds(bounds, rounded, note);
                match rounded {
                    Rounded::Neither => Elimination::Combined,
                    Rounded::Lower | Rounded::Upper => Elimination::Rounded,
                }
            }
            None => Elimination::None,
        }
    }

    /// The unknowns that occur in inequalities, with their bounds.
    fn bounds_of_unknowns(&self) -> Vec<Bounds> {
        let first = self.offset(DimKind::Local);
        let unknown = (0..self.locals.len()).filter(|&i| self.locals[i].is_unknown());
        let all = unknown.map(|index| {
            let column = first + index;
            let mut bounds = Bounds { column, lower: Vec::new(), upper: Vec::new() };
            for (position, row) in self.inequalities.iter().enumerate() {
                match row.sign(column) {
                    1 => bounds.lower.push(position),
                    -1 => bounds.upper.push(position),
                    _ => {}
                }
            }
            bounds
        });
        all.filter(|bounds| !bounds.lower.is_empty() || !bounds.upper.is_empty()).collect()
    }

    /// Drops the bounds of unknowns that are bounded on one side only.
    fn drop_unbounded(&mut self, bounds: &[Bounds]) -> bool {
        let one_sided = |bounds: &&Bounds| bounds.lower.is_empty() || bounds.upper.is_empty();
        let columns: Vec<usize> = bounds.iter().filter(one_sided).map(|b| b.column).collect();
        self.inequalities.retain(|row| columns.iter().all(|&column| row.is_zero_at(column)));
        !columns.is_empty()
    }

    /// Defines those unknowns as floors whose bounds leave one value.
    fn recognize_floors(&mut self, bounds: &[Bounds]) -> bool {
        for unknown in bounds {
            for &upper in &unknown.upper {
                let lower = unknown.lower.iter().copied().find(|&lower| {
                    self.leave_one_value(unknown.column, lower, upper)
                        && !self.uses_other_unknowns(upper, unknown.column)
                });
                if lower.is_some() {
                    self.define_floor(unknown.column, upper);
                    return true;
                }
            }
        }
        false
    }

    /// Whether two inequalities are `0 <= n - d x <= r` with `r < d`.
    fn leave_one_value(&self, column: usize, lower: usize, upper: usize) -> bool {
        let (lower, upper) = (&self.inequalities[lower], &self.inequalities[upper]);
        compare_coefficients(lower, upper).is_eq()
            && lower.get(0) + upper.get(0) < lower.get(column)
    }

    /// Makes the unknown the floor of the upper bound, which then holds by definition.
    fn define_floor(&mut self, column: usize, upper: usize) {
        let mut numerator = self.inequalities.remove(upper);
        let denominator = -numerator.get(column);
        numerator.set(column, Int::ZERO);
        let index = column - self.offset(DimKind::Local);
        self.locals[index] = Local::Floor { numerator, denominator };
        if let Some(order) = self.sorted_order() {
            self.reorder_locals(&order);
        }
    }

    fn uses_other_unknowns(&self, position: usize, column: usize) -> bool {
        let first = self.offset(DimKind::Local);
        let row = &self.inequalities[position];
        (first..row.len()).any(|other| {
            other != column && self.locals[other - first].is_unknown() && !row.is_zero_at(other)
        })
    }

    /// Which bounds to round in pairs without a coefficient 1; none if neither side can be.
    fn side_to_round(&self, bounds: &Bounds) -> Option<Rounded> {
        let not_unit =
            |&&position: &&usize| !self.inequalities[position].get(bounds.column).abs().is_one();
        let lower: Vec<usize> = bounds.lower.iter().filter(not_unit).copied().collect();
        let upper: Vec<usize> = bounds.upper.iter().filter(not_unit).copied().collect();
        if lower.is_empty() || upper.is_empty() {
            return Some(Rounded::Neither);
        }
        let free = |side: &[usize]| {
            !side.iter().any(|&position| self.uses_other_unknowns(position, bounds.column))
        };
        match (free(&lower), free(&upper)) {
            (_, true) if upper.len() <= lower.len() => Some(Rounded::Upper),
            (true, _) => Some(Rounded::Lower),
            (false, true) => Some(Rounded::Upper),
            (false, false) => None,
        }
    }

    /// Replaces the bounds of an unknown by the condition that a value exists.
    fn combine_bounds(&mut self, bounds: &Bounds, rounded: Rounded, note: &mut dyn FnMut(&[Row])) {
        let column = bounds.column;
        let take = |positions: &[usize]| -> Vec<Row> {
            positions.iter().map(|&position| self.inequalities[position].clone()).collect()
        };
        let (mut lower, mut upper) = (take(&bounds.lower), take(&bounds.upper));
        self.inequalities.retain(|row| row.is_zero_at(column));
        match rounded {
            Rounded::Neither => {}
            Rounded::Lower => self.round_bounds(&mut lower, &mut upper, column),
            Rounded::Upper => self.round_bounds(&mut upper, &mut lower, column),
        }
        note(&self.inequalities);
        for low in &lower {
            for high in &upper {
                let mut row = low.clone();
                row.eliminate(column, high);
                self.inequalities.push(row);
            }
        }
    }

    /// Adds floors that round the bounds on one side to a coefficient of 1.
    ///
    /// `±a x + e >= 0` becomes `±x + ⌊e/a⌋ >= 0`, which is the same for integers.
    fn round_bounds(&mut self, rounded: &mut [Row], others: &mut [Row], column: usize) {
        let width = self.n_columns();
        let n_floors = rounded.iter().filter(|row| !row.get(column).abs().is_one()).count();
        for row in self.rows_mut().chain(rounded.iter_mut()).chain(others.iter_mut()) {
            row.insert_zeros(width, n_floors);
        }
        let fractions = rounded.iter_mut().filter(|row| !row.get(column).abs().is_one());
        for (floor, row) in (width..).zip(fractions) {
            let factor = row.get(column);
            let mut bound = Row::zeros(row.len());
            bound.set(column, Int::from(factor.signum()));
            bound.set(floor, Int::ONE);
            let mut numerator = std::mem::replace(row, bound);
            numerator.set(column, Int::ZERO);
            self.locals.push(Local::Floor { numerator, denominator: factor.abs() });
        }
    }
}
