//! Bands whose loops are marked.
use loopwright_presburger::Name;
use loopwright_schedule::{Band, LoopKind, LoopMark, Node};

/// The bands for `band` above `child` with member `member` marked: it becomes a band of its own
/// under the mark, the members before and after it bands around.
pub fn mark_member(
    band: &Band,
    member: usize,
    kind: LoopKind,
    private: &[Name],
    child: Node,
) -> Node {
    let (outer, rest) = band.split(member);
    let (single, inner) = rest.split(1);
    let below = nonempty_band(inner, child);
    nonempty_band(outer, mark_band(single, kind, private, below))
}

/// A band above `child`, its first loop marked.
pub fn mark_band(band: Band, kind: LoopKind, private: &[Name], child: Node) -> Node {
    let mark = LoopMark { kind, private: private.to_vec(), reductions: Vec::new() }.to_string();
    Node::mark(&mark, Node::band(band, child))
}

/// `child` below `band`, or alone if the band has no members.
pub fn nonempty_band(band: Band, child: Node) -> Node {
    if band.n_members() == 0 { child } else { Node::band(band, child) }
}
