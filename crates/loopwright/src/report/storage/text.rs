//! The storage of regions as text and as JSON.
use super::{ArrayStorage, RegionStorage, ValueStorage};
use serde_json::{Value, json};
use std::fmt::{self, Display, Formatter};

/// The vectors that are printed for the values of a statement; JSON has all.
const MOST_VECTORS: usize = 3;

impl Display for RegionStorage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, lines {}-{}", self.function, self.lines.0, self.lines.1)?;
        for array in &self.arrays {
            write_array(f, array)?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "  note: {note}"))
    }
}

fn write_array(f: &mut Formatter<'_>, array: &ArrayStorage) -> fmt::Result {
    let ArrayStorage { name, n_elements, kept_because, moduli, values } = array;
    let elements = n_elements.as_deref().unwrap_or("not counted");
    writeln!(f, "  {name}: elements {elements}")?;
    match (kept_because, &moduli[..]) {
        (Some(reason), _) => writeln!(f, "    one cell for each element: {reason}")?,
        (None, []) => writeln!(f, "    one cell for each element: no vector is along a dimension")?,
        (None, moduli) => {
            let modulus = |(at, modulus): &(usize, String)| format!("{modulus} in dimension {at}");
            let moduli: Vec<String> = moduli.iter().map(modulus).collect();
            writeln!(f, "    cells by a modulus: {}", moduli.join(", or "))?;
        }
    }
    values.iter().try_for_each(|values| write_values(f, values))
}

fn write_values(f: &mut Formatter<'_>, values: &ValueStorage) -> fmt::Result {
    let ValueStorage { statement, line, loops, n_values, .. } = values;
    let loops = if loops.is_empty() { "no loops" } else { loops };
    writeln!(f, "    {statement}, line {line}, in {loops}: values {n_values}")?;
    let distance = |(distance, is_behind): &(Vec<String>, bool)| {
        format!("{}{}", vector_text(distance), if *is_behind { " behind" } else { "" })
    };
    let consumers: Vec<String> = values.consumers.iter().map(distance).collect();
    match (&values.reason, &consumers[..]) {
        (Some(reason), _) => writeln!(f, "      no vectors: {reason}")?,
        (None, []) => writeln!(f, "      nothing in the region reads them")?,
        (None, consumers) => writeln!(f, "      read at {}", consumers.join(", "))?,
    }
    for (vector, cells) in values.vectors.iter().take(MOST_VECTORS) {
        let cells = cells.as_deref().unwrap_or("not counted");
        writeln!(f, "      {}: cells {cells}", vector_text(vector))?;
    }
    if let Some(universal) = &values.universal {
        writeln!(f, "      in all schedules: {}", vector_text(universal))?;
    }
    if !values.successive_moduli.is_empty() {
        let modulus = |modulus: &Option<String>| modulus.clone().unwrap_or("?".into());
        let moduli: Vec<String> = values.successive_moduli.iter().map(modulus).collect();
        writeln!(f, "      in the order of the schedule, by iterator: {}", moduli.join("; "))?;
    }
    Ok(())
}

/// `(1, 2)`.
fn vector_text(vector: &[String]) -> String {
    format!("({})", vector.join(", "))
}

impl RegionStorage {
    /// All of it as an object, whose fields docs/storage.md lists.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "function": self.function,
            "lines": [self.lines.0, self.lines.1],
            "arrays": self.arrays.iter().map(array_json).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

fn array_json(array: &ArrayStorage) -> Value {
    let moduli = array.moduli.iter();
    json!({
        "name": array.name,
        "n_elements": array.n_elements,
        "kept_because": array.kept_because,
        "moduli": moduli
            .map(|(dimension, modulus)| json!({ "dimension": dimension, "modulus": modulus }))
            .collect::<Vec<_>>(),
        "values": array.values.iter().map(values_json).collect::<Vec<_>>(),
    })
}

fn values_json(values: &ValueStorage) -> Value {
    let consumers = values.consumers.iter();
    let vectors = values.vectors.iter();
    json!({
        "statement": values.statement,
        "line": values.line,
        "loops": values.loops,
        "n_values": values.n_values,
        "consumers": consumers
            .map(|(distance, is_behind)| json!({ "distance": distance, "is_behind": is_behind }))
            .collect::<Vec<_>>(),
        "reason": values.reason,
        "vectors": vectors
            .map(|(vector, cells)| json!({ "vector": vector, "cells": cells }))
            .collect::<Vec<_>>(),
        "universal": values.universal,
        "successive_moduli": values.successive_moduli,
    })
}
