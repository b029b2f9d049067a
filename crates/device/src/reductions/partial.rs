//! The arrays of partial results, and the statements that fill and combine them.
//!
//! For a reduction of an element there are, for each block and thread, `own` in a register, which begins with
//! the neutral element and takes the updates; `part` in shared memory, a copy of it; and statements that
//! combine the second half of the parts with the first one, for halves of half the length each time. What is
//! left is combined with the element, or, if several blocks take part, copied to an array in the device's
//! memory, whose elements a second kernel combines in the same way. With shuffles (`warps.rs`) the lanes of a
//! warp combine their registers.
use super::combination::neutral;
use super::groups::Reduced;
use crate::promotion::{Accessed, Promoting, Run, Site, SiteStatement, quotient, to_element};
use loopwright_exact::Int;
use loopwright_presburger::{Aff, DimKind, Map, MultiAff, PwAff, Result, Set, Space, Tuple};
use loopwright_schedule::MemorySpace;
use loopwright_scop::{Array, ArrayId, Element, ElementKind, Location, PromotedArray, StatementId};

/// How many partial results there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Threads that combine one element.
    pub(super) threads: i64,
    /// Blocks that combine one element.
    pub(super) blocks: i64,
    /// Elements of a block.
    pub(super) rows: i64,
    /// Whether lanes of a warp read each other's registers.
    pub(super) has_shuffles: bool,
}

/// What threads do of a tree between its leaves and its root, one step behind the other.
#[derive(Clone)]
pub(super) struct Step {
    pub(super) runs: Vec<Run>,
    /// How far away the lane is whose register is copied, if it is one of another lane.
    pub(super) shuffle: Option<u32>,
}

impl Step {
    pub(super) fn of(run: Run) -> Step {
        Step { runs: vec![run], shuffle: None }
    }
}

/// A tree: what its leaves are, what threads do, and what the first thread does at the end.
pub(super) struct Tree {
    /// Arrays of the kernel's own.
    pub(super) arrays: Vec<(MemorySpace, ArrayId)>,
    /// What threads do with their own values, right behind having them.
    pub(super) put: Option<Run>,
    /// What they do then.
    pub(super) steps: Vec<Step>,
    /// What the first thread does.
    pub(super) last: Option<Run>,
    /// Where the result is, for the first thread.
    pub(super) root: Cells,
}

/// What a reduction adds to the program.
pub(super) struct Partial {
    /// Begins partial results.
    pub(super) start: Run,
    /// The program's statement.
    pub(super) update: Run,
    /// Combines those of a block.
    pub(super) tree: Tree,
    /// What comes of several blocks.
    pub(super) second: Option<Second>,
    /// Combines the last one with the element.
    pub(super) end: Run,
}

/// How the values of blocks are combined.
pub(super) struct Second {
    /// Copies the value of a block to the memory of the device.
    pub(super) out: Run,
    /// In the memory of the device.
    pub(super) memory: ArrayId,
    /// Copies the values of blocks to shared memory.
    pub(super) fetch: Run,
    /// Combines them.
    pub(super) tree: Tree,
}

/// An array of partial results: elements have the loops outside, the block and the thread as subscripts.
pub(super) struct Cells {
    pub(super) cells: ArrayId,
    cells_name: String,
    elements: ArrayId,
    pub(super) elements_name: String,
    space: MemorySpace,
}

impl Cells {
    pub(super) fn new(
        promoting: &mut Promoting<'_>,
        (like, wanted): (ArrayId, &str),
        (n, extents): (usize, &[i64]),
        space: MemorySpace,
    ) -> Cells {
        let cells_name = promoting.fresh(wanted);
        let elements_name = promoting.fresh(&format!("{wanted}s"));
        let extents: Vec<Option<i64>> = extents.iter().copied().map(Some).collect();
        let cells = promoting.add_array(like, &cells_name, &extents);
        let elements = promoting.add_array(like, &elements_name, &vec![None; n]);
        promoting.promotion.arrays.push(PromotedArray { elements, cells, space });
        Cells { cells, cells_name, elements, elements_name, space }
    }

    /// The array with its mark.
    pub(super) fn marked(&self) -> (MemorySpace, ArrayId) {
        (self.space, self.cells)
    }

    /// The element of a place, in a cell.
    pub(super) fn at(&self, space: &Space, place: &[Aff], cell: &[Aff]) -> Result<Accessed> {
        let relation = to_element(space, &self.elements_name, place)?;
        Ok(self.related(relation, cell))
    }

