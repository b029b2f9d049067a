//! The loops outside of the points of a band, one of them on several threads.
use crate::decision::Decision;
use crate::site::marks::{mark_band, mark_member, nonempty_band};
use loopwright_presburger::Name;
use loopwright_schedule::{Band, LoopKind, Node};

/// The outer loops that a band becomes: tile loops, or all loops if it is not tiled.
#[derive(Clone, Debug)]
pub struct OuterLoops {
    /// The loops.
    pub band: Band,
    /// Whether the point loops stand inside them.
    pub is_tiled: bool,
    /// The one among them that runs on several threads.
    pub parallel: Option<ParallelLoop>,
}

/// A loop whose iterations run on several threads.
#[derive(Clone, Debug)]
pub struct ParallelLoop {
    /// Its position among the loops.
    pub position: usize,
    /// How its iterations depend on each other.
    pub kind: LoopKind,
    /// The variables private to its iterations.
    pub private: Vec<Name>,
    /// Whether the iterations of the next loop are independent as well, and threads share those of both.
    pub is_collapsed: bool,
}

impl ParallelLoop {
    /// The loop at a position, whose iterations are independent up to private variables.
    pub fn independent(position: usize, private: Vec<Name>) -> ParallelLoop {
        ParallelLoop { position, kind: LoopKind::Parallel, private, is_collapsed: false }
    }
}

/// The loops outside of the points, and what changes with them.
#[derive(Clone, Debug)]
pub struct OuterChoice {
    /// The loops.
    pub loops: OuterLoops,
    /// The order of the members that is reported, if another one than that of the points.
    pub order: Option<Vec<usize>>,
    /// Tile sizes by member that take the place of those of the points: the tiles are diamonds.
    pub diamonds: Option<Vec<i64>>,
    /// What was decided.
    pub decisions: Vec<Decision>,
}

impl OuterChoice {
    /// Loops that change nothing else.
    pub fn of(loops: OuterLoops, decisions: Vec<Decision>) -> Self {
        OuterChoice { loops, order: None, diamonds: None, decisions }
    }
}

/// The bands for `band` above `child` with the loop that runs on several threads marked.
pub fn mark_parallel(band: &Band, parallel: &ParallelLoop, child: Node) -> Node {
    let ParallelLoop { position, kind, private, is_collapsed } = parallel;
    match kind {
        LoopKind::Parallel if *is_collapsed => {
            let (outer, rest) = band.split(*position);
            let (first, rest) = rest.split(1);
            let below = mark_member(&rest, 0, *kind, &[], child);
            nonempty_band(outer, mark_band(first, *kind, private, below))
        }
        LoopKind::Parallel | LoopKind::Vector | LoopKind::Block(_) | LoopKind::Thread(_) => {
            mark_member(band, *position, *kind, private, child)
        }
        LoopKind::Pipelined => {
            let (outer, rows) = band.split(*position);
            nonempty_band(outer, mark_band(rows, *kind, private, child))
        }
    }
}

impl OuterLoops {
    /// All loops of a band that is not tiled, none of them parallel.
    pub fn untiled(band: Band) -> Self {
        OuterLoops { band, is_tiled: false, parallel: None }
    }
}
