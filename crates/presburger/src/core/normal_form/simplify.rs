//! The normal form of a conjunction of constraints.
//!
//! Every operation that changes constraints ends here, so the steps are cheap: no linear program
//! is solved. The normal form satisfies:
//!
//! * the equalities are solved: each has a pivot that occurs in no other constraint and in no
//!   floor, except in the equality `a l + e = 0` that states the congruence `e = 0 (mod a)`
//!   ([`crate::core::normal_form::equalities`]);
//! * the numerators of floors have no common divisor with their denominators, coefficients in
//!   `(-d/2, d/2]`, constants in `[0, d)`, use only parameters, dimensions and earlier floors,
//!   and no two floors are the same ([`crate::core::normal_form::floors`]);
//! * the coefficients of every inequality have no common divisor, no two inequalities have the
//!   same coefficients, opposite ones leave room for more than one value, and none follows from
//!   the definition of a floor ([`crate::core::normal_form::inequalities`]);
//! * a local is unknown only if it could not be eliminated exactly
//!   ([`crate::core::normal_form::existential_elimination`]);
//! * every local is used.
//!
//! A contradiction that shows up on the way makes the system empty; emptiness in general is
//! another matter.
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::normal_form::existential_elimination::Elimination;
use crate::core::normal_form::step::Step;
use crate::core::space::DimKind;
use loopwright_exact::Row;

impl BasicRelation {
    /// Brings the system into its normal form.
    pub(crate) fn simplify(&mut self) {
        self.simplify_noting(&mut |_| ());
    }

    /// The same; whenever bounds of an unknown are combined, `note` sees the inequalities that are
    /// left, without the results.
    pub(crate) fn simplify_noting(&mut self, note: &mut dyn FnMut(&[Row])) {
        if self.empty {
            return self.set_empty();
        }
        loop {
            if self.solve_equalities() == Step::Contradiction {
                return self.set_empty();
            }
            if self.normalize_floors() == Step::Changed {
                continue;
            }
            match self.simplify_inequalities(note) {
                Step::Contradiction => return self.set_empty(),
                Step::Changed => {}
                Step::Stable => break,
            }
        }
        self.drop_unused_locals();
    }

    /// Normalizes the inequalities and eliminates unknowns by combining them, until there is a new
    /// equality or a new floor.
    fn simplify_inequalities(&mut self, note: &mut dyn FnMut(&[Row])) -> Step {
        loop {
            match self.normalize_inequalities() {
                Step::Stable => {}
                step => return step,
            }
            match self.eliminate_unknowns(note) {
                Elimination::None => return Step::Stable,
                Elimination::Combined => {}
                Elimination::Rounded => return Step::Changed,
            }
        }
    }

    /// Removes the locals that no constraint uses, directly or through a floor.
    pub(crate) fn drop_unused_locals(&mut self) {
        let first = self.offset(DimKind::Local);
        let n = self.locals.len();
        let mut used = vec![false; n];
        for row in self.equalities.iter().chain(&self.inequalities) {
            mark_locals(row, first, &mut used);
        }
        for index in (0..n).rev().filter(|&index| matches!(self.locals[index], Local::Floor { .. }))
        {
            if let (true, Local::Floor { numerator, .. }) = (used[index], &self.locals[index]) {
                mark_locals(numerator, first, &mut used);
            }
        }
        if used.iter().all(|&used| used) {
            return;
        }
        let kept: Vec<usize> = (0..n).filter(|&index| used[index]).collect();
        let mut is_used = used.into_iter();
        self.locals.retain(|_| is_used.next().unwrap_or_default());
        for row in self.rows_mut() {
            row.retain_from(first, &kept);
        }
    }

    /// Brings the locals into an order.
    pub(crate) fn reorder_locals(&mut self, order: &[usize]) {
        let first = self.offset(DimKind::Local);
        let width = first + order.len();
        let mut place: Vec<usize> = (0..width).collect();
        for (new, &old) in order.iter().enumerate() {
            place[first + old] = first + new;
        }
        let locals = std::mem::take(&mut self.locals);
        self.locals = order.iter().map(|&old| locals[old].clone()).collect();
        for row in self.rows_mut() {
            *row = row.placed(&place, width);
        }
    }
}

/// Marks the locals that a row uses.
fn mark_locals(row: &Row, first: usize, used: &mut [bool]) {
    for (index, used) in used.iter_mut().enumerate() {
        *used |= !row.is_zero_at(first + index);
    }
}
