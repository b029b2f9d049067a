//! Where a panel is filled, and how large it is.
//!
//! Below a band, while its loops stand still, a coordinate of a panel runs over an interval that
//! starts at the origin of a tile. What is needed is an interval `o <= x < o + s` with an origin `o`
//! that is a multiple of one outer loop plus a constant, and a constant size `s`; both are found by
//! minimizing and maximizing the difference over all instances.
use crate::legality::conflicts::{times_of_conflicts, written_below};
use crate::packing::insert::access;
use crate::packing::packed::Packed;
use crate::packing::reader::{PackingCandidate, PanelReader};
use crate::packing::spot::Spot;
use crate::storage::local_array::{Origin, interval_of, pad};
use loopwright_machine::Machine;
use loopwright_presburger::{Aff, Budget, DimKind, Result, Set, UnionMap};
use loopwright_schedule::{Node, Reaching};
use loopwright_scop::{AccessKind, ArrayId};

/// Iterations of loops whose extent is no constant.
const MANY: i64 = 256;

/// The outermost place at which the panel of a candidate is small enough and pays.
pub(super) fn find(
    packed: &Packed,
    reader: &PanelReader,
    candidate: &PackingCandidate,
    machine: &Machine,
    bytes_left: i64,
    budget: &Budget,
) -> Result<Option<Spot>> {
    let nodes = packed.tree.ancestors(&reader.path);
    for (depth, node) in nodes.iter().enumerate() {
        let has_loops_below =
            nodes[depth + 1..].iter().any(|below| matches!(below, Node::Band(..)));
        if !matches!(node, Node::Band(..)) || !has_loops_below {
            continue;
        }
        if nodes[..=depth].iter().any(|n| matches!(n, Node::Extension(..) | Node::Expansion { .. }))
        {
            return Ok(None);
        }
        let path = match is_update(packed, reader) {
            true => below_choices(&nodes, depth, reader),
            false => &reader.path[..=depth],
        };
        if let Some(spot) = spot(packed, reader, candidate, machine, path, budget)?
            && spot.bytes <= bytes_left
        {
            return Ok(Some(spot));
        }
    }
    Ok(None)
}

/// Whether the reader is a part of a statement that is by itself in its tiles.
fn is_update(packed: &Packed, reader: &PanelReader) -> bool {
    packed.divisions.iter().any(|division| division.part == reader.statement.id)
}

/// The way to the node below the band at `depth` and the children of sequences that are chosen there.
fn below_choices<'a>(nodes: &[&Node], depth: usize, reader: &'a PanelReader) -> &'a [usize] {
    let is_choice = |node: &&&Node| matches!(node, Node::Sequence(_) | Node::Filter(..));
    let choices = nodes[depth + 1..].iter().take_while(is_choice).count();
    &reader.path[..=depth + choices]
}

/// The panel at one place, if it pays there.
fn spot(
    packed: &Packed,
    reader: &PanelReader,
    candidate: &PackingCandidate,
    machine: &Machine,
    path: &[usize],
    budget: &Budget,
) -> Result<Option<Spot>> {
    let reaching = Reaching::at(&packed.tree, path)?;
    if writes_any(packed, &reaching, &candidate.arrays)
        && !(is_update(packed, reader)
            && are_read_only(packed, &reaching, reader, candidate, budget)?)
    {
        return Ok(None);
    }
    let space = reader.statement.domain.space();
    let own = |piece: &&loopwright_schedule::Piece| piece.domain.space().has_equal_tuples(space);
    let pieces: Vec<_> = reaching.pieces.iter().filter(own).collect();
    let [piece] = pieces[..] else { return Ok(None) };
    let instances = reader.statement.domain.intersect_params(&packed.scop.context)?;
    let outside = piece.schedule.clone();
    let (mut origins, mut extents, mut uses) = (Vec::new(), Vec::new(), 1i64);
    for &iterator in &candidate.coordinates {
        let Some((origin, extent)) = interval(&instances, iterator, &outside, budget)? else {
            return Ok(None);
        };
        origins.push(origin);
        extents.push(extent);
    }
    for iterator in 0..reader.statement.iterators.len() {
        if !candidate.coordinates.contains(&iterator) {
            let interval = interval(&instances, iterator, &outside, budget)?;
            uses = uses.saturating_mul(interval.map_or(MANY, |(_, extent)| extent));
        }
    }
    if uses < candidate.least_uses {
        return Ok(None);
    }
    let bytes = pad(&mut extents, packed.scop.array(candidate.named_after), machine);
    Ok(Some(Spot { path: path.to_vec(), outside, origins, extents, bytes }))
}

/// Whether a statement below writes one of the arrays.
fn writes_any(packed: &Packed, reaching: &Reaching, arrays: &[ArrayId]) -> bool {
    let names = reaching.pieces.iter().filter_map(|piece| piece.domain.space().output()?.name());
    let mut statements = names.filter_map(|name| packed.scop.statement_named(name));
    statements.any(|statement| {
        let writes = statement.accesses.iter().filter(|access| access.kind != AccessKind::Read);
        writes.into_iter().any(|access| arrays.contains(&access.array))
    })
}

/// Whether no statement below writes an element that the candidate stands for, while the loops outside stand
/// still.
fn are_read_only(
    packed: &Packed,
    reaching: &Reaching,
    reader: &PanelReader,
    candidate: &PackingCandidate,
    budget: &Budget,
) -> Result<bool> {
    let statement = reader.statement;
    let mut read = UnionMap::empty();
    for element in candidate.part.elements() {
        let found = access(&packed.scop, &statement.domain, element, AccessKind::Read, 0)?;
        let Some(access) = found else { return Ok(false) };
        read = read.union(&UnionMap::from_map(access.relation))?;
    }
    let written = written_below(&packed.scop, reaching)?;
    let times = reaching.prefix_schedule()?;
    times_of_conflicts(&read, &written, &times, &times, budget)?.is_empty(budget)
}

/// The smallest interval for an iterator while the outer loops stand still.
fn interval(
    instances: &Set,
    iterator: usize,
    outside: &[Aff],
    budget: &Budget,
) -> Result<Option<(Origin, i64)>> {
    let variable = Aff::variable(instances.space(), DimKind::Out, iterator);
    interval_of(instances, &variable, outside, budget)
}
