//! A band as blocks and threads: its independent loops are strip-mined, the loops over strips become blocks
//! and those inside of a strip threads.
//!
//! Independent (coincident) members of a permutable band may be moved outside, and so may those that come
//! first in any band: no dependence that is left has a distance along them, so that they may run in any order
//! among each other and around the rest. Strips of such a loop are as independent as its iterations.
use crate::given_sizes::KernelSizes;
use crate::sizes::{Kernel, KernelPlan};
use crate::steps::in_steps_of_one;
use crate::strides::{Stride, stride};
use loopwright_exact::Int;
use loopwright_machine::Device;
use loopwright_presburger::{Name, PwAff, Result, UnionPwAff};
use loopwright_schedule::{Axis, Band, LoopKind, LoopMark, Node, Reaching, TileLoops};
use loopwright_scop::Scop;

/// The positions of the members of a band that may become blocks and threads: at most three, those farther
/// inside first.
pub(crate) fn independent_members(band: &Band) -> Vec<usize> {
    let mut members: Vec<usize> = match band.permutable {
        true => (0..band.n_members()).filter(|&member| band.members[member].coincident).collect(),
        false => (0..band.n_outer_coincident()).collect(),
    };
    let too_many = members.len().saturating_sub(Axis::ALL.len());
    members.drain(..too_many);
    members
}

/// The band above `child` with its independent loops as blocks and threads, and their sizes.
///
/// # Errors
/// Those of strip-mining.
pub(crate) fn mapped(
    (band, child): (&Band, Node),
    (name, given): (Name, &KernelSizes),
    (scop, reaching): (&Scop, &Reaching),
    device: &Device,
) -> Result<(Node, KernelPlan)> {
    let independent = slowest_first(band, independent_members(band), scop);
    let others = (0..band.n_members()).filter(|member| !independent.contains(member));
    let order: Vec<usize> = independent.iter().copied().chain(others).collect();
    let (outer, rest) = band.permute_unchecked(&order)?.split(independent.len());
    let axes: Vec<Axis> = Axis::ALL[..independent.len()].iter().rev().copied().collect();
    let plan = Kernel::of(band, &independent, scop, device).plan(name, given);
    let sizes: Vec<Int> = plan.tile.iter().rev().map(|&size| Int::from(size)).collect();
    let outer = in_steps_of_one(&outer.with_permutable(true), reaching)?;
    let (strips, points) = outer.tile(&sizes, TileLoops::Unscaled)?;
    let inside = match rest.n_members() {
        0 => child,
        _ => Node::band(rest, child),
    };
    let all: Vec<(Axis, bool)> = axes.iter().map(|&axis| (axis, true)).collect();
    // Where a block has one iteration along an axis there is nothing for threads to share.
    let several = plan.tile.iter().rev().map(|&size| size > 1);
    let inner: Vec<(Axis, bool)> = axes.into_iter().zip(several).collect();
    let threads = marked(&points, &inner, LoopKind::Thread, inside);
    Ok((marked(&strips, &all, LoopKind::Block, threads), plan))
}

/// The members of a band as bands of one member each, below marks for their axes; without those that are not
/// wanted.
pub(crate) fn marked(
    band: &Band,
    axes: &[(Axis, bool)],
    kind: fn(Axis) -> LoopKind,
    child: Node,
) -> Node {
    let Some((&(axis, is_wanted), inner)) = axes.split_first() else { return child };
    let (first, rest) = band.split(1);
    let below = marked(&rest, inner, kind, child);
    if !is_wanted {
        return below;
    }
    let mark = LoopMark { kind: kind(axis), private: Vec::new(), reductions: Vec::new() };
    Node::mark(&mark.to_string(), Node::band(first, below))
}

/// The members with the one last along which most elements lie side by side; the others stay in order.
pub(crate) fn slowest_first(band: &Band, mut members: Vec<usize>, scop: &Scop) -> Vec<usize> {
    let score = |member: &usize| unit_strides(&band.schedule.members()[*member], scop);
    // Of equal ones the last: loops of programs are written like that.
    let fastest = (0..members.len()).max_by_key(|&position| score(&members[position]));
    if let Some(position) = fastest {
        let fastest = members.remove(position);
        members.push(fastest);
    }
    members
}

/// How many elements lie side by side for values of a loop that follow each other, less those that lie apart.
fn unit_strides(member: &UnionPwAff, scop: &Scop) -> i64 {
    let of_part = |part: &PwAff| {
        let name = part.domain_space().output().and_then(|tuple| tuple.name())?;
        let elements = scop.statement_named(name)?.body.elements();
        let score = |element: &_| match stride(element, part) {
            Stride::None => 0,
            Stride::Unit => 1,
            Stride::Apart => -1,
        };
        Some(elements.into_iter().map(score).sum::<i64>())
    };
    member.parts().iter().filter_map(of_part).sum()
}
