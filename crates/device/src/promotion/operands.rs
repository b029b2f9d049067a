//! Operands in tiles that the threads of a block share: those of sums, and of statements without a loop of
//! their own.
//!
//! An operand is a part of what a statement computes (`alpha * A[i][k]`) that depends on the loop of a sum,
//! but not on all of the independent loops: then several threads use its value. With one independent loop it
//! is also what each thread reads of a row of its own (`A[i][k]` for thread i), where threads that follow
//! each other would read elements that lie apart. It is computed once for a block and a tile of the sum, by
//! threads of its own choice, so that those that follow each other read elements that lie side by side.
//!
//! Without a sum (`A[i][k] * A[k][j]` for one k of the host) an operand depends on some of the independent
//! loops, and is computed once for a block. The array may be one that the kernel writes, if no instance of
//! the kernel writes the elements that are read.
use super::buffers::{Buffers, SUM_TILES_OF_TWO};
use super::copies::{Accessed, Run, to_element};
use super::dimension::{Dimension, quotient};
use super::fetches::Fetch;
use super::fragments::Fragments;
use super::promoting::Promoting;
use super::site::{Known, Site, SiteStatement};
use super::spread::Spread;
use loopwright_exact::Int;
use loopwright_presburger::{Aff, DimKind, Map, MultiAff, PwAff, Result, Space, Tuple};
use loopwright_schedule::{MemorySpace, VectorCopyMark};
use loopwright_scop::{
    Access, AccessKind, ArrayId, Element, PromotedArray, ReferenceId, ScalarType, Scop, Statement,
    StatementId, Term, TermKind, TermPath,
};

/// A part of a statement's value.
struct Operand {
    path: TermPath,
    part: Term,
    /// The positions of the independent loops that it depends on.
    members: Vec<usize>,
    /// The array that gives the tile its name and type.
    named_after: ArrayId,
    /// The position of the loop along which its elements lie side by side: that of an independent loop, or
    /// their number for the sum.
    unit: Option<usize>,
}

/// The position of the value among the parts of an assignment.
const VALUE: usize = 1;

/// The loop of a sum.
pub(crate) struct SumLoop {
    pub(crate) value: Aff,
    known: Known,
}

/// A statement that reads operands, with the loop of its sum if it has one.
pub(crate) struct Reader<'a> {
    pub(crate) own: &'a SiteStatement,
    pub(crate) sum: Option<SumLoop>,
}

