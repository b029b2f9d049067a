//! Contracted arrays keep each value until its last use.
//!
//! In a program with contracted arrays ([`loopwright_storage::Contraction`]) elements of an array share
//! cells. It computes what the program without them does, if
//!
//! 1. *text*: nothing but the subscripts of these arrays has changed, and an element's subscripts are those
//!    of its cell; instances read elements before they write others, which may now be the same cell;
//! 2. *values*: nobody outside of the region sees the arrays, or what comes from before the region is read
//!    where it is, and what is used after it is copied from its cell to its element by statements behind all
//!    others; and each read finds the value that the same instance has written as before: the value-based
//!    flow of cells is that of elements. So no write of another element is between a write and its reads.
//!    (Reads of elements that the array does not have mean nothing in C, and are not looked at.)
//!
//! That is about the program's own order. That loops in another order keep it is for
//! [`crate::check_schedule`] and [`crate::check_parallel_loops`], with the dependences of the program with
//! cells, as for any program.
use crate::storage::flow::{Flow, add, other_flow};
use crate::verdict::{Proof, Violation, violation, violation_if_any};
use loopwright_dataflow::{Dependences, LiveAccess};
use loopwright_presburger::{
    Aff, AffineValues, Budget, DimKind, Int, Map, PwAff, Result, Set, Tuple,
};
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, AssignmentOperator, BodyPiece, ReferenceId, Scop,
    Statement, StatementId, Term,
};
use loopwright_storage::{Contraction, order_of_copies};
use std::collections::{BTreeMap, BTreeSet};

/// A program before and after the contraction of arrays, with the dependences of both in the program's order.
#[derive(Clone, Copy, Debug)]
pub struct ContractedProgram<'a> {
    /// The program as it was.
    pub original: &'a Scop,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// The program with cells.
    pub contracted: &'a Scop,
    /// Its dependences.
    pub contracted_dependences: &'a Dependences,
    /// What was contracted.
    pub contractions: &'a [Contraction],
    /// For each array the elements that may be used after a region that runs once; where it is not known
    /// which, the values of contracted arrays may neither come from before the region nor be used after it.
    pub used_after: &'a [Option<Set>],
}

impl ContractedProgram<'_> {
    /// The statement that copies elements of an array out of its cells.
    fn copies(&self, contraction: &Contraction) -> Option<&Statement> {
        contraction.copied_out.as_ref()?;
        let with_copies = self.contractions.iter().filter(|other| other.copied_out.is_some());
        let mut arrays = with_copies.map(|other| other.array);
        let position = arrays.position(|array| array == contraction.array)?;
        self.contracted.statements.get(self.original.statements.len() + position)
    }

    /// The elements of an array that may be used after the region.
    fn used_after(&self, array: ArrayId) -> Option<&Set> {
        self.used_after.get(array.0 as usize)?.as_ref()
    }
}

/// Checks that the contracted program reads the values that the original one reads.
///
/// *Exactness.* Exact for all values of the parameters in the context, if the dependences of both are;
/// otherwise nothing is proved. *Cost.* A comparison of relations per reference and flow dependence.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
pub fn check_contractions(program: ContractedProgram<'_>, budget: &Budget) -> Result<Proof> {
    if !program.dependences.is_exact || !program.contracted_dependences.is_exact {
        return Ok(Proof::OutOfBudget("dependence analysis"));
    }
    let find_violations = || {
        let mut violations = changed_text(program, budget)?;
        if violations.is_empty() {
            for contraction in program.contractions {
                violations.extend(other_values(program, contraction, budget)?);
            }
        }
        Ok(violations)
    };
    Proof::from_violations(find_violations())
}

