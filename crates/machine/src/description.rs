//! Machines as text: one `key = value` per line, `#` starts a comment.
use crate::described::{Described, Source};
use crate::facts::{Fact, Facts, MACHINE};
use crate::machine::Machine;
use std::fmt;

/// What is wrong with a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError {
    /// The line (1-based).
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for DescriptionError {}

impl Machine {
    /// Reads a description; keys that are not given keep the value of [`Machine::generic`].
    ///
    /// # Errors
    /// An unknown key, a line without `=`, or a value that does not fit the key: numbers are
    /// positive (0 where [`Machine`] says what that means) and at most 2^40.
    ///
    /// # Examples
    /// ```
    /// use loopwright_machine::Machine;
    /// let machine = Machine::parse("cores = 2 # of 64\nvector-bytes = 64\n")?;
    /// assert_eq!((machine.cores, machine.vector_bytes), (2, 64));
    /// assert_eq!(Machine::parse(&machine.to_string())?, machine);
    /// # Ok::<(), loopwright_machine::DescriptionError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, DescriptionError> {
        Ok(Described::generic().overridden(text, "")?.machine)
    }
}

impl Described {
    /// The same machine but for the facts that a description gives; `file` is the description's
    /// name in their [`Source`].
    ///
    /// # Errors
    /// Those of [`Machine::parse`].
    ///
    /// # Examples
    /// ```
    /// use loopwright_machine::{Described, Source};
    /// let two = Described::generic().overridden("cores = 2", "two.machine")?;
    /// assert_eq!(two.machine.cores, 2);
    /// assert_eq!(two.source("cores"), &Source::File("two.machine".into()));
    /// assert_eq!(two.source("l1-bytes"), &Source::Assumed);
    /// # Ok::<(), loopwright_machine::DescriptionError>(())
    /// ```
    pub fn overridden(mut self, text: &str, file: &str) -> Result<Self, DescriptionError> {
        let file = file.replace(char::is_control, " ");
        for given in read(&MACHINE, &mut self.machine, text)? {
            self.sources.add(given.key, Source::File(file.clone()));
        }
        Ok(self)
    }
}

/// A fact that a description gives.
pub(crate) struct GivenFact<'t> {
    /// Its name.
    pub(crate) key: &'static str,
    /// The comment behind it.
    pub(crate) comment: &'t str,
}

/// Sets the facts that a description gives; which ones these are.
pub(crate) fn read<'t, T: Clone>(
    facts: Facts<T>,
    of: &mut T,
    text: &'t str,
) -> Result<Vec<GivenFact<'t>>, DescriptionError> {
    let mut given: Vec<GivenFact<'t>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let (content, comment) = line.split_once('#').unwrap_or((line, ""));
        let content = content.trim();
        if content.is_empty() {
            continue;
        }
        let error = |message| DescriptionError { line: index + 1, message };
        let (key, value) =
            content.split_once('=').ok_or_else(|| error("expected `key = value`".into()))?;
        let key = key.trim();
        let named = |fact: &&Fact<T>| fact.key == key;
        let fact = facts.iter().find(named).ok_or_else(|| {
            let names: Vec<_> = facts.iter().map(|fact| fact.key).collect();
            error(format!("unknown key `{key}` (known: {})", names.join(", ")))
        })?;
        if given.iter().any(|known| known.key == fact.key) {
            return Err(error(format!("`{key}` is given a second time")));
        }
        given.push(GivenFact { key: fact.key, comment: comment.trim() });
        fact.set(of, value.trim()).map_err(error)?;
    }
    Ok(given)
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        MACHINE.iter().try_for_each(|fact| writeln!(f, "{} = {}", fact.key, fact.value(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line() {
        for (text, line) in [
            ("cores = 2\ncolour = 3\n", 2),
            ("cores\n", 1),
            ("# x\n\ncores = -1", 3),
            ("cores = 0", 1),
            ("cores = 99999999999999999999999", 1),
            ("cores = 1099511627777", 1),
            ("l1-ways = 8\nfused-multiply-add = 1", 2),
            ("fused-multiply-add =", 1),
            ("cores = 2\nl1-ways = 8\ncores = 3", 3),
        ] {
            assert_eq!(Machine::parse(text).unwrap_err().line, line, "{text}");
        }
    }

    #[test]
    fn some_numbers_may_be_zero() {
        let text = "l3-bytes = 0\nl1-ways = 0\nl2-tlb-entries = 0\nfused-multiply-add = no";
        let machine = Machine::parse(text).unwrap();
        assert_eq!((machine.l3_bytes, machine.l1_ways, machine.l2_tlb_entries), (0, 0, 0));
        assert!(!machine.fused_multiply_add);
    }

    #[test]
    fn every_fact_is_written_and_read() {
        for (position, fact) in MACHINE.iter().enumerate() {
            let mut machine = Machine::generic();
            let value = if fact.key == "fused-multiply-add" { "no" } else { "777" };
            fact.set(&mut machine, value).unwrap();
            assert_ne!(machine, Machine::generic(), "{}", fact.key);
            let lines = machine.to_string();
            assert_eq!(lines.lines().nth(position), Some(&*format!("{} = {value}", fact.key)));
            assert_eq!(Machine::parse(&lines), Ok(machine));
        }
    }
}
