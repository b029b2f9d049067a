//! Unroll-and-jam: products of matrices and vectors, several rows in one pass.
//!
//! Bands that are not tiled, since a vector that fits into a cache is all they use again, are short of two
//! things. A sum along a row waits for each addition before it can begin the next, and one row is one stream
//! of memory, of which a core can follow many at a time. Both are cured by [`ROWS`] iterations of the loop
//! around the innermost one that run together (Allen and Cocke, "A catalogue of optimizing transformations",
//! 1972; Callahan, Carr and Kennedy, "Improving register allocation for subscripted variables", PLDI 1990):
//! the last two loops `r, b` of a band become `ROWS * floor(r / ROWS), b, r`, the last of them unrolled where
//! all rows are there. Three kinds of bands gain:
//!
//! * *sums*: elements are accumulated along `b`, other ones for each `r` (`y[r] += A[r][b] * x[b]`);
//!   each element keeps the order of its own sum, and as many sums as rows are in flight;
//! * *updates*: the elements that are accumulated move along `b`, the vector loop, and stay for all `r`
//!   (`y[b] += A[r][b] * x[r]`): they are loaded and stored once for all rows of a strip;
//! * *recurrences*: each element needs the one before it along `b` (`p[r][b] = 1 / (p[r][b-1] + c)`), and
//!   rows are independent: as many chains of operations as rows are in flight. [`RECURRENCES`] are enough for
//!   these, which often divide.
//!
//! Which it is, is found from the strides of the statements that have most instances. Where updates read a
//! matrix that stays in the second level cache, since the loops outside of the band read it again and again,
//! streams do not matter, and it is the updated vector that is cut instead (*columns*): the loops become
//! `c * floor(b / c), r, b` with a few vectors `c` of elements, which stay in registers for all `r`: a
//! register tile ([`crate::tile::register_tile`]) one row high.
//!
//! # Legality
//! The new members are monotone functions of members of a permutable band, so no distance becomes
//! negative. Parallel and vector loops around the unrolled one are tested again, as they now stand
//! outside of it.
use crate::cost::locality::{Stride, stride};
use crate::cost::nest::{Nest, NestAccess, NestStatement, is_heavy};
use crate::decision::{Decision, JamKind};
use crate::loops::vectorize::Innermost;
use crate::site::BandSite;
use crate::site::marks::{mark_band, nonempty_band};
use crate::site::outer_loops::{OuterLoops, mark_parallel};
use crate::tile::register_tile::{FullTiles, element_bytes};
use loopwright_exact::Row;
use loopwright_presburger::{Int, Name, Result, UnionPwAff};
use loopwright_schedule::{AstLoopType, Band, LoopKind, Member, Node, TileLoops};

/// Rows that run together, at most. Measured on a Xeon with AVX-512: 4 rows read memory 1.5 times as
/// fast as one, 8 rows 1.7 times, 16 rows not faster than 8.
pub const ROWS: i64 = 8;

/// Rows that run together where each carries a recurrence. Measured on a Xeon (PolyBench's adi beyond the
/// caches): 4 rows take 0.54 of the time, 8 rows 0.56, 16 rows 0.6.
pub const RECURRENCES: i64 = 4;

/// Vectors of results that stay in registers. Four wait little for their last addition; with more, longer
/// parts of rows of the matrix are read, but fewer strips are full.
const VECTORS: i64 = 4;

/// Loops with fewer values than this are left as they are.
const SHORTEST: i64 = 4 * ROWS;

/// The choice for a band.
#[derive(Clone, Debug)]
pub struct UnrollAndJam {
    /// What the band does.
    pub kind: JamKind,
    /// Rows, or columns, that run together.
    pub size: i64,
    /// The order of the members of the band, that which is cut into strips second last.
    order: Vec<usize>,
    full: FullTiles,
    /// Where the loop over strips of rows is parallel: the scalars private to its iterations.
    parallel: Option<Vec<Name>>,
}

/// A band that is not tiled, with its loops.
#[derive(Clone, Copy)]
struct Untiled<'a> {
    site: &'a BandSite<'a>,
    /// The order of its members.
    order: &'a [usize],
    /// Its loops, of which one may be parallel; they may be chunks of its innermost loop.
    outer: &'a OuterLoops,
}

