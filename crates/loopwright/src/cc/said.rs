//! A line about each source, for people.
use crate::cc::wrapper::TRANSFORMED;
use crate::pipeline::outcome::plural;
use crate::report::survey::{Survey, Verdict};
use serde_json::Value;

/// What `loopwright cc` prints about the sources that it compiles, one line each, to standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Says {
    /// Nothing.
    #[default]
    Nothing,
    /// What became of the loops of a source that has new ones.
    Transformed,
    /// The same of every source, with the reason where its text is compiled as it is.
    All,
}

impl Says {
    /// The lines about the sources of a command.
    pub(super) fn lines(self, outcome: &str, sources: &[Value]) -> Vec<String> {
        match self {
            Says::Nothing => return Vec::new(),
            Says::Transformed if outcome != TRANSFORMED => return Vec::new(),
            Says::All if sources.is_empty() => return vec![format!("loopwright: {outcome}")],
            Says::Transformed | Says::All => {}
        }
        let said =
            sources.iter().filter(|source| self == Says::All || source["outcome"] == TRANSFORMED);
        said.map(|source| line(outcome, source)).collect()
    }
}

/// The line about a source.
fn line(outcome: &str, source: &Value) -> String {
    let name = source["source"].as_str().unwrap_or_default();
    let done = source["outcome"].as_str().unwrap_or_default();
    let survey = Survey::from_json(&source["survey"]).unwrap_or_default();
    let verdicts: Vec<Verdict> =
        survey.files.iter().flat_map(|file| &file.nests).map(|nest| nest.verdict).collect();
    let count =
        |wanted: &[Verdict]| verdicts.iter().filter(|verdict| wanted.contains(verdict)).count();
    let n_parallel = count(&[Verdict::ParallelAndTiled, Verdict::Parallel]);
    let n_tiled = count(&[Verdict::ParallelAndTiled, Verdict::Tiled]);
    let nests = format!("{} loop nest{}", verdicts.len(), plural(verdicts.len()));
    let more = format!("; `loopwright report {name}` tells more");
    if done == TRANSFORMED && outcome == TRANSFORMED {
        return format!(
            "loopwright: {name}: {n_parallel} of {nests} parallel, {n_tiled} tiled{more}"
        );
    }
    match (outcome.strip_prefix("left as it was: "), verdicts.len()) {
        (Some(why), _) => format!("loopwright: {name}: compiled as it is: {why}"),
        (None, 0) => format!("loopwright: {name}: no loops to transform"),
        (None, _) => format!("loopwright: {name}: none of {nests} gains from new loops{more}"),
    }
}

#[cfg(test)]
mod tests {
    use super::Says;
    use serde_json::json;

    #[test]
    fn sources_without_new_loops_are_told_of_on_request() {
        let sources = [json!({ "source": "a.c", "outcome": "nothing to transform", "survey": {} })];
        assert!(Says::Transformed.lines("nothing to transform", &sources).is_empty());
        let lines = Says::All.lines("nothing to transform", &sources);
        assert_eq!(lines, ["loopwright: a.c: no loops to transform"]);
        let lines = Says::All.lines("left as it was: the transformation took too long", &sources);
        assert_eq!(lines, ["loopwright: a.c: compiled as it is: the transformation took too long"]);
        assert_eq!(Says::All.lines("the compiler fails", &[]), ["loopwright: the compiler fails"]);
    }
}
