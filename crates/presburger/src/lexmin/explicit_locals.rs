//! Variables that are functions of the symbols without any case distinction.
//!
//! A column is *determined* when its value, in the lexicographic minimum or as a witness of an
//! existential, is a function of the symbols. The symbols are determined, and a floor of
//! determined columns is. Two more rules decide nearly everything that occurs in practice, so that
//! parametric integer programming is the exception:
//!
//! * an equality `a x + f = 0` with determined `f` determines `x`;
//! * if `a x + f >= 0`, with determined `f`, is the only constraint that bounds `x` from below,
//!   then `x` may be taken as small as this bound, `x = ceil(-f / a)`: every other constraint that
//!   involves `x` only becomes weaker when `x` decreases, whatever the other variables are. The
//!   same holds for upper bounds of existentials.
//!
//! An existential that is bounded on one side only constrains nothing at all.
use crate::core::align_locals::widen;
use crate::core::basic_relation::{BasicRelation, floor_bounds};
use crate::core::constraint::Local;
use loopwright_exact::{Int, Row};

/// A system and what is known of its columns.
pub(crate) struct ExplicitColumns {
    pub(crate) data: BasicRelation,
    /// Per column of the system.
    pub(crate) determined: Vec<bool>,
    /// The columns from here on (up to the locals) are minimized in their order.
    first_variable: usize,
    first_local: usize,
}

/// The constraints in which a column takes part.
struct Uses {
    lower: Vec<usize>,
    upper: Vec<usize>,
    elsewhere: bool,
}

impl ExplicitColumns {
    /// Applies the rules to a system whose columns before `first_variable` are symbols, until
    /// nothing changes.
    pub(crate) fn new(data: BasicRelation, first_variable: usize) -> Self {
        let first_local = data.n_columns() - data.locals.len();
        let determined = (0..data.n_columns()).map(|column| column < first_variable).collect();
        let mut columns = ExplicitColumns { data, determined, first_variable, first_local };
        while columns.floors() | columns.equality()
            || columns.output_bound()
            || columns.existential()
        {}
        columns
    }

    /// Whether all columns that are minimized are determined.
    pub(crate) fn has_determined_outputs(&self) -> bool {
        self.determined[self.first_variable..self.first_local].iter().all(|&known| known)
    }

    /// Whether all columns are determined.
    pub(crate) fn is_determined(&self) -> bool {
        self.determined.iter().all(|&known| known)
    }

    fn is_row_determined(&self, row: &Row, except: Option<usize>) -> bool {
        (1..row.len()).all(|c| Some(c) == except || self.determined[c] || row.is_zero_at(c))
    }

    /// Marks the floors of determined columns.
    fn floors(&mut self) -> bool {
        let mut changed = false;
        for index in 0..self.data.locals.len() {
            let column = self.first_local + index;
            if let Local::Floor { numerator, .. } = &self.data.locals[index]
                && !self.determined[column]
                && self.is_row_determined(numerator, None)
            {
                self.determined[column] = true;
                changed = true;
            }
        }
        changed
    }

    /// Marks the columns that equalities determine.
    fn equality(&mut self) -> bool {
        let mut changed = false;
        for index in 0..self.data.equalities.len() {
            let row = &self.data.equalities[index];
            let Some(column) = (1..row.len()).find(|&c| !self.determined[c] && !row.is_zero_at(c))
            else {
                continue;
            };
            if !self.is_row_determined(row, Some(column)) {
                continue;
            }
            let (numerator, denominator) = solved(row, column);
            if column >= self.first_local {
                self.state_floor(column);
                self.define(column, numerator, denominator);
            }
            self.determined[column] = true;
            changed = true;
        }
        changed
    }

    /// Takes the first undetermined column of the objective as small as its only lower bound.
    fn output_bound(&mut self) -> bool {
        let mut outputs = self.first_variable..self.first_local;
        let Some(column) = outputs.find(|&column| !self.determined[column]) else { return false };
        let uses = self.uses(column);
        let [lower] = uses.lower[..] else { return false };
        let row = &self.data.inequalities[lower];
        if uses.elsewhere || !self.is_row_determined(row, Some(column)) {
            return false;
        }
        let mut row = self.data.inequalities.swap_remove(lower);
        let coefficient = row.get(column);
        if !coefficient.is_one() {
            let (mut numerator, denominator) = solved(&row, column);
            numerator.set(0, &(&numerator.get(0) + &denominator) - &Int::ONE);
            widen(&mut self.data, row.len() + 1);
            numerator.push(Int::ZERO);
            self.data.locals.push(Local::Floor { numerator, denominator });
            self.determined.push(true);
            row = Row::zeros(self.determined.len());
            row.set(column, Int::ONE);
            row.set(row.len() - 1, -Int::ONE);
        }
        self.data.equalities.push(row);
        self.determined[column] = true;
        true
    }

