//! What a tile accesses of an array: a box of constant extents at a place that depends on the tile.
use super::tree::{Tiles, function};
use loopwright_exact::Row;
use loopwright_presburger::{
    Aff, BasicMap, Budget, DimKind, Error, FixedBox, Int, Map, MultiAff, Result, Set, Space, Tuple,
};
use loopwright_scop::{AccessKind, Array, ArrayId, Scop, Statement};

/// A box: where it begins in a tile, and its extents.
#[derive(Clone)]
pub(super) struct TileBox {
    /// By the coordinates of the tile.
    pub(super) origin: Vec<Aff>,
    pub(super) extents: Vec<i64>,
}

impl TileBox {
    /// None if it begins at a place that is no integer combination of coordinates, or is too large for any
    /// memory.
    fn of(hull: FixedBox) -> Option<TileBox> {
        let is_plain = |aff: &Aff| aff.denominator().is_one() && aff.locals().is_empty();
        let extents = hull.size.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>()?;
        let origin = hull.offset.affs().to_vec();
        origin.iter().all(is_plain).then_some(TileBox { origin, extents })
    }
}

/// What tiles access of an array.
pub(super) struct Footprint {
    pub(super) array: ArrayId,
    pub(super) element_bytes: u64,
    /// Of all accesses.
    pub(super) all: TileBox,
    /// Of what is written.
    pub(super) written: TileBox,
    /// The tiles that access something, and more.
    pub(super) tiles: Set,
    /// The box around what the program accesses.
    pub(super) elements: Set,
}

impl Footprint {
    /// The bytes of the box.
    pub(super) fn bytes(&self) -> u64 {
        let extents = self.all.extents.iter();
        let extents = extents.map(|own| u64::try_from(*own).unwrap_or(u64::MAX));
        extents.fold(self.element_bytes, u64::saturating_mul)
    }
}

impl Tiles {
    /// The footprints of arrays that tiles write and that have boxes, in the order of the arrays.
    pub(super) fn footprints(&self, scop: &Scop, budget: &Budget) -> Result<Vec<Footprint>> {
        let mut all = Vec::new();
        for (id, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
            if self.may_have_box(scop, (id, array)) {
                all.extend(self.footprint(scop, (id, array), budget)?);
            }
        }
        Ok(all)
    }

    /// Whether an array is one that is written for sure, by elements that the text names.
    fn may_have_box(&self, scop: &Scop, (id, array): (ArrayId, &Array)) -> bool {
        let own = |statement: &Statement| {
            let accesses = statement.accesses.iter().filter(|access| access.array == id);
            let named: Vec<_> = statement
                .body
                .elements()
                .into_iter()
                .filter(|own| own.array == id)
                .cloned()
                .collect();
            let is_plain = named.iter().all(|own| {
                own.subscripts.len() == array.extents.len()
                    && own.subscripts.iter().all(|form| form.as_aff().is_some())
            });
            let is_sure = accesses
                .clone()
                .all(|access| matches!(access.kind, AccessKind::Read | AccessKind::MustWrite));
            is_plain && is_sure && (accesses.count() == 0) == named.is_empty()
        };
        let is_written = scop.statements.iter().flat_map(|statement| &statement.accesses);
        let mut is_written = is_written.filter(|access| access.kind == AccessKind::MustWrite);
        !array.is_scalar()
            && array.element_bytes.is_some()
            && scop.statements.iter().all(own)
            && is_written.any(|access| access.array == id)
    }

    fn footprint(
        &self,
        scop: &Scop,
        (id, array): (ArrayId, &Array),
        budget: &Budget,
    ) -> Result<Option<Footprint>> {
        let n = array.extents.len();
        let (mut all, mut written): (Vec<Map>, Vec<Map>) = (Vec::new(), Vec::new());
        let mut tiles: Option<Set> = None;
        let mut elements: Option<Set> = None;
        for own in &self.statements {
            let statement = scop.statement(own.id);
            let accessed: Vec<_> =
                statement.body.elements().into_iter().filter(|own| own.array == id).collect();
            let mut is_accessed = false;
            let target = target(statement, id);
            for (position, element) in accessed.iter().enumerate() {
                let subscripts: Vec<Aff> =
                    element.subscripts.iter().filter_map(|form| form.as_aff()).collect();
                let named = function(&own.space, Tuple::anonymous(n), &subscripts)?.to_map();
                for instances in &own.parts {
                    let footprint = instances.apply_range(&named)?;
                    if target == Some(position) {
                        written.push(footprint.clone());
                    }
                    all.push(footprint);
                }
                is_accessed = true;
            }
            if is_accessed {
                let own_tiles = own.tiles_or_more(budget)?;
                tiles = Some(match tiles {
                    None => own_tiles,
                    Some(tiles) => tiles.union(&own_tiles)?,
                });
            }
            for access in statement.accesses.iter().filter(|access| access.array == id) {
                let range = access.relation.range().intersect_params(&scop.context)?;
                let range = range.with_space_tuples(&Space::set(
                    range.space().param_names(),
                    Tuple::anonymous(n),
                ))?;
                elements = Some(match elements {
                    None => range,
                    Some(elements) => elements.union(&range)?,
                });
            }
        }
        let (Some(tiles), Some(elements)) = (tiles, elements) else { return Ok(None) };
        let (Some(all), Some(written)) = (box_of(&all, budget)?, box_of(&written, budget)?) else {
            return Ok(None);
        };
        let simple = |set: Set| -> Result<Set> {
            let hull = Set::from_basic_set(set.simple_hull(budget)?);
            Ok(hull.remove_locals())
        };
        Ok(Some(Footprint {
            array: id,
            element_bytes: array.element_bytes.unwrap_or(8),
            all,
            written,
            tiles: simple(tiles)?,
            elements: simple(elements)?,
        }))
    }
}

