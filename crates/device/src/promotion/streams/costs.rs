//! Whether walking is faster than an instance for each thread, by counting what a place of the data costs.
//!
//! Both read each array from memory once, and places around a block from the cache that all multiprocessors
//! share (`device/src/time_tile_costs.rs`). Without planes a thread reads all its operands by itself; with
//! them it reads the foremost element of each column from shared memory. Where sizes are known, threads also
//! wait: for memory once in each round of blocks, or at the barrier of each step. No time on a device stands
//! behind this yet.
use super::super::promoting::Promoting;
use super::super::site::SiteStatement;
use super::super::spread::Spread;
use super::columns::Source;
use super::statements::{Walk, other_bytes, shared_bytes};
use crate::occupancy::{BlockNeeds, Occupancy};
use crate::time_tile_costs::{BARRIER_CYCLES, CACHED, INSTANCE_CYCLES, REGISTERS, Rates};
use loopwright_presburger::{Aff, Budget, Optimum, Set};
use loopwright_scop::OperationKind;

/// Cycles until a thread has its operands from memory.
const MEMORY_CYCLES: f64 = 600.0;

/// Bytes of a register.
const REGISTER_BYTES: u64 = 4;

/// What a place costs.
struct Place {
    /// Bytes of memory, and of the shared cache at its price.
    memory: f64,
    /// Bytes of shared memory or of a multiprocessor's cache.
    on_chip: f64,
}

/// Whether walking is no slower.
pub(super) fn is_better(
    promoting: &Promoting<'_>,
    own: &SiteStatement,
    (walk, sources): (&Walk<'_>, &[Source]),
) -> bool {
    let device = &promoting.device;
    let rates = Rates::of(device);
    let other = other_bytes(&promoting.scop, own, sources) as f64;
    let once = other + sources.iter().map(|source| source.element_bytes as f64).sum::<f64>();
    let memory = |tile: &[i64]| {
        let around = sources.iter().map(|own| (growth(own, tile) - 1.0) * own.element_bytes as f64);
        once + CACHED * around.sum::<f64>()
    };
    let read = |source: &Source, n: usize| (n as i64 * source.element_bytes) as f64;
    let all = sources.iter().map(|source| read(source, source.reads.len())).sum::<f64>();
    let block: Vec<i64> =
        Spread::plain(walk.tile.len()).dimensions.iter().map(|own| own.threads).collect();
    let plain = Place { memory: memory(&block), on_chip: other + all };
    let from_planes = |source: &Source| {
        let moved = source.columns.values().filter(|column| column.is_moved).count();
        let n = if moved > 0 { source.columns.len() } else { source.reads.len() };
        read(source, n) + growth(source, &walk.tile) * source.element_bytes as f64
    };
    let shared = sources.iter().map(from_planes).sum::<f64>();
    let walking = Place { memory: memory(&walk.tile), on_chip: other + shared };
    let multiprocessors = device.multiprocessors as f64;
    let count = promoting.scop.statement(own.id).body.operations(&promoting.scop);
    let operations = OperationKind::ALL.into_iter().filter(|kind| kind.is_floating());
    let operations = operations.map(|kind| count.at_least(kind)).sum::<u64>() as f64;
    let cycles = |place: &Place| (place.on_chip / rates.on_chip).max(operations / rates.operations);
    let nanoseconds = |place: &Place| {
        (place.memory / rates.memory).max(cycles(place) / multiprocessors / rates.clock)
    };
    let Some(extents) = extents(own, promoting.budget) else {
        return nanoseconds(&walking) <= nanoseconds(&plain);
    };
    let places: f64 = extents.iter().map(|extent| *extent as f64).product();
    let columns = sources.iter().map(Source::column_bytes).sum::<i64>();
    let columns = u64::try_from(columns).unwrap_or(0) / REGISTER_BYTES;
    let shared_bytes = u64::try_from(shared_bytes(sources, &walk.tile)).unwrap_or(0);
    let rounds = |tile: &[i64], threads: &[i64], registers: u64, shared_bytes: u64| {
        let blocks = extents.iter().zip(tile).map(|(n, own)| (*n as f64 / *own as f64).ceil());
        let threads = threads.iter().product::<i64>().unsigned_abs();
        let at_once = Occupancy::of(&BlockNeeds { threads, registers, shared_bytes }, device);
        (blocks.product::<f64>() / (at_once.blocks.max(1) as f64 * multiprocessors)).ceil()
    };
    let step = INSTANCE_CYCLES + BARRIER_CYCLES;
    let steps = walk.tile[0].min(extents[0]) as f64;
    let own_rounds = rounds(&walk.tile, &walk.threads, REGISTERS + columns, shared_bytes);
    let waiting = own_rounds * (MEMORY_CYCLES + steps * step) / rates.clock;
    let walking = (places * nanoseconds(&walking)).max(waiting);
    let waiting = rounds(&block, &block, REGISTERS, 0) * (MEMORY_CYCLES + INSTANCE_CYCLES);
    walking <= (places * nanoseconds(&plain)).max(waiting / rates.clock)
}

/// By how much more places a block reads than it has.
fn growth(source: &Source, tile: &[i64]) -> f64 {
    let along = source.reach().into_iter().zip(tile);
    along.map(|((first, last), own)| (own + last - first) as f64 / *own as f64).product()
}

/// The iterations of the independent loops, if the program tells them.
fn extents(own: &SiteStatement, budget: &Budget) -> Option<Vec<i64>> {
    let of = |member: &Aff| extent(&own.domain, member, budget);
    own.members.iter().map(of).collect()
}

fn extent(domain: &Set, member: &Aff, budget: &Budget) -> Option<i64> {
    let member = member.align_params(domain.space());
    let ends = (domain.min_val(&member, budget).ok()?, domain.max_val(&member, budget).ok()?);
    let (Optimum::At(first), Optimum::At(last)) = ends else { return None };
    (&last - &first).to_i64().map(|length| length + 1)
}
