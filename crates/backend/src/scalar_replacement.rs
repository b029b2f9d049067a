//! Array elements that a loop without loops inside uses again are kept in local variables.
//!
//! ```text
//! for (long c1 = 0; c1 < n; c1++)              if (0 < n) {
//!   y[c0] = y[c0] + A[c0][c1] * x[c1];   ⟶      double y_value = y[c0];
//!                                               for (long c1 = 0; c1 < n; c1++)
//!                                                 y_value = y_value + A[c0][c1] * x[c1];
//!                                               y[c0] = y_value;
//!                                             }
//! ```
//!
//! Compilers cannot do this by themselves where `y` and `x` are pointers that might overlap; the
//! front end has established or recorded that they do not. Elements that are the same in all iterations
//! are kept *throughout the loop*: the loop runs at least once inside of
//! the condition and writes the element for sure, so that the element exists and nothing is written
//! that the program does not write. Elements that are others in each iteration, but are used
//! by several of its statements, are kept *throughout an iteration*. No other access meanwhile is to
//! the same element, so that the copy is the only one: others have different constants in a subscript, or
//! are different elements by what the loops around guarantee ([`crate::element_alias`]).
//!
//! Elements that are only read, by statements that compute without conditions, can be kept as well. Compilers
//! for processors do that by themselves where nothing is written; in kernels it is asked for
//! ([`Keeping::reads`]).
use crate::body::{Body, Element};
use crate::element_alias::are_disjoint;
use loopwright_astgen::{Lowering, Place};
use loopwright_presburger::{Name, Result};
use loopwright_scop::{Access, AccessKind, ArrayId, Scop, Statement};
use std::collections::HashMap;

/// A statement in the body of a loop.
pub(crate) struct Call<'a> {
    pub(crate) statement: &'a Statement,
    pub(crate) place: &'a Place,
    pub(crate) body: Body,
}

/// How long an element is kept in a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Throughout the loop.
    Loop,
    /// Throughout each iteration.
    Iteration,
}

/// An element that is kept in a variable.
pub(crate) struct KeptElement {
    pub(crate) array: ArrayId,
    /// How C has the element.
    pub(crate) element: String,
    pub(crate) scope: Scope,
    /// Whether the first statement that uses it only writes it.
    pub(crate) is_overwritten: bool,
    /// Whether some statement writes it.
    pub(crate) is_written: bool,
}

/// Which elements may be kept.
pub(crate) struct Keeping<'a> {
    /// Those of these arrays.
    pub(crate) of: &'a dyn Fn(ArrayId) -> bool,
    /// Also those that are only read, in all iterations or several times in each.
    pub(crate) reads: bool,
}

/// An element and where it is accessed.
struct Use<'a> {
    call: &'a Call<'a>,
    element: &'a Element,
    is_written: bool,
}

/// The elements that a loop with the given statements as its body keeps in variables. The loop's iterator
/// is given as the tree has it and as the text has it.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn kept_elements(
    scop: &Scop,
    calls: &[Call],
    iterator: (&Name, &Name),
    keeping: &Keeping<'_>,
) -> Result<Vec<KeptElement>> {
    let uses: Vec<Use> = calls.iter().flat_map(uses).collect();
    let mut of_text: HashMap<(ArrayId, &str), Vec<&Use>> = HashMap::default();
    let mut of_array: HashMap<ArrayId, Vec<&Use>> = HashMap::default();
    let mut firsts = Vec::new();
    for candidate in &uses {
        let Element { array, text, .. } = candidate.element;
        let same = of_text.entry((*array, text)).or_default();
        if same.is_empty() {
            firsts.push(candidate);
            of_array.entry(*array).or_default().push(candidate);
        }
        same.push(candidate);
    }
    let mut found: Vec<KeptElement> = Vec::new();
    for candidate in firsts {
        let element = candidate.element;
        let array = scop.array(element.array);
        if !(keeping.of)(element.array) || !element.is_one(array.extents.len()) {
            continue;
        }
        let same = &of_text[&(element.array, element.text.as_str())];
        let scope = match element.mentions(iterator.1) {
            false => Scope::Loop,
            true => Scope::Iteration,
        };
        let is_in_several = same.iter().any(|other| !std::ptr::eq(other.call, candidate.call));
        let is_written = same.iter().any(|other| other.is_written);
        let is_reused = scope == Scope::Loop || same.len() > 1;
        let may_be_read = keeping.reads && is_reused && is_read_for_sure(same);
        if !(is_written || may_be_read)
            || (scope == Scope::Iteration && is_written && !is_in_several)
            || ((is_written || has_writes(calls, element.array))
                && !is_alone(candidate, &of_array[&element.array], scope, iterator.0)?)
        {
            continue;
        }
        let (array, element) = (element.array, element.text.clone());
        let reads = |access: &Access| access.array == array && access.kind == AccessKind::Read;
        let is_overwritten =
            candidate.is_written && !candidate.call.statement.accesses.iter().any(reads);
        found.push(KeptElement { array, element, scope, is_overwritten, is_written });
    }
    Ok(found)
}

