//! Which loop runs in parallel, and how the tree says so.
use crate::PARALLEL_MARK;
use loopwright_schedule::{Band, Node};

/// The bands for `band` above `child` with member `member` marked as parallel: it becomes a band of
/// its own under the mark, the members before and after it bands around.
pub fn mark_member(band: &Band, member: usize, child: Node) -> Node {
    mark_single(band, member, PARALLEL_MARK, child)
}

/// The same for any mark.
pub fn mark_single(band: &Band, member: usize, mark: &str, child: Node) -> Node {
    let (outer, rest) = band.split(member);
    let (single, inner) = rest.split(1);
    let below = nonempty_band(inner, child);
    nonempty_band(outer, Node::mark(mark, Node::band(single, below)))
}

/// `child` below `band`, or alone if the band has no members.
pub fn nonempty_band(band: Band, child: Node) -> Node {
    if band.n_members() == 0 { child } else { Node::band(band, child) }
}
