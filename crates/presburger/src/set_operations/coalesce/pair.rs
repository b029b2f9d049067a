//! The comparison of two pieces.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::set_operations::coalesce::piece::{Piece, Side, Status};
use crate::set_operations::coalesce::{dimension, segment, wrapping};
use crate::solve::simplex::Tableau;
use crate::solve::system::System;
use loopwright_exact::Row;

/// Pairs of violated sides that are tried before a merge is given up.
const MAX_PAIRS: usize = 64;

/// Pairs for which an integer point outside of both pieces is searched if there is a rational one.
const MAX_SEARCHES: usize = 12;

/// What the comparison of two pieces has found.
pub(super) enum Merged {
    /// They stay as they are.
    Neither,
    /// The first contains the second.
    First,
    /// The second contains the first.
    Second,
    /// One basic relation with the points of both.
    Both(Box<Piece>),
}

/// Merges two pieces if a rule applies.
pub(super) fn merged(a: &mut Piece, b: &mut Piece, budget: &Budget) -> Result<Merged> {
    if a.basic.locals() == b.basic.locals() {
        return merged_over_common_columns(a, b, budget);
    }
    if a.find_points(budget)? {
        return Ok(Merged::Second);
    }
    if b.find_points(budget)? {
        return Ok(Merged::First);
    }
    let [mut a, mut b] = Piece::over_common_columns(a, b);
    merged_over_common_columns(&mut a, &mut b, budget)
}

fn merged_over_common_columns(a: &mut Piece, b: &mut Piece, budget: &Budget) -> Result<Merged> {
    if a.is_plainly_apart(b) || segment::has_gap(a, b) || dimension::differs_too_much(a, b) {
        return Ok(Merged::Neither);
    }
    let mut of_a = Split::plain(a, b);
    if of_a.is_held() {
        return Ok(Merged::First);
    }
    let mut of_b = Split::plain(b, a);
    if of_b.is_held() {
        return Ok(Merged::Second);
    }
    if !(of_a.is_known() && of_b.is_known() && all_face(a, &of_a, b, &of_b)) {
        let n_points = [a.points().len(), b.points().len()];
        if a.find_points(budget)? {
            return Ok(Merged::Second);
        }
        if b.find_points(budget)? {
            return Ok(Merged::First);
        }
        of_a.look_at_points(a, b);
        of_b.look_at_points(b, a);
        let has_new_points = n_points != [a.points().len(), b.points().len()];
        let n_pairs = of_a.n_violated() * of_b.n_violated();
        if n_pairs > MAX_PAIRS || has_new_points && segment::has_gap(a, b) {
            return Ok(Merged::Neither);
        }
        let is_settled = of_a.settle(a, b, of_b.n_violated(), budget)?;
        if of_a.is_held() {
            return Ok(Merged::First);
        }
        if !is_settled || !of_b.settle(b, a, of_a.n_violated(), budget)? {
            return Ok(Merged::Neither);
        }
        if of_b.is_held() {
            return Ok(Merged::Second);
        }
        if segment::leaves_both_by_one(a, b)
            || !common_constraints_suffice(a, &of_a, b, &of_b, false, budget)?
        {
            if let Some(joined) = wrapping::merged(a, &of_a, b, &of_b, budget)? {
                return Ok(Merged::Both(Box::new(Piece::merged(joined, [a, b]))));
            }
            let n_pairs = of_a.n_violated() * of_b.n_violated();
            let searches = n_pairs <= MAX_SEARCHES && !a.basic.locals().is_empty();
            if !searches || !common_constraints_suffice(a, &of_a, b, &of_b, true, budget)? {
                return Ok(Merged::Neither);
            }
        }
    }
    let common = BasicMap::from_data(common_constraints(a, &of_a, b, &of_b));
    Ok(Merged::Both(Box::new(Piece::merged(common, [a, b]))))
}

/// The statuses of the sides of one piece on another one.
pub(super) struct Split(Vec<Status>);

impl Split {
    /// What parallel sides tell.
    fn plain(own: &Piece, other: &Piece) -> Self {
        Split(own.sides.iter().map(|side| other.plain_status(side)).collect())
    }

    fn is_held(&self) -> bool {
        self.0.iter().all(|status| *status == Status::Held)
    }

    fn is_known(&self) -> bool {
        self.0.iter().all(|status| *status != Status::Unknown)
    }

