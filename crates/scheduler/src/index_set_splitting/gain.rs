//! When a schedule of halves is better than one of whole statements.
use crate::index_set_splitting::SplitIndexSets;
use loopwright_presburger::{Name, Tuple};
use loopwright_schedule::{Band, Node, ScheduleTree};
use std::collections::BTreeMap;

/// The outermost band of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Outermost {
    /// The number of members that may be permuted.
    depth: usize,
    /// The number of outer coincident members.
    coincident: usize,
}

impl Outermost {
    fn of(band: &Band) -> Self {
        let depth = if band.permutable { band.n_members() } else { band.n_members().min(1) };
        Outermost { depth, coincident: band.n_outer_coincident() }
    }

    fn least(self, other: Self) -> Self {
        let depth = self.depth.min(other.depth);
        Outermost { depth, coincident: self.coincident.min(other.coincident) }
    }

    fn is_at_least(self, other: Self) -> bool {
        self.depth >= other.depth && self.coincident >= other.coincident
    }
}

/// Whether every statement is in an outermost band that has all its loops, with a coincident one
/// outside.
pub(super) fn is_best(tree: &ScheduleTree) -> bool {
    let found = outermost(tree);
    statements(tree).iter().all(|tuple| {
        let (dims, outermost) = (tuple.n_dims(), of(&found, tuple));
        outermost.depth >= dims && outermost.coincident >= dims.min(1)
    })
}

/// Whether all statements have at least as many permutable and coincident members in their outermost
/// bands when they are cut, and some statement has more.
pub(super) fn is_gain(whole: &ScheduleTree, halves: &ScheduleTree, split: &SplitIndexSets) -> bool {
    let (before, after) = (outermost(whole), outermost(halves));
    let mut has_more = false;
    for statement in statements(whole) {
        let old = of(&before, &statement);
        let pieces = split.pieces_of(&statement);
        let new = pieces.iter().map(|piece| of(&after, piece)).reduce(Outermost::least);
        let new = new.unwrap_or(old);
        if !new.is_at_least(old) {
            return false;
        }
        has_more |= new != old;
    }
    has_more
}

fn statements(tree: &ScheduleTree) -> Vec<Tuple> {
    tree.domain.sets().iter().filter_map(|set| set.space().output().cloned()).collect()
}

/// Statements and their outermost bands by name and number of dimensions.
type ByName = BTreeMap<(Option<Name>, usize), Outermost>;

fn key(tuple: &Tuple) -> (Option<Name>, usize) {
    (tuple.name().cloned(), tuple.n_dims())
}

fn of(found: &ByName, tuple: &Tuple) -> Outermost {
    found.get(&key(tuple)).copied().unwrap_or_default()
}

/// The outermost bands of all statements; none for those that no band reaches.
fn outermost(tree: &ScheduleTree) -> ByName {
    let mut found = ByName::new();
    collect(&tree.root, &mut found);
    found
}

fn collect(node: &Node, found: &mut ByName) {
    let Node::Band(band, _) = node else {
        return node.children().iter().for_each(|child| collect(child, found));
    };
    let parts = band.schedule.members().iter().take(1).flat_map(|member| member.parts());
    for tuple in parts.filter_map(|part| part.domain_space().output()) {
        found.insert(key(tuple), Outermost::of(band));
    }
}
