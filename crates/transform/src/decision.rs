//! What is decided about a band.
use crate::settings::Tiling;
use crate::tile::tiling_cost::TilingCost;
use loopwright_presburger::Rational;
use std::fmt;

/// What the innermost loop does in the statements that count, where rows or columns run together
/// ([`crate::tile::unroll_and_jam`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JamKind {
    /// Elements are accumulated along it.
    Sums,
    /// Elements move along it that are accumulated along the loop around.
    Updates,
    /// Elements move along it that are accumulated along the loop around, a few of them at a time.
    Columns,
    /// Each element needs the one before it.
    Recurrences,
}

/// A decision about a band; as text, a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Iterations run on several threads.
    Parallel(Threads),
    /// The iterations of the next loop are shared by the threads, too.
    Collapsed,
    /// Nothing of the band runs on several threads, for this reason.
    Sequential(&'static str),
    /// Tiles of these sizes, by member.
    Tiled(Vec<i64>),
    /// Tiles of these sizes in diamonds of a member and others.
    Diamonds {
        /// By member.
        sizes: Vec<i64>,
        /// The member along which tiles start one after the other.
        face: usize,
        /// The members that it is combined with.
        with: Vec<usize>,
    },
    /// Overlapped tiles.
    Overlapped {
        /// Time steps, then extents of blocks.
        sizes: Vec<i64>,
        /// Instances that tiles execute for each one of the program, away from borders.
        redundancy: Rational,
    },
    /// A recursion over zoids.
    Zoids {
        /// Time steps and widths down to which zoids are cut, by member.
        sizes: Vec<i64>,
    },
    /// Tiles of the shape that was asked for.
    Shaped {
        /// The shape.
        tiling: Tiling,
        /// By member; none for the last ones if tiles are whole along them.
        sizes: Vec<i64>,
        /// What an instance costs in them.
        cost: TilingCost,
    },
    /// There are no tiles of the shape that was asked for.
    ShapeRefused {
        /// The shape.
        tiling: Tiling,
        /// Why.
        reason: String,
    },
    /// No tiles, for this reason.
    NotTiled(&'static str),
    /// Results of tiles of this size stay in registers.
    RegisterTiles {
        /// Values of the row loop.
        rows: i64,
        /// Values of the vector loop.
        columns: i64,
    },
    /// The same for those instances in tiles that are updates.
    UpdateTiles {
        /// Values of the row loop.
        rows: i64,
        /// Values of the vector loop.
        columns: i64,
    },
    /// So many rows or columns of an untiled band run together.
    Together(JamKind, i64),
    /// A member was moved inside for the sake of strides.
    RunsInnermost(usize),
    /// The innermost loop becomes so many loops, over parts of its statements.
    InnermostInParts(usize),
    /// The innermost loop becomes several loops, over ranges of its values.
    InnermostInRanges,
    /// Several rows of an innermost loop that carries a dependence advance in step.
    InStep,
}

/// The iterations that run on several threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Threads {
    /// The tiles along a member.
    TileLoop(usize),
    /// The values of a member.
    Loop(usize),
    /// The values of a member, on both sides of those that carry dependences.
    Ranges(usize),
    /// Parts of the values of the innermost member.
    Chunks(usize),
    /// Rows of tiles as a pipeline.
    Pipeline,
    /// The tiles on a diagonal.
    Diagonals,
    /// The tiles on a diagonal, all at the same time.
    Concurrent {
        /// How steep diagonals are.
        steepness: i64,
        /// Along which member.
        face: usize,
    },
}

impl Decision {
    /// Whether something runs on several threads.
    pub fn is_parallel(&self) -> bool {
        matches!(self, Decision::Parallel(_) | Decision::Shaped { .. } | Decision::Zoids { .. })
    }

    /// Whether it says which tiles there are, or that there are none.
    pub(crate) fn is_about_tiles(&self) -> bool {
        matches!(self, Decision::Tiled(_) | Decision::Diamonds { .. } | Decision::NotTiled(_))
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decision::Parallel(threads) => write!(f, "parallel: {threads}"),
            Decision::Collapsed => {
                write!(f, "collapsed: threads share the iterations of the next loop, too")
            }
            Decision::Sequential(reason) => write!(f, "sequential: {reason}"),
            Decision::Tiled(sizes) => write!(f, "tiled with {sizes:?}"),
            Decision::Diamonds { sizes, face, with } => {
                write!(f, "tiled with {sizes:?}, in diamonds of members {face} and {with:?}")
            }
            Decision::Overlapped { sizes, redundancy } => {
                let hundredths = (redundancy * &Rational::from(100)).floor();
                let (whole, rest) =
                    (hundredths.div_floor(&100.into()), hundredths.mod_floor(&100.into()));
                write!(f, "overlapped tiles of {sizes:?}, {whole}.{rest:0>2} times the work")
            }
            Decision::Shaped { tiling, sizes, cost } => {
                let name = tiling.name();
                write!(f, "{name} tiles of {sizes:?}, by member, on several threads; {cost}")
            }
            Decision::Zoids { sizes } => {
                write!(
                    f,
                    "cache-oblivious tiles: zoids are cut down to {sizes:?}, by member, on several threads"
                )
            }
            Decision::ShapeRefused { tiling, reason } => {
                write!(f, "no {} tiles: {reason}", tiling.name())
            }
            Decision::NotTiled(reason) => write!(f, "not tiled: {reason}"),
            Decision::RegisterTiles { rows, columns } => {
                write!(f, "results in registers: tiles of {rows} x {columns}")
            }
            Decision::UpdateTiles { rows, columns } => {
                write!(f, "results of updates in registers: tiles of {rows} x {columns}")
            }
            Decision::Together(JamKind::Sums, rows) => {
                write!(f, "{rows} rows run together, each with sums of its own")
            }
            Decision::Together(JamKind::Updates, rows) => {
                write!(f, "{rows} rows run together: elements are updated by all of them")
            }
            Decision::Together(JamKind::Recurrences, rows) => {
                write!(f, "{rows} rows run together, each with a recurrence of its own")
            }
            Decision::Together(JamKind::Columns, columns) => {
                write!(f, "results in registers: tiles of 1 x {columns}")
            }
            Decision::RunsInnermost(member) => {
                write!(f, "member {member} runs innermost: better strides")
            }
            Decision::InnermostInParts(parts) => {
                write!(f, "the innermost loop is split into {parts} loops")
            }
            Decision::InnermostInRanges => {
                write!(f, "the innermost loop is split where it carries dependences")
            }
            Decision::InStep => {
                write!(f, "the innermost loop carries a dependence: rows advance in step")
            }
        }
    }
}

impl fmt::Display for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Threads::TileLoop(member) => write!(f, "tile loop {member}"),
            Threads::Loop(member) => write!(f, "loop {member}"),
            Threads::Ranges(member) => {
                write!(f, "loop {member}, split where it carries dependences")
            }
            Threads::Chunks(member) => write!(f, "chunks of member {member}"),
            Threads::Pipeline => write!(f, "rows of tiles, each behind the one before"),
            Threads::Diagonals => write!(f, "the tiles on a diagonal"),
            Threads::Concurrent { steepness, face } => write!(
                f,
                "all tiles of a diagonal start concurrently ({steepness} times member {face})"
            ),
        }
    }
}
