//! A piece of a union with the questions that are asked about it.
use crate::core::align_locals::{Aligned, over_common_columns};
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::rows::{direction_key, is_parallel, negation};
use crate::core::space::DimKind;
use crate::set_operations::coalesce::{dimension, segment};
use crate::solve::point_search::PointSearch;
use loopwright_exact::{Int, Row};
use std::cell::OnceCell;

/// Points are looked for at this distance from each other.
const FAR: i64 = 64;

/// An inequality `row >= 0`, or one half of an equality.
#[derive(Clone)]
pub(super) struct Side {
    pub(super) row: Row,
    /// Of the coefficients; the opposite direction has the negative key.
    key: i64,
    /// The largest coefficient: by so much the side changes from an integer point to a next one.
    pub(super) stride: Int,
}

/// What is known of a side on all points of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// It holds.
    Held,
    /// Some rational point violates it, at least by one.
    Violated,
    Unknown,
}

impl Side {
    pub(super) fn new(row: Row) -> Self {
        let largest = (1..row.len()).map(|column| row.get(column).abs()).max();
        Side { key: direction_key(&row), stride: largest.unwrap_or(Int::ZERO), row }
    }

    /// Whether the coefficients are the same.
    fn is_parallel(&self, other: &Side) -> bool {
        self.key == other.key && is_parallel(&self.row, &other.row, 1)
    }

    /// Whether the coefficients are opposite.
    fn is_opposite(&self, other: &Side) -> bool {
        self.key == other.key.wrapping_neg() && is_parallel(&self.row, &other.row, -1)
    }

    /// Whether the coefficients are the sums of those of two other sides.
    fn is_sum(&self, first: &Side, second: &Side) -> bool {
        (1..self.row.len()).all(|c| self.row.get(c) == first.row.get(c) + second.row.get(c))
    }

    /// Whether no integer point violates both sides because these face each other.
    pub(super) fn faces(&self, other: &Side) -> bool {
        self.is_opposite(other) && self.row.get(0) + other.row.get(0) >= Int::MINUS_ONE
    }

    /// Whether there is a value strictly between those that both sides allow.
    fn is_apart(&self, other: &Side) -> bool {
        self.is_opposite(other) && self.row.get(0) + other.row.get(0) < Int::MINUS_ONE
    }

    /// Where it is violated, as an inequality.
    pub(super) fn violation(&self) -> Row {
        negation(&self.row)
    }
}

/// A piece, its sides, and the search for its points.
pub(super) struct Piece {
    pub(super) basic: BasicMap,
    /// The two halves of each equality, one after the other, and then the inequalities.
    pub(super) sides: Vec<Side>,
    /// Made when it is needed for the first time: most pairs are told apart by their sides.
    search: OnceCell<PointSearch>,
    /// For each equality a column that no other equality uses.
    pivots: Vec<usize>,
    /// See [`segment::step`].
    step: Int,
}

impl Piece {
    pub(super) fn new(basic: BasicMap) -> Self {
        let data = &basic.inner;
        Piece {
            sides: sides(&data.equalities, &data.inequalities),
            search: OnceCell::new(),
            pivots: dimension::pivots(&data.equalities),
            step: segment::step(data),
            basic,
        }
    }

    /// The same piece or a larger one, with the known points of its parts.
    fn with_points(mut self, parts: &[&Piece]) -> Self {
        let n_shared = self.basic.offset(DimKind::Local);
        for part in parts {
            if let Some(known) = part.search.get() {
                self.search_mut().adopt_points(known, n_shared);
            }
        }
        self
    }

    /// The merged piece, with the known points of its parts.
    pub(super) fn merged(basic: BasicMap, parts: [&Piece; 2]) -> Self {
        Piece::new(basic).with_points(&parts)
    }

    /// Two pieces over the same columns, in the space of the first.
    pub(super) fn over_common_columns(a: &Piece, b: &Piece) -> [Piece; 2] {
        let both = [a.basic.clone(), b.basic.clone()];
        let (columns, constraints) = over_common_columns(&both, a.basic.space());
        let piece = |own: &Aligned| Piece::new(BasicMap::from_normal_data(own.system(&columns)));
        [piece(&constraints[0]).with_points(&[a]), piece(&constraints[1]).with_points(&[b])]
    }

