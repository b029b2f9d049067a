//! Lines that bound tiles: in bands of time steps, each line moves by its slope per step.
use crate::tile::cone::{Axis, Cone};
use loopwright_presburger::{
    Aff, Int, MultiUnionPwAff, PwAff, Result, Space, Tuple, UnionPwAff, UnionSet,
};
use loopwright_schedule::{AstLoopType, Band, LoopKind, LoopMark, Node};

/// Tiles that are narrower than what the dependences of a tile reach, so that tiles would wait for each other
/// in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooNarrow {
    /// The member along which they are.
    pub member: usize,
    /// Their size.
    pub size: i64,
    /// The smallest size that is legal with as many time steps.
    pub least: i64,
    /// Statements with a dependence that moves so far, such as `S -> T`.
    pub dependence: String,
}

/// Time in bands of steps.
pub(crate) struct TimeBands {
    /// The number of the band of each instance.
    pub(crate) number: UnionPwAff,
    /// The step in its band, from 0.
    step: UnionPwAff,
}

impl TimeBands {
    /// Bands of so many steps.
    pub(crate) fn new(cone: &Cone, steps: i64) -> Result<TimeBands> {
        let steps = Int::from(steps);
        let number = cone.time.scale_down(&steps).floor();
        let step = cone.time.sub(&number.scale(&steps))?;
        Ok(TimeBands { number, step })
    }

    /// How far instances are from a line that begins at position 0 in each band.
    pub(crate) fn distance_from_line(
        &self,
        position: &UnionPwAff,
        slope: i64,
    ) -> Result<UnionPwAff> {
        position.sub(&self.step.scale(&Int::from(slope)))
    }
}

/// Refuses a size along an axis if the tiles are narrower than `positions`.
pub(crate) fn wide_enough(
    axis: &Axis,
    size: i64,
    positions: i64,
) -> std::result::Result<(), TooNarrow> {
    let least = positions.max(1).div_euclid(axis.scale)
        + i64::from(positions.max(1).rem_euclid(axis.scale) > 0);
    if size >= least {
        return Ok(());
    }
    Err(TooNarrow { member: axis.member, size, least, dependence: axis.steepest.clone() })
}

/// The instances where a function is not negative, and the others.
pub(crate) fn split_by_sign(function: &UnionPwAff) -> Result<(UnionSet, UnionSet)> {
    let (mut at_least, mut below) = (Vec::new(), Vec::new());
    for part in function.parts() {
        let zero = PwAff::from_aff(Aff::constant(part.domain_space(), &Int::from(0)));
        at_least.push(part.ge_set(&zero)?);
        below.push(part.lt_set(&zero)?);
    }
    let none = Space::params(&[]);
    Ok((UnionSet::from_sets(&none, at_least), UnionSet::from_sets(&none, below)))
}

/// Loops over tiles, each generated without splitting.
pub(crate) fn loops(members: Vec<UnionPwAff>, are_coincident: bool, child: Node) -> Node {
    if members.is_empty() {
        return child;
    }
    let n = members.len();
    let band = Band::new(MultiUnionPwAff::new(Tuple::anonymous(n), members))
        .with_coincident(&vec![are_coincident; n])
        .with_loop_types(&vec![AstLoopType::Atomic; n]);
    Node::band(band, child)
}

/// A loop over tiles that may run at the same time.
pub(crate) fn parallel_loop(member: UnionPwAff, child: Node) -> Node {
    let mark = LoopMark { kind: LoopKind::Parallel, private: Vec::new(), reductions: Vec::new() };
    Node::mark(&mark.to_string(), loops(vec![member], true, child))
}
