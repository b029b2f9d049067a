//! The local arrays of tiles: for the elements of an array that a tile uses, a box that starts at the tile.
use crate::overlapped::site::{Site, Tiled, refused};
use crate::storage::local_array::{Origin, interval_of, pad};
use loopwright_machine::Machine;
use loopwright_presburger::{Aff, DimKind, Int, Map, MultiAff, Set, Space, Tuple};
use loopwright_scop::ArrayId;

/// Bytes of the local arrays of a tile, which are on the stack of a thread: 2 MiB where nothing is said.
pub(super) const MOST_BYTES: i64 = 1 << 20;

/// Where elements of an array are in the local one.
pub(super) struct Cells {
    origins: Vec<Origin>,
    pub(super) extents: Vec<i64>,
    /// The extents of the box itself: rows of the local array may be longer.
    unpadded: Vec<i64>,
}

impl Cells {
    /// The cells for an array of which tiles use `{ [tile, e] }`, and their size in bytes.
    pub(super) fn of(
        site: &Site<'_>,
        array: ArrayId,
        used: &Set,
        machine: &Machine,
    ) -> Tiled<(Cells, i64)> {
        let known = site.scop.array(array);
        let outside = starts(site, used.space())?;
        let (mut origins, mut extents) = (Vec::new(), Vec::new());
        for dimension in 0..known.extents.len() {
            let element = Aff::variable(used.space(), DimKind::Out, site.n_tile() + dimension);
            let Some((origin, extent)) = interval_of(used, &element, &outside, site.budget)? else {
                return refused(format!(
                    "the elements of `{}` that a tile uses are in no box of a constant size",
                    known.name
                ));
            };
            origins.push(origin);
            extents.push(extent);
        }
        let unpadded = extents.clone();
        let bytes = pad(&mut extents, known, machine);
        Ok((Cells { origins, extents, unpadded }, bytes))
    }

    /// Where the box starts in a dimension, over a space whose first coordinates are those of a tile.
    pub(super) fn origin(&self, site: &Site<'_>, space: &Space, dimension: usize) -> Tiled<Aff> {
        let Origin { dimension: start, factor, constant } = &self.origins[dimension];
        let constant = Aff::constant(space, constant);
        Ok(match start {
            Some(start) => starts(site, space)?[*start].scale(factor).add(&constant)?,
            None => constant,
        })
    }

    /// The first dimension in which the box moves with the block.
    pub(super) fn moving_dimension(&self) -> usize {
        let moves = |origin: &Origin| origin.dimension.is_some_and(|start| start > 0);
        self.origins.iter().position(moves).unwrap_or(0)
    }

    /// `{ array[tile, e] -> [cell] }`.
    pub(super) fn map(&self, site: &Site<'_>, name: &str) -> Tiled<MultiAff> {
        let n = self.extents.len();
        let space = site.space(Tuple::named(name, site.n_tile() + n));
        let mut cells = Vec::with_capacity(n);
        for dimension in 0..n {
            let element = Aff::variable(&space, DimKind::Out, site.n_tile() + dimension);
            cells.push(element.sub(&self.origin(site, &space, dimension)?)?);
        }
        Ok(MultiAff::new(space.map_to(&site.space(Tuple::anonymous(n))), cells)?)
    }
}

/// A box at each tile around elements `{ [tile, e] }` of an array that are in no box of their own, such as
/// borders of the data beside a row of what the last band has left: simple loops. It has no elements but
/// those between elements that the program accesses.
pub(super) fn boxed(
    site: &Site<'_>,
    array: ArrayId,
    elements: &Set,
    tiles: &Set,
    machine: &Machine,
) -> Tiled<Set> {
    let places = accessed(site, array)?;
    let places = Map::from_basic_map(places.as_map().simple_hull(site.budget)?);
    let places = Set::from_map(places).remove_redundancies(site.budget)?;
    let mut boxed = tiles.flat_product(&places)?.with_space_tuples(elements.space())?;
    let (cells, _) = Cells::of(site, array, elements, machine)?;
    for (dimension, extent) in cells.unpadded.iter().enumerate() {
        let element = Aff::variable(elements.space(), DimKind::Out, site.n_tile() + dimension);
        let cell = element.sub(&cells.origin(site, elements.space(), dimension)?)?;
        let last = cell.neg().add_constant(&Int::from(extent - 1));
        boxed = boxed.intersect(&cell.nonneg_set())?.intersect(&last.nonneg_set())?;
    }
    Ok(boxed.remove_redundancies(site.budget)?)
}

/// The elements of an array that statements access.
fn accessed(site: &Site<'_>, array: ArrayId) -> Tiled<Set> {
    let mut all = Set::empty(site.space(Tuple::anonymous(site.scop.array(array).extents.len())));
    for id in &site.statements {
        let accesses = &site.scop.statement(*id).accesses;
        for access in accesses.iter().filter(|access| access.array == array) {
            let own = access.relation.intersect_domain(&site.domain(*id)?)?.range();
            all = all.union(&own.with_space_tuples(all.space())?)?;
        }
    }
    Ok(all.coalesce(site.budget)?)
}

/// The first step of a tile's band and the first places of its block.
fn starts(site: &Site<'_>, space: &Space) -> Tiled<Vec<Aff>> {
    let block = |(dimension, size): (usize, &i64)| {
        Aff::variable(space, DimKind::Out, 1 + dimension).scale(&Int::from(*size))
    };
    let mut starts = vec![site.start_of_band(space)?];
    starts.extend(site.sizes.iter().enumerate().map(block));
    Ok(starts)
}

/// Refuses tiles whose local arrays are too large.
pub(super) fn check_bytes(bytes: i64) -> Tiled<()> {
    match bytes <= MOST_BYTES {
        true => Ok(()),
        false => refused(format!(
            "a tile of these sizes needs {bytes} bytes of its own, more than {MOST_BYTES}"
        )),
    }
}
