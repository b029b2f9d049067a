//! What a function does with memory.
use std::collections::BTreeMap;

/// How something is accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ModRef {
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

/// The effects of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    /// What is done with the memory behind each parameter; behind further ones the same as with
    /// everything.
    pub(crate) parameters: Vec<ModRef>,
    /// What is done with the memory behind further arguments.
    pub(crate) rest: ModRef,
    /// What is done with global variables.
    pub(crate) globals: BTreeMap<String, ModRef>,
    /// What is done with all memory that can be reached.
    pub(crate) everything: ModRef,
    /// Whether calls must happen in order, for reasons beyond memory: input and output, hidden state.
    pub(crate) is_ordered: bool,
    /// A function after which the program may not go on, if one may be called.
    pub(crate) no_return: Option<String>,
}

impl ModRef {
    pub(crate) const BOTH: ModRef = ModRef { reads: true, writes: true };
    pub(crate) const READ: ModRef = ModRef { reads: true, writes: false };

    pub(crate) fn add(&mut self, other: ModRef) {
        self.reads |= other.reads;
        self.writes |= other.writes;
    }
}

impl Effects {
    /// Nothing but a value computed from the arguments.
    pub(crate) fn none() -> Self {
        Effects::default()
    }

    /// Anything.
    pub(crate) fn unknown() -> Self {
        let both = vec![ModRef::BOTH];
        Effects { parameters: both, everything: ModRef::BOTH, is_ordered: true, ..Effects::none() }
    }

    /// What is done with the memory behind an argument.
    pub(crate) fn of_argument(&self, position: usize) -> ModRef {
        let mut touch = self.parameters.get(position).copied().unwrap_or(self.rest);
        touch.add(self.everything);
        touch
    }
}
