//! The statements that copy planes and move columns, and their arrays.
use super::super::copies::{Accessed, Run, to_element};
use super::super::dimension::quotient;
use super::super::operands::with_read;
use super::super::promoting::Promoting;
use super::super::site::{Known, Site, SiteStatement};
use super::columns::{Column, Source};
use loopwright_exact::{Int, Row};
use loopwright_presburger::{
    Aff, BasicMap, Budget, DimKind, Map, Optimum, PwAff, Result, Set, Space, Tuple,
};
use loopwright_schedule::MemorySpace;
use loopwright_scop::{ArrayId, Element, PromotedArray, Scop, Term};
use std::collections::BTreeMap;

/// Places of the walk of a block: the first ones and those behind it are read by two blocks, and there are to
/// be enough blocks.
const CHUNK: i64 = 32;

/// Threads for the dimensions across the walk, the slowest first, the largest block first: those of a row are
/// a warp, and the places around a tile are few. Each thread copies a place; those at the ends have no
/// results.
const THREADS: [[i64; 2]; 2] = [[16, 32], [8, 32]];

/// Results of a row or a column of threads, at least: the others only copy.
const LEAST_TILE: i64 = 4;

/// A statement whose blocks walk along the first independent loop.
pub(super) struct Walk<'a> {
    site: &'a Site,
    pub(super) own: &'a SiteStatement,
    /// The places of a block along each independent loop: those of its walk, then those of its threads.
    pub(super) tile: Vec<i64>,
    /// The threads of a block, along the loops across the walk.
    pub(super) threads: Vec<i64>,
    /// Where the first block begins.
    base: Vec<i64>,
}

/// An array that is read at several places, in memory of blocks and threads.
pub(super) struct Stream {
    /// What copies its planes; none if threads have nothing in common.
    pub(super) fill: Option<Run>,
    /// What moves its columns, in the order in which a step does it.
    pub(super) moves: Vec<Run>,
    pub(super) arrays: Vec<(MemorySpace, ArrayId)>,
}

/// Planes in shared memory.
struct Planes {
    cells: ArrayId,
    name: String,
    elements: ArrayId,
    elements_name: String,
    n: i64,
    reach: Vec<(i64, i64)>,
}

/// The steps by which a plane is copied before the first one that reads it.
const AHEAD: i64 = 1;

