//! A version of a region on a device for sizes that are multiples of the elements of 16 bytes: then accesses
//! of so many are aligned, and none reaches over the end of a row.
//!
//! Sizes are known when the region runs, so a condition on them chooses. Which sizes: the lengths of rows,
//! and where subscripts in rows end. Those where sums end are to be multiples of the iterations of a tile, so
//! that no copy has a condition on the sum: with only a whole number of vectors conditions on the last tile
//! cost more than vectors save.
use crate::settings::effort::Effort;
use loopwright_device::TileCopies;
use loopwright_presburger::{Aff, DimKind, Int, PwAff, Result, Set};
use loopwright_schedule::VectorCopyMark;
use loopwright_scop::Scop;
use std::collections::BTreeMap;

/// What the versions differ in.
pub(crate) const WITH_VECTORS: &str = "threads copy 16 bytes at a time";

/// More sizes are not asked about.
const MOST_SIZES: usize = 6;

/// The program where sizes are multiples of what an access of 16 bytes has, and the condition of C. None if
/// no size is symbolic.
pub(crate) fn with_whole_vectors(scop: &Scop, effort: &Effort) -> Option<(Scop, String)> {
    let sizes = sizes(scop, effort).ok()?;
    if sizes.is_empty() || sizes.len() > MOST_SIZES {
        return None;
    }
    let mut narrow = scop.clone();
    let mut conditions = Vec::new();
    for (position, elements) in sizes {
        let name = &scop.parameters.get(position)?.name;
        let multiple = multiples(&narrow.context, name, elements).ok()?;
        narrow.context = narrow.context.intersect(&multiple).ok()?;
        conditions.push(format!("{name} % {elements} == 0"));
    }
    let is_possible = !narrow.context.is_empty(&effort.stage()).ok()?;
    is_possible.then(|| (narrow, conditions.join(" && ")))
}

/// The parameter values for which a parameter is a multiple of a number.
fn multiples(context: &Set, name: &str, elements: u32) -> Result<Set> {
    let space = context.space();
    let position = space.param_names().iter().position(|own| **own == *name).unwrap_or(0);
    let own = Aff::variable(space, DimKind::Param, position);
    let rest = PwAff::from_aff(own.modulo(&Int::from(i64::from(elements))));
    rest.eq_set(&PwAff::from_aff(Aff::zero(space)))
}

/// The parameters on which the lengths of rows and the ends of subscripts in rows depend, each with a number
/// of which it is to be a multiple.
fn sizes(scop: &Scop, effort: &Effort) -> Result<BTreeMap<usize, u32>> {
    let mut found: BTreeMap<usize, u32> = BTreeMap::new();
    for statement in scop.statements.iter().filter(|statement| !statement.is_kill) {
        let Some(assigned) = statement.body.plain_assignment() else { continue };
        let domain = statement.domain.intersect_params(&scop.context)?;
        for element in assigned.value.elements() {
            let array = scop.array(element.array);
            let mark = array.element_bytes.and_then(VectorCopyMark::of_bytes);
            let (Some(mark), Some(extent)) = (mark, array.extents.last()) else { continue };
            if let (Some(extent), true) = (extent, array.extents.len() > 1) {
                add(scop, extent, mark.elements, &mut found);
            }
            for (position, subscript) in element.subscripts.iter().enumerate() {
                let mut coordinates = 0..domain.n(DimKind::Out);
                let has = |own: &PwAff, at: usize| own.involves_dims(DimKind::Out, at, 1);
                let of_result =
                    |at: usize| assigned.target.subscripts.iter().any(|own| has(own, at));
                let is_sum = !coordinates.any(|at| has(subscript, at) && of_result(at));
                let is_last = position + 1 == element.subscripts.len();
                if !is_sum && !is_last {
                    continue;
                }
                let values = subscript.to_map().intersect_domain(&domain)?.range();
                let end = values.dim_max(0, &effort.stage())?;
                let multiple = if is_sum {
                    mark.elements.max(TileCopies::ITERATIONS_OF_TWO)
                } else {
                    mark.elements
                };
                add(scop, &end, multiple, &mut found);
            }
        }
    }
    Ok(found)
}

/// The parameters that a value depends on are to be multiples of a number.
fn add(scop: &Scop, value: &PwAff, multiple: u32, found: &mut BTreeMap<usize, u32>) {
    for (_, own) in value.pieces() {
        for (position, parameter) in scop.parameters.iter().enumerate() {
            let names = own.domain_space().param_names();
            let at = names.iter().position(|name| *name == parameter.name);
            if at.is_some_and(|at| own.involves_dims(DimKind::Param, at, 1)) {
                let known = found.entry(position).or_insert(multiple);
                *known = multiple.max(*known);
            }
        }
    }
}
