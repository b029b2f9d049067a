//! The loops over a dimension, by the strategy that the options ask for.
use crate::descent::Descent;
use crate::model::statement::Statement;
use crate::options::strategy::Strategy;
use loopwright_presburger::{BasicSet, Result, Set};

/// Statements and the ranges of values of a dimension that they share loops over, in order.
pub(crate) type Group<'s> = (Vec<&'s Statement>, Vec<BasicSet>);

impl Descent<'_> {
    /// The loops over dimension `level` in order, if the strategy is another than components.
    pub(crate) fn groups_of_strategy<'s>(
        &self,
        statements: &[&'s Statement],
        known: &Set,
        level: usize,
    ) -> Result<Option<Vec<Group<'s>>>> {
        match self.options.strategy {
            Strategy::Components => Ok(None),
            Strategy::Separation(choices) => {
                self.separation_groups(&choices, statements, known, level).map(Some)
            }
            Strategy::KellyPugh(levels) => {
                let pieces = self.kelly_pugh_pieces(levels, statements, known, level)?;
                Ok(Some(vec![(statements.to_vec(), pieces)]))
            }
            Strategy::Baseline(baseline) => {
                let pieces = self.baseline_pieces(baseline, statements, known, level)?;
                Ok(Some(vec![(statements.to_vec(), pieces)]))
            }
        }
    }

    /// The first dimension whose loops are parallel because the strategy says so.
    pub(crate) fn first_parallel_level(&self) -> Option<usize> {
        match self.options.strategy {
            Strategy::Separation(choices) => choices.sequential_levels,
            _ => None,
        }
    }
}