    /// The element that a relation says, in a cell.
    pub(super) fn related(&self, relation: Map, cell: &[Aff]) -> Accessed {
        let subscripts = cell.iter().cloned().map(PwAff::from_aff).collect();
        Accessed {
            element: Element::new(&*self.cells_name, self.cells, subscripts),
            array: self.elements,
            relation,
        }
    }
}

/// Gives an array of signed integers elements without a sign.
fn without_sign(array: &mut Array) {
    let unsigned = match (array.element_kind, array.element_bytes) {
        (ElementKind::Signed, Some(4)) => "unsigned int",
        (ElementKind::Signed, Some(8)) => "unsigned long",
        _ => return,
    };
    array.element_type = unsigned.to_string();
    array.element_kind = ElementKind::Unsigned;
}

/// Where statements for an element are: the values of the loops outside, and the coordinates behind them.
pub(super) struct Place {
    pub(super) space: Space,
    pub(super) outer: Vec<Aff>,
    pub(super) rest: Vec<Aff>,
}

impl Place {
    /// All of these.
    pub(super) fn all(&self) -> Vec<Aff> {
        [&self.outer[..], &self.rest[..]].concat()
    }
}

/// Adds what a reduction needs.
pub(super) struct Adding<'a, 'b> {
    pub(super) promoting: &'a mut Promoting<'b>,
    pub(super) site: &'a Site,
    pub(super) shape: Shape,
}

impl Adding<'_, '_> {
    /// The statements of one reduction. Sums and products of integers are computed without a sign, where
    /// nothing overflows.
    pub(super) fn partial(&mut self, reduced: &Reduced) -> Result<Option<Partial>> {
        let n_before = self.promoting.scop.arrays.len();
        let partial = self.added(reduced)?;
        if reduced.wraps_around {
            self.promoting.scop.arrays[n_before..].iter_mut().for_each(without_sign);
        }
        Ok(partial)
    }

    fn added(&mut self, reduced: &Reduced) -> Result<Option<Partial>> {
        let Some(own_statement) = self.site.statement(reduced.id) else { return Ok(None) };
        let Shape { threads, blocks, .. } = self.shape;
        let executed = self.promoting.iterations(own_statement, &own_statement.domain)?;
        let array = reduced.array;
        let name = self.promoting.scop.array(array).tuple_name.to_string();
        let own = self.registers((array, &format!("{name}_own")));
        let update = self.update(reduced, own_statement, &own)?;
        let of = (reduced, &executed);
        let start = self.start(of, &own)?;
        let tree = self.tree(of, own, (&name, threads, blocks))?;
        if blocks == 1 {
            let end = self.end(of, &tree.root)?;
            return Ok(Some(Partial { start, update, tree, second: None, end }));
        }
        let memory_name = self.promoting.fresh(&format!("{name}_blocks"));
        let memory = self.promoting.add_array(array, &memory_name, &[Some(blocks)]);
        let (domain, place) = self.place(&executed, &format!("{name}_out"), &[blocks])?;
        let to = self.promoting.of_program(memory, &place.space, &place.rest[..1])?;
        let zero = Aff::zero(&place.space);
        let from = self.cell(&tree.root, &place, &[place.rest[0].clone(), zero.clone()])?;
        let out = self.copy(&domain, reduced, to, from)?;
        let out = self.run(out, &place, place.rest[0].clone(), zero);
        let of_blocks = format!("{name}_block");
        let gathered = self.shared((array, &of_blocks), blocks);
        let (domain, place) = self.place(&executed, &format!("{name}_fetch"), &[1, blocks])?;
        let from = self.promoting.of_program(memory, &place.space, &place.rest[1..])?;
        let to = self.cell(&gathered, &place, &place.rest)?;
        let fetch = self.copy(&domain, reduced, to, from)?;
        let fetch = self.run(fetch, &place, place.rest[0].clone(), place.rest[1].clone());
        let above = self.halves(of, gathered, (blocks, 1))?;
        let end = self.end(of, &above.root)?;
        let second = Some(Second { out, memory, fetch, tree: above });
        Ok(Some(Partial { start, update, tree, second, end }))
    }

    /// The tree of the partial results of the threads of each block, which are in registers.
    fn tree(
        &mut self,
        of: (&Reduced, &Set),
        own: Cells,
        (name, threads, blocks): (&str, i64, i64),
    ) -> Result<Tree> {
        if self.shape.has_shuffles {
            return self.warps(of, own, (name, threads, blocks));
        }
        let part = self.shared((of.0.array, &format!("{name}_part")), threads);
        let put = self.put(of, &own, &part)?;
        let mut tree = self.halves(of, part, (threads, blocks))?;
        tree.arrays.insert(0, own.marked());
        tree.put = Some(put);
        Ok(tree)
    }

