//! A program with partial results computes what the program does, if updates may run in any order.
//!
//! In a program with partial results some updates of elements by an associative and commutative operator are
//! updates of arrays that were added; statements that were added begin these, copy them, combine them with
//! each other, and at last with an element of the program. It computes what the program does, but for the
//! order in which values are combined, if
//!
//! 1. *text*: each statement is the program's, with the same instances and accesses, but that updates name
//!    cells of added arrays in place of the element that they update. All statements that were added are
//!    `X = neutral`, `X = Y`, or `X = X op Y`;
//! 2. *operators*: what is combined by way of each other has one operator and one type, those of the updates
//!    (for sums and products of integers also the type of their size without a sign, in which nothing
//!    overflows and which is the same modulo a power of two), and begins with the neutral element; or with
//!    the element itself, if it does not matter how often that is combined: with the value that the element
//!    has where the result is combined with it;
//! 3. *once*: nothing that is read in added arrays has no value. Each update, and each value that is written
//!    there and ends in an element of the program, goes into exactly one value that does so. (Other values
//!    may be lost, as those of lanes that nobody reads);
//! 4. *element*: what each update contributes ends, by way of these, in the element that it updates in the
//!    program;
//! 5. *values*: all other reads find the values that they find in the program, and last values are those of
//!    the program, where the statement that combines a partial result with an element stands for the updates
//!    that end there;
//! 6. *owners* and *extents* of what is in memory of blocks and threads: as of other promoted arrays
//!    ([`super::promotion`]).
//!
//! 3 and 5 are about the flow of values past updates ([`loopwright_dataflow::reassociated`]), in which an
//! update hides nothing: a value is what a sure write has written, combined with all updates that flow from
//! there. So by 3, ways from updates to ends are a forest whose roots are ends, and what is combined at an
//! end is each of its updates, once: whatever flows into a value that ends somewhere ends there itself.
use crate::storage::forms::{
    Added, Form, Forms, is_idempotent, is_without_sign, keeps_arrays, neutral,
};
use crate::storage::origins::{
    Origin, Origins, add, add_through, differences, of_read, of_results,
};
use crate::storage::promotion::text::{Hole, holes};
use crate::storage::promotion::{PromotedProgram, wrong_places};
use crate::verdict::{Proof, Violation, violation, violation_if_any};
use loopwright_dataflow::{Dependences, Reduction, ReductionOperator, reductions, wraps_around};
use loopwright_presburger::{Budget, Map, Result, Set};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{AccessKind, ArrayId, Promotion, ReferenceId, Scop, Statement, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// A program without and with partial results.
#[derive(Clone, Copy, Debug)]
pub struct ProgramWithPartialResults<'a> {
    /// The program as it was.
    pub original: &'a Scop,
    /// Its dependences, without the order of updates.
    pub dependences: &'a Dependences,
    /// The program with partial results.
    pub partial: &'a Scop,
    /// Its own dependences, in its own order, without the order of updates.
    pub own: &'a Dependences,
    /// Which of the arrays that were added are in memory of blocks and threads.
    pub promotion: &'a Promotion,
}

/// Checks that a program with partial results, whose kernels are those of `tree`, computes what the program
/// does, provided that it runs in an order that respects its own dependences, and that updates may run in any
/// order.
///
/// *Exactness.* Exact for all values of the parameters in the context, of statements of these forms; other
/// ones are refuted. *Cost.* For each read some compositions and a comparison of relations.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
pub fn check_partial_results(
    program: ProgramWithPartialResults<'_>,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Proof> {
    Proof::from_violations(find_violations(program, tree, budget))
}

fn find_violations(
    program: ProgramWithPartialResults<'_>,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let ProgramWithPartialResults { original, dependences, partial, own, promotion } = program;
    let (updates, changed, added) =
        (reductions(original, budget)?, BTreeMap::new(), BTreeMap::new());
    let forms = Forms { original, changed: partial, promotion, budget };
    let mut check = Check { program, forms, budget, updates, changed, added };
    let violations = check.other_text()?;
    if !violations.is_empty() {
        return Ok(violations);
    }
    let violations = check.other_operators();
    if !violations.is_empty() {
        return Ok(violations);
    }
    let ends = match check.ends()? {
        Ok(ends) => ends,
        Err(violation) => return Ok(vec![violation]),
    };
    let mut violations = check.not_once(&ends)?;
    violations.extend(check.other_elements(&ends)?);
    violations.extend(check.other_values(&ends)?);
    violations.extend(check.other_beginnings(&ends)?);
    let promoted = PromotedProgram { original, dependences, promoted: partial, own, promotion };
    violations.extend(wrong_places(promoted, tree, budget)?);
    Ok(violations)
}

