//! The program in tiles: its statements with private arrays.
use crate::overlapped::cells::{Cells, boxed, check_bytes};
use crate::overlapped::exchange::{elements_in_tiles, incoming, outgoing};
use crate::overlapped::growth::Growth;
use crate::overlapped::second_buffer::is_needed;
use crate::overlapped::site::{Site, Tiled, refused};
use crate::overlapped::slices::{Slice, slices};
use crate::overlapped::tree::{Copies, tree};
use crate::overlapped::{Overlapped, report};
use crate::storage::names::free_name;
use loopwright_machine::Machine;
use loopwright_presburger::{Aff, DimKind, Int, Map, Name, PwAff, Set, Space, Tuple};
use loopwright_scop::{
    Access, Array, ArrayId, Body, Element, PrivateArray, Recomputation, RecomputedStatement, Scop,
    SecondBuffer, Statement,
};
use std::collections::BTreeSet;

/// The program of `site` in tiles that grow by `growth`.
pub(super) fn in_tiles(
    site: &Site<'_>,
    growth: Growth,
    machine: &Machine,
    taken: &BTreeSet<String>,
) -> Tiled<Overlapped> {
    let mut names = Names::of(site, taken);
    let (slices, tiles) = slices(site, &growth, |name| names.new_name(&format!("{name}_tile")))?;
    let mut program = Program { site, scop: site.scop.clone(), slices, tiles, names };
    let mut arrays = Vec::with_capacity(site.written.len());
    let mut bytes = 0i64;
    for &array in &site.written {
        let (own, own_bytes) = program.tiled_array(array, machine)?;
        bytes = bytes.saturating_add(own_bytes);
        arrays.push(own);
    }
    check_bytes(bytes)?;
    for slice in 0..program.slices.len() {
        program.recompute(slice, &arrays)?;
    }
    let mut copies = Copies::default();
    for array in &arrays {
        program.copies(array, &mut copies)?;
    }
    let tree = tree(site, &program.slices, &program.scop, &arrays, &copies)?;
    program.scop.schedule = tree.clone();
    let report = report(site, &growth);
    Ok(Overlapped {
        recomputation: program.recomputation(&arrays)?,
        scop: program.scop,
        tree,
        growth,
        report,
    })
}

/// An array that tiles have for themselves.
pub(super) struct TiledArray {
    /// The program's.
    pub(super) of: ArrayId,
    /// Whose elements statements in tiles access: those of the program's array with the tile in front.
    pub(super) elements: ArrayId,
    /// What bodies name.
    pub(super) local: ArrayId,
    pub(super) cells: Cells,
    /// What tiles read of the state before their band: `{ [tile, e] }`.
    pub(super) incoming: Set,
    /// What they add to the state after it.
    pub(super) outgoing: Set,
    /// The other place of the state between bands.
    pub(super) second: Option<ArrayId>,
}

/// Names that are not taken.
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    fn of(site: &Site<'_>, taken: &BTreeSet<String>) -> Self {
        let mut taken = taken.clone();
        let Scop { arrays, statements, parameters, .. } = site.scop;
        taken.extend(arrays.iter().map(|array| array.tuple_name.to_string()));
        taken.extend(arrays.iter().map(|array| array.name.to_string()));
        taken.extend(statements.iter().map(|statement| statement.name.to_string()));
        taken.extend(parameters.iter().map(|parameter| parameter.name.to_string()));
        Names { taken }
    }

    pub(super) fn new_name(&mut self, wanted: &str) -> String {
        let name = free_name(wanted, |name| self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }
}

/// The program while it is put together.
pub(super) struct Program<'a> {
    pub(super) site: &'a Site<'a>,
    pub(super) scop: Scop,
    slices: Vec<Slice>,
    /// `{ [tile] }`.
    tiles: Set,
    pub(super) names: Names,
}

