//! Copies of arrays have the values that the arrays had.
//!
//! In a program with expanded arrays statements access the element `x_copies[i][e]` in place of `x[e]`, where
//! `i` are the first coordinates of the instance, less the least values that they have. It computes what the
//! program without copies does, if
//!
//! 1. *text*: nothing but these accesses has changed, and the copies exist that are named;
//! 2. *values*: no value of the array comes from before the region, and each read of a copy finds the value
//!    that the same instance has written as before: the value-based flow of both programs is the same;
//! 3. *after*: where values may be used after the region, a statement behind all others copies each last
//!    value to its element, and nothing else accesses the array.
//!
//! That loops in another order keep it is for [`crate::check_schedule`] and [`crate::check_parallel_loops`],
//! with the dependences of the program with copies, as for any program.
use crate::storage::flow::{flow, other_flow};
use crate::verdict::{Proof, Violation, violation, violation_if_any};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Aff, Budget, DimKind, Int, Map, MultiAff, PwAff, Result, Tuple};
use loopwright_scop::{
    Access, AccessKind, AssignmentOperator, BodyPiece, Element, Expansion, Scop, Statement,
    StatementId,
};
use loopwright_storage::order_of_copies;

/// A program before and after the expansion of arrays, with the dependences of both in the program's order.
#[derive(Clone, Copy, Debug)]
pub struct ProgramWithCopies<'a> {
    /// The program as it was.
    pub original: &'a Scop,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// The program with copies.
    pub expanded: &'a Scop,
    /// Its dependences.
    pub expanded_dependences: &'a Dependences,
    /// What was expanded: `scalar` may be an array.
    pub expansions: &'a [Expansion],
}

/// Checks that the program with copies reads the values that the original one reads.
///
/// *Exactness.* Exact for all values of the parameters in the context, if the dependences of both are;
/// otherwise nothing is proved. *Cost.* A comparison of relations per reference and flow dependence.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
pub fn check_array_expansions(program: ProgramWithCopies<'_>, budget: &Budget) -> Result<Proof> {
    if !program.dependences.is_exact || !program.expanded_dependences.is_exact {
        return Ok(Proof::OutOfBudget("dependence analysis"));
    }
    let find_violations = || {
        let mut violations = program.changed_text(budget)?;
        if violations.is_empty() {
            for expansion in program.expansions {
                violations.extend(program.missing_copies(expansion, budget)?);
                violations.extend(program.other_values(expansion, budget)?);
                violations.extend(program.lost_values(expansion, budget)?);
            }
        }
        Ok(violations)
    };
    Proof::from_violations(find_violations())
}

