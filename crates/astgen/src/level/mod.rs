//! A level of the generated loops: one schedule dimension, and what holds outside of it.
//!
//! The modules say what the values of a level are: bounds, congruences, single values.
pub(crate) mod bounds;
pub(crate) mod columns;
pub(crate) mod degenerate_dimensions;
pub(crate) mod floor_bounds;
pub(crate) mod half_space;
pub(crate) mod implied_constraints;
pub(crate) mod localized;
pub(crate) mod min_max;
pub(crate) mod piecewise_bounds;
pub(crate) mod plain_sets;
pub(crate) mod stride;

use loopwright_presburger::{Budget, DimKind, Set, Space, Tuple};

/// A schedule dimension at some point of the descent.
///
/// Sets of its values are at depth `dimension + 1`: over the dimensions outside, and this one last.
#[derive(Clone, Copy)]
pub(crate) struct Level<'a> {
    /// The number of dimensions outside.
    pub(crate) dimension: usize,
    /// What holds for the dimensions outside, at depth `dimension`.
    pub(crate) known: &'a Set,
    /// What questions about it may cost.
    pub(crate) budget: &'a Budget,
}

impl<'a> Level<'a> {
    /// What holds outside, as a set of values of the level.
    pub(crate) fn around(&self) -> Set {
        self.known.insert_dims(DimKind::Out, self.dimension, 1)
    }

    /// The same level where questions take their work from another budget.
    pub(crate) fn within(self, budget: &'a Budget) -> Level<'a> {
        Level { budget, ..self }
    }

    /// The same level where something else holds outside.
    pub(crate) fn knowing(self, known: &'a Set) -> Level<'a> {
        Level { known, ..self }
    }

    /// The space of its values.
    pub(crate) fn space(&self) -> Space {
        Space::set(self.known.space().param_names(), Tuple::anonymous(self.dimension + 1))
    }
}