/// The position of the element that a statement assigns something to, among those of an array in its text.
fn target(statement: &Statement, array: ArrayId) -> Option<usize> {
    let writes = |access: &loopwright_scop::Access| {
        access.array == array && access.kind == AccessKind::MustWrite
    };
    // What is assigned stands first.
    statement.accesses.iter().any(writes).then_some(0)
}

/// The box around some footprints; none if a dimension has no bounds at a constant distance, or they are
/// none. Bounds are those of rational points, as the coordinates of a tile are integers in any case.
fn box_of(footprints: &[Map], budget: &Budget) -> Result<Option<TileBox>> {
    let Some(first) = footprints.first() else { return Ok(None) };
    let n = first.n(DimKind::Out);
    let (mut origin, mut extents) = (Vec::new(), Vec::new());
    for at in 0..n {
        let mut sides: Vec<Map> = Vec::new();
        for footprint in footprints {
            let alone = footprint.project_out(DimKind::Out, at + 1, n - at - 1);
            let alone = alone.project_out(DimKind::Out, 0, at).remove_locals();
            if !sides.iter().any(|known| known.plain_is_equal(&alone)) {
                sides.push(alone);
            }
        }
        let mut all = sides[0].clone();
        for side in &sides[1..] {
            all = all.union(side)?;
        }
        let hull = all.range_simple_fixed_box_hull(budget)?.and_then(TileBox::of);
        let Some(hull) = hull else { return Ok(None) };
        origin.extend(hull.origin);
        extents.extend(hull.extents);
    }
    let mut found = TileBox { origin, extents };
    shrink(&mut found, footprints)?;
    Ok(Some(found))
}

/// The most places by which a side of a box is moved inwards.
const MOST_SHRINKING: usize = 4;

/// The most work for finding out whether a side of a box has an element.
const SIDE_STEPS: u64 = 200_000;

/// Moves the sides of a box inwards that have no element: rational bounds may be further out.
fn shrink(own: &mut TileBox, footprints: &[Map]) -> Result<()> {
    for at in 0..own.extents.len() {
        for is_first in [true, false] {
            for _ in 0..MOST_SHRINKING {
                let distance = if is_first { 0 } else { own.extents[at] - 1 };
                let side = own.origin[at].add_constant(&Int::from(distance));
                if own.extents[at] < 2 || !is_free(footprints, (at, &side))? {
                    break;
                }
                own.extents[at] -= 1;
                if is_first {
                    own.origin[at] = own.origin[at].add_constant(&Int::ONE);
                }
            }
        }
    }
    Ok(())
}

/// Whether no element of some footprints has a coordinate that is a function of the tile, as far as a limit
/// tells.
fn is_free(footprints: &[Map], (at, side): (usize, &Aff)) -> Result<bool> {
    for footprint in footprints {
        let side = side.align_params(&footprint.space().domain());
        let footprint = footprint.align_params(side.domain_space());
        let mut there = BasicMap::universe(footprint.space().clone());
        let column = there.offset(DimKind::Out) + at;
        let mut row = Row::zeros(there.n_columns());
        (0..side.row().len()).for_each(|at| row.set(at, -&side.row().get(at)));
        row.set(column, Int::ONE);
        there = there.add_equality(row);
        let there = footprint.intersect(&Map::from_basic_map(there))?;
        match there.is_empty(&Budget::steps(SIDE_STEPS)) {
            Ok(true) => {}
            Ok(false) | Err(Error::Exceeded { .. }) => return Ok(false),
            Err(other) => return Err(other),
        }
    }
    Ok(true)
}

/// The box as a set of points, of the coordinates of a tile and subscripts behind them.
pub(super) fn points(own: &TileBox, space: &Space, n_tile: usize) -> Result<Set> {
    let tile = tile_of(space, n_tile)?;
    let mut all = Set::universe(space.clone());
    for (at, (origin, extent)) in own.origin.iter().zip(&own.extents).enumerate() {
        let inside = distance(&tile, origin, (space, n_tile + at))?;
        let rest = inside.neg().add_constant(&Int::from(extent - 1));
        all = all.intersect(&inside.nonneg_set())?.intersect(&rest.nonneg_set())?;
    }
    Ok(all)
}

/// How far the variable at a position lies behind the place where a box begins.
pub(super) fn distance(
    tile: &MultiAff,
    origin: &Aff,
    (space, position): (&Space, usize),
) -> Result<Aff> {
    let origin = origin.align_params(tile.space()).pullback(tile)?;
    Aff::variable(space, DimKind::Out, position).sub(&origin)
}

/// From points to the coordinates of their tile, the first ones.
pub(super) fn tile_of(space: &Space, n_tile: usize) -> Result<MultiAff> {
    let variables: Vec<Aff> =
        (0..n_tile).map(|at| Aff::variable(space, DimKind::Out, at)).collect();
    function(space, Tuple::anonymous(n_tile), &variables)
}
