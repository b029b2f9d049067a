//! How the values of a level are cut into pieces that become loops.
//!
//! [`Cut`] is all that the descent knows of it; [`crate::strategies`] has the implementations. The
//! modules here are what these are made of.
pub(crate) mod band;
pub(crate) mod connected_components;
pub(crate) mod hulls;
pub(crate) mod intervals;
pub(crate) mod isolation;
pub(crate) mod order;
pub(crate) mod pieces;
pub(crate) mod projection;
pub(crate) mod regions;
pub(crate) mod shift;
pub(crate) mod unroll;

use crate::cut::band::{BandLevel, BandLevels};
use crate::level::localized::localized;
use crate::model::statement::Statement;
use loopwright_presburger::{BasicSet, Result, Set};
use std::borrow::Cow;

/// A way to cut the values of a level into loops.
pub(crate) trait Cut {
    /// The loops over the values of a level in the order in which they are executed.
    fn loops<'s>(
        &self,
        at: BandLevel<'s>,
        statements: &[&'s Statement],
    ) -> Result<Vec<SharedLoops<'s>>>;

    /// The values from which the bounds of a loop come that its statements do not share, over those
    /// of `dimension`.
    fn values_for_bounds(&self, values: &Set, dimension: usize) -> Set {
        localized(values, dimension)
    }
}

/// Statements that share loops over a level, and these loops in order.
pub(crate) struct SharedLoops<'s> {
    /// The statements; others than the given ones where a shift has a dimension of its own.
    pub(crate) statements: Vec<Cow<'s, Statement>>,
    /// The levels from here on, if a shift has changed them.
    pub(crate) levels: Option<BandLevels<'s>>,
    /// The values of the loops.
    pub(crate) parts: Vec<Part>,
}

impl<'s> SharedLoops<'s> {
    /// Loops of the given statements over `pieces`, nothing of which is isolated.
    pub(crate) fn over(statements: &[&'s Statement], pieces: Vec<BasicSet>) -> Self {
        let statements = statements.iter().map(|each| Cow::Borrowed(*each)).collect();
        let parts = vec![Part { pieces, isolated: false, condition: None }];
        SharedLoops { statements, levels: None, parts }
    }
}

/// Pieces of the values of a level that are all isolated, or all not. Each becomes a loop.
pub(crate) struct Part {
    pub(crate) pieces: Vec<BasicSet>,
    pub(crate) isolated: bool,
    /// What is to be checked outside, if anything.
    pub(crate) condition: Option<Set>,
}
