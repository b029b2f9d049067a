//! The tree of conditions around code in a row.
//!
//! Grosser, Verdoolaege, Cohen, section 5.8: a graft goes to the innermost branch of a condition
//! that is still open and implied by its guard (or whose complement is); what is nested deeper is
//! closed then, because nothing is reordered.
use crate::level::plain_sets::is_universe;
use crate::nest::guard::{block, under};
use crate::nest::tree::{Graft, Nest};
use loopwright_presburger::*;

/// The most conditions that stay open.
const MOST_OPEN: usize = 8;

/// The code of grafts in a row, each under its condition, where `known` holds.
pub(crate) fn assembled(
    grafts: Vec<Graft>,
    known: &Set,
    allow_else: bool,
    budget: &Budget,
) -> Result<Nest> {
    let mut tree = Tree { known, allow_else, budget, items: Vec::new(), open: Vec::new() };
    let mut top = Vec::new();
    for Graft { guard, nest } in grafts {
        tree.add(guard, nest, &mut top)?;
    }
    Ok(tree.finished(top))
}

/// A nest, or a condition with what has been added to its branches so far.
enum Item {
    Nest(Nest),
    If { condition: Set, then: Vec<usize>, otherwise: Vec<usize> },
}

/// A condition to whose branches something may be added.
struct Open {
    item: usize,
    /// Where the condition holds.
    then: Set,
    /// Where it is evaluated and does not hold.
    otherwise: Set,
}

struct Tree<'a> {
    known: &'a Set,
    allow_else: bool,
    budget: &'a Budget,
    items: Vec<Item>,
    open: Vec<Open>,
}

/// A branch: the position in the list of open conditions, and which of the two.
type Branch = (usize, bool);

impl Tree<'_> {
    fn add(&mut self, guard: Set, nest: Nest, top: &mut Vec<usize>) -> Result<()> {
        let branch = if is_universe(&guard) { None } else { self.branch(&guard)? };
        let (rest, around) = match branch {
            Some((position, is_then)) => {
                let open = &self.open[position];
                let around = if is_then { &open.then } else { &open.otherwise };
                (guard.gist(around, self.budget)?, around.clone())
            }
            None => (guard, self.known.clone()),
        };
        match branch {
            Some((position, _)) => self.open.truncate(position + 1),
            None => self.open.clear(),
        }
        let number = self.items.len();
        if is_universe(&rest) {
            self.items.push(Item::Nest(nest));
        } else {
            self.items.push(Item::Nest(nest));
            let otherwise = self.complement(&around, &rest)?;
            let then = around.intersect(&rest)?;
            self.open.push(Open { item: number + 1, then, otherwise });
            let (then, otherwise) = (vec![number], Vec::new());
            self.items.push(Item::If { condition: rest, then, otherwise });
        }
        let added = self.items.len() - 1;
        match branch {
            None => top.push(added),
            Some((position, is_then)) => {
                let item = self.open[position].item;
                if let Item::If { then, otherwise, .. } = &mut self.items[item] {
                    if is_then { then.push(added) } else { otherwise.push(added) }
                }
            }
        }
        Ok(())
    }

    /// Where a condition does not hold; nothing, if there are to be no such branches.
    fn complement(&self, around: &Set, condition: &Set) -> Result<Set> {
        if !self.allow_else {
            return Ok(Set::empty(around.space().clone()));
        }
        match around.subtract(condition, self.budget) {
            Err(Error::Exceeded { .. }) => Ok(Set::empty(around.space().clone())),
            other => other,
        }
    }

    /// The innermost open branch to which code under the guard can be added.
    fn branch(&self, guard: &Set) -> Result<Option<Branch>> {
        let reached = guard.intersect(self.known)?;
        for (position, open) in self.open.iter().enumerate().rev().take(MOST_OPEN) {
            for (region, is_then) in [(&open.then, true), (&open.otherwise, false)] {
                if !region.plain_is_empty() && self.contains(region, &reached)? {
                    return Ok(Some((position, is_then)));
                }
            }
        }
        Ok(None)
    }

    fn contains(&self, region: &Set, reached: &Set) -> Result<bool> {
        match reached.is_subset(region, self.budget) {
            Err(Error::Exceeded { .. }) => Ok(false),
            other => other,
        }
    }

    fn finished(self, top: Vec<usize>) -> Nest {
        let mut items: Vec<Option<Item>> = self.items.into_iter().map(Some).collect();
        sequence(top, &mut items)
    }
}

fn sequence(numbers: Vec<usize>, items: &mut [Option<Item>]) -> Nest {
    let mut nests = Vec::with_capacity(numbers.len());
    for number in numbers {
        match items[number].take() {
            Some(Item::Nest(nest)) => nests.push(nest),
            Some(Item::If { condition, then, otherwise }) => {
                let then = sequence(then, items);
                if otherwise.is_empty() {
                    nests.push(under(condition, then));
                    continue;
                }
                let otherwise = Some(Box::new(sequence(otherwise, items)));
                nests.push(Nest::If { condition, then: Box::new(then), otherwise });
            }
            None => {}
        }
    }
    block(nests)
}