/// How many planes there are: those that are read, and the one that is copied meanwhile. A power of two has
/// cheap remainders.
pub(super) fn n_planes(source: &Source) -> i64 {
    let (first, last) = source.planes_read();
    let n = u64::try_from(last - first + 1 + AHEAD).unwrap_or(1).next_power_of_two();
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The extents of the planes of a source for tiles of these sizes.
fn extents(source: &Source, tile: &[i64]) -> Vec<i64> {
    let around = source.reach().into_iter().zip(tile).skip(1);
    let across = around.map(|((first, last), size)| size + last - first);
    std::iter::once(n_planes(source)).chain(across).collect()
}

/// The bytes of shared memory that sources need.
pub(super) fn shared_bytes(sources: &[Source], tile: &[i64]) -> i64 {
    let of = |source: &Source| {
        let extents = extents(source, tile);
        extents.iter().fold(source.element_bytes, |bytes, own| bytes.saturating_mul(*own))
    };
    let shared = sources.iter().filter(|source| !source.is_alone());
    shared.map(of).fold(0, i64::saturating_add)
}

impl<'a> Walk<'a> {
    /// None if there is nothing to keep, or no memory for it.
    pub(super) fn of(
        promoting: &Promoting<'_>,
        site: &'a Site,
        own: &'a SiteStatement,
        sources: &[Source],
    ) -> Result<Option<Walk<'a>>> {
        if sources.is_empty() {
            return Ok(None);
        }
        let block_threads = i64::try_from(promoting.device.block_threads).unwrap_or(i64::MAX);
        let around = |at: usize| {
            let shared = sources.iter().filter(|source| !source.is_alone());
            let own = shared.map(|source| source.reach()[at]).map(|(first, last)| last - first);
            own.max().unwrap_or(0)
        };
        let tile = |threads: &[i64; 2]| {
            let across = threads.iter().zip(1..).map(|(own, at)| own - around(at));
            std::iter::once(CHUNK).chain(across).collect::<Vec<i64>>()
        };
        let fits = |threads: &&[i64; 2]| {
            let tile = tile(threads);
            threads.iter().product::<i64>() <= block_threads
                && tile.iter().all(|own| *own >= LEAST_TILE)
                && shared_bytes(sources, &tile) <= promoting.shared_bytes
        };
        let Some(threads) = THREADS.iter().find(fits) else { return Ok(None) };
        let tile = tile(threads);
        let least = |member: &Aff| first_of(&own.domain, member, promoting.budget);
        let base = own.members.iter().map(least).collect::<Result<_>>()?;
        Ok(Some(Walk { site, own, tile, threads: threads.to_vec(), base }))
    }

    fn n_prefix(&self) -> usize {
        self.site.n_prefix
    }

    /// The block of a place along a loop.
    fn block(&self, at: usize, value: &Aff) -> Aff {
        quotient(&value.add_constant(&-&Int::from(self.base[at])), self.tile[at])
    }

    /// The thread of a place along a loop.
    fn thread(&self, at: usize, value: &Aff) -> Aff {
        value.add_constant(&-&Int::from(self.base[at])).modulo(&Int::from(self.tile[at]))
    }

    fn n(&self) -> usize {
        self.site.n
    }

    /// The statement itself.
    pub(super) fn run(&self) -> Run {
        let members = self.own.members.iter().enumerate();
        Run {
            id: self.own.id,
            space: self.own.space().clone(),
            blocks: members.clone().map(|(at, value)| self.block(at, value)).collect(),
            threads: members.skip(1).map(|(at, value)| self.thread(at, value)).collect(),
            loops: self.own.members[..1].to_vec(),
        }
    }

    /// The statements and arrays of all sources; the statement reads their cells.
    pub(super) fn streams(
        &self,
        promoting: &mut Promoting<'_>,
        sources: &[Source],
    ) -> Result<Vec<Stream>> {
        sources.iter().map(|source| self.stream(promoting, source)).collect()
    }

    fn stream(&self, promoting: &mut Promoting<'_>, source: &Source) -> Result<Stream> {
        let mut stream = Stream { fill: None, moves: Vec::new(), arrays: Vec::new() };
        let mut planes = None;
        if !source.is_alone() {
            let (own, fill) = self.planes(promoting, source)?;
            stream.arrays.push((MemorySpace::Shared, own.cells));
            stream.fill = Some(fill);
            planes = Some(own);
        }
        let mut registers: BTreeMap<&[i64], Vec<Register>> = BTreeMap::new();
        for (across, column) in source.columns.iter().filter(|(_, column)| column.is_moved) {
            let own = self.moved((promoting, &mut stream), (source, across, column), &planes)?;
            registers.insert(across, own);
        }
        // In the order of the text, which says which access is of which cell.
        for read in &source.reads {
            let Some((along, across)) = read.distance.split_first() else { continue };
            let first = source.columns.get(across).map_or(0, |column| column.first);
            let own = registers.get(across).zip(usize::try_from(along - first).ok());
            let cell = match (own.and_then(|(own, at)| own.get(at)), &planes) {
                (Some(register), _) => register.read(self)?,
                (None, Some(planes)) => {
                    self.of_planes(planes, self.own.space(), self.place(&read.distance))?
                }
                (None, None) => continue,
            };
            let statement = promoting.scop.statement(self.own.id);
            let cells = (cell.array, cell.relation);
            let next = with_read(statement, &read.path, cell.element, cells)?;
            promoting.scop.statements[self.own.id.0 as usize] = next;
        }
        Ok(stream)
    }
}

/// Where an instance reads, or what an instance copies, in a block.
struct Place {
    prefix: Vec<Aff>,
    blocks: Vec<Aff>,
    /// The subscripts along the independent loops.
    subscripts: Vec<Aff>,
    /// The thread that has the place in the middle, and how far that is: along the loops across the walk.
    across: Vec<Aff>,
}

/// The register that has an element of a column, and whose it is.
struct Register {
    cells: ArrayId,
    name: String,
    elements: ArrayId,
    elements_name: String,
}

impl Register {
    fn accessed(&self, space: &Space, owner: &[Aff]) -> Result<Accessed> {
        let element = Element::new(&*self.name, self.cells, Vec::new());
        let relation = to_element(space, &self.elements_name, owner)?;
        Ok(Accessed { element, array: self.elements, relation })
    }

