//! Results of threads in registers: elements that all accesses of a kernel reach from one iteration of its
//! independent loops.
//!
//! Each thread has the elements of its iterations for itself: it loads those whose values from before the
//! kernel are read, and stores all that are written.
use super::copies::{Accessed, Run, to_element};
use super::promoting::Promoting;
use super::site::{Known, Site, SiteStatement};
use super::spread::Spread;
use loopwright_presburger::{Aff, DimKind, Map, PwAff, Result, Set, Space, Tuple};
use loopwright_schedule::MemorySpace;
use loopwright_scop::{AccessKind, ArrayId, Body, Element, PromotedArray, Scop, Term};

/// A group of results.
pub(crate) struct Results {
    /// The mark's array.
    pub(crate) cells: ArrayId,
    /// Loads its elements.
    pub(crate) load: Option<Run>,
    /// Stores them.
    pub(crate) store: Run,
    /// The iterations whose elements are stored: `{ [prefix, members] }` as instances of `store`.
    pub(crate) stored: Set,
}

/// The arrays of a kernel whose written elements belong to one iteration of the independent loops each.
pub(crate) fn candidates(site: &Site, scop: &Scop) -> Vec<ArrayId> {
    let is_candidate = |id: &ArrayId| {
        let array = scop.array(*id);
        !array.extents.is_empty()
            && !array.is_member
            && is_written(site, scop, *id)
            && group(site, scop, *id).is_some()
    };
    (0u32..).map(ArrayId).take(scop.arrays.len()).filter(is_candidate).collect()
}

fn is_written(site: &Site, scop: &Scop, id: ArrayId) -> bool {
    let accesses = site.statements.iter().flat_map(|own| &scop.statement(own.id).accesses);
    accesses.into_iter().any(|access| access.array == id && access.kind == AccessKind::MustWrite)
}

/// The space of the values of all loops outside.
fn outer_space(site: &Site, scop: &Scop, name: &str) -> Space {
    let n = site.n_prefix + site.n;
    Space::set(scop.context.space().param_names(), Tuple::named(name, n))
}

/// The subscripts of the only element that an iteration accesses, over the values of the loops outside.
fn group(site: &Site, scop: &Scop, id: ArrayId) -> Option<Vec<Aff>> {
    let space = outer_space(site, scop, "outer");
    let mut subscripts: Option<Vec<Aff>> = None;
    for own in &site.statements {
        let statement = scop.statement(own.id);
        let accesses = statement.accesses.iter().filter(|access| access.array == id);
        let mut kinds = accesses.map(|access| access.kind);
        let is_accessed = kinds.clone().next().is_some();
        let assigns = |body: &Body| {
            body.root()
                .and_then(Term::as_assignment)
                .is_some_and(|(_, to, _)| to.as_element().is_some())
        };
        if is_accessed && !assigns(&statement.body) {
            return None;
        }
        if !kinds.all(|kind| matches!(kind, AccessKind::Read | AccessKind::MustWrite))
            || !statement.body.hidden().is_empty()
        {
            return None;
        }
        for element in statement.body.elements().into_iter().filter(|e| e.array == id) {
            let found = of_outer(own, element, &space)?;
            if found.len() != scop.array(id).extents.len() {
                return None;
            }
            match &subscripts {
                None => subscripts = Some(found),
                Some(known) => {
                    let same = |(a, b): (&Aff, &Aff)| a.plain_is_equal(b);
                    known.iter().zip(&found).all(same).then_some(())?;
                }
            }
        }
    }
    subscripts
}

/// The subscripts of an element over the values of the loops outside; none if they depend on more.
pub(crate) fn of_outer(own: &SiteStatement, element: &Element, space: &Space) -> Option<Vec<Aff>> {
    let known: Vec<(usize, &Known)> = own.known.iter().enumerate().collect();
    let section = own.section(space, &known).ok()?;
    let is_known = |coordinate: usize| own.known.iter().any(|k| k.coordinate == coordinate);
    let n = own.space().n(DimKind::Out);
    let subscript = |subscript: &PwAff| {
        let aff = subscript.as_aff()?.align_params(section.space());
        let has_others = (0..n).any(|at| !is_known(at) && aff.involves_dims(DimKind::Out, at, 1));
        (!has_others).then(|| aff.pullback(&section).ok()).flatten()
    };
    element.subscripts.iter().map(subscript).collect()
}

