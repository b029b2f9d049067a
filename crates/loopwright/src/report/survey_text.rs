//! A survey as text and as JSON.
use crate::pipeline::outcome::{line_range, plural};
use crate::report::amounts::amounts_json;
use crate::report::cause_classes::{ClassRow, ClassTable, Counted};
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
                let time = self.time_of(verdict).map(|time| format!("  {:>5.1} %", 100.0 * time));
                writeln!(f, "{count:>8}{}  {}", time.unwrap_or_default(), verdict.as_str())?;
            }
        }
        if let Some(time) = &self.time {
            let [loops, outside, elsewhere] =
                [time.in_loops, time.outside, time.elsewhere].map(|share| 100.0 * share);
            writeln!(
                f,
                "%: of the time in loops. {loops:.1} % of all time was spent in loops, {outside:.1} % in other lines of \
                 these files, {elsewhere:.1} % elsewhere"
            )?;
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
        )?;
        write_classes(f, &self.classes())
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
            "files": (0..self.files.len()).map(|file| self.file_json(file)).collect::<Vec<_>>(),
            "time": self.time.as_ref().map(|time| json!({
                "in_loops": time.in_loops,
                "outside": time.outside,
                "elsewhere": time.elsewhere,
            })),
            "verdicts": verdicts,
            "causes": self.causes().iter().map(cause).collect::<Vec<_>>(),
            "classes": classes_json(&self.classes()),
        })
    }
}

/// The table of classes; a share of the time follows each number if it is known.
fn write_classes(f: &mut fmt::Formatter<'_>, table: &ClassTable) -> fmt::Result {
    writeln!(f, "\nthe same in the classes of SPolly's table")?;
    let heads = ["A", "B", "C", "checked", "profiled"];
    let width = if table.candidates.time.is_some() { 16 } else { 8 };
    let heads: String = heads.map(|head| format!("{head:>width$}")).concat();
    writeln!(f, "{heads}")?;
    let cell = |counted: &Counted| {
        let time = counted.time.map_or(String::new(), |time| format!(" {:5.1} %", 100.0 * time));
        format!("{:>8}{time}", counted.nests)
    };
    for ClassRow { class, refused, alone, up_to_here, checked, profiled } in &table.rows {
        let cells = [refused, alone, up_to_here, checked, profiled].map(cell).concat();
        writeln!(f, "{cells}  {}", class.as_str())?;
    }
    writeln!(
        f,
        "A: refused nests with a cause of the class; B: with no other; C: with only those so far; checked: nests that a\n\
         check at run time saves from it; profiled: those of A with versions for values of a profile"
    )?;
    let ClassTable { candidates, accepted, with_checks, with_profile, .. } = table;
    for (counted, words) in [
        (candidates, "candidates"),
        (accepted, "accepted"),
        (with_checks, "accepted with checks at run time"),
        (with_profile, "refused but for values of a profile"),
    ] {
        writeln!(f, "{}  {words}", cell(counted))?;
    }
    Ok(())
}

fn classes_json(table: &ClassTable) -> Value {
    let counted = |counted: &Counted| json!({ "nests": counted.nests, "time": counted.time });
    let ClassTable { candidates, accepted, with_checks, with_profile, rows } = table;
    let row = |row: &ClassRow| {
        let ClassRow { class, refused, alone, up_to_here, checked, profiled } = row;
        json!({
            "class": class.as_str(),
            "refused": counted(refused),
            "alone": counted(alone),
            "up_to_here": counted(up_to_here),
            "checked": counted(checked),
            "profiled": counted(profiled),
        })
    };
    json!({
        "candidates": counted(candidates),
        "accepted": counted(accepted),
        "with_checks": counted(with_checks),
        "with_profile": counted(with_profile),
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
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
        self.nests.iter().try_for_each(|nest| write!(f, "{nest}"))?;
        self.notes.iter().try_for_each(|note| writeln!(f, "  note: {note}"))?;
        self.amounts.iter().try_for_each(|((first, last), amounts)| {
            write!(f, "  region in {}\n{amounts}", line_range(*first, *last))
        })
    }
}

impl fmt::Display for NestSurvey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let margin = "  ".repeat(self.depth.min(10) + 1);
        let (first, last) = self.lines;
        let verdict = self.verdict.as_str();
        let proved = if self.proved { ", proved" } else { "" };
        let lines = line_range(first, last);
        writeln!(f, "{margin}{lines} in {}: {verdict}{proved}", self.function)?;
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

impl Survey {
    fn file_json(&self, position: usize) -> Value {
        let file = &self.files[position];
        let times = self.time.as_ref().map(|time| &time.nests[position]);
        let nests = file.nests.iter().enumerate();
        let nests = nests.map(|(nest, survey)| nest_json(survey, times.map(|times| times[nest])));
        let amounts = file.amounts.iter().map(|((first, last), amounts)| {
            json!({ "lines": [first, last], "region": amounts_json(amounts) })
        });
        json!({
            "file": file.path.to_string_lossy(),
            "failures": file.failures.iter().map(refusal_json).collect::<Vec<_>>(),
            "failure": file.failure,
            "notes": file.notes,
            "nests": nests.collect::<Vec<_>>(),
            "amounts": amounts.collect::<Vec<_>>(),
        })
    }
}

fn nest_json(nest: &NestSurvey, time: Option<f64>) -> Value {
    json!({
        "function": nest.function,
        "lines": [nest.lines.0, nest.lines.1],
        "depth": nest.depth,
        "verdict": nest.verdict.as_str(),
        "time": time,
        "proved": nest.proved,
        "versions": nest.n_versions,
        "refusals": nest.refusals.iter().map(refusal_json).collect::<Vec<_>>(),
        "decisions": nest.decisions,
        "checks": nest.checks.iter().map(|class| class.as_str()).collect::<Vec<_>>(),
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
