//! The innermost loops: marked where their iterations are independent, and split where that makes
//! them independent.
//!
//! Which loop is innermost is decided in [`crate::loops::loop_order`], whether its iterations are
//! independent in [`crate::legality::independence`]. A loop over several statements may carry a dependence
//! only from one statement to another (as in stencils whose statements are shifted against each
//! other); then one innermost loop per statement has independent iterations, if
//! [`distribute::may_split`](crate::loops::distribute::may_split) allows it. One that carries dependences
//! from or to a single iteration is split there ([`crate::loops::split_at_carried_iteration`]).
use crate::loops::distribute::SplitPart;
use crate::loops::interleave::in_step;
use crate::loops::split_at_carried_iteration::Range;
use crate::site::marks::{mark_member, nonempty_band};
use loopwright_presburger::{Name, Result, UnionSet};
use loopwright_schedule::{Band, LoopKind, Node};

/// What becomes of the innermost loop.
#[derive(Clone, Debug, Default)]
pub enum Innermost {
    /// It carries a dependence, or is not innermost.
    #[default]
    Serial,
    /// It carries a dependence, and several rows of it advance in step.
    InStep,
    /// Its iterations are independent, given private copies of these scalars.
    Vector(Vec<Name>),
    /// It is split into one loop per child of the sequence below.
    Split(Vec<SplitPart>),
    /// It is split at the one iteration from or to which it carries dependences.
    Ranges(Vec<Range>),
}

impl Innermost {
    /// Whether its iterations are independent without private copies of anything.
    pub fn is_free(&self) -> bool {
        matches!(self, Innermost::Vector(private) if private.is_empty())
    }
}

/// `band`, the innermost one, above `inner`: marked or split as planned.
///
/// # Errors
/// Those of restricting a band.
pub fn innermost(band: &Band, plan: &Innermost, inner: Node) -> Result<Node> {
    match (plan, inner) {
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
