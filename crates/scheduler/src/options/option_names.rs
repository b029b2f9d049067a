//! The names of the options, as isl writes them: `--schedule-outer-coincidence`,
//! `--no-schedule-split-scaled`, `--schedule-max-coefficient=4`.
use crate::{Algorithm, Fallback, Fuse, Options};

/// A word for a choice, and what it sets.
type Word = (&'static str, fn(&mut Options));

/// What the text of an option sets.
enum Setting {
    /// `--schedule-NAME` and `--no-schedule-NAME`.
    Flag(fn(&mut Options) -> &mut bool),
    /// `--schedule-NAME=N`; negative numbers set no bound.
    Bound(fn(&mut Options) -> &mut Option<i64>),
    /// `--schedule-NAME` and `--no-schedule-NAME` choose between two models of fusion.
    Fusion(Fuse),
    /// `--schedule-NAME=WORD`, with what the words set, and the words alone.
    Choice(&'static [Word], &'static [&'static str]),
}

/// The words of a table alone.
const fn words<const N: usize>(table: &[Word; N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut next = 0;
    while next < N {
        words[next] = table[next].0;
        next += 1;
    }
    words
}

const ALGORITHMS: [Word; 3] = [
    ("isl", |options| options.algorithm = Algorithm::Pluto),
    ("pluto", |options| options.algorithm = Algorithm::Pluto),
    ("feautrier", |options| options.algorithm = Algorithm::Feautrier),
];

const FUSIONS: [Word; 4] = [
    ("max", |options| options.fuse = Fuse::Max),
    ("min", |options| options.fuse = Fuse::Min),
    ("smart", |options| options.fuse = Fuse::Smart),
    ("typed", |options| options.fuse = Fuse::Typed),
];

const FALLBACKS: [Word; 4] = [
    ("feautrier", |options| options.fallback = Fallback::Feautrier),
    ("first-member", |options| options.fallback = Fallback::FirstMember),
    ("validity", |options| options.fallback = Fallback::Validity),
    ("original", |options| options.fallback = Fallback::Original),
];

/// All options by the part of their name after `schedule-`.
const SETTINGS: &[(&str, Setting)] = &[
    ("algorithm", Setting::Choice(&ALGORITHMS, &words(&ALGORITHMS))),
    ("fuse", Setting::Choice(&FUSIONS, &words(&FUSIONS))),
    ("whole-component", Setting::Fusion(Fuse::Max)),
    ("serialize-sccs", Setting::Fusion(Fuse::Min)),
    ("outer-coincidence", Setting::Flag(|o| &mut o.outer_coincidence)),
    ("fallback", Setting::Choice(&FALLBACKS, &words(&FALLBACKS))),
    ("wavefront", Setting::Flag(|o| &mut o.wavefront)),
    ("maximize-band-depth", Setting::Flag(|o| &mut o.maximize_band_depth)),
    ("maximize-coincidence", Setting::Flag(|o| &mut o.maximize_coincidence)),
    ("merge-complete", Setting::Flag(|o| &mut o.merge_complete)),
    ("separate-components", Setting::Flag(|o| &mut o.separate_components)),
    ("treat-coalescing", Setting::Flag(|o| &mut o.treat_coalescing)),
    ("carry-self-first", Setting::Flag(|o| &mut o.carry_self_first)),
    ("split-scaled", Setting::Flag(|o| &mut o.split_scaled)),
    ("integer-carry", Setting::Flag(|o| &mut o.integer_carry)),
    ("deduplicate", Setting::Flag(|o| &mut o.deduplicate)),
    ("drop-bounds", Setting::Flag(|o| &mut o.drop_bounds)),
    ("lineality", Setting::Flag(|o| &mut o.lineality)),
    ("negative-coefficients", Setting::Flag(|o| &mut o.negative_coefficients)),
    ("parametric", Setting::Flag(|o| &mut o.parametric)),
    ("split-index-sets", Setting::Flag(|o| &mut o.split_index_sets)),
    ("max-coefficient", Setting::Bound(|o| &mut o.max_coefficient)),
    ("max-constant-term", Setting::Bound(|o| &mut o.max_constant_term)),
];

impl Options {
    /// The names that [`Options::set`] knows, without `schedule-`.
    ///
    /// ```
    /// use loopwright_scheduler::Options;
    /// assert!(Options::names().any(|name| name == "outer-coincidence"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        SETTINGS.iter().map(|(name, _)| *name)
    }

    /// Whether an option needs a value; nothing if there is no such option. The name is that of the
    /// command line without the dashes in front: `schedule-NAME` or `no-schedule-NAME`.
    ///
    /// ```
    /// use loopwright_scheduler::Options;
    /// assert_eq!(Options::takes_value("schedule-max-coefficient"), Some(true));
    /// assert_eq!(Options::takes_value("no-schedule-split-scaled"), Some(false));
    /// assert_eq!(Options::takes_value("schedule-nothing"), None);
    /// ```
    pub fn takes_value(name: &str) -> Option<bool> {
        let (setting, negated) = setting(name)?;
        match setting {
            Setting::Flag(_) | Setting::Fusion(_) => Some(false),
            Setting::Bound(_) | Setting::Choice(..) => (!negated).then_some(true),
        }
    }

    /// The words that an option takes as its value; nothing if there is no such option or its value is none
    /// of a list.
    ///
    /// ```
    /// use loopwright_scheduler::Options;
    /// assert_eq!(Options::words("schedule-algorithm"), Some(&["isl", "pluto", "feautrier"][..]));
    /// assert_eq!(Options::words("schedule-max-coefficient"), None);
    /// ```
    pub fn words(name: &str) -> Option<&'static [&'static str]> {
        match setting(name)?.0 {
            Setting::Choice(_, words) => Some(words),
            Setting::Flag(_) | Setting::Fusion(_) | Setting::Bound(_) => None,
        }
    }

    /// Sets an option by its name on the command line, without the dashes in front.
    ///
    /// ```
    /// use loopwright_scheduler::{Fuse, Options};
    /// let mut options = Options::tiling();
    /// options.set("schedule-whole-component", None)?;
    /// options.set("schedule-max-coefficient", Some("4"))?;
    /// assert_eq!((options.fuse, options.max_coefficient), (Fuse::Max, Some(4)));
    /// assert!(options.set("schedule-max-coefficient", Some("four")).is_err());
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// In words, if there is no such option or if the value is none for it.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let unknown = || format!("unknown option `--{name}`");
        let (setting, negated) = setting(name).ok_or_else(unknown)?;
        match (setting, value) {
            (Setting::Flag(flag), None) => *flag(self) = !negated,
            (Setting::Fusion(fuse), None) if negated => {
                if self.fuse == *fuse {
                    self.fuse = Fuse::Smart;
                }
            }
            (Setting::Fusion(fuse), None) => self.fuse = *fuse,
            (Setting::Bound(bound), Some(value)) if !negated => {
                let number: i64 =
                    value.parse().map_err(|_| format!("--{name} takes a number, not `{value}`"))?;
                *bound(self) = (number >= 0).then_some(number);
            }
            (Setting::Choice(words, known), Some(value)) if !negated => {
                let Some((_, choose)) = words.iter().find(|(word, _)| *word == value) else {
                    let known = known.join(", ");
                    return Err(format!("--{name} takes one of {known}, not `{value}`"));
                };
                choose(self);
            }
            (Setting::Bound(_) | Setting::Choice(..), _) if negated => return Err(unknown()),
            (Setting::Bound(_) | Setting::Choice(..), _) => {
                return Err(format!("--{name} needs a value"));
            }
            (Setting::Flag(_) | Setting::Fusion(_), Some(_)) => {
                return Err(format!("--{name} takes no value"));
            }
        }
        Ok(())
    }

    /// The options that differ from those of `base`, by name and value: `yes` or `no` for a flag, a
    /// number for a bound (-1 for none), a word for a choice. [`Options::set_to`] takes them back.
    ///
    /// ```
    /// use loopwright_scheduler::Options;
    /// let (tiling, outer) = (Options::tiling(), Options::outer_parallel());
    /// let changes = outer.changes_from(&tiling);
    /// assert_eq!(changes, [("schedule-outer-coincidence".to_string(), "yes".to_string())]);
    /// let mut options = tiling;
    /// options.set_to("schedule-outer-coincidence", "yes")?;
    /// assert_eq!(options, outer);
    /// # Ok::<(), String>(())
    /// ```
    pub fn changes_from(&self, base: &Options) -> Vec<(String, String)> {
        let (mut own, mut others) = (*self, *base);
        let changed = SETTINGS.iter().filter_map(|(name, setting)| {
            let value = match setting {
                Setting::Flag(flag) => {
                    let value = *flag(&mut own);
                    let word = if value { "yes" } else { "no" };
                    (value != *flag(&mut others)).then(|| word.to_string())
                }
                Setting::Bound(bound) => {
                    let value = *bound(&mut own);
                    (value != *bound(&mut others)).then(|| value.unwrap_or(-1).to_string())
                }
                // The choices `fuse` says the same.
                Setting::Fusion(_) => None,
                Setting::Choice(words, _) => {
                    let chooses = |options: &Options, choose: fn(&mut Options)| {
                        let mut chosen = *options;
                        choose(&mut chosen);
                        chosen == *options
                    };
                    let word = words.iter().find(|(_, choose)| chooses(&own, *choose));
                    word.filter(|(_, choose)| !chooses(&others, *choose))
                        .map(|(word, _)| (*word).to_string())
                }
            };
            Some((format!("schedule-{name}"), value?))
        });
        changed.collect()
    }

    /// Sets an option to a value as [`Options::changes_from`] gives it, flags by `yes` and `no`.
    ///
    /// # Errors
    /// As [`Options::set`].
    pub fn set_to(&mut self, name: &str, value: &str) -> Result<(), String> {
        match (Self::takes_value(name), value) {
            (Some(false), "yes") => self.set(name, None),
            (Some(false), "no") => self.set(&format!("no-{name}"), None),
            (Some(false), _) => Err(format!("{name} is yes or no, not `{value}`")),
            _ => self.set(name, Some(value)),
        }
    }

    /// Sets the options that a file of schedule constraints names for itself, in comments as isl's
    /// own examples have them: `# OPTIONS: --schedule-whole-component --schedule-max-coefficient=4`.
    ///
    /// ```
    /// use loopwright_scheduler::{Fuse, Options};
    /// let mut options = Options::tiling();
    /// options.set_from_comments("# OPTIONS: --schedule-serialize-sccs\ndomain: { A[] }")?;
    /// assert_eq!(options.fuse, Fuse::Min);
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// As [`Options::set`]; words that do not start with `--schedule-` or `--no-schedule-` are passed over.
    pub fn set_from_comments(&mut self, text: &str) -> Result<(), String> {
        for line in text.lines().filter(|line| line.trim_start().starts_with('#')) {
            let Some((_, words)) = line.split_once("OPTIONS:") else { continue };
            for word in words.split_whitespace() {
                let Some(option) = word.strip_prefix("--") else { continue };
                let (name, value) = match option.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (option, None),
                };
                if name.starts_with("schedule-") || name.starts_with("no-schedule-") {
                    self.set(name, value)?;
                }
            }
        }
        Ok(())
    }
}

/// What an option sets, and whether it is negated.
fn setting(name: &str) -> Option<(&'static Setting, bool)> {
    let (name, negated) = match name.strip_prefix("no-") {
        Some(rest) => (rest, true),
        None => (name, false),
    };
    let name = name.strip_prefix("schedule-")?;
    SETTINGS.iter().find(|(known, _)| *known == name).map(|(_, setting)| (setting, negated))
}
