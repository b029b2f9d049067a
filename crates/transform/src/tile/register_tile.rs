//! Register tiles: blocks of a band whose results stay in vector registers.
//!
//! Where elements are accumulated along one loop, vector code without further care loads and stores
//! one element per multiplication. In a *register tile* of a few rows times a few vectors all results
//! stay in registers while the accumulating loop runs, each loaded vector is used by all rows, and
//! each loaded scalar by all vectors (Goto and van de Geijn, "Anatomy of high-performance matrix
//! multiplication", ACM TOMS 2008; Low et al., "Analytical modeling is enough for high-performance
//! BLIS", ACM TOMS 2016). Three loops of a permutable band play the parts, found by the strides of
//! all accesses:
//!
//! * the *columns*: the vector loop; every access has stride zero or one along it, or can be packed so
//!   that it has ([`crate::packing`]);
//! * the *sum*: written elements stay the same along it;
//! * the *rows*: written elements move along it, and something that is read with unit stride
//!   along the columns stays the same.
//!
//! The points of a cache tile then run as `[others, tile of columns, tile of rows, sum, row, column]`.
//! Tiles that are full are isolated (Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is
//! more than scanning polyhedra", section 5.6), so that the two innermost loops have constant trip
//! counts there; the backend then writes them without loops. The tiles of columns, those of rows and
//! the sum are bands of their own, each isolated by the conditions that are decided there: that
//! makes fewer copies of the code than one band, whose outer loops would be cut by what is known
//! only inside.
//!
//! # Legality
//! Each of the new members is a monotone function of one member of a permutable band, so all
//! distances stay non-negative, in any order of members.
mod cache_tiles;

use crate::cost::locality::{Stride, stride};
use crate::cost::nest::{Nest, NestAccess, NestStatement};
use crate::packing::may_pack;
use crate::site::marks::mark_member;
use crate::tile::rectangular;
use crate::{Options, TileSizes};
use loopwright_presburger::{
    BasicSet, Constraint, DimKind, Int, MultiUnionPwAff, Name, Result, Row, Set, Space, Tuple,
};
use loopwright_schedule::{Band, LoopKind, Node, Reaching, TileLoops};
use loopwright_scop::Scop;

/// The numbers of vectors that one register tile may have side by side, best first: a scalar that is
/// loaded (and perhaps computed) is used that often. Three where many registers leave room for rows.
fn vectors_per_row(registers: i64) -> &'static [i64] {
    if registers >= 32 { &[3, 2, 1] } else { &[2, 1] }
}

/// Fewer registers than this are left to the compiler.
const MINIMUM_REGISTERS: i64 = 8;

/// Loops with fewer values than this along the sum do not pay for loading and storing the results.
const MINIMUM_SUM: i64 = 8;

/// The members that play the parts of a register tile, by position in the band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roles {
    /// The loop whose values share each vector that is read.
    pub row: usize,
    /// The vector loop.
    pub column: usize,
    /// The loop along which results accumulate.
    pub sum: usize,
}

/// A choice of register tiles for a band.
#[derive(Clone, Debug)]
pub struct RegisterTile {
    /// The loops.
    pub roles: Roles,
    /// Values of the row loop in a tile.
    pub rows: i64,
    /// Values of the column loop in a tile, a multiple of the vector length.
    pub columns: i64,
    /// The size of an element of the results.
    element_bytes: i64,
    /// Which tiles are full.
    full: FullTiles,
}

/// What has to hold for a register tile to be full, besides what holds for every instance.
#[derive(Clone, Debug)]
pub(crate) struct FullTiles {
    params: Vec<Name>,
    /// Non-negative where a tile is full: rows over the parameters, the schedule dimensions outside
    /// of the band and its members, of which rows and columns stand for their first value in the tile.
    constraints: Vec<Row>,
    /// The number of dimensions outside.
    first: usize,
}

