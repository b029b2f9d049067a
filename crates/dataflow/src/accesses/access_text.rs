//! isl's text form of access information.
//!
//! A YAML mapping with the keys `sink`, `must_source`, `may_source`, `kill` (relations) and either
//! `schedule` (a tree) or `schedule_map` (a relation).
use crate::accesses::access_information::AccessInformation;
use crate::accesses::schedule::Schedule;
use loopwright_presburger::{Error, Result, UnionMap};
use loopwright_schedule::ScheduleTree;
use loopwright_schedule::yaml::{Value, quote};
use std::fmt;

impl AccessInformation {
    /// Reads isl's text form. Without a schedule nothing has a time.
    ///
    /// ```
    /// use loopwright_dataflow::AccessInformation;
    /// let text = "sink: \"{ S[] -> a[] }\"\nschedule_map: \"{ S[] -> [] }\"\n";
    /// assert_eq!(AccessInformation::parse(text)?.to_string(), text);
    /// assert!(AccessInformation::parse("must_source: \"{ S[] -> a[] }\"").is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] with the line of the text that is not understood, also for unknown keys, for
    /// two schedules, and for a missing `sink`.
    pub fn parse(text: &str) -> Result<Self> {
        let document = Value::parse(text)?;
        let mut information = Self::new(UnionMap::empty(), Schedule::Map(UnionMap::empty()));
        for (key, value) in document.entries()? {
            information.set(key, value)?;
        }
        if document.get("sink").is_none() {
            return Err(document.error("expected the key `sink`"));
        }
        if let (Some(_), Some(second)) = (document.get("schedule"), document.get("schedule_map")) {
            return Err(second.error("a second schedule: give `schedule` or `schedule_map`"));
        }
        Ok(information)
    }

    fn set(&mut self, key: &str, value: &Value<'_>) -> std::result::Result<(), Error> {
        let relation = match key {
            "sink" => &mut self.sink,
            "must_source" => &mut self.must_source,
            "may_source" => &mut self.may_source,
            "kill" => &mut self.kill,
            "schedule_map" => {
                self.schedule = Schedule::Map(value.read(UnionMap::parse)?);
                return Ok(());
            }
            "schedule" => {
                self.schedule = Schedule::Tree(Box::new(ScheduleTree::from_yaml(value)?));
                return Ok(());
            }
            _ => return Err(value.error(format_args!("unknown key `{key}`"))),
        };
        *relation = value.read(UnionMap::parse)?;
        Ok(())
    }
}

/// Prints isl's text form; relations without pieces are left out.
impl fmt::Display for AccessInformation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relations = [
            ("must_source", &self.must_source),
            ("may_source", &self.may_source),
            ("kill", &self.kill),
        ];
        writeln!(f, "sink: {}", quote(&self.sink.to_string()))?;
        for (key, relation) in relations {
            if !relation.plain_is_empty() {
                writeln!(f, "{key}: {}", quote(&relation.to_string()))?;
            }
        }
        match &self.schedule {
            Schedule::Map(map) => writeln!(f, "schedule_map: {}", quote(&map.to_string())),
            Schedule::Tree(tree) => {
                writeln!(f, "schedule:")?;
                tree.to_string().lines().try_for_each(|line| writeln!(f, "  {line}"))
            }
        }
    }
}
