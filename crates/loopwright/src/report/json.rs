//! The report as JSON: all that was found out, decided, proved and measured.
use crate::pipeline::compile::Compiled;
use crate::pipeline::outcome::{RegionReport, Stage, Timings};
use crate::report::amounts::amounts_json;
use crate::settings::options::Emit;
use loopwright_machine::Machine;
use loopwright_transform::BandReport;
use loopwright_verify::{NotRead, Proof};
use serde_json::{Map, Value, json};

/// The version of the form of the report; it grows when the meaning of a field changes.
const FORMAT: u32 = 1;

/// The report about the compilation of `file` for `machine`, as an object whose fields
/// docs/tuning.md lists.
///
/// ```
/// use loopwright::{CompileOptions, compile_file, json_report};
/// # let folder = std::env::temp_dir().join(format!("loopwright-json-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("f.c");
/// std::fs::write(&path, "void f(double *a) {\n#pragma scop\n  for (int i = 0; i < 999999; i++) a[i] = i;\n#pragma endscop\n}\n").unwrap();
/// let compiled = compile_file(&path, &CompileOptions::new()).unwrap();
/// let machine = loopwright_machine::Machine::generic();
/// let report = json_report("f.c", &compiled, &machine);
/// assert_eq!(report["regions"][0]["function"], "f");
/// assert_eq!(report["regions"][0]["proofs"][0]["outcome"], "proved");
/// # std::fs::remove_dir_all(&folder).unwrap();
/// ```
pub fn json_report(file: &str, compiled: &Compiled, machine: &Machine) -> Value {
    let regions = compiled.report.regions.iter().enumerate();
    let regions: Vec<Value> =
        regions.map(|(position, report)| region(compiled, position, report)).collect();
    json!({
        "format": FORMAT,
        "loopwright": env!("CARGO_PKG_VERSION"),
        "file": file,
        "machine": facts(&machine.to_string()),
        "notes": compiled.report.notes,
        "regions": regions,
        "milliseconds": times(&compiled.report.timings),
    })
}

fn region(compiled: &Compiled, position: usize, report: &RegionReport) -> Value {
    let (flow, order, forced) = report.n_dependences;
    let choices = report.choices.settings();
    let choices: Map<String, Value> =
        choices.map(|(name, value)| (name.to_string(), value.into())).collect();
    let text = |stage| compiled.emit_region(position, stage).ok();
    json!({
        "function": report.function,
        "lines": [report.lines.0, report.lines.1],
        "statements": report.n_statements,
        "dependences": { "flow": flow, "order": order, "forced": forced },
        "choices": choices,
        "bands": report.bands.bands.iter().map(band).collect::<Vec<_>>(),
        "proofs": report.proofs.iter().map(|(claim, proof)| proof_of(claim, proof)).collect::<Vec<_>>(),
        "only_tested": only_tested(report),
        "tried": report.tried,
        "notes": report.notes,
        "serial": report.serial.iter().map(|(_, reason)| reason).collect::<Vec<_>>(),
        "left_as_it_was": report.is_left,
        "amounts": report.amounts.as_ref().map(amounts_json),
        "schedule": text(Emit::Schedule),
        "code": text(Emit::Code),
    })
}

fn band(band: &BandReport) -> Value {
    // Every field is named, so that a new one is not forgotten.
    let BandReport {
        statements,
        permutable,
        coincident,
        order,
        tile_sizes,
        register_tile,
        decisions,
    } = band;
    json!({
        "statements": statements,
        "permutable": permutable,
        "coincident": coincident,
        "order": order,
        "tile_sizes": tile_sizes,
        "register_tile": register_tile.map(|(rows, columns)| [rows, columns]),
        "decisions": decisions.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// The parts of the text that no proof reads.
fn only_tested(report: &RegionReport) -> Vec<Value> {
    let parts = report.only_tested.iter();
    parts.map(|NotRead { part, line }| json!({ "part": part.name(), "line": line })).collect()
}

fn proof_of(claim: &str, proof: &Proof) -> Value {
    match proof {
        Proof::Proved => json!({ "claim": claim, "outcome": "proved" }),
        Proof::OutOfBudget(operation) => {
            json!({ "claim": claim, "outcome": "not proved", "limit_in": operation })
        }
        Proof::Refuted(violations) => {
            let violations = violations.iter();
            let violations: Vec<Value> = violations
                .map(|violation| {
                    json!({ "message": violation.message, "example": violation.example })
                })
                .collect();
            json!({ "claim": claim, "outcome": "refuted", "violations": violations })
        }
    }
}

/// The facts of a description with lines `key = value`; numbers are numbers.
pub(crate) fn facts(description: &str) -> Value {
    let lines = description.lines().filter_map(|line| {
        let (key, value) = line.split('#').next()?.split_once('=')?;
        let value = value.trim();
        let number = value.parse::<u64>().map(Value::from);
        Some((key.trim().to_string(), number.unwrap_or_else(|_| value.into())))
    });
    Value::Object(lines.collect())
}

/// Milliseconds per stage and in total after preprocessing, to the microsecond.
fn times(timings: &Timings) -> Value {
    let milliseconds = |duration: std::time::Duration| duration.as_micros() as f64 / 1000.0;
    let stages = Stage::ALL.iter();
    let mut times: Map<String, Value> = stages
        .map(|&stage| (stage.name().to_string(), milliseconds(timings.of(stage)).into()))
        .collect();
    times.insert("after_preprocessing".to_string(), milliseconds(timings.own()).into());
    Value::Object(times)
}
