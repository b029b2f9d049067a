//! The variables that have been seen: those of the file, which all walks over it share, and those that a
//! walk adds.

use crate::facts::ctypes::DeclaredType;
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

/// Where a variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// At file level; visible to other files unless `static`.
    File {
        /// Whether other files cannot see it.
        is_static: bool,
    },
    /// As a parameter of the function.
    Argument,
    /// In a block of the function before the region.
    Local {
        /// Whether it outlives the function.
        is_static: bool,
    },
    /// Inside the region.
    Region {
        /// The number of loops around the declaration.
        depth: usize,
    },
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'t> {
    pub(crate) name: String,
    /// The type, the dimensions of a type name appended to those of the declarator.
    pub(crate) declared: DeclaredType<'t>,
    pub(crate) origin: Origin,
    /// The value, if it is a constant integer.
    pub(crate) constant: Option<i64>,
    /// Which part of another variable it is; none of variables themselves.
    pub(crate) member: Option<MemberPath>,
}

/// The way from a variable to a member.
#[derive(Clone, Debug)]
pub(crate) struct MemberPath {
    pub(crate) root: u32,
    /// The names, each with the number of subscripts before it.
    pub(crate) names: Vec<(usize, String)>,
    /// Whether it may overlap other members.
    pub(crate) shares_memory: bool,
    /// Whether its memory is behind a pointer that is a member.
    pub(crate) crosses_pointer: bool,
}

impl Variable<'_> {
    /// Whether it is declared in the region.
    pub(crate) fn in_region(&self) -> bool {
        matches!(self.origin, Origin::Region { .. })
    }

    /// Whether it is an integer without dimensions.
    pub(crate) fn is_integer(&self) -> bool {
        self.declared.dimensions.is_empty() && self.declared.scalar.is_integer()
    }
}
