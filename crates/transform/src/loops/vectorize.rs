//! The innermost loops: marked where their iterations are independent, and split where that makes
//! them independent.
//!
//! Which loop is innermost is decided in [`crate::loops::loop_order`], whether its iterations are
//! independent in [`crate::legality::independence`]. A loop over several statements may carry a dependence
//! only from one statement to another (as in stencils whose statements are shifted against each
//! other); then one innermost loop per statement has independent iterations, if
//! [`distribute::may_split`](crate::loops::distribute::may_split) allows it. One that carries dependences
//! from or to a single iteration is split there ([`crate::loops::split_at_carried_iteration`]).
use crate::band::parallel_loop::{mark_member, nonempty_band};
use crate::band::plan::{Innermost, Plan};
use crate::loops::interleave::in_step;
use loopwright_presburger::{Name, Result, UnionSet};
use loopwright_schedule::{Band, LoopKind, Node};

/// `band`, the innermost one, above `inner`: marked or split as planned.
///
/// # Errors
/// Those of restricting a band.
pub fn innermost(band: &Band, plan: &Plan, inner: Node) -> Result<Node> {
    match (&plan.innermost, inner) {
        (_, inner) if band.n_members() == 0 => Ok(inner),
        (Innermost::Serial, inner) => Ok(nonempty_band(band.clone(), inner)),
        (Innermost::InStep, inner) => Ok(nonempty_band(in_step(band)?, inner)),
        (Innermost::Vector(private), inner) => Ok(mark_last(band, private, inner)),
        (Innermost::Split(parts), inner) => {
            let (outside, last) = band.split(band.n_members() - 1);
            let children = inner.children();
            let loops = parts.iter().filter_map(|(part, private)| match children.get(*part) {
                Some(Node::Filter(filter, below)) => {
                    Some(split_loop(&last, filter, below, private.as_deref()))
                }
                _ => None,
            });
            let sequence = Node::Sequence(loops.collect::<Result<_>>()?);
            Ok(nonempty_band(outside, sequence))
        }
        (Innermost::Ranges(ranges), inner) => {
            let (outside, last) = band.split(band.n_members() - 1);
            let loops = ranges
                .iter()
                .map(|range| split_loop(&last, &range.instances, &inner, range.private.as_deref()));
            let sequence = Node::Sequence(loops.collect::<Result<_>>()?);
            Ok(nonempty_band(outside, sequence))
        }
    }
}

/// The loop of one part of a split loop.
fn split_loop(
    last: &Band,
    filter: &UnionSet,
    below: &Node,
    private: Option<&[Name]>,
) -> Result<Node> {
    let own = last.intersect_domain(filter)?;
    let below = match private {
        Some(private) => mark_last(&own, private, below.clone()),
        None => Node::band(own, below.clone()),
    };
    Ok(Node::filter(filter.clone(), below))
}

/// `band` above `child`, its last member marked as a vector loop with private scalars.
fn mark_last(band: &Band, private: &[Name], child: Node) -> Node {
    mark_member(band, band.n_members() - 1, LoopKind::Vector, private, child)
}
