//! The sources of reads as text and as JSON.
use super::{ParameterMeaning, ReadSources, RegionDataflow, SourceOfReads};
use serde_json::{Value, json};
use std::fmt;

impl fmt::Display for RegionDataflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = self.lines;
        writeln!(
            f,
            "{}, lines {first} to {last}: {} in {}",
            self.function,
            counted(self.n_parameters, "parameter"),
            counted(self.n_disjuncts, "disjunct")
        )?;
        self.assumptions.iter().try_for_each(|sentence| writeln!(f, "  assumed: {sentence}"))?;
        self.notes.iter().try_for_each(|sentence| writeln!(f, "  note: {sentence}"))?;
        self.reads.iter().try_for_each(|read| write!(f, "{read}"))
    }
}

impl fmt::Display for ReadSources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {} (line {}) reads {}", self.statement, self.line, self.variable)?;
        self.sources.iter().try_for_each(|source| write!(f, "{source}"))?;
        self.parameters.iter().try_for_each(|parameter| write!(f, "{parameter}"))
    }
}

impl fmt::Display for SourceOfReads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.statement {
            Some(_) if self.is_undefined => write!(f, "    without a value")?,
            Some((name, line)) => write!(f, "    from {name} (line {line})")?,
            None => write!(f, "    from before the region")?,
        }
        writeln!(f, ": {}", self.relation)
    }
}

impl fmt::Display for ParameterMeaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, line) = &self.statement;
        let (ran, value) = (&self.ran.0, i32::from(self.ran.1));
        writeln!(
            f,
            "    {ran} = {value}: {name} (line {line}) has run for a candidate of {}",
            self.candidates
        )?;
        self.last.iter().try_for_each(|(parameter, coordinate)| {
            writeln!(
                f,
                "    {parameter}: {coordinate} of the last candidate of {name} that has run"
            )
        })
    }
}

impl RegionDataflow {
    /// All of it as an object, whose fields docs/dataflow.md lists.
    pub fn to_json(&self) -> Value {
        json!({
            "function": self.function,
            "lines": [self.lines.0, self.lines.1],
            "parameters": self.n_parameters,
            "disjuncts": self.n_disjuncts,
            "assumptions": self.assumptions,
            "notes": self.notes,
            "reads": self.reads.iter().map(read_json).collect::<Vec<_>>(),
        })
    }
}

/// The sources of a reference as an object.
pub(crate) fn read_json(read: &ReadSources) -> Value {
    let sources = read.sources.iter().map(|source| {
        let (statement, line) = match &source.statement {
            Some((name, line)) => (Some(name), Some(line)),
            None => (None, None),
        };
        let origin = match (&source.statement, source.is_undefined) {
            (None, _) => "before",
            (Some(_), true) => "undefined",
            (Some(_), false) => "write",
        };
        json!({ "origin": origin, "statement": statement, "line": line, "relation": source.relation })
    });
    let parameters = read.parameters.iter().map(|own| {
        let last = own
            .last
            .iter()
            .map(|(parameter, coordinate)| json!({ "name": parameter, "coordinate": coordinate }));
        json!({
            "statement": own.statement.0,
            "line": own.statement.1,
            "ran": own.ran.0,
            "ran_value": i32::from(own.ran.1),
            "last": last.collect::<Vec<_>>(),
            "candidates": own.candidates,
        })
    });
    json!({
        "statement": read.statement,
        "line": read.line,
        "variable": read.variable,
        "reads": read.reads,
        "sources": sources.collect::<Vec<_>>(),
        "parameters": parameters.collect::<Vec<_>>(),
    })
}

/// A number of things.
fn counted(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}
