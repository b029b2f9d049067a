//! Which member of a permutable band becomes the innermost loop.
//!
//! The innermost loop decides how memory is walked and whether vector instructions can be used.
//! Every access costs by its stride along the candidate: nothing if it stays (a register), little
//! with unit stride (a vector load), much otherwise (a cache line, or a gather, per element).
//! A loop that carries a dependence is not vectorised (reductions of floating-point numbers
//! may not be reassociated), which costs as much as a strided access per statement.
//! The candidate with the least cost is moved inside; the others keep their order.
//!
//! Where the band will be tiled, a strided read that can be packed ([`crate::packing::may_pack`]) costs as
//! much as one with unit stride: that is what it becomes.
use crate::cost::locality::{Stride, stride};
use crate::cost::nest::{Nest, is_heavy};
use crate::packing::may_pack;
use std::ops::Range;

/// Cost of an access with unit stride.
const UNIT_COST: i64 = 1;

/// Cost of an access with a large stride: eight elements share a line of 64 bytes and a vector
/// of 512 bits, so each element costs what eight cost with unit stride.
const LARGE_COST: i64 = 8;

/// Cost of a statement in a loop that carries a dependence, compared with vector code: an addition
/// has a latency of four cycles and nothing overlaps it, but loads do; a little less than one
/// large stride, so that a sequential sum along a row is preferred to vector code down a column.
const SERIAL_COST: i64 = 6;

/// Candidates with fewer values than this make poor inner loops: no full vector, loop overhead.
const SHORT_LOOP: i64 = 8;

/// The cost of `member` as innermost loop: the greatest possible if it is no loop at all. `packs` tells
/// whether strided reads are packed where that is possible.
pub fn innermost_cost(nest: &Nest, member: usize, is_parallel: bool, packs: bool) -> i64 {
    let dimension = nest.first + member;
    let mut cost = 0i64;
    for statement in &nest.statements {
        let step = statement.direction(dimension);
        let weight = i64::from(is_heavy(nest, statement));
        let mut own = 0;
        for access in &statement.accesses {
            own += match step.as_ref().map_or(Stride::Large, |step| stride(access, step)) {
                Stride::Zero => 0,
                Stride::Unit => UNIT_COST,
                Stride::Large if packs && may_pack(nest, statement, access, member) => UNIT_COST,
                Stride::Large => LARGE_COST,
            };
        }
        if !is_parallel {
            own += SERIAL_COST;
        }
        cost = cost.saturating_add(own * weight);
    }
    match nest.extent(member) {
        ..2 => i64::MAX,
        2..SHORT_LOOP => cost.saturating_mul(4).saturating_add(1),
        _ => cost,
    }
}

/// Whether `member` as innermost loop only walks down columns: it has strided accesses, and none that moves
/// to the next element. Vectors would be put together and taken apart an element at a time, which compilers
/// do where they are told to: the columns at the edges of a grid of 512 by 512 took as long as all that is
/// inside of them.
pub fn walks_down_columns(nest: &Nest, member: usize) -> bool {
    let dimension = nest.first + member;
    let strides = nest.statements.iter().flat_map(|statement| {
        let step = statement.direction(dimension);
        let stride = move |access| step.as_ref().map_or(Stride::Large, |step| stride(access, step));
        statement.accesses.iter().map(stride)
    });
    let (mut is_strided, mut has_unit) = (false, false);
    for stride in strides {
        is_strided |= stride == Stride::Large;
        has_unit |= stride == Stride::Unit;
    }
    is_strided && !has_unit
}

/// The candidate that should be innermost; among equals the innermost one.
///
/// `is_parallel` tells whether a member carries no dependence as the innermost loop, `packs` whether
/// strided reads are packed where that is possible.
pub fn best_innermost(
    nest: &Nest,
    candidates: Range<usize>,
    is_parallel: impl Fn(usize) -> bool,
    packs: bool,
) -> usize {
    let cost = |&member: &usize| innermost_cost(nest, member, is_parallel(member), packs);
    candidates.rev().min_by_key(cost).unwrap_or(0)
}

/// The order of `n` members with `innermost` last and the others as they were.
pub fn with_innermost(n: usize, innermost: usize) -> Vec<usize> {
    (0..n).filter(|&member| member != innermost).chain([innermost]).collect()
}