    /// A register of each thread.
    pub(super) fn registers(&mut self, like: (ArrayId, &str)) -> Cells {
        let n = self.site.n_prefix + self.site.n;
        Cells::new(self.promoting, like, (n + 2, &[]), MemorySpace::Registers)
    }

    /// Shared memory of a block for so many values of each of its elements.
    pub(super) fn shared(&mut self, like: (ArrayId, &str), width: i64) -> Cells {
        let n = self.site.n_prefix + self.site.n;
        let extents = if self.site.n > 0 { vec![self.shape.rows, width] } else { vec![width] };
        Cells::new(self.promoting, like, (n + 2, &extents), MemorySpace::Shared)
    }

    pub(super) fn location(&self, reduced: &Reduced) -> Location {
        self.promoting.scop.statement(reduced.id).location
    }

    /// The instances of an added statement: the values of the loops outside, and coordinates from 0 on below
    /// some extents.
    pub(super) fn place(
        &mut self,
        executed: &Set,
        wanted: &str,
        extents: &[i64],
    ) -> Result<(Set, Place)> {
        let n = executed.n(DimKind::Out);
        let name = self.promoting.fresh(wanted);
        let mut domain = executed.insert_dims(DimKind::Out, n, extents.len());
        for (at, extent) in extents.iter().enumerate() {
            domain = domain.lower_bound(DimKind::Out, n + at, &Int::ZERO);
            domain = domain.upper_bound(DimKind::Out, n + at, &Int::from(extent - 1));
        }
        let tuple = Tuple::named(&name, n + extents.len());
        let domain = domain.with_space_tuples(&domain.space().with_tuples(None, Some(tuple)))?;
        let space = domain.space().clone();
        let variable = |at| Aff::variable(&space, DimKind::Out, at);
        let outer = (0..n).map(variable).collect();
        let rest = (n..n + extents.len()).map(variable).collect();
        Ok((domain, Place { space, outer, rest }))
    }

    pub(super) fn run(&self, id: StatementId, place: &Place, block: Aff, thread: Aff) -> Run {
        let rows: Vec<Aff> = place.outer[self.site.n_prefix..].to_vec();
        self.spread(id, &place.space, (rows, block, thread))
    }

    /// Rows are several in a block; without rows blocks are those that share an element.
    fn spread(&self, id: StatementId, space: &Space, run: (Vec<Aff>, Aff, Aff)) -> Run {
        let (rows, block, thread) = run;
        let blocks = match rows.first() {
            Some(row) => quotient(row, self.shape.rows),
            None => block,
        };
        let threads = rows.into_iter().chain([thread]).collect();
        Run { id, space: space.clone(), blocks: vec![blocks], threads, loops: Vec::new() }
    }

    /// The cell of a block and a thread.
    pub(super) fn cell(&self, cells: &Cells, place: &Place, rest: &[Aff]) -> Result<Accessed> {
        let rows = place.outer[self.site.n_prefix..].iter();
        let rows = rows.map(|row| row.modulo(&Int::from(self.shape.rows)));
        let cell: Vec<Aff> = match cells.space {
            MemorySpace::Registers => Vec::new(),
            _ => rows.chain([rest[1].clone()]).collect(),
        };
        cells.at(&place.space, &[&place.outer[..], rest].concat(), &cell)
    }

    /// The element itself.
    fn element(&self, reduced: &Reduced, place: &Place) -> Result<Accessed> {
        let n = place.outer.len();
        let params = self.promoting.scop.context.space().param_names();
        let outer = Space::set(params, Tuple::named("outer", n)).merge_params(&place.space);
        let to_outer = MultiAff::new(
            place.space.with_params(outer.param_names()).map_to(&outer),
            place.outer.iter().map(|value| value.align_params(&outer)).collect(),
        )?;
        let pulled = |aff: &Aff| aff.align_params(&outer).pullback(&to_outer);
        let subscripts: Vec<Aff> = reduced.subscripts.iter().map(pulled).collect::<Result<_>>()?;
        self.promoting.of_program(reduced.array, &place.space, &subscripts)
    }

    pub(super) fn copy(
        &mut self,
        domain: &Set,
        reduced: &Reduced,
        to: Accessed,
        from: Accessed,
    ) -> Result<StatementId> {
        let (location, value) = (self.location(reduced), from.element.clone());
        let value = loopwright_scop::Term::element(value);
        self.promoting.add_copy(domain, to, value, vec![from], location)
    }

