//! A program whose local accumulators are elements of arrays computes what the program does.
//!
//! In it statements use an element in place of a scalar, and what copied the scalar to that element is left
//! out. It computes what the program does, if
//!
//! 1. *text*: nothing else has changed: a statement has its instances, its accesses and its text, but for one
//!    element, as the program names it and of the scalar's type, in place of a scalar; the order is that of
//!    the program. What is left out copies a scalar to an element, or ends values of scalars that are
//!    accessed no more;
//! 2. *memory*: all elements that take the place of scalars are accessed by the program, for the same
//!    parameters;
//! 3. *values*: each read finds a value that the same instance has written as in the program, or the one from
//!    before the region, where a copy that is left out stands for what it copied; and so do last values.
//!
//! 3 compares the flow of both programs in their own order. Where writes are conditional, reads have several
//! instances as their sources of which the last one that writes counts: these are the same instances in the
//! same order.
use crate::storage::origins::{
    Origin, Origins, add, add_through, differences, of_read, of_results,
};
use crate::verdict::{Proof, Violation, violation, violation_if_any};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, Result, Set, Space, UnionSet};
use loopwright_scop::{
    Access, AccessKind, ArrayId, AssignmentOperator, BodyPiece, Element, ReferenceId, Scop,
    Statement, StatementId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A program without some of its scalars.
#[derive(Clone, Copy, Debug)]
pub struct ProgramWithoutAccumulators<'a> {
    /// The program as it was.
    pub original: &'a Scop,
    /// Its dependences, in its order.
    pub dependences: &'a Dependences,
    /// The program with elements in place of scalars.
    pub changed: &'a Scop,
    /// Its own dependences, in its own order.
    pub own: &'a Dependences,
}

/// Checks that a program whose accumulators are elements computes what the program does.
///
/// *Exactness.* Exact for all values of the parameters in the context; nothing is proved if a limit made
/// dependences inexact. *Cost.* A comparison of relations per access and per read.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
pub fn check_accumulators(
    program: ProgramWithoutAccumulators<'_>,
    budget: &Budget,
) -> Result<Proof> {
    if !program.dependences.is_exact || !program.own.is_exact {
        return Ok(Proof::OutOfBudget("dependence analysis"));
    }
    let find_violations = || {
        let mut check =
            Check { program, budget, new_ids: BTreeMap::new(), copies: BTreeMap::new() };
        let violations = check.other_text()?;
        if !violations.is_empty() {
            return Ok(violations);
        }
        let mut violations = check.other_memory()?;
        violations.extend(check.other_values()?);
        Ok(violations)
    };
    Proof::from_violations(find_violations())
}

struct Check<'a> {
    program: ProgramWithoutAccumulators<'a>,
    budget: &'a Budget,
    /// For each statement that there still is its id in the changed program.
    new_ids: BTreeMap<StatementId, StatementId>,
    /// The statements that are left out and copy a scalar, with the reference that reads it.
    copies: BTreeMap<StatementId, ReferenceId>,
}

