//! What comes of a selection of kernels.
use crate::sizes::KernelPlan;
use loopwright_schedule::ScheduleTree;

/// A tree with kernels.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The tree, with marks.
    pub tree: ScheduleTree,
    /// The number of kernels with blocks and threads.
    pub n_parallel: usize,
    /// The number of kernels of one thread.
    pub n_sequential: usize,
    /// The sizes of the kernels with blocks and threads.
    pub plans: Vec<KernelPlan>,
}

/// The threads of a kernel's blocks.
pub(crate) struct KernelShape {
    /// By axis, the fastest one first; none for a kernel of one thread.
    pub(crate) threads: Vec<i64>,
    /// Whether it is made for them, as values in memory of threads are.
    pub(crate) is_fixed: bool,
    /// What a block has in shared memory.
    pub(crate) shared_bytes: u64,
}
