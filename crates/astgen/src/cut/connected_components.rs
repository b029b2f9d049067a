//! Which statements share a loop, and the order of the loops.
//!
//! An edge `a -> b` says that some instance of `b` comes after some instance of `a` with equal
//! outer dimensions. Statements of one strongly connected component may have to be interleaved;
//! different components get loops of their own, in topological order. Grosser, Verdoolaege, Cohen,
//! section 5.5.
use crate::cut::intervals::apart;
use crate::level::Level;
use loopwright_presburger::{
    BasicMap, BasicSet, Budget, Constraint, DimKind, Int, Result, Row, Set,
};

/// The strongly connected components of domains in topological order, by the values of dimension
/// `level`. `edge(a, b)` tells whether `b` follows `a`.
///
/// *Method.* Where constants separate the values ([`apart`]), nothing later is followed by anything
/// earlier, so that long sequences take no tests. Among the others, pairs with edges both ways are
/// merged first, which in the usual case of a single component takes `2 (n - 1)` tests; components
/// of longer cycles are found on the classes by reachability. Ties are broken by the least index,
/// so that the order is stable.
pub(crate) fn components(
    domains: &[&Set],
    level: usize,
    mut edge: impl FnMut(usize, usize) -> Result<bool>,
) -> Result<Vec<Vec<usize>>> {
    let mut result = Vec::new();
    for group in apart(domains, level) {
        let classes = connected(group.len(), |a, b| edge(group[a], group[b]))?;
        let members = |class: Vec<usize>| class.into_iter().map(|i| group[i]).collect();
        result.extend(classes.into_iter().map(members));
    }
    Ok(result)
}

/// The strongly connected components of the vertices `0..n` in topological order.
fn connected(
    n: usize,
    mut edge: impl FnMut(usize, usize) -> Result<bool>,
) -> Result<Vec<Vec<usize>>> {
    let mut known = vec![vec![None; n]; n];
    let mut test = |a: usize, b: usize| -> Result<bool> {
        match known[a][b] {
            Some(answer) => Ok(answer),
            None => {
                let answer = edge(a, b)?;
                known[a][b] = Some(answer);
                Ok(answer)
            }
        }
    };
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for vertex in 0..n {
        let mut joined = vec![vertex];
        let mut rest = Vec::new();
        for class in classes {
            let representative = class[0];
            if test(representative, vertex)? && test(vertex, representative)? {
                joined.extend(class);
            } else {
                rest.push(class);
            }
        }
        joined.sort_unstable();
        rest.push(joined);
        classes = rest;
    }
    if classes.len() > 1 {
        classes.sort();
        let follows = class_edges(&classes, &mut test)?;
        classes = condensed(classes, follows);
    }
    Ok(classes)
}

fn class_edges(
    classes: &[Vec<usize>],
    test: &mut impl FnMut(usize, usize) -> Result<bool>,
) -> Result<Vec<Vec<bool>>> {
    let mut follows = vec![vec![false; classes.len()]; classes.len()];
    for (i, first) in classes.iter().enumerate() {
        for (j, second) in classes.iter().enumerate() {
            if i == j {
                continue;
            }
            for (&a, &b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
                if test(a, b)? {
                    follows[i][j] = true;
                    break;
                }
            }
        }
    }
    Ok(follows)
}

/// Merges classes on cycles and sorts topologically.
fn condensed(classes: Vec<Vec<usize>>, mut follows: Vec<Vec<bool>>) -> Vec<Vec<usize>> {
    let n = classes.len();
    for via in 0..n {
        for from in 0..n {
            if follows[from][via] {
                let reached = follows[via].clone();
                for (entry, reaches) in follows[from].iter_mut().zip(reached) {
                    *entry |= reaches;
                }
            }
        }
    }
    let mut merged: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut done = vec![false; n];
    for i in 0..n {
        if done[i] {
            continue;
        }
        let mut members = Vec::new();
        for j in i..n {
            if j == i || (follows[i][j] && follows[j][i]) {
                done[j] = true;
                members.extend(&classes[j]);
            }
        }
        members.sort_unstable();
        merged.push((i, members));
    }
    let mut sorted = Vec::new();
    while !merged.is_empty() {
        let free = |&(i, _): &&(usize, Vec<usize>)| {
            merged.iter().all(|&(j, _)| i == &j || !follows[j][*i])
        };
        let next = merged.iter().position(|entry| free(&entry)).unwrap_or(0);
        sorted.push(merged.remove(next).1);
    }
    sorted
}

/// Whether some value of the level in `second` is greater than some value in `first` for
/// the same outer dimensions.
pub(crate) fn may_follow(first: &Set, second: &Set, level: Level<'_>) -> Result<bool> {
    let known = level.known.insert_dims(DimKind::Out, level.dimension, 2);
    let pairs = ascending_pairs(first, second, level.dimension)?.intersect(&known)?;
    Ok(!pairs.is_empty(level.budget)?)
}

/// The outer dimensions for which some value of dimension `level` in `second` is greater than some
/// value in `first`.
pub(crate) fn where_following(
    first: &Set,
    second: &Set,
    level: usize,
    budget: &Budget,
) -> Result<Set> {
    ascending_pairs(first, second, level)?
        .project_out(DimKind::Out, level, 2)
        .make_locals_explicit(budget)
}

/// The values of dimension `level` in `first` with greater ones in `second`, one after the other.
fn ascending_pairs(first: &Set, second: &Set, level: usize) -> Result<Set> {
    let before = first.insert_dims(DimKind::Out, level + 1, 1);
    let after = second.insert_dims(DimKind::Out, level, 1);
    let both = before.intersect(&after)?;
    let map = both.as_map();
    let width = 1 + both.space().n_all();
    let column = width - 2;
    let mut row = Row::zeros(width);
    row.set(0, -&Int::ONE);
    row.set(column, -&Int::ONE);
    row.set(column + 1, Int::ONE);
    let constraint = Constraint { is_equality: false, row };
    let later = BasicMap::from_constraints(map.space().clone(), Vec::new(), vec![constraint]);
    both.intersect(&Set::from_basic_set(BasicSet::from_basic_map(later)))
}
