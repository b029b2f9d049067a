//! Difference, complement, and the predicates that follow from it.
//!
//! # Method
//! The difference of a piece `A` and a conjunction `B = c1 and ... and cn` is the disjoint union of
//! `A and not c1`, `A and c1 and not c2`, and so on. A part without integer points means that the
//! constraint holds already, so that neither the part nor the constraint is added. Further pieces
//! are subtracted from each part right away, depth first; a part that does not meet the next piece
//! passes it unchanged. Floors of the subtrahend are functions, hence they are added to the minuend
//! as known locals; unknown existentials of the subtrahend are made explicit first.
use crate::core::align_locals::{Aligned, align_locals, aligned};
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, plainly_implies};
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::rows::{negation, tightened};
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::lexmin::quantifier_elimination::pieces_with_explicit_locals;
use crate::solve::point_search::PointSearch;
use crate::solve::sample::data_is_empty;
use loopwright_exact::Row;
use std::ops::ControlFlow;

/// The name of the work for a budget.
const OPERATION: &str = "the difference of pieces";

/// Conjunctions that are tried as the only one that covers a piece.
const COVERS: usize = 8;

/// What to do with each non-empty part of a difference.
type Sink<'a> = dyn FnMut(&BasicRelation) -> ControlFlow<()> + 'a;

/// A system and the search for its points.
#[derive(Clone)]
struct Minuend {
    data: BasicRelation,
    search: PointSearch,
}

impl Minuend {
    fn new(data: BasicRelation) -> Self {
        Minuend { search: PointSearch::new(&data), data }
    }

    /// Takes over the columns of a subtrahend, and expresses its constraints in them.
    fn adopt(&mut self, subtrahend: &BasicRelation) -> Aligned {
        let n_known = self.data.locals.len();
        let adopted = align_locals(&mut self.data, subtrahend);
        let first = self.data.offset(DimKind::Local);
        for (index, local) in self.data.locals.iter().enumerate().skip(n_known) {
            if let Local::Floor { numerator, denominator } = local {
                self.search.add_floor(numerator.slice(0..first + index), denominator.clone());
            }
        }
        adopted
    }

