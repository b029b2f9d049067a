//! Where a panel is filled, and how large it is.
//!
//! Below a band, while its loops stand still, a coordinate of a panel runs over an interval that
//! starts at the origin of a tile. What is needed is an interval `o <= x < o + s` with an origin `o`
//! that is a multiple of one outer loop plus a constant, and a constant size `s`; both are found by
//! minimizing and maximizing the difference over all instances.
use super::Packed;
use super::insert::access;
use super::reader::{Candidate, Reader};
use loopwright_machine::Machine;
use loopwright_presburger::{Aff, Budget, DimKind, Int, Local, Optimum, Result, Set, UnionMap};
use loopwright_schedule::{Node, Reaching};
use loopwright_scop::{AccessKind, ArrayId};

/// Iterations of loops whose extent is no constant.
const MANY: i64 = 256;

/// A place for a panel.
pub(super) struct Spot {
    /// The way to the node below which the panel is used.
    pub(super) path: Vec<usize>,
    /// The loops outside, over the reader's instances.
    pub(super) outside: Vec<Aff>,
    /// The origin of each coordinate, over the reader's instances.
    pub(super) origins: Vec<Origin>,
    /// The declared extents.
    pub(super) extents: Vec<i64>,
    /// Their product in bytes.
    pub(super) bytes: i64,
}

/// `factor * loop + constant`; just the constant if there is no loop.
pub(crate) struct Origin {
    /// The position of the loop among those outside.
    pub(crate) dimension: Option<usize>,
    pub(crate) factor: Int,
    pub(crate) constant: Int,
}

/// The outermost place at which the panel of a candidate is small enough and pays.
pub(super) fn find(
    packed: &Packed,
    reader: &Reader,
    candidate: &Candidate,
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
fn is_update(packed: &Packed, reader: &Reader) -> bool {
    packed.divisions.iter().any(|division| division.part == reader.statement.id)
}

/// The way to the node below the band at `depth` and the children of sequences that are chosen there.
fn below_choices<'a>(nodes: &[&Node], depth: usize, reader: &'a Reader) -> &'a [usize] {
    let is_choice = |node: &&&Node| matches!(node, Node::Sequence(_) | Node::Filter(..));
    let choices = nodes[depth + 1..].iter().take_while(is_choice).count();
    &reader.path[..=depth + choices]
}

