//! Where moving pointers lead: variables that count elements.
use std::collections::{BTreeMap, BTreeSet};

/// The variables that say where pointers lead, one for each subscript.
#[derive(Debug, Default)]
pub(crate) struct PointerOffsets {
    /// The offsets of a pointer to a variable.
    of: BTreeMap<(u32, u32), Vec<u32>>,
    /// The variables to which pointers lead after the region.
    pub(crate) kept: BTreeSet<u32>,
}

impl PointerOffsets {
    /// The variables that a pointer leads to at some place, with its offsets there.
    pub(crate) fn of_pointer(&self, pointer: u32) -> impl Iterator<Item = (u32, &[u32])> {
        let all = self.of.range((pointer, 0)..=(pointer, u32::MAX));
        all.map(|((_, base), offsets)| (*base, &offsets[..]))
    }

    /// The offsets of a pointer to a variable.
    pub(crate) fn get(&self, pointer: u32, base: u32) -> Option<&[u32]> {
        self.of.get(&(pointer, base)).map(|offsets| &offsets[..])
    }

    /// Adds those of a pointer to a variable.
    pub(crate) fn insert(&mut self, pointer: u32, base: u32, offsets: Vec<u32>) {
        self.of.insert((pointer, base), offsets);
    }

    /// All pointers with their offsets to a variable.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.of.iter().map(|((pointer, _), offsets)| (*pointer, &offsets[..]))
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_found_by_pointer_and_by_what_it_leads_to() {
        let mut offsets = PointerOffsets::default();
        assert!(offsets.is_empty());
        offsets.insert(1, 5, vec![10]);
        offsets.insert(1, 6, vec![11, 12]);
        offsets.insert(2, 5, vec![13]);
        assert_eq!(offsets.get(1, 6), Some(&[11, 12][..]));
        assert_eq!(offsets.get(2, 6), None);
        let bases: Vec<u32> = offsets.of_pointer(1).map(|(base, _)| base).collect();
        assert_eq!(bases, [5, 6]);
        assert_eq!(offsets.iter().count(), 3);
    }
}
