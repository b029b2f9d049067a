//! Two variables that begin at the same place: `out[i] = f(in[i])` in place.
//!
//! The model has an array for each of them. It is right where they are one array, too, if equal subscripts
//! are only accessed by the same instance, as far as one of them is a write, and that instance is one
//! assignment, which reads what it reads before it writes: then no order of instances, and nothing that is
//! done to reads before or between them, tells the two arrays from one.
use super::apart::Model;
use crate::walk::extractor::Extractor;
use loopwright_presburger::{Budget, Map};
use loopwright_scop::{Access, AccessKind, ArrayId, Statement};

/// Work limit for one pair of variables.
const STEPS: u64 = 200_000;

impl Extractor<'_, '_> {
    /// Whether elements with the same subscripts of two variables, of which one is written, are accessed by
    /// the same instances only, which read before they write; none if that is not found out.
    pub(super) fn meet_in_instances(&self, a: u32, b: u32, model: &Model<'_>) -> Option<bool> {
        // What is read in front of the region is not accessed by an instance.
        let is_in_front = |variable: u32| {
            self.out.affine_uses().contains(variable)
                || self.out.iterator_variables.contains(&variable)
                || self.used_constants().any(|constant| constant.variable == variable)
        };
        if is_in_front(a) || is_in_front(b) {
            return Some(false);
        }
        let array = |variable: u32| model.array_ids.get(&self.accessed(variable)).copied();
        let (a, b) = (array(a)?, array(b)?);
        let budget = Budget::steps(STEPS);
        let statements = || model.scop.statements.iter().filter(|s| !s.is_kill);
        let accesses = |statement: &'_ Statement, array: ArrayId| -> Vec<Access> {
            statement.accesses.iter().filter(|access| access.array == array).cloned().collect()
        };
        for first in statements() {
            let of_a = accesses(first, a);
            for second in statements().filter(|_| !of_a.is_empty()) {
                for (x, y) in of_a
                    .iter()
                    .flat_map(|x| accesses(second, b).into_iter().map(move |y| (x.clone(), y)))
                {
                    if x.kind == AccessKind::Read && y.kind == AccessKind::Read {
                        continue;
                    }
                    let meet = meeting(&x, &y, &budget)?;
                    let is_apart = meet.is_empty(&budget).ok()?;
                    let is_same = first.id == second.id && reads_first(first);
                    let in_place = || {
                        let identity = Map::identity(first.domain.space());
                        meet.is_subset(&identity, &budget).ok()
                    };
                    if !is_apart && (!is_same || in_place() != Some(true)) {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }
}

/// The pairs of instances that access the same subscripts.
fn meeting(x: &Access, y: &Access, budget: &Budget) -> Option<Map> {
    let range = x.relation.space().range();
    let space = y.relation.space().domain().map_to(&range);
    let moved = y.relation.with_space_tuples(&space).ok()?;
    x.relation.apply_range_within(&moved.reverse(), budget).ok()
}

/// Whether a statement is one assignment that writes one element, after all that it reads.
fn reads_first(statement: &Statement) -> bool {
    let mut writes = statement.accesses.iter().filter(|access| access.kind != AccessKind::Read);
    let Some(write) = writes.next().filter(|_| writes.next().is_none()) else { return false };
    let target = statement.body.root().and_then(|root| root.as_assignment());
    let target = target.and_then(|(_, target, _)| target.as_element());
    write.kind == AccessKind::MustWrite
        && statement.body.hidden().is_empty()
        && target.is_some_and(|element| element.array == write.array)
}
