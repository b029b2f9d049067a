//! What a walk over the tree and the text at once knows.
use crate::printed::cursor::{Cursor, Names};
use crate::printed::device::Device;
use crate::printed::outcome::NotRead;
use crate::printed::values::Surroundings;
use loopwright_presburger::{Budget, Name};
use loopwright_schedule::LoopMark;
use loopwright_scop::Scop;
use std::collections::{BTreeSet, HashSet};

/// A walk over the tree and the text at once.
pub(super) struct TextWalk<'t, 'a> {
    pub(super) scop: &'a Scop,
    pub(super) cursor: Cursor<'t, 'a>,
    pub(super) names: Names<'a>,
    /// The types of elements that there are, as tokens.
    pub(super) types: BTreeSet<Vec<&'a str>>,
    /// The words of the program's text.
    pub(super) used: HashSet<String>,
    pub(super) around: Surroundings<'a>,
    pub(super) budget: &'a Budget,
    /// The lines of parts that were passed over.
    pub(super) passed: Vec<NotRead>,
    /// The arrays that the blocks around declare.
    pub(super) local: Vec<Name>,
    /// The variables of the region that have been declared, in front of all or in the loops around.
    pub(super) declared: Vec<Name>,
    /// What is known about a device, if the text is for one.
    pub(super) device: Option<Device<'a>>,
}

/// A mark and the dimension of the loops that it is about.
#[derive(Clone, Copy)]
pub(super) struct Marked<'m> {
    pub(super) mark: &'m LoopMark,
    pub(super) dimension: usize,
}
