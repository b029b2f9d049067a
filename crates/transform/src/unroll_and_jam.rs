//! Unroll-and-jam: products of matrices and vectors, several rows in one pass.
//!
//! Bands that are not tiled, since a vector that fits into a cache is all they use again, are short of two
//! things. A sum along a row waits for each addition before it can begin the next, and one row is one
//! stream of memory, of which a core can follow many at a time. Both are cured by [`ROWS`]
//! iterations of the loop around the innermost one that run together (Allen and Cocke, "A catalogue of optimizing
//! transformations", 1972; Callahan, Carr and Kennedy, "Improving register allocation for subscripted
//! variables", PLDI 1990): the last two loops `r, b` of a band become
//! `ROWS * floor(r / ROWS), b, r`, the last of them unrolled where all rows are there. Two kinds of bands gain:
//!
//! * *sums*: elements are accumulated along `b`, other ones for each `r` (`y[r] += A[r][b] * x[b]`);
//!   each element keeps the order of its own sum, and as many sums as rows are in flight;
//! * *updates*: the elements that are accumulated move along `b`, the vector loop, and stay for all `r`
//!   (`y[b] += A[r][b] * x[r]`): they are loaded and stored once for all rows of a strip.
//!
//! Which it is, is found from the strides of the statements that have most instances.
//!
//! # Legality
//! The new members are monotone functions of members of a permutable band, so no distance becomes
//! negative. Parallel and vector loops around the unrolled one are tested again, as they now stand
//! outside of it.
use crate::Options;
use crate::independence::Independence;
use crate::locality::{Stride, stride};
use crate::loop_order::is_heavy;
use crate::nest::{Nest, NestStatement};
use crate::parallel::{Outer, mark_band, mark_member, nonempty_band};
use crate::plan::{Innermost, Plan};
use crate::register_tile::FullTiles;
use loopwright_presburger::{Int, Name, Result, UnionPwAff};
use loopwright_schedule::{AstLoopType, Band, LoopKind, Member, Node, Reaching, TileLoops};

/// Rows that run together, at most. Measured on a Xeon with AVX-512: 4 rows read memory 1.5 times as
/// fast as one, 8 rows 1.7 times, 16 rows not faster than 8.
pub const ROWS: i64 = 8;

/// Loops with fewer values than this are left as they are.
const SHORTEST: i64 = 4 * ROWS;

/// What the innermost loop does in the statements that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Elements are accumulated along it.
    Sums,
    /// Elements move along it that are accumulated along the loop around.
    Updates,
}

/// The choice for a band.
#[derive(Clone, Debug)]
pub struct UnrollAndJam {
    /// What the band does.
    pub kind: Kind,
    /// Rows that run together.
    pub rows: i64,
    /// The order of the members of the band, the rows second last.
    order: Vec<usize>,
    full: FullTiles,
    /// Where the loop over strips of rows is parallel: the scalars private to its iterations.
    parallel: Option<Vec<Name>>,
}

impl UnrollAndJam {
    /// The choice for a permutable `band` above `child` with the innermost loop and the order of `plan`,
    /// which is not tiled but may have chunks outside (`outer`); none if its accesses are not of either kind,
    /// the loops are short, or parallel and vector loops would not stay independent.
    ///
    /// # Errors
    /// For malformed trees.
    pub fn choose(
        band: &Band,
        child: &Node,
        nest: &Nest,
        reaching: &Reaching,
        independence: &Independence,
        plan: &Plan,
        outer: &Outer,
        options: &Options,
    ) -> Result<Option<UnrollAndJam>> {
        let n = band.n_members();
        let &[.., row, inner] = &plan.order[..] else { return Ok(None) };
        let is_short = nest.extent(row) < SHORTEST || nest.extent(inner) < SHORTEST;
        let has_other_tiles = outer.is_tiled && outer.band.n_members() > 1;
        if !band.permutable || is_short || has_other_tiles || !is_straight_line(child) {
            return Ok(None);
        }
        let Some(kind) = kind(nest, row, inner) else { return Ok(None) };
        let position = outer.parallel.as_ref().map(|(position, _)| *position);
        let is_free = matches!(&plan.innermost, Innermost::Vector(private) if private.is_empty());
        let is_serial = matches!(plan.innermost, Innermost::Serial | Innermost::Split(_));
        let fits = match kind {
            Kind::Sums => is_serial && !options.reassociate,
            Kind::Updates => is_free,
        };
        if !fits || (!outer.is_tiled && position == Some(n - 1)) {
            return Ok(None);
        }
        let heavy = nest.statements.iter().filter(|s| is_heavy(nest, s)).count();
        let registers = i64::try_from(options.machine.vector_registers).unwrap_or(0);
        let rows = if ROWS * heavy as i64 <= registers / 2 { ROWS } else { ROWS / 2 };
        let order = plan.order.clone();
        let members = band.schedule.members();
        let mut loops: Vec<UnionPwAff> =
            order[..n - 2].iter().map(|&member| members[member].clone()).collect();
        loops.push(strips(&members[row], rows)?);
        let mut parallel = None;
        if !outer.is_tiled && position == Some(n - 2) {
            parallel = independence.private_scalars(reaching, &loops)?;
            if parallel.is_none() {
                return Ok(None);
            }
        }
        loops.push(members[inner].clone());
        if kind == Kind::Updates
            && independence.private_scalars(reaching, &loops)?.is_none_or(|p| !p.is_empty())
        {
            return Ok(None);
        }
        let below = reaching.descend(&Node::band(band.clone(), Node::Leaf), 0)?;
        let full = FullTiles::new(nest, &below, |m| if m == row { rows } else { 1 })?;
        Ok(full.map(|full| UnrollAndJam { kind, rows, order, full, parallel }))
    }

