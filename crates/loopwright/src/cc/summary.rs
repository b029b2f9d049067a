//! What was done in a build, from the reports of its commands.
use crate::diagnostics::failure::Failure;
use crate::pipeline::outcome::plural;
use crate::report::page::markup::{escape, page_with_sorting};
use crate::report::survey::Survey;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::Path;

/// What was done in a build.
#[derive(Clone, Debug, Default)]
pub struct BuildSummary {
    /// How often commands ended with an outcome.
    pub outcomes: BTreeMap<String, usize>,
    /// The commands that were not transformed although something was found, with the reason.
    pub left: Vec<(String, String)>,
    /// The loops of all sources.
    pub survey: Survey,
}

impl BuildSummary {
    /// Reads the reports of a folder. Files that are no reports are passed over.
    ///
    /// # Errors
    /// If the folder cannot be read, or has no report.
    pub fn of(folder: &Path) -> Result<BuildSummary, Failure> {
        let unreadable = |error: &dyn fmt::Display| {
            Failure::refused(format!("cannot read {}: {error}", folder.display()))
        };
        let entries = std::fs::read_dir(folder).map_err(|error| unreadable(&error))?;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        let mut summary = BuildSummary::default();
        let mut surveys = Vec::new();
        for path in &paths {
            let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
            if let Ok(report) = serde_json::from_str::<Value>(&text) {
                summary.add(&report, &mut surveys);
            }
        }
        if summary.outcomes.is_empty() {
            return Err(unreadable(&"it has no report of a command"));
        }
        summary.survey = Survey::merged(surveys);
        summary.survey.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(summary)
    }

    fn add(&mut self, report: &Value, surveys: &mut Vec<Survey>) {
        let Some(outcome) = report["outcome"].as_str() else { return };
        let (outcome, reason) = outcome.split_once(": ").unwrap_or((outcome, ""));
        *self.outcomes.entry(outcome.to_string()).or_default() += 1;
        let sources = report["sources"].as_array().map_or(&[][..], Vec::as_slice);
        if !reason.is_empty() && !sources.is_empty() {
            let names: Vec<&str> = sources.iter().filter_map(|s| s["source"].as_str()).collect();
            self.left.push((names.join(" "), reason.to_string()));
        }
        surveys.extend(sources.iter().filter_map(|source| Survey::from_json(&source["survey"])));
    }

    /// The summary as one self-contained page.
    pub fn to_html(&self) -> String {
        let mut body = String::from("<h1>Build</h1>\n<section><h2>Commands</h2>\n<table>\n");
        for (outcome, count) in &self.outcomes {
            let outcome = escape(outcome);
            let _ = writeln!(body, "<tr><th scope=\"row\">{outcome}</th><td>{count}</td></tr>");
        }
        body += "</table></section>\n";
        if !self.left.is_empty() {
            body += "<section><h2>Left as they were</h2>\n<table>\n";
            for (names, reason) in &self.left {
                let (names, reason) = (escape(names), escape(reason));
                let _ = writeln!(body, "<tr><th scope=\"row\">{names}</th><td>{reason}</td></tr>");
            }
            body += "</table></section>\n";
        }
        body += &self.survey.sections();
        page_with_sorting("Loopwright: a build", &body)
    }
}

impl fmt::Display for BuildSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n: usize = self.outcomes.values().sum();
        writeln!(f, "{n} command{}", plural(n))?;
        for (outcome, count) in &self.outcomes {
            writeln!(f, "{count:>8}  {outcome}")?;
        }
        for (names, reason) in &self.left {
            writeln!(f, "left as it was: {names}: {reason}")?;
        }
        self.survey.write_totals(f)
    }
}
