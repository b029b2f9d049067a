//! Connected components of graphs over statements, and topological orders.

/// The weakly connected components, each sorted, in the order of their first node.
pub(crate) fn weak_components(n: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..n).collect();
    fn find(leader: &mut [usize], mut node: usize) -> usize {
        while leader[node] != node {
            leader[node] = leader[leader[node]];
            node = leader[node];
        }
        node
    }
    for &(a, b) in edges {
        let (a, b) = (find(&mut leader, a), find(&mut leader, b));
        leader[a.max(b)] = a.min(b);
    }
    let mut components: Vec<Vec<usize>> = vec![Vec::new(); n];
    for node in 0..n {
        let root = find(&mut leader, node);
        components[root].push(node);
    }
    components.retain(|component| !component.is_empty());
    components
}

/// The strongly connected components, each sorted, in a topological order: among the components
/// that could come next, the one with the first node comes first.
pub(crate) fn strong_components(n: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let component = tarjan(n, edges);
    let count = component.iter().max().map_or(0, |&last| last + 1);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (node, &c) in component.iter().enumerate() {
        members[c].push(node);
    }
    let mut edges: Vec<(usize, usize)> =
        edges.iter().map(|&(a, b)| (component[a], component[b])).filter(|(a, b)| a != b).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut missing = vec![0usize; count];
    for &(_, b) in &edges {
        missing[b] += 1;
    }
    let mut order = Vec::with_capacity(count);
    let mut ready: std::collections::BTreeSet<(usize, usize)> =
        (0..count).filter(|&c| missing[c] == 0).map(|c| (members[c][0], c)).collect();
    while let Some((_, next)) = ready.pop_first() {
        let first = edges.partition_point(|&(a, _)| a < next);
        for &(_, b) in edges[first..].iter().take_while(|&&(a, _)| a == next) {
            missing[b] -= 1;
            if missing[b] == 0 {
                ready.insert((members[b][0], b));
            }
        }
        order.push(std::mem::take(&mut members[next]));
    }
    order
}

/// The number of the strongly connected component of each node (Tarjan 1972, with explicit stack).
fn tarjan(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); n];
    for &(a, b) in edges {
        successors[a].push(b);
    }
    let (mut index, mut low) = (vec![UNSEEN; n], vec![0; n]);
    let (mut component, mut n_components) = (vec![UNSEEN; n], 0);
    let (mut open, mut time) = (Vec::new(), 0);
    for root in 0..n {
        if index[root] != UNSEEN {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((node, next)) = calls.last_mut() {
            let node = *node;
            if *next == 0 {
                (index[node], low[node]) = (time, time);
                time += 1;
                open.push(node);
            }
            if let Some(&to) = successors[node].get(*next) {
                *next += 1;
                if index[to] == UNSEEN {
                    calls.push((to, 0));
                } else if component[to] == UNSEEN {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = open.pop() {
                    component[member] = n_components;
                    if member == node {
                        break;
                    }
                }
                n_components += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_components_are_in_order() {
        assert_eq!(weak_components(5, &[(3, 1), (4, 0)]), [vec![0, 4], vec![1, 3], vec![2]]);
    }

    #[test]
    fn strong_components_in_topological_order() {
        let edges = [(0, 1), (1, 2), (2, 1), (3, 0), (2, 4)];
        assert_eq!(strong_components(5, &edges), [vec![3], vec![0], vec![1, 2], vec![4]]);
    }

    #[test]
    fn independent_nodes_keep_their_order() {
        assert_eq!(strong_components(3, &[(2, 0)]), [vec![1], vec![2], vec![0]]);
    }

    #[test]
    fn a_node_with_a_loop_without_successors_is_one_component() {
        assert_eq!(strong_components(2, &[(0, 0), (0, 1)]), [vec![0], vec![1]]);
    }
}