/// The ways of values into others: the statement, and whether it reads there what it writes.
type Way = (StatementId, bool);

/// For each statement of partial results, from its instances to those that combine them with elements of the
/// program.
type Ends = BTreeMap<StatementId, Vec<(StatementId, Map)>>;

struct Check<'a> {
    program: ProgramWithPartialResults<'a>,
    forms: Forms<'a>,
    budget: &'a Budget,
    /// The updates of the program.
    updates: Vec<Reduction>,
    /// The updates of added arrays, with the array.
    changed: BTreeMap<StatementId, ArrayId>,
    added: BTreeMap<StatementId, Added>,
}

impl<'a> Check<'a> {
    fn is_of_program(&self, array: ArrayId) -> bool {
        (array.0 as usize) < self.program.original.arrays.len()
    }

    fn is_refuted(&self, relation: &Map, message: &str) -> Result<Option<Violation>> {
        let relation = relation.intersect_params(&self.program.original.context)?;
        violation_if_any(&relation, || message.to_string(), self.budget)
    }

    /// 1: what is another text.
    fn other_text(&mut self) -> Result<Vec<Violation>> {
        let ProgramWithPartialResults { original, dependences, partial, own, .. } = self.program;
        if partial.statements.len() < original.statements.len()
            || !keeps_arrays(original, partial)
            || partial.arrays[original.arrays.len()..].iter().any(|array| array.live_out)
            || !partial.context.is_equal(&original.context, self.budget)?
        {
            return Ok(vec![violation("the arrays of the program have changed".into())]);
        }
        if !dependences.is_exact || !own.is_exact {
            return Ok(vec![violation("where values come from is not known exactly".into())]);
        }
        let mut violations = Vec::new();
        for (before, after) in original.statements.iter().zip(&partial.statements) {
            // What ends values is not executed.
            let are_kills = before.is_kill && after.is_kill && before.id == after.id;
            if are_kills || self.forms.is_unchanged(before, after)? {
                continue;
            }
            match self.changed_update(before, after)? {
                Some(array) => drop(self.changed.insert(before.id, array)),
                None => violations.push(violation(format!("{} is another statement", after.name))),
            }
        }
        for statement in &partial.statements[original.statements.len()..] {
            match self.forms.added(statement)? {
                Some(added) => drop(self.added.insert(statement.id, added)),
                None => violations
                    .push(violation(format!("{} neither copies nor combines", statement.name))),
            }
        }
        Ok(violations)
    }