impl RegisterTile {
    /// The register tile for a permutable band whose vector loop is the member `column`; none if
    /// the accesses have no such reuse, or the loops are too short, or `sizes` (of the tiles of the
    /// caches, if given) have no room for it.
    ///
    /// `below` reaches the child of the band.
    ///
    /// # Errors
    /// Those of the schedule's range.
    pub fn choose(
        nest: &Nest,
        below: &Reaching,
        column: usize,
        scop: &Scop,
        options: &Options,
    ) -> Result<Option<RegisterTile>> {
        let Options { tile_sizes: sizes, machine, .. } = options;
        let [statement] = &nest.statements[..] else { return Ok(None) };
        let Some(roles) = roles(nest, statement, column, options.panels) else { return Ok(None) };
        let Some(element) = element_bytes(scop, statement) else { return Ok(None) };
        let vector_bytes = i64::try_from(machine.vector_bytes).unwrap_or(0);
        let registers = i64::try_from(machine.vector_registers).unwrap_or(0);
        let lanes = vector_bytes / element.max(1);
        if lanes < 2 || registers < MINIMUM_REGISTERS || nest.extent(roles.sum) < MINIMUM_SUM {
            return Ok(None);
        }
        let read = vector_reads(nest, statement, column, options.panels);
        let fits = |member: usize, size: i64| {
            size <= nest.extent(member)
                && given_size(sizes, member).is_none_or(|given| given % size == 0)
        };
        let tile = |vectors: &i64| {
            let columns = lanes * vectors;
            let mut rows = (2..=most_rows(registers, *vectors, read)).rev();
            let rows = rows.find(|&rows| fits(roles.row, rows))?;
            fits(column, columns).then_some((rows, columns))
        };
        let Some((rows, columns)) = vectors_per_row(registers).iter().find_map(tile) else {
            return Ok(None);
        };
        let size = |member| match member {
            _ if member == roles.row => rows,
            _ if member == column => columns,
            _ => 1,
        };
        let full = FullTiles::new(nest, below, size)?;
        Ok(full.map(|full| RegisterTile { roles, rows, columns, element_bytes: element, full }))
    }

    /// The same tile with fewer rows where the loop over rows ends, instead of copies of the code for the
    /// last rows: the number of rows is then found at run time.
    pub(crate) fn with_last_rows(mut self) -> RegisterTile {
        let first = 1 + self.full.params.len() + self.full.first;
        let row = first + self.roles.row;
        let is_of_others = |constraint: &Row| {
            (first..constraint.len()).any(|member| member != row && !constraint.is_zero_at(member))
        };
        self.full.constraints.retain(is_of_others);
        self
    }

    /// The order of the `n` members of the band as points: others, sum, row, column.
    pub fn order(&self, n: usize) -> Vec<usize> {
        let Roles { row, column, sum } = self.roles;
        let others = (0..n).filter(|member| ![row, column, sum].contains(member));
        others.chain([sum, row, column]).collect()
    }

    /// The points of a cache tile above `inner`: the loops over register tiles, isolated where full,
    /// then those inside of a tile, the last one marked as a vector loop.
    ///
    /// `points` are the members in the order of [`RegisterTile::order`], `outer` is the number of
    /// loops over tiles around them.
    ///
    /// # Errors
    /// Those of tiling.
    pub fn points(&self, points: &Band, outer: usize, inner: Node) -> Result<Node> {
        let n = points.n_members();
        let members = points.schedule.members();
        let tiled = |member: usize, size: i64| -> Result<_> {
            let single = Band::from_member(members[member].clone());
            let (tiles, _) = single.tile(&[Int::from(size)], TileLoops::Scaled)?;
            Ok(tiles.schedule.members()[0].clone())
        };
        let column = [&members[..n - 3], &[tiled(n - 1, self.columns)?]].concat();
        let row = vec![tiled(n - 2, self.rows)?];
        let sum = vec![members[n - 3].clone()];
        let order = self.order(n);
        let isolated = |loops: Vec<_>, known: usize| {
            let isolate = Some(self.full.isolated(&order, outer, known, loops.len()));
            let schedule = MultiUnionPwAff::new(Tuple::anonymous(loops.len()), loops);
            Band { isolate, ..Band::new(schedule) }
        };
        let (_, inside) = points.split(n - 2);
        let below = mark_member(&inside, 1, LoopKind::Vector, &[], inner);
        let below = Node::band(isolated(sum, n), below);
        let below = Node::band(isolated(row, n - 1), below);
        Ok(Node::band(isolated(column, n - 2), below))
    }
}

