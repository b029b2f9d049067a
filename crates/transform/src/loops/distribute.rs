//! Distribution: loops around several statements become one loop after the other.
//!
//! *Around a nest* ([`distribute`]): fusing `S(i,j)` and `T(i,j,k)` puts `S` at one value of `k` and
//! a condition, or a split loop, into the nest; the inner loop is then neither free to be moved nor
//! easily vectorised. Where the children of a sequence below a band have different depths, the band is
//! repeated for each group of neighbours of equal depth.
//!
//! *Around the innermost loop* ([`may_split`]): a loop over several statements may carry dependences
//! between statements only; then one loop per statement can have independent iterations. And where
//! statements run for different values of a loop ([`guarded_split`]), one loop for each needs no conditions.
//!
//! *Legality.* Among instances that agree on all dimensions outside the loops in question, say that
//! part `a` comes before part `b` if some instance of `b` depends on one of `a`. Running the parts
//! one after the other is legal if their order respects this relation; there is such an order of
//! all parts exactly if the relation has no cycle (Kennedy and McKinley, "Maximizing loop
//! parallelism and improving data locality via loop fusion and distribution", LCPC 1993).
use crate::legality::independence::Independence;
use loopwright_exact::Matrix;
use loopwright_presburger::{DimKind, Error, Name, Result, UnionSet};
use loopwright_schedule::{Band, Node, Piece, Reaching};

/// A part of a split loop: the position of the child, and the scalars that its iterations need
/// private copies of to be independent, if that makes them so.
pub type SplitPart = (usize, Option<Vec<Name>>);

/// The band distributed over the sequence below it, or none if that is not possible or not wanted
/// or the budget runs out.
///
/// `reaching` is what reaches the band. Cost: one emptiness test per pair of dependent children.
///
/// # Errors
/// For malformed trees.
pub fn distribute(
    band: &Band,
    child: &Node,
    reaching: &Reaching,
    independence: &Independence,
) -> Result<Option<Node>> {
    let node = Node::band(band.clone(), Node::Leaf);
    let Some(parts) = parts(child, &reaching.descend(&node, 0)?, band.n_members())? else {
        return Ok(None);
    };
    if parts.iter().all(|part| part.depth == parts[0].depth) {
        return Ok(None);
    }
    let Some(before) = precedence(&parts, reaching, independence)? else { return Ok(None) };
    let order = order(&before).unwrap_or_else(|| (0..parts.len()).collect());
    let groups = groups(&parts, &order, &before);
    if groups.len() == 1 {
        return Ok(None);
    }
    let mut pieces = Vec::new();
    for group in groups {
        let mut filter = UnionSet::empty();
        for &part in &group {
            filter = filter.union(parts[part].filter)?;
        }
        let below = below(child, &group);
        let mut own = band.intersect_domain(&filter)?;
        strengthen(&mut own, reaching, &filter, independence)?;
        pieces.push((filter, Node::band(own, below)));
    }
    Ok(Some(Node::sequence(pieces)))
}

/// Whether the last loop of `band` may be split into one loop per child of the sequence (or set)
/// below: the children in the order in which they have to run. None if it may not, or if it would
/// not make the iterations of any loop independent, or the budget runs out.
///
/// `reaching` is what reaches the band. Cost: one emptiness test per pair of dependent children.
///
/// # Errors
/// For malformed trees.
pub fn may_split(
    band: &Band,
    child: &Node,
    reaching: &Reaching,
    independence: &Independence,
) -> Result<Option<Vec<SplitPart>>> {
    let (outer, _) = band.split(band.n_members() - 1);
    let outside = reaching.descend(&Node::band(outer, Node::Leaf), 0)?;
    let Some(parts) = parts(child, &outside, 0)? else { return Ok(None) };
    let Some(before) = precedence(&parts, &outside, independence)? else { return Ok(None) };
    let Some(order) = order(&before) else { return Ok(None) };
    let mut split = Vec::with_capacity(order.len());
    for part in order {
        let inside = reaching.descend(&child.children()[part], 0)?;
        split.push((part, independence.private_scalars(&inside, band.schedule.members())?));
    }
    Ok(split.iter().any(|(_, private)| private.is_some()).then_some(split))
}

/// How the last loop of `band`, whose iterations are independent, is split into one loop per child of the
/// sequence (or set) below, if the children run for different values of it: one loop for all would
/// have conditions in its body, which costs vector code more than an own loop does. None if they run for the
/// same values, or it may not be split, or some part would lose its independent iterations.
///
/// `reaching` is what reaches the band. Cost: that of [`may_split`] and a comparison of sets for each child.
///
/// # Errors
/// For malformed trees.
pub fn guarded_split(
    band: &Band,
    child: &Node,
    reaching: &Reaching,
    independence: &Independence,
) -> Result<Option<Vec<SplitPart>>> {
    let (Node::Sequence(children) | Node::Set(children)) = child else { return Ok(None) };
    let below = reaching.descend(&Node::band(band.clone(), Node::Leaf), 0)?;
    let mut times = Vec::with_capacity(children.len());
    for part in children {
        times.push(below.descend(part, 0)?.prefix_schedule()?.range());
    }
    let mut differ = false;
    for pair in times.windows(2) {
        match pair[0].is_equal(&pair[1], independence.budget()) {
            Err(Error::Exceeded { .. }) => return Ok(None),
            equal => differ |= !equal?,
        }
    }
    if !differ {
        return Ok(None);
    }
    let parts = may_split(band, child, reaching, independence)?;
    Ok(parts.filter(|parts| parts.iter().all(|(_, private)| private.is_some())))
}

