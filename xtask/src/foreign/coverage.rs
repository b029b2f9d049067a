//! How much of a program's time lies in loops that were transformed, and why the rest does not.
use super::build::{Purpose, compilations};
use super::classes::Classes;
use super::manifest::ForeignProgram;
use super::way::{Tools, Way};
use loopwright::tune::run_within;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How long the survey of a program may take.
const LONGEST_SURVEY: Duration = Duration::from_secs(600);

/// The least share of the time in loops that is worth a line.
const LEAST_HOT_SHARE: f64 = 0.03;

/// Where a program spends its time.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub(super) struct Coverage {
    /// The share of all time that is in loops.
    pub(super) in_loops: f64,
    /// The share of the time in loops, by verdict.
    pub(super) verdicts: BTreeMap<String, f64>,
    /// The share of the time in loops that refused nests with a set of causes take, by the codes with `+`
    /// between them.
    pub(super) causes: BTreeMap<String, f64>,
    /// The number of nests by verdict.
    pub(super) nests: BTreeMap<String, usize>,
    pub(super) hot: Vec<HotNest>,
    /// The causes in the classes of the literature.
    #[serde(default)]
    pub(super) classes: Option<Classes>,
}

/// A nest that takes long.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub(super) struct HotNest {
    pub(super) file: String,
    pub(super) function: String,
    pub(super) lines: (u32, u32),
    pub(super) share: f64,
    pub(super) verdict: String,
    /// Why it is refused, or what was decided.
    pub(super) why: Vec<String>,
}

impl Coverage {
    /// The share of the time in loops that are transformed: parallel, tiled, or with another order.
    pub(super) fn transformed(&self) -> f64 {
        self.share(&["parallel and tiled", "parallel", "tiled", "transformed, sequential"])
    }

    /// The share of the time in loops with some verdicts.
    pub(super) fn share(&self, verdicts: &[&str]) -> f64 {
        verdicts.iter().filter_map(|verdict| self.verdicts.get(*verdict)).sum()
    }
}

/// The parts of `loopwright report --format json` that are used here.
#[derive(Deserialize)]
struct Survey {
    files: Vec<FileSurvey>,
    time: Option<Time>,
    classes: Option<Classes>,
}

#[derive(Deserialize)]
struct FileSurvey {
    file: String,
    nests: Vec<Nest>,
}

#[derive(Deserialize)]
struct Time {
    in_loops: f64,
}

#[derive(Deserialize)]
struct Nest {
    function: String,
    lines: (u32, u32),
    verdict: String,
    time: Option<f64>,
    refusals: Vec<Refusal>,
    decisions: Vec<String>,
}

#[derive(Deserialize)]
struct Refusal {
    code: String,
    message: String,
    line: Option<u32>,
}

/// What becomes of the loops of a program, with the samples of a run if there are some.
///
/// The survey reads the texts as the compiler gets them, by the commands of the plain build.
pub(super) fn cover(
    program: &ForeignProgram,
    samples: Option<&Path>,
    tools: &Tools,
    folder: &Path,
) -> Result<Coverage, String> {
    let error = |e: std::io::Error| format!("cannot run {}: {e}", tools.loopwright);
    let database = folder.join("compile_commands.json");
    std::fs::write(&database, compile_commands(program, tools, folder).to_string())
        .map_err(error)?;
    let output = folder.join("survey.json");
    let mut command = Command::new(&tools.loopwright);
    command.args(["report", "--format", "json", "--no-verify", "-o"]).arg(&output);
    command.arg("-p").arg(&database);
    if let Some(samples) = samples {
        command.arg("--time-data").arg(samples);
    }
    let log = File::create(folder.join("survey.log")).map_err(error)?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    let _ = std::fs::remove_file(&output);
    // Its status says whether there is something to say about every file.
    if run_within(&mut command, LONGEST_SURVEY).map_err(error)?.is_none() {
        return Err("the survey takes too long".to_string());
    }
    let text = std::fs::read_to_string(&output).map_err(|_| why_no_survey(folder))?;
    let survey: Survey = serde_json::from_str(&text).map_err(|e| format!("the survey: {e}"))?;
    Ok(survey.coverage())
}

/// What the survey has said, without the folder that it was made in.
fn why_no_survey(folder: &Path) -> String {
    let log = std::fs::read_to_string(folder.join("survey.log")).unwrap_or_default();
    let said = log.lines().next().unwrap_or("it has said nothing");
    format!("no survey: {}", said.replace(&format!("{}/", folder.display()), ""))
}

/// The commands that compile the sources of a program, in the form in which builds note them.
fn compile_commands(program: &ForeignProgram, tools: &Tools, folder: &Path) -> Value {
    let commands = compilations(program, Purpose::Run(Way::Plain), tools, folder);
    let entries = program.sources.iter().zip(commands).map(|(source, arguments)| {
        json!({ "directory": program.folder, "file": source, "arguments": arguments })
    });
    entries.collect()
}

impl Survey {
    fn coverage(self) -> Coverage {
        let in_loops = self.time.map_or(0.0, |time| time.in_loops);
        let mut coverage = Coverage { in_loops, classes: self.classes, ..Coverage::default() };
        for file in self.files {
            for nest in file.nests {
                coverage.add(&file.file, nest);
            }
        }
        coverage.hot.sort_by(|a, b| b.share.total_cmp(&a.share));
        coverage
    }
}

impl Coverage {
    fn add(&mut self, file: &str, nest: Nest) {
        *self.nests.entry(nest.verdict.clone()).or_default() += 1;
        let share = nest.time.unwrap_or(0.0);
        if share == 0.0 {
            return;
        }
        *self.verdicts.entry(nest.verdict.clone()).or_default() += share;
        if nest.verdict == "refused" {
            let mut codes: Vec<&str> = nest.refusals.iter().map(|r| r.code.as_str()).collect();
            codes.sort_unstable();
            codes.dedup();
            *self.causes.entry(codes.join("+")).or_default() += share;
        }
        if share >= LEAST_HOT_SHARE {
            let refusals = nest.refusals.iter().map(|refusal| {
                let line = refusal.line.map_or(String::new(), |line| format!("{line}: "));
                format!("[{}] {line}{}", refusal.code, refusal.message)
            });
            let why = refusals.chain(nest.decisions).collect();
            let Nest { function, lines, verdict, .. } = nest;
            self.hot.push(HotNest { file: file.to_string(), function, lines, share, verdict, why });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_survey_becomes_shares() {
        let text = r#"{"files": [{"file": "f.c", "nests": [
            {"function": "f", "lines": [1, 4], "verdict": "parallel", "time": 0.75, "refusals": [], "decisions": ["x"]},
            {"function": "g", "lines": [7, 9], "verdict": "refused", "time": 0.25, "decisions": [],
             "refusals": [{"code": "CF19", "message": "b", "line": 8}, {"code": "CF12", "message": "a", "line": null}]}]}],
            "time": {"in_loops": 0.9}}"#;
        let coverage = serde_json::from_str::<Survey>(text).unwrap().coverage();
        assert_eq!(coverage.in_loops, 0.9);
        assert_eq!(coverage.transformed(), 0.75);
        assert_eq!(coverage.causes, BTreeMap::from([("CF12+CF19".to_string(), 0.25)]));
        assert_eq!(coverage.hot[1].why, ["[CF19] 8: b", "[CF12] a"]);
    }
}
