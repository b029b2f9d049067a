//! The tree between the two passes: loops and conditions as sets of constraints.
use loopwright_presburger::{
    Aff, BasicSet, Int, Name, PwAff, PwMultiAff, Row, Set, Space, UnionMap,
};

/// The congruence `iterator ≡ offset (mod modulus)` that all values of a loop satisfy.
#[derive(Clone, Debug)]
pub(crate) struct Stride {
    /// The distance between possible values, greater than one.
    pub(crate) modulus: Int,
    /// One of the values, as a function of the outer dimensions.
    pub(crate) offset: Aff,
    /// What has to hold outside for there to be any value, beside an integer offset.
    pub(crate) conditions: Vec<Divisibility>,
}

/// A form of the outer dimensions that is a multiple of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Divisibility {
    /// The form, over the constant, the parameters and the outer dimensions.
    pub(crate) row: Row,
    /// The number, greater than one.
    pub(crate) modulus: Int,
}

/// Bounds of a dimension that are no constraints: functions of the outer dimensions, by pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct PiecewiseBounds {
    /// No value is less.
    pub(crate) lower: Option<PiecewiseBound>,
    /// No value is greater.
    pub(crate) upper: Option<PiecewiseBound>,
}

/// One such bound.
#[derive(Clone, Debug)]
pub(crate) enum PiecewiseBound {
    /// The least of some forms for a lower bound, the greatest for an upper one.
    Extreme(Vec<Aff>),
    /// One form for each piece. Where there is no piece nothing is executed.
    Choice(PwAff),
}

impl PiecewiseBounds {
    /// Whether no bound is a choice by conditions.
    pub(crate) fn are_extremes(&self) -> bool {
        let is_choice = |bound: &PiecewiseBound| matches!(bound, PiecewiseBound::Choice(_));
        !self.lower.iter().chain(&self.upper).any(is_choice)
    }
}

impl PiecewiseBound {
    /// The forms of which it always has the value of one.
    pub(crate) fn forms(&self) -> Vec<&Aff> {
        match self {
            PiecewiseBound::Extreme(forms) => forms.iter().collect(),
            PiecewiseBound::Choice(choice) => {
                choice.pieces().iter().map(|(_, form)| form).collect()
            }
        }
    }
}

/// A piece of code whose constraints are not yet expressions.
///
/// A set at depth `k` is over the schedule dimensions `c0 .. c(k-1)`, all of them, whether they
/// have loops or not.
#[derive(Clone, Debug)]
pub(crate) enum Nest {
    /// A loop over dimension `level`.
    For {
        /// The dimension.
        level: usize,
        /// The constraints on the dimension, at depth `level + 1`.
        bounds: BasicSet,
        /// Bounds that no constraint states.
        piecewise: Box<PiecewiseBounds>,
        /// The congruence of the values.
        stride: Option<Stride>,
        /// Whether the loop carries no dependence.
        coincident: bool,
        /// What is repeated, at depth `level + 1`.
        body: Box<Nest>,
    },
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
    pub(crate) fn guarded(self, condition: &Set) -> loopwright_presburger::Result<Graft> {
        if is_universe(condition) {
            return Ok(self);
        }
        Ok(Graft { guard: self.guard.intersect(condition)?, nest: self.nest })
    }
}

/// Whether a set obviously has no constraints.
pub(crate) fn is_universe(set: &Set) -> bool {
    let basics = set.as_map().basic_maps();
    basics
        .iter()
        .any(|b| b.equalities().is_empty() && b.inequalities().is_empty() && !b.plain_is_empty())
}
