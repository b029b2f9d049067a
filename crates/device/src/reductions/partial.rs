//! The arrays of partial results, and the statements that fill and combine them.
//!
//! For a reduction of an element there are, for each block and thread, `own` in a register, which begins with the neutral element and
//! takes the updates; `part` in shared memory, a copy of it; and statements that combine the second half of the parts with the first
//! one, for halves of half the length each time. What is left is combined with the element, or, if several blocks take part,
//! copied to an array in the device's memory, whose elements a second kernel combines in the same way.
use super::groups::Reduced;
use crate::promotion::{Accessed, Promoting, Run, Site, SiteStatement, quotient, to_element};
use loopwright_dataflow::ReductionOperator;
use loopwright_exact::Int;
use loopwright_presburger::{Aff, DimKind, PwAff, Result, Set, Space, Tuple};
use loopwright_schedule::MemorySpace;
use loopwright_scop::{
    AccessKind, ArrayId, Body, BodyPiece, Element, Location, PromotedArray, StatementId,
};

/// How many partial results there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Threads that combine one element.
    pub(super) threads: i64,
    /// Blocks that combine one element.
    pub(super) blocks: i64,
    /// Elements of a block.
    pub(super) rows: i64,
}

/// What a reduction adds to the program.
pub(super) struct Partial {
    /// What is in registers of the first kernel, and in shared memory.
    pub(super) own: ArrayId,
    pub(super) part: ArrayId,
    /// Begins partial results.
    pub(super) start: Run,
    /// The program's statement.
    pub(super) update: Run,
    /// Copies them to shared memory.
    pub(super) put: Run,
    /// Combine them.
    pub(super) levels: Vec<Run>,
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
    /// In shared memory.
    pub(super) part: ArrayId,
    /// Copies the values of blocks there.
    pub(super) fetch: Run,
    /// Combine them.
    pub(super) levels: Vec<Run>,
}

/// The value that changes nothing, as C writes it; none if the element itself is as good, since it does not matter how often it
/// is combined.
pub(super) fn neutral(operator: ReductionOperator) -> Option<&'static str> {
    use ReductionOperator as R;
    match operator {
        R::Sum | R::Or | R::ExclusiveOr => Some("0"),
        R::Product => Some("1"),
        R::And | R::Minimum | R::Maximum => None,
    }
}

/// The statement that combines `other` with an element.
fn combining(operator: ReductionOperator, to: &Element, other: &Element) -> Body {
    use ReductionOperator as R;
    let element = |element: &Element| BodyPiece::element(element.clone());
    let update =
        |symbol: &'static str| Body::read([element(to), BodyPiece::text(symbol), element(other)]);
    let chosen = |symbol: &'static str| {
        let text = BodyPiece::text;
        let condition = [element(to), text(" = "), element(other), text(symbol), element(to)];
        let values = [text(" ? "), element(other), text(" : "), element(to)];
        Body::read(condition.into_iter().chain(values))
    };
    match operator {
        R::Sum => update(" += "),
        R::Product => update(" *= "),
        R::And => update(" &= "),
        R::Or => update(" |= "),
        R::ExclusiveOr => update(" ^= "),
        R::Minimum => chosen(" < "),
        R::Maximum => chosen(" > "),
    }
}

/// How often such a statement reads the element, and the other one.
fn times_read(operator: ReductionOperator) -> usize {
    match operator {
        ReductionOperator::Minimum | ReductionOperator::Maximum => 2,
        _ => 1,
    }
}

/// An array of partial results: elements have the loops outside, the block and the thread as subscripts.
struct Cells {
    cells: ArrayId,
    cells_name: String,
    elements: ArrayId,
    elements_name: String,
}

impl Cells {
    fn new(
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
        Cells { cells, cells_name, elements, elements_name }
    }

    fn at(&self, space: &Space, place: &[Aff], cell: &[Aff]) -> Result<Accessed> {
        let subscripts = cell.iter().cloned().map(PwAff::from_aff).collect();
        Ok(Accessed {
            element: Element::new(&*self.cells_name, self.cells, subscripts),
            array: self.elements,
            relation: to_element(space, &self.elements_name, place)?,
        })
    }
}

/// Where statements for an element are: the values of the loops outside, and the coordinates behind them.
struct Place {
    space: Space,
    outer: Vec<Aff>,
    rest: Vec<Aff>,
}

