//! Contracted arrays keep each value until its last use.
//!
//! In a program with contracted arrays ([`loopwright_storage::Contraction`]) elements of an array share cells. It computes what the
//! program without them does, if
//!
//! 1. *text*: nothing but the subscripts of these arrays has changed, and an element's subscripts are those of its cell; instances
//!    read elements before they write others, which may now be the same cell;
//! 2. *values*: nobody outside of the region sees the arrays, and each read finds the value that the same instance has written as before:
//!    the value-based flow of cells is that of elements. So no write of another element is between a write and its reads. (Reads of
//!    elements that the array does not have mean nothing in C, and are not looked at.)
//!
//! That is about the program's own order. That loops in another order keep it is for [`crate::check_schedule`] and
//! [`crate::check_parallel_loops`], with the dependences of the program with cells, as for any program.
use crate::verdict::{Proof, Violation, violation_if_any};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Aff, AffineValues, Budget, Int, Map, PwAff, Result, Tuple};
use loopwright_scop::{
    AccessKind, Array, ArrayId, BodyPiece, ReferenceId, Scop, Statement, StatementId, Term,
};
use loopwright_storage::Contraction;
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
}

/// Checks that the contracted program reads the values that the original one reads.
///
/// *Exactness.* Exact for all values of the parameters in the context, if the dependences of both are; otherwise nothing is proved.
/// *Cost.* A comparison of relations per reference and flow dependence.
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

fn violation(message: String) -> Violation {
    Violation { message, example: None }
}

/// 1: what the two programs differ in, beyond the subscripts of the arrays.
fn changed_text(program: ContractedProgram<'_>, budget: &Budget) -> Result<Vec<Violation>> {
    let ContractedProgram { original, contracted, contractions, .. } = program;
    if original.arrays.len() != contracted.arrays.len()
        || original.statements.len() != contracted.statements.len()
        || original.schedule.to_string() != contracted.schedule.to_string()
        || !are_moduli(original, contractions)
    {
        return Ok(vec![violation("more than subscripts of arrays has changed".into())]);
    }
    let of = |array: u32| contractions.iter().find(|contraction| contraction.array.0 == array);
    let mut violations = Vec::new();
    for (id, (before, after)) in (0u32..).zip(original.arrays.iter().zip(&contracted.arrays)) {
        if !same_array(before, after, of(id)) {
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
    Ok(violations)
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

/// Whether the two are one array; a contracted one that the region declares has its moduli as extents.
fn same_array(before: &Array, after: &Array, contraction: Option<&Contraction>) -> bool {
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
        && !(contraction.is_some() && before.live_out)
        && texts.eq(after.extent_texts.iter().cloned())
}

/// Whether an instance reads all that it reads of a contracted array before it writes there: it does one of the two, or is one
/// assignment to it. Elements that it could access in any order may share a cell.
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
    let live = dependences.live_in.iter().chain(&dependences.live_out);
    for live in live.filter(|live| live.array == array) {
        let message = || format!("a value of `{name}` comes from or goes to outside");
        let existing = original.array(array).elements(&live.relation.space().range())?;
        let seen = live.relation.intersect_range_within(&existing, budget)?;
        violations.extend(violation_if_any(&seen, message, budget)?);
    }
    let (before, after) =
        (flow_of(program, dependences, array)?, flow_of(program, contracted_dependences, array)?);
    let keys: BTreeSet<&References> = before.keys().chain(after.keys()).collect();
    for key in keys {
        let message = |what: &str| {
            let (source, sink) = (original.statement(key.0.0), original.statement(key.1.0));
            format!("{} {what} a value of `{name}` that {} has written", sink.name, source.name)
        };
        let (Some(before), Some(after)) = (before.get(key), after.get(key)) else {
            let (lost, what) = match before.get(key) {
                Some(before) => (before, "no longer reads"),
                None => (&after[key], "reads"),
            };
            violations.extend(violation_if_any(lost, || message(what), budget)?);
            continue;
        };
        let lost = before.subtract(after, budget)?;
        violations.extend(violation_if_any(&lost, || message("no longer reads"), budget)?);
        let gained = after.subtract(before, budget)?;
        violations.extend(violation_if_any(&gained, || message("reads"), budget)?);
    }
    Ok(violations)
}

/// A reference that writes, and one that reads.
type References = ((StatementId, ReferenceId), (StatementId, ReferenceId));

/// The flow of values of an array between each two references, to those that read elements which exist in the original program.
fn flow_of(
    program: ContractedProgram<'_>,
    dependences: &Dependences,
    array: ArrayId,
) -> Result<BTreeMap<References, Map>> {
    let original = program.original;
    let mut all: BTreeMap<References, Map> = BTreeMap::new();
    for flow in dependences.nearest_flow().iter().filter(|flow| flow.array == array) {
        let reader = original.statement(flow.sink.0);
        let mut read = reader.accesses.iter().filter(|a| a.reference == flow.sink.1);
        let Some(read) = read.next() else { continue };
        let existing = original.array(array).elements(&read.relation.space().range())?;
        let readers = read.relation.intersect_range(&existing)?.domain();
        let own = flow.relation.intersect_params(&original.context)?.intersect_range(&readers)?;
        let key = (flow.source, flow.sink);
        let joined = all.remove(&key).map_or(Ok(own.clone()), |known: Map| known.union(&own))?;
        all.insert(key, joined);
    }
    Ok(all)
}