    /// The added array that a statement updates in place of an element of the program.
    fn changed_update(
        &self,
        before: &'a Statement,
        after: &'a Statement,
    ) -> Result<Option<ArrayId>> {
        let Some(update) = self.updates.iter().find(|u| u.statement == before.id) else {
            return Ok(None);
        };
        let ProgramWithPartialResults { original, partial, promotion, .. } = self.program;
        let (Some(a), Some(b)) = (before.body.root(), after.body.root()) else { return Ok(None) };
        let cells = |id| promotion.arrays.iter().any(|array| array.cells == id);
        let mut found: Vec<Hole<'_>> = Vec::new();
        let is_text = holes(a, b, &cells, &mut found).is_some()
            && before.body.hidden().is_empty()
            && after.body.hidden().is_empty();
        let Some(array) = found
            .first()
            .and_then(|hole| promotion.arrays.iter().find(|array| array.cells == hole.cell.array))
        else {
            return Ok(None);
        };
        let is_hole = |hole: &Hole<'_>| {
            hole.cell.array == array.cells
                && hole.cell.base.is_named(&partial.array(array.cells).name)
                && hole.part.as_element().is_some_and(|part| part.array == update.array)
        };
        let own = original.array(update.array);
        let is_of_type = |id: &ArrayId| {
            let array = partial.array(*id);
            array.element_type == own.element_type
                || wraps_around(original, update) && is_without_sign(array, own)
        };
        let (cells, elements) = (partial.array(array.cells), partial.array(array.elements));
        let is_one_type = cells.element_type == elements.element_type;
        // The element has not been left anywhere.
        let is_left = after.body.elements().iter().any(|element| element.array == update.array);
        let fits = is_text
            && found.iter().all(is_hole)
            && !is_left
            && is_one_type
            && [array.cells, array.elements].iter().all(is_of_type)
            && self.forms.is_same_frame(before, after)?
            && partial.array(update.array).element_type == own.element_type;
        if !fits {
            return Ok(None);
        }
        let mut relation: Option<&Map> = None;
        for (a, b) in before.accesses.iter().zip(&after.accesses) {
            if a.array != update.array {
                if !self.forms.is_same_access(a, b)? {
                    return Ok(None);
                }
                continue;
            }
            let is_one = match relation {
                Some(known) => known.is_equal(&b.relation, self.budget)?,
                None => after.domain.is_subset(&b.relation.domain(), self.budget)?,
            };
            if b.array != array.elements
                || a.kind != b.kind
                || a.reference != b.reference
                || !is_one
            {
                return Ok(None);
            }
            relation = Some(&b.relation);
        }
        Ok(Some(array.elements))
    }

    /// 2: arrays of partial results that are combined by several operators, or begin with something else.
    fn other_operators(&self) -> Vec<Violation> {
        let mut violations = Vec::new();
        for class in self.classes() {
            let updates = self.changed.iter().filter(|(_, array)| class.contains(array));
            let of = |(id, _): (&StatementId, &ArrayId)| {
                self.updates.iter().find(|update| update.statement == *id)
            };
            let found: Vec<(ReductionOperator, ArrayId)> =
                updates.filter_map(of).map(|update| (update.operator, update.array)).collect();
            let Some(&(operator, element)) = found.first() else {
                violations.push(violation("partial results of no update are combined".into()));
                continue;
            };
            let name = &self.program.original.array(element).name;
            if found.iter().any(|other| *other != (operator, element)) {
                let message = format!("partial results of `{name}` are combined with others");
                violations.push(violation(message));
            }
            for (id, added) in &self.added {
                let Added { form, to, from, .. } = *added;
                if !class.contains(&to) && from.is_none_or(|from| !class.contains(&from)) {
                    continue;
                }
                let is_element = |array: ArrayId| array == element;
                let fits = match form {
                    Form::Start(value) => neutral(operator) == Some(value),
                    Form::Copy => {
                        class.contains(&to)
                            && from.is_some_and(|from| {
                                class.contains(&from) || is_element(from) && is_idempotent(operator)
                            })
                    }
                    Form::Combine(by) => {
                        by == operator
                            && (class.contains(&to) || is_element(to))
                            && from.is_some_and(|from| class.contains(&from))
                    }
                };
                if !fits {
                    let statement = &self.program.partial.statement(*id).name;
                    let message =
                        format!("{statement} does not do what combines `{name}`, nor begins it");
                    violations.push(violation(message));
                }
            }
        }
        violations
    }

    /// The added arrays whose values go into each other.
    fn classes(&self) -> Vec<BTreeSet<ArrayId>> {
        let mut classes: Vec<BTreeSet<ArrayId>> = Vec::new();
        let of_updates = self.changed.values().map(|array| BTreeSet::from([*array]));
        let of_added = self.added.values().map(|added| {
            let both = [Some(added.to), added.from].into_iter().flatten();
            both.filter(|array| !self.is_of_program(*array)).collect()
        });
        for mut joined in of_updates.chain(of_added) {
            let (touched, others): (Vec<_>, Vec<_>) =
                classes.into_iter().partition(|class| !class.is_disjoint(&joined));
            touched.into_iter().for_each(|class| joined.extend(class));
            classes = others;
            classes.push(joined);
        }
        classes
    }

    /// The ways of what a statement writes into other values.
    fn ways(&self, id: StatementId) -> Result<Vec<(Way, Map)>> {
        let mut ways: Vec<(Way, Map)> = Vec::new();
        for flow in self.program.own.flow.iter().filter(|flow| flow.source.0 == id) {
            let Some(added) = self.added.get(&flow.sink.0) else { continue };
            if self.is_of_program(flow.array) {
                continue;
            }
            let at = flow.sink.1.0;
            // Of several references to one element one is enough.
            let is_own = at == 1 && added.n_own_reads > 0;
            if is_own || at == 1 + added.n_own_reads {
                ways.push(((flow.sink.0, is_own), flow.relation.clone()));
            }
        }
        Ok(ways)
    }

    /// 3: partial results without value, or whose value is lost or goes into several others that end
    /// somewhere.
    fn not_once(&self, ends: &Ends) -> Result<Vec<Violation>> {
        let ProgramWithPartialResults { partial, own, .. } = self.program;
        let mut violations = Vec::new();
        for live in own.live_in.iter().filter(|live| !self.is_of_program(live.array)) {
            let name = &partial.statement(live.statement).name;
            let message = format!("{name} reads a partial result that has no value");
            violations.extend(self.is_refuted(&live.relation, &message)?);
        }
        let is_inside = |(_, added): &(&StatementId, &Added)| !self.is_of_program(added.to);
        let added = self.added.iter().filter(is_inside).map(|(id, _)| *id);
        for id in self.changed.keys().copied().chain(added) {
            let statement = partial.statement(id);
            let several = format!("a partial result of {} is combined twice", statement.name);
            let mut ways: Vec<Map> = Vec::new();
            for ((to, _), way) in self.ways(id)? {
                let way = way.intersect_range(&self.ending(to, ends)?)?;
                if !way.is_single_valued(self.budget)? {
                    violations.push(violation(several.clone()));
                    continue;
                }
                for other in &ways {
                    let both = way.intersect_domain(&other.domain())?;
                    violations.extend(self.is_refuted(&both, &several)?);
                }
                ways.push(way);
            }
            if self.changed.contains_key(&id) {
                let left = statement.domain.subtract(&self.ending(id, ends)?, self.budget)?;
                let message = format!("a partial result of {} is lost", statement.name);
                violations.extend(self.is_refuted(left.as_map(), &message)?);
            }
        }
        Ok(violations)
    }

    /// The instances of a statement whose value ends in an element of the program.
    fn ending(&self, id: StatementId, ends: &Ends) -> Result<Set> {
        let mut all = Set::empty(self.program.partial.statement(id).domain.space().clone());
        for (_, way) in ends.get(&id).into_iter().flatten() {
            all = all.union(&way.domain())?;
        }
        all.coalesce(self.budget)
    }

    /// Where what a statement writes ends, from the ends backwards: what several ways have in common is one
    /// relation then.
    fn ends_of(&self, id: StatementId, depth: usize, known: &mut Ends) -> Result<Option<()>> {
        if known.contains_key(&id) {
            return Ok(Some(()));
        }
        let partial = self.program.partial;
        let mut ends: Vec<(StatementId, Map)> = Vec::new();
        if self.added.get(&id).is_some_and(|added| self.is_of_program(added.to)) {
            let domain = partial.statement(id).domain.intersect_params(&partial.context)?;
            ends.push((id, Map::identity(domain.space()).intersect_domain(&domain)?));
        } else if depth == 0 {
            return Ok(None);
        } else {
            for ((to, _), way) in self.ways(id)? {
                if self.ends_of(to, depth - 1, known)?.is_none() {
                    return Ok(None);
                }
                for (end, further) in known.get(&to).into_iter().flatten() {
                    let whole = way.apply_range(further)?;
                    match ends.iter_mut().find(|(other, _)| other == end) {
                        Some((_, all)) => *all = all.union(&whole)?.coalesce(self.budget)?,
                        None => ends.push((*end, whole.coalesce(self.budget)?)),
                    }
                }
            }
        }
        known.insert(id, ends);
        Ok(Some(()))
    }

    /// The ends of all updates, and of what begins with an element.
    fn ends(&self) -> Result<std::result::Result<Ends, Violation>> {
        let mut all = Ends::new();
        for id in self.changed.keys().chain(self.added.keys()) {
            if self.ends_of(*id, self.added.len() + 1, &mut all)?.is_none() {
                let name = &self.program.partial.statement(*id).name;
                return Ok(Err(violation(format!("what {name} adds ends nowhere"))));
            }
        }
        Ok(Ok(all))
    }

    /// 4: updates that end in another element.
    fn other_elements(&self, ends: &Ends) -> Result<Vec<Violation>> {
        let ProgramWithPartialResults { original, partial, .. } = self.program;
        let mut violations = Vec::new();
        for (id, ends) in ends.iter().filter(|(id, _)| self.changed.contains_key(id)) {
            let statement = original.statement(*id);
            let Some(update) = self.updates.iter().find(|update| update.statement == *id) else {
                continue;
            };
            let written = statement.accesses.iter().find(|a| a.reference == update.write);
            let Some(written) = written else { continue };
            let expected = written.relation.intersect_domain(&statement.domain)?;
            let mut left = expected.clone();
            let message =
                format!("what {} adds ends in another element", partial.statement(*id).name);
            for (end, way) in ends {
                let element = way.apply_range(&partial.statement(*end).accesses[0].relation)?;
                let wrong = element.subtract(&expected, self.budget)?;
                violations.extend(self.is_refuted(&wrong, &message)?);
                left = left.subtract(&element, self.budget)?;
            }
            violations.extend(self.is_refuted(&left, &message)?);
        }
        Ok(violations)
    }

    /// Origins with updates in place of the statements at which they end.
    fn by_updates(&self, origins: Origins, ends: &Ends) -> Result<Origins> {
        let mut all = Origins::new();
        for (origin, relation) in origins {
            let Origin::Written(writer, _) = origin else {
                add(&mut all, origin, relation)?;
                continue;
            };
            if !self.added.contains_key(&writer) {
                add(&mut all, origin, relation)?;
                continue;
            }
            for (id, ends) in ends.iter().filter(|(id, _)| self.changed.contains_key(id)) {
                let update = self.updates.iter().find(|update| update.statement == *id);
                let Some(update) = update else { continue };
                for (_, way) in ends.iter().filter(|(end, _)| *end == writer) {
                    let relation = relation.apply_range(&way.reverse())?;
                    add(&mut all, Origin::Written(*id, update.write), relation)?;
                }
            }
        }
        Ok(all)
    }

    /// 5: reads of other values, and other last values.
    fn other_values(&self, ends: &Ends) -> Result<Vec<Violation>> {
        let ProgramWithPartialResults { original, dependences, own, .. } = self.program;
        let context = &original.context;
        let mut violations = Vec::new();
        for statement in original.statements.iter().filter(|statement| !statement.is_kill) {
            let update = self.updates.iter().find(|update| update.statement == statement.id);
            let updated = update.filter(|_| self.changed.contains_key(&statement.id));
            for access in statement.accesses.iter().filter(|a| a.kind == AccessKind::Read) {
                if updated.is_some_and(|update| update.array == access.array) {
                    continue;
                }
                let read = (statement.id, access.reference);
                let found = self.by_updates(of_read(own, read)?, ends)?;
                let expected = of_read(dependences, read)?;
                let name = &original.array(access.array).name;
                let message = || format!("{} reads another value of `{name}`", statement.name);
                violations.extend(differences(
                    (&found, &expected),
                    context,
                    &message,
                    self.budget,
                )?);
            }
        }
        for (id, array) in (0u32..).map(ArrayId).zip(&original.arrays) {
            let found = self.by_updates(of_results(own, id)?, ends)?;
            let expected = of_results(dependences, id)?;
            let message = || format!("the last value of `{}` is another one", array.name);
            violations.extend(differences((&found, &expected), context, &message, self.budget)?);
        }
        Ok(violations)
    }

    /// 2: partial results that begin with another value of the element than that with which they are
    /// combined.
    fn other_beginnings(&self, ends: &Ends) -> Result<Vec<Violation>> {
        let ProgramWithPartialResults { partial, own, original, .. } = self.program;
        let mut violations = Vec::new();
        for (id, added) in &self.added {
            let from = added.from.filter(|from| self.is_of_program(*from));
            let Some(from) = from.filter(|_| added.form == Form::Copy) else { continue };
            let name = &partial.statement(*id).name;
            let found = of_read(own, (*id, ReferenceId(1)))?;
            let read = partial.statement(*id).accesses[1].relation.clone();
            let mut expected = Origins::new();
            for (end, way) in ends.get(id).into_iter().flatten() {
                add_through(&mut expected, way, of_read(own, (*end, ReferenceId(1)))?)?;
                let element = way.apply_range(&partial.statement(*end).accesses[0].relation)?;
                let message = format!("{name} begins with another element");
                let other = element.subtract(&read, self.budget)?;
                violations.extend(self.is_refuted(&other, &message)?);
            }
            let array = &original.array(from).name;
            let message = || format!("{name} begins with another value of `{array}`");
            violations.extend(differences(
                (&found, &expected),
                &original.context,
                &message,
                self.budget,
            )?);
        }
        Ok(violations)
    }
}
