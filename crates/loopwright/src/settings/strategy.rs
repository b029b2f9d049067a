//! Strategies of code generation by the names of options: `--strategy separation --copy-cost 3`.
use loopwright_astgen::{Baseline, LevelRange, Separation, Strategy};

/// The names of the strategies.
const STRATEGIES: [(&str, Strategy); 5] = [
    ("components", Strategy::Components),
    ("separation", Strategy::Separation(Separation::STANDARD)),
    ("kelly-pugh", Strategy::KellyPugh(LevelRange::ALL)),
    ("bounding-box", Strategy::Baseline(Baseline::BoundingBox)),
    ("hull", Strategy::Baseline(Baseline::Hull)),
];

/// What options say about the strategy, in any order.
///
/// ```
/// use loopwright::StrategyArguments;
/// let mut arguments = StrategyArguments::default();
/// arguments.set("copy-cost", Some("3"))?;
/// arguments.set("strategy", Some("separation"))?;
/// let strategy = arguments.strategy()?;
/// assert_eq!(StrategyArguments::words(&strategy), "separation copy-cost=3");
/// assert_eq!(StrategyArguments::parse("separation copy-cost=3")?.strategy()?, strategy);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StrategyArguments {
    strategy: Strategy,
    from: Option<usize>,
    to: Option<usize>,
    remove_dead_loops: bool,
    sequential_levels: Option<usize>,
    copy_cost: Option<u64>,
}

impl StrategyArguments {
    /// Whether an option needs a value; none if it is none of a strategy's. The name is that of the
    /// command line without the dashes in front.
    pub fn takes_value(name: &str) -> Option<bool> {
        match name {
            "strategy" | "separate-from" | "separate-to" | "sequential-levels" | "copy-cost" => {
                Some(true)
            }
            "remove-dead-loops" => Some(false),
            _ => None,
        }
    }

    /// Sets an option.
    ///
    /// # Errors
    /// In words, if there is no such option or the value is none for it.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        match (name, value) {
            ("strategy", Some(value)) => {
                self.strategy = crate::settings::words::word("strategy", value, &STRATEGIES)?;
            }
            ("separate-from", Some(value)) => self.from = Some(level(name, value)?),
            ("separate-to", Some(value)) => self.to = Some(level(name, value)?),
            ("sequential-levels", Some(value)) => {
                self.sequential_levels = Some(level(name, value)?);
            }
            ("copy-cost", Some(value)) => self.copy_cost = Some(level(name, value)? as u64),
            ("remove-dead-loops", None) => self.remove_dead_loops = true,
            _ => return Err(format!("`{name}` is no option of a strategy of code generation")),
        }
        Ok(())
    }

    /// The strategy with its choices.
    ///
    /// # Errors
    /// If a choice belongs to another strategy.
    pub fn strategy(&self) -> Result<Strategy, String> {
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
            _ if only_separation => Err(
                "--remove-dead-loops, --sequential-levels and --copy-cost belong to --strategy \
                 separation"
                    .to_string(),
            ),
            Strategy::KellyPugh(_) => Ok(Strategy::KellyPugh(levels)),
            Strategy::Components | Strategy::Baseline(_) if levels != all => Err(
                "--separate-from and --separate-to belong to --strategy separation or kelly-pugh"
                    .to_string(),
            ),
            other => Ok(other),
        }
    }

    /// A strategy in words: its name, then its choices that are not the usual ones.
    pub fn words(strategy: &Strategy) -> String {
        let same =
            |known: &Strategy| std::mem::discriminant(known) == std::mem::discriminant(strategy);
        let is_named = |known: &Strategy| match strategy {
            Strategy::Baseline(_) => known == strategy,
            _ => same(known),
        };
        let name = STRATEGIES.iter().find(|(_, known)| is_named(known));
        let mut words = vec![name.map_or("components", |(name, _)| name).to_string()];
        let mut levels = |range: &LevelRange| {
            let first = (range.from != LevelRange::ALL.from).then_some(range.from);
            let last = (range.to != LevelRange::ALL.to).then_some(range.to);
            words.extend(first.map(|from| format!("separate-from={from}")));
            words.extend(last.map(|to| format!("separate-to={to}")));
        };
        match strategy {
            Strategy::KellyPugh(range) => levels(range),
            Strategy::Separation(separation) => {
                levels(&separation.levels);
                let depth = separation.sequential_levels;
                words.extend(separation.remove_dead_loops.then(|| "remove-dead-loops".to_string()));
                words.extend(depth.map(|n| format!("sequential-levels={n}")));
                words.extend(separation.copy_cost.map(|cost| format!("copy-cost={cost}")));
            }
            Strategy::Components | Strategy::Baseline(_) => {}
        }
        words.join(" ")
    }

    /// Reads what [`StrategyArguments::words`] writes.
    ///
    /// # Errors
    /// As [`StrategyArguments::set`].
    pub fn parse(words: &str) -> Result<Self, String> {
        let mut arguments = StrategyArguments::default();
        let mut words = words.split_whitespace();
        arguments.set("strategy", Some(words.next().unwrap_or_default()))?;
        for word in words {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (word, None),
            };
            arguments.set(name, value)?;
        }
        Ok(arguments)
    }
}

/// The number of a schedule dimension, or a count.
fn level(option: &str, value: &str) -> Result<usize, String> {
    value.parse().map_err(|_| format!("--{option} takes a number, not `{value}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_has_words() {
        let range = LevelRange { from: 1, to: 3 };
        let cut = Separation { levels: range, remove_dead_loops: true, ..Separation::STANDARD };
        let deep = Separation { sequential_levels: Some(2), ..Separation::STANDARD };
        let mut strategies = Vec::from(STRATEGIES.map(|(_, strategy)| strategy));
        strategies.extend([
            Strategy::KellyPugh(range),
            Strategy::Separation(cut),
            Strategy::Separation(deep),
        ]);
        for strategy in strategies {
            let words = StrategyArguments::words(&strategy);
            let read = StrategyArguments::parse(&words).and_then(|read| read.strategy());
            assert_eq!(read, Ok(strategy), "{words}");
        }
        for bad in
            ["", "no", "hull separate-from=1", "components =", "separation x", "hull copy-cost=z"]
        {
            assert!(StrategyArguments::parse(bad).and_then(|a| a.strategy()).is_err(), "{bad}");
        }
    }
}