/// Adds what a reduction needs.
pub(super) struct Adding<'a, 'b> {
    pub(super) promoting: &'a mut Promoting<'b>,
    pub(super) site: &'a Site,
    pub(super) shape: Shape,
}

impl Adding<'_, '_> {
    /// The statements of one reduction.
    pub(super) fn partial(&mut self, reduced: &Reduced) -> Result<Option<Partial>> {
        let Some(own_statement) = self.site.statement(reduced.id) else { return Ok(None) };
        let Shape { threads, blocks, rows } = self.shape;
        let executed = self.promoting.iterations(own_statement, &own_statement.domain)?;
        let n = self.site.n_prefix + self.site.n;
        let name = self.promoting.scop.array(reduced.array).tuple_name.to_string();
        let array = reduced.array;
        let (own_name, part_name) = (format!("{name}_own"), format!("{name}_part"));
        let own =
            Cells::new(self.promoting, (array, &own_name), (n + 2, &[]), MemorySpace::Registers);
        let extents = if self.site.n > 0 { vec![rows, threads] } else { vec![threads] };
        let part =
            Cells::new(self.promoting, (array, &part_name), (n + 2, &extents), MemorySpace::Shared);
        let update = self.update(reduced, own_statement, &own)?;
        let start = self.start((reduced, &executed), &own)?;
        let put = self.put((reduced, &executed), &own, &part)?;
        let levels = self.levels((reduced, &executed), &part, (threads, 2))?;
        let (own, first) = (own.cells, part.cells);
        if blocks == 1 {
            let end = self.end((reduced, &executed), &part)?;
            let second = None;
            return Ok(Some(Partial { own, part: first, start, update, put, levels, second, end }));
        }
        let memory_name = self.promoting.fresh(&format!("{name}_blocks"));
        let memory = self.promoting.add_array(array, &memory_name, &[Some(blocks)]);
        let of_blocks = format!("{name}_block");
        let gathered = Cells::new(
            self.promoting,
            (array, &of_blocks),
            (n + 2, &[blocks]),
            MemorySpace::Shared,
        );
        let (domain, place) = self.place(&executed, &format!("{name}_out"), &[blocks])?;
        let at = |block: &Aff| self.in_memory((memory, &memory_name), &place.space, block);
        let (to, zero) = (at(&place.rest[0])?, Aff::zero(&place.space));
        let from = self.cell(&part, &place, &[place.rest[0].clone(), zero.clone()])?;
        let out = self.copy(&domain, reduced, to, from)?;
        let out = self.run(out, &place, place.rest[0].clone(), zero);
        let (domain, place) = self.place(&executed, &format!("{name}_fetch"), &[1, blocks])?;
        let from = self.in_memory((memory, &memory_name), &place.space, &place.rest[1])?;
        let to = self.cell(&gathered, &place, &place.rest)?;
        let fetch = self.copy(&domain, reduced, to, from)?;
        let fetch = self.run(fetch, &place, place.rest[0].clone(), place.rest[1].clone());
        let above = self.levels((reduced, &executed), &gathered, (blocks, 1))?;
        let end = self.end((reduced, &executed), &gathered)?;
        let (levels_above, part) = (above, gathered.cells);
        let second = Second { out, memory, part, fetch, levels: levels_above };
        let second = Some(second);
        Ok(Some(Partial { own, part: first, start, update, put, levels, second, end }))
    }

    fn location(&self, reduced: &Reduced) -> Location {
        self.promoting.scop.statement(reduced.id).location
    }

