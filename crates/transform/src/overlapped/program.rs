//! The program in tiles: its statements with private arrays, and the statements that copy.
use crate::overlapped::cells::{Cells, boxed, check_bytes};
use crate::overlapped::exchange::{elements_in_tiles, incoming, outgoing};
use crate::overlapped::growth::Growth;
use crate::overlapped::second_buffer::{Bands, finished, is_needed, prepared};
use crate::overlapped::site::{Site, Tiled, refused};
use crate::overlapped::slices::{Slice, slices};
use crate::overlapped::tree::{Copies, tree};
use crate::overlapped::{Overlapped, report};
use crate::storage::names::free_name;
use loopwright_machine::Machine;
use loopwright_presburger::{Aff, DimKind, Int, Map, MultiAff, Name, PwAff, Set, Space, Tuple};
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, Body, Element, ElementText, PrivateArray, Recomputation,
    RecomputedStatement, ReferenceId, Scop, Statement, StatementId, Term,
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
    let slices = slices(site, &growth, |name| names.new_name(&format!("{name}_tile")))?;
    let mut program = Program { site, scop: site.scop.clone(), slices, names };
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
        buffers: arrays.iter().filter_map(|array| array.second).collect(),
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
    elements: ArrayId,
    /// What bodies name.
    pub(super) local: ArrayId,
    pub(super) cells: Cells,
    /// What tiles read of the state before their band: `{ [tile, e] }`.
    incoming: Set,
    /// What they add to the state after it.
    outgoing: Set,
    /// The other place of the state between bands.
    second: Option<ArrayId>,
}

/// One end of a copy: the text, and what the model says of it.
struct Accessed {
    element: Element,
    array: ArrayId,
    relation: Map,
}

/// Names that are not taken.
struct Names {
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

