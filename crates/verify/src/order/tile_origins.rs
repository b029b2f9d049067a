//! Tiles of variable sizes: legal for all sizes.
//!
//! Below an [`OriginMark`] a tree has loops over the values `v_1 .. v_n` that are tiled, as in tiles of one
//! value. The loops that are meant take the origins `T_k = s_k * floor(v_k / s_k)` instead, for sizes that
//! nobody knows. Of these only this is used: `T_k` is a function of `v_k`, and it does not fall where `v_k`
//! grows.
//!
//! # What is checked
//! Let two instances be dependent, and not ordered by what is outside of a mark.
//!
//! 1. No `v_k` of the later one is less. So no `T_k` is less: the later one is in the same tile, or in one
//!    that is later in the lexicographic order of the origins. That is not needed of order dependences on a
//!    variable whose values are written and read at the same `(v_1 .. v_n)`, and neither come from before nor
//!    are needed after the region: such a live range lies in one tile, so that two of them are in different
//!    tiles, or in one, where 2 has the order.
//! 2. Without the loops over tiles the tree respects every dependence, and its marks are right: that is the
//!    order in a tile, and loops over points have fewer iterations there than without tiles.
//! 3. A mark of a loop over tiles stands above the first one. If the loop over `v_1` carries no dependence,
//!    that over `T_1` carries none, since instances with different `T_1` have different `v_1`; rows of a
//!    pipeline may depend on each other by 1.
use crate::order::parallel::{check_parallel_loops, escaping_private, live_private};
use crate::order::schedule::{Comparison, Times, check_schedule};
use crate::verdict::{Proof, Violation, is_soon_empty, violation_if_any};
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_presburger::{Budget, Map, Result};
use loopwright_schedule::{LoopMark, Node, OriginLoops, OriginMark, ScheduleTree};
use loopwright_scop::Scop;
use std::collections::BTreeMap;