impl FullTiles {
    /// The condition for tiles with `size` values of each member; none if there is no simple one. It is
    /// about the statements that run at all times in a tile: at least one.
    ///
    /// A constraint holds on a whole box if it holds at the corner where it is least. Constraints
    /// that do not move within a tile hold for every instance.
    pub(crate) fn new(
        nest: &Nest,
        below: &Reaching,
        size: impl Fn(usize) -> i64,
    ) -> Result<Option<Self>> {
        let mut found: Option<FullTiles> = None;
        for map in below.prefix_schedule()?.maps() {
            let times = map.range();
            let [basic] = &times.basic_sets()[..] else { return Ok(None) };
            if !basic.locals().is_empty() || basic.n(DimKind::Out) != nest.first + nest.n_members {
                return Ok(None);
            }
            let Some(own) = FullTiles::of_times(nest, basic, &size) else { continue };
            match &mut found {
                None => found = Some(own),
                Some(known) if known.params == own.params => {
                    let new = |row: &Row| !known.constraints.contains(row);
                    let new: Vec<Row> = own.constraints.into_iter().filter(new).collect();
                    known.constraints.extend(new);
                }
                Some(_) => return Ok(None),
            }
        }
        Ok(found)
    }

    /// The condition for one statement that runs at the times `basic`; none if they are thin
    /// along a tiled member.
    fn of_times(nest: &Nest, basic: &BasicSet, size: &impl Fn(usize) -> i64) -> Option<FullTiles> {
        let members = basic.offset(DimKind::Out) + nest.first;
        let tiled = |row: &Row| {
            (0..nest.n_members).any(|member| size(member) > 1 && !row.is_zero_at(members + member))
        };
        if basic.equalities().iter().any(tiled) {
            return None;
        }
        let mut constraints = Vec::new();
        for row in basic.inequalities().iter().filter(|row| tiled(row)) {
            let mut least = row.clone();
            for member in 0..nest.n_members {
                if row.sign(members + member) < 0 {
                    let last = Int::from(size(member) - 1);
                    least.add_at(0, &(&row.get(members + member) * &last));
                }
            }
            if !starts_at_a_tile(row, members, nest.n_members, size) {
                constraints.push(least);
            }
        }
        let params = basic.space().param_names().to_vec();
        Some(FullTiles { params, constraints, first: nest.first })
    }

    /// What is known to be full inside of the first `known` loops of a tile for the caches, which run
    /// over the members in the given order, but with the tiles of columns and rows before the sum.
    /// `outer` loops over tiles stand around; the last `band` loops are one band. With all loops
    /// known, these are the full tiles.
    fn isolated(&self, order: &[usize], outer: usize, known: usize, band: usize) -> Set {
        let n = order.len();
        let mut loops = order.to_vec();
        loops.swap(n - 1, n - 3);
        self.isolated_in_order(&loops, outer, known, 0, band)
    }

    /// What is known to be full inside of the first `known` of the loops over the members in the
    /// given order, and of `more` loops inside of these. `outer` loops over tiles stand around; the last
    /// `band` loops are one band.
    pub(crate) fn isolated_in_order(
        &self,
        loops: &[usize],
        outer: usize,
        known: usize,
        more: usize,
        band: usize,
    ) -> Set {
        let n = loops.len();
        let before = 1 + self.params.len() + self.first;
        let width = before + outer + known;
        let mut place: Vec<usize> = (0..before).collect();
        place.resize(before + n, 0);
        for (position, &member) in loops.iter().enumerate() {
            place[before + member] = before + outer + position;
        }
        let is_known = |row: &&Row| {
            let mut members = (before..before + n).filter(|&member| !row.is_zero_at(member));
            members.all(|member| place[member] < width)
        };
        let constraints = self.constraints.iter().filter(is_known).map(|row| Constraint {
            is_equality: false,
            row: row.placed(&place, before + outer + n + more).slice(0..width + more),
        });
        let outside = Tuple::anonymous(self.first + outer + known + more - band);
        let tuple = Tuple::nested(outside, Tuple::anonymous(band));
        let space = Space::set(&self.params, tuple);
        Set::from_basic_set(BasicSet::universe(space).add_constraints(constraints))
    }
}