impl Promoting<'_> {
    /// Puts the elements of an array into registers.
    pub(crate) fn promote_results(
        &mut self,
        site: &Site,
        id: ArrayId,
        spread: &Spread,
    ) -> Result<Option<Results>> {
        let Some(subscripts) = group(site, &self.scop, id) else { return Ok(None) };
        let name = self.scop.array(id).tuple_name.clone();
        let cells_name = self.fresh(&format!("{name}_result"));
        let elements_name = self.fresh(&format!("{name}_results"));
        let extents: Vec<Option<i64>> = spread.extents().into_iter().map(Some).collect();
        let cells = self.add_array(id, &cells_name, &extents);
        let elements = self.add_array(id, &elements_name, &vec![None; site.n_prefix + site.n]);
        let space = MemorySpace::Registers;
        self.promotion.arrays.push(PromotedArray { elements, cells, space });
        let register = Register { cells, cells_name, elements, elements_name };
        let live = self.read_from_before(site, id)?;
        let written = self.written(site, id)?;
        for own in &site.statements {
            self.with_results(own, id, &register, spread)?;
        }
        let load = match live {
            Some(live) => Some(self.copy_of_results(
                site,
                id,
                (&live, true),
                (&register, spread),
                &subscripts,
            )?),
            None => None,
        };
        let (store, stored) = match written {
            Some(written) => {
                let copy = self.copy_of_results(
                    site,
                    id,
                    (&written, false),
                    (&register, spread),
                    &subscripts,
                )?;
                let stored = self.scop.statement(copy.id).domain.clone();
                (copy, stored)
            }
            None => return Ok(None),
        };
        self.decisions.push(format!("results of `{name}` in registers"));
        Ok(Some(Results { cells, load, store, stored }))
    }

    /// The iterations that read a value from before the kernel.
    fn read_from_before(&self, site: &Site, id: ArrayId) -> Result<Option<Set>> {
        let mut all: Option<Set> = None;
        for own in &site.statements {
            let statement = self.scop.statement(own.id);
            for access in &statement.accesses {
                if access.array != id || access.kind != AccessKind::Read {
                    continue;
                }
                let mut left = own.domain.clone();
                for flow in &self.dependences.flow {
                    let Some(source) = site.statement(flow.source.0) else { continue };
                    if flow.sink != (own.id, access.reference) {
                        continue;
                    }
                    let inside = same_prefix(&flow.relation, source, own)?;
                    left = left.subtract(&inside.range(), self.budget)?;
                }
                let iterations = self.iterations(own, &left)?;
                all = Some(all.map_or(Ok(iterations.clone()), |all| all.union(&iterations))?);
            }
        }
        let all = all.map(|all| all.coalesce(self.budget)).transpose()?;
        Ok(match all {
            Some(all) if !all.is_empty(self.budget)? => Some(all),
            _ => None,
        })
    }

    /// The iterations that write.
    fn written(&self, site: &Site, id: ArrayId) -> Result<Option<Set>> {
        let mut all: Option<Set> = None;
        for own in &site.statements {
            let mut accesses = self.scop.statement(own.id).accesses.iter();
            if accesses.any(|a| a.array == id && a.kind == AccessKind::MustWrite) {
                let iterations = self.iterations(own, &own.domain)?;
                all = Some(all.map_or(Ok(iterations.clone()), |all| all.union(&iterations))?);
            }
        }
        all.map(|all| all.coalesce(self.budget)).transpose()
    }

    /// The values of the loops outside for some instances.
    pub(crate) fn iterations(&self, own: &SiteStatement, instances: &Set) -> Result<Set> {
        let values: Vec<Aff> = own.outer().cloned().collect();
        let tuple = Tuple::named("outer", values.len());
        let image = instances.apply(&own.to_tuple(tuple, values)?.to_map())?;
        image.make_locals_explicit(self.budget)?.coalesce(self.budget)
    }

    /// The statement with cells in place of elements.
    fn with_results(
        &mut self,
        own: &SiteStatement,
        id: ArrayId,
        register: &Register,
        spread: &Spread,
    ) -> Result<()> {
        let relation = register.relation(own.space(), &own.prefix, &own.members)?;
        let element = register.cell(&own.members, spread);
        let cell = Accessed { element, array: register.elements, relation };
        let statement = cell.in_place_of(id, self.scop.statement(own.id))?;
        self.scop.statements[own.id.0 as usize] = statement;
        Ok(())
    }

    fn copy_of_results(
        &mut self,
        site: &Site,
        id: ArrayId,
        (iterations, is_load): (&Set, bool),
        (register, spread): (&Register, &Spread),
        subscripts: &[Aff],
    ) -> Result<Run> {
        let array = self.scop.array(id).tuple_name.clone();
        let name = self.fresh(&format!("{array}_{}", if is_load { "load" } else { "store" }));
        let tuple = Tuple::named(&name, iterations.n(DimKind::Out));
        let domain =
            iterations.with_space_tuples(&iterations.space().with_tuples(None, Some(tuple)))?;
        let space = domain.space().clone();
        let variable = |at| Aff::variable(&space, DimKind::Out, at);
        let prefix: Vec<Aff> = (0..site.n_prefix).map(variable).collect();
        let members: Vec<Aff> = (site.n_prefix..site.n_prefix + site.n).map(variable).collect();
        let values: Vec<Aff> = prefix.iter().chain(&members).cloned().collect();
        let outer = outer_space(site, &self.scop, "outer").merge_params(&space);
        let rename = loopwright_presburger::MultiAff::new(
            space.with_params(outer.param_names()).map_to(&outer),
            values.iter().map(|v| v.align_params(&outer)).collect(),
        )?;
        let subscripts: Vec<Aff> = subscripts
            .iter()
            .map(|s| s.align_params(&outer).pullback(&rename))
            .collect::<Result<_>>()?;
        let global = self.of_program(id, &space, &subscripts)?;
        let own = Accessed {
            element: register.cell(&members, spread),
            array: register.elements,
            relation: register.relation(&space, &prefix, &members)?,
        };
        let (target, source) = if is_load { (own, global) } else { (global, own) };
        let value = Term::element(source.element.clone());
        let location = site.statements.first().map(|s| self.scop.statement(s.id).location);
        let id =
            self.add_copy(&domain, target, value, vec![source], location.unwrap_or_default())?;
        Ok(Run {
            id,
            space,
            blocks: spread.blocks(&members),
            threads: spread.threads(&members),
            loops: spread.results(&members),
        })
    }
}

/// The part of a relation between instances that are in one execution of the kernel.
fn same_prefix(relation: &Map, source: &SiteStatement, sink: &SiteStatement) -> Result<Map> {
    let n = source.prefix.len();
    if n == 0 {
        return Ok(relation.clone());
    }
    let tuple = || Tuple::named("outer", n);
    let from = source.to_tuple(tuple(), source.prefix.clone())?.to_map();
    let to = sink.to_tuple(tuple(), sink.prefix.clone())?.to_map();
    relation.intersect(&from.apply_range(&to.reverse())?)
}

/// An array in registers.
struct Register {
    cells: ArrayId,
    cells_name: String,
    elements: ArrayId,
    elements_name: String,
}

impl Register {
    fn cell(&self, members: &[Aff], spread: &Spread) -> Element {
        let results = spread.results(members).into_iter().map(PwAff::from_aff);
        Element::new(&*self.cells_name, self.cells, results.collect())
    }

    /// Each iteration has an element of its own.
    fn relation(&self, space: &Space, prefix: &[Aff], members: &[Aff]) -> Result<Map> {
        to_element(space, &self.elements_name, &[prefix, members].concat())
    }
}
