//! Elements on their way into shared memory: a thread has read them into registers while the tile before is
//! computed.
use super::copies::{Accessed, Run, to_element};
use super::promoting::Promoting;
use loopwright_presburger::{Aff, DimKind, MultiAff, PwAff, Result, Tuple};
use loopwright_schedule::{MemorySpace, VectorCopyMark};
use loopwright_scop::{ArrayId, Element, PromotedArray, Term, TermPath};

/// A statement that reads ahead.
pub(crate) struct Fetch {
    /// The registers, of each thread.
    pub(crate) cells: ArrayId,
    pub(crate) run: Run,
    /// The loop over tiles of the sum.
    pub(crate) tile: Aff,
    /// How elements are read several at a time.
    pub(crate) vectors: Option<VectorCopyMark>,
}

/// The paths of the elements of a term that have subscripts, each with the number of elements before it.
fn paths(term: &Term, path: &TermPath, n_before: &mut usize, found: &mut Vec<(TermPath, usize)>) {
    if let Some(element) = term.as_element() {
        if !element.subscripts.is_empty() {
            found.push((path.clone(), *n_before));
        }
        *n_before += 1;
        return;
    }
    for (position, child) in term.children().iter().enumerate() {
        let path = path.iter().copied().chain([position]).collect();
        paths(child, &path, n_before, found);
    }
}

/// The paths of the elements of a term that have subscripts, in the order of its text.
pub(super) fn element_paths(term: &Term, path: &TermPath) -> Vec<TermPath> {
    let mut found = Vec::new();
    paths(term, path, &mut 0, &mut found);
    found.into_iter().map(|(path, _)| path).collect()
}

impl Promoting<'_> {
    /// The statements that read what a fill stores; it reads their registers instead. `owner` is the place in
    /// the tile of a block, which says what the thread and its loops are, `extents` are the iterations of
    /// these loops.
    pub(crate) fn fetched(
        &mut self,
        (fill, tile): (&Run, &Aff),
        owner: &[Aff],
        (extents, vectors): (&[i64], Option<VectorCopyMark>),
    ) -> Result<Vec<Fetch>> {
        let body = &self.scop.statement(fill.id).body;
        let Some((_, _, value)) = body.root().and_then(Term::as_assignment) else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        paths(value, &vec![1], &mut 0, &mut found);
        let mut fetches = Vec::new();
        for (path, position) in found {
            let Some(element) = self.scop.statement(fill.id).body.root().and_then(|r| r.at(&path))
            else {
                continue;
            };
            let Some(element) = element.as_element().cloned() else { continue };
            let mut fetch = self.fetch((fill, tile), owner, extents, (&path, position, element))?;
            fetch.vectors = vectors;
            fetches.push(fetch);
        }
        Ok(fetches)
    }

    fn fetch(
        &mut self,
        (fill, tile): (&Run, &Aff),
        owner: &[Aff],
        extents: &[i64],
        (path, position, element): (&TermPath, usize, Element),
    ) -> Result<Fetch> {
        let name = self.scop.array(element.array).tuple_name.clone();
        let cells_name = self.fresh(&format!("{name}_next"));
        let elements_name = self.fresh(&format!("{name}_nexts"));
        let fetch_name = self.fresh(&format!("{name}_fetch"));
        let known: Vec<Option<i64>> = extents.iter().copied().map(Some).collect();
        let cells = self.add_array(element.array, &cells_name, &known);
        let elements = self.add_array(element.array, &elements_name, &vec![None; owner.len()]);
        let space = MemorySpace::Registers;
        self.promotion.arrays.push(PromotedArray { elements, cells, space });
        let cell = |subscripts: &[Aff]| {
            let subscripts = subscripts.iter().cloned().map(PwAff::from_aff).collect();
            Element::new(&*cells_name, cells, subscripts)
        };
        // The fill reads the register.
        let mut next = self.scop.statement(fill.id).clone();
        next.body = next.body.replaced(path, Term::element(cell(&fill.loops)));
        let access = &mut next.accesses[position + 1];
        access.array = elements;
        access.relation =
            to_element(&fill.space, &elements_name, owner)?.intersect_domain(&next.domain)?;
        let (domain, location) = (next.domain.clone(), next.location);
        self.scop.statements[fill.id.0 as usize] = next;
        // The same instances under another name.
        let tuple = Tuple::named(&fetch_name, domain.n(DimKind::Out));
        let domain = domain.with_space_tuples(&domain.space().with_tuples(None, Some(tuple)))?;
        let space = domain.space().clone();
        let same = (0..domain.n(DimKind::Out)).map(|at| Aff::variable(&space, DimKind::Out, at));
        let to_fill = MultiAff::new(space.map_to(&fill.space), same.collect())?;
        let renamed = |values: &[Aff]| -> Result<Vec<Aff>> {
            values.iter().map(|value| value.align_params(&fill.space).pullback(&to_fill)).collect()
        };
        let target = Accessed {
            element: cell(&renamed(&fill.loops)?),
            array: elements,
            relation: to_element(&space, &elements_name, &renamed(owner)?)?,
        };
        let subscripts: Vec<Aff> = element.subscripts.iter().filter_map(PwAff::as_aff).collect();
        let read = self.of_program(element.array, &space, &renamed(&subscripts)?)?;
        let value = Term::element(read.element.clone());
        let id = self.add_copy(&domain, target, value, vec![read], location)?;
        let run = Run {
            id,
            space,
            blocks: renamed(&fill.blocks)?,
            threads: renamed(&fill.threads)?,
            loops: renamed(&fill.loops)?,
        };
        let tile = tile.align_params(&fill.space).pullback(&to_fill)?;
        Ok(Fetch { cells, run, tile, vectors: None })
    }
}
