//! The implementation of the strategy that the options ask for.
use crate::cut::Cut;
use crate::options::choices::Options;
use crate::options::strategy::Strategy;
use crate::strategies::baseline::OneLoop;
use crate::strategies::components::Components;
use crate::strategies::kelly_pugh::SplitHulls;
use crate::strategies::separation::Separated;

/// How the values of levels are cut with these options.
pub(crate) fn cut_of(options: &Options) -> Box<dyn Cut + '_> {
    match options.strategy {
        Strategy::Components => Box::new(Components { options }),
        Strategy::Separation(choices) => Box::new(Separated { choices }),
        Strategy::KellyPugh(levels) => Box::new(SplitHulls { levels }),
        Strategy::Baseline(baseline) => Box::new(OneLoop { baseline }),
    }
}
