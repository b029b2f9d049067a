//! Which names are types where the parser stands.
use rustc_hash::FxHashMap;

/// The names that are declared, by what they name.
#[derive(Debug, Default)]
pub(super) struct Names<'s> {
    /// Whether a declared name is a type.
    is_type: FxHashMap<&'s str, bool>,
    /// What names were before declarations of the scopes that are open.
    before: Vec<(&'s str, Option<bool>)>,
}

/// The place of a scope among those that are open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope(usize);

impl<'s> Names<'s> {
    /// Where only some names of types are declared.
    pub(super) fn of_types(types: impl Iterator<Item = &'s str>) -> Self {
        Names { is_type: types.map(|name| (name, true)).collect(), before: Vec::new() }
    }

    /// Opens a scope.
    pub(super) fn open(&self) -> Scope {
        Scope(self.before.len())
    }

    /// Closes a scope and all in it.
    pub(super) fn close(&mut self, scope: Scope) {
        while self.before.len() > scope.0 {
            match self.before.pop() {
                Some((name, Some(before))) => self.is_type.insert(name, before),
                Some((name, None)) => self.is_type.remove(name),
                None => None,
            };
        }
    }

    /// Declares a name in the innermost scope.
    pub(super) fn declare(&mut self, name: &'s str, is_type: bool) {
        let before = self.is_type.insert(name, is_type);
        if before != Some(is_type) {
            self.before.push((name, before));
        }
    }

    /// Whether a name is declared.
    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.is_type.contains_key(name)
    }

    /// Whether a name is a type; none if it is not declared.
    pub(super) fn is_type(&self, name: &str) -> Option<bool> {
        self.is_type.get(name).copied()
    }
}
