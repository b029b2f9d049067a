//! The statements that copy: into tiles and out of them, and between the two places of the state.
use crate::overlapped::program::{Program, TiledArray, iterators, name_of};
use crate::overlapped::second_buffer::{Bands, finished, prepared};
use crate::overlapped::site::{Site, Tiled};
use crate::overlapped::tree::Copies;
use loopwright_presburger::{Aff, DimKind, Map, MultiAff, PwAff, Set, Space, Tuple};
use loopwright_scop::{
    Access, AccessKind, ArrayId, Body, Element, ElementText, ReferenceId, Statement, StatementId,
    Term,
};

/// One end of a copy: the text, and what the model says of it.
struct Accessed {
    element: Element,
    array: ArrayId,
    relation: Map,
}

impl Program<'_> {
    /// Adds the copies of an array.
    pub(super) fn copies(&mut self, array: &TiledArray, copies: &mut Copies) -> Tiled<()> {
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