impl UnrollAndJam {
    /// The choice for an untiled band whose members are in this `order`, with the `innermost` loop last and
    /// the loops `outer` that may be parallel; none if it is not permutable or its accesses are of no kind
    /// that gains, the loops are short, or parallel and vector loops would not stay independent.
    ///
    /// # Errors
    /// For malformed trees.
    pub(crate) fn choose(
        site: &BandSite,
        order: &[usize],
        innermost: &Innermost,
        outer: &OuterLoops,
    ) -> Result<Option<UnrollAndJam>> {
        let BandSite { band, child, nest, options, .. } = site;
        let candidate = Untiled { site, order, outer };
        let n = band.n_members();
        let &[.., row, inner] = order else { return Ok(None) };
        let is_short = nest.extent(row) < SHORTEST || nest.extent(inner) < SHORTEST;
        let has_other_tiles = outer.is_tiled && outer.band.n_members() > 1;
        let is_parallel =
            !outer.is_tiled && outer.parallel.as_ref().is_some_and(|p| p.position == n - 1);
        if !band.permutable || is_short || has_other_tiles || is_parallel {
            return Ok(None);
        }
        let is_serial = matches!(innermost, Innermost::Serial | Innermost::Split(_));
        match kind(nest, row, inner) {
            Some(JamKind::Sums) if is_serial && !options.reassociate && is_straight_line(child) => {
                candidate.rows(JamKind::Sums)
            }
            Some(JamKind::Updates) if innermost.is_free() && is_straight_line(child) => {
                match columns(site, row, inner) {
                    Some(columns) if matches!(child, Node::Leaf) && outer.parallel.is_none() => {
                        candidate.columns(columns)
                    }
                    _ => candidate.rows(JamKind::Updates),
                }
            }
            None if matches!(innermost, Innermost::Serial)
                && band.members[row].coincident
                && is_straight_line(child)
                && carries_recurrence(nest, inner) =>
            {
                candidate.rows(JamKind::Recurrences)
            }
            _ => Ok(None),
        }
    }

    /// What was decided.
    pub fn decision(&self) -> Decision {
        Decision::Together(self.kind, self.size)
    }

    /// The band above `inner`, with the loops outside that `outer` says.
    ///
    /// # Errors
    /// Those of tiling.
    pub fn assemble(&self, band: &Band, outer: &OuterLoops, inner: Node) -> Result<Node> {
        let n = band.n_members();
        let points = band.permute(&self.order)?;
        let chunks = if outer.is_tiled { outer.band.n_members() } else { 0 };
        let members = points.schedule.members();
        let isolated = |member: UnionPwAff, known: usize, more: usize, kind: AstLoopType| {
            let isolate = self.full.isolated_in_order(&self.order, chunks, known, more, 1);
            let mut band = Band::from_member(member);
            band.members[0] = Member { isolate_ast_loop_type: kind, ..Member::default() };
            Band { isolate: Some(isolate), ..band }
        };
        let strip = strips(&members[n - 2], self.size)?;
        let together = members[n - 2].clone();
        let along = isolated(members[n - 1].clone(), n, 0, AstLoopType::Default);
        let strip = isolated(strip, n - 1, 0, AstLoopType::Default);
        let unrolled = |member| isolated(member, n, 1, AstLoopType::Unroll);
        let vector = |band, below| mark_band(band, LoopKind::Vector, &[], below);
        let below = match self.kind {
            JamKind::Sums | JamKind::Recurrences => {
                Node::band(along, Node::band(unrolled(together), inner))
            }
            JamKind::Updates => vector(along, Node::band(unrolled(together), inner)),
            JamKind::Columns => Node::band(along, vector(Band::from_member(together), inner)),
        };
        let below = match &self.parallel {
            Some(private) => mark_band(strip, LoopKind::Parallel, private, below),
            None => Node::band(strip, below),
        };
        let (others, _) = points.split(n - 2);
        Ok(match (&outer.parallel, outer.is_tiled) {
            (Some(parallel), true) => {
                mark_parallel(&outer.band, parallel, nonempty_band(others, below))
            }
            (None, true) => Node::band(outer.band.clone(), nonempty_band(others, below)),
            (Some(parallel), false) if parallel.position < n - 2 => {
                mark_parallel(&others, parallel, below)
            }
            _ => nonempty_band(others, below),
        })
    }
}

impl Untiled<'_> {
    /// Rows together.
    fn rows(&self, kind: JamKind) -> Result<Option<UnrollAndJam>> {
        let Untiled { site, order, outer } = *self;
        let n = order.len();
        let (row, inner) = (order[n - 2], order[n - 1]);
        let members = site.members();
        let size = rows(kind, site);
        let mut loops = site.members_in(&order[..n - 2]);
        loops.push(strips(&members[row], size)?);
        let mut parallel = None;
        if !outer.is_tiled && outer.parallel.as_ref().is_some_and(|p| p.position == n - 2) {
            parallel = site.private_scalars(&loops)?;
            if parallel.is_none() {
                return Ok(None);
            }
        }
        loops.push(members[inner].clone());
        if kind == JamKind::Updates
            && site.private_scalars(&loops)?.is_none_or(|private| !private.is_empty())
        {
            return Ok(None);
        }
        let full = self.full_strips(row, size)?;
        let order = order.to_vec();
        Ok(full.map(|full| UnrollAndJam { kind, size, order, full, parallel }))
    }

    /// `size` columns together.
    fn columns(&self, size: i64) -> Result<Option<UnrollAndJam>> {
        let mut order = self.order.to_vec();
        let n = order.len();
        let full = self.full_strips(order[n - 1], size)?;
        order.swap(n - 2, n - 1);
        let kind = JamKind::Columns;
        Ok(full.map(|full| UnrollAndJam { kind, size, order, full, parallel: None }))
    }

    /// Which strips of `size` values of `member` are full.
    fn full_strips(&self, member: usize, size: i64) -> Result<Option<FullTiles>> {
        let sizes = |each| if each == member { size } else { 1 };
        FullTiles::new(&self.site.nest, self.site.below, sizes)
    }
}

