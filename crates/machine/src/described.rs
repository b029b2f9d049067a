//! Where the facts of a machine come from.
use crate::facts::{Facts, MACHINE};
use crate::machine::Machine;
use std::fmt;

/// Where a fact comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The system does not tell, so it is the value of [`Machine::generic`].
    Assumed,
    /// The running system, which tells it at this place.
    System(String),
    /// A description with this name.
    File(String),
    /// A publication.
    Published(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Assumed => write!(f, "assumed"),
            Source::System(place) => write!(f, "{place}"),
            Source::File(name) => write!(f, "given in {name}"),
            Source::Published(name) => write!(f, "{name}"),
        }
    }
}

/// A machine, and where each fact comes from.
///
/// Its text is a description with comments, which [`Machine::parse`] reads again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The machine.
    pub machine: Machine,
    pub(crate) sources: Sources,
}

/// Where facts come from, by their keys; later ones hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sources(Vec<(&'static str, Source)>);

impl Sources {
    /// Where a fact comes from.
    pub(crate) fn of(&self, key: &str) -> &Source {
        let last = self.0.iter().rev().find(|(known, _)| *known == key);
        last.map_or(&Source::Assumed, |(_, source)| source)
    }

    /// Says where a fact comes from.
    pub(crate) fn add(&mut self, key: &'static str, source: Source) {
        self.0.push((key, source));
    }

    /// Writes a description with meanings and sources in comments.
    pub(crate) fn describe<T: Clone>(
        &self,
        (facts, of): (Facts<T>, &T),
        width: usize,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        for fact in facts {
            let assignment = format!("{} = {}", fact.key, fact.value(of));
            let source = self.of(fact.key);
            match fact.meaning {
                "" => writeln!(f, "{assignment:<width$} # {source}")?,
                meaning => writeln!(f, "{assignment:<width$} # {meaning}; {source}")?,
            }
        }
        Ok(())
    }
}

impl Described {
    /// [`Machine::generic`]: all is assumed.
    pub fn generic() -> Self {
        Described { machine: Machine::generic(), sources: Sources::default() }
    }

    /// Where the fact with this key in descriptions comes from.
    pub fn source(&self, key: &str) -> &Source {
        self.sources.of(key)
    }
}

impl fmt::Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sources.describe((&MACHINE, &self.machine), 29, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_a_description() {
        let described =
            Described::generic().overridden("cores = 3\nl1-ways = 0", "a # \nb").unwrap();
        let text = described.to_string();
        assert_eq!(Machine::parse(&text), Ok(described.machine));
        assert!(text.starts_with("cores = 3 "), "{text}");
        assert!(text.contains("given in a #  b\n") && text.contains("assumed\n"), "{text}");
    }
}
