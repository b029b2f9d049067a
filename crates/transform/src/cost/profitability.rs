//! Whether a transformation pays.
//!
//! *Tiling* pays when data that is used again would have left the cache in between. A band reuses an
//! array if it accesses the same element in some of its iterations but not in all; what is
//! reused must exceed the cache, or it stays there without help. Everything else is a stream (each
//! element once, or a vector that fits) where tile loops only cost.
//!
//! Copies of transposed matrices use no element again, but lines: what one iteration of the outer loop leaves
//! of a line is used by the next ones, if it is still in a cache, and so is its page.
//!
//! *Parallel loops* pay when one entry of the loop has enough work to hide waking and joining
//! threads. PPCG opens parallel regions in inner loops and loses factors of 20 to 200 there.
use crate::cost::locality::{Stride, band_reuse, stride};
use crate::cost::nest::{Nest, NestStatement, is_heavy};
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, DimKind, Optimum};
use loopwright_scop::{Scop, Statement};

/// Operations (one per access) in a parallel loop that is entered once below which it stays sequential: about
/// 3 to 5 µs of one core. On two cores of an AMD EPYC, with all threads awake, `a[i] += s * b[i]` takes 5.1
/// µs for 32768 elements on one and 4.6 µs on two, with half as many 2.5 and 1.9 µs; a product of matrices of
/// 32 by 32 takes 15.8 and 10.3 µs, of 20 by 20 2.6 and 2.9 µs. Threads that sleep, or whose core another
/// process holds, cost more.
pub const MINIMUM_PARALLEL_WORK: i64 = 50_000;

/// The same for a parallel loop inside a sequential one, which pays the price at every entry, and
/// loses much more where another process holds a core: about 100 µs of work per entry.
pub const MINIMUM_REPEATED_WORK: i64 = 400_000;

/// Fewer values than this of a member are not worth a tile loop.
pub const MINIMUM_TILED_EXTENT: i64 = 48;

/// Bytes of an element whose size is not known.
const DEFAULT_ELEMENT_BYTES: i64 = 8;

/// Bytes of an element of the array at this position of the scop; 8 if they are not known.
pub fn element_bytes(scop: &Scop, array: usize) -> i64 {
    let bytes = scop.arrays.get(array).and_then(|array| array.element_bytes);
    bytes.and_then(|bytes| i64::try_from(bytes).ok()).unwrap_or(DEFAULT_ELEMENT_BYTES)
}

/// Whether tiling pays: two members are long, and some array is reused whose footprint
/// exceeds half of the second level cache (the other half is for the other arrays).
pub fn tiling_pays(nest: &Nest, scop: &Scop, machine: &Machine) -> bool {
    let long = (0..nest.n_members).filter(|&m| nest.extent(m) >= MINIMUM_TILED_EXTENT).count();
    let cache = i64::try_from(machine.l2_bytes / 2).unwrap_or(i64::MAX);
    long >= 2
        && nest.statements.iter().any(|statement| {
            statement.accesses.iter().any(|access| {
                let reuse = band_reuse(nest, statement, access);
                let bytes = element_bytes(scop, access.array);
                reuse.is_partial && reuse.footprint.saturating_mul(bytes) > cache
            })
        })
}

/// Whether a band without other reuse is best run in small tiles, with `innermost` as the innermost loop: a
/// statement walks along rows of one array and down columns of another one, of which the next iterations of
/// an outer loop use the same lines, and these exceed half of the second level cache.
pub fn transposes(nest: &Nest, innermost: usize, scop: &Scop, machine: &Machine) -> bool {
    let cache = i64::try_from(machine.l2_bytes / 2).unwrap_or(i64::MAX);
    let is_long = |member: usize| nest.extent(member) >= MINIMUM_TILED_EXTENT;
    let outer = (0..nest.n_members).filter(|&member| member != innermost && is_long(member));
    let outer: Vec<usize> = outer.collect();
    is_long(innermost)
        && nest.statements.iter().filter(|statement| is_heavy(nest, statement)).any(|statement| {
            let step = |member| statement.direction(nest.first + member);
            let Some(inner) = step(innermost) else { return false };
            let outer: Vec<_> = outer.iter().filter_map(|&member| step(member)).collect();
            let is_large =
                |array| statement.instances.saturating_mul(element_bytes(scop, array)) > cache;
            let has_unit = statement.accesses.iter().any(|a| stride(a, &inner) == Stride::Unit);
            has_unit
                && statement.accesses.iter().any(|access| {
                    stride(access, &inner) == Stride::Large
                        && outer.iter().any(|step| stride(access, step) == Stride::Unit)
                        && is_large(access.array)
                })
        })
}

/// Operations at assumed sizes that are enough for a parallel loop entered once in one of the deepest nests
/// of a region: more may come, and what comes is compared with [`MINIMUM_PARALLEL_WORK`] when the program
/// runs.
pub const MINIMUM_ASSUMED_WORK: i64 = 1_500;

/// Steps for the greatest number of values of a loop.
const MOST_INSTANCES_STEPS: u64 = 20_000;

/// Whether a parallel loop outside of everything, over sizes that only the run knows, may have enough work.
pub fn parallel_may_pay(nest: &Nest, scop: &Scop) -> bool {
    let depth = |statement: &Statement| statement.iterators.len();
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let deepest = executed.map(depth).max().unwrap_or(0);
    let is_of_many = |statement: &&NestStatement| {
        let domain = &statement.statement.domain;
        let n_parameters = domain.space().n(DimKind::Param);
        depth(statement.statement) == deepest
            && domain.involves_dims(DimKind::Param, 0, n_parameters)
    };
    nest.first == 0
        && nest
            .statements
            .iter()
            .any(|statement| is_of_many(&statement) && may_be_enough(statement))
        && nest.work_per_entry(&[]) >= MINIMUM_ASSUMED_WORK
}

/// Whether the greatest number of instances, if it is known, is enough for threads: iterators of narrow types
/// bound it.
fn may_be_enough(statement: &NestStatement) -> bool {
    let domain = &statement.statement.domain;
    let mut most = i64::try_from(statement.accesses.len().max(1)).unwrap_or(i64::MAX);
    for dim in 0..domain.space().n(DimKind::Out) {
        let budget = Budget::steps(MOST_INSTANCES_STEPS);
        let least = domain.dim_min_val(DimKind::Out, dim, &budget);
        let greatest = domain.dim_max_val(DimKind::Out, dim, &budget);
        let (Ok(Optimum::At(least)), Ok(Optimum::At(greatest))) = (least, greatest) else {
            return true;
        };
        let values = (&greatest - &least).to_i64().unwrap_or(i64::MAX).saturating_add(1);
        most = most.saturating_mul(values);
    }
    most >= MINIMUM_PARALLEL_WORK
}

/// Whether a parallel loop inside the `outer` dimensions (as in [`Nest::work_per_entry`]) has
/// enough work.
pub fn parallel_pays(nest: &Nest, outer: &[(usize, i64)]) -> bool {
    let is_repeated = outer.iter().any(|&(dimension, size)| nest.values(dimension) > size);
    let least = if is_repeated { MINIMUM_REPEATED_WORK } else { MINIMUM_PARALLEL_WORK };
    nest.work_per_entry(outer) >= least
}