    /// Finds a witness for an existential, or removes the constraints of one that is free.
    fn existential(&mut self) -> bool {
        for column in self.first_local..self.determined.len() {
            if self.determined[column] || !self.is_unknown(column) {
                continue;
            }
            let uses = self.uses(column);
            if uses.elsewhere {
                continue;
            }
            if uses.lower.is_empty() || uses.upper.is_empty() {
                self.data.inequalities.retain(|row| row.is_zero_at(column));
                self.define(column, Row::zeros(self.determined.len()), Int::ONE);
                return true;
            }
            for (bounds, is_lower) in [(&uses.lower, true), (&uses.upper, false)] {
                let [index] = bounds[..] else { continue };
                if !self.is_row_determined(&self.data.inequalities[index], Some(column)) {
                    continue;
                }
                let row = self.data.inequalities.swap_remove(index);
                let (mut numerator, denominator) = solved(&row, column);
                if is_lower {
                    numerator.set(0, &(&numerator.get(0) + &denominator) - &Int::ONE);
                }
                self.define(column, numerator, denominator);
                return true;
            }
        }
        false
    }

    fn uses(&self, column: usize) -> Uses {
        let mut uses = Uses { lower: Vec::new(), upper: Vec::new(), elsewhere: false };
        for (index, row) in self.data.inequalities.iter().enumerate() {
            match row.sign(column) {
                1 => uses.lower.push(index),
                -1 => uses.upper.push(index),
                _ => {}
            }
        }
        uses.elsewhere = self.data.equalities.iter().any(|row| !row.is_zero_at(column))
            || self.data.locals.iter().any(|local| match local {
                Local::Floor { numerator, .. } => !numerator.is_zero_at(column),
                Local::Unknown => false,
            });
        uses
    }

    fn is_unknown(&self, column: usize) -> bool {
        column >= self.first_local
            && matches!(self.data.locals[column - self.first_local], Local::Unknown)
    }

    /// Makes the definition of a floor, if it is one, a pair of constraints.
    fn state_floor(&mut self, column: usize) {
        if let Local::Floor { numerator, denominator } =
            &self.data.locals[column - self.first_local]
        {
            let bounds = floor_bounds(numerator, denominator, column);
            self.data.inequalities.extend(bounds);
        }
    }

    fn define(&mut self, column: usize, numerator: Row, denominator: Int) {
        self.data.locals[column - self.first_local] = Local::Floor { numerator, denominator };
        self.determined[column] = true;
    }

    /// The system with its locals ordered such that floors only use earlier ones.
    pub(crate) fn into_ordered_data(self) -> BasicRelation {
        order_locals(self.data)
    }
}

/// `x = numerator / denominator` from `row = 0`, with a positive denominator.
fn solved(row: &Row, column: usize) -> (Row, Int) {
    let mut numerator = row.clone();
    numerator.set(column, Int::ZERO);
    if row.sign(column) > 0 {
        numerator.negate();
    }
    (numerator, row.get(column).abs())
}

/// Reorders the locals of a system such that floors only use earlier ones; unknown locals first.
fn order_locals(mut data: BasicRelation) -> BasicRelation {
    let first = data.n_columns() - data.locals.len();
    let count = data.locals.len();
    let mut order: Vec<usize> = Vec::with_capacity(count);
    let mut placed = vec![false; count];
    while order.len() < count {
        let before = order.len();
        for index in 0..count {
            let is_ready = !placed[index]
                && match &data.locals[index] {
                    Local::Unknown => true,
                    Local::Floor { numerator, .. } => {
                        (0..count).all(|other| placed[other] || numerator.is_zero_at(first + other))
                    }
                };
            if is_ready {
                placed[index] = true;
                order.push(index);
            }
        }
        assert!(order.len() > before, "floors are defined by columns determined before them");
    }
    if order.iter().enumerate().all(|(position, &index)| position == index) {
        return data;
    }
    let permuted = |row: &Row| {
        let mut target = row.clone();
        for (position, &index) in order.iter().enumerate() {
            target.set(first + position, row.get(first + index));
        }
        target
    };
    let locals = order.iter().map(|&index| match &data.locals[index] {
        Local::Unknown => Local::Unknown,
        Local::Floor { numerator, denominator } => {
            Local::Floor { numerator: permuted(numerator), denominator: denominator.clone() }
        }
    });
    let locals = locals.collect();
    for row in data.equalities.iter_mut().chain(&mut data.inequalities) {
        *row = permuted(row);
    }
    data.locals = locals;
    data
}