    /// What the statement reads.
    fn read(&self, walk: &Walk<'_>) -> Result<Accessed> {
        let own = walk.own;
        let block = walk.block(0, &own.members[0]);
        let owner = [&own.prefix[..], &[block], &own.members[1..]].concat();
        self.accessed(own.space(), &owner)
    }
}

impl Walk<'_> {
    /// Where the statement reads at a distance.
    fn place(&self, distance: &[i64]) -> Place {
        let members = &self.own.members;
        let shifted = members.iter().zip(distance);
        Place {
            prefix: self.own.prefix.clone(),
            blocks: members.iter().enumerate().map(|(at, value)| self.block(at, value)).collect(),
            subscripts: shifted.map(|(value, d)| value.add_constant(&Int::from(*d))).collect(),
            across: (1..self.n())
                .map(|at| self.thread(at, &members[at]).add_constant(&Int::from(distance[at])))
                .collect(),
        }
    }

    /// The element of a place in planes, and its cell.
    fn of_planes(&self, planes: &Planes, space: &Space, place: Place) -> Result<Accessed> {
        let Place { prefix, blocks, subscripts, across } = place;
        let plane = subscripts[0].modulo(&Int::from(planes.n));
        let in_tile = across.iter().zip(&planes.reach[1..]);
        let in_tile = in_tile.map(|(value, (first, _))| value.add_constant(&-&Int::from(*first)));
        let cell = std::iter::once(plane.clone()).chain(in_tile).map(PwAff::from_aff).collect();
        let element = Element::new(&*planes.name, planes.cells, cell);
        let owner = [&prefix[..], &blocks, &[plane], &subscripts[1..]].concat();
        let relation = to_element(space, &planes.elements_name, &owner)?;
        Ok(Accessed { element, array: planes.elements, relation })
    }

    /// Planes of a source, and the statement that copies its elements.
    fn planes(&self, promoting: &mut Promoting<'_>, source: &Source) -> Result<(Planes, Run)> {
        let name = promoting.scop.array(source.array).tuple_name.clone();
        let cells_name = promoting.fresh(&format!("{name}_planes"));
        let elements_name = promoting.fresh(&format!("{name}_in_planes"));
        let fill_name = promoting.fresh(&format!("{name}_plane"));
        let extents = extents(source, &self.tile);
        let known: Vec<Option<i64>> = extents.iter().copied().map(Some).collect();
        let cells = promoting.add_array(source.array, &cells_name, &known);
        let n_owner = self.n_prefix() + 2 * self.n();
        let elements = promoting.add_array(source.array, &elements_name, &vec![None; n_owner]);
        let space = MemorySpace::Shared;
        promoting.promotion.arrays.push(PromotedArray { elements, cells, space });
        let text: String = extents.iter().map(|extent| format!("[{extent}]")).collect();
        promoting
            .decisions
            .push(format!("blocks walk along `{name}`: `{cells_name}{text}` in shared memory"));
        let planes = Planes {
            cells,
            name: cells_name,
            elements,
            elements_name,
            n: extents[0],
            reach: source.reach(),
        };
        let domain = self.copied(promoting, source, &fill_name)?;
        let space = domain.space().clone();
        let variable = |at| Aff::variable(&space, DimKind::Out, at);
        let (n_prefix, n) = (self.n_prefix(), self.n());
        let prefix: Vec<Aff> = (0..n_prefix).map(variable).collect();
        let blocks: Vec<Aff> = (n_prefix..n_prefix + n).map(variable).collect();
        let subscripts: Vec<Aff> = (n_prefix + n..n_prefix + 2 * n).map(variable).collect();
        let across = (1..n).map(|at| {
            let begin = blocks[at].scale(&Int::from(self.tile[at]));
            let begin = begin.add_constant(&Int::from(self.base[at]));
            subscripts[at].sub(&begin)
        });
        let across: Vec<Aff> = across.collect::<Result<_>>()?;
        let first = |at: usize| Int::from(planes.reach[at].0);
        let threads = across.iter().zip(1..).map(|(value, at)| value.add_constant(&-&first(at)));
        let threads = threads.collect();
        let step = subscripts[0].add_constant(&-&Int::from(source.planes_read().1 + AHEAD));
        let read = self.of_array(promoting, source, (&space, n_prefix + n), &subscripts)?;
        let place = Place { prefix, blocks: blocks.clone(), subscripts, across };
        let target = self.of_planes(&planes, &space, place)?;
        let id = self.add(promoting, &domain, target, read)?;
        Ok((planes, Run { id, space, blocks, threads, loops: vec![step] }))
    }

    /// What a block copies: the box around what it reads.
    fn copied(&self, promoting: &Promoting<'_>, source: &Source, name: &str) -> Result<Set> {
        let first = self.n_prefix() + self.n();
        let mut values = self.own.prefix.clone();
        values.extend(self.own.members.iter().enumerate().map(|(at, value)| self.block(at, value)));
        values.extend(self.own.members.iter().cloned());
        let own = self.own.to_tuple(Tuple::named(name, values.len()), values)?.to_map();
        let places = self.own.domain.apply(&own)?;
        let ranges: Vec<(usize, (i64, i64))> =
            source.reach().into_iter().enumerate().map(|(at, reach)| (first + at, reach)).collect();
        let around = widened(&places, &ranges)?;
        simplified(&around, promoting.budget)
    }

    /// The element of the source's array with these subscripts behind those in front; `first` is the position
    /// of the first of them.
    fn of_array(
        &self,
        promoting: &Promoting<'_>,
        source: &Source,
        (space, first): (&Space, usize),
        subscripts: &[Aff],
    ) -> Result<Accessed> {
        let n_prefix = self.n_prefix();
        let position = |at: usize| if at < n_prefix { at } else { first + at - n_prefix };
        let known = self.own.known.iter().enumerate();
        let known: Vec<(usize, &Known)> = known.map(|(at, known)| (position(at), known)).collect();
        let section = self.own.section(space, &known)?;
        let leading = source.leading.iter();
        let leading = leading.map(|own| own.align_params(section.space()).pullback(&section));
        let mut all: Vec<Aff> = leading.collect::<Result<_>>()?;
        all.extend(subscripts.iter().cloned());
        promoting.of_program(source.array, space, &all)
    }

    fn add(
        &self,
        promoting: &mut Promoting<'_>,
        domain: &Set,
        target: Accessed,
        read: Accessed,
    ) -> Result<loopwright_scop::StatementId> {
        let location = promoting.scop.statement(self.own.id).location;
        let value = Term::element(read.element.clone());
        promoting.add_copy(domain, target, value, vec![read], location)
    }

    /// The registers of a column, the last place of the walk first, and what moves its elements: from the
    /// foremost place to the one behind.
    fn moved(
        &self,
        (promoting, stream): (&mut Promoting<'_>, &mut Stream),
        (source, across, column): (&Source, &[i64], &Column),
        planes: &Option<Planes>,
    ) -> Result<Vec<Register>> {
        let name = promoting.scop.array(source.array).tuple_name.clone();
        let mut registers: Vec<Register> = Vec::new();
        for _ in column.first..=column.last {
            let name_of_cells = promoting.fresh(&format!("{name}_column"));
            let elements_name = promoting.fresh(&format!("{name}_columns"));
            let cells = promoting.add_array(source.array, &name_of_cells, &[]);
            let n_owner = self.n_prefix() + self.n();
            let elements = promoting.add_array(source.array, &elements_name, &vec![None; n_owner]);
            let space = MemorySpace::Registers;
            promoting.promotion.arrays.push(PromotedArray { elements, cells, space });
            stream.arrays.push((space, cells));
            registers.push(Register { cells, name: name_of_cells, elements, elements_name });
        }
        for (register, along) in registers.iter().zip(column.first..) {
            let from =
                registers.get(usize::try_from(along + 1 - column.first).unwrap_or(usize::MAX));
            let run = self.step_of_column(
                promoting,
                (source, across, column.first, along),
                (register, from),
                planes,
            )?;
            stream.moves.push(run);
        }
        Ok(registers)
    }

    /// What puts an element of a column into a register: it comes from the register in front, from a plane,
    /// or from the array.
    fn step_of_column(
        &self,
        promoting: &mut Promoting<'_>,
        (source, across, first, along): (&Source, &[i64], i64, i64),
        (register, from): (&Register, Option<&Register>),
        planes: &Option<Planes>,
    ) -> Result<Run> {
        let (n_prefix, n) = (self.n_prefix(), self.n());
        let array = promoting.scop.array(source.array).tuple_name.clone();
        let name = promoting.fresh(&format!("{array}_move"));
        let own = self.own;
        let block = self.block(0, &own.members[0]);
        let values = [&own.prefix[..], &[block], &own.members].concat();
        let places = own.to_tuple(Tuple::named(&name, values.len()), values)?.to_map();
        let places = widened(&own.domain.apply(&places)?, &[(n_prefix + 1, (first, along))])?;
        let domain = simplified(&places, promoting.budget)?;
        let space = domain.space().clone();
        let variable = |at| Aff::variable(&space, DimKind::Out, at);
        let prefix: Vec<Aff> = (0..n_prefix).map(variable).collect();
        let block = variable(n_prefix);
        let place = variable(n_prefix + 1);
        let members: Vec<Aff> = (n_prefix + 2..n_prefix + 1 + n).map(variable).collect();
        let owner = [&prefix[..], std::slice::from_ref(&block), &members].concat();
        let mut blocks = vec![block];
        blocks.extend(members.iter().zip(1..).map(|(value, at)| self.block(at, value)));
        let threads: Vec<Aff> =
            members.iter().zip(1..).map(|(value, at)| self.thread(at, value)).collect();
        let shifted = members.iter().zip(across);
        let shifted = shifted.map(|(value, d)| value.add_constant(&Int::from(*d)));
        let subscripts: Vec<Aff> = std::iter::once(place.clone()).chain(shifted).collect();
        let read = match (from, planes) {
            (Some(from), _) => from.accessed(&space, &owner)?,
            (None, Some(planes)) => {
                let own = threads.iter().zip(across);
                let own = own.map(|(value, d)| value.add_constant(&Int::from(*d))).collect();
                let place = Place { prefix, blocks: blocks.clone(), subscripts, across: own };
                self.of_planes(planes, &space, place)?
            }
            (None, None) => {
                self.of_array(promoting, source, (&space, n_prefix + 1), &subscripts)?
            }
        };
        let target = register.accessed(&space, &owner)?;
        let id = self.add(promoting, &domain, target, read)?;
        let step = place.add_constant(&-&Int::from(along));
        Ok(Run { id, space, blocks, threads, loops: vec![step] })
    }
}

