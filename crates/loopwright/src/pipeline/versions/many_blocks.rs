//! Two versions of a region on a device: threads with few results, and threads with many where there are
//! enough blocks of these.
//!
//! Sizes are known when the region runs, so a condition on them chooses: the number of results, over those of
//! a block with many of them, against the multiprocessors. A multiprocessor that has no block does nothing,
//! but with many results each operand is read half as often; so large blocks are taken from one for every
//! second multiprocessor on.
use crate::pipeline::worth_on_device::{WorthOnDevice, have_more_points};
use crate::settings::effort::Effort;
use loopwright_device::ThreadResults;
use loopwright_machine::Device;
use loopwright_presburger::Set;
use loopwright_scop::Scop;

/// Threads of a block along each of its two loops.
const THREADS: i64 = 16;

/// Of so many multiprocessors one has to have a block.
const MULTIPROCESSORS_A_BLOCK: u64 = 2;

/// What the versions differ in.
pub(crate) const WITH_MANY_RESULTS: &str = "threads have 8 x 8 results, and 4 x 4 elsewhere";

/// When kernels have blocks enough with so many results a thread, given the iterations of each of them.
pub(crate) fn condition_of_many_blocks(
    scop: &Scop,
    several_results: &[Set],
    (results, device): (ThreadResults, &Device),
    effort: &Effort,
) -> WorthOnDevice {
    if several_results.is_empty() {
        return WorthOnDevice::Never;
    }
    let of_block = (THREADS * results.number()).pow(2);
    let blocks = (device.multiprocessors / MULTIPROCESSORS_A_BLOCK).max(1);
    let n_kernels = i64::try_from(several_results.len()).unwrap_or(i64::MAX);
    let blocks = i64::try_from(blocks).unwrap_or(i64::MAX).saturating_mul(n_kernels);
    have_more_points(scop, several_results, blocks.saturating_mul(of_block) - 1, effort)
}
