//! Paths between two nodes of a graph that is too large to look at as a whole.
use rustc_hash::{FxHashMap, FxHashSet};

/// The nodes next to each node.
pub(crate) struct Neighbours {
    pub(crate) after: Vec<Vec<usize>>,
    pub(crate) before: Vec<Vec<usize>>,
}

impl Neighbours {
    /// A graph without edges.
    pub(crate) fn new(n: usize) -> Self {
        Neighbours { after: vec![Vec::new(); n], before: vec![Vec::new(); n] }
    }

    /// Adds an edge.
    pub(crate) fn add(&mut self, from: usize, to: usize) {
        self.after[from].push(to);
        self.before[to].push(from);
    }
}

/// A search along edges in one direction, up to another node.
struct PathSearch {
    end: usize,
    /// Nodes that were reached, but whose edges were not followed yet.
    open: Vec<usize>,
    reached: FxHashSet<usize>,
    /// For each node that was reached those that it was reached from.
    origins: FxHashMap<usize, Vec<usize>>,
}

impl PathSearch {
    fn new(start: usize, end: usize) -> Self {
        let reached = FxHashSet::from_iter([start]);
        PathSearch { end, open: vec![start], reached, origins: FxHashMap::default() }
    }

    /// Follows the edges of one node; whether the search is over.
    fn step(&mut self, neighbours: impl Fn(usize) -> Vec<usize>) -> bool {
        let Some(node) = self.open.pop() else { return true };
        for next in neighbours(node) {
            self.origins.entry(next).or_default().push(node);
            if self.reached.insert(next) && next != self.end {
                self.open.push(next);
            }
        }
        self.open.is_empty()
    }

    /// The nodes on the way to the end, sorted.
    fn way_back(&self) -> Vec<usize> {
        if !self.reached.contains(&self.end) {
            return Vec::new();
        }
        let mut open = vec![self.end];
        let mut found = FxHashSet::from_iter([self.end]);
        while let Some(node) = open.pop() {
            let origins = self.origins.get(&node).into_iter().flatten();
            open.extend(origins.copied().filter(|&origin| found.insert(origin)));
        }
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

/// The nodes on paths between two nodes, in whichever direction there are some, and the two, sorted. The
/// graph has no cycles.
pub(crate) fn nodes_of_paths(
    a: usize,
    b: usize,
    successors: impl Fn(usize) -> Vec<usize>,
    predecessors: impl Fn(usize) -> Vec<usize>,
) -> Vec<usize> {
    for (from, to) in [(a, b), (b, a)] {
        let nodes = nodes_between(from, to, &successors, &predecessors);
        if !nodes.is_empty() {
            return nodes;
        }
    }
    vec![a.min(b), a.max(b)]
}

/// The nodes on paths from one node to another one in a graph without cycles, sorted, with both
/// ends; none if there is no path.
///
/// The graph is searched from both ends by turns, until one of the searches is over: the work is about
/// twice that of the shorter one.
fn nodes_between(
    from: usize,
    to: usize,
    successors: impl Fn(usize) -> Vec<usize>,
    predecessors: impl Fn(usize) -> Vec<usize>,
) -> Vec<usize> {
    let (mut forwards, mut backwards) = (PathSearch::new(from, to), PathSearch::new(to, from));
    loop {
        if backwards.step(&predecessors) {
            return backwards.way_back();
        }
        if forwards.step(&successors) {
            return forwards.way_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_testkit::Choices;

    fn reachable(n: usize, edges: &[(usize, usize)]) -> Vec<Vec<bool>> {
        let mut reaches = vec![vec![false; n]; n];
        (0..n).for_each(|node| reaches[node][node] = true);
        for _ in 0..n {
            for &(a, b) in edges {
                for row in &mut reaches {
                    row[b] |= row[a];
                }
            }
        }
        reaches
    }

    #[test]
    fn the_nodes_are_those_that_both_ends_reach() {
        let mut choices = Choices::from_seed(5);
        for _ in 0..300 {
            let n = 2 + choices.below(8);
            let edges: Vec<(usize, usize)> = (0..choices.below(16))
                .map(|_| (choices.below(n), choices.below(n)))
                .map(|(a, b)| (a.min(b), a.max(b)))
                .filter(|(a, b)| a != b)
                .collect();
            let (from, to) = (choices.below(n), choices.below(n));
            if from == to {
                continue;
            }
            let ends = |node: usize, backwards: bool| {
                let ends = edges.iter().map(|&(a, b)| if backwards { (b, a) } else { (a, b) });
                ends.filter(|&(a, _)| a == node).map(|(_, b)| b).collect()
            };
            let found = nodes_between(from, to, |node| ends(node, false), |node| ends(node, true));
            let reaches = reachable(n, &edges);
            let expected: Vec<usize> =
                (0..n).filter(|&node| reaches[from][node] && reaches[node][to]).collect();
            assert_eq!(found, expected, "{edges:?} from {from} to {to}");
        }
    }
}