impl Program<'_> {
    /// What tiles have of an array, and its size in bytes.
    fn tiled_array(&mut self, of: ArrayId, machine: &Machine) -> Tiled<(TiledArray, i64)> {
        let site = self.site;
        let outgoing = outgoing(site, &self.slices, of)?;
        let (incoming, needs_second) = self.incoming(of, &outgoing, machine)?;
        let used = self.used(of, &incoming)?;
        let (cells, bytes) = Cells::of(site, of, &used, machine)?;
        let array = site.scop.array(of).clone();
        let name = self.names.new_name(&format!("{}_tiles", array.tuple_name));
        let unknown = vec![None; site.n_tile() + array.extents.len()];
        let elements = self.add_array(like(&array, &name, unknown));
        let name = self.names.new_name(&format!("{}_tile", array.tuple_name));
        let local =
            self.add_array(like(&array, &name, cells.extents.iter().copied().map(Some).collect()));
        let second = needs_second.then(|| self.second_buffer(&array)).transpose()?;
        Ok((TiledArray { of, elements, local, cells, incoming, outgoing, second }, bytes))
    }

    /// Another place for the elements of an array.
    fn second_buffer(&mut self, array: &Array) -> Tiled<ArrayId> {
        if array.extent_texts.iter().any(String::is_empty) {
            return refused(format!("the extents of `{}` are not known", array.name));
        }
        let name = self.names.new_name(&format!("{}_next", array.tuple_name));
        let (extents, extent_texts) = (array.extents.clone(), array.extent_texts.clone());
        Ok(self.add_array(Array { extents, extent_texts, ..like(array, &name, Vec::new()) }))
    }

    /// What tiles read of the state of an array before their band, and whether the array needs a second
    /// buffer. That is a box around what they need, unless this alone would make a second buffer necessary.
    fn incoming(&self, array: ArrayId, outgoing: &Set, machine: &Machine) -> Tiled<(Set, bool)> {
        let (site, exact) = (self.site, incoming(self.site, &self.slices, array)?);
        if exact.is_empty(site.budget)? {
            return Ok((exact, false));
        }
        let simple = boxed(site, array, &exact, &self.tiles, machine)?;
        if !is_needed(site, &simple, outgoing)? {
            return Ok((simple, false));
        }
        Ok(match is_needed(site, &exact, outgoing)? {
            true => (simple, true),
            false => (exact, false),
        })
    }

    /// All elements of an array that tiles use.
    fn used(&self, array: ArrayId, incoming: &Set) -> Tiled<Set> {
        let mut used = incoming.clone();
        for slice in &self.slices {
            let accesses = &self.site.scop.statement(slice.of).accesses;
            for access in accesses.iter().filter(|access| access.array == array) {
                used = used.union(&elements_in_tiles(self.site, slice, access)?.range())?;
            }
        }
        Ok(used)
    }

    fn add_array(&mut self, array: Array) -> ArrayId {
        let id = ArrayId(u32::try_from(self.scop.arrays.len()).unwrap_or(u32::MAX));
        self.scop.arrays.push(array);
        id
    }

    /// Puts a statement into tiles.
    fn recompute(&mut self, slice: usize, arrays: &[TiledArray]) -> Tiled<()> {
        let slice = &self.slices[slice];
        let program = self.site.scop.statement(slice.of);
        let mut accesses = Vec::with_capacity(program.accesses.len());
        for access in &program.accesses {
            accesses.push(match arrays.iter().find(|array| array.of == access.array) {
                Some(array) => {
                    let relation =
                        self.named(array.elements, elements_in_tiles(self.site, slice, access)?)?;
                    Access { array: array.elements, relation, ..access.clone() }
                }
                None => {
                    let relation = slice.instance.to_map().apply_range(&access.relation)?;
                    let relation = relation.intersect_domain(&slice.domain)?;
                    Access { relation, ..access.clone() }
                }
            });
        }
        let body = program.body.with_forms(&mut |form| form.pullback_multi_aff(&slice.instance))?;
        let body = self.with_cells(body, slice.domain.space(), arrays)?;
        let statement = Statement {
            name: name_of(&slice.domain),
            domain: slice.domain.clone(),
            iterators: iterators(slice.domain.n(DimKind::Out)),
            iterator_types: vec!["long".into(); slice.domain.n(DimKind::Out)],
            accesses,
            body,
            ..program.clone()
        };
        if let Some(own) = self.scop.statements.get_mut(slice.of.0 as usize) {
            *own = statement;
        }
        Ok(())
    }

    /// A body with cells in place of elements of the program's arrays.
    fn with_cells(&self, mut body: Body, space: &Space, arrays: &[TiledArray]) -> Tiled<Body> {
        let mut failed = None;
        body.for_each_element_mut(&mut |element| {
            let Some(array) = arrays.iter().find(|array| array.of == element.array) else { return };
            match self.cell(array, space, &element.subscripts) {
                Ok(cell) => *element = cell,
                Err(stop) => failed = Some(stop),
            }
        });
        match failed {
            Some(stop) => Err(stop),
            None => Ok(body),
        }
    }

    /// The cell of the element with these subscripts, over a space whose first coordinates are those of a
    /// tile.
    pub(super) fn cell(
        &self,
        array: &TiledArray,
        space: &Space,
        subscripts: &[PwAff],
    ) -> Tiled<Element> {
        let mut cell = Vec::with_capacity(subscripts.len());
        for (dimension, subscript) in subscripts.iter().enumerate() {
            let origin = array.cells.origin(self.site, space, dimension)?;
            cell.push(match subscript.as_aff() {
                Some(aff) => PwAff::from_aff(aff.align_params(space).sub(&origin)?),
                None => subscript.align_params(space).sub(&PwAff::from_aff(origin))?,
            });
        }
        Ok(Element::new(&*self.scop.array(array.local).name, array.local, cell))
    }

    /// A relation to elements as one to those of an array.
    pub(super) fn named(&self, array: ArrayId, relation: Map) -> Tiled<Map> {
        let tuple = Tuple::named(&self.scop.array(array).tuple_name, relation.n(DimKind::Out));
        let space = relation.space().with_tuples(relation.space().input().cloned(), Some(tuple));
        Ok(relation.with_space_tuples(&space)?)
    }

    fn recomputation(&self, arrays: &[TiledArray]) -> Tiled<Recomputation> {
        let statements = self.slices.iter().map(|slice| slice.of);
        let statements = statements.map(|of| RecomputedStatement { statement: of, of }).collect();
        let mut private = Vec::with_capacity(arrays.len());
        for TiledArray { of, elements, local, cells, .. } in arrays {
            let cells = cells.map(self.site, &self.scop.array(*elements).tuple_name)?;
            private.push(PrivateArray { array: *elements, of: *of, local: *local, cells });
        }
        let second = |array: &TiledArray| Some(SecondBuffer { array: array.second?, of: array.of });
        let buffers = arrays.iter().filter_map(second).collect();
        Ok(Recomputation { n_tile: self.site.n_tile(), statements, arrays: private, buffers })
    }
}

pub(super) fn name_of(domain: &Set) -> Name {
    domain.space().output().and_then(Tuple::name).cloned().unwrap_or_else(|| "S".into())
}

pub(super) fn iterators(n: usize) -> Vec<Name> {
    (0..n).map(|position| Name::from(format!("p{position}"))).collect()
}

/// An array of the same type with other extents.
fn like(array: &Array, name: &str, extents: Vec<Option<i64>>) -> Array {
    let params = Space::params(&[]);
    let constant = |extent: i64| PwAff::from_aff(Aff::constant(&params, &Int::from(extent)));
    let text = |extent: &Option<i64>| extent.map(|extent| extent.to_string()).unwrap_or_default();
    Array {
        name: name.into(),
        tuple_name: name.into(),
        extent_texts: extents.iter().map(text).collect(),
        extents: extents.into_iter().map(|extent| extent.map(constant)).collect(),
        is_member: false,
        declared_in_scop: false,
        live_out: false,
        declaration_depth: 0,
        ..array.clone()
    }
}
