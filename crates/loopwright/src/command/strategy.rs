//! The options that choose a strategy of code generation, for all commands that generate code.
use super::compile::{choice, text};
use super::usage_error;
use loopwright::Failure;
use loopwright_astgen::{Baseline, LevelRange, Separation, Strategy};

/// The names of the strategies.
const STRATEGIES: [(&str, Strategy); 5] = [
    ("components", Strategy::Components),
    ("separation", Strategy::Separation(Separation::STANDARD)),
    ("kelly-pugh", Strategy::KellyPugh(LevelRange::ALL)),
    ("bounding-box", Strategy::Baseline(Baseline::BoundingBox)),
    ("hull", Strategy::Baseline(Baseline::Hull)),
];

/// What the command line says about the strategy.
#[derive(Clone, Debug, Default)]
pub(super) struct StrategyArguments {
    strategy: Strategy,
    from: Option<usize>,
    to: Option<usize>,
    remove_dead_loops: bool,
    sequential_levels: Option<usize>,
    copy_cost: Option<u64>,
}

impl StrategyArguments {
    /// Takes the option `name` with its value, unless it is none of a strategy's.
    pub(super) fn accept(
        &mut self,
        name: &str,
        parser: &mut lexopt::Parser,
    ) -> Result<bool, Failure> {
        match name {
            "strategy" => {
                self.strategy = choice("--strategy", &text(parser)?, &STRATEGIES)?;
            }
            "separate-from" => self.from = Some(level("--separate-from", parser)?),
            "separate-to" => self.to = Some(level("--separate-to", parser)?),
            "remove-dead-loops" => self.remove_dead_loops = true,
            "sequential-levels" => {
                self.sequential_levels = Some(level("--sequential-levels", parser)?);
            }
            "copy-cost" => self.copy_cost = Some(level("--copy-cost", parser)? as u64),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The strategy with its choices.
    ///
    /// # Errors
    /// If a choice belongs to another strategy.
    pub(super) fn strategy(&self) -> Result<Strategy, Failure> {
        let all = LevelRange::ALL;
        let levels =
            LevelRange { from: self.from.unwrap_or(all.from), to: self.to.unwrap_or(all.to) };
        let only_separation =
            self.remove_dead_loops || self.sequential_levels.is_some() || self.copy_cost.is_some();
        match self.strategy {
            Strategy::Separation(_) => Ok(Strategy::Separation(Separation {
                levels,
                remove_dead_loops: self.remove_dead_loops,
                sequential_levels: self.sequential_levels,
                copy_cost: self.copy_cost,
            })),
            _ if only_separation => Err(usage_error(
                "--remove-dead-loops, --sequential-levels and --copy-cost belong to --strategy \
                 separation",
            )),
            Strategy::KellyPugh(_) => Ok(Strategy::KellyPugh(levels)),
            Strategy::Components | Strategy::Baseline(_) if levels != all => Err(usage_error(
                "--separate-from and --separate-to belong to --strategy separation or kelly-pugh",
            )),
            other => Ok(other),
        }
    }
}

/// The number of a schedule dimension.
fn level(option: &str, parser: &mut lexopt::Parser) -> Result<usize, Failure> {
    let value = text(parser)?;
    value.parse().map_err(|_| {
        usage_error(format!("{option} takes the number of a schedule dimension, not `{value}`"))
    })
}
