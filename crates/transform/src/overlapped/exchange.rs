//! What tiles read of the state before their band, and what they add to the state after it.
use crate::overlapped::site::{Site, Tiled};
use crate::overlapped::slices::Slice;
use loopwright_presburger::{Aff, DimKind, Int, Map, MultiAff, Set, Space, Tuple};
use loopwright_scop::{Access, AccessKind, ArrayId, ReferenceId, StatementId};

/// The elements of written arrays that an access has in tiles: `{ S_tile[tile, t, x] -> [tile, e] }`.
pub(super) fn elements_in_tiles(site: &Site<'_>, slice: &Slice, access: &Access) -> Tiled<Map> {
    let relation = slice.instance.to_map().apply_range(&access.relation)?;
    let n = relation.n(DimKind::Out);
    let space = relation.space();
    let space = space.with_tuples(space.input().cloned(), Some(Tuple::anonymous(n)));
    Ok(slice.tile(site)?.flat_range_product(&relation.with_space_tuples(&space)?)?)
}

/// The elements of an array of which tiles read a value from before their band: `{ [tile, e] }`.
pub(super) fn incoming(site: &Site<'_>, slices: &[Slice], array: ArrayId) -> Tiled<Set> {
    exchanged(site, slices, (array, AccessKind::Read), |slice, reference| {
        Ok(readers_of_state(site, slice, reference)?.intersect(&slice.domain)?)
    })
}

/// The elements of an array that get values in a tile's block which are used after the band: `{ [tile, e] }`.
pub(super) fn outgoing(site: &Site<'_>, slices: &[Slice], array: ArrayId) -> Tiled<Set> {
    exchanged(site, slices, (array, AccessKind::MustWrite), |slice, reference| {
        Ok(used_later(site, slice, reference)?.intersect(&slice.seed)?)
    })
}

/// The elements of accesses of a kind, by the instances that `instances` gives for each.
fn exchanged(
    site: &Site<'_>,
    slices: &[Slice],
    (array, kind): (ArrayId, AccessKind),
    instances: impl Fn(&Slice, ReferenceId) -> Tiled<Set>,
) -> Tiled<Set> {
    let n = site.n_tile() + site.scop.array(array).extents.len();
    let mut elements = Set::empty(site.space(Tuple::anonymous(n)));
    for slice in slices {
        let accesses = &site.scop.statement(slice.of).accesses;
        for access in accesses.iter().filter(|a| a.array == array && a.kind == kind) {
            let instances = instances(slice, access.reference)?.coalesce(site.budget)?;
            let own = elements_in_tiles(site, slice, access)?.intersect_domain(&instances)?.range();
            elements = elements.union(&own)?.coalesce(site.budget)?;
        }
    }
    Ok(elements.remove_redundancies(site.budget)?)
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
    Ok(readers)
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