/// The number of rows that run together: as many as leave registers for what they read.
fn rows(kind: JamKind, site: &BandSite) -> i64 {
    if kind == JamKind::Recurrences {
        return RECURRENCES;
    }
    let nest = &site.nest;
    let heavy = nest.statements.iter().filter(|s| is_heavy(nest, s)).count();
    let registers = i64::try_from(site.machine().vector_registers).unwrap_or(0);
    if ROWS * heavy as i64 <= registers / 2 { ROWS } else { ROWS / 2 }
}

/// The number of columns whose results stay in registers for all rows; none if the matrix that they are
/// updated with does not stay in the second level cache from one run of the band to the next.
fn columns(site: &BandSite, row: usize, inner: usize) -> Option<i64> {
    let (nest, machine) = (&site.nest, site.machine());
    let [statement] = &nest.statements[..] else { return None };
    let bytes = element_bytes(site.scop, statement)?;
    let direction = |dimension: usize| statement.direction(dimension);
    let outside: Option<Vec<Row>> = (0..nest.first).map(direction).collect();
    let outside = outside?;
    let (row_step, inner_step) = (direction(nest.first + row)?, direction(nest.first + inner)?);
    let stays = |access: &NestAccess| {
        !access.is_write
            && stride(access, &inner_step) == Stride::Unit
            && stride(access, &row_step) != Stride::Zero
            && outside.iter().all(|step| stride(access, step) == Stride::Zero)
    };
    let is_repeated = outside.iter().any(|step| !step.is_zero());
    let cache = i64::try_from(machine.l2_bytes / 2).unwrap_or(i64::MAX);
    let footprint = nest.extent(row).saturating_mul(nest.extent(inner)).saturating_mul(bytes);
    let vector_bytes = i64::try_from(machine.vector_bytes).unwrap_or(0);
    let columns = vector_bytes / bytes.max(1) * VECTORS;
    let fits = columns > 0 && nest.extent(inner) >= 2 * columns && footprint <= cache;
    (is_repeated && fits && statement.accesses.iter().any(stays)).then_some(columns)
}

/// The loop over strips.
fn strips(row: &UnionPwAff, rows: i64) -> Result<UnionPwAff> {
    let single = Band::from_member(row.clone());
    let (tiles, _) = single.tile(&[Int::from(rows)], TileLoops::Scaled)?;
    Ok(tiles.schedule.members()[0].clone())
}

/// Whether there are statements one after the other below a band, and nothing else.
pub(crate) fn is_straight_line(child: &Node) -> bool {
    match child {
        Node::Leaf => true,
        Node::Sequence(children) => children
            .iter()
            .all(|part| matches!(part, Node::Filter(_, below) if matches!(**below, Node::Leaf))),
        _ => false,
    }
}

/// Whether a statement with most instances reads an array along the innermost loop that such a statement
/// writes along it.
fn carries_recurrence(nest: &Nest, inner: usize) -> bool {
    let moving = |is_write: bool| {
        let heavy = nest.statements.iter().filter(|statement| is_heavy(nest, statement));
        heavy.flat_map(move |statement| {
            let step = statement.direction(nest.first + inner);
            let moves = move |access: &&NestAccess| {
                let is_fixed = step.as_ref().is_none_or(|s| stride(access, s) == Stride::Zero);
                access.is_write == is_write && !is_fixed
            };
            statement.accesses.iter().filter(moves).map(|access| access.array)
        })
    };
    moving(true).any(|written| moving(false).any(|read| read == written))
}

/// The kind of the statements with most instances, if they are all of one.
fn kind(nest: &Nest, row: usize, inner: usize) -> Option<JamKind> {
    let mut heavy = nest.statements.iter().filter(|statement| is_heavy(nest, statement));
    let first = kind_of(nest, heavy.next()?, row, inner)?;
    heavy.all(|statement| kind_of(nest, statement, row, inner) == Some(first)).then_some(first)
}

fn kind_of(nest: &Nest, statement: &NestStatement, row: usize, inner: usize) -> Option<JamKind> {
    let row = statement.direction(nest.first + row)?;
    let inner = statement.direction(nest.first + inner)?;
    if row.is_zero() || inner.is_zero() {
        return None;
    }
    let mut written = statement.accesses.iter().filter(|access| access.is_write);
    let strides = |access| (stride(access, &row), stride(access, &inner));
    let first = strides(written.next()?);
    if !written.all(|access| strides(access) == first) {
        return None;
    }
    // Sums of what is read down columns have other troubles than waiting for additions.
    let is_streamed = statement.accesses.iter().all(|a| stride(a, &inner) != Stride::Large);
    match first {
        (Stride::Unit | Stride::Large, Stride::Zero) if is_streamed => Some(JamKind::Sums),
        (Stride::Zero, Stride::Unit) => Some(JamKind::Updates),
        _ => None,
    }
}