impl ProgramWithCopies<'_> {
    /// The statement that copies back what may be used after the region.
    fn copy_back(&self, expansion: &Expansion) -> Option<&Statement> {
        let live = |e: &&Expansion| self.original.array(e.scalar).live_out;
        let mut with_copies = self.expansions.iter().filter(live);
        let position = with_copies.position(|other| other.array == expansion.array)?;
        self.expanded.statements.get(self.original.statements.len() + position)
    }

    fn of(&self, statement: &Statement, array: u32) -> Option<&Expansion> {
        let is_its = |e: &&Expansion| e.scalar.0 == array && e.statements.contains(&statement.id);
        self.expansions.iter().find(is_its)
    }

    /// 1: what the two programs differ in, beyond the accesses.
    fn changed_text(&self, budget: &Budget) -> Result<Vec<Violation>> {
        let ProgramWithCopies { original, expanded, expansions, .. } = *self;
        let added = expansions.iter().map(|expansion| expansion.array.0 as usize);
        let copies = expanded.statements.get(original.statements.len()..).unwrap_or(&[]);
        let n_copies = expansions.iter().filter(|e| original.array(e.scalar).live_out).count();
        let mut schedule = original.schedule.clone();
        for copy in copies {
            schedule = schedule.followed_by(&order_of_copies(copy))?;
        }
        if !added.eq(original.arrays.len()..expanded.arrays.len())
            || copies.len() != n_copies
            || schedule.to_string() != expanded.schedule.to_string()
        {
            return Ok(vec![violation("more than the accesses of arrays has changed".into())]);
        }
        let mut violations = Vec::new();
        for expansion in expansions {
            let (before, after) =
                (original.array(expansion.scalar), expanded.array(expansion.array));
            let n_dims = expansion.n_loops + before.extents.len();
            let has_rows = after.extents.len() == n_dims
                && after.extent_texts.len() == n_dims
                && after.extent_texts[expansion.n_loops..] == before.extent_texts[..];
            if !has_rows || before.element_type != after.element_type || after.live_out {
                let message = format!("`{}` has no copies of `{}`", after.name, before.name);
                violations.push(violation(message));
            }
        }
        for (before, after) in original.statements.iter().zip(&expanded.statements) {
            let same_instances = before.name == after.name
                && before.id == after.id
                && before.is_kill == after.is_kill
                && before.domain.is_equal(&after.domain, budget)?;
            if !same_instances
                || !self.same_body(before, after)
                || !self.same_accesses(before, after, budget)?
            {
                let message = format!("{} is not the statement that it was", before.name);
                violations.push(violation(message));
            }
        }
        Ok(violations)
    }

    /// Whether the two bodies are the same, but for copies in place of elements.
    fn same_body(&self, before: &Statement, after: &Statement) -> bool {
        let same = |(a, b): (&BodyPiece<'_>, &BodyPiece<'_>)| match (a, b) {
            (BodyPiece::Element(a), BodyPiece::Element(b)) => match self.of(before, a.array.0) {
                None => a == b,
                Some(expansion) => {
                    b.array == expansion.array
                        && b.base.is_named(&self.expanded.array(b.array).name)
                        && b.subscripts.len() == expansion.n_loops + a.subscripts.len()
                }
            },
            (BodyPiece::Hidden(a), BodyPiece::Hidden(b)) => {
                a == b && self.of(before, a.0).is_none()
            }
            (BodyPiece::Text(a), BodyPiece::Text(b)) => a == b,
            (BodyPiece::Affine(a), BodyPiece::Affine(b)) => a.to_string() == b.to_string(),
            _ => false,
        };
        let (before, after) = (before.body.pieces(), after.body.pieces());
        before.len() == after.len() && before.iter().zip(&after).all(same)
    }

    /// Whether the two statements access the same, but for copies in place of elements: those that the text
    /// names where it named the elements.
    fn same_accesses(
        &self,
        before: &Statement,
        after: &Statement,
        budget: &Budget,
    ) -> Result<bool> {
        if before.accesses.len() != after.accesses.len() {
            return Ok(false);
        }
        for (a, b) in before.accesses.iter().zip(&after.accesses) {
            let Some(expansion) = self.of(before, a.array.0).filter(|_| !before.is_kill) else {
                if a.reference != b.reference
                    || (a.kind, a.array) != (b.kind, b.array)
                    || !a.relation.is_equal(&b.relation, budget)?
                {
                    return Ok(false);
                }
                continue;
            };
            if a.reference != b.reference
                || (a.kind, expansion.array) != (b.kind, b.array)
                || !self.is_named(before, after, (a, b), budget)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether each part of the text that names the elements of an access names the copies of the other one
    /// now, and there is such a part.
    fn is_named(
        &self,
        before: &Statement,
        after: &Statement,
        (a, b): (&Access, &Access),
        budget: &Budget,
    ) -> Result<bool> {
        let mut n_named = 0;
        let elements = before.body.elements().into_iter().zip(after.body.elements());
        for (element, copy) in elements.filter(|(element, _)| element.array == a.array) {
            let instances = a.relation.domain();
            let named = elements_of(element, a)?.intersect_domain(&instances)?;
            if named.is_equal(&a.relation, budget)? {
                n_named += 1;
                let named = elements_of(copy, b)?.intersect_domain(&instances)?;
                if !named.is_equal(&b.relation, budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(n_named > 0)
    }

    /// 1: copies that are accessed and do not exist, as far as loops choose them.
    fn missing_copies(&self, expansion: &Expansion, budget: &Budget) -> Result<Vec<Violation>> {
        let array = self.expanded.array(expansion.array);
        let message = || format!("a copy in `{}` does not exist", array.name);
        let mut violations = Vec::new();
        let accesses = self.expanded.statements.iter().flat_map(|s| &s.accesses);
        for access in accesses.filter(|access| access.array == expansion.array) {
            let mut known = array.clone();
            known.extents[expansion.n_loops..].fill(None);
            let all = known.elements(&access.relation.space().range())?;
            let mut accessed = access.relation.range();
            // Of the elements that the array had, those that it did not have mean nothing in C.
            for at in expansion.n_loops..known.extents.len() {
                accessed = accessed.lower_bound(DimKind::Out, at, &Int::ZERO);
            }
            let accessed = accessed.intersect_params(&self.original.context)?;
            let missing = accessed.subtract(&all, budget)?;
            violations.extend(violation_if_any(missing.as_map(), message, budget)?);
        }
        Ok(violations)
    }

    /// 2: values from before the region, and other ones than were read.
    fn other_values(&self, expansion: &Expansion, budget: &Budget) -> Result<Vec<Violation>> {
        let ProgramWithCopies { original, dependences, expanded, expanded_dependences, .. } = *self;
        let name = &original.array(expansion.scalar).name;
        let is_own = |id: &StatementId| expansion.statements.contains(id);
        let mut violations = Vec::new();
        for live in dependences.live_in.iter().filter(|live| live.array == expansion.scalar) {
            let message = || format!("a value of `{name}` comes from before the region");
            violations.extend(violation_if_any(live.instances.as_map(), message, budget)?);
        }
        let mut before = flow(dependences, expansion.scalar, original)?;
        before.retain(|(source, sink), _| is_own(&source.0) || is_own(&sink.0));
        let mut after = flow(expanded_dependences, expansion.array, expanded)?;
        let n_statements = original.statements.len();
        after.retain(|(_, sink), _| (sink.0.0 as usize) < n_statements);
        violations.extend(other_flow((&before, &after), original, name, budget)?);
        Ok(violations)
    }

    /// 3: values that are used after the region and not copied back.
    fn lost_values(&self, expansion: &Expansion, budget: &Budget) -> Result<Vec<Violation>> {
        let ProgramWithCopies { original, dependences, expanded, expanded_dependences, .. } = *self;
        let array = original.array(expansion.scalar);
        if !array.live_out {
            return Ok(Vec::new());
        }
        let name = &array.name;
        let Some(copy) = self.copy_back(expansion) else {
            return Ok(vec![violation(format!("`{name}` is not copied back"))]);
        };
        let others = expanded.statements.iter().filter(|s| !s.is_kill && s.id != copy.id);
        let mut others = others.flat_map(|statement| &statement.accesses);
        let n = expansion.n_loops;
        if others.any(|access| access.array == expansion.scalar)
            || !is_copy(copy, expansion, budget)?
        {
            return Ok(vec![violation(format!("{} does not copy `{name}` back", copy.name))]);
        }
        let after = flow(expanded_dependences, expansion.array, expanded)?;
        let mut violations = Vec::new();
        for live in dependences.live_out.iter().filter(|live| live.array == expansion.scalar) {
            let mut lost = live.relation.intersect_params(&original.context)?;
            for ((source, sink), flow) in &after {
                if *source == (live.statement, live.reference) && sink.0 == copy.id {
                    let flow = flow.project_out(DimKind::Out, 0, n);
                    lost = lost.subtract(&flow.with_space_tuples(lost.space())?, budget)?;
                }
            }
            let message = || format!("a value of `{name}` that is used after the region is lost");
            violations.extend(violation_if_any(&lost, message, budget)?);
        }
        // One instance for each element, so that no other value takes its place.
        let elements = copy.accesses[0].relation.reverse();
        if !elements.is_single_valued(budget)? {
            violations.push(violation(format!("an element of `{name}` is copied back twice")));
        }
        Ok(violations)
    }
}

/// Whether a statement with an instance per copy assigns it to its element.
fn is_copy(copy: &Statement, expansion: &Expansion, budget: &Budget) -> Result<bool> {
    let Some(assigned) = copy.body.plain_assignment() else { return Ok(false) };
    let (target, Some(source)) = (assigned.target, assigned.value.as_element()) else {
        return Ok(false);
    };
    let [write, read] = &copy.accesses[..] else { return Ok(false) };
    let is_plain = assigned.operator == AssignmentOperator::Set
        && !copy.is_kill
        && (target.array, source.array) == (expansion.scalar, expansion.array)
        && (write.array, read.array) == (expansion.scalar, expansion.array)
        && (write.kind, read.kind) == (AccessKind::MustWrite, AccessKind::Read)
        && copy.domain.n_dims() == source.subscripts.len()
        && source.subscripts.len() == expansion.n_loops + target.subscripts.len();
    if !is_plain {
        return Ok(false);
    }
    let space = copy.domain.space();
    let coordinates: Vec<PwAff> = (0..copy.domain.n_dims())
        .map(|at| PwAff::from_aff(Aff::variable(space, DimKind::Out, at)))
        .collect();
    let at = |subscripts: &[PwAff], element: &Element, access: &Access| -> Result<bool> {
        let expected = Element::new(element.base.clone(), element.array, subscripts.to_vec());
        let expected = elements_of(&expected, access)?.intersect_domain(&copy.domain)?;
        let named = elements_of(element, access)?.intersect_domain(&copy.domain)?;
        Ok(named.is_equal(&expected, budget)? && access.relation.is_equal(&expected, budget)?)
    };
    Ok(at(&coordinates, source, read)? && at(&coordinates[expansion.n_loops..], target, write)?)
}

/// From instances to the element that a part of the text names, in the space of an access.
fn elements_of(element: &Element, access: &Access) -> Result<Map> {
    let space = access.relation.space();
    let mut all: Option<Map> = None;
    for subscript in &element.subscripts {
        let own = subscript.to_map();
        all = Some(match all {
            None => own,
            Some(others) => others.flat_range_product(&own)?,
        });
    }
    let Some(all) = all else {
        return Ok(MultiAff::new(space.clone(), Vec::new())?.to_map());
    };
    let n = element.subscripts.len();
    let tuple = Tuple::named(space.output().and_then(Tuple::name).map_or("", |name| name), n);
    all.with_space_tuples(&all.space().with_tuples(space.input().cloned(), Some(tuple)))
}