    fn new_name(&mut self, wanted: &str) -> String {
        let name = free_name(wanted, |name| self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }
}

/// The program while it is put together.
struct Program<'a> {
    site: &'a Site<'a>,
    scop: Scop,
    slices: Vec<Slice>,
    names: Names,
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
        let second = match needs_second {
            true => {
                let name = self.names.new_name(&format!("{}_next", array.tuple_name));
                let extents = (array.extents.clone(), array.extent_texts.clone());
                let (extents, extent_texts) = extents;
                if extent_texts.iter().any(String::is_empty) {
                    return refused(format!("the extents of `{}` are not known", array.name));
                }
                let like = like(&array, &name, Vec::new());
                Some(self.add_array(Array { extents, extent_texts, ..like }))
            }
            false => None,
        };
        Ok((TiledArray { of, elements, local, cells, incoming, outgoing, second }, bytes))
    }

    /// What tiles read of the state of an array before their band, and whether the array needs a second buffer. That is a box around
    /// what they need, unless this alone would make a second buffer necessary.
    fn incoming(&self, array: ArrayId, outgoing: &Set, machine: &Machine) -> Tiled<(Set, bool)> {
        let (site, exact) = (self.site, incoming(self.site, &self.slices, array)?);
        if exact.is_empty(site.budget)? {
            return Ok((exact, false));
        }
        let simple = boxed(site, array, &exact, machine)?;
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

    /// The cell of the element with these subscripts, over a space whose first coordinates are those of a tile.
    fn cell(&self, array: &TiledArray, space: &Space, subscripts: &[PwAff]) -> Tiled<Element> {
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

    /// Adds the copies of an array.
    fn copies(&mut self, array: &TiledArray, copies: &mut Copies) -> Tiled<()> {
        let name = self.site.scop.array(array.of).tuple_name.clone();
        let bands: &[Bands] =
            if array.second.is_some() { &[Bands::Even, Bands::Odd] } else { &[Bands::All] };
        for &bands in bands {
            let is_after = [false, true];
            for (elements, is_after) in [&array.incoming, &array.outgoing].into_iter().zip(is_after)
            {
                let name = format!("{name}_{}", if is_after { "out" } else { "in" });
                let elements = bands.of(elements)?;
                let state = Self::state(array, is_after, bands);
                let copied = self.copy_of_tile(array, &name, &elements, (state, is_after))?;
                let copies =
                    if is_after { &mut copies.out_of_tiles } else { &mut copies.into_tiles };
                copies.extend(copied);
            }
        }
        if let Some(second) = array.second {
            let shared = array.cells.moving_dimension();
            let elements = prepared(self.site, &array.incoming)?;
            let copied =
                self.copy_whole(&format!("{name}_prepared"), &elements, (array.of, second))?;
            copies.before.extend(copied.map(|id| (id, shared)));
            let elements = finished(self.site, array.of)?;
            let copied =
                self.copy_whole(&format!("{name}_finished"), &elements, (second, array.of))?;
            copies.after.extend(copied.map(|id| (id, shared)));
        }
        Ok(())
    }

    /// The array that has the state before a band, or the one after it.
    fn state(array: &TiledArray, is_after: bool, bands: Bands) -> ArrayId {
        match array.second {
            Some(second) if (bands == Bands::Even) == is_after => second,
            _ => array.of,
        }
    }

    /// A statement that copies `{ [tile, e] }` from the state into tiles, or from tiles to the state.
    fn copy_of_tile(
        &mut self,
        array: &TiledArray,
        name: &str,
        elements: &Set,
        (state, is_out_of_tile): (ArrayId, bool),
    ) -> Tiled<Option<StatementId>> {
        let Some(domain) = self.domain(name, elements)? else { return Ok(None) };
        let (space, n_tile) = (domain.space().clone(), self.site.n_tile());
        let n = domain.n(DimKind::Out);
        let subscripts = variables(&space, n_tile..n);
        let whole = variables_map(self.site, &space, 0..n)?;
        let cell = Accessed {
            element: self.cell(array, &space, &subscripts)?,
            array: array.elements,
            relation: self.named(array.elements, whole)?,
        };
        let shared =
            self.shared(state, subscripts, variables_map(self.site, &space, n_tile..n)?)?;
        let (target, source) = if is_out_of_tile { (shared, cell) } else { (cell, shared) };
        self.copy(domain, array.of, target, source).map(Some)
    }

    /// A statement that copies elements of an array to those of another one of the same extents.
    fn copy_whole(
        &mut self,
        name: &str,
        elements: &Set,
        (from, to): (ArrayId, ArrayId),
    ) -> Tiled<Option<StatementId>> {
        let Some(domain) = self.domain(name, elements)? else { return Ok(None) };
        let space = domain.space().clone();
        let n = domain.n(DimKind::Out);
        let shared = |array: ArrayId| {
            let relation = variables_map(self.site, &space, 0..n)?;
            self.shared(array, variables(&space, 0..n), relation)
        };
        let (target, source) = (shared(to)?, shared(from)?);
        self.copy(domain, from.min(to), target, source).map(Some)
    }

    /// The domain of a new statement; none if it is empty.
    fn domain(&mut self, name: &str, instances: &Set) -> Tiled<Option<Set>> {
        let instances = instances.coalesce(self.site.budget)?;
        if instances.is_empty(self.site.budget)? {
            return Ok(None);
        }
        let name = self.names.new_name(name);
        let tuple = Tuple::named(&name, instances.n(DimKind::Out));
        let space = instances.space().with_tuples(None, Some(tuple));
        Ok(Some(instances.with_space_tuples(&space)?))
    }

    /// An element of an array of the program, written as the program does, or of its second buffer.
    fn shared(&self, array: ArrayId, subscripts: Vec<PwAff>, relation: Map) -> Tiled<Accessed> {
        let elements = self.site.scop.statements.iter().flat_map(|s| s.body.elements());
        let mut own = elements.filter(|element| element.array == array);
        let base = own.next().map(|element| element.base.clone());
        let base = base.unwrap_or_else(|| ElementText::named(&*self.scop.array(array).name));
        let element = Element::new(base, array, subscripts);
        Ok(Accessed { element, array, relation: self.named(array, relation)? })
    }

    /// A relation to elements as one to those of an array.
    fn named(&self, array: ArrayId, relation: Map) -> Tiled<Map> {
        let tuple = Tuple::named(&self.scop.array(array).tuple_name, relation.n(DimKind::Out));
        let space = relation.space().with_tuples(relation.space().input().cloned(), Some(tuple));
        Ok(relation.with_space_tuples(&space)?)
    }

    /// Adds a statement `target = source`, at the place of one that writes `like`.
    fn copy(
        &mut self,
        domain: Set,
        like: ArrayId,
        target: Accessed,
        source: Accessed,
    ) -> Tiled<StatementId> {
        let id = StatementId(u32::try_from(self.scop.statements.len()).unwrap_or(u32::MAX));
        let access = |reference: u32, kind, accessed: &Accessed| -> Tiled<Access> {
            let (reference, array) = (ReferenceId(reference), accessed.array);
            let relation = accessed.relation.intersect_domain(&domain)?;
            Ok(Access { reference, array, kind, relation })
        };
        let accesses =
            vec![access(0, AccessKind::MustWrite, &target)?, access(1, AccessKind::Read, &source)?];
        let writes = |s: &&Statement| {
            s.accesses.iter().any(|a| a.array == like && a.kind == AccessKind::MustWrite)
        };
        let location = self.site.scop.statements.iter().find(writes).map(|s| s.location);
        let n = domain.n(DimKind::Out);
        self.scop.statements.push(Statement {
            id,
            name: name_of(&domain),
            iterators: iterators(n),
            iterator_types: vec!["long".into(); n],
            accesses,
            body: Body::new(Term::assignment(target.element, Term::element(source.element))),
            is_kill: false,
            location: location.unwrap_or_default(),
            domain,
        });
        Ok(id)
    }

    fn recomputation(&self, arrays: &[TiledArray]) -> Tiled<Recomputation> {
        let statements = self.slices.iter().map(|slice| slice.of);
        let statements = statements.map(|of| RecomputedStatement { statement: of, of }).collect();
        let mut private = Vec::with_capacity(arrays.len());
        for TiledArray { of, elements, local, cells, .. } in arrays {
            let cells = cells.map(self.site, &self.scop.array(*elements).tuple_name)?;
            private.push(PrivateArray { array: *elements, of: *of, local: *local, cells });
        }
        Ok(Recomputation { n_tile: self.site.n_tile(), statements, arrays: private })
    }
}

fn name_of(domain: &Set) -> Name {
    domain.space().output().and_then(Tuple::name).cloned().unwrap_or_else(|| "S".into())
}

fn iterators(n: usize) -> Vec<Name> {
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

fn variables(space: &Space, range: std::ops::Range<usize>) -> Vec<PwAff> {
    range.map(|n| PwAff::from_aff(Aff::variable(space, DimKind::Out, n))).collect()
}

/// From a set to some of its coordinates.
fn variables_map(site: &Site<'_>, space: &Space, range: std::ops::Range<usize>) -> Tiled<Map> {
    let to = site.space(Tuple::anonymous(range.len()));
    let affs = range.map(|n| Aff::variable(space, DimKind::Out, n)).collect();
    Ok(MultiAff::new(space.map_to(&to), affs)?.to_map())
}
