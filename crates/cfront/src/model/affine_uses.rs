//! The variables that affine expressions use: the symbolic constants of a region.
//!
//! A walk tries to read expressions as affine ones, and takes back what it has noted about those that are
//! not: to a length.
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Variables with the byte where each is used first.
#[derive(Debug, Default)]
pub(crate) struct AffineUses {
    at: FxHashMap<u32, usize>,
    /// In the order in which they were noted.
    order: Vec<u32>,
}

impl AffineUses {
    /// Notes a use; only the first one of a variable counts.
    pub(crate) fn note(&mut self, variable: u32, byte: usize) {
        if let Entry::Vacant(entry) = self.at.entry(variable) {
            entry.insert(byte);
            self.order.push(variable);
        }
    }

    /// Whether a variable is used.
    pub(crate) fn contains(&self, variable: u32) -> bool {
        self.at.contains_key(&variable)
    }

    /// The variables with the bytes of their first uses, by variable.
    pub(crate) fn sorted(&self) -> Vec<(u32, usize)> {
        let mut uses: Vec<(u32, usize)> = self.at.iter().map(|(v, at)| (*v, *at)).collect();
        uses.sort_unstable();
        uses
    }

    /// The variables, in order.
    pub(crate) fn variables(&self) -> Vec<u32> {
        self.sorted().into_iter().map(|(variable, _)| variable).collect()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// Forgets all but the first ones noted.
    pub(crate) fn truncate(&mut self, n_uses: usize) {
        for variable in self.order.drain(n_uses.min(self.order.len())..) {
            self.at.remove(&variable);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_after_a_mark_is_taken_back() {
        let mut uses = AffineUses::default();
        uses.note(7, 1);
        uses.note(2, 3);
        uses.note(7, 5);
        let mark = uses.order.len();
        uses.note(2, 8);
        uses.note(5, 9);
        assert_eq!(uses.sorted(), [(2, 3), (5, 9), (7, 1)]);
        uses.truncate(mark);
        assert_eq!(uses.sorted(), [(2, 3), (7, 1)]);
        assert!(!uses.contains(5) && uses.contains(2));
        uses.note(5, 11);
        assert_eq!(uses.variables(), [2, 5, 7]);
    }
}