    /// What was decided, as a sentence.
    pub fn decision(&self) -> String {
        let rows = self.rows;
        match self.kind {
            Kind::Sums => format!("{rows} rows run together, each with sums of its own"),
            Kind::Updates => {
                format!("{rows} rows run together: elements are updated by all of them")
            }
        }
    }

    /// The band above `inner`, with the loops outside that `outer` says.
    ///
    /// # Errors
    /// Those of tiling.
    pub fn assemble(&self, band: &Band, outer: &Outer, inner: Node) -> Result<Node> {
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
        let strip = strips(&members[n - 2], self.rows)?;
        let row = isolated(members[n - 2].clone(), n, 1, AstLoopType::Unroll);
        let along = isolated(members[n - 1].clone(), n, 0, AstLoopType::Default);
        let strip = isolated(strip, n - 1, 0, AstLoopType::Default);
        let below = Node::band(row, inner);
        let below = match self.kind {
            Kind::Sums => Node::band(along, below),
            Kind::Updates => mark_band(along, LoopKind::Vector, &[], below),
        };
        let below = match &self.parallel {
            Some(private) => mark_band(strip, LoopKind::Parallel, private, below),
            None => Node::band(strip, below),
        };
        let (others, _) = points.split(n - 2);
        Ok(match (&outer.parallel, outer.is_tiled) {
            (Some((member, private)), true) => {
                let below = nonempty_band(others, below);
                mark_member(&outer.band, *member, LoopKind::Parallel, private, below)
            }
            (None, true) => Node::band(outer.band.clone(), nonempty_band(others, below)),
            (Some((member, private)), false) if *member < n - 2 => {
                mark_member(&others, *member, LoopKind::Parallel, private, below)
            }
            _ => nonempty_band(others, below),
        })
    }
}

/// The loop over strips of rows.
fn strips(row: &UnionPwAff, rows: i64) -> Result<UnionPwAff> {
    let single = Band::from_member(row.clone());
    let (tiles, _) = single.tile(&[Int::from(rows)], TileLoops::Scaled)?;
    Ok(tiles.schedule.members()[0].clone())
}

/// Whether there are statements one after the other below a band, and nothing else.
fn is_straight_line(child: &Node) -> bool {
    match child {
        Node::Leaf => true,
        Node::Sequence(children) => children
            .iter()
            .all(|part| matches!(part, Node::Filter(_, below) if matches!(**below, Node::Leaf))),
        _ => false,
    }
}

/// The kind of the statements with most instances, if they are all of one.
fn kind(nest: &Nest, row: usize, inner: usize) -> Option<Kind> {
    let mut heavy = nest.statements.iter().filter(|statement| is_heavy(nest, statement));
    let first = kind_of(nest, heavy.next()?, row, inner)?;
    heavy.all(|statement| kind_of(nest, statement, row, inner) == Some(first)).then_some(first)
}

fn kind_of(nest: &Nest, statement: &NestStatement, row: usize, inner: usize) -> Option<Kind> {
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
    match first {
        (Stride::Unit | Stride::Large, Stride::Zero) => Some(Kind::Sums),
        (Stride::Zero, Stride::Unit) => Some(Kind::Updates),
        _ => None,
    }
}
