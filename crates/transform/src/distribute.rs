//! Distribution: statements with fewer loops leave a nest that is deeper than they need.
//!
//! Fusing `S(i,j)` and `T(i,j,k)` puts `S` at one value of `k` and a condition, or a split loop, into
//! the nest; the inner loop is then neither free to be moved nor easily vectorised. Where the
//! children of a sequence below a band have different depths, the band is distributed: it is
//! repeated for each group of neighbours of equal depth.
//!
//! Legal between two neighbours if no instance after the cut has to run before one that precedes it
//! in the sequence, among instances that agree on all dimensions outside the band: then
//! everything on the left may run before everything on the right.
use crate::independence::Independence;
use loopwright_exact::Matrix;
use loopwright_presburger::{Budget, DimKind, Error, Name, Result, UnionMap, UnionSet};
use loopwright_schedule::{Band, Node, Piece, Reaching};
use std::ops::Range;

/// The band distributed over the sequence below it, or none if that is not possible or not wanted.
///
/// `reaching` is what reaches the band.
///
/// # Errors
/// If the budget runs out.
pub fn distribute(
    band: &Band,
    child: &Node,
    reaching: &Reaching,
    independence: &Independence,
    budget: &Budget,
) -> Result<Option<Node>> {
    let Node::Sequence(children) = child else { return Ok(None) };
    let node = Node::band(band.clone(), child.clone());
    let sequence = reaching.descend(&node, 0)?;
    let mut parts = Vec::with_capacity(children.len());
    for (position, part) in children.iter().enumerate() {
        let Node::Filter(filter, _) = part else { return Ok(None) };
        let reaching_child = sequence.descend(child, position)?.descend(part, 0)?;
        parts.push(Part {
            filter,
            depth: depth(&reaching_child, band.n_members()),
            domain: reaching_child.domain()?,
        });
    }
    let mut groups: Vec<Range<usize>> = Vec::new();
    for cut in 0..children.len() {
        let separate = cut > 0
            && parts[cut].depth != parts[cut - 1].depth
            && may_cut(&parts[..cut], &parts[cut..], reaching, independence.dependences(), budget)?;
        match groups.last_mut() {
            Some(group) if !separate => group.end = cut + 1,
            _ => groups.push(cut..cut + 1),
        }
    }
    if groups.len() == 1 {
        return Ok(None);
    }
    let mut pieces = Vec::new();
    for group in groups {
        let mut filter = UnionSet::empty();
        for part in &parts[group.clone()] {
            filter = filter.union(part.filter)?;
        }
        let below = match &children[group] {
            [Node::Filter(_, only)] => (**only).clone(),
            several => Node::Sequence(several.to_vec()),
        };
        let mut own = band.intersect_domain(&filter)?;
        strengthen(&mut own, reaching, &filter, independence)?;
        pieces.push((filter, Node::band(own, below)));
    }
    Ok(Some(Node::sequence(pieces)))
}

struct Part<'a> {
    filter: &'a UnionSet,
    depth: usize,
    domain: UnionSet,
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

/// Whether the last loop of `band` may be split into one loop per child of the sequence below, and
/// which of these then have independent iterations (with the scalars private to them); none if it
/// may not, or if it would not make any loop independent.
///
/// `reaching` is what reaches the band.
///
/// # Errors
/// For malformed trees.
pub fn may_split(
    band: &Band,
    child: &Node,
    reaching: &Reaching,
    independence: &Independence,
) -> Result<Option<Vec<Option<Vec<Name>>>>> {
    let Node::Sequence(children) = child else { return Ok(None) };
    let (outer, _) = band.split(band.n_members() - 1);
    let outside = reaching.descend(&Node::band(outer, Node::Leaf), 0)?;
    let mut parts = Vec::with_capacity(children.len());
    for part in children {
        let Node::Filter(filter, _) = part else { return Ok(None) };
        parts.push(Part { filter, depth: 0, domain: outside.descend(part, 0)?.domain()? });
    }
    let all = independence.dependences();
    for cut in 1..parts.len() {
        let (left, right) = parts.split_at(cut);
        match may_cut(left, right, &outside, all, independence.budget()) {
            Ok(true) => {}
            Ok(false) | Err(Error::Exceeded { .. }) => return Ok(None),
            Err(other) => return Err(other),
        }
    }
    let mut private = Vec::with_capacity(parts.len());
    for part in children {
        let inside = reaching.descend(part, 0)?;
        private.push(independence.private_scalars(&inside, band.schedule.members())?);
    }
    Ok(private.iter().any(Option::is_some).then_some(private))
}

/// Whether everything in `left` may run before everything in `right`.
fn may_cut(
    left: &[Part],
    right: &[Part],
    reaching: &Reaching,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<bool> {
    let outer = reaching.prefix_schedule()?;
    for (l, r) in left.iter().flat_map(|l| right.iter().map(move |r| (l, r))) {
        let backward = dependences.intersect_domain(&r.domain)?.intersect_range(&l.domain)?;
        if backward.plain_is_empty() {
            continue;
        }
        let times = backward.apply_domain(&outer)?.apply_range(&outer)?;
        for map in times.maps() {
            let mut same = map.clone();
            for dim in 0..reaching.depth() {
                same = same.equate(DimKind::In, dim, DimKind::Out, dim);
            }
            if !same.is_empty(budget)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
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