    fn n_violated(&self) -> usize {
        self.0.iter().filter(|status| **status == Status::Violated).count()
    }

    /// Finds the sides that known points violate.
    fn look_at_points(&mut self, own: &Piece, other: &Piece) {
        for (status, side) in self.0.iter_mut().zip(&own.sides) {
            let is_violated = |point: &Row| side.row.dot(point).is_negative();
            if *status == Status::Unknown && other.points().iter().any(is_violated) {
                *status = Status::Violated;
            }
        }
    }

    /// Decides the unknown statuses; false as soon as a gap appears or there are too many violated
    /// sides.
    fn settle(
        &mut self,
        own: &Piece,
        other: &mut Piece,
        n_opposite: usize,
        budget: &Budget,
    ) -> Result<bool> {
        for index in 0..own.sides.len() {
            if self.0[index] != Status::Unknown {
                continue;
            }
            let n_points = other.points().len();
            let is_violated = other.violates(&own.sides[index], budget)?;
            self.0[index] = if is_violated { Status::Violated } else { Status::Held };
            let is_new = other.points().len() > n_points;
            if is_new && segment::has_gap_to_last(own, other)
                || self.n_violated() * n_opposite > MAX_PAIRS
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn violated<'a>(&'a self, own: &'a Piece) -> impl Iterator<Item = &'a Side> + Clone {
        self.with_status(own, Status::Violated)
    }

    fn with_status<'a>(
        &'a self,
        own: &'a Piece,
        wanted: Status,
    ) -> impl Iterator<Item = &'a Side> + Clone {
        let pairs = self.0.iter().zip(&own.sides);
        pairs.filter(move |(status, _)| **status == wanted).map(|(_, side)| side)
    }

    /// Adds the sides that hold.
    fn push_held(&self, own: &Piece, common: &mut BasicRelation) {
        let halves = 2 * own.data().equalities.len();
        let is_held = |status: Status| status == Status::Held;
        for (index, equality) in own.data().equalities.iter().enumerate() {
            let held = [2 * index, 2 * index + 1].map(|half| is_held(self.0[half]));
            match held {
                [true, true] => common.equalities.push(equality.clone()),
                [false, false] => {}
                [first, _] => {
                    let half = &own.sides[2 * index + usize::from(!first)];
                    common.inequalities.push(half.row.clone());
                }
            }
        }
        let inequalities = own.sides[halves..].iter().zip(&self.0[halves..]);
        let held = inequalities.filter(|(_, status)| is_held(**status));
        common.inequalities.extend(held.map(|(side, _)| side.row.clone()));
    }
}

/// Whether each violated side of one piece faces each of the other.
fn all_face(a: &Piece, of_a: &Split, b: &Piece, of_b: &Split) -> bool {
    of_a.violated(a).all(|first| of_b.violated(b).all(|second| first.faces(second)))
}

/// The constraints of two pieces that hold on both.
pub(super) fn common_constraints(
    a: &Piece,
    of_a: &Split,
    b: &Piece,
    of_b: &Split,
) -> BasicRelation {
    let mut common = BasicRelation::new(a.basic.space().clone(), a.basic.locals().to_vec());
    of_a.push_held(a, &mut common);
    of_b.push_held(b, &mut common);
    common
}

/// Whether no point that satisfies the common constraints violates a side of each piece: no
/// rational point, or after a search no integer point.
fn common_constraints_suffice(
    a: &Piece,
    of_a: &Split,
    b: &Piece,
    of_b: &Split,
    searches: bool,
    budget: &Budget,
) -> Result<bool> {
    let mut system: Option<(System, Tableau)> = None;
    for first in of_a.violated(a) {
        let mut outside: Option<Tableau> = None;
        for second in of_b.violated(b).filter(|second| !first.faces(second)) {
            if system.is_none() {
                let common = System::from_data(&common_constraints(a, of_a, b, of_b));
                let tableau = common.tableau(budget)?;
                system = Some((common, tableau));
            }
            let Some((common, tableau)) = &system else { continue };
            if outside.is_none() {
                let mut part = tableau.clone();
                part.add_inequality(&first.violation(), budget)?;
                outside = Some(part);
            }
            let Some(part) = &mut outside else { continue };
            if part.implies_at_integers(&second.row, budget)? {
                continue;
            }
            if !searches {
                return Ok(false);
            }
            let rest = common.with_inequality(first.violation());
            if rest.with_inequality(second.violation()).find_point(budget)?.is_some() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
