//! What the transformation works on and returns.
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Division, Panel, Scop};

/// A tree with panels, and the program that it schedules.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The tree: the given one with statements that fill panels.
    pub tree: ScheduleTree,
    /// The program: the given one with these statements and arrays, and with bodies that read them.
    pub scop: Scop,
    /// Statements of which some instances are statements of their own, so that they alone read panels.
    pub divisions: Vec<Division>,
    /// What was packed; nothing changed if this is empty.
    pub panels: Vec<Panel>,
    /// The same in sentences.
    pub decisions: Vec<String>,
}
