//! What tiles read of the state before their band, and what they add to the state after it.
use crate::overlapped::site::{Site, Tiled};
use crate::overlapped::slices::Slice;
use loopwright_presburger::{Aff, DimKind, Int, Map, MultiAff, Set, Space, Tuple};
use loopwright_scop::{Access, AccessKind, ArrayId, ReferenceId, StatementId};

/// Elements of which tiles read a value from before their band.
pub(super) struct Incoming {
    /// `{ [tile, e] }`: a set without holes that has these elements.
    pub(super) elements: Set,
}

/// Writes of a block whose values are used after the band.
pub(super) struct Outgoing {
    /// The position of the statement among the slices.
    pub(super) slice: usize,
    /// The write.
    pub(super) reference: ReferenceId,
    pub(super) array: ArrayId,
    /// The instances of the slice.
    pub(super) instances: Set,
}

/// The elements of written arrays that an access has in tiles: `{ S_tile[tile, t, x] -> [tile, e] }`.
pub(super) fn elements_in_tiles(site: &Site<'_>, slice: &Slice, access: &Access) -> Tiled<Map> {
    let relation = slice.instance.to_map().apply_range(&access.relation)?;
    let n = relation.n(DimKind::Out);
    let space = relation.space();
    let space = space.with_tuples(space.input().cloned(), Some(Tuple::anonymous(n)));
    Ok(slice.tile(site)?.flat_range_product(&relation.with_space_tuples(&space)?)?)
}

/// What tiles need of an array; none if nothing.
pub(super) fn incoming(
    site: &Site<'_>,
    slices: &[Slice],
    array: ArrayId,
) -> Tiled<Option<Incoming>> {
    let n = site.n_tile() + site.scop.array(array).extents.len();
    let mut elements = Set::empty(site.space(Tuple::anonymous(n)));
    for slice in slices {
        let accesses = &site.scop.statement(slice.of).accesses;
        let is_read = |a: &&Access| a.array == array && a.kind == AccessKind::Read;
        for access in accesses.iter().filter(is_read) {
            let readers = readers_of_state(site, slice, access.reference)?;
            let own = elements_in_tiles(site, slice, access)?.intersect_domain(&readers)?.range();
            elements = elements.union(&own)?.coalesce(site.budget)?;
        }
    }
    if elements.is_empty(site.budget)? {
        return Ok(None);
    }
    let hull = elements.as_map().simple_hull(site.budget)?;
    let hull = Set::from_map(Map::from_basic_map(hull)).remove_redundancies(site.budget)?;
    Ok(Some(Incoming { elements: hull }))
}

/// The instances of a slice that read a value from before their band.
fn readers_of_state(site: &Site<'_>, slice: &Slice, reference: ReferenceId) -> Tiled<Set> {
    let mut readers = Set::empty(slice.domain.space().clone());
    let is_meant =
        |statement: StatementId, own: ReferenceId| statement == slice.of && own == reference;
    for live in &site.dependences.live_in {
        if is_meant(live.statement, live.reference) {
            readers = readers.union(&live.instances.preimage_multi_aff(&slice.instance)?)?;
        }
    }
    let flows = site.dependences.flow.iter().filter(|flow| is_meant(flow.sink.0, flow.sink.1));
    for flow in flows {
        let sources = slice.instance.to_map().apply_range(&flow.relation.reverse())?;
        let start = site.start_of_band(slice.domain.space())?;
        let earlier = compared(site, slice, &start, Map::lex_gt, flow.source.0)?;
        readers = readers.union(&sources.intersect(&earlier)?.domain())?;
    }
    Ok(readers.intersect(&slice.domain)?)
}

/// The writes of an array whose values are used after the band, from each block.
pub(super) fn outgoing(site: &Site<'_>, slices: &[Slice], array: ArrayId) -> Tiled<Vec<Outgoing>> {
    let mut all = Vec::new();
    for (position, slice) in slices.iter().enumerate() {
        let accesses = &site.scop.statement(slice.of).accesses;
        let is_write = |a: &&Access| a.array == array && a.kind == AccessKind::MustWrite;
        for access in accesses.iter().filter(is_write) {
            let instances = used_later(site, slice, access.reference)?;
            let instances = instances.intersect(&slice.seed)?.coalesce(site.budget)?;
            let instances = instances.remove_redundancies(site.budget)?;
            if !instances.is_empty(site.budget)? {
                let reference = access.reference;
                all.push(Outgoing { slice: position, reference, array, instances });
            }
        }
    }
    Ok(all)
}

/// The instances of a slice whose value is used after their band.
fn used_later(site: &Site<'_>, slice: &Slice, reference: ReferenceId) -> Tiled<Set> {
    let mut used = Set::empty(slice.domain.space().clone());
    let is_meant =
        |statement: StatementId, own: ReferenceId| statement == slice.of && own == reference;
    for live in &site.dependences.live_out {
        if is_meant(live.statement, live.reference) {
            used = used.union(&live.instances.preimage_multi_aff(&slice.instance)?)?;
        }
    }
    let flows = site.dependences.flow.iter().filter(|flow| is_meant(flow.source.0, flow.source.1));
    for flow in flows {
        let readers = slice.instance.to_map().apply_range(&flow.relation)?;
        let start = site.start_of_band(slice.domain.space())?;
        let last = start.add_constant(&Int::from(site.steps - 1));
        let later = compared(site, slice, &last, Map::lex_lt, flow.sink.0)?;
        used = used.union(&readers.intersect(&later)?.domain())?.coalesce(site.budget)?;
    }
    Ok(used)
}

/// `{ S_tile[..] -> P[t, x] : step compares so with t }`.
fn compared(
    site: &Site<'_>,
    slice: &Slice,
    step: &Aff,
    comparison: fn(&Space) -> Map,
    other: StatementId,
) -> Tiled<Map> {
    let one = site.space(Tuple::anonymous(1));
    let domain = site.domain(other)?;
    let time = Aff::variable(domain.space(), DimKind::Out, 0);
    let time = MultiAff::new(domain.space().map_to(&one), vec![time])?.to_map();
    let step = MultiAff::new(slice.domain.space().map_to(&one), vec![step.clone()])?.to_map();
    Ok(step.apply_range(&comparison(&one))?.apply_range(&time.reverse())?)
}
