//! isl's text form of schedule constraints.
//!
//! A YAML mapping with the keys `domain`, `context`, `prefix`, `validity`, `proximity`, `coincidence`,
//! `condition` and `conditional_validity`, whose values are sets and relations in isl's notation.
use crate::ScheduleConstraints;
use loopwright_presburger::{Error, MultiUnionPwAff, Result, Set, Space, UnionMap, UnionSet};
use loopwright_schedule::yaml::{Value, quote};
use std::fmt;

impl ScheduleConstraints {
    /// Reads isl's text form; unquoted sets and relations are accepted, as isl does.
    ///
    /// # Errors
    /// [`Error::Parse`] with the line of the text that is not understood, also for unknown keys and
    /// for a missing `domain`.
    pub fn parse(text: &str) -> Result<Self> {
        let document = Value::parse(text)?;
        let mut constraints = None;
        if let Some(domain) = document.get("domain") {
            let everything = Set::universe(Space::params(&[]));
            let domain = domain.read(UnionSet::parse)?;
            constraints = Some(ScheduleConstraints::on_domain(domain, everything));
        }
        let mut constraints = constraints
            .ok_or_else(|| document.error("expected a mapping with the key `domain`"))?;
        for (key, value) in document.entries()? {
            constraints.set(key, value)?;
        }
        Ok(constraints)
    }

    fn set(&mut self, key: &str, value: &Value<'_>) -> std::result::Result<(), Error> {
        let relation = match key {
            "domain" => return Ok(()),
            "context" => {
                self.context = value.read(Set::parse)?;
                return Ok(());
            }
            "prefix" => {
                self.prefix = Some(value.read(MultiUnionPwAff::parse)?);
                return Ok(());
            }
            "validity" => &mut self.validity,
            "proximity" => &mut self.proximity,
            "coincidence" => &mut self.coincidence,
            "condition" => &mut self.condition,
            "conditional_validity" => &mut self.conditional_validity,
            _ => return Err(value.error(format_args!("unknown key `{key}`"))),
        };
        *relation = value.read(UnionMap::parse)?;
        Ok(())
    }
}

/// Prints isl's text form; relations without pieces are left out.
impl fmt::Display for ScheduleConstraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "domain: {}", quote(&self.domain.to_string()))?;
        writeln!(f, "context: {}", quote(&self.context.to_string()))?;
        if let Some(prefix) = &self.prefix {
            writeln!(f, "prefix: {}", quote(&prefix.to_string()))?;
        }
        let relations = [
            ("validity", &self.validity),
            ("proximity", &self.proximity),
            ("coincidence", &self.coincidence),
            ("condition", &self.condition),
            ("conditional_validity", &self.conditional_validity),
        ];
        for (key, relation) in relations {
            if !relation.plain_is_empty() {
                writeln!(f, "{key}: {}", quote(&relation.to_string()))?;
            }
        }
        Ok(())
    }
}
