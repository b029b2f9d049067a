//! The tree between the two passes: loops and conditions as sets of constraints.
use crate::level::piecewise_bounds::PiecewiseBounds;
use crate::level::plain_sets::is_universe;
use crate::level::stride::{Stride, loop_constraints};
use loopwright_presburger::{Aff, BasicSet, Name, PwMultiAff, Result, Set, Space, UnionMap};

/// A piece of code whose constraints are not yet expressions.
///
/// A set at depth `k` is over the schedule dimensions `c0 .. c(k-1)`, all of them, whether they
/// have loops or not.
#[derive(Clone, Debug)]
pub(crate) enum Nest {
    /// A loop.
    For(Box<Loop>),
    /// Dimension `level` has a single value, and no loop.
    Value {
        /// The dimension.
        level: usize,
        /// Its value, a function of the outer dimensions.
        value: Aff,
        /// What is done, at depth `level + 1`.
        body: Box<Nest>,
    },
    /// A condition.
    If {
        /// The condition.
        condition: Set,
        /// What is done if it holds.
        then: Box<Nest>,
        /// What is done otherwise.
        otherwise: Option<Box<Nest>>,
    },
    /// One after the other.
    Block(Vec<Nest>),
    /// What holds in a part without being checked.
    Known {
        /// What holds.
        condition: Set,
        /// The part.
        body: Box<Nest>,
    },
    /// A name attached to a part.
    Mark { name: Name, dimension: usize, child: Box<Nest> },
    /// An instance of a statement.
    User {
        /// The statement.
        statement: Space,
        /// The instance as a function of the dimensions.
        instance: PwMultiAff,
    },
    /// Instances without further order, for which a user may make code.
    Leaf {
        /// From the instances to the dimensions.
        schedule: UnionMap,
        /// The generator's own code.
        otherwise: Box<Nest>,
    },
}

/// A loop over a dimension.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// The dimension.
    pub(crate) level: usize,
    /// The constraints on the dimension, at depth `level + 1`.
    pub(crate) bounds: BasicSet,
    /// Bounds that no constraint states.
    pub(crate) piecewise: PiecewiseBounds,
    /// The congruence of the values.
    pub(crate) stride: Option<Stride>,
    /// Whether the loop carries no dependence.
    pub(crate) coincident: bool,
    /// What is repeated, at depth `level + 1`.
    pub(crate) body: Nest,
}

impl Loop {
    /// What the constraints of the loop guarantee inside.
    pub(crate) fn constraints(&self) -> Result<Set> {
        loop_constraints(&self.bounds, self.stride.as_ref(), self.level)
    }
}

impl Nest {
    /// The nest with `change` made to what is directly inside, in the order of execution.
    pub(crate) fn map_children(
        self,
        change: &mut impl FnMut(Nest) -> Result<Nest>,
    ) -> Result<Nest> {
        let mut boxed = |nest: Box<Nest>| change(*nest).map(Box::new);
        Ok(match self {
            Nest::For(each) => {
                let Loop { body, level, bounds, piecewise, stride, coincident } = *each;
                let body = change(body)?;
                Nest::For(Box::new(Loop { body, level, bounds, piecewise, stride, coincident }))
            }
            Nest::Value { level, value, body } => Nest::Value { level, value, body: boxed(body)? },
            Nest::If { condition, then, otherwise } => {
                let then = boxed(then)?;
                let otherwise = otherwise.map(boxed).transpose()?;
                Nest::If { condition, then, otherwise }
            }
            Nest::Block(children) => {
                Nest::Block(children.into_iter().map(change).collect::<Result<_>>()?)
            }
            Nest::Known { condition, body } => Nest::Known { condition, body: boxed(body)? },
            Nest::Mark { name, dimension, child } => {
                Nest::Mark { name, dimension, child: boxed(child)? }
            }
            Nest::Leaf { schedule, otherwise } => {
                Nest::Leaf { schedule, otherwise: boxed(otherwise)? }
            }
            Nest::User { .. } => self,
        })
    }
}

/// A nest and the conditions that somebody above still has to check: an "annotated AST", section
/// 5.7 of Grosser, Verdoolaege, Cohen.
#[derive(Clone, Debug)]
pub(crate) struct Graft {
    /// The condition under which the nest is to be executed.
    pub(crate) guard: Set,
    /// The code.
    pub(crate) nest: Nest,
}

impl Graft {
    /// The same code under a further condition.
    pub(crate) fn guarded(self, condition: &Set) -> Result<Graft> {
        if is_universe(condition) {
            return Ok(self);
        }
        Ok(Graft { guard: self.guard.intersect(condition)?, nest: self.nest })
    }
}