/// Names of variables for elements, numbered where arrays of one name (which blocks may declare) have
/// several.
pub(crate) fn named(
    kept: Vec<KeptElement>,
    name_of: &dyn Fn(ArrayId) -> String,
    lowering: &mut Lowering,
) -> Vec<(KeptElement, String)> {
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    for kept in &kept {
        counts.entry(name_of(kept.array)).or_default().0 += 1;
    }
    let mut name = |kept: KeptElement| {
        let array = name_of(kept.array);
        let (of_array, before) = counts.entry(array.clone()).or_default();
        let wanted = match of_array {
            1 => format!("{array}_value"),
            _ => format!("{array}_value_{before}"),
        };
        *before += 1;
        let name = lowering.fresh(&wanted);
        (kept, name)
    };
    kept.into_iter().map(&mut name).collect()
}

/// Whether one of the statements computes without conditions.
fn is_read_for_sure(uses: &[&Use]) -> bool {
    uses.iter().any(|own| own.call.statement.body.plain_assignment().is_some())
}

/// Whether statements may write an array.
fn has_writes(calls: &[Call], array: ArrayId) -> bool {
    let mut accesses = calls.iter().flat_map(|call| &call.statement.accesses);
    accesses.any(|access| access.array == array && access.kind != AccessKind::Read)
}

/// The elements of a statement. The first one of its text is what it writes, if it writes one
/// element for sure; its other uses of that array only read.
fn uses<'a>(call: &'a Call<'a>) -> impl Iterator<Item = Use<'a>> {
    let mut written = call.statement.accesses.iter().filter(|a| a.kind != AccessKind::Read);
    let only = match (written.next(), written.next()) {
        (Some(write), None) if write.kind == AccessKind::MustWrite => Some(write.array),
        _ => None,
    };
    call.body.elements().enumerate().map(move |(position, element)| Use {
        call,
        element,
        is_written: position == 0 && only == Some(element.array),
    })
}

/// Whether all other elements of the array that the loop accesses (`others`: where each text is first) are
/// never the same as `candidate`: at any of its iterations, or in one iteration.
fn is_alone(candidate: &Use, others: &[&Use], scope: Scope, iterator: &Name) -> Result<bool> {
    for other in others.iter().filter(|other| !std::ptr::eq(**other, candidate)) {
        let (Some(own), Some(its)) = (&candidate.element.forms, &other.element.forms) else {
            return Ok(false);
        };
        let differ = |(a, b): (&_, &_)| is_other_constant(a, b);
        let inside: &[&Name] = match scope {
            Scope::Loop => &[iterator],
            Scope::Iteration => &[],
        };
        if own.len() != its.len()
            || (!own.iter().zip(its).any(differ)
                && !are_disjoint((candidate.call.place, own), (other.call.place, its), inside)?)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether two forms differ by a constant that is not zero: then they do in all iterations together,
/// and if neither moves with a loop, in any of its iterations.
fn is_other_constant(a: &crate::linear::Linear, b: &crate::linear::Linear) -> bool {
    a.minus(b).as_int().is_some_and(|difference| !difference.is_zero())
}
