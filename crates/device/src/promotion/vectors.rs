//! Copies of several elements at a time: 16 bytes, where they lie side by side on both sides and the first
//! one at a multiple of 16 bytes.
//!
//! A thread copies the elements of a group: those whose positions along the loop by which they lie side by
//! side have one quotient by the number of elements of an access. Where the first element of each group lies
//! is known if rows have a whole number of groups, and the subscripts of a group begin at a multiple of their
//! number: memory of a device begins at a multiple of 256 bytes (CUDA C++ Programming Guide, "Size and
//! alignment requirement"; OpenCL 1.2, `CL_DEVICE_MEM_BASE_ADDR_ALIGN`: 128 bytes at least), arrays in shared
//! memory are declared so. If some group is not whole, at a border, all are copied element by element: sizes
//! that are multiples of a group have a version of their own
//! (`loopwright/src/pipeline/versions/whole_vectors.rs`).
//!
//! What is found here is what the tree says; that it is so is read back from the text.
use super::promoting::Promoting;
use loopwright_exact::Int;
use loopwright_presburger::{Aff, DimKind, MultiAff, PwAff, Result, Set, Space};
use loopwright_schedule::VectorCopyMark;
use loopwright_scop::{ArrayId, Element};

/// The elements of an access, and which of an instance's coordinates says which of them it copies.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    pub(super) mark: VectorCopyMark,
    pub(super) coordinate: usize,
}

impl Groups {
    fn size(&self) -> Int {
        Int::from(i64::from(self.mark.elements))
    }

    /// The place of an instance in its group.
    fn place(&self, space: &Space) -> Aff {
        Aff::variable(space, DimKind::Out, self.coordinate).modulo(&self.size())
    }
}

/// From points to that of their group along a coordinate with this number: groups of a size begin at its
/// multiples.
fn to_point(space: &Space, coordinate: usize, (size, number): (i64, i64)) -> Result<MultiAff> {
    let variable = |at| Aff::variable(space, DimKind::Out, at);
    let mut values: Vec<Aff> = (0..space.n(DimKind::Out)).map(variable).collect();
    let own = &values[coordinate];
    let first = own.sub(&own.modulo(&Int::from(size)))?;
    values[coordinate] = first.add_constant(&Int::from(number));
    MultiAff::new(space.map_to(space), values)
}

impl Promoting<'_> {
    /// The groups of elements of an array along a coordinate; none if an access has one element.
    pub(super) fn groups(&self, array: ArrayId, coordinate: usize) -> Option<Groups> {
        let bytes = self.scop.array(array).element_bytes.filter(|_| self.vectors)?;
        VectorCopyMark::of_bytes(bytes).map(|mark| Groups { mark, coordinate })
    }

    /// How a statement whose instances are a set copies all of its elements, several at a time. None if a
    /// group is not whole, or an element that is not in registers is not where accesses of 16 bytes may be.
    pub(super) fn vectors(
        &self,
        domain: &Set,
        groups: Groups,
        in_memory: &[&Element],
    ) -> Result<Option<VectorCopyMark>> {
        for element in in_memory {
            if !self.is_aligned(domain, groups, element)? {
                return Ok(None);
            }
        }
        let is_whole = self.is_whole(domain, groups.coordinate, i64::from(groups.mark.elements))?;
        Ok(is_whole.then_some(groups.mark))
    }

    /// Whether a set has all or none of as many points that follow each other along a coordinate, from a
    /// multiple of their number on.
    pub(super) fn is_whole(&self, domain: &Set, coordinate: usize, size: i64) -> Result<bool> {
        for number in 0..size {
            let to_point = to_point(domain.space(), coordinate, (size, number))?;
            let whole = domain.preimage_multi_aff(&to_point)?;
            if !domain.is_subset(&whole, self.budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the elements of each group lie side by side, and the first one at a multiple of 16 bytes.
    fn is_aligned(&self, domain: &Set, groups: Groups, element: &Element) -> Result<bool> {
        let array = self.scop.array(element.array);
        let subscripts: Option<Vec<Aff>> = element.subscripts.iter().map(PwAff::as_aff).collect();
        let Some(subscripts) = subscripts else { return Ok(false) };
        let Some((last, others)) = subscripts.split_last() else { return Ok(false) };
        let moves = |own: &Aff| own.involves_dims(DimKind::Out, groups.coordinate, 1);
        if array.extents.len() != subscripts.len() || others.iter().any(moves) {
            return Ok(false);
        }
        let zero = |like: &Aff| PwAff::from_aff(Aff::zero(like.domain_space()));
        let differs = |value: &Aff, within: &Set| -> Result<bool> {
            let wrong = PwAff::from_aff(value.clone()).ne_set(&zero(value))?;
            Ok(!wrong.intersect(within)?.is_empty(self.budget)?)
        };
        if !others.is_empty() {
            let extent = array.extents.last().and_then(|extent| extent.as_ref()?.as_aff());
            let Some(extent) = extent else { return Ok(false) };
            if differs(&extent.modulo(&groups.size()), &self.scop.context)? {
                return Ok(false);
            }
        }
        let space = domain.space().merge_params(last.domain_space());
        let last = last.align_params(&space);
        let size = i64::from(groups.mark.elements);
        let first = last.pullback(&to_point(&space, groups.coordinate, (size, 0))?)?;
        let is_beside = !differs(&first.add(&groups.place(&space))?.sub(&last)?, domain)?;
        Ok(is_beside && !differs(&first.modulo(&groups.size()), domain)?)
    }
}