impl<'a> Reader<'a> {
    /// One with the loop of a sum. None if the loop's value is no coordinate of the statement, or one of the
    /// loops outside.
    pub(crate) fn of_sum(own: &'a SiteStatement, value: Aff) -> Option<Reader<'a>> {
        let known = Known::of(&value)?;
        let is_outside = own.known.iter().any(|outer| outer.coordinate == known.coordinate);
        (!is_outside).then_some(Reader { own, sum: Some(SumLoop { value, known }) })
    }

    /// The loops that a part depends on: positions of independent loops, or their number for the sum. None if
    /// it depends on something else.
    fn loops_of(&self, forms: &[&PwAff], n_prefix: usize) -> Option<Vec<usize>> {
        let mut loops = Vec::new();
        let of_sum = self.sum.as_ref().map(|sum| sum.known.coordinate);
        for coordinate in 0..self.own.space().n(DimKind::Out) {
            if !forms.iter().any(|form| form.involves_dims(DimKind::Out, coordinate, 1)) {
                continue;
            }
            let mut outer = self.own.known.iter();
            match outer.position(|known| known.coordinate == coordinate) {
                Some(position) if position < n_prefix => {}
                Some(position) => loops.push(position - n_prefix),
                None if Some(coordinate) == of_sum => loops.push(self.own.members.len()),
                None => return None,
            }
        }
        Some(loops)
    }
}

/// The operands of a statement, larger parts before their parts, of which none is part of another.
fn operands(reader: &Reader<'_>, site: &Site, promoting: &Promoting<'_>) -> Result<Vec<Operand>> {
    let Some(assignment) = promoting.scop.statement(reader.own.id).body.plain_assignment() else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    find(assignment.value, vec![VALUE], (reader, site, promoting), &mut found)?;
    let is_worth_it = match reader.sum {
        // What all threads read at a time comes from a cache as fast.
        Some(_) => found.iter().any(|operand| !operand.members.is_empty()),
        // So does what threads side by side read, if it is one element for them.
        None => found.iter().any(|operand| operand.members.contains(&(site.n - 1))),
    };
    Ok(if is_worth_it { found } else { Vec::new() })
}

fn find(
    part: &Term,
    path: TermPath,
    place: (&Reader<'_>, &Site, &Promoting<'_>),
    found: &mut Vec<Operand>,
) -> Result<()> {
    let (reader, site, promoting) = place;
    if let Some(operand) = operand(part, &path, (reader, site, &promoting.scop))
        && promoting.is_unwritten(site, reader.own, part)?
    {
        found.push(operand);
        return Ok(());
    }
    for (position, child) in part.children().iter().enumerate() {
        let path = path.iter().copied().chain([position]).collect();
        find(child, path, place, found)?;
    }
    Ok(())
}

fn operand(
    part: &Term,
    path: &TermPath,
    (reader, site, scop): (&Reader<'_>, &Site, &Scop),
) -> Option<Operand> {
    let n = site.n;
    let loops = reader.loops_of(&part.forms(), site.n_prefix)?;
    let members: Vec<usize> = loops.iter().copied().filter(|at| *at < n).collect();
    let elements = part.elements();
    let first = elements.iter().find(|element| !element.subscripts.is_empty())?;
    let last = first.subscripts.last()?;
    let unit = reader.loops_of(&[last], site.n_prefix)?.pop();
    // Threads in a row that each read a row of their own read elements that lie apart.
    let is_element = part.without_parentheses().as_element().is_some();
    let is_apart = n == 1 && unit == Some(n) && is_element && first.subscripts.len() > 1;
    let is_used_again = match reader.sum {
        Some(_) => loops.contains(&n) && (members.len() < n || is_apart),
        None => !members.is_empty() && members.len() < n,
    };
    if !is_used_again {
        return None;
    }
    let is_one = |element: &&Element| {
        scop.array(element.array).extents.len() == element.subscripts.len()
            && element.subscripts.iter().all(|subscript| subscript.as_aff().is_some())
    };
    let array = scop.array(first.array);
    let has_type = is_element
        || array
            .floating_type()
            .is_some_and(|floating| part.value_type(scop) == Some(ScalarType::Floating(floating)));
    if !elements.iter().all(is_one)
        || !has_type
        || array.is_member
        || part.forms().iter().any(|form| form.as_aff().is_none())
        || matches!(part.kind(), TermKind::Affine(_))
    {
        return None;
    }
    Some(Operand {
        path: path.clone(),
        part: part.clone(),
        members,
        named_after: first.array,
        unit,
    })
}

/// An operand's tile, and the statement that fills it.
pub(crate) struct Tile {
    pub(crate) cells: ArrayId,
    /// The positions of the independent loops that it depends on.
    pub(crate) members: Vec<usize>,
    pub(crate) fill: Run,
    /// The loop over tiles of the sum, if there is one.
    pub(crate) tile: Option<Aff>,
    /// What reads the elements ahead that the fill stores.
    pub(crate) fetches: Vec<Fetch>,
    /// Whether the fill is a copy that goes on while the tile before is computed.
    pub(crate) is_asynchronous: bool,
    /// How the fill copies elements several at a time.
    pub(crate) vectors: Option<VectorCopyMark>,
}

/// The tiles of a statement.
pub(crate) struct Tiles {
    pub(crate) tiles: Vec<Tile>,
    /// The buffers of a sum; none without one.
    pub(crate) buffers: Option<Buffers>,
    /// The bytes that they have.
    pub(crate) bytes: i64,
}

impl Promoting<'_> {
    /// Puts the operands of a statement into tiles, which have at most so many bytes.
    pub(crate) fn promote_operands(
        &mut self,
        site: &Site,
        reader: &Reader<'_>,
        spread: &Spread,
        bytes_left: i64,
    ) -> Result<Tiles> {
        let operands = operands(reader, site, self)?;
        let element = |operand: &Operand| {
            self.scop.array(operand.named_after).element_bytes.and_then(|b| i64::try_from(b).ok())
        };
        let elements: Vec<i64> = operands.iter().map(|o| element(o).unwrap_or(8)).collect();
        let extents_of = |buffers: Option<&Buffers>| -> Vec<Vec<i64>> {
            let own = operands.iter().zip(&elements);
            own.map(|(operand, bytes)| extents(operand, spread, *bytes, buffers)).collect()
        };
        let bytes_of = |extents: &[i64], element: i64| {
            extents.iter().fold(element, |bytes, extent| bytes.saturating_mul(*extent))
        };
        let all_bytes = |buffers: &Buffers| {
            let own = extents_of(Some(buffers));
            let bytes = own.iter().zip(&elements).map(|(extents, e)| bytes_of(extents, *e));
            bytes.fold(0, i64::saturating_add)
        };
        let buffers = reader.sum.as_ref().map(|_| {
            let fits = |buffers: &Buffers| all_bytes(buffers) <= bytes_left;
            let of_two = spread.fragments().map_or(&SUM_TILES_OF_TWO[..], Fragments::sum_tiles);
            Buffers::fitting(self.copies, (site.n, of_two), fits)
        });
        let mut left = bytes_left;
        let mut tiles = Vec::new();
        let extents = extents_of(buffers.as_ref());
        for ((operand, extents), element) in operands.iter().zip(&extents).zip(elements) {
            let bytes = bytes_of(extents, element);
            if bytes > left {
                continue;
            }
            left -= bytes;
            let own = (operand, &extents[..], buffers);
            tiles.push(self.promote_operand(site, reader, own, spread)?);
        }
        Ok(Tiles { tiles, buffers, bytes: bytes_left - left })
    }

    fn promote_operand(
        &mut self,
        site: &Site,
        reader: &Reader<'_>,
        (operand, extents, buffers): (&Operand, &[i64], Option<Buffers>),
        spread: &Spread,
    ) -> Result<Tile> {
        let dimensions = &spread.dimensions[..];
        let like = operand.named_after;
        let name = self.scop.array(like).tuple_name.clone();
        let cells_name = self.fresh(&format!("{name}_tile"));
        let elements_name = self.fresh(&format!("{name}_tiles"));
        let fill_name = self.fresh(&format!("{name}_fill"));
        let known: Vec<Option<i64>> = extents.iter().copied().map(Some).collect();
        let cells = self.add_array(like, &cells_name, &known);
        let n_coordinates =
            site.n_prefix + site.n + usize::from(buffers.is_some()) + operand.members.len();
        let elements = self.add_array(like, &elements_name, &vec![None; n_coordinates]);
        self.promotion.arrays.push(PromotedArray { elements, cells, space: MemorySpace::Shared });
        let filling = Filling::of(site, reader, operand, dimensions, &fill_name)?;
        let image = reader.own.domain.apply(&filling.instance.to_map())?;
        let domain = image.make_locals_explicit(self.budget)?.coalesce(self.budget)?;
        let domain = domain.remove_redundancies(self.budget)?;
        let space = domain.space().clone();
        let in_block = |members: &[Aff]| -> Vec<Aff> {
            let own = operand.members.iter();
            own.map(|&m| members[m].modulo(&Int::from(dimensions[m].size()))).collect()
        };
        let of_sum = |sum: Option<&Aff>, coordinates: &dyn Fn(&Buffers, &Aff) -> Vec<Aff>| {
            let own = buffers.as_ref().zip(sum);
            own.map(|(buffers, sum)| coordinates(buffers, sum)).unwrap_or_default()
        };
        let cell = |members: &[Aff], sum: Option<&Aff>| {
            [of_sum(sum, &Buffers::cell), in_block(members)].concat()
        };
        let place = |members: &[Aff], sum: Option<&Aff>| {
            [of_sum(sum, &|own, sum| vec![own.place(sum)]), in_block(members)].concat()
        };
        let element = |cell: &[Aff]| {
            Element::new(&*cells_name, cells, cell.iter().cloned().map(PwAff::from_aff).collect())
        };
        let relation = |space: &Space, owner: &[Aff], place: &[Aff]| {
            to_element(space, &elements_name, &[owner, place].concat())
        };
        let own_place = place(&filling.members, filling.sum.as_ref());
        let target = Accessed {
            element: element(&cell(&filling.members, filling.sum.as_ref())),
            array: elements,
            relation: relation(&space, &filling.owner(site), &own_place)?,
        };
        let value = operand.part.clone().with_forms(&mut |form| {
            form.align_params(filling.section.space()).pullback_multi_aff(&filling.section)
        })?;
        let mut sources = Vec::new();
        for read in value.elements() {
            let subscripts: Vec<Aff> = read.subscripts.iter().filter_map(PwAff::as_aff).collect();
            let name = &self.scop.array(read.array).tuple_name;
            let relation = to_element(&space, name, &subscripts)?;
            sources.push(Accessed { element: read.clone(), array: read.array, relation });
        }
        let statement = self.scop.statement(reader.own.id);
        let location = statement.location;
        let own = reader.own;
        let read_sum = reader.sum.as_ref().map(|sum| &sum.value);
        let read_cell = cell(&own.members, read_sum);
        let mut owner = own.prefix.clone();
        owner.extend(spread.blocks(&own.members));
        let read = relation(own.space(), &owner, &place(&own.members, read_sum))?;
        let next = with_read(statement, &operand.path, element(&read_cell), (elements, read))?;
        self.scop.statements[own.id.0 as usize] = next;
        let id = self.add_copy(&domain, target, value, sources, location)?;
        let extents: String = extents.iter().map(|extent| format!("[{extent}]")).collect();
        self.decisions.push(format!("`{cells_name}{extents}` in shared memory"));
        let vectors = self.vectors_of_fill(id, (operand, buffers.as_ref()), (site, spread))?;
        let elements = vectors.map_or(1, |mark| i64::from(mark.elements));
        if elements > 1 {
            self.has_vectors = true;
            self.decisions.push(format!("`{name}` is copied {elements} elements at a time"));
        }
        let Distribution { threads, loops } =
            filling.distribution((operand, buffers.as_ref()), spread, elements)?;
        let (loops, loop_extents): (Vec<Aff>, Vec<i64>) = loops.into_iter().unzip();
        let fill = Run { id, space, blocks: filling.blocks.clone(), threads, loops };
        let tile = of_sum(filling.sum.as_ref(), &|buffers, sum| vec![buffers.tile(sum)]).pop();
        let is_asynchronous = self.is_asynchronous(operand, buffers.as_ref());
        let ahead = buffers.filter(|own| own.are_two() && !is_asynchronous);
        let fetches = match (ahead, &tile, &filling.sum) {
            (Some(buffers), Some(tile), Some(sum)) => {
                let in_tile = vec![sum.modulo(&Int::from(buffers.sum_tile))];
                let place = [in_tile, in_block(&filling.members)].concat();
                let owner = [filling.owner(site), place].concat();
                self.fetched((&fill, tile), &owner, (&loop_extents, vectors))?
            }
            _ => Vec::new(),
        };
        let members = operand.members.clone();
        let vectors = vectors.filter(|_| fetches.is_empty());
        Ok(Tile { cells, members, fill, tile, fetches, is_asynchronous, vectors })
    }

    fn is_asynchronous(&self, operand: &Operand, buffers: Option<&Buffers>) -> bool {
        buffers.is_some_and(|own| own.is_asynchronous(&operand.part, &self.scop))
    }

    /// How what fills a tile copies elements several at a time: into the tile if elements lie side by side
    /// there as well, and otherwise into the registers from which they are stored. None if threads have fewer
    /// elements than that each.
    fn vectors_of_fill(
        &self,
        id: StatementId,
        (operand, buffers): (&Operand, Option<&Buffers>),
        (site, spread): (&Site, &Spread),
    ) -> Result<Option<VectorCopyMark>> {
        let statement = self.scop.statement(id);
        let Some(unit) = operand.unit else { return Ok(None) };
        let groups = self.groups(operand.named_after, site.n_prefix + unit);
        let (Some(groups), Some(assigned)) = (groups, statement.body.plain_assignment()) else {
            return Ok(None);
        };
        let sizes = |at: usize| spread.dimensions.get(at).map(Dimension::size);
        let extent = |at: usize| sizes(at).or(buffers.map(|own| own.sum_tile)).unwrap_or(1);
        let of_sum = buffers.map_or(1, |own| own.sum_tile);
        let all = operand.members.iter().fold(of_sum, |all, at| all.saturating_mul(extent(*at)));
        let own = i64::from(groups.mark.elements);
        let n_threads: i64 = spread.axes().iter().product();
        if extent(unit) % own != 0 || all < n_threads.saturating_mul(own) {
            return Ok(None);
        }
        let is_through_registers =
            buffers.is_some_and(Buffers::are_two) && !self.is_asynchronous(operand, buffers);
        let read = assigned.value.elements();
        let read = read.into_iter().filter(|element| !element.subscripts.is_empty());
        let mut in_memory: Vec<&Element> = read.collect();
        if !is_through_registers {
            if operand.part.without_parentheses().as_element().is_none() {
                return Ok(None);
            }
            in_memory.push(assigned.target);
        }
        let bytes = |element: &&Element| self.scop.array(element.array).element_bytes;
        if in_memory
            .iter()
            .any(|own| bytes(own) != self.scop.array(operand.named_after).element_bytes)
        {
            return Ok(None);
        }
        // Otherwise copies have conditions on the last tile of the sum, each of which costs more than a
        // vector saves.
        let has_whole_tiles = match buffers {
            Some(own) => self.is_whole(&statement.domain, site.n_prefix + site.n, own.sum_tile)?,
            None => true,
        };
        match has_whole_tiles {
            true => self.vectors(&statement.domain, groups, &in_memory),
            false => Ok(None),
        }
    }
}

/// The cells of a tile: its buffers, along the sum, along the independent loops. Rows that are filled across
/// have odd numbers of 16 bytes, so that the threads that fill a column do not all use the same bank, and
/// pairs of elements stay aligned.
fn extents(
    operand: &Operand,
    spread: &Spread,
    element_bytes: i64,
    buffers: Option<&Buffers>,
) -> Vec<i64> {
    let mut extents = buffers.map(Buffers::extents).unwrap_or_default();
    extents.extend(operand.members.iter().map(|&m| spread.dimensions[m].size()));
    if let (Some(_), Some(last)) = (spread.fragments(), extents.last_mut()) {
        *last += Fragments::padding(element_bytes);
        return extents;
    }
    let is_across = operand.unit != operand.members.last().copied();
    let is_row = operand.members.is_empty() || extents.len() < 2;
    if let (true, false, Some(last)) = (is_across, is_row, extents.last_mut()) {
        *last += (16 / element_bytes.max(1)).max(1);
    }
    extents
}

/// The statement with an element in place of a part of its body. What it read there is still among its
/// accesses, which only adds constraints.
pub(super) fn with_read(
    statement: &Statement,
    path: &[usize],
    read: Element,
    (array, relation): (ArrayId, Map),
) -> Result<Statement> {
    let mut next = statement.clone();
    next.body = statement.body.replaced(path, Term::element(read));
    let reference = ReferenceId(u32::try_from(statement.accesses.len()).unwrap_or(u32::MAX));
    let relation = relation.intersect_domain(&statement.domain)?;
    next.accesses.push(Access { reference, array, kind: AccessKind::Read, relation });
    Ok(next)
}

/// The instances that fill a tile: the loops around the kernel; for each independent loop its value, or its
/// block if the operand does not depend on it; the value of the sum.
struct Filling {
    /// From the statement that reads.
    instance: MultiAff,
    /// To its instances: coordinates that matter, 0 for the others.
    section: MultiAff,
    prefix: Vec<Aff>,
    /// The values of independent loops; blocks for those that do not matter.
    members: Vec<Aff>,
    blocks: Vec<Aff>,
    sum: Option<Aff>,
}

impl Filling {
    fn of(
        site: &Site,
        Reader { own, sum }: &Reader<'_>,
        operand: &Operand,
        dimensions: &[Dimension],
        name: &str,
    ) -> Result<Filling> {
        let (n_prefix, n) = (site.n_prefix, site.n);
        let mut values = own.prefix.clone();
        for (member, (value, dimension)) in own.members.iter().zip(dimensions).enumerate() {
            let matters = operand.members.contains(&member);
            values.push(if matters { value.clone() } else { dimension.block(value) });
        }
        values.extend(sum.iter().map(|sum| sum.value.clone()));
        let instance = own.to_tuple(Tuple::named(name, values.len()), values)?;
        let space = instance.space().range();
        let outer = own.known.iter().enumerate();
        let mut known: Vec<(usize, &Known)> = outer
            .filter(|(at, _)| *at < n_prefix || operand.members.contains(&(at - n_prefix)))
            .collect();
        known.extend(sum.iter().map(|sum| (n_prefix + n, &sum.known)));
        let section = own.section(&space, &known)?;
        let variable = |at| Aff::variable(&space, DimKind::Out, at);
        let members: Vec<Aff> = (n_prefix..n_prefix + n).map(variable).collect();
        let block = |(at, (value, dimension)): (usize, (&Aff, &Dimension))| match operand
            .members
            .contains(&at)
        {
            true => dimension.block(value),
            false => value.clone(),
        };
        let blocks = members.iter().zip(dimensions).enumerate().map(block).collect();
        let prefix = (0..n_prefix).map(variable).collect();
        let sum = sum.as_ref().map(|_| variable(n_prefix + n));
        Ok(Filling { instance, section, prefix, members, blocks, sum })
    }

