//! The order in which accesses happen.
use loopwright_presburger::UnionMap;
use loopwright_schedule::ScheduleTree;

/// In which order the instances run.
#[derive(Clone, Debug)]
pub enum Schedule {
    /// As a schedule tree says.
    Tree(Box<ScheduleTree>),
    /// By the lexicographic order of times; shorter times are filled with zeros, the names of the
    /// tuples do not matter.
    Map(UnionMap),
}
