//! A survey as text and as JSON.
use crate::pipeline::outcome::plural;
use crate::report::survey::{Cause, FileSurvey, NestSurvey, Survey, Verdict};
use loopwright_cfront::Diagnostic;
use serde_json::{Value, json};
use std::fmt;

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            writeln!(f, "{file}")?;
        }
        self.write_totals(f)
    }
}

impl Survey {
    /// Writes how many loops have which verdict, and which causes refuse how many.
    pub(crate) fn write_totals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.nests().count();
        let n_files = self.files.len();
        writeln!(f, "{n} loop nest{} in {n_files} file{}", plural(n), plural(n_files))?;
        for verdict in Verdict::ALL {
            let count = self.count(verdict);
            if count > 0 {
                writeln!(f, "{count:>8}  {}", verdict.as_str())?;
            }
        }
        let causes = self.causes();
        if causes.is_empty() {
            return Ok(());
        }
        writeln!(f, "\ncauses of refusals\n   nests   alone  so far")?;
        for Cause { code, nests, alone, up_to_here } in causes {
            let title = code.title();
            writeln!(f, "{nests:>8}{alone:>8}{up_to_here:>8}  {code} {title}")?;
        }
        writeln!(
            f,
            "nests: refused nests with the cause; alone: those without any other; so far: those\n\
             that have only this cause and those above it"
        )
    }

    /// The survey as an object; `docs/reports.md` lists its fields.
    pub fn to_json(&self) -> Value {
        let cause = |cause: &Cause| {
            json!({
                "code": cause.code.as_str(),
                "cause": cause.code.title(),
                "nests": cause.nests,
                "alone": cause.alone,
                "up_to_here": cause.up_to_here,
            })
        };
        let verdicts = Verdict::ALL.iter();
        let verdicts: serde_json::Map<String, Value> =
            verdicts.map(|v| (v.as_str().to_string(), self.count(*v).into())).collect();
        json!({
            "format": 1,
            "loopwright": env!("CARGO_PKG_VERSION"),
            "files": self.files.iter().map(file_json).collect::<Vec<_>>(),
            "verdicts": verdicts,
            "causes": self.causes().iter().map(cause).collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for FileSurvey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.path.display())?;
        for failure in &self.failures {
            write_refusal(f, "  ", failure)?;
        }
        if let Some(failure) = &self.failure {
            writeln!(f, "  {failure}")?;
        }
        if self.nests.is_empty() && self.failures.is_empty() && self.failure.is_none() {
            writeln!(f, "  no loops")?;
        }
        self.nests.iter().try_for_each(|nest| write!(f, "{nest}"))
    }
}

impl fmt::Display for NestSurvey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let margin = "  ".repeat(self.depth.min(10) + 1);
        let (first, last) = self.lines;
        let verdict = self.verdict.as_str();
        let proved = if self.proved { ", proved" } else { "" };
        writeln!(f, "{margin}lines {first}-{last} in {}: {verdict}{proved}", self.function)?;
        for refusal in &self.refusals {
            write_refusal(f, &format!("{margin}  "), refusal)?;
        }
        self.decisions.iter().try_for_each(|decision| writeln!(f, "{margin}  {decision}"))
    }
}

fn write_refusal(f: &mut fmt::Formatter<'_>, margin: &str, refusal: &Diagnostic) -> fmt::Result {
    let place = refusal.place.as_ref().map(|p| format!("{}:{}: ", p.line, p.column));
    writeln!(f, "{margin}{}[{}] {}", place.unwrap_or_default(), refusal.code, refusal.message)?;
    if let Some(reason) = &refusal.reason {
        writeln!(f, "{margin}  because {}", reason.replace('\n', "\n      "))?;
    }
    if let Some(hint) = &refusal.hint {
        writeln!(f, "{margin}  way out: {hint}")?;
    }
    Ok(())
}

fn file_json(file: &FileSurvey) -> Value {
    json!({
        "file": file.path.to_string_lossy(),
        "failures": file.failures.iter().map(refusal_json).collect::<Vec<_>>(),
        "failure": file.failure,
        "nests": file.nests.iter().map(nest_json).collect::<Vec<_>>(),
    })
}

fn nest_json(nest: &NestSurvey) -> Value {
    json!({
        "function": nest.function,
        "lines": [nest.lines.0, nest.lines.1],
        "depth": nest.depth,
        "verdict": nest.verdict.as_str(),
        "proved": nest.proved,
        "refusals": nest.refusals.iter().map(refusal_json).collect::<Vec<_>>(),
        "decisions": nest.decisions,
    })
}

fn refusal_json(refusal: &Diagnostic) -> Value {
    json!({
        "code": refusal.code.as_str(),
        "message": refusal.message,
        "line": refusal.place.as_ref().map(|place| place.line),
        "column": refusal.place.as_ref().map(|place| place.column),
        "reason": refusal.reason,
        "hint": refusal.hint,
    })
}