    /// The instances of an added statement: the values of the loops outside, and coordinates from 0 on below some extents.
    fn place(&mut self, executed: &Set, wanted: &str, extents: &[i64]) -> Result<(Set, Place)> {
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

    fn run(&self, id: StatementId, place: &Place, block: Aff, thread: Aff) -> Run {
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
    fn cell(&self, cells: &Cells, place: &Place, rest: &[Aff]) -> Result<Accessed> {
        let rows = place.outer[self.site.n_prefix..].iter();
        let rows = rows.map(|row| row.modulo(&Int::from(self.shape.rows)));
        let cell: Vec<Aff> = rows.chain([rest[1].clone()]).collect();
        cells.at(&place.space, &[&place.outer[..], rest].concat(), &cell)
    }

    fn in_memory(
        &self,
        (array, name): (ArrayId, &str),
        space: &Space,
        block: &Aff,
    ) -> Result<Accessed> {
        let subscripts = vec![PwAff::from_aff(block.clone())];
        let element = Element::new(name, array, subscripts);
        let relation = to_element(space, name, std::slice::from_ref(block))?;
        Ok(Accessed { element, array, relation })
    }

    /// The element itself.
    fn element(&self, reduced: &Reduced, place: &Place) -> Result<Accessed> {
        let n = place.outer.len();
        let params = self.promoting.scop.context.space().param_names();
        let outer = Space::set(params, Tuple::named("outer", n)).merge_params(&place.space);
        let to_outer = loopwright_presburger::MultiAff::new(
            place.space.with_params(outer.param_names()).map_to(&outer),
            place.outer.iter().map(|value| value.align_params(&outer)).collect(),
        )?;
        let pulled = |aff: &Aff| aff.align_params(&outer).pullback(&to_outer);
        let subscripts: Vec<Aff> = reduced.subscripts.iter().map(pulled).collect::<Result<_>>()?;
        self.promoting.of_program(reduced.array, &place.space, &subscripts)
    }

    fn copy(
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
        let mut statement = self.promoting.scop.statement(own.id).clone();
        statement.body.for_each_element_mut(&mut |element| {
            if element.array == reduced.array {
                *element = cell.element.clone();
            }
        });
        for access in statement.accesses.iter_mut().filter(|a| a.array == reduced.array) {
            access.array = cell.array;
            access.relation = cell.relation.intersect_domain(&statement.domain)?;
        }
        self.promoting.scop.statements[own.id.0 as usize] = statement;
        Ok(self.spread(own.id, own.space(), (own.members.clone(), block, thread)))
    }

    fn start(&mut self, (reduced, executed): (&Reduced, &Set), own: &Cells) -> Result<Run> {
        let name = &self.promoting.scop.array(reduced.array).tuple_name;
        let wanted = format!("{name}_start");
        let Shape { threads, blocks, .. } = self.shape;
        let (domain, place) = self.place(executed, &wanted, &[blocks, threads])?;
        let outer = [&place.outer[..], &place.rest[..]].concat();
        let to = own.at(&place.space, &outer, &[])?;
        let id = match neutral(reduced.operator) {
            Some(value) => {
                let text = format!(" = {value}");
                let pieces = [BodyPiece::element(to.element.clone()), BodyPiece::text(text)];
                let accesses = [(AccessKind::MustWrite, &to)];
                let location = self.location(reduced);
                self.promoting.add_statement(&domain, Body::read(pieces), &accesses, location)?
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
        let outer = [&place.outer[..], &place.rest[..]].concat();
        let from = own.at(&place.space, &outer, &[])?;
        let to = self.cell(part, &place, &place.rest)?;
        let id = self.copy(&domain, reduced, to, from)?;
        Ok(self.run(id, &place, place.rest[0].clone(), place.rest[1].clone()))
    }

    /// Combine the second half with the first one, until one is left: of the partial results of threads of all blocks, or of one
    /// block.
    fn levels(
        &mut self,
        (reduced, executed): (&Reduced, &Set),
        cells: &Cells,
        (width, stage): (i64, usize),
    ) -> Result<Vec<Run>> {
        let name = self.promoting.scop.array(reduced.array).tuple_name.clone();
        let blocks = if stage == 2 { self.shape.blocks } else { 1 };
        let mut all = Vec::new();
        let mut half = width / 2;
        while half > 0 {
            let wanted = format!("{name}_combine");
            let (domain, place) = self.place(executed, &wanted, &[blocks, half])?;
            let to = self.cell(cells, &place, &place.rest)?;
            let other = place.rest[1].add_constant(&Int::from(half));
            let from = self.cell(cells, &place, &[place.rest[0].clone(), other])?;
            let id = self.combine(&domain, reduced, (&to, &from))?;
            all.push(self.run(id, &place, place.rest[0].clone(), place.rest[1].clone()));
            half /= 2;
        }
        Ok(all)
    }

    fn combine(
        &mut self,
        domain: &Set,
        reduced: &Reduced,
        (to, from): (&Accessed, &Accessed),
    ) -> Result<StatementId> {
        let n = times_read(reduced.operator);
        let mut accesses = vec![(AccessKind::MustWrite, to)];
        accesses.extend(std::iter::repeat_n((AccessKind::Read, to), n));
        accesses.extend(std::iter::repeat_n((AccessKind::Read, from), n));
        let body = combining(reduced.operator, &to.element, &from.element);
        let location = self.location(reduced);
        self.promoting.add_statement(domain, body, &accesses, location)
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
