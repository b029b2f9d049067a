//! The statements that copy boxes, and accesses of boxes in place of those of the program's arrays.
use super::super::copies::Run;
use super::super::promoting::Promoting;
use super::footprints::{Footprint, TileBox, distance, points, tile_of};
use super::tree::{InTiles, Tiles, function};
use crate::promotion::{Accessed, to_element};
use loopwright_presburger::{Aff, DimKind, Map, PwAff, Result, Set, Space, Tuple};
use loopwright_schedule::MemorySpace;
use loopwright_scop::{ArrayId, Element, PromotedArray, Term};

/// A box in shared memory, and what fills it and copies out of it.
pub(super) struct PromotedBox {
    pub(super) cells: ArrayId,
    pub(super) fill: Run,
    pub(super) store: Run,
}

/// The names of a promoted array.
struct Names {
    cells: (ArrayId, String),
    elements: (ArrayId, String),
}

impl Promoting<'_> {
    /// The box of an array in shared memory; statements of the program access it in place of the array.
    pub(super) fn promote_box(
        &mut self,
        tiles: &Tiles,
        footprint: &Footprint,
    ) -> Result<PromotedBox> {
        let array = footprint.array;
        let name = self.scop.array(array).tuple_name.clone();
        let cells_name = self.fresh(&format!("{name}_tile"));
        let elements_name = self.fresh(&format!("{name}_in_tiles"));
        let known: Vec<Option<i64>> = footprint.all.extents.iter().copied().map(Some).collect();
        let cells = self.add_array(array, &cells_name, &known);
        let n_owner = tiles.n_tile + known.len();
        let elements = self.add_array(array, &elements_name, &vec![None; n_owner]);
        let space = MemorySpace::Shared;
        self.promotion.arrays.push(PromotedArray { elements, cells, space });
        let text: String = footprint.all.extents.iter().map(|own| format!("[{own}]")).collect();
        self.decisions.push(format!(
            "tiles have what they access of `{name}` in shared memory: `{cells_name}{text}`"
        ));
        let names = Names { cells: (cells, cells_name), elements: (elements, elements_name) };
        for own in &tiles.statements {
            self.access_in_place(own, footprint, &names)?;
        }
        let fill = self.copy(tiles, (footprint, &footprint.all), &names, Direction::In)?;
        let store = self.copy(tiles, (footprint, &footprint.written), &names, Direction::Out)?;
        Ok(PromotedBox { cells, fill, store })
    }

    /// A statement of the program on the box.
    fn access_in_place(
        &mut self,
        own: &InTiles,
        footprint: &Footprint,
        names: &Names,
    ) -> Result<()> {
        let tile = own.to_tile()?;
        let mut statement = self.scop.statement(own.id).clone();
        let cell_of = |element: &Element| -> Result<Element> {
            let pairs = element.subscripts.iter().zip(&footprint.all.origin);
            let cell = pairs.map(|(form, origin)| {
                let form = form.as_aff().unwrap_or_else(|| Aff::zero(&own.space));
                let origin = origin.align_params(tile.space()).pullback(&tile)?;
                Ok(PwAff::from_aff(form.sub(&origin)?))
            });
            Ok(Element::new(&*names.cells.1, names.cells.0, cell.collect::<Result<_>>()?))
        };
        let mut failed = None;
        statement.body.for_each_element_mut(&mut |element| {
            if element.array == footprint.array {
                match cell_of(element) {
                    Ok(cell) => *element = cell,
                    Err(error) => failed = Some(error),
                }
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let n_owner = tile.affs().len() + footprint.all.extents.len();
        for access in statement.accesses.iter_mut().filter(|own| own.array == footprint.array) {
            access.array = names.elements.0;
            let relation = tile.to_map().flat_range_product(&access.relation)?;
            let tuple = Tuple::named(&names.elements.1, n_owner);
            let space =
                relation.space().with_tuples(relation.space().input().cloned(), Some(tuple));
            access.relation =
                relation.with_space_tuples(&space)?.intersect_domain(&statement.domain)?;
        }
        self.scop.statements[own.id.0 as usize] = statement;
        Ok(())
    }

    /// What copies a part of the box, from the array or to it.
    fn copy(
        &mut self,
        tiles: &Tiles,
        (footprint, part): (&Footprint, &TileBox),
        names: &Names,
        direction: Direction,
    ) -> Result<Run> {
        let name = self.scop.array(footprint.array).tuple_name.clone();
        let name = self.fresh(&format!("{name}_{}", direction.name()));
        let n_tile = tiles.n_tile;
        let n = footprint.all.extents.len();
        let domain = self.copied(footprint, part, (&name, n_tile))?;
        let space = domain.space().clone();
        let tile = tile_of(&space, n_tile)?;
        let variables: Vec<Aff> =
            (0..n_tile + n).map(|at| Aff::variable(&space, DimKind::Out, at)).collect();
        let within = |own: &TileBox| -> Result<Vec<Aff>> {
            let each = own.origin.iter().zip(n_tile..);
            each.map(|(origin, at)| distance(&tile, origin, (&space, at))).collect()
        };
        let cell = within(&footprint.all)?.into_iter().map(PwAff::from_aff).collect();
        let in_box = Accessed {
            element: Element::new(&*names.cells.1, names.cells.0, cell),
            array: names.elements.0,
            relation: to_element(&space, &names.elements.1, &variables)?,
        };
        let in_memory = self.of_program(footprint.array, &space, &variables[n_tile..])?;
        let (target, source) = match direction {
            Direction::In => (in_box, in_memory),
            Direction::Out => (in_memory, in_box),
        };
        let value = Term::element(source.element.clone());
        let location = self.scop.statements.first().map(|own| own.location).unwrap_or_default();
        let id = self.add_copy(&domain, target, value, vec![source], location)?;
        let threads = within(part)?;
        Ok(Run { id, space, blocks: variables[..n_tile].to_vec(), threads, loops: Vec::new() })
    }

    /// The instances that copy a part of a box: its points in the box around what the program accesses.
    fn copied(
        &self,
        footprint: &Footprint,
        part: &TileBox,
        (name, n_tile): (&str, usize),
    ) -> Result<Set> {
        let params = footprint.tiles.space().merge_params(footprint.elements.space());
        let params =
            part.origin.iter().fold(params, |all, own| all.merge_params(own.domain_space()));
        let n = part.extents.len();
        let space = Space::set(params.param_names(), Tuple::named(name, n_tile + n));
        let elements: Vec<Aff> =
            (n_tile..n_tile + n).map(|at| Aff::variable(&space, DimKind::Out, at)).collect();
        let elements = function(&space, Tuple::anonymous(n), &elements)?.to_map();
        let in_tiles = tile_of(&space, n_tile)?.to_map();
        let within = |to: &Map, set: &Set| -> Result<Set> { Ok(to.intersect_range(set)?.domain()) };
        let all = points(part, &space, n_tile)?
            .intersect(&within(&in_tiles, &footprint.tiles)?)?
            .intersect(&within(&elements, &footprint.elements)?)?
            .intersect_params(&self.scop.context)?;
        all.coalesce(self.budget)?.remove_redundancies(self.budget)
    }
}

/// Which way a box is copied.
#[derive(Clone, Copy)]
enum Direction {
    In,
    Out,
}

impl Direction {
    /// In the names of statements.
    fn name(self) -> &'static str {
        match self {
            Direction::In => "fill",
            Direction::Out => "store",
        }
    }
}
