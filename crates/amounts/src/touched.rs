//! Elements of arrays and cache lines that a region touches.
//!
//! The elements are the union of the images of all references, so what several of them touch counts once.
//! Lines are those of arrays whose rows begin on a line: the index of an element within a row, or within as
//! many of the last dimensions as have constant extents, is divided by the elements of a line.
use crate::quantity::Quantity;
use crate::sizes::Sizes;
use loopwright_presburger::{Aff, Budget, DimKind, Int, Map, MultiAff, Result, Set, Tuple};
use loopwright_scop::{Access, AccessKind, Array, BinaryOperator, Scop, Statement, Term, TermKind};

/// Steps for what is asked about one reference.
const STEPS: u64 = 100_000;

/// The elements of an array that are touched.
#[derive(Clone, Debug)]
pub struct ArrayAmounts {
    /// Its name.
    pub name: String,
    /// The size of an element in bytes, where it is known.
    pub element_bytes: Option<u64>,
    /// The different elements that are read or written.
    pub elements: Quantity,
    /// The cache lines that they lie in; none if sizes of elements are not known, or lines are no multiples
    /// of them.
    pub lines: Option<Quantity>,
    /// Those of the lines that are written.
    pub written_lines: Option<Quantity>,
    /// Whether all numbers are exact; otherwise they are upper bounds, since some references depend on data.
    pub is_exact: bool,
}

impl ArrayAmounts {
    /// The values without the functions.
    pub(crate) fn only_values(self) -> ArrayAmounts {
        ArrayAmounts {
            elements: self.elements.only_value(),
            lines: self.lines.map(Quantity::only_value),
            written_lines: self.written_lines.map(Quantity::only_value),
            ..self
        }
    }
}

/// A reference of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    array: usize,
    /// From instances to the elements that they touch.
    relation: Map,
    is_write: bool,
    /// Whether it touches all elements that the model says.
    is_certain: bool,
}

impl Reference {
    /// The references of a statement.
    pub(crate) fn of_statement(statement: &Statement) -> Vec<Reference> {
        let touching = statement.accesses.iter().filter(|access| access.kind != AccessKind::Kill);
        let reference = |access: &Access| Reference {
            array: access.array.0 as usize,
            relation: access.relation.clone(),
            is_write: access.kind != AccessKind::Read,
            is_certain: is_certain(statement, access),
        };
        touching.map(reference).collect()
    }

    /// The reference in some instances only.
    pub(crate) fn within(&self, instances: &Set) -> Result<Reference> {
        let budget = Budget::steps(STEPS);
        let relation = self.relation.intersect_domain_within(instances, &budget)?;
        Ok(Reference { relation, ..self.clone() })
    }
}

/// The arrays (no scalars) that references touch, in the order of the model. Lines have so many bytes.
pub(crate) fn arrays(
    scop: &Scop,
    references: &[Reference],
    line_bytes: u64,
    sizes: &Sizes,
) -> Vec<ArrayAmounts> {
    let arrays = scop.arrays.iter().enumerate().filter(|(_, array)| !array.extents.is_empty());
    arrays
        .filter_map(|(position, array)| {
            let own: Vec<&Reference> =
                references.iter().filter(|reference| reference.array == position).collect();
            (!own.is_empty()).then(|| of_array(array, &own, scop, line_bytes, sizes))
        })
        .collect()
}

fn of_array(
    array: &Array,
    references: &[&Reference],
    scop: &Scop,
    line_bytes: u64,
    sizes: &Sizes,
) -> ArrayAmounts {
    let count = |set: &Result<Set>| match set {
        Ok(set) => Quantity::of_set(set, &scop.context, sizes),
        Err(_) => Quantity::default(),
    };
    let all = union_of(references.iter().copied());
    let written = references.iter().copied().filter(|reference| reference.is_write);
    let lines = |set: Result<Set>| -> Option<Quantity> {
        let per_line = elements_of_a_line(array, line_bytes)?;
        Some(count(&set.and_then(|set| lines_of(&set, array, per_line))))
    };
    let written_lines = match references.iter().any(|reference| reference.is_write) {
        false => elements_of_a_line(array, line_bytes).map(|_| Quantity::zero(&scop.context)),
        true => lines(union_of(written)),
    };
    ArrayAmounts {
        name: array.name.to_string(),
        element_bytes: array.element_bytes,
        elements: count(&all),
        lines: lines(all),
        written_lines,
        is_exact: references.iter().all(|reference| reference.is_certain),
    }
}

/// The elements that some references touch.
fn union_of<'a>(references: impl Iterator<Item = &'a Reference>) -> Result<Set> {
    let mut all: Option<Set> = None;
    for reference in references {
        let range = reference.relation.range();
        all = Some(match all {
            None => range,
            Some(known) => {
                let range = range.align_params(known.space());
                known.align_params(range.space()).union(&range)?
            }
        });
    }
    let all = all.unwrap_or_else(|| Set::empty(loopwright_presburger::Space::params(&[])));
    Ok(all.coalesce(&Budget::steps(STEPS)).unwrap_or(all))
}

/// Whether a reference touches all elements that the model says.
fn is_certain(statement: &Statement, access: &Access) -> bool {
    let is_plain = |term: &Term| {
        !matches!(
            term.kind(),
            TermKind::If
                | TermKind::Conditional
                | TermKind::Opaque
                | TermKind::Binary(BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr)
        )
    };
    access.kind != AccessKind::MayWrite
        && statement.body.root().is_none_or(|root| root.all(&is_plain))
        && access.relation.is_single_valued(&Budget::steps(STEPS)).unwrap_or(false)
}

fn elements_of_a_line(array: &Array, line_bytes: u64) -> Option<i64> {
    let bytes = array.element_bytes.filter(|bytes| *bytes > 0)?;
    line_bytes.is_multiple_of(bytes).then(|| i64::try_from(line_bytes / bytes).ok())?
}

/// The lines of elements: the outer indices, and the quotient of the index in the rest of the array.
fn lines_of(elements: &Set, array: &Array, per_line: i64) -> Result<Set> {
    let space = elements.space();
    let n = space.n(DimKind::Out);
    let extent = |dim: usize| -> Option<Int> {
        let pieces = array.extents.get(dim)?.as_ref()?.pieces();
        match pieces {
            [(_, extent)] => extent.constant_value()?.to_int(),
            _ => None,
        }
    };
    // The rows of the last dimensions, as many as have constant extents.
    let mut first = n.saturating_sub(1);
    let mut stride = Int::ONE;
    let mut index = Aff::variable(space, DimKind::Out, first);
    while first > 0
        && let Some(inner) = extent(first)
    {
        stride = &stride * &inner;
        first -= 1;
        index = index.add(&Aff::variable(space, DimKind::Out, first).scale(&stride))?;
    }
    let mut members: Vec<Aff> =
        (0..first).map(|dim| Aff::variable(space, DimKind::Out, dim)).collect();
    members.push(index.scale_down(&Int::from(per_line)).floor());
    let range = Tuple::anonymous(members.len());
    let lines = space.with_tuples(space.output().cloned(), Some(range));
    elements.apply_within(&MultiAff::new(lines, members)?.to_map(), &Budget::steps(5 * STEPS))
}
