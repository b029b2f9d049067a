//! Loops over hulls, split by the constraints that are not part of the hull.
//!
//! Kelly, Pugh, "A framework for unifying reordering transformations" (University of Maryland,
//! CS-TR-3193, 1993), section 5 and figure 4, with the branches of the figure in their right order:
//! if a constraint `c` of an active statement is not implied by the hull of all active statements,
//! the code is split into a part in which `c` does not hold, where its owner is not active, and a
//! part in which it does. For a lower bound of the dimension the former comes first, for
//! an upper bound the latter, and a constraint on outer dimensions becomes a condition.
use crate::cut::band::BandLevel;
use crate::cut::hulls::distinct_pieces;
use crate::cut::pieces::superset;
use crate::cut::{Cut, SharedLoops};
use crate::level::Level;
use crate::level::half_space::{half_space, negation};
use crate::level::localized::{localized, without_floors};
use crate::model::statement::Statement;
use crate::options::strategy::LevelRange;
use loopwright_presburger::*;

/// The most splits of one dimension; beyond, the rest is left to conditions.
const MOST_SPLITS: usize = 200;

/// [`Strategy::KellyPugh`](crate::Strategy::KellyPugh).
pub(crate) struct SplitHulls {
    pub(crate) levels: LevelRange,
}

impl Cut for SplitHulls {
    fn loops<'s>(
        &self,
        at: BandLevel<'s>,
        statements: &[&'s Statement],
    ) -> Result<Vec<SharedLoops<'s>>> {
        let pieces = pieces(self.levels, statements, at.level)?;
        Ok(vec![SharedLoops::over(statements, pieces)])
    }
}

/// The ranges of values of a level in order.
fn pieces(
    levels: LevelRange,
    statements: &[&Statement],
    level: Level<'_>,
) -> Result<Vec<BasicSet>> {
    let dimension = level.dimension;
    let approximation = |statement: &&Statement| {
        without_floors(localized(statement.domain(dimension), dimension), dimension)
    };
    let domains: Vec<Set> = statements.iter().map(approximation).collect();
    if !levels.contains(dimension) {
        return superset(&domains, level);
    }
    let items = distinct_pieces(&domains).0.basic_sets();
    let universe = Set::universe(domains[0].space().clone());
    let mut splits =
        Splits { outside: &level.around(), level, left: MOST_SPLITS, pieces: Vec::new() };
    splits.generate(&items, universe)?;
    Ok(splits.pieces)
}

/// The splits of one dimension.
struct Splits<'a> {
    /// What is known about the outer dimensions, at the depth of the dimension.
    outside: &'a Set,
    level: Level<'a>,
    /// How many splits may still be made.
    left: usize,
    pieces: Vec<BasicSet>,
}

impl Splits<'_> {
    /// Appends the pieces inside of `constraints`.
    fn generate(&mut self, items: &[BasicSet], constraints: Set) -> Result<()> {
        let here = self.outside.intersect(&constraints)?;
        let mut active = Vec::new();
        let mut inside = Vec::new();
        for item in items {
            let part = Set::from_basic_set(item.clone()).intersect(&here)?;
            if !part.is_empty(self.level.budget)? {
                active.push(item.clone());
                inside.push(part);
            }
        }
        if active.is_empty() {
            return Ok(());
        }
        let Some((holds, fails, order)) = self.splitting(&active, &inside, &here)? else {
            return self.single(&active, &constraints);
        };
        self.left -= 1;
        let holds = constraints.intersect(&holds)?;
        let fails = constraints.intersect(&fails)?;
        let (first, second) = match order {
            Order::HoldsFirst => (holds, fails),
            Order::FailsFirst => (fails, holds),
        };
        self.generate(&active, first)?;
        self.generate(&active, second)
    }

    /// One loop over the hull of all that is active.
    fn single(&mut self, active: &[BasicSet], constraints: &Set) -> Result<()> {
        let space = active[0].space().clone();
        let union = Set::from_basic_sets(space, active.to_vec()).intersect(constraints)?;
        for piece in superset(&[union], self.level)? {
            let inside = Set::from_basic_set(piece).intersect(constraints)?;
            self.pieces.extend(inside.basic_sets());
        }
        Ok(())
    }

    /// A constraint of an active piece that does not hold on all others; with the points where it
    /// holds, those where it fails, and the order of the two parts.
    ///
    /// Constraints on outer dimensions come first: they take statements out of all loops inside.
    fn splitting(
        &self,
        active: &[BasicSet],
        inside: &[Set],
        here: &Set,
    ) -> Result<Option<(Set, Set, Order)>> {
        if self.left == 0 || active.len() == 1 {
            return Ok(None);
        }
        let mut found = None;
        for (owner, item) in active.iter().enumerate() {
            let simple = Set::from_basic_set(item.clone()).gist(here, self.level.budget)?;
            for basic in simple.basic_sets() {
                let map = basic.as_basic_map();
                let column = map.offset(DimKind::Out) + self.level.dimension;
                for constraint in map.constraints() {
                    let on_outer = constraint.row.is_zero_at(column);
                    if found.is_some() && !on_outer {
                        continue;
                    }
                    for row in inequalities(&constraint) {
                        let fails = half_space(map, negation(&row));
                        if !self.some_meets(inside, owner, &fails)? {
                            continue;
                        }
                        let order = match row.sign(column) {
                            1 => Order::FailsFirst,
                            _ => Order::HoldsFirst,
                        };
                        let split = (half_space(map, row), fails, order);
                        if on_outer {
                            return Ok(Some(split));
                        }
                        found = Some(split);
                        break;
                    }
                }
            }
        }
        Ok(found)
    }

    /// Whether a set other than that of `owner` has points in `part`.
    fn some_meets(&self, inside: &[Set], owner: usize, part: &Set) -> Result<bool> {
        for (position, set) in inside.iter().enumerate() {
            if position != owner && !set.intersect(part)?.is_empty(self.level.budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Which part of a split comes first.
enum Order {
    HoldsFirst,
    FailsFirst,
}

/// The inequalities that a constraint stands for: one, or two for an equality.
fn inequalities(constraint: &Constraint) -> Vec<Row> {
    let mut rows = vec![constraint.row.clone()];
    if constraint.is_equality {
        let mut opposite = constraint.row.clone();
        opposite.negate();
        rows.push(opposite);
    }
    rows
}
