//! Second buffers: where a tile may read elements of an array that another tile writes in the same band.
//!
//! The state before band `b` (counted from 0) is in the array itself if `b` is even and in the second buffer
//! if it is odd; the state after it is the one before band `b + 1`. Before the first band, the second buffer
//! gets what no tile ever writes; after the last one, the array gets the last values that are in the second
//! buffer.
use crate::overlapped::site::{Site, Tiled};
use loopwright_presburger::{Aff, DimKind, Int, Map, Set, Tuple};
use loopwright_scop::{Access, ArrayId};

/// The bands that are even or odd.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bands {
    All,
    Even,
    Odd,
}

impl Bands {
    /// The part of a set over tiles that is in these bands.
    pub(super) fn of(self, set: &Set) -> Tiled<Set> {
        self.of_band(set, &Aff::variable(set.space(), DimKind::Out, 0))
    }

    /// The part of a set in which `band` is one of these.
    fn of_band(self, set: &Set, band: &Aff) -> Tiled<Set> {
        let rest = band.modulo(&Int::from(2));
        Ok(match self {
            Bands::All => set.clone(),
            Bands::Even => set.intersect(&rest.zero_set())?,
            Bands::Odd => set.intersect(&rest.add_constant(&Int::from(-1)).zero_set())?,
        })
    }
}

/// Whether some element is read by a tile and written by another one of the same band, of sets
/// `{ [tile, e] }`.
pub(super) fn is_needed(site: &Site<'_>, read: &Set, written: &Set) -> Tiled<bool> {
    let in_bands = |elements: &Set| elements.project_out(DimKind::Out, 1, site.n_tile() - 1);
    Ok(!in_bands(read).is_disjoint(&in_bands(written), site.budget)?)
}

/// The elements that odd bands read, as a set without holes; they are copied into the second buffer before
/// the first band.
pub(super) fn prepared(site: &Site<'_>, read: &Set) -> Tiled<Set> {
    let elements = Bands::Odd.of(read)?;
    let elements = elements.project_out(DimKind::Out, 0, site.n_tile());
    let hull = elements.as_map().simple_hull(site.budget)?;
    Ok(Set::from_map(Map::from_basic_map(hull)))
}

/// The elements whose last value is in the second buffer after the last band: those that an even band has
/// written.
pub(super) fn finished(site: &Site<'_>, array: ArrayId) -> Tiled<Set> {
    let n = site.scop.array(array).extents.len();
    let mut elements = Set::empty(site.space(Tuple::anonymous(n)));
    for live in site.dependences.live_out.iter().filter(|live| live.array == array) {
        let instances = live.instances.align_params(elements.space());
        let space = instances.space();
        let step = Aff::variable(space, DimKind::Out, 0).sub(&site.first_in(space)?)?;
        let band = step.scale_down(&Int::from(site.steps)).floor();
        let instances = Bands::Even.of_band(&instances, &band)?;
        let accesses = &site.scop.statement(live.statement).accesses;
        let is_meant = |a: &&Access| a.reference == live.reference;
        let Some(access) = accesses.iter().find(is_meant) else { continue };
        let own = access.relation.intersect_domain(&instances)?.range();
        elements = elements.union(&own.with_space_tuples(elements.space())?)?;
    }
    let elements = elements.intersect_params(&site.scop.context)?;
    Ok(elements.coalesce(site.budget)?.remove_redundancies(site.budget)?)
}