    fn owner(&self, site: &Site) -> Vec<Aff> {
        debug_assert_eq!(self.prefix.len(), site.n_prefix);
        self.prefix.iter().chain(&self.blocks).cloned().collect()
    }

    /// The threads that fill the tile, the slowest axis first, and the loops that each of them runs: elements
    /// that lie side by side are along the fastest axis. All threads have something to do, if there are as
    /// many elements. The innermost loop of a thread is over the elements of an access, if that has several.
    fn distribution(
        &self,
        (operand, buffers): (&Operand, Option<&Buffers>),
        spread: &Spread,
        elements: i64,
    ) -> Result<Distribution> {
        let (dimensions, axes) = (&spread.dimensions, spread.axes());
        let n = self.members.len();
        let of_sum = self.sum.as_ref().map(|sum| (n, sum));
        let sum_tile = buffers.map_or(1, |buffers| buffers.sum_tile);
        let mut along: Vec<usize> =
            operand.members.iter().copied().chain(of_sum.map(|(n, _)| n)).collect();
        let unit = along.iter().position(|at| Some(*at) == operand.unit);
        let fastest = along.remove(unit.unwrap_or(along.len() - 1));
        along.push(fastest);
        let coordinate = |at: usize| match of_sum.filter(|(n, _)| *n == at) {
            Some((_, sum)) => (sum.modulo(&Int::from(sum_tile)), sum_tile),
            None => {
                let size = dimensions[at].size();
                (self.members[at].modulo(&Int::from(size)), size)
            }
        };
        let mut left: Vec<(Aff, i64)> = along.into_iter().map(coordinate).collect();
        let mut in_access = None;
        if let Some((value, extent)) = left.pop() {
            left.push((quotient(&value, elements), extent / elements));
            in_access = (elements > 1).then(|| (value.modulo(&Int::from(elements)), elements));
        }
        let (mut threads, mut loops) = (Vec::new(), Vec::new());
        for (at, &axis) in axes.iter().enumerate().rev() {
            let others: i64 = axes[..at].iter().product();
            let mut thread = Aff::zero(&self.instance.space().range());
            let (mut free, mut taken) = (axis, 1);
            while free > 1
                && let Some((value, extent)) = left.pop()
            {
                let own = extent.min(free);
                // Along the third axis elements of a thread follow each other, so that loops have constant
                // bounds.
                let is_apart = axes.len() - at > 2;
                let (part, rest) = match (extent > free, is_apart) {
                    (false, _) => (value.clone(), value),
                    (true, false) => (value.modulo(&Int::from(free)), quotient(&value, own)),
                    (true, true) => {
                        let each = extent / own;
                        (quotient(&value, each), value.modulo(&Int::from(each)))
                    }
                };
                thread = thread.add(&part.scale(&Int::from(taken)))?;
                if extent > free {
                    // What is left of it goes to the next axis if that has too little to do, and otherwise to
                    // a loop.
                    let rest = (rest, extent / own);
                    let waiting: i64 = left.iter().map(|(_, extent)| extent).product();
                    if waiting < others { left.push(rest) } else { loops.push(rest) }
                }
                (free, taken) = (free / own, taken * own);
            }
            threads.push(thread);
        }
        loops.extend(left.into_iter().rev());
        threads.reverse();
        loops.reverse();
        loops.extend(in_access);
        Ok(Distribution { threads, loops })
    }
}

/// How a tile is filled.
struct Distribution {
    threads: Vec<Aff>,
    /// The loops of each thread, with their numbers of iterations.
    loops: Vec<(Aff, i64)>,
}
