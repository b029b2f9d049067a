//! The scalability of regions as text and as JSON.
use super::{GraphFigures, ParameterGrowth, RegionScalability, TilingScalability};
use serde_json::{Value, json};
use std::fmt::{self, Display, Formatter};

impl Display for RegionScalability {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, lines {}-{}", self.function, self.lines.0, self.lines.1)?;
        let names = |wanted: bool| {
            let names = self.parameters.iter().filter(|(_, is_data)| *is_data == wanted);
            let names: Vec<&str> = names.map(|(name, _)| &**name).collect();
            if names.is_empty() { "none".to_string() } else { names.join(", ") }
        };
        writeln!(f, "  dimensions of the data: {}; others: {}", names(true), names(false))?;
        for tiling in &self.tilings {
            writeln!(f, "  {}: {}", tiling.name, vector_text(&tiling.vector(self)))?;
            if let Some(graph) = &tiling.graph {
                write_graph(f, graph)?;
            }
            if let Some(n_waves) = &tiling.n_waves {
                writeln!(f, "    waves: {n_waves}")?;
            }
            for growth in &tiling.growth {
                write_growth(f, growth)?;
            }
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "  note: {note}"))
    }
}

/// `(1, 0, ?)`.
fn vector_text(vector: &[Option<bool>]) -> String {
    let entry = |scales: &Option<bool>| match scales {
        Some(true) => "1",
        Some(false) => "0",
        None => "?",
    };
    format!("({})", vector.iter().map(entry).collect::<Vec<_>>().join(", "))
}

fn write_graph(f: &mut Formatter<'_>, graph: &GraphFigures) -> fmt::Result {
    let GraphFigures { n_instances, redundancy, widths, work_span, makespans } = graph;
    write!(
        f,
        "    {} tiles of {n_instances} instances in {} waves of up to {}, span {work_span}",
        widths.n_tiles(),
        widths.n_waves(),
        widths.greatest()
    )?;
    if *redundancy > 1.0 {
        write!(f, ", each instance {redundancy:.3} times")?;
    }
    writeln!(f)?;
    for (processors, barriers, without) in makespans {
        writeln!(
            f,
            "    {processors} processors: {barriers} tiles long with barriers ({} waves to fill, {} to drain), {without} \
             instances without",
            widths.n_filling(*processors),
            widths.n_draining(*processors)
        )?;
    }
    Ok(())
}

fn write_growth(f: &mut Formatter<'_>, growth: &ParameterGrowth) -> fmt::Result {
    let ParameterGrowth { parameter, sizes, waves, work_spans, scaling } = growth;
    let list = |values: Vec<String>| values.join(" ");
    let sizes = list(sizes.iter().map(ToString::to_string).collect());
    let waves = list(waves.iter().map(ToString::to_string).collect());
    let spans = list(work_spans.iter().map(ToString::to_string).collect());
    let verdict = scaling.map_or("not known".to_string(), |scaling| scaling.to_string());
    writeln!(f, "    {parameter} = {sizes}: waves {waves}, span {spans}: {verdict}")
}

impl RegionScalability {
    /// All of it as an object, whose fields docs/scalability.md lists.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let parameters = self.parameters.iter();
        json!({
            "function": self.function,
            "lines": [self.lines.0, self.lines.1],
            "parameters": parameters
                .map(|(name, is_data)| json!({ "name": name, "is_data": is_data }))
                .collect::<Vec<_>>(),
            "tilings": self.tilings.iter().map(|t| tiling_json(t, self)).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    /// The vector of the tiling of a name as text, such as `(1, 0)`; none if there is no such tiling.
    #[must_use]
    pub fn vector_of(&self, name: &str) -> Option<String> {
        let tiling = self.tilings.iter().find(|tiling| tiling.name == name)?;
        Some(vector_text(&tiling.vector(self)))
    }
}

fn tiling_json(tiling: &TilingScalability, region: &RegionScalability) -> Value {
    let growth = tiling.growth.iter();
    json!({
        "name": tiling.name,
        "vector": tiling.vector(region),
        "n_waves": tiling.n_waves,
        "graph": tiling.graph.as_ref().map(graph_json),
        "growth": growth
            .map(|growth| json!({
                "parameter": growth.parameter,
                "sizes": growth.sizes,
                "waves": growth.waves,
                "work_spans": growth.work_spans,
                "scaling": growth.scaling.map(|scaling| scaling.to_string()),
            }))
            .collect::<Vec<_>>(),
    })
}

fn graph_json(graph: &GraphFigures) -> Value {
    let makespans = graph.makespans.iter();
    json!({
        "instances": graph.n_instances,
        "redundancy": graph.redundancy,
        "widths": graph.widths.0,
        "work_span": graph.work_span,
        "makespans": makespans
            .map(|(processors, barriers, without)| json!({
                "processors": processors,
                "tiles_with_barriers": barriers,
                "instances_without_barriers": without,
                "filling_waves": graph.widths.n_filling(*processors),
                "draining_waves": graph.widths.n_draining(*processors),
            }))
            .collect::<Vec<_>>(),
    })
}