/// Whether a constraint only says that a member is at least a multiple of its tile size: then no
/// tile is cut by it.
fn starts_at_a_tile(row: &Row, first: usize, n: usize, size: impl Fn(usize) -> i64) -> bool {
    let Some(column) = row.first_nonzero(1..row.len()) else { return true };
    let is_alone = row.last_nonzero(1..row.len()) == Some(column);
    if !is_alone || !(first..first + n).contains(&column) || !row.get(column).is_one() {
        return false;
    }
    row.get(0).to_i64().is_some_and(|constant| constant % size(column - first) == 0)
}

/// The loops of a register tile with the given column loop; none if the accesses have no reuse
/// of this kind. Among several candidates the longest loops are taken.
fn roles(nest: &Nest, statement: &NestStatement, column: usize, packs: bool) -> Option<Roles> {
    let steps: Option<Vec<Row>> =
        (0..nest.n_members).map(|member| statement.direction(nest.first + member)).collect();
    let steps = steps?;
    if steps.iter().any(Row::is_zero) {
        return None;
    }
    let along = |access: &NestAccess, member: usize| stride(access, &steps[member]);
    let is_vector_read = |access: &NestAccess| match along(access, column) {
        Stride::Unit => true,
        Stride::Large => packs && may_pack(nest, statement, access, column),
        Stride::Zero => false,
    };
    let (written, read): (Vec<&NestAccess>, Vec<&NestAccess>) =
        statement.accesses.iter().partition(|access| access.is_write);
    let is_vector = written.iter().all(|access| along(access, column) == Stride::Unit)
        && read.iter().all(|a| along(a, column) == Stride::Zero || is_vector_read(a));
    if written.is_empty() || !is_vector {
        return None;
    }
    let others = || (0..nest.n_members).filter(|&member| member != column);
    let accumulates = |member: &usize| written.iter().all(|w| along(w, *member) == Stride::Zero);
    let sum = others().filter(accumulates).max_by_key(|&member| nest.extent(member))?;
    let shares = |member: &usize| {
        let is_shared = |access: &&&NestAccess| {
            is_vector_read(access) && along(access, *member) == Stride::Zero
        };
        written.iter().all(|w| along(w, *member) != Stride::Zero)
            && read.iter().any(|access| is_shared(&access))
    };
    let row = others().filter(shares).max_by_key(|&member| nest.extent(member))?;
    Some(Roles { row, column, sum })
}

/// The number of rows whose results fit into the registers, with a row of vectors for each of the `read`
/// operands and two registers for scalars; even, so that more tiles for caches are multiples. With several
/// operands there are intermediate results, of which compilers keep several at a time: registers for a vector
/// of each.
fn most_rows(registers: i64, vectors: i64, read: i64) -> i64 {
    let intermediate = if read >= 2 { read } else { 0 };
    ((registers - 2 - intermediate) / vectors - read) / 2 * 2
}

/// The number of accesses that read a vector which is not accumulated in.
fn vector_reads(nest: &Nest, statement: &NestStatement, column: usize, packs: bool) -> i64 {
    let Some(step) = statement.direction(nest.first + column) else { return 0 };
    let written: Vec<_> = statement.accesses.iter().filter(|a| a.is_write).collect();
    let is_vector = |access: &&NestAccess| {
        let is_result =
            |w: &&&NestAccess| w.array == access.array && w.subscripts == access.subscripts;
        let is_packed = || packs && may_pack(nest, statement, access, column);
        let stride = stride(access, &step);
        !access.is_write
            && (stride == Stride::Unit || stride == Stride::Large && is_packed())
            && !written.iter().any(|w| is_result(&w))
    };
    statement.accesses.iter().filter(is_vector).count() as i64
}

/// The size of the elements, if the statement writes elements of one size that is known.
pub(crate) fn element_bytes(scop: &Scop, statement: &NestStatement) -> Option<i64> {
    let mut written = statement.accesses.iter().filter(|access| access.is_write);
    let bytes = |access: &NestAccess| scop.arrays[access.array].element_bytes;
    let first = bytes(written.next()?)?;
    written.all(|access| bytes(access) == Some(first)).then(|| i64::try_from(first).ok())?
}

/// The tile size that the user gives for a member, if any.
fn given_size(sizes: &TileSizes, member: usize) -> Option<i64> {
    match sizes {
        TileSizes::Given(_) => rectangular::sizes(sizes, member + 1, member).last().copied(),
        _ => None,
    }
}
