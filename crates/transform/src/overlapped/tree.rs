//! The order of a program in tiles: bands of time steps, tiles that threads share, copies around the
//! program's own loops.
use crate::overlapped::program::TiledArray;
use crate::overlapped::site::{Site, Tiled};
use crate::overlapped::slices::Slice;
use crate::site::marks::mark_member;
use crate::site::outer_loops::{ParallelLoop, mark_parallel};
use loopwright_presburger::{
    Aff, DimKind, MultiUnionPwAff, Piecewise, PwMultiAff, Set, Space, Tuple, UnionPwAff,
    UnionPwMultiAff, UnionSet,
};
use loopwright_schedule::{Band, LocalMark, LoopKind, Node, ScheduleTree};
use loopwright_scop::{Scop, Statement, StatementId};

/// The statements that copy.
#[derive(Default)]
pub(super) struct Copies {
    /// Before the first band, each with the position of the loop that threads share.
    pub(super) before: Vec<(StatementId, usize)>,
    /// At the start of each tile.
    pub(super) into_tiles: Vec<StatementId>,
    /// At its end.
    pub(super) out_of_tiles: Vec<StatementId>,
    /// After the last band.
    pub(super) after: Vec<(StatementId, usize)>,
}

/// The tree of a program.
pub(super) fn tree(
    site: &Site<'_>,
    slices: &[Slice],
    scop: &Scop,
    arrays: &[TiledArray],
    copies: &Copies,
) -> Tiled<ScheduleTree> {
    let n_tile = site.n_tile();
    let instances = slices.iter().map(|slice| PwMultiAff::everywhere(slice.instance.clone()));
    let own = site.tree.pullback(&UnionPwMultiAff::from_parts(instances.collect()))?.root;
    let statements = |ids: &[StatementId]| ids.iter().map(|id| scop.statement(*id)).collect();
    let recomputed: Vec<&Statement> = statements(&site.statements);
    let (incoming, outgoing): (Vec<&Statement>, Vec<&Statement>) =
        (statements(&copies.into_tiles), statements(&copies.out_of_tiles));
    let in_tiles: Vec<&Statement> =
        incoming.iter().chain(&recomputed).chain(&outgoing).copied().collect();
    let copy = |statement: &&Statement| {
        let loops = loops(&[statement], n_tile..statement.domain.n(DimKind::Out));
        (all(&[statement]), Node::band(loops, Node::Leaf))
    };
    let mut parts: Vec<(UnionSet, Node)> = incoming.iter().map(copy).collect();
    parts.push((all(&recomputed), own));
    parts.extend(outgoing.iter().map(copy));
    let in_local_arrays = arrays.iter().rev().fold(Node::sequence(parts), |inside, array| {
        let array = scop.array(array.local).tuple_name.clone();
        Node::mark(&LocalMark::local(array).to_string(), inside)
    });
    let blocks = loops(&in_tiles, 1..n_tile);
    let is_collapsed = n_tile > 2;
    let threads = ParallelLoop { is_collapsed, ..ParallelLoop::independent(0, Vec::new()) };
    let tiles = mark_parallel(&blocks, &threads, in_local_arrays);
    let bands = Node::band(loops(&in_tiles, 0..1), tiles);
    let whole = |(id, shared): &(StatementId, usize)| {
        let statement = scop.statement(*id);
        let loops = loops(&[statement], 0..statement.domain.n(DimKind::Out));
        let copies = mark_member(&loops, *shared, LoopKind::Parallel, &[], Node::Leaf);
        (all(&[statement]), copies)
    };
    let mut root: Vec<(UnionSet, Node)> = copies.before.iter().map(whole).collect();
    root.push((all(&in_tiles), bands));
    root.extend(copies.after.iter().map(whole));
    let root = match &mut root[..] {
        [(_, only)] => only.take(),
        _ => Node::sequence(root),
    };
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let domains = executed.map(|statement| statement.domain.clone());
    let domain = UnionSet::from_sets(&Space::params(&[]), domains);
    Ok(ScheduleTree::new(domain, root))
}

/// All instances of some statements.
fn all(statements: &[&Statement]) -> UnionSet {
    let whole = statements.iter().map(|s| Set::universe(s.domain.space().clone()));
    UnionSet::from_sets(&Space::params(&[]), whole)
}

/// Loops over some coordinates of statements.
fn loops(statements: &[&Statement], coordinates: std::ops::Range<usize>) -> Band {
    let n = coordinates.len();
    let member = |coordinate: usize| {
        let part = |statement: &&Statement| {
            Piecewise::everywhere(Aff::variable(statement.domain.space(), DimKind::Out, coordinate))
        };
        UnionPwAff::from_parts(statements.iter().map(part).collect())
    };
    Band::new(MultiUnionPwAff::new(Tuple::anonymous(n), coordinates.map(member).collect()))
}