    /// Whether one of the conjunctions holds at all rational points, where a point does not come by itself.
    ///
    /// Linear programs show that, while the search for an integer point can be long where
    /// coefficients are large, as in diamond tiles. Without this the difference is the same.
    fn is_rationally_covered(&mut self, subtrahends: &[BasicMap], budget: &Budget) -> Result<bool> {
        if subtrahends.len() > COVERS || self.search.finds_at_once() {
            return Ok(false);
        }
        for subtrahend in subtrahends {
            let mut both = self.clone();
            let adopted = both.adopt(&subtrahend.inner);
            if both.implies_rationally(&adopted, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether all constraints hold at all rational points.
    fn implies_rationally(&mut self, constraints: &Aligned, budget: &Budget) -> Result<bool> {
        let opposites = constraints.equalities.iter().cloned().map(|mut row| {
            row.negate();
            row
        });
        let rows = constraints.equalities.iter().cloned().chain(opposites);
        for row in rows.chain(constraints.inequalities.iter().cloned()) {
            if plainly_implies(&self.data, &row) {
                continue;
            }
            if !self.search.tableau(budget)?.implies_at_integers(&row, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether no point satisfies the constraints.
    fn is_disjoint(&mut self, constraints: &Aligned, budget: &Budget) -> Result<bool> {
        let contradicted = |row: &Row| plainly_implies(&self.data, &negation(row));
        if constraints.inequalities.iter().any(contradicted) {
            return Ok(true);
        }
        Ok(!self.search.meets(&constraints.equalities, &constraints.inequalities, budget)?)
    }

    /// The part with `row < 0`; none if there is no point in it.
    fn part_below(&mut self, row: &Row, budget: &Budget) -> Result<Option<Self>> {
        let violation = tightened(&negation(row));
        budget.spend_on([&self.data], OPERATION)?;
        if !self.search.is_seen(&violation)
            && (plainly_implies(&self.data, row) || !self.search.is_possible(&violation, budget)?)
        {
            return Ok(None);
        }
        let mut part = self.data.clone();
        part.inequalities.push(violation.clone());
        Ok(Some(Minuend { data: part, search: self.search.restricted(violation, budget)? }))
    }
}

/// What is left to do on the way down: the parts of a minuend that violate a constraint of one of the
/// subtrahends, which are found one after the other.
struct Violations {
    minuend: Minuend,
    equalities: std::vec::IntoIter<Row>,
    /// An equality of which one half is done, and whether there was no point in that.
    half_done: Option<(Row, bool)>,
    inequalities: std::vec::IntoIter<Row>,
    /// The subtrahend that comes next for the parts.
    next: usize,
}

impl Violations {
    /// The next part with points.
    fn next_part(&mut self, budget: &Budget) -> Result<Option<Minuend>> {
        loop {
            let part = if let Some((equality, was_empty)) = self.half_done.take() {
                let part = self.minuend.part_below(&equality, budget)?;
                if part.is_some() || !was_empty {
                    self.minuend.search.add_equality(equality.clone(), budget)?;
                    self.minuend.data.equalities.push(equality);
                }
                part
            } else if let Some(equality) = self.equalities.next() {
                let mut opposite = equality.clone();
                opposite.negate();
                let part = self.minuend.part_below(&opposite, budget)?;
                self.half_done = Some((equality, part.is_none()));
                part
            } else if let Some(inequality) = self.inequalities.next() {
                let part = self.minuend.part_below(&inequality, budget)?;
                if part.is_some() {
                    self.minuend.search.add_inequality(inequality.clone(), budget)?;
                    self.minuend.data.inequalities.push(inequality);
                }
                part
            } else {
                return Ok(None);
            };
            if part.is_some() {
                return Ok(part);
            }
        }
    }
}

/// Passes the non-empty parts of `minuend \ subtrahends` to `sink` until it breaks.
///
/// The subtrahends have no unknown locals and the minuend is not empty. Depth first, with the way
/// down kept aside: it may be as long as there are subtrahends.
fn subtract_pieces(
    minuend: Minuend,
    subtrahends: &[BasicMap],
    sink: &mut Sink<'_>,
    budget: &Budget,
) -> Result<ControlFlow<()>> {
    let mut open: Vec<(Box<Violations>, usize)> = Vec::new();
    let mut n_words = 0;
    let mut part = Some((minuend, 0));
    loop {
        let next = match part.take() {
            Some((minuend, next)) => {
                match first_met(minuend, subtrahends, next, budget)? {
                    Met::None(minuend) => {
                        if sink(&minuend.data).is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                    }
                    Met::Some(violations) => {
                        let words = SEARCH_FACTOR * violations.minuend.data.words();
                        n_words += words;
                        budget.keep(n_words, OPERATION)?;
                        open.push((violations, words));
                    }
                }
                open.last_mut()
            }
            None => open.last_mut(),
        };
        let Some((violations, words)) = next else { return Ok(ControlFlow::Continue(())) };
        match violations.next_part(budget)? {
            Some(found) => part = Some((found, violations.next)),
            None => {
                n_words -= *words;
                open.pop();
            }
        }
    }
}

/// What a system and the search for its points take, compared with the system.
const SEARCH_FACTOR: usize = 4;

/// The first of some subtrahends that a minuend has points in common with.
enum Met {
    None(Box<Minuend>),
    Some(Box<Violations>),
}

fn first_met(
    mut minuend: Minuend,
    subtrahends: &[BasicMap],
    next: usize,
    budget: &Budget,
) -> Result<Met> {
    for (index, subtrahend) in subtrahends.iter().enumerate().skip(next) {
        budget.spend_on([&minuend.data, &*subtrahend.inner], OPERATION)?;
        let mut both = minuend.clone();
        let adopted = both.adopt(&subtrahend.inner);
        if !both.is_disjoint(&adopted, budget)? {
            return Ok(Met::Some(Box::new(Violations {
                minuend: both,
                equalities: adopted.equalities.into_iter(),
                half_done: None,
                inequalities: adopted.inequalities.into_iter(),
                next: index + 1,
            })));
        }
        if both.data.locals.len() == minuend.data.locals.len() {
            minuend = both;
        }
    }
    Ok(Met::None(Box::new(minuend)))
}

/// Whether a system over common columns and further constraints have no common point.
fn are_disjoint(data: &BasicRelation, constraints: &Aligned, budget: &Budget) -> Result<bool> {
    let contradicted =
        constraints.inequalities.iter().any(|row| plainly_implies(data, &negation(row)));
    if contradicted {
        return Ok(true);
    }
    let mut both = data.clone();
    both.equalities.extend(constraints.equalities.iter().cloned());
    both.inequalities.extend(constraints.inequalities.iter().cloned());
    data_is_empty(&both, budget)
}

/// Passes every non-empty part of `left \ right` to `sink` until it breaks.
fn visit_difference(
    left: &Map,
    right: &Map,
    sink: &mut Sink<'_>,
    budget: &Budget,
) -> Result<ControlFlow<()>> {
    let subtrahends = pieces_with_explicit_locals(right, budget)?;
    for (at, piece) in left.basics.iter().enumerate() {
        if subtrahends.iter().any(|other| piece.plain_is_equal(other)) {
            continue;
        }
        let mut minuend = Minuend::new(BasicRelation::clone(&piece.inner));
        if piece.plain_is_empty()
            || minuend.is_rationally_covered(&subtrahends, budget)?
            || minuend.search.is_empty(budget)?
        {
            continue;
        }
        let flow = subtract_pieces(minuend, &subtrahends, sink, budget);
        if flow.during_part("subtract", at, left.basics.len())?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

impl Map {
    /// The difference, in pieces that are disjoint if those of `self` are.
    ///
    /// The cost is exponential in the number of pieces of `other` in the worst case; each step is
    /// an integer emptiness test.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let a = Map::parse("{ S[i] -> A[x] : 0 <= x <= i }")?;
    /// let b = Map::parse("{ S[i] -> A[x] : x = i }")?;
    /// let rest = a.subtract(&b, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ S[i] -> A[x] : 0 <= x < i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the tuples differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> {
        if self.plain_is_empty() || other.plain_is_empty() {
            return Ok(self.clone());
        }
        let (left, right) = aligned(self, other, "subtract")?;
        let (mut parts, mut n_words) = (Vec::new(), 0);
        let mut keep = |part: &BasicRelation| {
            n_words += part.words();
            if budget.keep(n_words, OPERATION).is_err() {
                return ControlFlow::Break(());
            }
            parts.push(BasicMap::from_data(part.clone()));
            ControlFlow::Continue(())
        };
        if visit_difference(&left, &right, &mut keep, budget).during("subtract")?.is_break() {
            budget.keep(n_words, OPERATION).during("subtract")?;
        }
        Ok(Map::from_basic_maps(left.space.clone(), parts))
    }

    /// Whether every point is in `other`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let budget = &Budget::unlimited();
    /// let write = Map::parse("{ S[i] -> A[i] : i > 0 }")?;
    /// let allowed = Map::parse("{ S[i] -> A[x] : 0 <= x <= i }")?;
    /// assert!(write.is_subset(&allowed, budget)? && !allowed.is_subset(&write, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::subtract`], of which this computes as much as decides the question.
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        let (left, right) = aligned(self, other, "is_subset")?;
        let flow = visit_difference(&left, &right, &mut |_| ControlFlow::Break(()), budget)
            .during("is_subset")?;
        Ok(flow.is_continue())
    }

    /// Whether both have the same points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let a = Map::parse("{ [i] -> [j] : 2j <= i <= 2j + 1 }")?;
    /// let b = Map::parse("{ [i] -> [floor(i/2)] }")?;
    /// assert!(a.is_equal(&b, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::is_subset`].
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        Ok(self.is_subset(other, budget).during("is_equal")?
            && other.is_subset(self, budget).during("is_equal")?)
    }

    /// Whether every point is in `other`, which has further ones.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let budget = &Budget::unlimited();
    /// let equal = Map::parse("{ [i] -> [i] }")?;
    /// let order = Map::parse("{ [i] -> [j] : j >= i }")?;
    /// assert!(
    ///     equal.is_strict_subset(&order, budget)? && !order.is_strict_subset(&order, budget)?
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::is_subset`].
    pub fn is_strict_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        Ok(self.is_subset(other, budget).during("is_strict_subset")?
            && !other.is_subset(self, budget).during("is_strict_subset")?)
    }

    /// The complement in its space.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let order = Map::parse("{ [i] -> [j] : j >= i }")?;
    /// assert_eq!(order.complement(&Budget::unlimited())?.to_string(), "{ [i] -> [j] : j < i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::subtract`].
    pub fn complement(&self, budget: &Budget) -> Result<Self> {
        Map::universe(self.space.clone()).subtract(self, budget).during("complement")
    }

    /// Whether there is no common point.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let even = Map::parse("{ [i] -> [j] : (j - i) mod 2 = 0 }")?;
    /// let next = Map::parse("{ [i] -> [i + 1] }")?;
    /// assert!(even.is_disjoint(&next, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the tuples differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> {
        if self.plain_is_empty() || other.plain_is_empty() {
            return Ok(true);
        }
        let (left, right) = aligned(self, other, "is_disjoint")?;
        for piece in &left.basics {
            for other in &right.basics {
                budget.spend_on([&*piece.inner, &*other.inner], "is_disjoint")?;
                let mut both = BasicRelation::clone(&piece.inner);
                let adopted = align_locals(&mut both, &other.inner);
                if !are_disjoint(&both, &adopted, budget).during("is_disjoint")? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Those pairs whose domain is not in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("{ S[i] -> A[i + 1] : i >= 0 }")?;
    /// let known = Set::parse("{ S[i] : i >= 5 }")?;
    /// let rest = map.subtract_domain(&known, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ S[i] -> A[1 + i] : 0 <= i <= 4 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::subtract`].
    pub fn subtract_domain(&self, set: &Set, budget: &Budget) -> Result<Self> {
        self.subtract(
            &Map::universe(self.space.clone()).intersect_domain_within(set, budget)?,
            budget,
        )
        .during("subtract_domain")
    }

    /// Those pairs whose range is not in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("{ S[i] -> A[i + 1] : i >= 0 }")?;
    /// let known = Set::parse("{ A[x] : x >= 5 }")?;
    /// let rest = map.subtract_range(&known, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ S[i] -> A[1 + i] : 0 <= i <= 3 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::subtract`].
    pub fn subtract_range(&self, set: &Set, budget: &Budget) -> Result<Self> {
        self.subtract(
            &Map::universe(self.space.clone()).intersect_range_within(set, budget)?,
            budget,
        )
        .during("subtract_range")
    }
}

impl Set {
    /// The difference, see [`Map::subtract`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let a = Set::parse("{ [i] : 0 <= i <= 9 }")?;
    /// let b = Set::parse("{ [i] : 3 <= i <= 4 }")?;
    /// let rest = a.subtract(&b, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ [i] : 0 <= i <= 2 or 5 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::subtract`].
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.0.subtract(&other.0, budget).map(Set)
    }

    /// Whether every point is in `other`, see [`Map::is_subset`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// let multiples = Set::parse("{ [i] : i mod 4 = 0 }")?;
    /// let even = Set::parse("{ [i] : i mod 2 = 0 }")?;
    /// assert!(multiples.is_subset(&even, budget)? && !even.is_subset(&multiples, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::is_subset`].
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_subset(&other.0, budget)
    }

    /// Whether both have the same points, see [`Map::is_equal`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let a = Set::parse("{ [i] : 0 <= 3i <= 10 }")?;
    /// let b = Set::parse("{ [0]; [1]; [2]; [3] }")?;
    /// assert!(a.is_equal(&b, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::is_equal`].
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_equal(&other.0, budget)
    }

    /// Whether every point is in `other`, which has further ones.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// let small = Set::parse("{ [i] : 0 <= i <= 4 }")?;
    /// let large = Set::parse("{ [i] : 0 <= i <= 9 }")?;
    /// assert!(
    ///     small.is_strict_subset(&large, budget)? && !large.is_strict_subset(&large, budget)?
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::is_strict_subset`].
    pub fn is_strict_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_strict_subset(&other.0, budget)
    }

    /// Whether there is no common point, see [`Map::is_disjoint`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let odd = Set::parse("{ [i] : i mod 2 = 1 }")?;
    /// let multiples = Set::parse("{ [i] : i mod 6 = 4 }")?;
    /// assert!(odd.is_disjoint(&multiples, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::is_disjoint`].
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_disjoint(&other.0, budget)
    }

    /// The complement in its space.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("{ [i] : 0 <= i <= 9 }")?;
    /// assert_eq!(set.complement(&Budget::unlimited())?.to_string(), "{ [i] : i < 0 or i >= 10 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::subtract`].
    pub fn complement(&self, budget: &Budget) -> Result<Self> {
        self.0.complement(budget).map(Set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thin strip, of which no point comes by itself, lies in one conjunction: linear programs say so.
    #[test]
    fn covers_are_found_without_points() {
        let piece = Map::parse("{ [i] -> [j] : 0 <= 1000i - 1777j - 3 <= 5 and i >= 40 }").unwrap();
        let of_other = |text: &str| Map::parse(text).unwrap().basics.to_vec();
        let mut minuend = Minuend::new(BasicRelation::clone(&piece.basics[0].inner));
        assert!(!minuend.search.finds_at_once());
        let covers = of_other("{ [i] -> [j] : 1000i > 1777j + 2 }");
        let budget = Budget::unlimited();
        assert!(minuend.is_rationally_covered(&covers, &budget).unwrap());
        let others = of_other("{ [i] -> [j] : 1000i > 1777j + 4 }");
        assert!(!minuend.is_rationally_covered(&others, &budget).unwrap());
    }
}