    /// The program's statement, on a partial result.
    fn update(&mut self, reduced: &Reduced, own: &SiteStatement, cells: &Cells) -> Result<Run> {
        let Shape { threads, blocks, .. } = self.shape;
        let thread = reduced.along.modulo(&Int::from(threads));
        let block = match (blocks, reduced.is_one_loop) {
            (1, _) => Aff::zero(own.space()),
            (_, true) => quotient(&reduced.along, threads).modulo(&Int::from(blocks)),
            (_, false) => reduced.across.modulo(&Int::from(blocks)),
        };
        let mut place: Vec<Aff> = own.outer().cloned().collect();
        place.extend([block.clone(), thread.clone()]);
        let cell = cells.at(own.space(), &place, &[])?;
        let statement = cell.in_place_of(reduced.array, self.promoting.scop.statement(own.id))?;
        self.promoting.scop.statements[own.id.0 as usize] = statement;
        Ok(self.spread(own.id, own.space(), (own.members.clone(), block, thread)))
    }

    fn start(&mut self, (reduced, executed): (&Reduced, &Set), own: &Cells) -> Result<Run> {
        let name = &self.promoting.scop.array(reduced.array).tuple_name;
        let wanted = format!("{name}_start");
        let Shape { threads, blocks, .. } = self.shape;
        let (domain, place) = self.place(executed, &wanted, &[blocks, threads])?;
        let to = own.at(&place.space, &place.all(), &[])?;
        let id = match neutral(reduced.operator) {
            Some(value) => {
                let location = self.location(reduced);
                self.promoting.add_constant(&domain, value, &to, location)?
            }
            None => {
                let from = self.element(reduced, &place)?;
                self.copy(&domain, reduced, to, from)?
            }
        };
        Ok(self.run(id, &place, place.rest[0].clone(), place.rest[1].clone()))
    }

    fn put(
        &mut self,
        (reduced, executed): (&Reduced, &Set),
        own: &Cells,
        part: &Cells,
    ) -> Result<Run> {
        let name = &self.promoting.scop.array(reduced.array).tuple_name;
        let wanted = format!("{name}_put");
        let Shape { threads, blocks, .. } = self.shape;
        let (domain, place) = self.place(executed, &wanted, &[blocks, threads])?;
        let from = own.at(&place.space, &place.all(), &[])?;
        let to = self.cell(part, &place, &place.rest)?;
        let id = self.copy(&domain, reduced, to, from)?;
        Ok(self.run(id, &place, place.rest[0].clone(), place.rest[1].clone()))
    }

    /// Combine the second half with the first one, until one is left: of the partial results of threads of
    /// all blocks, or of one block.
    fn halves(
        &mut self,
        (reduced, executed): (&Reduced, &Set),
        cells: Cells,
        (width, blocks): (i64, i64),
    ) -> Result<Tree> {
        let name = self.promoting.scop.array(reduced.array).tuple_name.clone();
        let mut steps = Vec::new();
        let mut half = width / 2;
        while half > 0 {
            let wanted = format!("{name}_combine");
            let (domain, place) = self.place(executed, &wanted, &[blocks, half])?;
            let to = self.cell(&cells, &place, &place.rest)?;
            let other = place.rest[1].add_constant(&Int::from(half));
            let from = self.cell(&cells, &place, &[place.rest[0].clone(), other])?;
            let id = self.combine(&domain, reduced, (&to, &from))?;
            let run = self.run(id, &place, place.rest[0].clone(), place.rest[1].clone());
            steps.push(Step::of(run));
            half /= 2;
        }
        let last = steps.pop().and_then(|mut step| step.runs.pop());
        Ok(Tree { arrays: vec![cells.marked()], put: None, steps, last, root: cells })
    }

    pub(super) fn combine(
        &mut self,
        domain: &Set,
        reduced: &Reduced,
        (to, from): (&Accessed, &Accessed),
    ) -> Result<StatementId> {
        let location = self.location(reduced);
        self.promoting.add_combination(domain, reduced.operator, (to, from), location)
    }

    /// Combines the partial result that is left with the element.
    fn end(&mut self, (reduced, executed): (&Reduced, &Set), cells: &Cells) -> Result<Run> {
        let name = &self.promoting.scop.array(reduced.array).tuple_name;
        let wanted = format!("{name}_end");
        let (domain, place) = self.place(executed, &wanted, &[])?;
        let zero = Aff::zero(&place.space);
        let to = self.element(reduced, &place)?;
        let from = self.cell(cells, &place, &[zero.clone(), zero.clone()])?;
        let id = self.combine(&domain, reduced, (&to, &from))?;
        Ok(self.run(id, &place, zero.clone(), zero))
    }
}