/// The first value of a loop, if it is a constant, and 0 otherwise: blocks that begin there are whole.
fn first_of(domain: &Set, member: &Aff, budget: &Budget) -> Result<i64> {
    let member = member.align_params(domain.space());
    Ok(match domain.min_val(&member, budget)? {
        Optimum::At(value) => value.to_i64().unwrap_or(0),
        _ => 0,
    })
}

fn simplified(set: &Set, budget: &Budget) -> Result<Set> {
    set.make_locals_explicit(budget)?.coalesce(budget)?.remove_redundancies(budget)
}

/// All points whose coordinates at some positions are by as much greater than those of a point of the set.
fn widened(set: &Set, ranges: &[(usize, (i64, i64))]) -> Result<Set> {
    let space = set.space();
    let mut step = BasicMap::universe(space.map_to(space));
    let (from, to) = (step.offset(DimKind::In), step.offset(DimKind::Out));
    let n_columns = step.n_columns();
    let row = |at: usize, sign: i64, constant: i64| {
        let mut row = Row::zeros(n_columns);
        row.set(0, Int::from(constant));
        row.set(to + at, Int::from(sign));
        row.set(from + at, Int::from(-sign));
        row
    };
    for at in 0..space.n(DimKind::Out) {
        step = match ranges.iter().find(|(position, _)| *position == at) {
            Some((_, (first, last))) => {
                step.add_inequality(row(at, 1, -first)).add_inequality(row(at, -1, *last))
            }
            None => step.add_equality(row(at, 1, 0)),
        };
    }
    set.apply(&Map::from_basic_map(step))
}

/// Bytes that an instance reads and writes of arrays that are no sources.
pub(super) fn other_bytes(scop: &Scop, own: &SiteStatement, sources: &[Source]) -> i64 {
    let elements = scop.statement(own.id).body.elements();
    let others = elements.iter().filter(|element| {
        !element.subscripts.is_empty() && sources.iter().all(|own| own.array != element.array)
    });
    let bytes = others.map(|element| scop.array(element.array).element_bytes.unwrap_or(8));
    i64::try_from(bytes.sum::<u64>()).unwrap_or(i64::MAX)
}
