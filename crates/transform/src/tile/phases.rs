//! Tiles that are divided in two along each dimension of the data, and the phases in which their parts run.
//!
//! Along a dimension an instance is in the *first* or in the *second* part of a tile. Dependences lead from
//! first parts to the same first part or into second parts of any tile, from a second part to the same second
//! part. In `d` dimensions an instance is in one of the two along each, so parts that are second along `m`
//! dimensions need those that are so along fewer: a band of time steps has `d + 1` phases, and all parts of a
//! phase may run at the same time. Trapezoids ([`crate::tile::trapezoid`]) and molecular tiles
//! ([`crate::tile::molecular`]) are divided like this.
use crate::tile::slanted::{loops, parallel_loop};
use loopwright_presburger::{Result, UnionPwAff, UnionSet};
use loopwright_schedule::Node;

/// The number of dimensions of the data at most: 16 kinds of parts.
pub const MOST_DIMENSIONS: usize = 4;

/// The tiles along one dimension of the data.
pub(crate) struct Side {
    /// The number of the tile.
    pub(crate) tile: UnionPwAff,
    /// The position at which it begins: loops over these have steps, by which is known how much there is to
    /// do.
    pub(crate) start: UnionPwAff,
    /// The instances of first parts.
    pub(crate) first: UnionSet,
    /// The others.
    pub(crate) second: UnionSet,
}

/// The phases, each with its instances and a parallel loop over tiles; `last` is inside of those of parts
/// that are second along all dimensions.
pub(crate) fn phases(sides: &[Side], last: &Node) -> Result<Vec<(UnionSet, Node)>> {
    let inside = |n_second| if n_second == sides.len() { last.clone() } else { Node::Leaf };
    (0..=sides.len()).map(|n_second| phase(sides, n_second, &inside(n_second))).collect()
}

/// The parts that are second along so many dimensions: their instances, and a parallel loop over them.
fn phase(sides: &[Side], n_second: usize, inside: &Node) -> Result<(UnionSet, Node)> {
    let kinds = kinds(sides.len(), n_second);
    let mut parts = Vec::with_capacity(kinds.len());
    for kind in &kinds {
        parts.push((instances(sides, kind)?, inner_loops(sides, inside)));
    }
    let mut all = UnionSet::empty();
    for (part, _) in &parts {
        all = all.union(part)?;
    }
    let inside = match parts.len() {
        1 => inner_loops(sides, inside),
        _ => Node::sequence(parts),
    };
    Ok((all, parallel_loop(sides[0].start.clone(), inside)))
}

/// The loops along the dimensions after the first.
fn inner_loops(sides: &[Side], inside: &Node) -> Node {
    loops(sides[1..].iter().map(|side| side.tile.clone()).collect(), true, inside.clone())
}

/// Along which of `n` dimensions parts are second, in all ways with so many.
fn kinds(n: usize, n_second: usize) -> Vec<Vec<bool>> {
    let n = n.min(MOST_DIMENSIONS);
    let kind = |bits: usize| (0..n).map(|k| bits >> k & 1 == 1).collect::<Vec<bool>>();
    let all = (0..1usize << n).map(kind);
    all.filter(|kind| kind.iter().filter(|is_second| **is_second).count() == n_second).collect()
}

/// The instances of the parts of a kind.
fn instances(sides: &[Side], kind: &[bool]) -> Result<UnionSet> {
    let mut all: Option<UnionSet> = None;
    for (side, is_second) in sides.iter().zip(kind) {
        let own = if *is_second { &side.second } else { &side.first };
        all = Some(match all {
            Some(all) => all.intersect(own)?,
            None => own.clone(),
        });
    }
    Ok(all.unwrap_or_else(UnionSet::empty))
}
