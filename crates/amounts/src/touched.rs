//! Elements of arrays and cache lines that a region touches.
//!
//! The elements are the union of the images of all references, so what several of them touch counts once. Lines are those of
//! arrays whose rows begin on a line: the index of an element within a row, or within as many of the last dimensions as have constant
//! extents, is divided by the elements of a line.
use crate::quantity::Quantity;
use crate::sizes::Sizes;
use loopwright_presburger::{Aff, Budget, DimKind, Int, MultiAff, Result, Set, Tuple};
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
    /// The cache lines that they lie in; none if sizes of elements are not known, or lines are no multiples of them.
    pub lines: Option<Quantity>,
    /// Those of the lines that are written.
    pub written_lines: Option<Quantity>,
    /// Whether all numbers are exact; otherwise they are upper bounds, since some references depend on data.
    pub is_exact: bool,
}

/// The arrays (no scalars) that are touched, in the order of the model. Lines have so many bytes.
pub(crate) fn arrays(scop: &Scop, line_bytes: u64, sizes: &Sizes) -> Vec<ArrayAmounts> {
    let arrays = scop.arrays.iter().enumerate().filter(|(_, array)| !array.extents.is_empty());
    arrays
        .filter_map(|(position, array)| {
            let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
            let references: Vec<(&Statement, &Access)> = executed
                .flat_map(|statement| statement.accesses.iter().map(move |a| (statement, a)))
                .filter(|(_, access)| access.kind != AccessKind::Kill)
                .filter(|(_, access)| access.array.0 as usize == position)
                .collect();
            (!references.is_empty()).then(|| of_array(array, &references, scop, line_bytes, sizes))
        })
        .collect()
}

fn of_array(
    array: &Array,
    references: &[(&Statement, &Access)],
    scop: &Scop,
    line_bytes: u64,
    sizes: &Sizes,
) -> ArrayAmounts {
    let count = |set: &Result<Set>| match set {
        Ok(set) => Quantity::of_set(set, &scop.context, sizes),
        Err(_) => Quantity::default(),
    };
    let is_write = |access: &Access| access.kind != AccessKind::Read;
    let all = union_of(references.iter().map(|(_, access)| *access));
    let written = references.iter().map(|(_, access)| *access).filter(|access| is_write(access));
    let written: Vec<&Access> = written.collect();
    let lines = |set: Result<Set>| -> Option<Quantity> {
        let per_line = elements_of_a_line(array, line_bytes)?;
        Some(count(&set.and_then(|set| lines_of(&set, array, per_line))))
    };
    let written_lines = match written.is_empty() {
        true => elements_of_a_line(array, line_bytes).map(|_| Quantity::zero(&scop.context)),
        false => lines(union_of(written.into_iter())),
    };
    ArrayAmounts {
        name: array.name.to_string(),
        element_bytes: array.element_bytes,
        elements: count(&all),
        lines: lines(all),
        written_lines,
        is_exact: references.iter().all(|(statement, access)| is_certain(statement, access)),
    }
}

/// The elements that some references touch.
fn union_of<'a>(accesses: impl Iterator<Item = &'a Access>) -> Result<Set> {
    let mut all: Option<Set> = None;
    for access in accesses {
        let range = access.relation.range();
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