/// An order in which disjoint parts of the instances may run one after the other among instances that
/// agree on what is `outside`, as close to the given one as possible; none if there is no such order or the
/// budget runs out.
///
/// *Cost.* One emptiness test per pair of dependent parts.
///
/// # Errors
/// For malformed trees.
pub fn order_of_parts(
    parts: &[UnionSet],
    outside: &Reaching,
    independence: &Independence,
) -> Result<Option<Vec<usize>>> {
    let parts: Vec<DistributedPart> = parts
        .iter()
        .map(|filter| DistributedPart { filter, depth: 0, domain: filter.clone() })
        .collect();
    Ok(precedence(&parts, outside, independence)?.and_then(|before| order(&before)))
}

/// A child of a sequence or set.
struct DistributedPart<'a> {
    filter: &'a UnionSet,
    /// The greatest number of loops that the band has for one of its statements.
    depth: usize,
    domain: UnionSet,
}

/// The children of a sequence or set below the last `n` members; none if it is something else.
fn parts<'a>(
    child: &'a Node,
    reaching: &Reaching,
    n: usize,
) -> Result<Option<Vec<DistributedPart<'a>>>> {
    let (Node::Sequence(children) | Node::Set(children)) = child else { return Ok(None) };
    let mut parts = Vec::with_capacity(children.len());
    for part in children {
        let Node::Filter(filter, _) = part else { return Ok(None) };
        let inside = reaching.descend(part, 0)?;
        parts.push(DistributedPart { filter, depth: depth(&inside, n), domain: inside.domain()? });
    }
    Ok(Some(parts))
}

/// The number of independent directions in which the last `n` dimensions move an instance.
fn depth(reaching: &Reaching, n: usize) -> usize {
    let rank = |piece: &Piece| {
        let dims = piece.domain.space().n(DimKind::Out);
        let members = piece.schedule.iter().rev().take(n);
        let rows = members.map(|aff| {
            let first = 1 + aff.domain_space().n(DimKind::Param);
            aff.row().slice(first..first + dims)
        });
        Matrix::new(rows.collect(), dims).rank()
    };
    reaching.pieces.iter().map(rank).max().unwrap_or(0)
}

/// For each pair of parts, whether the first has to run before the second; none if the budget
/// runs out. Instances that agree on what is `outside` are compared.
fn precedence(
    parts: &[DistributedPart],
    outside: &Reaching,
    independence: &Independence,
) -> Result<Option<Vec<Vec<bool>>>> {
    let times = outside.prefix_schedule()?;
    let mut before = vec![vec![false; parts.len()]; parts.len()];
    for (a, first) in parts.iter().enumerate() {
        let from = independence.dependences().intersect_domain(&first.domain)?;
        for (b, second) in parts.iter().enumerate() {
            let between = from.intersect_range(&second.domain)?;
            if a == b || between.plain_is_empty() {
                continue;
            }
            let pairs = match outside.depth() {
                0 => between, // all instances agree
                _ => between.apply_domain(&times)?.apply_range(&times)?,
            };
            for map in pairs.maps() {
                let same = (0..outside.depth())
                    .fold(map.clone(), |map, dim| map.equate(DimKind::In, dim, DimKind::Out, dim));
                match same.is_empty(independence.budget()) {
                    Ok(empty) => before[a][b] |= !empty,
                    Err(Error::Exceeded { .. }) => return Ok(None),
                    Err(other) => return Err(other),
                }
            }
        }
    }
    Ok(Some(before))
}

/// An order that respects `before`, as close to the given one as possible; none if there is a
/// cycle.
fn order(before: &[Vec<bool>]) -> Option<Vec<usize>> {
    let n = before.len();
    let mut order = Vec::with_capacity(n);
    let mut placed = vec![false; n];
    while order.len() < n {
        let free = |&part: &usize| {
            !placed[part] && (0..n).all(|other| placed[other] || !before[other][part])
        };
        let next = (0..n).find(free)?;
        placed[next] = true;
        order.push(next);
    }
    Some(order)
}

/// Neighbours in `order` of equal depth together, and those that may not be separated.
fn groups(parts: &[DistributedPart], order: &[usize], before: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (position, &part) in order.iter().enumerate() {
        let (left, right) = order.split_at(position);
        let may_cut = left.iter().all(|&l| right.iter().all(|&r| !before[r][l]));
        match groups.last_mut() {
            Some(group) if !may_cut || parts[group[0]].depth == parts[part].depth => {
                group.push(part);
            }
            _ => groups.push(vec![part]),
        }
    }
    groups
}

/// What is below the band of one group of children.
fn below(child: &Node, group: &[usize]) -> Node {
    let children: Vec<Node> = group.iter().map(|&part| child.children()[part].clone()).collect();
    match (&children[..], child) {
        ([Node::Filter(_, only)], _) => (**only).clone(),
        (_, Node::Set(_)) => Node::Set(children),
        _ => Node::Sequence(children),
    }
}

/// Marks members as coincident that carried dependences only with statements that have left.
fn strengthen(
    band: &mut Band,
    reaching: &Reaching,
    filter: &UnionSet,
    independence: &Independence,
) -> Result<()> {
    let inside = reaching.descend(&Node::filter(filter.clone(), Node::Leaf), 0)?;
    for (member, schedule) in band.members.iter_mut().zip(band.schedule.members()) {
        if !member.coincident {
            let alone = std::slice::from_ref(schedule);
            member.coincident = independence.private_scalars(&inside, alone)?.is_some();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_respect_precedence() {
        let n = 4;
        let mut before = vec![vec![false; n]; n];
        assert_eq!(order(&before), Some(vec![0, 1, 2, 3]));
        before[3][0] = true;
        before[2][1] = true;
        assert_eq!(order(&before), Some(vec![2, 1, 3, 0]));
        before[0][3] = true;
        assert_eq!(order(&before), None);
    }
}