/// Checks that a tree respects every dependence, and that its loop marks are right, whatever the sizes of its
/// tiles are ([`OriginMark`]); in trees without such tiles as [`check_schedule`] and [`check_parallel_loops`]
/// do.
///
/// *Exactness.* What is proved holds for all sizes and parameters. Where other order dependences could be
/// turned around by moving live ranges as a whole, this is not found. *Cost.* That of the two checks, of the
/// second one twice, and some emptiness checks for each dependence and loop over tiles.
///
/// # Errors
/// Those of [`ScheduleTree::origin_loops`].
pub fn check_order_in_tiles(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Proof> {
    let points = ScheduleTree::new(tree.domain.clone(), without_tiles(&tree.root));
    let mut proofs = vec![Proof::from_violations(Ok(misplaced(&tree.root)))?];
    for tree in [&points, tree] {
        proofs.push(check_parallel_loops(scop, dependences, tree, budget)?);
    }
    proofs.push(check_schedule(scop, dependences, &points, budget)?);
    for loops in &tree.origin_loops()? {
        proofs.push(Proof::from_violations(against_origins(scop, dependences, loops, budget))?);
    }
    Ok(proofs.into_iter().find(|proof| !proof.is_proved()).unwrap_or(Proof::Proved))
}

/// The tree without the loops below origin marks.
fn without_tiles(node: &Node) -> Node {
    let mut node = node;
    while let Node::Mark(name, child) = node
        && let Some(mark) = OriginMark::parse(name)
    {
        let mut left = mark.sizes.len();
        node = child;
        while left > 0 {
            match node {
                Node::Mark(_, child) => node = child,
                Node::Band(band, child) if band.n_members() <= left => {
                    left -= band.n_members();
                    node = child;
                }
                Node::Band(band, child) => {
                    return Node::band(band.split(left).1, without_tiles(child));
                }
                // Refuted where the loops are read.
                _ => break,
            }
        }
    }
    let mut rest = node.clone();
    for (new, old) in rest.children_mut().iter_mut().zip(node.children()) {
        *new = without_tiles(old);
    }
    rest
}

/// One violation for each loop mark between loops over tiles.
fn misplaced(root: &Node) -> Vec<Violation> {
    let mut violations = Vec::new();
    root.for_each(&mut |node| {
        let Node::Mark(name, child) = node else { return };
        let Some(mark) = OriginMark::parse(name) else { return };
        let (mut done, mut node) = (0, &**child);
        while done < mark.sizes.len() {
            match node {
                Node::Band(band, child) => {
                    done += band.n_members();
                    node = child;
                }
                Node::Mark(name, child) => {
                    if done > 0 && LoopMark::parse(name).is_some() {
                        let message = format!(
                            "the mark `{name}` speaks about a loop over tiles of variable sizes that is not the outermost one"
                        );
                        violations.push(Violation { message, example: None });
                    }
                    node = child;
                }
                _ => break,
            }
        }
    });
    violations
}

/// The dependences that lead to a smaller value of a loop over tiles.
fn against_origins(
    scop: &Scop,
    dependences: &Dependences,
    loops: &OriginLoops,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let times = Times::new(scop, &loops.below.flat_schedule()?);
    let Dependences { flow, order, forced, .. } = dependences;
    let strict = flow.iter().chain(forced).chain(dependences.reassociated());
    let all = strict.map(|d| (d, false)).chain(order.iter().map(|d| (d, true)));
    let mut stays = BTreeMap::new();
    let mut violations = Vec::new();
    for (dependence, may_turn) in all {
        let Some(together) = equal_outside(&times, loops.level, dependence, scop, budget)? else {
            continue;
        };
        for (member, size) in loops.sizes.iter().enumerate() {
            let back =
                compared(&times, dependence, loops.level + member, Comparison::Greater, budget)?;
            let message = || {
                let name = &scop.arrays[dependence.array.0 as usize].name;
                format!(
                    "a dependence on `{name}` leads to a smaller value of the loop over tiles of size `{size}`"
                )
            };
            let Some(back) = back else { continue };
            let found = violation_if_any(&together.intersect(&back)?, message, budget)?;
            if found.is_some() && may_turn {
                let array = dependence.array;
                let stays_inside = match stays.get(&array) {
                    Some(known) => *known,
                    None => {
                        let leaving = [
                            escaping_private(scop, dependences, &times, &[array], budget)?,
                            live_private(scop, dependences, &times, &[array], budget)?,
                        ];
                        let found = leaving.iter().all(Vec::is_empty);
                        stays.insert(array, found);
                        found
                    }
                };
                if stays_inside {
                    continue;
                }
            }
            violations.extend(found);
        }
    }
    Ok(violations)
}

/// The dependent pairs below a mark that are not ordered outside of it; none if there is plainly no such
/// pair.
fn equal_outside(
    times: &Times,
    level: usize,
    dependence: &Dependence,
    scop: &Scop,
    budget: &Budget,
) -> Result<Option<Map>> {
    let time = |id: loopwright_scop::StatementId| times.times[id.0 as usize].as_ref();
    let (Some(a), Some(b)) = (time(dependence.source.0), time(dependence.sink.0)) else {
        return Ok(None);
    };
    let relation = dependence.relation.intersect_params(&scop.context)?;
    let mut rest = relation.intersect_domain(&a.domain())?.intersect_range(&b.domain())?;
    for level in 0..level {
        if is_soon_empty(&rest, budget)? {
            return Ok(None);
        }
        if let Some(equal) = compared(times, dependence, level, Comparison::Equal, budget)? {
            rest = rest.intersect(&equal)?;
        }
    }
    Ok((!rest.is_empty(budget)?).then_some(rest))
}

/// The pairs of the dependent statements whose times compare so at a level.
fn compared(
    times: &Times,
    dependence: &Dependence,
    level: usize,
    comparison: Comparison,
    budget: &Budget,
) -> Result<Option<Map>> {
    let (source, sink) = (dependence.source.0.0 as usize, dependence.sink.0.0 as usize);
    let (Some(a), Some(b)) = (&times.times[source], &times.times[sink]) else { return Ok(None) };
    times.components.at_level((source, a), (sink, b), level, comparison, budget).map(Some)
}
