//! A band as blocks and threads: its independent loops are strip-mined, the loops over strips become blocks and those inside
//! of a strip threads.
//!
//! Independent (coincident) members of a permutable band may be moved outside, and so may those that come first in any band:
//! no dependence that is left has a distance along them, so that they may run in any order among each other and around the
//! rest. Strips of such a loop are as independent as its iterations.
use loopwright_exact::Int;
use loopwright_presburger::{DimKind, PwAff, Result, UnionPwAff};
use loopwright_schedule::{Axis, Band, LoopKind, LoopMark, Node, TileLoops};
use loopwright_scop::{Element, Scop, Statement};

/// Threads of a block along each axis, the fastest first, for one, two and three independent loops: 256 together, so that
/// several blocks share a multiprocessor, and a warp of 32 along the fastest axis.
const THREADS: [&[i64]; Axis::ALL.len()] = [&[256], &[32, 8], &[32, 4, 2]];

/// The positions of the members of a band that may become blocks and threads: at most three, those farther inside first.
pub(crate) fn independent_members(band: &Band) -> Vec<usize> {
    let mut members: Vec<usize> = match band.permutable {
        true => (0..band.n_members()).filter(|&member| band.members[member].coincident).collect(),
        false => (0..band.n_outer_coincident()).collect(),
    };
    let too_many = members.len().saturating_sub(Axis::ALL.len());
    members.drain(..too_many);
    members
}

/// The band above `child` with its independent loops as blocks and threads.
///
/// # Errors
/// Those of strip-mining.
pub(crate) fn mapped(band: &Band, child: Node, scop: &Scop) -> Result<Node> {
    let independent = slowest_first(band, independent_members(band), scop);
    let others = (0..band.n_members()).filter(|member| !independent.contains(member));
    let order: Vec<usize> = independent.iter().copied().chain(others).collect();
    let (outer, rest) = band.permute_unchecked(&order)?.split(independent.len());
    let axes: Vec<Axis> = Axis::ALL[..independent.len()].iter().rev().copied().collect();
    let sizes = THREADS[independent.len() - 1].iter().rev().map(|&size| Int::from(size));
    let (strips, points) =
        outer.with_permutable(true).tile(&sizes.collect::<Vec<_>>(), TileLoops::Unscaled)?;
    let inside = match rest.n_members() {
        0 => child,
        _ => Node::band(rest, child),
    };
    let threads = marked(&points, &axes, LoopKind::Thread, inside);
    Ok(marked(&strips, &axes, LoopKind::Block, threads))
}

/// The members of a band as bands of one member each, below marks for their axes.
pub(crate) fn marked(band: &Band, axes: &[Axis], kind: fn(Axis) -> LoopKind, child: Node) -> Node {
    let Some((axis, inner)) = axes.split_first() else { return child };
    let (first, rest) = band.split(1);
    let below = marked(&rest, inner, kind, child);
    let mark = LoopMark { kind: kind(*axis), private: Vec::new(), reductions: Vec::new() };
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
        let statement = scop.statement_named(name)?;
        let iterators = iterators_in(part);
        let stride = |element: &&Element| stride(element, &iterators);
        Some(statement_elements(statement).iter().map(stride).sum::<i64>())
    };
    member.parts().iter().filter_map(of_part).sum()
}

fn statement_elements(statement: &Statement) -> Vec<&Element> {
    statement.body.elements()
}

/// One if the last subscript alone changes by one, minus one if others change, zero if the element is the same.
fn stride(element: &Element, iterators: &[usize]) -> i64 {
    let changes = |form: &PwAff| iterators_in(form).iter().any(|own| iterators.contains(own));
    let Some((last, others)) = element.subscripts.split_last() else { return 0 };
    match (others.iter().any(changes), changes(last)) {
        (true, _) => -1,
        (false, true) if element.base.is_contiguous() => 1,
        (false, true) => -1,
        (false, false) => 0,
    }
}

/// The coordinates of an instance that a form depends on.
fn iterators_in(form: &PwAff) -> Vec<usize> {
    let n = form.domain_space().n(DimKind::Out);
    let depends = |at: &usize| {
        form.pieces().iter().any(|(_, aff)| !aff.coefficient(DimKind::Out, *at).is_zero())
    };
    (0..n).filter(depends).collect()
}