    /// A bound on the distance of the values that forms take on the lattice of the piece.
    pub(super) fn step(&self) -> &Int {
        &self.step
    }

    /// For each equality a column that no other equality uses, as far as there are such columns.
    pub(super) fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// The search for points.
    pub(super) fn search(&self) -> &PointSearch {
        self.search.get_or_init(|| PointSearch::new(&self.basic.inner))
    }

    fn search_mut(&mut self) -> &mut PointSearch {
        self.search();
        self.search.get_mut().expect("the search has just been made")
    }

    /// The points that are known.
    pub(super) fn points(&self) -> &[Row] {
        self.search.get().map_or(&[], PointSearch::points)
    }

    pub(super) fn data(&self) -> &BasicRelation {
        &self.basic.inner
    }

    /// Whether there is no integer point.
    pub(super) fn is_empty(&mut self, budget: &Budget) -> Result<bool> {
        if self.points().is_empty() && self.is_plainly_nonempty() {
            return Ok(false);
        }
        self.search_mut().is_empty(budget)
    }

    /// Whether the constraints restrict one column each, which the normal form has made consistent.
    fn is_plainly_nonempty(&self) -> bool {
        let data = self.data();
        data.locals.is_empty()
            && data.equalities.iter().all(|row| row.last_unit(1..row.len()).is_some())
            && data.inequalities.iter().all(|row| {
                let columns = 1..row.len();
                row.first_nonzero(columns.clone()) == row.last_nonzero(columns)
            })
    }

    /// Finds some points; whether there is none.
    pub(super) fn find_points(&mut self, budget: &Budget) -> Result<bool> {
        let search = self.search_mut();
        let is_new = search.points().is_empty();
        let is_empty = search.is_empty(budget)?;
        if is_new && !is_empty {
            search.spread(FAR);
        }
        Ok(is_empty)
    }

    /// Whether a form leaves a value out between the two pieces, which have no locals. On the segment
    /// from one to the other, this value violates both by one, so that the common constraints do
    /// not describe the union, and neither piece sticks out of the other by one only.
    pub(super) fn is_plainly_apart(&self, other: &Piece) -> bool {
        self.data().locals.is_empty()
            && other.data().locals.is_empty()
            && self.sides.iter().any(|side| other.sides.iter().any(|other| side.is_apart(other)))
    }

    /// What single sides of this piece, and sums of two sides, say of a side.
    pub(super) fn plain_status(&self, side: &Side) -> Status {
        for own in &self.sides {
            if own.is_parallel(side) {
                if own.row.get(0) <= side.row.get(0) {
                    return Status::Held;
                }
            } else if own.is_opposite(side) && (own.row.get(0) + side.row.get(0)).is_negative() {
                return Status::Violated;
            }
        }
        for (index, first) in self.sides.iter().enumerate() {
            let wanted = side.key.wrapping_sub(first.key);
            let matches = |second: &&Side| second.key == wanted && side.is_sum(first, second);
            let mut others = self.sides[index + 1..].iter().filter(matches);
            if others.any(|second| first.row.get(0) + second.row.get(0) <= side.row.get(0)) {
                return Status::Held;
            }
        }
        Status::Unknown
    }

    /// Whether some point violates a side. A rational point counts if the columns have no floors:
    /// then it is hardly ever the only one.
    pub(super) fn violates(&mut self, side: &Side, budget: &Budget) -> Result<bool> {
        let violation = side.violation();
        match self.data().locals.is_empty() {
            true => self.search_mut().is_rationally_possible(&violation, budget),
            false => self.search_mut().is_possible(&violation, budget),
        }
    }
}

/// Both halves of all equalities, and the inequalities.
fn sides(equalities: &[Row], inequalities: &[Row]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(2 * equalities.len() + inequalities.len());
    for row in equalities {
        let mut opposite = row.clone();
        opposite.negate();
        let half = Side::new(row.clone());
        sides.push(Side { row: opposite, key: half.key.wrapping_neg(), ..half.clone() });
        sides.push(half);
    }
    sides.extend(inequalities.iter().cloned().map(Side::new));
    sides
}