/// 1: what the two programs differ in, beyond the subscripts of the arrays.
fn changed_text(program: ContractedProgram<'_>, budget: &Budget) -> Result<Vec<Violation>> {
    let ContractedProgram { original, contracted, contractions, .. } = program;
    let copies: Option<Vec<&Statement>> = contractions
        .iter()
        .filter(|contraction| contraction.copied_out.is_some())
        .map(|contraction| program.copies(contraction))
        .collect();
    let Some(copies) = copies else {
        return Ok(vec![violation("a statement that copies out of cells is missing".into())]);
    };
    let mut schedule = original.schedule.clone();
    for copy in &copies {
        schedule = schedule.followed_by(&order_of_copies(copy))?;
    }
    if original.arrays.len() != contracted.arrays.len()
        || original.statements.len() + copies.len() != contracted.statements.len()
        || schedule.to_string() != contracted.schedule.to_string()
        || !are_moduli(original, contractions)
    {
        return Ok(vec![violation("more than subscripts of arrays has changed".into())]);
    }
    let of = |array: u32| contractions.iter().find(|contraction| contraction.array.0 == array);
    let mut violations = Vec::new();
    for (id, (before, after)) in (0u32..).zip(original.arrays.iter().zip(&contracted.arrays)) {
        let may_live = program.used_after(ArrayId(id)).is_some();
        if !same_array(before, after, of(id), may_live) {
            violations.push(violation(format!("`{}` is not the array that it was", before.name)));
        }
    }
    for (before, after) in original.statements.iter().zip(&contracted.statements) {
        let same_instances = before.name == after.name
            && before.id == after.id
            && before.is_kill == after.is_kill
            && before.domain.is_equal(&after.domain, budget)?;
        if !same_instances
            || !is_read_before_it_writes(before, contractions)
            || !same_body(before, after, &of, budget)?
            || !same_accesses(before, after, &of, budget)?
        {
            violations.push(violation(format!("{} is not the statement that it was", before.name)));
        }
    }
    for contraction in contractions {
        if let Some(copy) = program.copies(contraction)
            && !is_copy(copy, contraction, budget)?
        {
            let message = format!("{} does not copy elements out of their cells", copy.name);
            violations.push(violation(message));
        }
    }
    Ok(violations)
}

/// Whether a statement with an instance per element assigns it what is in its cell.
fn is_copy(copy: &Statement, contraction: &Contraction, budget: &Budget) -> Result<bool> {
    let (n_dims, space) = (contraction.moduli.len(), copy.domain.space());
    let Some(assigned) = copy.body.plain_assignment() else { return Ok(false) };
    let (target, Some(source)) = (assigned.target, assigned.value.as_element()) else {
        return Ok(false);
    };
    let [write, read] = &copy.accesses[..] else { return Ok(false) };
    let is_plain = !copy.is_kill
        && copy.domain.n_dims() == n_dims
        && assigned.operator == AssignmentOperator::Set
        && [target.array, source.array, write.array, read.array] == [contraction.array; 4]
        && (write.kind, read.kind) == (AccessKind::MustWrite, AccessKind::Read)
        && write.reference != read.reference
        && target.base == source.base
        && target.subscripts.len() == n_dims;
    if !is_plain {
        return Ok(false);
    }
    let element: Vec<PwAff> =
        (0..n_dims).map(|at| PwAff::from_aff(Aff::variable(space, DimKind::Out, at))).collect();
    let unchanged = Contraction { moduli: vec![None; n_dims], ..contraction.clone() };
    let to_element = Map::identity(space);
    let elements = write
        .relation
        .space()
        .with_tuples(space.output().cloned(), write.relation.space().output().cloned());
    let to_element = to_element.with_space_tuples(&elements)?.intersect_domain(&copy.domain)?;
    Ok(same_cell((&element, &target.subscripts), &unchanged, copy, budget)?
        && same_cell((&element, &source.subscripts), contraction, copy, budget)?
        && write.relation.is_equal(&to_element, budget)?
        && read.relation.is_equal(&cells_of(&to_element, contraction)?, budget)?)
}

/// Whether there is one contraction for an array, which has as many dimensions, and moduli are positive.
fn are_moduli(original: &Scop, contractions: &[Contraction]) -> bool {
    let arrays: BTreeSet<_> = contractions.iter().map(|contraction| contraction.array).collect();
    arrays.len() == contractions.len()
        && contractions.iter().all(|contraction| {
            let array = original.arrays.get(contraction.array.0 as usize);
            array.is_some_and(|array| array.extents.len() == contraction.moduli.len())
                && contraction.moduli.iter().flatten().all(Int::is_positive)
        })
}

