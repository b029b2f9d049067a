//! The variables that have been seen: those of the file, which all walks over it share, and those that a
//! walk adds.
use crate::facts::scope::Variable;
use std::ops::Index;
use std::sync::Arc;

/// Variables in the order in which they were seen.
///
/// *Cost.* A clone copies what was added after the last [`Variables::share`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables<'t> {
    shared: Arc<Vec<Variable<'t>>>,
    own: Vec<Variable<'t>>,
}

impl<'t> Variables<'t> {
    /// Makes all that is known something that clones have in common.
    pub(crate) fn share(&mut self) {
        Arc::make_mut(&mut self.shared).append(&mut self.own);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.shared.len() + self.own.len()
    }

    /// Adds one.
    pub(crate) fn push(&mut self, variable: Variable<'t>) {
        self.own.push(variable);
    }

    /// The variable with an index.
    pub(crate) fn get(&self, index: usize) -> Option<&Variable<'t>> {
        match index.checked_sub(self.shared.len()) {
            Some(index) => self.own.get(index),
            None => self.shared.get(index),
        }
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Variable<'t>> {
        self.shared.iter().chain(&self.own)
    }

    /// Those from an index on, which no clone has.
    pub(crate) fn own_from(&mut self, first: usize) -> &mut [Variable<'t>] {
        let first = first.saturating_sub(self.shared.len()).min(self.own.len());
        &mut self.own[first..]
    }
}

impl<'t> Index<usize> for Variables<'t> {
    type Output = Variable<'t>;

    fn index(&self, index: usize) -> &Variable<'t> {
        match index.checked_sub(self.shared.len()) {
            Some(index) => &self.own[index],
            None => &self.shared[index],
        }
    }
}
