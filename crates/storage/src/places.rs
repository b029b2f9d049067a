//! Where a schedule tree runs statements: the loops around them, and their positions in sequences.
use crate::universe::{Bands, Run, RunKind};
use loopwright_presburger::{Aff, DimKind, Map, MultiAff, Result, Set, Space, Tuple};
use loopwright_schedule::{Node, Piece, Reaching, ScheduleTree};

/// A level of a place, outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Position among the children of a sequence or set.
    Position(i64),
    Loop,
}

/// Instances of one statement at a leaf of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The instances.
    pub(crate) instances: Set,
    /// From instances to the values of the loops around them.
    pub(crate) loops: Map,
    pub(crate) levels: Vec<Level>,
    /// How the loops run.
    pub(crate) bands: Bands,
}

impl Place {
    /// The number of loops that are around both places, and whether the other one comes later in an iteration
    /// of these.
    pub(crate) fn shared_loops(&self, other: &Place) -> (usize, bool) {
        let mut n_loops = 0;
        for (own, other) in self.levels.iter().zip(&other.levels) {
            match (own, other) {
                (Level::Loop, Level::Loop) => n_loops += 1,
                (Level::Position(a), Level::Position(b)) if a == b => {}
                (Level::Position(a), Level::Position(b)) => return (n_loops, b > a),
                _ => break,
            }
        }
        (n_loops, false)
    }

    /// From instances to the values of the outermost `n` loops.
    pub(crate) fn outer_loops(&self, n: usize) -> Map {
        let all = self.loops.space().n(DimKind::Out);
        self.loops.project_out(DimKind::Out, n, all.saturating_sub(n))
    }
}

/// The places of a tree; permutable bands are runs of tilable loops, others of sequential ones.
///
/// # Errors
/// If the tree is malformed.
pub(crate) fn places(tree: &ScheduleTree) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    let above = Above { levels: Vec::new(), bands: Bands { runs: Vec::new() } };
    collect(&tree.root, &Reaching::root(tree), above, &mut places)?;
    Ok(places)
}

/// What is above a node.
#[derive(Clone)]
struct Above {
    levels: Vec<Level>,
    bands: Bands,
}

fn collect(node: &Node, reaching: &Reaching, above: Above, places: &mut Vec<Place>) -> Result<()> {
    if node.is_leaf() {
        for piece in &reaching.pieces {
            places.push(Place {
                instances: piece.domain.clone(),
                loops: loops_of(piece)?,
                levels: above.levels.clone(),
                bands: above.bands.clone(),
            });
        }
        return Ok(());
    }
    let inside = reaching.below(node)?;
    for ((position, child), below) in (0i64..).zip(node.children()).zip(&inside) {
        let mut above = above.clone();
        match node {
            Node::Sequence(_) | Node::Set(_) => above.levels.push(Level::Position(position)),
            Node::Band(band, _) => {
                above.levels.extend(std::iter::repeat_n(Level::Loop, band.n_members()));
                let kind = if band.permutable { RunKind::Tilable } else { RunKind::Sequential };
                above.bands.runs.push(Run { kind, n_dims: band.n_members() });
            }
            _ => {}
        }
        collect(child, below, above, places)?;
    }
    Ok(())
}

fn loops_of(piece: &Piece) -> Result<Map> {
    let merge = |space: Space, aff: &Aff| space.merge_params(aff.domain_space());
    let space = piece.schedule.iter().fold(piece.domain.space().clone(), merge);
    let affs = piece.schedule.iter().map(|aff| aff.align_params(&space)).collect();
    let range = Space::set(space.param_names(), Tuple::anonymous(piece.schedule.len()));
    MultiAff::new(space.map_to(&range), affs)?.to_map().intersect_domain(&piece.domain)
}