/// Whether the two are one array; a contracted one that the region declares has its moduli as extents. Values
/// of a contracted one may be used after the region if it is known which (`may_live`).
fn same_array(
    before: &Array,
    after: &Array,
    contraction: Option<&Contraction>,
    may_live: bool,
) -> bool {
    let texts = before.extent_texts.iter().enumerate().map(|(at, text)| {
        let modulus = contraction.and_then(|contraction| contraction.moduli.get(at)?.as_ref());
        match modulus {
            Some(modulus) if before.declared_in_scop => modulus.to_string(),
            _ => text.clone(),
        }
    });
    before.name == after.name
        && before.tuple_name == after.tuple_name
        && before.element_type == after.element_type
        && before.extents.len() == after.extents.len()
        && before.declared_in_scop == after.declared_in_scop
        && before.declaration_depth == after.declaration_depth
        && before.live_out == after.live_out
        && (contraction.is_none() || !before.live_out || may_live)
        && texts.eq(after.extent_texts.iter().cloned())
}

/// Whether an instance reads all that it reads of a contracted array before it writes there: it does one of
/// the two, or is one assignment to it. Elements that it could access in any order may share a cell.
fn is_read_before_it_writes(statement: &Statement, contractions: &[Contraction]) -> bool {
    let assigned = statement.body.root().and_then(Term::as_assignment);
    let assigned = assigned.and_then(|(_, target, _)| target.without_parentheses().as_element());
    contractions.iter().all(|contraction| {
        let own = || statement.accesses.iter().filter(|a| a.array == contraction.array);
        let n_writes = own().filter(|access| access.kind != AccessKind::Read).count();
        let is_target = assigned.is_some_and(|target| target.array == contraction.array);
        statement.is_kill || n_writes == 0 || own().count() == 1 || n_writes == 1 && is_target
    })
}