impl Check<'_> {
    /// 1: what has changed besides accesses of scalars.
    fn other_text(&mut self) -> Result<Vec<Violation>> {
        let ProgramWithoutAccumulators { original, changed, .. } = self.program;
        let domains = changed.statements.iter().map(|statement| statement.domain.clone());
        let domain = UnionSet::from_sets(&Space::params(&[]), domains);
        let order = original.schedule.intersect_domain(&domain)?;
        if !has_same_arrays(original, changed)
            || order.to_string() != changed.schedule.to_string()
            || !changed.context.is_equal(&original.context, self.budget)?
        {
            return Ok(vec![violation("more than the accesses of scalars has changed".into())]);
        }
        let mut violations = Vec::new();
        for before in &original.statements {
            let after = changed.statements.iter().find(|after| after.name == before.name);
            let is_known = match after {
                Some(after) => {
                    self.new_ids.insert(before.id, after.id);
                    self.is_same_statement(before, after)?
                }
                None if before.is_kill => self.ends_what_is_not_used(before),
                None => match self.copied(before) {
                    Some(read) => self.copies.insert(before.id, read).is_none(),
                    None => false,
                },
            };
            if !is_known {
                violations.push(violation(format!("{} is another statement", before.name)));
            }
        }
        if self.new_ids.len() != changed.statements.len() {
            violations.push(violation("there are statements that the program has not".into()));
        }
        Ok(violations)
    }

    /// Whether a statement ends the values of scalars that nobody accesses in the changed program.
    fn ends_what_is_not_used(&self, before: &Statement) -> bool {
        let executed = self.program.changed.statements.iter().filter(|s| !s.is_kill);
        let used: BTreeSet<ArrayId> =
            executed.flat_map(|s| s.accesses.iter().map(|access| access.array)).collect();
        before.accesses.iter().all(|access| {
            access.kind == AccessKind::Kill
                && self.program.original.array(access.array).is_scalar()
                && !used.contains(&access.array)
        })
    }

    /// The reference that reads the scalar which a statement copies to an element of its type, if it does
    /// nothing else.
    fn copied(&self, before: &Statement) -> Option<ReferenceId> {
        let original = self.program.original;
        let (AssignmentOperator::Set, target, value) = before.body.root()?.as_assignment()? else {
            return None;
        };
        let (to, from) = (target.as_element()?, value.without_parentheses().as_element()?);
        let [write, read] = &before.accesses[..] else { return None };
        let is_copy = before.body.hidden().is_empty()
            && (write.kind, read.kind) == (AccessKind::MustWrite, AccessKind::Read)
            && (write.array, read.array) == (to.array, from.array)
            && has_same_type(original, from.array, to.array);
        is_copy.then_some(read.reference)
    }

    /// Whether a statement is what it was, but for an element in place of a scalar.
    fn is_same_statement(&self, before: &Statement, after: &Statement) -> Result<bool> {
        let element = match self.same_body(before, after) {
            Some(element) => element,
            None => return Ok(false),
        };
        let is_frame = before.is_kill == after.is_kill
            && before.accesses.len() == after.accesses.len()
            && before.domain.is_equal(&after.domain, self.budget)?;
        if !is_frame {
            return Ok(false);
        }
        for (a, b) in before.accesses.iter().zip(&after.accesses) {
            if a.kind != b.kind || a.reference != b.reference {
                return Ok(false);
            }
            let is_same = match &element {
                Some((scalar, element)) if a.array == *scalar => {
                    b.array == element.array && self.is_access(a, b, element)?
                }
                _ => a.array == b.array && a.relation.is_equal(&b.relation, self.budget)?,
            };
            if !is_same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an access is that of an element wherever the other one is.
    fn is_access(&self, before: &Access, after: &Access, element: &Element) -> Result<bool> {
        let values = element.subscripts.iter().map(|subscript| Some(subscript.to_map()));
        let all = values.reduce(|all, next| all?.flat_range_product(&next?).ok()).flatten();
        let Some(all) = all else { return Ok(false) };
        let space = after.relation.space();
        if all.space().output().map(|tuple| tuple.n_dims())
            != space.output().map(|tuple| tuple.n_dims())
        {
            return Ok(false);
        }
        let tuples = all.space().with_tuples(space.input().cloned(), space.output().cloned());
        let expected =
            all.with_space_tuples(&tuples)?.intersect_domain(&before.relation.domain())?;
        after.relation.is_equal(&expected, self.budget)
    }

    /// Whether two bodies are the same but for one element in place of one scalar, with these; nothing inside
    /// if they are just the same.
    #[allow(clippy::option_option)]
    fn same_body<'b>(
        &self,
        before: &Statement,
        after: &'b Statement,
    ) -> Option<Option<(ArrayId, &'b Element)>> {
        let (old, new) = (before.body.pieces(), after.body.pieces());
        let (a, b) = (before.body.elements(), after.body.elements());
        let mut found: Option<(ArrayId, &Element)> = None;
        if old.len() != new.len() || a.len() != b.len() {
            return None;
        }
        for (a, b) in a.into_iter().zip(b) {
            if a == b {
                continue;
            }
            let is_same = found.is_none_or(|(scalar, known)| scalar == a.array && known == b);
            if !is_same || !self.takes_the_place(a, b) {
                return None;
            }
            found = Some((a.array, b));
        }
        let is_left = found.is_some_and(|(scalar, _)| {
            after.body.elements().iter().any(|own| own.array == scalar)
                || before.body.hidden().contains(&scalar)
        });
        let is_same_piece = |(a, b): (&BodyPiece<'_>, &BodyPiece<'_>)| match (a, b) {
            // They have been compared.
            (BodyPiece::Element(_), BodyPiece::Element(_)) => true,
            (BodyPiece::Hidden(a), BodyPiece::Hidden(b)) => a == b,
            (BodyPiece::Text(a), BodyPiece::Text(b)) => a == b,
            (BodyPiece::Affine(a), BodyPiece::Affine(b)) => a.to_string() == b.to_string(),
            _ => false,
        };
        (!is_left && old.iter().zip(&new).all(is_same_piece)).then_some(found)
    }

    /// Whether an element may stand for a scalar: it has its type, all of its subscripts, and is written as
    /// the program writes it.
    fn takes_the_place(&self, scalar: &Element, element: &Element) -> bool {
        let original = self.program.original;
        let mut known = original.statements.iter().flat_map(|s| s.body.elements());
        original.array(scalar.array).is_scalar()
            && has_same_type(original, scalar.array, element.array)
            && element.subscripts.len() == original.array(element.array).extents.len()
            && known.any(|own| own.array == element.array && own.base == element.base)
    }

    /// 2: elements that only the changed program accesses.
    fn other_memory(&self) -> Result<Vec<Violation>> {
        let ProgramWithoutAccumulators { original, changed, .. } = self.program;
        let mut violations = Vec::new();
        for (id, array) in (0u32..).map(ArrayId).zip(&original.arrays) {
            let (Some(before), Some(after)) = (accessed(original, id)?, accessed(changed, id)?)
            else {
                if accessed(changed, id)?.is_some() {
                    violations.push(violation(format!("`{}` is not accessed", array.name)));
                }
                continue;
            };
            let more = after.intersect_params(&original.context)?.subtract(&before, self.budget)?;
            let message =
                || format!("the program does not access such elements of `{}`", array.name);
            violations.extend(violation_if_any(more.as_map(), message, self.budget)?);
        }
        Ok(violations)
    }

    /// 3: reads of other values, and other last values.
    fn other_values(&self) -> Result<Vec<Violation>> {
        let ProgramWithoutAccumulators { original, dependences, own, .. } = self.program;
        let context = &original.context;
        let mut violations = Vec::new();
        for (before, after) in &self.new_ids {
            let statement = original.statement(*before);
            for access in statement.accesses.iter().filter(|a| a.kind == AccessKind::Read) {
                let found = self.by_old_ids(of_read(own, (*after, access.reference))?)?;
                let expected = of_read(dependences, (*before, access.reference))?;
                let expected = self.past_copies(expected)?;
                let name = &original.array(access.array).name;
                let message = || format!("{} reads another value of `{name}`", statement.name);
                let both = (&found, &expected);
                violations.extend(differences(both, context, &message, self.budget)?);
            }
        }
        for (id, array) in (0u32..).map(ArrayId).zip(&original.arrays) {
            let found = self.by_old_ids(of_results(own, id)?)?;
            let expected = self.past_copies(of_results(dependences, id)?)?;
            let message = || format!("the last value of `{}` is another one", array.name);
            let both = (&found, &expected);
            violations.extend(differences(both, context, &message, self.budget)?);
        }
        Ok(violations)
    }

    /// Origins in the changed program, by the statements of the program.
    fn by_old_ids(&self, origins: Origins) -> Result<Origins> {
        let mut all = Origins::new();
        for (origin, relation) in origins {
            let origin = match origin {
                Origin::Written(id, reference) => {
                    let old = self.new_ids.iter().find(|(_, new)| **new == id);
                    Origin::Written(old.map_or(id, |(old, _)| *old), reference)
                }
                before => before,
            };
            add(&mut all, origin, relation)?;
        }
        Ok(all)
    }

    /// Origins in the program, with what copies have copied in place of copies.
    fn past_copies(&self, origins: Origins) -> Result<Origins> {
        let mut all = Origins::new();
        for (origin, relation) in origins {
            match origin {
                Origin::Written(id, _) if self.copies.contains_key(&id) => {
                    let read = (id, self.copies[&id]);
                    add_through(&mut all, &relation, of_read(self.program.dependences, read)?)?;
                }
                other => add(&mut all, other, relation)?,
            }
        }
        Ok(all)
    }
}

fn has_same_arrays(original: &Scop, changed: &Scop) -> bool {
    original.arrays.len() == changed.arrays.len()
        && original.arrays.iter().zip(&changed.arrays).all(|(a, b)| {
            a.name == b.name
                && a.tuple_name == b.tuple_name
                && a.element_type == b.element_type
                && a.extent_texts == b.extent_texts
                && a.live_out == b.live_out
                && a.declared_in_scop == b.declared_in_scop
        })
}

fn has_same_type(scop: &Scop, a: ArrayId, b: ArrayId) -> bool {
    let (a, b) = (scop.array(a), scop.array(b));
    a.element_type == b.element_type
        && a.element_kind == b.element_kind
        && a.element_bytes == b.element_bytes
}

/// The elements of an array that a program accesses; none if there are no such accesses.
fn accessed(scop: &Scop, array: ArrayId) -> Result<Option<Set>> {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let accesses = executed.flat_map(|statement| &statement.accesses);
    let mut all: Option<Set> = None;
    for access in accesses.filter(|access| access.array == array) {
        let range = access.relation.range();
        all = Some(all.map_or(Ok(range.clone()), |all| all.union(&range))?);
    }
    Ok(all)
}