/// The panel at one place, if it pays there.
fn spot(
    packed: &Packed,
    reader: &Reader,
    candidate: &Candidate,
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
    let element = packed.scop.array(candidate.named_after).element_bytes;
    let element = element.and_then(|bytes| i64::try_from(bytes).ok()).unwrap_or(8).max(1);
    pad(&mut extents, element, machine);
    let bytes = extents.iter().fold(element, |product, &e| product.saturating_mul(e));
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
    reader: &Reader,
    candidate: &Candidate,
    budget: &Budget,
) -> Result<bool> {
    let statement = reader.statement;
    let mut read = UnionMap::empty();
    for piece in candidate.expression.elements() {
        let piece = &statement.body[piece];
        let found = access(&packed.scop, &statement.domain, piece, AccessKind::Read, 0)?;
        let Some(access) = found else { return Ok(false) };
        read = read.union(&UnionMap::from_map(access.relation))?;
    }
    let mut written = UnionMap::empty();
    for piece in &reaching.pieces {
        let name = piece.domain.space().output().and_then(|tuple| tuple.name());
        let Some(other) = name.and_then(|name| packed.scop.statement_named(name)) else { continue };
        for access in other.accesses.iter().filter(|access| access.kind != AccessKind::Read) {
            let relation = access.relation.intersect_domain(&piece.domain)?;
            written = written.union(&UnionMap::from_map(relation))?;
        }
    }
    let times = reaching.prefix_schedule()?;
    let conflicts = read.apply_range_within(&written.reverse(), budget)?;
    let at_times = times.reverse().apply_range_within(&conflicts, budget)?;
    at_times.intersect_within(&times.reverse(), budget)?.is_empty(budget)
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

/// The smallest interval for a form over instances while the outer loops stand still: where it starts, and
/// how many values it has.
pub(crate) fn interval_of(
    instances: &Set,
    value: &Aff,
    outside: &[Aff],
    budget: &Budget,
) -> Result<Option<(Origin, i64)>> {
    let mut best: Option<(Origin, i64)> = None;
    let mut offer = |dimension, factor: Int, difference: &Aff| -> Result<()> {
        let difference = difference.align_params(instances.space());
        let (least, most) =
            (instances.min_val(&difference, budget)?, instances.max_val(&difference, budget)?);
        if let (Optimum::At(constant), Optimum::At(most)) = (least, most)
            && let Some(extent) = (&(&most - &constant) + &Int::ONE).to_i64()
            && best.as_ref().is_none_or(|(_, known)| extent < *known)
        {
            best = Some((Origin { dimension, factor, constant }, extent));
        }
        Ok(())
    };
    offer(None, Int::ZERO, value)?;
    for (dimension, outer) in outside.iter().enumerate() {
        for factor in factors(outer) {
            let difference = value.sub(&outer.scale(&factor))?;
            offer(Some(dimension), factor, &difference)?;
        }
    }
    Ok(best)
}

/// What one step of a loop may stand for: 1, or the size of a tile if it counts tiles.
fn factors(outer: &Aff) -> Vec<Int> {
    let mut factors = vec![Int::ONE];
    for local in outer.locals() {
        if let Local::Floor { denominator, .. } = local
            && !factors.contains(denominator)
        {
            factors.push(denominator.clone());
        }
    }
    factors
}

/// Rows start at cache lines, and not all at the same place in the cache.
pub(crate) fn pad(extents: &mut [i64], element: i64, machine: &Machine) {
    let line = i64::try_from(machine.cache_line_bytes).unwrap_or(64).max(element);
    let several = extents.len() > 1;
    let Some(last) = extents.last_mut() else { return };
    if !several || line % element != 0 || *last < 4 {
        return;
    }
    let lines = (last.saturating_mul(element) + line - 1) / line;
    let lines = if lines % 8 == 0 { lines + 1 } else { lines };
    *last = lines.saturating_mul(line / element);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_padded_to_lines_but_not_to_powers_of_two() {
        let machine = Machine::generic();
        let padded = |extents: &[i64], element| {
            let mut extents = extents.to_vec();
            pad(&mut extents, element, &machine);
            extents
        };
        assert_eq!(padded(&[32, 256], 8), [32, 264]);
        assert_eq!(padded(&[32, 30], 8), [32, 32]);
        assert_eq!(padded(&[32, 512], 4), [32, 528]);
        assert_eq!(padded(&[256], 8), [256]);
    }

    #[test]
    fn intervals_start_at_tiles() {
        let budget = Budget::steps(100_000);
        let instances = Set::parse("[n] -> { S[i, j] : 0 <= i < n and i <= j < i + 5 }").unwrap();
        let aff = |text: &str| Aff::parse(text).unwrap();
        let tile = [aff("[n] -> { S[i, j] -> [(32*floor((i)/32))] }")];
        let (origin, extent) = interval(&instances, 0, &tile, &budget).unwrap().unwrap();
        assert_eq!((origin.dimension, extent), (Some(0), 32));
        let (origin, extent) = interval(&instances, 1, &tile, &budget).unwrap().unwrap();
        assert_eq!((origin.constant, extent), (Int::ZERO, 36));
        let numbers = [aff("[n] -> { S[i, j] -> [(floor((i)/32))] }")];
        let (origin, extent) = interval(&instances, 0, &numbers, &budget).unwrap().unwrap();
        assert_eq!((origin.factor, extent), (Int::from(32), 32));
        assert!(interval(&instances, 0, &[], &budget).unwrap().is_none());
    }
}