/// Whether the two bodies are the same, but for cells in place of elements.
fn same_body<'c>(
    before: &Statement,
    after: &Statement,
    of: &impl Fn(u32) -> Option<&'c Contraction>,
    budget: &Budget,
) -> Result<bool> {
    let pieces = (before.body.pieces(), after.body.pieces());
    if pieces.0.len() != pieces.1.len() {
        return Ok(false);
    }
    for pair in pieces.0.iter().zip(&pieces.1) {
        let same = match pair {
            (BodyPiece::Element(a), BodyPiece::Element(b)) => match of(a.array.0) {
                None => a == b,
                Some(contraction) => {
                    a.array == b.array
                        && a.base == b.base
                        && same_cell((&a.subscripts, &b.subscripts), contraction, before, budget)?
                }
            },
            (BodyPiece::Hidden(a), BodyPiece::Hidden(b)) => a == b && of(a.0).is_none(),
            (BodyPiece::Text(a), BodyPiece::Text(b)) => a == b,
            (BodyPiece::Affine(a), BodyPiece::Affine(b)) => a.to_string() == b.to_string(),
            _ => false,
        };
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the second subscripts are the first ones, with the moduli where there are some.
fn same_cell(
    (elements, cells): (&[PwAff], &[PwAff]),
    contraction: &Contraction,
    statement: &Statement,
    budget: &Budget,
) -> Result<bool> {
    let moduli = &contraction.moduli;
    if elements.len() != moduli.len() || cells.len() != moduli.len() {
        return Ok(false);
    }
    for ((element, cell), modulus) in elements.iter().zip(cells).zip(moduli) {
        let expected = match modulus {
            None => element.to_map(),
            Some(modulus) => element.map_affs(&|aff: &Aff| remainder(aff, modulus)).to_map(),
        };
        let expected = expected.intersect_domain(&statement.domain)?;
        if !cell.to_map().intersect_domain(&statement.domain)?.is_equal(&expected, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `value - modulus * floor(value / modulus)`.
fn remainder(value: &Aff, modulus: &Int) -> Aff {
    let multiple = value.scale_down(modulus).floor().scale(modulus);
    value.sub(&multiple).unwrap_or_else(|_| Aff::nan(value.domain_space()))
}

/// Whether the two statements access the same, but for cells in place of elements.
fn same_accesses<'c>(
    before: &Statement,
    after: &Statement,
    of: &impl Fn(u32) -> Option<&'c Contraction>,
    budget: &Budget,
) -> Result<bool> {
    if before.accesses.len() != after.accesses.len() {
        return Ok(false);
    }
    for (a, b) in before.accesses.iter().zip(&after.accesses) {
        let relation = match of(a.array.0) {
            None => a.relation.clone(),
            Some(contraction) => cells_of(&a.relation, contraction)?,
        };
        let same = a.reference == b.reference && a.kind == b.kind && a.array == b.array;
        if !same || !b.relation.is_equal(&relation, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The cells of the elements that an access touches: the subscripts, one after the other, by congruences.
fn cells_of(accessed: &Map, contraction: &Contraction) -> Result<Map> {
    let elements = accessed.space().range();
    let name = elements.output().and_then(Tuple::name).map(ToString::to_string);
    let name = name.unwrap_or_default();
    let n = contraction.moduli.len();
    let list =
        |letter: &str| (0..n).map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(", ");
    let conditions: Vec<String> = contraction
        .moduli
        .iter()
        .enumerate()
        .map(|(at, modulus)| match modulus {
            None => format!("c{at} = e{at}"),
            Some(m) => format!("0 <= c{at} < {m} and (e{at} - c{at}) mod {m} = 0"),
        })
        .collect();
    let (from, to) = (list("e"), list("c"));
    let text = format!("{{ A[{from}] -> A[{to}] : {} }}", conditions.join(" and "));
    let cells = Map::parse(&text)?;
    let tuple = Tuple::named(&name, n);
    let space = cells.space().with_tuples(Some(tuple.clone()), Some(tuple));
    accessed.apply_range(&cells.with_space_tuples(&space)?)
}

/// 2: values of the array that come from or go to elsewhere, or are not those that were read before.
fn other_values(
    program: ContractedProgram<'_>,
    contraction: &Contraction,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let ContractedProgram { original, dependences, contracted_dependences, .. } = program;
    let array = contraction.array;
    let name = &original.array(array).name;
    let mut violations = Vec::new();
    match program.used_after(array) {
        Some(used) => {
            violations.extend(other_values_from_before(program, contraction, budget)?);
            violations.extend(other_values_for_after(program, contraction, used, budget)?);
        }
        None => {
            let live = dependences.live_in.iter().chain(&dependences.live_out);
            for live in live.filter(|live| live.array == array) {
                let message = || format!("a value of `{name}` comes from or goes to outside");
                let existing = original.array(array).elements(&live.relation.space().range())?;
                let seen = live.relation.intersect_range_within(&existing, budget)?;
                violations.extend(violation_if_any(&seen, message, budget)?);
            }
        }
    }
    let before = flow_of(program, dependences, array)?;
    let mut after = flow_of(program, contracted_dependences, array)?;
    let n_statements = original.statements.len();
    after.retain(|(_, sink), _| (sink.0.0 as usize) < n_statements);
    violations.extend(other_flow((&before, &after), original, name, budget)?);
    Ok(violations)
}

/// 2, of values from before the region: each read that sees one sees it in the program with cells as well, in
/// the same place.
fn other_values_from_before(
    program: ContractedProgram<'_>,
    contraction: &Contraction,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let ContractedProgram { original, dependences, contracted_dependences, .. } = program;
    let array = contraction.array;
    let name = &original.array(array).name;
    let seen = |dependences: &Dependences, statement: &Statement, access: &Access| -> Result<Set> {
        let existing = original.array(array).elements(&access.relation.space().range())?;
        let readers = access.relation.intersect_range(&existing)?.domain();
        let mut seen = Set::empty(statement.domain.space().clone());
        let own = |live: &&LiveAccess| {
            (live.statement, live.reference) == (statement.id, access.reference)
        };
        for live in dependences.live_in.iter().filter(own) {
            let own = live.instances.intersect_params(&original.context)?;
            seen = seen.union(&own.intersect_within(&readers, budget)?)?;
        }
        Ok(seen)
    };
    let mut violations = Vec::new();
    for statement in original.statements.iter().filter(|statement| !statement.is_kill) {
        let own = |a: &&Access| a.array == array && a.kind == AccessKind::Read;
        for access in statement.accesses.iter().filter(own) {
            let before = seen(dependences, statement, access)?;
            let after = seen(contracted_dependences, statement, access)?;
            let message = |what: &str| {
                format!("{} {what} a value of `{name}` from before the region", statement.name)
            };
            let lost = before.subtract(&after, budget)?;
            violations.extend(violation_if_any(
                lost.as_map(),
                || message("no longer reads"),
                budget,
            )?);
            let gained = after.subtract(&before, budget)?;
            violations.extend(violation_if_any(gained.as_map(), || message("reads"), budget)?);
            let read = access.relation.intersect_domain(&before)?;
            let elsewhere = read.subtract(&cells_of(&read, contraction)?, budget)?;
            let message = || message("reads elsewhere");
            violations.extend(violation_if_any(&elsewhere, message, budget)?);
        }
    }
    Ok(violations)
}

/// 2, of values for uses after the region: those that it leaves are copied out of their cells, and nothing is
/// written to others.
fn other_values_for_after(
    program: ContractedProgram<'_>,
    contraction: &Contraction,
    used: &Set,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let ContractedProgram { original, dependences, contracted, contracted_dependences, .. } =
        program;
    let array = contraction.array;
    let name = &original.array(array).name;
    let copy = program.copies(contraction);
    let mut violations = Vec::new();
    let mut left: BTreeMap<(StatementId, ReferenceId), Map> = BTreeMap::new();
    let mut untouched = used.intersect_params(&original.context)?;
    let mut all_left = Set::empty(used.space().clone());
    for live in dependences.live_out.iter().filter(|live| live.array == array) {
        let own = live.relation.intersect_params(&original.context)?;
        let own = own.intersect_range_within(used, budget)?;
        untouched = untouched.subtract(&own.range(), budget)?;
        all_left = all_left.union(&own.range())?;
        let key = (live.statement, live.reference);
        let joined = left.remove(&key).map_or(Ok(own.clone()), |known: Map| known.union(&own))?;
        left.insert(key, joined);
    }
    let flow = flow_of(program, contracted_dependences, array)?;
    for (key, elements) in left {
        let goes_out = || format!("a value of `{name}` that is used after the region is lost");
        let mut lost = elements;
        for ((source, sink), flow) in &flow {
            if *source == key && copy.is_some_and(|copy| copy.id == sink.0) {
                lost = lost.subtract(&flow.with_space_tuples(lost.space())?, budget)?;
            }
        }
        violations.extend(violation_if_any(&lost, goes_out, budget)?);
    }
    for statement in &contracted.statements {
        let is_copy = copy.is_some_and(|copy| copy.id == statement.id);
        let writes = |a: &&Access| a.array == array && a.kind != AccessKind::Read;
        for access in statement.accesses.iter().filter(writes).filter(|_| !statement.is_kill) {
            let changed = match is_copy {
                // What is not left by the region is not copied.
                true => access.relation.range().subtract(&all_left, budget)?,
                false => access.relation.range(),
            };
            let changed = changed.intersect_within(&untouched, budget)?;
            let message = || {
                let name = &original.array(array).name;
                format!("{} changes a value of `{name}` from before the region", statement.name)
            };
            violations.extend(violation_if_any(changed.as_map(), message, budget)?);
        }
    }
    Ok(violations)
}

/// The flow of values of an array between each two references, to those that read elements which exist in the
/// original program.
fn flow_of(
    program: ContractedProgram<'_>,
    dependences: &Dependences,
    array: ArrayId,
) -> Result<Flow> {
    let original = program.original;
    let mut all = Flow::new();
    for flow in dependences.nearest_flow().iter().filter(|flow| flow.array == array) {
        // Statements that copy are behind those of the original.
        let Some(reader) = program.contracted.statements.get(flow.sink.0.0 as usize) else {
            continue;
        };
        let reader = original.statements.get(reader.id.0 as usize).unwrap_or(reader);
        let mut read = reader.accesses.iter().filter(|a| a.reference == flow.sink.1);
        let Some(read) = read.next() else { continue };
        let existing = original.array(array).elements(&read.relation.space().range())?;
        let readers = read.relation.intersect_range(&existing)?.domain();
        let own = flow.relation.intersect_params(&original.context)?.intersect_range(&readers)?;
        add(&mut all, (flow.source, flow.sink), own)?;
    }
    Ok(all)
}
