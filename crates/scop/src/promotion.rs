//! Elements that a device keeps in faster memory for a while.
use crate::ArrayId;
use loopwright_schedule::MemorySpace;

/// What stands for what in a program whose kernels keep values in the memory of blocks and threads.
///
/// Statements of the program keep their names and positions. They access elements of promoted arrays in place
/// of elements of the program's, or in place of the values of parts of what they compute; they may have
/// further instances, so that tiles at borders are whole (*padding*). All statements that are added fill
/// promoted arrays or copy out of them.
///
/// That such a program computes what the other one does is for `loopwright_verify` to prove.
#[derive(Clone, Debug, Default)]
pub struct Promotion {
    /// The promoted arrays.
    pub arrays: Vec<PromotedArray>,
}

/// An array of which each block, or each thread, has one for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PromotedArray {
    /// Whose elements statements access: one for each cell of each block, or of each thread, that has such an
    /// array.
    pub elements: ArrayId,
    /// What bodies name and the mark declares.
    pub cells: ArrayId,
    /// Where it is.
    pub space: MemorySpace,
}

impl Promotion {
    /// The promoted array with these elements.
    ///
    /// ```
    /// use loopwright_schedule::MemorySpace;
    /// use loopwright_scop::{ArrayId, PromotedArray, Promotion};
    /// let (elements, cells) = (ArrayId(3), ArrayId(4));
    /// let array = PromotedArray { elements, cells, space: MemorySpace::Shared };
    /// let promotion = Promotion { arrays: vec![array] };
    /// assert_eq!(promotion.of(elements).map(|array| array.cells), Some(cells));
    /// assert!(promotion.of(cells).is_none());
    /// ```
    pub fn of(&self, elements: ArrayId) -> Option<&PromotedArray> {
        self.arrays.iter().find(|known| known.elements == elements)
    }
}
